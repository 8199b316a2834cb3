/*
 * Models that were removed. They keep their index, their files and all that was done to them, so that they can be
 * put back, but the stage is as if they had never been there. What asks a scene for its models passes over them
 * (scene_is_present).
 */
#ifndef ODORI_PRESENCE_H
#define ODORI_PRESENCE_H

#include "scene.h"

/*
 * Removes a model, or puts it back. Draw orders of accessories that loading gave them, and the default camera,
 * become those of the models that are left. Physics starts again from frame 0.
 */
void scene_set_present(odori_scene *s, size_t model, bool present);

/* Returns the number of models on the stage. */
size_t scene_count_present(const odori_scene *s);

/*
 * Writes the numbers that the models on the stage have in a scene of only their files: their positions in the
 * order of their places (mmd_stage_set_place). Removed models get model_count. numbers has model_count elements.
 */
void scene_number_present(const odori_scene *s, size_t *numbers);

/*
 * Tests whether a scene of only the files of the models on the stage, in the order of their places, shows the same:
 * there is a model, no model of a project was removed, no original of a copy, and none with a camera or light in a
 * motion of its own.
 */
bool scene_can_omit_removed(const odori_scene *s);

#endif
