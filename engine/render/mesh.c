/* The immutable part of a model on the GPU: unskinned vertices, data textures, faces. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "render_internal.h"

/* ---------------------------------------------------------- ranges of faces */

/* The element buffer holds a model's triangles. Materials drawn as points or lines (PMX 2.1) have points or
 * lines instead. */

typedef struct element_list {
    uint32_t *elements;
    uint32_t count;
    uint32_t *seen; /* by vertex: 1 + the last material that used it as a point */
} element_list;

static void add_triangles(element_list *list, const uint32_t *indices, uint32_t count)
{
    memcpy(list->elements + list->count, indices, count * sizeof *indices);
    list->count += count;
}

/*
 * Adds each vertex once. A face of a point material is A-A-A, and blending must not draw a point three times.
 */
static void add_points(element_list *list, const uint32_t *indices, uint32_t count, uint32_t material)
{
    for (uint32_t i = 0; i < count; i++) {
        if (list->seen[indices[i]] == material + 1)
            continue;
        list->seen[indices[i]] = material + 1;
        list->elements[list->count++] = indices[i];
    }
}

/*
 * Adds lines. A face of a line material is A-B-A, which is one line; a real triangle gives its three sides.
 */
static void add_lines(element_list *list, const uint32_t *indices, uint32_t count)
{
    for (uint32_t i = 0; i + 3 <= count; i += 3) {
        const uint32_t *face = indices + i;
        int sides = face[2] == face[0] || face[2] == face[1] ? 1 : 3;
        for (int side = 0; side < sides; side++) {
            list->elements[list->count++] = face[side];
            list->elements[list->count++] = face[(side + 1) % 3];
        }
    }
}

static void measure(const uint32_t *elements, draw_range *range)
{
    range->lowest = range->count ? UINT32_MAX : 0;
    range->highest = 0;
    for (uint32_t i = range->first; i < range->first + range->count; i++) {
        if (elements[i] < range->lowest)
            range->lowest = elements[i];
        if (elements[i] > range->highest)
            range->highest = elements[i];
    }
}

static void build(const mmd_model *model, element_list *list, draw_range *ranges)
{
    for (uint32_t m = 0; m < model->material_count; m++) {
        const mmd_material *material = &model->materials[m];
        assert((uint64_t)material->first_index + material->index_count <= model->index_count);
        const uint32_t *indices = model->indices + material->first_index;
        uint32_t count = material->index_count - material->index_count % 3;
        draw_range *range = &ranges[m];
        range->first = list->count;
        if (material->flags & MMD_MATERIAL_POINTS) {
            range->mode = GL_POINTS;
            add_points(list, indices, count, m);
        } else if (material->flags & MMD_MATERIAL_LINES) {
            range->mode = GL_LINES;
            add_lines(list, indices, count);
        } else {
            range->mode = GL_TRIANGLES;
            add_triangles(list, indices, count);
        }
        range->count = list->count - range->first;
        measure(list->elements, range);
    }
}

static void narrow(uint32_t *elements, uint32_t count)
{
    unsigned char *to = (unsigned char *)elements;
    for (uint32_t i = 0; i < count; i++) {
        uint16_t element = (uint16_t)elements[i];
        memcpy(to + 2 * (size_t)i, &element, 2);
    }
}

/* Creates the element buffer of a model, with points and lines for materials of these kinds. */
static mmd_status draw_ranges_create(mmd_renderer *renderer, const mmd_model *model, draw_range *ranges,
                                     GLuint *buffer, GLenum *type, mmd_error *error)
{
    assert(renderer && model);
    element_list list = {0};
    size_t most = 0; /* a line material needs three lines per face */
    for (uint32_t m = 0; m < model->material_count; m++)
        most += 2 * (size_t)model->materials[m].index_count;
    list.elements = mmd_alloc(most * sizeof *list.elements);
    list.seen = mmd_alloc((size_t)model->vertices.count * sizeof *list.seen);
    mmd_status status;
    if (!list.elements || !list.seen) {
        status = mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a model's faces");
    } else {
        memset(list.seen, 0, (size_t)model->vertices.count * sizeof *list.seen);
        build(model, &list, ranges);
        /* 65,535 is not an index of 16 bits, because it can restart primitives (Metal does, always). */
        *type = model->vertices.count <= 65535 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT;
        if (*type == GL_UNSIGNED_SHORT)
            narrow(list.elements, list.count);
        mmd_gpu_buffer_desc desc = {
            .data = list.elements, .size = list.count * element_size(*type), .label = "faces"};
        status = mmd_gpu_buffer_create(renderer->gpu, &desc, buffer, error);
    }
    mmd_free(list.seen);
    mmd_free(list.elements);
    return status;
}

/* ------------------------------------------------------------------- meshes */

