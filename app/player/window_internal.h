/* What a window is made of: for window.c, and for panels.c, which has some of its events. */
#ifndef ODORI_WINDOW_INTERNAL_H
#define ODORI_WINDOW_INTERNAL_H

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "edit/session.h"
#include "window.h"

typedef enum drag_kind { DRAG_NONE, DRAG_ORBIT, DRAG_PAN, DRAG_ZOOM } drag_kind;

struct odori_panels;

typedef struct odori_input {
    odori_session *session;      /* NULL until connected: events do nothing */
    struct odori_panels *panels; /* events on them are theirs (panels.h); NULL: there are none */
    drag_kind drag;
    int drag_button;
    /*
     * Of the pointer, by its events. Not by asking: the answer is where it is
     * now, which a slow picture may be behind of.
     */
    double x, y;
    bool known;
} odori_input;

struct odori_window {
    GLFWwindow *handle;
    odori_input input;
    int before[4]; /* place and size, of the window that is full now */
    bool vsync;    /* wanted; whether drivers do so is theirs */
};

#endif
