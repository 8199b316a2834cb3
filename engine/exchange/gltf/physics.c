/*
 * Physics of a glTF: detects the dialect, and reads what both families share (docs/formats.md 1 and 2).
 *
 * A collider belongs to the nearest node at or above it that has a motion. Without one it is a static body of
 * its own, kinematic when the node is animated. A trigger belongs to a moving body in the same way, else to
 * the trigger whose `nodes` lists it, else it is a body of its own.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "physics.h"

bool phys_find_extension(const phys_reader *reader, uint32_t node, const char *extension, phys_extension *ref)
{
    assert(reader && ref);
    assert(node < reader->file->node_count);
    ref->nodes = json_ref_member(&reader->file->root, "nodes");
    ref->node = json_ref_element(&ref->nodes, node);
    ref->extensions = json_ref_member(&ref->node, "extensions");
    ref->physics = json_ref_member(&ref->extensions, extension);
    return ref->physics.value != NULL;
}

mmd_status phys_read_loss(phys_reader *reader, mmd_loss_severity severity, const char *code,
                          const json_ref *ref, const char *field, const char *emitted)
{
    assert(reader && ref);
    assert((unsigned)severity <= MMD_LOSS_DROPPED);
    losses_add_at(&reader->file->document->losses, severity, MMD_EXCHANGE_GLTF, code, ref, field, emitted);
    return MMD_OK;
}

mmd_status phys_no_memory(const phys_reader *reader)
{
    assert(reader);
    json_reader *json = &reader->file->reader;
    if (!json_reader_ok(json))
        return json->status;
    return json_reader_note(json,
                            mmd_error_set(json->error, MMD_ERROR_MEMORY, "physics", MMD_NO_OFFSET,
                                          "no memory for the physics of %u nodes", reader->file->node_count));
}

mmd_status phys_read_index(const phys_reader *reader, const json_ref *of, const char *key, size_t limit,
                           int32_t *out)
{
    assert(reader && of && out);
    json_ref member = json_ref_member(of, key);
    *out = -1;
    if (json_is_null(member.value) ||
        (json_is_integer(member.value) && json_integer_value(member.value) == -1))
        return MMD_OK;
    return json_read_index(&reader->file->reader, of, key, limit, out);
}

void phys_mirror(const float from[3], float scale, float to[3])
{
    assert(from && to);
    float x = from[0] * scale, y = from[1] * scale, z = -from[2] * scale;
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

void phys_mirror_angular(const float from[3], float to[3])
{
    assert(from && to);
    float x = -from[0], y = -from[1], z = from[2];
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

/* ---------------------------------------------------- materials and filters */

/* Materials and collision filters; KHR and OMI_physics_body use the same fields. */

static const struct {
    const char *text;
    mmd_combine_mode mode;
} combine_modes[] = {{"average", MMD_COMBINE_AVERAGE},
                     {"minimum", MMD_COMBINE_MINIMUM},
                     {"maximum", MMD_COMBINE_MAXIMUM},
                     {"multiply", MMD_COMBINE_MULTIPLY}};

/* Reads a combine mode; unknown ones are reported and ignored. */
static mmd_status read_combine(phys_reader *reader, const json_ref *of, const char *key, uint8_t *mode)
{
    const char *text = "";
    json_read_text(&reader->file->reader, of, key, &text);
    *mode = MMD_COMBINE_UNSPECIFIED;
    if (!*text)
        return reader->file->reader.status;
    for (size_t i = 0; i < sizeof combine_modes / sizeof combine_modes[0]; i++) {
        if (strcmp(text, combine_modes[i].text) == 0) {
            *mode = (uint8_t)combine_modes[i].mode;
            return MMD_OK;
        }
    }
    json_ref at = json_ref_member(of, key);
    return phys_read_loss(reader, MMD_LOSS_DROPPED, "combine.dropped", &at, key, "");
}

/* Reads a physics material. */
static mmd_status read_material(phys_reader *reader, const json_ref *ref)
{
    json_reader *json = &reader->file->reader;
    mmd_phys_material *material = NULL;
    scene_add_material(&reader->builder, &material);
    if (reader->builder.failed)
        return phys_no_memory(reader);
    mmd_phys_material fallback = mmd_default_phys_material();
    json_read_float(json, ref, "staticFriction", fallback.static_friction, 0, INFINITY,
                    &material->static_friction);
    json_read_float(json, ref, "dynamicFriction", fallback.dynamic_friction, 0, INFINITY,
                    &material->dynamic_friction);
    json_read_float(json, ref, "restitution", fallback.restitution, 0, INFINITY, &material->restitution);
    read_combine(reader, ref, "frictionCombine", &material->friction_combine);
    read_combine(reader, ref, "restitutionCombine", &material->restitution_combine);
    return json_read_text(json, ref, "name", &material->name);
}

/* Reads the document's materials in order. */
static mmd_status phys_read_materials(phys_reader *reader)
{
    assert(reader);
    for (size_t i = 0; i < json_ref_count(&reader->materials) && json_reader_ok(&reader->file->reader); i++) {
        json_ref ref = json_ref_element(&reader->materials, i);
        read_material(reader, &ref);
    }
    return reader->file->reader.status;
}

