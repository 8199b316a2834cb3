/*
 * A source's scene with what was edited since in another format (keep.h).
 *
 * The tables that items point to (shapes, meshes, materials, filters, limits,
 * drives) are the source's, and behind them those of the edited scene where it
 * is needed at all: a scene of which nothing was edited comes out with the
 * same numbers in the same places.
 *
 * An edited item is the edited format's, but numbers that it says as exactly as
 * it can say the source's are the source's, and so is what it has no word for.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "keep.h"
#include "ragdoll_writer.h"

static const char *copy_text(restore_job *job, const char *text)
{
    const char *copy = *text ? mmd_arena_text(&job->scene->arena, text, strlen(text)) : "";
    return copy ? copy : "";
}

static void *copy_items(restore_job *job, const void *items, size_t count, size_t size)
{
    void *copy = mmd_arena_alloc(&job->scene->arena, count, size);
    if (copy && count)
        memcpy(copy, items, count * size);
    return copy;
}

/* Both lists, one behind the other; the second one only where it is used. */
static void *join(restore_job *job, const void *first, uint32_t first_count, const void *second,
                  uint32_t second_count, size_t size)
{
    char *both = mmd_arena_alloc(&job->scene->arena, first_count + (size_t)second_count, size);
    if (both && first_count)
        memcpy(both, first, first_count * size);
    if (both && second_count)
        memcpy(both + first_count * size, second, second_count * size);
    return both;
}

/* ---------------------------------------------------------------- places */

static bool usable(const restore_job *job, uint32_t joint)
{
    const mmd_phys_joint *from = &job->source->joints[joint];
    return (from->body_a < 0 || job->body_place[from->body_a] != UINT32_MAX) &&
           (from->body_b < 0 || job->body_place[from->body_b] != UINT32_MAX);
}

static bool joint_held(const restore_job *job, uint32_t joint)
{
    return keep_joint_held(job->kept, job->found, joint) && usable(job, joint);
}

static bool allocate_places(restore_job *job)
{
    mmd_arena *arena = &job->scene->arena;
    uint32_t bodies = job->source->body_count, joints = job->source->joint_count;
    job->body_place = mmd_arena_alloc(arena, bodies, sizeof *job->body_place);
    job->joint_place = mmd_arena_alloc(arena, joints, sizeof *job->joint_place);
    job->body_of = mmd_arena_alloc(arena, job->found->body_count, sizeof *job->body_of);
    job->joint_of = mmd_arena_alloc(arena, job->found->joint_count, sizeof *job->joint_of);
    job->body_from = mmd_arena_alloc(arena, bodies + (size_t)job->found->body_count, sizeof *job->body_from);
    job->joint_from =
        mmd_arena_alloc(arena, joints + (size_t)job->found->joint_count, sizeof *job->joint_from);
    return job->body_place && job->joint_place && job->body_of && job->joint_of && job->body_from &&
           job->joint_from;
}

/* What the writer made besides says nothing of the source: it is left out. */
enum { PLACE_NONE = -1, PLACE_LEFT_OUT = -2 };

static void leave_out(const int32_t *made, uint32_t count, int32_t *of)
{
    for (uint32_t i = 0; i < count; i++)
        if (made[i] >= 0)
            of[made[i]] = PLACE_LEFT_OUT;
}

/* Where items go: of: by found's number, place: by the source's, from: by the scene's. Gives how many. */
static uint32_t place_items(const int32_t *items, const uint64_t *stamps, uint32_t count,
                            uint32_t found_count, uint32_t *place, int32_t *of, int32_t *from)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        place[i] = UINT32_MAX;
        if (items[i] < 0 && stamps[i])
            continue; /* somebody took it away */
        place[i] = used;
        from[used] = (int32_t)i;
        if (items[i] >= 0)
            of[items[i]] = (int32_t)used;
        used++;
    }
    for (uint32_t i = 0; i < found_count; i++)
        if (of[i] == PLACE_NONE) {
            from[used] = -1;
            of[i] = (int32_t)used++;
        }
    return used;
}

