/*
 * Joints of a Ragdoll dump: JointComponent with its LimitComponent and
 * DriveComponent (FORMATS.md 3 and 4). PhysX's D6 joint: X is the twist, Y and
 * Z the swing, whose two half angles bound an elliptic cone.
 *
 * What is locked is one limit of all its axes, so that two locked angles hold
 * the third axis exactly; what is bounded is soft, as the file says, and hard
 * where its stiffness is 0.
 */
#include <math.h>

#include "ragdoll.h"

static const float gain_max = 1e18f;

/* A LimitComponent as it stands. */
typedef struct limits {
    bool enabled;
    float linear[3], angular[3];
    float linear_gains[2], angular_gains[2];
} limits;

static mmd_status read_axes(const ragdoll_file *file, const json_spot *members, limits *read)
{
    static const char *const linear[3] = {"x", "y", "z"};
    static const char *const angular[3] = {"twist", "swing1", "swing2"};
    mmd_status status = MMD_OK;
    for (int k = 0; k < 3 && status == MMD_OK; k++) {
        status = json_read_float(file->reader, members, linear[k], 0, -1e9f, 1e9f, &read->linear[k]);
        if (status == MMD_OK)
            status = json_read_float(file->reader, members, angular[k], 0, -1e9f, 1e9f, &read->angular[k]);
    }
    return status;
}

static mmd_status read_gains(const ragdoll_file *file, const json_spot *members, const char *stiffness,
                             const char *damping, const float fallback[2], float gains[2])
{
    mmd_status status =
        json_read_float(file->reader, members, stiffness, fallback[0], 0, gain_max, &gains[0]);
    return status == MMD_OK
               ? json_read_float(file->reader, members, damping, fallback[1], 0, gain_max, &gains[1])
               : status;
}

static mmd_status read_limits(const ragdoll_file *file, const json_spot *members, limits *read)
{
    static const float usual[2] = {1e6f, 1e4f};
    mmd_status status = json_read_bool(file->reader, members, "enabled", true, &read->enabled);
    if (status == MMD_OK)
        status = read_axes(file, members, read);
    if (status == MMD_OK)
        status = read_gains(file, members, "linearStiffness", "linearDamping", usual, read->linear_gains);
    if (status == MMD_OK)
        status = read_gains(file, members, "angularStiffness", "angularDamping", usual, read->angular_gains);
    return status;
}

/* ---------------------------------------------------------------- limits */

static void soften(mmd_phys_limit *limit, const float gains[2], float size)
{
    limit->soft = gains[0] > 0;
    limit->stiffness = size * gains[0];
    limit->damping = size * gains[1];
}

static void add_limit(ragdoll_file *file, uint32_t joint, mmd_phys_limit made)
{
    mmd_phys_limit *limit;
    scene_add_limit(&file->maker, &limit);
    if (file->maker.failed)
        return;
    made.has_max = true;
    made.has_min = made.kind != MMD_LIMIT_ELLIPSE;
    *limit = made;
    file->maker.scene.joints[joint].limit_count++;
}

static void add_locked(ragdoll_file *file, uint32_t joint, uint8_t kind, const float values[3])
{
    uint8_t axes = 0;
    for (int k = 0; k < 3; k++)
        if (values[k] < 0)
            axes = (uint8_t)(axes | 1U << k);
    if (axes)
        add_limit(file, joint, (mmd_phys_limit){.kind = kind, .axes = axes});
}

static void add_range(ragdoll_file *file, uint32_t joint, uint8_t kind, int axis, float value,
                      const float gains[2])
{
    float length = kind == MMD_LIMIT_LINEAR ? UNITS_PER_CM : 1.0f;
    mmd_phys_limit limit = {
        .kind = kind, .axes = (uint8_t)(1U << axis), .min = -length * value, .max = length * value};
    soften(&limit, gains, kind == MMD_LIMIT_LINEAR ? 1.0f : UNITS_PER_CM * UNITS_PER_CM);
    if (value > 0)
        add_limit(file, joint, limit);
}

