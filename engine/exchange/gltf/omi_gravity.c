/*
 * OMI_physics_gravity: the world's, and fields on nodes, bounded by the
 * triggers of their node (FORMATS.md 2).
 *
 * A field lies in its node's frame; the scene has it in the frame of the body
 * whose triggers bound it. Where that is another node's (a trigger fixed to a
 * moving body), directions, points and shapes are put into the body's frame;
 * the centre and the axis of the other kinds cannot be, and it is told.
 */
#include <math.h>
#include <string.h>

#include "physics.h"

static const struct {
    const char *text;
    mmd_gravity_kind kind;
} kinds[] = {{"directional", MMD_GRAVITY_DIRECTIONAL},
             {"point", MMD_GRAVITY_POINT},
             {"disc", MMD_GRAVITY_DISC},
             {"torus", MMD_GRAVITY_TORUS},
             {"line", MMD_GRAVITY_LINE},
             {"shaped", MMD_GRAVITY_SHAPED}};

/* Of unit length, in MMD's axes; no direction is no mistake: down. */
static mmd_status read_direction(phys_reader *reader, const json_spot *of, float direction[3])
{
    static const float down[3] = {0, -1, 0};
    float given[3];
    mmd_status status = json_read_floats(&reader->file->reader, of, "direction", 3, down, given);
    if (status)
        return status;
    double length =
        sqrt((double)given[0] * given[0] + (double)given[1] * given[1] + (double)given[2] * given[2]);
    for (int i = 0; i < 3; i++)
        given[i] = length > 0 ? (float)(given[i] / length) : down[i];
    phys_mirror(given, 1, direction);
    return MMD_OK;
}

mmd_status phys_read_world_gravity(phys_reader *reader)
{
    const json_reader *json = &reader->file->reader;
    mmd_phys_world *world = &reader->maker.scene.world;
    json_spot gravity;
    float strength, direction[3];
    mmd_status status =
        json_read_kind(json, &reader->extensions, "OMI_physics_gravity", JSON_OBJECT, &gravity);
    if (status || !gravity.value)
        return status;
    float fallback = sqrtf(world->gravity[0] * world->gravity[0] + world->gravity[1] * world->gravity[1] +
                           world->gravity[2] * world->gravity[2]);
    status = json_read_float(json, &gravity, "gravity", fallback * METRES_PER_UNIT, -INFINITY, INFINITY,
                             &strength);
    if (!status)
        status = read_direction(reader, &gravity, direction);
    for (int i = 0; i < 3 && !status; i++)
        world->gravity[i] = direction[i] * strength * PHYS_LENGTH;
    return status;
}

/* ---------------------------------------------------------------- fields */

/* From the field's node to the body's frame. */
typedef struct field_job {
    phys_reader *reader;
    uint32_t node;
    json_spot values; /* the member named as the type */
    mmd_transform frame;
    mmd_phys_gravity *field;
} field_job;

static mmd_status read_line(field_job *job)
{
    phys_reader *reader = job->reader;
    const json_reader *json = &reader->file->reader;
    json_spot list;
    mmd_status status = json_read_kind(json, &job->values, "points", JSON_ARRAY, &list);
    size_t count = json_spot_count(&list);
    if (!status && (count < 6 || count % 3))
        status = json_spot_fail(json, &job->values, MMD_ERROR_COUNT,
                                "%zu numbers, not three for each of two points or more", count);
    if (status)
        return status;
    float *numbers = mmd_arena_alloc(json->arena, count, sizeof *numbers);
    if (!numbers)
        return phys_no_memory(reader);
    status = json_read_floats(json, &job->values, "points", count, NULL, numbers);
    const float *scale = reader->file->nodes[job->node].scale;
    for (size_t i = 0; i < count && !status; i += 3) {
        for (size_t k = 0; k < 3; k++)
            numbers[i + k] *= scale[k];
        phys_mirror(numbers + i, PHYS_LENGTH, numbers + i);
        mmd_transform_point(&job->frame, numbers + i, numbers + i);
    }
    job->field->points = (const float(*)[3])(void *)numbers;
    job->field->point_count = (uint32_t)(count / 3);
    return status;
}

/* The shape stands in the scene without being of a body. */
static mmd_status read_shaped(field_job *job)
{
    phys_reader *reader = job->reader;
    int32_t shape;
    bool added = false;
    mmd_status status =
        phys_read_index(reader, &job->values, "shape", json_spot_count(&reader->shapes), &shape);
    if (status)
        return status;
    if (shape >= 0) {
        json_spot entry = json_spot_element(&reader->shapes, (size_t)shape);
        int32_t body = job->field->body;
        const mmd_transform *rest =
            body >= 0 ? &reader->maker.scene.bodies[body].rest : &reader->file->nodes[job->node].rest;
        status = phys_add_shape(reader, &entry, job->node, rest, false, &added);
    }
    if (added)
        job->field->shape = (int32_t)reader->maker.scene.shape_count - 1;
    else if (!status)
        phys_lost(reader, MMD_LOSS_APPROXIMATED, "mesh.missing", &job->values, "shape", "\"point\"");
    if (!added)
        job->field->kind = MMD_GRAVITY_POINT;
    return status;
}

