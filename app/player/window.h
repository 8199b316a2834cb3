/* A window with a GL 3.3 core context, its keyboard and mouse. Only window*.c and panels.c use GLFW. */
#ifndef ODORI_WINDOW_H
#define ODORI_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "edit/session.h"
#include "gizmo_mouse.h"
#include "mmd/gpu.h"
#include "mmd/log.h"
#include "ui/layout.h"

typedef struct odori_window odori_window;
struct odori_mascot;

/*
 * Creates a window. samples is the number of MSAA samples, 0 or 1 for none; the nearest supported number is
 * used. Returns NULL when there is no display (logged at info level) or when it has no window with OpenGL 3.3
 * (logged as a warning).
 */
odori_window *window_open(const char *title, uint32_t samples, const mmd_log *log);

/* Creates the window of a mascot (mascot.h): without a frame, above others, transparent where a compositor
 * allows it, without samples (which X11 has only for opaque windows), and hidden until window_show. It is on
 * the primary monitor. */
odori_window *window_open_mascot(const char *title, const mmd_log *log);
void window_show(odori_window *window);

/* Returns whether what is behind the window is seen where alpha is below 1, now that a compositor runs or
 * does not. Colours are premultiplied then. */
bool window_is_see_through(const odori_window *window);
void window_close(odori_window *window); /* does nothing when NULL */

/* Returns the function that loads GL functions of the current context. */
mmd_gpu_loader window_gl_loader(void);

void window_set_title(odori_window *window, const char *title);

/* Writes the size in pixels, 0 by 0 while there is nothing to draw to. */
void window_pixels(const odori_window *window, uint32_t *width, uint32_t *height);

/* Converts a position of the pointer from screen coordinates, in which GLFW gives it, to pixels. The picture
 * begins at the window's top left, so these are also the pixels of the picture. */
void window_pointer(const odori_window *window, double x, double y, double pixel[2]);

/* Returns the number of pixels per point: the scale of the panels, or else that of the display. */
double window_point(const odori_window *window, const panel_settings *settings);

/* Returns where picture and panels are, and the picture for the mouse. Both have a width and height of at
 * least 1. */
ui_layout window_layout(const odori_window *window, const panel_settings *settings);
gizmo_mouse_view window_view(const odori_window *window, const panel_settings *settings);

/* Sets the aspect ratio of a session to that of its picture in the window, and asks for a new frame. A window
 * without a size (minimised) leaves the ratio unchanged. */
void window_follow_layout(const odori_window *window, odori_session *session);

bool window_is_hidden(const odori_window *window); /* it is minimised or not shown */
/* Returns whether the user has asked to close the window since the last call. */
bool window_wants_close(const odori_window *window);
/* Returns whether there is a display: on Linux, whether the environment names one. */
bool window_has_display(void);
/* Returns whether Windows' Explorer has started the program: it has no console, or one for itself alone. */
bool window_is_from_desktop(void);
/* Leaves the console if it was opened for this program alone, as Explorer does: nobody reads it. */
void window_leave_console(void);
void window_swap(odori_window *window);

/* Enters full screen on the monitor that has the largest part of the window, or restores position and size.
 */
void window_set_full(odori_window *window, bool full);
bool window_is_full(const odori_window *window);

/* Sets whether window_swap waits for the refresh of the display, which is the default. */
void window_set_vsync(odori_window *window, bool vsync);

/* Returns the refresh interval of the window's monitor in seconds, or 0 without vsync. */
double window_picture_time(const odori_window *window);

/* Set and get the size in screen coordinates. In full screen, setting does nothing and getting returns the
 * size of before. */
void window_set_size(odori_window *window, uint32_t width, uint32_t height);
void window_get_size(const odori_window *window, uint32_t *width, uint32_t *height);

/* A rectangle in screen coordinates. */
typedef struct window_area {
    int x, y, width, height;
} window_area;

/* Return where the window is, and the part of its monitor that no bars of the desktop cover (all zero without
 * a monitor). */
window_area window_place(const odori_window *window);
window_area window_work_area(const odori_window *window);
void window_move(odori_window *window, int x, int y);

/* Writes where the pointer is now in the window, in screen coordinates from its top left. */
void window_find_pointer(const odori_window *window, double at[2]);

/* Write and read the text of the clipboard (UTF-8). window_get_text returns NULL when there is none; the text
 * is valid until the next call. */
void window_put_text(odori_window *window, const char *text);
const char *window_get_text(odori_window *window);

/* Processes events. Waits for one, but at most `longest` seconds. */
void window_events(odori_window *window, double longest);

/* Ends the waiting of window_events. Any thread; the argument is not used. */
void window_wake(void *unused);

/* Returns the number of the window for other programs: that of X11, the handle of Windows, or 0 on Wayland.
 */
uintptr_t window_number(const odori_window *window);

/* Sets the mascot that takes the window's mouse events, and Escape. NULL: there is none. */
void window_set_mascot(odori_window *window, struct odori_mascot *mascot);

/* Sets the session that events act on, which must outlive the window; NULL: events do nothing. */
void window_connect(odori_window *window, odori_session *session);

/* Writes the default mouse buttons and keys, for --help. */
void window_help(char *text, size_t size);

#endif
