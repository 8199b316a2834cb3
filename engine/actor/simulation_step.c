/*
 * One step of all worlds, from one state to the next; and the reset, which makes the state of step 0
 * (docs/mmd.md 5.5).
 *
 * Worlds are independent and are stepped by several threads. Parents of actors on the stage are evaluated
 * before, by one thread.
 */
#include "simulation_internal.h"

#include <assert.h>
#include <string.h>
#include <time.h>

/* Returns seconds of a clock, for the report. */
static double simulation_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double step_frame(const simulation *s, int64_t step)
{
    assert(s);
    return (double)step * 30.0 / (double)s->options.rate;
}

/* ---- impulses ---- */

/*
 * Impulse morphs (PMX 2.1) give their bodies an impulse as long as they have a weight. An offset of zeros
 * stops its body.
 */

/* Impulses are those per 1/60 s, MMD's step; shorter steps give less. */
static const float impulse_rate = 60.0f;

bool impulses_init(sim_actor *a, mmd_arena *arena)
{
    assert(a && arena);
    const mmd_model *model = a->model;
    uint32_t count = 0;
    for (uint32_t m = 0; m < model->morph_count; m++)
        count += model->morphs[m].kind == MMD_MORPH_IMPULSE ? model->morphs[m].count : 0;
    if (!count)
        return true;
    a->impulse_morphs = mmd_arena_alloc(arena, count, sizeof *a->impulse_morphs);
    a->impulses = mmd_arena_alloc(arena, a->body_count, 2 * sizeof *a->impulses);
    a->impulse_list = mmd_arena_alloc(arena, a->body_count, 2 * sizeof *a->impulse_list);
    if (!a->impulse_morphs || !a->impulses || !a->impulse_list)
        return false;
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const mmd_morph *morph = &model->morphs[m];
        for (uint32_t i = 0; morph->kind == MMD_MORPH_IMPULSE && i < morph->count; i++) {
            int32_t body = morph->offsets.impulse[i].body;
            if (body >= 0 && (uint32_t)body < a->body_count)
                a->impulse_morphs[a->impulse_morph_count++] = (sim_impulse_morph){
                    .morph = m, .body = (uint32_t)body, .offset = &morph->offsets.impulse[i]};
        }
    }
    return true;
}

static bool is_stop(const mmd_impulse_offset *offset)
{
    for (int k = 0; k < 3; k++)
        if (offset->velocity[k] != 0.0f || offset->torque[k] != 0.0f)
            return false;
    return true;
}

/* Adds up the impulses of morphs with a weight, by body and coordinate system. Returns false if there are
 * none. */
static bool add_up(const simulation *s, sim_actor *a)
{
    const float *weights = mmd_pose_weights(a->pose);
    float share = impulse_rate / (float)s->options.rate;
    bool any = false;
    for (uint32_t i = 0; i < a->impulse_morph_count; i++) {
        const sim_impulse_morph *m = &a->impulse_morphs[i];
        float weight = weights[m->morph];
        if (weight == 0.0f || !a->moving[m->body])
            continue;
        if (!any)
            memset(a->impulses, 0, 2 * (size_t)a->body_count * sizeof *a->impulses);
        any = true;
        mmd_impulse *sum = &a->impulses[2 * m->body + m->offset->local];
        sum->local = m->offset->local;
        sum->body = UINT32_MAX; /* marks a sum that is not empty */
        sum->stop |= is_stop(m->offset);
        for (int k = 0; k < 3; k++) {
            sum->linear[k] += m->offset->velocity[k] * weight * share * a->built_scale;
            sum->angular[k] += m->offset->torque[k] * weight * share * a->built_scale * a->built_scale;
        }
    }
    return any;
}

/* Lists the impulses of a step in a->impulse_list and returns their number. */
static uint32_t impulses_list(const simulation *s, sim_actor *a, uint32_t first_in_world)
{
    uint32_t count = 0;
    if (!add_up(s, a))
        return 0;
    for (uint32_t i = 0; i < 2 * a->body_count; i++)
        if (a->impulses[i].body == UINT32_MAX) {
            a->impulse_list[count] = a->impulses[i];
            a->impulse_list[count++].body = first_in_world + i / 2;
        }
    return count;
}

