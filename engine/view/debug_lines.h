/* Debug drawing without OpenGL: the lines of bodies, joints and contacts, and a pen that collects them. */
#ifndef MMD_VIEW_DEBUG_LINES_H
#define MMD_VIEW_DEBUG_LINES_H

#include "mmd/render.h"
#include "mmd/view.h"

/* Lines that show_bodies, show_joints and show_contacts draw over the picture. Each function writes at most
 * max lines and returns how many there are in total; lines may be NULL if max is 0. */

/* The edges of a scene's hulls, meshes and soft bodies, computed once. They also fit the scene in another
 * size. */
typedef struct debug_edges debug_edges;
mmd_status debug_edges_create(const mmd_physscene *scene, debug_edges **result, /* MMD_ERROR_MEMORY */
                              mmd_error *error);
void debug_edges_destroy(debug_edges *edges); /* NULL is allowed */

/* Bits of a body's current state. */
enum { DEBUG_HELD = 1, DEBUG_ASLEEP = 2 };

/* What to draw. */
typedef struct debug_scene {
    const mmd_physscene *scene;
    const debug_edges *edges;    /* not needed for joints */
    const mmd_transform *bodies; /* world transforms, one for each body of the scene */
    const uint8_t *states;       /* by body: DEBUG_... bits; NULL for zeros */
} debug_scene;

/*
 * Draws the shapes of bodies: static bodies are grey, kinematic ones green, dynamic ones red, dynamic ones at
 * their bone's position blue, held ones orange, triggers magenta; sleeping ones are half as bright. Meshes of
 * bodies that can move are drawn as hulls, as the simulation sees them.
 */
size_t debug_bodies(const debug_scene *seen, mmd_render_line *lines, size_t max);

/* Draws the links of a soft body whose nodes have these world positions: teal, with green dots where it is
 * pinned to bones and yellow dots where it is anchored to bodies. */
size_t debug_soft_body(const debug_scene *seen, uint32_t soft, const float (*positions)[4],
                       mmd_render_line *lines, size_t max);

/*
 * Draws joints: a dot, the axes of frame A, and a line to frame B. A joint that exceeds its limits by more
 * than 0.05 units or radians (mmd_joint_find_excess) is red and thick; for radians the axes of B are also
 * drawn, in red.
 */
size_t debug_joints(const debug_scene *seen, mmd_render_line *lines, size_t max);

/* Draws contacts: a dot and the normal, crimson if deeper than 0.1 units. */
size_t debug_contacts(const mmd_contact *contacts, size_t count, mmd_render_line *lines, size_t max);

/* Collects lines in an array, and keeps counting when it is full. */
typedef struct debug_pen {
    mmd_render_line *lines;
    size_t count, max;
    mmd_transform frame; /* frame in which points are given */
    uint8_t color[4];
    float width;
    bool is_front; /* hide lines behind surfaces instead of showing them through */
} debug_pen;

void debug_line(debug_pen *pen, const float from[3], const float to[3]);
void debug_dot(debug_pen *pen, const float at[3], float width);

/* Edges as pairs of point indices. */
typedef struct debug_edge_list {
    uint32_t (*edges)[2];
    uint32_t count;
} debug_edge_list;

#endif
