/*
 * Converts shapes of a scene to the three that PMX has (docs/formats.md 4). Spheres, boxes and capsules with
 * one radius are exact. Long cylinders become capsules of the same height; short ones, hulls, meshes and
 * planes become their bounding box.
 *
 * Volumes are computed as in physics/bullet/shapes.cpp, which derives masses from them: tapered shapes as
 * solids of revolution, hulls by tetrahedra from the origin to their faces (D. Eberly, "Polyhedral mass
 * properties", 2002).
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/elementary.h"
#include "mmd/memory.h"
#include "write.h"

static const float plane_half = 200.0f, plane_depth = 5.0f, least_half = 0.01f;
static const double pi = 3.14159265358979;

/* --------------------------------------------------------------- volumes */

/* Returns the volume of two balls and the cone tangent to both. */
static double tapered_capsule(double low, double high, double length)
{
    double slope = length > 0 ? (low - high) / length : 2;
    if (fabs(slope) >= 1) {
        double radius = mmd_max(low, high);
        return 4 * pi / 3 * radius * radius * radius;
    }
    double across = sqrt(1 - slope * slope), from = low * slope, to = high * slope;
    double a = low * across, b = high * across;
    double bottom = pi * (2 * low * low * low / 3 + low * low * from - from * from * from / 3);
    double top = pi * (2 * high * high * high / 3 - high * high * to + to * to * to / 3);
    return bottom + top + pi / 3 * (length + to - from) * (a * a + a * b + b * b);
}

/* Returns the volume of a mesh's hull. */
static double hull_volume(const mmd_phys_mesh *mesh)
{
    uint32_t *indices, count;
    double six = 0;
    if (!mmd_hull_triangles(mesh->points, mesh->point_count, &indices, &count))
        return 0;
    for (uint32_t i = 0; i + 2 < count; i += 3) {
        const float *a = mesh->points[indices[i]], *b = mesh->points[indices[i + 1]],
                    *c = mesh->points[indices[i + 2]];
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            six += (double)a[k] * ((double)b[l] * (double)c[m] - (double)b[m] * (double)c[l]);
        }
    }
    mmd_free(indices);
    return fabs(six) / 6;
}

double target_shape_volume(const mmd_physscene *scene, const mmd_phys_shape *shape)
{
    assert(scene && shape);
    const double x = (double)shape->size[0], y = (double)shape->size[1], z = (double)shape->size[2];
    switch ((mmd_phys_shape_kind)shape->kind) {
    case MMD_PHYS_SPHERE:
        return 4 * pi / 3 * x * x * x;
    case MMD_PHYS_BOX:
        return 8 * x * y * z;
    case MMD_PHYS_CAPSULE:
        return tapered_capsule(x, z, y);
    case MMD_PHYS_CYLINDER:
        return pi / 3 * y * (x * x + x * z + z * z);
    case MMD_PHYS_HULL:
    case MMD_PHYS_MESH:
        return hull_volume(&scene->meshes[shape->mesh]);
    default:
        return 0;
    }
}

/* ---------------------------------------------------------------- bounds */

static void mesh_bounds(const mmd_phys_mesh *mesh, float low[3], float high[3])
{
    for (uint32_t i = 0; i < mesh->point_count; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = i ? mmd_minf(low[k], mesh->points[i][k]) : mesh->points[i][k];
            high[k] = i ? mmd_maxf(high[k], mesh->points[i][k]) : mesh->points[i][k];
        }
}

static void round_bounds(const mmd_phys_shape *shape, float low[3], float high[3])
{
    bool capped = shape->kind == MMD_PHYS_CAPSULE;
    float radius = mmd_maxf(shape->size[0], shape->size[2]), half = 0.5f * shape->size[1];
    low[0] = low[2] = -radius;
    high[0] = high[2] = radius;
    low[1] = -half - (capped ? shape->size[0] : 0);
    high[1] = half + (capped ? shape->size[2] : 0);
}