/* Reads a list of collision system names as indices. */
static mmd_status read_systems(phys_reader *reader, const json_ref *of, const char *key,
                               const uint32_t **systems, uint32_t *count, bool *given)
{
    json_reader *json = &reader->file->reader;
    json_ref list;
    json_read_kind(json, of, key, JSON_ARRAY, &list);
    if (!json_reader_ok(json))
        return json->status;
    *given = list.value != NULL;
    *count = (uint32_t)json_ref_count(&list);
    uint32_t *numbers = mmd_arena_alloc(json->arena, *count, sizeof *numbers);
    if (!numbers)
        return phys_no_memory(reader);
    for (uint32_t i = 0; i < *count; i++) {
        json_ref entry = json_ref_element(&list, i);
        if (!json_is_string(entry.value))
            return json_ref_fail(json, &entry, MMD_ERROR_VALUE,
                                 "the name of a collision system must be a string");
        const char *name =
            mmd_arena_text(json->arena, json_string_value(entry.value), json_string_length(entry.value));
        if (!name)
            return phys_no_memory(reader);
        numbers[i] = scene_system(&reader->builder, name);
    }
    *systems = numbers;
    return reader->builder.failed ? phys_no_memory(reader) : MMD_OK;
}

/* Reads the document's collision filters in order. */
static mmd_status phys_read_filters(phys_reader *reader)
{
    assert(reader);
    for (size_t i = 0; i < json_ref_count(&reader->filters) && json_reader_ok(&reader->file->reader); i++) {
        json_ref ref = json_ref_element(&reader->filters, i);
        mmd_phys_filter *filter = NULL;
        bool given;
        scene_add_filter(&reader->builder, &filter);
        if (reader->builder.failed)
            return phys_no_memory(reader);
        read_systems(reader, &ref, "collisionSystems", &filter->systems, &filter->system_count, &given);
        read_systems(reader, &ref, "collideWithSystems", &filter->collide_with, &filter->collide_count,
                     &filter->has_collide_with);
        read_systems(reader, &ref, "notCollideWithSystems", &filter->not_collide_with,
                     &filter->not_collide_count, &given);
    }
    return reader->file->reader.status;
}

/* --------------------------------------------------------------- sorting */

/*
 * Fills reader->order with parents before children: each node is appended after those of its ancestors that
 * are not in the list yet.
 */
static mmd_status order_nodes(phys_reader *reader)
{
    gltf_file *file = reader->file;
    uint8_t *listed = mmd_alloc(file->node_count);
    if (!listed)
        return phys_no_memory(reader);
    memset(listed, 0, file->node_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < file->node_count; i++) {
        uint32_t steps = 0;
        for (int32_t k = (int32_t)i; k >= 0 && !listed[k]; k = file->nodes[k].parent) {
            listed[k] = 1;
            steps++;
        }
        count += steps;
        uint32_t at = count;
        for (int32_t k = (int32_t)i; steps > 0; k = file->nodes[k].parent, steps--)
            reader->order[--at] = (uint32_t)k;
    }
    mmd_free(listed);
    return MMD_OK;
}

/*
 * Returns whether a collider or trigger names a shape, geometry or nodes; one that does not owns those below
 * it.
 */
static bool names_shape(const json_ref *part)
{
    json_ref shape = json_ref_member(part, "shape");
    bool none = json_is_integer(shape.value) && json_integer_value(shape.value) == -1;
    return (shape.value && !none) || json_object_get(part->value, "geometry") ||
           json_object_get(part->value, "nodes");
}

/* Reads the `nodes` of a compound trigger. */
static mmd_status read_compound_nodes(phys_reader *reader, uint32_t node, const json_ref *trigger)
{
    gltf_file *file = reader->file;
    json_ref list;
    json_read_kind(&file->reader, trigger, "nodes", JSON_ARRAY, &list);
    for (size_t i = 0; i < json_ref_count(&list) && json_reader_ok(&file->reader); i++) {
        json_ref entry = json_ref_element(&list, i);
        json_int_t number = json_is_integer(entry.value) ? json_integer_value(entry.value) : -1;
        if (number < 0 || number >= (json_int_t)file->node_count)
            json_ref_fail(&file->reader, &entry, MMD_ERROR_INDEX, "not the index of one of %u nodes",
                          file->node_count);
        else if (number != (json_int_t)node)
            reader->nodes[number].compound = (int32_t)node;
    }
    return file->reader.status;
}

