/*
 * Decodes pictures smaller than they are: each pixel is the mean of a square of 2, 4, 8 ... pixels a side,
 * per channel and gamma-encoded, as in the levels of a texture. PNGs that are not interlaced are read row by
 * row, so that the picture is never in memory as a whole; all others are decoded and reduced.
 */
#include "decode.h"
#include "mmd/memory.h"

#include <assert.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "png_calls.h"

enum { HALVINGS_MAX = 14 }; /* MMD_IMAGE_SIZE_MAX to 1 */

/* --- The mean of squares --- */

typedef struct reducer {
    mmd_image *image; /* the result */
    uint64_t *sums;   /* of the squares of a row of the result, 4 for each */
    uint32_t width, height, halvings;
    uint32_t row; /* rows of the picture added so far */
} reducer;

static uint32_t reduced_size(uint32_t size, uint32_t halvings)
{
    return (uint32_t)(((uint64_t)size + (UINT64_C(1) << halvings) - 1) >> halvings);
}

static mmd_status reducer_init(reducer *r, const mmd_image_info *info, uint32_t halvings, mmd_image *image,
                               mmd_error *error)
{
    uint32_t width = reduced_size(info->width, halvings), height = reduced_size(info->height, halvings);
    *r = (reducer){.image = image, .width = info->width, .height = info->height, .halvings = halvings};
    mmd_status status = mmd_image_init(image, width, height, error);
    if (status != MMD_OK)
        return status;
    size_t size = 4 * (size_t)width * sizeof *r->sums;
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

/* Writes a row of the result. Squares at the right and lower border may have fewer pixels. */
static void write_means(reducer *r)
{
    const uint32_t side = 1U << r->halvings, y = (r->row - 1) >> r->halvings;
    const uint32_t rows = (r->row - 1) % side + 1;
    uint8_t *to = r->image->pixels + 4 * (size_t)y * r->image->width;
    for (uint32_t x = 0; x < r->image->width; x++) {
        uint32_t left = r->width - (x << r->halvings), columns = left < side ? left : side;
        uint64_t count = (uint64_t)rows * columns;
        for (size_t k = 0; k < 4; k++)
            to[4 * (size_t)x + k] = (uint8_t)((r->sums[4 * (size_t)x + k] + count / 2) / count);
    }
    memset(r->sums, 0, 4 * (size_t)r->image->width * sizeof *r->sums);
}

/* Adds the next row of the picture, RGBA. */
static void reducer_add(reducer *r, const uint8_t *row)
{
    const uint32_t side = 1U << r->halvings;
    assert(r->row < r->height);
    uint64_t *sums = r->sums;
    for (uint32_t from = 0; from < r->width; from += side, sums += 4) {
        uint32_t end = r->width - from < side ? r->width : from + side;
        for (uint32_t x = from; x < end; x++, row += 4)
            for (int k = 0; k < 4; k++)
                sums[k] += row[k];
    }
    r->row++;
    if (r->row % side == 0 || r->row == r->height)
        write_means(r);
}

/* --- PNG, row by row --- */

/* The state of reading. It is in the caller's frame, so it survives a longjmp. */
typedef struct png_job {
    const uint8_t *data;
    size_t size, at;
    reducer *reducer;
    uint8_t *row;
    png_reason reason;
} png_job;

static void read_bytes(png_structp png, png_bytep to, size_t size)
{
    png_job *job = png_get_io_ptr(png);
    if (size > job->size - job->at)
        png_error(png, "the file ends too early");
    memcpy(to, job->data + job->at, size);
    job->at += size;
}

/* Asks for rows of 8-bit RGBA, as stb_image makes them: no gamma, 16 bits cut, checksums not compared. */
static void ask_for_rgba(png_structp png)
{
    png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    png_set_option(png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
    png_set_user_limits(png, MMD_IMAGE_SIZE_MAX, MMD_IMAGE_SIZE_MAX);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
}

/* Reads all rows. libpng may leave this function by longjmp, so no local variable is used after that. */
static bool read_rows(png_structp png, png_infop info, const png_job *job)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    ask_for_rgba(png);
    png_set_read_fn(png, (png_voidp)(uintptr_t)job, read_bytes);
    png_read_info(png, info);
    if (png_get_image_width(png, info) != job->reducer->width ||
        png_get_image_height(png, info) != job->reducer->height ||
        png_get_interlace_type(png, info) != PNG_INTERLACE_NONE)
        png_error(png, "its headers contradict each other");
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != 4 * (size_t)job->reducer->width)
        png_error(png, "its rows have an unknown form");
    for (uint32_t y = 0; y < job->reducer->height; y++) {
        png_read_row(png, job->row, NULL);
        reducer_add(job->reducer, job->row);
    }
    return true;
}

