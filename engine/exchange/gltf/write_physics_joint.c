/*
 * Joints as limits and drives: those of a scene as they are, those of PMX's
 * kinds by what they mean (MMD.md 1.1; physics/bullet/pmx_joint.cpp), all in
 * MMD's space; and limits and drives as entries of physicsJoints.
 *
 * PMX's numbers measure the negative of true angles, but for those of a
 * slider, which measures true ones (FORMATS.md 4, and simulated). The mirror
 * in Z turns the sign of what is along Z and of angles about X and Y.
 */
#include <math.h>
#include <string.h>

#include "write_physics.h"

static const float whole_turn = 6.2831853f;

bool phys_turned(bool angular, int axis)
{
    return angular ? axis != 2 : axis == 2;
}

float phys_twist(const float rotation[4], int axis)
{
    float v = rotation[axis], w = rotation[3];
    return w < 0 ? 2 * atan2f(-v, -w) : 2 * atan2f(v, w);
}

bool phys_drives(const mmd_phys_drive *drive)
{
    bool pose = drive->kind == MMD_DRIVE_POSE;
    return drive->enabled && (drive->stiffness > 0 || drive->damping > 0 ||
                              (pose && (drive->angular_stiffness > 0 || drive->angular_damping > 0)));
}

/* ------------------------------------------------------------ PMX's kinds */

static void add_limit(phys_said_joint *said, mmd_phys_limit limit)
{
    said->made_limits[said->limit_count++] = limit;
}

static void lock(phys_said_joint *said, bool angular, uint8_t axes)
{
    if (axes)
        add_limit(said, (mmd_phys_limit){.kind = angular ? MMD_LIMIT_ANGULAR : MMD_LIMIT_LINEAR,
                                         .axes = axes,
                                         .has_min = true,
                                         .has_max = true});
}

/* Reversed: free; and so are angles that go all round. */
static void range(phys_said_joint *said, bool angular, int axis, float lower, float upper)
{
    if (lower > upper || (angular && upper - lower > whole_turn - 1e-3f))
        return;
    add_limit(said, (mmd_phys_limit){.kind = angular ? MMD_LIMIT_ANGULAR : MMD_LIMIT_LINEAR,
                                     .axes = (uint8_t)(1u << axis),
                                     .has_min = true,
                                     .has_max = true,
                                     .min = lower,
                                     .max = upper});
}

/* What is locked at 0 is one limit. */
static void ranges(phys_said_joint *said, bool angular, const float lower[3], const float upper[3])
{
    uint8_t locked = 0;
    for (int k = 0; k < 3; k++)
        if (lower[k] == 0 && upper[k] == 0)
            locked |= (uint8_t)(1u << k);
    lock(said, angular, locked);
    for (int k = 0; k < 3; k++) {
        if (locked >> k & 1)
            continue;
        if (angular)
            range(said, true, k, 0 - upper[k], 0 - lower[k]);
        else
            range(said, false, k, lower[k], upper[k]);
    }
}

/* A spring on a locked axis does nothing. */
static void springs(phys_writer *writer, phys_said_joint *said, const mmd_phys_joint *joint, bool angular)
{
    const mmd_pmx_joint *pmx = &joint->pmx;
    const float *lower = angular ? pmx->angular_lower : pmx->linear_lower;
    const float *upper = angular ? pmx->angular_upper : pmx->linear_upper;
    const float *spring = angular ? pmx->angular_spring : pmx->linear_spring;
    float size = angular && joint->angular_size > 0 ? joint->angular_size : 1;
    for (uint8_t k = 0; k < 3; k++) {
        if (spring[k] < 0)
            phys_lose(writer, MMD_LOSS_DROPPED, "joint.spring_dropped", "stiffness", "below 0", "");
        if (spring[k] > 0 && lower[k] != upper[k])
            said->made_drives[said->drive_count++] =
                (mmd_phys_drive){.kind = angular ? MMD_DRIVE_ANGULAR : MMD_DRIVE_LINEAR,
                                 .axis = k,
                                 .enabled = true,
                                 .stiffness = size * spring[k],
                                 .max_force = INFINITY};
    }
}

static void say_6dof(phys_writer *writer, const mmd_phys_joint *joint, phys_said_joint *said)
{
    const mmd_pmx_joint *pmx = &joint->pmx;
    ranges(said, false, pmx->linear_lower, pmx->linear_upper);
    ranges(said, true, pmx->angular_lower, pmx->angular_upper);
    if (joint->kind != MMD_JOINT_PMX_SPRING)
        return;
    springs(writer, said, joint, false);
    springs(writer, said, joint, true);
}

