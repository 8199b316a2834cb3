/*
 * Inverse kinematics by cyclic coordinate descent, as MMD 9.31 computes it (docs/mmd.md 4.5).
 *
 * The goal is the IK bone. Links rotate, from the effector outward, until the effector (called "target" in
 * PMX) is seen from a link in the direction of the goal. A link's rotation is q_ik * base, where base combines
 * motion, morphs, edits and append.
 *
 * Where a run ends depends on the last bits of single precision, so this file computes as MMD does: with the
 * matrices that take a bone's rest position to its place, in Direct3D's layout (row vectors, four rows of four)
 * and with D3DX's sums.
 */
#include <assert.h>
#include <string.h>

#include "pose_internal.h"

/* A run ends where the unit vectors from a link to effector and goal differ by less than this, squared. */
static const float difference_done = 1e-7f;

/* A solver at work. */
typedef struct ik_run {
    const ik_solver *solver;
    uint32_t pass;    /* number of passes made */
    bool *turned;     /* by link: whether its bone rotated in some visit; only of the bone's first link */
    float goal[3];    /* position of the IK bone */
    float normal[3];  /* of a visit: cross product of the unit vectors from effector and goal to the link */
    float cosine;     /* of a visit: their dot product, at most 1 in size */
} ik_run;

/* ---- matrices ---- */

static const float identity_matrix[16] = {1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f,
                                          0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f};

/* Writes the rotation of a matrix; the rest is left. */
static void set_rotation(const float q[4], float m[16])
{
    float x = q[0], y = q[1], z = q[2], w = q[3];
    m[0] = 1.0f - 2.0f * (y * y + z * z);
    m[1] = 2.0f * (x * y + z * w);
    m[2] = 2.0f * (x * z - y * w);
    m[4] = 2.0f * (x * y - z * w);
    m[5] = 1.0f - 2.0f * (x * x + z * z);
    m[6] = 2.0f * (y * z + x * w);
    m[8] = 2.0f * (x * z + y * w);
    m[9] = 2.0f * (y * z - x * w);
    m[10] = 1.0f - 2.0f * (x * x + y * y);
}

/* Returns the rotation of a matrix. */
static void get_rotation(const float m[16], float q[4])
{
    float trace = m[0] + m[5] + m[10] + 1.0f;
    if (trace > 1.0f) {
        float s = 2.0f * sqrtf(trace);
        quat_set((m[6] - m[9]) / s, (m[8] - m[2]) / s, (m[1] - m[4]) / s, 0.25f * s, q);
        return;
    }
    int i = m[5] > m[0] ? 1 : 0;
    if (m[10] > m[5 * i])
        i = 2;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    float s = 2.0f * sqrtf(1.0f + m[5 * i] - m[5 * j] - m[5 * k]);
    q[i] = 0.25f * s;
    q[j] = (m[4 * i + j] + m[4 * j + i]) / s;
    q[k] = (m[4 * i + k] + m[4 * k + i]) / s;
    q[3] = (m[4 * j + k] - m[4 * k + j]) / s;
}

void pose_matrix_rotation(const bone_state *state, const bone_matrices *solved, float q[4])
{
    float m[16];
    assert(state && q);
    if (!solved)
        set_rotation(state->local, m);
    get_rotation(solved ? solved->local : m, q);
}

/* Writes the translation of a bone's local matrix T(-rest) R T(translation) T(rest), whose rotation is set. */
static void set_translation(const mmd_pose *pose, uint32_t bone, float m[16])
{
    const float *rest = pose->rest[bone];
    const bone_state *state = &pose->state[bone];
    for (int k = 0; k < 3; k++)
        m[12 + k] = -rest[0] * m[k] + -rest[1] * m[4 + k] + -rest[2] * m[8 + k] +
                    (state->translation[k] + state->append_translation[k]) + rest[k];
}

/* Computes where a bone's matrix takes its rest position. */
static void bone_place(const mmd_pose *pose, uint32_t bone, float out[3])
{
    const float *rest = pose->rest[bone], *m = pose->matrices[bone].world;
    for (int k = 0; k < 3; k++)
        out[k] = rest[0] * m[k] + rest[1] * m[4 + k] + rest[2] * m[8 + k] + m[12 + k];
}

/* Computes a bone's world transform from its matrix. */
static void world_from_matrix(mmd_pose *pose, uint32_t bone)
{
    mmd_transform *world = &pose->world[bone];
    get_rotation(pose->matrices[bone].world, world->rotation);
    quat_normalize(world->rotation);
    bone_place(pose, bone, world->translation);
}

/* Makes a bone's matrix from its world transform. */
void pose_matrix_from_world(mmd_pose *pose, uint32_t bone)
{
    const mmd_transform *world = &pose->world[bone];
    float *m = pose->matrices[bone].world;
    const float *rest = pose->rest[bone];
    memcpy(m, identity_matrix, sizeof identity_matrix);
    set_rotation(world->rotation, m);
    for (int k = 0; k < 3; k++)
        m[12 + k] = world->translation[k] - (rest[0] * m[k] + rest[1] * m[4 + k] + rest[2] * m[8 + k]);
}

