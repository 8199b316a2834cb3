/*
 * Shapes of bodies as triangles, for what draws them and for what must say
 * them as hulls: shape_mesh.c makes the round and square ones, shape_hull.c
 * the hull of points.
 */
#ifndef MMD_EXCHANGE_SHAPE_MESH_H
#define MMD_EXCHANGE_SHAPE_MESH_H

#include "mmd/physscene.h"

/* Triangles that grow, on the heap. Zero-initialise. */
typedef struct shape_mesh {
    uint32_t vertex_count, vertex_room;
    uint32_t index_count, index_room;
    float (*positions)[3], (*normals)[3];
    uint32_t *indices; /* clockwise in front, in MMD's space */
    uint32_t segments; /* of a circle; 0: 24 */
    bool failed;       /* out of memory; everything after it does nothing */
} shape_mesh;

/* Appends a shape as it stands in its body's frame, moved by place. A plane is a square of 400 units. */
void shape_mesh_add(shape_mesh *mesh, const mmd_physscene *scene, const mmd_phys_shape *shape,
                    const mmd_transform *place);
void shape_mesh_finish(shape_mesh *mesh);

enum { SHAPE_HULL_POINTS = 400 };

/*
 * The convex hull of count points as triangles whose normals (b - a) x (c - a)
 * point out: `indices` (for mmd_free) and their number, into points. Of more
 * than SHAPE_HULL_POINTS points those are used that lie farthest in as many
 * directions, so that the time is bounded. False: out of memory, or the points
 * lie in a plane.
 */
bool shape_hull(const float (*points)[3], uint32_t count, uint32_t **indices, uint32_t *index_count);

#endif