static void say_point(phys_writer *writer, const mmd_phys_joint *joint, phys_said_joint *said)
{
    (void)writer;
    (void)joint;
    lock(said, false, 7);
}

/* The lower angles are the spans; the rest is softness and a motor. */
static void say_cone_twist(phys_writer *writer, const mmd_phys_joint *joint, phys_said_joint *said)
{
    const float *span = joint->pmx.angular_lower;
    lock(said, false, 7);
    range(said, true, 0, -fabsf(span[0]), fabsf(span[0]));
    add_limit(said, (mmd_phys_limit){.kind = MMD_LIMIT_ELLIPSE,
                                     .axes = 6,
                                     .has_max = true,
                                     .max = fabsf(span[1]),
                                     .max2 = fabsf(span[2])});
    phys_lose(writer, MMD_LOSS_APPROXIMATED, "joint.soft_limit_dropped", "stiffness",
              "softness, bias and relaxation", "");
    if (joint->pmx.linear_lower[2] != 0)
        phys_lose(writer, MMD_LOSS_DROPPED, "joint.drive_dropped", "drives", "a motor towards a pose", "");
}

/* Motors of sliders and hinges push towards a velocity with all the force they have. */
static void add_motor(phys_writer *writer, phys_said_joint *said, bool angular, uint8_t axis,
                      const float motor[3], float sign)
{
    if (motor[0] == 0)
        return;
    said->made_drives[said->drive_count++] =
        (mmd_phys_drive){.kind = angular ? MMD_DRIVE_ANGULAR : MMD_DRIVE_LINEAR,
                         .axis = axis,
                         .enabled = true,
                         .acceleration = true,
                         .velocity_target = sign * motor[1],
                         .damping = 1000, /* 1/s: there within a step */
                         .max_force = fmaxf(0, motor[2])};
    phys_lose(writer, MMD_LOSS_APPROXIMATED, "joint.drive_dropped", "drives", "a motor", "a damped drive");
}

static void say_slider(phys_writer *writer, const mmd_phys_joint *joint, phys_said_joint *said)
{
    const mmd_pmx_joint *pmx = &joint->pmx;
    lock(said, false, 6);
    range(said, false, 0, pmx->linear_lower[0], pmx->linear_upper[0]);
    lock(said, true, 6);
    range(said, true, 0, pmx->angular_lower[0], pmx->angular_upper[0]);
    add_motor(writer, said, false, 0, pmx->linear_spring, 1);
    add_motor(writer, said, true, 0, pmx->angular_spring, -1); /* against the angle that it measures */
}

static void say_hinge(phys_writer *writer, const mmd_phys_joint *joint, phys_said_joint *said)
{
    const mmd_pmx_joint *pmx = &joint->pmx;
    lock(said, false, 7);
    lock(said, true, 3);
    range(said, true, 2, 0 - pmx->angular_upper[0], 0 - pmx->angular_lower[0]);
    add_motor(writer, said, true, 2, pmx->angular_spring, -1);
    if (phys_any(pmx->linear_spring))
        phys_lose(writer, MMD_LOSS_APPROXIMATED, "joint.soft_limit_dropped", "stiffness",
                  "softness, bias and relaxation", "");
}

void phys_say_joint(phys_writer *writer, const mmd_phys_joint *joint, phys_said_joint *said)
{
    static void (*const sayers[])(phys_writer *, const mmd_phys_joint *, phys_said_joint *) = {
        say_6dof, say_6dof, say_point, say_cone_twist, say_slider, say_hinge};
    const mmd_physscene *scene = writer->scene;
    *said = (phys_said_joint){.limits = said->made_limits, .drives = said->made_drives};
    if (joint->kind < MMD_JOINT_AXES) {
        sayers[joint->kind](writer, joint, said);
        return;
    }
    said->limit_count = joint->limit_count;
    said->limits = scene->limits + joint->first_limit;
    said->drive_count = joint->drive_count;
    said->drives = scene->drives + joint->first_drive;
}

/* ---------------------------------------------------------------- limits */

static json_t *axes_of(uint8_t axes)
{
    json_t *list = json_array();
    for (int k = 0; k < 3; k++)
        if (axes >> k & 1)
            json_array_append_new(list, json_integer(k));
    return list;
}

