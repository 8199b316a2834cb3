/*
 * Which ops an edit hits. The common layout is that of most animation
 * programs: translate, rotate about a pivot, scale about a pivot. The fallback
 * is the same behind everything else, under names of its own.
 */
#include "edit_internal.h"

#include <assert.h>
#include <string.h>

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

/* Bones that are nodes of a glTF: no pivots, for a node has none. */
const stack_layout edit_bone_node_layout = {
    .names = {"user:translate", "user:rotate", "user:scale", NULL, NULL}};

const stack_layout edit_bone_layout = {.names = {"user:translate", "user:rotate", NULL, NULL, NULL}};

/* While keying. */
const stack_layout edit_motion_layout = {.names = {"motion:translate", "motion:rotate", NULL, NULL, NULL}};

/* Its one op has all components: those of its matrix (object.c). */
const stack_layout edit_matrix_layout = {.names = {NULL, NULL, NULL, NULL, NULL}};

static bool is_rotation(uint8_t kind)
{
    return kind == MMD_OP_ROTATE || kind == MMD_OP_ORIENT || kind == MMD_OP_TURN;
}

static bool fits(const layout_entry *entry, const mmd_op *op)
{
    return !strcmp(entry->name, op->name) && entry->inverse == op->inverse &&
           (entry->kind == op->kind || (is_rotation(entry->kind) && is_rotation(op->kind)));
}

/* Place of the op in the layout; entry_count if it is none of its. */
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

/* A pivot without its inverse, or the other way round, moves things by itself: it is no pivot. */
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

/* Where an entry belongs: before the first op of the layout that comes after it; else behind all. */
static size_t place_for(const stack_layout *layout, size_t entry, const mmd_op *ops, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t other = entry_of(layout, &ops[i]);
        if (other < layout->entry_count && other > entry)
            return i;
    }
    return count;
}

size_t edit_layout_place(const stack_layout *layout, const char *name, const mmd_op *ops, size_t count,
                         mmd_op *op)
{
    assert(layout && op);
    assert(ops || count == 0);
    size_t e = 0;
    while (layout->entries[e].inverse || strcmp(layout->entries[e].name, name) != 0)
        e++;
    *op = mmd_op_make((mmd_op_kind)layout->entries[e].kind, name);
    return place_for(layout, e, ops, count);
}

bool edit_layout_create(mmd_edit *edit, mmd_item item, const stack_layout *layout, const char *name)
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
        if (!source->insert(edit, item, place_for(layout, e, ops, count), &op)) {
            if (made)
                source->remove(edit, item, name);
            return false;
        }
        made = true;
    }
    return made;
}
