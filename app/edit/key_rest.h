/*
 * Motions whose bones have no keyframe at frame 0. Their first keyframe holds from frame 0 on, where MMD
 * itself has a keyframe at rest (docs/mmd.md 3.1).
 */
#ifndef ODORI_KEY_REST_H
#define ODORI_KEY_REST_H

#include "key_row.h"
#include "session.h"

/* Counts the bones of a model whose first keyframe in a motion is after frame 0 and not at rest. first
 * receives the earliest of these frames, if any. */
uint32_t key_rest_count(const mmd_motion *motion, const mmd_model *model, uint32_t *first);

/* Returns whether the first keyframe of a row of a bone or morph is after frame 0 and not at rest. */
bool key_rest_is_late(const key_row *row);

/* Adds keyframes at rest at frame 0 to all bones and morphs of the selected model that have keyframes but
 * none there, as one step of undo. Returns false with the reason in error; nothing has changed then. */
bool key_rest(odori_session *s, char *error);

#endif
