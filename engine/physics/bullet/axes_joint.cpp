/*
 * A joint of limits and drives, which solves itself in every iteration of Bullet's solver
 * (solveConstraintObsolete), because Bullet's rows support neither springs with a true stiffness nor linear
 * factors.
 *
 * Locks (hard rows with lower = upper) are made conjugate to each other: each is orthogonalised against the
 * earlier ones (Gram-Schmidt in the metric of the inverse masses). One sweep then solves them exactly, a
 * redundant row vanishes and is dropped, and a joint never has more than six. Springs, drives and one-sided
 * limits are orthogonalised against the locks, too: they push only where the joint can move, with the
 * effective mass it has there. They are solved in sweeps (projected Gauss-Seidel). A spring damps the speed
 * at the start and at the end of the step, so that a steady load does not count as speed (../joint_metric.c).
 *
 * A hard limit lets a body reach the limit within a step but not cross it, and corrects a share of an
 * existing violation. Each step begins with zero impulses: starting from the last step's impulses, which
 * include the correction of errors, was found to destroy chains of joints.
 */
#include "axes_joint.hpp"

#include "../joint_metric.h"

#include <cmath>
#include <cstring>

namespace
{

/* Limits of the speed at which errors are corrected, so that a joint that was torn apart does not explode. */
const btScalar fastest_linear = 60, fastest_angular = 20;

/* A row is redundant if less than this share of it remains beside the locks. */
const btScalar dependent = 1e-4f;

/* Number of limits, and of drives, of a joint that are used at most. */
const uint32_t most_of_either = 64;

/* Share of an error that a step corrects. */
const btScalar hard_erp = 0.5f;

/* A row's jacobian (how its speed follows from the velocities), or its response (how an impulse changes
 * the velocities). */
struct direction {
    btVector3 linear_a, angular_a, linear_b, angular_b;
};

/* A row of the solver. The impulse solves a v + b impulse = c within bounds; stored are c, a and b divided
 * by its derivative. */
struct row {
    direction jacobian, response;
    btScalar inverse_mass;
    btScalar aim, speed_share, impulse_share;
    btScalar lowest, highest;
    btScalar impulse;
};

/* Gains of a spring: of force, or of acceleration. */
struct gains {
    btScalar stiffness, damping;
    bool acceleration;
};

class axes_joint final : public btTypedConstraint
{
  public:
    axes_joint(const mmd_physscene &scene, const mmd_phys_joint &joint, btRigidBody &a, btRigidBody &b,
               const btTransform &frame_in_a, const btTransform &frame_in_b);

    void forget();
    btScalar twist[3];

    void buildJacobian() override { prepared = false; }
    void getInfo1(btConstraintInfo1 *info) override { info->m_numConstraintRows = info->nub = 0; }
    void getInfo2(btConstraintInfo2 *) override {}
    void setParam(int, btScalar, int) override {}
    btScalar getParam(int, int) const override { return 0; }
    void solveConstraintObsolete(btSolverBody &a, btSolverBody &b, btScalar dt) override;

  private:
    mmd_transform relative() const;
    void track(const mmd_transform &t);
    void prepare(const btSolverBody &a, const btSolverBody &b, btScalar dt);
    void add_limit(const mmd_phys_limit &limit, const mmd_transform &t, bool locks, btScalar dt);
    void add_hard(const joint_row &measured, btScalar dt);
    void add_soft(const joint_row &measured, const mmd_phys_limit &limit, btScalar dt);
    void add_drive(const mmd_phys_drive &drive, const mmd_transform &t, btScalar dt);
    void add_spring(const direction &jacobian, const gains &by, btScalar offset, btScalar velocity,
                    btScalar bound, btScalar dt);
    void add_push(const direction &jacobian, const gains &by, btScalar offset, btScalar dt);
    void add_lock(const direction &jacobian, btScalar speed);
    void add_stop(const direction &jacobian, btScalar speed, btScalar lowest, btScalar highest);
    void add_row(const row &made);
    direction along(const float linear[3], const float angular[3]) const;
    direction response_to(const direction &jacobian) const;
    bool complete(row &made, btScalar &speed) const;

