/*
 * Evaluates single triangles at one pixel. They are drawn into four pixels, the quad that contains the pixel
 * in the picture, so that texture derivatives are the same. Each triangle is drawn twice: by the material's
 * own program for its colour, and by one that outputs the values the colour is computed from (inspect.frag).
 */
#include <assert.h>
#include <string.h>

#include "render_internal.h"

enum { TERM_COUNT = 4, SIDE = 2 };

struct inspect_target {
    GLuint framebuffer, terms[TERM_COUNT], depth;
    GLint x, y;        /* of the pixel, from the bottom left */
    uint32_t features; /* features of the probe program */
    draw_program program;
};

static mmd_status create(mmd_renderer *renderer, mmd_error *error)
{
    struct inspect_target *t = mmd_alloc(sizeof *t);
    if (!t)
        return render_no_memory("looking at a pixel", error);
    memset(t, 0, sizeof *t);
    renderer->inspect = t;
    glGenFramebuffers(1, &t->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
    glGenRenderbuffers(TERM_COUNT, t->terms);
    for (GLuint i = 0; i < TERM_COUNT; i++) {
        glBindRenderbuffer(GL_RENDERBUFFER, t->terms[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32F, SIDE, SIDE);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, GL_RENDERBUFFER, t->terms[i]);
    }
    glGenRenderbuffers(1, &t->depth);
    glBindRenderbuffer(GL_RENDERBUFFER, t->depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, SIDE, SIDE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, t->depth);
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    mmd_status status = mmd_gpu_check(renderer->gpu, "looking at a pixel", error);
    if (status == MMD_OK && !complete)
        status = mmd_error_set(error, MMD_ERROR_GL, "", MMD_NO_OFFSET, "OpenGL cannot look at a pixel");
    if (status != MMD_OK)
        renderer_destroy_inspect(renderer);
    return status;
}

void renderer_destroy_inspect(mmd_renderer *renderer)
{
    assert(renderer);
    struct inspect_target *t = renderer->inspect;
    if (!t)
        return;
    mmd_gpu_program_destroy(renderer->gpu, t->program.id);
    glDeleteFramebuffers(1, &t->framebuffer);
    glDeleteRenderbuffers(TERM_COUNT, t->terms);
    glDeleteRenderbuffers(1, &t->depth);
    mmd_free(t);
    renderer->inspect = NULL;
}

/* Starts at an even pixel, counted from the bottom, as GPU quads do. */
mmd_status mmd_render_inspect_begin(mmd_renderer *renderer, const mmd_render_scene *scene, uint32_t x,
                                    uint32_t y, mmd_error *error)
{
    assert(renderer && scene && x < scene->picture_width && y < scene->picture_height);
    mmd_status status = renderer->inspect ? MMD_OK : create(renderer, error);
    if (status != MMD_OK)
        return status;
    mmd_render_scene quad = *scene;
    uint32_t above_bottom = scene->picture_height - 1 - y;
    renderer->inspect->x = (GLint)(x % SIDE);
    renderer->inspect->y = (GLint)(above_bottom % SIDE);
    quad.left = (int32_t)(x - x % SIDE);
    quad.top = (int32_t)scene->picture_height - (int32_t)(above_bottom - above_bottom % SIDE) - SIDE;
    mmd_gpu_begin_read(renderer->gpu);
    mmd_render_begin(renderer, &quad, renderer->inspect->framebuffer, SIDE, SIDE);
    return MMD_OK;
}

static void draw_buffers(GLsizei count)
{
    const GLenum buffers[TERM_COUNT] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2,
                                        GL_COLOR_ATTACHMENT3};
    glDrawBuffers(count, buffers);
}

/* Clears all targets. In the colour target, a negative alpha means that nothing was drawn. */
static void clear_all(void)
{
    const GLfloat none[4] = {0.0f, 0.0f, 0.0f, -1.0f}, far = 1.0f;
    draw_buffers(TERM_COUNT);
    for (GLint i = 0; i < TERM_COUNT; i++)
        glClearBufferfv(GL_COLOR, i, none);
    glClearBufferfv(GL_DEPTH, 0, &far);
}

static void read_term(const struct inspect_target *t, GLenum term, float out[4])
{
    glReadBuffer(GL_COLOR_ATTACHMENT0 + term);
    glReadPixels(t->x, t->y, 1, 1, GL_RGBA, GL_FLOAT, out);
}

static void draw_triangle(const mmd_render_mesh *mesh, const mmd_triangle *triangle)
{
    draw_range range = mesh->ranges[triangle->material];
    range.first += 3 * triangle->number;
    range.count = 3;
    draw_elements(mesh, &range);
}

static mmd_status find_probe(mmd_renderer *renderer, uint32_t features, mmd_error *error)
{
    struct inspect_target *t = renderer->inspect;
    if (t->program.id && t->features == features)
        return MMD_OK;
    mmd_gpu_program_destroy(renderer->gpu, t->program.id);
    t->program.id = 0;
    t->features = features;
    return renderer_probe_program(renderer, features, &t->program, error);
}

/* Prepares the probe program. Reports the toon coordinate even where the material itself does not use it:
 * with a white toon, and under self shadow. */
