// The page of editing: what is selected, its numbers, what the gizmo does.
#include "ui_internal.h"

#include "edit.h"

#include <cstdio>

struct choice {
    ui_text title;
    const char *word; // as the command table has it
};

// Buttons side by side, one of them chosen.
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
        if (ImGui::Button(ui_say(ui, choices[i].title), ImVec2(width, 0)) && i != chosen)
            ui_line(ui, "%s %s", command, choices[i].word);
        if (i == chosen)
            ImGui::PopStyleColor();
    }
    ImGui::PopStyleVar(2);
    ImGui::PopID();
}

static void heading(const odori_ui *ui, ui_text title)
{
    ImGui::Spacing();
    ImGui::TextDisabled("%s", ui_say(ui, title));
    ImGui::Separator();
}

static void refusal(const char *why)
{
    ImGui::PushTextWrapPos(0);
    ImGui::TextColored(ImVec4(1.0f, 0.78f, 0.35f, 1.0f), "%s", why);
    ImGui::PopTextWrapPos();
}

// What a number field does: its command, how far a pixel goes, how it is written.
static const struct {
    ui_text title;
    const char *command, *format;
    float speed;
} fields[3] = {{TEXT_POSITION, "edit.translate", "%.3f", 0.02f},
               {TEXT_ROTATION, "edit.rotate", "%.1f", 0.5f},
               {TEXT_SIZE, "edit.scale", "%.3f", 0.005f}};

// While one of three angles is dragged they are those that were typed: read back from a turn, they leap where
// the second one passes a right angle.
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

static void component_row(odori_ui *ui, const ui_edit *edit, int i)
{
    static const ImVec4 colors[3] = {ImVec4(0.94f, 0.27f, 0.33f, 0.75f), ImVec4(0.47f, 0.80f, 0.20f, 0.75f),
                                     ImVec4(0.25f, 0.56f, 1.0f, 0.75f)};
    const ui_component *c = &edit->components[i];
    if (!c->is_there && !c->refusal[0])
        return;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(ui_say(ui, fields[i].title));
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

static void selected(odori_ui *ui, const ui_edit *edit)
{
    if (!edit->count) {
        ImGui::PushTextWrapPos(0);
        ImGui::TextDisabled("%s", ui_say(ui, TEXT_EDIT_NOTHING));
        ImGui::PopTextWrapPos();
        return;
    }
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(edit->path);
    ImGui::PopTextWrapPos();
    if (edit->count > 1)
        ImGui::TextDisabled(ui_say(ui, TEXT_EDIT_OTHERS), (unsigned)(edit->count - 1));
    ImGui::Spacing();
    for (int i = 0; i < 3; i++)
        component_row(ui, edit, i);
    ImGui::Spacing();
    if (ImGui::Button(ui_say(ui, TEXT_EDIT_RESET), ImVec2(-1, 0)))
        ui_line(ui, "edit.reset");
}

static void steps(odori_ui *ui, const ui_edit *edit)
{
    float gap = ui_px(ui, 8);
    double units = edit->snap.units, degrees = edit->snap.degrees;
    bool snaps = edit->snaps, mirrors = edit->mirrors;
    if (ImGui::Checkbox(ui_say(ui, TEXT_EDIT_SNAP), &snaps))
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
    if (ImGui::Checkbox(ui_say(ui, TEXT_EDIT_MIRROR), &mirrors))
        ui_line(ui, "edit.mirror %s", mirrors ? "on" : "off");
}

static void history_button(odori_ui *ui, ui_text title, const char *label, const char *command, float width)
{
    char text[128];
    std::snprintf(text, sizeof text, "%s%s%.60s##%s", ui_say(ui, title), label ? ": " : "",
                  label ? label : "", command);
    ImGui::BeginDisabled(!label);
    if (ImGui::Button(text, ImVec2(width, 0)))
        ui_line(ui, "%s", command);
    ImGui::EndDisabled();
}

void page_edit(odori_ui *ui, const ui_scene *scene)
{
    static const choice modes[] = {{TEXT_EDIT_MOVE, "translate"},
                                   {TEXT_EDIT_TURN, "rotate"},
                                   {TEXT_SIZE, "scale"},
                                   {TEXT_EDIT_NO_MODE, "none"}};
    static const int mode_places[GIZMO_MODES] = {3, 0, 1, 2};
    static const choice spaces[] = {{TEXT_EDIT_LOCAL, "local"},
                                    {TEXT_PARENT, "parent"},
                                    {TEXT_EDIT_WORLD, "world"},
                                    {TEXT_EDIT_AXES, "axes"}};
    const ui_edit *edit = scene->edit;
    selected(ui, edit);
    heading(ui, TEXT_EDIT_HANDLES);
    choose(ui, "gizmo.mode", modes, 4, mode_places[edit->mode]);
    choose(ui, "gizmo.space", spaces, 4, (int)edit->space);
    ImGui::Spacing();
    steps(ui, edit);
    heading(ui, TEXT_EDIT_STEPS);
    float half = (ImGui::GetContentRegionAvail().x - ui_px(ui, 8)) / 2;
    history_button(ui, TEXT_EDIT_UNDO, edit->undo, "undo", half);
    ImGui::SameLine(0, ui_px(ui, 8));
    history_button(ui, TEXT_EDIT_REDO, edit->redo, "redo", half);
}
