// The page of files: places at the left, the entries of a folder at the right, and a field that filters them
// by typing. It takes all keys and clicks while it is open. What is shown and picked is in
// document/file_page.h.
#include "ui_internal.h"

#include <cstdio>
#include <cstring>
#include <ctime>

#include "document/file_page.h"
#include "document/places.h"
#include "document/save.h"

static const float WIDTH = 860, HEIGHT = 560, PLACES = 170; // points

// Returns the title of a place: those of the user have names in both languages, others that of their folder.
static const char *title_of(const odori_ui *ui, const file_place *at)
{
    switch (at->kind) {
    case PLACE_MODEL:
        return ui_translate(ui, TEXT_PLACE_MODEL);
    case PLACE_HOME:
        return ui_translate(ui, TEXT_PLACE_HOME);
    case PLACE_ROOT:
        return ui_translate(ui, TEXT_PLACE_ROOT);
    default:
        return at->label;
    }
}

static void show_places(odori_ui *ui, const file_page *page)
{
    ImGui::BeginChild("places", ImVec2(ui_px(ui, PLACES), 0));
    for (size_t i = 0; i < page->place_count; i++) {
        const file_place *at = &page->places[i];
        char title[256];
        ImGui::PushID((int)i);
        ui_elide(title_of(ui, at), ImGui::GetContentRegionAvail().x, title, sizeof title);
        if (ImGui::Selectable(title, std::strcmp(at->path, page->folder) == 0))
            ui_line(ui, "files.go %s", ui_quote(at->path).text);
        if (ImGui::IsItemHovered())
            ImGui::SetTooltip("%s", at->path);
        ImGui::PopID();
    }
    ImGui::EndChild();
}

// Shows the button that goes up, and the path of the folder, which can be typed.
static void show_path(odori_ui *ui, const file_page *page)
{
    if (ImGui::Button("↑", ImVec2(ImGui::GetFrameHeight() * 1.4f, 0)))
        ui_line(ui, "files.up");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    if (!ui->path_is_typed)
        std::snprintf(ui->path_text, sizeof ui->path_text, "%s", page->folder);
    if (ImGui::InputText("##folder", ui->path_text, sizeof ui->path_text,
                         ImGuiInputTextFlags_EnterReturnsTrue))
        ui_line(ui, "files.go %s", ui_quote(ui->path_text).text);
    ui->path_is_typed = ImGui::IsItemActive();
}

// Shows the field that filters. It has the keyboard whenever nothing else has.
static void show_filter(odori_ui *ui, const file_page *page)
{
    bool all = page->all;
    const char *label = ui_translate(ui, TEXT_FILES_ALL);
    float room = ImGui::CalcTextSize(label).x + ImGui::GetFrameHeight() + ui_px(ui, 20);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - room);
    if (!ImGui::IsAnyItemActive() && !ui->path_is_typed)
        ImGui::SetKeyboardFocusHere();
    if (ImGui::InputTextWithHint("##filter", ui_translate(ui, TEXT_FILTER), ui->files_filter,
                                 sizeof ui->files_filter) &&
        !ImGui::IsKeyPressed(UI_KEY_ESCAPE, false))
        ui_line(ui, "files.filter %s", ui_quote(ui->files_filter).text);
    ImGui::SameLine();
    if (ImGui::Checkbox(label, &all))
        ui_line(ui, "files.all %s", all ? "on" : "off");
}

// Writes a size as people read it: "1.2 MB".
static void write_size(uint64_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    int unit = 0;
    while (value >= 1000 && unit < 4) {
        value /= 1000;
        unit++;
    }
    std::snprintf(text, size, unit && value < 10 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

static void write_time(int64_t seconds, char *text, size_t size)
{
    std::time_t time = (std::time_t)seconds;
    std::tm parts;
    text[0] = '\0';
    if (seconds && localtime_r(&time, &parts))
        std::strftime(text, size, "%Y-%m-%d %H:%M", &parts);
}

// Shows a row. A click picks it, with Ctrl beside others, with Shift up to the last one; a double click opens
// it.
static void show_row(odori_ui *ui, const file_row *row, int number)
{
    char text[64], name[512];
    ImGuiIO &io = ImGui::GetIO();
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(number);
    bool enters = row->is_folder || row->kind == FILE_ARCHIVE;
    ui_elide(row->label, ImGui::GetContentRegionAvail().x - ui_px(ui, 8), name, sizeof name - 1);
    if (enters)
        std::strcat(name, "/");
    if (enters)
        ImGui::PushStyleColor(ImGuiCol_Text, ImGui::ColorConvertU32ToFloat4(theme_accent(1)));
    if (ImGui::Selectable(name, row->is_picked,
                          ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick)) {
        if (ImGui::IsMouseDoubleClicked(0))
            ui_line(ui, "files.open %d", number);
        else
            ui_line(ui, "files.pick %d%s", number, io.KeyShift ? " range" : io.KeyCtrl ? " add" : "");
    }
    if (enters)
        ImGui::PopStyleColor();
    ImGui::PopID();
    ImGui::TableNextColumn();
    text[0] = '\0';
    if (!row->is_folder)
        write_size(row->size, text, sizeof text);
    ImGui::TextDisabled("%s", text);
    ImGui::TableNextColumn();
    write_time(row->time, text, sizeof text);
    ImGui::TextDisabled("%s", text);
}

static void show_rows(odori_ui *ui, const file_page *page, float high)
{
    if (*page->error || !page->count) {
        ImGui::BeginChild("nothing", ImVec2(0, high));
        ImGui::TextWrapped("%s", *page->error    ? page->error
                                 : page->is_busy ? ui_translate(ui, TEXT_FILES_BUSY)
                                                 : ui_translate(ui, TEXT_NOTHING_FOUND));
        ImGui::EndChild();
        return;
    }
    if (!ImGui::BeginTable("rows", 3, ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg, ImVec2(0, high)))
        return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ui_px(ui, 70));
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ui_px(ui, 125));
    if (ui->files_version != page->version)
        ImGui::SetScrollY(0);
    ui->files_version = page->version;
    ImGuiListClipper clipper;
    clipper.Begin((int)page->count);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; i++)
            show_row(ui, &page->rows[i], i);
    if (ui->files_scrolls && page->last < page->count) {
        float row = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
        float at = (float)page->last * row, top = ImGui::GetScrollY(), seen = ImGui::GetWindowHeight() - row;
        if (at < top || at > top + seen)
            ImGui::SetScrollY(at - seen / 2);
    }
    ui->files_scrolls = false;
    ImGui::EndTable();
}

