/*
 * A model's mesh as a glTF says it (glTF 2.0, 3.7): one primitive a material,
 * each with vertices of its own, so that programs that load them one by one
 * get no more than they draw. The mesh stands in the scene, not below the
 * bones: a skinned mesh's own place says nothing.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "write_mesh.h"

enum { MODE_POINTS, MODE_LINES, MODE_TRIANGLES = 4 };

void *gltf_mesh_alloc(gltf_mesh_writer *writer, size_t count, size_t size)
{
    assert(writer);
    void *memory = writer->builder->failed ? NULL : mmd_arena_alloc(&writer->arena, count, size);
    writer->builder->failed = !memory;
    return memory;
}

/* ---------------------------------------------------------------- pieces */

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The vertices of a material, each once. marks: of vertices, the last material (from 1) that had them. */
static void find_vertices(gltf_mesh_writer *writer, uint32_t material, uint32_t *marks)
{
    const mmd_model *model = writer->model;
    const mmd_material *of = &model->materials[material];
    gltf_mesh_piece *piece = &writer->pieces[writer->piece_count];
    uint32_t *found = gltf_mesh_alloc(writer, of->index_count, sizeof *found);
    if (!found)
        return;
    *piece = (gltf_mesh_piece){.material = material, .vertices = found};
    for (uint32_t i = 0; i < of->index_count; i++) {
        uint32_t vertex = model->indices[of->first_index + i];
        if (marks[vertex] == material + 1)
            continue;
        marks[vertex] = material + 1;
        found[piece->vertex_count++] = vertex;
    }
    qsort(found, piece->vertex_count, sizeof *found, compare_numbers);
    writer->piece_count++;
}

static void list_pieces(gltf_mesh_writer *writer)
{
    const mmd_model *model = writer->model;
    uint32_t *marks = gltf_mesh_alloc(writer, model->vertices.count, sizeof *marks);
    writer->pieces = gltf_mesh_alloc(writer, model->material_count, sizeof *writer->pieces);
    for (uint32_t i = 0; i < model->material_count && !writer->builder->failed; i++)
        if (model->materials[i].index_count >= 3)
            find_vertices(writer, i, marks);
}

/* ------------------------------------------------------------ attributes */

static float finite_or(float value, float fallback)
{
    return isfinite(value) ? value : fallback;
}

static void put_position(const mmd_model *model, uint32_t vertex, float *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = METRES_PER_UNIT * finite_or(model->vertices.position[vertex][k], 0);
    out[2] = -out[2];
}

/* Of unit length; where there is none, up. */
static void put_normal(const mmd_model *model, uint32_t vertex, float *out)
{
    const float *normal = model->vertices.normal[vertex];
    double n[3], length = 0;
    for (int k = 0; k < 3; k++) {
        n[k] = (double)finite_or(normal[k], 0);
        length += n[k] * n[k];
    }
    length = sqrt(length);
    for (int k = 0; k < 3; k++)
        out[k] = length > 1e-12 ? (float)(n[k] / length) : k == 1;
    out[2] = -out[2];
}

static void put_uv(const mmd_model *model, uint32_t vertex, float *out)
{
    for (int k = 0; k < 2; k++)
        out[k] = finite_or(model->vertices.uv[vertex][k], 0);
}

/* As on the screen to linear (IEC 61966-2-1). */
float gltf_linear_color(float screen)
{
    if (!(screen > 0))
        return 0;
    if (screen >= 1)
        return 1;
    return screen <= 0.04045F ? screen / 12.92F : powf((screen + 0.055F) / 1.055F, 2.4F);
}

static void put_color(const mmd_model *model, uint32_t vertex, float *out)
{
    const float *color = model->vertices.additional_uv[0][vertex];
    for (int k = 0; k < 3; k++)
        out[k] = gltf_linear_color(color[k]);
    out[3] = fmaxf(0, fminf(1, finite_or(color[3], 1)));
}

typedef struct attribute {
    const char *name, *type;
    uint32_t width;
    bool bounds;
    void (*put)(const mmd_model *model, uint32_t vertex, float *out);
} attribute;