/* Reads which of motion, collider and trigger a node has. */
static mmd_status read_node_parts(phys_reader *reader, uint32_t number)
{
    json_reader *json = &reader->file->reader;
    phys_node *node = &reader->nodes[number];
    phys_extension ref;
    if (!reader->file->nodes[number].in_scene ||
        !phys_find_extension(reader, number, reader->extension, &ref))
        return MMD_OK;
    json_ref motion, collider, trigger;
    json_read_kind(json, &ref.extensions, reader->extension, JSON_OBJECT, &ref.physics);
    json_read_kind(json, &ref.physics, "motion", JSON_OBJECT, &motion);
    json_read_kind(json, &ref.physics, "collider", JSON_OBJECT, &collider);
    json_read_kind(json, &ref.physics, "trigger", JSON_OBJECT, &trigger);
    if (!json_reader_ok(json))
        return json->status;
    node->motion = motion.value != NULL;
    node->collider = collider.value != NULL;
    node->trigger = trigger.value != NULL;
    node->gathers = reader->omi && ((node->collider && !names_shape(&collider)) ||
                                    (node->trigger && !names_shape(&trigger)));
    const char *type = json_string_value(json_object_get(motion.value, "type"));
    node->still = reader->omi && type && strcmp(type, "static") == 0;
    return read_compound_nodes(reader, number, &trigger);
}

/* Finds the owners of a node's collider and trigger from those of its parent. */
static void find_shape_parents(phys_reader *reader, uint32_t number)
{
    phys_node *node = &reader->nodes[number];
    int32_t parent = reader->file->nodes[number].parent;
    if (parent >= 0) {
        node->collider_parent = reader->nodes[parent].collider_parent;
        node->trigger_parent = reader->nodes[parent].trigger_parent;
    }
    if (node->motion || (node->gathers && node->collider && node->collider_parent < 0))
        node->collider_parent = (int32_t)number;
    if (node->motion)
        node->trigger_parent = node->still ? -1 : (int32_t)number;
    else if (node->gathers && node->trigger && node->trigger_parent < 0)
        node->trigger_parent = (int32_t)number;
}

/* Returns the node whose body a collider belongs to. */
static int32_t collider_owner(const phys_reader *reader, uint32_t number)
{
    int32_t parent = reader->nodes[number].collider_parent;
    return parent >= 0 ? parent : (int32_t)number;
}

/* Returns the node whose body a trigger belongs to. */
static int32_t trigger_owner(const phys_reader *reader, uint32_t number)
{
    const phys_node *node = &reader->nodes[number];
    if (node->trigger_parent >= 0)
        return node->trigger_parent;
    return node->compound >= 0 && reader->nodes[node->compound].trigger ? node->compound : (int32_t)number;
}

/*
 * Lists the nodes with shapes of each body, backwards so that the lists are in node order. If collider and
 * trigger of a node belong to different bodies, both go to the collider's.
 */
static void list_shapes(phys_reader *reader)
{
    for (uint32_t i = reader->file->node_count; i-- > 0;) {
        phys_node *node = &reader->nodes[i];
        if (!node->collider && !node->trigger)
            continue;
        phys_node *owner =
            &reader->nodes[node->collider ? collider_owner(reader, i) : trigger_owner(reader, i)];
        node->next = owner->first;
        owner->first = (int32_t)i;
    }
}

mmd_status phys_sort(phys_reader *reader)
{
    assert(reader);
    if (!json_reader_ok(&reader->file->reader))
        return reader->file->reader.status;
    order_nodes(reader);
    for (uint32_t i = 0; i < reader->file->node_count && json_reader_ok(&reader->file->reader); i++)
        read_node_parts(reader, i);
    if (!json_reader_ok(&reader->file->reader))
        return reader->file->reader.status;
    for (uint32_t i = 0; i < reader->file->node_count; i++)
        find_shape_parents(reader, reader->order[i]);
    list_shapes(reader);
    return MMD_OK;
}

/* ------------------------------------------------------------------- bounds */

/*
 * Range checks before the positions in the file are forgotten: numbers that are finite in the file but not in
 * MMD's units, or too large for a solver (mmd/physscene.h), fail with the path of their node.
 */

static const float length_most = MMD_PHYS_LENGTH_MOST, mass_most = MMD_PHYS_MASS_MOST,
                   inertia_most = MMD_PHYS_INERTIA_MOST, gain_most = MMD_PHYS_GAIN_MOST;

/* The first number that is too large, and what it is. */
typedef struct bounds {
    const char *what; /* NULL: none so far */
    float value;
} bounds;

/* Checks numbers against a limit. */
static void check_numbers(bounds *found, const float *numbers, uint32_t count, float most, const char *what)
{
    for (uint32_t i = 0; i < count && !found->what; i++)
        if (!(fabsf(numbers[i]) <= most))
            *found = (bounds){what, numbers[i]};
}

/* Checks a shape. */
static void check_shape(const mmd_phys_shape *shape, bounds *found)
{
    check_numbers(found, shape->size, 3, length_most, "a shape's size");
    check_numbers(found, shape->frame.translation, 3, length_most, "a shape's position");
}

/* Checks a body with its shapes. */
static void check_body(const mmd_physscene *scene, const mmd_phys_body *body, bounds *found)
{
    check_numbers(found, body->rest.translation, 3, length_most, "a body's position");
    check_numbers(found, body->linear_velocity, 3, length_most, "a velocity");
    check_numbers(found, body->angular_velocity, 3, length_most, "an angular velocity");
    check_numbers(found, body->center, 3, length_most, "a centre of mass");
    check_numbers(found, body->inertia, 3, inertia_most, "an inertia");
    check_numbers(found, &body->mass, 1, mass_most, "a mass");
    check_numbers(found, &body->gravity_factor, 1, mass_most, "a gravity factor");
    for (uint32_t i = 0; i < body->shape_count; i++)
        check_shape(&scene->shapes[body->first_shape + i], found);
}

