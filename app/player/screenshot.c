/* Screenshots: renders the scene to a PNG file, with a chunk of provenance from which the scene can be
 * restored. */
#include "screenshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/paths.h"
#include "base/system.h"
#include "command/commands.h"
#include "document/audio.h"
#include "document/document.h"
#include "document/last.h"
#include "document/open.h"
#include "document/open_work.h"
#include "document/playlist.h"
#include "document/save.h"
#include "document/preferences.h"
#include "mmd/assemble.h"
#include "mmd/platform.h"
#include "player_internal.h"
#include "recipe/provenance.h"
#include "edit/state_lines.h"
#include "scene/presence.h"
#include "window.h"

enum { KEPT_WIDTH = 480 };    /* pixels of pictures that the program keeps for itself */
enum { NAMES_TRIED = 10000 }; /* limit of numbers in file names */

bool screenshot_may_write_in(const char *folder)
{
    char inside[MMD_FILE_PATH_MAX];
    platform_info info;
    return platform_may_write(folder) && platform_stat(path_join(inside, folder, "."), &info);
}

/* Writes the folder for pictures without a name: that of the settings, otherwise the desktop's folder for
 * pictures, otherwise "", the current folder. */
static void choose_folder(const odori_session *s, char folder[MMD_FILE_PATH_MAX])
{
    if (*s->panels.pictures)
        snprintf(folder, MMD_FILE_PATH_MAX, "%s", s->panels.pictures);
    else if (!mmd_user_folder_find("PICTURES", folder) || !screenshot_may_write_in(folder))
        folder[0] = '\0';
}

/* Replaces what cannot be part of a file name. */
static void clean_name(char *name)
{
    for (char *c = name; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = '_';
    system_name_tidy(name);
}

/* Finds a file name that is free in a folder: "miku-120.png", "miku-120-2.png" and so on. Returns false if
 * all are taken. */
static bool choose_name(const odori_session *s, const char *folder, char path[MMD_FILE_PATH_MAX])
{
    platform_info taken;
    char name[sizeof document_of(s)->opener->name];
    snprintf(name, sizeof name, "%s", document_of(s)->opener->name);
    clean_name(name);
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = '\0';
    for (int i = 1; i < NAMES_TRIED; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, "-%d", i);
        if (snprintf(path, MMD_FILE_PATH_MAX, "%s%s%s-%.0f%s.png", folder, *folder ? "/" : "", name, s->frame,
                     number) >= MMD_FILE_PATH_MAX)
            return false;
        if (!platform_stat(path, &taken))
            return true;
    }
    return false;
}

/* Tests whether the backdrop stands behind all other models, as options of `shot` load it. */
static bool is_backdrop_last(const odori_scene *scene)
{
    size_t backdrop = SIZE_MAX, last = 0;
    for (size_t i = 0; i < scene->model_count; i++) {
        if (scene_is_present(scene, i) && scene->models[i].is_backdrop)
            backdrop = mmd_stage_place(scene->stage, i);
        else if (scene_is_present(scene, i) && mmd_stage_place(scene->stage, i) > last)
            last = mmd_stage_place(scene->stage, i);
    }
    return last < backdrop;
}

/* Tests whether models were replaced, or opened after a backdrop: places are told only by the order of files.
 */
static bool has_other_places(const odori_scene *scene)
{
    for (size_t i = 0; i < scene->model_count; i++)
        if (mmd_stage_place(scene->stage, i) != i)
            return true;
    return false;
}

/* Returns why options of `shot` cannot describe the scene, as the end of a sentence; "" if they can. They
 * give a motion to all dancers or to one. */
static const char *why_not_described(const odori_scene *scene)
{
    for (size_t i = 0; i < scene->faded_count; i++)
        if (scene->faded[i].is_altered)
            return ": the dance before, which fades out, is not that of a file";
    if (!is_backdrop_last(scene))
        return ": a model was put behind the stage";
    if (has_other_places(scene) && scene->faded_count)
        return ": a dance fades out, and models are in another order than their files";
    if (has_other_places(scene) && !scene_can_omit_removed(scene))
        return ": models are in another order than their files, and the files of a removed one are needed";
    for (size_t i = 0; i < scene->motion_count && scene_count_dancers(scene) > 1; i++) {
        const scene_motion *m = &scene->motions[i];
        if (!m->moves_models && m->target < 0 && mmd_motion_is_for_models(m->motion))
            return ": models have motions of their own";
    }
    return "";
}

/* Returns the text of the provenance chunk, to be freed, or NULL when the scene cannot be described. folder
 * is that of provenance_shot. */
