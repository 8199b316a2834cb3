/*
 * The step cache: which steps are computed, when, and by which thread. Besides the snapshots there is a ring
 * with the states of the last steps, first..live. It holds the two around the stage's frame, and those the
 * worker computed ahead.
 *
 * The value of a state does not depend on any of this. Every rebuild_steps steps the worlds continue from
 * their saved state instead of from themselves (worlds_stale), and also after going to a snapshot; both give
 * the same result. After a change by hand they continue from the state of the stage's frame, and what the
 * worker computed beyond it is discarded, so that its progress makes no difference.
 */
#include "simulation_internal.h"

#include <assert.h>
#include <string.h>

/* ---- snapshots ---- */

/*
 * Snapshots are states to go back to. Their steps are multiples of a distance. When they no longer fit, every
 * second one is dropped and the distance doubles, so that they are evenly spaced and at least half of the
 * memory is used.
 */

/* Limit of snapshots: at 2 seconds each this is a day of motion. */
enum { MOST_SNAPSHOTS = 43200 };

/* Snapshots beyond the motions' last frame, so that playing on for a while drops none. */
enum { SNAPSHOTS_BEYOND = 16 };

bool snapshots_init(simulation *s, int64_t last_step)
{
    assert(s);
    sim_snapshots *kept = &s->snapshots;
    size_t each = s->state_size + sizeof *kept->steps;
    size_t capacity = s->options.cache_bytes / each;
    size_t wanted = (size_t)(last_step / s->rebuild_steps) + SNAPSHOTS_BEYOND;
    capacity = capacity > wanted ? wanted : capacity;
    capacity = capacity > MOST_SNAPSHOTS ? MOST_SNAPSHOTS : capacity;
    *kept = (sim_snapshots){.distance = s->rebuild_steps};
    if (!capacity)
        return true;
    kept->memory = mmd_alloc(capacity * s->state_size);
    kept->steps = mmd_alloc(capacity * sizeof *kept->steps);
    if (kept->memory && kept->steps) {
        kept->capacity = (uint32_t)capacity;
        return true;
    }
    snapshots_finish(kept);
    *kept = (sim_snapshots){.distance = s->rebuild_steps};
    return false;
}

void snapshots_finish(sim_snapshots *snapshots)
{
    assert(snapshots);
    mmd_free(snapshots->memory);
    mmd_free(snapshots->steps);
}

static void snapshots_clear(simulation *s)
{
    s->snapshots.count = 0;
    s->snapshots.distance = s->rebuild_steps;
}

/* Drops every second snapshot: those whose steps are not multiples of the doubled distance. */
static void thin_out(simulation *s)
{
    sim_snapshots *kept = &s->snapshots;
    uint32_t count = 0;
    kept->distance *= 2;
    for (uint32_t i = 0; i < kept->count; i++) {
        if (kept->steps[i] % kept->distance)
            continue;
        memmove(kept->memory + count * s->state_size, kept->memory + i * s->state_size, s->state_size);
        kept->steps[count++] = kept->steps[i];
    }
    kept->count = count;
}

/* Returns the index of a step in the list: behind all earlier steps. */
static uint32_t find_index(const sim_snapshots *kept, int64_t step)
{
    uint32_t at = kept->count;
    while (at && kept->steps[at - 1] >= step)
        at--;
    return at;
}

static bool has_step(const sim_snapshots *kept, int64_t step)
{
    uint32_t at = find_index(kept, step);
    return at < kept->count && kept->steps[at] == step;
}

static void snapshots_keep(simulation *s, const sim_state *state)
{
    sim_snapshots *kept = &s->snapshots;
    if (!kept->capacity || has_step(kept, state->step)) /* replayed: the snapshot would be the same */
        return;
    while (kept->count == kept->capacity && state->step % kept->distance == 0)
        thin_out(s);
    if (state->step % kept->distance)
        return;
    uint32_t at = find_index(kept, state->step);
    for (uint32_t i = kept->count; i > at; i--) {
        memcpy(kept->memory + i * s->state_size, kept->memory + (i - 1) * s->state_size, s->state_size);
        kept->steps[i] = kept->steps[i - 1];
    }
    memcpy(kept->memory + at * s->state_size, state->data, s->state_size);
    kept->steps[at] = state->step;
    kept->count++;
}

