/*
 * Writes bodies of a scene as bodies of a PMX (docs/formats.md 4), the inverse of mmd_model_physscene. A PMX
 * body has one shape; its transform and its centre of mass are the shape's. A compound body that is not
 * simulated becomes one PMX body per shape, because each can stand still or follow a bone by itself. A
 * simulated one becomes a box around its shapes if they fill it, else its largest shape.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "merge.h"
#include "mmd/elementary.h"
#include "mmd/memory.h"
#include "write.h"

/* 1,000 kg/m^3 in units of 8 cm. */
static const double density = 1000.0 * 0.08 * 0.08 * 0.08;

/* Shapes fill a box if they have this share of its volume. */
static const double filled = 0.4;

/* A body while it is written. */
typedef struct body_job {
    pmx_target *target;
    const mmd_physscene *scene;
    const mmd_phys_body *body;
    uint32_t number;
} body_job;

static void body_loss(const body_job *job, mmd_loss_severity severity, const char *code, const char *field,
                      const char *source, const char *emitted)
{
    target_loss(job->target, severity, code, "body", job->number, job->body->name, field, source, emitted);
}

/* Returns whether physics moves a body. */
static bool is_simulated(const mmd_phys_body *body)
{
    return !body->disabled && (body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE);
}

/* Returns the number of shapes that are not triggers. */
static uint32_t solid_count(const mmd_physscene *scene, const mmd_phys_body *body)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < body->shape_count; i++)
        count += !scene->shapes[body->first_shape + i].trigger;
    return count;
}

/* Returns the volume of all shapes that are not triggers. */
static double volume_of(const mmd_physscene *scene, const mmd_phys_body *body)
{
    double sum = 0;
    for (uint32_t i = 0; i < body->shape_count; i++)
        if (!scene->shapes[body->first_shape + i].trigger)
            sum += target_shape_volume(scene, &scene->shapes[body->first_shape + i]);
    return sum;
}

/* ---------------------------------------------------------------- shapes */

/* Makes a ball with the body's inertia, for a body without shapes. */
static void make_empty_shape(const mmd_phys_body *body, pmx_shape *made)
{
    float inertia = (body->inertia[0] + body->inertia[1] + body->inertia[2]) / 3;
    *made = (pmx_shape){.frame = {.rotation = {0, 0, 0, 1}}, .exact = true};
    if (!body->auto_inertia && body->mass > 0)
        made->size[0] = sqrtf(2.5f * inertia / body->mass);
}

/* Chooses the shape of a simulated compound body. */
static void compound(const body_job *job, const mmd_phys_shape *largest, pmx_shape *made)
{
    pmx_shape around;
    target_shape_around(job->scene, job->body, false, &around);
    double box = 8.0 * (double)around.size[0] * (double)around.size[1] * (double)around.size[2];
    bool fills = volume_of(job->scene, job->body) >= filled * box;
    if (fills)
        *made = around;
    else
        target_shape_of(job->scene, largest, made);
    body_loss(job, MMD_LOSS_APPROXIMATED, "shape.compound", "shape", "several shapes",
              fills ? "the box around them" : "the largest");
}

static bool has_several_filters(const body_job *job, const mmd_phys_shape *largest)
{
    for (uint32_t i = 0; i < job->body->shape_count; i++) {
        const mmd_phys_shape *shape = &job->scene->shapes[job->body->first_shape + i];
        if (!shape->trigger && shape->filter != largest->filter)
            return true;
    }
    return false;
}

static const char *const shape_names[] = {"sphere", "box",  "tapered capsule", "cylinder", "convex hull",
                                          "mesh",   "plane"};
static const char *const pmx_shape_names[] = {"a sphere", "a box", "a capsule"};

/* Returns the PMX shapes for a shape of a body that is not simulated; a mesh becomes several. */
static uint32_t shapes_of(const body_job *job, const mmd_phys_shape *from, pmx_shape made[PMX_PATCHES_MAX])
{
    if (from->kind == MMD_PHYS_MESH && from->solid && !from->trigger)
        return target_patches(job->target, from, &job->body->rest, made);
    target_shape_of(job->scene, from, &made[0]);
    return 1;
}

