/*
 * The edges of what has no lines of its own: hulls, meshes and soft bodies.
 * They are found once, as indices, and drawn wherever points lie later.
 */
#include <assert.h>

#include "debug_lines.h"

/* Pairs of indices. A mesh is drawn by its triangles where it stands for good, else by its hull. */
struct debug_edges {
    uint32_t mesh_count, soft_count;
    debug_edge_list *triangles, *hulls; /* by mesh */
    debug_edge_list *softs;
};

static mmd_status no_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for edges");
}

bool debug_uses_hull(const mmd_phys_body *body, const mmd_phys_shape *shape)
{
    assert(body && shape);
    return shape->kind == MMD_PHYS_HULL || body->motion != MMD_PHYS_STATIC;
}

/* A hull of points in a plane has none. */
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

const debug_edge_list *debug_edges_of_mesh(const debug_edges *edges, int32_t mesh, bool hull)
{
    assert(edges && mesh >= 0 && (uint32_t)mesh < edges->mesh_count);
    return hull ? &edges->hulls[mesh] : &edges->triangles[mesh];
}

const debug_edge_list *debug_edges_of_soft(const debug_edges *edges, uint32_t soft)
{
    assert(edges && soft < edges->soft_count);
    return &edges->softs[soft];
}
