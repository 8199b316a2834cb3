/* MMD's ground grid and axes (docs/mmd.md 6.1): cells of 5 units, axes of 50 units. */
#include <assert.h>
#include <string.h>

#include "render_internal.h"

enum {
    CELL = 5,
    CELLS = 10,
    EXTENT = CELL * CELLS,
    GRID_VERTICES = 4 * (2 * CELLS + 1),
    VERTICES = GRID_VERTICES + 6
};

static void build(float (*vertices)[3])
{
    memset(vertices, 0, VERTICES * sizeof *vertices);
    for (int line = -CELLS; line <= CELLS; line++) {
        for (int end = -1; end <= 1; end += 2) {
            vertices[0][0] = (float)(line * CELL);
            vertices[0][2] = (float)(end * EXTENT);
            vertices[2][0] = (float)(end * EXTENT);
            vertices[2][2] = (float)(line * CELL);
            vertices++;
        }
        vertices += 2;
    }
    for (int axis = 0; axis < 3; axis++)
        vertices[2 * axis + 1][axis] = EXTENT;
}

static mmd_status create(mmd_renderer *renderer, mmd_error *error)
{
    mmd_status status = renderer_grid_program(renderer, error);
    if (status != MMD_OK)
        return status;
    float vertices[VERTICES][3];
    build(vertices);
    mmd_gpu_buffer_desc desc = {.data = vertices, .size = sizeof vertices, .label = "grid"};
    status = mmd_gpu_buffer_create(renderer->gpu, &desc, &renderer->grid_buffer, error);
    if (status != MMD_OK)
        return status;
    glGenVertexArrays(1, &renderer->grid_array);
    mmd_gpu_bind_array(renderer->gpu, renderer->grid_array);
    glBindBuffer(GL_ARRAY_BUFFER, renderer->grid_buffer);
    glEnableVertexAttribArray(DRAW_POSITION);
    glVertexAttribPointer(DRAW_POSITION, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    return mmd_gpu_check(renderer->gpu, "making the grid", error);
}

static void draw_lines(mmd_renderer *renderer, GLint first, GLsizei count, float r, float g, float b)
{
    glUniform4f(renderer->grid_color, r, g, b, 1.0f);
    glDrawArrays(GL_LINES, first, count);
    renderer->statistics.draw_calls++;
}

mmd_status mmd_render_grid(mmd_renderer *renderer, mmd_error *error)
{
    assert(renderer);
    if (!renderer->grid_array) {
        mmd_status status = create(renderer, error);
        if (status != MMD_OK)
            return status;
    }
    mmd_gpu_push_group(renderer->gpu, "grid");
    mmd_gpu_use_program(renderer->gpu, renderer->grid_program);
    mmd_gpu_bind_array(renderer->gpu, renderer->grid_array);
    draw_set_line_reach(renderer, renderer->grid_reach);
    mmd_gpu_switch(renderer->gpu, GL_BLEND, false);
    mmd_gpu_switch(renderer->gpu, GL_CULL_FACE, false);
    /* Draw the axes first, so that they win over grid lines at the same place. */
    mmd_gpu_depth_function(renderer->gpu, renderer_depth_function(renderer, GL_LESS));
    draw_lines(renderer, GRID_VERTICES, 2, 1.0f, 0.0f, 0.0f);
    draw_lines(renderer, GRID_VERTICES + 2, 2, 0.0f, 1.0f, 0.0f);
    draw_lines(renderer, GRID_VERTICES + 4, 2, 0.0f, 0.0f, 1.0f);
    draw_lines(renderer, 0, GRID_VERTICES, 0.5f, 0.5f, 0.5f);
    mmd_gpu_depth_function(renderer->gpu, renderer_depth_function(renderer, GL_LEQUAL));
    mmd_gpu_bind_array(renderer->gpu, 0);
    mmd_gpu_pop_group(renderer->gpu);
    return MMD_OK;
}