/* Chooses the shape of a body's first PMX body. */
static void choose_shape(const body_job *job, const mmd_phys_shape *largest, pmx_shape *made)
{
    uint32_t solids = solid_count(job->scene, job->body);
    if (!largest) {
        make_empty_shape(job->body, made);
        return;
    }
    if (solids > 1 && is_simulated(job->body)) {
        compound(job, largest, made);
        if (has_several_filters(job, largest))
            body_loss(job, MMD_LOSS_APPROXIMATED, "filter.merged", "collisionFilter", "one per shape", "one");
        return;
    }
    if (solids > 1)
        body_loss(job, MMD_LOSS_INFO, "shape.compound", "shape", "several shapes", "one body per shape");
    pmx_shape shapes[PMX_PATCHES_MAX];
    bool moves = is_simulated(job->body) || job->body->disabled;
    uint32_t count = moves ? 1 : shapes_of(job, largest, shapes);
    if (moves)
        target_shape_of(job->scene, largest, &shapes[0]);
    *made = shapes[0];
    if (!made->exact)
        body_loss(job, MMD_LOSS_APPROXIMATED, "shape.approximated", "shape", shape_names[largest->kind],
                  count > 1 ? "boxes" : pmx_shape_names[made->kind]);
}

/* -------------------------------------------------------------- the body */

/* Returns PMX's physics mode. */
static uint8_t mode_of(const mmd_phys_body *body)
{
    switch (body->disabled ? MMD_PHYS_STATIC : (mmd_phys_motion)body->motion) {
    case MMD_PHYS_DYNAMIC:
        return 1;
    case MMD_PHYS_DYNAMIC_BONE:
        return 2;
    default:
        return 0;
    }
}

/*
 * Returns the bone of a body: the node's; in an extended PMX the bone of that name, of the node or its
 * nearest ancestor.
 */
static int32_t bone_of(const body_job *job)
{
    pmx_target *target = job->target;
    int32_t bone = job->body->bone;
    const mmd_model *from = target->job->model;
    if (job->body->motion == MMD_PHYS_STATIC && !job->body->disabled)
        return -1;
    const pmx_merge *merge = target->job->merge;
    if (merge && from && from->origin == MMD_ORIGIN_GLTF)
        return bone >= 0 && bone < (int32_t)merge->found_bone_count ? merge->bone_of_found[bone] : -1;
    if (!target->keeps_mesh)
        return bone < (int32_t)target->model.bone_count ? bone : -1;
    for (uint32_t steps = 0; from && bone >= 0 && bone < (int32_t)from->bone_count; steps++) {
        int32_t found = target_find_bone(target, from->bones[bone].name);
        if (found >= 0 || steps > from->bone_count)
            return found;
        bone = from->bones[bone].parent;
    }
    return -1;
}

/* Sets position and angles. */
static void set_transform(const body_job *job, const mmd_transform *frame, mmd_rigid_body *made)
{
    mmd_transform transform;
    mmd_transform_multiply(&job->body->rest, frame, &transform);
    memcpy(made->position, transform.translation, sizeof made->position);
    target_angles(transform.rotation, made->rotation);
}

/* Sets friction and restitution; reports what PMX cannot express. */
static void set_material(const body_job *job, const mmd_phys_shape *shape, mmd_rigid_body *made)
{
    mmd_phys_material material =
        shape && shape->material >= 0 ? job->scene->materials[shape->material] : mmd_default_phys_material();
    made->friction = material.dynamic_friction;
    made->restitution = material.restitution;
    if (!shape || shape->trigger || !shape->solid)
        return;
    if (material.static_friction != material.dynamic_friction)
        body_loss(job, MMD_LOSS_APPROXIMATED, "friction.single", "friction", "static and dynamic", "dynamic");
    if (material.friction_combine != MMD_COMBINE_MULTIPLY ||
        (material.restitution_combine != MMD_COMBINE_MULTIPLY && material.restitution > 0))
        body_loss(job, MMD_LOSS_DROPPED, "combine.dropped", "friction",
                  material.friction_combine == MMD_COMBINE_MAXIMUM   ? "\"maximum\""
                  : material.friction_combine == MMD_COMBINE_MINIMUM ? "\"minimum\""
                                                                     : "\"average\"",
                  "\"multiply\"");
}

