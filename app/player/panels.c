/* Connects the panels with the window: passes events to them, shows them the snapshots of the session
 * (panel_scene.h, panel_edit.h), and runs the command lines that they return. */
#include "panels.h"

#include <math.h>

#include "base/clock.h"
#include "base/message.h"
#include "command/commands.h"
#include "document/chooser.h"
#include "document/document.h"
#include "document/file_page.h"
#include "document/open.h"
#include "document/open_work.h"
#include "document/save.h"
#include "edit/session.h"
#include "file_pictures.h"
#include "gizmo_mouse.h"
#include "mmd/elementary.h"
#include "mmd/gpu_objects.h"
#include "mmd/memory.h"
#include "panel_edit.h"
#include "panel_scene.h"
#include "player_internal.h"
#include "recipe/draw.h"
#include "ui/edit.h"
#include "ui/ui.h"
#include "window_internal.h"

/* A line that the panels have cut is too long to be taken for another one. */
_Static_assert(UI_LINE_MAX > COMMAND_LINE_MAX + 1, "lines that were cut must be refused");

#define GREET_TIME 6.0  /* seconds for which the timeline and a hint are shown when the player opens */
#define HIDE_DELAY 2.0  /* seconds until the timeline hides while the pointer rests */
#define BAR_REACH  48.0 /* points above the timeline from which a pointer in full screen shows it */

struct odori_panels {
    odori_window *window;
    odori_session *session;
    odori_screen *screen;
    odori_ui *ui;           /* NULL: not created yet */
    bool has_failed;        /* creating it has failed, and is not tried again */
    bool is_inside;         /* the pointer is in the window and has moved there */
    bool was_timeline;      /* the last frame had the timeline */
    bool was_shown;         /* the last frame had panels or overlays */
    bool was_loading;       /* the last frame had the progress bar */
    bool has_drawn;         /* there was a frame: the panels are created after it, to show it soon */
    double greets_until;    /* time when the greeting ends; 0: it has not begun */
    unsigned toasts;        /* panel_log_changes at the last frame */
    bool was_toasts;        /* the last frame had messages over the picture */
    double x, y;            /* pointer, in screen coordinates */
    double moved;           /* time when it moved last */
    bool known;             /* x and y are valid */
    mmd_gpu_target picture; /* copy of the scene without panels, used while it does not change */
    uint32_t width, height; /* of the last frame, pixels */
    bool has_picture;       /* the copy is up to date */
    bool cannot_keep;       /* the driver cannot copy from the window */
    ui_cursor cursor;
    GLFWcursor *cursors[UI_CURSORS]; /* NULL: the usual one; GLFW destroys them */
    panel_scene scene;
    ui_edit edit;
    file_pictures files; /* of the page of files */
    bool has_news;       /* some have come since the last frame */
};

static bool is_running(const odori_session *s)
{
    return s->playing && session_last_frame(s) > 0;
}

/* Returns whether the pointer is near the lower edge of the window. */
static bool is_at_bottom(const odori_panels *p)
{
    double at[2];
    const panel_settings *settings = &p->session->panels;
    const ui_layout layout = window_layout(p->window, settings);
    window_pointer(p->window, p->x, p->y, at);
    return at[1] >= layout.bar.y - BAR_REACH * window_point(p->window, settings);
}

/* Returns whether the timeline is shown because the player has just been opened. */
static bool wants_greeting(const odori_panels *p)
{
    const panel_settings *settings = &p->session->panels;
    return settings->greets && p->has_drawn && !settings->first && !settings->full &&
           (p->greets_until <= 0 || clock_seconds() < p->greets_until);
}

/* Starts the time of the greeting when it is first shown, and ends it. A hint that was shown to the end
 * counts. */
static void greet(odori_panels *p)
{
    panel_settings *settings = &p->session->panels;
    const double now = clock_seconds();
    if (p->greets_until <= 0 && wants_greeting(p))
        p->greets_until = now + GREET_TIME;
    if (!settings->greets || p->greets_until <= 0 || now < p->greets_until)
        return;
    settings->greets = false;
    settings->hints -= settings->hints > 0;
}

/* Returns whether the timeline is shown: in the first seconds, and while the pointer is in the window, in
 * full screen only at its lower edge, and during playback only shortly after a move. */
static bool wants_timeline(const odori_panels *p)
{
    bool pointed = p->is_inside && (!is_running(p->session) || clock_seconds() - p->moved < HIDE_DELAY) &&
                   (!p->session->panels.full || is_at_bottom(p));
    return !p->session->panels.hides_timeline && (pointed || wants_greeting(p));
}

/* Returns whether the progress bar is shown. It is only drawn when the panels exist already, because creating
 * them takes longer than loading most files. The title shows the progress too. */
static bool wants_loading(const odori_panels *p)
{
    return p->ui && document_of(p->session)->opener &&
           open_work_is_busy(document_of(p->session)->opener->work);
}

/* Returns whether there are messages to show over the picture. The first frame has none, because the panels
 * would have to be created before. */
