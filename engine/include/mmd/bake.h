/*
 * Baking writes the effects of IK, append, physics, edits by hand and external parents as plain bone keys, so
 * that a program that supports none of them plays the same movement.
 *
 * It inverts a pose's evaluation. Given the transforms of all bones at a frame, it finds the keys with which
 * a pose without IK and physics reproduces them. Append and bone morphs still act in the program that plays
 * the keys, so the keys hold only the difference. Each bone is solved against its parent as placed by the
 * keys already written, so neither rounding nor the error of a reduced curve accumulates along a chain.
 */
#ifndef MMD_BAKE_H
#define MMD_BAKE_H

#include "mmd/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why keys cannot reproduce the transform of a bone. Its children still end up where they should. */
typedef enum mmd_bake_obstacle {
    MMD_BAKE_NONE,       /* they can */
    MMD_BAKE_FIXED_AXIS, /* MMD projects its rotations on the fixed axis when it loads a motion */
    MMD_BAKE_NO_NAME,    /* its name cannot be written in CP932 */
    MMD_BAKE_NAME_TAKEN, /* an earlier bone has the same first 15 bytes of name */
    MMD_BAKE_INTERNAL    /* the engine added it, it is not in the model's file */
} mmd_bake_obstacle;

typedef struct mmd_bake_options {
    float position_error; /* largest error in units; 0: one exact key per frame */
    float rotation_error; /* largest error in radians; 0: the angle that moves the farthest dependent point
                             by position_error */
    bool curves;          /* reduces with Bezier curves in addition to straight lines */
    bool physics_off; /* the keys of bones with dynamic bodies switch physics off; false: as in the motions */
    uint32_t first_frame; /* frame number of the first baked frame */
    uint32_t window; /* frames reduced at a time, at least 1; lowered if they would need more than 128 MiB */
} mmd_bake_options;

/* Returns the default: exact keys at every frame from frame 0, physics_off and curves on, 600 frames at a
 * time. */
mmd_bake_options mmd_default_bake_options(void);

typedef struct mmd_bake mmd_bake;

/*
 * Starts a bake. model and motions must outlive it. motions are those that the model was played with; morph
 * tracks are copied from them, later ones overriding earlier ones. Memory use is that of the window and of
 * the keys. Returns NULL when out of memory. A bake may be used by one thread at a time.
 */
mmd_bake *mmd_bake_create(const mmd_model *model, const mmd_motion *const *motions, size_t motion_count,
                          const mmd_bake_options *options);
void mmd_bake_destroy(mmd_bake *bake); /* NULL is allowed */

/*
 * Appends the next frame: the world transform of every bone, as from mmd_pose_world, and the values it was
 * evaluated from (weights, visibility, physics switches). Both are copied. A bone whose transform is not
 * finite repeats its key of the previous frame. Fails with MMD_ERROR_MEMORY.
 */
mmd_status mmd_bake_frame(mmd_bake *bake, const mmd_transform *world, const mmd_pose_values *values,
                          mmd_error *error);

/*
 * Ends the bake after at least one frame and returns the motion, which the caller owns. It has a bone track
 * for each bone that moves (with a single key where the motions only mention the bone, or where its body is
 * to be switched off), morph tracks copied from the motions (cut to the baked frames, or sampled where
 * weights were set otherwise), a property key with all IK off at frame 0, and one wherever visibility
 * changes. Afterwards the bake can only be destroyed. Fails with MMD_ERROR_MEMORY.
 */
mmd_status mmd_bake_finish(mmd_bake *bake, mmd_motion **motion, mmd_error *error);

/* Returns why the bone's transform could not be reproduced, or MMD_BAKE_NONE. */
mmd_bake_obstacle mmd_bake_bone_obstacle(const mmd_bake *bake, uint32_t bone);

/*
 * Returns the rotation error allowed for a bone, in radians: the option's, or if that is 0, position_error
 * divided by the distance of the bone's farthest vertex or child (at least 1 unit). Returns 0 without
 * reduction.
 */
float mmd_bake_rotation_limit(const mmd_bake *bake, uint32_t bone);

#ifdef __cplusplus
}
#endif

#endif
