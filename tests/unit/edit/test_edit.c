/* Tests the editing of transforms through the interface of docs/formats.md 6, on items that consist of a
 * stack of ops: matrices of ops, the chain of handlers, commands and their undo, history, observers. */
#include "support.h"

#include <math.h>

#include "engine/edit/edit_internal.h"

static mmd_edit *begin(void)
{
    mmd_edit *edit = mmd_edit_create(NULL, NULL);
    assert_non_null(edit);
    return edit;
}

static mmd_op op(mmd_op_kind kind, const char *name, double x, double y, double z)
{
    mmd_op made = mmd_op_make(kind, name);
    made.value[0] = x;
    made.value[1] = y;
    made.value[2] = z;
    return made;
}

static mmd_item add(mmd_edit *edit, mmd_item parent, const char *name, const mmd_op *ops, size_t count)
{
    mmd_item item;
    mmd_error error;
    assert_int_equal(edit_add_node(edit, parent, name, ops, count, &item, &error), MMD_OK);
    return item;
}

static const mmd_item stage = {.kind = MMD_ITEM_STAGE};

static mmd_item add_top(mmd_edit *edit, const char *name, const mmd_op *ops, size_t count)
{
    return add(edit, stage, name, ops, count);
}

static void expect_matrix(const double *a, const double *b, double tolerance)
{
    for (int k = 0; k < 16; k++)
        if (!(fabs(a[k] - b[k]) <= tolerance))
            fail_msg("element %d: %.17g where %.17g is wanted", k, a[k], b[k]);
}

static void multiply(const double a[16], const double b[16], double out[16])
{
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            out[4 * c + r] = 0;
            for (int k = 0; k < 4; k++)
                out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
        }
}

/* Compares the names of an item's ops, with "!" before inverse ones. */
static void expect_ops(mmd_edit *edit, mmd_item item, const char *names)
{
    mmd_op ops[MMD_OPS_MAX];
    char text[1024] = "";
    size_t count = mmd_edit_ops(edit, item, ops), length = 0;
    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s%s", i ? " " : "",
                                   ops[i].inverse ? "!" : "", ops[i].name);
    assert_string_equal(text, names);
}

static void expect_get(mmd_edit *edit, mmd_transform3d *object, mmd_component component, double x, double y,
                       double z)
{
    double v[3];
    const double wanted[3] = {x, y, z};
    assert_true(mmd_transform3d_get(edit, object, component, v));
    for (int k = 0; k < 3; k++)
        if (!(fabs(v[k] - wanted[k]) < 1e-9))
            fail_msg("number %d: %.17g where %.17g is wanted", k, v[k], wanted[k]);
}

static mmd_command *command(mmd_edit *edit, mmd_item item, mmd_edit_hint hint, mmd_component component,
                            double x, double y, double z)
{
    const double v[3] = {x, y, z};
    mmd_transform3d *object = mmd_edit_edit_transform3d(edit, item, hint);
    assert_non_null(object);
    mmd_command *made = mmd_transform3d_command(edit, object, component, v);
    mmd_transform3d_destroy(object);
    return made;
}

static mmd_command *translate(mmd_edit *edit, mmd_item item, double x, double y, double z)
{
    return command(edit, item, MMD_HINT_TRANSLATE, MMD_TRANSLATION, x, y, z);
}

static mmd_command *rotate(mmd_edit *edit, mmd_item item, double x, double y, double z)
{
    return command(edit, item, MMD_HINT_ROTATE, MMD_ROTATION, x, y, z);
}

static void set(mmd_edit *edit, mmd_command *c, double x, double y, double z)
{
    const double v[3] = {x, y, z};
    assert_true(mmd_command_set(edit, c, v));
}

/* --- Matrices --- */

static void exclusive_is_the_parents_inclusive(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    const mmd_op up[2] = {op(MMD_OP_TRANSLATE, "translate", 1, 2, 3),
                          op(MMD_OP_ROTATE, "rotate", 10, 20, 30)};
    const mmd_op low[1] = {op(MMD_OP_SCALE, "scale", 2, 3, 4)};
    mmd_item parent = add_top(edit, "parent", up, 2), child = add(edit, parent, "child", low, 1);
    double a[16], b[16], local[16], product[16];
    mmd_edit_exclusive(edit, child, a);
    mmd_edit_inclusive(edit, parent, b);
    expect_matrix(a, b, 0);
    mmd_edit_local(edit, child, local);
    multiply(b, local, product);
    mmd_edit_inclusive(edit, child, a);
    expect_matrix(a, product, 1e-15);
    mmd_transform3d *object = mmd_edit_transform3d(edit, child);
    mmd_transform3d_exclusive(edit, object, a);
    expect_matrix(a, b, 0);
    mmd_transform3d_destroy(object);
    mmd_edit_destroy(edit);
}

