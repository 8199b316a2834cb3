// Overlays on the scene: the list of keys (F1) and the pixel inspector.
#include "ui_internal.h"

#include <cmath>
#include <cstdio>

#include "inspection.h"
#include "document/bindings.h"
#include "binding_help.h"

static const ImGuiWindowFlags OVERLAY = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                        ImGuiWindowFlags_NoFocusOnAppearing;

// Shows a title and a close button, which runs a command line.
static void title_row(odori_ui *ui, const char *title, const char *line)
{
    float button = ImGui::GetFrameHeight();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(title);
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - button);
    if (ImGui::Button("×", ImVec2(button, button)))
        ui_line(ui, "%s", line);
    ImGui::Separator();
    ImGui::Spacing();
}

// ---- Keys ----

// A row of the key list: keys and what they do, or the title of a group.
struct help_row {
    const char *keys, *help;
    bool heading;
};

enum { HELP_MAX = BINDINGS_MAX + 24 }; // bindings, group titles and mouse rows

struct help_list {
    help_row rows[HELP_MAX];
    binding_row texts[BINDINGS_MAX]; // that rows point into
    unsigned count;
};

static void add_row(help_list *list, const char *keys, const char *help, bool heading)
{
    if (list->count < HELP_MAX)
        list->rows[list->count++] = {keys, help, heading};
}

// Appends the mouse gestures, by the mouse layout that is set.
static void add_mouse(const odori_ui *ui, const ui_scene *scene, help_list *list)
{
    const ui_text turn = scene->left_turns ? TEXT_MOUSE_LEFT : TEXT_MOUSE_RIGHT;
    add_row(list, ui_translate(ui, TEXT_MOUSE), "", true);
    add_row(list, ui_translate(ui, turn), ui_translate(ui, TEXT_ORBITS), false);
    add_row(list, ui_translate(ui, scene->left_turns ? TEXT_MOUSE_RIGHT : TEXT_MOUSE_MIDDLE),
            ui_translate(ui, TEXT_PANS), false);
    add_row(list, ui_translate(ui, TEXT_MOUSE_WHEEL), ui_translate(ui, TEXT_ZOOMS), false);
    add_row(list, ui_translate(ui, TEXT_MOUSE_CLICK), ui_translate(ui, TEXT_SELECTS), false);
    add_row(list, ui_translate(ui, TEXT_MOUSE_UP), ui_translate(ui, TEXT_SELECTS_UP), false);
    add_row(list, ui_translate(ui, TEXT_MOUSE_EXACT), ui_translate(ui, TEXT_SELECTS_EXACT), false);
    add_row(list, ui_translate(ui, TEXT_MOUSE_INSPECT), ui_translate(ui, TEXT_INSPECTS), false);
}

// Collects the rows of the key list, the mouse first. Keys of the same command share a row, as on the
// terminal.
static void collect_keys(const odori_ui *ui, const ui_scene *scene, help_list *list)
{
    static const ui_text titles[BINDINGS_GROUPS] = {TEXT_KEYS_TIME, TEXT_KEYS_CAMERA, TEXT_KEYS_VIEW,
                                                    TEXT_KEYS_EDIT, TEXT_KEYS_WINDOW};
    const size_t count = bindings_list(scene->bindings, list->texts);
    add_mouse(ui, scene, list);
    for (int group = 0; group < BINDINGS_GROUPS; group++) {
        bool begun = false;
        for (size_t i = 0; i < count; i++) {
            const binding_row *row = &list->texts[i];
            if (binding_group_of(row->command) != (binding_group)group)
                continue;
            if (!begun)
                add_row(list, ui_translate(ui, titles[group]), "", true);
            begun = true;
            const char *japanese = ui->japanese ? binding_japanese(row->command) : nullptr;
            add_row(list, row->keys, japanese ? japanese : row->help, false);
        }
    }
}

// The columns of the key list; sizes in pixels.
struct help_columns {
    unsigned count;
    float width, key_width, height;
    float gap; // between two rows, in units of ui_px
};

static float row_height(const odori_ui *ui, const help_row &row, float gap)
{
    return ImGui::GetTextLineHeight() + ui_px(ui, row.heading ? 8 + gap : gap);
}

