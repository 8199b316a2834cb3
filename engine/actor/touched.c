/*
 * What enters and leaves triggers: each step's list is kept beside its state,
 * as contacts are, and told when the stage's frame gets there.
 */
#include "simulation_internal.h"

/* Room in a state for so many. */
static bool make_room(sim_state *to, size_t count)
{
    if (count <= to->touched_room)
        return true;
    mmd_trigger_event *grown =
        count < UINT32_MAX / 2 ? mmd_realloc(to->touched, 2 * count * sizeof *grown) : NULL;
    if (!grown)
        return false;
    to->touched = grown;
    to->touched_room = (uint32_t)(2 * count);
    return true;
}

static void note_world(const sim_world *w, sim_state *to)
{
    size_t count = mmd_world_trigger_events(w->world, NULL, 0);
    if (!count || !make_room(to, to->touched_count + count))
        return;
    mmd_trigger_event *events = to->touched + to->touched_count;
    mmd_world_trigger_events(w->world, events, count);
    for (size_t i = 0; i < count; i++) {
        events[i].trigger += w->first_body;
        events[i].other += w->first_body;
    }
    to->touched_count += (uint32_t)count;
}

void touched_note(simulation *s, sim_state *to)
{
    for (size_t i = 0; i < s->world_count; i++)
        note_world(&s->worlds[i], to);
}

/* Whose body it is, numbered over all actors; *body becomes its own number. */
static size_t owner_of(const simulation *s, uint32_t *body)
{
    size_t owner = 0;
    while (owner + 1 < s->actor_count && !(*body >= s->actors[owner].first_body &&
                                           *body - s->actors[owner].first_body < s->actors[owner].body_count))
        owner++;
    *body -= s->actors[owner].first_body;
    return owner;
}

void touched_tell(mmd_stage *stage, const sim_state *state)
{
    const simulation *s = stage->physics;
    for (uint32_t i = 0; stage->on_touched && i < state->touched_count; i++) {
        mmd_touched what = {.frame = step_frame(s, state->step),
                            .trigger = state->touched[i].trigger,
                            .other = state->touched[i].other,
                            .begins = state->touched[i].begins};
        what.trigger_actor = owner_of(s, &what.trigger);
        what.other_actor = owner_of(s, &what.other);
        stage->on_touched(stage->touched_context, &what);
    }
}