static void turn_by_60_then_move_gives_their_product(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    const mmd_op ops[2] = {op(MMD_OP_ROTATE, "turn", 60, 0, 0), op(MMD_OP_TRANSLATE, "move", 0, 10, 0)};
    mmd_item item = add_top(edit, "item", ops, 2);
    double m[16];
    mmd_edit_inclusive(edit, item, m);
    const double s = sqrt(0.75);
    const double wanted[16] = {1, 0, 0, 0, 0, 0.5, s, 0, 0, -s, 0.5, 0, 0, 5, 10 * s, 1};
    expect_matrix(m, wanted, 1e-14);
    mmd_edit_destroy(edit);
}

/* The inclusive matrix of op 0 is the exclusive matrix of op 1; later ops are in neither. */
static void an_op_is_an_object_of_its_own(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    const mmd_op ops[3] = {op(MMD_OP_ROTATE, "turn", 60, 0, 0), op(MMD_OP_TRANSLATE, "move", 0, 10, 0),
                           op(MMD_OP_SCALE, "size", 2, 2, 2)};
    mmd_item item = add_top(edit, "item", ops, 3);
    double a[16], b[16];
    mmd_transform3d *turn = mmd_edit_op_transform3d(edit, item, "turn");
    mmd_transform3d *move = mmd_edit_op_transform3d(edit, item, "move");
    assert_non_null(turn);
    assert_non_null(move);
    mmd_transform3d_inclusive(edit, turn, a);
    mmd_transform3d_exclusive(edit, move, b);
    expect_matrix(a, b, 1e-15);
    mmd_op_matrix(&ops[1], a);
    mmd_transform3d_matrix(edit, move, b);
    expect_matrix(a, b, 0);
    expect_get(edit, move, MMD_TRANSLATION, 0, 10, 0);
    double ignored[3];
    assert_false(mmd_transform3d_get(edit, move, MMD_ROTATION, ignored));
    assert_null(mmd_transform3d_command(edit, move, MMD_ROTATION, ignored));
    assert_null(mmd_edit_op_transform3d(edit, item, "none"));
    mmd_transform3d_destroy(turn);
    mmd_transform3d_destroy(move);
    mmd_edit_destroy(edit);
}

/* A matrix op and separate ops give equal results, as the tests of the original interface assert. */
static void matrix_op_and_separate_ops_give_equal_results(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    const mmd_op separate[3] = {op(MMD_OP_TRANSLATE, "translate", 5, 6, 7),
                                op(MMD_OP_ROTATE, "rotate", 15, 25, 35),
                                op(MMD_OP_SCALE, "scale", 1.5, 2, 0.5)};
    mmd_item a = add_top(edit, "separate", separate, 3);
    mmd_op matrix = mmd_op_make(MMD_OP_MATRIX, "matrix");
    mmd_edit_local(edit, a, matrix.value);
    mmd_item b = add_top(edit, "matrix", &matrix, 1);
    static const mmd_component components[] = {MMD_TRANSLATION, MMD_ROTATION, MMD_SCALE};
    static const mmd_edit_hint hints[] = {MMD_HINT_TRANSLATE, MMD_HINT_ROTATE, MMD_HINT_SCALE};
    static const double values[3][3] = {{-1, 4, 9}, {70, -20, 130}, {3, 0.25, 2}};
    for (int k = 0; k < 3; k++) {
        double m[16], n[16];
        const double *v = values[k];
        assert_true(mmd_edit_do(edit, command(edit, a, hints[k], components[k], v[0], v[1], v[2])));
        assert_true(mmd_edit_do(edit, command(edit, b, hints[k], components[k], v[0], v[1], v[2])));
        mmd_edit_inclusive(edit, a, m);
        mmd_edit_inclusive(edit, b, n);
        expect_matrix(m, n, 1e-12);
        mmd_transform3d *object = mmd_edit_edit_transform3d(edit, b, hints[k]);
        expect_get(edit, object, components[k], v[0], v[1], v[2]);
        mmd_transform3d_destroy(object);
    }
    expect_ops(edit, b, "matrix");
    mmd_edit_destroy(edit);
}

static void a_whole_matrix_goes_through_one_op(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    const mmd_op ops[4] = {op(MMD_OP_ROTATE, "turn", 40, 50, 60), op(MMD_OP_TRANSLATE, "move", 3, 4, 5),
                           op(MMD_OP_SCALE, "size", 2, 2, 2), op(MMD_OP_ROTATE, "spin", 0, 80, 0)};
    mmd_item item = add_top(edit, "item", ops, 4);
    double before[16], after[16];
    const mmd_op goal[2] = {op(MMD_OP_TRANSLATE, "t", -7, 8, 9), op(MMD_OP_ROTATE, "r", 10, -100, 20)};
    double t[16], r[16], wanted[16];
    mmd_op_matrix(&goal[0], t);
    mmd_op_matrix(&goal[1], r);
    multiply(t, r, wanted);
    mmd_edit_local(edit, item, before);
    mmd_transform3d *object = mmd_edit_transform3d(edit, item);
    assert_non_null(object);
    assert_true(mmd_edit_do(edit, mmd_transform3d_matrix_command(edit, object, wanted)));
    mmd_transform3d_destroy(object);
    mmd_edit_local(edit, item, after);
    expect_matrix(after, wanted, 1e-12);
    expect_ops(edit, item, "turn move size spin translate:fallback rotate:fallback scale:fallback");
    assert_true(mmd_edit_undo(edit));
    expect_ops(edit, item, "turn move size spin");
    mmd_edit_local(edit, item, after);
    expect_matrix(after, before, 0);
    mmd_edit_destroy(edit);
}

