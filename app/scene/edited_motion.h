/*
 * Motions whose keys are edited: copies of the scene's, one for each model that
 * a motion moves, and one for the stage where it says camera or light, made
 * when a key is first set in it.
 */
#ifndef ODORI_KEYED_H
#define ODORI_KEYED_H

#include "mmd/edit.h"
#include "scene.h"

/*
 * Edits of bones, camera and light write keys from here on, or edit poses and
 * the view again. The user pointer of the edit's options points to a pointer to
 * the scene, or to a struct that begins with one, as a history does.
 */
void edited_motion_begin(mmd_edit *edit, bool on);

/* Whether there is no key of any kind. */
bool motion_is_empty(const mmd_motion *motion);

/* The motions that move a model as they are played, one after the other, with the keys that were edited;
 * those behind override those before. One of no file counts once it has keys. NULL: there are no more. */
const mmd_motion *edited_motion_played(const odori_scene *s, size_t model, size_t number);

/* A file of all of them, of which there is one at least, together. */
mmd_status edited_motion_write(const odori_scene *s, size_t model, mmd_buffer *out, mmd_error *error);

/* The motion whose keys of a bone, a morph, a model's switches, the camera, the light or self shadow count,
 * and the row that they are in. NULL: there are no such keys. */
const mmd_motion *edited_motion_of(const odori_scene *s, mmd_item item, mmd_key_row *row);

/* The same of MMD_KEY_CAMERA, MMD_KEY_LIGHT or MMD_KEY_SELF_SHADOW. */
const mmd_motion *edited_motion_of_stage(const odori_scene *s, mmd_key_kind kind);

/* A file of camera, light and shadow as they count, those of several motions together. *any (false): there
 * are none. */
mmd_status edited_motion_write_stage(const odori_scene *s, mmd_buffer *out, bool *any, mmd_error *error);

/* Where keys of camera, light and self shadow go. NULL: out of memory. */
const edited_motion *edited_motion_for_stage(odori_scene *s, mmd_key_kind kind);

/* For those: a copy of one of the scene's motions (-1: one without keys) at the list's end, which does not
 * count it yet. NULL: out of memory. */
edited_motion *edited_motion_copy(odori_scene *s, size_t model, int64_t source);

void edited_motions_finish(odori_scene *s);

#endif