/* Joints that the format never said, of a body that is gone, go with it: as if somebody took them away. */
static bool place_all(restore_job *job)
{
    const mmd_exchange_kept *kept = job->kept;
    if (!allocate_places(job))
        return false;
    for (uint32_t i = 0; i < job->found->body_count; i++)
        job->body_of[i] = PLACE_NONE;
    for (uint32_t i = 0; i < job->found->joint_count; i++)
        job->joint_of[i] = PLACE_NONE;
    leave_out(kept->made_bodies, kept->made_body_count, job->body_of);
    leave_out(kept->made_joints, kept->made_joint_count, job->joint_of);
    job->scene->body_count =
        place_items(kept->bodies, kept->body_stamps, job->source->body_count, job->found->body_count,
                    job->body_place, job->body_of, job->body_from);
    uint64_t *stamps = copy_items(job, kept->joint_stamps, job->source->joint_count, sizeof *stamps);
    for (uint32_t i = 0; stamps && i < job->source->joint_count; i++)
        if (kept->joints[i] < 0 && !usable(job, i))
            stamps[i] = 1;
    if (stamps)
        job->scene->joint_count =
            place_items(kept->joints, stamps, job->source->joint_count, job->found->joint_count,
                        job->joint_place, job->joint_of, job->joint_from);
    return stamps != NULL;
}

/* Whether anything of the edited scene is in the new one. */
static bool uses_found(const restore_job *job)
{
    for (uint32_t i = 0; i < job->scene->body_count; i++)
        if (job->body_from[i] < 0 || (job->kept->bodies[job->body_from[i]] >= 0 &&
                                      !keep_body_held(job->kept, job->found, (uint32_t)job->body_from[i])))
            return true;
    for (uint32_t i = 0; i < job->scene->joint_count; i++)
        if (job->joint_from[i] < 0 ||
            (job->kept->joints[job->joint_from[i]] >= 0 && !joint_held(job, (uint32_t)job->joint_from[i])))
            return true;
    return stamp_world(job->found) != job->kept->world_stamp;
}

/* --------------------------------------------------------------- filters */

/* The number of "mmd.group.<g>"; -1: another name. */
static int group_number(const char *name)
{
    unsigned group = 16;
    char end;
    return sscanf(name, "mmd.group.%2u%c", &group, &end) == 1 && group < 16 ? (int)group : -1;
}

/* Names that were groups of a PMX become groups again (FORMATS.md 4). */
static bool as_groups(const restore_job *job, const mmd_phys_filter *filter, mmd_phys_filter *made)
{
    const char **names = job->found->system_names;
    int group = filter->named && filter->system_count == 1 ? group_number(names[filter->systems[0]]) : -1;
    if (group < 0 || filter->not_collide_count)
        return false;
    *made = (mmd_phys_filter){.group = (uint8_t)group, .mask = filter->has_collide_with ? 0 : 0xFFFF};
    for (uint32_t i = 0; i < filter->collide_count; i++) {
        const char *name = names[filter->collide_with[i]];
        int other = group_number(name);
        if (other < 0 && strcmp(name, "mmd.none") != 0)
            return false;
        made->mask = (uint16_t)(made->mask | (other >= 0 ? 1U << other : 0));
    }
    return true;
}

static const uint32_t *copy_systems(restore_job *job, const uint32_t *systems, uint32_t count,
                                    const uint32_t *map)
{
    uint32_t *copy = copy_items(job, systems, count, sizeof *copy);
    for (uint32_t i = 0; copy && map && i < count; i++)
        copy[i] = map[copy[i]];
    return copy;
}

static bool has_groups(const mmd_physscene *scene)
{
    return scene->filter_count > 0 && !scene->filters[0].named;
}

/* map: of found's systems, their numbers in the scene; NULL: of the source's own, which keep theirs. */
static bool copy_filters(restore_job *job, mmd_phys_filter *filters, uint32_t count, const uint32_t *map)
{
    bool groups = map && has_groups(job->source);
    for (uint32_t i = 0; i < count; i++) {
        mmd_phys_filter *filter = &filters[i], made;
        if (groups && as_groups(job, filter, &made)) {
            *filter = made;
            continue;
        }
        filter->systems = copy_systems(job, filter->systems, filter->system_count, map);
        filter->collide_with = copy_systems(job, filter->collide_with, filter->collide_count, map);
        filter->not_collide_with =
            copy_systems(job, filter->not_collide_with, filter->not_collide_count, map);
        if (!filter->systems || !filter->collide_with || !filter->not_collide_with)
            return false;
    }
    return true;
}

