/* Opens files one at a time: detects the kind by content, reads the file, and only then changes the scene. */
#include "open.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "audio.h"
#include "autosave.h"
#include "commands_document.h"
#include "base/message.h"
#include "base/parse.h"
#include "command/commands.h"
#include "document.h"
#include "edit/dance_edit.h"
#include "edit/plugins.h"
#include "edit/key_rest.h"
#include "edit/model_edit.h"
#include "edit/remap.h"
#include "edit/stage_edit.h"
#include "files/png_text.h"
#include "media/audio_file.h"
#include "mmd/assemble.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/view_load.h"
#include "last.h"
#include "open_work.h"
#include "preferences.h"
#include "recipe/provenance.h"
#include "recipe/stage.h"
#include "save.h"
#include "scene/bundled.h"
#include "scene/edited_motion.h"
#include "scene/framing.h"
#include "scene/mirror.h"
#include "scene/placing.h"

/* Writes an error with the name of a file, and returns false. */
static bool refuse(char *error, const char *path, const char *why)
{
    snprintf(error, REFUSAL_MAX, "%.100s: %.140s", mmd_path_name(path), why);
    return false;
}

/* Writes an error of a file, and returns false. Only the name of the file is shown, because a window title
 * has no room for its folders. */
static bool refuse_error(char *error, mmd_error *why, const char *path)
{
    char sentence[512];
    if (strchr(why->file, '/'))
        why->file[0] = '\0';
    mmd_error_set_file(why, *mmd_path_name(path) ? mmd_path_name(path) : path);
    snprintf(error, REFUSAL_MAX, "%.250s", mmd_error_sentence(why, sentence, sizeof sentence));
    return false;
}

/* Writes why a scene was not opened, and returns false. */
static bool refuse_scene(char *error, const char *path, const mmd_error *why)
{
    char sentence[512];
    if (why->code == MMD_OK)
        return refuse(error, path, "cannot be opened; the scene is unchanged");
    snprintf(error, REFUSAL_MAX, "%.80s: the scene is unchanged, because %.140s", mmd_path_name(path),
             mmd_error_sentence(why, sentence, sizeof sentence));
    return false;
}

/* --- Reloading the scene --- */

mmd_status reopen_scene(const odori_scene *old, const mmd_log *log, odori_scene *scene, mmd_error *why)
{
    mmd_status status = scene_load_again(old, log, scene, why);
    scene->texture_memory = old->texture_memory;
    return status == MMD_OK ? physics_start(scene, &old->physics, log, why) : status;
}

/* --- Restoring edits --- */

void reopen_run_lines(odori_session *s, const mmd_buffer *lines)
{
    char error[REFUSAL_MAX];
    const char *at = (const char *)lines->data, *end = at ? at + lines->size : at;
    history_begin(&s->history);
    s->history.joins = true; /* all of it is one undo step */
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        if (!command_run(s, at, length, error))
            panel_log_report(s->messages, "%s", error);
        at += length + 1;
    }
    s->history.joins = false;
}

void reopen_hidden(const odori_session *from, odori_session *to)
{
    for (size_t i = 0; i < from->scene->model_count && i < to->scene->model_count; i++)
        model_edit_hide_same(&from->scene->models[i], &to->scene->models[i]);
}

/* --- Replacing the scene --- */

/* Warns of textures that are drawn smaller. */
static void tell_textures(const file_opener *o, const mmd_texture_memory *textures)
{
    char sentence[512];
    if (screen_tell_textures(textures, sentence, sizeof sentence))
        mmd_log_message(&o->log, MMD_LOG_WARNING, "%s", sentence);
}

/* Uploads the models of a scene to the GPU. Returns false, and reports the error, if one cannot be drawn. */
static bool show_models(file_opener *o, const odori_scene *scene)
{
    mmd_error error = {0};
    if (!o->screen)
        return true;
    if (!screen_complete(o->screen, &error) ||
        !screen_add_models(o->screen->view, scene, true, NULL, &o->screen->textures, &error)) {
        report(&error);
        return false;
    }
    tell_textures(o, &o->screen->textures);
    return true;
}

/* Removes the models of a scene from the GPU. */
static void hide_models(file_opener *o, const odori_scene *scene)
{
    for (size_t i = 0; o->screen && i < scene->model_count; i++)
        mmd_view_remove_model(o->screen->view, scene->models[i].model);
}

