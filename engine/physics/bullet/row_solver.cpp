/* Solves rows of contacts and joints (row_solver.hpp). */
#include "row_solver.hpp"

#include <cassert>
#include <cstring>
#include <limits>
#include <type_traits>

static_assert(std::is_same<btSimdScalar, btScalar>::value && std::is_same<btScalar, float>::value,
              "Bullet without SIMD, whose sums have another order");

static inline row_vector to_row(const btVector3 &v)
{
    return row_vector{v.x(), v.y(), v.z(), 0};
}

static inline btVector3 to_bullet(const row_vector &v)
{
    return btVector3(v[0], v[1], v[2]);
}

/* ------------------------------------------------------------------- joints */

/* Returns the number of a body in m_tmpSolverBodyPool. */
inline int row_solver::body_of(btRigidBody &body, const btContactSolverInfo &info)
{
    int known = body.getCompanionId();
    return known >= 0 ? known : getOrInitSolverBody(body, info.m_timeStep);
}

namespace
{

/* What the rows of a joint share about one of its bodies. */
struct joint_body {
    joint_body(const btRigidBody &rigid, const btSolverBody &solver)
        : turn(rigid.getInvInertiaTensorWorld()), factor(rigid.getAngularFactor()),
          inverse_mass(rigid.getInvMass()),
          linear(rigid.getLinearVelocity() +
                 (solver.m_originalBody ? solver.m_externalForceImpulse : none())),
          angular(rigid.getAngularVelocity() +
                  (solver.m_originalBody ? solver.m_externalTorqueImpulse : none()))
    {
    }
    static btVector3 none() { return btVector3(0, 0, 0); }

    btMatrix3x3 turn;
    btVector3 factor;
    btScalar inverse_mass;
    btVector3 linear, angular; /* velocities with those of the forces of this step */
};

} // namespace

/* Fills in the rows of a joint, as Bullet's convertJoint. */
void row_solver::convert(btTypedConstraint &joint, btSolverConstraint *rows, int count,
                         const btContactSolverInfo &info)
{
    int number_a = body_of(joint.getRigidBodyA(), info), number_b = body_of(joint.getRigidBodyB(), info);
    int iterations = joint.getOverrideNumSolverIterations() > 0 ? joint.getOverrideNumSolverIterations()
                                                                : info.m_numIterations;
    m_maxOverrideNumSolverIterations = btMax(m_maxOverrideNumSolverIterations, iterations);
    std::memset(static_cast<void *>(rows), 0, static_cast<size_t>(count) * sizeof *rows);
    for (int i = 0; i < count; i++) {
        rows[i].m_lowerLimit = -SIMD_INFINITY;
        rows[i].m_upperLimit = SIMD_INFINITY;
        rows[i].m_solverBodyIdA = number_a;
        rows[i].m_solverBodyIdB = number_b;
        rows[i].m_overrideNumSolverIterations = iterations;
        rows[i].m_originalContactPoint = &joint;
    }
    rows->m_cfm = info.m_globalCfm;
    btTypedConstraint::btConstraintInfo2 asked;
    asked.fps = 1.f / info.m_timeStep;
    asked.erp = info.m_erp;
    asked.m_J1linearAxis = rows->m_contactNormal1;
    asked.m_J1angularAxis = rows->m_relpos1CrossNormal;
    asked.m_J2linearAxis = rows->m_contactNormal2;
    asked.m_J2angularAxis = rows->m_relpos2CrossNormal;
    asked.rowskip = sizeof(btSolverConstraint) / sizeof(btScalar);
    asked.m_constraintError = &rows->m_rhs;
    asked.cfm = &rows->m_cfm;
    asked.m_lowerLimit = &rows->m_lowerLimit;
    asked.m_upperLimit = &rows->m_upperLimit;
    asked.m_numIterations = info.m_numIterations;
    asked.m_damping = info.m_damping;
    joint.getInfo2(&asked);

    const joint_body a(joint.getRigidBodyA(), m_tmpSolverBodyPool[number_a]);
    const joint_body b(joint.getRigidBodyB(), m_tmpSolverBodyPool[number_b]);
    btScalar breaks = joint.getBreakingImpulseThreshold();
    for (int i = 0; i < count; i++) {
        btSolverConstraint &made = rows[i];
        if (made.m_upperLimit >= breaks)
            made.m_upperLimit = breaks;
        if (made.m_lowerLimit <= -breaks)
            made.m_lowerLimit = -breaks;
        btVector3 turned_a = a.turn * made.m_relpos1CrossNormal,
                  turned_b = b.turn * made.m_relpos2CrossNormal;
        made.m_angularComponentA = turned_a * a.factor;
        made.m_angularComponentB = turned_b * b.factor;
        btScalar sum = (made.m_contactNormal1 * a.inverse_mass).dot(made.m_contactNormal1);
        sum += turned_a.dot(made.m_relpos1CrossNormal);
        sum += (made.m_contactNormal2 * b.inverse_mass).dot(made.m_contactNormal2);
        sum += turned_b.dot(made.m_relpos2CrossNormal);
        made.m_jacDiagABInv = btFabs(sum) > SIMD_EPSILON ? 1.f / sum : 0.f;
        btScalar speed_a = made.m_contactNormal1.dot(a.linear) + made.m_relpos1CrossNormal.dot(a.angular);
        btScalar speed_b = made.m_contactNormal2.dot(b.linear) + made.m_relpos2CrossNormal.dot(b.angular);
        btScalar brake = 0.f - (speed_a + speed_b) * asked.m_damping;
        made.m_rhs = made.m_rhs * made.m_jacDiagABInv + brake * made.m_jacDiagABInv;
    }
}

