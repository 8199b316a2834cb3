/*
 * Shapes, colliders and triggers of a glTF (FORMATS.md 4, Shapes): the inverse
 * of physics_shape.c. A node's scale is taken out of a shape as the
 * reader puts it in; heights of OMI's capsules are total.
 *
 * Hulls and triangles are meshes: of the shape itself, in KHR's current dialect
 * of a node that is in no scene, so that nobody draws it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "write_physics.h"

/* Half sizes in units of the box that stands for a plane: 200 m by 1 m. */
#define PLANE_REACH (100.0f / METRES_PER_UNIT)
#define PLANE_DEPTH (0.5f / METRES_PER_UNIT)

static bool tapers(const mmd_phys_shape *shape)
{
    bool round = shape->kind == MMD_PHYS_CAPSULE || shape->kind == MMD_PHYS_CYLINDER;
    return round && shape->size[0] != shape->size[2];
}

mmd_phys_shape phys_said_shape(const phys_writer *writer, const mmd_phys_shape *shape, bool moving)
{
    static const float down[3] = {0, -PLANE_DEPTH, 0};
    mmd_phys_shape said = *shape;
    if (shape->kind == MMD_PHYS_PLANE && (writer->omi || !writer->newer || moving)) {
        said.kind = MMD_PHYS_BOX;
        said.size[0] = said.size[2] = PLANE_REACH;
        said.size[1] = PLANE_DEPTH;
        mmd_transform_point(&shape->frame, down, said.frame.translation);
    }
    if (writer->omi && tapers(shape))
        said.size[0] = said.size[2] = fmaxf(shape->size[0], shape->size[2]);
    bool flat = shape->kind == MMD_PHYS_CAPSULE && shape->size[1] <= 0 && !tapers(&said);
    if (flat && !writer->omi && writer->newer)
        said.kind = MMD_PHYS_SPHERE; /* KHR's current schema wants capsules longer than 0 */
    return said;
}

void phys_lose_shape(phys_writer *writer, const mmd_phys_shape *shape, const mmd_phys_shape *said)
{
    if (shape->kind == MMD_PHYS_PLANE && said->kind == MMD_PHYS_BOX)
        phys_lose(writer, MMD_LOSS_APPROXIMATED, "shape.approximated", "plane", "\"plane\"", "\"box\"");
    if (tapers(shape) && !tapers(said))
        phys_lose(writer, MMD_LOSS_APPROXIMATED, "shape.approximated", "radiusTop", "two radii",
                  "the larger one");
}

/* ----------------------------------------------------------------- scale */

static float size_of(float scale)
{
    float size = fabsf(scale);
    return size > 1e-12f && fabsf(size - 1) > 1e-5f ? size : 1;
}

/* What the reader will make larger by the node's scale. */
static void unscale(mmd_phys_shape *shape, const float scale[3])
{
    float s[3], *size = shape->size;
    for (int k = 0; k < 3; k++)
        s[k] = size_of(scale[k]);
    float across = fmaxf(s[0], s[2]);
    if (shape->kind == MMD_PHYS_SPHERE) {
        size[0] /= fmaxf(across, s[1]);
    } else if (shape->kind == MMD_PHYS_BOX) {
        for (int k = 0; k < 3; k++)
            size[k] /= s[k];
    } else if (shape->kind == MMD_PHYS_CAPSULE || shape->kind == MMD_PHYS_CYLINDER) {
        float bottom = size[scale[1] < 0 ? 2 : 0] / across, top = size[scale[1] < 0 ? 0 : 2] / across;
        size[0] = bottom;
        size[1] /= s[1];
        size[2] = top;
    }
}

/* ---------------------------------------------------------------- meshes */

static void turn_around(uint32_t *indices, uint32_t count)
{
    for (uint32_t i = 0; i + 2 < count; i += 3) {
        uint32_t kept = indices[i + 1];
        indices[i + 1] = indices[i + 2];
        indices[i + 2] = kept;
    }
}

