/*
 * Rigid bodies of a Ragdoll dump: RigidComponent, GeometryDescriptionComponent
 * and, of later files, ConvexMeshComponents (FORMATS.md 3 and 4). One shape a
 * body; all its lengths times Scale.absolute, as the seed's dedump has it.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "ragdoll.h"

/* No length that is read is longer: what comes of it stays far from infinite. */
static const float length_max = 1e9f;
static const float half_root = 0.70710678f;

/* The numbers of a shape as they stand, in centimetres. */
typedef struct geometry {
    const char *type;
    float radius, length, extents[3], offset[3], rotation[4], scale[3];
} geometry;

static float cm(float length)
{
    float size = fabsf(length);
    return UNITS_PER_CM * (size < length_max ? size : length_max);
}

static mmd_status read_geometry(const ragdoll_file *file, const json_spot *members, geometry *read)
{
    static const float zeros[3] = {0, 0, 0}, none[4] = {0, 0, 0, 1}, ones[3] = {1, 1, 1};
    json_read_text(file->reader, members, "type", &read->type);
    json_read_float(file->reader, members, "radius", 0.5f, 0, length_max, &read->radius);
    json_read_float(file->reader, members, "length", 0, 0, length_max, &read->length);
    ragdoll_read_values(file, members, "extents", 3, ones, read->extents);
    ragdoll_read_values(file, members, "offset", 3, zeros, read->offset);
    ragdoll_read_values(file, members, "rotation", 4, none, read->rotation);
    return file->reader->status;
}

/* Where the shape stands in its body; a length of nearly 0 is no rotation. */
static mmd_status place(const ragdoll_file *file, const json_spot *members, const geometry *read,
                        mmd_transform *frame)
{
    mmd_transform found = {.rotation = {0, 0, 0, 1}};
    float square = 0;
    for (int k = 0; k < 4; k++)
        square += read->rotation[k] * read->rotation[k];
    if (!(square > 1e-12f) || !isfinite(square)) {
        json_spot spot = json_spot_member(members, "rotation");
        return json_spot_fail(file->reader, &spot, MMD_ERROR_VALUE, "is no rotation");
    }
    for (int k = 0; k < 4; k++)
        found.rotation[k] = read->rotation[k] / sqrtf(square);
    for (int k = 0; k < 3; k++)
        found.translation[k] = fmaxf(-length_max, fminf(length_max, read->offset[k] * read->scale[k]));
    mmd_exchange_from_file(MMD_EXCHANGE_RAGDOLL, &found, frame);
    return MMD_OK;
}

/* From Ragdoll's axis X to ours, Y: a quarter turn about Z, which the mirror leaves, that takes Y to X. */
static void stand_up(mmd_phys_shape *shape)
{
    const mmd_transform turn = {.rotation = {0, 0, -half_root, half_root}};
    mmd_transform_multiply(&shape->frame, &turn, &shape->frame);
}

static void set_capsule(const geometry *read, mmd_phys_shape *shape)
{
    shape->kind = MMD_PHYS_CAPSULE;
    shape->size[0] = shape->size[2] = cm(read->radius * read->scale[0]);
    shape->size[1] = cm(read->length * read->scale[1]);
    stand_up(shape);
}

static void set_sphere(const geometry *read, mmd_phys_shape *shape)
{
    shape->kind = MMD_PHYS_SPHERE;
    shape->size[0] = cm(read->radius * read->scale[0]);
}

static void set_box(const geometry *read, mmd_phys_shape *shape)
{
    shape->kind = MMD_PHYS_BOX;
    for (int k = 0; k < 3; k++)
        shape->size[k] = 0.5f * cm(read->extents[k] * read->scale[k]);
}

static void set_plane(const geometry *read, mmd_phys_shape *shape)
{
    (void)read;
    shape->kind = MMD_PHYS_PLANE;
    stand_up(shape);
}

/* ----------------------------------------------------------------- hulls */

/* Points are in the body's frame, with no offset and no rotation. */
static bool copy_points(ragdoll_file *file, const float *values, uint32_t count, const float scale[3],
                        mmd_phys_shape *shape)
{
    float(*points)[3] = mmd_arena_alloc(&file->document->arena, count, sizeof *points);
    mmd_phys_mesh *mesh = NULL;
    if (!points)
        return false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            float value = fmaxf(-length_max, fminf(length_max, values[3 * i + k] * scale[k]));
            points[i][k] = (k == 2 ? -UNITS_PER_CM : UNITS_PER_CM) * value;
        }
    shape->mesh = (int32_t)scene_add_mesh(&file->maker, &mesh);
    if (file->maker.failed)
        return false;
    mesh->point_count = count;
    mesh->points = (const float(*)[3])points;
    shape->kind = MMD_PHYS_HULL;
    shape->frame = (mmd_transform){.rotation = {0, 0, 0, 1}};
    return true;
}

