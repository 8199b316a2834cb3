/*
 * Parts of computing a pose that the stage, editing and tests use: mixing single bones, bones that drift, the
 * parts of a bone's transform, and skinning with any palette.
 */
#ifndef MMD_POSE_PARTS_H
#define MMD_POSE_PARTS_H

#include "mmd/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Mixes the value of one bone as mmd_pose_values_mix does; weight is above 0 and below 1. */
void mmd_bone_value_mix(mmd_transform *value, const mmd_transform *with, float weight);

/*
 * Mixes the value of one bone likewise, but along a given way: the turn from value to with, a unit
 * quaternion, is taken as whichever of its two signs is nearer to way. With a negative fourth number it goes
 * the longer way round, so that a mixture of two moving bones does not change sides where they are half a
 * turn apart.
 */
void mmd_bone_value_mix_along(mmd_transform *value, const mmd_transform *with, float weight,
                              const float way[4]);

/* A bone that moves with constant velocity from its rest transform at frame 0. */
typedef struct mmd_drift {
    uint32_t bone;
    float center[3];  /* centre of rotation at rest, in model space */
    float linear[3];  /* velocity of the centre, units/s */
    float angular[3]; /* radians/s about each axis of model space */
} mmd_drift;

/*
 * Sets the drifting bones (copied), once per clip and after mmd_clip_animate. Of several drifts of a bone the
 * last applies. A bone does not drift if keys move it or one of its parents. A bone below a drifting one
 * moves independently of it in model space. Returns false when out of memory; the clip can only be destroyed
 * then.
 */
bool mmd_clip_set_drifts(mmd_clip *clip, const mmd_drift *drifts, uint32_t count);
void mmd_clip_drift(mmd_clip *clip, bool on); /* false: they stay at rest; initially true */

/*
 * The parts of a bone's current local transform, outermost first (docs/formats.md 6): the sum of rest,
 * motion, user, morph and append translations, then the rotations ik * morph * motion * user * append. The
 * motion's parts are in the evaluated values.
 */
typedef struct mmd_bone_ops {
    float rest[3]; /* offset from the parent at rest */
    float user_translation[3], morph_translation[3], append_translation[3];
    float ik[4], morph_rotation[4], user_rotation[4], append_rotation[4];
    bool overridden; /* overridden by physics: its world transform is not the product; append is what its
                        dependents see */
} mmd_bone_ops;
/* Computes the parts of a bone's transform in the current pose. */
void mmd_pose_bone_ops(const mmd_pose *pose, uint32_t bone, mmd_bone_ops *ops);

/* Computes the world matrix of the frame that the parts of a bone act in, column-major: its parent's,
 * transformed by its parent's external parent. */
void mmd_pose_bone_frame(const mmd_pose *pose, uint32_t bone, float matrix[16]);

/*
 * Skins every vertex into out, which has model->vertices.count elements. palette is by bone, weights
 * (effective) by morph, tangents 3 floats per vertex or NULL.
 */
void mmd_skin_reference(const mmd_model *model, const mmd_transform *palette, const float *weights,
                        mmd_sdef_variant sdef, const float (*tangents)[3], mmd_skinned_vertex *out);

#ifdef __cplusplus
}
#endif

#endif