static bool is_nonzero(const float v[3])
{
    return v[0] != 0 || v[1] != 0 || v[2] != 0;
}

/* Sets mass and damping; reports what PMX cannot express. */
static void set_mass(const body_job *job, const pmx_shape *shape, mmd_rigid_body *made)
{
    const mmd_phys_body *body = job->body;
    const float *transform = shape->frame.translation;
    double volume = body->auto_mass ? volume_of(job->scene, body) : 0;
    made->mass = !body->auto_mass ? body->mass : volume > 0 ? (float)(volume * density) : 1;
    made->linear_damping = body->linear_damping;
    made->angular_damping = body->angular_damping;
    if (body->motion != MMD_PHYS_STATIC &&
        (is_nonzero(body->linear_velocity) || is_nonzero(body->angular_velocity)))
        body_loss(job, MMD_LOSS_DROPPED, "velocity.dropped", "linearVelocity", "a velocity", "");
    if (!is_simulated(body))
        return;
    if (!body->auto_inertia)
        body_loss(job, MMD_LOSS_DROPPED, "inertia.dropped", "inertia", "its own", "of the shape");
    const float off[3] = {transform[0] - body->center[0], transform[1] - body->center[1],
                          transform[2] - body->center[2]};
    if (!body->auto_center && mmd_hypotf(mmd_hypotf(off[0], off[1]), off[2]) > 1e-4f)
        body_loss(job, MMD_LOSS_DROPPED, "com.dropped", "centerOfMass", "its own", "of the shape");
    if (body->gravity_factor != 1)
        body_loss(job, MMD_LOSS_DROPPED, "gravity.dropped", "gravityFactor", "its own", "1");
}

/* Reports triggers and disabled bodies. */
static void report_losses(const body_job *job)
{
    uint32_t solids = solid_count(job->scene, job->body);
    if (job->body->shape_count > solids)
        body_loss(job, MMD_LOSS_DROPPED, "trigger.dropped", "trigger", "a trigger",
                  solids ? "" : "a body that touches nothing");
    if (job->body->disabled)
        body_loss(job, MMD_LOSS_APPROXIMATED, "body.disabled", "enabled", "false",
                  "a body that touches nothing");
}

/* Returns the filter of a shape: the body's if it is that of the largest shape. */
static const pmx_filter *filter_of(const body_job *job, const mmd_phys_shape *from)
{
    const mmd_phys_shape *largest = job->target->largest[job->number];
    bool own = !from || !largest || from->filter == largest->filter;
    return own ? &job->target->body_filters[job->number] : &job->target->shape_filters[from->filter + 1];
}

/* Returns a PMX body with a shape. */
static mmd_rigid_body body_with(const body_job *job, const mmd_phys_shape *from, const pmx_shape *shape)
{
    const pmx_filter *filter = filter_of(job, from);
    bool touches = from && from->solid && !from->trigger && !job->body->disabled;
    mmd_rigid_body made = {
        .name = "",
        .name_en = "",
        .bone = bone_of(job),
        .group = filter->group,
        .mask = touches ? filter->mask : 0,
        .shape = shape->kind,
        .mode = mode_of(job->body),
    };
    memcpy(made.size, shape->size, sizeof made.size);
    set_transform(job, &shape->frame, &made);
    if (touches && filter->merged)
        body_loss(job, MMD_LOSS_APPROXIMATED, "filter.merged", "collisionFilter", "a filter",
                  "a shared group");
    return made;
}

mmd_rigid_body *target_add_body(pmx_target *target)
{
    assert(target);
    mmd_model *model = &target->model;
    if (model->body_count == target->body_room) {
        uint32_t room = target->body_room ? target->body_room * 2 : 64;
        mmd_rigid_body *bodies = target_alloc(target, room, sizeof *bodies);
        if (!bodies)
            return NULL;
        if (model->body_count)
            memcpy(bodies, model->bodies, model->body_count * sizeof *bodies);
        model->bodies = bodies;
        target->body_room = room;
    }
    return &model->bodies[model->body_count++];
}