static mmd_status read_points(ragdoll_file *file, const json_spot *members, const float scale[3],
                              mmd_phys_shape *shape)
{
    json_spot vertices, values;
    json_read_kind(file->reader, members, "vertices", JSON_OBJECT, &vertices);
    json_read_kind(file->reader, &vertices, "values", JSON_ARRAY, &values);
    size_t count = json_reader_ok(file->reader) ? json_spot_count(&values) : 0;
    if (count < 12)
        return file->reader->status;
    if (count % 3)
        return json_spot_fail(file->reader, &values, MMD_ERROR_COUNT,
                              "has %zu numbers, which are not three a point", count);
    float *numbers = mmd_alloc(count * sizeof *numbers);
    if (numbers)
        json_read_floats(file->reader, &vertices, "values", count, NULL, numbers);
    bool done = numbers && json_reader_ok(file->reader) &&
                copy_points(file, numbers, (uint32_t)(count / 3), scale, shape);
    mmd_free(numbers);
    if (!done)
        return json_spot_fail(file->reader, &values, MMD_ERROR_MEMORY, "no memory for %zu points", count / 3);
    return file->reader->status;
}

static mmd_status read_hull(ragdoll_file *file, const ragdoll_entity *entity, const json_spot *type,
                            const geometry *read, mmd_phys_shape *shape)
{
    ragdoll_component points;
    set_box(read, shape);
    ragdoll_component_find(file, entity, "ConvexMeshComponents", &points);
    if (json_reader_ok(file->reader) && points.members.value)
        read_points(file, &points.members, read->scale, shape);
    if (json_reader_ok(file->reader) && shape->kind != MMD_PHYS_HULL)
        losses_add_at(&file->document->losses, MMD_LOSS_APPROXIMATED, MMD_EXCHANGE_RAGDOLL, "mesh.missing",
                      type, "vertices", "\"Box\"");
    return file->reader->status;
}

/* ---------------------------------------------------------------- shapes */

static const struct {
    const char *type;
    void (*set)(const geometry *read, mmd_phys_shape *shape);
} shape_types[] = {
    {"Box", set_box},          {"Sphere", set_sphere}, {"Capsule", set_capsule},
    {"Cylinder", set_capsule}, {"Plane", set_plane},
};

static mmd_status set_shape(ragdoll_file *file, const ragdoll_entity *entity, const json_spot *members,
                            const geometry *read, mmd_phys_shape *shape)
{
    json_spot type = json_spot_member(members, "type");
    if (strcmp(read->type, "ConvexHull") == 0)
        return read_hull(file, entity, &type, read, shape);
    for (size_t i = 0; i < sizeof shape_types / sizeof shape_types[0]; i++) {
        if (strcmp(read->type, shape_types[i].type) != 0)
            continue;
        shape_types[i].set(read, shape);
        if (strcmp(read->type, "Cylinder") == 0)
            losses_add_at(&file->document->losses, MMD_LOSS_APPROXIMATED, MMD_EXCHANGE_RAGDOLL,
                          "shape.approximated", &type, "type", "\"Capsule\"");
        return MMD_OK;
    }
    set_box(read, shape);
    losses_add_at(&file->document->losses, MMD_LOSS_APPROXIMATED, MMD_EXCHANGE_RAGDOLL, "shape.approximated",
                  type.value ? &type : members, "type", "\"Box\"");
    return MMD_OK;
}

static mmd_status read_shape(ragdoll_file *file, const ragdoll_entity *entity, mmd_phys_shape *shape)
{
    static const float ones[3] = {1, 1, 1};
    ragdoll_component described, scale;
    geometry read = {.type = ""};
    ragdoll_component_need(file, entity, "GeometryDescriptionComponent", &described);
    ragdoll_component_find(file, entity, "ScaleComponent", &scale);
    ragdoll_read_values(file, &scale.members, "absolute", 3, ones, read.scale);
    read_geometry(file, &described.members, &read);
    place(file, &described.members, &read, &shape->frame);
    set_shape(file, entity, &described.members, &read, shape);
    return file->reader->status;
}

