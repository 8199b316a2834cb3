#include "panel_edit.h"

#include <math.h>
#include <stdio.h>

#include "document/bindings.h"
#include "document/document.h"
#include "edit/gizmo.h"
#include "edit/refusals.h"
#include "gizmo_pick.h"
#include "mmd/elementary.h"

/* Computes the world position of a bone's tail: another bone, or an offset. Returns false when it has none.
 */
static bool find_tail(const odori_session *s, mmd_item item, double tail[3])
{
    const mmd_model *model = s->scene->models[item.model].model;
    const mmd_bone *bone = &model->bones[item.index];
    if (bone->flags & MMD_BONE_TAIL_IS_BONE) {
        if (bone->tail_bone >= 0)
            gizmo_bone_position(s, item.model, (uint32_t)bone->tail_bone, tail);
        return bone->tail_bone >= 0;
    }
    double own[16], offset[3];
    for (int k = 0; k < 3; k++)
        offset[k] = (double)bone->tail_offset[k];
    mmd_edit_inclusive(s->history.edit, item, own);
    gizmo_transform(own, offset, tail);
    return gizmo_length(offset) > 0;
}

/* Appends the mark of an item, unless it is outside of the window or has no position. */
static void add_target(const odori_session *s, const gizmo_camera *camera, mmd_item item, ui_edit *out)
{
    ui_target *t = &out->targets[out->target_count];
    gizmo_placement place;
    double at[2], tail[3];
    if (out->target_count == UI_TARGETS_MAX || item.kind == MMD_ITEM_CAMERA || item.kind == MMD_ITEM_LIGHT ||
        !gizmo_placement_of(s->history.edit, item, &place) || !gizmo_project(camera, place.origin, at))
        return;
    *t = (ui_target){.x = (float)at[0], .y = (float)at[1]};
    if (item.kind == MMD_ITEM_BONE && find_tail(s, item, tail) && gizmo_project(camera, tail, at)) {
        t->has_tail = true;
        t->tail_x = (float)at[0];
        t->tail_y = (float)at[1];
    }
    out->target_count++;
}

/* Fills the marks of selected items and of the bone under the pointer. */
static void fill_targets(odori_session *s, const gizmo_mouse_view *view, ui_edit *out)
{
    const odori_selection *selection = &s->selection;
    gizmo_camera camera = gizmo_mouse_camera(s, view);
    mmd_item item;
    for (size_t i = 0; i < selection->count; i++) {
        size_t before = out->target_count;
        add_target(s, &camera, selection->items[i], out);
        if (out->target_count > before)
            out->targets[before].is_last = i + 1 == selection->count;
    }
    if (!selection->is_near || selection->drag.on || out->hovered != GIZMO_NO_HANDLE ||
        !gizmo_pick_mark(s, view, selection->pointer, &item))
        return;
    size_t before = out->target_count;
    add_target(s, &camera, item, out);
    if (out->target_count > before)
        out->targets[before].is_hover = true;
    const mmd_bone *bone = &s->scene->models[item.model].model->bones[item.index];
    snprintf(out->name, sizeof out->name, "%.200s%s%.200s", bone->name, *bone->name_en ? "  " : "",
             bone->name_en);
}

/* Fills the icon of the light. */
static void fill_sun(const odori_session *s, const gizmo_mouse_view *view, ui_edit *out)
{
    const odori_selection *selection = &s->selection;
    double sun[2], end[2], *at = (double *)selection->pointer;
    out->has_sun = gizmo_mouse_sun(s, view, sun, end);
    if (!out->has_sun)
        return;
    for (int k = 0; k < 2; k++) {
        out->sun[k] = (float)sun[k];
        out->sun_end[k] = (float)end[k];
    }
    out->sun_selected = selection_has(selection, (mmd_item){.kind = MMD_ITEM_LIGHT});
    out->sun_hovered = selection->is_near && !selection->drag.on &&
                       mmd_hypot(at[0] - sun[0], at[1] - sun[1]) < GIZMO_SUN_REACH * view->point;
}

