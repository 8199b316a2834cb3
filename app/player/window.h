/* A window with a GL 3.3 core context, its keys and its mouse. The one place besides panels.c that knows
 * GLFW. */
#ifndef ODORI_WINDOW_H
#define ODORI_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "edit/session.h"
#include "mmd/gpu.h"
#include "mmd/log.h"

typedef struct odori_window odori_window;

/*
 * Creates a window. samples: of MSAA, 0 or 1 for none; the display's nearest number is taken. NULL where
 * there is no display, which goes to the log at info level, or where it gives no window with OpenGL 3.3,
 * which is a warning.
 */
odori_window *window_open(const char *title, uint32_t samples, const mmd_log *log);
void window_close(odori_window *window); /* NULL is allowed */

mmd_gpu_loader window_gl_loader(void);

void window_set_title(odori_window *window, const char *title);

/* Finds its size in pixels; 0 by 0 while there is nothing to draw to. */
void window_pixels(const odori_window *window, uint32_t *width, uint32_t *height);
bool window_is_hidden(const odori_window *window); /* nobody sees it: it is an icon, or not shown at all */
bool window_wants_close(const odori_window *window);
void window_swap(odori_window *window);

/* Full screen on the monitor that most of the window is on, and back to where it was. */
void window_set_full(odori_window *window, bool full);
bool window_is_full(const odori_window *window);

/* Tells whether a picture waits for the display's next one, as it does at first. */
void window_set_vsync(odori_window *window, bool vsync);

/* Returns the seconds that the monitor with most of the window shows a picture for; 0: nobody waits for it.
 */
double window_picture_time(const odori_window *window);

/* Get and set its size in screen coordinates; not while it is full. */
void window_set_size(odori_window *window, uint32_t width, uint32_t height);
void window_get_size(const odori_window *window, uint32_t *width,
                     uint32_t *height); /* of a full one: what it was */

/* Read and write the desktop's clipboard, UTF-8. What is read lasts until it is read again; NULL: there is no
 * text. */
void window_put_text(odori_window *window, const char *text);
const char *window_get_text(odori_window *window);

/* Handles what has happened; sleeps until something does, but no longer than so many seconds. */
void window_events(odori_window *window, double longest);

/* Lets the window's events act on a session, which must outlive the window. */
void window_connect(odori_window *window, odori_session *session);

/* Mouse and keys as they are at first, for --help. */
void window_help(char *text, size_t size);

#endif
