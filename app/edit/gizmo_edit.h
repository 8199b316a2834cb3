/*
 * Items that a gizmo drags: their placement, and editing them together through the objects that the edit's
 * handlers make (mmd/edit.h). A drag is one step of undo, however often it sets values.
 */
#ifndef ODORI_GIZMO_EDIT_H
#define ODORI_GIZMO_EDIT_H

#include "gizmo.h"
#include "mmd/edit.h"

/* Tests whether an item has keyframes but no position, so that no handle can grip it. */
bool gizmo_has_no_position(mmd_item item);

/* Computes the placement of an item's handles. Returns false if there is no such item, or it has no
 * position. */
bool gizmo_placement_of(mmd_edit *edit, mmd_item item, gizmo_placement *placement);

/* Returns the camera's angles in degrees, signs as in files. The edit itself holds the same rotation as
 * angles about X, then Y, then Z. */
void gizmo_camera_angles(mmd_edit *edit, double angles[3]);

/* Finds the bone of the other side (mmd_edit_mirrored): 左 for 右 in its name. Returns false if there is
 * none, or the item is not a bone. */
bool gizmo_twin(const mmd_edit *edit, mmd_item item, mmd_item *twin);

/* How an item follows a drag: by the dragged component; by its position, when it is rotated or scaled
 * about another point; by a camera's angles (gizmo.h); by a light's direction. */
typedef enum gizmo_grip_kind { GRIP_PLAIN, GRIP_ORBITS, GRIP_CAMERA, GRIP_LIGHT } gizmo_grip_kind;

/* One component of an item that is held. */
typedef struct gizmo_grip {
    mmd_item item; /* the edited item, for example the IK goal of a leg */
    mmd_component component;
    gizmo_grip_kind kind;
    mmd_command *command;
    double axes[9], exclusive[16], before[3], values[3];
    double from[3]; /* for GRIP_ORBITS: the original position relative to the pivot, in the world */
    bool is_twin;   /* mirrors the grip before it */
    bool is_set;
} gizmo_grip;

/* The items held by a drag. Zeroed: none. */
typedef struct gizmo_hold {
    mmd_edit *edit;
    gizmo_grip *grips;
    size_t count;
    bool changed; /* some value was set */
} gizmo_hold;

typedef struct gizmo_request {
    gizmo_mode mode; /* must not be GIZMO_NONE */
    gizmo_space space;
    bool mirrors; /* also edits the bones of the other side; where both are selected, the later one leads */
    bool all;     /* holds nothing unless all items can be held */
    bool rotates_light; /* a rotation of the light changes its direction; otherwise it cannot be rotated */
    bool common;        /* several items rotate and scale about one point, along common axes: */
    double pivot[3], axes[9]; /* in the world */
} gizmo_request;

/*
 * Takes hold of items without changing anything. In a translation, an item whose ancestor is also held is
 * left to that ancestor. Returns false with nothing held if no item (wish->all: some item) can be edited in
 * this way, with the reason in mmd_edit_refusal, or if memory is out.
 */
bool gizmo_hold_begin(gizmo_hold *hold, mmd_edit *edit, const mmd_item *items, size_t count,
                      const gizmo_request *wish);

/* Apply the change of a drag, or absolute values, to all held items. Return false if an item refused; that
 * item keeps its value. */
bool gizmo_hold_change(gizmo_hold *hold, const gizmo_change *change);
bool gizmo_hold_values(gizmo_hold *hold, const double values[3]);

/* Ends the hold: keeps the values as one step of undo (continues: as part of the last step), or reverts
 * them. Returns false when out of memory; everything is reverted then. */
bool gizmo_hold_end(gizmo_hold *hold, bool keep, bool continues);

#endif
