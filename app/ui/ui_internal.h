// What the files of the panels share.
#ifndef ODORI_UI_INTERNAL_H
#define ODORI_UI_INTERNAL_H

#include <imgui.h>

#include "dope_sheet.h"
#include "texts.h"
#include "ui.h"

enum { EVENT_MAX = 256, LINES_MAX = 16, RECTS_MAX = 8 };

enum event_kind { EVENT_MOVE, EVENT_BUTTON, EVENT_WHEEL, EVENT_KEY, EVENT_CHARACTER, EVENT_MODIFIERS };

struct ui_event {
    event_kind kind;
    float x, y;         // of the pointer, or notches in y
    uint32_t number;    // button, key or character
    unsigned modifiers; // of a key
    bool down;
};

struct ui_rect {
    float x0, y0, x1, y1;
};

struct odori_ui {
    ImGuiContext *context;
    ui_event events[EVENT_MAX];
    unsigned event_count;
    unsigned settle; // frames still to be laid out, so that what an event did is seen in full
    double seconds;  // of the last frame
    float x, y;      // of the pointer, by the last event
    bool pressed[3]; // buttons that are down on something of the panels
    bool japanese;
    bool has_japanese;  // letters of the font
    float scale;        // what the font was made for; 0: none was
    uint64_t glyphs_of; // names that the font's letters were chosen for
    char lines[LINES_MAX][UI_LINE_MAX];
    unsigned line_count, line_next;
    ui_rect rects[RECTS_MAX]; // that the panels cover
    unsigned rect_count;
    bool has_popup, is_dragging;
    bool joins;         // edits of the drag are one step
    bool scrubs;        // the timeline is being dragged
    uint32_t bone;      // chosen in the list
    uint32_t layer;     // of the pixel, looked at; beyond them: the one in front
    uint64_t layers_of; // the pixel that it is of
    ui_sheet sheet;
    ImGuiTextFilter morph_filter, bone_filter, material_filter;
};

// Returns the pixels of a number of points, at the scale of the display.
static inline float ui_px(const odori_ui *ui, float points)
{
    return points * ui->scale;
}

static inline const char *ui_say(const odori_ui *ui, ui_text text)
{
    return ui_text_of(text, ui->japanese);
}

// Says a line for the command table; one too long is not said.
void ui_line(odori_ui *ui, const char *format, ...) IM_FMTARGS(2);

// A name as a word of such a line, in quotes.
struct ui_word {
    char text[UI_LINE_MAX];
};
ui_word ui_quote(const char *name);

// Notes that the window of ImGui that was begun covers what lies under it.
void ui_cover(odori_ui *ui);

// Joins edits: while something is dragged its edits are one step of undo; call behind each item that edits.
void ui_join_drag(odori_ui *ui);

// Shows a square without a frame, so many points high, whose sign the caller draws; true: clicked.
bool ui_sign_button(odori_ui *ui, const char *id, ui_text help, float points, ImVec2 *center);

// Returns the name to show: the English one where that language is spoken and it has one.
const char *ui_name(const odori_ui *ui, const char *name, const char *english);
// Copies a text, cut and ended by an ellipsis where it is wider than so many pixels.
void ui_elide(const char *text, float width, char *out, size_t size);
bool ui_passes(const ImGuiTextFilter &filter, const char *name, const char *english);
// Shows the field of such a filter, as wide as there is room.
void ui_filter(odori_ui *ui, ImGuiTextFilter *filter, const char *id);

// ---- theme.cpp ----
// Makes the font anew where the scale or the names in the scene are others. Before a frame begins.
void theme_update_font(odori_ui *ui, const ui_scene *scene, float scale);
// Colours beyond ImGui's own.
ImU32 theme_accent(float alpha);
ImU32 theme_text(float alpha);
ImU32 theme_warning(void);

// ---- timeline.cpp, panels.cpp, pages of it ----
void timeline_show(odori_ui *ui, const ui_scene *scene, const ui_display *display);
float timeline_height(const odori_ui *ui);
float panels_width(const odori_ui *ui, const ui_display *display);
void panels_show(odori_ui *ui, const ui_scene *scene, const ui_display *display);
void files_show(odori_ui *ui, const ui_scene *scene);
void loading_show(odori_ui *ui, const ui_scene *scene, const ui_display *display);
void page_models(odori_ui *ui, const ui_scene *scene);
void page_morphs(odori_ui *ui, const ui_scene *scene);
void page_bones(odori_ui *ui, const ui_scene *scene);
void page_edit(odori_ui *ui, const ui_scene *scene);
void gizmo_show(odori_ui *ui, const ui_scene *scene, const ui_display *display);
void page_materials(odori_ui *ui, const ui_scene *scene);
void page_physics(odori_ui *ui, const ui_scene *scene);
void page_view(odori_ui *ui, const ui_scene *scene);
void page_statistics(odori_ui *ui, const ui_scene *scene);
void page_log(odori_ui *ui, const ui_scene *scene);
void overlay_keys(odori_ui *ui, const ui_scene *scene, const ui_display *display);
void overlay_pixel(odori_ui *ui, const ui_scene *scene, const ui_display *display);

#endif
