#include "commands.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "opener.h"
#include "parse.h"

/* Numbers of places and orders are no larger. */
#define STAGING_FAR 1e6

/* The arguments of a line, each read as its command's spec says. */
typedef struct command_arguments {
    size_t count;
    const char *word[COMMAND_ARGUMENTS_MAX];
    double number[COMMAND_ARGUMENTS_MAX];
    bool on[COMMAND_ARGUMENTS_MAX];
} command_arguments;

typedef struct command {
    const char *name;
    const char *spec; /* one letter an argument: w word, r real number, s on or off; + one word or more */
    const char *arguments; /* as help shows them */
    const char *help;
    bool (*run)(odori_session *s, const command_arguments *a, char *error);
} command;

static bool refuse(char *error, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
static bool refuse(char *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, COMMAND_ERROR_MAX, format, arguments);
    va_end(arguments);
    return false;
}

/* Bones and morphs. */

static const scene_model *selected_model(const odori_session *s, char *error)
{
    if (s->selected < s->scene->model_count)
        return &s->scene->models[s->selected];
    refuse(error, "there is no model");
    return NULL;
}

static bool find_bone(const odori_session *s, const char *name, uint32_t *bone, char *error)
{
    const scene_model *m = selected_model(s, error);
    if (!m)
        return false;
    int32_t index = mmd_model_find_bone(m->model, name);
    if (index < 0) {
        refuse(error, "the model has no bone \"%.100s\"", name);
        return false;
    }
    *bone = (uint32_t)index;
    return true;
}