static const attribute attributes[] = {{"POSITION", "VEC3", 3, true, put_position},
                                       {"NORMAL", "VEC3", 3, false, put_normal},
                                       {"TEXCOORD_0", "VEC2", 2, false, put_uv},
                                       {"COLOR_0", "VEC4", 4, false, put_color}};

static void write_attribute(gltf_mesh_writer *writer, const gltf_mesh_piece *piece, const attribute *kind)
{
    gltf_builder *builder = writer->builder;
    float *values =
        builder->failed ? NULL : mmd_alloc((size_t)piece->vertex_count * kind->width * sizeof *values);
    builder->failed = !values;
    if (!values)
        return;
    for (uint32_t i = 0; i < piece->vertex_count; i++)
        kind->put(writer->model, piece->vertices[i], values + (size_t)i * kind->width);
    int32_t accessor =
        gltf_add_floats(builder, values, piece->vertex_count, kind->type, GLTF_ARRAY_BUFFER, kind->bounds);
    gltf_put(builder, gltf_object(builder, piece->primitive, "attributes"), kind->name,
             json_integer(accessor));
    mmd_free(values);
}

static bool is_colored(const gltf_mesh_writer *writer, const gltf_mesh_piece *piece)
{
    return writer->model->materials[piece->material].flags & MMD_MATERIAL_VERTEX_COLOR &&
           writer->model->vertices.additional_uv_count > 0;
}

static void write_attributes(gltf_mesh_writer *writer, const gltf_mesh_piece *piece)
{
    size_t count = sizeof attributes / sizeof attributes[0] - !is_colored(writer, piece);
    for (size_t i = 0; i < count; i++)
        write_attribute(writer, piece, &attributes[i]);
    gltf_write_weights(writer, piece);
}

/* --------------------------------------------------------------- indices */

static uint32_t mode_of(const mmd_material *material)
{
    return material->flags & MMD_MATERIAL_POINTS  ? MODE_POINTS
           : material->flags & MMD_MATERIAL_LINES ? MODE_LINES
                                                  : MODE_TRIANGLES;
}

/* A face of a line material is A-B-A: one line. A true triangle gives its three sides. */
static uint32_t put_sides(const uint32_t face[3], const uint32_t *places, uint32_t *out)
{
    int sides = face[2] == face[0] || face[2] == face[1] ? 1 : 3;
    for (int side = 0; side < sides; side++) {
        *out++ = places[face[side]];
        *out++ = places[face[(side + 1) % 3]];
    }
    return (uint32_t)sides * 2;
}

/* The mirror turns triangles round. */
static uint32_t put_triangle(const uint32_t face[3], const uint32_t *places, uint32_t *out)
{
    out[0] = places[face[0]];
    out[1] = places[face[2]];
    out[2] = places[face[1]];
    return 3;
}

/* places: of vertices, where they are in the piece. out has room for two indices a corner. */
static uint32_t list_indices(const gltf_mesh_writer *writer, const gltf_mesh_piece *piece,
                             const uint32_t *places, uint32_t *out)
{
    const mmd_material *material = &writer->model->materials[piece->material];
    const uint32_t *from = writer->model->indices + material->first_index, mode = mode_of(material);
    uint32_t count = 0;
    if (mode == MODE_POINTS) /* each vertex once, as it is drawn */
        for (; count < piece->vertex_count; count++)
            out[count] = count;
    else
        for (uint32_t i = 0; i + 2 < material->index_count; i += 3)
            count += mode == MODE_LINES ? put_sides(from + i, places, out + count)
                                        : put_triangle(from + i, places, out + count);
    return count;
}

static void write_indices(gltf_mesh_writer *writer, const gltf_mesh_piece *piece, uint32_t *places)
{
    gltf_builder *builder = writer->builder;
    const mmd_material *material = &writer->model->materials[piece->material];
    uint32_t *indices =
        builder->failed ? NULL : mmd_alloc(material->index_count * (size_t)2 * sizeof *indices);
    builder->failed = !indices;
    if (!indices)
        return;
    for (uint32_t i = 0; i < piece->vertex_count; i++)
        places[piece->vertices[i]] = i;
    uint32_t count = list_indices(writer, piece, places, indices);
    gltf_put(
        builder, piece->primitive, "indices",
        json_integer(gltf_add_integers(builder, indices, count, "SCALAR", GLTF_ELEMENT_BUFFER, GLTF_U8)));
    if (mode_of(material) != MODE_TRIANGLES)
        gltf_put(builder, piece->primitive, "mode", json_integer(mode_of(material)));
    mmd_free(indices);
}

