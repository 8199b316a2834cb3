/*
 * PMX 2.1's soft bodies in Bullet (btSoftBody): cloth and ropes with anchors
 * to rigid bodies and pins that are led.
 *
 * A world with soft bodies is a soft_world, made with a soft_configuration and
 * a soft_solver; btSoftBody's own collision test against rigid bodies is
 * replaced by an exact one (soft_contacts.cpp), and what is solved is put in
 * an order that depends on numbers, never on addresses, so that equal states
 * go on bit for bit alike.
 *
 * All of it belongs to the thread of the world.
 */
#ifndef MMD_PHYSICS_BULLET_SOFT_CONTACTS_HPP
#define MMD_PHYSICS_BULLET_SOFT_CONTACTS_HPP

#include <BulletSoftBody/btDefaultSoftBodySolver.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>

#include "../backend.h"

/* Bullet's, but a plane meets a soft body as one shape, not as triangles, and rigid ones as in
 * contacts.cpp.
 */
class soft_configuration final : public btSoftBodyRigidBodyCollisionConfiguration
{
  public:
    btCollisionAlgorithmCreateFunc *getCollisionAlgorithmCreateFunc(int type_a, int type_b) override;
};

/* What solving contacts did to a node's last place, to be undone. */
struct soft_shift {
    btSoftBody::Node *node;
    btRigidBody *rigid; /* NULL: what it touches is none */
    btVector3 shift, normal, arm;
    btScalar push; /* at most so much speed comes from being pushed out */
};

/* Bullet's, with exact contacts of nodes with spheres, boxes, capsules and planes, on which cloth lies still.
 */
class soft_solver final : public btDefaultSoftBodySolver
{
  public:
    using btDefaultSoftBodySolver::processCollision;
    void processCollision(btSoftBody *soft, const btCollisionObjectWrapper *other) override;
    void solveConstraints(btScalar step) override;

  private:
    btAlignedObjectArray<soft_shift> shifts_;
};

/* Bullet's, but contacts are sorted before they are solved. The solver must outlive it. */
class soft_world final : public btSoftRigidDynamicsWorld
{
  public:
    soft_world(btDispatcher *dispatcher, btBroadphaseInterface *pairs, btConstraintSolver *constraints,
               btCollisionConfiguration *configuration, soft_solver *solver);
    /* Of rigid and soft bodies alike. */
    void setGravity(const btVector3 &gravity) override;

  protected:
    void internalSingleStepSimulation(btScalar step) override;

  private:
    soft_solver *solver_;
    int steps_;
};

#endif
