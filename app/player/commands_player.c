/* Commands for the player's panels, gizmo, keys, mouse, window and pictures. */
#include "player.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/emit.h"
#include "base/message.h"
#include "clipboard.h"
#include "document/audio.h"
#include "document/bindings.h"
#include "document/document.h"
#include "document/file_page.h"
#include "document/open.h"
#include "document/open_work.h"
#include "document/save.h"
#include "document/preferences.h"
#include "edit/pose_file.h"
#include "edit/selection.h"
#include "gizmo_mouse.h"
#include "inspect.h"
#include "mmd/elementary.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/text.h"
#include "player_internal.h"
#include "screenshot.h"
#include "window.h"

/* --- The panels, and the visibility of materials, which is part of no file --- */

/* Range of the scale of the panels: readable, and small enough for a window. */
#define SCALE_MIN 0.5
#define SCALE_MAX 4.0

/* Range of the width of the panels and the height of the keyframe editor, in points. */
#define WIDTH_MIN  240.0
#define HEIGHT_MIN 100.0
#define POINTS_MAX 4000.0

enum { HINTS_MAX = 1000 }; /* starts with a hint */

/* Shows or hides a part of the panels. */
static bool panels_switch(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    if (strcmp(a->name, "panels") == 0)
        s->panels.shown = a->on[0];
    else if (strcmp(a->name, "panels.timeline") == 0)
        s->panels.hides_timeline = !a->on[0];
    else if (strcmp(a->name, "panels.sheet") == 0)
        s->panels.sheet = a->on[0];
    else if (strcmp(a->name, "messages.toasts") == 0)
        s->panels.hides_toasts = !a->on[0];
    else
        s->panels.passes = a->on[0];
    player_follow_layout(s);
    return true;
}

static bool panels_toggle(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    s->panels.shown = !s->panels.shown;
    player_follow_layout(s);
    return true;
}

static bool panels_page(odori_session *s, const command_arguments *a, char *error)
{
    static const char *const names[PANEL_PAGES] = {
        [PANEL_MODELS] = "models", [PANEL_MORPHS] = "morphs",         [PANEL_BONES] = "bones",
        [PANEL_EDIT] = "edit",     [PANEL_MATERIALS] = "materials",   [PANEL_PHYSICS] = "physics",
        [PANEL_VIEW] = "view",     [PANEL_STATISTICS] = "statistics", [PANEL_LOG] = "log",
    };
    size_t page = token_find(names, PANEL_PAGES, a->word[0]);
    if (page == PANEL_PAGES)
        return refuse_with(error,
                           "\"%.40s\" is not a page; use models, morphs, bones, edit, materials, "
                           "physics, view, statistics or log",
                           a->word[0]);
    s->panels.page = (panel_page)page;
    s->panels.shown = true;
    player_follow_layout(s);
    return true;
}

static bool panels_language(odori_session *s, const command_arguments *a, char *error)
{
    static const char *const names[] = {"auto", "en", "ja"};
    size_t language = token_find(names, 3, a->word[0]);
    if (language == 3)
        return refuse_with(error, "\"%.40s\" is not auto, en or ja", a->word[0]);
    s->panels.language = (panel_language)language;
    s->changed = true;
    return true;
}

static bool panels_scale(odori_session *s, const command_arguments *a, char *error)
{
    if (a->number[0] != 0 && (a->number[0] < SCALE_MIN || a->number[0] > SCALE_MAX))
        return refuse_with(error, "the scale %g is neither 0 nor between %g and %g", a->number[0], SCALE_MIN,
                           SCALE_MAX);
    s->panels.scale = a->number[0];
    player_follow_layout(s);
    return true;
}

/* Sets the width of the panels or the height of the keyframe editor. */
static bool panels_size(odori_session *s, const command_arguments *a, char *error)
{
    bool is_width = strcmp(a->name, "panels.width") == 0;
    double points = a->number[0], least = is_width ? WIDTH_MIN : HEIGHT_MIN;
    if (points != 0 && (points < least || points > POINTS_MAX))
        return refuse_with(error, "%g is neither 0 nor between %g and %g points", points, least, POINTS_MAX);
    *(is_width ? &s->panels.panels_width : &s->panels.sheet_height) = points;
    player_follow_layout(s);
    return true;
}