/* Checks a joint with its limits and drives. */
static void check_joint(const mmd_physscene *scene, const mmd_phys_joint *joint, bounds *found)
{
    check_numbers(found, joint->frame_a.translation, 3, length_most, "a joint's position");
    check_numbers(found, joint->frame_b.translation, 3, length_most, "a joint's position");
    for (uint32_t i = 0; i < joint->limit_count; i++) {
        const mmd_phys_limit *limit = &scene->limits[joint->first_limit + i];
        check_numbers(found, &limit->min, 1, gain_most, "a limit");
        check_numbers(found, &limit->max, 1, gain_most, "a limit");
        check_numbers(found, &limit->stiffness, 1, gain_most, "a limit's stiffness");
        check_numbers(found, &limit->damping, 1, gain_most, "a limit's damping");
    }
    for (uint32_t i = 0; i < joint->drive_count; i++) {
        const mmd_phys_drive *drive = &scene->drives[joint->first_drive + i];
        check_numbers(found, &drive->position_target, 1, gain_most, "a drive's target");
        check_numbers(found, &drive->velocity_target, 1, gain_most, "a drive's target");
        check_numbers(found, &drive->stiffness, 1, gain_most, "a drive's stiffness");
        check_numbers(found, &drive->damping, 1, gain_most, "a drive's damping");
    }
}

/* Fails at the node of an item that has a number too large. */
static mmd_status report_bounds(const phys_reader *reader, const bounds *found, int32_t node)
{
    phys_extension ref;
    if (!found->what)
        return MMD_OK;
    phys_find_extension(reader, (uint32_t)node, reader->extension, &ref);
    return json_ref_fail(&reader->file->reader, ref.physics.value ? &ref.physics : &ref.node, MMD_ERROR_VALUE,
                         "%s of %g (units of 8 cm, kg, s) is too large to simulate", found->what,
                         (double)found->value);
}

/* Checks the whole scene; MMD_ERROR_VALUE at the node that has the number. */
static mmd_status phys_check_bounds(const phys_reader *reader)
{
    assert(reader);
    const scene_builder *builder = &reader->builder;
    const mmd_physscene *scene = &builder->scene;
    for (uint32_t i = 0; i < scene->body_count && json_reader_ok(&reader->file->reader); i++) {
        bounds found = {0};
        check_body(scene, &scene->bodies[i], &found);
        report_bounds(reader, &found, builder->body_items[i].node);
    }
    for (uint32_t i = 0; i < scene->joint_count && json_reader_ok(&reader->file->reader); i++) {
        bounds found = {0};
        check_joint(scene, &scene->joints[i], &found);
        report_bounds(reader, &found, builder->joint_items[i].node);
    }
    bounds gravity = {0};
    check_numbers(&gravity, scene->world.gravity, 3, length_most, "gravity");
    if (gravity.what && json_reader_ok(&reader->file->reader))
        json_ref_fail(&reader->file->reader, &reader->extensions, MMD_ERROR_VALUE,
                      "gravity of %g units/s^2 is too large to simulate", (double)gravity.value);
    return reader->file->reader.status;
}

/* ------------------------------------------------------------ beginning */

/* Opens the document's extensions and lists. */
static mmd_status open_lists(phys_reader *reader)
{
    json_reader *json = &reader->file->reader;
    json_ref *extensions = &reader->extensions;
    json_read_kind(json, &reader->file->root, "extensions", JSON_OBJECT, extensions);
    if (!json_reader_ok(json))
        return json->status;
    struct {
        const char *key;
        json_ref *out;
    } parts[] = {
        {reader->omi ? "OMI_physics_body" : "KHR_physics_rigid_bodies", &reader->rigid},
        {reader->omi ? "OMI_physics_shape" : "KHR_collision_shapes", &reader->shapes_in},
        {"KHR_implicit_shapes", &reader->implicit_in},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && json_reader_ok(json); i++)
        json_read_kind(json, extensions, parts[i].key, JSON_OBJECT, parts[i].out);
    json_read_kind(json, &reader->shapes_in, "shapes", JSON_ARRAY, &reader->shapes);
    json_read_kind(json, &reader->implicit_in, "shapes", JSON_ARRAY, &reader->implicit);
    json_read_kind(json, &reader->rigid, "physicsMaterials", JSON_ARRAY, &reader->materials);
    json_read_kind(json, &reader->rigid, "collisionFilters", JSON_ARRAY, &reader->filters);
    return json->status;
}

