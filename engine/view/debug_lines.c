/*
 * Bodies, joints and contacts as lines, without a GPU. The colours of bodies are those of PMX Editor: green
 * follows the bone, red is simulated, blue is simulated at the bone's position. All colours have medium
 * brightness, so that they are visible on white and on black.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "debug_lines.h"
#include "mmd/elementary.h"

/* -------------------------------------------------------------------- edges */

/* Edges of shapes without lines of their own: hulls, meshes and soft bodies. They are computed once as pairs
 * of indices, and drawn wherever the points are later. */

/* Edges as pairs of indices. A mesh is drawn by its triangles on a static body, otherwise by its hull. */
struct debug_edges {
    uint32_t mesh_count, soft_count;
    debug_edge_list *triangles, *hulls; /* by mesh */
    debug_edge_list *softs;
};

static mmd_status no_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for edges");
}

/* Tests whether a body's mesh is simulated, and therefore drawn, as its hull. */
static bool debug_uses_hull(const mmd_phys_body *body, const mmd_phys_shape *shape)
{
    assert(body && shape);
    return shape->kind == MMD_PHYS_HULL || body->motion != MMD_PHYS_STATIC;
}

/* Computes the edges of a mesh's hull. Points in one plane have no hull. */
static bool find_hull(const mmd_phys_mesh *mesh, debug_edge_list *list)
{
    mmd_phys_mesh hull = {.point_count = mesh->point_count, .points = mesh->points};
    uint32_t *indices;
    if (!mmd_hull_triangles(mesh->points, mesh->point_count, &indices, &hull.index_count))
        return true;
    hull.indices = indices;
    bool done = mmd_mesh_edges(&hull, true, &list->edges, &list->count);
    mmd_free(indices);
    return done;
}

static bool find_of_shape(debug_edges *edges, const mmd_physscene *scene, const mmd_phys_body *body,
                          const mmd_phys_shape *shape)
{
    if (shape->kind != MMD_PHYS_HULL && shape->kind != MMD_PHYS_MESH)
        return true;
    bool is_hull = debug_uses_hull(body, shape);
    debug_edge_list *list = is_hull ? &edges->hulls[shape->mesh] : &edges->triangles[shape->mesh];
    if (list->edges)
        return true;
    return is_hull ? find_hull(&scene->meshes[shape->mesh], list)
                   : mmd_mesh_edges(&scene->meshes[shape->mesh], true, &list->edges, &list->count);
}

static bool find_of_rope(const mmd_phys_soft_body *soft, debug_edge_list *list)
{
    list->edges = mmd_alloc(soft->index_count / 2 * sizeof *list->edges);
    for (uint32_t i = 0; list->edges && i < soft->index_count / 2; i++) {
        list->edges[i][0] = soft->indices[2 * i];
        list->edges[i][1] = soft->indices[2 * i + 1];
        list->count++;
    }
    return list->edges != NULL;
}

static bool find_of_soft(const mmd_phys_soft_body *soft, debug_edge_list *list)
{
    const mmd_phys_mesh cloth = {.point_count = soft->node_count,
                                 .points = soft->nodes,
                                 .index_count = soft->index_count,
                                 .indices = soft->indices};
    return soft->shape == 1 ? find_of_rope(soft, list)
                            : mmd_mesh_edges(&cloth, false, &list->edges, &list->count);
}

static bool find_all(debug_edges *edges, const mmd_physscene *scene)
{
    bool done = true;
    for (uint32_t b = 0; b < scene->body_count; b++)
        for (uint32_t s = 0; done && s < scene->bodies[b].shape_count; s++)
            done = find_of_shape(edges, scene, &scene->bodies[b],
                                 &scene->shapes[scene->bodies[b].first_shape + s]);
    for (uint32_t i = 0; done && i < scene->soft_body_count; i++)
        done = find_of_soft(&scene->soft_bodies[i], &edges->softs[i]);
    return done;
}

mmd_status debug_edges_create(const mmd_physscene *scene, debug_edges **result, mmd_error *error)
{
    assert(scene && result);
    *result = NULL;
    size_t count = (size_t)2 * scene->mesh_count + scene->soft_body_count;
    debug_edges *edges = mmd_alloc(sizeof *edges + count * sizeof(debug_edge_list));
    if (!edges)
        return no_memory(error);
    *edges = (debug_edges){.mesh_count = scene->mesh_count, .soft_count = scene->soft_body_count};
    edges->triangles = (debug_edge_list *)(edges + 1);
    for (size_t i = 0; i < count; i++)
        edges->triangles[i] = (debug_edge_list){0};
    edges->hulls = edges->triangles + scene->mesh_count;
    edges->softs = edges->hulls + scene->mesh_count;
    if (!find_all(edges, scene)) {
        debug_edges_destroy(edges);
        return no_memory(error);
    }
    *result = edges;
    return MMD_OK;
}

