/* Commands for the camera and the light. */
#include <string.h>

#include "scene/framing.h"
#include "command_group.h"
#include "edit/key_edit.h"
#include "base/parse.h"

static bool set_camera(odori_session *s, const command_arguments *a, char *error)
{
    if (a->number[7] <= 0 || a->number[7] >= 180)
        return refuse_with(error, "a field of view of %g is not between 0 and 180 degrees", a->number[7]);
    mmd_camera camera = {.distance = (float)a->number[0], .fov = (float)a->number[7], .perspective = true};
    for (int i = 0; i < 3; i++) {
        camera.position[i] = (float)a->number[1 + i];
        camera.rotation[i] = (float)a->number[4 + i];
    }
    session_set_camera(s, &camera);
    return true;
}

static bool set_perspective(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    mmd_camera camera = *mmd_stage_camera(s->scene->stage);
    camera.perspective = a->on[0];
    session_move_camera(s, &camera);
    return true;
}

static bool orbit(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    session_orbit(s, a->number[0], a->number[1]);
    return true;
}

static bool pan(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    session_pan(s, a->number[0], a->number[1]);
    return true;
}

static bool zoom(odori_session *s, const command_arguments *a, char *error)
{
    if (a->number[0] <= 0)
        return refuse_with(error, "a factor of %g is not above 0", a->number[0]);
    session_zoom(s, a->number[0]);
    return true;
}

/* Sets the camera to the stage's default one, which fits scenes in interchange formats. */
static bool reset_camera(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    mmd_camera camera = *mmd_stage_default_camera(s->scene->stage);
    session_set_camera(s, &camera);
    return true;
}

/* Moves the camera to where all visible models fit; its angles stay. */
static bool fit_all(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    double aspect = s->aspect > 0 ? s->aspect : HOME_ASPECT;
    mmd_camera camera = *mmd_stage_camera(s->scene->stage);
    if (!camera_fit(s->scene, aspect, &camera))
        return refuse_with(error, "there is nothing to fit: no model is visible");
    session_set_camera(s, &camera);
    return true;
}

/* Returns the camera to its motion, or keeps the current one. */
static bool camera_motion(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    mmd_camera camera = *mmd_stage_camera(s->scene->stage);
    session_set_camera(s, a->on[0] ? NULL : &camera);
    return true;
}

/* Finds the middle of a dancer, where no bone is named: the upper body, else the centre bone, else the
 * first bone. */
static bool find_middle(const odori_session *s, uint32_t *bone, char *error)
{
    static const char *const names[] = {"上半身", "センター"};
    const mmd_model *model = s->scene->models[s->selected].model;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int32_t found = mmd_model_find_bone(model, names[i]);
        *bone = found < 0 ? 0 : (uint32_t)found;
        if (found >= 0)
            return true;
    }
    char named[SESSION_NAME_MAX];
    session_model_name(s, s->selected, named);
    return model->bone_count > 0 ||
           refuse_with(error, "%s has no bones, so the camera cannot follow it", named);
}

/* Makes the camera follow a bone, or stops it. */
static bool camera_follow(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t bone;
    bool on, is_switch = parse_switch(a->word[0], &on);
    if (is_switch && !on) {
        s->follow.on = false;
        return true;
    }
    if (!session_selected_model(s, error) ||
        !(is_switch ? find_middle(s, &bone, error) : session_find_bone(s, a->word[0], &bone, error)))
        return false;
    session_follow_bone(s, s->selected, bone);
    return true;
}

/* Sides, named as on MMD's buttons: left is the side of the model's right hand. */
static const struct {
    const char *name;
    double x, y; /* degrees of the camera's angles, signs as in files */
} sides[] = {{"front", 0, 0},  {"back", 0, 180}, {"left", 0, -90},
             {"right", 0, 90}, {"top", -90, 0},  {"bottom", 90, 0}};

/* Turns the camera to a side of the scene; target and distance stay. */
static bool view_from(odori_session *s, const command_arguments *a, char *error)
{
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        if (strcmp(a->word[0], sides[i].name) != 0)
            continue;
        session_turn(s, sides[i].x, sides[i].y);
        return true;
    }
    return refuse_with(error, "\"%.40s\" is not front, back, left, right, top or bottom", a->word[0]);
}

static bool set_color(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    float color[3] = {(float)a->number[0], (float)a->number[1], (float)a->number[2]};
    mmd_stage_set_light_color(s->scene->stage, color);
    session_go(s, s->frame);
    return true;
}

