/* Follows the mouse over the scene: makes the gizmo of the selection, drags its handles, and selects items by
 * clicks. */
#include "gizmo_mouse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command/commands.h"
#include "edit/controller.h"
#include "edit/gizmo.h"
#include "gizmo_pick.h"
#include "mmd/cursor.h"
#include "mmd/elementary.h"
#include "mmd/simulation.h"
#include "base/message.h"
#include "base/parse.h"
#include "edit/refusals.h"

/* How far the pointer may move in a click, in points. */
#define CLICK_MARGIN 4.0

gizmo_camera gizmo_mouse_camera(const odori_session *s, const gizmo_mouse_view *view)
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

/* Returns the item that was selected last, or kind MMD_ITEM_NONE. */
static mmd_item last_of(const odori_selection *selection)
{
    return selection->count ? selection->items[selection->count - 1] : (mmd_item){0};
}

/* Returns the mode of the gizmo. A light can only be rotated. */
static gizmo_mode mode_of(const odori_selection *selection)
{
    bool turns = last_of(selection).kind == MMD_ITEM_LIGHT && selection->mode != GIZMO_NONE;
    return turns ? GIZMO_ROTATE : selection->mode;
}

/* Returns whether a point in the world is visible, at least `margin` pixels from the edges. */
static bool is_in_picture(const gizmo_camera *camera, const double placement[3], double margin)
{
    double at[2];
    return gizmo_project(camera, placement, at) && at[0] > margin && at[1] > margin &&
           at[0] < camera->width - margin && at[1] < camera->height - margin;
}

/* Finds the position of the light's gizmo. A directional light has none, so it is drawn at the middle of the
 * selected model if that is visible, otherwise at the target of the camera. */
static void find_light(const odori_session *s, const gizmo_mouse_view *view, double placement[3])
{
    static const char *const names[] = {"上半身", "センター"};
    gizmo_camera camera = gizmo_mouse_camera(s, view);
    for (size_t i = 0; i < 2 && s->selected < s->scene->model_count; i++) {
        int32_t bone = mmd_model_find_bone(s->scene->models[s->selected].model, names[i]);
        if (bone < 0)
            continue;
        gizmo_bone_position(s, s->selected, (uint32_t)bone, placement);
        if (is_in_picture(&camera, placement, 120 * view->point))
            return;
    }
    for (int k = 0; k < 3; k++)
        placement[k] = (double)mmd_stage_camera(s->scene->stage)->position[k];
}

bool gizmo_mouse_sun(const odori_session *s, const gizmo_mouse_view *view, double sun[2], double end[2])
{
    const mmd_item light = {.kind = MMD_ITEM_LIGHT};
    double placement[3];
    if (!selection_has(&s->selection, light))
        return false;
    gizmo_camera camera = gizmo_mouse_camera(s, view);
    find_light(s, view, placement);
    return gizmo_sun(&camera, placement, mmd_stage_light(s->scene->stage)->direction, view->point, sun, end);
}

/* Computes the mean of the origins of all selected items, except camera and light. Leaves it unchanged if
 * there are none.
 */
static void find_middle(odori_session *s, mmd_edit *edit, double middle[3])
{
    const odori_selection *selection = &s->selection;
    gizmo_placement placement;
    double sum[3] = {0, 0, 0}, count = 0;
    for (size_t i = 0; i < selection->count; i++) {
        mmd_item item = selection->items[i];
        if (item.kind == MMD_ITEM_CAMERA || item.kind == MMD_ITEM_LIGHT ||
            !gizmo_placement_of(edit, item, &placement))
            continue;
        gizmo_add(sum, placement.origin, 1, sum);
        count++;
    }
    for (int k = 0; count > 0 && k < 3; k++)
        middle[k] = sum[k] / count;
}

#define EDGE 20.0 /* least distance in points from the gizmo to a panel */

/* Moves a gizmo that a panel covers to the edge of the panel. Dragging it there has the same effect. A gizmo
 * outside of the window stays there. */
