/*
 * Keys set and taken away, of bones and morphs in the same way. Tracks grow by
 * halves in the motion's arena, which gives nothing back until the motion
 * goes: what is left behind stays below three times what is there.
 */
#include "mmd/keying.h"

#include <assert.h>
#include <string.h>

enum { KEYS_MAX = 0x7fffffff, NO_PLACE = -1 };

mmd_curve mmd_default_curve(void)
{
    return (mmd_curve){20, 20, 107, 107};
}

/* A track of either kind: where its arrays are kept, and how large a value is. */
typedef struct any_track {
    uint32_t *count, *room, *total; /* total: keys of its kind in the motion */
    uint32_t **frames, **records;
    void *values; /* the address of a pointer to values */
    size_t size;
} any_track;

static any_track of_bone(mmd_motion *m, mmd_bone_track *t)
{
    return (any_track){.count = &t->count,
                       .room = &t->room,
                       .total = &m->bone_key_count,
                       .frames = &t->frames,
                       .records = &t->records,
                       .values = &t->keys,
                       .size = sizeof *t->keys};
}

static any_track of_morph(mmd_motion *m, mmd_morph_track *t)
{
    return (any_track){.count = &t->count,
                       .room = &t->room,
                       .total = &m->morph_key_count,
                       .frames = &t->frames,
                       .records = &t->records,
                       .values = &t->weights,
                       .size = sizeof *t->weights};
}

/* Pointers of any kind, by their bytes: bones' and morphs' values have types of their own. */
static unsigned char *values_of(const any_track *t)
{
    unsigned char *values;
    memcpy(&values, t->values, sizeof values);
    return values;
}

/* Place of the last key at this very frame. */
static int32_t place_at(const uint32_t *frames, uint32_t count, uint32_t frame)
{
    int32_t place = count ? mmd_key_search(frames, count, (double)frame, NULL) : NO_PLACE;
    return place >= 0 && frames[place] == frame ? place : NO_PLACE;
}

/* Room for another key, and records even where none was known. False: out of memory, and all is as it was. */
static bool make_room(mmd_motion *m, const any_track *t)
{
    uint32_t count = *t->count, room = *t->room > count ? *t->room : count + count / 2 + 4;
    if (*t->room > count && *t->records)
        return true;
    uint32_t *frames = mmd_arena_alloc(&m->arena, room, sizeof *frames);
    uint32_t *records = mmd_arena_alloc(&m->arena, room, sizeof *records);
    unsigned char *values = mmd_arena_alloc(&m->arena, room, t->size);
    if (!frames || !records || !values)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        frames[i] = (*t->frames)[i];
        records[i] = *t->records ? (*t->records)[i] : MMD_NO_RECORD;
    }
    if (count)
        memcpy(values, values_of(t), count * t->size);
    *t->frames = frames;
    *t->records = records;
    memcpy(t->values, &values, sizeof values);
    *t->room = room;
    return true;
}

static mmd_status no_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
}

static mmd_status insert_key(mmd_motion *m, const any_track *t, uint32_t frame, uint32_t record,
                             const void *value, mmd_error *error)
{
    if (*t->total >= KEYS_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET, "more than %d keys", (int)KEYS_MAX);
    if (!make_room(m, t))
        return no_memory(error);
    uint32_t count = *t->count, place = 0;
    if (count)
        place = (uint32_t)(mmd_key_search(*t->frames, count, (double)frame, NULL) + 1);
    uint32_t behind = count - place;
    unsigned char *values = values_of(t) + place * t->size;
    memmove(*t->frames + place + 1, *t->frames + place, behind * sizeof frame);
    memmove(*t->records + place + 1, *t->records + place, behind * sizeof record);
    memmove(values + t->size, values, behind * t->size);
    (*t->frames)[place] = frame;
    (*t->records)[place] = record;
    memcpy(values, value, t->size);
    ++*t->count;
    ++*t->total;
    m->last_frame = frame > m->last_frame ? frame : m->last_frame;
    return MMD_OK;
}

static mmd_status set_key(mmd_motion *m, const any_track *t, uint32_t frame, uint32_t record,
                          const void *value, bool *moved, mmd_error *error)
{
    int32_t place = place_at(*t->frames, *t->count, frame);
    if (place == NO_PLACE) {
        mmd_status status = insert_key(m, t, frame, record, value, error);
        *moved = *moved || status == MMD_OK;
        return status;
    }
    if (record != MMD_NO_RECORD && !*t->records) {
        if (!make_room(m, t))
            return no_memory(error);
        *moved = true;
    }
    memcpy(values_of(t) + (uint32_t)place * t->size, value, t->size);
    if (*t->records)
        (*t->records)[place] = record;
    return MMD_OK;
}

static uint32_t max_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The motion's end, after a key went. */
static uint32_t find_last_frame(const mmd_motion *m)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < m->bone_track_count; i++)
        if (m->bone_tracks[i].count)
            last = max_of(last, m->bone_tracks[i].frames[m->bone_tracks[i].count - 1]);
    for (uint32_t i = 0; i < m->morph_track_count; i++)
        if (m->morph_tracks[i].count)
            last = max_of(last, m->morph_tracks[i].frames[m->morph_tracks[i].count - 1]);
    if (m->camera_key_count)
        last = max_of(last, m->camera_keys[m->camera_key_count - 1].frame);
    if (m->light_key_count)
        last = max_of(last, m->light_keys[m->light_key_count - 1].frame);
    if (m->self_shadow_key_count)
        last = max_of(last, m->self_shadow_keys[m->self_shadow_key_count - 1].frame);
    if (m->property_key_count)
        last = max_of(last, m->property_keys[m->property_key_count - 1].frame);
    return last;
}

