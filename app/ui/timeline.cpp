// The timeline at the bottom: buttons for playback, the current frame, and a track to scrub on, which shows
// the density of keyframes and the camera cuts.
#include "ui_internal.h"

#include <cmath>
#include <cstdio>

static const float BUTTON = 30.0f, TRACK = 26.0f; // points

bool ui_sign_button(odori_ui *ui, const char *id, const char *help, float points, ImVec2 *center)
{
    float side = ui_px(ui, points);
    ImVec2 at = ImGui::GetCursorScreenPos();
    *center = ImVec2(at.x + side / 2, at.y + side / 2);
    bool clicked = ImGui::InvisibleButton(id, ImVec2(side, side));
    if (ImGui::IsItemHovered()) {
        ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + side, at.y + side),
                                                  ImGui::GetColorU32(ImGuiCol_ButtonHovered), ui_px(ui, 5));
        ImGui::SetTooltip("%s", help);
    }
    return clicked;
}

// Shows a button of the timeline, for what a key with a command line does.
static bool sign_button(odori_ui *ui, const ui_scene *scene, const char *command, ui_text help,
                        ImVec2 *center)
{
    return ui_sign_button(ui, command, ui_with_key(ui, scene, help, command).text, BUTTON, center);
}

// Draws a triangle centred at c that points right (direction 1) or left (-1). Sizes are points.
static void draw_triangle(const odori_ui *ui, ImVec2 c, float side, float direction, ImU32 color)
{
    float half = ui_px(ui, side) / 2;
    ImGui::GetWindowDrawList()->AddTriangleFilled(ImVec2(c.x - direction * half * 0.85f, c.y - half),
                                                  ImVec2(c.x + direction * half, c.y),
                                                  ImVec2(c.x - direction * half * 0.85f, c.y + half), color);
}

// Draws an upright bar, dx points right of c.
static void draw_bar(const odori_ui *ui, ImVec2 c, float dx, float width, float height)
{
    float half = ui_px(ui, height) / 2, x = c.x + ui_px(ui, dx), w = ui_px(ui, width) / 2;
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x - w, c.y - half), ImVec2(x + w, c.y + half),
                                              theme_text(1));
}

// Shows the button that plays or pauses.
static void play_button(odori_ui *ui, const ui_scene *scene)
{
    ImVec2 c;
    if (sign_button(ui, scene, "play.toggle", scene->playing ? TEXT_PAUSE : TEXT_PLAY, &c))
        ui_line(ui, "%s", scene->playing ? "pause" : "play");
    if (scene->playing) {
        draw_bar(ui, c, -4, 4, 15);
        draw_bar(ui, c, 4, 4, 15);
    } else {
        draw_triangle(ui, c, 16, 1, theme_text(1));
    }
}

// Shows the buttons First, Back, Play and Forward.
static void step_buttons(odori_ui *ui, const ui_scene *scene)
{
    ImVec2 c;
    if (sign_button(ui, scene, "frame.set 0", TEXT_FIRST, &c))
        ui_line(ui, "frame.set 0");
    draw_bar(ui, c, -5, 2, 11);
    draw_triangle(ui, ImVec2(c.x + ui_px(ui, 2), c.y), 11, -1, theme_text(1));
    ImGui::SameLine(0, 0);
    if (sign_button(ui, scene, "frame.step -1", TEXT_STEP_BACK, &c))
        ui_line(ui, "frame.step -1");
    draw_triangle(ui, ImVec2(c.x - ui_px(ui, 2), c.y), 10, -1, theme_text(1));
    draw_bar(ui, c, 6, 2, 10);
    ImGui::SameLine(0, 0);
    play_button(ui, scene);
    ImGui::SameLine(0, 0);
    if (sign_button(ui, scene, "frame.step 1", TEXT_STEP_ON, &c))
        ui_line(ui, "frame.step 1");
    draw_triangle(ui, ImVec2(c.x + ui_px(ui, 2), c.y), 10, 1, theme_text(1));
    draw_bar(ui, c, -6, 2, 10);
}

