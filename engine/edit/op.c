/* Ops: matrices, the matrix of an op, its value as a component, and solving a stack for a matrix. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "edit_internal.h"
#include "mmd/elementary.h"

/* ----------------------------------------------------------------- matrices */

/* 4 x 4 matrices, column-major, in double precision, as stacks of ops need it. */

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

/* Inverts by Gauss-Jordan elimination with row pivots. */
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

/* Computes m = m * rotation about axis 0, 1 or 2. */
static void turn_about(double m[16], int axis, double degrees)
{
    double turn[16], s, c;
    mmd_sincos(degrees * DEGREE, &s, &c);
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    edit_identity(turn);
    turn[5 * a] = turn[5 * b] = c;
    turn[4 * a + b] = s;
    turn[4 * b + a] = -s;
    edit_multiply(m, turn, m);
}

/* Computes Rz Ry Rx, the rotation about X first, from degrees. */
static void edit_euler_matrix(const double degrees[3], double m[16])
{
    edit_identity(m);
    for (int axis = 2; axis >= 0; axis--)
        turn_about(m, axis, degrees[axis]);
}

/* Computes the angles of Rz Ry Rx. Where Y is a right angle, Z is 0. */
static void edit_matrix_euler(const double m[16], double degrees[3])
{
    assert(m && degrees);
    double cosine = mmd_hypot(m[0], m[1]);
    degrees[1] = mmd_atan2(-m[2], cosine) / DEGREE;
    if (cosine > 1e-12) {
        degrees[0] = mmd_atan2(m[6], m[10]) / DEGREE;
        degrees[2] = mmd_atan2(m[1], m[0]) / DEGREE;
    } else {
        degrees[0] = mmd_atan2(-m[9], m[5]) / DEGREE;
        degrees[2] = 0.0;
    }
}

/* Computes MMD's camera rotation, Ry(-y) Rx(-x) Rz(-z), from degrees. */
static void edit_turn_matrix(const double degrees[3], double m[16])
{
    assert(degrees);
    edit_identity(m);
    turn_about(m, 1, -degrees[1]);
    turn_about(m, 0, -degrees[0]);
    turn_about(m, 2, -degrees[2]);
}

/* Computes the angles of Ry Rx Rz with negated signs, MMD's camera. Where X is a right angle, Z is 0. */
static void edit_matrix_turn(const double m[16], double degrees[3])
{
    assert(m && degrees);
    double cosine = mmd_hypot(m[1], m[5]);
    degrees[0] = -mmd_atan2(-m[9], cosine) / DEGREE;
    if (cosine > 1e-12) {
        degrees[1] = -mmd_atan2(m[8], m[10]) / DEGREE;
        degrees[2] = -mmd_atan2(m[1], m[5]) / DEGREE;
    } else {
        degrees[1] = -mmd_atan2(-m[2], m[0]) / DEGREE;
        degrees[2] = 0.0;
    }
}

/* Computes the matrix of a quaternion of any length above 0. */
static void edit_quat_matrix(const double q[4], double m[16])
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

/* Converts by the largest of the four components (Shepperd 1978). w is not negative. */
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

/* Decomposes the linear part by Gram-Schmidt on the columns, the third by the cross product. Returns false
 * if a scale is 0 or there is shear. */
static bool edit_decompose(const double m[16], double rotation[16], double scale[3])
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

/* ---------------------------------------------------------------------- ops */

int mmd_op_numbers(mmd_op_kind kind)
{
    assert((unsigned)kind <= MMD_OP_MATRIX);
    switch (kind) {
    case MMD_OP_ORIENT:
        return 4;
    case MMD_OP_MATRIX:
        return 16;
    default:
        return 3;
    }
}

mmd_op mmd_op_make(mmd_op_kind kind, const char *name)
{
    assert((unsigned)kind <= MMD_OP_MATRIX);
    mmd_op op = {.kind = (uint8_t)kind};
    snprintf(op.name, sizeof op.name, "%s", name);
    if (kind == MMD_OP_ORIENT)
        op.value[3] = 1.0;
    else if (kind == MMD_OP_MATRIX)
        edit_identity(op.value);
    for (int k = 0; kind == MMD_OP_SCALE && k < 3; k++)
        op.value[k] = 1.0;
    return op;
}

void mmd_op_matrix(const mmd_op *op, double matrix[16])
{
    assert(op && matrix);
    edit_identity(matrix);
    switch ((mmd_op_kind)op->kind) {
    case MMD_OP_TRANSLATE:
        memcpy(matrix + 12, op->value, 3 * sizeof(double));
        break;
    case MMD_OP_ROTATE:
        edit_euler_matrix(op->value, matrix);
        break;
    case MMD_OP_ORIENT:
        edit_quat_matrix(op->value, matrix);
        break;
    case MMD_OP_CAMERA_ROTATION:
        edit_turn_matrix(op->value, matrix);
        break;
    case MMD_OP_SCALE:
        for (int k = 0; k < 3; k++)
            matrix[5 * k] = op->value[k];
        break;
    case MMD_OP_MATRIX:
        memcpy(matrix, op->value, 16 * sizeof(double));
        break;
    }
    if (op->inverse && op->kind == MMD_OP_TRANSLATE)
        for (int k = 12; k < 15; k++)
            matrix[k] = -matrix[k];
    else if (op->inverse && !edit_inverse(matrix, matrix))
        edit_identity(matrix);
}

