/*
 * Lines and dots over the picture for invisible things: bodies, joints, contacts. Parts behind surfaces are
 * drawn faintly, so that a body inside an arm is visible as being inside. Each line has a dark rim below all
 * lines, which makes lines stand out on white and from each other.
 */
#include <assert.h>
#include <stddef.h>

#include "render_internal.h"

static const float hidden_opacity = 0.65f;

/* Width of the rim on each side (in the unit of line widths), and its opacities. */
static const float rim_width = 0.75f, rim_opacity = 0.45f, hidden_rim_opacity = 0.15f;

/* Height of the picture, in pixels, for which line widths are meant. */
static const float rows_of_widths = 720.0f;

static void attribute(GLuint number, GLint components, GLenum type, size_t offset)
{
    glEnableVertexAttribArray(number);
    glVertexAttribPointer(number, components, type, type == GL_UNSIGNED_BYTE, sizeof(mmd_render_line),
                          (const void *)offset);
    glVertexAttribDivisor(number, 1);
}

static mmd_status create(mmd_renderer *renderer, mmd_error *error)
{
    mmd_status status = renderer_line_program(renderer, error);
    if (status != MMD_OK)
        return status;
    glGenBuffers(1, &renderer->line_buffer);
    glGenVertexArrays(1, &renderer->line_array);
    mmd_gpu_bind_array(renderer->gpu, renderer->line_array);
    glBindBuffer(GL_ARRAY_BUFFER, renderer->line_buffer);
    attribute(0, 3, GL_FLOAT, offsetof(mmd_render_line, from));
    attribute(1, 3, GL_FLOAT, offsetof(mmd_render_line, to));
    attribute(2, 4, GL_UNSIGNED_BYTE, offsetof(mmd_render_line, color));
    attribute(3, 1, GL_FLOAT, offsetof(mmd_render_line, width));
    attribute(4, 1, GL_FLOAT, offsetof(mmd_render_line, faint));
    return mmd_gpu_check(renderer->gpu, "making the lines", error);
}

/* Uploads lines. The buffer keeps its size once it is large enough; its old contents are orphaned so that
 * nothing waits for them. */
static void upload(mmd_renderer *renderer, const mmd_render_line *lines, size_t count)
{
    glBindBuffer(GL_ARRAY_BUFFER, renderer->line_buffer);
    if (count > renderer->line_room)
        renderer->line_room = count + count / 2;
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(renderer->line_room * sizeof *lines), NULL, GL_STREAM_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)(count * sizeof *lines), lines);
}

/* Draws lines, or their dark rims. rim: how much wider a rim is; 0 for the lines themselves. */
static void draw(mmd_renderer *renderer, size_t count, float rim, float hidden, float opacity)
{
    glUniform1f(renderer->line_rim, rim);
    glUniform1f(renderer->line_behind, 1.0f);
    mmd_gpu_depth_function(renderer->gpu, renderer_depth_function(renderer, GL_GREATER));
    glUniform1f(renderer->line_opacity, hidden);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)count);
    glUniform1f(renderer->line_behind, 0.0f);
    mmd_gpu_depth_function(renderer->gpu, renderer_depth_function(renderer, GL_LEQUAL));
    glUniform1f(renderer->line_opacity, opacity);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)count);
    renderer->statistics.draw_calls += 2;
}

mmd_status mmd_render_lines(mmd_renderer *renderer, const mmd_render_line *lines, size_t count,
                            mmd_error *error)
{
    assert(renderer && (lines || !count) && count <= INT32_MAX / sizeof *lines);
    if (!count)
        return MMD_OK;
    mmd_status status = renderer->line_array ? MMD_OK : create(renderer, error);
    if (status != MMD_OK)
        return status;
    float scale = (float)renderer->scene.picture_height / rows_of_widths;
    mmd_gpu_push_group(renderer->gpu, "lines");
    mmd_gpu_use_program(renderer->gpu, renderer->line_program);
    glUniform2f(renderer->line_pixel, 2.0f / (float)renderer->width, 2.0f / (float)renderer->height);
    glUniform1f(renderer->line_scale, scale);
    mmd_gpu_bind_array(renderer->gpu, renderer->line_array);
    upload(renderer, lines, count);
    mmd_gpu_switch(renderer->gpu, GL_CULL_FACE, false);
    mmd_gpu_switch(renderer->gpu, GL_BLEND, true);
    mmd_gpu_write_depth(renderer->gpu, false);
    draw(renderer, count, rim_width, hidden_rim_opacity, rim_opacity);
    draw(renderer, count, 0.0f, hidden_opacity, 1.0f);
    mmd_gpu_write_depth(renderer->gpu, true);
    mmd_gpu_bind_array(renderer->gpu, 0);
    mmd_gpu_pop_group(renderer->gpu);
    return MMD_OK;
}
