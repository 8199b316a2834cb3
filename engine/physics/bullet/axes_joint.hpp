/*
 * Joints with limits and drives for Bullet.
 *
 * The solver must run all its iterations, even if its own rows have no error left: set
 * btContactSolverInfo::m_leastSquaresResidualThreshold below 0 in worlds with these joints.
 */
#ifndef MMD_AXES_JOINT_HPP
#define MMD_AXES_JOINT_HPP

#include "mmd/physscene.h"

#include <btBulletDynamicsCommon.h>

/*
 * Creates the joint between two bodies, one of which may represent the world. Frames are relative to the
 * centres of mass. The caller deletes it before the bodies and before the scene, which it keeps reading.
 */
btTypedConstraint *axes_joint_create(const mmd_physscene &scene, const mmd_phys_joint &joint, btRigidBody &a,
                                     btRigidBody &b, const btTransform &frame_in_a,
                                     const btTransform &frame_in_b);

/*
 * Access to the state that the bodies' transforms do not contain: how many turns they have made around each
 * other. It belongs in snapshots. Restore it after the bodies' transforms. axes_joint_forget starts again
 * from the current transforms, as axes_joint_create does, for bodies that were moved.
 */
size_t axes_joint_state_size(const mmd_phys_joint &joint);
void axes_joint_save(const btTypedConstraint &constraint, void *state);
void axes_joint_restore(btTypedConstraint &constraint, const void *state);
void axes_joint_forget(btTypedConstraint &constraint);

#endif
