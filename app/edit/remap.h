/*
 * A scene that takes another one's place, its files having been read again:
 * what was edited in the one is carried over to the other, undo and redo too.
 * Models are known by their files, their parts by their names.
 */
#ifndef ODORI_CARRY_H
#define ODORI_CARRY_H

#include "session.h"

/* The context of mmd_edit_move's map. */
typedef struct odori_carry {
    odori_scene *from, *to;
    odori_session *session; /* whose edits they are */
} odori_carry;

/* What was a model, a morph, a bone or body or joint of the one, in the other. False: there is none. The last is
 * for mmd_edit_map. */
bool carry_model(const odori_carry *c, size_t *model);
bool carry_morph(const odori_carry *c, size_t model, uint32_t *morph);
bool carry_item(void *carry, mmd_item *item);

/* The same of what a bone hangs on; nothing (NULL) is nothing. */
bool carry_parent(const odori_carry *c, mmd_actor **parent, int32_t *bone);

/* Part of the next: motions whose keys are edited (keyed.h). Both stages have settled, and all is undone. */
void carry_keys(const odori_carry *c);

/*
 * Carries the session's edits, keys and selection over. The other scene is only
 * what files and lines (state_lines.h) that no step knows made of it; it moves
 * to the session's afterwards, whose history is of it from here on. What is
 * lost is told.
 */
void carry_edits(odori_session *s, odori_scene *to);

#endif
