// The editor of interpolation curves: MMD's square with the curve that leads to a keyframe and its two
// handles on a grid of 0 to 127. It shows the keyframe that was clicked last, or else the one that ends the
// segment under the current frame, because a VMD file stores the curves of a segment in the keyframe at its
// end.
//
// Below the rows of the keyframe editor a graph shows the same channel over the visible frames. The engine
// evaluates it from keyframes and curves, every pixel or two. Its vertical scale fits the visible values.
#include "dope_sheet.h"
#include "ui_internal.h"

#include <cfloat>
#include <cmath>
#include <cstdio>

// Points: width of the column beside the square, radius of a handle, distance at which a click catches a
// handle.
static const float COLUMN = 118.0f, HANDLE = 5.5f, CATCH = 12.0f;
static const int GRID = 127; // largest coordinate of a handle

// The channels of a bone and of the camera.
static const struct {
    ui_text title;
    const char *word; // argument of `key.curve`
} channels[2][MMD_CAMERA_CHANNELS] = {{{TEXT_CHANNEL_X, "x"},
                                       {TEXT_CHANNEL_Y, "y"},
                                       {TEXT_CHANNEL_Z, "z"},
                                       {TEXT_CHANNEL_ROTATION, "rotation"}},
                                      {{TEXT_CHANNEL_X, "x"},
                                       {TEXT_CHANNEL_Y, "y"},
                                       {TEXT_CHANNEL_Z, "z"},
                                       {TEXT_CHANNEL_ROTATION, "rotation"},
                                       {TEXT_CHANNEL_DISTANCE, "distance"},
                                       {TEXT_CHANNEL_ANGLE, "angle"}}};

static const ImVec4 channel_colors[MMD_CAMERA_CHANNELS] = {
    ImVec4(0.94f, 0.37f, 0.42f, 1), ImVec4(0.55f, 0.82f, 0.30f, 1), ImVec4(0.36f, 0.62f, 1.0f, 1),
    ImVec4(0.95f, 0.78f, 0.30f, 1), ImVec4(0.80f, 0.55f, 0.95f, 1), ImVec4(0.45f, 0.85f, 0.88f, 1)};

// The curve that is edited.
struct curve_subject {
    const key_row *row; // NULL: there is none
    sheet_key key;      // at the end of the segment
    uint32_t at;        // index of that keyframe in the row
    uint32_t count;     // number of channels
    bool all;           // all channels are edited at once
    uint32_t channel;   // whose handles are shown
};

// Returns the row whose curve is shown when no keyframe is selected: the first one with curves, or NULL.
static const key_row *row_without_choice(const key_view *view)
{
    for (uint32_t i = 0; view->selected && i < view->count; i++)
        if (key_row_channels(&view->rows[i]) && view->rows[i].count)
            return &view->rows[i];
    return nullptr;
}

const key_row *curve_row(const ui_sheet *sheet, const key_view *view)
{
    return sheet->has_last ? sheet_row_of(view, sheet->last) : row_without_choice(view);
}

// Finds the keyframe and the channel to edit.
static curve_subject find_subject(const ui_sheet *sheet, const ui_scene *scene)
{
    curve_subject s = {};
    const key_view *view = scene->sheet;
    s.row = curve_row(sheet, view);
    if (s.row && sheet->has_last)
        s.at = key_row_at(s.row, sheet->last.frame);
    else if (s.row)
        s.at = key_row_from(s.row, (uint32_t)std::ceil(scene->frame));
    if (!s.row || s.at >= s.row->count || !key_row_channels(s.row)) {
        s.row = nullptr;
        return s;
    }
    s.key = sheet_key_of(s.row, key_row_frame(s.row, s.at));
    s.at = key_row_at(s.row, s.key.frame);
    s.count = key_row_channels(s.row);
    s.all = sheet->channel >= (int)s.count || sheet->channel < 0;
    s.channel = s.all ? 0 : (uint32_t)sheet->channel;
    return s;
}

