/*
 * Items that a gizmo drags: where they stand, and editing them all at once,
 * through whatever objects the edit's handlers make (mmd/edit.h). A drag is one
 * step of undo, however often it sets values.
 */
#ifndef ODORI_GIZMO_EDIT_H
#define ODORI_GIZMO_EDIT_H

#include "gizmo.h"
#include "mmd/edit.h"

/* Tells whether an item has keys but no place, so that no handle can grip it. */
bool gizmo_is_nowhere(mmd_item item);

/* Finds the place that an item's handles are at. False: there is no such item, or it has no place. */
bool gizmo_place_of(mmd_edit *edit, mmd_item item, gizmo_place *place);

/* Returns the camera's angles in degrees, the file's signs; what the edit has is the same turn about X, then
 * Y, then Z. */
void gizmo_camera_angles(mmd_edit *edit, double angles[3]);

/* Finds the bone of the other side (mirror_names.h): 左 for 右 in its name. False: it has none, or is no
 * bone. */
bool gizmo_twin(const mmd_edit *edit, mmd_item item, mmd_item *twin);

/* What of an item follows a drag: the component that is dragged; the place of what is turned or scaled about
 * another point; a camera's angles, in its own numbers (gizmo.h); a light's direction. */
typedef enum gizmo_grip_kind { GRIP_PLAIN, GRIP_ORBITS, GRIP_CAMERA, GRIP_LIGHT } gizmo_grip_kind;

/* One component of one item that is held. */
typedef struct gizmo_grip {
    mmd_item item; /* that is edited: an IK goal for its leg */
    mmd_component component;
    gizmo_grip_kind kind;
    mmd_command *command;
    double axes[9], exclusive[16], before[3], values[3];
    double from[3]; /* of what orbits: where it was, from the point that it does about, in the world */
    bool is_twin;   /* does what the one before it does, mirrored */
    bool is_set;
} gizmo_grip;

/* Zeroed: nothing is held. */
typedef struct gizmo_hold {
    mmd_edit *edit;
    gizmo_grip *grips;
    size_t count;
    bool changed; /* something was set */
} gizmo_hold;

typedef struct gizmo_wish {
    gizmo_mode mode; /* not none */
    gizmo_space space;
    bool mirrors;             /* bones of the other side go along; where both are there, with the later one */
    bool all;                 /* nothing is held unless all can be */
    bool turns_light;         /* turning one is changing its direction; else it has no turn */
    bool common;              /* turns and sizes of several are about one point, along its axes: */
    double pivot[3], axes[9]; /* in the world */
} gizmo_wish;

/*
 * Takes hold of items; nothing is changed. Of those that are moved, what hangs
 * on another of them is left to it. False: none can be edited so (wish->all:
 * one cannot), mmd_edit_refusal says why, or memory is out, and nothing is held.
 */
bool gizmo_hold_begin(gizmo_hold *hold, mmd_edit *edit, const mmd_item *items, size_t count,
                      const gizmo_wish *wish);

/* Apply a drag's change, or absolute values, to all that is held. False: an item refused, and is as it was.
 */
bool gizmo_hold_change(gizmo_hold *hold, const gizmo_change *change);
bool gizmo_hold_values(gizmo_hold *hold, const double values[3]);

/* Ends the hold: what was set is a step of undo (continues: part of the last one), or it is taken back.
 * False: out of memory, and all is as it was. */
bool gizmo_hold_end(gizmo_hold *hold, bool keep, bool continues);

#endif
