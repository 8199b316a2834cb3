// The side panel: buttons for the pages at its top, and one page below.
#include "ui_internal.h"

#include <cstdio>
#include <cstring>

static const struct {
    ui_text title;
    const char *name; // argument of `panels.page`
    void (*show)(odori_ui *ui, const ui_scene *scene);
} pages[PANEL_PAGES] = {
    {TEXT_MODELS, "models", page_models},
    {TEXT_MORPHS, "morphs", page_morphs},
    {TEXT_BONES, "bones", page_bones},
    {TEXT_EDIT, "edit", page_edit},
    {TEXT_MATERIALS, "materials", page_materials},
    {TEXT_PHYSICS, "physics", page_physics},
    {TEXT_VIEW, "view", page_view},
    {TEXT_STATISTICS, "statistics", page_statistics},
    {TEXT_LOG, "log", page_log},
};

// Shows the button of a page, highlighted when that page is open.
static void page_button(odori_ui *ui, const ui_scene *scene, int page, float width)
{
    bool chosen = scene->settings->page == page;
    if (chosen)
        ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_Header));
    ImGui::PushID(page);
    char title[64];
    ui_elide(ui_translate(ui, pages[page].title), width - ui_px(ui, 4), title, sizeof title);
    if (ImGui::Button(title, ImVec2(width, 0)) && !chosen)
        ui_line(ui, "panels.page %s", pages[page].name);
    ImGui::PopID();
    if (chosen)
        ImGui::PopStyleColor();
}

// Shows the choice of the page in one line.
static void page_combo(odori_ui *ui, const ui_scene *scene)
{
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo("##page", ui_translate(ui, pages[scene->settings->page].title)))
        return;
    for (int page = 0; page < PANEL_PAGES; page++)
        if (ImGui::Selectable(ui_translate(ui, pages[page].title), scene->settings->page == page))
            ui_line(ui, "panels.page %s", pages[page].name);
    ImGui::EndCombo();
}

static void page_buttons(odori_ui *ui, const ui_scene *scene)
{
    const int in_a_row = 3;
    float gap = ui_px(ui, 4), room = ImGui::GetContentRegionAvail().x;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui_px(ui, 2), ui_px(ui, 4)));
    for (int page = 0; page < PANEL_PAGES; page++) {
        if (page % in_a_row)
            ImGui::SameLine();
        page_button(ui, scene, page, (room - (in_a_row - 1) * gap) / in_a_row);
    }
    ImGui::PopStyleVar(2);
}

const char *ui_model_name(const odori_ui *ui, const ui_model *m)
{
    if (m->given_name)
        return m->given_name;
    bool has_name = (m->model->name && *m->model->name) || (m->model->name_en && *m->model->name_en);
    return has_name ? ui_name(ui, m->model->name, m->model->name_en) : m->title;
}

bool ui_model_is_unlike(const odori_ui *ui, const ui_scene *scene, size_t i)
{
    for (size_t k = 0; k < scene->model_count; k++)
        if (k != i && !scene->models[k].is_removed &&
            std::strcmp(ui_model_name(ui, &scene->models[k]), ui_model_name(ui, &scene->models[i])) == 0)
            return false;
    return true;
}

void ui_model_title(const odori_ui *ui, const ui_scene *scene, size_t i, char *out, size_t size)
{
    const ui_model *m = &scene->models[i];
    if (ui_model_is_unlike(ui, scene, i))
        std::snprintf(out, size, "%s", ui_model_name(ui, m));
    else
        std::snprintf(out, size, "%s (%zu: %s)", ui_model_name(ui, m), i, m->title);
}

// Shows a combo box that selects the model of the page, if there are several.
static void model_choice(odori_ui *ui, const ui_scene *scene)
{
    char title[300];
    if (scene->model_count < 2)
        return;
    ui_model_title(ui, scene, scene->selected, title, sizeof title);
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo("##model", title))
        return;
    for (size_t i = 0; i < scene->model_count; i++) {
        const ui_model *m = &scene->models[i];
        if (m->is_removed)
            continue;
        ImGui::PushID((int)i);
        ui_model_title(ui, scene, i, title, sizeof title);
        if (ImGui::Selectable(title, i == scene->selected))
            ui_line(ui, "model.select %zu", i);
        ImGui::PopID();
    }
    ImGui::EndCombo();
}

// Returns whether a page shows the selected model and is empty without one.
static bool is_of_model(panel_page page)
{
    return page == PANEL_MORPHS || page == PANEL_BONES || page == PANEL_MATERIALS;
}

// Returns a width that `panels.width` accepts.
static double size_of(float points)
{
    return points < 240 ? 240 : points > 4000 ? 4000 : (double)points;
}

void panels_show(odori_ui *ui, const ui_scene *scene, const ui_display *display)
{
    const ui_rectangle &place = display->layout.panels;
    ImGui::SetNextWindowPos(ui_at(place));
    ImGui::SetNextWindowSize(ui_size(place));
    ImGui::SetNextWindowBgAlpha(1);
    ImGui::Begin("panels", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
    float edge;
    if (ui_edge(ui, false, &edge))
        ui_line(ui, "panels.width %.0f", size_of(((float)display->width - edge) / ui->scale));
    ui_cover(ui);
    if ((float)place.height < ui_px(ui, 220))
        page_combo(ui, scene);
    else
        page_buttons(ui, scene);
    ImGui::Spacing();
    ImGui::Separator();
    ImGui::Spacing();
    panel_page page = scene->settings->page;
    ImGui::PushID((int)page);  // each page and its list have a scroll position of their own
    ImGui::BeginChild("page"); // scrolls where the window is low
    if (is_of_model(page) && scene->selected >= scene->model_count) {
        ImGui::TextDisabled("%s", ui_translate(ui, TEXT_NONE));
    } else {
        if (is_of_model(page))
            model_choice(ui, scene);
        pages[page].show(ui, scene);
    }
    ImGui::EndChild();
    ImGui::PopID();
    ImGui::End();
}
