/*
 * Three-way merge of edits into a source's scene (keep.h). Each value that a file has now (found) is compared
 * with the value it had when it was written (the baseline). If equal, the source's value is used, else the
 * found one. Values that a format cannot express so survive.
 *
 * The tables that items refer to (shapes, meshes, materials, filters, limits, drives) are the source's,
 * followed by those of the edited scene if needed. An unedited scene results in exactly the same indices.
 *
 * Values are equal within rounding, because other programs may have converted units and digits.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "keep.h"
#include "mmd/elementary.h"

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

/* Returns two lists one after the other. */
static void *concatenate(restore_job *job, const void *first, uint32_t first_count, const void *second,
                         uint32_t second_count, size_t size)
{
    char *both = mmd_arena_alloc(&job->scene->arena, first_count + (size_t)second_count, size);
    if (both && first_count)
        memcpy(both, first, first_count * size);
    if (both && second_count)
        memcpy(both + first_count * size, second, second_count * size);
    return both;
}

/* ----------------------------------------------------------------- slots */

/* Returns whether the bodies of a joint of the source still exist. */
static bool ends_remain(const restore_job *job, uint32_t joint)
{
    const mmd_phys_joint *from = &job->source->joints[joint];
    return (from->body_a < 0 || job->body_slot[from->body_a] != UINT32_MAX) &&
           (from->body_b < 0 || job->body_slot[from->body_b] != UINT32_MAX);
}

static bool allocate_slots(restore_job *job)
{
    mmd_arena *arena = &job->scene->arena;
    uint32_t bodies = job->source->body_count, joints = job->source->joint_count;
    job->body_slot = mmd_arena_alloc(arena, bodies, sizeof *job->body_slot);
    job->joint_slot = mmd_arena_alloc(arena, joints, sizeof *job->joint_slot);
    job->body_of = mmd_arena_alloc(arena, job->found->body_count, sizeof *job->body_of);
    job->joint_of = mmd_arena_alloc(arena, job->found->joint_count, sizeof *job->joint_of);
    job->body_from = mmd_arena_alloc(arena, bodies + (size_t)job->found->body_count, sizeof *job->body_from);
    job->joint_from =
        mmd_arena_alloc(arena, joints + (size_t)job->found->joint_count, sizeof *job->joint_from);
    return job->body_slot && job->joint_slot && job->body_of && job->joint_of && job->body_from &&
           job->joint_from;
}

/* No slot yet; omitted: added by the writer and not part of the source (omit_added_items). */
enum { SLOT_NONE = -1, SLOT_OMITTED = -2 };

/*
 * Assigns slots: slot by source index, of by found index, from by scene index. Returns the number of slots.
 */
static uint32_t assign_slots(const int32_t *items, const uint64_t *stamps, uint32_t count,
                             uint32_t found_count, uint32_t *slot, int32_t *of, int32_t *from)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        slot[i] = UINT32_MAX;
        if (items[i] < 0 && stamps[i])
            continue; /* it was deleted */
        slot[i] = used;
        from[used] = (int32_t)i;
        if (items[i] >= 0)
            of[items[i]] = (int32_t)used;
        used++;
    }
    for (uint32_t i = 0; i < found_count; i++)
        if (of[i] == SLOT_NONE) {
            from[used] = -1;
            of[i] = (int32_t)used++;
        }
    return used;
}

/* --------------------------------------------------------------- filters */

/* Returns the number of "mmd.group.<g>"; -1: another name. */
static int group_number(const char *name)
{
    unsigned group = 16;
    char end;
    return sscanf(name, "mmd.group.%2u%c", &group, &end) == 1 && group < 16 ? (int)group : -1;
}

/* Converts a filter of mmd.group names back to a PMX group (docs/formats.md 4). */
static bool to_group_filter(const restore_job *job, const mmd_phys_filter *filter, mmd_phys_filter *made)
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

