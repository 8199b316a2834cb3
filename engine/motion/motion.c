/* Motions: finding tracks by name and keys by frame, and sampling of everything without curves. */
#include <assert.h>
#include <string.h>

#include "mmd/text.h"
#include "motion_internal.h"

/* ----------------------------------------------------------- searching keys */

/* Finding keys: binary search, and the two keys around a frame. */

static inline uint32_t frame_at(const void *frames, size_t stride, uint32_t i)
{
    return *(const uint32_t *)(const void *)((const char *)frames + stride * i);
}

/* Searches like mmd_key_search, for keys that start with their frame and lie stride bytes apart. frame must
 * not be NaN. */
static int32_t motion_search(const void *frames, size_t stride, uint32_t count, double frame)
{
    /* The result is between low - 1 and high - 1. */
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (frame_at(frames, stride, middle) <= frame)
            low = middle + 1;
        else
            high = middle;
    }
    return (int32_t)low - 1;
}

/* Returns whether key i is the last one at or before frame. */
static inline bool is_current(const uint32_t *frames, uint32_t count, uint32_t i, double frame)
{
    return i < count && frames[i] <= frame && (i + 1 == count || frames[i + 1] > frame);
}

int32_t mmd_key_search(const uint32_t *frames, uint32_t count, double frame, uint32_t *hint)
{
    assert(frames || count == 0);
    frame = motion_frame(frame);
    if (hint) {
        /* During playback the key is nearly always the last one or the next. */
        if (is_current(frames, count, *hint, frame))
            return (int32_t)*hint;
        if (*hint < count && is_current(frames, count, *hint + 1, frame))
            return (int32_t)++ * hint;
    }
    int32_t found = motion_search(frames, sizeof *frames, count, frame);
    if (hint && found >= 0)
        *hint = (uint32_t)found;
    return found;
}

bool motion_find_interval(const void *keys, size_t stride, uint32_t count, double frame,
                          motion_interval *interval)
{
    assert(interval);
    if (count == 0)
        return false;
    frame = motion_frame(frame);
    int32_t found = motion_search(keys, stride, count, frame);
    uint32_t earlier = found < 0 ? 0 : (uint32_t)found;
    *interval = (motion_interval){.earlier = earlier, .later = earlier};
    if (found < 0 || earlier + 1 == count)
        return true;
    double a = frame_at(keys, stride, earlier);
    double b = frame_at(keys, stride, earlier + 1);
    if (frame > a) {
        interval->later = earlier + 1;
        interval->u = (float)((frame - a) / (b - a));
    }
    return true;
}

/* ------------------------------------------------------------------ motions */

void mmd_motion_destroy(mmd_motion *motion)
{
    if (!motion)
        return;
    /* The motion itself is in its arena. */
    mmd_arena arena = motion->arena;
    mmd_arena_finish(&arena);
}

const mmd_bone_track *mmd_motion_find_bone(const mmd_motion *motion, const uint8_t name[15])
{
    assert(motion);
    for (uint32_t i = 0; i < motion->bone_track_count; i++)
        if (memcmp(motion->bone_tracks[i].name, name, 15) == 0)
            return &motion->bone_tracks[i];
    return NULL;
}

const mmd_morph_track *mmd_motion_find_morph(const mmd_motion *motion, const uint8_t name[15])
{
    assert(motion);
    for (uint32_t i = 0; i < motion->morph_track_count; i++)
        if (memcmp(motion->morph_tracks[i].name, name, 15) == 0)
            return &motion->morph_tracks[i];
    return NULL;
}

mmd_light mmd_default_light(void)
{
    return (mmd_light){.color = {0.6f, 0.6f, 0.6f}, .direction = {-0.5f, -1.0f, 0.5f}};
}

mmd_self_shadow mmd_default_self_shadow(void)
{
    return (mmd_self_shadow){.mode = 1, .distance = 0.01125f};
}

bool mmd_motion_light(const mmd_motion *motion, double frame, mmd_light *value)
{
    assert(motion && value);
    const mmd_light_key *keys = motion->light_keys;
    motion_interval at;
    if (!motion_find_interval(keys, sizeof *keys, motion->light_key_count, frame, &at))
        return false;
    const mmd_light *a = &keys[at.earlier].value, *b = &keys[at.later].value;
    for (int i = 0; i < 3; i++) {
        value->color[i] = motion_mix(a->color[i], b->color[i], at.u);
        value->direction[i] = motion_mix(a->direction[i], b->direction[i], at.u);
    }
    return true;
}

bool mmd_motion_self_shadow(const mmd_motion *motion, double frame, mmd_self_shadow *value)
{
    assert(motion);
    const mmd_self_shadow_key *keys = motion->self_shadow_keys;
    motion_interval at;
    if (!motion_find_interval(keys, sizeof *keys, motion->self_shadow_key_count, frame, &at))
        return false;
    const mmd_self_shadow *a = &keys[at.earlier].value, *b = &keys[at.later].value;
    *value = (mmd_self_shadow){.mode = a->mode, .distance = motion_mix(a->distance, b->distance, at.u)};
    return true;
}

/* Returns the index of the property key that applies at frame; -1 before the first. */
static int32_t find_property(const mmd_motion *motion, double frame)
{
    return motion_search(motion->property_keys, sizeof *motion->property_keys, motion->property_key_count,
                         motion_frame(frame));
}

bool mmd_motion_visible(const mmd_motion *motion, double frame)
{
    assert(motion);
    int32_t i = find_property(motion, frame);
    return i < 0 || motion->property_keys[i].visible != 0;
}

static bool same_name(const mmd_ik_switch *a, const uint8_t name[15])
{
    uint8_t key[MMD_NAME_KEY_SIZE];
    mmd_name_key_from_field(a->name, sizeof a->name, key);
    return memcmp(key, name, 15) == 0;
}

bool mmd_motion_ik_on(const mmd_motion *motion, const uint8_t name[15], double frame)
{
    assert(motion);
    for (int32_t i = find_property(motion, frame); i >= 0; i--) {
        const mmd_property_key *key = &motion->property_keys[i];
        /* If a name occurs twice, the later switch applies, as with keys. */
        for (uint32_t j = key->switch_count; j-- > 0;)
            if (same_name(&key->switches[j], name))
                return key->switches[j].on != 0;
    }
    return true;
}
