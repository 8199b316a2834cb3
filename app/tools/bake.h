/* What `bake` and `convert --motion` share: playing motions frame by frame into a bake. */
#ifndef ODORI_BAKE_H
#define ODORI_BAKE_H

#include "mmd/bake.h"
#include "base/progress.h"
#include "scene/scene.h"

/* The motions that move the scene's dancers, for mmd_free; NULL: out of memory. */
const mmd_motion **baking_motions(const odori_scene *s, size_t *count);

/*
 * Plays the frames and ends the bake. *done counts steps of the bar. EXIT_DONE
 * and the motion, or the exit code of what was reported.
 */
int baking_frames(const odori_scene *s, mmd_actor *actor, mmd_bake *bake, uint32_t first, uint32_t last,
                  progress *bar, size_t *done, mmd_motion **result);

/*
 * All that the scene's motions do with its dancer, from frame 0 to their last,
 * as keys of plain bones: without append, IK or bone morphs at work in whoever
 * plays them (formats that know none of these). The caller owns the motion.
 */
int baking_plain(const odori_scene *s, const scene_model *dancer, bool physics, mmd_motion **result);

#endif
