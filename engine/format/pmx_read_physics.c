/* PMX rigid bodies, joints and soft bodies. Layout: MMD.md 1.1. */
#include "pmx_reader.h"

static void read_body(model_reader *reader, mmd_rigid_body *body, uint32_t item)
{
    mmd_model *model = reader->model;
    body->name = pmx_text(reader);
    body->name_en = pmx_text(reader);
    body->bone =
        pmx_reference(reader, model->layout.bone_index_size, model->bone_count, "body", item, "bone");
    model_reader_body(reader, body, item);
}

void model_reader_body(model_reader *reader, mmd_rigid_body *body, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    body->group = model_reader_choice(reader, mmd_read_u8(cursor), 15, "body", item, "group");
    body->mask = mmd_read_u16(cursor);
    body->shape = model_reader_choice(reader, mmd_read_u8(cursor), 2, "body", item, "shape");
    mmd_read_floats(cursor, body->size, 3);
    mmd_read_floats(cursor, body->position, 3);
    mmd_read_floats(cursor, body->rotation, 3);
    body->mass = mmd_read_f32(cursor);
    body->linear_damping = mmd_read_f32(cursor);
    body->angular_damping = mmd_read_f32(cursor);
    body->restitution = mmd_read_f32(cursor);
    body->friction = mmd_read_f32(cursor);
    body->mode = model_reader_choice(reader, mmd_read_u8(cursor), 2, "body", item, "mode");
}

void pmx_read_bodies(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_cursor_section(cursor, "body", -1);
    uint32_t count = mmd_cursor_count(cursor, 8 + 61 + (size_t)reader->model->layout.bone_index_size);
    mmd_rigid_body *bodies = model_reader_array(reader, count, sizeof *bodies);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "body", i);
        read_body(reader, &bodies[i], i);
    }
    reader->model->bodies = bodies;
    reader->model->body_count = mmd_cursor_ok(cursor) ? count : 0;
}

void model_reader_joint(model_reader *reader, mmd_joint *joint)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_read_floats(cursor, joint->position, 3);
    mmd_read_floats(cursor, joint->rotation, 3);
    mmd_read_floats(cursor, joint->linear_lower, 3);
    mmd_read_floats(cursor, joint->linear_upper, 3);
    mmd_read_floats(cursor, joint->angular_lower, 3);
    mmd_read_floats(cursor, joint->angular_upper, 3);
    mmd_read_floats(cursor, joint->linear_spring, 3);
    mmd_read_floats(cursor, joint->angular_spring, 3);
}

void pmx_read_joints(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_model *model = reader->model;
    mmd_cursor_section(cursor, "joint", -1);
    uint8_t size = model->layout.body_index_size;
    uint32_t count = mmd_cursor_count(cursor, 8 + 1 + 96 + 2 * (size_t)size);
    mmd_joint *joints = model_reader_array(reader, count, sizeof *joints);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "joint", i);
        joints[i].name = pmx_text(reader);
        joints[i].name_en = pmx_text(reader);
        joints[i].kind = model_reader_choice(reader, mmd_read_u8(cursor), 5, "joint", i, "kind");
        joints[i].body_a = pmx_reference(reader, size, model->body_count, "joint", i, "body A");
        joints[i].body_b = pmx_reference(reader, size, model->body_count, "joint", i, "body B");
        model_reader_joint(reader, &joints[i]);
    }
    model->joints = joints;
    model->joint_count = mmd_cursor_ok(cursor) ? count : 0;
}

static void read_anchors(model_reader *reader, mmd_soft_body *soft, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    const mmd_model *model = reader->model;
    const mmd_pmx_layout *layout = &model->layout;
    soft->anchor_count = mmd_cursor_count(cursor, 1u + layout->body_index_size + layout->vertex_index_size);
    mmd_soft_anchor *anchors = model_reader_array(reader, soft->anchor_count, sizeof *anchors);
    for (uint32_t i = 0; i < soft->anchor_count && mmd_cursor_ok(cursor); i++) {
        anchors[i].body = pmx_reference(reader, layout->body_index_size, model->body_count, "soft body", item,
                                        "anchor body");
        anchors[i].vertex = model_reader_reference(reader, pmx_vertex(reader), model->vertices.count,
                                                   "soft body", item, "anchor vertex");
        anchors[i].near_mode = mmd_read_u8(cursor);
    }
    soft->anchors = anchors;
}

static void read_pins(model_reader *reader, mmd_soft_body *soft, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    soft->pin_count = mmd_cursor_count(cursor, reader->model->layout.vertex_index_size);
    int32_t *pins = model_reader_array(reader, soft->pin_count, sizeof *pins);
    for (uint32_t i = 0; i < soft->pin_count && mmd_cursor_ok(cursor); i++)
        pins[i] = model_reader_reference(reader, pmx_vertex(reader), reader->model->vertices.count,
                                         "soft body", item, "pin");
    soft->pins = pins;
}

static void read_soft_body(model_reader *reader, mmd_soft_body *soft, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    const mmd_model *model = reader->model;
    soft->name = pmx_text(reader);
    soft->name_en = pmx_text(reader);
    soft->shape = model_reader_choice(reader, mmd_read_u8(cursor), 1, "soft body", item, "shape");
    soft->material = pmx_reference(reader, model->layout.material_index_size, model->material_count,
                                   "soft body", item, "material");
    soft->group = model_reader_choice(reader, mmd_read_u8(cursor), 15, "soft body", item, "group");
    soft->mask = mmd_read_u16(cursor);
    soft->flags = mmd_read_u8(cursor);
    soft->link_distance = mmd_read_i32(cursor);
    soft->cluster_count = mmd_read_i32(cursor);
    soft->mass = mmd_read_f32(cursor);
    soft->margin = mmd_read_f32(cursor);
    soft->aero_model = mmd_read_i32(cursor);
    mmd_read_floats(cursor, soft->config, 12);
    mmd_read_floats(cursor, soft->cluster, 6);
    for (int i = 0; i < 4; i++)
        soft->iterations[i] = mmd_read_i32(cursor);
    mmd_read_floats(cursor, soft->material_config, 3);
    read_anchors(reader, soft, item);
    read_pins(reader, soft, item);
}

void pmx_read_soft_bodies(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_cursor_section(cursor, "soft body", -1);
    /* Two texts, 5 bytes, a material, 5 numbers, 12 + 6 + 4 + 3 numbers, two counts. */
    uint32_t count =
        mmd_cursor_count(cursor, 8 + 5 + reader->model->layout.material_index_size + 20 + 100 + 8);
    mmd_soft_body *bodies = model_reader_array(reader, count, sizeof *bodies);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "soft body", i);
        read_soft_body(reader, &bodies[i], i);
    }
    reader->model->soft_bodies = bodies;
    reader->model->soft_body_count = mmd_cursor_ok(cursor) ? count : 0;
}