static mmd_status decode_rows(const uint8_t *data, size_t size, reducer *r, mmd_error *error)
{
    png_job job = {.data = data, .size = size, .reducer = r, .row = mmd_alloc(4 * (size_t)r->width)};
    png_structp png = job.row ? png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &job.reason, on_png_error,
                                                         on_png_warning, NULL, alloc_for_png, free_for_png)
                              : NULL;
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool done = info && read_rows(png, info, &job);
    png_destroy_read_struct(&png, &info, NULL);
    mmd_free(job.row);
    if (done)
        return MMD_OK;
    if (!job.reason.text[0])
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory to read a picture");
    return mmd_image_fail_broken(data, size, job.reason.text, error);
}

/* --- All formats --- */

static mmd_status decode_whole(const void *data, size_t size, const char *name, reducer *r, mmd_error *error)
{
    mmd_image whole;
    mmd_status status = mmd_image_decode(data, size, name, &whole, error);
    if (status != MMD_OK)
        return status;
    if (whole.width == r->width && whole.height == r->height)
        for (uint32_t y = 0; y < r->height; y++)
            reducer_add(r, whole.pixels + 4 * (size_t)y * r->width);
    else
        status = mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET,
                               "the picture's header and data have different sizes");
    mmd_image_finish(&whole);
    return status;
}

mmd_status mmd_image_decode_reduced(const void *data, size_t size, const char *name, uint32_t halvings,
                                    mmd_image *image, mmd_error *error)
{
    assert(image);
    assert(data || size == 0);
    mmd_image_info info;
    reducer r = {0};
    if (halvings == 0)
        return mmd_image_decode(data, size, name, image, error);
    *image = (mmd_image){0};
    mmd_status status = mmd_image_read_info(data, size, name, &info, error);
    if (status == MMD_OK)
        status = reducer_init(&r, &info, halvings < HALVINGS_MAX ? halvings : HALVINGS_MAX, image, error);
    if (status == MMD_OK)
        status =
            info.by_rows ? decode_rows(data, size, &r, error) : decode_whole(data, size, name, &r, error);
    reducer_finish(&r);
    if (status == MMD_OK) {
        image->has_alpha = mmd_image_has_alpha(image);
        return MMD_OK;
    }
    mmd_image_finish(image);
    mmd_error_set_file(error, name);
    return status;
}

mmd_status mmd_image_verify(const void *data, size_t size, const char *name, mmd_error *error)
{
    assert(data || size == 0);
    mmd_image_info info;
    mmd_image image = {0};
    mmd_status status = mmd_image_read_info(data, size, name, &info, error);
    if (status != MMD_OK)
        return status;
    if (info.plain)
        return MMD_OK;
    if (mmd_image_cost(&info) <= MMD_IMAGE_VERIFY_MAX)
        status = mmd_image_decode(data, size, name, &image, error);
    else if (info.by_rows)
        status = mmd_image_decode_reduced(data, size, name, HALVINGS_MAX, &image, error);
    else
        status = mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET,
                               "%u x %u pixels in a format that is decoded as a whole take more than %d MiB",
                               info.width, info.height, MMD_IMAGE_VERIFY_MAX >> 20);
    mmd_image_finish(&image);
    return status;
}
