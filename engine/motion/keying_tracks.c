/* Keys of bones and of morphs alone: rows by their names. */
#include <assert.h>

#include "mmd/keying.h"

bool mmd_motion_get_bone_key(const mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                             mmd_kept_bone_key *key)
{
    mmd_key_row row = mmd_key_row_of(MMD_KEY_BONE, name);
    mmd_kept_key kept;
    if (!mmd_motion_get_key(motion, &row, frame, &kept))
        return false;
    *key = (mmd_kept_bone_key){.record = kept.record, .key = kept.as.bone};
    return true;
}

mmd_status mmd_motion_set_bone_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                                   const mmd_kept_bone_key *key, bool *moved, mmd_error *error)
{
    assert(motion && key);
    mmd_key_row row = mmd_key_row_of(MMD_KEY_BONE, name);
    const mmd_kept_key kept = {.record = key->record, .as.bone = key->key};
    return mmd_motion_set_key(motion, &row, frame, &kept, moved, error);
}

bool mmd_motion_remove_bone_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame, bool *moved)
{
    assert(motion);
    mmd_key_row row = mmd_key_row_of(MMD_KEY_BONE, name);
    return mmd_motion_remove_key(motion, &row, frame, moved);
}

bool mmd_motion_get_morph_key(const mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                              uint32_t *record, float *weight)
{
    mmd_key_row row = mmd_key_row_of(MMD_KEY_MORPH, name);
    mmd_kept_key kept;
    if (!mmd_motion_get_key(motion, &row, frame, &kept))
        return false;
    *record = kept.record;
    *weight = kept.as.weight;
    return true;
}

mmd_status mmd_motion_set_morph_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                                    uint32_t record, float weight, bool *moved, mmd_error *error)
{
    assert(motion);
    mmd_key_row row = mmd_key_row_of(MMD_KEY_MORPH, name);
    const mmd_kept_key kept = {.record = record, .as.weight = weight};
    return mmd_motion_set_key(motion, &row, frame, &kept, moved, error);
}

bool mmd_motion_remove_morph_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame, bool *moved)
{
    assert(motion);
    mmd_key_row row = mmd_key_row_of(MMD_KEY_MORPH, name);
    return mmd_motion_remove_key(motion, &row, frame, moved);
}
