/*
 * Bodies of a glTF: what a motion says (KHR and OMI have the same words for
 * most of it), and the bodies of all nodes with the shapes that belong to
 * them.
 *
 * Space (FORMATS.md 4): a node's own axes mirrored in Z. Positions and linear
 * velocities become (x, y, -z) / 0.08, angular velocities (-x, -y, z), and
 * principal axes of inertia are turned by (-x, -y, z, w); moments of inertia
 * are the same about mirrored axes, in kg (0.08 m)^2. Velocities are in the
 * node's axes in metres a second, ancestors' rotations included, scales not; a
 * centre of mass is a point of the node and scaled as such.
 */
#include <math.h>
#include <string.h>

#include "physics.h"

/* Turned from the node's axes to the world's. */
static void to_world(const mmd_transform *rest, float vector[3])
{
    mmd_transform turn = *rest;
    memset(turn.translation, 0, sizeof turn.translation);
    mmd_transform_point(&turn, vector, vector);
}

static mmd_status read_velocities(phys_reader *reader, const json_spot *motion, mmd_phys_body *body)
{
    static const float none[3] = {0, 0, 0};
    const json_reader *json = &reader->file->reader;
    float linear[3], angular[3];
    mmd_status status = json_read_floats(json, motion, "linearVelocity", 3, none, linear);
    if (!status)
        status = json_read_floats(json, motion, "angularVelocity", 3, none, angular);
    if (status)
        return status;
    phys_mirror(linear, PHYS_LENGTH, body->linear_velocity);
    phys_mirror_angular(angular, body->angular_velocity);
    to_world(&body->rest, body->linear_velocity);
    to_world(&body->rest, body->angular_velocity);
    return MMD_OK;
}

/* Of any length but none. */
static mmd_status read_orientation(const phys_reader *reader, const json_spot *motion, float rotation[4])
{
    static const float identity[4] = {0, 0, 0, 1};
    float q[4];
    const json_reader *json = &reader->file->reader;
    mmd_status status = json_read_floats(json, motion, "inertiaOrientation", 4, identity, q);
    if (status)
        return status;
    double length =
        sqrt((double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] + (double)q[3] * q[3]);
    if (!(length > 1e-6)) {
        json_spot at = json_spot_member(motion, "inertiaOrientation");
        return json_spot_fail(json, &at, MMD_ERROR_VALUE, "a rotation of length %g", length);
    }
    for (int i = 0; i < 4; i++)
        rotation[i] = (float)((i < 2 ? -q[i] : q[i]) / length);
    return MMD_OK;
}

/* KHR: absent is automatic, 0 infinite. OMI: 0 is automatic; some zeros cannot be said, and all becomes so.
 */
static mmd_status read_inertia(phys_reader *reader, const json_spot *motion, mmd_phys_body *body)
{
    static const float none[3] = {0, 0, 0};
    const json_reader *json = &reader->file->reader;
    json_spot at = json_spot_member(motion, "inertiaDiagonal");
    float inertia[3];
    int zeros = 0;
    mmd_status status = json_read_floats(json, motion, "inertiaDiagonal", 3, none, inertia);
    for (int i = 0; i < 3 && !status; i++) {
        zeros += inertia[i] == 0;
        if (inertia[i] < 0)
            status = json_spot_fail(json, &at, MMD_ERROR_VALUE, "a negative inertia, %g", (double)inertia[i]);
    }
    if (!status)
        status = read_orientation(reader, motion, body->inertia_rotation);
    if (status)
        return status;
    body->auto_inertia = !at.value || (reader->omi && zeros > 0);
    if (at.value && reader->omi && zeros > 0 && zeros < 3)
        phys_lost(reader, MMD_LOSS_APPROXIMATED, "inertia.dropped", &at, "inertiaDiagonal", "[0,0,0]");
    for (int i = 0; i < 3; i++)
        body->inertia[i] = inertia[i] * PHYS_SQUARE;
    return MMD_OK;
}

static mmd_status read_center(phys_reader *reader, const json_spot *motion, uint32_t node,
                              mmd_phys_body *body)
{
    static const float none[3] = {0, 0, 0};
    float center[3];
    mmd_status status = json_read_floats(&reader->file->reader, motion, "centerOfMass", 3, none, center);
    if (status)
        return status;
    body->auto_center = !reader->omi && !json_object_get(motion->value, "centerOfMass");
    for (int i = 0; i < 3; i++)
        center[i] *= reader->file->nodes[node].scale[i];
    phys_mirror(center, PHYS_LENGTH, body->center);
    return MMD_OK;
}

mmd_status phys_read_motion(phys_reader *reader, const json_spot *motion, uint32_t node, mmd_phys_body *body)
{
    const json_reader *json = &reader->file->reader;
    mmd_status status = json_read_float(json, motion, "mass", 1, 0, INFINITY, &body->mass);
    body->auto_mass = !reader->omi && !json_object_get(motion->value, "mass");
    if (!status)
        status =
            json_read_float(json, motion, "gravityFactor", 1, -INFINITY, INFINITY, &body->gravity_factor);
    if (!status)
        status = read_velocities(reader, motion, body);
    if (!status)
        status = read_inertia(reader, motion, body);
    return status ? status : read_center(reader, motion, node, body);
}

/* ---------------------------------------------------------------- bodies */

static const struct {
    const char *text;
    mmd_phys_motion motion;
} omi_types[] = {
    {"static", MMD_PHYS_STATIC}, {"kinematic", MMD_PHYS_KINEMATIC}, {"dynamic", MMD_PHYS_DYNAMIC}};

