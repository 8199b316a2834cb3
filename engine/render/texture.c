/* Creates textures from pictures. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "render_internal.h"

/* ------------------------------------------------------------ powers of two */

/*
 * Enlarges pictures to powers of two, as MMD does: Direct3D's helper library rounds sizes up by default, with
 * its "triangle" filter. That filter gives a new pixel the mean, over its area, of the old picture
 * interpolated linearly between pixel centres, with wrapping at the border. Frames of MMD 9.32 show it:
 * without this the blur at the steps of a 96 x 96 texture, drawn large, is half as wide as theirs.
 */

/* Weights of three neighbouring old pixels for a new one; old indices wrap around. */
typedef struct tap {
    uint32_t index[3];
    float weight[3];
} tap;

static uint32_t wrap_index(int64_t index, uint32_t count)
{
    if (index < 0)
        return (uint32_t)(index + count);
    return (uint32_t)(index % count);
}

/* Adds the mean of the line between old pixels first + piece and first + piece + 1 from `from` to `to`. */
static void add_piece(tap *t, int64_t first, int piece, double from, double to, double footprint)
{
    double share = (to - from) / footprint;
    double along = 0.5 * (from + to) - ((double)(first + piece) + 0.5);
    t->weight[piece] += (float)(share * (1.0 - along));
    t->weight[piece + 1] += (float)(share * along);
}

/* Computes the weights of a new pixel. Its area is at most one old pixel wide, so it contains at most one old
 * pixel centre. */
static tap tap_of(uint32_t pixel, uint32_t old_size, uint32_t new_size)
{
    double footprint = (double)old_size / (double)new_size;
    double from = (double)pixel * footprint, to = from + footprint;
    int64_t first = (int64_t)floor(from - 0.5);
    double centre = (double)first + 1.5;
    tap t = {.weight = {0.0f, 0.0f, 0.0f}};
    add_piece(&t, first, 0, from, to < centre ? to : centre, footprint);
    if (to > centre)
        add_piece(&t, first, 1, centre, to, footprint);
    for (int i = 0; i < 3; i++)
        t.index[i] = wrap_index(first + i, old_size);
    return t;
}

static void mix_rows(const mmd_image *image, const tap *t, float *row)
{
    size_t bytes = 4 * (size_t)image->width;
    const uint8_t *rows[3];
    for (int i = 0; i < 3; i++)
        rows[i] = image->pixels + t->index[i] * bytes;
    for (size_t x = 0; x < bytes; x++)
        row[x] = t->weight[0] * rows[0][x] + t->weight[1] * rows[1][x] + t->weight[2] * rows[2][x];
}

static void stretch_row(const float *row, const tap *taps, uint32_t width, uint8_t *out)
{
    for (uint32_t x = 0; x < width; x++) {
        const tap *t = &taps[x];
        for (size_t k = 0; k < 4; k++) {
            float value = 0.5f;
            for (int i = 0; i < 3; i++)
                value += t->weight[i] * row[4 * (size_t)t->index[i] + k];
            *out++ = (uint8_t)value;
        }
    }
}

static uint32_t next_power_of_two(uint32_t size)
{
    assert(size <= UINT32_C(0x80000000));
    uint32_t power = 1;
    while (power < size)
        power *= 2;
    return power;
}

/* Returns the picture with both sizes rounded up to powers of two, in new memory. NULL if out of memory. */
static uint8_t *enlarge_to_powers_of_two(const mmd_image *image, uint32_t *width, uint32_t *height)
{
    assert(image && width && height);
    *width = next_power_of_two(image->width);
    *height = next_power_of_two(image->height);
    uint8_t *pixels = mmd_alloc(4 * (size_t)*width * *height);
    tap *taps = mmd_alloc(*width * sizeof *taps);
    float *row = mmd_alloc(4 * (size_t)image->width * sizeof *row);
    if (pixels && taps && row) {
        for (uint32_t x = 0; x < *width; x++)
            taps[x] = tap_of(x, image->width, *width);
        for (uint32_t y = 0; y < *height; y++) {
            tap vertical = tap_of(y, image->height, *height);
            mix_rows(image, &vertical, row);
            stretch_row(row, taps, *width, pixels + 4 * (size_t)y * *width);
        }
    } else {
        mmd_free(pixels);
        pixels = NULL;
    }
    mmd_free(taps);
    mmd_free(row);
    return pixels;
}

/* ----------------------------------------------------------------- textures */

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

/* Halves pixels until they fit into limit x limit. Takes ownership of pixels. NULL if out of memory. */
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

mmd_status renderer_create_texture(mmd_renderer *renderer, const mmd_image *image, bool mipmaps,
                                   const char *label, mmd_render_texture *texture, mmd_error *error)
{
    assert(renderer && image && image->width && image->height && label && texture);
    describe(image, texture);
    mmd_gpu_texture_desc desc = {.width = image->width,
                                 .height = image->height,
                                 .format = MMD_GPU_RGBA8,
                                 .data = image->pixels,
                                 .mipmaps = mipmaps,
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

mmd_status mmd_render_texture_create(mmd_renderer *renderer, const mmd_image *image, const char *label,
                                     mmd_render_texture *texture, mmd_error *error)
{
    return renderer_create_texture(renderer, image, true, label, texture, error);
}

void mmd_render_texture_destroy(mmd_renderer *renderer, mmd_render_texture *texture)
{
    assert(renderer && texture);
    mmd_gpu_texture_destroy(renderer->gpu, texture->id);
    memset(texture, 0, sizeof *texture);
}
