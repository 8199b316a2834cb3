/* PMX morphs. Layout: MMD.md 1.1. Offsets of vertices and materials that do not exist are dropped. */
#include "pmx_reader.h"

enum { MORPH_KIND_COUNT = 11, MATERIAL_VALUE_COUNT = 28 };

_Static_assert(sizeof(mmd_material_values) == MATERIAL_VALUE_COUNT * sizeof(float),
               "the numbers of a material are read in one go");
_Static_assert(sizeof(mmd_vertex_offset) == sizeof(int32_t) + sizeof(float[3]) &&
                   sizeof(mmd_uv_offset) == sizeof(int32_t) + sizeof(float[4]),
               "offsets of vertices are an index and floats, nothing between");

/* Bytes of one record of each kind; 0 for an unknown kind. */
static size_t record_size(const mmd_pmx_layout *layout, uint8_t kind)
{
    switch (kind) {
    case MMD_MORPH_GROUP:
    case MMD_MORPH_FLIP:
        return layout->morph_index_size + 4u;
    case MMD_MORPH_VERTEX:
        return layout->vertex_index_size + 12u;
    case MMD_MORPH_BONE:
        return layout->bone_index_size + 28u;
    case MMD_MORPH_MATERIAL:
        return layout->material_index_size + 1u + 4 * MATERIAL_VALUE_COUNT;
    case MMD_MORPH_IMPULSE:
        return layout->body_index_size + 25u;
    default:
        return kind < MORPH_KIND_COUNT ? layout->vertex_index_size + 16u : 0;
    }
}

/* A section of records whose bounds have been checked. */
typedef struct morph_records {
    const uint8_t *bytes;
    uint32_t count;
    uint32_t item; /* the morph's number */
} morph_records;

static void read_group_offsets(model_reader *reader, mmd_morph *morph, morph_records records,
                               uint32_t morph_count)
{
    mmd_group_offset *offsets = model_reader_array(reader, records.count, sizeof *offsets);
    uint8_t size = reader->model->layout.morph_index_size;
    const uint8_t *p = records.bytes;
    for (uint32_t i = 0; offsets && i < records.count; i++, p += size + 4u) {
        offsets[i].morph =
            model_reader_reference(reader, load_signed(p, size), morph_count, "morph", records.item, "morph");
        offsets[i].ratio = load_f32(p + size);
    }
    morph->offsets.group = offsets;
    morph->count = records.count;
}

/*
 * Vertex and UV offsets: a vertex and some floats, in the file and in memory.
 * Returns records of 4 + value_size bytes, *kept of them.
 */
static void *read_offsets_of_vertices(model_reader *reader, morph_records records, size_t value_size,
                                      uint32_t *kept)
{
    uint8_t size = reader->model->layout.vertex_index_size;
    int64_t vertex_count = reader->model->vertices.count;
    uint8_t *offsets = model_reader_array(reader, records.count, sizeof(int32_t) + value_size);
    uint8_t *to = offsets;
    const uint8_t *p = records.bytes;
    *kept = 0;
    for (uint32_t i = 0; offsets && i < records.count; i++, p += size + value_size) {
        int64_t vertex = load_vertex(p, size);
        if (vertex < 0 || vertex >= vertex_count) {
            model_reader_broken(reader, "morph", records.item, "vertex", vertex);
            continue;
        }
        memcpy(to, &(int32_t){(int32_t)vertex}, sizeof(int32_t));
        memcpy(to + sizeof(int32_t), p + size, value_size);
        to += sizeof(int32_t) + value_size;
        (*kept)++;
    }
    return offsets;
}

static void read_bone_offsets(model_reader *reader, mmd_morph *morph, morph_records records)
{
    mmd_bone_offset *offsets = model_reader_array(reader, records.count, sizeof *offsets);
    uint8_t size = reader->model->layout.bone_index_size;
    const uint8_t *p = records.bytes;
    for (uint32_t i = 0; offsets && i < records.count; i++, p += size + 28u) {
        offsets[i].bone = model_reader_reference(reader, load_signed(p, size), reader->model->bone_count,
                                                 "morph", records.item, "bone");
        memcpy(offsets[i].translation, p + size, 12);
        memcpy(offsets[i].rotation, p + size + 12, 16);
    }
    morph->offsets.bone = offsets;
    morph->count = records.count;
}

