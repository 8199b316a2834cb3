/*
 * Writes a physics scene to the nodes of a glTF, in one of four dialects, and removes physics from a document
 * (docs/formats.md 1, 2 and 4).
 */
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mmd/elementary.h"
#include "reader.h"
#include "write_physics.h"

/* ------------------------------------------------------------- stripping */

static const char *const extensions[] = {
    "KHR_physics_rigid_bodies", "KHR_collision_shapes", "KHR_implicit_shapes", "OMI_physics_body",
    "OMI_physics_shape",        "OMI_physics_joint",    "OMI_physics_gravity"};
enum { EXTENSIONS = sizeof extensions / sizeof extensions[0] };

static bool is_physics(const char *name)
{
    for (int i = 0; name && i < EXTENSIONS; i++)
        if (strcmp(name, extensions[i]) == 0)
            return true;
    return false;
}

/* Removes physics extensions from an object. */
static void strip_object(json_t *object)
{
    json_t *members = json_object_get(object, "extensions");
    if (!json_is_object(members))
        return;
    for (int i = 0; i < EXTENSIONS; i++)
        json_object_del(members, extensions[i]);
    if (json_object_size(members) == 0)
        json_object_del(object, "extensions");
}

/* Removes physics extensions from a list of names. */
static void strip_names(json_t *root, const char *key)
{
    json_t *names = json_object_get(root, key);
    for (size_t i = json_array_size(names); i-- > 0;)
        if (is_physics(json_string_value(json_array_get(names, i))))
            json_array_remove(names, i);
    if (json_is_array(names) && json_array_size(names) == 0)
        json_object_del(root, key);
}

void gltf_strip_physics(gltf_builder *builder)
{
    assert(builder);
    json_t *nodes = json_object_get(builder->root, "nodes");
    for (size_t i = 0; i < json_array_size(nodes); i++)
        strip_object(json_array_get(nodes, i));
    strip_object(builder->root);
    strip_names(builder->root, "extensionsUsed");
    strip_names(builder->root, "extensionsRequired");
}

/* ---------------------------------------------------------- reused nodes */

/*
 * Nodes that a document used for its physics and that can be reused when it is written in another dialect:
 * those of shapes below their bodies (and their meshes), of joints and of their other ends. They must have
 * the required transform and be below the right body. So a document does not grow with every conversion.
 *
 * Either all joints keep their nodes or none, because the order of joints in the file is that of their nodes.
 */

/* Limits of the search: depth below a body, nodes below a body. */
enum { DEEPEST = 256, MOST_BELOW = 256 };

bool phys_same_transform(const mmd_transform *a, const mmd_transform *b)
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

/* Returns whether a node has a world transform, within rounding. */
static bool is_at(const phys_writer *writer, int32_t node, const mmd_transform *transform)
{
    mmd_transform own;
    gltf_find_transform(writer->builder, node, &own, NULL);
    return phys_same_transform(&own, transform);
}

/* Returns whether a node existed before the physics was written. */
static bool existed_before(const phys_writer *writer, int32_t node)
{
    return !writer->builder->failed && node >= 0 && (uint32_t)node < writer->node_count;
}

/* ---------------------------------------------------------------- shapes */

/* A search for a shape's node. */
typedef struct shape_search {
    phys_writer *writer;
    const char *name;
    const mmd_transform *transform;
    uint32_t seen;
} shape_search;

/* Returns whether a node stands for an item of this name. */
static bool is_named(const json_t *node, const char *name)
{
    const char *own;
    size_t length = gltf_item_name(node, &own);
    return strlen(name) == length && memcmp(own, name, length) == 0;
}

/* Returns whether a node fits the search and has no physics yet. */
static bool is_free(const shape_search *search, int32_t node)
{
    json_t *json = gltf_node_json(search->writer->builder, node);
    const json_t *members = json_object_get(json_object_get(json, "extensions"), search->writer->extension);
    return !members && is_named(json, search->name) && is_at(search->writer, node, search->transform);
}

/* Searches the nodes below a node, except bodies and what is below them. */
static int32_t search_below(shape_search *search, int32_t node)
{
    const json_t *children = json_object_get(gltf_node_json(search->writer->builder, node), "children");
    for (size_t i = 0; i < json_array_size(children) && search->seen++ < MOST_BELOW; i++) {
        int32_t child = (int32_t)json_integer_value(json_array_get(children, i));
        if (!existed_before(search->writer, child) || (search->writer->carried[child] & 4))
            continue;
        int32_t found = is_free(search, child) ? child : search_below(search, child);
        if (found >= 0)
            return found;
    }
    return -1;
}

