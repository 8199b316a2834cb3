#include "session.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/language.h"
#include "mmd/elementary.h"
#include "scene/edited_motion.h"
#include "scene/fade.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "base/parse.h"
#include "base/progress.h"
#include "base/time_limit.h"
#include "base/message.h"

/* Frames of physics simulated between two readings of the clock: half a second of dance. */
#define STRIDE 15.0

void session_init(odori_session *s, odori_scene *scene, const mmd_view_options *view)
{
    *s = (odori_session){.scene = scene,
                         .view = *view,
                         .changed = true,
                         .speed = 1,
                         .transport = transport_default(),
                         .selection = selection_default(),
                         .selected = scene_main_model(scene)};
    history_init(&s->history, scene);
}

bool session_in_japanese(const odori_session *s)
{
    return s->panels.language == PANEL_JAPANESE ||
           (s->panels.language == PANEL_LANGUAGE_AUTO && language_is_japanese());
}

void session_end_scene(odori_session *s)
{
    if (s->host)
        s->host->scene_ends(s);
}

void session_finish(odori_session *s)
{
    selection_finish(&s->selection);
    history_finish(&s->history);
    session_end_scene(s);
    mmd_buffer_finish(&s->as_opened);
}

void session_go(odori_session *s, double frame)
{
    s->by_playback &=
        frame == s->frame; /* evaluating the same frame again does not change how it was reached */
    s->frame = frame > 0 ? frame : 0;
    s->changed = true;
    s->arrived = false;
    s->scene->goal = s->frame;
    if (s->edited_since_start && s->frame < mmd_stage_frame(s->scene->stage))
        session_restart(s);
    session_arrive(s);
}

/* Returns the next frame to simulate to. Frames that were simulated before are reached at once, others in
 * strides. */
static double next_stop(const odori_session *s)
{
    double from = mmd_max(s->simulated_to, 0.0);
    if (!mmd_stage_physics(s->scene->stage) || s->frame <= from + STRIDE ||
        mmd_stage_physics_report(s->scene->stage).repeats)
        return s->frame;
    return from + STRIDE;
}

/* Finds the position of a bone on the stage, the placement of its model included. */
static void bone_place(const odori_session *s, size_t model, uint32_t bone, float place[3])
{
    float matrix[16];
    const mmd_pose *pose = mmd_actor_pose(s->scene->models[model].actor);
    const float *at = mmd_pose_world(pose)[bone].translation;
    memcpy(place, at, 3 * sizeof *place);
    if (!mmd_stage_placement(s->scene->stage, model, matrix))
        return;
    for (int k = 0; k < 3; k++)
        place[k] = matrix[k] * at[0] + matrix[4 + k] * at[1] + matrix[8 + k] * at[2] + matrix[12 + k];
}

/* Moves the camera to the bone it follows. The result depends on the frame alone; there is no lag. */
void session_place_camera(odori_session *s)
{
    if (!s->follow.on)
        return;
    mmd_camera camera = *mmd_stage_camera(s->scene->stage);
    bone_place(s, s->follow.model, s->follow.bone, camera.position);
    for (int k = 0; k < 3; k++)
        camera.position[k] += s->follow.offset[k];
    s->camera_by_user = true;
    mmd_stage_set_camera(s->scene->stage, &camera);
}

bool session_arrive(odori_session *s)
{
    double started = clock_seconds(), from = s->simulated_to;
    bool has_bar = s->has_bar && s->budget_s <= 0 && s->frame > from + STRIDE;
    progress bar = progress_start(has_bar ? (size_t)(s->frame - from) : 0);
    while (!s->arrived) {
        double stop = next_stop(s);
        time_limit_check(mmd_min(mmd_max(s->simulated_to, 0.0), s->frame), s->frame);
        mmd_stage_set_frame(s->scene->stage, stop);
        s->simulated_to = mmd_max(s->simulated_to, stop);
        s->arrived = stop >= s->frame;
        if (has_bar)
            progress_show(&bar, (size_t)(s->simulated_to - from));
        if (clock_seconds() - started > s->budget_s && s->budget_s > 0)
            break;
    }
    progress_finish(&bar);
    s->camera_by_user =
        mmd_stage_camera_by_hand(s->scene->stage) != NULL; /* edits and undo may set and clear it */
    session_place_camera(s);
    s->changed = true;
    return s->arrived;
}

const scene_model *session_selected_model(const odori_session *s, char *error)
{
    if (scene_is_present(s->scene, s->selected))
        return &s->scene->models[s->selected];
    refuse_with(error, "there is no model");
    return NULL;
}

