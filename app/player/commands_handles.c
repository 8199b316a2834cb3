/*
 * What somebody who does by hand what scripts do wants to know: which bones
 * there are to edit, and where in the window the handles are.
 */
#include <math.h>
#include <stdio.h>

#include "player.h"
#include "base/emit.h"
#include "gizmo_mouse.h"
#include "player_internal.h"
#include "edit/selection.h"
#include "window.h"

/* So far on each side of a place that is told, in points, the same handle is hit. */
#define ROOM 4.0

static bool edit_all(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    const scene_model *m = session_selected_model(s, error);
    if (!m)
        return false;
    selection_clear(&s->selection);
    for (uint32_t b = 0; b < m->model->bone_count; b++) {
        const mmd_item bone = {.kind = MMD_ITEM_BONE, .model = (uint32_t)s->selected, .index = b};
        if (!selection_add(&s->selection, bone))
            return refuse_with(error, "out of memory");
    }
    s->changed = true;
    return true;
}

/* --- Where handles are --- */

/* A place of a handle, and where it is dragged to from there. */
typedef struct grip_place {
    int room; /* of five pixels about it how many hit the handle */
    double at[2], way[2];
} grip_place;

static int room_at(const gizmo *g, gizmo_handle handle, const double at[2])
{
    static const double around[5][2] = {{0, 0}, {ROOM, 0}, {-ROOM, 0}, {0, ROOM}, {0, -ROOM}};
    int room = 0;
    for (int i = 0; i < 5; i++) {
        const double pixel[2] = {at[0] + around[i][0] * g->point, at[1] + around[i][1] * g->point};
        bool seen =
            pixel[0] >= 0 && pixel[1] >= 0 && pixel[0] < g->camera.width && pixel[1] < g->camera.height;
        room += seen && gizmo_hit(g, pixel) == handle;
    }
    return room;
}

/* Between two points of a stroke, and on from the first to the second. */
static void try_place(const gizmo *g, gizmo_handle handle, const float a[2], const float b[2],
                      grip_place *best)
{
    const double x = (double)b[0] - (double)a[0], y = (double)b[1] - (double)a[1], far = hypot(x, y);
    const double at[2] = {(double)a[0] + 0.7 * x, (double)a[1] + 0.7 * y};
    int room = far > 0 ? room_at(g, handle, at) : 0;
    if (room > best->room)
        *best = (grip_place){room, {at[0], at[1]}, {x / far, y / far}};
}

static grip_place find_place(const gizmo *g, gizmo_handle handle, const gizmo_stroke *strokes, size_t count)
{
    grip_place best = {0};
    for (size_t i = 0; i < count; i++) {
        const gizmo_stroke *s = &strokes[i];
        bool is_side = s->handle == handle && !s->behind;
        for (uint32_t k = 0; is_side && k + !s->closes < s->count; k++)
            try_place(g, handle, s->points[k], s->points[(k + 1) % s->count], &best);
    }
    return best;
}

static void tell_pair(emitter *e, const char *name, double x, double y)
{
    emit_key(e, name);
    emit_open(e, '[');
    emit_real(e, x);
    emit_real(e, y);
    emit_close(e, ']');
}

static void tell_handles(emitter *e, const gizmo *g)
{
    static const char *const names[GIZMO_HANDLES] = {"", "x", "y", "z", "yz", "zx", "xy", "center"};
    gizmo_stroke strokes[GIZMO_STROKES_MAX];
    size_t count = gizmo_strokes(g, strokes);
    emit_key(e, "handles");
    emit_open(e, '[');
    for (int h = GIZMO_X; h < GIZMO_HANDLES; h++) {
        grip_place place = find_place(g, (gizmo_handle)h, strokes, count);
        if (place.room == 0)
            continue;
        emit_open(e, '{');
        emit_member_text(e, "handle", names[h]);
        tell_pair(e, "at", place.at[0], place.at[1]);
        tell_pair(e, "way", place.way[0], place.way[1]);
        emit_close(e, '}');
    }
    emit_close(e, ']');
}

/* Points of the screen are larger where the panels are, or where the window has more pixels than it says. */
static bool find_view(const odori_session *s, gizmo_mouse_view *view)
{
    uint32_t width = 0, height = 0;
    *view = (gizmo_mouse_view){.point = s->panels.scale};
    if (player_window(s)) {
        window_pixels(player_window(s), &view->width, &view->height);
        window_get_size(player_window(s), &width, &height);
    }
    if (!(view->point > 0))
        view->point = width ? (double)view->width / width : 1;
    return view->width > 0 && view->height > 0;
}

static bool gizmo_tell(odori_session *s, const command_arguments *a, char *error)
{
    emitter e = {.out = stdout};
    char path[COMMAND_LINE_MAX];
    gizmo_mouse_view view;
    gizmo g;
    mmd_item item;
    const char *why = "";
    (void)a;
    if (!find_view(s, &view))
        return refuse_with(error, "there is no window that handles could be seen in");
    if (!gizmo_mouse_gizmo(s, &view, &g, &item, &why))
        return refuse_with(error, "no handles are seen%s%s", *why ? ": " : "", why);
    mmd_edit_path(s->history.edit, item, path, sizeof path);
    emit_open(&e, '{');
    emit_member_text(&e, "gizmo", path);
    tell_pair(&e, "center", g.center[0], g.center[1]);
    tell_handles(&e, &g);
    emit_close(&e, '}');
    putchar('\n');
    fflush(stdout);
    return true;
}

static const command commands[] = {
    {"edit.all", "", "", "selects all bones of the model", edit_all},
    {"gizmo.tell", "", "",
     "tells where in the window each handle is seen, and which way it is dragged, as JSON on stdout (play)",
     gizmo_tell},
};

const command_group commands_of_handles = {commands, sizeof commands / sizeof *commands};
