// The pages of the whole scene: Models, Physics, View, Statistics, Messages.
#include "ui_internal.h"

#include "document/bindings.h"
#include "message_words.h"

#include <cmath>
#include <cstdio>
#include <cstring>

// Shows a checkbox that runs a command with "on" or "off".
static void check(odori_ui *ui, ui_text title, bool on, const char *command)
{
    if (ui_checkbox(ui, title, &on))
        ui_line(ui, "%s %s", command, on ? "on" : "off");
}

// Shows a section title with a line below.
static void heading(const odori_ui *ui, ui_text title)
{
    ImGui::Spacing();
    ImGui::TextDisabled("%s", ui_translate(ui, title));
    ImGui::Separator();
}

// Shows the label of a setting in a column of fixed width. The next widget fills the rest of the line.
static void label(const odori_ui *ui, ui_text title)
{
    const float column = std::fmin(ui_px(ui, 100), 0.4f * ImGui::GetWindowWidth());
    char text[64];
    ui_elide(ui_translate(ui, title), column - ImGui::GetCursorPosX() - ui_px(ui, 4), text, sizeof text);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text);
    ImGui::SameLine(column);
    ImGui::SetNextItemWidth(-1);
}

// Continues the line in the second column of checkboxes, if the panels are wide enough for the next one.
static void second_column(const odori_ui *ui, ui_text next)
{
    const float column = ui_px(ui, 160), box = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x,
                end = column + box + ImGui::CalcTextSize(ui_translate(ui, next)).x;
    if (end <= ImGui::GetWindowContentRegionMax().x)
        ImGui::SameLine(column);
}

// Shows a model in the list: its visibility and its title. Only a click on the title selects it.
static void model_row(odori_ui *ui, const ui_scene *scene, size_t i)
{
    const ui_model *m = &scene->models[i];
    bool visible = m->staging.visible, chosen = i == scene->selected;
    ImGui::PushID((int)i);
    if (ImGui::Checkbox("##visible", &visible))
        ui_line(ui, "model.visible %s %zu", visible ? "on" : "off", i);
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    bool picked = ui_row("##title", chosen, 0, ImVec2(0, 0));
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%zu: %s", i, m->title);
    char shown[256], file[256];
    ImGui::SameLine();
    ui_elide(ui_model_name(ui, m), ImGui::GetContentRegionAvail().x, shown, sizeof shown);
    ImGui::TextUnformatted(shown);
    if (!ui_model_is_unlike(ui, scene, i)) {
        ImGui::SameLine();
        std::snprintf(file, sizeof file, "%zu: %.200s", i, m->title);
        ui_elide(file, ImGui::GetContentRegionAvail().x, shown, sizeof shown);
        ImGui::TextDisabled("%s", shown);
    }
    if (picked)
        ui_line(ui, "model.select %zu", i);
    ImGui::PopID();
}

// Shows a count in two table cells.
static void fact(const odori_ui *ui, ui_text title, size_t number)
{
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%s", ui_translate(ui, title));
    ImGui::TableNextColumn();
    ImGui::Text("%zu", number);
}

// Shows the sizes of the selected model.
static void model_facts(const odori_ui *ui, const mmd_model *model)
{
    // Columns of known width: those by their contents are only right some frames after the page was opened.
    const float gap = 2 * ImGui::GetStyle().CellPadding.x,
                name = ImGui::CalcTextSize(ui_translate(ui, TEXT_BODIES)).x + gap,
                number = ImGui::CalcTextSize("00000").x + gap;
    const int columns = ImGui::GetContentRegionAvail().x >= 2 * (name + number) ? 4 : 2;
    if (!ImGui::BeginTable(columns == 4 ? "facts" : "facts below each other", columns,
                           ImGuiTableFlags_SizingStretchProp))
        return;
    for (int i = 0; i < columns; i++)
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, i % 2 ? number : name);
    fact(ui, TEXT_VERTICES, model->vertices.count);
    fact(ui, TEXT_TRIANGLES, model->index_count / 3);
    fact(ui, TEXT_BONES, model->bone_count);
    fact(ui, TEXT_MORPHS, model->morph_count);
    fact(ui, TEXT_MATERIALS, model->material_count);
    fact(ui, TEXT_BODIES, model->body_count);
    ImGui::EndTable();
}

