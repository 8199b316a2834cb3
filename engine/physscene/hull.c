/*
 * The convex hull of points, by adding one after the other to a tetrahedron:
 * the faces that see the new point go, and a fan from their rim to it comes
 * (the incremental construction: de Berg et al., Computational Geometry,
 * chapter 11). Quadratic in a number of points that is bounded.
 */
#include "mmd/physscene.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A hull of n points has no more than 2n - 4 faces; while it is made, dead ones are reused. */
enum { FACES_MAX = 2 * MMD_HULL_POINTS + 8 };

typedef struct hull_face {
    uint32_t corner[3];
    double normal[3], distance;
    bool used, seen;
} hull_face;

typedef struct hull_maker {
    const float (*points)[3];
    double tolerance;
    uint32_t face_count;
    hull_face faces[FACES_MAX];
    uint32_t rim_count;
    uint32_t rim[FACES_MAX][2];
    uint32_t pick_count, picks[MMD_HULL_POINTS];
} hull_maker;

static void minus(const float a[3], const float b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (double)a[k] - (double)b[k];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The plane of three corners; false where they lie in a line: such a face closes the hull, and sees nothing.
 */
static bool place_face(const hull_maker *maker, hull_face *face, uint32_t a, uint32_t b, uint32_t c)
{
    double u[3], v[3];
    minus(maker->points[b], maker->points[a], u);
    minus(maker->points[c], maker->points[a], v);
    cross(u, v, face->normal);
    double length = sqrt(dot(face->normal, face->normal));
    bool flat = length > 1e-12 * (dot(u, u) + dot(v, v));
    for (int k = 0; k < 3; k++)
        face->normal[k] = flat ? face->normal[k] / length : 0.0;
    const double at[3] = {(double)maker->points[a][0], (double)maker->points[a][1],
                          (double)maker->points[a][2]};
    face->distance = dot(face->normal, at);
    face->corner[0] = a;
    face->corner[1] = b;
    face->corner[2] = c;
    face->used = true;
    face->seen = false;
    return flat;
}

static double above(const hull_maker *maker, const hull_face *face, uint32_t point)
{
    const float *p = maker->points[point];
    return face->normal[0] * (double)p[0] + face->normal[1] * (double)p[1] + face->normal[2] * (double)p[2] -
           face->distance;
}

static hull_face *new_face(hull_maker *maker)
{
    for (uint32_t i = 0; i < maker->face_count; i++)
        if (!maker->faces[i].used)
            return &maker->faces[i];
    return maker->face_count < FACES_MAX ? &maker->faces[maker->face_count++] : NULL;
}

/* The farthest of the picked points from a line (or a point: direction of zeros), or from a plane. */
static uint32_t farthest(const hull_maker *maker, uint32_t from, const double *direction,
                         const double *normal, double *distance)
{
    uint32_t best = from;
    *distance = 0.0;
    for (uint32_t i = 0; i < maker->pick_count; i++) {
        double away[3], across[3];
        minus(maker->points[maker->picks[i]], maker->points[from], away);
        cross(away, direction ? direction : away, across);
        double found = normal      ? fabs(dot(away, normal))
                       : direction ? sqrt(dot(across, across))
                                   : sqrt(dot(away, away));
        if (found > *distance) {
            *distance = found;
            best = maker->picks[i];
        }
    }
    return best;
}

/* A tetrahedron as large as is easily found. */
static bool begin(hull_maker *maker)
{
    double length, width, height, along[3], side[3], normal[3];
    uint32_t a = maker->picks[0];
    uint32_t b = farthest(maker, a, NULL, NULL, &length);
    minus(maker->points[b], maker->points[a], along);
    uint32_t c = farthest(maker, a, along, NULL, &width);
    minus(maker->points[c], maker->points[a], side);
    cross(along, side, normal);
    double size = sqrt(dot(normal, normal));
    if (!(size > 0.0))
        return false;
    for (int k = 0; k < 3; k++)
        normal[k] /= size;
    uint32_t d = farthest(maker, a, NULL, normal, &height);
    maker->tolerance = 1e-5 * length;
    if (!(height > 10.0 * maker->tolerance))
        return false;
    double up[3];
    minus(maker->points[d], maker->points[a], up);
    if (dot(up, normal) > 0.0) { /* a, b, c from outside: d lies behind them */
        uint32_t swap = b;
        b = c;
        c = swap;
    }
    maker->face_count = 4;
    return place_face(maker, &maker->faces[0], a, b, c) && place_face(maker, &maker->faces[1], a, d, b) &&
           place_face(maker, &maker->faces[2], b, d, c) && place_face(maker, &maker->faces[3], c, d, a);
}

/* Whether a face that sees the point has the edge, from b to a. */
static bool shared(const hull_maker *maker, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < maker->face_count; i++) {
        const hull_face *face = &maker->faces[i];
        for (int k = 0; face->used && face->seen && k < 3; k++)
            if (face->corner[k] == b && face->corner[(k + 1) % 3] == a)
                return true;
    }
    return false;
}

