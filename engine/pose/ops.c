/* A bone's transform op by op, for those who show and edit it (FORMATS.md 6). */
#include "pose_internal.h"

#include <assert.h>

void mmd_pose_bone_ops(const mmd_pose *pose, uint32_t bone, mmd_bone_ops *ops)
{
    assert(ops);
    assert(bone < pose->model->bone_count);
    const bone_info *info = &pose->info[bone];
    const bone_state *state = &pose->state[bone];
    *ops = (mmd_bone_ops){.overridden = pose->overrides[bone].active};
    memcpy(ops->rest, info->offset, sizeof ops->rest);
    quat_identity(ops->morph_rotation);
    if (pose->bone_morphs_active) {
        memcpy(ops->morph_translation, pose->morph_bones[bone].translation, sizeof ops->morph_translation);
        quat_copy(pose->morph_bones[bone].rotation, ops->morph_rotation);
    }
    mmd_pose_get_user(pose, bone, ops->user_translation, ops->user_rotation);
    memcpy(ops->append_translation, state->append_translation, sizeof ops->append_translation);
    quat_copy(state->append, ops->append_rotation);
    quat_copy(state->ik, ops->ik);
}

static void fill_matrix(const float rotation[4], const float translation[3], float matrix[16])
{
    mmd_transform transform;
    quat_copy(rotation, transform.rotation);
    memcpy(transform.translation, translation, 3 * sizeof(float));
    mmd_transform_matrix(&transform, matrix);
}

void mmd_pose_bone_matrix(const mmd_pose *pose, uint32_t bone, float matrix[16])
{
    assert(bone < pose->model->bone_count);
    const mmd_transform *world = &pose->world[bone];
    fill_matrix(world->rotation, world->translation, matrix);
    for (int c = 0; pose->linear && c < 3; c++)
        memcpy(matrix + 4 * c, pose->linear[bone] + 3 * c, 3 * sizeof(float));
}

void mmd_pose_bone_frame(const mmd_pose *pose, uint32_t bone, float matrix[16])
{
    assert(bone < pose->model->bone_count);
    const bone_info *info = &pose->info[bone];
    float above[16], outer[16];
    if (info->parent >= 0)
        mmd_pose_bone_matrix(pose, (uint32_t)info->parent, above);
    else
        glm_mat4_identity((vec4 *)(void *)above);
    memcpy(matrix, above, sizeof above);
    if (!info->has_external)
        return;
    fill_matrix(pose->external[bone].rotation, pose->external[bone].translation, outer);
    glm_mat4_mul((vec4 *)(void *)outer, (vec4 *)(void *)above, (vec4 *)(void *)matrix);
}
