/*
 * Soft bodies that went astray are reset as a whole, and are placed at their model when that is reset or
 * becomes visible. A soft body is astray if a node is not finite, faster than 1,000 units a second, or
 * farther from all anchors and pins than three times its size at rest; and, like rigid bodies (guard.c), if
 * its anchors or pins jump because a motion moves the model elsewhere: if their velocity changes by 100 units
 * a second from one step to the next, or is still that high during a jump. Otherwise cloth would be stretched
 * back to where it was, and take a second to follow.
 *
 * It is reset to the shape at rest, moved as a rigid whole by the mean change of the anchors' bodies and the
 * pins' bones since rest. It has their velocity then, except after a jump. Without anchors and pins it
 * returns to where it was a step before. The checks use the states of two steps and nothing else, so that
 * states remain functions of the frame.
 */
#include "mmd_math.h"
#include "simulation_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- pinned nodes ---- */

/*
 * Pinned nodes of soft bodies (PMX 2.1) follow their vertices' bones: the position at rest is skinned
 * linearly (SDEF and QDEF make no visible difference for a pin), and vertex morphs do not move it.
 */

/* Lists a vertex for each node (all vertices of a node have one position); -1 if the model has none. */
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
    assert(a && arena);
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
    assert(a);
    const int32_t *vertices = a->pin_vertices;
    for (uint32_t k = 0; k < soft; k++)
        vertices += a->scene.soft_bodies[k].pin_count;
    return vertices;
}

