#include "presence.h"

#include <string.h>

#include "framing.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"
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
            numbers[i] +=
                scene_is_present(s, k) && mmd_stage_place(s->stage, k) < mmd_stage_place(s->stage, i);
    }
}

bool scene_can_give_up(const odori_scene *s, size_t model)
{
    const scene_model *m = &s->models[model];
    bool can = !scene_is_present(s, model) && !m->project && !m->is_copy && !m->is_lent;
    for (size_t i = 0; i < s->model_count; i++)
        can = can && (i == model || s->models[i].model != m->model);
    return can;
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
        if (m->target >= 0 && !scene_is_present(s, scene_holder(s, (size_t)m->target)) &&
            mmd_motion_is_for_stage(m->motion))
            return false;
    }
    return true;
}

/* --- One model in the place of another --- */

static int32_t bone_like(const mmd_model *from, int32_t bone, const mmd_model *to)
{
    return bone >= 0 ? mmd_model_find_bone(to, from->bones[bone].name) : -1;
}

/* Attaches what hangs on a bone of one model by an outside parent to the bone of that name of another.
 * Returns false if out of memory. */
static bool move_outside(odori_scene *s, size_t index, int32_t bone, const scene_model *from,
                         const scene_model *to)
{
    size_t count;
    bool any = false;
    const mmd_outside_key *keys = mmd_stage_outside_keys(s->stage, index, bone, &count);
    mmd_outside_key *moved = count ? mmd_alloc(count * sizeof *moved) : NULL;
    for (size_t i = 0; moved && i < count; i++) {
        int32_t other =
            keys[i].parent == from->actor ? bone_like(from->model, keys[i].parent_bone, to->model) : -1;
        moved[i] = other < 0 ? keys[i] : (mmd_outside_key){keys[i].frame, to->actor, other};
        any |= other >= 0;
    }
    bool done =
        !count ||
        (moved && (!any || mmd_stage_set_outside_keys(s->stage, index, bone, moved, count, NULL) == MMD_OK));
    mmd_free(moved);
    return done;
}

/* Attaches to a model what is attached to another one. What hangs on a bone that it lacks stays with that. */
static bool move_attached(odori_scene *s, const scene_model *from, const scene_model *to)
{
    bool all = true;
    for (size_t i = 0; i < s->model_count; i++) {
        mmd_staging staging = *mmd_stage_staging(s->stage, i);
        int32_t bone =
            staging.parent == from->actor ? bone_like(from->model, staging.parent_bone, to->model) : -1;
        if (bone >= 0 && !mmd_stage_has_staging_keys(s->stage, i)) {
            staging.parent = to->actor;
            staging.parent_bone = bone;
            mmd_stage_set_staging(s->stage, i, &staging);
        }
        for (int32_t b = MMD_WHOLE_ACTOR;
             mmd_stage_has_outside_parents(s->stage, i) && b < (int32_t)s->models[i].model->bone_count; b++)
            all &= move_outside(s, i, b, from, to);
    }
    return all;
}

bool scene_exchange(odori_scene *s, size_t from, size_t to)
{
    mmd_stage_settle(s->stage);
    if (mmd_actor_take_motions(s->models[to].actor, s->models[from].actor, NULL) != MMD_OK)
        return false;
    s->models[to].is_mirrored = s->models[from].is_mirrored;
    bool all = move_attached(s, &s->models[from], &s->models[to]);
    scene_set_present(s, from, false);
    scene_set_present(s, to, true);
    return all;
}

void scene_stand_in(odori_scene *s, size_t model, size_t other)
{
    mmd_staging staging = *mmd_stage_staging(s->stage, other);
    const float *place = mmd_stage_staging(s->stage, model)->position;
    memcpy(staging.position, place, sizeof staging.position);
    memcpy(staging.rotation, mmd_stage_staging(s->stage, model)->rotation, sizeof staging.rotation);
    staging.scale = mmd_stage_staging(s->stage, model)->scale;
    s->models[model].role = s->models[other].role;
    s->models[model].is_backdrop = s->models[other].is_backdrop;
    mmd_stage_set_place(s->stage, model, mmd_stage_place(s->stage, other));
    if (!mmd_stage_has_staging_keys(s->stage, other))
        mmd_stage_set_staging(s->stage, model, &staging);
}