void row_solver::convertJoints(btTypedConstraint **joints, int count, const btContactSolverInfo &info)
{
    if (bullets_loop_) {
        btSequentialImpulseConstraintSolver::convertJoints(joints, count, info);
        return;
    }
    int total = 0;
    m_tmpConstraintSizesPool.resizeNoInitialize(count);
    for (int i = 0; i < count; i++) {
        assert(!joints[i]->getJointFeedback());
        joints[i]->buildJacobian();
        joints[i]->internalSetAppliedImpulse(0);
        btTypedConstraint::btConstraintInfo1 &size = m_tmpConstraintSizesPool[i];
        size.m_numConstraintRows = size.nub = 0;
        if (joints[i]->isEnabled())
            joints[i]->getInfo1(&size);
        total += size.m_numConstraintRows;
    }
    m_tmpSolverNonContactConstraintPool.resizeNoInitialize(total);
    int at = 0;
    for (int i = 0; i < count; i++) {
        int rows = m_tmpConstraintSizesPool[i].m_numConstraintRows;
        if (rows)
            convert(*joints[i], &m_tmpSolverNonContactConstraintPool[at], rows, info);
        at += rows;
    }
}

/* ----------------------------------------------------------------- contacts */

/* A contact that is older than this many steps does not bounce in Bullet 2.75. */
static const int oldest_bounce = 2;

/*
 * Bullet 2.75 differs from Bullet 3 in two rules: old contacts do not bounce, and the distance between bodies
 * that do not touch yet is closed by the same share in a step as a penetration, not as a whole.
 */
void row_solver::convertContacts(btPersistentManifold **manifolds, int count, const btContactSolverInfo &info)
{
    for (int m = 0; contacts_like_mmd_ && m < count; m++)
        for (int i = 0; i < manifolds[m]->getNumContacts(); i++)
            if (manifolds[m]->getContactPoint(i).getLifeTime() > oldest_bounce)
                manifolds[m]->getContactPoint(i).m_combinedRestitution = 0;
    btSequentialImpulseConstraintSolver::convertContacts(manifolds, count, info);
    for (int i = 0; contacts_like_mmd_ && i < m_tmpSolverContactConstraintPool.size(); i++) {
        btSolverConstraint &made = m_tmpSolverContactConstraintPool[i];
        btScalar distance = static_cast<btManifoldPoint *>(made.m_originalContactPoint)->getDistance();
        if (distance > 0)
            made.m_rhs += distance * (1 - info.m_erp2) / info.m_timeStep * made.m_jacDiagABInv;
    }
}

/* ------------------------------------------------------------------- bodies */

/* Tests whether no factor scales the velocities of the bodies, which solve leaves out. */
bool row_solver::bodies_are_plain() const
{
    const btVector3 one(1, 1, 1);
    for (int i = 0; i < m_tmpSolverBodyPool.size(); i++) {
        const btSolverBody &body = m_tmpSolverBodyPool[i];
        if (body.m_angularFactor != one || (body.m_linearFactor != one && !body.m_invMass.isZero()))
            return false;
    }
    return true;
}

static bool can_move(const btSolverBody &body)
{
    if (!body.m_originalBody)
        return false;
    const btMatrix3x3 &turn = body.m_originalBody->getInvInertiaTensorWorld();
    return !body.m_invMass.isZero() || !turn[0].isZero() || !turn[1].isZero() || !turn[2].isZero();
}

