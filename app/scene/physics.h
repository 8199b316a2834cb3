/*
 * Physics of a scene: how it is asked for, what a project says of it where
 * nobody asked, and what is told when a body had to be put back.
 */
#ifndef ODORI_PHYSICS_H
#define ODORI_PHYSICS_H

#include "mmd/log.h"
#include "mmd/simulation.h"
#include "base/options.h"

struct odori_scene;
struct common_options;

typedef struct physics_settings {
    bool on;
    mmd_physics_options options;
    bool on_given, gravity_given, ground_given, rate_given, world_given,
        lever_given; /* asked for: they count more than a project's */
} physics_settings;

void physics_settings_init(physics_settings *p, bool on);

/* The options --physics, --gravity and so on. */
option_group group_of_physics(physics_settings *p);

/* How many work at it: as --threads says; where it says nothing as many as there are processors, one of which
 * runs ahead of the frame that is drawn. */
void physics_take_threads(physics_settings *p, const struct common_options *common);

/*
 * Switches physics of a scene on as wanted, or off, and remembers in the scene
 * how that was: what its project says, where the options say nothing, is put
 * in. The scene must not move from here on, or physics_follow be called.
 * Bodies that had to be reset are told to log, once a body.
 */
mmd_status physics_start(struct odori_scene *s, const physics_settings *wanted, const mmd_log *log,
                         mmd_error *error);

/* MMD_ERROR_ARGUMENT where physics is on and nobody could wait for a frame: it is more than a day of motion
 * away. */
mmd_status physics_check_frame(const struct odori_scene *s, double frame, mmd_error *error);

/* Where no motion or animation says how long it takes, but bodies of a file of interchange move by
 * themselves: for ever, which is as far as physics is simulated. */
bool physics_runs_on(const struct odori_scene *s);
double physics_farthest_frame(void);

/* The scene has moved to another place in memory. */
void physics_follow(struct odori_scene *s);

/* Switches it on, or off (options NULL), anew from the first frame. */
mmd_status physics_switch(struct odori_scene *s, const mmd_physics_options *options, mmd_error *error);

#endif
