/* The changes of a scene since it was opened, as lines of the command table that repeat them. */
#ifndef ODORI_STATE_LINES_H
#define ODORI_STATE_LINES_H

#include "session.h"

/* Limit of the bytes of all keyframes, some 6,000 keyframes, so that a picture that stores them stays
 * small. */
enum { STATE_LINES_KEYS_MAX = 1 << 20 };

/* Limit of IK switches in one line; further lines hold the rest. */
enum { STATE_LINES_SWITCHES = 20 };

/*
 * Appends the lines that bring a scene of the same files, just opened and at the session's frame, to the
 * state of this one: mirroring, weights of motions, placements, edits, hidden materials, gravity, light and
 * camera, and keyframes that are in no file. View settings are not included. Returns false if there are too
 * many keyframes (STATE_LINES_KEYS_MAX); everything else is written then.
 */
bool state_lines_write(const odori_session *s, mmd_buffer *lines);

/*
 * Appends the lines that take back what such lines did to a session, where those of a later state say
 * nothing: of weights, delays, mirroring, visibility, shadows, materials and physics. What is undone and done
 * again by steps (remap.h) is not included.
 */
void state_lines_back(const odori_session *s, mmd_buffer *lines);

/*
 * Appends the lines of a fade from the dance before, and of where its bodies start, for a scene whose files
 * are those of this one followed by the motions of scene->faded. They come before all other lines.
 */
void state_lines_fades(const odori_session *s, mmd_buffer *lines);
/* Does the same for a scene of the files of only those models that are on the stage, in the order of their
 * places (scene_number_present). */
bool state_lines_write_present(const odori_session *s, mmd_buffer *lines);

/* Appends the hidden materials of a model. */
void state_lines_materials(const scene_model *m, mmd_buffer *lines);

/* Appends only the camera, if it is not the motion's. */
void state_lines_camera(const odori_session *s, mmd_buffer *lines);

#endif
