// The frame of the panels: takes input events, lays everything out, draws it, and returns command lines.
// Events wait in a queue, because ImGui's input state holds only one press per frame: a click that begins and
// ends between two slow frames would be lost.
#include "ui_internal.h"

#include "edit.h"
#include "base/language.h"
#include "document/bindings.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <new>

odori_ui *ui_create(void)
{
    odori_ui *ui = new (std::nothrow) odori_ui();
    if (!ui)
        return nullptr;
    ui->x = ui->y = -1.0f;
    ui->context = ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.MouseDoubleClickTime = 0.5f; // as on desktops; a slow picture needs it
    io.ConfigInputTextCursorBlink = false; // a blinking cursor would need new frames while nothing moves
    io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    const struct {
        ImGuiKey_ theirs;
        ui_key ours;
    } keys[] = {
        {ImGuiKey_Tab, UI_KEY_TAB},
        {ImGuiKey_LeftArrow, UI_KEY_LEFT},
        {ImGuiKey_RightArrow, UI_KEY_RIGHT},
        {ImGuiKey_UpArrow, UI_KEY_UP},
        {ImGuiKey_DownArrow, UI_KEY_DOWN},
        {ImGuiKey_Home, UI_KEY_HOME},
        {ImGuiKey_End, UI_KEY_END},
        {ImGuiKey_Delete, UI_KEY_DELETE},
        {ImGuiKey_Backspace, UI_KEY_BACKSPACE},
        {ImGuiKey_Enter, UI_KEY_ENTER},
        {ImGuiKey_Escape, UI_KEY_ESCAPE},
        {ImGuiKey_A, UI_KEY_A},
        {ImGuiKey_C, UI_KEY_C},
        {ImGuiKey_V, UI_KEY_V},
        {ImGuiKey_X, UI_KEY_X},
        {ImGuiKey_Z, UI_KEY_Z},
    };
    for (const auto &key : keys)
        io.KeyMap[key.theirs] = key.ours;
    if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
        ImGui::DestroyContext(ui->context);
        delete ui;
        return nullptr;
    }
    return ui;
}

void ui_destroy(odori_ui *ui)
{
    if (!ui)
        return;
    ImGui::SetCurrentContext(ui->context);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext(ui->context);
    delete ui;
}

// Returns whether a point is on one of the windows of the last frame.
static bool is_inside(const odori_ui *ui, float x, float y)
{
    for (unsigned i = 0; i < ui->rect_count; i++) {
        const ui_rect &r = ui->rects[i];
        if (x >= r.x0 && x < r.x1 && y >= r.y0 && y < r.y1)
            return true;
    }
    return false;
}

bool ui_has_pointer(const odori_ui *ui, double x, double y)
{
    return ui->pressed[0] || ui->pressed[1] || ui->pressed[2] || ui->has_popup ||
           is_inside(ui, (float)x, (float)y);
}

bool ui_has_keys(const odori_ui *ui)
{
    ImGui::SetCurrentContext(ui->context);
    return ui->saves || ui->browses || ImGui::GetIO().WantTextInput;
}

bool ui_is_unsettled(const odori_ui *ui)
{
    return ui->event_count > 0 || ui->settle > 0;
}

// Queues an event. Of successive moves only the last one is stored. When the queue is full, the event is
// dropped.
static void push(odori_ui *ui, const ui_event &event)
{
    ui->settle = UI_SETTLE;
    ui_event *last = ui->event_count ? &ui->events[ui->event_count - 1] : nullptr;
    if (last && last->kind == EVENT_MOVE && event.kind == EVENT_MOVE)
        *last = event;
    else if (ui->event_count < EVENT_MAX)
        ui->events[ui->event_count++] = event;
}

void ui_on_move(odori_ui *ui, double x, double y)
{
    ui->x = (float)x;
    ui->y = (float)y;
    push(ui, {EVENT_MOVE, ui->x, ui->y, 0, 0, false});
}

void ui_on_button(odori_ui *ui, int button, bool down)
{
    if (button < 0 || button > 2)
        return;
    ui->pressed[button] = down;
    push(ui, {EVENT_BUTTON, 0, 0, (uint32_t)button, 0, down});
}

void ui_on_wheel(odori_ui *ui, double notches)
{
    push(ui, {EVENT_WHEEL, 0, (float)notches, 0, 0, false});
}

