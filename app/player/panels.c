/* Connects the panels with the window: passes events to them, fills the snapshot that they show from the
 * session, and runs the command lines that they return. */
#include "panels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "command/commands.h"
#include "document/audio.h"
#include "document/autosave.h"
#include "document/bindings.h"
#include "document/chooser.h"
#include "document/document.h"
#include "document/file_list.h"
#include "document/file_page.h"
#include "document/last.h"
#include "document/playlist.h"
#include "document/open.h"
#include "document/open_work.h"
#include "document/save.h"
#include "edit/gizmo.h"
#include "edit/refusals.h"
#include "edit/session.h"
#include "file_pictures.h"
#include "gizmo_mouse.h"
#include "gizmo_pick.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "player_internal.h"
#include "recipe/draw.h"
#include "scene/fade.h"
#include "ui/edit.h"
#include "ui/key_view.h"
#include "ui/ui.h"
#include "window_internal.h"

/* A line that the panels have cut is too long to be taken for another one. */
_Static_assert(UI_LINE_MAX > COMMAND_LINE_MAX + 1, "lines that were cut must be refused");

#define GREET_TIME    6.0  /* seconds for which the timeline and a hint are shown when the player opens */
#define HIDE_DELAY    2.0  /* seconds until the timeline hides while the pointer rests */
#define MEAN_INTERVAL 0.5  /* seconds over which statistics are averaged */
#define BAR_REACH     48.0 /* points above the timeline from which a pointer in full screen shows it */

/* --- The snapshot of the session. It points to data of the scene. Only the marks of the timeline (once for
 * each scene) and the statistics (twice a second) are computed. --- */

/* Zero-initialise. */
typedef struct panel_scene {
    ui_model *models;
    ui_motion motions[UI_MOTIONS_MAX]; /* of the selected model */
    size_t model_room;
    /* Marks of the timeline, and what they were computed from. */
    ui_marks marks;
    uint32_t *cuts;
    size_t marks_of[3]; /* number of motions, addresses of the first and the last one */
    double marks_last;  /* last frame */
    /* Statistics of the present interval. */
    double since, draw_seconds;        /* its start, seconds spent drawing */
    unsigned pictures;                 /* frames drawn */
    double steps_before, poses_before; /* totals of physics at its start */
    ui_statistics statistics;
    panel_message log[PANEL_LOG_LINES];
    file_list files;
    key_view sheet;
    char (*kept)[PATH_MAX]; /* for the first page */
    const char *kept_paths[AUTOSAVE_LISTED];
    size_t kept_count;
    last_scene last; /* for the first page; name "": none */
    bool looked_for_last;
    char (*labels)[PLAYLIST_LABEL_MAX]; /* of the entries of the playlist, and pointers to them */
    const char **dances;
    size_t dance_count;
    unsigned dances_of; /* version of the playlist */
} panel_scene;

static void panel_scene_finish(panel_scene *p)
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

/* Returns the resident memory of the process in MiB, or 0 when it is not known. */
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

