/* Holds items for a gizmo. Each has a command of its own, which is set again and again during a drag. */
#include "gizmo_edit.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "gizmo.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"

static const struct {
    mmd_edit_hint hint;
    mmd_component component;
} meanings[GIZMO_MODES] = {
    [GIZMO_TRANSLATE] = {MMD_HINT_TRANSLATE, MMD_TRANSLATION},
    [GIZMO_ROTATE] = {MMD_HINT_ROTATE, MMD_ROTATION},
    [GIZMO_SCALE] = {MMD_HINT_SCALE, MMD_SCALE},
};

static const mmd_model *model_of(const mmd_edit *edit, mmd_item item)
{
    return mmd_actor_model(mmd_stage_actor(mmd_edit_stage(edit), item.model));
}

/* --- Placement of items --- */

/* Computes the axes that a bone's file defines: X, and Z made orthogonal to it; or its only rotation axis,
 * as X. */
static bool axes_of_bone(const mmd_bone *bone, double axes[9])
{
    double m[16] = {0}, found[9];
    const double z[3] = {0, 0, 1};
    bool is_local = bone->flags & MMD_BONE_LOCAL_AXIS, is_fixed = bone->flags & MMD_BONE_FIXED_AXIS;
    for (int k = 0; k < 3; k++) {
        m[k] = (double)(is_fixed ? bone->fixed_axis : bone->local_x)[k];
        m[8 + k] = is_local ? (double)bone->local_z[k] : z[k];
    }
    gizmo_cross(m + 8, m, m + 4);
    if ((!is_local && !is_fixed) || !gizmo_axes_of(m, found))
        return false;
    memcpy(axes, found, sizeof found);
    return true;
}

static void matrix_of(const mmd_transform *t, double m[16])
{
    double x = (double)t->rotation[0], y = (double)t->rotation[1], z = (double)t->rotation[2],
           w = (double)t->rotation[3];
    const double rows[16] = {
        1 - 2 * (y * y + z * z),   2 * (x * y + z * w),       2 * (x * z - y * w),       0,
        2 * (x * y - z * w),       1 - 2 * (x * x + z * z),   2 * (y * z + x * w),       0,
        2 * (x * z + y * w),       2 * (y * z - x * w),       1 - 2 * (x * x + y * y),   0,
        (double)t->translation[0], (double)t->translation[1], (double)t->translation[2], 1};
    memcpy(m, rows, sizeof rows);
}

/* Applies the axes of a glTF node, which its bone at rest does not have. */
static void take_node_axes(const mmd_model *model, uint32_t bone, double own[16])
{
    mmd_transform node = {.rotation = {0, 0, 0, 1}};
    double turn[16], columns[9];
    if (!model->node_rotations)
        return;
    memcpy(node.rotation, model->node_rotations[bone], sizeof node.rotation);
    matrix_of(&node, turn);
    for (int c = 0; c < 3; c++)
        gizmo_rotate_direction(own, turn + 4 * c, columns + 3 * c);
    for (int c = 0; c < 3; c++)
        memcpy(own + 4 * c, columns + 3 * c, 3 * sizeof *own);
}

static void place_bone(const mmd_model *model, uint32_t bone, gizmo_placement *placement)
{
    placement->has_axes = axes_of_bone(&model->bones[bone], placement->axes);
    placement->is_hinge = placement->has_axes && (model->bones[bone].flags & MMD_BONE_FIXED_AXIS);
    take_node_axes(model, bone, placement->own);
}

/* Finds the body that an item moves with: itself, or the first body of a joint. Kind NONE: there is none. */
static mmd_item carrier_of(const mmd_edit *edit, mmd_item item)
{
    mmd_item body = {.kind = MMD_ITEM_BODY, .model = item.model, .index = item.index};
    if (item.kind == MMD_ITEM_BODY)
        return body;
    if (item.kind != MMD_ITEM_JOINT)
        return (mmd_item){0};
    const mmd_physscene *scene = mmd_stage_physscene(mmd_edit_stage(edit), item.model);
    const mmd_model *model = model_of(edit, item);
    int32_t a = scene ? scene->joints[item.index].body_a : model->joints[item.index].body_a;
    int32_t b = scene ? scene->joints[item.index].body_b : model->joints[item.index].body_b;
    body.index = (uint32_t)(a >= 0 ? a : b);
    return a >= 0 || b >= 0 ? body : (mmd_item){0};
}

