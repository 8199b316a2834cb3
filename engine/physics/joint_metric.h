/*
 * What the limits and drives of a joint measure, and how that changes as the
 * two bodies move: rows of numbers for a solver. Not a public header.
 */
#ifndef MMD_JOINT_METRIC_H
#define MMD_JOINT_METRIC_H

#include "mmd/physscene.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A number that is measured of T = inverse(frame of A) * frame of B, how fast
 * it grows with B's velocity relative to A's (at B's frame) and with B's
 * angular velocity relative to A's, both along the axes of A's frame, and
 * where it has to stay: lower = upper is a lock.
 */
typedef struct joint_row {
    float value;
    float lower, upper; /* -INFINITY and INFINITY: unbounded */
    float linear[3], angular[3];
} joint_row;

/* A row of a drive: value is the distance from its target, and the gains are for that row. */
typedef struct joint_drive_row {
    float value;
    float velocity; /* wanted */
    float stiffness, damping;
    float linear[3], angular[3];
} joint_drive_row;

enum { JOINT_LIMIT_ROWS = 3, JOINT_DRIVE_ROWS = 6 };

/* The signed twist of a rotation about an axis, -pi to pi, and the angle next to `before` that is the same.
 */
float joint_twist(const float rotation[4], int axis);
float joint_track(float before, float angle);

/*
 * The rows of a limit, at most JOINT_LIMIT_ROWS; twist holds the tracked
 * twists about X, Y and Z. None where nothing can be violated yet.
 */
int joint_limit_rows(const mmd_phys_limit *limit, const mmd_transform *t, const float twist[3],
                     joint_row *rows);

/* The rows of a drive, at most JOINT_DRIVE_ROWS; it may be disabled. */
int joint_drive_rows(const mmd_phys_drive *drive, const mmd_transform *t, const float twist[3],
                     joint_drive_row *rows);

/* A damped spring over one step, for a solver of rows. */

/*
 * The impulse of a step is found by adding to it, again and again,
 * -position x - before v0 - velocity v - share impulse, until that is nothing:
 * x and v0 are the offset and its speed when the step begins, before gravity
 * and all other forces act; v is the speed as it is with them and with the
 * impulse so far.
 */
typedef struct joint_spring {
    float position, before, velocity, share;
} joint_spring;

/*
 * The spring of a stiffness and a damping (0 or more) over a step of dt
 * seconds, on something with an inverse mass (or inertia) above 0: exactly
 * the motion of the damped oscillator under a steady force wherever the step
 * resolves it, and stable where it does not; at rest under a force F it stands
 * at F / stiffness either way. Positions are integrated as x += dt v.
 */
joint_spring joint_spring_make(double stiffness, double damping, double inverse_mass, double dt);

#ifdef __cplusplus
}
#endif

#endif
