/* The selection, and edits of it by numbers. Dragging with the mouse is in gizmo_mouse.c. */
#include "selection.h"

#include <stdio.h>
#include <string.h>

#include "mmd/memory.h"
#include "base/message.h"
#include "refusals.h"
#include "session.h"

odori_selection selection_default(void)
{
    return (odori_selection){
        .mode = GIZMO_ROTATE, .space = GIZMO_LOCAL, .snap = {.units = 0.1, .degrees = 15, .factor = 0.1}};
}

void selection_finish(odori_selection *selection)
{
    if (selection->drag.on)
        gizmo_hold_end(&selection->drag.hold, false, false);
    selection->drag = (selection_drag){0};
    mmd_free(selection->items);
    selection->items = NULL;
    selection->count = selection->room = 0;
}

bool selection_has(const odori_selection *selection, mmd_item item)
{
    for (size_t i = 0; i < selection->count; i++)
        if (mmd_item_equal(selection->items[i], item))
            return true;
    return false;
}

void selection_remove(odori_selection *selection, mmd_item item)
{
    size_t kept = 0;
    for (size_t i = 0; i < selection->count; i++)
        if (!mmd_item_equal(selection->items[i], item))
            selection->items[kept++] = selection->items[i];
    selection->count = kept;
}

void selection_remap(odori_selection *selection, const mmd_edit_map *map)
{
    size_t kept = 0;
    for (size_t i = 0; i < selection->count; i++) {
        mmd_item item = selection->items[i];
        if (mmd_edit_map_item(map, &item))
            selection->items[kept++] = item;
    }
    selection->count = kept;
    selection->trouble[0] = '\0';
}

bool selection_add(odori_selection *selection, mmd_item item)
{
    selection_remove(selection, item);
    if (selection->count == selection->room) {
        size_t room = selection->room ? 2 * selection->room : 16;
        mmd_item *grown = mmd_realloc(selection->items, room * sizeof *grown);
        if (!grown)
            return false;
        selection->items = grown;
        selection->room = room;
    }
    selection->items[selection->count++] = item;
    return true;
}

void selection_clear(odori_selection *selection)
{
    selection->count = 0;
    selection->trouble[0] = '\0';
}

mmd_edit *selection_edit(odori_session *s)
{
    mmd_edit *edit = history_edit(&s->history);
    size_t kept = 0;
    if (!edit)
        return NULL;
    mmd_edit_options options = *mmd_edit_get_options(edit);
    if (options.paused == s->playing) {
        options.paused = !s->playing;
        mmd_edit_set_options(edit, &options);
    }
    odori_selection *selection = &s->selection;
    for (size_t i = 0; i < selection->count; i++)
        if (mmd_edit_has(edit, selection->items[i]))
            selection->items[kept++] = selection->items[i];
    selection->count = kept;
    return edit;
}

/* --- Drags --- */

void selection_report_trouble(odori_session *s, const char *why)
{
    odori_selection *selection = &s->selection;
    if (strncmp(selection->trouble, why, sizeof selection->trouble - 1) == 0)
        return;
    refusal_offer(s, why, NULL, selection->trouble_shown, sizeof selection->trouble_shown);
    snprintf(selection->trouble, sizeof selection->trouble, "%s", why);
    if (*why)
        panel_log_refuse(s->messages, "%s", why);
}

void selection_end_drag(odori_session *s, bool keep)
{
    odori_selection *selection = &s->selection;
    bool changed = selection->drag.hold.changed;
    history_begin(&s->history);
    if (!gizmo_hold_end(&selection->drag.hold, keep, s->history.continues))
        selection_report_trouble(s, "out of memory");
    s->history.last = NULL;
    selection->drag = (selection_drag){.on = false};
    s->changed = true;
    if (changed) {
        session_touch(s);
        session_go(s, s->frame);
    }
}

bool selection_cancel_drag(odori_session *s)
{
    bool was_on = s->selection.drag.on;
    if (was_on)
        selection_end_drag(s, false);
    s->selection.is_down = s->selection.has_moved = false;
    return was_on;
}

/* --- Edits --- */

/* Returns the edit. NULL if nothing can be edited, with the reason in error. */
static mmd_edit *begin(odori_session *s, char *error)
{
    mmd_edit *edit = selection_edit(s);
    if (!edit)
        refuse_with(error, "out of memory");
    else if (s->selection.count == 0)
        refuse_with(error, "nothing is selected; select an item first (`edit.select PATH`)");
    return edit && s->selection.count ? edit : NULL;
}

static bool refuse(const mmd_edit *edit, char *error)
{
    const char *why = mmd_edit_refusal(edit);
    return refuse_with(error, "%s", *why ? why : "the selection cannot be edited in this way");
}

