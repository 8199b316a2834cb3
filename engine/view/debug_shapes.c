/*
 * The shapes of bodies as lines: rings for what is round, edges for what has
 * them. Made without a GPU; render draws them (mmd_render_lines).
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "debug_lines.h"

enum { RING = 24, ARC = 12, PLANE_CELLS = 4 };

static const float plane_cell = 5.0f; /* units */

void debug_line(debug_pen *pen, const float from[3], const float to[3])
{
    assert(pen);
    if (pen->count < pen->max) {
        mmd_render_line *line = &pen->lines[pen->count];
        mmd_transform_point(&pen->frame, from, line->from);
        mmd_transform_point(&pen->frame, to, line->to);
        memcpy(line->color, pen->color, sizeof line->color);
        line->width = pen->width;
        line->faint = pen->is_front ? 0.0f : 1.0f;
    }
    pen->count++;
}

void debug_dot(debug_pen *pen, const float at[3], float width)
{
    assert(pen);
    float usual = pen->width;
    pen->width = width;
    debug_line(pen, at, at);
    pen->width = usual;
}

/* A part of a circle about center, from u towards v, both as long as its radius; turns: 1 is all of it. */
static void arc(debug_pen *pen, const float center[3], const float u[3], const float v[3], float turns,
                int pieces)
{
    float from[3], to[3] = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i <= pieces; i++) {
        float angle = 6.28318531f * turns * (float)i / (float)pieces;
        float c = cosf(angle), s = sinf(angle);
        memcpy(from, to, sizeof from);
        for (int k = 0; k < 3; k++)
            to[k] = center[k] + c * u[k] + s * v[k];
        if (i)
            debug_line(pen, from, to);
    }
}

/* A ring about the Y axis at a height. */
static void level_ring(debug_pen *pen, float height, float radius)
{
    arc(pen, (float[3]){0.0f, height, 0.0f}, (float[3]){radius, 0.0f, 0.0f}, (float[3]){0.0f, 0.0f, radius},
        1.0f, RING);
}

/* Lines at the four sides from one height and radius to another. */
static void sides(debug_pen *pen, float low, float low_radius, float high, float high_radius)
{
    static const float side[4][2] = {{1.0f, 0.0f}, {0.0f, 1.0f}, {-1.0f, 0.0f}, {0.0f, -1.0f}};
    for (int i = 0; i < 4; i++) {
        const float from[3] = {low_radius * side[i][0], low, low_radius * side[i][1]};
        const float to[3] = {high_radius * side[i][0], high, high_radius * side[i][1]};
        debug_line(pen, from, to);
    }
}

static void sphere(debug_pen *pen, float radius)
{
    const float center[3] = {0.0f, 0.0f, 0.0f};
    level_ring(pen, 0.0f, radius);
    arc(pen, center, (float[3]){radius, 0.0f, 0.0f}, (float[3]){0.0f, radius, 0.0f}, 1.0f, RING);
    arc(pen, center, (float[3]){0.0f, 0.0f, radius}, (float[3]){0.0f, radius, 0.0f}, 1.0f, RING);
}

static void box(debug_pen *pen, const float half[3])
{
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 4; side++) {
            int second = (axis + 1) % 3, third = (axis + 2) % 3;
            float from[3], to[3];
            from[axis] = -half[axis];
            to[axis] = half[axis];
            from[second] = to[second] = side & 1 ? half[second] : -half[second];
            from[third] = to[third] = side & 2 ? half[third] : -half[third];
            debug_line(pen, from, to);
        }
}

/* A half sphere's two arcs over a ring; up is 1 or -1. */
static void cap(debug_pen *pen, float height, float radius, float up)
{
    const float center[3] = {0.0f, height, 0.0f}, top[3] = {0.0f, up * radius, 0.0f};
    level_ring(pen, height, radius);
    arc(pen, center, (float[3]){radius, 0.0f, 0.0f}, top, 0.5f, ARC);
    arc(pen, center, (float[3]){0.0f, 0.0f, radius}, top, 0.5f, ARC);
}

static void capsule(debug_pen *pen, const float size[3])
{
    float half = 0.5f * size[1];
    cap(pen, -half, size[0], -1.0f);
    cap(pen, half, size[2], 1.0f);
    sides(pen, -half, size[0], half, size[2]);
}

static void cylinder(debug_pen *pen, const float size[3])
{
    float half = 0.5f * size[1];
    level_ring(pen, -half, size[0]);
    level_ring(pen, half, size[2]);
    sides(pen, -half, size[0], half, size[2]);
}

/* A piece of it about its origin, and its normal. */
static void plane(debug_pen *pen)
{
    const float end = PLANE_CELLS * plane_cell;
    for (int i = -PLANE_CELLS; i <= PLANE_CELLS; i++) {
        float at = (float)i * plane_cell;
        debug_line(pen, (float[3]){at, 0.0f, -end}, (float[3]){at, 0.0f, end});
        debug_line(pen, (float[3]){-end, 0.0f, at}, (float[3]){end, 0.0f, at});
    }
    debug_line(pen, (float[3]){0.0f, 0.0f, 0.0f}, (float[3]){0.0f, 2.0f, 0.0f});
}

/* A box about points that have no hull, as they lie in a plane, and a dot for each. */
static void box_about(debug_pen *pen, const mmd_phys_mesh *mesh)
{
    float low[3], high[3], half[3];
    mmd_transform frame = pen->frame, middle = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    if (!mesh->point_count)
        return;
    memcpy(low, mesh->points[0], sizeof low);
    memcpy(high, mesh->points[0], sizeof high);
    for (uint32_t i = 0; i < mesh->point_count; i++) {
        debug_dot(pen, mesh->points[i], 3.0f);
        for (int k = 0; k < 3; k++) {
            low[k] = fminf(low[k], mesh->points[i][k]);
            high[k] = fmaxf(high[k], mesh->points[i][k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        half[k] = 0.5f * (high[k] - low[k]);
        middle.translation[k] = 0.5f * (high[k] + low[k]);
    }
    mmd_transform_multiply(&frame, &middle, &pen->frame);
    box(pen, half);
    pen->frame = frame;
}

static void mesh_edges(debug_pen *pen, const mmd_phys_mesh *mesh, const debug_edge_list *list, bool hull)
{
    if (hull && !list->count)
        box_about(pen, mesh);
    for (uint32_t i = 0; i < list->count; i++)
        debug_line(pen, mesh->points[list->edges[i][0]], mesh->points[list->edges[i][1]]);
}

void debug_shape(debug_pen *pen, const debug_scene *seen, const mmd_phys_body *body,
                 const mmd_phys_shape *shape)
{
    assert(pen && seen && body && shape);
    bool hull = debug_uses_hull(body, shape);
    mmd_transform frame = pen->frame;
    mmd_transform_multiply(&frame, &shape->frame, &pen->frame);
    switch ((mmd_phys_shape_kind)shape->kind) {
    case MMD_PHYS_SPHERE:
        sphere(pen, shape->size[0]);
        break;
    case MMD_PHYS_BOX:
        box(pen, shape->size);
        break;
    case MMD_PHYS_CAPSULE:
        capsule(pen, shape->size);
        break;
    case MMD_PHYS_CYLINDER:
        cylinder(pen, shape->size);
        break;
    case MMD_PHYS_HULL:
    case MMD_PHYS_MESH:
        mesh_edges(pen, &seen->scene->meshes[shape->mesh],
                   debug_edges_of_mesh(seen->edges, shape->mesh, hull), hull);
        break;
    case MMD_PHYS_PLANE:
        plane(pen);
        break;
    }
    pen->frame = frame;
}
