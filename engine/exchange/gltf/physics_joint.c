/*
 * Joints of a glTF: frames at two nodes, limits and drives as KHR and OMI's
 * newer dialect have them.
 *
 * The mirror in Z (FORMATS.md 4). T = inverse(frame of A) * frame of B turns
 * into its mirror: translation (x, y, -z), rotation (-x, -y, z, w). So the
 * translation along Z and the angles about X and Y change sign, and a limit
 * [lo, hi] on one of them alone becomes [-hi, -lo]. Limits on two or three axes
 * are of lengths and of angles between lines, which a mirror leaves alone.
 * Targets of drives follow the same signs.
 *
 * Units: a length is 1/0.08; newtons a metre stay (kg/s^2); newton metres and
 * moments are 1/0.08^2, newtons 1/0.08. Gains of acceleration stay.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "physics.h"

/* Whether the mirror turns the sign of what is along (about) an axis. */
static bool is_mirrored(bool angular, int axis)
{
    return angular ? axis != 2 : axis == 2;
}

static mmd_transform frame_in(const phys_reader *reader, int32_t body, int32_t node)
{
    mmd_transform inverse, frame = reader->file->nodes[node].rest;
    if (body >= 0) {
        mmd_transform_inverse(&reader->maker.scene.bodies[body].rest, &inverse);
        mmd_transform_multiply(&inverse, &frame, &frame);
    }
    return frame;
}

static bool is_dynamic(const phys_reader *reader, int32_t body)
{
    return body >= 0 && reader->maker.scene.bodies[body].motion == MMD_PHYS_DYNAMIC;
}

mmd_phys_joint *phys_add_joint(phys_reader *reader, const json_spot *from, uint32_t node, int32_t body_a,
                               int32_t body_b, int32_t frame_a, int32_t frame_b)
{
    assert(reader);
    assert(node < reader->file->node_count);
    mmd_phys_joint *joint = NULL;
    mmd_exchange_item *item = NULL;
    scene_add_joint(&reader->maker, &joint, &item);
    if (reader->maker.failed)
        return NULL;
    item->node = (int32_t)node;
    joint->name = reader->file->nodes[node].name;
    joint->path = reader->file->nodes[node].path;
    joint->body_a = body_a;
    joint->body_b = body_b;
    joint->frame_a = frame_in(reader, body_a, frame_a);
    joint->frame_b = frame_in(reader, body_b, frame_b);
    if (body_a == body_b || (!is_dynamic(reader, body_a) && !is_dynamic(reader, body_b))) {
        joint->disabled = true; /* nothing that a joint could move */
        phys_lost(reader, MMD_LOSS_INFO, "ref.dangling", from, "joint", "");
    }
    return joint;
}

void phys_add_limit(phys_reader *reader, mmd_phys_joint *joint, const phys_limit_values *values)
{
    assert(reader && joint && values);
    mmd_phys_limit *limit = NULL;
    scene_add_limit(&reader->maker, &limit);
    if (reader->maker.failed)
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
        limit->min = 0 - values->max * length; /* and not -0 */
        limit->max = 0 - values->min * length;
    }
    joint->limit_count++;
}

mmd_status phys_read_axes(const phys_reader *reader, const json_spot *of, const char *key, uint8_t *axes)
{
    assert(reader && of && axes);
    json_reader *json = &reader->file->reader;
    json_spot list;
    *axes = 0;
    json_read_kind(json, of, key, JSON_ARRAY, &list);
    for (size_t i = 0; i < json_spot_count(&list) && json_reader_ok(json); i++) {
        json_spot entry = json_spot_element(&list, i);
        json_int_t axis = json_is_integer(entry.value) ? json_integer_value(entry.value) : -1;
        if (axis < 0 || axis > 2)
            json_spot_fail(json, &entry, MMD_ERROR_VALUE, "no axis: 0, 1 or 2");
        else
            *axes |= (uint8_t)(1u << axis);
    }
    return json->status;
}

/* ---------------------------------------------------------------- limits */

static mmd_status read_range(const phys_reader *reader, const json_spot *spot, phys_limit_values *values)
{
    json_reader *json = &reader->file->reader;
    json_read_float(json, spot, "min", 0, -INFINITY, INFINITY, &values->min);
    json_read_float(json, spot, "max", 0, -INFINITY, INFINITY, &values->max);
    values->has_min = json_object_get(spot->value, "min") != NULL;
    values->has_max = json_object_get(spot->value, "max") != NULL;
    if (values->has_min && values->has_max && values->min > values->max)
        json_spot_fail(json, spot, MMD_ERROR_VALUE, "a minimum of %g above a maximum of %g",
                       (double)values->min, (double)values->max);
    return json->status;
}