static bool set_direction(odori_session *s, const command_arguments *a, char *error)
{
    float direction[3] = {(float)a->number[0], (float)a->number[1], (float)a->number[2]};
    if (direction[0] == 0 && direction[1] == 0 && direction[2] == 0)
        return refuse_with(error, "%g %g %g is not a direction", a->number[0], a->number[1], a->number[2]);
    mmd_stage_set_light_direction(s->scene->stage, direction);
    session_go(s, s->frame);
    return true;
}

/* Returns colour and direction of the light to the motion. */
static bool light_reset(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    mmd_stage_set_light_color(s->scene->stage, NULL);
    mmd_stage_set_light_direction(s->scene->stage, NULL);
    session_go(s, s->frame);
    return true;
}

/* Runs a command that moves the camera or sets the light. While keyframes are written, the change becomes
 * a keyframe. */
static bool keyed(odori_session *s, const command_arguments *a, char *error)
{
    static const struct {
        const char *name;
        uint32_t kind;
        bool looks; /* camera work, which is also used for looking around */
        bool (*run)(odori_session *s, const command_arguments *a, char *error);
    } steps[] = {
        {"camera.set", MMD_ITEM_CAMERA, false, set_camera},
        {"camera.orbit", MMD_ITEM_CAMERA, true, orbit},
        {"camera.pan", MMD_ITEM_CAMERA, true, pan},
        {"camera.zoom", MMD_ITEM_CAMERA, true, zoom},
        {"camera.reset", MMD_ITEM_CAMERA, true, reset_camera},
        {"camera.fit", MMD_ITEM_CAMERA, true, fit_all},
        {"camera.perspective", MMD_ITEM_CAMERA, true, set_perspective},
        {"camera.view", MMD_ITEM_CAMERA, true, view_from},
        {"light.color", MMD_ITEM_LIGHT, false, set_color},
        {"light.direction", MMD_ITEM_LIGHT, false, set_direction},
    };
    key_edit_view view;
    size_t i = 0;
    while (strcmp(steps[i].name, a->name) != 0)
        i++;
    return key_edit_view_begin(s, steps[i].kind, steps[i].looks, &view, error) && steps[i].run(s, a, error) &&
           key_edit_view_end(s, &view, error);
}

static const command commands[] = {
    {"camera.set", "rrrrrrrr", "DISTANCE X Y Z RX RY RZ FOV",
     "sets the camera, as `dump` prints it: target in units, angles in radians, field of view in degrees",
     keyed, .replay = REPLAY_RUNS},
    {"camera.orbit", "rr", "RIGHT DOWN", "orbits around the target, degrees", keyed, .replay = REPLAY_RUNS},
    {"camera.pan", "rr", "RIGHT UP", "moves the picture, units", keyed, .replay = REPLAY_RUNS},
    {"camera.zoom", "r", "FACTOR", "multiplies the distance", keyed, .replay = REPLAY_RUNS},
    {"camera.reset", "", "", "MMD's default camera, or that of an interchange scene", keyed,
     .replay = REPLAY_RUNS},
    {"camera.fit", "", "", "moves to where all models are in the picture; the angles stay", keyed,
     .replay = REPLAY_RUNS},
    {"camera.perspective", "s", "on|off", "perspective or orthographic projection", keyed,
     .replay = REPLAY_RUNS},
    {"camera.motion", "s", "on|off", "plays the motion's camera, or holds the current one", camera_motion,
     .replay = REPLAY_RUNS},
    {"camera.follow", "w", "BONE|on|off",
     "follows a bone of the model at the same distance and angles; on: its middle", camera_follow,
     .replay = REPLAY_RUNS},
    {"camera.view", "w", "SIDE",
     "looks from front, back, left, right, top or bottom; target and distance stay", keyed,
     .replay = REPLAY_RUNS},
    {"light.color", "rrr", "R G B", "colour of the light, 0 to 1", keyed, .replay = REPLAY_RUNS},
    {"light.direction", "rrr", "X Y Z", "direction in which the light shines", keyed, .replay = REPLAY_RUNS},
    {"light.reset", "", "", "the motion's light again, or MMD's default", light_reset, .replay = REPLAY_RUNS},
};

const command_group commands_of_camera = {commands, sizeof commands / sizeof *commands};
