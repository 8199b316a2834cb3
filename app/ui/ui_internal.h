// Internals that the files of the panels share.
#ifndef ODORI_UI_INTERNAL_H
#define ODORI_UI_INTERNAL_H

#include <climits>
#include <imgui.h>

#include "dope_sheet.h"
#include "mmd/source.h"
#include "texts.h"
#include "ui.h"

enum { EVENT_MAX = 256, LINES_MAX = 16, RECTS_MAX = 16 };

// Number of frames until ImGui has settled after an event or after a page has opened: hover state, new
// layout, final state.
static const unsigned UI_SETTLE = 3;

enum event_kind { EVENT_MOVE, EVENT_BUTTON, EVENT_WHEEL, EVENT_KEY, EVENT_CHARACTER, EVENT_MODIFIERS };

struct ui_event {
    event_kind kind;
    float x, y;         // position of the pointer; of EVENT_WHEEL: notches in y
    uint32_t number;    // button, key or character
    unsigned modifiers; // UI_CONTROL, UI_SHIFT; of keys and EVENT_MODIFIERS
    bool down;
};

struct ui_rect {
    float x0, y0, x1, y1;
};

struct odori_ui {
    ImGuiContext *context;
    ui_event events[EVENT_MAX];
    unsigned event_count;
    unsigned settle; // number of frames still needed until the layout has settled
    double seconds;  // time of the last frame
    float x, y;      // pointer, by the last event; -1: outside
    bool pressed[3]; // mouse buttons that were pressed on the panels and are still down
    bool japanese;
    bool has_japanese;                     // the font has kana
    float scale;                           // that the font was built for; 0: there is no font yet
    uint64_t glyphs_of;                    // hash of the names whose glyphs the font has
    ImFontGlyphRangesBuilder file_letters; // characters of files that were shown so far (add_file_letters)
    unsigned letters_version;              // of the rows whose characters these have
    char lines[LINES_MAX][UI_LINE_MAX];
    unsigned line_count, line_next;
    ui_rect rects[RECTS_MAX]; // windows of the last frame
    unsigned rect_count;
    bool has_popup, is_dragging;
    bool joins;          // `edit.join on` was sent: edits of the present drag are one undo step
    bool scrubs;         // the timeline is being dragged
    float grip;          // distance of the pointer from the edge that is dragged, in pixels
    ui_cursor cursor;    // shape that the pointer has
    uint32_t bone;       // index of the bone that is chosen on the Bones page
    uint64_t followed;   // item that the Bones page followed last (key_of); 0: none
    uint32_t layer;      // index of the layer that the pixel inspector shows; out of range: the front one
    uint64_t layers_of;  // pixel (x << 32 | y) that `layer` belongs to
    bool browses;        // the page of files is open: it takes all keys
    bool files_scrolls;  // its list scrolls to the row that was picked by a key
    bool files_had_text; // the filter was not empty before the last key
    bool path_is_typed;  // the path of a folder is being typed
    char files_filter[128], path_text[MMD_FILE_PATH_MAX]; // what is typed
    char files_folder[MMD_FILE_PATH_MAX];                 // folder that the filter belongs to
    unsigned files_version;                      // of the rows of the last frame
    size_t files_seen[2]; // rows of the last frame: the first one, and the one after the last
    bool saves;                                  // the list of what is unsaved is open: it takes all keys
    bool save_types;                             // a file name was being typed in the last frame
    int save_item;                               // item whose name is being typed; -1: none
    char save_text[MMD_FILE_PATH_MAX];           // that name
    char name[256];                              // of the selected model, in the field where it is changed
    bool renames;                                // that field is being edited
    bool slides;                                 // the weight of a motion is being changed:
    size_t slid;                                 // its number
    float slid_weight;                           // and the weight that it gets when the slider is released
    ui_sheet sheet;
    ImGuiTextFilter morph_filter, bone_filter, material_filter;
};

// Converts points to pixels.
static inline float ui_px(const odori_ui *ui, float points)
{
    return points * ui->scale;
}

// Returns a text in the language of the panels.
static inline const char *ui_translate(const odori_ui *ui, ui_text text)
{
    return ui_text_of(text, ui->japanese);
}

// Appends a command line to those that ui_next_line returns. One that is too long is cut, but stays longer
// than command lines may be, so that it is refused. Too many are dropped.
void ui_line(odori_ui *ui, const char *format, ...) IM_FMTARGS(2);

// A name as a quoted argument of a command line.
struct ui_word {
    char text[UI_LINE_MAX];
};
ui_word ui_quote(const char *name);

// Records that the current ImGui window covers the scene, so that the mouse belongs to the panels there.
void ui_cover(odori_ui *ui);

