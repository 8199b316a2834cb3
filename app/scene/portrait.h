/* Cameras and frames for small pictures that stand for a file: a figure's head and shoulders, everything from
 * a little aside, and the frame of a motion that shows most of it. */
#ifndef ODORI_PORTRAIT_H
#define ODORI_PORTRAIT_H

#include "scene.h"

/*
 * Moves a camera, keeping its rotation and field of view, so that the head and shoulders of a model at rest
 * fill a square picture. Returns false if the model has no head: no bone 頭 or Head that carries vertices.
 */
bool portrait_of_head(const mmd_model *model, mmd_camera *camera);

/*
 * What is drawn in a square picture, from -1 to 1: left, bottom, right, top.
 */
typedef struct portrait_extent {
    double left, bottom, right, top;
} portrait_extent;

/* Moves a camera, keeping its rotation and field of view, so that what it shows there at its distance fills
 * this share of the picture. */
void portrait_fit(const portrait_extent *seen, double filled, mmd_camera *camera);

/*
 * Returns the frame of a motion that shows most of it: of those with the most keyframes in each sixteenth of
 * the motion, the one where the model reaches out furthest and faces MMD's camera. Of a motion without
 * keyframes of bones, the one with the most of morphs. Leaves the stage at some frame. Physics must be off.
 * 0 if out of memory.
 */
double portrait_frame(const odori_scene *s, size_t model, const mmd_motion *motion);

#endif
