/* Nodes: items with any stack of ops, which belong to the edit itself. */
#include <assert.h>
#include <string.h>

#include "edit_internal.h"
#include "mmd/memory.h"

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = mmd_alloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

/* Returns an unused node, or a new one. NULL when out of memory. */
static edit_node *free_node(mmd_edit *edit)
{
    for (size_t i = 0; i < edit->node_count; i++)
        if (!edit->nodes[i].name)
            return &edit->nodes[i];
    edit_node *grown = mmd_realloc(edit->nodes, (edit->node_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    edit->nodes = grown;
    grown[edit->node_count] = (edit_node){0};
    return &grown[edit->node_count++];
}

mmd_status edit_add_node(mmd_edit *edit, mmd_item parent, const char *name, const mmd_op *ops, size_t count,
                         mmd_item *result, mmd_error *error)
{
    assert(parent.kind == MMD_ITEM_STAGE || (parent.kind == MMD_ITEM_NODE && mmd_edit_has(edit, parent)));
    if (count > MMD_OPS_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET, "%zu ops where %d are allowed", count,
                             MMD_OPS_MAX);
    edit_node made = {.name = copy_text(name), .parent = parent, .op_count = count};
    made.ops = mmd_alloc(MMD_OPS_MAX * sizeof *made.ops);
    edit_node *node = made.name && made.ops ? free_node(edit) : NULL;
    if (!node) {
        mmd_free(made.name);
        mmd_free(made.ops);
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a node");
    }
    if (count)
        memcpy(made.ops, ops, count * sizeof *ops);
    *node = made;
    *result = (mmd_item){.kind = MMD_ITEM_NODE, .index = (uint32_t)(node - edit->nodes)};
    mmd_edit_changed(edit, *result);
    return MMD_OK;
}

/* Frees a node and the nodes below it. */
static void drop_node(mmd_edit *edit, uint32_t index)
{
    for (uint32_t i = 0; i < edit->node_count; i++) {
        const edit_node *node = &edit->nodes[i];
        if (node->name && node->parent.kind == MMD_ITEM_NODE && node->parent.index == index)
            drop_node(edit, i);
    }
    mmd_free(edit->nodes[index].name);
    mmd_free(edit->nodes[index].ops);
    edit->nodes[index] = (edit_node){0};
}

void edit_remove_node(mmd_edit *edit, mmd_item node)
{
    assert(node.kind == MMD_ITEM_NODE && mmd_edit_has(edit, node));
    mmd_edit_clear_history(edit);
    drop_node(edit, node.index);
}

void edit_finish_nodes(mmd_edit *edit)
{
    assert(edit);
    for (size_t i = 0; i < edit->node_count; i++) {
        mmd_free(edit->nodes[i].name);
        mmd_free(edit->nodes[i].ops);
    }
    mmd_free(edit->nodes);
}

/* Copies the ops of a node. */
static size_t read_node(mmd_edit *edit, mmd_item item, mmd_op *ops)
{
    const edit_node *node = &edit->nodes[item.index];
    memcpy(ops, node->ops, node->op_count * sizeof *ops);
    return node->op_count;
}

/* Sets the value of an op and of its inverse, which share it. */
static bool write_node(mmd_edit *edit, mmd_item item, const char *name, const double *value)
{
    edit_node *node = &edit->nodes[item.index];
    for (size_t i = 0; i < node->op_count; i++)
        if (!strcmp(node->ops[i].name, name))
            memcpy(node->ops[i].value, value,
                   (size_t)mmd_op_numbers((mmd_op_kind)node->ops[i].kind) * sizeof *value);
    mmd_edit_changed(edit, item);
    return true;
}

/* Inserts an op. Returns false if the stack is full or the op exists. */
static bool insert_node(mmd_edit *edit, mmd_item item, size_t index, const mmd_op *op)
{
    edit_node *node = &edit->nodes[item.index];
    if (node->op_count == MMD_OPS_MAX)
        return false;
    for (size_t i = 0; i < node->op_count; i++)
        if (!strcmp(node->ops[i].name, op->name) && node->ops[i].inverse == op->inverse)
            return false;
    index = index < node->op_count ? index : node->op_count;
    memmove(node->ops + index + 1, node->ops + index, (node->op_count - index) * sizeof *op);
    node->ops[index] = *op;
    node->op_count++;
    mmd_edit_changed(edit, item);
    return true;
}

/* Removes an op and its inverse. Returns false if there are none. */
static bool remove_node(mmd_edit *edit, mmd_item item, const char *name)
{
    edit_node *node = &edit->nodes[item.index];
    size_t kept = 0;
    for (size_t i = 0; i < node->op_count; i++)
        if (strcmp(node->ops[i].name, name) != 0)
            node->ops[kept++] = node->ops[i];
    bool removed = kept < node->op_count;
    node->op_count = kept;
    if (removed)
        mmd_edit_changed(edit, item);
    return removed;
}

/* Computes the exclusive matrix: the product of all nodes above. */
static void frame_of_node(mmd_edit *edit, mmd_item item, double matrix[16])
{
    edit_identity(matrix);
    for (mmd_item at = edit->nodes[item.index].parent; at.kind == MMD_ITEM_NODE;
         at = edit->nodes[at.index].parent) {
        double local[16];
        const edit_node *node = &edit->nodes[at.index];
        edit_product(node->ops, 0, node->op_count, local);
        edit_multiply(local, matrix, matrix);
    }
}

const edit_source edit_node_source = {.read = read_node,
                                      .write = write_node,
                                      .insert = insert_node,
                                      .remove = remove_node,
                                      .frame = frame_of_node};
