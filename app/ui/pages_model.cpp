// The Morphs, Bones and Materials pages, which show the selected model.
#include "ui_internal.h"

#include "edit.h"

#include <cmath>
#include <cstring>

static const struct {
    ui_text title;
    uint8_t panel; // number of the group in PMX files
} morph_groups[] = {
    // in the order of MMD's panels
    {TEXT_EYES, 2},
    {TEXT_BROWS, 1},
    {TEXT_MOUTH, 3},
    {TEXT_OTHERS, 4},
};

static const mmd_model *selected(const ui_scene *scene)
{
    return scene->models[scene->selected].model;
}

// Shows the name in the other language as a tooltip of the last item.
static void other_name(const odori_ui *ui, const char *name, const char *english)
{
    const char *other = ui->japanese ? english : name;
    if (ImGui::IsItemHovered() && other && *other && other != ui_name(ui, name, english))
        ImGui::SetTooltip("%s", other);
}

// Returns the Japanese name to show beside an English one, or NULL when there is none or the font lacks it.
static const char *second_name(const odori_ui *ui, const char *name, const char *english)
{
    bool differs = name && *name && english && *english && std::strcmp(name, english) != 0;
    return !ui->japanese && differs && ui->has_japanese ? name : nullptr;
}

// Shows a name, and beside it the file's own one where both fit. A name that is too wide ends in an ellipsis;
// the tooltip has the other one.
static void names(const odori_ui *ui, const char *name, const char *english, float width)
{
    const char *first = ui_name(ui, name, english), *second = second_name(ui, name, english);
    float gap = ImGui::GetStyle().ItemSpacing.x, first_width = ImGui::CalcTextSize(first).x;
    char text[256];
    ui_elide(first, width, text, sizeof text);
    ImGui::BeginGroup();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text);
    if (second && first_width + gap + ImGui::CalcTextSize(second).x <= width) {
        ImGui::SameLine();
        ImGui::TextDisabled("%s", second);
    }
    ImGui::EndGroup();
    other_name(ui, name, english);
}

// Computes the colour that marks a bone or material in its list: the colour of its id while the view shows
// these ids, otherwise `own`, or black if that is NULL.
static void id_color(const ui_scene *scene, mmd_surface ids, uint32_t id, const float own[3], float rgb[3])
{
    uint8_t bytes[3] = {0, 0, 0};
    if (scene->view.surface == ids)
        mmd_id_color(id, bytes);
    for (int k = 0; k < 3; k++)
        rgb[k] = scene->view.surface == ids || !own ? (float)bytes[k] / 255 : own[k];
}

// Returns whether the weight of a morph was set by the user, so that the motion does not change it.
static bool is_by_hand(const ui_scene *scene, uint32_t morph)
{
    return scene->by_hand && !std::isnan(scene->by_hand[morph]);
}

// Shows the slider of a morph, its name, and a button that gives it back to the motion.
static void morph_row(odori_ui *ui, const ui_scene *scene, uint32_t i)
{
    const mmd_morph *morph = &selected(scene)->morphs[i];
    float room = ImGui::GetContentRegionAvail().x, slider = std::floor(room * 0.45f);
    float weight = scene->weights[i], button = ImGui::GetFrameHeight();
    ImGui::PushID((int)i);
    ImGui::SetNextItemWidth(slider);
    bool moved = ImGui::SliderFloat("##weight", &weight, 0, 1, "%.2f");
    ui_join_drag(ui);
    if (moved)
        ui_line(ui, "morph.set %s %g", ui_quote(morph->name).text, (double)weight);
    ImGui::SameLine();
    names(ui, morph->name, morph->name_en, room - slider - button - ui_px(ui, 14));
    if (is_by_hand(scene, i)) {
        ImGui::SameLine();
        ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - button);
        if (ImGui::Button("×", ImVec2(button, button)))
            ui_line(ui, "morph.free %s", ui_quote(morph->name).text);
        if (ImGui::IsItemHovered())
            ImGui::SetTooltip("%s", ui_translate(ui, TEXT_RESET_MORPH));
    }
    ImGui::PopID();
}

// Returns whether a morph belongs to a group and passes the filter. Unknown groups count as "other".
static bool is_in_group(const odori_ui *ui, const mmd_morph *morph, uint8_t panel)
{
    bool is_other = panel == 4 && (morph->panel == 0 || morph->panel > 4);
    return (morph->panel == panel || is_other) && ui_passes(ui->morph_filter, morph->name, morph->name_en);
}

