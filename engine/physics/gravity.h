/* Gravity fields: the acceleration where several fields overlap. For backends; not a public header. */
#ifndef MMD_GRAVITY_H
#define MMD_GRAVITY_H

#include "mmd/physscene.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes the order in which fields are applied to order (scene->gravity_count elements): descending priority,
 * then the order of the scene.
 */
void mmd_gravity_order(const mmd_physscene *scene, uint32_t *order);

/*
 * Computes the acceleration in units/s^2 at a point in world space, such as a body's centre of mass. inside
 * holds, per field in the scene's order, whether the point's body is within the field's trigger (ignored for
 * fields without one). bodies are the frames of all bodies of the scene. world is the world's gravity, which
 * comes last. The caller applies the body's gravity factor.
 */
void mmd_gravity_at(const mmd_physscene *scene, const uint32_t *order, const mmd_transform *bodies,
                    const uint8_t *inside, const float world[3], const float point[3], float out[3]);

#ifdef __cplusplus
}
#endif

#endif
