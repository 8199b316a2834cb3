/*
 * A scene made again of its own files, on any thread, and what a person did to
 * the one carried over to it. Bones and materials are known by their names, for
 * files may have changed. Edits and their undo: remap.h.
 */
#ifndef ODORI_REBUILD_H
#define ODORI_REBUILD_H

#include "edit/session.h"

/*
 * Reads a scene's files again, for the same models in the same order; a
 * project is opened as a whole. Physics stands as it was started. The scene is
 * only read: of it, what opening files alone changes. False: why; scene is to
 * be finished in any case.
 */
bool reopen_scene(const odori_scene *old, const mmd_pose_options *pose, const mmd_log *log,
                   odori_scene *scene, mmd_error *why);

/* Lines (state_lines.h) that do not fit the models any more are left out, and told. */
void reopen_run_lines(odori_session *s, const mmd_buffer *lines);

/* Hides the materials that another session's scene hides. Models have the same numbers in both. */
void reopen_hidden(const odori_session *from, odori_session *to);

#endif
