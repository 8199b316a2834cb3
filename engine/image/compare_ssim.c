/*
 * Structural similarity. Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli: Image Quality Assessment: From
 * Error Visibility to Structural Similarity (IEEE TIP 13(4), 2004). Windows are unweighted, 8 x 8 pixels
 * every 4 pixels, with the constants of ffmpeg's ssim filter, so numbers are comparable.
 *
 * Sums are computed once per block of 4 x 4. A window consists of four blocks.
 */
#include "compare_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 4, PLANES = 4 /* red, green, blue, luma */ };

/* Sums over the pixels of each plane. */
typedef struct sums {
    uint64_t a[PLANES], b[PLANES], squares[PLANES], product[PLANES], pixels;
} sums;

typedef struct block {
    uint32_t a[PLANES], b[PLANES], squares[PLANES], product[PLANES], pixels;
} block;

size_t compare_ssim_scratch(uint32_t width)
{
    return 2 * ((size_t)width / BLOCK + 1) * sizeof(block);
}

/* Adds a pixel's values, squares and products in all planes to a block. */
static void add_pixel(block *to, const uint8_t *a, const uint8_t *b)
{
    const uint8_t planes_a[PLANES] = {a[0], a[1], a[2], compare_luma(a)};
    const uint8_t planes_b[PLANES] = {b[0], b[1], b[2], compare_luma(b)};
    for (int i = 0; i < PLANES; i++) {
        uint32_t p = planes_a[i], q = planes_b[i];
        to->a[i] += p;
        to->b[i] += q;
        to->squares[i] += p * p + q * q;
        to->product[i] += p * q;
    }
    to->pixels++;
}

/* Adds a row of pixels to a block. */
static void add_row(block *to, const uint8_t *a, const uint8_t *b, const uint8_t *mask, uint32_t count)
{
    for (uint32_t x = 0; x < count; x++)
        if (!mask || mask[x])
            add_pixel(to, a + 4 * (size_t)x, b + 4 * (size_t)x);
}

/* Sums all complete blocks of the rows from y on. */
static void sum_blocks(const compare_region *region, uint32_t y, block *blocks)
{
    uint32_t count = region->width / BLOCK;
    memset(blocks, 0, count * sizeof *blocks);
    for (uint32_t row = y; row < y + BLOCK; row++) {
        const uint8_t *a = compare_row_a(region, row), *b = compare_row_b(region, row);
        const uint8_t *mask = compare_row_mask(region, row);
        for (size_t i = 0; i < count; i++)
            add_row(&blocks[i], a + i * BLOCK * 4, b + i * BLOCK * 4, mask ? mask + i * BLOCK : NULL, BLOCK);
    }
}

static void add_block(sums *to, const block *from)
{
    for (int i = 0; i < PLANES; i++) {
        to->a[i] += from->a[i];
        to->b[i] += from->b[i];
        to->squares[i] += from->squares[i];
        to->product[i] += from->product[i];
    }
    to->pixels += from->pixels;
}

/* Returns the similarity of a plane in a window. Means, variances and covariance are scaled by the square of
 * its pixel count. */
static double similarity(const sums *window, int plane)
{
    double n = (double)window->pixels, a = (double)window->a[plane], b = (double)window->b[plane];
    double c1 = floor(0.01 * 0.01 * 255 * 255 * n + 0.5);
    double c2 = floor(0.03 * 0.03 * 255 * 255 * n * (n - 1) + 0.5);
    double variances = (double)window->squares[plane] * n - a * a - b * b;
    double covariance = (double)window->product[plane] * n - a * b;
    double luminance = (2 * a * b + c1) / (a * a + b * b + c1);
    double denominator = variances + c2;
    return denominator > 0 ? luminance * (2 * covariance + c2) / denominator : luminance;
}

typedef struct mean {
    double sum[PLANES];
    uint64_t windows;
} mean;

static void add_window(mean *to, const sums *window)
{
    for (int i = 0; i < PLANES; i++)
        to->sum[i] += similarity(window, i);
    to->windows++;
}

/* Adds the windows of two neighbouring rows of blocks. Windows with ignored pixels are left out. */
static void add_windows(mean *to, const block *above, const block *below, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i++) {
        sums window = {0};
        add_block(&window, &above[i]);
        add_block(&window, &above[i + 1]);
        add_block(&window, &below[i]);
        add_block(&window, &below[i + 1]);
        if (window.pixels == 4 * BLOCK * BLOCK)
            add_window(to, &window);
    }
}

/* Adds one window of all pixels, used if no complete window fits. */
static void add_everything(mean *to, const compare_region *region)
{
    sums window = {0};
    for (uint32_t y = 0; y < region->height; y++) {
        const uint8_t *a = compare_row_a(region, y), *b = compare_row_b(region, y);
        const uint8_t *mask = compare_row_mask(region, y);
        for (uint32_t x = 0; x < region->width; x++) {
            block pixel = {.pixels = 0};
            add_row(&pixel, a + 4 * (size_t)x, b + 4 * (size_t)x, mask ? mask + x : NULL, 1);
            add_block(&window, &pixel);
        }
    }
    if (window.pixels)
        add_window(to, &window);
}

void compare_ssim(const compare_region *region, void *scratch, mmd_compare_result *result)
{
    assert(region && result);
    uint32_t count = region->width / BLOCK;
    block *rows[2] = {scratch, (block *)scratch + count + 1};
    mean over = {.windows = 0};
    for (uint32_t y = 0; y < region->height / BLOCK; y++) {
        sum_blocks(region, y * BLOCK, rows[y % 2]);
        if (y > 0)
            add_windows(&over, rows[(y - 1) % 2], rows[y % 2], count);
    }
    if (over.windows == 0)
        add_everything(&over, region);
    double values[PLANES];
    for (int i = 0; i < PLANES; i++)
        values[i] = over.windows ? over.sum[i] / (double)over.windows : 1;
    memcpy(result->ssim, values, sizeof result->ssim);
    result->ssim_all = (values[0] + values[1] + values[2]) / 3;
    result->ssim_luma = values[3];
}
