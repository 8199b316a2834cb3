/* An actor: model, motions, animations and pose. */
#include "actor_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"

mmd_actor *mmd_actor_create(const mmd_model *model)
{
    assert(model);
    mmd_actor *actor = mmd_alloc(sizeof *actor);
    if (!actor)
        return NULL;
    *actor = (mmd_actor){.model = model, .visible = true};
    actor->pose = mmd_pose_create(model);
    actor->morphs_by_hand = mmd_arena_alloc(&actor->arena, model->morph_count, sizeof *actor->morphs_by_hand);
    actor->hidden = mmd_arena_alloc(&actor->arena, model->material_count, sizeof *actor->hidden);
    if (!actor->pose || !actor->morphs_by_hand || !actor->hidden ||
        !mmd_pose_values_init(&actor->values, model, &actor->arena) ||
        !mmd_pose_values_init(&actor->previous, model, &actor->arena) ||
        !actor_make_clips(actor, &actor->clips)) {
        mmd_actor_destroy(actor);
        return NULL;
    }
    for (uint32_t m = 0; m < model->morph_count; m++)
        actor->morphs_by_hand[m] = NAN;
    mmd_actor_set_frame(actor, 0.0);
    return actor;
}

void mmd_actor_destroy(mmd_actor *actor)
{
    if (!actor)
        return;
    actor_clips_destroy(actor->clips);
    mmd_pose_destroy(actor->pose);
    mmd_free(actor->motions);
    mmd_arena_finish(&actor->arena);
    mmd_free(actor);
}

/* ---- motions and animations ---- */

/* Makes new clips after a change. Returns false when out of memory; the old clips stay then. */
static bool bind(mmd_actor *actor)
{
    actor_clips *clips;
    if (!actor_make_clips(actor, &clips))
        return false;
    actor_clips_destroy(actor->clips);
    actor->clips = clips;
    actor->changes++;
    return true;
}

mmd_status mmd_actor_add_motion(mmd_actor *actor, const mmd_motion *motion, mmd_error *error)
{
    assert(actor);
    mmd_actor_motion *motions = mmd_realloc(actor->motions, (actor->motions_added + 1) * sizeof *motions);
    if (!motions)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    actor->motions = motions;
    memset(&motions[actor->motions_added], 0, sizeof *motions); /* fades are compared as bytes */
    motions[actor->motions_added].motion = motion;
    motions[actor->motions_added++].weight = 1.0f;
    if (bind(actor))
        return MMD_OK;
    actor->motions_added--;
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
}

static size_t swap_motion(mmd_actor *actor, const mmd_motion *motion, const mmd_motion *by)
{
    size_t swapped = 0;
    for (size_t i = 0; i < actor->motions_added; i++)
        if (actor->motions[i].motion == motion && !actor->motions[i].fades_out) {
            actor->motions[i].motion = by;
            swapped++;
        }
    return swapped;
}

mmd_status mmd_actor_replace_motion(mmd_actor *actor, const mmd_motion *motion, const mmd_motion *by,
                                    mmd_error *error)
{
    assert(actor && motion && by);
    if (motion == by || swap_motion(actor, motion, by) == 0 || bind(actor))
        return MMD_OK;
    swap_motion(actor, by, motion);
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
}

const mmd_actor_motion *mmd_actor_motions(const mmd_actor *actor, size_t *count)
{
    assert(actor && count);
    *count = actor->motions_added;
    return actor->motions;
}

/* Changes one of the actor's motions. */
static mmd_status change(mmd_actor *actor, size_t index, const mmd_actor_motion *to, mmd_error *error)
{
    const mmd_actor_motion before = actor->motions[index];
    actor->motions[index] = *to;
    if (bind(actor))
        return MMD_OK;
    actor->motions[index] = before;
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
}

mmd_status mmd_actor_set_weight(mmd_actor *actor, size_t index, float weight, mmd_error *error)
{
    assert(actor && index < actor->motions_added && weight >= 0.0f && weight <= 1.0f);
    mmd_actor_motion to = actor->motions[index];
    bool same = to.weight >= weight && to.weight <= weight;
    to.weight = weight;
    return same ? MMD_OK : change(actor, index, &to, error);
}

mmd_status mmd_actor_fade_out(mmd_actor *actor, size_t index, const mmd_fade *fade, mmd_error *error)
{
    assert(actor && index < actor->motions_added && fade && fade->begins <= fade->ends &&
           isfinite(fade->ahead) && isfinite(fade->begins) && isfinite(fade->ends));
    mmd_actor_motion to = actor->motions[index];
    to.fades_out = true;
    to.fade = *fade;
    return change(actor, index, &to, error);
}

mmd_status mmd_actor_end_fades(mmd_actor *actor, mmd_error *error)
{
    assert(actor);
    mmd_actor_motion *kept = mmd_alloc((actor->motions_added + 1) * sizeof *kept);
    mmd_actor_motion *all = actor->motions;
    size_t count = 0, before = actor->motions_added;
    for (size_t i = 0; kept && i < before; i++)
        if (!all[i].fades_out)
            kept[count++] = all[i];
    if (kept && count == before) {
        mmd_free(kept);
        return MMD_OK;
    }
    actor->motions = kept;
    actor->motions_added = count;
    if (kept && bind(actor)) {
        mmd_free(all);
        return MMD_OK;
    }
    mmd_free(kept);
    actor->motions = all;
    actor->motions_added = before;
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
}

