/* Physics scenes built by hand: a few bodies and joints in fixed arrays of the test. */
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
    uint64_t blocks_before; /* blocks in use in the engine's heap before the scene was created */
} made_scene;

/* Creates an empty scene with the world settings of PMX, but without ground and additional damping. Free it
 * with made_destroy. */
made_scene *made_scene_create(void);

/* Adds a body with one shape at its origin. Friction and restitution are 0.5 and 0 and combine by
 * multiplication. It has no filter, no damping and automatic inertia. */
mmd_phys_body *made_body(made_scene *made, mmd_phys_motion motion, mmd_phys_shape_kind kind,
                         const float size[3], float x, float y, float z, float mass);

/* Adds a shape to the last body, at a position in the body's space. */
mmd_phys_shape *made_shape(made_scene *made, mmd_phys_shape_kind kind, const float size[3], float x, float y,
                           float z);

/* Returns the first shape of a body. */
mmd_phys_shape *made_first_shape(made_scene *made, const mmd_phys_body *body);

/* Adds a PMX joint whose frame is at a world position with axes along those of the world. All its axes are
 * locked. */
mmd_phys_joint *made_joint(made_scene *made, mmd_phys_joint_kind kind, int32_t body_a, int32_t body_b,
                           float x, float y, float z);

/* Destroys the scene and the world, which may be NULL. Requires that the engine's heap has as many blocks in
 * use as before the scene was created. */
void made_destroy(made_scene *made, mmd_world *world);

/* Adds a group filter and returns its index. */
int32_t made_filter(made_scene *made, uint8_t group, uint16_t mask);

/* Checks the scene and creates a world of it with its settings. Fails the test if that fails. */
mmd_world *made_world(made_scene *made);

#endif
