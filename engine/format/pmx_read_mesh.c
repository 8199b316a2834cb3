/*
 * PMX vertices, surface, textures and materials. Vertices vary in length with
 * their deform type: a first walk finds the section's end and the number of
 * SDEF vertices, so that the second one copies without checking.
 */
#include "pmx_reader.h"

enum { DEFORM_COUNT = 5 };

/* How long the vertices of one file are. */
typedef struct vertex_layout {
    size_t fixed;                /* bytes before the deform type */
    size_t deform[DEFORM_COUNT]; /* bytes of each type's data */
    uint8_t bone_size;
    uint32_t uv_count;
} vertex_layout;

static vertex_layout vertex_layout_of(const mmd_model *model)
{
    size_t bone = model->layout.bone_index_size;
    uint32_t uvs = model->vertices.additional_uv_count;
    return (vertex_layout){
        .fixed = 32 + 16 * (size_t)uvs,
        .deform = {[MMD_DEFORM_BDEF1] = bone,
                   [MMD_DEFORM_BDEF2] = 2 * bone + 4,
                   [MMD_DEFORM_BDEF4] = 4 * bone + 16,
                   [MMD_DEFORM_SDEF] = 2 * bone + 40,
                   [MMD_DEFORM_QDEF] = 4 * bone + 16},
        .bone_size = model->layout.bone_index_size,
        .uv_count = uvs,
    };
}

/* Finds the end of count vertices and counts the SDEF ones. NULL after failing. */
static const uint8_t *walk_vertices(mmd_cursor *cursor, const vertex_layout *layout, uint32_t count,
                                    uint32_t *sdef_count)
{
    const uint8_t *start = cursor->data + cursor->at, *end = cursor->data + cursor->size, *p = start;
    uint32_t sdefs = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t left = (size_t)(end - p);
        uint8_t deform = left > layout->fixed ? p[layout->fixed] : 0;
        size_t length = layout->fixed + 1 + (deform < DEFORM_COUNT ? layout->deform[deform] : 0) + 4;
        if (deform >= DEFORM_COUNT || left < length) {
            cursor->at = (size_t)(p - cursor->data);
            mmd_cursor_section(cursor, "vertex", i);
            if (deform >= DEFORM_COUNT)
                mmd_cursor_fail(cursor, MMD_ERROR_VALUE, "deform type %u, not 0 to 4", deform);
            else
                mmd_cursor_fail(cursor, MMD_ERROR_TRUNCATED, "%zu bytes are needed and %zu are left", length,
                                left);
            return NULL;
        }
        sdefs += deform == MMD_DEFORM_SDEF;
        p += length;
    }
    *sdef_count = sdefs;
    return mmd_read_bytes(cursor, (size_t)(p - start));
}

static bool allocate_vertices(model_reader *reader, uint32_t count, uint32_t sdef_count)
{
    mmd_vertices *v = &reader->model->vertices;
    v->position = model_reader_array(reader, count, sizeof *v->position);
    v->normal = model_reader_array(reader, count, sizeof *v->normal);
    v->uv = model_reader_array(reader, count, sizeof *v->uv);
    for (uint32_t i = 0; i < v->additional_uv_count; i++)
        v->additional_uv[i] = model_reader_array(reader, count, sizeof *v->additional_uv[i]);
    v->deform = model_reader_array(reader, count, sizeof *v->deform);
    v->bone = model_reader_array(reader, count, sizeof *v->bone);
    v->weight = model_reader_array(reader, count, sizeof *v->weight);
    v->edge_scale = model_reader_array(reader, count, sizeof *v->edge_scale);
    if (sdef_count) {
        v->sdef_index = model_reader_array(reader, count, sizeof *v->sdef_index);
        v->sdef = model_reader_array(reader, sdef_count, sizeof *v->sdef);
    }
    if (!mmd_cursor_ok(&reader->cursor))
        return false;
    v->count = count;
    return true;
}

/* p: behind the deform type. sdef: this vertex's number among the SDEF ones. */
static void store_deform(mmd_vertices *v, uint32_t i, const uint8_t *p, uint8_t bone_size, uint32_t sdef)
{
    int32_t *bone = v->bone[i];
    float *weight = v->weight[i];
    bone[0] = load_signed(p, bone_size);
    switch (v->deform[i]) {
    case MMD_DEFORM_BDEF1:
        bone[1] = bone[2] = bone[3] = -1;
        weight[0] = 1;
        break;
    case MMD_DEFORM_BDEF2:
    case MMD_DEFORM_SDEF:
        bone[1] = load_signed(p + bone_size, bone_size);
        bone[2] = bone[3] = -1;
        weight[0] = load_f32(p + 2 * (size_t)bone_size);
        weight[1] = 1 - weight[0];
        if (v->deform[i] == MMD_DEFORM_SDEF)
            memcpy(&v->sdef[sdef], p + 2 * (size_t)bone_size + 4, sizeof v->sdef[sdef]);
        break;
    default:
        for (size_t k = 1; k < 4; k++)
            bone[k] = load_signed(p + k * bone_size, bone_size);
        memcpy(weight, p + 4 * (size_t)bone_size, 4 * sizeof *weight);
        break;
    }
}

static void store_vertices(mmd_vertices *v, const uint8_t *p, const vertex_layout *layout)
{
    for (uint32_t i = 0; i < v->count; i++) {
        memcpy(v->position[i], p, sizeof v->position[i]);
        memcpy(v->normal[i], p + 12, sizeof v->normal[i]);
        memcpy(v->uv[i], p + 24, sizeof v->uv[i]);
        for (uint32_t k = 0; k < layout->uv_count; k++)
            memcpy(v->additional_uv[k][i], p + 32 + 16 * (size_t)k, sizeof v->additional_uv[k][i]);
        uint8_t deform = p[layout->fixed];
        p += layout->fixed + 1;
        v->deform[i] = deform;
        store_deform(v, i, p, layout->bone_size, v->sdef_count);
        if (v->sdef_index)
            v->sdef_index[i] = deform == MMD_DEFORM_SDEF ? (int32_t)v->sdef_count++ : -1;
        p += layout->deform[deform];
        v->edge_scale[i] = load_f32(p);
        p += 4;
    }
}