static float height_of_rows(const odori_ui *ui, const help_list *list, float gap)
{
    float all = 0;
    for (unsigned i = 0; i < list->count; i++)
        all += row_height(ui, list->rows[i], gap);
    return all;
}

// Computes the layout: the smallest number of columns whose height fits, limited by the available width. Rows
// that would not fit move closer together.
static help_columns plan_columns(const odori_ui *ui, const help_list *list, float room, float high)
{
    help_columns c = {};
    float help_width = 0;
    for (unsigned i = 0; i < list->count; i++) {
        c.key_width =
            std::fmax(c.key_width, list->rows[i].heading ? 0 : ImGui::CalcTextSize(list->rows[i].keys).x);
        help_width = std::fmax(help_width, ImGui::CalcTextSize(list->rows[i].help).x);
    }
    c.key_width += ui_px(ui, 14);
    c.width = c.key_width + help_width + ui_px(ui, 28);
    room += ui_px(ui, 28); // behind the last column there is no gap
    unsigned most = room > c.width ? (unsigned)(room / c.width) : 1;
    c.gap = 4;
    float all = height_of_rows(ui, list, c.gap);
    if ((all + ui_px(ui, 60)) / (float)most > high)
        all = height_of_rows(ui, list, c.gap = 1);
    unsigned wanted = (unsigned)std::ceil((all + ui_px(ui, 60)) / (high > 1 ? high : 1));
    c.count = wanted < 1 ? 1 : wanted > most ? most : wanted;
    c.height = all / (float)c.count + ui_px(ui, 30);
    return c;
}

static void draw_help_row(const help_row &row, ImVec2 at, float key_width)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddText(at, row.heading ? theme_accent(1) : theme_text(1), row.keys);
    if (!row.heading)
        list->AddText(ImVec2(at.x + key_width, at.y), theme_text(0.78f), row.help);
}

// Draws the columns. A heading is not left alone at the end of a column. A group that continues in the next
// column repeats its heading there.
static void draw_columns(const odori_ui *ui, const help_list *list, const help_columns &columns)
{
    ImVec2 origin = ImGui::GetCursorScreenPos(), at = origin;
    float lowest = at.y;
    unsigned column = 0;
    const help_row *heading = nullptr;
    for (unsigned i = 0; i < list->count; i++) {
        const help_row &row = list->rows[i];
        float high = row_height(ui, row, columns.gap), ahead = high * (row.heading ? 3.0f : 1.0f);
        if (row.heading)
            heading = &row;
        if (at.y + ahead > origin.y + columns.height && column + 1 < columns.count) {
            column++;
            at = ImVec2(origin.x + (float)column * columns.width, origin.y);
            if (heading && !row.heading) {
                draw_help_row(*heading, at, columns.key_width);
                at.y += row_height(ui, row, columns.gap);
            }
        }
        bool is_first = at.y == origin.y;
        if (row.heading && !is_first)
            at.y += ui_px(ui, 8);
        draw_help_row(row, at, columns.key_width);
        at.y += row.heading ? high - ui_px(ui, 8) : high;
        lowest = std::fmax(lowest, at.y);
    }
    ImGui::Dummy(ImVec2(columns.width * (float)columns.count - ui_px(ui, 28), lowest - origin.y));
}

