/*
 * Computes convex hulls incrementally (de Berg et al., Computational Geometry, chapter 11): starting with a
 * tetrahedron, each point removes the faces that it is in front of and is connected to their rim by a fan of
 * new faces. The time is quadratic in the number of points, which is bounded.
 */
#include "mmd/physscene.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"

/* A hull of n points has at most 2n - 4 faces; removed faces are reused during construction. */
enum { FACES_MAX = 2 * MMD_HULL_POINTS + 8 };

/* A face and its plane. seen: the point being added lies in front of it. */
typedef struct hull_face {
    uint32_t corner[3];
    double normal[3], distance;
    bool used, seen;
} hull_face;

typedef struct hull_builder {
    const float (*points)[3];
    double tolerance;
    uint32_t face_count;
    hull_face faces[FACES_MAX];
    uint32_t rim_count;
    uint32_t rim[FACES_MAX][2];
    uint32_t pick_count, picks[MMD_HULL_POINTS];
} hull_builder;

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

/* Sets a face and its plane. Returns false if the corners are collinear: such a face closes the hull but is
 * in front of nothing. */
static bool set_face(const hull_builder *builder, hull_face *face, uint32_t a, uint32_t b, uint32_t c)
{
    double u[3], v[3];
    minus(builder->points[b], builder->points[a], u);
    minus(builder->points[c], builder->points[a], v);
    cross(u, v, face->normal);
    double length = sqrt(dot(face->normal, face->normal));
    bool flat = length > 1e-12 * (dot(u, u) + dot(v, v));
    for (int k = 0; k < 3; k++)
        face->normal[k] = flat ? face->normal[k] / length : 0.0;
    const double at[3] = {(double)builder->points[a][0], (double)builder->points[a][1],
                          (double)builder->points[a][2]};
    face->distance = dot(face->normal, at);
    face->corner[0] = a;
    face->corner[1] = b;
    face->corner[2] = c;
    face->used = true;
    face->seen = false;
    return flat;
}

/* Returns the signed distance of a point in front of a face. */
static double above(const hull_builder *builder, const hull_face *face, uint32_t point)
{
    const float *p = builder->points[point];
    return face->normal[0] * (double)p[0] + face->normal[1] * (double)p[1] + face->normal[2] * (double)p[2] -
           face->distance;
}

/* Returns an unused face, or NULL if there is none. */
static hull_face *new_face(hull_builder *builder)
{
    for (uint32_t i = 0; i < builder->face_count; i++)
        if (!builder->faces[i].used)
            return &builder->faces[i];
    return builder->face_count < FACES_MAX ? &builder->faces[builder->face_count++] : NULL;
}

/* Returns the picked point farthest from a plane through `from` (normal given), a line (direction given) or
 * the point itself. */
static uint32_t farthest(const hull_builder *builder, uint32_t from, const double *direction,
                         const double *normal, double *distance)
{
    uint32_t best = from;
    *distance = 0.0;
    for (uint32_t i = 0; i < builder->pick_count; i++) {
        double away[3], across[3];
        minus(builder->points[builder->picks[i]], builder->points[from], away);
        cross(away, direction ? direction : away, across);
        double found = normal      ? fabs(dot(away, normal))
                       : direction ? sqrt(dot(across, across))
                                   : sqrt(dot(away, away));
        if (found > *distance) {
            *distance = found;
            best = builder->picks[i];
        }
    }
    return best;
}

/* Starts the hull with a large tetrahedron of extreme points. Returns false if all points lie in a plane. */
static bool begin(hull_builder *builder)
{
    double length, width, height, along[3], side[3], normal[3];
    uint32_t a = builder->picks[0];
    uint32_t b = farthest(builder, a, NULL, NULL, &length);
    minus(builder->points[b], builder->points[a], along);
    uint32_t c = farthest(builder, a, along, NULL, &width);
    minus(builder->points[c], builder->points[a], side);
    cross(along, side, normal);
    double size = sqrt(dot(normal, normal));
    if (!(size > 0.0))
        return false;
    for (int k = 0; k < 3; k++)
        normal[k] /= size;
    uint32_t d = farthest(builder, a, NULL, normal, &height);
    builder->tolerance = 1e-5 * length;
    if (!(height > 10.0 * builder->tolerance))
        return false;
    double up[3];
    minus(builder->points[d], builder->points[a], up);
    if (dot(up, normal) > 0.0) { /* orients a, b, c outwards, with d behind */
        uint32_t swap = b;
        b = c;
        c = swap;
    }
    builder->face_count = 4;
    return set_face(builder, &builder->faces[0], a, b, c) && set_face(builder, &builder->faces[1], a, d, b) &&
           set_face(builder, &builder->faces[2], b, d, c) && set_face(builder, &builder->faces[3], c, d, a);
}

