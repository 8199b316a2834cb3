/* What moves an actor: a clip of its motions and animations, and those that it fades out from. */
#include "actor_internal.h"
#include "mmd/pose_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"

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

/* A bone that is more than half a turn from its value in the next dance during a part of a fade: its turns to
 * there at each frame, without a change of sides. */
typedef struct wide_turn {
    uint32_t bone;
    float (*ways)[4];
} wide_turn;

/* A dance that an actor fades out from. */
typedef struct fading_clip {
    mmd_clip *clip;
    mmd_fade fade;
    double first; /* frame of the first of the turns */
    uint32_t frames;
    wide_turn *turns;
    uint32_t turn_count;
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
        *made = (fading_clip){.clip = make_clip(actor, chosen, drifts), .fade = first->fade};
        if (!made->clip)
            return false;
        clips->fading_count++;
    }
    return true;
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

/* ---- sampling ---- */

/* Returns the frame of the actor's own motions at a frame of the stage. */
static double own_frame(double frame, double delay)
{
    return delay == 0.0 ? frame : mmd_max(frame - delay, 0.0);
}

/* Samples dance number i: one that fades out, or behind them the actor's own. */
static void sample_dance(const actor_clips *clips, uint32_t i, double frame, double delay,
                         mmd_pose_values *values)
{
    if (i < clips->fading_count)
        mmd_clip_sample(clips->fading[i].clip, mmd_max(frame + clips->fading[i].fade.ahead, 0.0), values);
    else
        mmd_clip_sample(clips->clip, own_frame(frame, delay), values);
}

/* Mixes values of a dance that fades out with those of what follows, in clips->mixed. */
static void mix(actor_clips *clips, const fading_clip *fading, double frame, mmd_pose_values *values)
{
    float weight = mmd_fade_weight(&fading->fade, frame);
    double at = mmd_min(mmd_max(floor(frame - fading->first + 0.5), 0.0), (double)fading->frames - 1.0);
    bool between = weight > 0.0f && weight < 1.0f;
    for (uint32_t i = 0; between && i < fading->turn_count; i++) {
        const wide_turn *turn = &fading->turns[i];
        mmd_bone_value_mix_along(&values->bones[turn->bone], &clips->mixed.bones[turn->bone], weight,
                                 turn->ways[(uint32_t)at]);
        clips->mixed.bones[turn->bone] = values->bones[turn->bone]; /* mixing it again changes nothing */
    }
    mmd_pose_values_mix(values, &clips->mixed, weight, clips->model);
}

/* Samples all values, as far as dances up to number last go. */
static void sample_up_to(actor_clips *clips, uint32_t last, double frame, double delay,
                         mmd_pose_values *values)
{
    uint32_t first = last; /* the first dance that is still seen */
    while (first > 0 && frame < clips->fading[first - 1].fade.ends)
        first--;
    sample_dance(clips, first, frame, delay, values);
    for (uint32_t i = first; i < last; i++) {
        sample_dance(clips, i + 1, frame, delay, &clips->mixed);
        mix(clips, &clips->fading[i], frame, values);
    }
}

void actor_clips_sample(actor_clips *clips, double frame, double delay, mmd_pose_values *values)
{
    assert(clips && values);
    sample_up_to(clips, clips->fading_count, frame, delay, values);
}

/* ---- turns of more than half a circle ---- */

/*
 * The shorter arc between two moving bones changes sides where they are half a turn apart, which would be a
 * jump. So turns are looked at once, at every frame of a fade: the shorter arc is taken in the middle, and
 * the others are those next to it. Bones that are never so far apart need none of this.
 */

enum { TURN_FRAMES_MAX = 2048 }; /* beyond, the last ones apply */

