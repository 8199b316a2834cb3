/* Writes PMX 2.0 and 2.1. Layout: docs/mmd.md 1.1. */
#include "mmd/format.h"
#include "mmd/cursor.h"
#include "mmd/text.h"

#include <assert.h>
#include <string.h>

typedef struct pmx_writer {
    const mmd_model *model;
    mmd_buffer *out;
    mmd_pmx_layout layout; /* layout of the written file */
    bool version_2_1;
    uint8_t *text; /* scratch memory for encoded texts */
    size_t text_capacity;
} pmx_writer;

static void write_count(pmx_writer *writer, uint32_t count)
{
    assert(count <= INT32_MAX);
    mmd_write_u32(writer->out, count);
}

static void write_text(pmx_writer *writer, const char *text)
{
    assert(text);
    size_t length = strlen(text);
    /* No encoding needs more than twice the bytes of UTF-8. */
    if (writer->text_capacity < 2 * length) {
        uint8_t *grown = mmd_realloc(writer->text, 2 * length);
        if (!grown) {
            writer->out->failed = true;
            return;
        }
        writer->text = grown;
        writer->text_capacity = 2 * length;
    }
    size_t size = writer->layout.encoding
                      ? mmd_file_from_utf8(text, length, writer->text, writer->text_capacity)
                      : mmd_utf16le_from_utf8(text, length, writer->text, writer->text_capacity);
    assert(size <= writer->text_capacity);
    write_count(writer, (uint32_t)size);
    mmd_write_bytes(writer->out, writer->text, size);
}

static void write_index(pmx_writer *writer, int32_t index, uint8_t size)
{
    uint32_t bits = (uint32_t)index;
    mmd_write_bytes(
        writer->out,
        (uint8_t[4]){(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24)},
        size);
}

/* ---- the layout of the file ---- */

/* Returns the file's index size if count items fit, otherwise the smallest size in which they fit. limit1 and
 * limit2 are the numbers of items that fit into 1 and 2 bytes. */
static uint8_t index_size(uint8_t wanted, uint32_t count, uint32_t limit1, uint32_t limit2)
{
    uint8_t needed = count <= limit1 ? 1 : count <= limit2 ? 2 : 4;
    bool known = wanted == 1 || wanted == 2 || wanted == 4;
    return known && wanted > needed ? wanted : needed;
}

static uint8_t signed_size(uint8_t wanted, uint32_t count)
{
    return index_size(wanted, count, 128, 32768);
}

/* Returns the size of vertex indices. New files do not use the highest value, like PMX Editor; files that use
 * it keep their size. */
static uint8_t vertex_size(uint8_t wanted, uint32_t count)
{
    if ((wanted == 1 && count <= 256) || (wanted == 2 && count <= 65536))
        return wanted;
    return index_size(wanted, count, 255, 65535);
}

static mmd_pmx_layout choose_layout(const mmd_model *model)
{
    mmd_pmx_layout layout = model->layout;
    layout.vertex_index_size = vertex_size(layout.vertex_index_size, model->vertices.count);
    layout.texture_index_size = signed_size(layout.texture_index_size, model->texture_count);
    layout.material_index_size = signed_size(layout.material_index_size, model->material_count);
    layout.bone_index_size = signed_size(layout.bone_index_size, model->bone_count);
    layout.morph_index_size = signed_size(layout.morph_index_size, model->morph_count);
    layout.body_index_size = signed_size(layout.body_index_size, model->body_count);
    if (layout.globals_count < 8)
        layout.globals_count = 8;
    return layout;
}

/* Test for features of version 2.1 other than soft bodies (docs/mmd.md 1.1). */
static bool has_2_1_morph(const mmd_model *model)
{
    for (uint32_t i = 0; i < model->morph_count; i++)
        if (model->morphs[i].kind == MMD_MORPH_FLIP || model->morphs[i].kind == MMD_MORPH_IMPULSE)
            return true;
    return false;
}

static bool has_2_1_joint(const mmd_model *model)
{
    for (uint32_t i = 0; i < model->joint_count; i++)
        if (model->joints[i].kind != 0)
            return true;
    return false;
}

static bool has_2_1_material(const mmd_model *model)
{
    const uint8_t newer = MMD_MATERIAL_VERTEX_COLOR | MMD_MATERIAL_POINTS | MMD_MATERIAL_LINES;
    for (uint32_t i = 0; i < model->material_count; i++)
        if (model->materials[i].flags & newer)
            return true;
    return false;
}

