/* Edits of the list of models as steps of undo: opening, removing, renaming, and one model in the place of
 * another. */
#ifndef ODORI_MODEL_EDIT_H
#define ODORI_MODEL_EDIT_H

#include "session.h"

/* Makes the opening of a model, which is on the stage already, part of the current step: undo removes it.
 * Returns false when out of memory. */
bool model_edit_add(odori_session *s, size_t model);

/* Removes a model (scene/presence.h) as part of the current step. Returns false when out of memory. */
bool model_edit_remove(odori_session *s, size_t model);

/* Shows a model under another name, also in paths of items; "": under its own. Part of the current step.
 * Returns false when out of memory. */
bool model_edit_rename(odori_session *s, size_t model, const char *name);

/*
 * Puts a model that was just added in the place of another one, which is removed (scene/presence.h), as one
 * step: it takes over motions, delay, placement, how it is drawn, and what was edited by hand of bones,
 * morphs and materials of the same names. Returns false when out of memory.
 */
bool model_edit_replace(odori_session *s, size_t model, size_t by);

/*
 * Bounds the memory of removed models: undo brings back only the last few, and the steps before are dropped
 * with a message. A removed model that neither undo nor redo can bring back is given up: it loses its parts
 * when the files of the scene are read again, which is for the caller to do. Returns the number of such
 * models that still have theirs. Must not be called while the files are being read.
 */
size_t model_edit_bound(odori_session *s);

/* Hides the materials of a model that correspond to hidden ones of another: those of the same number and
 * name, otherwise the first of the name. */
void model_edit_hide_same(const scene_model *from, const scene_model *to);

/*
 * Which models are on the stage and what they dance, to be compared after steps that may change that.
 * model_edit_follow brings the session into agreement with a change: it selects a model that came back, or
 * else one that is there, ends following a bone of a removed one, and restarts physics. It frees the list.
 */
typedef struct model_edit_seen {
    bool *is_there; /* by model; NULL when out of memory */
    size_t count;
    uint64_t weights; /* hash of the weights of all motions */
} model_edit_seen;

model_edit_seen model_edit_look(const odori_session *s);
void model_edit_follow(odori_session *s, model_edit_seen *before);

#endif