static bool edit_bone(odori_session *s, uint32_t bone, const float t[3], const float r[4], char *error)
{
    history_begin(&s->history);
    if (!history_bone(&s->history, s->selected, bone, t, r))
        return refuse(error, "out of memory");
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

/* About X first, then Y, then Z: as a matrix on columns Rz Ry Rx, Maya's and UFE's order XYZ. */
static void quaternion_from_degrees(const double degrees[3], float q[4])
{
    double x = degrees[0] * RADIANS / 2, y = degrees[1] * RADIANS / 2, z = degrees[2] * RADIANS / 2;
    double cx = cos(x), sx = sin(x), cy = cos(y), sy = sin(y), cz = cos(z), sz = sin(z);
    q[0] = (float)(cz * cy * sx - sz * sy * cx);
    q[1] = (float)(cz * sy * cx + sz * cy * sx);
    q[2] = (float)(sz * cy * cx - cz * sy * sx);
    q[3] = (float)(cz * cy * cx + sz * sy * sx);
}

static bool bone_rotate(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t bone;
    float t[3], r[4];
    if (!find_bone(s, a->word[0], &bone, error))
        return false;
    mmd_pose_get_user(mmd_actor_pose(s->scene->models[s->selected].actor), bone, t, r);
    quaternion_from_degrees(a->number + 1, r);
    return edit_bone(s, bone, t, r, error);
}

static bool bone_translate(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t bone;
    float t[3], r[4];
    if (!find_bone(s, a->word[0], &bone, error))
        return false;
    mmd_pose_get_user(mmd_actor_pose(s->scene->models[s->selected].actor), bone, t, r);
    for (int i = 0; i < 3; i++)
        t[i] = (float)a->number[i + 1];
    return edit_bone(s, bone, t, r, error);
}

/* All morphs of the name, as MMD does. */
static bool morph_set(odori_session *s, const command_arguments *a, char *error)
{
    const scene_model *m = selected_model(s, error);
    if (!m)
        return false;
    bool found = false;
    history_begin(&s->history);
    for (uint32_t i = 0; i < m->model->morph_count; i++) {
        if (strcmp(m->model->morphs[i].name, a->word[0]) != 0)
            continue;
        found = true;
        if (!history_morph(&s->history, s->selected, i, (float)a->number[1]))
            return refuse(error, "out of memory");
    }
    session_touch(s);
    session_go(s, s->frame);
    return found || refuse(error, "the model has no morph \"%.100s\"", a->word[0]);
}

static bool morph_reset(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    const scene_model *m = selected_model(s, error);
    if (!m)
        return false;
    history_begin(&s->history);
    for (uint32_t i = 0; i < m->model->morph_count; i++)
        if (!isnan(history_weight(&s->history, s->selected, i)) &&
            !history_morph(&s->history, s->selected, i, NAN))
            return refuse(error, "out of memory");
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

static bool find_model(const odori_session *s, double number, size_t *index, char *error)
{
    if (number != floor(number) || number < 0 || number >= (double)s->scene->model_count)
        return refuse(error, "there is no model %g; there %s %zu, the first is 0", number,
                      s->scene->model_count == 1 ? "is" : "are", s->scene->model_count);
    *index = (size_t)number;
    return true;
}

static bool model_select(odori_session *s, const command_arguments *a, char *error)
{
    return find_model(s, a->number[0], &s->selected, error);
}

/* How the selected model stands and is drawn. */

static bool get_staging(const odori_session *s, mmd_staging *staging, char *error)
{
    if (!selected_model(s, error))
        return false;
    *staging = *mmd_stage_staging(s->scene->stage, s->selected);
    return true;
}

static bool set_staging(odori_session *s, const mmd_staging *staging)
{
    mmd_stage_set_staging(s->scene->stage, s->selected, staging);
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

static bool model_place(odori_session *s, const command_arguments *a, char *error)
{
    mmd_staging staging;
    if (!get_staging(s, &staging, error))
        return false;
    for (int i = 0; i < 7; i++)
        if (fabs(a->number[i]) > STAGING_FAR)
            return refuse(error, "%g is further than a million", a->number[i]);
    for (int i = 0; i < 3; i++) {
        staging.position[i] = (float)a->number[i];
        staging.rotation[i] = (float)(a->number[3 + i] * RADIANS);
    }
    staging.scale = (float)a->number[6];
    return set_staging(s, &staging);
}

static bool model_attach(odori_session *s, const command_arguments *a, char *error)
{
    mmd_staging staging;
    size_t holder = 0;
    if (!get_staging(s, &staging, error) || !find_model(s, a->number[0], &holder, error))
        return false;
    if (holder == s->selected)
        return refuse(error, "a model cannot be fixed to its own bone");
    const scene_model *m = &s->scene->models[holder];
    staging.parent = a->word[1][0] ? m->actor : NULL;
    staging.parent_bone = a->word[1][0] ? mmd_model_find_bone(m->model, a->word[1]) : -1;
    if (staging.parent && staging.parent_bone < 0)
        return refuse(error, "model %zu has no bone \"%.100s\"", holder, a->word[1]);
    return set_staging(s, &staging);
}

static bool model_opacity(odori_session *s, const command_arguments *a, char *error)
{
    mmd_staging staging;
    if (a->number[0] < 0 || a->number[0] > 1)
        return refuse(error, "an opacity of %g is not between 0 and 1", a->number[0]);
    if (!get_staging(s, &staging, error))
        return false;
    staging.opacity = (float)a->number[0];
    return set_staging(s, &staging);
}

static bool model_order(odori_session *s, const command_arguments *a, char *error)
{
    mmd_staging staging;
    if (a->number[0] != floor(a->number[0]) || fabs(a->number[0]) > STAGING_FAR)
        return refuse(error, "%g is not a whole number within a million", a->number[0]);
    if (!get_staging(s, &staging, error))
        return false;
    staging.draw_order = (int32_t)a->number[0];
    return set_staging(s, &staging);
}

static bool model_additive(odori_session *s, const command_arguments *a, char *error)
{
    mmd_staging staging;
    if (!get_staging(s, &staging, error))
        return false;
    staging.additive = a->on[0];
    return set_staging(s, &staging);
}

static bool model_shadow(odori_session *s, const command_arguments *a, char *error)
{
    mmd_staging staging;
    if (!get_staging(s, &staging, error))
        return false;
    staging.self_shadow = staging.ground_shadow = a->on[0];
    return set_staging(s, &staging);
}

/* Nothing to undo is no mistake: a key may be pressed at any time. */
static bool undo(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    if (history_undo(&s->history)) {
        session_touch(s);
        session_go(s, s->frame);
    }
    return true;
}

static bool redo(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    if (history_redo(&s->history)) {
        session_touch(s);
        session_go(s, s->frame);
    }
    return true;
}

/* Camera and light. */

static bool camera_set(odori_session *s, const command_arguments *a, char *error)
{
    if (a->number[7] <= 0 || a->number[7] >= 180)
        return refuse(error, "a field of view of %g is not between 0 and 180 degrees", a->number[7]);
    mmd_camera camera = {.distance = (float)a->number[0], .fov = (float)a->number[7], .perspective = true};
    for (int i = 0; i < 3; i++) {
        camera.position[i] = (float)a->number[1 + i];
        camera.rotation[i] = (float)a->number[4 + i];
    }
    mmd_stage_set_camera(s->scene->stage, &camera);
    session_go(s, s->frame);
    return true;
}

static bool camera_perspective(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    mmd_camera camera = *mmd_stage_camera(s->scene->stage);
    camera.perspective = a->on[0];
    mmd_stage_set_camera(s->scene->stage, &camera);
    session_go(s, s->frame);
    return true;
}

static bool camera_orbit(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    session_orbit(s, a->number[0], a->number[1]);
    return true;
}

static bool camera_pan(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    session_pan(s, a->number[0], a->number[1]);
    return true;
}

static bool camera_zoom(odori_session *s, const command_arguments *a, char *error)
{
    if (a->number[0] <= 0)
        return refuse(error, "a factor of %g is not above 0", a->number[0]);
    session_zoom(s, a->number[0]);
    return true;
}

static bool camera_reset(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    mmd_camera camera = *mmd_stage_default_camera(s->scene->stage);
    mmd_stage_set_camera(s->scene->stage, &camera);
    session_go(s, s->frame);
    return true;
}

static bool camera_motion(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    mmd_camera camera = *mmd_stage_camera(s->scene->stage);
    mmd_stage_set_camera(s->scene->stage, a->on[0] ? NULL : &camera);
    session_go(s, s->frame);
    return true;
}

static bool light_color(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    float color[3] = {(float)a->number[0], (float)a->number[1], (float)a->number[2]};
    mmd_stage_set_light_color(s->scene->stage, color);
    session_go(s, s->frame);
    return true;
}

static bool light_direction(odori_session *s, const command_arguments *a, char *error)
{
    float direction[3] = {(float)a->number[0], (float)a->number[1], (float)a->number[2]};
    if (direction[0] == 0 && direction[1] == 0 && direction[2] == 0)
        return refuse(error, "%g %g %g is no direction", a->number[0], a->number[1], a->number[2]);
    mmd_stage_set_light_direction(s->scene->stage, direction);
    session_go(s, s->frame);
    return true;
}

/* Time. */

static bool play(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    s->playing = s->changed = true;
    return true;
}

static bool pause_playing(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    s->playing = false;
    s->changed = true;
    return true;
}

static bool play_toggle(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    s->playing = !s->playing;
    s->changed = true;
    return true;
}

static bool frame_set(odori_session *s, const command_arguments *a, char *error)
{
    if (a->number[0] < 0 || a->number[0] > 4294967295.0)
        return refuse(error, "%g is not a frame", a->number[0]);
    session_go(s, a->number[0]);
    return true;
}

/* A step lands on a whole frame and stops playing: it is for looking closely. */
static bool frame_step(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->playing = false;
    session_go(s, floor(s->frame + 0.5) + a->number[0]);
    return true;
}

/* Physics. */

/* From the first frame on, as everything is that physics makes of a frame. */
static bool start_physics(odori_session *s, bool on, char *error)
{
    mmd_error why = {0};
    if (!physics_switch(s->scene, on ? &s->scene->physics_now : NULL, &why))
        return refuse(error, "%.200s", why.message);
    session_restart(s);
    session_go(s, s->frame);
    return true;
}

static bool physics(odori_session *s, const command_arguments *a, char *error)
{
    return start_physics(s, a->on[0], error);
}

static bool physics_reset(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    return start_physics(s, mmd_stage_physics(s->scene->stage) != NULL, error);
}

static bool physics_gravity(odori_session *s, const command_arguments *a, char *error)
{
    float *gravity = s->scene->physics_now.gravity;
    for (int k = 0; k < 3; k++)
        if (fabs(a->number[k]) > STAGING_FAR)
            return refuse(error, "%g is more than a million", a->number[k]);
    for (int k = 0; k < 3; k++)
        gravity[k] = (float)a->number[k];
    mmd_stage_set_gravity(s->scene->stage, gravity);
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

static bool physics_ground(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->scene->physics_now.ground = a->on[0];
    mmd_stage_set_ground(s->scene->stage, a->on[0]);
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

/* View. */

static bool view_edge(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->view.edge = a->on[0];
    s->changed = true;
    return true;
}

static bool view_grid(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->view.grid = a->on[0];
    s->changed = true;
    return true;
}

static bool view_self_shadow(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->view.self_shadow = a->on[0];
    s->changed = true;
    return true;
}

static bool view_ground_shadow(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->view.ground_shadow = a->on[0];
    s->changed = true;
    return true;
}

static bool view_bodies(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->view.show_bodies = a->on[0];
    s->changed = true;
    return true;
}

static bool view_joints(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->view.show_joints = a->on[0];
    s->changed = true;
    return true;
}

static bool view_contacts(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->view.show_contacts = a->on[0];
    s->changed = true;
    return true;
}

static bool view_shading(odori_session *s, const command_arguments *a, char *error)
{
    bool smooth = strcmp(a->word[0], "smooth") == 0;
    if (!smooth && strcmp(a->word[0], "mmd") != 0)
        return refuse(error, "\"%.40s\" is not mmd or smooth", a->word[0]);
    s->view.shading = smooth ? MMD_SHADING_SMOOTH : MMD_SHADING_MMD;
    s->changed = true;
    return true;
}

static bool view_background(odori_session *s, const command_arguments *a, char *error)
{
    float color[4] = {0};
    if (strcmp(a->word[0], "transparent") != 0) {
        if (!parse_color(a->word[0], color))
            return refuse(error, "\"%.40s\" is not RRGGBB or transparent", a->word[0]);
        color[3] = 1.0f;
    }
    memcpy(s->view.background, color, sizeof color);
    s->changed = true;
    return true;
}

static bool file_open(odori_session *s, const command_arguments *a, char *error)
{
    if (!s->opener)
        return refuse(error, "files are opened by play alone");
    return opener_open(s, a->word, a->count, error);
}

static bool quit(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    s->quit = true;
    return true;
}

static bool help(odori_session *s, const command_arguments *a, char *error);

static const command commands[] = {
    {"bone.rotate", "wrrr", "NAME X Y Z",
     "turns a bone: degrees, about X, then Y, then Z; replaces the last turn", bone_rotate},
    {"bone.translate", "wrrr", "NAME X Y Z", "moves a bone; replaces the last move", bone_translate},
    {"morph.set", "wr", "NAME WEIGHT", "holds a morph's weight", morph_set},
    {"morph.reset", "", "", "gives all morphs back to the motion", morph_reset},
    {"model.select", "r", "NUMBER",
     "the model that bone, morph and model commands mean; the first named is 0", model_select},
    {"model.place", "rrrrrrr", "X Y Z RX RY RZ SCALE", "where it stands, in units, degrees, times its size",
     model_place},
    {"model.attach", "rw", "MODEL BONE", "fixes it to a bone of another model; \"\": to none", model_attach},
    {"model.opacity", "r", "ALPHA", "0 to 1", model_opacity},
    {"model.order", "r", "N",
     "lower is drawn first: the stage -2, the first accessory -1, models 0, other accessories 1",
     model_order},
    {"model.additive", "s", "on|off", "its colours add to what is behind it", model_additive},
    {"model.shadow", "s", "on|off", "it throws and takes shadows", model_shadow},
    {"undo", "", "", "takes the last edit of bones or morphs back", undo},
    {"redo", "", "", "makes it again", redo},
    {"camera.set", "rrrrrrrr", "DISTANCE X Y Z RX RY RZ FOV",
     "the numbers of `dump`: target, radians, degrees", camera_set},
    {"camera.orbit", "rr", "RIGHT DOWN", "turns what is seen, degrees", camera_orbit},
    {"camera.pan", "rr", "RIGHT UP", "moves what is seen, units", camera_pan},
    {"camera.zoom", "r", "FACTOR", "multiplies the distance", camera_zoom},
    {"camera.reset", "", "", "MMD's default camera; of scenes of interchange their own", camera_reset},
    {"camera.perspective", "s", "on|off", "or orthographic, from where it is", camera_perspective},
    {"camera.motion", "s", "on|off", "follows the motion's camera, or stays", camera_motion},
    {"light.color", "rrr", "R G B", "0 to 1", light_color},
    {"light.direction", "rrr", "X Y Z", "from the light", light_direction},
    {"play", "", "", "starts playing", play},
    {"pause", "", "", "stops playing", pause_playing},
    {"play.toggle", "", "", "starts or stops playing", play_toggle},
    {"frame.set", "r", "FRAME", "goes to a frame", frame_set},
    {"frame.step", "r", "N", "stops, and goes N frames on (or back)", frame_step},
    {"physics", "s", "on|off", "hair and clothes swing, or bodies stay with their bones", physics},
    {"physics.gravity", "rrr", "X Y Z", "units/s², from now on; 0 -98 0 is MMD's", physics_gravity},
    {"physics.ground", "s", "on|off", "a floor at height 0 that bodies rest on, from now on", physics_ground},
    {"physics.reset", "", "", "simulates anew from the first frame: what edits carried along is forgotten",
     physics_reset},
    {"view.edge", "s", "on|off", "outlines", view_edge},
    {"view.grid", "s", "on|off", "grid and axes", view_grid},
    {"view.self-shadow", "s", "on|off", "shadows of models on each other", view_self_shadow},
    {"view.ground-shadow", "s", "on|off", "flat shadows on the ground", view_ground_shadow},
    {"view.shading", "w", "mmd|smooth", "light at vertices or at pixels", view_shading},
    {"view.bodies", "s", "on|off", "rigid and soft bodies as lines: green follows a bone, red and blue swing",
     view_bodies},
    {"view.joints", "s", "on|off", "what holds them together", view_joints},
    {"view.contacts", "s", "on|off", "where they touch", view_contacts},
    {"view.background", "w", "RRGGBB|transparent", "", view_background},
    {"file.open", "+", "PATH...",
     "adds models, accessories and motions; a project or a picture takes the scene's place (play)",
     file_open},
    {"quit", "", "", "ends the program (play)", quit},
    {"help", "", "", "prints this table", help},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static bool help(odori_session *s, const command_arguments *a, char *error)
{
    (void)s, (void)a, (void)error;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        char usage[80];
        snprintf(usage, sizeof usage, "%s %s", commands[i].name, commands[i].arguments);
        fprintf(stderr, "%-46s %s\n", usage, commands[i].help);
    }
    return true;
}

static bool refuse_count(const command *c, bool is_list, size_t wanted, size_t count, char *error)
{
    if (!wanted)
        return refuse(error, "%s takes no arguments, not %zu", c->name, count);
    return refuse(error, "%s takes %zu argument%s%s, not %zu: %s %s", c->name, wanted, wanted == 1 ? "" : "s",
                  is_list ? " or more" : "", count, c->name, c->arguments);
}

static bool read_arguments(const command *c, char *const *words, size_t count, command_arguments *a,
                           char *error)
{
    size_t wanted = strlen(c->spec);
    bool is_list = c->spec[0] == '+';
    if (is_list ? count == 0 : count != wanted)
        return refuse_count(c, is_list, wanted, count, error);
    a->count = count;
    for (size_t i = 0; i < count; i++) {
        a->word[i] = words[i];
        if (is_list)
            continue;
        if (c->spec[i] == 'r' && (!parse_real(words[i], &a->number[i]) || fabs(a->number[i]) > 1e30))
            return refuse(error, "%s: \"%.40s\" is not a number", c->name, words[i]);
        if (c->spec[i] == 's' && !parse_switch(words[i], &a->on[i]))
            return refuse(error, "%s: \"%.40s\" is not on or off", c->name, words[i]);
    }
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The quoted word behind the quote at *at, written to out; *at moves behind the closing quote. */
static bool read_quoted(const char **at, const char *end, char **out)
{
    for (const char *c = *at + 1; c < end; c++) {
        if (*c == '"') {
            *at = c + 1;
            return true;
        }
        if (*c == '\\' && c + 1 < end && (c[1] == '"' || c[1] == '\\'))
            c++;
        *(*out)++ = *c;
    }
    return false;
}

/* Cuts a line into words in storage, which is longer than the line by two bytes. */
static bool split(const char *line, size_t length, char *storage, char **words, size_t *count, char *error)
{
    const char *at = line, *end = line + length;
    *count = 0;
    for (;;) {
        while (at < end && is_blank(*at))
            at++;
        if (at == end || *at == '#')
            return true;
        if (*count == COMMAND_ARGUMENTS_MAX + 1)
            return refuse(error, "more than %d words", COMMAND_ARGUMENTS_MAX + 1);
        words[(*count)++] = storage;
        while (at < end && !is_blank(*at)) {
            if (*at == '"') {
                if (!read_quoted(&at, end, &storage))
                    return refuse(error, "a quote is not closed");
            } else {
                *storage++ = *at++;
            }
        }
        *storage++ = '\0';
    }
}

bool command_run(odori_session *s, const char *line, size_t length, char *error)
{
    char storage[COMMAND_LINE_MAX + 2], *words[COMMAND_ARGUMENTS_MAX + 1];
    size_t count;
    if (length > COMMAND_LINE_MAX)
        return refuse(error, "longer than %d bytes", COMMAND_LINE_MAX);
    if (memchr(line, '\0', length))
        return refuse(error, "a NUL in it");
    if (!split(line, length, storage, words, &count, error))
        return false;
    if (count == 0)
        return true;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        command_arguments arguments = {0};
        if (strcmp(words[0], commands[i].name) != 0)
            continue;
        bool ran = read_arguments(&commands[i], words + 1, count - 1, &arguments, error) &&
                   commands[i].run(s, &arguments, error);
        if (ran && s->record) {
            mmd_write_bytes(s->record, line, length);
            mmd_write_u8(s->record, '\n');
        }
        return ran;
    }
    return refuse(error, "unknown command \"%.60s\"; `help` lists them", words[0]);
}

void command_format(odori_session *s, const char *format, ...)
{
    char line[COMMAND_LINE_MAX], error[COMMAND_ERROR_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (!command_run(s, line, strlen(line), error))
        message("%s", error);
}

static int execute_text(odori_session *s, const char *name, const char *text, size_t size)
{
    const char *end = text + size;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3; /* the mark that some editors put in front of UTF-8 */
    for (unsigned number = 1; text < end; number++) {
        char error[COMMAND_ERROR_MAX];
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        if (!stop)
            stop = end;
        if (!command_run(s, text, (size_t)(stop - text), error)) {
            message("%s:%u: %s", name, number, error);
            return EXIT_USAGE;
        }
        text = stop < end ? stop + 1 : end;
    }
    return EXIT_DONE;
}

static int execute_stdin(odori_session *s)
{
    char *text = NULL;
    size_t size = 0, capacity = 0;
    int result = EXIT_FACILITY;
    for (;;) {
        if (size == capacity) {
            capacity = capacity ? 2 * capacity : 4096;
            char *grown = mmd_realloc(text, capacity);
            if (!grown) {
                message("out of memory");
                goto done;
            }
            text = grown;
        }
        size_t got = fread(text + size, 1, capacity - size, stdin);
        size += got;
        if (got == 0)
            break;
    }
    result = execute_text(s, "stdin", text, size);
done:
    mmd_free(text);
    return result;
}

static int execute_file(odori_session *s, const char *path)
{
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    if (mmd_file_read(path, &bytes, &error) != MMD_OK) {
        mmd_error_set_file(&error, path);
        return report(&error);
    }
    int result = execute_text(s, path, (const char *)bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    return result;
}

bool commands_hold_from_start(odori_session *s, char error[COMMAND_ERROR_MAX])
{
    return !mmd_stage_physics(s->scene->stage) || start_physics(s, true, error);
}

int commands_execute(odori_session *s, const text_list *files)
{
    int result = EXIT_DONE;
    /* Commands see the scene as it stands, camera and all. */
    session_go(s, s->frame);
    for (size_t i = 0; i < files->count && result == EXIT_DONE; i++)
        result = strcmp(files->items[i], "-") == 0 ? execute_stdin(s) : execute_file(s, files->items[i]);
    char error[COMMAND_ERROR_MAX];
    if (files->count && result == EXIT_DONE && !commands_hold_from_start(s, error)) {
        message("%s", error);
        result = EXIT_FACILITY;
    }
    return result;
}
