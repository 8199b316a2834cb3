/*
 * Writes a motion as an animation of a glTF (glTF 2.0, 3.11): the keys of each bone, with frames converted to
 * seconds. The motion must contain all that moves a bone relative to its parent, because a glTF has no IK,
 * append or bone morphs.
 *
 * Linear keys are copied. A track with Bézier curves is sampled at every frame and reduced again
 * (mmd/reduce.h), with an invisible error. A bone below a body's node moves relative to that node, which is
 * at rest while nothing simulates it, below the bone's parent or, if that belongs to a body too, beside it:
 *
 *   local(t) = inverse(body relative to the parent) * bone relative to the parent(t)
 *
 * Morph weights are linear in MMD, too: one channel has a key wherever any morph has one.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "writer.h"
#include "mmd/motion.h"
#include "mmd/reduce.h"

#define FRAMES_PER_SECOND 30

enum { FRAMES_MAX = 1000000 };
#define WEIGHTS_MAX UINT64_C(64000000)

/* Error limits of key reduction: 4 micrometres and a sixth of an arc minute. */
static const float still_units = 5e-5F, still_radians = 5e-5F;

/* Times shared by several channels. */
typedef struct timeline {
    uint32_t count;
    uint32_t *frames;
    int32_t accessor;
} timeline;

typedef struct animation_writer {
    const gltf_mesh_writer *mesh;
    gltf_builder *builder;
    const mmd_model *model;
    const mmd_motion *motion;
    json_t *channels, *samplers; /* owned by the animation */
    uint32_t line_count, line_room;
    timeline *lines;
    uint32_t late_tracks; /* number of tracks with keys after FRAMES_MAX */
} animation_writer;

/* ----------------------------------------------------------------- times */

/* Writes an accessor of times. */
static bool add_timeline(animation_writer *w, const uint32_t *frames, uint32_t count)
{
    if (w->line_count == w->line_room) {
        uint32_t room = w->line_room ? w->line_room * 2 : 16;
        timeline *grown = mmd_realloc(w->lines, room * sizeof *grown);
        w->builder->failed = w->builder->failed || !grown;
        if (!grown)
            return false;
        w->lines = grown;
        w->line_room = room;
    }
    float *times = mmd_alloc(count * sizeof *times);
    uint32_t *stored = mmd_alloc(count * sizeof *stored);
    w->builder->failed = w->builder->failed || !times || !stored;
    for (uint32_t i = 0; i < count && !w->builder->failed; i++) {
        times[i] = (float)frames[i] / FRAMES_PER_SECOND;
        stored[i] = frames[i];
    }
    if (!w->builder->failed)
        w->lines[w->line_count++] =
            (timeline){count, stored, gltf_add_floats(w->builder, times, count, "SCALAR", 0, true)};
    else
        mmd_free(stored);
    mmd_free(times);
    return !w->builder->failed;
}

/* Returns the accessor of times; equal ones share it. */
static int32_t times_of(animation_writer *w, const uint32_t *frames, uint32_t count)
{
    for (uint32_t i = 0; i < w->line_count; i++)
        if (w->lines[i].count == count && memcmp(w->lines[i].frames, frames, count * sizeof *frames) == 0)
            return w->lines[i].accessor;
    return add_timeline(w, frames, count) ? w->lines[w->line_count - 1].accessor : 0;
}

/* Writes a channel and its sampler. */
static void add_channel(animation_writer *w, int32_t node, const char *path, int32_t times, int32_t values)
{
    json_int_t sampler = (json_int_t)json_array_size(w->samplers);
    json_t *made =
        json_pack("{s:i, s:i, s:s}", "input", (int)times, "output", (int)values, "interpolation", "LINEAR");
    json_t *channel =
        json_pack("{s:I, s:{s:i, s:s}}", "sampler", sampler, "target", "node", (int)node, "path", path);
    bool failed = json_array_append_new(w->samplers, made) != 0;
    failed = json_array_append_new(w->channels, channel) != 0 || failed;
    w->builder->failed = w->builder->failed || failed;
}

/* ----------------------------------------------------------------- bones */

/* Keys of a bone: frames, and transforms relative to the parent, from rest. */
typedef struct bone_keys {
    uint32_t count;
    uint32_t *frames;
    mmd_bone_key *keys;
} bone_keys;

static bool keys_init(gltf_builder *builder, bone_keys *keys, uint32_t count)
{
    *keys = (bone_keys){.frames = mmd_alloc(count * sizeof *keys->frames),
                        .keys = mmd_alloc(count * sizeof *keys->keys)};
    builder->failed = builder->failed || !keys->frames || !keys->keys;
    return !builder->failed;
}

static void keys_finish(bone_keys *keys)
{
    mmd_free(keys->frames);
    mmd_free(keys->keys);
}

