/*
 * Reads VMD files (docs/mmd.md 1.3). A count that exceeds the remaining bytes means that the file was
 * truncated; the complete records are kept. Only a wrong magic, an incomplete header and a lack of memory are
 * errors.
 */
#include "vmd_records.h"
#include "mmd/cursor.h"

#include <assert.h>
#include <string.h>

typedef struct vmd_reader {
    mmd_cursor cursor;
    mmd_motion *motion;
    mmd_arena *arena;  /* the motion's arena */
    mmd_arena scratch; /* freed when the file has been read */
    bool over;         /* no further section follows */
} vmd_reader;

static void out_of_memory(vmd_reader *reader)
{
    mmd_cursor_fail(&reader->cursor, MMD_ERROR_MEMORY, "no memory for the records");
}

static void read_header(vmd_reader *reader)
{
    static const char magic[] = "Vocaloid Motion Data";
    static const char old[] = "Vocaloid Motion Data file";
    mmd_cursor *cursor = &reader->cursor;
    mmd_cursor_section(cursor, "header", -1);
    if (mmd_cursor_left(cursor) < sizeof magic - 1 || memcmp(cursor->data, magic, sizeof magic - 1) != 0) {
        mmd_cursor_fail(cursor, MMD_ERROR_MAGIC, "no `%s' at the start", magic);
        return;
    }
    const uint8_t *header = mmd_read_bytes(cursor, VMD_MAGIC_SIZE);
    if (!header)
        return;
    mmd_motion *motion = reader->motion;
    memcpy(motion->header, header, VMD_MAGIC_SIZE);
    motion->model_name_size = memcmp(header, old, sizeof old - 1) == 0 ? 10 : 20;
    const uint8_t *name = mmd_read_bytes(cursor, motion->model_name_size);
    if (name)
        memcpy(motion->model_name, name, motion->model_name_size);
}

/* Keeps the remaining bytes for the writer and stops reading. */
static void keep_trailing(vmd_reader *reader)
{
    size_t size = mmd_cursor_left(&reader->cursor);
    reader->over = true;
    if (size == 0)
        return;
    uint8_t *bytes = mmd_arena_alloc(reader->arena, size, 1);
    if (!bytes) {
        out_of_memory(reader);
        return;
    }
    memcpy(bytes, mmd_read_bytes(&reader->cursor, size), size);
    reader->motion->trailing = bytes;
    reader->motion->trailing_size = (uint32_t)size;
}

/* Reads the count of a section. Returns false if the section is missing. */
static bool read_count(vmd_reader *reader, int section, uint32_t *count)
{
    if (!mmd_cursor_ok(&reader->cursor) || reader->over)
        return false;
    size_t left = mmd_cursor_left(&reader->cursor);
    if (left < 4) {
        reader->over = true;
        reader->motion->cut = left > 0;
        return false;
    }
    *count = mmd_read_u32(&reader->cursor);
    reader->motion->section_count = (uint8_t)(section + 1);
    return true;
}

/* Copies the records of a section with fixed record size. Some programs write a count of 0 followed by one
 * record, which no other valid file looks like. */
static mmd_vmd_records read_records(vmd_reader *reader, int section)
{
    mmd_vmd_records records = {0};
    size_t size = vmd_record_size[section];
    if (!read_count(reader, section, &records.count))
        return records;
    size_t left = mmd_cursor_left(&reader->cursor);
    if (records.count == 0 && left == size && section >= VMD_CAMERA)
        keep_trailing(reader);
    if (records.count > left / size) {
        records.count = (uint32_t)(left / size);
        reader->motion->cut = reader->over = true;
    }
    if (records.count == 0)
        return records;
    uint8_t *bytes = mmd_arena_alloc(reader->arena, records.count, size);
    if (!bytes) {
        out_of_memory(reader);
        return (mmd_vmd_records){0};
    }
    memcpy(bytes, mmd_read_bytes(&reader->cursor, records.count * size), records.count * size);
    records.bytes = bytes;
    return records;
}

/* Records of one kind grouped by name: tracks, and the position of every record in them. */
typedef struct vmd_groups {
    vmd_names names;
    uint32_t *starts; /* names.count + 1 elements */
    uint64_t *slots;  /* one per record: frame and record number, grouped by track and ordered by frame */
} vmd_groups;

/* Assigns a track to every record. Most files are written track by track, or with the same tracks in turn, so
 * the track of the previous record and the one after it are tried before the tree. */
static void number_names(vmd_names *names, const mmd_vmd_records *records, size_t size, uint32_t *tracks)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < records->count; i++) {
        vmd_name name = vmd_name_load(records->bytes + i * size);
        uint32_t next = last + 1 < names->count ? last + 1 : 0;
        const vmd_name *known = names->names;
        if (names->count && known[last].low == name.low && known[last].high == name.high)
            tracks[i] = last;
        else if (names->count && known[next].low == name.low && known[next].high == name.high)
            tracks[i] = last = next;
        else
            tracks[i] = last = vmd_names_add(names, name);
    }
}