/* Sets at how many starts the keys are still hinted at. In the file of --exec it greets, too, which a start
 * with commands does not do by itself. */
static bool panels_hint(odori_session *s, const command_arguments *a, char *error)
{
    const double count = a->number[0];
    if (!(count >= 0 && count <= HINTS_MAX) || count != floor(count))
        return refuse_with(error, "%g is not a whole number from 0 to %d", count, (int)HINTS_MAX);
    s->panels.hints = (unsigned)count;
    s->panels.greets = count > 0;
    s->changed = true;
    return true;
}

static bool messages_close(odori_session *s, const command_arguments *a, char *error)
{
    double number = a->number[0];
    if (!s->messages)
        return refuse_with(error, "messages are only shown in `play`");
    if (a->count && !(number >= 0 && number < 1e9 && panel_log_close(s->messages, (size_t)number)))
        return refuse_with(error, "no message %g is shown over the picture", number);
    if (!a->count)
        panel_log_close_all(s->messages);
    return true;
}

static bool messages_list(odori_session *s, const command_arguments *a, char *error)
{
    static const char *const names[] = {
        [PANEL_MESSAGES_ALL] = "all", [PANEL_MESSAGES_ERRORS] = "errors", [PANEL_MESSAGES_EDITS] = "edits"};
    size_t which = token_find(names, 3, a->word[0]);
    if (which == 3)
        return refuse_with(error, "\"%.40s\" is not all, errors or edits", a->word[0]);
    s->panels.messages = (panel_messages)which;
    s->changed = true;
    return true;
}

/* Returns the selected model, and checks the number of a material unless `material` is NULL. */
static const scene_model *find_material(const odori_session *s, double number, uint32_t *material,
                                        char *error)
{
    if (!scene_is_present(s->scene, s->selected)) {
        refuse_with(error, "no model is loaded");
        return NULL;
    }
    const scene_model *m = &s->scene->models[s->selected];
    if (material && (number != floor(number) || number < 0 || number >= m->model->material_count)) {
        refuse_with(error, "there is no material %g; the model has %u, numbered from 0", number,
                    m->model->material_count);
        return NULL;
    }
    if (material)
        *material = (uint32_t)number;
    return m;
}

static bool material_show(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t material;
    const scene_model *m = find_material(s, a->number[0], &material, error);
    if (!m)
        return false;
    mmd_actor_hide_material(m->actor, material, !a->on[1]);
    s->changed = true;
    return true;
}

static bool material_solo(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t material;
    const scene_model *m = find_material(s, a->number[0], &material, error);
    if (!m)
        return false;
    for (uint32_t i = 0; i < m->model->material_count; i++)
        mmd_actor_hide_material(m->actor, i, i != material);
    s->changed = true;
    return true;
}

static bool material_all(odori_session *s, const command_arguments *a, char *error)
{
    const scene_model *m = find_material(s, 0, NULL, error);
    if (!m)
        return false;
    for (uint32_t i = 0; i < m->model->material_count; i++)
        mmd_actor_hide_material(m->actor, i, !a->on[0]);
    s->changed = true;
    return true;
}

