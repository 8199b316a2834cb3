/* PMD rigid bodies and joints: PMX's but for the place of a body, which is relative to its bone (MMD.md 1.2).
 */
#include "pmd_reader.h"

enum { BODY_SIZE = 83, JOINT_SIZE = 124 };

static void move_to_bone(const mmd_model *model, mmd_rigid_body *body)
{
    if (model->bone_count == 0)
        return;
    const float *position = model->bones[body->bone >= 0 ? body->bone : 0].position;
    for (int k = 0; k < 3; k++)
        body->position[k] += position[k];
}

void pmd_read_bodies(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    mmd_cursor_section(cursor, "body", -1);
    uint32_t count = mmd_cursor_count(cursor, BODY_SIZE);
    mmd_rigid_body *bodies = model_reader_array(&reader->base, count, sizeof *bodies);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "body", i);
        bodies[i].name = pmd_text(reader, mmd_read_bytes(cursor, PMD_NAME_SIZE), PMD_NAME_SIZE);
        bodies[i].name_en = "";
        bodies[i].bone = pmd_reference(reader, mmd_read_u16(cursor), reader->bone_count, "body", i, "bone");
        model_reader_body(&reader->base, &bodies[i], i);
        move_to_bone(model, &bodies[i]);
    }
    model->bodies = bodies;
    model->body_count = mmd_cursor_ok(cursor) ? count : 0;
}

static int32_t read_body_index(pmd_reader *reader, uint32_t item, const char *field)
{
    int32_t body = mmd_read_i32(&reader->base.cursor);
    return model_reader_reference(&reader->base, body, reader->base.model->body_count, "joint", item, field);
}

void pmd_read_joints(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_cursor_section(cursor, "joint", -1);
    uint32_t count = mmd_cursor_count(cursor, JOINT_SIZE);
    mmd_joint *joints = model_reader_array(&reader->base, count, sizeof *joints);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "joint", i);
        joints[i].name = pmd_text(reader, mmd_read_bytes(cursor, PMD_NAME_SIZE), PMD_NAME_SIZE);
        joints[i].name_en = "";
        joints[i].body_a = read_body_index(reader, i, "body A");
        joints[i].body_b = read_body_index(reader, i, "body B");
        model_reader_joint(&reader->base, &joints[i]);
    }
    reader->base.model->joints = joints;
    reader->base.model->joint_count = mmd_cursor_ok(cursor) ? count : 0;
}
