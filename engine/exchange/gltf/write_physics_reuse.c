/*
 * Nodes that a document had for its physics before and that can have it again
 * when it goes on in another dialect: those of shapes below their bodies (and
 * the meshes of those), of joints and of their other ends. They must stand where they are needed, below
 * the body that is meant; so a document does not grow with every conversion.
 *
 * Joints stay on their nodes all together or not at all: their order in the
 * file is that of their nodes.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "reader.h"
#include "write_physics.h"

/* Farther from a body, or more nodes below one, nobody looks. */
enum { DEEPEST = 256, MOST_BELOW = 256 };

bool phys_same_place(const mmd_transform *a, const mmd_transform *b)
{
    assert(a && b);
    float along = 0;
    for (int k = 0; k < 4; k++)
        along += a->rotation[k] * b->rotation[k];
    float sign = along < 0 ? -1.0f : 1.0f;
    for (int k = 0; k < 4; k++)
        if (fabsf(a->rotation[k] - sign * b->rotation[k]) > 3e-6f)
            return false;
    for (int k = 0; k < 3; k++)
        if (fabsf(a->translation[k] - b->translation[k]) > 1e-6f * (16 + fabsf(a->translation[k])))
            return false;
    return true;
}

static bool stands_at(const phys_writer *writer, int32_t node, const mmd_transform *place)
{
    mmd_transform own;
    gltf_node_place(writer->builder, node, &own, NULL);
    return phys_same_place(&own, place);
}

static bool is_old(const phys_writer *writer, int32_t node)
{
    return !writer->builder->failed && node >= 0 && (uint32_t)node < writer->node_count;
}

/* ---------------------------------------------------------------- shapes */

typedef struct shape_search {
    phys_writer *writer;
    const char *name;
    const mmd_transform *place;
    uint32_t seen;
} shape_search;

static bool is_named(const json_t *node, const char *name)
{
    const char *own;
    size_t length = gltf_item_name(node, &own);
    return strlen(name) == length && memcmp(own, name, length) == 0;
}

static bool is_free(const shape_search *search, int32_t node)
{
    json_t *json = gltf_node_json(search->writer->builder, node);
    const json_t *held = json_object_get(json_object_get(json, "extensions"), search->writer->extension);
    return !held && is_named(json, search->name) && stands_at(search->writer, node, search->place);
}

/* Below a node, but not below or on one that is a body of its own. */
static int32_t search_below(shape_search *search, int32_t node)
{
    const json_t *children = json_object_get(gltf_node_json(search->writer->builder, node), "children");
    for (size_t i = 0; i < json_array_size(children) && search->seen++ < MOST_BELOW; i++) {
        int32_t child = (int32_t)json_integer_value(json_array_get(children, i));
        if (!is_old(search->writer, child) || (search->writer->carried[child] & 4))
            continue;
        int32_t found = is_free(search, child) ? child : search_below(search, child);
        if (found >= 0)
            return found;
    }
    return -1;
}

int32_t phys_old_shape(phys_writer *writer, int32_t body_node, const char *name, const mmd_transform *place)
{
    assert(writer);
    shape_search search = {.writer = writer, .name = name, .place = place};
    bool goes_on = writer->builder->base && name[0] && is_old(writer, body_node);
    return goes_on ? search_below(&search, body_node) : -1;
}

/* ------------------------------------------------- the ground, the world */

static bool is_bare(const phys_writer *writer, int32_t node, const char *name)
{
    const json_t *json = gltf_node_json(writer->builder, node);
    return is_named(json, name) && writer->builder->places[node].parent < 0 &&
           !json_object_get(json, "extensions") && !json_object_get(json, "mesh");
}

int32_t phys_scene_node(phys_writer *writer, const char *name, const mmd_transform *place)
{
    assert(writer);
    gltf_builder *builder = writer->builder;
    int32_t last = -1;
    for (uint32_t i = 0; i < writer->scene->body_count; i++)
        last = builder->node_of_body[i] > last ? builder->node_of_body[i] : last;
    for (int32_t node = last + 1; builder->base && is_old(writer, node); node++)
        if (is_bare(writer, node, name) && stands_at(writer, node, place))
            return node;
    return gltf_add_node(builder, name, NULL, -1, place);
}

/* ---------------------------------------------------------------- meshes */

/* What a node's collider or trigger was in the document that goes on. */
static const json_t *old_part(const phys_writer *writer, int32_t node, bool trigger)
{
    const gltf_builder *builder = writer->builder;
    if (!builder->base || builder->read || !is_old(writer, node))
        return NULL;
    const json_t *nodes = json_object_get(builder->base->kept->root, "nodes");
    const json_t *held = json_object_get(json_array_get(nodes, (size_t)node), "extensions");
    const json_t *khr = json_object_get(held, "KHR_physics_rigid_bodies");
    return json_object_get(khr ? khr : json_object_get(held, "OMI_physics_body"),
                           trigger ? "trigger" : "collider");
}

static int32_t number_of(const json_t *number)
{
    json_int_t value = json_is_integer(number) ? json_integer_value(number) : -1;
    return value >= 0 && value <= INT32_MAX ? (int32_t)value : -1;
}

static const json_t *element(const json_t *root, const char *list, const json_t *number)
{
    int32_t i = number_of(number);
    return i < 0 ? NULL : json_array_get(json_object_get(root, list), (size_t)i);
}

/* An entry of the lists of shapes that say meshes. */
static const json_t *old_shape(const json_t *root, const json_t *part)
{
    const json_t *held = json_object_get(root, "extensions");
    const json_t *khr = json_object_get(held, "KHR_collision_shapes");
    return element(khr ? khr : json_object_get(held, "OMI_physics_shape"), "shapes",
                   json_object_get(part, "shape"));
}