// Shows a group of morphs that can be folded. Returns how many morphs of it pass the filter.
static unsigned morph_group(odori_ui *ui, const ui_scene *scene, size_t group)
{
    const mmd_model *model = selected(scene);
    unsigned count = 0;
    for (uint32_t i = 0; i < model->morph_count; i++)
        count += is_in_group(ui, &model->morphs[i], morph_groups[group].panel);
    if (!count)
        return 0;
    ImGui::PushID((int)group);
    ImGui::SetNextItemOpen(true, ImGuiCond_Once);
    if (ImGui::TreeNodeEx("group", ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_NoTreePushOnOpen,
                          "%s  (%u)", ui_translate(ui, morph_groups[group].title), count))
        for (uint32_t i = 0; i < model->morph_count; i++)
            if (is_in_group(ui, &model->morphs[i], morph_groups[group].panel))
                morph_row(ui, scene, i);
    ImGui::PopID();
    return count;
}

void page_morphs(odori_ui *ui, const ui_scene *scene)
{
    ui_filter(ui, &ui->morph_filter, "##morphs");
    if (ImGui::Button(ui_translate(ui, TEXT_RESET_MORPHS), ImVec2(-1, 0)))
        ui_line(ui, "morph.reset");
    ImGui::Spacing();
    ui_begin_list(ui, 0);
    unsigned count = 0;
    for (size_t group = 0; group < IM_ARRAYSIZE(morph_groups); group++)
        count += morph_group(ui, scene, group);
    if (!count)
        ImGui::TextDisabled("%s", ui_translate(ui, TEXT_NOTHING_FOUND));
    ImGui::EndChild();
}

// Converts a quaternion (x, y, z, w) to angles in degrees about X, Y and Z, applied in the order of
// `bone.rotate`: X first.
static void degrees_of(const float q[4], double out[3])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3], degree = 180 / 3.14159265358979323846;
    double sine = 2 * (w * y - x * z);
    out[0] = std::atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) * degree;
    out[1] = std::asin(sine < -1 ? -1 : sine > 1 ? 1 : sine) * degree;
    out[2] = std::atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) * degree;
}

// Shows a table row of a title and three numbers.
static void three_numbers(const odori_ui *ui, ui_text title, double x, double y, double z)
{
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%s", ui_translate(ui, title));
    const double values[] = {x, y, z};
    for (double value : values) {
        ImGui::TableNextColumn();
        ImGui::Text("%8.2f", value);
    }
}

// Shows the world transform of the bone that is chosen in the list, its parent and its deform layer.
static void bone_details(odori_ui *ui, const ui_scene *scene)
{
    const mmd_model *model = selected(scene);
    if (ui->bone >= model->bone_count)
        return;
    const mmd_bone *bone = &model->bones[ui->bone];
    const mmd_transform *at = &scene->bones[ui->bone];
    double degrees[3];
    degrees_of(at->rotation, degrees);
    ImGui::TextUnformatted(ui_name(ui, bone->name, bone->name_en));
    other_name(ui, bone->name, bone->name_en);
    ImGui::SameLine();
    ImGui::TextDisabled("#%u", ui->bone);
    if (ImGui::BeginTable("numbers", 4, ImGuiTableFlags_SizingStretchSame)) {
        three_numbers(ui, TEXT_POSITION, (double)at->translation[0], (double)at->translation[1],
                      (double)at->translation[2]);
        three_numbers(ui, TEXT_ROTATION, degrees[0], degrees[1], degrees[2]);
        ImGui::EndTable();
    }
    const mmd_bone *parent = bone->parent >= 0 && (uint32_t)bone->parent < model->bone_count
                                 ? &model->bones[bone->parent]
                                 : nullptr;
    ImGui::TextDisabled("%s", ui_translate(ui, TEXT_PARENT));
    ImGui::SameLine();
    char name[256];
    float layer = ImGui::CalcTextSize(ui_translate(ui, TEXT_LAYER)).x + ui_px(ui, 60);
    ui_elide(parent ? ui_name(ui, parent->name, parent->name_en) : "-",
             ImGui::GetContentRegionAvail().x - layer, name, sizeof name);
    ImGui::TextUnformatted(name);
    if (parent)
        other_name(ui, parent->name, parent->name_en);
    ImGui::SameLine(0, ui_px(ui, 16));
    ImGui::TextDisabled("%s", ui_translate(ui, TEXT_LAYER));
    ImGui::SameLine();
    ImGui::Text("%d", bone->layer);
    bool weighs = scene->view.surface == MMD_SURFACE_WEIGHTS && scene->view.weights_bone == ui->bone &&
                  scene->view.weights_actor == scene->selected;
    if (ImGui::Checkbox(ui_translate(ui, TEXT_SHOW_WEIGHTS), &weighs))
        ui_line(ui, "view.weights %s", weighs ? ui_quote(bone->name).text : "off");
}

// ---- The list of bones, by display frames (表示枠) as in MMD ----

// Identifies an item, so that a new selection is noticed. 0 stands for none.
static uint64_t key_of(const mmd_item &item)
{
    return (uint64_t)item.kind << 56 | (uint64_t)item.model << 32 | item.index;
}

