/* The edges of a cage, with their faces. */
#ifndef DANCER_CAGE_EDGES_H
#define DANCER_CAGE_EDGES_H

#include "cage.h"

typedef struct cage_edge {
    int32_t a, b;    /* a < b */
    int32_t face[2]; /* CAGE_NONE for an open edge */
    bool forward[2]; /* the face traverses the edge from a to b */
    int sharpness;
} cage_edge;

typedef struct cage_edges {
    int32_t count;
    cage_edge *edges;
    int32_t (*of_face)[4]; /* by face: edge from corner k to k + 1 */
} cage_edges;

/* Finds the edges, in the cage's arena. Ends the program where a third face meets an edge. */
cage_edges cage_find_edges(const cage *c);

static inline int cage_corners(const cage_face *f)
{
    return f->point[3] == CAGE_NONE ? 3 : 4;
}

/* Does the same as cage_init for a cage of known size. */
void cage_init_sized(cage *c, mmd_arena *arena, int32_t points, int32_t faces);

#endif
