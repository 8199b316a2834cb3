/* Physics scenes made by hand: a few bodies and joints in arrays of the test's own. */
#ifndef ODORI_MADE_SCENE_H
#define ODORI_MADE_SCENE_H

#include "mmd/physics.h"

enum { MADE_BODIES = 1100, MADE_JOINTS = 1100, MADE_SHAPES = 1200, MADE_SMALL = 16 };

typedef struct made_scene {
    mmd_physscene scene;
    mmd_phys_world settings;
    mmd_phys_body bodies[MADE_BODIES];
    mmd_phys_shape shapes[MADE_SHAPES];
    mmd_phys_joint joints[MADE_JOINTS];
    mmd_phys_mesh meshes[MADE_SMALL];
    mmd_phys_material materials[MADE_SMALL];
    mmd_phys_filter filters[MADE_SMALL];
    mmd_phys_gravity gravities[MADE_SMALL];
    mmd_phys_soft_body softs[2];
    uint64_t blocks_before; /* of the engine's heap */
} made_scene;

/* An empty scene, for made_destroy; PMX's world without ground and additional damping. */
made_scene *made_scene_create(void);

/* A body with one shape at its origin: multiplying material 0.5 and 0, no filter, no damping, automatic
 * inertia. */
mmd_phys_body *made_body(made_scene *made, mmd_phys_motion motion, mmd_phys_shape_kind kind,
                         const float size[3], float x, float y, float z, float mass);

/* One more shape of the body made last, at this place in it. */
mmd_phys_shape *made_shape(made_scene *made, mmd_phys_shape_kind kind, const float size[3], float x, float y,
                           float z);

/* The first shape of a body. */
mmd_phys_shape *made_first_shape(made_scene *made, const mmd_phys_body *body);

/* A joint of PMX whose frame stands at this place in the world, axes along the world's; all axes locked. */
mmd_phys_joint *made_joint(made_scene *made, mmd_phys_joint_kind kind, int32_t body_a, int32_t body_b,
                           float x, float y, float z);

/* Destroys both, NULL allowed for the world; the engine's heap is then as it was when the scene was made. */
void made_destroy(made_scene *made, mmd_world *world);

/* A filter of groups; returns its number. */
int32_t made_filter(made_scene *made, uint8_t group, uint16_t mask);

/* A world of the scene, checked first, with its settings; fails the test where that does not work. */
mmd_world *made_world(made_scene *made);

#endif
