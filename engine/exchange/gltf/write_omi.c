/*
 * OMI_physics_joint, seed and newer dialect, and OMI's lists of the document
 * (FORMATS.md 2 and 4).
 *
 * The seed has one place for both frames, that of the joint's node, which
 * stands at frame A: where frame B is elsewhere at rest, the ranges are moved
 * by as much. It knows a range of each axis; what is locked at 0 is one
 * constraint, so that two locked angles hold the third axis. It knows no
 * drives, and no world: that is a static body of its own.
 */
#include <math.h>

#include "write_physics.h"

/* So far that nothing comes to it. */
static const float nowhere = 1e6f;

/* Of an axis of the file, in metres or radians. */
typedef struct omi_range {
    bool bound, soft;
    float lower, upper, stiffness, damping;
} omi_range;

typedef struct omi_job {
    phys_writer *writer;
    const mmd_phys_joint *joint;
    omi_range ranges[6]; /* linear, angular */
} omi_job;

static void lose(const omi_job *job, mmd_loss_severity severity, const char *code, const char *field,
                 const char *source, const char *emitted)
{
    phys_lose(job->writer, severity, code, field, source, emitted);
}

/* ---------------------------------------------------------------- ranges */

static void narrow(omi_range *range, float lower, float upper)
{
    range->lower = range->bound ? fmaxf(range->lower, lower) : lower;
    range->upper = range->bound ? fminf(range->upper, upper) : upper;
    range->upper = fmaxf(range->lower, range->upper);
    range->bound = true;
}

static void bind_axis(omi_job *job, const mmd_phys_limit *limit, int axis, float lower, float upper)
{
    bool angular = limit->kind != MMD_LIMIT_LINEAR, turned = phys_turned(angular, axis);
    omi_range *range = &job->ranges[axis + (angular ? 3 : 0)];
    float gain = angular ? PHYS_SQUARE_METRES : 1;
    narrow(range, turned ? 0 - upper : lower, turned ? 0 - lower : upper);
    if (!limit->soft)
        return;
    range->soft = true;
    range->stiffness = gain * limit->stiffness;
    range->damping = gain * limit->damping;
}

/* A length of two axes or three, or an angle between lines, is a range of each. */
static void bind_limit(omi_job *job, const mmd_phys_limit *limit)
{
    bool angular = limit->kind != MMD_LIMIT_LINEAR, several = (limit->axes & (limit->axes - 1)) != 0;
    float length = angular ? 1 : METRES_PER_UNIT;
    float upper = limit->has_max ? length * limit->max : nowhere;
    float lower = several ? -upper : limit->has_min ? length * limit->min : -nowhere;
    for (int k = 0; k < 3; k++)
        if (limit->axes >> k & 1)
            bind_axis(job, limit, k, lower, upper);
    if (several && upper > 0)
        lose(job, MMD_LOSS_APPROXIMATED, "joint.cone_to_box", angular ? "angularAxes" : "linearAxes",
             angular ? "a cone" : "a distance", "a range of each axis");
    if (several && limit->has_min && limit->min > 0)
        lose(job, MMD_LOSS_DROPPED, "joint.limit_asymmetric", "min", "a least distance", "0");
}

static void bind_ellipse(omi_job *job, const mmd_phys_limit *limit)
{
    if (!limit->has_max)
        return;
    bind_axis(job, limit, 1, -limit->max, limit->max);
    bind_axis(job, limit, 2, -limit->max2, limit->max2);
    lose(job, MMD_LOSS_APPROXIMATED, "joint.cone_to_box", "angularAxes", "a cone", "two angles");
}

static void bind_all(omi_job *job, const phys_said_joint *said)
{
    for (uint32_t i = 0; i < said->limit_count; i++) {
        const mmd_phys_limit *limit = &said->limits[i];
        if (limit->soft && !(limit->stiffness > 0))
            lose(job, MMD_LOSS_DROPPED, "joint.soft_limit_dropped", "stiffness", "0", "");
        else if (limit->kind == MMD_LIMIT_ELLIPSE)
            bind_ellipse(job, limit);
        else
            bind_limit(job, limit);
    }
}

