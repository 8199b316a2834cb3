/*
 * Commands for what a user sets by hand: a bone's pose on top of its motion, the weight of a morph instead of
 * its motion's, and the outside parent of a bone or of a whole actor.
 *
 * The actor stores poses and weights by hand apart from its motions. The stage stores one list of outside
 * parents for each bone, so the edit remembers what a bone was given before the first edit.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "edit_internal.h"
#include "mmd/memory.h"

#define SCALE_LEAST 1e-3
#define SCALE_MOST  1e3

/* Tests whether an item is on the stage. Returns false with a refusal. */
static bool is_there(mmd_edit *edit, mmd_item item)
{
    bool found = mmd_edit_has(edit, item);
    if (!found)
        mmd_edit_refuse_as(edit, MMD_REFUSAL_NO_ITEM, NULL, NULL);
    return found;
}

/* --- Poses of bones --- */

typedef struct bone_command {
    mmd_item item;
    bool begun;
    double before[MMD_BONE_NUMBERS], after[MMD_BONE_NUMBERS];
} bone_command;

static mmd_pose *pose_of(const mmd_edit *edit, mmd_item bone)
{
    return mmd_actor_pose(mmd_stage_actor(edit->stage, bone.model));
}

void mmd_edit_bone_values(const mmd_edit *edit, mmd_item bone, double values[MMD_BONE_NUMBERS])
{
    assert(edit && bone.kind == MMD_ITEM_BONE);
    float now[MMD_BONE_NUMBERS];
    mmd_pose_get_user(pose_of(edit, bone), bone.index, now, now + 3);
    mmd_pose_get_user_scale(pose_of(edit, bone), bone.index, now + 7);
    for (int k = 0; k < MMD_BONE_NUMBERS; k++)
        values[k] = (double)now[k];
}

/* Tests whether a bone can take values. Returns false with a refusal. */
static bool can_pose(mmd_edit *edit, mmd_item bone, const double *values)
{
    const double *scale = values + 7;
    bool is_scaled = scale[0] != 1.0 || scale[1] != 1.0 || scale[2] != 1.0, fits = true;
    if (!edit_sound(values, MMD_BONE_NUMBERS)) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_NUMBER, NULL, NULL);
        return false;
    }
    for (int k = 0; k < 3; k++)
        fits = fits && scale[k] >= SCALE_LEAST && scale[k] <= SCALE_MOST;
    bool can = !is_scaled || (mmd_pose_can_scale(pose_of(edit, bone)) && fits);
    if (!can)
        mmd_edit_refuse_item(edit, fits ? MMD_REFUSAL_BONE_SCALE : MMD_REFUSAL_VALUE, bone, NULL, NULL);
    return can;
}

/* Poses a bone. Returns false if the memory for the first scale of an actor is out. */
static bool put_bone(mmd_edit *edit, mmd_item bone, const double *values)
{
    mmd_pose *pose = pose_of(edit, bone);
    float v[MMD_BONE_NUMBERS];
    for (int k = 0; k < MMD_BONE_NUMBERS; k++)
        v[k] = (float)values[k];
    edit_before_write(edit);
    if (mmd_pose_can_scale(pose) && !mmd_pose_set_user_scale(pose, bone.index, v + 7)) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
        return false;
    }
    mmd_pose_set_user(pose, bone.index, v, v + 3);
    mmd_edit_changed(edit, bone);
    return true;
}

static bool set_bone(void *self, mmd_edit *edit, const double *values)
{
    bone_command *c = self;
    const double *wanted = values ? values : c->after;
    double before[MMD_BONE_NUMBERS];
    if (!is_there(edit, c->item) || !can_pose(edit, c->item, wanted))
        return false;
    mmd_edit_bone_values(edit, c->item, before);
    if (!put_bone(edit, c->item, wanted))
        return false;
    if (!c->begun)
        memcpy(c->before, before, sizeof before);
    memmove(c->after, wanted, sizeof c->after);
    c->begun = true;
    return true;
}

static void undo_bone(void *self, mmd_edit *edit)
{
    const bone_command *c = self;
    put_bone(edit, c->item, c->before);
}

static bool redo_bone(void *self, mmd_edit *edit)
{
    const bone_command *c = self;
    return put_bone(edit, c->item, c->after);
}

static bool remap_bone(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    bone_command *c = self;
    return mmd_edit_map_item(map, &c->item) && mmd_edit_has(edit, c->item);
}

