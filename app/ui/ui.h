/*
 * The player's panels and timeline: Dear ImGui behind a C face, the only C++
 * of the program. They read a snapshot of the scene and say what is to be done
 * as lines of the command table. Everything belongs to the thread of the
 * window's GL context. Places are in pixels of the window, from the top left.
 */
#ifndef ODORI_UI_H
#define ODORI_UI_H

#include "mmd/view.h"
#include "edit/panel_settings.h"

#ifdef __cplusplus
extern "C" {
#endif

struct odori_inspection;
struct key_view;
struct key_bindings;
struct ui_edit;
typedef struct odori_ui odori_ui;

enum { UI_LINE_MAX = 1024, UI_MARK_BINS = 256 };

/* Keys that text fields know; others have no number. */
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

enum { UI_CONTROL = 1, UI_SHIFT = 2 };

typedef struct ui_model {
    const mmd_model *model;
    const char *title; /* its file's name */
    mmd_staging staging;
} ui_model;

/* What the timeline shows of motions. */
typedef struct ui_marks {
    float density[UI_MARK_BINS]; /* of keys over the dance, 0 to 1 */
    const uint32_t *cuts;        /* frames where the camera leaps */
    size_t cut_count;
} ui_marks;

typedef struct ui_statistics {
    double fps;
    double draw_ms, step_ms, pose_ms; /* a picture; step and pose: 0 where physics is off */
    double memory_mb;
    uint32_t draw_calls;
    double upload_us;
    double pass_us[MMD_VIEW_PASSES];
    size_t bodies, joints, vertices, triangles;
    const char *renderer;
} ui_statistics;

/* What there is to show. Nothing of it is kept behind ui_frame. */
typedef struct ui_scene {
    const panel_settings *settings;
    const char *name;
    double frame, last_frame, at;  /* at: where the stage is on its way to the frame */
    double speed;                  /* 1: as it was made */
    double repeat_from, repeat_to; /* A and B in frames; NaN: not set */
    bool playing, arrived;
    ui_marks marks;
    const ui_model *models;
    size_t model_count, selected;
    /* Of the selected model: */
    const float *weights;       /* by morph, as they are now */
    const float *by_hand;       /* by morph, NaN: the motion's; NULL: none is */
    const mmd_transform *bones; /* in the world */
    const uint8_t *hidden;      /* by material */
    bool physics, ground;
    float gravity[3];
    mmd_view_options view;
    mmd_light light;
    ui_statistics statistics;
    const char *const *log; /* oldest first */
    size_t log_count;
    const char *const *files; /* that can be opened: those beside the model first */
    size_t file_count, files_beside;
    double loading;                            /* of what is being opened: how much, 0 to 1, */
    const char *loading_name;                  /* and what it is; NULL: nothing is */
    const char *refused;                       /* why the last line did nothing, or ""; NULL: as "" */
    const struct key_bindings *bindings;       /* to be listed (bindings.h); NULL: not now */
    bool left_turns;                           /* the mouse's left button turns the camera */
    const struct odori_inspection *inspection; /* to be shown (inspection.h); NULL: none */
    bool has_sound;
    double volume, sound_offset;  /* offset: seconds of the dance at which it begins */
    const struct ui_edit *edit;   /* what is selected, and the gizmo (edit.h) */
    const struct key_view *sheet; /* keys (key_view.h); NULL: they are not to be seen */
} ui_scene;

/* Points of the screen that panels cover at the right, the timeline at the bottom, above it the
 * sheet of keys, which has at most so much of the window. */
enum { UI_PANELS_WIDTH = 330, UI_TIMELINE_HEIGHT = 64, UI_SHEET_HEIGHT = 236, UI_SHEET_PERCENT = 45 };

typedef struct ui_display {
    uint32_t width, height; /* of the window, pixels */
    double scale;           /* of the display: 1, or 2 where pixels are half as large */
    double seconds;         /* of a clock */
    bool timeline;          /* shown without panels, too */
    void *user;             /* of the functions */
    const char *(*get_clipboard)(void *user);
    void (*set_clipboard)(void *user, const char *text);
} ui_display;

/* Creates the panels. NULL: out of memory, or OpenGL refuses what the panels need. */
odori_ui *ui_create(void);
void ui_destroy(odori_ui *ui); /* NULL is allowed */

/* Tell what happened, in order. A press and its release count each, however quickly they follow each other.
 */
void ui_on_move(odori_ui *ui, double x, double y);
void ui_on_button(odori_ui *ui, int button, bool down); /* 0 left, 1 right, 2 middle */
void ui_on_wheel(odori_ui *ui, double notches);
void ui_on_key(odori_ui *ui, ui_key key, bool down, unsigned modifiers);
void ui_on_character(odori_ui *ui, uint32_t character);

/* Tells whether the place is on something of the panels, or what began there is still being dragged. */
bool ui_has_pointer(const odori_ui *ui, double x, double y);
bool ui_has_keys(const odori_ui *ui); /* a text field has them */

/* Tells whether a key that is pressed means the sheet's own keys, those of the motion that are chosen there.
 */
bool ui_wants_key(const odori_ui *ui, ui_key key, unsigned modifiers);

/* Tells which of UI_CONTROL and UI_SHIFT are down; to be told before a button or the wheel. */
void ui_on_modifiers(odori_ui *ui, unsigned modifiers);

/* Tells whether something is still to be laid out: an event that was not looked at, or what the last one set
 * in motion. */
bool ui_is_unsettled(const odori_ui *ui);

/* Lays everything out, draws it over the framebuffer that is bound, and takes in what was clicked. */
void ui_frame(odori_ui *ui, const ui_scene *scene, const ui_display *display);

/* Returns the next line for the command table, or NULL; valid until the next frame. */
const char *ui_next_line(odori_ui *ui);

#ifdef __cplusplus
}
#endif

#endif
