// The keyframe editor: rows of bones, camera, light and morphs above the timeline, with keyframes as diamonds
// at their frames. The wheel zooms around the pointer. The middle button, or Shift and the wheel, scrolls
// along the frames.
#include "dope_sheet.h"
#include "ui_internal.h"

#include <cmath>
#include <cstdio>
#include <cstring>

// Points: heights of tool bar, ruler and row, widths of labels, curve editor and gap, half a diamond, reach
// of a click.
static const float TOOL = 24.0f, RULER = 18.0f, ROW = 18.0f, LABEL = 124.0f, PANE = 286.0f, GAP = 10.0f,
                   DIAMOND = 4.6f, REACH = 6.0f;
// Points: width of the rows below which the tool bar goes on above the curve editor, and height of the editor
// from which that has room for its title then.
static const float NARROW = 420.0f, TITLED = 180.0f;
// Points per frame at first and at most and least zoom, and the factor of one notch of the wheel.
static const float SPREAD_FIRST = 7.0f, SPREAD_MOST = 40.0f, SPREAD_LEAST = 0.02f, NEARER = 1.18f;

// The layout of the rows, in pixels.
struct sheet_layout {
    const ui_scene *scene;
    const key_view *view;
    ImVec2 at;         // top left of the visible rows
    float left, right; // edges of the area of frames
    float bottom;
    float row;      // height of a row
    float scroll;   // of the rows, upwards
    float spread;   // pixels per frame
    double start;   // frame at the left edge
    uint32_t lines; // number of lines, with the one that folds the morphs
};

static float x_of(const sheet_layout &p, double frame)
{
    return p.left + (float)((frame - p.start) * (double)p.spread);
}

static double frame_of(const sheet_layout &p, float x)
{
    return p.start + (double)((x - p.left) / p.spread);
}

// Returns the whole frame nearest to an x coordinate, at least 0.
static double whole_frame(const sheet_layout &p, float x)
{
    double frame = std::floor(frame_of(p, x) + 0.5);
    return frame > 0 ? frame : 0;
}

// Returns the row of a line, or NULL for the line that folds the morphs.
static const key_row *row_at(const sheet_layout &p, uint32_t line)
{
    uint32_t others = p.view->count - p.view->morphs;
    if (line < others)
        return &p.view->rows[line];
    return line == others ? nullptr : &p.view->rows[line - 1];
}

static float y_of(const sheet_layout &p, uint32_t line)
{
    return p.at.y + (float)line * p.row - p.scroll;
}

static const char *label_of(const odori_ui *ui, const key_row *row)
{
    switch (row->kind) {
    case KEY_ROW_CAMERA:
        return ui_translate(ui, TEXT_CAMERA);
    case KEY_ROW_LIGHT:
        return ui_translate(ui, TEXT_LIGHT);
    case KEY_ROW_SHADOW:
        return ui_translate(ui, TEXT_SHEET_SHADOW);
    case KEY_ROW_SWITCHES:
        return ui_translate(ui, TEXT_SHEET_SWITCHES);
    default:
        return ui_name(ui, row->name, row->name_en);
    }
}

// ---- Drawing ----

// Returns by how many frames the selected keyframes are dragged, limited so that none gets a negative frame.
static double dragged(const odori_ui *ui)
{
    const ui_sheet *sheet = &ui->sheet;
    double least = 1e300;
    if (sheet->hold != HOLD_KEYS || !sheet->hold_moved)
        return 0;
    for (const sheet_key &key : sheet->keys)
        least = (double)key.frame < least ? (double)key.frame : least;
    return sheet->hold_by < -least ? -least : sheet->hold_by;
}

static ImU32 ground(float alpha)
{
    return ImGui::GetColorU32(ImVec4(0.75f, 0.85f, 0.90f, alpha));
}

static ImU32 record_color(float alpha)
{
    return ImGui::GetColorU32(ImVec4(0.96f, 0.30f, 0.33f, alpha));
}

static void draw_diamond(ImDrawList *list, float x, float y, float size, ImU32 color)
{
    list->AddQuadFilled(ImVec2(x, y - size), ImVec2(x + size, y), ImVec2(x, y + size), ImVec2(x - size, y),
                        color);
}

// Returns the smallest round number of frames that is at least `room` pixels wide.
static double step_of(const sheet_layout &p, float room)
{
    static const double steps[] = {1, 5, 10, 30, 60, 150, 300, 600, 1800, 3600, 9000, 18000, 36000};
    for (double step : steps)
        if (step * (double)p.spread >= (double)room)
            return step;
    return 108000;
}

// Draws the lines of the grid or, with numbers, the ruler.
static void draw_grid(const odori_ui *ui, const sheet_layout &p, float top, bool numbers)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    double step = step_of(p, ui_px(ui, 46)), fine = step_of(p, ui_px(ui, 9));
    double first = std::floor(p.start / fine) * fine;
    for (double f = first < 0 ? 0 : first; x_of(p, f) < p.right; f += fine) {
        float x = std::floor(x_of(p, f));
        bool main = std::fmod(f, step) == 0;
        if (x < p.left)
            continue;
        if (!numbers || !main) {
            list->AddLine(ImVec2(x, numbers ? p.bottom - ui_px(ui, 4) : top), ImVec2(x, p.bottom),
                          ground(main      ? 0.14f
                                 : numbers ? 0.25f
                                           : 0.045f));
            continue;
        }
        char text[16];
        std::snprintf(text, sizeof text, "%.0f", f);
        list->AddLine(ImVec2(x, p.bottom - ui_px(ui, 6)), ImVec2(x, p.bottom), ground(0.5f));
        list->AddText(ImVec2(x - ImGui::CalcTextSize(text).x / 2, top), theme_text(0.62f), text);
    }
}

// Draws a keyframe. It is narrow if another one is close; room: pixels to the nearest one.
static void draw_key(const odori_ui *ui, ImDrawList *list, float x, float y, float room, ImU32 color)
{
    float high = ui_px(ui, DIAMOND), least = ui_px(ui, 0.9f), wide = 0.55f * room;
    wide = wide < least ? least : wide > high ? high : wide;
    list->AddQuadFilled(ImVec2(x, y - high), ImVec2(x + wide, y), ImVec2(x, y + high), ImVec2(x - wide, y),
                        color);
}

