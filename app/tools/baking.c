/* Playing motions into a bake (baking.h). */
#include "baking.h"

#include <string.h>

#include "base/message.h"
#include "mmd/memory.h"

enum { MAX_FRAMES = 1000000 };

const mmd_motion **baking_motions(const odori_scene *s, size_t *count)
{
    const mmd_motion **motions = mmd_alloc((s->motion_count + 1) * sizeof *motions);
    *count = 0;
    size_t dancer = scene_main_model(s);
    bool mirrored = s->model_count && s->models[dancer].is_mirrored;
    for (size_t i = 0; motions && i < s->motion_count; i++)
        if ((s->motions[i].moves_models || s->motions[i].target == (int64_t)dancer) &&
            motion_is_for_models(s->motions[i].motion))
            motions[(*count)++] = mirrored && s->motions[i].mirrored ? s->motions[i].mirrored
                                                                     : s->motions[i].motion;
    return motions;
}

int baking_frames(const odori_scene *s, mmd_actor *actor, mmd_bake *bake, uint32_t first, uint32_t last,
                  progress *bar, size_t *done, mmd_motion **result)
{
    mmd_error error = {0};
    for (uint64_t f = first; f <= last; f++) {
        mmd_stage_set_frame(s->stage, (double)f);
        if (mmd_bake_frame(bake, mmd_pose_world(mmd_actor_pose(actor)), mmd_actor_values(actor), &error) !=
            MMD_OK)
            return report(&error);
        progress_show(bar, ++*done);
    }
    return mmd_bake_finish(bake, result, &error) == MMD_OK ? EXIT_DONE : report(&error);
}

/* ---- plain bones ---- */

/* A model with nothing at work but its bones' parents. Its lists are copies, for plain_finish. */
static bool plain_init(mmd_model *plain, const mmd_model *model)
{
    static const uint16_t at_work = MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION |
                                    MMD_BONE_APPEND_LOCAL | MMD_BONE_IK | MMD_BONE_FIXED_AXIS;
    *plain = *model;
    plain->bones = mmd_alloc((model->bone_count + (size_t)1) * sizeof *plain->bones);
    plain->morphs = mmd_alloc((model->morph_count + (size_t)1) * sizeof *plain->morphs);
    for (uint32_t i = 0; plain->bones && i < model->bone_count; i++) {
        plain->bones[i] = model->bones[i];
        plain->bones[i].flags = (uint16_t)(plain->bones[i].flags & ~at_work);
    }
    for (uint32_t i = 0; plain->morphs && i < model->morph_count; i++) {
        plain->morphs[i] = model->morphs[i];
        if (plain->morphs[i].kind == MMD_MORPH_BONE)
            plain->morphs[i].count = 0;
    }
    return plain->bones && plain->morphs;
}

static void plain_finish(mmd_model *plain)
{
    mmd_free(plain->bones);
    mmd_free(plain->morphs);
}

static int out_of_memory(void)
{
    message("out of memory");
    return EXIT_FACILITY;
}

static int bake_plain(const odori_scene *s, const scene_model *dancer, const mmd_model *plain, bool physics,
                      mmd_motion **result)
{
    double frames = mmd_actor_last_frame(dancer->actor);
    if (frames >= MAX_FRAMES) {
        message("the motions' %.0f frames are more than a million", frames);
        return EXIT_USAGE;
    }
    size_t count, done = 0;
    const mmd_motion **motions = baking_motions(s, &count);
    mmd_bake_options options = mmd_default_bake_options();
    options.physics_off = physics;
    mmd_bake *bake = motions ? mmd_bake_create(plain, motions, count, &options) : NULL;
    progress bar = progress_start((size_t)frames + 1);
    int code = bake ? baking_frames(s, dancer->actor, bake, 0, (uint32_t)frames, &bar, &done, result)
                    : out_of_memory();
    progress_finish(&bar);
    mmd_bake_destroy(bake);
    mmd_free(motions);
    return code;
}

int baking_plain(const odori_scene *s, const scene_model *dancer, bool physics, mmd_motion **result)
{
    mmd_model plain;
    *result = NULL;
    int code =
        plain_init(&plain, dancer->model) ? bake_plain(s, dancer, &plain, physics, result) : out_of_memory();
    plain_finish(&plain);
    return code;
}
