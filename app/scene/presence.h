/*
 * Models that were removed. They keep their index, their files and all that was done to them, so that they
 * can be put back, but the stage is as if they had never been there. What asks a scene for its models passes
 * over them (scene_is_present).
 */
#ifndef ODORI_PRESENCE_H
#define ODORI_PRESENCE_H

#include "scene.h"

/*
 * Removes a model, or puts it back. Draw orders of accessories that loading gave them, and the default
 * camera, become those of the models that are left. Physics starts again from frame 0.
 */
void scene_set_present(odori_scene *s, size_t model, bool present);

/* Tests whether a removed model could be given up: it is not of a project, and no copy shares its parts. */
bool scene_can_give_up(const odori_scene *s, size_t model);

/* Returns the number of models on the stage. */
size_t scene_count_present(const odori_scene *s);

/*
 * Writes the numbers that the models on the stage have in a scene of only their files: their positions in the
 * order of their places (mmd_stage_set_place). Removed models get model_count. numbers has model_count
 * elements.
 */
void scene_number_present(const odori_scene *s, size_t *numbers);

/*
 * scene_stand_in prepares a model that was just added to replace another one: it gets its role, its place,
 * and how it is drawn, but not where it stands. scene_exchange then takes the other one off the stage and
 * puts this one on it, with the motions of the other and what hangs on its bones, by their names. It works in
 * both directions. Returns false if out of memory.
 */
void scene_stand_in(odori_scene *s, size_t model, size_t other);
bool scene_exchange(odori_scene *s, size_t from, size_t to);

/*
 * Tests whether a scene of only the files of the models on the stage, in the order of their places, shows the
 * same: there is a model, no model of a project was removed, no original of a copy, and none with a camera or
 * light in a motion of its own.
 */
bool scene_can_omit_removed(const odori_scene *s);

#endif
