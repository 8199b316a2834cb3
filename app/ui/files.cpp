// Files that can be opened by a click, at the end of the Models page: those in the folder of the model, and
// recent ones.
#include "ui_internal.h"

// Shows files `first` to `end` - 1 below a title, with their folders in grey if these differ.
static void show_part(odori_ui *ui, const ui_scene *scene, ui_text title, size_t first, size_t end)
{
    const bool has_folders = title == TEXT_FILES_RECENT;
    if (first == end)
        return;
    ImGui::Spacing();
    ImGui::TextDisabled("%s", ui_translate(ui, title));
    for (size_t i = first; i < end; i++) {
        const char *path = scene->files[i];
        ImGui::PushID((int)i);
        const float room = ImGui::GetContentRegionAvail().x;
        char name[256], folder[1024];
        ui_elide(ui_file_name(path), has_folders ? 0.6f * room : room, name, sizeof name);
        if (ImGui::Selectable(name))
            ui_line(ui, "file.open %s", ui_quote(path).text);
        if (ImGui::IsItemHovered())
            ImGui::SetTooltip("%s", path);
        if (has_folders) {
            ui_elide_folder(path, room - ImGui::CalcTextSize(name).x - ui_px(ui, 16), folder, sizeof folder);
            ImGui::SameLine();
            ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(folder).x);
            ImGui::TextDisabled("%s", folder);
        }
        ImGui::PopID();
    }
}

void files_show(odori_ui *ui, const ui_scene *scene)
{
    show_part(ui, scene, TEXT_FILES_BESIDE, 0, scene->files_beside);
    show_part(ui, scene, TEXT_FILES_RECENT, scene->files_beside, scene->file_count);
}
