/*
 * Vertices that are driven by a soft body. They read position and normal of their node from a texture that
 * holds the nodes of all soft bodies of a model.
 *
 * Nodes are the model's vertices merged by position, so cloth that is modelled with a front and a back layer
 * has common nodes. A node has one normal: that of the faces that come first. Vertices whose normal at rest
 * points the other way use its opposite.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "mmd_math.h"
#include "render_internal.h"

enum { SHAPE_ROPE = 1 };

/* ---------------------------------------------------------------- normals */

/* A triangle: its nodes in ascending order, and its index. */
typedef struct triangle {
    uint32_t node[3], number;
} triangle;

static int compare_triangles(const void *a, const void *b)
{
    const triangle *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x->node[k] != y->node[k])
            return x->node[k] < y->node[k] ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void swap_if_greater(uint32_t *a, uint32_t *b)
{
    uint32_t greater = *a > *b ? *a : *b;
    *a = *a > *b ? *b : *a;
    *b = greater;
}

static triangle sorted_triangle(const uint32_t *corners, uint32_t number)
{
    triangle t = {{corners[0], corners[1], corners[2]}, number};
    swap_if_greater(&t.node[0], &t.node[1]);
    swap_if_greater(&t.node[1], &t.node[2]);
    swap_if_greater(&t.node[0], &t.node[1]);
    return t;
}

static void add_normal(const mmd_phys_soft_body *body, uint32_t number, float (*normals)[3])
{
    const uint32_t *c = body->indices + 3 * (size_t)number;
    float ab[3], ac[3], n[3];
    for (int k = 0; k < 3; k++) {
        ab[k] = body->nodes[c[1]][k] - body->nodes[c[0]][k];
        ac[k] = body->nodes[c[2]][k] - body->nodes[c[0]][k];
    }
    cross3(ab, ac, n);
    for (int corner = 0; corner < 3; corner++)
        for (int k = 0; k < 3; k++)
            normals[c[corner]][k] += n[k];
}

/* Computes the nodes' normals at rest, of any length. Of triangles with the same nodes only the first is
 * used. */
static void rest_normals(const mmd_phys_soft_body *body, triangle *triangles, float (*normals)[3])
{
    uint32_t count = body->index_count / 3;
    memset(normals, 0, body->node_count * sizeof *normals);
    for (uint32_t i = 0; i < count; i++)
        triangles[i] = sorted_triangle(body->indices + 3 * (size_t)i, i);
    if (count)
        qsort(triangles, count, sizeof *triangles, compare_triangles);
    for (uint32_t i = 0; i < count; i++)
        if (!i || memcmp(triangles[i].node, triangles[i - 1].node, sizeof triangles[i].node) != 0)
            add_normal(body, triangles[i].number, normals);
}

static void write_nodes(const mmd_model *model, const mmd_phys_soft_body *body, const float (*normals)[3],
                        int32_t *nodes)
{
    for (uint32_t i = 0; i < body->vertex_count; i++) {
        uint32_t node = body->vertex_node[i];
        const float *normal = model->vertices.normal[body->vertices[i]];
        nodes[i] = (int32_t)node + 1;
        if (normals && dot3(normal, normals[node]) < 0.0f)
            nodes[i] = -nodes[i];
    }
}

mmd_status mmd_soft_vertex_nodes(const mmd_model *model, const mmd_phys_soft_body *body, int32_t *nodes,
                                 mmd_error *error)
{
    assert(model && body && nodes && body->node_count < INT32_MAX);
    if (body->shape == SHAPE_ROPE) {
        write_nodes(model, body, NULL, nodes);
        return MMD_OK;
    }
    triangle *triangles = mmd_alloc((size_t)(body->index_count / 3) * sizeof *triangles);
    float(*normals)[3] = mmd_alloc((size_t)body->node_count * sizeof *normals);
    bool done = triangles && normals;
    if (done) {
        rest_normals(body, triangles, normals);
        write_nodes(model, body, (const float(*)[3])normals, nodes);
    }
    mmd_free(triangles);
    mmd_free(normals);
    return done ? MMD_OK : render_no_memory("a soft body's vertices", error);
}

/* ---------------------------------------------------------------- binding */

static bool is_bound(const soft_table *table, const mmd_render_pose *pose)
{
    if (table->count != pose->soft_count)
        return false;
    for (size_t i = 0; i < table->count; i++)
        if (table->bodies[i] != pose->softs[i].body)
            return false;
    return true;
}

void soft_table_finish(soft_table *table, mmd_gpu *gpu)
{
    assert(table);
    mmd_gpu_buffer_destroy(gpu, table->vertex_nodes);
    mmd_gpu_texture_destroy(gpu, table->nodes);
    mmd_free(table->bodies);
    mmd_free(table->copy);
    memset(table, 0, sizeof *table);
}

