/*
 * What the programs that measure physics share: a model on a stage with
 * physics, every step of it recorded, the same led through a minimal Bullet
 * program, and how far joints, speeds and numbers are off.
 */
#ifndef ODORI_PHYSICS_RUN_H
#define ODORI_PHYSICS_RUN_H

#include "minimal_bullet.h"
#include "mmd/simulation.h"

/* A model, its motion (NULL: it stands still), and the stage that they are on. */
typedef struct physics_run {
    mmd_model *model;
    mmd_motion *motion;
    mmd_actor *actor;
    mmd_stage *stage;
} physics_run;

/* Files are read, physics is on; says what is wrong and exits with 3 where that fails. motion may be NULL. */
physics_run physics_run_make(const char *model, const char *motion, const mmd_physics_options *options);
void physics_run_finish(physics_run *run);

/* NULL where the model has no bodies. */
const mmd_physscene *physics_run_scene(const physics_run *run);

/* The defaults, on the caller's thread alone. */
mmd_physics_options physics_run_options(void);

/* Memory or the end of the program. */
void *physics_run_alloc(size_t count, size_t size);
double physics_run_seconds(void);
double physics_run_median(double *times, size_t count); /* sorts them */

/* Bodies at every step from 0 on: steps rows of `bodies` transforms. */
typedef struct physics_record {
    uint32_t bodies, steps;
    mmd_transform *rows;
} physics_record;

physics_record physics_record_make(uint32_t bodies, uint32_t steps);
void physics_record_finish(physics_record *record);
mmd_transform *physics_record_row(const physics_record *record, uint32_t step);

/* Plays `steps` steps and keeps all bodies of each. */
physics_record physics_run_record(const physics_run *run, uint32_t steps);

/* The same steps by the minimal program: it begins where the record does, and bodies that are not simulated
 * are led where the record has them. */
physics_record physics_minimal_record(const mmd_physscene *scene, const mmd_phys_world *settings,
                                      const physics_record *lead);

/* The scene with all bodies resting where they are in row; borrows everything else. For free(bodies). */
mmd_physscene physics_scene_at(const mmd_physscene *scene, const mmd_transform *row);

/* The settings of the world that a stage makes with options. */
mmd_phys_world physics_run_world(const mmd_physics_options *options);

/* How far a joint's frames are apart beyond what its linear limits allow, units. */
double physics_separation(const mmd_physscene *scene, uint32_t joint, const mmd_transform *bodies);

/* Units a second and radians a second between two rows of 1/rate s. */
double physics_speed(const mmd_transform *before, const mmd_transform *after, double rate);
double physics_turn(const mmd_transform *before, const mmd_transform *after, double rate);

bool physics_moves(const mmd_phys_body *body);
uint32_t physics_count_moving(const mmd_physscene *scene);

/* The minimal program knows PMX's first kind of joint alone. */
bool physics_minimal_knows(const mmd_physscene *scene);

#endif
