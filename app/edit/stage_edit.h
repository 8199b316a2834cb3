/* Edits of a stage as steps of undo: placing a model, and returning camera and light to their motions. */
#ifndef ODORI_STAGE_EDIT_H
#define ODORI_STAGE_EDIT_H

#include "session.h"

/*
 * Places a model: position in units, degrees about X, Y and Z, and scale factor. This is a step of undo, or
 * part of the current one. Components that do not change are not edited. A model that cannot be edited this
 * way (keyframes of a project place it, or the scale is 0) is placed anyway, without undo.
 */
void stage_edit_place_model(odori_session *s, size_t model, const double placement[7]);

/* Makes a command that returns the camera or the light (item) to what the motions say. It takes no values.
 * NULL when out of memory. */
mmd_command *stage_edit_reset_command(mmd_item item);

#endif