static bool has_2_1_vertex(const mmd_model *model)
{
    const mmd_vertices *vertices = &model->vertices;
    return vertices->count && memchr(vertices->deform, MMD_DEFORM_QDEF, vertices->count);
}

/* Tests whether version 2.1 is needed. Files of version 2.0 with features of 2.1 exist and are written back
 * as they were, except that a 2.0 file has no section for soft bodies. */
static bool is_2_1(const mmd_model *model)
{
    bool pmx = model->origin != MMD_ORIGIN_X; /* .x files have other version numbers */
    if ((pmx && model->version > 2.05f) || model->soft_body_count > 0)
        return true;
    if (model->origin == MMD_ORIGIN_PMX)
        return false;
    return has_2_1_morph(model) || has_2_1_joint(model) || has_2_1_material(model) || has_2_1_vertex(model);
}

static void write_header(pmx_writer *writer)
{
    const mmd_model *model = writer->model;
    const mmd_pmx_layout *layout = &writer->layout;
    mmd_write_bytes(writer->out, layout->hard_space ? "PMX\xa0" : "PMX ", 4);
    mmd_write_f32(writer->out, writer->version_2_1 ? 2.1f : 2.0f);
    mmd_write_u8(writer->out, layout->globals_count);
    const uint8_t globals[8] = {
        layout->encoding,
        (uint8_t)model->vertices.additional_uv_count,
        layout->vertex_index_size,
        layout->texture_index_size,
        layout->material_index_size,
        layout->bone_index_size,
        layout->morph_index_size,
        layout->body_index_size,
    };
    mmd_write_bytes(writer->out, globals, sizeof globals);
    mmd_write_bytes(writer->out, layout->extra_globals, layout->globals_count - 8u);
    write_text(writer, model->name);
    write_text(writer, model->name_en);
    write_text(writer, model->comment);
    write_text(writer, model->comment_en);
}

/* ---- vertices, surface, textures, materials ---- */

static void write_deform(pmx_writer *writer, uint32_t i)
{
    const mmd_vertices *v = &writer->model->vertices;
    uint8_t size = writer->layout.bone_index_size;
    const int32_t *bone = v->bone[i];
    mmd_write_u8(writer->out, v->deform[i]);
    write_index(writer, bone[0], size);
    switch (v->deform[i]) {
    case MMD_DEFORM_BDEF1:
        break;
    case MMD_DEFORM_BDEF2:
    case MMD_DEFORM_SDEF:
        write_index(writer, bone[1], size);
        mmd_write_f32(writer->out, v->weight[i][0]);
        if (v->deform[i] == MMD_DEFORM_SDEF) {
            const mmd_sdef *sdef = &v->sdef[v->sdef_index[i]];
            mmd_write_floats(writer->out, sdef->c, 3);
            mmd_write_floats(writer->out, sdef->r0, 3);
            mmd_write_floats(writer->out, sdef->r1, 3);
        }
        break;
    default:
        assert(v->deform[i] == MMD_DEFORM_BDEF4 || v->deform[i] == MMD_DEFORM_QDEF);
        for (int k = 1; k < 4; k++)
            write_index(writer, bone[k], size);
        mmd_write_floats(writer->out, v->weight[i], 4);
        break;
    }
}

static void write_vertices(pmx_writer *writer)
{
    const mmd_vertices *v = &writer->model->vertices;
    write_count(writer, v->count);
    for (uint32_t i = 0; i < v->count; i++) {
        mmd_write_floats(writer->out, v->position[i], 3);
        mmd_write_floats(writer->out, v->normal[i], 3);
        mmd_write_floats(writer->out, v->uv[i], 2);
        for (uint32_t k = 0; k < v->additional_uv_count; k++)
            mmd_write_floats(writer->out, v->additional_uv[k][i], 4);
        write_deform(writer, i);
        mmd_write_f32(writer->out, v->edge_scale[i]);
    }
}

static void write_surface(pmx_writer *writer)
{
    const mmd_model *model = writer->model;
    write_count(writer, model->index_count);
    for (uint32_t i = 0; i < model->index_count; i++)
        write_index(writer, (int32_t)model->indices[i], writer->layout.vertex_index_size);
}