// Shows three drag fields with a label. Returns whether one has changed.
static bool three(odori_ui *ui, ui_text title, float values[3], float speed, const char *format)
{
    ImGui::PushID((int)title);
    label(ui, title);
    bool changed = ImGui::DragFloat3("##place", values, speed, -1e6f, 1e6f, format);
    ui_join_drag(ui);
    ImGui::PopID();
    return changed;
}

// Shows the placement of the model: position in units, rotation in degrees, scale as a factor.
static void placement(odori_ui *ui, const mmd_staging *staging)
{
    const float degrees = 57.2957795f;
    float position[3], rotation[3], scale = staging->scale;
    for (int k = 0; k < 3; k++) {
        position[k] = staging->position[k];
        rotation[k] = staging->rotation[k] * degrees;
    }
    bool changed = three(ui, TEXT_POSITION, position, 0.05f, "%.2f");
    changed |= three(ui, TEXT_ROTATION, rotation, 0.5f, "%.1f");
    label(ui, TEXT_SCALE);
    changed |=
        ImGui::DragFloat("##scale", &scale, 0.005f, 0.001f, 1000, "%.3f", ImGuiSliderFlags_AlwaysClamp);
    ui_join_drag(ui);
    if (changed)
        ui_line(ui, "model.place %.9g %.9g %.9g %.9g %.9g %.9g %.9g", (double)position[0],
                (double)position[1], (double)position[2], (double)rotation[0], (double)rotation[1],
                (double)rotation[2], (double)scale);
}

// Shows the name of the selected model as a field, its draw order, and the buttons that remove and replace
// it.
static void list_buttons(odori_ui *ui, const ui_scene *scene)
{
    const ui_model *m = &scene->models[scene->selected];
    int order = m->staging.draw_order;
    ImGui::PushID((int)scene->selected);
    label(ui, TEXT_NAME);
    if (!ui->renames)
        std::snprintf(ui->name, sizeof ui->name, "%s", ui_model_name(ui, m));
    bool entered =
        ImGui::InputText("##name", ui->name, sizeof ui->name, ImGuiInputTextFlags_EnterReturnsTrue);
    ui->renames = ImGui::IsItemActive();
    if ((entered || ImGui::IsItemDeactivatedAfterEdit()) && ui->name[0] &&
        std::strcmp(ui->name, ui_model_name(ui, m)) != 0)
        ui_line(ui, "model.rename %zu %s", scene->selected, ui_quote(ui->name).text);
    label(ui, TEXT_DRAW_ORDER);
    if (ImGui::InputInt("##order", &order, 1, 1))
        ui_line(ui, "model.order %d", order < -1000000 ? -1000000 : order > 1000000 ? 1000000 : order);
    float half = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
    if (ImGui::Button(ui_translate(ui, TEXT_REMOVE_MODEL), ImVec2(half, 0)))
        ui_line(ui, "model.remove %zu", scene->selected);
    ImGui::SameLine();
    if (ImGui::Button(ui_translate(ui, TEXT_REPLACE_MODEL), ImVec2(half, 0)))
        ui_line(ui, "model.replace %zu", scene->selected);
    ImGui::PopID();
}

// Shows a button that moves an entry of the playlist up or down.
static void dance_arrow(odori_ui *ui, const ui_scene *scene, size_t i, ImGuiDir direction)
{
    bool is_up = direction == ImGuiDir_Up;
    ImGui::BeginDisabled(is_up ? i == 0 : i + 1 == scene->dance_count);
    if (ImGui::ArrowButton(is_up ? "up" : "down", direction))
        ui_line(ui, "playlist.move %zu %zu", i, is_up ? i - 1 : i + 1);
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", ui_translate(ui, is_up ? TEXT_PLAYLIST_UP : TEXT_PLAYLIST_DOWN));
    ImGui::EndDisabled();
}

