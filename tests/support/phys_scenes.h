/* Physics scenes built by hand, in metres, for tests of the examples in docs/formats.md 1 and 2. The
 * resulting scene is in MMD's units (8 cm), as all scenes are. */
#ifndef ODORI_PHYS_SCENES_H
#define ODORI_PHYS_SCENES_H

#include "mmd/physics.h"

#define METRES(length) ((length) / 0.08f)

enum { PHYS_SCENE_ROOM = 64 };

typedef struct phys_builder {
    mmd_physscene scene;
    mmd_phys_body bodies[PHYS_SCENE_ROOM];
    mmd_phys_shape shapes[PHYS_SCENE_ROOM];
    mmd_phys_material materials[PHYS_SCENE_ROOM];
    mmd_phys_filter filters[PHYS_SCENE_ROOM];
    mmd_phys_joint joints[PHYS_SCENE_ROOM];
    mmd_phys_limit limits[PHYS_SCENE_ROOM];
    mmd_phys_drive drives[PHYS_SCENE_ROOM];
} phys_builder;

/* Begins an empty scene with the world settings of glTF. */
void phys_begin(phys_builder *builder);

/* Adds a body at a position, with a mass in kg, and returns its index. Without shapes it has the inertia of a
 * box of 1 m. */
int32_t phys_body(phys_builder *builder, mmd_phys_motion motion, float x, float y, float z, float mass);

/* Add a shape to the last body: a box of half extents or a sphere of a radius. */
mmd_phys_shape *phys_box(phys_builder *builder, float x, float y, float z);
mmd_phys_shape *phys_sphere(phys_builder *builder, float radius);

/* Add a joint between two bodies (-1: the world) at a position. Its axes are those of the world;
 * phys_joint_turned rotates them by a quaternion. */
mmd_phys_joint *phys_joint(phys_builder *builder, int32_t a, int32_t b, float x, float y, float z);
mmd_phys_joint *phys_joint_turned(phys_builder *builder, int32_t a, int32_t b, float x, float y, float z,
                                  const float rotation[4]);

/* Add a limit (metres or radians) or a drive to the last joint. All values of the drive are zero except for
 * max_force. */
mmd_phys_limit *phys_limit(phys_builder *builder, mmd_phys_limit_kind kind, uint8_t axes, float min,
                           float max);
mmd_phys_drive *phys_drive(phys_builder *builder, mmd_phys_drive_kind kind, uint8_t axis);

/* Checks the scene and creates a Bullet world of it. Free the world with mmd_world_destroy. */
mmd_world *phys_world(const phys_builder *builder);

void phys_run(mmd_world *world, float seconds);

/* Reads the position of a body's frame, in metres. */
void phys_position(const mmd_world *world, int32_t body, float position[3]);

/* Return the distance in metres and the angle in radians between the two frames of a joint. */
float phys_gap(const phys_builder *builder, const mmd_world *world, uint32_t joint);
float phys_angle(const phys_builder *builder, const mmd_world *world, uint32_t joint);

#endif