int32_t phys_existing_shape(phys_writer *writer, int32_t body_node, const char *name,
                            const mmd_transform *transform)
{
    assert(writer);
    shape_search search = {.writer = writer, .name = name, .transform = transform};
    bool extends_base = writer->builder->base && name[0] && existed_before(writer, body_node);
    return extends_base ? search_below(&search, body_node) : -1;
}

/* ------------------------------------------------- the ground, the world */

/* Returns whether a node is top-level, has this name and no extension or mesh. */
static bool is_bare(const phys_writer *writer, int32_t node, const char *name)
{
    const json_t *json = gltf_node_json(writer->builder, node);
    return is_named(json, name) && writer->builder->transforms[node].parent < 0 &&
           !json_object_get(json, "extensions") && !json_object_get(json, "mesh");
}

int32_t phys_scene_node(phys_writer *writer, const char *name, const mmd_transform *transform)
{
    assert(writer);
    gltf_builder *builder = writer->builder;
    int32_t last = -1;
    for (uint32_t i = 0; i < writer->scene->body_count; i++)
        last = builder->node_of_body[i] > last ? builder->node_of_body[i] : last;
    for (int32_t node = last + 1; builder->base && existed_before(writer, node); node++)
        if (is_bare(writer, node, name) && is_at(writer, node, transform))
            return node;
    return gltf_add_node(builder, name, NULL, -1, transform);
}

/* ---------------------------------------------------------------- meshes */

/* Returns a node's collider or trigger in the extended document. */
static const json_t *old_part(const phys_writer *writer, int32_t node, bool trigger)
{
    const gltf_builder *builder = writer->builder;
    if (!builder->base || builder->read || !existed_before(writer, node))
        return NULL;
    const json_t *nodes = json_object_get(builder->base->kept->root, "nodes");
    const json_t *members = json_object_get(json_array_get(nodes, (size_t)node), "extensions");
    const json_t *khr = json_object_get(members, "KHR_physics_rigid_bodies");
    return json_object_get(khr ? khr : json_object_get(members, "OMI_physics_body"),
                           trigger ? "trigger" : "collider");
}

/* Returns a JSON index, or -1. */
static int32_t number_of(const json_t *number)
{
    json_int_t value = json_is_integer(number) ? json_integer_value(number) : -1;
    return value >= 0 && value <= INT32_MAX ? (int32_t)value : -1;
}

/* Returns the element of a list that a JSON index refers to. */
static const json_t *element(const json_t *root, const char *list, const json_t *number)
{
    int32_t i = number_of(number);
    return i < 0 ? NULL : json_array_get(json_object_get(root, list), (size_t)i);
}

/* Returns the entry of the list of shapes that a collider refers to. */
static const json_t *old_shape(const json_t *root, const json_t *part)
{
    const json_t *members = json_object_get(root, "extensions");
    const json_t *khr = json_object_get(members, "KHR_collision_shapes");
    return element(khr ? khr : json_object_get(members, "OMI_physics_shape"), "shapes",
                   json_object_get(part, "shape"));
}

/* Returns the mesh index of a collider, if it is of this type. */
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

/* Returns the number of points of a mesh. */
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

int32_t phys_existing_mesh(const phys_writer *writer, const mmd_phys_shape *shape, int32_t node)
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

int32_t phys_existing_mesh_node(const phys_writer *writer, const mmd_phys_shape *shape, int32_t node,
                                int32_t mesh)
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

/* Returns the body's node that a node is attached to; -1: none, -2: too deep. */
static int32_t fixed_to(const phys_writer *writer, int32_t node)
{
    for (int depth = 0; depth < DEEPEST; depth++) {
        if (node < 0 || (writer->carried[node] & 4))
            return node;
        node = writer->builder->transforms[node].parent;
    }
    return -2;
}

/* Returns whether a node can be the end of a joint: attached to the body, at the right transform. */
static bool can_be_end(const phys_writer *writer, int32_t node, int32_t body, const mmd_transform *transform)
{
    int32_t wanted = body < 0 ? -1 : writer->builder->node_of_body[body];
    return existed_before(writer, node) && fixed_to(writer, node) == wanted && is_at(writer, node, transform);
}

