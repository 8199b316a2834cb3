/* The room that models take while they dance, seen from the front without perspective, and the camera that
 * shows it. */
#ifndef ODORI_DANCE_BOX_H
#define ODORI_DANCE_BOX_H

#include "scene.h"

/* Borders of what is seen, in units. The feet stand on the lower one. */
typedef struct dance_box {
    double left, right, bottom, top;
} dance_box;

/*
 * Finds the room of all visible models but backdrops over the whole dance, with room for hair and clothes
 * that swing. The floor is where they stand for almost all of the time. Physics is off meanwhile, and starts
 * again from frame 0. A scene without models has the room of a usual figure. Fails with MMD_ERROR_MEMORY and
 * errors of physics_switch.
 */
mmd_status dance_box_find(odori_scene *s, dance_box *box, mmd_error *error);

/* Returns the width of the box, relative to its height. */
double dance_box_aspect(const dance_box *box);

/* Returns the camera that shows the box in a picture of this aspect ratio: from the front, without
 * perspective (which keeps the floor a line), with the floor at the lower edge. */
mmd_camera dance_box_camera(const dance_box *box, double aspect);

#endif
