/* What the gizmo and the page of editing show. */
#ifndef ODORI_UI_EDIT_H
#define ODORI_UI_EDIT_H

#include "edit/gizmo.h"
#include "mmd/edit.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { UI_TARGETS_MAX = 64, UI_PATH_MAX = 512, UI_REFUSAL_MAX = 256 };

/* Something selected, or a bone under the pointer, in pixels. */
typedef struct ui_target {
    float x, y, tail_x, tail_y;
    bool has_tail;
    bool is_last;  /* the one that the gizmo is about */
    bool is_hover; /* not selected, but would be */
} ui_target;

/* A component of what was selected last. */
typedef struct ui_component {
    bool is_there; /* false: why in refusal, or "" where such items have none */
    double values[3];
    char refusal[UI_REFUSAL_MAX];
} ui_component;

typedef struct ui_edit {
    bool is_seen; /* something lies over the picture */
    gizmo_stroke strokes[GIZMO_STROKES_MAX];
    size_t stroke_count;
    gizmo_handle hovered; /* or dragged */
    bool drags;
    gizmo_stroke shape; /* of the drag */
    char label[64];
    float center[2];
    ui_target targets[UI_TARGETS_MAX];
    size_t target_count;
    bool has_sun, sun_selected, sun_hovered; /* the light's */
    float sun[2], sun_end[2];                /* its middle, and where its line ends */
    char name[UI_PATH_MAX];                  /* of the bone under the pointer; "": none */
    char hint[UI_REFUSAL_MAX];               /* why there are no handles; "": there are */
    /* The page. */
    size_t count;
    char path[UI_PATH_MAX];
    mmd_item item;              /* that the path is of */
    ui_component components[3]; /* translation, rotation, scale */
    gizmo_mode mode;
    gizmo_space space;
    gizmo_snap snap;
    bool snaps, mirrors, common;
    const char *undo, *redo; /* labels; NULL: there is none */
} ui_edit;

#ifdef __cplusplus
}
#endif

#endif
