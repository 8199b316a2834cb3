/*
 * Items in a gizmo's hand: where they stand, and editing them all at once,
 * through whatever objects the edit's handlers make (mmd/edit.h). One step of
 * undo, however often values are set before.
 */
#ifndef ODORI_GIZMO_EDIT_H
#define ODORI_GIZMO_EDIT_H

#include "gizmo.h"
#include "mmd/edit.h"

/* What an item's handles are about. False: there is no such item. */
bool gizmo_place_of(mmd_edit *edit, mmd_item item, gizmo_place *place);

/* The bone of the other side: 左 for 右 in its name. False: it has none, or is no bone. */
bool gizmo_twin(const mmd_edit *edit, mmd_item item, mmd_item *twin);

/* An edit of this component, as a mirror shows it. */
void gizmo_mirror(mmd_component component, const double values[3], double out[3]);

/* One item that is held. */
typedef struct gizmo_grip {
    mmd_item item; /* that is edited: an IK goal for its leg */
    mmd_command *command;
    double axes[9], exclusive[16], before[3], values[3];
    bool is_twin; /* does what the one before it does, mirrored */
    bool is_set;
} gizmo_grip;

/* Zeroed: nothing is held. */
typedef struct gizmo_hold {
    mmd_edit *edit;
    mmd_component component;
    gizmo_grip *grips;
    size_t count;
    bool changed; /* something was set */
} gizmo_hold;

typedef struct gizmo_wish {
    gizmo_mode mode; /* not none */
    gizmo_space space;
    bool mirrors; /* bones of the other side go along */
    bool all;     /* nothing is held unless all can be */
} gizmo_wish;

/*
 * Takes hold of items; nothing is changed. Of those that are moved, what hangs
 * on another of them is left to it. False: none can be edited so (wish->all:
 * one cannot), mmd_edit_refusal says why, or memory is out, and nothing is held.
 */
bool gizmo_hold_begin(gizmo_hold *hold, mmd_edit *edit, const mmd_item *items, size_t count,
                      const gizmo_wish *wish);

/* What a drag says, of all; or these absolute values. False: one refused, and is as it was. */
bool gizmo_hold_change(gizmo_hold *hold, const gizmo_change *change);
bool gizmo_hold_values(gizmo_hold *hold, const double values[3]);

/* Lets go: what was set is a step of undo (continues: part of the last one), or it is taken back. False: out
 * of memory, and all is as it was. */
bool gizmo_hold_end(gizmo_hold *hold, bool keep, bool continues);

#endif
