/* 4 x 4 matrices, column-major, in double precision: what stacks of ops are multiplied in. */
#include "edit_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180.0)

void edit_identity(double m[16])
{
    memset(m, 0, 16 * sizeof *m);
    for (int k = 0; k < 4; k++)
        m[5 * k] = 1.0;
}

void edit_multiply(const double a[16], const double b[16], double out[16])
{
    double product[16];
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++)
                sum += a[4 * k + r] * b[4 * c + k];
            product[4 * c + r] = sum;
        }
    memcpy(out, product, sizeof product);
}

static bool all_finite(const double *values, int count)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(values[k]))
            return false;
    return true;
}

/* Gauss-Jordan with row pivots. */
bool edit_inverse(const double m[16], double out[16])
{
    double left[16], right[16];
    memcpy(left, m, sizeof left);
    edit_identity(right);
    for (int c = 0; c < 4; c++) {
        int pivot = c;
        for (int r = c + 1; r < 4; r++)
            if (fabs(left[4 * c + r]) > fabs(left[4 * c + pivot]))
                pivot = r;
        double value = left[4 * c + pivot];
        if (!isfinite(value) || fabs(value) < 1e-300)
            return false;
        for (int k = 0; k < 4; k++) {
            double l = left[4 * k + pivot], r = right[4 * k + pivot];
            left[4 * k + pivot] = left[4 * k + c];
            right[4 * k + pivot] = right[4 * k + c];
            left[4 * k + c] = l / value;
            right[4 * k + c] = r / value;
        }
        for (int r = 0; r < 4; r++) {
            double factor = left[4 * c + r];
            for (int k = 0; r != c && factor != 0.0 && k < 4; k++) {
                left[4 * k + r] -= factor * left[4 * k + c];
                right[4 * k + r] -= factor * right[4 * k + c];
            }
        }
    }
    memcpy(out, right, sizeof right);
    return all_finite(out, 16);
}

void edit_from_floats(const float m[16], double out[16])
{
    for (int k = 0; k < 16; k++)
        out[k] = (double)m[k];
}

/* m = m * a turn about axis 0, 1 or 2. */
static void turn_about(double m[16], int axis, double degrees)
{
    double turn[16], s = sin(degrees * DEGREE), c = cos(degrees * DEGREE);
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    edit_identity(turn);
    turn[5 * a] = turn[5 * b] = c;
    turn[4 * a + b] = s;
    turn[4 * b + a] = -s;
    edit_multiply(m, turn, m);
}

void edit_euler_matrix(const double degrees[3], double m[16])
{
    edit_identity(m);
    for (int axis = 2; axis >= 0; axis--)
        turn_about(m, axis, degrees[axis]);
}

/* Rz Ry Rx; where Y is a right angle, Z is 0. */
void edit_matrix_euler(const double m[16], double degrees[3])
{
    assert(m && degrees);
    double cosine = hypot(m[0], m[1]);
    degrees[1] = atan2(-m[2], cosine) / DEGREE;
    if (cosine > 1e-12) {
        degrees[0] = atan2(m[6], m[10]) / DEGREE;
        degrees[2] = atan2(m[1], m[0]) / DEGREE;
    } else {
        degrees[0] = atan2(-m[9], m[5]) / DEGREE;
        degrees[2] = 0.0;
    }
}

void edit_turn_matrix(const double degrees[3], double m[16])
{
    assert(degrees);
    edit_identity(m);
    turn_about(m, 1, -degrees[1]);
    turn_about(m, 0, -degrees[0]);
    turn_about(m, 2, -degrees[2]);
}

/* Ry Rx Rz, with the signs turned; where X is a right angle, Z is 0. */
void edit_matrix_turn(const double m[16], double degrees[3])
{
    assert(m && degrees);
    double cosine = hypot(m[1], m[5]);
    degrees[0] = -atan2(-m[9], cosine) / DEGREE;
    if (cosine > 1e-12) {
        degrees[1] = -atan2(m[8], m[10]) / DEGREE;
        degrees[2] = -atan2(m[1], m[5]) / DEGREE;
    } else {
        degrees[1] = -atan2(-m[2], m[0]) / DEGREE;
        degrees[2] = 0.0;
    }
}

void edit_quat_matrix(const double q[4], double m[16])
{
    assert(m);
    double x = q[0], y = q[1], z = q[2], w = q[3], n = x * x + y * y + z * z + w * w;
    double s = n > 0.0 ? 2.0 / n : 0.0;
    edit_identity(m);
    m[0] = 1.0 - s * (y * y + z * z);
    m[1] = s * (x * y + z * w);
    m[2] = s * (x * z - y * w);
    m[4] = s * (x * y - z * w);
    m[5] = 1.0 - s * (x * x + z * z);
    m[6] = s * (y * z + x * w);
    m[8] = s * (x * z + y * w);
    m[9] = s * (y * z - x * w);
    m[10] = 1.0 - s * (x * x + y * y);
}

/* By the largest of the four, as Shepperd (1978). w is not below 0. */
void edit_matrix_quat(const double m[16], double q[4])
{
    double trace = m[0] + m[5] + m[10], squares[4] = {m[0], m[5], m[10], trace};
    int largest = 3;
    for (int k = 0; k < 3; k++)
        if (squares[k] > squares[largest])
            largest = k;
    if (largest == 3) {
        q[3] = 1.0 + trace;
        q[0] = m[6] - m[9];
        q[1] = m[8] - m[2];
        q[2] = m[1] - m[4];
    } else {
        int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
        q[i] = 1.0 + m[5 * i] - m[5 * j] - m[5 * k];
        q[j] = m[4 * i + j] + m[4 * j + i];
        q[k] = m[4 * i + k] + m[4 * k + i];
        q[3] = m[4 * j + k] - m[4 * k + j];
    }
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    double sign = q[3] < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 4; k++)
        q[k] *= sign / length;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Gram-Schmidt on the columns, the third by the cross product. */
bool edit_decompose(const double m[16], double rotation[16], double scale[3])
{
    double axes[3][3];
    bool whole = true;
    edit_identity(rotation);
    for (int c = 0; c < 3; c++) {
        scale[c] = sqrt(dot(m + 4 * c, m + 4 * c));
        whole = whole && isfinite(scale[c]) && scale[c] > 1e-12;
        for (int k = 0; k < 3; k++)
            axes[c][k] = scale[c] > 0.0 ? m[4 * c + k] / scale[c] : k == c;
    }
    for (int c = 0; c < 3; c++)
        whole = whole && fabs(dot(axes[c], axes[(c + 1) % 3])) < 1e-5;
    double lean = dot(axes[0], axes[1]);
    for (int k = 0; k < 3; k++)
        axes[1][k] -= lean * axes[0][k];
    double length = sqrt(dot(axes[1], axes[1]));
    for (int k = 0; k < 3; k++)
        axes[1][k] = length > 0.0 ? axes[1][k] / length : k == 1;
    double third[3] = {axes[0][1] * axes[1][2] - axes[0][2] * axes[1][1],
                       axes[0][2] * axes[1][0] - axes[0][0] * axes[1][2],
                       axes[0][0] * axes[1][1] - axes[0][1] * axes[1][0]};
    if (dot(third, axes[2]) < 0.0)
        scale[2] = -scale[2];
    for (int k = 0; k < 3; k++) {
        rotation[k] = axes[0][k];
        rotation[4 + k] = axes[1][k];
        rotation[8 + k] = third[k];
    }
    return whole;
}