static mmd_status read_kind(field_job *job)
{
    const json_reader *json = &job->reader->file->reader;
    mmd_phys_gravity *field = job->field;
    const float *scale = job->reader->file->nodes[job->node].scale;
    mmd_status status =
        json_read_float(json, &job->values, "unitDistance", 0, 0, INFINITY, &field->unit_distance);
    if (!status)
        status = json_read_float(json, &job->values, "radius", 1, 0, INFINITY, &field->radius);
    if (!status)
        status = read_direction(job->reader, &job->values, field->direction);
    if (status)
        return status;
    mmd_transform turn = {.rotation = {job->frame.rotation[0], job->frame.rotation[1], job->frame.rotation[2],
                                       job->frame.rotation[3]}};
    mmd_transform_point(&turn, field->direction, field->direction);
    field->unit_distance *= PHYS_LENGTH;
    field->radius *= PHYS_LENGTH * fmaxf(fabsf(scale[0]), fabsf(scale[2]));
    return field->kind == MMD_GRAVITY_LINE     ? read_line(job)
           : field->kind == MMD_GRAVITY_SHAPED ? read_shaped(job)
                                               : MMD_OK;
}

/* A trigger of the node bounds its field; else the nearest body's triggers above; -1: it is everywhere. */
static int32_t bounding_body(const phys_reader *reader, uint32_t number)
{
    const phys_node *node = &reader->nodes[number];
    if (node->body >= 0)
        return node->body;
    if (node->trigger_taker >= 0)
        return reader->nodes[node->trigger_taker].body;
    return node->compound >= 0 ? reader->nodes[node->compound].body : -1;
}

static mmd_status read_common(phys_reader *reader, const json_spot *spot, mmd_phys_gravity *field)
{
    const json_reader *json = &reader->file->reader;
    float priority;
    json_spot at = json_spot_member(spot, "gravity");
    if (!at.value)
        return json_spot_fail(json, spot, MMD_ERROR_VALUE, "gravity without a strength");
    mmd_status status = json_read_float(json, spot, "gravity", 0, -INFINITY, INFINITY, &field->gravity);
    if (!status)
        status = json_read_float(json, spot, "priority", 0, -1e9f, 1e9f, &priority);
    if (!status)
        status = json_read_bool(json, spot, "replace", false, &field->replace);
    if (!status)
        status = json_read_bool(json, spot, "stop", false, &field->stop);
    if (status)
        return status;
    field->priority = (int32_t)priority;
    field->gravity *= PHYS_LENGTH;
    return MMD_OK;
}

static int find_kind(const char *type)
{
    for (int i = 0; i < (int)(sizeof kinds / sizeof kinds[0]); i++)
        if (strcmp(type, kinds[i].text) == 0)
            return i;
    return -1;
}

static mmd_status read_field(phys_reader *reader, const json_spot *spot, uint32_t node)
{
    const json_reader *json = &reader->file->reader;
    field_job job = {.reader = reader, .node = node};
    const char *type = "";
    mmd_status status = json_read_text(json, spot, "type", &type);
    int kind = find_kind(type);
    if (status)
        return status;
    if (kind < 0)
        return json_spot_fail(json, spot, MMD_ERROR_VALUE, "no type of gravity: %.40s", type);
    status = json_read_kind(json, spot, type, JSON_OBJECT, &job.values);
    scene_add_gravity(&reader->maker, &job.field);
    if (status || reader->maker.failed)
        return status ? status : phys_no_memory(reader);
    job.field->kind = (uint8_t)kinds[kind].kind;
    job.field->body = bounding_body(reader, node);
    mmd_transform inverse = {.rotation = {0, 0, 0, 1}};
    const mmd_transform *rest = &reader->file->nodes[node].rest;
    if (job.field->body >= 0)
        mmd_transform_inverse(&reader->maker.scene.bodies[job.field->body].rest, &inverse);
    mmd_transform_multiply(&inverse, rest, &job.frame);
    bool moved = reader->nodes[node].body < 0;
    if (moved && kinds[kind].kind != MMD_GRAVITY_DIRECTIONAL && kinds[kind].kind != MMD_GRAVITY_LINE &&
        kinds[kind].kind != MMD_GRAVITY_SHAPED)
        phys_lost(reader, MMD_LOSS_APPROXIMATED, "shape.compound", spot, type, "");
    status = read_common(reader, spot, job.field);
    return status ? status : read_kind(&job);
}

mmd_status omi_read_gravity(phys_reader *reader)
{
    const gltf_file *file = reader->file;
    mmd_status status = MMD_OK;
    for (uint32_t i = 0; i < file->node_count && !status; i++) {
        phys_spot spot;
        if (!file->nodes[i].in_scene || !phys_spot_of(reader, i, "OMI_physics_gravity", &spot))
            continue;
        status = json_read_kind(&file->reader, &spot.extensions, "OMI_physics_gravity", JSON_OBJECT,
                                &spot.physics);
        if (!status)
            status = read_field(reader, &spot.physics, i);
    }
    return status;
}