// ---- Command lines ----

// Writes the channel and the four numbers, as arguments of `key.curve`.
static void curve_arguments(const curve_subject &s, mmd_curve c, char *text, size_t size)
{
    const char *channel = s.all ? "all" : channels[s.row->kind == KEY_ROW_CAMERA ? 1 : 0][s.channel].word;
    std::snprintf(text, size, "%s %u %u %u %u", channel, c.x1, c.y1, c.x2, c.y2);
}

// Sets the curve of all selected keyframes.
static void set_all(odori_ui *ui, const ui_scene *scene, const curve_subject &s, mmd_curve c)
{
    char arguments[40];
    curve_arguments(s, c, arguments, sizeof arguments);
    sheet_curve(&ui->sheet, scene->sheet, s.key, arguments);
}

// Sets the curve of the shown keyframe only, while a handle is dragged.
static void set_one(odori_ui *ui, const curve_subject &s, mmd_curve c)
{
    char arguments[40], path[KEY_PATH_MAX];
    curve_arguments(s, c, arguments, sizeof arguments);
    key_row_path(s.row, path);
    ui_line(ui, "key.curve %u %s %s", s.key.frame, arguments, path);
}

// ---- The square ----

struct curve_square {
    ImVec2 at; // top left
    float side;
};

// Converts grid coordinates to pixels.
static ImVec2 point_of(const curve_square &q, float x, float y)
{
    return ImVec2(q.at.x + q.side * x / (float)GRID, q.at.y + q.side * (1 - y / (float)GRID));
}

// Returns the position of handle 1 or 2 in pixels.
static ImVec2 handle_of(const curve_square &q, mmd_curve c, int handle)
{
    return handle == 1 ? point_of(q, c.x1, c.y1) : point_of(q, c.x2, c.y2);
}

// Draws the background of the square.
static void draw_square(const odori_ui *ui, const curve_square &q)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImU32 dark = ImGui::GetColorU32(ImVec4(0.02f, 0.03f, 0.04f, 0.55f));
    ImVec2 end(q.at.x + q.side, q.at.y + q.side);
    list->AddRectFilled(q.at, end, dark, ui_px(ui, 3));
    for (int i = 1; i < 4; i++) {
        float d = std::floor(q.side * (float)i / 4);
        list->AddLine(ImVec2(q.at.x + d, q.at.y), ImVec2(q.at.x + d, end.y), theme_text(0.07f));
        list->AddLine(ImVec2(q.at.x, q.at.y + d), ImVec2(end.x, q.at.y + d), theme_text(0.07f));
    }
    list->AddLine(point_of(q, 0, 0), point_of(q, 127, 127), theme_text(0.10f));
    list->AddRect(q.at, end, theme_text(0.20f), ui_px(ui, 3));
}

static void draw_curve(const odori_ui *ui, const curve_square &q, mmd_curve c, const ImVec4 &color,
                       float alpha, float width)
{
    ImGui::GetWindowDrawList()->AddBezierCubic(
        point_of(q, 0, 0), point_of(q, c.x1, c.y1), point_of(q, c.x2, c.y2), point_of(q, GRID, GRID),
        ImGui::GetColorU32(ImVec4(color.x, color.y, color.z, alpha)), ui_px(ui, width));
}

// Draws the handles; hot: the number of the highlighted one, or 0.
static void draw_handles(const odori_ui *ui, const curve_square &q, mmd_curve c, int hot)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (int handle = 1; handle <= 2; handle++) {
        ImVec2 from = handle == 1 ? point_of(q, 0, 0) : point_of(q, GRID, GRID), to = handle_of(q, c, handle);
        ImU32 color = handle == hot ? ImGui::GetColorU32(ImVec4(1.0f, 0.85f, 0.22f, 1)) : theme_text(0.95f);
        list->AddLine(from, to, theme_text(0.45f), ui_px(ui, 1.2f));
        list->AddCircleFilled(to, ui_px(ui, HANDLE), color);
        list->AddCircle(to, ui_px(ui, HANDLE), ImGui::GetColorU32(ImVec4(0.03f, 0.05f, 0.07f, 0.8f)), 0,
                        ui_px(ui, 1.2f));
    }
}

