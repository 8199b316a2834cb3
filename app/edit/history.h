/*
 * Undo and redo of edits of bones, morphs and outside parents. They are
 * commands of the engine's edit (mmd/edit.h), in one history with all others.
 */
#ifndef ODORI_HISTORY_H
#define ODORI_HISTORY_H

#include "mmd/edit.h"
#include "scene/scene.h"

/* Counts the edits, without undone ones, of what a bone hangs on. */
typedef struct history_hung {
    size_t model;
    int32_t bone;
    uint32_t edits;
} history_hung;

struct odori_plugins;
struct history_dragged;
struct scene_remap;

typedef struct odori_history {
    odori_scene *scene;              /* first, as edited_motion_begin wants it */
    mmd_edit *edit;                  /* made with the first edit, or history_edit; NULL: none */
    struct odori_plugins *plugins;   /* plugins.h; NULL: none */
    mmd_command *last;               /* command taken last, while it belongs to the current step; else NULL */
    uint64_t changes;                /* told by the edit */
    bool continues;                  /* the next edit belongs to the last step */
    bool joins;                      /* history_begin begins no step: a whole drag is undone at once */
    struct history_dragged *dragged; /* edits of keys that belong to the step (key_edit.h) */
    size_t dragged_count, dragged_room;
    float **weights_by_hand; /* by model, by morph; NULL until one was set */
    size_t weight_count;     /* models that weights_by_hand has room for */
    history_hung *hung;
    size_t hung_count;
} odori_history;

void history_init(odori_history *h, odori_scene *scene);
void history_finish(odori_history *h);

/* Returns the edit of the scene's stage, made at the first call. NULL: out of memory. */
mmd_edit *history_edit(odori_history *h);

/* Begins a step: everything edited from here on is undone together. */
void history_begin(odori_history *h);

/* Sets a command that was made and takes it as part of the step, which the first one begins. False: refused,
 * as NULL is, and it is destroyed. There is an edit. */
bool history_take(odori_history *h, mmd_command *made);

/* Edits a value as part of the step; false: out of memory. */
bool history_bone(odori_history *h, size_t model, uint32_t bone, const float translation[3],
                  const float rotation[4]);
bool history_bone_scale(odori_history *h, size_t model, uint32_t bone,
                        const float scale[3]); /* of a node of a glTF (mmd_pose_can_scale) */
bool history_morph(odori_history *h, size_t model, uint32_t morph, float weight);

/* Another model and its bone; -1: none. */
typedef struct history_parent {
    size_t model;
    int32_t bone;
} history_parent;

/* Edits what a bone (or MMD_WHOLE_ACTOR) hangs on; errors as mmd_stage_set_outside_parent has them. */
bool history_hang(odori_history *h, size_t model, int32_t bone, const history_parent *parent,
                  mmd_error *error);

/* Tells whether what a bone hangs on was edited, and is not what its project said. */
bool history_has_hung(const odori_history *h, size_t model, int32_t bone);

/* Returns the weight set by hand, or NaN. */
float history_weight(const odori_history *h, size_t model, uint32_t morph);

/* Moves the history to the other scene (remap.h). All has to be undone. */
void history_remap(odori_history *h, const struct scene_remap *remap);

/* Undoes all steps and finishes the history. */
void history_rewind(odori_history *h);

/* Tells the history that the scene, and perhaps the history itself, has moved in memory. */
void history_moved(odori_history *h, odori_scene *scene);

/* Undo or redo one step; false where there is none. */
bool history_undo(odori_history *h);
bool history_redo(odori_history *h);

#endif
