#include "gizmo_hand.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "gizmo_pick.h"
#include "panel_log.h"

/* A click is a press and a release at one place, or nearly: points of the screen. */
#define STILL 4.0

gizmo_camera hand_camera(const odori_session *s, const hand_view *view)
{
    gizmo_camera camera = {.width = view->width, .height = view->height};
    float seen[16], projection[16];
    float aspect = view->height ? (float)view->width / (float)view->height : 1;
    mmd_camera_matrices(mmd_stage_camera(s->scene->stage), aspect, seen, projection, NULL);
    for (int k = 0; k < 16; k++) {
        camera.view[k] = (double)seen[k];
        camera.projection[k] = (double)projection[k];
    }
    return camera;
}

/* What is looked through and what only has a direction have no place for handles. */
static bool has_handles(mmd_item item)
{
    return item.kind != MMD_ITEM_CAMERA && item.kind != MMD_ITEM_LIGHT;
}

static const mmd_edit_hint hints[GIZMO_MODES] = {
    [GIZMO_TRANSLATE] = MMD_HINT_TRANSLATE, [GIZMO_ROTATE] = MMD_HINT_ROTATE, [GIZMO_SCALE] = MMD_HINT_SCALE};

bool hand_gizmo(odori_session *s, const hand_view *view, gizmo *out, mmd_item *item, const char **why)
{
    odori_selection *selection = &s->selection;
    gizmo_place place;
    *why = "";
    mmd_edit *edit = selection->count && selection->mode != GIZMO_NONE ? selection_edit(s) : NULL;
    if (!edit || selection->count == 0)
        return false;
    *item = selection->items[selection->count - 1];
    if (!has_handles(*item))
        return false;
    mmd_transform3d *object = mmd_edit_edit_transform3d(edit, *item, hints[selection->mode]);
    if (!object) {
        *why = mmd_edit_refusal(edit);
        return false;
    }
    *item = mmd_transform3d_item(object);
    mmd_transform3d_destroy(object);
    gizmo_camera camera = hand_camera(s, view);
    return gizmo_place_of(edit, *item, &place) &&
           gizmo_make(&camera, &place, selection->mode, selection->space, view->point, out);
}

bool hand_is_down(const odori_session *s)
{
    return s->selection.is_down;
}

bool hand_is_dragging(const odori_session *s)
{
    return s->selection.drag.on;
}

/* Why nothing happens is told where handles are, and once in the messages. */
static void tell(odori_session *s, const char *why)
{
    odori_selection *selection = &s->selection;
    if (strncmp(selection->trouble, why, sizeof selection->trouble - 1) == 0)
        return;
    snprintf(selection->trouble, sizeof selection->trouble, "%s", why);
    if (*why)
        panel_log_tell(s->messages, "%s", why);
}

static bool grip(odori_session *s, const gizmo *g, gizmo_handle handle, const double pixel[2])
{
    odori_selection *selection = &s->selection;
    const gizmo_wish wish = {
        .mode = selection->mode, .space = selection->space, .mirrors = selection->mirrors};
    mmd_edit *edit = selection_edit(s);
    if (!edit || !gizmo_hold_begin(&selection->drag.hold, edit, selection->items, selection->count, &wish)) {
        tell(s, edit ? mmd_edit_refusal(edit) : "out of memory");
        return false;
    }
    selection->drag.change = (gizmo_change){.mode = selection->mode};
    for (int k = 0; k < 3; k++)
        selection->drag.change.amount[k] = selection->mode == GIZMO_SCALE;
    gizmo_drag_begin(&selection->drag.drag, g, handle, pixel);
    selection->drag.on = true;
    s->changed = true;
    return true;
}