/* Returns the document that is extended in place, if it has the same joints. */
static const mmd_exchange *base_of(const phys_writer *writer)
{
    const gltf_builder *builder = writer->builder;
    bool same = builder->base && !builder->read && builder->base->physscene;
    return same && builder->base->physscene->joint_count == writer->scene->joint_count ? builder->base : NULL;
}

/* Returns whether a joint can keep its node. */
static bool joint_stays(const phys_writer *writer, const mmd_exchange *base, uint32_t number)
{
    const mmd_phys_joint *joint = &writer->scene->joints[number];
    mmd_transform transforms[2];
    int32_t node = base->joints[number].node;
    if (!existed_before(writer, node) || (writer->omi && (writer->carried[node] & 4)))
        return false;
    phys_joint_transforms(writer, joint, transforms);
    return writer->omi && !writer->newer ? is_at(writer, node, &transforms[0])
                                         : can_be_end(writer, node, joint->body_a, &transforms[0]);
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
    return stay &&
           !(worlds && writer->omi); /* in OMI the world is a body, so ends at the world are below its node */
}

int32_t phys_existing_joint(const phys_writer *writer, uint32_t number)
{
    assert(writer);
    assert(number < writer->scene->joint_count);
    return writer->joints_stay && !writer->builder->failed ? base_of(writer)->joints[number].node : -1;
}

/* Returns the node that the document named as the other end of a joint, in KHR or OMI. */
static int32_t named_end(const mmd_exchange *base, int32_t node)
{
    const json_t *members = json_object_get(
        json_array_get(json_object_get(base->kept->root, "nodes"), (size_t)node), "extensions");
    const json_t *khr = json_object_get(json_object_get(members, "KHR_physics_rigid_bodies"), "joint");
    const json_t *omi = json_object_get(members, "OMI_physics_joint");
    const json_t *named = json_object_get(khr ? khr : omi, "connectedNode");
    return json_is_integer(named) ? (int32_t)json_integer_value(named) : -1;
}

int32_t phys_existing_end(const phys_writer *writer, uint32_t number, const mmd_transform *transform)
{
    assert(writer);
    assert(number < writer->scene->joint_count);
    const mmd_exchange *base = base_of(writer);
    const mmd_phys_joint *joint = &writer->scene->joints[number];
    if (!base || base->joints[number].node < 0 || (joint->body_b < 0 && writer->omi))
        return -1;
    int32_t node = named_end(base, base->joints[number].node);
    return can_be_end(writer, node, joint->body_b, transform) ? node : -1;
}

/* --------------------------------------------------------------- helpers */

int32_t phys_intern(phys_writer *writer, phys_table *table, json_t *value)
{
    assert(writer && table);
    gltf_builder *builder = writer->builder;
    mmd_buffer text = {0};
    int32_t number = 0;
    bool made = !builder->failed && value && json_append(value, false, &text, NULL) == MMD_OK;
    mmd_write_u8(&text, 0);
    made = made && !text.failed;
    const json_t *known = made ? json_object_get(table->known, (const char *)text.data) : NULL;
    if (known) {
        number = (int32_t)json_integer_value(known);
    } else if (made) {
        number = (int32_t)json_array_size(table->list);
        made = json_array_append(table->list, value) == 0 &&
               json_object_set_new_nocheck(table->known, (const char *)text.data, json_integer(number)) == 0;
    }
    builder->failed = builder->failed || !made;
    mmd_buffer_finish(&text);
    json_decref(value);
    return number;
}

void phys_begin_item(phys_writer *writer, const char *kind, uint32_t item, const char *name)
{
    assert(writer);
    writer->kind = kind;
    writer->item = item;
    writer->name = name ? name : "";
}

void phys_write_loss(phys_writer *writer, mmd_loss_severity severity, const char *code, const char *field,
                     const char *source, const char *emitted)
{
    assert(writer);
    assert((unsigned)severity <= MMD_LOSS_DROPPED);
    gltf_loss(writer->builder, severity, code, writer->kind, writer->item, writer->name, field, source,
              emitted);
}

json_t *phys_number(float value)
{
    return json_from_float(isfinite(value) ? value : copysignf(FLT_MAX, value));
}

json_t *phys_part(phys_writer *writer, int32_t node, const char *part)
{
    assert(writer);
    gltf_builder *builder = writer->builder;
    return gltf_object(builder, gltf_extension(builder, gltf_node_json(builder, node), writer->extension),
                       part);
}