/* Systems of the same name are one. */
static uint32_t *join_systems(restore_job *job, bool both)
{
    mmd_physscene *scene = job->scene;
    const mmd_physscene *source = job->source, *found = job->found;
    uint32_t *map = mmd_arena_alloc(&scene->arena, found->system_count, sizeof *map);
    scene->system_names = mmd_arena_alloc(&scene->arena, source->system_count + (size_t)found->system_count,
                                          sizeof *scene->system_names);
    if (!map || !scene->system_names)
        return NULL;
    for (uint32_t i = 0; i < source->system_count; i++)
        scene->system_names[scene->system_count++] = copy_text(job, source->system_names[i]);
    for (uint32_t i = 0; both && i < found->system_count; i++) {
        uint32_t at = 0;
        while (at < scene->system_count && strcmp(scene->system_names[at], found->system_names[i]) != 0)
            at++;
        map[i] = at;
        if (at == scene->system_count)
            scene->system_names[scene->system_count++] = copy_text(job, found->system_names[i]);
    }
    return map;
}

/* ---------------------------------------------------------------- tables */

static bool copy_meshes(restore_job *job)
{
    for (uint32_t i = 0; i < job->scene->mesh_count; i++) {
        mmd_phys_mesh *mesh = &job->scene->meshes[i];
        mesh->points = copy_items(job, mesh->points, mesh->point_count, sizeof mesh->points[0]);
        mesh->indices = copy_items(job, mesh->indices, mesh->index_count, sizeof mesh->indices[0]);
        if (!mesh->points || !mesh->indices)
            return false;
    }
    return true;
}

static void move_index(int32_t *index, uint32_t by)
{
    *index = *index < 0 ? *index : *index + (int32_t)by;
}

/* Shapes of found, behind the source's, point behind the source's. */
static void copy_shapes(restore_job *job)
{
    const mmd_physscene *source = job->source;
    for (uint32_t i = 0; i < job->scene->shape_count; i++) {
        mmd_phys_shape *shape = &job->scene->shapes[i];
        shape->name = copy_text(job, shape->name);
        shape->path = copy_text(job, shape->path);
        if (i < source->shape_count)
            continue;
        move_index(&shape->mesh, source->mesh_count);
        move_index(&shape->material, source->material_count);
        move_index(&shape->filter, source->filter_count);
    }
}

#define JOIN(job, list, counter)                                                                             \
    ((job)->scene->counter = (job)->source->counter + (both ? (job)->found->counter : 0),                    \
     ((job)->scene->list = join((job), (job)->source->list, (job)->source->counter, (job)->found->list,      \
                                both ? (job)->found->counter : 0, sizeof *(job)->scene->list)) != NULL)

static bool join_tables(restore_job *job, bool both)
{
    mmd_physscene *scene = job->scene;
    uint32_t *map = join_systems(job, both);
    bool done = map && JOIN(job, shapes, shape_count) && JOIN(job, meshes, mesh_count) &&
                JOIN(job, materials, material_count) && JOIN(job, filters, filter_count) &&
                JOIN(job, limits, limit_count) && JOIN(job, drives, drive_count);
    if (!done)
        return false;
    copy_shapes(job);
    for (uint32_t i = 0; i < scene->material_count; i++)
        scene->materials[i].name = copy_text(job, scene->materials[i].name);
    uint32_t own = job->source->filter_count;
    return copy_meshes(job) && copy_filters(job, scene->filters, own, NULL) &&
           copy_filters(job, scene->filters + own, scene->filter_count - own, map);
}

/* ---------------------------------------------------------------- edited */

/* As near as going to another format's units and back leaves a number. */
static void snap(float *values, const float *source, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fabsf(values[i] - source[i]) > 4e-6F * (1 + fabsf(source[i])))
            return;
    memcpy(values, source, count * sizeof *values);
}

static void snap_turn(float values[4], const float source[4])
{
    float away = 0;
    for (int i = 0; i < 4; i++)
        away += values[i] * source[i];
    if (fabsf(away) > 1 - 1e-6F)
        memcpy(values, source, 4 * sizeof *values);
}

static void snap_place(mmd_transform *place, const mmd_transform *source)
{
    snap(place->translation, source->translation, 3);
    snap_turn(place->rotation, source->rotation);
}