// Draws the curves of all channels, the edited one on top.
static void draw_curves(const odori_ui *ui, const curve_square &q, const curve_subject &s, mmd_curve shown)
{
    for (uint32_t i = 0; i < s.count; i++)
        if (s.all || i != s.channel)
            draw_curve(ui, q, key_row_curve(s.row, s.at, i), channel_colors[i], s.all ? 0.9f : 0.28f,
                       s.all ? 1.8f : 1.3f);
    if (!s.all)
        draw_curve(ui, q, shown, channel_colors[s.channel], 1, 2.4f);
    else if (ui->sheet.grip)
        draw_curve(ui, q, shown, ImVec4(1, 1, 1, 1), 0.9f, 2.0f);
}

static float far_from(ImVec2 a, ImVec2 b)
{
    return std::hypot(a.x - b.x, a.y - b.y);
}

// Returns which handle is under the pointer, or 0.
static int handle_under(const odori_ui *ui, const curve_square &q, mmd_curve c, ImVec2 mouse)
{
    float first = far_from(handle_of(q, c, 1), mouse), second = far_from(handle_of(q, c, 2), mouse);
    int nearer = first <= second ? 1 : 2;
    return (nearer == 1 ? first : second) <= ui_px(ui, CATCH) ? nearer : 0;
}

// Converts 0 to 1 to a grid coordinate.
static uint8_t on_grid(float part)
{
    float value = std::floor(part * (float)GRID + 0.5f);
    return (uint8_t)(value < 0 ? 0 : value > (float)GRID ? (float)GRID : value);
}

// Returns the curve with a handle moved to the pointer.
static mmd_curve with_handle(const curve_square &q, mmd_curve c, int handle, ImVec2 mouse)
{
    uint8_t x = on_grid((mouse.x - q.at.x) / q.side), y = on_grid(1 - (mouse.y - q.at.y) / q.side);
    if (handle == 1) {
        c.x1 = x;
        c.y1 = y;
    } else {
        c.x2 = x;
        c.y2 = y;
    }
    return c;
}

static bool is_same(mmd_curve a, mmd_curve b)
{
    return a.x1 == b.x1 && a.y1 == b.y1 && a.x2 == b.x2 && a.y2 == b.y2;
}

// Ends the drag of a handle. The other selected keyframes get the same curve, as part of the same undo step.
static void let_go(odori_ui *ui, const ui_scene *scene, const curve_subject &s, mmd_curve c)
{
    ui->sheet.grip = 0;
    if (ui->sheet.keys.Size > 1 && sheet_has(&ui->sheet, s.key))
        set_all(ui, scene, s, c);
    else
        ui_line(ui, "edit.join off");
    ui->joins = false;
}

// Follows the drag of a handle and sends the curve whenever it changes.
static void drag_handle(odori_ui *ui, const ui_scene *scene, const curve_square &q, const curve_subject &s,
                        mmd_curve c)
{
    ui_sheet *sheet = &ui->sheet;
    ImVec2 mouse = ImGui::GetIO().MousePos;
    if (ImGui::IsItemActivated()) {
        sheet->grip = handle_under(ui, q, c, mouse);
        sheet->shaped = s.key;
        sheet->wanted = c;
        if (sheet->grip && !ui->joins) {
            ui->joins = true;
            ui_line(ui, "edit.join on");
        }
    }
    if (!sheet->grip)
        return;
    if (!ImGui::IsItemActive() || !sheet_same(sheet->shaped, s.key)) {
        let_go(ui, scene, s, sheet->wanted);
        return;
    }
    mmd_curve wanted = with_handle(q, sheet->wanted, sheet->grip, mouse);
    if (!is_same(wanted, sheet->wanted))
        set_one(ui, s, wanted);
    sheet->wanted = wanted;
}