/* Returns the index of the latest snapshot at or before the step; -1 if there is none. */
static int32_t snapshots_find(const simulation *s, int64_t step)
{
    int32_t at = (int32_t)s->snapshots.count - 1;
    while (at >= 0 && s->snapshots.steps[at] > step)
        at--;
    return at;
}

static void snapshots_take(const simulation *s, int32_t snapshot, sim_state *state)
{
    assert(snapshot >= 0 && (uint32_t)snapshot < s->snapshots.count);
    memcpy(state->data, s->snapshots.memory + (size_t)snapshot * s->state_size, s->state_size);
    state->step = s->snapshots.steps[snapshot];
    state->reset_bodies_count = 0;
    state->contact_count = 0;
    state->trigger_event_count = 0;
    state->has_contacts = false;
}

/* ---- the ring of states ---- */

sim_state *step_cache_state(const simulation *s, int64_t step)
{
    assert(step >= s->first && step <= s->live);
    return &s->ring[step % s->ring_size];
}

static void begin_at(simulation *s, int64_t step)
{
    s->first = s->live = s->resets_reported_to = step;
    s->worlds_stale = true;
}

static bool has_steps(const simulation *s, int64_t low, int64_t high)
{
    return s->live >= 0 && low >= s->first && high <= s->live;
}

/* ---- repeating states ---- */

/*
 * At every rebuild worlds continue from their saved state alone. So once poses no longer change, equal states
 * have equal successors: after the first equal pair everything repeats, and whole periods can be skipped. The
 * period is found by Brent's method: each state at a rebuild is compared with a marked one, which is replaced
 * after twice the distance each time ("An improved Monte Carlo factorization algorithm", BIT 20, 1980,
 * section 2). A period with a reset of a body is not used, because resets are counted.
 */
static void find_cycle(simulation *s, const sim_state *state)
{
    sim_cycle *c = &s->cycle;
    if (c->period || c->ended < 0 || state->step < c->ended)
        return;
    if (c->marked >= 0 && state->step > c->marked && memcmp(c->data, state->data, s->state_size) == 0) {
        c->period = state->step - c->marked;
        return;
    }
    if (c->marked >= 0 && state->step - c->marked < c->mark_distance)
        return;
    c->mark_distance = c->marked < 0 ? s->rebuild_steps : 2 * c->mark_distance;
    c->marked = state->step;
    memcpy(c->data, state->data, s->state_size);
}

static void forget_cycle(simulation *s)
{
    s->cycle.marked = -1;
    s->cycle.period = 0;
}

/* Skips as many whole periods as fit before a step. */
static void skip_periods(simulation *s, int64_t low)
{
    const sim_cycle *c = &s->cycle;
    if (!c->period || s->live < c->marked || s->live % s->rebuild_steps || low - s->live < c->period)
        return;
    int64_t step = s->live + (low - s->live) / c->period * c->period;
    sim_state *from = step_cache_state(s, s->live), *to = &s->ring[step % s->ring_size];
    if (s->told.to >= s->live && s->told.to < step)
        s->told.to = step; /* no body is reset in a period */
    if (to != from)
        memcpy(to->data, from->data, s->state_size);
    to->step = step;
    to->reset_bodies_count = 0;
    to->has_contacts = false;
    to->contact_count = 0;
    to->trigger_event_count = 0;
    begin_at(s, step);
}

void step_cache_note_end(mmd_stage *stage)
{
    assert(stage);
    simulation *s = stage->physics;
    bool still = true; /* bodies of imported scenes may move by themselves */
    for (size_t i = 0; i < s->actor_count; i++)
        still = still && (s->actors[i].absent || !s->actors[i].model->physscene);
    double last = mmd_stage_last_frame(stage);
    if (s->gravity_keys && s->gravity_keys[s->gravity_key_count - 1].frame > last)
        last = s->gravity_keys[s->gravity_key_count - 1].frame;
    int64_t ended = (int64_t)((last + 2.0) / 30.0 * (double)s->options.rate);
    ended = still ? ended : -1;
    if (ended != s->cycle.ended)
        forget_cycle(s);
    s->cycle.ended = ended;
}

/* ---- computing ---- */

