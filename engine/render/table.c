/* Data textures: their shapes, and morph records grouped by vertex (the morph displacement texture,
 * docs/formats.md 7, and a second one for UVs). */
#include <assert.h>
#include <string.h>

#include "render_internal.h"

table_shape table_shape_of(const mmd_renderer *renderer, size_t texels)
{
    assert(renderer);
    size_t width = (size_t)1 << renderer->table_bits;
    if (texels <= width)
        return (table_shape){(uint32_t)(texels ? texels : 1), 1};
    size_t height = (texels + width - 1) / width;
    return (table_shape){(uint32_t)width, height > UINT32_MAX ? UINT32_MAX : (uint32_t)height};
}

mmd_status table_create(mmd_renderer *renderer, mmd_gpu_format format, size_t texels, const void *data,
                        const char *label, GLuint *texture, mmd_error *error)
{
    assert(renderer && texture);
    table_shape shape = table_shape_of(renderer, texels);
    mmd_gpu_texture_desc desc = {
        .width = shape.width, .height = shape.height, .format = format, .data = data, .label = label};
    return mmd_gpu_texture_create(renderer->gpu, &desc, texture, error);
}

/* Computes the first record of each vertex from the numbers of records. Afterwards `first` is the next free
 * record. */
static void start_runs(morph_table *table, uint32_t vertex_count)
{
    int32_t first = 0;
    for (uint32_t v = 0; v < vertex_count; v++) {
        table->runs[v][0] = first;
        first += table->runs[v][1];
        table->runs[v][1] = 0;
    }
}

/* Allocates texels for the counted records. Fails if they exceed the texture size. */
static mmd_status allocate_texels(const mmd_renderer *renderer, uint32_t vertex_count, size_t texels_a_record,
                                  const char *what, morph_table *table, mmd_error *error)
{
    table->texel_count = texels_a_record * table->record_count;
    table_shape shape = table_shape_of(renderer, table->texel_count);
    uint32_t limit = (uint32_t)mmd_gpu_get_info(renderer->gpu)->max_texture_size;
    if (shape.height > limit || table->texel_count > INT32_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET,
                             "%zu %s records need a texture of %u x %u, and this GPU has at most %u x %u",
                             table->record_count, what, shape.width, shape.height, limit, limit);
    size_t size = (size_t)shape.width * shape.height * sizeof *table->texels;
    table->texels = mmd_alloc(size);
    if (!table->texels)
        return render_no_memory("a model's morph table", error);
    memset(table->texels, 0, size);
    start_runs(table, vertex_count);
    return MMD_OK;
}

static bool start(morph_table *table, uint32_t vertex_count)
{
    memset(table, 0, sizeof *table);
    table->runs = mmd_alloc((size_t)vertex_count * sizeof *table->runs);
    if (table->runs)
        memset(table->runs, 0, (size_t)vertex_count * sizeof *table->runs);
    return table->runs != NULL;
}

static size_t next_record(morph_table *table, int32_t vertex)
{
    int32_t *run = table->runs[vertex];
    return (size_t)(run[0] + run[1]++);
}

mmd_status morph_table_vertices(const mmd_renderer *renderer, const mmd_model *model, morph_table *table,
                                mmd_error *error)
{
    assert(renderer && model && table);
    if (!start(table, model->vertices.count))
        return render_no_memory("a model's morph table", error);
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const mmd_morph *morph = &model->morphs[m];
        if (morph->kind != MMD_MORPH_VERTEX)
            continue;
        table->record_count += morph->count;
        for (uint32_t i = 0; i < morph->count; i++)
            table->runs[morph->offsets.vertex[i].vertex][1]++;
    }
    mmd_status status = allocate_texels(renderer, model->vertices.count, 1, "vertex morph", table, error);
    for (uint32_t m = 0; m < model->morph_count && status == MMD_OK; m++) {
        const mmd_morph *morph = &model->morphs[m];
        if (morph->kind != MMD_MORPH_VERTEX)
            continue;
        for (uint32_t i = 0; i < morph->count; i++) {
            const mmd_vertex_offset *offset = &morph->offsets.vertex[i];
            float *texel = table->texels[next_record(table, offset->vertex)];
            memcpy(texel, offset->offset, sizeof offset->offset);
            texel[3] = (float)m;
        }
    }
    return status;
}

/* Tests whether a UV morph affects the picture: UV (channel 0) and additional UV 1 (channel 1) do. */
static bool is_drawn_uv(const mmd_morph *morph)
{
    return morph->kind == MMD_MORPH_UV || morph->kind == MMD_MORPH_ADDITIONAL_UV1;
}

mmd_status morph_table_uvs(const mmd_renderer *renderer, const mmd_model *model, morph_table *table,
                           mmd_error *error)
{
    assert(renderer && model && table);
    if (!start(table, model->vertices.count))
        return render_no_memory("a model's morph table", error);
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const mmd_morph *morph = &model->morphs[m];
        if (!is_drawn_uv(morph))
            continue;
        table->record_count += morph->count;
        for (uint32_t i = 0; i < morph->count; i++)
            table->runs[morph->offsets.uv[i].vertex][1]++;
    }
    mmd_status status = allocate_texels(renderer, model->vertices.count, 2, "UV morph", table, error);
    for (uint32_t m = 0; m < model->morph_count && status == MMD_OK; m++) {
        const mmd_morph *morph = &model->morphs[m];
        if (!is_drawn_uv(morph))
            continue;
        for (uint32_t i = 0; i < morph->count; i++) {
            const mmd_uv_offset *offset = &morph->offsets.uv[i];
            float(*texels)[4] = &table->texels[2 * next_record(table, offset->vertex)];
            memcpy(texels[0], offset->offset, sizeof texels[0]);
            texels[1][0] = (float)m;
            texels[1][1] = morph->kind == MMD_MORPH_UV ? 0.0f : 1.0f;
        }
    }
    return status;
}

void morph_table_finish(morph_table *table)
{
    assert(table);
    mmd_free(table->runs);
    mmd_free(table->texels);
    memset(table, 0, sizeof *table);
}
