/*
 * Outside parents (外部親, docs/mmd.md 4.4): bones attached to bones of other actors, by hand or by keys.
 *
 * The outside parent of a bone, and the set of an actor's, are immutable blocks; a change makes new ones. The
 * stage and the simulation's copies hold references, so that the values before an edit can still be read.
 *
 * A bone's transform uses its parent's of the same frame, after physics, as it is drawn. So actors are posed
 * parents first: in the depth-first order of the graph whose edges are outside parents and parents of
 * placements. A ring is refused when it is set. One that placements close later is broken at the edge that
 * closes it, in the order of the stage.
 */
#include "simulation_internal.h"

#include <assert.h>
#include <string.h>

/* Limit of the visits of a search for rings that exist at some keys only. */
enum { RING_LOOKS_MAX = 100000 };

/* ---- blocks ---- */

outside_set *outside_hold(outside_set *set)
{
    if (set)
        set->uses++;
    return set;
}

static void drop_item(outside_parent *item)
{
    if (item && --item->uses == 0)
        mmd_free(item);
}

void outside_drop(outside_set *set)
{
    if (!set || --set->uses > 0)
        return;
    for (size_t i = 0; i < set->count; i++)
        drop_item(set->items[i]);
    mmd_free(set);
}

static const outside_parent *find_item(const outside_set *set, int32_t bone)
{
    for (size_t i = 0; set && i < set->count; i++)
        if (set->items[i]->bone == bone)
            return set->items[i];
    return NULL;
}

const mmd_outside_key *outside_at(const outside_parent *item, double frame)
{
    assert(item);
    size_t last = 0, behind = item->key_count;
    while (behind - last > 1) {
        size_t middle = last + (behind - last) / 2;
        if (item->keys[middle].frame <= frame)
            last = middle;
        else
            behind = middle;
    }
    return &item->keys[last];
}

static bool has_parent(const mmd_outside_key *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (keys[i].parent)
            return true;
    return false;
}

static uint32_t list_parents(const mmd_outside_key *keys, size_t count, mmd_actor **parents)
{
    uint32_t listed = 0;
    for (size_t k = 0; k < count; k++) {
        uint32_t i = 0;
        while (i < listed && parents[i] != keys[k].parent)
            i++;
        if (keys[k].parent && i == listed)
            parents[listed++] = keys[k].parent;
    }
    return listed;
}

static outside_parent *make_item(int32_t bone, const mmd_outside_key *keys, size_t count)
{
    outside_parent *item = mmd_alloc(sizeof *item + count * (sizeof *keys + sizeof(mmd_actor *)));
    if (!item)
        return NULL;
    mmd_outside_key *copies = (mmd_outside_key *)(void *)(item + 1);
    mmd_actor **parents = (mmd_actor **)(void *)(copies + count);
    memcpy(copies, keys, count * sizeof *keys);
    *item = (outside_parent){.uses = 1,
                             .bone = bone,
                             .key_count = (uint32_t)count,
                             .parent_count = list_parents(keys, count, parents),
                             .keys = copies,
                             .parents = parents};
    return item;
}

/* Makes a copy of a set with another item for a bone. *out is NULL if no item is left. Returns false when
 * out of memory. */
static bool set_with(const outside_set *old, int32_t bone, const mmd_outside_key *keys, size_t count,
                     outside_set **out)
{
    bool adds = has_parent(keys, count);
    size_t items = (old ? old->count : 0) - (find_item(old, bone) != NULL) + adds;
    outside_set *set = items ? mmd_alloc(sizeof *set + items * sizeof *set->items) : NULL;
    outside_parent *added = adds ? make_item(bone, keys, count) : NULL;
    *out = NULL;
    if ((items && !set) || (adds && !added)) {
        mmd_free(set);
        drop_item(added);
        return false;
    }
    if (items == 0)
        return true;
    *set = (outside_set){.uses = 1, .items = (outside_parent **)(void *)(set + 1)};
    for (size_t i = 0; old && i < old->count; i++) {
        if (old->items[i]->bone == bone)
            continue;
        set->items[set->count++] = old->items[i];
        old->items[i]->uses++;
    }
    if (adds)
        set->items[set->count++] = added;
    *out = set;
    return true;
}

/* ---- rings ---- */

static size_t index_of(const mmd_stage *stage, const mmd_actor *actor)
{
    size_t i = 0;
    while (i < stage->actor_count && stage->entries[i].actor != actor)
        i++;
    return i;
}

/* A search for a ring: at a frame, or, with `ever`, over all keys at once. */
typedef struct ring_search {
    mmd_stage *stage;
    double frame;
    bool ever;
    uint64_t looks;
} ring_search;

enum { MET_NOT, MET_UNDERWAY, MET_DONE };

static bool reaches_ring(ring_search *r, size_t index);

static bool leads_to_ring(ring_search *r, const mmd_actor *parent)
{
    size_t index = parent ? index_of(r->stage, parent) : r->stage->actor_count;
    r->looks++;
    return index < r->stage->actor_count && reaches_ring(r, index);
}

