/*
 * The pose: computes the world transforms of all bones and the skinning palette from the motion values of a
 * frame (docs/mmd.md 2 and 4).
 *
 * A pose may be used by one thread at a time. It allocates memory only at creation. Transforms are rigid, as
 * MMD bones have no scale. If a model's animations scale bones (mmd_model.has_scale, glTF) or nodes were
 * scaled by hand, the positions of bones include the scale, and an affine palette in addition to the rigid
 * one holds the scaled skinning matrices.
 */
#ifndef MMD_POSE_H
#define MMD_POSE_H

#include "mmd/animation.h"
#include "mmd/model.h"
#include "mmd/motion.h"
#include "mmd/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The values of motions at a frame: the input of a pose. Arrays have one element per bone or morph of the
 * model and lie in the arena given to mmd_pose_values_init. They start at rest: zero translations, identity
 * rotations, weights 0, all IK on, physics on, visible.
 */
typedef struct mmd_pose_values {
    mmd_transform *bones; /* local, relative to rest */
    float *weights;       /* one per morph */
    uint8_t *ik_on;       /* one per bone, used for IK bones */
    uint8_t *physics_off; /* one per bone: set by the last key at or before the frame (docs/mmd.md 3.5) */
    float (*scales)[6];   /* one per bone, as in MMD_ANIMATED_SCALE; NULL if the model has no scale */
    bool visible;
} mmd_pose_values;

/* Allocates values at rest in an arena. Returns false when out of memory. */
bool mmd_pose_values_init(mmd_pose_values *values, const mmd_model *model, mmd_arena *arena);
/* Resets all values to rest. */
void mmd_pose_values_reset(mmd_pose_values *values, const mmd_model *model);

/*
 * Mixes other values of the same model into values. weight is 0 (values stay as they are, bit for bit) to 1
 * (values become the others). Translations, morph weights and scales are mixed linearly, v + (w - v) weight.
 * Rotations go along the shorter arc at constant angular speed (slerp), whatever the signs of the
 * quaternions. IK switches, physics_off and visible have nothing between, and are the others' from weight 0.5
 * on. Allocates nothing. May be called from any thread that owns both.
 */
void mmd_pose_values_mix(mmd_pose_values *values, const mmd_pose_values *with, float weight,
                         const mmd_model *model);

/* A fade between two frames: from what was danced before to what follows. */
typedef struct mmd_fade {
    double ahead;  /* frames by which what was danced before is ahead: at frame f it is at frame f + ahead */
    double begins; /* the frame up to which only what was danced before counts */
    double ends;   /* the frame from which only what follows counts; not before begins */
} mmd_fade;

/* Returns the weight of what follows at a frame, 0 to 1: with t from 0 at begins to 1 at ends it is
 * t t (3 - 2 t), so that velocities do not jump at either end. */
float mmd_fade_weight(const mmd_fade *fade, double frame);

typedef struct mmd_pose mmd_pose;

/*
 * Creates a pose. model must outlive it. Returns NULL when out of memory. If all IK of the model could take
 * more than 2^25 steps a frame, which only malicious models reach, the remaining IK is not solved.
 */
mmd_pose *mmd_pose_create(const mmd_model *model);
void mmd_pose_destroy(mmd_pose *pose); /* NULL is allowed */

/* Returns whether mmd_pose_evaluate uses previous: some bone depends on one that is evaluated later. */
bool mmd_pose_needs_previous(const mmd_pose *pose);

/*
 * Evaluates the part before physics: effective morph weights, material values, and all bones without
 * MMD_BONE_AFTER_PHYSICS with append and IK. previous holds the values of the frame before and is only used
 * if mmd_pose_needs_previous: a parent or append source that is evaluated later contributes its transform of
 * that frame, computed from rest. NULL: the same as values.
 */
void mmd_pose_evaluate(mmd_pose *pose, const mmd_pose_values *values, const mmd_pose_values *previous);

/*
 * Evaluates the part after physics: everything that depends on overridden bones (appends are updated, IK is
 * not solved again), then the bones with MMD_BONE_AFTER_PHYSICS, then the palette. Call it once after each
 * mmd_pose_evaluate, with or without physics.
 */
void mmd_pose_finish(mmd_pose *pose);

/* Return the results, valid until the next evaluation: by bone in file order, by morph, by material. */
const mmd_transform *mmd_pose_world(const mmd_pose *pose);
const mmd_transform *mmd_pose_palette(const mmd_pose *pose); /* world times inverse rest, for skinning */
/* Returns the palette with scale, by bone, for skinning instead of mmd_pose_palette. NULL if nothing is
 * scaled. */
const mmd_affine *mmd_pose_affine_palette(const mmd_pose *pose);
const float *mmd_pose_weights(const mmd_pose *pose); /* effective weights, with group and flip morphs
                                                        applied */
const mmd_material_values *mmd_pose_materials(const mmd_pose *pose);

/*
 * The additions of add-type material morphs to the texture, sphere and toon factors, by material. Colours and
 * sizes in mmd_pose_materials include additions, but the three factors there are the products only, because
 * drawing applies products and additions separately (docs/mmd.md 6.4).
 */