// Returns the first keyframe of a row that can be visible.
static uint32_t first_visible(const sheet_layout &p, const key_row *row)
{
    double frame = std::floor(frame_of(p, p.left)) - 1;
    return key_row_from(row, frame > 0 ? (uint32_t)frame : 0);
}

// Finds the first selected keyframe of a row at or after a frame, by binary search.
static const sheet_key *selected_from(const ui_sheet *sheet, const key_row *row, uint32_t frame)
{
    int low = 0, high = sheet->keys.Size;
    const sheet_key key = sheet_key_of(row, frame);
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (sheet_before(sheet->keys[middle], key))
            low = middle + 1;
        else
            high = middle;
    }
    return sheet->keys.begin() + low;
}

// Columns of keyframes that are too close to be seen one by one. Points: width of a column, and the space for
// each keyframe below which a row is drawn in columns.
static const float COLUMN = 3.0f, CROWDED = 5.0f;

struct key_columns {
    static const uint32_t MOST = 2048;
    uint32_t counts[MOST];
    uint32_t count;
    float wide;    // pixels
    double frames; // in a column
    double start;  // frame of the first; a multiple of `frames`, so that columns keep their keys in scrolling
};

static key_columns columns_of(const odori_ui *ui, const sheet_layout &p)
{
    key_columns c = {};
    c.wide = std::floor(ui_px(ui, COLUMN) + 0.5f);
    c.frames = (double)(c.wide / p.spread);
    c.start = std::floor((p.start > 0 ? p.start : 0) / c.frames) * c.frames;
    double wanted = std::ceil((frame_of(p, p.right) - c.start) / c.frames);
    c.count = wanted < 0 ? 0 : wanted > key_columns::MOST ? key_columns::MOST : (uint32_t)wanted;
    return c;
}

// Returns whether so many keyframes are too many for the visible frames.
static bool is_crowded(const odori_ui *ui, const sheet_layout &p, uint32_t keys)
{
    return (float)keys * ui_px(ui, CROWDED) > p.right - p.left;
}

// Draws columns of keyframes: the more there are in one, the higher and brighter it is.
static void draw_columns(const odori_ui *ui, const sheet_layout &p, const key_columns &c, float y,
                         float alpha)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    uint32_t most = 4; // so that single keyframes stay small
    for (uint32_t i = 0; i < c.count; i++)
        most = c.counts[i] > most ? c.counts[i] : most;
    for (uint32_t i = 0; i < c.count; i++) {
        if (!c.counts[i])
            continue;
        float part = std::sqrt((float)c.counts[i] / (float)most), half = ui_px(ui, DIAMOND + 1) * part;
        float x = std::floor(x_of(p, c.start + i * c.frames));
        list->AddRectFilled(ImVec2(x, y - half), ImVec2(x + c.wide - 1, y + half),
                            theme_text(alpha * (0.3f + 0.7f * part)));
    }
}

// Draws the selected keyframes of a crowded row, at most one per pixel.
static void draw_chosen(const odori_ui *ui, const sheet_layout &p, const key_row *row, float y)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    float before = -1e9f, rim = ui_px(ui, DIAMOND);
    double from = std::floor(frame_of(p, p.left));
    const sheet_key *key = selected_from(&ui->sheet, row, from > 0 ? (uint32_t)from : 0);
    for (; key != ui->sheet.keys.end() && sheet_row_is(row, *key); key++) {
        float x = x_of(p, key->frame);
        if (x > p.right + rim)
            break;
        if (x - before < 2)
            continue;
        draw_key(ui, list, x, y, x - before, theme_accent(1));
        before = x;
    }
}

// Draws a row with many keyframes on few pixels. Returns false if it has room for each of them.
static bool draw_crowded(const odori_ui *ui, const sheet_layout &p, const key_row *row, uint32_t first,
                         float y)
{
    double right = std::ceil(frame_of(p, p.right));
    if (!is_crowded(ui, p, key_row_from(row, right > 0 ? (uint32_t)right : 0) - first))
        return false;
    key_columns c = columns_of(ui, p);
    key_row_count(row, c.start, c.frames, c.counts, c.count);
    draw_columns(ui, p, c, y, 0.80f);
    draw_chosen(ui, p, row, y);
    return true;
}

// Draws the keyframes of a row. Of several on one pixel only the first and selected ones are drawn.
static void draw_keys(const odori_ui *ui, const sheet_layout &p, const key_row *row, float y)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    uint32_t first = first_visible(p, row);
    if (first >= row->count || draw_crowded(ui, p, row, first, y))
        return;
    float before = -1e9f, rim = ui_px(ui, DIAMOND);
    const sheet_key *chosen = selected_from(&ui->sheet, row, key_row_frame(row, first));
    const sheet_key *end = ui->sheet.keys.end();
    for (uint32_t i = first; i < row->count; i++) {
        uint32_t frame = key_row_frame(row, i);
        sheet_key key = sheet_key_of(row, frame);
        float x = x_of(p, frame);
        if (x > p.right + rim)
            break;
        while (chosen != end && sheet_before(*chosen, key))
            chosen++;
        bool on = chosen != end && sheet_same(*chosen, key);
        if (x - before < 1 && !on)
            continue;
        float next = i + 1 < row->count ? x_of(p, key_row_frame(row, i + 1)) : 1e9f;
        draw_key(ui, list, x, y, x - before < next - x ? x - before : next - x,
                 on ? theme_accent(1) : theme_text(0.80f));
        before = x;
    }
}

// Draws the dragged keyframes of a row at their new frames.
static void draw_moved(const odori_ui *ui, const sheet_layout &p, const key_row *row, float y, double by)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const sheet_key *key = selected_from(&ui->sheet, row, 0), *end = ui->sheet.keys.end();
    float size = ui_px(ui, DIAMOND + 1);
    for (; key != end && sheet_row_is(row, *key); key++) {
        float x = x_of(p, (double)key->frame + by);
        if (x < p.left - size || x > p.right + size)
            continue;
        draw_diamond(list, x, y, size, ImGui::GetColorU32(ImVec4(1.0f, 0.85f, 0.22f, 1)));
    }
}

