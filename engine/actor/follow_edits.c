/*
 * Edits at a standing frame move simulated bodies along: hair follows a head that is rotated by hand, as if
 * they were one rigid object, instead of staying behind or being thrown by the next step.
 *
 * Edits are not movements. Each simulated body follows the nearest bone that physics does not move: that of
 * the body at the root of its chain of joints (guard.c), or, without joints, the nearest such ancestor of its
 * bone. Two poses without physics, before and after the edits, give the change of that bone, which is applied
 * to its bodies. Reverting an edit therefore restores the drawing bit for bit. Soft bodies follow the bone
 * with most weight at their pins, or the body of their first anchor.
 *
 * While the frame stands, only the drawn bodies are moved; the states and their snapshots stay unchanged. At
 * the next frame the states on both sides of the standing one are moved in the same way, with rotated
 * velocities, and simulation continues from there.
 */
#include "simulation_internal.h"

#include <assert.h>
#include <string.h>

#include "mmd_math.h"

bool follow_edits_init(sim_actor *a, mmd_arena *arena)
{
    assert(a && arena);
    sim_carry *c = &a->carry;
    c->bones = mmd_arena_alloc(arena, a->model->bone_count, sizeof *c->bones);
    c->root = mmd_arena_alloc(arena, a->model->bone_count, sizeof *c->root);
    c->carrier = mmd_arena_alloc(arena, a->body_count, sizeof *c->carrier);
    c->changed = mmd_arena_alloc(arena, a->body_count, sizeof *c->changed);
    c->change = mmd_arena_alloc(arena, a->body_count, sizeof *c->change);
    return c->bones && c->root && c->carrier && c->changed && c->change;
}

/* ---- the bones that bodies follow ---- */

/* Finds, for each bone, the nearest ancestor without a simulated body. A parent that is evaluated later
 * (which MMD allows, with a delay of one frame) counts as such an ancestor. */
static void find_roots(sim_actor *a, const uint8_t *simulated)
{
    enum { FREE = -2, DRIVEN = -3 };
    int32_t *root = a->carry.root;
    for (uint32_t b = 0; b < a->model->bone_count; b++)
        root[b] = FREE;
    for (uint32_t i = 0; i < a->order_count; i++)
        if (simulated[a->order[i]])
            root[a->scene.bodies[a->order[i]].bone] = DRIVEN;
    for (uint32_t i = 0; i < a->model->bone_count; i++) {
        uint32_t b = a->model->bone_order[i];
        int32_t parent = a->model->bones[b].parent;
        int32_t above = parent < 0 ? -1 : root[parent] < -1 ? parent : root[parent];
        bool parent_is_carried = parent >= 0 && above != parent;
        root[b] = root[b] == DRIVEN || parent_is_carried ? above : (int32_t)b;
    }
}

static void find_carriers(sim_actor *a, const uint8_t *simulated)
{
    int32_t *carrier = a->carry.carrier;
    find_roots(a, simulated);
    for (uint32_t b = 0; b < a->body_count; b++)
        carrier[b] = a->scene.bodies[b].bone < 0 ? -1 : a->carry.root[a->scene.bodies[b].bone];
    for (uint32_t i = 0; i < a->attached_count; i++) {
        uint32_t b = a->attached_order[i];
        if (simulated[b])
            carrier[b] = carrier[a->attachments[b].on];
    }
}

/* ---- changes by edits ---- */

/* Stores poses and placements before the edits. */
static void look_before(simulation *s, const sim_state *at, double frame)
{
    for (size_t i = 0; i < s->actor_count; i++)
        sim_actor_select(&s->actors[i], &s->actors[i].kept);
    for (size_t i = 0; i < s->actor_count; i++) {
        sim_actor *a = &s->actors[i];
        a->carry.done = !a->has_world;
        if (!a->has_world)
            continue;
        sim_actor_begin(s, a, at, frame);
        sim_actor_plain_pose(a, frame);
        memcpy(a->carry.bones, mmd_pose_world(a->pose), a->model->bone_count * sizeof *a->carry.bones);
        a->carry.placement = a->placement;
        a->carry.scale = a->scale;
    }
}

