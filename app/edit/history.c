/* Edits of bones, morphs and outside parents as commands of the engine's edit. */
#include "history.h"

#include <math.h>
#include <string.h>

#include "remap.h"
#include "mmd/memory.h"
#include "plugins.h"

typedef enum value_kind { VALUE_BONE, VALUE_MORPH, VALUE_PARENT } value_kind;

typedef struct value {
    float translation[3], rotation[4], scale[3]; /* the user's ops of a bone; scale: of glTF nodes */
    float weight;                                /* of a morph set by hand; NaN: the motion decides */
    const mmd_outside_key *keys;                 /* outside parents of a bone, in the scene's arena */
    size_t key_count;                            /* 0: none */
} value;

/* State of a command: the value before and after. */
typedef struct value_edit {
    size_t model;
    value_kind kind;
    int64_t index; /* of the bone or morph, or MMD_WHOLE_ACTOR */
    value before, after;
    bool is_counted; /* of a parent: included in attachments */
} value_edit;

void history_init(odori_history *h, odori_scene *s)
{
    *h = (odori_history){.scene = s};
}

void history_finish(odori_history *h)
{
    mmd_edit_destroy(h->edit);
    plugins_close(h->plugins);
    for (size_t i = 0; i < h->weight_count; i++)
        mmd_free(h->weights_by_hand[i]);
    mmd_free(h->weights_by_hand);
    mmd_free(h->attachments);
    mmd_free(h->dragged);
    *h = (odori_history){0};
}

static odori_history *history_of(const mmd_edit *edit)
{
    return mmd_edit_get_options(edit)->user;
}

static void count_change(void *context, mmd_edit *edit, const mmd_item *items, size_t count)
{
    (void)context, (void)items, (void)count;
    odori_history *h = history_of(edit);
    if (h)
        h->changes++;
}

/* Passes the current address of the history to the edit, since it may have moved in memory. */
mmd_edit *history_edit(odori_history *h)
{
    if (!h->edit) {
        h->edit = mmd_edit_create(h->scene->stage, NULL);
        if (h->edit && !mmd_edit_observe(h->edit, count_change, NULL)) {
            mmd_edit_destroy(h->edit);
            h->edit = NULL;
        }
        if (h->edit)
            plugins_attach(h->plugins, h->edit);
    }
    if (!h->edit)
        return NULL;
    mmd_edit_options options = *mmd_edit_get_options(h->edit);
    options.user = h;
    mmd_edit_set_options(h->edit, &options);
    return h->edit;
}

void history_begin(odori_history *h)
{
    if (h->joins)
        return;
    h->continues = false;
    h->last = NULL;
    h->dragged_count = 0;
}

/* --- Values, put where they belong --- */

static void count_attachment(odori_history *h, value_edit *e, bool on)
{
    if (e->is_counted == on)
        return;
    e->is_counted = on;
    for (size_t i = 0; i < h->attachment_count; i++)
        if (h->attachments[i].model == e->model && h->attachments[i].bone == (int32_t)e->index)
            h->attachments[i].edits = on ? h->attachments[i].edits + 1 : h->attachments[i].edits - 1;
}

/* Sets the outside parent of a bone to a value. If that would form a ring with parents set since, the bone
 * gets none. */
static void attach_bone(mmd_stage *stage, const value_edit *e, const value *v)
{
    int32_t bone = (int32_t)e->index;
    if (!v->key_count ||
        mmd_stage_set_outside_keys(stage, e->model, bone, v->keys, v->key_count, NULL) != MMD_OK)
        mmd_stage_set_outside_parent(stage, e->model, bone, NULL, -1, NULL);
}

/* Allocates the weights by hand of a model. Returns false when out of memory. */
static bool prepare_weights(odori_history *h, size_t model)
{
    if (model >= h->weight_count) {
        size_t count = h->scene->model_count;
        float **grown = mmd_realloc(h->weights_by_hand, count * sizeof *grown);
        if (!grown)
            return false;
        h->weights_by_hand = grown;
        while (h->weight_count < count)
            grown[h->weight_count++] = NULL;
    }
    if (!h->weights_by_hand[model]) {
        uint32_t count = h->scene->models[model].model->morph_count;
        float *weights = mmd_alloc(count * sizeof *weights);
        if (!weights)
            return false;
        for (uint32_t i = 0; i < count; i++)
            weights[i] = NAN;
        h->weights_by_hand[model] = weights;
    }
    return true;
}

