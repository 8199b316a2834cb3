/*
 * A scene's body as one of a PMX (FORMATS.md 4): the inverse of
 * mmd_model_physscene. A PMX body is one shape, and its place is the shape's,
 * where its mass lies, too. The bodies of a compound that is not simulated are
 * one PMX body a shape, since those stand or follow a bone each by itself; one
 * that is simulated becomes a box around its shapes if they fill it, else its
 * largest shape.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "merge.h"
#include "write.h"

/* 1,000 kg/m^3 in units of 8 cm. */
static const double density = 1000.0 * 0.08 * 0.08 * 0.08;

/* A box is filled by shapes that are this share of it. */
static const double filled = 0.4;

typedef struct body_job {
    pmx_target *target;
    const mmd_physscene *scene;
    const mmd_phys_body *body;
    uint32_t number;
} body_job;

static void lose(const body_job *job, mmd_loss_severity severity, const char *code, const char *field,
                 const char *source, const char *emitted)
{
    target_loss(job->target, severity, code, "body", job->number, job->body->name, field, source, emitted);
}

static bool is_simulated(const mmd_phys_body *body)
{
    return !body->disabled && (body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE);
}

static uint32_t solid_count(const mmd_physscene *scene, const mmd_phys_body *body)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < body->shape_count; i++)
        count += !scene->shapes[body->first_shape + i].trigger;
    return count;
}

static double volume_of(const mmd_physscene *scene, const mmd_phys_body *body)
{
    double sum = 0;
    for (uint32_t i = 0; i < body->shape_count; i++)
        if (!scene->shapes[body->first_shape + i].trigger)
            sum += target_shape_volume(scene, &scene->shapes[body->first_shape + i]);
    return sum;
}

/* ---------------------------------------------------------------- shapes */

/* A ball that touches nothing and is as hard to turn as the body. */
static void shape_of_nothing(const mmd_phys_body *body, pmx_shape *made)
{
    float inertia = (body->inertia[0] + body->inertia[1] + body->inertia[2]) / 3;
    *made = (pmx_shape){.frame = {.rotation = {0, 0, 0, 1}}, .exact = true};
    if (!body->auto_inertia && body->mass > 0)
        made->size[0] = sqrtf(2.5f * inertia / body->mass);
}

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
    lose(job, MMD_LOSS_APPROXIMATED, "shape.compound", "shape", "several shapes",
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

/* What a shape of a body that is not simulated becomes: of a mesh, more than one. */
static uint32_t shapes_of(const body_job *job, const mmd_phys_shape *from, pmx_shape made[PMX_PATCHES_MAX])
{
    if (from->kind == MMD_PHYS_MESH && from->solid && !from->trigger)
        return target_patches(job->target, from, &job->body->rest, made);
    target_shape_of(job->scene, from, &made[0]);
    return 1;
}

static void choose_shape(const body_job *job, const mmd_phys_shape *largest, pmx_shape *made)
{
    uint32_t solids = solid_count(job->scene, job->body);
    if (!largest) {
        shape_of_nothing(job->body, made);
        return;
    }
    if (solids > 1 && is_simulated(job->body)) {
        compound(job, largest, made);
        if (has_several_filters(job, largest))
            lose(job, MMD_LOSS_APPROXIMATED, "filter.merged", "collisionFilter", "one a shape", "one");
        return;
    }
    if (solids > 1)
        lose(job, MMD_LOSS_INFO, "shape.compound", "shape", "several shapes", "a body each");
    pmx_shape shapes[PMX_PATCHES_MAX];
    bool moves = is_simulated(job->body) || job->body->disabled;
    uint32_t count = moves ? 1 : shapes_of(job, largest, shapes);
    if (moves)
        target_shape_of(job->scene, largest, &shapes[0]);
    *made = shapes[0];
    if (!made->exact)
        lose(job, MMD_LOSS_APPROXIMATED, "shape.approximated", "shape", shape_names[largest->kind],
             count > 1 ? "boxes" : pmx_shape_names[made->kind]);
}

/* -------------------------------------------------------------- the body */

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

/* A node's bone; of a PMX that goes on, the bone of that name, of the node or the next above it. */
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
    if (!target->holds_mesh)
        return bone < (int32_t)target->model.bone_count ? bone : -1;
    for (uint32_t steps = 0; from && bone >= 0 && bone < (int32_t)from->bone_count; steps++) {
        int32_t found = target_find_bone(target, from->bones[bone].name);
        if (found >= 0 || steps > from->bone_count)
            return found;
        bone = from->bones[bone].parent;
    }
    return -1;
}

static void set_place(const body_job *job, const mmd_transform *frame, mmd_rigid_body *made)
{
    mmd_transform place;
    mmd_transform_multiply(&job->body->rest, frame, &place);
    memcpy(made->position, place.translation, sizeof made->position);
    target_angles(place.rotation, made->rotation);
}