/* Tests whether a bone's world transform is its local one, in its parent's current transform. */
static bool is_plain(const mmd_pose *pose, uint32_t bone)
{
    const bone_info *info = &pose->info[bone];
    return !pose->linear && !info->has_external && !info->parent_later;
}

/* Computes a bone's world matrix from its local one. The sums are D3DX's without products by the zeros and the one of
 * the last column. */
static inline void multiply_by_parent(mmd_pose *pose, uint32_t bone)
{
    int32_t parent = pose->info[bone].parent;
    bone_matrices *own = &pose->matrices[bone];
    const float *m = own->local, *p = parent >= 0 ? pose->matrices[parent].world : identity_matrix;
    float out[16];
    for (int row = 0; row < 4; row++)
        for (int k = 0; k < 4; k++)
            out[4 * row + k] = m[4 * row] * p[k] + m[4 * row + 1] * p[4 + k] + m[4 * row + 2] * p[8 + k];
    for (int k = 0; k < 4; k++)
        own->world[12 + k] = out[12 + k] + p[12 + k];
    memcpy(own->world, out, 12 * sizeof *out);
    if (pose->info[bone].keeps_frame)
        memcpy(own->frame, p, sizeof own->frame);
}

void pose_rest_matrices(const mmd_pose *pose, bone_matrices *matrices)
{
    for (uint32_t b = 0; b < pose->model->bone_count; b++) {
        memcpy(matrices[b].local, identity_matrix, sizeof identity_matrix);
        memcpy(matrices[b].world, identity_matrix, sizeof identity_matrix);
        memcpy(matrices[b].frame, identity_matrix, sizeof matrices[b].frame);
    }
}

void pose_update_matrix(mmd_pose *pose, uint32_t bone)
{
    assert(pose && pose->matrices);
    bone_matrices *own = &pose->matrices[bone];
    if (!is_plain(pose, bone)) {
        pose_matrix_from_world(pose, bone);
        return;
    }
    if (!pose->state[bone].solved) {
        memcpy(own->local, identity_matrix, sizeof identity_matrix);
        set_rotation(pose->state[bone].local, own->local);
    }
    set_translation(pose, bone, own->local);
    multiply_by_parent(pose, bone);
}

/* ---- limits ---- */

/* Holds an angle within the limits of an axis; in the first half of the passes it is reflected at the limit
 * that it exceeds. Limits in the wrong order are taken as they are. */
static float hold_angle(const chain_link *link, int axis, float angle, bool first_half)
{
    float low = link->lower[axis], high = link->upper[axis];
    if (angle < low) {
        float mirrored = 2.0f * low - angle;
        angle = first_half && mirrored <= high ? mirrored : low;
    }
    if (angle > high) {
        float mirrored = 2.0f * high - angle;
        angle = first_half && mirrored >= low ? mirrored : high;
    }
    return angle;
}

/* Computes the rotation about a coordinate axis. */
static void axis_matrix(int axis, float angle, float m[16])
{
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    float sine, cosine;
    mmd_sincosf(angle, &sine, &cosine);
    memcpy(m, identity_matrix, sizeof identity_matrix);
    m[5 * a] = m[5 * b] = cosine;
    m[4 * a + b] = sine;
    m[4 * b + a] = -sine;
}

/* Holds a rotation within the limits of a link, as Euler angles in the link's order; the middle one stays
 * within 88 degrees. Only the rotation of m is used and written. */
static void hold_rotation(const chain_link *link, bool first_half, float m[16])
{
    const float middle_most = 1.53588903f;
    int i = link->order[0], j = link->order[1], k = link->order[2];
    float angle[3], turn[16];
    angle[j] = mmd_asinf(clampf(-m[4 * k + i], -1.0f, 1.0f));
    angle[j] = clampf(angle[j], -middle_most, middle_most);
    float cosine = mmd_cosf(angle[j]);
    if (link->hinge < 0 || link->hinge == i)
        angle[i] = mmd_atan2f(m[4 * k + j] / cosine, m[5 * k] / cosine);
    if (link->hinge < 0 || link->hinge == k)
        angle[k] = mmd_atan2f(m[4 * j + i] / cosine, m[5 * i] / cosine);
    if (link->hinge >= 0) { /* the limits hold the other angles at 0 */
        axis_matrix(link->hinge, hold_angle(link, link->hinge, angle[link->hinge], first_half), m);
        return;
    }
    axis_matrix(k, hold_angle(link, k, angle[k], first_half), m);
    axis_matrix(j, hold_angle(link, j, angle[j], first_half), turn);
    matrix_multiply(turn, m, m);
    axis_matrix(i, hold_angle(link, i, angle[i], first_half), turn);
    matrix_multiply(turn, m, m);
}

/* ---- the visit of a link ---- */

/* Updates the place of a link or effector whose local rotation or parent has changed. */
static void follow(mmd_pose *pose, uint32_t bone)
{
    if (is_plain(pose, bone))
        multiply_by_parent(pose, bone);
    else
        pose_update_world(pose, bone);
}