json_t *phys_extras(phys_writer *writer, int32_t node)
{
    assert(writer);
    gltf_builder *builder = writer->builder;
    return gltf_object(builder, gltf_object(builder, gltf_node_json(builder, node), "extras"), "mmd");
}

void phys_to_file(const float from[3], float scale, float to[3])
{
    assert(from && to);
    float x = from[0] * scale, y = from[1] * scale, z = 0 - from[2] * scale;
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

void phys_angular_to_file(const float from[3], float to[3])
{
    assert(from && to);
    float x = 0 - from[0], y = 0 - from[1], z = from[2];
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

bool phys_any(const float vector[3])
{
    assert(vector);
    return vector[0] != 0 || vector[1] != 0 || vector[2] != 0;
}

/* ---------------------------------------------------- materials and filters */

/*
 * Materials and collision filters (docs/formats.md 4, Filters). PMX's groups become systems "mmd.group.<g>":
 * a body is in its own group's and collides with those of its mask. One that collides with nothing names a
 * system that has no members, because readers treat an empty list as "all".
 */

/* Writes a combine mode. */
static void put_mode(phys_writer *writer, json_t *material, const char *key, uint8_t mode)
{
    static const char *const modes[] = {[MMD_COMBINE_MULTIPLY] = "multiply",
                                        [MMD_COMBINE_MAXIMUM] = "maximum",
                                        [MMD_COMBINE_MINIMUM] = "minimum",
                                        [MMD_COMBINE_AVERAGE] = "average"};
    if (mode != MMD_COMBINE_UNSPECIFIED)
        gltf_put(writer->builder, material, key, json_string(modes[mode]));
}

int32_t phys_write_material(phys_writer *writer, int32_t material)
{
    assert(writer);
    assert(material < (int32_t)writer->scene->material_count);
    if (material < 0)
        return -1;
    const mmd_phys_material *from = &writer->scene->materials[material];
    json_t *made = json_pack("{s:o, s:o, s:o}", "staticFriction", json_from_float(from->static_friction),
                             "dynamicFriction", json_from_float(from->dynamic_friction), "restitution",
                             json_from_float(from->restitution));
    put_mode(writer, made, "frictionCombine", from->friction_combine);
    put_mode(writer, made, "restitutionCombine", from->restitution_combine);
    if (from->name && from->name[0])
        gltf_put(writer->builder, made, "name", json_text(from->name));
    return phys_intern(writer, &writer->materials, made);
}

/* --------------------------------------------------------------- filters */

static json_t *group_name(int group)
{
    char name[24];
    snprintf(name, sizeof name, "mmd.group.%d", group);
    return json_string(name);
}

/* Returns the system names of a mask. */
static json_t *groups_of(uint16_t mask)
{
    json_t *list = json_array();
    for (int group = 0; group < 16; group++)
        if (mask >> group & 1)
            json_array_append_new(list, group_name(group));
    if (mask == 0)
        json_array_append_new(list, json_string("mmd.none"));
    return list;
}

/* Returns the names of systems. */
static json_t *names_of(const mmd_physscene *scene, const uint32_t *systems, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, json_text(scene->system_names[systems[i]]));
    return list;
}

/*
 * Returns collide_with minus not_collide_with, because a file may have only one of the two lists. Reports it.
 */
static json_t *remaining_names(phys_writer *writer, const mmd_phys_filter *filter)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < filter->collide_count; i++) {
        bool left = true;
        for (uint32_t k = 0; k < filter->not_collide_count; k++)
            left = left && filter->not_collide_with[k] != filter->collide_with[i];
        if (left)
            json_array_append_new(list, json_text(writer->scene->system_names[filter->collide_with[i]]));
    }
    phys_write_loss(writer, MMD_LOSS_APPROXIMATED, "filter.merged", "notCollideWithSystems", "both lists",
                    "one");
    return list;
}

/* Returns a filter with system names as JSON. */
static json_t *named_filter(phys_writer *writer, const mmd_phys_filter *filter)
{
    gltf_builder *builder = writer->builder;
    const mmd_physscene *scene = writer->scene;
    json_t *made = json_object();
    if (filter->system_count)
        gltf_put(builder, made, "collisionSystems", names_of(scene, filter->systems, filter->system_count));
    if (filter->has_collide_with && filter->not_collide_count)
        gltf_put(builder, made, "collideWithSystems", remaining_names(writer, filter));
    else if (filter->has_collide_with)
        gltf_put(builder, made, "collideWithSystems",
                 names_of(scene, filter->collide_with, filter->collide_count));
    else if (filter->not_collide_count)
        gltf_put(builder, made, "notCollideWithSystems",
                 names_of(scene, filter->not_collide_with, filter->not_collide_count));
    return made;
}

