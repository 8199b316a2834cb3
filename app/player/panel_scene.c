/* A snapshot for panels: pointers to what the scene has anyway; counted here are marks of the timeline, once
 * a scene, and what pictures cost, twice a second. */
#include "panel_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "document/audio.h"
#include "base/clock.h"
#include "document/document.h"
#include "document/open_work.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "document/open.h"
#include "player_internal.h"

#define MOMENT 0.5 /* seconds that statistics are means of */

void panel_scene_finish(panel_scene *p)
{
    mmd_free(p->models);
    mmd_free(p->cuts);
    file_list_finish(&p->files);
    key_view_finish(&p->sheet);
    *p = (panel_scene){0};
}

static double memory_mb(void)
{
    unsigned long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%lu %lu", &all, &resident) != 2)
        resident = 0;
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1048576.0;
}

void panel_scene_note_picture(panel_scene *p, const odori_session *s, double seconds)
{
    double now = clock_seconds(), passed = now - p->since;
    p->pictures++;
    p->draw_seconds += seconds;
    if (passed < MOMENT)
        return;
    mmd_physics_report report = mmd_stage_physics_report(s->scene->stage);
    double steps = report.step_seconds - p->steps_before, poses = report.pose_seconds - p->poses_before;
    if (p->since > 0 && passed < 10 * MOMENT) /* else it has rested */
        p->statistics.fps = p->pictures / passed;
    p->statistics.draw_ms = 1000 * p->draw_seconds / p->pictures;
    p->statistics.step_ms = steps > 0 ? 1000 * steps / p->pictures : 0;
    p->statistics.pose_ms = poses > 0 ? 1000 * poses / p->pictures : 0;
    p->statistics.memory_mb = memory_mb();
    p->steps_before = report.step_seconds;
    p->poses_before = report.pose_seconds;
    p->since = now;
    p->draw_seconds = 0;
    p->pictures = 0;
}

static void count_keys(ui_marks *marks, const uint32_t *frames, uint32_t count, double last)
{
    for (uint32_t i = 0; i < count; i++) {
        double bin = (double)frames[i] / (last + 1) * UI_MARK_BINS;
        if (bin < UI_MARK_BINS)
            marks->density[(size_t)bin] += 1;
    }
}

/* The busiest part is as high as there is room; the root keeps the calm ones in sight. */
static void find_density(panel_scene *p, const odori_scene *scene, double last)
{
    float most = 0;
    memset(p->marks.density, 0, sizeof p->marks.density);
    for (size_t m = 0; m < scene->motion_count; m++) {
        const mmd_motion *motion = scene->motions[m].motion;
        for (uint32_t t = 0; t < motion->bone_track_count; t++)
            count_keys(&p->marks, motion->bone_tracks[t].frames, motion->bone_tracks[t].count, last);
    }
    for (size_t i = 1; i < UI_MARK_BINS; i++) /* what stands at frame 0 is the start, not the dance */
        most = fmaxf(most, p->marks.density[i]);
    for (size_t i = 0; i < UI_MARK_BINS && most > 0; i++)
        p->marks.density[i] = sqrtf(fminf(p->marks.density[i] / most, 1));
}

/* A cut: keys a frame apart that say something else. */
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
                                  .staging = *mmd_stage_staging(scene->stage, i)};
    out->models = p->models;
    out->model_count = scene->model_count;
    out->selected = s->selected;
    return true;
}

static void fill_selected(const odori_session *s, ui_scene *out)
{
    if (s->selected >= s->scene->model_count)
        return;
    mmd_actor *actor = s->scene->models[s->selected].actor;
    out->weights = mmd_actor_values(actor)->weights;
    if (s->selected < s->history.weight_count)
        out->by_hand = s->history.weights_by_hand[s->selected];
    out->bones = mmd_pose_world(mmd_actor_pose(actor));
    out->hidden = mmd_actor_hidden(actor);
}

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
        const mmd_model *model = scene->models[i].model;
        const mmd_physscene *bodies = mmd_stage_physscene(scene->stage, i);
        s->bodies += bodies ? bodies->body_count : model->body_count;
        s->joints += bodies ? bodies->joint_count : model->joint_count;
        s->vertices += model->vertices.count;
        s->triangles += model->index_count / 3;
    }
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
                      .bindings = s->lists_keys ? document_of(s)->bindings : NULL,
                      .left_turns = s->preset == INPUT_LEFT,
                      .inspection = player_inspection(s),
                      .has_sound = document_of(s)->audio != NULL,
                      .volume = document_of(s)->audio ? audio_volume(document_of(s)->audio) : 1,
                      .sound_offset = document_of(s)->audio ? audio_offset(document_of(s)->audio) : 0};
    if (s->panels.shown && s->panels.page == PANEL_MODELS &&
        !open_work_is_busy(document_of(s)->opener ? document_of(s)->opener->work : NULL)) {
        file_list_follow(&p->files, s);
        out->files = p->files.paths;
        out->file_count = p->files.count;
        out->files_beside = p->files.beside;
    }
    if (s->panels.sheet && key_view_gather(&p->sheet, s))
        out->sheet = &p->sheet;
    if (document_of(s)->opener)
        open_work_tell(document_of(s)->opener->work, &out->loading, &out->loading_name);
    memcpy(out->gravity, scene->physics_now.gravity, sizeof out->gravity);
    if (mmd_stage_has_gravity_keys(scene->stage))
        mmd_stage_gravity_at(scene->stage, mmd_stage_frame(scene->stage), out->gravity);
    fill_selected(s, out);
    fill_statistics(p, scene, screen, out);
    if (s->messages) {
        if (document_of(s)->opener && document_of(s)->opener->trouble[0])
            panel_log_add(s->messages, document_of(s)->opener->trouble);
        out->log_count = panel_log_lines(s->messages, p->log);
        out->log = p->log;
    }
    return fill_models(p, s, out);
}