mmd_command *mmd_edit_bone_command(mmd_edit *edit, mmd_item bone, const double values[MMD_BONE_NUMBERS])
{
    static const mmd_command_table table = {
        .label = "bone", .set = set_bone, .undo = undo_bone, .redo = redo_bone, .remap = remap_bone};
    assert(edit && values && bone.kind == MMD_ITEM_BONE);
    edit->refusal[0] = '\0';
    bone_command made = {.item = bone};
    if (!is_there(edit, bone) || !can_pose(edit, bone, values))
        return NULL;
    memcpy(made.after, values, sizeof made.after);
    return edit_command_of(edit, &table, &made, sizeof made);
}

/* --- Weights of morphs --- */

typedef struct morph_command {
    mmd_item item;
    bool begun;
    float before, after; /* NaN: the motions decide */
} morph_command;

static void put_morph(mmd_edit *edit, mmd_item morph, float weight)
{
    edit_before_write(edit);
    mmd_actor_set_morph(mmd_stage_actor(edit->stage, morph.model), morph.index, weight);
    mmd_edit_changed(edit, morph);
}

static bool set_morph(void *self, mmd_edit *edit, const double *values)
{
    morph_command *c = self;
    if (!is_there(edit, c->item))
        return false;
    if (values && !isnan(values[0]) && !edit_sound(values, 1)) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_NUMBER, NULL, NULL);
        return false;
    }
    if (!c->begun)
        c->before = mmd_actor_morphs_by_hand(mmd_stage_actor(edit->stage, c->item.model))[c->item.index];
    c->begun = true;
    c->after = values ? (float)values[0] : c->after;
    put_morph(edit, c->item, c->after);
    return true;
}

static void undo_morph(void *self, mmd_edit *edit)
{
    const morph_command *c = self;
    put_morph(edit, c->item, c->before);
}

static bool redo_morph(void *self, mmd_edit *edit)
{
    const morph_command *c = self;
    put_morph(edit, c->item, c->after);
    return true;
}

static bool remap_morph(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    morph_command *c = self;
    return mmd_edit_map_item(map, &c->item) && mmd_edit_has(edit, c->item);
}

mmd_command *mmd_edit_morph_command(mmd_edit *edit, mmd_item morph, float weight)
{
    static const mmd_command_table table = {
        .label = "morph", .set = set_morph, .undo = undo_morph, .redo = redo_morph, .remap = remap_morph};
    assert(edit);
    edit->refusal[0] = '\0';
    const morph_command made = {.item = morph, .after = weight};
    const double value = (double)weight;
    if (morph.kind != MMD_ITEM_MORPH) {
        mmd_edit_refuse_item(edit, MMD_REFUSAL_KEY_WEIGHT, morph, NULL, NULL);
        return NULL;
    }
    if (!is_there(edit, morph))
        return NULL;
    if (!isnan(weight) && !edit_sound(&value, 1)) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_NUMBER, NULL, NULL);
        return NULL;
    }
    return edit_command_of(edit, &table, &made, sizeof made);
}

/* --- Outside parents --- */

/* Copy of the outside parents of an item. */
typedef struct parent_keys {
    mmd_outside_key *keys; /* followed by the models */
    uint32_t *models;      /* of each key, the index of its parent on the stage */
    size_t count;          /* 0: none */
} parent_keys;

struct edit_attachment {
    mmd_item item;
    bool by_hand;      /* an edit set its outside parent, and is not undone */
    parent_keys given; /* what it had before the first such edit */
};

typedef struct attach_command {
    mmd_item item, parent; /* parent: kind MMD_ITEM_NONE for none */
    bool releases;         /* the item gets what it was given, and parent is not used */
    bool begun, was_by_hand;
    parent_keys before;
} attach_command;

static int32_t bone_of(mmd_item item)
{
    return item.kind == MMD_ITEM_MODEL ? MMD_WHOLE_ACTOR : (int32_t)item.index;
}

/* Makes a copy of keys. A parent that is not on the stage becomes none. Returns false when out of memory. */
static bool copy_parents(const mmd_stage *stage, mmd_item item, parent_keys *out)
{
    const mmd_outside_key *keys = mmd_stage_outside_keys(stage, item.model, bone_of(item), &out->count);
    *out = (parent_keys){.count = out->count};
    if (!out->count)
        return true;
    out->keys = mmd_alloc(out->count * (sizeof *out->keys + sizeof *out->models));
    if (!out->keys)
        return false;
    out->models = (uint32_t *)(void *)(out->keys + out->count);
    for (size_t i = 0; i < out->count; i++) {
        size_t model = 0, actors = mmd_stage_actor_count(stage);
        while (model < actors && mmd_stage_actor(stage, model) != keys[i].parent)
            model++;
        out->keys[i] = keys[i];
        out->models[i] = (uint32_t)model;
        if (model == actors)
            out->keys[i].parent = NULL;
    }
    return true;
}