/* Counting sort by track, then sorts each track by frame. */
static void place_records(vmd_groups *groups, const mmd_vmd_records *records, size_t size,
                          const uint32_t *tracks, uint64_t *sort_room)
{
    uint32_t *starts = groups->starts, count = groups->names.count;
    /* Count two elements ahead, so that filling leaves every start at its final value. */
    for (uint32_t i = 0; i < records->count; i++)
        starts[tracks[i] + 2]++;
    for (uint32_t i = 2; i <= count + 1; i++)
        starts[i] += starts[i - 1];
    for (uint32_t i = 0; i < records->count; i++)
        groups->slots[starts[tracks[i] + 1]++] =
            vmd_pack(load_u32(records->bytes + i * size + VMD_NAME_SIZE), i);
    for (uint32_t i = 0; i < count; i++)
        vmd_sort(groups->slots + starts[i], sort_room, starts[i + 1] - starts[i]);
}

static bool group_records(vmd_reader *reader, const mmd_vmd_records *records, size_t size, vmd_groups *groups)
{
    mmd_arena *scratch = &reader->scratch;
    size_t count = records->count;
    uint32_t *tracks = mmd_arena_alloc(scratch, count, sizeof *tracks);
    uint64_t *sort_room = mmd_arena_alloc(scratch, count, sizeof *sort_room);
    groups->names.names = mmd_arena_alloc(scratch, count, sizeof *groups->names.names);
    groups->names.nodes = mmd_arena_alloc(scratch, count, sizeof *groups->names.nodes);
    groups->starts = mmd_arena_alloc(scratch, count + 2, sizeof *groups->starts);
    groups->slots = mmd_arena_alloc(scratch, count, sizeof *groups->slots);
    if (!tracks || !sort_room || !groups->names.names || !groups->names.nodes || !groups->starts ||
        !groups->slots) {
        out_of_memory(reader);
        return false;
    }
    number_names(&groups->names, records, size, tracks);
    place_records(groups, records, size, tracks, sort_room);
    return true;
}

/* Extracts frames and record numbers of all keys of a kind, track by track. */
static void unpack_slots(const vmd_groups *groups, uint32_t count, uint32_t *frames, uint32_t *numbers)
{
    for (uint32_t i = 0; i < count; i++) {
        frames[i] = (uint32_t)(groups->slots[i] >> 32);
        numbers[i] = (uint32_t)groups->slots[i];
    }
}

static uint32_t largest_frame(uint32_t largest, const uint32_t *frames, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        largest = frames[i] > largest ? frames[i] : largest;
    return largest;
}

static void read_bones(vmd_reader *reader)
{
    mmd_cursor_section(&reader->cursor, "bone", -1);
    mmd_motion *motion = reader->motion;
    vmd_groups groups = {0};
    motion->bone_records = read_records(reader, VMD_BONES);
    uint32_t count = motion->bone_records.count;
    if (!count || !group_records(reader, &motion->bone_records, vmd_record_size[VMD_BONES], &groups))
        return;
    uint32_t *frames = mmd_arena_alloc(reader->arena, count, sizeof *frames);
    uint32_t *numbers = mmd_arena_alloc(reader->arena, count, sizeof *numbers);
    mmd_bone_key *keys = mmd_arena_alloc(reader->arena, count, sizeof *keys);
    mmd_bone_track *tracks = mmd_arena_alloc(reader->arena, groups.names.count, sizeof *tracks);
    if (!frames || !numbers || !keys || !tracks) {
        out_of_memory(reader);
        return;
    }
    unpack_slots(&groups, count, frames, numbers);
    for (uint32_t i = 0; i < count; i++)
        vmd_bone_decode(motion->bone_records.bytes + numbers[i] * vmd_record_size[VMD_BONES], &keys[i]);
    for (uint32_t i = 0; i < groups.names.count; i++) {
        uint32_t start = groups.starts[i];
        tracks[i] = (mmd_bone_track){.count = groups.starts[i + 1] - start,
                                     .frames = frames + start,
                                     .keys = keys + start,
                                     .records = numbers + start};
        vmd_name_store(groups.names.names[i], tracks[i].name);
    }
    motion->bone_tracks = tracks;
    motion->bone_track_count = groups.names.count;
    motion->bone_key_count = count;
    motion->last_frame = largest_frame(motion->last_frame, frames, count);
}

