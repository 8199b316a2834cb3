/* Debug drawing, apart from OpenGL: the lines of bodies, joints and contacts, and a pen that draws them. */
#ifndef MMD_VIEW_DEBUG_LINES_H
#define MMD_VIEW_DEBUG_LINES_H

#include "mmd/view.h"

/*
 * Debug drawing, apart from OpenGL: what show_bodies, show_joints and
 * show_contacts draw over the picture. Each writes at most max lines and
 * returns how many there are; lines may be NULL where max is 0.
 */

/* The edges of a scene's hulls, meshes and soft bodies: found once, for the scene and for the same in another
 * size. */
typedef struct debug_edges debug_edges;
mmd_status debug_edges_create(const mmd_physscene *scene, debug_edges **result, /* MMD_ERROR_MEMORY */
                              mmd_error *error);
void debug_edges_destroy(debug_edges *edges); /* NULL is allowed */

/* What a body is just now; bits. */
enum { DEBUG_HELD = 1, DEBUG_ASLEEP = 2 };

/* What is drawn. */
typedef struct debug_scene {
    const mmd_physscene *scene;
    const debug_edges *edges;    /* joints need none */
    const mmd_transform *bodies; /* in the world, as many as the scene has */
    const uint8_t *states;       /* by body; NULL: zeros */
} debug_scene;

/*
 * The shapes of bodies: static ones grey, kinematic green, dynamic red,
 * dynamic with their bone's place blue, held ones orange, triggers magenta,
 * sleeping ones half as bright. Meshes of bodies that may move are their
 * hulls, as in the simulation.
 */
size_t debug_bodies(const debug_scene *seen, mmd_render_line *lines, size_t max);

/* The links of a soft body whose nodes lie at positions in the world: teal, with green dots where it is
 * pinned to bones and yellow ones where it is anchored to bodies. */
size_t debug_soft_body(const debug_scene *seen, uint32_t soft, const float (*positions)[4],
                       mmd_render_line *lines, size_t max);

/*
 * Joints: a dot, the axes of A's frame, and a line to B's. They are red and
 * thick where they exceed their limits by more than 0.05 units or radians
 * (mmd_joint_find_excess), with B's axes, all red, where it is radians.
 */
size_t debug_joints(const debug_scene *seen, mmd_render_line *lines, size_t max);

/* Contacts: a dot and its normal, crimson where they are deeper than 0.1 units. */
size_t debug_contacts(const mmd_contact *contacts, size_t count, mmd_render_line *lines, size_t max);

/* A pen that draws lines into an array, and counts on where it is full. */
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

/* Edges as pairs of points. */
typedef struct debug_edge_list {
    uint32_t (*edges)[2];
    uint32_t count;
} debug_edge_list;

#endif
