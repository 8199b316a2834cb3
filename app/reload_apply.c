/*
 * Motions and textures change where they are. A model's bones, morphs and
 * bodies are all over a stage: with another model the scene is built anew of
 * its own files, and what was done to it done again (state_lines.h).
 */
#include "reload_apply.h"

#include <stdio.h>
#include <string.h>

#include "accessory.h"
#include "app.h"
#include "crowd.h"
#include "mirror.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "opener.h"
#include "panel_log.h"
#include "place.h"
#include "reload.h"
#include "state_lines.h"

void reload_tell(odori_session *s, const char *error)
{
    panel_log_tell(s->messages, "%s", error);
    if (s->opener)
        snprintf(s->opener->trouble, sizeof s->opener->trouble, "%.255s", error);
    s->changed = true;
}

static bool refuse(char *error, mmd_error *why, const char *path)
{
    char sentence[512];
    mmd_error_set_file(why, mmd_path_name(path));
    snprintf(error, COMMAND_ERROR_MAX, "%.200s (the scene is as it was)",
             mmd_error_sentence(why, sentence, sizeof sentence));
    return false;
}

static bool out_of_memory(char *error)
{
    snprintf(error, COMMAND_ERROR_MAX, "out of memory");
    return false;
}

/* --- Motions --- */

static bool replace_everywhere(odori_scene *scene, const mmd_motion *motion, const mmd_motion *by)
{
    bool all = true;
    for (size_t i = 0; i < scene->model_count; i++)
        all &= mmd_actor_replace_motion(scene->models[i].actor, motion, by, NULL) == MMD_OK;
    mmd_stage_replace_scene_motion(scene->stage, motion, by);
    return all;
}

/* The motions that were played are looked at until the next frame stands. */
static bool reload_motion(odori_session *s, size_t index, char *error)
{
    odori_scene *scene = s->scene;
    scene_motion *m = &scene->motions[index], old = *m;
    mmd_motion *fresh, *mirrored = NULL;
    mmd_error why = {0};
    if (motion_read_file(m->path, &fresh, &why) != MMD_OK)
        return refuse(error, &why, m->path);
    if (old.mirrored && mmd_motion_mirror(fresh, &mirrored, &why) != MMD_OK) {
        mmd_motion_destroy(fresh);
        return refuse(error, &why, m->path);
    }
    mmd_stage_settle(scene->stage);
    bool all = replace_everywhere(scene, old.motion, fresh);
    if (mirrored)
        all &= replace_everywhere(scene, old.mirrored, mirrored);
    m->motion = fresh;
    m->mirrored = mirrored;
    session_restart(s);
    session_go(s, s->frame);
    mmd_stage_settle(scene->stage);
    if (all) { /* else some may still play them: the scene's end is theirs */
        mmd_motion_destroy(old.motion);
        mmd_motion_destroy(old.mirrored);
    }
    return all || out_of_memory(error);
}

/* --- Textures --- */

/* Whether what has changed is a picture. */
static bool is_picture(const scene_model *m, const texture_place *place, const char *path, mmd_error *why)
{
    char name[MMD_PATH_MAX];
    for (uint32_t i = 0; i < m->model->texture_count; i++) {
        if (!textures_find(place, m->model->textures[i], name))
            continue;
        size_t length = strlen(name), whole = strlen(path);
        if (whole >= length && strcmp(path + whole - length, name) == 0)
            return textures_decode(place, name, why);
    }
    return true;
}

static bool reload_textures(odori_session *s, size_t index, const char *path, char *error)
{
    scene_model *m = &s->scene->models[index];
    odori_screen *screen = s->opener ? s->opener->screen : NULL;
    texture_place place = textures_beside(m->path);
    mmd_error why = {0};
    if (!place.source)
        return out_of_memory(error);
    bool good = is_picture(m, &place, path, &why);
    if (good && screen) {
        mmd_view_remove_model(screen->view, m->model);
        good = mmd_view_add_model(screen->view, m->model, place.source, place.folder, &why) == MMD_OK;
    }
    mmd_source_destroy(good ? m->textures.source : place.source);
    if (good)
        m->textures = place;
    s->changed = true;
    return good || refuse(error, &why, path);
}

/* --- Models --- */

static bool add_model(odori_scene *scene, const scene_model *m, const mmd_pose_options *pose, mmd_error *why)
{
    model_file file;
    if (model_file_read(m->path, &file, why) != MMD_OK)
        return false;
    return m->is_backdrop ? scene_add_backdrop(scene, m->path, &file, pose)
                          : scene_add_placed(scene, m->path, &file, pose);
}

static bool add_motion(odori_scene *scene, const scene_motion *m, mmd_error *why)
{
    mmd_motion *motion;
    if (motion_read_file(m->path, &motion, why) != MMD_OK)
        return false;
    if (m->moves_models)
        return scene_add_motion(scene, m->path, motion);
    return m->target >= 0 ? scene_add_motion_to(scene, m->path, motion, (size_t)m->target)
                          : scene_add_camera(scene, m->path, motion);
}

