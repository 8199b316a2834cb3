/* Clips: motions bound to a model by name, and their values at a frame. See docs/mmd.md 1.5 (names), 3.2
 * (curves), 3.3 (steps), 3.4 (fixed axis). */
#include <assert.h>
#include <string.h>

#include "mmd/pose.h"
#include "mmd/pose_parts.h"
#include "mmd/reduce.h"
#include "mmd/text.h"
#include "mmd_math.h"

typedef struct bound_bone {
    uint32_t bone;
    uint32_t hint;
    uint32_t count;
    const uint32_t *frames;
    const mmd_bone_key *keys;
} bound_bone;

typedef struct bound_morph {
    uint32_t morph;
    uint32_t hint;
    const mmd_morph_track *track;
} bound_morph;

typedef struct bound_ik {
    uint32_t bone;
    const mmd_motion *motion;
} bound_ik;

/* Tracks of motions with weights between 0 and 1, in the order in which they are mixed over what is bound
 * above. */
typedef struct bone_layer {
    bound_bone bound;
    float weight;
} bone_layer;

typedef struct morph_layer {
    bound_morph bound;
    float weight;
} morph_layer;

typedef struct bound_channel {
    const mmd_animation_channel *channel;
    uint32_t hint;
} bound_channel;

typedef struct bound_drift {
    mmd_drift drift;
    int32_t leader; /* index here of the nearest ancestor that drifts; -1 for none */
} bound_drift;

struct mmd_clip {
    const mmd_model *model;
    bound_bone *bones;
    uint32_t bone_count;
    bound_morph *morphs;
    uint32_t morph_count;
    bound_ik *iks;
    uint32_t ik_count;
    const mmd_motion *visibility; /* the last motion with property keys */
    bone_layer *bone_layers;      /* NULL without weights, and so are the morphs' */
    uint32_t bone_layer_count;
    morph_layer *morph_layers;
    uint32_t morph_layer_count;

    /* By bone and by morph: bits (1 << mmd_animated) of the components with animation channels. */
    uint8_t *keyed_bones, *keyed_morphs;
    bound_channel *channels;
    uint32_t channel_count;
    bound_drift *drifts;
    uint32_t drift_count;
    bool drifting;
    mmd_arena arena;
};

/* ---------------------------------------------------- animations and drifts */

/*
 * Other sources of movement: animations with keys at arbitrary times (glTF), and bones that drift at constant
 * velocity.
 *
 * Animations belong to the model, and motions override them: a component with motion keys ignores its
 * animation. A bone drifts in world space regardless of drifting ancestors, and its position at a frame is
 * computed directly from the frame.
 */

/* ----------------------------------------------------------- animations */

/* Returns the entry that records which components of a channel's target are keyed; NULL if the model has no
 * such target. */
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
    for (uint32_t i = count; i-- > 0;) /* backwards, so that the first binding stays */
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

/* Tests whether the bone or an ancestor drifts. Visits each bone of a parent cycle once. */
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

/* Computes the displacement of a drifting bone from its rest position, in model space. */
static void displacement(const mmd_drift *drift, double seconds, mmd_transform *out)
{
    const float *w = drift->angular;
    double speed =
        sqrt((double)w[0] * (double)w[0] + (double)w[1] * (double)w[1] + (double)w[2] * (double)w[2]);
    double sine, cosine;
    mmd_sincos(0.5 * speed * seconds, &sine, &cosine);
    double factor = speed > 0.0 ? sine / speed : 0.0;
    float turned[3];
    for (int k = 0; k < 3; k++)
        out->rotation[k] = (float)(factor * (double)w[k]);
    out->rotation[3] = (float)cosine;
    quat_rotate(out->rotation, drift->center, turned);
    for (int k = 0; k < 3; k++)
        out->translation[k] =
            (float)((double)drift->center[k] + (double)drift->linear[k] * seconds - (double)turned[k]);
    out->translation[3] = 0.0f;
}

