/*
 * Writes joints: describes them as limits and drives in MMD's space, PMX's kinds by their meaning
 * (docs/mmd.md 1.1; physics/bullet/joints.cpp), and writes these as entries of physicsJoints or as OMI's
 * constraints.
 *
 * PMX's angles are the negatives of true angles, except those of a slider, which are true (docs/formats.md 4,
 * confirmed by simulation). Mirroring in Z changes the sign of values along Z and of angles about X and Y.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mmd/elementary.h"
#include "write_physics.h"

static const float whole_turn = 6.2831853f;

/* Returns whether mirroring changes the sign of values along (about) an axis. */
static bool phys_changes_sign(bool angular, int axis)
{
    assert(axis >= 0 && axis < 3);
    return angular ? axis != 2 : axis == 2;
}

/* Returns the twist of a rotation about an axis, -pi to pi. */
static float phys_twist(const float rotation[4], int axis)
{
    assert(rotation);
    assert(axis >= 0 && axis < 3);
    float v = rotation[axis], w = rotation[3];
    return w < 0 ? 2 * mmd_atan2f(-v, -w) : 2 * mmd_atan2f(v, w);
}

/* Returns whether a drive has any effect. */
static bool phys_drives(const mmd_phys_drive *drive)
{
    assert(drive);
    bool pose = drive->kind == MMD_DRIVE_POSE;
    return drive->enabled && (drive->stiffness > 0 || drive->damping > 0 ||
                              (pose && (drive->angular_stiffness > 0 || drive->angular_damping > 0)));
}

/* ------------------------------------------------------------ PMX's kinds */

static void add_limit(phys_joint_values *described, mmd_phys_limit limit)
{
    described->made_limits[described->limit_count++] = limit;
}

/* Adds one limit that locks several axes. */
static void lock(phys_joint_values *described, bool angular, uint8_t axes)
{
    if (axes)
        add_limit(described, (mmd_phys_limit){.kind = angular ? MMD_LIMIT_ANGULAR : MMD_LIMIT_LINEAR,
                                              .axes = axes,
                                              .has_min = true,
                                              .has_max = true});
}

/* Adds a range of an axis. Reversed ranges and angles of a whole turn are free. */
static void range(phys_joint_values *described, bool angular, int axis, float lower, float upper)
{
    if (lower > upper || (angular && upper - lower > whole_turn - 1e-3f))
        return;
    add_limit(described, (mmd_phys_limit){.kind = angular ? MMD_LIMIT_ANGULAR : MMD_LIMIT_LINEAR,
                                          .axes = (uint8_t)(1u << axis),
                                          .has_min = true,
                                          .has_max = true,
                                          .min = lower,
                                          .max = upper});
}

/* Adds the ranges of three axes; all that are locked at 0 become one limit. */
static void ranges(phys_joint_values *described, bool angular, const float lower[3], const float upper[3])
{
    uint8_t locked = 0;
    for (int k = 0; k < 3; k++)
        if (lower[k] == 0 && upper[k] == 0)
            locked |= (uint8_t)(1u << k);
    lock(described, angular, locked);
    for (int k = 0; k < 3; k++) {
        if (locked >> k & 1)
            continue;
        if (angular)
            range(described, true, k, 0 - upper[k], 0 - lower[k]);
        else
            range(described, false, k, lower[k], upper[k]);
    }
}

/* Adds springs as drives, except on locked axes. */
static void springs(phys_writer *writer, phys_joint_values *described, const mmd_phys_joint *joint,
                    bool angular)
{
    const mmd_pmx_joint *pmx = &joint->pmx;
    const float *lower = angular ? pmx->angular_lower : pmx->linear_lower;
    const float *upper = angular ? pmx->angular_upper : pmx->linear_upper;
    const float *spring = angular ? pmx->angular_spring : pmx->linear_spring;
    float size = angular && joint->angular_size > 0 ? joint->angular_size : 1;
    for (uint8_t k = 0; k < 3; k++) {
        if (spring[k] < 0)
            phys_write_loss(writer, MMD_LOSS_DROPPED, "joint.spring_dropped", "stiffness", "below 0", "");
        if (spring[k] > 0 && lower[k] != upper[k])
            described->made_drives[described->drive_count++] =
                (mmd_phys_drive){.kind = angular ? MMD_DRIVE_ANGULAR : MMD_DRIVE_LINEAR,
                                 .axis = k,
                                 .enabled = true,
                                 .stiffness = size * spring[k],
                                 .max_force = INFINITY};
    }
}

