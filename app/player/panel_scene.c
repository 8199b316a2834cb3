#include "panel_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/system.h"
#include "command/commands.h"
#include "document/audio.h"
#include "document/bindings.h"
#include "document/chooser.h"
#include "document/document.h"
#include "document/file_page.h"
#include "document/open.h"
#include "document/open_work.h"
#include "document/save.h"
#include "mmd/elementary.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "player_internal.h"
#include "scene/fade.h"

#define MEAN_INTERVAL 0.5 /* seconds over which statistics are averaged */

void panel_scene_finish(panel_scene *p)
{
    mmd_free(p->models);
    mmd_free(p->cuts);
    file_list_finish(&p->files);
    key_view_finish(&p->sheet);
    mmd_free(p->kept);
    mmd_free(p->labels);
    mmd_free(p->dances);
    *p = (panel_scene){0};
}

/* Lists the unsaved edits of earlier runs once, when the first page is first shown. */
static void find_kept(panel_scene *p, const odori_session *s)
{
    if (p->kept || !s->remembers)
        return;
    p->kept = mmd_alloc(sizeof *p->kept * AUTOSAVE_LISTED);
    p->kept_count = p->kept ? autosave_list(p->kept) : 0;
    for (size_t i = 0; i < p->kept_count; i++)
        p->kept_paths[i] = p->kept[i];
}

/* Lists the entries of the playlist when it has changed, as many as anybody looks at. */
static void find_dances(panel_scene *p, const odori_playlist *list)
{
    enum { DANCES_SHOWN = 200 };
    size_t count = !list ? 0 : list->count < DANCES_SHOWN ? list->count : DANCES_SHOWN;
    if (!list || (p->dances_of == list->version && p->dance_count == count))
        return;
    mmd_free(p->labels);
    mmd_free(p->dances);
    p->labels = count ? mmd_alloc(count * sizeof *p->labels) : NULL;
    p->dances = count ? mmd_alloc(count * sizeof *p->dances) : NULL;
    p->dance_count = p->labels && p->dances ? count : 0;
    p->dances_of = list->version;
    for (size_t i = 0; i < p->dance_count; i++) {
        playlist_label(list, i, p->labels[i]);
        p->dances[i] = p->labels[i];
    }
}

/* Fills the playlist. */
static void fill_dances(panel_scene *p, const odori_session *s, ui_scene *out)
{
    const odori_playlist *list = document_of(s)->playlist;
    find_dances(p, list);
    out->dances = p->dances;
    out->dance_count = p->dance_count;
    out->dance = list && s->has_next ? list->at : p->dance_count;
    out->fade_seconds = s->fade_seconds;
}

void panel_scene_note_picture(panel_scene *p, const odori_session *s, double seconds)
{
    double now = clock_seconds(), passed = now - p->since;
    p->pictures++;
    p->draw_seconds += seconds;
    if (passed < MEAN_INTERVAL)
        return;
    mmd_physics_report report = mmd_stage_physics_report(s->scene->stage);
    double steps = report.step_seconds - p->steps_before, poses = report.pose_seconds - p->poses_before;
    if (p->since > 0 && passed < 10 * MEAN_INTERVAL) /* otherwise nothing was drawn for a while */
        p->statistics.fps = p->pictures / passed;
    p->statistics.draw_ms = 1000 * p->draw_seconds / p->pictures;
    p->statistics.step_ms = steps > 0 ? 1000 * steps / p->pictures : 0;
    p->statistics.pose_ms = poses > 0 ? 1000 * poses / p->pictures : 0;
    p->statistics.memory_mb = (double)system_memory_in_use() / 1048576.0;
    p->steps_before = report.step_seconds;
    p->poses_before = report.pose_seconds;
    p->since = now;
    p->draw_seconds = 0;
    p->pictures = 0;
}

/* Counts the bone keyframes in each part of the motion, relative to the largest count. The square root keeps
 * small counts visible. */
static void find_density(panel_scene *p, const odori_scene *scene, double last)
{
    float most = 0, *density = p->marks.density;
    memset(density, 0, sizeof p->marks.density);
    for (size_t m = 0; m < scene->motion_count; m++) {
        const mmd_motion *motion = scene->motions[m].motion;
        for (uint32_t t = 0; t < motion->bone_track_count; t++) {
            const mmd_bone_track *track = &motion->bone_tracks[t];
            for (uint32_t i = 0; i < track->count; i++) {
                double bin = (double)track->frames[i] / (last + 1) * UI_MARK_BINS;
                if (bin < UI_MARK_BINS)
                    density[(size_t)bin] += 1;
            }
        }
    }
    for (size_t i = 1; i < UI_MARK_BINS; i++) /* frame 0 has the initial pose of every bone */
        most = mmd_maxf(most, density[i]);
    for (size_t i = 0; i < UI_MARK_BINS && most > 0; i++)
        density[i] = sqrtf(mmd_minf(density[i] / most, 1));
}

