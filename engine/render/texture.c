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

void mmd_render_picture_init(mmd_render_picture *picture, mmd_image *image)
{
    assert(picture && image && image->pixels && image->width && image->height);
    *picture = (mmd_render_picture){.image = *image, .properties = describe(image)};
    *image = (mmd_image){0};
}

void mmd_render_picture_finish(mmd_render_picture *picture)
{
    assert(picture);
    mmd_image_finish(&picture->image);
    *picture = (mmd_render_picture){0};
}

bool mmd_render_picture_is_enlarged(const mmd_render_picture *picture)
{
    assert(picture);
    return !is_power_of_two(picture->image.width) || !is_power_of_two(picture->image.height);
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

/* Sets the pixels of a texture that is larger than the limit: enlarged, if `rows` makes them, and halved
 * until they fit. They are returned in new memory. NULL if out of memory. */
static uint8_t *shrink(mmd_gpu_texture_desc *desc, uint32_t limit)
{
    uint8_t *made = NULL;
    if (desc->rows) {
        made = mmd_alloc((size_t)desc->width * desc->height * 4);
        if (!made)
            return NULL;
        desc->rows(desc->rows_user, 0, desc->height, made);
        desc->data = made;
        desc->rows = NULL;
    }
    while (desc->width > limit || desc->height > limit) {
        uint32_t step_x = desc->width > limit ? 2 : 1, step_y = desc->height > limit ? 2 : 1;
        uint8_t *half = mmd_alloc((size_t)(desc->width / step_x) * (desc->height / step_y) * 4);
        if (half)
            halve(desc->data, desc->width, desc->height, step_x, step_y, half);
        mmd_free(made);
        if (!half)
            return NULL;
        desc->data = made = half;
        desc->width /= step_x;
        desc->height /= step_y;
    }
    return made;
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
    assert(renderer && picture && picture->image.pixels && label && texture);
    const mmd_image *image = &picture->image;
    const uint32_t limit = (uint32_t)mmd_gpu_get_info(renderer->gpu)->max_texture_size;
    mmd_gpu_texture_desc desc = {.width = image->width,
                                 .height = image->height,
                                 .format = MMD_GPU_RGBA8,
                                 .data = image->pixels,
                                 .mipmaps = true,
                                 .label = label};
    enlarger *enlarges = NULL;
    uint8_t *smaller = NULL;
    bool done = true;
    if (mmd_render_picture_is_enlarged(picture)) {
        enlarges = enlarger_create(image, picture->pool, &desc.width, &desc.height);
        desc.data = NULL;
        desc.rows = enlarger_rows;
        desc.rows_user = enlarges;
        done = enlarges != NULL;
    }
    if (done && (desc.width > limit || desc.height > limit)) {
        smaller = shrink(&desc, limit);
        done = smaller != NULL;
    }
    mmd_status status =
        done ? MMD_OK
             : mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory to resize %s", label);
    if (done && (desc.width < image->width || desc.height < image->height))
        mmd_log_message(&renderer->log, MMD_LOG_WARNING,
                        "%s: %u x %u is over this GPU's %u x %u; drawn as %u x %u", label, image->width,
                        image->height, limit, limit, desc.width, desc.height);
    *texture = picture->properties;
    if (done)
        status = mmd_gpu_texture_create(renderer->gpu, &desc, &texture->id, error);
    enlarger_destroy(enlarges);
    mmd_free(smaller);
    return status;
}

void mmd_render_texture_destroy(mmd_renderer *renderer, mmd_render_texture *texture)
{
    assert(renderer && texture);
    mmd_gpu_texture_destroy(renderer->gpu, texture->id);
    memset(texture, 0, sizeof *texture);
}
