/*
 * The player's panels and timeline: a C interface to Dear ImGui, the only C++ of the program. They read a
 * snapshot of the scene and return what the user does as command lines. All functions belong to the thread of
 * the window's GL context. Coordinates are pixels of the window, from the top left.
 */
#ifndef ODORI_UI_H
#define ODORI_UI_H

#include "mmd/view.h"
#include "base/panel_message.h"
#include "edit/panel_settings.h"
#include "layout.h"

#ifdef __cplusplus
extern "C" {
#endif

struct odori_inspection;
struct key_view;
struct key_bindings;
struct save_list;
struct file_page;
struct ui_edit;
typedef struct odori_ui odori_ui;

enum { UI_LINE_MAX = 1026, UI_MARK_BINS = 256 };

/* Keys that text fields and the keyframe editor use. All others are UI_KEY_NONE. */
typedef enum ui_key {
    UI_KEY_NONE,
    UI_KEY_TAB,
    UI_KEY_LEFT,
    UI_KEY_RIGHT,
    UI_KEY_UP,
    UI_KEY_DOWN,
    UI_KEY_HOME,
    UI_KEY_END,
    UI_KEY_DELETE,
    UI_KEY_BACKSPACE,
    UI_KEY_ENTER,
    UI_KEY_ESCAPE,
    UI_KEY_A,
    UI_KEY_C,
    UI_KEY_V,
    UI_KEY_X,
    UI_KEY_Z,
    UI_KEY_COUNT
} ui_key;

/* Bits of modifier keys. */
enum { UI_CONTROL = 1, UI_SHIFT = 2 };

typedef struct ui_model {
    const mmd_model *model;
    const char *title;      /* name of its file, without folders */
    const char *given_name; /* by hand; NULL: the model's own names are shown */
    bool is_removed;        /* it is not shown in lists */
    mmd_staging staging;
} ui_model;

/* A motion of the selected model. */
typedef struct ui_motion {
    const char *name; /* of its file; "": keyframes that are in no file */
    float weight;     /* 0 to 1 */
} ui_motion;

enum { UI_MOTIONS_MAX = 32 }; /* that are listed */

/* Marks of the motions on the timeline. */
typedef struct ui_marks {
    float density[UI_MARK_BINS]; /* of bone keyframes over the length of the scene, 0 to 1 */
    const uint32_t *cuts;        /* frames of camera cuts, ascending */
    size_t cut_count;
} ui_marks;

typedef struct ui_statistics {
    double fps;
    double draw_ms, step_ms, pose_ms; /* milliseconds per frame; step_ms and pose_ms are 0 without physics */
    double memory_mb;
    uint32_t draw_calls;
    double upload_us;                           /* microseconds of the last frame */
    double pass_us[MMD_VIEW_PASSES];            /* microseconds; 0 while passes are not measured */
    size_t bodies, joints, vertices, triangles; /* of all models */
    const char *renderer;                       /* name of the GPU and driver */
} ui_statistics;

/* A snapshot of the scene. ui_frame retains no pointer of it. */
typedef struct ui_scene {
    const panel_settings *settings;
    const char *name;              /* of the scene */
    double frame, last_frame;      /* last_frame: above 2e6 when the scene has no end */
    double at;                     /* frame that physics has been simulated to */
    double speed;                  /* playback speed, 1: normal */
    double repeat_from, repeat_to; /* A and B of the repeated range, in frames; NaN: not set */
    bool playing;
    bool arrived; /* physics has been simulated up to the frame */
    ui_marks marks;
    const ui_model *models;
    size_t model_count, selected;
    /* Of the selected model: */
    const ui_motion *motions;
    size_t motion_count;
    const float *weights;       /* of each morph, as shown */
    const float *by_hand;       /* weight of each morph that the user set, NaN: not set; NULL: no model */
    const mmd_transform *bones; /* world transform of each bone */
    const uint8_t *hidden;      /* of each material: 1 when it is hidden */
    bool physics, ground;
    float gravity[3];
    mmd_view_options view;
    mmd_light light;
    ui_statistics statistics;
    const panel_message *log; /* messages, oldest first */
    size_t log_count;
    const char *const *files; /* paths that can be opened, files_beside of the folder first */
    size_t file_count, files_beside;
    const char *const *kept; /* paths of unsaved edits of earlier runs, the newest first */
    size_t kept_count;
    const char *last;          /* name of the scene of last time, for the first page; NULL: there is none */
    const char *last_path;     /* what opens it */
    const char *const *dances; /* entries of the playlist */
    size_t dance_count, dance; /* dance: the one that plays; dance_count: none does */
    double fade_seconds;       /* of a fade between dances */
    const char *trouble;      /* why the file of the command line was not opened; NULL or "": it was */
    double loading;           /* progress of the file that is being loaded, 0 to 1 */
    const char *loading_name; /* its name; NULL: no file is being loaded */
    const char *refused;      /* why the last command was refused; "" or NULL: it was not */
    const struct key_bindings *bindings;    /* shown as the key list (bindings.h); NULL: the list is closed */
    const struct key_bindings *active_keys; /* for hints that name keys; NULL: there are none */
    bool hints;                             /* shows a hint of the most important keys and mouse buttons */
    int keys;                               /* set of keys (key_set, bindings.h) */
    bool left_turns;                        /* the left mouse button orbits the camera, not the right one */
    const struct odori_inspection *inspection; /* shown in the pixel inspector (inspection.h); NULL: closed */
    bool has_sound, sounds, is_muted; /* has_sound: there is a player of sound; sounds: it has a file */
    double volume, sound_offset;    /* sound_offset: seconds of the scene at which the audio starts */
    const struct ui_edit *edit;     /* selection and gizmo (edit.h) */
    const struct file_page *page;   /* shown while it is open (document/file_page.h); or NULL */
    const struct save_list *saving; /* shown while it is open (document/save.h); or NULL */
    bool has_dialog;                /* the desktop has a dialog for choosing files, as far as is known */
    const struct key_view *sheet;   /* rows of the keyframe editor (key_view.h); NULL: it is closed */
} ui_scene;

/* Shapes of the mouse pointer: the usual one, and those over an edge that is dragged across or up and down.
 */
typedef enum ui_cursor { UI_CURSOR_ARROW, UI_CURSOR_ACROSS, UI_CURSOR_UPRIGHT, UI_CURSORS } ui_cursor;

typedef struct ui_display {
    uint32_t width, height; /* of the framebuffer, pixels */
    ui_layout layout;       /* of the window */
    double scale;           /* pixels per point */
    double seconds;         /* of a monotonic clock */
    bool timeline;          /* shows the timeline even while the panels are closed */
    void *user;             /* passed to the clipboard functions */
    const char *(*get_clipboard)(void *user);
    void (*set_clipboard)(void *user, const char *text);
} ui_display;

/* Creates the panels. Returns NULL when out of memory or when OpenGL cannot draw them. */
odori_ui *ui_create(void);
void ui_destroy(odori_ui *ui); /* does nothing when NULL */

/* These queue input events, in the order in which they happened. A press and its release are both processed
 * even when they arrive within one frame. */
void ui_on_move(odori_ui *ui, double x, double y);
void ui_on_button(odori_ui *ui, int button, bool down); /* 0 left, 1 right, 2 middle */
void ui_on_wheel(odori_ui *ui, double notches);
void ui_on_key(odori_ui *ui, ui_key key, bool down, unsigned modifiers);
void ui_on_character(odori_ui *ui, uint32_t character);

/* Returns whether the mouse belongs to the panels at a position: something of them is there, or a drag that
 * began on them continues. */
bool ui_has_pointer(const odori_ui *ui, double x, double y);
/* Returns whether a text field takes the keyboard. */
bool ui_has_keys(const odori_ui *ui);

/* Returns whether a key that is pressed acts on the keyframes that are selected in the keyframe editor:
 * Delete, Escape, Ctrl+C, Ctrl+V. */
bool ui_wants_key(const odori_ui *ui, ui_key key, unsigned modifiers);

/* Sets which of UI_CONTROL and UI_SHIFT are down. Call it before a button or wheel event. */
void ui_on_modifiers(odori_ui *ui, unsigned modifiers);

/* Returns whether another ui_frame is needed: events wait, or the layout has not settled after the last one.
 */
bool ui_is_unsettled(const odori_ui *ui);

/* Processes events, lays everything out and draws it to the bound framebuffer. */
void ui_frame(odori_ui *ui, const ui_scene *scene, const ui_display *display);

/* A short menu of its own, instead of all panels: that of the mascot. */
typedef struct ui_menu {
    double x, y; /* where it opens, moved so that it is within the window */
    bool plays, has_sound, is_muted;
    uint32_t larger[2], smaller[2]; /* sizes of the window that it offers */
} ui_menu;

/* Draws the menu like ui_frame, which is not called for the same panels. Of the scene only the settings are
 * used.
 */
void ui_menu_frame(odori_ui *ui, const ui_scene *scene, const ui_display *display, const ui_menu *menu);

/* Returns the shape of the pointer that the last frame asks for. */
ui_cursor ui_cursor_wanted(const odori_ui *ui);

/* Writes which rows of the page of files the last frame has shown: the first one, and the one after the last.
 */
void ui_files_seen(const odori_ui *ui, size_t *first, size_t *end);

/* Forgets keys and buttons that are down, open lists and what is being typed. Call it instead of ui_frame
 * while nothing is shown: releases do not arrive then. */
void ui_hide(odori_ui *ui);

/* Returns the next command line, or NULL after the last one. It is valid until the next ui_frame. */
const char *ui_next_line(odori_ui *ui);

#ifdef __cplusplus
}
#endif

#endif
