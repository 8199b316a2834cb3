/* Declarations shared by the files that write keyframes of motions. */
#ifndef KEYS_INTERNAL_H
#define KEYS_INTERNAL_H

#include "edit_internal.h"

/* The motion and row that hold the keyframes of an item. */
typedef struct key_track {
    mmd_motion *motion;
    mmd_key_row row;
} key_track;

/* Finds the keyframes of an item. Returns false, with a refusal, if there is no motion for them. */
bool edit_keys_find(mmd_edit *edit, mmd_item item, key_track *track);

/* Operations on keyframes. The number is that of the values that the command takes. */
typedef enum key_deed {
    KEY_MOVE,   /* 1: the target frame */
    KEY_COPY,   /* 1: the target frame */
    KEY_REMOVE, /* 0 */
    KEY_CURVE,  /* 4: the curve of the channels */
    KEY_WEIGHT, /* 1: the weight of a morph */
    KEY_SCENE,  /* camera and light: those of the component */
    KEY_PUT,    /* 0 */
    KEY_DEEDS
} key_deed;

/* Components of KEY_SCENE beyond the interface's: a matrix (MMD_COMPONENTS), or all values of a keyframe. */
enum { SCENE_VALUES = MMD_COMPONENTS + 1 };
enum { CAMERA_NUMBERS = 9, LIGHT_NUMBERS = 6 };

/* The change of one frame. */
typedef struct key_change {
    uint32_t frame;
    bool had, has; /* whether there is a keyframe, before and after */
    mmd_stored_key before, after;
} key_change;

/* The visible camera and light, and which of their values were set by hand. */
typedef struct key_view {
    bool camera_by_hand, color_by_hand, direction_by_hand;
    mmd_camera camera;
    mmd_light light;
} key_view;

/* The state of a command for keyframes. */
typedef struct key_edit {
    mmd_item item;
    key_deed deed;
    uint32_t from, to, channels; /* channels: bits */
    int component;
    double values[MMD_OP_NUMBERS_MAX];
    bool begun, applied;
    key_track track;
    key_view view;      /* of KEY_SCENE: the view before the command */
    mmd_stored_key key; /* of KEY_PUT */
    int change_count;
    key_change changes[2];
} key_edit;

/* Creates a command from its state. NULL, with a refusal, when out of memory. */
mmd_command *keys_command(mmd_edit *edit, const key_edit *made);

/* Computes the keyframe of KEY_SCENE from the existing one, or as a new one. Returns false if refused. */
bool keys_compute_scene(mmd_edit *edit, const key_edit *k, mmd_stored_key *key);

/* keys_see reads the visible camera and light; keys_show sets the values by hand of a stored view;
 * keys_release clears the values by hand of an item. */
void keys_see(mmd_edit *edit, key_view *view);
void keys_show(mmd_edit *edit, const key_view *view);
void keys_release(mmd_edit *edit, mmd_item item);

/* --- keys.c: objects that read from a stack and write keyframes --- */

typedef struct key_object {
    mmd_item item;
    bool whole;             /* the whole matrix of a bone, not the ops of its motion */
    mmd_transform3d *shown; /* object that is read; owned */
} key_object;

/* Creates an object and takes ownership of made->shown. If that is NULL (refused), the result is NULL,
 * too. */
mmd_transform3d *keys_object(const mmd_transform3d_table *table, const key_object *made);

/* Table functions that are the same for all objects. */
void keys_object_matrix(void *self, mmd_edit *edit, double matrix[16]);
void keys_object_exclusive(void *self, mmd_edit *edit, double matrix[16]);
bool keys_object_get(void *self, mmd_edit *edit, mmd_component component, double values[3]);
void keys_object_destroy(void *self);

/* Makes a keyframe of camera or light as visible now, or of switches or self shadow with their current
 * values. */
mmd_command *keys_scene_command(mmd_edit *edit, mmd_item item);

#endif
