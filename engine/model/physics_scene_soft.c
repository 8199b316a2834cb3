/*
 * PMX 2.1's soft bodies as physics (MMD.md 1.1): the triangles of a material,
 * welded by position into nodes so that seams of texture or normal hold. A
 * rope has the edges of the faces as its links; lines are faces A-B-A.
 *
 * A soft body without a mesh of its own (a material that is missing, empty,
 * not finite or already another soft body's) stays in its place with no nodes.
 */
#include "physics_scene.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Memory for making one soft body, as large as the largest material; and which materials are taken. */
typedef struct workshop {
    const mmd_model *model;
    mmd_arena *arena;
    bool *taken;
    uint32_t *corners; /* of the material, as nodes */
} workshop;

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts numbers and drops repetitions; returns how many are left. */
static uint32_t sort_unique(uint32_t *numbers, uint32_t count)
{
    if (count == 0)
        return 0;
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (numbers[i] != numbers[i - 1])
            numbers[kept++] = numbers[i];
    }
    return kept;
}

/* The node of a vertex of the model, or UINT32_MAX for one that the soft body does not have. */
static uint32_t node_of(const mmd_phys_soft_body *soft, uint32_t vertex)
{
    if (soft->vertex_count == 0)
        return UINT32_MAX;
    const uint32_t *found =
        bsearch(&vertex, soft->vertices, soft->vertex_count, sizeof *soft->vertices, compare_numbers);
    return found ? soft->vertex_node[found - soft->vertices] : UINT32_MAX;
}

static bool collect_vertices(workshop *shop, const mmd_material *material, mmd_phys_soft_body *soft)
{
    uint32_t *vertices = mmd_arena_alloc(shop->arena, material->index_count, sizeof *vertices);
    if (!vertices)
        return false;
    memcpy(vertices, shop->model->indices + material->first_index, material->index_count * sizeof *vertices);
    soft->vertex_count = sort_unique(vertices, material->index_count);
    soft->vertices = vertices;
    return true;
}

static bool finite_vertices(const mmd_model *model, const mmd_phys_soft_body *soft)
{
    for (uint32_t i = 0; i < soft->vertex_count; i++) {
        if (!physics_usable_length(model->vertices.position[soft->vertices[i]], 3))
            return false;
    }
    return true;
}

static distinct_key position_key(const float position[3])
{
    distinct_key key;
    for (int i = 0; i < 3; i++) {
        float value = position[i] + 0.0f; /* -0 and 0 are one place */
        memcpy(&key.word[i], &value, sizeof value);
    }
    return key;
}

static bool weld(workshop *shop, mmd_phys_soft_body *soft)
{
    uint32_t *vertex_node = mmd_arena_alloc(shop->arena, soft->vertex_count, sizeof *vertex_node);
    distinct places = {0};
    bool done = distinct_init(&places, soft->vertex_count) && vertex_node;
    for (uint32_t i = 0; done && i < soft->vertex_count; i++) {
        const float *position = shop->model->vertices.position[soft->vertices[i]];
        vertex_node[i] = distinct_number(&places, position_key(position));
    }
    float(*nodes)[3] = done ? mmd_arena_alloc(shop->arena, places.count, sizeof *nodes) : NULL;
    if (nodes) {
        memcpy(nodes, places.keys, places.count * sizeof *nodes);
        soft->nodes = (const float(*)[3])nodes;
        soft->node_count = places.count;
        soft->vertex_node = vertex_node;
    }
    distinct_finish(&places);
    return nodes != NULL;
}

static bool add_triangles(workshop *shop, uint32_t corner_count, mmd_phys_soft_body *soft)
{
    uint32_t *indices = mmd_arena_alloc(shop->arena, corner_count, sizeof *indices);
    if (!indices)
        return false;
    for (uint32_t i = 0; i + 2 < corner_count; i += 3) {
        const uint32_t *c = shop->corners + i;
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0])
            continue;
        memcpy(indices + soft->index_count, c, 3 * sizeof *c);
        soft->index_count += 3;
    }
    soft->indices = indices;
    return true;
}

/* The edges of all faces, each once, in the order in which they come. */
static bool add_links(workshop *shop, uint32_t corner_count, mmd_phys_soft_body *soft)
{
    distinct edges = {0};
    bool done = distinct_init(&edges, corner_count);
    for (uint32_t i = 0; done && i + 2 < corner_count; i += 3) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t a = shop->corners[i + k], b = shop->corners[i + (k + 1) % 3];
            if (a != b)
                distinct_number(&edges, (distinct_key){{a < b ? a : b, a < b ? b : a, 0}});
        }
    }
    uint32_t *indices = done ? mmd_arena_alloc(shop->arena, (size_t)edges.count * 2, sizeof *indices) : NULL;
    for (uint32_t i = 0; indices && i < edges.count; i++)
        memcpy(indices + 2 * i, edges.keys[i].word, 2 * sizeof *indices);
    soft->indices = indices;
    soft->index_count = indices ? edges.count * 2 : 0;
    distinct_finish(&edges);
    return indices != NULL;
}

