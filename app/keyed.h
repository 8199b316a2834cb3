/*
 * Motions whose keys are edited: copies of the scene's, one for each model that
 * a motion moves, made when a key is first set in it.
 */
#ifndef ODORI_KEYED_H
#define ODORI_KEYED_H

#include "mmd/edit.h"
#include "scene.h"

/* Edits of bones write keys from here on, or edit poses again. */
void keyed_begin(odori_scene *s, mmd_edit *edit, bool on);

/* The motion of a model that was edited last; else the one of the scene's that moves it last; NULL: none
 * does. */
const mmd_motion *keyed_motion(const odori_scene *s, size_t model);

void keyed_finish(odori_scene *s);

#endif