static bool staging_leads_to_ring(ring_search *r, const stage_entry *e)
{
    mmd_staging staging;
    if (!r->ever) {
        stage_sample_staging(e, r->frame, &staging);
        return staging.parent_bone >= 0 && leads_to_ring(r, staging.parent);
    }
    for (size_t k = 0; e->keys && k < e->key_count; k++)
        if (e->keys[k].staging.parent_bone >= 0 && leads_to_ring(r, e->keys[k].staging.parent))
            return true;
    return !e->keys && e->staging.parent_bone >= 0 && leads_to_ring(r, e->staging.parent);
}

static bool item_leads_to_ring(ring_search *r, const outside_parent *item)
{
    if (!r->ever)
        return leads_to_ring(r, outside_at(item, r->frame)->parent);
    for (uint32_t i = 0; i < item->parent_count; i++)
        if (leads_to_ring(r, item->parents[i]))
            return true;
    return false;
}

/* Searches depth-first. The depth is bounded by the number of actors. */
static bool reaches_ring(ring_search *r, size_t index)
{
    stage_entry *e = &r->stage->entries[index];
    if (e->met != MET_NOT)
        return e->met == MET_UNDERWAY;
    e->met = MET_UNDERWAY;
    bool found = staging_leads_to_ring(r, e);
    for (size_t i = 0; !found && e->outside && i < e->outside->count; i++)
        found = item_leads_to_ring(r, e->outside->items[i]);
    e->met = MET_DONE;
    return found;
}

static void clear_met(mmd_stage *stage)
{
    for (size_t i = 0; i < stage->actor_count; i++)
        stage->entries[i].met = MET_NOT;
}

/* Tests whether a ring contains this actor; there were no rings before its parents changed. */
static bool is_in_ring(ring_search *r, size_t index)
{
    clear_met(r->stage);
    return reaches_ring(r, index);
}

/* Searches at all frames where outside parents change. Too many visits count as a ring. */
static bool is_in_ring_at_times(ring_search *r, size_t index)
{
    r->ever = false;
    for (size_t a = 0; a < r->stage->actor_count; a++) {
        const outside_set *set = r->stage->entries[a].outside;
        for (size_t i = 0; set && i < set->count; i++)
            for (uint32_t k = 0; k < set->items[i]->key_count; k++) {
                r->frame = set->items[i]->keys[k].frame;
                if (is_in_ring(r, index) || r->looks > RING_LOOKS_MAX)
                    return true;
            }
    }
    r->frame = 0.0;
    return is_in_ring(r, index);
}

static bool makes_ring(mmd_stage *stage, size_t index)
{
    ring_search search = {.stage = stage, .ever = true};
    return is_in_ring(&search, index) && is_in_ring_at_times(&search, index);
}

/* ---- setting parents ---- */

static bool is_sound(const mmd_stage *stage, size_t index, int32_t bone, const mmd_outside_key *keys,
                     size_t count)
{
    bool sound = index < stage->actor_count && count > 0 && bone >= MMD_WHOLE_ACTOR &&
                 bone < (int32_t)stage->entries[index].actor->model->bone_count;
    for (size_t i = 0; sound && i < count; i++)
        sound = (!keys[i].parent || (keys[i].parent_bone >= 0 &&
                                     keys[i].parent_bone < (int32_t)keys[i].parent->model->bone_count)) &&
                (i == 0 || keys[i - 1].frame < keys[i].frame);
    return sound;
}