static bool wants_toasts(const odori_panels *p)
{
    panel_message all[PANEL_LOG_LINES];
    const odori_session *s = p->session;
    bool any = false;
    size_t count =
        p->has_drawn && s->messages && !s->panels.hides_toasts ? panel_log_messages(s->messages, all) : 0;
    for (size_t i = 0; i < count; i++)
        any = any || all[i].is_open;
    return any;
}

/* Returns whether messages over the picture have come or gone since the last frame. */
static bool has_new_toasts(const odori_panels *p)
{
    const odori_session *s = p->session;
    return s->messages && !s->panels.hides_toasts && panel_log_changes(s->messages) != p->toasts;
}

double panels_wait(const odori_panels *p)
{
    bool has_any = p && p->session->messages && !p->session->panels.hides_toasts;
    double greeting =
        p && wants_greeting(p) && p->greets_until > 0 ? p->greets_until - clock_seconds() : INFINITY;
    return mmd_min(mmd_max(greeting, 0),
                   has_any ? panel_log_expire(p->session->messages, clock_seconds()) : INFINITY);
}

/* Returns whether panels or overlays are shown. */
static bool wants_panels(const odori_session *s)
{
    return s->panels.shown || s->panels.sheet || s->panels.first || s->lists_bindings ||
           player_inspection(s) || s->selection.count || s->view.show_bones ||
           (document_of(s)->saving && document_of(s)->saving->shown) ||
           (document_of(s)->page && document_of(s)->page->shown);
}

/* Returns whether the pointer is on the panels. */
static bool covers(const odori_panels *p)
{
    double at[2];
    window_pointer(p->window, p->x, p->y, at);
    return p->ui && (p->was_timeline || p->was_shown || p->was_toasts) && ui_has_pointer(p->ui, at[0], at[1]);
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
    file_pictures_finish(&p->files, p->screen->gpu);
    mmd_gpu_target_finish(p->screen->gpu, &p->picture);
    panel_scene_finish(&p->scene);
    mmd_free(p);
}

void panels_poll(odori_panels *p)
{
    if (p)
        p->has_news |= file_pictures_follow(&p->files, document_of(p->session)->page, p->screen->gpu);
}

bool panels_want_picture(const odori_panels *p)
{
    if (!p)
        return false;
    panels_wait(p); /* closes messages whose time is over */
    bool timeline = wants_timeline(p), shown = wants_panels(p->session);
    bool is_to_keep = !p->has_picture && !p->cannot_keep && !is_running(p->session);
    return timeline != p->was_timeline || shown != p->was_shown || wants_loading(p) || p->was_loading ||
           has_new_toasts(p) || (shown && p->has_news) ||
           ((timeline || shown || p->was_toasts) && p->ui && (is_to_keep || ui_is_unsettled(p->ui)));
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
    ui_display display = {.seconds = clock_seconds(),
                          .timeline = wants_timeline(p),
                          .user = p->window->handle,
                          .get_clipboard = get_clipboard,
                          .set_clipboard = set_clipboard};
    window_pixels(p->window, &display.width, &display.height);
    display.scale = window_point(p->window, &p->session->panels);
    display.layout = window_layout(p->window, &p->session->panels);
    return display;
}

/* Gives the picture the whole window, since panels cannot be drawn. */
static void give_up(odori_panels *p)
{
    panel_settings *settings = &p->session->panels;
    message("the panels cannot be drawn: out of memory, or OpenGL does not support them");
    settings->shown = settings->sheet = false;
    window_follow_layout(p->window, p->session);
}

/* Sets the shape of the mouse pointer. */
static void show_cursor(odori_panels *p, ui_cursor wanted)
{
    static const int shapes[UI_CURSORS] = {
        [UI_CURSOR_ACROSS] = GLFW_HRESIZE_CURSOR, [UI_CURSOR_UPRIGHT] = GLFW_VRESIZE_CURSOR};
    if (wanted == p->cursor)
        return;
    if (wanted != UI_CURSOR_ARROW && !p->cursors[wanted])
        p->cursors[wanted] = glfwCreateStandardCursor(shapes[wanted]);
    glfwSetCursor(p->window->handle, p->cursors[wanted]);
    p->cursor = wanted;
}

/* Creates the panels when they are needed for the first time. Returns false when they cannot be drawn. */
static bool is_ready(odori_panels *p)
{
    const panel_settings *settings = &p->session->panels;
    bool is_first = !p->ui && !p->has_failed;
    if (is_first) {
        double at[2];
        p->ui = ui_create();
        p->has_failed = p->ui == NULL;
        window_pointer(p->window, p->x, p->y, at);
        if (p->ui && p->is_inside)
            ui_on_move(p->ui, at[0], at[1]);
    }
    if (p->has_failed && (is_first || settings->shown || settings->sheet))
        give_up(p);
    return p->ui != NULL;
}

