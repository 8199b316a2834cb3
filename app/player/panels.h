/*
 * The player's panels and timeline (app/ui) over what its window shows. The
 * timeline comes with the pointer and goes when it has rested while the dance
 * plays, or has left the window; the panels are there as the session's
 * settings say. Nothing is made before it is first needed, and nothing drawn
 * while nothing changes.
 */
#ifndef ODORI_PANELS_H
#define ODORI_PANELS_H

#include "recipe/draw.h"
#include "edit/session.h"
#include "window.h"

typedef struct odori_panels odori_panels;

/* Creates the panels. The window's context must be current here, when they draw and when they go; all three
 * outlive the panels. NULL: out of memory, and the player does without. */
odori_panels *panels_create(odori_window *window, odori_session *session, odori_screen *screen);
void panels_destroy(odori_panels *p); /* NULL is allowed */

/* Tells whether something of them is to be drawn, though the scene may be what it was. NULL: no. */
bool panels_want_picture(const odori_panels *p);

/* Puts the picture that they lay over in the window again. False: it is to be drawn, the scene has changed or
 * nobody kept it. */
bool panels_show_picture(odori_panels *p, uint32_t width, uint32_t height);

/* Draws them over the picture in the window, which took so many seconds (0: it was kept), and runs what was
 * clicked. A picture that stands is kept: the pointer on a slider need not draw the dancer anew. */
void panels_draw(odori_panels *p, double seconds);

/* Returns the pixels that lengths over the picture are in: 1, or 2 where they are
 * half as large. */
double panels_point(const odori_panels *p);

/* Finds the pixels of a window of this size from its left and top that neither panels nor timeline cover,
 * whether the latter is shown just now or not; 0: all of them, or next to none are left. */
void panels_room(const odori_panels *p, uint32_t width, uint32_t height, double room[2]);

/* Events, for window.c: numbers are GLFW's, places in screen coordinates. True: taken, nobody else's. */
bool panels_take_key(odori_panels *p, int key, int action, int modifiers);
bool panels_take_button(odori_panels *p, int button, int action);
bool panels_take_wheel(odori_panels *p, double notches);
void panels_on_move(odori_panels *p, double x, double y);

#endif
