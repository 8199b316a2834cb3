/* PMX bones, morphs and display frames. Layout: MMD.md 1.1. */
#include "pmx_writer.h"

static void write_ik(pmx_writer *writer, const mmd_bone *bone)
{
    mmd_buffer *out = writer->out;
    uint8_t size = writer->layout.bone_index_size;
    pmx_write_index(writer, bone->ik_target, size);
    mmd_write_i32(out, bone->ik_loops);
    mmd_write_f32(out, bone->ik_limit);
    pmx_write_count(writer, bone->ik_link_count);
    for (uint32_t i = 0; i < bone->ik_link_count; i++) {
        const mmd_ik_link *link = &bone->ik_links[i];
        pmx_write_index(writer, link->bone, size);
        mmd_write_u8(out, link->has_limit);
        if (!link->has_limit)
            continue;
        mmd_write_floats(out, link->lower, 3);
        mmd_write_floats(out, link->upper, 3);
    }
}

static void write_bone(pmx_writer *writer, const mmd_bone *bone)
{
    mmd_buffer *out = writer->out;
    uint8_t size = writer->layout.bone_index_size;
    pmx_write_text(writer, bone->name);
    pmx_write_text(writer, bone->name_en);
    mmd_write_floats(out, bone->position, 3);
    pmx_write_index(writer, bone->parent, size);
    mmd_write_i32(out, bone->layer);
    mmd_write_u16(out, bone->flags);
    if (bone->flags & MMD_BONE_TAIL_IS_BONE)
        pmx_write_index(writer, bone->tail_bone, size);
    else
        mmd_write_floats(out, bone->tail_offset, 3);
    if (bone->flags & (MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION)) {
        pmx_write_index(writer, bone->append_source, size);
        mmd_write_f32(out, bone->append_ratio);
    }
    if (bone->flags & MMD_BONE_FIXED_AXIS)
        mmd_write_floats(out, bone->fixed_axis, 3);
    if (bone->flags & MMD_BONE_LOCAL_AXIS) {
        mmd_write_floats(out, bone->local_x, 3);
        mmd_write_floats(out, bone->local_z, 3);
    }
    if (bone->flags & MMD_BONE_EXTERNAL_PARENT)
        mmd_write_i32(out, bone->external_key);
    if (bone->flags & MMD_BONE_IK)
        write_ik(writer, bone);
}

void pmx_write_bones(pmx_writer *writer)
{
    pmx_write_count(writer, writer->model->bone_count);
    for (uint32_t i = 0; i < writer->model->bone_count; i++)
        write_bone(writer, &writer->model->bones[i]);
}

static void write_group_offset(pmx_writer *writer, const mmd_group_offset *offset)
{
    pmx_write_index(writer, offset->morph, writer->layout.morph_index_size);
    mmd_write_f32(writer->out, offset->ratio);
}

static void write_vertex_offset(pmx_writer *writer, const mmd_vertex_offset *offset)
{
    pmx_write_index(writer, offset->vertex, writer->layout.vertex_index_size);
    mmd_write_floats(writer->out, offset->offset, 3);
}

static void write_bone_offset(pmx_writer *writer, const mmd_bone_offset *offset)
{
    pmx_write_index(writer, offset->bone, writer->layout.bone_index_size);
    mmd_write_floats(writer->out, offset->translation, 3);
    mmd_write_floats(writer->out, offset->rotation, 4);
}

static void write_uv_offset(pmx_writer *writer, const mmd_uv_offset *offset)
{
    pmx_write_index(writer, offset->vertex, writer->layout.vertex_index_size);
    mmd_write_floats(writer->out, offset->offset, 4);
}

static void write_material_offset(pmx_writer *writer, const mmd_material_offset *offset)
{
    const mmd_material_values *values = &offset->values;
    pmx_write_index(writer, offset->material, writer->layout.material_index_size);
    mmd_write_u8(writer->out, offset->operation);
    mmd_write_floats(writer->out, values->diffuse, 4);
    mmd_write_floats(writer->out, values->specular, 3);
    mmd_write_f32(writer->out, values->specular_power);
    mmd_write_floats(writer->out, values->ambient, 3);
    mmd_write_floats(writer->out, values->edge_color, 4);
    mmd_write_f32(writer->out, values->edge_size);
    mmd_write_floats(writer->out, values->texture_factor, 4);
    mmd_write_floats(writer->out, values->sphere_factor, 4);
    mmd_write_floats(writer->out, values->toon_factor, 4);
}

static void write_impulse_offset(pmx_writer *writer, const mmd_impulse_offset *offset)
{
    pmx_write_index(writer, offset->body, writer->layout.body_index_size);
    mmd_write_u8(writer->out, offset->local);
    mmd_write_floats(writer->out, offset->velocity, 3);
    mmd_write_floats(writer->out, offset->torque, 3);
}

static void write_offset(pmx_writer *writer, const mmd_morph *morph, uint32_t i)
{
    switch (morph->kind) {
    case MMD_MORPH_GROUP:
    case MMD_MORPH_FLIP:
        write_group_offset(writer, &morph->offsets.group[i]);
        break;
    case MMD_MORPH_VERTEX:
        write_vertex_offset(writer, &morph->offsets.vertex[i]);
        break;
    case MMD_MORPH_BONE:
        write_bone_offset(writer, &morph->offsets.bone[i]);
        break;
    case MMD_MORPH_MATERIAL:
        write_material_offset(writer, &morph->offsets.material[i]);
        break;
    case MMD_MORPH_IMPULSE:
        write_impulse_offset(writer, &morph->offsets.impulse[i]);
        break;
    default:
        write_uv_offset(writer, &morph->offsets.uv[i]);
        break;
    }
}

void pmx_write_morphs(pmx_writer *writer)
{
    pmx_write_count(writer, writer->model->morph_count);
    for (uint32_t i = 0; i < writer->model->morph_count; i++) {
        const mmd_morph *morph = &writer->model->morphs[i];
        pmx_write_text(writer, morph->name);
        pmx_write_text(writer, morph->name_en);
        mmd_write_u8(writer->out, morph->panel);
        mmd_write_u8(writer->out, morph->kind);
        pmx_write_count(writer, morph->count);
        for (uint32_t k = 0; k < morph->count; k++)
            write_offset(writer, morph, k);
    }
}

void pmx_write_frames(pmx_writer *writer)
{
    pmx_write_count(writer, writer->model->frame_count);
    for (uint32_t i = 0; i < writer->model->frame_count; i++) {
        const mmd_display_frame *frame = &writer->model->frames[i];
        pmx_write_text(writer, frame->name);
        pmx_write_text(writer, frame->name_en);
        mmd_write_u8(writer->out, frame->special);
        pmx_write_count(writer, frame->count);
        for (uint32_t k = 0; k < frame->count; k++) {
            const mmd_frame_item *item = &frame->items[k];
            mmd_write_u8(writer->out, item->kind);
            pmx_write_index(writer, item->index,
                            item->kind ? writer->layout.morph_index_size : writer->layout.bone_index_size);
        }
    }
}
