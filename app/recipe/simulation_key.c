#include "simulation_key.h"

#include <inttypes.h>
#include <string.h>

/* Returns whether all commands concern the camera alone. */
static bool only_camera(const char *lines)
{
    for (const char *line = lines; *line;) {
        size_t length = strcspn(line, "\n");
        if (length && strncmp(line, "camera.", 7) != 0)
            return false;
        line += length + (line[length] == '\n');
    }
    return true;
}

static bool add_models(const recipe_stage *s, mmd_buffer *key)
{
    for (size_t i = 0; i < s->scene.model_count; i++) {
        const scene_model *m = &s->scene.models[i];
        if (m->project || s->models[i]->is_of_project || m->is_empty)
            return false;
        mmd_write_format(key, "model %" PRIu64 " %d%d%d%d %zu\n", s->models[i]->serial, m->is_copy,
                         m->is_accessory, m->is_backdrop, m->is_mirrored, m->role);
    }
    return true;
}

static bool add_motions(const recipe_stage *s, mmd_buffer *key)
{
    for (size_t i = 0; i < s->scene.motion_count; i++) {
        const scene_motion *m = &s->scene.motions[i];
        const stored_motion *stored = store_find_motion(s->store, m->motion);
        if (m->is_of_project)
            return false;
        if (m->is_camera)
            continue;
        if (!stored)
            return false;
        mmd_write_format(key, "motion %" PRIu64 " %d %" PRId64 "\n", stored->serial, m->moves_models,
                         m->target);
    }
    return true;
}

/* Adds the options that place and join models. */
static void add_options(const scene_options *o, mmd_buffer *key)
{
    for (size_t i = 0; i < o->own.count; i++) {
        const model_option *own = &o->own.items[i];
        mmd_write_format(key, "option %d %zu %zu %a", (int)own->kind, own->file, own->model, own->delay);
        for (int k = 0; k < 7; k++)
            mmd_write_format(key, " %a", (double)own->placement[k]);
        mmd_write_format(key, " ");
        if (own->kind == MODEL_HANG && own->bone)
            mmd_write_bytes(key, own->bone, strlen(own->bone));
        mmd_write_format(key, "\n");
    }
    mmd_write_format(key, "crowd %" PRIu32 " %a\n", o->crowd.actors, o->crowd.delay);
}

static void add_physics(const mmd_physics_options *o, mmd_buffer *key)
{
    mmd_write_format(key, "physics %d %" PRIu32 " %" PRIu32 " %a %a %a %a %d %d %d %d %d %d %zu",
                     (int)o->backend, o->rate, o->iterations, (double)o->gravity[0], (double)o->gravity[1],
                     (double)o->gravity[2], (double)o->joint_erp, o->joint_lever, o->damping,
                     o->exact_restitution, o->ground, o->shared_world, o->joined_mode_2, o->cache_bytes);
    mmd_write_bytes(key, "", 1);
}

bool simulation_key_write(const recipe_stage *s, mmd_buffer *key)
{
    const mmd_physics_options *physics = mmd_stage_physics(s->scene.stage);
    if (!physics || s->scene.settings.given || s->scene.faded_count || s->scene.edited_count ||
        !only_camera(s->recipe.exec) || !add_models(s, key) || !add_motions(s, key))
        return false;
    add_options(&s->recipe.scene, key);
    add_physics(physics, key);
    return !key->failed;
}
