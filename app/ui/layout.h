/*
 * The layout of the player's window, in pixels from its top left. The picture is at the top left, so that its
 * pixels are those of the window. The panels are right of it, the keyframe editor is below it, and the bar
 * with the timeline at the bottom. Without panels and editor the bar lies over the picture, which therefore
 * keeps its size while the bar comes and goes.
 */
#ifndef ODORI_UI_LAYOUT_H
#define ODORI_UI_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "edit/panel_settings.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes in points (pixels at scale 1): of the bar, and of panels and editor if the user has set none. */
enum { UI_BAR_HEIGHT = 64, UI_PANELS_WIDTH = 330, UI_SHEET_HEIGHT = 236 };

typedef struct ui_rectangle {
    uint32_t x, y, width, height; /* width and height 0: it is not shown */
} ui_rectangle;

typedef struct ui_layout {
    ui_rectangle picture; /* of the scene, never empty */
    ui_rectangle panels, sheet, bar;
    ui_rectangle page; /* for pages that fill the window, as the list of keys: all but the bar */
    bool bar_is_over;  /* the bar lies over the picture */
} ui_layout;

/* Computes the layout of a window of width x height pixels, both above 0. point: pixels per point. Panels and
 * editor take less than the user has set where little would be left of the picture, and nothing in a window
 * that is hardly larger than the bar. */
ui_layout ui_layout_of(const panel_settings *settings, uint32_t width, uint32_t height, double point);

#ifdef __cplusplus
}
#endif

#endif