/* Computes the change of a bone by the edits, in its actor's space. Returns false if it did not change. */
static bool bone_change(const sim_actor *a, int32_t bone, mmd_transform *change)
{
    const mmd_transform *now = mmd_pose_world(a->pose);
    if (bone < 0 || memcmp(&now[bone], &a->carry.bones[bone], sizeof *now) == 0) {
        *change = (mmd_transform){.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
        return false;
    }
    mmd_transform_inverse(&a->carry.bones[bone], change);
    mmd_transform_multiply(&now[bone], change, change);
    return true;
}

static void find_changes(sim_actor *a)
{
    sim_carry *c = &a->carry;
    c->placed_anew = c->scale != a->scale || memcmp(&c->placement, &a->placement, sizeof a->placement) != 0;
    for (uint32_t b = 0; b < a->body_count; b++)
        c->changed[b] = bone_change(a, c->carrier[b], &c->change[b]);
}

/* Applies a change to a transform in the world. */
static void carry_transform(const sim_actor *a, const mmd_transform *change, mmd_transform *world)
{
    mmd_transform own;
    sim_actor_to_own(&a->carry.placement, a->carry.scale, world, &own);
    mmd_transform_multiply(change, &own, &own);
    sim_actor_to_world(a, &own, world);
}

/* ---- soft bodies ---- */

/* Returns the bone with the largest sum of weights at the pinned nodes. */
static int32_t pins_bone(const sim_actor *a, uint32_t soft)
{
    const mmd_vertices *v = &a->model->vertices;
    const int32_t *vertices = pins_vertices(a, soft);
    int32_t best = -1;
    float most = 0.0f;
    for (uint32_t i = 0; i < a->scene.soft_bodies[soft].pin_count; i++)
        for (int k = 0; vertices[i] >= 0 && k < 4; k++) {
            int32_t bone = v->bone[vertices[i]][k];
            float sum = 0.0f;
            for (uint32_t n = 0; bone >= 0 && bone != best && n < a->scene.soft_bodies[soft].pin_count; n++)
                for (int j = 0; vertices[n] >= 0 && j < 4; j++)
                    sum += v->bone[vertices[n]][j] == bone ? v->weight[vertices[n]][j] : 0.0f;
            if (sum > most) {
                most = sum;
                best = bone;
            }
        }
    return best;
}

static int32_t soft_carrier(const sim_actor *a, uint32_t soft)
{
    const mmd_phys_soft_body *body = &a->scene.soft_bodies[soft];
    if (body->pin_count) {
        int32_t bone = pins_bone(a, soft);
        return bone < 0 ? -1 : a->carry.root[bone];
    }
    return body->anchor_count ? a->carry.carrier[body->anchors[0].body] : -1;
}

/* Applies a change to a point in the world. */
static void carry_point(const sim_actor *a, const mmd_transform *change, float point[4])
{
    mmd_transform moved = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    memcpy(moved.translation, point, 3 * sizeof *point);
    carry_transform(a, change, &moved);
    memcpy(point, moved.translation, 3 * sizeof *point);
}

static void carry_soft(const sim_actor *a, uint32_t soft, float (*positions)[4], float (*normals)[4])
{
    mmd_transform change, whole = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    bool changed = bone_change(a, soft_carrier(a, soft), &change);
    if (!changed && !a->carry.placed_anew)
        return;
    carry_transform(a, &change, &whole);
    for (uint32_t n = 0; n < a->scene.soft_bodies[soft].node_count; n++) {
        carry_point(a, &change, positions[n]);
        quat_rotate(whole.rotation, normals[n], normals[n]);
    }
}

static void carry_softs(const sim_actor *a, float (*positions)[4], float (*normals)[4])
{
    uint32_t node = a->first_node;
    for (uint32_t k = 0; k < a->scene.soft_body_count; k++) {
        carry_soft(a, k, positions + node, normals + node);
        node += a->scene.soft_bodies[k].node_count;
    }
}

/* ---- states ---- */

static void carry_actor(simulation *s, sim_actor *a, const sim_state *at, double frame);

static void carry_outside_parents(simulation *s, const sim_actor *a, const sim_state *at, double frame)
{
    const outside_set *set = a->edits->entry.outside;
    for (size_t i = 0; set && i < set->count; i++) {
        sim_actor *parent = sim_actor_outside(s, set->items[i], frame);
        if (parent)
            carry_actor(s, parent, at, frame);
    }
}

/* Moves the bodies of an actor along. Its parents come first, because their bones may have moved along,
 * too. */
static void carry_actor(simulation *s, sim_actor *a, const sim_state *at, double frame)
{
    if (a->carry.done)
        return;
    a->carry.done = true;
    sim_actor *parent = sim_actor_parent(s, a, frame);
    if (parent)
        carry_actor(s, parent, at, frame);
    carry_outside_parents(s, a, at, frame);
    sim_actor_begin(s, a, at, frame);
    sim_actor_plain_pose(a, frame);
    find_carriers(a, at->simulated + a->first_body);
    find_changes(a);
    for (uint32_t b = 0; b < a->body_count; b++)
        if (a->carry.changed[b] || a->carry.placed_anew)
            carry_transform(a, &a->carry.change[b], &at->bodies[a->first_body + b]);
    carry_softs(a, at->positions, at->normals);
}

/* Moves bodies and nodes of a state along; of it only these are changed, and `simulated` is read. */
static void carry_all(simulation *s, const sim_state *at, double frame)
{
    look_before(s, at, frame);
    for (size_t i = 0; i < s->actor_count; i++)
        sim_actor_select(&s->actors[i], &s->actors[i].wanted);
    for (size_t i = 0; i < s->actor_count; i++)
        carry_actor(s, &s->actors[i], at, frame);
}

void follow_edits_drawn(mmd_stage *stage)
{
    assert(stage);
    simulation *s = stage->physics;
    sim_state drawn = {.bodies = s->drawn_bodies,
                       .simulated = s->drawn_simulated,
                       .positions = s->drawn_positions,
                       .normals = s->drawn_normals};
    carry_all(s, &drawn, stage->frame > 0.0 ? stage->frame : 0.0);
    for (size_t i = 0; i < s->actor_count; i++)
        sim_actor_select(&s->actors[i], &s->actors[i].kept);
}

/* ---- states and worlds ---- */

void turn_velocity(const mmd_transform *before, const mmd_transform *now, mmd_velocity *velocity)
{
    assert(before && now && velocity);
    float back[4], turn[4];
    quat_conjugate(before->rotation, back);
    quat_multiply(now->rotation, back, turn);
    quat_rotate(turn, velocity->linear, velocity->linear);
    quat_rotate(turn, velocity->angular, velocity->angular);
}

static void place_bodies(const sim_world *w, const sim_state *state)
{
    for (uint32_t b = 0; b < w->body_count; b++) {
        mmd_transform before = mmd_world_transforms(w->world)[b], now = state->bodies[w->first_body + b];
        mmd_velocity velocity = mmd_world_velocities(w->world)[b];
        if (memcmp(&before, &now, sizeof now) == 0)
            continue;
        turn_velocity(&before, &now, &velocity);
        mmd_world_place(w->world, 1, &b, &now, &velocity);
    }
}

static void place_softs(const simulation *s, const sim_world *w, const sim_state *state)
{
    for (uint32_t i = 0; i < w->actor_count; i++) {
        const sim_actor *a = &s->actors[w->actors[i]];
        uint32_t node = a->first_node, first = mmd_world_first_soft_body(w->world, i);
        for (uint32_t k = 0; k < a->scene.soft_body_count; k++) {
            uint32_t nodes = a->scene.soft_bodies[k].node_count;
            const float(*now)[4] = (const float(*)[4])state->positions + node;
            if (memcmp(now, mmd_world_soft_positions(w->world, first + k), nodes * sizeof *now) != 0)
                mmd_world_place_soft(w->world, first + k, now, NULL);
            node += nodes;
        }
    }
}

/* Places bodies and nodes in the saved worlds as in the state. */
static void carry_worlds(const simulation *s, const sim_state *state)
{
    for (size_t i = 0; i < s->world_count; i++) {
        const sim_world *w = &s->worlds[i];
        mmd_world_restore(w->world, state->worlds + w->saved_at);
        place_bodies(w, state);
        place_softs(s, w, state);
        mmd_world_save(w->world, state->worlds + w->saved_at);
    }
}

static void carry_state(simulation *s, sim_state *state)
{
    carry_all(s, state, step_frame(s, state->step));
    for (size_t i = 0; i < s->actor_count; i++) {
        const sim_actor *a = &s->actors[i];
        if (!a->has_world || !a->carry.placed_anew)
            continue;
        state->placements[i] = a->placement;
        state->scales[i] = a->scale;
        state->placed[i] = a->placed;
    }
    state->has_contacts = false;
    state->contact_count = 0;
}

void follow_edits_states(simulation *s)
{
    assert(s);
    if (s->low != s->high)
        carry_state(s, step_cache_state(s, s->low));
    carry_state(s, step_cache_state(s, s->high));
    carry_worlds(s, step_cache_state(s, s->high));
    for (size_t i = 0; i < s->actor_count; i++)
        sim_actor_apply_changes(&s->actors[i]);
}
