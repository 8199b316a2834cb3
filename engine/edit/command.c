/*
 * Commands: what all have in common, and those of the standard handlers, which set ops of a stack.
 *
 * Such a command stores the values of its ops at the first set; each later set starts from them. An op that
 * did not exist is created then, and removed by undo.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "edit_internal.h"
#include "mmd/memory.h"

/* --------------------------------------------------- layouts */

/*
 * Layouts decide which ops an edit changes. The common layout is that of most animation programs: translate,
 * rotate about a pivot, scale about a pivot. The fallback layout is the same behind all other ops, with names
 * of its own.
 */

static const layout_entry common_entries[] = {
    {"translate", MMD_OP_TRANSLATE, false},  {"rotatePivot", MMD_OP_TRANSLATE, false},
    {"rotate", MMD_OP_ROTATE, false},        {"rotatePivot", MMD_OP_TRANSLATE, true},
    {"scalePivot", MMD_OP_TRANSLATE, false}, {"scale", MMD_OP_SCALE, false},
    {"scalePivot", MMD_OP_TRANSLATE, true},
};

static const layout_entry fallback_entries[] = {
    {"translate:fallback", MMD_OP_TRANSLATE, false},  {"rotatePivot:fallback", MMD_OP_TRANSLATE, false},
    {"rotate:fallback", MMD_OP_ROTATE, false},        {"rotatePivot:fallback", MMD_OP_TRANSLATE, true},
    {"scalePivot:fallback", MMD_OP_TRANSLATE, false}, {"scale:fallback", MMD_OP_SCALE, false},
    {"scalePivot:fallback", MMD_OP_TRANSLATE, true},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

const stack_layout edit_common_layout = {
    .names = {"translate", "rotate", "scale", "rotatePivot", "scalePivot"},
    .entries = common_entries,
    .entry_count = COUNT(common_entries),
};

const stack_layout edit_fallback_layout = {
    .names = {"translate:fallback", "rotate:fallback", "scale:fallback", "rotatePivot:fallback",
              "scalePivot:fallback"},
    .entries = fallback_entries,
    .entry_count = COUNT(fallback_entries),
    .at_end = true,
};

/* Bones made from glTF nodes. They have no pivots, because nodes have none. */
const stack_layout edit_bone_node_layout = {
    .names = {"user:translate", "user:rotate", "user:scale", NULL, NULL}};

const stack_layout edit_bone_layout = {.names = {"user:translate", "user:rotate", NULL, NULL, NULL}};

/* The layout of bones while edits write keyframes. */
const stack_layout edit_motion_layout = {.names = {"motion:translate", "motion:rotate", NULL, NULL, NULL}};

/* The layout of a single matrix op, whose components are computed from its value (object.c). */
const stack_layout edit_matrix_layout = {.names = {NULL, NULL, NULL, NULL, NULL}};

static bool is_rotation(uint8_t kind)
{
    return kind == MMD_OP_ROTATE || kind == MMD_OP_ORIENT || kind == MMD_OP_CAMERA_ROTATION;
}

/* Tests whether an op matches an entry; all kinds of rotation are equivalent. */
static bool fits(const layout_entry *entry, const mmd_op *op)
{
    return !strcmp(entry->name, op->name) && entry->inverse == op->inverse &&
           (entry->kind == op->kind || (is_rotation(entry->kind) && is_rotation(op->kind)));
}

/* Returns the index of an op's entry in the layout; entry_count if it has none. */
static size_t entry_of(const stack_layout *layout, const mmd_op *op)
{
    size_t e = 0;
    while (e < layout->entry_count && !fits(&layout->entries[e], op))
        e++;
    return e;
}

bool edit_layout_has(const stack_layout *layout, const mmd_op *op)
{
    assert(layout);
    return entry_of(layout, op) < layout->entry_count;
}

/* Tests whether a pivot has its inverse, and the inverse its pivot. One without the other moves the item
 * and is no pivot. */
static bool has_partner(const mmd_op *ops, size_t count, const mmd_op *op)
{
    if (!strstr(op->name, "Pivot"))
        return true;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(ops[i].name, op->name) && ops[i].inverse != op->inverse)
            return true;
    return false;
}

bool edit_layout_matches(const stack_layout *layout, const mmd_op *ops, size_t count)
{
    assert(layout);
    assert(ops || count == 0);
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        if (ops[i].read_only)
            continue;
        size_t entry = entry_of(layout, &ops[i]);
        if (entry == layout->entry_count || entry < next || !has_partner(ops, count, &ops[i]))
            return false;
        next = entry + 1;
    }
    return true;
}