static const command panels_rows[] = {
    {"material.show", "rs", "NUMBER on|off", "shows or hides a material of the model; the first is 0",
     material_show, .replay = REPLAY_RUNS},
    {"material.solo", "r", "NUMBER", "hides all materials but this one", material_solo,
     .replay = REPLAY_RUNS},
    {"material.all", "s", "on|off", "shows or hides all materials", material_all, .replay = REPLAY_RUNS},
    {"panels", "s", "on|off", "the panels: models, morphs, bones, ... (play)", panels_switch,
     .replay = REPLAY_SKIPS},
    {"panels.toggle", "", "", "shows or hides the panels", panels_toggle, .replay = REPLAY_SKIPS},
    {"panels.timeline", "s", "on|off", "the timeline, which appears when the mouse moves (play)",
     panels_switch, .replay = REPLAY_SKIPS},
    {"panels.sheet", "s", "on|off", "the keyframe editor with its interpolation curves (play)", panels_switch,
     .replay = REPLAY_SKIPS},
    {"panels.page", "w", "models|morphs|bones|edit|materials|physics|view|statistics|log",
     "shows the panels, with this page", panels_page, .replay = REPLAY_SKIPS},
    {"panels.language", "w", "auto|en|ja", "language of the panels; auto: that of the environment",
     panels_language, .replay = REPLAY_SKIPS},
    {"panels.scale", "r", "FACTOR", "scale of the panels, 0.5 to 4; 0: that of the display", panels_scale,
     .replay = REPLAY_SKIPS},
    {"panels.hint", "r", "STARTS",
     "number of starts at which a hint of the keys is still shown; 0: none (play)", panels_hint,
     .replay = REPLAY_REFUSES},
    {"panels.width", "r", "POINTS", "width of the panels; 0: the usual one", panels_size,
     .replay = REPLAY_REFUSES},
    {"sheet.height", "r", "POINTS", "height of the keyframe editor; 0: the usual one", panels_size,
     .replay = REPLAY_REFUSES},
    {"messages.close", "?r", "[NUMBER]", "closes a message over the picture, or all; the first one ever is 0",
     messages_close, .replay = REPLAY_REFUSES},
    {"messages.list", "w", "all|errors|edits", "which messages their page lists", messages_list,
     .replay = REPLAY_REFUSES},
    {"messages.toasts", "s", "on|off", "messages over the picture (play)", panels_switch,
     .replay = REPLAY_REFUSES},
    {"panels.passes", "s", "on|off", "measures each render pass, which makes drawing slower", panels_switch,
     .replay = REPLAY_SKIPS},
};

const command_group commands_of_panels = {panels_rows, sizeof panels_rows / sizeof *panels_rows};

/* --- Positions of the gizmo's handles, for scripts that drag them --- */

/* Distance in points at which a click should still hit the same handle. */
#define MARGIN 4.0

/* A point on a handle to drag it by. */
typedef struct grip_point {
    int hits;             /* how many of five pixels around it hit the handle */
    double at[2], way[2]; /* its pixel, and the direction of a drag (unit vector) */
} grip_point;

/* Counts how many of five pixels around a point are in the window and hit the handle. */
static int count_hits(const gizmo *g, gizmo_handle handle, const double at[2])
{
    static const double around[5][2] = {{0, 0}, {MARGIN, 0}, {-MARGIN, 0}, {0, MARGIN}, {0, -MARGIN}};
    int hits = 0;
    for (int i = 0; i < 5; i++) {
        const double pixel[2] = {at[0] + around[i][0] * g->point, at[1] + around[i][1] * g->point};
        bool seen =
            pixel[0] >= 0 && pixel[1] >= 0 && pixel[0] < g->camera.width && pixel[1] < g->camera.height;
        hits += seen && gizmo_hit(g, pixel) == handle;
    }
    return hits;
}

/* Tries the point at 70 % of a line of a stroke, and stores it in *best if it has more hits. */
static void try_point(const gizmo *g, gizmo_handle handle, const float a[2], const float b[2],
                      grip_point *best)
{
    const double x = (double)b[0] - (double)a[0], y = (double)b[1] - (double)a[1], far = mmd_hypot(x, y);
    const double at[2] = {(double)a[0] + 0.7 * x, (double)a[1] + 0.7 * y};
    int hits = far > 0 ? count_hits(g, handle, at) : 0;
    if (hits > best->hits)
        *best = (grip_point){hits, {at[0], at[1]}, {x / far, y / far}};
}

/* Finds the point of a handle that is easiest to hit; hits is 0 when the handle is not visible. */
static grip_point find_point(const gizmo *g, gizmo_handle handle, const gizmo_stroke *strokes, size_t count)
{
    grip_point best = {0};
    for (size_t i = 0; i < count; i++) {
        const gizmo_stroke *s = &strokes[i];
        bool is_side = s->handle == handle && !s->behind;
        for (uint32_t k = 0; is_side && k + !s->closes < s->count; k++)
            try_point(g, handle, s->points[k], s->points[(k + 1) % s->count], &best);
    }
    return best;
}