/* Computes the bounds of a shape in its own frame. */
static void bounds_of(const mmd_physscene *scene, const mmd_phys_shape *shape, float low[3], float high[3])
{
    for (int k = 0; k < 3; k++) {
        high[k] = shape->kind == MMD_PHYS_BOX ? shape->size[k] : shape->size[0];
        low[k] = -high[k];
    }
    switch ((mmd_phys_shape_kind)shape->kind) {
    case MMD_PHYS_CAPSULE:
    case MMD_PHYS_CYLINDER:
        round_bounds(shape, low, high);
        break;
    case MMD_PHYS_HULL:
    case MMD_PHYS_MESH:
        mesh_bounds(&scene->meshes[shape->mesh], low, high);
        break;
    case MMD_PHYS_PLANE:
        low[0] = low[2] = -plane_half;
        high[0] = high[2] = plane_half;
        low[1] = -plane_depth;
        high[1] = 0;
        break;
    default:
        break;
    }
}

/* Makes a box from bounds. */
static void make_box(const float low[3], const float high[3], pmx_shape *made)
{
    float middle[3];
    made->kind = 1;
    made->exact = false;
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5f * (low[k] + high[k]);
        made->size[k] = mmd_maxf(least_half, 0.5f * (high[k] - low[k]));
    }
    mmd_transform_point(&made->frame, middle, made->frame.translation);
}

/* --------------------------------------------------------------- shapes */

void target_shape_of(const mmd_physscene *scene, const mmd_phys_shape *shape, pmx_shape *made)
{
    assert(scene && shape && made);
    const float radius = mmd_maxf(shape->size[0], shape->size[2]), height = shape->size[1];
    float low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    *made = (pmx_shape){.frame = shape->frame, .exact = true};
    memcpy(made->size, shape->size, sizeof made->size);
    switch ((mmd_phys_shape_kind)shape->kind) {
    case MMD_PHYS_SPHERE:
        return;
    case MMD_PHYS_BOX:
        made->kind = 1;
        return;
    case MMD_PHYS_CAPSULE:
        made->kind = 2;
        made->exact = shape->size[0] == shape->size[2];
        made->size[0] = made->exact ? shape->size[0] : 0.5f * (shape->size[0] + shape->size[2]);
        return;
    case MMD_PHYS_CYLINDER:
        if (height < 2 * radius)
            break;
        *made = (pmx_shape){.kind = 2, .size = {radius, height - 2 * radius}, .frame = shape->frame};
        return;
    default:
        break;
    }
    bounds_of(scene, shape, low, high);
    make_box(low, high, made);
}

/* Extends bounds by a shape in its body. */
static void extend_bounds(const mmd_physscene *scene, const mmd_phys_shape *shape, bool *any, float low[3],
                          float high[3])
{
    float from[3] = {0, 0, 0}, to[3] = {0, 0, 0};
    bounds_of(scene, shape, from, to);
    for (int corner = 0; corner < 8; corner++) {
        float point[3];
        for (int k = 0; k < 3; k++)
            point[k] = corner >> k & 1 ? to[k] : from[k];
        mmd_transform_point(&shape->frame, point, point);
        for (int k = 0; k < 3; k++) {
            low[k] = *any ? mmd_minf(low[k], point[k]) : point[k];
            high[k] = *any ? mmd_maxf(high[k], point[k]) : point[k];
        }
        *any = true;
    }
}

void target_shape_around(const mmd_physscene *scene, const mmd_phys_body *body, bool triggers,
                         pmx_shape *made)
{
    assert(scene && body && made);
    float low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    bool any = false;
    for (uint32_t i = 0; i < body->shape_count; i++)
        if (scene->shapes[body->first_shape + i].trigger == triggers)
            extend_bounds(scene, &scene->shapes[body->first_shape + i], &any, low, high);
    *made = (pmx_shape){.frame = {.rotation = {0, 0, 0, 1}}};
    make_box(low, high, made);
}

/* Returns the largest shape; of equal ones the first. */
const mmd_phys_shape *target_largest_shape(const mmd_physscene *scene, const mmd_phys_body *body)
{
    assert(scene && body);
    if (body->shape_count == 1)
        return &scene->shapes[body->first_shape];
    const mmd_phys_shape *best = NULL;
    double most = -1;
    for (int pass = 0; pass < 2 && !best; pass++)
        for (uint32_t i = 0; i < body->shape_count; i++) {
            const mmd_phys_shape *shape = &scene->shapes[body->first_shape + i];
            if (shape->trigger != (pass == 1))
                continue;
            double volume = shape->kind == MMD_PHYS_PLANE ? HUGE_VAL : target_shape_volume(scene, shape);
            if (volume > most) {
                most = volume;
                best = shape;
            }
        }
    return best;
}

