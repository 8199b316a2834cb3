/*
 * Joints of limits and drives for Bullet.
 *
 * The solver has to make all its iterations, whether rows of its own have
 * errors left or not: set btContactSolverInfo::m_leastSquaresResidualThreshold
 * below 0 in worlds with such joints.
 */
#ifndef MMD_AXES_JOINT_HPP
#define MMD_AXES_JOINT_HPP

#include "mmd/physscene.h"

#include <btBulletDynamicsCommon.h>

/*
 * The joint between two bodies, of which one may stand for the world; frames
 * are relative to the bodies' centres of mass. The caller deletes it before
 * the bodies and the scene, which it goes on reading.
 */
btTypedConstraint *axes_joint_create(const mmd_physscene &scene, const mmd_phys_joint &joint, btRigidBody &a,
                                     btRigidBody &b, const btTransform &frame_in_a,
                                     const btTransform &frame_in_b);

/*
 * What such a joint knows beyond the bodies' places: how many times they are
 * turned around each other. Belongs into snapshots; restore after the bodies
 * are at their places. forget begins anew from where the bodies are, as
 * create does, for bodies that were put somewhere.
 */
size_t axes_joint_state_size(const mmd_phys_joint &joint);
void axes_joint_save(const btTypedConstraint &constraint, void *state);
void axes_joint_restore(btTypedConstraint &constraint, const void *state);
void axes_joint_forget(btTypedConstraint &constraint);

#endif
