/* Compares two pictures: memory, alpha and alignment. The metrics are in the other files compare_*.c. */
#include "compare_parts.h"
#include "mmd/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The sizes that the memory of a comparison suffices for. */
typedef struct capacity {
    size_t a_pixels, b_pixels, a_halves, b_halves, region_pixels, metric_bytes;
} capacity;

struct mmd_compare {
    mmd_arena arena;
    capacity capacity;
    uint8_t *a, *b;               /* memory for the pictures over the background */
    const uint8_t *seen[2];       /* RGB over the background, then alpha: in that memory, or lent */
    uint8_t *a_luma, *b_luma;     /* for the search of the shift */
    uint8_t *a_halves, *b_halves; /* the same at smaller sizes */
    uint8_t *mask, *difference;   /* of the region, one byte per pixel */
    float *flip;
    void *metric;         /* scratch memory, used by one metric at a time */
    bool ready, has_flip; /* state of the last run */
    uint8_t threshold;
    compare_region region;
    mmd_compare_result result;
    uint32_t a_width, a_height;
};

mmd_compare_options mmd_default_compare_options(void)
{
    return (mmd_compare_options){.align = MMD_COMPARE_ALIGN_SIZES,
                                 .max_shift = 32,
                                 .alpha = MMD_COMPARE_ALPHA_BOTH,
                                 .threshold = 2,
                                 .ssim = true,
                                 .flip = true,
                                 .pixels_per_degree = MMD_COMPARE_PIXELS_PER_DEGREE};
}

mmd_compare *mmd_compare_create(void)
{
    mmd_compare *compare = mmd_alloc(sizeof *compare);
    if (compare)
        *compare = (mmd_compare){.ready = false};
    return compare;
}

void mmd_compare_destroy(mmd_compare *compare)
{
    if (!compare)
        return;
    mmd_arena_finish(&compare->arena);
    mmd_free(compare);
}

/* --- Memory --- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static uint32_t smaller_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Returns the sizes that a comparison of two pictures needs. */
static capacity needed(const mmd_image *a, const mmd_image *b, const mmd_compare_options *options)
{
    uint32_t width = smaller_u32(a->width, b->width), height = smaller_u32(a->height, b->height);
    size_t flip = options->flip ? compare_flip_scratch(width, height, options->pixels_per_degree) : 0;
    return (capacity){.a_pixels = (size_t)a->width * a->height,
                      .b_pixels = (size_t)b->width * b->height,
                      .a_halves = compare_align_scratch(a->width, a->height),
                      .b_halves = compare_align_scratch(b->width, b->height),
                      .region_pixels = (size_t)width * height,
                      .metric_bytes = larger(flip, compare_ssim_scratch(width))};
}

static bool suffices(const capacity *have, const capacity *need)
{
    return have->a_pixels >= need->a_pixels && have->b_pixels >= need->b_pixels &&
           have->a_halves >= need->a_halves && have->b_halves >= need->b_halves &&
           have->region_pixels >= need->region_pixels && have->metric_bytes >= need->metric_bytes;
}

/* Returns the larger of each size, so memory never shrinks. */
static capacity both(const capacity *p, const capacity *q)
{
    return (capacity){.a_pixels = larger(p->a_pixels, q->a_pixels),
                      .b_pixels = larger(p->b_pixels, q->b_pixels),
                      .a_halves = larger(p->a_halves, q->a_halves),
                      .b_halves = larger(p->b_halves, q->b_halves),
                      .region_pixels = larger(p->region_pixels, q->region_pixels),
                      .metric_bytes = larger(p->metric_bytes, q->metric_bytes)};
}

/* Allocates all memory anew in the arena. */
static bool allocate(mmd_compare *c, const capacity *need)
{
    mmd_arena *arena = &c->arena;
    mmd_arena_finish(arena);
    c->capacity = (capacity){0};
    c->a = mmd_arena_alloc(arena, need->a_pixels, 4);
    c->b = mmd_arena_alloc(arena, need->b_pixels, 4);
    c->a_luma = mmd_arena_alloc(arena, need->a_pixels, 1);
    c->b_luma = mmd_arena_alloc(arena, need->b_pixels, 1);
    c->a_halves = mmd_arena_alloc(arena, need->a_halves, 1);
    c->b_halves = mmd_arena_alloc(arena, need->b_halves, 1);
    c->mask = mmd_arena_alloc(arena, need->region_pixels, 1);
    c->difference = mmd_arena_alloc(arena, need->region_pixels, 1);
    c->flip = mmd_arena_alloc(arena, need->region_pixels, sizeof *c->flip);
    c->metric = mmd_arena_alloc(arena, need->metric_bytes, 1);
    if (!c->a || !c->b || !c->a_luma || !c->b_luma || !c->a_halves || !c->b_halves || !c->mask ||
        !c->difference || !c->flip || !c->metric)
        return false;
    c->capacity = *need;
    return true;
}