/* Fills in the node of each vertex; 0 for vertices that no soft body drives. */
static mmd_status fill_vertex_nodes(const mmd_model *model, const mmd_render_pose *pose, int32_t *all,
                                    int32_t *of_body, mmd_error *error)
{
    int32_t base = 0;
    mmd_status status = MMD_OK;
    memset(all, 0, (size_t)model->vertices.count * sizeof *all);
    for (size_t i = 0; i < pose->soft_count && status == MMD_OK; i++) {
        const mmd_phys_soft_body *body = pose->softs[i].body;
        status = mmd_soft_vertex_nodes(model, body, of_body, error);
        for (uint32_t v = 0; v < body->vertex_count && status == MMD_OK; v++)
            all[body->vertices[v]] = of_body[v] < 0 ? of_body[v] - base : of_body[v] + base;
        base += (int32_t)body->node_count;
    }
    return status;
}

static mmd_status upload_vertex_nodes(mmd_renderer *renderer, const mmd_model *model,
                                      const mmd_render_pose *pose, soft_table *table, mmd_error *error)
{
    size_t size = (size_t)model->vertices.count * sizeof(int32_t);
    int32_t *all = mmd_alloc(size), *of_body = mmd_alloc(size);
    mmd_status status = all && of_body ? fill_vertex_nodes(model, pose, all, of_body, error)
                                       : render_no_memory("a model's soft bodies", error);
    mmd_gpu_buffer_desc desc = {.data = all, .size = size, .label = "soft body nodes of vertices"};
    if (status == MMD_OK)
        status = mmd_gpu_buffer_create(renderer->gpu, &desc, &table->vertex_nodes, error);
    mmd_free(all);
    mmd_free(of_body);
    return status;
}

static mmd_status bind(mmd_renderer *renderer, const mmd_model *model, const mmd_render_pose *pose,
                       soft_table *table, mmd_error *error)
{
    soft_table_finish(table, renderer->gpu);
    table->bodies = mmd_alloc(pose->soft_count * sizeof(const mmd_phys_soft_body *));
    if (!table->bodies)
        return render_no_memory("a model's soft bodies", error);
    for (size_t i = 0; i < pose->soft_count; i++) {
        table->bodies[i] = pose->softs[i].body;
        table->node_count += table->bodies[i]->node_count;
    }
    assert(table->node_count < INT32_MAX / 2);
    mmd_status status = table_create(renderer, MMD_GPU_RGBA32F, 2 * table->node_count, NULL,
                                     "the soft body table", &table->nodes, error);
    if (status == MMD_OK)
        status = upload_vertex_nodes(renderer, model, pose, table, error);
    if (status != MMD_OK)
        return status;
    table->shape = table_shape_of(renderer, 2 * table->node_count);
    size_t size = (size_t)table->shape.width * table->shape.height * sizeof *table->copy;
    table->copy = mmd_alloc(size);
    if (!table->copy)
        return render_no_memory("a model's soft bodies", error);
    memset(table->copy, 0, size);
    table->count = pose->soft_count;
    return MMD_OK;
}

/* Writes a body's nodes as texels. Returns whether any of them changed. */
static bool write_texels(const mmd_render_soft *soft, float (*texels)[4])
{
    bool changed = false;
    for (uint32_t n = 0; n < soft->body->node_count; n++, texels += 2) {
        if (memcmp(texels[0], soft->positions[n], sizeof *texels) == 0 &&
            memcmp(texels[1], soft->normals[n], sizeof *texels) == 0)
            continue;
        memcpy(texels[0], soft->positions[n], sizeof *texels);
        memcpy(texels[1], soft->normals[n], sizeof *texels);
        changed = true;
    }
    return changed;
}

mmd_status soft_table_upload(mmd_renderer *renderer, const mmd_model *model, const mmd_render_pose *pose,
                             soft_table *table, bool *changed, mmd_error *error)
{
    assert(renderer && pose && table && changed);
    *changed = false;
    if (!pose->soft_count) {
        *changed = table->used;
        table->used = false;
        return MMD_OK;
    }
    bool bound = is_bound(table, pose);
    mmd_status status = bound ? MMD_OK : bind(renderer, model, pose, table, error);
    if (status != MMD_OK) {
        soft_table_finish(table, renderer->gpu);
        return status;
    }
    size_t node = 0;
    bool moved = !bound;
    for (size_t i = 0; i < pose->soft_count; i++) {
        moved |= write_texels(&pose->softs[i], table->copy + 2 * node);
        node += pose->softs[i].body->node_count;
    }
    *changed = moved || !table->used;
    table->used = true;
    if (!moved)
        return MMD_OK;
    double start = renderer_microseconds();
    mmd_gpu_texture_update(renderer->gpu, table->nodes, MMD_GPU_RGBA32F, table->shape.width,
                           table->shape.height, table->copy);
    renderer->statistics.upload_us += renderer_microseconds() - start;
    renderer->statistics.upload_bytes += 2 * sizeof *table->copy * table->node_count;
    return MMD_OK;
}