/* Moves the scene of another session, whose models are on the GPU, to this session. */
static void put_in_place(odori_session *s, odori_session *other)
{
    hide_models(document_of(s)->opener, s->scene);
    scene_finish(s->scene);
    *s->scene = *other->scene;
    *other->scene = (odori_scene){0};
    history_moved(&s->history, s->scene);
    physics_follow(s->scene);
}

/* Moves the history of another session to this one, which keeps its plug-ins. */
static void take_history(odori_session *s, odori_session *other)
{
    struct odori_plugins *plugins = s->history.plugins;
    bool is_keying = other->history.edit && mmd_edit_is_keying(other->history.edit);
    s->history.plugins = NULL;
    session_finish(s);
    s->history = other->history;
    s->history.plugins = plugins;
    history_init(&other->history, other->scene);
    if (s->history.edit) {
        plugins_attach(plugins, s->history.edit);
        edited_motion_begin(s->history.edit, is_keying);
    }
}

void open_take_place(odori_session *s, odori_session *other)
{
    autosave_write(s);
    if (document_of(s)->saving)
        save_list_close(document_of(s)->saving); /* its numbers of models are those of this scene */
    take_history(s, other);
    put_in_place(s, other);
    s->edited_since_start = other->edited_since_start;
    s->simulated_to = other->simulated_to;
    s->picture_models = other->picture_models;
    s->is_own_picture = other->is_own_picture;
    s->as_opened = other->as_opened;
    other->as_opened = (mmd_buffer){0};
    s->view = other->view;
    if (s->panels.pale && !s->scene->settings.given && !s->picture_models)
        stage_look_pale(document_of(s)->opener->recipe, &s->view);
    s->selected = other->selected;
    s->has_chosen = other->has_chosen;
    s->follow = other->follow;
    s->camera_by_user = other->camera_by_user;
    s->transport.a = s->transport.b = NAN;
    s->playing = other->playing;
    session_go(s, other->frame);
}

/* Returns the bone of the other scene that the camera is to follow, or -1 if it follows none or that is gone.
 */
static int32_t followed(const odori_session *s, const odori_session *other)
{
    size_t model = s->follow.model;
    if (!s->follow.on || model >= other->scene->model_count || model >= s->scene->model_count)
        return -1;
    const mmd_bone *bone = &s->scene->models[model].model->bones[s->follow.bone];
    return mmd_model_find_bone(other->scene->models[model].model, bone->name);
}

void open_join(odori_session *s, odori_session *other, bool takes_camera)
{
    int32_t bone = takes_camera ? -1 : followed(s, other);
    const mmd_camera *own = takes_camera ? NULL : mmd_stage_camera_by_hand(s->scene->stage);
    mmd_camera camera = own ? *own : mmd_default_camera();
    history_rewind(&other->history); /* these edits are repeated by the steps of the session */
    s->edited_since_start = other->edited_since_start;
    s->simulated_to = other->simulated_to;
    remap_edits(s, other->scene);
    session_end_scene(s);
    put_in_place(s, other);
    history_init(&other->history, other->scene);
    s->camera_by_user = s->camera_by_user && !takes_camera;
    if (!scene_is_present(s->scene, s->selected))
        s->selected = scene_main_model(s->scene);
    s->follow.on = bone >= 0 && scene_is_present(s->scene, s->follow.model);
    s->follow.bone = bone >= 0 ? (uint32_t)bone : 0;
    mmd_stage_set_camera(s->scene->stage, own ? &camera : NULL);
}

/* The new models are uploaded before the old ones are removed, so that nothing changes on failure. */
bool open_put(odori_session *s, odori_scene *scene, const mmd_buffer *lines, mmd_error *error)
{
    odori_session fresh;
    const mmd_view_options seen = s->view;
    if (!show_models(document_of(s)->opener, scene)) {
        hide_models(document_of(s)->opener, scene);
        mmd_error_set(error, MMD_ERROR_GL, "", MMD_NO_OFFSET, "cannot be drawn");
        return false;
    }
    session_init(&fresh, scene, &seen);
    fresh.messages = s->messages;
    reopen_run_lines(&fresh, lines);
    reopen_hidden(s, &fresh);
    open_join(s, &fresh, false);
    session_finish(&fresh);
    return true;
}

/* Returns a recipe without files, with the view and physics options of the command line. */
static recipe recipe_for(const file_opener *o)
{
    recipe r;
    recipe_init(&r, true);
    r.view = o->recipe->view;
    r.physics = o->recipe->physics;
    r.scene.most_models = o->max_models;
    return r;
}