void row_solver::read_bodies()
{
    int count = m_tmpSolverBodyPool.size();
    velocities_.resizeNoInitialize(count + 1);
    moves_.resizeNoInitialize(count);
    for (int i = 0; i < count; i++) {
        const btSolverBody &body = m_tmpSolverBodyPool[i];
        velocities_[i] = {to_row(body.m_deltaLinearVelocity), to_row(body.m_deltaAngularVelocity)};
        moves_[i] = can_move(body);
    }
    velocities_[count] = velocity();
}

/* --------------------------------------------------------------------- rows */

void row_solver::pack(const btConstraintArray &source, uint32_t from, row &to)
{
    const btSolverConstraint &s = source[static_cast<int>(from)];
    const btSolverBody &a = m_tmpSolverBodyPool[s.m_solverBodyIdA],
                       &b = m_tmpSolverBodyPool[s.m_solverBodyIdB];
    to.a = {to_row(s.m_contactNormal1), to_row(s.m_relpos1CrossNormal),
            to_row(s.m_contactNormal1) * to_row(a.m_invMass), to_row(s.m_angularComponentA)};
    to.b = {to_row(s.m_contactNormal2), to_row(s.m_relpos2CrossNormal),
            to_row(s.m_contactNormal2) * to_row(b.m_invMass), to_row(s.m_angularComponentB)};
    to.rhs = s.m_rhs;
    to.cfm = s.m_cfm;
    to.per_velocity = s.m_jacDiagABInv;
    to.lower = s.m_lowerLimit;
    to.upper = s.m_upperLimit;
    to.impulse = s.m_appliedImpulse;
    velocity &unused = velocities_[m_tmpSolverBodyPool.size()];
    to.read_a = &velocities_[s.m_solverBodyIdA];
    to.read_b = &velocities_[s.m_solverBodyIdB];
    to.write_a = moves_[s.m_solverBodyIdA] ? &velocities_[s.m_solverBodyIdA] : &unused;
    to.write_b = moves_[s.m_solverBodyIdB] ? &velocities_[s.m_solverBodyIdB] : &unused;
    to.source = from;
    to.normal = static_cast<uint32_t>(s.m_frictionIndex);
    to.friction = s.m_friction;
    to.per_impulse = 1.0 / static_cast<double>(s.m_jacDiagABInv);
}

/* Copies rows in the order of their levels. Joints' rows that only turn come last in their level; turning is
 * their key's lowest bit. */
void row_solver::sort(const btConstraintArray &source, bool is_joint, row_array &rows)
{
    int count = source.size(), bodies = m_tmpSolverBodyPool.size();
    uint32_t last = 0;
    rows.resizeNoInitialize(count);
    keys_.resizeNoInitialize(count);
    level_of_body_.resizeNoInitialize(0);
    level_of_body_.resize(bodies, 0);
    for (int i = 0; i < count; i++) {
        const btSolverConstraint &s = source[i];
        uint32_t &a = level_of_body_[s.m_solverBodyIdA], &b = level_of_body_[s.m_solverBodyIdB];
        uint32_t level = btMax(a, b);
        if (moves_[s.m_solverBodyIdA])
            a = level + 1;
        if (moves_[s.m_solverBodyIdB])
            b = level + 1;
        bool turns = is_joint && s.m_contactNormal1.isZero() && s.m_contactNormal2.isZero();
        keys_[i] = 2 * level + turns;
        last = btMax(last, keys_[i]);
    }
    first_of_key_.resizeNoInitialize(0);
    first_of_key_.resize(static_cast<int>(last) + 2, 0);
    for (int i = 0; i < count; i++)
        first_of_key_[static_cast<int>(keys_[i]) + 1]++;
    for (uint32_t k = 1; k <= last; k++)
        first_of_key_[static_cast<int>(k)] += first_of_key_[static_cast<int>(k) - 1];
    for (int i = 0; i < count; i++) {
        uint32_t place = first_of_key_[static_cast<int>(keys_[i])]++;
        pack(source, static_cast<uint32_t>(i), rows[static_cast<int>(place)]);
        rows[static_cast<int>(place)].turns_only = keys_[i] & 1;
    }
}

/*
 * Bullet stops when no row of an iteration changed anything. But a row of a joint between two bodies that do
 * not move makes it forget the changes of all rows before (0 times infinity is not a number, and a comparison
 * with it is false). ends_early_ is false if such a row is the last one, after which Bullet never stops.
 */
