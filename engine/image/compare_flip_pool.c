/*
 * A FLIP map in a few numbers, as NVIDIA's tool pools it (NVlabs/flip, tool/
 * pooling.h): the mean; the weighted median, up to which the values in rising
 * order make half of the sum; the largest. The tool adds up in 32 bits. To say
 * the same numbers, so does this; the exact mean stands beside.
 *
 * Sorted by their bits in three passes (positive floats order like integers).
 * Zeros, of which most maps are full, are left out: they add nothing.
 */
#include "compare_parts.h"

#include <assert.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, PASSES = 3 };

/* A map's values: their number, zeros too, and those that are not 0 in sorted. */
typedef struct values {
    uint64_t pixels;
    size_t count; /* of sorted */
    float *sorted, *spare;
    float sum, max;
    double exact_sum;
} values;

static uint32_t digit_of(float value, int pass)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> (pass * DIGIT_BITS) & (DIGITS - 1);
}

/* From sorted to spare, by one digit; equal digits keep their order. Then the two change places. */
static void sort_pass(values *v, int pass)
{
    size_t starts[DIGITS] = {0}, at = 0;
    for (size_t i = 0; i < v->count; i++)
        starts[digit_of(v->sorted[i], pass)]++;
    for (int i = 0; i < DIGITS; i++) {
        size_t count = starts[i];
        starts[i] = at;
        at += count;
    }
    for (size_t i = 0; i < v->count; i++)
        v->spare[starts[digit_of(v->sorted[i], pass)]++] = v->sorted[i];
    float *swap = v->sorted;
    v->sorted = v->spare;
    v->spare = swap;
}

/* Clears the map where pixels are ignored, and takes the others. */
static void take_values(const compare_region *region, float *map, values *v)
{
    size_t size = (size_t)region->width * region->height;
    for (size_t i = 0; i < size; i++) {
        if (region->mask && !region->mask[i]) {
            map[i] = 0;
            continue;
        }
        v->pixels++;
        if (map[i] > 0) {
            v->sorted[v->count++] = map[i];
            v->sum += map[i];
            v->exact_sum += (double)map[i];
            v->max = map[i] > v->max ? map[i] : v->max;
        }
    }
}

static float weighted_median(values *v)
{
    for (int pass = 0; pass < PASSES; pass++)
        sort_pass(v, pass);
    float sum = 0;
    for (size_t i = 0; i < v->count; i++) {
        sum += v->sorted[i];
        if (sum > 0.5f * v->sum)
            return v->sorted[i];
    }
    return 0;
}

size_t compare_flip_pool_scratch(uint32_t width, uint32_t height)
{
    return (size_t)width * height * 2 * sizeof(float);
}

void compare_flip_pool(const compare_region *region, float *map, float *scratch, mmd_compare_result *result)
{
    assert(region && result);
    values v = {.sorted = scratch, .spare = scratch + (size_t)region->width * region->height};
    take_values(region, map, &v);
    result->flip_mean = v.pixels ? (double)(v.sum / (float)v.pixels) : 0;
    result->flip_mean_exact = v.pixels ? v.exact_sum / (double)v.pixels : 0;
    result->flip_weighted_median = (double)weighted_median(&v);
    result->flip_max = (double)v.max;
}
