/* Vectors and turns of a gizmo, in double precision. Matrices are column-major, vectors columns. */
#ifndef ODORI_GIZMO_MATH_H
#define ODORI_GIZMO_MATH_H

#include <stdbool.h>

double gizmo_dot(const double a[3], const double b[3]);
void gizmo_cross(const double a[3], const double b[3], double out[3]); /* out is neither */
double gizmo_length(const double a[3]);
bool gizmo_normalize(double a[3]); /* false: too short to have a direction */

/* out = a + b * factor; out may be a or b. */
void gizmo_add(const double a[3], const double b[3], double factor, double out[3]);

/* A point and a direction by a 4 x 4 matrix. */
void gizmo_transform(const double m[16], const double point[3], double out[3]);
void gizmo_turn(const double m[16], const double direction[3], double out[3]);

/* Three axes of unit length at right angles, nearest to a matrix' columns; false: it has none. */
bool gizmo_axes_of(const double m[16], double axes[9]);

/* The direction that a matrix' linear part brings to another one; false: there is none. */
bool gizmo_solve(const double m[16], const double direction[3], double out[3]);

/* Turns as three columns: a * b; inverse(a) * b; about an axis of unit length; of degrees about X, then Y,
 * then Z. */
void gizmo_multiply(const double a[9], const double b[9], double out[9]); /* out is neither */
void gizmo_divide(const double a[9], const double b[9], double out[9]);   /* likewise */
void gizmo_turn_about(const double axis[3], double radians, double out[9]);
void gizmo_from_degrees(const double degrees[3], double out[9]);
void gizmo_to_degrees(const double turn[9], double degrees[3]);

#endif