static void read_morphs(vmd_reader *reader)
{
    mmd_cursor_section(&reader->cursor, "morph", -1);
    mmd_motion *motion = reader->motion;
    vmd_groups groups = {0};
    motion->morph_records = read_records(reader, VMD_MORPHS);
    uint32_t count = motion->morph_records.count;
    if (!count || !group_records(reader, &motion->morph_records, vmd_record_size[VMD_MORPHS], &groups))
        return;
    uint32_t *frames = mmd_arena_alloc(reader->arena, count, sizeof *frames);
    uint32_t *numbers = mmd_arena_alloc(reader->arena, count, sizeof *numbers);
    float *weights = mmd_arena_alloc(reader->arena, count, sizeof *weights);
    mmd_morph_track *tracks = mmd_arena_alloc(reader->arena, groups.names.count, sizeof *tracks);
    if (!frames || !numbers || !weights || !tracks) {
        out_of_memory(reader);
        return;
    }
    unpack_slots(&groups, count, frames, numbers);
    for (uint32_t i = 0; i < count; i++)
        weights[i] = vmd_morph_decode(motion->morph_records.bytes + numbers[i] * vmd_record_size[VMD_MORPHS]);
    for (uint32_t i = 0; i < groups.names.count; i++) {
        uint32_t start = groups.starts[i];
        tracks[i] = (mmd_morph_track){.count = groups.starts[i + 1] - start,
                                      .frames = frames + start,
                                      .weights = weights + start,
                                      .records = numbers + start};
        vmd_name_store(groups.names.names[i], tracks[i].name);
    }
    motion->morph_tracks = tracks;
    motion->morph_track_count = groups.names.count;
    motion->morph_key_count = count;
    motion->last_frame = largest_frame(motion->last_frame, frames, count);
}

/* Returns record numbers ordered by frame, for records that start with the frame. NULL if out of memory. */
static const uint64_t *sort_records(vmd_reader *reader, const uint8_t *const *starts, uint32_t count)
{
    uint64_t *slots = mmd_arena_alloc(&reader->scratch, count, sizeof *slots);
    uint64_t *room = mmd_arena_alloc(&reader->scratch, count, sizeof *room);
    if (!slots || !room) {
        out_of_memory(reader);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++)
        slots[i] = vmd_pack(load_u32(starts[i]), i);
    vmd_sort(slots, room, count);
    uint32_t last = (uint32_t)(slots[count - 1] >> 32);
    if (last > reader->motion->last_frame)
        reader->motion->last_frame = last;
    return slots;
}

/* A section of camera, light or self shadow: its records, memory for the keys, and their order. */
typedef struct vmd_sorted {
    mmd_vmd_records records;
    const uint64_t *slots;
    void *keys;
    size_t size;
} vmd_sorted;

