/* A model's unchanging part: vertices to be skinned, tables, faces. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "render_internal.h"

/* One attribute of the model's vertices in a buffer of its own, which the mesh keeps. */
static mmd_status add_stream(mmd_render_mesh *mesh, const void *data, size_t stride, const char *label,
                             GLuint *buffer, mmd_error *error)
{
    assert(mesh->buffer_count < sizeof mesh->buffers / sizeof *mesh->buffers);
    mmd_gpu_buffer_desc desc = {.data = data, .size = stride * mesh->model->vertices.count, .label = label};
    mmd_status status = mmd_gpu_buffer_create(mesh->renderer->gpu, &desc, buffer, error);
    if (status == MMD_OK)
        mesh->buffers[mesh->buffer_count++] = *buffer;
    return status;
}

static mmd_status add_floats(mmd_render_mesh *mesh, GLuint attribute, int components, const void *data,
                             const char *label, mmd_error *error)
{
    GLuint buffer;
    mmd_status status = add_stream(mesh, data, (size_t)components * sizeof(float), label, &buffer, error);
    if (status != MMD_OK)
        return status;
    glBindVertexArray(mesh->skin_array);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glEnableVertexAttribArray(attribute);
    glVertexAttribPointer(attribute, components, GL_FLOAT, GL_FALSE, 0, NULL);
    return MMD_OK;
}

static mmd_status add_integers(mmd_render_mesh *mesh, GLuint attribute, int components, const void *data,
                               const char *label, mmd_error *error)
{
    GLuint buffer;
    mmd_status status = add_stream(mesh, data, (size_t)components * sizeof(int32_t), label, &buffer, error);
    if (status != MMD_OK)
        return status;
    glBindVertexArray(mesh->skin_array);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glEnableVertexAttribArray(attribute);
    glVertexAttribIPointer(attribute, components, GL_INT, 0, NULL);
    return MMD_OK;
}

/* What the skin program must be able to do for these vertices and morphs. */
static uint32_t skin_features_of(const mmd_model *model, bool tangents)
{
    uint32_t features = (tangents ? SKIN_TANGENTS : 0) | (model->has_scale ? SKIN_SCALED : 0);
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const mmd_morph *morph = &model->morphs[m];
        if (!morph->count)
            continue;
        if (morph->kind == MMD_MORPH_VERTEX)
            features |= SKIN_MORPHS;
        if (morph->kind == MMD_MORPH_UV || morph->kind == MMD_MORPH_ADDITIONAL_UV1)
            features |= SKIN_UV_MORPHS;
    }
    const mmd_vertices *vertices = &model->vertices;
    for (uint32_t v = 0; v < vertices->count; v++) {
        if (vertices->deform[v] == MMD_DEFORM_SDEF)
            features |= SKIN_SDEF;
        if (vertices->deform[v] == MMD_DEFORM_QDEF)
            features |= SKIN_DUAL;
        if (vertices->bone[v][2] >= 0 || vertices->bone[v][3] >= 0)
            features |= SKIN_FOUR_BONES;
    }
    return features;
}

static mmd_status add_vertex_info(mmd_render_mesh *mesh, const morph_table *table, mmd_error *error)
{
    const mmd_vertices *vertices = &mesh->model->vertices;
    int32_t(*info)[4] = mmd_alloc((size_t)vertices->count * sizeof *info);
    if (!info)
        return render_no_memory("a mesh", error);
    for (uint32_t v = 0; v < vertices->count; v++) {
        info[v][0] = table->runs[v][0];
        info[v][1] = table->runs[v][1];
        info[v][2] = vertices->deform[v];
        info[v][3] = vertices->sdef_index ? vertices->sdef_index[v] : -1;
    }
    mmd_status status = add_integers(mesh, SKIN_INFO, 4, info, "skin info", error);
    mmd_free(info);
    return status;
}

static mmd_status add_morphs(mmd_render_mesh *mesh, mmd_error *error)
{
    morph_table table = {0};
    mmd_status status = morph_table_vertices(mesh->renderer, mesh->model, &table, error);
    if (status == MMD_OK)
        status = table_create(mesh->renderer, MMD_GPU_RGBA32F, table.texel_count, table.texels,
                              "the vertex morph table", &mesh->displacements, error);
    if (status == MMD_OK)
        status = add_vertex_info(mesh, &table, error);
    morph_table_finish(&table);
    return status;
}