// Returns whether an item is selected for editing.
static bool is_selected(const ui_scene *scene, const mmd_item &item)
{
    for (size_t i = 0; scene->edit && i < scene->edit->count; i++)
        if (mmd_item_equal(scene->edit->items[i], item))
            return true;
    return false;
}

// Shows the bone that was selected last. Returns whether the list is to scroll to it, because it has changed.
static bool follow_selection(odori_ui *ui, const ui_scene *scene)
{
    const ui_edit *edit = scene->edit;
    bool is_bone =
        edit && edit->count && edit->item.kind == MMD_ITEM_BONE && edit->item.model == scene->selected;
    uint64_t key = is_bone ? key_of(edit->item) : 0;
    bool is_new = key != ui->followed && key;
    ui->followed = key;
    if (is_new)
        ui->bone = edit->item.index;
    return is_new;
}

// Shows the colour of a bone in front of its name, while the view draws surfaces in the colours of bones.
static void bone_color(const odori_ui *ui, const ui_scene *scene, uint32_t bone)
{
    float c[3];
    if (scene->view.surface != MMD_SURFACE_BONES)
        return;
    id_color(scene, MMD_SURFACE_BONES, bone, nullptr, c);
    ImGui::ColorButton("##color", ImVec4(c[0], c[1], c[2], 1),
                       ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoDragDrop,
                       ImVec2(ui_px(ui, 8), ImGui::GetTextLineHeight()));
    ImGui::SameLine();
}

// Shows a bone or a morph of a display frame. A click selects it, as a click on the model does; with Shift it
// adds it to the selection.
static void frame_row(odori_ui *ui, const ui_scene *scene, const mmd_item &item)
{
    const mmd_model *model = selected(scene);
    bool is_bone = item.kind == MMD_ITEM_BONE;
    const char *name = is_bone ? model->bones[item.index].name : model->morphs[item.index].name;
    const char *english = is_bone ? model->bones[item.index].name_en : model->morphs[item.index].name_en;
    if (is_bone)
        bone_color(ui, scene, item.index);
    float begin = ImGui::GetCursorPosX();
    if (ui_row(ui_name(ui, name, english), is_selected(scene, item), 0, ImVec2(0, 0))) {
        ui_line(ui, "edit.%s /models/#%u/%s/#%u", ImGui::GetIO().KeyShift ? "add" : "select",
                (unsigned)item.model, is_bone ? "bones" : "morphs", (unsigned)item.index);
        if (is_bone)
            ui->bone = item.index;
        ui->followed = is_bone ? key_of(item) : 0;
    }
    other_name(ui, name, english);
    if (const char *second = second_name(ui, name, english)) {
        ImGui::SameLine(begin + ImGui::CalcTextSize(ui_name(ui, name, english)).x + ui_px(ui, 10));
        ImGui::TextDisabled("%s", second);
    }
}

// A group of the list: items of a display frame, or all bones that are in none.
struct frame_group {
    const char *name, *name_en;
    ImVector<mmd_item> items; // those that pass the filter
};

// Adds an item to a group if it exists and passes the filter.
static void add_to_group(const odori_ui *ui, const ui_scene *scene, uint8_t kind, int32_t index,
                         frame_group *g)
{
    const mmd_model *model = selected(scene);
    if (index < 0 || (uint32_t)index >= (kind == 0 ? model->bone_count : model->morph_count))
        return;
    const char *name = kind == 0 ? model->bones[index].name : model->morphs[index].name;
    const char *english = kind == 0 ? model->bones[index].name_en : model->morphs[index].name_en;
    mmd_item item = {};
    item.kind = kind == 0 ? MMD_ITEM_BONE : MMD_ITEM_MORPH;
    item.model = (uint32_t)scene->selected;
    item.index = (uint32_t)index;
    if (ui_passes(ui->bone_filter, name, english))
        g->items.push_back(item);
}

// Shows a group, which can be folded. It opens for a filter, and for the bone to scroll to, of which *scrolls
// is cleared then.
static void show_group(odori_ui *ui, const ui_scene *scene, const frame_group &g, bool *scrolls)
{
    bool has_it = false;
    if (!g.items.Size)
        return;
    for (const mmd_item &item : g.items)
        has_it |= *scrolls && item.kind == MMD_ITEM_BONE && item.index == ui->bone;
    if (has_it || ui->bone_filter.IsActive())
        ImGui::SetNextItemOpen(true);
    if (!ImGui::TreeNodeEx("group", ImGuiTreeNodeFlags_SpanAvailWidth, "%s  (%d)",
                           ui_name(ui, g.name, g.name_en), g.items.Size))
        return;
    for (int i = 0; i < g.items.Size; i++) {
        ImGui::PushID(i);
        frame_row(ui, scene, g.items[i]);
        if (*scrolls && g.items[i].kind == MMD_ITEM_BONE && g.items[i].index == ui->bone) {
            ImGui::SetScrollHereY();
            *scrolls = false;
        }
        ImGui::PopID();
    }
    ImGui::TreePop();
}

