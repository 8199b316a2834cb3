/*
 * Keys set and taken away, of all sections in the same way. Arrays grow by
 * halves in the motion's arena, which gives nothing back until the motion
 * goes: what is left behind stays below three times what is there. A track
 * that lost its last key waits behind the others with its memory for the next
 * one that is new.
 */
#include <assert.h>
#include <string.h>

#include "mmd/keying.h"
#include "mmd_arena.h"

/* ------------------------------------------------------------------- tracks */

/* Keys of bones and of morphs alone: rows by their names. */

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

/* --------------------------------------------------------------------- keys */

enum { KEYS_MAX = 0x7fffffff, NO_PLACE = -1 };

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

mmd_curve *mmd_key_curves(mmd_key_kind kind, mmd_kept_key *key, uint32_t *count)
{
    assert(key && count);
    *count = kind == MMD_KEY_BONE ? 4 : kind == MMD_KEY_CAMERA ? MMD_CAMERA_CHANNELS : 0;
    return kind == MMD_KEY_BONE ? key->as.bone.curve : kind == MMD_KEY_CAMERA ? key->as.camera.curve : NULL;
}

/* --- Arrays of keys --- */

/* Keys of a row: where its arrays are kept, and how large a value is. */
typedef struct key_array {
    uint32_t *count, *room, *total; /* total: keys of the kind in the motion; NULL: as many */
    uint32_t **frames, **records;   /* NULL: each value begins with them */
    void *values;                   /* the address of a pointer to values */
    size_t size;
} key_array;

/* Pointers of any kind, by their bytes: values have types of their own. */
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

/* How many keys are at or before a frame. */
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

/* Place of the last key at this very frame. */
static int64_t index_at(const key_array *a, uint32_t frame)
{
    uint32_t behind = count_until(a, frame);
    return behind && frame_at(a, behind - 1) == frame ? (int64_t)behind - 1 : NO_PLACE;
}

static void get_value(const key_array *a, uint32_t index, mmd_kept_key *key)
{
    memset(key, 0, sizeof *key);
    memcpy(&key->as, value_at(a, index), a->size);
    key->record = record_at(a, index);
}

static void put_value(const key_array *a, uint32_t index, uint32_t frame, const mmd_kept_key *key)
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

/* Frames and records of a track into larger arrays. False: out of memory. */
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

/* Room for another key, and records even where none was known. False: out of memory, and all is as it was. */
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

/* Makes a hole at a place, or closes it. */
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

static mmd_status insert_key(mmd_motion *m, const key_array *a, uint32_t frame, const mmd_kept_key *key,
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

static bool remove_key(const key_array *a, uint32_t frame)
{
    int64_t index = index_at(a, frame);
    if (index == NO_PLACE)
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

/* Tracks of either kind: all that is done to them is done to their bytes. */
typedef struct track_list {
    uint32_t *count, *room;
    void *tracks; /* the address of a pointer to tracks */
    size_t size;
} track_list;

static track_list list_of(mmd_motion *m, mmd_key_kind kind)
{
    if (kind == MMD_KEY_BONE)
        return (track_list){&m->bone_track_count, &m->bone_track_room, &m->bone_tracks,
                            sizeof *m->bone_tracks};
    return (track_list){&m->morph_track_count, &m->morph_track_room, &m->morph_tracks,
                        sizeof *m->morph_tracks};
}

/* An empty one behind the others, with what memory one that went has left. NULL: out of memory. */
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

/* The array of a row that no track has. */
static key_array of_section(mmd_motion *m, mmd_key_kind kind)
{
    switch (kind) {
    case MMD_KEY_CAMERA:
        return (key_array){.count = &m->camera_key_count,
                           .room = &m->camera_room,
                           .values = &m->camera_keys,
                           .size = sizeof *m->camera_keys};
    case MMD_KEY_LIGHT:
        return (key_array){.count = &m->light_key_count,
                           .room = &m->light_room,
                           .values = &m->light_keys,
                           .size = sizeof *m->light_keys};
    case MMD_KEY_SELF_SHADOW:
        return (key_array){.count = &m->self_shadow_key_count,
                           .room = &m->self_shadow_room,
                           .values = &m->self_shadow_keys,
                           .size = sizeof *m->self_shadow_keys};
    default:
        assert(kind == MMD_KEY_PROPERTY);
        return (key_array){.count = &m->property_key_count,
                           .room = &m->property_room,
                           .values = &m->property_keys,
                           .size = sizeof *m->property_keys};
    }
}

/* False: the row has no track. */
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

/* The same with a new track where there is none. False: out of memory. */
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

/* A track without keys goes. */
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

/* Reading asks the same as writing, and writes nothing. */
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

bool mmd_motion_get_key(const mmd_motion *motion, const mmd_key_row *row, uint32_t frame, mmd_kept_key *key)
{
    assert(row);
    key_array a;
    int64_t index = look_up(motion, row, &a) ? index_at(&a, frame) : NO_PLACE;
    if (index == NO_PLACE)
        return false;
    get_value(&a, (uint32_t)index, key);
    return true;
}

/* Switches of a key as the motion's own, which those are that it gave before: what takes an edit back needs
 * no memory for them. False: out of memory. */
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

static mmd_status replace_key(mmd_motion *m, const key_array *a, uint32_t index, uint32_t frame,
                              const mmd_kept_key *key, bool *moved, mmd_error *error)
{
    if (key->record != MMD_NO_RECORD && a->records && !*a->records) {
        if (!make_room(m, a))
            return no_memory(error);
        *moved = true;
    }
    put_value(a, index, frame, key);
    return MMD_OK;
}

static mmd_status write_key(mmd_motion *m, const mmd_key_row *row, uint32_t frame, const mmd_kept_key *key,
                            bool replaces, bool *moved, mmd_error *error)
{
    bool ignored = false;
    key_array a;
    mmd_kept_key own = *key;
    moved = moved ? moved : &ignored;
    if (!open_row(m, row, &a))
        return no_memory(error);
    int64_t index = replaces ? index_at(&a, frame) : NO_PLACE;
    mmd_status status = MMD_OK;
    if (row->kind == MMD_KEY_PROPERTY && !own_switches(m, &own.as.property))
        status = no_memory(error);
    else if (index != NO_PLACE)
        status = replace_key(m, &a, (uint32_t)index, frame, &own, moved, error);
    else
        status = insert_key(m, &a, frame, &own, error);
    *moved = *moved || (index == NO_PLACE && status == MMD_OK);
    close_row(m, row);
    return status;
}

mmd_status mmd_motion_set_key(mmd_motion *motion, const mmd_key_row *row, uint32_t frame,
                              const mmd_kept_key *key, bool *moved, mmd_error *error)
{
    assert(motion && row && key);
    return write_key(motion, row, frame, key, true, moved, error);
}

mmd_status mmd_motion_add_key(mmd_motion *motion, const mmd_key_row *row, uint32_t frame,
                              const mmd_kept_key *key, bool *moved, mmd_error *error)
{
    assert(motion && row && key);
    return write_key(motion, row, frame, key, false, moved, error);
}

static uint32_t last_of(const key_array *a, uint32_t last)
{
    uint32_t own = *a->count ? frame_at(a, *a->count - 1) : 0;
    return own > last ? own : last;
}

/* The motion's end, after a key went. */
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
