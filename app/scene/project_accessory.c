/* Accessories of a project: keys as a stage's staging has them. */
#include <math.h>

#include "accessory.h"
#include "project_scene.h"

/* Drawn behind all models, whose numbers are bytes; before them is where the first accessory is
 * (accessory.h). */
enum { ORDER_BEHIND_MODELS = 1000 };

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
        is_held &= project_find_parent(s, p, &a->keys[i].parent, &staging.parent, &staging.parent_bone);
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
