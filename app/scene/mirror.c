#include "mirror.h"

#include "mmd/simulation.h"

/* Returns the mirrored copy of a motion, which is created when it is first needed and belongs to the scene.
 * NULL if out of memory. */
static mmd_motion *mirrored(scene_motion *m)
{
    if (!m->mirrored && mmd_motion_mirror(m->motion, &m->mirrored, NULL) != MMD_OK)
        m->mirrored = NULL;
    return m->mirrored;
}

static bool put(odori_scene *s, const edited_motion *k, const mmd_motion *motion, const mmd_motion *by)
{
    bool all = true;
    if (k->is_stage)
        mmd_stage_replace_scene_motion(s->stage, motion, by);
    for (size_t i = 0; i < s->model_count && !k->is_stage; i++) /* replaced models hold the motion, too */
        if (s->models[i].role == k->model)
            all &= mmd_actor_replace_motion(s->models[i].actor, motion, by, NULL) == MMD_OK;
    return all;
}

/* Mirrors an edited motion. The copy is updated each time, because the keys may have changed. */
static bool mirror_edited(odori_scene *s, edited_motion *k, bool on)
{
    mmd_motion *made, *before = k->mirrored;
    if (!on)
        return !before || put(s, k, before, k->motion);
    if (mmd_motion_mirror(k->motion, &made, NULL) != MMD_OK)
        return false;
    mmd_stage_settle(s->stage);
    bool all = put(s, k, k->motion, made) && (!before || put(s, k, before, made));
    if (all && before)
        mmd_stage_set_frame(s->stage, mmd_stage_frame(s->stage)); /* the stage no longer uses the old copy */
    mmd_motion_destroy(all ? before : made);
    k->mirrored = all ? made : before;
    return all;
}

bool mirror_model(odori_scene *s, size_t model, bool on)
{
    scene_model *actor = &s->models[model];
    bool all = true;
    for (size_t i = 0; i < s->motion_count; i++) {
        scene_motion *m = &s->motions[i];
        if ((!on && !m->mirrored) || !mmd_motion_is_for_models(m->motion))
            continue;
        mmd_motion *other = mirrored(m);
        all &= other && mmd_actor_replace_motion(actor->actor, on ? m->motion : other, on ? other : m->motion,
                                                 NULL) == MMD_OK;
    }
    for (size_t i = 0; i < s->edited_count; i++)
        if (s->edited[i].model == s->models[model].role && !s->edited[i].is_stage)
            all &= mirror_edited(s, &s->edited[i], on);
    actor->is_mirrored = on;
    return all;
}

static bool mirror_stage(odori_scene *s, bool on)
{
    bool all = true;
    for (size_t i = 0; i < s->motion_count; i++) {
        scene_motion *m = &s->motions[i];
        if ((!on && !m->mirrored) || !mmd_motion_is_for_stage(m->motion))
            continue;
        mmd_motion *other = mirrored(m);
        all &= other != NULL;
        if (other)
            mmd_stage_replace_scene_motion(s->stage, on ? m->motion : other, on ? other : m->motion);
    }
    for (size_t i = 0; i < s->edited_count; i++)
        if (s->edited[i].is_stage)
            all &= mirror_edited(s, &s->edited[i], on);
    s->is_mirrored = on;
    return all;
}

bool mirror_all(odori_scene *s, bool on)
{
    bool all = mirror_stage(s, on);
    for (size_t i = 0; i < s->model_count; i++)
        all &= mirror_model(s, i, on);
    return all;
}

bool mirror_again(odori_scene *s)
{
    bool all = !s->is_mirrored || mirror_stage(s, true);
    for (size_t i = 0; i < s->model_count; i++)
        all &= !s->models[i].is_mirrored || mirror_model(s, i, true);
    return all;
}
