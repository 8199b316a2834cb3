/*
 * The camera of scenes that were not made for MMD's: files of interchange
 * stand anywhere and in any size, and MMD's camera would often see nothing of
 * them.
 */
#ifndef ODORI_HOME_CAMERA_H
#define ODORI_HOME_CAMERA_H

#include "scene.h"

/* Width to height of a window, before anybody has drawn at its edges. */
#define HOME_ASPECT (16.0 / 9.0)

/*
 * Where all of a scene's models are from files of interchange, its default
 * camera becomes one that sees what is in it, as it is at rest, in a picture
 * of this shape. It is a function of the files and the shape alone.
 */
void home_camera(odori_scene *s, double aspect);

#endif