/* Replaces the scene by that of a recipe. On failure returns false and why, and nothing changes. */
static bool replace_scene(odori_session *s, const recipe *wanted, mmd_error *why)
{
    file_opener *o = document_of(s)->opener;
    const recipe_opening how = {
        .subcommand = "play", .needs = NEEDS_MODEL, .log = &o->log, .for_window = true};
    recipe_stage fresh;
    bool made =
        recipe_open(&fresh, wanted, &how, why) == MMD_OK && recipe_begin_playing(&fresh, why) == MMD_OK;
    if (made && wanted->picture)
        autosave_note_picture(&fresh.session);
    made = made && show_models(o, &fresh.scene);
    if (made) {
        open_take_place(s, &fresh.session);
        o->dancer = NULL;
        o->motions_from = 0;
        if (o->result)
            o->result->replaced = true;
    } else {
        hide_models(o, &fresh.scene);
    }
    recipe_close(&fresh);
    return made;
}

/* Replaces the scene by files, one of which may be a picture with provenance. An entry of a playlist begins
 * at its beginning, not where its picture was taken. */
static bool replace_by_files(odori_session *s, recipe *wanted, const char *path, bool is_entry, char *error)
{
    file_opener *o = document_of(s)->opener;
    mmd_error why = {0};
    const bool is_own =
        wanted->scene.files.count == 1 && last_scene_is_own(wanted->scene.files.items[0].path);
    bool taken = recipe_take_picture(wanted, is_own, &why) == MMD_OK;
    if (taken && is_entry && wanted->picture)
        wanted->frames[0] = wanted->start = 0;
    if (!taken || !replace_scene(s, wanted, &why))
        return refuse_scene(error, path, &why);
    s->is_own_picture = wanted->picture && is_own;
    snprintf(o->name, sizeof o->name, "%.250s", mmd_path_name(path));
    char *dot = is_entry && wanted->picture ? strrchr(o->name, '.') : NULL;
    if (dot)
        *dot = '\0';
    return true;
}

/* Opens the audio of the scene, or records that this is to be done. */
static void follow_sound(odori_session *s)
{
    if (document_of(s)->opener->result)
        document_of(s)->opener->result->sound_follows = true;
    else
        audio_follow_scene(document_of(s)->audio, s->scene);
}

/* Closes the music of the bundled dance, or records that this is to be done. */
static void end_bundled_music(odori_session *s)
{
    if (document_of(s)->opener->result)
        document_of(s)->opener->result->music_ends = true;
    audio_shut_bundled(document_of(s)->audio);
}

/* Tests whether a file is a picture that does not say which scene it shows. */
static bool is_plain_picture(const mmd_bytes *bytes)
{
    if (!png_is(bytes->data, bytes->size))
        return false;
    char *scene = png_text_read(bytes->data, bytes->size, PROVENANCE_KEY);
    mmd_free(scene);
    return !scene;
}

/* Opens an audio file that the player plays later, when the job is done. */
static bool store_sound(open_result *r, const char *path, char *error)
{
    audio_file *sound;
    mmd_error why = {0};
    if (audio_file_open(path, &sound, &why) != MMD_OK)
        return refuse_error(error, &why, path);
    audio_file_close(r->sound);
    r->sound = sound;
    snprintf(r->sound_path, sizeof r->sound_path, "%s", path);
    return true;
}

/* Opens an audio file, which plays from the position of the scene. */
static bool open_sound(odori_session *s, const char *path, char *error)
{
    if (document_of(s)->opener->result)
        return store_sound(document_of(s)->opener->result, path, error);
    if (!document_of(s)->audio)
        return refuse(error, path, "only `play` can play audio");
    return audio_open(document_of(s)->audio, path, error);
}

/* Opens the audio of the scene of last time, and its name. */
static void go_on(odori_session *s, const last_scene *last)
{
    char why[REFUSAL_MAX];
    file_opener *o = document_of(s)->opener;
    snprintf(o->name, sizeof o->name, "%s", last->name);
    if (*last->sound && !open_sound(s, last->sound, why))
        panel_log_report(s->messages, "%s", why);
    if (o->result)
        o->result->goes_on = true;
}

/* Tests whether a path is that of the picture of the scene of last time, and reads what is known of it. */
static bool is_last(const odori_session *s, const char *path, last_scene *last)
{
    return s->remembers && last_scene_find(last) && strcmp(path, last->picture) == 0;
}