void ui_on_key(odori_ui *ui, ui_key key, bool down, unsigned modifiers)
{
    push(ui, {EVENT_KEY, 0, 0, (uint32_t)key, modifiers, down});
}

void ui_on_modifiers(odori_ui *ui, unsigned modifiers)
{
    push(ui, {EVENT_MODIFIERS, 0, 0, 0, modifiers, false});
}

void ui_on_character(odori_ui *ui, uint32_t character)
{
    push(ui, {EVENT_CHARACTER, 0, 0, character, 0, false});
}

// Writes an event to ImGui's input state.
static void apply(const ui_event &event, ImGuiIO &io)
{
    switch (event.kind) {
    case EVENT_MOVE:
        io.MousePos = ImVec2(event.x, event.y);
        break;
    case EVENT_BUTTON:
        io.MouseDown[event.number] = event.down;
        break;
    case EVENT_WHEEL:
        io.MouseWheel += event.y;
        break;
    case EVENT_KEY:
        if (event.number != UI_KEY_NONE)
            io.KeysDown[event.number] = event.down;
        [[fallthrough]];
    case EVENT_MODIFIERS:
        io.KeyCtrl = event.modifiers & UI_CONTROL;
        io.KeyShift = event.modifiers & UI_SHIFT;
        break;
    case EVENT_CHARACTER:
        io.AddInputCharacter(event.number);
        break;
    }
}

// Applies events up to the first one that ImGui must see in a frame of its own: a button, a key, or the move
// before a button.
static void take_events(odori_ui *ui, ImGuiIO &io)
{
    unsigned taken = 0;
    for (bool stop = false; taken < ui->event_count && !stop; taken++) {
        const ui_event &event = ui->events[taken];
        apply(event, io);
        const ui_event *next = taken + 1 < ui->event_count ? &ui->events[taken + 1] : nullptr;
        stop = event.kind == EVENT_BUTTON || event.kind == EVENT_KEY ||
               (next && (next->kind == EVENT_BUTTON || next->kind == EVENT_MODIFIERS) &&
                event.kind == EVENT_MOVE);
    }
    ui->event_count -= taken;
    std::memmove(ui->events, ui->events + taken, ui->event_count * sizeof *ui->events);
}

// Prepares a frame: language, font, display size, time and input.
static void begin(odori_ui *ui, const ui_scene *scene, const ui_display *display)
{
    double wanted = display->scale;
    ImGuiIO &io = ImGui::GetIO();
    ui->japanese = scene->settings->language == PANEL_JAPANESE ||
                   (scene->settings->language == PANEL_LANGUAGE_AUTO && language_is_japanese());
    theme_update_font(ui, scene, (float)(wanted > 0 ? wanted : 1));
    io.DisplaySize = ImVec2((float)display->width, (float)display->height);
    double passed = display->seconds - ui->seconds;
    io.DeltaTime = (float)(passed > 0.001 ? passed < 0.2 ? passed : 0.2 : 0.001);
    ui->seconds = display->seconds;
    io.ClipboardUserData = display->user;
    io.GetClipboardTextFn = display->get_clipboard;
    io.SetClipboardTextFn = display->set_clipboard;
    take_events(ui, io);
    ui->rect_count = 0;
    ui->line_count = ui->line_next = 0;
}

static void render(odori_ui *ui)
{
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (ui->line_count)
        ui->settle = UI_SETTLE; // the result of the commands must be shown
}

void ui_frame(odori_ui *ui, const ui_scene *scene, const ui_display *display)
{
    ImGui::SetCurrentContext(ui->context);
    if (ui->settle > 0)
        ui->settle--;
    begin(ui, scene, display);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    if (scene->edit->is_seen)
        gizmo_show(ui, scene, display);
    ui->sheet.is_shown = scene->sheet != nullptr;
    if (display->timeline || scene->settings->shown || ui->scrubs || scene->sheet)
        timeline_show(ui, scene, display);
    if (scene->sheet && display->layout.sheet.height)
        sheet_show(ui, scene, display->layout.sheet);
    if (display->layout.panels.width)
        panels_show(ui, scene, display);
    if (scene->settings->first)
        first_show(ui, scene, display);
    if (scene->loading_name)
        loading_show(ui, scene, display);
    if (scene->hints)
        hint_show(ui, scene, display);
    if (scene->inspection)
        overlay_pixel(ui, scene, display);
    if (!scene->settings->hides_toasts)
        toasts_show(ui, scene, display);
    if (scene->bindings)
        overlay_keys(ui, scene, display);
    files_page_show(ui, scene, display);
    saving_show(ui, scene, display);
    ui->has_popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    ImGuiMouseCursor cursor = ImGui::GetMouseCursor();
    ui->cursor = cursor == ImGuiMouseCursor_ResizeEW   ? UI_CURSOR_ACROSS
                 : cursor == ImGuiMouseCursor_ResizeNS ? UI_CURSOR_UPRIGHT
                                                       : UI_CURSOR_ARROW;
    render(ui);
}

