// The page that lists what is unsaved: what is saved, to which files, and what happens to the rest when the
// player ends. It takes all keys and clicks while it is open.
#include "ui_internal.h"

#include <cstdio>
#include <cstring>

#include "document/save.h"

static const float WIDTH = 620; // points

// Writes what an item is: "Motion of 初音ミク", with the name that the other pages show.
static void describe(const odori_ui *ui, const ui_scene *scene, const save_item *item, char *text, size_t size)
{
    static const ui_text kinds[] = {TEXT_SAVE_MOTION, TEXT_SAVE_CAMERA, TEXT_SAVE_POSE};
    char name[SESSION_NAME_MAX] = "";
    if (item->kind != SAVE_CAMERA && item->model < scene->model_count)
        ui_model_title(ui, scene, item->model, name, sizeof name);
    std::snprintf(text, size, ui_translate(ui, kinds[item->kind]), name);
}

// Shows the text field of a file name. What is typed stays in the panels until the field is left.
static void show_name(odori_ui *ui, const save_item *item, int number, bool has_dialog)
{
    char shown[MMD_FILE_PATH_MAX];
    bool is_typed = ui->save_item == number;
    if (!is_typed)
        std::snprintf(shown, sizeof shown, "%s", item->path);
    const float button = ImGui::GetFrameHeight() * 1.4f;
    ImGui::SetNextItemWidth(has_dialog ? -button - ImGui::GetStyle().ItemInnerSpacing.x : -1);
    if (ImGui::InputText("##file", is_typed ? ui->save_text : shown, MMD_FILE_PATH_MAX) && !is_typed) {
        std::memcpy(ui->save_text, shown, sizeof shown);
        ui->save_item = number;
    }
    if (!ImGui::IsItemActive() && ui->save_item == number) {
        ui->save_item = -1;
        ui_line(ui, "save.name %d %s", number, ui_quote(ui->save_text).text);
    }
    if (!has_dialog)
        return;
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    if (ImGui::Button("…", ImVec2(button, 0)))
        ui_line(ui, "save.name %d", number);
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", ui_translate(ui, TEXT_SAVE_BROWSE));
}

static void show_item(odori_ui *ui, const ui_scene *scene, const save_item *item, int number)
{
    char text[SESSION_NAME_MAX + 64], short_text[sizeof text];
    bool taken = item->taken;
    ImGui::PushID(number);
    describe(ui, scene, item, text, sizeof text);
    const char *note = item->replaces ? ui_translate(ui, TEXT_SAVE_REPLACES) : "";
    float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(note).x - ImGui::GetFrameHeight() -
                 ui_px(ui, 24);
    ui_elide(text, room, short_text, sizeof short_text);
    if (ImGui::Checkbox(short_text, &taken))
        ui_line(ui, "save.take %d %s", number, taken ? "on" : "off");
    if (*note) {
        ImGui::SameLine();
        ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(note).x);
        ImGui::PushStyleColor(ImGuiCol_Text, theme_warning());
        ImGui::TextUnformatted(note);
        ImGui::PopStyleColor();
    }
    show_name(ui, item, number, scene->has_dialog);
    ImGui::Spacing();
    ImGui::PopID();
}

// Shows a button as wide as its text needs, but at least as wide as the others. Returns whether it was
// clicked.
static bool answer(const odori_ui *ui, ui_text text)
{
    const char *label = ui_translate(ui, text);
    float width = ImGui::CalcTextSize(label).x + ui_px(ui, 28), least = ui_px(ui, 110);
    return ImGui::Button(label, ImVec2(width > least ? width : least, 0));
}

// Shows the answers. Enter saves and Escape cancels, unless a name is being typed.
static void show_answers(odori_ui *ui, const save_list *list, bool was_typing)
{
    bool types = was_typing || ImGui::IsAnyItemActive();
    bool is_saved = answer(ui, TEXT_SAVE_SAVE);
    if (list->closes) {
        ImGui::SameLine();
        if (answer(ui, TEXT_SAVE_DISCARD))
            ui_line(ui, "save.discard");
    }
    ImGui::SameLine();
    bool is_closed = answer(ui, TEXT_SAVE_CANCEL);
    if (is_saved || (!types && ImGui::IsKeyPressed(UI_KEY_ENTER, false)))
        ui_line(ui, "save.write");
    else if (is_closed || (!types && ImGui::IsKeyPressed(UI_KEY_ESCAPE, false)))
        ui_line(ui, "save.close");
}

static void show_list(odori_ui *ui, const ui_scene *scene, float high)
{
    const save_list *list = scene->saving;
    bool was_typing = ui->save_types;
    float row = 2 * ImGui::GetFrameHeightWithSpacing() + ui_px(ui, 8), all = (float)list->count * row;
    ImGui::TextUnformatted(ui_translate(ui, list->closes ? TEXT_SAVE_ASKS : TEXT_SAVE_TITLE));
    ImGui::Separator();
    ImGui::Spacing();
    ImGui::BeginChild("items", ImVec2(0, all < high ? all : high));
    for (size_t i = 0; i < list->count; i++)
        show_item(ui, scene, &list->items[i], (int)i);
    ui->save_types = ImGui::IsAnyItemActive();
    ImGui::EndChild();
    ImGui::Spacing();
    show_answers(ui, list, was_typing);
}

void saving_show(odori_ui *ui, const ui_scene *scene, const ui_display *display)
{
    bool shown = scene->saving && scene->saving->shown;
    if (!shown && !ui->saves)
        return;
    if (shown && !ui->saves) {
        ImGui::OpenPopup("saving");
        ui->save_item = -1;
    }
    if (ui->saves != shown)
        ui->settle = UI_SETTLE; // pages also open without an event
    ui->saves = shown;
    float width = ui_px(ui, WIDTH), most = 0.94f * (float)display->width;
    ImGui::SetNextWindowPos(ImVec2(0.5f * (float)display->width, 0.45f * (float)display->height),
                            ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(ImVec2(width < most ? width : most, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui_px(ui, 20), ui_px(ui, 16)));
    if (ImGui::BeginPopupModal("saving", nullptr,
                               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoNav)) {
        if (shown)
            show_list(ui, scene, 0.6f * (float)display->height);
        else
            ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}
