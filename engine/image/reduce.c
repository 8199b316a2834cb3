/*
 * Decodes pictures smaller than they are: each pixel is the mean of a square of 2, 4, 8 ... pixels a side,
 * per channel and gamma-encoded, as in the levels of a texture. PNGs are read row by row, so that the picture
 * is never in memory as a whole; all others are decoded and reduced.
 */
#include "decode.h"
#include "mmd/memory.h"

#include <assert.h>
#include <string.h>

enum { HALVINGS_MAX = 14 }; /* MMD_IMAGE_SIZE_MAX to 1 */

/* --- The mean of squares --- */

typedef struct reducer {
    mmd_image *image; /* the result */
    uint64_t *sums;   /* of the squares of a row of the result, or of all of its rows; 4 for each */
    uint32_t width, height, halvings;
    bool keeps_all; /* rows come in passes, so the sums are known at the end */
} reducer;

static uint32_t reduced_size(uint32_t size, uint32_t halvings)
{
    return (uint32_t)(((uint64_t)size + (UINT64_C(1) << halvings) - 1) >> halvings);
}

static mmd_status reducer_init(reducer *r, const mmd_image_info *info, uint32_t halvings, mmd_image *image,
                               mmd_error *error)
{
    uint32_t width = reduced_size(info->width, halvings), height = reduced_size(info->height, halvings);
    *r = (reducer){.image = image,
                   .width = info->width,
                   .height = info->height,
                   .halvings = halvings,
                   .keeps_all = info->interlaced};
    mmd_status status = mmd_image_init(image, width, height, error);
    if (status != MMD_OK)
        return status;
    size_t size = 4 * (size_t)width * (r->keeps_all ? height : 1) * sizeof *r->sums;
    r->sums = mmd_alloc(size);
    if (!r->sums)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory to reduce a picture");
    memset(r->sums, 0, size);
    return MMD_OK;
}

static void reducer_finish(reducer *r)
{
    mmd_free(r->sums);
    r->sums = NULL;
}

/* Writes row y of the result. Squares at the right and lower border may have fewer pixels. */
static void write_means(const reducer *r, uint32_t y, const uint64_t *sums)
{
    const uint32_t side = 1U << r->halvings, under = r->height - (y << r->halvings);
    const uint32_t rows = under < side ? under : side;
    uint8_t *to = r->image->pixels + 4 * (size_t)y * r->image->width;
    for (uint32_t x = 0; x < r->image->width; x++) {
        uint32_t left = r->width - (x << r->halvings), columns = left < side ? left : side;
        uint64_t count = (uint64_t)rows * columns;
        for (int k = 0; k < 4; k++)
            *to++ = (uint8_t)((*sums++ + count / 2) / count);
    }
}

/* Adds pixels of a row, RGBA. */
static void reducer_add(void *user, mmd_image_row_place place, const uint8_t *row, uint32_t count)
{
    reducer *r = user;
    const size_t width = 4 * (size_t)r->image->width;
    const uint32_t y = place.y >> r->halvings;
    uint64_t *sums = r->sums + (r->keeps_all ? y * width : 0);
    for (uint32_t x = place.x; count;) {
        uint32_t end = (x >> r->halvings) + 1, sum[4] = {0};
        uint64_t *to = sums + 4 * (size_t)(x >> r->halvings);
        for (; count && x >> r->halvings < end; count--, x += place.step, row += 4)
            for (int k = 0; k < 4; k++)
                sum[k] += row[k];
        for (int k = 0; k < 4; k++)
            to[k] += sum[k];
    }
    bool is_last = place.y + 1 == r->height || (place.y + 1) >> r->halvings != y;
    if (r->keeps_all || !is_last)
        return;
    write_means(r, y, r->sums);
    memset(r->sums, 0, width * sizeof *r->sums);
}

/* Writes the rows whose sums were kept. */
static void reducer_end(const reducer *r)
{
    for (uint32_t y = 0; r->keeps_all && y < r->image->height; y++)
        write_means(r, y, r->sums + 4 * (size_t)y * r->image->width);
}

/* --- All formats --- */

static mmd_status reduce_whole(const void *data, size_t size, const char *name, reducer *r, mmd_error *error)
{
    mmd_image whole;
    mmd_status status = mmd_image_decode_whole(data, size, name, &whole, error);
    if (status != MMD_OK)
        return status;
    if (whole.width == r->width && whole.height == r->height)
        for (uint32_t y = 0; y < r->height; y++)
            reducer_add(r, (mmd_image_row_place){0, y, 1}, whole.pixels + 4 * (size_t)y * r->width, r->width);
    else
        status = mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET,
                               "the picture's header and data have different sizes");
    mmd_image_finish(&whole);
    return status;
}

/* Decodes a picture smaller than it is. as_is: it has to be a PNG without damage; also at its own size. */
static mmd_status reduce(const void *data, size_t size, const char *name, uint32_t halvings, bool as_is,
                         mmd_image *image, mmd_error *error)
{
    assert(image);
    assert(data || size == 0);
    mmd_image_info info;
    reducer r = {0};
    *image = (mmd_image){0};
    mmd_status status = mmd_image_read_info(data, size, name, &info, error);
    if (status == MMD_OK && as_is && !info.by_rows)
        status = mmd_error_set(error, MMD_ERROR_MAGIC, "", MMD_NO_OFFSET, "the picture is not a PNG");
    if (status == MMD_OK && halvings == 0)
        status = mmd_image_decode_png(data, size, true, image, error);
    else if (status == MMD_OK)
        status = reducer_init(&r, &info, halvings < HALVINGS_MAX ? halvings : HALVINGS_MAX, image, error);
    if (status == MMD_OK && halvings)
        status = info.by_rows ? mmd_image_read_png(data, size, as_is, reducer_add, &r, error)
                              : reduce_whole(data, size, name, &r, error);
    if (status == MMD_OK && halvings)
        reducer_end(&r);
    reducer_finish(&r);
    if (status == MMD_OK) {
        image->has_alpha = mmd_image_has_alpha(image);
        return MMD_OK;
    }
    mmd_image_finish(image);
    mmd_error_set_file(error, name);
    return status;
}

mmd_status mmd_image_decode_reduced(const void *data, size_t size, const char *name, uint32_t halvings,
                                    mmd_image *image, mmd_error *error)
{
    return halvings ? reduce(data, size, name, halvings, false, image, error)
                    : mmd_image_decode_whole(data, size, name, image, error);
}

mmd_status mmd_png_decode_strictly(const void *data, size_t size, const char *name, uint32_t halvings,
                                   mmd_image *image, mmd_error *error)
{
    return reduce(data, size, name, halvings, true, image, error);
}

mmd_status mmd_image_verify(const void *data, size_t size, const char *name, mmd_error *error)
{
    assert(data || size == 0);
    mmd_image_info info;
    mmd_image image = {0};
    mmd_status status = mmd_image_read_info(data, size, name, &info, error);
    if (status == MMD_OK && !info.plain)
        status = info.by_rows ? mmd_image_decode_reduced(data, size, name, HALVINGS_MAX, &image, error)
                              : mmd_image_decode(data, size, name, &image, error);
    mmd_image_finish(&image);
    return status;
}