static void advance(simulation *s)
{
    sim_state *from = step_cache_state(s, s->live);
    step_advance(s, from, &s->ring[(s->live + 1) % s->ring_size]);
    s->live++;
    if (s->first <= s->live - (int64_t)s->ring_size)
        s->first = s->live - (int64_t)s->ring_size + 1;
    if (s->live % s->rebuild_steps == 0 && !s->carried)
        snapshots_keep(s, step_cache_state(s, s->live));
    if (step_cache_state(s, s->live)->reset_bodies_count)
        s->cycle.marked = -1;
    if (s->live % s->rebuild_steps == 0)
        find_cycle(s, step_cache_state(s, s->live));
}

/* Lists the reasons that were not reported yet: their indices go to reporting, and are marked in told.
 * Returns their number. */
static uint32_t list_unreported(const uint8_t *reasons, uint32_t count, uint8_t *told, uint32_t *reporting)
{
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!reasons[i] || told[i])
            continue;
        told[i] = 1;
        reporting[listed++] = i;
    }
    return listed;
}

/* Finds the actor of a body that is numbered over all actors. *body becomes the index in that actor. */
static size_t owner_of(const simulation *s, uint32_t *body)
{
    size_t owner = 0;
    while (owner + 1 < s->actor_count && !(*body >= s->actors[owner].first_body &&
                                           *body - s->actors[owner].first_body < s->actors[owner].body_count))
        owner++;
    *body -= s->actors[owner].first_body;
    return owner;
}

/* Reports trigger events of a step when the stage's frame reaches it. */
static void report_trigger_events(mmd_stage *stage, const sim_state *state)
{
    const simulation *s = stage->physics;
    for (uint32_t i = 0; stage->on_trigger && i < state->trigger_event_count; i++) {
        mmd_stage_trigger_event what = {.frame = step_frame(s, state->step),
                                        .trigger = state->trigger_events[i].trigger,
                                        .other = state->trigger_events[i].other,
                                        .begins = state->trigger_events[i].begins};
        what.trigger_actor = owner_of(s, &what.trigger);
        what.other_actor = owner_of(s, &what.other);
        stage->on_trigger(stage->trigger_context, &what);
    }
}

static void report_actor(mmd_stage *stage, const sim_state *state, size_t index)
{
    simulation *s = stage->physics;
    const sim_actor *a = &s->actors[index];
    const uint8_t *bodies = state->reasons + a->first_body, *softs = state->soft_reasons + a->first_soft;
    mmd_reset_bodies what = {.actor = index, .frame = step_frame(s, state->step), .bodies = s->reporting};
    what.body_count = list_unreported(bodies, a->body_count, s->reset_reported + a->first_body, s->reporting);
    what.softs = s->reporting + what.body_count;
    what.soft_count =
        list_unreported(softs, a->scene.soft_body_count, s->reset_reported + s->body_count + a->first_soft,
                        s->reporting + what.body_count);
    if (!what.body_count && !what.soft_count)
        return;
    what.reason = guard_reason(what.body_count ? bodies[what.bodies[0]] : softs[what.softs[0]]);
    simulated_keep_told(s, state, &what);
    if (stage->on_reset_bodies)
        stage->on_reset_bodies(stage->reset_bodies_context, &what);
}

/* Reports bodies that were reset at a step, each once between two resets of the simulation. */
static void report_resets(mmd_stage *stage, const sim_state *state)
{
    simulation *s = stage->physics;
    if (state->step > s->counted_to)
        s->reset_bodies += state->reset_bodies_count;
    s->counted_to = state->step > s->counted_to ? state->step : s->counted_to;
    for (size_t i = 0; state->reset_bodies_count && i < s->actor_count; i++)
        if (s->actors[i].has_world)
            report_actor(stage, state, i);
    if (state->step == s->told.to + 1)
        s->told.to = state->step;
}

/* Reports computed steps that are now reached, in order. */
static void report_up_to(mmd_stage *stage, int64_t high)
{
    simulation *s = stage->physics;
    for (; s->resets_reported_to < high && s->resets_reported_to < s->live; s->resets_reported_to++) {
        report_resets(stage, step_cache_state(s, s->resets_reported_to + 1));
        report_trigger_events(stage, step_cache_state(s, s->resets_reported_to + 1));
    }
}