/* Returns whether two keys have the same value in a channel. */
static bool axis_still(const mmd_bone_key *a, const mmd_bone_key *b, int channel)
{
    return channel == MMD_CHANNEL_ROTATION ? memcmp(a->rotation, b->rotation, sizeof a->rotation) == 0
                                           : a->translation[channel] == b->translation[channel];
}

/* Returns whether a track is linear between all its keys. */
static bool is_linear(const mmd_bone_track *track)
{
    for (uint32_t i = 1; i < track->count; i++)
        for (int k = 0; k <= MMD_CHANNEL_ROTATION; k++)
            if (!mmd_curve_is_linear(track->keys[i].curve[k]) &&
                !axis_still(&track->keys[i - 1], &track->keys[i], k))
                return false;
    return true;
}

/* Copies a track's keys up to FRAMES_MAX; of several at a frame the last. */
static void copy_keys(const mmd_bone_track *track, bone_keys *out)
{
    for (uint32_t i = 0; i < track->count && track->frames[i] <= FRAMES_MAX; i++) {
        if (out->count > 0 && out->frames[out->count - 1] == track->frames[i])
            out->count--;
        out->frames[out->count] = track->frames[i];
        out->keys[out->count++] = track->keys[i];
    }
}

/* Samples the bone's transform, with the keys' curves, at every frame from the first to the last key. */
static void sample_keys(const bone_keys *keys, mmd_transform *samples)
{
    uint32_t first = keys->frames[0], at = 0;
    for (uint32_t frame = first; frame <= keys->frames[keys->count - 1]; frame++) {
        while (at + 1 < keys->count && keys->frames[at + 1] <= frame)
            at++;
        mmd_transform *sample = &samples[frame - first];
        *sample = (mmd_transform){0};
        memcpy(sample->rotation, keys->keys[at].rotation, sizeof sample->rotation);
        memcpy(sample->translation, keys->keys[at].translation, sizeof keys->keys[at].translation);
        if (keys->frames[at] < frame)
            mmd_bone_key_between(
                &keys->keys[at], &keys->keys[at + 1],
                (float)(frame - keys->frames[at]) / (float)(keys->frames[at + 1] - keys->frames[at]), sample);
    }
}

/* Replaces Bézier curves by linear keys. */
static void linearize(gltf_builder *builder, bone_keys *keys)
{
    const mmd_reduce_limits limits = {.translation = still_units, .rotation = still_radians};
    uint32_t first = keys->frames[0], count = keys->frames[keys->count - 1] - first + 1;
    mmd_transform *samples = mmd_alloc(count * sizeof *samples);
    bone_keys straight;
    if (keys_init(builder, &straight, count) && samples) {
        sample_keys(keys, samples);
        straight.count = mmd_reduce_keys(samples, count, &limits, straight.frames, straight.keys);
        for (uint32_t i = 0; i < straight.count; i++)
            straight.frames[i] += first;
        bone_keys old = *keys;
        *keys = straight;
        straight = old;
    }
    builder->failed = builder->failed || !samples;
    keys_finish(&straight);
    mmd_free(samples);
}

/*
 * The frame of a bone's node: transform between the node's parent and the bone's parent, and the bone's rest
 * offset.
 */
typedef struct bone_frame {
    mmd_transform outside; /* inverse(parent node) * bone's parent */
    float rest[3];
} bone_frame;

/* Computes the frame of a bone's node. */
static bone_frame parent_frame_of(const animation_writer *w, uint32_t bone)
{
    const mmd_bone *bones = w->model->bones;
    int32_t above = bones[bone].parent;
    mmd_transform parent = {.rotation = {0, 0, 0, 1}}, node;
    for (int k = 0; k < 3 && above >= 0; k++)
        parent.translation[k] = bones[above].position[k];
    bone_frame frame;
    for (int k = 0; k < 3; k++)
        frame.rest[k] = bones[bone].position[k] - parent.translation[k];
    gltf_find_transform(w->builder, w->builder->transforms[bone].parent, &node, NULL);
    mmd_transform_inverse(&node, &frame.outside);
    mmd_transform_multiply(&frame.outside, &parent, &frame.outside);
    return frame;
}

/* Computes the node's local transform from a key. */
static void local_of(const bone_frame *frame, const mmd_bone_key *key, mmd_transform *local)
{
    mmd_transform inside = {{key->rotation[0], key->rotation[1], key->rotation[2], key->rotation[3]}, {0}};
    for (int k = 0; k < 3; k++)
        inside.translation[k] = frame->rest[k] + key->translation[k];
    mmd_transform_multiply(&frame->outside, &inside, &inside);
    mmd_exchange_to_file(MMD_EXCHANGE_GLTF, &inside, local);
}

