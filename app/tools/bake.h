/* What `bake` does for `convert --motion`. */
#ifndef ODORI_BAKE_H
#define ODORI_BAKE_H

#include "base/message.h"
#include "scene/scene.h"

/*
 * Bakes all that the scene's motions do with its dancer, from frame 0 to their
 * last, into keys of plain bones: without append, IK or bone morphs at work in
 * whoever plays them (formats that know none of these). The caller owns the
 * motion.
 */
bool baking_plain(const odori_scene *s, const scene_model *dancer, bool physics, mmd_motion **result,
                  problem *why);

#endif
