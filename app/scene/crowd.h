/* Crowds (--actors): copies of the first model that share its mesh and textures and stand in a formation
 * behind it. Each copy plays the same motions with a pose and physics of its own. */
#ifndef ODORI_CROWD_H
#define ODORI_CROWD_H

#include "load.h"

/* Returns the options --actors, --actors-delay and so on. */
option_group group_of_crowd(scene_options *options);

/* Adds the copies, after the models of files have been added. Returns false if out of memory. */
bool crowd_add(odori_scene *s, const scene_options *options);

/* Applies options of single models as placing_apply does (placing.h), and also places every copy and sets its
 * delay, relative to the first model. */
mmd_status crowd_place(odori_scene *s, const scene_options *options, const size_t *files, mmd_error *error);

/* Gives copies the motions that only the first model plays. Returns false if out of memory. */
bool crowd_move(odori_scene *s);

/* Calls crowd_move after all motions were added, and orders rows so that those in the back are drawn first.
 * Returns false if out of memory. */
bool crowd_finish(odori_scene *s, const scene_options *options);

/* Does all of this for a model that no file on the command line brought. Same results as crowd_place. */
mmd_status crowd_of_bundled(odori_scene *s, const scene_options *options, mmd_error *error);

#endif