/* ---------------------------------------------------------------- bodies */

/* PhysX takes c times the velocity away each second, Bullet a share: 1 - exp(-c). */
static mmd_status read_damping(const ragdoll_file *file, const json_spot *members, const char *key,
                               float fallback, float *damping)
{
    json_read_float(file->reader, members, key, fallback, 0, 1e9f, damping);
    *damping = 1.0f - expf(-*damping);
    return file->reader->status;
}

/* Negative: computed. Along the body's axes, which the mirror leaves as they are. */
static mmd_status read_mass(const ragdoll_file *file, const json_spot *members, mmd_phys_body *body)
{
    static const float automatic[3] = {-1, -1, -1}, zeros[3] = {0, 0, 0};
    json_read_float(file->reader, members, "mass", 1, 0, 1e12f, &body->mass);
    ragdoll_read_values(file, members, "angularMass", 3, automatic, body->inertia);
    ragdoll_read_values(file, members, "centerOfMass", 3, zeros, body->center);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
    for (int k = 0; k < 3; k++) {
        body->auto_inertia = body->auto_inertia || body->inertia[k] < 0;
        body->inertia[k] = fminf(body->inertia[k], 1e18f) * UNITS_PER_CM * UNITS_PER_CM;
        body->center[k] =
            (k == 2 ? -UNITS_PER_CM : UNITS_PER_CM) * fmaxf(-length_max, fminf(length_max, body->center[k]));
    }
    if (body->auto_inertia)
        memset(body->inertia, 0, sizeof body->inertia);
    body->auto_center = body->center[0] == 0 && body->center[1] == 0 && body->center[2] == 0;
    return MMD_OK;
}

static mmd_status read_switches(const ragdoll_file *file, const json_spot *members, mmd_phys_body *body,
                                bool *collide)
{
    bool enabled = true, kinematic = false, weightless = false, ignored = false;
    float threshold = 0;
    json_reader *reader = file->reader;
    json_read_bool(reader, members, "enabled", true, &enabled);
    json_read_bool(reader, members, "kinematic", false, &kinematic);
    json_read_bool(reader, members, "disableGravity", false, &weightless);
    json_read_bool(reader, members, "ignoreGravity", false, &ignored);
    json_read_bool(reader, members, "enableCCD", false, &body->ccd);
    json_read_bool(reader, members, "collide", true, collide);
    json_read_float(reader, members, "sleepThreshold", 0, -1e9f, 1e9f, &threshold);
    body->disabled = !enabled;
    body->motion = kinematic ? MMD_PHYS_KINEMATIC : MMD_PHYS_DYNAMIC;
    body->gravity_factor = weightless || ignored ? 0.0f : 1.0f;
    body->can_sleep = threshold > 0;
    return reader->status;
}

static mmd_status read_material(ragdoll_file *file, const json_spot *members, mmd_phys_material *material)
{
    json_read_float(file->reader, members, "friction", 0.8f, 0, 1e6f, &material->static_friction);
    json_read_float(file->reader, members, "restitution", 0.1f, 0, 1e6f, &material->restitution);
    material->dynamic_friction = material->static_friction;
    material->friction_combine = material->restitution_combine = MMD_COMBINE_AVERAGE;
    return file->reader->status;
}

/* A shape with its material, as the body's only one. */
static mmd_status add_shape(ragdoll_file *file, const ragdoll_entity *entity, const json_spot *members,
                            bool collide)
{
    mmd_phys_shape *shape;
    mmd_phys_material *material, read = {.name = ""};
    read_material(file, members, &read);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
    uint32_t number = scene_add_material(&file->maker, &material);
    scene_add_shape(&file->maker, &shape);
    if (file->maker.failed)
        return MMD_OK; /* scene_maker_finish says it */
    *material = read;
    shape->material = (int32_t)number;
    shape->solid = collide;
    return read_shape(file, entity, shape);
}

static mmd_status read_names(ragdoll_file *file, const ragdoll_entity *entity, const char **name,
                             const char **path)
{
    ragdoll_component named;
    const char *shortest = "", *value = "";
    ragdoll_component_find(file, entity, "NameComponent", &named);
    json_read_text(file->reader, &named.members, "shortestPath", &shortest);
    json_read_text(file->reader, &named.members, "value", &value);
    json_read_text(file->reader, &named.members, "path", path);
    *name = shortest[0] ? shortest : value;
    return file->reader->status;
}

