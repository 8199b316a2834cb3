/*
 * Checks a scene before it is simulated. Every array is visited once, so the time is linear in the scene's
 * size. Ranges, such as a body's shapes, are checked by their ends only.
 *
 * The functions `within`, `not_negative` and others report with common wording. Only the first error is
 * reported.
 */
#include "mmd/physscene.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Item number of the world, a section with a single item. */
#define THE_ONLY_ONE UINT32_MAX

static const float length_most = MMD_PHYS_LENGTH_MOST, number_most = MMD_PHYS_MASS_MOST,
                   inertia_most = MMD_PHYS_INERTIA_MOST, gain_most = MMD_PHYS_GAIN_MOST;

typedef struct checker {
    const mmd_physscene *scene;
    mmd_error *error;
    mmd_status status;
    const char *section; /* section being checked: "body" */
    uint32_t item;       /* index of the item being checked */
    const char *name;
} checker;

static const char *name_of(const char *name)
{
    return name ? name : "";
}

/* Sets the item that following reports name. */
static void begin(checker *check, const char *section, uint32_t item, const char *name)
{
    check->section = section;
    check->item = item;
    check->name = name_of(name);
}

/* Reports an error as a sentence that starts with the item, "body 3 (hair) ". Later errors are ignored. */
static __attribute__((format(__printf__, 3, 4))) void report(checker *check, mmd_status code, const char *format,
                                                         ...)
{
    char item[16] = "", sentence[MMD_ERROR_MESSAGE_MAX];
    va_list arguments;
    if (check->status)
        return;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (check->item != THE_ONLY_ONE)
        snprintf(item, sizeof item, " %u", check->item);
    check->status = mmd_error_set(check->error, code, check->section, MMD_NO_OFFSET, "%s%s%s%s%.40s%s %s",
                                  item[0] ? "" : "the ", check->section, item, check->name[0] ? " (" : "",
                                  check->name, check->name[0] ? ")" : "", sentence);
}

static const char *article(const char *what)
{
    return strchr("aeiou", what[0]) ? "an" : "a";
}

/* Checks that numbers are finite. */
static void finite(checker *check, const float *numbers, int count, const char *what)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(numbers[i]))
            report(check, MMD_ERROR_VALUE, "has %s %s of %g", article(what), what, (double)numbers[i]);
    }
}

/* Checks that numbers are finite and within the limits of the solver (mmd/physscene.h). */
static void within(checker *check, const float *numbers, int count, float most, const char *what)
{
    finite(check, numbers, count, what);
    for (int i = 0; i < count; i++) {
        if (fabsf(numbers[i]) > most)
            report(check, MMD_ERROR_VALUE, "has %s %s of %g; the limit for simulation is %g", article(what),
                   what, (double)numbers[i], (double)most);
    }
}

/* Checks numbers that must also not be negative. */
static void not_negative(checker *check, const float *numbers, int count, float most, const char *what)
{
    within(check, numbers, count, most, what);
    for (int i = 0; i < count; i++) {
        if (numbers[i] < 0.0f)
            report(check, MMD_ERROR_VALUE, "has a negative %s, %g", what, (double)numbers[i]);
    }
}

/* Checks that a quaternion has unit length. */
static void unit(checker *check, const float rotation[4], const char *what)
{
    finite(check, rotation, 4, what);
    float square = 0.0f;
    for (int i = 0; i < 4; i++)
        square += rotation[i] * rotation[i];
    if (!(fabsf(square - 1.0f) < 1e-3f))
        report(check, MMD_ERROR_VALUE, "has %s %s of length %g instead of 1", article(what), what,
               sqrt((double)square));
}

static void transform(checker *check, const mmd_transform *transform, const char *what)
{
    unit(check, transform->rotation, what);
    within(check, transform->translation, 3, length_most, what);
}

/* Checks an index; none: -1 is allowed. */
static void index(checker *check, int32_t value, uint32_t count, bool none, const char *what)
{
    if (value >= 0 ? (uint32_t)value >= count : !(none && value == -1))
        report(check, MMD_ERROR_INDEX, "has %s %d, but there are only %u", what, value, count);
}

/* Checks a list of indices into `count` elements. */
static void indices(checker *check, const uint32_t *values, uint32_t value_count, uint32_t count,
                    const char *what)
{
    for (uint32_t i = 0; i < value_count; i++) {
        if (values[i] >= count)
            report(check, MMD_ERROR_INDEX, "has %s %u, but there are only %u", what, values[i], count);
    }
}

