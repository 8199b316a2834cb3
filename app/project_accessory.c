/* Accessories of a project: keys as a stage's staging has them. */
#include <math.h>
#include <string.h>

#include "accessory.h"
#include "project_scene.h"

/* Drawn behind all models, whose numbers are bytes; before them is where the first accessory is
 * (accessory.h). */
enum { ORDER_BEHIND_MODELS = 1000 };

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

/* False: there is a parent in the file, but not here. */
static bool set_parent(const odori_scene *s, const project_models *p, const mmd_project_parent *parent,
                       mmd_staging *staging)
{
    if (parent->model < 0)
        return true;
    if ((uint32_t)parent->model >= p->project->model_count || p->models[parent->model] == PROJECT_NOT_THERE)
        return false;
    const scene_model *holder = &s->models[p->models[parent->model]];
    int32_t bone = bone_of(&p->project->models[parent->model], holder->model, parent->bone);
    if (bone < 0)
        return false;
    staging->parent = holder->actor;
    staging->parent_bone = bone;
    return true;
}

static void set_numbers(const mmd_project_accessory_key *key, mmd_staging *staging)
{
    int transparency = key->visibility >> 1;
    staging->visible = key->visibility & 1;
    staging->opacity = transparency < 100 ? 1.0f - (float)transparency / 100.0f : 0.0f;
    staging->ground_shadow = key->shadow != 0;
    staging->scale = scene_bounded((double)key->scale);
    for (int k = 0; k < 3; k++) {
        staging->position[k] = scene_bounded((double)key->position[k]);
        staging->rotation[k] = scene_bounded((double)key->rotation[k]);
    }
}

bool project_stage_accessory(odori_scene *s, const project_models *p, const mmd_project_accessory *a,
                             const mmd_log *log)
{
    size_t index = s->model_count - 1;
    uint32_t count = 0;
    bool is_held = true, is_first = a->draw_order < p->project->accessories_after_models;
    mmd_staging_key *keys = mmd_arena_alloc(&s->arena, a->key_count, sizeof *keys);
    if (!keys)
        return false;
    for (uint32_t i = 0; i < a->key_count; i++) {
        mmd_staging staging = mmd_default_staging();
        staging.additive = a->add_blend != 0;
        staging.draw_order = is_first ? ORDER_FIRST_ACCESSORY : ORDER_BEHIND_MODELS;
        set_numbers(&a->keys[i], &staging);
        is_held &= set_parent(s, p, &a->keys[i].parent, &staging);
        if (count && keys[count - 1].frame == a->keys[i].at.frame)
            count--; /* of several keys of a frame the last one counts */
        keys[count++] = (mmd_staging_key){a->keys[i].at.frame, staging};
    }
    if (!is_held)
        mmd_log_message(log, MMD_LOG_WARNING, "%s: the bone that holds it is not there; it stands without",
                        s->models[index].path);
    mmd_stage_set_staging_keys(s->stage, index, keys, count);
    return true;
}
