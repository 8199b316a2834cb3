// Colours, sizes and the font of the panels. The font atlas has only the glyphs that the texts and the names
// in the scene use. A Japanese font has tens of thousands, which would take seconds to rasterise.
#include "ui_internal.h"

#include "document/file_page.h"
#include "document/save.h"

#include <backends/imgui_impl_opengl3.h>

#include <cmath>
#include <cstring>

#include "document/bindings.h"
#include "binding_help.h"
#include "edit/refusals.h"
#include "font_find.h"
#include "message_words.h"

static const float FONT_POINTS = 15.0f; // height of a line at scale 1

ImU32 theme_accent(float alpha)
{
    return ImGui::GetColorU32(ImVec4(0.22f, 0.77f, 0.73f, alpha)); // Miku's turquoise
}

ImU32 theme_text(float alpha)
{
    return ImGui::GetColorU32(ImVec4(0.93f, 0.95f, 0.96f, alpha));
}

ImU32 theme_warning(void)
{
    return ImGui::GetColorU32(ImVec4(1.0f, 0.76f, 0.38f, 1.0f));
}

ImVec4 theme_message(message_kind kind)
{
    return kind == MESSAGE_ERROR     ? ImVec4(1.0f, 0.52f, 0.48f, 1.0f)
           : kind == MESSAGE_REFUSAL || kind == MESSAGE_WARNING ? ImVec4(1.0f, 0.76f, 0.38f, 1.0f)
           : kind == MESSAGE_NEWS    ? ImVec4(0.45f, 0.86f, 0.80f, 1.0f)
                                     : ImGui::GetStyleColorVec4(ImGuiCol_Text);
}