// Shows an entry of the playlist, with buttons that move it up and down and one that removes it.
static void dance_row(odori_ui *ui, const ui_scene *scene, size_t i)
{
    char name[256];
    float button = ImGui::GetFrameHeight(), buttons = 3 * button + 2 * ui_px(ui, 2),
          room = ImGui::GetContentRegionAvail().x - buttons - ui_px(ui, 12);
    ImGui::PushID((int)i);
    ui_elide(scene->dances[i], room, name, sizeof name);
    ImGui::AlignTextToFramePadding();
    if (ui_row(name, i == scene->dance, 0, ImVec2(room, 0)))
        ui_line(ui, "playlist.go %zu", i);
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", scene->dances[i]);
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - buttons);
    dance_arrow(ui, scene, i, ImGuiDir_Up);
    ImGui::SameLine(0, ui_px(ui, 2));
    dance_arrow(ui, scene, i, ImGuiDir_Down);
    ImGui::SameLine(0, ui_px(ui, 2));
    if (ImGui::Button("×", ImVec2(button, 0)))
        ui_line(ui, "playlist.remove %zu", i);
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", ui_translate(ui, TEXT_PLAYLIST_REMOVE));
    ImGui::PopID();
}

// Shows the playlist, and what adds to it. An id of its own keeps the rows apart from those of models.
static void playlist_show(odori_ui *ui, const ui_scene *scene)
{
    float fade = (float)scene->fade_seconds;
    heading(ui, TEXT_PLAYLIST);
    ImGui::PushID("playlist");
    for (size_t i = 0; i < scene->dance_count; i++)
        dance_row(ui, scene, i);
    float half = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
    if (ImGui::Button(ui_translate(ui, TEXT_PLAYLIST_ADD),
                      ImVec2(scene->dance_count > 1 ? half : -1.0f, 0)))
        ui_line(ui, "playlist.add");
    if (scene->dance_count > 1) {
        ImGui::SameLine();
        if (ImGui::Button(ui_translate(ui, TEXT_PLAYLIST_NEXT), ImVec2(half, 0)))
            ui_line(ui, "playlist.next");
        label(ui, TEXT_PLAYLIST_FADE);
        if (ImGui::SliderFloat("##fade", &fade, 0, 10, "%.1f s", ImGuiSliderFlags_AlwaysClamp))
            ui_line(ui, "motion.fade %g", (double)fade);
    }
    ImGui::PopID();
}

// Shows the motions of the selected model, each with a switch and its weight. A weight is set when its slider
// is released, because physics begins again with each.
static void motions(odori_ui *ui, const ui_scene *scene)
{
    if (!scene->motion_count)
        return;
    heading(ui, TEXT_MOTIONS);
    for (size_t i = 0; i < scene->motion_count; i++) {
        const ui_motion *m = &scene->motions[i];
        const float slider = ui_px(ui, 80), gap = ImGui::GetStyle().ItemSpacing.x;
        float weight = ui->slides && ui->slid == i ? ui->slid_weight : m->weight;
        bool on = m->weight > 0;
        char name[256];
        ImGui::PushID((int)i);
        if (ImGui::Checkbox("##on", &on))
            ui_line(ui, "motion.weight %zu %d", i, on);
        ImGui::SameLine();
        ui_elide(*m->name ? m->name : ui_translate(ui, TEXT_SHEET), ImGui::GetContentRegionAvail().x - slider - gap,
                 name, sizeof name);
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(name);
        if (ImGui::IsItemHovered() && *m->name)
            ImGui::SetTooltip("%s", m->name);
        ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - slider);
        ImGui::SetNextItemWidth(slider);
        if (ImGui::SliderFloat("##weight", &weight, 0, 1, "%.2f", ImGuiSliderFlags_AlwaysClamp)) {
            ui->slides = true;
            ui->slid = i;
            ui->slid_weight = weight;
        }
        if (ui->slides && ui->slid == i && !ImGui::IsItemActive()) {
            ui->slides = false;
            ui_line(ui, "motion.weight %zu %g", i, (double)ui->slid_weight);
        }
        ImGui::PopID();
    }
}

