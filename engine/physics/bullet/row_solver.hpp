/*
 * Bullet's solver of contacts and joints with a faster inner loop and the same results, bit for bit.
 *
 * Each row (one axis of a joint, one contact, one direction of friction) reads the velocities of two bodies
 * and changes them. Rows without a common moving body may be solved in any order, so the rows are sorted by
 * level: a row is one level above the last row before it that shares a body with it. The processor then works
 * on several rows of a level at once, where Bullet's order makes it wait for the result of the row before
 * (the colouring of constraints is E. Catto's, Box2D 3, but here no result depends on it). All sums are in
 * Bullet's order.
 */
#ifndef MMD_PHYSICS_BULLET_ROW_SOLVER_HPP
#define MMD_PHYSICS_BULLET_ROW_SOLVER_HPP

#include "bullet.hpp"

/* Four floats, the last of which is unused in vectors. */
typedef float row_vector __attribute__((vector_size(16)));

class row_solver final : public btSequentialImpulseConstraintSolver
{
  public:
    /* Bullet's own loop is used if some joint solves itself (btTypedConstraint::solveConstraintObsolete). */
    void set_joints_solve_themselves(bool on) { joints_solve_themselves_ = on; }

    /* Computes contacts as Bullet 2.75 does. */
    void set_contacts_like_mmd(bool on) { contacts_like_mmd_ = on; }

    /* For tests, which compare the two: lets Bullet prepare and solve all rows; and returns how many groups
     * were not solved by Bullet so far. */
    void set_bullets_loop(bool on) { bullets_loop_ = on; }
    uint64_t groups_by_level() const { return groups_by_level_; }

  protected:
    void convertJoints(btTypedConstraint **joints, int count, const btContactSolverInfo &info) override;
    void convertContacts(btPersistentManifold **manifolds, int count,
                         const btContactSolverInfo &info) override;
    btScalar solveGroupCacheFriendlyIterations(btCollisionObject **bodies, int body_count,
                                               btPersistentManifold **manifolds, int manifold_count,
                                               btTypedConstraint **joints, int joint_count,
                                               const btContactSolverInfo &info, btIDebugDraw *draw) override;

  private:
    /* The change of velocity that the rows have caused so far. */
    struct velocity {
        row_vector linear, angular;
    };
    /* What a row reads and adds to one of its two bodies. */
    struct side {
        row_vector linear, angular;           /* the row's direction */
        row_vector linear_gain, angular_gain; /* change of the velocities per impulse */
    };
    struct row {
        side a, b;
        float rhs, cfm, per_velocity;    /* impulse = rhs - cfm * impulse so far - per_velocity * velocity */
        float lower, upper;              /* limits of the impulse so far */
        float impulse;                   /* impulse so far */
        const velocity *read_a, *read_b; /* of the bodies, in velocities_ */
        velocity *write_a, *write_b;     /* the same; the last, unused one for bodies that never move */
        uint32_t source;                 /* number in Bullet's array of rows */
        uint32_t normal;                 /* of friction: the row in contacts_ that presses */
        float friction;
        bool turns_only;    /* of joints: the linear parts are 0 */
        double per_impulse; /* velocity per impulse; 0 if Bullet does not notice this row's change */
    };
    typedef btAlignedObjectArray<row> row_array;

    int body_of(btRigidBody &body, const btContactSolverInfo &info);
    void convert(btTypedConstraint &joint, btSolverConstraint *rows, int count,
                 const btContactSolverInfo &info);
    bool bodies_are_plain() const;
    void read_bodies();
    void sort(const btConstraintArray &source, bool is_joint, row_array &rows);
    void pack(const btConstraintArray &source, uint32_t from, row &to);
    void mark_unnoticed();
    void finish_contacts();
    template <bool turns_only> static float solve(row &solved);
    float solve_all();
    bool results_are_finite() const;
    void write_back();

    bool joints_solve_themselves_ = false, bullets_loop_ = false, contacts_like_mmd_ = false;
    uint64_t groups_by_level_ = 0;
    row_array joints_, contacts_, frictions_;
    btAlignedObjectArray<velocity> velocities_; /* of all bodies, and one that is never read */
    btAlignedObjectArray<bool> moves_;          /* by body */
    btAlignedObjectArray<uint32_t> level_of_body_, keys_, first_of_key_;
    btAlignedObjectArray<uint32_t> place_; /* of each contact in contacts_ */
    bool ends_early_ = true;
};

#endif