void row_solver::mark_unnoticed()
{
    const btConstraintArray &source = m_tmpSolverNonContactConstraintPool;
    int last = source.size() - 1;
    while (last >= 0 && source[last].m_jacDiagABInv != 0)
        last--;
    ends_early_ = last < 0 || last + 1 < source.size() || contacts_.size() > 0;
    for (int i = 0; last >= 0 && i < joints_.size(); i++)
        if (static_cast<int>(joints_[i].source) <= last)
            joints_[i].per_impulse = 0;
}

/* Removes the upper limit of contacts, which Bullet does not apply, and replaces Bullet's number of the
 * contact that a friction belongs to by its place. */
void row_solver::finish_contacts()
{
    place_.resizeNoInitialize(contacts_.size());
    for (int i = 0; i < contacts_.size(); i++) {
        contacts_[i].upper = std::numeric_limits<float>::infinity();
        place_[static_cast<int>(contacts_[i].source)] = static_cast<uint32_t>(i);
    }
    for (int i = 0; i < frictions_.size(); i++)
        frictions_[i].normal = place_[static_cast<int>(frictions_[i].normal)];
}

/* ------------------------------------------------------------------ solving */

/* Returns, in lane 0, the row's velocity at body A, and in lane 1 that at body B. Each scalar product is
 * (x + y) + z. */
static inline row_vector velocities_along(row_vector linear_a, row_vector linear_b, row_vector angular_a,
                                          row_vector angular_b)
{
    row_vector linear_xy = __builtin_shufflevector(linear_a, linear_b, 0, 4, 1, 5);
    row_vector angular_xy = __builtin_shufflevector(angular_a, angular_b, 0, 4, 1, 5);
    row_vector linear_z = __builtin_shufflevector(linear_a, linear_b, 2, 6, 3, 7);
    row_vector angular_z = __builtin_shufflevector(angular_a, angular_b, 2, 6, 3, 7);
    row_vector x = __builtin_shufflevector(linear_xy, angular_xy, 0, 1, 4, 5);
    row_vector y = __builtin_shufflevector(linear_xy, angular_xy, 2, 3, 6, 7);
    row_vector z = __builtin_shufflevector(linear_z, angular_z, 0, 1, 4, 5);
    row_vector products = x + y + z;
    return products + __builtin_shufflevector(products, products, 2, 3, 2, 3);
}

static inline row_vector splat(float number)
{
    return row_vector{number, number, number, number};
}

typedef int32_t row_mask __attribute__((vector_size(16)));

static inline row_vector choose(row_mask mask, row_vector yes, row_vector no)
{
    return reinterpret_cast<row_vector>((mask & reinterpret_cast<row_mask>(yes)) |
                                        (~mask & reinterpret_cast<row_mask>(no)));
}

/* Solves a row, as Bullet's gResolveSingleConstraintRowGeneric, and returns the square of its change. A row
 * that only turns adds nothing to linear velocities, and its products with them are 0. */
template <bool turns_only> inline float row_solver::solve(row &solved)
{
    const velocity &a = *solved.read_a, &b = *solved.read_b;
    row_vector along;
    if (turns_only) {
        row_vector product_a = solved.a.angular * a.angular, product_b = solved.b.angular * b.angular;
        row_vector xy = __builtin_shufflevector(product_a, product_b, 0, 4, 1, 5);
        row_vector z = __builtin_shufflevector(product_a, product_b, 2, 6, 3, 7);
        along = xy + __builtin_shufflevector(xy, xy, 2, 3, 2, 3) + z;
    } else {
        along = velocities_along(solved.a.linear * a.linear, solved.b.linear * b.linear,
                                 solved.a.angular * a.angular, solved.b.angular * b.angular);
    }
    row_vector braked = along * solved.per_velocity;
    /* All lanes are the same from here on. There is no branch, because it is hard to predict which limit is
     * reached. */
    row_vector before = splat(solved.impulse), lower = splat(solved.lower), upper = splat(solved.upper);
    row_vector free = splat(solved.rhs - solved.impulse * solved.cfm);
    free -= __builtin_shufflevector(braked, braked, 0, 0, 0, 0);
    free -= __builtin_shufflevector(braked, braked, 1, 1, 1, 1);
    row_vector after = before + free;
    row_mask below = after<lower, above = after> upper;
    row_vector limited = choose(below, lower, choose(above, upper, after));
    row_vector change = choose(below | above, limited - before, free);
    solved.impulse = limited[0];
    velocity &to_a = *solved.write_a;
    if (!turns_only)
        to_a.linear = a.linear + solved.a.linear_gain * change;
    to_a.angular = a.angular + solved.a.angular_gain * change;
    velocity &to_b = *solved.write_b; /* may be body A as well */
    if (!turns_only)
        to_b.linear = b.linear + solved.b.linear_gain * change;
    to_b.angular = b.angular + solved.b.angular_gain * change;
    float moved = static_cast<float>(static_cast<double>(change[0]) * solved.per_impulse);
    return moved * moved;
}

