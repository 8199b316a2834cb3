/* The members of a window, for window*.c and panels.c, and what differs between systems: window_posix.c and
 * window_windows.c. */
#ifndef ODORI_WINDOW_INTERNAL_H
#define ODORI_WINDOW_INTERNAL_H

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "edit/session.h"
#include "window.h"

typedef enum drag_kind { DRAG_NONE, DRAG_ORBIT, DRAG_PAN, DRAG_ZOOM } drag_kind;

struct odori_panels;
struct odori_mascot;

typedef struct odori_input {
    odori_session *session;      /* NULL until connected: events do nothing */
    struct odori_panels *panels; /* take events first (panels.h); NULL: there are none */
    struct odori_mascot *mascot; /* likewise (mascot.h); NULL: the window is none */
    drag_kind drag;
    int drag_button;
    /*
     * Position of the pointer by its last event, in screen coordinates. It is not queried, because GLFW would
     * return the present position, while older events are still being processed.
     */
    double x, y;
    bool known; /* there was an event */
} odori_input;

struct odori_window {
    GLFWwindow *handle;
    odori_input input;
    int before[4]; /* position and size before full screen */
    bool vsync;    /* requested; drivers may ignore it */
};

/* Where key bindings are, for --help. */
extern const char window_keys_file[];

/* Gives a new window what its system's windows have and GLFW does not set. */
void window_dress(odori_window *window);

#endif
