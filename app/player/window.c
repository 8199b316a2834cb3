/* The GLFW window. Its events become command lines: keys through the key bindings (bindings.h), the mouse
 * through its button layout. */
#include "window_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/parse.h"
#include "command/commands.h"
#include "document/bindings.h"
#include "document/document.h"
#include "document/open.h"
#include "gizmo_mouse.h"
#include "mascot.h"
#include "mmd/elementary.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/text.h"
#include "panels.h"

/* Hertz, assumed when a monitor does not report its refresh rate. */
#define REFRESH_RATE 60.0

enum { WINDOW_WIDTH = 1280, WINDOW_HEIGHT = 720 }; /* of a new window, screen coordinates */

/* Camera: degrees of orbit per pixel, zoom factors per notch of the wheel and per pixel. */
#define DEGREES_A_PIXEL 0.25
#define ZOOM_A_NOTCH    0.9
#define ZOOM_A_PIXEL    0.995

/* --- Keys and mouse --- */

/* Names of keys that have no character. GLFW gives the others the codes of ASCII. */
static const struct {
    int code;
    const char *name;
} named_keys[] = {
    {GLFW_KEY_SPACE, "Space"},
    {GLFW_KEY_ESCAPE, "Escape"},
    {GLFW_KEY_ENTER, "Enter"},
    {GLFW_KEY_TAB, "Tab"},
    {GLFW_KEY_BACKSPACE, "Backspace"},
    {GLFW_KEY_INSERT, "Insert"},
    {GLFW_KEY_DELETE, "Delete"},
    {GLFW_KEY_RIGHT, "Right"},
    {GLFW_KEY_LEFT, "Left"},
    {GLFW_KEY_DOWN, "Down"},
    {GLFW_KEY_UP, "Up"},
    {GLFW_KEY_PAGE_UP, "PageUp"},
    {GLFW_KEY_PAGE_DOWN, "PageDown"},
    {GLFW_KEY_HOME, "Home"},
    {GLFW_KEY_END, "End"},
    {GLFW_KEY_PAUSE, "Pause"},
    {GLFW_KEY_MENU, "Menu"},
    {GLFW_KEY_KP_DECIMAL, "NumDecimal"},
    {GLFW_KEY_KP_DIVIDE, "NumDivide"},
    {GLFW_KEY_KP_MULTIPLY, "NumMultiply"},
    {GLFW_KEY_KP_SUBTRACT, "NumMinus"},
    {GLFW_KEY_KP_ADD, "NumPlus"},
    {GLFW_KEY_KP_ENTER, "NumEnter"},
};

/* Returns the name of a key, which may be written to `name`, or NULL when it has none. */
static const char *name_of(int key, char name[8])
{
    if (key > ' ' && key <= '`') {
        name[0] = (char)key;
        name[1] = '\0';
        return name;
    }
    if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12)
        snprintf(name, 8, "F%d", key - GLFW_KEY_F1 + 1);
    else if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9)
        snprintf(name, 8, "Num%d", (key - GLFW_KEY_KP_0) % 10);
    for (size_t i = 0; i < sizeof named_keys / sizeof *named_keys; i++)
        if (named_keys[i].code == key)
            return named_keys[i].name;
    return (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) || (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9)
               ? name
               : NULL;
}

static int modifiers_of(int glfw)
{
    return (glfw & GLFW_MOD_SHIFT ? KEY_SHIFT : 0) | (glfw & GLFW_MOD_CONTROL ? KEY_CONTROL : 0) |
           (glfw & GLFW_MOD_ALT ? KEY_ALT : 0) | (glfw & GLFW_MOD_SUPER ? KEY_SUPER : 0);
}

