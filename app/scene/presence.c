#include "presence.h"

#include "framing.h"
#include "placing.h"

/* Gives models whose draw order was the usual one the one that is usual now. */
static void follow_order(odori_scene *s, size_t index)
{
    mmd_staging staging = *mmd_stage_staging(s->stage, index);
    int32_t usual = scene_usual_order(s, index);
    if (!s->models[index].has_usual_order || staging.draw_order == usual)
        return;
    staging.draw_order = usual;
    mmd_stage_set_staging(s->stage, index, &staging);
}

void scene_set_present(odori_scene *s, size_t model, bool present)
{
    if (scene_is_present(s, model) == present)
        return;
    for (size_t i = 0; i < s->model_count; i++)
        s->models[i].has_usual_order = !s->models[i].project && !mmd_stage_has_staging_keys(s->stage, i) &&
                                       mmd_stage_staging(s->stage, i)->draw_order == scene_usual_order(s, i);
    mmd_stage_settle(s->stage);
    mmd_stage_set_present(s->stage, model, present);
    for (size_t i = 0; i < s->model_count; i++)
        follow_order(s, i);
    frame_again(s);
}

size_t scene_count_present(const odori_scene *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->model_count; i++)
        count += scene_is_present(s, i);
    return count;
}

void scene_number_present(const odori_scene *s, size_t *numbers)
{
    for (size_t i = 0; i < s->model_count; i++) {
        numbers[i] = scene_is_present(s, i) ? 0 : s->model_count;
        for (size_t k = 0; k < s->model_count && scene_is_present(s, i); k++)
            numbers[i] += scene_is_present(s, k) &&
                          mmd_stage_place(s->stage, k) < mmd_stage_place(s->stage, i);
    }
}

/* Tests whether copies of a model are on the stage. */
static bool is_shared(const odori_scene *s, size_t model)
{
    for (size_t i = 0; i < s->model_count; i++)
        if (i != model && scene_is_present(s, i) && s->models[i].model == s->models[model].model)
            return true;
    return false;
}

bool scene_can_omit_removed(const odori_scene *s)
{
    if (!scene_has_model(s))
        return false;
    for (size_t i = 0; i < s->model_count; i++)
        if (!scene_is_present(s, i) && (s->models[i].project || (!s->models[i].is_copy && is_shared(s, i))))
            return false;
    for (size_t i = 0; i < s->motion_count; i++) {
        const scene_motion *m = &s->motions[i];
        if (m->target >= 0 && !scene_is_present(s, (size_t)m->target) && motion_is_for_stage(m->motion))
            return false;
    }
    return true;
}