/* --- Ops made by edits --- */

static void edits_make_ops_in_the_common_order(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    mmd_item item = add_top(edit, "item", NULL, 0);
    assert_true(mmd_edit_do(edit, command(edit, item, MMD_HINT_SCALE, MMD_SCALE, 2, 2, 2)));
    expect_ops(edit, item, "scale");
    assert_true(mmd_edit_do(edit, translate(edit, item, 1, 2, 3)));
    expect_ops(edit, item, "translate scale");
    assert_true(mmd_edit_do(edit, rotate(edit, item, 0, 90, 0)));
    expect_ops(edit, item, "translate rotate scale");
    mmd_edit_destroy(edit);
}

static void pivots_are_made_in_pairs_around_what_they_serve(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    const mmd_op ops[2] = {op(MMD_OP_TRANSLATE, "translate", 1, 0, 0), op(MMD_OP_ROTATE, "rotate", 0, 0, 90)};
    mmd_item item = add_top(edit, "item", ops, 2);
    assert_true(mmd_edit_do(edit, command(edit, item, MMD_HINT_ROTATE_PIVOT, MMD_ROTATE_PIVOT, 0, 2, 0)));
    expect_ops(edit, item, "translate rotatePivot rotate !rotatePivot");
    /* (0,2,0) only moves by the translation. */
    double m[16];
    mmd_edit_local(edit, item, m);
    assert_true(fabs(m[4] * 2 + m[12] - 1) < 1e-12 && fabs(m[5] * 2 + m[13] - 2) < 1e-12);
    assert_true(mmd_edit_do(edit, command(edit, item, MMD_HINT_SCALE_PIVOT, MMD_SCALE_PIVOT, 1, 1, 1)));
    expect_ops(edit, item, "translate rotatePivot rotate !rotatePivot scalePivot !scalePivot");
    assert_true(mmd_edit_do(edit, command(edit, item, MMD_HINT_SCALE, MMD_SCALE, 3, 3, 3)));
    expect_ops(edit, item, "translate rotatePivot rotate !rotatePivot scalePivot scale !scalePivot");
    for (int k = 0; k < 3; k++)
        assert_true(mmd_edit_undo(edit));
    expect_ops(edit, item, "translate rotate");
    mmd_edit_destroy(edit);
}

static void pivots_of_a_matrix_go_behind_it(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    mmd_op matrix = mmd_op_make(MMD_OP_MATRIX, "matrix");
    mmd_item item = add_top(edit, "item", &matrix, 1);
    assert_true(mmd_edit_do(edit, command(edit, item, MMD_HINT_ROTATE_PIVOT, MMD_ROTATE_PIVOT, 1, 2, 3)));
    expect_ops(edit, item, "matrix rotatePivot:fallback !rotatePivot:fallback");
    mmd_edit_destroy(edit);
}

static void fallback_appends_ops_of_its_own(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    const mmd_op ops[2] = {op(MMD_OP_ROTATE, "rotate", 0, 90, 0), op(MMD_OP_TRANSLATE, "translate", 1, 0, 0)};
    mmd_item item = add_top(edit, "wrong order", ops, 2);
    double whole[16], exclusive[16], own[16];
    mmd_edit_inclusive(edit, item, whole);
    mmd_transform3d *object = mmd_edit_edit_transform3d(edit, item, MMD_HINT_TRANSLATE);
    mmd_transform3d_exclusive(edit, object, exclusive);
    expect_matrix(exclusive, whole, 1e-15);
    expect_get(edit, object, MMD_TRANSLATION, 0, 0, 0);
    expect_get(edit, object, MMD_SCALE, 1, 1, 1);
    const double v[3] = {0, 0, 5};
    assert_true(mmd_edit_do(edit, mmd_transform3d_command(edit, object, MMD_TRANSLATION, v)));
    expect_ops(edit, item, "rotate translate translate:fallback");
    mmd_transform3d_exclusive(edit, object, exclusive);
    expect_matrix(exclusive, whole, 1e-15);
    mmd_transform3d_matrix(edit, object, own);
    assert_true(own[14] == 5 && own[12] == 0);
    mmd_transform3d_destroy(object);
    mmd_edit_destroy(edit);
}

