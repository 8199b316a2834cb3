/*
 * Shapes of bodies as triangles, for what draws them and for what must say
 * them as hulls.
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

#endif
