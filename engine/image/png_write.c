/* Writes PNG with libpng: 8 or 16 bits per channel, not interlaced, without a date. */
#include "mmd/image.h"
#include "mmd/cursor.h"
#include "mmd/memory.h"
#include "mmd/text.h"

#include <assert.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "png_calls.h"

/* The state of writing. It is in the caller's frame, so it survives a longjmp. */
typedef struct png_job {
    uint32_t width, height;
    const uint8_t *pixels; /* RGBA */
    size_t depth;          /* bytes per channel: 1, or 2 in the machine's byte order */
    const mmd_png_options *options;
    mmd_buffer *out;
    uint8_t *row;  /* one row in the file's format */
    char **values; /* the texts of the options as valid UTF-8 */
    png_text *texts;
    png_reason reason;
} png_job;

static void write_bytes(png_structp png, png_bytep data, size_t size)
{
    mmd_buffer *out = png_get_io_ptr(png);
    mmd_write_bytes(out, data, size);
    if (out->failed)
        png_error(png, "out of memory");
}

static void flush_nothing(png_structp png)
{
    (void)png;
}

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if (*(const unsigned char *)text >= 0x80)
            return false;
    return true;
}

/* Prepares text chunks for libpng: tEXt for ASCII, otherwise iTXt. Returns false when out of memory. */
static bool make_texts(png_job *job)
{
    size_t count = job->options->text_count;
    job->texts = mmd_alloc(count * sizeof *job->texts);
    job->values = mmd_alloc(count * sizeof *job->values);
    if (!job->texts || !job->values)
        return false;
    memset(job->values, 0, count * sizeof *job->values);
    for (size_t i = 0; i < count; i++) {
        const mmd_image_text *text = &job->options->texts[i];
        size_t length = mmd_text_clean(text->text, false, NULL, 0);
        char *value = mmd_alloc(length + 1);
        job->values[i] = value;
        if (!value)
            return false;
        mmd_text_clean(text->text, false, value, length + 1);
        bool plain = is_ascii(value);
        job->texts[i] =
            (png_text){.compression = plain ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE,
                       .key = (char *)(uintptr_t)text->key,
                       .text = value,
                       .text_length = plain ? length : 0,
                       .itxt_length = plain ? 0 : length};
    }
    return true;
}

/*
 * Sets zlib's level, and which filters libpng tries for each row. Drawn pictures consist of even areas, which
 * become runs of zeros by a filter; zlib finds runs (Z_RLE) in a fraction of the time in which it finds other
 * repetitions, and hardly misses any.
 */
static void set_level(png_structp png, int level)
{
    static const struct {
        int zlib, strategy, filters;
    } fast[] = {
        {0, Z_DEFAULT_STRATEGY, PNG_FILTER_NONE},
        {1, Z_RLE, PNG_FILTER_UP},
        {1, Z_RLE, PNG_FILTER_PAETH},
        {1, Z_RLE, PNG_ALL_FILTERS},
    };
    level = level == MMD_PNG_USUAL ? 6 : level == MMD_PNG_STORED ? 0 : level;
    bool is_fast = level < (int)(sizeof fast / sizeof *fast);
    png_set_compression_level(png, is_fast ? fast[level].zlib : level);
    png_set_compression_strategy(png, is_fast ? fast[level].strategy : Z_FILTERED);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, is_fast ? fast[level].filters : PNG_ALL_FILTERS);
}

/* Writes everything before the pixels. */
static void write_header(png_structp png, png_infop info, const png_job *job)
{
    const mmd_png_options *options = job->options;
    png_set_IHDR(png, info, job->width, job->height, (int)(8 * job->depth),
                 options->alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    set_level(png, options->level);
    if (options->text_count)
        png_set_text(png, info, job->texts, (int)options->text_count);
    png_write_info(png, info);
}

/* Converts a row to PNG's big-endian 16-bit numbers. */
static const uint8_t *make_row16(const png_job *job, uint32_t y)
{
    const uint16_t *from = (const uint16_t *)(const void *)job->pixels + (size_t)y * job->width * 4;
    uint8_t *to = job->row;
    for (size_t x = 0; x < job->width; x++, from += 4) {
        for (int k = 0; k < (job->options->alpha ? 4 : 3); k++) {
            *to++ = (uint8_t)(from[k] >> 8);
            *to++ = (uint8_t)from[k];
        }
    }
    return job->row;
}

/* Returns a row in the file's format. */
static const uint8_t *make_row(const png_job *job, uint32_t y)
{
    if (job->depth == 2)
        return make_row16(job, y);
    const uint8_t *from = job->pixels + (size_t)y * job->width * 4;
    if (job->options->alpha)
        return from;
    for (size_t x = 0; x < job->width; x++)
        memcpy(job->row + 3 * x, from + 4 * x, 3);
    return job->row;
}

/* Writes the picture. libpng may leave this function by longjmp, so no local variable is used after that. */
static bool write_all(png_structp png, png_infop info, const png_job *job)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_write_fn(png, job->out, write_bytes, flush_nothing);
    write_header(png, info, job);
    for (uint32_t y = 0; y < job->height; y++) {
        png_write_row(png, make_row(job, y));
        if (job->options->on_row)
            job->options->on_row(job->options->user, y + 1);
    }
    png_write_end(png, NULL);
    return true;
}

static bool write_job(png_job *job)
{
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &job->reason, on_png_error,
                                                on_png_warning, &job->reason, alloc_for_png, free_for_png);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool ok = info && write_all(png, info, job);
    png_destroy_write_struct(&png, &info);
    return ok;
}

static void finish_job(png_job *job)
{
    for (size_t i = 0; job->values && i < job->options->text_count; i++)
        mmd_free(job->values[i]);
    mmd_free(job->values);
    mmd_free(job->texts);
    mmd_free(job->row);
}

/* Writes the picture, or leaves the buffer as it was. */
static mmd_status write_png(png_job *job, mmd_error *error)
{
    assert(job->options && job->out && (job->options->texts || !job->options->text_count));
    assert(job->options->level >= MMD_PNG_STORED && job->options->level <= MMD_PNG_LEVEL_MAX);
    if (job->width == 0 || job->height == 0)
        return mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET, "a PNG cannot be empty");
    size_t before = job->out->size;
    job->row = mmd_alloc((size_t)job->width * 4 * job->depth);
    bool ok = job->row && make_texts(job) && write_job(job);
    finish_job(job);
    if (ok)
        return MMD_OK;
    job->out->size = before;
    bool memory =
        job->out->failed || job->reason.lacks_memory || strcmp(job->reason.text, "out of memory") == 0;
    return mmd_error_set(error, memory ? MMD_ERROR_MEMORY : MMD_ERROR_VALUE, "", MMD_NO_OFFSET,
                         "the PNG cannot be written: %s", job->reason.text);
}

mmd_status mmd_png_write(const mmd_image *image, const mmd_png_options *options, mmd_buffer *out,
                         mmd_error *error)
{
    assert(image);
    png_job job = {.width = image->width,
                   .height = image->height,
                   .pixels = image->pixels,
                   .depth = 1,
                   .options = options,
                   .out = out,
                   .reason = {.text = "out of memory"}};
    return write_png(&job, error);
}

mmd_status mmd_png_write16(const mmd_image16 *image, const mmd_png_options *options, mmd_buffer *out,
                           mmd_error *error)
{
    assert(image);
    png_job job = {.width = image->width,
                   .height = image->height,
                   .pixels = (const uint8_t *)image->pixels,
                   .depth = 2,
                   .options = options,
                   .out = out,
                   .reason = {.text = "out of memory"}};
    return write_png(&job, error);
}
