/*
 * Scale of bones, which animations of a glTF may have (mmd/animation.h).
 *
 * Beside its rigid world transform each bone has the linear map that its
 * vertices undergo: its parent's, times its own rotation, times its own scale.
 * The place of a bone is its offset seen through its parent's map. That is what
 * node hierarchies do (glTF 2.0, 3.5.3), shear included where scales differ
 * by axis; the rigid transform is the same with all scales taken out.
 *
 * Physics turns and moves bones rigidly: their scale goes along.
 */
#include "pose_internal.h"

/* Columns of a rotation. */
static void columns_of(const float turn[4], float m[9])
{
    for (int c = 0; c < 3; c++) {
        const float axis[3] = {c == 0, c == 1, c == 2};
        quat_rotate(turn, axis, m + 3 * c);
    }
}

static void apply(const float m[9], const float v[3], float out[3])
{
    float x = v[0], y = v[1], z = v[2];
    for (int r = 0; r < 3; r++)
        out[r] = m[r] * x + m[3 + r] * y + m[6 + r] * z;
}

/* m = m * s, of a symmetric matrix. */
static void scale_by(float m[9], const float s[6])
{
    const float columns[3][3] = {{s[0], s[3], s[4]}, {s[3], s[1], s[5]}, {s[4], s[5], s[2]}};
    float before[9];
    memcpy(before, m, sizeof before);
    for (int c = 0; c < 3; c++)
        apply(before, columns[c], m + 3 * c);
}

static void turn_columns(const float turn[4], float m[9])
{
    for (int c = 0; c < 3; c++)
        quat_rotate(turn, m + 3 * c, m + 3 * c);
}

bool pose_scale_init(mmd_pose *pose)
{
    uint32_t count = pose->model->bone_count;
    if (!pose->model->has_scale)
        return true;
    pose->linear = mmd_arena_alloc(&pose->arena, count, sizeof *pose->linear);
    pose->affine = mmd_arena_alloc(&pose->arena, count, sizeof *pose->affine);
    if (!pose->linear || !pose->affine)
        return false;
    for (uint32_t b = 0; b < count; b++)
        for (int k = 0; k < 3; k++)
            pose->linear[b][4 * k] = pose->affine[b].rows[k][k] = 1.0f;
    return true;
}

/* Of a parent that is evaluated later nothing but its turn of the frame before is known. */
static void parent_columns(const mmd_pose *pose, const bone_info *info, float m[9])
{
    if (info->parent_later)
        columns_of(pose->previous_world[info->parent].rotation, m);
    else
        memcpy(m, pose->linear[info->parent], 9 * sizeof *m);
}

void pose_scale_world(mmd_pose *pose, uint32_t b)
{
    const bone_info *info = &pose->info[b];
    const float *local = pose->state[b].local, *offset = pose->state[b].offset;
    mmd_transform *out = &pose->world[b];
    float *linear = pose->linear[b];
    columns_of(local, linear);
    if (info->parent >= 0) {
        const mmd_transform *parent =
            info->parent_later ? &pose->previous_world[info->parent] : &pose->world[info->parent];
        float above[9];
        parent_columns(pose, info, above);
        for (int c = 0; c < 3; c++)
            apply(above, linear + 3 * c, linear + 3 * c);
        apply(above, offset, out->translation);
        for (int k = 0; k < 3; k++)
            out->translation[k] += parent->translation[k];
        quat_multiply(parent->rotation, local, out->rotation);
    } else {
        quat_copy(local, out->rotation);
        quat_copy(offset, out->translation);
    }
    if (pose->scales)
        scale_by(linear, pose->scales[b]);
    if (info->has_external) {
        const mmd_transform *external = &pose->external[b];
        turn_columns(external->rotation, linear);
        mmd_transform_multiply(external, out, out);
    }
}

void pose_scale_turned(mmd_pose *pose, uint32_t b, const float before[4])
{
    float turn[4];
    quat_conjugate(before, turn);
    quat_multiply(pose->world[b].rotation, turn, turn);
    turn_columns(turn, pose->linear[b]);
}

void pose_scale_palette(mmd_pose *pose)
{
    for (uint32_t b = 0; b < pose->model->bone_count; b++) {
        const float *m = pose->linear[b], *place = pose->world[b].translation;
        float moved[3];
        apply(m, pose->model->bones[b].position, moved);
        for (int r = 0; r < 3; r++) {
            float *row = pose->affine[b].rows[r];
            for (int c = 0; c < 3; c++)
                row[c] = m[3 * c + r];
            row[3] = place[r] - moved[r];
        }
    }
}
