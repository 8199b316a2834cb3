/*
 * Commands that take back what was edited by hand, whenever that was: of a part of a model, of the camera or
 * the light, or of a whole actor, which then is as its motions say.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "edit_internal.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"

static const double bone_at_rest[MMD_BONE_NUMBERS] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};

/* --- Bodies and joints: the placement of their file --- */

typedef struct place_reset {
    mmd_item item;
    bool begun, was_by_hand;
    mmd_body_transform body;
    mmd_transform joint;
} place_reset;

static mmd_status place(mmd_stage *stage, mmd_item item, const mmd_body_transform *body,
                        const mmd_transform *joint)
{
    return item.kind == MMD_ITEM_BODY ? mmd_stage_place_body(stage, item.model, item.index, body, NULL)
                                      : mmd_stage_place_joint(stage, item.model, item.index, joint, NULL);
}

static bool redo_place(void *self, mmd_edit *edit)
{
    place_reset *r = self;
    mmd_stage *stage = mmd_edit_stage(edit);
    if (!mmd_edit_has(edit, r->item))
        return false;
    r->was_by_hand = r->item.kind == MMD_ITEM_BODY
                         ? mmd_stage_body_transform(stage, r->item.model, r->item.index, &r->body)
                         : mmd_stage_joint_transform(stage, r->item.model, r->item.index, &r->joint);
    mmd_status status = place(stage, r->item, NULL, NULL);
    mmd_edit_changed(edit, r->item);
    if (status != MMD_OK)
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
    return status == MMD_OK;
}

static bool set_place(void *self, mmd_edit *edit, const double *values)
{
    place_reset *r = self;
    (void)values;
    r->begun = r->begun || redo_place(self, edit);
    return r->begun; /* a second set changes nothing */
}

static void undo_place(void *self, mmd_edit *edit)
{
    const place_reset *r = self;
    if (!r->was_by_hand || !mmd_edit_has(edit, r->item))
        return;
    place(mmd_edit_stage(edit), r->item, &r->body, &r->joint);
    mmd_edit_changed(edit, r->item);
}

static bool remap_place(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    place_reset *r = self;
    return mmd_edit_map_item(map, &r->item) && mmd_edit_has(edit, r->item);
}

/* --- Camera and light: what the motions say --- */

typedef struct view_reset {
    mmd_item item;
    bool has_camera, has_color, has_direction; /* what was by hand */
    mmd_camera camera;
    float color[3], direction[3];
} view_reset;

/* Stores what is by hand. If nothing is, the stored values stay, because another stage may have got the
 * camera without a hand-set value. */
static void store_by_hand(view_reset *r, const mmd_stage *stage)
{
    bool is_camera = r->item.kind == MMD_ITEM_CAMERA;
    const mmd_camera *camera = is_camera ? mmd_stage_camera_by_hand(stage) : NULL;
    const float *color = is_camera ? NULL : mmd_stage_light_color_by_hand(stage);
    const float *direction = is_camera ? NULL : mmd_stage_light_direction_by_hand(stage);
    if (!camera && !color && !direction)
        return;
    *r = (view_reset){.item = r->item,
                      .has_camera = camera != NULL,
                      .has_color = color != NULL,
                      .has_direction = direction != NULL};
    if (camera)
        r->camera = *camera;
    if (color)
        memcpy(r->color, color, sizeof r->color);
    if (direction)
        memcpy(r->direction, direction, sizeof r->direction);
}

static bool redo_view(void *self, mmd_edit *edit)
{
    view_reset *r = self;
    store_by_hand(r, edit->stage);
    if (r->item.kind == MMD_ITEM_CAMERA) {
        mmd_stage_set_camera(edit->stage, NULL);
    } else {
        mmd_stage_set_light_color(edit->stage, NULL);
        mmd_stage_set_light_direction(edit->stage, NULL);
    }
    mmd_edit_changed(edit, r->item);
    return true;
}

static bool set_view(void *self, mmd_edit *edit, const double *values)
{
    (void)values;
    return redo_view(self, edit);
}

static void undo_view(void *self, mmd_edit *edit)
{
    const view_reset *r = self;
    if (r->has_camera)
        mmd_stage_set_camera(edit->stage, &r->camera);
    if (r->has_color)
        mmd_stage_set_light_color(edit->stage, r->color);
    if (r->has_direction)
        mmd_stage_set_light_direction(edit->stage, r->direction);
    mmd_edit_changed(edit, r->item);
}

/* Moves the command to another stage; every stage has the same one camera and light. */
static bool remap_view(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    (void)self, (void)edit, (void)map;
    return true;
}

/* --- A whole actor --- */

typedef struct actor_reset {
    mmd_item item;
    bool begun;
    mmd_command **parts; /* one for each bone, morph and outside parent by hand at the first set */
    size_t count;
} actor_reset;