static void find_rim(hull_maker *maker)
{
    maker->rim_count = 0;
    for (uint32_t i = 0; i < maker->face_count; i++) {
        const hull_face *face = &maker->faces[i];
        for (int k = 0; face->used && face->seen && k < 3; k++) {
            uint32_t a = face->corner[k], b = face->corner[(k + 1) % 3];
            if (shared(maker, a, b) || maker->rim_count == FACES_MAX)
                continue;
            maker->rim[maker->rim_count][0] = a;
            maker->rim[maker->rim_count++][1] = b;
        }
    }
}

static void add_point(hull_maker *maker, uint32_t point)
{
    bool any = false;
    for (uint32_t i = 0; i < maker->face_count; i++) {
        hull_face *face = &maker->faces[i];
        face->seen = face->used && above(maker, face, point) > maker->tolerance;
        any = any || face->seen;
    }
    if (!any)
        return;
    find_rim(maker);
    for (uint32_t i = 0; i < maker->face_count; i++)
        maker->faces[i].used = maker->faces[i].used && !maker->faces[i].seen;
    for (uint32_t i = 0; i < maker->rim_count; i++) {
        hull_face *face = new_face(maker);
        if (face)
            place_face(maker, face, maker->rim[i][0], maker->rim[i][1], point);
    }
}

/* The point that lies farthest in direction number i of MMD_HULL_POINTS, evenly spread (a Fibonacci
 * spiral). */
static uint32_t extreme(const float (*points)[3], uint32_t count, uint32_t i)
{
    float y = 1.0f - 2.0f * ((float)i + 0.5f) / (float)MMD_HULL_POINTS;
    float r = sqrtf(fmaxf(0.0f, 1.0f - y * y)), turn = 2.39996323f * (float)i;
    float x = r * cosf(turn), z = r * sinf(turn), most = -INFINITY;
    uint32_t best = 0;
    for (uint32_t k = 0; k < count; k++) {
        float along = points[k][0] * x + points[k][1] * y + points[k][2] * z;
        if (along > most) {
            most = along;
            best = k;
        }
    }
    return best;
}

static void pick(hull_maker *maker, uint32_t count)
{
    maker->pick_count = count < MMD_HULL_POINTS ? count : MMD_HULL_POINTS;
    for (uint32_t i = 0; i < maker->pick_count; i++)
        maker->picks[i] = count <= MMD_HULL_POINTS ? i : extreme(maker->points, count, i);
}

static bool copy_faces(const hull_maker *maker, uint32_t **indices, uint32_t *index_count)
{
    *indices = mmd_alloc((size_t)maker->face_count * 3 * sizeof **indices);
    if (!*indices)
        return false;
    for (uint32_t i = 0; i < maker->face_count; i++) {
        if (!maker->faces[i].used)
            continue;
        memcpy(*indices + *index_count, maker->faces[i].corner, sizeof maker->faces[i].corner);
        *index_count += 3;
    }
    return true;
}

bool mmd_hull_triangles(const float (*points)[3], uint32_t count, uint32_t **indices, uint32_t *index_count)
{
    assert((points || !count) && indices && index_count);
    *indices = NULL;
    *index_count = 0;
    hull_maker *maker = count < 4 ? NULL : mmd_alloc(sizeof *maker);
    if (!maker)
        return false;
    memset(maker, 0, sizeof *maker);
    maker->points = points;
    pick(maker, count);
    bool done = begin(maker);
    for (uint32_t i = 0; done && i < maker->pick_count; i++)
        add_point(maker, maker->picks[i]);
    done = done && copy_faces(maker, indices, index_count);
    mmd_free(maker);
    return done;
}
