/* What the mascot needs of the window system beyond GLFW: mascot_x11.c for X11, mascot_windows.c for Windows,
 * mascot_none.c for others. */
#ifndef ODORI_MASCOT_SYSTEM_H
#define ODORI_MASCOT_SYSTEM_H

#include "mascot_shape.h"
#include "window.h"

typedef struct mascot_system mascot_system;

/* Connects to the system of a window. Returns NULL where it cannot do what follows. Close it before the
 * window. */
mascot_system *mascot_system_open(const odori_window *window);
void mascot_system_close(mascot_system *system); /* does nothing when NULL */

/* Asks to keep the window above others, and out of lists of windows. Call it before the window is shown. */
void mascot_system_keep_above(mascot_system *system);

/* Why the desktop is not seen behind her where the window has no alpha, and what helps, for a message. */
extern const char mascot_system_opaque[];

/* Sets the part of the window that takes the mouse. Elsewhere it reaches the windows behind. */
void mascot_system_set_shape(mascot_system *system, const mascot_shape *shape);

#endif
