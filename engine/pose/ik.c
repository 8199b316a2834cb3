/*
 * Inverse kinematics by cyclic coordinate descent, as MMD 9.31 computes it (docs/mmd.md 4.5).
 *
 * The goal is the IK bone. Links rotate, from the effector outward, until the effector (called "target" in
 * PMX) is seen from a link in the direction of the goal. A link's rotation is q_ik * base, where base
 * combines motion, morphs, edits and append.
 *
 * Where a run ends depends on the last bits of single precision, so this file computes as MMD does: with the
 * matrices that take a bone's rest position to its place, in Direct3D's layout (row vectors, four rows of
 * four) and with D3DX's sums.
 */
#include <assert.h>
#include <string.h>

#include "pose_internal.h"

/* A run ends where the unit vectors from a link to effector and goal differ by less than this, squared. */
static const float difference_done = 1e-7f;

/* ---- matrices ---- */

const float pose_identity_matrix[16] = {1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f,
                                        0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f};

/* The rows of a matrix. Arithmetic of lanes is that of floats, in the order written. */
typedef float lanes __attribute__((vector_size(16)));
typedef struct matrix_rows {
    lanes x, y, z, w;
} matrix_rows;

static inline lanes load_lanes(const float from[4])
{
    lanes l;
    memcpy(&l, from, sizeof l);
    return l;
}

static inline void store_lanes(lanes l, float to[4])
{
    memcpy(to, &l, sizeof l);
}

static inline matrix_rows load_rows(const float m[16])
{
    return (matrix_rows){load_lanes(m), load_lanes(m + 4), load_lanes(m + 8), load_lanes(m + 12)};
}

static inline void store_rows(matrix_rows rows, float m[16])
{
    store_lanes(rows.x, m);
    store_lanes(rows.y, m + 4);
    store_lanes(rows.z, m + 8);
    store_lanes(rows.w, m + 12);
}

/* Multiplies a row by the rotation of a matrix. */
static inline lanes turn_row(const float row[3], matrix_rows p)
{
    return row[0] * p.x + row[1] * p.y + row[2] * p.z;
}

/* Computes a bone's world matrix from its local one and its parent's, which are returned and passed in
 * registers. The sums are D3DX's without products by the zeros and the one of the last column. */
static inline matrix_rows update_world_matrix(bone_matrices *own, matrix_rows p)
{
    const float *m = own->local;
    matrix_rows world = {turn_row(m, p), turn_row(m + 4, p), turn_row(m + 8, p), turn_row(m + 12, p) + p.w};
    store_lanes(p.x, own->frame);
    store_lanes(p.y, own->frame + 4);
    store_lanes(p.z, own->frame + 8);
    store_rows(world, own->world);
    return world;
}

