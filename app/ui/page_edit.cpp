// The Edit page: the selection, its numbers, and the settings of the gizmo.
#include "ui_internal.h"

#include "edit.h"
#include "message_words.h"

#include <cstdio>
#include <cstring>

struct choice {
    ui_text title;
    const char *word; // argument of the command
};

// Shows a row of buttons of equal width, one of which is highlighted. A click on another one runs the command
// with its word.
static void choose(odori_ui *ui, const char *command, const choice *choices, int count, int chosen)
{
    float gap = ui_px(ui, 4),
          width = (ImGui::GetContentRegionAvail().x - gap * (float)(count - 1)) / (float)count;
    ImGui::PushID(command);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui_px(ui, 2), ui_px(ui, 4)));
    for (int i = 0; i < count; i++) {
        if (i)
            ImGui::SameLine();
        if (i == chosen)
            ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_Header));
        char title[64];
        ui_elide(ui_translate(ui, choices[i].title), width - ui_px(ui, 4), title, sizeof title);
        ImGui::PushID(i);
        if (ImGui::Button(title, ImVec2(width, 0)) && i != chosen)
            ui_line(ui, "%s %s", command, choices[i].word);
        ImGui::PopID();
        if (i == chosen)
            ImGui::PopStyleColor();
    }
    ImGui::PopStyleVar(2);
    ImGui::PopID();
}

// Shows a section title with a line below.
static void heading(const odori_ui *ui, ui_text title)
{
    ImGui::Spacing();
    ImGui::TextDisabled("%s", ui_translate(ui, title));
    ImGui::Separator();
}

// Shows why something cannot be edited, as a wrapped text in the warning colour.
static void refusal(const char *why)
{
    ImGui::PushTextWrapPos(0);
    ImGui::TextColored(ImVec4(1.0f, 0.78f, 0.35f, 1.0f), "%s", why);
    ImGui::PopTextWrapPos();
}

// The number fields of the components, in the order of mmd_component. The speed is the change per dragged
// pixel.
static const struct {
    ui_text title;
    const char *command, *format;
    float speed;
} fields[3] = {{TEXT_POSITION, "edit.translate", "%.3f", 0.02f},
               {TEXT_ROTATION, "edit.rotate", "%.1f", 0.5f},
               {TEXT_SCALE, "edit.scale", "%.3f", 0.005f}};

// Keeps the three numbers of a component while one of them is dragged. Angles that are read back from a
// rotation jump when the second one passes 90 degrees, so the fields show the values that were entered until
// the drag ends. before: restores the values into `values`; otherwise stores them.
static void keep_typed(double values[3], bool before)
{
    ImGuiStorage *store = ImGui::GetStateStorage();
    static const char *const names[3] = {"x", "y", "z"};
    for (int k = 0; k < 3; k++) {
        ImGuiID id = ImGui::GetID(names[k]);
        if (!before)
            store->SetFloat(id, (float)values[k]);
        else if (store->GetBool(ImGui::GetID("typed")))
            values[k] = (double)store->GetFloat(id);
    }
}

// Returns the title of a field. The translation of a light is its direction.
static ui_text title_of_field(const ui_edit *edit, int i)
{
    return edit->item.kind == MMD_ITEM_LIGHT && i == 0 ? TEXT_DIRECTION : fields[i].title;
}

// Shows one component of the selected item: three number fields, or the reason why it cannot be edited.
static void component_row(odori_ui *ui, const ui_edit *edit, int i)
{
    static const ImVec4 colors[3] = {ImVec4(0.94f, 0.27f, 0.33f, 0.75f), ImVec4(0.47f, 0.80f, 0.20f, 0.75f),
                                     ImVec4(0.25f, 0.56f, 1.0f, 0.75f)};
    const ui_component *c = &edit->components[i];
    if (!c->is_there && !c->refusal[0])
        return;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(ui_translate(ui, title_of_field(edit, i)));
    ImGui::SameLine(ui_px(ui, 88));
    if (!c->is_there) {
        refusal(c->refusal);
        return;
    }
    double values[3] = {c->values[0], c->values[1], c->values[2]};
    bool changed = false, active = false;
    float gap = ui_px(ui, 4), width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
    ImGui::PushID(i);
    keep_typed(values, true);
    for (int k = 0; k < 3; k++) {
        if (k)
            ImGui::SameLine(0, gap);
        ImGui::PushID(k);
        ImGui::SetNextItemWidth(width);
        changed |= ImGui::DragScalar("##number", ImGuiDataType_Double, &values[k], fields[i].speed, nullptr,
                                     nullptr, fields[i].format);
        active |= ImGui::IsItemActive();
        ui_join_drag(ui);
        ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(low.x, high.y - ui_px(ui, 2)), high,
                                                  ImGui::GetColorU32(colors[k]), ui_px(ui, 1));
        ImGui::PopID();
    }
    keep_typed(values, false);
    ImGui::GetStateStorage()->SetBool(ImGui::GetID("typed"), active);
    ImGui::PopID();
    if (changed)
        ui_line(ui, "%s %.9g %.9g %.9g", fields[i].command, values[0], values[1], values[2]);
}

