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
 * In the life of a world:
 *   soft_bodies_begin, soft_world::setGravity;
 *   for each soft body soft_body_create, its rigid bodies standing at rest;
 *   soft_body_before_step for each, btDynamicsWorld::stepSimulation,
 *   soft_body_after_step for each.
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

struct soft_body;

/*
 * Gives every rigid body its number among all of the world (user index 3), by
 * which contacts are ordered. Entries may be NULL.
 */
void soft_bodies_begin(btRigidBody *const *bodies, size_t count);

/*
 * Makes a soft body and puts it into the world. arrays must outlive it: its
 * pins are read before each step, positions and normals are written here and
 * after each step. bodies are those of its scene by number, standing at rest;
 * anchors to NULL are left out. group and mask are the broadphase's. One
 * without nodes is legal and does nothing.
 * Numbers out of Bullet's ranges are brought to the nearest end.
 */
soft_body *soft_body_create(soft_world *world, mmd_world_soft *arrays, btRigidBody *const *bodies, int group,
                            int mask);

/* Takes it out of the world and frees it; before its rigid bodies are freed. NULL is allowed. */
void soft_body_destroy(soft_body *body);

/* The collision object, for filters: its user pointer and indices are the caller's. NULL: it has no nodes. */
btSoftBody *soft_body_object(soft_body *body);

/* Out of the world and into it again, so that the order of its objects is the same in all worlds. */
void soft_body_remove(soft_body *body);
void soft_body_add(soft_body *body);

/* Leads the pinned nodes to their pins, which they reach at the end of the step of dt seconds. */
void soft_body_before_step(soft_body *body, btScalar dt);

/* Writes the arrays. A body with a node that is not finite is put back to its shape at rest, standing where
 * its first anchor's body or its pins are. True: it was. */
bool soft_body_after_step(soft_body *body);

/* Nodes go to where the array of positions has them, all with one velocity. Writes the normals. */
void soft_body_place(soft_body *body, const btVector3 &velocity);

/*
 * What a state must hold beside the arrays: bytes without pointers. restore
 * sets all that a soft body remembers, its trees and bounds included, from
 * these alone; rigid bodies are not looked at.
 */
size_t soft_body_state_size(const soft_body *body);
void soft_body_save(const soft_body *body, uint8_t *state);
void soft_body_restore(soft_body *body, const uint8_t *state);

#endif