/* Ranges count from where the two frames are at rest: that is 0 in the file. */
static void move_ranges(omi_job *job, const mmd_transform places[2])
{
    mmd_transform offset;
    bool moved = false;
    mmd_transform_inverse(&places[0], &offset);
    mmd_transform_multiply(&offset, &places[1], &offset);
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
        lose(job, MMD_LOSS_APPROXIMATED, "joint.offset", "nodeB", "two frames", "one");
}

/* ------------------------------------------------------------ constraints */

static bool is_lock(const omi_range *range)
{
    return range->bound && range->lower == 0 && range->upper == 0;
}

static bool alike(const omi_range *a, const omi_range *b)
{
    return a->soft == b->soft && a->stiffness == b->stiffness && a->damping == b->damping;
}

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

/* Locks with all that are like them, ranges one by one; where nothing is bound a range without end. */
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
            if (is_lock(&job->ranges[i]) && alike(range, &job->ranges[i]))
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

static int32_t world_node(phys_writer *writer)
{
    const mmd_transform origin = {.rotation = {0, 0, 0, 1}};
    if (writer->world < 0) {
        writer->world = phys_scene_node(writer, "world", &origin);
        gltf_put(writer->builder, phys_part(writer, writer->world, "motion"), "type", json_string("static"));
    }
    return writer->world;
}

/* Whether the two would touch if the joint did not keep them apart. */
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

static void lose_drives(const omi_job *job, const phys_said_joint *said)
{
    bool springs = job->joint->kind == MMD_JOINT_PMX_SPRING;
    for (uint32_t i = 0; i < said->drive_count; i++) {
        if (!phys_drives(&said->drives[i]))
            continue;
        lose(job, MMD_LOSS_DROPPED, springs ? "joint.spring_dropped" : "joint.drive_dropped", "stiffness",
             springs ? "springs" : "drives", "");
        return;
    }
}

static void write_seed_joint(phys_writer *writer, uint32_t number, const int32_t nodes[2])
{
    gltf_builder *builder = writer->builder;
    omi_job job = {.writer = writer, .joint = &writer->scene->joints[number]};
    mmd_transform places[2];
    phys_said_joint said;
    phys_joint_places(writer, job.joint, places);
    phys_say_joint(writer, job.joint, &said);
    bind_all(&job, &said);
    move_ranges(&job, places);
    lose_drives(&job, &said);
    int32_t node = phys_old_joint(writer, number);
    if (node < 0)
        node = gltf_add_node(builder, job.joint->name, "joint", nodes[0], &places[0]);
    json_t *object = gltf_extension(builder, gltf_node_json(builder, node), "OMI_physics_joint");
    gltf_put(builder, object, "constraints", constraints_of(&job));
    gltf_put(builder, object, "nodeA", json_integer(nodes[0]));
    gltf_put(builder, object, "nodeB", json_integer(nodes[1]));
    phys_end_joint(writer, number, node);
}

void omi_write_joint(phys_writer *writer, uint32_t number)
{
    const mmd_phys_joint *joint = &writer->scene->joints[number];
    if (!phys_begin_joint(writer, number))
        return;
    bool to_world = joint->body_a < 0 || joint->body_b < 0;
    if (joint->collide && would_touch(writer, joint))
        phys_lose(writer, MMD_LOSS_APPROXIMATED, "joint.collision", "enableCollision", "true", "false");
    if (to_world)
        phys_lose(writer, MMD_LOSS_INFO, "joint.world", "nodeB", "the world", "a static body");
    int32_t world = to_world ? world_node(writer) : -1;
    const int32_t *node_of_body = writer->builder->node_of_body;
    const int32_t nodes[2] = {joint->body_a < 0 ? world : node_of_body[joint->body_a],
                              joint->body_b < 0 ? world : node_of_body[joint->body_b]};
    if (writer->newer)
        phys_write_node_joint(writer, number, world);
    else
        write_seed_joint(writer, number, nodes);
}

/* ------------------------------------------------------------ the document */

void omi_write_root(phys_writer *writer)
{
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
