/* Outside parents of a project's models (外部親): its keys as the stage has them. */
#include <string.h>

#include "mmd/memory.h"
#include "project_scene.h"

/* The model's bone of a project's number. Models change, so that its name counts, which MMD cut. */
static int32_t bone_of(const mmd_project_model *saved, const mmd_model *model, int32_t number)
{
    if (number < 0 || (uint32_t)number >= saved->bone_count)
        return -1;
    const char *name = saved->bones[number].name.text;
    if ((uint32_t)number < model->bone_count && strncmp(model->bones[number].name, name, strlen(name)) == 0)
        return number;
    return mmd_model_find_bone(model, name);
}

bool project_find_parent(const odori_scene *s, const project_models *p, const mmd_project_parent *parent,
                         mmd_actor **actor, int32_t *bone)
{
    *actor = NULL;
    *bone = -1;
    if (parent->model < 0)
        return true;
    if ((uint32_t)parent->model >= p->project->model_count || p->models[parent->model] == PROJECT_NOT_THERE)
        return false;
    const scene_model *holder = &s->models[p->models[parent->model]];
    *bone = bone_of(&p->project->models[parent->model], holder->model, parent->bone);
    *actor = *bone >= 0 ? holder->actor : NULL;
    return *actor != NULL;
}

static bool says_same(const mmd_outside_key *a, const mmd_outside_key *b)
{
    return a->parent == b->parent && a->parent_bone == b->parent_bone;
}

/* One bone's part of the model's keys: those that change something. *whole: all parents are there. */
static size_t list_keys(const odori_scene *s, const project_models *p, const mmd_project_model *m,
                        uint32_t slot, mmd_outside_key *keys, bool *whole)
{
    size_t count = 0;
    for (uint32_t k = 0; k < m->config_count; k++) {
        mmd_outside_key key = {.frame = m->configs[k].at.frame};
        *whole &= project_find_parent(s, p, &m->configs[k].parents[slot], &key.parent, &key.parent_bone);
        if (count && keys[count - 1].frame == key.frame)
            count--; /* of several keys of a frame the last one counts */
        if (count == 0 || !says_same(&keys[count - 1], &key))
            keys[count++] = key;
    }
    return count;
}

/* A bone's name for a sentence. */
static const char *name_of(const mmd_model *model, int32_t bone)
{
    return bone < 0 ? "the whole model" : model->bones[bone].name;
}

static void hang_slot(odori_scene *s, const project_models *p, uint32_t number, uint32_t slot,
                      mmd_outside_key *keys, const mmd_log *log)
{
    const mmd_project_model *m = &p->project->models[number];
    const scene_model *model = &s->models[p->models[number]];
    int32_t saved = m->parent_bones[slot], bone = MMD_WHOLE_ACTOR;
    bool whole = true;
    size_t count = list_keys(s, p, m, slot, keys, &whole);
    if (saved >= 0)
        bone = bone_of(m, model->model, saved);
    if (count == 1 && !keys[0].parent && whole)
        return;
    if (saved >= 0 && bone < 0) {
        mmd_log_message(log, MMD_LOG_WARNING, "%s: a bone that hangs on another model's is not there",
                        model->path);
        return;
    }
    if (!whole)
        mmd_log_message(log, MMD_LOG_WARNING, "%s: what %s hangs on is not there; it hangs on nothing then",
                        model->path, name_of(model->model, bone));
    if (count && mmd_stage_set_outside_keys(s->stage, p->models[number], bone, keys, count, NULL) != MMD_OK)
        mmd_log_message(log, MMD_LOG_WARNING,
                        "%s: %s hangs on a model that hangs on this one, which this version cannot do; it "
                        "hangs on nothing",
                        model->path, name_of(model->model, bone));
}

bool project_hang_models(odori_scene *s, const project_models *p, const mmd_log *log)
{
    for (uint32_t i = 0; i < p->project->model_count; i++) {
        const mmd_project_model *m = &p->project->models[i];
        if (p->models[i] == PROJECT_NOT_THERE || m->parent_count == 0)
            continue;
        mmd_outside_key *keys = mmd_alloc(m->config_count * sizeof *keys);
        if (!keys)
            return false;
        for (uint32_t slot = 0; slot < m->parent_count; slot++)
            hang_slot(s, p, i, slot, keys, log);
        mmd_free(keys);
    }
    return true;
}
