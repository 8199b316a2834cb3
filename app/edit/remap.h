/*
 * Replaces a session's scene by another one of the same files, which were read again: edits are moved to the
 * new scene, with undo and redo. Models are identified by their files, their parts by their names.
 */
#ifndef ODORI_REMAP_H
#define ODORI_REMAP_H

#include "session.h"

/* The context of mmd_edit_move's map. */
typedef struct scene_remap {
    odori_scene *from, *to;
    odori_session *session; /* owner of the edits */
} scene_remap;

/* Find the counterpart of a model, or of any item, in the other scene. Return false if there is none. The
 * latter is for mmd_edit_map. */
bool remap_model(const scene_remap *r, size_t *model);
bool remap_item(void *remap, mmd_item *item);

/* Finds the index of the motion of the same file; -1 if there is none. */
int64_t remap_source(const scene_remap *r, int64_t source);

/*
 * Moves the session's edits, keyframes and selection to another scene. That scene holds only what files and
 * command lines (state_lines.h) made of it. It replaces the session's scene afterwards; the history refers to
 * it from here on. Lost edits are reported.
 */
void remap_edits(odori_session *s, odori_scene *to);

#endif