/* Opens a project, or a picture with provenance. */
static bool open_scene(odori_session *s, const char *path, char *error)
{
    last_scene last;
    recipe wanted = recipe_for(document_of(s)->opener);
    bool opened = scene_inputs_add_path(&wanted.scene.files, path)
                      ? replace_by_files(s, &wanted, path, false, error)
                      : refuse(error, path, "out of memory");
    recipe_finish(&wanted);
    if (opened)
        follow_sound(s);
    if (opened && is_last(s, path, &last))
        go_on(s, &last);
    return opened;
}

bool open_replace(odori_session *s, const recipe *files, char *error)
{
    recipe wanted = recipe_for(document_of(s)->opener);
    const char *path = files->scene.files.items[0].path;
    if (!wanted.scene.most_models)
        wanted.scene.most_models = SCENE_MODELS_MOST;
    bool replaced = recipe_add_files(&wanted, files) ? replace_by_files(s, &wanted, path, true, error)
                                                     : refuse(error, path, "out of memory");
    recipe_finish(&wanted);
    if (replaced)
        follow_sound(s);
    return replaced;
}

/* --- Adding to the scene --- */

/* Adds the accessories and the stage that were opened beside the bundled dancer to the files of a recipe. */
static bool keep_others(const odori_scene *scene, recipe *wanted)
{
    bool fits = true;
    for (size_t i = 0; fits && i < scene->model_count; i++) {
        const scene_model *m = &scene->models[i];
        if (!scene_is_present(scene, i) || (!m->is_accessory && !model_is_stage(m->model)))
            continue;
        if (m->is_accessory || wanted->scene.stage.given)
            fits = scene_inputs_add_path(&wanted->scene.files, m->path);
        else
            wanted->scene.stage = scene_input_of(m->path);
    }
    return fits;
}

/* Keeps how the bundled dancer was seen, but not her pale background and ground shadow: the setting view.look
 * decides on these. */
static void keep_view(odori_session *s, const mmd_view_options *seen)
{
    const mmd_view_options own = s->view;
    mmd_view_options look = *seen;
    stage_look_pale(document_of(s)->opener->recipe, &look);
    s->view = *seen;
    if (memcmp(look.background, seen->background, sizeof look.background) != 0)
        return; /* another background was chosen meanwhile */
    memcpy(s->view.background, own.background, sizeof own.background);
    s->view.ground_shadow = own.ground_shadow;
}

/* Replaces the bundled dancer by a model, with up to two motions. */
static bool replace_dancer(odori_session *s, const char *path, const char *const motions[2], char *error)
{
    file_opener *o = document_of(s)->opener;
    const mmd_view_options seen = s->view;
    mmd_error why = {0};
    recipe wanted = recipe_for(o);
    bool opened = scene_inputs_add_path(&wanted.scene.files, path) && keep_others(s->scene, &wanted);
    for (int i = 0; opened && i < 2; i++)
        opened = !motions[i] || scene_inputs_add_path(&wanted.scene.motions, motions[i]);
    opened = opened && replace_scene(s, &wanted, &why);
    recipe_finish(&wanted);
    if (!opened)
        return refuse_scene(error, path, &why);
    keep_view(s, &seen);
    snprintf(o->name, sizeof o->name, "%.250s", mmd_path_name(path));
    return true;
}

/* Moves a model that was just added to a free place beside the others. */
static void stand_beside(odori_session *s, size_t index)
{
    scene_model *m = &s->scene->models[index];
    mmd_staging staging = *mmd_stage_staging(s->scene->stage, index);
    m->is_beside = place_beside(s->scene, index, &m->beside);
    if (!m->is_beside)
        return;
    staging.position[0] += m->beside;
    m->beside = staging.position[0];
    mmd_stage_set_staging(s->scene->stage, index, &staging);
}

/* Makes the place that a model got beside others part of the step of undo. */
static void keep_place(odori_session *s, size_t model)
{
    mmd_staging staging = *mmd_stage_staging(s->scene->stage, model);
    double placement[7] = {[6] = (double)staging.scale};
    for (int k = 0; k < 3; k++) {
        placement[k] = (double)staging.position[k];
        placement[3 + k] = (double)staging.rotation[k] * (1 / DEGREE);
    }
    staging.position[0] = 0;
    mmd_stage_set_staging(s->scene->stage, model, &staging);
    stage_edit_place_model(s, model, placement);
}