// A kind of named parts of a model, shown as a combo box. Parts are selected by index, because names can
// repeat.
struct part_list {
    ui_text title;
    const char *word; // folder in the paths of items
    uint32_t kind;    // MMD_ITEM_… of a part
    uint32_t (*count)(const mmd_model *model);
    const char *(*name)(const mmd_model *model, uint32_t i);
    const char *(*name_en)(const mmd_model *model, uint32_t i);
};

static const part_list part_lists[] = {
    {TEXT_BONES, "bones", MMD_ITEM_BONE, [](const mmd_model *m) { return m->bone_count; },
     [](const mmd_model *m, uint32_t i) { return (const char *)m->bones[i].name; },
     [](const mmd_model *m, uint32_t i) { return (const char *)m->bones[i].name_en; }},
    {TEXT_BODIES, "bodies", MMD_ITEM_BODY, [](const mmd_model *m) { return m->body_count; },
     [](const mmd_model *m, uint32_t i) { return (const char *)m->bodies[i].name; },
     [](const mmd_model *m, uint32_t i) { return (const char *)m->bodies[i].name_en; }},
    {TEXT_JOINTS, "joints", MMD_ITEM_JOINT, [](const mmd_model *m) { return m->joint_count; },
     [](const mmd_model *m, uint32_t i) { return (const char *)m->joints[i].name; },
     [](const mmd_model *m, uint32_t i) { return (const char *)m->joints[i].name_en; }},
};

// Selects the item of a path, or adds it to the selection while Shift is down, as a click into the scene
// does.
static void select_line(odori_ui *ui, const char *path)
{
    ui_line(ui, "edit.%s %s", ImGui::GetIO().KeyShift ? "add" : "select", path);
}

// Shows the combo box that selects a part of the model.
static void part_choice(odori_ui *ui, const ui_scene *scene, const part_list &list, float width)
{
    const mmd_model *model = scene->models[scene->selected].model;
    const mmd_item &item = scene->edit->item;
    uint32_t count = list.count(model);
    bool is_kind = scene->edit->count && item.kind == list.kind && item.model == scene->selected;
    ImGui::BeginDisabled(!count);
    ImGui::SetNextItemWidth(width);
    ImGui::PushID(list.word);
    const char *title = ui_translate(ui, list.title);
    const float with_arrow =
        ImGui::CalcTextSize(title).x + 2 * ImGui::GetStyle().FramePadding.x + ImGui::GetFrameHeight();
    if (ImGui::BeginCombo("##part", title,
                          ImGuiComboFlags_HeightLarge |
                              (with_arrow > width ? ImGuiComboFlags_NoArrowButton : ImGuiComboFlags_None))) {
        for (uint32_t i = 0; i < count; i++) {
            ImGui::PushID((int)i);
            bool chosen = is_kind && item.index == i;
            char path[64];
            std::snprintf(path, sizeof path, "/models/#%zu/%s/#%u", scene->selected, list.word, (unsigned)i);
            if (ImGui::Selectable(ui_name(ui, list.name(model, i), list.name_en(model, i)), chosen))
                select_line(ui, path);
            if (chosen && ImGui::IsWindowAppearing())
                ImGui::SetScrollHereY();
            ImGui::PopID();
        }
        ImGui::EndCombo();
    }
    ImGui::PopID();
    ImGui::EndDisabled();
}

// Shows a button that selects the item of a path.
static void item_button(odori_ui *ui, ui_text title, const char *path, bool chosen, float width)
{
    if (chosen)
        ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_Header));
    if (ImGui::Button(ui_translate(ui, title), ImVec2(width, 0)))
        select_line(ui, path);
    if (chosen)
        ImGui::PopStyleColor();
}

