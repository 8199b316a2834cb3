/*
 * The quantities that a joint's limits and drives measure, with their derivatives, as rows for a solver. Not
 * a public header.
 */
#ifndef MMD_JOINT_METRIC_H
#define MMD_JOINT_METRIC_H

#include "mmd/physscene.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A quantity measured on T = inverse(frame of A) * frame of B. linear and angular are its derivatives with
 * respect to B's velocity relative to A's (at B's frame) and B's relative angular velocity, both along the
 * axes of A's frame. The value must stay between lower and upper; lower = upper is a lock.
 */
typedef struct joint_row {
    float value;
    float lower, upper; /* -INFINITY and INFINITY: unbounded */
    float linear[3], angular[3];
} joint_row;

/* A row of a drive. value is the distance from the target; the gains apply to this row. */
typedef struct joint_drive_row {
    float value;
    float velocity; /* target velocity */
    float stiffness, damping;
    float linear[3], angular[3];
} joint_drive_row;

enum { JOINT_LIMIT_ROWS = 3, JOINT_DRIVE_ROWS = 6 };

/* joint_twist returns the signed twist of a rotation about an axis, -pi to pi. joint_track returns the
 * equivalent angle nearest to `before`, so that whole turns are tracked. */
float joint_twist(const float rotation[4], int axis);
float joint_track(float before, float angle);

/*
 * Writes the rows of a limit, at most JOINT_LIMIT_ROWS, and returns their number. twist holds the tracked
 * twists about X, Y and Z. There are no rows if nothing can be violated yet.
 */
int joint_limit_rows(const mmd_phys_limit *limit, const mmd_transform *t, const float twist[3],
                     joint_row *rows);

/* Writes the rows of a drive, at most JOINT_DRIVE_ROWS, and returns their number; 0 if it is disabled. */
int joint_drive_rows(const mmd_phys_drive *drive, const mmd_transform *t, const float twist[3],
                     joint_drive_row *rows);

/* A damped spring over one step, for a solver of rows. */

/*
 * Coefficients for finding the impulse of a step iteratively: a solver adds -position x - before v0 -
 * velocity v - share impulse to the impulse until that sum is zero. x and v0 are the offset and its speed at
 * the start of the step, before gravity and other forces; v is the speed including them and the impulse so
 * far.
 */
typedef struct joint_spring {
    float position, before, velocity, share;
} joint_spring;

/*
 * Returns the coefficients of a spring with stiffness and damping (0 or more) for a step of dt seconds on an
 * inverse mass (or inertia) above 0. The motion is exactly that of the damped oscillator under a constant
 * force where the step resolves it, and stable where it does not. At rest under a force F the offset is F /
 * stiffness in both cases. Positions must be integrated as x += dt v.
 */
joint_spring joint_spring_make(double stiffness, double damping, double inverse_mass, double dt);

#ifdef __cplusplus
}
#endif

#endif
