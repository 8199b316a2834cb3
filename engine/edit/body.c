/*
 * Rigid bodies and joints as stacks of ops: their placement at rest in the model, where the simulation
 * starts. It comes from the file until an edit changes it.
 */
#include <math.h>
#include <string.h>

#include "edit_internal.h"
#include "mmd/simulation.h"

#define SCALE_LEAST 1e-3
#define SCALE_MOST  1e3

/* Computes the exclusive matrix: the placement of the model. */
static void frame_of_part(mmd_edit *edit, mmd_item item, double matrix[16])
{
    float placement[16];
    edit_refresh(edit);
    edit_identity(matrix);
    if (mmd_stage_placement(edit->stage, item.model, placement))
        edit_from_floats(placement, matrix);
}

/* Writes translation and rotation as two ops. */
static void fill_ops(const mmd_transform *at, mmd_op *ops)
{
    ops[0] = mmd_op_make(MMD_OP_TRANSLATE, "translate");
    ops[1] = mmd_op_make(MMD_OP_ORIENT, "rotate");
    for (int k = 0; k < 3; k++)
        ops[0].value[k] = (double)at->translation[k];
    for (int k = 0; k < 4; k++)
        ops[1].value[k] = (double)at->rotation[k];
}

/* Sets a translation or rotation. Returns false if the value is not a unit quaternion. */
static bool change(mmd_transform *at, const char *name, const double *value)
{
    if (!strcmp(name, "translate")) {
        for (int k = 0; k < 3; k++)
            at->translation[k] = (float)value[k];
        return true;
    }
    double length =
        sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2] + value[3] * value[3]);
    for (int k = 0; k < 4; k++)
        at->rotation[k] = (float)value[k];
    return fabs(length - 1.0) < 1e-3;
}

/* --- Bodies --- */

/* Lists the ops of a body: translate, rotate (a quaternion) and scale. */
static size_t read_body(mmd_edit *edit, mmd_item item, mmd_op *ops)
{
    mmd_body_transform transform = {.rest.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    mmd_stage_body_transform(edit->stage, item.model, item.index, &transform);
    fill_ops(&transform.rest, ops);
    ops[2] = mmd_op_make(MMD_OP_SCALE, "scale");
    for (int k = 0; k < 3; k++)
        ops[2].value[k] = (double)transform.scale[k];
    return 3;
}

/* Sets one op of a body and places the body. Returns false for a scale out of range or a rotation that is
 * not a unit quaternion. */
static bool write_body(mmd_edit *edit, mmd_item item, const char *name, const double *value)
{
    mmd_body_transform transform = {.rest.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    mmd_stage_body_transform(edit->stage, item.model, item.index, &transform);
    if (!strcmp(name, "scale")) {
        for (int k = 0; k < 3; k++) {
            if (!(value[k] >= SCALE_LEAST && value[k] <= SCALE_MOST))
                return false;
            transform.scale[k] = (float)value[k];
        }
    } else if (!change(&transform.rest, name, value)) {
        return false;
    }
    if (mmd_stage_place_body(edit->stage, item.model, item.index, &transform, NULL) != MMD_OK)
        return false;
    mmd_edit_changed(edit, item);
    return true;
}

/* Tests whether a body was placed by hand. */
static bool owns_body(mmd_edit *edit, mmd_item item)
{
    mmd_body_transform ignored;
    return mmd_stage_body_transform(edit->stage, item.model, item.index, &ignored);
}

/* Returns a body to the placement of its file. */
static void disown_body(mmd_edit *edit, mmd_item item)
{
    mmd_stage_place_body(edit->stage, item.model, item.index, NULL, NULL);
    mmd_edit_changed(edit, item);
}

const edit_source edit_body_source = {.read = read_body,
                                      .write = write_body,
                                      .frame = frame_of_part,
                                      .is_owned = owns_body,
                                      .disown = disown_body};

/* --- Joints: the frame on the side of body A --- */

/* Lists the ops of a joint: translate and rotate (a quaternion). */
static size_t read_joint(mmd_edit *edit, mmd_item item, mmd_op *ops)
{
    mmd_transform transform = {.rotation = {0, 0, 0, 1}};
    mmd_stage_joint_transform(edit->stage, item.model, item.index, &transform);
    fill_ops(&transform, ops);
    return 2;
}

/* Sets one op of a joint and places the joint. */
static bool write_joint(mmd_edit *edit, mmd_item item, const char *name, const double *value)
{
    mmd_transform transform = {.rotation = {0, 0, 0, 1}};
    mmd_stage_joint_transform(edit->stage, item.model, item.index, &transform);
    if (!change(&transform, name, value) ||
        mmd_stage_place_joint(edit->stage, item.model, item.index, &transform, NULL) != MMD_OK)
        return false;
    mmd_edit_changed(edit, item);
    return true;
}

/* Tests whether a joint was placed by hand. */
static bool owns_joint(mmd_edit *edit, mmd_item item)
{
    mmd_transform ignored;
    return mmd_stage_joint_transform(edit->stage, item.model, item.index, &ignored);
}

/* Returns a joint to the placement of its file. */
static void disown_joint(mmd_edit *edit, mmd_item item)
{
    mmd_stage_place_joint(edit->stage, item.model, item.index, NULL, NULL);
    mmd_edit_changed(edit, item);
}

const edit_source edit_joint_source = {.read = read_joint,
                                       .write = write_joint,
                                       .frame = frame_of_part,
                                       .is_owned = owns_joint,
                                       .disown = disown_joint};
