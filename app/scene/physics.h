/* Physics of a scene: its options, the settings of a project where no option was given, and warnings when a
 * body has to be reset. */
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
        lever_given; /* which of these were given; they override a project's */
} physics_settings;

void physics_settings_init(physics_settings *p, bool on);

/* Returns the options --physics, --gravity and so on. */
option_group group_of_physics(physics_settings *p);

/* Sets the number of threads from --threads; by default one for each processor. One of them runs ahead of the
 * frame that is drawn. */
void physics_take_threads(physics_settings *p, const struct common_options *common);

/*
 * Switches physics of a scene on or off, and records the settings in the scene, including those of its
 * project where no option was given. Call physics_follow if the scene moves in memory. Bodies that had to be
 * reset are reported to log, each once.
 */
mmd_status physics_start(struct odori_scene *s, const physics_settings *wanted, const mmd_log *log,
                         mmd_error *error);

/* Returns MMD_ERROR_ARGUMENT if physics is on and the frame is more than a day of motion away. */
mmd_status physics_check_frame(const struct odori_scene *s, double frame, mmd_error *error);

/* Tests whether bodies of an interchange file move by themselves while no motion or animation defines a
 * length: then the scene has no end. The second returns the last frame that physics can be simulated to. */
bool physics_runs_on(const struct odori_scene *s);
double physics_farthest_frame(void);

/* Updates pointers after the scene was moved in memory. */
void physics_follow(struct odori_scene *s);

/* Switches physics on, or off (options NULL), starting again from the first frame. */
mmd_status physics_switch(struct odori_scene *s, const mmd_physics_options *options, mmd_error *error);

#endif
