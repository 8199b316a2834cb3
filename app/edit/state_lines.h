/* What was done to a scene since it was opened, as lines of the command table that do it again. */
#ifndef ODORI_STATE_LINES_H
#define ODORI_STATE_LINES_H

#include "session.h"

/* Limit of bytes of all keys together, some 6,000 keys: a picture that tells them stays a picture. */
enum { STATE_LINES_KEYS_MAX = 1 << 20 };

/* Limit of IK switches in one line; there are lines for the others. */
enum { STATE_LINES_SWITCHES = 20 };

/*
 * Appends the lines that bring a scene of the same files, just opened and at
 * the session's frame, to where this one is: mirrors, places, edits, materials
 * that are hidden, gravity, light and camera, keys of motions that are in no
 * file. The view is told apart from them. False: keys are too many
 * (STATE_LINES_KEYS_MAX), all else is there.
 */
bool state_lines_write(const odori_session *s, mmd_buffer *lines);

/* Appends which materials of a model are hidden. */
void state_lines_materials(const scene_model *m, mmd_buffer *lines);

/* Appends only the camera, where it is not the motion's. */
void state_lines_camera(const odori_session *s, mmd_buffer *lines);

#endif
