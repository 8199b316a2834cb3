/* What moves an actor: a clip of its motions and animations, and those that it fades out from. */
#include "actor_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

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

static bool set_drifts(mmd_clip *clip, const mmd_model *model, uint32_t count)
{
    mmd_drift *drifts = mmd_alloc(count * sizeof *drifts);
    bool set = drifts && mmd_clip_set_drifts(clip, drifts, drift_list(model, drifts));
    mmd_free(drifts);
    return set;
}

/* ---- clips ---- */

/* A dance that an actor fades out from. */
typedef struct fading_clip {
    mmd_clip *clip;
    mmd_fade fade;
} fading_clip;

struct actor_clips {
    const mmd_model *model;
    mmd_clip *clip;
    fading_clip fading[ACTOR_FADES_MAX]; /* the earliest dance first */
    uint32_t fading_count;
    mmd_pose_values mixed; /* scratch, if anything fades */
    mmd_arena arena;
};

/* Lists of motions and weights for a clip, with room for all of the actor's. */
typedef struct chosen_motions {
    const mmd_motion **motions;
    float *weights;
    size_t count;
    bool weighted; /* some weight is not 1 */
} chosen_motions;

static void choose(chosen_motions *chosen, const mmd_actor_motion *m)
{
    chosen->motions[chosen->count] = m->motion;
    chosen->weights[chosen->count++] = m->weight;
    chosen->weighted |= m->weight < 1.0f;
}

static mmd_clip *make_clip(const mmd_actor *actor, const chosen_motions *chosen, uint32_t drifts)
{
    mmd_clip *clip = chosen->weighted ? mmd_clip_create_weighted(actor->model, chosen->motions,
                                                                 chosen->weights, chosen->count)
                                      : mmd_clip_create(actor->model, chosen->motions, chosen->count);
    if (clip &&
        (!actor->animation_count || mmd_clip_animate(clip, actor->animations, actor->animation_count)) &&
        (!drifts || set_drifts(clip, actor->model, drifts)))
        return clip;
    mmd_clip_destroy(clip);
    return NULL;
}

static bool same_fade(const mmd_actor_motion *a, const mmd_actor_motion *b)
{
    return memcmp(&a->fade, &b->fade, sizeof a->fade) == 0;
}

/* Returns the next motion after `from` that fades out; the number of motions if there is none. */
static size_t next_fading(const mmd_actor *actor, size_t from)
{
    while (from < actor->motions_added && !actor->motions[from].fades_out)
        from++;
    return from;
}

/* Makes the clips of dances that fade out. Neighbouring motions with the same fade are one dance. Of more
 * than ACTOR_FADES_MAX the latest are kept. */
static bool make_fading(actor_clips *clips, const mmd_actor *actor, chosen_motions *chosen, uint32_t drifts)
{
    for (size_t i = next_fading(actor, 0); i < actor->motions_added;) {
        const mmd_actor_motion *first = &actor->motions[i];
        chosen->count = 0;
        chosen->weighted = false;
        for (; i < actor->motions_added && same_fade(first, &actor->motions[i]);
             i = next_fading(actor, i + 1))
            choose(chosen, &actor->motions[i]);
        if (clips->fading_count == ACTOR_FADES_MAX) {
            mmd_clip_destroy(clips->fading[0].clip);
            memmove(clips->fading, clips->fading + 1, sizeof clips->fading - sizeof *clips->fading);
            clips->fading_count--;
        }
        fading_clip *made = &clips->fading[clips->fading_count];
        *made = (fading_clip){make_clip(actor, chosen, drifts), first->fade};
        if (!made->clip)
            return false;
        clips->fading_count++;
    }
    return !clips->fading_count || mmd_pose_values_init(&clips->mixed, actor->model, &clips->arena);
}

static bool make_own(actor_clips *clips, const mmd_actor *actor, chosen_motions *chosen, uint32_t drifts)
{
    chosen->count = 0;
    chosen->weighted = false;
    for (size_t i = 0; i < actor->motions_added; i++)
        if (!actor->motions[i].fades_out)
            choose(chosen, &actor->motions[i]);
    clips->clip = make_clip(actor, chosen, drifts);
    return clips->clip != NULL;
}

bool actor_make_clips(const mmd_actor *actor, actor_clips **out)
{
    assert(actor && out);
    uint32_t drifts = drift_list(actor->model, NULL);
    *out = NULL;
    if (!actor->motions_added && !actor->animation_count && !drifts)
        return true;
    chosen_motions chosen = {.motions = mmd_alloc((actor->motions_added + 1) * sizeof *chosen.motions),
                             .weights = mmd_alloc((actor->motions_added + 1) * sizeof *chosen.weights)};
    actor_clips *clips = mmd_alloc(sizeof *clips);
    if (clips)
        *clips = (actor_clips){.model = actor->model};
    bool made = clips && chosen.motions && chosen.weights && make_own(clips, actor, &chosen, drifts) &&
                make_fading(clips, actor, &chosen, drifts);
    mmd_free(chosen.motions);
    mmd_free(chosen.weights);
    if (made)
        *out = clips;
    else
        actor_clips_destroy(clips);
    return made;
}

void actor_clips_destroy(actor_clips *clips)
{
    if (!clips)
        return;
    mmd_clip_destroy(clips->clip);
    for (uint32_t i = 0; i < clips->fading_count; i++)
        mmd_clip_destroy(clips->fading[i].clip);
    mmd_arena_finish(&clips->arena);
    mmd_free(clips);
}

void actor_clips_drift(actor_clips *clips, bool on)
{
    if (!clips)
        return;
    mmd_clip_drift(clips->clip, on);
    for (uint32_t i = 0; i < clips->fading_count; i++)
        mmd_clip_drift(clips->fading[i].clip, on);
}

/* Samples a dance that fades out. */
static void sample_fading(const fading_clip *fading, double frame, mmd_pose_values *values)
{
    mmd_clip_sample(fading->clip, fmax(frame + fading->fade.ahead, 0.0), values);
}

void actor_clips_sample(actor_clips *clips, double frame, double own_frame, mmd_pose_values *values)
{
    assert(clips && values);
    uint32_t first = clips->fading_count; /* the first dance that is still seen */
    while (first > 0 && frame < clips->fading[first - 1].fade.ends)
        first--;
    if (first == clips->fading_count) {
        mmd_clip_sample(clips->clip, own_frame, values);
        return;
    }
    sample_fading(&clips->fading[first], frame, values);
    for (uint32_t i = first; i < clips->fading_count; i++) {
        if (i + 1 < clips->fading_count)
            sample_fading(&clips->fading[i + 1], frame, &clips->mixed);
        else
            mmd_clip_sample(clips->clip, own_frame, &clips->mixed);
        mmd_pose_values_mix(values, &clips->mixed, mmd_fade_weight(&clips->fading[i].fade, frame),
                            clips->model);
    }
}
