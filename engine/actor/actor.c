/* An actor: model, motions, animations and pose. */
#include "actor_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

mmd_actor *mmd_actor_create(const mmd_model *model, const mmd_pose_options *options)
{
    assert(model);
    mmd_actor *actor = mmd_alloc(sizeof *actor);
    if (!actor)
        return NULL;
    *actor = (mmd_actor){.model = model, .visible = true};
    actor->options = options ? *options : mmd_default_pose_options();
    actor->pose = mmd_pose_create(model, &actor->options);
    actor->morphs_by_hand = mmd_arena_alloc(&actor->arena, model->morph_count, sizeof *actor->morphs_by_hand);
    actor->hidden = mmd_arena_alloc(&actor->arena, model->material_count, sizeof *actor->hidden);
    if (!actor->pose || !actor->morphs_by_hand || !actor->hidden ||
        !mmd_pose_values_init(&actor->values, model, &actor->arena) ||
        !mmd_pose_values_init(&actor->previous, model, &actor->arena) ||
        !actor_make_clip(actor, &actor->clip)) {
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

/* ---- drifts ---- */

/*
 * Kinematic bodies with a velocity and without animation move with it for ever (glTF: "Its velocity will be
 * constant during simulation"). Their bones drift, so that the drawing, attached objects and the targets of
 * bodies move along, at every frame by a formula (mmd_drift).
 */

static bool is_drifting(const mmd_model *model, const mmd_phys_body *body)
{
    float sum = 0.0f;
    for (int k = 0; k < 3; k++)
        sum += fabsf(body->linear_velocity[k]) + fabsf(body->angular_velocity[k]);
    return body->motion == MMD_PHYS_KINEMATIC && !body->disabled && body->bone >= 0 &&
           (uint32_t)body->bone < model->bone_count && sum > 0.0f && isfinite(sum);
}

/* Computes the drift of a body's bone. Bodies rotate about their centre of mass; if shapes determine it,
 * the body's origin is used. */
static mmd_drift drift_of(const mmd_phys_body *body)
{
    static const float origin[3] = {0.0f, 0.0f, 0.0f};
    mmd_drift drift = {.bone = (uint32_t)body->bone};
    mmd_transform_point(&body->rest, body->auto_center ? origin : body->center, drift.center);
    memcpy(drift.linear, body->linear_velocity, sizeof drift.linear);
    memcpy(drift.angular, body->angular_velocity, sizeof drift.angular);
    return drift;
}

/* Lists the drifts of a model's bones if drifts is not NULL. Returns their number. */
static uint32_t drift_list(const mmd_model *model, mmd_drift *drifts)
{
    uint32_t count = 0;
    for (uint32_t b = 0; model->physscene && b < model->physscene->body_count; b++) {
        const mmd_phys_body *body = &model->physscene->bodies[b];
        if (!is_drifting(model, body))
            continue;
        if (drifts)
            drifts[count] = drift_of(body);
        count++;
    }
    return count;
}

/* ---- motions and animations ---- */

static bool set_drifts(mmd_clip *clip, const mmd_model *model, uint32_t count)
{
    mmd_drift *drifts = mmd_alloc(count * sizeof *drifts);
    bool set = drifts && mmd_clip_set_drifts(clip, drifts, drift_list(model, drifts));
    mmd_free(drifts);
    return set;
}

bool actor_make_clip(const mmd_actor *actor, mmd_clip **clip)
{
    assert(actor && clip);
    uint32_t drifts = drift_list(actor->model, NULL);
    *clip = NULL;
    if (!actor->motions_added && !actor->animation_count && !drifts)
        return true;
    *clip = mmd_clip_create(actor->model, actor->motions, actor->motions_added);
    if (*clip &&
        (!actor->animation_count || mmd_clip_animate(*clip, actor->animations, actor->animation_count)) &&
        (!drifts || set_drifts(*clip, actor->model, drifts)))
        return true;
    mmd_clip_destroy(*clip);
    *clip = NULL;
    return false;
}

/* Makes a new clip after a change. Returns false when out of memory; the old clip stays then. */
static bool bind(mmd_actor *actor)
{
    mmd_clip *clip;
    if (!actor_make_clip(actor, &clip))
        return false;
    mmd_clip_destroy(actor->clip);
    actor->clip = clip;
    actor->changes++;
    return true;
}

mmd_status mmd_actor_add_motion(mmd_actor *actor, const mmd_motion *motion, mmd_error *error)
{
    assert(actor);
    const mmd_motion **motions = mmd_realloc(actor->motions, (actor->motions_added + 1) * sizeof *motions);
    if (!motions)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    actor->motions = motions;
    motions[actor->motions_added++] = motion;
    if (bind(actor))
        return MMD_OK;
    actor->motions_added--;
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
}

static size_t swap_motion(mmd_actor *actor, const mmd_motion *motion, const mmd_motion *by)
{
    size_t swapped = 0;
    for (size_t i = 0; i < actor->motions_added; i++)
        if (actor->motions[i] == motion) {
            actor->motions[i] = by;
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

mmd_status mmd_actor_take_motions(mmd_actor *actor, const mmd_actor *from, mmd_error *error)
{
    assert(actor && from);
    const size_t count = from->motions_added, before_count = actor->motions_added;
    const mmd_motion **before = actor->motions, **copy = mmd_alloc((count + 1) * sizeof *copy);
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
    if (source->clip)
        mmd_clip_sample(source->clip, source->delay == 0.0 ? frame : fmax(frame - source->delay, 0.0),
                        values);
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
    const actor_source source = {actor->model, actor->clip, actor->morphs_by_hand, actor->delay};
    if (actor->clip)
        mmd_clip_drift(actor->clip, physics);
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
}

double mmd_actor_delay(const mmd_actor *actor)
{
    assert(actor);
    return actor->delay;
}

double mmd_actor_last_frame(const mmd_actor *actor)
{
    assert(actor);
    double last = 0.0;
    for (size_t i = 0; i < actor->motions_added; i++)
        last = fmax(last, (double)actor->motions[i]->last_frame);
    for (uint32_t i = 0; i < actor->animation_count; i++)
        last = fmax(last, (double)actor->animations[i].seconds * 30.0);
    return last > 0.0 ? fmax(last + actor->delay, 0.0) : 0.0;
}
