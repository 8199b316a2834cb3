/*
 * Shapes of a scene as the three that PMX has (FORMATS.md 4): spheres, boxes
 * and even capsules as they are; long cylinders as capsules of the same height,
 * short ones, hulls, meshes and planes as the box around them.
 *
 * Volumes are those that Bullet's side takes masses from (mass.cpp): what
 * tapers is counted as solids of revolution, hulls by the tetrahedra from the
 * origin to their faces (D. Eberly, "Polyhedral mass properties", 2002).
 */
#include <math.h>
#include <string.h>

#include "mmd/memory.h"
#include "write.h"

static const float plane_half = 200.0f, plane_depth = 5.0f, least_half = 0.01f;
static const double pi = 3.14159265358979;

/* --------------------------------------------------------------- volumes */

/* Two balls and the cone that touches both. */
static double tapered_capsule(double low, double high, double length)
{
    double slope = length > 0 ? (low - high) / length : 2;
    if (fabs(slope) >= 1) {
        double radius = fmax(low, high);
        return 4 * pi / 3 * radius * radius * radius;
    }
    double across = sqrt(1 - slope * slope), from = low * slope, to = high * slope;
    double a = low * across, b = high * across;
    double bottom = pi * (2 * low * low * low / 3 + low * low * from - from * from * from / 3);
    double top = pi * (2 * high * high * high / 3 - high * high * to + to * to * to / 3);
    return bottom + top + pi / 3 * (length + to - from) * (a * a + a * b + b * b);
}

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
            low[k] = i ? fminf(low[k], mesh->points[i][k]) : mesh->points[i][k];
            high[k] = i ? fmaxf(high[k], mesh->points[i][k]) : mesh->points[i][k];
        }
}

static void round_bounds(const mmd_phys_shape *shape, float low[3], float high[3])
{
    bool capped = shape->kind == MMD_PHYS_CAPSULE;
    float radius = fmaxf(shape->size[0], shape->size[2]), half = 0.5f * shape->size[1];
    low[0] = low[2] = -radius;
    high[0] = high[2] = radius;
    low[1] = -half - (capped ? shape->size[0] : 0);
    high[1] = half + (capped ? shape->size[2] : 0);
}

/* In the shape's own frame. */
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

static void make_box(const float low[3], const float high[3], pmx_shape *made)
{
    float middle[3];
    made->kind = 1;
    made->exact = false;
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5f * (low[k] + high[k]);
        made->size[k] = fmaxf(least_half, 0.5f * (high[k] - low[k]));
    }
    mmd_transform_point(&made->frame, middle, made->frame.translation);
}

/* --------------------------------------------------------------- shapes */

void target_shape_of(const mmd_physscene *scene, const mmd_phys_shape *shape, pmx_shape *made)
{
    const float radius = fmaxf(shape->size[0], shape->size[2]), height = shape->size[1];
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

static void widen(const mmd_physscene *scene, const mmd_phys_shape *shape, bool *any, float low[3],
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
            low[k] = *any ? fminf(low[k], point[k]) : point[k];
            high[k] = *any ? fmaxf(high[k], point[k]) : point[k];
        }
        *any = true;
    }
}

void target_shape_around(const mmd_physscene *scene, const mmd_phys_body *body, bool triggers,
                         pmx_shape *made)
{
    float low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    bool any = false;
    for (uint32_t i = 0; i < body->shape_count; i++)
        if (scene->shapes[body->first_shape + i].trigger == triggers)
            widen(scene, &scene->shapes[body->first_shape + i], &any, low, high);
    *made = (pmx_shape){.frame = {.rotation = {0, 0, 0, 1}}};
    make_box(low, high, made);
}

/* Of equals the first. */
const mmd_phys_shape *target_largest_shape(const mmd_physscene *scene, const mmd_phys_body *body)
{
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
