/*
 * Sets and removes keys of all sections in the same way. Arrays grow by half in the motion's arena, which
 * frees nothing until the motion is destroyed; abandoned arrays stay below three times the size of the
 * current ones. A track that lost its last key is moved behind the others, where a new track reuses its
 * memory.
 */
#include <assert.h>
#include <string.h>

#include "mmd/keying.h"
#include "mmd_arena.h"

/* ------------------------------------------------------------------- tracks */

/* The functions for bones and morphs, in terms of rows. */

bool mmd_motion_get_bone_key(const mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                             mmd_stored_bone_key *key)
{
    mmd_key_row row = mmd_key_row_of(MMD_KEY_BONE, name);
    mmd_stored_key stored;
    if (!mmd_motion_get_key(motion, &row, frame, &stored))
        return false;
    *key = (mmd_stored_bone_key){.record = stored.record, .key = stored.as.bone};
    return true;
}

mmd_status mmd_motion_set_bone_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                                   const mmd_stored_bone_key *key, bool *moved, mmd_error *error)
{
    assert(motion && key);
    mmd_key_row row = mmd_key_row_of(MMD_KEY_BONE, name);
    const mmd_stored_key stored = {.record = key->record, .as.bone = key->key};
    return mmd_motion_set_key(motion, &row, frame, &stored, moved, error);
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
    mmd_stored_key stored;
    if (!mmd_motion_get_key(motion, &row, frame, &stored))
        return false;
    *record = stored.record;
    *weight = stored.as.weight;
    return true;
}

mmd_status mmd_motion_set_morph_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                                    uint32_t record, float weight, bool *moved, mmd_error *error)
{
    assert(motion);
    mmd_key_row row = mmd_key_row_of(MMD_KEY_MORPH, name);
    const mmd_stored_key stored = {.record = record, .as.weight = weight};
    return mmd_motion_set_key(motion, &row, frame, &stored, moved, error);
}

bool mmd_motion_remove_morph_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame, bool *moved)
{
    assert(motion);
    mmd_key_row row = mmd_key_row_of(MMD_KEY_MORPH, name);
    return mmd_motion_remove_key(motion, &row, frame, moved);
}

/* --------------------------------------------------------------------- keys */

enum { KEYS_MAX = 0x7fffffff, NO_INDEX = -1 };

mmd_curve mmd_default_curve(void)
{
    return (mmd_curve){20, 20, 107, 107};
}

mmd_key_row mmd_key_row_of(mmd_key_kind kind, const uint8_t *name)
{
    mmd_key_row row = {.kind = kind};
    if (kind <= MMD_KEY_MORPH)
        memcpy(row.name, name, sizeof row.name);
    return row;
}

mmd_curve *mmd_key_curves(mmd_key_kind kind, mmd_stored_key *key, uint32_t *count)
{
    assert(key && count);
    *count = kind == MMD_KEY_BONE ? 4 : kind == MMD_KEY_CAMERA ? MMD_CAMERA_CHANNELS : 0;
    return kind == MMD_KEY_BONE ? key->as.bone.curve : kind == MMD_KEY_CAMERA ? key->as.camera.curve : NULL;
}

/* --- Arrays of keys --- */

/* The arrays of a row: their locations and the size of a value. It hides the differences between tracks and
 * sections. */
typedef struct key_array {
    uint32_t *count, *room, *total; /* total: number of keys of this kind in the motion; NULL: same as
                                       count */
    uint32_t **frames, **records;   /* NULL: each value begins with its frame and record */
    void *values;                   /* address of the pointer to the values */
    size_t size;
} key_array;

/* Returns the values. memcpy reads the pointer, because its type differs between kinds. */
static unsigned char *values_of(const key_array *a)
{
    unsigned char *values;
    memcpy(&values, a->values, sizeof values);
    return values;
}

static unsigned char *value_at(const key_array *a, uint32_t index)
{
    return values_of(a) + index * a->size;
}