// Draws the keyframes of all main rows in one line, at most one per pixel.
static void draw_summary(const odori_ui *ui, const sheet_layout &p, float y)
{
    enum { COLUMNS = 4096 };
    uint32_t marks[COLUMNS] = {}, marked = 0;
    ImDrawList *list = ImGui::GetWindowDrawList();
    int width = (int)(p.right - p.left) < COLUMNS ? (int)(p.right - p.left) : COLUMNS;
    uint32_t rows = p.view->count - p.view->morphs;
    key_columns c = columns_of(ui, p);
    for (uint32_t r = 0; r < rows; r++)
        key_row_count(&p.view->rows[r], c.start, c.frames, c.counts, c.count);
    for (uint32_t i = 0; i < c.count; i++)
        marked += c.counts[i] > 0;
    if (is_crowded(ui, p, marked)) {
        draw_columns(ui, p, c, y, 0.55f);
        return;
    }
    for (uint32_t r = 0; r < rows; r++)
        key_row_count(&p.view->rows[r], p.start, 1 / (double)p.spread, marks, (uint32_t)width);
    int far = (int)(ui_px(ui, DIAMOND) * 3), before = -far;
    for (int x = 0; x < width; x++) {
        if (!marks[x])
            continue;
        int room = x - before < far ? x - before : far;
        for (int k = 1; k < room && x + k < width; k++)
            if (marks[x + k])
                room = k;
        draw_key(ui, list, p.left + (float)x + 0.5f, y, (float)room, theme_text(0.55f));
        before = x;
    }
}

static void draw_label(const odori_ui *ui, const sheet_layout &p, const char *text, float y, float alpha)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    float top = y + (p.row - ImGui::GetFontSize()) / 2, x = p.at.x + ui_px(ui, 6);
    char shown[256];
    ui_elide(text, p.left - ui_px(ui, 8) - x, shown, sizeof shown);
    list->AddText(ImVec2(x, top), theme_text(alpha), shown);
}

// Draws the line that folds and unfolds the morphs.
static void draw_fold(const odori_ui *ui, const sheet_layout &p, float y)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    char text[96];
    float x = p.at.x + ui_px(ui, 10), middle = y + p.row / 2, s = ui_px(ui, 4);
    if (ui->sheet.unfolds)
        list->AddTriangleFilled(ImVec2(x - s, middle - s / 2), ImVec2(x + s, middle - s / 2),
                                ImVec2(x, middle + s * 0.8f), theme_text(0.7f));
    else
        list->AddTriangleFilled(ImVec2(x - s / 2, middle - s), ImVec2(x + s * 0.8f, middle),
                                ImVec2(x - s / 2, middle + s), theme_text(0.7f));
    std::snprintf(text, sizeof text, "%s (%u)", ui_translate(ui, TEXT_MORPHS), p.view->morphs);
    list->AddText(ImVec2(x + ui_px(ui, 9), y + (p.row - ImGui::GetFontSize()) / 2), theme_text(0.62f), text);
}

static bool is_last_row(const odori_ui *ui, const key_row *row)
{
    return ui->sheet.has_last && sheet_row_is(row, ui->sheet.last);
}

// Draws the visible rows.
static void draw_rows(odori_ui *ui, const sheet_layout &p)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ui_sheet *sheet = &ui->sheet;
    double by = sheet->hold == HOLD_KEYS ? dragged(ui) : 0;
    uint32_t first = (uint32_t)(p.scroll / p.row);
    for (uint32_t i = first; i < p.lines && y_of(p, i) < p.bottom; i++) {
        float y = y_of(p, i);
        const key_row *row = row_at(p, i);
        if (i % 2)
            list->AddRectFilled(ImVec2(p.at.x, y), ImVec2(p.right, y + p.row), ground(0.035f));
        if (!row) {
            draw_fold(ui, p, y);
            continue;
        }
        if (is_last_row(ui, row))
            list->AddRectFilled(ImVec2(p.at.x, y), ImVec2(p.left - ui_px(ui, 4), y + p.row),
                                theme_accent(0.22f), ui_px(ui, 3));
        draw_label(ui, p, label_of(ui, row), y, row->count ? 0.92f : 0.5f);
        list->PushClipRect(ImVec2(p.left - ui_px(ui, 3), p.at.y), ImVec2(p.right, p.bottom), true);
        draw_keys(ui, p, row, y + p.row / 2);
        if (by != 0)
            draw_moved(ui, p, row, y + p.row / 2, by);
        list->PopClipRect();
    }
}

// Draws the current frame as a line through all rows.
static void draw_now(const odori_ui *ui, const sheet_layout &p, float top)
{
    float x = std::floor(x_of(p, p.scene->frame)) + 0.5f;
    if (x >= p.left - 1 && x <= p.right)
        ImGui::GetWindowDrawList()->AddLine(ImVec2(x, top), ImVec2(x, p.bottom), theme_accent(0.9f),
                                            ui_px(ui, 1.5f));
}

// Draws the number of the current frame in the ruler.
static void draw_now_number(const odori_ui *ui, const sheet_layout &p, float top)
{
    char text[16];
    ImDrawList *list = ImGui::GetWindowDrawList();
    std::snprintf(text, sizeof text, "%.0f", p.scene->frame);
    float x = x_of(p, p.scene->frame), half = ImGui::CalcTextSize(text).x / 2 + ui_px(ui, 4);
    if (x < p.left - 1 || x > p.right)
        return;
    x = x - half < p.left - ui_px(ui, 4) ? p.left - ui_px(ui, 4) + half
        : x + half > p.right             ? p.right - half
                                         : x;
    list->AddRectFilled(ImVec2(x - half, top), ImVec2(x + half, p.bottom),
                        ImGui::GetColorU32(ImVec4(0.10f, 0.42f, 0.41f, 1)), ui_px(ui, 3));
    list->AddText(ImVec2(x - half + ui_px(ui, 4), top), theme_text(1), text);
}

// ---- What is under the pointer ----