void ui_menu_frame(odori_ui *ui, const ui_scene *scene, const ui_display *display, const ui_menu *menu)
{
    ImGui::SetCurrentContext(ui->context);
    if (ui->settle > 0)
        ui->settle--;
    begin(ui, scene, display);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    menu_show(ui, menu, display);
    render(ui);
}

ui_cursor ui_cursor_wanted(const odori_ui *ui)
{
    return ui->cursor;
}

void ui_files_seen(const odori_ui *ui, size_t *first, size_t *end)
{
    *first = ui->files_seen[0];
    *end = ui->files_seen[1];
}

void ui_hide(odori_ui *ui)
{
    ImGui::SetCurrentContext(ui->context);
    ImGuiIO &io = ImGui::GetIO();
    std::fill(std::begin(io.KeysDown), std::end(io.KeysDown), false);
    std::fill(std::begin(io.MouseDown), std::end(io.MouseDown), false);
    std::fill(std::begin(ui->pressed), std::end(ui->pressed), false);
    io.MousePos = ImVec2(ui->x, ui->y);
    if (ui->has_popup)
        ImGui::ClosePopupToLevel(0, false);
    ImGui::ClearActiveID();
    ui->browses = ui->saves = ui->has_popup = false;
    ui->event_count = ui->rect_count = 0;
    ui->files_seen[0] = ui->files_seen[1] = 0;
    ui->settle = UI_SETTLE; // what is shown next, perhaps without an event, takes as many frames
}

const char *ui_next_line(odori_ui *ui)
{
    return ui->line_next < ui->line_count ? ui->lines[ui->line_next++] : nullptr;
}

void ui_line(odori_ui *ui, const char *format, ...)
{
    if (ui->line_count == LINES_MAX)
        return;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(ui->lines[ui->line_count], UI_LINE_MAX, format, arguments);
    va_end(arguments);
    if (length > 0)
        ui->line_count++;
}

ui_word ui_quote(const char *name)
{
    ui_word word;
    size_t n = 0;
    word.text[n++] = '"';
    for (const char *c = name; *c && n + 4 < sizeof word.text; c++) {
        if (*c == '"' || *c == '\\')
            word.text[n++] = '\\';
        word.text[n++] = *c;
    }
    word.text[n++] = '"';
    word.text[n] = '\0';
    return word;
}

void ui_cover(odori_ui *ui)
{
    if (ui->rect_count == RECTS_MAX)
        return;
    ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ui->rects[ui->rect_count++] = {at.x, at.y, at.x + size.x, at.y + size.y};
}

bool ui_edge(odori_ui *ui, bool upright, float *place)
{
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize(), inside = ImGui::GetCursorPos(),
                 mouse = ImGui::GetIO().MousePos;
    const float thick = ui_px(ui, 5);
    const ImVec2 edge = upright ? ImVec2(size.x, thick) : ImVec2(thick, size.y);
    ImGui::PushClipRect(at, ImVec2(at.x + size.x, at.y + size.y), false); // ImGui leaves out the padding
    ImGui::SetCursorScreenPos(at);
    ImGui::InvisibleButton("edge", edge);
    bool active = ImGui::IsItemActive(), seen = active || ImGui::IsItemHovered();
    if (ImGui::IsItemActivated())
        ui->grip = upright ? mouse.y - at.y : mouse.x - at.x;
    if (seen) {
        ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeNS : ImGuiMouseCursor_ResizeEW);
        ImGui::GetWindowDrawList()->AddRectFilled(
            at, ImVec2(at.x + (upright ? size.x : ui_px(ui, 2)), at.y + (upright ? ui_px(ui, 2) : size.y)),
            theme_accent(active ? 1.0f : 0.6f));
    }
    ImGui::PopClipRect();
    ImGui::SetCursorPos(inside);
    *place = (upright ? mouse.y : mouse.x) - ui->grip;
    return active && *place != (upright ? at.y : at.x);
}