static const json_t *old_mesh_of(const json_t *root, const json_t *part, const char *type)
{
    const json_t *geometry = json_object_get(part, "geometry"), *shape = old_shape(root, part);
    if (!geometry)
        return json_object_get(json_object_get(shape, type), "mesh");
    bool hull = json_is_true(json_object_get(geometry, "convexHull"));
    if (hull != (strcmp(type, "convex") == 0))
        return NULL;
    return json_object_get(element(root, "nodes", json_object_get(geometry, "node")), "mesh");
}

static json_int_t count_points(const json_t *root, const json_t *mesh)
{
    const json_t *primitives = json_object_get(mesh, "primitives");
    json_int_t count = 0;
    for (size_t i = 0; i < json_array_size(primitives); i++) {
        const json_t *attributes = json_object_get(json_array_get(primitives, i), "attributes");
        const json_t *accessor = element(root, "accessors", json_object_get(attributes, "POSITION"));
        count += json_integer_value(json_object_get(accessor, "count"));
    }
    return count;
}

int32_t phys_old_mesh(const phys_writer *writer, const mmd_phys_shape *shape, int32_t node)
{
    assert(writer && shape);
    const json_t *part = old_part(writer, node, shape->trigger);
    if (!part)
        return -1;
    const json_t *root = writer->builder->base->kept->root;
    const json_t *number = old_mesh_of(root, part, shape->kind == MMD_PHYS_HULL ? "convex" : "trimesh");
    const json_t *mesh = element(root, "meshes", number);
    return mesh && count_points(root, mesh) == writer->scene->meshes[shape->mesh].point_count
               ? number_of(number)
               : -1;
}

int32_t phys_old_mesh_node(const phys_writer *writer, const mmd_phys_shape *shape, int32_t node, int32_t mesh)
{
    assert(writer && shape);
    const json_t *root = writer->builder->root;
    const json_t *named =
        json_object_get(json_object_get(old_part(writer, node, shape->trigger), "geometry"), "node");
    const json_t *own = json_array_get(json_object_get(root, "nodes"), (size_t)node);
    if (number_of(json_object_get(own, "mesh")) == mesh)
        return node;
    return number_of(json_object_get(element(root, "nodes", named), "mesh")) == mesh ? number_of(named) : -1;
}

/* ---------------------------------------------------------------- joints */

/* The body's node that a node is fixed to; -1: none, -2: too far. */
static int32_t fixed_to(const phys_writer *writer, int32_t node)
{
    for (int depth = 0; depth < DEEPEST; depth++) {
        if (node < 0 || (writer->carried[node] & 4))
            return node;
        node = writer->builder->places[node].parent;
    }
    return -2;
}

static bool can_be_end(const phys_writer *writer, int32_t node, int32_t body, const mmd_transform *place)
{
    int32_t wanted = body < 0 ? -1 : writer->builder->node_of_body[body];
    return is_old(writer, node) && fixed_to(writer, node) == wanted && stands_at(writer, node, place);
}

static const mmd_exchange *base_of(const phys_writer *writer)
{
    const gltf_builder *builder = writer->builder;
    bool same = builder->base && !builder->read && builder->base->physscene;
    return same && builder->base->physscene->joint_count == writer->scene->joint_count ? builder->base : NULL;
}

static bool joint_stays(const phys_writer *writer, const mmd_exchange *base, uint32_t number)
{
    const mmd_phys_joint *joint = &writer->scene->joints[number];
    mmd_transform places[2];
    int32_t node = base->joints[number].node;
    if (!is_old(writer, node) || (writer->omi && (writer->carried[node] & 4)))
        return false;
    phys_joint_places(writer, joint, places);
    return writer->omi && !writer->newer ? stands_at(writer, node, &places[0])
                                         : can_be_end(writer, node, joint->body_a, &places[0]);
}

bool phys_joints_stay(const phys_writer *writer)
{
    assert(writer);
    const mmd_exchange *base = base_of(writer);
    bool worlds = false, stay = base && !writer->builder->failed;
    for (uint32_t i = 0; stay && i < writer->scene->joint_count; i++) {
        const mmd_phys_joint *joint = &writer->scene->joints[i];
        worlds = worlds || joint->body_a < 0;
        stay = joint_stays(writer, base, i);
    }
    return stay && !(worlds && writer->omi); /* where the world is a body, what hangs on it is below that */
}

int32_t phys_old_joint(const phys_writer *writer, uint32_t number)
{
    assert(writer);
    assert(number < writer->scene->joint_count);
    return writer->joints_stay && !writer->builder->failed ? base_of(writer)->joints[number].node : -1;
}

/* What the document named as the other end, in KHR's words or OMI's. */
static int32_t named_end(const mmd_exchange *base, int32_t node)
{
    const json_t *held = json_object_get(
        json_array_get(json_object_get(base->kept->root, "nodes"), (size_t)node), "extensions");
    const json_t *khr = json_object_get(json_object_get(held, "KHR_physics_rigid_bodies"), "joint");
    const json_t *omi = json_object_get(held, "OMI_physics_joint");
    const json_t *named = json_object_get(khr ? khr : omi, "connectedNode");
    return json_is_integer(named) ? (int32_t)json_integer_value(named) : -1;
}

int32_t phys_old_end(const phys_writer *writer, uint32_t number, const mmd_transform *place)
{
    assert(writer);
    assert(number < writer->scene->joint_count);
    const mmd_exchange *base = base_of(writer);
    const mmd_phys_joint *joint = &writer->scene->joints[number];
    if (!base || base->joints[number].node < 0 || (joint->body_b < 0 && writer->omi))
        return -1;
    int32_t node = named_end(base, base->joints[number].node);
    return can_be_end(writer, node, joint->body_b, place) ? node : -1;
}