/* ---- one world ---- */

typedef struct step_job {
    simulation *s;
    const sim_state *from;
    sim_state *to;
} step_job;

static uint32_t first_in_world(const sim_world *w, const sim_actor *a)
{
    return a->first_body - w->first_body;
}

/* Restores a saved world with the current gravity and ground at a step. */
static void restore(const simulation *s, sim_world *w, const uint8_t *saved, int64_t step)
{
    float gravity[3];
    simulation_gravity(s, step_frame(s, step), gravity);
    mmd_world_restore(w->world, saved + w->saved_at);
    mmd_world_set_gravity(w->world, gravity);
    mmd_world_set_ground(w->world, s->options.ground);
}

/* Sets targets, held bodies and pins of a world for the step. */
static void set_targets(simulation *s, sim_world *w, const sim_state *from, sim_state *to)
{
    for (uint32_t i = 0; i < w->actor_count; i++)
        sim_actor_targets(s, &s->actors[w->actors[i]], from, to, w->actors[i]);
    for (uint32_t i = 0; i < w->actor_count; i++) {
        sim_actor *a = &s->actors[w->actors[i]];
        guard_begin(a, mmd_world_velocities(w->world) + first_in_world(w, a),
                    from ? from->reasons + a->first_body : NULL);
    }
    mmd_world_set_held(w->world, s->held + w->first_body);
    mmd_world_set_targets(w->world, s->targets + w->first_body);
    for (uint32_t i = 0; i < w->actor_count; i++) {
        const sim_actor *a = &s->actors[w->actors[i]];
        uint32_t first = mmd_world_first_soft_body(w->world, i);
        for (uint32_t k = 0; k < a->scene.soft_body_count; k++)
            if (a->scene.soft_bodies[k].pin_count) {
                pins_positions(a, k);
                mmd_world_set_pins(w->world, first + k, (const float(*)[3])a->pins);
            }
    }
}

static void apply_impulses(const simulation *s, sim_world *w)
{
    for (uint32_t i = 0; i < w->actor_count; i++) {
        sim_actor *a = &s->actors[w->actors[i]];
        uint32_t count = a->impulse_morph_count ? impulses_list(s, a, first_in_world(w, a)) : 0;
        if (count)
            mmd_world_impulse(w->world, count, a->impulse_list);
    }
}

/* Resets bodies that went astray. Returns whether one was not finite. */
static bool reset_bodies(simulation *s, sim_world *w, sim_state *to)
{
    const mmd_velocity *velocities = mmd_world_velocities(w->world);
    bool not_finite = false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->actor_count; i++) {
        sim_actor *a = &s->actors[w->actors[i]];
        uint8_t *reasons = to->reasons + a->first_body;
        mmd_transform *bodies = to->bodies + a->first_body;
        if (!guard_check(a, bodies, velocities + first_in_world(w, a), s->targets + a->first_body, reasons))
            continue;
        for (uint32_t b = 0; b < a->body_count; b++) {
            if (!reasons[b])
                continue;
            w->list[count] = first_in_world(w, a) + b;
            w->transforms[count++] = bodies[b];
            not_finite |= reasons[b] == GUARD_NOT_FINITE;
        }
    }
    if (count)
        mmd_world_place(w->world, count, w->list, w->transforms, NULL);
    w->reset_bodies = count;
    return not_finite;
}

/* Resets models that become visible at this step: their bodies, which were held so far, start at rest at
 * their bones. */
static void reset_appearing(simulation *s, sim_world *w, const sim_state *from, sim_state *to)
{
    uint32_t count = 0;
    bool appears = false;
    for (uint32_t i = 0; i < w->actor_count; i++) {
        uint32_t index = w->actors[i];
        const sim_actor *a = &s->actors[index];
        if (!to->visible[index] || from->visible[index])
            continue;
        appears = true;
        for (uint32_t b = a->first_body; b < a->first_body + a->body_count; b++) {
            s->held[b] = s->held[b] && !to->simulated[b];
            if (!to->simulated[b])
                continue;
            to->bodies[b] = s->targets[b];
            w->list[count] = b - w->first_body;
            w->transforms[count++] = s->targets[b];
        }
    }
    if (!appears)
        return;
    mmd_world_set_held(w->world, s->held + w->first_body);
    mmd_world_place(w->world, count, w->list, w->transforms, NULL);
    for (uint32_t i = 0; i < w->actor_count; i++)
        if (to->visible[w->actors[i]] && !from->visible[w->actors[i]])
            softs_place(s, w, i, to);
}

