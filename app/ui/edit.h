/* A snapshot of the selection for the gizmo and the Edit page. */
#ifndef ODORI_UI_EDIT_H
#define ODORI_UI_EDIT_H

#include "edit/gizmo.h"
#include "mmd/edit.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { UI_TARGETS_MAX = 64, UI_PATH_MAX = 512, UI_REFUSAL_MAX = 256 };

/* The mark of a selected item, or of the bone under the pointer, in pixels. */
typedef struct ui_target {
    float x, y, tail_x, tail_y; /* origin, and tail of a bone */
    bool has_tail;
    bool is_last;  /* selected last: the gizmo belongs to it */
    bool is_hover; /* not selected, but a click would select it */
} ui_target;

/* Translation, rotation or scale of the item that was selected last. */
typedef struct ui_component {
    bool is_there;                /* it can be edited */
    double values[3];             /* units, degrees or factors */
    char refusal[UI_REFUSAL_MAX]; /* why it cannot be edited; "": items of this kind never have it */
} ui_component;

typedef struct ui_edit {
    bool is_seen; /* marks or the gizmo are drawn over the scene */
    gizmo_stroke strokes[GIZMO_STROKES_MAX];
    size_t stroke_count;
    gizmo_handle hovered; /* handle under the pointer, or the one that is dragged */
    bool drags;           /* a handle is being dragged */
    gizmo_stroke shape;   /* of the drag: sector or line */
    char label[64];       /* amount of the drag, as text */
    float center[2];      /* of the gizmo, pixels */
    ui_target targets[UI_TARGETS_MAX];
    size_t target_count;
    bool has_sun, sun_selected, sun_hovered; /* the icon of the light */
    float sun[2], sun_end[2];                /* its centre, and the end of its direction line */
    char name[UI_PATH_MAX];                  /* of the bone under the pointer; "": none */
    char hint[UI_REFUSAL_MAX];               /* why there are no handles; "": there are */
    size_t count;                            /* of selected items */
    const mmd_item *items;                   /* selected items, valid until a command runs */
    mmd_item item;                           /* the one that was selected last */
    /* The Edit page, filled while it is open. */
    char path[UI_PATH_MAX];       /* of the item that was selected last */
    bool controls;                /* something else moves it: */
    char controller[UI_PATH_MAX]; /* its name */
    ui_component components[3];   /* indexed by mmd_component */
    gizmo_mode mode;
    gizmo_space space;
    gizmo_snap snap;
    bool snaps, mirrors;     /* snapping and mirrored editing are on */
    bool common;             /* several items turn about their common centre */
    const char *undo, *redo; /* labels of the next steps; NULL: there is none */
} ui_edit;

#ifdef __cplusplus
}
#endif

#endif