/*
 * Finds the current transform of a body. Bodies are edited at rest, but seen where their bone or the
 * simulation puts them. The handles are at the visible position, and a movement there is transferred to the
 * rest position.
 */
static bool seen_body(mmd_edit *edit, mmd_item body, double now[16])
{
    const mmd_transform *bodies = body.kind ? mmd_stage_bodies(mmd_edit_stage(edit), body.model) : NULL;
    if (!bodies || !mmd_edit_has(edit, body))
        return false;
    matrix_of(&bodies[body.index], now);
    return true;
}

/* Computes exclusive = now * inverse(rest), with the model's scale. */
static void see_from_body(mmd_edit *edit, mmd_item item, double exclusive[16])
{
    const mmd_item body = carrier_of(edit, item);
    double now[16], rest[16], here[9], there[9], turn[9], size = gizmo_length(exclusive);
    if (!seen_body(edit, body, now))
        return;
    mmd_edit_local(edit, body, rest);
    if (!gizmo_axes_of(now, here) || !gizmo_axes_of(rest, there))
        return;
    for (int k = 0; k < 3; k++) {
        double row[3] = {there[k], there[3 + k], there[6 + k]}, column[3] = {0, 0, 0};
        for (int i = 0; i < 3; i++)
            gizmo_add(column, here + 3 * i, row[i], column);
        memcpy(turn + 3 * k, column, sizeof column);
    }
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            exclusive[4 * c + k] = turn[3 * c + k] * size;
    double moved[3];
    gizmo_rotate_direction(exclusive, rest + 12, moved);
    gizmo_add(now + 12, moved, -1, exclusive + 12);
}

/* Computes the visible placement of a joint: its placement at rest, relative to the body that carries it. */
static void place_joint(mmd_edit *edit, mmd_item item, gizmo_placement *placement)
{
    double rest[16];
    see_from_body(edit, item, placement->parent);
    mmd_edit_local(edit, item, rest);
    gizmo_transform(placement->parent, rest + 12, placement->own + 12);
    for (int c = 0; c < 3; c++)
        gizmo_rotate_direction(placement->parent, rest + 4 * c, placement->own + 4 * c);
}

/* Moves the handles of a model or node to its pivot, if it has one. */
static void find_pivot(mmd_edit *edit, mmd_item item, gizmo_placement *placement)
{
    double pivot[3], at[3];
    if (item.kind != MMD_ITEM_MODEL && item.kind != MMD_ITEM_NODE)
        return;
    mmd_transform3d *object = mmd_edit_edit_transform3d(edit, item, MMD_HINT_ROTATE_PIVOT);
    if (object && mmd_transform3d_get(edit, object, MMD_ROTATE_PIVOT, pivot) && gizmo_length(pivot) > 0 &&
        mmd_transform3d_get(edit, object, MMD_TRANSLATION, at)) {
        double exclusive[16];
        gizmo_add(at, pivot, 1, at);
        mmd_transform3d_exclusive(edit, object, exclusive);
        gizmo_transform(exclusive, at, placement->origin);
    }
    mmd_transform3d_destroy(object);
}

void gizmo_camera_angles(mmd_edit *edit, double angles[3])
{
    mmd_op ops[MMD_OPS_MAX];
    const mmd_item camera = {.kind = MMD_ITEM_CAMERA};
    memset(angles, 0, 3 * sizeof *angles);
    for (size_t i = mmd_edit_ops(edit, camera, ops); i-- > 0;)
        if (ops[i].kind == MMD_OP_CAMERA_ROTATION)
            memcpy(angles, ops[i].value, 3 * sizeof *angles);
}

/* Places the handles of the camera at its target, which is the camera's position in MMD's terms. */
static void place_camera(mmd_edit *edit, gizmo_placement *placement)
{
    double angles[3];
    const mmd_camera *camera = mmd_stage_camera(mmd_edit_stage(edit));
    gizmo_camera_angles(edit, angles);
    gizmo_camera_axes(angles, placement->gimbal);
    placement->has_gimbal = true;
    for (int k = 0; k < 3; k++)
        placement->origin[k] = (double)camera->position[k];
}