void overlay_keys(odori_ui *ui, const ui_scene *scene, const ui_display *display)
{
    static const float MARGIN = 24;
    help_list list;
    list.count = 0;
    collect_keys(ui, scene, &list);
    const ImVec2 page = ui_size(display->layout.page);
    float wide = page.x - 2 * ui_px(ui, MARGIN), high = page.y - 2 * ui_px(ui, MARGIN);
    float inner = wide - 2 * ui_px(ui, 20), below = high - ui_px(ui, 60);
    help_columns columns = plan_columns(ui, &list, inner, below);
    ImGui::SetNextWindowPos(ImVec2(page.x / 2, page.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(wide, high));
    ImGui::SetNextWindowBgAlpha(0.97f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui_px(ui, 20), ui_px(ui, 14)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui_px(ui, 8));
    ImGui::Begin("keys", nullptr,
                 (OVERLAY & ~(ImGuiWindowFlags)ImGuiWindowFlags_NoScrollbar) |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::SetWindowFocus();
    ui_cover(ui);
    title_row(ui, ui_translate(ui, TEXT_KEYS), "keys off");
    draw_columns(ui, &list, columns);
    ImGui::End();
    ImGui::PopStyleVar(2);
}

// ---- A pixel ----

// Returns the model of a layer, or NULL when it does not fit the layer: another file may have been loaded
// since.
static const mmd_model *model_of(const ui_scene *scene, const mmd_view_layer *layer)
{
    const mmd_model *model = layer->actor < scene->model_count ? scene->models[layer->actor].model : nullptr;
    bool whole = model && layer->material < model->material_count;
    for (int i = 0; i < 3 && whole; i++)
        whole = layer->corners[i] < model->vertices.count;
    return whole ? model : nullptr;
}

// Converts a colour, clamped to what can be displayed.
static ImVec4 color_of(const float rgb[3])
{
    const auto cut = [](float x) { return x < 0 ? 0.0f : x > 1 ? 1.0f : x; };
    return ImVec4(cut(rgb[0]), cut(rgb[1]), cut(rgb[2]), 1);
}

// Shows a small square of a colour.
static void swatch(const odori_ui *ui, const char *id, const float rgb[3])
{
    ImVec2 at = ImGui::GetCursorScreenPos();
    float side = ImGui::GetTextLineHeight();
    ImGui::Dummy(ImVec2(side, side));
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, ImVec2(at.x + side, at.y + side), ImGui::GetColorU32(color_of(rgb)),
                        ui_px(ui, 3));
    list->AddRect(at, ImVec2(at.x + side, at.y + side), theme_text(0.35f), ui_px(ui, 3));
    (void)id;
}

// Begins a table row with a title.
static void term(const odori_ui *ui, ui_text title)
{
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%s", ui_translate(ui, title));
    ImGui::TableNextColumn();
}

// Shows a colour as a table row. alpha may be NULL.
static void color_term(const odori_ui *ui, ui_text title, const float *rgb, const float *alpha)
{
    term(ui, title);
    swatch(ui, "color", rgb);
    ImGui::SameLine();
    ImGui::Text("%.3f %.3f %.3f", (double)rgb[0], (double)rgb[1], (double)rgb[2]);
    if (alpha) {
        ImGui::SameLine();
        ImGui::TextDisabled("α %.2f", (double)*alpha);
    }
}

static void number_term(const odori_ui *ui, ui_text title, double value)
{
    term(ui, title);
    ImGui::Text("%.3f", value);
}

static void text_term(const odori_ui *ui, ui_text title, const char *text)
{
    term(ui, title);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text && *text ? text : "-");
    ImGui::PopTextWrapPos();
}

// Returns the path of a texture, or "" when the material has none.
static const char *texture_name(const mmd_model *model, int32_t texture)
{
    return texture >= 0 && (uint32_t)texture < model->texture_count ? model->textures[texture] : "";
}

// Shows what the colour of the pixel was computed from.
static void material_terms(odori_ui *ui, const mmd_model *model, const mmd_view_layer *layer)
{
    const mmd_material *material = &model->materials[layer->material];
    const mmd_render_sample *s = &layer->sample;
    char toon[32];
    std::snprintf(toon, sizeof toon, "toon%02d", material->toon + 1);
    color_term(ui, TEXT_COLOR, s->color, &s->color[3]);
    color_term(ui, TEXT_BASE_COLOR, s->base_color, &s->base_color[3]);
    text_term(ui, TEXT_TEXTURE, texture_name(model, material->texture));
    if (material->texture >= 0)
        color_term(ui, TEXT_ITS_COLOR, s->texture, &s->texture[3]);
    text_term(ui, TEXT_SPHERE, texture_name(model, material->sphere));
    if (material->sphere >= 0)
        color_term(ui, TEXT_ITS_COLOR, s->sphere, &s->sphere[3]);
    text_term(ui, TEXT_TOON, material->shared_toon ? toon : texture_name(model, material->toon));
    color_term(ui, TEXT_ITS_COLOR, s->toon, nullptr);
    number_term(ui, TEXT_TOON_V, (double)s->toon_place);
    number_term(ui, TEXT_RECEIVED_LIGHT, (double)s->light);
    number_term(ui, TEXT_SPECULAR, (double)s->highlight);
    term(ui, TEXT_POSITION);
    ImGui::Text("%.2f  %.2f  %.2f", (double)layer->position[0], (double)layer->position[1],
                (double)layer->position[2]);
    term(ui, TEXT_UV);
    ImGui::Text("%.4f  %.4f", (double)layer->uv[0], (double)layer->uv[1]);
}

