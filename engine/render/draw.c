/* The material passes and the edges of a model (MMD.md 6.3 to 6.7). */
#include <assert.h>
#include <string.h>

#include "render_internal.h"

void draw_bind_texture(GLuint unit, GLuint texture, GLuint sampler)
{
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    glBindSampler(unit, sampler);
}

void draw_bind_material(const mmd_renderer *renderer, const mmd_render_material_textures *textures,
                        uint32_t features)
{
    if (features & FEATURE_TEXTURE)
        draw_bind_texture(UNIT_TEXTURE, textures->texture.id, renderer->repeat_sampler);
    if (features & FEATURE_SPHERE)
        draw_bind_texture(UNIT_SPHERE, textures->sphere.id, renderer->clamp_sampler);
    if (features & FEATURE_SUB_TEXTURE)
        draw_bind_texture(UNIT_SPHERE, textures->sphere.id, renderer->repeat_sampler);
    if ((features & FEATURE_TOON) && !(features & FEATURE_SELF_SHADOW))
        draw_bind_texture(UNIT_TOON, textures->toon.id, renderer->clamp_sampler);
}

void draw_set_uniforms(const draw_program *program, const mmd_material_values *values,
                       const mmd_render_material_textures *textures, const material_draw *draw)
{
    glUniform4fv(program->base_color, 1, draw->base_color);
    if (draw->features & FEATURE_ACCESSORY)
        glUniform3fv(program->light_diffuse, 1, draw->light_diffuse);
    if ((draw->features & FEATURE_TOON) && (draw->features & FEATURE_SELF_SHADOW)) {
        const uint8_t *shade = textures->toon.bottom_left;
        glUniform3f(program->toon_shade, (float)shade[0] / 255.0f, (float)shade[1] / 255.0f,
                    (float)shade[2] / 255.0f);
    }
    if (draw->features & FEATURE_SPECULAR) {
        glUniform3fv(program->specular, 1, draw->specular);
        glUniform1f(program->specular_power, values->specular_power);
    }
    if (draw->features & FEATURE_POINTS)
        glUniform1f(program->point_size, values->edge_size);
    if (draw->features & FEATURE_ALPHA_CUT)
        glUniform1f(program->cutoff, draw->cutoff);
    if (draw->features & FEATURE_FACTORS) {
        glUniform4fv(program->factor_multiply, 3, draw->multiply[0]);
        glUniform4fv(program->factor_add, 3, draw->add[0]);
    }
}

void draw_elements(const mmd_render_mesh *mesh, const draw_range *range)
{
    uintptr_t offset = (uintptr_t)range->first * element_size(mesh->element_type);
    glDrawRangeElements(range->mode, range->lowest, range->highest, (GLsizei)range->count, mesh->element_type,
                        (const void *)offset);
    mesh->renderer->statistics.draw_calls++;
}

static mmd_status draw_materials(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                                 mmd_error *error)
{
    const mmd_render_mesh *mesh = instance->mesh;
    mmd_renderer *renderer = mesh->renderer;
    const draw_program *current = NULL;
    glCullFace(GL_BACK);
    if (renderer->scene.self_shadow)
        draw_bind_texture(UNIT_SHADOW_MAP, renderer->shadow_map, 0);
    glVertexAttrib4f(DRAW_EXTRA, 0.0f, 0.0f, 0.0f, 0.0f); /* where there is no additional UV */
    for (uint32_t m = 0; m < mesh->model->material_count; m++) {
        material_draw draw = material_prepare(mesh, desc, m);
        if (!draw.visible)
            continue;
        const draw_program *program;
        mmd_status status = renderer_material_program(renderer, draw.features, &program, error);
        if (status != MMD_OK)
            return status;
        if (program != current)
            glUseProgram(program->id);
        current = program;
        draw_set_uniforms(program, &desc->materials[m], &mesh->textures[m], &draw);
        draw_bind_material(renderer, &mesh->textures[m], draw.features);
        draw_enable(GL_BLEND, draw.blend);
        draw_enable(GL_CULL_FACE, !(mesh->model->materials[m].flags & MMD_MATERIAL_TWO_SIDED));
        draw_elements(mesh, &mesh->ranges[m]);
    }
    return MMD_OK;
}

static void join(draw_range *range, const draw_range *more)
{
    range->count += more->count;
    range->lowest = more->lowest < range->lowest ? more->lowest : range->lowest;
    range->highest = more->highest > range->highest ? more->highest : range->highest;
}

draw_range draw_run(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, run_test *belongs,
                    uint32_t *m)
{
    draw_range range = mesh->ranges[*m];
    uint32_t first = *m;
    for (uint32_t next = first + 1; next < mesh->model->material_count; next++) {
        const draw_range *more = &mesh->ranges[next];
        if (more->mode != range.mode || more->first != range.first + range.count ||
            !belongs(mesh, desc, first, next))
            break;
        join(&range, more);
        *m = next;
    }
    return range;
}

static bool same_edge(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t first,
                      uint32_t next)
{
    const mmd_material_values *a = &desc->materials[first], *b = &desc->materials[next];
    return material_has_edge(mesh, desc, next) && a->edge_size == b->edge_size &&
           memcmp(a->edge_color, b->edge_color, sizeof a->edge_color) == 0;
}

static void draw_edges(mmd_render_instance *instance, const mmd_render_model_desc *desc)
{
    const mmd_render_mesh *mesh = instance->mesh;
    mmd_renderer *renderer = mesh->renderer;
    float width =
        desc->edge_scale * mmd_edge_width(renderer->scene.eye, desc->edge_origin, renderer->scene.fov);
    glUseProgram(renderer->edge_program);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_FRONT);
    for (uint32_t m = 0; m < mesh->model->material_count; m++) {
        if (!material_has_edge(mesh, desc, m))
            continue;
        const mmd_material_values *values = &desc->materials[m];
        glUniform1f(renderer->edge_width, width * values->edge_size);
        float alpha = values->edge_color[3] * desc->opacity;
        glUniform4f(renderer->edge_color, values->edge_color[0], values->edge_color[1], values->edge_color[2],
                    alpha);
        draw_enable(GL_BLEND, alpha < 1.0f || desc->additive);
        draw_range range = draw_run(mesh, desc, same_edge, &m);
        draw_elements(mesh, &range);
    }
}

/* Additive blending leaves the coverage as it is: light has none. */
static void set_blending(bool additive)
{
    if (additive)
        glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE, GL_ZERO, GL_ONE);
    else
        glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

mmd_status mmd_render_model(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                            mmd_error *error)
{
    assert(instance && instance->mesh && desc);
    if (!instance->skinned)
        return MMD_OK; /* no vertices */
    mmd_renderer *renderer = instance->mesh->renderer;
    glBindVertexArray(instance->array);
    set_blending(desc->additive);
    renderer_pass_begin(renderer, MMD_PASS_OBJECT);
    mmd_status status = draw_materials(instance, desc, error);
    renderer_pass_end(renderer, MMD_PASS_OBJECT);
    if (status == MMD_OK && desc->edge_scale > 0.0f) {
        renderer_pass_begin(renderer, MMD_PASS_EDGE);
        draw_edges(instance, desc);
        renderer_pass_end(renderer, MMD_PASS_EDGE);
    }
    set_blending(false);
    glBindVertexArray(0);
    return status;
}
