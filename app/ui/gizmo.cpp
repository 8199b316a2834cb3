// Draws the gizmo and the marks of selected items over the scene, below the panels. Every line has a dark
// outline, so that it is visible on white clothes.
#include "ui_internal.h"

#include "edit.h"

#include <cmath>
#include <cstdio>

static const ImVec4 axis_colors[4] = {ImVec4(0.94f, 0.27f, 0.33f, 1), ImVec4(0.47f, 0.80f, 0.20f, 1),
                                      ImVec4(0.25f, 0.56f, 1.0f, 1), ImVec4(0.93f, 0.95f, 0.96f, 1)};
static const ImVec4 hover_color(1.0f, 0.85f, 0.22f, 1), rim_color(0.03f, 0.05f, 0.07f, 1);

static ImU32 color_of(const ImVec4 &c, float alpha)
{
    return ImGui::GetColorU32(ImVec4(c.x, c.y, c.z, alpha));
}

// Draws a stroke as a line.
static void draw_line(ImDrawList *list, const gizmo_stroke &s, ImU32 color, float width)
{
    ImVec2 points[GIZMO_POINTS_MAX];
    for (uint32_t i = 0; i < s.count; i++)
        points[i] = ImVec2(s.points[i][0], s.points[i][1]);
    list->AddPolyline(points, (int)s.count, color, s.closes ? ImDrawFlags_Closed : 0, width);
}

// Fills a stroke.
static void draw_area(ImDrawList *list, const gizmo_stroke &s, ImU32 color)
{
    ImVec2 points[GIZMO_POINTS_MAX];
    for (uint32_t i = 0; i < s.count; i++)
        points[i] = ImVec2(s.points[i][0], s.points[i][1]);
    // A sector of more than half a turn is not convex, so it is drawn as triangles around its centre.
    if (s.count > 8) {
        for (uint32_t i = 1; i + 1 < s.count; i++)
            list->AddTriangleFilled(points[0], points[i], points[i + 1], color);
        return;
    }
    list->AddConvexPolyFilled(points, (int)s.count, color);
}

// Returns the opacity of a stroke. During a drag the other handles are faded.
static float alpha_of(const ui_edit *edit, const gizmo_stroke &s)
{
    bool others = edit->drags && s.handle != edit->hovered;
    return others ? s.alpha * 0.22f : s.alpha;
}

// Draws a stroke, or only its dark outline.
static void draw_stroke(const odori_ui *ui, ImDrawList *list, const ui_edit *edit, const gizmo_stroke &s,
                        bool rim)
{
    bool hot = edit->hovered != GIZMO_NO_HANDLE && s.handle == edit->hovered && !s.behind;
    float alpha = alpha_of(edit, s);
    const ImVec4 &c = hot ? hover_color : axis_colors[s.axis];
    if (s.count < 2)
        return;
    if (rim && !s.behind && alpha > 0.5f)
        draw_line(list, s, color_of(rim_color, 0.45f * alpha), s.width + ui_px(ui, 2));
    if (rim)
        return;
    if (s.fills)
        draw_area(list, s, color_of(c, hot && alpha < 0.5f ? 0.55f : alpha));
    else
        draw_line(list, s, color_of(c, hot ? 1 : alpha), hot ? s.width + ui_px(ui, 1) : s.width);
}

// Draws the shape of the drag, such as the sector that was turned through.
static void draw_sector(ImDrawList *list, const ui_edit *edit)
{
    if (!edit->drags || edit->shape.count < 3)
        return;
    gizmo_stroke edge = edit->shape;
    draw_area(list, edge, color_of(hover_color, 0.22f));
    edge.closes = true;
    draw_line(list, edge, color_of(hover_color, 0.8f), 1.5f);
}

