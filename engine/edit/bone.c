/*
 * Bones as stacks of ops. All ops but the user's are read from the pose and the motion's values. Where
 * physics moves the bone, a last op holds the difference between its world matrix and the product of the
 * others. Bones made from glTF nodes also have a user's scale along the axes of their node; where these
 * differ from the bone's, two rotations enclose it.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "edit_internal.h"
#include "mmd/pose_parts.h"

#define SCALE_LEAST 1e-3
#define SCALE_MOST  1e3
#define AXIS_LEAST  1e-6 /* cosine below which a rotation counts as orthogonal to the axis */

/* Makes an op from single precision values. */
static mmd_op floats(mmd_op_kind kind, const char *name, const float *value, bool read_only)
{
    mmd_op op = mmd_op_make(kind, name);
    for (int k = 0; k < mmd_op_numbers(kind); k++)
        op.value[k] = (double)value[k];
    op.read_only = read_only;
    return op;
}

/* Makes the op of an animated scale, a symmetric matrix given as in MMD_ANIMATED_SCALE. */
static mmd_op scale_op(const float s[6])
{
    mmd_op op = mmd_op_make(MMD_OP_MATRIX, "motion:scale");
    const double rows[3][3] = {{(double)s[0], (double)s[3], (double)s[4]},
                               {(double)s[3], (double)s[1], (double)s[5]},
                               {(double)s[4], (double)s[5], (double)s[2]}};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            op.value[4 * c + r] = rows[r][c];
    op.read_only = true;
    return op;
}

static const mmd_model *model_of(const mmd_edit *edit, mmd_item item)
{
    return mmd_actor_model(mmd_stage_actor(edit->stage, item.model));
}

bool edit_is_bone_node(const mmd_edit *edit, mmd_item item)
{
    assert(edit);
    return item.kind == MMD_ITEM_BONE && model_of(edit, item)->origin == MMD_ORIGIN_GLTF;
}

/* Appends the user's scale of a node and returns the number of ops. Only an animated scale follows it,
 * which commutes with it. */
static size_t user_scale_ops(const mmd_model *model, const mmd_pose *pose, uint32_t bone, mmd_op *out)
{
    static const float straight[4] = {0, 0, 0, 1};
    const float *turn = model->node_rotations ? model->node_rotations[bone] : straight;
    bool is_turned = turn[0] != 0.0f || turn[1] != 0.0f || turn[2] != 0.0f;
    size_t count = 0;
    float scale[3];
    mmd_pose_get_user_scale(pose, bone, scale);
    if (is_turned)
        out[count++] = floats(MMD_OP_ORIENT, "node:axes", turn, true);
    out[count++] = floats(MMD_OP_SCALE, "user:scale", scale, false);
    if (is_turned) {
        out[count] = floats(MMD_OP_ORIENT, "node:axes", turn, true);
        out[count++].inverse = true;
    }
    return count;
}

/* Computes inverse(product) * inverse(frame) * world. Returns false if the product is singular. */
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

/* Lists the ops of a bone, from the outermost to the innermost. */
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
    if (mmd_pose_can_scale(pose))
        count += user_scale_ops(mmd_actor_model(actor), pose, item.index, out + count);
    if (values->scales)
        out[count++] = scale_op(values->scales[item.index]);
    if (b.overridden && physics_op(pose, item.index, out, count, &out[count]))
        count++;
    return count;
}

/* Returns the Euclidean length of count numbers. */
static double length_of(const double *v, int count)
{
    double square = 0.0;
    for (int k = 0; k < count; k++)
        square += v[k] * v[k];
    return sqrt(square);
}

/* Sets the user's scale of a node. Returns false if it is out of range or memory is out. */
static bool write_scale(mmd_edit *edit, mmd_pose *pose, uint32_t bone, const double *value)
{
    float scale[3];
    for (int k = 0; k < 3; k++) {
        if (!(value[k] >= SCALE_LEAST && value[k] <= SCALE_MOST))
            return false;
        scale[k] = (float)value[k];
    }
    bool done = mmd_pose_set_user_scale(pose, bone, scale);
    if (!done)
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
    return done;
}

/* Sets one of the user's ops: user:translate, user:rotate or user:scale. All others are read-only. */
static bool write_bone(mmd_edit *edit, mmd_item item, const char *name, const double *value)
{
    mmd_pose *pose = mmd_actor_pose(mmd_stage_actor(edit->stage, item.model));
    float translation[3], rotation[4];
    mmd_pose_get_user(pose, item.index, translation, rotation);
    edit_before_write(edit);
    if (!strcmp(name, "user:scale")) {
        if (!mmd_pose_can_scale(pose) || !write_scale(edit, pose, item.index, value))
            return false;
        mmd_edit_changed(edit, item);
        return true;
    }
    if (!strcmp(name, "user:translate")) {
        for (int k = 0; k < 3; k++)
            translation[k] = (float)value[k];
    } else {
        if (!(fabs(length_of(value, 4) - 1.0) < 1e-3))
            return false;
        for (int k = 0; k < 4; k++)
            rotation[k] = (float)value[k];
    }
    mmd_pose_set_user(pose, item.index, translation, rotation);
    mmd_edit_changed(edit, item);
    return true;
}

bool edit_hold_to_axis(mmd_edit *edit, mmd_item item, const char *op, double rotation[4])
{
    assert(edit);
    if (item.kind != MMD_ITEM_BONE || (strcmp(op, "user:rotate") != 0 && strcmp(op, "motion:rotate") != 0))
        return true;
    const mmd_bone *bone = &model_of(edit, item)->bones[item.index];
    double axis[3] = {(double)bone->fixed_axis[0], (double)bone->fixed_axis[1], (double)bone->fixed_axis[2]};
    double length = length_of(axis, 3), size = length_of(rotation, 3), along = 0.0;
    if (!(bone->flags & MMD_BONE_FIXED_AXIS) || !(length > 0.0) || !isfinite(length) || size < 1e-12)
        return true;
    for (int k = 0; k < 3; k++)
        along += axis[k] / length * rotation[k] / size;
    if (fabs(along) < AXIS_LEAST) {
        mmd_edit_refuse_item(edit, MMD_REFUSAL_FIXED_AXIS, item, NULL, NULL);
        return false;
    }
    for (int k = 0; k < 3; k++)
        rotation[k] = axis[k] / length * (along < 0.0 ? -size : size);
    return true;
}

/* Computes the exclusive matrix: the placement of the model times the frame of the bone. */
static void frame_of_bone(mmd_edit *edit, mmd_item item, double matrix[16])
{
    edit_refresh(edit);
    float m[16], placement[16];
    double world[16];
    mmd_pose_bone_frame(mmd_actor_pose(mmd_stage_actor(edit->stage, item.model)), item.index, m);
    edit_from_floats(m, matrix);
    if (!mmd_stage_placement(edit->stage, item.model, placement))
        return;
    edit_from_floats(placement, world);
    edit_multiply(world, matrix, matrix);
}

const edit_source edit_bone_source = {.read = read_bone, .write = write_bone, .frame = frame_of_bone};