/* Finds camera cuts: two keyframes one frame apart with different values. */
static void find_cuts(panel_scene *p, const odori_session *s)
{
    const mmd_motion *motion = session_camera_motion(s);
    mmd_free(p->cuts);
    p->cuts = motion ? mmd_alloc((motion->camera_key_count + 1) * sizeof *p->cuts) : NULL;
    p->marks.cut_count = 0;
    for (uint32_t i = 1; p->cuts && i < motion->camera_key_count; i++) {
        const mmd_camera_key *a = &motion->camera_keys[i - 1], *b = &motion->camera_keys[i];
        bool same = a->value.distance == b->value.distance && a->value.fov == b->value.fov &&
                    memcmp(a->value.position, b->value.position, sizeof a->value.position) == 0 &&
                    memcmp(a->value.rotation, b->value.rotation, sizeof a->value.rotation) == 0;
        if (b->frame == a->frame + 1 && !same)
            p->cuts[p->marks.cut_count++] = b->frame;
    }
    p->marks.cuts = p->cuts;
}

/* Computes the marks of the timeline again if the motions have changed. */
static void update_marks(panel_scene *p, const odori_session *s, double last)
{
    const odori_scene *scene = s->scene;
    size_t count = scene->motion_count;
    size_t of[3] = {count, count ? (size_t)scene->motions[0].motion : 0,
                    count ? (size_t)scene->motions[count - 1].motion : 0};
    if (memcmp(of, p->marks_of, sizeof of) == 0 && p->marks_last == last)
        return;
    memcpy(p->marks_of, of, sizeof of);
    p->marks_last = last;
    find_density(p, scene, last);
    find_cuts(p, s);
}

/* Returns the name that the user gave a model; NULL: none. */
static const char *name_by_hand(const odori_scene *scene, size_t model)
{
    const char *name = mmd_stage_name(scene->stage, model);
    return strcmp(name, scene->models[model].model->name) == 0 ? NULL : name;
}

/* Fills the list of models. Returns false when out of memory. */
static bool fill_models(panel_scene *p, const odori_session *s, ui_scene *out)
{
    const odori_scene *scene = s->scene;
    if (scene->model_count > p->model_room) {
        ui_model *grown = mmd_realloc(p->models, scene->model_count * sizeof *grown);
        if (!grown)
            return false;
        p->models = grown;
        p->model_room = scene->model_count;
    }
    for (size_t i = 0; i < scene->model_count; i++)
        p->models[i] = (ui_model){.model = scene->models[i].model,
                                  .title = mmd_path_name(scene->models[i].path),
                                  .given_name = name_by_hand(scene, i),
                                  .is_removed = !scene_is_present(scene, i),
                                  .staging = *mmd_stage_staging(scene->stage, i)};
    out->models = p->models;
    out->model_count = scene->model_count;
    out->selected = s->selected;
    return true;
}

/* Fills the motions of the selected model. */
static void fill_motions(panel_scene *p, const odori_session *s, ui_scene *out)
{
    size_t slot, count, listed = 0;
    const mmd_actor_motion *motions = mmd_actor_motions(s->scene->models[s->selected].actor, &count);
    while (listed < UI_MOTIONS_MAX && fade_find_motion(s->scene, s->selected, listed, &slot)) {
        p->motions[listed] =
            (ui_motion){fade_motion_name(s->scene, s->selected, listed), motions[slot].weight};
        listed++;
    }
    out->motions = p->motions;
    out->motion_count = listed;
}

/* Fills the statistics: averages, the last frame, and sizes of all models. */
static void fill_statistics(panel_scene *p, const odori_scene *scene, const odori_screen *screen,
                            ui_scene *out)
{
    mmd_view_statistics drawn = mmd_view_get_statistics(screen->view);
    ui_statistics *s = &out->statistics;
    *s = p->statistics;
    s->draw_calls = drawn.draw_calls;
    s->upload_us = drawn.upload_us;
    memcpy(s->pass_us, drawn.pass_us, sizeof s->pass_us);
    s->renderer = mmd_gpu_get_info(screen->gpu)->renderer;
    for (size_t i = 0; i < scene->model_count; i++) {
        if (!scene_is_present(scene, i))
            continue;
        const mmd_model *model = scene->models[i].model;
        const mmd_physscene *bodies = mmd_stage_physscene(scene->stage, i);
        s->bodies += bodies ? bodies->body_count : model->body_count;
        s->joints += bodies ? bodies->joint_count : model->joint_count;
        s->vertices += model->vertices.count;
        s->triangles += model->index_count / 3;
    }
}