static mmd_status prepare_probe(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc,
                                const mmd_triangle *triangle, const material_draw *draw, mmd_error *error)
{
    const mmd_render_material_textures *textures = &mesh->textures[triangle->material];
    uint32_t features = draw->features | (textures->toon.id ? (uint32_t)FEATURE_TOON : 0u);
    mmd_status status = find_probe(mesh->renderer, features, error);
    if (status != MMD_OK)
        return status;
    mmd_gpu_use_program(mesh->renderer->gpu, mesh->renderer->inspect->program.id);
    draw_set_uniform(&mesh->renderer->inspect->program.specular_power, 1,
                     &desc->materials[triangle->material].specular_power);
    draw_bind_material(mesh->renderer, textures, draw);
    if (textures->toon.id)
        mmd_gpu_bind_texture(mesh->renderer->gpu, UNIT_TOON, textures->toon.id,
                             mesh->renderer->clamp_sampler);
    return MMD_OK;
}

static void read_sample(const struct inspect_target *t, mmd_render_sample *sample)
{
    float terms[4];
    read_term(t, 0, terms);
    read_term(t, 1, sample->texture);
    read_term(t, 2, sample->sphere);
    read_term(t, 3, sample->toon);
    sample->toon_place = terms[0];
    sample->highlight = terms[1];
    sample->light = terms[2];
    glReadPixels(t->x, t->y, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &sample->depth);
}

static mmd_status draw_color(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc,
                             const mmd_triangle *triangle, const material_draw *draw, mmd_error *error)
{
    draw_program *program;
    mmd_status status = renderer_material_program(mesh->renderer, draw->features, &program, error);
    if (status != MMD_OK)
        return status;
    mmd_gpu_use_program(mesh->renderer->gpu, program->id);
    draw_set_uniforms(mesh->renderer, program, &desc->materials[triangle->material],
                      &mesh->textures[triangle->material], draw);
    draw_bind_material(mesh->renderer, &mesh->textures[triangle->material], draw);
    draw_triangle(mesh, triangle);
    return MMD_OK;
}

static mmd_status look_at_material(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc,
                                   const mmd_triangle *triangle, mmd_render_sample *sample, mmd_error *error)
{
    const struct inspect_target *t = mesh->renderer->inspect;
    material_draw draw = material_prepare(mesh, desc, triangle->material);
    if (!draw.visible)
        return MMD_OK;
    draw_cull_faces(mesh, desc, triangle->material);
    mmd_gpu_cull(mesh->renderer->gpu, GL_BACK);
    glVertexAttrib4f(DRAW_EXTRA, 0.0f, 0.0f, 0.0f, 0.0f);
    mmd_status status = prepare_probe(mesh, desc, triangle, &draw, error);
    if (status != MMD_OK)
        return status;
    draw_triangle(mesh, triangle);
    read_sample(t, sample);
    if (!(sample->depth < 1.0f))
        return MMD_OK;
    clear_all();
    draw_buffers(1);
    status = draw_color(mesh, desc, triangle, &draw, error);
    read_term(t, 0, sample->color);
    memcpy(sample->base_color, draw.base_color, sizeof sample->base_color);
    sample->covers = sample->color[3] >= 0.0f;
    return status;
}

static mmd_status look_at_edge(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc,
                               const mmd_triangle *triangle, mmd_render_sample *sample, mmd_error *error)
{
    mmd_renderer *renderer = mesh->renderer;
    const mmd_material_values *values = &desc->materials[triangle->material];
    if (!material_has_edge(mesh, desc, triangle->material) || desc->edge_scale <= 0.0f)
        return MMD_OK;
    edge_program *program;
    mmd_status status = renderer_edge_program(renderer, 0, &program, error);
    if (status != MMD_OK)
        return status;
    float width = desc->edge_scale * mmd_render_edge_width(&renderer->scene, desc->edge_origin);
    mmd_gpu_use_program(mesh->renderer->gpu, program->id);
    mmd_gpu_switch(mesh->renderer->gpu, GL_CULL_FACE, true);
    mmd_gpu_cull(mesh->renderer->gpu, GL_FRONT);
    const float size = width * values->edge_size, *color = values->edge_color;
    const float alpha = color[3] * desc->opacity;
    draw_set_uniform(&program->width, 1, &size);
    draw_set_uniform(&program->color, 4, (const float[4]){color[0], color[1], color[2], alpha});
    draw_buffers(1);
    draw_triangle(mesh, triangle);
    read_term(renderer->inspect, 0, sample->color);
    glReadPixels(renderer->inspect->x, renderer->inspect->y, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT,
                 &sample->depth);
    sample->covers = sample->color[3] >= 0.0f;
    return MMD_OK;
}

mmd_status mmd_render_inspect(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                              const mmd_triangle *triangle, mmd_render_sample *sample, mmd_error *error)
{
    assert(instance && desc && triangle && sample && instance->mesh->renderer->inspect);
    const mmd_render_mesh *mesh = instance->mesh;
    const draw_range *range = &mesh->ranges[triangle->material];
    *sample = (mmd_render_sample){.depth = 1.0f};
    if (!instance->skinned || range->mode != GL_TRIANGLES || 3 * triangle->number + 3 > range->count)
        return MMD_OK;
    mmd_gpu_bind_array(mesh->renderer->gpu, instance->array);
    mmd_gpu_switch(mesh->renderer->gpu, GL_BLEND, false);
    clear_all();
    mmd_status status = MMD_OK;
    if (triangle->edge)
        status = look_at_edge(mesh, desc, triangle, sample, error);
    else
        status = look_at_material(mesh, desc, triangle, sample, error);
    mmd_gpu_bind_array(mesh->renderer->gpu, 0);
    return status;
}
