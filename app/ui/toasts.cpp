// Messages over the picture, in its upper right corner, newest first. A click closes one. Errors stay until
// then, or until Escape.
#include "ui_internal.h"

#include "message_words.h"

#include <cmath>
#include <cstdio>
#include <cstring>

static const float WIDTH = 340, MARGIN = 12, PAD = 10, STRIPE = 4, GAP = 8; // points
enum { LINES_MOST = 5, TOASTS_MOST = 4 };

// Copies a text. One that takes more lines of a width than LINES_MOST is shortened and ends in an ellipsis.
static ImVec2 fit_lines(const char *text, float width, char *out, size_t size)
{
    const float most = LINES_MOST * ImGui::GetTextLineHeight() + 0.5f;
    size_t length = std::strlen(text);
    std::snprintf(out, size, "%s", text);
    while (length > 0 && ImGui::CalcTextSize(out, nullptr, false, width).y > most) {
        do
            length--;
        while (length > 0 && (text[length] & 0xc0) == 0x80); // not inside of a character
        std::snprintf(out, size, "%.*s…", (int)length, text);
    }
    return ImGui::CalcTextSize(out, nullptr, false, width);
}

// Begins the window of a message, and returns whether it was clicked. whole: the message with its paths, for
// the tooltip, or NULL.
static bool begin_toast(odori_ui *ui, size_t number, ImVec2 at, ImVec2 size, ui_text help,
                        const char *whole = nullptr)
{
    char id[40];
    std::snprintf(id, sizeof id, "message %zu", number);
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    ImGui::SetNextWindowBgAlpha(0.94f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui_px(ui, 6));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::Begin(id, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleVar(3);
    ui_cover(ui);
    bool clicked = ImGui::InvisibleButton("close", size);
    if (ImGui::IsItemHovered()) {
        ImGui::GetWindowDrawList()->AddRect(at, ImVec2(at.x + size.x, at.y + size.y), theme_text(0.35f),
                                            ui_px(ui, 6));
        ui_tooltip(ui, whole ? whole : ui_translate(ui, help));
    }
    return clicked;
}

// Shows a message and returns its height.
static float toast(odori_ui *ui, const panel_message &m, ImVec2 at, float width)
{
    char text[512];
    const float pad = ui_px(ui, PAD), stripe = ui_px(ui, STRIPE), cross = ImGui::CalcTextSize("×").x;
    char brief[512];
    const bool is_brief = message_brief(m.text, brief, sizeof brief);
    char japanese[512];
    const bool is_told = ui->japanese && message_in_japanese(brief, japanese, sizeof japanese);
    const float wrap = width - stripe - 3 * pad - cross;
    const ImVec2 size = fit_lines(is_told ? japanese : brief, wrap, text, sizeof text);
    const float height = std::floor(size.y + 2 * pad);
    const ImU32 color = ImGui::GetColorU32(theme_message(m.kind));
    const ui_text help = m.kind == MESSAGE_ERROR ? TEXT_CLOSE_MESSAGE : TEXT_CLOSE_NEWS;
    if (begin_toast(ui, m.number, at, ImVec2(width, height), help, is_brief ? m.text : nullptr))
        ui_line(ui, "messages.close %zu", m.number);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, ImVec2(at.x + stripe, at.y + height), color, ui_px(ui, 6),
                        ImDrawFlags_RoundCornersLeft);
    list->AddText(ImGui::GetFont(), ImGui::GetFontSize(), ImVec2(at.x + stripe + pad, at.y + pad),
                  theme_text(1), text, nullptr, wrap);
    list->AddText(ImVec2(at.x + width - pad - cross, at.y + pad), theme_text(0.6f), "×");
    ImGui::End();
    return height;
}

void toasts_show(odori_ui *ui, const ui_scene *scene, const ui_display *display)
{
    const ui_rectangle &picture = display->layout.picture;
    const float margin = ui_px(ui, MARGIN), room = (float)picture.width - 2 * margin,
                width = std::floor(std::fmin(ui_px(ui, WIDTH), room)), wide = ui_px(ui, 120);
    ImVec2 at((float)picture.width - margin - width, margin);
    unsigned shown = 0, left = 0;
    bool warned = false;
    if (room < wide)
        return;
    if (scene->loading_name) // below the progress bar
        at.y += ui_px(ui, 56);
    for (size_t i = scene->log_count; i-- > 0;) {
        if (!scene->log[i].is_open)
            continue;
        bool is_warning = scene->log[i].kind == MESSAGE_WARNING;
        if (shown == TOASTS_MOST || (is_warning && warned) || at.y > 0.7f * (float)picture.height) {
            left++;
            continue;
        }
        shown++;
        warned |= is_warning;
        at.y += toast(ui, scene->log[i], at, width) + ui_px(ui, GAP);
    }
    if (!left)
        return;
    char text[96];
    std::snprintf(text, sizeof text, ui_translate(ui, TEXT_MORE_MESSAGES), left);
    const float pad = ui_px(ui, PAD);
    const ImVec2 size(width, ImGui::GetTextLineHeight() + 2 * pad);
    if (begin_toast(ui, SIZE_MAX, at, size, TEXT_LOG))
        ui_line(ui, "panels.page log");
    char shortened[sizeof text];
    ui_elide(text, width - 2 * pad, shortened, sizeof shortened);
    ImGui::GetWindowDrawList()->AddText(ImVec2(at.x + pad, at.y + pad), theme_text(0.8f), shortened);
    ImGui::End();
}
