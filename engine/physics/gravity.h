/*
 * Gravity fields: the acceleration where several fields overlap. For backends; not a public header.
 */
#ifndef MMD_GRAVITY_H
#define MMD_GRAVITY_H

#include "mmd/physscene.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Computes the order in which fields apply: by descending priority, equal ones in the scene's order. order
 * has room for scene->gravity_count.
 */
void mmd_gravity_order(const mmd_physscene *scene, uint32_t *order);

/*
 * Computes the acceleration, units/s^2 in the world, at a point (a body's centre of mass). inside tells for
 * each field, in the scene's order, whether the point's body is in its trigger (ignored for fields without a
 * body). bodies are the frames of all bodies of the scene. world is the world's own gravity, which applies
 * last. The caller applies the body's gravity factor.
 */
void mmd_gravity_at(const mmd_physscene *scene, const uint32_t *order, const mmd_transform *bodies,
                    const uint8_t *inside, const float world[3], const float point[3], float out[3]);

#ifdef __cplusplus
}
#endif

#endif