    const mmd_physscene &scene;
    const mmd_phys_joint &joint;
    btAlignedObjectArray<mmd_phys_limit> limits;
    btTransform frame_in_a, frame_in_b;
    btTransform place_a, place_b; /* of the frames, in this step */
    direction begun;              /* velocities at the start of this step, before gravity */
    btAlignedObjectArray<row> rows;
    int lock_count; /* number of locks, which are the first rows */
    bool prepared;
};

direction operator-(const direction &a, const direction &b)
{
    return {a.linear_a - b.linear_a, a.angular_a - b.angular_a, a.linear_b - b.linear_b,
            a.angular_b - b.angular_b};
}

direction operator*(const direction &a, btScalar s)
{
    return {a.linear_a * s, a.angular_a * s, a.linear_b * s, a.angular_b * s};
}

btScalar dot(const direction &a, const direction &b)
{
    return a.linear_a.dot(b.linear_a) + a.angular_a.dot(b.angular_a) + a.linear_b.dot(b.linear_b) +
           a.angular_b.dot(b.angular_b);
}

btScalar within(btScalar value, btScalar bound)
{
    return btMax(-bound, btMin(bound, value));
}

bool is_lock(const joint_row &measured)
{
    return measured.lower == measured.upper;
}

bool locks_angles(const mmd_phys_limit &limit)
{
    return limit.kind == MMD_LIMIT_ANGULAR && !limit.soft && limit.has_min && limit.has_max &&
           limit.min == 0 && limit.max == 0;
}

/*
 * Collects the joint's limits and merges those that lock angles. Locks of twists about two axes are
 * equivalent to a cone about the third, but are numerically unstable at half a turn.
 */
void collect_limits(const mmd_physscene &scene, const mmd_phys_joint &joint,
                    btAlignedObjectArray<mmd_phys_limit> &limits)
{
    mmd_phys_limit lock = {};
    lock.kind = MMD_LIMIT_ANGULAR;
    lock.has_min = lock.has_max = true;
    for (uint32_t i = 0; i < joint.limit_count && i < most_of_either; i++) {
        const mmd_phys_limit &limit = scene.limits[joint.first_limit + i];
        if (locks_angles(limit))
            lock.axes |= limit.axes;
        else
            limits.push_back(limit);
    }
    if (lock.axes)
        limits.push_back(lock);
}

/* Returns the maximum number of rows: a limit that is not a lock can have two per row, and there are at
 * most six locks. */
int most_rows(const mmd_phys_joint &joint)
{
    return 6 + static_cast<int>(btMin(joint.limit_count, most_of_either)) * 2 * JOINT_LIMIT_ROWS +
           static_cast<int>(btMin(joint.drive_count, most_of_either)) * JOINT_DRIVE_ROWS;
}

axes_joint::axes_joint(const mmd_physscene &from, const mmd_phys_joint &of, btRigidBody &a, btRigidBody &b,
                       const btTransform &in_a, const btTransform &in_b)
    : btTypedConstraint(MAX_CONSTRAINT_TYPE, a, b), twist{}, scene(from), joint(of), frame_in_a(in_a),
      frame_in_b(in_b), lock_count(0), prepared(false)
{
    rows.reserve(most_rows(joint));
    collect_limits(scene, joint, limits);
    forget();
}

/* Computes T, B's frame relative to A's. */
mmd_transform axes_joint::relative() const
{
    btTransform t = (m_rbA.getCenterOfMassTransform() * frame_in_a)
                        .inverseTimes(m_rbB.getCenterOfMassTransform() * frame_in_b);
    btQuaternion q = t.getRotation().normalized();
    return {{q.x(), q.y(), q.z(), q.w()}, {t.getOrigin().x(), t.getOrigin().y(), t.getOrigin().z(), 0.0f}};
}

void axes_joint::forget()
{
    mmd_transform t = relative();
    for (int i = 0; i < 3; i++)
        twist[i] = joint_twist(t.rotation, i);
}

void axes_joint::track(const mmd_transform &t)
{
    for (int i = 0; i < 3; i++)
        twist[i] = joint_track(twist[i], joint_twist(t.rotation, i));
}

/* ------------------------------------------------------------------ rows */

/*
 * Converts derivatives along A's axes to the velocities of the two centres of mass. A's frame moves with A,
 * so its lever reaches to B's frame.
 */
direction axes_joint::along(const float linear[3], const float angular[3]) const
{
    btVector3 n = place_a.getBasis() * btVector3(linear[0], linear[1], linear[2]);
    btVector3 turn = place_a.getBasis() * btVector3(angular[0], angular[1], angular[2]);
    btVector3 arm_a = place_b.getOrigin() - m_rbA.getCenterOfMassPosition();
    btVector3 arm_b = place_b.getOrigin() - m_rbB.getCenterOfMassPosition();
    return {-n, -arm_a.cross(n) - turn, n, arm_b.cross(n) + turn};
}

btVector3 turned_by(const btRigidBody &body, const btVector3 &angular)
{
    const btVector3 &factor = body.getAngularFactor();
    return (body.getInvInertiaTensorWorld() * (angular * factor)) * factor;
}

direction axes_joint::response_to(const direction &jacobian) const
{
    return {jacobian.linear_a * m_rbA.getInvMass() * m_rbA.getLinearFactor(),
            turned_by(m_rbA, jacobian.angular_a),
            jacobian.linear_b * m_rbB.getInvMass() * m_rbB.getLinearFactor(),
            turned_by(m_rbB, jacobian.angular_b)};
}

/*
 * Orthogonalises a row, given by its jacobian, against the locks and computes its response. speed becomes the
 * wanted speed of the remainder. Returns false if the row is redundant.
 */
bool axes_joint::complete(row &made, btScalar &speed) const
{
    made.response = response_to(made.jacobian);
    btScalar whole = dot(made.jacobian, made.response);
    for (int i = 0; i < lock_count; i++) {
        const row &lock = rows[i];
        btScalar share = dot(made.jacobian, lock.response) / lock.inverse_mass;
        made.jacobian = made.jacobian - lock.jacobian * share;
        made.response = made.response - lock.response * share;
        speed -= share * lock.aim * lock.inverse_mass;
    }
    made.inverse_mass = dot(made.jacobian, made.response);
    return whole > 0 && made.inverse_mass > whole * dependent;
}

void axes_joint::add_row(const row &made)
{
    if (rows.size() < rows.capacity())
        rows.push_back(made);
}

/* Adds a row that has to reach a speed, by an impulse within bounds. */
void axes_joint::add_stop(const direction &jacobian, btScalar speed, btScalar lowest, btScalar highest)
{
    row made = {};
    made.jacobian = jacobian;
    if (!complete(made, speed))
        return;
    made.aim = speed / made.inverse_mass;
    made.speed_share = 1 / made.inverse_mass;
    made.lowest = lowest;
    made.highest = highest;
    add_row(made);
}

void axes_joint::add_lock(const direction &jacobian, btScalar speed)
{
    int before = rows.size();
    add_stop(jacobian, speed, -BT_LARGE_FLOAT, BT_LARGE_FLOAT);
    lock_count += rows.size() - before;
}

/* Tests whether a row measures an angle, in radians. */
bool turns(const joint_row &measured)
{
    return measured.linear[0] == 0 && measured.linear[1] == 0 && measured.linear[2] == 0;
}

void axes_joint::add_hard(const joint_row &measured, btScalar dt)
{
    direction jacobian = along(measured.linear, measured.angular);
    btScalar fastest = turns(measured) ? fastest_angular : fastest_linear;
    if (is_lock(measured)) {
        add_lock(jacobian, within(-hard_erp / dt * (measured.value - measured.lower), fastest));
        return;
    }
    btScalar above = measured.value - measured.upper, below = measured.value - measured.lower;
    if (std::isfinite(measured.upper))
        add_stop(jacobian, above > 0 ? -btMin(hard_erp / dt * above, fastest) : -above / dt, -BT_LARGE_FLOAT,
                 0);
    if (std::isfinite(measured.lower))
        add_stop(jacobian, below < 0 ? btMin(-hard_erp / dt * below, fastest) : -below / dt, 0,
                 BT_LARGE_FLOAT);
}

/*
 * Computes the constant term of a spring. With damping towards a velocity, a spring rests where both are in
 * balance. Without a relevant stiffness it is a brake towards that velocity.
 */
btScalar aim_of(const joint_spring &spring, const gains &by, btScalar offset, btScalar velocity)
{
    if (by.stiffness > 1e-6f * by.damping)
        return -spring.position * (offset - by.damping / by.stiffness * velocity);
    return (spring.velocity + spring.before) * velocity - spring.position * offset;
}

void axes_joint::add_spring(const direction &jacobian, const gains &by, btScalar offset, btScalar velocity,
                            btScalar bound, btScalar dt)
{
    row made = {};
    made.jacobian = jacobian;
    btScalar lock_speed = 0;
    if (!complete(made, lock_speed))
        return;
    double mass = 1.0 / static_cast<double>(made.inverse_mass), gain = by.acceleration ? mass : 1.0;
    joint_spring spring =
        joint_spring_make(static_cast<double>(by.stiffness) * gain, static_cast<double>(by.damping) * gain,
                          static_cast<double>(made.inverse_mass), static_cast<double>(dt));
    made.aim = aim_of(spring, by, offset, velocity) + (spring.velocity + spring.before) * lock_speed -
               spring.before * dot(made.jacobian, begun);
    made.speed_share = spring.velocity;
    made.impulse_share = spring.share;
    made.lowest = -bound;
    made.highest = bound;
    add_row(made);
}

/* Adds the spring of a limit that the step may cross. It only pushes back, and does not brake before the
 * limit. */
void axes_joint::add_push(const direction &jacobian, const gains &by, btScalar offset, btScalar dt)
{
    row made = {};
    made.jacobian = jacobian;
    btScalar lock_speed = 0;
    if (!complete(made, lock_speed))
        return;
    btScalar share = dt * dt * by.stiffness, diagonal = share * made.inverse_mass + 1;
    made.aim = (share * lock_speed - dt * by.stiffness * offset) / diagonal;
    made.speed_share = share / diagonal;
    made.impulse_share = 1 / diagonal;
    made.lowest = offset < 0 ? -BT_LARGE_FLOAT : 0;
    made.highest = offset < 0 ? 0 : BT_LARGE_FLOAT;
    add_row(made);
}

/* Adds a soft limit: beyond it a damped spring in both directions, before it a row that keeps a step from
 * leading far beyond. */
void axes_joint::add_soft(const joint_row &measured, const mmd_phys_limit &limit, btScalar dt)
{
    const gains by = {limit.stiffness, limit.damping, false};
    direction jacobian = along(measured.linear, measured.angular);
    btScalar above = measured.value - measured.upper, below = measured.value - measured.lower;
    if (above > 0 || is_lock(measured)) {
        add_spring(jacobian, by, above, 0, BT_LARGE_FLOAT, dt);
    } else if (below < 0) {
        add_spring(jacobian, by, below, 0, BT_LARGE_FLOAT, dt);
    } else {
        if (std::isfinite(above))
            add_push(jacobian, by, above, dt);
        if (std::isfinite(below))
            add_push(jacobian, by, below, dt);
    }
}

void axes_joint::add_limit(const mmd_phys_limit &limit, const mmd_transform &t, bool locks, btScalar dt)
{
    joint_row measured[JOINT_LIMIT_ROWS];
    int count = joint_limit_rows(&limit, &t, twist, measured);
    for (int i = 0; i < count; i++) {
        bool lock = !limit.soft && is_lock(measured[i]);
        if (lock != locks)
            continue;
        if (limit.soft)
            add_soft(measured[i], limit, dt);
        else
            add_hard(measured[i], dt);
    }
}

void axes_joint::add_drive(const mmd_phys_drive &drive, const mmd_transform &t, btScalar dt)
{
    joint_drive_row driven[JOINT_DRIVE_ROWS];
    int count = joint_drive_rows(&drive, &t, twist, driven);
    btScalar bound = std::isfinite(drive.max_force) ? drive.max_force * dt : BT_LARGE_FLOAT;
    for (int i = 0; i < count; i++)
        add_spring(along(driven[i].linear, driven[i].angular),
                   {driven[i].stiffness, driven[i].damping, drive.acceleration}, driven[i].value,
                   driven[i].velocity, bound, dt);
}

/* Builds all rows: locks first, then soft limits and drives, then hard limits. */
void axes_joint::prepare(const btSolverBody &a, const btSolverBody &b, btScalar dt)
{
    const btVector3 none(0, 0, 0);
    begun = {a.m_originalBody ? a.m_linearVelocity : none, a.m_originalBody ? a.m_angularVelocity : none,
             b.m_originalBody ? b.m_linearVelocity : none, b.m_originalBody ? b.m_angularVelocity : none};
    mmd_transform t = relative();
    track(t);
    place_a = m_rbA.getCenterOfMassTransform() * frame_in_a;
    place_b = m_rbB.getCenterOfMassTransform() * frame_in_b;
    rows.resizeNoInitialize(0);
    lock_count = 0;
    for (int i = 0; i < limits.size(); i++)
        add_limit(limits[i], t, true, dt);
    for (uint32_t i = 0; i < joint.drive_count && i < most_of_either; i++)
        add_drive(scene.drives[joint.first_drive + i], t, dt);
    for (int i = 0; i < limits.size(); i++)
        add_limit(limits[i], t, false, dt);
    prepared = true;
}

/* ----------------------------------------------------------------- solve */

btScalar speed_along(const direction &jacobian, const btSolverBody &a, const btSolverBody &b)
{
    btScalar speed = 0;
    if (a.m_originalBody)
        speed +=
            jacobian.linear_a.dot(a.m_linearVelocity + a.m_externalForceImpulse + a.m_deltaLinearVelocity) +
            jacobian.angular_a.dot(a.m_angularVelocity + a.m_externalTorqueImpulse +
                                   a.m_deltaAngularVelocity);
    if (b.m_originalBody)
        speed +=
            jacobian.linear_b.dot(b.m_linearVelocity + b.m_externalForceImpulse + b.m_deltaLinearVelocity) +
            jacobian.angular_b.dot(b.m_angularVelocity + b.m_externalTorqueImpulse +
                                   b.m_deltaAngularVelocity);
    return speed;
}

void solve(row &solved, btSolverBody &a, btSolverBody &b)
{
    btScalar speed = speed_along(solved.jacobian, a, b);
    btScalar impulse =
        solved.impulse + solved.aim - solved.speed_share * speed - solved.impulse_share * solved.impulse;
    impulse = btMax(solved.lowest, btMin(solved.highest, impulse));
    btScalar added = impulse - solved.impulse;
    solved.impulse = impulse;
    if (a.m_originalBody) {
        a.m_deltaLinearVelocity += solved.response.linear_a * added;
        a.m_deltaAngularVelocity += solved.response.angular_a * added;
    }
    if (b.m_originalBody) {
        b.m_deltaLinearVelocity += solved.response.linear_b * added;
        b.m_deltaAngularVelocity += solved.response.angular_b * added;
    }
}

void axes_joint::solveConstraintObsolete(btSolverBody &a, btSolverBody &b, btScalar dt)
{
    if (!prepared)
        prepare(a, b, dt);
    for (int i = 0; i < rows.size(); i++)
        solve(rows[i], a, b);
}

} // namespace

btTypedConstraint *axes_joint_create(const mmd_physscene &scene, const mmd_phys_joint &joint, btRigidBody &a,
                                     btRigidBody &b, const btTransform &frame_in_a,
                                     const btTransform &frame_in_b)
{
    return new axes_joint(scene, joint, a, b, frame_in_a, frame_in_b);
}

size_t axes_joint_state_size(const mmd_phys_joint &)
{
    return sizeof(axes_joint::twist);
}

void axes_joint_save(const btTypedConstraint &constraint, void *state)
{
    const axes_joint &joint = static_cast<const axes_joint &>(constraint);
    std::memcpy(state, joint.twist, sizeof joint.twist);
}

void axes_joint_restore(btTypedConstraint &constraint, const void *state)
{
    axes_joint &joint = static_cast<axes_joint &>(constraint);
    std::memcpy(joint.twist, state, sizeof joint.twist);
}

void axes_joint_forget(btTypedConstraint &constraint)
{
    static_cast<axes_joint &>(constraint).forget();
}