/* A mesh under construction. After the first error, further functions do nothing. */
typedef struct mesh_builder {
    mmd_render_mesh *mesh;
    mmd_status status;
    mmd_error *error;
} mesh_builder;

static bool builder_ok(const mesh_builder *builder)
{
    return builder->status == MMD_OK;
}

/* Creates a buffer with one attribute of the model's vertices; the mesh owns it. Returns 0 after an error. */
static GLuint add_stream(mesh_builder *builder, const void *data, size_t stride, const char *label)
{
    mmd_render_mesh *mesh = builder->mesh;
    assert(mesh->buffer_count < sizeof mesh->buffers / sizeof *mesh->buffers);
    GLuint buffer = 0;
    mmd_gpu_buffer_desc desc = {.data = data, .size = stride * mesh->model->vertices.count, .label = label};
    if (builder_ok(builder))
        builder->status = mmd_gpu_buffer_create(mesh->renderer->gpu, &desc, &buffer, builder->error);
    if (builder_ok(builder))
        mesh->buffers[mesh->buffer_count++] = buffer;
    return buffer;
}

static void add_floats(mesh_builder *builder, GLuint attribute, int components, const void *data,
                       const char *label)
{
    GLuint buffer = add_stream(builder, data, (size_t)components * sizeof(float), label);
    if (!builder_ok(builder))
        return;
    mmd_gpu_bind_array(builder->mesh->renderer->gpu, builder->mesh->skin_array);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glEnableVertexAttribArray(attribute);
    glVertexAttribPointer(attribute, components, GL_FLOAT, GL_FALSE, 0, NULL);
}

static void add_integers(mesh_builder *builder, GLuint attribute, int components, const void *data,
                         const char *label)
{
    GLuint buffer = add_stream(builder, data, (size_t)components * sizeof(int32_t), label);
    if (!builder_ok(builder))
        return;
    mmd_gpu_bind_array(builder->mesh->renderer->gpu, builder->mesh->skin_array);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glEnableVertexAttribArray(attribute);
    glVertexAttribIPointer(attribute, components, GL_INT, 0, NULL);
}

static void add_table(mesh_builder *builder, size_t texels, const void *data, const char *label,
                      GLuint *texture)
{
    if (builder_ok(builder))
        builder->status = table_create(builder->mesh->renderer, MMD_GPU_RGBA32F, texels, data, label, texture,
                                       builder->error);
}

/* Returns the features that the skin program needs for these vertices and morphs. */
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

static void add_vertex_info(mesh_builder *builder, const morph_table *table)
{
    const mmd_vertices *vertices = &builder->mesh->model->vertices;
    int32_t(*info)[4] = builder_ok(builder) ? mmd_alloc((size_t)vertices->count * sizeof *info) : NULL;
    if (!info) {
        if (builder_ok(builder))
            builder->status = render_no_memory("a mesh", builder->error);
        return;
    }
    for (uint32_t v = 0; v < vertices->count; v++) {
        info[v][0] = table->runs[v][0];
        info[v][1] = table->runs[v][1];
        info[v][2] = vertices->deform[v];
        info[v][3] = vertices->sdef_index ? vertices->sdef_index[v] : -1;
    }
    add_integers(builder, SKIN_INFO, 4, info, "skin info");
    mmd_free(info);
}

static void add_morphs(mesh_builder *builder)
{
    mmd_render_mesh *mesh = builder->mesh;
    morph_table table = {0};
    if (builder_ok(builder))
        builder->status = morph_table_vertices(mesh->renderer, mesh->model, &table, builder->error);
    add_table(builder, table.texel_count, table.texels, "the vertex morph table", &mesh->displacements);
    add_vertex_info(builder, &table);
    morph_table_finish(&table);
}

static void add_uv_morphs(mesh_builder *builder)
{
    mmd_render_mesh *mesh = builder->mesh;
    const mmd_vertices *vertices = &mesh->model->vertices;
    morph_table table = {0};
    if (builder_ok(builder))
        builder->status = morph_table_uvs(mesh->renderer, mesh->model, &table, builder->error);
    add_table(builder, table.texel_count, table.texels, "the UV morph table", &mesh->uv_offsets);
    add_integers(builder, SKIN_UV_INFO, 2, table.runs, "UV morph info");
    add_floats(builder, SKIN_UV, 2, vertices->uv, "rest UV");
    if (vertices->additional_uv[0])
        add_floats(builder, SKIN_EXTRA, 4, vertices->additional_uv[0], "rest additional UV");
    morph_table_finish(&table);
}

