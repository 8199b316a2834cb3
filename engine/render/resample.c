/*
 * Pictures enlarged to powers of two, as MMD's textures are: Direct3D's helper
 * library rounds sizes up so unless told otherwise, with its "triangle" filter.
 * That filter gives a new pixel the mean, over its area, of the old picture
 * interpolated linearly between pixel centres; beyond the border comes the
 * opposite one. MMD 9.32's frames show it: without this the blur at the steps
 * of uv-orientation.png (96 x 96, drawn large) is half as wide as theirs.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "render_internal.h"

/* A new pixel's weights for three neighbouring old ones; old indices are wrapped. */
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

/* A footprint is at most one old pixel long, so it has at most one old pixel's centre inside. */
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

uint32_t next_power_of_two(uint32_t size)
{
    assert(size <= UINT32_C(0x80000000));
    uint32_t power = 1;
    while (power < size)
        power *= 2;
    return power;
}

uint8_t *enlarge_to_powers_of_two(const mmd_image *image, uint32_t *width, uint32_t *height)
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
