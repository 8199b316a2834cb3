/* Where a model stands, by hand, as a step of undo. */
#ifndef ODORI_MODEL_PLACE_H
#define ODORI_MODEL_PLACE_H

#include "session.h"

/*
 * Puts a model to units, degrees about X, Y, Z and times its size: a step of
 * undo, or part of the one that edits belong to now; what stays as it is is
 * not edited. A model that cannot be edited so (a project's keys place it, or
 * the size is none) is put there all the same, without undo.
 */
void model_place_put(odori_session *s, size_t model, const double place[7]);

#endif