void page_models(odori_ui *ui, const ui_scene *scene)
{
    if (scene->selected >= scene->model_count || scene->models[scene->selected].is_removed) {
        ImGui::TextDisabled("%s", ui_translate(ui, TEXT_NONE));
        playlist_show(ui, scene);
        files_show(ui, scene);
        return;
    }
    for (size_t i = 0; i < scene->model_count; i++)
        if (!scene->models[i].is_removed)
            model_row(ui, scene, i);
    const ui_model *m = &scene->models[scene->selected];
    float opacity = m->staging.opacity;
    heading(ui, TEXT_PLACEMENT);
    placement(ui, &m->staging);
    heading(ui, TEXT_RENDERING);
    label(ui, TEXT_OPACITY);
    if (ImGui::SliderFloat("##opacity", &opacity, 0, 1, "%.2f"))
        ui_line(ui, "model.opacity %g", (double)(opacity < 0 ? 0 : opacity > 1 ? 1 : opacity));
    check(ui, TEXT_SHADOWS, m->staging.self_shadow || m->staging.ground_shadow, "model.shadow");
    second_column(ui, TEXT_ADDITIVE);
    check(ui, TEXT_ADDITIVE, m->staging.additive, "model.additive");
    list_buttons(ui, scene);
    motions(ui, scene);
    heading(ui, TEXT_STATISTICS);
    model_facts(ui, m->model);
    playlist_show(ui, scene);
    files_show(ui, scene);
}

void page_physics(odori_ui *ui, const ui_scene *scene)
{
    check(ui, TEXT_SIMULATE, scene->physics, "physics");
    ImGui::BeginDisabled(!scene->physics);
    check(ui, TEXT_GROUND, scene->ground, "physics.ground");
    float gravity[3] = {scene->gravity[0], scene->gravity[1], scene->gravity[2]};
    label(ui, TEXT_GRAVITY);
    if (ImGui::DragFloat3("##gravity", gravity, 1, -1000, 1000, "%.1f"))
        ui_line(ui, "physics.gravity %g %g %g", (double)gravity[0], (double)gravity[1], (double)gravity[2]);
    if (ImGui::Button(ui_translate(ui, TEXT_RESTART), ImVec2(-1, 0)))
        ui_line(ui, "physics.reset");
    ImGui::EndDisabled();
    heading(ui, TEXT_DEBUG_LINES);
    check(ui, TEXT_BODIES, scene->view.show_bodies, "view.bodies");
    check(ui, TEXT_JOINTS, scene->view.show_joints, "view.joints");
    check(ui, TEXT_CONTACTS, scene->view.show_contacts, "view.contacts");
    heading(ui, TEXT_STATISTICS);
    ImGui::TextDisabled("%s", ui_translate(ui, TEXT_BODIES));
    ImGui::SameLine();
    ImGui::Text("%zu", scene->statistics.bodies);
    ImGui::SameLine(0, ui_px(ui, 16));
    ImGui::TextDisabled("%s", ui_translate(ui, TEXT_JOINTS));
    ImGui::SameLine();
    ImGui::Text("%zu", scene->statistics.joints);
}

// Shows colour and direction of the light.
static void light(odori_ui *ui, const ui_scene *scene)
{
    float color[3], direction[3];
    for (int k = 0; k < 3; k++) {
        color[k] = scene->light.color[k];
        direction[k] = scene->light.direction[k];
    }
    label(ui, TEXT_COLOR);
    if (ImGui::ColorEdit3("##light", color, ImGuiColorEditFlags_Float))
        ui_line(ui, "light.color %g %g %g", (double)color[0], (double)color[1], (double)color[2]);
    label(ui, TEXT_DIRECTION);
    if (ImGui::SliderFloat3("##direction", direction, -1, 1, "%.2f") &&
        (direction[0] != 0 || direction[1] != 0 || direction[2] != 0))
        ui_line(ui, "light.direction %g %g %g", (double)direction[0], (double)direction[1],
                (double)direction[2]);
    if (ImGui::Button(ui_translate(ui, TEXT_RESET), ImVec2(-1, 0)))
        ui_line(ui, "light.reset");
}