bool hand_press(odori_session *s, const hand_view *view, const double pixel[2])
{
    odori_selection *selection = &s->selection;
    gizmo g;
    mmd_item item;
    const char *why;
    hand_cancel(s);
    selection->is_down = true;
    memcpy(selection->press, pixel, sizeof selection->press);
    memcpy(selection->pointer, pixel, sizeof selection->pointer);
    if (!hand_gizmo(s, view, &g, &item, &why))
        return false;
    gizmo_handle handle = gizmo_hit(&g, pixel);
    return handle != GIZMO_NO_HANDLE && grip(s, &g, handle, pixel);
}

bool hand_move(odori_session *s, const hand_view *view, const double pixel[2])
{
    odori_selection *selection = &s->selection;
    memcpy(selection->pointer, pixel, sizeof selection->pointer);
    if (hypot(pixel[0] - selection->press[0], pixel[1] - selection->press[1]) > STILL * view->point)
        selection->has_moved |= selection->is_down;
    if (!selection->drag.on)
        return false;
    if (!gizmo_drag_to(&selection->drag.drag, pixel, selection->snaps ? &selection->snap : NULL,
                       &selection->drag.change))
        return true;
    if (!gizmo_hold_change(&selection->drag.hold, &selection->drag.change))
        tell(s, mmd_edit_refusal(selection->drag.hold.edit));
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

static void end(odori_session *s, bool keep)
{
    odori_selection *selection = &s->selection;
    bool changed = selection->drag.hold.changed;
    history_begin(&s->history);
    if (!gizmo_hold_end(&selection->drag.hold, keep, s->history.continues))
        tell(s, "out of memory");
    s->history.last = NULL;
    selection->drag = (selection_drag){.on = false};
    s->changed = true;
    if (changed) {
        session_touch(s);
        session_go(s, s->frame);
    }
}

void hand_cancel(odori_session *s)
{
    if (s->selection.drag.on)
        end(s, false);
    s->selection.is_down = s->selection.has_moved = false;
}

static void click(odori_session *s, const hand_view *view, bool adds)
{
    char path[COMMAND_LINE_MAX - 32];
    mmd_item item;
    if (!gizmo_pick(s, view, s->selection.press, &item)) {
        if (!adds && s->selection.count)
            command_format(s, "edit.clear");
        return;
    }
    mmd_edit *edit = selection_edit(s);
    if (!edit || gizmo_pick_path(edit, item, path, sizeof path) >= sizeof path)
        return;
    command_format(s, "edit.%s \"%s\"",
                   !adds                                ? "select"
                   : selection_has(&s->selection, item) ? "remove"
                                                        : "add",
                   path);
}

void hand_release(odori_session *s, const hand_view *view, bool adds)
{
    bool is_click = s->selection.is_down && !s->selection.has_moved && !s->selection.drag.on;
    if (s->selection.drag.on)
        end(s, true);
    s->selection.is_down = s->selection.has_moved = false;
    if (is_click)
        click(s, view, adds);
}

void hand_label(const odori_session *s, char *text, size_t size)
{
    static const char axes[] = "XYZ";
    const selection_drag *drag = &s->selection.drag;
    const double *amount = drag->change.amount;
    size_t length = 0;
    *text = '\0';
    if (!drag->on)
        return;
    if (drag->change.mode == GIZMO_ROTATE) {
        double angle =
            drag->change.in_world
                ? copysign(sqrt(amount[0] * amount[0] + amount[1] * amount[1] + amount[2] * amount[2]),
                           drag->drag.angle)
                : amount[0] + amount[1] + amount[2];
        snprintf(text, size, "%+.1f°", angle / RADIANS);
        return;
    }
    for (int k = 0; k < 3 && length < size; k++) {
        bool is_part = drag->change.mode == GIZMO_SCALE ? amount[k] != 1 : amount[k] != 0;
        if (is_part)
            length += (size_t)snprintf(text + length, size - length,
                                       drag->change.mode == GIZMO_SCALE ? "%s%c ×%.2f" : "%s%c %+.2f",
                                       length ? "   " : "", axes[k], amount[k]);
    }
}
