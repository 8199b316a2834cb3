/*
 * Edits of keys of motions: of what is selected, of one item, of camera and
 * light as commands move them. All go through the session's history; while
 * edits are joined (edit.join), an edit of the same key is the one before it
 * with another value.
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

/* The numbers that a kind looks at. Frames are the stage's. */
typedef struct key_edit {
    key_edit_kind kind;
    double from, to;
    const char *channel; /* x y z rotation distance angle all */
    mmd_curve curve;
    float weight;
} key_edit;

/* An edit whose value may be replaced while its step lasts (history.h). */
typedef struct history_dragged {
    mmd_command *command;
    mmd_item item;
    key_edit edit;
    bool is_look; /* camera work, which goes on */
} history_dragged;

/*
 * Edits keys of all that is selected and has keys; those without one at that
 * frame are passed over, as long as there is any. path: of this item in place
 * of what is selected; NULL: none. False: why in error (REFUSAL_MAX
 * bytes), and nothing has changed.
 */
bool key_edit_do(odori_session *s, const key_edit *edit, const char *path, char *error);

/* Key or unkey a morph of the selected model, by its name. weight NULL: as it is. */
bool key_edit_morph(odori_session *s, const char *name, const double *weight, char *error);
bool key_edit_remove_morph(odori_session *s, const char *name, char *error);

/* Keys, at the session's frame, all bones of the selected model that were edited; their poses become the
 * keys'. */
bool key_edit_bones(odori_session *s, char *error);

/* Tells whether there can be keys of an item. */
bool key_edit_has_keys(mmd_item item);

/* Puts the key that a maker makes of a wish at the session's frame, as one step; NULL from it is a refusal.
 */
typedef mmd_command *key_maker(mmd_edit *edit, const void *wish);
bool key_edit_make(odori_session *s, mmd_item item, key_maker *maker, const void *wish, char *error);

/* Tells whether edits write keys. */
bool key_edit_is_on(const odori_session *s);

/* Camera or light as a command found them. */
typedef struct key_edit_view {
    bool on;      /* a key is to be written */
    bool is_look; /* by camera work, which is one step as long as it goes on at a frame */
    mmd_item item;
    bool camera_by_hand, color_by_hand, direction_by_hand;
    bool follows;
    mmd_camera camera;
    mmd_light light;
} key_edit_view;

/*
 * Enclose a command that changes them by hand: while keying,
 * what it made becomes a key, and only what was by hand before stays so. Camera work
 * (looks), which is for looking around, too, does so only while the camera is
 * selected. False: refused, why in error; camera and light are as they were.
 */
bool key_edit_view_begin(odori_session *s, uint32_t kind, bool looks, key_edit_view *view, char *error);
bool key_edit_view_end(odori_session *s, const key_edit_view *view, char *error);

#endif