/* Computes the bone's local motion: what remains of its displacement after that of its leader, since nothing
 * moves between them. */
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

/* Applies animations and drifts at a frame to values at rest. */
static void clip_sample_animations(mmd_clip *clip, double frame, mmd_pose_values *values)
{
    assert(clip && values);
    for (uint32_t i = 0; i < clip->channel_count; i++)
        sample_channel(&clip->channels[i], frame / 30.0, values);
    if (!clip->drifting || !(frame > 0.0))
        return;
    for (uint32_t i = 0; i < clip->drift_count; i++)
        sample_drift(clip, &clip->drifts[i], frame / 30.0, &values->bones[clip->drifts[i].drift.bone]);
}

/* -------------------------------------------------------------------- clips */

/* ---- names to tracks: an open hash table over all motions; later motions win ---- */

typedef struct name_slot {
    const uint8_t *name; /* NULL for a free slot */
    const void *track;
    size_t motion; /* number of the track's motion */
} name_slot;

typedef struct name_table {
    name_slot *slots;
    uint32_t mask;
} name_table;

static uint32_t name_hash(const uint8_t name[15])
{
    uint32_t hash = 2166136261u; /* FNV-1a hash */
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

/* Returns the slot of a name, or the free slot for it. */
static name_slot *name_table_slot(const name_table *table, const uint8_t name[15])
{
    uint32_t i = name_hash(name) & table->mask;
    while (table->slots[i].name && memcmp(table->slots[i].name, name, 15) != 0)
        i = (i + 1) & table->mask;
    return &table->slots[i];
}

/*
 * Inserts a track. Names that CP932 cannot express are empty in a VMD and match nothing, so they are skipped.
 */
static void name_table_put(name_table *table, const uint8_t name[15], const void *track, size_t motion)
{
    if (name[0])
        *name_table_slot(table, name) = (name_slot){name, track, motion};
}

/* ---- binding ---- */

/*
 * Returns keys whose rotations are projected to rotations about the axis: v' = a |v| sign(a.v), w unchanged.
 */
static const mmd_bone_key *project_on_axis(mmd_clip *clip, const mmd_bone_track *track,
                                           const float axis_in_file[3])
{
    float axis[3] = {axis_in_file[0], axis_in_file[1], axis_in_file[2]};
    float length = length3(axis);
    if (!(length > 0.0f) || !isfinite(length))
        return track->keys;
    scale3(axis, 1.0f / length, axis);
    mmd_bone_key *keys = mmd_arena_alloc(&clip->arena, track->count, sizeof *keys);
    if (!keys)
        return NULL;
    memcpy(keys, track->keys, track->count * sizeof *keys);
    for (uint32_t i = 0; i < track->count; i++) {
        float *q = keys[i].rotation;
        float size = length3(q);
        float side = axis[0] * q[0] + axis[1] * q[1] + axis[2] * q[2];
        float scale = side < 0.0f ? -size : size;
        for (int k = 0; k < 3; k++)
            q[k] = axis[k] * scale;
    }
    return keys;
}

/* Binds a bone to its track, if there is one. Returns false when out of memory; *found says whether. */
static bool bind_bone(mmd_clip *clip, name_slot *slot, uint32_t bone, bound_bone *bound, bool *found)
{
    const mmd_model *model = clip->model;
    const mmd_bone_track *track = slot->track;
    *found = track && track->count > 0 && !model->bones[bone].internal;
    if (!*found)
        return true;
    slot->track = NULL; /* the first of several bones with one name gets the track */
    const mmd_bone_key *keys = track->keys;
    if (model->bones[bone].flags & MMD_BONE_FIXED_AXIS)
        keys = project_on_axis(clip, track, model->bones[bone].fixed_axis);
    *bound = (bound_bone){.bone = bone, .count = track->count, .frames = track->frames, .keys = keys};
    return keys != NULL;
}

/* base receives, by bone, the number of the motion that drives it plus 1; NULL if nobody asks. */
static bool bind_bones(mmd_clip *clip, const name_table *tracks, size_t *base)
{
    const mmd_model *model = clip->model;
    clip->bones = mmd_arena_alloc(&clip->arena, model->bone_count, sizeof *clip->bones);
    clip->keyed_bones = mmd_arena_alloc(&clip->arena, model->bone_count, sizeof *clip->keyed_bones);
    if (!clip->bones || !clip->keyed_bones)
        return false;
    for (uint32_t b = 0; b < model->bone_count; b++) {
        bool found;
        name_slot *slot = name_table_slot(tracks, model->bone_key[b]);
        if (!bind_bone(clip, slot, b, &clip->bones[clip->bone_count], &found))
            return false;
        if (!found)
            continue;
        clip->keyed_bones[b] = UINT8_MAX;
        clip->bone_count++;
        if (base)
            base[b] = slot->motion + 1;
    }
    return true;
}

/* Binds morphs. Every morph with a name follows its track. */
static bool bind_morphs(mmd_clip *clip, const name_table *tracks, size_t *base)
{
    const mmd_model *model = clip->model;
    clip->morphs = mmd_arena_alloc(&clip->arena, model->morph_count, sizeof *clip->morphs);
    clip->keyed_morphs = mmd_arena_alloc(&clip->arena, model->morph_count, sizeof *clip->keyed_morphs);
    if (!clip->morphs || !clip->keyed_morphs)
        return false;
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const name_slot *slot = name_table_slot(tracks, model->morph_key[m]);
        const mmd_morph_track *track = slot->track;
        if (!track || track->count == 0)
            continue;
        if (base)
            base[m] = slot->motion + 1;
        clip->keyed_morphs[m] = UINT8_MAX;
        clip->morphs[clip->morph_count++] = (bound_morph){.morph = m, .track = track};
    }
    return true;
}