static void add_swing(ragdoll_file *file, uint32_t joint, const limits *read)
{
    const float *angle = read->angular;
    if (angle[1] > 0 && angle[2] > 0) {
        mmd_phys_limit cone = {.kind = MMD_LIMIT_ELLIPSE, .axes = 6, .max = angle[1], .max2 = angle[2]};
        soften(&cone, read->angular_gains, UNITS_PER_CM * UNITS_PER_CM);
        add_limit(file, joint, cone);
        return;
    }
    for (int k = 1; k < 3; k++)
        add_range(file, joint, MMD_LIMIT_ANGULAR, k, angle[k], read->angular_gains);
}

static void add_limits(ragdoll_file *file, uint32_t joint, const limits *read)
{
    add_locked(file, joint, MMD_LIMIT_LINEAR, read->linear);
    add_locked(file, joint, MMD_LIMIT_ANGULAR, read->angular);
    for (int k = 0; k < 3; k++)
        add_range(file, joint, MMD_LIMIT_LINEAR, k, read->linear[k], read->linear_gains);
    add_range(file, joint, MMD_LIMIT_ANGULAR, 0, read->angular[0], read->angular_gains);
    add_swing(file, joint, read);
}

static mmd_status read_limit_component(ragdoll_file *file, const ragdoll_entity *entity, uint32_t joint)
{
    ragdoll_component component;
    limits read;
    mmd_status status = ragdoll_component_find(file, entity, "LimitComponent", &component);
    if (status != MMD_OK || !component.members.value)
        return status;
    status = read_limits(file, &component.members, &read);
    if (status == MMD_OK && read.enabled)
        add_limits(file, joint, &read);
    return status;
}

/* ---------------------------------------------------------------- drives */

/* The stored target is the child's pose as the parent sees it; the scene's is between the two frames. */
static void set_target(const mmd_phys_joint *joint, const mmd_transform *pose, mmd_transform *target)
{
    mmd_transform_inverse(&joint->frame_a, target);
    mmd_transform_multiply(target, pose, target);
    mmd_transform_multiply(target, &joint->frame_b, target);
}

static mmd_status read_drive(const ragdoll_file *file, const json_spot *members, mmd_phys_drive *drive,
                             mmd_transform *pose)
{
    static const float none[2] = {0, 0};
    float linear[2], angular[2];
    mmd_status status = json_read_bool(file->reader, members, "enabled", true, &drive->enabled);
    if (status == MMD_OK)
        status = json_read_bool(file->reader, members, "acceleration", true, &drive->acceleration);
    if (status == MMD_OK)
        status = read_gains(file, members, "linearStiffness", "linearDamping", none, linear);
    if (status == MMD_OK)
        status = read_gains(file, members, "angularStiffness", "angularDamping", none, angular);
    if (status == MMD_OK)
        status = ragdoll_read_matrix(file, members, "target", false, pose);
    if (status != MMD_OK)
        return status;
    float size = drive->acceleration ? 1.0f : UNITS_PER_CM * UNITS_PER_CM;
    drive->kind = MMD_DRIVE_POSE;
    drive->max_force = INFINITY;
    drive->stiffness = linear[0];
    drive->damping = linear[1];
    drive->angular_stiffness = size * angular[0];
    drive->angular_damping = size * angular[1];
    return MMD_OK;
}

/* Parents of drives to the world stand at the solver's place. */
static mmd_status read_drive_component(ragdoll_file *file, const ragdoll_entity *entity, uint32_t number)
{
    ragdoll_component component;
    mmd_transform pose;
    mmd_phys_drive read = {.enabled = true}, *drive;
    mmd_status status = ragdoll_component_find(file, entity, "DriveComponent", &component);
    if (status != MMD_OK || !component.members.value)
        return status;
    status = read_drive(file, &component.members, &read, &pose);
    if (status != MMD_OK)
        return status;
    scene_add_drive(&file->maker, &drive);
    if (file->maker.failed)
        return MMD_OK; /* scene_maker_finish says it */
    mmd_phys_joint *joint = &file->maker.scene.joints[number];
    if (joint->body_a < 0)
        mmd_transform_multiply(&file->solver, &pose, &pose);
    set_target(joint, &pose, &read.target);
    *drive = read;
    joint->drive_count = 1;
    return MMD_OK;
}