/* Fills the strokes of the gizmo, or the reason why there is none. */
static void fill_gizmo(odori_session *s, const gizmo_mouse_view *view, ui_edit *out)
{
    const odori_selection *selection = &s->selection;
    gizmo g;
    mmd_item item;
    const char *why;
    out->drags = selection->drag.on;
    fill_sun(s, view, out);
    if (!gizmo_mouse_gizmo(s, view, &g, &item, &why)) {
        const key_bindings *keys = document_of(s)->bindings;
        refusal_offer(s, why, keys ? bindings_key_of(keys, "edit.controller") : NULL, out->hint,
                      sizeof out->hint);
        return;
    }
    /* Dragging the camera would move its own gizmo in the window, so that stays where the drag began. */
    for (size_t i = 0; selection->drag.on && i < selection->drag.hold.count; i++)
        if (selection->drag.hold.grips[i].item.kind == MMD_ITEM_CAMERA)
            g = selection->drag.drag.seen;
    snprintf(out->hint, sizeof out->hint, "%s", selection->trouble[0] ? selection->trouble_shown : "");
    out->stroke_count = gizmo_strokes(&g, out->strokes);
    for (int k = 0; k < 2; k++)
        out->center[k] = (float)g.center[k];
    if (selection->drag.on) {
        out->hovered = selection->drag.drag.handle;
        gizmo_drag_shape(&selection->drag.drag, &selection->drag.change, &out->shape);
        if (out->hint[0] && !selection->drag.hold.changed)
            out->shape.count =
                0; /* everything was refused: shows the reason, not an angle by which nothing has turned */
        else
            gizmo_mouse_label(s, out->label, sizeof out->label);
    } else if (selection->is_near) {
        out->hovered = gizmo_hit(&g, selection->pointer);
    }
}

/* Fills a component of the Edit page. No reason is given for components that items of a kind never have. */
static void fill_component(const odori_session *s, mmd_item item, mmd_component component, ui_component *out)
{
    mmd_edit *edit = s->history.edit;
    static const mmd_edit_hint hints[] = {MMD_HINT_TRANSLATE, MMD_HINT_ROTATE, MMD_HINT_SCALE};
    mmd_transform3d *object = mmd_edit_edit_transform3d(edit, item, hints[component]);
    out->is_there = object && mmd_transform3d_get(edit, object, component, out->values);
    if (out->is_there && item.kind == MMD_ITEM_CAMERA && component == MMD_ROTATION)
        gizmo_camera_angles(edit, out->values);
    for (int k = 0; out->is_there && k < 3; k++)
        out->values[k] += 0.0; /* turns -0 into 0 */
    bool never = component == MMD_SCALE && (item.kind == MMD_ITEM_BONE || item.kind == MMD_ITEM_JOINT);
    never |= item.kind == MMD_ITEM_LIGHT && component != MMD_TRANSLATION;
    if (!object && !never)
        refusal_translate(s, mmd_edit_refusal(edit), out->refusal, sizeof out->refusal);
    mmd_transform3d_destroy(object);
}

/* Fills what only the Edit page shows. */
static void fill_page(odori_session *s, ui_edit *out)
{
    const odori_selection *selection = &s->selection;
    mmd_edit *edit = s->history.edit;
    out->mode = selection->mode;
    out->space = selection->space;
    out->snap = selection->snap;
    out->snaps = selection->snaps;
    out->mirrors = selection->mirrors;
    out->common = selection->common;
    out->undo = edit ? mmd_edit_undo_label(edit) : NULL;
    out->redo = edit ? mmd_edit_redo_label(edit) : NULL;
    if (!edit || !selection->count)
        return;
    mmd_item last = selection->items[selection->count - 1];
    mmd_edit_path(edit, last, out->path, sizeof out->path);
    out->controls = refusal_controller(s, last, out->controller, sizeof out->controller);
    for (mmd_component c = MMD_TRANSLATION; c <= MMD_SCALE; c++)
        fill_component(s, last, c, &out->components[c]);
}

void panel_edit_fill(odori_session *s, const gizmo_mouse_view *view, ui_edit *out)
{
    bool is_open = s->panels.shown && s->panels.page == PANEL_EDIT;
    *out = (ui_edit){.is_seen = s->selection.count > 0 || s->view.show_bones || is_open};
    if (out->is_seen && selection_edit(s)) {
        fill_gizmo(s, view, out);
        fill_targets(s, view, out);
    }
    out->count = s->selection.count;
    out->items = s->selection.items;
    if (out->count)
        out->item = out->items[out->count - 1];
    if (is_open)
        fill_page(s, out);
}
