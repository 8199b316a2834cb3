/*
 * Surfaces of shapes by naive surface nets (S. Gibson, "Constrained Elastic Surface Nets", 1998): one vertex
 * in every cell that the surface crosses, and one quad around every grid edge that it crosses. A few Newton
 * steps then move the vertices onto the surface.
 */
#include "figure.h"

#include <math.h>
#include <string.h>

#include "mmd/elementary.h"
#include "mmd/memory.h"

void figure_mesh_finish(figure_mesh *mesh)
{
    mmd_free(mesh->vertices);
    mmd_free(mesh->indices);
    *mesh = (figure_mesh){0};
}

/* Grows an array for one more element. Returns the array, which may have moved, or NULL. */
static void *grow(void *items, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    uint32_t wanted = *capacity ? 2 * *capacity : 1024;
    void *grown = mmd_realloc(items, wanted * size);
    if (grown)
        *capacity = wanted;
    return grown;
}

uint32_t figure_mesh_vertex(figure_mesh *mesh, const figure_vertex *vertex)
{
    figure_vertex *grown = grow(mesh->vertices, mesh->vertex_count, &mesh->vertex_capacity, sizeof *grown);
    if (!grown) {
        mesh->failed = true;
        return 0;
    }
    mesh->vertices = grown;
    mesh->vertices[mesh->vertex_count] = *vertex;
    return mesh->vertex_count++;
}

static void add_index(figure_mesh *mesh, uint32_t index)
{
    uint32_t *grown = grow(mesh->indices, mesh->index_count, &mesh->index_capacity, sizeof *grown);
    if (!grown) {
        mesh->failed = true;
        return;
    }
    mesh->indices = grown;
    mesh->indices[mesh->index_count++] = index;
}