// Shows the square with curves and handles.
static void square(odori_ui *ui, const ui_scene *scene, const curve_subject &s, const curve_square &q)
{
    const ui_sheet *sheet = &ui->sheet;
    float rim = ui_px(ui, HANDLE);
    mmd_curve c = key_row_curve(s.row, s.at, s.channel);
    ImGui::SetCursorScreenPos(ImVec2(q.at.x - rim, q.at.y - rim));
    ImGui::InvisibleButton("square", ImVec2(q.side + 2 * rim, q.side + 2 * rim));
    int hot = ImGui::IsItemHovered() ? handle_under(ui, q, c, ImGui::GetIO().MousePos) : 0;
    drag_handle(ui, scene, q, s, c);
    if (sheet->grip) {
        hot = sheet->grip;
        c = sheet->wanted;
    }
    draw_square(ui, q);
    draw_curves(ui, q, s, c);
    draw_handles(ui, q, c, hot);
}

// ---- The column beside the square ----

// Shows the button of a channel, or of all channels when number is the channel count.
static void tab(odori_ui *ui, const curve_subject &s, int number, ui_text title, float width)
{
    bool chosen = s.all ? number == (int)s.count : number == (int)s.channel;
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(number);
    if (chosen)
        ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_Header));
    if (ImGui::Button(ui_translate(ui, title), ImVec2(width, ui_px(ui, 20))))
        ui->sheet.channel = number < (int)s.count ? number : -1;
    if (chosen)
        ImGui::PopStyleColor();
    if (number < (int)s.count) {
        const ImVec4 &c = channel_colors[number];
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x + ui_px(ui, 2), at.y + ui_px(ui, 18)),
                                                  ImVec2(at.x + width - ui_px(ui, 2), at.y + ui_px(ui, 20)),
                                                  ImGui::GetColorU32(ImVec4(c.x, c.y, c.z, 0.85f)),
                                                  ui_px(ui, 1));
    }
    ImGui::PopID();
}

// Shows the buttons of the channels: X, Y and Z in one line, the others in pairs.
static void tabs(odori_ui *ui, const curve_subject &s, float x, float width)
{
    float gap = ui_px(ui, 3);
    bool camera = s.row->kind == KEY_ROW_CAMERA;
    for (int i = 0; i <= (int)s.count; i++) {
        bool begins = i == 0 || i == 3 || i == 5;
        int in_a_line = i < 3 ? 3 : 2;
        if (begins)
            ImGui::SetCursorScreenPos(ImVec2(x, ImGui::GetCursorScreenPos().y));
        else
            ImGui::SameLine(0, gap);
        tab(ui, s, i, i < (int)s.count ? channels[camera ? 1 : 0][i].title : TEXT_CHANNEL_ALL,
            (width - gap * (float)(in_a_line - 1)) / (float)in_a_line);
    }
}

static const struct {
    ui_text help;
    mmd_curve curve;
} presets[] = {{TEXT_CURVE_LINEAR, {20, 20, 107, 107}},
               {TEXT_CURVE_IN, {64, 0, 107, 107}},
               {TEXT_CURVE_OUT, {20, 20, 64, 127}},
               {TEXT_CURVE_IN_OUT, {64, 0, 64, 127}}};