// Shows the background colour.
static void background(odori_ui *ui, const ui_scene *scene)
{
    float color[3] = {scene->view.background[0], scene->view.background[1], scene->view.background[2]};
    label(ui, TEXT_BACKGROUND);
    if (ImGui::ColorEdit3("##background", color, ImGuiColorEditFlags_DisplayHex)) {
        unsigned number[3];
        for (int k = 0; k < 3; k++)
            number[k] = (unsigned)(255 * (color[k] < 0 ? 0 : color[k] > 1 ? 1 : color[k]) + 0.5f);
        ui_line(ui, "view.background %02x%02x%02x", number[0], number[1], number[2]);
    }
    bool clear = scene->view.background[3] < 1;
    if (ui_checkbox(ui, TEXT_TRANSPARENT, &clear))
        ui_line(ui, "view.background %s", clear ? "transparent" : scene->settings->pale ? "e0e8f5" : "ffffff");
}

// Shows the choice of the set of keys.
static void key_sets(odori_ui *ui, const ui_scene *scene)
{
    static const ui_text names[KEY_SETS] = {TEXT_KEYS_OF_ODORI, TEXT_KEYS_OF_MMD, TEXT_KEYS_OF_BLENDER};
    label(ui, TEXT_KEY_SET);
    if (!ImGui::BeginCombo("##keys", ui_translate(ui, names[scene->keys])))
        return;
    for (int i = 0; i < KEY_SETS; i++)
        if (ImGui::Selectable(ui_translate(ui, names[i]), (int)scene->keys == i))
            ui_line(ui, "input.keys %s", bindings_set_name((key_set)i));
    ImGui::EndCombo();
}

// Shows language and scale of the panels themselves.
static void settings(odori_ui *ui, const ui_scene *scene)
{
    const struct {
        const char *title, *command;
        panel_language language;
    } languages[] = {
        {ui_translate(ui, TEXT_AUTOMATIC), "auto", PANEL_LANGUAGE_AUTO},
        {"English", "en", PANEL_ENGLISH},
        {ui->has_japanese ? "日本語" : "Japanese", "ja", PANEL_JAPANESE},
    };
    label(ui, TEXT_LANGUAGE);
    if (ImGui::BeginCombo("##language", languages[scene->settings->language].title)) {
        for (const auto &l : languages)
            if (ImGui::Selectable(l.title, scene->settings->language == l.language))
                ui_line(ui, "panels.language %s", l.command);
        ImGui::EndCombo();
    }
    static const double scales[] = {0, 0.75, 1, 1.25, 1.5, 2, 3};
    char now[32];
    const auto name = [ui, &now](double scale) -> const char * {
        if (scale == 0)
            return ui_translate(ui, TEXT_AUTOMATIC);
        std::snprintf(now, sizeof now, "%.0f %%", 100 * scale);
        return now;
    };
    bool continues = scene->settings->continues, pale = scene->settings->pale;
    if (ImGui::Checkbox(ui_translate(ui, TEXT_CONTINUES), &continues))
        ui_line(ui, "play.continue %s", continues ? "on" : "off");
    if (ImGui::Checkbox(ui_translate(ui, TEXT_PALE), &pale))
        ui_line(ui, "view.look %s", pale ? "pale" : "mmd");
    label(ui, TEXT_SCALE);
    if (ImGui::BeginCombo("##size", name(scene->settings->scale))) {
        for (double scale : scales)
            if (ImGui::Selectable(name(scale), scene->settings->scale == scale))
                ui_line(ui, "panels.scale %g", scale);
        ImGui::EndCombo();
    }
}

// Shows the display mode of models: the normal rendering, or views for modellers. The mode of bone weights is
// entered on the Bones page, because it needs a bone.
static void surface(odori_ui *ui, const ui_scene *scene)
{
    static const struct {
        ui_text title;
        const char *line; // command that enters it; NULL: not from here
    } surfaces[] = {
        {TEXT_SURFACE_DEFAULT, "view.clay off"},
        {TEXT_SURFACE_CLAY, "view.clay on"},
        {TEXT_SURFACE_WEIGHTS, nullptr},
        {TEXT_SURFACE_MODELS, "view.ids model"},
        {TEXT_SURFACE_MATERIALS, "view.ids material"},
        {TEXT_SURFACE_BONES, "view.ids bone"},
    };
    label(ui, TEXT_SURFACE);
    if (!ImGui::BeginCombo("##surface", ui_translate(ui, surfaces[scene->view.surface].title)))
        return;
    for (size_t i = 0; i < IM_ARRAYSIZE(surfaces); i++)
        if (surfaces[i].line &&
            ImGui::Selectable(ui_translate(ui, surfaces[i].title), scene->view.surface == (mmd_surface)i)) {
            ui_line(ui, "view.ids none"); // leaves the present mode, whichever it is
            ui_line(ui, "view.weights off");
            ui_line(ui, "%s", surfaces[i].line);
        }
    ImGui::EndCombo();
}