static void fallback_becomes_unusable_behind_other_ops(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    const mmd_op ops[2] = {op(MMD_OP_ROTATE, "rotate", 0, 90, 0), op(MMD_OP_TRANSLATE, "translate", 1, 0, 0)};
    mmd_item item = add_top(edit, "item", ops, 2);
    mmd_transform3d *object = mmd_edit_edit_transform3d(edit, item, MMD_HINT_TRANSLATE);
    const double v[3] = {0, 0, 5}, w[3] = {0, 0, 6};
    mmd_command *c = mmd_transform3d_command(edit, object, MMD_TRANSLATION, v);
    assert_true(mmd_command_set(edit, c, NULL));
    const mmd_op last = op(MMD_OP_SCALE, "size", 2, 2, 2);
    assert_true(edit_source_of(item)->insert(edit, item, SIZE_MAX, &last));
    assert_false(mmd_command_set(edit, c, w));
    assert_true(strlen(mmd_edit_refusal(edit)) > 0);
    assert_null(mmd_transform3d_command(edit, object, MMD_TRANSLATION, v));
    assert_null(mmd_edit_edit_transform3d(edit, item, MMD_HINT_TRANSLATE));
    assert_null(mmd_edit_transform3d(edit, item));
    assert_true(edit_source_of(item)->remove(edit, item, "size"));
    assert_true(mmd_command_set(edit, c, w));
    expect_get(edit, object, MMD_TRANSLATION, 0, 0, 6);
    mmd_command_destroy(c);
    mmd_transform3d_destroy(object);
    mmd_edit_destroy(edit);
}

/* --- Commands --- */

static void creating_a_command_executes_nothing(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    mmd_item item = add_top(edit, "item", NULL, 0);
    mmd_command *c = translate(edit, item, 1, 2, 3);
    assert_non_null(c);
    expect_ops(edit, item, "");
    mmd_command_undo(edit, c);
    expect_ops(edit, item, "");
    assert_false(mmd_command_redo(edit, c));
    mmd_command_destroy(c);
    mmd_edit_destroy(edit);
}

static void a_drag_is_one_undo_and_leaves_nothing_behind(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    mmd_item item = add_top(edit, "item", NULL, 0);
    mmd_command *c = rotate(edit, item, 0, 0, 0);
    for (int k = 1; k <= 50; k++)
        set(edit, c, k, 2 * k, 0);
    assert_true(mmd_edit_add(edit, c));
    assert_int_equal(mmd_edit_history_steps(edit), 1);
    mmd_transform3d *object = mmd_edit_edit_transform3d(edit, item, MMD_HINT_ROTATE);
    expect_get(edit, object, MMD_ROTATION, 50, 100, 0);
    assert_true(mmd_edit_undo(edit));
    expect_ops(edit, item, "");
    assert_true(mmd_edit_redo(edit));
    expect_ops(edit, item, "rotate");
    expect_get(edit, object, MMD_ROTATION, 50, 100, 0);
    assert_true(mmd_edit_undo(edit));
    expect_ops(edit, item, "");
    assert_false(mmd_edit_undo(edit));
    mmd_transform3d_destroy(object);
    mmd_edit_destroy(edit);
}

static void undo_restores_the_very_value(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    const mmd_op before = op(MMD_OP_TRANSLATE, "translate", 0.1, 1.0 / 3.0, 1e-300);
    mmd_item item = add_top(edit, "item", &before, 1);
    assert_true(mmd_edit_do(edit, translate(edit, item, 7, 8, 9)));
    assert_true(mmd_edit_undo(edit));
    mmd_op ops[MMD_OPS_MAX];
    mmd_edit_ops(edit, item, ops);
    assert_memory_equal(ops[0].value, before.value, sizeof before.value);
    mmd_edit_destroy(edit);
}

static void numbers_that_are_none_are_refused_and_change_nothing(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    mmd_item item = add_top(edit, "item", NULL, 0);
    mmd_command *c = translate(edit, item, NAN, 0, 0);
    assert_false(mmd_command_set(edit, c, NULL));
    expect_ops(edit, item, "");
    const double endless[3] = {1, INFINITY, 0};
    set(edit, c, 1, 2, 3);
    assert_false(mmd_command_set(edit, c, endless));
    mmd_transform3d *object = mmd_edit_edit_transform3d(edit, item, MMD_HINT_TRANSLATE);
    expect_get(edit, object, MMD_TRANSLATION, 1, 2, 3);
    mmd_command_undo(edit, c);
    expect_ops(edit, item, "");
    mmd_transform3d_destroy(object);
    mmd_command_destroy(c);
    mmd_edit_destroy(edit);
}

