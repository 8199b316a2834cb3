/* What the files share that write keys of motions. */
#ifndef KEYS_INTERNAL_H
#define KEYS_INTERNAL_H

#include "edit_internal.h"

/* Where an item's keys lie. */
typedef struct key_track {
    mmd_motion *motion;
    mmd_key_row row;
} key_track;

/* False: nowhere, which the refusal says. */
bool edit_keys_find(mmd_edit *edit, mmd_item item, key_track *track);

/* What an edit of keys does; numbers that its command takes. */
typedef enum key_deed {
    KEY_MOVE,   /* 1: the frame it goes to */
    KEY_COPY,   /* 1: the same */
    KEY_REMOVE, /* none */
    KEY_CURVE,  /* 4: of the channels' curve */
    KEY_WEIGHT, /* 1: of a morph */
    KEY_SCENE,  /* camera and light: of its component */
    KEY_PUT,    /* none */
    KEY_DEEDS
} key_deed;

/* Components of KEY_SCENE behind those of the interface: a matrix (MMD_COMPONENTS), or all that a key has. */
enum { SCENE_VALUES = MMD_COMPONENTS + 1 };
enum { CAMERA_NUMBERS = 9, LIGHT_NUMBERS = 6 };

/* What changes at a frame. */
typedef struct key_change {
    uint32_t frame;
    bool had, has; /* a key */
    mmd_kept_key before, after;
} key_change;

/* What the stage shows of camera and light, and what of it is by hand. */
typedef struct key_view {
    bool camera_by_hand, color_by_hand, direction_by_hand;
    mmd_camera camera;
    mmd_light light;
} key_view;

/* A command's own. */
typedef struct key_edit {
    mmd_item item;
    key_deed deed;
    uint32_t from, to, channels; /* channels: bits */
    int component;
    double values[MMD_OP_NUMBERS_MAX];
    bool begun, applied;
    key_track track;
    key_view view;    /* of KEY_SCENE, before it */
    mmd_kept_key key; /* of KEY_PUT */
    int change_count;
    key_change changes[2];
} key_edit;

/* NULL: out of memory, which the refusal says. */
mmd_command *keys_command(mmd_edit *edit, const key_edit *made);

/* The key that a KEY_SCENE makes of the one that is there, or of a new one. False: refused. */
bool keys_compute_scene(mmd_edit *edit, const key_edit *k, mmd_kept_key *key);

/* What the stage shows now; by hand as it was; or nothing by hand. */
void keys_see(mmd_edit *edit, key_view *view);
void keys_show(mmd_edit *edit, const key_view *view);
void keys_release(mmd_edit *edit, mmd_item item);

/* --- keys.c: objects that show what a stack does, and write keys --- */

typedef struct key_object {
    mmd_item item;
    bool whole;             /* a bone's whole matrix, not its motion's ops */
    mmd_transform3d *shown; /* its own */
} key_object;

/* Takes what is shown, which may be NULL: refused, and so is this. */
mmd_transform3d *keys_object(const mmd_transform3d_table *table, const key_object *made);

/* For tables: all but what commands are made. */
void keys_object_matrix(void *self, mmd_edit *edit, double matrix[16]);
void keys_object_exclusive(void *self, mmd_edit *edit, double matrix[16]);
bool keys_object_get(void *self, mmd_edit *edit, mmd_component component, double values[3]);
void keys_object_destroy(void *self);

/* A key of camera or light as it is seen now; of switches or self shadow as they hold. */
mmd_command *keys_scene_command(mmd_edit *edit, mmd_item item);

#endif