/* Sets the outside parents of an item. If they would form a ring with parents that were set since, or memory
 * is out, it gets none. */
static void put_parents(mmd_stage *stage, mmd_item item, const parent_keys *p)
{
    if (!p->count ||
        mmd_stage_set_outside_keys(stage, item.model, bone_of(item), p->keys, p->count, NULL) != MMD_OK)
        mmd_stage_set_outside_parent(stage, item.model, bone_of(item), NULL, -1, NULL);
}

/* Moves keys to another stage. Returns false if one of the parents does not exist there. */
static bool remap_parents(const mmd_edit_map *map, parent_keys *p)
{
    bool found = true;
    for (size_t i = 0; i < p->count && found; i++) {
        mmd_item parent = {MMD_ITEM_BONE, p->models[i], (uint32_t)p->keys[i].parent_bone};
        if (!p->keys[i].parent)
            continue;
        found = mmd_edit_map_item(map, &parent);
        if (found) {
            p->keys[i].parent = mmd_stage_actor(map->stage, parent.model);
            p->keys[i].parent_bone = (int32_t)parent.index;
            p->models[i] = parent.model;
        }
    }
    return found;
}

/* Tests whether an item is none, or a bone of an actor, which may be off the stage at present. Returns false
 * with a refusal. */
static bool can_be_parent(mmd_edit *edit, mmd_item parent)
{
    size_t actors = edit->stage ? mmd_stage_actor_count(edit->stage) : 0;
    bool can = !parent.kind ||
               (parent.model < actors &&
                parent.index < mmd_actor_model(mmd_stage_actor(edit->stage, parent.model))->bone_count);
    if (!can)
        mmd_edit_refuse_as(edit, MMD_REFUSAL_NO_ITEM, NULL, NULL);
    return can;
}

static edit_attachment *find_attachment(const mmd_edit *edit, mmd_item item)
{
    for (size_t i = 0; i < edit->attachment_count; i++)
        if (mmd_item_equal(edit->attachments[i].item, item))
            return &edit->attachments[i];
    return NULL;
}

bool mmd_edit_is_attached_by_hand(const mmd_edit *edit, mmd_item item)
{
    assert(edit);
    const edit_attachment *a = find_attachment(edit, item);
    return a && a->by_hand;
}

/* Returns the attachment of an item, which remembers what the item has now unless that is by hand. NULL, with
 * a refusal, when out of memory. */
static edit_attachment *prepare_attachment(mmd_edit *edit, mmd_item item)
{
    edit_attachment *a = find_attachment(edit, item);
    parent_keys given;
    if (a && a->by_hand)
        return a;
    if (!a) {
        edit_attachment *grown = mmd_realloc(edit->attachments, (edit->attachment_count + 1) * sizeof *grown);
        if (grown) {
            edit->attachments = grown;
            a = &grown[edit->attachment_count++];
            *a = (edit_attachment){.item = item};
        }
    }
    if (!a || !copy_parents(edit->stage, item, &given)) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
        return NULL;
    }
    mmd_free(a->given.keys);
    a->given = given;
    return a;
}

/* Attaches the item of a command, or gives it back what it was given. */
static mmd_status put_attachment(mmd_edit *edit, const attach_command *c, edit_attachment *a)
{
    mmd_actor *parent = c->parent.kind ? mmd_stage_actor(edit->stage, c->parent.model) : NULL;
    mmd_status status = MMD_OK;
    edit_before_write(edit);
    if (c->releases)
        put_parents(edit->stage, c->item, &a->given);
    else
        status = mmd_stage_set_outside_parent(edit->stage, c->item.model, bone_of(c->item), parent,
                                              parent ? (int32_t)c->parent.index : -1, NULL);
    if (status == MMD_OK) {
        a->by_hand = !c->releases;
        mmd_edit_changed(edit, c->item);
    }
    return status;
}

static bool set_attachment(void *self, mmd_edit *edit, const double *values)
{
    attach_command *c = self;
    (void)values;
    if (!is_there(edit, c->item) || !can_be_parent(edit, c->parent))
        return false;
    bool was_by_hand = mmd_edit_is_attached_by_hand(edit, c->item);
    edit_attachment *a = c->releases && !was_by_hand ? NULL : prepare_attachment(edit, c->item);
    parent_keys before = {0};
    if (!a)
        return c->releases && !was_by_hand; /* it has what it was given */
    if (!c->begun && !copy_parents(edit->stage, c->item, &before)) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
        return false;
    }
    mmd_status status = put_attachment(edit, c, a);
    if (status != MMD_OK) {
        mmd_free(before.keys);
        mmd_edit_refuse_as(edit, status == MMD_ERROR_VALUE ? MMD_REFUSAL_PARENT_RING : MMD_REFUSAL_MEMORY,
                           NULL, NULL);
        return false;
    }
    if (!c->begun) {
        c->before = before;
        c->was_by_hand = was_by_hand;
    }
    c->begun = true;
    return true;
}