// Shows buttons that set common curves. Each has the shape of its curve as icon.
static void preset_buttons(odori_ui *ui, const ui_scene *scene, const curve_subject &s, float width)
{
    const int count = sizeof presets / sizeof *presets;
    float gap = ui_px(ui, 3), side = (width - gap * (float)(count - 1)) / (float)count;
    float high = ui_px(ui, 23), rim = ui_px(ui, 5), square = high - 2 * rim;
    for (int i = 0; i < count; i++) {
        if (i)
            ImGui::SameLine(0, gap);
        ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushID(i);
        if (ImGui::Button("##preset", ImVec2(side, high)))
            set_all(ui, scene, s, presets[i].curve);
        if (ImGui::IsItemHovered())
            ImGui::SetTooltip("%s", ui_translate(ui, presets[i].help));
        ImGui::PopID();
        draw_curve(ui, {ImVec2(at.x + (side - square) / 2, at.y + rim), square}, presets[i].curve,
                   ImVec4(0.93f, 0.95f, 0.96f, 1), 0.95f, 1.6f);
    }
}

// Shows the coordinates of the handles as number fields: in two lines with names if there is room, otherwise
// in one.
static void number_fields(odori_ui *ui, const ui_scene *scene, const curve_subject &s, ImVec2 at, ImVec2 size)
{
    mmd_curve c = ui->sheet.grip ? ui->sheet.wanted : key_row_curve(s.row, s.at, s.channel);
    int values[4] = {c.x1, c.y1, c.x2, c.y2};
    float gap = ui_px(ui, 3);
    static const char *const formats[4] = {"x1  %d", "y1  %d", "x2  %d", "y2  %d"};
    int in_a_line = size.y < 2 * ImGui::GetFrameHeightWithSpacing() - ImGui::GetStyle().ItemSpacing.y ? 4 : 2;
    float width = (size.x - gap * (float)(in_a_line - 1)) / (float)in_a_line;
    for (int i = 0; i < 4; i++) {
        if (i % in_a_line)
            ImGui::SameLine(0, gap);
        else
            ImGui::SetCursorScreenPos(ImVec2(at.x, ImGui::GetCursorScreenPos().y));
        ImGui::PushID(i);
        ImGui::SetNextItemWidth(width);
        bool changed = ImGui::DragInt("##number", &values[i], 0.5f, 0, GRID,
                                      in_a_line == 2 ? formats[i] : "%d", ImGuiSliderFlags_AlwaysClamp);
        ui_join_drag(ui);
        ImGui::PopID();
        if (!changed)
            continue;
        const mmd_curve wanted = {(uint8_t)values[0], (uint8_t)values[1], (uint8_t)values[2],
                                  (uint8_t)values[3]};
        if (ui->joins)
            set_one(ui, s, wanted);
        else
            set_all(ui, scene, s, wanted);
    }
}

// Shows the name of the row and the frames of the segment.
static void heading(const odori_ui *ui, const curve_subject &s, ImVec2 at, float width)
{
    char text[200], frames[40], shown[128];
    ImDrawList *list = ImGui::GetWindowDrawList();
    const char *name = s.row->kind == KEY_ROW_CAMERA ? ui_translate(ui, TEXT_CAMERA)
                                                     : ui_name(ui, s.row->name, s.row->name_en);
    uint32_t first = key_row_from(s.row, s.key.frame);
    if (first > 0)
        std::snprintf(frames, sizeof frames, "   %u → %u", key_row_frame(s.row, first - 1), s.key.frame);
    else
        std::snprintf(frames, sizeof frames, "   → %u", s.key.frame);
    ui_elide(name, width - ImGui::CalcTextSize(frames).x, shown, sizeof shown);
    std::snprintf(text, sizeof text, "%s%s", shown, frames);
    list->AddText(ImVec2(at.x, at.y + ui_px(ui, 2)), theme_text(0.75f), text);
}

