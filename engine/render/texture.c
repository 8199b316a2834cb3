/* Creates textures from pictures. */
#include <assert.h>
#include <string.h>

#include "render_internal.h"

/* Four pixels as compilers compare them with vector instructions. */
enum { FOUR = 16 };
typedef uint8_t four __attribute__((vector_size(FOUR)));

/* Finds the properties of a picture's texture. */
static mmd_render_texture describe(const mmd_image *image)
{
    const size_t size = 4 * (size_t)image->width * image->height, rest = size % FOUR;
    four lowest = ~(four){0}, pixels = lowest;
    memcpy(&pixels, image->pixels + size - rest, rest);
    for (size_t at = 0;; at += FOUR) {
        const four is_lower = (four)(pixels < lowest);
        lowest = (pixels & is_lower) | (lowest & ~is_lower);
        if (at == size - rest)
            break;
        memcpy(&pixels, image->pixels + at, FOUR);
    }
    mmd_render_texture found = {.min_alpha = 255, .white = true};
    for (size_t i = 0; i < FOUR; i++) {
        found.white = found.white && lowest[i] == 255;
        if (i % 4 == 3 && lowest[i] < found.min_alpha)
            found.min_alpha = lowest[i];
    }
    memcpy(found.bottom_left, image->pixels + 4 * ((size_t)image->height - 1) * image->width,
           sizeof found.bottom_left);
    return found;
}

static bool is_power_of_two(uint32_t side)
{
    return (side & (side - 1)) == 0;
}

static mmd_status fail_to_resize(const char *label, mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory to resize %s", label);
}

mmd_status mmd_render_picture_init(mmd_render_picture *picture, mmd_image *image, mmd_error *error)
{
    assert(picture && image && image->pixels && image->width && image->height);
    *picture = (mmd_render_picture){.width = image->width,
                                    .height = image->height,
                                    .old_width = image->width,
                                    .old_height = image->height,
                                    .properties = describe(image)};
    if (is_power_of_two(image->width) && is_power_of_two(image->height)) {
        picture->pixels = image->pixels;
        *image = (mmd_image){0};
    } else {
        picture->pixels = enlarge_to_powers_of_two(image, &picture->width, &picture->height);
        mmd_image_finish(image);
    }
    if (picture->pixels)
        picture->levels = mmd_alloc(mmd_gpu_levels_size(picture->width, picture->height));
    if (!picture->levels) {
        mmd_render_picture_finish(picture);
        return fail_to_resize("a picture", error);
    }
    mmd_gpu_make_levels(picture->pixels, picture->width, picture->height, picture->levels);
    return MMD_OK;
}

void mmd_render_picture_finish(mmd_render_picture *picture)
{
    assert(picture);
    mmd_free(picture->pixels);
    mmd_free(picture->levels);
    *picture = (mmd_render_picture){0};
}

/* Halves the picture in each direction that is over the limit, by the mean of two or four pixels. */
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

/* Returns pixels halved until they fit into limit x limit, which they do not, in new memory. NULL if out of
 * memory. */
static uint8_t *shrink(const uint8_t *pixels, uint32_t *width, uint32_t *height, uint32_t limit)
{
    uint8_t *smaller = NULL;
    while (*width > limit || *height > limit) {
        uint32_t step_x = *width > limit ? 2 : 1, step_y = *height > limit ? 2 : 1;
        uint8_t *half = mmd_alloc((size_t)(*width / step_x) * (*height / step_y) * 4);
        if (half)
            halve(smaller ? smaller : pixels, *width, *height, step_x, step_y, half);
        mmd_free(smaller);
        if (!half)
            return NULL;
        smaller = half;
        *width /= step_x;
        *height /= step_y;
    }
    return smaller;
}

mmd_status renderer_create_toon(mmd_renderer *renderer, const mmd_image *image, const char *label,
                                mmd_render_texture *texture, mmd_error *error)
{
    assert(renderer && image && label && texture);
    const mmd_gpu_texture_desc desc = {.width = image->width,
                                       .height = image->height,
                                       .format = MMD_GPU_RGBA8,
                                       .data = image->pixels,
                                       .label = label};
    *texture = describe(image);
    return mmd_gpu_texture_create(renderer->gpu, &desc, &texture->id, error);
}

mmd_status mmd_render_texture_create(mmd_renderer *renderer, const mmd_render_picture *picture,
                                     const char *label, mmd_render_texture *texture, mmd_error *error)
{
    assert(renderer && picture && picture->pixels && picture->levels && label && texture);
    const uint32_t limit = (uint32_t)mmd_gpu_get_info(renderer->gpu)->max_texture_size;
    mmd_gpu_texture_desc desc = {.width = picture->width,
                                 .height = picture->height,
                                 .format = MMD_GPU_RGBA8,
                                 .data = picture->pixels,
                                 .mipmaps = true,
                                 .levels = picture->levels,
                                 .label = label};
    uint8_t *smaller = NULL;
    if (desc.width > limit || desc.height > limit) {
        smaller = shrink(picture->pixels, &desc.width, &desc.height, limit);
        if (!smaller)
            return fail_to_resize(label, error);
        desc.data = smaller;
        desc.levels = NULL;
    }
    if (desc.width < picture->old_width || desc.height < picture->old_height)
        mmd_log_message(&renderer->log, MMD_LOG_WARNING,
                        "%s: %u x %u is over this GPU's %u x %u; drawn as %u x %u", label, picture->old_width,
                        picture->old_height, limit, limit, desc.width, desc.height);
    *texture = picture->properties;
    mmd_status status = mmd_gpu_texture_create(renderer->gpu, &desc, &texture->id, error);
    mmd_free(smaller);
    return status;
}

void mmd_render_texture_destroy(mmd_renderer *renderer, mmd_render_texture *texture)
{
    assert(renderer && texture);
    mmd_gpu_texture_destroy(renderer->gpu, texture->id);
    memset(texture, 0, sizeof *texture);
}
