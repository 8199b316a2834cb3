#include "layout.h"

#include <math.h>

#include "mmd/elementary.h"

/* Points. The picture that panels and keyframe editor leave is at least so wide and high, unless that is more
 * than half of the window; the editor needs a width for its curves; a window has room beside the bar from
 * this size on. */
enum { PICTURE_WIDTH = 320, PICTURE_HEIGHT = 200, CURVES_WIDTH = 624, ROOM_LEAST = 60 };

/* Returns the pixels of a size that the user wants, in points (0: usual), where the picture needs `picture`
 * points of the room. */
static uint32_t share(double wanted, double usual, double picture, double room, double point)
{
    double most = mmd_max(room - picture * point, room / 2);
    return (uint32_t)mmd_min((wanted > 0 ? wanted : usual) * point, most);
}

ui_layout ui_layout_of(const panel_settings *settings, uint32_t width, uint32_t height, double point)
{
    uint32_t bar = (uint32_t)(UI_BAR_HEIGHT * point + 0.5), sheet = 0, panels = 0;
    bar = bar < height ? bar : height;
    ui_layout l = {.picture = {0, 0, width, height},
                   .bar = {0, height - bar, width, bar},
                   .page = {0, 0, width, height - bar},
                   .bar_is_over = true};
    uint32_t room = height - bar;
    if (room < ROOM_LEAST * point || width < ROOM_LEAST * point) {
        l.page.height = height;
        return l;
    }
    if (settings->shown)
        panels = share(settings->panels_width, UI_PANELS_WIDTH, PICTURE_WIDTH, width, point);
    if (settings->sheet && !settings->first) /* the first page needs the room */
        sheet = share(settings->sheet_height, UI_SHEET_HEIGHT, PICTURE_HEIGHT, room, point);
    if (!panels && !sheet)
        return l;
    /* Below the picture is an even number of rows, so that it equals a picture of its own: OpenGL chooses the
     * sizes of textures for squares of two by two pixels, counted from the bottom. */
    uint32_t odd = (bar + sheet) & 1;
    if (sheet)
        sheet -= odd;
    else
        bar += odd;
    bool is_wide = sheet && width - panels < CURVES_WIDTH * point;
    uint32_t free = height - bar - sheet;
    l.bar = (ui_rectangle){0, height - bar, width, bar};
    l.bar_is_over = false;
    l.picture = (ui_rectangle){0, 0, width - panels, free};
    if (panels)
        l.panels = (ui_rectangle){width - panels, 0, panels, is_wide ? free : height - bar};
    if (sheet)
        l.sheet = (ui_rectangle){0, free, is_wide ? width : width - panels, sheet};
    return l;
}
