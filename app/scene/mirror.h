/* Dancers as a mirror shows them: their motions with left and right swapped. */
#ifndef ODORI_MIRROR_H
#define ODORI_MIRROR_H

#include "scene.h"

/* Motions of one model, whenever they were added; false: out of memory, and some may be mirrored. */
bool mirror_model(odori_scene *s, size_t model, bool on);

/* All dancers, camera and light. */
bool mirror_all(odori_scene *s, bool on);

/* The same for motions that came since. */
bool mirror_again(odori_scene *s);

#endif