static void move_beside_panels(const gizmo_camera *camera, const gizmo_mouse_view *view, double origin[3])
{
    const gizmo_placement placement = {.origin = {origin[0], origin[1], origin[2]}};
    gizmo g;
    if (!gizmo_make(camera, &placement, GIZMO_ROTATE, GIZMO_WORLD, view->point, &g) || g.center[0] < 0 ||
        g.center[1] < 0 || g.center[0] > view->width || g.center[1] > view->height)
        return;
    for (int k = 0; k < 2; k++) { /* the view's right and up; y grows downwards in the window */
        double last = view->room[k] - EDGE * view->point, over = g.center[k] - last;
        const double way[3] = {camera->view[k], camera->view[4 + k], camera->view[8 + k]};
        if (view->room[k] > 0 && over > 0)
            gizmo_add(origin, way, over * g.unit * (k ? 1 : -1), origin);
    }
}

/* Returns whether several items are turned or scaled about their common centre. */
static bool is_common(const odori_selection *selection)
{
    gizmo_mode mode = mode_of(selection);
    return selection->common && selection->count > 1 && (mode == GIZMO_ROTATE || mode == GIZMO_SCALE);
}

static const mmd_edit_hint hints[GIZMO_MODES] = {
    [GIZMO_TRANSLATE] = MMD_HINT_TRANSLATE, [GIZMO_ROTATE] = MMD_HINT_ROTATE, [GIZMO_SCALE] = MMD_HINT_SCALE};

/* Returns whether an item can be edited in a mode; otherwise the reason is the refusal of the edit. Sets
 * *item to the item that is edited in its stead, if there is one. */
static bool is_editable(mmd_edit *edit, mmd_item *item, gizmo_mode mode)
{
    static const mmd_component components[GIZMO_MODES] = {
        [GIZMO_TRANSLATE] = MMD_TRANSLATION, [GIZMO_ROTATE] = MMD_ROTATION, [GIZMO_SCALE] = MMD_SCALE};
    static const mmd_refusal refusals[GIZMO_MODES] = {[GIZMO_TRANSLATE] = MMD_REFUSAL_NO_TRANSLATION,
                                                      [GIZMO_ROTATE] = MMD_REFUSAL_NO_ROTATION,
                                                      [GIZMO_SCALE] = MMD_REFUSAL_NO_SCALE};
    double ignored[3];
    if (item->kind == MMD_ITEM_LIGHT)
        return true;
    mmd_transform3d *object = mmd_edit_edit_transform3d(edit, *item, hints[mode]);
    if (!object)
        return false;
    *item = mmd_transform3d_item(object);
    bool is_there = mmd_transform3d_get(edit, object, components[mode], ignored);
    mmd_transform3d_destroy(object);
    if (!is_there)
        mmd_edit_refuse_item(edit, refusals[mode], *item, NULL, NULL);
    return is_there;
}

bool gizmo_mouse_gizmo(odori_session *s, const gizmo_mouse_view *view, gizmo *out, mmd_item *item,
                       const char **why)
{
    odori_selection *selection = &s->selection;
    gizmo_placement placement;
    *why = "";
    mmd_edit *edit = selection->count && selection->mode != GIZMO_NONE ? selection_edit(s) : NULL;
    if (!edit || selection->count == 0)
        return false;
    *item = last_of(selection);
    if (gizmo_has_no_position(*item))
        return false;
    if (!is_editable(edit, item, mode_of(selection))) {
        *why = mmd_edit_refusal(edit);
        return false;
    }
    gizmo_camera camera = gizmo_mouse_camera(s, view);
    if (!gizmo_placement_of(edit, *item, &placement))
        return false;
    if (item->kind == MMD_ITEM_LIGHT)
        find_light(s, view, placement.origin);
    if (is_common(selection))
        find_middle(s, edit, placement.origin);
    move_beside_panels(&camera, view, placement.origin);
    return gizmo_make(&camera, &placement, mode_of(selection), selection->space, view->point, out);
}

