/* --actors: copies of the first model that share its mesh and textures, stand in a formation behind it and
 * dance what it dances, each with a pose and physics of its own. */
#ifndef ODORI_CROWD_H
#define ODORI_CROWD_H

#include "load.h"

/* The options --actors and so on. */
option_group group_of_crowd(scene_options *options);

/* Once the models of files are there: adds the copies. False: out of memory. */
bool crowd_add(odori_scene *s, const scene_options *options);

/*
 * As placing_apply (placing.h), and beside what the options say of single
 * models places each copy and says when it begins, seen from where the first
 * model stands.
 */
mmd_status crowd_place(odori_scene *s, const scene_options *options, const size_t *files, mmd_error *error);

/* Copies dance what the first model alone does. False: out of memory. */
bool crowd_move(odori_scene *s);

/* Once all motions are there: that, and rows in the back are drawn first. */
bool crowd_finish(odori_scene *s, const scene_options *options);

/* All of it for a model that no file on the command line brought. The same results. */
mmd_status crowd_of_bundled(odori_scene *s, const scene_options *options, mmd_error *error);

#endif
