#include "window_internal.h"

#include <stdlib.h>

#include "mmd/memory.h"

/* Of a monitor that does not say its own. */
#define REFRESH_RATE 60.0

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
    window_set_vsync(window, true);
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
    return glfwGetWindowAttrib(window->handle, GLFW_ICONIFIED) == GLFW_TRUE ||
           glfwGetWindowAttrib(window->handle, GLFW_VISIBLE) == GLFW_FALSE;
}

bool window_wants_close(const odori_window *window)
{
    return glfwWindowShouldClose(window->handle);
}

bool window_is_full(const odori_window *window)
{
    return glfwGetWindowMonitor(window->handle) != NULL;
}

/* How many screen coordinates of a row lie in both. */
static int overlap(int a, int a_size, int b, int b_size)
{
    int end = a + a_size < b + b_size ? a + a_size : b + b_size, start = a > b ? a : b;
    return end > start ? end - start : 0;
}

/* NULL: there is none. */
static GLFWmonitor *nearest_monitor(const odori_window *window)
{
    int count, x, y, width, height, most = -1;
    GLFWmonitor **monitors = glfwGetMonitors(&count), *nearest = NULL;
    glfwGetWindowPos(window->handle, &x, &y);
    glfwGetWindowSize(window->handle, &width, &height);
    for (int i = 0; i < count; i++) {
        int left, top;
        const GLFWvidmode *mode = glfwGetVideoMode(monitors[i]);
        glfwGetMonitorPos(monitors[i], &left, &top);
        int both = mode ? overlap(x, width, left, mode->width) * overlap(y, height, top, mode->height) : -1;
        if (both > most) {
            most = both;
            nearest = monitors[i];
        }
    }
    return nearest;
}

/* In the mode that the monitor has: nothing is switched, so nothing flickers. */
void window_set_full(odori_window *window, bool full)
{
    int *b = window->before;
    GLFWmonitor *monitor = full ? nearest_monitor(window) : NULL;
    if (full == window_is_full(window) || (full && !monitor))
        return;
    if (full) {
        const GLFWvidmode *mode = glfwGetVideoMode(monitor);
        glfwGetWindowPos(window->handle, &b[0], &b[1]);
        glfwGetWindowSize(window->handle, &b[2], &b[3]);
        glfwSetWindowMonitor(window->handle, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    } else {
        glfwSetWindowMonitor(window->handle, NULL, b[0], b[1], b[2], b[3], GLFW_DONT_CARE);
    }
}

void window_set_vsync(odori_window *window, bool vsync)
{
    window->vsync = vsync;
    glfwSwapInterval(vsync ? 1 : 0);
}

double window_picture_time(const odori_window *window)
{
    GLFWmonitor *monitor = window->vsync ? nearest_monitor(window) : NULL;
    const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
    if (!window->vsync)
        return 0;
    return 1 / (mode && mode->refreshRate > 0 ? mode->refreshRate : REFRESH_RATE);
}

void window_set_size(odori_window *window, uint32_t width, uint32_t height)
{
    if (!window_is_full(window))
        glfwSetWindowSize(window->handle, (int)width, (int)height);
}

void window_get_size(const odori_window *window, uint32_t *width, uint32_t *height)
{
    int w = window->before[2], h = window->before[3];
    if (!window_is_full(window))
        glfwGetWindowSize(window->handle, &w, &h);
    *width = w > 0 ? (uint32_t)w : 0;
    *height = h > 0 ? (uint32_t)h : 0;
}

void window_swap(odori_window *window)
{
    glfwSwapBuffers(window->handle);
}

void window_events(odori_window *window, double longest)
{
    (void)window;
    if (longest > 0)
        glfwWaitEventsTimeout(longest);
    else
        glfwPollEvents();
}

void window_put_text(odori_window *window, const char *text)
{
    glfwSetClipboardString(window->handle, text);
}

const char *window_get_text(odori_window *window)
{
    return glfwGetClipboardString(window->handle);
}