static mmd_status read_limit(phys_reader *reader, const json_spot *spot, mmd_phys_joint *joint)
{
    json_reader *json = &reader->file->reader;
    phys_limit_values values = {.soft = json_object_get(spot->value, "stiffness") != NULL};
    uint8_t linear, angular;
    phys_read_axes(reader, spot, "linearAxes", &linear);
    phys_read_axes(reader, spot, "angularAxes", &angular);
    read_range(reader, spot, &values);
    json_read_float(json, spot, "stiffness", 0, 0, INFINITY, &values.stiffness);
    json_read_float(json, spot, "damping", 0, 0, INFINITY, &values.damping);
    if (!json_reader_ok(json))
        return json->status;
    if (!linear && !angular)
        return phys_lost(reader, MMD_LOSS_INFO, "joint.invalid", spot, "linearAxes", "");
    if (linear && angular) /* the draft allows either: metres and radians have one range */
        phys_lost(reader, MMD_LOSS_APPROXIMATED, "joint.invalid", spot, "angularAxes",
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

static void add_drive(phys_reader *reader, mmd_phys_joint *joint, mmd_phys_drive drive, bool bounded)
{
    mmd_phys_drive *added = NULL;
    scene_add_drive(&reader->maker, &added);
    if (reader->maker.failed)
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

static mmd_status read_drive_numbers(const phys_reader *reader, const json_spot *spot, mmd_phys_drive *drive)
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
        json_read_float(&reader->file->reader, spot, numbers[i].key, 0, numbers[i].min, INFINITY,
                        numbers[i].out);
    return reader->file->reader.status;
}

static mmd_status read_drive(phys_reader *reader, const json_spot *spot, mmd_phys_joint *joint)
{
    json_reader *json = &reader->file->reader;
    mmd_phys_drive drive = {0};
    const char *type = "", *mode = "";
    uint32_t axis;
    read_drive_numbers(reader, spot, &drive);
    json_read_text(json, spot, "type", &type);
    json_read_text(json, spot, "mode", &mode);
    json_read_u32(json, spot, "axis", UINT32_MAX, UINT32_MAX, &axis);
    if (!json_reader_ok(json))
        return json->status;
    bool angular = strcmp(type, "angular") == 0;
    bool known = (angular || strcmp(type, "linear") == 0) && axis <= 2;
    if (!known)
        return phys_lost(reader, MMD_LOSS_DROPPED, "joint.drive_dropped", spot, axis <= 2 ? "type" : "axis",
                         "");
    drive.kind = angular ? MMD_DRIVE_ANGULAR : MMD_DRIVE_LINEAR;
    drive.axis = (uint8_t)axis;
    drive.acceleration = strcmp(mode, "acceleration") == 0;
    add_drive(reader, joint, drive, json_object_get(spot->value, "maxForce") != NULL);
    return MMD_OK;
}

mmd_status phys_read_joint(phys_reader *reader, const json_spot *description, mmd_phys_joint *joint)
{
    assert(reader && description);
    json_reader *json = &reader->file->reader;
    json_spot limits, drives;
    json_read_kind(json, description, "limits", JSON_ARRAY, &limits);
    json_read_kind(json, description, "drives", JSON_ARRAY, &drives);
    for (size_t i = 0; i < json_spot_count(&limits) && json_reader_ok(json); i++) {
        json_spot spot = json_spot_element(&limits, i);
        read_limit(reader, &spot, joint);
    }
    for (size_t i = 0; i < json_spot_count(&drives) && json_reader_ok(json); i++) {
        json_spot spot = json_spot_element(&drives, i);
        read_drive(reader, &spot, joint);
    }
    return reader->maker.failed ? phys_no_memory(reader) : json->status;
}

/* A joint with nothing to connect to hangs on the world at its own node. */
mmd_status phys_read_node_joint(phys_reader *reader, const json_spot *spot, uint32_t node,
                                const json_spot *descriptions, mmd_phys_joint **added)
{
    assert(reader && spot && descriptions);
    assert(node < reader->file->node_count);
    json_reader *json = &reader->file->reader;
    int32_t other, number;
    bool collide;
    phys_read_index(reader, spot, "connectedNode", reader->file->node_count, &other);
    phys_read_index(reader, spot, "joint", json_spot_count(descriptions), &number);
    json_read_bool(json, spot, "enableCollision", false, &collide);
    if (!json_reader_ok(json))
        return json->status;
    if (other < 0)
        phys_lost(reader, MMD_LOSS_INFO, "ref.dangling", spot, "connectedNode", "");
    int32_t body_a = reader->nodes[node].solid, body_b = other < 0 ? -1 : reader->nodes[other].solid;
    *added =
        phys_add_joint(reader, spot, node, body_a, body_b, (int32_t)node, other < 0 ? (int32_t)node : other);
    if (!*added)
        return phys_no_memory(reader);
    (*added)->collide = collide;
    if (number < 0)
        return phys_lost(reader, MMD_LOSS_INFO, "ref.dangling", spot, "joint", "");
    json_spot description = json_spot_element(descriptions, (size_t)number);
    return phys_read_joint(reader, &description, *added);
}