/* A Ragdoll says neither groups nor how materials meet. */
static void mend_ragdoll_shape(const restore_job *job, mmd_phys_shape *shape, const mmd_phys_shape *source)
{
    if (shape->filter < 0)
        shape->filter = source->filter;
    if (shape->material < 0 || source->material < 0)
        return;
    mmd_phys_material *made = &job->scene->materials[shape->material];
    const mmd_phys_material *was = &job->source->materials[source->material];
    made->friction_combine = was->friction_combine;
    made->restitution_combine = was->restitution_combine;
    snap(&made->restitution, &was->restitution, 1);
    snap(&made->dynamic_friction, &was->dynamic_friction, 1);
    if (made->dynamic_friction == was->dynamic_friction)
        made->static_friction = was->static_friction;
}

/* A Ragdoll that says of a body that touches nothing by its masks, or is a trigger, that it does not collide,
 * has said what it can. */
static void mend_shapes(const restore_job *job, const mmd_phys_body *body, const mmd_phys_body *source)
{
    bool collided = ragdoll_says_collide(job->source, (uint32_t)(source - job->source->bodies));
    for (uint32_t i = 0; i < body->shape_count && i < source->shape_count; i++) {
        mmd_phys_shape *shape = &job->scene->shapes[body->first_shape + i];
        const mmd_phys_shape *was = &job->source->shapes[source->first_shape + i];
        if (shape->kind == was->kind) {
            snap_place(&shape->frame, &was->frame);
            snap(shape->size, was->size, 3);
        }
        if (job->format != MMD_EXCHANGE_RAGDOLL)
            continue;
        mend_ragdoll_shape(job, shape, was);
        if (!shape->solid && !collided) {
            shape->solid = was->solid;
            shape->trigger = was->trigger;
        }
    }
}

/* A PMX body is one plain shape, and stands where that stands. */
static bool is_plain(const mmd_physscene *scene, const mmd_phys_body *body)
{
    const mmd_phys_shape *shape = &scene->shapes[body->first_shape];
    bool tapered =
        body->shape_count == 1 && shape->kind == MMD_PHYS_CAPSULE && shape->size[0] != shape->size[2];
    return body->shape_count == 1 && !tapered &&
           (shape->kind == MMD_PHYS_SPHERE || shape->kind == MMD_PHYS_BOX || shape->kind == MMD_PHYS_CAPSULE);
}

/* Shapes that a PMX cannot say are the source's, and so is where they stand. */
static void mend_pmx_shapes(const restore_job *job, mmd_phys_body *body, const mmd_phys_body *source)
{
    mmd_phys_shape *shape = &job->scene->shapes[body->first_shape];
    const mmd_phys_shape *was = &job->source->shapes[source->first_shape];
    if (!is_plain(job->source, source) || shape->kind != was->kind) {
        body->rest = source->rest;
        body->first_shape = source->first_shape;
        body->shape_count = source->shape_count;
        return;
    }
    mmd_transform back;
    mmd_transform_inverse(&was->frame, &back);
    mmd_transform_multiply(&body->rest, &back, &body->rest);
    snap_place(&body->rest, &source->rest);
    snap(shape->size, was->size, 3);
    shape->frame = was->frame;
    shape->trigger = was->trigger;
    shape->solid = shape->solid || was->trigger;
    mend_ragdoll_shape(job, shape, was);
    shape->filter = was->filter;
}

static void mend_pmx(const restore_job *job, mmd_phys_body *body, const mmd_phys_body *source)
{
    mend_pmx_shapes(job, body, source);
    body->auto_mass = source->auto_mass && body->mass == source->mass;
    body->auto_inertia = source->auto_inertia;
    body->auto_center = source->auto_center;
    memcpy(body->inertia, source->inertia, sizeof body->inertia);
    memcpy(body->center, source->center, sizeof body->center);
    body->can_sleep = source->can_sleep;
    body->ccd = source->ccd;
    body->gravity_factor = source->gravity_factor;
}

/* A share of all and more is as good as said by a rate that leaves next to nothing. */
static void mend_damping(float *damping, float source)
{
    if (source >= 1 && *damping > 0.9999F)
        *damping = source;
}

