/* The panels' way into the window: events to them, what they show from the session, their lines to the
 * command table. */
#include "panels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/clock.h"
#include "gizmo_panel.h"
#include "command/commands.h"
#include "document/document.h"
#include "document/open_work.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "document/open.h"
#include "panel_scene.h"
#include "player_internal.h"
#include "ui/ui.h"
#include "window_internal.h"

#define REST_TIME 2.0 /* how long the timeline stays when the pointer rests */

struct odori_panels {
    odori_window *window;
    odori_session *session;
    odori_screen *screen;
    odori_ui *ui;                 /* NULL: not needed so far */
    bool has_failed;              /* and is not tried again */
    bool is_inside;               /* the pointer is in the window, and has moved there */
    bool was_timeline, was_shown, was_loading; /* in the last picture, the latter also for what lies over it */
    double x, y;                  /* of the pointer, screen coordinates */
    double moved;                 /* seconds of the clock */
    bool known;
    mmd_gpu_target picture; /* what lies below, while nothing moves */
    uint32_t width, height; /* of the last one drawn */
    bool has_picture, cannot_keep;
    panel_scene scene;
    ui_edit edit;
};

static bool is_running(const odori_session *s)
{
    return s->playing && session_last_frame(s) > 0;
}

static bool wants_timeline(const odori_panels *p)
{
    return p->is_inside && !p->session->panels.no_timeline &&
           (!is_running(p->session) || clock_seconds() - p->moved < REST_TIME);
}

/* Panels at the side, or something over the picture. */
/* Where panels were shown already: to make them takes longer than to open most files, which the title tells,
 * too. */
static bool wants_loading(const odori_panels *p)
{
    return p->ui && document_of(p->session)->opener && open_work_is_busy(document_of(p->session)->opener->work);
}

static bool wants_panels(const odori_session *s)
{
    return s->panels.shown || s->panels.sheet || s->lists_keys || player_inspection(s) || s->selection.count || s->view.show_bones;
}

static void to_pixels(const odori_panels *p, double x, double y, double pixels[2])
{
    int width, height, wide, high;
    glfwGetWindowSize(p->window->handle, &width, &height);
    glfwGetFramebufferSize(p->window->handle, &wide, &high);
    pixels[0] = width > 0 ? x * wide / width : x;
    pixels[1] = height > 0 ? y * high / height : y;
}

static bool covers(const odori_panels *p)
{
    double at[2];
    to_pixels(p, p->x, p->y, at);
    return p->ui && (p->was_timeline || p->was_shown) && ui_has_pointer(p->ui, at[0], at[1]);
}

static odori_panels *panels_of(GLFWwindow *handle)
{
    odori_window *window = glfwGetWindowUserPointer(handle);
    return window->input.panels;
}

static void on_character(GLFWwindow *handle, unsigned character)
{
    odori_panels *p = panels_of(handle);
    if (p && p->ui && ui_has_keys(p->ui))
        ui_on_character(p->ui, character);
}

static void on_enter(GLFWwindow *handle, int entered)
{
    odori_panels *p = panels_of(handle);
    if (!p || entered)
        return;
    p->is_inside = false;
    if (p->ui)
        ui_on_move(p->ui, -1, -1);
}

odori_panels *panels_create(odori_window *window, odori_session *session, odori_screen *screen)
{
    odori_panels *p = mmd_alloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (odori_panels){.window = window, .session = session, .screen = screen};
    window->input.panels = p;
    glfwSetCharCallback(window->handle, on_character);
    glfwSetCursorEnterCallback(window->handle, on_enter);
    return p;
}

void panels_destroy(odori_panels *p)
{
    if (!p)
        return;
    p->window->input.panels = NULL;
    glfwSetCharCallback(p->window->handle, NULL);
    glfwSetCursorEnterCallback(p->window->handle, NULL);
    ui_destroy(p->ui);
    mmd_gpu_target_finish(p->screen->gpu, &p->picture);
    panel_scene_finish(&p->scene);
    mmd_free(p);
}

bool panels_want_picture(const odori_panels *p)
{
    if (!p)
        return false;
    bool timeline = wants_timeline(p), shown = wants_panels(p->session);
    bool is_to_keep = !p->has_picture && !p->cannot_keep && !is_running(p->session);
    return timeline != p->was_timeline || shown != p->was_shown ||
           wants_loading(p) || p->was_loading ||
           ((timeline || shown) && p->ui && (is_to_keep || ui_is_unsettled(p->ui)));
}

