/*
 * Scale of bones, which animations of a glTF (mmd/animation.h) or edits can give to nodes.
 *
 * Besides its rigid world transform each bone has the linear map that its vertices undergo: its parent's map,
 * times its own rotation, times its own scale. A bone's position is its offset transformed by its parent's
 * map. This is the transform hierarchy of glTF 2.0 (3.5.3), including shear where scales differ by axis; the
 * rigid transform is the same with all scales removed.
 *
 * Physics moves bones rigidly and keeps their scale.
 */
#include "pose_internal.h"

#include <assert.h>
#include <math.h>

/* Converts a rotation to matrix columns. */
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

/* Computes m = m * s for a symmetric matrix s. */
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

/* Allocates both arrays of a pose with scale, and fills them from the bones' current transforms. */
static bool make_room(mmd_pose *pose)
{
    uint32_t count = pose->model->bone_count;
    scale_room *room = mmd_arena_alloc(&pose->arena, 1, sizeof *room);
    if (!room)
        return false;
    room->linear = mmd_arena_alloc(&pose->arena, count, sizeof *room->linear);
    room->affine = mmd_arena_alloc(&pose->arena, count, sizeof *room->affine);
    if (!room->linear || !room->affine)
        return false;
    pose->scale_room = room;
    return true;
}

static void begin_scale(mmd_pose *pose)
{
    pose->linear = pose->scale_room->linear;
    pose->affine = pose->scale_room->affine;
    for (uint32_t b = 0; b < pose->model->bone_count; b++)
        columns_of(pose->world[b].rotation, pose->linear[b]);
    pose_scale_palette(pose);
}

/* Removes scale: the pose is rigid again, bit for bit as before. */
static void end_scale(mmd_pose *pose)
{
    pose->linear = NULL;
    pose->affine = NULL;
}

bool pose_scale_init(mmd_pose *pose)
{
    assert(pose);
    if (!pose->model->has_scale)
        return true;
    if (!make_room(pose))
        return false;
    begin_scale(pose);
    return true;
}

/* ------------------------------------------------------------ scale by edits */

bool mmd_pose_can_scale(const mmd_pose *pose)
{
    assert(pose);
    return pose->model->origin == MMD_ORIGIN_GLTF;
}

static const float no_scale[3] = {1.0f, 1.0f, 1.0f};

/* Computes Q diag(scale) Q^-1: a scale along the axes of the node at rest. */
static void map_of(const mmd_model *model, uint32_t bone, const float scale[3], float map[6])
{
    static const uint8_t row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    static const float straight[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    float axes[9];
    columns_of(model->node_rotations ? model->node_rotations[bone] : straight, axes);
    for (int k = 0; k < 6; k++) {
        map[k] = 0.0f;
        for (int c = 0; c < 3; c++)
            map[k] += axes[3 * c + row[k]] * scale[c] * axes[3 * c + column[k]];
    }
}

static bool make_user_room(mmd_pose *pose)
{
    uint32_t count = pose->model->bone_count;
    if (!pose->scale_room && !make_room(pose))
        return false;
    scale_room *room = pose->scale_room;
    if (room->user)
        return true;
    room->user_maps = mmd_arena_alloc(&pose->arena, count, sizeof *room->user_maps);
    float(*user)[3] = mmd_arena_alloc(&pose->arena, count, sizeof *user);
    if (!room->user_maps || !user)
        return false;
    for (uint32_t b = 0; b < count; b++)
        memcpy(user[b], no_scale, sizeof no_scale);
    room->user = user;
    return true;
}

bool mmd_pose_set_user_scale(mmd_pose *pose, uint32_t bone, const float scale[3])
{
    assert(bone < pose->model->bone_count && mmd_pose_can_scale(pose));
    for (int k = 0; k < 3; k++)
        assert(scale[k] > 0.0f && isfinite(scale[k]));
    bool was = pose->info[bone].has_user_scale, is = memcmp(scale, no_scale, sizeof no_scale) != 0;
    if (!is && !was)
        return true;
    if (!make_user_room(pose))
        return false;
    scale_room *room = pose->scale_room;
    memcpy(room->user[bone], scale, sizeof no_scale);
    map_of(pose->model, bone, scale, room->user_maps[bone]);
    pose->info[bone].has_user_scale = is;
    room->user_count += (uint32_t)is - (uint32_t)was;
    if (!room->user_count && !pose->model->has_scale)
        end_scale(pose);
    else if (!pose->linear)
        begin_scale(pose);
    return true;
}

void mmd_pose_get_user_scale(const mmd_pose *pose, uint32_t bone, float scale[3])
{
    assert(bone < pose->model->bone_count);
    bool is = pose->info[bone].has_user_scale;
    memcpy(scale, is ? pose->scale_room->user[bone] : no_scale, sizeof no_scale);
}

/* ------------------------------------------------------------ evaluating */

/* Returns the parent's columns. Of a parent that is evaluated later only the rotation of the previous frame
 * is known. */
static void parent_columns(const mmd_pose *pose, const bone_info *info, float m[9])
{
    if (info->parent_later)
        columns_of(pose->previous_world[info->parent].rotation, m);
    else
        memcpy(m, pose->linear[info->parent], 9 * sizeof *m);
}

void pose_scale_world(mmd_pose *pose, uint32_t b)
{
    assert(pose);
    assert(b < pose->model->bone_count);
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
    if (info->has_user_scale)
        scale_by(linear, pose->scale_room->user_maps[b]);
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
    assert(pose);
    assert(b < pose->model->bone_count);
    float turn[4];
    quat_conjugate(before, turn);
    quat_multiply(pose->world[b].rotation, turn, turn);
    turn_columns(turn, pose->linear[b]);
}

void pose_scale_palette(mmd_pose *pose)
{
    assert(pose);
    for (uint32_t b = 0; b < pose->model->bone_count; b++) {
        const float *m = pose->linear[b], *origin = pose->world[b].translation;
        float moved[3];
        apply(m, pose->model->bones[b].position, moved);
        for (int r = 0; r < 3; r++) {
            float *row = pose->affine[b].rows[r];
            for (int c = 0; c < 3; c++)
                row[c] = m[3 * c + r];
            row[3] = origin[r] - moved[r];
        }
    }
}
