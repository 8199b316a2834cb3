/*
 * Inverse kinematics by cyclic coordinate descent, as MMD does it. See docs/mmd.md 4.5 and choice 3; the
 * structure agrees with dumps of MMD 9.32 on legs and arms.
 *
 * The goal is the IK bone. Links rotate, from the effector outward, until the effector (called "target" in
 * PMX) reaches the goal. A link's rotation is q_ik * base, where base combines motion, morphs, edits and
 * append.
 */
#include <assert.h>
#include <string.h>

#include "pose_internal.h"

/* Smaller rotations (in radians; a thousandth of a degree) are skipped: docs/mmd.md choice 3. */
#define IK_STEP_MIN (1e-3f * POSE_PI / 180.0f)

/* One visit of a link: positions of effector and goal in the link's axes. */
typedef struct ik_step {
    const ik_solver *solver;
    const chain_link *link;
    uint32_t index, loop;
    float effector[3], goal[3];
    float lengths; /* product of their lengths, > 0 */
} ik_step;

/* -------------------------------------------------------------------- rotations of a link */

/* Rotations of a link towards the goal or about an axis, and converting a rotation to q_ik. */

/* Convert a rotation from the link's limit axes to the bone's axes, F q F^-1, and back. */
static void from_frame(const chain_link *link, float q[4])
{
    float inverse[4];
    if (!link->has_frame)
        return;
    quat_conjugate(link->frame, inverse);
    quat_multiply(link->frame, q, q);
    quat_multiply(q, inverse, q);
}

static void to_frame(const chain_link *link, float q[4])
{
    float inverse[4];
    if (!link->has_frame)
        return;
    quat_conjugate(link->frame, inverse);
    quat_multiply(inverse, q, q);
    quat_multiply(q, link->frame, q);
}

/* Get the complete rotation of a link in its limit axes, and set it: q_ik = rotation * base^-1. */
static void ik_rotation(const mmd_pose *pose, const chain_link *link, float out[4])
{
    assert(pose && link);
    quat_copy(pose->state[link->bone].local, out);
    to_frame(link, out);
}

static void ik_set_rotation(mmd_pose *pose, const chain_link *link, const float rotation[4])
{
    assert(pose && link);
    bone_state *state = &pose->state[link->bone];
    float inverse[4], turned[4];
    quat_copy(rotation, turned);
    from_frame(link, turned);
    quat_conjugate(state->base, inverse);
    quat_multiply(turned, inverse, state->ik);
    quat_copy(turned, state->local);
}

/*
 * Computes the rotation from e towards g, whose lengths have the given product: the full angle, (e x g,
 * |e||g| + e.g) normalised, or the link's step limit about the common normal. Returns false if it is too
 * small to matter.
 */
static bool ik_turn_between(const chain_link *link, const float e[3], const float g[3], float lengths,
                            float delta[4])
{
    assert(link);
    float normal[3];
    cross3(e, g, normal);
    float square = dot3(normal, normal), dot = dot3(e, g);
    float least = IK_STEP_MIN * lengths;
    if (!(square > least * least))
        return false;
    float w, scale;
    if (dot >= link->limit_cos * lengths) {
        w = lengths + dot;
        scale = 1.0f / sqrtf(square + w * w);
        w *= scale;
    } else {
        w = link->half_cos;
        scale = link->half_sin / sqrtf(square);
    }
    quat_set(normal[0] * scale, normal[1] * scale, normal[2] * scale, w, delta);
    return true;
}

/* Compute the same rotation in the link's axes, and the rotation about a given axis by the signed angle
 * between the projections. */
static bool ik_free_turn(const ik_step *step, float delta[4])
{
    assert(step);
    return ik_turn_between(step->link, step->effector, step->goal, step->lengths, delta);
}

static bool ik_axis_turn(const ik_step *step, const float axis[3], float delta[4])
{
    assert(step);
    float normal[3];
    cross3(step->effector, step->goal, normal);
    float along = dot3(axis, step->effector) * dot3(axis, step->goal);
    float angle = mmd_atan2f(dot3(axis, normal), dot3(step->effector, step->goal) - along);
    if (fabsf(angle) < IK_STEP_MIN)
        return false;
    quat_axis_angle(axis, clampf(angle, -step->link->limit, step->link->limit), delta);
    return true;
}

