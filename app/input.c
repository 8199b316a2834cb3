/* MMD's mouse: right button turns, middle button moves, wheel comes nearer. Everything goes through the
 * command table. */
#include "window_internal.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "commands.h"
#include "opener.h"

#define DEGREES_A_PIXEL 0.25
#define ZOOM_A_NOTCH    0.9

typedef struct key_binding {
    int key;
    int modifiers; /* GLFW_MOD_SHIFT, GLFW_MOD_CONTROL: exactly these */
    bool repeats;
    const char *command;
} key_binding;

static const key_binding bindings[] = {
    {GLFW_KEY_SPACE, 0, false, "play.toggle"},
    {GLFW_KEY_P, 0, false, "play.toggle"},
    {GLFW_KEY_RIGHT, 0, true, "frame.step 1"},
    {GLFW_KEY_LEFT, 0, true, "frame.step -1"},
    {GLFW_KEY_RIGHT, GLFW_MOD_SHIFT, true, "frame.step 10"},
    {GLFW_KEY_LEFT, GLFW_MOD_SHIFT, true, "frame.step -10"},
    {GLFW_KEY_HOME, 0, false, "frame.set 0"},
    {GLFW_KEY_C, 0, false, "camera.motion on"},
    {GLFW_KEY_R, 0, false, "camera.reset"},
    {GLFW_KEY_Z, GLFW_MOD_CONTROL, true, "undo"},
    {GLFW_KEY_Y, GLFW_MOD_CONTROL, true, "redo"},
    {GLFW_KEY_ESCAPE, 0, false, "quit"},
    {GLFW_KEY_Q, 0, false, "quit"},
};

/* Keys that switch something of the view on, and off again: by commands that say which, so that they mean the
 * same wherever they are repeated. */
static const struct {
    int key;
    const char *command;
    size_t on; /* where it is in mmd_view_options */
} switches[] = {
    {GLFW_KEY_B, "view.bodies", offsetof(mmd_view_options, show_bodies)},
    {GLFW_KEY_J, "view.joints", offsetof(mmd_view_options, show_joints)},
    {GLFW_KEY_K, "view.contacts", offsetof(mmd_view_options, show_contacts)},
};

const char *input_help(void)
{
    return "mouse: right button turns, middle button moves, wheel comes nearer\n"
           "keys:  space, P  play and pause      left, right  a frame back, on (shift: ten)\n"
           "       Home      first frame         C, R         the motion's camera, MMD's default\n"
           "       B, J, K     bodies, joints and contacts of physics as lines, or not\n"
           "       Ctrl+Z, Ctrl+Y  undo, redo    Esc, Q       quit\n"
           "files dropped on the window: models, accessories and motions are added; a project or a picture "
           "that\n       `shot` made takes the scene's place";
}

static odori_window *window_of(GLFWwindow *handle)
{
    return glfwGetWindowUserPointer(handle);
}

static void turn_switch(odori_session *session, int key)
{
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        const bool *on = (const bool *)((const char *)&session->view + switches[i].on);
        if (switches[i].key == key)
            command_format(session, "%s %s", switches[i].command, *on ? "off" : "on");
    }
}

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int modifiers)
{
    odori_session *session = window_of(handle)->input.session;
    (void)scancode;
    if (!session || action == GLFW_RELEASE)
        return;
    modifiers &= GLFW_MOD_SHIFT | GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER;
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++)
        if (bindings[i].key == key && bindings[i].modifiers == modifiers &&
            (action == GLFW_PRESS || bindings[i].repeats))
            command_format(session, "%s", bindings[i].command);
    if (modifiers == 0 && action == GLFW_PRESS)
        turn_switch(session, key);
}

static void on_button(GLFWwindow *handle, int button, int action, int modifiers)
{
    odori_input *input = &window_of(handle)->input;
    (void)modifiers;
    if (action == GLFW_RELEASE) {
        if (button == input->drag_button)
            input->drag = DRAG_NONE;
        return;
    }
    if (button != GLFW_MOUSE_BUTTON_RIGHT && button != GLFW_MOUSE_BUTTON_MIDDLE)
        return;
    input->drag = button == GLFW_MOUSE_BUTTON_RIGHT ? DRAG_ORBIT : DRAG_PAN;
    input->drag_button = button;
}

/* How many units at the target's depth one screen coordinate of the window is. */
static double units_a_pixel(GLFWwindow *handle, const odori_session *session)
{
    int width, height;
    const mmd_camera *camera = mmd_stage_camera(session->scene->stage);
    glfwGetWindowSize(handle, &width, &height);
    return 2 * fabs((double)camera->distance) * tan((double)camera->fov * RADIANS / 2) /
           (height > 0 ? height : 1);
}

static void on_pointer(GLFWwindow *handle, double x, double y)
{
    odori_input *input = &window_of(handle)->input;
    double dx = input->known ? x - input->x : 0, dy = input->known ? y - input->y : 0;
    input->x = x;
    input->y = y;
    input->known = true;
    if (!input->session)
        return;
    if (input->drag == DRAG_ORBIT) {
        command_format(input->session, "camera.orbit %g %g", dx * DEGREES_A_PIXEL, dy * DEGREES_A_PIXEL);
    } else if (input->drag == DRAG_PAN) {
        double unit = units_a_pixel(handle, input->session);
        command_format(input->session, "camera.pan %g %g", dx * unit, -dy * unit);
    }
}

static void on_wheel(GLFWwindow *handle, double dx, double dy)
{
    odori_session *session = window_of(handle)->input.session;
    (void)dx;
    if (session && dy != 0)
        command_format(session, "camera.zoom %g", pow(ZOOM_A_NOTCH, dy));
}

/* As `file.open` does; paths may be longer than a line of the command table. */
static void on_drop(GLFWwindow *handle, int count, const char *paths[])
{
    char error[COMMAND_ERROR_MAX];
    odori_session *session = window_of(handle)->input.session;
    if (session && session->opener && !opener_open(session, paths, (size_t)count, error))
        message("%s", error);
}

/* The window shows something else, or the same in another size: draw again. */
static void on_refresh(GLFWwindow *handle)
{
    odori_session *session = window_of(handle)->input.session;
    if (session)
        session->changed = true;
}

static void on_resize(GLFWwindow *handle, int width, int height)
{
    (void)width, (void)height;
    on_refresh(handle);
}

void input_attach(odori_window *window)
{
    glfwSetWindowUserPointer(window->handle, window);
    glfwSetKeyCallback(window->handle, on_key);
    glfwSetMouseButtonCallback(window->handle, on_button);
    glfwSetCursorPosCallback(window->handle, on_pointer);
    glfwSetScrollCallback(window->handle, on_wheel);
    glfwSetDropCallback(window->handle, on_drop);
    glfwSetWindowRefreshCallback(window->handle, on_refresh);
    glfwSetFramebufferSizeCallback(window->handle, on_resize);
}

void input_connect(odori_window *window, odori_session *session)
{
    window->input.session = session;
}