bool gizmo_has_no_position(mmd_item item)
{
    return item.kind == MMD_ITEM_MORPH || item.kind == MMD_ITEM_SWITCHES || item.kind == MMD_ITEM_SHADOW;
}

bool gizmo_placement_of(mmd_edit *edit, mmd_item item, gizmo_placement *placement)
{
    *placement = (gizmo_placement){.has_axes = false};
    if (!mmd_edit_has(edit, item) || item.kind == MMD_ITEM_STAGE || gizmo_has_no_position(item))
        return false;
    if (item.kind == MMD_ITEM_LIGHT) { /* a light has a direction only */
        for (int k = 0; k < 16; k += 5)
            placement->own[k] = placement->parent[k] = 1;
        return true;
    }
    mmd_edit_inclusive(edit, item, placement->own);
    mmd_edit_exclusive(edit, item, placement->parent);
    if (item.kind == MMD_ITEM_BODY)
        seen_body(edit, item, placement->own);
    if (item.kind == MMD_ITEM_JOINT)
        place_joint(edit, item, placement);
    memcpy(placement->origin, placement->own + 12, sizeof placement->origin);
    if (item.kind == MMD_ITEM_BONE)
        place_bone(model_of(edit, item), item.index, placement);
    find_pivot(edit, item, placement);
    if (item.kind == MMD_ITEM_CAMERA)
        place_camera(edit, placement);
    return true;
}

/* --- The other side --- */

bool gizmo_twin(const mmd_edit *edit, mmd_item item, mmd_item *twin)
{
    if (item.kind != MMD_ITEM_BONE)
        return false;
    *twin = mmd_edit_mirrored(edit, item);
    return twin->kind != MMD_ITEM_NONE;
}

/* Mirrors the values of a component in the plane of Y and Z. */
static void mirror_values(mmd_component component, const double values[3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        bool turns = component == MMD_TRANSLATION ? k == 0 : component == MMD_ROTATION && k > 0;
        out[k] = turns ? -values[k] : values[k];
    }
}

/* --- Holding --- */

static bool is_held(const gizmo_hold *hold, mmd_item item, mmd_component component)
{
    for (size_t i = 0; i < hold->count; i++)
        if (hold->grips[i].component == component && mmd_item_equal(hold->grips[i].item, item))
            return true;
    return false;
}

static bool is_among(const mmd_item *items, size_t count, mmd_item item)
{
    for (size_t i = 0; i < count; i++)
        if (mmd_item_equal(items[i], item))
            return true;
    return false;
}

/* Tests whether an ancestor of an item is among the items. */
static bool has_ancestor_among(const mmd_edit *edit, const mmd_item *items, size_t count, mmd_item item)
{
    for (mmd_item above = mmd_edit_parent(edit, item); above.kind; above = mmd_edit_parent(edit, above))
        if (is_among(items, count, above))
            return true;
    return false;
}

/* Makes the command of a grip and fills in its axes, matrices and initial values. */
static mmd_command *make_command(mmd_edit *edit, mmd_transform3d *object, const gizmo_request *request,
                                 gizmo_grip *grip)
{
    gizmo_placement placement;
    grip->item = mmd_transform3d_item(object);
    if (!mmd_transform3d_get(edit, object, grip->component, grip->before) ||
        !gizmo_placement_of(edit, grip->item, &placement)) {
        mmd_edit_refuse_item(edit, MMD_REFUSAL_NOTHING, grip->item, NULL, NULL);
        return NULL;
    }
    if (request->common)
        memcpy(grip->axes, request->axes, sizeof grip->axes);
    else
        gizmo_axes(&placement, request->mode, request->space, grip->axes);
    gizmo_add(placement.origin, request->pivot, -1, grip->from);
    mmd_transform3d_exclusive(edit, object, grip->exclusive);
    see_from_body(edit, grip->item, grip->exclusive);
    mmd_command *made = mmd_transform3d_command(edit, object, grip->component, grip->before);
    if (grip->kind == GRIP_CAMERA)
        gizmo_camera_angles(edit, grip->before);
    memcpy(grip->values, grip->before, sizeof grip->values);
    return made;
}