/* The following functions describe PMX's kinds of joint. */
static void describe_6dof(phys_writer *writer, const mmd_phys_joint *joint, phys_joint_values *described)
{
    const mmd_pmx_joint *pmx = &joint->pmx;
    ranges(described, false, pmx->linear_lower, pmx->linear_upper);
    ranges(described, true, pmx->angular_lower, pmx->angular_upper);
    if (joint->kind != MMD_JOINT_PMX_SPRING)
        return;
    springs(writer, described, joint, false);
    springs(writer, described, joint, true);
}

static void describe_point(phys_writer *writer, const mmd_phys_joint *joint, phys_joint_values *described)
{
    (void)writer;
    (void)joint;
    lock(described, false, 7);
}

/* The lower angles are the spans, the other numbers softness and a motor. */
static void describe_cone_twist(phys_writer *writer, const mmd_phys_joint *joint,
                                phys_joint_values *described)
{
    const float *span = joint->pmx.angular_lower;
    lock(described, false, 7);
    range(described, true, 0, -fabsf(span[0]), fabsf(span[0]));
    add_limit(described, (mmd_phys_limit){.kind = MMD_LIMIT_ELLIPSE,
                                          .axes = 6,
                                          .has_max = true,
                                          .max = fabsf(span[1]),
                                          .max2 = fabsf(span[2])});
    phys_write_loss(writer, MMD_LOSS_APPROXIMATED, "joint.soft_limit_dropped", "stiffness",
                    "softness, bias and relaxation", "");
    if (joint->pmx.linear_lower[2] != 0)
        phys_write_loss(writer, MMD_LOSS_DROPPED, "joint.drive_dropped", "drives", "a motor towards a pose",
                        "");
}

/* Adds the motor of a slider or hinge, which accelerates to a velocity with a maximum force. */
static void add_motor(phys_writer *writer, phys_joint_values *described, bool angular, uint8_t axis,
                      const float motor[3], float sign)
{
    if (motor[0] == 0)
        return;
    described->made_drives[described->drive_count++] =
        (mmd_phys_drive){.kind = angular ? MMD_DRIVE_ANGULAR : MMD_DRIVE_LINEAR,
                         .axis = axis,
                         .enabled = true,
                         .acceleration = true,
                         .velocity_target = sign * motor[1],
                         .damping = 1000, /* 1/s: reaches the velocity within a step */
                         .max_force = mmd_maxf(0, motor[2])};
    phys_write_loss(writer, MMD_LOSS_APPROXIMATED, "joint.drive_dropped", "drives", "a motor",
                    "a damped drive");
}

static void describe_slider(phys_writer *writer, const mmd_phys_joint *joint, phys_joint_values *described)
{
    const mmd_pmx_joint *pmx = &joint->pmx;
    lock(described, false, 6);
    range(described, false, 0, pmx->linear_lower[0], pmx->linear_upper[0]);
    lock(described, true, 6);
    range(described, true, 0, pmx->angular_lower[0], pmx->angular_upper[0]);
    add_motor(writer, described, false, 0, pmx->linear_spring, 1);
    add_motor(writer, described, true, 0, pmx->angular_spring, -1); /* opposite to the slider's angle */
}

static void describe_hinge(phys_writer *writer, const mmd_phys_joint *joint, phys_joint_values *described)
{
    const mmd_pmx_joint *pmx = &joint->pmx;
    lock(described, false, 7);
    lock(described, true, 3);
    range(described, true, 2, 0 - pmx->angular_upper[0], 0 - pmx->angular_lower[0]);
    add_motor(writer, described, true, 2, pmx->angular_spring, -1);
    if (phys_any(pmx->linear_spring))
        phys_write_loss(writer, MMD_LOSS_APPROXIMATED, "joint.soft_limit_dropped", "stiffness",
                        "softness, bias and relaxation", "");
}

/* Describes a joint as limits and drives. */
static void phys_describe_joint(phys_writer *writer, const mmd_phys_joint *joint,
                                phys_joint_values *described)
{
    assert(writer && joint && described);
    static void (*const describers[])(phys_writer *, const mmd_phys_joint *, phys_joint_values *) = {
        describe_6dof, describe_6dof, describe_point, describe_cone_twist, describe_slider, describe_hinge};
    const mmd_physscene *scene = writer->scene;
    *described = (phys_joint_values){.limits = described->made_limits, .drives = described->made_drives};
    if (joint->kind < MMD_JOINT_LIMITS_AND_DRIVES) {
        describers[joint->kind](writer, joint, described);
        return;
    }
    described->limit_count = joint->limit_count;
    described->limits = scene->limits + joint->first_limit;
    described->drive_count = joint->drive_count;
    described->drives = scene->drives + joint->first_drive;
}

/* ---------------------------------------------------------------- limits */

/* Returns axis bits as an array. */
static json_t *axes_of(uint8_t axes)
{
    json_t *list = json_array();
    for (int k = 0; k < 3; k++)
        if (axes >> k & 1)
            json_array_append_new(list, json_integer(k));
    return list;
}

