/* Mass, centre of mass and inertia of a body, given or from its shapes. */
#ifndef MMD_PHYSICS_MASS_HPP
#define MMD_PHYSICS_MASS_HPP

#include <btBulletDynamicsCommon.h>

#include "mmd/physscene.h"

struct mass_properties {
    btScalar mass; /* kg; 0: infinite */
    btVector3 center;
    btQuaternion rotation; /* of the principal axes */
    btVector3 inertia;     /* about them, kg units^2; 0: infinite */
};

/*
 * What body weighs. leaves are its shapes' Bullet shapes. The inertia of one
 * shape that is centred on its body is what Bullet says of the shape, as in
 * MMD; else it is that of the solids, exact for all but tapered shapes and
 * hulls, whose corners are integrated.
 */
mass_properties mass_of(const mmd_physscene &scene, const mmd_phys_body &body,
                        btCollisionShape *const *leaves);

#endif
