/* The material passes and edges of a model (docs/mmd.md 6.3 to 6.7). */
#include <assert.h>
#include <string.h>

#include "render_internal.h"

void draw_bind_material(const mmd_renderer *renderer, const mmd_render_material_textures *textures,
                        const material_draw *draw)
{
    assert(renderer && textures && draw);
    const uint32_t features = draw->features;
    if (features & FEATURE_TEXTURE)
        mmd_gpu_bind_texture(renderer->gpu, UNIT_TEXTURE, textures->texture.id, renderer->repeat_sampler);
    if (features & FEATURE_SPHERE)
        mmd_gpu_bind_texture(renderer->gpu, UNIT_SPHERE, textures->sphere.id, renderer->repeat_sampler);
    if (features & FEATURE_SUB_TEXTURE)
        mmd_gpu_bind_texture(renderer->gpu, UNIT_SPHERE, textures->sphere.id, renderer->repeat_sampler);
    if ((features & FEATURE_TOON) && !(features & FEATURE_SELF_SHADOW))
        mmd_gpu_bind_texture(renderer->gpu, UNIT_TOON, textures->toon.id, renderer->clamp_sampler);
    if (features & FEATURE_SELF_SHADOW)
        mmd_gpu_bind_texture(renderer->gpu, UNIT_SHADOW_MAP, draw->shadow_map, 0);
}

float draw_point_size(const mmd_renderer *renderer, const mmd_material_values *values)
{
    assert(renderer && values);
    uint32_t across = renderer->scene.samples_across;
    float size = values->edge_size * (float)(across ? across : 1);
    return size > 1.0f ? size : 1.0f;
}

void draw_set_line_reach(const mmd_renderer *renderer, GLint location)
{
    assert(renderer);
    const uint32_t across = renderer->scene.samples_across;
    const float width = across ? (float)across : 1.0f;
    glUniform2f(location, width / (float)renderer->width, width / (float)renderer->height);
}

void draw_cull_faces(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m)
{
    assert(mesh && desc && m < mesh->model->material_count);
    mmd_gpu_switch(mesh->renderer->gpu, GL_CULL_FACE,
                   mesh->ranges[m].mode == GL_TRIANGLES && !material_is_two_sided(mesh, desc, m));
}

void draw_set_uniform(draw_uniform *uniform, int count, const float *value)
{
    assert(uniform && value && count >= 1 && count <= 4);
    const size_t size = (size_t)count * sizeof *value;
    if (uniform->known && memcmp(uniform->value, value, size) == 0)
        return;
    uniform->known = true;
    memcpy(uniform->value, value, size);
    if (count == 1)
        glUniform1fv(uniform->location, 1, value);
    else if (count == 3)
        glUniform3fv(uniform->location, 1, value);
    else
        glUniform4fv(uniform->location, 1, value);
}

void draw_set_uniforms(const mmd_renderer *renderer, draw_program *program, const mmd_material_values *values,
                       const mmd_render_material_textures *textures, const material_draw *draw)
{
    assert(renderer && program && values && textures && draw);
    draw_set_uniform(&program->base_color, 4, draw->base_color);
    if (draw->features & FEATURE_ACCESSORY)
        draw_set_uniform(&program->light_diffuse, 3, draw->light_diffuse);
    if ((draw->features & FEATURE_TOON) && (draw->features & FEATURE_SELF_SHADOW)) {
        const uint8_t *shade = textures->toon.bottom_left;
        const float color[3] = {(float)shade[0] / 256.0f, (float)shade[1] / 256.0f, (float)shade[2] / 256.0f};
        draw_set_uniform(&program->toon_shade, 3, color);
    }
    if (draw->features & FEATURE_SPECULAR) {
        draw_set_uniform(&program->specular, 3, draw->specular);
        draw_set_uniform(&program->specular_power, 1, &values->specular_power);
    }
    if (draw->features & FEATURE_POINTS)
        glUniform1f(program->point_size, draw_point_size(renderer, values));
    if (draw->features & FEATURE_LINES)
        draw_set_line_reach(renderer, program->line_reach);
    if (draw->features & FEATURE_ALPHA_CUT)
        glUniform1f(program->cutoff, draw->cutoff);
    if (draw->features & FEATURE_FACTORS) {
        glUniform4fv(program->factor_multiply, 3, draw->multiply[0]);
        glUniform4fv(program->factor_add, 3, draw->add[0]);
    }
}

