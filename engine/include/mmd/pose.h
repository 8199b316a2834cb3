/*
 * The pose: from a frame's motion values to the world transform of every bone
 * and the skin palette. docs/mmd.md 2 and 4.
 *
 * A pose belongs to one thread at a time. It allocates at creation only.
 * Transforms are rigid: MMD bones have no scale. Where a model's animations
 * scale bones (mmd_model.has_scale, glTF), or its nodes were scaled by hand, the
 * places of bones follow that, and an affine palette beside the rigid one says
 * what becomes of vertices.
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

/* How IK is solved (docs/mmd.md 4.5). */
typedef enum mmd_ik_variant {
    MMD_IK_MMD,    /* plane solver, Euler limits, best pose kept: the default */
    MMD_IK_REFLECT /* limits reflected in the first half of the loops, step limit times link number */
} mmd_ik_variant;

typedef struct mmd_pose_options {
    mmd_ik_variant ik;
    bool ik_step_by_link; /* multiply the step limit by the link's number, from 1 */
} mmd_pose_options;

mmd_pose_options mmd_default_pose_options(void);

/*
 * What motions say at a frame: the input of a pose. Arrays are as long as the
 * model's. Made by mmd_pose_values_init in the caller's arena, at rest: zero
 * translations, identity rotations, weights 0, all IK on, physics on, visible.
 */
typedef struct mmd_pose_values {
    mmd_transform *bones; /* local, relative to rest */
    float *weights;       /* of morphs */
    uint8_t *ik_on;       /* by bone; looked at for IK bones */
    uint8_t *physics_off; /* by bone: the last key at or before the frame says so (docs/mmd.md 3.5) */
    float (*scales)[6];   /* by bone, as MMD_ANIMATED_SCALE has it; NULL where the model has no scale */
    bool visible;
} mmd_pose_values;

bool mmd_pose_values_init(mmd_pose_values *values, const mmd_model *model, mmd_arena *arena);
void mmd_pose_values_reset(mmd_pose_values *values, const mmd_model *model);

typedef struct mmd_pose mmd_pose;

/*
 * model must outlive the pose. NULL options: the default. NULL: out of memory.
 * IK whose chains and dependents are together longer than 4,096 and 16 times
 * the model's bones and links (no honest model comes near) stays unsolved.
 */
mmd_pose *mmd_pose_create(const mmd_model *model, const mmd_pose_options *options);
void mmd_pose_destroy(mmd_pose *pose); /* NULL is allowed */

/* Whether mmd_pose_evaluate looks at previous: something refers to a bone that comes later in the order. */
bool mmd_pose_needs_previous(const mmd_pose *pose);

/*
 * The half before physics: effective morph weights, material values, all bones
 * without MMD_BONE_AFTER_PHYSICS, with append and IK. previous holds the
 * values of one frame earlier and is looked at only if mmd_pose_needs_previous
 * (a parent or append source later in the order gives its value of then,
 * computed from rest); NULL means the same as values.
 */
void mmd_pose_evaluate(mmd_pose *pose, const mmd_pose_values *values, const mmd_pose_values *previous);

/*
 * The half after physics: if bones are overridden, everything that hangs on
 * them (appends refreshed, IK not solved again); then the bones with
 * MMD_BONE_AFTER_PHYSICS; then the palette. Call it once after each
 * mmd_pose_evaluate, with or without physics.
 */
void mmd_pose_finish(mmd_pose *pose);

/* Results, valid until the next evaluation: by bone in file order, by morph, by material. */
const mmd_transform *mmd_pose_world(const mmd_pose *pose);
const mmd_transform *mmd_pose_palette(const mmd_pose *pose); /* world times inverse rest, for skinning */
/* The same with scale, by bone: what vertices go by in place of the palette. NULL while there is none. */
const mmd_affine *mmd_pose_affine_palette(const mmd_pose *pose);
const float *mmd_pose_weights(const mmd_pose *pose); /* effective: groups spread, flips applied */
const mmd_material_values *mmd_pose_materials(const mmd_pose *pose);

/*
 * What add-type material morphs give to the texture, sphere and toon factors,
 * by material. Colours and sizes in mmd_pose_materials have their additions
 * inside; the three factors there are the products only, since drawing wants
 * the two apart (docs/mmd.md 6.4).
 */
typedef struct mmd_material_adds {
    float texture[4], sphere[4], toon[4];
} mmd_material_adds;
const mmd_material_adds *mmd_pose_material_adds(const mmd_pose *pose);

/*
 * The user's edits of a bone: offset added to the translation, rotation
 * innermost but for append (docs/formats.md 6). Identity until set. Append and IK see them.
 */
void mmd_pose_set_user(mmd_pose *pose, uint32_t bone, const float translation[3], const float rotation[4]);
void mmd_pose_get_user(const mmd_pose *pose, uint32_t bone, float translation[3], float rotation[4]);

/*
 * The user's scale of a bone that is a node of a glTF, along the axes that the
 * node has at rest (mmd_model.node_turns): T R S as glTF has it (2.0, 3.5.3), S
 * innermost, beside what animations scale, and children inherit it. Numbers are
 * finite and above 0; 1 until set. While any is not 1, the pose has an affine
 * palette, and memory for it from the first one on; before and after that it
 * costs nothing. False: out of memory, and nothing changed.
 */
