/* Commands for time. */
#include <math.h>

#include "commands_internal.h"

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
        return command_refuse(error, "%g is not a frame", a->number[0]);
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

static const command commands[] = {
    {"play", "", "", "starts playing", play},
    {"pause", "", "", "stops playing", pause_playing},
    {"play.toggle", "", "", "starts or stops playing", play_toggle},
    {"frame.set", "r", "FRAME", "goes to a frame", frame_set},
    {"frame.step", "r", "N", "stops, and goes N frames on (or back)", frame_step},
};

const command_group commands_of_play = {commands, sizeof commands / sizeof *commands};