void pmx_read_vertices(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_cursor_section(cursor, "vertex", -1);
    vertex_layout layout = vertex_layout_of(reader->model);
    uint32_t count = mmd_cursor_count(cursor, layout.fixed + 1 + layout.deform[MMD_DEFORM_BDEF1] + 4);
    if (!mmd_cursor_ok(cursor))
        return;
    uint32_t sdef_count = 0;
    const uint8_t *bytes = walk_vertices(cursor, &layout, count, &sdef_count);
    if (bytes && allocate_vertices(reader, count, sdef_count))
        store_vertices(&reader->model->vertices, bytes, &layout);
}

/* Widens count indices and returns the largest. */
static uint32_t widen_indices(uint32_t *indices, const uint8_t *bytes, uint32_t count, uint8_t size)
{
    if (size == 1)
        for (uint32_t i = 0; i < count; i++)
            indices[i] = bytes[i];
    else if (size == 2)
        for (uint32_t i = 0; i < count; i++)
            indices[i] = load_u16(bytes + 2 * (size_t)i);
    else if (count)
        memcpy(indices, bytes, 4 * (size_t)count);
    uint32_t largest = 0;
    for (uint32_t i = 0; i < count; i++)
        largest = indices[i] > largest ? indices[i] : largest;
    return largest;
}

void pmx_read_surface(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_model *model = reader->model;
    mmd_cursor_section(cursor, "surface", -1);
    uint8_t size = model->layout.vertex_index_size;
    uint32_t count = mmd_cursor_count(cursor, size ? size : 1);
    if (count % 3 != 0)
        mmd_cursor_fail(cursor, MMD_ERROR_COUNT, "%u indices, not a multiple of three", count);
    const uint8_t *bytes = mmd_read_bytes(cursor, (size_t)count * size);
    uint32_t *indices = model_reader_array(reader, count, sizeof *indices);
    if (!bytes || !indices)
        return;
    model->indices = indices;
    model->index_count = count;
    uint32_t vertex_count = model->vertices.count;
    if (count == 0 || widen_indices(indices, bytes, count, size) < vertex_count)
        return;
    uint32_t wrong = 0;
    while (indices[wrong] < vertex_count)
        wrong++;
    cursor->at = (size_t)(bytes - cursor->data) + (size_t)wrong * size;
    mmd_cursor_section(cursor, "surface", wrong);
    mmd_cursor_fail(cursor, MMD_ERROR_INDEX, "vertex %u, but there are %u", indices[wrong], vertex_count);
}

void pmx_read_textures(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_cursor_section(cursor, "texture", -1);
    uint32_t count = mmd_cursor_count(cursor, 4);
    const char **textures = model_reader_array(reader, count, sizeof *textures);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "texture", i);
        textures[i] = pmx_text(reader);
    }
    reader->model->textures = textures;
    reader->model->texture_count = count;
}

static void read_toon(model_reader *reader, mmd_material *material, uint32_t item)
{
    mmd_model *model = reader->model;
    material->shared_toon = pmx_switch(reader, "the toon's source");
    if (!material->shared_toon) {
        material->toon = pmx_reference(reader, model->layout.texture_index_size, model->texture_count,
                                       "material", item, "toon");
        return;
    }
    material->toon =
        model_reader_reference(reader, mmd_read_u8(&reader->cursor), 10, "material", item, "shared toon");
    material->shared_toon = material->toon >= 0;
}

static void read_material(model_reader *reader, mmd_material *material, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_model *model = reader->model;
    uint8_t size = model->layout.texture_index_size;
    material->name = pmx_text(reader);
    material->name_en = pmx_text(reader);
    mmd_read_floats(cursor, material->diffuse, 4);
    mmd_read_floats(cursor, material->specular, 3);
    material->specular_power = mmd_read_f32(cursor);
    mmd_read_floats(cursor, material->ambient, 3);
    material->flags = mmd_read_u8(cursor);
    mmd_read_floats(cursor, material->edge_color, 4);
    material->edge_size = mmd_read_f32(cursor);
    material->texture = pmx_reference(reader, size, model->texture_count, "material", item, "texture");
    material->sphere = pmx_reference(reader, size, model->texture_count, "material", item, "sphere");
    material->sphere_mode = mmd_read_u8(cursor);
    read_toon(reader, material, item);
    material->memo = pmx_text(reader);
    int32_t index_count = mmd_read_i32(cursor);
    if (index_count < 0)
        mmd_cursor_fail(cursor, MMD_ERROR_COUNT, "a negative number of indices, %d", index_count);
    material->index_count = (uint32_t)index_count;
}

void pmx_read_materials(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_model *model = reader->model;
    mmd_cursor_section(cursor, "material", -1);
    /* Three texts, 16 floats, flags, two textures, sphere mode, toon source, a shared toon, index count. */
    size_t smallest = 12 + 64 + 1 + 2 * (size_t)model->layout.texture_index_size + 3 + 4;
    uint32_t count = mmd_cursor_count(cursor, smallest);
    mmd_material *materials = model_reader_array(reader, count, sizeof *materials);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "material", i);
        read_material(reader, &materials[i], i);
    }
    if (!mmd_cursor_ok(cursor))
        return;
    model->materials = materials;
    model->material_count = count;
    model_reader_check_materials(reader);
}