static void write_material(pmx_writer *writer, const mmd_material *material)
{
    mmd_buffer *out = writer->out;
    uint8_t size = writer->layout.texture_index_size;
    write_text(writer, material->name);
    write_text(writer, material->name_en);
    mmd_write_floats(out, material->diffuse, 4);
    mmd_write_floats(out, material->specular, 3);
    mmd_write_f32(out, material->specular_power);
    mmd_write_floats(out, material->ambient, 3);
    mmd_write_u8(out, material->flags);
    mmd_write_floats(out, material->edge_color, 4);
    mmd_write_f32(out, material->edge_size);
    write_index(writer, material->texture, size);
    write_index(writer, material->sphere, size);
    mmd_write_u8(out, material->sphere_mode);
    mmd_write_u8(out, material->shared_toon);
    write_index(writer, material->toon, material->shared_toon ? 1 : size);
    write_text(writer, material->memo);
    write_count(writer, material->index_count);
}

static void write_materials(pmx_writer *writer)
{
    write_count(writer, writer->model->material_count);
    for (uint32_t i = 0; i < writer->model->material_count; i++)
        write_material(writer, &writer->model->materials[i]);
}

static void write_textures(pmx_writer *writer)
{
    write_count(writer, writer->model->texture_count);
    for (uint32_t i = 0; i < writer->model->texture_count; i++)
        write_text(writer, writer->model->textures[i]);
}

/* ---- bones, morphs, display frames ---- */

