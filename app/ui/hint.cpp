// The hint of the first seconds: the most important keys and the mouse, above the timeline.
#include "ui_internal.h"

#include "document/bindings.h"

static const float MARGIN = 14, PAD_X = 16, PAD_Y = 9, GAP = 22, BETWEEN = 7; // points

// A key or mouse gesture, and what it does.
struct hint_piece {
    const char *key, *help;
    float width, key_width; // pixels
    ImVec2 at;              // in the window of the hint
};
enum { PIECES = 5 };

// Collects the pieces, with the keys that are in use now. What no key does is left out. Returns how many
// there are.
static int collect(const odori_ui *ui, const ui_scene *scene, hint_piece pieces[PIECES])
{
    static const struct {
        const char *command;
        ui_text help;
    } rows[] = {{"play.toggle", TEXT_HINT_PLAY},
                {"toggle keys", TEXT_HINT_KEYS},
                {"file.choose", TEXT_HINT_OPEN},
                {"panels.toggle", TEXT_HINT_PANELS}};
    int count = 0;
    for (const auto &row : rows) {
        const char *key = scene->active_keys ? bindings_key_of(scene->active_keys, row.command) : nullptr;
        if (key)
            pieces[count++] = {key, ui_translate(ui, row.help), 0, 0, {}};
    }
    pieces[count++] = {ui_translate(ui, scene->left_turns ? TEXT_MOUSE_LEFT : TEXT_MOUSE_RIGHT),
                       ui_translate(ui, TEXT_HINT_ORBIT),
                       0,
                       0,
                       {}};
    return count;
}

// Arranges the pieces in rows that are at most `room` pixels wide. Returns the size of all.
static ImVec2 arrange(const odori_ui *ui, hint_piece *pieces, int count, float room)
{
    const float gap = ui_px(ui, GAP), row = ImGui::GetTextLineHeight() + ui_px(ui, 5);
    ImVec2 at(0, 0), size(0, 0);
    for (int i = 0; i < count; i++) {
        hint_piece *p = &pieces[i];
        p->key_width = ImGui::CalcTextSize(p->key).x;
        p->width = p->key_width + ui_px(ui, BETWEEN) + ImGui::CalcTextSize(p->help).x;
        if (at.x > 0 && at.x + p->width > room)
            at = ImVec2(0, at.y + row);
        p->at = at;
        at.x += p->width;
        size.x = at.x > size.x ? at.x : size.x;
        at.x += gap;
    }
    size.y = at.y + ImGui::GetTextLineHeight();
    return size;
}

// Shows the hint. It takes no mouse events.
void hint_show(odori_ui *ui, const ui_scene *scene, const ui_display *display)
{
    const ui_layout &layout = display->layout;
    const float margin = ui_px(ui, MARGIN), pad_x = ui_px(ui, PAD_X), pad_y = ui_px(ui, PAD_Y),
                room = (float)layout.picture.width - 2 * (margin + pad_x),
                bottom = (float)(layout.bar_is_over ? layout.bar.y : layout.picture.height);
    hint_piece pieces[PIECES];
    const int count = collect(ui, scene, pieces);
    const ImVec2 inner = arrange(ui, pieces, count, room), size(inner.x + 2 * pad_x, inner.y + 2 * pad_y);
    const ImVec2 at(((float)layout.picture.width - size.x) / 2, bottom - margin - size.y);
    if (at.x < 0 || at.y < 0)
        return;
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    ImGui::SetNextWindowBgAlpha(0.88f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui_px(ui, 8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::Begin("hint", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (int i = 0; i < count; i++) {
        const ImVec2 left(at.x + pad_x + pieces[i].at.x, at.y + pad_y + pieces[i].at.y);
        list->AddText(left, theme_accent(1), pieces[i].key);
        list->AddText(ImVec2(left.x + pieces[i].key_width + ui_px(ui, BETWEEN), left.y), theme_text(0.92f),
                      pieces[i].help);
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
}