bool gizmo_mouse_is_down(const odori_session *s)
{
    return s->selection.is_down;
}

bool gizmo_mouse_is_dragging(const odori_session *s)
{
    return s->selection.drag.on;
}

/* Begins the drag of a handle. Returns false when the edit refuses it. */
static bool grip(odori_session *s, const gizmo *g, gizmo_handle handle, const double pixel[2])
{
    odori_selection *selection = &s->selection;
    gizmo_request request = {.mode = g->mode,
                             .space = selection->space,
                             .mirrors = selection->mirrors,
                             .rotates_light = true,
                             .common = is_common(selection)};
    memcpy(request.axes, g->axes, sizeof request.axes);
    mmd_edit *edit = selection_edit(s);
    if (edit)
        find_middle(s, edit, request.pivot);
    if (!edit ||
        !gizmo_hold_begin(&selection->drag.hold, edit, selection->items, selection->count, &request)) {
        selection_report_trouble(s, edit ? mmd_edit_refusal(edit) : "out of memory");
        return false;
    }
    selection->drag.change = (gizmo_change){.mode = g->mode};
    for (int k = 0; k < 3; k++)
        selection->drag.change.amount[k] = g->mode == GIZMO_SCALE;
    gizmo_drag_begin(&selection->drag.drag, g, handle, pixel);
    selection->drag.on = true;
    selection->trouble[0] = '\0';
    s->changed = true;
    return true;
}

bool gizmo_mouse_press(odori_session *s, const gizmo_mouse_view *view, const double pixel[2])
{
    odori_selection *selection = &s->selection;
    gizmo g;
    mmd_item item;
    const char *why;
    selection_cancel_drag(s);
    selection->is_down = true;
    memcpy(selection->press, pixel, sizeof selection->press);
    memcpy(selection->pointer, pixel, sizeof selection->pointer);
    if (!gizmo_mouse_gizmo(s, view, &g, &item, &why))
        return false;
    gizmo_handle handle = gizmo_hit(&g, pixel);
    return handle != GIZMO_NO_HANDLE && grip(s, &g, handle, pixel);
}

/* Stops the camera from following a bone when the drag moves it. */
static void stop_following(odori_session *s)
{
    const gizmo_hold *hold = &s->selection.drag.hold;
    for (size_t i = 0; i < hold->count; i++)
        if (hold->grips[i].item.kind == MMD_ITEM_CAMERA && hold->grips[i].component == MMD_TRANSLATION)
            s->follow.on = false;
}