// Draws a bone as a triangle that points at its tail, as MMD does.
static void draw_bone(const odori_ui *ui, ImDrawList *list, const ui_target &t, const ImVec4 &c, float alpha)
{
    float dx = t.tail_x - t.x, dy = t.tail_y - t.y, length = std::sqrt(dx * dx + dy * dy);
    if (!t.has_tail || length < ui_px(ui, 8))
        return;
    float wide = ui_px(ui, 5) / length;
    const ImVec2 corners[3] = {ImVec2(t.x - dy * wide, t.y + dx * wide),
                               ImVec2(t.x + dy * wide, t.y - dx * wide), ImVec2(t.tail_x, t.tail_y)};
    list->AddConvexPolyFilled(corners, 3, color_of(c, 0.30f * alpha));
    list->AddPolyline(corners, 3, color_of(c, 0.95f * alpha), ImDrawFlags_Closed, ui_px(ui, 1.5f));
}

// Draws the mark of an item.
static void draw_target(const odori_ui *ui, ImDrawList *list, const ui_edit *edit, const ui_target &t)
{
    const ImVec4 selected(0.22f, 0.77f, 0.73f, 1);
    const ImVec4 &c = t.is_hover ? hover_color : selected;
    float alpha = edit->drags ? 0.45f : t.is_last || t.is_hover ? 1.0f : 0.75f;
    float radius = ui_px(ui, t.is_last || t.is_hover ? 6.0f : 5.0f);
    draw_bone(ui, list, t, c, alpha);
    list->AddCircle(ImVec2(t.x, t.y), radius, color_of(rim_color, 0.5f * alpha), 24, ui_px(ui, 4));
    list->AddCircle(ImVec2(t.x, t.y), radius, color_of(c, alpha), 24, ui_px(ui, 2));
}

// Draws the icon of the light in one colour, with lines `wider` pixels thicker.
static void draw_sun_shape(const odori_ui *ui, ImDrawList *list, const ui_edit *edit, ImU32 color,
                           float wider)
{
    const ImVec2 at(edit->sun[0], edit->sun[1]), end(edit->sun_end[0], edit->sun_end[1]);
    float dx = end.x - at.x, dy = end.y - at.y, length = std::sqrt(dx * dx + dy * dy);
    float width = ui_px(ui, 2) + wider, disk = ui_px(ui, 7), near = ui_px(ui, 10), far = ui_px(ui, 16);
    for (int i = 0; i < 8; i++) {
        float x = std::cos(0.785398f * (float)i), y = std::sin(0.785398f * (float)i);
        list->AddLine(ImVec2(at.x + x * near, at.y + y * near), ImVec2(at.x + x * far, at.y + y * far), color,
                      width);
    }
    list->AddCircleFilled(at, disk + wider / 2, color, 24);
    if (length < ui_px(ui, 34)) // the direction points almost along the view: no room for the arrow
        return;
    dx /= length;
    dy /= length;
    float from = ui_px(ui, 19), head = ui_px(ui, 11) + wider, half = ui_px(ui, 5) + wider / 2;
    list->AddLine(ImVec2(at.x + dx * from, at.y + dy * from), ImVec2(end.x - dx * head, end.y - dy * head),
                  color, width);
    list->AddTriangleFilled(ImVec2(end.x + dx * wider, end.y + dy * wider),
                            ImVec2(end.x - dx * head - dy * half, end.y - dy * head + dx * half),
                            ImVec2(end.x - dx * head + dy * half, end.y - dy * head - dx * half), color);
}

// Draws the light: a sun, and an arrow in the direction of the light.
static void draw_sun(const odori_ui *ui, ImDrawList *list, const ui_edit *edit)
{
    const ImVec4 sun(1.0f, 0.70f, 0.20f, 1), selected(0.22f, 0.77f, 0.73f, 1);
    const ImVec4 &c = edit->sun_hovered ? hover_color : sun;
    if (!edit->has_sun)
        return;
    if (edit->sun_selected) {
        const ImVec2 at(edit->sun[0], edit->sun[1]);
        list->AddCircle(at, ui_px(ui, 20), color_of(rim_color, 0.5f), 32, ui_px(ui, 4));
        list->AddCircle(at, ui_px(ui, 20), color_of(selected, 1), 32, ui_px(ui, 2));
    }
    draw_sun_shape(ui, list, edit, color_of(rim_color, 0.5f), ui_px(ui, 2));
    draw_sun_shape(ui, list, edit, color_of(c, 1), 0);
}

