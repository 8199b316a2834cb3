/* Makes the simulation of a stage: its actors, their worlds, and room for states. */
#include "simulation_internal.h"

#include <assert.h>
#include <string.h>

/*
 * Steps that the worker may be ahead of what is drawn: two frames of MMD's,
 * but no more than so many: a state is kept of each, which at high rates of
 * large models would be most of the memory.
 */
enum { most_steps_ahead = 16 };

static uint32_t steps_ahead(const mmd_physics_options *options)
{
    uint32_t two_frames = (options->rate + 14) / 15;
    return !options->run_ahead ? 0 : two_frames < most_steps_ahead ? two_frames : most_steps_ahead;
}

static mmd_status out_of_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
}

float simulation_size(const mmd_stage *stage, size_t index)
{
    mmd_staging staging;
    stage_sample_staging(&stage->entries[index], 0.0, &staging);
    float size = staging.scale;
    for (size_t met = 0; met < stage->actor_count && staging.parent && staging.parent_bone >= 0; met++) {
        size_t parent = 0;
        while (parent < stage->actor_count && stage->entries[parent].actor != staging.parent)
            parent++;
        if (parent == stage->actor_count)
            break;
        stage_sample_staging(&stage->entries[parent], 0.0, &staging);
        size *= staging.scale;
    }
    return coupled_scale(size);
}

static mmd_status make_actors(simulation *s, const mmd_stage *stage, mmd_error *error)
{
    s->actors = mmd_arena_alloc(&s->arena, stage->actor_count, sizeof *s->actors);
    if (!s->actors)
        return out_of_memory(error);
    for (size_t i = 0; i < stage->actor_count; i++) {
        sim_actor *a = &s->actors[s->actor_count++];
        a->built_scale = simulation_size(stage, i);
        mmd_status status = coupled_init(a, &stage->entries[i], &s->options, &s->arena, error);
        if (status != MMD_OK)
            return status;
        a->first_body = s->body_count;
        a->first_node = s->node_count;
        a->first_soft = s->soft_count;
        a->first_holder = s->holder_count;
        s->holder_count += a->holder_count;
        s->body_count += a->body_count;
        s->soft_count += a->scene.soft_body_count;
        for (uint32_t k = 0; k < a->scene.soft_body_count; k++)
            s->node_count += a->scene.soft_bodies[k].node_count;
    }
    return MMD_OK;
}

static mmd_phys_world world_settings(const mmd_physics_options *options)
{
    mmd_phys_world settings = mmd_default_phys_world();
    memcpy(settings.gravity, options->gravity, sizeof settings.gravity);
    settings.ground = options->ground;
    settings.rate = options->rate;
    settings.iterations = options->iterations;
    settings.joint_erp = options->joint_erp;
    settings.joint_lever = options->joint_lever;
    settings.damping = options->damping;
    settings.exact_restitution = options->exact_restitution;
    return settings;
}

/* A world of actors first.. that have bodies; all of them, or the first one. */
static mmd_status make_world(simulation *s, size_t first, size_t behind, mmd_error *error)
{
    sim_world *w = &s->worlds[s->world_count];
    uint32_t most = (uint32_t)(behind - first);
    w->actors = mmd_arena_alloc(&s->arena, most, sizeof *w->actors);
    const mmd_physscene **scenes = mmd_arena_alloc(&s->arena, most, sizeof *scenes);
    if (!w->actors || !scenes)
        return out_of_memory(error);
    w->first_body = s->actors[first].first_body;
    for (size_t i = first; i < behind; i++) {
        if (!s->actors[i].has_world)
            continue;
        scenes[w->actor_count] = &s->actors[i].scene;
        w->actors[w->actor_count++] = (uint32_t)i;
        w->body_count += s->actors[i].body_count;
    }
    if (!w->actor_count)
        return MMD_OK;
    mmd_phys_world settings = world_settings(&s->options);
    mmd_status status =
        mmd_world_create(s->options.backend, &settings, scenes, w->actor_count, &w->world, error);
    if (status != MMD_OK)
        return status;
    s->world_count++;
    assert(mmd_world_body_count(w->world) == w->body_count);
    w->list = mmd_arena_alloc(&s->arena, w->body_count, sizeof *w->list);
    w->transforms = mmd_arena_alloc(&s->arena, w->body_count, sizeof *w->transforms);
    w->positions = mmd_arena_alloc(&s->arena, w->body_count, sizeof *w->positions);
    w->saved_at = s->saved_size;
    w->saved_size = (mmd_world_state_size(w->world) + 31) & ~(size_t)31;
    s->saved_size += w->saved_size;
    return w->list && w->transforms && w->positions ? MMD_OK : out_of_memory(error);
}

static mmd_status make_worlds(simulation *s, mmd_error *error)
{
    s->worlds = mmd_arena_alloc(&s->arena, s->actor_count, sizeof *s->worlds);
    if (!s->worlds)
        return out_of_memory(error);
    if (s->options.shared_world)
        return s->actor_count ? make_world(s, 0, s->actor_count, error) : MMD_OK;
    mmd_status status = MMD_OK;
    for (size_t i = 0; status == MMD_OK && i < s->actor_count; i++)
        status = make_world(s, i, i + 1, error);
    return status;
}

/* Puts an array behind what is there; returns where. */
static void *next_array(uint8_t *data, size_t *used, size_t count, size_t size)
{
    void *array = data ? data + *used : NULL;
    *used = (*used + count * size + 31) & ~(size_t)31;
    return array;
}