// Shows the bones that pass the filter, by display frames, and returns how many there are.
static unsigned bone_list(odori_ui *ui, const ui_scene *scene, bool scrolls)
{
    const mmd_model *model = selected(scene);
    unsigned count = 0;
    ImVector<bool> framed;
    framed.resize((int)model->bone_count, false);
    for (uint32_t i = 0; i <= model->frame_count; i++) {
        const mmd_display_frame *frame = i < model->frame_count ? &model->frames[i] : nullptr;
        const char *rest = ui_translate(ui, TEXT_BONES_WITHOUT_FRAME);
        frame_group g = {frame ? frame->name : rest, frame ? frame->name_en : rest, {}};
        for (uint32_t k = 0; frame && k < frame->count; k++) {
            add_to_group(ui, scene, frame->items[k].kind, frame->items[k].index, &g);
            if (frame->items[k].kind == 0 && (uint32_t)frame->items[k].index < model->bone_count)
                framed[frame->items[k].index] = true;
        }
        for (uint32_t b = 0; !frame && b < model->bone_count; b++)
            if (!framed[(int)b])
                add_to_group(ui, scene, 0, (int32_t)b, &g);
        ImGui::PushID((int)i);
        show_group(ui, scene, g, &scrolls);
        ImGui::PopID();
        count += (unsigned)g.items.Size;
    }
    return count;
}

void page_bones(odori_ui *ui, const ui_scene *scene)
{
    bool scrolls = follow_selection(ui, scene);
    ui_filter(ui, &ui->bone_filter, "##bones");
    ImGui::Spacing();
    float details = 5 * ImGui::GetTextLineHeightWithSpacing() + ui_px(ui, 40);
    ui_begin_list(ui, details);
    ImGui::PushID("bones"); // the groups of the page of morphs are in a list of the same name
    if (!bone_list(ui, scene, scrolls))
        ImGui::TextDisabled("%s", ui_translate(ui, TEXT_NOTHING_FOUND));
    ImGui::PopID();
    ImGui::EndChild();
    ImGui::Separator();
    ImGui::Spacing();
    bone_details(ui, scene);
}

// Shows a material: its visibility, colour, names, and a button that hides all others.
static void material_row(odori_ui *ui, const ui_scene *scene, uint32_t i)
{
    const mmd_material *material = &selected(scene)->materials[i];
    bool shown = !scene->hidden[i];
    ImGui::PushID((int)i);
    float button = ImGui::CalcTextSize(ui_translate(ui, TEXT_SOLO)).x + ui_px(ui, 14);
    float room = ImGui::GetContentRegionAvail().x - button - ui_px(ui, 8);
    if (ImGui::Checkbox("##shown", &shown))
        ui_line(ui, "material.show %u %s", i, shown ? "on" : "off");
    ImGui::SameLine();
    float c[3];
    id_color(scene, MMD_SURFACE_MATERIALS, i, material->diffuse, c);
    ImGui::ColorButton("##color", ImVec4(c[0], c[1], c[2], 1),
                       ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoDragDrop,
                       ImVec2(ui_px(ui, 8), ImGui::GetFrameHeight()));
    ImGui::SameLine();
    names(ui, material->name, material->name_en, room - ImGui::GetFrameHeight() - ui_px(ui, 28));
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - button);
    if (ImGui::Button(ui_translate(ui, TEXT_SOLO), ImVec2(button, 0)))
        ui_line(ui, "material.solo %u", i);
    ImGui::PopID();
}

void page_materials(odori_ui *ui, const ui_scene *scene)
{
    const mmd_model *model = selected(scene);
    ui_filter(ui, &ui->material_filter, "##materials");
    float half = (ImGui::GetContentRegionAvail().x - ui_px(ui, 8)) / 2;
    if (ImGui::Button(ui_translate(ui, TEXT_SHOW_ALL), ImVec2(half, 0)))
        ui_line(ui, "material.all on");
    ImGui::SameLine();
    if (ImGui::Button(ui_translate(ui, TEXT_HIDE_ALL), ImVec2(half, 0)))
        ui_line(ui, "material.all off");
    ImGui::Spacing();
    ui_begin_list(ui, 0);
    bool any = false;
    for (uint32_t i = 0; i < model->material_count; i++)
        if (ui_passes(ui->material_filter, model->materials[i].name, model->materials[i].name_en)) {
            material_row(ui, scene, i);
            any = true;
        }
    if (!any)
        ImGui::TextDisabled("%s", ui_translate(ui, TEXT_NOTHING_FOUND));
    ImGui::EndChild();
}