/* Binds the IK switches. Only IK bones that some key names are bound, because mmd_motion_ik_on takes time
 * linear in the keys. */
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

/* Collects the names in IK switch keys, cut at 15 bytes. */
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
                name_table_put(table, name, motions[i], i);
            }
        }
    }
    return true;
}

/* Binds tracks that override what lies below them: those of all motions, or with weights those of weight 1.
 */
static bool bind_whole(mmd_clip *clip, const mmd_motion *const *motions, const float *weights,
                       size_t motion_count, size_t *bone_base, size_t *morph_base)
{
    name_table bones = {0}, morphs = {0};
    size_t bone_tracks = 0, morph_tracks = 0;
    for (size_t i = 0; i < motion_count; i++) {
        bone_tracks += motions[i]->bone_track_count;
        morph_tracks += motions[i]->morph_track_count;
    }
    bool done = name_table_init(&bones, bone_tracks) && name_table_init(&morphs, morph_tracks);
    for (size_t i = 0; done && i < motion_count; i++) {
        if (weights && weights[i] < 1.0f)
            continue;
        for (uint32_t t = 0; t < motions[i]->bone_track_count; t++)
            name_table_put(&bones, motions[i]->bone_tracks[t].name, &motions[i]->bone_tracks[t], i);
        for (uint32_t t = 0; t < motions[i]->morph_track_count; t++)
            name_table_put(&morphs, motions[i]->morph_tracks[t].name, &motions[i]->morph_tracks[t], i);
    }
    done = done && bind_bones(clip, &bones, bone_base) && bind_morphs(clip, &morphs, morph_base);
    mmd_free(bones.slots);
    mmd_free(morphs.slots);
    return done;
}

/* Binds IK switches and visibility. */
static bool bind_switches(mmd_clip *clip, const mmd_motion *const *motions, size_t motion_count)
{
    name_table switches = {0};
    uint8_t(*names)[15] = NULL;
    for (size_t i = 0; i < motion_count; i++)
        if (motions[i]->property_key_count)
            clip->visibility = motions[i];
    bool done = collect_switches(motions, motion_count, &switches, &names) && bind_iks(clip, &switches);
    mmd_free(names);
    mmd_free(switches.slots);
    return done;
}