void debug_edges_destroy(debug_edges *edges)
{
    size_t count = edges ? (size_t)2 * edges->mesh_count + edges->soft_count : 0;
    for (size_t i = 0; i < count; i++)
        mmd_free(edges->triangles[i].edges);
    mmd_free(edges);
}

static const debug_edge_list *debug_edges_of_mesh(const debug_edges *edges, int32_t mesh, bool hull)
{
    assert(edges && mesh >= 0 && (uint32_t)mesh < edges->mesh_count);
    return hull ? &edges->hulls[mesh] : &edges->triangles[mesh];
}

static const debug_edge_list *debug_edges_of_soft(const debug_edges *edges, uint32_t soft)
{
    assert(edges && soft < edges->soft_count);
    return &edges->softs[soft];
}

/* ------------------------------------------------------------------- shapes */

/* Shapes of bodies as lines: rings for round shapes, edges for others. mmd_render_lines draws them. */

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

/* Draws a part of a circle about center, from u towards v, whose lengths are the radius. turns: 1 for the
 * whole circle. */
static void arc(debug_pen *pen, const float center[3], const float u[3], const float v[3], float turns,
                int pieces)
{
    float from[3], to[3] = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i <= pieces; i++) {
        float angle = 6.28318531f * turns * (float)i / (float)pieces;
        float c, s;
        mmd_sincosf(angle, &s, &c);
        memcpy(from, to, sizeof from);
        for (int k = 0; k < 3; k++)
            to[k] = center[k] + c * u[k] + s * v[k];
        if (i)
            debug_line(pen, from, to);
    }
}

/* Draws a horizontal ring at a height on the Y axis. */
static void level_ring(debug_pen *pen, float height, float radius)
{
    arc(pen, (float[3]){0.0f, height, 0.0f}, (float[3]){radius, 0.0f, 0.0f}, (float[3]){0.0f, 0.0f, radius},
        1.0f, RING);
}

/* Draws lines on four sides from one height and radius to another. */
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

/* Draws the two arcs of a half sphere over a ring. up is 1 or -1. */
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

/* Draws a part of a plane around its origin, and its normal. */
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

/* Draws a box around points that have no hull because they lie in one plane, and a dot for each. */
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
            low[k] = mmd_minf(low[k], mesh->points[i][k]);
            high[k] = mmd_maxf(high[k], mesh->points[i][k]);
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

/* Draws a shape of a body whose frame is the pen's. */
static void debug_shape(debug_pen *pen, const debug_scene *seen, const mmd_phys_body *body,
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

/* -------------------------------------------------------------------- lines */

static const uint8_t motion_colors[4][4] = {
    [MMD_PHYS_STATIC] = {130, 130, 135, 255},
    [MMD_PHYS_KINEMATIC] = {30, 165, 65, 255},
    [MMD_PHYS_DYNAMIC] = {240, 50, 50, 255},
    [MMD_PHYS_DYNAMIC_BONE] = {60, 115, 255, 255},
};
static const uint8_t held_color[4] = {240, 150, 0, 255};
static const uint8_t soft_color[4] = {0, 165, 180, 255};
static const uint8_t trigger_color[4] = {200, 65, 215, 255};
static const uint8_t axis_colors[3][4] = {{235, 45, 45, 255}, {30, 165, 50, 255}, {60, 100, 255, 255}};
static const uint8_t joint_color[4] = {225, 145, 0, 255};
static const uint8_t apart_color[4] = {255, 0, 0, 255};
static const uint8_t contact_color[4] = {255, 125, 0, 255};
static const uint8_t deep_color[4] = {255, 0, 80, 255};

static const float body_width = 1.5f, soft_width = 1.0f, joint_width = 2.0f, apart_width = 3.0f;
static const float axis_length = 0.4f;
static const float apart_least = 0.05f,
                   turned_least = 0.05f; /* units and radians; intact joints give this much */
static const float deep_least = 0.1f, normal_length = 0.6f;

static debug_pen pen_on(mmd_render_line *lines, size_t max)
{
    assert(lines || !max);
    return (debug_pen){
        .lines = lines, .max = max, .frame = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}}, .width = body_width};
}

static void set_color(debug_pen *pen, const uint8_t color[4])
{
    memcpy(pen->color, color, sizeof pen->color);
}

/* ----------------------------------------------------------------- bodies */

static void choose_color(const mmd_phys_body *body, const mmd_phys_shape *shape, uint8_t state,
                         debug_pen *pen)
{
    const uint8_t *color = motion_colors[body->motion];
    if (state & DEBUG_HELD)
        color = held_color;
    if (shape->trigger)
        color = trigger_color;
    set_color(pen, color);
    for (int k = 0; k < 3 && (state & DEBUG_ASLEEP); k++)
        pen->color[k] /= 2;
}

