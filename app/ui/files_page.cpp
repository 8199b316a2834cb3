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
static const float PICTURE = 40;                            // points; side of the small pictures
static const float SIZES_FROM = 240, TIMES_FROM = 460; // width of the list from which it has these columns

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
        if (ImGui::IsItemHovered()) { // below the pointer and left of the list, whose first rows it would hide
            ImGui::SetNextWindowPos(ImVec2(ImGui::GetWindowPos().x, ImGui::GetItemRectMax().y + ui_px(ui, 2)));
            ImGui::SetTooltip("%s", at->path);
        }
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

// Draws a folder in a square.
static void draw_folder(ImVec2 at, float side)
{
    ImDrawList *draw = ImGui::GetWindowDrawList();
    const float round = 0.06f * side;
    draw->AddRectFilled(ImVec2(at.x + 0.12f * side, at.y + 0.2f * side),
                        ImVec2(at.x + 0.5f * side, at.y + 0.4f * side), theme_accent(0.55f), round);
    draw->AddRectFilled(ImVec2(at.x + 0.12f * side, at.y + 0.29f * side),
                        ImVec2(at.x + 0.88f * side, at.y + 0.8f * side), theme_accent(0.75f), round);
}

// Draws a sheet of paper with the ending of a file's name in a square.
static void draw_sheet(const char *label, ImVec2 at, float side)
{
    ImDrawList *draw = ImGui::GetWindowDrawList();
    const char *dot = std::strrchr(label, '.');
    char ending[8] = "";
    const bool fits = dot && std::strlen(dot) <= 5;
    for (size_t i = 0; fits && dot[i + 1]; i++) {
        char c = dot[i + 1];
        if ((c & 0x80) != 0)
            break;
        ending[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
        ending[i + 1] = '\0';
    }
    const ImVec2 low(at.x + 0.16f * side, at.y + 0.08f * side),
        high(at.x + 0.84f * side, at.y + 0.92f * side);
    draw->AddRectFilled(low, high, theme_text(0.10f), 0.06f * side);
    draw->AddRect(low, high, theme_text(0.25f), 0.06f * side);
    const float size = 0.28f * side;
    ImVec2 text = ImGui::GetFont()->CalcTextSizeA(size, 1e6f, 0, ending);
    draw->AddText(ImGui::GetFont(), size,
                  ImVec2(at.x + 0.5f * (side - text.x), at.y + 0.5f * (side - text.y)), theme_text(0.65f),
                  ending);
}

// Draws the picture of a row, or what stands for it.
static void draw_picture(const file_page *page, const file_row *row, ImVec2 at, float side)
{
    uint32_t picture = page->pictures ? page->pictures[row->entry] : 0;
    const ImVec2 end(at.x + side, at.y + side);
    if (picture && picture != FILE_PAGE_NO_PICTURE) {
        // They are made for the white pages of file managers.
        ImGui::GetWindowDrawList()->AddRectFilled(at, end, theme_text(0.85f), 0.08f * side);
        ImGui::GetWindowDrawList()->AddImageRounded((ImTextureID)(uintptr_t)picture, at, end, ImVec2(0, 0),
                                                    ImVec2(1, 1), IM_COL32_WHITE, 0.08f * side);
    } else if (row->is_folder)
        draw_folder(at, side);
    else
        draw_sheet(row->label, at, side);
}

// Shows a text in grey, in the middle of a row's height.
static void show_detail(const char *text, float high)
{
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.5f * (high - ImGui::GetTextLineHeight()));
    ImGui::TextDisabled("%s", text);
}

// How the rows are shown.
struct row_look {
    float high;        // of a row, pixels
    bool pictures;     // rows have pictures
    bool sizes, times; // those columns are shown
};

// Shows the name of a row, with its picture. A click picks the row, with Ctrl beside others, with Shift up to
// the last one; a double click opens it.
static void show_name(odori_ui *ui, const file_page *page, int number, const row_look &look)
{
    const file_row *row = &page->rows[number];
    char name[512];
    ImGuiIO &io = ImGui::GetIO();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = look.pictures ? look.high : 0, room = ImGui::GetContentRegionAvail().x;
    bool enters = row->is_folder || row->kind == MMD_NAME_ARCHIVE;
    ImGui::PushID(number);
    if (ui_row("##row", row->is_picked,
               ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick,
               ImVec2(0, look.high))) {
        if (ImGui::IsMouseDoubleClicked(0))
            ui_line(ui, "files.open %d", number);
        else
            ui_line(ui, "files.pick %d%s", number, io.KeyShift ? " range" : io.KeyCtrl ? " add" : "");
    }
    ImGui::PopID();
    const float indent = look.pictures ? side + ui_px(ui, 8) : 0;
    ui_elide(row->label, room - indent - ui_px(ui, 8), name, sizeof name - 1);
    if (enters)
        std::strcat(name, "/");
    if (look.pictures)
        draw_picture(page, row, at, side);
    ImGui::GetWindowDrawList()->AddText(
        ImVec2(at.x + indent, at.y + 0.5f * (look.high - ImGui::GetTextLineHeight())),
        enters ? theme_accent(1) : theme_text(1), name);
}