/* Solves all rows once and returns the largest square of a change that Bullet notices. */
float row_solver::solve_all()
{
    float most = 0;
    for (int i = 0; i < joints_.size(); i++) {
        row &solved = joints_[i];
        float moved = solved.turns_only ? solve<true>(solved) : solve<false>(solved);
        most = btMax(most, moved);
    }
    for (int i = 0; i < contacts_.size(); i++)
        most = btMax(most, solve<false>(contacts_[i]));
    for (int i = 0; i < frictions_.size(); i++) {
        row &solved = frictions_[i];
        float pressed = contacts_[static_cast<int>(solved.normal)].impulse;
        if (!(pressed > 0))
            continue;
        solved.lower = -(solved.friction * pressed);
        solved.upper = solved.friction * pressed;
        most = btMax(most, solve<false>(solved));
    }
    return most;
}

/* Tests the results of solving: once a number is not finite it stays so. In Bullet, an impulse that is not
 * finite also reaches bodies that never move. */
bool row_solver::results_are_finite() const
{
    row_vector zero = {};
    for (int i = 0; i < velocities_.size(); i++)
        zero += velocities_[i].linear * 0.0f + velocities_[i].angular * 0.0f;
    for (const row_array *rows : {&joints_, &contacts_, &frictions_})
        for (int i = 0; i < rows->size(); i++)
            zero[3] += (*rows)[i].impulse * 0.0f;
    return zero[0] + zero[1] + zero[2] + zero[3] == 0;
}

void row_solver::write_back()
{
    for (int i = 0; i < m_tmpSolverBodyPool.size(); i++) {
        if (!moves_[i])
            continue;
        m_tmpSolverBodyPool[i].m_deltaLinearVelocity = to_bullet(velocities_[i].linear);
        m_tmpSolverBodyPool[i].m_deltaAngularVelocity = to_bullet(velocities_[i].angular);
    }
    for (int i = 0; i < joints_.size(); i++)
        m_tmpSolverNonContactConstraintPool[static_cast<int>(joints_[i].source)].m_appliedImpulse =
            joints_[i].impulse;
    for (int i = 0; i < contacts_.size(); i++)
        m_tmpSolverContactConstraintPool[static_cast<int>(contacts_[i].source)].m_appliedImpulse =
            contacts_[i].impulse;
    for (int i = 0; i < frictions_.size(); i++)
        m_tmpSolverContactFrictionConstraintPool[static_cast<int>(frictions_[i].source)].m_appliedImpulse =
            frictions_[i].impulse;
}

/* Bullet's loop remains for what does not occur in a dance: rolling friction, joints that solve themselves,
 * and numbers that are not finite, whose bits depend on the order. Bullet's rows are changed only after
 * success. */
btScalar row_solver::solveGroupCacheFriendlyIterations(btCollisionObject **bodies, int body_count,
                                                       btPersistentManifold **manifolds, int manifold_count,
                                                       btTypedConstraint **joints, int joint_count,
                                                       const btContactSolverInfo &info, btIDebugDraw *draw)
{
    assert(info.m_solverMode == (SOLVER_USE_WARMSTARTING | SOLVER_SIMD));
    bool done = !bullets_loop_ && !joints_solve_themselves_ &&
                !m_tmpSolverContactRollingFrictionConstraintPool.size() &&
                m_maxOverrideNumSolverIterations <= info.m_numIterations && bodies_are_plain();
    if (done) {
        read_bodies();
        sort(m_tmpSolverNonContactConstraintPool, true, joints_);
        sort(m_tmpSolverContactConstraintPool, false, contacts_);
        sort(m_tmpSolverContactFrictionConstraintPool, false, frictions_);
        mark_unnoticed();
        finish_contacts();
        for (int i = 0; i < info.m_numIterations; i++)
            if (solve_all() <= info.m_leastSquaresResidualThreshold && ends_early_)
                break;
        done = results_are_finite();
    }
    if (!done)
        return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyIterations(
            bodies, body_count, manifolds, manifold_count, joints, joint_count, info, draw);
    groups_by_level_++;
    write_back();
    solveGroupCacheFriendlySplitImpulseIterations(bodies, body_count, manifolds, manifold_count, joints,
                                                  joint_count, info, draw);
    return 0;
}
