#include "mirror.h"

/* Made when it is first wanted; the scene keeps it. NULL: out of memory. */
static mmd_motion *mirrored(scene_motion *m)
{
    if (!m->mirrored && mmd_motion_mirror(m->motion, &m->mirrored, NULL) != MMD_OK)
        m->mirrored = NULL;
    return m->mirrored;
}

bool mirror_model(odori_scene *s, size_t model, bool on)
{
    scene_model *actor = &s->models[model];
    bool all = true;
    for (size_t i = 0; i < s->motion_count; i++) {
        scene_motion *m = &s->motions[i];
        if ((!on && !m->mirrored) || !motion_is_for_models(m->motion))
            continue;
        mmd_motion *other = mirrored(m);
        all &= other && mmd_actor_replace_motion(actor->actor, on ? m->motion : other, on ? other : m->motion,
                                                 NULL) == MMD_OK;
    }
    actor->is_mirrored = on;
    return all;
}

static bool mirror_stage(odori_scene *s, bool on)
{
    bool all = true;
    for (size_t i = 0; i < s->motion_count; i++) {
        scene_motion *m = &s->motions[i];
        if ((!on && !m->mirrored) || !motion_is_for_stage(m->motion))
            continue;
        mmd_motion *other = mirrored(m);
        all &= other != NULL;
        if (other)
            mmd_stage_replace_scene_motion(s->stage, on ? m->motion : other, on ? other : m->motion);
    }
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