// Shows the button that opens the panels.
static void panels_button(odori_ui *ui, const ui_scene *scene)
{
    ImVec2 c;
    if (sign_button(ui, scene, "panels.toggle", TEXT_PANELS, &c))
        ui_line(ui, "panels.toggle");
    ImU32 color = scene->settings->shown ? theme_accent(1) : theme_text(1);
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (int i = -1; i <= 1; i++)
        list->AddRectFilled(ImVec2(c.x - ui_px(ui, 8), c.y + ui_px(ui, 5.0f * (float)i - 1)),
                            ImVec2(c.x + ui_px(ui, 8), c.y + ui_px(ui, 5.0f * (float)i + 1)), color);
}

// Shows the button that opens the key list.
static void keys_button(odori_ui *ui, const ui_scene *scene)
{
    ImVec2 c;
    if (sign_button(ui, scene, "toggle keys", TEXT_KEYS, &c))
        ui_line(ui, "keys %s", scene->bindings ? "off" : "on");
    ImVec2 size = ImGui::CalcTextSize("?");
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImU32 color = scene->bindings ? theme_accent(1) : theme_text(1);
    list->AddCircle(c, ui_px(ui, 8.5f), color, 0, ui_px(ui, 1.5f));
    list->AddText(ImVec2(c.x - size.x / 2, c.y - size.y / 2), color, "?");
}

// Draws a loudspeaker, with two waves, or crossed out.
static void draw_speaker(const odori_ui *ui, ImVec2 c, bool is_muted)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImU32 color = is_muted ? theme_text(0.55f) : theme_text(1);
    const auto at = [ui, c](float x, float y) { return ImVec2(c.x + ui_px(ui, x), c.y + ui_px(ui, y)); };
    list->AddRectFilled(at(-9, -3), at(-5, 3), color);
    list->AddTriangleFilled(at(-7, 0), at(0, -7), at(0, 7), color);
    if (is_muted) {
        list->AddLine(at(3, -3.5f), at(10, 3.5f), color, ui_px(ui, 1.5f));
        list->AddLine(at(3, 3.5f), at(10, -3.5f), color, ui_px(ui, 1.5f));
        return;
    }
    static const float waves[] = {5, 9};
    for (float radius : waves) {
        list->PathArcTo(at(1, 0), ui_px(ui, radius), -0.8f, 0.8f);
        list->PathStroke(color, 0, ui_px(ui, 1.5f));
    }
}

// Shows the button that mutes the sound. The wheel changes the volume over it.
static void sound_button(odori_ui *ui, const ui_scene *scene)
{
    ImVec2 c;
    char volume[64], help[256];
    std::snprintf(volume, sizeof volume, ui_translate(ui, TEXT_SOUND_VOLUME), 100 * scene->volume);
    const ui_help muting =
        ui_with_key(ui, scene, scene->is_muted ? TEXT_MENU_SOUND : TEXT_MENU_MUTE, "toggle audio.mute");
    std::snprintf(help, sizeof help, "%s\n%s", muting.text, volume);
    if (ui_sign_button(ui, "audio.mute", help, BUTTON, &c))
        ui_line(ui, "audio.mute %s", scene->is_muted ? "off" : "on");
    const double notches = (double)ImGui::GetIO().MouseWheel;
    if (ImGui::IsItemHovered() && notches != 0) {
        const double louder = scene->volume + 0.05 * notches;
        ui_line(ui, "audio.volume %.2f", louder < 0 ? 0 : louder > 1.5 ? 1.5 : louder);
        if (scene->is_muted)
            ui_line(ui, "audio.mute off");
    }
    draw_speaker(ui, c, scene->is_muted);
}