/* Returns whether a removed face has this edge in the direction from b to a, so that the edge is not on the
 * rim. */
static bool shared(const hull_builder *builder, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < builder->face_count; i++) {
        const hull_face *face = &builder->faces[i];
        for (int k = 0; face->used && face->seen && k < 3; k++)
            if (face->corner[k] == b && face->corner[(k + 1) % 3] == a)
                return true;
    }
    return false;
}

/* Lists the edges between removed and remaining faces. */
static void find_rim(hull_builder *builder)
{
    builder->rim_count = 0;
    for (uint32_t i = 0; i < builder->face_count; i++) {
        const hull_face *face = &builder->faces[i];
        for (int k = 0; face->used && face->seen && k < 3; k++) {
            uint32_t a = face->corner[k], b = face->corner[(k + 1) % 3];
            if (shared(builder, a, b) || builder->rim_count == FACES_MAX)
                continue;
            builder->rim[builder->rim_count][0] = a;
            builder->rim[builder->rim_count++][1] = b;
        }
    }
}

/* Adds a point to the hull. Points inside change nothing. */
static void add_point(hull_builder *builder, uint32_t point)
{
    bool any = false;
    for (uint32_t i = 0; i < builder->face_count; i++) {
        hull_face *face = &builder->faces[i];
        face->seen = face->used && above(builder, face, point) > builder->tolerance;
        any = any || face->seen;
    }
    if (!any)
        return;
    find_rim(builder);
    for (uint32_t i = 0; i < builder->face_count; i++)
        builder->faces[i].used = builder->faces[i].used && !builder->faces[i].seen;
    for (uint32_t i = 0; i < builder->rim_count; i++) {
        hull_face *face = new_face(builder);
        if (face)
            set_face(builder, face, builder->rim[i][0], builder->rim[i][1], point);
    }
}

/* Returns the point that is farthest in direction i of MMD_HULL_POINTS, which are spread evenly on a
 * Fibonacci spiral. */
static uint32_t extreme(const float (*points)[3], uint32_t count, uint32_t i)
{
    float y = 1.0f - 2.0f * ((float)i + 0.5f) / (float)MMD_HULL_POINTS;
    float r = sqrtf(mmd_maxf(0.0f, 1.0f - y * y)), turn = 2.39996323f * (float)i;
    float x = r * mmd_cosf(turn), z = r * mmd_sinf(turn), most = -INFINITY;
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

/* Picks all points, or the extreme ones if there are too many. */
static void pick(hull_builder *builder, uint32_t count)
{
    builder->pick_count = count < MMD_HULL_POINTS ? count : MMD_HULL_POINTS;
    for (uint32_t i = 0; i < builder->pick_count; i++)
        builder->picks[i] = count <= MMD_HULL_POINTS ? i : extreme(builder->points, count, i);
}

/* Copies the used faces as triangles. Returns false when out of memory. */
static bool copy_faces(const hull_builder *builder, uint32_t **indices, uint32_t *index_count)
{
    *indices = mmd_alloc((size_t)builder->face_count * 3 * sizeof **indices);
    if (!*indices)
        return false;
    for (uint32_t i = 0; i < builder->face_count; i++) {
        if (!builder->faces[i].used)
            continue;
        memcpy(*indices + *index_count, builder->faces[i].corner, sizeof builder->faces[i].corner);
        *index_count += 3;
    }
    return true;
}

bool mmd_hull_triangles(const float (*points)[3], uint32_t count, uint32_t **indices, uint32_t *index_count)
{
    assert((points || !count) && indices && index_count);
    *indices = NULL;
    *index_count = 0;
    hull_builder *builder = count < 4 ? NULL : mmd_alloc(sizeof *builder);
    if (!builder)
        return false;
    memset(builder, 0, sizeof *builder);
    builder->points = points;
    pick(builder, count);
    bool done = begin(builder);
    for (uint32_t i = 0; done && i < builder->pick_count; i++)
        add_point(builder, builder->picks[i]);
    done = done && copy_faces(builder, indices, index_count);
    mmd_free(builder);
    return done;
}