/* What the format cannot say of a body is as it was. */
static void mend_words(const restore_job *job, mmd_phys_body *body, const mmd_phys_body *source)
{
    bool moves = body->motion == MMD_PHYS_DYNAMIC && source->motion == MMD_PHYS_DYNAMIC_BONE;
    bool stands = body->motion == MMD_PHYS_KINEMATIC && source->motion == MMD_PHYS_STATIC;
    if (moves || stands)
        body->motion = source->motion;
    if (job->format == MMD_EXCHANGE_GLTF) {
        body->linear_damping = source->linear_damping;
        body->angular_damping = source->angular_damping;
        body->can_sleep = source->can_sleep;
        body->ccd = source->ccd;
    } else {
        memcpy(body->linear_velocity, source->linear_velocity, sizeof body->linear_velocity);
        memcpy(body->angular_velocity, source->angular_velocity, sizeof body->angular_velocity);
        memcpy(body->inertia_rotation, source->inertia_rotation, sizeof body->inertia_rotation);
        mend_damping(&body->linear_damping, source->linear_damping);
        mend_damping(&body->angular_damping, source->angular_damping);
    }
    if (job->source->world.damping == MMD_DAMPING_ADDITIONAL) /* a PMX, whose centre is its place */
        body->auto_center = source->auto_center;
}

static void mend_body(const restore_job *job, mmd_phys_body *body, const mmd_phys_body *source)
{
    snap_place(&body->rest, &source->rest);
    snap(&body->mass, &source->mass, 1);
    snap(body->inertia, source->inertia, 3);
    snap_turn(body->inertia_rotation, source->inertia_rotation);
    snap(body->center, source->center, 3);
    snap(&body->linear_damping, &source->linear_damping, 1);
    snap(&body->angular_damping, &source->angular_damping, 1);
    snap(body->linear_velocity, source->linear_velocity, 3);
    snap(body->angular_velocity, source->angular_velocity, 3);
    mend_words(job, body, source);
    if (job->format == MMD_EXCHANGE_PMX)
        mend_pmx(job, body, source);
    else
        mend_shapes(job, body, source);
    body->bone = source->bone;
}

static float length3(const float v[3])
{
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Of another world's gravity as much as it was of its own. */
static void weigh(const restore_job *job, mmd_phys_body *body)
{
    float here = length3(job->scene->world.gravity), there = length3(job->found->world.gravity);
    if (here > 0 && there > 0 && here != there)
        body->gravity_factor *= there / here;
}

/* ----------------------------------------------------------------- items */

static void name_body(restore_job *job, mmd_phys_body *body)
{
    body->name = copy_text(job, body->name);
    body->path = copy_text(job, body->path);
}

static mmd_phys_body found_body(restore_job *job, uint32_t number)
{
    mmd_phys_body body = job->found->bodies[number];
    body.first_shape += job->source->shape_count;
    weigh(job, &body);
    return body;
}

static bool fill_bodies(restore_job *job)
{
    mmd_physscene *scene = job->scene;
    scene->bodies = mmd_arena_alloc(&scene->arena, scene->body_count, sizeof *scene->bodies);
    if (!scene->bodies)
        return false;
    for (uint32_t i = 0; i < scene->body_count; i++) {
        int32_t from = job->body_from[i];
        int32_t at = from < 0 ? -1 : job->kept->bodies[from];
        if (from >= 0 && (at < 0 || keep_body_held(job->kept, job->found, (uint32_t)from))) {
            scene->bodies[i] = job->source->bodies[from];
        } else if (from >= 0) {
            scene->bodies[i] = found_body(job, (uint32_t)at);
            mend_body(job, &scene->bodies[i], &job->source->bodies[from]);
            snap(&scene->bodies[i].gravity_factor, &job->source->bodies[from].gravity_factor, 1);
        }
    }
    for (uint32_t i = 0; i < job->found->body_count; i++)
        if (job->body_of[i] >= 0 && job->body_from[job->body_of[i]] < 0)
            scene->bodies[job->body_of[i]] = found_body(job, i);
    for (uint32_t i = 0; i < scene->body_count; i++)
        name_body(job, &scene->bodies[i]);
    return true;
}

/* A body that is left out stood for the world; one of a PMX may have stood elsewhere than the source's. */
static int32_t found_side(const restore_job *job, int32_t body, mmd_transform *frame)
{
    int32_t at = body < 0 ? PLACE_NONE : job->body_of[body];
    bool elsewhere = at >= 0 && job->format == MMD_EXCHANGE_PMX &&
                     memcmp(&job->scene->bodies[at].rest, &job->found->bodies[body].rest,
                            sizeof job->found->bodies[body].rest) != 0;
    if (at == PLACE_LEFT_OUT || elsewhere)
        mmd_transform_multiply(&job->found->bodies[body].rest, frame, frame);
    if (elsewhere) {
        mmd_transform back;
        mmd_transform_inverse(&job->scene->bodies[at].rest, &back);
        mmd_transform_multiply(&back, frame, frame);
    }
    return at < 0 ? -1 : at;
}

static mmd_phys_joint found_joint(const restore_job *job, uint32_t number)
{
    mmd_phys_joint joint = job->found->joints[number];
    joint.body_a = found_side(job, joint.body_a, &joint.frame_a);
    joint.body_b = found_side(job, joint.body_b, &joint.frame_b);
    joint.first_limit += job->source->limit_count;
    joint.first_drive += job->source->drive_count;
    return joint;
}

static mmd_phys_joint source_joint(const restore_job *job, uint32_t number)
{
    mmd_phys_joint joint = job->source->joints[number];
    joint.body_a = joint.body_a < 0 ? -1 : (int32_t)job->body_place[joint.body_a];
    joint.body_b = joint.body_b < 0 ? -1 : (int32_t)job->body_place[joint.body_b];
    return joint;
}

static bool fill_joints(restore_job *job)
{
    mmd_physscene *scene = job->scene;
    scene->joints = mmd_arena_alloc(&scene->arena, scene->joint_count, sizeof *scene->joints);
    if (!scene->joints)
        return false;
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        int32_t from = job->joint_from[i], at = from < 0 ? -1 : job->kept->joints[from];
        if (from < 0)
            continue;
        if (at < 0 || joint_held(job, (uint32_t)from)) {
            scene->joints[i] = source_joint(job, (uint32_t)from);
            continue;
        }
        scene->joints[i] = found_joint(job, (uint32_t)at);
        snap_place(&scene->joints[i].frame_a, &job->source->joints[from].frame_a);
        snap_place(&scene->joints[i].frame_b, &job->source->joints[from].frame_b);
    }
    for (uint32_t i = 0; i < job->found->joint_count; i++)
        if (job->joint_of[i] >= 0 && job->joint_from[job->joint_of[i]] < 0)
            scene->joints[job->joint_of[i]] = found_joint(job, i);
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        scene->joints[i].name = copy_text(job, scene->joints[i].name);
        scene->joints[i].path = copy_text(job, scene->joints[i].path);
    }
    return true;
}