/* -------------------------------------------------------- patches of a mesh */

/*
 * Approximates a static triangle mesh, such as a ground, by boxes. The bounding box of all triangles is split
 * repeatedly, always the largest part, at the median triangle along its longest side (like bounding volume
 * hierarchies; J. Goldsmith and J. Salmon, "Automatic creation of object hierarchies for ray tracing", 1987).
 * Flat parts are thickened downwards, so that nothing falls through them.
 */

/*
 * Parts with less than small_enough of the whole volume are not split. Boxes are used if they have at most
 * worth_it of the bounding box's volume.
 */
static const float small_enough = 1.0f / 256, worth_it = 0.6f;

static const float flat = 2.0f, patch_least_half = 0.05f;

typedef struct patch {
    uint32_t first, count; /* range of triangles */
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

/* Returns three times a triangle's centre along an axis. */
static float middle_of(const mmd_phys_mesh *mesh, uint32_t triangle, int axis)
{
    const uint32_t *corner = &mesh->indices[(size_t)triangle * 3];
    return mesh->points[corner[0]][axis] + mesh->points[corner[1]][axis] + mesh->points[corner[2]][axis];
}

/* Computes the bounds of a patch. */
static void bound_patch(const patches *p, patch *part)
{
    for (uint32_t i = 0; i < part->count * 3; i++) {
        uint32_t triangle = p->triangles[part->first + i / 3].number;
        const float *point = p->mesh->points[p->mesh->indices[(size_t)triangle * 3 + i % 3]];
        for (int k = 0; k < 3; k++) {
            part->low[k] = i ? mmd_minf(part->low[k], point[k]) : point[k];
            part->high[k] = i ? mmd_maxf(part->high[k], point[k]) : point[k];
        }
    }
}

/* Returns the volume of a patch with a minimum thickness, so that flat ones have a volume, too. */
static float size_of(const patch *part)
{
    float size = 1;
    for (int k = 0; k < 3; k++)
        size *= mmd_maxf(part->high[k] - part->low[k], 2 * patch_least_half);
    return size;
}

static int compare_triangles(const void *a, const void *b)
{
    const sorted_triangle *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->number > y->number) - (x->number < y->number);
}

/* Splits a patch into two halves. */
static void split_patch(patches *p, patch *part)
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
    bound_patch(p, part);
    bound_patch(p, other);
}

/* Splits the largest patches. */
static void split_patches(patches *p)
{
    float whole = size_of(&p->items[0]);
    while (p->count < PMX_PATCHES_MAX) {
        patch *largest = NULL;
        for (uint32_t i = 0; i < p->count; i++)
            if (p->items[i].count > 1 && (!largest || size_of(&p->items[i]) > size_of(largest)))
                largest = &p->items[i];
        if (!largest || size_of(largest) < small_enough * whole)
            return;
        split_patch(p, largest);
    }
}

/* Thickens a patch that is flat and horizontal, downwards. */
static void thicken(patch *part, const mmd_transform *transform)
{
    mmd_transform turn = *transform;
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

/* Makes the box of a patch. */
static void patch_box(patch *part, const mmd_phys_shape *shape, const mmd_transform *rest, pmx_shape *made)
{
    mmd_transform transform;
    float middle[3];
    mmd_transform_multiply(rest, &shape->frame, &transform);
    thicken(part, &transform);
    *made = (pmx_shape){.kind = 1, .frame = shape->frame};
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5f * (part->low[k] + part->high[k]);
        made->size[k] = mmd_maxf(patch_least_half, 0.5f * (part->high[k] - part->low[k]));
    }
    mmd_transform_point(&shape->frame, middle, made->frame.translation);
}

uint32_t target_patches(pmx_target *target, const mmd_phys_shape *shape, const mmd_transform *rest,
                        pmx_shape *made)
{
    assert(target && shape && made);
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
    bound_patch(&p, &p.items[0]);
    float whole = size_of(&p.items[0]);
    split_patches(&p);
    for (uint32_t i = 0; i < p.count; i++)
        sum += size_of(&p.items[i]);
    if (sum > worth_it * whole)
        return 1;
    for (uint32_t i = 0; i < p.count; i++)
        patch_box(&p.items[i], shape, rest, &made[i]);
    return p.count;
}
