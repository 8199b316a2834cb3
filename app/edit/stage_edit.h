/* Edits of a stage as steps of undo: where a model stands, and camera and light back to their motions. */
#ifndef ODORI_STAGE_EDIT_H
#define ODORI_STAGE_EDIT_H

#include "session.h"

/*
 * Puts a model to units, degrees about X, Y, Z and times its size: a step of
 * undo, or part of the one that edits belong to now; what stays as it is is
 * not edited. A model that cannot be edited so (a project's keys place it, or
 * the size is none) is put there all the same, without undo.
 */
void stage_edit_place_model(odori_session *s, size_t model, const double place[7]);

/* Makes a command that gives the camera or the light (item) back to what motions say of it. It takes no
 * values. NULL: out of memory. */
mmd_command *stage_edit_reset_command(mmd_item item);

#endif
