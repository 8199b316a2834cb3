/* Placing a model as a step of undo. */
#ifndef ODORI_STAGE_EDIT_H
#define ODORI_STAGE_EDIT_H

#include "session.h"

/*
 * Places a model: position in units, degrees about X, Y and Z, and scale factor. This is a step of undo, or
 * part of the current one. Components that do not change are not edited. A model that cannot be edited this
 * way (keyframes of a project place it, or the scale is 0) is placed anyway, without undo.
 */
void stage_edit_place_model(odori_session *s, size_t model, const double placement[7]);

#endif