void pins_positions(const sim_actor *a, uint32_t soft)
{
    assert(a);
    assert(soft < a->scene.soft_body_count);
    const mmd_phys_soft_body *body = &a->scene.soft_bodies[soft];
    const int32_t *vertices = pins_vertices(a, soft);
    for (uint32_t i = 0; i < body->pin_count; i++) {
        float rest[3]; /* in the actor's space */
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

/* ---- soft bodies that went astray ---- */

static const float fastest = 1000.0f; /* units a second: limit of nodes */
static const float leap = 100.0f;  /* units a second: limit of the change of anchors and pins within a step */
static const float longest = 3.0f; /* factor of the farthest node's distance at rest */
static const float shortest_reach = 1.0f; /* units */

/* A soft body of an actor, with its nodes now and a step before (NULL: no step before). */
typedef struct soft_look {
    sim_actor *actor;
    const mmd_phys_soft_body *body;
    uint32_t number; /* index in the actor */
    const float (*now)[4];
    const float (*before)[4];
    const mmd_transform *bodies, *bodies_before; /* of the actor */
    float (*shifts)[4];                          /* movement of each anchor and pin in this step */
    const float (*shifts_before)[4];             /* and in the step before */
    uint8_t last_reason;
    float dt;
    float size_factor; /* factor for models larger than their file, at least 1 */
} soft_look;

bool softs_init(sim_actor *a, mmd_arena *arena)
{
    assert(a && arena);
    uint32_t most = 0;
    for (uint32_t k = 0; k < a->scene.soft_body_count; k++) {
        const mmd_phys_soft_body *body = &a->scene.soft_bodies[k];
        most = body->node_count > most ? body->node_count : most;
        a->holder_count += body->anchor_count + body->pin_count;
    }
    a->placed_nodes = mmd_arena_alloc(arena, most, sizeof *a->placed_nodes);
    return a->placed_nodes != NULL;
}

/* ---- anchors and pins, its holders ---- */

static uint32_t holder_count(const mmd_phys_soft_body *body)
{
    return body->anchor_count + body->pin_count;
}

static uint32_t held_node(const mmd_phys_soft_body *body, uint32_t holder)
{
    return holder < body->anchor_count ? body->anchors[holder].node : body->pins[holder - body->anchor_count];
}

/* Computes the change of an anchor's body since rest. */
static void anchor_way(const soft_look *look, const mmd_transform *bodies, uint32_t anchor,
                       mmd_transform *way)
{
    int32_t b = look->body->anchors[anchor].body;
    mmd_transform_inverse(&look->actor->scene.bodies[b].rest, way);
    mmd_transform_multiply(&bodies[b], way, way);
}

/* Computes where a holder has its node, after or before the step. */
static void holder_place(const soft_look *look, uint32_t holder, bool before, float out[3])
{
    uint32_t node = held_node(look->body, holder);
    mmd_transform way;
    if (holder < look->body->anchor_count) {
        anchor_way(look, before ? look->bodies_before : look->bodies, holder, &way);
        mmd_transform_point(&way, look->body->nodes[node], out);
    } else {
        memcpy(out, before ? look->before[node] : look->now[node], 3 * sizeof *out);
    }
}

static float distance(const float a[3], const float b[3])
{
    float sum = 0.0f;
    for (int k = 0; k < 3; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrtf(sum);
}

/* ---- the check ---- */

static bool is_finite_point(const float p[3])
{
    return p[0] * 0.0f + p[1] * 0.0f + p[2] * 0.0f == 0.0f;
}

/* Stores the movements of all holders in this step. */
static void store_shifts(const soft_look *look)
{
    for (uint32_t h = 0; h < holder_count(look->body); h++) {
        float now[3], before[3];
        holder_place(look, h, false, now);
        holder_place(look, h, true, before);
        for (int k = 0; k < 3; k++)
            look->shifts[h][k] = now[k] - before[k];
        look->shifts[h][3] = 0.0f;
    }
}

static bool has_leapt(const soft_look *look)
{
    static const float still[3] = {0.0f, 0.0f, 0.0f};
    float most = leap * look->size_factor * look->dt;
    for (uint32_t h = 0; h < holder_count(look->body); h++) {
        bool goes_on = look->last_reason == GUARD_LEAPT && distance(look->shifts[h], still) > most;
        if (goes_on || !(distance(look->shifts[h], look->shifts_before[h]) <= most))
            return true;
    }
    return false;
}

/* Returns the largest distance of a node from the first held one at rest. */
static float rest_reach(const mmd_phys_soft_body *body)
{
    float most = shortest_reach;
    for (uint32_t n = 0; n < body->node_count; n++)
        most = mmd_maxf(most, distance(body->nodes[n], body->nodes[held_node(body, 0)]));
    return most;
}

static bool is_near_a_holder(const soft_look *look, const float node[3], float most)
{
    for (uint32_t h = 0; h < holder_count(look->body); h++) {
        float position[3];
        holder_place(look, h, false, position);
        if (distance(node, position) <= most)
            return true;
    }
    return false;
}

static uint8_t judge(const soft_look *look)
{
    float first[3], most = 0.0f;
    bool held = holder_count(look->body) > 0;
    if (held) {
        most = longest * rest_reach(look->body);
        holder_place(look, 0, false, first);
    }
    for (uint32_t n = 0; n < look->body->node_count; n++) {
        const float *now = look->now[n];
        if (!is_finite_point(now))
            return GUARD_NOT_FINITE;
        if (!(distance(now, look->before[n]) <= fastest * look->size_factor * look->dt))
            return held && has_leapt(look) ? GUARD_LEAPT : GUARD_TOO_FAST;
        if (held && distance(now, first) > most && !is_near_a_holder(look, now, most))
            return GUARD_SOFT_TOO_FAR;
    }
    return held && has_leapt(look) ? GUARD_LEAPT : GUARD_FINE;
}

/* ---- resetting ---- */

/* Returns the bone with the largest weight at a vertex. */
static int32_t main_bone(const mmd_model *model, int32_t vertex)
{
    int best = 0;
    if (vertex < 0)
        return -1;
    for (int i = 1; i < 4; i++)
        if (model->vertices.weight[vertex][i] > model->vertices.weight[vertex][best])
            best = i;
    return model->vertices.bone[vertex][best];
}

/* Computes the rotation of a holder since rest. */
static void holder_turn(const soft_look *look, uint32_t holder, const int32_t *pin_vertices, float turn[4])
{
    const sim_actor *a = look->actor;
    mmd_transform way = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    if (holder < look->body->anchor_count) {
        anchor_way(look, look->bodies, holder, &way);
    } else {
        int32_t bone = main_bone(a->model, pin_vertices[holder - look->body->anchor_count]);
        if (bone >= 0)
            way = mmd_pose_palette(a->pose)[bone];
        if (a->placed)
            mmd_transform_multiply(&a->placement, &way, &way);
    }
    memcpy(turn, way.rotation, sizeof way.rotation);
}

/* Adds a quaternion to a sum, with the sign that agrees with it. */
static void add_turn(float sum[4], const float turn[4])
{
    float dot = 0.0f;
    for (int k = 0; k < 4; k++)
        dot += sum[k] * turn[k];
    for (int k = 0; k < 4; k++)
        sum[k] += dot < 0.0f ? -turn[k] : turn[k];
}

/* Computes the position of a holder: of pins their targets in this step, which the world's nodes may not
 * have reached. */
static void held_place(const soft_look *look, uint32_t holder, float out[3])
{
    if (holder < look->body->anchor_count)
        holder_place(look, holder, false, out);
    else
        memcpy(out, look->actor->pins[holder - look->body->anchor_count], 3 * sizeof *out);
}

/* Computes the mean change of all holders since rest. Returns false if there are none, or it is not
 * finite. */
static bool find_way(const soft_look *look, mmd_transform *way)
{
    const mmd_phys_soft_body *body = look->body;
    uint32_t count = holder_count(body);
    const int32_t *pin_vertices = pins_vertices(look->actor, look->number);
    float turn[4] = {0.0f}, rest[3] = {0.0f}, now[3] = {0.0f}, length = 0.0f;
    for (uint32_t h = 0; h < count; h++) {
        float one_turn[4], position[3];
        const float *node = body->nodes[held_node(body, h)];
        holder_turn(look, h, pin_vertices, one_turn);
        add_turn(turn, one_turn);
        held_place(look, h, position);
        for (int k = 0; k < 3; k++) {
            rest[k] += node[k] / (float)count;
            now[k] += position[k] / (float)count;
        }
    }
    for (int k = 0; k < 4; k++)
        length += turn[k] * turn[k];
    length = sqrtf(length);
    *way = (mmd_transform){.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    for (int k = 0; k < 4 && length > 1e-3f; k++)
        way->rotation[k] = turn[k] / length;
    mmd_transform_point(way, rest, rest);
    for (int k = 0; k < 3; k++)
        way->translation[k] = now[k] - rest[k];
    return count && length > 1e-3f && is_finite_point(way->translation) && isfinite(length);
}

/* Computes the nodes of the reset shape into placed_nodes. */
static void compute_reset_nodes(const soft_look *look)
{
    const mmd_phys_soft_body *body = look->body;
    float(*nodes)[4] = look->actor->placed_nodes;
    mmd_transform way;
    pins_positions(look->actor, look->number);
    bool carried = find_way(look, &way);
    for (uint32_t n = 0; n < body->node_count; n++) {
        nodes[n][3] = 0.0f;
        if (carried || !look->before)
            mmd_transform_point(&way, body->nodes[n], nodes[n]);
        else
            memcpy(nodes[n], look->before[n], 3 * sizeof *nodes[n]);
    }
    for (uint32_t p = 0; carried && p < body->pin_count; p++)
        memcpy(nodes[body->pins[p]], look->actor->pins[p], 3 * sizeof *nodes[p]);
}

/* Computes the mean velocity of the holders; 0 after a jump. */
static void holder_velocity(const soft_look *look, float velocity[3])
{
    uint32_t count = holder_count(look->body);
    memset(velocity, 0, 3 * sizeof *velocity);
    if (!count || has_leapt(look))
        return;
    for (uint32_t h = 0; h < count; h++) {
        for (int k = 0; k < 3; k++)
            velocity[k] += look->shifts[h][k] / ((float)count * look->dt);
    }
    if (!is_finite_point(velocity))
        memset(velocity, 0, 3 * sizeof *velocity);
}

/* ---- soft bodies of a world ---- */

static soft_look look_at(const simulation *s, const sim_world *w, uint32_t index_in_world, uint32_t number,
                         const sim_state *from, const sim_state *to)
{
    sim_actor *a = &s->actors[w->actors[index_in_world]];
    uint32_t node = a->first_node, holder = a->first_holder;
    for (uint32_t k = 0; k < number; k++) {
        node += a->scene.soft_bodies[k].node_count;
        holder += holder_count(&a->scene.soft_bodies[k]);
    }
    uint32_t in_world = mmd_world_first_soft_body(w->world, index_in_world) + number;
    soft_look look = {.actor = a,
                      .body = &a->scene.soft_bodies[number],
                      .number = number,
                      .now = mmd_world_soft_positions(w->world, in_world),
                      .bodies = to->bodies + a->first_body,
                      .shifts = to->shifts + holder,
                      .dt = 1.0f / (float)s->options.rate,
                      .size_factor = mmd_maxf(1.0f, a->built_scale)};
    if (!from)
        return look;
    look.before = (const float(*)[4])from->positions + node;
    look.bodies_before = from->bodies + a->first_body;
    look.shifts_before = (const float(*)[4])from->shifts + holder;
    look.last_reason = from->soft_reasons[a->first_soft + number];
    return look;
}

void softs_place(simulation *s, sim_world *w, uint32_t index_in_world, const sim_state *to)
{
    assert(s && w);
    const sim_actor *a = &s->actors[w->actors[index_in_world]];
    uint32_t first = mmd_world_first_soft_body(w->world, index_in_world);
    for (uint32_t k = 0; k < a->scene.soft_body_count; k++) {
        soft_look look = look_at(s, w, index_in_world, k, NULL, to);
        if (!look.body->node_count || !holder_count(look.body))
            continue;
        compute_reset_nodes(&look);
        mmd_world_place_soft(w->world, first + k, (const float(*)[4])a->placed_nodes, NULL);
    }
}

/* Checks a soft body and resets it if needed. Returns the reason. */
static uint8_t reset_if_lost(sim_world *w, uint32_t in_world, const soft_look *look)
{
    uint8_t reason = mmd_world_soft_was_lost(w->world, in_world) ? GUARD_NOT_FINITE : judge(look);
    float velocity[3];
    if (!reason)
        return reason;
    holder_velocity(look, velocity);
    compute_reset_nodes(look);
    mmd_world_place_soft(w->world, in_world, (const float(*)[4])look->actor->placed_nodes, velocity);
    return reason;
}

bool softs_reset_bodies(simulation *s, sim_world *w, const sim_state *from, sim_state *to)
{
    assert(s && w && from && to);
    bool not_finite = false;
    for (uint32_t i = 0; i < w->actor_count; i++) {
        uint32_t index = w->actors[i];
        const sim_actor *a = &s->actors[index];
        uint32_t first = mmd_world_first_soft_body(w->world, i);
        for (uint32_t k = 0; k < a->scene.soft_body_count; k++) {
            uint8_t *reason = &to->soft_reasons[a->first_soft + k];
            soft_look look = look_at(s, w, i, k, from, to);
            store_shifts(&look);
            bool seen = from->visible[index] && to->visible[index] && look.body->node_count;
            *reason = seen ? reset_if_lost(w, first + k, &look) : (uint8_t)GUARD_FINE;
            w->reset_bodies += *reason != GUARD_FINE;
            not_finite |= *reason == GUARD_NOT_FINITE;
        }
    }
    return not_finite;
}
