/* The material passes and the edges of a model, without self shadow (MMD.md 6.3 to 6.6). */
#include <assert.h>
#include <string.h>

#include "render_internal.h"

/* Below this a fragment is dropped: its eight-bit alpha is 0. */
static const float alpha_threshold = 0.5f / 255.0f;

/* All that decides how a material is drawn in this frame. */
typedef struct material_draw {
    uint32_t features;
    bool blend, visible;
    float base_color[4], specular[3];
    float multiply[3][4], add[3][4]; /* factors of texture, sphere, toon */
} material_draw;

static bool is_neutral(const float multiply[4], const float add[4])
{
    for (int k = 0; k < 4; k++)
        if (multiply[k] != 1.0f || add[k] != 0.0f)
            return false;
    return true;
}

static void read_factors(const mmd_material_values *values, const float adds[12], material_draw *draw)
{
    memcpy(draw->multiply[0], values->texture_factor, sizeof draw->multiply[0]);
    memcpy(draw->multiply[1], values->sphere_factor, sizeof draw->multiply[1]);
    memcpy(draw->multiply[2], values->toon_factor, sizeof draw->multiply[2]);
    if (adds)
        memcpy(draw->add, adds, sizeof draw->add);
    else
        memset(draw->add, 0, sizeof draw->add);
}

static uint32_t sphere_features(const mmd_material *material, const mmd_render_texture *sphere)
{
    if (!sphere->id)
        return 0;
    switch (material->sphere_mode) {
    case MMD_SPHERE_MULTIPLY:
        return FEATURE_SPHERE;
    case MMD_SPHERE_ADD:
        return FEATURE_SPHERE | FEATURE_SPHERE_ADD;
    case MMD_SPHERE_SUB_TEXTURE:
        return FEATURE_SUB_TEXTURE;
    default:
        return 0;
    }
}

static uint32_t texture_features(const mmd_material *material, const mmd_render_material_textures *textures,
                                 const material_draw *draw)
{
    uint32_t features = sphere_features(material, &textures->sphere);
    bool toon_neutral = is_neutral(draw->multiply[2], draw->add[2]);
    if (textures->texture.id)
        features |= FEATURE_TEXTURE;
    if (textures->toon.id && !(textures->toon.white && toon_neutral)) /* a white toon multiplies by 1 */
        features |= FEATURE_TOON;
    if (((features & FEATURE_TEXTURE) && !is_neutral(draw->multiply[0], draw->add[0])) ||
        ((features & (FEATURE_SPHERE | FEATURE_SUB_TEXTURE)) &&
         !is_neutral(draw->multiply[1], draw->add[1])) ||
        ((features & FEATURE_TOON) && !toon_neutral))
        features |= FEATURE_FACTORS;
    return features;
}

/* The smallest alpha that a pixel of the material can have; colours of vertices can have any. */
static float lowest_alpha(const mmd_render_material_textures *textures, const material_draw *draw)
{
    float alpha = draw->base_color[3];
    if (draw->features & FEATURE_VERTEX_COLOR)
        return 0.0f;
    if (draw->features & FEATURE_TEXTURE)
        alpha *= (float)textures->texture.min_alpha / 255.0f;
    if (draw->features & (FEATURE_SPHERE | FEATURE_SUB_TEXTURE))
        alpha *= (float)textures->sphere.min_alpha / 255.0f;
    return alpha;
}

static material_draw prepare(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m)
{
    const mmd_material *material = &mesh->model->materials[m];
    const mmd_material_values *values = &desc->materials[m];
    const float *light = mesh->renderer->scene.light_color;
    material_draw draw = {0};
    mmd_material_base_color(values, light, draw.base_color);
    draw.visible = draw.base_color[3] >= alpha_threshold && mesh->ranges[m].count;
    read_factors(values, desc->factor_adds ? desc->factor_adds[m] : NULL, &draw);
    draw.features = texture_features(material, &mesh->textures[m], &draw);
    for (int k = 0; k < 3; k++) {
        draw.specular[k] = values->specular[k] * light[k];
        if (values->specular_power > 0.0f && draw.specular[k] != 0.0f)
            draw.features |= FEATURE_SPECULAR;
    }
    if ((material->flags & MMD_MATERIAL_VERTEX_COLOR) && mesh->model->vertices.additional_uv_count)
        draw.features |= FEATURE_VERTEX_COLOR;
    if (mesh->ranges[m].mode == GL_POINTS)
        draw.features |= FEATURE_POINTS;
    float lowest = lowest_alpha(&mesh->textures[m], &draw);
    /* Tests and blending of what is opaque would change nothing but the time it takes. */
    if (lowest < 1.01f * alpha_threshold)
        draw.features |= FEATURE_ALPHA_TEST;
    draw.blend = lowest < 1.0f;
    return draw;
}

static void bind_texture(GLuint unit, GLuint texture, GLuint sampler)
{
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    glBindSampler(unit, sampler);
}

static void bind_textures(const mmd_renderer *renderer, const mmd_render_material_textures *textures,
                          uint32_t features)
{
    if (features & FEATURE_TEXTURE)
        bind_texture(UNIT_TEXTURE, textures->texture.id, renderer->repeat_sampler);
    if (features & FEATURE_SPHERE)
        bind_texture(UNIT_SPHERE, textures->sphere.id, renderer->clamp_sampler);
    if (features & FEATURE_SUB_TEXTURE)
        bind_texture(UNIT_SPHERE, textures->sphere.id, renderer->repeat_sampler);
    if (features & FEATURE_TOON)
        bind_texture(UNIT_TOON, textures->toon.id, renderer->clamp_sampler);
}

