/*
 * A mesh for files that have none: the shapes of a scene's bodies, one
 * material and one run of triangles a body, each held by the body's bone.
 */
#include <string.h>

#include "exchange_internal.h"
#include "shape_mesh.h"

/* Of more shapes than this, the round ones are coarse: memory stays within a multiple of the file. */
enum { SHAPES_FINE = 200, SEGMENTS_COARSE = 8 };

/* Whether all that a body has are triggers, which are seen through. */
static bool only_triggers(const mmd_physscene *scene, const mmd_phys_body *body)
{
    for (uint32_t i = 0; i < body->shape_count; i++)
        if (!scene->shapes[body->first_shape + i].trigger)
            return false;
    return body->shape_count > 0;
}

/* The colour in full light, half of it in shade: MMD adds the ambient colour to the light's share. */
static void set_material(const mmd_physscene *scene, const mmd_phys_body *body, const float color[4],
                         mmd_material *material)
{
    *material = (mmd_material){
        .name = body->name,
        .name_en = "",
        .memo = "",
        .edge_size = 0.6f,
        .flags = MMD_MATERIAL_GROUND_SHADOW | MMD_MATERIAL_CASTS_SHADOW | MMD_MATERIAL_RECEIVES_SHADOW |
                 MMD_MATERIAL_EDGE,
        .shared_toon = true,
        .toon = 0,
        .texture = -1,
        .sphere = -1,
    };
    for (int k = 0; k < 3; k++) {
        material->diffuse[k] = color[k];
        material->ambient[k] = 0.4f * color[k];
        material->edge_color[k] = 0.3f * color[k];
    }
    material->edge_color[3] = 1.0f;
    material->diffuse[3] = only_triggers(scene, body) ? 0.35f * color[3] : color[3];
    if (scene->shapes && body->shape_count && scene->shapes[body->first_shape].kind == MMD_PHYS_PLANE)
        material->flags = MMD_MATERIAL_TWO_SIDED | MMD_MATERIAL_RECEIVES_SHADOW;
}

/* All bodies' triangles; ends[i] is where those of body i end, and those of the vertices. */
static void gather(const mmd_physscene *scene, shape_mesh *mesh, uint32_t (*ends)[2])
{
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const mmd_phys_body *body = &scene->bodies[i];
        for (uint32_t k = 0; k < body->shape_count; k++) {
            const mmd_phys_shape *shape = &scene->shapes[body->first_shape + k];
            shape_mesh_add(mesh, scene, shape, &body->rest);
        }
        ends[i][0] = mesh->index_count;
        ends[i][1] = mesh->vertex_count;
    }
}

static bool allocate(mmd_model *model, const mmd_physscene *scene, const shape_mesh *mesh)
{
    mmd_arena *arena = &model->arena;
    mmd_vertices *vertices = &model->vertices;
    vertices->position = mmd_arena_alloc(arena, mesh->vertex_count, sizeof vertices->position[0]);
    vertices->normal = mmd_arena_alloc(arena, mesh->vertex_count, sizeof vertices->normal[0]);
    vertices->uv = mmd_arena_alloc(arena, mesh->vertex_count, sizeof vertices->uv[0]);
    vertices->deform = mmd_arena_alloc(arena, mesh->vertex_count, sizeof vertices->deform[0]);
    vertices->bone = mmd_arena_alloc(arena, mesh->vertex_count, sizeof vertices->bone[0]);
    vertices->weight = mmd_arena_alloc(arena, mesh->vertex_count, sizeof vertices->weight[0]);
    vertices->edge_scale = mmd_arena_alloc(arena, mesh->vertex_count, sizeof vertices->edge_scale[0]);
    model->indices = mmd_arena_alloc(arena, mesh->index_count, sizeof *model->indices);
    model->materials = mmd_arena_alloc(arena, scene->body_count, sizeof *model->materials);
    return vertices->position && vertices->normal && vertices->uv && vertices->deform && vertices->bone &&
           vertices->weight && vertices->edge_scale && model->indices && model->materials;
}

static void set_vertices(mmd_vertices *vertices, const mmd_physscene *scene, const uint32_t (*ends)[2])
{
    for (uint32_t body = 0, i = 0; body < scene->body_count; body++)
        for (; i < ends[body][1]; i++) {
            vertices->deform[i] = MMD_DEFORM_BDEF1;
            vertices->weight[i][0] = vertices->edge_scale[i] = 1.0f;
            vertices->bone[i][0] = scene->bodies[body].bone;
            vertices->bone[i][1] = vertices->bone[i][2] = vertices->bone[i][3] = -1;
        }
}

static void fill(mmd_model *model, const mmd_physscene *scene, const float (*colors)[4],
                 const shape_mesh *mesh, const uint32_t (*ends)[2])
{
    mmd_vertices *vertices = &model->vertices;
    vertices->count = mesh->vertex_count;
    model->index_count = mesh->index_count;
    model->material_count = scene->body_count;
    if (mesh->vertex_count) {
        memcpy(vertices->position, mesh->positions, mesh->vertex_count * sizeof mesh->positions[0]);
        memcpy(vertices->normal, mesh->normals, mesh->vertex_count * sizeof mesh->normals[0]);
    }
    if (mesh->index_count)
        memcpy(model->indices, mesh->indices, mesh->index_count * sizeof *mesh->indices);
    set_vertices(vertices, scene, ends);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        uint32_t first = i ? ends[i - 1][0] : 0;
        set_material(scene, &scene->bodies[i], colors[i], &model->materials[i]);
        model->materials[i].first_index = first;
        model->materials[i].index_count = ends[i][0] - first;
    }
}

mmd_status shape_model_build(const mmd_physscene *scene, const float (*colors)[4], mmd_model *model,
                             mmd_error *error)
{
    shape_mesh mesh = {.segments = scene->shape_count > SHAPES_FINE ? SEGMENTS_COARSE : 0};
    uint32_t(*ends)[2] = mmd_alloc(((size_t)scene->body_count + 1) * sizeof *ends);
    if (ends)
        gather(scene, &mesh, ends);
    bool done = ends && !mesh.failed && allocate(model, scene, &mesh);
    if (done)
        fill(model, scene, colors, &mesh, (const uint32_t(*)[2])ends);
    shape_mesh_finish(&mesh);
    mmd_free(ends);
    return done ? MMD_OK
                : mmd_error_set(error, MMD_ERROR_MEMORY, "physics", MMD_NO_OFFSET,
                                "no memory for the shapes of %u bodies", scene->body_count);
}