void window_help(char *text, size_t size)
{
    key_bindings keys;
    bindings_init(&keys);
    int length =
        snprintf(text, size,
                 "mouse:\n"
                 "  right button         orbits; with Shift pans, with Ctrl zooms\n"
                 "  middle button        pans\n"
                 "  wheel                zooms\n"
                 "  left click           selects; with Shift adds to the selection; drags handles\n"
                 "  Alt + left click     selects what is above that; again: what is above the selection\n"
                 "  Ctrl + left click    selects the very bone that moves the surface\n"
                 "  Ctrl + Alt + left    shows what is drawn at the pixel\n"
                 "  After the command `input.preset left` the left button orbits and the right one pans.\n"
                 "keys:\n");
    if (length > 0 && (size_t)length < size)
        bindings_text(&keys, text + length, size - (size_t)length);
    length = (int)strlen(text);
    snprintf(
        text + length, size - (size_t)length,
        "To change keys, write lines KEY COMMAND (`Ctrl+Shift+F5 frame.set 30`) or KEY none to\n"
        "%s.\n"
        "Models, accessories and motions that are dropped on the window are added to the scene. A sound\n"
        "plays along. A project, or a picture made by `shot`, replaces the scene.",
        window_keys_file);
}

static odori_window *window_of(GLFWwindow *handle)
{
    return glfwGetWindowUserPointer(handle);
}

/* Returns the picture and computes its pixel under the pointer. */
static gizmo_mouse_view view_of(const odori_window *window, double pixel[2])
{
    static const panel_settings plain = {.hides_timeline = true};
    const odori_input *input = &window->input;
    window_pointer(window, input->x, input->y, pixel);
    return window_view(window, input->session ? &input->session->panels : &plain);
}

/* Handles a key: Escape cancels a drag, then the panels, then the key bindings. */
static void on_key(GLFWwindow *handle, int key, int scancode, int action, int modifiers)
{
    odori_session *session = window_of(handle)->input.session;
    char room[8];
    const char *name = name_of(key, room);
    (void)scancode;
    if (session && gizmo_mouse_is_dragging(session)) { /* no other key acts during a drag */
        if (key == GLFW_KEY_ESCAPE)
            selection_cancel_drag(session);
        return;
    }
    if (panels_take_key(window_of(handle)->input.panels, key, action, modifiers))
        return;
    odori_mascot *mascot = window_of(handle)->input.mascot;
    if (name && action == GLFW_PRESS && mascot_take_key(mascot, name))
        return;
    if (!session || !document_of(session)->bindings || !name || action == GLFW_RELEASE)
        return;
    const key_binding *entry = bindings_find(document_of(session)->bindings, modifiers_of(modifiers), name);
    if (entry && (action == GLFW_PRESS || entry->repeats) && mascot_allows(mascot, entry->command))
        command_format(session, "%s", entry->command);
}

/* Returns what dragging with a button does in a layout. In MMD the right button also pans (Shift) and zooms
 * (Ctrl), for mice without a wheel. */
static drag_kind drag_of(input_preset preset, int button, int modifiers)
{
    if (button == GLFW_MOUSE_BUTTON_RIGHT && preset == INPUT_MMD && (modifiers & GLFW_MOD_CONTROL))
        return DRAG_ZOOM;
    if (button == GLFW_MOUSE_BUTTON_RIGHT && preset == INPUT_MMD && (modifiers & GLFW_MOD_SHIFT))
        return DRAG_PAN;
    if (button == GLFW_MOUSE_BUTTON_MIDDLE)
        return DRAG_PAN;
    if (button == GLFW_MOUSE_BUTTON_RIGHT)
        return preset == INPUT_LEFT ? DRAG_PAN : DRAG_ORBIT;
    return button == GLFW_MOUSE_BUTTON_LEFT && preset == INPUT_LEFT ? DRAG_ORBIT : DRAG_NONE;
}

/* Returns what a click with these modifiers selects, as bits of gizmo_mouse_release. */
static unsigned click_of(int modifiers)
{
    return (modifiers & GLFW_MOD_SHIFT ? (unsigned)GIZMO_CLICK_ADDS : 0u) |
           (modifiers & GLFW_MOD_ALT ? (unsigned)GIZMO_CLICK_UP : 0u) |
           (modifiers & GLFW_MOD_CONTROL ? (unsigned)GIZMO_CLICK_EXACT : 0u);
}

