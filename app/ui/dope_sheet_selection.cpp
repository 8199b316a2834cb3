// The selected keyframes of the keyframe editor, and the commands that move, copy and delete them. Commands
// wait in a queue, because a frame sends only so many command lines.
#include "dope_sheet.h"
#include "ui_internal.h"

#include <algorithm>
#include <cstdio>

bool sheet_before(const sheet_key &a, const sheet_key &b)
{
    if (a.kind != b.kind)
        return a.kind < b.kind;
    if (a.model != b.model)
        return a.model < b.model;
    return a.index != b.index ? a.index < b.index : a.frame < b.frame;
}

bool sheet_same(const sheet_key &a, const sheet_key &b)
{
    return a.kind == b.kind && a.model == b.model && a.index == b.index && a.frame == b.frame;
}

bool sheet_row_is(const key_row *row, const sheet_key &key)
{
    return row && key.kind == (uint32_t)row->kind && key.model == row->model && key.index == row->index;
}

sheet_key sheet_key_of(const key_row *row, uint32_t frame)
{
    return {(uint32_t)row->kind, row->model, row->index, frame};
}

const key_row *sheet_row_of(const key_view *view, const sheet_key &key)
{
    for (uint32_t i = 0; i < view->count; i++)
        if (sheet_row_is(&view->rows[i], key))
            return &view->rows[i];
    return nullptr;
}

bool sheet_has(const ui_sheet *sheet, const sheet_key &key)
{
    return std::binary_search(sheet->keys.begin(), sheet->keys.end(), key, sheet_before);
}

void sheet_select(ui_sheet *sheet, const sheet_key &key, bool on)
{
    ImVector<sheet_key> &keys = sheet->keys;
    sheet_key *place = std::lower_bound(keys.begin(), keys.end(), key, sheet_before);
    bool is_there = place != keys.end() && sheet_same(*place, key);
    if (on && !is_there)
        keys.insert(place, key);
    else if (!on && is_there)
        keys.erase(place);
}

void sheet_select_frame(ui_sheet *sheet, const key_view *view, uint32_t frame)
{
    for (uint32_t i = 0; i + view->morphs < view->count; i++)
        if (key_row_at(&view->rows[i], frame) < view->rows[i].count)
            sheet_select(sheet, sheet_key_of(&view->rows[i], frame), true);
}

void sheet_select_none(ui_sheet *sheet)
{
    sheet->keys.resize(0);
    sheet->has_last = false;
}

// Returns whether commands wait to be sent. The motion does not have their result yet.
static bool is_waiting(const ui_sheet *sheet)
{
    return sheet->next_line < sheet->lines.Size;
}

void sheet_check(ui_sheet *sheet, const key_view *view)
{
    const key_row *row = nullptr;
    uint32_t at = 0;
    int kept = 0;
    if (is_waiting(sheet))
        return;
    for (const sheet_key &key : sheet->keys) {
        if (!sheet_row_is(row, key)) {
            row = sheet_row_of(view, key);
            at = 0;
        }
        while (row && at < row->count && key_row_frame(row, at) < key.frame)
            at++;
        if (row && at < row->count && key_row_frame(row, at) == key.frame)
            sheet->keys[kept++] = key;
    }
    sheet->keys.resize(kept);
    sheet->has_last = sheet->has_last && sheet_has(sheet, sheet->last);
}

// --- Commands ---

// Returns the selected keyframes sorted by frame, ascending or descending.
static ImVector<sheet_key> by_frame(const ui_sheet *sheet, bool last_first)
{
    ImVector<sheet_key> keys = sheet->keys;
    std::sort(keys.begin(), keys.end(), [last_first](const sheet_key &a, const sheet_key &b) {
        if (a.frame != b.frame)
            return last_first ? a.frame > b.frame : a.frame < b.frame;
        return sheet_before(a, b);
    });
    return keys;
}

// Returns whether a keyframe belongs to one of the main rows, and not to the morphs below them.
static bool is_main(const key_view *view, const sheet_key &key)
{
    const key_row *row = sheet_row_of(view, key);
    return row && row < view->rows + (view->count - view->morphs);
}

// Returns whether `count` keyframes are all that the selected items have at a frame. One command without a
// path then acts on all of them.
static bool are_all(const key_view *view, uint32_t frame, int count)
{
    if (!view->selected)
        return false;
    for (uint32_t i = 0; i + view->morphs < view->count; i++)
        count -= key_row_at(&view->rows[i], frame) < view->rows[i].count;
    return count == 0;
}

// Appends the command that begins or ends an undo step.
static void add_join(ui_sheet *sheet, bool on)
{
    sheet_line line = {};
    line.act = SHEET_JOIN;
    line.everywhere = on;
    sheet->lines.push_back(line);
}