// Handles keys: Up and Down pick, Enter opens, Backspace in an empty filter goes up, Escape closes.
static void take_keys(odori_ui *ui, const file_page *page)
{
    bool down = ImGui::IsKeyPressed(UI_KEY_DOWN), up = ImGui::IsKeyPressed(UI_KEY_UP);
    size_t next = page->last >= page->count ? 0 : down ? page->last + 1 : page->last - 1;
    if ((down || up) && next < page->count) {
        ui_line(ui, "files.pick %zu%s", next, ImGui::GetIO().KeyShift ? " add" : "");
        ui->files_scrolls = true;
    }
    if (ImGui::IsKeyPressed(UI_KEY_ESCAPE, false))
        ui_line(ui, "files off");
    if (ui->path_is_typed)
        return;
    if (ImGui::IsKeyPressed(UI_KEY_ENTER, false) && page->count) {
        if (page->picked > 1)
            ui_line(ui, "files.open");
        else
            ui_line(ui, "files.open %zu", page->picked && page->last < page->count ? page->last : 0);
    }
    if (ImGui::IsKeyPressed(UI_KEY_BACKSPACE, false) && !ui->files_filter[0] && !ui->files_had_text)
        ui_line(ui, "files.up");
    ui->files_had_text = ui->files_filter[0] != '\0';
}

static void show_buttons(odori_ui *ui, const file_page *page)
{
    char label[128];
    std::snprintf(label, sizeof label, page->picked > 1 ? "%s (%zu)" : "%s",
                  ui_translate(ui, TEXT_FILES_OPEN), page->picked);
    ImVec2 size(ui_px(ui, 120), 0);
    ImGui::BeginDisabled(!page->picked);
    if (ImGui::Button(label, size))
        ui_line(ui, "files.open");
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (ImGui::Button(ui_translate(ui, TEXT_SAVE_CANCEL), size))
        ui_line(ui, "files off");
    ImGui::SameLine();
    ImGui::TextDisabled("%s", ui_translate(ui, TEXT_FILES_HINT));
}

static void show_page(odori_ui *ui, const file_page *page)
{
    if (std::strcmp(ui->files_folder, page->folder) != 0) {
        std::snprintf(ui->files_folder, sizeof ui->files_folder, "%s", page->folder);
        std::snprintf(ui->files_filter, sizeof ui->files_filter, "%s", page->filter);
    }
    take_keys(ui, page);
    float bottom = ImGui::GetFrameHeightWithSpacing() + ui_px(ui, 6);
    ImGui::BeginChild("upper", ImVec2(0, ImGui::GetContentRegionAvail().y - bottom));
    if (ImGui::GetContentRegionAvail().x > ui_px(ui, 2.5f * PLACES)) {
        show_places(ui, page);
        ImGui::SameLine();
    }
    ImGui::BeginChild("folder");
    show_path(ui, page);
    show_filter(ui, page);
    ImGui::Spacing();
    show_rows(ui, page, ImGui::GetContentRegionAvail().y);
    ImGui::EndChild();
    ImGui::EndChild();
    ImGui::Spacing();
    show_buttons(ui, page);
}

void files_page_show(odori_ui *ui, const ui_scene *scene, const ui_display *display)
{
    // The question at the end comes first; the page opens again after it.
    bool shown = scene->page && scene->page->shown && !(scene->saving && scene->saving->shown);
    if (!shown && !ui->browses)
        return;
    if (shown && !ui->browses) {
        ImGui::OpenPopup("files");
        ui->files_folder[0] = '\0';
    }
    if (ui->browses != shown)
        ui->settle = UI_SETTLE; // pages also open without an event
    ui->browses = shown;
    float width = ui_px(ui, WIDTH), height = ui_px(ui, HEIGHT), room = 0.94f * (float)display->width,
          high = 0.92f * (float)display->height;
    ImGui::SetNextWindowPos(ImVec2(0.5f * (float)display->width, 0.5f * (float)display->height),
                            ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(ImVec2(width < room ? width : room, height < high ? height : high));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui_px(ui, 16), ui_px(ui, 14)));
    if (ImGui::BeginPopupModal("files", nullptr,
                               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoNav)) {
        if (shown)
            show_page(ui, scene->page);
        else
            ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}
