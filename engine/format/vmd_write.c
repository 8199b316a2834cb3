/* Writes VMD files (docs/mmd.md 1.3): the keys of a section in the order of the file they come from, new ones
 * last. */
#include "vmd_records.h"
#include "mmd/cursor.h"

#include <assert.h>
#include <string.h>

typedef struct vmd_writer {
    const mmd_motion *motion;
    mmd_buffer *out;
    mmd_arena scratch;
    bool failed; /* out of scratch memory */
} vmd_writer;

/* Sorts keys by the record they come from: pairs of record and index among all keys of the section. */
static uint64_t *sort_keys(vmd_writer *writer, uint64_t *pairs, uint32_t count)
{
    uint64_t *room = pairs ? mmd_arena_alloc(&writer->scratch, count, sizeof *room) : NULL;
    if (!room) {
        writer->failed = true;
        return NULL;
    }
    vmd_sort(pairs, room, count);
    return pairs;
}

/* Does the same for keys that begin with frame and record. */
static uint64_t *sort_plain_keys(vmd_writer *writer, const void *keys, size_t stride, uint32_t count)
{
    uint64_t *pairs = mmd_arena_alloc(&writer->scratch, count, sizeof *pairs);
    for (uint32_t i = 0; pairs && i < count; i++) {
        const uint32_t *frame_and_record = (const void *)((const char *)keys + stride * i);
        pairs[i] = vmd_pack(frame_and_record[1], i);
    }
    return sort_keys(writer, pairs, count);
}

/* Copies the record with this number, to be changed by a key. Returns false and copies nothing if there is
 * none. */
static bool load_record(const mmd_vmd_records *records, uint32_t number, uint8_t *record, size_t size)
{
    if (number >= records->count)
        return false;
    memcpy(record, records->bytes + number * size, size);
    return true;
}

/* A key, by track and index in it. */
typedef struct vmd_slot {
    uint32_t track, key;
} vmd_slot;

static void write_bones(vmd_writer *writer)
{
    const mmd_motion *motion = writer->motion;
    uint32_t total = 0, at = 0;
    for (uint32_t i = 0; i < motion->bone_track_count; i++)
        total += motion->bone_tracks[i].count;
    mmd_write_u32(writer->out, total);
    vmd_slot *slots = mmd_arena_alloc(&writer->scratch, total, sizeof *slots);
    uint64_t *pairs = mmd_arena_alloc(&writer->scratch, total, sizeof *pairs);
    for (uint32_t i = 0; slots && pairs && i < motion->bone_track_count; i++)
        for (uint32_t j = 0; j < motion->bone_tracks[i].count; j++, at++) {
            const uint32_t *records = motion->bone_tracks[i].records;
            slots[at] = (vmd_slot){i, j};
            pairs[at] = vmd_pack(records ? records[j] : MMD_NO_RECORD, at);
        }
    if (!slots || !sort_keys(writer, pairs, total))
        return;
    for (uint32_t i = 0; i < total; i++) {
        vmd_slot slot = slots[(uint32_t)pairs[i]];
        const mmd_bone_track *track = &motion->bone_tracks[slot.track];
        uint8_t record[111];
        if (!load_record(&motion->bone_records, (uint32_t)(pairs[i] >> 32), record, sizeof record))
            vmd_bone_blank(record);
        vmd_bone_patch(record, track->name, track->frames[slot.key], &track->keys[slot.key]);
        mmd_write_bytes(writer->out, record, sizeof record);
    }
}

static void write_morphs(vmd_writer *writer)
{
    const mmd_motion *motion = writer->motion;
    uint32_t total = 0, at = 0;
    for (uint32_t i = 0; i < motion->morph_track_count; i++)
        total += motion->morph_tracks[i].count;
    mmd_write_u32(writer->out, total);
    vmd_slot *slots = mmd_arena_alloc(&writer->scratch, total, sizeof *slots);
    uint64_t *pairs = mmd_arena_alloc(&writer->scratch, total, sizeof *pairs);
    for (uint32_t i = 0; slots && pairs && i < motion->morph_track_count; i++)
        for (uint32_t j = 0; j < motion->morph_tracks[i].count; j++, at++) {
            const uint32_t *records = motion->morph_tracks[i].records;
            slots[at] = (vmd_slot){i, j};
            pairs[at] = vmd_pack(records ? records[j] : MMD_NO_RECORD, at);
        }
    if (!slots || !sort_keys(writer, pairs, total))
        return;
    for (uint32_t i = 0; i < total; i++) {
        vmd_slot slot = slots[(uint32_t)pairs[i]];
        const mmd_morph_track *track = &motion->morph_tracks[slot.track];
        uint8_t record[23] = {0};
        load_record(&motion->morph_records, (uint32_t)(pairs[i] >> 32), record, sizeof record);
        vmd_morph_patch(record, track->name, track->frames[slot.key], track->weights[slot.key]);
        mmd_write_bytes(writer->out, record, sizeof record);
    }
}