static mmd_status add_uv_morphs(mmd_render_mesh *mesh, mmd_error *error)
{
    const mmd_vertices *vertices = &mesh->model->vertices;
    morph_table table = {0};
    mmd_status status = morph_table_uvs(mesh->renderer, mesh->model, &table, error);
    if (status == MMD_OK)
        status = table_create(mesh->renderer, MMD_GPU_RGBA32F, table.texel_count, table.texels,
                              "the UV morph table", &mesh->uv_offsets, error);
    if (status == MMD_OK)
        status = add_integers(mesh, SKIN_UV_INFO, 2, table.runs, "UV morph info", error);
    if (status == MMD_OK)
        status = add_floats(mesh, SKIN_UV, 2, vertices->uv, "rest UV", error);
    if (status == MMD_OK && vertices->additional_uv[0])
        status = add_floats(mesh, SKIN_EXTRA, 4, vertices->additional_uv[0], "rest additional UV", error);
    morph_table_finish(&table);
    return status;
}

static mmd_status add_sdef(mmd_render_mesh *mesh, mmd_error *error)
{
    const mmd_vertices *vertices = &mesh->model->vertices;
    size_t texels = 3 * (size_t)vertices->sdef_count;
    table_shape shape = table_shape_of(mesh->renderer, texels);
    uint32_t limit = (uint32_t)mmd_gpu_get_info(mesh->renderer->gpu)->max_texture_size;
    float(*data)[4] = NULL;
    if (shape.height <= limit) { /* else table_create refuses before it looks at data */
        size_t size = (size_t)shape.width * shape.height * sizeof *data;
        data = mmd_alloc(size);
        if (!data)
            return render_no_memory("a mesh", error);
        memset(data, 0, size);
        for (uint32_t i = 0; i < vertices->sdef_count; i++) {
            memcpy(data[3 * (size_t)i], vertices->sdef[i].c, sizeof vertices->sdef[i].c);
            memcpy(data[3 * (size_t)i + 1], vertices->sdef[i].r0, sizeof vertices->sdef[i].r0);
            memcpy(data[3 * (size_t)i + 2], vertices->sdef[i].r1, sizeof vertices->sdef[i].r1);
        }
    }
    mmd_status status =
        table_create(mesh->renderer, MMD_GPU_RGBA32F, texels, data, "the SDEF table", &mesh->sdef, error);
    mmd_free(data);
    return status;
}

/* What the skin pass reads. */
static mmd_status create_skin_streams(mmd_render_mesh *mesh, const float (*tangents)[3], mmd_error *error)
{
    const mmd_vertices *vertices = &mesh->model->vertices;
    glGenVertexArrays(1, &mesh->skin_array);
    mmd_status status = add_floats(mesh, SKIN_POSITION, 3, vertices->position, "rest positions", error);
    if (status == MMD_OK)
        status = add_floats(mesh, SKIN_NORMAL, 3, vertices->normal, "rest normals", error);
    if (status == MMD_OK)
        status = add_floats(mesh, SKIN_WEIGHTS, 4, vertices->weight, "bone weights", error);
    if (status == MMD_OK)
        status = add_integers(mesh, SKIN_BONES, 4, vertices->bone, "bones", error);
    if (status == MMD_OK && tangents)
        status = add_floats(mesh, SKIN_TANGENT, 3, tangents, "rest tangents", error);
    if (status == MMD_OK)
        status = add_morphs(mesh, error);
    if (status == MMD_OK && (mesh->skin_features & SKIN_UV_MORPHS))
        status = add_uv_morphs(mesh, error);
    if (status == MMD_OK && (mesh->skin_features & SKIN_SDEF))
        status = add_sdef(mesh, error);
    return status;
}