// Shows the button that opens the keyframe editor: a diamond, as keyframes are drawn there.
static void sheet_button(odori_ui *ui, const ui_scene *scene)
{
    ImVec2 c;
    if (sign_button(ui, scene, "toggle panels.sheet", TEXT_SHEET, &c))
        ui_line(ui, "panels.sheet %s", scene->settings->sheet ? "off" : "on");
    ImU32 color = scene->settings->sheet ? theme_accent(1) : theme_text(1);
    float side = ui_px(ui, 7);
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImVec2 corners[4] = {ImVec2(c.x, c.y - side), ImVec2(c.x + side, c.y), ImVec2(c.x, c.y + side),
                               ImVec2(c.x - side, c.y)};
    if (scene->settings->sheet)
        list->AddConvexPolyFilled(corners, 4, color);
    else
        list->AddPolyline(corners, 4, color, ImDrawFlags_Closed, ui_px(ui, 1.5f));
}

// Writes a frame as minutes and seconds, at 30 frames per second.
static void format_time(char *out, size_t size, double frame)
{
    double tenths = std::floor(frame / 3 + 0.5), minutes = std::floor(tenths / 600);
    std::snprintf(out, size, "%.0f:%04.1f", minutes, tenths / 10 - 60 * minutes);
}

// Returns whether the scene has no last frame. That is given as a frame number that is never reached.
static bool is_endless(const ui_scene *scene)
{
    return scene->last_frame > 2e6;
}

// Moves the cursor so that a line of text is vertically centred beside the buttons.
static void center_text(const odori_ui *ui)
{
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + (ui_px(ui, BUTTON) - ImGui::GetTextLineHeight()) / 2);
}

// Shows a text behind the last one if it fits into the room, and takes that away. Returns whether it fits.
static bool piece(const odori_ui *ui, float *room, float gap, const ImVec4 &color, const char *text)
{
    float width = ui_px(ui, gap) + ImGui::CalcTextSize(text).x;
    if (width > *room)
        return false;
    *room -= width;
    ImGui::SameLine(0, ui_px(ui, gap));
    ImGui::TextColored(color, "%s", text);
    return true;
}

// Shows frame and time, and how far physics has been simulated when it lags behind, as far as there is room.
static void times_text(odori_ui *ui, const ui_scene *scene, float room)
{
    const ImVec4 plain = ImGui::GetStyleColorVec4(ImGuiCol_Text),
                 dim = ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled);
    char text[96], now[32], end[32];
    bool has_end = scene->last_frame > 0 && !is_endless(scene);
    format_time(now, sizeof now, scene->frame);
    format_time(end, sizeof end, scene->last_frame);
    ImGui::BeginGroup();
    center_text(ui);
    std::snprintf(text, sizeof text, "%.0f", scene->frame);
    ImGui::TextUnformatted(text);
    room -= ImGui::CalcTextSize(text).x;
    std::snprintf(text, sizeof text, "/ %.0f", scene->last_frame);
    if (has_end)
        piece(ui, &room, 5, dim, text);
    if (!scene->arrived) {
        std::snprintf(text, sizeof text, "%s %.0f", ui_translate(ui, TEXT_SIMULATING), scene->at);
        piece(ui, &room, 18, ImVec4(1.0f, 0.78f, 0.35f, 1.0f), text);
    }
    std::snprintf(text, sizeof text, "/ %s", end);
    if (piece(ui, &room, 18, plain, now) && has_end)
        piece(ui, &room, 5, dim, text);
    ImGui::EndGroup();
}

// Returns the x coordinate of a frame on a track that ends at frame `last`.
static float x_of(ImVec2 at, float width, double frame, double last)
{
    double part = last > 0 ? frame / last : 0;
    return at.x + width * (float)(part < 0 ? 0 : part > 1 ? 1 : part);
}

// Draws how many keyframes each part of the motion has.
static void draw_density(const ui_scene *scene, ImVec2 at, float width, float top, float bottom)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (int i = 0; i < UI_MARK_BINS; i++) {
        float high = scene->marks.density[i] * (bottom - top);
        if (high > 0)
            list->AddRectFilled(ImVec2(at.x + width * (float)i / UI_MARK_BINS, bottom - high),
                                ImVec2(at.x + width * (float)(i + 1) / UI_MARK_BINS, bottom),
                                theme_text(0.16f));
    }
}

