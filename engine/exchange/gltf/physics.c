/*
 * Physics of a glTF: which dialect it is, and what both readers share of
 * going over its nodes (FORMATS.md 1 and 2).
 *
 * A collider belongs to the nearest node at or above it that moves; without
 * one it is a static body of its own, kinematic where the node is animated. A
 * trigger belongs to a moving body in the same way; else to the trigger whose
 * `nodes` name it, else it is a body of its own.
 */
#include <string.h>

#include "physics.h"

bool phys_spot_of(const phys_reader *reader, uint32_t node, const char *extension, phys_spot *spot)
{
    spot->nodes = json_spot_member(&reader->file->root, "nodes");
    spot->node = json_spot_element(&spot->nodes, node);
    spot->extensions = json_spot_member(&spot->node, "extensions");
    spot->physics = json_spot_member(&spot->extensions, extension);
    return spot->physics.value != NULL;
}

mmd_status phys_lost(phys_reader *reader, mmd_loss_severity severity, const char *code, const json_spot *spot,
                     const char *field, const char *emitted)
{
    losses_add_at(&reader->file->document->losses, severity, MMD_EXCHANGE_GLTF, code, spot, field, emitted);
    return MMD_OK;
}

mmd_status phys_no_memory(const phys_reader *reader)
{
    return mmd_error_set(reader->file->reader.error, MMD_ERROR_MEMORY, "physics", MMD_NO_OFFSET,
                         "no memory for the physics of %u nodes", reader->file->node_count);
}

mmd_status phys_read_index(const phys_reader *reader, const json_spot *of, const char *key, size_t limit,
                           int32_t *out)
{
    json_spot member = json_spot_member(of, key);
    *out = -1;
    if (json_is_null(member.value) ||
        (json_is_integer(member.value) && json_integer_value(member.value) == -1))
        return MMD_OK;
    return json_read_index(&reader->file->reader, of, key, limit, out);
}