mmd_status mmd_actor_take_motions(mmd_actor *actor, const mmd_actor *from, mmd_error *error)
{
    assert(actor && from);
    const size_t count = from->motions_added, before_count = actor->motions_added;
    mmd_actor_motion *before = actor->motions, *copy = mmd_alloc((count + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = from->motions[i];
    actor->motions = copy;
    actor->motions_added = count;
    if (!copy || !bind(actor)) {
        actor->motions = before;
        actor->motions_added = before_count;
        mmd_free(copy);
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    }
    mmd_free(before);
    mmd_actor_set_delay(actor, from->delay);
    return MMD_OK;
}

mmd_status mmd_actor_rebind(mmd_actor *actor, mmd_error *error)
{
    assert(actor);
    if (bind(actor))
        return MMD_OK;
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
}

mmd_status mmd_actor_set_animations(mmd_actor *actor, const mmd_animation *animations, uint32_t count,
                                    mmd_error *error)
{
    assert(actor && (animations || count == 0));
    const mmd_animation *before = actor->animations;
    uint32_t count_before = actor->animation_count;
    actor->animations = animations;
    actor->animation_count = count;
    if (bind(actor))
        return MMD_OK;
    actor->animations = before;
    actor->animation_count = count_before;
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
}

/* Samples motions and morphs set by hand at a frame of the stage. */
static void sample(const actor_source *source, double frame, mmd_pose_values *values)
{
    if (source->clips)
        actor_clips_sample(source->clips, frame, source->delay, values);
    else
        mmd_pose_values_reset(values, source->model);
    for (uint32_t m = 0; m < source->model->morph_count; m++)
        if (!isnan(source->morphs_by_hand[m]))
            values->weights[m] = source->morphs_by_hand[m];
}

void actor_sample_pose(const actor_source *source, double frame, mmd_pose_values *values,
                       mmd_pose_values *previous, mmd_pose *pose)
{
    assert(source && values && pose);
    sample(source, frame, values);
    if (mmd_pose_needs_previous(pose))
        sample(source, frame - 1.0, previous);
    mmd_pose_evaluate(pose, values, previous);
}

void actor_evaluate(mmd_actor *actor, double frame, bool physics)
{
    assert(actor);
    const actor_source source = {actor->model, actor->clips, actor->morphs_by_hand, actor->delay};
    actor_clips_drift(actor->clips, physics);
    actor_sample_pose(&source, frame, &actor->values, &actor->previous, actor->pose);
    actor->visible = actor->values.visible;
}

void mmd_actor_set_frame(mmd_actor *actor, double frame)
{
    assert(actor);
    actor_evaluate(actor, frame, false);
    mmd_pose_finish(actor->pose);
}

const mmd_model *mmd_actor_model(const mmd_actor *actor)
{
    assert(actor);
    return actor->model;
}
mmd_pose *mmd_actor_pose(mmd_actor *actor)
{
    assert(actor);
    return actor->pose;
}
bool mmd_actor_visible(const mmd_actor *actor)
{
    assert(actor);
    return actor->visible;
}
const mmd_pose_values *mmd_actor_values(const mmd_actor *actor)
{
    assert(actor);
    return &actor->values;
}

void mmd_actor_set_morph(mmd_actor *actor, uint32_t morph, float weight)
{
    assert(morph < actor->model->morph_count);
    actor->morphs_by_hand[morph] = weight;
}

const float *mmd_actor_morphs_by_hand(const mmd_actor *actor)
{
    assert(actor);
    return actor->morphs_by_hand;
}

void mmd_actor_hide_material(mmd_actor *actor, uint32_t material, bool hidden)
{
    assert(material < actor->model->material_count);
    actor->hidden[material] = hidden;
}

const uint8_t *mmd_actor_hidden(const mmd_actor *actor)
{
    assert(actor);
    return actor->hidden;
}

void mmd_actor_set_delay(mmd_actor *actor, double frames)
{
    assert(actor);
    assert(isfinite(frames));
    actor->changes += actor->delay != frames;
    actor->delay = frames;
    for (size_t i = 0; i < actor->motions_added; i++)
        if (actor->motions[i].fades_out) { /* without memory, turns keep the sides that they have */
            bind(actor);
            return;
        }
}

double mmd_actor_delay(const mmd_actor *actor)
{
    assert(actor);
    return actor->delay;
}

double mmd_actor_last_frame(const mmd_actor *actor)
{
    assert(actor);
    double last = 0.0, faded = 0.0;
    for (size_t i = 0; i < actor->motions_added; i++) {
        const mmd_actor_motion *m = &actor->motions[i];
        if (m->fades_out)
            faded = mmd_max(faded, m->fade.ends);
        else if (m->weight > 0.0f)
            last = mmd_max(last, (double)m->motion->last_frame);
    }
    for (uint32_t i = 0; i < actor->animation_count; i++)
        last = mmd_max(last, (double)actor->animations[i].seconds * 30.0);
    return mmd_max(last > 0.0 ? mmd_max(last + actor->delay, 0.0) : 0.0, faded);
}