/* ---- layers ---- */

/* Appends the tracks of one motion as layers, except for bones and morphs that a later motion of weight 1
 * drives. */
static bool add_layers(mmd_clip *clip, const mmd_motion *motion, size_t number, float weight,
                       const size_t *bone_base, const size_t *morph_base)
{
    name_table bones = {0}, morphs = {0};
    const mmd_model *model = clip->model;
    bool done = name_table_init(&bones, motion->bone_track_count) &&
                name_table_init(&morphs, motion->morph_track_count);
    for (uint32_t t = 0; done && t < motion->bone_track_count; t++)
        name_table_put(&bones, motion->bone_tracks[t].name, &motion->bone_tracks[t], number);
    for (uint32_t t = 0; done && t < motion->morph_track_count; t++)
        name_table_put(&morphs, motion->morph_tracks[t].name, &motion->morph_tracks[t], number);
    for (uint32_t b = 0; done && b < model->bone_count; b++) {
        bool found;
        bone_layer *layer = &clip->bone_layers[clip->bone_layer_count];
        done = bind_bone(clip, name_table_slot(&bones, model->bone_key[b]), b, &layer->bound, &found);
        layer->weight = weight;
        clip->bone_layer_count += found && bone_base[b] <= number;
    }
    for (uint32_t m = 0; done && m < model->morph_count; m++) {
        const mmd_morph_track *track = name_table_slot(&morphs, model->morph_key[m])->track;
        if (track && track->count > 0 && morph_base[m] <= number)
            clip->morph_layers[clip->morph_layer_count++] =
                (morph_layer){{.morph = m, .track = track}, weight};
    }
    mmd_free(bones.slots);
    mmd_free(morphs.slots);
    return done;
}

static bool is_layer(float weight)
{
    return weight > 0.0f && weight < 1.0f;
}

/* Binds motions with weights. chosen: scratch for motion_count motions. */
static bool bind_weighted(mmd_clip *clip, const mmd_motion *const *motions, const float *weights,
                          size_t motion_count, const mmd_motion **chosen, size_t *base)
{
    const mmd_model *model = clip->model;
    size_t *bone_base = base, *morph_base = base + model->bone_count, layers = 0, switched = 0;
    for (size_t i = 0; i < motion_count; i++) {
        layers += is_layer(weights[i]);
        if (weights[i] >= 0.5f)
            chosen[switched++] = motions[i];
    }
    /* One element more, because a layer is filled in before it is counted. */
    clip->bone_layers =
        mmd_arena_alloc(&clip->arena, layers * model->bone_count + 1, sizeof *clip->bone_layers);
    clip->morph_layers =
        mmd_arena_alloc(&clip->arena, layers * model->morph_count + 1, sizeof *clip->morph_layers);
    bool done = clip->bone_layers && clip->morph_layers &&
                bind_whole(clip, motions, weights, motion_count, bone_base, morph_base) &&
                bind_switches(clip, chosen, switched);
    for (size_t i = 0; done && i < motion_count; i++)
        done = !is_layer(weights[i]) || add_layers(clip, motions[i], i, weights[i], bone_base, morph_base);
    return done;
}

/* ---- creating ---- */

static mmd_clip *make_clip(const mmd_model *model)
{
    mmd_clip *clip = mmd_alloc(sizeof *clip);
    if (clip)
        *clip = (mmd_clip){.model = model, .drifting = true};
    return clip;
}

mmd_clip *mmd_clip_create(const mmd_model *model, const mmd_motion *const *motions, size_t motion_count)
{
    assert(model && (motions || motion_count == 0));
    mmd_clip *clip = make_clip(model);
    if (!clip || (bind_whole(clip, motions, NULL, motion_count, NULL, NULL) &&
                  bind_switches(clip, motions, motion_count)))
        return clip;
    mmd_clip_destroy(clip);
    return NULL;
}

