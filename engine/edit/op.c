/* An op by itself: its matrix, and its value as a component. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "edit_internal.h"

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
    case MMD_OP_TURN:
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

size_t edit_op_place(const mmd_op *ops, size_t count, const char *name)
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
    else if (op->kind == MMD_OP_TURN)
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
    case MMD_OP_TURN:
        edit_turn_matrix(op->value, m);
        edit_matrix_euler(m, values);
        break;
    default:
        memcpy(values, op->value, 3 * sizeof *values);
        break;
    }
}

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
