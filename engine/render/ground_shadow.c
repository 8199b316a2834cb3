/* A model's shadow on the ground (docs/mmd.md 6.8): the hull that draws its edges, projected along the light,
 * in one colour. The stencil buffer prevents darkening a pixel twice in a frame. */
#include <assert.h>

#include "render_internal.h"

/* Alpha of transparent shadows: of models MMD reads it from a texture. */
#define MODEL_ALPHA     (166.0f / 255.0f)
#define ACCESSORY_ALPHA 0.7f

static bool is_accessory(const mmd_render_mesh *mesh)
{
    return mesh->model->origin == MMD_ORIGIN_X;
}

bool ground_shadow_shows(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m)
{
    return (mesh->model->materials[m].flags & MMD_MATERIAL_GROUND_SHADOW) &&
           material_throws_shadow(mesh, desc, m);
}

/* Returns the alpha of a transparent shadow without the model's opacity. */
static float shadow_alpha(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m)
{
    return is_accessory(mesh) ? ACCESSORY_ALPHA : MODEL_ALPHA * desc->materials[m].edge_color[3];
}

static bool same_shadow(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t first,
                        uint32_t next)
{
    return ground_shadow_shows(mesh, desc, next) &&
           desc->materials[first].edge_size == desc->materials[next].edge_size &&
           shadow_alpha(mesh, desc, first) == shadow_alpha(mesh, desc, next);
}

static bool alike_shadows(const mmd_render_mesh *mesh, const mmd_render_model_desc *a,
                          const mmd_render_model_desc *b)
{
    bool alike = a->opacity == b->opacity;
    for (uint32_t m = 0; alike && m < mesh->model->material_count; m++)
        alike = ground_shadow_shows(mesh, a, m) == ground_shadow_shows(mesh, b, m) &&
                a->materials[m].edge_size == b->materials[m].edge_size &&
                shadow_alpha(mesh, a, m) == shadow_alpha(mesh, b, m);
    return alike;
}

static void set_state(const mmd_renderer *renderer)
{
    const GLuint bits = renderer->scene.hosted ? renderer->scene.stencil_bits : 0xff;
    mmd_gpu_switch(renderer->gpu, GL_CULL_FACE, false);
    mmd_gpu_switch(renderer->gpu, GL_STENCIL_TEST, bits != 0);
    mmd_gpu_stencil(renderer->gpu, GL_NOTEQUAL, bits, GL_REPLACE);
    mmd_gpu_write_stencil(renderer->gpu, bits);
    mmd_gpu_depth_function(renderer->gpu, renderer_depth_function(renderer, GL_LESS));
}

static void restore_state(const mmd_renderer *renderer)
{
    mmd_gpu_switch(renderer->gpu, GL_STENCIL_TEST, false);
    mmd_gpu_depth_function(renderer->gpu, renderer_depth_function(renderer, GL_LEQUAL));
    mmd_gpu_bind_array(renderer->gpu, 0);
}

/* Selects the program for a material of lines. */
static mmd_status use_line_program(const draw_subject *subject, uint32_t first, const float rgba[4],
                                   mmd_error *error)
{
    mmd_renderer *renderer = subject->mesh->renderer;
    const flat_program *program;
    mmd_status status = renderer_projected_program(renderer, FLAT_LINES | (subject->crowd ? FLAT_CROWD : 0u),
                                                   &program, error);
    if (status != MMD_OK)
        return status;
    mmd_gpu_use_program(renderer->gpu, program->id);
    if (subject->crowd)
        crowd_select(subject->crowd, program->crowd, first);
    glUniformMatrix4fv(program->matrix, 1, GL_FALSE, renderer->ground_matrix);
    glUniform4fv(program->color, 1, rgba);
    draw_set_line_reach(renderer, program->line_reach);
    return MMD_OK;
}