struct sheet_hit {
    uint32_t line;
    const key_row *row; // NULL: none
    bool label;         // it is the name of the row
    bool fold;          // it is the line that folds the morphs
    bool key;           // it is a keyframe of the row
    uint32_t frame;     // of that keyframe
};

// Finds the keyframe of a row that is nearest to an x coordinate, within REACH points.
static bool find_key(const odori_ui *ui, const sheet_layout &p, const key_row *row, float x, uint32_t *frame)
{
    float best = ui_px(ui, REACH);
    double from = frame_of(p, x - best);
    bool found = false;
    for (uint32_t i = key_row_from(row, from > 0 ? (uint32_t)std::ceil(from) : 0); i < row->count; i++) {
        float away = std::fabs(x_of(p, key_row_frame(row, i)) - x);
        if (x_of(p, key_row_frame(row, i)) > x + ui_px(ui, REACH))
            break;
        if (away <= best) {
            best = away;
            *frame = key_row_frame(row, i);
            found = true;
        }
    }
    return found;
}

static sheet_hit hit_of(const odori_ui *ui, const sheet_layout &p, ImVec2 mouse)
{
    sheet_hit hit = {};
    float line = (mouse.y - p.at.y + p.scroll) / p.row;
    hit.line = line < 0 ? UINT32_MAX : (uint32_t)line;
    hit.label = mouse.x < p.left - ui_px(ui, 4);
    if (hit.line >= p.lines)
        return hit;
    hit.row = row_at(p, hit.line);
    hit.fold = !hit.row;
    hit.key = hit.row && !hit.label && find_key(ui, p, hit.row, mouse.x, &hit.frame);
    return hit;
}

// ---- Mouse ----

// Handles a click on a name: selects the item or, among the rows of selected items, the keyframes of its row.
static void press_label(odori_ui *ui, const key_view *view, const key_row *row)
{
    char path[KEY_PATH_MAX];
    bool adds = ImGui::GetIO().KeyCtrl;
    key_row_path(row, path);
    if (!view->selected) {
        ui_line(ui, "%s %s", adds ? "edit.add" : "edit.select", path);
        return;
    }
    if (!adds)
        sheet_select_none(&ui->sheet);
    for (uint32_t i = 0; i < row->count; i++)
        sheet_select(&ui->sheet, sheet_key_of(row, key_row_frame(row, i)), true);
}

// Selects the keyframe that is pressed. If it is selected already, the selection stays, since a drag may
// follow.
static void press_key(ui_sheet *sheet, const sheet_key &key, bool adds)
{
    bool was = sheet_has(sheet, key);
    if (!was && !adds)
        sheet_select_none(sheet);
    sheet_select(sheet, key, !(was && adds));
    sheet->last = key;
    sheet->has_last = sheet_has(sheet, key);
    sheet->hold = HOLD_KEYS;
    sheet->held = key;
}

// Stores where a drag begins.
static void begin_hold(odori_ui *ui, const sheet_layout &p, ImVec2 mouse)
{
    ui_sheet *sheet = &ui->sheet;
    sheet->hold_frame = frame_of(p, mouse.x);
    sheet->hold_x = mouse.x;
    sheet->hold_y = mouse.y - p.at.y + p.scroll;
    sheet->hold_moved = false;
    sheet->hold_by = 0;
    sheet->hold_adds = ImGui::GetIO().KeyCtrl;
}

// Handles a press of the left button.
static void press(odori_ui *ui, const sheet_layout &p, ImVec2 mouse)
{
    ui_sheet *sheet = &ui->sheet;
    sheet_hit hit = hit_of(ui, p, mouse);
    begin_hold(ui, p, mouse);
    sheet->hold = HOLD_NONE;
    if (hit.fold && hit.label)
        sheet->unfolds = !sheet->unfolds;
    else if (hit.label && hit.row)
        press_label(ui, p.view, hit.row);
    else if (hit.key)
        press_key(sheet, sheet_key_of(hit.row, hit.frame), sheet->hold_adds);
    else if (!hit.label)
        sheet->hold = HOLD_BOX;
}

// Selects the keyframes in the box between the start of the drag and the pointer.
static void select_box(odori_ui *ui, const sheet_layout &p, ImVec2 mouse)
{
    ui_sheet *sheet = &ui->sheet;
    double a = sheet->hold_frame, b = frame_of(p, mouse.x);
    float y0 = sheet->hold_y, y1 = mouse.y - p.at.y + p.scroll;
    double low = std::ceil(a < b ? a : b), high = a < b ? b : a;
    float top = y0 < y1 ? y0 : y1, bottom = y0 < y1 ? y1 : y0;
    if (!sheet->hold_adds)
        sheet_select_none(sheet);
    for (uint32_t i = 0; i < p.lines; i++) {
        const key_row *row = row_at(p, i);
        float middle = ((float)i + 0.5f) * p.row;
        if (!row || middle < top || middle > bottom)
            continue;
        for (uint32_t k = key_row_from(row, low > 0 ? (uint32_t)low : 0);
             k < row->count && (double)key_row_frame(row, k) <= high; k++)
            sheet_select(sheet, sheet_key_of(row, key_row_frame(row, k)), true);
    }
    if (sheet->keys.Size) {
        sheet->last = sheet->keys[0];
        sheet->has_last = true;
    }
}

// Follows a drag, and draws the selection box.
static void hold(odori_ui *ui, const sheet_layout &p, ImVec2 mouse)
{
    ui_sheet *sheet = &ui->sheet;
    float y = sheet->hold_y + p.at.y - p.scroll;
    if (std::fabs(mouse.x - sheet->hold_x) > ui_px(ui, 3) || std::fabs(mouse.y - y) > ui_px(ui, 3))
        sheet->hold_moved = true;
    if (sheet->hold == HOLD_KEYS)
        sheet->hold_by = std::floor(frame_of(p, mouse.x) - sheet->hold_frame + 0.5);
    if (sheet->hold != HOLD_BOX || !sheet->hold_moved)
        return;
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImVec2 from(x_of(p, sheet->hold_frame), y);
    ImVec2 low(from.x < mouse.x ? from.x : mouse.x, from.y < mouse.y ? from.y : mouse.y);
    ImVec2 high(from.x < mouse.x ? mouse.x : from.x, from.y < mouse.y ? mouse.y : from.y);
    list->AddRectFilled(low, high, theme_accent(0.15f));
    list->AddRect(low, high, theme_accent(0.8f));
}

