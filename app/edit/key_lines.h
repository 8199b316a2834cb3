/*
 * Keys that were edited and are in no file, as lines of the command table that
 * set the very same ones in a scene of the same files: `key.put.bone` and so
 * on, told apart from the files' motions key by key.
 */
#ifndef ODORI_KEY_LINES_H
#define ODORI_KEY_LINES_H

#include "mmd/cursor.h"
#include "scene/scene.h"

/* So long are all of them together at most, some 6,000 keys: a picture that tells them stays a picture. */
enum { KEY_LINES_MAX = 1 << 20 };

/* IK switches that one line tells at most; there are lines for the others. */
enum { KEY_LINES_SWITCHES = 20 };

/* Appends them. They are for the scene as it was opened: before it is mirrored. False: they are too long, and
 * none was appended. */
bool key_lines_write(const odori_scene *scene, mmd_buffer *out);

#endif
