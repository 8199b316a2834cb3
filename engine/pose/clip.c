/*
 * Clips: motions bound to a model by name, and their values at a frame.
 * MMD.md 1.5 (names), 3.2 (curves), 3.3 (steps), 3.4 (fixed axis).
 */
#include "clip_internal.h"
#include "mmd/reduce.h"
#include "mmd/text.h"
#include "mmd_math.h"

#include <assert.h>
#include <string.h>

/* ---- names to tracks: an open hash table over all motions, later ones winning ---- */

typedef struct name_slot {
    const uint8_t *name; /* NULL: free */
    const void *track;
} name_slot;

typedef struct name_table {
    name_slot *slots;
    uint32_t mask;
} name_table;

static uint32_t name_hash(const uint8_t name[15])
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (int i = 0; i < 15; i++)
        hash = (hash ^ name[i]) * 16777619u;
    return hash ^ hash >> 15;
}

static bool name_table_init(name_table *table, size_t entries)
{
    uint32_t size = 16;
    while (size < 2 * entries)
        size *= 2;
    table->slots = mmd_alloc(size * sizeof *table->slots);
    if (!table->slots)
        return false;
    memset(table->slots, 0, size * sizeof *table->slots);
    table->mask = size - 1;
    return true;
}

/* The slot of a name: its own, or the free one where it would go. */
static name_slot *name_table_slot(const name_table *table, const uint8_t name[15])
{
    uint32_t i = name_hash(name) & table->mask;
    while (table->slots[i].name && memcmp(table->slots[i].name, name, 15) != 0)
        i = (i + 1) & table->mask;
    return &table->slots[i];
}

/* Names that CP932 cannot hold are empty in a VMD: those mean nobody. */
static void name_table_put(name_table *table, const uint8_t name[15], const void *track)
{
    if (name[0])
        *name_table_slot(table, name) = (name_slot){name, track};
}

/* ---- binding ---- */

/* Keys with rotations turned into turns about the axis: v' = a |v| sign(a.v), w kept. */
static const mmd_bone_key *project_on_axis(mmd_clip *clip, const mmd_bone_track *track,
                                           const float axis_in_file[3])
{
    float axis[3] = {axis_in_file[0], axis_in_file[1], axis_in_file[2]};
    float length = glm_vec3_norm(axis);
    if (!(length > 0.0f) || !isfinite(length))
        return track->keys;
    glm_vec3_scale(axis, 1.0f / length, axis);
    mmd_bone_key *keys = mmd_arena_alloc(&clip->arena, track->count, sizeof *keys);
    if (!keys)
        return NULL;
    memcpy(keys, track->keys, track->count * sizeof *keys);
    for (uint32_t i = 0; i < track->count; i++) {
        float *q = keys[i].rotation;
        float size = glm_vec3_norm(q);
        float side = axis[0] * q[0] + axis[1] * q[1] + axis[2] * q[2];
        float scale = side < 0.0f ? -size : size;
        for (int k = 0; k < 3; k++)
            q[k] = axis[k] * scale;
    }
    return keys;
}

static bool bind_bones(mmd_clip *clip, const name_table *tracks)
{
    const mmd_model *model = clip->model;
    clip->bones = mmd_arena_alloc(&clip->arena, model->bone_count, sizeof *clip->bones);
    clip->keyed_bones = mmd_arena_alloc(&clip->arena, model->bone_count, sizeof *clip->keyed_bones);
    if (!clip->bones || !clip->keyed_bones)
        return false;
    for (uint32_t b = 0; b < model->bone_count; b++) {
        name_slot *slot = name_table_slot(tracks, model->bone_key[b]);
        const mmd_bone_track *track = slot->track;
        if (!track || track->count == 0 || model->bones[b].internal)
            continue;
        slot->track = NULL; /* of several bones with one name the first takes it */
        const mmd_bone_key *keys = track->keys;
        if (model->bones[b].flags & MMD_BONE_FIXED_AXIS)
            keys = project_on_axis(clip, track, model->bones[b].fixed_axis);
        if (!keys)
            return false;
        clip->keyed_bones[b] = UINT8_MAX;
        clip->bones[clip->bone_count++] =
            (bound_bone){.bone = b, .count = track->count, .frames = track->frames, .keys = keys};
    }
    return true;
}

/* Every morph of a name follows its track. */
static bool bind_morphs(mmd_clip *clip, const name_table *tracks)
{
    const mmd_model *model = clip->model;
    clip->morphs = mmd_arena_alloc(&clip->arena, model->morph_count, sizeof *clip->morphs);
    clip->keyed_morphs = mmd_arena_alloc(&clip->arena, model->morph_count, sizeof *clip->keyed_morphs);
    if (!clip->morphs || !clip->keyed_morphs)
        return false;
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const mmd_morph_track *track = name_table_slot(tracks, model->morph_key[m])->track;
        if (!track || track->count == 0)
            continue;
        clip->keyed_morphs[m] = UINT8_MAX;
        clip->morphs[clip->morph_count++] = (bound_morph){.morph = m, .track = track};
    }
    return true;
}

/* Calls of mmd_motion_ik_on are linear in the keys, so only IK bones that some key names are bound. */
static bool bind_iks(mmd_clip *clip, const name_table *switches)
{
    const mmd_model *model = clip->model;
    clip->iks = mmd_arena_alloc(&clip->arena, model->bone_count, sizeof *clip->iks);
    if (!clip->iks)
        return false;
    for (uint32_t b = 0; b < model->bone_count; b++) {
        if (!(model->bones[b].flags & MMD_BONE_IK))
            continue;
        const mmd_motion *motion = name_table_slot(switches, model->bone_key[b])->track;
        if (motion)
            clip->iks[clip->ik_count++] = (bound_ik){b, motion};
    }
    return true;
}

