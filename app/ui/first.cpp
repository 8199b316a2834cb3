// The first page: what a person can do who has started the program without a file. It stays until something
// plays.
#include "ui_internal.h"

#include <cstdio>
#include <cstring>

static const float WIDTH = 430, HIGHEST_LIST = 190, MARGIN = 36; // points
static const float REST = 204, REST_WITH_KNOWN = 250, LIST_TITLE = 27; // heights of what is not a list
static const float WIDE =
    900; // width of the window, in points, from which the page is at the left of the dancer

// Shows files below a title, one a line: its name, and its folder in grey. A click opens it.
static void show_files(odori_ui *ui, ui_text title, const char *const *paths, size_t count, float most)
{
    float row = ImGui::GetTextLineHeightWithSpacing(), high = (float)count * row;
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

// Shows the scene of last time and the playlist, where there are any.
static void show_known(odori_ui *ui, const ui_scene *scene, ImVec2 half)
{
    char text[300], shown[300];
    float all = ImGui::GetContentRegionAvail().x, width = scene->dance_count ? half.x : all;
    if (scene->last) {
        char name[256];
        const char *dot = std::strrchr(scene->last, '.');
        std::snprintf(name, sizeof name, "%.*s", (int)(dot && dot != scene->last ? dot - scene->last : 250),
                      scene->last);
        std::snprintf(text, sizeof text, ui_translate(ui, TEXT_FIRST_GO_ON), name);
        ui_elide(text, width - ui_px(ui, 16), shown, sizeof shown);
        if (ImGui::Button(shown, ImVec2(width, half.y)))
            ui_line(ui, "file.open %s", ui_quote(scene->last_path).text);
    }
    if (scene->last && scene->dance_count)
        ImGui::SameLine();
    if (scene->dance_count) {
        std::snprintf(text, sizeof text, ui_translate(ui, TEXT_FIRST_PLAYLIST), scene->dance_count);
        if (ImGui::Button(text, ImVec2(scene->last ? half.x : all, half.y)))
            ui_line(ui, "playlist.go 0");
    }
}

// Shows a button with its key, if it has room for that. Returns whether it was clicked.
static bool keyed_button(odori_ui *ui, const ui_scene *scene, ui_text title, const char *command, ImVec2 size)
{
    const auto keyed = ui_with_key(ui, scene, title, command);
    const bool fits = ImGui::CalcTextSize(keyed.text).x + 2 * ImGui::GetStyle().FramePadding.x <= size.x;
    return ImGui::Button(fits ? keyed.text : ui_translate(ui, title), size);
}

// Shows what to do: go on with what is known, open files, or watch the bundled dance.
static void show_buttons(odori_ui *ui, const ui_scene *scene)
{
    float gap = ImGui::GetStyle().ItemSpacing.x, width = (ImGui::GetContentRegionAvail().x - gap) / 2;
    ImVec2 size(width, ui_px(ui, 40));
    show_known(ui, scene, size);
    if (keyed_button(ui, scene, TEXT_FIRST_OPEN, "file.choose", size))
        ui_line(ui, "file.choose");
    ImGui::SameLine();
    if (keyed_button(ui, scene, TEXT_FIRST_DANCE, "play.toggle", size))
        ui_line(ui, "play");
}

// Returns the height of each list, so that the page fits into its place.
static float list_height(odori_ui *ui, const ui_scene *scene, const ui_rectangle &place)
{
    bool is_known = scene->last || scene->dance_count;
    float lists = (float)((scene->kept_count > 0) + (scene->file_count > scene->files_beside));
    float rest = ui_px(ui, is_known ? REST_WITH_KNOWN : REST), title = ui_px(ui, LIST_TITLE);
    float each = lists > 0 ? (0.96f * (float)place.height - rest) / lists - title : 0;
    float least = 2 * ImGui::GetTextLineHeightWithSpacing(), most = ui_px(ui, HIGHEST_LIST);
    return each < least ? least : each > most ? most : each;
}

void first_show(odori_ui *ui, const ui_scene *scene, const ui_display *display)
{
    const ui_rectangle &place = display->layout.picture; // beside the panels
    float width = ui_px(ui, WIDTH), most = 0.94f * (float)place.width;
    bool is_wide = (float)place.width >= ui_px(ui, WIDE);
    if (display->layout.panels.width && width > most)
        return; // it comes back when the panels are closed
    ImGui::SetNextWindowPos(
        ImVec2(is_wide ? ui_px(ui, MARGIN) : 0.5f * (float)place.width, 0.5f * (float)place.height),
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
    float most_high = list_height(ui, scene, place);
    show_files(ui, TEXT_FIRST_KEPT, scene->kept, scene->kept_count, most_high);
    show_files(ui, TEXT_FILES_RECENT, scene->files + scene->files_beside,
               scene->file_count - scene->files_beside, most_high);
    ImGui::Spacing();
    ImGui::Separator();
    ImGui::Spacing();
    ImGui::TextWrapped(ui_translate(ui, TEXT_FIRST_HINT), ui_key_of(scene, "toggle keys"),
                       ui_key_of(scene, "panels.toggle"));
    ImGui::End();
    ImGui::PopStyleVar(2);
}
