/*
 * Joints of limits and drives for Bullet.
 *
 * The solver has to make all its iterations, even if its own rows have no error left: set
 * btContactSolverInfo::m_leastSquaresResidualThreshold below 0 in worlds with such joints.
 */
#ifndef MMD_AXES_JOINT_HPP
#define MMD_AXES_JOINT_HPP

#include "mmd/physscene.h"

#include "bullet.hpp"

/*
 * Creates the joint between two bodies, one of which may stand for the world. Frames are relative to the
 * centres of mass. The caller deletes it before the bodies and the scene, which it refers to.
 */
btTypedConstraint *axes_joint_create(const mmd_physscene &scene, const mmd_phys_joint &joint, btRigidBody &a,
                                     btRigidBody &b, const btTransform &frame_in_a,
                                     const btTransform &frame_in_b);

/*
 * The state of a joint beyond the bodies' transforms: how many turns they made around each other. It belongs
 * into snapshots and is restored after the bodies are in place. forget derives it from the present
 * transforms, as create does, for bodies that were placed by hand.
 */
size_t axes_joint_state_size(const mmd_phys_joint &joint);
void axes_joint_save(const btTypedConstraint &constraint, void *state);
void axes_joint_restore(btTypedConstraint &constraint, const void *state);
void axes_joint_forget(btTypedConstraint &constraint);

#endif
