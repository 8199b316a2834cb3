/* Nearest points. Not a public header. */
#ifndef MMD_NEAREST_H
#define MMD_NEAREST_H

#include "mmd/physscene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* On the segment from a to b, and on the triangle a b c, which may be degenerate. out may be p. */
void mmd_nearest_on_segment(const float a[3], const float b[3], const float p[3], float out[3]);
void mmd_nearest_on_triangle(const float a[3], const float b[3], const float c[3], const float p[3],
                             float out[3]);

/*
 * On a shape, all in the shape's frame: its surface, or p itself within a
 * solid. A mesh is its surface alone. A shape of nothing gives p.
 */
void mmd_nearest_on_shape(const mmd_physscene *scene, const mmd_phys_shape *shape, const float p[3],
                          float out[3]);

#ifdef __cplusplus
}
#endif

#endif