/* ---------------------------------------------------------------- joints */

/* The body that a joint holds; -1: the world, which the solver's entity is, too. */
static mmd_status read_side(ragdoll_file *file, const json_spot *members, const char *key,
                            mmd_phys_joint *joint, int32_t *body, mmd_transform *frame)
{
    int32_t entity;
    mmd_status status = ragdoll_read_entity(file, members, key, true, &entity);
    if (status != MMD_OK)
        return status;
    bool none = entity == -2 || (entity >= 0 && file->items[entity].body < 0 && !file->items[entity].solver);
    json_spot spot = json_spot_member(members, key);
    if (none) {
        losses_add_at(&file->document->losses, MMD_LOSS_DROPPED, MMD_EXCHANGE_RAGDOLL, "ref.dangling", &spot,
                      key, "");
        joint->disabled = true;
    }
    *body = entity >= 0 ? file->items[entity].body : -1;
    if (entity >= 0 && file->items[entity].solver)
        mmd_transform_multiply(&file->solver, frame, frame);
    return MMD_OK;
}

static mmd_status read_joint(ragdoll_file *file, const json_spot *members, mmd_phys_joint *joint)
{
    bool enabled = true, apart = false;
    mmd_status status = ragdoll_read_matrix(file, members, "parentFrame", true, &joint->frame_a);
    if (status == MMD_OK)
        status = ragdoll_read_matrix(file, members, "childFrame", true, &joint->frame_b);
    if (status == MMD_OK)
        status = read_side(file, members, "parent", joint, &joint->body_a, &joint->frame_a);
    if (status == MMD_OK)
        status = read_side(file, members, "child", joint, &joint->body_b, &joint->frame_b);
    if (status == MMD_OK)
        status = json_read_bool(file->reader, members, "enabled", true, &enabled);
    if (status == MMD_OK)
        status = json_read_bool(file->reader, members, "disableCollision", true, &apart);
    joint->collide = !apart;
    joint->disabled = joint->disabled || !enabled || joint->body_a == joint->body_b;
    return status;
}

static mmd_status read_name(ragdoll_file *file, const ragdoll_entity *entity, mmd_phys_joint *joint)
{
    ragdoll_component named;
    mmd_status status = ragdoll_component_find(file, entity, "NameComponent", &named);
    if (status == MMD_OK)
        status = json_read_text(file->reader, &named.members, "value", &joint->name);
    if (status == MMD_OK)
        status = json_read_text(file->reader, &named.members, "path", &joint->path);
    return status;
}

static mmd_status add_joint(ragdoll_file *file, const ragdoll_entity *entity, const json_spot *members)
{
    mmd_phys_joint *joint;
    mmd_exchange_item *item;
    uint32_t number = scene_add_joint(&file->maker, &joint, &item);
    if (file->maker.failed)
        return MMD_OK; /* scene_maker_finish says it */
    item->entity = ragdoll_key(file, entity);
    mmd_status status = read_joint(file, members, joint);
    if (status == MMD_OK)
        status = read_name(file, entity, joint);
    if (status == MMD_OK)
        status = read_limit_component(file, entity, number);
    if (status == MMD_OK)
        status = read_drive_component(file, entity, number);
    return status;
}

mmd_status ragdoll_read_joints(ragdoll_file *file)
{
    for (uint32_t i = 0; i < file->count; i++) {
        ragdoll_component joint;
        mmd_status status = ragdoll_component_find(file, &file->items[i], "JointComponent", &joint);
        if (status == MMD_OK && joint.members.value)
            status = add_joint(file, &file->items[i], &joint.members);
        if (status != MMD_OK)
            return status;
    }
    return MMD_OK;
}
