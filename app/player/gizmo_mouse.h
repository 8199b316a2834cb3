/* The mouse over the scene of the player: drags the handles of the gizmo, and selects items by clicks. */
#ifndef ODORI_GIZMO_MOUSE_H
#define ODORI_GIZMO_MOUSE_H

#include "edit/session.h"

/* The scene's picture, which begins at the top left of the window. */
typedef struct gizmo_mouse_view {
    uint32_t width, height; /* pixels */
    double point;           /* pixels per point, 2 on a display with twice the usual resolution */
    double room[2];         /* width and height in pixels, from the top left, that the bar leaves; 0: all */
} gizmo_mouse_view;

/* Returns the camera of the stage for this picture. */
gizmo_camera gizmo_mouse_camera(const odori_session *s, const gizmo_mouse_view *view);

/* Makes the gizmo of the item that was selected last, or of the centre of the selection if all turn about
 * that. *item is the item that it edits. A light always has rotation rings. Returns false if there is none or
 * it is not visible; *why is then the reason or "". */
bool gizmo_mouse_gizmo(odori_session *s, const gizmo_mouse_view *view, gizmo *out, mmd_item *item,
                       const char **why);

/* Bits of a click: what it selects, and whether it adds to the selection. */
enum {
    GIZMO_CLICK_ADDS = 1, /* adds the item to the selection, or removes it */
    GIZMO_CLICK_UP = 2,   /* one level up (controller_raise) from what is selected or would be selected */
    GIZMO_CLICK_EXACT = 4 /* the very bone with the largest weight on the surface */
};

/* Handle the left button, in pixels of the picture. A press returns whether it began to drag a handle. A
 * release ends the drag. Without a drag or a move it is a click, which selects an item as the bits say, or
 * clears the selection. A release without a press does nothing. */
bool gizmo_mouse_press(odori_session *s, const gizmo_mouse_view *view, const double pixel[2]);
void gizmo_mouse_release(odori_session *s, const gizmo_mouse_view *view, unsigned how);

/* Handles a move of the pointer. Returns whether a handle is being dragged. */
bool gizmo_mouse_move(odori_session *s, const gizmo_mouse_view *view, const double pixel[2]);

/* Return whether a press on the scene has not been released yet, and whether it drags a handle. */
bool gizmo_mouse_is_down(const odori_session *s);
bool gizmo_mouse_is_dragging(const odori_session *s);

/* Computes the pixels of the light's icon and of the end of its direction line. Returns false when it is not
 * shown, which it is only while the light is selected. */
bool gizmo_mouse_sun(const odori_session *s, const gizmo_mouse_view *view, double sun[2], double end[2]);

/* Writes the amount of the drag, for example "+12.5°", or "" without a drag. */
void gizmo_mouse_label(const odori_session *s, char *text, size_t size);

#endif