bool panels_show_picture(odori_panels *p, uint32_t width, uint32_t height)
{
    return p && p->has_picture && p->picture.width == width && p->picture.height == height &&
           mmd_gpu_target_copy_to(p->screen->gpu, &p->picture, 0, NULL) == MMD_OK;
}

/* Stores a copy of the scene that was just drawn. Drivers that cannot copy from a window draw it again each
 * time. After a change of size the first frame is not stored, because the framebuffer may still have the old
 * size. */
static void store_picture(odori_panels *p)
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
                     mmd_gpu_target_copy_from(p->screen->gpu, &p->picture, 0, NULL) == MMD_OK;
    p->cannot_keep = !p->has_picture;
}

/* Asks for the pictures of the files that are visible. */
static void see_files(odori_panels *p)
{
    size_t first, end;
    file_page *page = document_of(p->session)->page;
    ui_files_seen(p->ui, &first, &end);
    if (page && page->shown)
        file_page_see(page, first, end);
}

void panels_draw(odori_panels *p, double seconds)
{
    if (!p)
        return;
    panels_wait(p); /* while a dance plays, nobody asks whether the panels want a picture */
    greet(p);
    bool timeline = wants_timeline(p), shown = wants_panels(p->session), toasts = wants_toasts(p);
    if (p->session->messages && p->has_drawn)
        p->toasts = panel_log_changes(p->session->messages);
    if (seconds > 0) {
        p->has_picture = false;
        panel_scene_note_picture(&p->scene, p->session, seconds);
    }
    p->has_drawn = true;
    p->was_timeline = timeline;
    p->was_shown = shown;
    p->was_toasts = toasts;
    p->has_news = false;
    mmd_view_measure(p->screen->view, p->session->panels.shown && p->session->panels.passes &&
                                          p->session->panels.page == PANEL_STATISTICS);
    p->was_loading = wants_loading(p);
    if ((!timeline && !shown && !toasts && !p->was_loading) || !is_ready(p)) {
        show_cursor(p, UI_CURSOR_ARROW);
        if (p->ui)
            ui_hide(p->ui);
        return;
    }
    if (seconds > 0 && !is_running(p->session))
        store_picture(p);
    ui_scene scene;
    if (!panel_scene_fill(&p->scene, p->session, p->screen, &scene))
        return;
    ui_display display = display_of(p);
    const gizmo_mouse_view view = window_view(p->window, &p->session->panels);
    /* Handles react to the pointer only where no panel covers them. */
    p->session->selection.is_near = p->is_inside && !covers(p);
    panel_edit_fill(p->session, &view, &p->edit);
    scene.edit = &p->edit;
    scene.hints = wants_greeting(p) && p->session->panels.hints > 0 && !p->session->panels.hides_timeline;
    ui_frame(p->ui, &scene, &display);
    see_files(p);
    show_cursor(p, ui_cursor_wanted(p->ui));
    /* A refused command is reported, so that a click without effect has an explanation. */
    for (const char *line; (line = ui_next_line(p->ui)) != NULL;)
        command_by_hand(p->session, line);
}

/* --- Events --- */

/* Converts a GLFW key. */
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

/* Handles a key. Nothing is taken while the panels are hidden, since a command can close them while a text
 * field is active. */
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

/* Passes the state of Ctrl and Shift to the panels. */
static void send_modifiers(const odori_panels *p)
{
    static const struct {
        int key;
        unsigned bit;
    } keys[] = {{GLFW_KEY_LEFT_CONTROL, UI_CONTROL},
                {GLFW_KEY_RIGHT_CONTROL, UI_CONTROL},
                {GLFW_KEY_LEFT_SHIFT, UI_SHIFT},
                {GLFW_KEY_RIGHT_SHIFT, UI_SHIFT}};
    unsigned bits = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (glfwGetKey(p->window->handle, keys[i].key) == GLFW_PRESS)
            bits |= keys[i].bit;
    ui_on_modifiers(p->ui, bits);
}

/* Handles a mouse button. A release belongs to the same receiver as its press, wherever it happens. */
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
    send_modifiers(p);
    if (action == GLFW_RELEASE)
        ui_on_button(p->ui, numbers[button], false);
    else if (taken || ui_has_keys(p->ui)) /* a click elsewhere deactivates the text field */
        ui_on_button(p->ui, numbers[button], true);
    return taken;
}

bool panels_take_wheel(odori_panels *p, double notches)
{
    if (!p || !covers(p))
        return false;
    p->moved = clock_seconds();
    send_modifiers(p);
    ui_on_wheel(p->ui, notches);
    return true;
}

/* Handles a move of the pointer. The first event does not count as a move: windows open below the pointer. */
void panels_on_move(odori_panels *p, double x, double y)
{
    double at[2];
    if (!p)
        return;
    bool has_moved = p->known && (x != p->x || y != p->y);
    p->x = x;
    p->y = y;
    p->known = true;
    window_pointer(p->window, x, y, at);
    if (p->ui)
        ui_on_move(p->ui, at[0], at[1]);
    if (!has_moved)
        return;
    p->is_inside = true;
    p->moved = clock_seconds();
}