// Sets ImGui's colours: a dark theme with one accent colour.
static void apply_colors(ImVec4 *colors)
{
    const ImVec4 accent(0.22f, 0.77f, 0.73f, 1.0f);
    const auto tint = [accent](float alpha) { return ImVec4(accent.x, accent.y, accent.z, alpha); };
    const auto light = [](float alpha) { return ImVec4(0.75f, 0.85f, 0.90f, alpha); };
    colors[ImGuiCol_Text] = ImVec4(0.93f, 0.95f, 0.96f, 1.0f);
    colors[ImGuiCol_TextDisabled] = ImVec4(0.62f, 0.67f, 0.71f, 1.0f);
    colors[ImGuiCol_WindowBg] = ImVec4(0.075f, 0.09f, 0.11f, 0.92f);
    colors[ImGuiCol_ChildBg] = ImVec4(0, 0, 0, 0);
    colors[ImGuiCol_PopupBg] = ImVec4(0.10f, 0.12f, 0.14f, 0.98f);
    colors[ImGuiCol_Border] = light(0.12f);
    colors[ImGuiCol_FrameBg] = light(0.10f);
    colors[ImGuiCol_FrameBgHovered] = light(0.17f);
    colors[ImGuiCol_FrameBgActive] = light(0.22f);
    colors[ImGuiCol_CheckMark] = accent;
    colors[ImGuiCol_SliderGrab] = tint(0.60f); // translucent: the number is below it
    colors[ImGuiCol_SliderGrabActive] = tint(0.80f);
    colors[ImGuiCol_Button] = light(0.10f);
    colors[ImGuiCol_ButtonHovered] = light(0.20f);
    colors[ImGuiCol_ButtonActive] = tint(0.55f);
    colors[ImGuiCol_Header] = tint(0.28f);
    colors[ImGuiCol_HeaderHovered] = light(0.14f);
    colors[ImGuiCol_HeaderActive] = tint(0.45f);
    colors[ImGuiCol_Separator] = light(0.14f);
    colors[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
    colors[ImGuiCol_ScrollbarGrab] = light(0.22f);
    colors[ImGuiCol_ScrollbarGrabHovered] = light(0.35f);
    colors[ImGuiCol_ScrollbarGrabActive] = light(0.45f);
    colors[ImGuiCol_TextSelectedBg] = tint(0.40f);
    colors[ImGuiCol_TableRowBgAlt] = light(0.03f);
}

// Sets sizes and colours for a display scale.
static void apply_theme(float scale)
{
    ImGuiStyle style;
    style.WindowPadding = ImVec2(12, 10);
    style.FramePadding = ImVec2(7, 3);
    style.ItemSpacing = ImVec2(8, 6);
    style.ItemInnerSpacing = ImVec2(7, 4);
    style.WindowRounding = 0;
    style.FrameRounding = 4;
    style.PopupRounding = 5;
    style.GrabRounding = 4;
    style.ScrollbarRounding = 6;
    style.ScrollbarSize = 11;
    style.GrabMinSize = 10;
    style.ScaleAllSizes(scale);
    style.WindowBorderSize = 0;
    apply_colors(style.Colors);
    ImGui::GetStyle() = style;
}

// Adds the characters of a text to the font and to a hash. ASCII is skipped in the hash, since it is always
// there.
static uint64_t add_text(ImFontGlyphRangesBuilder *builder, uint64_t hash, const char *text)
{
    if (builder && text)
        builder->AddText(text);
    for (const char *c = text; c && *c; c++)
        if (*c & 0x80)
            hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    return hash;
}

static const size_t FILES_LETTERS = 2000; // rows of the page of files whose characters the font gets, in each folder

// Adds every name that a page may show and returns a hash of them. builder may be NULL, when only the hash is
// needed.
static uint64_t add_names(ImFontGlyphRangesBuilder *builder, const ui_scene *scene)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < scene->model_count; i++) {
        const mmd_model *model = scene->models[i].model;
        hash = add_text(builder, hash, model->name);
        hash = add_text(builder, hash, scene->models[i].title);
        if (scene->models[i].given_name)
            hash = add_text(builder, hash, scene->models[i].given_name);
        for (uint32_t k = 0; k < model->bone_count; k++)
            hash = add_text(builder, hash, model->bones[k].name);
        for (uint32_t k = 0; k < model->frame_count; k++)
            hash = add_text(builder, hash, model->frames[k].name);
        for (uint32_t k = 0; k < model->morph_count; k++)
            hash = add_text(builder, hash, model->morphs[k].name);
        for (uint32_t k = 0; k < model->material_count; k++)
            hash = add_text(builder, hash, model->materials[k].name);
        for (uint32_t k = 0; k < model->body_count; k++)
            hash = add_text(builder, hash, model->bodies[k].name);
        for (uint32_t k = 0; k < model->joint_count; k++)
            hash = add_text(builder, hash, model->joints[k].name);
    }
    for (size_t i = 0; scene->bindings && i < scene->bindings->count; i++) {
        const key_binding *e = &scene->bindings->entries[i];
        hash = add_text(builder, hash, e->help ? e->help : e->command);
    }
    hash = add_text(builder, hash, scene->name);
    for (size_t i = 0; i < scene->log_count; i++)
        hash = add_text(builder, hash, scene->log[i].text);
    for (size_t i = 0; i < scene->file_count; i++)
        hash = add_text(builder, hash, scene->files[i]);
    for (size_t i = 0; i < scene->kept_count; i++)
        hash = add_text(builder, hash, scene->kept[i]);
    for (size_t i = 0; i < scene->motion_count; i++)
        hash = add_text(builder, hash, scene->motions[i].name);
    for (size_t i = 0; i < scene->dance_count; i++)
        hash = add_text(builder, hash, scene->dances[i]);
    hash = add_text(builder, hash, scene->last);
    for (size_t i = 0; scene->saving && i < scene->saving->count; i++)
        hash = add_text(builder, add_text(builder, hash, scene->saving->items[i].name), scene->saving->items[i].path);
    hash = add_text(builder, hash, scene->trouble);
    const file_page *page = scene->page && scene->page->shown ? scene->page : nullptr;
    for (size_t i = 0; page && i < page->place_count; i++)
        hash = add_text(builder, hash, page->places[i].label);
    hash = add_text(builder, hash, page ? page->folder : nullptr);
    return hash;
}

// Adds the characters of the page of files, and of the file that is being loaded, to those that were shown
// before, so that the font is built anew for new characters only, and not when the filter hides rows.
static void add_file_letters(odori_ui *ui, const ui_scene *scene)
{
    const file_page *page = scene->page;
    if (scene->loading_name)
        ui->file_letters.AddText(scene->loading_name);
    if (!page || !page->shown || ui->letters_version == page->version)
        return;
    ui->letters_version = page->version;
    for (size_t i = 0; i < page->count && i < FILES_LETTERS; i++)
        ui->file_letters.AddText(page->rows[i].label);
}

