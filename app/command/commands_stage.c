/* Commands for physics. */
#include <math.h>

#include "commands_internal.h"
#include "mmd/simulation.h"

/* From the first frame on, as everything is that physics makes of a frame. */
bool command_start_physics(odori_session *s, bool on, char *error)
{
    mmd_error why = {0};
    if (!physics_switch(s->scene, on ? &s->scene->physics_now : NULL, &why))
        return refuse_with(error, "%.200s", why.message);
    session_restart(s);
    session_go(s, s->frame);
    return true;
}

static bool physics(odori_session *s, const command_arguments *a, char *error)
{
    return command_start_physics(s, a->on[0], error);
}

static bool physics_reset(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    return command_start_physics(s, mmd_stage_physics(s->scene->stage) != NULL, error);
}

static bool physics_gravity(odori_session *s, const command_arguments *a, char *error)
{
    float *gravity = s->scene->physics_now.gravity;
    for (int k = 0; k < 3; k++)
        if (fabs(a->number[k]) > STAGING_FAR)
            return refuse_with(error, "%g is more than a million", a->number[k]);
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

static const command commands[] = {
    {"physics", "s", "on|off", "hair and clothes swing, or bodies stay with their bones", physics},
    {"physics.gravity", "rrr", "X Y Z", "units/s², from now on; 0 -98 0 is MMD's", physics_gravity},
    {"physics.ground", "s", "on|off", "a floor at height 0 that bodies rest on, from now on", physics_ground},
    {"physics.reset", "", "", "simulates anew from the first frame: what edits carried along is forgotten",
     physics_reset},
};

const command_group commands_of_physics = {commands, sizeof commands / sizeof *commands};
