/*
 * A minimal Bullet program: a PMX scene stepped as one writes it straight
 * against Bullet's documentation (a stock btDiscreteDynamicsWorld, dbvt, a
 * motion state for each body), with the same shapes, joints and numbers as
 * ours. What `physics` costs and how well its joints hold is measured against it.
 */
#ifndef ODORI_MINIMAL_BULLET_H
#define ODORI_MINIMAL_BULLET_H

#include "mmd/physics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct minimal_bullet minimal_bullet;

/* The scene is a model's (mmd_model_physscene): one shape a body, PMX's joints of kind 0. Outlived by it. */
minimal_bullet *minimal_bullet_create(const mmd_phys_world *settings, const mmd_physscene *scene);
void minimal_bullet_destroy(minimal_bullet *bullet);

/* One step: kinematic bodies to their targets (one a body), and all transforms out. */
void minimal_bullet_step(minimal_bullet *bullet, const mmd_transform *targets);

/* As many as bodies, of the last step. */
const mmd_transform *minimal_bullet_transforms(const minimal_bullet *bullet);

#ifdef __cplusplus
}
#endif

#endif