// Returns how many characters add_file_letters has added. As none is taken away, a set of another size is a
// set with new characters.
static uint64_t count_file_letters(const odori_ui *ui)
{
    uint64_t count = 0;
    for (ImU32 bits : ui->file_letters.UsedChars)
        for (; bits; bits &= bits - 1)
            count++;
    return count;
}

// Collects the glyph ranges: Latin, Greek, kana and common signs always, other characters where they are
// used.
static void choose_letters(const odori_ui *ui, const ui_scene *scene, ImVector<ImWchar> *ranges)
{
    static const ImWchar always[] = {0x0020, 0x00ff, 0x0100, 0x017f, 0x0391, 0x03c9, 0x2010, 0x2027, 0x2190,
                                     0x2193, 0x25cb, 0x25cf, 0x3000, 0x30ff, 0xff01, 0xff9f, 0};
    ImFontGlyphRangesBuilder builder = ui->file_letters;
    builder.AddRanges(always);
    add_names(&builder, scene);
    for (int text = 0; text < UI_TEXT_COUNT; text++)
        builder.AddText(ui_text_of((ui_text)text, 1));
    builder.AddText("日本語"); // the language's own name
    for (size_t i = 0; binding_help_at(i); i++)
        builder.AddText(binding_help_at(i));
    for (size_t i = 0; message_words_at(i); i++)
        builder.AddText(message_words_at(i));
    for (int refusal = 0; refusal < MMD_REFUSAL_COUNT; refusal++)
        if (const char *clause = refusal_in_japanese((mmd_refusal)refusal))
            builder.AddText(clause);
    const mmd_item_texts *texts = refusal_items_in_japanese();
    builder.AddText(texts->same_name);
    for (const char *text : texts->items)
        builder.AddText(text);
    builder.BuildRanges(ranges);
}

// Adds a font of a file to the atlas. ImGui opens files by itself only if told their names, and waits for pipes.
static bool add_font(ImFontAtlas *atlas, const char *path, float size, const ImFontConfig *config,
                     const ImWchar *ranges)
{
    mmd_bytes bytes = {};
    if (mmd_file_read(path, &bytes, nullptr) != MMD_OK)
        return false;
    void *copy = IM_ALLOC(bytes.size); // belongs to the atlas
    if (copy)
        std::memcpy(copy, bytes.data, bytes.size);
    if (copy)
        atlas->AddFontFromMemoryTTF(copy, (int)bytes.size, size, config, ranges);
    mmd_bytes_finish(&bytes);
    return copy != nullptr;
}

// Builds the font atlas from the installed Japanese font, or from ImGui's built-in one when there is none.
static void make_font(odori_ui *ui, const ui_scene *scene, float scale)
{
    char path[4096];
    int index = 0;
    ImFontAtlas *atlas = ImGui::GetIO().Fonts;
    ImVector<ImWchar> ranges;
    ImFontConfig config;
    float size = std::floor(FONT_POINTS * scale + 0.5f);
    atlas->Clear();
    atlas->Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
    if (ui_find_font(path, sizeof path, &index)) {
        choose_letters(ui, scene, &ranges);
        config.FontNo = index;
        config.OversampleH = 2;
        if (add_font(atlas, path, size, &config, ranges.Data))
            atlas->Build();
    }
    if (atlas->Fonts.empty() || !atlas->IsBuilt()) {
        atlas->Clear();
        config = ImFontConfig();
        config.SizePixels = size;
        atlas->AddFontDefault(&config);
        atlas->Build();
    }
    ui->has_japanese = atlas->Fonts[0]->FindGlyphNoFallback(0x3042) != nullptr;
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

void theme_update_font(odori_ui *ui, const ui_scene *scene, float scale)
{
    add_file_letters(ui, scene);
    uint64_t names = add_names(nullptr, scene) * 31 + count_file_letters(ui);
    bool is_new = ui->scale != scale;
    if (!is_new && ui->glyphs_of == names)
        return;
    ui->glyphs_of = names;
    ui->scale = scale;
    apply_theme(scale);
    ImGui_ImplOpenGL3_NewFrame(); // creates its GL objects before the first font texture
    make_font(ui, scene, scale);
}