void ui_join_drag(odori_ui *ui)
{
    if (ImGui::IsItemActivated() && !ui->joins) {
        ui->joins = true;
        ui_line(ui, "edit.join on");
    }
    if (ImGui::IsItemDeactivated() && ui->joins) {
        ui->joins = false;
        ui_line(ui, "edit.join off");
    }
}

const char *ui_name(const odori_ui *ui, const char *name, const char *english)
{
    bool has_english = english && *english;
    if (!ui->japanese && has_english)
        return english;
    return name && *name ? name : has_english ? english : "-";
}

const char *ui_file_name(const char *path)
{
    const char *slash = std::strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void ui_elide(const char *text, float width, char *out, size_t size)
{
    size_t length = std::strlen(text);
    std::snprintf(out, size, "%s", text);
    if (ImGui::CalcTextSize(text).x <= width && length < size)
        return;
    width -= ImGui::CalcTextSize("…").x;
    if (length + sizeof "…" > size)
        length = size - sizeof "…";
    while (length > 0 && ((text[length] & 0xc0) == 0x80 || // inside of a character
                          ImGui::CalcTextSize(text, text + length).x > width))
        length--;
    std::snprintf(out, size, "%.*s…", (int)length, text);
}

void ui_elide_folder(const char *path, float width, char *out, size_t size)
{
    const int length = (int)(ui_file_name(path) - path);
    std::snprintf(out, size, "%.*s", length, path);
    for (const char *from = path; ImGui::CalcTextSize(out).x > width && *from;) {
        from++;
        if ((*from & 0xc0) != 0x80) // not inside of a character
            std::snprintf(out, size, "…%.*s", length - (int)(from - path), from);
        if (from == path + length)
            break;
    }
}

bool ui_checkbox(odori_ui *ui, ui_text title, bool *on)
{
    char text[128], label[160];
    const char *whole = ui_translate(ui, title);
    const float box = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x;
    ui_elide(whole, ImGui::GetContentRegionAvail().x - box, text, sizeof text);
    std::snprintf(label, sizeof label, "%s###%d", text, (int)title);
    bool clicked = ImGui::Checkbox(label, on);
    if (std::strcmp(text, whole) != 0 && ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", whole);
    return clicked;
}

bool ui_row(const char *title, bool is_chosen, ImGuiSelectableFlags flags, const ImVec2 &size)
{
    if (is_chosen) // the colour under the pointer would hide it
        ImGui::PushStyleColor(ImGuiCol_HeaderHovered, ImGui::GetStyleColorVec4(ImGuiCol_HeaderActive));
    const bool clicked = ImGui::Selectable(title, is_chosen, flags, size);
    if (is_chosen)
        ImGui::PopStyleColor();
    return clicked;
}

const char *ui_key_of(const ui_scene *scene, const char *command)
{
    const char *key = scene->active_keys ? bindings_key_of(scene->active_keys, command) : nullptr;
    return key ? key : "–";
}

ui_help ui_with_key(const odori_ui *ui, const ui_scene *scene, ui_text text, const char *command)
{
    ui_help help;
    const char *key = scene->active_keys ? bindings_key_of(scene->active_keys, command) : nullptr;
    if (key)
        std::snprintf(help.text, sizeof help.text, ui_translate(ui, TEXT_WITH_KEY), ui_translate(ui, text),
                      key);
    else
        std::snprintf(help.text, sizeof help.text, "%s", ui_translate(ui, text));
    return help;
}

void ui_tooltip(const odori_ui *ui, const char *text)
{
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ui_px(ui, 460));
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void ui_begin_list(const odori_ui *ui, float below)
{
    const float room = ImGui::GetContentRegionAvail().y - below, least = ui_px(ui, 90);
    ImGui::BeginChild("list", ImVec2(0, room > least ? room : least));
}

bool ui_passes(const ImGuiTextFilter &filter, const char *name, const char *english)
{
    return filter.PassFilter(name ? name : "") || (english && *english && filter.PassFilter(english));
}

void ui_filter(odori_ui *ui, ImGuiTextFilter *filter, const char *id)
{
    ImGui::SetNextItemWidth(-1.0f);
    if (ImGui::InputTextWithHint(id, ui_translate(ui, TEXT_FILTER), filter->InputBuf,
                                 sizeof filter->InputBuf))
        filter->Build();
}
