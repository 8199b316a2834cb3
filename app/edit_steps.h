/*
 * A person's edits of bones, morphs and what bones hang on, step by step, as
 * they are taken from one scene and done again in another: by names, so that
 * undo goes on where the models are others. Whatever else is undone in steps
 * is not carried.
 */
#ifndef ODORI_EDIT_STEPS_H
#define ODORI_EDIT_STEPS_H

#include "mmd/memory.h"
#include "session.h"

typedef enum edit_step_kind { STEP_BONE, STEP_MORPH, STEP_PARENT } edit_step_kind;

typedef struct edit_change {
    size_t step, model, parent;
    edit_step_kind kind;
    const char *name;        /* of the bone or morph; NULL: all of the model */
    const char *parent_bone; /* NULL: it hangs on nothing */
    float values[7];         /* translation and rotation; or a weight */
} edit_change;

/* Zeroed is valid and empty. */
typedef struct edit_steps {
    edit_change *changes;
    size_t count, capacity;
    size_t step_count, undone; /* undone: the last of them */
    mmd_arena arena;           /* of the names */
} edit_steps;

/* Takes all steps of a session, which is as if nothing had been edited then. Without memory some are left
 * out. */
void edit_steps_take(odori_session *s, edit_steps *steps);

/* Does them in a session in which nothing is edited; what it does not know any more is left out. */
void edit_steps_give(const edit_steps *steps, odori_session *s);

void edit_steps_finish(edit_steps *steps);

#endif