bool session_find_bone(const odori_session *s, const char *name, uint32_t *bone, char *error)
{
    const scene_model *m = session_selected_model(s, error);
    if (!m)
        return false;
    int32_t index = mmd_model_find_bone(m->model, name);
    if (index < 0)
        return session_refuse_name(s, s->selected, "bone", name, error);
    *bone = (uint32_t)index;
    return true;
}

bool session_model_numbered(const odori_session *s, double number, size_t *index, char *error)
{
    if (number != floor(number) || number < 0 || number >= (double)s->scene->model_count)
        return refuse_with(error, "there is no model %g; there %s %zu, the first is 0", number,
                           s->scene->model_count == 1 ? "is" : "are", s->scene->model_count);
    *index = (size_t)number;
    return scene_is_present(s->scene, *index) ||
           refuse_with(error,
                       s->scene->models[*index].is_given_up
                           ? "model %g was removed, and undo does not reach so far"
                           : "model %g was removed; undo brings it back",
                       number);
}

/* Counts the models of a name. index receives the first. */
static size_t count_named(const odori_session *s, const char *name, size_t *index)
{
    size_t count = 0;
    for (size_t i = 0; i < s->scene->model_count; i++)
        if (scene_is_present(s->scene, i) && strcmp(mmd_stage_name(s->scene->stage, i), name) == 0 &&
            count++ == 0)
            *index = i;
    return count;
}

bool session_find_model(const odori_session *s, const char *word, size_t *index, char *error)
{
    double number;
    if (parse_real(word, &number))
        return session_model_numbered(s, number, index, error);
    size_t count = count_named(s, word, index);
    if (count > 1)
        return refuse_with(error, "%zu models are called \"%.100s\"; give the number of one, the first is 0",
                           count, word);
    return count == 1 || refuse_with(error, "there is no model \"%.100s\"", word);
}

void session_model_name(const odori_session *s, size_t model, char name[SESSION_NAME_MAX])
{
    assert(model < s->scene->model_count);
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    const odori_scene *scene = s->scene;
    const char *own = mmd_stage_name(scene->stage, model);
    size_t alike = 0, number = model + 1, last = number / 10 % 10 == 1 ? 0 : number % 10;
    for (size_t i = 0; i < scene->model_count; i++)
        alike += scene_is_present(scene, i) && strcmp(mmd_stage_name(scene->stage, i), own) == 0;
    if (*own && alike < 2)
        snprintf(name, SESSION_NAME_MAX, "%.100s", own);
    else
        snprintf(name, SESSION_NAME_MAX, "%.100s%s(%zu%s model)", own, *own ? " " : "", number,
                 endings[last < 4 ? last : 0]);
}

void session_item_name(odori_session *s, mmd_item item, char name[SESSION_NAME_MAX])
{
    const mmd_edit *edit = history_edit(&s->history);
    snprintf(name, SESSION_NAME_MAX, "it");
    if (edit)
        mmd_edit_describe(edit, item, NULL, name, SESSION_NAME_MAX);
}

bool session_refuse_name(const odori_session *s, size_t model, const char *what, const char *name,
                         char *error)
{
    char whose[SESSION_NAME_MAX];
    session_model_name(s, model, whose);
    return refuse_with(error, "%s has no %s \"%.100s\"", whose, what, name);
}

void session_touch(odori_session *s)
{
    s->edited_since_start = true;
    s->simulated_to = mmd_min(s->simulated_to, mmd_stage_frame(s->scene->stage));
}

void session_restart(odori_session *s)
{
    s->edited_since_start = false;
    s->simulated_to = 0;
}

double session_last_frame(const odori_session *s)
{
    return physics_runs_on(s->scene) ? physics_farthest_frame() : mmd_stage_last_frame(s->scene->stage);
}

bool session_runs(const odori_session *s)
{
    return s->playing && s->transport.count_left <= 0;
}

void session_play(odori_session *s)
{
    double last = session_last_frame(s);
    if (!s->playing)
        s->transport.count_left = s->transport.count_in;
    s->playing = s->changed = true;
    s->ended = false;
    if (!s->transport.loop && last > 0 && s->frame >= last)
        session_go(s, 0);
}

void session_pause(odori_session *s)
{
    s->playing = false;
    s->changed = true;
    s->transport.count_left = 0;
}

/* Advances the count-in. Returns the seconds that are left for the dance. */
static double count_in(odori_session *s, double seconds)
{
    double left = s->transport.count_left;
    if (left <= 0)
        return seconds;
    s->transport.count_left = mmd_max(left - seconds, 0);
    s->changed = true; /* the window shows how much is left */
    return mmd_max(seconds - left, 0);
}

bool session_take_end(odori_session *s)
{
    bool ended = s->ended && s->has_next;
    s->ended = false;
    return ended;
}

