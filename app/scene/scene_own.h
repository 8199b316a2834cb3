/* What the command line says of one model alone: its motions, where it stands, what it hangs on, when it
 * begins. */
#ifndef ODORI_SCENE_OWN_H
#define ODORI_SCENE_OWN_H

#include "scene.h"

/* Adds one; false: out of memory. Its path is not copied. */
bool own_wishes_add(own_wishes *wishes, const own_wish *wish);
void own_wishes_finish(own_wishes *wishes);

/*
 * Once all models are there: places them, and says when they begin. first[i] is
 * the scene's number of the first model that file i brought; there is one more
 * behind the last. A file that brought none, or more than one, is refused.
 * Returns EXIT_DONE or the exit code of what it reported.
 */
int own_place(odori_scene *s, const scene_options *options, const size_t *first);

/* The number of the model that a wish is about; the same exit codes. */
int own_model(const odori_scene *s, const scene_options *options, const size_t *first, const own_wish *wish,
              size_t *model);

/* Warns where motions were given as if each moved the model before it. */
void own_warn_of_pairs(const odori_scene *s, const scene_options *options, const mmd_log *log);

#endif
