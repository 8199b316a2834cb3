/*
 * Materials of shapes for Bullet: how two of them combine (FORMATS.md 1, rank
 * of modes), and friction that differs at rest and in motion.
 */
#ifndef MMD_MATERIALS_HPP
#define MMD_MATERIALS_HPP

#include "mmd/physscene.h"

#include <btBulletDynamicsCommon.h>

/* Sets Bullet's process-wide callback; any thread, as often as one likes. Others' objects are left alone. */
void materials_install();

/*
 * Gives the object the materials of the body's shapes, which contacts look up
 * by the bullet_shape that each leaf shape points at. Takes the object's
 * second user index. The ground needs none: its own numbers count.
 * exact_restitution is that of the world it is in, whatever its scene says.
 */
void materials_bind(btCollisionObject &object, const mmd_physscene &scene, const mmd_phys_body &body,
                    bool exact_restitution);

/*
 * Before a step: contacts that slide get the friction of motion, the others
 * that of rest, where the two differ. Costs a pass over the contacts; not
 * needed where materials_differ is false.
 */
void materials_update(btDispatcher &dispatcher);
bool materials_differ(const mmd_physscene &scene);

#endif
