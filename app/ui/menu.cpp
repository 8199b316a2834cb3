// The menu of the mascot: a few lines in a window without anything else.
#include "ui_internal.h"

#include <cstdio>

struct menu_line {
    ui_text text;
    char line[64]; // command
};

enum { MENU_LINES_MAX = 5 };

// Lists the lines. Returns their number.
static int list_lines(const ui_menu *menu, menu_line *lines)
{
    int count = 0;
    lines[count++] = {menu->plays ? TEXT_MENU_PAUSE : TEXT_MENU_PLAY, "play.toggle"};
    if (menu->has_sound && menu->is_muted)
        lines[count++] = {TEXT_MENU_SOUND, "audio.mute off"};
    else if (menu->has_sound)
        lines[count++] = {TEXT_MENU_MUTE, "audio.mute on"};
    for (int i = 0; i < 2; i++) {
        const uint32_t *size = i ? menu->smaller : menu->larger;
        menu_line &l = lines[count++];
        l.text = i ? TEXT_MENU_SMALLER : TEXT_MENU_LARGER;
        std::snprintf(l.line, sizeof l.line, "window.size %u %u", size[0], size[1]);
    }
    lines[count++] = {TEXT_MENU_CLOSE, "quit"};
    return count;
}

// Returns where an interval of this length begins that is within 0..most if it can be.
static float within(double at, float length, uint32_t most)
{
    const float last = (float)most - length;
    return last <= 0 ? 0 : (float)at < last ? (float)at : last;
}

void menu_show(odori_ui *ui, const ui_menu *menu, const ui_display *display)
{
    menu_line lines[MENU_LINES_MAX];
    const int count = list_lines(menu, lines);
    const ImGuiStyle &style = ImGui::GetStyle();
    float wide = 0;
    for (int i = 0; i < count; i++) {
        const float text = ImGui::CalcTextSize(ui_translate(ui, lines[i].text)).x;
        wide = text > wide ? text : wide;
    }
    const ImVec2 size(wide + 2 * style.WindowPadding.x,
                      (float)count * ImGui::GetTextLineHeightWithSpacing() - style.ItemSpacing.y +
                          2 * style.WindowPadding.y);
    ImGui::SetNextWindowPos(
        ImVec2(within(menu->x, size.x, display->width), within(menu->y, size.y, display->height)));
    ImGui::SetNextWindowSize(size);
    ImGui::Begin("menu", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav);
    for (int i = 0; i < count; i++)
        if (ImGui::Selectable(ui_translate(ui, lines[i].text)))
            ui_line(ui, "%s", lines[i].line);
    ui_cover(ui);
    ImGui::End();
}
