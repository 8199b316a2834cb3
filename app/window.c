#include "window_internal.h"

#include <stdlib.h>

#include "mmd/memory.h"

enum { WINDOW_WIDTH = 1280, WINDOW_HEIGHT = 720 };

/* Whether the environment promises one: then it is news that it cannot be used. */
static bool has_display(void)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x && *x) || (wayland && *wayland);
}

static void log_glfw(const mmd_log *log, mmd_log_level level, const char *what)
{
    const char *text = NULL;
    glfwGetError(&text);
    mmd_log_message(log, level, "%s: %s", what, text ? text : "no reason given");
}

/* samples is a wish: GLFW takes the nearest that there is. */
static GLFWwindow *create(const char *title, uint32_t samples)
{
    glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_API);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 24);
    glfwWindowHint(GLFW_STENCIL_BITS, 8);
    glfwWindowHint(GLFW_SAMPLES, samples > 1 ? (int)samples : 0);
    return glfwCreateWindow(WINDOW_WIDTH, WINDOW_HEIGHT, title, NULL, NULL);
}

odori_window *window_open(const char *title, uint32_t samples, const mmd_log *log)
{
    odori_window *window = mmd_alloc(sizeof *window);
    if (!window)
        return NULL;
    *window = (odori_window){0};
    if (!glfwInit()) {
        log_glfw(log, has_display() ? MMD_LOG_WARNING : MMD_LOG_INFO, "no display");
        goto free_window;
    }
    window->handle = create(title, samples);
    if (!window->handle) {
        log_glfw(log, MMD_LOG_WARNING, "no window");
        goto terminate;
    }
    glfwMakeContextCurrent(window->handle);
    glfwSwapInterval(1);
    input_attach(window);
    return window;
terminate:
    glfwTerminate();
free_window:
    mmd_free(window);
    return NULL;
}

void window_close(odori_window *window)
{
    if (!window)
        return;
    glfwDestroyWindow(window->handle);
    glfwTerminate();
    mmd_free(window);
}

mmd_gpu_loader window_gl_loader(void)
{
    return glfwGetProcAddress;
}

void window_set_title(odori_window *window, const char *title)
{
    glfwSetWindowTitle(window->handle, title);
}

void window_pixels(const odori_window *window, uint32_t *width, uint32_t *height)
{
    int w, h;
    glfwGetFramebufferSize(window->handle, &w, &h);
    *width = w > 0 ? (uint32_t)w : 0;
    *height = h > 0 ? (uint32_t)h : 0;
}

bool window_is_hidden(const odori_window *window)
{
    return glfwGetWindowAttrib(window->handle, GLFW_ICONIFIED) == GLFW_TRUE;
}

bool window_wants_close(const odori_window *window)
{
    return glfwWindowShouldClose(window->handle);
}

void window_swap(odori_window *window)
{
    glfwSwapBuffers(window->handle);
}

void window_events(odori_window *window, bool wait)
{
    (void)window;
    if (wait)
        glfwWaitEvents();
    else
        glfwPollEvents();
}