// Shows two checkboxes side by side.
static void pair(odori_ui *ui, ui_text a, bool a_on, const char *a_command, ui_text b, bool b_on,
                 const char *b_command)
{
    check(ui, a, a_on, a_command);
    second_column(ui, b);
    check(ui, b, b_on, b_command);
}

// Shows the volume and the time of the scene at which the audio starts.
static void sound(odori_ui *ui, const ui_scene *scene)
{
    float volume = 100 * (float)scene->volume;
    if (!scene->has_sound)
        return;
    heading(ui, TEXT_SOUND);
    label(ui, TEXT_VOLUME);
    if (ImGui::SliderFloat("##volume", &volume, 0, 150, "%.0f %%", ImGuiSliderFlags_AlwaysClamp))
        ui_line(ui, "audio.volume %g", (double)volume / 100);
    float offset = (float)scene->sound_offset;
    label(ui, TEXT_OFFSET);
    if (ImGui::DragFloat("##offset", &offset, 0.01f, -600, 600, "%.2f s"))
        ui_line(ui, "audio.offset %.9g", (double)offset);
}

void page_view(odori_ui *ui, const ui_scene *scene)
{
    const mmd_view_options *view = &scene->view;
    ImGui::BeginChild("view");
    surface(ui, scene);
    pair(ui, TEXT_WIREFRAME, view->show_wireframe, "view.wireframe", TEXT_NORMALS, view->show_normals,
         "view.normals");
    pair(ui, TEXT_BONES, view->show_bones, "view.bones", TEXT_GRID, view->grid, "view.grid");
    heading(ui, TEXT_RENDERING);
    pair(ui, TEXT_EDGES, view->edge, "view.edge", TEXT_SELF_SHADOW, view->self_shadow, "view.self-shadow");
    check(ui, TEXT_GROUND_SHADOW, view->ground_shadow, "view.ground-shadow");
    second_column(ui, TEXT_SMOOTH);
    bool smooth = view->shading == MMD_SHADING_SMOOTH;
    if (ui_checkbox(ui, TEXT_SMOOTH, &smooth))
        ui_line(ui, "view.shading %s", smooth ? "smooth" : "mmd");
    background(ui, scene);
    heading(ui, TEXT_LIGHT);
    light(ui, scene);
    sound(ui, scene);
    heading(ui, TEXT_PANEL_SETTINGS);
    settings(ui, scene);
    key_sets(ui, scene);
    ImGui::EndChild();
}

// Shows a title and a number, aligned to the right, as a table row.
static void row(const odori_ui *ui, ui_text title, const char *format, double value)
{
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%s", ui_translate(ui, title));
    ImGui::TableNextColumn();
    char text[48];
    std::snprintf(text, sizeof text, format, value);
    float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + (room > 0 ? room : 0));
    ImGui::TextUnformatted(text);
}

// Begins a table for row(). Returns false when it is not visible.
static bool begin_rows(const odori_ui *ui, const char *id)
{
    if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp))
        return false;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ui_px(ui, 100));
    return true;
}