// Returns the size of the part of the picture that the bar does not cover.
static ImVec2 free_room(const ui_display *display)
{
    const ui_layout &layout = display->layout;
    ImVec2 size = ui_size(layout.picture);
    return layout.bar_is_over && display->timeline ? ImVec2(size.x, (float)layout.bar.y) : size;
}

// Draws wrapped text on a dark background, moved so that it stays within `room`.
static void draw_text(const odori_ui *ui, ImDrawList *list, ImVec2 room, ImVec2 at, const char *text,
                      const ImVec4 &color)
{
    const float wrap = ui_px(ui, 420), pad = ui_px(ui, 6);
    ImVec2 size = ImGui::CalcTextSize(text, nullptr, false, wrap);
    float right = room.x - size.x - 2 * pad, bottom = room.y - size.y - 2 * pad;
    at.x = at.x > right ? right : at.x < pad ? pad : at.x;
    at.y = at.y > bottom ? bottom : at.y < pad ? pad : at.y;
    list->AddRectFilled(ImVec2(at.x - pad, at.y - pad / 2),
                        ImVec2(at.x + size.x + pad, at.y + size.y + pad / 2),
                        ImGui::GetColorU32(ImVec4(0.075f, 0.09f, 0.11f, 0.85f)), ui_px(ui, 5));
    list->AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, color_of(color, 1), text, nullptr, wrap);
}

// Returns where the hint is drawn: below the gizmo, or beside the item that was selected last.
static ImVec2 hint_position(const odori_ui *ui, const ui_edit *edit)
{
    const ui_target *last = nullptr;
    for (size_t i = 0; i < edit->target_count; i++)
        if (edit->targets[i].is_last)
            last = &edit->targets[i];
    if (edit->stroke_count)
        return ImVec2(edit->center[0] - ui_px(ui, 24), edit->center[1] + ui_px(ui, 124));
    return last ? ImVec2(last->x + ui_px(ui, 14), last->y + ui_px(ui, 12))
                : ImVec2(ui_px(ui, 16), ui_px(ui, 44));
}

// Draws the name of what is selected in the upper left corner of the picture, as MMD does.
static void draw_selection(const odori_ui *ui, ImDrawList *list, const ui_scene *scene, ImVec2 room)
{
    char name[UI_PATH_MAX], text[UI_PATH_MAX + 64], others[64] = "";
    if (!scene->edit->count || !scene->edit->is_seen)
        return;
    ui_name_selection(ui, scene, name, sizeof name);
    if (scene->edit->count > 1)
        std::snprintf(others, sizeof others, ui_translate(ui, TEXT_EDIT_OTHERS),
                      (unsigned)(scene->edit->count - 1));
    std::snprintf(text, sizeof text, "%s%s%s", name, *others ? "  " : "", others);
    if (*name)
        draw_text(ui, list, room, ImVec2(ui_px(ui, 16), ui_px(ui, 14)), text, axis_colors[3]);
}

void gizmo_show(odori_ui *ui, const ui_scene *scene, const ui_display *display)
{
    const ui_edit *edit = scene->edit;
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    list->PushClipRect(ImVec2(0, 0), ui_size(display->layout.picture));
    for (size_t i = 0; i < edit->target_count; i++)
        draw_target(ui, list, edit, edit->targets[i]);
    draw_sun(ui, list, edit);
    draw_sector(list, edit);
    for (int rim = 1; rim >= 0; rim--)
        for (size_t i = 0; i < edit->stroke_count; i++)
            draw_stroke(ui, list, edit, edit->strokes[i], rim);
    const ImVec2 room = free_room(display),
                 beside(ui->x + ui_px(ui, 16), ui->y + ui_px(ui, 14)); // near the pointer
    if (edit->drags && edit->label[0])
        draw_text(ui, list, room, beside, edit->label, hover_color);
    else if (edit->hint[0])
        draw_text(ui, list, room, hint_position(ui, edit), edit->hint, axis_colors[3]);
    draw_selection(ui, list, scene, room);
    if (edit->name[0])
        draw_text(ui, list, room, beside, edit->name, axis_colors[3]);
    list->PopClipRect();
}