static odori_transport transport_of(const odori_session *s)
{
    odori_transport transport = s->transport;
    transport.loop &= !s->has_next; /* at the end the list continues, so this dance does not loop */
    return transport;
}

transport_seam session_seam(const odori_session *s)
{
    odori_transport transport = transport_of(s);
    return transport_seam_from(&transport, s->frame, session_last_frame(s));
}

void session_end_fade(odori_session *s)
{
    if (fade_end(s->scene))
        session_restart(s);
}

double session_advance(odori_session *s, double seconds)
{
    bool ends;
    double last = session_last_frame(s);
    if (!s->playing || !s->arrived || last <= 0)
        return 0;
    seconds = count_in(s, seconds);
    if (s->transport.count_left > 0)
        return 0;
    odori_transport transport = transport_of(s);
    double frames = 30.0 * seconds * s->speed;
    double frame = transport_next(&transport, s->frame, frames, last, &ends);
    if (ends)
        session_pause(s);
    s->ended |= ends;
    if (frame < s->frame) /* a repetition does not come from another dance */
        session_end_fade(s);
    session_go(s, frame);
    s->by_playback = true;
    return frames;
}

/* FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). Nobody makes collisions on purpose here. */
uint64_t session_hash(uint64_t hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

void session_remember_saved_hash(odori_session *s, uint64_t hash)
{
    s->saved[s->saved_count++ % SESSION_SAVED_MAX] = hash;
}

void session_remember_opened_hash(odori_session *s, uint64_t hash)
{
    mmd_write_bytes(&s->as_opened, &hash, sizeof hash);
}

void session_remember_saved(odori_session *s, const mmd_buffer *bytes)
{
    session_remember_saved_hash(s, session_hash(SESSION_HASH_START, bytes->data, bytes->size));
}

bool session_was_saved(const odori_session *s, uint64_t hash)
{
    for (size_t i = 0; i < s->saved_count && i < SESSION_SAVED_MAX; i++)
        if (s->saved[i] == hash)
            return true;
    for (size_t at = 0; !s->as_opened.failed && at < s->as_opened.size; at += sizeof hash)
        if (memcmp(s->as_opened.data + at, &hash, sizeof hash) == 0)
            return true;
    return false;
}

const mmd_motion *session_camera_motion(const odori_session *s)
{
    return edited_motion_of_stage(s->scene, MMD_KEY_CAMERA);
}

/* Limit of the camera's coordinates and angles, in units and radians. Beyond it float sums lose what is
 * added. */
#define FAR 1e6

static float within_reach(double value)
{
    return (float)(value < -FAR ? -FAR : value > FAR ? FAR : value);
}

void session_move_camera(odori_session *s, const mmd_camera *camera)
{
    s->camera_by_user = camera != NULL;
    mmd_stage_set_camera(s->scene->stage, camera);
    session_go(s, s->frame);
}

void session_set_camera(odori_session *s, const mmd_camera *camera)
{
    s->follow.on = false;
    session_move_camera(s, camera);
}

void session_follow_bone(odori_session *s, size_t model, uint32_t bone)
{
    assert(model < s->scene->model_count && bone < s->scene->models[model].model->bone_count);
    s->follow = (session_follow){.on = true, .model = model, .bone = bone};
    session_go(s, s->frame);
}

void session_orbit(odori_session *s, double right, double down)
{
    mmd_camera camera = *mmd_stage_camera(s->scene->stage);
    camera.rotation[0] = within_reach((double)camera.rotation[0] - down * DEGREE);
    camera.rotation[1] = within_reach((double)camera.rotation[1] - right * DEGREE);
    session_move_camera(s, &camera);
}

/* Pans. The picture moves right and up, so the target moves the other way along the camera's axes. */
void session_pan(odori_session *s, double right, double up)
{
    mmd_camera camera = *mmd_stage_camera(s->scene->stage);
    float view[16];
    mmd_camera_matrices(&camera, 1.0f, view, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        double move = right * (double)view[4 * i] + up * (double)view[4 * i + 1];
        camera.position[i] = within_reach((double)camera.position[i] - move);
        s->follow.offset[i] = within_reach((double)s->follow.offset[i] - move);
    }
    session_move_camera(s, &camera);
}

void session_zoom(odori_session *s, double factor)
{
    mmd_camera camera = *mmd_stage_camera(s->scene->stage);
    camera.distance = within_reach((double)camera.distance * factor);
    session_move_camera(s, &camera);
}

void session_turn(odori_session *s, double x, double y)
{
    mmd_camera camera = *mmd_stage_camera(s->scene->stage);
    camera.rotation[0] = (float)(x * DEGREE);
    camera.rotation[1] = (float)(y * DEGREE);
    camera.rotation[2] = 0;
    session_move_camera(s, &camera);
}