void curve_show(odori_ui *ui, const ui_scene *scene, ImVec2 at, ImVec2 size, bool has_title)
{
    curve_subject s = find_subject(&ui->sheet, scene);
    float rim = ui_px(ui, HANDLE), top = at.y + ui_px(ui, 24) + rim, column = ui_px(ui, COLUMN);
    float side = at.y + size.y - top - rim, most = size.x - column - ui_px(ui, 18);
    curve_square q = {ImVec2(at.x + rim, top), side < most ? side : most};
    if (!s.row) {
        if (ui->sheet.grip) { // the keyframe whose handle was dragged is gone
            ui->sheet.grip = 0;
            ui->joins = false;
            ui_line(ui, "edit.join off");
        }
        draw_square(ui, q);
        ImGui::SetCursorScreenPos(ImVec2(q.at.x + q.side + ui_px(ui, 14), top));
        ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + column);
        ImGui::TextDisabled("%s", ui_translate(ui, TEXT_CURVE_NONE));
        ImGui::PopTextWrapPos();
        return;
    }
    if (has_title)
        heading(ui, s, at, size.x);
    square(ui, scene, s, q);
    float x = q.at.x + q.side + ui_px(ui, 14);
    column = at.x + size.x - x;
    ImGui::SetCursorScreenPos(ImVec2(x, top));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui_px(ui, 2), ui_px(ui, 2)));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui_px(ui, 3), ui_px(ui, 4)));
    tabs(ui, s, x, column);
    ImGui::SetCursorScreenPos(ImVec2(x, ImGui::GetCursorScreenPos().y + ui_px(ui, 2)));
    preset_buttons(ui, scene, s, column);
    ImVec2 below(x, ImGui::GetCursorScreenPos().y + ui_px(ui, 2));
    ImGui::SetCursorScreenPos(below);
    number_fields(ui, scene, s, below, ImVec2(column, at.y + size.y - below.y));
    ImGui::PopStyleVar(2);
}

// ---- The graph ----

enum { SAMPLES_MAX = 1024, LINES_OF_GRAPH = 3 };
static const float APART = 2.0f, RIM = 6.0f; // pixels between samples, points above and below the lines

static const ImVec4 line_colors[LINES_OF_GRAPH] = {
    ImVec4(0.94f, 0.37f, 0.42f, 1), ImVec4(0.55f, 0.82f, 0.30f, 1), ImVec4(0.36f, 0.62f, 1.0f, 1)};
static const ImVec4 lone_color(0.95f, 0.78f, 0.30f, 1);

// The sampled values of a channel: one line, or three for X, Y and Z.
struct graph_lines {
    float values[LINES_OF_GRAPH][SAMPLES_MAX];
    int lines, samples;
    float apart;       // pixels between two samples
    float least, most; // of all values
};

// Reads the values of a channel at a frame and returns how many there are. For all channels (-1) these are
// the position, because only its three values share a unit.
static int values_at(const key_row *row, int channel, double frame, double values[3])
{
    if (channel >= 0 && channel < (int)(key_row_channels(row) ? key_row_channels(row) : 1))
        return key_row_values(row, (uint32_t)channel, frame, values);
    if (!key_row_channels(row))
        return key_row_values(row, 0, frame, values);
    for (uint32_t k = 0; k < 3; k++) {
        double one[3];
        if (!key_row_values(row, k, frame, one))
            return 0;
        values[k] = one[0];
    }
    return 3;
}

// Stores the values of a sample.
static void take(graph_lines *g, int sample, const double values[3])
{
    for (int k = 0; k < g->lines; k++) {
        float value = (float)values[k];
        g->values[k][sample] = value;
        g->least = value < g->least ? value : g->least;
        g->most = value > g->most ? value : g->most;
    }
}

// Samples the visible frames.
static void sample(graph_lines *g, const key_row *row, int channel, const graph_area &p)
{
    float width = p.right - p.left;
    const float least = width / (float)(SAMPLES_MAX - 1); // spacing that fits SAMPLES_MAX on a wide window
    g->apart = APART > least ? APART : least;
    g->samples = (int)(width / g->apart) + 1;
    g->samples = g->samples < SAMPLES_MAX ? g->samples : SAMPLES_MAX;
    g->lines = 0;
    g->least = FLT_MAX;
    g->most = -FLT_MAX;
    for (int i = 0; i < g->samples; i++) {
        double values[3], frame = p.start + (double)((float)i * g->apart / p.spread);
        g->lines = values_at(row, channel, frame > 0 ? frame : 0, values);
        take(g, i, values);
    }
}

