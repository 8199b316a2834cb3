/*
 * Gravity of a glTF (FORMATS.md 4, Scale). KHR has no word for the world's: it
 * is 9.80665 m/s^2 down, and bodies say by what factor they differ. OMI's
 * OMI_physics_gravity has the world's and fields on nodes; KHR files get it,
 * too, where the world's does not point down.
 */
#include <math.h>

#include "write_physics.h"

static float length_of(const float v[3])
{
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The direction is left out where it is down, as by default. */
static void put_direction(phys_writer *writer, json_t *object, const float direction[3])
{
    float out[3];
    phys_to_file(direction, 1, out);
    if (out[0] != 0 || out[1] != -1 || out[2] != 0)
        gltf_put(writer->builder, object, "direction", json_from_floats(out, 3));
}

static void put_world(phys_writer *writer, const float gravity[3])
{
    json_t *object = gltf_extension(writer->builder, writer->builder->root, "OMI_physics_gravity");
    float strength = length_of(gravity), direction[3] = {0, -1, 0};
    for (int k = 0; k < 3 && strength > 0; k++)
        direction[k] = gravity[k] / strength;
    gltf_put(writer->builder, object, "gravity", phys_number(METRES_PER_UNIT * strength));
    put_direction(writer, object, direction);
}

void phys_write_gravity(phys_writer *writer)
{
    const float *gravity = writer->scene->world.gravity;
    phys_begin_item(writer, "world", 0, "");
    if (writer->omi) {
        put_world(writer, gravity);
    } else if (gravity[0] == 0 && gravity[2] == 0) {
        float factor = 0 - METRES_PER_UNIT * gravity[1] / PHYS_GLTF_GRAVITY;
        writer->gravity = fabsf(factor - 1) < 1e-6f ? 1 : factor;
    } else {
        put_world(writer, gravity);
        phys_lose(writer, MMD_LOSS_APPROXIMATED, "gravity.direction", "gravity", "not down",
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

/* What each kind says; a field of a shape without one in the file's list is one of a point. */
static const char *put_kind(phys_writer *writer, const mmd_phys_gravity *field, json_t *values,
                            const float scale[3])
{
    gltf_builder *builder = writer->builder;
    float across = fmaxf(fabsf(scale[0]), fabsf(scale[2]));
    if (field->kind == MMD_GRAVITY_DIRECTIONAL)
        put_direction(writer, values, field->direction);
    else if (field->unit_distance > 0)
        gltf_put(builder, values, "unitDistance", phys_number(METRES_PER_UNIT * field->unit_distance));
    if (field->kind == MMD_GRAVITY_DISC || field->kind == MMD_GRAVITY_TORUS)
        gltf_put(builder, values, "radius", phys_number(unscaled(METRES_PER_UNIT * field->radius, across)));
    if (field->kind == MMD_GRAVITY_LINE)
        gltf_put(builder, values, "points", points_of(field, scale));
    if (field->kind == MMD_GRAVITY_SHAPED) {
        mmd_phys_shape said = phys_said_shape(writer, &writer->scene->shapes[field->shape], false);
        gltf_put(builder, values, "shape", json_integer(phys_list_shape(writer, &said, scale, -1)));
    }
    return types[field->kind];
}

static void put_field(phys_writer *writer, const mmd_phys_gravity *field, int32_t node)
{
    gltf_builder *builder = writer->builder;
    mmd_transform place;
    float scale[3] = {1, 1, 1};
    if (builder->failed)
        return;
    gltf_node_place(builder, node, &place, scale);
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

/* On the node of the body that bounds it; a node has room for one. */
static int32_t node_for(phys_writer *writer, const mmd_phys_gravity *field)
{
    gltf_builder *builder = writer->builder;
    const mmd_transform origin = {.rotation = {0, 0, 0, 1}};
    if (field->body < 0)
        return gltf_add_node(builder, "gravity", NULL, -1, &origin);
    int32_t node = builder->node_of_body[field->body];
    const json_t *held = json_object_get(gltf_node_json(builder, node), "extensions");
    return node < 0 || json_object_get(held, "OMI_physics_gravity") ? -1 : node;
}

void omi_write_fields(phys_writer *writer)
{
    for (uint32_t i = 0; i < writer->scene->gravity_count && !writer->builder->failed; i++) {
        const mmd_phys_gravity *field = &writer->scene->gravities[i];
        phys_begin_item(writer, "gravity", i, types[field->kind]);
        int32_t node = writer->omi ? node_for(writer, field) : -1;
        if (node >= 0)
            put_field(writer, field, node);
        else
            phys_lose(writer, MMD_LOSS_DROPPED, "gravity.dropped", "gravity", "a field", "");
    }
}
