/* Functions for the ops of any item, whatever its kind. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "edit_internal.h"
#include "mmd/simulation.h"

static size_t read_nothing(mmd_edit *edit, mmd_item item, mmd_op *ops)
{
    (void)edit;
    (void)item;
    (void)ops;
    return 0;
}

static void frame_of_stage(mmd_edit *edit, mmd_item item, double matrix[16])
{
    (void)edit;
    (void)item;
    edit_identity(matrix);
}

static const edit_source stage_source = {.read = read_nothing, .frame = frame_of_stage};

/* Morphs, switches and self shadow have no transforms; they are items because they have keyframes. */
static const edit_source keys_source = {.read = read_nothing, .frame = frame_of_stage};

const edit_source *edit_source_of(mmd_item item)
{
    static const edit_source *const sources[MMD_ITEM_KINDS] = {
        [MMD_ITEM_STAGE] = &stage_source,      [MMD_ITEM_MODEL] = &edit_model_source,
        [MMD_ITEM_BONE] = &edit_bone_source,   [MMD_ITEM_CAMERA] = &edit_camera_source,
        [MMD_ITEM_BODY] = &edit_body_source,   [MMD_ITEM_JOINT] = &edit_joint_source,
        [MMD_ITEM_LIGHT] = &edit_light_source, [MMD_ITEM_NODE] = &edit_node_source,
        [MMD_ITEM_MORPH] = &keys_source,       [MMD_ITEM_SWITCHES] = &keys_source,
        [MMD_ITEM_SHADOW] = &keys_source,
    };
    assert(item.kind > MMD_ITEM_NONE && item.kind < MMD_ITEM_KINDS);
    return sources[item.kind];
}

void edit_refresh(mmd_edit *edit)
{
    assert(edit);
    if (!edit->stale || !edit->stage)
        return;
    edit->stale = false;
    mmd_stage_set_frame(edit->stage, mmd_stage_frame(edit->stage));
}

void edit_before_write(mmd_edit *edit)
{
    assert(edit);
    if (edit->stage)
        mmd_stage_settle(edit->stage);
}

bool edit_sound(const double *values, int count)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(values[k]) || fabs(values[k]) > 1e30)
            return false;
    return true;
}

size_t mmd_edit_ops(mmd_edit *edit, mmd_item item, mmd_op ops[MMD_OPS_MAX])
{
    assert(edit);
    return mmd_edit_has(edit, item) ? edit_source_of(item)->read(edit, item, ops) : 0;
}

bool mmd_edit_write_op(mmd_edit *edit, mmd_item item, const char *name, const double *value)
{
    assert(edit);
    if (!mmd_edit_has(edit, item) || !edit_source_of(item)->write)
        return false;
    mmd_op ops[MMD_OPS_MAX];
    size_t count = edit_source_of(item)->read(edit, item, ops), index = edit_op_index(ops, count, name);
    if (index == count || ops[index].read_only ||
        !edit_sound(value, mmd_op_numbers((mmd_op_kind)ops[index].kind)))
        return false;
    edit_hold(edit);
    bool done = edit_source_of(item)->write(edit, item, name, value);
    edit_release(edit);
    return done;
}

void mmd_edit_local(mmd_edit *edit, mmd_item item, double matrix[16])
{
    assert(edit);
    mmd_op ops[MMD_OPS_MAX];
    edit_product(ops, 0, mmd_edit_ops(edit, item, ops), matrix);
}

void mmd_edit_exclusive(mmd_edit *edit, mmd_item item, double matrix[16])
{
    assert(edit);
    if (mmd_edit_has(edit, item))
        edit_source_of(item)->frame(edit, item, matrix);
    else
        edit_identity(matrix);
}

void mmd_edit_inclusive(mmd_edit *edit, mmd_item item, double matrix[16])
{
    assert(edit);
    double local[16];
    mmd_edit_local(edit, item, local);
    mmd_edit_exclusive(edit, item, matrix);
    edit_multiply(matrix, local, matrix);
}