/* A copy in another scale; a mirrored one is turned inside out. NULL points: no memory. */
static mmd_phys_mesh unscaled_mesh(const mmd_phys_mesh *mesh, const float scale[3], mmd_arena *arena)
{
    float(*points)[3] = mmd_arena_alloc(arena, mesh->point_count, sizeof *points);
    uint32_t *indices = mmd_arena_alloc(arena, mesh->index_count, sizeof *indices);
    mmd_phys_mesh made = {.point_count = mesh->point_count, .index_count = mesh->index_count};
    if (!points || !indices)
        return made;
    for (uint32_t i = 0; i < mesh->point_count; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = mesh->points[i][k] / copysignf(size_of(scale[k]), scale[k]);
    if (mesh->index_count)
        memcpy(indices, mesh->indices, mesh->index_count * sizeof *indices);
    if (scale[0] * scale[1] * scale[2] < 0)
        turn_around(indices, mesh->index_count);
    made.points = (const float(*)[3])points;
    made.indices = indices;
    return made;
}

static bool is_scaled(const float scale[3])
{
    for (int k = 0; k < 3; k++)
        if (scale[k] < 0 || size_of(scale[k]) != 1)
            return true;
    return false;
}

static int32_t add_mesh(phys_writer *writer, const mmd_phys_mesh *mesh, const float scale[3],
                        const char *name)
{
    if (!is_scaled(scale))
        return gltf_add_shape_mesh(writer->builder, mesh, name);
    mmd_arena arena = {0};
    mmd_phys_mesh made = unscaled_mesh(mesh, scale, &arena);
    int32_t number = 0;
    if (made.points)
        number = gltf_add_shape_mesh(writer->builder, &made, name);
    else
        writer->builder->failed = true;
    mmd_arena_finish(&arena);
    return number;
}

/* A node that nobody draws. */
static int32_t add_mesh_node(phys_writer *writer, int32_t mesh, const char *name)
{
    gltf_builder *builder = writer->builder;
    int32_t node = gltf_new_node(builder);
    gltf_name_node(builder, node, name, "mesh");
    gltf_put(builder, gltf_node_json(builder, node), "mesh", json_integer(mesh));
    return node;
}

/* The file's mesh of a shape, in KHR's current dialect a node that has it; each is made once a scale. */
static int32_t mesh_of(phys_writer *writer, const mmd_phys_shape *shape, const float scale[3], int32_t node)
{
    gltf_builder *builder = writer->builder;
    bool by_node = !writer->omi && writer->newer;
    int32_t old = phys_old_mesh(writer, shape, node);
    int32_t number = by_node && old >= 0 ? phys_old_mesh_node(writer, shape, node, old) : old;
    if (number >= 0 || builder->failed)
        return number;
    char key[128];
    snprintf(key, sizeof key, "%d %a %a %a", shape->mesh, (double)scale[0], (double)scale[1],
             (double)scale[2]);
    const json_t *known = json_object_get(writer->meshes, key);
    if (known)
        return (int32_t)json_integer_value(known);
    const char *name = shape->name[0] ? shape->name : writer->name;
    number = old >= 0 ? old : add_mesh(writer, &writer->scene->meshes[shape->mesh], scale, name);
    if (by_node)
        number = add_mesh_node(writer, number, name);
    gltf_put(builder, writer->meshes, key, json_integer(number));
    return number;
}

/* ---------------------------------------------------------------- values */

static json_t *box_values(const phys_writer *writer, const mmd_phys_shape *shape)
{
    (void)writer;
    json_t *size = json_array();
    for (int k = 0; k < 3; k++)
        json_array_append_new(size, phys_number(2 * METRES_PER_UNIT * shape->size[k]));
    return json_pack("{s:o}", "size", size);
}

static json_t *sphere_values(const phys_writer *writer, const mmd_phys_shape *shape)
{
    (void)writer;
    return json_pack("{s:o}", "radius", phys_number(METRES_PER_UNIT * shape->size[0]));
}

static json_t *round_values(const phys_writer *writer, const mmd_phys_shape *shape)
{
    float bottom = METRES_PER_UNIT * shape->size[0], top = METRES_PER_UNIT * shape->size[2];
    float height = METRES_PER_UNIT * shape->size[1];
    if (!writer->omi)
        return json_pack("{s:o, s:o, s:o}", "height", phys_number(height), "radiusBottom",
                         phys_number(bottom), "radiusTop", phys_number(top));
    if (shape->kind == MMD_PHYS_CAPSULE)
        height += bottom + top;
    return json_pack("{s:o, s:o}", "height", phys_number(height), "radius", phys_number(bottom));
}

static json_t *plane_values(const phys_writer *writer, const mmd_phys_shape *shape)
{
    (void)writer;
    (void)shape;
    return json_object();
}

static const struct {
    const char *type;
    json_t *(*values)(const phys_writer *writer, const mmd_phys_shape *shape);
} kinds[] = {
    [MMD_PHYS_SPHERE] = {"sphere", sphere_values},
    [MMD_PHYS_BOX] = {"box", box_values},
    [MMD_PHYS_CAPSULE] = {"capsule", round_values},
    [MMD_PHYS_CYLINDER] = {"cylinder", round_values},
    [MMD_PHYS_HULL] = {"convex", NULL},
    [MMD_PHYS_MESH] = {"trimesh", NULL},
    [MMD_PHYS_PLANE] = {"plane", plane_values},
};

static bool is_mesh(const mmd_phys_shape *shape)
{
    return shape->kind == MMD_PHYS_HULL || shape->kind == MMD_PHYS_MESH;
}

int32_t phys_list_shape(phys_writer *writer, const mmd_phys_shape *said, const float scale[3], int32_t node)
{
    const char *type = kinds[said->kind].type;
    mmd_phys_shape shape = *said;
    json_t *values;
    if (is_mesh(said) && !writer->omi && writer->newer)
        return -1;
    unscale(&shape, scale);
    if (is_mesh(said))
        values = json_pack("{s:i}", "mesh", (int)mesh_of(writer, said, scale, node));
    else
        values = kinds[said->kind].values(writer, &shape);
    return phys_intern(writer, &writer->shapes, json_pack("{s:s, s:o}", "type", type, type, values));
}

/* KHR's current way. */
static json_t *geometry(phys_writer *writer, const mmd_phys_shape *said, const float scale[3], int32_t node,
                        int32_t listed)
{
    if (listed >= 0)
        return json_pack("{s:i}", "shape", (int)listed);
    return json_pack("{s:i, s:b}", "node", (int)mesh_of(writer, said, scale, node), "convexHull",
                     said->kind == MMD_PHYS_HULL);
}

void phys_put_shape(phys_writer *writer, const mmd_phys_shape *said, int32_t node)
{
    gltf_builder *builder = writer->builder;
    mmd_transform place;
    float scale[3];
    if (builder->failed)
        return;
    gltf_node_place(builder, node, &place, scale);
    int32_t listed = phys_list_shape(writer, said, scale, node),
            filter = phys_write_filter(writer, said->filter);
    int32_t material = said->trigger ? -1 : phys_write_material(writer, said->material);
    json_t *part = phys_part(writer, node, said->trigger ? "trigger" : "collider");
    if (!writer->omi && writer->newer)
        gltf_put(builder, part, "geometry", geometry(writer, said, scale, node, listed));
    else
        gltf_put(builder, part, "shape", json_integer(listed));
    if (material >= 0)
        gltf_put(builder, part, "physicsMaterial", json_integer(material));
    if (filter >= 0)
        gltf_put(builder, part, "collisionFilter", json_integer(filter));
}