/* Writes a bound. Loaders of the draft of March 2024 require both bounds: a missing one is far away. */
static void put_bound(phys_writer *writer, json_t *entry, const char *key, bool given, float value)
{
    bool upper = strcmp(key, "max") == 0;
    if (given)
        gltf_put(writer->builder, entry, key, phys_number(value));
    else if (!writer->newer)
        gltf_put(writer->builder, entry, key, phys_number(upper ? 1e6f : -1e6f));
}

/* Writes min and max of a limit, mirrored. */
static void put_range(phys_writer *writer, json_t *entry, const mmd_phys_limit *limit, bool angular)
{
    int axis = limit->axes == 1 ? 0 : limit->axes == 2 ? 1 : limit->axes == 4 ? 2 : -1;
    float length = angular ? 1 : METRES_PER_UNIT;
    float lower = length * limit->min, upper = length * limit->max;
    if (axis < 0) { /* several axes: a distance, never below 0 */
        put_bound(writer, entry, "min", limit->has_min || !writer->newer, limit->has_min ? lower : 0);
        put_bound(writer, entry, "max", limit->has_max, upper);
    } else if (phys_changes_sign(angular, axis)) {
        put_bound(writer, entry, "min", limit->has_max, 0 - upper);
        put_bound(writer, entry, "max", limit->has_min, 0 - lower);
    } else {
        put_bound(writer, entry, "min", limit->has_min, lower);
        put_bound(writer, entry, "max", limit->has_max, upper);
    }
}

/* Writes a limit. */
static void put_limit(phys_writer *writer, json_t *limits, const mmd_phys_limit *limit)
{
    gltf_builder *builder = writer->builder;
    bool angular = limit->kind != MMD_LIMIT_LINEAR;
    float gain = angular ? PHYS_SQUARE_METRES : 1;
    json_t *entry = json_object();
    gltf_put(builder, entry, angular ? "angularAxes" : "linearAxes", axes_of(limit->axes));
    put_range(writer, entry, limit, angular);
    if (limit->soft) {
        gltf_put(builder, entry, "stiffness", phys_number(gain * limit->stiffness));
        gltf_put(builder, entry, "damping", phys_number(gain * limit->damping));
    }
    if (json_array_append_new(limits, entry) != 0)
        builder->failed = true;
}

/* Writes an elliptic cone as a round one or as two angles. */
static void put_ellipse(phys_writer *writer, json_t *limits, const mmd_phys_limit *limit)
{
    mmd_phys_limit made = *limit;
    made.kind = MMD_LIMIT_ANGULAR;
    made.has_min = true;
    made.min = 0;
    if (!limit->has_max)
        return;
    if (fabsf(limit->max - limit->max2) <= 1e-4f * limit->max) {
        made.axes = 6;
        put_limit(writer, limits, &made);
        return;
    }
    for (int k = 0; k < 2; k++) {
        made.axes = k ? 4 : 2;
        made.max = k ? limit->max2 : limit->max;
        made.min = -made.max;
        put_limit(writer, limits, &made);
    }
    phys_write_loss(writer, MMD_LOSS_APPROXIMATED, "joint.cone_to_box", "angularAxes", "an elliptic cone",
                    "two angles");
}

/* Returns all limits as JSON. */
static json_t *limits_of(phys_writer *writer, const phys_joint_values *described)
{
    json_t *limits = json_array();
    for (uint32_t i = 0; i < described->limit_count && limits; i++) {
        if (described->limits[i].kind == MMD_LIMIT_ELLIPSE)
            put_ellipse(writer, limits, &described->limits[i]);
        else
            put_limit(writer, limits, &described->limits[i]);
    }
    return limits;
}

/* ---------------------------------------------------------------- drives */

/* Writes a drive. KHR's current schema requires a target with a stiffness and a velocity with a damping. */
static void put_drive(phys_writer *writer, json_t *drives, const mmd_phys_drive *drive)
{
    gltf_builder *builder = writer->builder;
    bool angular = drive->kind == MMD_DRIVE_ANGULAR;
    float sign = phys_changes_sign(angular, drive->axis) ? -1.0f : 1.0f;
    float length = angular ? 1 : METRES_PER_UNIT;
    float gain = angular && !drive->acceleration ? PHYS_SQUARE_METRES : 1;
    json_t *entry = json_pack("{s:s, s:s, s:i}", "type", angular ? "angular" : "linear", "mode",
                              drive->acceleration ? "acceleration" : "force", "axis", (int)drive->axis);
    if (isfinite(drive->max_force))
        gltf_put(builder, entry, "maxForce",
                 phys_number(drive->max_force * (angular ? PHYS_SQUARE_METRES : METRES_PER_UNIT)));
    if (drive->stiffness > 0 || drive->position_target != 0) {
        gltf_put(builder, entry, "positionTarget", phys_number(0 + sign * length * drive->position_target));
        gltf_put(builder, entry, "stiffness", phys_number(gain * drive->stiffness));
    }
    if (drive->damping > 0 || drive->velocity_target != 0) {
        gltf_put(builder, entry, "velocityTarget", phys_number(0 + sign * length * drive->velocity_target));
        gltf_put(builder, entry, "damping", phys_number(gain * drive->damping));
    }
    if (json_array_append_new(drives, entry) != 0)
        builder->failed = true;
}