void page_statistics(odori_ui *ui, const ui_scene *scene)
{
    static const ui_text passes[MMD_VIEW_PASSES] = {TEXT_PASS_SKIN, TEXT_PASS_SHADOW_MAP, TEXT_PASS_OBJECT,
                                                    TEXT_PASS_EDGE, TEXT_PASS_GROUND_SHADOW};
    const ui_statistics *s = &scene->statistics;
    ImGui::BeginChild("statistics");
    if (begin_rows(ui, "times")) {
        row(ui, TEXT_FPS, s->fps > 0 ? "%.1f" : "–", s->fps);
        row(ui, TEXT_DRAWING, "%.2f ms", s->draw_ms);
        row(ui, TEXT_PHYSICS_STEPS, "%.2f ms", s->step_ms);
        row(ui, TEXT_POSES, "%.2f ms", s->pose_ms);
        row(ui, TEXT_UPLOAD, "%.0f µs", s->upload_us);
        row(ui, TEXT_DRAW_CALLS, "%.0f", (double)s->draw_calls);
        row(ui, TEXT_VERTICES, "%.0f", (double)s->vertices);
        row(ui, TEXT_TRIANGLES, "%.0f", (double)s->triangles);
        row(ui, TEXT_BODIES, "%.0f", (double)s->bodies);
        row(ui, TEXT_JOINTS, "%.0f", (double)s->joints);
        row(ui, TEXT_MEMORY, "%.0f MB", s->memory_mb);
        ImGui::EndTable();
    }
    ImGui::Spacing();
    check(ui, TEXT_PASSES, scene->settings->passes, "panels.passes");
    if (scene->settings->passes && begin_rows(ui, "passes")) {
        for (int pass = 0; pass < MMD_VIEW_PASSES; pass++)
            row(ui, passes[pass], "%.2f ms", s->pass_us[pass] / 1000);
        ImGui::EndTable();
    }
    ImGui::Spacing();
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("%s", s->renderer);
    ImGui::PopTextWrapPos();
    ImGui::EndChild();
}

// Shows the buttons that choose which messages are listed.
static void message_choice(odori_ui *ui, const ui_scene *scene)
{
    static const struct {
        ui_text title;
        const char *word;
    } choices[] = {
        {TEXT_MESSAGES_ALL, "all"}, {TEXT_MESSAGES_ERRORS, "errors"}, {TEXT_MESSAGES_EDITS, "edits"}};
    float gap = ui_px(ui, 4), width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
    for (int i = 0; i < 3; i++) {
        bool chosen = (int)scene->settings->messages == i;
        if (i)
            ImGui::SameLine(0, gap);
        if (chosen)
            ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_Header));
        if (ImGui::Button(ui_translate(ui, choices[i].title), ImVec2(width, 0)) && !chosen)
            ui_line(ui, "messages.list %s", choices[i].word);
        if (chosen)
            ImGui::PopStyleColor();
    }
    ImGui::Spacing();
}

static bool is_listed(const ui_scene *scene, const panel_message &m)
{
    switch (scene->settings->messages) {
    case PANEL_MESSAGES_ERRORS:
        return m.kind >= MESSAGE_WARNING;
    case PANEL_MESSAGES_EDITS:
        return m.kind == MESSAGE_EDIT;
    default:
        return true;
    }
}

// Shows a message with names in place of paths, which its tooltip has. A command line stays as it is.
static void show_message(const odori_ui *ui, const panel_message &m)
{
    char brief[512];
    const bool is_brief = m.kind != MESSAGE_EDIT && message_brief(m.text, brief, sizeof brief);
    ImGui::PushStyleColor(ImGuiCol_Text, theme_message(m.kind));
    char japanese[512];
    const bool is_told = ui->japanese && m.kind != MESSAGE_EDIT &&
                         message_in_japanese(is_brief ? brief : m.text, japanese, sizeof japanese);
    ImGui::TextUnformatted(is_told ? japanese : is_brief ? brief : m.text);
    ImGui::PopStyleColor();
    if (is_brief && ImGui::IsItemHovered())
        ui_tooltip(ui, m.text);
}

void page_log(odori_ui *ui, const ui_scene *scene)
{
    bool any = false;
    message_choice(ui, scene);
    ui_begin_list(ui, 0);
    ImGui::PushTextWrapPos(0);
    for (size_t i = scene->log_count; i-- > 0;) { // newest first
        if (!is_listed(scene, scene->log[i]))
            continue;
        if (any)
            ImGui::Separator();
        any = true;
        show_message(ui, scene->log[i]);
    }
    if (!any)
        ImGui::TextDisabled("%s", ui_translate(ui, TEXT_NO_MESSAGES));
    ImGui::PopTextWrapPos();
    ImGui::EndChild();
}