/* Handles a mouse button: the panels, the pixel inspector, the gizmo and clicks, then the camera. */
static void on_button(GLFWwindow *handle, int button, int action, int modifiers)
{
    odori_input *input = &window_of(handle)->input;
    double pixel[2];
    gizmo_mouse_view view = view_of(window_of(handle), pixel);
    if (mascot_take_button(input->mascot, button, action == GLFW_PRESS, pixel))
        return;
    bool is_left = input->session && button == GLFW_MOUSE_BUTTON_LEFT;
    if (input->session && !is_left && action == GLFW_PRESS && selection_cancel_drag(input->session))
        return; /* another button cancels the drag */
    bool ends =
        is_left && action == GLFW_RELEASE && gizmo_mouse_is_down(input->session); /* also on a panel */
    if (input->drag == DRAG_NONE && panels_take_button(input->panels, button, action) && !ends)
        return;
    if (action == GLFW_RELEASE) {
        if (is_left)
            gizmo_mouse_release(input->session, &view, click_of(modifiers));
        if (button == input->drag_button)
            input->drag = DRAG_NONE;
        return;
    }
    if (!(pixel[0] >= 0 && pixel[0] < view.width && pixel[1] >= 0 && pixel[1] < view.height))
        return; /* beside the picture, where panels are about to be drawn */
    if (is_left && (modifiers & GLFW_MOD_CONTROL) && (modifiers & GLFW_MOD_ALT)) {
        command_format(input->session, "view.inspect %g %g", floor(pixel[0]), floor(pixel[1]));
        return;
    }
    if (is_left && input->panels && gizmo_mouse_press(input->session, &view, pixel))
        return;
    drag_kind drag = input->session ? drag_of(input->session->preset, button, modifiers) : DRAG_NONE;
    if (drag == DRAG_NONE)
        return;
    input->drag = drag;
    input->drag_button = button;
}

/* Returns the length of one screen coordinate in units, at the distance of the camera's target. */
static double units_a_pixel(GLFWwindow *handle, const odori_session *session, const gizmo_mouse_view *view)
{
    int height, high;
    const mmd_camera *camera = mmd_stage_camera(session->scene->stage);
    glfwGetWindowSize(handle, NULL, &height);
    glfwGetFramebufferSize(handle, NULL, &high);
    double pixels = height > 0 ? (double)high / height : 1;
    return 2 * fabs((double)camera->distance) * mmd_tan((double)camera->fov * DEGREE / 2) * pixels /
           view->height;
}

static void on_pointer(GLFWwindow *handle, double x, double y)
{
    odori_input *input = &window_of(handle)->input;
    double dx = input->known ? x - input->x : 0, dy = input->known ? y - input->y : 0;
    input->x = x;
    input->y = y;
    input->known = true;
    panels_on_move(input->panels, x, y);
    if (!input->session)
        return;
    double pixel[2];
    gizmo_mouse_view view = view_of(window_of(handle), pixel);
    if (mascot_take_move(input->mascot, pixel) || gizmo_mouse_move(input->session, &view, pixel))
        return;
    if (input->drag == DRAG_ORBIT) {
        command_format(input->session, "camera.orbit %g %g", dx * DEGREES_A_PIXEL, dy * DEGREES_A_PIXEL);
    } else if (input->drag == DRAG_PAN) {
        double unit = units_a_pixel(handle, input->session, &view);
        command_format(input->session, "camera.pan %g %g", dx * unit, -dy * unit);
    } else if (input->drag == DRAG_ZOOM && dy != 0) {
        command_format(input->session, "camera.zoom %g", mmd_exp(-dy * mmd_ln(ZOOM_A_PIXEL)));
    }
}