/* Checks a range of an array of `count` elements. */
static void run(checker *check, uint32_t first, uint32_t length, uint32_t count, const char *what)
{
    if (first > count || length > count - first)
        report(check, MMD_ERROR_INDEX, "has %u %s from %u on, but there are only %u", length, what, first,
               count);
}

/* Checks the value of an enum. */
static void choice(checker *check, uint8_t value, uint8_t most, const char *what)
{
    if (value > most)
        report(check, MMD_ERROR_VALUE, "has %s %u, which is unknown", what, value);
}

static void check_world(checker *check)
{
    const mmd_phys_world *world = &check->scene->world;
    begin(check, "world", THE_ONLY_ONE, "");
    within(check, world->gravity, 3, length_most, "gravity");
    within(check, &world->ground_height, 1, length_most, "height of the ground");
    not_negative(check, &world->ground_friction, 1, number_most, "friction of the ground");
    not_negative(check, &world->ground_restitution, 1, number_most, "restitution of the ground");
    finite(check, &world->joint_erp, 1, "share of joints' errors");
    choice(check, world->joint_lever, MMD_LEVER_STOCK, "lever of joints");
    choice(check, world->damping, MMD_DAMPING_ADDITIONAL, "damping");
    if (world->rate < 20 || world->rate > 2000)
        report(check, MMD_ERROR_VALUE, "has %u steps per second, not 20 to 2000", world->rate);
    if (world->iterations < 1 || world->iterations > 1000)
        report(check, MMD_ERROR_VALUE, "has %u iterations, not 1 to 1000", world->iterations);
    if (!(world->joint_erp >= 0.0f && world->joint_erp <= 1.0f))
        report(check, MMD_ERROR_VALUE, "corrects a share of %g of the joints' errors, not 0 to 1",
               (double)world->joint_erp);
}

static void check_filters(checker *check)
{
    const mmd_physscene *scene = check->scene;
    for (uint32_t i = 0; i < scene->filter_count; i++) {
        const mmd_phys_filter *filter = &scene->filters[i];
        begin(check, "filter", i, "");
        choice(check, filter->group, 15, "group");
        indices(check, filter->systems, filter->system_count, scene->system_count, "system");
        indices(check, filter->collide_with, filter->collide_count, scene->system_count, "system");
        indices(check, filter->not_collide_with, filter->not_collide_count, scene->system_count, "system");
    }
}

static void check_materials(checker *check)
{
    for (uint32_t i = 0; i < check->scene->material_count; i++) {
        const mmd_phys_material *material = &check->scene->materials[i];
        begin(check, "material", i, material->name);
        not_negative(check, &material->static_friction, 1, number_most, "static friction");
        not_negative(check, &material->dynamic_friction, 1, number_most, "dynamic friction");
        not_negative(check, &material->restitution, 1, number_most, "restitution");
        choice(check, material->friction_combine, MMD_COMBINE_AVERAGE, "way of combining friction");
        choice(check, material->restitution_combine, MMD_COMBINE_AVERAGE, "way of combining restitution");
    }
}

static void check_meshes(checker *check)
{
    for (uint32_t i = 0; i < check->scene->mesh_count; i++) {
        const mmd_phys_mesh *mesh = &check->scene->meshes[i];
        begin(check, "mesh", i, "");
        for (uint32_t k = 0; k < mesh->point_count; k++)
            within(check, mesh->points[k], 3, length_most, "point");
        indices(check, mesh->indices, mesh->index_count, mesh->point_count, "point");
        if (mesh->index_count % 3)
            report(check, MMD_ERROR_VALUE, "has %u indices, which is not a multiple of 3", mesh->index_count);
    }
}

static void check_shapes(checker *check)
{
    const mmd_physscene *scene = check->scene;
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        const mmd_phys_shape *shape = &scene->shapes[i];
        bool has_mesh = shape->kind == MMD_PHYS_HULL || shape->kind == MMD_PHYS_MESH;
        begin(check, "shape", i, shape->name);
        choice(check, shape->kind, MMD_PHYS_PLANE, "kind");
        transform(check, &shape->frame, "frame");
        not_negative(check, shape->size, 3, length_most, "size");
        index(check, shape->mesh, scene->mesh_count, !has_mesh, "mesh");
        index(check, shape->material, scene->material_count, true, "material");
        index(check, shape->filter, scene->filter_count, true, "filter");
    }
}

