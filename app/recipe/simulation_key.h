/* Tells which scenes simulate the same, so that one may go on from what another one simulated. */
#ifndef ODORI_SIMULATION_KEY_H
#define ODORI_SIMULATION_KEY_H

#include "stage.h"

/*
 * Writes a text, NUL included, that is equal for stages of one store whose physics give the same bits at
 * every frame: models, motions and poses as they lie in the store, how they are placed and joined, and the
 * options of physics and poses. Cameras, views and sizes are not part of it. Returns false for a stage that
 * may not share: without physics, of a project, with commands other than those of the camera, or out of
 * memory. Call it before its first frame.
 */
bool simulation_key_write(const recipe_stage *s, mmd_buffer *key);

#endif
