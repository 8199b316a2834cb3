/* Pictures to textures. */
#include <assert.h>
#include <string.h>

#include "render_internal.h"

static void describe(const mmd_image *image, mmd_render_texture *texture)
{
    size_t count = (size_t)image->width * image->height;
    uint8_t lowest_alpha = 255, lowest = 255;
    for (const uint8_t *p = image->pixels, *end = p + 4 * count; p < end; p += 4) {
        if (p[3] < lowest_alpha)
            lowest_alpha = p[3];
        for (int k = 0; k < 3; k++)
            if (p[k] < lowest)
                lowest = p[k];
    }
    texture->min_alpha = lowest_alpha;
    memcpy(texture->bottom_left, image->pixels + 4 * ((size_t)image->height - 1) * image->width,
           sizeof texture->bottom_left);
    texture->white = lowest == 255 && lowest_alpha == 255;
}

/* Half as large in each direction that is over the limit: the mean of one, two or four pixels. */
static void halve(const uint8_t *from, uint32_t width, uint32_t height, uint32_t step_x, uint32_t step_y,
                  uint8_t *to)
{
    uint32_t count = step_x * step_y;
    for (uint32_t y = 0; y + step_y <= height; y += step_y) {
        for (uint32_t x = 0; x + step_x <= width; x += step_x) {
            for (uint32_t k = 0; k < 4; k++) {
                uint32_t sum = count / 2;
                for (uint32_t i = 0; i < count; i++)
                    sum += from[4 * ((size_t)(y + i / step_x) * width + x + i % step_x) + k];
                *to++ = (uint8_t)(sum / count);
            }
        }
    }
}

/* Halves pixels, which it takes over, until they fit into limit x limit. NULL: out of memory. */
static uint8_t *shrink(uint8_t *pixels, uint32_t *width, uint32_t *height, uint32_t limit)
{
    while (*width > limit || *height > limit) {
        uint32_t step_x = *width > limit ? 2 : 1, step_y = *height > limit ? 2 : 1;
        uint8_t *half = mmd_alloc((size_t)(*width / step_x) * (*height / step_y) * 4);
        if (half)
            halve(pixels, *width, *height, step_x, step_y, half);
        mmd_free(pixels);
        if (!half)
            return NULL;
        pixels = half;
        *width /= step_x;
        *height /= step_y;
    }
    return pixels;
}

mmd_status mmd_render_texture_create(mmd_renderer *renderer, const mmd_image *image, const char *label,
                                     mmd_render_texture *texture, mmd_error *error)
{
    assert(renderer && image && image->width && image->height && label && texture);
    describe(image, texture);
    mmd_gpu_texture_desc desc = {.width = image->width,
                                 .height = image->height,
                                 .format = MMD_GPU_RGBA8,
                                 .data = image->pixels,
                                 .mipmaps = true,
                                 .label = label};
    uint32_t limit = (uint32_t)mmd_gpu_get_info(renderer->gpu)->max_texture_size;
    uint8_t *changed = NULL;
    if (next_power_of_two(image->width) != image->width ||
        next_power_of_two(image->height) != image->height || image->width > limit || image->height > limit) {
        changed = enlarge_to_powers_of_two(image, &desc.width, &desc.height);
        if (changed)
            changed = shrink(changed, &desc.width, &desc.height, limit);
        if (!changed)
            return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory to resize %s", label);
        desc.data = changed;
    }
    if (desc.width < image->width || desc.height < image->height)
        mmd_log_message(&renderer->log, MMD_LOG_WARNING,
                        "%s: %u x %u is over this GPU's %u x %u; drawn as %u x %u", label, image->width,
                        image->height, limit, limit, desc.width, desc.height);
    mmd_status status = mmd_gpu_texture_create(renderer->gpu, &desc, &texture->id, error);
    mmd_free(changed);
    return status;
}

void mmd_render_texture_destroy(mmd_renderer *renderer, mmd_render_texture *texture)
{
    assert(renderer && texture);
    mmd_gpu_texture_destroy(renderer->gpu, texture->id);
    memset(texture, 0, sizeof *texture);
}
