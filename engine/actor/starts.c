/* Where bodies start: transforms and velocities that replace those at the bones when physics begins. */
#include "simulation_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd_math.h"

/* The starts of an actor's bodies. */
struct start_set {
    uint32_t count;
    uint8_t *given; /* by body */
    mmd_body_start *bodies;
};

void starts_destroy(start_set *set)
{
    if (!set)
        return;
    mmd_free(set->given);
    mmd_free(set->bodies);
    mmd_free(set);
}

static start_set *make(uint32_t count)
{
    start_set *set = mmd_alloc(sizeof *set);
    if (!set)
        return NULL;
    *set = (start_set){.count = count,
                       .given = mmd_alloc(count + 1),
                       .bodies = mmd_alloc((count + 1) * sizeof *set->bodies)};
    if (set->given && set->bodies) {
        memset(set->given, 0, count + 1);
        return set;
    }
    starts_destroy(set);
    return NULL;
}

static bool is_sound(const mmd_body_start *start)
{
    float sum = 0.0f;
    for (int k = 0; k < 4; k++)
        sum += fabsf(start->transform.rotation[k]);
    for (int k = 0; k < 3; k++)
        sum += fabsf(start->transform.translation[k]) + fabsf(start->velocity.linear[k]) +
               fabsf(start->velocity.angular[k]);
    return isfinite(sum);
}

/* Passes the starts of an actor to the simulation, which begins anew. */
static void pass(mmd_stage *stage, size_t actor)
{
    if (!stage->physics)
        return;
    stage->physics->actors[actor].starts = stage->entries[actor].starts;
    step_cache_restart(stage->physics);
}

mmd_status mmd_stage_start_body(mmd_stage *stage, size_t actor, uint32_t body, const mmd_body_start *start,
                                mmd_error *error)
{
    assert(stage && actor < stage->actor_count);
    stage_entry *entry = &stage->entries[actor];
    const mmd_model *model = entry->actor->model;
    uint32_t count = model->physscene ? model->physscene->body_count : model->body_count;
    bool sound = body < count && start && is_sound(start);
    (void)sound; /* unused without asserts */
    assert(sound);
    simulation_settle(stage->physics);
    if (!entry->starts)
        entry->starts = make(count);
    if (!entry->starts)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    entry->starts->bodies[body] = *start;
    entry->starts->given[body] = 1;
    pass(stage, actor);
    return MMD_OK;
}

bool mmd_stage_body_start(const mmd_stage *stage, size_t actor, uint32_t body, mmd_body_start *start)
{
    assert(stage && actor < stage->actor_count && start);
    const start_set *set = stage->entries[actor].starts;
    if (!set || body >= set->count || !set->given[body])
        return false;
    *start = set->bodies[body];
    return true;
}

void mmd_stage_clear_starts(mmd_stage *stage, size_t actor)
{
    assert(stage && actor < stage->actor_count);
    stage_entry *entry = &stage->entries[actor];
    if (!entry->starts)
        return;
    simulation_settle(stage->physics);
    starts_destroy(entry->starts);
    entry->starts = NULL;
    pass(stage, actor);
}

/* ---- reading the bodies of a stage ---- */

/* Returns the world of an actor; NULL if it has no bodies. */
static sim_world *world_of(const simulation *s, size_t actor)
{
    for (size_t i = 0; i < s->world_count; i++)
        for (uint32_t k = 0; k < s->worlds[i].actor_count; k++)
            if (s->worlds[i].actors[k] == actor)
                return &s->worlds[i];
    return NULL;
}

/* Rotates a velocity and divides its linear part by a scale. */
static void turn(mmd_velocity *velocity, const float rotation[4], float scale)
{
    quat_rotate(rotation, velocity->linear, velocity->linear);
    quat_rotate(rotation, velocity->angular, velocity->angular);
    for (int k = 0; k < 3; k++)
        velocity->linear[k] /= scale;
}

bool mmd_stage_take_starts(mmd_stage *stage, size_t actor, mmd_body_start *starts)
{
    assert(stage && actor < stage->actor_count && starts);
    simulation *s = stage->physics;
    sim_world *w = s && s->drawn ? world_of(s, actor) : NULL;
    if (!w)
        return false;
    simulation_settle(s);
    const sim_actor *a = &s->actors[actor];
    const sim_state *at = step_cache_state(s, s->high);
    float back[4];
    quat_conjugate(at->placements[actor].rotation, back);
    mmd_world_restore(w->world, at->worlds + w->saved_at);
    const mmd_velocity *velocities = mmd_world_velocities(w->world) + (a->first_body - w->first_body);
    for (uint32_t b = 0; b < a->body_count; b++) {
        mmd_body_start *out = &starts[b];
        *out = (mmd_body_start){s->drawn_bodies[a->first_body + b], velocities[b]};
        if (!at->placed[actor])
            continue;
        sim_actor_to_own(&at->placements[actor], at->scales[actor], &out->transform, &out->transform);
        turn(&out->velocity, back, at->scales[actor]);
    }
    step_cache_forget(s); /* a restored world continues a little differently */
    return true;
}

/* ---- starting ---- */

void starts_place(const simulation *s, const sim_world *w, sim_state *to)
{
    assert(s && w && to);
    for (uint32_t i = 0; i < w->actor_count; i++) {
        const sim_actor *a = &s->actors[w->actors[i]];
        for (uint32_t b = 0; a->starts && b < a->body_count && b < a->starts->count; b++) {
            uint32_t number = a->first_body - w->first_body + b;
            mmd_body_start start = a->starts->bodies[b];
            if (!a->starts->given[b] || !is_simulated_kind(a, b) || s->held[a->first_body + b])
                continue;
            sim_actor_to_world(a, &start.transform, &start.transform);
            if (a->placed)
                turn(&start.velocity, a->placement.rotation, 1.0f / a->scale);
            to->bodies[a->first_body + b] = start.transform;
            mmd_world_place(w->world, 1, &number, &start.transform, &start.velocity);
        }
    }
}