static gizmo_grip_kind kind_of(mmd_item item, const gizmo_request *request)
{
    if (request->mode == GIZMO_ROTATE && item.kind == MMD_ITEM_CAMERA)
        return GRIP_CAMERA;
    return request->mode == GIZMO_ROTATE && item.kind == MMD_ITEM_LIGHT && request->rotates_light
               ? GRIP_LIGHT
               : GRIP_PLAIN;
}

/* Holds one component of an item, unless it is held already. Returns false if refused. */
static bool hold_part(gizmo_hold *hold, mmd_item item, const gizmo_request *request, gizmo_grip_kind kind,
                      bool is_twin)
{
    gizmo_mode mode = kind == GRIP_ORBITS || kind == GRIP_LIGHT ? GIZMO_TRANSLATE : request->mode;
    gizmo_grip grip = {.kind = kind, .component = meanings[mode].component, .is_twin = is_twin};
    mmd_transform3d *object = mmd_edit_edit_transform3d(hold->edit, item, meanings[mode].hint);
    if (!object)
        return false;
    if (is_held(hold, mmd_transform3d_item(object), grip.component)) {
        mmd_transform3d_destroy(object);
        return true;
    }
    grip.command = make_command(hold->edit, object, request, &grip);
    mmd_transform3d_destroy(object);
    if (!grip.command)
        return false;
    hold->grips[hold->count++] = grip;
    return true;
}

/* Holds an item, and after it the bone of the other side. */
static bool hold_item(gizmo_hold *hold, mmd_item item, const mmd_item *twin, const gizmo_request *request,
                      gizmo_grip_kind kind)
{
    size_t before = hold->count;
    bool held = hold_part(hold, item, request, kind, false);
    if (twin && hold->count > before)
        held &= hold_part(hold, *twin, request, kind, true);
    return held;
}

/* Tests whether an item can be rotated about another point. Bones that users do not move stay in their
 * joints. */
static bool can_orbit(const mmd_edit *edit, mmd_item item)
{
    return item.kind != MMD_ITEM_CAMERA && item.kind != MMD_ITEM_LIGHT &&
           (item.kind != MMD_ITEM_BONE ||
            (model_of(edit, item)->bones[item.index].flags & MMD_BONE_MOVABLE) != 0);
}

bool gizmo_hold_begin(gizmo_hold *hold, mmd_edit *edit, const mmd_item *items, size_t count,
                      const gizmo_request *request)
{
    bool all = true;
    assert(request->mode > GIZMO_NONE && request->mode < GIZMO_MODES);
    *hold = (gizmo_hold){.edit = edit};
    hold->grips = mmd_alloc(4 * (count ? count : 1) * sizeof *hold->grips);
    if (!hold->grips) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
        return false;
    }
    for (size_t i = 0; i < count && (all || !request->all); i++) {
        mmd_item twin;
        bool stays = request->mode == GIZMO_TRANSLATE || request->common;
        if (!request->all && stays && has_ancestor_among(edit, items, count, items[i]))
            continue;
        bool has_twin = request->mirrors && gizmo_twin(edit, items[i], &twin);
        if (has_twin && is_among(items + i + 1, count - i - 1, twin))
            continue; /* of both sides, the one that was selected last leads */
        all &= hold_item(hold, items[i], has_twin ? &twin : NULL, request, kind_of(items[i], request));
        if (request->common && request->mode != GIZMO_TRANSLATE && can_orbit(edit, items[i]))
            hold_item(hold, items[i], has_twin ? &twin : NULL, request, GRIP_ORBITS);
    }
    if (hold->count && (all || !request->all))
        return true;
    gizmo_hold_end(hold, false, false);
    return false;
}

static bool set_grip(gizmo_hold *hold, gizmo_grip *grip, const double values[3])
{
    double before[3], said[3];
    memcpy(before, grip->values, sizeof before);
    memcpy(grip->values, values, sizeof grip->values);
    memcpy(said, values, sizeof said);
    if (grip->kind == GRIP_CAMERA)
        gizmo_camera_degrees(values, said);
    if (mmd_command_set(hold->edit, grip->command, said)) {
        hold->changed = grip->is_set = true;
        return true;
    }
    memcpy(grip->values, before, sizeof before);
    return false;
}

