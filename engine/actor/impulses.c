/*
 * Impulse morphs (PMX 2.1): each gives its bodies an impulse as long as it has
 * a weight; a record of zeros stops its body.
 */
#include "simulation_internal.h"

#include <string.h>

/* Impulse morphs say what is given every 1/60 s, MMD's step; shorter steps give less. */
static const float impulse_rate = 60.0f;

bool impulses_init(sim_actor *a, mmd_arena *arena)
{
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

/* Adds up what morphs with a weight give, by body and by whose axes; false: none has one. */
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
        sum->body = UINT32_MAX; /* there is something */
        sum->stop |= is_stop(m->offset);
        for (int k = 0; k < 3; k++) {
            sum->linear[k] += m->offset->velocity[k] * weight * share * a->built_scale;
            sum->angular[k] += m->offset->torque[k] * weight * share * a->built_scale * a->built_scale;
        }
    }
    return any;
}

uint32_t impulses_list(const simulation *s, sim_actor *a, uint32_t first_in_world)
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
