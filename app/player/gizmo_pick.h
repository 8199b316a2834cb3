/* Finds what of a scene a click on the picture means. */
#ifndef ODORI_GIZMO_PICK_H
#define ODORI_GIZMO_PICK_H

#include "gizmo_mouse.h"

/*
 * Finds the item under a pixel: the light's sun, where it is shown; where bones are shown, the nearest one's
 * mark within ten points; where joints are, so theirs; where bodies are, the first that lies there; else the
 * bone that moves what is seen most, or what of those above it people pose. False: nothing.
 */
bool gizmo_pick(odori_session *s, const gizmo_mouse_view *view, const double pixel[2], mmd_item *item);

/* Finds the mark of a bone there alone. */
bool gizmo_pick_mark(odori_session *s, const gizmo_mouse_view *view, const double pixel[2], mmd_item *item);

/* Writes the item's path as mmd_edit_path does, for a word in quotes of a line of commands. */
size_t gizmo_pick_path(mmd_edit *edit, mmd_item item, char *text, size_t capacity);

/* Finds where a bone of a model is in the world. */
void gizmo_bone_place(const odori_session *s, size_t model, uint32_t bone, double place[3]);

#endif