/* What drawing reads beside the skinned vertices. */
static mmd_status create_draw_streams(mmd_render_mesh *mesh, mmd_error *error)
{
    const mmd_vertices *vertices = &mesh->model->vertices;
    mmd_status status =
        add_stream(mesh, vertices->edge_scale, sizeof(float), "edge scales", &mesh->edge_buffer, error);
    if (mesh->skin_features & SKIN_UV_MORPHS)
        return status;
    if (status == MMD_OK)
        status = add_stream(mesh, vertices->uv, 2 * sizeof(float), "UV", &mesh->uv_buffer, error);
    if (status == MMD_OK && vertices->additional_uv[0])
        status = add_stream(mesh, vertices->additional_uv[0], 4 * sizeof(float), "additional UV",
                            &mesh->extra_buffer, error);
    return status;
}

/* Where the outputs of the skin pass lie, in the order of variant.c's list. */
static void lay_out_vertex(mmd_render_mesh *mesh)
{
    uint32_t floats = 6;
    if (mesh->skin_features & SKIN_TANGENTS) {
        mesh->tangent_offset = 4 * floats;
        floats += 3;
    }
    if (mesh->skin_features & SKIN_UV_MORPHS) {
        mesh->uv_offset = 4 * floats;
        mesh->extra_offset = 4 * (floats + 2);
        floats += 6;
    }
    mesh->stride = 4 * floats;
}

static mmd_status fill(mmd_render_mesh *mesh, const mmd_render_mesh_desc *desc, mmd_error *error)
{
    const mmd_model *model = desc->model;
    mesh->textures = mmd_arena_alloc(&mesh->arena, model->material_count, sizeof *mesh->textures);
    mesh->ranges = mmd_arena_alloc(&mesh->arena, model->material_count, sizeof *mesh->ranges);
    if (!mesh->textures || !mesh->ranges)
        return render_no_memory("a mesh", error);
    if (model->material_count)
        memcpy(mesh->textures, desc->materials, model->material_count * sizeof *mesh->textures);
    mesh->skin_features = skin_features_of(model, desc->tangents != NULL);
    lay_out_vertex(mesh);
    mmd_status status = create_skin_streams(mesh, desc->tangents, error);
    if (status == MMD_OK)
        status = create_draw_streams(mesh, error);
    if (status == MMD_OK)
        status = draw_ranges_create(mesh->renderer, model, mesh->ranges, &mesh->element_buffer,
                                    &mesh->element_type, error);
    const skin_program *program;
    if (status == MMD_OK)
        status = renderer_skin_program(mesh->renderer, mesh->skin_features, &program, error);
    return status;
}

mmd_status mmd_render_mesh_create(mmd_renderer *renderer, const mmd_render_mesh_desc *desc,
                                  mmd_render_mesh **result, mmd_error *error)
{
    assert(renderer && desc && desc->model && (desc->materials || !desc->model->material_count) && result);
    *result = NULL;
    mmd_render_mesh *mesh = mmd_alloc(sizeof *mesh);
    if (!mesh)
        return render_no_memory("a mesh", error);
    memset(mesh, 0, sizeof *mesh);
    mesh->renderer = renderer;
    mesh->model = desc->model;
    mmd_status status = fill(mesh, desc, error);
    glBindVertexArray(0);
    if (status != MMD_OK) {
        mmd_render_mesh_destroy(mesh);
        return status;
    }
    *result = mesh;
    return MMD_OK;
}

void mmd_render_mesh_destroy(mmd_render_mesh *mesh)
{
    if (!mesh)
        return;
    mmd_gpu *gpu = mesh->renderer->gpu;
    glDeleteVertexArrays(1, &mesh->skin_array);
    for (uint32_t i = 0; i < mesh->buffer_count; i++)
        mmd_gpu_buffer_destroy(gpu, mesh->buffers[i]);
    mmd_gpu_buffer_destroy(gpu, mesh->element_buffer);
    mmd_gpu_buffer_destroy(gpu, mesh->dominant_buffer);
    mmd_gpu_buffer_destroy(gpu, mesh->tint_buffer);
    mmd_gpu_texture_destroy(gpu, mesh->displacements);
    mmd_gpu_texture_destroy(gpu, mesh->uv_offsets);
    mmd_gpu_texture_destroy(gpu, mesh->sdef);
    mmd_arena_finish(&mesh->arena);
    mmd_free(mesh);
}
