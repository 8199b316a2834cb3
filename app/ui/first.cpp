// The first page: what a person can do who has started the program without a file. It stays until something
// plays.
#include "ui_internal.h"

#include <cstdio>

static const float WIDTH = 430, HIGHEST_LIST = 190, MARGIN = 36; // points
static const float WIDE =
    900; // width of the window, in points, from which the page is at the left of the dancer

// Shows files below a title, one a line: its name, and its folder in grey. A click opens it.
static void show_files(odori_ui *ui, ui_text title, const char *const *paths, size_t count)
{
    float row = ImGui::GetTextLineHeightWithSpacing(), high = (float)count * row,
          most = ui_px(ui, HIGHEST_LIST);
    if (!count)
        return;
    ImGui::Spacing();
    ImGui::TextDisabled("%s", ui_translate(ui, title));
    ImGui::BeginChild(title == TEXT_FIRST_KEPT ? "kept" : "recent", ImVec2(0, high < most ? high : most));
    for (size_t i = 0; i < count; i++) {
        char name[256], folder[1024];
        float room = ImGui::GetContentRegionAvail().x;
        ImGui::PushID((int)i);
        ui_elide(ui_file_name(paths[i]), 0.6f * room, name, sizeof name);
        if (ImGui::Selectable(name))
            ui_line(ui, "file.open %s", ui_quote(paths[i]).text);
        float used = ImGui::CalcTextSize(name).x + ui_px(ui, 16);
        ui_elide_folder(paths[i], room - used, folder, sizeof folder);
        ImGui::SameLine();
        ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(folder).x);
        ImGui::TextDisabled("%s", folder);
        ImGui::PopID();
    }
    ImGui::EndChild();
}

// Shows what to do: open files, or watch the bundled dance.
static void show_buttons(odori_ui *ui, const ui_scene *scene)
{
    float gap = ImGui::GetStyle().ItemSpacing.x, width = (ImGui::GetContentRegionAvail().x - gap) / 2;
    ImVec2 size(width, ui_px(ui, 40));
    if (ImGui::Button(ui_with_key(ui, scene, TEXT_FIRST_OPEN, "file.choose").text, size))
        ui_line(ui, "file.choose");
    ImGui::SameLine();
    if (ImGui::Button(ui_with_key(ui, scene, TEXT_FIRST_DANCE, "play.toggle").text, size))
        ui_line(ui, "play");
}

void first_show(odori_ui *ui, const ui_scene *scene, const ui_display *display)
{
    float width = ui_px(ui, WIDTH), most = 0.94f * (float)display->width;
    bool is_wide = (float)display->width >= ui_px(ui, WIDE);
    ImGui::SetNextWindowPos(
        ImVec2(is_wide ? ui_px(ui, MARGIN) : 0.5f * (float)display->width, 0.5f * (float)display->height),
        ImGuiCond_Always, ImVec2(is_wide ? 0.0f : 0.5f, 0.5f));
    ImGui::SetNextWindowSize(ImVec2(width < most ? width : most, 0));
    ImGui::SetNextWindowBgAlpha(0.94f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui_px(ui, 28), ui_px(ui, 20)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui_px(ui, 8));
    ImGui::Begin("first", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    ui_cover(ui);
    ImGui::SetWindowFontScale(1.7f);
    ImGui::TextUnformatted("odori");
    ImGui::SetWindowFontScale(1);
    ImGui::TextDisabled("%s", ui_translate(ui, TEXT_FIRST_WHAT));
    ImGui::Spacing();
    if (scene->trouble && *scene->trouble) {
        char brief[512];
        const bool is_brief = message_brief(scene->trouble, brief, sizeof brief);
        ImGui::PushStyleColor(ImGuiCol_Text, theme_warning());
        ImGui::TextWrapped("%s", brief);
        ImGui::PopStyleColor();
        if (is_brief && ImGui::IsItemHovered())
            ui_tooltip(ui, scene->trouble);
        ImGui::Spacing();
    }
    show_buttons(ui, scene);
    show_files(ui, TEXT_FIRST_KEPT, scene->kept, scene->kept_count);
    show_files(ui, TEXT_FILES_RECENT, scene->files + scene->files_beside,
               scene->file_count - scene->files_beside);
    ImGui::Spacing();
    ImGui::Separator();
    ImGui::Spacing();
    ImGui::TextWrapped(ui_translate(ui, TEXT_FIRST_HINT), ui_key_of(scene, "toggle keys"),
                       ui_key_of(scene, "panels.toggle"));
    ImGui::End();
    ImGui::PopStyleVar(2);
}