// Shows the weight of a bone as a bar behind its name.
static void weight_row(const odori_ui *ui, const mmd_model *model, const inspect_weight *weight)
{
    const mmd_bone *bone = weight->bone < model->bone_count ? &model->bones[weight->bone] : nullptr;
    char text[160];
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = ImGui::GetContentRegionAvail().x, high = ImGui::GetTextLineHeight() + ui_px(ui, 4);
    ImDrawList *list = ImGui::GetWindowDrawList();
    ui_elide(bone ? ui_name(ui, bone->name, bone->name_en) : "-", width - ui_px(ui, 64), text, sizeof text);
    float part = weight->weight < 0 ? 0 : weight->weight > 1 ? 1 : weight->weight;
    list->AddRectFilled(at, ImVec2(at.x + width, at.y + high), theme_text(0.06f), ui_px(ui, 3));
    list->AddRectFilled(at, ImVec2(at.x + width * part, at.y + high), theme_accent(0.35f), ui_px(ui, 3));
    list->AddText(ImVec2(at.x + ui_px(ui, 6), at.y + ui_px(ui, 2)), theme_text(1), text);
    std::snprintf(text, sizeof text, "%.3f", (double)weight->weight);
    list->AddText(ImVec2(at.x + width - ImGui::CalcTextSize(text).x - ui_px(ui, 6), at.y + ui_px(ui, 2)),
                  theme_text(1), text);
    ImGui::Dummy(ImVec2(width, high));
}

static void heading(const odori_ui *ui, ui_text title)
{
    ImGui::Spacing();
    ImGui::TextDisabled("%s", ui_translate(ui, title));
    ImGui::Separator();
}

// Shows model, material, colours and bone weights of a layer.
static void layer_details(odori_ui *ui, const ui_scene *scene, const mmd_view_layer *layer)
{
    const mmd_model *model = model_of(scene, layer);
    inspect_weight weights[INSPECT_BONES];
    if (!model)
        return;
    const mmd_material *material = &model->materials[layer->material];
    char name[256];
    std::snprintf(name, sizeof name, "%u  %s%s%s", layer->material,
                  ui_name(ui, material->name, material->name_en), layer->edge ? " – " : "",
                  layer->edge ? ui_translate(ui, TEXT_OUTLINE) : "");
    if (ImGui::BeginTable("terms", 2, ImGuiTableFlags_SizingStretchProp)) {
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ui_px(ui, 104));
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
        text_term(ui, TEXT_MODEL, ui_name(ui, model->name, model->name_en));
        text_term(ui, TEXT_MATERIAL, name);
        if (layer->edge)
            color_term(ui, TEXT_COLOR, layer->sample.color, &layer->sample.color[3]);
        else
            material_terms(ui, model, layer);
        ImGui::EndTable();
    }
    heading(ui, TEXT_WEIGHTS);
    size_t count = inspect_weights(model, layer, weights);
    for (size_t i = 0; i < count; i++)
        weight_row(ui, model, &weights[i]);
}