static void set_uniforms(const draw_program *program, const mmd_material_values *values,
                         const material_draw *draw)
{
    glUniform4fv(program->base_color, 1, draw->base_color);
    if (draw->features & FEATURE_SPECULAR) {
        glUniform3fv(program->specular, 1, draw->specular);
        glUniform1f(program->specular_power, values->specular_power);
    }
    if (draw->features & FEATURE_POINTS)
        glUniform1f(program->point_size, values->edge_size);
    if (draw->features & FEATURE_FACTORS) {
        glUniform4fv(program->factor_multiply, 3, draw->multiply[0]);
        glUniform4fv(program->factor_add, 3, draw->add[0]);
    }
}

static void draw_elements(const mmd_render_mesh *mesh, const draw_range *range)
{
    uintptr_t offset = (uintptr_t)range->first * element_size(mesh->element_type);
    glDrawRangeElements(range->mode, range->lowest, range->highest, (GLsizei)range->count, mesh->element_type,
                        (const void *)offset);
    mesh->renderer->statistics.draw_calls++;
}

static void set_enabled(GLenum what, bool on)
{
    if (on)
        glEnable(what);
    else
        glDisable(what);
}

static mmd_status draw_materials(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                                 mmd_error *error)
{
    const mmd_render_mesh *mesh = instance->mesh;
    mmd_renderer *renderer = mesh->renderer;
    const draw_program *current = NULL;
    glCullFace(GL_BACK);
    glVertexAttrib4f(DRAW_EXTRA, 0.0f, 0.0f, 0.0f, 0.0f); /* where there is no additional UV */
    for (uint32_t m = 0; m < mesh->model->material_count; m++) {
        material_draw draw = prepare(mesh, desc, m);
        if (!draw.visible)
            continue;
        const draw_program *program;
        mmd_status status = renderer_material_program(renderer, draw.features, &program, error);
        if (status != MMD_OK)
            return status;
        if (program != current)
            glUseProgram(program->id);
        current = program;
        set_uniforms(program, &desc->materials[m], &draw);
        bind_textures(renderer, &mesh->textures[m], draw.features);
        set_enabled(GL_BLEND, draw.blend);
        set_enabled(GL_CULL_FACE, !(mesh->model->materials[m].flags & MMD_MATERIAL_TWO_SIDED));
        draw_elements(mesh, &mesh->ranges[m]);
    }
    return MMD_OK;
}

/*
 * Whether a material's edge is drawn. A material whose file says alpha 0 keeps
 * its edge; one that a morph made invisible loses it (MMD.md 2.7, 6.6).
 */
static bool has_edge(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m)
{
    const mmd_material *material = &mesh->model->materials[m];
    const mmd_material_values *values = &desc->materials[m];
    bool hidden = values->diffuse[3] < alpha_threshold && material->diffuse[3] >= alpha_threshold;
    return (material->flags & MMD_MATERIAL_EDGE) && mesh->ranges[m].mode == GL_TRIANGLES &&
           mesh->ranges[m].count && values->edge_size > 0.0f && values->edge_color[3] >= alpha_threshold &&
           !hidden;
}

static bool same_edge(const mmd_material_values *a, const mmd_material_values *b)
{
    return a->edge_size == b->edge_size && memcmp(a->edge_color, b->edge_color, sizeof a->edge_color) == 0;
}

/* The run of faces from material *m on whose edges look the same, in one; leaves *m at its last material. */
static draw_range join_edges(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t *m)
{
    const mmd_material_values *first = &desc->materials[*m];
    draw_range range = mesh->ranges[*m];
    for (uint32_t next = *m + 1; next < mesh->model->material_count; next++) {
        const draw_range *more = &mesh->ranges[next];
        if (!has_edge(mesh, desc, next) || !same_edge(first, &desc->materials[next]) ||
            more->first != range.first + range.count)
            break;
        range.count += more->count;
        range.lowest = more->lowest < range.lowest ? more->lowest : range.lowest;
        range.highest = more->highest > range.highest ? more->highest : range.highest;
        *m = next;
    }
    return range;
}

static void draw_edges(mmd_render_instance *instance, const mmd_render_model_desc *desc)
{
    const mmd_render_mesh *mesh = instance->mesh;
    mmd_renderer *renderer = mesh->renderer;
    float width = mmd_edge_width(renderer->scene.eye, desc->edge_origin, renderer->scene.fov);
    glUseProgram(renderer->edge_program);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_FRONT);
    for (uint32_t m = 0; m < mesh->model->material_count; m++) {
        if (!has_edge(mesh, desc, m))
            continue;
        const mmd_material_values *values = &desc->materials[m];
        glUniform1f(renderer->edge_width, width * values->edge_size);
        glUniform4fv(renderer->edge_color, 1, values->edge_color);
        set_enabled(GL_BLEND, values->edge_color[3] < 1.0f);
        draw_range range = join_edges(mesh, desc, &m);
        draw_elements(mesh, &range);
    }
}

mmd_status mmd_render_model(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                            mmd_error *error)
{
    assert(instance && instance->mesh && desc);
    if (!instance->skinned)
        return MMD_OK; /* no vertices */
    mmd_gpu *gpu = instance->mesh->renderer->gpu;
    glBindVertexArray(instance->array);
    mmd_gpu_push_group(gpu, "materials");
    mmd_status status = draw_materials(instance, desc, error);
    mmd_gpu_pop_group(gpu);
    if (status == MMD_OK && desc->edge) {
        mmd_gpu_push_group(gpu, "edges");
        draw_edges(instance, desc);
        mmd_gpu_pop_group(gpu);
    }
    glBindVertexArray(0);
    return status;
}
