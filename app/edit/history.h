/*
 * Undo and redo of edits of bones, morphs and outside parents. They are commands of the engine's edit
 * (mmd/edit.h), in one history with all other commands.
 */
#ifndef ODORI_HISTORY_H
#define ODORI_HISTORY_H

#include "mmd/edit.h"
#include "scene/scene.h"

/* A bone whose outside parent was edited. edits: number of such edits that are not undone. */
typedef struct history_attachment {
    size_t model;
    int32_t bone;
    uint32_t edits;
} history_attachment;

struct odori_plugins;
struct history_dragged;
struct scene_remap;

typedef struct odori_history {
    odori_scene *scene;            /* must be the first member, because edited_motion_begin reads it through a
                                      pointer */
    mmd_edit *edit;                /* created with the first edit or by history_edit; NULL before */
    struct odori_plugins *plugins; /* loaded plug-ins (plugins.h); NULL: none */
    mmd_command *last;             /* the last command, while it belongs to the current step; else NULL */
    uint64_t changes;              /* number of change notifications from the edit */
    bool continues;                /* the next edit belongs to the last step */
    bool joins; /* history_begin does not begin a step, so that a whole drag is undone at once */
    struct history_dragged *dragged; /* edits of keyframes that belong to the current step (key_edit.h) */
    size_t dragged_count, dragged_room;
    float **weights_by_hand; /* by model, by morph; NULL until one was set, NaN where the motion decides */
    size_t weight_count;     /* number of models that weights_by_hand has room for */
    history_attachment *attachments;
    size_t attachment_count;
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

/* Edit a value as part of the step. Return false when out of memory. */
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

/* Attaches a bone (or MMD_WHOLE_ACTOR) to a bone of another model, with the errors of
 * mmd_stage_set_outside_parent. */
bool history_attach(odori_history *h, size_t model, int32_t bone, const history_parent *parent,
                    mmd_error *error);

/* Tests whether the outside parent of a bone was edited and differs from what its project says. */
bool history_has_attached(const odori_history *h, size_t model, int32_t bone);

/* Returns the weight set by hand, or NaN if there is none. */
float history_weight(const odori_history *h, size_t model, uint32_t morph);

/* Moves the history to another scene (remap.h). All steps must be undone. */
void history_remap(odori_history *h, const struct scene_remap *remap);

/* Undoes all steps and finishes the history. */
void history_rewind(odori_history *h);

/* Updates pointers after the scene, and perhaps the history itself, has moved in memory. */
void history_moved(odori_history *h, odori_scene *scene);

/* Undo or redo one step. Return false if there is none. */
bool history_undo(odori_history *h);
bool history_redo(odori_history *h);

#endif