mmd_status phys_begin_reading(phys_reader *reader, gltf_file *file, bool omi)
{
    assert(reader && file);
    *reader = (phys_reader){
        .file = file, .omi = omi, .extension = omi ? "OMI_physics_body" : "KHR_physics_rigid_bodies"};
    json_ref meshes = json_ref_member(&file->root, "meshes");
    reader->mesh_count = (uint32_t)json_ref_count(&meshes);
    reader->builder.scene.world = mmd_default_gltf_world();
    reader->nodes = mmd_alloc(file->node_count * sizeof *reader->nodes);
    reader->order = mmd_alloc(file->node_count * sizeof *reader->order);
    reader->meshes = mmd_alloc(reader->mesh_count * sizeof *reader->meshes);
    if (!reader->nodes || !reader->order || !reader->meshes)
        return phys_no_memory(reader);
    memset(reader->meshes, 0, reader->mesh_count * sizeof *reader->meshes);
    for (uint32_t i = 0; i < file->node_count; i++)
        reader->nodes[i] = (phys_node){.collider_parent = -1,
                                       .trigger_parent = -1,
                                       .compound = -1,
                                       .first = -1,
                                       .next = -1,
                                       .body = -1,
                                       .solid = -1};
    open_lists(reader);
    phys_read_world_gravity(reader);
    phys_read_materials(reader);
    return phys_read_filters(reader);
}

mmd_status phys_end_reading(phys_reader *reader)
{
    assert(reader);
    json_reader *json = &reader->file->reader;
    if (json_reader_ok(json))
        phys_check_bounds(reader);
    mmd_free(reader->nodes);
    mmd_free(reader->order);
    mmd_free(reader->meshes);
    if (json_reader_ok(json))
        return scene_builder_finish(&reader->builder, reader->file->document, json->error);
    scene_builder_discard(&reader->builder);
    return json->status;
}

/* ------------------------------------------------------------------- joints */

/*
 * Joints of a glTF: frames at two nodes, limits and drives, as KHR and OMI's newer dialect have them.
 *
 * The scene is mirrored in Z (docs/formats.md 4). T = inverse(frame of A) * frame of B becomes its mirror
 * image: translation (x, y, -z), rotation (-x, -y, z, w). So the translation along Z and the angles about X
 * and Y change sign, and a limit [lo, hi] on one of them becomes [-hi, -lo]. Limits on two or three axes are
 * distances and angles between lines, which mirroring preserves. Targets of drives change sign in the same
 * way.
 *
 * Units: lengths are divided by 0.08. Newtons per metre (kg/s^2) stay. Newton metres and moments are divided
 * by 0.08^2, newtons by 0.08. Gains of acceleration stay.
 */

/* Returns whether mirroring changes the sign of values along (about) an axis. */
static bool is_mirrored(bool angular, int axis)
{
    return angular ? axis != 2 : axis == 2;
}

/* Returns the rest frame of a node relative to a body; body -1: the world. */
static mmd_transform frame_in(const phys_reader *reader, int32_t body, int32_t node)
{
    mmd_transform inverse, frame = reader->file->nodes[node].rest;
    if (body >= 0) {
        mmd_transform_inverse(&reader->builder.scene.bodies[body].rest, &inverse);
        mmd_transform_multiply(&inverse, &frame, &frame);
    }
    return frame;
}

static bool is_dynamic(const phys_reader *reader, int32_t body)
{
    return body >= 0 && reader->builder.scene.bodies[body].motion == MMD_PHYS_DYNAMIC;
}

mmd_phys_joint *phys_add_joint(phys_reader *reader, const json_ref *from, uint32_t node, int32_t body_a,
                               int32_t body_b, int32_t frame_a, int32_t frame_b)
{
    assert(reader);
    assert(node < reader->file->node_count);
    mmd_phys_joint *joint = NULL;
    mmd_exchange_item *item = NULL;
    scene_add_joint(&reader->builder, &joint, &item);
    if (reader->builder.failed)
        return NULL;
    item->node = (int32_t)node;
    joint->name = reader->file->nodes[node].name;
    joint->path = reader->file->nodes[node].path;
    joint->body_a = body_a;
    joint->body_b = body_b;
    joint->frame_a = frame_in(reader, body_a, frame_a);
    joint->frame_b = frame_in(reader, body_b, frame_b);
    if (body_a == body_b || (!is_dynamic(reader, body_a) && !is_dynamic(reader, body_b))) {
        joint->disabled = true; /* nothing that the joint could move */
        phys_read_loss(reader, MMD_LOSS_INFO, "ref.dangling", from, "joint", "");
    }
    return joint;
}

void phys_add_limit(phys_reader *reader, mmd_phys_joint *joint, const phys_limit_values *values)
{
    assert(reader && joint && values);
    mmd_phys_limit *limit = NULL;
    scene_add_limit(&reader->builder, &limit);
    if (reader->builder.failed)
        return;
    float length = values->angular ? 1 : PHYS_LENGTH, gain = values->angular ? PHYS_SQUARE : 1;
    *limit = (mmd_phys_limit){
        .kind = values->angular ? MMD_LIMIT_ANGULAR : MMD_LIMIT_LINEAR,
        .axes = values->axes,
        .has_min = values->has_min,
        .has_max = values->has_max,
        .min = values->min * length,
        .max = values->max * length,
        .soft = values->soft,
        .stiffness = values->stiffness * gain,
        .damping = values->damping * gain,
    };
    int axis = values->axes == 1 ? 0 : values->axes == 2 ? 1 : values->axes == 4 ? 2 : -1;
    if (axis >= 0 && is_mirrored(values->angular, axis)) {
        limit->has_min = values->has_max;
        limit->has_max = values->has_min;
        limit->min = 0 - values->max * length; /* avoids -0 */
        limit->max = 0 - values->min * length;
    }
    joint->limit_count++;
}

