/*
 * A triangle mesh that does not move, a ground for instance, as boxes that
 * follow it: the box around all triangles is parted again and again, the
 * largest part first, at the middle one of its triangles along its longest
 * side (as bounding volume hierarchies are built; J. Goldsmith and J. Salmon,
 * "Automatic creation of object hierarchies for ray tracing", 1987). What lies
 * flat becomes thick downwards, so that nothing falls through it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "write.h"

/* A part smaller than this share of the whole is small enough. */
static const float small_enough = 1.0f / 256, worth_it = 0.6f;

static const float flat = 2.0f, least_half = 0.05f;

typedef struct patch {
    uint32_t first, count; /* run of triangles */
    float low[3], high[3];
} patch;

typedef struct sorted_triangle {
    float key;
    uint32_t number;
} sorted_triangle;

typedef struct patches {
    const mmd_phys_mesh *mesh;
    uint32_t count;
    patch items[PMX_PATCHES_MAX];
    sorted_triangle *triangles;
} patches;

static float middle_of(const mmd_phys_mesh *mesh, uint32_t triangle, int axis)
{
    const uint32_t *corner = &mesh->indices[(size_t)triangle * 3];
    return mesh->points[corner[0]][axis] + mesh->points[corner[1]][axis] + mesh->points[corner[2]][axis];
}

static void bound(const patches *p, patch *part)
{
    for (uint32_t i = 0; i < part->count * 3; i++) {
        uint32_t triangle = p->triangles[part->first + i / 3].number;
        const float *point = p->mesh->points[p->mesh->indices[(size_t)triangle * 3 + i % 3]];
        for (int k = 0; k < 3; k++) {
            part->low[k] = i ? fminf(part->low[k], point[k]) : point[k];
            part->high[k] = i ? fmaxf(part->high[k], point[k]) : point[k];
        }
    }
}

/* Of a box that is thick in each direction, so that flat ones have a size, too. */
static float size_of(const patch *part)
{
    float size = 1;
    for (int k = 0; k < 3; k++)
        size *= fmaxf(part->high[k] - part->low[k], 2 * least_half);
    return size;
}

static int compare_triangles(const void *a, const void *b)
{
    const sorted_triangle *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->number > y->number) - (x->number < y->number);
}

static void part_in_two(patches *p, patch *part)
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (part->high[k] - part->low[k] > part->high[axis] - part->low[axis])
            axis = k;
    for (uint32_t i = part->first; i < part->first + part->count; i++)
        p->triangles[i].key = middle_of(p->mesh, p->triangles[i].number, axis);
    qsort(&p->triangles[part->first], part->count, sizeof *p->triangles, compare_triangles);
    patch *other = &p->items[p->count++];
    uint32_t half = part->count / 2;
    *other = (patch){.first = part->first + half, .count = part->count - half};
    part->count = half;
    bound(p, part);
    bound(p, other);
}

static void part_all(patches *p)
{
    float whole = size_of(&p->items[0]);
    while (p->count < PMX_PATCHES_MAX) {
        patch *largest = NULL;
        for (uint32_t i = 0; i < p->count; i++)
            if (p->items[i].count > 1 && (!largest || size_of(&p->items[i]) > size_of(largest)))
                largest = &p->items[i];
        if (!largest || size_of(largest) < small_enough * whole)
            return;
        part_in_two(p, largest);
    }
}

/* Thicker where the world's up is along an axis and the part is flat along it, away from up. */
static void thicken(patch *part, const mmd_transform *place)
{
    mmd_transform turn = *place;
    memset(turn.translation, 0, sizeof turn.translation);
    for (int k = 0; k < 3; k++) {
        float axis[3] = {k == 0, k == 1, k == 2};
        mmd_transform_point(&turn, axis, axis);
        if (fabsf(axis[1]) < 0.7f || part->high[k] - part->low[k] > flat)
            continue;
        if (axis[1] > 0)
            part->low[k] = part->high[k] - flat;
        else
            part->high[k] = part->low[k] + flat;
    }
}

static void make_box(patch *part, const mmd_phys_shape *shape, const mmd_transform *rest, pmx_shape *made)
{
    mmd_transform place;
    float middle[3];
    mmd_transform_multiply(rest, &shape->frame, &place);
    thicken(part, &place);
    *made = (pmx_shape){.kind = 1, .frame = shape->frame};
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5f * (part->low[k] + part->high[k]);
        made->size[k] = fmaxf(least_half, 0.5f * (part->high[k] - part->low[k]));
    }
    mmd_transform_point(&shape->frame, middle, made->frame.translation);
}

uint32_t target_patches(pmx_target *target, const mmd_phys_shape *shape, const mmd_transform *rest,
                        pmx_shape *made)
{
    patches p = {.mesh = &target->job->scene->meshes[shape->mesh], .count = 1};
    uint32_t count = p.mesh->index_count / 3;
    float sum = 0;
    target_shape_of(target->job->scene, shape, made);
    p.triangles = count < 2 || target->patch_count >= PMX_ALL_PATCHES_MAX
                      ? NULL
                      : target_alloc(target, count, sizeof *p.triangles);
    if (!p.triangles)
        return 1;
    for (uint32_t i = 0; i < count; i++)
        p.triangles[i].number = i;
    p.items[0] = (patch){.count = count};
    bound(&p, &p.items[0]);
    float whole = size_of(&p.items[0]);
    part_all(&p);
    for (uint32_t i = 0; i < p.count; i++)
        sum += size_of(&p.items[i]);
    if (sum > worth_it * whole)
        return 1;
    for (uint32_t i = 0; i < p.count; i++)
        make_box(&p.items[i], shape, rest, &made[i]);
    return p.count;
}