/* Writes a JSON member that is a pair of numbers. */
static void emit_pair(emitter *e, const char *name, double x, double y)
{
    emit_key(e, name);
    emit_open(e, '[');
    emit_real(e, x);
    emit_real(e, y);
    emit_close(e, ']');
}

/* Writes the JSON member "handles". */
static void emit_handles(emitter *e, const gizmo *g)
{
    static const char *const names[GIZMO_HANDLES] = {"", "x", "y", "z", "yz", "zx", "xy", "center"};
    gizmo_stroke strokes[GIZMO_STROKES_MAX];
    size_t count = gizmo_strokes(g, strokes);
    emit_key(e, "handles");
    emit_open(e, '[');
    for (int h = GIZMO_X; h < GIZMO_HANDLES; h++) {
        grip_point point = find_point(g, (gizmo_handle)h, strokes, count);
        if (point.hits == 0)
            continue;
        emit_open(e, '{');
        emit_member_text(e, "handle", names[h]);
        emit_pair(e, "at", point.at[0], point.at[1]);
        emit_pair(e, "way", point.way[0], point.way[1]);
        emit_close(e, '}');
    }
    emit_close(e, ']');
}

static bool gizmo_tell(odori_session *s, const command_arguments *a, char *error)
{
    emitter e = {.out = stdout};
    char path[COMMAND_LINE_MAX];
    const gizmo_mouse_view view = player_view(s);
    gizmo g;
    mmd_item item;
    const char *why = "";
    (void)a;
    if (view.width == 0)
        return refuse_with(error, "there is no window: the gizmo is only visible in `play`");
    if (!gizmo_mouse_gizmo(s, &view, &g, &item, &why))
        return refuse_with(error, "the gizmo is not visible%s%s", *why ? ": " : "", why);
    mmd_edit_path(s->history.edit, item, path, sizeof path);
    emit_open(&e, '{');
    emit_member_text(&e, "gizmo", path);
    emit_pair(&e, "center", g.center[0], g.center[1]);
    emit_handles(&e, &g);
    emit_close(&e, '}');
    putchar('\n');
    fflush(stdout);
    return true;
}

static const command handles_rows[] = {
    {"gizmo.tell", "", "",
     "prints the window position and drag direction of each gizmo handle as JSON (play)", gizmo_tell,
     .replay = REPLAY_SKIPS},
};

const command_group commands_of_handles = {handles_rows, sizeof handles_rows / sizeof *handles_rows};

/* --- Keys, mouse and window --- */

/* Toggles what an on/off command switches. It runs that command with an explicit state, so that a recording
 * has the same effect when it is replayed. */
static bool toggle(odori_session *s, const command_arguments *a, char *error)
{
    const struct {
        const char *name;
        bool on;
    } switches[] = {
        {"edit.mirror", s->selection.mirrors},
        {"gizmo.snap", s->selection.snaps},
        {"play.loop", s->transport.loop},
        {"play.mirror", s->scene->is_mirrored},
        {"camera.follow", s->follow.on},
        {"camera.perspective", mmd_stage_camera(s->scene->stage)->perspective},
        {"view.edge", s->view.edge},
        {"view.grid", s->view.grid},
        {"view.self-shadow", s->view.self_shadow},
        {"view.ground-shadow", s->view.ground_shadow},
        {"view.bodies", s->view.show_bodies},
        {"view.joints", s->view.show_joints},
        {"view.contacts", s->view.show_contacts},
        {"view.bones", s->view.show_bones},
        {"view.wireframe", s->view.show_wireframe},
        {"view.normals", s->view.show_normals},
        {"view.clay", s->view.surface == MMD_SURFACE_CLAY},
        {"panels.sheet", s->panels.sheet},
        {"keys", s->lists_bindings},
        {"audio.mute", document_of(s)->audio && audio_is_muted(document_of(s)->audio)},
        {"window.full", player_window(s) && window_is_full(player_window(s))},
    };
    char line[64];
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        if (strcmp(a->word[0], switches[i].name) != 0)
            continue;
        int length = snprintf(line, sizeof line, "%s %s", a->word[0], switches[i].on ? "off" : "on");
        return command_run(s, line, (size_t)length, error);
    }
    return refuse_with(error, "\"%.60s\" is not a command that switches something on or off", a->word[0]);
}

