/* PMX writer: the layout of the file, header, texts, indices, and the order of the sections (MMD.md 1.1). */
#include "pmx_writer.h"
#include "mmd/text.h"

#include <assert.h>
#include <string.h>

void pmx_write_count(pmx_writer *writer, uint32_t count)
{
    assert(count <= INT32_MAX);
    mmd_write_u32(writer->out, count);
}

void pmx_write_text(pmx_writer *writer, const char *text)
{
    assert(text);
    size_t length = strlen(text);
    /* No encoding is longer than twice the UTF-8. */
    if (writer->text_capacity < 2 * length) {
        uint8_t *grown = mmd_realloc(writer->text, 2 * length);
        if (!grown) {
            writer->out->failed = true;
            return;
        }
        writer->text = grown;
        writer->text_capacity = 2 * length;
    }
    size_t size = writer->layout.encoding
                      ? mmd_file_from_utf8(text, length, writer->text, writer->text_capacity)
                      : mmd_utf16le_from_utf8(text, length, writer->text, writer->text_capacity);
    assert(size <= writer->text_capacity);
    pmx_write_count(writer, (uint32_t)size);
    mmd_write_bytes(writer->out, writer->text, size);
}

void pmx_write_index(pmx_writer *writer, int32_t index, uint8_t size)
{
    uint32_t bits = (uint32_t)index;
    mmd_write_bytes(
        writer->out,
        (uint8_t[4]){(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24)},
        size);
}

/* The file's index size if count things fit, else the smallest that does. Largest index + 1 of 1 and 2 bytes.
 */
static uint8_t index_size(uint8_t wanted, uint32_t count, uint32_t limit1, uint32_t limit2)
{
    uint8_t needed = count <= limit1 ? 1 : count <= limit2 ? 2 : 4;
    bool known = wanted == 1 || wanted == 2 || wanted == 4;
    return known && wanted > needed ? wanted : needed;
}

static uint8_t signed_size(uint8_t wanted, uint32_t count)
{
    return index_size(wanted, count, 128, 32768);
}

/* New files leave the last code unused, as PMX Editor does; files that use it keep their size. */
static uint8_t vertex_size(uint8_t wanted, uint32_t count)
{
    if ((wanted == 1 && count <= 256) || (wanted == 2 && count <= 65536))
        return wanted;
    return index_size(wanted, count, 255, 65535);
}

static mmd_pmx_layout choose_layout(const mmd_model *model)
{
    mmd_pmx_layout layout = model->layout;
    layout.vertex_index_size = vertex_size(layout.vertex_index_size, model->vertices.count);
    layout.texture_index_size = signed_size(layout.texture_index_size, model->texture_count);
    layout.material_index_size = signed_size(layout.material_index_size, model->material_count);
    layout.bone_index_size = signed_size(layout.bone_index_size, model->bone_count);
    layout.morph_index_size = signed_size(layout.morph_index_size, model->morph_count);
    layout.body_index_size = signed_size(layout.body_index_size, model->body_count);
    if (layout.globals_count < 8)
        layout.globals_count = 8;
    return layout;
}

/* What version 2.1 brought, soft bodies apart (MMD.md 1.1). */
static bool has_2_1_morph(const mmd_model *model)
{
    for (uint32_t i = 0; i < model->morph_count; i++)
        if (model->morphs[i].kind == MMD_MORPH_FLIP || model->morphs[i].kind == MMD_MORPH_IMPULSE)
            return true;
    return false;
}

static bool has_2_1_joint(const mmd_model *model)
{
    for (uint32_t i = 0; i < model->joint_count; i++)
        if (model->joints[i].kind != 0)
            return true;
    return false;
}

static bool has_2_1_material(const mmd_model *model)
{
    const uint8_t newer = MMD_MATERIAL_VERTEX_COLOR | MMD_MATERIAL_POINTS | MMD_MATERIAL_LINES;
    for (uint32_t i = 0; i < model->material_count; i++)
        if (model->materials[i].flags & newer)
            return true;
    return false;
}

static bool has_2_1_vertex(const mmd_model *model)
{
    const mmd_vertices *vertices = &model->vertices;
    return vertices->count && memchr(vertices->deform, MMD_DEFORM_QDEF, vertices->count);
}

/*
 * Files of 2.0 that hold what only 2.1 knows exist, and keep their version:
 * they are written back as they were. But a 2.0 file has no place for soft bodies.
 */
static bool is_2_1(const mmd_model *model)
{
    bool pmx = model->origin != MMD_ORIGIN_X; /* whose versions are others */
    if ((pmx && model->version > 2.05f) || model->soft_body_count > 0)
        return true;
    if (model->origin == MMD_ORIGIN_PMX)
        return false;
    return has_2_1_morph(model) || has_2_1_joint(model) || has_2_1_material(model) || has_2_1_vertex(model);
}

static void write_header(pmx_writer *writer)
{
    const mmd_model *model = writer->model;
    const mmd_pmx_layout *layout = &writer->layout;
    mmd_write_bytes(writer->out, layout->hard_space ? "PMX\xa0" : "PMX ", 4);
    mmd_write_f32(writer->out, writer->version_2_1 ? 2.1f : 2.0f);
    mmd_write_u8(writer->out, layout->globals_count);
    const uint8_t globals[8] = {
        layout->encoding,
        (uint8_t)model->vertices.additional_uv_count,
        layout->vertex_index_size,
        layout->texture_index_size,
        layout->material_index_size,
        layout->bone_index_size,
        layout->morph_index_size,
        layout->body_index_size,
    };
    mmd_write_bytes(writer->out, globals, sizeof globals);
    mmd_write_bytes(writer->out, layout->extra_globals, layout->globals_count - 8u);
    pmx_write_text(writer, model->name);
    pmx_write_text(writer, model->name_en);
    pmx_write_text(writer, model->comment);
    pmx_write_text(writer, model->comment_en);
}

static void write_textures(pmx_writer *writer)
{
    pmx_write_count(writer, writer->model->texture_count);
    for (uint32_t i = 0; i < writer->model->texture_count; i++)
        pmx_write_text(writer, writer->model->textures[i]);
}

mmd_status mmd_pmx_write(const mmd_model *model, mmd_buffer *out, mmd_error *error)
{
    assert(model && out && model->vertices.additional_uv_count <= 4);
    pmx_writer writer = {
        .model = model, .out = out, .layout = choose_layout(model), .version_2_1 = is_2_1(model)};
    write_header(&writer);
    pmx_write_vertices(&writer);
    pmx_write_surface(&writer);
    write_textures(&writer);
    pmx_write_materials(&writer);
    pmx_write_bones(&writer);
    pmx_write_morphs(&writer);
    pmx_write_frames(&writer);
    pmx_write_bodies(&writer);
    pmx_write_joints(&writer);
    if (writer.version_2_1 && (model->soft_body_count > 0 || !model->layout.no_soft_bodies))
        pmx_write_soft_bodies(&writer);
    mmd_write_bytes(out, model->layout.trailing, model->layout.trailing_size);
    mmd_free(writer.text);
    if (out->failed)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for the PMX file");
    return MMD_OK;
}