/* Name keys of the IK switches, cut at 15 bytes, in one array. */
static bool collect_switches(const mmd_motion *const *motions, size_t motion_count, name_table *table,
                             uint8_t (**names)[15])
{
    size_t total = 0, next = 0;
    for (size_t i = 0; i < motion_count; i++)
        for (uint32_t k = 0; k < motions[i]->property_key_count; k++)
            total += motions[i]->property_keys[k].switch_count;
    *names = mmd_alloc((total + 1) * sizeof **names);
    if (!*names || !name_table_init(table, total))
        return false;
    for (size_t i = 0; i < motion_count; i++) {
        for (uint32_t k = 0; k < motions[i]->property_key_count; k++) {
            const mmd_property_key *key = &motions[i]->property_keys[k];
            for (uint32_t s = 0; s < key->switch_count; s++, next++) {
                uint8_t *name = (*names)[next];
                mmd_name_key_from_field(key->switches[s].name, sizeof key->switches[s].name, name);
                name_table_put(table, name, motions[i]);
            }
        }
    }
    return true;
}

static bool bind(mmd_clip *clip, const mmd_motion *const *motions, size_t motion_count)
{
    name_table bones = {0}, morphs = {0}, switches = {0};
    uint8_t(*switch_names)[15] = NULL;
    size_t bone_tracks = 0, morph_tracks = 0;
    for (size_t i = 0; i < motion_count; i++) {
        bone_tracks += motions[i]->bone_track_count;
        morph_tracks += motions[i]->morph_track_count;
        if (motions[i]->property_key_count)
            clip->visibility = motions[i];
    }
    bool done = name_table_init(&bones, bone_tracks) && name_table_init(&morphs, morph_tracks) &&
                collect_switches(motions, motion_count, &switches, &switch_names);
    for (size_t i = 0; done && i < motion_count; i++) {
        for (uint32_t t = 0; t < motions[i]->bone_track_count; t++)
            name_table_put(&bones, motions[i]->bone_tracks[t].name, &motions[i]->bone_tracks[t]);
        for (uint32_t t = 0; t < motions[i]->morph_track_count; t++)
            name_table_put(&morphs, motions[i]->morph_tracks[t].name, &motions[i]->morph_tracks[t]);
    }
    done = done && bind_bones(clip, &bones) && bind_morphs(clip, &morphs) && bind_iks(clip, &switches);
    mmd_free(switch_names);
    mmd_free(bones.slots);
    mmd_free(morphs.slots);
    mmd_free(switches.slots);
    return done;
}

mmd_clip *mmd_clip_create(const mmd_model *model, const mmd_motion *const *motions, size_t motion_count)
{
    assert(model && (motions || motion_count == 0));
    mmd_clip *clip = mmd_alloc(sizeof *clip);
    if (!clip)
        return NULL;
    *clip = (mmd_clip){.model = model, .drifting = true};
    if (bind(clip, motions, motion_count))
        return clip;
    mmd_clip_destroy(clip);
    return NULL;
}

void mmd_clip_destroy(mmd_clip *clip)
{
    if (!clip)
        return;
    mmd_arena_finish(&clip->arena);
    mmd_free(clip);
}

/* ---- sampling ---- */

static void copy_key(const mmd_bone_key *key, mmd_transform *out)
{
    memcpy(out->translation, key->translation, sizeof key->translation);
    quat_copy(key->rotation, out->rotation);
}

/* Where frame lies between two keys, 0..1. */
static float interval_place(const uint32_t *frames, int32_t i, double frame)
{
    return (float)((frame - (double)frames[i]) / ((double)frames[i + 1] - (double)frames[i]));
}

static void sample_bone(bound_bone *bound, double frame, mmd_transform *out, uint8_t *physics_off)
{
    int32_t i = mmd_key_search(bound->frames, bound->count, frame, &bound->hint);
    *physics_off = bound->keys[i < 0 ? 0 : i].physics_off;
    if (i < 0) {
        copy_key(&bound->keys[0], out);
        return;
    }
    const mmd_bone_key *key = &bound->keys[i];
    if ((uint32_t)i + 1 >= bound->count || (double)bound->frames[i] == frame)
        copy_key(key, out);
    else
        mmd_bone_key_between(key, key + 1, interval_place(bound->frames, i, frame), out);
}

static float sample_morph(bound_morph *bound, double frame)
{
    const mmd_morph_track *track = bound->track;
    int32_t i = mmd_key_search(track->frames, track->count, frame, &bound->hint);
    if (i < 0)
        return track->weights[0];
    if ((uint32_t)i + 1 >= track->count)
        return track->weights[i];
    float from = track->weights[i], to = track->weights[i + 1];
    return from == to ? from : from + (to - from) * interval_place(track->frames, i, frame);
}

void mmd_clip_sample(mmd_clip *clip, double frame, mmd_pose_values *values)
{
    assert(clip && values);
    mmd_pose_values_reset(values, clip->model);
    clip_sample_animations(clip, frame, values);
    for (uint32_t i = 0; i < clip->bone_count; i++) {
        uint32_t bone = clip->bones[i].bone;
        sample_bone(&clip->bones[i], frame, &values->bones[bone], &values->physics_off[bone]);
    }
    for (uint32_t i = 0; i < clip->morph_count; i++)
        values->weights[clip->morphs[i].morph] = sample_morph(&clip->morphs[i], frame);
    for (uint32_t i = 0; i < clip->ik_count; i++) {
        const bound_ik *ik = &clip->iks[i];
        values->ik_on[ik->bone] = mmd_motion_ik_on(ik->motion, clip->model->bone_key[ik->bone], frame);
    }
    if (clip->visibility)
        values->visible = mmd_motion_visible(clip->visibility, frame);
}