void phys_mirror(const float from[3], float scale, float to[3])
{
    float x = from[0] * scale, y = from[1] * scale, z = -from[2] * scale;
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

void phys_mirror_angular(const float from[3], float to[3])
{
    float x = -from[0], y = -from[1], z = from[2];
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

/* ------------------------------------------------------------ beginning */

static mmd_status open_lists(phys_reader *reader)
{
    const json_reader *json = &reader->file->reader;
    json_spot *extensions = &reader->extensions;
    mmd_status status = json_read_kind(json, &reader->file->root, "extensions", JSON_OBJECT, extensions);
    if (status)
        return status;
    struct {
        const char *key;
        json_spot *out;
    } parts[] = {
        {reader->omi ? "OMI_physics_body" : "KHR_physics_rigid_bodies", &reader->rigid},
        {reader->omi ? "OMI_physics_shape" : "KHR_collision_shapes", &reader->shapes_in},
        {"KHR_implicit_shapes", &reader->implicit_in},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !status; i++)
        status = json_read_kind(json, extensions, parts[i].key, JSON_OBJECT, parts[i].out);
    if (!status)
        status = json_read_kind(json, &reader->shapes_in, "shapes", JSON_ARRAY, &reader->shapes);
    if (!status)
        status = json_read_kind(json, &reader->implicit_in, "shapes", JSON_ARRAY, &reader->implicit);
    if (!status)
        status = json_read_kind(json, &reader->rigid, "physicsMaterials", JSON_ARRAY, &reader->materials);
    if (!status)
        status = json_read_kind(json, &reader->rigid, "collisionFilters", JSON_ARRAY, &reader->filters);
    return status;
}

mmd_status phys_begin_reading(phys_reader *reader, gltf_file *file, bool omi)
{
    *reader = (phys_reader){
        .file = file, .omi = omi, .extension = omi ? "OMI_physics_body" : "KHR_physics_rigid_bodies"};
    json_spot meshes = json_spot_member(&file->root, "meshes");
    reader->mesh_count = (uint32_t)json_spot_count(&meshes);
    reader->maker.scene.world = mmd_default_gltf_world();
    reader->nodes = mmd_alloc(file->node_count * sizeof *reader->nodes);
    reader->order = mmd_alloc(file->node_count * sizeof *reader->order);
    reader->meshes = mmd_alloc(reader->mesh_count * sizeof *reader->meshes);
    if (!reader->nodes || !reader->order || !reader->meshes)
        return phys_no_memory(reader);
    memset(reader->meshes, 0, reader->mesh_count * sizeof *reader->meshes);
    for (uint32_t i = 0; i < file->node_count; i++)
        reader->nodes[i] = (phys_node){.collider_taker = -1,
                                       .trigger_taker = -1,
                                       .compound = -1,
                                       .first = -1,
                                       .next = -1,
                                       .body = -1,
                                       .solid = -1};
    mmd_status status = open_lists(reader);
    if (!status)
        status = phys_read_world_gravity(reader);
    if (!status)
        status = phys_read_materials(reader);
    return status ? status : phys_read_filters(reader);
}

mmd_status phys_end_reading(phys_reader *reader, mmd_status status)
{
    if (!status)
        status = phys_check_bounds(reader);
    mmd_free(reader->nodes);
    mmd_free(reader->order);
    mmd_free(reader->meshes);
    if (!status)
        return scene_maker_finish(&reader->maker, reader->file->document, reader->file->reader.error);
    scene_maker_abandon(&reader->maker);
    return status;
}

/* --------------------------------------------------------------- sorting */

/* Parents before children: each node goes to the list behind those above it that are not in yet. */
static mmd_status order_nodes(phys_reader *reader)
{
    const gltf_file *file = reader->file;
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

/* What says where shapes are; a collider or trigger that has none of them gathers those below. */
static bool says_shape(const json_spot *part)
{
    json_spot shape = json_spot_member(part, "shape");
    bool none = json_is_integer(shape.value) && json_integer_value(shape.value) == -1;
    return (shape.value && !none) || json_object_get(part->value, "geometry") ||
           json_object_get(part->value, "nodes");
}

static mmd_status note_compound(phys_reader *reader, uint32_t node, const json_spot *trigger)
{
    const gltf_file *file = reader->file;
    json_spot list;
    mmd_status status = json_read_kind(&file->reader, trigger, "nodes", JSON_ARRAY, &list);
    for (size_t i = 0; i < json_spot_count(&list) && !status; i++) {
        json_spot entry = json_spot_element(&list, i);
        json_int_t number = json_is_integer(entry.value) ? json_integer_value(entry.value) : -1;
        if (number < 0 || number >= (json_int_t)file->node_count)
            status = json_spot_fail(&file->reader, &entry, MMD_ERROR_INDEX, "no index of one of %u nodes",
                                    file->node_count);
        else if (number != (json_int_t)node)
            reader->nodes[number].compound = (int32_t)node;
    }
    return status;
}

static mmd_status note_parts(phys_reader *reader, uint32_t number)
{
    const json_reader *json = &reader->file->reader;
    phys_node *node = &reader->nodes[number];
    phys_spot spot;
    if (!reader->file->nodes[number].in_scene || !phys_spot_of(reader, number, reader->extension, &spot))
        return MMD_OK;
    json_spot motion, collider, trigger;
    mmd_status status = json_read_kind(json, &spot.extensions, reader->extension, JSON_OBJECT, &spot.physics);
    if (!status)
        status = json_read_kind(json, &spot.physics, "motion", JSON_OBJECT, &motion);
    if (!status)
        status = json_read_kind(json, &spot.physics, "collider", JSON_OBJECT, &collider);
    if (!status)
        status = json_read_kind(json, &spot.physics, "trigger", JSON_OBJECT, &trigger);
    if (status)
        return status;
    node->motion = motion.value != NULL;
    node->collider = collider.value != NULL;
    node->trigger = trigger.value != NULL;
    node->gathers = reader->omi &&
                    ((node->collider && !says_shape(&collider)) || (node->trigger && !says_shape(&trigger)));
    const char *type = json_string_value(json_object_get(motion.value, "type"));
    node->still = reader->omi && type && strcmp(type, "static") == 0;
    return note_compound(reader, number, &trigger);
}

static void find_takers(phys_reader *reader, uint32_t number)
{
    phys_node *node = &reader->nodes[number];
    int32_t parent = reader->file->nodes[number].parent;
    if (parent >= 0) {
        node->collider_taker = reader->nodes[parent].collider_taker;
        node->trigger_taker = reader->nodes[parent].trigger_taker;
    }
    if (node->motion || (node->gathers && node->collider && node->collider_taker < 0))
        node->collider_taker = (int32_t)number;
    if (node->motion)
        node->trigger_taker = node->still ? -1 : (int32_t)number;
    else if (node->gathers && node->trigger && node->trigger_taker < 0)
        node->trigger_taker = (int32_t)number;
}

static int32_t collider_owner(const phys_reader *reader, uint32_t number)
{
    int32_t taker = reader->nodes[number].collider_taker;
    return taker >= 0 ? taker : (int32_t)number;
}

static int32_t trigger_owner(const phys_reader *reader, uint32_t number)
{
    const phys_node *node = &reader->nodes[number];
    if (node->trigger_taker >= 0)
        return node->trigger_taker;
    return node->compound >= 0 && reader->nodes[node->compound].trigger ? node->compound : (int32_t)number;
}

/* Backwards, so that lists come out in the order of the nodes. A node whose collider and trigger belong to
 * different bodies is in the collider's list, and its trigger joins that body. */
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
    mmd_status status = order_nodes(reader);
    for (uint32_t i = 0; i < reader->file->node_count && !status; i++)
        status = note_parts(reader, i);
    if (status)
        return status;
    for (uint32_t i = 0; i < reader->file->node_count; i++)
        find_takers(reader, reader->order[i]);
    list_shapes(reader);
    return MMD_OK;
}

/* --------------------------------------------------------------- dialect */

static bool is_used(const gltf_file *file, const char *name)
{
    json_spot used = json_spot_member(&file->root, "extensionsUsed");
    for (size_t i = 0; i < json_spot_count(&used); i++) {
        const char *text = json_string_value(json_array_get(used.value, i));
        if (text && strcmp(text, name) == 0)
            return true;
    }
    return false;
}

/* The root's extensions say which; a file without any there at least lists what its nodes use. */
static mmd_dialect find_dialect(const gltf_file *file)
{
    const json_t *root = json_object_get(file->root.value, "extensions");
    const json_t *omi_joint = json_object_get(root, "OMI_physics_joint");
    if (json_object_get(root, "KHR_collision_shapes"))
        return MMD_DIALECT_KHR_SEED;
    if (json_object_get(root, "KHR_physics_rigid_bodies") || is_used(file, "KHR_physics_rigid_bodies"))
        return json_object_get(root, "KHR_implicit_shapes") || !is_used(file, "KHR_collision_shapes")
                   ? MMD_DIALECT_KHR_CURRENT
                   : MMD_DIALECT_KHR_SEED;
    if (json_object_get(omi_joint, "physicsJoints"))
        return MMD_DIALECT_OMI_NEWER;
    if (omi_joint || json_object_get(root, "OMI_physics_shape") ||
        json_object_get(root, "OMI_physics_body") || json_object_get(root, "OMI_physics_gravity") ||
        is_used(file, "OMI_physics_body"))
        return MMD_DIALECT_OMI_SEED;
    return MMD_DIALECT_NONE;
}

static mmd_status read_nothing(gltf_file *file)
{
    scene_maker maker = {.scene = {.world = mmd_default_gltf_world()}};
    return scene_maker_finish(&maker, file->document, file->reader.error);
}

/* A part of a node's physics in the words of a family; its spot's parents are held. */
static json_spot part_of(const json_spot *extensions, bool omi, const char *part, json_spot *holder)
{
    bool itself = omi && (strcmp(part, "joint") == 0 || strcmp(part, "gravity") == 0);
    const char *name = !omi ? "KHR_physics_rigid_bodies" : "OMI_physics_body";
    if (itself)
        name = strcmp(part, "joint") == 0 ? "OMI_physics_joint" : "OMI_physics_gravity";
    *holder = json_spot_member(extensions, name);
    return itself ? *holder : json_spot_member(holder, part);
}

/*
 * Tells what nodes say in the words of the family that is not read. What a
 * node says in both, as exporters do for the sake of other programs, is only
 * noted.
 */
static void tell_other_family(const gltf_file *file, bool khr, bool omi)
{
    static const char *const parts[] = {"motion", "collider", "trigger", "joint", "gravity"};
    json_spot nodes = json_spot_member(&file->root, "nodes");
    for (uint32_t i = 0; i < file->node_count; i++) {
        json_spot node = json_spot_element(&nodes, i), extensions = json_spot_member(&node, "extensions");
        for (size_t k = 0; extensions.value && k < 2 * (sizeof parts / sizeof parts[0]); k++) {
            json_spot holder, holder_read;
            bool of_omi = k % 2;
            json_spot said = part_of(&extensions, of_omi, parts[k / 2], &holder);
            if (!said.value || (of_omi ? omi : khr))
                continue;
            bool both = (khr || omi) && part_of(&extensions, !of_omi, parts[k / 2], &holder_read).value;
            losses_add_at(&file->document->losses, both ? MMD_LOSS_INFO : MMD_LOSS_DROPPED, MMD_EXCHANGE_GLTF,
                          "dialect.ignored", &said, "", "");
        }
    }
}

mmd_status gltf_read_physics(gltf_file *file)
{
    mmd_dialect dialect = file->document->dialect = find_dialect(file);
    bool khr = dialect == MMD_DIALECT_KHR_SEED || dialect == MMD_DIALECT_KHR_CURRENT;
    bool omi = dialect == MMD_DIALECT_OMI_SEED || dialect == MMD_DIALECT_OMI_NEWER;
    tell_other_family(file, khr, omi);
    return khr ? gltf_read_khr(file) : omi ? gltf_read_omi(file) : read_nothing(file);
}