bool edit_layout_buried(const stack_layout *layout, const mmd_op *ops, size_t count)
{
    assert(layout);
    assert(ops || count == 0);
    bool met = false;
    for (size_t i = 0; layout->at_end && i < count; i++) {
        bool own = edit_layout_has(layout, &ops[i]);
        if (met && !own)
            return true;
        met = met || own;
    }
    return false;
}

/* Returns where an entry belongs in a stack: before the first op whose entry comes later, else at the end. */
static size_t index_for(const stack_layout *layout, size_t entry, const mmd_op *ops, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t other = entry_of(layout, &ops[i]);
        if (other < layout->entry_count && other > entry)
            return i;
    }
    return count;
}

/* Makes the op of a name as the layout has it, and returns the index where it belongs in the stack. */
static size_t find_layout_index(const stack_layout *layout, const char *name, const mmd_op *ops, size_t count,
                                mmd_op *op)
{
    assert(layout && op);
    assert(ops || count == 0);
    size_t e = 0;
    while (layout->entries[e].inverse || strcmp(layout->entries[e].name, name) != 0)
        e++;
    *op = mmd_op_make((mmd_op_kind)layout->entries[e].kind, name);
    return index_for(layout, e, ops, count);
}

/* Creates the missing ops of a name. Returns false if that is not possible. */
static bool edit_layout_create(mmd_edit *edit, mmd_item item, const stack_layout *layout, const char *name)
{
    assert(layout);
    const edit_source *source = edit_source_of(item);
    if (!source->insert)
        return false;
    bool made = false;
    for (size_t e = 0; e < layout->entry_count; e++) {
        if (strcmp(layout->entries[e].name, name) != 0)
            continue;
        mmd_op ops[MMD_OPS_MAX], op = mmd_op_make((mmd_op_kind)layout->entries[e].kind, name);
        size_t count = source->read(edit, item, ops);
        op.inverse = layout->entries[e].inverse;
        if (!source->insert(edit, item, index_for(layout, e, ops, count), &op)) {
            if (made)
                source->remove(edit, item, name);
            return false;
        }
        made = true;
    }
    return made;
}

/* ----------------------------------------------------------------- commands */

struct mmd_command {
    const mmd_command_table *table;
    size_t size; /* bytes of self */
    bool is_set, is_undone;
    _Alignas(16) unsigned char self[];
};

const mmd_command_table *edit_command_table(const mmd_command *command)
{
    assert(command);
    return command->table;
}

mmd_command *mmd_command_create(const mmd_command_table *table, size_t size)
{
    assert(table->set && table->undo && table->redo);
    mmd_command *command = mmd_alloc(sizeof *command + size);
    if (!command)
        return NULL;
    memset(command, 0, sizeof *command + size);
    command->table = table;
    command->size = size;
    return command;
}

mmd_command *edit_command_of(mmd_edit *edit, const mmd_command_table *table, const void *made, size_t size)
{
    assert(edit);
    mmd_command *command = mmd_command_create(table, size);
    if (command)
        memcpy(mmd_command_self(command), made, size);
    else
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
    return command;
}

void mmd_command_destroy(mmd_command *command)
{
    if (command && command->table->destroy)
        command->table->destroy(command->self);
    mmd_free(command);
}

void *mmd_command_self(mmd_command *command)
{
    assert(command);
    return command->self;
}

const char *mmd_command_label(const mmd_command *command)
{
    assert(command);
    return command->table->label;
}

bool mmd_command_set(mmd_edit *edit, mmd_command *command, const double *values)
{
    assert(edit && command);
    edit->refusal[0] = '\0';
    if (command->is_undone && !mmd_command_redo(edit, command))
        return false;
    edit_hold(edit);
    bool done = command->table->set(command->self, edit, values);
    edit_release(edit);
    command->is_set = command->is_set || done;
    return done;
}

void mmd_command_undo(mmd_edit *edit, mmd_command *command)
{
    assert(edit && command);
    if (!command->is_set || command->is_undone)
        return;
    edit_hold(edit);
    command->table->undo(command->self, edit);
    edit_release(edit);
    command->is_undone = true;
}