/* Fills what the pages of files show, and the list of what is unsaved. */
static void fill_files(panel_scene *p, const odori_session *s, const odori_screen *screen, ui_scene *out)
{
    if (((s->panels.shown && s->panels.page == PANEL_MODELS) || s->panels.first) &&
        !open_work_is_busy(document_of(s)->opener ? document_of(s)->opener->work : NULL) &&
        screen_is_complete(screen)) {
        file_list_follow(&p->files, s);
        out->files = p->files.paths;
        out->file_count = p->files.count;
        out->files_beside = p->files.beside;
    }
    out->page = document_of(s)->page;
    out->saving = document_of(s)->saving;
    out->has_dialog = out->saving && out->saving->shown && chooser_is_likely(document_of(s)->chooser);
    if (s->panels.first)
        find_kept(p, s);
    if (s->panels.first && !p->looked_for_last && s->remembers && !last_scene_find(&p->last))
        p->last.name[0] = '\0';
    p->looked_for_last |= s->panels.first;
    out->last = *p->last.name ? p->last.name : NULL;
    out->last_path = p->last.picture;
    fill_dances(p, s, out);
    out->kept = p->kept_paths;
    out->kept_count = p->kept_count;
    out->trouble = document_of(s)->trouble;
}

bool panel_scene_fill(panel_scene *p, odori_session *s, const odori_screen *screen, ui_scene *out)
{
    const odori_scene *scene = s->scene;
    double last = session_last_frame(s);
    update_marks(p, s, last);
    *out = (ui_scene){.settings = &s->panels,
                      .name = document_of(s)->opener ? document_of(s)->opener->name : "",
                      .frame = s->frame,
                      .last_frame = last,
                      .at = s->simulated_to < s->frame ? s->simulated_to : mmd_stage_frame(scene->stage),
                      .speed = s->speed,
                      .repeat_from = s->transport.a,
                      .repeat_to = s->transport.b,
                      .playing = s->playing,
                      .arrived = s->arrived,
                      .marks = p->marks,
                      .physics = mmd_stage_physics(scene->stage) != NULL,
                      .ground = scene->physics_now.ground,
                      .view = s->view,
                      .light = *mmd_stage_light(scene->stage),
                      .refused = s->refused,
                      .bindings = s->lists_bindings ? document_of(s)->bindings : NULL,
                      .active_keys = document_of(s)->bindings,
                      .keys = document_of(s)->bindings ? (int)document_of(s)->bindings->set : 0,
                      .left_turns = s->preset == INPUT_LEFT,
                      .inspection = player_inspection(s),
                      .has_sound = document_of(s)->audio != NULL,
                      .sounds = document_of(s)->audio && *audio_path(document_of(s)->audio),
                      .is_muted = document_of(s)->audio && audio_is_muted(document_of(s)->audio),
                      .volume = document_of(s)->audio ? audio_volume(document_of(s)->audio) : 1,
                      .sound_offset = document_of(s)->audio ? audio_offset(document_of(s)->audio) : 0};
    fill_files(p, s, screen, out);
    if (s->panels.sheet && key_view_gather(&p->sheet, s))
        out->sheet = &p->sheet;
    if (document_of(s)->opener)
        open_work_progress(document_of(s)->opener->work, &out->loading, &out->loading_name);
    memcpy(out->gravity, scene->physics_now.gravity, sizeof out->gravity);
    if (mmd_stage_has_gravity_keys(scene->stage))
        mmd_stage_gravity_at(scene->stage, mmd_stage_frame(scene->stage), out->gravity);
    if (s->selected < scene->model_count) {
        mmd_actor *actor = scene->models[s->selected].actor;
        out->weights = mmd_actor_values(actor)->weights;
        out->by_hand = mmd_actor_morphs_by_hand(actor);
        out->bones = mmd_pose_world(mmd_actor_pose(actor));
        out->hidden = mmd_actor_hidden(actor);
        fill_motions(p, s, out);
    }
    fill_statistics(p, scene, screen, out);
    if (s->messages) {
        out->log_count = panel_log_messages(s->messages, p->log);
        out->log = p->log;
    }
    return fill_models(p, s, out);
}
