/* Where models stand: accessories as their .vac file says, fixed to a bone; the stage model behind
 * everything; and options for single models. */
#ifndef ODORI_PLACING_H
#define ODORI_PLACING_H

#include "load.h"
#include "mmd/placing.h"

/* Assigns draw orders to the models from this index on. Models of projects keep theirs. */
void scene_order(odori_scene *s, size_t from);

/* Returns the draw order that loading gives a model. */
int32_t scene_usual_order(const odori_scene *s, size_t index);

/* Places a model as its .vac file says, if it has one. scene_attach fixes it to its bone later. */
void scene_place(odori_scene *s, size_t index);

/*
 * Fixes accessories to the bones that their .vac files name, after all models were added: to a bone of the
 * last dancer named before the accessory, otherwise of the first one. A missing bone causes a warning, and
 * the accessory stays at its own position.
 */
void scene_attach(odori_scene *s, const mmd_log *log);
/* does the same for one accessory that was added later */
void scene_attach_one(odori_scene *s, size_t index, const mmd_log *log);

/* --- Options of one model --- */

/* Adds an option; its text is not copied. Returns false if out of memory. */
bool model_options_add(model_options *options, const model_option *added);

/*
 * Applies options of single models after all models were added: placements, outside parents and delays.
 * first[i] is the index in the scene of the first model that file i brought; there is one more element at the
 * end. MMD_ERROR_ARGUMENT: an option does not fit the models of its file.
 */
mmd_status placing_apply(odori_scene *s, const scene_options *options, const size_t *first, mmd_error *error);

/* Finds the index of the model that an option (name, for messages) concerns. *model MODEL_OF_FILE on input:
 * the only model of the file. Same errors as placing_apply, and MMD_ERROR_VALUE if there is no such index. */
mmd_status placing_find_model(const odori_scene *s, const scene_options *options, const size_t *first,
                              const char *name, size_t file, size_t *model, mmd_error *error);

#endif
