/* Commands for playback: starting and stopping, the frame, speed, repeats, beats and mirroring. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command_group.h"
#include "edit/key_edit.h"
#include "edit/key_row.h"
#include "edit/refusals.h"
#include "mmd/elementary.h"
#include "scene/edited_motion.h"
#include "scene/mirror.h"
#include "scene/physics.h"

/* Within this time after a cut, going back means the cut before it, as long as the dance plays. */
#define JUST_NOW 15.0 /* frames */

static bool play(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    session_play(s);
    return true;
}

/* Stops playing. A frame between two whole ones, which only the clock led to, advances to the next whole
 * one, because keyframes lie on whole frames and users stop to set one. Going back would restart physics. */
static void stop_playing(odori_session *s)
{
    bool is_between = s->playing && s->by_playback;
    double whole = ceil(s->frame);
    session_pause(s);
    if (is_between && whole <= session_last_frame(s))
        session_go(s, whole);
}

static bool pause_playing(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    stop_playing(s);
    return true;
}

static bool play_toggle(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    if (s->playing)
        stop_playing(s);
    else
        session_play(s);
    return true;
}

/* Goes to a frame. A picture or suite may not ask for one that physics would take too long to reach. */
static bool go_to(odori_session *s, double frame, char *error)
{
    mmd_error why = {0};
    if (s->is_replayed && physics_check_frame(s->scene, frame, &why) != MMD_OK)
        return refuse_with(error, "%.200s", why.message);
    session_go(s, frame);
    return true;
}

static bool frame_set(odori_session *s, const command_arguments *a, char *error)
{
    if (a->number[0] < 0 || a->number[0] > 4294967295.0)
        return refuse_with(error, "%g is not a frame", a->number[0]);
    return go_to(s, a->number[0], error);
}

/* Stops playing and goes to the whole frame N frames on. */
static bool frame_step(odori_session *s, const command_arguments *a, char *error)
{
    session_pause(s);
    return go_to(s, floor(s->frame + 0.5) + a->number[0], error);
}

/* Tests whether there is a cut between two camera keyframes: they are at most one frame apart and differ. */
static bool is_cut(const mmd_camera_key *before, const mmd_camera_key *key)
{
    const mmd_camera *a = &before->value, *b = &key->value;
    float sum = fabsf(a->distance - b->distance) + fabsf(a->fov - b->fov);
    for (int k = 0; k < 3; k++)
        sum += fabsf(a->position[k] - b->position[k]) + fabsf(a->rotation[k] - b->rotation[k]);
    return key->frame - before->frame <= 1 && sum > 0;
}

/* Goes to the next cut of the motion's camera, or to the one before. */
static bool frame_cut(odori_session *s, const command_arguments *a, char *error)
{
    const mmd_motion *motion = session_camera_motion(s);
    if (!motion)
        return refuse_with(error, "no motion has camera keyframes");
    double from = s->frame - (s->playing && a->number[0] < 0 ? JUST_NOW : 0), found = NAN;
    for (uint32_t i = 1; i < motion->camera_key_count; i++) {
        double frame = motion->camera_keys[i].frame;
        if (!is_cut(&motion->camera_keys[i - 1], &motion->camera_keys[i]))
            continue;
        if (frame < from && a->number[0] < 0)
            found = frame;
        if (frame > from && a->number[0] > 0 && isnan(found))
            found = frame;
    }
    if (isnan(found) && a->number[0] < 0)
        found = 0;
    if (!isnan(found))
        session_go(s, found);
    return true;
}

/* Finds the keyframe of an item next to a frame, in the direction of time (1) or against it (-1). Returns NaN
 * if there is none. */
static double key_beside(const odori_session *s, mmd_item item, double frame, double direction)
{
    static const key_row_kind kinds[MMD_ITEM_KINDS] = {
        [MMD_ITEM_BONE] = KEY_ROW_BONE,     [MMD_ITEM_MORPH] = KEY_ROW_MORPH,
        [MMD_ITEM_CAMERA] = KEY_ROW_CAMERA, [MMD_ITEM_LIGHT] = KEY_ROW_LIGHT,
        [MMD_ITEM_SHADOW] = KEY_ROW_SHADOW, [MMD_ITEM_SWITCHES] = KEY_ROW_SWITCHES};
    mmd_key_row place;
    key_row row = {.kind = kinds[item.kind], .model = item.model, .index = item.index};
    row.motion = key_edit_has_keys(item) ? edited_motion_of(s->scene, item, &place) : NULL;
    if (!row.motion)
        return NAN;
    if (row.kind == KEY_ROW_BONE || row.kind == KEY_ROW_MORPH || row.kind == KEY_ROW_SWITCHES)
        row.delay = llround(mmd_actor_delay(s->scene->models[item.model].actor));
    key_row_update(&row, place.name);
    /* the first keyframe that is not before it, or the first one after it */
    double first = mmd_min(direction < 0 ? ceil(frame) : floor(frame) + 1, UINT32_MAX);
    uint32_t key = key_row_from(&row, (uint32_t)first);
    if (direction < 0)
        return key > 0 ? (double)key_row_frame(&row, key - 1) : NAN;
    return key < row.count ? (double)key_row_frame(&row, key) : NAN;
}

