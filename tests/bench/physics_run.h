/* Shared code of the physics benchmarks: a model on a stage with physics, a record of each step, the same
 * motion run through a minimal Bullet program, and the errors of joints and speeds. */
#ifndef ODORI_PHYSICS_RUN_H
#define ODORI_PHYSICS_RUN_H

#include "minimal_bullet.h"
#include "mmd/simulation.h"

/* A model, its motion (NULL: none) and their stage. */
typedef struct physics_run {
    mmd_model *model;
    mmd_motion *motion;
    mmd_actor *actor;
    mmd_stage *stage;
} physics_run;

/* Reads the files and enables physics. On failure prints the reason and exits with 3. motion may be NULL. */
physics_run physics_run_make(const char *model, const char *motion, const mmd_physics_options *options);
void physics_run_finish(physics_run *run);

/* Returns the physics scene, or NULL if the model has no bodies. */
const mmd_physscene *physics_run_scene(const physics_run *run);

/* Returns the default options, but with the calling thread only. */
mmd_physics_options physics_run_options(void);

/* Allocates memory, or exits if there is none. */
void *physics_run_alloc(size_t count, size_t size);
double physics_run_seconds(void);
double physics_run_median(double *times, size_t count); /* sorts the times */

/* The transforms of all bodies at each step from 0 on: `steps` rows of `bodies` transforms. */
typedef struct physics_record {
    uint32_t bodies, steps;
    mmd_transform *rows;
} physics_record;

physics_record physics_record_make(uint32_t bodies, uint32_t steps);
void physics_record_finish(physics_record *record);
mmd_transform *physics_record_row(const physics_record *record, uint32_t step);

/* Plays `steps` steps and records all bodies at each. */
physics_record physics_run_record(const physics_run *run, uint32_t steps);

/* Plays the same steps with the minimal program. It begins with the first row of the record, and its
 * kinematic bodies follow the record. */
physics_record physics_minimal_record(const mmd_physscene *scene, const mmd_phys_world *settings,
                                      const physics_record *lead);

/* Returns a copy of the scene in which all bodies rest at the transforms of a row. Everything else is
 * borrowed. Free bodies with free. */
mmd_physscene physics_scene_at(const mmd_physscene *scene, const mmd_transform *row);

/* Returns the world settings that a stage uses for these options. */
mmd_phys_world physics_run_world(const mmd_physics_options *options);

/* Returns how far a joint's frames are apart beyond its linear limits, in units. */
double physics_separation(const mmd_physscene *scene, uint32_t joint, const mmd_transform *bodies);

/*
 * Return the linear speed (units/s) and angular speed (radians/s) between two rows that are 1/rate s apart.
 */
double physics_speed(const mmd_transform *before, const mmd_transform *after, double rate);
double physics_turn(const mmd_transform *before, const mmd_transform *after, double rate);

bool physics_moves(const mmd_phys_body *body);
uint32_t physics_count_moving(const mmd_physscene *scene);

/* Returns whether the minimal program supports the scene: it has only joints of PMX's first kind. */
bool physics_minimal_knows(const mmd_physscene *scene);

#endif