int32_t phys_write_filter(phys_writer *writer, int32_t filter)
{
    assert(writer);
    assert(filter < (int32_t)writer->scene->filter_count);
    if (filter < 0)
        return -1;
    const mmd_phys_filter *from = &writer->scene->filters[filter];
    json_t *made = from->named ? named_filter(writer, from)
                               : json_pack("{s:[o], s:o}", "collisionSystems", group_name(from->group),
                                           "collideWithSystems", groups_of(from->mask));
    return phys_intern(writer, &writer->filters, made);
}

/* ------------------------------------------------------------------ gravity */

/*
 * Gravity (docs/formats.md 4, Scale). KHR cannot express the world's gravity: it is 9.80665 m/s^2 down, and
 * bodies have factors. OMI_physics_gravity has the world's gravity and fields on nodes; KHR files use it,
 * too, when the world's gravity does not point down.
 */

static float length_of(const float v[3])
{
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Writes a direction, except down, the default. */
static void put_direction(phys_writer *writer, json_t *object, const float direction[3])
{
    float out[3];
    phys_to_file(direction, 1, out);
    if (out[0] != 0 || out[1] != -1 || out[2] != 0)
        gltf_put(writer->builder, object, "direction", json_from_floats(out, 3));
}

/* Writes the world's gravity. */
static void put_world(phys_writer *writer, const float gravity[3])
{
    json_t *object = gltf_extension(writer->builder, writer->builder->root, "OMI_physics_gravity");
    float strength = length_of(gravity), direction[3] = {0, -1, 0};
    for (int k = 0; k < 3 && strength > 0; k++)
        direction[k] = gravity[k] / strength;
    gltf_put(writer->builder, object, "gravity", phys_number(METRES_PER_UNIT * strength));
    put_direction(writer, object, direction);
}

/* Writes the world's gravity, or sets the factor for bodies. */
static void phys_write_gravity(phys_writer *writer)
{
    assert(writer);
    const float *gravity = writer->scene->world.gravity;
    phys_begin_item(writer, "world", 0, "");
    if (writer->omi) {
        put_world(writer, gravity);
    } else if (gravity[0] == 0 && gravity[2] == 0) {
        float factor = 0 - METRES_PER_UNIT * gravity[1] / PHYS_GLTF_GRAVITY;
        writer->gravity = fabsf(factor - 1) < 1e-6f ? 1 : factor;
    } else {
        put_world(writer, gravity);
        phys_write_loss(writer, MMD_LOSS_APPROXIMATED, "gravity.direction", "gravity", "does not point down",
                        "\"OMI_physics_gravity\"");
    }
}

/* ---------------------------------------------------------------- fields */

static const char *const types[] = {[MMD_GRAVITY_DIRECTIONAL] = "directional",
                                    [MMD_GRAVITY_POINT] = "point",
                                    [MMD_GRAVITY_DISC] = "disc",
                                    [MMD_GRAVITY_TORUS] = "torus",
                                    [MMD_GRAVITY_LINE] = "line",
                                    [MMD_GRAVITY_SHAPED] = "shaped"};

/* Divides by a scale that is neither 0 nor 1. */
static float unscaled(float value, float scale)
{
    return fabsf(scale) > 1e-12f && fabsf(scale - 1) > 1e-5f ? value / scale : value;
}

static json_t *points_of(const mmd_phys_gravity *field, const float scale[3])
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < field->point_count; i++) {
        float point[3];
        phys_to_file(field->points[i], METRES_PER_UNIT, point);
        for (int k = 0; k < 3; k++)
            json_array_append_new(list, phys_number(unscaled(point[k], scale[k])));
    }
    return list;
}