// Returns the y coordinate of a value. A constant line is in the middle.
static float y_of(const graph_lines &g, const graph_area &p, float rim, float value)
{
    float range = g.most - g.least, high = p.bottom - p.top - 2 * rim;
    return range > 1e-6f ? p.bottom - rim - (value - g.least) / range * high : (p.top + p.bottom) / 2;
}

static void draw_lines(const odori_ui *ui, const graph_lines &g, const graph_area &p)
{
    ImVec2 points[SAMPLES_MAX];
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->PushClipRect(ImVec2(p.left, p.top), ImVec2(p.right, p.bottom), true);
    for (int k = 0; k < g.lines; k++) {
        int color = g.lines > 1 ? k : ui->sheet.channel;
        const ImVec4 &c = color >= 0 && color < LINES_OF_GRAPH ? line_colors[color] : lone_color;
        for (int i = 0; i < g.samples; i++)
            points[i] = ImVec2(p.left + (float)i * g.apart, y_of(g, p, ui_px(ui, RIM), g.values[k][i]));
        list->AddPolyline(points, g.samples, ImGui::GetColorU32(ImVec4(c.x, c.y, c.z, 0.9f)), 0,
                          ui_px(ui, 1.6f));
    }
    list->PopClipRect();
}

// Draws the keyframes of the row as points on the lines.
static void draw_points(const odori_ui *ui, const graph_lines &g, const graph_area &p, const key_row *row,
                        int channel)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (uint32_t i = key_row_from(row, p.start > 0 ? (uint32_t)p.start : 0); i < row->count; i++) {
        double values[3], frame = key_row_frame(row, i);
        float x = p.left + (float)((frame - p.start) * (double)p.spread);
        if (x > p.right)
            break;
        int count = values_at(row, channel, frame, values);
        for (int k = 0; k < count && x >= p.left; k++)
            list->AddCircleFilled(ImVec2(x, y_of(g, p, ui_px(ui, RIM), (float)values[k])), ui_px(ui, 2.2f),
                                  theme_text(0.85f));
    }
}

// Writes the largest and smallest value at the left.
static void draw_bounds(const odori_ui *ui, const graph_lines &g, const graph_area &p)
{
    char text[32];
    ImDrawList *list = ImGui::GetWindowDrawList();
    float size = ImGui::GetFontSize(), right = p.left - ui_px(ui, 8);
    const float values[2] = {g.most, g.least};
    bool flat = g.most - g.least <= 1e-6f;
    for (int i = 0; i < (flat ? 1 : 2); i++) {
        // A rest of rounding is nothing beside the other value.
        bool is_rest = std::fabs(values[i]) < 1e-5f * (g.most - g.least);
        std::snprintf(text, sizeof text, "%.4g", is_rest ? 0.0 : (double)values[i] + 0.0);
        float x = right - ImGui::CalcTextSize(text).x;
        float y = flat ? (p.top + p.bottom - size) / 2 : i ? p.bottom - size : p.top;
        list->AddText(ImVec2(x, y), theme_text(0.5f), text);
    }
}

void graph_show(const odori_ui *ui, const key_row *row, const graph_area &p)
{
    graph_lines g;
    sample(&g, row, ui->sheet.channel, p);
    if (!g.lines || g.samples < 2)
        return;
    ImGui::GetWindowDrawList()->AddLine(ImVec2(p.left, p.top), ImVec2(p.right, p.top), theme_text(0.08f));
    draw_lines(ui, g, p);
    if (p.spread * 2 > ui_px(ui, 3))
        draw_points(ui, g, p, row, ui->sheet.channel);
    draw_bounds(ui, g, p);
}