static void check_bodies(checker *check)
{
    for (uint32_t i = 0; i < check->scene->body_count; i++) {
        const mmd_phys_body *body = &check->scene->bodies[i];
        begin(check, "body", i, body->name);
        choice(check, body->motion, MMD_PHYS_DYNAMIC_BONE, "kind of motion");
        transform(check, &body->rest, "rest transform");
        not_negative(check, &body->mass, 1, number_most, "mass");
        not_negative(check, body->inertia, 3, inertia_most, "inertia");
        unit(check, body->inertia_rotation, "rotation of inertia");
        within(check, body->center, 3, length_most, "centre of mass");
        within(check, &body->linear_damping, 1, number_most, "linear damping");
        within(check, &body->angular_damping, 1, number_most, "angular damping");
        within(check, body->linear_velocity, 3, length_most, "velocity");
        within(check, body->angular_velocity, 3, length_most, "angular velocity");
        within(check, &body->gravity_factor, 1, number_most, "gravity factor");
        run(check, body->first_shape, body->shape_count, check->scene->shape_count, "shapes");
        if (body->bone < -1)
            report(check, MMD_ERROR_INDEX, "has bone %d", body->bone);
    }
}

/* Checks a limit. Bounds that it does not have are ignored. */
static void check_limit(checker *check, const mmd_phys_limit *limit)
{
    choice(check, limit->kind, MMD_LIMIT_ELLIPSE, "kind");
    if (limit->kind != MMD_LIMIT_ELLIPSE && (limit->axes == 0 || limit->axes > 7))
        report(check, MMD_ERROR_VALUE, "has axes %u, not 1 to 7", limit->axes);
    if (limit->has_min)
        within(check, &limit->min, 1, gain_most, "minimum");
    if (limit->has_max)
        within(check, &limit->max, 1, gain_most, "maximum");
    if (limit->kind == MMD_LIMIT_ELLIPSE)
        not_negative(check, &limit->max2, 1, gain_most, "second maximum");
    if (limit->has_min && limit->has_max && limit->min > limit->max)
        report(check, MMD_ERROR_VALUE, "has a minimum of %g above its maximum of %g", (double)limit->min,
               (double)limit->max);
    if (limit->soft) {
        not_negative(check, &limit->stiffness, 1, gain_most, "stiffness");
        not_negative(check, &limit->damping, 1, gain_most, "damping");
    }
}

static void check_limits(checker *check)
{
    for (uint32_t i = 0; i < check->scene->limit_count; i++) {
        begin(check, "limit", i, "");
        check_limit(check, &check->scene->limits[i]);
    }
}

static void check_drives(checker *check)
{
    for (uint32_t i = 0; i < check->scene->drive_count; i++) {
        const mmd_phys_drive *drive = &check->scene->drives[i];
        begin(check, "drive", i, "");
        choice(check, drive->kind, MMD_DRIVE_POSE, "kind");
        choice(check, drive->axis, 2, "axis");
        within(check, &drive->position_target, 1, gain_most, "target");
        within(check, &drive->velocity_target, 1, gain_most, "target velocity");
        not_negative(check, &drive->stiffness, 1, gain_most, "stiffness");
        not_negative(check, &drive->damping, 1, gain_most, "damping");
        if (drive->kind == MMD_DRIVE_POSE) {
            not_negative(check, &drive->angular_stiffness, 1, gain_most, "angular stiffness");
            not_negative(check, &drive->angular_damping, 1, gain_most, "angular damping");
            transform(check, &drive->target, "target");
        }
        if (!(drive->max_force >= 0.0f)) /* infinity means unlimited and is allowed */
            report(check, MMD_ERROR_VALUE, "has a maximum force of %g", (double)drive->max_force);
    }
}

/* Checks a joint. Reversed PMX limits are allowed: they mean a free axis. */
static void check_joint(checker *check, const mmd_phys_joint *joint)
{
    const mmd_physscene *scene = check->scene;
    choice(check, joint->kind, MMD_JOINT_LIMITS_AND_DRIVES, "kind");
    index(check, joint->body_a, scene->body_count, true, "body A");
    index(check, joint->body_b, scene->body_count, true, "body B");
    transform(check, &joint->frame_a, "frame in A");
    transform(check, &joint->frame_b, "frame in B");
    within(check, joint->pmx.linear_lower, 3, number_most, "lower limit");
    within(check, joint->pmx.linear_upper, 3, number_most, "upper limit");
    within(check, joint->pmx.angular_lower, 3, number_most, "lower angle");
    within(check, joint->pmx.angular_upper, 3, number_most, "upper angle");
    within(check, joint->pmx.linear_spring, 3, number_most, "spring");
    within(check, joint->pmx.angular_spring, 3, number_most, "angular spring");
    run(check, joint->first_limit, joint->limit_count, scene->limit_count, "limits");
    run(check, joint->first_drive, joint->drive_count, scene->drive_count, "drives");
    if (!joint->disabled && joint->body_a == joint->body_b)
        report(check, MMD_ERROR_VALUE, "joins %s with itself", joint->body_a < 0 ? "the world" : "a body");
}