// Appends a copy of `line` for every keyframe, as one undo step. `to` is the frame of the keyframe plus `by`.
// Keys must be sorted by frame. Moves go through them from the far end, so that no keyframe lands on one that
// is still to be moved.
static void act(ui_sheet *sheet, const key_view *view, sheet_line line, const ImVector<sheet_key> &keys,
                int64_t by)
{
    add_join(sheet, true);
    for (int i = 0, end; i < keys.Size; i = end) {
        int count = 0; // keyframes of main rows at this frame
        for (end = i; end < keys.Size && keys[end].frame == keys[i].frame; end++)
            count += is_main(view, keys[end]);
        bool together = count > 1 && are_all(view, keys[i].frame, count), is_said = false;
        for (int k = i; k < end; k++) {
            line.key = keys[k];
            line.to = (uint32_t)((int64_t)keys[k].frame + by);
            line.everywhere = together && is_main(view, keys[k]);
            if (!line.everywhere || !is_said)
                sheet->lines.push_back(line);
            is_said = is_said || line.everywhere;
        }
    }
    add_join(sheet, false);
}

void sheet_move(ui_sheet *sheet, const key_view *view, int64_t by)
{
    sheet_line line = {};
    line.act = SHEET_MOVE;
    act(sheet, view, line, by_frame(sheet, by > 0), by);
    for (sheet_key &key : sheet->keys)
        key.frame = (uint32_t)((int64_t)key.frame + by);
    sheet->last.frame = (uint32_t)((int64_t)sheet->last.frame + by);
}

void sheet_delete(ui_sheet *sheet, const key_view *view)
{
    sheet_line line = {};
    line.act = SHEET_DELETE;
    act(sheet, view, line, by_frame(sheet, false), 0);
}

void sheet_copy(ui_sheet *sheet)
{
    sheet->copied = sheet->keys;
}

void sheet_paste(ui_sheet *sheet, const key_view *view, uint32_t frame)
{
    if (!sheet->copied.Size)
        return;
    uint32_t first = UINT32_MAX;
    for (const sheet_key &key : sheet->copied)
        first = key.frame < first ? key.frame : first;
    int64_t by = (int64_t)frame - (int64_t)first;
    sheet_line line = {};
    line.act = SHEET_COPY;
    sheet->keys = sheet->copied;
    act(sheet, view, line, by_frame(sheet, by > 0), by);
    for (sheet_key &key : sheet->keys)
        key.frame = (uint32_t)((int64_t)key.frame + by);
    sheet->has_last = false;
}

void sheet_curve(ui_sheet *sheet, const key_view *view, const sheet_key &key, const char *curve)
{
    sheet_line line = {};
    line.act = SHEET_CURVE;
    std::snprintf(line.curve, sizeof line.curve, "%s", curve);
    ImVector<sheet_key> keys = by_frame(sheet, false);
    if (!sheet_has(sheet, key)) {
        keys.resize(0);
        keys.push_back(key);
    }
    act(sheet, view, line, keys, 0);
}

// Writes a space and the path of a command's row, or "" when it acts on the selection. Returns false when the
// row does not exist any more.
static bool find_path(const key_view *view, const sheet_line &line, char path[KEY_PATH_MAX + 1])
{
    path[0] = '\0';
    if (line.everywhere || line.act == SHEET_JOIN)
        return true;
    const key_row *row = sheet_row_of(view, line.key);
    path[0] = ' ';
    if (row)
        key_row_path(row, path + 1);
    return row != nullptr;
}

// Sends a command.
static void send_line(odori_ui *ui, const key_view *view, const sheet_line &line)
{
    char path[KEY_PATH_MAX + 1];
    if (!find_path(view, line, path))
        return;
    switch (line.act) {
    case SHEET_JOIN:
        ui_line(ui, "edit.join %s", line.everywhere ? "on" : "off");
        break;
    case SHEET_MOVE:
        ui_line(ui, "key.move %u %u%s", line.key.frame, line.to, path);
        break;
    case SHEET_COPY:
        ui_line(ui, "key.copy %u %u%s", line.key.frame, line.to, path);
        break;
    case SHEET_DELETE:
        ui_line(ui, "key.delete %u%s", line.key.frame, path);
        break;
    case SHEET_CURVE:
        ui_line(ui, "key.curve %u %s%s", line.key.frame, line.curve, path);
        break;
    }
}

void sheet_send_lines(odori_ui *ui, const key_view *view)
{
    ui_sheet *sheet = &ui->sheet;
    while (is_waiting(sheet) && ui->line_count + 2 < LINES_MAX)
        send_line(ui, view, sheet->lines[sheet->next_line++]);
    if (!is_waiting(sheet)) {
        sheet->lines.resize(0);
        sheet->next_line = 0;
    }
}
