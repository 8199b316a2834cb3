/*
 * Where models stand: accessories, placed as their .vac says and fixed to a
 * bone, the stage's own model behind all, and what options say of one model
 * alone.
 */
#ifndef ODORI_PLACING_H
#define ODORI_PLACING_H

#include "load.h"

/* Draw orders that loading gives; a command may set others. */
enum {
    ORDER_BACKDROP = -2,        /* --stage */
    ORDER_FIRST_ACCESSORY = -1, /* the first in front of all models … */
    ORDER_MODEL = 0,
    ORDER_ACCESSORY = 1, /* … others behind them */
};

/* Gives the models of the scene from a number on the order they are drawn in; those of projects have theirs.
 */
void scene_order(odori_scene *s, size_t from);

/* Places the model as its .vac says, if it has one; its bone waits for scene_attach. */
void scene_place(odori_scene *s, size_t index);

/*
 * Once all models are there: fixes accessories to the bones that their .vac
 * names, of the last dancer named before them, else of the first one. A bone
 * that is not there is said; the accessory stays where its place puts it.
 */
void scene_attach(odori_scene *s, const mmd_log *log);
void scene_attach_one(odori_scene *s, size_t index, const mmd_log *log); /* the same of one, added later */

/* A number of a file, NaN or infinite for all we know, as a place can have it. */
float scene_bounded(double value);

/* --- Options of one model --- */

/* Adds one; false: out of memory. Its text is not copied. */
bool model_options_add(model_options *options, const model_option *added);

/*
 * Once all models are there: places them, lets them hang on bones, and says
 * when they begin. first[i] is the scene's number of the first model that file i
 * brought; there is one more behind the last. MMD_ERROR_ARGUMENT: the option
 * does not fit what the files brought.
 */
mmd_status placing_apply(odori_scene *s, const scene_options *options, const size_t *first, mmd_error *error);

/* Finds the number of the model that an option (name) is about; *model MODEL_OF_FILE: the only one of a file.
 * The same errors, and MMD_ERROR_VALUE where there is no such number. */
mmd_status placing_find_model(const odori_scene *s, const scene_options *options, const size_t *first,
                              const char *name, size_t file, size_t *model, mmd_error *error);

#endif
