/*
 * Undo and redo of edits of bones, morphs and outside parents. They are commands of the engine's edit
 * (mmd/edit.h), in one history with all other commands.
 */
#ifndef ODORI_HISTORY_H
#define ODORI_HISTORY_H

#include "mmd/edit.h"
#include "scene/scene.h"

struct odori_plugins;
struct history_dragged;

typedef struct odori_history {
    odori_scene *scene;            /* must be the first member, because edited_motion_begin reads it through a
                                      pointer */
    mmd_edit *edit;                /* created with the first edit or by history_edit; NULL before */
    struct odori_plugins *plugins; /* loaded plug-ins (plugins.h); NULL: none */
    mmd_command *last;             /* the last command that set a bone or morph by hand, while it belongs to
                                      the current step; else NULL */
    mmd_item last_item;            /* that bone or morph */
    uint64_t changes;              /* number of change notifications from the edit */
    bool continues;                /* the next edit belongs to the last step */
    bool joins; /* history_begin does not begin a step, so that a whole drag is undone at once */
    struct history_dragged *dragged; /* edits of keyframes that belong to the current step (key_edit.h) */
    size_t dragged_count, dragged_room;
} odori_history;

void history_init(odori_history *h, odori_scene *scene);
void history_finish(odori_history *h);

/* Returns the edit of the scene's stage, creating it at the first call. NULL when out of memory. */
mmd_edit *history_edit(odori_history *h);

/* Begins a step: all edits from here on are undone together. */
void history_begin(odori_history *h);

/* Sets a new command and takes it as part of the step, which the first command begins. Returns false if it
 * is refused or NULL; it is destroyed then. The edit must exist. */
bool history_take(odori_history *h, mmd_command *made);

/* Edit a value as part of the step. Return false if refused (mmd_edit_refusal of the edit, if there is one),
 * or out of memory. */
bool history_bone(odori_history *h, size_t model, uint32_t bone, const float translation[3],
                  const float rotation[4]);
bool history_bone_scale(odori_history *h, size_t model, uint32_t bone,
                        const float scale[3]); /* of a glTF node (mmd_pose_can_scale) */
bool history_morph(odori_history *h, size_t model, uint32_t morph, float weight);

/* Another model and its bone; bone -1: none. */
typedef struct history_parent {
    size_t model;
    int32_t bone;
} history_parent;

/* Attaches a bone (or MMD_WHOLE_ACTOR) to a bone of another model. Returns false likewise. */
bool history_attach(odori_history *h, size_t model, int32_t bone, const history_parent *parent);

/* Tests whether the outside parent of a bone was edited and differs from what its project says. */
bool history_has_attached(const odori_history *h, size_t model, int32_t bone);

/* Returns why the last edit was refused. */
const char *history_refusal(const odori_history *h);

/* Refers to another scene from here on, and begins a step there. For mmd_edit_move, while all steps are
 * undone. */
void history_remap(odori_history *h, odori_scene *to);

/* Undoes all steps and finishes the history. */
void history_rewind(odori_history *h);

/* Updates pointers after the scene, and perhaps the history itself, has moved in memory. */
void history_moved(odori_history *h, odori_scene *scene);

/* Undo or redo one step. Return false if there is none. */
bool history_undo(odori_history *h);
bool history_redo(odori_history *h);

#endif