/* Returns the nearer of two frames in a direction. NaN stands for none. */
static double nearer(double a, double b, double direction)
{
    return direction < 0 ? mmd_max(a, b) : mmd_min(a, b);
}

/* Stops, and goes to the next keyframe of the selection, or to the one before. Without a selection that has
 * keyframes, those of all bones and morphs of the model count. */
static bool frame_key(odori_session *s, const command_arguments *a, char *error)
{
    double found = NAN, frame = s->frame, direction = a->number[0] < 0 ? -1 : 1;
    bool any = false;
    for (size_t i = 0; i < s->selection.count; i++) {
        any |= key_edit_has_keys(s->selection.items[i]);
        found = nearer(found, key_beside(s, s->selection.items[i], frame, direction), direction);
    }
    if (!any) {
        const scene_model *m = session_selected_model(s, error);
        if (!m)
            return false;
        for (uint32_t i = 0; i < m->model->bone_count + m->model->morph_count; i++) {
            bool is_bone = i < m->model->bone_count;
            const mmd_item part = {.kind = is_bone ? MMD_ITEM_BONE : MMD_ITEM_MORPH,
                                   .model = (uint32_t)s->selected,
                                   .index = is_bone ? i : i - m->model->bone_count};
            found = nearer(found, key_beside(s, part, frame, direction), direction);
        }
    }
    session_pause(s);
    return isnan(found) || go_to(s, found, error);
}

/* Stops, and goes to the last frame. */
static bool frame_end(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    if (physics_runs_on(s->scene))
        return refuse_with(error, "the scene has no last frame: only physics moves it");
    session_pause(s);
    return go_to(s, mmd_stage_last_frame(s->scene->stage), error);
}

static bool frame_beat(odori_session *s, const command_arguments *a, char *error)
{
    if (s->transport.bpm <= 0)
        return refuse_with(error, "the tempo is not known; set it with `play.bpm`");
    session_pause(s);
    return go_to(s, transport_beat_frame(&s->transport, s->frame, floor(a->number[0])), error);
}

static bool play_speed(odori_session *s, const command_arguments *a, char *error)
{
    if (a->number[0] < TRANSPORT_SLOWEST || a->number[0] > TRANSPORT_FASTEST)
        return refuse_with(error, "a speed of %g is not between %g and %g", a->number[0], TRANSPORT_SLOWEST,
                           TRANSPORT_FASTEST);
    s->speed = a->number[0];
    s->changed = true;
    return true;
}

static bool play_faster(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->speed = transport_speed_step(s->speed, a->number[0] > 0);
    s->changed = true;
    return true;
}

/* Reads the frame of A or B: the argument, else the current frame. */
static bool repeat_frame(const odori_session *s, const command_arguments *a, double *frame, char *error)
{
    *frame = a->count ? a->number[0] : s->frame;
    if (*frame < 0 || *frame > 4294967295.0)
        return refuse_with(error, "%g is not a frame", *frame);
    return true;
}

/* Sets A. Where A would not be before B, the other end is cleared, because a new range is meant. */
static bool play_a(odori_session *s, const command_arguments *a, char *error)
{
    if (!repeat_frame(s, a, &s->transport.a, error))
        return false;
    if (s->transport.a >= s->transport.b)
        s->transport.b = NAN;
    s->changed = true;
    return true;
}

/* Sets B. Where A would not be before B, A is cleared. */
static bool play_b(odori_session *s, const command_arguments *a, char *error)
{
    if (!repeat_frame(s, a, &s->transport.b, error))
        return false;
    if (s->transport.a >= s->transport.b)
        s->transport.a = NAN;
    s->changed = true;
    return true;
}

/* Sets A at this frame, then B, then clears both, so that one key binding does all three. */
static bool play_ab(odori_session *s, const command_arguments *a, char *error)
{
    static const command_arguments here = {0};
    bool next = strcmp(a->word[0], "next") == 0;
    if (!next && strcmp(a->word[0], "off") != 0)
        return refuse_with(error, "\"%.40s\" is not off or next", a->word[0]);
    if (next && isnan(s->transport.a))
        return play_a(s, &here, error);
    if (next && isnan(s->transport.b) && s->frame > s->transport.a)
        return play_b(s, &here, error);
    s->transport.a = s->transport.b = NAN;
    s->changed = true;
    return true;
}