static char *make_provenance(const odori_session *s, picture_size size, const char *folder, bool with_fades)
{
    char *text = NULL;
    mmd_buffer exec = {0};
    mmd_error error = {0};
    provenance_files files = {0};
    const odori_scene *scene = s->scene;
    const file_opener *opener = document_of(s)->opener;
    /* Nobody else may read the textures' files before. If this fails, drawing fails too and tells why. */
    if (!screen_complete(opener->screen, &error))
        return NULL;
    /* Lines of fades count the models as the scene does. */
    bool omits = scene_can_omit_removed(scene) && !scene->faded_count;
    if (with_fades)
        state_lines_fades(s, &exec);
    bool all = omits ? state_lines_write_present(s, &exec) : state_lines_write(s, &exec);
    mmd_write_u8(&exec, '\0');
    if (!all)
        panel_log_refuse(
            s->messages,
            "too many keyframes were edited to store them in the picture: save the motion with motion.save");
    if (all && !exec.failed && !*why_not_described(scene) &&
        provenance_files_read(&files, scene, NULL, omits)) {
        const provenance_shot origin = {.files = &files,
                                        .settings = &opener->recipe->settings,
                                        .session = s,
                                        .start = s->frame,
                                        .exec = (const char *)exec.data,
                                        .size = size,
                                        .gpu = mmd_gpu_get_info(opener->screen->gpu),
                                        .textures = &opener->screen->textures,
                                        .folder = folder};
        text = provenance_write(&origin);
    }
    provenance_files_finish(&files);
    mmd_buffer_finish(&exec);
    return text;
}

/* Renders the scene with the samples of the window and writes the file. folder is that of provenance_shot. */
static bool draw(odori_session *s, picture_size size, const char *path, const char *folder)
{
    mmd_image image = {0};
    mmd_view_options before = s->view;
    s->view.samples = s->view.samples ? s->view.samples : document_of(s)->opener->samples;
    char *origin = make_provenance(s, size, folder, true);
    const mmd_image_text text = {PROVENANCE_KEY, origin};
    const screen_picture picture = {.width = size.width,
                                    .height = size.height,
                                    .path = path,
                                    .level = MMD_PNG_FAST,
                                    .texts = &text,
                                    .text_count = origin ? 1 : 0};
    bool written =
        screen_write_png(document_of(s)->opener->screen, s->scene, &s->view, &picture, &image) == EXIT_DONE;
    if (written && !origin)
        panel_log_refuse(s->messages,
                         "%s: written without provenance, so the scene cannot be opened from it%s", path,
                         why_not_described(s->scene));
    free(origin);
    mmd_image_finish(&image);
    s->view = before;
    s->changed = true;
    return written;
}

/* --- Pictures that the program keeps for itself --- */

/* Draws a small picture whose paths are absolute. Returns false if the scene cannot be described or the file
 * cannot be written. */
static bool draw_small(odori_session *s, const char *path, bool with_fades)
{
    char here[MMD_FILE_PATH_MAX];
    mmd_image image = {0};
    const gizmo_mouse_view view = player_view(s);
    const odori_screen *screen = document_of(s)->opener->screen;
    if (!screen || view.width == 0 || !platform_current_folder(here))
        return false;
    const picture_size size = {KEPT_WIDTH, (KEPT_WIDTH * view.height + view.width - 1) / view.width};
    char *origin = make_provenance(s, size, here, with_fades);
    const mmd_image_text text = {PROVENANCE_KEY, origin};
    const screen_picture picture = {.width = size.width,
                                    .height = size.height,
                                    .path = path,
                                    .texts = &text,
                                    .text_count = origin ? 1 : 0,
                                    .level = MMD_PNG_FAST};
    bool written = origin && screen_write_png(document_of(s)->opener->screen, s->scene, &s->view, &picture,
                                              &image) == EXIT_DONE;
    free(origin);
    mmd_image_finish(&image);
    s->changed = true;
    return written;
}

/* Writes the absolute path of the sound that plays; "": none plays, or it comes with the scene. */
static void find_sound(const odori_session *s, char path[MMD_FILE_PATH_MAX])
{
    char here[MMD_FILE_PATH_MAX] = "";
    const char *sound = document_of(s)->audio ? audio_path(document_of(s)->audio) : NULL;
    path[0] = '\0';
    if (!sound || !*sound || (s->scene->settings.sound && strcmp(sound, s->scene->settings.sound) == 0))
        return;
    if (!platform_path_root(sound) && !platform_current_folder(here))
        return;
    if (snprintf(path, MMD_FILE_PATH_MAX, "%s%s%s", here, *here ? "/" : "", sound) >= MMD_FILE_PATH_MAX)
        path[0] = '\0';
}