void open_keep_models(odori_session *s, size_t from)
{
    bool all = true, joined = s->history.joins;
    for (size_t i = from; i < s->scene->model_count; i++) {
        if (!scene_is_present(s->scene, i) || (from == 0 && !s->scene->models[i].is_beside))
            continue;
        history_begin(&s->history);
        s->history.joins = true;
        all &= model_edit_add(s, i);
        if (s->scene->models[i].is_beside)
            keep_place(s, i);
    }
    s->history.joins = joined;
    if (!all)
        panel_log_report(s->messages, "out of memory: what was opened cannot be undone");
}

/* Adds a model to the scene, after its upload to the GPU has succeeded. */
static bool put_model(odori_session *s, const char *path, const mmd_model_file *file, char *error)
{
    mmd_error why = {0};
    odori_screen *screen = document_of(s)->opener->screen;
    const mmd_view_addition added = {file->model, file->textures.source, file->textures.folder,
                                     mmd_path_name(path)};
    if (screen && (!screen_complete(screen, &why) ||
                   !screen_add_models(screen->view, s->scene, true, &added, &screen->textures, &why))) {
        mmd_view_remove_model(screen->view, file->model); /* it may have been uploaded before */
        mmd_model_file_finish(&(mmd_model_file){file->model, file->textures, file->vac, file->document});
        return refuse_error(error, &why, path);
    }
    if (screen)
        tell_textures(document_of(s)->opener, &screen->textures);
    size_t index = s->scene->model_count;
    const mmd_model *model = file->model;
    const scene_model what = scene_model_of(path, file);
    if (!scene_add_model(s->scene, &what)) {
        if (screen && s->scene->model_count == index)
            mmd_view_remove_model(screen->view, model);
        return refuse(error, path, "out of memory");
    }
    s->selected = index;
    return true;
}

/* Adds a model to the scene and places it. */
static bool add_model(odori_session *s, const char *path, const mmd_model_file *file, char *error)
{
    size_t index = s->scene->model_count, before = s->selected;
    if (!put_model(s, path, file, error))
        return false;
    scene_attach_one(s->scene, index, &document_of(s)->opener->log);
    bool is_stage = model_is_stage(s->scene->models[index].model);
    if (is_stage && scene_is_present(s->scene, before))
        s->selected = before; /* the next motion is the dancer's */
    else if (!is_stage && !s->scene->models[index].is_accessory)
        s->has_chosen = true;
    stand_beside(s, index);
    if (!document_of(s)
             ->opener->result) /* a session in the background leaves it to the one that takes over */
        open_keep_models(s, index);
    session_restart(s);
    session_go(s, s->frame);
    return true;
}

/* Opens a model or accessory. In place of the bundled dancer it gets her motion and camera, unless it is an
 * interchange file. */
static bool open_model(odori_session *s, const char *path, const mmd_bytes *bytes, char *error)
{
    mmd_model_file file;
    mmd_error why = {0};
    if (mmd_model_file_parse(path, bytes, &file, &why) != MMD_OK)
        return why.code == MMD_ERROR_MAGIC
                   ? refuse(error, path,
                            "not opened: it is no model, stage, motion, pose, project or sound, and no "
                            "picture saved by odori")
                   : refuse_error(error, &why, path);
    if (!document_of(s)->opener->dancer || file.model->origin == MMD_ORIGIN_X ||
        (!file.document && model_is_stage(file.model)))
        return add_model(s, path, &file, error);
    const bundled *dancer = document_of(s)->opener->dancer;
    const char *const motions[2] = {file.document ? NULL : dancer->dance,
                                    file.document ? NULL : dancer->camera};
    mmd_model_file_finish(&file);
    return replace_dancer(s, path, motions, error);
}

/* Tests whether a file can replace a model: motions move both or neither. */
static bool can_replace(const odori_session *s, size_t model, const mmd_model_file *file, const char *path,
                        char *error)
{
    bool is_accessory = file->model->origin == MMD_ORIGIN_X;
    if (s->scene->models[model].is_accessory == is_accessory)
        return true;
    return refuse(error, path,
                  is_accessory ? "an accessory cannot replace a model"
                               : "a model cannot replace an accessory");
}

mmd_status open_read_replacement(const char *path, open_replacement *by, mmd_error *error)
{
    mmd_bytes bytes = {0};
    const mmd_log log = stderr_log(MMD_LOG_INFO);
    mmd_status status = mmd_locate_choose(path, MMD_LOCATE_MODEL, &log, by->path, error);
    if (status == MMD_OK)
        status = mmd_locate_read(by->path, &bytes, error);
    if (status == MMD_OK)
        status = mmd_model_file_parse(by->path, &bytes, &by->file, error);
    mmd_bytes_finish(&bytes);
    return status;
}

