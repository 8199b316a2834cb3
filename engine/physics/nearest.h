/* Nearest points on segments, triangles and shapes. Not a public header. */
#ifndef MMD_NEAREST_H
#define MMD_NEAREST_H

#include "mmd/physscene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Find the nearest point on the segment from a to b, and on the triangle a b c, which may be degenerate.
 * out may be p. */
void mmd_nearest_on_segment(const float a[3], const float b[3], const float p[3], float out[3]);
void mmd_nearest_on_triangle(const float a[3], const float b[3], const float c[3], const float p[3],
                             float out[3]);

/*
 * Finds the nearest point on a shape, in the shape's frame: on its surface, or p itself inside a solid. A
 * mesh is only its surface. An empty shape gives p.
 */
void mmd_nearest_on_shape(const mmd_physscene *scene, const mmd_phys_shape *shape, const float p[3],
                          float out[3]);

#ifdef __cplusplus
}
#endif

#endif
