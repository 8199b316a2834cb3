/*
 * Nearest points on shapes. Shapes of revolution about Y are reduced to a plane, with the distance from Y and
 * the height as coordinates. Hulls use GJK (Gilbert, Johnson, Keerthi 1988), with the nearest point of a
 * tetrahedron from its faces. Triangles follow Ericson (Real-Time Collision Detection, 5.1.5).
 */
#include <assert.h>

#include "nearest.h"
#include "mmd_math.h"

static void subtract(const float a[3], const float b[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static float distance2(const float a[3], const float b[3])
{
    float d[3];
    subtract(a, b, d);
    return dot3(d, d);
}

static void between(const float a[3], const float b[3], float t, float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + (b[k] - a[k]) * t;
}

void mmd_nearest_on_segment(const float a[3], const float b[3], const float p[3], float out[3])
{
    float ab[3], ap[3];
    subtract(b, a, ab);
    subtract(p, a, ap);
    float length2 = dot3(ab, ab);
    between(a, b, length2 > 0.0f ? clampf(dot3(ap, ab) / length2, 0.0f, 1.0f) : 0.0f, out);
}

/* Finds the foot of p on the triangle's plane. Returns false if it is outside the triangle. */
static bool foot_inside(const float a[3], const float b[3], const float c[3], const float p[3], float out[3])
{
    float ab[3], ac[3], ap[3], normal[3], turned[3];
    subtract(b, a, ab);
    subtract(c, a, ac);
    subtract(p, a, ap);
    cross3(ab, ac, normal);
    float square = dot3(normal, normal);
    if (!(square > 0.0f))
        return false;
    cross3(ap, ac, turned);
    float v = dot3(turned, normal) / square;
    cross3(ab, ap, turned);
    float w = dot3(turned, normal) / square;
    if (v < 0.0f || w < 0.0f || v + w > 1.0f)
        return false;
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + v * ab[k] + w * ac[k];
    return true;
}

void mmd_nearest_on_triangle(const float a[3], const float b[3], const float c[3], const float p[3],
                             float out[3])
{
    const float *const edges[3][2] = {{a, b}, {b, c}, {c, a}};
    float best[3];
    if (!foot_inside(a, b, c, p, best)) {
        float least = INFINITY;
        for (int i = 0; i < 3; i++) {
            float candidate[3];
            mmd_nearest_on_segment(edges[i][0], edges[i][1], p, candidate);
            float square = distance2(candidate, p);
            if (square < least) {
                least = square;
                memcpy(best, candidate, sizeof best);
            }
        }
    }
    memcpy(out, best, sizeof best);
}

/* ------------------------------------------------------------------ hull */

/* Returns the corner that is farthest in a direction. */
static const float *support(const mmd_phys_mesh *mesh, const float direction[3])
{
    const float *best = mesh->points[0];
    for (uint32_t i = 1; i < mesh->point_count; i++) {
        if (dot3(mesh->points[i], direction) > dot3(best, direction))
            best = mesh->points[i];
    }
    return best;
}

typedef struct simplex {
    int count;
    const float *corner[4];
} simplex;

/* Tests whether p is on the inner side of all faces. A flat tetrahedron has no inside. */
static bool within_tetrahedron(const simplex *s, const float p[3])
{
    for (int i = 0; i < 4; i++) {
        const float *a = s->corner[(i + 1) & 3], *b = s->corner[(i + 2) & 3], *c = s->corner[(i + 3) & 3];
        float ab[3], ac[3], normal[3], to_p[3], to_other[3];
        subtract(b, a, ab);
        subtract(c, a, ac);
        cross3(ab, ac, normal);
        subtract(p, a, to_p);
        subtract(s->corner[i], a, to_other);
        float side = dot3(normal, to_other);
        if (side == 0.0f || dot3(normal, to_p) * side < 0.0f)
            return false;
    }
    return true;
}

/* Finds the nearest point of the simplex. Of four corners, drops the one that does not contribute. */
static void nearest_on_simplex(simplex *s, const float p[3], float out[3])
{
    if (s->count == 1)
        memcpy(out, s->corner[0], 3 * sizeof(float));
    else if (s->count == 2)
        mmd_nearest_on_segment(s->corner[0], s->corner[1], p, out);
    else if (s->count == 3)
        mmd_nearest_on_triangle(s->corner[0], s->corner[1], s->corner[2], p, out);
    else if (within_tetrahedron(s, p))
        memcpy(out, p, 3 * sizeof(float));
    else {
        float least = INFINITY;
        int unused = 0;
        for (int i = 0; i < 4; i++) {
            float candidate[3];
            mmd_nearest_on_triangle(s->corner[(i + 1) & 3], s->corner[(i + 2) & 3], s->corner[(i + 3) & 3], p,
                                    candidate);
            float square = distance2(candidate, p);
            if (square < least) {
                least = square;
                unused = i;
                memcpy(out, candidate, sizeof candidate);
            }
        }
        s->corner[unused] = s->corner[3];
        s->count = 3;
    }
}

/* Finds the nearest point of a convex hull by GJK: the simplex is extended towards p until no corner is
 * nearer. */
static void nearest_on_hull(const mmd_phys_mesh *mesh, const float p[3], float out[3])
{
    if (mesh->point_count == 0) {
        memcpy(out, p, 3 * sizeof(float));
        return;
    }
    simplex s = {.count = 1, .corner = {mesh->points[0]}};
    float best[3];
    nearest_on_simplex(&s, p, best);
    for (int i = 0; i < 64; i++) {
        float direction[3];
        subtract(p, best, direction);
        const float *farther = support(mesh, direction);
        float step[3];
        subtract(farther, best, step);
        if (dot3(step, direction) <= 1e-6f * dot3(direction, direction))
            break;
        s.corner[s.count++] = farther;
        nearest_on_simplex(&s, p, best);
    }
    memcpy(out, best, sizeof best);
}

/* ------------------------------------------------------- the other shapes */

static void nearest_on_mesh(const mmd_phys_mesh *mesh, const float p[3], float out[3])
{
    float least = INFINITY, best[3];
    memcpy(best, p, sizeof best);
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3) {
        const uint32_t *corner = mesh->indices + i;
        float candidate[3];
        mmd_nearest_on_triangle(mesh->points[corner[0]], mesh->points[corner[1]], mesh->points[corner[2]], p,
                                candidate);
        float square = distance2(candidate, p);
        if (square < least) {
            least = square;
            memcpy(best, candidate, sizeof best);
        }
    }
    memcpy(out, best, sizeof best);
}

/* A point of the plane: x is the distance from Y, y the height. */
typedef struct profile {
    float x, y;
} profile;

static profile nearest_on_disc(profile center, float radius, profile p)
{
    float dx = p.x - center.x, dy = p.y - center.y, length = sqrtf(dx * dx + dy * dy);
    if (length <= radius)
        return p;
    return (profile){center.x + dx * radius / length, center.y + dy * radius / length};
}

/* Finds the nearest point in two spheres and the cone that touches both. */
static profile nearest_on_capsule(const float size[3], profile p)
{
    float bottom = size[0], length = size[1], top = size[2];
    profile low = {0.0f, -0.5f * length}, high = {0.0f, 0.5f * length};
    if (fabsf(bottom - top) >= length)
        return bottom > top ? nearest_on_disc(low, bottom, p) : nearest_on_disc(high, top, p);
    float sine = (bottom - top) / length, cosine = sqrtf(1.0f - sine * sine);
    float up = p.y - low.y, along = up * cosine - p.x * sine;
    if (along <= 0.0f)
        return nearest_on_disc(low, bottom, p);
    if (along >= cosine * length)
        return nearest_on_disc(high, top, p);
    float outside = p.x * cosine + up * sine - bottom;
    if (outside <= 0.0f)
        return p;
    return (profile){p.x - cosine * outside, p.y - sine * outside};
}

static profile nearest_on_line(profile a, profile b, profile p)
{
    const float from[3] = {a.x, a.y, 0.0f}, to[3] = {b.x, b.y, 0.0f}, at[3] = {p.x, p.y, 0.0f};
    float out[3];
    mmd_nearest_on_segment(from, to, at, out);
    return (profile){out[0], out[1]};
}

static float profile_distance2(profile a, profile b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/* Finds the nearest point in the cone between two discs. */
static profile nearest_on_cylinder(const float size[3], profile p)
{
    float bottom = size[0], half = 0.5f * size[1], top = size[2];
    float share = size[1] > 0.0f ? clampf((p.y + half) / size[1], 0.0f, 1.0f) : 0.0f;
    if (fabsf(p.y) <= half && p.x <= bottom + (top - bottom) * share)
        return p;
    const profile corners[4] = {{0.0f, -half}, {bottom, -half}, {top, half}, {0.0f, half}};
    profile best = corners[0];
    for (int i = 0; i < 3; i++) {
        profile candidate = nearest_on_line(corners[i], corners[i + 1], p);
        if (profile_distance2(candidate, p) < profile_distance2(best, p))
            best = candidate;
    }
    return best;
}

static profile nearest_on_profile(const mmd_phys_shape *shape, profile p)
{
    if (shape->kind == MMD_PHYS_SPHERE)
        return nearest_on_disc((profile){0.0f, 0.0f}, shape->size[0], p);
    return shape->kind == MMD_PHYS_CAPSULE ? nearest_on_capsule(shape->size, p)
                                           : nearest_on_cylinder(shape->size, p);
}

static void nearest_on_round(const mmd_phys_shape *shape, const float p[3], float out[3])
{
    float radius = sqrtf(p[0] * p[0] + p[2] * p[2]);
    profile found = nearest_on_profile(shape, (profile){radius, p[1]});
    float scale = radius > 0.0f ? found.x / radius : 0.0f;
    const float result[3] = {radius > 0.0f ? p[0] * scale : found.x, found.y, p[2] * scale};
    memcpy(out, result, sizeof result);
}

void mmd_nearest_on_shape(const mmd_physscene *scene, const mmd_phys_shape *shape, const float p[3],
                          float out[3])
{
    assert(scene && shape && p && out);
    switch (shape->kind) {
    case MMD_PHYS_BOX:
        for (int k = 0; k < 3; k++)
            out[k] = clampf(p[k], -shape->size[k], shape->size[k]);
        break;
    case MMD_PHYS_HULL:
        nearest_on_hull(&scene->meshes[shape->mesh], p, out);
        break;
    case MMD_PHYS_MESH:
        nearest_on_mesh(&scene->meshes[shape->mesh], p, out);
        break;
    case MMD_PHYS_PLANE: {
        const float foot[3] = {p[0], mmd_minf(p[1], 0.0f), p[2]};
        memcpy(out, foot, sizeof foot);
        break;
    }
    default:
        nearest_on_round(shape, p, out);
    }
}
