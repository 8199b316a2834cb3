/*
 * A physics scene onto the nodes of a glTF, in one of four dialects, and the
 * way to take physics out of a document (FORMATS.md 1, 2 and 4).
 */
#include <float.h>
#include <math.h>
#include <string.h>

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

static void strip_object(json_t *object)
{
    json_t *held = json_object_get(object, "extensions");
    if (!json_is_object(held))
        return;
    for (int i = 0; i < EXTENSIONS; i++)
        json_object_del(held, extensions[i]);
    if (json_object_size(held) == 0)
        json_object_del(object, "extensions");
}

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
    json_t *nodes = json_object_get(builder->root, "nodes");
    for (size_t i = 0; i < json_array_size(nodes); i++)
        strip_object(json_array_get(nodes, i));
    strip_object(builder->root);
    strip_names(builder->root, "extensionsUsed");
    strip_names(builder->root, "extensionsRequired");
}

/* ---------------------------------------------------------------- pieces */

int32_t phys_intern(phys_writer *writer, phys_table *table, json_t *value)
{
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
    writer->kind = kind;
    writer->item = item;
    writer->name = name ? name : "";
}

void phys_lose(phys_writer *writer, mmd_loss_severity severity, const char *code, const char *field,
               const char *source, const char *emitted)
{
    gltf_loss(writer->builder, severity, code, writer->kind, writer->item, writer->name, field, source,
              emitted);
}

json_t *phys_number(float value)
{
    return json_from_float(isfinite(value) ? value : copysignf(FLT_MAX, value));
}

json_t *phys_part(phys_writer *writer, int32_t node, const char *part)
{
    gltf_builder *builder = writer->builder;
    return gltf_object(builder, gltf_extension(builder, gltf_node_json(builder, node), writer->extension),
                       part);
}

json_t *phys_extras(phys_writer *writer, int32_t node)
{
    gltf_builder *builder = writer->builder;
    return gltf_object(builder, gltf_object(builder, gltf_node_json(builder, node), "extras"), "mmd");
}

void phys_to_file(const float from[3], float scale, float to[3])
{
    float x = from[0] * scale, y = from[1] * scale, z = 0 - from[2] * scale;
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

void phys_angular_to_file(const float from[3], float to[3])
{
    float x = 0 - from[0], y = 0 - from[1], z = from[2];
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

bool phys_any(const float vector[3])
{
    return vector[0] != 0 || vector[1] != 0 || vector[2] != 0;
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

/* Whether joints may hold a static body: it is more than triggers. */
static uint8_t holds(const phys_writer *writer, const mmd_phys_body *body)
{
    for (uint32_t i = 0; i < body->shape_count; i++)
        if (!writer->scene->shapes[body->first_shape + i].trigger)
            return 1;
    return body->shape_count == 0;
}

/* Which nodes move: those of bodies that do, and all below them. The second bit says that it is known. */
static void mark_carried(phys_writer *writer)
{
    const gltf_builder *builder = writer->builder;
    for (uint32_t i = 0; i < writer->scene->body_count; i++) {
        const mmd_phys_body *body = &writer->scene->bodies[i];
        if (builder->node_of_body[i] < 0 || body->disabled)
            continue;
        writer->carried[builder->node_of_body[i]] =
            body->motion != MMD_PHYS_STATIC ? 7 : (uint8_t)(4 * holds(writer, body));
    }
    for (uint32_t i = 0; i < writer->node_count; i++) {
        int32_t top = (int32_t)i;
        while (top >= 0 && !(writer->carried[top] & 2))
            top = builder->places[top].parent;
        uint8_t found = top >= 0 ? writer->carried[top] & 3 : 2;
        for (int32_t k = (int32_t)i; k != top; k = builder->places[k].parent)
            writer->carried[k] |= found;
    }
}

/* What no file says of a world. */
static void lose_world(phys_writer *writer)
{
    const mmd_phys_world *world = &writer->scene->world;
    mmd_phys_world usual = mmd_default_gltf_world();
    phys_begin_item(writer, "world", 0, "");
    if (world->damping != usual.damping)
        phys_lose(writer, MMD_LOSS_INFO, "damping.dropped", "damping", "\"additional\"", "");
    if (world->rate != usual.rate || world->iterations != usual.iterations ||
        world->joint_erp != usual.joint_erp || world->joint_lever != usual.joint_lever)
        phys_lose(writer, MMD_LOSS_INFO, "world.dropped", "rate",
                  "steps, iterations, share of errors, levers", "");
    for (uint32_t i = 0; i < writer->scene->joint_count; i++) {
        if (writer->scene->joints[i].kind == MMD_JOINT_AXES || writer->scene->joints[i].disabled)
            continue;
        phys_lose(writer, MMD_LOSS_APPROXIMATED, "joint.stiffened", "joint_erp", "joints that give a little",
                  "limits that do not");
        break;
    }
    for (uint32_t i = 0; i < writer->scene->soft_body_count; i++) {
        phys_begin_item(writer, "soft body", i, writer->scene->soft_bodies[i].name);
        phys_lose(writer, MMD_LOSS_DROPPED, "soft_body.dropped", "shape", "", "");
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
    lose_world(writer);
    if (writer->omi)
        omi_write_root(writer);
    else
        khr_write_root(writer);
}

void gltf_write_physics(gltf_builder *builder, mmd_dialect dialect)
{
    const mmd_physscene *scene = builder->job->scene;
    bool omi = dialect == MMD_DIALECT_OMI_SEED || dialect == MMD_DIALECT_OMI_NEWER;
    phys_writer writer = {
        .builder = builder,
        .scene = scene,
        .omi = omi,
        .newer = dialect == MMD_DIALECT_KHR_CURRENT || dialect == MMD_DIALECT_OMI_NEWER,
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