void draw_elements(const mmd_render_mesh *mesh, const draw_range *range)
{
    assert(mesh && range);
    uintptr_t offset = (uintptr_t)range->first * element_size(mesh->element_type);
    glDrawRangeElements(range->mode, range->lowest, range->highest, (GLsizei)range->count, mesh->element_type,
                        (const void *)offset);
    mesh->renderer->statistics.draw_calls++;
}

void draw_members(const draw_subject *subject, const draw_range *range, uint32_t count)
{
    assert(subject && range);
    const mmd_render_mesh *mesh = subject->mesh;
    if (!subject->crowd) {
        draw_elements(mesh, range);
        return;
    }
    uintptr_t offset = (uintptr_t)range->first * element_size(mesh->element_type);
    glDrawElementsInstanced(range->mode, (GLsizei)range->count, mesh->element_type, (const void *)offset,
                            (GLsizei)count);
    mesh->renderer->statistics.draw_calls++;
}

uint32_t draw_alike(const draw_subject *subject, uint32_t first, alike_test *alike)
{
    assert(subject);
    const mmd_render_model_desc *const *descs = subject->descs;
    uint32_t behind = first + 1;
    while (behind < subject->first + subject->count && alike(subject->mesh, descs[first], descs[behind]))
        behind++;
    return behind - first;
}

void draw_bind_subject(const draw_subject *subject)
{
    assert(subject);
    mmd_gpu_bind_array(subject->mesh->renderer->gpu, subject->array);
    if (subject->crowd)
        crowd_bind(subject->crowd);
}

/* Returns how many members from `first` on draw this material with the same values. */
static uint32_t count_same(const draw_subject *subject, uint32_t m, uint32_t first, const material_draw *draw)
{
    const mmd_material_values *values = &subject->descs[first]->materials[m];
    uint32_t behind = first + 1;
    for (; behind < subject->first + subject->count; behind++) {
        const mmd_render_model_desc *desc = subject->descs[behind];
        material_draw other = material_prepare(subject->mesh, desc, m);
        if (!material_draws_alike(draw, &other) || desc->additive != subject->descs[first]->additive ||
            desc->materials[m].specular_power != values->specular_power ||
            desc->materials[m].edge_size != values->edge_size)
            break;
    }
    return behind - first;
}

