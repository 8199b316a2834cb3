/* PMX vertices, surface and materials. Layout: MMD.md 1.1. */
#include "pmx_writer.h"

#include <assert.h>

static void write_deform(pmx_writer *writer, uint32_t i)
{
    const mmd_vertices *v = &writer->model->vertices;
    uint8_t size = writer->layout.bone_index_size;
    const int32_t *bone = v->bone[i];
    mmd_write_u8(writer->out, v->deform[i]);
    pmx_write_index(writer, bone[0], size);
    switch (v->deform[i]) {
    case MMD_DEFORM_BDEF1:
        break;
    case MMD_DEFORM_BDEF2:
    case MMD_DEFORM_SDEF:
        pmx_write_index(writer, bone[1], size);
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
            pmx_write_index(writer, bone[k], size);
        mmd_write_floats(writer->out, v->weight[i], 4);
        break;
    }
}

void pmx_write_vertices(pmx_writer *writer)
{
    const mmd_vertices *v = &writer->model->vertices;
    pmx_write_count(writer, v->count);
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

void pmx_write_surface(pmx_writer *writer)
{
    const mmd_model *model = writer->model;
    pmx_write_count(writer, model->index_count);
    for (uint32_t i = 0; i < model->index_count; i++)
        pmx_write_index(writer, (int32_t)model->indices[i], writer->layout.vertex_index_size);
}

static void write_material(pmx_writer *writer, const mmd_material *material)
{
    mmd_buffer *out = writer->out;
    uint8_t size = writer->layout.texture_index_size;
    pmx_write_text(writer, material->name);
    pmx_write_text(writer, material->name_en);
    mmd_write_floats(out, material->diffuse, 4);
    mmd_write_floats(out, material->specular, 3);
    mmd_write_f32(out, material->specular_power);
    mmd_write_floats(out, material->ambient, 3);
    mmd_write_u8(out, material->flags);
    mmd_write_floats(out, material->edge_color, 4);
    mmd_write_f32(out, material->edge_size);
    pmx_write_index(writer, material->texture, size);
    pmx_write_index(writer, material->sphere, size);
    mmd_write_u8(out, material->sphere_mode);
    mmd_write_u8(out, material->shared_toon);
    pmx_write_index(writer, material->toon, material->shared_toon ? 1 : size);
    pmx_write_text(writer, material->memo);
    pmx_write_count(writer, material->index_count);
}

void pmx_write_materials(pmx_writer *writer)
{
    pmx_write_count(writer, writer->model->material_count);
    for (uint32_t i = 0; i < writer->model->material_count; i++)
        write_material(writer, &writer->model->materials[i]);
}