/* Sets a twin to the mirrored values of the grip before it. */
static bool set_twin(gizmo_hold *hold, size_t i)
{
    double mirrored[3];
    mirror_values(hold->grips[i].component, hold->grips[i - 1].values, mirrored);
    return set_grip(hold, &hold->grips[i], mirrored);
}

/* Computes the translation of an item that is rotated or scaled about the common pivot. */
static void orbit(const gizmo_grip *grip, const gizmo_change *change, gizmo_change *move)
{
    double axis[3] = {0, 0, 0}, turn[9], to[3] = {0, 0, 0};
    *move = (gizmo_change){.mode = GIZMO_TRANSLATE, .in_world = true};
    for (int k = 0; k < 3; k++)
        if (change->mode == GIZMO_SCALE)
            gizmo_add(to, grip->axes + 3 * k, change->amount[k] * gizmo_dot(grip->from, grip->axes + 3 * k),
                      to);
        else if (change->in_world)
            axis[k] = change->amount[k];
        else
            gizmo_add(axis, grip->axes + 3 * k, change->amount[k], axis);
    double angle = gizmo_length(axis);
    if (change->mode != GIZMO_SCALE && gizmo_normalize(axis)) {
        gizmo_turn_about(axis, angle, turn);
        for (int k = 0; k < 3; k++)
            gizmo_add(to, turn + 3 * k, grip->from[k], to);
    } else if (change->mode != GIZMO_SCALE) {
        memcpy(to, grip->from, sizeof to);
    }
    gizmo_add(to, grip->from, -1, move->amount);
}

/* Computes the values of a grip after a change. Returns false if there are none. */
static bool values_after(const gizmo_grip *grip, const gizmo_change *change, double values[3])
{
    gizmo_change move;
    switch (grip->kind) {
    case GRIP_CAMERA:
        gizmo_camera_turned(change, grip->before, values);
        return true;
    case GRIP_LIGHT:
        gizmo_light_turned(change, grip->axes, grip->before, values);
        return true;
    case GRIP_ORBITS:
        orbit(grip, change, &move);
        return gizmo_values(&move, grip->axes, grip->exclusive, grip->before, values);
    default:
        return gizmo_values(change, grip->axes, grip->exclusive, grip->before, values);
    }
}

bool gizmo_hold_change(gizmo_hold *hold, const gizmo_change *change)
{
    bool all = true;
    for (size_t i = 0; i < hold->count; i++) {
        gizmo_grip *grip = &hold->grips[i];
        double values[3];
        if (grip->is_twin)
            all &= set_twin(hold, i);
        else
            all &= values_after(grip, change, values) && set_grip(hold, grip, values);
    }
    return all;
}

bool gizmo_hold_values(gizmo_hold *hold, const double values[3])
{
    bool all = true;
    for (size_t i = 0; i < hold->count && all; i++)
        all &= hold->grips[i].is_twin ? set_twin(hold, i) : set_grip(hold, &hold->grips[i], values);
    return all;
}

/* Makes the commands of all grips one step of undo: the first is a step, the others part of it. */
static bool take_all(gizmo_hold *hold, bool continues)
{
    bool kept = true;
    for (size_t i = 0; i < hold->count; i++) {
        gizmo_grip *grip = &hold->grips[i];
        bool taken = continues ? mmd_edit_add_to_last(hold->edit, grip->command)
                               : mmd_edit_add(hold->edit, grip->command);
        continues |= taken && grip->is_set;
        kept &= taken;
    }
    return kept;
}

static void revert(gizmo_hold *hold)
{
    for (size_t i = hold->count; i-- > 0;) {
        mmd_command_undo(hold->edit, hold->grips[i].command);
        mmd_command_destroy(hold->grips[i].command);
    }
}

bool gizmo_hold_end(gizmo_hold *hold, bool keep, bool continues)
{
    bool kept = true;
    if (keep && hold->changed)
        kept = take_all(hold, continues);
    else
        revert(hold);
    mmd_free(hold->grips);
    *hold = (gizmo_hold){0};
    return kept;
}