static bool keys(odori_session *s, const command_arguments *a, char *error)
{
    char text[8192];
    if (!document_of(s)->bindings)
        return refuse_with(error, "only `play` has key bindings");
    s->lists_bindings = a->on[0];
    s->changed = true;
    if (!s->lists_bindings)
        return true;
    bindings_text(document_of(s)->bindings, text, sizeof text);
    fputs(text, stderr);
    return true;
}

static bool preset(odori_session *s, const command_arguments *a, char *error)
{
    bool left = strcmp(a->word[0], "left") == 0;
    if (!left && strcmp(a->word[0], "mmd") != 0)
        return refuse_with(error, "\"%.40s\" is not mmd or left", a->word[0]);
    s->preset = left ? INPUT_LEFT : INPUT_MMD;
    return true;
}

/* Chooses a set of keys, with the user's own keys over it. */
static bool key_set_choose(odori_session *s, const command_arguments *a, char *error)
{
    key_bindings *bindings = document_of(s)->bindings;
    key_set set;
    if (!bindings_find_set(a->word[0], &set))
        return refuse_with(error, "\"%.40s\" is not odori, mmd or blender", a->word[0]);
    if (!bindings)
        return refuse_with(error, "only `play` has key bindings");
    bool told = bindings->told_of_wrong;
    bindings_init_set(bindings, set);
    bindings->told_of_wrong = told;
    if (s->remembers)
        preferences_read_bindings(bindings);
    s->changed = true;
    return true;
}

static bool has_window(const odori_session *s, char *error)
{
    return player_window(s) || refuse_with(error, "there is no window: use `play`");
}

/* Enters or leaves full screen, which begins without panels and keyframe editor. */
static void set_full(odori_session *s, bool full)
{
    panel_settings *p = &s->panels;
    window_set_full(player_window(s), full);
    bool is_full = window_is_full(player_window(s));
    if (is_full && !p->full) {
        p->shown_before = p->shown;
        p->sheet_before = p->sheet;
        p->shown = p->sheet = false;
    } else if (!is_full && p->full) {
        p->shown = p->shown_before;
        p->sheet = p->sheet_before;
    }
    p->full = is_full;
    player_follow_layout(s);
}

static bool window_full(odori_session *s, const command_arguments *a, char *error)
{
    if (!has_window(s, error))
        return false;
    set_full(s, a->on[0]);
    return true;
}

static bool window_vsync(odori_session *s, const command_arguments *a, char *error)
{
    if (!has_window(s, error))
        return false;
    window_set_vsync(player_window(s), a->on[0]);
    return true;
}

static bool window_size(odori_session *s, const command_arguments *a, char *error)
{
    for (int k = 0; k < 2; k++)
        if (a->number[k] < 1 || a->number[k] > 16384)
            return refuse_with(error, "%g is not between 1 and 16384", a->number[k]);
    if (!has_window(s, error))
        return false;
    window_set_size(player_window(s), (uint32_t)a->number[0], (uint32_t)a->number[1]);
    return true;
}

static void deselect(odori_session *s)
{
    selection_clear(&s->selection);
    s->has_chosen = false;
}

/* Says which key quits. Escape does not: it is often pressed once too often. */
static void tell_quit(odori_session *s)
{
    const key_bindings *keys = document_of(s)->bindings;
    const char *key = keys ? bindings_key_of(keys, "quit.ask") : NULL;
    if (s->messages)
        panel_log_tell(s->messages, "there is nothing to close; %s%s quits", key ? "the key " : "",
                       key ? key : "quit.ask");
}