/* Returns whether a rotation is about one axis or none. */
static bool turns_about_one(const float rotation[4])
{
    int count = 0;
    for (int k = 0; k < 3; k++)
        count += fabsf(rotation[k]) > 1e-5f;
    return count <= 1;
}

/* Writes a drive to a pose as six drives: three positions and three twists. */
static void put_pose(phys_writer *writer, json_t *drives, const mmd_phys_drive *drive)
{
    for (uint8_t k = 0; k < 6; k++) {
        mmd_phys_drive made = *drive;
        bool angular = k >= 3;
        made.kind = angular ? MMD_DRIVE_ANGULAR : MMD_DRIVE_LINEAR;
        made.axis = k % 3;
        made.stiffness = angular ? drive->angular_stiffness : drive->stiffness;
        made.damping = angular ? drive->angular_damping : drive->damping;
        made.position_target =
            angular ? phys_twist(drive->target.rotation, made.axis) : drive->target.translation[k];
        made.velocity_target = 0;
        if (phys_drives(&made))
            put_drive(writer, drives, &made);
    }
    if (drive->angular_stiffness > 0 && !turns_about_one(drive->target.rotation))
        phys_write_loss(writer, MMD_LOSS_APPROXIMATED, "joint.drive_dropped", "positionTarget", "a rotation",
                        "three angles");
}

/* Returns all drives as JSON. */
static json_t *drives_of(phys_writer *writer, const phys_joint_values *described)
{
    json_t *drives = json_array();
    for (uint32_t i = 0; i < described->drive_count && drives; i++) {
        const mmd_phys_drive *drive = &described->drives[i];
        if (!drive->enabled)
            phys_write_loss(writer, MMD_LOSS_INFO, "joint.drive_dropped", "drives", "a disabled drive", "");
        else if (drive->kind == MMD_DRIVE_POSE)
            put_pose(writer, drives, drive);
        else
            put_drive(writer, drives, drive);
    }
    return drives;
}

/* Writes an entry of physicsJoints and returns its index. */
static int32_t phys_list_joint(phys_writer *writer, const phys_joint_values *described)
{
    assert(writer && described);
    json_t *entry = json_object(), *limits = limits_of(writer, described),
           *drives = drives_of(writer, described);
    if (json_array_size(limits) > 0)
        gltf_put(writer->builder, entry, "limits", json_incref(limits));
    if (json_array_size(drives) > 0)
        gltf_put(writer->builder, entry, "drives", json_incref(drives));
    writer->builder->failed = writer->builder->failed || !limits || !drives;
    json_decref(limits);
    json_decref(drives);
    return phys_intern(writer, &writer->joints, entry);
}

/* ---------------------------------------------------------------- frames */

void phys_joint_transforms(const phys_writer *writer, const mmd_phys_joint *joint,
                           mmd_transform transforms[2])
{
    assert(writer && joint && transforms);
    transforms[0] = joint->frame_a;
    transforms[1] = joint->frame_b;
    for (int k = 0; k < 2; k++) {
        int32_t body = k ? joint->body_b : joint->body_a;
        if (body >= 0)
            mmd_transform_multiply(&writer->scene->bodies[body].rest, &transforms[k], &transforms[k]);
    }
}

/* ---------------------------------------------------------------------- KHR */

/*
 * KHR_physics_rigid_bodies, draft of March 2024 and current form, and OMI's newer joints, which are alike: a
 * joint's node is below body A at frame A and names another node at frame B (docs/formats.md 4, Joints).
 */

/* Returns a node at frame B attached to a body: an existing one, the body's own or a new one. */
static int32_t phys_attachment(phys_writer *writer, uint32_t number, int32_t body_node,
                               const mmd_transform *transform)
{
    assert(writer);
    assert(number < writer->scene->joint_count);
    char name[256];
    mmd_transform own;
    int32_t old = phys_existing_end(writer, number, transform);
    if (old >= 0)
        return old;
    if (body_node >= 0 && !writer->builder->failed) {
        gltf_find_transform(writer->builder, body_node, &own, NULL);
        if (phys_same_transform(&own, transform))
            return body_node;
    }
    snprintf(name, sizeof name, "%.200s (B)", writer->scene->joints[number].name);
    old = phys_existing_shape(writer, body_node, name, transform);
    return old >= 0 ? old : gltf_add_node(writer->builder, name, NULL, body_node, transform);
}