/* Arrays of a state in its data; data NULL: to know how much that is. */
static size_t lay_out(const simulation *s, uint8_t *data, sim_state *state)
{
    size_t used = 0;
    *state = (sim_state){.step = -1, .data = data};
    state->bodies = next_array(data, &used, s->body_count, sizeof *state->bodies);
    state->placements = next_array(data, &used, s->actor_count, sizeof *state->placements);
    state->scales = next_array(data, &used, s->actor_count, sizeof *state->scales);
    state->positions = next_array(data, &used, s->node_count, sizeof *state->positions);
    state->normals = next_array(data, &used, s->node_count, sizeof *state->normals);
    state->paces = next_array(data, &used, s->holder_count, sizeof *state->paces);
    state->worlds = next_array(data, &used, s->saved_size, 1);
    state->simulated = next_array(data, &used, s->body_count, 1);
    state->reasons = next_array(data, &used, s->body_count, 1);
    state->soft_reasons = next_array(data, &used, s->soft_count, 1);
    state->visible = next_array(data, &used, s->actor_count, 1);
    state->placed = next_array(data, &used, s->actor_count, 1);
    return used;
}

static bool make_ring(simulation *s)
{
    sim_state measured;
    s->state_size = lay_out(s, NULL, &measured);
    s->ring_size = steps_ahead(&s->options) + 2;
    s->ring = mmd_arena_alloc(&s->arena, s->ring_size, sizeof *s->ring);
    uint8_t *data = mmd_arena_alloc(&s->arena, s->ring_size, s->state_size ? s->state_size : 1);
    if (!s->ring || !data)
        return false;
    for (uint32_t i = 0; i < s->ring_size; i++)
        lay_out(s, data + i * s->state_size, &s->ring[i]);
    return true;
}

static bool make_arrays(simulation *s)
{
    mmd_arena *arena = &s->arena;
    s->initial = mmd_arena_alloc(arena, s->saved_size, 1);
    s->targets = mmd_arena_alloc(arena, s->body_count, sizeof *s->targets);
    s->held = mmd_arena_alloc(arena, s->body_count, 1);
    s->drawn_bodies = mmd_arena_alloc(arena, s->body_count, sizeof *s->drawn_bodies);
    s->seen = mmd_arena_alloc(arena, s->body_count, sizeof *s->seen);
    s->drawn_simulated = mmd_arena_alloc(arena, s->body_count, 1);
    s->drawn_positions = mmd_arena_alloc(arena, s->node_count, sizeof *s->drawn_positions);
    s->drawn_normals = mmd_arena_alloc(arena, s->node_count, sizeof *s->drawn_normals);
    s->cycle = (sim_cycle){.ended = -1, .marked = -1};
    s->cycle.data = mmd_arena_alloc(arena, s->state_size, 1);
    s->told = mmd_arena_alloc(arena, s->body_count + s->soft_count, 1);
    s->telling = mmd_arena_alloc(arena, s->body_count + s->soft_count, sizeof *s->telling);
    return s->initial && s->targets && s->held && s->drawn_bodies && s->drawn_simulated && s->seen &&
           s->drawn_positions && s->drawn_normals && s->told && s->telling && s->cycle.data;
}

static bool make_threads(simulation *s)
{
    if (s->options.threads > 1 && s->world_count > 1) {
        uint32_t most = (uint32_t)s->world_count - 1; /* beside the caller's */
        s->pool = mmd_pool_create(s->options.threads - 1 < most ? s->options.threads - 1 : most);
        if (!s->pool)
            return false;
    }
    if (s->options.run_ahead && s->world_count)
        s->worker = mmd_worker_create();
    return !s->options.run_ahead || !s->world_count || s->worker;
}

int64_t simulation_last_step(const mmd_stage *stage, const mmd_physics_options *options)
{
    return (int64_t)(mmd_stage_last_frame(stage) / 30.0 * (double)options->rate);
}

mmd_status simulation_create(mmd_stage *stage, const mmd_physics_options *options, simulation **out,
                             mmd_error *error)
{
    simulation *s = mmd_alloc(sizeof *s);
    if (!s)
        return out_of_memory(error);
    memset(s, 0, sizeof *s);
    s->options = *options;
    s->rebuild_steps = (int64_t)MMD_PHYSICS_REBUILD_SECONDS * options->rate;
    s->farthest = s->counted_to = -1;
    s->wants_touched = stage->on_touched != NULL;
    atomic_init(&s->stop, false);
    mmd_status status = make_actors(s, stage, error);
    if (status == MMD_OK)
        status = make_worlds(s, error);
    if (status == MMD_OK && !(make_ring(s) && make_arrays(s) &&
                              snapshots_init(s, simulation_last_step(stage, options)) && make_threads(s)))
        status = out_of_memory(error);
    if (status != MMD_OK) {
        simulation_destroy(s);
        return status;
    }
    for (size_t i = 0; i < s->world_count; i++)
        mmd_world_save(s->worlds[i].world, s->initial + s->worlds[i].saved_at);
    timeline_restart(s);
    *out = s;
    return MMD_OK;
}

void simulation_destroy(simulation *s)
{
    if (!s)
        return;
    simulation_settle(s);
    mmd_worker_destroy(s->worker);
    mmd_pool_destroy(s->pool);
    for (size_t i = 0; i < s->world_count; i++)
        mmd_world_destroy(s->worlds[i].world);
    for (size_t i = 0; i < s->actor_count; i++)
        coupled_finish(&s->actors[i]);
    snapshots_finish(&s->snapshots);
    for (uint32_t i = 0; s->ring && i < s->ring_size; i++) {
        mmd_free(s->ring[i].contacts);
        mmd_free(s->ring[i].touched);
    }
    mmd_arena_finish(&s->arena);
    mmd_free(s);
}
