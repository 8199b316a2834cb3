/*
 * Hands on what a stage simulated to the next stage of equal contents. A state after a rebuild is a function
 * of the contents and of the step alone, so snapshots of one stage are those of the other. What a program was
 * told of the steps before a snapshot goes along, since the next stage does not compute them.
 */
#include "simulation_internal.h"

#include <assert.h>
#include <string.h>

mmd_simulated *mmd_simulated_create(void)
{
    mmd_simulated *states = mmd_alloc(sizeof *states);
    if (states)
        *states = (mmd_simulated){0};
    return states;
}

static void make_empty(mmd_simulated *states)
{
    snapshots_finish(&states->snapshots);
    mmd_free(states->told.items);
    *states = (mmd_simulated){0};
}

void mmd_simulated_destroy(mmd_simulated *states)
{
    if (states)
        make_empty(states);
    mmd_free(states);
}

double mmd_stage_take_simulated(mmd_stage *stage, mmd_simulated *states)
{
    assert(stage && states);
    simulation *s = stage->physics;
    if (!s || s->worker || s->wants_triggers || s->carried || s->pending || !s->drawn || s->live != 0)
        return 0;
    if (states->state_size && states->state_size == s->state_size) {
        snapshots_finish(&s->snapshots);
        mmd_free(s->told.items);
        s->snapshots = states->snapshots;
        s->told = states->told;
        *states = (mmd_simulated){0};
    }
    make_empty(states);
    s->hands_on = true;
    return s->snapshots.count ? step_frame(s, s->snapshots.steps[s->snapshots.count - 1]) : 0;
}

void mmd_stage_return_simulated(mmd_stage *stage, mmd_simulated *states)
{
    assert(stage && states);
    simulation *s = stage->physics;
    if (!s || !s->hands_on || !s->snapshots.count)
        return;
    assert(!states->state_size);
    if (s->snapshots.steps[s->snapshots.count - 1] > s->told.to)
        return;
    *states = (mmd_simulated){.snapshots = s->snapshots, .state_size = s->state_size, .told = s->told};
    s->snapshots = (sim_snapshots){.distance = s->rebuild_steps};
    s->told = (sim_told_list){0};
    s->hands_on = false;
}

void simulated_forget(simulation *s)
{
    assert(s);
    s->hands_on = false;
    s->told.count = 0;
    s->told.to = 0;
}

/* Adds a reset to the list. Without memory nothing is handed on. */
static void add_told(simulation *s, const sim_told *told)
{
    sim_told_list *list = &s->told;
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 16;
        sim_told *grown = mmd_realloc(list->items, room * sizeof *grown);
        if (!grown) {
            s->hands_on = false;
            return;
        }
        list->items = grown;
        list->room = room;
    }
    list->items[list->count++] = *told;
}

void simulated_keep_told(simulation *s, const sim_state *state, const mmd_reset_bodies *what)
{
    const sim_actor *a = &s->actors[what->actor];
    if (!s->hands_on || state->step <= s->told.to)
        return;
    for (uint32_t i = 0; i < what->body_count + what->soft_count; i++) {
        bool soft = i >= what->body_count;
        uint32_t index = soft ? what->softs[i - what->body_count] : what->bodies[i];
        add_told(s, &(sim_told){.step = state->step,
                                .actor = (uint32_t)what->actor,
                                .index = index,
                                .is_soft = soft,
                                .reason = soft ? state->soft_reasons[a->first_soft + index]
                                               : state->reasons[a->first_body + index]});
    }
}

/* Reports some resets of one actor at one step, except those that were reported before. */
static void tell(mmd_stage *stage, const sim_told *first, const sim_told *behind)
{
    simulation *s = stage->physics;
    const sim_actor *a = &s->actors[first->actor];
    const sim_told *named = NULL;
    mmd_reset_bodies what = {
        .actor = first->actor, .frame = step_frame(s, first->step), .bodies = s->reporting};
    for (const sim_told *t = first; t < behind; t++) {
        uint8_t *reported = &s->reset_reported[t->is_soft ? s->body_count + a->first_soft + t->index
                                                          : a->first_body + t->index];
        if (*reported)
            continue;
        *reported = 1;
        named = named ? named : t;
        s->reporting[what.body_count + what.soft_count] = t->index;
        what.body_count += !t->is_soft;
        what.soft_count += t->is_soft;
    }
    what.softs = s->reporting + what.body_count;
    if (!named)
        return;
    what.reason = guard_reason(named->reason);
    if (stage->on_reset_bodies)
        stage->on_reset_bodies(stage->reset_bodies_context, &what);
}

void simulated_tell_passed(mmd_stage *stage, int64_t from)
{
    const simulation *s = stage->physics;
    if (!s->told.count)
        return;
    const sim_told *t = s->told.items, *end = t + s->told.count;
    while (t < end) {
        const sim_told *behind = t + 1;
        while (behind < end && behind->step == t->step && behind->actor == t->actor)
            behind++;
        if (t->step > from && t->step <= s->resets_reported_to)
            tell(stage, t, behind);
        t = behind;
    }
}
