/* Mass, centre of mass and inertia of a body, given or from its shapes. */
#ifndef MMD_PHYSICS_MASS_HPP
#define MMD_PHYSICS_MASS_HPP

#include <btBulletDynamicsCommon.h>

#include "mmd/physscene.h"

class btConvexHullComputer;
class hull_cache;

/* A solid of even density: its volume, its centre and its second moments about the centre. */
struct solid {
    btScalar volume = 0;
    btVector3 center = btVector3(0, 0, 0);
    btMatrix3x3 moments = btMatrix3x3(0, 0, 0, 0, 0, 0, 0, 0, 0);
};

/* That of a hull which has been computed; of one without volume: a solid without. */
solid solid_hull(const btConvexHullComputer &hull);

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
                        btCollisionShape *const *leaves, hull_cache &hulls);

#endif