// Shows buttons and combo boxes for items that are hard or impossible to click in the scene.
static void items(odori_ui *ui, const ui_scene *scene)
{
    const ui_edit *edit = scene->edit;
    bool has_model = scene->selected < scene->model_count;
    uint32_t kind = edit->count ? edit->item.kind : (uint32_t)MMD_ITEM_NONE;
    float gap = ui_px(ui, 4), width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
    char path[64];
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
    item_button(ui, TEXT_CAMERA, "/camera", kind == MMD_ITEM_CAMERA, width);
    ImGui::SameLine();
    item_button(ui, TEXT_LIGHT, "/light", kind == MMD_ITEM_LIGHT, width);
    ImGui::SameLine();
    std::snprintf(path, sizeof path, "/models/#%zu", scene->selected);
    ImGui::BeginDisabled(!has_model);
    item_button(ui, TEXT_MODEL, path, kind == MMD_ITEM_MODEL, width);
    ImGui::EndDisabled();
    for (int i = 0; has_model && i < 3; i++) {
        if (i)
            ImGui::SameLine();
        part_choice(ui, scene, part_lists[i], width);
    }
    ImGui::PopStyleVar();
    ImGui::Spacing();
}

// Returns the name of a part, a morph or the switches of a model, or NULL for items of other kinds.
static const char *part_name(const odori_ui *ui, const mmd_model *model, const mmd_item &item)
{
    for (const part_list &list : part_lists)
        if (list.kind == (uint32_t)item.kind && item.index < list.count(model))
            return ui_name(ui, list.name(model, item.index), list.name_en(model, item.index));
    if (item.kind == MMD_ITEM_MORPH && item.index < model->morph_count)
        return ui_name(ui, model->morphs[item.index].name, model->morphs[item.index].name_en);
    return item.kind == MMD_ITEM_SWITCHES ? ui_translate(ui, TEXT_SHEET_SWITCHES) : nullptr;
}

