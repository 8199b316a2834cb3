/*
 * Pinned nodes of soft bodies (PMX 2.1) follow their vertex's bones: its place
 * at rest is skinned linearly (SDEF and QDEF make no difference that a pin
 * would show), and vertex morphs do not move it.
 */
#include "simulation_internal.h"

#include <string.h>

/* A vertex of each node (all of a node lie at one point): -1 where the model has none. */
static void list_vertices(const mmd_phys_soft_body *soft, int32_t *vertices)
{
    for (uint32_t n = 0; n < soft->node_count; n++)
        vertices[n] = -1;
    for (uint32_t i = soft->vertex_count; i-- > 0;)
        vertices[soft->vertex_node[i]] = (int32_t)soft->vertices[i];
}

static bool list_pins(const mmd_phys_soft_body *soft, int32_t *pins)
{
    int32_t *vertices = mmd_alloc(soft->node_count * sizeof *vertices);
    if (!vertices)
        return false;
    list_vertices(soft, vertices);
    for (uint32_t i = 0; i < soft->pin_count; i++)
        pins[i] = vertices[soft->pins[i]];
    mmd_free(vertices);
    return true;
}

bool pins_init(sim_actor *a, mmd_arena *arena)
{
    uint32_t total = 0, most = 0;
    for (uint32_t k = 0; k < a->scene.soft_body_count; k++) {
        uint32_t count = a->scene.soft_bodies[k].pin_count;
        total += count;
        most = count > most ? count : most;
    }
    a->pinned = total > 0;
    a->pins = mmd_arena_alloc(arena, most, sizeof *a->pins);
    a->pin_vertices = mmd_arena_alloc(arena, total, sizeof *a->pin_vertices);
    bool done = a->pins && a->pin_vertices;
    int32_t *pins = a->pin_vertices;
    for (uint32_t k = 0; done && k < a->scene.soft_body_count; k++) {
        done = !a->scene.soft_bodies[k].pin_count || list_pins(&a->scene.soft_bodies[k], pins);
        pins += a->scene.soft_bodies[k].pin_count;
    }
    return done;
}

static void skin(const sim_actor *a, uint32_t vertex, const float rest[3], float out[3])
{
    const mmd_vertices *v = &a->model->vertices;
    const mmd_transform *palette = mmd_pose_palette(a->pose);
    float sum[3] = {0.0f, 0.0f, 0.0f}, total = 0.0f;
    for (int i = 0; i < 4; i++) {
        float weight = v->weight[vertex][i], moved[3];
        if (v->bone[vertex][i] < 0 || weight == 0.0f)
            continue;
        mmd_transform_point(&palette[v->bone[vertex][i]], rest, moved);
        for (int k = 0; k < 3; k++)
            sum[k] += moved[k] * weight;
        total += weight;
    }
    for (int k = 0; k < 3; k++)
        out[k] = total > 0.0f ? sum[k] / total : rest[k];
}

const int32_t *pins_vertices(const sim_actor *a, uint32_t soft)
{
    const int32_t *vertices = a->pin_vertices;
    for (uint32_t k = 0; k < soft; k++)
        vertices += a->scene.soft_bodies[k].pin_count;
    return vertices;
}

void pins_positions(const sim_actor *a, uint32_t soft)
{
    const mmd_phys_soft_body *body = &a->scene.soft_bodies[soft];
    const int32_t *vertices = pins_vertices(a, soft);
    for (uint32_t i = 0; i < body->pin_count; i++) {
        float rest[3]; /* in its own space */
        for (int k = 0; k < 3; k++)
            rest[k] = body->nodes[body->pins[i]][k] / a->built_scale;
        if (vertices[i] >= 0)
            skin(a, (uint32_t)vertices[i], rest, a->pins[i]);
        else
            memcpy(a->pins[i], rest, sizeof a->pins[i]);
        if (!a->placed)
            continue;
        for (int k = 0; k < 3; k++)
            a->pins[i][k] *= a->scale;
        mmd_transform_point(&a->placement, a->pins[i], a->pins[i]);
    }
}
