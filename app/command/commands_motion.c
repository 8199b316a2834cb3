/* Commands for the motions of a model: weights, and fades from one dance to the next. */
#include <math.h>
#include <string.h>

#include "base/parse.h"
#include "command_group.h"
#include "mmd/source.h"
#include "mmd/simulation.h"
#include "scene/edited_motion.h"
#include "scene/fade.h"

/* Limits of positions and velocities, and of the difference of a quaternion's squared length from 1. */
#define FAR        1e6
#define FAST       1e9
#define LENGTH_OFF 1e-3

/* Tests whether a word is the name of a file, with or without its extension. */
static bool is_name(const char *word, const char *file)
{
    const char *dot = strrchr(file, '.');
    size_t stem = dot && dot != file ? (size_t)(dot - file) : strlen(file);
    return strcmp(word, file) == 0 || (strlen(word) == stem && memcmp(word, file, stem) == 0);
}

/* Finds a motion of the selected model by its number or by the name of its file. */
static bool find_motion(const odori_session *s, const char *word, size_t *number, size_t *slot, char *error)
{
    double given;
    size_t count = fade_count_motions(s->scene, s->selected), found = 0;
    char whose[SESSION_NAME_MAX];
    session_model_name(s, s->selected, whose);
    if (parse_real(word, &given)) {
        if (given == floor(given) && given >= 0 && given < 1e6 &&
            fade_find_motion(s->scene, s->selected, (size_t)given, slot)) {
            *number = (size_t)given;
            return true;
        }
        return refuse_with(error, "%s has no motion %.20s; the first is 0", whose, word);
    }
    for (size_t i = count; i > 0; i--)
        if (is_name(word, fade_motion_name(s->scene, s->selected, i - 1))) {
            *number = i - 1;
            found++;
        }
    if (found > 1)
        return refuse_with(error, "%s has %zu motions of the name \"%.80s\"; give a number, the first is 0",
                           whose, found, word);
    return (found && fade_find_motion(s->scene, s->selected, *number, slot)) ||
           refuse_with(error, "%s has no motion of the name \"%.80s\"", whose, word);
}

/* Sets the weight of a motion. Physics restarts, because all its states change. */
static bool motion_weight(odori_session *s, const command_arguments *a, char *error)
{
    size_t number, slot;
    const scene_model *m = session_selected_model(s, error);
    if (!m || !find_motion(s, a->word[0], &number, &slot, error))
        return false;
    if (!(a->number[1] >= 0 && a->number[1] <= 1))
        return refuse_with(error, "a weight of %g is not between 0 and 1", a->number[1]);
    mmd_stage_settle(s->scene->stage);
    if (mmd_actor_set_weight(m->actor, slot, (float)a->number[1], NULL) != MMD_OK)
        return refuse_with(error, "out of memory");
    session_restart(s);
    session_go(s, s->frame);
    return true;
}

/* Uses camera and light of a motion, or no longer. Motions without them are not counted. */
static bool motion_camera(odori_session *s, const command_arguments *a, char *error)
{
    double given = -1;
    bool has_number = parse_real(a->word[0], &given);
    size_t number = 0, found = 0, source = 0;
    if (s->is_loading)
        return refuse_with(error, "a file is being loaded; try again when it is done");
    for (size_t i = 0; i < s->scene->motion_count; i++) {
        const scene_motion *m = &s->scene->motions[i];
        if (!mmd_motion_is_for_stage(m->motion))
            continue;
        if (has_number ? (double)number == given : is_name(a->word[0], mmd_path_name(m->path))) {
            source = i;
            found++;
        }
        number++;
    }
    if (found != 1)
        return refuse_with(error, "%s \"%.80s\" that %s camera or light; there %s %zu, the first is 0",
                           found ? "several motions have the name" : "there is no motion", a->word[0],
                           found ? "have" : "has", number == 1 ? "is" : "are", number);
    if (!edited_motion_use_on_stage(s->scene, source, a->on[1]))
        return refuse_with(error, "out of memory");
    session_go(s, s->frame);
    return true;
}

static bool motion_fade(odori_session *s, const command_arguments *a, char *error)
{
    if (!(a->number[0] >= 0 && a->number[0] <= FADE_SECONDS_MAX))
        return refuse_with(error, "%g seconds are not between 0 and %g", a->number[0], FADE_SECONDS_MAX);
    s->fade_seconds = a->number[0];
    return true;
}