static mmd_status read_color(ragdoll_file *file, const ragdoll_entity *entity, float color[4])
{
    static const float usual[4] = {0.6f, 0.6f, 0.6f, 1};
    ragdoll_component colored;
    ragdoll_component_find(file, entity, "ColorComponent", &colored);
    ragdoll_read_values(file, &colored.members, "value", 4, usual, color);
    for (int k = 0; json_reader_ok(file->reader) && k < 4; k++)
        color[k] = fmaxf(0, fminf(1, color[k]));
    return file->reader->status;
}

static mmd_status read_body(ragdoll_file *file, ragdoll_entity *entity, const json_spot *members)
{
    mmd_phys_body *body, read = {.name = ""};
    mmd_exchange_item *item;
    bool collide = true;
    uint32_t number = scene_add_body(&file->maker, &body, &item);
    if (file->maker.failed)
        return MMD_OK; /* scene_maker_finish says it */
    read = *body;
    item->entity = ragdoll_key(file, entity);
    entity->body = read.bone = (int32_t)number;
    ragdoll_component rest;
    ragdoll_component_need(file, entity, "RestComponent", &rest);
    ragdoll_read_matrix(file, &rest.members, "matrix", true, &read.rest);
    read_names(file, entity, &read.name, &read.path);
    read_color(file, entity, file->colors[number]);
    read_mass(file, members, &read);
    read_switches(file, members, &read, &collide);
    read_damping(file, members, "linearDamping", 0.5f, &read.linear_damping);
    read_damping(file, members, "angularDamping", 1, &read.angular_damping);
    read.shape_count = 1;
    *body = read;
    return add_shape(file, entity, members, collide);
}

/* ------------------------------------------------------------------- all */

static mmd_status read_parent(ragdoll_file *file, ragdoll_entity *entity, const json_spot *members)
{
    ragdoll_read_entity(file, members, "parentRigid", false, &entity->parent);
    json_spot spot = json_spot_member(members, "parentRigid");
    if (json_reader_ok(file->reader) && entity->parent == -2)
        losses_add_at(&file->document->losses, MMD_LOSS_APPROXIMATED, MMD_EXCHANGE_RAGDOLL, "ref.dangling",
                      &spot, "parentRigid", "0");
    return file->reader->status;
}

/* Each entity is walked through once: marks hold the walk it was met on. */
static mmd_status check_parents(const ragdoll_file *file)
{
    uint32_t *marks = mmd_alloc((file->count + (size_t)1) * sizeof *marks);
    if (!marks)
        return json_reader_note(file->reader,
                                mmd_error_set(file->reader->error, MMD_ERROR_MEMORY, "entities",
                                              MMD_NO_OFFSET, "no memory for %u entities", file->count));
    memset(marks, 0, (file->count + (size_t)1) * sizeof *marks);
    for (uint32_t i = 0; i < file->count && json_reader_ok(file->reader); i++) {
        int32_t at = (int32_t)i;
        for (; at >= 0 && !marks[at]; at = file->items[at].parent)
            marks[at] = i + 1;
        if (at < 0 || marks[at] != i + 1)
            continue;
        ragdoll_component rigid;
        ragdoll_component_find(file, &file->items[at], "RigidComponent", &rigid);
        json_spot spot = json_spot_member(&rigid.members, "parentRigid");
        json_spot_fail(file->reader, &spot, MMD_ERROR_VALUE, "makes a rigid its own ancestor");
    }
    mmd_free(marks);
    return file->reader->status;
}

mmd_status ragdoll_read_bodies(ragdoll_file *file)
{
    assert(file);
    for (uint32_t i = 0; i < file->count && json_reader_ok(file->reader); i++) {
        ragdoll_component rigid;
        ragdoll_entity *entity = &file->items[i];
        ragdoll_component_find(file, entity, "RigidComponent", &rigid);
        if (rigid.members.value)
            read_parent(file, entity, &rigid.members);
        if (rigid.members.value && !entity->solver)
            read_body(file, entity, &rigid.members);
    }
    return json_reader_ok(file->reader) ? check_parents(file) : file->reader->status;
}

/* ------------------------------------------------------------------- joints */