bool mmd_command_redo(mmd_edit *edit, mmd_command *command)
{
    assert(edit && command);
    if (!command->is_undone)
        return false;
    edit_hold(edit);
    command->is_undone = !command->table->redo(command->self, edit);
    edit_release(edit);
    return !command->is_undone;
}

size_t edit_command_bytes(const mmd_command *command)
{
    assert(command);
    return sizeof *command + command->size +
           (command->table->bytes ? command->table->bytes(command->self) : 0);
}

bool edit_command_is_set(const mmd_command *command)
{
    assert(command);
    return command->is_set;
}

bool mmd_command_remap(mmd_edit *edit, mmd_command *command, const mmd_edit_map *map)
{
    assert(command);
    return !(command->is_set && !command->is_undone) && command->table->remap &&
           command->table->remap(command->self, edit, map);
}

/* --- Commands for ops of a stack --- */

typedef struct command_part {
    char name[MMD_OP_NAME_MAX];
    bool created;
    double before[MMD_OP_NUMBERS_MAX], after[MMD_OP_NUMBERS_MAX];
} command_part;

typedef struct stack_command {
    mmd_item item;
    stack_object what;
    mmd_component component; /* MMD_COMPONENTS: the matrix */
    bool begun, was_owned;
    double values[MMD_OP_NUMBERS_MAX]; /* values of the last set, or those it was created with */
    uint32_t part_count;
    command_part parts[];
} stack_command;

/* Returns the number of values of a command: 16 for a matrix, 3 for a component. */
static int value_count(const stack_command *c)
{
    return c->component == MMD_COMPONENTS ? 16 : 3;
}

/* Reads the stack as it was before the command. */
static size_t read_base(mmd_edit *edit, const stack_command *c, mmd_op *ops)
{
    size_t count = mmd_edit_ops(edit, c->item, ops), kept = 0;
    for (size_t i = 0; i < count; i++) {
        const command_part *part = NULL;
        for (uint32_t p = 0; c->begun && p < c->part_count; p++)
            if (!strcmp(c->parts[p].name, ops[i].name))
                part = &c->parts[p];
        if (part && part->created)
            continue;
        if (part)
            memcpy(ops[i].value, part->before, sizeof part->before);
        ops[kept++] = ops[i];
    }
    return kept;
}

/* Adds the missing ops of a layout to a copy of the stack, so that values can be computed for them. */
static size_t add_missing(const stack_layout *layout, mmd_op *ops, size_t count)
{
    static const mmd_component wanted[] = {MMD_TRANSLATION, MMD_ROTATION, MMD_SCALE};
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        const char *name = layout->names[wanted[w]];
        if (!name || !layout->entries || edit_op_index(ops, count, name) < count || count == MMD_OPS_MAX)
            continue;
        mmd_op op;
        size_t index = find_layout_index(layout, name, ops, count, &op);
        memmove(ops + index + 1, ops + index, (count - index) * sizeof *ops);
        ops[index] = op;
        count++;
    }
    return count;
}

/* Computes the value of the only op. */
static bool compute_op(stack_command *c, const mmd_op *ops, size_t count)
{
    command_part *part = &c->parts[0];
    size_t index = edit_op_index(ops, count, part->name);
    mmd_op op = mmd_op_make(c->component == MMD_SCALE ? MMD_OP_SCALE : MMD_OP_TRANSLATE, part->name);
    if (index < count)
        op = ops[index];
    else if (c->component == MMD_ROTATION)
        op.kind = MMD_OP_ROTATE;
    if (c->component < MMD_COMPONENTS) {
        edit_encode(&op, c->component, c->values, part->after);
        return true;
    }
    /* The object is a single op, so the values are its matrix. */
    if (op.kind == MMD_OP_MATRIX) {
        memcpy(part->after, c->values, 16 * sizeof(double));
        return true;
    }
    return edit_op_of_matrix(&op, c->values, part->after);
}

/* Computes the matrix that the whole stack has to produce. */
static bool wanted_matrix(const stack_command *c, const mmd_op *ops, size_t count, double m[16])
{
    size_t first = 0;
    double before[16];
    if (c->component < MMD_COMPONENTS) {
        edit_product(ops, 0, count, before);
        return edit_replace_component(before, c->component, c->values, m);
    }
    memcpy(m, c->values, 16 * sizeof *m);
    while (c->what.mode == OBJECT_FACE && c->what.layout->at_end && first < count &&
           !edit_layout_has(c->what.layout, &ops[first]))
        first++;
    edit_product(ops, 0, first, before);
    edit_multiply(before, m, m);
    return true;
}

