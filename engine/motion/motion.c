/* Motions: tracks by name, keys by frame, and everything that is sampled without curves. */
#include "motion_internal.h"

#include "mmd/text.h"

#include <assert.h>
#include <string.h>

void mmd_motion_destroy(mmd_motion *motion)
{
    if (!motion)
        return;
    /* The motion itself lies in its arena. */
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

/* Index of the property key that holds at frame; -1 before the first. */
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
        /* Named twice in one key: the later one wins, as with keys. */
        for (uint32_t j = key->switch_count; j-- > 0;)
            if (same_name(&key->switches[j], name))
                return key->switches[j].on != 0;
    }
    return true;
}
