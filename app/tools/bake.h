/* The part of `bake` that `convert --motion` uses. */
#ifndef ODORI_BAKE_H
#define ODORI_BAKE_H

#include "base/message.h"
#include "scene/scene.h"

/*
 * Bakes the motions of a model from frame 0 to their last into keyframes of plain bones, for formats that have no
 * append, IK and bone morphs. physics: whether the simulation is included. *result is destroyed with
 * mmd_motion_destroy. False: the problem is filled.
 */
bool baking_plain(const odori_scene *s, const scene_model *dancer, bool physics, mmd_motion **result,
                  problem *why);

#endif