/* Where the seed's loaders want a number there is one: so far that nothing comes to it. */
static void put_bound(phys_writer *writer, json_t *entry, const char *key, bool given, float value)
{
    bool upper = strcmp(key, "max") == 0;
    if (given)
        gltf_put(writer->builder, entry, key, phys_number(value));
    else if (!writer->newer)
        gltf_put(writer->builder, entry, key, phys_number(upper ? 1e6f : -1e6f));
}

static void put_range(phys_writer *writer, json_t *entry, const mmd_phys_limit *limit, bool angular)
{
    int axis = limit->axes == 1 ? 0 : limit->axes == 2 ? 1 : limit->axes == 4 ? 2 : -1;
    float length = angular ? 1 : METRES_PER_UNIT;
    float lower = length * limit->min, upper = length * limit->max;
    if (axis < 0) { /* a length: never below 0 */
        put_bound(writer, entry, "min", limit->has_min || !writer->newer, limit->has_min ? lower : 0);
        put_bound(writer, entry, "max", limit->has_max, upper);
    } else if (phys_turned(angular, axis)) {
        put_bound(writer, entry, "min", limit->has_max, 0 - upper);
        put_bound(writer, entry, "max", limit->has_min, 0 - lower);
    } else {
        put_bound(writer, entry, "min", limit->has_min, lower);
        put_bound(writer, entry, "max", limit->has_max, upper);
    }
}

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

/* An elliptic cone is a round one, or two angles. */
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
    phys_lose(writer, MMD_LOSS_APPROXIMATED, "joint.cone_to_box", "angularAxes", "an elliptic cone",
              "two angles");
}

static json_t *limits_of(phys_writer *writer, const phys_said_joint *said)
{
    json_t *limits = json_array();
    for (uint32_t i = 0; i < said->limit_count && limits; i++) {
        if (said->limits[i].kind == MMD_LIMIT_ELLIPSE)
            put_ellipse(writer, limits, &said->limits[i]);
        else
            put_limit(writer, limits, &said->limits[i]);
    }
    return limits;
}

/* ---------------------------------------------------------------- drives */

/* KHR's current schema wants a target with a stiffness and a velocity with a damping. */
static void put_drive(phys_writer *writer, json_t *drives, const mmd_phys_drive *drive)
{
    gltf_builder *builder = writer->builder;
    bool angular = drive->kind == MMD_DRIVE_ANGULAR;
    float sign = phys_turned(angular, drive->axis) ? -1.0f : 1.0f;
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

static bool turns_about_one(const float rotation[4])
{
    int count = 0;
    for (int k = 0; k < 3; k++)
        count += fabsf(rotation[k]) > 1e-5f;
    return count <= 1;
}

/* Six drives: three places and three twists. */
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
        phys_lose(writer, MMD_LOSS_APPROXIMATED, "joint.drive_dropped", "positionTarget", "a rotation",
                  "three angles");
}

static json_t *drives_of(phys_writer *writer, const phys_said_joint *said)
{
    json_t *drives = json_array();
    for (uint32_t i = 0; i < said->drive_count && drives; i++) {
        const mmd_phys_drive *drive = &said->drives[i];
        if (!drive->enabled)
            phys_lose(writer, MMD_LOSS_INFO, "joint.drive_dropped", "drives", "a drive that is off", "");
        else if (drive->kind == MMD_DRIVE_POSE)
            put_pose(writer, drives, drive);
        else
            put_drive(writer, drives, drive);
    }
    return drives;
}

int32_t phys_list_joint(phys_writer *writer, const phys_said_joint *said)
{
    json_t *entry = json_object(), *limits = limits_of(writer, said), *drives = drives_of(writer, said);
    if (json_array_size(limits) > 0)
        gltf_put(writer->builder, entry, "limits", json_incref(limits));
    if (json_array_size(drives) > 0)
        gltf_put(writer->builder, entry, "drives", json_incref(drives));
    writer->builder->failed = writer->builder->failed || !limits || !drives;
    json_decref(limits);
    json_decref(drives);
    return phys_intern(writer, &writer->joints, entry);
}

/* ---------------------------------------------------------------- places */

void phys_joint_places(const phys_writer *writer, const mmd_phys_joint *joint, mmd_transform places[2])
{
    places[0] = joint->frame_a;
    places[1] = joint->frame_b;
    for (int k = 0; k < 2; k++) {
        int32_t body = k ? joint->body_b : joint->body_a;
        if (body >= 0)
            mmd_transform_multiply(&writer->scene->bodies[body].rest, &places[k], &places[k]);
    }
}
