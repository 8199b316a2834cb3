// What the sheet of keys and the editor of curves share. Keys are chosen by
// item and frame; nothing of a motion is held from one picture to the next.
#ifndef ODORI_UI_DOPE_SHEET_H
#define ODORI_UI_DOPE_SHEET_H

#include <imgui.h>

#include "key_view.h"
#include "ui.h"

// A key of a row, in the order of these.
struct sheet_key {
    uint32_t kind, model, index, frame;
};

// A line that waits for its turn: a picture says only so many.
enum sheet_act { SHEET_JOIN, SHEET_MOVE, SHEET_COPY, SHEET_DELETE, SHEET_CURVE };
struct sheet_line {
    sheet_act act;
    sheet_key key;
    bool everywhere; // all that is selected, not this row alone; of SHEET_JOIN: on
    uint32_t to;
    char curve[40]; // channel and numbers
};

enum sheet_hold { HOLD_NONE, HOLD_KEYS, HOLD_BOX };

struct ui_sheet {
    bool is_shown;
    double start;             // frame at the left
    float spread;             // points a frame; 0: not shown so far
    double seen;              // frame that was in the last picture,
    float width;              // and how wide its frames were, in pixels
    bool unfolds;             // rows of morphs
    ImVector<sheet_key> keys; // chosen, sorted
    sheet_key last;           // the one that was clicked; its curve is shown
    bool has_last;
    ImVector<sheet_key> copied;
    ImVector<sheet_line> lines;
    int next_line;
    // What the left button holds: where it went down, and how far the keys are by now.
    sheet_hold hold;
    bool hold_adds, hold_moved, hold_all; // with Ctrl; elsewhere since; on the summary
    double hold_frame, hold_by;
    float hold_x, hold_y; // pixels; y from the first row on
    sheet_key held;
    bool pans; // the middle button
    double pan_frame;
    // The editor of curves.
    int channel = MMD_CHANNEL_ROTATION; // -1: all of them
    int grip;                           // handle that is dragged: 1, 2; 0: none
    sheet_key shaped;
    mmd_curve wanted; // by the drag
};

// ---- dope_sheet.cpp ----
// Shows the sheet between two heights of the window; 0 pixels high where it is not to be seen.
void sheet_show(odori_ui *ui, const ui_scene *scene, float width, float top, float bottom);
float sheet_height(const odori_ui *ui, const ui_scene *scene, float display_height);

// ---- dope_sheet_selection.cpp: which keys are chosen, and what is done with them ----
sheet_key sheet_key_of(const key_row *row, uint32_t frame);
const key_row *sheet_row_of(const key_view *view, const sheet_key &key);
bool sheet_row_is(const key_row *row, const sheet_key &key);
bool sheet_same(const sheet_key &a, const sheet_key &b);
bool sheet_before(const sheet_key &a, const sheet_key &b);
bool sheet_has(const ui_sheet *sheet, const sheet_key &key);
void sheet_choose(ui_sheet *sheet, const sheet_key &key, bool on);
void sheet_choose_frame(ui_sheet *sheet, const key_view *view, uint32_t frame);
void sheet_choose_none(ui_sheet *sheet);
// Drops keys that are not there any more from those chosen.
void sheet_check(ui_sheet *sheet, const key_view *view);
// Move chosen keys by frames, delete, keep and copy them to begin at a frame.
void sheet_move(ui_sheet *sheet, const key_view *view, long by);
void sheet_delete(ui_sheet *sheet, const key_view *view);
void sheet_copy(ui_sheet *sheet);
void sheet_paste(ui_sheet *sheet, const key_view *view, uint32_t frame);
// Sets a curve for all chosen keys, or for this one where none is; joined to what is being dragged where
// asked for.
void sheet_curve(ui_sheet *sheet, const key_view *view, const sheet_key &key, const char *curve);
// Says as many of the waiting lines as there is room for.
void sheet_say(odori_ui *ui, const key_view *view);

// ---- curve_editor.cpp ----
// Returns the row whose key is meant; NULL: none.
const key_row *curve_row(const ui_sheet *sheet, const key_view *view);
void curve_show(odori_ui *ui, const ui_scene *scene, ImVec2 at, ImVec2 size);

// In pixels, and the frame at the left.
struct graph_place {
    float left, right, top, bottom;
    double start;
    float spread; // pixels a frame
};
void graph_show(const odori_ui *ui, const key_row *row, const graph_place &place);

#endif