/* Writes the values of a field and returns its type. */
static const char *put_kind(phys_writer *writer, const mmd_phys_gravity *field, json_t *values,
                            const float scale[3])
{
    gltf_builder *builder = writer->builder;
    float across = mmd_maxf(fabsf(scale[0]), fabsf(scale[2]));
    if (field->kind == MMD_GRAVITY_DIRECTIONAL)
        put_direction(writer, values, field->direction);
    else if (field->unit_distance > 0)
        gltf_put(builder, values, "unitDistance", phys_number(METRES_PER_UNIT * field->unit_distance));
    if (field->kind == MMD_GRAVITY_DISC || field->kind == MMD_GRAVITY_TORUS)
        gltf_put(builder, values, "radius", phys_number(unscaled(METRES_PER_UNIT * field->radius, across)));
    if (field->kind == MMD_GRAVITY_LINE)
        gltf_put(builder, values, "points", points_of(field, scale));
    if (field->kind == MMD_GRAVITY_SHAPED) {
        mmd_phys_shape dialect_shape =
            phys_dialect_shape(writer, &writer->scene->shapes[field->shape], false);
        gltf_put(builder, values, "shape", json_integer(phys_list_shape(writer, &dialect_shape, scale, -1)));
    }
    return types[field->kind];
}

/* Writes a field to a node. */
static void put_field(phys_writer *writer, const mmd_phys_gravity *field, int32_t node)
{
    gltf_builder *builder = writer->builder;
    mmd_transform transform;
    float scale[3] = {1, 1, 1};
    if (builder->failed)
        return;
    gltf_find_transform(builder, node, &transform, scale);
    json_t *object = gltf_extension(builder, gltf_node_json(builder, node), "OMI_physics_gravity");
    json_t *values = json_object();
    const char *type = put_kind(writer, field, values, scale);
    gltf_put(builder, object, "type", json_string(type));
    gltf_put(builder, object, type, values);
    gltf_put(builder, object, "gravity", phys_number(METRES_PER_UNIT * field->gravity));
    if (field->priority)
        gltf_put(builder, object, "priority", json_integer(field->priority));
    if (field->replace)
        gltf_put(builder, object, "replace", json_true());
    if (field->stop)
        gltf_put(builder, object, "stop", json_true());
}

/* Returns the node for a field: that of the body that bounds it; -1 when it has a field already. */
static int32_t node_for(phys_writer *writer, const mmd_phys_gravity *field)
{
    gltf_builder *builder = writer->builder;
    const mmd_transform origin = {.rotation = {0, 0, 0, 1}};
    if (field->body < 0)
        return gltf_add_node(builder, "gravity", NULL, -1, &origin);
    int32_t node = builder->node_of_body[field->body];
    const json_t *members = json_object_get(gltf_node_json(builder, node), "extensions");
    return node < 0 || json_object_get(members, "OMI_physics_gravity") ? -1 : node;
}

/* Writes all gravity fields; other dialects report them as lost. */
static void omi_write_fields(phys_writer *writer)
{
    assert(writer);
    for (uint32_t i = 0; i < writer->scene->gravity_count && !writer->builder->failed; i++) {
        const mmd_phys_gravity *field = &writer->scene->gravities[i];
        phys_begin_item(writer, "gravity", i, types[field->kind]);
        int32_t node = writer->omi ? node_for(writer, field) : -1;
        if (node >= 0)
            put_field(writer, field, node);
        else
            phys_write_loss(writer, MMD_LOSS_DROPPED, "gravity.dropped", "gravity", "a field", "");
    }
}

/* --------------------------------------------------------------- writing */

static void begin_table(gltf_builder *builder, phys_table *table)
{
    *table = (phys_table){json_array(), json_object()};
    builder->failed = builder->failed || !table->list || !table->known;
}

static void finish_table(phys_table *table)
{
    json_decref(table->list);
    json_decref(table->known);
}

static void begin(phys_writer *writer)
{
    gltf_builder *builder = writer->builder;
    begin_table(builder, &writer->shapes);
    begin_table(builder, &writer->materials);
    begin_table(builder, &writer->filters);
    begin_table(builder, &writer->joints);
    writer->meshes = json_object();
    writer->carried = mmd_alloc(writer->node_count);
    builder->failed = builder->failed || !writer->meshes || !writer->carried;
    if (writer->carried)
        memset(writer->carried, 0, writer->node_count);
}

static void finish(phys_writer *writer)
{
    finish_table(&writer->shapes);
    finish_table(&writer->materials);
    finish_table(&writer->filters);
    finish_table(&writer->joints);
    json_decref(writer->meshes);
    mmd_free(writer->carried);
}

