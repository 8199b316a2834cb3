/* A long dance for a model, for tests and measurements of what grows with the number of keyframes. */
#ifndef ODORI_TEST_LONG_DANCE_H
#define ODORI_TEST_LONG_DANCE_H

#include "mmd/model.h"
#include "mmd/motion.h"

/*
 * Makes a motion of so many frames that moves up to 90 bones and all morphs of a model, with about `keys`
 * keyframes in all, four fifths of them of bones, densely in some parts and thinly in others; and camera keys
 * with a cut every five seconds. Finish it with mmd_arena_finish(&motion->arena). Aborts without memory.
 */
void long_dance_make(mmd_motion *motion, const mmd_model *model, uint32_t frames, uint32_t keys);

#endif