void figure_mesh_triangle(figure_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    if (mesh->failed)
        return;
    const figure_vertex *v = mesh->vertices;
    float e[3], f[3], towards = 0;
    for (int i = 0; i < 3; i++) {
        e[i] = v[b].position[i] - v[a].position[i];
        f[i] = v[c].position[i] - v[a].position[i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        towards += (e[j] * f[k] - e[k] * f[j]) * (v[a].normal[i] + v[b].normal[i] + v[c].normal[i]);
    }
    /* Fronts are clockwise in MMD's left-handed space, where the cross product points out of the front. */
    add_index(mesh, a);
    add_index(mesh, towards < 0 ? c : b);
    add_index(mesh, towards < 0 ? b : c);
}

void figure_mesh_quad(figure_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    figure_mesh_triangle(mesh, a, b, c);
    figure_mesh_triangle(mesh, a, c, d);
}

typedef struct net {
    const figure_shape *shape;
    int size[3];     /* samples along each axis */
    float *values;   /* distances at the samples */
    uint32_t *cells; /* index of the vertex of each cell, or UINT32_MAX */
} net;

static size_t sample_index(const net *n, int x, int y, int z)
{
    return ((size_t)z * (size_t)n->size[1] + (size_t)y) * (size_t)n->size[0] + (size_t)x;
}

static void sample_position(const net *n, int x, int y, int z, float p[3])
{
    const float *min = n->shape->min;
    p[0] = min[0] + n->shape->cell * (float)x;
    p[1] = min[1] + n->shape->cell * (float)y;
    p[2] = min[2] + n->shape->cell * (float)z;
}

/* Samples the shape's distance function on a grid. Returns false when memory runs out. */
static bool net_init(net *n, const figure_shape *shape)
{
    *n = (net){.shape = shape};
    size_t count = 1;
    for (int i = 0; i < 3; i++) {
        n->size[i] = (int)ceilf((shape->max[i] - shape->min[i]) / shape->cell) + 2;
        count *= (size_t)n->size[i];
    }
    n->values = mmd_alloc(count * sizeof *n->values);
    n->cells = mmd_alloc(count * sizeof *n->cells);
    if (!n->values || !n->cells)
        return false;
    for (int z = 0; z < n->size[2]; z++)
        for (int y = 0; y < n->size[1]; y++)
            for (int x = 0; x < n->size[0]; x++) {
                float p[3];
                sample_position(n, x, y, z, p);
                n->values[sample_index(n, x, y, z)] = shape->distance(p);
            }
    memset(n->cells, 0xff, count * sizeof *n->cells);
    return true;
}

static void net_finish(net *n)
{
    mmd_free(n->values);
    mmd_free(n->cells);
}

static void gradient(const figure_shape *shape, const float p[3], float g[3])
{
    const float h = 0.02f;
    for (int i = 0; i < 3; i++) {
        float a[3] = {p[0], p[1], p[2]}, b[3] = {p[0], p[1], p[2]};
        a[i] -= h;
        b[i] += h;
        g[i] = (shape->distance(b) - shape->distance(a)) / (2 * h);
    }
}

/* Moves p onto the surface, at most to the edge of the cell, and computes the normal there. */
static void settle(const figure_shape *shape, float p[3], float normal[3])
{
    float g[3];
    for (int step = 0; step < 4; step++) {
        gradient(shape, p, g);
        float d = shape->distance(p), square = g[0] * g[0] + g[1] * g[1] + g[2] * g[2] + 1e-6f;
        float t = mmd_maxf(-0.5f * shape->cell, mmd_minf(0.5f * shape->cell, d)) / square;
        for (int i = 0; i < 3; i++)
            p[i] -= t * g[i];
    }
    gradient(shape, p, g);
    float length = sqrtf(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) + 1e-12f;
    for (int i = 0; i < 3; i++)
        normal[i] = g[i] / length;
}

/* Computes the mean of the points where the surface crosses the edges of the cell. Returns false if it
 * crosses none. */
static bool cell_point(const net *n, int x, int y, int z, float p[3])
{
    static const uint8_t edges[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                         {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    float value[8], corner[8][3], sum[3] = {0};
    int crossings = 0;
    for (int c = 0; c < 8; c++) {
        int cx = x + (c & 1), cy = y + (c >> 1 & 1), cz = z + (c >> 2);
        value[c] = n->values[sample_index(n, cx, cy, cz)];
        sample_position(n, cx, cy, cz, corner[c]);
    }
    for (int e = 0; e < 12; e++) {
        int a = edges[e][0], b = edges[e][1];
        if ((value[a] < 0) == (value[b] < 0))
            continue;
        float t = value[a] / (value[a] - value[b]);
        for (int i = 0; i < 3; i++)
            sum[i] += corner[a][i] + t * (corner[b][i] - corner[a][i]);
        crossings++;
    }
    for (int i = 0; i < 3 && crossings; i++)
        p[i] = sum[i] / (float)crossings;
    return crossings > 0;
}

/* Adds the vertex at p, mirrored for the right side, and returns its index. */
static uint32_t add_vertex(figure_mesh *mesh, const figure_shape *shape, float p[3], int right)
{
    figure_vertex v = {.edge = 1};
    settle(shape, p, v.normal);
    shape->weigh(p, right, &v.weights);
    /* symmetric, so that there is no seam at the back */
    v.uv[0] = fabsf(mmd_atan2f(p[0], -p[2])) / 3.14159265f;
    v.uv[1] = figure_clamp((shape->max[1] - p[1]) / (shape->max[1] - shape->min[1]));
    for (int i = 0; i < 3; i++)
        v.position[i] = FIGURE_SCALE * p[i];
    if (right) {
        v.position[0] = -v.position[0];
        v.normal[0] = -v.normal[0];
    }
    return figure_mesh_vertex(mesh, &v);
}

static void add_vertices(figure_mesh *mesh, net *n, int right)
{
    float p[3];
    for (int z = 0; z + 1 < n->size[2]; z++)
        for (int y = 0; y + 1 < n->size[1]; y++)
            for (int x = 0; x + 1 < n->size[0]; x++)
                if (cell_point(n, x, y, z, p))
                    n->cells[sample_index(n, x, y, z)] = add_vertex(mesh, n->shape, p, right);
}

/* Adds the quad of the four cells around the grid edge that starts at a sample and runs along an axis.
 * outwards: the front faces along the axis, which the order of the cells around the axis provides. */
static void add_quad(figure_mesh *mesh, const net *n, const int at[3], int axis, bool outwards)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    uint32_t around[4];
    static const int offsets[4][2] = {{0, 0}, {-1, 0}, {-1, -1}, {0, -1}};
    if (at[u] == 0 || at[v] == 0)
        return;
    for (int i = 0; i < 4; i++) {
        int cell[3] = {at[0], at[1], at[2]};
        cell[u] += offsets[i][0];
        cell[v] += offsets[i][1];
        around[i] = n->cells[sample_index(n, cell[0], cell[1], cell[2])];
        if (around[i] == UINT32_MAX)
            return;
    }
    uint32_t second = around[outwards ? 1 : 3], fourth = around[outwards ? 3 : 1];
    const uint32_t corners[6] = {around[0], second, around[2], around[0], around[2], fourth};
    for (int i = 0; i < 6; i++)
        add_index(mesh, corners[i]);
}

/* Adds a quad for every grid edge that the surface crosses. */
static void add_quads(figure_mesh *mesh, const net *n, int right)
{
    for (int z = 0; z < n->size[2]; z++)
        for (int y = 0; y < n->size[1]; y++)
            for (int x = 0; x < n->size[0]; x++)
                for (int axis = 0; axis < 3; axis++) {
                    int at[3] = {x, y, z}, next[3] = {x, y, z};
                    if (++next[axis] >= n->size[axis])
                        continue;
                    bool inside = n->values[sample_index(n, x, y, z)] < 0;
                    if (inside != (n->values[sample_index(n, next[0], next[1], next[2])] < 0))
                        /* mirroring reverses the orientation of faces */
                        add_quad(mesh, n, at, axis, inside != (right != 0));
                }
}

void figure_add_surface(figure_mesh *mesh, const figure_shape *shape)
{
    for (int right = 0; right <= (shape->paired ? 1 : 0); right++) {
        net n;
        if (net_init(&n, shape)) {
            add_vertices(mesh, &n, right);
            add_quads(mesh, &n, right);
        } else {
            mesh->failed = true;
        }
        net_finish(&n);
    }
}
