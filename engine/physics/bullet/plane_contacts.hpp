/*
 * How moving shapes meet planes. Bullet's own algorithm finds one point at a
 * time, the lowest, so that a box that lands upright rocks on its corners until
 * it falls over; here all corners that touch are found in the same step.
 */
#ifndef MMD_PHYSICS_BULLET_PLANE_CONTACTS_HPP
#define MMD_PHYSICS_BULLET_PLANE_CONTACTS_HPP

#include <btBulletDynamicsCommon.h>

/* The algorithm for shapes of two types, to be had of a collision configuration; NULL: not a plane and a
 * convex shape. It lives as long as the program. */
btCollisionAlgorithmCreateFunc *plane_contacts_for(int type_a, int type_b);

/* Bullet's configuration with it. */
class rigid_configuration final : public btDefaultCollisionConfiguration
{
  public:
    using btDefaultCollisionConfiguration::btDefaultCollisionConfiguration;
    btCollisionAlgorithmCreateFunc *getCollisionAlgorithmCreateFunc(int type_a, int type_b) override
    {
        btCollisionAlgorithmCreateFunc *found = plane_contacts_for(type_a, type_b);
        return found ? found
                     : btDefaultCollisionConfiguration::getCollisionAlgorithmCreateFunc(type_a, type_b);
    }
};

#endif
