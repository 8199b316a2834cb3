#include "scene.h"

#include <string.h>

#include "background.h"
#include "edited_motion.h"
#include "fade.h"
#include "mmd/assemble.h"
#include "mmd/memory.h"
#include "mmd/text.h"
#include "placing.h"

bool scene_init(odori_scene *s)
{
    *s = (odori_scene){.stage = mmd_stage_create()};
    physics_settings_init(&s->physics, false);
    s->physics_now = s->physics.options;
    return s->stage != NULL;
}

void scene_finish(odori_scene *s)
{
    mmd_stage_destroy(s->stage);
    for (size_t i = 0; i < s->model_count; i++)
        mmd_actor_destroy(s->models[i].actor);
    for (size_t i = 0; i < s->model_count; i++) {
        if (s->models[i].is_copy || s->models[i].is_lent)
            continue;
        mmd_source_destroy(s->models[i].textures.source);
        mmd_model_file_destroy_model(s->models[i].model, s->models[i].document);
        mmd_vac_destroy(s->models[i].vac);
    }
    for (size_t i = 0; i < s->motion_count; i++) {
        if (!s->motions[i].is_lent)
            mmd_motion_destroy(s->motions[i].motion);
        mmd_motion_destroy(s->motions[i].mirrored);
    }
    edited_motions_finish(s);
    fades_finish(s);
    background_close(s);
    mmd_free(s->models);
    mmd_free(s->motions);
    mmd_arena_finish(&s->arena);
    *s = (odori_scene){0};
}

/* Gives an actor the motions of all models. */
static bool move_actor(const odori_scene *s, mmd_actor *actor)
{
    for (size_t i = 0; i < s->motion_count; i++)
        if (s->motions[i].moves_models && mmd_actor_add_motion(actor, s->motions[i].motion, NULL) != MMD_OK)
            return false;
    return true;
}

bool scene_is_dancer(const scene_model *m)
{
    return !m->is_accessory && !m->is_backdrop;
}

const char *scene_keep_text(odori_scene *s, const char *text)
{
    return mmd_arena_text(&s->arena, text, strlen(text));
}

/* Fills in a model after everything that can fail has succeeded, so that it is added to the scene and its
 * stage, or to neither. */
static bool fill_model(odori_scene *s, scene_model *m)
{
    const char *given = m->given;
    m->path = scene_keep_text(s, m->path);
    m->given = !given || (m->path && strcmp(given, m->path) == 0) ? m->path : scene_keep_text(s, given);
    m->actor = m->path && m->given && m->textures.source ? mmd_actor_create(m->model) : NULL;
    /* Play the first animation of a glTF. Others are alternative takes of the same nodes. */
    if (m->actor && m->document && m->document->animation_count &&
        mmd_actor_set_animations(m->actor, m->document->animations, 1, NULL) != MMD_OK)
        return false;
    return m->actor && mmd_stage_add_actor(s->stage, m->actor, NULL) == MMD_OK;
}

scene_model scene_model_of(const char *path, const mmd_model_file *file)
{
    return (scene_model){.path = path,
                         .model = file->model,
                         .textures = file->textures,
                         .vac = file->vac,
                         .document = file->document};
}

/* Keeps backdrops behind a model that was added after them, as in a scene of the same files. */
static void place_backdrops_behind(odori_scene *s, size_t added)
{
    size_t place = mmd_stage_place(s->stage, added);
    for (size_t i = 0; i < added && !s->models[added].is_backdrop; i++)
        if (s->models[i].is_backdrop && mmd_stage_place(s->stage, i) <= place)
            mmd_stage_set_place(s->stage, i, place + 1);
}

bool scene_add_model(odori_scene *s, const scene_model *what)
{
    scene_model *grown = what->model ? mmd_realloc(s->models, (s->model_count + 1) * sizeof *grown) : NULL;
    scene_model added = *what;
    added.is_accessory = what->model && what->model->origin == MMD_ORIGIN_X;
    if (grown)
        s->models = grown;
    if (!grown || !fill_model(s, &added)) {
        mmd_actor_destroy(added.actor);
        if (!what->is_lent)
            mmd_model_file_finish(&(mmd_model_file){what->model, what->textures, what->vac, what->document});
        return false;
    }
    size_t index = s->model_count++;
    grown[index] = added;
    grown[index].role = index;
    place_backdrops_behind(s, index);
    scene_order(s, s->is_loaded ? index : 0);
    scene_place(s, index);
    if (added.is_backdrop) {
        mmd_staging staging = *mmd_stage_staging(s->stage, index);
        staging.ground_shadow = false;
        mmd_stage_set_staging(s->stage, index, &staging);
    }
    return !scene_is_dancer(&added) || move_actor(s, added.actor);
}