static void show_row(odori_ui *ui, const file_page *page, int number, const row_look &look)
{
    const file_row *row = &page->rows[number];
    char text[64] = "";
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    show_name(ui, page, number, look);
    if (look.sizes) {
        ImGui::TableNextColumn();
        if (!row->is_folder)
            write_size(row->size, text, sizeof text);
        show_detail(text, look.high);
    }
    if (look.times) {
        ImGui::TableNextColumn();
        write_time(row->time, text, sizeof text);
        show_detail(text, look.high);
    }
}

// Returns how rows are shown: with pictures where there can be any, and without times or sizes where names
// would have no room.
static row_look look_of(const odori_ui *ui, const file_page *page)
{
    const float wide = ImGui::GetContentRegionAvail().x;
    return {page->has_pictures ? ui_px(ui, PICTURE) : ImGui::GetTextLineHeight(), page->has_pictures,
            wide >= ui_px(ui, SIZES_FROM), wide >= ui_px(ui, TIMES_FROM)};
}

// Scrolls to the row that a key has picked, if it is outside.
static void follow_row(odori_ui *ui, const file_page *page, float row)
{
    if (ui->files_scrolls && page->last < page->count) {
        float at = (float)page->last * row, top = ImGui::GetScrollY(), seen = ImGui::GetWindowHeight() - row;
        if (at < top || at > top + seen)
            ImGui::SetScrollY(at - seen / 2);
    }
    ui->files_scrolls = false;
}

static void show_rows(odori_ui *ui, const file_page *page, float high)
{
    if (*page->error || !page->count) {
        ImGui::BeginChild("nothing", ImVec2(0, high));
        ImGui::TextWrapped("%s", *page->error    ? page->error
                                 : page->is_busy ? ui_translate(ui, TEXT_FILES_BUSY)
                                                 : ui_translate(ui, page->filter[0] ? TEXT_NOTHING_FOUND
                                                                    : page->has_others ? TEXT_FILES_NONE_OPEN
                                                                                    : TEXT_FILES_EMPTY));
        ImGui::EndChild();
        return;
    }
    const row_look look = look_of(ui, page);
    const int columns = 1 + look.sizes + look.times;
    const float row = look.high + 2 * ImGui::GetStyle().CellPadding.y;
    static const char *const tables[] = {"rows", "rows with sizes",
                                         "rows with times"}; // a table keeps its columns
    if (!ImGui::BeginTable(tables[columns - 1], columns, ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg,
                           ImVec2(0, high)))
        return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    if (look.sizes)
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ui_px(ui, 70));
    if (look.times)
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ui_px(ui, 125));
    if (ui->files_version != page->version)
        ImGui::SetScrollY(0);
    ui->files_version = page->version;
    ImGuiListClipper clipper;
    clipper.Begin((int)page->count, row);
    while (clipper.Step()) {
        ui->files_seen[0] = (size_t)clipper.DisplayStart;
        ui->files_seen[1] = (size_t)clipper.DisplayEnd;
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; i++)
            show_row(ui, page, i, look);
    }
    follow_row(ui, page, row);
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
                  ui_translate(ui, page->aim.replaces ? TEXT_REPLACE_MODEL : TEXT_FILES_OPEN), page->picked);
    ImVec2 size(ui_px(ui, 120), 0);
    ImGui::BeginDisabled(!page->picked);
    if (ImGui::Button(label, size))
        ui_line(ui, "files.open");
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (ImGui::Button(ui_translate(ui, TEXT_SAVE_CANCEL), size))
        ui_line(ui, "files off");
    ImGui::SameLine();
    ui_elide(ui_translate(ui, page->aim.replaces ? TEXT_REPLACE_HINT : TEXT_FILES_HINT),
             ImGui::GetContentRegionAvail().x, label, sizeof label);
    ImGui::TextDisabled("%s", label);
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
    ui->files_seen[0] = ui->files_seen[1] = 0;
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