/*
 * Rotate a link without limits, and one with the reflecting variant. They return false if it did not rotate.
 */
static bool ik_turn_unlimited(mmd_pose *pose, const ik_step *step)
{
    assert(pose && step);
    float delta[4], rotation[4];
    bool turns = step->link->kind == LINK_FIXED_AXIS ? ik_axis_turn(step, step->link->fixed_axis, delta)
                                                     : ik_free_turn(step, delta);
    if (!turns)
        return false;
    ik_rotation(pose, step->link, rotation);
    quat_multiply(rotation, delta, rotation);
    quat_tighten(rotation);
    ik_set_rotation(pose, step->link, rotation);
    return true;
}

/* ---------------------------------------------------------- the reflecting variant */

/* The other IK variant of docs/mmd.md 4.5, structured like babylon-mmd: Euler angles in an order that suits
 * the limits, reflected at the limits in the first half of the iterations and clamped in the second. */

static float reflect(float angle, float low, float high, bool first_half)
{
    if (angle < low) {
        float mirrored = 2.0f * low - angle;
        return first_half && mirrored <= high ? mirrored : low;
    }
    if (angle > high) {
        float mirrored = 2.0f * high - angle;
        return first_half && mirrored >= low ? mirrored : high;
    }
    return angle;
}

/* Chooses the Euler order from the limits: R = R_first R_middle R_last, where the middle angle stays within a
 * quarter turn. The result lists the axes (first, middle, last). */
static void euler_order(const chain_link *link, int order[3])
{
    static const int orders[3][3] = {{1, 0, 2}, {2, 1, 0}, {0, 2, 1}};
    const float quarter = 0.5f * POSE_PI;
    int choice = 2;
    if (link->lower[0] > -quarter && link->upper[0] < quarter)
        choice = 0;
    else if (link->lower[1] > -quarter && link->upper[1] < quarter)
        choice = 1;
    memcpy(order, orders[choice], sizeof orders[choice]);
}

