/*
 * Differences in levels. One histogram per channel is enough for exact means, percentiles, squared errors and
 * maxima.
 *
 * PSNR = 10 log10(255^2 / MSE) as in ffmpeg's libavfilter/vf_psnr.c for planar RGB: the total uses the mean
 * MSE of the channels.
 */
#include "compare_parts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/elementary.h"

enum { LEVELS = 256 };

typedef struct histogram {
    uint64_t count[LEVELS];
} histogram;

/* Adds the differences of a row to the histograms and writes the largest per pixel. */
static void count_row(const compare_region *region, uint32_t y, int channels, histogram *series,
                      uint8_t *difference)
{
    const uint8_t *a = compare_row_a(region, y), *b = compare_row_b(region, y);
    const uint8_t *mask = compare_row_mask(region, y);
    for (uint32_t x = 0; x < region->width; x++, a += 4, b += 4) {
        difference[x] = 0;
        if (mask && !mask[x])
            continue;
        int largest = 0;
        for (int i = 0; i < channels; i++) {
            int level = abs(a[i] - b[i]);
            series[i].count[level]++;
            largest = level > largest ? level : largest;
        }
        series[MMD_COMPARE_PIXELS].count[largest]++;
        difference[x] = (uint8_t)largest;
    }
}

static uint64_t total(const histogram *h)
{
    uint64_t sum = 0;
    for (int i = 0; i < LEVELS; i++)
        sum += h->count[i];
    return sum;
}

/* Computes maximum, percentile and mean from a histogram. */
static mmd_compare_levels summarise(const histogram *h)
{
    mmd_compare_levels levels = {0};
    uint64_t values = total(h), seen = 0, sum = 0;
    bool found = false;
    for (uint32_t i = 0; i < LEVELS; i++) {
        seen += h->count[i];
        sum += h->count[i] * i;
        if (h->count[i])
            levels.largest = i;
        if (!found && seen * 100 >= values * 99) {
            levels.percentile_99 = i;
            found = true;
        }
    }
    levels.mean = values ? (double)sum / (double)values : 0;
    return levels;
}

/* Returns the mean squared error of a histogram. */
static double mean_square(const histogram *h)
{
    uint64_t values = total(h), sum = 0;
    for (uint64_t i = 0; i < LEVELS; i++)
        sum += h->count[i] * i * i;
    return values ? (double)sum / (double)values : 0;
}

static double decibels(double mean_square_error)
{
    const double per_log = 4.342944819032518; /* 10 / log(10) */
    return mean_square_error > 0 ? per_log * mmd_ln(255.0 * 255.0 / mean_square_error) : (double)INFINITY;
}

static void fill_psnr(const histogram *series, mmd_compare_result *result)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double error = mean_square(&series[i]);
        result->psnr[i] = decibels(error);
        sum += error;
    }
    result->psnr_all = decibels(sum / 3);
}

/* Counts the pixels over the threshold. */
static void fill_share(const histogram *pixels, uint8_t threshold, mmd_compare_result *result)
{
    result->pixels = total(pixels);
    result->over = 0;
    for (int i = threshold + 1; i < LEVELS; i++)
        result->over += pixels->count[i];
    result->share_over = result->pixels ? (double)result->over / (double)result->pixels : 0;
}

void compare_levels(const compare_region *region, bool alpha, uint8_t threshold, uint8_t *difference,
                    mmd_compare_result *result)
{
    assert(region && result);
    histogram series[MMD_COMPARE_SERIES];
    memset(series, 0, sizeof series);
    int channels = alpha ? 4 : 3;
    for (uint32_t y = 0; y < region->height; y++)
        count_row(region, y, channels, series, difference + (size_t)y * region->width);
    for (int i = 0; i < channels; i++)
        for (int level = 0; level < LEVELS; level++)
            series[MMD_COMPARE_CHANNELS].count[level] += series[i].count[level];
    for (int i = 0; i < MMD_COMPARE_SERIES; i++)
        result->levels[i] = summarise(&series[i]);
    fill_psnr(series, result);
    fill_share(&series[MMD_COMPARE_PIXELS], threshold, result);
}