/* Additive blending does not change the alpha (coverage) of the target. */
static void set_blending(mmd_gpu *gpu, bool additive)
{
    if (additive)
        mmd_gpu_blend_function(gpu, GL_SRC_ALPHA, GL_ONE, GL_ZERO, GL_ONE);
    else
        mmd_gpu_blend_function(gpu, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

/* Draws a material of `count` equal members. In additive models, MMD draws the backs of two-sided ones first.
 */
static mmd_status draw_material(const draw_subject *subject, uint32_t m, uint32_t first, uint32_t count,
                                const material_draw *draw, mmd_error *error)
{
    const mmd_render_mesh *mesh = subject->mesh;
    const mmd_render_model_desc *desc = subject->descs[first];
    draw_program *program;
    uint32_t features = draw->features | (subject->crowd ? FEATURE_CROWD : 0u);
    mmd_status status = renderer_material_program(mesh->renderer, features, &program, error);
    if (status != MMD_OK)
        return status;
    mmd_gpu_use_program(mesh->renderer->gpu, program->id);
    draw_set_uniforms(mesh->renderer, program, &desc->materials[m], &mesh->textures[m], draw);
    if (subject->crowd)
        crowd_select(subject->crowd, program->crowd, first);
    draw_bind_material(mesh->renderer, &mesh->textures[m], draw);
    set_blending(mesh->renderer->gpu, desc->additive);
    mmd_gpu_switch(mesh->renderer->gpu, GL_BLEND, draw->blend);
    draw_cull_faces(mesh, desc, m);
    if (desc->additive && mesh_is_of_mmd(mesh) && material_is_two_sided(mesh, desc, m)) {
        mmd_gpu_switch(mesh->renderer->gpu, GL_CULL_FACE, true);
        mmd_gpu_cull(mesh->renderer->gpu, GL_FRONT);
        draw_members(subject, &mesh->ranges[m], count);
        mmd_gpu_cull(mesh->renderer->gpu, GL_BACK);
    }
    draw_members(subject, &mesh->ranges[m], count);
    return MMD_OK;
}

static mmd_status draw_materials(const draw_subject *subject, mmd_error *error)
{
    const mmd_render_mesh *mesh = subject->mesh;
    uint32_t behind = subject->first + subject->count;
    mmd_status status = MMD_OK;
    mmd_gpu_cull(mesh->renderer->gpu, GL_BACK);
    glVertexAttrib4f(DRAW_EXTRA, 0.0f, 0.0f, 0.0f, 0.0f); /* value for meshes without additional UV */
    for (uint32_t m = 0; m < mesh->model->material_count; m++) {
        for (uint32_t i = subject->first, count; i < behind && status == MMD_OK; i += count) {
            material_draw draw = material_prepare(mesh, subject->descs[i], m);
            count = count_same(subject, m, i, &draw);
            if (draw.visible)
                status = draw_material(subject, m, i, count, &draw, error);
        }
    }
    return status;
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
    assert(mesh && m);
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

static bool shows_edges(const mmd_render_model_desc *desc)
{
    return desc->edge_scale > 0.0f && !desc->additive;
}

/* Tests whether the edges of two members differ in nothing but the width that follows from their distance. */
static bool alike_edges(const mmd_render_mesh *mesh, const mmd_render_model_desc *a,
                        const mmd_render_model_desc *b)
{
    bool alike = a->opacity == b->opacity && shows_edges(a) == shows_edges(b);
    for (uint32_t m = 0; alike && m < mesh->model->material_count; m++) {
        const mmd_material_values *x = &a->materials[m], *y = &b->materials[m];
        alike = material_has_edge(mesh, a, m) == material_has_edge(mesh, b, m) &&
                x->edge_size == y->edge_size &&
                memcmp(x->edge_color, y->edge_color, sizeof x->edge_color) == 0;
    }
    return alike;
}

/* Draws the edges of `count` equal members. */
static void draw_edges(const draw_subject *subject, edge_program *program, uint32_t first, uint32_t count,
                       bool additive)
{
    const mmd_render_mesh *mesh = subject->mesh;
    const mmd_render_model_desc *desc = subject->descs[first];
    const mmd_render_scene *scene = &mesh->renderer->scene;
    float width = desc->edge_scale * mmd_render_edge_width(scene, desc->edge_origin);
    if (subject->crowd)
        crowd_select(subject->crowd, program->crowd, first);
    set_blending(mesh->renderer->gpu, additive);
    for (uint32_t m = 0; m < mesh->model->material_count; m++) {
        if (!material_has_edge(mesh, desc, m))
            continue;
        const mmd_material_values *values = &desc->materials[m];
        /* Members of a crowd have widths of their own, which are in the crowd's table. */
        const float size = subject->crowd ? values->edge_size : width * values->edge_size;
        const float alpha = values->edge_color[3] * desc->opacity;
        const float *color = values->edge_color;
        draw_set_uniform(&program->width, 1, &size);
        draw_set_uniform(&program->color, 4, (const float[4]){color[0], color[1], color[2], alpha});
        mmd_gpu_switch(mesh->renderer->gpu, GL_BLEND, alpha < 1.0f || additive);
        draw_range range = draw_run(mesh, desc, same_edge, &m);
        draw_members(subject, &range, count);
    }
}

static bool any_edges(const draw_subject *subject)
{
    bool any = false;
    for (uint32_t i = subject->first; i < subject->first + subject->count; i++)
        any |= shows_edges(subject->descs[i]);
    return any;
}

static mmd_status draw_all_edges(const draw_subject *subject, bool additive, mmd_error *error)
{
    edge_program *program;
    mmd_renderer *renderer = subject->mesh->renderer;
    mmd_status status = renderer_edge_program(renderer, subject->crowd ? EDGE_CROWD : 0u, &program, error);
    if (status != MMD_OK || !any_edges(subject))
        return status;
    renderer_pass_begin(renderer, MMD_PASS_EDGE);
    mmd_gpu_use_program(renderer->gpu, program->id);
    mmd_gpu_switch(renderer->gpu, GL_CULL_FACE, true);
    mmd_gpu_cull(renderer->gpu, GL_FRONT);
    mmd_gpu_depth_function(renderer->gpu, renderer_depth_function(renderer, GL_LESS));
    draw_bind_subject(subject);
    for (uint32_t i = subject->first, count; i < subject->first + subject->count; i += count) {
        count = draw_alike(subject, i, alike_edges);
        if (shows_edges(subject->descs[i]))
            draw_edges(subject, program, i, count, additive);
    }
    set_blending(renderer->gpu, false);
    mmd_gpu_depth_function(renderer->gpu, renderer_depth_function(renderer, GL_LEQUAL));
    mmd_gpu_bind_array(renderer->gpu, 0);
    renderer_pass_end(renderer, MMD_PASS_EDGE);
    return MMD_OK;
}

static mmd_status draw_all_materials(const draw_subject *subject, mmd_error *error)
{
    mmd_renderer *renderer = subject->mesh->renderer;
    draw_bind_subject(subject);
    renderer_pass_begin(renderer, MMD_PASS_OBJECT);
    mmd_status status = draw_materials(subject, error);
    renderer_pass_end(renderer, MMD_PASS_OBJECT);
    set_blending(renderer->gpu, false);
    mmd_gpu_bind_array(renderer->gpu, 0);
    return status;
}

mmd_status mmd_render_model(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                            mmd_error *error)
{
    assert(instance && instance->mesh && desc);
    if (!instance->skinned)
        return MMD_OK; /* the mesh has no vertices */
    const draw_subject subject = draw_instance(instance, &desc);
    return draw_all_materials(&subject, error);
}

mmd_status mmd_render_edges(mmd_render_instance *instance, const mmd_render_model_desc *desc, bool additive,
                            mmd_error *error)
{
    assert(instance && instance->mesh && desc);
    if (!instance->skinned)
        return MMD_OK;
    const draw_subject subject = draw_instance(instance, &desc);
    return draw_all_edges(&subject, additive, error);
}

mmd_status mmd_render_crowd_models(mmd_render_crowd *crowd, const mmd_render_model_desc *const *descs,
                                   size_t first, size_t count, mmd_error *error)
{
    assert(crowd && descs && crowd->skinned && first + count <= crowd->count);
    const draw_subject subject = draw_crowd(crowd, descs, first, count);
    return draw_all_materials(&subject, error);
}

mmd_status mmd_render_crowd_edges(mmd_render_crowd *crowd, const mmd_render_model_desc *const *descs,
                                  size_t first, size_t count, bool additive, mmd_error *error)
{
    assert(crowd && descs && crowd->skinned && first + count <= crowd->count);
    const draw_subject subject = draw_crowd(crowd, descs, first, count);
    return draw_all_edges(&subject, additive, error);
}
