/*
 * Baking: IK, append, physics, edits by hand and external parents written as
 * plain bone keys, so that a program which knows none of them plays the same.
 *
 * The inverse of a pose's evaluation: given where all bones are at a frame, the
 * keys with which a pose without IK and without physics puts them there. Append
 * and morphs stay at work in whoever plays the keys, so keys say what is
 * missing beside them. Each bone is solved against its parent as the keys before
 * it place it, so that neither rounding nor a reduced curve's error adds up
 * along a chain.
 */
#ifndef MMD_BAKE_H
#define MMD_BAKE_H

#include "mmd/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why keys cannot put a bone where it was. What hangs on it is where it should be all the same. */
typedef enum mmd_bake_obstacle {
    MMD_BAKE_NONE,       /* they can */
    MMD_BAKE_FIXED_AXIS, /* its turns become turns about its axis when a motion is loaded */
    MMD_BAKE_NO_NAME,    /* CP932 has no name for it */
    MMD_BAKE_NAME_TAKEN, /* an earlier bone has the same 15 bytes of name */
    MMD_BAKE_INTERNAL    /* it is not in the model's file */
} mmd_bake_obstacle;

typedef struct mmd_bake_options {
    float position_error; /* units; 0: every frame as it is, exactly */
    float rotation_error; /* radians; 0: as much as moves the farthest thing that hangs on the bone by
                             position_error */
    bool curves;          /* reduces with Bezier curves, too, not with straight lines alone */
    bool physics_off; /* keys of bones with moving bodies switch these off, always; else as the motion has it
                       */
    uint32_t first_frame; /* number of the first frame baked */
    uint32_t window; /* frames reduced at a time, at least 1; fewer where they would take more than 128 MiB */
} mmd_bake_options;

/* Every frame, from frame 0, physics_off, curves; 600 frames at a time. */
mmd_bake_options mmd_default_bake_options(void);

typedef struct mmd_bake mmd_bake;

/*
 * model and motions must outlive the bake. motions are those that moved the
 * model: morph tracks are copied from them, later ones over earlier ones.
 * Memory: that of the window, and of the keys. NULL: out of memory. Not for two
 * threads at a time.
 */
mmd_bake *mmd_bake_create(const mmd_model *model, const mmd_motion *const *motions, size_t motion_count,
                          const mmd_bake_options *options);
void mmd_bake_destroy(mmd_bake *bake); /* NULL is allowed */

/*
 * The next frame, one after the other: the world of every bone, as
 * mmd_pose_world has it, and what motions and hands said for it (weights,
 * visibility, physics switches). Both are copied. A world that is not finite
 * keeps the bone's key of the frame before. MMD_ERROR_MEMORY.
 */
mmd_status mmd_bake_frame(mmd_bake *bake, const mmd_transform *world, const mmd_pose_values *values,
                          mmd_error *error);

/*
 * Ends it and gives the motion: bone tracks of what moves (a single key where
 * the motions have the bone or its body is to be switched off), morph tracks as
 * the motions have them (cut to the frames baked; sampled where somebody else
 * set the weights), a property key with all IK off at frame 0 and one wherever
 * visibility changes. Of at least one frame. The caller owns the motion; the
 * bake can only be destroyed from here on. MMD_ERROR_MEMORY.
 */
mmd_status mmd_bake_finish(mmd_bake *bake, mmd_motion **motion, mmd_error *error);

mmd_bake_obstacle mmd_bake_bone_obstacle(const mmd_bake *bake, uint32_t bone);

/*
 * How far a bone may turn away, radians: the option's, or where that is 0 the
 * position's limit over the distance of the farthest vertex or child of the
 * bone, which counts as at least 1 unit. 0 without reduction.
 */
float mmd_bake_rotation_limit(const mmd_bake *bake, uint32_t bone);

#ifdef __cplusplus
}
#endif

#endif