// Returns the last name of a path, which is that of a node.
static const char *last_name(const char *path)
{
    const char *slash = std::strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

void ui_name_selection(const odori_ui *ui, const ui_scene *scene, char *out, size_t size)
{
    const mmd_item &item = scene->edit->item;
    const ui_model *m = item.model < scene->model_count ? &scene->models[item.model] : nullptr;
    char model[300] = "";
    if (m)
        ui_model_title(ui, scene, item.model, model, sizeof model);
    const char *part = m ? part_name(ui, m->model, item) : nullptr;
    size_t models = 0;
    for (size_t i = 0; i < scene->model_count; i++)
        models += !scene->models[i].is_removed;
    if (part && models < 2)
        std::snprintf(out, size, "%s", part);
    else if (part)
        std::snprintf(out, size, ui_translate(ui, TEXT_EDIT_PART_OF), ui->japanese ? model : part,
                      ui->japanese ? part : model);
    else
        std::snprintf(out, size, "%s",
                      item.kind == MMD_ITEM_MODEL && m ? model
                      : item.kind == MMD_ITEM_CAMERA   ? ui_translate(ui, TEXT_CAMERA)
                      : item.kind == MMD_ITEM_LIGHT    ? ui_translate(ui, TEXT_LIGHT)
                      : item.kind == MMD_ITEM_SHADOW   ? ui_translate(ui, TEXT_SELF_SHADOW)
                                                       : last_name(scene->edit->path));
}

// Shows a button that selects what else moves the item, for example the IK goal of a leg.
static void controller_button(odori_ui *ui, const ui_edit *edit)
{
    char text[UI_PATH_MAX], shown[UI_PATH_MAX];
    if (!edit->controls)
        return;
    std::snprintf(text, sizeof text, ui_translate(ui, TEXT_EDIT_CONTROLLER), edit->controller);
    ui_elide(text, ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().FramePadding.x, shown,
             sizeof shown);
    ImGui::PushID("controller"); // its name changes
    if (ImGui::Button(shown, ImVec2(-1, 0)))
        ui_line(ui, "edit.controller");
    ImGui::PopID();
    if (ImGui::IsItemHovered() && std::strcmp(shown, text) != 0)
        ImGui::SetTooltip("%s", text);
}

// Shows the selected item, its components and the button that resets them.
static void selected(odori_ui *ui, const ui_scene *scene)
{
    const ui_edit *edit = scene->edit;
    if (!edit->count) {
        ImGui::PushTextWrapPos(0);
        ImGui::TextDisabled(ui_translate(ui, TEXT_EDIT_NOTHING), ui_key_of(scene, "toggle view.bones"));
        ImGui::PopTextWrapPos();
        return;
    }
    char name[UI_PATH_MAX];
    ui_name_selection(ui, scene, name, sizeof name);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(name);
    ImGui::PopTextWrapPos();
    if (edit->count > 1)
        ImGui::TextDisabled(ui_translate(ui, TEXT_EDIT_OTHERS), (unsigned)(edit->count - 1));
    ImGui::Spacing();
    for (int i = 0; i < 3; i++)
        component_row(ui, edit, i);
    controller_button(ui, edit);
    ImGui::Spacing();
    if (ImGui::Button(ui_translate(ui, TEXT_RESET), ImVec2(-1, 0)))
        ui_line(ui, "edit.reset");
}

// Shows the snapping steps, in units and degrees, and the switch for mirrored editing.
static void steps(odori_ui *ui, const ui_edit *edit)
{
    float gap = ui_px(ui, 8);
    double units = edit->snap.units, degrees = edit->snap.degrees;
    bool snaps = edit->snaps, mirrors = edit->mirrors;
    if (ImGui::Checkbox(ui_translate(ui, TEXT_EDIT_SNAP), &snaps))
        ui_line(ui, "gizmo.snap %s", snaps ? "on" : "off");
    ImGui::SameLine(ui_px(ui, 130));
    float width = (ImGui::GetContentRegionAvail().x - gap) / 2;
    ImGui::BeginDisabled(!edit->snaps);
    ImGui::SetNextItemWidth(width);
    const double least[2] = {0.001, 0.1}, most = 1000;
    bool changed =
        ImGui::DragScalar("##units", ImGuiDataType_Double, &units, 0.01f, &least[0], &most, "%.3g");
    ImGui::SameLine(0, gap);
    ImGui::SetNextItemWidth(width);
    changed |=
        ImGui::DragScalar("##degrees", ImGuiDataType_Double, &degrees, 0.5f, &least[1], &most, "%.3g°");
    ImGui::EndDisabled();
    if (changed)
        ui_line(ui, "gizmo.snap %.6g %.6g", units, degrees);
    if (ui_checkbox(ui, TEXT_EDIT_MIRROR, &mirrors))
        ui_line(ui, "edit.mirror %s", mirrors ? "on" : "off");
}

// Shows an undo or redo button with the label of the step, which is NULL when there is none.
static void history_button(odori_ui *ui, ui_text title, const char *label, const char *command, float width)
{
    char text[128], shown[sizeof text], japanese[61];
    const bool is_told = label && ui->japanese && message_in_japanese(label, japanese, sizeof japanese);
    std::snprintf(text, sizeof text, "%s%s%.60s", ui_translate(ui, title), label ? ": " : "",
                  is_told ? japanese
                  : label ? label
                          : "");
    ui_elide(text, width - 2 * ImGui::GetStyle().FramePadding.x, shown, sizeof shown);
    ImGui::BeginDisabled(!label);
    ImGui::PushID(command);
    if (ImGui::Button(shown, ImVec2(width, 0)))
        ui_line(ui, "%s", command);
    ImGui::PopID();
    if (label && ImGui::IsItemHovered() && std::strcmp(shown, text) != 0)
        ImGui::SetTooltip("%s", text);
    ImGui::EndDisabled();
}

void page_edit(odori_ui *ui, const ui_scene *scene)
{
    static const choice modes[] = {{TEXT_EDIT_MOVE, "translate"},
                                   {TEXT_EDIT_ROTATE, "rotate"},
                                   {TEXT_EDIT_SCALE, "scale"},
                                   {TEXT_EDIT_NO_MODE, "none"}};
    static const int mode_places[GIZMO_MODES] = {3, 0, 1, 2}; // button of each gizmo_mode
    static const choice spaces[] = {{TEXT_EDIT_LOCAL, "local"},
                                    {TEXT_PARENT, "parent"},
                                    {TEXT_EDIT_WORLD, "world"},
                                    {TEXT_EDIT_AXES, "axes"}};
    static const choice pivots[] = {{TEXT_EDIT_PIVOT_OWN, "own"}, {TEXT_EDIT_PIVOT_COMMON, "common"}};
    const ui_edit *edit = scene->edit;
    items(ui, scene);
    selected(ui, scene);
    heading(ui, TEXT_EDIT_HANDLES);
    choose(ui, "gizmo.mode", modes, 4, mode_places[edit->mode]);
    choose(ui, "gizmo.space", spaces, 4, (int)edit->space);
    if (edit->count > 1)
        choose(ui, "gizmo.pivot", pivots, 2, edit->common);
    ImGui::Spacing();
    steps(ui, edit);
    heading(ui, TEXT_EDIT_HISTORY);
    float half = (ImGui::GetContentRegionAvail().x - ui_px(ui, 8)) / 2;
    history_button(ui, TEXT_EDIT_UNDO, edit->undo, "undo", half);
    ImGui::SameLine(0, ui_px(ui, 8));
    history_button(ui, TEXT_EDIT_REDO, edit->redo, "redo", half);
    if (ImGui::Button(ui_translate(ui, TEXT_EDIT_SAVE), ImVec2(half, 0)))
        ui_line(ui, "file.save");
    ImGui::SameLine(0, ui_px(ui, 8));
    if (ImGui::Button(ui_translate(ui, TEXT_EDIT_SAVE_AS), ImVec2(half, 0)))
        ui_line(ui, "file.save-as");
}