static void check_joints(checker *check)
{
    for (uint32_t i = 0; i < check->scene->joint_count; i++) {
        begin(check, "joint", i, check->scene->joints[i].name);
        check_joint(check, &check->scene->joints[i]);
    }
}

static void check_soft_settings(checker *check, const mmd_phys_soft_body *soft)
{
    choice(check, soft->shape, 1, "shape");
    index(check, soft->filter, check->scene->filter_count, true, "filter");
    not_negative(check, &soft->mass, 1, number_most, "mass");
    not_negative(check, &soft->margin, 1, length_most, "margin");
    within(check, soft->config, 12, number_most, "setting");
    within(check, soft->cluster, 6, number_most, "cluster's setting");
    within(check, soft->material_config, 3, number_most, "stiffness");
}

/* Checks nodes, links or faces, pins, anchors and the order of vertices. */
static void check_soft_mesh(checker *check, const mmd_phys_soft_body *soft)
{
    uint32_t corners = soft->shape == 1 ? 2 : 3;
    for (uint32_t i = 0; i < soft->node_count; i++)
        within(check, soft->nodes[i], 3, length_most, "node");
    indices(check, soft->indices, soft->index_count, soft->node_count, "node");
    indices(check, soft->pins, soft->pin_count, soft->node_count, "pinned node");
    indices(check, soft->vertex_node, soft->vertex_count, soft->node_count, "vertex's node");
    for (uint32_t i = 0; i < soft->anchor_count; i++) {
        indices(check, &soft->anchors[i].node, 1, soft->node_count, "anchored node");
        index(check, soft->anchors[i].body, check->scene->body_count, false, "anchor's body");
    }
    for (uint32_t i = 1; i < soft->vertex_count; i++) {
        if (soft->vertices[i - 1] >= soft->vertices[i])
            report(check, MMD_ERROR_VALUE, "has vertex %u, which is not in ascending order",
                   soft->vertices[i]);
    }
    if (soft->index_count % corners)
        report(check, MMD_ERROR_VALUE, "has %u indices, which is not a multiple of %u", soft->index_count,
               corners);
}

static void check_soft_bodies(checker *check)
{
    for (uint32_t i = 0; i < check->scene->soft_body_count; i++) {
        const mmd_phys_soft_body *soft = &check->scene->soft_bodies[i];
        begin(check, "soft body", i, soft->name);
        check_soft_settings(check, soft);
        check_soft_mesh(check, soft);
    }
}

static void check_gravities(checker *check)
{
    for (uint32_t i = 0; i < check->scene->gravity_count; i++) {
        const mmd_phys_gravity *field = &check->scene->gravities[i];
        bool shaped = field->kind == MMD_GRAVITY_SHAPED;
        begin(check, "gravity", i, "");
        choice(check, field->kind, MMD_GRAVITY_SHAPED, "kind");
        index(check, field->body, check->scene->body_count, true, "body");
        within(check, &field->gravity, 1, length_most, "strength");
        within(check, field->direction, 3, length_most, "direction");
        not_negative(check, &field->unit_distance, 1, length_most, "unit distance");
        not_negative(check, &field->radius, 1, length_most, "radius");
        index(check, shaped ? field->shape : -1, check->scene->shape_count, !shaped, "shape");
        for (uint32_t k = 0; k < field->point_count; k++)
            within(check, field->points[k], 3, length_most, "point");
    }
}

mmd_status mmd_physscene_check(const mmd_physscene *scene, mmd_error *error)
{
    assert(scene);
    checker check = {.scene = scene, .error = error, .section = "", .name = ""};
    check_world(&check);
    check_filters(&check);
    check_materials(&check);
    check_meshes(&check);
    check_shapes(&check);
    check_bodies(&check);
    check_limits(&check);
    check_drives(&check);
    check_joints(&check);
    check_soft_bodies(&check);
    check_gravities(&check);
    return check.status;
}
