/* Physics of a stage: switching on and off, and applying a frame to the drawn poses (docs/architecture.md,
 * Physics time). */
#include "simulation_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"

/* ---- creating worlds, states and caches ---- */

/* The worker may be two of MMD's frames ahead of what is drawn, but no more than this many steps. A state is
 * stored for each, which for large models at high rates takes most of the memory. */
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

/* Returns the scale of an actor, including its parents', at frame 0, which is the scale of its bodies. */
static float size_at_start(const mmd_stage *stage, size_t index)
{
    mmd_staging staging;
    stage_sample_staging(&stage->entries[index], 0.0, &staging);
    float size = staging.scale;
    for (size_t met = 0; met < stage->actor_count && stage_parent(stage, &staging); met++) {
        size_t parent = 0;
        while (parent < stage->actor_count && stage->entries[parent].actor != staging.parent)
            parent++;
        if (parent == stage->actor_count)
            break;
        stage_sample_staging(&stage->entries[parent], 0.0, &staging);
        size *= staging.scale;
    }
    return sim_actor_scale(size);
}

/* Orders the actors by their places. */
static void sort_places(simulation *s)
{
    for (uint32_t i = 0; i < s->actor_count; i++) {
        size_t at = i;
        for (; at && s->actors[s->order[at - 1]].place > s->actors[i].place; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = i;
    }
}

/* Numbers the bodies of all actors, in the order of their places. */
static void number_bodies(simulation *s)
{
    for (size_t i = 0; i < s->actor_count; i++) {
        sim_actor *a = &s->actors[s->order[i]];
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
}

static mmd_status make_actors(simulation *s, const mmd_stage *stage, mmd_error *error)
{
    s->actors = mmd_arena_alloc(&s->arena, stage->actor_count, sizeof *s->actors);
    s->order = mmd_arena_alloc(&s->arena, stage->actor_count, sizeof *s->order);
    if (!s->actors || !s->order)
        return out_of_memory(error);
    for (size_t i = 0; i < stage->actor_count; i++) {
        sim_actor *a = &s->actors[s->actor_count++];
        a->built_scale = size_at_start(stage, i);
        mmd_status status = sim_actor_init(a, &stage->entries[i], &s->options, &s->arena, error);
        if (status != MMD_OK)
            return status;
    }
    sort_places(s);
    number_bodies(s);
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
    if (settings.exact_restitution)
        settings.ground_restitution = 0.0f;
    return settings;
}

/* Creates a world of the actors whose places are from first up to, not including, `behind`, if any of them
 * has bodies. */
static mmd_status make_world(simulation *s, size_t first, size_t behind, mmd_error *error)
{
    sim_world *w = &s->worlds[s->world_count];
    uint32_t most = (uint32_t)(behind - first);
    w->actors = mmd_arena_alloc(&s->arena, most, sizeof *w->actors);
    const mmd_physscene **scenes = mmd_arena_alloc(&s->arena, most, sizeof *scenes);
    if (!w->actors || !scenes)
        return out_of_memory(error);
    w->first_body = s->actors[s->order[first]].first_body;
    for (size_t i = first; i < behind; i++) {
        const sim_actor *a = &s->actors[s->order[i]];
        if (!a->has_world)
            continue;
        scenes[w->actor_count] = &a->scene;
        w->actors[w->actor_count++] = s->order[i];
        w->body_count += a->body_count;
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
    w->saved_at = s->saved_size;
    w->saved_size = (mmd_world_state_size(w->world) + 31) & ~(size_t)31;
    s->saved_size += w->saved_size;
    return w->list && w->transforms ? MMD_OK : out_of_memory(error);
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

/* Appends an array to a block. Returns its address, NULL if data is NULL. */
static void *next_array(uint8_t *data, size_t *used, size_t count, size_t size)
{
    void *array = data ? data + *used : NULL;
    *used = (*used + count * size + 31) & ~(size_t)31;
    return array;
}

/* Assigns the arrays of a state in its data, and returns their size. data NULL: only computes the size. */
static size_t lay_out(const simulation *s, uint8_t *data, sim_state *state)
{
    size_t used = 0;
    *state = (sim_state){.step = -1, .data = data};
    state->bodies = next_array(data, &used, s->body_count, sizeof *state->bodies);
    state->placements = next_array(data, &used, s->actor_count, sizeof *state->placements);
    state->scales = next_array(data, &used, s->actor_count, sizeof *state->scales);
    state->positions = next_array(data, &used, s->node_count, sizeof *state->positions);
    state->normals = next_array(data, &used, s->node_count, sizeof *state->normals);
    state->shifts = next_array(data, &used, s->holder_count, sizeof *state->shifts);
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
    s->reset_reported = mmd_arena_alloc(arena, s->body_count + s->soft_count, 1);
    s->reporting = mmd_arena_alloc(arena, s->body_count + s->soft_count, sizeof *s->reporting);
    return s->initial && s->targets && s->held && s->drawn_bodies && s->drawn_simulated && s->seen &&
           s->drawn_positions && s->drawn_normals && s->reset_reported && s->reporting && s->cycle.data;
}

static bool make_threads(simulation *s)
{
    if (s->options.threads > 1 && s->world_count > 1) {
        uint32_t most = (uint32_t)s->world_count - 1; /* in addition to the caller's */
        s->pool = mmd_pool_create(s->options.threads - 1 < most ? s->options.threads - 1 : most);
        if (!s->pool)
            return false;
    }
    if (s->options.run_ahead && s->world_count)
        s->worker = mmd_worker_create();
    return !s->options.run_ahead || !s->world_count || s->worker;
}

/* Returns the last step of the stage's motions. */
static int64_t simulation_last_step(const mmd_stage *stage, const mmd_physics_options *options)
{
    return (int64_t)(mmd_stage_last_frame(stage) / 30.0 * (double)options->rate);
}

static mmd_status create(mmd_stage *stage, const mmd_physics_options *options, simulation **out,
                         mmd_error *error)
{
    simulation *s = mmd_alloc(sizeof *s);
    if (!s)
        return out_of_memory(error);
    memset(s, 0, sizeof *s);
    s->options = *options;
    s->rebuild_steps = (int64_t)MMD_PHYSICS_REBUILD_SECONDS * options->rate;
    s->farthest = s->counted_to = -1;
    s->wants_triggers = stage->on_trigger != NULL;
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
    step_cache_restart(s);
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
        sim_actor_finish(&s->actors[i]);
    snapshots_finish(&s->snapshots);
    mmd_free(s->told.items);
    for (uint32_t i = 0; s->ring && i < s->ring_size; i++) {
        mmd_free(s->ring[i].contacts);
        mmd_free(s->ring[i].trigger_events);
    }
    mmd_arena_finish(&s->arena);
    mmd_free(s);
}

/* ---- on, off, and setting a frame ---- */

/* Steps nearer to a frame than this are at the frame, so that rounding (at 144 frames a second, for
 * example) has no effect. */
static const double step_tolerance = 1e-6;

/* Limit of the number of a step, whatever the frame. */
static const double farthest_step = 1e12;

/* Two seconds: larger differences between frames are seeks, not playback. */
static const double farthest_played = 60.0;

void mmd_physics_options_take(mmd_physics_options *options, const mmd_phys_world *world)
{
    assert(options && world);
    options->rate = world->rate;
    options->iterations = world->iterations;
    memcpy(options->gravity, world->gravity, sizeof options->gravity);
    options->joint_erp = world->joint_erp;
    options->joint_lever = world->joint_lever;
    options->damping = world->damping;
    options->exact_restitution = world->exact_restitution;
    options->ground = world->ground;
}

mmd_physics_options mmd_default_physics_options(void)
{
    const mmd_phys_world world = mmd_default_phys_world();
    mmd_physics_options options = {.backend = MMD_PHYSICS_BULLET,
                                   .shared_world = true,
                                   .run_ahead = true,
                                   .cache_bytes = (size_t)64 << 20};
    mmd_physics_options_take(&options, &world);
    return options;
}

/* Returns bones that physics moved to their motions, from the next frame on. */
static void release_bones(const simulation *s)
{
    for (size_t i = 0; i < s->actor_count; i++) {
        const sim_actor *a = &s->actors[i];
        for (uint32_t k = 0; k < a->order_count; k++)
            mmd_pose_override(a->actor->pose, (uint32_t)a->scene.bodies[a->order[k]].bone, NULL, false);
    }
}

static bool is_sound(const mmd_physics_options *o)
{
    float sum = o->joint_erp + o->gravity[0] + o->gravity[1] + o->gravity[2];
    return o->rate >= 20 && o->rate <= 2000 && o->iterations >= 1 && o->iterations <= 1000 && isfinite(sum);
}

/* Passes the stage's keys of gravity to the simulation after they changed. */
static void pass_gravity_keys(const mmd_stage *stage)
{
    if (!stage->physics)
        return;
    stage->physics->gravity_keys = stage->gravity_keys;
    stage->physics->gravity_key_count = stage->gravity_key_count;
}

mmd_status mmd_stage_set_physics(mmd_stage *stage, const mmd_physics_options *options, mmd_error *error)
{
    simulation *made = NULL;
    bool sound = !options || is_sound(options);
    (void)sound; /* unused without asserts */
    assert(stage && sound);
    mmd_stage_settle(stage);
    mmd_status status = options ? create(stage, options, &made, error) : MMD_OK;
    if (status != MMD_OK)
        return status;
    if (stage->physics)
        release_bones(stage->physics);
    simulation_destroy(stage->physics);
    stage->physics = made;
    pass_gravity_keys(stage);
    return MMD_OK;
}

mmd_status simulation_restart(mmd_stage *stage, mmd_error *error)
{
    assert(stage);
    if (!stage->physics)
        return MMD_OK;
    mmd_physics_options options = stage->physics->options;
    return mmd_stage_set_physics(stage, &options, error);
}

const mmd_physics_options *mmd_stage_physics(const mmd_stage *stage)
{
    assert(stage);
    return stage->physics ? &stage->physics->options : NULL;
}

static void drop_gravity_keys(mmd_stage *stage)
{
    mmd_free(stage->gravity_keys);
    stage->gravity_keys = NULL;
    stage->gravity_key_count = 0;
    pass_gravity_keys(stage);
}

void mmd_stage_set_gravity(mmd_stage *stage, const float gravity[3])
{
    assert(stage);
    simulation *s = stage->physics;
    bool had_keys = stage->gravity_keys != NULL;
    simulation_settle(s);
    drop_gravity_keys(stage);
    if (!s || (!had_keys && memcmp(s->options.gravity, gravity, sizeof s->options.gravity) == 0))
        return;
    memcpy(s->options.gravity, gravity, sizeof s->options.gravity);
    step_cache_forget(s);
}

mmd_status mmd_stage_set_gravity_keys(mmd_stage *stage, const mmd_gravity_key *keys, size_t count,
                                      mmd_error *error)
{
    assert(stage && (!keys || count > 0));
    mmd_gravity_key *copy = keys ? mmd_alloc(count * sizeof *copy) : NULL;
    if (keys && !copy)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    simulation_settle(stage->physics);
    drop_gravity_keys(stage);
    if (copy)
        memcpy(copy, keys, count * sizeof *copy);
    stage->gravity_keys = copy;
    stage->gravity_key_count = copy ? count : 0;
    pass_gravity_keys(stage);
    if (stage->physics)
        step_cache_restart(stage->physics);
    return MMD_OK;
}

bool mmd_stage_has_gravity_keys(const mmd_stage *stage)
{
    assert(stage);
    return stage->gravity_keys != NULL;
}

/* Interpolates strength and direction separately. */
static void gravity_between(const mmd_gravity_key *a, const mmd_gravity_key *b, double frame,
                            float gravity[3])
{
    float t =
        b == a || frame <= a->frame ? 0.0f : (float)((frame - a->frame) / ((double)b->frame - a->frame));
    float strength = a->strength + t * (b->strength - a->strength);
    for (int k = 0; k < 3; k++)
        gravity[k] = strength * (a->direction[k] + t * (b->direction[k] - a->direction[k]));
}

static void gravity_of_keys(const mmd_gravity_key *keys, size_t count, double frame, float gravity[3])
{
    size_t last = 0, behind = count; /* the last key at or before the frame, and the next */
    while (behind - last > 1) {
        size_t middle = last + (behind - last) / 2;
        if (keys[middle].frame <= frame)
            last = middle;
        else
            behind = middle;
    }
    gravity_between(&keys[last], behind < count ? &keys[behind] : &keys[last], frame, gravity);
}

void simulation_gravity(const simulation *s, double frame, float gravity[3])
{
    assert(s);
    if (s->gravity_keys)
        gravity_of_keys(s->gravity_keys, s->gravity_key_count, frame, gravity);
    else
        memcpy(gravity, s->options.gravity, sizeof s->options.gravity);
}

void mmd_stage_gravity_at(const mmd_stage *stage, double frame, float gravity[3])
{
    assert(stage);
    if (stage->gravity_keys)
        gravity_of_keys(stage->gravity_keys, stage->gravity_key_count, frame, gravity);
    else if (stage->physics)
        memcpy(gravity, stage->physics->options.gravity, sizeof stage->physics->options.gravity);
    else
        memset(gravity, 0, 3 * sizeof *gravity);
}

void mmd_stage_set_ground(mmd_stage *stage, bool on)
{
    assert(stage);
    simulation *s = stage->physics;
    if (!s || s->options.ground == on)
        return;
    simulation_settle(s);
    s->options.ground = on;
    step_cache_forget(s);
}

void mmd_stage_on_reset_bodies(mmd_stage *stage, mmd_reset_bodies_function *function, void *context)
{
    assert(stage);
    stage->on_reset_bodies = function;
    stage->reset_bodies_context = context;
}

void mmd_stage_on_simulating(mmd_stage *stage, mmd_simulating_function *function, void *context)
{
    assert(stage);
    stage->on_simulating = function;
    stage->simulating_context = context;
}

void mmd_stage_on_step(mmd_stage *stage, mmd_simulating_function *function, void *context)
{
    assert(stage);
    stage->on_step = function;
    stage->step_context = context;
}

size_t mmd_stage_count_contacts(const mmd_stage *stage)
{
    assert(stage);
    const simulation *s = stage->physics;
    size_t count = 0;
    for (size_t i = 0; s && i < s->world_count; i++)
        count += mmd_world_contacts(s->worlds[i].world, NULL, 0);
    return count;
}

void mmd_stage_on_trigger(mmd_stage *stage, mmd_trigger_function *function, void *context)
{
    assert(stage);
    simulation_settle(stage->physics);
    stage->on_trigger = function;
    stage->trigger_context = context;
    if (stage->physics)
        stage->physics->wants_triggers = function != NULL;
}

void mmd_stage_settle(mmd_stage *stage)
{
    assert(stage);
    simulation_settle(stage->physics);
}

static bool has_any_body(const simulation *s)
{
    return s->body_count > 0 || s->soft_count > 0;
}

/* Writes the report when a frame is set, so that reading it does not stop the worker. */
static void write_report(simulation *s)
{
    mmd_physics_report report = {.steps = s->steps,
                                 .replayed = s->replayed,
                                 .reset_bodies = s->reset_bodies,
                                 .repeats =
                                     !has_any_body(s) || (s->cycle.period && s->high >= s->cycle.marked),
                                 .snapshots = s->snapshots.count,
                                 .snapshot_bytes = s->snapshots.count * s->state_size};
    for (size_t i = 0; i < s->world_count; i++) {
        report.step_seconds += s->worlds[i].step_seconds;
        report.pose_seconds += s->worlds[i].pose_seconds;
    }
    s->report = report;
}

mmd_physics_report mmd_stage_physics_report(mmd_stage *stage)
{
    assert(stage);
    return stage->physics ? stage->physics->report : (mmd_physics_report){.steps = 0};
}

/* ---- setting a frame ---- */

/* Restarts after a change of motions, with as many snapshots as the new ones need; without memory there
 * are none. */
static void restart_with_motions(mmd_stage *stage)
{
    simulation *s = stage->physics;
    step_cache_restart(s);
    s->counted_to = -1; /* steps are computed anew from here on */
    snapshots_finish(&s->snapshots);
    snapshots_init(s, simulation_last_step(stage, &s->options));
}

/* Builds all worlds anew and keeps the counters. Without memory it continues with the old ones. */
static void rebuild(mmd_stage *stage)
{
    simulation *s = stage->physics;
    uint64_t steps = s->steps, replayed = s->replayed, reset_bodies = s->reset_bodies;
    if (simulation_restart(stage, NULL) != MMD_OK)
        return;
    s = stage->physics;
    s->steps = steps;
    s->replayed = replayed;
    s->reset_bodies = reset_bodies;
}

/* Restarts if an actor's size changed, which changes all worlds. */
static void rebuild_in_other_sizes(mmd_stage *stage)
{
    const simulation *s = stage->physics;
    bool same = true;
    for (size_t i = 0; i < s->actor_count; i++)
        same = same && size_at_start(stage, i) == s->actors[i].built_scale;
    if (!same)
        rebuild(stage);
}

/* Restarts if actors were taken off the stage or put back, or have other places in the order of bodies. */
static void rebuild_with_others(mmd_stage *stage)
{
    const simulation *s = stage->physics;
    bool same = true;
    for (size_t i = 0; i < s->actor_count; i++)
        same = same && stage->entries[i].absent == s->actors[i].absent &&
               stage->entries[i].place == s->actors[i].place;
    if (!same)
        rebuild(stage);
}

/* Takes over changes. Those found at the first frame or at step 0 apply from the beginning. */
static void apply_changes(simulation *s, sim_change change)
{
    bool begun = s->drawn && s->live >= 0 && s->high > 0;
    if (begun && change == SIM_BY_HAND)
        follow_edits_states(s);
    for (size_t i = 0; i < s->actor_count; i++)
        sim_actor_apply_changes(&s->actors[i]);
    s->pending = false;
    step_cache_forget(s);
}

/* Finds changes by hand. While the frame stands, changes that bodies can be moved along with are only
 * drawn. */
static void find_changes(mmd_stage *stage)
{
    rebuild_with_others(stage);
    simulation *s = stage->physics;
    bool stands = s->drawn && s->high > 0 && stage->frame == s->drawn_frame;
    sim_change greatest = SIM_UNCHANGED;
    for (size_t i = 0; i < s->actor_count; i++) {
        sim_change change = sim_actor_find_changes(s, &s->actors[i], &stage->entries[i]);
        greatest = change > greatest ? change : greatest;
    }
    s->pending = greatest == SIM_BY_HAND && stands;
    if (greatest == SIM_UNCHANGED || s->pending)
        return;
    apply_changes(s, greatest);
    if (greatest == SIM_MOTIONS)
        restart_with_motions(stage);
    rebuild_in_other_sizes(stage);
}

/* Finds the steps on both sides of a frame, and its position between them, 0 to 1. Without any body the state
 * is always that of step 0, so that a frame of billions needs no steps. */
static void find_steps(const simulation *s, double frame, int64_t *low, int64_t *high, float *between)
{
    if (!has_any_body(s))
        frame = 0.0;
    double at = mmd_min(mmd_max(frame, 0.0) * (double)s->options.rate / 30.0, farthest_step);
    double nearest = floor(at + 0.5);
    *low = (int64_t)floor(at);
    *between = (float)(at - floor(at));
    if (fabs(at - nearest) < step_tolerance) {
        *low = (int64_t)nearest;
        *between = 0.0f;
    }
    *high = *between > 0.0f ? *low + 1 : *low;
}

static void mix_bodies(simulation *s, const sim_state *low, const sim_state *high)
{
    for (uint32_t b = 0; b < s->body_count; b++) {
        mmd_transform_mix(&low->bodies[b], &high->bodies[b], s->between, &s->drawn_bodies[b]);
        s->drawn_simulated[b] = low->simulated[b] || high->simulated[b];
    }
    for (uint32_t n = 0; n < s->node_count; n++) {
        for (int k = 0; k < 4; k++) {
            float p = low->positions[n][k], v = low->normals[n][k];
            s->drawn_positions[n][k] = p + (high->positions[n][k] - p) * s->between;
            s->drawn_normals[n][k] = v + (high->normals[n][k] - v) * s->between;
        }
    }
}

/* Interpolates the bodies of a moving actor in its own space, so that they do not lag behind bones. */
static void mix_in_own_space(simulation *s, const sim_actor *a, size_t index, const sim_state *low,
                             const sim_state *high, mmd_transform *out)
{
    mmd_transform x, y;
    for (uint32_t b = 0; b < a->body_count; b++) {
        sim_actor_to_own(&low->placements[index], low->scales[index], &low->bodies[a->first_body + b], &x);
        sim_actor_to_own(&high->placements[index], high->scales[index], &high->bodies[a->first_body + b], &y);
        mmd_transform_mix(&x, &y, s->between, &out[b]);
        if (s->pending && a->carry.changed[b])
            mmd_transform_multiply(&a->carry.change[b], &out[b], &out[b]);
    }
}

static void override_bones(simulation *s, const sim_state *low, const sim_state *high)
{
    for (size_t i = 0; i < s->actor_count; i++) {
        const sim_actor *a = &s->actors[i];
        const mmd_transform *bodies = s->drawn_bodies + a->first_body;
        if (s->pending || low->placed[i] || high->placed[i]) {
            mix_in_own_space(s, a, i, low, high, s->seen);
            bodies = s->seen;
        }
        sim_actor_override(a, a->actor->pose, bodies, s->drawn_simulated + a->first_body, NULL, 1.0f);
    }
}

void simulation_set_frame(mmd_stage *stage)
{
    assert(stage);
    simulation *s = stage->physics;
    if (!s)
        return;
    int64_t low, high;
    float between;
    simulation_settle(s);
    find_changes(stage);
    s = stage->physics;
    step_cache_note_end(stage);
    find_steps(s, stage->frame, &low, &high, &between);
    step_cache_reach(stage, low, high);
    double moved = stage->frame - s->drawn_frame;
    bool plays = s->drawn && moved > 0.0 && moved < farthest_played;
    s->low = low;
    s->high = high;
    s->between = between;
    s->drawn = true;
    s->drawn_frame = stage->frame;
    const sim_state *before = step_cache_state(s, low), *behind = step_cache_state(s, high);
    mix_bodies(s, before, behind);
    if (s->pending)
        follow_edits_drawn(stage);
    override_bones(s, before, behind);
    write_report(s);
    if (plays)
        step_cache_run_ahead(s);
}
