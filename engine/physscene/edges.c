/*
 * The edges of a mesh of triangles: all sides of all triangles, sorted, so
 * that those of one edge come together. An edge lies within a flat face where
 * its two triangles have the same normal.
 */
#include "mmd/physscene.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cosine of a thousandth of a radian, below which points are rounded; a gentle slope keeps all its edges. */
static const double flat = 0.9999995;

typedef struct side {
    uint32_t low, high; /* points */
    uint32_t triangle;
} side;

static int by_edge(const void *a, const void *b)
{
    const side *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static void list_sides(const mmd_phys_mesh *mesh, side *sides)
{
    for (uint32_t i = 0; i < mesh->index_count / 3 * 3; i++) {
        uint32_t first = i - i % 3, a = mesh->indices[i], b = mesh->indices[first + (i + 1) % 3];
        assert(a < mesh->point_count && b < mesh->point_count);
        sides[i] = (side){.low = a < b ? a : b, .high = a < b ? b : a, .triangle = first / 3};
    }
}

/* Of unit length, or zeros. */
static void normal_of(const mmd_phys_mesh *mesh, uint32_t triangle, double normal[3])
{
    double u[3], v[3], square = 0.0;
    const uint32_t *corner = &mesh->indices[(size_t)3 * triangle];
    for (int k = 0; k < 3; k++) {
        u[k] = (double)mesh->points[corner[1]][k] - (double)mesh->points[corner[0]][k];
        v[k] = (double)mesh->points[corner[2]][k] - (double)mesh->points[corner[0]][k];
    }
    for (int k = 0; k < 3; k++) {
        normal[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        square += normal[k] * normal[k];
    }
    for (int k = 0; k < 3; k++)
        normal[k] = square > 0.0 ? normal[k] / sqrt(square) : 0.0;
}

static bool lie_in_a_plane(const mmd_phys_mesh *mesh, uint32_t one, uint32_t other)
{
    double a[3], b[3];
    normal_of(mesh, one, a);
    normal_of(mesh, other, b);
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > flat;
}

bool mmd_mesh_edges(const mmd_phys_mesh *mesh, bool sharp_only, uint32_t (**edges)[2], uint32_t *edge_count)
{
    assert(mesh && edges && edge_count);
    uint32_t count = mesh->index_count / 3 * 3;
    *edges = NULL;
    *edge_count = 0;
    if (!count)
        return true;
    side *sides = mmd_alloc(count * sizeof *sides);
    *edges = sides ? mmd_alloc(count * sizeof **edges) : NULL;
    if (*edges) {
        list_sides(mesh, sides);
        qsort(sides, count, sizeof *sides, by_edge);
    }
    for (uint32_t i = 0, next; *edges && i < count; i = next) {
        for (next = i + 1;
             next < count && sides[next].low == sides[i].low && sides[next].high == sides[i].high;)
            next++;
        bool hidden =
            sharp_only && next == i + 2 && lie_in_a_plane(mesh, sides[i].triangle, sides[i + 1].triangle);
        if (hidden || sides[i].low == sides[i].high)
            continue;
        (*edges)[*edge_count][0] = sides[i].low;
        (*edges)[(*edge_count)++][1] = sides[i].high;
    }
    mmd_free(sides);
    return *edges != NULL;
}
