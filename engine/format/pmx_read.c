/* PMX 2.0 and 2.1: header, texts, indices, and the order of the sections. Layout: MMD.md 1.1. */
#include "pmx_reader.h"
#include "mmd/text.h"

#include <assert.h>

const char *pmx_text(model_reader *reader)
{
    uint32_t size = mmd_cursor_count(&reader->cursor, 1);
    const uint8_t *bytes = mmd_read_bytes(&reader->cursor, size);
    return model_reader_text(reader, bytes, size,
                             reader->model->layout.encoding ? mmd_utf8_from_file : mmd_utf8_from_utf16le);
}

int32_t pmx_signed(model_reader *reader, uint8_t size)
{
    const uint8_t *bytes = mmd_read_bytes(&reader->cursor, size);
    return bytes ? load_signed(bytes, size) : -1;
}

int64_t pmx_vertex(model_reader *reader)
{
    uint8_t size = reader->model->layout.vertex_index_size;
    const uint8_t *bytes = mmd_read_bytes(&reader->cursor, size);
    return bytes ? load_vertex(bytes, size) : -1;
}

int32_t pmx_reference(model_reader *reader, uint8_t size, uint32_t count, const char *section, uint32_t item,
                      const char *field)
{
    return model_reader_reference(reader, pmx_signed(reader, size), count, section, item, field);
}

bool pmx_switch(model_reader *reader, const char *what)
{
    uint8_t value = mmd_read_u8(&reader->cursor);
    if (value > 1)
        mmd_cursor_fail(&reader->cursor, MMD_ERROR_VALUE, "%s is %u, not 0 or 1", what, value);
    return value == 1;
}

static void read_version(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    const uint8_t *magic = mmd_read_bytes(cursor, 4);
    if (!magic)
        return;
    if (memcmp(magic, "Pmx ", 4) == 0)
        mmd_cursor_fail(cursor, MMD_ERROR_VERSION, "PMX 1.0 is not supported");
    else if (memcmp(magic, "PMX", 3) != 0 || (magic[3] != ' ' && magic[3] != 0xa0))
        mmd_cursor_fail(cursor, MMD_ERROR_MAGIC, "the file does not begin with `PMX `");
    float version = mmd_read_f32(cursor);
    if (mmd_cursor_ok(cursor) && version != 2.0f && version != 2.1f)
        mmd_cursor_fail(cursor, MMD_ERROR_VERSION, "PMX version %g, not 2.0 or 2.1", (double)version);
    reader->model->version = version;
    reader->model->layout.hard_space = magic[3] == 0xa0;
}

static void check_index_size(mmd_cursor *cursor, uint8_t size, const char *what)
{
    if (size != 1 && size != 2 && size != 4)
        mmd_cursor_fail(cursor, MMD_ERROR_VALUE, "%s indices of %u bytes, not 1, 2 or 4", what, size);
}

/* The next bytes, whatever they mean, for the writer. */
static const uint8_t *keep_bytes(model_reader *reader, size_t size)
{
    const uint8_t *bytes = mmd_read_bytes(&reader->cursor, size);
    uint8_t *copy = model_reader_array(reader, size, 1);
    if (bytes && copy)
        memcpy(copy, bytes, size);
    return copy;
}

static void read_globals(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_pmx_layout *layout = &reader->model->layout;
    layout->globals_count = mmd_read_u8(cursor);
    if (mmd_cursor_ok(cursor) && layout->globals_count < 8)
        mmd_cursor_fail(cursor, MMD_ERROR_COUNT, "%u global settings, not 8 or more", layout->globals_count);
    const uint8_t *globals = mmd_read_bytes(cursor, 8);
    if (!globals)
        return;
    layout->encoding = globals[0];
    reader->model->vertices.additional_uv_count = globals[1];
    layout->vertex_index_size = globals[2];
    layout->texture_index_size = globals[3];
    layout->material_index_size = globals[4];
    layout->bone_index_size = globals[5];
    layout->morph_index_size = globals[6];
    layout->body_index_size = globals[7];
    if (layout->encoding > 1)
        mmd_cursor_fail(cursor, MMD_ERROR_VALUE, "text encoding %u, not 0 (UTF-16) or 1 (UTF-8)", globals[0]);
    if (globals[1] > 4)
        mmd_cursor_fail(cursor, MMD_ERROR_VALUE, "%u additional UVs, not 0 to 4", globals[1]);
    check_index_size(cursor, layout->vertex_index_size, "vertex");
    check_index_size(cursor, layout->texture_index_size, "texture");
    check_index_size(cursor, layout->material_index_size, "material");
    check_index_size(cursor, layout->bone_index_size, "bone");
    check_index_size(cursor, layout->morph_index_size, "morph");
    check_index_size(cursor, layout->body_index_size, "body");
    if (mmd_cursor_ok(cursor) && layout->globals_count > 8)
        layout->extra_globals = keep_bytes(reader, layout->globals_count - 8u);
}

static void read_header(model_reader *reader)
{
    read_version(reader);
    read_globals(reader);
    mmd_model *model = reader->model;
    model->name = pmx_text(reader);
    model->name_en = pmx_text(reader);
    model->comment = pmx_text(reader);
    model->comment_en = pmx_text(reader);
}

/* Files of version 2.1 may end after the joints. Behind the last section nothing is expected. */
static void read_tail(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_pmx_layout *layout = &reader->model->layout;
    if (reader->model->version > 2.05f) {
        layout->no_soft_bodies = mmd_cursor_left(cursor) == 0;
        if (!layout->no_soft_bodies)
            pmx_read_soft_bodies(reader);
    }
    if (!mmd_cursor_ok(cursor) || mmd_cursor_left(cursor) == 0)
        return;
    uint32_t size = mmd_cursor_check_count(cursor, mmd_cursor_left(cursor), 1);
    layout->trailing = keep_bytes(reader, size);
    layout->trailing_size = size;
}

mmd_status mmd_pmx_read(const void *data, size_t size, mmd_model **result, mmd_error *error)
{
    assert(result && (data || size == 0));
    *result = NULL;
    model_reader reader;
    if (!model_reader_start(&reader, data, size, MMD_ORIGIN_PMX, error))
        return reader.cursor.status;
    read_header(&reader);
    pmx_read_vertices(&reader);
    pmx_read_surface(&reader);
    pmx_read_textures(&reader);
    pmx_read_materials(&reader);
    pmx_read_bones(&reader);
    model_reader_check_vertices(&reader);
    pmx_read_morphs(&reader);
    pmx_read_frames(&reader);
    pmx_read_bodies(&reader);
    pmx_check_impulses(&reader);
    pmx_read_joints(&reader);
    read_tail(&reader);
    return model_reader_finish(&reader, result);
}
