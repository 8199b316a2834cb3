#include "rebuild.h"

#include <string.h>

#include "scene/accessory.h"
#include "base/message.h"
#include "scene/bundled.h"
#include "command/commands.h"
#include "scene/crowd.h"
#include "recipe/plan.h"

/* --- The scene --- */

static bool add_model(odori_scene *scene, const scene_model *m, const mmd_pose_options *pose, mmd_error *why)
{
    model_file file;
    if (model_file_read(m->path, &file, why) != MMD_OK)
        return false;
    if (!(m->is_backdrop ? scene_add_backdrop(scene, m->path, &file, pose)
                         : scene_add_placed(scene, m->path, &file, pose)))
        return false;
    if (strcmp(m->given, BUNDLED_NAME) == 0)
        scene->models[scene->model_count - 1].given = BUNDLED_NAME;
    return true;
}

static bool cannot_open(const char *path, mmd_error *why)
{
    mmd_error_set(why, MMD_ERROR_VALUE, "", MMD_NO_OFFSET, "the project cannot be opened again");
    mmd_error_set_file(why, path);
    return false;
}

/* The number of the model that a copy shares all with. */
static size_t original_of(const odori_scene *old, size_t copy)
{
    size_t i = 0;
    while (i < copy && old->models[i].model != old->models[copy].model)
        i++;
    return i;
}

/* A project's models lie side by side, and come with it. */
static bool add_models(const odori_scene *old, odori_scene *scene, const mmd_pose_options *pose,
                       const mmd_log *log, mmd_error *why)
{
    const char *project = NULL;
    for (size_t i = 0; i < old->model_count; i++) {
        const scene_model *m = &old->models[i];
        bool is_known = m->project && project && strcmp(m->project, project) == 0;
        project = m->project;
        if (is_known)
            continue;
        if (m->is_copy && !scene_add_copy(scene, original_of(old, i), pose))
            return false;
        if (!project && !m->is_copy && !add_model(scene, m, pose, why))
            return false;
        if (project && scene_add_file(scene, project, pose, log) != EXIT_DONE)
            return cannot_open(project, why);
    }
    return true;
}

static bool add_motion(odori_scene *scene, const scene_motion *m, mmd_error *why)
{
    mmd_motion *motion;
    bool added;
    if (motion_read_file(m->path, &motion, why) != MMD_OK)
        return false;
    if (m->moves_models)
        added = scene_add_motion(scene, m->path, motion);
    else if (m->target >= 0 && (size_t)m->target < scene->model_count)
        added = scene_add_motion_to(scene, m->path, motion, (size_t)m->target);
    else if (motion_is_for_models(m->motion)) /* whose camera alone is wanted */
        added = scene_add_camera(scene, m->path, motion);
    else /* it had nothing for models so far, which says nothing of what is in it now */
        added = scene_add_motion(scene, m->path, motion);
    if (added && strcmp(m->given, BUNDLED_NAME) == 0)
        scene->motions[scene->motion_count - 1].given = BUNDLED_NAME;
    return added;
}

bool reopen_scene(const odori_scene *old, const mmd_pose_options *pose, const mmd_log *log,
                   odori_scene *scene, mmd_error *why)
{
    bool built = scene_init(scene) && add_models(old, scene, pose, log, why);
    for (size_t i = 0; built && i < old->motion_count; i++)
        if (!old->motions[i].is_of_project)
            built = add_motion(scene, &old->motions[i], why);
    if (!built || !crowd_move(scene))
        return false;
    scene->is_chosen = old->is_chosen;
    scene->chosen = old->chosen;
    if (old->opening)
        scene->opening = mmd_arena_text(&scene->arena, old->opening, strlen(old->opening));
    scene_attach(scene, log);
    scene->is_loaded = true;
    return physics_start(scene, &old->physics, log) == EXIT_DONE;
}

/* --- What was done to it --- */

void reopen_run_lines(odori_session *s, const mmd_buffer *lines)
{
    char error[REFUSAL_MAX];
    const char *at = (const char *)lines->data, *end = at ? at + lines->size : at;
    history_begin(&s->history);
    s->history.joins = true; /* one step: all of it can be undone, however much it is */
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        if (!command_run(s, at, length, error))
            panel_log_tell(s->messages, "%s", error);
        at += length + 1;
    }
    s->history.joins = false;
}

static bool are_equal(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* The material of the same number, if it has the same name; else the first of the name. */
static bool find_material(const mmd_model *from, uint32_t material, const mmd_model *to, uint32_t *found)
{
    const char *name = from->materials[material].name;
    *found = material;
    if (material < to->material_count && are_equal(to->materials[material].name, name))
        return true;
    for (*found = 0; *found < to->material_count; ++*found)
        if (are_equal(to->materials[*found].name, name))
            return true;
    return false;
}

static void carry_hidden(const scene_model *from, scene_model *to)
{
    uint32_t found;
    const uint8_t *hidden = mmd_actor_hidden(from->actor);
    for (uint32_t i = 0; hidden && i < from->model->material_count; i++)
        if (hidden[i] && find_material(from->model, i, to->model, &found))
            mmd_actor_hide_material(to->actor, found, true);
}

void reopen_hidden(const odori_session *from, odori_session *to)
{
    for (size_t i = 0; i < from->scene->model_count && i < to->scene->model_count; i++)
        carry_hidden(&from->scene->models[i], &to->scene->models[i]);
}
