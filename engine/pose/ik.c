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

/* A solver at work. */
typedef struct ik_run {
    const ik_solver *solver;
    link_run *links;               /* one for each link of the solver */
    const float *goal_at, *tip_at; /* world positions of the goal and of the effector's bone */
    bool plain;    /* the chain is ordered and joined to its parents' current transforms, without external
                      parents, scale and bones that physics moved */
    uint32_t pass; /* number of passes made */
    uint32_t outermost; /* index in the path of the last link that rotated in this pass; path_count: none */
    float distance;     /* from effector to goal after the pass before */
    float tip[4];       /* position of the effector during a pass over ordered links */

    /* The visit of a link. */
    const chain_link *link;
    link_run *state;
    bool rotates;
    float effector[4], goal[4]; /* directions from the link, in its axes, or in world space (in_world) */
    float lengths;              /* product of their lengths, > 0 */
    float delta[4];             /* rotation in world space, of links that rotate there */
} ik_run;

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

/* Get the complete rotation of a link in its limit axes, and set it. q_ik follows at the end of the run. */
static void ik_rotation(const mmd_pose *pose, const chain_link *link, float out[4])
{
    assert(pose && link);
    quat_copy(pose->state[link->bone].local, out);
    to_frame(link, out);
}

static void ik_set_rotation(mmd_pose *pose, const chain_link *link, const float rotation[4])
{
    assert(pose && link);
    float turned[4];
    quat_copy(rotation, turned);
    from_frame(link, turned);
    quat_copy(turned, pose->state[link->bone].local);
}

/*
 * Computes the rotation from e towards g, whose lengths have the given product: the full angle, (e x g,
 * |e||g| + e.g) normalised, or the link's step limit about the common normal. Returns false if it is too
 * small to matter.
 */
