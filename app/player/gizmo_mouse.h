/* The mouse over the player's picture: it grips the gizmo's handles, drags them, and selects by clicks. */
#ifndef ODORI_GIZMO_MOUSE_H
#define ODORI_GIZMO_MOUSE_H

#include "edit/session.h"

/* The picture that the mouse is over. */
typedef struct gizmo_mouse_view {
    uint32_t width, height; /* pixels */
    double point;           /* pixels of a length on the screen: 2 where they are half as large */
    double room[2];         /* pixels from its left and top that no panel covers; 0: all */
} gizmo_mouse_view;

gizmo_camera gizmo_mouse_camera(const odori_session *s, const gizmo_mouse_view *view);

/* Makes the gizmo of what was selected last, or amid all of it where they are turned about one point; item:
 * that it edits. A light has rings, whatever the mode. False: there is none, or it is not seen; why is "" or
 * the reason. */
bool gizmo_mouse_gizmo(odori_session *s, const gizmo_mouse_view *view, gizmo *out, mmd_item *item,
                       const char **why);

/* Takes the left button, in pixels of the picture. A press takes hold of a handle: true. A release lets it
 * go, or is a click where the press was: that selects, adds or takes away (adds), or clears. Without a press
 * it does nothing. */
bool gizmo_mouse_press(odori_session *s, const gizmo_mouse_view *view, const double pixel[2]);
void gizmo_mouse_release(odori_session *s, const gizmo_mouse_view *view, bool adds);

/* Takes a move of the pointer. True: a handle is dragged, and goes along. */
bool gizmo_mouse_move(odori_session *s, const gizmo_mouse_view *view, const double pixel[2]);

/* Tells whether a press began here that has not ended; whether it has a handle. */
bool gizmo_mouse_is_down(const odori_session *s);
bool gizmo_mouse_is_dragging(const odori_session *s);

/* Finds where the light's sun and the end of its line are seen, in pixels. False: it is not shown: neither is
 * the light selected, nor the page of editing open. */
bool gizmo_mouse_sun(const odori_session *s, const gizmo_mouse_view *view, double sun[2], double end[2]);

/* Writes what a drag says: "+12.5°". */
void gizmo_mouse_label(const odori_session *s, char *text, size_t size);

#endif