static bool add_mesh(workshop *shop, const mmd_material *material, mmd_phys_soft_body *soft)
{
    if (!collect_vertices(shop, material, soft))
        return false;
    if (!finite_vertices(shop->model, soft)) {
        soft->vertex_count = 0;
        return true;
    }
    if (!weld(shop, soft))
        return false;
    const uint32_t *indices = shop->model->indices + material->first_index;
    for (uint32_t i = 0; i < material->index_count; i++)
        shop->corners[i] = node_of(soft, indices[i]);
    return soft->shape == 1 ? add_links(shop, material->index_count, soft)
                            : add_triangles(shop, material->index_count, soft);
}

static bool add_anchors(workshop *shop, const mmd_soft_body *from, const mmd_physscene *scene,
                        mmd_phys_soft_body *soft)
{
    mmd_phys_soft_anchor *anchors = mmd_arena_alloc(shop->arena, from->anchor_count, sizeof *anchors);
    if (!anchors)
        return false;
    for (uint32_t i = 0; i < from->anchor_count; i++) {
        const mmd_soft_anchor *anchor = &from->anchors[i];
        uint32_t node = anchor->vertex < 0 ? UINT32_MAX : node_of(soft, (uint32_t)anchor->vertex);
        if (node == UINT32_MAX || anchor->body < 0 || scene->bodies[anchor->body].disabled)
            continue;
        anchors[soft->anchor_count++] =
            (mmd_phys_soft_anchor){.node = node, .body = anchor->body, .near_mode = anchor->near_mode != 0};
    }
    soft->anchors = anchors;
    return true;
}

static bool add_pins(workshop *shop, const mmd_soft_body *from, mmd_phys_soft_body *soft)
{
    uint32_t *pins = mmd_arena_alloc(shop->arena, from->pin_count, sizeof *pins);
    if (!pins)
        return false;
    for (uint32_t i = 0; i < from->pin_count; i++) {
        uint32_t node = from->pins[i] < 0 ? UINT32_MAX : node_of(soft, (uint32_t)from->pins[i]);
        if (node != UINT32_MAX)
            pins[soft->pin_count++] = node;
    }
    soft->pin_count = sort_unique(pins, soft->pin_count);
    soft->pins = pins;
    return true;
}

static bool usable_soft_body(const mmd_soft_body *from)
{
    return physics_usable(&from->mass, 1) && physics_usable_length(&from->margin, 1) &&
           physics_usable(from->config, 12) && physics_usable(from->cluster, 6) &&
           physics_usable(from->material_config, 3);
}

static void copy_settings(const mmd_soft_body *from, mmd_phys_soft_body *soft)
{
    soft->flags = from->flags;
    soft->link_distance = from->link_distance;
    soft->cluster_count = from->cluster_count;
    soft->mass = from->mass > 0.0f ? from->mass : 0.0f;
    soft->margin = from->margin > 0.0f ? from->margin : 0.0f;
    soft->aero_model = from->aero_model;
    memcpy(soft->config, from->config, sizeof soft->config);
    memcpy(soft->cluster, from->cluster, sizeof soft->cluster);
    memcpy(soft->iterations, from->iterations, sizeof soft->iterations);
    memcpy(soft->material_config, from->material_config, sizeof soft->material_config);
}

static bool make_soft_body(workshop *shop, const mmd_soft_body *from, const mmd_physscene *scene,
                           mmd_phys_soft_body *soft)
{
    if (!usable_soft_body(from))
        return true;
    copy_settings(from, soft);
    if (from->material < 0 || shop->taken[from->material])
        return true;
    shop->taken[from->material] = true;
    return add_mesh(shop, &shop->model->materials[from->material], soft) &&
           add_anchors(shop, from, scene, soft) && add_pins(shop, from, soft);
}

static uint32_t largest_material(const mmd_model *model)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < model->material_count; i++) {
        if (model->materials[i].index_count > most)
            most = model->materials[i].index_count;
    }
    return most;
}

bool physics_scene_soft_bodies(const mmd_model *model, distinct *filters, mmd_physscene *scene)
{
    assert(model && scene);
    if (model->soft_body_count == 0)
        return true;
    workshop shop = {.model = model, .arena = &scene->arena};
    shop.taken = mmd_alloc(model->material_count * sizeof *shop.taken);
    shop.corners = mmd_alloc(largest_material(model) * sizeof *shop.corners);
    bool done = shop.taken && shop.corners;
    if (done)
        memset(shop.taken, 0, model->material_count * sizeof *shop.taken);
    for (uint32_t i = 0; done && i < model->soft_body_count; i++) {
        const mmd_soft_body *from = &model->soft_bodies[i];
        mmd_phys_soft_body *soft = &scene->soft_bodies[i];
        *soft = (mmd_phys_soft_body){.name = from->name, .shape = from->shape};
        soft->filter = physics_filter(filters, from->group, from->mask);
        done = make_soft_body(&shop, from, scene, soft);
    }
    mmd_free(shop.taken);
    mmd_free(shop.corners);
    return done;
}
