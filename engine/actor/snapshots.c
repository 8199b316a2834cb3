/*
 * Snapshots: states kept to go back to. They lie at steps that are multiples
 * of a distance; when they do not fit any more, every second one goes and the
 * distance doubles. So they lie evenly, and half of the room at least is used.
 */
#include "simulation_internal.h"

#include <assert.h>
#include <string.h>

/* More are never kept: at 2 seconds each this is a day of motion. */
enum { MOST_SNAPSHOTS = 43200 };

/* Beyond the motions' last frame: playing on for a while needs no thinning. */
enum { SNAPSHOTS_BEYOND = 16 };

bool snapshots_init(simulation *s, int64_t last_step)
{
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
    mmd_free(snapshots->memory);
    mmd_free(snapshots->steps);
}

void snapshots_clear(simulation *s)
{
    s->snapshots.count = 0;
    s->snapshots.distance = s->rebuild_steps;
}

/* Every second one goes: those whose steps are no multiples of the doubled distance. */
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

/* Where a snapshot of a step belongs: behind all that are of earlier steps. */
static uint32_t find_place(const sim_snapshots *kept, int64_t step)
{
    uint32_t at = kept->count;
    while (at && kept->steps[at - 1] >= step)
        at--;
    return at;
}

static bool has_step(const sim_snapshots *kept, int64_t step)
{
    uint32_t at = find_place(kept, step);
    return at < kept->count && kept->steps[at] == step;
}

void snapshots_keep(simulation *s, const sim_state *state)
{
    sim_snapshots *kept = &s->snapshots;
    if (!kept->capacity || has_step(kept, state->step)) /* replayed: it is the same */
        return;
    while (kept->count == kept->capacity && state->step % kept->distance == 0)
        thin_out(s);
    if (state->step % kept->distance)
        return;
    uint32_t at = find_place(kept, state->step);
    for (uint32_t i = kept->count; i > at; i--) {
        memcpy(kept->memory + i * s->state_size, kept->memory + (i - 1) * s->state_size, s->state_size);
        kept->steps[i] = kept->steps[i - 1];
    }
    memcpy(kept->memory + at * s->state_size, state->data, s->state_size);
    kept->steps[at] = state->step;
    kept->count++;
}

int32_t snapshots_find(const simulation *s, int64_t step)
{
    int32_t at = (int32_t)s->snapshots.count - 1;
    while (at >= 0 && s->snapshots.steps[at] > step)
        at--;
    return at;
}

void snapshots_take(const simulation *s, int32_t snapshot, sim_state *state)
{
    assert(snapshot >= 0 && (uint32_t)snapshot < s->snapshots.count);
    memcpy(state->data, s->snapshots.memory + (size_t)snapshot * s->state_size, s->state_size);
    state->step = s->snapshots.steps[snapshot];
    state->put_back_count = 0;
    state->contact_count = 0;
    state->touched_count = 0;
    state->has_contacts = false;
}