/*
 * Joints of a Ragdoll dump: JointComponent with its LimitComponent and
 * DriveComponent (FORMATS.md 3 and 4). PhysX's D6 joint: X is the twist, Y and
 * Z the swing, whose two half angles bound an elliptic cone.
 *
 * What is locked is one limit of all its axes, so that two locked angles hold
 * the third axis exactly; what is bounded is soft, as the file says, and hard
 * where its stiffness is 0.
 */

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
    for (int k = 0; k < 3 && json_reader_ok(file->reader); k++) {
        json_read_float(file->reader, members, linear[k], 0, -1e9f, 1e9f, &read->linear[k]);
        json_read_float(file->reader, members, angular[k], 0, -1e9f, 1e9f, &read->angular[k]);
    }
    return file->reader->status;
}

static mmd_status read_gains(const ragdoll_file *file, const json_spot *members, const char *stiffness,
                             const char *damping, const float fallback[2], float gains[2])
{
    json_read_float(file->reader, members, stiffness, fallback[0], 0, gain_max, &gains[0]);
    return json_read_float(file->reader, members, damping, fallback[1], 0, gain_max, &gains[1]);
}

static mmd_status read_limits(const ragdoll_file *file, const json_spot *members, limits *read)
{
    static const float usual[2] = {1e6f, 1e4f};
    json_read_bool(file->reader, members, "enabled", true, &read->enabled);
    read_axes(file, members, read);
    read_gains(file, members, "linearStiffness", "linearDamping", usual, read->linear_gains);
    read_gains(file, members, "angularStiffness", "angularDamping", usual, read->angular_gains);
    return file->reader->status;
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
    ragdoll_component_find(file, entity, "LimitComponent", &component);
    if (!json_reader_ok(file->reader) || !component.members.value)
        return file->reader->status;
    read_limits(file, &component.members, &read);
    if (json_reader_ok(file->reader) && read.enabled)
        add_limits(file, joint, &read);
    return file->reader->status;
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
    json_read_bool(file->reader, members, "enabled", true, &drive->enabled);
    json_read_bool(file->reader, members, "acceleration", true, &drive->acceleration);
    read_gains(file, members, "linearStiffness", "linearDamping", none, linear);
    read_gains(file, members, "angularStiffness", "angularDamping", none, angular);
    ragdoll_read_matrix(file, members, "target", false, pose);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
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
    ragdoll_component_find(file, entity, "DriveComponent", &component);
    if (!json_reader_ok(file->reader) || !component.members.value)
        return file->reader->status;
    read_drive(file, &component.members, &read, &pose);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
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
    ragdoll_read_entity(file, members, key, true, &entity);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
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
    ragdoll_read_matrix(file, members, "parentFrame", true, &joint->frame_a);
    ragdoll_read_matrix(file, members, "childFrame", true, &joint->frame_b);
    read_side(file, members, "parent", joint, &joint->body_a, &joint->frame_a);
    read_side(file, members, "child", joint, &joint->body_b, &joint->frame_b);
    json_read_bool(file->reader, members, "enabled", true, &enabled);
    json_read_bool(file->reader, members, "disableCollision", true, &apart);
    joint->collide = !apart;
    joint->disabled = joint->disabled || !enabled || joint->body_a == joint->body_b;
    return file->reader->status;
}

static mmd_status read_name(ragdoll_file *file, const ragdoll_entity *entity, mmd_phys_joint *joint)
{
    ragdoll_component named;
    ragdoll_component_find(file, entity, "NameComponent", &named);
    json_read_text(file->reader, &named.members, "value", &joint->name);
    json_read_text(file->reader, &named.members, "path", &joint->path);
    return file->reader->status;
}

static mmd_status add_joint(ragdoll_file *file, const ragdoll_entity *entity, const json_spot *members)
{
    mmd_phys_joint *joint;
    mmd_exchange_item *item;
    uint32_t number = scene_add_joint(&file->maker, &joint, &item);
    if (file->maker.failed)
        return MMD_OK; /* scene_maker_finish says it */
    item->entity = ragdoll_key(file, entity);
    read_joint(file, members, joint);
    read_name(file, entity, joint);
    read_limit_component(file, entity, number);
    read_drive_component(file, entity, number);
    return file->reader->status;
}

mmd_status ragdoll_read_joints(ragdoll_file *file)
{
    assert(file);
    for (uint32_t i = 0; i < file->count && json_reader_ok(file->reader); i++) {
        ragdoll_component joint;
        ragdoll_component_find(file, &file->items[i], "JointComponent", &joint);
        if (joint.members.value)
            add_joint(file, &file->items[i], &joint.members);
    }
    return file->reader->status;
}