static void reflect_limits(const chain_link *link, bool first_half, float rotation[4])
{
    int order[3];
    euler_order(link, order);
    int i = order[0], j = order[1], k = order[2];
    float parity = (j - i + 3) % 3 == 1 ? 1.0f : -1.0f; /* 1 for an even permutation of (x, y, z) */
    float m[3][3];
    quat_axes(rotation, m);
    float held = 88.0f * POSE_PI / 180.0f;
    float angle[3];
    angle[j] = clampf(mmd_asinf(clampf(parity * m[k][i], -1.0f, 1.0f)), -held, held);
    angle[i] = mmd_atan2f(-parity * m[k][j], m[k][k]);
    angle[k] = mmd_atan2f(-parity * m[j][i], m[i][i]);
    float out[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    for (int n = 0; n < 3; n++) {
        int axis = order[n];
        float a = reflect(angle[axis], link->lower[axis], link->upper[axis], first_half);
        float turn[4] = {0.0f};
        mmd_sincosf(0.5f * a, &turn[axis], &turn[3]);
        quat_multiply(out, turn, out);
    }
    quat_copy(out, rotation);
}

static bool ik_turn_reflected(mmd_pose *pose, const ik_step *step)
{
    assert(pose && step);
    const chain_link *link = step->link;
    if (link->kind == LINK_FREE || link->kind == LINK_FIXED_AXIS)
        return ik_turn_unlimited(pose, step);
    bool first_half = step->loop < step->solver->loops / 2;
    float delta[4], rotation[4], axis[3] = {0.0f, 0.0f, 0.0f};
    axis[link->axis] = 1.0f;
    bool restricted = first_half && link->kind == LINK_ONE_AXIS;
    if (!(restricted ? ik_axis_turn(step, axis, delta) : ik_free_turn(step, delta)))
        return false;
    ik_rotation(pose, step->link, rotation);
    quat_multiply(rotation, delta, rotation);
    reflect_limits(link, first_half, rotation);
    ik_set_rotation(pose, step->link, rotation);
    return true;
}

/* --------------------------------------------------------------- the solver */

static const float distance_done = 1e-4f;

/* ---- the default variant: links with one axis by angle, with several by Euler angles ---- */

/* In the first iteration, mirrors an angle outside the limits if that brings it closer to them. This bends a
 * straight knee. */
static float mirror_into_limits(const chain_link *link, float angle)
{
    float low = link->lower[link->axis], high = link->upper[link->axis];
    if (angle >= low && angle <= high)
        return angle;
    if (-angle > low && -angle < high)
        return -angle;
    float middle = 0.5f * (low + high);
    return fabsf(middle - angle) > fabsf(middle + angle) ? -angle : angle;
}

/*
 * Solves a link with one axis. Its angle changes by the full angle between effector and goal, in the
 * direction that brings them nearer, within step and limits. The rotation becomes exactly that angle,
 * whatever the pose had before.
 */
static bool solve_one_axis(mmd_pose *pose, const ik_step *step)
{
    const chain_link *link = step->link;
    int axis = link->axis;
    float goal[3];
    memcpy(goal, step->goal, sizeof goal);
    bool one_sided = link->upper[axis] <= 0.0f || link->lower[axis] >= 0.0f;
    if (step->loop == 0 && axis == 0 && one_sided) {
        float base[4];
        ik_rotation(pose, link, base);
        quat_rotate(base, goal, goal); /* the angle counts from rest, but the pose starts at base */
    }
    float turn = mmd_acosf(clampf(dot3(step->effector, goal) / step->lengths, -1.0f, 1.0f));
    if (turn < IK_STEP_MIN)
        return false;
    turn = turn < link->limit ? turn : link->limit;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (step->effector[u] * goal[v] < step->effector[v] * goal[u])
        turn = -turn;
    float *angle = &pose->angles[step->index][axis];
    float wanted = *angle + turn;
    if (step->loop == 0)
        wanted = mirror_into_limits(link, wanted);
    *angle = clampf(wanted, link->lower[axis], link->upper[axis]);
    float rotation[4], sine, cosine;
    mmd_sincosf(0.5f * *angle, &sine, &cosine);
    quat_set(axis == 0 ? sine : 0.0f, axis == 1 ? sine : 0.0f, axis == 2 ? sine : 0.0f, cosine, rotation);
    ik_set_rotation(pose, link, rotation);
    return true;
}

/* Computes Euler angles for q = Rx Ry Rz: within half a turn, the middle one within a quarter. */
static void euler_xyz(const float q[4], float out[3])
{
    float x = q[0], y = q[1], z = q[2], w = q[3];
    float sine = clampf(2.0f * (x * z + w * y), -1.0f, 1.0f);
    out[1] = mmd_asinf(sine);
    if (fabsf(sine) > 0.999999f) {
        out[0] = 2.0f * mmd_atan2f(x, w);
        out[2] = 0.0f;
        return;
    }
    out[0] = mmd_atan2f(2.0f * (w * x - y * z), 1.0f - 2.0f * (x * x + y * y));
    out[2] = mmd_atan2f(2.0f * (w * z - x * y), 1.0f - 2.0f * (y * y + z * z));
}

/* Rotates v by an angle about a coordinate axis. */
static void turn_about(int axis, float angle, float v[3])
{
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    float sine, cosine, old = v[a];
    mmd_sincosf(angle, &sine, &cosine);
    v[a] = cosine * old - sine * v[b];
    v[b] = sine * old + cosine * v[b];
}

/*
 * Solves a link with limits on several axes. It is treated as three hinges, R = Rx Ry Rz, which are visited
 * from the innermost (z) outward. Each rotates by the angle between the projections of effector and goal onto
 * its plane, within limit and step.
 */
static bool solve_limited(mmd_pose *pose, const ik_step *step)
{
    const chain_link *link = step->link;
    float *angle = pose->angles[step->index];
    float rotation[4], effector[3], goal[3];
    ik_rotation(pose, link, rotation);
    if (step->loop == 0)
        euler_xyz(rotation, angle);
    memcpy(effector, step->effector, sizeof effector);
    quat_rotate(rotation, step->goal, goal);
    float before[3] = {angle[0], angle[1], angle[2]};
    for (int axis = 2; axis >= 0; axis--) {
        float target[3] = {goal[0], goal[1], goal[2]};
        for (int outer = 0; outer < axis; outer++)
            turn_about(outer, -before[outer], target);
        turn_about(axis, angle[axis], effector);
        int a = (axis + 1) % 3, b = (axis + 2) % 3;
        float turn = mmd_atan2f(effector[a] * target[b] - effector[b] * target[a],
                                effector[a] * target[a] + effector[b] * target[b]);
        float wanted = angle[axis] + clampf(turn, -link->limit, link->limit);
        wanted = clampf(wanted, link->lower[axis], link->upper[axis]);
        turn_about(axis, wanted - angle[axis], effector);
        angle[axis] = wanted;
    }
    float turn[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    quat_identity(rotation);
    for (int axis = 0; axis < 3; axis++) {
        turn[0] = turn[1] = turn[2] = 0.0f;
        mmd_sincosf(0.5f * angle[axis], &turn[axis], &turn[3]);
        quat_multiply(rotation, turn, rotation);
    }
    ik_set_rotation(pose, link, rotation);
    return true;
}

/* ---- iterations ---- */

static void update_path(mmd_pose *pose, const ik_solver *solver, uint32_t first)
{
    for (uint32_t i = first; i < solver->path_count; i++)
        pose_update_world(pose, solver->path[i]);
}

/* Rotates one link towards the goal. effector is the current position. Returns false if it did not rotate. */
static bool visit_link(mmd_pose *pose, ik_step *step, const float effector[4])
{
    const chain_link *link = step->link;
    if (link->kind == LINK_LOCKED)
        return false;
    const mmd_transform *world = &pose->world[link->bone];
    float inverse[4];
    if (link->has_frame)
        quat_multiply(world->rotation, link->frame, inverse);
    else
        quat_copy(world->rotation, inverse);
    quat_conjugate(inverse, inverse);
    const float *origin = world->translation, *goal = pose->world[step->solver->goal].translation;
    float to_effector[3], to_goal[3];
    for (int k = 0; k < 3; k++) {
        to_effector[k] = effector[k] - origin[k];
        to_goal[k] = goal[k] - origin[k];
    }
    step->lengths = sqrtf(dot3(to_effector, to_effector) * dot3(to_goal, to_goal));
    if (!(step->lengths > 1e-12f))
        return false;
    quat_rotate(inverse, to_effector, step->effector);
    quat_rotate(inverse, to_goal, step->goal);
    if (pose->options.ik == MMD_IK_REFLECT)
        return ik_turn_reflected(pose, step);
    switch (link->kind) {
    case LINK_ONE_AXIS:
        return solve_one_axis(pose, step);
    case LINK_LIMITED:
        return solve_limited(pose, step);
    default:
        return ik_turn_unlimited(pose, step);
    }
}

/* Rotates a link without limits in world space, which gives the same rotation as in its own axes without
 * converting back and forth. Updates effector. Returns false if it did not rotate. */
static bool turn_free_link(mmd_pose *pose, const ik_solver *solver, const chain_link *link, float effector[4])
{
    const bone_info *info = &pose->info[link->bone];
    mmd_transform *world = &pose->world[link->bone];
    const float *goal = pose->world[solver->goal].translation;
    float to_effector[4], to_goal[4], delta[4];
    for (int k = 0; k < 4; k++) {
        to_effector[k] = effector[k] - world->translation[k];
        to_goal[k] = goal[k] - world->translation[k];
    }
    float lengths = sqrtf(dot3(to_effector, to_effector) * dot3(to_goal, to_goal));
    if (!(lengths > 1e-12f) || !ik_turn_between(link, to_effector, to_goal, lengths, delta))
        return false;
    quat_rotate_add(delta, to_effector, world->translation, effector);
    quat_multiply(delta, world->rotation, world->rotation);
    quat_tighten(world->rotation);
    bone_state *state = &pose->state[link->bone];
    float inverse[4];
    if (info->parent >= 0) {
        quat_conjugate(pose->world[info->parent].rotation, inverse);
        quat_multiply(inverse, world->rotation, state->local);
    } else {
        quat_copy(world->rotation, state->local);
    }
    quat_conjugate(state->base, inverse);
    quat_multiply(state->local, inverse, state->ik);
    return true;
}

/* Makes one pass over links that are each an ancestor of the one before. Rotating one does not move those
 * still to come, so only the effector has to be updated, and the chain once at the end. */
static void loop_ordered(mmd_pose *pose, const ik_solver *solver, uint32_t loop)
{
    float effector[4];
    quat_copy(pose->world[solver->target].translation, effector);
    uint32_t first = solver->path_count;
    for (uint32_t j = 0; j < solver->link_count; j++) {
        const chain_link *link = &solver->links[j];
        const bone_info *info = &pose->info[link->bone];
        if (link->kind == LINK_FREE && !info->has_external && !info->parent_later) {
            if (turn_free_link(pose, solver, link, effector))
                first = link->path_first;
            continue;
        }
        ik_step step = {.solver = solver, .link = link, .index = j, .loop = loop};
        if (!visit_link(pose, &step, effector))
            continue;
        first = link->path_first;
        mmd_transform *world = &pose->world[step.link->bone];
        float turn[4], relative[4];
        quat_conjugate(world->rotation, turn);
        pose_update_world(pose, step.link->bone);
        quat_multiply(world->rotation, turn, turn); /* accumulated rotation in world space */
        for (int k = 0; k < 4; k++)
            relative[k] = effector[k] - world->translation[k];
        quat_rotate_add(turn, relative, world->translation, effector);
    }
    update_path(pose, solver, first + 1); /* the outermost link that rotated is up to date */
}

/* Makes one pass over links in any order. Everything below a link is updated at once. */
static void loop_any(mmd_pose *pose, const ik_solver *solver, uint32_t loop)
{
    for (uint32_t j = 0; j < solver->link_count; j++) {
        ik_step step = {.solver = solver, .link = &solver->links[j], .index = j, .loop = loop};
        if (visit_link(pose, &step, pose->world[solver->target].translation))
            update_path(pose, solver, step.link->path_first);
    }
}

static float goal_distance(const mmd_pose *pose, const ik_solver *solver)
{
    const float *a = pose->world[solver->target].translation, *b = pose->world[solver->goal].translation;
    float d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrtf(dot3(d, d));
}

static void set_link_ik(mmd_pose *pose, const chain_link *link, const float ik[4])
{
    bone_state *state = &pose->state[link->bone];
    quat_copy(ik, state->ik);
    quat_multiply(ik, state->base, state->local);
}

static void begin_solver(mmd_pose *pose, const ik_solver *solver)
{
    static const float identity[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    bool turned = solver->path_late; /* or by another solver with the same link */
    for (uint32_t j = 0; j < solver->link_count; j++) {
        turned |= memcmp(pose->state[solver->links[j].bone].ik, identity, sizeof identity) != 0;
        set_link_ik(pose, &solver->links[j], identity);
        quat_identity(pose->best[j]);
        memset(pose->angles[j], 0, sizeof pose->angles[j]);
    }
    if (turned)
        update_path(pose, solver, 0);
}

/* Stores the links' rotations of the best pass, or restores them. */
static void keep_best(mmd_pose *pose, const ik_solver *solver)
{
    for (uint32_t j = 0; j < solver->link_count; j++)
        quat_copy(pose->state[solver->links[j].bone].ik, pose->best[j]);
}

static void restore_best(mmd_pose *pose, const ik_solver *solver)
{
    for (uint32_t j = 0; j < solver->link_count; j++)
        set_link_ik(pose, &solver->links[j], pose->best[j]);
    update_path(pose, solver, 0);
}

void pose_ik_solve(mmd_pose *pose, const ik_solver *solver)
{
    assert(pose && solver);
    begin_solver(pose, solver);
    float best = goal_distance(pose, solver);
    for (uint32_t loop = 0; loop < solver->loops && best > distance_done; loop++) {
        (solver->ordered ? loop_ordered : loop_any)(pose, solver, loop);
        float distance = goal_distance(pose, solver);
        if (pose->options.ik == MMD_IK_MMD && !(distance < best)) {
            restore_best(pose, solver);
            break;
        }
        best = distance;
        keep_best(pose, solver);
    }
}