/* Without a type (older files): dynamic. */
static mmd_status read_omi_type(const phys_reader *reader, const json_spot *motion, uint8_t *out)
{
    const char *type = "";
    mmd_status status = json_read_text(&reader->file->reader, motion, "type", &type);
    if (status)
        return status;
    *out = MMD_PHYS_DYNAMIC;
    if (!*type)
        return MMD_OK;
    for (size_t i = 0; i < sizeof omi_types / sizeof omi_types[0]; i++) {
        if (strcmp(type, omi_types[i].text) == 0) {
            *out = (uint8_t)omi_types[i].motion;
            return MMD_OK;
        }
    }
    json_spot at = json_spot_member(motion, "type");
    return json_spot_fail(&reader->file->reader, &at, MMD_ERROR_VALUE, "no type of motion: %.40s", type);
}

static mmd_status read_type(const phys_reader *reader, const json_spot *motion, uint8_t *out)
{
    if (reader->omi)
        return read_omi_type(reader, motion, out);
    bool kinematic;
    mmd_status status = json_read_bool(&reader->file->reader, motion, "isKinematic", false, &kinematic);
    if (!status)
        *out = kinematic ? MMD_PHYS_KINEMATIC : MMD_PHYS_DYNAMIC;
    return status;
}

/* Neither dialect has a word for damping: it stands in the extras that we write (FORMATS.md 4, Bodies). */
static void read_damping(const gltf_file *file, uint32_t number, mmd_phys_body *body)
{
    const json_t *node = json_array_get(json_object_get(file->root.value, "nodes"), number);
    const json_t *extras = json_object_get(json_object_get(node, "extras"), "mmd");
    const struct {
        const char *key;
        float *out;
    } numbers[] = {{"linearDamping", &body->linear_damping}, {"angularDamping", &body->angular_damping}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        float value = 0;
        const json_t *found = json_object_get(extras, numbers[i].key);
        if (json_is_number(found) && json_float_value(found, &value) && isfinite(value))
            *numbers[i].out = value;
    }
}

static mmd_status fill_body(phys_reader *reader, uint32_t number, mmd_phys_body *body)
{
    const gltf_node *node = &reader->file->nodes[number];
    phys_spot spot;
    body->name = node->name;
    body->path = node->path;
    body->bone = (int32_t)number;
    body->rest = node->rest;
    body->motion = MMD_PHYS_STATIC;
    mmd_status status = MMD_OK;
    if (reader->nodes[number].motion && phys_spot_of(reader, number, reader->extension, &spot)) {
        json_spot motion = json_spot_member(&spot.physics, "motion");
        status = read_type(reader, &motion, &body->motion);
        if (!status)
            status = phys_read_motion(reader, &motion, number, body);
        read_damping(reader->file, number, body);
    }
    /* The animation goes before the simulation; but below an animated node, what has a motion is a body of
       its own, that goes its own way. */
    if (node->moves || (node->animated && !reader->nodes[number].motion))
        body->motion = MMD_PHYS_KINEMATIC;
    return status;
}

static mmd_status add_shapes_of(phys_reader *reader, uint32_t number, const mmd_phys_body *body)
{
    phys_spot spot;
    bool moving = body->motion != MMD_PHYS_STATIC;
    if (!phys_spot_of(reader, number, reader->extension, &spot))
        return MMD_OK;
    json_spot collider = json_spot_member(&spot.physics, "collider");
    json_spot trigger = json_spot_member(&spot.physics, "trigger");
    mmd_status status = MMD_OK;
    if (collider.value)
        status = phys_read_shape(reader, &collider, number, false, &body->rest, moving);
    if (trigger.value && !status)
        status = phys_read_shape(reader, &trigger, number, true, &body->rest, moving);
    return status;
}

static mmd_status make_body(phys_reader *reader, uint32_t number)
{
    phys_node *node = &reader->nodes[number];
    mmd_phys_body *body = NULL;
    mmd_exchange_item *item = NULL;
    uint32_t made = scene_add_body(&reader->maker, &body, &item);
    if (reader->maker.failed)
        return phys_no_memory(reader);
    item->node = (int32_t)number;
    node->body = (int32_t)made;
    mmd_status status = fill_body(reader, number, body);
    bool solid = node->motion || node->gathers;
    for (int32_t i = node->first; i >= 0 && !status; i = reader->nodes[i].next) {
        solid = solid || reader->nodes[i].collider;
        status = add_shapes_of(reader, (uint32_t)i, body);
    }
    body->shape_count = reader->maker.scene.shape_count - body->first_shape;
    node->solid = solid && !(node->trigger && !node->motion && !node->collider) ? (int32_t)made : -1;
    return reader->maker.failed ? phys_no_memory(reader) : status;
}

mmd_status phys_bodies(phys_reader *reader)
{
    mmd_status status = MMD_OK;
    for (uint32_t i = 0; i < reader->file->node_count && !status; i++) {
        const phys_node *node = &reader->nodes[i];
        bool taker =
            node->gathers && (node->collider_taker == (int32_t)i || node->trigger_taker == (int32_t)i);
        if (node->motion || node->first >= 0 || taker)
            status = make_body(reader, i);
    }
    for (uint32_t k = 0; k < reader->file->node_count && !status; k++) {
        uint32_t i = reader->order[k];
        int32_t parent = reader->file->nodes[i].parent;
        if (reader->nodes[i].solid < 0 && parent >= 0)
            reader->nodes[i].solid = reader->nodes[parent].solid;
    }
    return status;
}
