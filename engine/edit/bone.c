/*
 * Bones as stacks. All ops but the user's are read off the pose and the
 * motion's values; where physics has the bone, a last op makes up for what its
 * world is not the product.
 */
#include <math.h>
#include <string.h>

#include "edit_internal.h"

static mmd_op floats(mmd_op_kind kind, const char *name, const float *value, bool read_only)
{
    mmd_op op = mmd_op_make(kind, name);
    for (int k = 0; k < mmd_op_numbers(kind); k++)
        op.value[k] = (double)value[k];
    op.read_only = read_only;
    return op;
}

/* A symmetric one, as MMD_ANIMATED_SCALE has it. */
static mmd_op scale_op(const float s[6])
{
    mmd_op op = mmd_op_make(MMD_OP_MATRIX, "scale");
    const double rows[3][3] = {{(double)s[0], (double)s[3], (double)s[4]},
                               {(double)s[3], (double)s[1], (double)s[5]},
                               {(double)s[4], (double)s[5], (double)s[2]}};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            op.value[4 * c + r] = rows[r][c];
    op.read_only = true;
    return op;
}

/* inverse(product) * inverse(frame) * world */
static bool physics_op(const mmd_pose *pose, uint32_t bone, const mmd_op *ops, size_t count, mmd_op *op)
{
    float m[16];
    double world[16], frame[16], product[16];
    mmd_pose_bone_matrix(pose, bone, m);
    edit_from_floats(m, world);
    mmd_pose_bone_frame(pose, bone, m);
    edit_from_floats(m, frame);
    edit_product(ops, 0, count, product);
    edit_multiply(frame, product, product);
    if (!edit_inverse(product, product))
        return false;
    *op = mmd_op_make(MMD_OP_MATRIX, "physics");
    edit_multiply(product, world, op->value);
    op->read_only = true;
    return true;
}

static size_t read_bone(mmd_edit *edit, mmd_item item, mmd_op *out)
{
    edit_refresh(edit);
    mmd_actor *actor = mmd_stage_actor(edit->stage, item.model);
    const mmd_pose *pose = mmd_actor_pose(actor);
    const mmd_pose_values *values = mmd_actor_values(actor);
    const mmd_transform *motion = &values->bones[item.index];
    mmd_bone_ops b;
    mmd_pose_bone_ops(pose, item.index, &b);
    const mmd_op ops[] = {floats(MMD_OP_TRANSLATE, "rest", b.rest, true),
                          floats(MMD_OP_TRANSLATE, "motion:translate", motion->translation, true),
                          floats(MMD_OP_TRANSLATE, "user:translate", b.user_translation, false),
                          floats(MMD_OP_TRANSLATE, "morph:translate", b.morph_translation, true),
                          floats(MMD_OP_TRANSLATE, "append:translate", b.append_translation, true),
                          floats(MMD_OP_ORIENT, "ik", b.ik, true),
                          floats(MMD_OP_ORIENT, "morph:rotate", b.morph_rotation, true),
                          floats(MMD_OP_ORIENT, "motion:rotate", motion->rotation, true),
                          floats(MMD_OP_ORIENT, "user:rotate", b.user_rotation, false),
                          floats(MMD_OP_ORIENT, "append:rotate", b.append_rotation, true)};
    size_t count = sizeof ops / sizeof *ops;
    memcpy(out, ops, sizeof ops);
    if (values->scales)
        out[count++] = scale_op(values->scales[item.index]);
    if (b.overridden && physics_op(pose, item.index, out, count, &out[count]))
        count++;
    return count;
}

static bool write_bone(mmd_edit *edit, mmd_item item, const char *name, const double *value)
{
    mmd_pose *pose = mmd_actor_pose(mmd_stage_actor(edit->stage, item.model));
    float translation[3], rotation[4];
    mmd_pose_get_user(pose, item.index, translation, rotation);
    if (!strcmp(name, "user:translate")) {
        for (int k = 0; k < 3; k++)
            translation[k] = (float)value[k];
    } else {
        double length =
            sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2] + value[3] * value[3]);
        if (!(fabs(length - 1.0) < 1e-3))
            return false;
        for (int k = 0; k < 4; k++)
            rotation[k] = (float)value[k];
    }
    edit_before_write(edit);
    mmd_pose_set_user(pose, item.index, translation, rotation);
    mmd_edit_changed(edit, item);
    return true;
}

static void frame_of_bone(mmd_edit *edit, mmd_item item, double matrix[16])
{
    edit_refresh(edit);
    float m[16], placement[16];
    double place[16];
    mmd_pose_bone_frame(mmd_actor_pose(mmd_stage_actor(edit->stage, item.model)), item.index, m);
    edit_from_floats(m, matrix);
    if (!mmd_stage_placement(edit->stage, item.model, placement))
        return;
    edit_from_floats(placement, place);
    edit_multiply(place, matrix, matrix);
}

const edit_source edit_bone_source = {.read = read_bone, .write = write_bone, .frame = frame_of_bone};