/* Computes the values of translation, rotation and scale for a matrix. */
static bool compute_whole(stack_command *c, mmd_op *ops, size_t count)
{
    double m[16];
    if (edit_source_of(c->item)->insert) /* ops that cannot be created take no part */
        count = add_missing(c->what.layout, ops, count);
    if (!wanted_matrix(c, ops, count, m) || !edit_solve(ops, count, c->what.layout, m))
        return false;
    for (uint32_t p = 0; p < c->part_count; p++) {
        size_t index = edit_op_index(ops, count, c->parts[p].name);
        if (index == count)
            return false;
        memcpy(c->parts[p].after, ops[index].value, sizeof ops[index].value);
    }
    return true;
}

/* Tests whether a command changes a single op, whose value then follows from the values alone. */
static bool is_of_one_op(const stack_command *c)
{
    return c->what.mode == OBJECT_OP || (c->what.mode == OBJECT_FACE && c->component < MMD_COMPONENTS);
}

/* Restricts the new rotations of a bone to its fixed axis. */
static bool hold_to_axis(mmd_edit *edit, stack_command *c)
{
    for (uint32_t p = 0; p < c->part_count; p++)
        if (!edit_hold_to_axis(edit, c->item, c->parts[p].name, c->parts[p].after))
            return false;
    return true;
}

/* Computes the new values of all parts, or refuses. */
static bool compute(mmd_edit *edit, stack_command *c)
{
    mmd_op ops[MMD_OPS_MAX];
    if (edit_layout_buried(c->what.layout, ops, mmd_edit_ops(edit, c->item, ops))) {
        mmd_edit_refuse_item(edit, MMD_REFUSAL_BURIED, c->item, NULL, NULL);
        return false;
    }
    size_t count = read_base(edit, c, ops);
    if (is_of_one_op(c) ? compute_op(c, ops, count) : compute_whole(c, ops, count))
        return hold_to_axis(edit, c);
    mmd_edit_refuse_item(edit, MMD_REFUSAL_MATRIX, c->item, NULL, NULL);
    return false;
}

/* Stores the values of the ops before the first set. */
static void begin(mmd_edit *edit, stack_command *c)
{
    mmd_op ops[MMD_OPS_MAX];
    const edit_source *source = edit_source_of(c->item);
    size_t count = mmd_edit_ops(edit, c->item, ops);
    for (uint32_t p = 0; p < c->part_count; p++) {
        size_t index = edit_op_index(ops, count, c->parts[p].name);
        c->parts[p].created = index == count;
        if (index < count)
            memcpy(c->parts[p].before, ops[index].value, sizeof ops[index].value);
    }
    c->was_owned = !source->is_owned || source->is_owned(edit, c->item);
    c->begun = true;
}

/* Writes the stored values back, in reverse order, and removes created ops. */
static void restore(mmd_edit *edit, const stack_command *c)
{
    const edit_source *source = edit_source_of(c->item);
    for (uint32_t p = c->part_count; p-- > 0;) {
        if (!c->parts[p].created)
            source->write(edit, c->item, c->parts[p].name, c->parts[p].before);
        else if (source->remove)
            source->remove(edit, c->item, c->parts[p].name);
    }
    if (!c->was_owned)
        source->disown(edit, c->item);
}

/* Creates missing ops and writes the new values. A failure half way is reverted. */
static bool apply(mmd_edit *edit, const stack_command *c)
{
    const edit_source *source = edit_source_of(c->item);
    for (uint32_t p = 0; p < c->part_count; p++) {
        const command_part *part = &c->parts[p];
        mmd_op ops[MMD_OPS_MAX];
        size_t count = mmd_edit_ops(edit, c->item, ops), index = edit_op_index(ops, count, part->name);
        bool there = index < count || edit_layout_create(edit, c->item, c->what.layout, part->name);
        int numbers = index < count ? mmd_op_numbers((mmd_op_kind)ops[index].kind) : 3;
        if (!there || !edit_sound(part->after, numbers) ||
            !source->write(edit, c->item, part->name, part->after)) {
            restore(edit, c);
            return false;
        }
    }
    return true;
}

/* Restores the values of the command after a refusal, for redo too, because the values of its parts may
 * have been overwritten. */
static void set_back(mmd_edit *edit, stack_command *c, const double *old, bool was_written)
{
    memcpy(c->values, old, sizeof c->values);
    if (c->begun && compute(edit, c) && was_written)
        apply(edit, c);
}

