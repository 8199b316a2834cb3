/* A model's shadow on the ground (docs/mmd.md 6.8): its triangles, projected onto y = 0 along the light, in
 * one colour. The stencil buffer prevents darkening a pixel twice in a frame. */
#include <assert.h>

#include "render_internal.h"

/* In MMD, a material whose edge colour has alpha 0 has no ground shadow either (powroupi/blender_mmd_tools,
 * issue 109). Points have none. */
bool ground_shadow_shows(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m)
{
    return (mesh->model->materials[m].flags & MMD_MATERIAL_GROUND_SHADOW) &&
           mesh->ranges[m].mode != GL_POINTS && material_is_visible(mesh, desc, m) &&
           (desc->materials[m].edge_color[3] >= ALPHA_THRESHOLD || mesh->model->origin == MMD_ORIGIN_X);
}

static bool same_shadow(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t first,
                        uint32_t next)
{
    (void)first;
    return ground_shadow_shows(mesh, desc, next) && !material_has_holes(mesh, next);
}

/* The polygon offset lifts the shadow above a floor in the same plane. */
static void set_state(const mmd_renderer *renderer, bool blend)
{
    const GLuint bits = renderer->scene.hosted ? renderer->scene.stencil_bits : 0xff;
    mmd_gpu_switch(renderer->gpu, GL_CULL_FACE, false);
    mmd_gpu_switch(renderer->gpu, GL_BLEND, blend);
    mmd_gpu_switch(renderer->gpu, GL_STENCIL_TEST, bits != 0);
    mmd_gpu_stencil(renderer->gpu, GL_NOTEQUAL, bits, GL_REPLACE);
    mmd_gpu_write_stencil(renderer->gpu, bits);
    renderer_set_polygon_offset(renderer, -1.0f, -4.0f);
}

static void restore_state(const mmd_renderer *renderer)
{
    mmd_gpu_switch(renderer->gpu, GL_STENCIL_TEST, false);
    mmd_gpu_switch(renderer->gpu, GL_POLYGON_OFFSET_FILL, false);
    mmd_gpu_bind_array(renderer->gpu, 0);
}

static bool alike_shadows(const mmd_render_mesh *mesh, const mmd_render_model_desc *a,
                          const mmd_render_model_desc *b)
{
    bool alike = a->opacity == b->opacity;
    for (uint32_t m = 0; alike && m < mesh->model->material_count; m++)
        alike = ground_shadow_shows(mesh, a, m) == ground_shadow_shows(mesh, b, m);
    return alike;
}

/* Draws the shadows of `count` equal members. */
static mmd_status draw_shadows(const draw_subject *subject, uint32_t first, uint32_t count,
                               const float rgba[4], mmd_error *error)
{
    const mmd_render_mesh *mesh = subject->mesh;
    const mmd_render_model_desc *desc = subject->descs[first];
    mmd_renderer *renderer = mesh->renderer;
    for (uint32_t m = 0; m < mesh->model->material_count; m++) {
        if (!ground_shadow_shows(mesh, desc, m))
            continue;
        bool holes = material_has_holes(mesh, m);
        const bool lines = mesh->ranges[m].mode == GL_LINES;
        uint32_t features = FLAT_GROUND | (holes ? FLAT_TEXTURE : 0u) | (subject->crowd ? FLAT_CROWD : 0u) |
                            (lines ? FLAT_LINES : 0u);
        const flat_program *program;
        mmd_status status = renderer_projected_program(renderer, features, &program, error);
        if (status != MMD_OK)
            return status;
        float alpha = rgba[3] * desc->opacity;
        set_state(renderer, holes || alpha < 1.0f);
        mmd_gpu_use_program(renderer->gpu, program->id);
        if (subject->crowd)
            crowd_select(subject->crowd, program->crowd, first);
        glUniformMatrix4fv(program->matrix, 1, GL_FALSE, renderer->ground_matrix);
        glUniform4f(program->color, rgba[0], rgba[1], rgba[2], alpha);
        if (lines)
            draw_set_line_reach(renderer, program->line_reach);
        if (holes) {
            glUniform1f(program->cutoff, material_cutoff(mesh, m));
            mmd_gpu_bind_texture(renderer->gpu, UNIT_TEXTURE, mesh->textures[m].texture.id,
                                 renderer->repeat_sampler);
        }
        draw_range range = holes ? mesh->ranges[m] : draw_run(mesh, desc, same_shadow, &m);
        draw_members(subject, &range, count);
    }
    return MMD_OK;
}

static mmd_status draw_all_shadows(const draw_subject *subject, const float rgba[4], mmd_error *error)
{
    mmd_renderer *renderer = subject->mesh->renderer;
    mmd_status status = MMD_OK;
    if (!renderer->has_ground)
        return MMD_OK;
    renderer_pass_begin(renderer, MMD_PASS_GROUND_SHADOW);
    draw_bind_subject(subject);
    for (uint32_t i = subject->first, count; i < subject->first + subject->count && status == MMD_OK;
         i += count) {
        count = draw_alike(subject, i, alike_shadows);
        status = draw_shadows(subject, i, count, rgba, error);
    }
    restore_state(renderer);
    renderer_pass_end(renderer, MMD_PASS_GROUND_SHADOW);
    return status;
}

mmd_status mmd_render_ground_shadow(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                                    const float rgba[4], mmd_error *error)
{
    assert(instance && instance->mesh && desc && rgba);
    if (!instance->skinned)
        return MMD_OK;
    const draw_subject subject = draw_instance(instance, &desc);
    return draw_all_shadows(&subject, rgba, error);
}

mmd_status mmd_render_crowd_ground_shadows(mmd_render_crowd *crowd, const mmd_render_model_desc *const *descs,
                                           size_t first, size_t count, const float rgba[4], mmd_error *error)
{
    assert(crowd && descs && rgba && crowd->skinned && first + count <= crowd->count);
    const draw_subject subject = draw_crowd(crowd, descs, first, count);
    return draw_all_shadows(&subject, rgba, error);
}

bool mmd_render_ground_shadow_has_holes(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc)
{
    assert(mesh && desc);
    for (uint32_t m = 0; m < mesh->model->material_count; m++)
        if (ground_shadow_shows(mesh, desc, m) && material_has_holes(mesh, m))
            return true;
    return false;
}
