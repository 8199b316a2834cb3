/* Shared by the files compare_*.c; not a public header. */
#ifndef MMD_COMPARE_PARTS_H
#define MMD_COMPARE_PARTS_H

#include "mmd/compare.h"

/* The two pictures of the region, four bytes per pixel: RGB over the background, then alpha. */
typedef struct compare_region {
    const uint8_t *a, *b;      /* first pixel of the region */
    size_t a_stride, b_stride; /* bytes per row */
    uint32_t width, height;
    const uint8_t *mask; /* width * height, 0: ignored; NULL: none is ignored */
} compare_region;

static inline const uint8_t *compare_row_a(const compare_region *region, uint32_t y)
{
    return region->a + y * region->a_stride;
}

static inline const uint8_t *compare_row_b(const compare_region *region, uint32_t y)
{
    return region->b + y * region->b_stride;
}

static inline const uint8_t *compare_row_mask(const compare_region *region, uint32_t y)
{
    return region->mask ? region->mask + (size_t)y * region->width : NULL;
}

/* The results of the last run of a comparison. region is NULL if there was none. */
typedef struct compare_last {
    const compare_region *region;
    const mmd_compare_result *result;
    const uint8_t *difference;
    uint32_t a_width, a_height;
    uint8_t threshold;
} compare_last;

compare_last compare_last_run(const mmd_compare *compare);

/* Returns luma as in JPEG (ITU-R BT.601, full range), rounded. */
static inline uint8_t compare_luma(const uint8_t *rgb)
{
    return (uint8_t)((299u * rgb[0] + 587u * rgb[1] + 114u * rgb[2] + 500u) / 1000u);
}

/* Computes levels, pixels, over, share and PSNR of the result, and the plane of the largest differences. */
void compare_levels(const compare_region *region, bool alpha, uint8_t threshold, uint8_t *difference,
                    mmd_compare_result *result);

/* Return the scratch bytes for compare_ssim of a region of this width, and compute SSIM of the result. */
size_t compare_ssim_scratch(uint32_t width);
void compare_ssim(const compare_region *region, void *scratch, mmd_compare_result *result);

/*
 * Return the scratch bytes for compare_flip of a region of this size, aligned for floats, and compute FLIP.
 */
size_t compare_flip_scratch(uint32_t width, uint32_t height, float pixels_per_degree);
void compare_flip(const compare_region *region, float pixels_per_degree, void *scratch, float *plane,
                  mmd_compare_result *result);

/* A whole picture's luma, one byte per pixel, for the search of the shift. */
typedef struct compare_plane {
    uint32_t width, height;
    const uint8_t *pixels;
} compare_plane;

typedef struct compare_shift {
    int32_t x, y;
} compare_shift;

/* Returns the bytes for the smaller copies of a picture. */
size_t compare_align_scratch(uint32_t width, uint32_t height);

/* Returns the shift with the smallest mean difference. a_scratch and b_scratch have compare_align_scratch
 * bytes each. */
compare_shift compare_align_search(compare_plane a, compare_plane b, uint32_t max_shift, uint8_t *a_scratch,
                                   uint8_t *b_scratch);

#endif