static const char *get_clipboard(void *user)
{
    return glfwGetClipboardString(user);
}

static void set_clipboard(void *user, const char *text)
{
    glfwSetClipboardString(user, text);
}

static ui_display display_of(const odori_panels *p)
{
    float x = 1, y = 1;
    ui_display display = {.seconds = clock_seconds(),
                          .timeline = wants_timeline(p),
                          .user = p->window->handle,
                          .get_clipboard = get_clipboard,
                          .set_clipboard = set_clipboard};
    window_pixels(p->window, &display.width, &display.height);
    glfwGetWindowContentScale(p->window->handle, &x, &y);
    display.scale = fmax((double)x, (double)y);
    return display;
}

double panels_point(const odori_panels *p)
{
    double scale = p->session->panels.scale > 0 ? p->session->panels.scale : display_of(p).scale;
    return scale > 0 ? scale : 1;
}

void panels_room(const odori_panels *p, uint32_t width, uint32_t height, double room[2])
{
    const panel_settings *settings = &p->session->panels;
    double point = panels_point(p), least = 200 * point;
    double sheet = settings->sheet ? fmin(UI_SHEET_HEIGHT * point, 0.01 * UI_SHEET_PERCENT * height) : 0;
    room[0] = settings->shown ? width - UI_PANELS_WIDTH * point : 0;
    room[1] = 0;
    if (settings->shown || settings->sheet || !settings->no_timeline)
        room[1] = height - UI_TIMELINE_HEIGHT * point - sheet;
    for (int k = 0; k < 2; k++)
        if (room[k] < least)
            room[k] = 0;
}

/* Refused lines are told, too: a click that does nothing is a riddle. */
static void run_lines(odori_panels *p)
{
    for (const char *line; (line = ui_next_line(p->ui)) != NULL;)
        command_by_hand(p->session, line);
}

static bool is_ready(odori_panels *p)
{
    if (!p->ui && !p->has_failed) {
        double at[2];
        p->ui = ui_create();
        p->has_failed = p->ui == NULL;
        to_pixels(p, p->x, p->y, at);
        if (p->ui && p->is_inside)
            ui_on_move(p->ui, at[0], at[1]);
        if (p->has_failed)
            message("panels cannot be drawn here");
    }
    return p->ui != NULL;
}

bool panels_show_picture(odori_panels *p, uint32_t width, uint32_t height)
{
    return p && p->has_picture && p->picture.width == width && p->picture.height == height &&
           mmd_gpu_target_show(p->screen->gpu, &p->picture, 0, NULL) == MMD_OK;
}

/* Drivers that do not copy from a window draw each time. The first picture of another size is not kept: the
 * window's may still have the old one. */
static void keep_picture(odori_panels *p)
{
    uint32_t width, height;
    window_pixels(p->window, &width, &height);
    bool is_first = width != p->width || height != p->height;
    p->width = width;
    p->height = height;
    if (is_first)
        return;
    p->has_picture = !p->cannot_keep &&
                     mmd_gpu_target_resize(p->screen->gpu, &p->picture, width, height, 0, NULL) == MMD_OK &&
                     mmd_gpu_target_keep(p->screen->gpu, &p->picture, 0, NULL) == MMD_OK;
    p->cannot_keep = !p->has_picture;
}

/* Handles are under the pointer where nothing of the panels is. */
static void show_editing(odori_panels *p, const ui_display *display, ui_scene *scene)
{
    gizmo_mouse_view view = {.width = display->width, .height = display->height, .point = panels_point(p)};
    panels_room(p, view.width, view.height, view.room);
    p->session->selection.is_near = p->is_inside && !covers(p);
    gizmo_panel_fill(p->session, &view, &p->edit);
    scene->edit = &p->edit;
}

void panels_draw(odori_panels *p, double seconds)
{
    if (!p)
        return;
    bool timeline = wants_timeline(p), shown = wants_panels(p->session);
    if (seconds > 0) {
        p->has_picture = false;
        panel_scene_note_picture(&p->scene, p->session, seconds);
    }
    p->was_timeline = timeline;
    p->was_shown = shown;
    mmd_view_measure(p->screen->view, p->session->panels.shown && p->session->panels.passes &&
                                          p->session->panels.page == PANEL_STATISTICS);
    p->was_loading = wants_loading(p);
    if ((!timeline && !shown && !p->was_loading) || !is_ready(p))
        return;
    if (seconds > 0 && !is_running(p->session))
        keep_picture(p);
    ui_scene scene;
    if (!panel_scene_fill(&p->scene, p->session, p->screen, &scene))
        return;
    ui_display display = display_of(p);
    show_editing(p, &display, &scene);
    ui_frame(p->ui, &scene, &display);
    run_lines(p);
}