static void copy_soft_bodies(simulation *s, sim_world *w, sim_state *to)
{
    for (uint32_t i = 0; i < w->actor_count; i++) {
        const sim_actor *a = &s->actors[w->actors[i]];
        uint32_t node = a->first_node, first = mmd_world_first_soft_body(w->world, i);
        for (uint32_t k = 0; k < a->scene.soft_body_count; k++) {
            uint32_t nodes = a->scene.soft_bodies[k].node_count;
            memcpy(to->positions + node, mmd_world_soft_positions(w->world, first + k),
                   nodes * sizeof *to->positions);
            memcpy(to->normals + node, mmd_world_soft_normals(w->world, first + k),
                   nodes * sizeof *to->normals);
            node += nodes;
        }
    }
}

static void copy_bodies(sim_world *w, sim_state *to)
{
    memcpy(to->bodies + w->first_body, mmd_world_transforms(w->world), w->body_count * sizeof *to->bodies);
}

static void step_world(void *context, uint32_t item)
{
    step_job *job = context;
    simulation *s = job->s;
    sim_world *w = &s->worlds[item];
    float gravity[3];
    if (s->worlds_stale)
        restore(s, w, job->from->worlds, job->to->step);
    simulation_gravity(s, step_frame(s, job->to->step), gravity);
    mmd_world_set_gravity(w->world, gravity);
    double begin = simulation_seconds();
    set_targets(s, w, job->from, job->to);
    apply_impulses(s, w);
    double aimed = simulation_seconds();
    mmd_world_step(w->world);
    double stepped = simulation_seconds();
    copy_bodies(w, job->to);
    bool broken = reset_bodies(s, w, job->to);
    broken |= softs_reset_bodies(s, w, job->from, job->to);
    reset_appearing(s, w, job->from, job->to);
    copy_soft_bodies(s, w, job->to);
    mmd_world_save(w->world, job->to->worlds + w->saved_at);
    if (broken) /* the world's other state may be not finite, too */
        restore(s, w, job->to->worlds, job->to->step);
    w->step_seconds += stepped - aimed;
    w->pose_seconds += aimed - begin + simulation_seconds() - stepped;
}

/* Copies contacts after a step of all worlds, with bodies numbered over all worlds. */
static void copy_contacts(simulation *s, sim_state *to)
{
    to->contact_count = 0;
    for (size_t i = 0; i < s->world_count; i++) {
        const sim_world *w = &s->worlds[i];
        mmd_contact *contacts = to->contacts + to->contact_count;
        size_t room = SIM_CONTACTS_MAX - to->contact_count;
        size_t count = mmd_world_contacts(w->world, contacts, room);
        count = count < room ? count : room;
        for (size_t k = 0; k < count; k++) {
            contacts[k].body_a += contacts[k].body_a == MMD_GROUND ? 0 : w->first_body;
            contacts[k].body_b += contacts[k].body_b == MMD_GROUND ? 0 : w->first_body;
        }
        to->contact_count += (uint32_t)count;
    }
    to->has_contacts = true;
}

/* ---- triggers: the events of each step are stored with its state, like contacts ---- */

/* Makes room for events in a state. */
static bool make_room(sim_state *to, size_t count)
{
    if (count <= to->trigger_event_room)
        return true;
    mmd_trigger_event *grown =
        count < UINT32_MAX / 2 ? mmd_realloc(to->trigger_events, 2 * count * sizeof *grown) : NULL;
    if (!grown)
        return false;
    to->trigger_events = grown;
    to->trigger_event_room = (uint32_t)(2 * count);
    return true;
}

