// The state of the keyframe editor, shared by its sheet of rows and the curve editor. Selected keyframes are
// identified by item and frame, and no pointer into a motion is retained from one frame to the next.
#ifndef ODORI_UI_DOPE_SHEET_H
#define ODORI_UI_DOPE_SHEET_H

#include <imgui.h>

#include "key_view.h"
#include "ui.h"

// A keyframe of a row. Keyframes are ordered by these fields.
struct sheet_key {
    uint32_t kind, model, index, frame;
};

// A command that waits to be sent, because a frame sends only LINES_MAX command lines.
enum sheet_act { SHEET_JOIN, SHEET_MOVE, SHEET_COPY, SHEET_DELETE, SHEET_CURVE };
struct sheet_line {
    sheet_act act;
    sheet_key key;
    bool everywhere; // acts on all selected items, not on this row alone; of SHEET_JOIN: on
    uint32_t to;     // frame to move or copy to
    char curve[40];  // channel and numbers of a curve
};

// What the left mouse button drags: selected keyframes, or a selection box.
enum sheet_hold { HOLD_NONE, HOLD_KEYS, HOLD_BOX };

struct ui_sheet {
    bool is_shown;
    double start;             // frame at the left edge
    float spread;             // points per frame; 0: the editor was not shown yet
    double seen;              // current frame at the last drawing
    float width;              // width of the visible frames at the last drawing, in pixels
    bool unfolds;             // the rows of morphs are unfolded
    ImVector<sheet_key> keys; // selected keyframes, sorted
    sheet_key last;           // keyframe that was clicked last; its curve is shown
    bool has_last;
    ImVector<sheet_key> copied; // clipboard of keyframes
    ImVector<sheet_line> lines; // commands to send, from next_line on
    int next_line;
    // The drag of the left button.
    sheet_hold hold;
    bool hold_adds;             // it began with Ctrl
    bool hold_moved;            // the pointer has moved since
    bool hold_all;              // it began on the summary line
    double hold_frame, hold_by; // frame where it began, frames that keyframes are moved by
    float hold_x, hold_y;       // where it began, pixels; y from the first row
    sheet_key held;             // keyframe that was pressed
    bool pans;                  // the middle button is down
    double pan_frame;           // frame that it began on
    // The curve editor.
    int channel = MMD_CHANNEL_ROTATION; // channel that is edited; -1: all
    int grip;                           // handle that is dragged, 1 or 2; 0: none
    sheet_key shaped;                   // keyframe whose curve is dragged
    mmd_curve wanted;                   // curve as dragged
};

// ---- dope_sheet.cpp ----
// Shows the keyframe editor.
void sheet_show(odori_ui *ui, const ui_scene *scene, const ui_rectangle &place);

// ---- dope_sheet_selection.cpp: the selected keyframes and the commands on them ----

sheet_key sheet_key_of(const key_row *row, uint32_t frame);
// Returns the row of a keyframe, or NULL when it is not shown.
const key_row *sheet_row_of(const key_view *view, const sheet_key &key);
bool sheet_row_is(const key_row *row, const sheet_key &key);
bool sheet_same(const sheet_key &a, const sheet_key &b);
bool sheet_before(const sheet_key &a, const sheet_key &b);
bool sheet_has(const ui_sheet *sheet, const sheet_key &key);
// Selects a keyframe or, with on = false, deselects it.
void sheet_select(ui_sheet *sheet, const sheet_key &key, bool on);
// Selects the keyframes of all rows at a frame.
void sheet_select_frame(ui_sheet *sheet, const key_view *view, uint32_t frame);
void sheet_select_none(ui_sheet *sheet);
// Deselects keyframes that do not exist any more.
void sheet_check(ui_sheet *sheet, const key_view *view);
// These move the selected keyframes by a number of frames, delete them, copy them to the clipboard, and paste
// the clipboard so that it begins at a frame.
void sheet_move(ui_sheet *sheet, const key_view *view, int64_t by);
void sheet_delete(ui_sheet *sheet, const key_view *view);
void sheet_copy(ui_sheet *sheet);
void sheet_paste(ui_sheet *sheet, const key_view *view, uint32_t frame);
// Sets a curve for all selected keyframes, or only for `key` if that is not selected.
void sheet_curve(ui_sheet *sheet, const key_view *view, const sheet_key &key, const char *curve);
// Sends as many of the waiting commands as this frame has room for.
void sheet_send_lines(odori_ui *ui, const key_view *view);

// ---- curve_editor.cpp ----
// Returns the row whose curve is shown, or NULL.
const key_row *curve_row(const ui_sheet *sheet, const key_view *view);
void curve_show(odori_ui *ui, const ui_scene *scene, ImVec2 at, ImVec2 size, bool has_title);

// Where the graph is drawn, in pixels.
struct graph_area {
    float left, right, top, bottom;
    double start; // frame at the left edge
    float spread; // pixels per frame
};
void graph_show(const odori_ui *ui, const key_row *row, const graph_area &place);

#endif