/* Sets the ops of an item to new values (NULL: those of the last set). Nothing has changed after a
 * refusal. */
static bool set_stack(void *self, mmd_edit *edit, const double *values)
{
    stack_command *c = self;
    double old[MMD_OP_NUMBERS_MAX];
    bool first = !c->begun;
    if (!mmd_edit_has(edit, c->item) || !edit_sound(values ? values : c->values, value_count(c))) {
        mmd_edit_refuse_as(edit, mmd_edit_has(edit, c->item) ? MMD_REFUSAL_NUMBER : MMD_REFUSAL_NO_ITEM, NULL,
                           NULL);
        return false;
    }
    memcpy(old, c->values, sizeof old);
    if (values)
        memcpy(c->values, values, (size_t)value_count(c) * sizeof *values);
    bool computed = compute(edit, c);
    if (computed && first)
        begin(edit, c);
    if (computed && apply(edit, c))
        return true;
    if (!*mmd_edit_refusal(edit))
        mmd_edit_refuse_item(edit, MMD_REFUSAL_VALUE, c->item, NULL, NULL);
    c->begun = !first;
    set_back(edit, c, old, computed);
    return false;
}

/* Restores the ops of an item. */
static void undo_stack(void *self, mmd_edit *edit)
{
    const stack_command *c = self;
    if (mmd_edit_has(edit, c->item))
        restore(edit, c);
}

/* Writes the values of the last set again. */
static bool redo_stack(void *self, mmd_edit *edit)
{
    const stack_command *c = self;
    return mmd_edit_has(edit, c->item) && apply(edit, c);
}

/* Moves the command to the item on another stage. */
static bool remap_stack(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    stack_command *c = self;
    return mmd_edit_map_item(map, &c->item) && mmd_edit_has(edit, c->item);
}

static const mmd_command_table *table_of(mmd_component component)
{
#define TABLE(text)                                                                                          \
    {                                                                                                        \
        .label = text, .set = set_stack, .undo = undo_stack, .redo = redo_stack, .remap = remap_stack        \
    }
    static const mmd_command_table tables[MMD_COMPONENTS + 1] = {[MMD_TRANSLATION] = TABLE("translate"),
                                                                 [MMD_ROTATION] = TABLE("rotate"),
                                                                 [MMD_SCALE] = TABLE("scale"),
                                                                 [MMD_ROTATE_PIVOT] = TABLE("rotate pivot"),
                                                                 [MMD_SCALE_PIVOT] = TABLE("scale pivot"),
                                                                 [MMD_COMPONENTS] = TABLE("set matrix")};
#undef TABLE
    return &tables[component];
}

/* Lists the names of the ops that the command will write. */
static uint32_t list_parts(mmd_edit *edit, mmd_item item, const stack_object *o, mmd_component component,
                           const char *names[3])
{
    uint32_t count = 0;
    mmd_op ops[MMD_OPS_MAX];
    size_t op_count = mmd_edit_ops(edit, item, ops);
    bool makes = edit_source_of(item)->insert != NULL;
    if (o->mode == OBJECT_OP) {
        names[count++] = o->op;
    } else if (o->mode == OBJECT_FACE && component < MMD_COMPONENTS) {
        names[count++] = o->layout->names[component];
    } else {
        for (int k = MMD_TRANSLATION; k <= MMD_SCALE; k++)
            if (o->layout->names[k] &&
                (makes || edit_op_index(ops, op_count, o->layout->names[k]) < op_count))
                names[count++] = o->layout->names[k];
    }
    return count;
}

mmd_command *edit_stack_command(mmd_edit *edit, mmd_item item, const stack_object *object,
                                mmd_component component, const double *values)
{
    assert(edit && object);
    assert((unsigned)component <= MMD_COMPONENTS);
    const char *names[3];
    uint32_t count = list_parts(edit, item, object, component, names);
    mmd_command *command =
        mmd_command_create(table_of(component), sizeof(stack_command) + count * sizeof(command_part));
    if (!command) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
        return NULL;
    }
    stack_command *c = mmd_command_self(command);
    c->item = item;
    c->what = *object;
    c->component = component;
    c->part_count = count;
    memcpy(c->values, values, (size_t)value_count(c) * sizeof *values);
    for (uint32_t p = 0; p < count; p++)
        memcpy(c->parts[p].name, names[p], strlen(names[p]) + 1);
    return command;
}