static ui_key key_of(int key)
{
    static const struct {
        int glfw;
        ui_key ours;
    } keys[] = {
        {GLFW_KEY_TAB, UI_KEY_TAB},
        {GLFW_KEY_LEFT, UI_KEY_LEFT},
        {GLFW_KEY_RIGHT, UI_KEY_RIGHT},
        {GLFW_KEY_UP, UI_KEY_UP},
        {GLFW_KEY_DOWN, UI_KEY_DOWN},
        {GLFW_KEY_HOME, UI_KEY_HOME},
        {GLFW_KEY_END, UI_KEY_END},
        {GLFW_KEY_DELETE, UI_KEY_DELETE},
        {GLFW_KEY_ENTER, UI_KEY_ENTER},
        {GLFW_KEY_BACKSPACE, UI_KEY_BACKSPACE},
        {GLFW_KEY_KP_ENTER, UI_KEY_ENTER},
        {GLFW_KEY_ESCAPE, UI_KEY_ESCAPE},
        {GLFW_KEY_A, UI_KEY_A},
        {GLFW_KEY_C, UI_KEY_C},
        {GLFW_KEY_V, UI_KEY_V},
        {GLFW_KEY_X, UI_KEY_X},
        {GLFW_KEY_Z, UI_KEY_Z},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].glfw == key)
            return keys[i].ours;
    return UI_KEY_NONE;
}

/* A text field that is not seen any more has no keys: panels go by a command, too. */
bool panels_take_key(odori_panels *p, int key, int action, int modifiers)
{
    if (!p || !p->ui || !p->was_shown)
        return false;
    unsigned bits = (modifiers & GLFW_MOD_CONTROL ? (unsigned)UI_CONTROL : 0u) |
                    (modifiers & GLFW_MOD_SHIFT ? (unsigned)UI_SHIFT : 0u);
    bool taken = ui_has_keys(p->ui) || (action == GLFW_PRESS && ui_wants_key(p->ui, key_of(key), bits));
    if (taken || action == GLFW_RELEASE)
        ui_on_key(p->ui, key_of(key), action != GLFW_RELEASE, bits);
    return taken;
}

static bool is_down(const odori_panels *p, int left, int right)
{
    return glfwGetKey(p->window->handle, left) == GLFW_PRESS ||
           glfwGetKey(p->window->handle, right) == GLFW_PRESS;
}

static void tell_modifiers(const odori_panels *p)
{
    ui_on_modifiers(
        p->ui, (is_down(p, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL) ? (unsigned)UI_CONTROL : 0u) |
                   (is_down(p, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT) ? (unsigned)UI_SHIFT : 0u));
}

/* A press belongs to what lies under it, and its release to the same, wherever that happens. */
bool panels_take_button(odori_panels *p, int button, int action)
{
    static const int numbers[] = {
        [GLFW_MOUSE_BUTTON_LEFT] = 0, [GLFW_MOUSE_BUTTON_RIGHT] = 1, [GLFW_MOUSE_BUTTON_MIDDLE] = 2};
    if (!p || button < 0 || button > GLFW_MOUSE_BUTTON_MIDDLE)
        return false;
    p->moved = clock_seconds();
    if (!p->ui)
        return false;
    bool taken = covers(p);
    tell_modifiers(p);
    if (action == GLFW_RELEASE)
        ui_on_button(p->ui, numbers[button], false);
    else if (taken || ui_has_keys(p->ui)) /* elsewhere: the text field loses the keys */
        ui_on_button(p->ui, numbers[button], true);
    return taken;
}

bool panels_take_wheel(odori_panels *p, double notches)
{
    if (!p || !covers(p))
        return false;
    p->moved = clock_seconds();
    tell_modifiers(p);
    ui_on_wheel(p->ui, notches);
    return true;
}

/* The first event only says where the pointer is: windows open below it. */
void panels_on_move(odori_panels *p, double x, double y)
{
    double at[2];
    if (!p)
        return;
    bool has_moved = p->known && (x != p->x || y != p->y);
    p->x = x;
    p->y = y;
    p->known = true;
    to_pixels(p, x, y, at);
    if (p->ui)
        ui_on_move(p->ui, at[0], at[1]);
    if (!has_moved)
        return;
    p->is_inside = true;
    p->moved = clock_seconds();
}