static bool play_loop(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->transport.loop = a->on[0];
    s->changed = true;
    return true;
}

/* Sets the waiting time. A count-in in progress gets no longer. */
static bool play_count_in(odori_session *s, const command_arguments *a, char *error)
{
    if (a->number[0] < 0 || a->number[0] > TRANSPORT_COUNT_MAX)
        return refuse_with(error, "%g seconds are not between 0 and %g", a->number[0], TRANSPORT_COUNT_MAX);
    s->transport.count_in = a->number[0];
    s->transport.count_left = mmd_min(s->transport.count_left, a->number[0]);
    return true;
}

/* Sets tempo and first beat, for display and frame.beat. */
static bool play_bpm(odori_session *s, const command_arguments *a, char *error)
{
    if (a->number[0] < 0 || a->number[0] > TRANSPORT_BPM_MAX)
        return refuse_with(error, "%g beats a minute are not between 0 and %g", a->number[0],
                           TRANSPORT_BPM_MAX);
    s->transport.bpm = a->number[0];
    if (a->count > 1)
        s->transport.first_beat = a->number[1];
    s->changed = true;
    return true;
}

/* Restarts physics after mirroring and goes to the frame again. all: whether there was memory for all
 * mirrored motions. */
static bool mirror_done(odori_session *s, bool all, char *error)
{
    session_restart(s);
    session_go(s, s->frame);
    return all || refuse_with(error, "out of memory");
}

static bool play_mirror(odori_session *s, const command_arguments *a, char *error)
{
    return mirror_done(s, mirror_all(s->scene, a->on[0]), error);
}

static bool model_mirror(odori_session *s, const command_arguments *a, char *error)
{
    return session_selected_model(s, error) &&
           mirror_done(s, mirror_model(s->scene, s->selected, a->on[0]), error);
}

static const command commands[] = {
    {"play", "", "", "starts playback", play, .replay = REPLAY_RUNS},
    {"pause", "", "", "stops playback", pause_playing, .replay = REPLAY_RUNS},
    {"play.toggle", "", "", "starts or stops playback", play_toggle, .replay = REPLAY_RUNS},
    {"play.speed", "r", "FACTOR", "playback speed, 0.1 to 4; 1 is normal", play_speed, .replay = REPLAY_RUNS},
    {"play.faster", "r", "1|-1", "the next higher or lower speed of a list", play_faster,
     .replay = REPLAY_RUNS},
    {"play.a", "?r", "[FRAME]", "sets A, where a repeat begins: at this frame, or another one", play_a,
     .replay = REPLAY_RUNS},
    {"play.b", "?r", "[FRAME]", "sets B, where a repeat goes back to A, or to the start", play_b,
     .replay = REPLAY_RUNS},
    {"play.ab", "w", "off|next", "clears the repeat; or sets A at this frame, then B, then clears both",
     play_ab, .replay = REPLAY_RUNS},
    {"play.loop", "s", "on|off", "starts again at the end, or stops there", play_loop, .replay = REPLAY_RUNS},
    {"play.count-in", "r", "SECONDS", "waiting time between `play` and the start", play_count_in,
     .replay = REPLAY_SKIPS},
    {"play.bpm", "r?r", "BPM [FRAME]",
     "sets the tempo in beats a minute, and the frame of the first beat; 0: none", play_bpm,
     .replay = REPLAY_RUNS},
    {"play.mirror", "s", "on|off", "mirrors all motions: models, camera and light", play_mirror,
     .replay = REPLAY_RUNS},
    {"model.mirror", "s", "on|off", "mirrors the motions of this model: left and right are swapped",
     model_mirror, .replay = REPLAY_RUNS},
    {"frame.set", "r", "FRAME", "goes to a frame", frame_set, .replay = REPLAY_RUNS},
    {"frame.step", "r", "N", "stops playback and goes N frames on (or back)", frame_step,
     .replay = REPLAY_RUNS},
    {"frame.beat", "r", "N", "stops playback and goes N beats on (or back)", frame_beat,
     .replay = REPLAY_RUNS},
    {"frame.cut", "r", "1|-1", "goes to the next cut of the motion's camera, or the one before", frame_cut,
     .replay = REPLAY_RUNS},
    {"frame.key", "r", "1|-1",
     "stops playback and goes to the next keyframe of the selection, else of the model, or the one before",
     frame_key, .replay = REPLAY_RUNS},
    {"frame.end", "", "", "stops playback and goes to the last frame", frame_end, .replay = REPLAY_RUNS},
};

const command_group commands_of_play = {commands, sizeof commands / sizeof *commands};