static void a_matrix_with_shear_does_not_fit_into_common_ops(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    mmd_item item = add_top(edit, "item", NULL, 0);
    const double sheared[16] = {1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    mmd_transform3d *object = mmd_edit_transform3d(edit, item);
    assert_false(mmd_edit_do(edit, mmd_transform3d_matrix_command(edit, object, sheared)));
    assert_true(strlen(mmd_edit_refusal(edit)) > 0);
    expect_ops(edit, item, "");
    mmd_transform3d_destroy(object);
    mmd_op matrix = mmd_op_make(MMD_OP_MATRIX, "matrix");
    item = add_top(edit, "matrix", &matrix, 1);
    object = mmd_edit_transform3d(edit, item);
    assert_true(mmd_edit_do(edit, mmd_transform3d_matrix_command(edit, object, sheared)));
    double m[16];
    mmd_edit_local(edit, item, m);
    expect_matrix(m, sheared, 0);
    mmd_transform3d_destroy(object);
    mmd_edit_destroy(edit);
}

static void what_is_read_only_gives_no_commands(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    const mmd_op ops[1] = {op(MMD_OP_TRANSLATE, "translate", 1, 2, 3)};
    mmd_item item = add_top(edit, "item", ops, 1);
    mmd_transform3d *object = mmd_edit_read_transform3d(edit, item);
    expect_get(edit, object, MMD_TRANSLATION, 1, 2, 3);
    const double v[3] = {4, 5, 6};
    assert_null(mmd_transform3d_command(edit, object, MMD_TRANSLATION, v));
    mmd_transform3d_destroy(object);
    assert_null(mmd_edit_edit_transform3d(edit, stage, MMD_HINT_TRANSLATE));
    assert_null(mmd_edit_transform3d(edit, (mmd_item){0}));
    mmd_edit_destroy(edit);
}

/* --- History --- */

static void a_macro_is_one_step(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    mmd_item a = add_top(edit, "a", NULL, 0), b = add_top(edit, "b", NULL, 0);
    mmd_edit_begin(edit, "both");
    mmd_edit_begin(edit, "inner");
    assert_true(mmd_edit_do(edit, translate(edit, a, 1, 0, 0)));
    mmd_edit_end(edit);
    assert_false(mmd_edit_undo(edit));
    assert_true(mmd_edit_do(edit, translate(edit, b, 2, 0, 0)));
    assert_true(mmd_edit_do(edit, rotate(edit, a, 0, 30, 0)));
    mmd_edit_end(edit);
    assert_int_equal(mmd_edit_history_steps(edit), 1);
    assert_string_equal(mmd_edit_undo_label(edit), "both");
    assert_true(mmd_edit_undo(edit));
    expect_ops(edit, a, "");
    expect_ops(edit, b, "");
    assert_string_equal(mmd_edit_redo_label(edit), "both");
    assert_true(mmd_edit_redo(edit));
    expect_ops(edit, a, "translate rotate");
    assert_true(mmd_edit_undo(edit));
    mmd_edit_begin(edit, "nothing");
    mmd_edit_end(edit);
    assert_int_equal(mmd_edit_history_steps(edit), 1);
    assert_true(mmd_edit_redo(edit)); /* an empty macro is no edit, so redo remains possible */
    mmd_edit_destroy(edit);
}

static void a_new_edit_forgets_what_was_undone(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    mmd_item item = add_top(edit, "item", NULL, 0);
    for (int k = 1; k <= 3; k++)
        assert_true(mmd_edit_do(edit, translate(edit, item, k, 0, 0)));
    mmd_edit_undo(edit);
    mmd_edit_undo(edit);
    assert_true(mmd_edit_do(edit, translate(edit, item, 9, 0, 0)));
    assert_int_equal(mmd_edit_history_steps(edit), 2);
    assert_false(mmd_edit_redo(edit));
    mmd_edit_undo(edit);
    mmd_transform3d *object = mmd_edit_transform3d(edit, item);
    expect_get(edit, object, MMD_TRANSLATION, 1, 0, 0);
    mmd_transform3d_destroy(object);
    mmd_edit_destroy(edit);
}

static void the_history_is_bounded_in_steps_and_in_bytes(void **state)
{
    (void)state;
    mmd_edit_options options = mmd_default_edit_options();
    options.history_steps = 10;
    mmd_edit *edit = mmd_edit_create(NULL, &options);
    mmd_item item = add_top(edit, "item", NULL, 0);
    for (int k = 1; k <= 25; k++)
        assert_true(mmd_edit_do(edit, translate(edit, item, k, 0, 0)));
    assert_int_equal(mmd_edit_history_steps(edit), 10);
    size_t step = mmd_edit_history_bytes(edit) / 10;
    while (mmd_edit_undo(edit))
        ;
    mmd_transform3d *object = mmd_edit_transform3d(edit, item);
    expect_get(edit, object, MMD_TRANSLATION, 15, 0, 0);
    options.history_bytes = 4 * step;
    mmd_edit_set_options(edit, &options);
    for (int k = 1; k <= 25; k++) {
        assert_true(mmd_edit_do(edit, translate(edit, item, k, 0, 0)));
        assert_true(mmd_edit_history_bytes(edit) <= 4 * step);
    }
    assert_int_equal(mmd_edit_history_steps(edit), 4);
    mmd_transform3d_destroy(object);
    mmd_edit_destroy(edit);
}

/* --- Observers --- */

typedef struct notifications {
    int calls;
    size_t items;
} notifications;

static void count_notifications(void *context, mmd_edit *edit, const mmd_item *items, size_t count)
{
    notifications *t = context;
    (void)edit;
    (void)items;
    t->calls++;
    t->items = count;
}

static void observers_are_told_once_a_change(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    mmd_item a = add_top(edit, "a", NULL, 0), b = add_top(edit, "b", NULL, 0);
    notifications t = {0};
    assert_true(mmd_edit_observe(edit, count_notifications, &t));
    mmd_command *c = command(edit, a, MMD_HINT_ROTATE_PIVOT, MMD_ROTATE_PIVOT, 1, 2, 3);
    assert_int_equal(t.calls, 0);
    assert_true(mmd_command_set(edit, c, NULL)); /* makes two ops and writes one value */
    assert_int_equal(t.calls, 1);
    assert_int_equal(t.items, 1);
    assert_true(mmd_edit_add(edit, c));
    assert_int_equal(t.calls, 1);
    mmd_edit_begin(edit, "both");
    assert_true(mmd_edit_do(edit, translate(edit, a, 1, 0, 0)));
    assert_true(mmd_edit_do(edit, translate(edit, b, 1, 0, 0)));
    assert_true(mmd_edit_do(edit, translate(edit, b, 2, 0, 0)));
    mmd_edit_end(edit);
    assert_int_equal(t.calls, 2);
    assert_int_equal(t.items, 2);
    mmd_edit_undo(edit);
    assert_int_equal(t.calls, 3);
    mmd_edit_redo(edit);
    assert_int_equal(t.calls, 4);
    mmd_edit_unobserve(edit, count_notifications, &t);
    mmd_edit_undo(edit);
    assert_int_equal(t.calls, 4);
    mmd_edit_destroy(edit);
}

/* --- The chain --- */

static mmd_transform3d *nobody(void *context, mmd_edit *edit, const mmd_handler_link *link, mmd_item item,
                               mmd_edit_hint hint)
{
    (void)link;
    (void)item;
    (void)hint;
    ++*(int *)context;
    mmd_edit_refuse(edit, "the studio says no");
    return NULL;
}

static void count_destroy(void *context)
{
    *(int *)context += 1000;
}

static void expect_chain(const mmd_edit *edit, const char *names)
{
    char text[256] = "";
    size_t length = 0;
    for (size_t i = 0; mmd_edit_handler_name(edit, i); i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i ? " " : "",
                                   mmd_edit_handler_name(edit, i));
    assert_string_equal(text, names);
}

static void any_link_can_be_added_replaced_and_removed_at_run_time(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    mmd_item item = add_top(edit, "item", NULL, 0);
    int asked = 0;
    const mmd_handler studio = {.name = "studio", .edit_transform3d = nobody, .destroy = count_destroy};
    expect_chain(edit, "physics bone matrix common fallback");
    mmd_transform3d *kept = mmd_edit_edit_transform3d(edit, item, MMD_HINT_TRANSLATE);
    assert_true(mmd_edit_add_handler(edit, "common", &studio, &asked));
    assert_false(mmd_edit_add_handler(edit, NULL, &studio, &asked));
    assert_false(mmd_edit_add_handler(edit, "no such", &studio, &asked));
    expect_chain(edit, "physics bone matrix studio common fallback");
    assert_null(mmd_edit_edit_transform3d(edit, item, MMD_HINT_TRANSLATE));
    assert_string_equal(mmd_edit_refusal(edit), "the studio says no");
    assert_int_equal(asked, 1);
    /* it does not define transform3d, so the next handler does */
    mmd_transform3d *whole = mmd_edit_transform3d(edit, item);
    assert_non_null(whole);
    mmd_transform3d_destroy(whole);
    assert_true(mmd_edit_remove_handler(edit, "studio"));
    assert_int_equal(asked, 1001);
    assert_true(mmd_edit_replace_handler(edit, "common", &studio, &asked));
    expect_chain(edit, "physics bone matrix studio fallback");
    /* An object outlives the handler that made it. */
    const double v[3] = {1, 2, 3};
    assert_true(mmd_edit_do(edit, mmd_transform3d_command(edit, kept, MMD_TRANSLATION, v)));
    expect_ops(edit, item, "translate");
    mmd_transform3d_destroy(kept);
    mmd_edit_destroy(edit);
    assert_int_equal(asked, 2001);
}

static void the_whole_chain_can_be_replaced_at_run_time(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    mmd_item item = add_top(edit, "item", NULL, 0);
    int asked = 0;
    const mmd_handler studio = {.name = "studio", .edit_transform3d = nobody};
    const mmd_handler *const handlers[2] = {&studio, &studio};
    void *const contexts[2] = {&asked, &asked};
    assert_false(mmd_edit_set_chain(edit, handlers, contexts, 2));
    expect_chain(edit, "physics bone matrix common fallback");
    assert_true(mmd_edit_set_chain(edit, handlers, contexts, 1));
    expect_chain(edit, "studio");
    assert_null(mmd_edit_edit_transform3d(edit, item, MMD_HINT_TRANSLATE));
    assert_null(mmd_edit_transform3d(edit, item)); /* no handler is left */
    assert_int_equal(asked, 1);
    assert_true(mmd_edit_set_chain(edit, NULL, NULL, 0));
    assert_true(mmd_edit_do(edit, translate(edit, item, 1, 2, 3)));
    mmd_edit_destroy(edit);
}

/* A handler that wraps the objects of the next one and restricts rotations to Y. */
typedef struct only_y {
    mmd_transform3d *inner;
} only_y;

static void y_matrix(void *self, mmd_edit *edit, double m[16])
{
    mmd_transform3d_matrix(edit, ((only_y *)self)->inner, m);
}

static void y_exclusive(void *self, mmd_edit *edit, double m[16])
{
    mmd_transform3d_exclusive(edit, ((only_y *)self)->inner, m);
}

static bool y_get(void *self, mmd_edit *edit, mmd_component component, double v[3])
{
    return mmd_transform3d_get(edit, ((only_y *)self)->inner, component, v);
}

static mmd_command *y_command(void *self, mmd_edit *edit, mmd_component component, const double v[3])
{
    const double turned[3] = {0, v[1], 0};
    return mmd_transform3d_command(edit, ((only_y *)self)->inner, component,
                                   component == MMD_ROTATION ? turned : v);
}

static void y_destroy(void *self)
{
    mmd_transform3d_destroy(((only_y *)self)->inner);
}

static const mmd_transform3d_table y_table = {
    .matrix = y_matrix, .exclusive = y_exclusive, .get = y_get, .command = y_command, .destroy = y_destroy};

static mmd_transform3d *y_edit(void *context, mmd_edit *edit, const mmd_handler_link *link, mmd_item item,
                               mmd_edit_hint hint)
{
    (void)context;
    mmd_transform3d *inner = mmd_edit_next_edit_transform3d(edit, link, item, hint);
    mmd_transform3d *object = inner ? mmd_transform3d_create(&y_table, sizeof(only_y), item) : NULL;
    if (object)
        *(only_y *)mmd_transform3d_self(object) = (only_y){.inner = inner};
    return object;
}

static void a_link_can_wrap_what_the_next_one_makes(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    mmd_item item = add_top(edit, "item", NULL, 0);
    const mmd_handler handler = {.name = "only y", .edit_transform3d = y_edit};
    assert_true(mmd_edit_add_handler(edit, NULL, &handler, NULL));
    assert_true(mmd_edit_do(edit, rotate(edit, item, 10, 20, 30)));
    mmd_transform3d *object = mmd_edit_edit_transform3d(edit, item, MMD_HINT_ROTATE);
    expect_get(edit, object, MMD_ROTATION, 0, 20, 0);
    mmd_transform3d_destroy(object);
    mmd_edit_destroy(edit);
}

/* A handler that defines only transform3d is also asked for edit objects, as in UFE. */
typedef struct whole_only {
    mmd_item own;
    int asked;
} whole_only;

static mmd_transform3d *whole_of_its_own(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                         mmd_item item)
{
    whole_only *its = context;
    its->asked++;
    mmd_transform3d *inner = mmd_edit_next_transform3d(edit, link, item);
    if (!inner || item.kind != its->own.kind || item.index != its->own.index)
        return inner;
    mmd_transform3d *object = mmd_transform3d_create(&y_table, sizeof(only_y), item);
    *(only_y *)mmd_transform3d_self(object) = (only_y){.inner = inner};
    return object;
}

static void transform3d_alone_serves_edits(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    mmd_item own = add_top(edit, "own", NULL, 0), other = add_top(edit, "other", NULL, 0);
    const mmd_op matrix = mmd_op_make(MMD_OP_MATRIX, "matrix");
    mmd_item single = add_top(edit, "single", &matrix, 1);
    whole_only its = {.own = own};
    const mmd_handler handler = {.name = "whole", .transform3d = whole_of_its_own};
    assert_true(mmd_edit_add_handler(edit, NULL, &handler, &its));
    for (mmd_edit_hint hint = MMD_HINT_NONE; hint <= MMD_HINT_SCALE_PIVOT; hint++) {
        mmd_transform3d *object = mmd_edit_edit_transform3d(edit, own, hint);
        assert_non_null(object);
        assert_int_equal(its.asked, (int)hint + 1);
        mmd_transform3d_destroy(object);
    }
    /* Edits go through its object, which rotates about Y only. */
    assert_true(mmd_edit_do(edit, rotate(edit, own, 10, 20, 30)));
    mmd_transform3d *object = mmd_edit_edit_transform3d(edit, own, MMD_HINT_ROTATE);
    expect_get(edit, object, MMD_ROTATION, 0, 20, 0);
    mmd_transform3d_destroy(object);
    /* Items that it passes on are edited as without it: pivots of a matrix op come after it. */
    assert_true(mmd_edit_do(edit, rotate(edit, other, 10, 20, 30)));
    object = mmd_edit_edit_transform3d(edit, other, MMD_HINT_ROTATE);
    expect_get(edit, object, MMD_ROTATION, 10, 20, 30);
    mmd_transform3d_destroy(object);
    assert_true(mmd_edit_do(edit, command(edit, single, MMD_HINT_ROTATE_PIVOT, MMD_ROTATE_PIVOT, 1, 2, 3)));
    expect_ops(edit, single, "matrix rotatePivot:fallback !rotatePivot:fallback");
    /* A request for the whole transform reaches it once. */
    its.asked = 0;
    mmd_transform3d *whole = mmd_edit_transform3d(edit, other);
    assert_non_null(whole);
    assert_int_equal(its.asked, 1);
    mmd_transform3d_destroy(whole);
    mmd_edit_destroy(edit);
}

/* --- Paths --- */

static void paths_lead_to_items_and_back(void **state)
{
    (void)state;
    mmd_edit *edit = begin();
    static const char *const names[] = {"a", "a", "with/slash", "100%", "#1", "腕", "", "line\nbreak"};
    mmd_item items[8], child;
    char path[128];
    for (int i = 0; i < 8; i++) {
        items[i] = add_top(edit, names[i], NULL, 0);
        child = add(edit, items[i], "#x/", NULL, 0);
        size_t length = mmd_edit_path(edit, child, path, sizeof path);
        assert_int_equal(length, strlen(path));
        assert_true(mmd_item_equal(mmd_edit_find(edit, path), child));
        mmd_edit_path(edit, items[i], path, sizeof path);
        assert_true(mmd_item_equal(mmd_edit_find(edit, path), items[i]));
        assert_true(mmd_item_equal(mmd_edit_parent(edit, child), items[i]));
    }
    mmd_edit_path(edit, items[2], path, sizeof path);
    assert_string_equal(path, "/nodes/with%2Fslash");
    mmd_edit_path(edit, items[4], path, sizeof path);
    assert_string_equal(path, "/nodes/%231");
    static const char *const wrong[] = {
        "",           "nodes/a",    "/nodes",       "/nodes/",    "/nodes/b",
        "/nodes/#99", "/nodes/a/x", "/models/#0",   "/camera",    "/nodes/a%2",
        "/nodes/a%g", "/light",     "/nodes/a%00b", "/nodes/#1x", "/nodes/#-1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(mmd_edit_find(edit, wrong[i]).kind, MMD_ITEM_NONE);
    mmd_edit_describe(edit, items[2], NULL, path, sizeof path);
    assert_string_equal(path, "node with/slash");
    mmd_edit_describe(edit, items[1], NULL, path, sizeof path);
    assert_true(strncmp(path, "node a (#", 9) == 0);
    assert_int_equal(mmd_edit_path(edit, items[2], path, 5), strlen("/nodes/with%2Fslash"));
    assert_string_equal(path, "/nod");
    edit_remove_node(edit, items[0]);
    assert_false(mmd_edit_has(edit, items[0]));
    assert_true(mmd_item_equal(mmd_edit_find(edit, "/nodes/a"), items[1]));
    mmd_edit_destroy(edit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exclusive_is_the_parents_inclusive),
        cmocka_unit_test(turn_by_60_then_move_gives_their_product),
        cmocka_unit_test(an_op_is_an_object_of_its_own),
        cmocka_unit_test(matrix_op_and_separate_ops_give_equal_results),
        cmocka_unit_test(a_whole_matrix_goes_through_one_op),
        cmocka_unit_test(edits_make_ops_in_the_common_order),
        cmocka_unit_test(pivots_are_made_in_pairs_around_what_they_serve),
        cmocka_unit_test(pivots_of_a_matrix_go_behind_it),
        cmocka_unit_test(fallback_appends_ops_of_its_own),
        cmocka_unit_test(fallback_becomes_unusable_behind_other_ops),
        cmocka_unit_test(creating_a_command_executes_nothing),
        cmocka_unit_test(a_drag_is_one_undo_and_leaves_nothing_behind),
        cmocka_unit_test(undo_restores_the_very_value),
        cmocka_unit_test(numbers_that_are_none_are_refused_and_change_nothing),
        cmocka_unit_test(a_matrix_with_shear_does_not_fit_into_common_ops),
        cmocka_unit_test(what_is_read_only_gives_no_commands),
        cmocka_unit_test(a_macro_is_one_step),
        cmocka_unit_test(a_new_edit_forgets_what_was_undone),
        cmocka_unit_test(the_history_is_bounded_in_steps_and_in_bytes),
        cmocka_unit_test(observers_are_told_once_a_change),
        cmocka_unit_test(any_link_can_be_added_replaced_and_removed_at_run_time),
        cmocka_unit_test(the_whole_chain_can_be_replaced_at_run_time),
        cmocka_unit_test(a_link_can_wrap_what_the_next_one_makes),
        cmocka_unit_test(transform3d_alone_serves_edits),
        cmocka_unit_test(paths_lead_to_items_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
