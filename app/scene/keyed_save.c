/*
 * A model's motion as one file. Where one motion moves it, that is written as
 * it is, untouched records byte for byte; where several do, as a dance and the
 * face's beside it, what each of them says counts for the rows that no later
 * one has, as when they are played.
 */
#include "keyed.h"

#include <assert.h>

#include "mmd/format.h"

/* Takes a row out of a motion. */
static void clear_row(mmd_motion *m, const mmd_key_row *row)
{
    for (uint32_t count = mmd_motion_count_keys(m, row); count > 0; count--)
        mmd_motion_remove_key(m, row, mmd_motion_key_frame(m, row, count - 1), NULL);
}

/* Records are those of another file: keys come without. */
static mmd_status add_key(mmd_motion *to, const mmd_key_row *row, uint32_t frame, mmd_kept_key *key,
                          mmd_error *error)
{
    key->record = MMD_NO_RECORD;
    return mmd_motion_add_key(to, row, frame, key, NULL, error);
}

static mmd_status take_bones(mmd_motion *to, const mmd_motion *from, mmd_error *error)
{
    mmd_status status = MMD_OK;
    for (uint32_t i = 0; i < from->bone_track_count; i++) {
        const mmd_bone_track *t = &from->bone_tracks[i];
        const mmd_key_row row = mmd_key_row_of(MMD_KEY_BONE, t->name);
        clear_row(to, &row);
        for (uint32_t k = 0; k < t->count && status == MMD_OK; k++) {
            mmd_kept_key key = {.as.bone = t->keys[k]};
            status = add_key(to, &row, t->frames[k], &key, error);
        }
    }
    return status;
}

static mmd_status take_morphs(mmd_motion *to, const mmd_motion *from, mmd_error *error)
{
    mmd_status status = MMD_OK;
    for (uint32_t i = 0; i < from->morph_track_count; i++) {
        const mmd_morph_track *t = &from->morph_tracks[i];
        const mmd_key_row row = mmd_key_row_of(MMD_KEY_MORPH, t->name);
        clear_row(to, &row);
        for (uint32_t k = 0; k < t->count && status == MMD_OK; k++) {
            mmd_kept_key key = {.as.weight = t->weights[k]};
            status = add_key(to, &row, t->frames[k], &key, error);
        }
    }
    return status;
}

/* Switches of all IK are one row. */
static mmd_status take_switches(mmd_motion *to, const mmd_motion *from, mmd_error *error)
{
    const mmd_key_row row = mmd_key_row_of(MMD_KEY_PROPERTY, NULL);
    mmd_status status = MMD_OK;
    if (from->property_key_count)
        clear_row(to, &row);
    for (uint32_t k = 0; k < from->property_key_count && status == MMD_OK; k++) {
        mmd_kept_key key = {.as.property = from->property_keys[k]};
        status = add_key(to, &row, from->property_keys[k].frame, &key, error);
    }
    return status;
}

/* The first as a copy, then what the others say over it. */
static mmd_status write_together(const odori_scene *s, size_t model, size_t count, mmd_buffer *out,
                                 mmd_error *error)
{
    mmd_motion *whole = NULL;
    mmd_status status = mmd_motion_copy(keyed_played(s, model, 0), &whole, error);
    for (size_t i = 1; i < count && status == MMD_OK; i++) {
        const mmd_motion *m = keyed_played(s, model, i);
        status = take_bones(whole, m, error);
        if (status == MMD_OK)
            status = take_morphs(whole, m, error);
        if (status == MMD_OK)
            status = take_switches(whole, m, error);
    }
    if (status == MMD_OK)
        status = mmd_vmd_write(whole, out, error);
    mmd_motion_destroy(whole);
    return status;
}

mmd_status keyed_write(const odori_scene *s, size_t model, mmd_buffer *out, mmd_error *error)
{
    size_t count = 0;
    while (keyed_played(s, model, count))
        count++;
    assert(count);
    return count > 1 ? write_together(s, model, count, out, error)
                     : mmd_vmd_write(keyed_played(s, model, 0), out, error);
}