bool gizmo_mouse_move(odori_session *s, const gizmo_mouse_view *view, const double pixel[2])
{
    odori_selection *selection = &s->selection;
    memcpy(selection->pointer, pixel, sizeof selection->pointer);
    if (mmd_hypot(pixel[0] - selection->press[0], pixel[1] - selection->press[1]) >
        CLICK_MARGIN * view->point)
        selection->has_moved |= selection->is_down;
    if (!selection->drag.on)
        return false;
    if (!gizmo_drag_to(&selection->drag.drag, pixel, selection->snaps ? &selection->snap : NULL,
                       &selection->drag.change))
        return true;
    if (!gizmo_hold_change(&selection->drag.hold, &selection->drag.change))
        selection_report_trouble(s, mmd_edit_refusal(selection->drag.hold.edit));
    else
        selection->trouble[0] = '\0';
    stop_following(s);
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

/* Sets *item to what is one level above it, or above what is selected where that is above it. */
static void go_up(odori_session *s, mmd_item *item)
{
    mmd_item last = last_of(&s->selection);
    bool is_whole = last.kind == MMD_ITEM_MODEL && last.model == item->model;
    if (is_whole || controller_is_above(s, last, *item))
        *item = last;
    controller_raise(s, item);
}

/* Selects what was clicked; with GIZMO_CLICK_ADDS adds it to the selection or removes it. A click beside
 * everything clears the selection. */
static void click(odori_session *s, const gizmo_mouse_view *view, unsigned how)
{
    char path[COMMAND_LINE_MAX - 32];
    mmd_item item;
    bool adds = how & GIZMO_CLICK_ADDS;
    bool found = how & GIZMO_CLICK_EXACT ? gizmo_pick_surface(s, view, s->selection.press, &item)
                                         : gizmo_pick(s, view, s->selection.press, &item);
    if (!found) {
        if (!adds && s->selection.count)
            command_format(s, "edit.clear");
        return;
    }
    if (how & GIZMO_CLICK_UP)
        go_up(s, &item);
    mmd_edit *edit = selection_edit(s);
    if (!edit || gizmo_pick_path(edit, item, path, sizeof path) >= sizeof path)
        return;
    command_format(s, "edit.%s \"%s\"",
                   !adds                                ? "select"
                   : selection_has(&s->selection, item) ? "remove"
                                                        : "add",
                   path);
}

/* --- A drag as command lines, for recording --- */

/* Appends a command whose argument is the path of an item. */
static void write_item(const odori_session *s, const char *command, mmd_item item, mmd_buffer *out)
{
    char path[COMMAND_LINE_MAX];
    if (gizmo_pick_path(s->history.edit, item, path, sizeof path) < sizeof path)
        mmd_write_format(out, "%s \"%s\"\n", command, path);
}

/* Appends commands that repeat the drag as one undo step, and then restore the selection. */
static void write_drag(const odori_session *s, mmd_buffer *out)
{
    static const char *const commands[] = {
        [MMD_TRANSLATION] = "translate", [MMD_ROTATION] = "rotate", [MMD_SCALE] = "scale"};
    const odori_selection *selection = &s->selection;
    const gizmo_hold *hold = &selection->drag.hold;
    mmd_item named = {0};
    bool joins = hold->count > 1 && !s->history.joins, is_all = true;
    if (joins)
        mmd_write_format(out, "edit.join on\n");
    for (size_t i = 0; i < hold->count; i++) {
        const gizmo_grip *grip = &hold->grips[i];
        is_all = is_all && selection->count == 1 && mmd_item_equal(grip->item, selection->items[0]);
        if (!grip->is_set)
            continue;
        if (!mmd_item_equal(grip->item, named))
            write_item(s, "edit.select", grip->item, out);
        named = grip->item;
        mmd_write_format(out, "edit.%s %.17g %.17g %.17g\n", commands[grip->component], grip->values[0],
                         grip->values[1], grip->values[2]);
    }
    if (joins)
        mmd_write_format(out, "edit.join off\n");
    for (size_t i = 0; i < selection->count && !is_all; i++)
        write_item(s, i ? "edit.add" : "edit.select", selection->items[i], out);
}

/* Adds the commands of a drag to the messages and to the recording. On the terminal they are logged at info
 * level, so that drags do not fill it. */
static void report_drag(odori_session *s)
{
    mmd_buffer lines = {0};
    write_drag(s, &lines);
    if (s->record && !lines.failed)
        mmd_write_bytes(s->record, lines.data, lines.size);
    mmd_write_u8(&lines, '\0');
    for (char *line = (char *)lines.data; s->messages && !lines.failed && *line;) {
        char *stop = strchr(line, '\n');
        *stop = '\0';
        panel_log_add(s->messages, line);
        mmd_log_message(&s->messages->behind, MMD_LOG_INFO, "%s", line);
        line = stop + 1;
    }
    mmd_buffer_finish(&lines);
}

void gizmo_mouse_release(odori_session *s, const gizmo_mouse_view *view, unsigned how)
{
    bool is_click = s->selection.is_down && !s->selection.has_moved && !s->selection.drag.on;
    if (s->selection.drag.on) {
        if (s->selection.drag.hold.changed)
            report_drag(s);
        selection_end_drag(s, true);
    }
    s->selection.is_down = s->selection.has_moved = false;
    if (is_click)
        click(s, view, how);
}

void gizmo_mouse_label(const odori_session *s, char *text, size_t size)
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
        snprintf(text, size, "%+.1f°", angle / DEGREE);
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
