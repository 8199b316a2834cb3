/*
 * Physics scenes made by hand, in metres, for tests: the examples of
 * docs/formats.md 1 and 2 are small enough to be said in a few lines. A scene of
 * them is in MMD's units (8 cm), as all scenes are.
 */
#ifndef ODORI_PHYS_SCENES_H
#define ODORI_PHYS_SCENES_H

#include "mmd/physics.h"

#define METRES(length) ((length) / 0.08f)

enum { PHYS_SCENE_ROOM = 64 };

typedef struct phys_maker {
    mmd_physscene scene;
    mmd_phys_body bodies[PHYS_SCENE_ROOM];
    mmd_phys_shape shapes[PHYS_SCENE_ROOM];
    mmd_phys_material materials[PHYS_SCENE_ROOM];
    mmd_phys_filter filters[PHYS_SCENE_ROOM];
    mmd_phys_joint joints[PHYS_SCENE_ROOM];
    mmd_phys_limit limits[PHYS_SCENE_ROOM];
    mmd_phys_drive drives[PHYS_SCENE_ROOM];
} phys_maker;

/* An empty scene in glTF's world. */
void phys_begin(phys_maker *maker);

/* A body at a place, of a mass in kg; without shapes it has the inertia of a box of 1 m. Returns its number.
 */
int32_t phys_body(phys_maker *maker, mmd_phys_motion motion, float x, float y, float z, float mass);

/* A shape of the last body that was made: a box of half extents, a sphere of a radius. */
mmd_phys_shape *phys_box(phys_maker *maker, float x, float y, float z);
mmd_phys_shape *phys_sphere(phys_maker *maker, float radius);

/* A joint of two bodies (-1: the world) at a place, in the world's axes; turned: about them, as a quaternion.
 */
mmd_phys_joint *phys_joint(phys_maker *maker, int32_t a, int32_t b, float x, float y, float z);
mmd_phys_joint *phys_joint_turned(phys_maker *maker, int32_t a, int32_t b, float x, float y, float z,
                                  const float rotation[4]);

/* A limit of the last joint from min to max, metres or radians; a drive of it, all zero but for max_force. */
mmd_phys_limit *phys_limit(phys_maker *maker, mmd_phys_limit_kind kind, uint8_t axes, float min, float max);
mmd_phys_drive *phys_drive(phys_maker *maker, mmd_phys_drive_kind kind, uint8_t axis);

/* A Bullet world of the scene as it is now (checked), for mmd_world_destroy. */
mmd_world *phys_world(const phys_maker *maker);

void phys_run(mmd_world *world, float seconds);

/* Where a body's frame is, in metres. */
void phys_position(const mmd_world *world, int32_t body, float position[3]);

/* The two ends of a joint: how far apart in metres, and the angle between them. */
float phys_gap(const phys_maker *maker, const mmd_world *world, uint32_t joint);
float phys_angle(const phys_maker *maker, const mmd_world *world, uint32_t joint);

#endif