mmd_status phys_read_axes(const phys_reader *reader, const json_ref *of, const char *key, uint8_t *axes)
{
    assert(reader && of && axes);
    json_reader *json = &reader->file->reader;
    json_ref list;
    *axes = 0;
    json_read_kind(json, of, key, JSON_ARRAY, &list);
    for (size_t i = 0; i < json_ref_count(&list) && json_reader_ok(json); i++) {
        json_ref entry = json_ref_element(&list, i);
        json_int_t axis = json_is_integer(entry.value) ? json_integer_value(entry.value) : -1;
        if (axis < 0 || axis > 2)
            json_ref_fail(json, &entry, MMD_ERROR_VALUE, "an axis must be 0, 1 or 2");
        else
            *axes |= (uint8_t)(1u << axis);
    }
    return json->status;
}

/* ---------------------------------------------------------------- limits */

/* Reads min and max of a limit. */
static mmd_status read_range(const phys_reader *reader, const json_ref *ref, phys_limit_values *values)
{
    json_reader *json = &reader->file->reader;
    json_read_float(json, ref, "min", 0, -INFINITY, INFINITY, &values->min);
    json_read_float(json, ref, "max", 0, -INFINITY, INFINITY, &values->max);
    values->has_min = json_object_get(ref->value, "min") != NULL;
    values->has_max = json_object_get(ref->value, "max") != NULL;
    if (values->has_min && values->has_max && values->min > values->max)
        json_ref_fail(json, ref, MMD_ERROR_VALUE, "its minimum %g is above its maximum %g",
                      (double)values->min, (double)values->max);
    return json->status;
}

/* Reads a limit and adds it. */
static mmd_status read_limit(phys_reader *reader, const json_ref *ref, mmd_phys_joint *joint)
{
    json_reader *json = &reader->file->reader;
    phys_limit_values values = {.soft = json_object_get(ref->value, "stiffness") != NULL};
    uint8_t linear, angular;
    phys_read_axes(reader, ref, "linearAxes", &linear);
    phys_read_axes(reader, ref, "angularAxes", &angular);
    read_range(reader, ref, &values);
    json_read_float(json, ref, "stiffness", 0, 0, INFINITY, &values.stiffness);
    json_read_float(json, ref, "damping", 0, 0, INFINITY, &values.damping);
    if (!json_reader_ok(json))
        return json->status;
    if (!linear && !angular)
        return phys_read_loss(reader, MMD_LOSS_INFO, "joint.invalid", ref, "linearAxes", "");
    if (linear && angular) /* the draft allows one kind only: metres and radians would share a range */
        phys_read_loss(reader, MMD_LOSS_APPROXIMATED, "joint.invalid", ref, "angularAxes",
                       "\"a limit of each kind\"");
    for (int i = 0; i < 2; i++) {
        values.angular = i == 1;
        values.axes = i == 1 ? angular : linear;
        if (values.axes)
            phys_add_limit(reader, joint, &values);
    }
    return MMD_OK;
}

/* ---------------------------------------------------------------- drives */

/* Adds a drive in MMD's space. bounded: it has a maximum force. */
static void add_drive(phys_reader *reader, mmd_phys_joint *joint, mmd_phys_drive drive, bool bounded)
{
    mmd_phys_drive *added = NULL;
    scene_add_drive(&reader->builder, &added);
    if (reader->builder.failed)
        return;
    bool angular = drive.kind == MMD_DRIVE_ANGULAR;
    float sign = is_mirrored(angular, drive.axis) ? -1.0f : 1.0f;
    float length = angular ? 1 : PHYS_LENGTH;
    float gain = angular && !drive.acceleration ? PHYS_SQUARE : 1;
    added->kind = drive.kind;
    added->axis = drive.axis;
    added->acceleration = drive.acceleration;
    added->position_target = sign * length * drive.position_target;
    added->velocity_target = sign * length * drive.velocity_target;
    added->stiffness = gain * drive.stiffness;
    added->damping = gain * drive.damping;
    if (bounded)
        added->max_force = drive.max_force * (angular ? PHYS_SQUARE : PHYS_LENGTH);
    joint->drive_count++;
}