static void write_camera(vmd_writer *writer)
{
    const mmd_motion *motion = writer->motion;
    const mmd_camera_key *keys = motion->camera_keys;
    mmd_write_u32(writer->out, motion->camera_key_count);
    const uint64_t *pairs = sort_plain_keys(writer, keys, sizeof *keys, motion->camera_key_count);
    for (uint32_t i = 0; pairs && i < motion->camera_key_count; i++) {
        const mmd_camera_key *key = &keys[(uint32_t)pairs[i]];
        uint8_t record[61] = {0};
        load_record(&motion->camera_records, key->record, record, sizeof record);
        vmd_camera_patch(record, key);
        mmd_write_bytes(writer->out, record, sizeof record);
    }
}

static void write_light(vmd_writer *writer)
{
    const mmd_motion *motion = writer->motion;
    const mmd_light_key *keys = motion->light_keys;
    mmd_write_u32(writer->out, motion->light_key_count);
    const uint64_t *pairs = sort_plain_keys(writer, keys, sizeof *keys, motion->light_key_count);
    for (uint32_t i = 0; pairs && i < motion->light_key_count; i++) {
        const mmd_light_key *key = &keys[(uint32_t)pairs[i]];
        uint8_t record[28] = {0};
        load_record(&motion->light_records, key->record, record, sizeof record);
        vmd_light_patch(record, key);
        mmd_write_bytes(writer->out, record, sizeof record);
    }
}

static void write_self_shadow(vmd_writer *writer)
{
    const mmd_motion *motion = writer->motion;
    const mmd_self_shadow_key *keys = motion->self_shadow_keys;
    mmd_write_u32(writer->out, motion->self_shadow_key_count);
    const uint64_t *pairs = sort_plain_keys(writer, keys, sizeof *keys, motion->self_shadow_key_count);
    for (uint32_t i = 0; pairs && i < motion->self_shadow_key_count; i++) {
        const mmd_self_shadow_key *key = &keys[(uint32_t)pairs[i]];
        uint8_t record[9] = {0};
        load_record(&motion->self_shadow_records, key->record, record, sizeof record);
        vmd_self_shadow_patch(record, key);
        mmd_write_bytes(writer->out, record, sizeof record);
    }
}

static void write_properties(vmd_writer *writer)
{
    const mmd_motion *motion = writer->motion;
    const mmd_property_key *keys = motion->property_keys;
    mmd_write_u32(writer->out, motion->property_key_count);
    const uint64_t *pairs = sort_plain_keys(writer, keys, sizeof *keys, motion->property_key_count);
    for (uint32_t i = 0; pairs && i < motion->property_key_count; i++) {
        const mmd_property_key *key = &keys[(uint32_t)pairs[i]];
        mmd_write_u32(writer->out, key->frame);
        mmd_write_u8(writer->out, key->visible);
        mmd_write_u32(writer->out, key->switch_count);
        for (uint32_t j = 0; j < key->switch_count; j++) {
            mmd_write_bytes(writer->out, key->switches[j].name, sizeof key->switches[j].name);
            mmd_write_u8(writer->out, key->switches[j].on);
        }
    }
}

static void write_header(vmd_writer *writer)
{
    static const uint8_t magic[VMD_MAGIC_SIZE] = "Vocaloid Motion Data 0002";
    const mmd_motion *motion = writer->motion;
    bool made = motion->header[0] == 0;
    mmd_write_bytes(writer->out, made ? magic : motion->header, VMD_MAGIC_SIZE);
    mmd_write_bytes(writer->out, motion->model_name, !made && motion->model_name_size == 10 ? 10 : 20);
}

/* Returns the number of keys in a section; for bones and morphs, the number of tracks. */
static uint32_t section_keys(const mmd_motion *motion, int section)
{
    const uint32_t counts[VMD_SECTIONS] = {motion->bone_track_count,      motion->morph_track_count,
                                           motion->camera_key_count,      motion->light_key_count,
                                           motion->self_shadow_key_count, motion->property_key_count};
    return counts[section];
}

/* Returns the number of sections: as many as the file had, or as the keys need. */
static int count_sections(const mmd_motion *motion)
{
    int count = motion->header[0] ? motion->section_count : VMD_SECTIONS;
    for (int i = count; i < VMD_SECTIONS; i++)
        if (section_keys(motion, i))
            count = i + 1;
    return count;
}

/* Tests whether trailing bytes can be written back without changing their meaning: after the last possible
 * section, or as a stray record after an empty section. */
static bool keeps_trailing(const mmd_motion *motion, int sections)
{
    if (sections == VMD_SECTIONS)
        return true;
    return sections > 0 && sections == motion->section_count && !section_keys(motion, sections - 1);
}

mmd_status mmd_vmd_write(const mmd_motion *motion, mmd_buffer *out, mmd_error *error)
{
    static void (*const write_section[VMD_SECTIONS])(vmd_writer *) = {
        write_bones, write_morphs, write_camera, write_light, write_self_shadow, write_properties};
    assert(motion && out);
    vmd_writer writer = {.motion = motion, .out = out};
    int sections = count_sections(motion);
    write_header(&writer);
    for (int i = 0; i < sections; i++)
        write_section[i](&writer);
    if (motion->trailing_size && keeps_trailing(motion, sections))
        mmd_write_bytes(out, motion->trailing, motion->trailing_size);
    mmd_arena_finish(&writer.scratch);
    if (writer.failed || out->failed)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for the file");
    return MMD_OK;
}