/* Returns whether joints can hold a static body: it must have more than triggers. */
static uint8_t can_hold_joints(const phys_writer *writer, const mmd_phys_body *body)
{
    for (uint32_t i = 0; i < body->shape_count; i++)
        if (!writer->scene->shapes[body->first_shape + i].trigger)
            return 1;
    return body->shape_count == 0;
}

/* Marks moving nodes: those of moving bodies and all below them. */
static void mark_carried(phys_writer *writer)
{
    const gltf_builder *builder = writer->builder;
    for (uint32_t i = 0; i < writer->scene->body_count; i++) {
        const mmd_phys_body *body = &writer->scene->bodies[i];
        if (builder->node_of_body[i] < 0 || body->disabled)
            continue;
        writer->carried[builder->node_of_body[i]] =
            body->motion != MMD_PHYS_STATIC ? 7 : (uint8_t)(4 * can_hold_joints(writer, body));
    }
    for (uint32_t i = 0; i < writer->node_count; i++) {
        int32_t top = (int32_t)i;
        while (top >= 0 && !(writer->carried[top] & 2))
            top = builder->transforms[top].parent;
        uint8_t found = top >= 0 ? writer->carried[top] & 3 : 2;
        for (int32_t k = (int32_t)i; k != top; k = builder->transforms[k].parent)
            writer->carried[k] |= found;
    }
}

/* Reports world settings that no glTF can hold. */
static void report_world_losses(phys_writer *writer)
{
    const mmd_phys_world *world = &writer->scene->world;
    mmd_phys_world usual = mmd_default_gltf_world();
    phys_begin_item(writer, "world", 0, "");
    if (world->damping != usual.damping)
        phys_write_loss(writer, MMD_LOSS_INFO, "damping.dropped", "damping", "\"additional\"", "");
    if (world->rate != usual.rate || world->iterations != usual.iterations ||
        world->joint_erp != usual.joint_erp || world->joint_lever != usual.joint_lever)
        phys_write_loss(writer, MMD_LOSS_INFO, "world.dropped", "rate",
                        "steps, iterations, error reduction, lever arms", "");
    for (uint32_t i = 0; i < writer->scene->joint_count; i++) {
        if (writer->scene->joints[i].kind == MMD_JOINT_LIMITS_AND_DRIVES || writer->scene->joints[i].disabled)
            continue;
        phys_write_loss(writer, MMD_LOSS_APPROXIMATED, "joint.stiffened", "joint_erp", "compliant joints",
                        "rigid limits");
        break;
    }
    for (uint32_t i = 0; i < writer->scene->soft_body_count; i++) {
        phys_begin_item(writer, "soft body", i, writer->scene->soft_bodies[i].name);
        phys_write_loss(writer, MMD_LOSS_DROPPED, "soft_body.dropped", "shape", "", "");
    }
}

static void write_all(phys_writer *writer)
{
    const mmd_physscene *scene = writer->scene;
    phys_write_gravity(writer);
    for (uint32_t i = 0; i < scene->body_count; i++)
        phys_write_body(writer, i);
    writer->joints_stay = phys_joints_stay(writer);
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        if (writer->omi)
            omi_write_joint(writer, i);
        else
            khr_write_joint(writer, i);
    }
    omi_write_fields(writer);
    if (scene->world.ground)
        phys_write_ground(writer);
    report_world_losses(writer);
    if (writer->omi)
        omi_write_root(writer);
    else
        khr_write_root(writer);
}

void gltf_write_physics(gltf_builder *builder, mmd_dialect dialect)
{
    assert(builder);
    const mmd_physscene *scene = builder->job->scene;
    bool omi = dialect == MMD_DIALECT_OMI_CONSTRAINTS || dialect == MMD_DIALECT_OMI_PHYSICS_JOINTS;
    phys_writer writer = {
        .builder = builder,
        .scene = scene,
        .omi = omi,
        .newer = dialect == MMD_DIALECT_KHR_IMPLICIT_SHAPES || dialect == MMD_DIALECT_OMI_PHYSICS_JOINTS,
        .extension = omi ? "OMI_physics_body" : "KHR_physics_rigid_bodies",
        .gravity = 1,
        .node_count = builder->node_count,
        .world = -1,
    };
    if (builder->failed || (scene->body_count == 0 && scene->gravity_count == 0 && scene->joint_count == 0 &&
                            scene->soft_body_count == 0))
        return;
    begin(&writer);
    if (!builder->failed) {
        mark_carried(&writer);
        write_all(&writer);
    }
    finish(&writer);
}