// Shows a layer in the list, with its share of the final colour.
static void layer_row(odori_ui *ui, const ui_scene *scene, const mmd_view_layer *layer, uint32_t number,
                      bool chosen)
{
    const mmd_model *model = model_of(scene, layer);
    if (!model)
        return;
    const mmd_material *material = &model->materials[layer->material];
    char share[48];
    if (layer->drawn)
        std::snprintf(share, sizeof share, "%.0f %%", 100 * (double)layer->share);
    else
        std::snprintf(share, sizeof share, "%s", ui_translate(ui, TEXT_HIDDEN));
    ImGui::PushID((int)number);
    swatch(ui, "layer", layer->sample.color);
    ImGui::SameLine();
    float room = ImGui::GetContentRegionAvail().x, right = ImGui::CalcTextSize(share).x;
    ImVec2 at = ImGui::GetCursorScreenPos();
    if (ui_row("##layer", chosen, 0, ImVec2(room, 0)))
        ui->layer = number;
    ImDrawList *list = ImGui::GetWindowDrawList();
    char name[200];
    std::snprintf(name, sizeof name, "%s%s%s", ui_name(ui, material->name, material->name_en),
                  layer->edge ? " – " : "", layer->edge ? ui_translate(ui, TEXT_OUTLINE) : "");
    char shown[sizeof name + 4];
    ui_elide(name, room - right - ui_px(ui, 10), shown, sizeof shown);
    list->AddText(at, theme_text(layer->drawn ? 1 : 0.5f), shown);
    list->AddText(ImVec2(at.x + room - right, at.y), theme_text(layer->drawn ? 0.8f : 0.5f), share);
    ImGui::PopID();
}

// Marks the pixel in the scene with a white ring that has a dark outline.
static void mark_pixel(const odori_ui *ui, const mmd_view_pixel *pixel)
{
    ImVec2 c((float)pixel->x + 0.5f, (float)pixel->y + 0.5f);
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    list->AddCircle(c, ui_px(ui, 7), IM_COL32(0, 0, 0, 160), 0, ui_px(ui, 3.5f));
    list->AddCircle(c, ui_px(ui, 7), IM_COL32(255, 255, 255, 255), 0, ui_px(ui, 1.5f));
}

// Shows the chosen layer and the list of layers.
static void pixel_body(odori_ui *ui, const ui_scene *scene)
{
    const odori_inspection *seen = scene->inspection;
    const mmd_view_layer *front = inspect_front(seen);
    if (!front) {
        ImGui::TextDisabled("%s", ui_translate(ui, TEXT_NOTHING_HERE));
        return;
    }
    uint32_t chosen = ui->layer < seen->count ? ui->layer : (uint32_t)(front - seen->layers);
    layer_details(ui, scene, &seen->layers[chosen]);
    heading(ui, TEXT_LAYERS);
    for (int hidden = 0; hidden < 2; hidden++) // visible layers first
        for (size_t i = seen->count; i-- > 0;)
            if (seen->layers[i].drawn == (hidden == 0))
                layer_row(ui, scene, &seen->layers[i], (uint32_t)i, i == chosen);
    if (ImGui::SmallButton(ui_translate(ui, TEXT_COPY)))
        ui_line(ui, "pixel.copy");
}

void overlay_pixel(odori_ui *ui, const ui_scene *scene, const ui_display *display)
{
    const mmd_view_pixel *pixel = &scene->inspection->pixel;
    char title[64];
    uint64_t place = (uint64_t)pixel->x << 32 | pixel->y;
    if (ui->layers_of != place)
        ui->layer = UINT32_MAX; // selects the front layer
    ui->layers_of = place;
    const ui_layout &layout = display->layout;
    const float wide = std::fmin(ui_px(ui, 320), (float)layout.picture.width - 2 * ui_px(ui, 12)),
                high = (float)(layout.bar_is_over ? layout.bar.y : layout.picture.height) - 2 * ui_px(ui, 12);
    if (pixel->width == layout.picture.width && pixel->height == layout.picture.height)
        mark_pixel(ui, pixel);
    if (high < ui_px(ui, 60))
        return;
    ImGui::SetNextWindowPos(ImVec2(ui_px(ui, 12), ui_px(ui, 12)));
    ImGui::SetNextWindowSizeConstraints(ImVec2(wide, 0), ImVec2(wide, high));
    ImGui::SetNextWindowBgAlpha(0.90f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui_px(ui, 8));
    ImGui::Begin("pixel", nullptr,
                 (OVERLAY & ~(ImGuiWindowFlags)ImGuiWindowFlags_NoScrollbar) |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoBringToFrontOnFocus);
    ui_cover(ui);
    std::snprintf(title, sizeof title, "%s %u, %u", ui_translate(ui, TEXT_PIXEL), pixel->x, pixel->y);
    title_row(ui, title, "view.inspected off");
    pixel_body(ui, scene);
    ImGui::End();
    ImGui::PopStyleVar();
}
