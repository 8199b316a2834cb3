/* Undo and redo of edits of bones, morphs and outside parents: values before and after, in steps. */
#ifndef ODORI_HISTORY_H
#define ODORI_HISTORY_H

#include "scene.h"

enum { HISTORY_MAX = 4096 }; /* records kept; the oldest steps are forgotten */

typedef enum edit_kind { EDIT_BONE, EDIT_MORPH, EDIT_PARENT } edit_kind;

typedef struct edit_value {
    float translation[3], rotation[4]; /* the user's op of a bone */
    float weight;                      /* of a morph set by hand; NaN: the motion's */
    const mmd_outside_key *keys;       /* what a bone hangs on; of the scene's arena */
    size_t key_count;                  /* 0: on nothing */
} edit_value;

typedef struct edit_record {
    size_t model;
    edit_kind kind;
    int64_t index; /* of the bone or morph; MMD_WHOLE_ACTOR */
    uint32_t step; /* records of one step are undone together */
    edit_value before, after;
} edit_record;

typedef struct odori_history {
    odori_scene *scene;
    edit_record *records; /* HISTORY_MAX of them from the first edit on */
    size_t count, done;   /* kept; of these, not undone */
    uint32_t step;
    bool joins;              /* no new steps: what is dragged is undone at once */
    float **weights_by_hand; /* by model, by morph; NULL until one was set */
    size_t weight_count;     /* models of these: the scene may have got more */
} odori_history;

void history_init(odori_history *h, odori_scene *scene);
void history_finish(odori_history *h);

/* Everything edited from here on is one step. */
void history_begin(odori_history *h);

/* Edits a value as part of the step; false: out of memory. */
bool history_bone(odori_history *h, size_t model, uint32_t bone, const float translation[3],
                  const float rotation[4]);
bool history_morph(odori_history *h, size_t model, uint32_t morph, float weight);

/* Another model and its bone; -1: none. */
typedef struct history_parent {
    size_t model;
    int32_t bone;
} history_parent;

/* The same of what a bone (or MMD_WHOLE_ACTOR) hangs on; errors as mmd_stage_set_outside_parent has them. */
bool history_hang(odori_history *h, size_t model, int32_t bone, const history_parent *parent,
                  mmd_error *error);

/* Whether what a bone hangs on was edited, and is not what its project said. */
bool history_has_hung(const odori_history *h, size_t model, int32_t bone);

/* The weight set by hand, or NaN. */
float history_weight(const odori_history *h, size_t model, uint32_t morph);

/* One step back or forward; false where there is none. */
bool history_undo(odori_history *h);
bool history_redo(odori_history *h);

#endif
