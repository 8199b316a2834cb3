/* For window.c and window.c. */
#ifndef ODORI_WINDOW_INTERNAL_H
#define ODORI_WINDOW_INTERNAL_H

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "input.h"
#include "window.h"

struct odori_window {
    GLFWwindow *handle;
    odori_input input;
    int before[4]; /* place and size, of the window that is full now */
    bool vsync;    /* wanted; whether drivers do so is theirs */
};

/* Where GLFW's callbacks go. */
void input_attach(odori_window *window);

#endif
