/* PMX rigid bodies, joints and soft bodies. Layout: MMD.md 1.1. */
#include "pmx_writer.h"

static void write_body(pmx_writer *writer, const mmd_rigid_body *body)
{
    mmd_buffer *out = writer->out;
    pmx_write_text(writer, body->name);
    pmx_write_text(writer, body->name_en);
    pmx_write_index(writer, body->bone, writer->layout.bone_index_size);
    mmd_write_u8(out, body->group);
    mmd_write_u16(out, body->mask);
    mmd_write_u8(out, body->shape);
    mmd_write_floats(out, body->size, 3);
    mmd_write_floats(out, body->position, 3);
    mmd_write_floats(out, body->rotation, 3);
    mmd_write_f32(out, body->mass);
    mmd_write_f32(out, body->linear_damping);
    mmd_write_f32(out, body->angular_damping);
    mmd_write_f32(out, body->restitution);
    mmd_write_f32(out, body->friction);
    mmd_write_u8(out, body->mode);
}

void pmx_write_bodies(pmx_writer *writer)
{
    pmx_write_count(writer, writer->model->body_count);
    for (uint32_t i = 0; i < writer->model->body_count; i++)
        write_body(writer, &writer->model->bodies[i]);
}

static void write_joint(pmx_writer *writer, const mmd_joint *joint)
{
    mmd_buffer *out = writer->out;
    uint8_t size = writer->layout.body_index_size;
    pmx_write_text(writer, joint->name);
    pmx_write_text(writer, joint->name_en);
    mmd_write_u8(out, joint->kind);
    pmx_write_index(writer, joint->body_a, size);
    pmx_write_index(writer, joint->body_b, size);
    mmd_write_floats(out, joint->position, 3);
    mmd_write_floats(out, joint->rotation, 3);
    mmd_write_floats(out, joint->linear_lower, 3);
    mmd_write_floats(out, joint->linear_upper, 3);
    mmd_write_floats(out, joint->angular_lower, 3);
    mmd_write_floats(out, joint->angular_upper, 3);
    mmd_write_floats(out, joint->linear_spring, 3);
    mmd_write_floats(out, joint->angular_spring, 3);
}

void pmx_write_joints(pmx_writer *writer)
{
    pmx_write_count(writer, writer->model->joint_count);
    for (uint32_t i = 0; i < writer->model->joint_count; i++)
        write_joint(writer, &writer->model->joints[i]);
}

static void write_anchors_and_pins(pmx_writer *writer, const mmd_soft_body *soft)
{
    const mmd_pmx_layout *layout = &writer->layout;
    pmx_write_count(writer, soft->anchor_count);
    for (uint32_t i = 0; i < soft->anchor_count; i++) {
        pmx_write_index(writer, soft->anchors[i].body, layout->body_index_size);
        pmx_write_index(writer, soft->anchors[i].vertex, layout->vertex_index_size);
        mmd_write_u8(writer->out, soft->anchors[i].near_mode);
    }
    pmx_write_count(writer, soft->pin_count);
    for (uint32_t i = 0; i < soft->pin_count; i++)
        pmx_write_index(writer, soft->pins[i], layout->vertex_index_size);
}

static void write_soft_body(pmx_writer *writer, const mmd_soft_body *soft)
{
    mmd_buffer *out = writer->out;
    pmx_write_text(writer, soft->name);
    pmx_write_text(writer, soft->name_en);
    mmd_write_u8(out, soft->shape);
    pmx_write_index(writer, soft->material, writer->layout.material_index_size);
    mmd_write_u8(out, soft->group);
    mmd_write_u16(out, soft->mask);
    mmd_write_u8(out, soft->flags);
    mmd_write_i32(out, soft->link_distance);
    mmd_write_i32(out, soft->cluster_count);
    mmd_write_f32(out, soft->mass);
    mmd_write_f32(out, soft->margin);
    mmd_write_i32(out, soft->aero_model);
    mmd_write_floats(out, soft->config, 12);
    mmd_write_floats(out, soft->cluster, 6);
    for (int i = 0; i < 4; i++)
        mmd_write_i32(out, soft->iterations[i]);
    mmd_write_floats(out, soft->material_config, 3);
    write_anchors_and_pins(writer, soft);
}

void pmx_write_soft_bodies(pmx_writer *writer)
{
    pmx_write_count(writer, writer->model->soft_body_count);
    for (uint32_t i = 0; i < writer->model->soft_body_count; i++)
        write_soft_body(writer, &writer->model->soft_bodies[i]);
}
