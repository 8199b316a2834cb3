/*
 * PMD morphs and display frames as PMX's (MMD.md 1.2). The base morph lists
 * vertices; the others point into that list. PMX has no base morph.
 */
#include "pmd_reader.h"

enum { MORPH_SIZE = 25 }; /* before the offsets */

/* The morphs' records, checked. */
typedef struct morph_block {
    const uint8_t *bytes;
    const uint8_t *base; /* offsets of the base morph */
    uint32_t base_count;
} morph_block;

static morph_block walk_morphs(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_cursor_section(cursor, "morph", -1);
    reader->file_morph_count = mmd_cursor_check_count(cursor, mmd_read_u16(cursor), MORPH_SIZE);
    morph_block block = {.bytes = mmd_read_bytes(cursor, 0)};
    for (uint32_t i = 0; i < reader->file_morph_count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "morph", i);
        mmd_read_bytes(cursor, PMD_NAME_SIZE);
        uint32_t count = mmd_read_u32(cursor);
        uint8_t kind = mmd_read_u8(cursor);
        count = mmd_cursor_check_count(cursor, count, PMD_MORPH_OFFSET_SIZE);
        const uint8_t *offsets = mmd_read_bytes(cursor, (size_t)count * PMD_MORPH_OFFSET_SIZE);
        if (kind != 0 || reader->base_morph >= 0)
            continue;
        reader->base_morph = (int32_t)i;
        block.base = offsets;
        block.base_count = count;
    }
    return block;
}

/* The vertex that an entry of the base list names, or -1. */
static int64_t base_vertex(const morph_block *block, uint32_t entry, uint32_t vertex_count)
{
    if (entry >= block->base_count)
        return -1;
    uint32_t vertex = load_u32(block->base + (size_t)entry * PMD_MORPH_OFFSET_SIZE);
    return vertex < vertex_count ? (int64_t)vertex : -1;
}

static void store_morph(pmd_reader *reader, mmd_morph *morph, const morph_block *block, const uint8_t *p,
                        uint32_t item)
{
    uint32_t count = load_u32(p + 20), kept = 0;
    mmd_vertex_offset *offsets = model_reader_array(&reader->base, count, sizeof *offsets);
    if (!offsets)
        return;
    morph->name = pmd_text(reader, p, PMD_NAME_SIZE);
    morph->name_en = "";
    morph->kind = MMD_MORPH_VERTEX;
    morph->panel = p[24] <= 4 ? p[24] : 4;
    if (p[24] > 4)
        model_reader_broken(&reader->base, "morph", item, "panel", p[24]);
    p += MORPH_SIZE;
    for (uint32_t i = 0; i < count; i++, p += PMD_MORPH_OFFSET_SIZE) {
        int64_t vertex = base_vertex(block, load_u32(p), reader->base.model->vertices.count);
        if (vertex < 0) {
            model_reader_broken(&reader->base, "morph", item, "base entry", load_u32(p));
            continue;
        }
        offsets[kept].vertex = (int32_t)vertex;
        memcpy(offsets[kept++].offset, p + 4, sizeof offsets->offset);
    }
    morph->offsets.vertex = offsets;
    morph->count = kept;
}

void pmd_read_morphs(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    morph_block block = walk_morphs(reader);
    uint32_t count = reader->file_morph_count - (reader->base_morph >= 0);
    mmd_morph *morphs = model_reader_array(&reader->base, count, sizeof *morphs);
    const uint8_t *p = block.bytes;
    for (uint32_t i = 0; i < reader->file_morph_count && mmd_cursor_ok(cursor); i++) {
        if ((int32_t)i != reader->base_morph)
            store_morph(reader, &morphs[model->morph_count++], &block, p, i);
        p += MORPH_SIZE + (size_t)load_u32(p + 20) * PMD_MORPH_OFFSET_SIZE;
    }
    model->morphs = morphs;
}

/* Number of a morph of the file among those that are kept; -1 for the base and for none. */
static int32_t kept_morph(pmd_reader *reader, uint16_t number, uint32_t item)
{
    int32_t morph = pmd_reference(reader, number, reader->file_morph_count, "morph panel", item, "morph");
    if (reader->base_morph < 0 || morph < reader->base_morph)
        return morph;
    return morph == reader->base_morph ? -1 : morph - 1;
}

static void make_morph_frame(pmd_reader *reader, mmd_display_frame *frame)
{
    frame->name = "表情";
    frame->name_en = "Exp";
    frame->special = 1;
    uint32_t count = reader->shown_morph_count;
    mmd_frame_item *items = model_reader_array(&reader->base, count, sizeof *items);
    for (uint32_t i = 0; items && i < count; i++) {
        int32_t morph = kept_morph(reader, load_u16(reader->shown_morphs + 2 * (size_t)i), i);
        if (morph >= 0)
            items[frame->count++] = (mmd_frame_item){.kind = 1, .index = morph};
    }
    frame->items = items;
}

