/*
 * How what is no dancer stands on the stage: accessories, placed as their
 * .vac says and fixed to a bone, and the stage's own model behind all.
 */
#ifndef ODORI_ACCESSORY_H
#define ODORI_ACCESSORY_H

#include "scene.h"

/* Draw orders that loading gives; a command may set others. */
enum {
    ORDER_BACKDROP = -2,        /* --stage */
    ORDER_FIRST_ACCESSORY = -1, /* MMD.md 6.5: the first in front of all models … */
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

#endif
