/* One dancer: model, motions and pose. */
#include "actor_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

mmd_actor *mmd_actor_create(const mmd_model *model, const mmd_pose_options *options)
{
    mmd_actor *actor = mmd_alloc(sizeof *actor);
    if (!actor)
        return NULL;
    *actor = (mmd_actor){.model = model, .visible = true};
    actor->options = options ? *options : mmd_default_pose_options();
    actor->pose = mmd_pose_create(model, &actor->options);
    actor->morphs_by_hand = mmd_arena_alloc(&actor->arena, model->morph_count, sizeof *actor->morphs_by_hand);
    if (!actor->pose || !actor->morphs_by_hand ||
        !mmd_pose_values_init(&actor->values, model, &actor->arena) ||
        !mmd_pose_values_init(&actor->previous, model, &actor->arena)) {
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
    mmd_clip_destroy(actor->clip);
    mmd_pose_destroy(actor->pose);
    mmd_free(actor->motions);
    mmd_arena_finish(&actor->arena);
    mmd_free(actor);
}

mmd_status mmd_actor_add_motion(mmd_actor *actor, const mmd_motion *motion, mmd_error *error)
{
    const mmd_motion **motions = mmd_realloc(actor->motions, (actor->motion_count + 1) * sizeof *motions);
    if (!motions)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    actor->motions = motions;
    motions[actor->motion_count] = motion;
    mmd_clip *clip = mmd_clip_create(actor->model, motions, actor->motion_count + 1);
    if (!clip)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    mmd_clip_destroy(actor->clip);
    actor->clip = clip;
    actor->motion_count++;
    return MMD_OK;
}

void actor_sample(const mmd_model *model, mmd_clip *clip, const float *morphs_by_hand, double frame,
                  mmd_pose_values *values)
{
    if (clip)
        mmd_clip_sample(clip, frame, values);
    else
        mmd_pose_values_reset(values, model);
    for (uint32_t m = 0; m < model->morph_count; m++)
        if (!isnan(morphs_by_hand[m]))
            values->weights[m] = morphs_by_hand[m];
}

void actor_evaluate(mmd_actor *actor, double frame)
{
    actor_sample(actor->model, actor->clip, actor->morphs_by_hand, frame, &actor->values);
    if (mmd_pose_needs_previous(actor->pose))
        actor_sample(actor->model, actor->clip, actor->morphs_by_hand, frame - 1.0, &actor->previous);
    actor->visible = actor->values.visible;
    mmd_pose_evaluate(actor->pose, &actor->values, &actor->previous);
}

void mmd_actor_set_frame(mmd_actor *actor, double frame)
{
    actor_evaluate(actor, frame);
    mmd_pose_finish(actor->pose);
}

const mmd_model *mmd_actor_model(const mmd_actor *actor)
{
    return actor->model;
}
mmd_pose *mmd_actor_pose(mmd_actor *actor)
{
    return actor->pose;
}
bool mmd_actor_visible(const mmd_actor *actor)
{
    return actor->visible;
}
const mmd_pose_values *mmd_actor_values(const mmd_actor *actor)
{
    return &actor->values;
}

void mmd_actor_set_morph(mmd_actor *actor, uint32_t morph, float weight)
{
    assert(morph < actor->model->morph_count);
    actor->morphs_by_hand[morph] = weight;
}

double mmd_actor_last_frame(const mmd_actor *actor)
{
    uint32_t last = 0;
    for (size_t i = 0; i < actor->motion_count; i++)
        if (actor->motions[i]->last_frame > last)
            last = actor->motions[i]->last_frame;
    return (double)last;
}