/* Counts a frame that took `seconds` to draw, and updates the statistics at the end of an interval. */
static void panel_scene_note_picture(panel_scene *p, const odori_session *s, double seconds)
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
    p->statistics.memory_mb = memory_mb();
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
        most = fmaxf(most, density[i]);
    for (size_t i = 0; i < UI_MARK_BINS && most > 0; i++)
        density[i] = sqrtf(fminf(density[i] / most, 1));
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
static void fill_files(panel_scene *p, const odori_session *s, ui_scene *out)
{
    if (((s->panels.shown && s->panels.page == PANEL_MODELS) || s->panels.first) &&
        !open_work_is_busy(document_of(s)->opener ? document_of(s)->opener->work : NULL)) {
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

/* Fills the snapshot. Its pointers are valid until the session changes. Returns false when out of memory. */
static bool panel_scene_fill(panel_scene *p, odori_session *s, const odori_screen *screen, ui_scene *out)
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
    fill_files(p, s, out);
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
        if (s->selected < s->history.weight_count)
            out->by_hand = s->history.weights_by_hand[s->selected];
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

/* --- The snapshot of the selection: strokes of the gizmo, marks of selected items, and their numbers. --- */

/* Computes the world position of a bone's tail: another bone, or an offset. Returns false when it has none.
 */
static bool find_tail(const odori_session *s, mmd_item item, double tail[3])
{
    const mmd_model *model = s->scene->models[item.model].model;
    const mmd_bone *bone = &model->bones[item.index];
    if (bone->flags & MMD_BONE_TAIL_IS_BONE) {
        if (bone->tail_bone >= 0)
            gizmo_bone_position(s, item.model, (uint32_t)bone->tail_bone, tail);
        return bone->tail_bone >= 0;
    }
    double own[16], offset[3];
    for (int k = 0; k < 3; k++)
        offset[k] = (double)bone->tail_offset[k];
    mmd_edit_inclusive(s->history.edit, item, own);
    gizmo_transform(own, offset, tail);
    return gizmo_length(offset) > 0;
}

/* Appends the mark of an item, unless it is outside of the window or has no position. */
static void add_target(const odori_session *s, const gizmo_camera *camera, mmd_item item, ui_edit *out)
{
    ui_target *t = &out->targets[out->target_count];
    gizmo_placement place;
    double at[2], tail[3];
    if (out->target_count == UI_TARGETS_MAX || item.kind == MMD_ITEM_CAMERA || item.kind == MMD_ITEM_LIGHT ||
        !gizmo_placement_of(s->history.edit, item, &place) || !gizmo_project(camera, place.origin, at))
        return;
    *t = (ui_target){.x = (float)at[0], .y = (float)at[1]};
    if (item.kind == MMD_ITEM_BONE && find_tail(s, item, tail) && gizmo_project(camera, tail, at)) {
        t->has_tail = true;
        t->tail_x = (float)at[0];
        t->tail_y = (float)at[1];
    }
    out->target_count++;
}

/* Fills the marks of selected items and of the bone under the pointer. */
static void fill_targets(odori_session *s, const gizmo_mouse_view *view, ui_edit *out)
{
    const odori_selection *selection = &s->selection;
    gizmo_camera camera = gizmo_mouse_camera(s, view);
    mmd_item item;
    for (size_t i = 0; i < selection->count; i++) {
        size_t before = out->target_count;
        add_target(s, &camera, selection->items[i], out);
        if (out->target_count > before)
            out->targets[before].is_last = i + 1 == selection->count;
    }
    if (!selection->is_near || selection->drag.on || out->hovered != GIZMO_NO_HANDLE ||
        !gizmo_pick_mark(s, view, selection->pointer, &item))
        return;
    size_t before = out->target_count;
    add_target(s, &camera, item, out);
    if (out->target_count > before)
        out->targets[before].is_hover = true;
    const mmd_bone *bone = &s->scene->models[item.model].model->bones[item.index];
    snprintf(out->name, sizeof out->name, "%.200s%s%.200s", bone->name, *bone->name_en ? "  " : "",
             bone->name_en);
}

/* Fills the icon of the light. */
static void fill_sun(const odori_session *s, const gizmo_mouse_view *view, ui_edit *out)
{
    const odori_selection *selection = &s->selection;
    double sun[2], end[2], *at = (double *)selection->pointer;
    out->has_sun = gizmo_mouse_sun(s, view, sun, end);
    if (!out->has_sun)
        return;
    for (int k = 0; k < 2; k++) {
        out->sun[k] = (float)sun[k];
        out->sun_end[k] = (float)end[k];
    }
    out->sun_selected = selection_has(selection, (mmd_item){.kind = MMD_ITEM_LIGHT});
    out->sun_hovered = selection->is_near && !selection->drag.on &&
                       hypot(at[0] - sun[0], at[1] - sun[1]) < GIZMO_SUN_REACH * view->point;
}

/* Fills the strokes of the gizmo, or the reason why there is none. */
static void fill_gizmo(odori_session *s, const gizmo_mouse_view *view, ui_edit *out)
{
    const odori_selection *selection = &s->selection;
    gizmo g;
    mmd_item item;
    const char *why;
    out->drags = selection->drag.on;
    fill_sun(s, view, out);
    if (!gizmo_mouse_gizmo(s, view, &g, &item, &why)) {
        const key_bindings *keys = document_of(s)->bindings;
        refusal_offer(s, why, keys ? bindings_key_of(keys, "edit.controller") : NULL, out->hint,
                      sizeof out->hint);
        return;
    }
    /* Dragging the camera would move its own gizmo in the window, so that stays where the drag began. */
    for (size_t i = 0; selection->drag.on && i < selection->drag.hold.count; i++)
        if (selection->drag.hold.grips[i].item.kind == MMD_ITEM_CAMERA)
            g = selection->drag.drag.seen;
    snprintf(out->hint, sizeof out->hint, "%s", selection->trouble[0] ? selection->trouble_shown : "");
    out->stroke_count = gizmo_strokes(&g, out->strokes);
    for (int k = 0; k < 2; k++)
        out->center[k] = (float)g.center[k];
    if (selection->drag.on) {
        out->hovered = selection->drag.drag.handle;
        gizmo_drag_shape(&selection->drag.drag, &selection->drag.change, &out->shape);
        if (out->hint[0] && !selection->drag.hold.changed)
            out->shape.count =
                0; /* everything was refused: shows the reason, not an angle by which nothing has turned */
        else
            gizmo_mouse_label(s, out->label, sizeof out->label);
    } else if (selection->is_near) {
        out->hovered = gizmo_hit(&g, selection->pointer);
    }
}

/* Fills a component of the Edit page. No reason is given for components that items of a kind never have. */
static void fill_component(const odori_session *s, mmd_item item, mmd_component component, ui_component *out)
{
    mmd_edit *edit = s->history.edit;
    static const mmd_edit_hint hints[] = {MMD_HINT_TRANSLATE, MMD_HINT_ROTATE, MMD_HINT_SCALE};
    mmd_transform3d *object = mmd_edit_edit_transform3d(edit, item, hints[component]);
    out->is_there = object && mmd_transform3d_get(edit, object, component, out->values);
    if (out->is_there && item.kind == MMD_ITEM_CAMERA && component == MMD_ROTATION)
        gizmo_camera_angles(edit, out->values);
    for (int k = 0; out->is_there && k < 3; k++)
        out->values[k] += 0.0; /* turns -0 into 0 */
    bool never = component == MMD_SCALE && (item.kind == MMD_ITEM_BONE || item.kind == MMD_ITEM_JOINT);
    never |= item.kind == MMD_ITEM_LIGHT && component != MMD_TRANSLATION;
    if (!object && !never)
        refusal_translate(s, mmd_edit_refusal(edit), out->refusal, sizeof out->refusal);
    mmd_transform3d_destroy(object);
}

/* Fills what only the Edit page shows. */
static void fill_page(odori_session *s, ui_edit *out)
{
    const odori_selection *selection = &s->selection;
    mmd_edit *edit = s->history.edit;
    out->mode = selection->mode;
    out->space = selection->space;
    out->snap = selection->snap;
    out->snaps = selection->snaps;
    out->mirrors = selection->mirrors;
    out->common = selection->common;
    out->undo = edit ? mmd_edit_undo_label(edit) : NULL;
    out->redo = edit ? mmd_edit_redo_label(edit) : NULL;
    if (!edit || !selection->count)
        return;
    mmd_item last = selection->items[selection->count - 1];
    mmd_edit_path(edit, last, out->path, sizeof out->path);
    out->controls = refusal_controller(s, last, out->controller, sizeof out->controller);
    for (mmd_component c = MMD_TRANSLATION; c <= MMD_SCALE; c++)
        fill_component(s, last, c, &out->components[c]);
}

/* Fills the snapshot of the selection for a window of this size. Its labels are valid until the next edit. */
static void fill_edit(odori_session *s, const gizmo_mouse_view *view, ui_edit *out)
{
    bool is_open = s->panels.shown && s->panels.page == PANEL_EDIT;
    *out = (ui_edit){.is_seen = s->selection.count > 0 || s->view.show_bones || is_open};
    if (out->is_seen && selection_edit(s)) {
        fill_gizmo(s, view, out);
        fill_targets(s, view, out);
    }
    out->count = s->selection.count;
    out->items = s->selection.items;
    if (out->count)
        out->item = out->items[out->count - 1];
    if (is_open)
        fill_page(s, out);
}

/* --- The panels --- */

struct odori_panels {
    odori_window *window;
    odori_session *session;
    odori_screen *screen;
    odori_ui *ui;           /* NULL: not created yet */
    bool has_failed;        /* creating it has failed, and is not tried again */
    bool is_inside;         /* the pointer is in the window and has moved there */
    bool was_timeline;      /* the last frame had the timeline */
    bool was_shown;         /* the last frame had panels or overlays */
    bool was_loading;       /* the last frame had the progress bar */
    bool has_drawn;         /* there was a frame: the panels are created after it, to show it soon */
    double greets_until;    /* time when the greeting ends; 0: it has not begun */
    unsigned toasts;        /* panel_log_changes at the last frame */
    bool was_toasts;        /* the last frame had messages over the picture */
    double x, y;            /* pointer, in screen coordinates */
    double moved;           /* time when it moved last */
    bool known;             /* x and y are valid */
    mmd_gpu_target picture; /* copy of the scene without panels, used while it does not change */
    uint32_t width, height; /* of the last frame, pixels */
    bool has_picture;       /* the copy is up to date */
    bool cannot_keep;       /* the driver cannot copy from the window */
    ui_cursor cursor;
    GLFWcursor *cursors[UI_CURSORS]; /* NULL: the usual one; GLFW destroys them */
    panel_scene scene;
    ui_edit edit;
    file_pictures files; /* of the page of files */
    bool has_news;       /* some have come since the last frame */
};

static bool is_running(const odori_session *s)
{
    return s->playing && session_last_frame(s) > 0;
}

/* Returns whether the pointer is near the lower edge of the window. */
static bool is_at_bottom(const odori_panels *p)
{
    double at[2];
    const panel_settings *settings = &p->session->panels;
    const ui_layout layout = window_layout(p->window, settings);
    window_pointer(p->window, p->x, p->y, at);
    return at[1] >= layout.bar.y - BAR_REACH * window_point(p->window, settings);
}

/* Returns whether the timeline is shown because the player has just been opened. */
static bool wants_greeting(const odori_panels *p)
{
    const panel_settings *settings = &p->session->panels;
    return settings->greets && p->has_drawn && !settings->first && !settings->full &&
           (p->greets_until <= 0 || clock_seconds() < p->greets_until);
}

/* Starts the time of the greeting when it is first shown, and ends it. A hint that was shown to the end
 * counts. */
static void greet(odori_panels *p)
{
    panel_settings *settings = &p->session->panels;
    const double now = clock_seconds();
    if (p->greets_until <= 0 && wants_greeting(p))
        p->greets_until = now + GREET_TIME;
    if (!settings->greets || p->greets_until <= 0 || now < p->greets_until)
        return;
    settings->greets = false;
    settings->hints -= settings->hints > 0;
}

/* Returns whether the timeline is shown: in the first seconds, and while the pointer is in the window, in
 * full screen only at its lower edge, and during playback only shortly after a move. */
static bool wants_timeline(const odori_panels *p)
{
    bool pointed = p->is_inside && (!is_running(p->session) || clock_seconds() - p->moved < HIDE_DELAY) &&
                   (!p->session->panels.full || is_at_bottom(p));
    return !p->session->panels.hides_timeline && (pointed || wants_greeting(p));
}

/* Returns whether the progress bar is shown. It is only drawn when the panels exist already, because creating
 * them takes longer than loading most files. The title shows the progress too. */
static bool wants_loading(const odori_panels *p)
{
    return p->ui && document_of(p->session)->opener &&
           open_work_is_busy(document_of(p->session)->opener->work);
}

/* Returns whether there are messages to show over the picture. */
static bool wants_toasts(const odori_panels *p)
{
    panel_message all[PANEL_LOG_LINES];
    const odori_session *s = p->session;
    bool any = false;
    size_t count = s->messages && !s->panels.hides_toasts ? panel_log_messages(s->messages, all) : 0;
    for (size_t i = 0; i < count; i++)
        any = any || all[i].is_open;
    return any;
}

/* Returns whether messages over the picture have come or gone since the last frame. */
static bool has_new_toasts(const odori_panels *p)
{
    const odori_session *s = p->session;
    return s->messages && !s->panels.hides_toasts && panel_log_changes(s->messages) != p->toasts;
}

double panels_wait(const odori_panels *p)
{
    bool has_any = p && p->session->messages && !p->session->panels.hides_toasts;
    double greeting =
        p && wants_greeting(p) && p->greets_until > 0 ? p->greets_until - clock_seconds() : INFINITY;
    return fmin(fmax(greeting, 0),
                has_any ? panel_log_expire(p->session->messages, clock_seconds()) : INFINITY);
}

/* Returns whether panels or overlays are shown. */
static bool wants_panels(const odori_session *s)
{
    return s->panels.shown || s->panels.sheet || s->panels.first || s->lists_bindings ||
           player_inspection(s) || s->selection.count || s->view.show_bones ||
           (document_of(s)->saving && document_of(s)->saving->shown) ||
           (document_of(s)->page && document_of(s)->page->shown);
}

/* Returns whether the pointer is on the panels. */
static bool covers(const odori_panels *p)
{
    double at[2];
    window_pointer(p->window, p->x, p->y, at);
    return p->ui && (p->was_timeline || p->was_shown || p->was_toasts) && ui_has_pointer(p->ui, at[0], at[1]);
}

static odori_panels *panels_of(GLFWwindow *handle)
{
    odori_window *window = glfwGetWindowUserPointer(handle);
    return window->input.panels;
}

static void on_character(GLFWwindow *handle, unsigned character)
{
    odori_panels *p = panels_of(handle);
    if (p && p->ui && ui_has_keys(p->ui))
        ui_on_character(p->ui, character);
}

static void on_enter(GLFWwindow *handle, int entered)
{
    odori_panels *p = panels_of(handle);
    if (!p || entered)
        return;
    p->is_inside = false;
    if (p->ui)
        ui_on_move(p->ui, -1, -1);
}

odori_panels *panels_create(odori_window *window, odori_session *session, odori_screen *screen)
{
    odori_panels *p = mmd_alloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (odori_panels){.window = window, .session = session, .screen = screen};
    window->input.panels = p;
    glfwSetCharCallback(window->handle, on_character);
    glfwSetCursorEnterCallback(window->handle, on_enter);
    return p;
}

void panels_destroy(odori_panels *p)
{
    if (!p)
        return;
    p->window->input.panels = NULL;
    glfwSetCharCallback(p->window->handle, NULL);
    glfwSetCursorEnterCallback(p->window->handle, NULL);
    ui_destroy(p->ui);
    file_pictures_finish(&p->files, p->screen->gpu);
    mmd_gpu_target_finish(p->screen->gpu, &p->picture);
    panel_scene_finish(&p->scene);
    mmd_free(p);
}

void panels_poll(odori_panels *p)
{
    if (p)
        p->has_news |= file_pictures_follow(&p->files, document_of(p->session)->page, p->screen->gpu);
}

bool panels_want_picture(const odori_panels *p)
{
    if (!p)
        return false;
    panels_wait(p); /* closes messages whose time is over */
    bool timeline = wants_timeline(p), shown = wants_panels(p->session);
    bool is_to_keep = !p->has_picture && !p->cannot_keep && !is_running(p->session);
    return timeline != p->was_timeline || shown != p->was_shown || wants_loading(p) || p->was_loading ||
           has_new_toasts(p) || (shown && p->has_news) ||
           ((timeline || shown || p->was_toasts) && p->ui && (is_to_keep || ui_is_unsettled(p->ui)));
}

static const char *get_clipboard(void *user)
{
    return glfwGetClipboardString(user);
}

static void set_clipboard(void *user, const char *text)
{
    glfwSetClipboardString(user, text);
}

static ui_display display_of(const odori_panels *p)
{
    ui_display display = {.seconds = clock_seconds(),
                          .timeline = wants_timeline(p),
                          .user = p->window->handle,
                          .get_clipboard = get_clipboard,
                          .set_clipboard = set_clipboard};
    window_pixels(p->window, &display.width, &display.height);
    display.scale = window_point(p->window, &p->session->panels);
    display.layout = window_layout(p->window, &p->session->panels);
    return display;
}

/* Gives the picture the whole window, since panels cannot be drawn. */
static void give_up(odori_panels *p)
{
    panel_settings *settings = &p->session->panels;
    message("the panels cannot be drawn: out of memory, or OpenGL does not support them");
    settings->shown = settings->sheet = false;
    window_follow_layout(p->window, p->session);
}

/* Sets the shape of the mouse pointer. */
static void show_cursor(odori_panels *p, ui_cursor wanted)
{
    static const int shapes[UI_CURSORS] = {
        [UI_CURSOR_ACROSS] = GLFW_HRESIZE_CURSOR, [UI_CURSOR_UPRIGHT] = GLFW_VRESIZE_CURSOR};
    if (wanted == p->cursor)
        return;
    if (wanted != UI_CURSOR_ARROW && !p->cursors[wanted])
        p->cursors[wanted] = glfwCreateStandardCursor(shapes[wanted]);
    glfwSetCursor(p->window->handle, p->cursors[wanted]);
    p->cursor = wanted;
}

/* Creates the panels when they are needed for the first time. Returns false when they cannot be drawn. */
static bool is_ready(odori_panels *p)
{
    const panel_settings *settings = &p->session->panels;
    bool is_first = !p->ui && !p->has_failed;
    if (is_first) {
        double at[2];
        p->ui = ui_create();
        p->has_failed = p->ui == NULL;
        window_pointer(p->window, p->x, p->y, at);
        if (p->ui && p->is_inside)
            ui_on_move(p->ui, at[0], at[1]);
    }
    if (p->has_failed && (is_first || settings->shown || settings->sheet))
        give_up(p);
    return p->ui != NULL;
}

bool panels_show_picture(odori_panels *p, uint32_t width, uint32_t height)
{
    return p && p->has_picture && p->picture.width == width && p->picture.height == height &&
           mmd_gpu_target_copy_to(p->screen->gpu, &p->picture, 0, NULL) == MMD_OK;
}

/* Stores a copy of the scene that was just drawn. Drivers that cannot copy from a window draw it again each
 * time. After a change of size the first frame is not stored, because the framebuffer may still have the old
 * size. */
static void store_picture(odori_panels *p)
{
    uint32_t width, height;
    window_pixels(p->window, &width, &height);
    bool is_first = width != p->width || height != p->height;
    p->width = width;
    p->height = height;
    if (is_first)
        return;
    p->has_picture = !p->cannot_keep &&
                     mmd_gpu_target_resize(p->screen->gpu, &p->picture, width, height, 0, NULL) == MMD_OK &&
                     mmd_gpu_target_copy_from(p->screen->gpu, &p->picture, 0, NULL) == MMD_OK;
    p->cannot_keep = !p->has_picture;
}

/* Asks for the pictures of the files that are visible. */
static void see_files(odori_panels *p)
{
    size_t first, end;
    file_page *page = document_of(p->session)->page;
    ui_files_seen(p->ui, &first, &end);
    if (page && page->shown)
        file_page_see(page, first, end);
}

void panels_draw(odori_panels *p, double seconds)
{
    if (!p)
        return;
    panels_wait(p); /* while a dance plays, nobody asks whether the panels want a picture */
    greet(p);
    bool timeline = wants_timeline(p), shown = wants_panels(p->session), toasts = wants_toasts(p);
    if (p->session->messages)
        p->toasts = panel_log_changes(p->session->messages);
    if (seconds > 0) {
        p->has_picture = false;
        panel_scene_note_picture(&p->scene, p->session, seconds);
    }
    p->has_drawn = true;
    p->was_timeline = timeline;
    p->was_shown = shown;
    p->was_toasts = toasts;
    p->has_news = false;
    mmd_view_measure(p->screen->view, p->session->panels.shown && p->session->panels.passes &&
                                          p->session->panels.page == PANEL_STATISTICS);
    p->was_loading = wants_loading(p);
    if ((!timeline && !shown && !toasts && !p->was_loading) || !is_ready(p)) {
        show_cursor(p, UI_CURSOR_ARROW);
        if (p->ui)
            ui_hide(p->ui);
        return;
    }
    if (seconds > 0 && !is_running(p->session))
        store_picture(p);
    ui_scene scene;
    if (!panel_scene_fill(&p->scene, p->session, p->screen, &scene))
        return;
    ui_display display = display_of(p);
    const gizmo_mouse_view view = window_view(p->window, &p->session->panels);
    /* Handles react to the pointer only where no panel covers them. */
    p->session->selection.is_near = p->is_inside && !covers(p);
    fill_edit(p->session, &view, &p->edit);
    scene.edit = &p->edit;
    scene.hints = wants_greeting(p) && p->session->panels.hints > 0 && !p->session->panels.hides_timeline;
    ui_frame(p->ui, &scene, &display);
    see_files(p);
    show_cursor(p, ui_cursor_wanted(p->ui));
    /* A refused command is reported, so that a click without effect has an explanation. */
    for (const char *line; (line = ui_next_line(p->ui)) != NULL;)
        command_by_hand(p->session, line);
}

/* --- Events --- */

/* Converts a GLFW key. */
static ui_key key_of(int key)
{
    static const struct {
        int glfw;
        ui_key ours;
    } keys[] = {
        {GLFW_KEY_TAB, UI_KEY_TAB},
        {GLFW_KEY_LEFT, UI_KEY_LEFT},
        {GLFW_KEY_RIGHT, UI_KEY_RIGHT},
        {GLFW_KEY_UP, UI_KEY_UP},
        {GLFW_KEY_DOWN, UI_KEY_DOWN},
        {GLFW_KEY_HOME, UI_KEY_HOME},
        {GLFW_KEY_END, UI_KEY_END},
        {GLFW_KEY_DELETE, UI_KEY_DELETE},
        {GLFW_KEY_ENTER, UI_KEY_ENTER},
        {GLFW_KEY_BACKSPACE, UI_KEY_BACKSPACE},
        {GLFW_KEY_KP_ENTER, UI_KEY_ENTER},
        {GLFW_KEY_ESCAPE, UI_KEY_ESCAPE},
        {GLFW_KEY_A, UI_KEY_A},
        {GLFW_KEY_C, UI_KEY_C},
        {GLFW_KEY_V, UI_KEY_V},
        {GLFW_KEY_X, UI_KEY_X},
        {GLFW_KEY_Z, UI_KEY_Z},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].glfw == key)
            return keys[i].ours;
    return UI_KEY_NONE;
}

/* Handles a key. Nothing is taken while the panels are hidden, since a command can close them while a text
 * field is active. */
bool panels_take_key(odori_panels *p, int key, int action, int modifiers)
{
    if (!p || !p->ui || !p->was_shown)
        return false;
    unsigned bits = (modifiers & GLFW_MOD_CONTROL ? (unsigned)UI_CONTROL : 0u) |
                    (modifiers & GLFW_MOD_SHIFT ? (unsigned)UI_SHIFT : 0u);
    bool taken = ui_has_keys(p->ui) || (action == GLFW_PRESS && ui_wants_key(p->ui, key_of(key), bits));
    if (taken || action == GLFW_RELEASE)
        ui_on_key(p->ui, key_of(key), action != GLFW_RELEASE, bits);
    return taken;
}

/* Passes the state of Ctrl and Shift to the panels. */
static void send_modifiers(const odori_panels *p)
{
    static const struct {
        int key;
        unsigned bit;
    } keys[] = {{GLFW_KEY_LEFT_CONTROL, UI_CONTROL},
                {GLFW_KEY_RIGHT_CONTROL, UI_CONTROL},
                {GLFW_KEY_LEFT_SHIFT, UI_SHIFT},
                {GLFW_KEY_RIGHT_SHIFT, UI_SHIFT}};
    unsigned bits = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (glfwGetKey(p->window->handle, keys[i].key) == GLFW_PRESS)
            bits |= keys[i].bit;
    ui_on_modifiers(p->ui, bits);
}

/* Handles a mouse button. A release belongs to the same receiver as its press, wherever it happens. */
bool panels_take_button(odori_panels *p, int button, int action)
{
    static const int numbers[] = {
        [GLFW_MOUSE_BUTTON_LEFT] = 0, [GLFW_MOUSE_BUTTON_RIGHT] = 1, [GLFW_MOUSE_BUTTON_MIDDLE] = 2};
    if (!p || button < 0 || button > GLFW_MOUSE_BUTTON_MIDDLE)
        return false;
    p->moved = clock_seconds();
    if (!p->ui)
        return false;
    bool taken = covers(p);
    send_modifiers(p);
    if (action == GLFW_RELEASE)
        ui_on_button(p->ui, numbers[button], false);
    else if (taken || ui_has_keys(p->ui)) /* a click elsewhere deactivates the text field */
        ui_on_button(p->ui, numbers[button], true);
    return taken;
}

bool panels_take_wheel(odori_panels *p, double notches)
{
    if (!p || !covers(p))
        return false;
    p->moved = clock_seconds();
    send_modifiers(p);
    ui_on_wheel(p->ui, notches);
    return true;
}

/* Handles a move of the pointer. The first event does not count as a move: windows open below the pointer. */
void panels_on_move(odori_panels *p, double x, double y)
{
    double at[2];
    if (!p)
        return;
    bool has_moved = p->known && (x != p->x || y != p->y);
    p->x = x;
    p->y = y;
    p->known = true;
    window_pointer(p->window, x, y, at);
    if (p->ui)
        ui_on_move(p->ui, at[0], at[1]);
    if (!has_moved)
        return;
    p->is_inside = true;
    p->moved = clock_seconds();
}
