/* Interface objects over stacks of ops: those of the standard handlers, of single ops, and read-only ones. */
#include <assert.h>
#include <string.h>

#include "edit_internal.h"

typedef struct object_self {
    stack_object what;
    mmd_item item;
} object_self;

/* Finds the range of ops that the object covers: the index of the first, and one past the last. */
static void find_range(const stack_object *o, const mmd_op *ops, size_t count, size_t *first, size_t *last)
{
    *first = 0;
    *last = count;
    if (o->mode == OBJECT_OP) {
        *first = edit_op_index(ops, count, o->op);
        *last = *first < count ? *first + 1 : count;
    }
    while (o->mode == OBJECT_FACE && o->layout->at_end && *first < count &&
           !edit_layout_has(o->layout, &ops[*first]))
        ++*first;
}

/* Computes the product of the ops that the object covers. */
static void matrix_of(void *self, mmd_edit *edit, double matrix[16])
{
    const object_self *o = self;
    mmd_op ops[MMD_OPS_MAX];
    size_t first, last, count = mmd_edit_ops(edit, o->item, ops);
    find_range(&o->what, ops, count, &first, &last);
    edit_product(ops, first, last, matrix);
}

/* Computes the matrix of everything outside of the covered ops. */
static void exclusive_of(void *self, mmd_edit *edit, double matrix[16])
{
    const object_self *o = self;
    mmd_op ops[MMD_OPS_MAX];
    double before[16];
    size_t first, last, count = mmd_edit_ops(edit, o->item, ops);
    find_range(&o->what, ops, count, &first, &last);
    edit_product(ops, 0, first, before);
    mmd_edit_exclusive(edit, o->item, matrix);
    edit_multiply(matrix, before, matrix);
}

/* Returns the component that an op of this kind is; MMD_COMPONENTS: several. */
static mmd_component component_of_kind(uint8_t kind)
{
    switch ((mmd_op_kind)kind) {
    case MMD_OP_TRANSLATE:
        return MMD_TRANSLATION;
    case MMD_OP_SCALE:
        return MMD_SCALE;
    case MMD_OP_MATRIX:
        return MMD_COMPONENTS;
    default:
        return MMD_ROTATION;
    }
}

/* Reads a component of a single op. A matrix op has translation, rotation and scale. */
static bool get_of_op(const object_self *o, const mmd_op *ops, size_t count, mmd_component component,
                      double values[3])
{
    size_t index = edit_op_index(ops, count, o->what.op);
    if (index == count)
        return false;
    if (ops[index].kind == MMD_OP_MATRIX)
        return edit_component_of(ops[index].value, component, values);
    edit_decode(&ops[index], values);
    return component_of_kind(ops[index].kind) == component;
}

/* Reads a component from its op. An op that could be created has the neutral value. */
static bool get_of_face(const object_self *o, const mmd_op *ops, size_t count, mmd_component component,
                        double values[3])
{
    const stack_layout *layout = o->what.layout;
    const char *name = layout->names[component];
    size_t index = name ? edit_op_index(ops, count, name) : count;
    for (int k = 0; k < 3; k++)
        values[k] = component == MMD_SCALE;
    if (index < count)
        edit_decode(&ops[index], values);
    return index < count || (name && edit_source_of(o->item)->insert);
}

/* Reads a component, in the way of the object's mode. */
static bool get_component(void *self, mmd_edit *edit, mmd_component component, double values[3])
{
    const object_self *o = self;
    mmd_op ops[MMD_OPS_MAX];
    size_t count = mmd_edit_ops(edit, o->item, ops);
    if (o->what.mode == OBJECT_OP)
        return get_of_op(o, ops, count, component, values);
    if (o->what.mode == OBJECT_FACE)
        return get_of_face(o, ops, count, component, values);
    double m[16];
    edit_product(ops, 0, count, m);
    return edit_component_of(m, component, values);
}

/* Tests whether a command for a component could succeed, and refuses otherwise, so that no useless command
 * is created. */
static bool is_possible(const object_self *o, mmd_edit *edit, mmd_component component)
{
    mmd_op ops[MMD_OPS_MAX];
    double ignored[3];
    size_t count = mmd_edit_ops(edit, o->item, ops);
    if (edit_layout_buried(o->what.layout, ops, count)) {
        mmd_edit_refuse_item(edit, MMD_REFUSAL_BURIED, o->item, NULL, NULL);
        return false;
    }
    if (component == MMD_COMPONENTS || get_component((void *)(uintptr_t)o, edit, component, ignored))
        return true;
    static const mmd_refusal refusals[MMD_COMPONENTS] = {MMD_REFUSAL_NO_TRANSLATION, MMD_REFUSAL_NO_ROTATION,
                                                         MMD_REFUSAL_NO_SCALE, MMD_REFUSAL_NO_PIVOT,
                                                         MMD_REFUSAL_NO_PIVOT};
    mmd_edit_refuse_item(edit, refusals[component], o->item, NULL, NULL);
    return false;
}

/* Makes a command that sets a component, if that is possible. */
static mmd_command *make_command(void *self, mmd_edit *edit, mmd_component component, const double values[3])
{
    const object_self *o = self;
    return is_possible(o, edit, component) ? edit_stack_command(edit, o->item, &o->what, component, values)
                                           : NULL;
}

/* Makes a command that sets the matrix, if that is possible. */
static mmd_command *make_matrix_command(void *self, mmd_edit *edit, const double matrix[16])
{
    const object_self *o = self;
    return is_possible(o, edit, MMD_COMPONENTS)
               ? edit_stack_command(edit, o->item, &o->what, MMD_COMPONENTS, matrix)
               : NULL;
}

static const mmd_transform3d_table editable = {.matrix = matrix_of,
                                               .exclusive = exclusive_of,
                                               .get = get_component,
                                               .command = make_command,
                                               .set_matrix = make_matrix_command};
static const mmd_transform3d_table readable = {
    .matrix = matrix_of, .exclusive = exclusive_of, .get = get_component};

mmd_transform3d *edit_object_create(mmd_edit *edit, mmd_item item, const stack_object *made)
{
    assert(edit && made);
    mmd_transform3d *object =
        mmd_transform3d_create(made->read_only ? &readable : &editable, sizeof(object_self), item);
    if (object)
        *(object_self *)mmd_transform3d_self(object) = (object_self){.what = *made, .item = item};
    else
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
    return object;
}