bool open_put_in_place_of(odori_session *s, size_t model, const char *path, open_replacement *by, char *error)
{
    size_t index = s->scene->model_count;
    const mmd_model_file file = by->file;
    if (!scene_is_present(s->scene, model))
        return refuse(error, path, "the model that it should replace was removed meanwhile");
    selection_cancel_drag(s);
    if (!can_replace(s, model, &file, path, error))
        return false;
    by->file = (mmd_model_file){0};
    if (!put_model(s, by->path, &file, error))
        return false;
    document_of(s)->opener->dancer = NULL;
    int32_t followed = s->follow.on && s->follow.model == model
                           ? mmd_model_find_bone(s->scene->models[index].model,
                                                 s->scene->models[model].model->bones[s->follow.bone].name)
                           : -1;
    bool replaced = model_edit_replace(s, model, index);
    if (followed >= 0)
        s->follow = (session_follow){
            true, index, (uint32_t)followed, {s->follow.offset[0], s->follow.offset[1], s->follow.offset[2]}};
    if (s->remembers)
        recent_add(path);
    s->has_chosen = true;
    session_restart(s);
    session_go(s, s->frame);
    return replaced || refuse(error, path, "out of memory");
}

bool open_in_place_of(odori_session *s, size_t model, const char *path, char *error)
{
    open_replacement by = {0};
    mmd_error why = {0};
    if (open_work_is_busy(document_of(s)->opener->work)) /* it may leave other models behind these numbers */
        return refuse_with(error, "another file is being loaded; try again when it is done");
    selection_cancel_drag(s);
    if (document_of(s)->opener->work)
        return open_work_model(document_of(s)->opener->work, model, path, error);
    if (open_read_replacement(path, &by, &why) != MMD_OK)
        return refuse_error(error, &why, path);
    bool done = open_put_in_place_of(s, model, path, &by, error);
    mmd_model_file_finish(&by.file);
    return done;
}

/* Tells that bones of a motion have no keyframe at frame 0, because MMD would begin otherwise. */
static void tell_late(odori_session *s, const char *path, const mmd_motion *motion, const mmd_model *model)
{
    uint32_t first = 0, count = key_rest_count(motion, model, &first);
    char note[256];
    if (!count)
        return;
    snprintf(
        note, sizeof note,
        "%.60s: the first keyframes of %u bone%s (from frame %u on) hold from frame 0, where MMD starts at "
        "rest; key.rest adds keyframes at rest there",
        mmd_path_name(path), count, count == 1 ? "" : "s", first);
    if (document_of(s)->opener->result)
        snprintf(document_of(s)->opener->result->note, sizeof note, "%s", note);
    else
        panel_log_tell(s->messages, "%s", note);
}

/* Counts the dancers that are no stages by their size, and finds the last of them, or else the last dancer.
 */
static size_t count_bodies(const odori_scene *scene, size_t *last)
{
    size_t count = 0;
    *last = scene_last_dancer(scene);
    for (size_t i = 0; i < scene->model_count; i++) {
        const scene_model *m = &scene->models[i];
        if (!scene_is_present(scene, i) || m->is_accessory || m->is_backdrop || model_is_stage(m->model))
            continue;
        *last = i;
        count++;
    }
    return count;
}

/* Returns the model that a motion is given to, or the number of models when there is none: the selected one,
 * unless it is an accessory, which keyframes of bones and morphs cannot move, or a stage that nobody chose;
 * else the last dancer. */
static size_t mover_of(const odori_session *s, const mmd_motion *motion)
{
    size_t at = s->selected, last;
    bool shows_only = !motion->bone_track_count && !motion->morph_track_count;
    if (scene_is_present(s->scene, at) && (!s->scene->models[at].is_accessory || shows_only) &&
        (s->has_chosen || !model_is_stage(s->scene->models[at].model)))
        return at;
    count_bodies(s->scene, &last);
    return last;
}

/* Adds a motion to the scene, for the selected dancer or for all, and for the camera, and restarts. Takes
 * ownership of the motion. */