/*
 * Stores a unit quaternion with the sign nearest to the previous one, for programs that do not choose the
 * shorter way.
 */
static void put_rotation(float *values, uint32_t i, const float rotation[4])
{
    double length = 0, with = 0;
    for (int k = 0; k < 4; k++) {
        length += (double)rotation[k] * (double)rotation[k];
        with += i ? (double)rotation[k] * (double)values[(i - 1) * (size_t)4 + (size_t)k] : 0;
    }
    double size = (with < 0 ? -1 : 1) * sqrt(length);
    for (int k = 0; k < 4; k++)
        values[i * (size_t)4 + (size_t)k] = length > 0 ? (float)((double)rotation[k] / size) + 0.0F : k == 3;
}

/* Writes translation and rotation channels of a bone. */
static void write_keys(animation_writer *w, uint32_t bone, const bone_keys *keys, bool moves, bool turns)
{
    gltf_builder *builder = w->builder;
    bone_frame frame = parent_frame_of(w, bone);
    float *moved = mmd_alloc(keys->count * 3 * sizeof *moved);
    float *turned = mmd_alloc(keys->count * 4 * sizeof *turned);
    builder->failed = builder->failed || !moved || !turned;
    for (uint32_t i = 0; i < keys->count && !builder->failed; i++) {
        mmd_transform local;
        local_of(&frame, &keys->keys[i], &local);
        put_rotation(turned, i, local.rotation);
        for (int k = 0; k < 3; k++)
            moved[i * 3 + (uint32_t)k] = isfinite(local.translation[k]) ? local.translation[k] + 0.0F : 0;
    }
    int32_t times = builder->failed ? 0 : times_of(w, keys->frames, keys->count);
    if (moves && !builder->failed)
        add_channel(w, (int32_t)bone, "translation", times,
                    gltf_add_floats(builder, moved, keys->count, "VEC3", 0, false));
    if (turns && !builder->failed)
        add_channel(w, (int32_t)bone, "rotation", times,
                    gltf_add_floats(builder, turned, keys->count, "VEC4", 0, false));
    mmd_free(moved);
    mmd_free(turned);
}

/* Finds out whether a track has any translation or rotation. */
static void find_motion(const mmd_bone_track *track, bool *moves, bool *turns)
{
    *moves = *turns = false;
    for (uint32_t i = 0; i < track->count; i++)
        for (int k = 0; k < 3; k++) {
            *moves = *moves || track->keys[i].translation[k] != 0;
            *turns = *turns || track->keys[i].rotation[k] != 0;
        }
}

static void write_track(animation_writer *w, uint32_t bone, const mmd_bone_track *track)
{
    bone_keys keys;
    bool moves, turns;
    find_motion(track, &moves, &turns);
    if (!(moves || turns) || !keys_init(w->builder, &keys, track->count)) {
        if (moves || turns)
            keys_finish(&keys);
        return;
    }
    copy_keys(track, &keys);
    w->late_tracks += keys.count == 0 || track->frames[track->count - 1] > FRAMES_MAX;
    if (keys.count > 1 && !is_linear(track))
        linearize(w->builder, &keys);
    if (keys.count > 0 && !w->builder->failed)
        write_keys(w, bone, &keys, moves, turns);
    keys_finish(&keys);
}

/* Returns whether a bone is the first of its name; only that one follows the track, as in MMD. */
static bool is_first(const mmd_model *model, uint32_t bone)
{
    for (uint32_t i = 0; i < bone; i++)
        if (memcmp(model->bone_key[i], model->bone_key[bone], sizeof model->bone_key[i]) == 0)
            return false;
    return true;
}

static void write_bones(animation_writer *w)
{
    for (uint32_t i = 0; i < w->model->bone_count && !w->builder->failed; i++) {
        const mmd_bone_track *track = mmd_motion_find_bone(w->motion, w->model->bone_key[i]);
        if (track && track->count > 0 && is_first(w->model, i))
            write_track(w, i, track);
    }
}

/* --------------------------------------------------------------- weights */

/* A morph target and its track. */
typedef struct weighted_target {
    uint32_t target;
    const mmd_morph_track *track;
} weighted_target;

static int compare_frames(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Lists the targets that have a track, each track once. */
static uint32_t list_weighted_targets(const animation_writer *w, weighted_target *list)
{
    const mmd_model *model = w->model;
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->morph_count; i++) {
        const mmd_morph_track *track =
            w->mesh->target_of_morph[i] < 0 ? NULL : mmd_motion_find_morph(w->motion, model->morph_key[i]);
        bool first = track != NULL;
        for (uint32_t k = 0; k < count && first; k++)
            first = list[k].track != track;
        if (first && track->count > 0)
            list[count++] = (weighted_target){(uint32_t)w->mesh->target_of_morph[i], track};
    }
    return count;
}

