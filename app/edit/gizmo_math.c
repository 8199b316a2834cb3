/* What the gizmo's geometry calculates with. */
#include "gizmo_internal.h"

#include <math.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180.0)

double gizmo_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void gizmo_cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = a[i] * b[j] - a[j] * b[i];
    }
}

double gizmo_length(const double a[3])
{
    return sqrt(gizmo_dot(a, a));
}

bool gizmo_normalize(double a[3])
{
    double length = gizmo_length(a);
    if (!(length > 1e-12))
        return false;
    for (int k = 0; k < 3; k++)
        a[k] /= length;
    return true;
}

void gizmo_add(const double a[3], const double b[3], double factor, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + b[k] * factor;
}

void gizmo_turn(const double m[16], const double direction[3], double out[3])
{
    double d[3];
    memcpy(d, direction, sizeof d);
    for (int k = 0; k < 3; k++)
        out[k] = m[k] * d[0] + m[4 + k] * d[1] + m[8 + k] * d[2];
}

void gizmo_transform(const double m[16], const double point[3], double out[3])
{
    gizmo_turn(m, point, out);
    for (int k = 0; k < 3; k++)
        out[k] += m[12 + k];
}

/* Gram-Schmidt; the third by the cross product, so that a mirrored matrix has the axes of a turn, too. */
bool gizmo_axes_of(const double m[16], double axes[9])
{
    double x[3], y[3];
    memcpy(x, m, sizeof x);
    memcpy(y, m + 4, sizeof y);
    if (!gizmo_normalize(x))
        return false;
    gizmo_add(y, x, -gizmo_dot(x, y), y);
    if (!gizmo_normalize(y))
        return false;
    memcpy(axes, x, sizeof x);
    memcpy(axes + 3, y, sizeof y);
    gizmo_cross(x, y, axes + 6);
    return true;
}

/* Cramer's rule on the columns. */
bool gizmo_solve(const double m[16], const double direction[3], double out[3])
{
    double normal[3][3], found[3];
    for (int k = 0; k < 3; k++)
        gizmo_cross(m + 4 * ((k + 1) % 3), m + 4 * ((k + 2) % 3), normal[k]);
    double volume = gizmo_dot(m, normal[0]);
    for (int k = 0; k < 3; k++)
        found[k] = gizmo_dot(direction, normal[k]) / volume;
    bool solved = isfinite(found[0]) && isfinite(found[1]) && isfinite(found[2]);
    if (solved)
        memcpy(out, found, sizeof found);
    return solved;
}

void gizmo_multiply(const double a[9], const double b[9], double out[9])
{
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            out[3 * c + r] = a[r] * b[3 * c] + a[3 + r] * b[3 * c + 1] + a[6 + r] * b[3 * c + 2];
}

void gizmo_divide(const double a[9], const double b[9], double out[9])
{
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            out[3 * c + r] = gizmo_dot(a + 3 * r, b + 3 * c);
}

/* Rodrigues' formula. */
void gizmo_turn_about(const double axis[3], double radians, double out[9])
{
    double c = cos(radians), s = sin(radians);
    for (int column = 0; column < 3; column++) {
        double basis[3] = {column == 0, column == 1, column == 2}, across[3];
        gizmo_cross(axis, basis, across);
        for (int k = 0; k < 3; k++)
            out[3 * column + k] = basis[k] * c + across[k] * s + axis[k] * axis[column] * (1 - c);
    }
}

void gizmo_from_degrees(const double degrees[3], double out[9])
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double x[9], y[9], z[9], yx[9];
    gizmo_turn_about(unit[0], degrees[0] * DEGREE, x);
    gizmo_turn_about(unit[1], degrees[1] * DEGREE, y);
    gizmo_turn_about(unit[2], degrees[2] * DEGREE, z);
    gizmo_multiply(y, x, yx);
    gizmo_multiply(z, yx, out);
}

/* Of Rz Ry Rx; where Y is a right angle, Z is 0. */
void gizmo_to_degrees(const double turn[9], double degrees[3])
{
    double cosine = hypot(turn[0], turn[1]);
    bool whole = cosine > 1e-9;
    degrees[0] = (whole ? atan2(turn[5], turn[8]) : atan2(-turn[7], turn[4])) / DEGREE;
    degrees[1] = atan2(-turn[2], cosine) / DEGREE;
    degrees[2] = whole ? atan2(turn[1], turn[0]) / DEGREE : 0;
}