mmd_clip *mmd_clip_create_weighted(const mmd_model *model, const mmd_motion *const *motions,
                                   const float *weights, size_t motion_count)
{
    assert(model && ((motions && weights) || motion_count == 0));
    size_t parts = model->bone_count + (size_t)model->morph_count;
    mmd_clip *clip = make_clip(model);
    const mmd_motion **chosen = mmd_alloc((motion_count + 1) * sizeof *chosen);
    size_t *base = mmd_alloc((parts + 1) * sizeof *base);
    bool done = clip && chosen && base;
    for (size_t i = 0; done && i < parts; i++)
        base[i] = 0;
    done = done && bind_weighted(clip, motions, weights, motion_count, chosen, base);
    mmd_free(chosen);
    mmd_free(base);
    if (done)
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

/* Returns the position of frame between two keys, 0..1, divided in single precision as in MMD. */
static float interval_place(const uint32_t *frames, int32_t i, double frame)
{
    return (float)(frame - (double)frames[i]) / (float)(frames[i + 1] - frames[i]);
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

/* Mixes the layers over the values of a frame. A motion leaves nodes unscaled, so it mixes their scale with
 * rest. */
static void sample_layers(mmd_clip *clip, double frame, mmd_pose_values *values)
{
    static const float no_scale[6] = {1.0f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < clip->bone_layer_count; i++) {
        bone_layer *layer = &clip->bone_layers[i];
        uint32_t bone = layer->bound.bone;
        mmd_transform value = {.translation = {0.0f}};
        uint8_t physics_off;
        sample_bone(&layer->bound, frame, &value, &physics_off);
        mmd_bone_value_mix(&values->bones[bone], &value, layer->weight);
        if (layer->weight >= 0.5f)
            values->physics_off[bone] = physics_off;
        for (int k = 0; values->scales && k < 6; k++)
            values->scales[bone][k] += (no_scale[k] - values->scales[bone][k]) * layer->weight;
    }
    for (uint32_t i = 0; i < clip->morph_layer_count; i++) {
        morph_layer *layer = &clip->morph_layers[i];
        float *weight = &values->weights[layer->bound.morph];
        *weight += (sample_morph(&layer->bound, frame) - *weight) * layer->weight;
    }
}

/*
 * Returns the frame that MMD computes while its clock shows this one, a number in single precision. The clock
 * counts milliseconds, and the frame is their number times 0.001 times 30, which may be a bit beside what it
 * shows. Whole frames, which MMD also shows when it stands still, stay as they are.
 */
static double clock_frame(double frame)
{
    double ms = nearbyint(frame / 0.03);
    bool shown = frame != nearbyint(frame) && (double)(float)frame == frame &&
                 fabs(frame - 0.03 * ms) < frame * 0x1p-22;
    return shown ? (double)((float)ms * 0.001f * 30.0f) : frame;
}

void mmd_clip_sample(mmd_clip *clip, double frame, mmd_pose_values *values)
{
    assert(clip && values);
    frame = clock_frame(frame);
    mmd_pose_values_reset(values, clip->model);
    clip_sample_animations(clip, frame, values);
    for (uint32_t i = 0; i < clip->bone_count; i++) {
        uint32_t bone = clip->bones[i].bone;
        sample_bone(&clip->bones[i], frame, &values->bones[bone], &values->physics_off[bone]);
    }
    for (uint32_t i = 0; i < clip->morph_count; i++)
        values->weights[clip->morphs[i].morph] = sample_morph(&clip->morphs[i], frame);
    if (clip->bone_layer_count || clip->morph_layer_count)
        sample_layers(clip, frame, values);
    for (uint32_t i = 0; i < clip->ik_count; i++) {
        const bound_ik *ik = &clip->iks[i];
        values->ik_on[ik->bone] = mmd_motion_ik_on(ik->motion, clip->model->bone_key[ik->bone], frame);
    }
    if (clip->visibility)
        values->visible = mmd_motion_visible(clip->visibility, frame);
}