/* Sets a value. Returns false when out of memory, which is possible only for the first weight of a model. */
static bool put(const value_edit *e, mmd_edit *edit, const value *v)
{
    mmd_item item = {.kind = e->kind == VALUE_BONE ? MMD_ITEM_BONE : MMD_ITEM_MODEL,
                     .model = (uint32_t)e->model};
    odori_history *h = history_of(edit);
    mmd_actor *actor = h->scene->models[e->model].actor;
    mmd_stage_settle(h->scene->stage);
    switch (e->kind) {
    case VALUE_BONE:
        item.index = (uint32_t)e->index;
        mmd_pose_set_user(mmd_actor_pose(actor), item.index, v->translation, v->rotation);
        if (mmd_pose_can_scale(mmd_actor_pose(actor)))
            mmd_pose_set_user_scale(mmd_actor_pose(actor), item.index, v->scale);
        break;
    case VALUE_MORPH:
        if (!prepare_weights(h, e->model)) {
            mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
            return false;
        }
        h->weights_by_hand[e->model][e->index] = v->weight;
        mmd_actor_set_morph(actor, (uint32_t)e->index, v->weight);
        break;
    case VALUE_PARENT:
        attach_bone(h->scene->stage, e, v);
        break;
    }
    mmd_edit_changed(edit, item);
    return true;
}

/* --- The command; its values are taken from the edit that made it --- */

static bool redo_value(void *self, mmd_edit *edit)
{
    value_edit *e = self;
    if (e->kind == VALUE_PARENT)
        count_attachment(history_of(edit), e, true);
    return put(e, edit, &e->after);
}

static bool set_value(void *self, mmd_edit *edit, const double *values)
{
    (void)values;
    return redo_value(self, edit);
}

static void undo_value(void *self, mmd_edit *edit)
{
    value_edit *e = self;
    put(e, edit, &e->before);
    if (e->kind == VALUE_PARENT)
        count_attachment(history_of(edit), e, false);
}

/* Replaces the keys by those of the other scene, allocated in its arena. Returns false if a parent does
 * not exist there, or memory is out. */
static bool remap_keys(const scene_remap *r, value *v)
{
    mmd_outside_key *kept = mmd_arena_alloc(&r->to->arena, v->key_count, sizeof *kept);
    for (size_t i = 0; kept && i < v->key_count; i++) {
        kept[i] = v->keys[i];
        if (!remap_parent(r, &kept[i].parent, &kept[i].parent_bone))
            return false;
    }
    v->keys = kept;
    return kept != NULL;
}

static bool remap_index(const scene_remap *r, value_edit *e)
{
    mmd_item bone = {.kind = MMD_ITEM_BONE, .model = (uint32_t)e->model, .index = (uint32_t)e->index};
    uint32_t morph = (uint32_t)e->index;
    if (e->kind == VALUE_MORPH ? !remap_morph(r, e->model, &morph)
                               : e->index != MMD_WHOLE_ACTOR && !remap_item((void *)(uintptr_t)r, &bone))
        return false;
    if (e->kind == VALUE_MORPH)
        e->index = morph;
    else if (e->index != MMD_WHOLE_ACTOR)
        e->index = bone.index;
    return true;
}

static bool remap_value(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    value_edit *e = self;
    const scene_remap *r = map->context;
    (void)edit;
    return (e->kind != VALUE_PARENT || (remap_keys(r, &e->before) && remap_keys(r, &e->after))) &&
           remap_index(r, e) && remap_model(r, &e->model);
}

static const mmd_command_table *table_of(value_kind kind)
{
#define TABLE(text)                                                                                          \
    {                                                                                                        \
        .label = text, .set = set_value, .undo = undo_value, .redo = redo_value, .remap = remap_value        \
    }
    static const mmd_command_table tables[] = {[VALUE_BONE] = TABLE("bone"),
                                               [VALUE_MORPH] = TABLE("morph"),
                                               [VALUE_PARENT] = TABLE("outside parent")};
#undef TABLE
    return &tables[kind];
}