// Ends a drag: moves the keyframes or selects those in the box. A click without a move selects only what it
// hit.
static void release(odori_ui *ui, const sheet_layout &p, ImVec2 mouse)
{
    ui_sheet *sheet = &ui->sheet;
    if (sheet->hold == HOLD_KEYS && dragged(ui) != 0) {
        sheet_move(sheet, p.view, (int64_t)dragged(ui));
    } else if (sheet->hold == HOLD_KEYS && !sheet->hold_moved && !sheet->hold_adds) {
        sheet_select_none(sheet);
        press_key(sheet, sheet->held, false);
    } else if (sheet->hold == HOLD_BOX && sheet->hold_moved) {
        select_box(ui, p, mouse);
    } else if (sheet->hold == HOLD_BOX && !sheet->hold_adds) {
        sheet_select_none(sheet);
    }
    sheet->hold = HOLD_NONE;
}

// Writes the value of a keyframe that has no curve.
static void describe_key(const odori_ui *ui, const key_row *row, uint32_t key, char *text, size_t size)
{
    text[0] = '\0';
    if (row->kind == KEY_ROW_MORPH) {
        std::snprintf(text, size, "%.3f", (double)row->weights[key]);
    } else if (row->kind == KEY_ROW_SHADOW) {
        const mmd_self_shadow &shadow = row->shadows[key].value;
        std::snprintf(text, size,
                      ui_translate(ui, shadow.mode ? TEXT_SHEET_SHADOW_MODE : TEXT_SHEET_SHADOW_OFF),
                      (unsigned)shadow.mode, std::round(10000 - (double)shadow.distance * 100000));
    } else if (row->kind == KEY_ROW_SWITCHES) {
        const mmd_property_key &k = row->switches[key];
        unsigned off = 0;
        for (uint32_t i = 0; i < k.switch_count; i++)
            off += !k.switches[i].on;
        int length = std::snprintf(text, size, "%s",
                                   ui_translate(ui, k.visible ? TEXT_SHEET_SEEN : TEXT_SHEET_UNSEEN));
        if (off && length > 0 && (size_t)length + 3 < size) {
            std::snprintf(text + length, size - (size_t)length, "   ");
            std::snprintf(text + length + 3, size - (size_t)length - 3, ui_translate(ui, TEXT_SHEET_IK_OFF),
                          off);
        }
    }
}

// Shows a keyframe in a tooltip.
static void show_key_tooltip(const odori_ui *ui, const sheet_hit &hit)
{
    char text[128];
    describe_key(ui, hit.row, key_row_at(hit.row, hit.frame), text, sizeof text);
    ImGui::SetTooltip("%s   %u%s%s", label_of(ui, hit.row), hit.frame, *text ? "   " : "", text);
}

// Handles the mouse on the rows.
static void handle_rows_mouse(odori_ui *ui, const sheet_layout &p)
{
    ui_sheet *sheet = &ui->sheet;
    ImVec2 mouse = ImGui::GetIO().MousePos;
    bool down = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
    if (ImGui::IsItemActivated())
        press(ui, p, mouse);
    else if (down)
        hold(ui, p, mouse);
    else if (sheet->hold != HOLD_NONE)
        release(ui, p, mouse);
    if (hovered && ImGui::IsMouseDoubleClicked(0) && mouse.x >= p.left - ui_px(ui, 4)) {
        sheet_hit hit = hit_of(ui, p, mouse);
        ui_line(ui, "frame.set %.0f", hit.key ? (double)hit.frame : whole_frame(p, mouse.x));
    }
    if (hovered && !down) {
        sheet_hit hit = hit_of(ui, p, mouse);
        if (hit.key)
            show_key_tooltip(ui, hit);
    }
}

// Zooms and scrolls with the wheel and the middle button.
static void look_around(odori_ui *ui, const sheet_layout &p, bool hovered)
{
    ui_sheet *sheet = &ui->sheet;
    const ImGuiIO &io = ImGui::GetIO();
    float width = p.right - p.left;
    if (hovered && ImGui::IsMouseClicked(2)) {
        sheet->pans = true;
        sheet->pan_frame = frame_of(p, io.MousePos.x);
    }
    sheet->pans = sheet->pans && io.MouseDown[2];
    if (sheet->pans) {
        sheet->start = sheet->pan_frame - (double)((io.MousePos.x - p.left) / p.spread);
    } else if (hovered && io.MouseWheel != 0 && io.KeyShift) {
        sheet->start -= (double)(io.MouseWheel * 0.12f * width / p.spread);
    } else if (hovered && io.MouseWheel != 0) {
        double under = frame_of(p, io.MousePos.x);
        float least = SPREAD_LEAST, wanted = sheet->spread * std::pow(NEARER, io.MouseWheel);
        sheet->spread = wanted < least ? least : wanted > SPREAD_MOST ? SPREAD_MOST : wanted;
        sheet->start = under - (double)((io.MousePos.x - p.left) / ui_px(ui, sheet->spread));
    }
    double before = -8.0 / (double)sheet->spread;
    sheet->start = sheet->start < before ? before : sheet->start > 1e7 ? 1e7 : sheet->start;
}

// Scrolls to the current frame when it has changed and is not visible, or when the editor has become
// narrower.
static void follow(odori_ui *ui, const ui_scene *scene, float width)
{
    ui_sheet *sheet = &ui->sheet;
    bool is_first = sheet->spread <= 0;
    if (is_first)
        sheet->spread = SPREAD_FIRST;
    double seen = (double)(width / ui_px(ui, sheet->spread)), before = -8.0 / (double)sheet->spread;
    if (scene->frame == sheet->seen && width >= sheet->width && !is_first)
        return;
    sheet->seen = scene->frame;
    sheet->width = width;
    if (scene->frame < sheet->start || scene->frame > sheet->start + seen)
        sheet->start = scene->frame - (scene->playing ? 0.04 : 0.3) * seen;
    sheet->start = sheet->start < before ? before : sheet->start;
}

