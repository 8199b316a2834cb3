/* Finds the item of the scene that a click selects. */
#ifndef ODORI_GIZMO_PICK_H
#define ODORI_GIZMO_PICK_H

#include "gizmo_mouse.h"

/*
 * Finds the item under a pixel and returns whether there is one. The order is: the icon of the light; the
 * nearest mark of a bone within ten points, if bones are shown; the nearest mark of a joint, if joints are
 * shown; the first rigid body, if bodies are shown; the bone that animators move to move the visible surface
 * (edit/controller.h).
 */
bool gizmo_pick(odori_session *s, const gizmo_mouse_view *view, const double pixel[2], mmd_item *item);

/* Finds the bone with the largest weight on the visible surface, from a rendered picture of ids. */
bool gizmo_pick_surface(odori_session *s, const gizmo_mouse_view *view, const double pixel[2],
                        mmd_item *item);

/* Finds only the mark of a bone at a pixel. */
bool gizmo_pick_mark(odori_session *s, const gizmo_mouse_view *view, const double pixel[2], mmd_item *item);

/* Writes the path of an item, as mmd_edit_path does, for a quoted argument of a command line. Returns its
 * length, or capacity when it does not fit. */
size_t gizmo_pick_path(mmd_edit *edit, mmd_item item, char *text, size_t capacity);

/* Computes the world position of a bone, with the placement of its model. */
void gizmo_bone_position(const odori_session *s, size_t model, uint32_t bone, double placement[3]);

#endif