static bool done(odori_session *s)
{
    s->history.last = NULL;
    s->history.continues = true;
    s->selection.trouble[0] = '\0';
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

bool selection_set(odori_session *s, gizmo_mode mode, const double values[3], char *error)
{
    gizmo_hold hold;
    const gizmo_request wish = {
        .mode = mode, .space = GIZMO_LOCAL, .mirrors = s->selection.mirrors, .all = true};
    mmd_edit *edit = begin(s, error);
    if (!edit)
        return false;
    if (!gizmo_hold_begin(&hold, edit, s->selection.items, s->selection.count, &wish))
        return refuse(edit, error);
    if (!gizmo_hold_values(&hold, values)) {
        refuse(edit, error);
        gizmo_hold_end(&hold, false, false);
        return false;
    }
    history_begin(&s->history);
    return gizmo_hold_end(&hold, true, s->history.continues) ? done(s) : refuse_with(error, "out of memory");
}

/* Undoes what was done before one item refused, unless it joined an earlier step. */
static bool give_up(odori_session *s, mmd_edit *edit, bool began, char *error)
{
    refuse(edit, error);
    if (s->history.continues && !began) {
        history_undo(&s->history);
        done(s);
        s->history.continues = false;
    }
    return false;
}

static mmd_command *matrix_command(mmd_edit *edit, mmd_item item, const double matrix[16])
{
    mmd_transform3d *object = mmd_edit_transform3d(edit, item);
    mmd_command *made = object ? mmd_transform3d_matrix_command(edit, object, matrix) : NULL;
    mmd_transform3d_destroy(object);
    return made;
}

/* Finds the position of a bone at rest. */
static void rest_of(mmd_edit *edit, mmd_item item, double rest[3])
{
    mmd_op ops[MMD_OPS_MAX];
    memset(rest, 0, 3 * sizeof *rest);
    for (size_t i = mmd_edit_ops(edit, item, ops); i-- > 0;)
        if (strcmp(ops[i].name, "rest") == 0)
            memcpy(rest, ops[i].value, 3 * sizeof *rest);
}

/* Mirrors a matrix in the plane of Y and Z. The translation from one bone's rest is mirrored to the
 * other's. */
static void mirror_matrix(mmd_edit *edit, mmd_item item, mmd_item twin, const double m[16], double out[16])
{
    double rest[3], other[3];
    rest_of(edit, item, rest);
    rest_of(edit, twin, other);
    for (int k = 0; k < 16; k++)
        out[k] = (k % 4 == 0) != (k / 4 == 0) ? -m[k] : m[k];
    for (int k = 0; k < 3; k++)
        out[12 + k] = other[k] + (m[12 + k] - rest[k]) * (k == 0 ? -1 : 1);
}

/* Sets an item's matrix, and that of the bone of the other side unless it is selected, too. */
static bool set_matrix(odori_session *s, mmd_edit *edit, mmd_item item, const double matrix[16])
{
    double mirrored[16];
    mmd_item twin;
    if (!history_take(&s->history, matrix_command(edit, item, matrix)))
        return false;
    if (!s->selection.mirrors || !gizmo_twin(edit, item, &twin) || selection_has(&s->selection, twin))
        return true;
    mirror_matrix(edit, item, twin, matrix, mirrored);
    return history_take(&s->history, matrix_command(edit, twin, mirrored));
}

bool selection_set_matrix(odori_session *s, const double matrix[16], char *error)
{
    mmd_edit *edit = begin(s, error);
    if (!edit)
        return false;
    history_begin(&s->history);
    bool began = s->history.continues;
    for (size_t i = 0; i < s->selection.count; i++)
        if (!set_matrix(s, edit, s->selection.items[i], matrix))
            return give_up(s, edit, began, error);
    return done(s);
}

/* --- Back to nothing --- */

/* Resets translation, rotation and scale of an item, as far as it has them. */
static bool reset_ops(odori_session *s, mmd_edit *edit, mmd_item item)
{
    static const mmd_edit_hint hints[] = {MMD_HINT_TRANSLATE, MMD_HINT_ROTATE, MMD_HINT_SCALE};
    bool any = false;
    for (mmd_component c = MMD_TRANSLATION; c <= MMD_SCALE; c++) {
        const double size = c == MMD_SCALE;
        const double rest[3] = {size, size, size};
        mmd_transform3d *object = mmd_edit_edit_transform3d(edit, item, hints[c]);
        mmd_command *made = object ? mmd_transform3d_command(edit, object, c, rest) : NULL;
        mmd_transform3d_destroy(object);
        any |= history_take(&s->history, made);
    }
    return any;
}

static bool reset_item(odori_session *s, mmd_edit *edit, mmd_item item)
{
    if (item.kind != MMD_ITEM_BONE && item.kind != MMD_ITEM_BODY && item.kind != MMD_ITEM_JOINT &&
        item.kind != MMD_ITEM_CAMERA && item.kind != MMD_ITEM_LIGHT)
        return reset_ops(s, edit, item);
    s->follow.on &= item.kind != MMD_ITEM_CAMERA; /* following a bone also sets the camera by hand */
    return history_take(&s->history, mmd_edit_reset_command(edit, item));
}

static bool reset_twin(odori_session *s, mmd_edit *edit, mmd_item item)
{
    mmd_item twin;
    return !s->selection.mirrors || !gizmo_twin(edit, item, &twin) || reset_item(s, edit, twin);
}

bool selection_reset(odori_session *s, char *error)
{
    mmd_edit *edit = begin(s, error);
    if (!edit)
        return false;
    history_begin(&s->history);
    bool began = s->history.continues;
    for (size_t i = 0; i < s->selection.count; i++)
        if (!reset_item(s, edit, s->selection.items[i]) || !reset_twin(s, edit, s->selection.items[i]))
            return give_up(s, edit, began, error);
    return done(s);
}