/* Copies filters. map: from found's systems to the scene's; NULL: indices are unchanged. */
static bool copy_filters(restore_job *job, mmd_phys_filter *filters, uint32_t count, const uint32_t *map)
{
    bool groups = map && has_groups(job->source);
    for (uint32_t i = 0; i < count; i++) {
        mmd_phys_filter *filter = &filters[i], made;
        if (groups && to_group_filter(job, filter, &made)) {
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

/* Merges the system names of both scenes; equal ones are one. Returns the map from found's systems. */
static uint32_t *concatenate_systems(restore_job *job, bool both)
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

static void shift_index(int32_t *index, uint32_t by)
{
    *index = *index < 0 ? *index : *index + (int32_t)by;
}

/* Copies the texts of shapes and shifts the indices of found's shapes past the source's tables. */
static void copy_shapes(restore_job *job)
{
    const mmd_physscene *source = job->source;
    for (uint32_t i = 0; i < job->scene->shape_count; i++) {
        mmd_phys_shape *shape = &job->scene->shapes[i];
        shape->name = copy_text(job, shape->name);
        shape->path = copy_text(job, shape->path);
        if (i < source->shape_count)
            continue;
        shift_index(&shape->mesh, source->mesh_count);
        shift_index(&shape->material, source->material_count);
        shift_index(&shape->filter, source->filter_count);
    }
}

#define CONCATENATE(job, list, counter)                                                                      \
    ((job)->scene->counter = (job)->source->counter + (both ? (job)->found->counter : 0),                    \
     ((job)->scene->list =                                                                                   \
          concatenate((job), (job)->source->list, (job)->source->counter, (job)->found->list,                \
                      both ? (job)->found->counter : 0, sizeof *(job)->scene->list)) != NULL)

static bool concatenate_tables(restore_job *job, bool both)
{
    mmd_physscene *scene = job->scene;
    uint32_t *map = concatenate_systems(job, both);
    bool done = map && CONCATENATE(job, shapes, shape_count) && CONCATENATE(job, meshes, mesh_count) &&
                CONCATENATE(job, materials, material_count) && CONCATENATE(job, filters, filter_count) &&
                CONCATENATE(job, limits, limit_count) && CONCATENATE(job, drives, drive_count);
    if (!done)
        return false;
    copy_shapes(job);
    for (uint32_t i = 0; i < scene->material_count; i++)
        scene->materials[i].name = copy_text(job, scene->materials[i].name);
    uint32_t own = job->source->filter_count;
    return copy_meshes(job) && copy_filters(job, scene->filters, own, NULL) &&
           copy_filters(job, scene->filters + own, scene->filter_count - own, map);
}

/* ------------------------------------------------------------ comparison */

bool keep_near(const float *a, const float *b, size_t count, float size)
{
    assert((a && b) || count == 0);
    float most = size;
    for (size_t i = 0; i < count; i++)
        if (isfinite(a[i]) && isfinite(b[i]))
            most = mmd_maxf(most, mmd_maxf(fabsf(a[i]), fabsf(b[i])));
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i] && !(fabsf(a[i] - b[i]) <= 4e-6F * most) && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static bool near_number(float a, float b)
{
    return keep_near(&a, &b, 1, 0);
}

/* Returns whether quaternions are the same rotation; q and -q are. */
static bool near_rotation(const float a[4], const float b[4])
{
    const float other[4] = {-b[0], -b[1], -b[2], -b[3]};
    return keep_near(a, b, 4, 1) || keep_near(a, other, 4, 1);
}

static bool near_transform(const restore_job *job, const mmd_transform *a, const mmd_transform *b)
{
    return keep_near(a->translation, b->translation, 3, job->size) && near_rotation(a->rotation, b->rotation);
}

/* Two scenes whose items are compared: as found and baseline. */
typedef struct scene_pair {
    const restore_job *job;
    const mmd_physscene *found, *base;
} scene_pair;

static bool same_names(const scene_pair *pair, const uint32_t *found, uint32_t count, const uint32_t *base,
                       uint32_t base_count)
{
    bool same = count == base_count;
    for (uint32_t i = 0; same && i < count; i++)
        same = strcmp(pair->found->system_names[found[i]], pair->base->system_names[base[i]]) == 0;
    return same;
}

static bool same_filter(const scene_pair *pair, int32_t found, int32_t base)
{
    if (found < 0 || base < 0)
        return found < 0 && base < 0;
    const mmd_phys_filter *f = &pair->found->filters[found], *b = &pair->base->filters[base];
    return f->named == b->named && f->group == b->group && f->mask == b->mask &&
           f->has_collide_with == b->has_collide_with &&
           same_names(pair, f->systems, f->system_count, b->systems, b->system_count) &&
           same_names(pair, f->collide_with, f->collide_count, b->collide_with, b->collide_count) &&
           same_names(pair, f->not_collide_with, f->not_collide_count, b->not_collide_with,
                      b->not_collide_count);
}

static mmd_phys_material material_of(const mmd_physscene *scene, int32_t index)
{
    return index < 0 ? mmd_default_phys_material() : scene->materials[index];
}

static bool same_material(const scene_pair *pair, int32_t found, int32_t base)
{
    mmd_phys_material f = material_of(pair->found, found), b = material_of(pair->base, base);
    return near_number(f.static_friction, b.static_friction) &&
           near_number(f.dynamic_friction, b.dynamic_friction) && near_number(f.restitution, b.restitution) &&
           f.friction_combine == b.friction_combine && f.restitution_combine == b.restitution_combine;
}

static bool same_mesh(const scene_pair *pair, int32_t found, int32_t base)
{
    if (found < 0 || base < 0)
        return found < 0 && base < 0;
    const mmd_phys_mesh *f = &pair->found->meshes[found], *b = &pair->base->meshes[base];
    return f->point_count == b->point_count && f->index_count == b->index_count &&
           (!f->index_count || memcmp(f->indices, b->indices, f->index_count * sizeof *f->indices) == 0) &&
           (!f->point_count ||
            keep_near(f->points[0], b->points[0], (size_t)f->point_count * 3, pair->job->size));
}

static bool same_shape(const scene_pair *pair, const mmd_phys_shape *f, const mmd_phys_shape *b)
{
    return f->kind == b->kind && f->trigger == b->trigger && f->solid == b->solid &&
           near_transform(pair->job, &f->frame, &b->frame) && keep_near(f->size, b->size, 3, 0) &&
           same_mesh(pair, f->mesh, b->mesh) && same_material(pair, f->material, b->material) &&
           same_filter(pair, f->filter, b->filter);
}

static bool same_shapes(const scene_pair *pair, const mmd_phys_body *f, const mmd_phys_body *b)
{
    bool same = f->shape_count == b->shape_count;
    for (uint32_t i = 0; same && i < f->shape_count; i++)
        same = same_shape(pair, &pair->found->shapes[f->first_shape + i],
                          &pair->base->shapes[b->first_shape + i]);
    return same;
}

static bool same_limits(const scene_pair *pair, const mmd_phys_joint *f, const mmd_phys_joint *b)
{
    bool same = f->limit_count == b->limit_count;
    for (uint32_t i = 0; same && i < f->limit_count; i++) {
        const mmd_phys_limit *x = &pair->found->limits[f->first_limit + i],
                             *y = &pair->base->limits[b->first_limit + i];
        const float values[2][3] = {{x->min, x->max, x->max2}, {y->min, y->max, y->max2}};
        same = x->kind == y->kind && x->axes == y->axes && x->has_min == y->has_min &&
               x->has_max == y->has_max && x->soft == y->soft && keep_near(values[0], values[1], 3, 0.1F) &&
               near_number(x->stiffness, y->stiffness) && near_number(x->damping, y->damping);
    }
    return same;
}

static bool same_drives(const scene_pair *pair, const mmd_phys_joint *f, const mmd_phys_joint *b)
{
    bool same = f->drive_count == b->drive_count;
    for (uint32_t i = 0; same && i < f->drive_count; i++) {
        const mmd_phys_drive *x = &pair->found->drives[f->first_drive + i],
                             *y = &pair->base->drives[b->first_drive + i];
        same = x->kind == y->kind && x->axis == y->axis && x->acceleration == y->acceleration &&
               x->enabled == y->enabled && keep_near(&x->position_target, &y->position_target, 1, 0.1F) &&
               near_number(x->velocity_target, y->velocity_target) &&
               near_number(x->stiffness, y->stiffness) && near_number(x->damping, y->damping) &&
               near_number(x->angular_stiffness, y->angular_stiffness) &&
               near_number(x->angular_damping, y->angular_damping) &&
               near_number(x->max_force, y->max_force) && near_transform(pair->job, &x->target, &y->target);
    }
    return same;
}

static const char *name_of_body(const mmd_physscene *scene, int32_t body)
{
    return body < 0 ? "" : scene->bodies[body].name;
}

static bool same_gravities(const scene_pair *pair)
{
    bool same = pair->found->gravity_count == pair->base->gravity_count;
    for (uint32_t i = 0; same && i < pair->found->gravity_count; i++) {
        const mmd_phys_gravity *x = &pair->found->gravities[i], *y = &pair->base->gravities[i];
        same = x->kind == y->kind && x->priority == y->priority && x->replace == y->replace &&
               x->stop == y->stop && (x->shape < 0) == (y->shape < 0) && x->point_count == y->point_count &&
               strcmp(name_of_body(pair->found, x->body), name_of_body(pair->base, y->body)) == 0 &&
               near_number(x->gravity, y->gravity) && keep_near(x->direction, y->direction, 3, 1) &&
               near_number(x->unit_distance, y->unit_distance) && near_number(x->radius, y->radius) &&
               (x->shape < 0 ||
                same_shape(pair, &pair->found->shapes[x->shape], &pair->base->shapes[y->shape])) &&
               (!x->point_count ||
                keep_near(x->points[0], y->points[0], (size_t)x->point_count * 3, pair->job->size));
    }
    return same;
}

/* ---------------------------------------------------------------- merging */

/* Copies the found value when it differs from the baseline, and returns whether it did. */
static bool take_edit(float *value, const float *found, const float *base, size_t count, float size)
{
    if (keep_near(found, base, count, size))
        return false;
    memcpy(value, found, count * sizeof *value);
    return true;
}

static bool take_edited_rotation(float value[4], const float found[4], const float base[4])
{
    if (near_rotation(found, base))
        return false;
    memcpy(value, found, 4 * sizeof *value);
    return true;
}

/* Copies a field of f to out when it differs from b; true when it did. */
#define TAKE_EDIT(field) (f->field != b->field ? (out->field = f->field, true) : false)

/*
 * Applies an edited transform. If the format's transform differs from the source's, the edit's relative
 * motion is applied to the source's.
 */
static bool take_edited_transform(const restore_job *job, mmd_transform *value, const mmd_transform *found,
                                  const mmd_transform *base)
{
    if (near_transform(job, found, base))
        return false;
    if (near_transform(job, value, base)) {
        take_edit(value->translation, found->translation, base->translation, 3, job->size);
        take_edited_rotation(value->rotation, found->rotation, base->rotation);
        return true;
    }
    mmd_transform moved;
    mmd_transform_inverse(base, &moved);
    mmd_transform_multiply(found, &moved, &moved);
    mmd_transform_multiply(&moved, value, value);
    return true;
}

/*
 * Merges the material of an edited shape: edited values over the source's, stored in found's slot. Returns
 * its index.
 */
static int32_t merge_material(const restore_job *job, const scene_pair *pair, int32_t found, int32_t base,
                              int32_t source)
{
    if (same_material(pair, found, base) || found < 0)
        return same_material(pair, found, base) ? source : -1;
    mmd_phys_material was = material_of(job->source, source), *out = &was;
    const mmd_phys_material *f = &pair->found->materials[found], base_values = material_of(pair->base, base),
                            *b = &base_values;
    bool slid = take_edit(&out->dynamic_friction, &f->dynamic_friction, &b->dynamic_friction, 1, 0);
    if (!take_edit(&out->static_friction, &f->static_friction, &b->static_friction, 1, 0) && slid)
        out->static_friction = f->static_friction;
    take_edit(&out->restitution, &f->restitution, &b->restitution, 1, 0);
    (void)TAKE_EDIT(friction_combine);
    (void)TAKE_EDIT(restitution_combine);
    mmd_phys_material *slot = &job->scene->materials[found + (int32_t)job->source->material_count];
    was.name = slot->name;
    *slot = was;
    return found + (int32_t)job->source->material_count;
}

/* Merges an edited shape into slot, found's shape in the new scene. */
static void merge_shape(const restore_job *job, const scene_pair *pair, const mmd_phys_shape *f,
                        const mmd_phys_shape *b, const mmd_phys_shape *source, mmd_phys_shape *slot)
{
    mmd_phys_shape merged = *source, *out = &merged;
    bool solid = keep_near(f->size, b->size, 3, 0) && same_mesh(pair, f->mesh, b->mesh);
    if (f->kind != b->kind || (!solid && source->kind != b->kind))
        return; /* another kind of shape: taken as found */
    merged.name = slot->name;
    merged.path = slot->path;
    take_edit(out->size, f->size, b->size, 3, 0);
    merged.mesh = same_mesh(pair, f->mesh, b->mesh) ? source->mesh : slot->mesh;
    take_edited_transform(job, &out->frame, &f->frame, &b->frame);
    (void)TAKE_EDIT(trigger);
    (void)TAKE_EDIT(solid);
    merged.filter = same_filter(pair, f->filter, b->filter) ? source->filter : slot->filter;
    merged.material = merge_material(job, pair, f->material, b->material, source->material);
    *slot = merged;
}

/* Merges the shapes of an edited body. */
static void merge_shapes(const restore_job *job, const scene_pair *pair, const mmd_phys_body *f,
                         const mmd_phys_body *b, mmd_phys_body *out)
{
    uint32_t first = f->first_shape + job->source->shape_count;
    bool each = f->shape_count == b->shape_count && f->shape_count == out->shape_count;
    for (uint32_t i = 0; each && i < f->shape_count; i++)
        merge_shape(job, pair, &pair->found->shapes[f->first_shape + i],
                    &pair->base->shapes[b->first_shape + i], &job->source->shapes[out->first_shape + i],
                    &job->scene->shapes[first + i]);
    out->first_shape = first;
    out->shape_count = f->shape_count;
}

static float length3(const float v[3])
{
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Adapts the gravity factor so that the weight stays when the worlds' gravities differ. */
static void rescale_gravity(const restore_job *job, mmd_phys_body *body)
{
    float here = length3(job->scene->world.gravity), there = length3(job->found->world.gravity);
    if (here > 0 && there > 0 && here != there)
        body->gravity_factor *= there / here;
}

/*
 * Merges edits into out, a copy of the source's body. Returns whether there were any. fill: also write shapes
 * into the new scene.
 */
static bool merge_body(const restore_job *job, const scene_pair *pair, const mmd_phys_body *f,
                       const mmd_phys_body *b, bool fill, mmd_phys_body *out)
{
    bool taken = strcmp(f->name, b->name) != 0, mass, inertia, center;
    if (taken)
        out->name = f->name;
    taken |= TAKE_EDIT(motion);
    taken |= TAKE_EDIT(disabled);
    taken |= TAKE_EDIT(can_sleep);
    taken |= TAKE_EDIT(ccd);
    taken |= TAKE_EDIT(auto_mass);
    taken |= TAKE_EDIT(auto_inertia);
    taken |= TAKE_EDIT(auto_center);
    taken |= take_edited_transform(job, &out->rest, &f->rest, &b->rest);
    taken |= mass = take_edit(&out->mass, &f->mass, &b->mass, 1, 0);
    inertia = take_edit(out->inertia, f->inertia, b->inertia, 3, 0);
    taken |= inertia |= take_edited_rotation(out->inertia_rotation, f->inertia_rotation, b->inertia_rotation);
    taken |= center = take_edit(out->center, f->center, b->center, 3, 0.1F);
    out->auto_mass = mass ? f->auto_mass : out->auto_mass;
    out->auto_inertia = inertia ? f->auto_inertia : out->auto_inertia;
    out->auto_center = center ? f->auto_center : out->auto_center;
    taken |= take_edit(&out->linear_damping, &f->linear_damping, &b->linear_damping, 1, 0);
    taken |= take_edit(&out->angular_damping, &f->angular_damping, &b->angular_damping, 1, 0);
    taken |= take_edit(out->linear_velocity, f->linear_velocity, b->linear_velocity, 3, 0);
    taken |= take_edit(out->angular_velocity, f->angular_velocity, b->angular_velocity, 3, 0);
    if (take_edit(&out->gravity_factor, &f->gravity_factor, &b->gravity_factor, 1, 0)) {
        taken = true;
        if (fill)
            rescale_gravity(job, out);
    }
    if (!same_shapes(pair, f, b)) {
        taken = true;
        if (fill)
            merge_shapes(job, pair, f, b, out);
    }
    return taken;
}

/* Merges the settings of a joint, but not its bodies and frames. Returns whether there were edits. */
static bool merge_joint_settings(const restore_job *job, const scene_pair *pair, const mmd_phys_joint *f,
                                 const mmd_phys_joint *b, mmd_phys_joint *out)
{
    mmd_phys_joint source = *out;
    bool limits = !same_limits(pair, f, b), drives = !same_drives(pair, f, b), taken = limits || drives;
    taken |= TAKE_EDIT(kind);
    taken |= take_edit(&out->angular_size, &f->angular_size, &b->angular_size, 1, 0);
    taken |= take_edit(out->pmx.linear_lower, f->pmx.linear_lower, b->pmx.linear_lower, 3, 0.1F);
    taken |= take_edit(out->pmx.linear_upper, f->pmx.linear_upper, b->pmx.linear_upper, 3, 0.1F);
    taken |= take_edit(out->pmx.angular_lower, f->pmx.angular_lower, b->pmx.angular_lower, 3, 0.1F);
    taken |= take_edit(out->pmx.angular_upper, f->pmx.angular_upper, b->pmx.angular_upper, 3, 0.1F);
    taken |= take_edit(out->pmx.linear_spring, f->pmx.linear_spring, b->pmx.linear_spring, 3, 0);
    taken |= take_edit(out->pmx.angular_spring, f->pmx.angular_spring, b->pmx.angular_spring, 3, 0);
    if (!taken)
        return false;
    bool all =
        source.kind != b->kind || f->kind != b->kind; /* expressed in another kind: take all from found */
    if (all) {
        out->kind = f->kind;
        out->pmx = f->pmx;
        out->angular_size = f->angular_size;
    }
    if (all || limits) {
        out->first_limit = f->first_limit + job->source->limit_count;
        out->limit_count = f->limit_count;
    }
    if (all || drives) {
        out->first_drive = f->first_drive + job->source->drive_count;
        out->drive_count = f->drive_count;
    }
    return true;
}

/* Merges edits of the world. Returns whether there were any. */
static bool merge_world(const scene_pair *pair, mmd_phys_world *out)
{
    const mmd_phys_world *f = &pair->found->world, *b = &pair->base->world;
    bool taken = take_edit(out->gravity, f->gravity, b->gravity, 3, 0);
    taken |= TAKE_EDIT(ground);
    taken |= TAKE_EDIT(rate);
    taken |= TAKE_EDIT(iterations);
    taken |= TAKE_EDIT(damping);
    taken |= TAKE_EDIT(exact_restitution);
    taken |= take_edit(&out->ground_height, &f->ground_height, &b->ground_height, 1, 1);
    taken |= take_edit(&out->ground_friction, &f->ground_friction, &b->ground_friction, 1, 0);
    taken |= take_edit(&out->ground_restitution, &f->ground_restitution, &b->ground_restitution, 1, 0);
    taken |= take_edit(&out->joint_erp, &f->joint_erp, &b->joint_erp, 1, 0);
    return taken;
}

/* ---------------------------------------------------------- finding edits */

/* Returns the baseline's body (joint) for one of the source, or the source's own. */
static const mmd_phys_body *base_body(const restore_job *job, uint32_t body, const mmd_physscene **scene)
{
    int32_t at = job->base ? job->base->bodies[body] : -1;
    *scene = at < 0 ? job->source : job->base->scene;
    return at < 0 ? &job->source->bodies[body] : &job->base->scene->bodies[at];
}

static const mmd_phys_joint *base_joint(const restore_job *job, uint32_t joint, const mmd_physscene **scene)
{
    int32_t at = job->base ? job->base->joints[joint] : -1;
    *scene = at < 0 ? job->source : job->base->scene;
    return at < 0 ? &job->source->joints[joint] : &job->base->scene->joints[at];
}

/* Returns which body of the source is body `body` of a scene; -1: the world or an added item. */
static int32_t source_body_of(const restore_job *job, const mmd_physscene *scene, int32_t body)
{
    if (scene == job->source || body < 0)
        return body;
    return scene == job->found ? job->found_source[body] : job->base_source[body];
}

/* Returns whether a joint has the same bodies and frames. */
static bool same_attachment(const restore_job *job, const scene_pair *pair, const mmd_phys_joint *f,
                            const mmd_phys_joint *b)
{
    return source_body_of(job, pair->found, f->body_a) == source_body_of(job, pair->base, b->body_a) &&
           source_body_of(job, pair->found, f->body_b) == source_body_of(job, pair->base, b->body_b) &&
           near_transform(job, &f->frame_a, &b->frame_a) && near_transform(job, &f->frame_b, &b->frame_b);
}

/* Returns whether the bodies of a joint were not moved. */
static bool bodies_unmoved(const restore_job *job, uint32_t joint)
{
    const mmd_phys_joint *from = &job->source->joints[joint];
    return (from->body_a < 0 || !job->body_moved[from->body_a]) &&
           (from->body_b < 0 || !job->body_moved[from->body_b]);
}

/* Finds out whether a body is unedited and whether it was moved. */
static void find_unchanged_body(restore_job *job, uint32_t body)
{
    int32_t at = job->kept->bodies[body];
    scene_pair pair = {.job = job, .found = job->found};
    mmd_phys_body scratch = job->source->bodies[body];
    job->body_unchanged[body] = at < 0 || keep_body_unchanged(job->kept, job->found, body);
    if (job->body_unchanged[body])
        return;
    const mmd_phys_body *b = base_body(job, body, &pair.base), *f = &job->found->bodies[at];
    job->body_unchanged[body] = !merge_body(job, &pair, f, b, false, &scratch);
    job->body_moved[body] = !near_transform(job, &f->rest, &b->rest);
}

/* Finds out whether a joint is unedited. */
static void find_unchanged_joint(restore_job *job, uint32_t joint)
{
    int32_t at = job->kept->joints[joint];
    scene_pair pair = {.job = job, .found = job->found};
    mmd_phys_joint scratch = job->source->joints[joint];
    job->joint_unchanged[joint] = ends_remain(job, joint) && bodies_unmoved(job, joint);
    if (at < 0 || !job->joint_unchanged[joint] || keep_joint_unchanged(job->kept, job->found, joint))
        return;
    const mmd_phys_joint *b = base_joint(job, joint, &pair.base), *f = &job->found->joints[at];
    job->joint_unchanged[joint] = strcmp(f->name, b->name) == 0 && f->collide == b->collide &&
                                  f->disabled == b->disabled && same_attachment(job, &pair, f, b) &&
                                  !merge_joint_settings(job, &pair, f, b, &scratch);
}

static scene_pair world_pair(const restore_job *job)
{
    return (scene_pair){job, job->found, job->base ? job->base->scene : job->source};
}

/* Returns whether the merged scene uses anything of the found one. */
static bool uses_found(const restore_job *job)
{
    for (uint32_t i = 0; i < job->scene->body_count; i++)
        if (job->body_from[i] < 0 || !job->body_unchanged[job->body_from[i]])
            return true;
    for (uint32_t i = 0; i < job->scene->joint_count; i++)
        if (job->joint_from[i] < 0 || !job->joint_unchanged[job->joint_from[i]])
            return true;
    return !job->fields_unchanged;
}

/* Returns the scene's size for tolerances of positions, at least about a person's head. */
static float scene_size(const mmd_physscene *scene)
{
    float size = 10;
    for (uint32_t i = 0; i < scene->body_count; i++)
        for (int k = 0; k < 3; k++)
            size = mmd_maxf(size, fabsf(scene->bodies[i].rest.translation[k]));
    return size < 1e6F ? 0.5F * size : 5;
}

/* Inverts a map: returns for each of count items the index of the source's item. */
static int32_t *source_of_each(const restore_job *job, uint32_t count, const int32_t *items,
                               uint32_t item_count)
{
    int32_t *of = mmd_arena_alloc(&job->scene->arena, count, sizeof *of);
    for (uint32_t i = 0; of && i < count; i++)
        of[i] = -1;
    for (uint32_t i = 0; of && i < item_count; i++)
        if (items[i] >= 0)
            of[items[i]] = (int32_t)i;
    return of;
}

/* Computes the inverse maps and the scene's size. */
static bool find_sources(restore_job *job)
{
    uint32_t bodies = job->source->body_count, joints = job->source->joint_count;
    const keep_baseline *base = job->base;
    job->size = scene_size(job->source);
    job->found_source = source_of_each(job, job->found->body_count, job->kept->bodies, bodies);
    if (base) {
        job->base_source = source_of_each(job, base->scene->body_count, base->bodies, bodies);
        job->base_joint_source = source_of_each(job, base->scene->joint_count, base->joints, joints);
    }
    return job->found_source && (!base || (job->base_source && job->base_joint_source));
}

/*
 * Omits items that the format's writer added and nobody edited; edited ones are kept as the user's. The
 * baseline contains the same items in the same order.
 */
static void omit_added_items(restore_job *job)
{
    const mmd_exchange_kept *kept = job->kept;
    const mmd_physscene *base = job->base ? job->base->scene : NULL;
    scene_pair pair = {job, job->found, base};
    for (uint32_t i = 0, next = 0; i < kept->added_body_count; i++, next++) {
        int32_t at = kept->added_bodies[i];
        while (base && next < base->body_count && job->base_source[next] >= 0)
            next++;
        if (at < 0)
            continue;
        bool same = stamp_body(job->found, (uint32_t)at) == kept->added_body_stamps[i];
        if (!same && base && next < base->body_count) {
            mmd_phys_body scratch = base->bodies[next];
            same = !merge_body(job, &pair, &job->found->bodies[at], &base->bodies[next], false, &scratch);
        }
        job->body_of[at] = same ? SLOT_OMITTED : SLOT_NONE;
    }
    for (uint32_t i = 0, next = 0; i < kept->added_joint_count; i++, next++) {
        int32_t at = kept->added_joints[i];
        while (base && next < base->joint_count && job->base_joint_source[next] >= 0)
            next++;
        if (at < 0)
            continue;
        bool same = stamp_joint(job->found, (uint32_t)at) == kept->added_joint_stamps[i];
        if (!same && base && next < base->joint_count) {
            const mmd_phys_joint *f = &job->found->joints[at], *b = &base->joints[next];
            mmd_phys_joint scratch = *b;
            same = same_attachment(job, &pair, f, b) && !merge_joint_settings(job, &pair, f, b, &scratch);
        }
        job->joint_of[at] = same ? SLOT_OMITTED : SLOT_NONE;
    }
}

/* Assigns slots to all items. Joints that the format never had are deleted with their bodies. */
static bool assign_all_slots(restore_job *job)
{
    const mmd_exchange_kept *kept = job->kept;
    if (!allocate_slots(job))
        return false;
    for (uint32_t i = 0; i < job->found->body_count; i++)
        job->body_of[i] = SLOT_NONE;
    for (uint32_t i = 0; i < job->found->joint_count; i++)
        job->joint_of[i] = SLOT_NONE;
    omit_added_items(job);
    job->scene->body_count =
        assign_slots(kept->bodies, kept->body_stamps, job->source->body_count, job->found->body_count,
                     job->body_slot, job->body_of, job->body_from);
    uint64_t *stamps = copy_items(job, kept->joint_stamps, job->source->joint_count, sizeof *stamps);
    for (uint32_t i = 0; stamps && i < job->source->joint_count; i++)
        if (kept->joints[i] < 0 && !ends_remain(job, i))
            stamps[i] = 1;
    if (stamps)
        job->scene->joint_count =
            assign_slots(kept->joints, stamps, job->source->joint_count, job->found->joint_count,
                         job->joint_slot, job->joint_of, job->joint_from);
    return stamps != NULL;
}

/* Finds out which items are unedited. */
static bool find_unchanged(restore_job *job)
{
    mmd_arena *arena = &job->scene->arena;
    uint32_t bodies = job->source->body_count, joints = job->source->joint_count;
    job->body_unchanged = mmd_arena_alloc(arena, bodies, sizeof *job->body_unchanged);
    job->body_moved = mmd_arena_alloc(arena, bodies, sizeof *job->body_moved);
    job->joint_unchanged = mmd_arena_alloc(arena, joints, sizeof *job->joint_unchanged);
    if (!job->body_unchanged || !job->body_moved || !job->joint_unchanged)
        return false;
    for (uint32_t i = 0; i < bodies; i++)
        find_unchanged_body(job, i);
    for (uint32_t i = 0; i < joints; i++)
        find_unchanged_joint(job, i);
    scene_pair pair = world_pair(job);
    mmd_phys_world scratch = job->source->world;
    job->fields_unchanged = job->world_unchanged = stamp_world(job->found) == job->kept->world_stamp;
    if (!job->world_unchanged) {
        job->fields_unchanged = same_gravities(&pair);
        job->world_unchanged = !merge_world(&pair, &scratch) && job->fields_unchanged;
    }
    return true;
}

/* ----------------------------------------------------------------- items */

static void copy_body_texts(restore_job *job, mmd_phys_body *body)
{
    body->name = copy_text(job, body->name);
    body->path = copy_text(job, body->path);
}

/* Returns an added body. */
static mmd_phys_body found_body(restore_job *job, uint32_t number)
{
    mmd_phys_body body = job->found->bodies[number];
    body.first_shape += job->source->shape_count;
    rescale_gravity(job, &body);
    return body;
}

/* Fills the bodies of the merged scene. */
static bool fill_bodies(restore_job *job)
{
    mmd_physscene *scene = job->scene;
    scene->bodies = mmd_arena_alloc(&scene->arena, scene->body_count, sizeof *scene->bodies);
    if (!scene->bodies)
        return false;
    for (uint32_t i = 0; i < scene->body_count; i++) {
        int32_t from = job->body_from[i];
        int32_t at = from < 0 ? -1 : job->kept->bodies[from];
        if (from < 0)
            continue;
        scene->bodies[i] = job->source->bodies[from];
        if (job->body_unchanged[from])
            continue;
        scene_pair pair = {.job = job, .found = job->found};
        const mmd_phys_body *base = base_body(job, (uint32_t)from, &pair.base);
        merge_body(job, &pair, &job->found->bodies[at], base, true, &scene->bodies[i]);
    }
    for (uint32_t i = 0; i < job->found->body_count; i++)
        if (job->body_of[i] >= 0 && job->body_from[job->body_of[i]] < 0)
            scene->bodies[job->body_of[i]] = found_body(job, i);
    for (uint32_t i = 0; i < scene->body_count; i++)
        copy_body_texts(job, &scene->bodies[i]);
    return true;
}

/*
 * Returns the slot of a body that a found joint is attached to, and converts its frame. An omitted body
 * represents the world. A PMX's body may have another transform than the source's.
 */
static int32_t attach_found_end(const restore_job *job, int32_t body, mmd_transform *frame)
{
    int32_t at = body < 0 ? SLOT_NONE : job->body_of[body];
    bool elsewhere = at >= 0 && job->format == MMD_EXCHANGE_PMX &&
                     memcmp(&job->scene->bodies[at].rest, &job->found->bodies[body].rest,
                            sizeof job->found->bodies[body].rest) != 0;
    if (at == SLOT_OMITTED || elsewhere)
        mmd_transform_multiply(&job->found->bodies[body].rest, frame, frame);
    if (elsewhere) {
        mmd_transform back;
        mmd_transform_inverse(&job->scene->bodies[at].rest, &back);
        mmd_transform_multiply(&back, frame, frame);
    }
    return at < 0 ? -1 : at;
}

/* Returns a joint as found. */
static mmd_phys_joint found_joint(const restore_job *job, uint32_t number)
{
    mmd_phys_joint joint = job->found->joints[number];
    joint.body_a = attach_found_end(job, joint.body_a, &joint.frame_a);
    joint.body_b = attach_found_end(job, joint.body_b, &joint.frame_b);
    joint.first_limit += job->source->limit_count;
    joint.first_drive += job->source->drive_count;
    return joint;
}

/* Returns a joint of the source. */
static mmd_phys_joint source_joint(const restore_job *job, uint32_t number)
{
    mmd_phys_joint joint = job->source->joints[number];
    joint.body_a = joint.body_a < 0 ? -1 : (int32_t)job->body_slot[joint.body_a];
    joint.body_b = joint.body_b < 0 ? -1 : (int32_t)job->body_slot[joint.body_b];
    return joint;
}

/* Merges an edited joint. */
static void merge_joint(const restore_job *job, uint32_t from, uint32_t at, mmd_phys_joint *out)
{
    scene_pair pair = {.job = job, .found = job->found};
    const mmd_phys_joint *b = base_joint(job, from, &pair.base), *f = &job->found->joints[at];
    mmd_phys_joint found = found_joint(job, at);
    if (strcmp(f->name, b->name) != 0)
        out->name = f->name;
    (void)TAKE_EDIT(collide);
    (void)TAKE_EDIT(disabled);
    merge_joint_settings(job, &pair, f, b, out);
    if (source_body_of(job, pair.found, f->body_a) != source_body_of(job, pair.base, b->body_a) ||
        source_body_of(job, pair.found, f->body_b) != source_body_of(job, pair.base, b->body_b) ||
        !ends_remain(job, from)) {
        out->body_a = found.body_a;
        out->body_b = found.body_b;
        out->frame_a = found.frame_a;
        out->frame_b = found.frame_b;
        return;
    }
    if (!near_transform(job, &f->frame_a, &b->frame_a))
        out->frame_a = found.frame_a;
    if (!near_transform(job, &f->frame_b, &b->frame_b))
        out->frame_b = found.frame_b;
}

/* Fills the joints of the merged scene. */
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
        scene->joints[i] = source_joint(job, (uint32_t)from);
        if (at >= 0 && !job->joint_unchanged[from])
            merge_joint(job, (uint32_t)from, (uint32_t)at, &scene->joints[i]);
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

/*
 * Copies the gravity fields of the source if they are unchanged, else those found; fields of deleted bodies
 * are dropped.
 */
static bool fill_gravities(restore_job *job, bool unchanged)
{
    mmd_physscene *scene = job->scene;
    const mmd_physscene *from = unchanged ? job->source : job->found;
    scene->gravities = mmd_arena_alloc(&scene->arena, from->gravity_count, sizeof *scene->gravities);
    if (!scene->gravities)
        return false;
    for (uint32_t i = 0; i < from->gravity_count; i++) {
        mmd_phys_gravity field = from->gravities[i];
        if (field.body >= 0)
            field.body = unchanged ? (int32_t)job->body_slot[field.body] : job->body_of[field.body];
        if (field.shape >= 0 && !unchanged)
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
    if (!find_sources(job) || !assign_all_slots(job) || !find_unchanged(job))
        return false;
    scene_pair pair = world_pair(job);
    job->scene->world = job->source->world;
    if (!job->world_unchanged)
        merge_world(&pair, &job->scene->world);
    job->scene->world.extras = copy_text(job, job->scene->world.extras);
    return concatenate_tables(job, uses_found(job)) && fill_bodies(job) && fill_joints(job) &&
           fill_gravities(job, job->fields_unchanged);
}

mmd_status restore_scene(restore_job *job, mmd_error *error)
{
    assert(job);
    mmd_status status = restore_all(job) ? MMD_OK
                                         : mmd_error_set(error, MMD_ERROR_MEMORY, "physics", MMD_NO_OFFSET,
                                                         "no memory for %u bodies", job->source->body_count);
    if (status == MMD_OK)
        status = mmd_physscene_check(job->scene, error);
    if (status != MMD_OK)
        mmd_physscene_destroy(job->scene);
    return status;
}