typedef struct mmd_material_adds {
    float texture[4], sphere[4], toon[4];
} mmd_material_adds;
const mmd_material_adds *mmd_pose_material_adds(const mmd_pose *pose);

/*
 * Set and get the user's edit of a bone: an offset added to the translation, and a rotation applied innermost
 * except for append (docs/formats.md 6). Identity at first. Append and IK include it.
 */
void mmd_pose_set_user(mmd_pose *pose, uint32_t bone, const float translation[3], const float rotation[4]);
void mmd_pose_get_user(const mmd_pose *pose, uint32_t bone, float translation[3], float rotation[4]);

/*
 * Set and get the user's scale of a bone that is a node of a glTF, along the node's axes at rest
 * (mmd_model.node_rotations). It acts like the innermost S of T R S in glTF 2.0 (3.5.3) in addition to
 * animated scales, and children inherit it. Numbers are finite and above 0, and 1 at first. While any scale
 * is not 1, the pose has an affine palette, which is allocated at the first use. mmd_pose_set_user_scale
 * returns false, with nothing changed, when out of memory.
 */
bool mmd_pose_can_scale(const mmd_pose *pose); /* returns whether the bones are nodes of a glTF */
bool mmd_pose_set_user_scale(mmd_pose *pose, uint32_t bone, const float scale[3]);
void mmd_pose_get_user_scale(const mmd_pose *pose, uint32_t bone, float scale[3]);

/* Computes the world matrix of a bone, column-major, including scale. */
void mmd_pose_bone_matrix(const mmd_pose *pose, uint32_t bone, float matrix[16]);

/*
 * Sets an external parent: the bone's world transform is multiplied from the left by `world`, the transform
 * of another model's bone, so that a bone that rests at the origin lands on the other bone. NULL removes it.
 */
void mmd_pose_set_external_parent(mmd_pose *pose, uint32_t bone, const mmd_transform *world);

/*
 * Overrides the world transform of a bone, or with rotation_only just its rotation, by the result of physics,
 * between mmd_pose_evaluate and mmd_pose_finish. Overrides stay until cleared with NULL.
 */
void mmd_pose_override(mmd_pose *pose, uint32_t bone, const mmd_transform *world, bool rotation_only);

/*
 * A clip binds motions to a model. Later motions override the tracks of earlier ones for the same bone, morph
 * or IK switch. Rotations of bones with a fixed axis are projected on it.
 */
typedef struct mmd_clip mmd_clip;

/* Creates a clip. model and motions must outlive it. Returns NULL when out of memory. */
mmd_clip *mmd_clip_create(const mmd_model *model, const mmd_motion *const *motions, size_t motion_count);

/*
 * Creates a clip of motions with weights, 0 to 1, one per motion. A motion of weight 1 overrides what lies
 * below it, as above; one of weight w is mixed with that as mmd_pose_values_mix does, where it has keys for a
 * bone or morph; one of weight 0 counts as missing. Below the first motion are animations, else the rest
 * pose. IK switches, visibility and physics_off are those of motions of weight 0.5 and more. Everything else
 * is as for mmd_clip_create.
 */
mmd_clip *mmd_clip_create_weighted(const mmd_model *model, const mmd_motion *const *motions,
                                   const float *weights, size_t motion_count);
void mmd_clip_destroy(mmd_clip *clip); /* NULL is allowed */

/*
 * Adds animations, once per clip. They are not copied and must outlive the clip. A frame is 1/30 s.
 * Channels drive bones and morph weights without projection on fixed axes. Later animations and channels
 * override earlier ones of the same target, separately for translation, rotation and scale. A bone or
 * morph that a motion has keys for is driven by the motion alone. Ignored are channels of bones or morphs
 * that the model lacks, and scale channels if mmd_model.has_scale is false. Returns false when out of
 * memory; the clip can only be destroyed then.
 */
bool mmd_clip_animate(mmd_clip *clip, const mmd_animation *animations, uint32_t count);

/* Samples all values at a frame. They depend on the frame only. Because of search hints, a clip may be used
 * by one thread at a time. */
void mmd_clip_sample(mmd_clip *clip, double frame, mmd_pose_values *values);

/*
 * A vertex of the double-precision reference skinning, which tests the shader and serves `--skin cpu`. uv and
 * extra (additional UVs) include UV morphs. A normal that several bones blend is shorter than 1, as in MMD
 * (docs/mmd.md 4.6).
 */
typedef struct mmd_skinned_vertex {
    double position[3], normal[3], tangent[3];
    double uv[2];
    double extra[4][4];
} mmd_skinned_vertex;

typedef enum mmd_sdef_variant { MMD_SDEF_LINEAR, MMD_SDEF_SLERP } mmd_sdef_variant;

/* Skins every vertex of a model with its current pose into out, which has model->vertices.count elements.
 * tangents is 3 floats per vertex or NULL. With scale, every vertex uses linear blending. */
void mmd_pose_skin(const mmd_model *model, const mmd_pose *pose, mmd_sdef_variant sdef,
                   const float (*tangents)[3], mmd_skinned_vertex *out);

#ifdef __cplusplus
}
#endif

#endif