/* Returns whether a body is dynamic. */
static bool moves(const phys_writer *writer, int32_t body)
{
    return body >= 0 && writer->scene->bodies[body].motion >= MMD_PHYS_DYNAMIC;
}

/*
 * Returns whether a joint can be written. A disabled one only if it joins nothing that could move, which a
 * reader detects.
 */
static bool is_expressible(const phys_writer *writer, const mmd_phys_joint *joint)
{
    const mmd_phys_body *bodies = writer->scene->bodies;
    int32_t a = joint->body_a, b = joint->body_b;
    if ((a >= 0 && bodies[a].disabled) || (b >= 0 && bodies[b].disabled))
        return false;
    bool idle = a == b || (!moves(writer, a) && !moves(writer, b));
    return !joint->disabled || (idle && joint->kind == MMD_JOINT_LIMITS_AND_DRIVES);
}

/* Returns the node of a body; -1: the world. */
static int32_t node_of(const phys_writer *writer, int32_t body)
{
    return body < 0 ? -1 : writer->builder->node_of_body[body];
}

/* Writes the values of the PMX joint to extras. */
static void put_record(phys_writer *writer, int32_t node, uint32_t number)
{
    gltf_builder *builder = writer->builder;
    const mmd_model *model = builder->job->model;
    if (builder->job->source != MMD_EXCHANGE_PMX || !model || number >= model->joint_count)
        return;
    const mmd_joint *joint = &model->joints[number];
    json_t *extras = phys_extras(writer, node);
    const struct {
        const char *key;
        const float *values;
    } vectors[] = {{"position", joint->position},          {"rotation", joint->rotation},
                   {"linearLower", joint->linear_lower},   {"linearUpper", joint->linear_upper},
                   {"angularLower", joint->angular_lower}, {"angularUpper", joint->angular_upper},
                   {"linearSpring", joint->linear_spring}, {"angularSpring", joint->angular_spring}};
    gltf_put(builder, extras, "name", json_text(joint->name));
    gltf_put(builder, extras, "nameEnglish", json_text(joint->name_en));
    gltf_put(builder, extras, "kind", json_integer(joint->kind));
    gltf_put(builder, extras, "bodyA", json_integer(joint->body_a));
    gltf_put(builder, extras, "bodyB", json_integer(joint->body_b));
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        gltf_put(builder, extras, vectors[i].key, json_from_floats(vectors[i].values, 3));
}

/* Writes the joint's extension to its node. */
static void put_joint(phys_writer *writer, const mmd_phys_joint *joint, int32_t node, int32_t connected,
                      int32_t listed)
{
    gltf_builder *builder = writer->builder;
    json_t *object = writer->omi ? gltf_extension(builder, gltf_node_json(builder, node), "OMI_physics_joint")
                                 : phys_part(writer, node, "joint");
    gltf_put(builder, object, "connectedNode", json_integer(connected));
    gltf_put(builder, object, "joint", json_integer(listed));
    if (joint->collide && !writer->omi)
        gltf_put(builder, object, "enableCollision", json_true());
}

/* Starts a joint. Returns false when it cannot be written, which is reported. */
static bool phys_begin_joint(phys_writer *writer, uint32_t number)
{
    assert(writer);
    assert(number < writer->scene->joint_count);
    const mmd_phys_joint *joint = &writer->scene->joints[number];
    phys_begin_item(writer, "joint", number, joint->name);
    if (is_expressible(writer, joint))
        return !writer->builder->failed;
    phys_write_loss(writer, MMD_LOSS_DROPPED, joint->disabled ? "joint.disabled" : "ref.dangling", "joint",
                    "", "");
    return false;
}

/* Records a joint's node and writes its PMX values. */
static void phys_end_joint(phys_writer *writer, uint32_t number, int32_t node)
{
    assert(writer);
    assert(number < writer->scene->joint_count);
    writer->builder->node_of_joint[number] = node;
    put_record(writer, node, number);
}

/* Writes a joint of KHR or of OMI's newer dialect. world: node for ends at the world; -1: the scene. */
static void phys_write_node_joint(phys_writer *writer, uint32_t number, int32_t world)
{
    assert(writer);
    assert(number < writer->scene->joint_count);
    const mmd_phys_joint *joint = &writer->scene->joints[number];
    int32_t a = node_of(writer, joint->body_a), b = node_of(writer, joint->body_b);
    mmd_transform transforms[2];
    phys_joint_values described;
    phys_joint_transforms(writer, joint, transforms);
    phys_describe_joint(writer, joint, &described);
    int32_t listed = phys_list_joint(writer, &described);
    int32_t node = phys_existing_joint(writer, number);
    if (node < 0)
        node = gltf_add_node(writer->builder, joint->name, "joint", a < 0 ? world : a, &transforms[0]);
    put_joint(writer, joint, node, phys_attachment(writer, number, b < 0 ? world : b, &transforms[1]),
              listed);
    phys_end_joint(writer, number, node);
}