static void add_sdef(mesh_builder *builder)
{
    mmd_render_mesh *mesh = builder->mesh;
    const mmd_vertices *vertices = &mesh->model->vertices;
    size_t texels = 3 * (size_t)vertices->sdef_count;
    table_shape shape = table_shape_of(mesh->renderer, texels);
    uint32_t limit = (uint32_t)mmd_gpu_get_info(mesh->renderer->gpu)->max_texture_size;
    float(*data)[4] = NULL;
    /* otherwise table_create reports the error without reading data */
    if (builder_ok(builder) && shape.height <= limit) {
        size_t size = (size_t)shape.width * shape.height * sizeof *data;
        data = mmd_alloc(size);
        if (!data) {
            builder->status = render_no_memory("a mesh", builder->error);
            return;
        }
        memset(data, 0, size);
        for (uint32_t i = 0; i < vertices->sdef_count; i++) {
            memcpy(data[3 * (size_t)i], vertices->sdef[i].c, sizeof vertices->sdef[i].c);
            memcpy(data[3 * (size_t)i + 1], vertices->sdef[i].r0, sizeof vertices->sdef[i].r0);
            memcpy(data[3 * (size_t)i + 2], vertices->sdef[i].r1, sizeof vertices->sdef[i].r1);
        }
    }
    add_table(builder, texels, data, "the SDEF table", &mesh->sdef);
    mmd_free(data);
}

/* Creates the attributes that the skin pass reads. */
static void create_skin_streams(mesh_builder *builder, const float (*tangents)[3])
{
    mmd_render_mesh *mesh = builder->mesh;
    const mmd_vertices *vertices = &mesh->model->vertices;
    glGenVertexArrays(1, &mesh->skin_array);
    add_floats(builder, SKIN_POSITION, 3, vertices->position, "rest positions");
    add_floats(builder, SKIN_NORMAL, 3, vertices->normal, "rest normals");
    add_floats(builder, SKIN_WEIGHTS, 4, vertices->weight, "bone weights");
    add_integers(builder, SKIN_BONES, 4, vertices->bone, "bones");
    if (tangents)
        add_floats(builder, SKIN_TANGENT, 3, tangents, "rest tangents");
    add_morphs(builder);
    if (mesh->skin_features & SKIN_UV_MORPHS)
        add_uv_morphs(builder);
    if (mesh->skin_features & SKIN_SDEF)
        add_sdef(builder);
}

/* Creates the attributes that drawing reads besides the skinned vertices. */
static void create_draw_streams(mesh_builder *builder)
{
    mmd_render_mesh *mesh = builder->mesh;
    const mmd_vertices *vertices = &mesh->model->vertices;
    mesh->edge_buffer = add_stream(builder, vertices->edge_scale, sizeof(float), "edge scales");
    if (mesh->skin_features & SKIN_UV_MORPHS)
        return;
    mesh->uv_buffer = add_stream(builder, vertices->uv, 2 * sizeof(float), "UV");
    if (vertices->additional_uv[0])
        mesh->extra_buffer =
            add_stream(builder, vertices->additional_uv[0], 4 * sizeof(float), "additional UV");
}

/* Determines the layout of the skin pass's output, in the order of the list in variant.c. */
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

void mmd_render_mesh_set_textures(mmd_render_mesh *mesh, const mmd_render_material_textures *materials)
{
    assert(mesh && (materials || !mesh->model->material_count));
    if (mesh->model->material_count)
        memcpy(mesh->textures, materials, mesh->model->material_count * sizeof *mesh->textures);
}

static mmd_status fill(mmd_render_mesh *mesh, const mmd_render_mesh_desc *desc, mmd_error *error)
{
    const mmd_model *model = desc->model;
    mesh->textures = mmd_arena_alloc(&mesh->arena, model->material_count, sizeof *mesh->textures);
    mesh->ranges = mmd_arena_alloc(&mesh->arena, model->material_count, sizeof *mesh->ranges);
    if (!mesh->textures || !mesh->ranges)
        return render_no_memory("a mesh", error);
    mmd_render_mesh_set_textures(mesh, desc->materials);
    mesh->skin_features = skin_features_of(model, desc->tangents != NULL);
    lay_out_vertex(mesh);
    mesh_builder builder = {.mesh = mesh, .error = error};
    builder.status = renderer_skin_program(
        mesh->renderer, mesh->skin_features | (model->has_scale ? SKIN_SCALED : 0u), NULL, error);
    create_skin_streams(&builder, desc->tangents);
    create_draw_streams(&builder);
    if (builder_ok(&builder))
        builder.status = draw_ranges_create(mesh->renderer, model, mesh->ranges, &mesh->element_buffer,
                                            &mesh->element_type, error);
    return builder.status;
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
    mmd_gpu_bind_array(mesh->renderer->gpu, 0);
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
    mmd_gpu_array_destroy(mesh->renderer->gpu, mesh->skin_array);
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