/* Closes, cancels or deselects the first of these that applies. */
static bool escape(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    save_list *list = document_of(s)->saving;
    file_page *page = document_of(s)->page;
    if (list && list->shown)
        save_list_close(list);
    else if (page && page->shown)
        page->shown = false;
    else if (s->lists_bindings)
        s->lists_bindings = false;
    else if (player_inspection(s))
        inspect_close(s);
    else if (document_of(s)->opener && open_work_cancel(document_of(s)->opener->work))
        s->changed = true;
    else if (s->messages && !s->panels.hides_toasts && panel_log_close_errors(s->messages))
        s->changed = true;
    else if (s->messages && !s->panels.hides_toasts && player_window(s) && window_is_full(player_window(s)) &&
             panel_log_close_all(s->messages))
        s->changed = true;
    else if (s->selection.count)
        deselect(s);
    else if (player_window(s) && window_is_full(player_window(s)))
        set_full(s, false);
    else
        tell_quit(s);
    s->changed = true;
    return true;
}

static const command input_rows[] = {
    {"toggle", "c", "COMMAND", "toggles what an on/off command switches", toggle, .replay = REPLAY_RUNS},
    {"keys", "s", "on|off", "shows or hides the list of keys (play)", keys, .replay = REPLAY_SKIPS},
    {"input.preset", "w", "mmd|left",
     "mouse button that orbits the camera: the right one as in MMD, or the left one", preset,
     .replay = REPLAY_SKIPS},
    {"input.keys", "w", "odori|mmd|blender", "set of keys, which the user's keys.conf changes (play)",
     key_set_choose, .replay = REPLAY_REFUSES},
    {"window.full", "s", "on|off", "full screen (play)", window_full, .replay = REPLAY_SKIPS},
    {"window.vsync", "s", "on|off", "waits for the display's refresh (play)", window_vsync,
     .replay = REPLAY_SKIPS},
    {"window.size", "rr", "WIDTH HEIGHT", "size of the window (play)", window_size, .replay = REPLAY_SKIPS},
    {"escape", "", "",
     "closes the list of what is unsaved, the page of files, the list of keys or the pixel inspector, else "
     "cancels loading, else closes errors over the picture (in full screen all messages), else deselects, "
     "else leaves full screen (play)",
     escape, .replay = REPLAY_SKIPS},
};

const command_group commands_of_input = {input_rows, sizeof input_rows / sizeof *input_rows};

/* --- Screenshots, the pixel inspector and the clipboard --- */

static bool refuse_error(const mmd_error *why, char *error)
{
    char sentence[512];
    return refuse_with(error, "%.250s", mmd_error_sentence(why, sentence, sizeof sentence));
}

/* Renders the scene to a PNG as a screenshot does, without panels, but also without provenance. */
static bool draw_png(odori_session *s, mmd_buffer *png, char *error)
{
    mmd_error why = {0};
    mmd_image image = {0};
    mmd_view_options view = s->view;
    const gizmo_mouse_view seen = player_view(s);
    if (!document_of(s)->opener || !document_of(s)->opener->screen || seen.width == 0)
        return refuse_with(error, "there is no window: use `play`");
    view.samples = view.samples ? view.samples : document_of(s)->opener->samples;
    const mmd_png_options options = {.alpha = view.background[3] < 1, .level = MMD_PNG_FAST};
    bool drawn = (mmd_view_picture(document_of(s)->opener->screen->view, s->scene->stage, &view, seen.width,
                                   seen.height, &image, &why) == MMD_OK &&
                  mmd_png_write(&image, &options, png, &why) == MMD_OK) ||
                 refuse_error(&why, error);
    mmd_image_finish(&image);
    s->changed = true;
    return drawn;
}

static bool picture_copy(odori_session *s, const command_arguments *a, char *error)
{
    mmd_buffer png = {0};
    (void)a;
    bool copied = draw_png(s, &png, error) && clipboard_put_png(&png, error);
    if (copied)
        panel_log_tell(s->messages, "the picture of frame %.0f was copied to the clipboard", s->frame);
    mmd_buffer_finish(&png);
    return copied;
}

/* Copies the pose of the selected model as the text of a VPD file. The file is CP932 and the clipboard UTF-8,
 * so only names that CP932 cannot encode are lost (MMD_ERROR_TEXT). */