size_t debug_bodies(const debug_scene *seen, mmd_render_line *lines, size_t max)
{
    assert(lines || max == 0);
    assert(seen && seen->scene && seen->edges && (seen->bodies || !seen->scene->body_count));
    const mmd_physscene *scene = seen->scene;
    debug_pen pen = pen_on(lines, max);
    for (uint32_t b = 0; b < scene->body_count; b++) {
        const mmd_phys_body *body = &scene->bodies[b];
        for (uint32_t s = 0; s < body->shape_count && !body->disabled; s++) {
            const mmd_phys_shape *shape = &scene->shapes[body->first_shape + s];
            choose_color(body, shape, seen->states ? seen->states[b] : 0, &pen);
            pen.frame = seen->bodies[b];
            debug_shape(&pen, seen, body, shape);
        }
    }
    return pen.count;
}

size_t debug_soft_body(const debug_scene *seen, uint32_t soft, const float (*positions)[4],
                       mmd_render_line *lines, size_t max)
{
    assert(lines || max == 0);
    assert(seen && seen->scene && seen->edges && soft < seen->scene->soft_body_count && positions);
    const mmd_phys_soft_body *body = &seen->scene->soft_bodies[soft];
    const debug_edge_list *list = debug_edges_of_soft(seen->edges, soft);
    debug_pen pen = pen_on(lines, max);
    pen.width = soft_width;
    set_color(&pen, soft_color);
    for (uint32_t i = 0; i < list->count; i++)
        debug_line(&pen, positions[list->edges[i][0]], positions[list->edges[i][1]]);
    set_color(&pen, motion_colors[MMD_PHYS_KINEMATIC]);
    for (uint32_t i = 0; i < body->pin_count; i++)
        debug_dot(&pen, positions[body->pins[i]], 5.0f);
    set_color(&pen, joint_color);
    for (uint32_t i = 0; i < body->anchor_count; i++)
        debug_dot(&pen, positions[body->anchors[i].node], 5.0f);
    return pen.count;
}

/* ----------------------------------------------------------------- joints */

static void draw_axes(debug_pen *pen, const mmd_transform *frame, const uint8_t colors[3][4], float length)
{
    static const float origin[3] = {0.0f, 0.0f, 0.0f};
    mmd_transform world = pen->frame;
    pen->frame = *frame;
    for (int axis = 0; axis < 3; axis++) {
        float end[3] = {0.0f, 0.0f, 0.0f};
        end[axis] = length;
        set_color(pen, colors[axis]);
        debug_line(pen, origin, end);
    }
    pen->frame = world;
}

static void draw_joint(debug_pen *pen, const mmd_physscene *scene, uint32_t joint, const mmd_transform *a,
                       const mmd_transform *b)
{
    static const uint8_t turned_colors[3][4] = {{255, 0, 0, 255}, {255, 0, 0, 255}, {255, 0, 0, 255}};
    mmd_joint_excess excess = mmd_joint_find_excess(scene, joint, a, b);
    bool apart = excess.linear > apart_least, turned = excess.angular > turned_least;
    pen->width = joint_width;
    draw_axes(pen, a, axis_colors, axis_length);
    pen->width = apart || turned ? apart_width : joint_width;
    if (turned)
        draw_axes(pen, b, turned_colors, 1.5f * axis_length);
    set_color(pen, apart || turned ? apart_color : joint_color);
    debug_dot(pen, a->translation, apart || turned ? 8.0f : 6.0f);
    if (memcmp(a->translation, b->translation, 3 * sizeof *a->translation) != 0)
        debug_line(pen, a->translation, b->translation);
}

size_t debug_joints(const debug_scene *seen, mmd_render_line *lines, size_t max)
{
    assert(lines || max == 0);
    assert(seen && seen->scene && (seen->bodies || !seen->scene->joint_count));
    const mmd_physscene *scene = seen->scene;
    debug_pen pen = pen_on(lines, max);
    for (uint32_t j = 0; j < scene->joint_count; j++) {
        mmd_transform a, b;
        if (scene->joints[j].disabled)
            continue;
        mmd_joint_frames(scene, j, seen->bodies, &a, &b);
        draw_joint(&pen, scene, j, &a, &b);
    }
    return pen.count;
}

/* --------------------------------------------------------------- contacts */

size_t debug_contacts(const mmd_contact *contacts, size_t count, mmd_render_line *lines, size_t max)
{
    assert(lines || max == 0);
    assert(contacts || !count);
    debug_pen pen = pen_on(lines, max);
    for (size_t i = 0; i < count; i++) {
        const mmd_contact *contact = &contacts[i];
        float tip[3];
        for (int k = 0; k < 3; k++)
            tip[k] = contact->position[k] + normal_length * contact->normal[k];
        set_color(&pen, contact->depth > deep_least ? deep_color : contact_color);
        debug_dot(&pen, contact->position, 6.0f);
        debug_line(&pen, contact->position, tip);
    }
    return pen.count;
}
