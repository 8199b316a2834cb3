/*
 * Rows for a solver: what the limits and drives of a joint measure, and how it changes with the velocities of
 * the two bodies. Not a public header.
 */
#ifndef MMD_JOINT_METRIC_H
#define MMD_JOINT_METRIC_H

#include "mmd/physscene.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A value measured of T = inverse(frame of A) * frame of B, its derivatives by B's velocity relative to A's
 * (at B's frame) and by B's angular velocity relative to A's, both along the axes of A's frame, and its
 * allowed range. lower = upper is a lock.
 */
typedef struct joint_row {
    float value;
    float lower, upper; /* -INFINITY and INFINITY: unbounded */
    float linear[3], angular[3];
} joint_row;

/* A row of a drive: value is the distance from the target, and the gains belong to the row. */
typedef struct joint_drive_row {
    float value;
    float velocity; /* the wanted velocity */
    float stiffness, damping;
    float linear[3], angular[3];
} joint_drive_row;

enum { JOINT_LIMIT_ROWS = 3, JOINT_DRIVE_ROWS = 6 };

/* joint_twist returns the signed twist of a rotation about an axis, -pi to pi. joint_track returns the
 * equivalent angle nearest to `before`. */
float joint_twist(const float rotation[4], int axis);
float joint_track(float before, float angle);

/*
 * Computes the rows of a limit, at most JOINT_LIMIT_ROWS, and returns their number. twist holds the tracked
 * twists about X, Y and Z. There are none where the limit cannot be violated.
 */
int joint_limit_rows(const mmd_phys_limit *limit, const mmd_transform *t, const float twist[3],
                     joint_row *rows);

/* Computes the rows of a drive, at most JOINT_DRIVE_ROWS, and returns their number: 0 for a disabled
 * drive. */
int joint_drive_rows(const mmd_phys_drive *drive, const mmd_transform *t, const float twist[3],
                     joint_drive_row *rows);

/* --- A damped spring over one step, for a solver of rows --- */

/*
 * The solver finds the impulse of a step by adding -position x - before v0 - velocity v - share impulse until
 * that is 0. x and v0 are the offset and its speed at the start of the step, before gravity and all other
 * forces act. v is the current speed, with these forces and the impulse so far.
 */
typedef struct joint_spring {
    float position, before, velocity, share;
} joint_spring;

/*
 * Computes the spring of a stiffness and a damping (0 or more) over a step of dt seconds, on an inverse mass
 * (or inertia) above 0. It follows the damped oscillator under a constant force exactly where the step
 * resolves it, and is stable where it does not. Under a force F it rests at F / stiffness in both cases.
 * Positions are integrated as x += dt v.
 */
joint_spring joint_spring_make(double stiffness, double damping, double inverse_mass, double dt);

#ifdef __cplusplus
}
#endif

#endif
