/* A pen that draws lines into an array: what the files of debug drawing share. */
#ifndef MMD_VIEW_DEBUG_LINES_H
#define MMD_VIEW_DEBUG_LINES_H

#include "mmd/view.h"

/* Counts on where the array is full. */
typedef struct debug_pen {
    mmd_render_line *lines;
    size_t count, max;
    mmd_transform frame; /* that points are given in */
    uint8_t color[4];
    float width;
} debug_pen;

void debug_line(debug_pen *pen, const float from[3], const float to[3]);
void debug_dot(debug_pen *pen, const float at[3], float width);

/* A shape of a body whose frame the pen has. */
void debug_shape(debug_pen *pen, const mmd_physscene *scene, const mmd_phys_shape *shape);

#endif
