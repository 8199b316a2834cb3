/* The physics scene: defaults, lifetime, collision filters and edges of meshes. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/physscene.h"

/* --------------------------------------------------------------------- life */

void mmd_physscene_destroy(mmd_physscene *scene)
{
    if (!scene)
        return;
    mmd_arena arena = scene->arena;
    *scene = (mmd_physscene){0};
    mmd_arena_finish(&arena);
}

mmd_phys_world mmd_default_phys_world(void)
{
    return (mmd_phys_world){.gravity = {0.0f, -98.0f, 0.0f},
                            .ground = true,
                            .ground_friction = 0.5f,
                            .ground_restitution = 0.88f,
                            .rate = 60,
                            .iterations = 10,
                            .joint_erp = 0.5f,
                            .joint_lever = MMD_LEVER_STOCK,
                            .damping = MMD_DAMPING_PLAIN,
                            .extras = ""};
}

/* 9.80665 m/s^2 in units of 8 cm. */
static const float gltf_gravity = 9.80665f / 0.08f;

mmd_phys_world mmd_default_gltf_world(void)
{
    return (mmd_phys_world){.gravity = {0.0f, -gltf_gravity, 0.0f},
                            .ground_friction = 0.6f,
                            .rate = 240,
                            .iterations = 50,
                            .joint_erp = 0.2f,
                            .joint_lever = MMD_LEVER_OWN,
                            .damping = MMD_DAMPING_PLAIN,
                            .exact_restitution = true,
                            .extras = ""};
}

mmd_phys_material mmd_default_phys_material(void)
{
    return (mmd_phys_material){.static_friction = 0.6f, .dynamic_friction = 0.6f, .name = ""};
}

/* ------------------------------------------------------------ what collides */

/* Collision filters: PMX's groups and masks, and KHR's systems by intersection (docs/formats.md 1 and 4). */

/* Short lists of names are compared directly. For longer ones, the names of one list are marked in a bit set
 * first. */
enum { FEW = 16, MARKS = 1024 };

static bool contains(const uint32_t *list, uint32_t count, uint32_t name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] == name)
            return true;
    }
    return false;
}

/* Returns whether two long lists have a common name. The time is proportional to the sum of their lengths in
 * practice: a name is searched only if its bit is set. */
static bool long_lists_meet(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count)
{
    uint64_t marks[MARKS / 64] = {0};
    for (uint32_t i = 0; i < a_count; i++)
        marks[a[i] / 64 % (MARKS / 64)] |= UINT64_C(1) << a[i] % 64;
    for (uint32_t k = 0; k < b_count; k++) {
        if ((marks[b[k] / 64 % (MARKS / 64)] >> b[k] % 64 & 1) != 0 && contains(a, a_count, b[k]))
            return true;
    }
    return false;
}

/* Returns whether two lists have a common name. */
static bool lists_meet(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count)
{
    if ((uint64_t)a_count * b_count > FEW)
        return long_lists_meet(a, a_count, b, b_count);
    for (uint32_t k = 0; k < b_count; k++) {
        if (contains(a, a_count, b[k]))
            return true;
    }
    return false;
}

/* Returns whether `filter` accepts `other`. */
static bool accepts(const mmd_phys_filter *filter, const mmd_phys_filter *other)
{
    if (filter->named != other->named)
        return true;
    if (!filter->named)
        return (filter->mask >> other->group & 1) != 0;
    if (filter->has_collide_with &&
        !lists_meet(other->systems, other->system_count, filter->collide_with, filter->collide_count))
        return false;
    return !lists_meet(other->systems, other->system_count, filter->not_collide_with, filter->not_collide_count);
}

bool mmd_physscene_collides(const mmd_physscene *scene, int32_t filter_a, int32_t filter_b)
{
    assert(filter_a < (int32_t)scene->filter_count && filter_b < (int32_t)scene->filter_count);
    if (filter_a < 0 || filter_b < 0)
        return true;
    const mmd_phys_filter *a = &scene->filters[filter_a], *b = &scene->filters[filter_b];
    return accepts(a, b) && accepts(b, a);
}

/* -------------------------------------------------------------------- edges */

/*
 * The edges of a mesh: the sides of all triangles are sorted so that equal edges are adjacent. An edge lies
 * within a flat face if its two triangles have the same normal.
 */

/*
 * Cosine of a thousandth of a radian: smaller angles are due to rounding. Gentle slopes keep all their edges.
 */
static const double flat = 0.9999995;

typedef struct side {
    uint32_t low, high; /* point indices */
    uint32_t triangle;
} side;

/* Sorts sides by edge, then by triangle. */
static int by_edge(const void *a, const void *b)
{
    const side *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

/* Lists the three sides of every triangle, each with its lower point first. */
static void list_sides(const mmd_phys_mesh *mesh, side *sides)
{
    for (uint32_t i = 0; i < mesh->index_count / 3 * 3; i++) {
        uint32_t first = i - i % 3, a = mesh->indices[i], b = mesh->indices[first + (i + 1) % 3];
        assert(a < mesh->point_count && b < mesh->point_count);
        sides[i] = (side){.low = a < b ? a : b, .high = a < b ? b : a, .triangle = first / 3};
    }
}

/* Computes the normal of a triangle, of unit length or zero. */
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
        /* Degenerate triangles have sides between equal points. */
        if (hidden || sides[i].low == sides[i].high)
            continue;
        (*edges)[*edge_count][0] = sides[i].low;
        (*edges)[(*edge_count)++][1] = sides[i].high;
    }
    mmd_free(sides);
    return *edges != NULL;
}