/* Ensures that the memory suffices for two pictures. */
static mmd_status prepare(mmd_compare *compare, const mmd_image *a, const mmd_image *b,
                          const mmd_compare_options *options, mmd_error *error)
{
    capacity need = needed(a, b, options);
    if (suffices(&compare->capacity, &need))
        return MMD_OK;
    need = both(&compare->capacity, &need);
    if (allocate(compare, &need))
        return MMD_OK;
    mmd_arena_finish(&compare->arena);
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET,
                         "no memory to compare pictures of %u by %u and %u by %u", a->width, a->height,
                         b->width, b->height);
}

/* --- Alpha --- */

/* Blends a colour over another, rounded. */
static uint8_t mix(uint8_t color, uint8_t behind, unsigned alpha)
{
    return (uint8_t)((color * alpha + behind * (255 - alpha) + 127) / 255);
}

/* Composites a picture over the background and keeps its alpha in the fourth channel. */
static void composite(const mmd_image *image, const uint8_t *background, uint8_t *to)
{
    const uint8_t *from = image->pixels;
    size_t count = (size_t)image->width * image->height;
    for (size_t i = 0; i < count; i++, from += 4, to += 4) {
        for (int c = 0; c < 3; c++)
            to[c] = from[3] == 255 ? from[c] : mix(from[c], background[c], from[3]);
        to[3] = from[3];
    }
}

/* Returns the pixels of a picture over the background. to: memory for a copy. */
static const uint8_t *see(const mmd_image *image, const mmd_compare_options *options, uint8_t *to)
{
    if (options->lends && !image->has_alpha)
        return image->pixels;
    if (options->alpha == MMD_COMPARE_ALPHA_IGNORE)
        memcpy(to, image->pixels, 4 * (size_t)image->width * image->height);
    else
        composite(image, options->background, to);
    return to;
}

static bool compares_alpha(const mmd_image *a, const mmd_image *b, mmd_compare_alpha choice)
{
    if (choice == MMD_COMPARE_ALPHA_BOTH)
        return a->has_alpha && b->has_alpha;
    return choice == MMD_COMPARE_ALPHA_ALWAYS;
}

/* --- The region --- */

static compare_plane make_luma(const mmd_image *image, const uint8_t *pixels, uint8_t *luma)
{
    size_t count = (size_t)image->width * image->height;
    for (size_t i = 0; i < count; i++)
        luma[i] = compare_luma(pixels + 4 * i);
    return (compare_plane){image->width, image->height, luma};
}

/* Returns the shift by the options, searching it if necessary. */
static compare_shift choose_shift(mmd_compare *compare, const mmd_image *a, const mmd_image *b,
                                  const mmd_compare_options *options)
{
    bool equal = a->width == b->width && a->height == b->height;
    if (options->align == MMD_COMPARE_ALIGN_NONE)
        return (compare_shift){options->shift_x, options->shift_y};
    if (options->align == MMD_COMPARE_ALIGN_SIZES && equal)
        return (compare_shift){0, 0};
    compare_plane luma_a = make_luma(a, compare->seen[0], compare->a_luma);
    compare_plane luma_b = make_luma(b, compare->seen[1], compare->b_luma);
    return compare_align_search(luma_a, luma_b, options->max_shift, compare->a_halves, compare->b_halves);
}

/* Computes the overlap of A and shifted B along one axis. Returns false if there is none. */
static bool overlap(uint32_t a_length, uint32_t b_length, int64_t shift, uint32_t *a_at, uint32_t *b_at,
                    uint32_t *length)
{
    int64_t begin = shift > 0 ? shift : 0, end = shift + b_length;
    if (end > a_length)
        end = a_length;
    if (begin >= end)
        return false;
    *a_at = (uint32_t)begin;
    *b_at = (uint32_t)(begin - shift);
    *length = (uint32_t)(end - begin);
    return true;
}

static mmd_status choose_region(const mmd_image *a, const mmd_image *b, compare_shift shift,
                                mmd_compare_result *r, mmd_error *error)
{
    r->shift_x = shift.x;
    r->shift_y = shift.y;
    if (overlap(a->width, b->width, shift.x, &r->a_x, &r->b_x, &r->width) &&
        overlap(a->height, b->height, shift.y, &r->a_y, &r->b_y, &r->height))
        return MMD_OK;
    return mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET,
                         "with a shift of %d, %d, pictures of %u by %u and %u by %u do not overlap", shift.x,
                         shift.y, a->width, a->height, b->width, b->height);
}

/* Copies the region's part of the mask. */
static const uint8_t *cut_mask(mmd_compare *compare, const mmd_image *a, const uint8_t *mask)
{
    const mmd_compare_result *r = &compare->result;
    if (!mask)
        return NULL;
    for (size_t y = 0; y < r->height; y++)
        memcpy(compare->mask + y * r->width, mask + (y + r->a_y) * a->width + r->a_x, r->width);
    return compare->mask;
}