bool history_take(odori_history *h, mmd_command *made)
{
    if (!made)
        return false;
    h->last = NULL;
    if (!mmd_command_set(h->edit, made, NULL)) {
        mmd_command_destroy(made);
        return false;
    }
    bool taken = h->continues ? mmd_edit_add_to_last(h->edit, made) : mmd_edit_add(h->edit, made);
    h->continues |= taken;
    return taken;
}

/* Replaces the value of the last command, if that belongs to the current step and to the same bone or
 * morph. */
static bool replace_last(odori_history *h, const value_edit *e)
{
    mmd_edit *edit = history_edit(h);
    bool is_there = edit && h->last && mmd_edit_is_of_last_step(edit, h->last);
    value_edit *last = is_there ? mmd_command_self(h->last) : NULL;
    if (!last || last->model != e->model || last->index != e->index || last->kind != e->kind)
        return false;
    last->after = e->after;
    return mmd_command_set(edit, h->last, NULL);
}

static bool perform(odori_history *h, const value_edit *e)
{
    if (replace_last(h, e))
        return true;
    mmd_command *made = history_edit(h) ? mmd_command_create(table_of(e->kind), sizeof *e) : NULL;
    if (!made)
        return false;
    memcpy(mmd_command_self(made), e, sizeof *e);
    if (!history_take(h, made))
        return false;
    h->last = made;
    return true;
}

/* --- Edits --- */

/* Makes an edit of a bone whose values before and after are the current ones. */
static value_edit edit_of_bone(const odori_history *h, size_t model, uint32_t bone)
{
    value_edit e = {.model = model, .kind = VALUE_BONE, .index = bone};
    const mmd_pose *pose = mmd_actor_pose(h->scene->models[model].actor);
    mmd_pose_get_user(pose, bone, e.before.translation, e.before.rotation);
    mmd_pose_get_user_scale(pose, bone, e.before.scale);
    e.after = e.before;
    return e;
}

bool history_bone(odori_history *h, size_t model, uint32_t bone, const float translation[3],
                  const float rotation[4])
{
    value_edit e = edit_of_bone(h, model, bone);
    memcpy(e.after.translation, translation, 3 * sizeof(float));
    memcpy(e.after.rotation, rotation, sizeof e.after.rotation);
    return perform(h, &e);
}

bool history_bone_scale(odori_history *h, size_t model, uint32_t bone, const float scale[3])
{
    value_edit e = edit_of_bone(h, model, bone);
    memcpy(e.after.scale, scale, sizeof e.after.scale);
    return perform(h, &e);
}

/* Copies the outside parents of a bone to the scene's arena. Returns false when out of memory. */
static bool keep_keys(const odori_history *h, size_t model, int32_t bone, value *v)
{
    const mmd_outside_key *keys = mmd_stage_outside_keys(h->scene->stage, model, bone, &v->key_count);
    mmd_outside_key *kept = mmd_arena_alloc(&h->scene->arena, v->key_count, sizeof *kept);
    if (kept && v->key_count)
        memcpy(kept, keys, v->key_count * sizeof *kept);
    v->keys = kept;
    return kept != NULL;
}

/* Adds a bone to the list of attachments, unless it is there. Returns false when out of memory. */
static bool list_attachment(odori_history *h, const value_edit *e)
{
    for (size_t i = 0; i < h->attachment_count; i++)
        if (h->attachments[i].model == e->model && h->attachments[i].bone == (int32_t)e->index)
            return true;
    history_attachment *grown = mmd_realloc(h->attachments, (h->attachment_count + 1) * sizeof *grown);
    if (!grown)
        return false;
    h->attachments = grown;
    grown[h->attachment_count++] = (history_attachment){.model = e->model, .bone = (int32_t)e->index};
    return true;
}

bool history_attach(odori_history *h, size_t model, int32_t bone, const history_parent *parent,
                    mmd_error *error)
{
    value_edit e = {.model = model, .kind = VALUE_PARENT, .index = bone};
    mmd_actor *actor = parent->bone >= 0 ? h->scene->models[parent->model].actor : NULL;
    if (!list_attachment(h, &e) || !keep_keys(h, model, bone, &e.before) ||
        mmd_stage_set_outside_parent(h->scene->stage, model, bone, actor, parent->bone, error) != MMD_OK)
        return false;
    if (keep_keys(h, model, bone, &e.after) && perform(h, &e))
        return true;
    attach_bone(h->scene->stage, &e, &e.before);
    mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    return false;
}

