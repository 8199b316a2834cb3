/*
 * The volume of a body's shapes and its centre, for OMI, which knows no mass
 * and no centre of mass that follow from them. Solids are summed as
 * physics/bullet/mass.cpp does; a mesh is its hull, in tetrahedra from its
 * first point (D. Eberly, "Polyhedral mass properties", 2002).
 */
#include <math.h>

#include "write_physics.h"

static const float pi = 3.14159265f;

/* A frustum along Y: its volume, and how far its centre is above its middle. */
static float frustum(float bottom, float top, float height, float *middle)
{
    float sum = bottom * bottom + bottom * top + top * top;
    *middle =
        sum > 0 ? height * (bottom * bottom + 2 * bottom * top + 3 * top * top) / (4 * sum) - height / 2 : 0;
    return pi * height / 3 * sum;
}

/* A tapered capsule is taken for a frustum with half balls: near enough for a mass that nobody gave. */
static float round_volume(const mmd_phys_shape *shape, float center[3])
{
    const float *size = shape->size;
    float volume = frustum(size[0], size[2], size[1], &center[1]);
    if (shape->kind == MMD_PHYS_CYLINDER)
        return volume;
    float low = 2 * pi / 3 * size[0] * size[0] * size[0], high = 2 * pi / 3 * size[2] * size[2] * size[2];
    float moment =
        volume * center[1] + high * (size[1] / 2 + 0.375f * size[2]) - low * (size[1] / 2 + 0.375f * size[0]);
    volume += low + high;
    center[1] = volume > 0 ? moment / volume : 0;
    return volume;
}

static double six_volumes(const float *o, const float *a, const float *b, const float *c)
{
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (double)a[k] - (double)o[k];
        v[k] = (double)b[k] - (double)o[k];
        w[k] = (double)c[k] - (double)o[k];
    }
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}

static float hull_volume(const mmd_phys_mesh *mesh, float center[3])
{
    uint32_t *indices = NULL, count = 0;
    double volume = 0, sum[3] = {0, 0, 0};
    if (!mmd_hull_triangles(mesh->points, mesh->point_count, &indices, &count))
        return 0;
    const float *o = mesh->points[indices[0]];
    for (uint32_t i = 0; i + 2 < count; i += 3) {
        const float *a = mesh->points[indices[i]], *b = mesh->points[indices[i + 1]],
                    *c = mesh->points[indices[i + 2]];
        double six = six_volumes(o, a, b, c);
        volume += six;
        for (int k = 0; k < 3; k++)
            sum[k] += six * ((double)o[k] + (double)a[k] + (double)b[k] + (double)c[k]) / 4;
    }
    mmd_free(indices);
    for (int k = 0; k < 3; k++)
        center[k] = volume != 0 ? (float)(sum[k] / volume) : 0;
    return (float)fabs(volume / 6);
}

static float shape_volume(const mmd_physscene *scene, const mmd_phys_shape *shape, float center[3])
{
    const float *size = shape->size;
    switch ((mmd_phys_shape_kind)shape->kind) {
    case MMD_PHYS_SPHERE:
        return 4 * pi / 3 * size[0] * size[0] * size[0];
    case MMD_PHYS_BOX:
        return 8 * size[0] * size[1] * size[2];
    case MMD_PHYS_CAPSULE:
    case MMD_PHYS_CYLINDER:
        return round_volume(shape, center);
    case MMD_PHYS_HULL:
    case MMD_PHYS_MESH:
        return hull_volume(&scene->meshes[shape->mesh], center);
    case MMD_PHYS_PLANE:
        break;
    }
    return 0;
}

float phys_body_volume(phys_writer *writer, const mmd_phys_body *body, float center[3])
{
    float total = 0, sum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < body->shape_count; i++) {
        const mmd_phys_shape *shape = &writer->scene->shapes[body->first_shape + i];
        float middle[3] = {0, 0, 0};
        if (shape->trigger)
            continue;
        float volume = shape_volume(writer->scene, shape, middle);
        mmd_transform_point(&shape->frame, middle, middle);
        total += volume;
        for (int k = 0; k < 3; k++)
            sum[k] += volume * middle[k];
    }
    for (int k = 0; k < 3; k++)
        center[k] = total > 0 ? sum[k] / total : 0;
    return total;
}
