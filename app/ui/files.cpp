// Files that can be opened by a click, at the end of the Models page: those in the folder of the model, and
// recent ones.
#include "ui_internal.h"

// Shows files `first` to `end` - 1 below a title.
static void show_part(odori_ui *ui, const ui_scene *scene, ui_text title, size_t first, size_t end)
{
    if (first == end)
        return;
    ImGui::Spacing();
    ImGui::TextDisabled("%s", ui_translate(ui, title));
    for (size_t i = first; i < end; i++) {
        const char *path = scene->files[i];
        ImGui::PushID((int)i);
        char name[256];
        ui_elide(ui_file_name(path), ImGui::GetContentRegionAvail().x, name, sizeof name);
        if (ImGui::Selectable(name))
            ui_line(ui, "file.open %s", ui_quote(path).text);
        if (ImGui::IsItemHovered())
            ImGui::SetTooltip("%s", path);
        ImGui::PopID();
    }
}

void files_show(odori_ui *ui, const ui_scene *scene)
{
    show_part(ui, scene, TEXT_FILES_BESIDE, 0, scene->files_beside);
    show_part(ui, scene, TEXT_FILES_RECENT, scene->files_beside, scene->file_count);
}