/* The fields of the scene whose world it is; those of bodies that are gone go, too. */
static bool fill_gravities(restore_job *job, bool held)
{
    mmd_physscene *scene = job->scene;
    const mmd_physscene *from = held ? job->source : job->found;
    scene->gravities = mmd_arena_alloc(&scene->arena, from->gravity_count, sizeof *scene->gravities);
    if (!scene->gravities)
        return false;
    for (uint32_t i = 0; i < from->gravity_count; i++) {
        mmd_phys_gravity field = from->gravities[i];
        if (field.body >= 0)
            field.body = held ? (int32_t)job->body_place[field.body] : job->body_of[field.body];
        if (field.shape >= 0 && !held)
            field.shape += (int32_t)job->source->shape_count;
        field.points = copy_items(job, field.points, field.point_count, sizeof field.points[0]);
        if (!field.points)
            return false;
        if (from->gravities[i].body < 0 || field.body >= 0)
            scene->gravities[scene->gravity_count++] = field;
    }
    return true;
}

static bool restore_all(restore_job *job)
{
    if (!place_all(job))
        return false;
    bool held = stamp_world(job->found) == job->kept->world_stamp;
    job->scene->world = held ? job->source->world : job->found->world;
    job->scene->world.extras = copy_text(job, job->scene->world.extras);
    return join_tables(job, uses_found(job)) && fill_bodies(job) && fill_joints(job) &&
           fill_gravities(job, held);
}

mmd_status restore_scene(restore_job *job, mmd_error *error)
{
    mmd_status status = restore_all(job) ? MMD_OK
                                         : mmd_error_set(error, MMD_ERROR_MEMORY, "physics", MMD_NO_OFFSET,
                                                         "no memory for %u bodies", job->source->body_count);
    if (status == MMD_OK)
        status = mmd_physscene_check(job->scene, error);
    if (status != MMD_OK)
        mmd_physscene_destroy(job->scene);
    return status;
}
