/* PMD: header, vertices, faces, and the order of the blocks. Layout and meaning: MMD.md 1.2. */
#include "pmd_reader.h"
#include "mmd/text.h"

#include <assert.h>

enum { VERTEX_SIZE = 38 };

static size_t decode_cp932(const uint8_t *text, size_t size, char *out, size_t capacity)
{
    return mmd_utf8_from_cp932(text, size, out, capacity, NULL);
}

size_t pmd_text_length(const uint8_t *field, size_t size)
{
    const uint8_t *end = memchr(field, 0, size);
    return end ? (size_t)(end - field) : size;
}

const char *pmd_text(pmd_reader *reader, const uint8_t *field, size_t size)
{
    return field ? model_reader_text(&reader->base, field, pmd_text_length(field, size), decode_cp932) : "";
}

int32_t pmd_reference(pmd_reader *reader, uint16_t value, uint32_t count, const char *section, uint32_t item,
                      const char *field)
{
    return model_reader_reference(&reader->base, value == 0xffff ? -1 : (int64_t)value, count, section, item,
                                  field);
}

static void read_header(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    const uint8_t *magic = mmd_read_bytes(cursor, 3);
    if (magic && memcmp(magic, "Pmd", 3) != 0)
        mmd_cursor_fail(cursor, MMD_ERROR_MAGIC, "the file does not begin with `Pmd`");
    model->version = mmd_read_f32(cursor);
    if (mmd_cursor_ok(cursor) && model->version != 1.0f)
        mmd_cursor_fail(cursor, MMD_ERROR_VERSION, "PMD version %g, not 1.0", (double)model->version);
    model->name = pmd_text(reader, mmd_read_bytes(cursor, PMD_NAME_SIZE), PMD_NAME_SIZE);
    model->comment = pmd_text(reader, mmd_read_bytes(cursor, PMD_COMMENT_SIZE), PMD_COMMENT_SIZE);
}

static bool allocate_vertices(pmd_reader *reader, uint32_t count)
{
    mmd_vertices *v = &reader->base.model->vertices;
    v->position = model_reader_array(&reader->base, count, sizeof *v->position);
    v->normal = model_reader_array(&reader->base, count, sizeof *v->normal);
    v->uv = model_reader_array(&reader->base, count, sizeof *v->uv);
    v->deform = model_reader_array(&reader->base, count, sizeof *v->deform);
    v->bone = model_reader_array(&reader->base, count, sizeof *v->bone);
    v->weight = model_reader_array(&reader->base, count, sizeof *v->weight);
    v->edge_scale = model_reader_array(&reader->base, count, sizeof *v->edge_scale);
    if (!mmd_cursor_ok(&reader->base.cursor))
        return false;
    v->count = count;
    return true;
}

/* A number of bones that is not -1 where the file says FFFF, so that the check of all vertices sees the rest.
 */
static int32_t vertex_bone(uint16_t value)
{
    return value == 0xffff ? -1 : (int32_t)value;
}

static void store_weights(mmd_vertices *v, uint32_t i, const uint8_t *p)
{
    uint16_t first = load_u16(p), second = load_u16(p + 2);
    uint8_t percent = p[4] < 100 ? p[4] : 100;
    int32_t *bone = v->bone[i];
    bone[1] = bone[2] = bone[3] = -1;
    if (percent == 100 || percent == 0 || first == second) {
        v->deform[i] = MMD_DEFORM_BDEF1;
        bone[0] = vertex_bone(percent == 0 ? second : first);
        v->weight[i][0] = 1;
        return;
    }
    v->deform[i] = MMD_DEFORM_BDEF2;
    bone[0] = vertex_bone(first);
    bone[1] = vertex_bone(second);
    v->weight[i][0] = (float)percent / 100;
    v->weight[i][1] = 1 - v->weight[i][0];
}

static void read_vertices(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_cursor_section(cursor, "vertex", -1);
    uint32_t count = mmd_cursor_count(cursor, VERTEX_SIZE);
    const uint8_t *p = mmd_read_bytes(cursor, (size_t)count * VERTEX_SIZE);
    if (!p || !allocate_vertices(reader, count))
        return;
    mmd_vertices *v = &reader->base.model->vertices;
    for (uint32_t i = 0; i < count; i++, p += VERTEX_SIZE) {
        memcpy(v->position[i], p, sizeof v->position[i]);
        memcpy(v->normal[i], p + 12, sizeof v->normal[i]);
        memcpy(v->uv[i], p + 24, sizeof v->uv[i]);
        store_weights(v, i, p + 32);
        v->edge_scale[i] = p[37] ? 0.0f : 1.0f;
    }
}

static void read_faces(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    mmd_cursor_section(cursor, "surface", -1);
    uint32_t count = mmd_cursor_count(cursor, 2);
    if (count % 3 != 0)
        mmd_cursor_fail(cursor, MMD_ERROR_COUNT, "%u indices, not a multiple of three", count);
    const uint8_t *bytes = mmd_read_bytes(cursor, 2 * (size_t)count);
    uint32_t *indices = model_reader_array(&reader->base, count, sizeof *indices);
    if (!bytes || !indices)
        return;
    for (uint32_t i = 0; i < count; i++) {
        indices[i] = load_u16(bytes + 2 * (size_t)i);
        if (indices[i] < model->vertices.count)
            continue;
        cursor->at = (size_t)(bytes - cursor->data) + 2 * (size_t)i;
        mmd_cursor_section(cursor, "surface", i);
        mmd_cursor_fail(cursor, MMD_ERROR_INDEX, "vertex %u, but there are %u", indices[i],
                        model->vertices.count);
        return;
    }
    model->indices = indices;
    model->index_count = count;
}

/* Old files end after any of these blocks. */
static void read_tail(pmd_reader *reader)
{
    void (*const blocks[])(pmd_reader *) = {pmd_read_english, pmd_read_toons, pmd_read_bodies,
                                            pmd_read_joints};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        if (i == 1 || mmd_cursor_left(&reader->base.cursor) > 0)
            blocks[i](reader);
}

mmd_status mmd_pmd_read(const void *data, size_t size, mmd_model **result, mmd_error *error)
{
    assert(result && (data || size == 0));
    *result = NULL;
    pmd_reader reader = {.base_morph = -1};
    if (!model_reader_start(&reader.base, data, size, MMD_ORIGIN_PMD, error))
        return reader.base.cursor.status;
    read_header(&reader);
    read_vertices(&reader);
    read_faces(&reader);
    pmd_read_materials(&reader);
    pmd_read_bones(&reader);
    model_reader_check_vertices(&reader.base);
    pmd_read_morphs(&reader);
    pmd_read_frames(&reader);
    read_tail(&reader);
    return model_reader_finish(&reader.base, result);
}