// Draws the A-B range that is repeated. An end that is not set is that of the motion.
static void draw_repeat(const odori_ui *ui, const ui_scene *scene, ImVec2 at, float width, float y)
{
    if (std::isnan(scene->repeat_from) && std::isnan(scene->repeat_to))
        return;
    double from = std::isnan(scene->repeat_from) ? 0 : scene->repeat_from;
    double to = std::isnan(scene->repeat_to) ? scene->last_frame : scene->repeat_to;
    float x0 = x_of(at, width, from, scene->last_frame), x1 = x_of(at, width, to, scene->last_frame);
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImU32 color = ImGui::GetColorU32(ImVec4(1.0f, 0.78f, 0.35f, 0.9f));
    list->AddRectFilled(ImVec2(x0, y - ui_px(ui, 9)), ImVec2(x0 + ui_px(ui, 2), y + ui_px(ui, 9)), color);
    list->AddRectFilled(ImVec2(x1 - ui_px(ui, 2), y - ui_px(ui, 9)), ImVec2(x1, y + ui_px(ui, 9)), color);
    list->AddRectFilled(ImVec2(x0, y - ui_px(ui, 5)), ImVec2(x1, y - ui_px(ui, 4)), color);
}

// Draws the track: density, played part, part still to be simulated, camera cuts, repeated range, current
// frame.
static void draw_track(const odori_ui *ui, const ui_scene *scene, ImVec2 at, float width, bool active)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    float y = at.y + ui_px(ui, TRACK) / 2, half = ui_px(ui, active ? 3.0f : 2.0f);
    float x = x_of(at, width, scene->frame, scene->last_frame);
    draw_density(scene, at, width, at.y, y - half);
    list->AddRectFilled(ImVec2(at.x, y - half), ImVec2(at.x + width, y + half), theme_text(0.22f), half);
    list->AddRectFilled(ImVec2(at.x, y - half), ImVec2(x, y + half), theme_accent(1), half);
    if (!scene->arrived) {
        float reached = x_of(at, width, scene->at, scene->last_frame);
        list->AddRectFilled(ImVec2(reached, y - half), ImVec2(x, y + half),
                            ImGui::GetColorU32(ImVec4(1.0f, 0.78f, 0.35f, 0.75f)), half);
    }
    for (size_t i = 0; i < scene->marks.cut_count; i++) {
        float cut = x_of(at, width, scene->marks.cuts[i], scene->last_frame);
        list->AddRectFilled(ImVec2(cut - ui_px(ui, 0.5f), y + half + ui_px(ui, 1)),
                            ImVec2(cut + ui_px(ui, 0.5f), y + half + ui_px(ui, 6)), theme_text(0.55f));
    }
    draw_repeat(ui, scene, at, width, y);
    list->AddCircleFilled(ImVec2(x, y), ui_px(ui, active ? 7.5f : 6.0f), theme_text(1));
}

// Returns the frame under the pointer. Near a camera cut the pointer snaps to it.
static double frame_under(const odori_ui *ui, const ui_scene *scene, ImVec2 at, float width, bool *is_cut)
{
    float part = (ImGui::GetIO().MousePos.x - at.x) / (width > 1 ? width : 1);
    double frame = std::floor((part < 0 ? 0 : part > 1 ? 1 : part) * scene->last_frame + 0.5);
    double reach = ui_px(ui, 3) / (width > 1 ? width : 1) * scene->last_frame;
    *is_cut = false;
    for (size_t i = 0; i < scene->marks.cut_count; i++)
        if (std::fabs(scene->marks.cuts[i] - frame) <= reach) {
            *is_cut = true;
            return scene->marks.cuts[i];
        }
    return frame;
}

