/* Motions with edited keyframes. They are copies of the scene's motions, made when a key is first set: one
 * for each model that a motion moves, and one for the stage if it has camera or light keys. */
#ifndef ODORI_KEYED_H
#define ODORI_KEYED_H

#include "mmd/edit.h"
#include "scene.h"

/*
 * Switches whether edits of bones, camera and light write keyframes or change poses and the view. The user
 * pointer in the edit's options must point to a pointer to the scene, or to a struct that begins with one,
 * such as a history.
 */
void edited_motion_begin(mmd_edit *edit, bool on);

/* Tests whether a motion has no keyframe of any kind. */
bool motion_is_empty(const mmd_motion *motion);

/* Returns the motions that move a model as they are played, with edited keyframes; later ones override
 * earlier ones. A motion that came from no file is listed once it has keyframes. Returns NULL after the last.
 */
const mmd_motion *edited_motion_played(const odori_scene *s, size_t model, size_t number);

/* Writes all motions of a model, at least one, as a single VMD. */
mmd_status edited_motion_write(const odori_scene *s, size_t model, mmd_buffer *out, mmd_error *error);

/* Returns the motion whose keyframes of an item apply (a bone, a morph, a model's switches, camera, light or
 * self shadow) and fills in their row. NULL if there are no such keyframes. */
const mmd_motion *edited_motion_of(const odori_scene *s, mmd_item item, mmd_key_row *row);

/* Does the same for MMD_KEY_CAMERA, MMD_KEY_LIGHT or MMD_KEY_SELF_SHADOW. */
const mmd_motion *edited_motion_of_stage(const odori_scene *s, mmd_key_kind kind);

/* Writes the effective camera, light and shadow keyframes of all motions as one VMD. *any is set to false if
 * there are none. */
mmd_status edited_motion_write_stage(const odori_scene *s, mmd_buffer *out, bool *any, mmd_error *error);

/* Uses camera, light and shadow of one of the scene's motions, with edited keyframes, or no longer. Returns
 * false if out of memory. */
bool edited_motion_use_on_stage(odori_scene *s, size_t source, bool on);

/* Returns the motion that receives new keyframes of camera, light or self shadow. NULL if out of memory. */
const edited_motion *edited_motion_for_stage(odori_scene *s, mmd_key_kind kind);

/* Appends a copy of one of the scene's motions (-1: an empty one) to the list, whose count the caller then
 * increments. Returns NULL if out of memory. */
edited_motion *edited_motion_copy(odori_scene *s, size_t model, int64_t source);

void edited_motions_finish(odori_scene *s);

#endif