bool mmd_pose_can_scale(const mmd_pose *pose); /* its bones are nodes of a glTF */
bool mmd_pose_set_user_scale(mmd_pose *pose, uint32_t bone, const float scale[3]);
void mmd_pose_get_user_scale(const mmd_pose *pose, uint32_t bone, float scale[3]);

/*
 * A bone's transform op by op, as the pose stands: what its local transform is
 * made of, outermost first (docs/formats.md 6): rest, motion, user, morph and append
 * translations added up; then rotations, ik * morph * motion * user * append.
 * The motion's are those of the values that were evaluated.
 */
typedef struct mmd_bone_ops {
    float rest[3]; /* from the parent's place at rest */
    float user_translation[3], morph_translation[3], append_translation[3];
    float ik[4], morph_rotation[4], user_rotation[4], append_rotation[4];
    bool overridden; /* by physics: its world is not the product; append is then what its dependents see */
} mmd_bone_ops;
void mmd_pose_bone_ops(const mmd_pose *pose, uint32_t bone, mmd_bone_ops *ops);

/* World matrix of a bone, column-major, with scale where the model has it; and of what its ops hang in: its
 * parent's, seen through its external parent's. */
void mmd_pose_bone_matrix(const mmd_pose *pose, uint32_t bone, float matrix[16]);
void mmd_pose_bone_frame(const mmd_pose *pose, uint32_t bone, float matrix[16]);

/*
 * An external parent: world is the transform of another model's bone, which
 * the bone's own world transform is multiplied with from the left, so that a
 * bone resting at the origin lands on the other bone. NULL takes it away.
 */
void mmd_pose_set_external_parent(mmd_pose *pose, uint32_t bone, const mmd_transform *world);

/*
 * What physics says of a bone, between mmd_pose_evaluate and mmd_pose_finish:
 * its world transform, or only the rotation (the position stays the
 * hierarchy's). Overrides hold until cleared. NULL clears.
 */
void mmd_pose_override(mmd_pose *pose, uint32_t bone, const mmd_transform *world, bool rotation_only);

/*
 * A clip: motions bound to a model. Later motions override the tracks that
 * earlier ones have of the same bone, morph or IK switch. Rotations on bones
 * with a fixed axis are projected on it.
 */
typedef struct mmd_clip mmd_clip;

/* model and motions must outlive the clip. NULL: out of memory. */
mmd_clip *mmd_clip_create(const mmd_model *model, const mmd_motion *const *motions, size_t motion_count);
void mmd_clip_destroy(mmd_clip *clip); /* NULL is allowed */

/*
 * Adds animations, which are not copied and must outlive the clip; once a
 * clip, before drifts. A frame is 1/30 of a second. They are the motion of
 * their bones and weights of their morphs, as they stand: nothing is projected
 * on fixed axes. Later animations and channels override earlier ones of the
 * same target, translation, rotation and scale each on its own; a motion takes
 * bones and morphs that it keys from all animations, whole. Channels of bones
 * or morphs that the model does not have say nothing, nor do those of scale
 * where mmd_model.has_scale is not set. False: out of memory; the clip can only
 * be destroyed then.
 */
bool mmd_clip_animate(mmd_clip *clip, const mmd_animation *animations, uint32_t count);

/* A bone that travels at constant speed from frame 0 on, where it is at rest. */
typedef struct mmd_drift {
    uint32_t bone;
    float center[3];  /* what it turns about, at rest: a point in the model's space */
    float linear[3];  /* of the centre, units a second */
    float angular[3]; /* radians a second about each axis of the model's space */
} mmd_drift;

/*
 * Sets the bones that drift (copied), once a clip. Of several for a bone the
 * last one counts. What keys move, themselves or a bone above them, does not
 * drift; a bone below one that drifts goes its own way, as seen from the model.
 * False: out of memory; the clip can only be destroyed then.
 */
bool mmd_clip_set_drifts(mmd_clip *clip, const mmd_drift *drifts, uint32_t count);
void mmd_clip_drift(mmd_clip *clip, bool on); /* off: they stay at rest. On at first */

/* All values at a frame. Not for two threads at a time (search hints); the values depend on frame only. */
void mmd_clip_sample(mmd_clip *clip, double frame, mmd_pose_values *values);

/*
 * Plain double-precision skinning: the reference of the shader, and `--skin
 * cpu`. uv has the model's UV morphs inside, extra the additional UVs with theirs.
 */
typedef struct mmd_skinned_vertex {
    double position[3], normal[3], tangent[3];
    double uv[2];
    double extra[4][4];
} mmd_skinned_vertex;

typedef enum mmd_sdef_variant { MMD_SDEF_LINEAR, MMD_SDEF_SLERP } mmd_sdef_variant;

/*
 * Skins every vertex: out has model->vertices.count elements. palette by bone,
 * weights by morph (effective). tangents: 3 floats a vertex or NULL.
 */
void mmd_skin_reference(const mmd_model *model, const mmd_transform *palette, const float *weights,
                        mmd_sdef_variant sdef, const float (*tangents)[3], mmd_skinned_vertex *out);

/* The same for a model as its pose stands. Where it has scale, every vertex is blended linearly. */
void mmd_pose_skin(const mmd_model *model, const mmd_pose *pose, mmd_sdef_variant sdef,
                   const float (*tangents)[3], mmd_skinned_vertex *out);

#ifdef __cplusplus
}
#endif

#endif