/* ------------------------------------------------------------------ mesh */

static void write_piece(gltf_mesh_writer *writer, gltf_mesh_piece *piece, json_t *list,
                        const int32_t *material_of, uint32_t *places)
{
    gltf_builder *builder = writer->builder;
    piece->primitive = json_object();
    if (!piece->primitive || json_array_append_new(list, piece->primitive) != 0) {
        builder->failed = true;
        return;
    }
    write_attributes(writer, piece);
    write_indices(writer, piece, places);
    gltf_put(builder, piece->primitive, "material", json_integer(material_of[piece->material]));
}

static void write_primitives(gltf_mesh_writer *writer, json_t *mesh)
{
    gltf_builder *builder = writer->builder;
    json_t *list = json_array();
    gltf_put(builder, mesh, "primitives", list);
    int32_t *material_of = gltf_mesh_alloc(writer, writer->model->material_count, sizeof *material_of);
    uint32_t *places = gltf_mesh_alloc(writer, writer->model->vertices.count, sizeof *places);
    if (!builder->failed)
        gltf_write_materials(builder, material_of);
    for (uint32_t i = 0; i < writer->piece_count && !builder->failed; i++)
        write_piece(writer, &writer->pieces[i], list, material_of, places);
}

static void write_node(gltf_mesh_writer *writer, int32_t mesh)
{
    static const mmd_transform origin = {.rotation = {0, 0, 0, 1}};
    gltf_builder *builder = writer->builder;
    const char *name = writer->model->name;
    writer->node = gltf_add_node(builder, name[0] ? name : "mesh", name[0] ? "mesh" : NULL, -1, &origin);
    json_t *node = gltf_node_json(builder, writer->node);
    gltf_put(builder, node, "mesh", json_integer(mesh));
    gltf_put(builder, node, "skin", json_integer(gltf_write_skin(writer)));
}

/* What meshes of glTF have no room for. */
static void tell_losses(const gltf_mesh_writer *writer)
{
    const mmd_model *model = writer->model;
    uint32_t extra = model->vertices.additional_uv_count;
    bool colored = false;
    for (uint32_t i = 0; i < writer->piece_count; i++)
        colored = colored || is_colored(writer, &writer->pieces[i]);
    if (extra > colored)
        gltf_count_loss(writer->builder, MMD_LOSS_DROPPED, "mesh.uv_dropped", "mesh", "additional UVs",
                        extra - colored);
    if (model->soft_body_count > 0)
        gltf_count_loss(writer->builder, MMD_LOSS_DROPPED, "mesh.soft_bodies", "mesh", "soft bodies",
                        model->soft_body_count);
}

static void write_mesh(gltf_mesh_writer *writer)
{
    gltf_builder *builder = writer->builder;
    json_t *mesh = json_object();
    int32_t number = gltf_append(builder, "meshes", mesh);
    if (builder->failed)
        return;
    if (writer->model->name[0])
        gltf_put(builder, mesh, "name", json_text(writer->model->name));
    write_primitives(writer, mesh);
    if (!builder->failed)
        gltf_write_morphs(writer, mesh);
    if (!builder->failed)
        write_node(writer, number);
    if (!builder->failed)
        tell_losses(writer);
}

void gltf_write_model(gltf_builder *builder)
{
    assert(builder);
    gltf_mesh_writer writer = {.builder = builder, .model = builder->job->model, .node = -1};
    if (!writer.model)
        return;
    list_pieces(&writer);
    if (writer.piece_count > 0 && !builder->failed)
        write_mesh(&writer);
    if (!builder->failed)
        gltf_write_animation(&writer);
    mmd_arena_finish(&writer.arena);
}