/* Reads the numbers of a drive. */
static mmd_status read_drive_numbers(const phys_reader *reader, const json_ref *ref, mmd_phys_drive *drive)
{
    const struct {
        const char *key;
        float min;
        float *out;
    } numbers[] = {
        {"maxForce", 0, &drive->max_force},
        {"positionTarget", -INFINITY, &drive->position_target},
        {"velocityTarget", -INFINITY, &drive->velocity_target},
        {"stiffness", 0, &drive->stiffness},
        {"damping", 0, &drive->damping},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && json_reader_ok(&reader->file->reader); i++)
        json_read_float(&reader->file->reader, ref, numbers[i].key, 0, numbers[i].min, INFINITY,
                        numbers[i].out);
    return reader->file->reader.status;
}

/* Reads a drive and adds it. */
static mmd_status read_drive(phys_reader *reader, const json_ref *ref, mmd_phys_joint *joint)
{
    json_reader *json = &reader->file->reader;
    mmd_phys_drive drive = {0};
    const char *type = "", *mode = "";
    uint32_t axis;
    read_drive_numbers(reader, ref, &drive);
    json_read_text(json, ref, "type", &type);
    json_read_text(json, ref, "mode", &mode);
    json_read_u32(json, ref, "axis", UINT32_MAX, UINT32_MAX, &axis);
    if (!json_reader_ok(json))
        return json->status;
    bool angular = strcmp(type, "angular") == 0;
    bool known = (angular || strcmp(type, "linear") == 0) && axis <= 2;
    if (!known)
        return phys_read_loss(reader, MMD_LOSS_DROPPED, "joint.drive_dropped", ref,
                              axis <= 2 ? "type" : "axis", "");
    drive.kind = angular ? MMD_DRIVE_ANGULAR : MMD_DRIVE_LINEAR;
    drive.axis = (uint8_t)axis;
    drive.acceleration = strcmp(mode, "acceleration") == 0;
    add_drive(reader, joint, drive, json_object_get(ref->value, "maxForce") != NULL);
    return MMD_OK;
}

/* Adds the limits and drives of an entry of physicsJoints to the joint that was added last. */
static mmd_status phys_read_joint(phys_reader *reader, const json_ref *description, mmd_phys_joint *joint)
{
    assert(reader && description);
    json_reader *json = &reader->file->reader;
    json_ref limits, drives;
    json_read_kind(json, description, "limits", JSON_ARRAY, &limits);
    json_read_kind(json, description, "drives", JSON_ARRAY, &drives);
    for (size_t i = 0; i < json_ref_count(&limits) && json_reader_ok(json); i++) {
        json_ref ref = json_ref_element(&limits, i);
        read_limit(reader, &ref, joint);
    }
    for (size_t i = 0; i < json_ref_count(&drives) && json_reader_ok(json); i++) {
        json_ref ref = json_ref_element(&drives, i);
        read_drive(reader, &ref, joint);
    }
    return reader->builder.failed ? phys_no_memory(reader) : json->status;
}

/* Reads a node's joint. Without a connected node it is attached to the world at its own node. */
mmd_status phys_read_node_joint(phys_reader *reader, const json_ref *ref, uint32_t node,
                                const json_ref *descriptions, mmd_phys_joint **added)
{
    assert(reader && ref && descriptions);
    assert(node < reader->file->node_count);
    json_reader *json = &reader->file->reader;
    int32_t other, number;
    bool collide;
    phys_read_index(reader, ref, "connectedNode", reader->file->node_count, &other);
    phys_read_index(reader, ref, "joint", json_ref_count(descriptions), &number);
    json_read_bool(json, ref, "enableCollision", false, &collide);
    if (!json_reader_ok(json))
        return json->status;
    if (other < 0)
        phys_read_loss(reader, MMD_LOSS_INFO, "ref.dangling", ref, "connectedNode", "");
    int32_t body_a = reader->nodes[node].solid, body_b = other < 0 ? -1 : reader->nodes[other].solid;
    *added =
        phys_add_joint(reader, ref, node, body_a, body_b, (int32_t)node, other < 0 ? (int32_t)node : other);
    if (!*added)
        return phys_no_memory(reader);
    (*added)->collide = collide;
    if (number < 0)
        return phys_read_loss(reader, MMD_LOSS_INFO, "ref.dangling", ref, "joint", "");
    json_ref description = json_ref_element(descriptions, (size_t)number);
    return phys_read_joint(reader, &description, *added);
}

/* ---------------------------------------------------------------------- KHR */

/*
 * KHR_physics_rigid_bodies, draft of March 2024 (with KHR_collision_shapes) and current form (with
 * KHR_implicit_shapes), docs/formats.md 1: a joint is on a node, names another node, and connects the bodies
 * that the two are attached to.
 */

/* Reads the joints of all nodes. */
static mmd_status read_joints(phys_reader *reader)
{
    gltf_file *file = reader->file;
    json_ref descriptions;
    json_read_kind(&file->reader, &reader->rigid, "physicsJoints", JSON_ARRAY, &descriptions);
    for (uint32_t i = 0; i < file->node_count && json_reader_ok(&file->reader); i++) {
        phys_extension ref;
        json_ref joint;
        mmd_phys_joint *added;
        if (!file->nodes[i].in_scene || !phys_find_extension(reader, i, reader->extension, &ref))
            continue;
        json_read_kind(&file->reader, &ref.physics, "joint", JSON_OBJECT, &joint);
        if (json_reader_ok(&file->reader) && joint.value)
            phys_read_node_joint(reader, &joint, i, &descriptions, &added);
    }
    return file->reader.status;
}

