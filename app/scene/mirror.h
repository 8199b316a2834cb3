/* Mirrored motions: left and right are swapped. */
#ifndef ODORI_MIRROR_H
#define ODORI_MIRROR_H

#include "scene.h"

/* Mirrors the motions of one model, including edited ones. Returns false if out of memory; some may be
 * mirrored then. */
bool mirror_model(odori_scene *s, size_t model, bool on);

/* Mirrors all dancers, the camera and the light. */
bool mirror_all(odori_scene *s, bool on);

/* Mirrors motions that were added since. Returns false if out of memory. */
bool mirror_again(odori_scene *s);

#endif
