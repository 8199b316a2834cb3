/*
 * Camera and light as a gizmo has them. The camera is what one looks through:
 * its handles are at its target, and each of its angles has a ring. The light
 * comes from everywhere: it has a sun, drawn beside where it is told to shine.
 */
#ifndef ODORI_GIZMO_SCENE_H
#define ODORI_GIZMO_SCENE_H

#include "gizmo.h"

/* Axes of unit length in the world that the camera's angles (degrees, the file's signs) turn about, the other
 * way round; as columns. */
void gizmo_camera_axes(const double angles[3], double axes[9]);

/* The same turn as degrees about X, then Y, then Z (mmd/edit.h). */
void gizmo_camera_degrees(const double angles[3], double degrees[3]);

/* Angles after a change of which gizmo_camera_axes of those before were the axes. */
void gizmo_camera_turned(const gizmo_change *change, const double before[3], double angles[3]);

/* A light's direction after a turn about axes; no part of it is beyond 1, as MMD's sliders have it. */
void gizmo_light_turned(const gizmo_change *change, const double axes[9], const double before[3],
                        double direction[3]);

enum { GIZMO_SUN_RADIUS = 9, GIZMO_SUN_REACH = 17 }; /* points of the screen: of its disk, of its rays */

/* Where the sun of a light is seen that shines on a place, and where its line ends, in pixels. False: the
 * place is not seen. */
bool gizmo_sun(const gizmo_camera *camera, const double place[3], const float direction[3], double point,
               double sun[2], double end[2]);

#endif