// ---- Parts ----

// Shows the ruler. Dragging on it scrubs.
static void ruler(odori_ui *ui, sheet_layout p)
{
    float top = ImGui::GetCursorScreenPos().y;
    ImGui::SetCursorScreenPos(ImVec2(p.left - ui_px(ui, 4), top));
    ImGui::InvisibleButton("ruler", ImVec2(p.right - p.left + ui_px(ui, 4), ui_px(ui, RULER)));
    p.bottom = top + ui_px(ui, RULER);
    double frame = whole_frame(p, ImGui::GetIO().MousePos.x);
    if (ImGui::IsItemActive() && frame != p.scene->frame)
        ui_line(ui, "frame.set %.0f", frame);
    look_around(ui, p, ImGui::IsItemHovered());
    draw_grid(ui, p, top, true);
    draw_now_number(ui, p, top);
}

// Selects the keyframes of all rows at a frame, to be dragged together.
static void press_summary(odori_ui *ui, const sheet_layout &p, uint32_t frame)
{
    ui_sheet *sheet = &ui->sheet;
    bool adds = ImGui::GetIO().KeyCtrl;
    if (!adds)
        sheet_select_none(sheet);
    sheet_select_frame(sheet, p.view, frame);
    for (const sheet_key &key : sheet->keys)
        if (key.frame == frame) {
            sheet->last = sheet->held = key;
            sheet->has_last = true;
        }
    sheet->hold = HOLD_KEYS;
}

// Finds the keyframe of any main row that is nearest to an x coordinate.
static bool find_any(const odori_ui *ui, const sheet_layout &p, float x, uint32_t *frame)
{
    bool found = false;
    uint32_t one = 0;
    for (uint32_t i = 0; i + p.view->morphs < p.view->count; i++)
        if (find_key(ui, p, &p.view->rows[i], x, &one) &&
            (!found || std::fabs(x_of(p, one) - x) < std::fabs(x_of(p, *frame) - x))) {
            *frame = one;
            found = true;
        }
    return found;
}

// Shows the summary line. A keyframe of it stands for those of all rows at that frame.
static void summary(odori_ui *ui, sheet_layout p)
{
    ui_sheet *sheet = &ui->sheet;
    uint32_t frame = 0;
    float top = ImGui::GetCursorScreenPos().y;
    ImVec2 mouse = ImGui::GetIO().MousePos;
    ImGui::SetCursorScreenPos(ImVec2(p.left - ui_px(ui, 4), top));
    ImGui::InvisibleButton("summary", ImVec2(p.right - p.left + ui_px(ui, 4), p.row));
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(p.at.x, top), ImVec2(p.right, top + p.row), ground(0.07f));
    draw_label(ui, p, ui_translate(ui, p.view->selected ? TEXT_SHEET_SELECTED : TEXT_SHEET_ALL), top, 0.62f);
    if (ImGui::IsItemActivated() && find_any(ui, p, mouse.x, &frame)) {
        begin_hold(ui, p, mouse);
        press_summary(ui, p, frame);
        sheet->hold_all = true;
    } else if (sheet->hold_all && ImGui::IsItemActive()) {
        hold(ui, p, mouse);
    } else if (sheet->hold_all) {
        if (dragged(ui) != 0)
            sheet_move(sheet, p.view, (int64_t)dragged(ui));
        sheet->hold = HOLD_NONE;
        sheet->hold_all = false;
    }
    look_around(ui, p, ImGui::IsItemHovered());
    list->PushClipRect(ImVec2(p.left - ui_px(ui, 3), top), ImVec2(p.right, top + p.row), true);
    draw_summary(ui, p, top + p.row / 2);
    list->PopClipRect();
    p.bottom = top + p.row;
    draw_now(ui, p, top);
}

// Shows the graph of the curve below the rows, if there is room.
static void graph(const odori_ui *ui, const sheet_layout &p)
{
    const key_row *row = curve_row(&ui->sheet, p.view);
    float top = y_of(p, p.lines) + ui_px(ui, 6);
    if (row && p.bottom - top >= ui_px(ui, 48))
        graph_show(ui, row, {p.left, p.right, top, p.bottom, p.start, p.spread});
}

// Shows the rows, which scroll.
static void rows(odori_ui *ui, sheet_layout p)
{
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::BeginChild("rows", ImVec2(p.right - p.at.x + ImGui::GetStyle().ScrollbarSize, p.bottom - at.y),
                      false, ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav);
    float high = (float)p.lines * p.row, room = p.bottom - at.y;
    p.at.y = at.y;
    ImGui::InvisibleButton("area", ImVec2(p.right - p.at.x, high > room ? high : room));
    p.scroll = ImGui::GetScrollY();
    bool on_label = ImGui::GetIO().MousePos.x < p.left - ui_px(ui, 4), hovered = ImGui::IsItemHovered();
    if (hovered && on_label)
        ImGui::SetScrollY(p.scroll - ImGui::GetIO().MouseWheel * 3 * p.row);
    draw_grid(ui, p, p.at.y, false);
    draw_now(ui, p, p.at.y);
    draw_rows(ui, p);
    graph(ui, p);
    if (!ui->sheet.hold_all)
        handle_rows_mouse(ui, p);
    look_around(ui, p, hovered && !on_label);
    ImGui::EndChild();
}

// ---- Tools ----

// Draws a plus or minus sign beside an icon.
static void draw_plus(const odori_ui *ui, ImVec2 c, bool plus)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    float s = ui_px(ui, 3.5f), w = ui_px(ui, 1.5f);
    ImVec2 at(c.x + ui_px(ui, 7), c.y - ui_px(ui, 4));
    list->AddLine(ImVec2(at.x - s, at.y), ImVec2(at.x + s, at.y), theme_text(1), w);
    if (plus)
        list->AddLine(ImVec2(at.x, at.y - s), ImVec2(at.x, at.y + s), theme_text(1), w);
}

// Goes to the nearest whole frame: playback can pause between two frames, but keyframes need whole ones.
static void go_to_whole(odori_ui *ui, const ui_scene *scene)
{
    if (scene->frame != std::floor(scene->frame))
        ui_line(ui, "frame.set %.0f", scene->frame);
}

