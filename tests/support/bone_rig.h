/* A model that has only bones and morphs, built call by call, and a motion for it. Tests use it where the
 * expected numbers can be computed by hand. */
#ifndef ODORI_BONE_RIG_H
#define ODORI_BONE_RIG_H

#include "mmd/actor.h"
#include "mmd/model.h"
#include "mmd/motion.h"

enum { BONE_RIG_BONES = 24, BONE_RIG_MORPHS = 11, BONE_RIG_KEYS = 4 };

/* A zeroed rig is a valid rig without bones. Names must be unique, because the tracks have the names of the
 * bones and morphs. */
typedef struct bone_rig {
    mmd_model model;
    mmd_bone bones[BONE_RIG_BONES];
    mmd_morph morphs[BONE_RIG_MORPHS];
    mmd_material material;
    mmd_motion motion;
    mmd_bone_track bone_tracks[BONE_RIG_BONES];
    uint32_t bone_frames[BONE_RIG_BONES][BONE_RIG_KEYS];
    mmd_bone_key bone_keys[BONE_RIG_BONES][BONE_RIG_KEYS];
    mmd_morph_track morph_tracks[BONE_RIG_MORPHS];
    uint32_t morph_frames[BONE_RIG_MORPHS][BONE_RIG_KEYS];
    float morph_weights[BONE_RIG_MORPHS][BONE_RIG_KEYS];
    mmd_actor *actor; /* NULL before bone_rig_start */
} bone_rig;

/* Adds a bone at a position in model space and returns its index. */
uint32_t bone_rig_add(bone_rig *rig, const char *name, int32_t parent, float x, float y, float z);

/* Makes a bone an IK bone; the links are not copied. */
void bone_rig_ik(bone_rig *rig, uint32_t goal, uint32_t target, int32_t loops, float limit,
                 mmd_ik_link *links, uint32_t link_count);

/* Adds a morph. The offset records must be of its kind and are not copied. */
void bone_rig_morph(bone_rig *rig, const char *name, mmd_morph_kind kind, const void *records,
                    uint32_t count);

/* Add a keyframe to a bone or a morph. Keyframes are added in ascending order of frames; interpolation is
 * linear. */
void bone_rig_key(bone_rig *rig, uint32_t bone, uint32_t frame, const float translation[3],
                  const float axis[3], double degrees);
void bone_rig_weight(bone_rig *rig, uint32_t morph, uint32_t frame, float weight);

/* Computes the quaternion of a rotation about an axis of any length. */
void bone_rig_turn(const float axis[3], double degrees, float out[4]);

/* Creates the actor that plays the motion. The model may not change afterwards. */
void bone_rig_start(bone_rig *rig);
void bone_rig_finish(bone_rig *rig);

/* Evaluates the pose at a frame and returns the world transforms of the bones. */
const mmd_transform *bone_rig_pose(bone_rig *rig, double frame);

#endif