bool scene_add_copy(odori_scene *s, size_t of)
{
    scene_model *grown = mmd_realloc(s->models, (s->model_count + 1) * sizeof *grown);
    if (!grown)
        return false;
    s->models = grown;
    scene_model added = grown[of];
    added.actor = NULL;
    added.vac = NULL;
    added.reset_told = NULL;
    added.is_mirrored = false;
    added.is_copy = true;
    added.project = added.project_given = NULL; /* the copy does not belong to the project */
    if (!fill_model(s, &added)) {
        mmd_actor_destroy(added.actor);
        return false;
    }
    added.given = grown[of].given;
    size_t index = s->model_count++;
    grown[index] = added;
    grown[index].role = index;
    place_backdrops_behind(s, index);
    scene_order(s, s->is_loaded ? index : 0);
    return !scene_is_dancer(&added) || move_actor(s, added.actor);
}

bool scene_has_model(const odori_scene *s)
{
    for (size_t i = 0; i < s->model_count; i++)
        if (!s->models[i].is_backdrop && scene_is_present(s, i))
            return true;
    return false;
}

bool scene_is_present(const odori_scene *s, size_t model)
{
    return model < s->model_count && mmd_stage_is_present(s->stage, model);
}

size_t scene_holder(const odori_scene *s, size_t role)
{
    for (size_t i = 0; i < s->model_count; i++)
        if (s->models[i].role == role && scene_is_present(s, i))
            return i;
    return role;
}

bool scene_add_motion(odori_scene *s, const scene_motion *what, int64_t whom)
{
    mmd_motion *motion = what->motion;
    whom = whom >= 0 && (size_t)whom < s->model_count ? (int64_t)s->models[whom].role : whom;
    scene_motion *grown = motion ? mmd_realloc(s->motions, (s->motion_count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        if (!what->is_lent)
            mmd_motion_destroy(motion);
        return false;
    }
    const bool for_models = whom != NO_MODEL && mmd_motion_is_for_models(motion);
    const char *path = scene_keep_text(s, what->path),
               *given = what->given ? scene_keep_text(s, what->given) : path;
    s->motions = grown;
    grown[s->motion_count++] = (scene_motion){.path = path ? path : "",
                                              .given = given ? given : "",
                                              .motion = motion,
                                              .moves_models = for_models && whom == EVERY_MODEL,
                                              .is_camera = whom == NO_MODEL,
                                              .is_of_project = what->is_of_project,
                                              .is_lent = what->is_lent,
                                              .target = for_models ? whom : EVERY_MODEL};
    if (!path || !given ||
        ((whom == NO_MODEL || mmd_motion_is_for_stage(motion)) &&
         mmd_stage_add_scene_motion(s->stage, motion, NULL) != MMD_OK))
        return false;
    for (size_t i = 0; for_models && i < s->model_count; i++) {
        bool is_meant =
            whom == EVERY_MODEL ? scene_is_dancer(&s->models[i]) : s->models[i].role == (size_t)whom;
        if (is_meant && mmd_actor_add_motion(s->models[i].actor, motion, NULL) != MMD_OK)
            return false;
    }
    return true;
}

void motion_report_cut(const char *path, const mmd_motion *motion, const mmd_log *log)
{
    if (motion->cut)
        mmd_log_message(log, MMD_LOG_WARNING, "%s: the file is truncated; its complete keyframes are used",
                        path);
}

/* Tests whether a model stands before another one in the order of the list. */
static bool is_before(const odori_scene *s, size_t model, size_t other)
{
    return mmd_stage_place(s->stage, model) < mmd_stage_place(s->stage, other);
}

size_t scene_count_models(const odori_scene *s, bool accessories, size_t *first)
{
    size_t count = 0;
    for (size_t i = 0; i < s->model_count; i++)
        if (scene_is_present(s, i) && !s->models[i].is_backdrop && !s->models[i].is_copy &&
            s->models[i].is_accessory == accessories && (count++ == 0 || is_before(s, i, *first)))
            *first = i;
    return count;
}

size_t scene_last_dancer(const odori_scene *s)
{
    size_t last = s->model_count;
    for (size_t i = 0; i < s->model_count; i++)
        if (scene_is_dancer(&s->models[i]) && scene_is_present(s, i) &&
            (last == s->model_count || !is_before(s, i, last)))
            last = i;
    return last;
}

size_t scene_backdrop(const odori_scene *s)
{
    size_t i = 0;
    while (i < s->model_count && !s->models[i].is_backdrop)
        i++;
    return i;
}

bool scene_moves(const odori_scene *s, const scene_motion *motion, size_t model)
{
    bool is_meant = motion->target >= 0 ? (size_t)motion->target == s->models[model].role
                                        : motion->moves_models && scene_is_dancer(&s->models[model]);
    return is_meant && mmd_motion_is_for_models(motion->motion);
}

size_t scene_count_dancers(const odori_scene *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->model_count; i++)
        count += scene_is_present(s, i) && scene_is_dancer(&s->models[i]);
    return count;
}

size_t scene_main_model(const odori_scene *s)
{
    size_t first = 0;
    if (s->is_chosen && scene_is_present(s, s->chosen))
        return s->chosen;
    if (scene_count_models(s, false, &first) || scene_count_models(s, true, &first))
        return first;
    while (first < s->model_count && !scene_is_present(s, first))
        first++;
    return first;
}