static void undo_attachment(void *self, mmd_edit *edit)
{
    const attach_command *c = self;
    edit_attachment *a = find_attachment(edit, c->item);
    if (!c->begun || !a)
        return;
    edit_before_write(edit);
    put_parents(edit->stage, c->item, &c->before);
    a->by_hand = c->was_by_hand;
    mmd_edit_changed(edit, c->item);
}

static bool redo_attachment(void *self, mmd_edit *edit)
{
    const attach_command *c = self;
    edit_attachment *a = c->begun ? prepare_attachment(edit, c->item) : NULL;
    mmd_status status = a ? put_attachment(edit, c, a) : MMD_OK;
    if (status == MMD_ERROR_VALUE) { /* a ring with parents that were set since */
        put_parents(edit->stage, c->item, &(parent_keys){0});
        a->by_hand = true;
        mmd_edit_changed(edit, c->item);
    }
    if (status == MMD_ERROR_MEMORY)
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
    return (a || !c->begun) && status != MMD_ERROR_MEMORY;
}

static void destroy_attachment(void *self)
{
    mmd_free(((attach_command *)self)->before.keys);
}

static size_t bytes_of_attachment(const void *self)
{
    const attach_command *c = self;
    return c->before.count * (sizeof *c->before.keys + sizeof *c->before.models);
}

static bool remap_attachment(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    attach_command *c = self;
    return remap_parents(map, &c->before) && mmd_edit_map_item(map, &c->item) &&
           mmd_edit_map_item(map, &c->parent) && mmd_edit_has(edit, c->item);
}

static mmd_command *make_attachment(mmd_edit *edit, const attach_command *made)
{
    static const mmd_command_table table = {.label = "outside parent",
                                            .set = set_attachment,
                                            .undo = undo_attachment,
                                            .redo = redo_attachment,
                                            .destroy = destroy_attachment,
                                            .bytes = bytes_of_attachment,
                                            .remap = remap_attachment};
    bool can = made->item.kind == MMD_ITEM_BONE || made->item.kind == MMD_ITEM_MODEL,
         has_bone = !made->parent.kind || made->parent.kind == MMD_ITEM_BONE;
    if (!can || !has_bone) {
        mmd_edit_refuse_item(edit, MMD_REFUSAL_PARENT_ITEM, can ? made->parent : made->item, NULL, NULL);
        return NULL;
    }
    if (!is_there(edit, made->item) || !can_be_parent(edit, made->parent))
        return NULL;
    return edit_command_of(edit, &table, made, sizeof *made);
}

mmd_command *mmd_edit_attach_command(mmd_edit *edit, mmd_item item, mmd_item parent)
{
    assert(edit);
    edit->refusal[0] = '\0';
    return make_attachment(edit, &(attach_command){.item = item, .parent = parent});
}

mmd_command *mmd_edit_release_command(mmd_edit *edit, mmd_item item)
{
    assert(edit);
    edit->refusal[0] = '\0';
    return item.kind == MMD_ITEM_MORPH
               ? mmd_edit_morph_command(edit, item, NAN)
               : make_attachment(edit, &(attach_command){.item = item, .releases = true});
}

void edit_finish_attachments(mmd_edit *edit)
{
    assert(edit);
    for (size_t i = 0; i < edit->attachment_count; i++)
        mmd_free(edit->attachments[i].given.keys);
    mmd_free(edit->attachments);
}

void edit_move_attachments(mmd_edit *edit, const mmd_edit_map *map)
{
    assert(edit && map);
    size_t kept = 0;
    for (size_t i = 0; i < edit->attachment_count; i++) {
        edit_attachment a = edit->attachments[i];
        parent_keys now = {0};
        bool had = a.by_hand && copy_parents(edit->stage, a.item, &now) && remap_parents(map, &now);
        mmd_free(a.given.keys);
        a.given = (parent_keys){0};
        if (mmd_edit_map_item(map, &a.item)) {
            a.by_hand = had && copy_parents(map->stage, a.item, &a.given);
            if (a.by_hand)
                put_parents(map->stage, a.item, &now);
            edit->attachments[kept++] = a;
        }
        mmd_free(now.keys);
    }
    edit->attachment_count = kept;
}
