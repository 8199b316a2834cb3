// Progress of files that are loaded in the background: a bar at the top of the picture, which takes no mouse
// input.
#include "ui_internal.h"

static const float WIDTH = 300.0f; // points

void loading_show(odori_ui *ui, const ui_scene *scene, const ui_display *display)
{
    float width = ui_px(ui, WIDTH), room = 0.9f * (float)display->layout.picture.width;
    if (width > room)
        width = room;
    ImGui::SetNextWindowPos(ImVec2(0.5f * (float)display->layout.picture.width, ui_px(ui, 12)),
                            ImGuiCond_Always, ImVec2(0.5f, 0.0f));
    ImGui::SetNextWindowSize(ImVec2(width, 0));
    ImGui::SetNextWindowBgAlpha(0.82f);
    ImGui::Begin("loading", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoInputs |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    const char *stops = ui_translate(ui, TEXT_ESC_STOPS);
    char name[256];
    ui_elide(scene->loading_name,
             ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(stops).x - ui_px(ui, 12), name,
             sizeof name);
    ImGui::TextUnformatted(name);
    ImGui::SameLine();
    float right = ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(stops).x;
    if (right > ImGui::GetCursorPosX())
        ImGui::SetCursorPosX(right);
    ImGui::TextDisabled("%s", stops);
    ImGui::ProgressBar((float)scene->loading, ImVec2(-1, ui_px(ui, 6)), "");
    ImGui::End();
}