void target_write_body(pmx_target *target, uint32_t number)
{
    assert(target);
    assert(number < target->job->scene->body_count);
    const mmd_physscene *scene = target->job->scene;
    const body_job job = {target, scene, &scene->bodies[number], number};
    const mmd_phys_shape *largest = target->largest[number];
    pmx_shape shape;
    choose_shape(&job, largest, &shape);
    mmd_rigid_body made = body_with(&job, largest, &shape);
    set_material(&job, largest, &made);
    set_mass(&job, &shape, &made);
    report_losses(&job);
    made.name = target_name(target, job.body->name, "body", number);
    mmd_rigid_body *added = target_add_body(target);
    if (!added)
        return;
    *added = made;
    target->body_of[number] = (int32_t)target->model.body_count - 1;
}

/* --------------------------------------------------------------- helpers */

static void add_part(const body_job *job, const mmd_phys_shape *from, const pmx_shape *shape)
{
    pmx_target *target = job->target;
    mmd_rigid_body made = body_with(job, from, shape);
    char name[256];
    set_material(job, from, &made);
    snprintf(name, sizeof name, PMX_HELPER "%.200s %u", job->body->name, target->model.body_count);
    made.name = target_text(target, name);
    made.name_en = "";
    mmd_rigid_body *added = target_add_body(target);
    if (added)
        *added = made;
}

/*
 * Writes the helper bodies of a body that is not simulated: all shapes that target_write_body did not write.
 */
void target_write_parts(pmx_target *target, uint32_t number)
{
    assert(target);
    assert(number < target->job->scene->body_count);
    const mmd_physscene *scene = target->job->scene;
    const body_job job = {target, scene, &scene->bodies[number], number};
    if (is_simulated(job.body) || job.body->disabled)
        return;
    for (uint32_t i = 0; i < job.body->shape_count && !target->failed; i++) {
        const mmd_phys_shape *from = &scene->shapes[job.body->first_shape + i];
        bool largest = from == target->largest[number];
        pmx_shape shapes[PMX_PATCHES_MAX];
        if (from->trigger)
            continue;
        uint32_t count = shapes_of(&job, from, shapes);
        if (!largest && !shapes[0].exact)
            body_loss(&job, MMD_LOSS_APPROXIMATED, "shape.approximated", "shape", shape_names[from->kind],
                      count > 1 ? "boxes" : pmx_shape_names[shapes[0].kind]);
        for (uint32_t k = largest; k < count && !target->failed; k++)
            add_part(&job, from, &shapes[k]);
        target->patch_count += count;
    }
}

int32_t target_anchor(pmx_target *target)
{
    assert(target);
    if (target->anchor >= 0)
        return target->anchor;
    mmd_rigid_body *added = target_add_body(target);
    if (!added)
        return -1;
    *added = (mmd_rigid_body){.name = PMX_HELPER "world", .name_en = "", .bone = -1, .size = {0.1f, 0, 0}};
    target->anchor = (int32_t)target->model.body_count - 1;
    return target->anchor;
}

/* --------------------------------------------------------- groups and masks */

/*
 * Filters of a scene as PMX's 16 groups and masks (docs/formats.md 4).
 *
 * Filters that are PMX groups, or were ("mmd.group.3"), become those again. Otherwise bodies are divided into
 * classes. Each filter is a class, whose mask is the result of the collision test against all others. A body
 * that joints separate from others forms a class with the bodies that are separated from the same ones,
 * because a PMX joint itself cannot disable collisions. Classes with equal rows in the collision table share
 * a group. If there are more than 16, a class joins the group with the most similar row, and a pair then
 * collides only if all its members would: what must not touch does not.
 */

enum { GROUPS = 16, CLASSES_MAX = 256 };

/* Bodies of one filter that joints separate from the same bodies. */
typedef struct filter_class {
    int32_t filter;
    int32_t body; /* one of them; -1: not separated from any */
} filter_class;

/* State while classes are assigned to groups. */
typedef struct group_solver {
    pmx_target *target;
    const mmd_physscene *scene;
    uint32_t count;
    filter_class classes[CLASSES_MAX];
    uint8_t collide[CLASSES_MAX][CLASSES_MAX];
    uint8_t joined[CLASSES_MAX]; /* the class whose group it shares */
    bool merged[CLASSES_MAX];
    uint8_t group[CLASSES_MAX];
    uint32_t pair_count; /* pairs of separated bodies, in both directions, sorted */
    uint32_t (*pairs)[2];
    uint32_t *first_pair;    /* per body, start of its pairs; and the end */
    uint16_t *class_of_body; /* CLASSES_MAX: none */
    uint16_t *class_of_filter;
} group_solver;