static void make_root_frame(pmd_reader *reader, mmd_display_frame *frame)
{
    frame->name = frame->name_en = "Root";
    frame->special = 1;
    frame->count = reader->bone_count > 0;
    frame->items = model_reader_array(&reader->base, frame->count, sizeof *frame->items);
}

/* Frame names often end in line breaks. */
static const char *frame_name(pmd_reader *reader, const uint8_t *field)
{
    size_t length = pmd_text_length(field, PMD_FRAME_NAME_SIZE);
    while (length > 0 && (field[length - 1] == '\n' || field[length - 1] == '\r'))
        length--;
    return pmd_text(reader, field, length);
}

/* Items name their frame by number from 1. Counts them, makes room, then deals them out. */
static void deal_items(pmd_reader *reader, mmd_display_frame *frames, const uint8_t *items, uint32_t count)
{
    uint32_t frame_count = reader->file_frame_count;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t frame = items[3 * (size_t)i + 2];
        if (frame >= 1 && frame <= frame_count)
            frames[frame - 1].count++;
        else
            model_reader_broken(&reader->base, "frame item", i, "frame", frame);
    }
    mmd_frame_item *places[256];
    for (uint32_t i = 0; i < frame_count; i++) {
        places[i] = model_reader_array(&reader->base, frames[i].count, sizeof *places[i]);
        frames[i].items = places[i];
    }
    for (uint32_t i = 0; i < count && mmd_cursor_ok(&reader->base.cursor); i++) {
        const uint8_t *item = items + 3 * (size_t)i;
        if (item[2] < 1 || item[2] > frame_count)
            continue;
        places[item[2] - 1]->index =
            pmd_reference(reader, load_u16(item), reader->bone_count, "frame item", i, "bone");
        places[item[2] - 1]++;
    }
}

void pmd_read_frames(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    mmd_cursor_section(cursor, "frame", -1);
    reader->shown_morph_count = mmd_cursor_check_count(cursor, mmd_read_u8(cursor), 2);
    reader->shown_morphs = mmd_read_bytes(cursor, 2 * (size_t)reader->shown_morph_count);
    reader->file_frame_count = mmd_cursor_check_count(cursor, mmd_read_u8(cursor), PMD_FRAME_NAME_SIZE);
    const uint8_t *names = mmd_read_bytes(cursor, (size_t)reader->file_frame_count * PMD_FRAME_NAME_SIZE);
    uint32_t item_count = mmd_cursor_count(cursor, 3);
    const uint8_t *items = mmd_read_bytes(cursor, 3 * (size_t)item_count);
    uint32_t count = reader->file_frame_count + 2;
    mmd_display_frame *frames = model_reader_array(&reader->base, count, sizeof *frames);
    if (!mmd_cursor_ok(cursor))
        return;
    make_root_frame(reader, &frames[0]);
    make_morph_frame(reader, &frames[1]);
    for (uint32_t i = 0; i < reader->file_frame_count; i++) {
        frames[i + 2].name = frame_name(reader, names + (size_t)i * PMD_FRAME_NAME_SIZE);
        frames[i + 2].name_en = "";
    }
    deal_items(reader, frames + 2, items, item_count);
    model->frames = frames;
    model->frame_count = count;
}

/* English names; they stand behind everything that MMD had before it spoke English. */
void pmd_read_english(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    mmd_cursor_section(cursor, "English names", -1);
    if (mmd_read_u8(cursor) != 1)
        return;
    model->name_en = pmd_text(reader, mmd_read_bytes(cursor, PMD_NAME_SIZE), PMD_NAME_SIZE);
    model->comment_en = pmd_text(reader, mmd_read_bytes(cursor, PMD_COMMENT_SIZE), PMD_COMMENT_SIZE);
    for (uint32_t i = 0; i < reader->bone_count && mmd_cursor_ok(cursor); i++)
        model->bones[i].name_en = pmd_text(reader, mmd_read_bytes(cursor, PMD_NAME_SIZE), PMD_NAME_SIZE);
    for (uint32_t i = reader->bone_count; i < model->bone_count; i++)
        model->bones[i].name_en = model->bones[model->bones[i].parent].name_en;
    for (uint32_t i = 0; i < model->morph_count && mmd_cursor_ok(cursor); i++)
        model->morphs[i].name_en = pmd_text(reader, mmd_read_bytes(cursor, PMD_NAME_SIZE), PMD_NAME_SIZE);
    for (uint32_t i = 0; i < reader->file_frame_count && mmd_cursor_ok(cursor); i++) {
        const uint8_t *field = mmd_read_bytes(cursor, PMD_FRAME_NAME_SIZE);
        if (field)
            model->frames[i + 2].name_en = frame_name(reader, field);
    }
}