/* Return the frame or the record number of a key, from the track's arrays or from the value itself. */
static uint32_t frame_at(const key_array *a, uint32_t index)
{
    uint32_t frame;
    if (a->frames)
        return (*a->frames)[index];
    memcpy(&frame, value_at(a, index), sizeof frame);
    return frame;
}

static uint32_t record_at(const key_array *a, uint32_t index)
{
    uint32_t record;
    if (a->records)
        return *a->records ? (*a->records)[index] : MMD_NO_RECORD;
    memcpy(&record, value_at(a, index) + sizeof record, sizeof record);
    return record;
}

/* Returns how many keys are at or before a frame. */
static uint32_t count_until(const key_array *a, uint32_t frame)
{
    uint32_t low = 0, high = *a->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (frame_at(a, middle) <= frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the index of the last key at exactly this frame, or NO_INDEX. */
static int64_t index_at(const key_array *a, uint32_t frame)
{
    uint32_t behind = count_until(a, frame);
    return behind && frame_at(a, behind - 1) == frame ? (int64_t)behind - 1 : NO_INDEX;
}

static void get_value(const key_array *a, uint32_t index, mmd_stored_key *key)
{
    memset(key, 0, sizeof *key);
    memcpy(&key->as, value_at(a, index), a->size);
    key->record = record_at(a, index);
}

/* Writes a key at an index, including frame and record. */
static void put_value(const key_array *a, uint32_t index, uint32_t frame, const mmd_stored_key *key)
{
    const uint32_t head[2] = {frame, key->record};
    memcpy(value_at(a, index), &key->as, a->size);
    if (!a->frames) {
        memcpy(value_at(a, index), head, sizeof head);
        return;
    }
    (*a->frames)[index] = frame;
    if (*a->records)
        (*a->records)[index] = key->record;
}

/* Moves frames and records of a track to larger arrays. Returns false when out of memory. */
static bool widen_heads(mmd_motion *m, const key_array *a, uint32_t room)
{
    uint32_t *frames = mmd_arena_alloc(&m->arena, room, sizeof *frames);
    uint32_t *records = mmd_arena_alloc(&m->arena, room, sizeof *records);
    if (!frames || !records)
        return false;
    for (uint32_t i = 0; i < *a->count; i++) {
        frames[i] = frame_at(a, i);
        records[i] = record_at(a, i);
    }
    *a->frames = frames;
    *a->records = records;
    return true;
}

/* Ensures capacity for one more key, and that records exist. Returns false, with nothing changed, when out of
 * memory. */
static bool make_room(mmd_motion *m, const key_array *a)
{
    uint32_t count = *a->count, room = *a->room > count ? *a->room : count + count / 2 + 4;
    if (*a->room > count && (!a->records || *a->records))
        return true;
    unsigned char *values = mmd_arena_alloc(&m->arena, room, a->size);
    if (!values || (a->frames && !widen_heads(m, a, room)))
        return false;
    if (count)
        memcpy(values, values_of(a), count * a->size);
    memcpy(a->values, &values, sizeof values);
    *a->room = room;
    return true;
}

static mmd_status no_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
}

/* Moves the keys from index `from` on to index `to`, to open or close a gap. */
static void shift(const key_array *a, uint32_t from, uint32_t to)
{
    uint32_t behind = *a->count - from;
    memmove(value_at(a, to), value_at(a, from), behind * a->size);
    if (!a->frames)
        return;
    memmove(*a->frames + to, *a->frames + from, behind * sizeof **a->frames);
    if (*a->records)
        memmove(*a->records + to, *a->records + from, behind * sizeof **a->records);
}

/* Inserts a key after all keys at or before its frame. */
static mmd_status insert_key(mmd_motion *m, const key_array *a, uint32_t frame, const mmd_stored_key *key,
                             mmd_error *error)
{
    if (*(a->total ? a->total : a->count) >= KEYS_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET, "more than %d keys", (int)KEYS_MAX);
    if (!make_room(m, a))
        return no_memory(error);
    uint32_t index = count_until(a, frame);
    shift(a, index, index + 1);
    put_value(a, index, frame, key);
    ++*a->count;
    if (a->total)
        ++*a->total;
    m->last_frame = frame > m->last_frame ? frame : m->last_frame;
    return MMD_OK;
}

/* Removes the last key at a frame. Returns false if there is none. */
static bool remove_key(const key_array *a, uint32_t frame)
{
    int64_t index = index_at(a, frame);
    if (index == NO_INDEX)
        return false;
    shift(a, (uint32_t)index + 1, (uint32_t)index);
    --*a->count;
    if (a->total)
        --*a->total;
    return true;
}

/* --- Tracks --- */

static mmd_bone_track *bone_track(const mmd_motion *m, const uint8_t name[15])
{
    uint32_t i = 0;
    while (i < m->bone_track_count && memcmp(m->bone_tracks[i].name, name, 15) != 0)
        i++;
    return i < m->bone_track_count ? &m->bone_tracks[i] : NULL;
}

static mmd_morph_track *morph_track(const mmd_motion *m, const uint8_t name[15])
{
    uint32_t i = 0;
    while (i < m->morph_track_count && memcmp(m->morph_tracks[i].name, name, 15) != 0)
        i++;
    return i < m->morph_track_count ? &m->morph_tracks[i] : NULL;
}

/* A list of tracks of either kind, handled as bytes. */
typedef struct track_list {
    uint32_t *count, *room;
    void *tracks; /* address of the pointer to the tracks */
    size_t size;
} track_list;

/* Returns the list of the tracks of bones or morphs. */
static track_list list_of(mmd_motion *m, mmd_key_kind kind)
{
    if (kind == MMD_KEY_BONE)
        return (track_list){&m->bone_track_count, &m->bone_track_capacity, &m->bone_tracks,
                            sizeof *m->bone_tracks};
    return (track_list){&m->morph_track_count, &m->morph_track_capacity, &m->morph_tracks,
                        sizeof *m->morph_tracks};
}

/* Appends an empty track, reusing the memory of a removed one. Returns NULL when out of memory. */
static void *add_track(mmd_motion *m, mmd_key_kind kind)
{
    track_list list = list_of(m, kind);
    unsigned char *tracks, *grown;
    memcpy(&tracks, list.tracks, sizeof tracks);
    if (*list.room <= *list.count) {
        uint32_t room = *list.count + *list.count / 2 + 4;
        grown = mmd_arena_alloc(&m->arena, room, list.size);
        if (!grown)
            return NULL;
        if (*list.count)
            memcpy(grown, tracks, *list.count * list.size);
        memcpy(list.tracks, &grown, sizeof grown);
        tracks = grown;
        *list.room = room;
    }
    return tracks + (*list.count)++ * list.size;
}

/* Removes a track from the list. It is moved behind the last one, so that add_track can reuse its arrays. */
static void drop_track(mmd_motion *m, mmd_key_kind kind, void *track)
{
    union {
        mmd_bone_track bone;
        mmd_morph_track morph;
    } gone;
    track_list list = list_of(m, kind);
    unsigned char *tracks, *at = track;
    memcpy(&tracks, list.tracks, sizeof tracks);
    unsigned char *last = tracks + --*list.count * list.size;
    memcpy(&gone, at, list.size);
    memmove(at, at + list.size, (size_t)(last - at));
    memcpy(last, &gone, list.size);
}

/* Return the arrays of a bone's or morph's track. */
static key_array of_bones(mmd_motion *m, mmd_bone_track *t)
{
    return (key_array){.count = &t->count,
                       .room = &t->room,
                       .total = &m->bone_key_count,
                       .frames = &t->frames,
                       .records = &t->records,
                       .values = &t->keys,
                       .size = sizeof *t->keys};
}

static key_array of_morphs(mmd_motion *m, mmd_morph_track *t)
{
    return (key_array){.count = &t->count,
                       .room = &t->room,
                       .total = &m->morph_key_count,
                       .frames = &t->frames,
                       .records = &t->records,
                       .values = &t->weights,
                       .size = sizeof *t->weights};
}

/* --- Rows --- */

/* Returns the array of a section that has no tracks. */
static key_array of_section(mmd_motion *m, mmd_key_kind kind)
{
    switch (kind) {
    case MMD_KEY_CAMERA:
        return (key_array){.count = &m->camera_key_count,
                           .room = &m->camera_capacity,
                           .values = &m->camera_keys,
                           .size = sizeof *m->camera_keys};
    case MMD_KEY_LIGHT:
        return (key_array){.count = &m->light_key_count,
                           .room = &m->light_capacity,
                           .values = &m->light_keys,
                           .size = sizeof *m->light_keys};
    case MMD_KEY_SELF_SHADOW:
        return (key_array){.count = &m->self_shadow_key_count,
                           .room = &m->self_shadow_capacity,
                           .values = &m->self_shadow_keys,
                           .size = sizeof *m->self_shadow_keys};
    default:
        assert(kind == MMD_KEY_PROPERTY);
        return (key_array){.count = &m->property_key_count,
                           .room = &m->property_capacity,
                           .values = &m->property_keys,
                           .size = sizeof *m->property_keys};
    }
}

/* Finds the array of a row. Returns false if it has no track. */
static bool find_row(mmd_motion *m, const mmd_key_row *row, key_array *a)
{
    if (row->kind == MMD_KEY_BONE) {
        mmd_bone_track *t = bone_track(m, row->name);
        if (t)
            *a = of_bones(m, t);
        return t != NULL;
    }
    if (row->kind == MMD_KEY_MORPH) {
        mmd_morph_track *t = morph_track(m, row->name);
        if (t)
            *a = of_morphs(m, t);
        return t != NULL;
    }
    *a = of_section(m, row->kind);
    return true;
}

/* Finds the array of a row, adding a track if there is none. Returns false when out of memory. */
static bool open_row(mmd_motion *m, const mmd_key_row *row, key_array *a)
{
    if (find_row(m, row, a))
        return true;
    void *track = add_track(m, row->kind);
    if (!track)
        return false;
    memcpy(row->kind == MMD_KEY_BONE ? ((mmd_bone_track *)track)->name : ((mmd_morph_track *)track)->name,
           row->name, sizeof row->name);
    return find_row(m, row, a);
}

/* Removes the row's track if it has no keys. */
static void close_row(mmd_motion *m, const mmd_key_row *row)
{
    if (row->kind == MMD_KEY_BONE) {
        mmd_bone_track *t = bone_track(m, row->name);
        if (t && !t->count)
            drop_track(m, row->kind, t);
    } else if (row->kind == MMD_KEY_MORPH) {
        mmd_morph_track *t = morph_track(m, row->name);
        if (t && !t->count)
            drop_track(m, row->kind, t);
    }
}

/*
 * Finds the array of a row for reading. The cast away from const is safe, because find_row changes nothing.
 */
static bool look_up(const mmd_motion *m, const mmd_key_row *row, key_array *a)
{
    mmd_motion *same;
    memcpy(&same, &m, sizeof same);
    return find_row(same, row, a);
}

uint32_t mmd_motion_count_keys(const mmd_motion *motion, const mmd_key_row *row)
{
    assert(row);
    key_array a;
    return look_up(motion, row, &a) ? *a.count : 0;
}

uint32_t mmd_motion_key_frame(const mmd_motion *motion, const mmd_key_row *row, uint32_t index)
{
    assert(row);
    key_array a;
    bool found = look_up(motion, row, &a);
    assert(found && index < *a.count);
    return found ? frame_at(&a, index) : 0;
}

bool mmd_motion_get_key(const mmd_motion *motion, const mmd_key_row *row, uint32_t frame, mmd_stored_key *key)
{
    assert(row);
    key_array a;
    int64_t index = look_up(motion, row, &a) ? index_at(&a, frame) : NO_INDEX;
    if (index == NO_INDEX)
        return false;
    get_value(&a, (uint32_t)index, key);
    return true;
}

/* Copies the switches of a key to the motion's arena, unless they come from there: undoing an edit thus needs
 * no memory. Returns false when out of memory. */
static bool own_switches(mmd_motion *m, mmd_property_key *key)
{
    if (!key->switch_count || mmd_arena_has(&m->arena, key->switches))
        return true;
    mmd_ik_switch *own = mmd_arena_alloc(&m->arena, key->switch_count, sizeof *own);
    if (!own)
        return false;
    memcpy(own, key->switches, key->switch_count * sizeof *own);
    key->switches = own;
    return true;
}

/* Replaces a key. If the track has no records yet and the key has one, they are allocated first. */
static mmd_status replace_key(mmd_motion *m, const key_array *a, uint32_t index, uint32_t frame,
                              const mmd_stored_key *key, bool *moved, mmd_error *error)
{
    if (key->record != MMD_NO_RECORD && a->records && !*a->records) {
        if (!make_room(m, a))
            return no_memory(error);
        *moved = true;
    }
    put_value(a, index, frame, key);
    return MMD_OK;
}

/* Sets or adds a key. close_row removes a track that was added before a failure. */
static mmd_status write_key(mmd_motion *m, const mmd_key_row *row, uint32_t frame, const mmd_stored_key *key,
                            bool replaces, bool *moved, mmd_error *error)
{
    bool ignored = false;
    key_array a;
    mmd_stored_key own = *key;
    moved = moved ? moved : &ignored;
    if (!open_row(m, row, &a))
        return no_memory(error);
    int64_t index = replaces ? index_at(&a, frame) : NO_INDEX;
    mmd_status status = MMD_OK;
    if (row->kind == MMD_KEY_PROPERTY && !own_switches(m, &own.as.property))
        status = no_memory(error);
    else if (index != NO_INDEX)
        status = replace_key(m, &a, (uint32_t)index, frame, &own, moved, error);
    else
        status = insert_key(m, &a, frame, &own, error);
    *moved = *moved || (index == NO_INDEX && status == MMD_OK);
    close_row(m, row);
    return status;
}

mmd_status mmd_motion_set_key(mmd_motion *motion, const mmd_key_row *row, uint32_t frame,
                              const mmd_stored_key *key, bool *moved, mmd_error *error)
{
    assert(motion && row && key);
    return write_key(motion, row, frame, key, true, moved, error);
}

mmd_status mmd_motion_add_key(mmd_motion *motion, const mmd_key_row *row, uint32_t frame,
                              const mmd_stored_key *key, bool *moved, mmd_error *error)
{
    assert(motion && row && key);
    return write_key(motion, row, frame, key, false, moved, error);
}

/* Returns the larger of `last` and the last frame of an array. */
static uint32_t last_of(const key_array *a, uint32_t last)
{
    uint32_t own = *a->count ? frame_at(a, *a->count - 1) : 0;
    return own > last ? own : last;
}

/* Computes the motion's last frame after a key was removed. */
static uint32_t find_last_frame(mmd_motion *m)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < m->bone_track_count; i++) {
        key_array a = of_bones(m, &m->bone_tracks[i]);
        last = last_of(&a, last);
    }
    for (uint32_t i = 0; i < m->morph_track_count; i++) {
        key_array a = of_morphs(m, &m->morph_tracks[i]);
        last = last_of(&a, last);
    }
    for (int kind = MMD_KEY_CAMERA; kind < MMD_KEY_KINDS; kind++) {
        key_array a = of_section(m, (mmd_key_kind)kind);
        last = last_of(&a, last);
    }
    return last;
}

bool mmd_motion_remove_key(mmd_motion *motion, const mmd_key_row *row, uint32_t frame, bool *moved)
{
    assert(motion && row);
    key_array a;
    if (!find_row(motion, row, &a) || !remove_key(&a, frame))
        return false;
    close_row(motion, row);
    if (frame == motion->last_frame)
        motion->last_frame = find_last_frame(motion);
    if (moved)
        *moved = true;
    return true;
}