/* Takes a command as a part. Returns false if it is NULL, or memory is out; it is destroyed then. */
static bool take_part(mmd_edit *edit, actor_reset *r, mmd_command *part)
{
    mmd_command **grown = part ? mmd_realloc(r->parts, (r->count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        mmd_command_destroy(part);
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
        return false;
    }
    r->parts = grown;
    grown[r->count++] = part;
    return true;
}

static void drop_parts(actor_reset *r)
{
    for (size_t i = 0; i < r->count; i++)
        mmd_command_destroy(r->parts[i]);
    mmd_free(r->parts);
    r->parts = NULL;
    r->count = 0;
}

/* Makes a part for everything that is by hand. Returns false, with a refusal, when out of memory. */
static bool find_parts(mmd_edit *edit, actor_reset *r)
{
    const uint32_t model = r->item.model;
    const mmd_actor *actor = mmd_stage_actor(edit->stage, model);
    const mmd_model *m = mmd_actor_model(actor);
    const float *weights = mmd_actor_morphs_by_hand(actor);
    bool all = true;
    for (uint32_t i = 0; i < m->bone_count && all; i++) {
        const mmd_item bone = {MMD_ITEM_BONE, model, i};
        double values[MMD_BONE_NUMBERS];
        mmd_edit_bone_values(edit, bone, values);
        if (memcmp(values, bone_at_rest, sizeof values) != 0)
            all = take_part(edit, r, mmd_edit_bone_command(edit, bone, bone_at_rest));
    }
    for (uint32_t i = 0; i < m->morph_count && all; i++) {
        const mmd_item morph = {MMD_ITEM_MORPH, model, i};
        if (!isnan(weights[i]))
            all = take_part(edit, r, mmd_edit_release_command(edit, morph));
    }
    if (all && mmd_edit_is_attached_by_hand(edit, r->item))
        all = take_part(edit, r, mmd_edit_release_command(edit, r->item));
    for (uint32_t i = 0; i < m->bone_count && all; i++) {
        const mmd_item bone = {MMD_ITEM_BONE, model, i};
        if (mmd_edit_is_attached_by_hand(edit, bone))
            all = take_part(edit, r, mmd_edit_release_command(edit, bone));
    }
    return all;
}

static void undo_actor(void *self, mmd_edit *edit)
{
    const actor_reset *r = self;
    for (size_t i = r->count; i-- > 0;)
        mmd_command_undo(edit, r->parts[i]);
}

static bool set_actor(void *self, mmd_edit *edit, const double *values)
{
    actor_reset *r = self;
    (void)values;
    if (!mmd_edit_has(edit, r->item)) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_NO_ITEM, NULL, NULL);
        return false;
    }
    bool all = r->begun || find_parts(edit, r);
    for (size_t i = 0; i < r->count && all; i++)
        all = mmd_command_set(edit, r->parts[i], NULL);
    if (!all && !r->begun) {
        undo_actor(r, edit);
        drop_parts(r);
    }
    r->begun = r->begun || all;
    return all;
}

/* Repeats all parts. One whose item is gone is skipped; without memory nothing is changed. */
static bool redo_actor(void *self, mmd_edit *edit)
{
    const actor_reset *r = self;
    for (size_t i = 0; i < r->count; i++) {
        edit->refusal[0] = '\0';
        if (!mmd_command_redo(edit, r->parts[i]) && mmd_edit_refusal_code(edit) == MMD_REFUSAL_MEMORY) {
            undo_actor(self, edit);
            return false;
        }
    }
    return true;
}

static void destroy_actor(void *self)
{
    drop_parts(self);
}

static size_t bytes_of_actor(const void *self)
{
    const actor_reset *r = self;
    size_t bytes = 0;
    for (size_t i = 0; i < r->count; i++)
        bytes += sizeof *r->parts + edit_command_bytes(r->parts[i]);
    return bytes;
}

/* Moves the parts to another stage and drops those whose item is gone. */
static bool remap_actor(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    actor_reset *r = self;
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (mmd_command_remap(edit, r->parts[i], map))
            r->parts[kept++] = r->parts[i];
        else
            mmd_command_destroy(r->parts[i]);
    }
    r->count = kept;
    return mmd_edit_map_item(map, &r->item) && mmd_edit_has(edit, r->item);
}

/* --- Choosing the command --- */

mmd_command *mmd_edit_reset_command(mmd_edit *edit, mmd_item item)
{
    static const mmd_command_table place_table = {
        .label = "reset", .set = set_place, .undo = undo_place, .redo = redo_place, .remap = remap_place};
    static const mmd_command_table view_table = {
        .label = "reset", .set = set_view, .undo = undo_view, .redo = redo_view, .remap = remap_view};
    static const mmd_command_table actor_table = {.label = "reset",
                                                  .set = set_actor,
                                                  .undo = undo_actor,
                                                  .redo = redo_actor,
                                                  .destroy = destroy_actor,
                                                  .bytes = bytes_of_actor,
                                                  .remap = remap_actor};
    assert(edit);
    edit->refusal[0] = '\0';
    if (!mmd_edit_has(edit, item)) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_NO_ITEM, NULL, NULL);
        return NULL;
    }
    switch (item.kind) {
    case MMD_ITEM_BONE:
        return mmd_edit_bone_command(edit, item, bone_at_rest);
    case MMD_ITEM_MORPH:
        return mmd_edit_release_command(edit, item);
    case MMD_ITEM_BODY:
    case MMD_ITEM_JOINT:
        return edit_command_of(edit, &place_table, &(place_reset){.item = item}, sizeof(place_reset));
    case MMD_ITEM_CAMERA:
    case MMD_ITEM_LIGHT:
        return edit_command_of(edit, &view_table, &(view_reset){.item = item}, sizeof(view_reset));
    case MMD_ITEM_MODEL:
        return edit_command_of(edit, &actor_table, &(actor_reset){.item = item}, sizeof(actor_reset));
    default:
        mmd_edit_refuse_item(edit, MMD_REFUSAL_NOTHING, item, NULL, NULL);
        return NULL;
    }
}
