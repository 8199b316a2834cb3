/*
 * Soft bodies of PMX 2.1 in Bullet (btSoftBody): cloth and ropes with anchors to rigid bodies and with driven
 * pins.
 *
 * A world with soft bodies is a soft_world with a soft_configuration and a soft_solver. btSoftBody's own
 * collision test against rigid bodies is replaced by an exact one (soft_contacts.cpp), and contacts are
 * solved in an order that depends on numbers and never on addresses, so that equal states give bit for bit
 * equal results.
 *
 * All of it belongs to the thread of the world.
 */
#ifndef MMD_PHYSICS_BULLET_SOFT_CONTACTS_HPP
#define MMD_PHYSICS_BULLET_SOFT_CONTACTS_HPP

#include <BulletSoftBody/btDefaultSoftBodySolver.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>

#include "../backend.h"

/* Bullet's configuration, except that a plane meets a soft body as one shape instead of triangles, and
 * rigid bodies as in contacts.cpp. */
class soft_configuration final : public btSoftBodyRigidBodyCollisionConfiguration
{
  public:
    using btSoftBodyRigidBodyCollisionConfiguration::btSoftBodyRigidBodyCollisionConfiguration;
    btCollisionAlgorithmCreateFunc *getCollisionAlgorithmCreateFunc(int type_a, int type_b) override;
};

/* The change of a node's last position for the solution of its contacts, to be reverted. */
struct soft_shift {
    btSoftBody::Node *node;
    btRigidBody *rigid; /* NULL: the object is not a rigid body */
    btVector3 shift, normal, arm;
    btScalar push; /* limit of the speed that results from the correction of depth */
};

/* Bullet's solver, with exact contacts of nodes with spheres, boxes, capsules and planes, on which cloth
 * lies still. */
class soft_solver final : public btDefaultSoftBodySolver
{
  public:
    using btDefaultSoftBodySolver::processCollision;
    void processCollision(btSoftBody *soft, const btCollisionObjectWrapper *other) override;
    void solveConstraints(btScalar step) override;

  private:
    btAlignedObjectArray<soft_shift> shifts_;
};

/* Bullet's world, except that contacts are sorted before they are solved. The solver must outlive it. */
class soft_world final : public btSoftRigidDynamicsWorld
{
  public:
    soft_world(btDispatcher *dispatcher, btBroadphaseInterface *pairs, btConstraintSolver *constraints,
               btCollisionConfiguration *configuration, soft_solver *solver);
    /* Sets gravity for rigid and soft bodies. */
    void setGravity(const btVector3 &gravity) override;

  protected:
    void internalSingleStepSimulation(btScalar step) override;

  private:
    soft_solver *solver_;
    int steps_;
};

#endif