void edit_product(const mmd_op *ops, size_t first, size_t last, double matrix[16])
{
    assert(first <= last);
    edit_identity(matrix);
    for (size_t i = first; i < last; i++) {
        double m[16];
        mmd_op_matrix(&ops[i], m);
        edit_multiply(matrix, m, matrix);
    }
}

size_t edit_op_index(const mmd_op *ops, size_t count, const char *name)
{
    assert(ops || count == 0);
    size_t i = 0;
    while (i < count && (ops[i].inverse || strcmp(ops[i].name, name) != 0))
        i++;
    return i;
}

void edit_encode(const mmd_op *op, mmd_component component, const double values[3], double *out)
{
    assert(op);
    assert((unsigned)component < MMD_COMPONENTS);
    double m[16];
    if (op->kind == MMD_OP_MATRIX) {
        if (!edit_replace_component(op->value, component, values, out))
            memcpy(out, op->value, 16 * sizeof *out);
        return;
    }
    edit_euler_matrix(values, m);
    if (op->kind == MMD_OP_ORIENT)
        edit_matrix_quat(m, out);
    else if (op->kind == MMD_OP_CAMERA_ROTATION)
        edit_matrix_turn(m, out);
    else
        memcpy(out, values, 3 * sizeof *out);
}

void edit_decode(const mmd_op *op, double values[3])
{
    assert(op);
    double m[16];
    switch ((mmd_op_kind)op->kind) {
    case MMD_OP_ORIENT:
        edit_quat_matrix(op->value, m);
        edit_matrix_euler(m, values);
        break;
    case MMD_OP_CAMERA_ROTATION:
        edit_turn_matrix(op->value, m);
        edit_matrix_euler(m, values);
        break;
    default:
        memcpy(values, op->value, 3 * sizeof *values);
        break;
    }
}

/* Tests whether two matrices are equal up to single precision. */
static bool same(const double a[16], const double b[16])
{
    for (int k = 0; k < 16; k++)
        if (!(fabs(a[k] - b[k]) <= 1e-5 * (1.0 + fabs(b[k]))))
            return false;
    return true;
}

bool edit_op_of_matrix(const mmd_op *op, const double m[16], double *out)
{
    assert(op);
    double rotation[16], scale[3], angles[3];
    mmd_op made = *op;
    made.inverse = false;
    edit_decompose(m, rotation, scale);
    switch ((mmd_op_kind)op->kind) {
    case MMD_OP_TRANSLATE:
        memcpy(made.value, m + 12, 3 * sizeof(double));
        break;
    case MMD_OP_SCALE:
        memcpy(made.value, scale, sizeof scale);
        break;
    case MMD_OP_ORIENT:
        edit_matrix_quat(rotation, made.value);
        break;
    case MMD_OP_MATRIX:
        memcpy(made.value, m, 16 * sizeof(double));
        break;
    default:
        edit_matrix_euler(rotation, angles);
        edit_encode(op, MMD_ROTATION, angles, made.value);
        break;
    }
    double back[16];
    mmd_op_matrix(&made, back);
    memcpy(out, made.value, sizeof made.value);
    return same(m, back);
}

/* ---------------------------------------------------------- solving a stack */

/*
 * Solves a whole matrix for single ops (docs/formats.md 6): first rotation and scale, from the linear parts
 * of the ops before and after them, then the translation, from the remaining difference.
 */

bool edit_component_of(const double m[16], mmd_component component, double values[3])
{
    assert(values);
    assert((unsigned)component < MMD_COMPONENTS);
    double rotation[16], scale[3];
    edit_decompose(m, rotation, scale);
    switch (component) {
    case MMD_TRANSLATION:
        memcpy(values, m + 12, 3 * sizeof *values);
        return true;
    case MMD_ROTATION:
        edit_matrix_euler(rotation, values);
        return true;
    case MMD_SCALE:
        memcpy(values, scale, sizeof scale);
        return true;
    default:
        return false;
    }
}