void khr_write_joint(phys_writer *writer, uint32_t number)
{
    assert(writer);
    assert(number < writer->scene->joint_count);
    if (phys_begin_joint(writer, number))
        phys_write_node_joint(writer, number, -1);
}

void khr_write_root(phys_writer *writer)
{
    assert(writer);
    gltf_builder *builder = writer->builder;
    const struct {
        const char *key;
        json_t *list;
    } lists[] = {{"physicsMaterials", writer->materials.list},
                 {"collisionFilters", writer->filters.list},
                 {"physicsJoints", writer->joints.list}};
    json_t *root = gltf_extension(builder, builder->root, writer->extension);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (json_array_size(lists[i].list) > 0)
            gltf_put(builder, root, lists[i].key, json_incref(lists[i].list));
    if (json_array_size(writer->shapes.list) > 0)
        gltf_put(builder,
                 gltf_extension(builder, builder->root,
                                writer->newer ? "KHR_implicit_shapes" : "KHR_collision_shapes"),
                 "shapes", json_incref(writer->shapes.list));
}

/* ---------------------------------------------------------------------- OMI */

/*
 * OMI_physics_joint, first and newer form, and OMI's lists of the document (docs/formats.md 2 and 4).
 *
 * The first form has one frame, that of the joint's node, which is at frame A. If frame B differs at rest,
 * the ranges are shifted by the difference. It has a range for each axis. All axes locked at 0 become one
 * constraint, because two locked angles together hold the third axis. It has no drives and no world, which
 * becomes a static body.
 */

/* A bound that nothing reaches, in metres or radians. */
static const float nowhere = 1e6f;

/* Range of an axis of the file, in metres or radians. */
typedef struct omi_range {
    bool bound, soft;
    float lower, upper, stiffness, damping;
} omi_range;

typedef struct omi_job {
    phys_writer *writer;
    const mmd_phys_joint *joint;
    omi_range ranges[6]; /* linear X, Y, Z, then angular */
} omi_job;

static void joint_loss(const omi_job *job, mmd_loss_severity severity, const char *code, const char *field,
                       const char *source, const char *emitted)
{
    phys_write_loss(job->writer, severity, code, field, source, emitted);
}

/* ---------------------------------------------------------------- ranges */

/* Intersects a range with another. */
static void narrow(omi_range *range, float lower, float upper)
{
    range->lower = range->bound ? mmd_maxf(range->lower, lower) : lower;
    range->upper = range->bound ? mmd_minf(range->upper, upper) : upper;
    range->upper = mmd_maxf(range->lower, range->upper);
    range->bound = true;
}

/* Intersects the range of an axis with a limit. */
static void narrow_axis(omi_job *job, const mmd_phys_limit *limit, int axis, float lower, float upper)
{
    bool angular = limit->kind != MMD_LIMIT_LINEAR, turned = phys_changes_sign(angular, axis);
    omi_range *range = &job->ranges[axis + (angular ? 3 : 0)];
    float gain = angular ? PHYS_SQUARE_METRES : 1;
    narrow(range, turned ? 0 - upper : lower, turned ? 0 - lower : upper);
    if (!limit->soft)
        return;
    range->soft = true;
    range->stiffness = gain * limit->stiffness;
    range->damping = gain * limit->damping;
}

/* Applies a limit. A distance along several axes, or an angle between lines, becomes a range of each axis. */
static void narrow_by_limit(omi_job *job, const mmd_phys_limit *limit)
{
    bool angular = limit->kind != MMD_LIMIT_LINEAR, several = (limit->axes & (limit->axes - 1)) != 0;
    float length = angular ? 1 : METRES_PER_UNIT;
    float upper = limit->has_max ? length * limit->max : nowhere;
    float lower = several ? -upper : limit->has_min ? length * limit->min : -nowhere;
    for (int k = 0; k < 3; k++)
        if (limit->axes >> k & 1)
            narrow_axis(job, limit, k, lower, upper);
    if (several && upper > 0)
        joint_loss(job, MMD_LOSS_APPROXIMATED, "joint.cone_to_box", angular ? "angularAxes" : "linearAxes",
                   angular ? "a cone" : "a distance", "a range of each axis");
    if (several && limit->has_min && limit->min > 0)
        joint_loss(job, MMD_LOSS_DROPPED, "joint.limit_asymmetric", "min", "a least distance", "0");
}