static void write_ik(pmx_writer *writer, const mmd_bone *bone)
{
    mmd_buffer *out = writer->out;
    uint8_t size = writer->layout.bone_index_size;
    write_index(writer, bone->ik_target, size);
    mmd_write_i32(out, bone->ik_loops);
    mmd_write_f32(out, bone->ik_limit);
    write_count(writer, bone->ik_link_count);
    for (uint32_t i = 0; i < bone->ik_link_count; i++) {
        const mmd_ik_link *link = &bone->ik_links[i];
        write_index(writer, link->bone, size);
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
    write_text(writer, bone->name);
    write_text(writer, bone->name_en);
    mmd_write_floats(out, bone->position, 3);
    write_index(writer, bone->parent, size);
    mmd_write_i32(out, bone->layer);
    mmd_write_u16(out, bone->flags);
    if (bone->flags & MMD_BONE_TAIL_IS_BONE)
        write_index(writer, bone->tail_bone, size);
    else
        mmd_write_floats(out, bone->tail_offset, 3);
    if (bone->flags & (MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION)) {
        write_index(writer, bone->append_source, size);
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

static void write_bones(pmx_writer *writer)
{
    write_count(writer, writer->model->bone_count);
    for (uint32_t i = 0; i < writer->model->bone_count; i++)
        write_bone(writer, &writer->model->bones[i]);
}

static void write_group_offset(pmx_writer *writer, const mmd_group_offset *offset)
{
    write_index(writer, offset->morph, writer->layout.morph_index_size);
    mmd_write_f32(writer->out, offset->ratio);
}

static void write_vertex_offset(pmx_writer *writer, const mmd_vertex_offset *offset)
{
    write_index(writer, offset->vertex, writer->layout.vertex_index_size);
    mmd_write_floats(writer->out, offset->offset, 3);
}

static void write_bone_offset(pmx_writer *writer, const mmd_bone_offset *offset)
{
    write_index(writer, offset->bone, writer->layout.bone_index_size);
    mmd_write_floats(writer->out, offset->translation, 3);
    mmd_write_floats(writer->out, offset->rotation, 4);
}

static void write_uv_offset(pmx_writer *writer, const mmd_uv_offset *offset)
{
    write_index(writer, offset->vertex, writer->layout.vertex_index_size);
    mmd_write_floats(writer->out, offset->offset, 4);
}

static void write_material_offset(pmx_writer *writer, const mmd_material_offset *offset)
{
    const mmd_material_values *values = &offset->values;
    write_index(writer, offset->material, writer->layout.material_index_size);
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
    write_index(writer, offset->body, writer->layout.body_index_size);
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

static void write_morphs(pmx_writer *writer)
{
    write_count(writer, writer->model->morph_count);
    for (uint32_t i = 0; i < writer->model->morph_count; i++) {
        const mmd_morph *morph = &writer->model->morphs[i];
        write_text(writer, morph->name);
        write_text(writer, morph->name_en);
        mmd_write_u8(writer->out, morph->panel);
        mmd_write_u8(writer->out, morph->kind);
        write_count(writer, morph->count);
        for (uint32_t k = 0; k < morph->count; k++)
            write_offset(writer, morph, k);
    }
}

static void write_frames(pmx_writer *writer)
{
    write_count(writer, writer->model->frame_count);
    for (uint32_t i = 0; i < writer->model->frame_count; i++) {
        const mmd_display_frame *frame = &writer->model->frames[i];
        write_text(writer, frame->name);
        write_text(writer, frame->name_en);
        mmd_write_u8(writer->out, frame->special);
        write_count(writer, frame->count);
        for (uint32_t k = 0; k < frame->count; k++) {
            const mmd_frame_item *item = &frame->items[k];
            mmd_write_u8(writer->out, item->kind);
            write_index(writer, item->index,
                        item->kind ? writer->layout.morph_index_size : writer->layout.bone_index_size);
        }
    }
}

/* ---- rigid bodies, joints, soft bodies ---- */

static void write_body(pmx_writer *writer, const mmd_rigid_body *body)
{
    mmd_buffer *out = writer->out;
    write_text(writer, body->name);
    write_text(writer, body->name_en);
    write_index(writer, body->bone, writer->layout.bone_index_size);
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

static void write_bodies(pmx_writer *writer)
{
    write_count(writer, writer->model->body_count);
    for (uint32_t i = 0; i < writer->model->body_count; i++)
        write_body(writer, &writer->model->bodies[i]);
}

static void write_joint(pmx_writer *writer, const mmd_joint *joint)
{
    mmd_buffer *out = writer->out;
    uint8_t size = writer->layout.body_index_size;
    write_text(writer, joint->name);
    write_text(writer, joint->name_en);
    mmd_write_u8(out, joint->kind);
    write_index(writer, joint->body_a, size);
    write_index(writer, joint->body_b, size);
    mmd_write_floats(out, joint->position, 3);
    mmd_write_floats(out, joint->rotation, 3);
    mmd_write_floats(out, joint->linear_lower, 3);
    mmd_write_floats(out, joint->linear_upper, 3);
    mmd_write_floats(out, joint->angular_lower, 3);
    mmd_write_floats(out, joint->angular_upper, 3);
    mmd_write_floats(out, joint->linear_spring, 3);
    mmd_write_floats(out, joint->angular_spring, 3);
}

static void write_joints(pmx_writer *writer)
{
    write_count(writer, writer->model->joint_count);
    for (uint32_t i = 0; i < writer->model->joint_count; i++)
        write_joint(writer, &writer->model->joints[i]);
}

static void write_anchors_and_pins(pmx_writer *writer, const mmd_soft_body *soft)
{
    const mmd_pmx_layout *layout = &writer->layout;
    write_count(writer, soft->anchor_count);
    for (uint32_t i = 0; i < soft->anchor_count; i++) {
        write_index(writer, soft->anchors[i].body, layout->body_index_size);
        write_index(writer, soft->anchors[i].vertex, layout->vertex_index_size);
        mmd_write_u8(writer->out, soft->anchors[i].near_mode);
    }
    write_count(writer, soft->pin_count);
    for (uint32_t i = 0; i < soft->pin_count; i++)
        write_index(writer, soft->pins[i], layout->vertex_index_size);
}

static void write_soft_body(pmx_writer *writer, const mmd_soft_body *soft)
{
    mmd_buffer *out = writer->out;
    write_text(writer, soft->name);
    write_text(writer, soft->name_en);
    mmd_write_u8(out, soft->shape);
    write_index(writer, soft->material, writer->layout.material_index_size);
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

static void write_soft_bodies(pmx_writer *writer)
{
    write_count(writer, writer->model->soft_body_count);
    for (uint32_t i = 0; i < writer->model->soft_body_count; i++)
        write_soft_body(writer, &writer->model->soft_bodies[i]);
}

/* ---- the whole file ---- */

mmd_status mmd_pmx_write(const mmd_model *model, mmd_buffer *out, mmd_error *error)
{
    assert(model && out && model->vertices.additional_uv_count <= 4);
    pmx_writer writer = {
        .model = model, .out = out, .layout = choose_layout(model), .version_2_1 = is_2_1(model)};
    write_header(&writer);
    write_vertices(&writer);
    write_surface(&writer);
    write_textures(&writer);
    write_materials(&writer);
    write_bones(&writer);
    write_morphs(&writer);
    write_frames(&writer);
    write_bodies(&writer);
    write_joints(&writer);
    if (writer.version_2_1 && (model->soft_body_count > 0 || !model->layout.no_soft_bodies))
        write_soft_bodies(&writer);
    mmd_write_bytes(out, model->layout.trailing, model->layout.trailing_size);
    mmd_free(writer.text);
    if (out->failed)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for the PMX file");
    return MMD_OK;
}
