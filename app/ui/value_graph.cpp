// The graph below the rows: what the channel of the curve editor is over the
// frames in sight, as the engine has it from keys and curves. A pixel or two a
// sample; its height is what there is to see.
#include "dope_sheet.h"
#include "ui_internal.h"

#include <cfloat>
#include <cstdio>

enum { SAMPLES_MAX = 1024, LINES_OF_GRAPH = 3 };
static const float APART = 2.0f, RIM = 6.0f;

static const ImVec4 line_colors[LINES_OF_GRAPH] = {
    ImVec4(0.94f, 0.37f, 0.42f, 1), ImVec4(0.55f, 0.82f, 0.30f, 1), ImVec4(0.36f, 0.62f, 1.0f, 1)};
static const ImVec4 lone_color(0.95f, 0.78f, 0.30f, 1);

struct graph_lines {
    float values[LINES_OF_GRAPH][SAMPLES_MAX];
    int lines, samples;
    float apart; // pixels from one to the next
    float least, most;
};

// Of all channels those of the place are shown, which have one measure.
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

static void take(graph_lines *g, int sample, const double values[3])
{
    for (int k = 0; k < g->lines; k++) {
        float value = (float)values[k];
        g->values[k][sample] = value;
        g->least = value < g->least ? value : g->least;
        g->most = value > g->most ? value : g->most;
    }
}

static void sample(graph_lines *g, const key_row *row, int channel, const graph_place &p)
{
    float width = p.right - p.left;
    const float least = width / (float)(SAMPLES_MAX - 1); // on a wide screen
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

static float y_of(const graph_lines &g, const graph_place &p, float rim, float value)
{
    float range = g.most - g.least, high = p.bottom - p.top - 2 * rim;
    return range > 1e-6f ? p.bottom - rim - (value - g.least) / range * high : (p.top + p.bottom) / 2;
}

static void draw_lines(const odori_ui *ui, const graph_lines &g, const graph_place &p)
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

// The keys of the row, on its lines.
static void draw_points(const odori_ui *ui, const graph_lines &g, const graph_place &p, const key_row *row,
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

static void draw_bounds(const odori_ui *ui, const graph_lines &g, const graph_place &p)
{
    char text[32];
    ImDrawList *list = ImGui::GetWindowDrawList();
    float size = ImGui::GetFontSize(), right = p.left - ui_px(ui, 8);
    const float values[2] = {g.most, g.least};
    bool flat = g.most - g.least <= 1e-6f;
    for (int i = 0; i < (flat ? 1 : 2); i++) {
        std::snprintf(text, sizeof text, "%.4g", (double)values[i] + 0.0);
        float x = right - ImGui::CalcTextSize(text).x;
        float y = flat ? (p.top + p.bottom - size) / 2 : i ? p.bottom - size : p.top;
        list->AddText(ImVec2(x, y), theme_text(0.5f), text);
    }
}

void graph_show(const odori_ui *ui, const key_row *row, const graph_place &p)
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
