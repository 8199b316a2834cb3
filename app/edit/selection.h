/*
 * The selection of a scene, and the gizmo that edits it: by commands without a window, by the mouse in one.
 * Items are those of mmd/edit.h.
 */
#ifndef ODORI_SELECTION_H
#define ODORI_SELECTION_H

#include "gizmo_edit.h"

struct odori_session;

/* The mouse's drag of a gizmo. Zeroed: none. */
typedef struct selection_drag {
    bool on;
    gizmo_hold hold;
    gizmo_drag drag;
    gizmo_change change;
} selection_drag;

typedef struct odori_selection {
    mmd_item *items; /* the gizmo is at the last one */
    size_t count, room;
    gizmo_mode mode;
    gizmo_space space;
    gizmo_snap snap;
    bool snaps, mirrors;
    bool common; /* several items rotate about their common centre */
    selection_drag drag;
    double pointer[2], press[2]; /* pixels: the pointer, and where the left button was pressed */
    bool is_near;                /* the pointer is over the picture and on nothing else */
    bool is_down, has_moved;     /* the button is down; the pointer has moved since */
    char trouble[256];           /* why the last drag or edit had no effect; "" if it had */
    char trouble_shown[256];     /* the same in the language of the panels */
} odori_selection;

/* Returns the defaults: rotation about the item's own axes; snapping, which is off, to 0.1 units, 15
 * degrees and a factor of 0.1. */
odori_selection selection_default(void);

/* Ends a drag and clears the selection. Modes stay. */
void selection_finish(odori_selection *selection);

bool selection_has(const odori_selection *selection, mmd_item item);

/* Adds an item as the last one. Returns false when out of memory. */
bool selection_add(odori_selection *selection, mmd_item item);
void selection_clear(odori_selection *selection);
void selection_remove(odori_selection *selection, mmd_item item);

/* Moves the selection to the same items on another stage, dropping items that do not exist there. */
void selection_remap(odori_selection *selection, const mmd_edit_map *map);

/* Returns the edit of the session's scene with current options, after dropping items that no longer exist
 * from the selection. NULL when out of memory. */
mmd_edit *selection_edit(struct odori_session *s);

/* Stores the reason why a drag or an edit had no effect, and reports it once in the messages. */
void selection_report_trouble(struct odori_session *s, const char *why);

/* Ends the current drag: keeps it as one step of undo, or reverts it. */
void selection_end_drag(struct odori_session *s, bool keep);

/* Cancels the current drag, if any, and forgets that the button is down. Returns whether there was a drag. */
bool selection_cancel_drag(struct odori_session *s);

/*
 * Edit all selected items, each call as one step of undo: set absolute local values of an op, set whole
 * matrices (column-major), or reset. Return false with the reason in error (REFUSAL_MAX bytes), and nothing
 * has changed.
 */
bool selection_set(struct odori_session *s, gizmo_mode mode, const double values[3], char *error);
bool selection_set_matrix(struct odori_session *s, const double matrix[16], char *error);
bool selection_reset(struct odori_session *s, char *error);

#endif