/* ---------------------------------------------------------- PMX's groups */

/* Parses "mmd.group.<g>". */
static bool group_number(const char *name, unsigned *group)
{
    char end;
    return sscanf(name, "mmd.group.%2u%c", group, &end) == 1 && *group < GROUPS;
}

/* Converts a filter that is, or was, a PMX group. Returns false for others. */
static bool filter_group(const mmd_physscene *scene, int32_t number, pmx_filter *made)
{
    if (number < 0)
        return false;
    const mmd_phys_filter *filter = &scene->filters[number];
    unsigned group = filter->group;
    *made = (pmx_filter){.group = filter->group, .mask = filter->mask};
    if (!filter->named)
        return true;
    if (filter->system_count != 1 || !filter->has_collide_with || filter->not_collide_count ||
        !group_number(scene->system_names[filter->systems[0]], &group))
        return false;
    made->group = (uint8_t)group;
    made->mask = 0;
    for (uint32_t i = 0; i < filter->collide_count; i++) {
        const char *name = scene->system_names[filter->collide_with[i]];
        if (group_number(name, &group))
            made->mask |= (uint16_t)(1u << group);
        else if (strcmp(name, "mmd.none") != 0)
            return false;
    }
    return true;
}

/* Returns whether a shape takes part in collisions. */
static bool can_touch(const mmd_phys_shape *shape)
{
    return shape->solid && !shape->trigger;
}

/* Uses the PMX groups if all colliding shapes have one. Returns whether they do. */
static bool use_pmx_groups(pmx_target *target)
{
    const mmd_physscene *scene = target->job->scene;
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        const mmd_phys_shape *shape = &scene->shapes[i];
        if (can_touch(shape) &&
            !filter_group(scene, shape->filter, &target->shape_filters[shape->filter + 1]))
            return false;
    }
    return true;
}

/* Gives new filters beside those of a kept PMX a group that none of its bodies has, and a mask for all. */
static void use_free_group(pmx_target *target)
{
    const mmd_physscene *scene = target->job->scene;
    uint32_t used = 0;
    uint8_t group = 0;
    for (uint32_t i = 0; i < target->kept->body_count; i++)
        used |= 1u << target->kept->bodies[i].group;
    while (group < GROUPS - 1 && used >> group & 1)
        group++;
    for (int32_t i = -1; i < (int32_t)scene->filter_count; i++)
        if (!filter_group(scene, i, &target->shape_filters[i + 1]))
            target->shape_filters[i + 1] = (pmx_filter){.group = group, .mask = 0xffff, .merged = i >= 0};
}

/* ------------------------------------------------------- separated pairs */

static bool simulated(const mmd_phys_body *body)
{
    return body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE;
}

/* Returns whether a joint separates two bodies that would collide otherwise. */
static bool separates(const pmx_target *target, const mmd_phys_joint *joint)
{
    const mmd_physscene *scene = target->job->scene;
    if (joint->collide || joint->disabled || joint->body_a < 0 || joint->body_b < 0)
        return false;
    const mmd_phys_body *a = &scene->bodies[joint->body_a], *b = &scene->bodies[joint->body_b];
    const mmd_phys_shape *of_a = target->largest[joint->body_a], *of_b = target->largest[joint->body_b];
    return of_a && of_b && (simulated(a) || simulated(b)) && can_touch(of_a) && can_touch(of_b) &&
           mmd_physscene_collides(scene, of_a->filter, of_b->filter);
}