/* Makes a motion the one that was danced before. */
static bool motion_fade_out(odori_session *s, const command_arguments *a, char *error)
{
    size_t number, slot;
    const char *why;
    const mmd_fade fade = {a->number[1], a->number[2], a->number[3]};
    if (s->is_loading) /* it takes the motion out of the list, which is being read again */
        return refuse_with(error, "a file is being loaded; try again when it is done");
    if (!session_selected_model(s, error) || !find_motion(s, a->word[0], &number, &slot, error))
        return false;
    for (int i = 1; i < 4; i++)
        if (!(fabs(a->number[i]) <= 4294967295.0))
            return refuse_with(error, "%g is not a number of frames", a->number[i]);
    if (fade.begins > fade.ends)
        return refuse_with(error, "the fade ends at frame %g, before it begins at frame %g", fade.ends,
                           fade.begins);
    if (fade.ends - fade.begins > FADE_FRAMES_MAX)
        return refuse_with(error, "a fade of %g frames is longer than %g", fade.ends - fade.begins,
                           FADE_FRAMES_MAX);
    mmd_stage_settle(s->scene->stage);
    if (!fade_out(s->scene, s->selected, number, &fade, &why))
        return refuse_with(error, "motion %zu cannot fade out: %s", number, why);
    session_restart(s);
    session_go(s, s->frame);
    return true;
}

/* Reads a start of a body from the arguments after its number. */
static bool read_start(const command_arguments *a, mmd_body_start *start, char *error)
{
    double length = 0;
    *start = (mmd_body_start){.transform = {.translation = {0}}};
    for (int i = 1; i < 14; i++)
        if (!(fabs(a->number[i]) <= (i < 8 ? FAR : FAST)))
            return refuse_with(error, "%g is out of range", a->number[i]);
    for (int k = 0; k < 4; k++) {
        start->transform.rotation[k] = (float)a->number[4 + k];
        length += a->number[4 + k] * a->number[4 + k];
    }
    for (int k = 0; k < 3; k++) {
        start->transform.translation[k] = (float)a->number[1 + k];
        start->velocity.linear[k] = (float)a->number[8 + k];
        start->velocity.angular[k] = (float)a->number[11 + k];
    }
    return fabs(length - 1) <= LENGTH_OFF || refuse_with(error, "the rotation is not a unit quaternion");
}

static bool body_start(odori_session *s, const command_arguments *a, char *error)
{
    mmd_body_start start;
    const scene_model *m = session_selected_model(s, error);
    if (!m || !read_start(a, &start, error))
        return false;
    uint32_t count = m->model->physscene ? m->model->physscene->body_count : m->model->body_count;
    if (a->number[0] != floor(a->number[0]) || !(a->number[0] >= 0 && a->number[0] < count)) {
        char whose[SESSION_NAME_MAX];
        session_model_name(s, s->selected, whose);
        return refuse_with(error, "%s has no body %g; it has %u, the first is 0", whose, a->number[0], count);
    }
    if (mmd_stage_start_body(s->scene->stage, s->selected, (uint32_t)a->number[0], &start, NULL) != MMD_OK)
        return refuse_with(error, "out of memory");
    session_restart(s);
    return true;
}

static const command commands[] = {
    {"motion.weight", "wr", "NUMBER|NAME WEIGHT",
     "mixes a motion of the model, by number from 0 or name of its file, with those below it: 0 to 1",
     motion_weight, .replay = REPLAY_RUNS},
    {"motion.camera", "ws", "NUMBER|NAME on|off",
     "uses camera and light of a motion, or no longer, by number from 0 of those that have any, or its name",
     motion_camera, .replay = REPLAY_RUNS},
    {"motion.fade", "r", "SECONDS",
     "length of the fade to the next dance or an opened motion; 0: a cut (play)", motion_fade,
     .replay = REPLAY_SKIPS},
    {"motion.fade-out", "wrrr", "NUMBER|NAME AHEAD BEGIN END",
     "makes a motion the dance before: so many frames ahead, it gives way to the others between two frames",
     motion_fade_out, .replay = REPLAY_RUNS},
    {"body.start", "rrrrrrrrrrrrrr", "NUMBER X Y Z QX QY QZ QW VX VY VZ WX WY WZ",
     "where a body of the model is when physics begins, and its velocity: units, radians, seconds",
     body_start, .replay = REPLAY_RUNS},
};

const command_group commands_of_motion = {commands, sizeof commands / sizeof *commands};