/* Goes to the nearest state at or before a step: a snapshot, or step 0. */
static void go_back(simulation *s, int64_t step)
{
    int32_t snapshot = s->carried ? -1 : snapshots_find(s, step);
    s->carried = false;
    if (snapshot >= 0) {
        int64_t at = s->snapshots.steps[snapshot];
        snapshots_take(s, snapshot, &s->ring[at % s->ring_size]);
        begin_at(s, at);
        return;
    }
    step_reset(s, &s->ring[0]);
    begin_at(s, 0);
}

/* Goes back for a requested frame. After step 0 all resets are reported again. */
static void seek_back(simulation *s, int64_t step)
{
    go_back(s, step);
    for (uint32_t b = 0; s->live == 0 && b < s->body_count + s->soft_count; b++)
        s->reset_reported[b] = 0;
}

/* Goes forward to a snapshot if that saves enough. Playback goes through all steps, and reports each. */
static void jump(simulation *s, int64_t low)
{
    int32_t snapshot = s->carried ? -1 : snapshots_find(s, low);
    if (snapshot >= 0 && s->snapshots.steps[snapshot] > s->live + s->rebuild_steps / 4)
        go_back(s, low);
}

/* Reports that the caller's thread computes a step next, or that it computed the last one. */
static void report_step(const mmd_stage *stage)
{
    if (stage->on_step)
        stage->on_step(stage->step_context, step_frame(stage->physics, stage->physics->live), stage->frame);
}

void step_cache_reach(mmd_stage *stage, int64_t low, int64_t high)
{
    assert(stage);
    simulation *s = stage->physics;
    if (s->carried &&
        low < s->low) /* states that were moved along are not functions of the frame, so start again */
        step_cache_restart(s);
    if (!has_steps(s, low, high)) {
        int64_t reported = s->resets_reported_to;
        if (s->live < 0 || low < s->first)
            seek_back(s, low);
        else
            jump(s, low);
        simulated_tell_passed(stage, reported);
    }
    report_up_to(stage, high);
    while (s->live < high) {
        skip_periods(s, low);
        if (s->live == high)
            break;
        report_step(stage);
        advance(s);
        if (s->live == high)
            report_step(stage);
        report_up_to(stage, high);
        if (stage->on_simulating && s->live % s->rebuild_steps == 0)
            stage->on_simulating(stage->simulating_context, step_frame(s, s->live), stage->frame);
    }
}

void step_cache_reach_with_contacts(mmd_stage *stage)
{
    assert(stage);
    simulation *s = stage->physics;
    if (s->low == 0 || s->carried || step_cache_state(s, s->low)->has_contacts)
        return;
    go_back(s, s->low - 1);
    while (s->live < s->high) {
        skip_periods(s, s->low - 1);
        report_step(stage);
        advance(s);
    }
    s->resets_reported_to = s->high;
}

void step_cache_restart(simulation *s)
{
    assert(s);
    simulated_forget(s);
    snapshots_clear(s);
    forget_cycle(s);
    s->first = s->live = s->resets_reported_to = -1;
    s->carried = false;
    s->drawn = false;
}

void step_cache_forget(simulation *s)
{
    assert(s);
    if (!s->drawn || s->live < 0 || s->high == 0) { /* nothing was simulated yet that could be moved along */
        step_cache_restart(s);
        return;
    }
    simulated_forget(s);
    snapshots_clear(s);
    forget_cycle(s);
    s->live = s->high;
    s->worlds_stale = true;
    s->carried = true;
}

static void run_ahead(void *context)
{
    simulation *s = context;
    while (s->live < s->ahead_to && !atomic_load(&s->stop))
        advance(s);
}

/* Lets the worker compute the next steps. Called only if they are likely to be needed: after a frame
 * slightly after the one before. */
void step_cache_run_ahead(simulation *s)
{
    assert(s);
    if (!s->worker)
        return;
    s->ahead_to = s->low + (int64_t)s->ring_size - 1;
    if (s->live >= s->ahead_to)
        return;
    atomic_store(&s->stop, false);
    mmd_worker_start(s->worker, run_ahead, s);
}

void simulation_settle(simulation *s)
{
    if (!s || !s->worker)
        return;
    atomic_store(&s->stop, true);
    mmd_worker_wait(s->worker);
}