static int compare_pairs(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Lists all pairs of separated bodies, sorted and unique. */
static void find_pairs(group_solver *s)
{
    const mmd_physscene *scene = s->scene;
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        const mmd_phys_joint *joint = &scene->joints[i];
        if (!separates(s->target, joint))
            continue;
        uint32_t a = (uint32_t)joint->body_a, b = (uint32_t)joint->body_b;
        memcpy(s->pairs[s->pair_count++], (uint32_t[2]){a, b}, sizeof s->pairs[0]);
        memcpy(s->pairs[s->pair_count++], (uint32_t[2]){b, a}, sizeof s->pairs[0]);
    }
    qsort(s->pairs, s->pair_count, sizeof s->pairs[0], compare_pairs);
    uint32_t unique = 0;
    for (uint32_t i = 0; i < s->pair_count; i++)
        if (!unique || compare_pairs(s->pairs[i], s->pairs[unique - 1]) != 0)
            memmove(s->pairs[unique++], s->pairs[i], sizeof s->pairs[0]);
    s->pair_count = unique;
    for (uint32_t body = 0, at = 0; body <= scene->body_count; body++) {
        while (at < unique && s->pairs[at][0] < body)
            at++;
        s->first_pair[body] = at;
    }
}

/* Returns whether two bodies are separated from the same bodies. */
static bool same_pairs(const group_solver *s, uint32_t a, uint32_t b)
{
    uint32_t count = s->first_pair[a + 1] - s->first_pair[a];
    if (s->first_pair[b + 1] - s->first_pair[b] != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (s->pairs[s->first_pair[a] + i][1] != s->pairs[s->first_pair[b] + i][1])
            return false;
    return true;
}

/* Returns whether two bodies are separated. */
static bool are_separated(const group_solver *s, int32_t a, int32_t b)
{
    if (a < 0 || b < 0)
        return false;
    for (uint32_t i = s->first_pair[a]; i < s->first_pair[a + 1]; i++)
        if (s->pairs[i][1] == (uint32_t)b)
            return true;
    return false;
}

/* --------------------------------------------------------------- classes */

/* Adds a class; CLASSES_MAX: too many. */
static uint16_t add_class(group_solver *s, int32_t filter, int32_t body)
{
    if (s->count == CLASSES_MAX)
        return CLASSES_MAX;
    s->classes[s->count] = (filter_class){filter, body};
    return (uint16_t)s->count++;
}

/* Makes the class of a shape's filter. */
static void classify_filter(group_solver *s, const mmd_phys_shape *shape)
{
    uint16_t *number = &s->class_of_filter[shape->filter + 1];
    if (can_touch(shape) && *number == CLASSES_MAX)
        *number = add_class(s, shape->filter, -1);
}

/*
 * Makes the classes of filters: of bodies that are not separated, and of the smaller parts of those that are.
 */
static void classify_filters(group_solver *s)
{
    const mmd_physscene *scene = s->scene;
    for (uint32_t i = 0; i <= scene->filter_count; i++)
        s->class_of_filter[i] = CLASSES_MAX;
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const mmd_phys_body *body = &scene->bodies[i];
        const mmd_phys_shape *largest = s->target->largest[i];
        bool free = s->first_pair[i] == s->first_pair[i + 1];
        for (uint32_t k = 0; k < body->shape_count; k++) {
            const mmd_phys_shape *shape = &scene->shapes[body->first_shape + k];
            if (free || shape->filter != largest->filter)
                classify_filter(s, shape);
        }
    }
}

/* Returns the class of bodies that are separated from the same ones. */
static uint16_t find_separated_class(group_solver *s, uint32_t body, int32_t filter)
{
    for (uint16_t i = 0; i < s->count; i++)
        if (s->classes[i].body >= 0 && s->classes[i].filter == filter &&
            same_pairs(s, (uint32_t)s->classes[i].body, body))
            return i;
    return add_class(s, filter, (int32_t)body);
}

/* Assigns each body its class. */
static void classify_bodies(group_solver *s)
{
    for (uint32_t i = 0; i < s->scene->body_count; i++) {
        const mmd_phys_shape *shape = s->target->largest[i];
        s->class_of_body[i] = shape && can_touch(shape) ? s->class_of_filter[shape->filter + 1] : CLASSES_MAX;
        if (shape && s->first_pair[i] < s->first_pair[i + 1]) {
            uint16_t apart = find_separated_class(s, i, shape->filter);
            s->class_of_body[i] = apart < CLASSES_MAX ? apart : s->class_of_body[i];
        }
    }
}

/* Fills the table of which classes collide. */
static void fill_table(group_solver *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; k <= i; k++) {
            const filter_class *a = &s->classes[i], *b = &s->classes[k];
            bool collide =
                mmd_physscene_collides(s->scene, a->filter, b->filter) && !are_separated(s, a->body, b->body);
            s->collide[i][k] = s->collide[k][i] = collide;
        }
}

