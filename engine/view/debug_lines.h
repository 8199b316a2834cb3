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
    bool is_front; /* nothing of the lines is seen through what hides them */
} debug_pen;

void debug_line(debug_pen *pen, const float from[3], const float to[3]);
void debug_dot(debug_pen *pen, const float at[3], float width);

/* A shape of a body whose frame the pen has. */
void debug_shape(debug_pen *pen, const mmd_debug_scene *seen, const mmd_phys_body *body,
                 const mmd_phys_shape *shape);

/* Edges as pairs of points. */
typedef struct debug_edge_list {
    uint32_t (*edges)[2];
    uint32_t count;
} debug_edge_list;

const debug_edge_list *debug_edges_of_mesh(const mmd_debug_edges *edges, int32_t mesh, bool hull);
const debug_edge_list *debug_edges_of_soft(const mmd_debug_edges *edges, uint32_t soft);

/* Whether a body's mesh is simulated, and drawn, as its hull. */
bool debug_uses_hull(const mmd_phys_body *body, const mmd_phys_shape *shape);

#endif