/* Selects the program for a material of triangles. */
static mmd_status use_hull_program(const draw_subject *subject, uint32_t first, float size,
                                   const float rgba[4], mmd_error *error)
{
    mmd_renderer *renderer = subject->mesh->renderer;
    const mmd_render_model_desc *desc = subject->descs[first];
    edge_program *program;
    mmd_status status =
        renderer_edge_program(renderer, EDGE_GROUND | (subject->crowd ? EDGE_CROWD : 0u), &program, error);
    if (status != MMD_OK)
        return status;
    /* Members of a crowd have widths of their own, which are in the crowd's table. */
    if (!subject->crowd)
        size *= desc->edge_scale * mmd_render_edge_width(&renderer->scene, desc->edge_origin);
    mmd_gpu_use_program(renderer->gpu, program->id);
    if (subject->crowd)
        crowd_select(subject->crowd, program->crowd, first);
    glUniformMatrix4fv(program->ground, 1, GL_FALSE, renderer->ground_matrix);
    draw_set_uniform(&program->width, 1, &size);
    draw_set_uniform(&program->color, 4, rgba);
    return MMD_OK;
}

/* Draws the shadows of `count` equal members. */
static mmd_status draw_shadows(const draw_subject *subject, uint32_t first, uint32_t count,
                               const float rgb[3], bool transparent, mmd_error *error)
{
    const mmd_render_mesh *mesh = subject->mesh;
    const mmd_render_model_desc *desc = subject->descs[first];
    const float opacity = is_accessory(mesh) ? 1.0f : desc->opacity;
    mmd_status status = MMD_OK;
    for (uint32_t m = 0; m < mesh->model->material_count && status == MMD_OK; m++) {
        if (!ground_shadow_shows(mesh, desc, m))
            continue;
        const float alpha = opacity * (transparent ? shadow_alpha(mesh, desc, m) : 1.0f);
        const float rgba[4] = {rgb[0], rgb[1], rgb[2], alpha};
        mmd_gpu_switch(mesh->renderer->gpu, GL_BLEND, alpha < 1.0f);
        status =
            mesh->ranges[m].mode == GL_LINES
                ? use_line_program(subject, first, rgba, error)
                : use_hull_program(subject, first, is_accessory(mesh) ? 0.0f : desc->materials[m].edge_size,
                                   rgba, error);
        if (status != MMD_OK)
            break;
        draw_range range = draw_run(mesh, desc, same_shadow, &m);
        draw_members(subject, &range, count);
    }
    return status;
}

static mmd_status draw_all_shadows(const draw_subject *subject, const float rgb[3], bool transparent,
                                   mmd_error *error)
{
    mmd_renderer *renderer = subject->mesh->renderer;
    mmd_status status = MMD_OK;
    if (!renderer->has_ground)
        return MMD_OK;
    renderer_pass_begin(renderer, MMD_PASS_GROUND_SHADOW);
    draw_bind_subject(subject);
    set_state(renderer);
    for (uint32_t i = subject->first, count; i < subject->first + subject->count && status == MMD_OK;
         i += count) {
        count = draw_alike(subject, i, alike_shadows);
        status = draw_shadows(subject, i, count, rgb, transparent, error);
    }
    restore_state(renderer);
    renderer_pass_end(renderer, MMD_PASS_GROUND_SHADOW);
    return status;
}

mmd_status mmd_render_ground_shadow(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                                    const float rgb[3], bool transparent, mmd_error *error)
{
    assert(instance && instance->mesh && desc && rgb);
    if (!instance->skinned)
        return MMD_OK;
    const draw_subject subject = draw_instance(instance, &desc);
    return draw_all_shadows(&subject, rgb, transparent, error);
}

mmd_status mmd_render_crowd_ground_shadows(mmd_render_crowd *crowd, const mmd_render_model_desc *const *descs,
                                           size_t first, size_t count, const float rgb[3], bool transparent,
                                           mmd_error *error)
{
    assert(crowd && descs && rgb && crowd->skinned && first + count <= crowd->count);
    const draw_subject subject = draw_crowd(crowd, descs, first, count);
    return draw_all_shadows(&subject, rgb, transparent, error);
}

bool mmd_render_ground_shadow_is_uneven(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc)
{
    assert(mesh && desc);
    for (uint32_t m = 0; m < mesh->model->material_count; m++)
        if (ground_shadow_shows(mesh, desc, m) && desc->materials[m].edge_color[3] < 1.0f)
            return true;
    return false;
}