static void on_wheel(GLFWwindow *handle, double dx, double dy)
{
    odori_session *session = window_of(handle)->input.session;
    (void)dx;
    if (mascot_take_wheel(window_of(handle)->input.mascot, dy))
        return;
    if (session && gizmo_mouse_is_dragging(session))
        return; /* a zoom would move the gizmo away from the pointer */
    if (panels_take_wheel(window_of(handle)->input.panels, dy))
        return;
    if (session && dy != 0)
        command_format(session, "camera.zoom %g", mmd_exp(dy * mmd_ln(ZOOM_A_NOTCH)));
}

/* Opens files. The paths have the separators of the system. Returns false with the reason in error. */
static bool open_dropped(odori_session *session, const char *const paths[], size_t count, char *error)
{
    mmd_arena arena = {0};
    text_list tidy = {0};
    bool complete = true;
    for (size_t i = 0; i < count && complete; i++) {
        char *copy = mmd_arena_text(&arena, paths[i], strlen(paths[i]));
        if (copy)
            platform_path_tidy(copy);
        complete = copy && text_list_add(&tidy, copy);
    }
    const bool opened =
        complete ? open_files(session, tidy.items, tidy.count, error) : refuse_with(error, "out of memory");
    text_list_finish(&tidy);
    mmd_arena_finish(&arena);
    return opened;
}

/* Opens dropped files as `file.open` does, but not by that command, because paths can be longer than a
 * command line. */
static void on_drop(GLFWwindow *handle, int count, const char *paths[])
{
    char error[REFUSAL_MAX];
    odori_session *session = window_of(handle)->input.session;
    if (window_of(handle)->input.mascot)
        return;
    if (session && document_of(session)->opener && !open_dropped(session, paths, (size_t)count, error))
        panel_log_report(session->messages, "%s", error);
}

/* Requests a new frame after the window was uncovered or resized. */
static void on_refresh(GLFWwindow *handle)
{
    odori_session *session = window_of(handle)->input.session;
    if (session)
        session->changed = true;
}

static void on_resize(GLFWwindow *handle, int width, int height)
{
    odori_session *session = window_of(handle)->input.session;
    (void)width, (void)height;
    if (session)
        window_follow_layout(window_of(handle), session);
}

/* Handles a move to a display of another scale. */
static void on_scale(GLFWwindow *handle, float x, float y)
{
    (void)x, (void)y;
    on_resize(handle, 0, 0);
}

/* Closes the menu of a mascot when another window gets the keyboard. */
static void on_focus(GLFWwindow *handle, int focused)
{
    if (!focused)
        mascot_close_menu(window_of(handle)->input.mascot);
}

/* Sets the event callbacks. */
static void attach(odori_window *window)
{
    glfwSetWindowUserPointer(window->handle, window);
    glfwSetKeyCallback(window->handle, on_key);
    glfwSetMouseButtonCallback(window->handle, on_button);
    glfwSetCursorPosCallback(window->handle, on_pointer);
    glfwSetScrollCallback(window->handle, on_wheel);
    glfwSetDropCallback(window->handle, on_drop);
    glfwSetWindowRefreshCallback(window->handle, on_refresh);
    glfwSetFramebufferSizeCallback(window->handle, on_resize);
    glfwSetWindowContentScaleCallback(window->handle, on_scale);
    glfwSetWindowFocusCallback(window->handle, on_focus);
}

void window_connect(odori_window *window, odori_session *session)
{
    window->input.session = session;
    if (session)
        window_follow_layout(window, session);
}

/* --- The window --- */

/* Logs GLFW's last error. */
static void log_glfw(const mmd_log *log, mmd_log_level level, const char *what)
{
    const char *text = NULL;
    glfwGetError(&text);
    mmd_log_message(log, level, "%s: %s", what, text ? text : "no reason given");
}

/* Limits a window's size to the room on the largest monitor. */
static void fit_size(uint32_t *width, uint32_t *height)
{
    int count = 0, most[2] = {0, 0};
    GLFWmonitor **monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; i++) {
        int x, y, room[2] = {0, 0};
        glfwGetMonitorWorkarea(monitors[i], &x, &y, &room[0], &room[1]);
        for (int k = 0; k < 2; k++)
            most[k] = room[k] > most[k] ? room[k] : most[k];
    }
    *width = most[0] > 0 && *width > (uint32_t)most[0] ? (uint32_t)most[0] : *width;
    *height = most[1] > 0 && *height > (uint32_t)most[1] ? (uint32_t)most[1] : *height;
}

