/*
 * What else than motions moves a clip's bones: animations by keys at any times
 * (glTF's), and bones that drift at constant speed.
 *
 * Animations are the model's own and motions are put on top: what a motion
 * keys is the motion's alone. A bone drifts as seen from the world, whatever
 * drifts above it, and by formula: where it is at a frame depends on nothing
 * but the frame.
 */
#include "clip_internal.h"
#include "mmd_math.h"

#include <assert.h>
#include <string.h>

/* ----------------------------------------------------------- animations */

/* Where is kept what is keyed of a channel's target; NULL: the model has no such target. */
static uint8_t *keyed_by(const mmd_clip *clip, const mmd_animation_channel *channel)
{
    bool is_morph = channel->animated == MMD_ANIMATED_WEIGHT;
    uint32_t count = is_morph ? clip->model->morph_count : clip->model->bone_count;
    if (channel->target < 0 || (uint32_t)channel->target >= count)
        return NULL;
    return (is_morph ? clip->keyed_morphs : clip->keyed_bones) + channel->target;
}

static void bind_channel(mmd_clip *clip, const mmd_animation_channel *channel)
{
    uint8_t *keyed = keyed_by(clip, channel), bit = (uint8_t)(1u << channel->animated);
    if (!keyed || *keyed & bit)
        return;
    *keyed |= bit;
    if (channel->animated != MMD_ANIMATED_SCALE || clip->model->has_scale)
        clip->channels[clip->channel_count++] = (bound_channel){.channel = channel};
}

bool mmd_clip_animate(mmd_clip *clip, const mmd_animation *animations, uint32_t count)
{
    assert(clip && (animations || count == 0) && !clip->channels && clip->drift_count == 0);
    size_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += animations[i].channel_count;
    clip->channels = mmd_arena_alloc(&clip->arena, total, sizeof *clip->channels);
    if (!clip->channels)
        return false;
    for (uint32_t i = count; i-- > 0;) /* backwards: the first one that is bound stays */
        for (uint32_t c = animations[i].channel_count; c-- > 0;)
            bind_channel(clip, &animations[i].channels[c]);
    return true;
}

static void sample_channel(bound_channel *bound, double seconds, mmd_pose_values *values)
{
    const mmd_animation_channel *channel = bound->channel;
    float *out = channel->animated == MMD_ANIMATED_WEIGHT     ? &values->weights[channel->target]
                 : channel->animated == MMD_ANIMATED_SCALE    ? values->scales[channel->target]
                 : channel->animated == MMD_ANIMATED_ROTATION ? values->bones[channel->target].rotation
                                                              : values->bones[channel->target].translation;
    mmd_animation_sample(channel, seconds, &bound->hint, out);
}

/* --------------------------------------------------------------- drifts */

/* The bone itself, or one above it. Rings of parents are gone through once. */
static bool is_carried(const mmd_clip *clip, uint32_t bone)
{
    int32_t b = (int32_t)bone;
    for (uint32_t met = 0; b >= 0 && met <= clip->model->bone_count; met++) {
        if (clip->keyed_bones[b])
            return true;
        b = clip->model->bones[b].parent;
    }
    return false;
}

static int32_t find_leader(const mmd_clip *clip, const int32_t *drift_of_bone, uint32_t bone)
{
    int32_t b = clip->model->bones[bone].parent;
    for (uint32_t met = 0; b >= 0 && met < clip->model->bone_count; met++) {
        if (drift_of_bone[b] >= 0)
            return drift_of_bone[b];
        b = clip->model->bones[b].parent;
    }
    return -1;
}

bool mmd_clip_set_drifts(mmd_clip *clip, const mmd_drift *drifts, uint32_t count)
{
    assert(clip && (drifts || count == 0) && clip->drift_count == 0);
    uint32_t bones = clip->model->bone_count;
    clip->drifts = mmd_arena_alloc(&clip->arena, count, sizeof *clip->drifts);
    int32_t *drift_of_bone = mmd_arena_alloc(&clip->arena, bones, sizeof *drift_of_bone);
    if (!clip->drifts || !drift_of_bone)
        return false;
    for (uint32_t b = 0; b < bones; b++)
        drift_of_bone[b] = -1;
    for (uint32_t i = count; i-- > 0;) {
        assert(drifts[i].bone < bones);
        if (drift_of_bone[drifts[i].bone] >= 0 || is_carried(clip, drifts[i].bone))
            continue;
        drift_of_bone[drifts[i].bone] = (int32_t)clip->drift_count;
        clip->drifts[clip->drift_count++].drift = drifts[i];
    }
    for (uint32_t i = 0; i < clip->drift_count; i++)
        clip->drifts[i].leader = find_leader(clip, drift_of_bone, clip->drifts[i].drift.bone);
    return true;
}

void mmd_clip_drift(mmd_clip *clip, bool on)
{
    assert(clip);
    clip->drifting = on;
}

/* What moves everything on a drifting bone from where it is at rest, in the model's space. */
static void displacement(const mmd_drift *drift, double seconds, mmd_transform *out)
{
    const float *w = drift->angular;
    double speed =
        sqrt((double)w[0] * (double)w[0] + (double)w[1] * (double)w[1] + (double)w[2] * (double)w[2]);
    double half = 0.5 * speed * seconds, factor = speed > 0.0 ? sin(half) / speed : 0.0;
    float turned[3];
    for (int k = 0; k < 3; k++)
        out->rotation[k] = (float)(factor * (double)w[k]);
    out->rotation[3] = (float)cos(half);
    quat_rotate(out->rotation, drift->center, turned);
    for (int k = 0; k < 3; k++)
        out->translation[k] =
            (float)((double)drift->center[k] + (double)drift->linear[k] * seconds - (double)turned[k]);
    out->translation[3] = 0.0f;
}

/* Between the leader and a bone nothing moves: the bone's motion is what is left of its own displacement. */
static void sample_drift(const mmd_clip *clip, const bound_drift *bound, double seconds, mmd_transform *out)
{
    const float *rest = clip->model->bones[bound->drift.bone].position;
    mmd_transform own, leader;
    float moved[3];
    displacement(&bound->drift, seconds, &own);
    if (bound->leader >= 0) {
        displacement(&clip->drifts[bound->leader].drift, seconds, &leader);
        mmd_transform_inverse(&leader, &leader);
        mmd_transform_multiply(&leader, &own, &own);
    }
    mmd_transform_point(&own, rest, moved);
    quat_copy(own.rotation, out->rotation);
    for (int k = 0; k < 3; k++)
        out->translation[k] = moved[k] - rest[k];
}

void clip_sample_animations(mmd_clip *clip, double frame, mmd_pose_values *values)
{
    assert(clip && values);
    for (uint32_t i = 0; i < clip->channel_count; i++)
        sample_channel(&clip->channels[i], frame / 30.0, values);
    if (!clip->drifting || !(frame > 0.0))
        return;
    for (uint32_t i = 0; i < clip->drift_count; i++)
        sample_drift(clip, &clip->drifts[i], frame / 30.0, &values->bones[clip->drifts[i].drift.bone]);
}
