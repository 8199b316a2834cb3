/*
 * The player's panels and timeline (app/ui) beside the picture of the scene in its window (ui/layout.h), and
 * messages over it. The timeline appears when the mouse moves. It hides when the pointer rests during
 * playback or leaves the window. The session's settings show and hide the panels. Nothing is created before
 * it is first needed, and nothing is drawn while nothing changes.
 */
#ifndef ODORI_PANELS_H
#define ODORI_PANELS_H

#include "recipe/draw.h"
#include "edit/session.h"
#include "window.h"

typedef struct odori_panels odori_panels;

/* Creates the panels. The arguments must outlive them. The window's GL context must be current here and in
 * all other calls. Returns NULL when out of memory; the player works without panels then. */
odori_panels *panels_create(odori_window *window, odori_session *session, odori_screen *screen);
void panels_destroy(odori_panels *p); /* does nothing when NULL */

/* Takes over what has come for the panels meanwhile. To be called once in each turn of the player. Does
 * nothing when NULL. */
void panels_poll(odori_panels *p);

/* Returns whether the panels need a new frame, even if the scene has not changed. */
bool panels_want_picture(const odori_panels *p);

/* Copies the stored picture of the scene to the window. Returns false when there is none of this size, so
 * that the scene must be drawn. */
bool panels_show_picture(odori_panels *p, uint32_t width, uint32_t height);

/* Draws the panels beside the scene and runs the commands of what was clicked. `seconds` is the time that
 * drawing the scene took, or 0 if it was copied. While nothing moves the scene is stored, so that moving the
 * pointer over the panels does not draw it again. */
void panels_draw(odori_panels *p, double seconds);

/* Returns the seconds until a message over the picture closes by itself, which needs a new frame. INFINITY:
 * none does. */
double panels_wait(const odori_panels *p);

/* Handle events of window.c, with GLFW's numbers and screen coordinates. Those that return true have consumed
 * the event.
 */
bool panels_take_key(odori_panels *p, int key, int action, int modifiers);
bool panels_take_button(odori_panels *p, int button, int action);
bool panels_take_wheel(odori_panels *p, double notches);
void panels_on_move(odori_panels *p, double x, double y);

#endif
