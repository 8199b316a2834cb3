/*
 * A scene that takes another one's place, its files having been read again:
 * what was edited in the one is carried over to the other, undo and redo too.
 * Models are known by their files, their parts by their names.
 */
#ifndef ODORI_REMAP_H
#define ODORI_REMAP_H

#include "session.h"

/* The context of mmd_edit_move's map. */
typedef struct scene_remap {
    odori_scene *from, *to;
    odori_session *session; /* whose edits they are */
} scene_remap;

/* Find in the other scene what was a model, a morph, a bone or body or joint of the one. False: there is
 * none. The last is for mmd_edit_map. */
bool remap_model(const scene_remap *r, size_t *model);
bool remap_morph(const scene_remap *r, size_t model, uint32_t *morph);
bool remap_item(void *remap, mmd_item *item);

/* Finds what a bone hangs on; nothing (NULL) stays nothing. */
bool remap_parent(const scene_remap *r, mmd_actor **parent, int32_t *bone);

/*
 * Carries the session's edits, keys and selection over. The other scene is only
 * what files and lines (state_lines.h) that no step knows made of it; it moves
 * to the session's afterwards, whose history is of it from here on. What is
 * lost is told.
 */
void remap_edits(odori_session *s, odori_scene *to);

#endif
