/*
 * Wireframe: triangles as lines over their surfaces, with hidden lines removed. The distance of a pixel to
 * the sides comes from barycentric coordinates (after Bærentzen et al., "Single-Pass Wireframe Rendering",
 * 2006); vertices have them because each corner is fetched separately. So lines have an exact width, are
 * smooth without multisampling, and fade where triangles are smaller than pixels.
 */
#include <assert.h>

#include "odori_shaders.h"
#include "render_internal.h"

enum { UNIT_ELEMENTS, UNIT_VERTICES };

/* Height of the picture, in pixels, for which line widths are meant. Lines are never thinner than a pixel. */
static const float rows_of_widths = 900.0f;

static mmd_status create_program(mmd_renderer *renderer, mmd_error *error)
{
    const mmd_gpu_source parts[] = {{"scene.glsl", shader_scene_glsl}};
    const mmd_gpu_program_desc desc = {
        .vertex = {.main = {"wire.vert", shader_wire_vert}, .parts = parts, .part_count = 1},
        .fragment = {.main = {"wire.frag", shader_wire_frag}},
        .label = "wire"};
    mmd_status status = mmd_gpu_program_create(renderer->gpu, &desc, &renderer->wire_program, error);
    if (status != MMD_OK)
        return status;
    glGenVertexArrays(1, &renderer->wire_array);
    glGenTextures(2, renderer->wire_buffers);
    glUniformBlockBinding(renderer->wire_program, glGetUniformBlockIndex(renderer->wire_program, "Scene"), 0);
    glUseProgram(renderer->wire_program);
    glUniform1i(glGetUniformLocation(renderer->wire_program, "elements"), UNIT_ELEMENTS);
    glUniform1i(glGetUniformLocation(renderer->wire_program, "vertices"), UNIT_VERTICES);
    return mmd_gpu_check(renderer->gpu, "setting up the wires", error);
}

void renderer_destroy_wires(mmd_renderer *renderer)
{
    assert(renderer);
    mmd_gpu_program_destroy(renderer->gpu, renderer->wire_program);
    glDeleteVertexArrays(1, &renderer->wire_array);
    glDeleteTextures(2, renderer->wire_buffers);
}

static void bind_buffer(GLuint unit, GLuint texture, GLenum format, GLuint buffer)
{
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_BUFFER, texture);
    glTexBuffer(GL_TEXTURE_BUFFER, format, buffer);
}

static void bind_mesh(const mmd_render_instance *instance)
{
    const mmd_render_mesh *mesh = instance->mesh;
    const mmd_renderer *renderer = mesh->renderer;
    float scale = (float)renderer->scene.picture_height / rows_of_widths;
    glUseProgram(renderer->wire_program);
    glUniform1f(glGetUniformLocation(renderer->wire_program, "scale"), scale > 1.0f ? scale : 1.0f);
    glUniform1i(glGetUniformLocation(renderer->wire_program, "stride"),
                (GLint)(mesh->stride / sizeof(float)));
    bind_buffer(UNIT_ELEMENTS, renderer->wire_buffers[0],
                mesh->element_type == GL_UNSIGNED_SHORT ? GL_R16UI : GL_R32UI, mesh->element_buffer);
    bind_buffer(UNIT_VERTICES, renderer->wire_buffers[1], GL_R32F, instance->vertices);
    glBindVertexArray(renderer->wire_array);
}

static void draw_materials(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc)
{
    GLint first = glGetUniformLocation(mesh->renderer->wire_program, "first");
    for (uint32_t m = 0; m < mesh->model->material_count; m++) {
        const draw_range *range = &mesh->ranges[m];
        if (!material_is_visible(mesh, desc, m) || range->mode != GL_TRIANGLES)
            continue;
        glUniform1i(first, (GLint)range->first);
        draw_enable(GL_CULL_FACE, !(mesh->model->materials[m].flags & MMD_MATERIAL_TWO_SIDED));
        glDrawArrays(GL_TRIANGLES, (GLint)range->first, (GLsizei)range->count);
        mesh->renderer->statistics.draw_calls++;
    }
}

/* Tests whether the GPU can fetch from buffers of this size; otherwise no wireframe is drawn. */
static bool fits(const mmd_render_instance *instance)
{
    const mmd_render_mesh *mesh = instance->mesh;
    GLint most = 0;
    uint64_t elements = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    for (uint32_t m = 0; m < mesh->model->material_count; m++)
        elements += mesh->ranges[m].count;
    uint64_t numbers = (uint64_t)mesh->model->vertices.count * mesh->stride / sizeof(float);
    return elements <= (uint64_t)most && numbers <= (uint64_t)most;
}

mmd_status mmd_render_wire(mmd_render_instance *instance, const mmd_render_model_desc *desc, mmd_error *error)
{
    assert(instance && instance->mesh && desc);
    mmd_renderer *renderer = instance->mesh->renderer;
    if (!instance->skinned || !fits(instance))
        return MMD_OK;
    mmd_status status = renderer->wire_program ? MMD_OK : create_program(renderer, error);
    if (status != MMD_OK)
        return status;
    mmd_gpu_push_group(renderer->gpu, "wire");
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    glCullFace(GL_BACK);
    renderer_set_polygon_offset(renderer, -1.0f, -2.0f);
    bind_mesh(instance);
    draw_materials(instance->mesh, desc);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDepthMask(GL_TRUE);
    glBindVertexArray(0);
    glActiveTexture(GL_TEXTURE0 + UNIT_VERTICES);
    glBindTexture(GL_TEXTURE_BUFFER, 0);
    mmd_gpu_pop_group(renderer->gpu);
    return MMD_OK;
}