static bool read_sorted(vmd_reader *reader, int section, size_t key_size, vmd_sorted *sorted)
{
    *sorted = (vmd_sorted){.records = read_records(reader, section), .size = vmd_record_size[section]};
    uint32_t count = sorted->records.count;
    if (!count)
        return false;
    const uint8_t **starts = mmd_arena_alloc(&reader->scratch, count, sizeof *starts);
    sorted->keys = mmd_arena_alloc(reader->arena, count, key_size);
    if (!starts || !sorted->keys) {
        out_of_memory(reader);
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        starts[i] = sorted->records.bytes + i * sorted->size;
    sorted->slots = sort_records(reader, starts, count);
    return sorted->slots != NULL;
}

static void read_camera(vmd_reader *reader)
{
    mmd_cursor_section(&reader->cursor, "camera", -1);
    vmd_sorted sorted;
    if (!read_sorted(reader, VMD_CAMERA, sizeof(mmd_camera_key), &sorted))
        return;
    mmd_camera_key *keys = sorted.keys;
    for (uint32_t i = 0; i < sorted.records.count; i++) {
        keys[i].record = (uint32_t)sorted.slots[i];
        vmd_camera_decode(sorted.records.bytes + keys[i].record * sorted.size, &keys[i]);
    }
    reader->motion->camera_records = sorted.records;
    reader->motion->camera_keys = keys;
    reader->motion->camera_key_count = sorted.records.count;
}

static void read_light(vmd_reader *reader)
{
    mmd_cursor_section(&reader->cursor, "light", -1);
    vmd_sorted sorted;
    if (!read_sorted(reader, VMD_LIGHT, sizeof(mmd_light_key), &sorted))
        return;
    mmd_light_key *keys = sorted.keys;
    for (uint32_t i = 0; i < sorted.records.count; i++) {
        keys[i].record = (uint32_t)sorted.slots[i];
        vmd_light_decode(sorted.records.bytes + keys[i].record * sorted.size, &keys[i]);
    }
    reader->motion->light_records = sorted.records;
    reader->motion->light_keys = keys;
    reader->motion->light_key_count = sorted.records.count;
}

static void read_self_shadow(vmd_reader *reader)
{
    mmd_cursor_section(&reader->cursor, "self shadow", -1);
    vmd_sorted sorted;
    if (!read_sorted(reader, VMD_SELF_SHADOW, sizeof(mmd_self_shadow_key), &sorted))
        return;
    mmd_self_shadow_key *keys = sorted.keys;
    for (uint32_t i = 0; i < sorted.records.count; i++) {
        keys[i].record = (uint32_t)sorted.slots[i];
        vmd_self_shadow_decode(sorted.records.bytes + keys[i].record * sorted.size, &keys[i]);
    }
    reader->motion->self_shadow_records = sorted.records;
    reader->motion->self_shadow_keys = keys;
    reader->motion->self_shadow_key_count = sorted.records.count;
}

/* Returns the next property record and moves past it; NULL if it is incomplete. */
static const uint8_t *next_property(vmd_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    const uint8_t *start = cursor->data + cursor->at;
    size_t left = mmd_cursor_left(cursor), size = vmd_record_size[VMD_PROPERTIES];
    if (left < size || load_u32(start + 5) > (left - size) / VMD_SWITCH_SIZE)
        return NULL;
    mmd_read_bytes(cursor, size + (size_t)load_u32(start + 5) * VMD_SWITCH_SIZE);
    return start;
}

static bool decode_property(vmd_reader *reader, const uint8_t *record, mmd_property_key *key)
{
    key->frame = load_u32(record);
    key->visible = record[4];
    key->switch_count = load_u32(record + 5);
    if (key->switch_count == 0)
        return true;
    key->switches = mmd_arena_alloc(reader->arena, key->switch_count, sizeof *key->switches);
    if (!key->switches) {
        out_of_memory(reader);
        return false;
    }
    record += vmd_record_size[VMD_PROPERTIES];
    for (uint32_t i = 0; i < key->switch_count; i++, record += VMD_SWITCH_SIZE) {
        memcpy(key->switches[i].name, record, sizeof key->switches[i].name);
        key->switches[i].on = record[20];
    }
    return true;
}

static void read_properties(vmd_reader *reader)
{
    mmd_cursor_section(&reader->cursor, "property", -1);
    uint32_t count, complete = 0;
    if (!read_count(reader, VMD_PROPERTIES, &count))
        return;
    size_t most = mmd_cursor_left(&reader->cursor) / vmd_record_size[VMD_PROPERTIES];
    const uint8_t **starts = mmd_arena_alloc(&reader->scratch, count < most ? count : most, sizeof *starts);
    if (!starts) {
        out_of_memory(reader);
        return;
    }
    while (complete < count && (starts[complete] = next_property(reader)))
        complete++;
    reader->motion->cut = reader->over = complete < count;
    if (complete == 0)
        return;
    const uint64_t *slots = sort_records(reader, starts, complete);
    mmd_property_key *keys = mmd_arena_alloc(reader->arena, complete, sizeof *keys);
    if (!keys)
        out_of_memory(reader);
    if (!slots || !keys)
        return;
    for (uint32_t i = 0; i < complete; i++) {
        keys[i].record = (uint32_t)slots[i];
        if (!decode_property(reader, starts[keys[i].record], &keys[i]))
            return;
    }
    reader->motion->property_keys = keys;
    reader->motion->property_key_count = complete;
}

/* Estimates the memory that a file of this size needs, to allocate one block instead of many. */
static size_t expected_size(size_t size)
{
    return sizeof(mmd_motion) + size + size / 2 + 4096;
}

mmd_status mmd_vmd_read(const void *data, size_t size, mmd_motion **result, mmd_error *error)
{
    assert(result);
    assert(data || size == 0);
    *result = NULL;
    if (size > INT32_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "header", 0, "a motion of over two gigabytes");
    mmd_arena arena = {0};
    mmd_arena_reserve(&arena, expected_size(size));
    mmd_motion *motion = mmd_arena_alloc(&arena, 1, sizeof *motion);
    if (!motion)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "header", 0, "no memory for the motion");
    vmd_reader reader = {.cursor = mmd_cursor_make(data, size, error), .motion = motion, .arena = &arena};
    read_header(&reader);
    read_bones(&reader);
    read_morphs(&reader);
    read_camera(&reader);
    read_light(&reader);
    read_self_shadow(&reader);
    read_properties(&reader);
    if (mmd_cursor_ok(&reader.cursor) && !reader.over)
        keep_trailing(&reader);
    mmd_arena_finish(&reader.scratch);
    motion->arena = arena;
    if (mmd_cursor_ok(&reader.cursor))
        *result = motion;
    else
        mmd_motion_destroy(motion);
    return reader.cursor.status;
}