// Shows the track. Dragging scrubs; a tooltip shows the frame under the pointer.
static void track(odori_ui *ui, const ui_scene *scene)
{
    float width = ImGui::GetContentRegionAvail().x;
    ImVec2 at = ImGui::GetCursorScreenPos();
    if (scene->last_frame <= 0 || is_endless(scene) || width <= 0) {
        ImGui::Dummy(ImVec2(width > 1 ? width : 1, ui_px(ui, TRACK)));
        return;
    }
    ImGui::InvisibleButton("track", ImVec2(width, ui_px(ui, TRACK)));
    bool active = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered(), is_cut = false;
    ui->scrubs = active;
    if (active || hovered) {
        char time[32];
        double frame = frame_under(ui, scene, at, width, &is_cut);
        format_time(time, sizeof time, frame);
        if (active && frame != scene->frame)
            ui_line(ui, "frame.set %.0f", frame);
        float x = ImGui::GetIO().MousePos.x;
        ImGui::SetNextWindowPos(ImVec2(x < at.x           ? at.x
                                       : x > at.x + width ? at.x + width
                                                          : x,
                                       at.y - ui_px(ui, 6)),
                                ImGuiCond_Always, ImVec2((x - at.x) / width, 1));
        ImGui::SetTooltip("%.0f   %s%s%s", frame, time, is_cut ? "   " : "",
                          is_cut ? ui_translate(ui, TEXT_CUT) : "");
    }
    draw_track(ui, scene, at, width, active || hovered);
}

// Returns the width of the buttons at the right.
static float buttons_width(const odori_ui *ui, const ui_scene *scene)
{
    return ui_px(ui, (scene->sounds ? 4 : 3) * BUTTON);
}

// Returns the width of speed and buttons at the right.
static float right_width(const odori_ui *ui, const ui_scene *scene, const char *speed)
{
    return ImGui::CalcTextSize(speed).x + ui_px(ui, 6) + buttons_width(ui, scene);
}

// Shows the playback speed, dimmed while it is normal.
static void speed_text(const odori_ui *ui, const ui_scene *scene, const char *text)
{
    float room = right_width(ui, scene, text);
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(ImGui::GetWindowWidth() - room - ImGui::GetStyle().WindowPadding.x);
    ImGui::BeginGroup();
    center_text(ui);
    if (scene->speed != 1)
        ImGui::TextUnformatted(text);
    else
        ImGui::TextDisabled("%s", text);
    ImGui::EndGroup();
}

void timeline_show(odori_ui *ui, const ui_scene *scene, const ui_display *display)
{
    const ui_layout &layout = display->layout;
    ImGui::SetNextWindowPos(ui_at(layout.bar));
    ImGui::SetNextWindowSize(ui_size(layout.bar));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui_px(ui, 12), ui_px(ui, 2)));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui_px(ui, 4), 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::SetNextWindowBgAlpha(layout.bar_is_over ? 0.80f : 1.0f);
    ImGui::Begin("timeline", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    ui_cover(ui);
    track(ui, scene);
    step_buttons(ui, scene);
    ImGui::SameLine(0, ui_px(ui, 12));
    char speed[32];
    std::snprintf(speed, sizeof speed, "%gx", scene->speed);
    float right = ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x - right_width(ui, scene, speed);
    times_text(ui, scene, right - ImGui::GetCursorPosX() - ui_px(ui, 12));
    speed_text(ui, scene, speed);
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(ImGui::GetWindowWidth() - buttons_width(ui, scene) - ImGui::GetStyle().WindowPadding.x);
    if (scene->sounds) {
        sound_button(ui, scene);
        ImGui::SameLine(0, 0);
    }
    sheet_button(ui, scene);
    ImGui::SameLine(0, 0);
    keys_button(ui, scene);
    ImGui::SameLine(0, 0);
    panels_button(ui, scene);
    ImGui::End();
    ImGui::PopStyleVar(3);
}