static bool add_motion(odori_session *s, const char *path, mmd_motion *motion, char *error)
{
    size_t last, dancer = mover_of(s, motion);
    const char *lack = NULL;
    if (!mmd_motion_is_for_models(motion) && !mmd_motion_is_for_stage(motion))
        lack = "the motion has no keyframes of models, camera or light";
    else if (mmd_motion_is_for_models(motion) && dancer == s->scene->model_count)
        lack = "no model is loaded that it could move";
    if (lack) {
        mmd_motion_destroy(motion);
        return refuse(error, path, lack);
    }
    motion_report_cut(path, motion, &document_of(s)->opener->log);
    bool moves_camera = motion->camera_key_count > 0,
         is_dance = mmd_motion_is_for_models(motion) && dancer < s->scene->model_count &&
                    !s->scene->models[dancer].is_backdrop && !s->scene->models[dancer].is_accessory;
    bool moves_all = is_dance && !s->has_chosen && count_bodies(s->scene, &last) > 1;
    if (!scene_add_motion(s->scene, &(scene_motion){.path = path, .motion = motion},
                          moves_all ? EVERY_MODEL : (int64_t)dancer))
        return refuse(error, path, "out of memory");
    if (!document_of(s)->opener->motions_from)
        document_of(s)->opener->motions_from = s->scene->motion_count;
    if (is_dance)
        tell_late(s, path, motion, s->scene->models[dancer].model);
    if (!mirror_again(s->scene))
        panel_log_report(s->messages, "out of memory: the motion is not mirrored");
    if (moves_camera)
        session_set_camera(s, NULL);
    if (is_dance)
        end_bundled_music(s);
    if (document_of(s)->opener->result) {
        document_of(s)->opener->result->restarted = true;
        document_of(s)->opener->result->took_camera |= moves_camera;
    }
    session_restart(s);
    session_go(s, 0);
    return true;
}

static bool open_motion(odori_session *s, const char *path, const mmd_bytes *bytes, char *error)
{
    mmd_motion *motion;
    mmd_error why = {0};
    if (mmd_motion_file_parse(bytes, &motion, &why) != MMD_OK)
        return refuse_error(error, &why, path);
    return add_motion(s, path, motion, error);
}

void open_end_dances(odori_session *s, const file_opener *opened)
{
    dance_ending ended;
    bundled dancer;
    mmd_error ignored = {0};
    if (!opened->motions_from || !dance_edit_end_older(s, opened->motions_from - 1, &ended))
        return;
    if (ended.count == 1 && bundled_find(&dancer, &ignored) == MMD_OK &&
        strcmp(ended.path, dancer.dance) == 0)
        return; /* nobody opened that one */
    panel_log_tell(s->messages, "%.100s %s%s", mmd_path_name(ended.path),
                   ended.count > 1 ? "and older dances are off" : "is off",
                   ended.has_camera
                       ? ", with its camera: \"Motions\" on the page Models switches it on again, undo both"
                       : ": \"Motions\" on the page Models, or undo, switches it on again");
}

/* --- Edits that were recovered --- */

/* Returns the model of a file, or the number of models when it is not on the stage. */
static size_t find_model(const odori_session *s, const char *path)
{
    char wanted[MMD_FILE_PATH_MAX], own[MMD_FILE_PATH_MAX];
    size_t i = 0;
    for (; i < s->scene->model_count; i++) {
        const char *given = s->scene->models[i].path;
        bool same =
            strcmp(given, path) == 0 || (platform_path_resolve(path, wanted) &&
                                         platform_path_resolve(given, own) && strcmp(wanted, own) == 0);
        if (same && scene_is_present(s->scene, i))
            break;
    }
    return i;
}

/* Opens a motion or pose that was recovered, on the model that it belongs to: on the stage, or as it was
 * opened then.
 */
static bool open_recovered(odori_session *s, const char *path, const char *model, const mmd_bytes *bytes,
                           char *error)
{
    mmd_bytes file = {0};
    mmd_error why = {0};
    size_t at = find_model(s, model);
    if (at == s->scene->model_count && document_of(s)->opener->dancer) {
        const char *const motions[2] = {path, NULL};
        bool opened = replace_dancer(s, model, motions, error);
        if (opened)
            end_bundled_music(s);
        return opened;
    }
    if (at < s->scene->model_count) {
        s->selected = at;
        s->has_chosen = true;
    } else if (mmd_locate_read(model, &file, &why) != MMD_OK) {
        return refuse_error(error, &why, model);
    } else {
        bool opened = open_model(s, model, &file, error);
        mmd_bytes_finish(&file);
        if (!opened)
            return false;
    }
    return open_motion(s, path, bytes, error);
}

/* --- Files of any kind --- */