/* Writes the rotation of a matrix; the rest is left. */
static void set_rotation(const float q[4], float m[16])
{
    float x = q[0], y = q[1], z = q[2], w = q[3];
    store_lanes((lanes){1.0f - 2.0f * (y * y + z * z), 2.0f * (x * y + z * w), 2.0f * (x * z - y * w), 0.0f},
                m);
    store_lanes((lanes){2.0f * (x * y - z * w), 1.0f - 2.0f * (x * x + z * z), 2.0f * (y * z + x * w), 0.0f},
                m + 4);
    store_lanes((lanes){2.0f * (x * z + y * w), 2.0f * (y * z - x * w), 1.0f - 2.0f * (x * x + y * y), 0.0f},
                m + 8);
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

/* Writes the translation of a local matrix T(-rest) R T(translation) T(rest), whose rotation is set. */
static void set_translation(const mmd_pose *pose, uint32_t bone, float m[16])
{
    const bone_state *state = &pose->state[bone];
    const float *rest = pose->rest[bone], back[3] = {-rest[0], -rest[1], -rest[2]};
    lanes moved = load_lanes(state->translation) + load_lanes(state->append_translation);
    store_lanes(turn_row(back, load_rows(m)) + moved + load_lanes(rest), m + 12);
}

/* Computes where a bone's matrix takes its rest position; the fourth lane is 1. */
static inline lanes bone_place(const mmd_pose *pose, uint32_t bone)
{
    matrix_rows m = load_rows(pose->matrices[bone].world);
    return turn_row(pose->rest[bone], m) + m.w;
}

/* Computes a bone's world transform from its matrix. */
static void world_from_matrix(mmd_pose *pose, uint32_t bone)
{
    mmd_transform *world = &pose->world[bone];
    get_rotation(pose->matrices[bone].world, world->rotation);
    quat_normalize(world->rotation);
    lanes place = bone_place(pose, bone);
    memcpy(world->translation, &place, 3 * sizeof(float));
}

/* Makes a bone's matrix from its world transform. */
void pose_matrix_from_world(mmd_pose *pose, uint32_t bone)
{
    const mmd_transform *world = &pose->world[bone];
    float *m = pose->matrices[bone].world;
    const float *rest = pose->rest[bone];
    memcpy(m, pose_identity_matrix, sizeof pose_identity_matrix);
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

void pose_rest_matrices(const mmd_pose *pose, bone_matrices *matrices)
{
    for (uint32_t b = 0; b < pose->model->bone_count; b++) {
        memcpy(matrices[b].local, pose_identity_matrix, sizeof pose_identity_matrix);
        memcpy(matrices[b].world, pose_identity_matrix, sizeof pose_identity_matrix);
        memcpy(matrices[b].frame, pose_identity_matrix, sizeof matrices[b].frame);
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
        memcpy(own->local, pose_identity_matrix, sizeof pose_identity_matrix);
        set_rotation(pose->state[bone].local, own->local);
    }
    set_translation(pose, bone, own->local);
    int32_t parent = pose->info[bone].parent;
    const float *place = parent >= 0 ? pose->matrices[parent].world : pose_identity_matrix;
    update_world_matrix(own, load_rows(place));
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
    memcpy(m, pose_identity_matrix, sizeof pose_identity_matrix);
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

/* A solver at work. */
typedef struct ik_run {
    const ik_solver *solver;
    uint32_t pass;   /* number of passes made */
    lanes goal;      /* position of the IK bone */
    float normal[3]; /* of a visit: cross product of the unit vectors from effector and goal to the link */
    float cosine;    /* of a visit: their dot product, at most 1 in size */
} ik_run;

static inline float dot_lanes(lanes a, lanes b)
{
    lanes products = a * b;
    return products[0] + products[1] + products[2];
}

/* Divides a vector by its length, unless that is 0. */
static inline lanes unit_lanes(lanes v)
{
    float length = sqrtf(dot_lanes(v, v));
    return v / (length == 0.0f ? 1.0f : length);
}

/* Compares the directions in which a link sees effector and goal. Returns false if they are the same. */
static bool aim_link(const mmd_pose *pose, ik_run *run, const chain_link *link)
{
    lanes at = bone_place(pose, link->bone);
    lanes e = unit_lanes(at - bone_place(pose, run->solver->chain[0].bone));
    lanes g = unit_lanes(at - run->goal), difference = e - g;
    run->cosine = clampf(dot_lanes(e, g), -1.0f, 1.0f);
    cross3((float[3]){e[0], e[1], e[2]}, (float[3]){g[0], g[1], g[2]}, run->normal);
    return !(dot_lanes(difference, difference) < difference_done);
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

/* Updates the places of a link, of those before it and of the effector. */
static void follow_link(mmd_pose *pose, const chain_link *chain, uint32_t index)
{
    const float *before = NULL;
    matrix_rows place = {0};
    for (const chain_link *link = chain + index;; link--) {
        if (link->plain) {
            if (link->parent != before) /* else it is in registers */
                place = load_rows(link->parent);
            place = update_world_matrix(link->own, place);
        } else {
            pose_update_world(pose, link->bone);
            place = load_rows(link->own->world);
        }
        before = link->own->world;
        if (link == chain)
            return;
    }
}

/*
 * Rotates a link, and moves those before it and the effector with it. Bones of the chain that are no links
 * stay where they are: they move when their turn comes, as in MMD.
 */
static void turn_link(mmd_pose *pose, ik_run *run, uint32_t index)
{
    const ik_solver *solver = run->solver;
    const chain_link *link = &solver->chain[index];
    uint32_t bone = link->bone;
    bone_state *state = &pose->state[bone];
    float *local = link->own->local, turn[4], around[16];
    bool first_half = run->pass < solver->passes / 2, *turned = &solver->chain[link->first].turned;
    const float *frame = link->own->frame;
    if (!link->plain) { /* the axes in which the local rotation counts */
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
    follow_link(pose, solver->chain, index);
}

void pose_ik_solve(mmd_pose *pose, const ik_solver *solver)
{
    assert(pose && solver);
    chain_link *chain = solver->chain;
    ik_run run = {.solver = solver, .goal = bone_place(pose, solver->goal)};
    for (uint32_t j = 0; j <= solver->link_count; j++) {
        chain[j].turned = false;
        chain[j].plain = is_plain(pose, chain[j].bone);
    }
    for (bool done = false; run.pass < solver->passes && !done; run.pass++)
        for (uint32_t j = 1; j <= solver->link_count && !done; j++) {
            done = !aim_link(pose, &run, &chain[j]);
            if (!done)
                turn_link(pose, &run, j);
        }
    for (uint32_t j = 1; j <= solver->link_count; j++) {
        bone_state *state = &pose->state[chain[j].bone];
        float inverse[4];
        if (chain[j].turned) {
            quat_normalize(state->local);
            quat_conjugate(state->base, inverse);
            quat_multiply(state->local, inverse, state->ik);
            state->solved = true;
        }
        world_from_matrix(pose, chain[j].bone);
    }
    world_from_matrix(pose, chain[0].bone);
}
