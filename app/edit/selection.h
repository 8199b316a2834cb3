/*
 * What is selected in a scene, and the gizmo that edits it: by commands
 * without a window, by the mouse in one. Items are those of mmd/edit.h.
 */
#ifndef ODORI_SELECTION_H
#define ODORI_SELECTION_H

#include "gizmo_edit.h"

struct odori_session;

/* What the mouse does with a gizmo. Zeroed: nothing. */
typedef struct selection_drag {
    bool on;
    gizmo_hold hold;
    gizmo_drag drag;
    gizmo_change change;
} selection_drag;

typedef struct odori_selection {
    mmd_item *items; /* the last is the one that the gizmo is about */
    size_t count, room;
    gizmo_mode mode;
    gizmo_space space;
    gizmo_snap snap;
    bool snaps, mirrors;
    bool common; /* several are turned about one point */
    selection_drag drag;
    double pointer[2], press[2]; /* pixels: where the pointer is, and where the left button went down */
    bool is_near;                /* the pointer is over the picture, and on nothing else */
    bool is_down, has_moved;     /* the button is; the pointer went elsewhere since */
    char trouble[256];           /* why the last drag or edit did nothing; "": it did */
    char trouble_seen[256];      /* the same in the panels' language */
} odori_selection;

/* Rotating in the item's own axes; steps of a tenth of a unit, 15 degrees and a tenth, which are off. */
odori_selection selection_default(void);

/* Ends a drag and clears the selection; modes stay. */
void selection_finish(odori_selection *selection);

bool selection_has(const odori_selection *selection, mmd_item item);

/* Adds an item, which becomes the last. False: out of memory. */
bool selection_add(odori_selection *selection, mmd_item item);
void selection_clear(odori_selection *selection);
void selection_remove(odori_selection *selection, mmd_item item);

/* Moves the selection to the same items on another stage, without those that are gone there. */
void selection_remap(odori_selection *selection, const mmd_edit_map *map);

/* Returns the edit of the session's scene with its current options, having dropped items that are gone from
 * the selection. NULL: out of memory. */
mmd_edit *selection_edit(struct odori_session *s);

/* Keeps the reason why a drag or an edit did nothing, and tells it once in the messages. */
void selection_tell_trouble(struct odori_session *s, const char *why);

/* Ends the drag that is on as one step of undo, or takes back what it did. */
void selection_end_drag(struct odori_session *s, bool keep);

/* Cancels the drag that is on, if any, and forgets that the button is down. True: there was a drag. */
bool selection_cancel_drag(struct odori_session *s);

/*
 * Edit all that is selected, each one step of undo: absolute local values
 * of an op, whole matrices (column-major), reset. False: why in error
 * (REFUSAL_MAX bytes), and nothing has changed.
 */
bool selection_set(struct odori_session *s, gizmo_mode mode, const double values[3], char *error);
bool selection_set_matrix(struct odori_session *s, const double matrix[16], char *error);
bool selection_reset(struct odori_session *s, char *error);

#endif