/* Returns the region as pointers into the two composited pictures. */
static compare_region cut_region(mmd_compare *compare, const mmd_image *a, const mmd_image *b,
                                 const uint8_t *mask)
{
    const mmd_compare_result *r = &compare->result;
    return (compare_region){.a = compare->seen[0] + 4 * ((size_t)r->a_y * a->width + r->a_x),
                            .b = compare->seen[1] + 4 * ((size_t)r->b_y * b->width + r->b_x),
                            .a_stride = (size_t)a->width * 4,
                            .b_stride = (size_t)b->width * 4,
                            .width = r->width,
                            .height = r->height,
                            .mask = cut_mask(compare, a, mask)};
}

/* --- Running --- */

/* Asserts what mmd_compare_run requires of its caller. */
static void check(const mmd_image *a, const mmd_image *b, const mmd_compare_options *options)
{
    assert(a->pixels && a->width > 0 && a->height > 0);
    assert(b->pixels && b->width > 0 && b->height > 0);
    assert(a->width <= MMD_IMAGE_SIZE_MAX && a->height <= MMD_IMAGE_SIZE_MAX);
    assert(b->width <= MMD_IMAGE_SIZE_MAX && b->height <= MMD_IMAGE_SIZE_MAX);
    assert(options->max_shift <= MMD_COMPARE_SHIFT_MAX);
    assert(options->pixels_per_degree >= 4 && options->pixels_per_degree <= 400);
    (void)a;
    (void)b;
    (void)options;
}

/* Computes the requested metrics of the region. */
static void measure(mmd_compare *compare, const mmd_compare_options *options)
{
    mmd_compare_result *result = &compare->result;
    compare_levels(&compare->region, result->alpha, options->threshold, compare->difference, result);
    if (options->ssim)
        compare_ssim(&compare->region, compare->metric, result);
    if (options->flip)
        compare_flip(&compare->region, options->pixels_per_degree, compare->metric, compare->flip, result);
}

mmd_status mmd_compare_run(mmd_compare *compare, const mmd_image *a, const mmd_image *b,
                           const mmd_compare_options *options, mmd_compare_result *result, mmd_error *error)
{
    assert(compare && a && b && options);
    check(a, b, options);
    compare->ready = false;
    mmd_status status = prepare(compare, a, b, options, error);
    if (status != MMD_OK)
        return status;
    compare->seen[0] = see(a, options, compare->a);
    compare->seen[1] = see(b, options, compare->b);
    compare->result = (mmd_compare_result){.alpha = compares_alpha(a, b, options->alpha)};
    status = choose_region(a, b, choose_shift(compare, a, b, options), &compare->result, error);
    if (status != MMD_OK)
        return status;
    compare->region = cut_region(compare, a, b, options->mask);
    measure(compare, options);
    compare->ready = true;
    compare->has_flip = options->flip;
    compare->threshold = options->threshold;
    compare->a_width = a->width;
    compare->a_height = a->height;
    *result = compare->result;
    return MMD_OK;
}

/* --- Results of the last run --- */

const uint8_t *mmd_compare_difference(const mmd_compare *compare)
{
    assert(compare);
    return compare->ready ? compare->difference : NULL;
}

const float *mmd_compare_flip(const mmd_compare *compare)
{
    assert(compare);
    return compare->ready && compare->has_flip ? compare->flip : NULL;
}

compare_last compare_last_run(const mmd_compare *compare)
{
    assert(compare);
    if (!compare->ready)
        return (compare_last){.region = NULL};
    return (compare_last){.region = &compare->region,
                          .result = &compare->result,
                          .difference = compare->difference,
                          .a_width = compare->a_width,
                          .a_height = compare->a_height,
                          .threshold = compare->threshold};
}

/* Copies a region to an opaque picture. */
static mmd_status copy_region(const uint8_t *from, size_t stride, uint32_t width, uint32_t height,
                              mmd_image *picture, mmd_error *error)
{
    mmd_status status = mmd_image_init(picture, width, height, error);
    if (status != MMD_OK)
        return status;
    for (uint32_t y = 0; y < height; y++)
        memcpy(picture->pixels + (size_t)y * width * 4, from + y * stride, (size_t)width * 4);
    for (size_t i = 0; i < (size_t)width * height; i++)
        picture->pixels[4 * i + 3] = 255;
    picture->has_alpha = false;
    return MMD_OK;
}

mmd_status mmd_compare_region_a(const mmd_compare *compare, mmd_image *picture, mmd_error *error)
{
    assert(picture);
    assert(compare->ready);
    const compare_region *r = &compare->region;
    return copy_region(r->a, r->a_stride, r->width, r->height, picture, error);
}

mmd_status mmd_compare_region_b(const mmd_compare *compare, mmd_image *picture, mmd_error *error)
{
    assert(picture);
    assert(compare->ready);
    const compare_region *r = &compare->region;
    return copy_region(r->b, r->b_stride, r->width, r->height, picture, error);
}