static mmd_status gltf_read_khr(gltf_file *file)
{
    assert(file);
    phys_reader reader;
    phys_begin_reading(&reader, file, false);
    phys_sort(&reader);
    phys_bodies(&reader);
    read_joints(&reader);
    return phys_end_reading(&reader);
}

/* --------------------------------------------------------------- dialect */

/* Returns whether extensionsUsed contains a name. */
static bool is_used(const gltf_file *file, const char *name)
{
    json_ref used = json_ref_member(&file->root, "extensionsUsed");
    for (size_t i = 0; i < json_ref_count(&used); i++) {
        const char *text = json_string_value(json_array_get(used.value, i));
        if (text && strcmp(text, name) == 0)
            return true;
    }
    return false;
}

/* Detects the dialect from the root's extensions, else from extensionsUsed. */
static mmd_dialect find_dialect(const gltf_file *file)
{
    const json_t *root = json_object_get(file->root.value, "extensions");
    const json_t *omi_joint = json_object_get(root, "OMI_physics_joint");
    if (json_object_get(root, "KHR_collision_shapes"))
        return MMD_DIALECT_KHR_COLLISION_SHAPES;
    if (json_object_get(root, "KHR_physics_rigid_bodies") || is_used(file, "KHR_physics_rigid_bodies"))
        return json_object_get(root, "KHR_implicit_shapes") || !is_used(file, "KHR_collision_shapes")
                   ? MMD_DIALECT_KHR_IMPLICIT_SHAPES
                   : MMD_DIALECT_KHR_COLLISION_SHAPES;
    if (json_object_get(omi_joint, "physicsJoints"))
        return MMD_DIALECT_OMI_PHYSICS_JOINTS;
    if (omi_joint || json_object_get(root, "OMI_physics_shape") ||
        json_object_get(root, "OMI_physics_body") || json_object_get(root, "OMI_physics_gravity") ||
        is_used(file, "OMI_physics_body"))
        return MMD_DIALECT_OMI_CONSTRAINTS;
    return MMD_DIALECT_NONE;
}

/* Makes an empty scene. */
static mmd_status read_nothing(gltf_file *file)
{
    scene_builder builder = {.scene = {.world = mmd_default_gltf_world()}};
    return scene_builder_finish(&builder, file->document, file->reader.error);
}

/*
 * Returns a part of a node's physics in the extension of one family (KHR or OMI). *holder receives the
 * reference to the extension, the part's parent.
 */
static json_ref find_part(const json_ref *extensions, bool omi, const char *part, json_ref *holder)
{
    bool itself = omi && (strcmp(part, "joint") == 0 || strcmp(part, "gravity") == 0);
    const char *name = !omi ? "KHR_physics_rigid_bodies" : "OMI_physics_body";
    if (itself)
        name = strcmp(part, "joint") == 0 ? "OMI_physics_joint" : "OMI_physics_gravity";
    *holder = json_ref_member(extensions, name);
    return itself ? *holder : json_ref_member(holder, part);
}

/*
 * Reports physics of nodes in the family that is not read. If a node has the part in both families, as some
 * exporters write, it is reported as information only.
 */
static void report_other_family(const gltf_file *file, bool khr, bool omi)
{
    static const char *const parts[] = {"motion", "collider", "trigger", "joint", "gravity"};
    json_ref nodes = json_ref_member(&file->root, "nodes");
    for (uint32_t i = 0; i < file->node_count; i++) {
        json_ref node = json_ref_element(&nodes, i), extensions = json_ref_member(&node, "extensions");
        for (size_t k = 0; extensions.value && k < 2 * (sizeof parts / sizeof parts[0]); k++) {
            json_ref holder, holder_read;
            bool of_omi = k % 2;
            json_ref found_part = find_part(&extensions, of_omi, parts[k / 2], &holder);
            if (!found_part.value || (of_omi ? omi : khr))
                continue;
            bool both = (khr || omi) && find_part(&extensions, !of_omi, parts[k / 2], &holder_read).value;
            losses_add_at(&file->document->losses, both ? MMD_LOSS_INFO : MMD_LOSS_DROPPED, MMD_EXCHANGE_GLTF,
                          "dialect.ignored", &found_part, "", "");
        }
    }
}

mmd_status gltf_read_physics(gltf_file *file)
{
    assert(file);
    mmd_dialect dialect = file->document->dialect = find_dialect(file);
    bool khr = dialect == MMD_DIALECT_KHR_COLLISION_SHAPES || dialect == MMD_DIALECT_KHR_IMPLICIT_SHAPES;
    bool omi = dialect == MMD_DIALECT_OMI_CONSTRAINTS || dialect == MMD_DIALECT_OMI_PHYSICS_JOINTS;
    report_other_family(file, khr, omi);
    return khr ? gltf_read_khr(file) : omi ? gltf_read_omi(file) : read_nothing(file);
}