static void narrow_by_ellipse(omi_job *job, const mmd_phys_limit *limit)
{
    if (!limit->has_max)
        return;
    narrow_axis(job, limit, 1, -limit->max, limit->max);
    narrow_axis(job, limit, 2, -limit->max2, limit->max2);
    joint_loss(job, MMD_LOSS_APPROXIMATED, "joint.cone_to_box", "angularAxes", "a cone", "two angles");
}

/* Applies all limits of a joint. */
static void narrow_by_limits(omi_job *job, const phys_joint_values *described)
{
    for (uint32_t i = 0; i < described->limit_count; i++) {
        const mmd_phys_limit *limit = &described->limits[i];
        if (limit->soft && !(limit->stiffness > 0))
            joint_loss(job, MMD_LOSS_DROPPED, "joint.soft_limit_dropped", "stiffness", "0", "");
        else if (limit->kind == MMD_LIMIT_ELLIPSE)
            narrow_by_ellipse(job, limit);
        else
            narrow_by_limit(job, limit);
    }
}

/* Shifts the ranges so that 0 is the position of the two frames at rest. */
static void move_ranges(omi_job *job, const mmd_transform transforms[2])
{
    mmd_transform offset;
    bool moved = false;
    mmd_transform_inverse(&transforms[0], &offset);
    mmd_transform_multiply(&offset, &transforms[1], &offset);
    mmd_exchange_to_file(MMD_EXCHANGE_GLTF, &offset, &offset);
    for (int k = 0; k < 6; k++) {
        omi_range *range = &job->ranges[k];
        float by = k < 3 ? offset.translation[k] : phys_twist(offset.rotation, k - 3);
        if (fabsf(by) < 1e-5f)
            continue;
        range->lower -= by;
        range->upper -= by;
        moved = true;
    }
    if (moved)
        joint_loss(job, MMD_LOSS_APPROXIMATED, "joint.offset", "nodeB", "two frames", "one");
}

/* ------------------------------------------------------------ constraints */

static bool is_lock(const omi_range *range)
{
    return range->bound && range->lower == 0 && range->upper == 0;
}

/* Returns whether two ranges are equally soft. */
static bool same_softness(const omi_range *a, const omi_range *b)
{
    return a->soft == b->soft && a->stiffness == b->stiffness && a->damping == b->damping;
}

/* Writes the axes of a constraint. */
static void put_axes(omi_job *job, json_t *constraint, uint8_t axes)
{
    for (int angular = 0; angular < 2; angular++) {
        json_t *list = json_array();
        for (int k = 0; k < 3; k++)
            if (axes >> (3 * angular + k) & 1)
                json_array_append_new(list, json_integer(k));
        if (json_array_size(list) > 0)
            gltf_put(job->writer->builder, constraint, angular ? "angularAxes" : "linearAxes",
                     json_incref(list));
        json_decref(list);
    }
}

/* Writes a constraint. */
static void put_constraint(omi_job *job, json_t *numbers, uint8_t axes, const omi_range *range)
{
    gltf_builder *builder = job->writer->builder;
    json_t *constraint = json_object();
    put_axes(job, constraint, axes);
    if (!is_lock(range)) {
        gltf_put(builder, constraint, "lowerLimit", phys_number(range->lower));
        gltf_put(builder, constraint, "upperLimit", phys_number(range->upper));
    }
    if (range->soft) {
        gltf_put(builder, constraint, "stiffness", phys_number(range->stiffness));
        gltf_put(builder, constraint, "damping", phys_number(range->damping));
    }
    int32_t number = phys_intern(job->writer, &job->writer->joints, constraint);
    if (json_array_append_new(numbers, json_integer(number)) != 0)
        builder->failed = true;
}

/*
 * Returns the constraints: equal locks together, ranges one by one; without any bound an unreachable range.
 */
static json_t *constraints_of(omi_job *job)
{
    json_t *numbers = json_array();
    uint8_t done = 0;
    for (int k = 0; k < 6; k++) {
        const omi_range *range = &job->ranges[k];
        uint8_t axes = (uint8_t)(1u << k);
        if (!range->bound || (done & axes))
            continue;
        for (int i = k + 1; i < 6 && is_lock(range); i++)
            if (is_lock(&job->ranges[i]) && same_softness(range, &job->ranges[i]))
                axes |= (uint8_t)(1u << i);
        done |= axes;
        put_constraint(job, numbers, axes, range);
    }
    const omi_range endless = {.bound = true, .lower = -nowhere, .upper = nowhere};
    if (json_array_size(numbers) == 0)
        put_constraint(job, numbers, 1, &endless);
    return numbers;
}

/* ---------------------------------------------------------------- joints */