static bool is_set_already(const outside_set *set, int32_t bone, const mmd_outside_key *keys, size_t count)
{
    const outside_parent *item = find_item(set, bone);
    if (!item)
        return !has_parent(keys, count);
    if (item->key_count != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (keys[i].frame != item->keys[i].frame || keys[i].parent != item->keys[i].parent ||
            (keys[i].parent && keys[i].parent_bone != item->keys[i].parent_bone))
            return false;
    return true;
}

mmd_status mmd_stage_set_outside_keys(mmd_stage *stage, size_t index, int32_t bone,
                                      const mmd_outside_key *keys, size_t count, mmd_error *error)
{
    assert(index < stage->actor_count);
    assert(keys || count == 0);
    bool sound = is_sound(stage, index, bone, keys, count);
    (void)sound; /* unused without asserts */
    assert(stage && sound);
    stage_entry *entry = &stage->entries[index];
    outside_set *before = entry->outside, *made;
    if (is_set_already(before, bone, keys, count))
        return MMD_OK;
    if (!set_with(before, bone, keys, count, &made))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    entry->outside = made;
    if (makes_ring(stage, index)) {
        entry->outside = before;
        outside_drop(made);
        return mmd_error_set(
            error, MMD_ERROR_VALUE, "outside parent", MMD_NO_OFFSET,
            "the other model is attached to this one already, so neither could be placed first");
    }
    outside_drop(before);
    outside_clear(entry->actor->pose, entry->actor->model);
    return MMD_OK;
}

mmd_status mmd_stage_set_outside_parent(mmd_stage *stage, size_t index, int32_t bone, mmd_actor *parent,
                                        int32_t parent_bone, mmd_error *error)
{
    assert(stage);
    const mmd_outside_key key = {0, parent, parent ? parent_bone : -1};
    return mmd_stage_set_outside_keys(stage, index, bone, &key, 1, error);
}

const mmd_outside_key *mmd_stage_outside_keys(const mmd_stage *stage, size_t index, int32_t bone,
                                              size_t *count)
{
    assert(stage && index < stage->actor_count && count);
    const outside_parent *item = find_item(stage->entries[index].outside, bone);
    *count = item ? item->key_count : 0;
    return item ? item->keys : NULL;
}

bool mmd_stage_has_outside_parents(const mmd_stage *stage, size_t index)
{
    assert(stage && index < stage->actor_count);
    return stage->entries[index].outside != NULL;
}

double outside_last_frame(const outside_set *set)
{
    double last = 0.0;
    for (size_t i = 0; set && i < set->count; i++) {
        double frame = set->items[i]->keys[set->items[i]->key_count - 1].frame;
        last = frame > last ? frame : last;
    }
    return last;
}

/* ---- posing ---- */

void outside_clear(mmd_pose *pose, const mmd_model *model)
{
    assert(pose && model);
    for (uint32_t b = 0; b < model->bone_count; b++)
        mmd_pose_set_external_parent(pose, b, NULL);
}

void outside_attach(mmd_pose *pose, const mmd_model *model, int32_t bone, const mmd_transform *world)
{
    assert(pose && model);
    if (bone != MMD_WHOLE_ACTOR) {
        mmd_pose_set_external_parent(pose, (uint32_t)bone, world);
        return;
    }
    for (uint32_t b = 0; b < model->bone_count; b++)
        if (model->bones[b].parent < 0)
            mmd_pose_set_external_parent(pose, b, world);
}

static void pose_after_parents(mmd_stage *stage, size_t index);

static bool pose_parent(mmd_stage *stage, const mmd_actor *parent)
{
    size_t index = index_of(stage, parent);
    if (index == stage->actor_count || stage->entries[index].absent ||
        stage->entries[index].met == MET_UNDERWAY)
        return false;
    pose_after_parents(stage, index);
    return true;
}

/* Splits a placement into a rigid transform and a scale; the identity if there is none. */
static void split_placement(const mmd_stage *stage, size_t index, mmd_transform *transform, float *scale)
{
    float matrix[16];
    *transform = (mmd_transform){.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    *scale = 1.0f;
    if (!mmd_stage_placement(stage, index, matrix))
        return;
    stage_rigid_part(matrix, transform);
    *scale = sim_actor_scale(length3(matrix));
}

/* Computes the parent's bone in the actor's space. */
static void parent_in_own_space(const mmd_stage *stage, size_t index, const mmd_outside_key *key,
                                mmd_transform *out)
{
    mmd_transform transform;
    float scale;
    *out = mmd_pose_world(key->parent->pose)[key->parent_bone];
    split_placement(stage, index_of(stage, key->parent), &transform, &scale);
    for (int k = 0; k < 3; k++)
        out->translation[k] *= scale;
    mmd_transform_multiply(&transform, out, out);
    split_placement(stage, index, &transform, &scale);
    sim_actor_to_own(&transform, scale, out, out);
}

/* Attaches the bones, or the whole actor, at the stage's frame. The whole actor comes first, because a
 * single bone's parent overrides it. */
static void attach_at_frame(mmd_stage *stage, size_t index, bool whole)
{
    stage_entry *e = &stage->entries[index];
    for (size_t i = 0; i < e->outside->count; i++) {
        const outside_parent *item = e->outside->items[i];
        const mmd_outside_key *key = outside_at(item, stage->frame);
        mmd_transform world;
        if (whole != (item->bone == MMD_WHOLE_ACTOR) || !key->parent || !pose_parent(stage, key->parent))
            continue;
        parent_in_own_space(stage, index, key, &world);
        outside_attach(e->actor->pose, e->actor->model, item->bone, &world);
    }
}

static void pose_after_parents(mmd_stage *stage, size_t index)
{
    stage_entry *e = &stage->entries[index];
    if (e->met != MET_NOT)
        return;
    e->met = MET_UNDERWAY;
    if (e->staging.parent && e->staging.parent_bone >= 0)
        pose_parent(stage, e->staging.parent);
    if (e->outside) {
        mmd_actor *actor = e->actor;
        outside_clear(actor->pose, actor->model);
        attach_at_frame(stage, index, true);
        attach_at_frame(stage, index, false);
        mmd_pose_evaluate(actor->pose, &actor->values, &actor->previous);
        mmd_pose_finish(actor->pose);
    }
    e->met = MET_DONE;
}

void parents_pose(mmd_stage *stage)
{
    assert(stage);
    bool any = false;
    for (size_t i = 0; i < stage->actor_count; i++)
        any = any || (stage->entries[i].outside && !stage->entries[i].absent);
    if (!any)
        return;
    clear_met(stage);
    for (size_t i = 0; i < stage->actor_count; i++)
        if (!stage->entries[i].absent)
            pose_after_parents(stage, i);
}