/* ---------------------------------------------------------------- groups */

/* Returns in how many entries the rows of two classes differ. */
static uint32_t difference(const group_solver *s, uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < s->count; i++)
        sum += s->collide[a][i] != s->collide[b][i];
    return sum;
}

/* Merges a class into another: a pair collides only if both did. */
static void merge_class(group_solver *s, uint32_t class, uint32_t to)
{
    s->joined[class] = (uint8_t)to;
    for (uint32_t i = 0; i < s->count; i++)
        s->collide[to][i] = s->collide[i][to] = s->collide[to][i] && s->collide[class][i];
    s->collide[to][to] = s->collide[to][to] && s->collide[class][to];
}

/* Assigns classes to the 16 groups. */
static void make_groups(group_solver *s)
{
    uint32_t groups = 0, leaders[GROUPS];
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t best = UINT32_MAX, nearest = 0;
        for (uint32_t k = 0; k < groups && best > 0; k++) {
            uint32_t found = difference(s, i, leaders[k]);
            if (found < best) {
                best = found;
                nearest = leaders[k];
            }
        }
        s->joined[i] = (uint8_t)i;
        if (best == 0) {
            s->joined[i] = (uint8_t)nearest;
        } else if (groups < GROUPS) {
            s->group[i] = (uint8_t)groups;
            leaders[groups++] = i;
        } else {
            s->merged[i] = s->merged[nearest] = true;
            merge_class(s, i, nearest);
        }
    }
}

/* Returns group and mask of a class. Bits of unused groups are set, so that bodies added later collide. */
static pmx_filter filter_of_class(const group_solver *s, uint16_t class)
{
    if (class >= CLASSES_MAX)
        return (pmx_filter){.group = 0, .mask = 0xffff, .merged = s->count == CLASSES_MAX};
    uint8_t leader = s->joined[class];
    pmx_filter made = {.group = s->group[leader], .mask = 0xffff, .merged = s->merged[class]};
    for (uint32_t i = 0; i < s->count; i++)
        if (s->joined[i] == i && !s->collide[leader][i])
            made.mask &= (uint16_t) ~(1u << s->group[i]);
    return made;
}

/* Runs all steps and stores the result. */
static void solve_groups(group_solver *s)
{
    find_pairs(s);
    classify_filters(s);
    classify_bodies(s);
    fill_table(s);
    make_groups(s);
    for (uint32_t i = 0; i <= s->scene->filter_count; i++)
        s->target->shape_filters[i] = filter_of_class(s, s->class_of_filter[i]);
    for (uint32_t i = 0; i < s->scene->body_count; i++)
        s->target->body_filters[i] = filter_of_class(s, s->class_of_body[i]);
}

static void solve_scene(pmx_target *target)
{
    const mmd_physscene *scene = target->job->scene;
    group_solver *s = target_alloc(target, 1, sizeof *s);
    if (!s)
        return;
    s->target = target;
    s->scene = scene;
    s->pairs = target_alloc(target, (size_t)scene->joint_count * 2, sizeof *s->pairs);
    s->first_pair = target_alloc(target, (size_t)scene->body_count + 2, sizeof *s->first_pair);
    s->class_of_body = target_alloc(target, scene->body_count, sizeof *s->class_of_body);
    s->class_of_filter = target_alloc(target, (size_t)scene->filter_count + 1, sizeof *s->class_of_filter);
    if (!target->failed)
        solve_groups(s);
}

void target_choose_filters(pmx_target *target)
{
    assert(target);
    const mmd_physscene *scene = target->job->scene;
    target->body_filters = target_alloc(target, scene->body_count, sizeof *target->body_filters);
    target->shape_filters =
        target_alloc(target, (size_t)scene->filter_count + 1, sizeof *target->shape_filters);
    if (target->failed)
        return;
    if (target->kept)
        use_free_group(target);
    else if (!use_pmx_groups(target)) {
        solve_scene(target);
        return;
    }
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const mmd_phys_shape *shape = target->largest[i];
        target->body_filters[i] =
            shape ? target->shape_filters[shape->filter + 1] : (pmx_filter){.mask = 0xffff};
    }
}