/* Replaces a rotation, keeping shear and scale; or scales the columns. */
bool edit_replace_component(const double m[16], mmd_component component, const double values[3],
                            double out[16])
{
    assert((unsigned)component < MMD_COMPONENTS);
    double rotation[16], scale[3], turn[16];
    memcpy(out, m, 16 * sizeof *out);
    if (component == MMD_TRANSLATION) {
        memcpy(out + 12, values, 3 * sizeof *out);
        return true;
    }
    edit_decompose(m, rotation, scale);
    if (component == MMD_ROTATION) {
        double back[16], linear[16];
        edit_euler_matrix(values, turn);
        if (!edit_inverse(rotation, back))
            return false;
        memcpy(linear, m, sizeof linear);
        memset(linear + 12, 0, 3 * sizeof *linear);
        edit_multiply(back, linear, linear);
        edit_multiply(turn, linear, linear);
        memcpy(out, linear, 12 * sizeof *out);
        return true;
    }
    for (int c = 0; component == MMD_SCALE && c < 3; c++)
        for (int k = 0; k < 3; k++) {
            if (scale[c] == 0.0)
                return false;
            out[4 * c + k] = m[4 * c + k] / scale[c] * values[c];
        }
    return component == MMD_SCALE;
}

/* Sets the translation of a matrix to 0. */
static void drop_translation(double m[16])
{
    memset(m + 12, 0, 3 * sizeof *m);
}

/* Computes the linear part that ops first to last - 1 must have. Returns false if the ops around them are
 * singular. */
static bool wanted_linear(const mmd_op *ops, size_t count, size_t first, size_t last, const double m[16],
                          double out[16])
{
    double before[16], after[16];
    memcpy(out, m, 16 * sizeof *out);
    edit_product(ops, 0, first, before);
    edit_product(ops, last, count, after);
    drop_translation(before);
    drop_translation(after);
    drop_translation(out);
    if (!edit_inverse(before, before) || !edit_inverse(after, after))
        return false;
    edit_multiply(before, out, out);
    edit_multiply(out, after, out);
    return true;
}

/* Tests whether a scale is 1, up to single precision. */
static bool is_one(const double scale[3])
{
    return fabs(scale[0] - 1.0) < 1e-5 && fabs(scale[1] - 1.0) < 1e-5 && fabs(scale[2] - 1.0) < 1e-5;
}

/*
 * Removes rotations between rotation and scale (a bone's append, the axes of its node) from the rotation
 * before them. Returns false if what is between is not a rotation.
 */
static bool remove_between(const mmd_op *ops, size_t first, size_t last, double rotation[16])
{
    double between[16], turn[16], scale[3];
    if (first >= last)
        return true;
    edit_product(ops, first, last, between);
    drop_translation(between);
    if (!edit_decompose(between, turn, scale) || !is_one(scale) || !edit_inverse(turn, turn))
        return false;
    edit_multiply(rotation, turn, rotation);
    return true;
}

/* Solves rotation and scale for the linear part of a matrix. */
static bool solve_linear(mmd_op *ops, size_t count, const stack_layout *layout, const double m[16])
{
    size_t turn =
        layout->names[MMD_ROTATION] ? edit_op_index(ops, count, layout->names[MMD_ROTATION]) : count;
    size_t size = layout->names[MMD_SCALE] ? edit_op_index(ops, count, layout->names[MMD_SCALE]) : count;
    if (turn == count)
        return false;
    double linear[16], rotation[16], scale[3], angles[3];
    if (!wanted_linear(ops, count, turn, (size < count ? size : turn) + 1, m, linear) ||
        !edit_decompose(linear, rotation, scale) || (size == count && !is_one(scale)) ||
        (size < count && !remove_between(ops, turn + 1, size, rotation)))
        return false;
    if (ops[turn].kind == MMD_OP_ORIENT) {
        edit_matrix_quat(rotation, ops[turn].value);
    } else {
        edit_matrix_euler(rotation, angles);
        edit_encode(&ops[turn], MMD_ROTATION, angles, ops[turn].value);
    }
    if (size < count)
        memcpy(ops[size].value, scale, sizeof scale);
    return true;
}

/* Solves the translation, after rotation and scale, for that of a matrix. */
static bool solve_translation(mmd_op *ops, size_t count, const stack_layout *layout, const double m[16])
{
    size_t move =
        layout->names[MMD_TRANSLATION] ? edit_op_index(ops, count, layout->names[MMD_TRANSLATION]) : count;
    if (move == count)
        return false;
    double before[16], product[16];
    edit_product(ops, 0, move, before);
    edit_product(ops, 0, count, product);
    drop_translation(before);
    if (!edit_inverse(before, before))
        return false;
    for (int k = 0; k < 3; k++) {
        double missing = 0.0;
        for (int j = 0; j < 3; j++)
            missing += before[4 * j + k] * (m[12 + j] - product[12 + j]);
        ops[move].value[k] += missing;
    }
    return true;
}

bool edit_solve(mmd_op *ops, size_t count, const stack_layout *layout, const double m[16])
{
    assert(layout);
    assert(ops || count == 0);
    return solve_linear(ops, count, layout, m) && solve_translation(ops, count, layout, m);
}