/* -1 means all materials here, so that a reference to none that exists must go. */
static void read_material_offsets(model_reader *reader, mmd_morph *morph, morph_records records)
{
    mmd_material_offset *offsets = model_reader_array(reader, records.count, sizeof *offsets);
    uint8_t size = reader->model->layout.material_index_size;
    const uint8_t *p = records.bytes;
    uint32_t kept = 0;
    for (uint32_t i = 0; offsets && i < records.count; i++, p += size + 1u + 4 * MATERIAL_VALUE_COUNT) {
        int32_t material = load_signed(p, size);
        if (material < -1 || material >= (int64_t)reader->model->material_count) {
            model_reader_broken(reader, "morph", records.item, "material", material);
            continue;
        }
        offsets[kept].material = material;
        offsets[kept].operation = model_reader_choice(reader, p[size], 1, "morph", records.item, "operation");
        memcpy(&offsets[kept++].values, p + size + 1, sizeof(mmd_material_values));
    }
    morph->offsets.material = offsets;
    morph->count = kept;
}

static void read_impulse_offsets(model_reader *reader, mmd_morph *morph, morph_records records)
{
    mmd_impulse_offset *offsets = model_reader_array(reader, records.count, sizeof *offsets);
    uint8_t size = reader->model->layout.body_index_size;
    const uint8_t *p = records.bytes;
    for (uint32_t i = 0; offsets && i < records.count; i++, p += size + 25u) {
        offsets[i].body = load_signed(p, size);
        offsets[i].local = p[size] != 0;
        memcpy(offsets[i].velocity, p + size + 1, 12);
        memcpy(offsets[i].torque, p + size + 13, 12);
    }
    morph->offsets.impulse = offsets;
    morph->count = records.count;
}

static void read_offsets(model_reader *reader, mmd_morph *morph, morph_records records, uint32_t morph_count)
{
    switch (morph->kind) {
    case MMD_MORPH_GROUP:
    case MMD_MORPH_FLIP:
        read_group_offsets(reader, morph, records, morph_count);
        break;
    case MMD_MORPH_VERTEX:
        morph->offsets.vertex = read_offsets_of_vertices(reader, records, sizeof(float[3]), &morph->count);
        break;
    case MMD_MORPH_BONE:
        read_bone_offsets(reader, morph, records);
        break;
    case MMD_MORPH_MATERIAL:
        read_material_offsets(reader, morph, records);
        break;
    case MMD_MORPH_IMPULSE:
        read_impulse_offsets(reader, morph, records);
        break;
    default:
        morph->offsets.uv = read_offsets_of_vertices(reader, records, sizeof(float[4]), &morph->count);
        break;
    }
}

static void read_morph(model_reader *reader, mmd_morph *morph, uint32_t morph_count, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    morph->name = pmx_text(reader);
    morph->name_en = pmx_text(reader);
    morph->panel = mmd_read_u8(cursor);
    if (morph->panel > 4) {
        model_reader_broken(reader, "morph", item, "panel", morph->panel);
        morph->panel = 4;
    }
    morph->kind = mmd_read_u8(cursor);
    size_t size = record_size(&reader->model->layout, morph->kind);
    if (size == 0)
        mmd_cursor_fail(cursor, MMD_ERROR_VALUE, "morph type %u, not 0 to 10", morph->kind);
    uint32_t count = mmd_cursor_count(cursor, size ? size : 1);
    const uint8_t *bytes = mmd_read_bytes(cursor, count * size);
    if (bytes)
        read_offsets(reader, morph, (morph_records){.bytes = bytes, .count = count, .item = item},
                     morph_count);
}

void pmx_read_morphs(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_cursor_section(cursor, "morph", -1);
    uint32_t count = mmd_cursor_count(cursor, 14);
    mmd_morph *morphs = model_reader_array(reader, count, sizeof *morphs);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "morph", i);
        read_morph(reader, &morphs[i], count, i);
    }
    if (!mmd_cursor_ok(cursor))
        return;
    reader->model->morphs = morphs;
    reader->model->morph_count = count;
}

void pmx_check_impulses(model_reader *reader)
{
    mmd_model *model = reader->model;
    for (uint32_t i = 0; i < model->morph_count && mmd_cursor_ok(&reader->cursor); i++) {
        if (model->morphs[i].kind != MMD_MORPH_IMPULSE)
            continue;
        /* Ours, and not const where it was made. */
        mmd_impulse_offset *offsets = (mmd_impulse_offset *)(uintptr_t)model->morphs[i].offsets.impulse;
        for (uint32_t k = 0; k < model->morphs[i].count; k++)
            offsets[k].body =
                model_reader_reference(reader, offsets[k].body, model->body_count, "morph", i, "body");
    }
}