static inline bool ik_turn_between(const chain_link *link, const float e[3], const float g[3], float lengths,
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
static bool ik_free_turn(const ik_run *run, float delta[4])
{
    assert(run);
    return ik_turn_between(run->link, run->effector, run->goal, run->lengths, delta);
}

static bool ik_axis_turn(const ik_run *run, const float axis[3], float delta[4])
{
    assert(run);
    float normal[3];
    cross3(run->effector, run->goal, normal);
    float along = dot3(axis, run->effector) * dot3(axis, run->goal);
    float angle = mmd_atan2f(dot3(axis, normal), dot3(run->effector, run->goal) - along);
    if (fabsf(angle) < IK_STEP_MIN)
        return false;
    quat_axis_angle(axis, clampf(angle, -run->link->limit, run->link->limit), delta);
    return true;
}

/*
 * Rotate a link without limits, and one with the reflecting variant. They return false if it did not rotate.
 */
static bool ik_turn_unlimited(mmd_pose *pose, const ik_run *run)
{
    assert(pose && run);
    float delta[4], rotation[4];
    bool turns = run->link->kind == LINK_FIXED_AXIS ? ik_axis_turn(run, run->link->fixed_axis, delta)
                                                    : ik_free_turn(run, delta);
    if (!turns)
        return false;
    ik_rotation(pose, run->link, rotation);
    quat_multiply(rotation, delta, rotation);
    quat_tighten(rotation);
    ik_set_rotation(pose, run->link, rotation);
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

static bool ik_turn_reflected(mmd_pose *pose, const ik_run *run)
{
    assert(pose && run);
    const chain_link *link = run->link;
    if (link->kind == LINK_FREE || link->kind == LINK_FIXED_AXIS)
        return ik_turn_unlimited(pose, run);
    bool first_half = run->pass < run->solver->loops / 2;
    float delta[4], rotation[4], axis[3] = {0.0f, 0.0f, 0.0f};
    axis[link->axis] = 1.0f;
    bool restricted = first_half && link->kind == LINK_ONE_AXIS;
    if (!(restricted ? ik_axis_turn(run, axis, delta) : ik_free_turn(run, delta)))
        return false;
    ik_rotation(pose, run->link, rotation);
    quat_multiply(rotation, delta, rotation);
    reflect_limits(link, first_half, rotation);
    ik_set_rotation(pose, run->link, rotation);
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
static bool solve_one_axis(mmd_pose *pose, const ik_run *run)
{
    const chain_link *link = run->link;
    int axis = link->axis;
    float goal[3];
    memcpy(goal, run->goal, sizeof goal);
    bool one_sided = link->upper[axis] <= 0.0f || link->lower[axis] >= 0.0f;
    if (run->pass == 0 && axis == 0 && one_sided) {
        float base[4];
        ik_rotation(pose, link, base);
        quat_rotate(base, goal, goal); /* the angle counts from rest, but the pose starts at base */
    }
    float turn = mmd_acosf(clampf(dot3(run->effector, goal) / run->lengths, -1.0f, 1.0f));
    if (turn < IK_STEP_MIN)
        return false;
    turn = turn < link->limit ? turn : link->limit;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (run->effector[u] * goal[v] < run->effector[v] * goal[u])
        turn = -turn;
    float *angle = &run->state->angles[axis];
    float wanted = *angle + turn;
    if (run->pass == 0)
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
static bool solve_limited(mmd_pose *pose, const ik_run *run)
{
    const chain_link *link = run->link;
    float *angle = run->state->angles;
    float rotation[4], effector[3], goal[3];
    ik_rotation(pose, link, rotation);
    if (run->pass == 0)
        euler_xyz(rotation, angle);
    memcpy(effector, run->effector, sizeof effector);
    quat_rotate(rotation, run->goal, goal);
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

/* ---- the visit of a link, in steps ---- */

static void update_path(mmd_pose *pose, const ik_solver *solver, uint32_t first)
{
    for (uint32_t i = first; i < solver->path_count; i++)
        pose_update_world(pose, solver->path[i]);
}

/* Begins the visit of a link: computes the directions of effector and goal, and for links that rotate in
 * world space the rotation. */
static void aim_link(ik_run *run, uint32_t index)
{
    link_run *state = &run->links[index];
    const float *effector = run->solver->ordered ? run->tip : run->tip_at;
    float to_effector[4], to_goal[4];
    run->link = &run->solver->links[index];
    run->state = state;
    for (int k = 0; k < 4; k++) {
        to_effector[k] = effector[k] - state->world->translation[k];
        to_goal[k] = run->goal_at[k] - state->world->translation[k];
    }
    run->lengths = sqrtf(dot3(to_effector, to_effector) * dot3(to_goal, to_goal));
    run->rotates = run->link->kind != LINK_LOCKED && run->lengths > 1e-12f;
    if (state->in_world) {
        quat_copy(to_effector, run->effector);
        run->rotates =
            run->rotates && ik_turn_between(run->link, to_effector, to_goal, run->lengths, run->delta);
        return;
    }
    float inverse[4];
    if (run->link->has_frame)
        quat_multiply(state->world->rotation, run->link->frame, inverse);
    else
        quat_copy(state->world->rotation, inverse);
    quat_conjugate(inverse, inverse);
    quat_rotate_four(inverse, to_effector, run->effector);
    quat_rotate_four(inverse, to_goal, run->goal);
}

/* Rotates a link that does so in its own axes towards the goal. */
static void turn_link(mmd_pose *pose, ik_run *run)
{
    const chain_link *link = run->link;
    if (pose->options.ik == MMD_IK_REFLECT)
        run->rotates = ik_turn_reflected(pose, run);
    else if (link->kind == LINK_ONE_AXIS)
        run->rotates = solve_one_axis(pose, run);
    else if (link->kind == LINK_LIMITED)
        run->rotates = solve_limited(pose, run);
    else
        run->rotates = ik_turn_unlimited(pose, run);
}

/* Moves the effector with a link that rotated. Rotating a link of an ordered chain does not move those still
 * to come, so only the effector has to follow, and the chain once at the end of the pass. */
static void move_effector(mmd_pose *pose, ik_run *run)
{
    link_run *state = run->state;
    mmd_transform *world = state->world;
    float turn[4], relative[4], rotation[4];
    run->outermost = run->link->path_first;
    link_run *first = &run->links[run->link->first];
    if (first->turned_in > run->pass)
        first->turned_in = run->pass;
    if (state->in_world) {
        quat_rotate_add(run->delta, run->effector, world->translation, run->tip);
        quat_multiply(run->delta, world->rotation, rotation);
        quat_tighten(rotation);
        quat_copy(rotation, world->rotation);
        if (state->parent) {
            quat_conjugate(state->parent->rotation, turn);
            quat_multiply(turn, rotation, rotation);
        }
        quat_copy(rotation, state->bone->local);
        return;
    }
    if (!run->solver->ordered) {
        update_path(pose, run->solver, run->link->path_first);
        return;
    }
    quat_conjugate(world->rotation, turn);
    if (run->plain && state->parent)
        quat_multiply(state->parent->rotation, state->bone->local, world->rotation);
    else
        pose_update_world(pose, run->link->bone);
    quat_multiply(world->rotation, turn, turn); /* accumulated rotation in world space */
    for (int k = 0; k < 4; k++)
        relative[k] = run->tip[k] - world->translation[k];
    quat_rotate_add(turn, relative, world->translation, run->tip);
}

/* Updates the path below the outermost link that rotated, except for the rotation of the effector's bone in
 * plain chains, which no pass reads. */
static void follow(mmd_pose *pose, const ik_run *run)
{
    const ik_solver *solver = run->solver;
    if (!run->plain) {
        update_path(pose, solver, run->outermost + 1);
        return;
    }
    if (run->outermost == solver->path_count)
        return;
    const mmd_transform *parent = &pose->world[solver->path[run->outermost]];
    for (uint32_t i = run->outermost + 1; i < solver->path_count; i++) {
        uint32_t bone = solver->path[i];
        const bone_state *state = &pose->state[bone];
        mmd_transform *world = &pose->world[bone];
        quat_rotate_add(parent->rotation, state->offset, parent->translation, world->translation);
        if (i + 1 < solver->path_count)
            quat_multiply(parent->rotation, state->local, world->rotation);
        parent = world;
    }
}

/* ---- runs ---- */

/* Begins a pass. Returns false if the goal is reached or all passes are made. */
static bool begin_pass(ik_run *run)
{
    const ik_solver *solver = run->solver;
    run->outermost = solver->path_count;
    quat_copy(run->tip_at, run->tip);
    return run->pass < solver->loops && run->distance > distance_done;
}

static float goal_distance(const ik_run *run)
{
    const float *a = run->tip_at, *b = run->goal_at;
    float d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrtf(dot3(d, d));
}

static void set_link_ik(mmd_pose *pose, const chain_link *link, const float ik[4])
{
    bone_state *state = &pose->state[link->bone];
    quat_copy(ik, state->ik);
    quat_multiply(ik, state->base, state->local);
}

/* Computes q_ik = local * base^-1. */
static void ik_of_local(const float local[4], const float base[4], float ik[4])
{
    float inverse[4];
    quat_conjugate(base, inverse);
    quat_multiply(local, inverse, ik);
}

/* Begins a run: undoes IK of earlier solvers. links: memory for the solver's links. */
static void begin_run(mmd_pose *pose, const ik_solver *solver, link_run *links, ik_run *run)
{
    static const float identity[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    bool turned = solver->path_late; /* or by another solver with the same link */
    for (uint32_t j = 0; j < solver->link_count; j++) {
        const chain_link *link = &solver->links[j];
        const bone_info *info = &pose->info[link->bone];
        const mmd_transform *worlds = info->parent_later ? pose->previous_world : pose->world;
        turned |= memcmp(pose->state[link->bone].ik, identity, sizeof identity) != 0;
        set_link_ik(pose, link, identity);
        links[j] = (link_run){.turned_in = UINT32_MAX,
                              .in_world = solver->ordered && link->kind == LINK_FREE && !info->has_external &&
                                          !info->parent_later,
                              .bone = &pose->state[link->bone],
                              .world = &pose->world[link->bone],
                              .parent = info->parent >= 0 ? &worlds[info->parent] : NULL};
    }
    if (turned)
        update_path(pose, solver, 0);
    run->solver = solver;
    run->links = links;
    run->pass = 0;
    run->goal_at = pose->world[solver->goal].translation;
    run->tip_at = pose->world[solver->target].translation;
    bool moved_by_physics =
        pose->override_count && pose->model->bone_rank[solver->goal] >= pose->model->bone_order_before;
    run->plain = solver->ordered && !solver->path_left && !pose->backward && !moved_by_physics &&
                 !pose->linear && !pose->external_count;
    run->distance = goal_distance(run);
}

/* Ends a run with the rotations before the last pass, which came no nearer. */
static void restore_best(mmd_pose *pose, const ik_run *run)
{
    const ik_solver *solver = run->solver;
    for (uint32_t j = 0; j < solver->link_count; j++) {
        float ik[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        if (run->links[solver->links[j].first].turned_in < run->pass)
            ik_of_local(run->links[j].best, pose->state[solver->links[j].bone].base, ik);
        set_link_ik(pose, &solver->links[j], ik);
    }
    update_path(pose, solver, 0);
}

/* Ends a run with the rotations of the last pass. */
static void keep_last(mmd_pose *pose, const ik_run *run)
{
    for (uint32_t j = 0; j < run->solver->link_count; j++) {
        bone_state *state = &pose->state[run->solver->links[j].bone];
        if (run->links[run->solver->links[j].first].turned_in != UINT32_MAX)
            ik_of_local(state->local, state->base, state->ik);
    }
    if (run->plain)
        pose_update_world(pose, run->solver->target); /* follow left out its rotation */
}

/* Ends a pass. Returns whether another one follows. */
static bool end_pass(mmd_pose *pose, ik_run *run)
{
    const ik_solver *solver = run->solver;
    if (solver->ordered)
        follow(pose, run);
    float distance = goal_distance(run);
    if (pose->options.ik == MMD_IK_MMD && !(distance < run->distance)) {
        restore_best(pose, run);
        return false;
    }
    run->distance = distance;
    run->pass++;
    if (!begin_pass(run)) {
        keep_last(pose, run);
        return false;
    }
    for (uint32_t j = 0; j < solver->link_count; j++)
        quat_copy(run->links[j].bone->local, run->links[j].best);
    return true;
}

/*
 * Makes a pass of every run. Each number of a visit depends on the one before, so a single run leaves the
 * processor waiting most of the time. The visits of all runs go on side by side instead, step by step.
 */
static void make_pass(mmd_pose *pose, ik_run *runs, uint32_t count)
{
    uint32_t links = 0;
    for (uint32_t i = 0; i < count; i++)
        links = runs[i].solver->link_count > links ? runs[i].solver->link_count : links;
    for (uint32_t j = 0; j < links; j++) {
        for (uint32_t i = 0; i < count; i++) {
            runs[i].rotates = false;
            if (j < runs[i].solver->link_count)
                aim_link(&runs[i], j);
        }
        for (uint32_t i = 0; i < count; i++)
            if (runs[i].rotates && !runs[i].state->in_world)
                turn_link(pose, &runs[i]);
        for (uint32_t i = 0; i < count; i++)
            if (runs[i].rotates)
                move_effector(pose, &runs[i]);
    }
}

void pose_ik_solve(mmd_pose *pose, const ik_solver *const *solvers, uint32_t count)
{
    assert(pose && solvers && count <= IK_BATCH_MAX);
    ik_run runs[IK_BATCH_MAX];
    link_run *links = pose->link_runs;
    uint32_t going = 0;
    for (uint32_t i = 0; i < count; i++) {
        begin_run(pose, solvers[i], links, &runs[going]);
        links += solvers[i]->link_count;
        going += begin_pass(&runs[going]);
    }
    while (going) {
        make_pass(pose, runs, going);
        uint32_t left = 0;
        for (uint32_t i = 0; i < going; i++)
            if (end_pass(pose, &runs[i])) {
                if (left < i)
                    runs[left] = runs[i];
                left++;
            }
        going = left;
    }
}