/* Returns the node of the static body that represents the world. */
static int32_t world_node(phys_writer *writer)
{
    const mmd_transform origin = {.rotation = {0, 0, 0, 1}};
    if (writer->world < 0) {
        writer->world = phys_scene_node(writer, "world", &origin);
        gltf_put(writer->builder, phys_part(writer, writer->world, "motion"), "type", json_string("static"));
    }
    return writer->world;
}

/* Returns whether the two bodies would collide if the joint did not prevent it. */
static bool would_touch(const phys_writer *writer, const mmd_phys_joint *joint)
{
    const mmd_physscene *scene = writer->scene;
    if (joint->body_a < 0 || joint->body_b < 0)
        return false;
    const mmd_phys_body *a = &scene->bodies[joint->body_a], *b = &scene->bodies[joint->body_b];
    for (uint32_t i = 0; i < a->shape_count && i < 32; i++)
        for (uint32_t k = 0; k < b->shape_count && k < 32; k++) {
            const mmd_phys_shape *x = &scene->shapes[a->first_shape + i],
                                 *y = &scene->shapes[b->first_shape + k];
            if (x->solid && y->solid && mmd_physscene_collides(scene, x->filter, y->filter))
                return true;
        }
    return false;
}

/* Reports that drives were dropped. */
static void report_lost_drives(const omi_job *job, const phys_joint_values *described)
{
    bool springs = job->joint->kind == MMD_JOINT_PMX_SPRING;
    for (uint32_t i = 0; i < described->drive_count; i++) {
        if (!phys_drives(&described->drives[i]))
            continue;
        joint_loss(job, MMD_LOSS_DROPPED, springs ? "joint.spring_dropped" : "joint.drive_dropped",
                   "stiffness", springs ? "springs" : "drives", "");
        return;
    }
}

/* Writes a joint of the first form. */
static void write_old_joint(phys_writer *writer, uint32_t number, const int32_t nodes[2])
{
    gltf_builder *builder = writer->builder;
    omi_job job = {.writer = writer, .joint = &writer->scene->joints[number]};
    mmd_transform transforms[2];
    phys_joint_values described;
    phys_joint_transforms(writer, job.joint, transforms);
    phys_describe_joint(writer, job.joint, &described);
    narrow_by_limits(&job, &described);
    move_ranges(&job, transforms);
    report_lost_drives(&job, &described);
    int32_t node = phys_existing_joint(writer, number);
    if (node < 0)
        node = gltf_add_node(builder, job.joint->name, "joint", nodes[0], &transforms[0]);
    json_t *object = gltf_extension(builder, gltf_node_json(builder, node), "OMI_physics_joint");
    gltf_put(builder, object, "constraints", constraints_of(&job));
    gltf_put(builder, object, "nodeA", json_integer(nodes[0]));
    gltf_put(builder, object, "nodeB", json_integer(nodes[1]));
    phys_end_joint(writer, number, node);
}

void omi_write_joint(phys_writer *writer, uint32_t number)
{
    assert(writer);
    assert(number < writer->scene->joint_count);
    const mmd_phys_joint *joint = &writer->scene->joints[number];
    if (!phys_begin_joint(writer, number))
        return;
    bool to_world = joint->body_a < 0 || joint->body_b < 0;
    if (joint->collide && would_touch(writer, joint))
        phys_write_loss(writer, MMD_LOSS_APPROXIMATED, "joint.collision", "enableCollision", "true", "false");
    if (to_world)
        phys_write_loss(writer, MMD_LOSS_INFO, "joint.world", "nodeB", "the world", "a static body");
    int32_t world = to_world ? world_node(writer) : -1;
    const int32_t *node_of_body = writer->builder->node_of_body;
    const int32_t nodes[2] = {joint->body_a < 0 ? world : node_of_body[joint->body_a],
                              joint->body_b < 0 ? world : node_of_body[joint->body_b]};
    if (writer->newer)
        phys_write_node_joint(writer, number, world);
    else
        write_old_joint(writer, number, nodes);
}

/* ------------------------------------------------------------ the document */

void omi_write_root(phys_writer *writer)
{
    assert(writer);
    gltf_builder *builder = writer->builder;
    const struct {
        const char *extension, *key;
        json_t *list;
    } lists[] = {
        {"OMI_physics_body", "physicsMaterials", writer->materials.list},
        {"OMI_physics_body", "collisionFilters", writer->filters.list},
        {"OMI_physics_shape", "shapes", writer->shapes.list},
        {"OMI_physics_joint", writer->newer ? "physicsJoints" : "constraints", writer->joints.list},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (json_array_size(lists[i].list) > 0)
            gltf_put(builder, gltf_extension(builder, builder->root, lists[i].extension), lists[i].key,
                     json_incref(lists[i].list));
}
