/*
 * Gravity fields: how strongly something is pulled where several fields
 * overlap. For backends; not a public header.
 */
#ifndef MMD_GRAVITY_H
#define MMD_GRAVITY_H

#include "mmd/physscene.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The order in which fields are looked at: higher priorities first, those of
 * the same in the scene's order. order has room for scene->gravity_count.
 */
void mmd_gravity_order(const mmd_physscene *scene, uint32_t *order);

/*
 * The acceleration, units/s^2 in the world, at a point (a body's centre of
 * mass). inside says for each field, in the scene's order, whether the point's
 * body is within its trigger (not looked at for fields that are everywhere);
 * bodies are the frames of all of the scene's bodies; world is the world's own
 * gravity, which comes last. A body's gravity factor is the caller's to apply.
 */
void mmd_gravity_at(const mmd_physscene *scene, const uint32_t *order, const mmd_transform *bodies,
                    const uint8_t *inside, const float world[3], const float point[3], float out[3]);

#ifdef __cplusplus
}
#endif

#endif