void screenshot_keep_last(odori_session *s)
{
    last_scene last = {.name = ""};
    if (document_of(s)->opener->dancer || scene_main_model(s->scene) >= s->scene->model_count)
        return;
    if (s->picture_models && !s->is_own_picture) /* a stranger's picture changes nothing that is stored */
        return;
    if (document_of(s)->saving && document_of(s)->saving->discards) /* the picture would keep the edits */
        return;
    snprintf(last.name, sizeof last.name, "%s", document_of(s)->opener->name);
    find_sound(s, last.sound);
    if (!preferences_find_state("last.png", last.picture))
        return;
    if (draw_small(s, last.picture, true))
        last_scene_note(&last);
    else
        last_scene_forget();
}

/* Returns the name of the motion that the dancers got last, or NULL. */
static const char *name_of_dance(const odori_scene *scene)
{
    for (size_t i = scene->motion_count; i > 0; i--)
        if (!scene->motions[i - 1].is_camera && mmd_motion_is_for_models(scene->motions[i - 1].motion))
            return mmd_path_name(scene->motions[i - 1].path);
    return NULL;
}

/* Copies a file name without its ending, and without what cannot be part of one. */
static void copy_stem(const char *name, char *out, size_t size)
{
    const char *dot = strrchr(name, '.');
    snprintf(out, size, "%.*s", dot && dot != name ? (int)(dot - name) : (int)strlen(name), name);
    clean_name(out);
}

bool screenshot_add_to_playlist(odori_session *s, char *error)
{
    char model[100], dance[100] = "", stem[256], path[MMD_FILE_PATH_MAX], sound[MMD_FILE_PATH_MAX];
    mmd_buffer nothing = {0};
    const char *motion = name_of_dance(s->scene);
    odori_playlist *list = document_of(s)->playlist;
    if (!s->remembers || !list || !document_of(s)->has_window)
        return refuse_with(error, "dances can only be added in a window of `play` without --no-settings");
    if (open_work_is_busy(document_of(s)->opener->work))
        return refuse_with(error, "another file is being loaded; try again when it is done");
    copy_stem(document_of(s)->opener->name, model, sizeof model);
    if (motion)
        copy_stem(motion, dance, sizeof dance);
    snprintf(stem, sizeof stem, PLAYLIST_FOLDER "/%s%s%s", model, motion ? " - " : "", dance);
    if (!preferences_write_new(stem, "png", &nothing, path))
        return refuse_with(error, "the dance cannot be kept in the state folder");
    find_sound(s, sound);
    const char *with = *sound ? sound : NULL;
    bool is_kept = draw_small(s, path, false) && playlist_add_picture(list, path, with);
    if (is_kept && !playlist_append_own(path, with)) {
        playlist_remove(list, list->count - 1);
        is_kept = false;
    }
    if (!is_kept) {
        platform_remove(path);
        return refuse_with(error, "the dance cannot be kept%s", why_not_described(s->scene));
    }
    panel_log_tell(s->messages, "%s is number %zu of the playlist", mmd_path_name(stem), list->count);
    return true;
}

bool screenshot_write(odori_session *s, const char *path, char *error)
{
    char chosen[MMD_FILE_PATH_MAX], folder[MMD_FILE_PATH_MAX] = "", here[MMD_FILE_PATH_MAX];
    const gizmo_mouse_view view = player_view(s);
    const picture_size size = {.width = view.width, .height = view.height};
    if (!document_of(s)->opener || !document_of(s)->opener->screen || size.width == 0) {
        snprintf(error, REFUSAL_MAX, "there is no window: use `play`");
        return false;
    }
    if (!s->arrived && !session_arrive(s)) { /* physics must have reached the frame */
        snprintf(error, REFUSAL_MAX, "physics is still being simulated up to frame %.0f: try again",
                 s->frame);
        return false;
    }
    if (!path)
        choose_folder(s, folder);
    if (!path && !choose_name(s, folder, chosen)) {
        snprintf(error, REFUSAL_MAX, "no file name is free for the picture: give one");
        return false;
    }
    path = path ? path : chosen;
    if (!draw(s, size, path, *folder && platform_current_folder(here) ? here : NULL)) {
        snprintf(error, REFUSAL_MAX, "%.200s: cannot be written", path);
        return false;
    }
    panel_log_tell(s->messages, "%s: picture of frame %.0f written", path, s->frame);
    return true;
}
