/* Background pictures (docs/mmd.md 6.11). As MMD's, they repeat where a pixel at their edge reads beyond
 * them. */
#include <assert.h>

#include "render_internal.h"

mmd_status mmd_render_background_create(mmd_renderer *renderer, const mmd_image *image, uint32_t *texture,
                                        mmd_error *error)
{
    assert(renderer && image && image->width && image->height && texture);
    const mmd_gpu_texture_desc desc = {.width = image->width,
                                       .height = image->height,
                                       .format = MMD_GPU_RGBA8,
                                       .data = image->pixels,
                                       .label = "picture behind"};
    return mmd_gpu_texture_create(renderer->gpu, &desc, texture, error);
}

void mmd_render_background_destroy(mmd_renderer *renderer, uint32_t texture)
{
    assert(renderer);
    mmd_gpu_texture_destroy(renderer->gpu, texture);
}

mmd_status mmd_render_background(mmd_renderer *renderer, uint32_t texture, const float rectangle[4],
                                 mmd_error *error)
{
    assert(renderer);
    if (!renderer->background_program) {
        mmd_status status = renderer_background_program(renderer, error);
        if (status != MMD_OK)
            return status;
        glGenVertexArrays(1, &renderer->background_array);
    }
    const mmd_render_scene *scene = &renderer->scene;
    const float left = rectangle[0] - (float)scene->left, top = rectangle[1] - (float)scene->top;
    const float wide = 2.0f / (float)renderer->width, high = 2.0f / (float)renderer->height;
    mmd_gpu_push_group(renderer->gpu, "picture behind");
    mmd_gpu_use_program(renderer->gpu, renderer->background_program);
    glUniform4f(renderer->background_place, left * wide - 1.0f, 1.0f - top * high,
                (left + rectangle[2]) * wide - 1.0f, 1.0f - (top + rectangle[3]) * high);
    mmd_gpu_bind_texture(renderer->gpu, UNIT_TEXTURE, texture, renderer->repeat_sampler);
    mmd_gpu_bind_array(renderer->gpu, renderer->background_array);
    mmd_gpu_switch(renderer->gpu, GL_CULL_FACE, false);
    mmd_gpu_switch(renderer->gpu, GL_DEPTH_TEST, false);
    mmd_gpu_switch(renderer->gpu, GL_BLEND, true);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    mmd_gpu_switch(renderer->gpu, GL_DEPTH_TEST, true);
    mmd_gpu_bind_array(renderer->gpu, 0);
    renderer->statistics.draw_calls++;
    mmd_gpu_pop_group(renderer->gpu);
    return MMD_OK;
}