/* The same files in the same order, for the same models. */
static bool build(const odori_session *s, odori_scene *scene, mmd_error *why)
{
    const odori_scene *old = s->scene;
    bool built = scene_init(scene);
    for (size_t i = 0; built && i < old->model_count; i++) {
        built = old->models[i].is_copy ? scene_add_copy(scene, scene_main_model(scene), s->opener->pose)
                                       : add_model(scene, &old->models[i], s->opener->pose, why);
        if (built && strcmp(old->models[i].given, PLAN_DANCER) == 0)
            scene->models[i].given = PLAN_DANCER;
    }
    for (size_t i = 0; built && i < old->motion_count; i++)
        built = add_motion(scene, &old->motions[i], why);
    built = built && crowd_move(scene);
    for (size_t i = 0; built && i < old->motion_count; i++)
        if (strcmp(old->motions[i].given, PLAN_DANCER) == 0)
            scene->motions[i].given = PLAN_DANCER;
    if (!built)
        return false;
    scene_attach(scene, &s->opener->log);
    scene->is_loaded = true;
    return physics_start(scene, &old->physics, &s->opener->log) == EXIT_DONE;
}

/* Lines that do not fit the new model any more are left out, and told. */
static void run_lines(odori_session *s, const mmd_buffer *lines)
{
    char error[COMMAND_ERROR_MAX];
    const char *at = (const char *)lines->data, *end = at + lines->size;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        if (!command_run(s, at, length, error))
            panel_log_tell(s->messages, "%s", error);
        at += length + 1;
    }
}

/* What of a session is no line: where it is and who is looked at. */
typedef struct kept {
    double frame, a, b;
    bool playing;
    size_t selected, followed;
    char bone[256]; /* that is followed; "": none */
    float offset[3];
    mmd_view_options view;
    mmd_buffer lines;
} kept;

static kept keep(const odori_session *s)
{
    kept k = {.frame = s->frame,
              .a = s->transport.a,
              .b = s->transport.b,
              .playing = s->playing,
              .selected = s->selected,
              .followed = s->follow.model,
              .view = s->view};
    if (s->follow.on)
        snprintf(k.bone, sizeof k.bone, "%.255s",
                 s->scene->models[s->follow.model].model->bones[s->follow.bone].name);
    memcpy(k.offset, s->follow.offset, sizeof k.offset);
    state_lines_write(s, &k.lines);
    return k;
}

/* Edits hold from the first frame on, as they did, and so does what physics makes of them. */
static void give_back(odori_session *s, kept *k)
{
    run_lines(s, &k->lines);
    mmd_buffer_finish(&k->lines);
    s->view = k->view;
    s->selected = k->selected;
    s->playing = k->playing;
    s->transport.a = k->a;
    s->transport.b = k->b;
    int32_t bone = *k->bone ? mmd_model_find_bone(s->scene->models[k->followed].model, k->bone) : -1;
    session_restart(s);
    if (bone >= 0) {
        session_follow_bone(s, k->followed, (uint32_t)bone);
        memcpy(s->follow.offset, k->offset, sizeof k->offset);
    }
    session_go(s, k->frame);
}

/* A project's models, motions and places belong together: it is opened again as a whole. */
static bool reload_project(odori_session *s, const char *project, char *error)
{
    char path[PATH_MAX];
    const char *const paths[] = {path};
    kept k = keep(s);
    snprintf(path, sizeof path, "%s", project);
    bool opened = opener_open(s, paths, 1, error);
    if (opened)
        give_back(s, &k);
    mmd_buffer_finish(&k.lines);
    return opened;
}

static bool reload_models(odori_session *s, const char *path, char *error)
{
    odori_scene scene = {0};
    mmd_error why = {0};
    for (size_t i = 0; i < s->scene->model_count; i++)
        if (s->scene->models[i].project)
            return reload_project(s, s->scene->models[i].project, error);
    kept k = keep(s);
    bool put = build(s, &scene, &why) && opener_put(s, &scene, &why);
    if (put)
        give_back(s, &k);
    mmd_buffer_finish(&k.lines);
    scene_finish(&scene);
    return put || (why.code == MMD_OK ? out_of_memory(error) : refuse(error, &why, path));
}

static bool apply(odori_session *s, reload_change kind, size_t index, const char *path, char *error)
{
    switch (kind) {
    case RELOAD_MOTION:
        return reload_motion(s, index, error);
    case RELOAD_TEXTURES:
        return reload_textures(s, index, path, error);
    case RELOAD_MODEL:
        break;
    }
    return reload_models(s, path, error);
}

/* What was wrong with the file before it was written again is no news any more. */
bool reload_apply(odori_session *s, reload_change kind, size_t index, const char *path,
                  char error[COMMAND_ERROR_MAX])
{
    bool applied = apply(s, kind, index, path, error);
    if (applied && s->opener)
        s->opener->trouble[0] = '\0';
    return applied;
}

bool reload_all(odori_session *s, char *error)
{
    if (s->scene->model_count == 0 || !s->opener) {
        snprintf(error, COMMAND_ERROR_MAX, "there is nothing to read again");
        return false;
    }
    return reload_models(s, s->scene->models[0].path, error);
}