static bool pose_copy(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    mmd_buffer vpd = {0};
    mmd_error why = {0};
    const scene_model *m = session_selected_model(s, error);
    if (!m)
        return false;
    mmd_status status = pose_file_make(m->actor, true, &vpd, &why);
    bool copied = status == MMD_OK || status == MMD_ERROR_TEXT || refuse_error(&why, error);
    if (copied) {
        size_t size = mmd_utf8_from_cp932(vpd.data, vpd.size, NULL, 0, NULL);
        char *text = mmd_alloc(size + 1);
        if (text) {
            mmd_utf8_from_cp932(vpd.data, vpd.size, text, size, NULL);
            text[size] = '\0';
        }
        copied = text ? clipboard_put_text(s, text, error) : refuse_with(error, "out of memory");
        mmd_free(text);
    }
    if (copied)
        panel_log_tell(s->messages, "the pose of frame %.0f was copied to the clipboard", s->frame);
    mmd_buffer_finish(&vpd);
    return copied;
}

static bool pixel_copy(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    return inspect_copy(s, error);
}

static bool view_inspect(odori_session *s, const command_arguments *a, char *error)
{
    return inspect_pixel(s, a->number[0], a->number[1], error);
}

static bool view_inspected(odori_session *s, const command_arguments *a, char *error)
{
    if (a->on[0])
        return player_inspection(s) ||
               refuse_with(error, "no pixel was inspected; use `view.inspect X Y` first");
    inspect_close(s);
    return true;
}

static bool screenshot(odori_session *s, const command_arguments *a, char *error)
{
    return screenshot_write(s, a->count ? a->word[0] : NULL, error);
}

static bool playlist_add(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    return screenshot_add_to_playlist(s, error);
}

static bool screenshot_folder(odori_session *s, const command_arguments *a, char *error)
{
    char path[MMD_FILE_PATH_MAX];
    platform_info info;
    if (!a->count) {
        s->panels.pictures[0] = '\0';
        return true;
    }
    if (!platform_path_resolve(a->word[0], path) || !platform_stat(path, &info) ||
        info.kind != PLATFORM_FOLDER || !screenshot_may_write_in(path))
        return refuse_with(error, "%.100s is not a folder that can be written to", a->word[0]);
    if (strlen(path) >= sizeof s->panels.pictures)
        return refuse_with(error, "the path of the folder is too long");
    strcpy(s->panels.pictures, path);
    return true;
}

static bool paste(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    return clipboard_paste(s, error);
}

static const command pictures_rows[] = {
    {"view.inspect", "rr", "X Y", "prints what is drawn at a pixel as JSON (play)", view_inspect,
     .replay = REPLAY_REFUSES},
    {"view.inspected", "s", "on|off", "shows or closes the pixel inspector (play)", view_inspected,
     .replay = REPLAY_REFUSES},
    {"screenshot", "?o", "[FILE.png]", "writes the picture in the window, which can be opened again (play)",
     screenshot, .replay = REPLAY_SKIPS},
    {"playlist.add", "", "", "adds the scene, as it is shown, to the playlist (play)", playlist_add,
     .replay = REPLAY_REFUSES},
    {"screenshot.folder", "?w", "[FOLDER]",
     "where screenshot writes pictures without a name; none: the desktop's folder for pictures (play)",
     screenshot_folder, .replay = REPLAY_REFUSES},
    {"picture.copy", "", "", "copies a picture of the scene to the clipboard, by wl-copy or xclip (play)",
     picture_copy, .replay = REPLAY_REFUSES},
    {"pose.copy", "", "", "copies the pose of the model to the clipboard, as the text of a VPD file (play)",
     pose_copy, .replay = REPLAY_REFUSES},
    {"pixel.copy", "", "", "copies the inspected pixel to the clipboard, as JSON (play)", pixel_copy,
     .replay = REPLAY_REFUSES},
    {"paste", "", "", "pastes a pose for the model, or opens files, from the clipboard (play)", paste,
     .replay = REPLAY_REFUSES},
};

const command_group commands_of_pictures = {pictures_rows, sizeof pictures_rows / sizeof *pictures_rows};