static void set_material(const body_job *job, const mmd_phys_shape *shape, mmd_rigid_body *made)
{
    mmd_phys_material material =
        shape && shape->material >= 0 ? job->scene->materials[shape->material] : mmd_default_phys_material();
    made->friction = material.dynamic_friction;
    made->restitution = material.restitution;
    if (!shape || shape->trigger || !shape->solid)
        return;
    if (material.static_friction != material.dynamic_friction)
        lose(job, MMD_LOSS_APPROXIMATED, "friction.single", "friction", "static and dynamic", "dynamic");
    if (material.friction_combine != MMD_COMBINE_MULTIPLY ||
        (material.restitution_combine != MMD_COMBINE_MULTIPLY && material.restitution > 0))
        lose(job, MMD_LOSS_DROPPED, "combine.dropped", "friction",
             material.friction_combine == MMD_COMBINE_MAXIMUM   ? "\"maximum\""
             : material.friction_combine == MMD_COMBINE_MINIMUM ? "\"minimum\""
                                                                : "\"average\"",
             "\"multiply\"");
}

static bool any(const float v[3])
{
    return v[0] != 0 || v[1] != 0 || v[2] != 0;
}

static void set_mass(const body_job *job, const pmx_shape *shape, mmd_rigid_body *made)
{
    const mmd_phys_body *body = job->body;
    const float *place = shape->frame.translation;
    double volume = body->auto_mass ? volume_of(job->scene, body) : 0;
    made->mass = !body->auto_mass ? body->mass : volume > 0 ? (float)(volume * density) : 1;
    made->linear_damping = body->linear_damping;
    made->angular_damping = body->angular_damping;
    if (body->motion != MMD_PHYS_STATIC && (any(body->linear_velocity) || any(body->angular_velocity)))
        lose(job, MMD_LOSS_DROPPED, "velocity.dropped", "linearVelocity", "a velocity", "");
    if (!is_simulated(body))
        return;
    if (!body->auto_inertia)
        lose(job, MMD_LOSS_DROPPED, "inertia.dropped", "inertia", "its own", "of the shape");
    const float off[3] = {place[0] - body->center[0], place[1] - body->center[1], place[2] - body->center[2]};
    if (!body->auto_center && hypotf(hypotf(off[0], off[1]), off[2]) > 1e-4f)
        lose(job, MMD_LOSS_DROPPED, "com.dropped", "centerOfMass", "its own", "of the shape");
    if (body->gravity_factor != 1)
        lose(job, MMD_LOSS_DROPPED, "gravity.dropped", "gravityFactor", "its own", "1");
}

static void tell_rest(const body_job *job)
{
    uint32_t solids = solid_count(job->scene, job->body);
    if (job->body->shape_count > solids)
        lose(job, MMD_LOSS_DROPPED, "trigger.dropped", "trigger", "a trigger",
             solids ? "" : "a body that touches nothing");
    if (job->body->disabled)
        lose(job, MMD_LOSS_APPROXIMATED, "body.disabled", "enabled", "false", "a body that touches nothing");
}

/* The body's own, where the shape has the filter that the body was sorted by. */
static const pmx_filter *filter_of(const body_job *job, const mmd_phys_shape *from)
{
    const mmd_phys_shape *largest = job->target->largest[job->number];
    bool own = !from || !largest || from->filter == largest->filter;
    return own ? &job->target->body_filters[job->number] : &job->target->shape_filters[from->filter + 1];
}

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
    set_place(job, &shape->frame, &made);
    if (touches && filter->merged)
        lose(job, MMD_LOSS_APPROXIMATED, "filter.merged", "collisionFilter", "a filter",
             "a group with others");
    return made;
}

mmd_rigid_body *target_add_body(pmx_target *target)
{
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
    const mmd_physscene *scene = target->job->scene;
    const body_job job = {target, scene, &scene->bodies[number], number};
    const mmd_phys_shape *largest = target->largest[number];
    pmx_shape shape;
    choose_shape(&job, largest, &shape);
    mmd_rigid_body made = body_with(&job, largest, &shape);
    set_material(&job, largest, &made);
    set_mass(&job, &shape, &made);
    tell_rest(&job);
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

/* All that a body which is not simulated is made of but what target_write_body wrote. */
void target_write_parts(pmx_target *target, uint32_t number)
{
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
            lose(&job, MMD_LOSS_APPROXIMATED, "shape.approximated", "shape", shape_names[from->kind],
                 count > 1 ? "boxes" : pmx_shape_names[shapes[0].kind]);
        for (uint32_t k = largest; k < count && !target->failed; k++)
            add_part(&job, from, &shapes[k]);
        target->patch_count += count;
    }
}

int32_t target_anchor(pmx_target *target)
{
    if (target->anchor >= 0)
        return target->anchor;
    mmd_rigid_body *added = target_add_body(target);
    if (!added)
        return -1;
    *added = (mmd_rigid_body){.name = PMX_HELPER "world", .name_en = "", .bone = -1, .size = {0.1f, 0, 0}};
    target->anchor = (int32_t)target->model.body_count - 1;
    return target->anchor;
}