static void store_world_events(const sim_world *w, sim_state *to)
{
    size_t count = mmd_world_trigger_events(w->world, NULL, 0);
    if (!count || !make_room(to, to->trigger_event_count + count))
        return;
    mmd_trigger_event *events = to->trigger_events + to->trigger_event_count;
    mmd_world_trigger_events(w->world, events, count);
    for (size_t i = 0; i < count; i++) {
        events[i].trigger += w->first_body;
        events[i].other += w->first_body;
    }
    to->trigger_event_count += (uint32_t)count;
}

/* Stores the trigger events after a step of all worlds; none without memory. */
static void store_trigger_events(simulation *s, sim_state *to)
{
    for (size_t i = 0; i < s->world_count; i++)
        store_world_events(&s->worlds[i], to);
}

/* ---- all worlds ---- */

static void begin_step(simulation *s, const sim_state *from, sim_state *to)
{
    for (size_t i = 0; i < s->actor_count; i++)
        s->actors[i].evaluated = s->actors[i].begun = -1.0;
    for (size_t i = 0; i < s->actor_count; i++)
        if (s->actors[i].has_world)
            sim_actor_begin(s, &s->actors[i], from, step_frame(s, to->step));
    to->has_contacts = false;
    to->contact_count = 0;
    to->trigger_event_count = 0;
    to->reset_bodies_count = 0;
}

void step_advance(simulation *s, const sim_state *from, sim_state *to)
{
    assert(s && from && to);
    step_job job = {s, from, to};
    to->step = from->step + 1;
    begin_step(s, from, to);
    mmd_pool_run(s->pool, (uint32_t)s->world_count, step_world, &job);
    for (size_t i = 0; i < s->world_count; i++)
        to->reset_bodies_count += s->worlds[i].reset_bodies;
    if (s->wants_contacts)
        copy_contacts(s, to);
    if (s->wants_triggers)
        store_trigger_events(s, to);
    s->worlds_stale = to->step % s->rebuild_steps == 0;
    s->steps++;
    s->replayed += to->step <= s->farthest;
    s->farthest = to->step > s->farthest ? to->step : s->farthest;
}

/* Gives bodies the velocities of their file, relative to their placement. */
static void launch(const simulation *s, const sim_world *w)
{
    for (uint32_t i = 0; i < w->actor_count; i++) {
        const sim_actor *a = &s->actors[w->actors[i]];
        for (uint32_t b = 0; b < a->body_count; b++) {
            const mmd_phys_body *body = &a->scene.bodies[b];
            const mmd_transform *target = &s->targets[a->first_body + b];
            uint32_t number = first_in_world(w, a) + b;
            mmd_velocity velocity;
            mmd_phys_start_velocity(body, &velocity);
            if (memcmp(&velocity, &(mmd_velocity){0}, sizeof velocity) == 0 ||
                body->motion < MMD_PHYS_DYNAMIC || s->held[a->first_body + b])
                continue;
            turn_velocity(&body->rest, target, &velocity);
            mmd_world_place(w->world, 1, &number, target, &velocity);
        }
    }
}

static void reset_world(simulation *s, sim_world *w, sim_state *to)
{
    restore(s, w, s->initial, 0);
    set_targets(s, w, NULL, to);
    for (uint32_t b = 0; b < w->body_count; b++)
        w->list[b] = b;
    mmd_world_place(w->world, w->body_count, w->list, s->targets + w->first_body, NULL);
    launch(s, w);
    memcpy(to->bodies + w->first_body, s->targets + w->first_body, w->body_count * sizeof *to->bodies);
    starts_place(s, w, to);
    memset(to->reasons + w->first_body, GUARD_FINE, w->body_count);
    for (uint32_t i = 0; i < w->actor_count; i++)
        softs_place(s, w, i, to);
    copy_soft_bodies(s, w, to);
    mmd_world_save(w->world, to->worlds + w->saved_at);
}

void step_reset(simulation *s, sim_state *to)
{
    assert(s && to);
    to->step = 0;
    begin_step(s, NULL, to);
    memset(to->soft_reasons, GUARD_FINE, s->soft_count);
    memset(to->shifts, 0, s->holder_count * sizeof *to->shifts);
    for (size_t i = 0; i < s->world_count; i++)
        reset_world(s, &s->worlds[i], to);
    s->worlds_stale = true;
}
