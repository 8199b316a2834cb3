/*
 * A minimal Bullet program that steps a PMX scene as Bullet's documentation suggests (a stock
 * btDiscreteDynamicsWorld, dbvt, a motion state for each body), with the same shapes, joints and values as
 * the engine. The benchmarks compare the cost of the engine's physics and the accuracy of its joints with it.
 */
#ifndef ODORI_MINIMAL_BULLET_H
#define ODORI_MINIMAL_BULLET_H

#include "mmd/physics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct minimal_bullet minimal_bullet;

/* Creates the world. The scene must be that of a model (mmd_model_physscene): one shape per body, and PMX's
 * joints of kind 0. It must outlive the world. */
minimal_bullet *minimal_bullet_create(const mmd_phys_world *settings, const mmd_physscene *scene);
void minimal_bullet_destroy(minimal_bullet *bullet);

/* Moves the kinematic bodies to their targets (one for each body), performs one step, and reads all
 * transforms. */
void minimal_bullet_step(minimal_bullet *bullet, const mmd_transform *targets);

/* Returns the transforms of all bodies after the last step. */
const mmd_transform *minimal_bullet_transforms(const minimal_bullet *bullet);

#ifdef __cplusplus
}
#endif

#endif