/* Opens a file of any kind. */
static bool open_one(odori_session *s, const char *path, char *error)
{
    if (audio_file_is_sound(path))
        return open_sound(s, path, error);
    bool opened;
    mmd_bytes bytes = {0};
    mmd_error why = {0};
    autosave_origin origin;
    if (mmd_locate_read(path, &bytes, &why) != MMD_OK)
        return refuse_error(error, &why, path);
    mmd_file_kind kind = mmd_file_detect(bytes.data, bytes.size);
    if (is_plain_picture(&bytes))
        opened = refuse(error, path, "not opened: only pictures that odori saved lead back to a scene");
    else if (kind == MMD_FILE_PMM || png_is(bytes.data, bytes.size))
        opened = open_scene(s, path, error);
    else if (kind != MMD_FILE_VMD && kind != MMD_FILE_VPD)
        opened = open_model(s, path, &bytes, error);
    else if (autosave_find_origin(path, &origin) && *origin.model && mmd_locate_is_file(origin.model))
        opened = open_recovered(s, path, origin.model, &bytes, error);
    else
        opened = open_motion(s, path, &bytes, error);
    mmd_bytes_finish(&bytes);
    return opened;
}

/* Returns whether a name is that of a motion or pose. This only decides the order, so the content is not
 * read. */
static bool is_named_motion(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcasecmp(dot, ".vmd") == 0 || strcasecmp(dot, ".vpd") == 0);
}

/* The files to open, with those of archives and folders. */
typedef struct opening {
    odori_session *session;
    text_list paths;
    text_list origins; /* for each path, the given path that it came from */
    mmd_arena arena;   /* holds the paths */
    char *error;       /* why the first one was not opened */
    bool all;          /* all were opened so far */
} opening;

/* Records the first failure, and reports further ones. */
static void fail(opening *o, const char *why)
{
    if (o->all)
        snprintf(o->error, REFUSAL_MAX, "%s", why);
    else
        panel_log_report(o->session->messages, "%s", why);
    o->all = false;
}

/* Appends the files of a path, which may be an archive or a folder. */
static void add_paths(opening *o, const char *path)
{
    size_t count;
    const char **paths;
    mmd_error error = {0};
    char why[REFUSAL_MAX];
    const mmd_log log = stderr_log(MMD_LOG_INFO);
    if (mmd_locate_sort(path, &log, &o->arena, &paths, &count, &error) != MMD_OK) {
        refuse_error(why, &error, path);
        fail(o, why);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (!text_list_add(&o->paths, paths[i]) || !text_list_add(&o->origins, path)) {
            fail(o, "out of memory");
            return;
        }
}

/* Adds an opened file to the recent ones. Of an archive or folder only that itself is added, since its files
 * would displace all others. */
static void note_opened(opening *o, size_t i)
{
    odori_session *s = o->session;
    if (document_of(s)->opener->result)
        document_of(s)->opener->result->opened++;
    last_scene last;
    if (s->remembers && !is_last(s, o->origins.items[i], &last))
        recent_add(o->origins.items[i]);
}

/* Opens the files, motions last. */
static void open_all(opening *o)
{
    char why[REFUSAL_MAX];
    for (int motions = 0; motions < 2; motions++)
        for (size_t i = 0; i < o->paths.count && i < o->origins.count; i++) {
            const char *path = o->paths.items[i];
            if (is_named_motion(path) != (motions == 1))
                continue;
            if (open_one(o->session, path, why))
                note_opened(o, i);
            else
                fail(o, why);
        }
}

/* Tests whether a path is that of a playlist. Of other texts any would be one, as every word may be a file.
 */
static bool is_playlist(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ".playlist") == 0 && mmd_locate_is_file(path);
}

bool open_files(odori_session *s, const char *const *paths, size_t count, char *error)
{
    if (count == 1 && document_of(s)->playlist && is_playlist(paths[0]))
        return playlist_open_file(s, paths[0], error);
    opening o = {.session = s, .error = error, .all = true};
    if (document_of(s)->opener->work)
        return open_work_files(document_of(s)->opener->work, paths, count, error);
    for (size_t i = 0; i < count; i++)
        add_paths(&o, paths[i]);
    document_of(s)->opener->motions_from = 0;
    history_begin(&s->history);
    bool joined = s->history.joins;
    s->history.joins = true; /* what is opened together is one step of undo */
    open_all(&o);
    if (!document_of(s)->opener->result)
        open_end_dances(s, document_of(s)->opener);
    s->history.joins = joined;
    text_list_finish(&o.paths);
    text_list_finish(&o.origins);
    mmd_arena_finish(&o.arena);
    s->changed = true;
    return o.all;
}