/* Creates the window with a GL 3.3 core context, with debug messages if they are logged. GLFW takes the
 * nearest number of samples that is supported.
 */
static GLFWwindow *create(const char *title, uint32_t samples, bool debug)
{
    glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_API);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, debug);
    glfwWindowHint(GLFW_DEPTH_BITS, 24);
    glfwWindowHint(GLFW_STENCIL_BITS, 8);
    glfwWindowHint(GLFW_SAMPLES, samples > 1 ? (int)samples : 0);
    uint32_t width = WINDOW_WIDTH, height = WINDOW_HEIGHT;
    fit_size(&width, &height);
    return glfwCreateWindow((int)width, (int)height, title, NULL, NULL);
}

/* Sets the hints of a mascot's window, or those of others. */
static void hint_mascot(bool is_mascot)
{
    const int on = is_mascot ? GLFW_TRUE : GLFW_FALSE, off = is_mascot ? GLFW_FALSE : GLFW_TRUE;
    glfwWindowHint(GLFW_TRANSPARENT_FRAMEBUFFER, on);
    glfwWindowHint(GLFW_FLOATING, on);
    glfwWindowHint(GLFW_DECORATED, off);
    glfwWindowHint(GLFW_RESIZABLE, off);
    glfwWindowHint(GLFW_VISIBLE, off);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, off);
}

static odori_window *open_window(const char *title, uint32_t samples, bool is_mascot, const mmd_log *log)
{
    odori_window *window = mmd_alloc(sizeof *window);
    if (!window)
        return NULL;
    *window = (odori_window){0};
    if (!glfwInit()) {
        log_glfw(log, window_has_display() ? MMD_LOG_WARNING : MMD_LOG_INFO, "no display");
        goto free_window;
    }
    hint_mascot(is_mascot);
    window->handle = create(title, samples, log && log->level >= MMD_LOG_DEBUG);
    if (!window->handle) {
        log_glfw(log, MMD_LOG_WARNING, "no window");
        goto terminate;
    }
    glfwMakeContextCurrent(window->handle);
    window_set_vsync(window, true);
    window_dress(window);
    attach(window);
    return window;
terminate:
    glfwTerminate();
free_window:
    mmd_free(window);
    return NULL;
}

odori_window *window_open(const char *title, uint32_t samples, const mmd_log *log)
{
    return open_window(title, samples, false, log);
}

odori_window *window_open_mascot(const char *title, const mmd_log *log)
{
    odori_window *window = open_window(title, 0, true, log);
    GLFWmonitor *monitor = window ? glfwGetPrimaryMonitor() : NULL;
    int x, y;
    if (monitor) {
        glfwGetMonitorPos(monitor, &x, &y);
        glfwSetWindowPos(window->handle, x, y);
    }
    return window;
}

void window_show(odori_window *window)
{
    glfwShowWindow(window->handle);
}

bool window_is_see_through(const odori_window *window)
{
    return glfwGetWindowAttrib(window->handle, GLFW_TRANSPARENT_FRAMEBUFFER) == GLFW_TRUE;
}

void window_set_mascot(odori_window *window, struct odori_mascot *mascot)
{
    window->input.mascot = mascot;
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
    char clean[512]; /* titles have names of models */
    mmd_text_clean(title, true, clean, sizeof clean);
    glfwSetWindowTitle(window->handle, clean);
}

void window_pixels(const odori_window *window, uint32_t *width, uint32_t *height)
{
    int w, h;
    glfwGetFramebufferSize(window->handle, &w, &h);
    *width = w > 0 ? (uint32_t)w : 0;
    *height = h > 0 ? (uint32_t)h : 0;
}