bool history_has_attached(const odori_history *h, size_t model, int32_t bone)
{
    for (size_t i = 0; i < h->attachment_count; i++)
        if (h->attachments[i].model == model && h->attachments[i].bone == bone)
            return h->attachments[i].edits > 0;
    return false;
}

float history_weight(const odori_history *h, size_t model, uint32_t morph)
{
    return model < h->weight_count && h->weights_by_hand[model] ? h->weights_by_hand[model][morph] : NAN;
}

bool history_morph(odori_history *h, size_t model, uint32_t morph, float weight)
{
    if (!prepare_weights(h, model))
        return false;
    value_edit e = {.model = model, .kind = VALUE_MORPH, .index = morph};
    e.before.weight = h->weights_by_hand[model][morph];
    e.after.weight = weight;
    return perform(h, &e);
}

/* --- Another scene in the place of this one --- */

/* Moves weights that belong to no step, while all steps are undone. Out of memory, they are the motion's
 * again. */
static void remap_weights(odori_history *h, const scene_remap *r, float **weights, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t other = i;
        uint32_t morphs = weights[i] && remap_model(r, &other) ? r->from->models[i].model->morph_count : 0;
        for (uint32_t k = 0; k < morphs; k++) {
            uint32_t morph = k;
            if (isnan(weights[i][k]) || !remap_morph(r, i, &morph) || !prepare_weights(h, other))
                continue;
            h->weights_by_hand[other][morph] = weights[i][k];
            mmd_actor_set_morph(h->scene->models[other].actor, morph, weights[i][k]);
        }
        mmd_free(weights[i]);
    }
    mmd_free(weights);
}

/* Moves outside parents that belong neither to a step nor to a project; a project sets them again itself. */
static void remap_outside_parents(const scene_remap *r, size_t model)
{
    const scene_model *m = &r->from->models[model];
    for (int32_t b = MMD_WHOLE_ACTOR; !m->project && b < (int32_t)m->model->bone_count; b++) {
        value_edit e = {.model = model, .kind = VALUE_PARENT, .index = b};
        e.before.keys = mmd_stage_outside_keys(r->from->stage, model, b, &e.before.key_count);
        if (e.before.key_count && remap_keys(r, &e.before) && remap_index(r, &e) && remap_model(r, &e.model))
            attach_bone(r->to->stage, &e, &e.before);
    }
}

/* Moves the list of attachments, dropping bones that no longer exist. */
static void remap_attachments(odori_history *h, const scene_remap *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < h->attachment_count; i++) {
        value_edit e = {
            .model = h->attachments[i].model, .kind = VALUE_PARENT, .index = h->attachments[i].bone};
        if (remap_index(r, &e) && remap_model(r, &e.model))
            h->attachments[kept++] = (history_attachment){e.model, (int32_t)e.index, h->attachments[i].edits};
    }
    h->attachment_count = kept;
}

void history_remap(odori_history *h, const scene_remap *r)
{
    float **weights = h->weights_by_hand;
    size_t count = h->weight_count;
    h->weights_by_hand = NULL;
    h->weight_count = 0;
    h->scene = r->to;
    h->last = NULL;
    h->continues = false;
    h->dragged_count = 0;
    remap_weights(h, r, weights, count);
    for (size_t i = 0; i < r->from->model_count; i++)
        remap_outside_parents(r, i);
    remap_attachments(h, r);
}

void history_rewind(odori_history *h)
{
    while (history_undo(h))
        ;
    history_finish(h);
}

void history_moved(odori_history *h, odori_scene *scene)
{
    h->scene = scene;
    history_edit(h);
}

/* --- Steps --- */

bool history_undo(odori_history *h)
{
    h->last = NULL;
    h->continues = false;
    h->dragged_count = 0;
    return h->edit && mmd_edit_undo(history_edit(h));
}

bool history_redo(odori_history *h)
{
    h->last = NULL;
    h->continues = false;
    h->dragged_count = 0;
    return h->edit && mmd_edit_redo(history_edit(h));
}
