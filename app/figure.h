/*
 * A small dancer of our own, for whoever starts the program without a model:
 * made by a program, written as PMX and VMD, and read back like any other.
 */
#ifndef ODORI_FIGURE_H
#define ODORI_FIGURE_H

#include "scene.h"

/* Puts the figure on the stage, with its dance if wanted. Returns the exit code. */
int figure_add(odori_scene *s, bool with_dance);

#endif