// Shows the edge at which the current window is resized: its left one, or with `upright` its upper one.
// Returns whether it is dragged; *place is then the x or y coordinate to which.
bool ui_edge(odori_ui *ui, bool upright, float *place);

// Returns the corners of a rectangle of the layout.
static inline ImVec2 ui_at(const ui_rectangle &r)
{
    return ImVec2((float)r.x, (float)r.y);
}
static inline ImVec2 ui_size(const ui_rectangle &r)
{
    return ImVec2((float)r.width, (float)r.height);
}

// Joins the edits of a drag into one undo step. Call it after each widget that edits.
void ui_join_drag(odori_ui *ui);

// Shows a square button without a frame, `points` wide, with a tooltip. The caller draws its icon around
// *center. Returns whether it was clicked.
bool ui_sign_button(odori_ui *ui, const char *id, const char *help, float points, ImVec2 *center);

// Returns the key that runs a command line now, or a dash if none does.
const char *ui_key_of(const ui_scene *scene, const char *command);
// A text and the key that runs a command line now, if one does: "Play (Space)".
struct ui_help {
    char text[160];
};
ui_help ui_with_key(const odori_ui *ui, const ui_scene *scene, ui_text text, const char *command);

// Returns the name to show: the English one if the panels are in English and it is not empty.
const char *ui_name(const odori_ui *ui, const char *name, const char *english);
// Returns the name of a model: the one by hand, its own, or that of its file.
const char *ui_model_name(const odori_ui *ui, const ui_model *m);
// Returns whether no other model has the same name.
bool ui_model_is_unlike(const odori_ui *ui, const ui_scene *scene, size_t i);
// Writes the name of a model, with its number and file where another one has the same name.
void ui_model_title(const odori_ui *ui, const ui_scene *scene, size_t i, char *out, size_t size);
// Writes the name of the item that was selected last: "right arm", with several models "right arm of Miku".
void ui_name_selection(const odori_ui *ui, const ui_scene *scene, char *out, size_t size);
// Returns the last part of a path.
const char *ui_file_name(const char *path);
// Copies a text. One that is wider than `width` pixels is shortened and ends in an ellipsis.
void ui_elide(const char *text, float width, char *out, size_t size);
// Copies the folder of a path. One that is wider than `width` pixels is shortened at its beginning.
void ui_elide_folder(const char *path, float width, char *out, size_t size);
// Shows a checkbox whose title is shortened where it is wider than the rest of the line.
bool ui_checkbox(odori_ui *ui, ui_text title, bool *on);

// Shows a row that can be clicked, which is seen to be chosen also below the pointer. Returns whether it was.
bool ui_row(const char *title, bool is_chosen, ImGuiSelectableFlags flags, const ImVec2 &size);
// Shows a tooltip, with line breaks where the text is long.
void ui_tooltip(const odori_ui *ui, const char *text);
// Begins a list that fills the page but for `below` pixels. Where the panels are low, the list has a least
// height, and the page scrolls. ImGui::EndChild ends it.
void ui_begin_list(const odori_ui *ui, float below);
// Returns whether a filter accepts one of the two names.
bool ui_passes(const ImGuiTextFilter &filter, const char *name, const char *english);
// Shows the text field of a filter, as wide as the page.
void ui_filter(odori_ui *ui, ImGuiTextFilter *filter, const char *id);

// ---- theme.cpp ----
// Builds the font again if the scale or the names in the scene have changed. Call it before a frame begins.
void theme_update_font(odori_ui *ui, const ui_scene *scene, float scale);
// Colours that ImGui's style does not have.
ImU32 theme_accent(float alpha);
ImU32 theme_text(float alpha);
ImU32 theme_warning(void);
ImVec4 theme_message(message_kind kind);

// ---- timeline.cpp, panels.cpp and its pages, overlays ----
void timeline_show(odori_ui *ui, const ui_scene *scene, const ui_display *display);
void panels_show(odori_ui *ui, const ui_scene *scene, const ui_display *display);
void files_show(odori_ui *ui, const ui_scene *scene);
void toasts_show(odori_ui *ui, const ui_scene *scene, const ui_display *display);
void hint_show(odori_ui *ui, const ui_scene *scene, const ui_display *display);
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
void first_show(odori_ui *ui, const ui_scene *scene, const ui_display *display);
void files_page_show(odori_ui *ui, const ui_scene *scene, const ui_display *display);
void menu_show(odori_ui *ui, const ui_menu *menu, const ui_display *display);
void saving_show(odori_ui *ui, const ui_scene *scene, const ui_display *display);
void overlay_keys(odori_ui *ui, const ui_scene *scene, const ui_display *display);
void overlay_pixel(odori_ui *ui, const ui_scene *scene, const ui_display *display);

#endif
