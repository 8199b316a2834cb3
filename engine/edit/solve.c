/*
 * A whole matrix through single ops (FORMATS.md 6): rotation and scale first,
 * from the linear parts of what lies before and behind them, then the
 * translation, by what is still missing.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "edit_internal.h"

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

/* A rotation takes the old one's place, shear and scale stay; a scale goes on the columns. */
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

static void drop_translation(double m[16])
{
    memset(m + 12, 0, 3 * sizeof *m);
}

/* The linear part that ops first to last - 1 have to have; false: what lies around them cannot be undone. */
static bool wanted_linear(const mmd_op *ops, size_t count, size_t first, size_t last, const double m[16],
                          double out[16])
{
    double before[16], behind[16];
    memcpy(out, m, 16 * sizeof *out);
    edit_product(ops, 0, first, before);
    edit_product(ops, last, count, behind);
    drop_translation(before);
    drop_translation(behind);
    drop_translation(out);
    if (!edit_inverse(before, before) || !edit_inverse(behind, behind))
        return false;
    edit_multiply(before, out, out);
    edit_multiply(out, behind, out);
    return true;
}

static bool is_one(const double scale[3])
{
    return fabs(scale[0] - 1.0) < 1e-5 && fabs(scale[1] - 1.0) < 1e-5 && fabs(scale[2] - 1.0) < 1e-5;
}

/*
 * What turns between rotation and scale (a bone's append, the axes of its node)
 * is taken out of the rotation behind it. False: it is no turn.
 */
static bool take_between(const mmd_op *ops, size_t first, size_t last, double rotation[16])
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

static bool solve_linear(mmd_op *ops, size_t count, const stack_layout *layout, const double m[16])
{
    size_t turn =
        layout->names[MMD_ROTATION] ? edit_op_place(ops, count, layout->names[MMD_ROTATION]) : count;
    size_t size = layout->names[MMD_SCALE] ? edit_op_place(ops, count, layout->names[MMD_SCALE]) : count;
    if (turn == count)
        return false;
    double linear[16], rotation[16], scale[3], angles[3];
    if (!wanted_linear(ops, count, turn, (size < count ? size : turn) + 1, m, linear) ||
        !edit_decompose(linear, rotation, scale) || (size == count && !is_one(scale)) ||
        (size < count && !take_between(ops, turn + 1, size, rotation)))
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

static bool solve_translation(mmd_op *ops, size_t count, const stack_layout *layout, const double m[16])
{
    size_t move =
        layout->names[MMD_TRANSLATION] ? edit_op_place(ops, count, layout->names[MMD_TRANSLATION]) : count;
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