/* Returns all frames with a key, ascending and unique; release with mmd_free. */
static uint32_t *all_frames(const weighted_target *list, uint32_t count, uint32_t *frame_count)
{
    size_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += list[i].track->count;
    uint32_t *frames = mmd_alloc(total * sizeof *frames), stored = 0;
    *frame_count = 0;
    if (!frames)
        return NULL;
    total = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < list[i].track->count; k++)
            frames[total++] = list[i].track->frames[k];
    qsort(frames, total, sizeof *frames, compare_frames);
    for (size_t i = 0; i < total && frames[i] <= FRAMES_MAX; i++)
        if (stored == 0 || frames[stored - 1] != frames[i])
            frames[stored++] = frames[i];
    *frame_count = stored;
    return frames;
}

/* Returns the weight of a morph at a frame. */
static float weight_at(const mmd_morph_track *track, uint32_t frame, uint32_t *hint)
{
    int32_t at = mmd_key_search(track->frames, track->count, frame, hint);
    if (at < 0)
        return track->weights[0];
    if ((uint32_t)at + 1 == track->count || track->frames[at] == frame)
        return track->weights[at];
    float share = (float)(frame - track->frames[at]) / (float)(track->frames[at + 1] - track->frames[at]);
    return track->weights[at] + share * (track->weights[at + 1] - track->weights[at]);
}

/* Fills the weights of all targets, frame by frame. */
static void fill_weights(const weighted_target *list, uint32_t count, const uint32_t *frames,
                         uint32_t frame_count, uint32_t targets, float *values)
{
    memset(values, 0, (size_t)frame_count * targets * sizeof *values);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t hint = 0;
        for (uint32_t f = 0; f < frame_count; f++) {
            float weight = weight_at(list[i].track, frames[f], &hint);
            values[(size_t)f * targets + list[i].target] = isfinite(weight) ? weight : 0;
        }
    }
}

/* Writes the channel of weights; skipped when it would be too large. */
static void write_weights(animation_writer *w, const weighted_target *list, uint32_t count)
{
    uint32_t frame_count, targets = w->mesh->target_count;
    uint32_t *frames = all_frames(list, count, &frame_count);
    uint64_t numbers = (uint64_t)frame_count * targets;
    bool fits = numbers <= WEIGHTS_MAX;
    float *values = frames && fits ? mmd_alloc(numbers * sizeof *values) : NULL;
    w->builder->failed = w->builder->failed || !frames || (fits && !values);
    w->late_tracks += fits ? 0 : count;
    if (values && frame_count > 0) {
        fill_weights(list, count, frames, frame_count, targets, values);
        add_channel(w, w->mesh->node, "weights", times_of(w, frames, frame_count),
                    gltf_add_floats(w->builder, values, (uint32_t)numbers, "SCALAR", 0, false));
    }
    mmd_free(values);
    mmd_free(frames);
}

static void write_morphs(animation_writer *w)
{
    if (w->mesh->target_count == 0 || w->builder->failed)
        return;
    weighted_target *list = mmd_alloc(w->model->morph_count * sizeof *list);
    w->builder->failed = !list;
    uint32_t count = list ? list_weighted_targets(w, list) : 0;
    if (count > 0)
        write_weights(w, list, count);
    mmd_free(list);
}

/* ------------------------------------------------------------------- all */

/* Adds the animation to the file, unless it is empty. */
static void finish(animation_writer *w, json_t *animation)
{
    bool empty = json_array_size(w->channels) == 0;
    if (!w->builder->failed && !empty)
        gltf_append(w->builder, "animations", json_incref(animation));
    if (w->late_tracks > 0)
        gltf_count_loss(w->builder, MMD_LOSS_DROPPED, "animation.cut", "animation", "tracks", w->late_tracks);
    for (uint32_t i = 0; i < w->line_count; i++)
        mmd_free(w->lines[i].frames);
    mmd_free(w->lines);
    json_decref(animation);
}

void gltf_write_animation(const gltf_mesh_writer *mesh)
{
    assert(mesh);
    animation_writer w = {.mesh = mesh,
                          .builder = mesh->builder,
                          .model = mesh->model,
                          .motion = mesh->builder->job->input->motion};
    if (!w.motion || mesh->model->origin == MMD_ORIGIN_RAGDOLL || !mesh->model->bone_key)
        return;
    w.channels = json_array();
    w.samplers = json_array();
    json_t *animation =
        json_pack("{s:s, s:O, s:O}", "name", "motion", "channels", w.channels, "samplers", w.samplers);
    json_decref(w.channels);
    json_decref(w.samplers);
    if (!animation) {
        w.builder->failed = true;
        return;
    }
    write_bones(&w);
    write_morphs(&w);
    finish(&w, animation);
}
