/*
 * Edits of keyframes of motions: of the selection, of one item, and of camera and light as commands move
 * them. All go through the session's history. While edits are joined (edit.join), a second edit of the same
 * keyframe replaces the value of the first.
 */
#ifndef ODORI_KEY_EDIT_H
#define ODORI_KEY_EDIT_H

#include "session.h"

typedef enum key_edit_kind {
    KEY_EDIT_SET,    /* at the session's frame */
    KEY_EDIT_REMOVE, /* at a frame */
    KEY_EDIT_MOVE,
    KEY_EDIT_COPY,
    KEY_EDIT_CURVE,
    KEY_EDIT_WEIGHT /* of a morph, at the session's frame */
} key_edit_kind;

/* An edit; each kind reads the members it needs. Frames are the stage's. */
typedef struct key_edit {
    key_edit_kind kind;
    double from, to;
    const char *channel; /* x, y, z, rotation, distance, angle or all */
    mmd_curve curve;
    float weight;
} key_edit;

/* An edit whose value may be replaced during its step (history.h). */
typedef struct history_dragged {
    mmd_command *command;
    mmd_item item;
    key_edit edit;
    bool is_camera_work; /* made by camera work, which continues */
} history_dragged;

/*
 * Edits keyframes of all selected items that have any. Items without one at that frame are skipped, as long
 * as another has one. path: edits this item instead of the selection; NULL: the selection. Returns false with
 * the reason in error (REFUSAL_MAX bytes), and nothing has changed.
 */
bool key_edit_do(odori_session *s, const key_edit *edit, const char *path, char *error);

/* Set or remove a keyframe of a morph of the selected model, by its name. weight NULL: the current weight. */
bool key_edit_morph(odori_session *s, const char *name, const double *weight, char *error);
bool key_edit_remove_morph(odori_session *s, const char *name, char *error);

/* Sets keyframes, at the session's frame, for all edited bones of the selected model. Their poses become
 * part of the keyframes. */
bool key_edit_bones(odori_session *s, char *error);

/* Tests whether an item can have keyframes. */
bool key_edit_has_keys(mmd_item item);

/* Sets the keyframe that a function builds from a request, at the session's frame, as one step of undo.
 * NULL from the function is a refusal. */
typedef mmd_command *key_builder(mmd_edit *edit, const void *request);
bool key_edit_make(odori_session *s, mmd_item item, key_builder *build, const void *request, char *error);

/* Tests whether edits write keyframes. */
bool key_edit_is_on(const odori_session *s);

/* Camera or light before a command changes them. */
typedef struct key_edit_view {
    bool on;             /* a keyframe is to be written */
    bool is_camera_work; /* camera work, which stays one step as long as it continues at the same frame */
    mmd_item item;
    bool camera_by_hand, color_by_hand, direction_by_hand;
    bool follows;
    mmd_camera camera;
    mmd_light light;
} key_edit_view;

/*
 * Enclose a command that changes camera or light by hand. While keyframes are written, the result becomes a
 * keyframe and the values by hand are restored. Camera work (looks), which also serves for looking around,
 * writes a keyframe only while the camera is selected. Return false if refused, with the reason in error;
 * camera and light are restored then.
 */
bool key_edit_view_begin(odori_session *s, uint32_t kind, bool looks, key_edit_view *view, char *error);
bool key_edit_view_end(odori_session *s, const key_edit_view *view, char *error);

#endif