// Shows the buttons that record, set and delete keyframes.
static void key_tools(odori_ui *ui, const ui_scene *scene, const key_view *view)
{
    ImVec2 c;
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (ui_sign_button(ui, "record", ui_translate(ui, TEXT_SHEET_RECORD), TOOL, &c))
        ui_line(ui, "key.mode %s", view->keying ? "off" : "on");
    if (view->keying)
        list->AddCircleFilled(c, ui_px(ui, 6), record_color(1));
    else
        list->AddCircle(c, ui_px(ui, 5.5f), record_color(0.9f), 0, ui_px(ui, 1.5f));
    ImGui::SameLine(0, 0);
    if (ui_sign_button(ui, "set", ui_with_key(ui, scene, TEXT_SHEET_SET, "key.set").text, TOOL, &c)) {
        go_to_whole(ui, scene);
        ui_line(ui, "key.set");
    }
    draw_diamond(list, c.x - ui_px(ui, 2), c.y, ui_px(ui, 5.5f), theme_text(1));
    draw_plus(ui, c, true);
    ImGui::SameLine(0, 0);
    if (ui_sign_button(ui, "remove", ui_translate(ui, TEXT_SHEET_REMOVE), TOOL, &c)) {
        if (ui->sheet.keys.Size)
            sheet_delete(&ui->sheet, view);
        else
            ui_line(ui, "key.remove");
    }
    draw_diamond(list, c.x - ui_px(ui, 2), c.y, ui_px(ui, 5.5f), theme_text(0.6f));
    draw_plus(ui, c, false);
}

// A button that selects or deselects an item.
struct item_button {
    ui_text title;
    key_row_kind kind;
    char path[64];
};

// Returns the width of a button with its whole title.
static float whole_width(const odori_ui *ui, const item_button &button)
{
    return ImGui::CalcTextSize(ui_translate(ui, button.title)).x + 2 * ImGui::GetStyle().FramePadding.x;
}

// Shows a button of `part` of its whole width.
static void item_tool(odori_ui *ui, const key_view *view, const item_button &button, float part)
{
    bool on = false;
    char title[128];
    const float width = std::floor(part * whole_width(ui, button));
    for (uint32_t i = 0; view->selected && i < view->count; i++)
        on = on || view->rows[i].kind == button.kind;
    ui_elide(ui_translate(ui, button.title), width - 2 * ImGui::GetStyle().FramePadding.x + 1, title,
             sizeof title);
    if (on)
        ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_Header));
    ImGui::PushID(button.path);
    if (ImGui::Button(title, ImVec2(width, ui_px(ui, TOOL - 4))))
        ui_line(ui, "%s %s", on ? "edit.remove" : "edit.add", button.path);
    ImGui::PopID();
    if (on)
        ImGui::PopStyleColor();
    if (part < 1 && ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", ui_translate(ui, button.title));
}

// Shows the buttons for camera, light, self-shadow and switches. They are narrower where there is little
// room.
static void item_tools(odori_ui *ui, const ui_scene *scene, const key_view *view, float right)
{
    item_button buttons[] = {{TEXT_CAMERA, KEY_ROW_CAMERA, "/camera"},
                             {TEXT_LIGHT, KEY_ROW_LIGHT, "/light"},
                             {TEXT_SHEET_SHADOW, KEY_ROW_SHADOW, "/shadow"},
                             {TEXT_SHEET_SWITCHES, KEY_ROW_SWITCHES, ""}};
    const size_t count = scene->selected < scene->model_count ? 4 : 3;
    const float gap = ui_px(ui, 4);
    float whole = 0;
    std::snprintf(buttons[3].path, sizeof buttons[3].path, "/models/#%zu/switches", scene->selected);
    ImGui::SameLine(0, ui_px(ui, 8));
    for (size_t i = 0; i < count; i++)
        whole += whole_width(ui, buttons[i]);
    const float room = right - ImGui::GetCursorScreenPos().x - (float)(count - 1) * gap;
    for (size_t i = 0; i < count; i++) {
        if (i)
            ImGui::SameLine(0, gap);
        item_tool(ui, view, buttons[i], room < whole ? std::fmax(room, 1) / whole : 1);
    }
}

// Returns the width of the button that adds keyframes at rest, 0 where there is nothing to add.
static float rest_width(const odori_ui *ui, const key_view *view, float room)
{
    const float whole =
        ImGui::CalcTextSize(ui_translate(ui, TEXT_SHEET_REST)).x + 2 * ImGui::GetStyle().FramePadding.x;
    return view->late ? std::floor(std::fmin(whole, 0.3f * room)) : 0;
}

// Shows that button, in the colour of warnings.
static void rest_tool(odori_ui *ui, const key_view *view, float width)
{
    char title[128];
    ui_elide(ui_translate(ui, TEXT_SHEET_REST), width - 2 * ImGui::GetStyle().FramePadding.x + 1, title,
             sizeof title);
    ImGui::PushStyleColor(ImGuiCol_Text, theme_warning());
    ImGui::PushID("rest");
    if (ImGui::Button(title, ImVec2(width, ui_px(ui, TOOL - 4))))
        ui_line(ui, "key.rest");
    ImGui::PopID();
    ImGui::PopStyleColor();
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip(ui_translate(ui, TEXT_SHEET_REST_HELP), view->late_from);
}

