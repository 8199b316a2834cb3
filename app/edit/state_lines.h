/* What was done to a scene since it was opened, as lines of the command table that do it again. */
#ifndef ODORI_STATE_LINES_H
#define ODORI_STATE_LINES_H

#include "session.h"

/*
 * Appends the lines that bring a scene of the same files, just opened and at
 * the session's frame, to where this one is: mirrors, places, edits, materials
 * that are hidden, gravity, light and camera, keys of motions that are in no
 * file. The view is told apart from them. False: keys are too many
 * (key_lines.h), all else is there.
 */
bool state_lines_write(const odori_session *s, mmd_buffer *lines);

/* Which materials of a model are hidden. */
void state_lines_materials(const scene_model *m, mmd_buffer *lines);

/* Only the camera, where it is not the motion's. */
void state_lines_camera(const odori_session *s, mmd_buffer *lines);

#endif