static bool remove_key(const any_track *t, uint32_t frame)
{
    int32_t found = place_at(*t->frames, *t->count, frame);
    if (found == NO_PLACE)
        return false;
    uint32_t place = (uint32_t)found, behind = *t->count - place - 1;
    unsigned char *values = values_of(t) + place * t->size;
    memmove(*t->frames + place, *t->frames + place + 1, behind * sizeof frame);
    memmove(values, values + t->size, behind * t->size);
    if (*t->records)
        memmove(*t->records + place, *t->records + place + 1, behind * sizeof **t->records);
    --*t->count;
    --*t->total;
    return true;
}

/* --- Bones --- */

static mmd_bone_track *bone_track(const mmd_motion *m, const uint8_t name[15])
{
    uint32_t i = 0;
    while (i < m->bone_track_count && memcmp(m->bone_tracks[i].name, name, 15) != 0)
        i++;
    return i < m->bone_track_count ? &m->bone_tracks[i] : NULL;
}

/* An empty one behind the others. NULL: out of memory. */
static mmd_bone_track *add_bone_track(mmd_motion *m, const uint8_t name[15])
{
    mmd_bone_track *made = mmd_arena_alloc(&m->arena, (size_t)m->bone_track_count + 1, sizeof *made);
    if (!made)
        return NULL;
    if (m->bone_track_count)
        memcpy(made, m->bone_tracks, m->bone_track_count * sizeof *made);
    m->bone_tracks = made;
    made += m->bone_track_count++;
    memcpy(made->name, name, sizeof made->name);
    return made;
}

static void drop_bone_track(mmd_motion *m, mmd_bone_track *t)
{
    mmd_bone_track *end = m->bone_tracks + --m->bone_track_count;
    memmove(t, t + 1, (size_t)(end - t) * sizeof *t);
}

bool mmd_motion_get_bone_key(const mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                             mmd_kept_bone_key *key)
{
    const mmd_bone_track *t = bone_track(motion, name);
    int32_t place = t ? place_at(t->frames, t->count, frame) : NO_PLACE;
    if (place == NO_PLACE)
        return false;
    *key =
        (mmd_kept_bone_key){.record = t->records ? t->records[place] : MMD_NO_RECORD, .key = t->keys[place]};
    return true;
}

mmd_status mmd_motion_set_bone_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                                   const mmd_kept_bone_key *key, bool *moved, mmd_error *error)
{
    bool ignored = false;
    mmd_bone_track *t = bone_track(motion, name);
    t = t ? t : add_bone_track(motion, name);
    if (!t)
        return no_memory(error);
    const any_track any = of_bone(motion, t);
    mmd_status status = set_key(motion, &any, frame, key->record, &key->key, moved ? moved : &ignored, error);
    if (!t->count)
        drop_bone_track(motion, t);
    return status;
}

bool mmd_motion_remove_bone_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame, bool *moved)
{
    mmd_bone_track *t = bone_track(motion, name);
    const any_track any = t ? of_bone(motion, t) : (any_track){0};
    if (!t || !remove_key(&any, frame))
        return false;
    if (!t->count)
        drop_bone_track(motion, t);
    motion->last_frame = find_last_frame(motion);
    if (moved)
        *moved = true;
    return true;
}

/* --- Morphs --- */

static mmd_morph_track *morph_track(const mmd_motion *m, const uint8_t name[15])
{
    uint32_t i = 0;
    while (i < m->morph_track_count && memcmp(m->morph_tracks[i].name, name, 15) != 0)
        i++;
    return i < m->morph_track_count ? &m->morph_tracks[i] : NULL;
}

static mmd_morph_track *add_morph_track(mmd_motion *m, const uint8_t name[15])
{
    mmd_morph_track *made = mmd_arena_alloc(&m->arena, (size_t)m->morph_track_count + 1, sizeof *made);
    if (!made)
        return NULL;
    if (m->morph_track_count)
        memcpy(made, m->morph_tracks, m->morph_track_count * sizeof *made);
    m->morph_tracks = made;
    made += m->morph_track_count++;
    memcpy(made->name, name, sizeof made->name);
    return made;
}

static void drop_morph_track(mmd_motion *m, mmd_morph_track *t)
{
    mmd_morph_track *end = m->morph_tracks + --m->morph_track_count;
    memmove(t, t + 1, (size_t)(end - t) * sizeof *t);
}

bool mmd_motion_get_morph_key(const mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                              uint32_t *record, float *weight)
{
    const mmd_morph_track *t = morph_track(motion, name);
    int32_t place = t ? place_at(t->frames, t->count, frame) : NO_PLACE;
    if (place == NO_PLACE)
        return false;
    *record = t->records ? t->records[place] : MMD_NO_RECORD;
    *weight = t->weights[place];
    return true;
}

mmd_status mmd_motion_set_morph_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                                    uint32_t record, float weight, bool *moved, mmd_error *error)
{
    bool ignored = false;
    mmd_morph_track *t = morph_track(motion, name);
    t = t ? t : add_morph_track(motion, name);
    if (!t)
        return no_memory(error);
    const any_track any = of_morph(motion, t);
    mmd_status status = set_key(motion, &any, frame, record, &weight, moved ? moved : &ignored, error);
    if (!t->count)
        drop_morph_track(motion, t);
    return status;
}

bool mmd_motion_remove_morph_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame, bool *moved)
{
    mmd_morph_track *t = morph_track(motion, name);
    const any_track any = t ? of_morph(motion, t) : (any_track){0};
    if (!t || !remove_key(&any, frame))
        return false;
    if (!t->count)
        drop_morph_track(motion, t);
    motion->last_frame = find_last_frame(motion);
    if (moved)
        *moved = true;
    return true;
}