/* Computes the unit vector from one point to another; zero if they are the same. */
static void unit_between(const float from[3], const float to[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = to[k] - from[k];
    float length = length3(out);
    if (length == 0.0f)
        length = 1.0f;
    for (int k = 0; k < 3; k++)
        out[k] /= length;
}

/* Compares the directions in which a link sees effector and goal. Returns false if they are the same. */
static bool aim_link(const mmd_pose *pose, ik_run *run, const chain_link *link)
{
    float at[3], tip[3], effector[3], goal[3];
    bone_place(pose, link->bone, at);
    bone_place(pose, run->solver->target, tip);
    unit_between(tip, at, effector);
    unit_between(run->goal, at, goal);
    float difference[3] = {effector[0] - goal[0], effector[1] - goal[1], effector[2] - goal[2]};
    run->cosine = clampf(dot3(effector, goal), -1.0f, 1.0f);
    cross3(effector, goal, run->normal);
    return !(dot3(difference, difference) < difference_done);
}

/* Computes the rotation of a visit in the axes of the link's parent: about the normal, the fixed axis or, in
 * the first half of the passes, the only axis that the limits leave. */
static void find_turn(const ik_run *run, const chain_link *link, const float *frame, bool first_half,
                      float turn[4])
{
    float axis[3], angle = mmd_acosf(run->cosine);
    for (int k = 0; k < 3; k++)
        axis[k] = dot3(run->normal, frame + 4 * k);
    float length = length3(axis);
    if ((first_half || link->knee) && link->hinge >= 0) {
        float sign = axis[link->hinge] >= 0.0f ? 1.0f : -1.0f;
        axis[0] = axis[1] = axis[2] = 0.0f;
        axis[link->hinge] = sign;
    } else if (!(length > 0.0f)) {
        angle = 0.0f;
    } else {
        for (int k = 0; k < 3; k++)
            axis[k] /= length;
        if (link->fixed) {
            angle *= dot3(axis, link->fixed_axis);
            memcpy(axis, link->fixed_axis, sizeof axis);
        }
    }
    if (angle > link->limit)
        angle = link->limit;
    else if (angle < -link->limit)
        angle = -link->limit;
    quat_axis_angle(axis, angle, turn);
}

/*
 * Rotates a link, and moves those before it and the effector with it. Bones of the chain that are no links stay
 * where they are: they move when their turn comes, as in MMD.
 */
static void turn_link(mmd_pose *pose, ik_run *run, uint32_t index)
{
    const ik_solver *solver = run->solver;
    const chain_link *link = &solver->links[index];
    uint32_t bone = link->bone;
    int32_t parent = pose->info[bone].parent;
    bone_state *state = &pose->state[bone];
    float *local = pose->matrices[bone].local, turn[4], around[16];
    bool first_half = run->pass < solver->passes / 2, *turned = &run->turned[link->first];
    const float *frame = parent < 0                      ? identity_matrix
                         : pose->info[bone].keeps_frame ? pose->matrices[bone].frame
                                                        : pose->matrices[parent].world;
    if (!is_plain(pose, bone)) { /* the axes in which the local rotation counts */
        quat_conjugate(state->local, turn);
        quat_multiply(pose->world[bone].rotation, turn, turn);
        set_rotation(turn, around);
        frame = around;
    }
    find_turn(run, link, frame, first_half, turn);
    quat_multiply(turn, *turned ? state->local : state->own, state->local);
    *turned = true;
    set_rotation(state->local, local);
    if (link->knee) {
        if (local[9] < 0.0f) { /* it bends forwards */
            state->local[0] = -state->local[0];
            local[6] = -local[6];
            local[9] = -local[9];
        }
    } else if (link->limited) {
        hold_rotation(link, first_half, local);
        get_rotation(local, state->local);
    }
    set_translation(pose, bone, local);
    for (uint32_t j = index + 1; j > 0; j--)
        follow(pose, solver->links[j - 1].bone);
    follow(pose, solver->target);
}

void pose_ik_solve(mmd_pose *pose, const ik_solver *solver)
{
    assert(pose && solver);
    ik_run run = {.solver = solver, .turned = pose->turned_links};
    memset(run.turned, 0, solver->link_count * sizeof *run.turned);
    bone_place(pose, solver->goal, run.goal);
    for (bool done = false; run.pass < solver->passes && !done; run.pass++)
        for (uint32_t j = 0; j < solver->link_count && !done; j++) {
            done = !aim_link(pose, &run, &solver->links[j]);
            if (!done)
                turn_link(pose, &run, j);
        }
    for (uint32_t j = 0; j < solver->link_count; j++) {
        uint32_t bone = solver->links[j].bone;
        bone_state *state = &pose->state[bone];
        float inverse[4];
        if (run.turned[j]) {
            quat_normalize(state->local);
            quat_conjugate(state->base, inverse);
            quat_multiply(state->local, inverse, state->ik);
            state->solved = true;
        }
        world_from_matrix(pose, bone);
    }
    world_from_matrix(pose, solver->target);
}