// Shows the tool bar, and a message: frames of the drag, a refusal, the number of selected keyframes, or a
// hint.
static void tools(odori_ui *ui, const ui_scene *scene, const key_view *view, float right)
{
    char text[200] = "";
    ui_sheet *sheet = &ui->sheet;
    key_tools(ui, scene, view);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui_px(ui, 7), 0));
    const float rest = rest_width(ui, view, right - ImGui::GetCursorScreenPos().x), gap = ui_px(ui, 8);
    item_tools(ui, scene, view, rest > 0 ? right - rest - gap : right);
    if (rest > 0) {
        ImGui::SameLine(0, gap);
        rest_tool(ui, view, rest);
    }
    ImGui::PopStyleVar();
    bool refused = scene->refused && scene->refused[0];
    if (sheet->hold == HOLD_KEYS && dragged(ui) != 0)
        std::snprintf(text, sizeof text, "%+.0f", dragged(ui));
    else if (refused)
        message_brief(scene->refused, text, sizeof text);
    else if (sheet->keys.Size)
        std::snprintf(text, sizeof text, ui_translate(ui, TEXT_SHEET_CHOSEN), sheet->keys.Size);
    else if (!view->selected)
        std::snprintf(text, sizeof text, "%s", ui_translate(ui, TEXT_SHEET_HINT));
    ImGui::SameLine(0, ui_px(ui, 12));
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImU32 color = refused ? theme_warning() : theme_text(0.62f);
    char shown[sizeof text + 4];
    ui_elide(text, right - at.x, shown, sizeof shown);
    ImGui::GetWindowDrawList()->AddText(ImVec2(at.x, at.y + ui_px(ui, 3)), color, shown);
    if (std::strcmp(shown, text) != 0 && ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect(at, ImVec2(right, at.y + ui_px(ui, TOOL))))
        ImGui::SetTooltip("%s", text);
    ImGui::NewLine();
}

// Handles the keyboard while keyframes are selected.
static void keyboard(odori_ui *ui, const ui_scene *scene)
{
    ui_sheet *sheet = &ui->sheet;
    const ImGuiIO &io = ImGui::GetIO();
    if (!sheet->keys.Size || io.WantTextInput)
        return;
    if (ImGui::IsKeyPressed(UI_KEY_DELETE, false))
        sheet_delete(sheet, scene->sheet);
    else if (ImGui::IsKeyPressed(UI_KEY_ESCAPE, false))
        sheet_select_none(sheet);
    else if (io.KeyCtrl && ImGui::IsKeyPressed(UI_KEY_C, false))
        sheet_copy(sheet);
    else if (io.KeyCtrl && ImGui::IsKeyPressed(UI_KEY_V, false))
        sheet_paste(sheet, scene->sheet, (uint32_t)(scene->frame + 0.5));
}

bool ui_wants_key(const odori_ui *ui, ui_key key, unsigned modifiers)
{
    const ui_sheet *sheet = &ui->sheet;
    if (!sheet->is_shown || !sheet->keys.Size)
        return false;
    if (modifiers & UI_CONTROL)
        return !(modifiers & UI_SHIFT) && (key == UI_KEY_C || (key == UI_KEY_V && sheet->copied.Size));
    return !modifiers && (key == UI_KEY_DELETE || key == UI_KEY_ESCAPE);
}

// Computes the layout.
static sheet_layout layout_of(const odori_ui *ui, const ui_scene *scene, float width, float bottom)
{
    sheet_layout p = {};
    float label = ui_px(ui, LABEL), most = 0.3f * width;
    p.scene = scene;
    p.view = scene->sheet;
    p.at = ImGui::GetCursorScreenPos();
    p.left = p.at.x + (label < most ? label : most) + ui_px(ui, 6);
    p.right = p.at.x + width - ImGui::GetStyle().ScrollbarSize;
    p.bottom = bottom;
    p.row = ui_px(ui, ROW);
    p.spread = ui_px(ui, ui->sheet.spread > 0 ? ui->sheet.spread : SPREAD_FIRST);
    p.start = ui->sheet.start;
    uint32_t morphs = p.view->morphs, others = p.view->count - morphs;
    p.lines = others + (morphs ? 1 : 0) + (ui->sheet.unfolds ? morphs : 0);
    return p;
}

// Shows the parts of the editor. Where it is narrow, the tool bar goes on above the curve editor, which is
// left out where it is very narrow.
static void contents(odori_ui *ui, const ui_scene *scene, float width, float bottom)
{
    ImVec2 at = ImGui::GetCursorScreenPos();
    float pane = ui_px(ui, PANE), gap = ui_px(ui, GAP);
    bool has_pane = width > ui_px(ui, 600);
    float keys = has_pane ? width - pane - gap : width;
    const bool is_narrow = has_pane && keys < ui_px(ui, NARROW);
    const bool has_title = !is_narrow || bottom - at.y >= ui_px(ui, TITLED);
    const float below = is_narrow && has_title ? ui_px(ui, TOOL) : 0;
    sheet_check(&ui->sheet, scene->sheet);
    keyboard(ui, scene);
    tools(ui, scene, scene->sheet, at.x + (is_narrow ? width : keys));
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + ui_px(ui, TOOL)));
    sheet_layout p = layout_of(ui, scene, keys, bottom);
    follow(ui, scene, p.right - p.left);
    p = layout_of(ui, scene, keys, bottom);
    ruler(ui, p);
    ImGui::SetCursorScreenPos(ImVec2(at.x, p.at.y + ui_px(ui, RULER)));
    summary(ui, p);
    ImGui::SetCursorScreenPos(ImVec2(at.x, p.at.y + ui_px(ui, RULER) + p.row));
    rows(ui, p);
    if (has_pane)
        curve_show(ui, scene, ImVec2(at.x + keys + gap, at.y + below), ImVec2(pane, bottom - at.y - below),
                   has_title);
    sheet_send_lines(ui, scene->sheet);
}

void sheet_show(odori_ui *ui, const ui_scene *scene, const ui_rectangle &place)
{
    const float width = (float)place.width, bottom = (float)(place.y + place.height);
    ImGui::SetNextWindowPos(ui_at(place));
    ImGui::SetNextWindowSize(ui_size(place));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui_px(ui, 12), ui_px(ui, 6)));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui_px(ui, 4), 0));
    ImGui::SetNextWindowBgAlpha(1);
    ImGui::Begin("sheet", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
    ui_cover(ui);
    float edge;
    if (ui_edge(ui, true, &edge)) {
        float points = (bottom - edge) / ui->scale;
        ui_line(ui, "sheet.height %.0f", (double)(points < 100 ? 100 : points > 4000 ? 4000 : points));
    }
    float inner = width - 2 * ImGui::GetStyle().WindowPadding.x;
    contents(ui, scene, inner, bottom - ui_px(ui, 4));
    ImGui::End();
    ImGui::PopStyleVar(2);
}