/* Computes the turns of all bones from the dances before to the next one, by frame. */
static void compute_turns(actor_clips *clips, uint32_t number, double delay, mmd_pose_values *before,
                          mmd_pose_values *after, float (*turns)[4])
{
    const fading_clip *fading = &clips->fading[number];
    uint32_t bones = clips->model->bone_count;
    for (uint32_t f = 0; f < fading->frames; f++) {
        double frame = fading->first + f;
        sample_up_to(clips, number, frame, delay, before);
        sample_dance(clips, number + 1, frame, delay, after);
        for (uint32_t b = 0; b < bones; b++) {
            float back[4];
            quat_conjugate(before->bones[b].rotation, back);
            quat_multiply(back, after->bones[b].rotation, turns[(size_t)f * bones + b]);
        }
    }
}

/* Gives a quaternion the sign with which it is nearer to another one. */
static void side_with(float turn[4], const float other[4])
{
    if (quat_dot(turn, other) < 0.0f)
        for (int k = 0; k < 4; k++)
            turn[k] = -turn[k];
}

/* Gives the turns of a bone signs without jumps. Returns whether one of them is more than half a circle. */
static bool follow_turns(float (*turns)[4], uint32_t frames, uint32_t middle, uint32_t bones)
{
    static const float none[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    bool wide = false;
    side_with(turns[(size_t)middle * bones], none);
    for (uint32_t f = middle + 1; f < frames; f++)
        side_with(turns[(size_t)f * bones], turns[(size_t)(f - 1) * bones]);
    for (uint32_t f = middle; f-- > 0;)
        side_with(turns[(size_t)f * bones], turns[(size_t)(f + 1) * bones]);
    for (uint32_t f = 0; f < frames; f++)
        wide |= turns[(size_t)f * bones][3] < 0.0f;
    return wide;
}

/* Keeps the turns of bones that are wide. */
static bool keep_wide(actor_clips *clips, fading_clip *fading, float (*turns)[4])
{
    uint32_t bones = clips->model->bone_count;
    double half = 0.5 * (fading->fade.begins + fading->fade.ends) - fading->first;
    uint32_t middle = (uint32_t)mmd_min(floor(half + 0.5), (double)fading->frames - 1.0);
    fading->turns = mmd_arena_alloc(&clips->arena, bones, sizeof *fading->turns);
    for (uint32_t b = 0; fading->turns && b < bones; b++) {
        if (!follow_turns(turns + b, fading->frames, middle, bones))
            continue;
        wide_turn *turn = &fading->turns[fading->turn_count];
        *turn = (wide_turn){b, mmd_arena_alloc(&clips->arena, fading->frames, sizeof *turn->ways)};
        if (!turn->ways)
            return false;
        for (uint32_t f = 0; f < fading->frames; f++)
            quat_copy(turns[(size_t)f * bones + b], turn->ways[f]);
        fading->turn_count++;
    }
    return fading->turns != NULL;
}

/* Looks at the turns of one fade. */
static bool find_turns_of(actor_clips *clips, uint32_t number, double delay, mmd_pose_values *before,
                          mmd_pose_values *after)
{
    fading_clip *fading = &clips->fading[number];
    fading->first =
        floor(fading->fade.begins); /* also before frame 0, so that a fade that goes on keeps sides */
    double frames = ceil(fading->fade.ends) - fading->first + 1.0;
    fading->frames = (uint32_t)mmd_min(mmd_max(frames, 1.0), TURN_FRAMES_MAX);
    float(*turns)[4] = mmd_alloc((size_t)fading->frames * clips->model->bone_count * sizeof *turns + 1);
    if (turns)
        compute_turns(clips, number, delay, before, after, turns);
    bool kept = turns && keep_wide(clips, fading, turns);
    mmd_free(turns);
    return kept;
}

static bool find_turns(actor_clips *clips, double delay)
{
    mmd_pose_values before, after;
    if (!clips->fading_count)
        return true;
    bool all = mmd_pose_values_init(&clips->mixed, clips->model, &clips->arena) &&
               mmd_pose_values_init(&before, clips->model, &clips->arena) &&
               mmd_pose_values_init(&after, clips->model, &clips->arena);
    for (uint32_t i = 0; all && i < clips->fading_count; i++)
        all = find_turns_of(clips, i, delay, &before, &after);
    return all;
}

/* ---- creating ---- */

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
                make_fading(clips, actor, &chosen, drifts) && find_turns(clips, actor->delay);
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