void window_pointer(const odori_window *window, double x, double y, double pixel[2])
{
    int width, height, wide, high;
    glfwGetWindowSize(window->handle, &width, &height);
    glfwGetFramebufferSize(window->handle, &wide, &high);
    pixel[0] = width > 0 ? x * wide / width : x;
    pixel[1] = height > 0 ? y * high / height : y;
}

double window_point(const odori_window *window, const panel_settings *settings)
{
    float x = 1, y = 1;
    glfwGetWindowContentScale(window->handle, &x, &y);
    double scale = settings->scale > 0 ? settings->scale : mmd_max((double)x, (double)y);
    return scale > 0 ? scale : 1;
}

ui_layout window_layout(const odori_window *window, const panel_settings *settings)
{
    uint32_t width, height;
    window_pixels(window, &width, &height);
    return ui_layout_of(settings, width ? width : 1, height ? height : 1, window_point(window, settings));
}

gizmo_mouse_view window_view(const odori_window *window, const panel_settings *settings)
{
    enum { ROOM_LEAST = 200 }; /* points */
    ui_layout layout = window_layout(window, settings);
    gizmo_mouse_view view = {.width = layout.picture.width,
                             .height = layout.picture.height,
                             .point = window_point(window, settings)};
    if (layout.bar_is_over && !settings->hides_timeline && layout.bar.y >= ROOM_LEAST * view.point)
        view.room[1] = layout.bar.y;
    return view;
}

void window_follow_layout(const odori_window *window, odori_session *session)
{
    uint32_t width, height;
    window_pixels(window, &width, &height);
    ui_layout layout = window_layout(window, &session->panels);
    if (width && height)
        session->aspect = (double)layout.picture.width / layout.picture.height;
    session->changed = true;
}

bool window_is_hidden(const odori_window *window)
{
    return glfwGetWindowAttrib(window->handle, GLFW_ICONIFIED) == GLFW_TRUE ||
           glfwGetWindowAttrib(window->handle, GLFW_VISIBLE) == GLFW_FALSE;
}

bool window_wants_close(const odori_window *window)
{
    bool wants = glfwWindowShouldClose(window->handle);
    glfwSetWindowShouldClose(window->handle, GLFW_FALSE);
    return wants;
}

bool window_is_full(const odori_window *window)
{
    return glfwGetWindowMonitor(window->handle) != NULL;
}

/* Returns the length of the overlap of two intervals. */
static int overlap(int a, int a_size, int b, int b_size)
{
    int end = a + a_size < b + b_size ? a + a_size : b + b_size, start = a > b ? a : b;
    return end > start ? end - start : 0;
}

/* Returns the monitor that has the largest part of the window, or NULL when there is none. */
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

/* Enters or leaves full screen in the present video mode of the monitor, so that the display does not
 * flicker. */
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
    fit_size(&width, &height);
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

window_area window_place(const odori_window *window)
{
    window_area a = {0};
    glfwGetWindowPos(window->handle, &a.x, &a.y);
    glfwGetWindowSize(window->handle, &a.width, &a.height);
    return a;
}

window_area window_work_area(const odori_window *window)
{
    window_area a = {0};
    GLFWmonitor *monitor = nearest_monitor(window);
    if (monitor)
        glfwGetMonitorWorkarea(monitor, &a.x, &a.y, &a.width, &a.height);
    return a;
}

void window_move(odori_window *window, int x, int y)
{
    glfwSetWindowPos(window->handle, x, y);
}

void window_find_pointer(const odori_window *window, double at[2])
{
    glfwGetCursorPos(window->handle, &at[0], &at[1]);
}

void window_swap(odori_window *window)
{
    glfwSwapBuffers(window->handle);
}

void window_events(odori_window *window, double longest)
{
    (void)window;
    if (isinf(longest))
        glfwWaitEvents();
    else if (longest > 0)
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

void window_wake(void *unused)
{
    (void)unused;
    glfwPostEmptyEvent();
}
