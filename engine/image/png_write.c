/*
 * Writes PNG: 8 or 16 bits per channel, not interlaced, without a date. zlib compresses the rows, which are
 * filtered and summed up here with vector instructions.
 */
#include "mmd/image.h"
#include "mmd/cursor.h"
#include "mmd/memory.h"
#include "mmd/text.h"

#include <assert.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

enum {
    LEFT_BYTES = 8,       /* zeros before a row: the pixel that filters see left of the first one */
    FILTER_BYTE = 1,      /* before a filtered row: the filter */
    CHUNK_BYTES = 1 << 20 /* most compressed bytes in a chunk */
};

enum { FILTER_NONE, FILTER_SUB, FILTER_UP, FILTER_AVERAGE, FILTER_PAETH };

/* The state of writing. Its memory is in the arena. */
typedef struct png_job {
    uint32_t width, height;
    const uint8_t *pixels; /* RGBA */
    size_t depth;          /* bytes per channel: 1, or 2 in the machine's byte order */
    const mmd_png_options *options;
    mmd_buffer *out;
    size_t pixel_size, row_size; /* bytes in the file */
    uint8_t *row, *above;        /* in the file's format */
    uint8_t *filtered, *tried;   /* filtered rows */
    size_t chunk;                /* offset in out of the chunk that is written */
    z_stream zip;
    uint32_t adler;
    mmd_arena arena;
} png_job;

/* --- Chunks --- */

static void write_be32(mmd_buffer *out, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        mmd_write_u8(out, (uint8_t)(value >> shift));
}

static void begin_chunk(png_job *job, const char *type)
{
    job->chunk = job->out->size;
    write_be32(job->out, 0);
    mmd_write_bytes(job->out, type, 4);
}

/* Writes the checksum of a chunk behind it, and its length before it. */
static void end_chunk(png_job *job)
{
    enum { BEFORE = 8, LENGTH = 4 };
    mmd_buffer *out = job->out;
    if (out->failed)
        return;
    uint8_t *chunk = out->data + job->chunk;
    const size_t size = out->size - job->chunk;
    for (int i = 0; i < LENGTH; i++)
        chunk[i] = (uint8_t)((size - BEFORE) >> (24 - 8 * i));
    write_be32(out, libdeflate_crc32(0, chunk + LENGTH, size - LENGTH));
}

static void write_header(png_job *job)
{
    enum { COLOR = 2, COLOR_AND_ALPHA = 6 };
    mmd_buffer *out = job->out;
    mmd_write_bytes(out, "\x89PNG\r\n\x1a\n", 8);
    begin_chunk(job, "IHDR");
    write_be32(out, job->width);
    write_be32(out, job->height);
    mmd_write_u8(out, (uint8_t)(8 * job->depth));
    mmd_write_u8(out, job->options->alpha ? COLOR_AND_ALPHA : COLOR);
    mmd_write_zeros(out, 3); /* the only methods of compression and filtering; not interlaced */
    end_chunk(job);
}

/* Tests whether a key is as the specification wants it: 1 to 79 printable characters of Latin-1, without
 * spaces at the ends or next to each other. */
static bool is_key(const char *key)
{
    const size_t length = strlen(key);
    if (length < 1 || length > 79 || key[0] == ' ' || key[length - 1] == ' ' || strstr(key, "  "))
        return false;
    for (const unsigned char *at = (const unsigned char *)key; *at; at++)
        if (*at < 32 || (*at > 126 && *at < 161))
            return false;
    return true;
}

/* Writes a text as valid UTF-8: tEXt if it is ASCII, otherwise iTXt. */
static void write_text(png_job *job, const mmd_image_text *text)
{
    enum { REPLACED = 3 }; /* bytes of U+FFFD, which a wrong byte becomes */
    mmd_buffer *out = job->out;
    const size_t most = REPLACED * strlen(text->text) + 1;
    bool is_ascii = true;
    for (const char *at = text->text; *at; at++)
        is_ascii &= *(const unsigned char *)at < 0x80;
    begin_chunk(job, is_ascii ? "tEXt" : "iTXt");
    mmd_write_bytes(out, text->key, strlen(text->key) + 1);
    if (!is_ascii)
        mmd_write_zeros(out, 4); /* not compressed, no language, no translated key */
    mmd_buffer_reserve(out, most);
    if (!out->failed)
        out->size += mmd_text_clean(text->text, false, (char *)out->data + out->size, most);
    end_chunk(job);
}

/* --- Rows --- */

/* Converts pixels to the file's format, with big-endian 16-bit numbers. */
static void make_row(const png_job *job, uint32_t y)
{
    const size_t channels = job->options->alpha ? 4 : 3, values = (size_t)y * job->width * 4;
    uint8_t *to = job->row;
    if (job->depth == 2) {
        const uint16_t *from = (const uint16_t *)(const void *)job->pixels + values;
        for (size_t x = 0; x < job->width; x++, from += 4)
            for (size_t k = 0; k < channels; k++) {
                *to++ = (uint8_t)(from[k] >> 8);
                *to++ = (uint8_t)from[k];
            }
    } else if (channels == 4) {
        memcpy(to, job->pixels + values, job->row_size);
    } else {
        const uint8_t *from = job->pixels + values;
        for (size_t x = 0; x < job->width; x++)
            memcpy(to + 3 * x, from + 4 * x, 3);
    }
}

/* Returns the one of three neighbours that is nearest to left + above - corner. */
static uint8_t nearest(int left, int above, int corner)
{
    const int to_left = abs(above - corner), to_above = abs(left - corner),
              to_corner = abs(left + above - 2 * corner);
    const int other = to_above <= to_corner ? above : corner;
    return (uint8_t)(to_left <= to_above && to_left <= to_corner ? left : other);
}

/* Filters the current row. to has room for the filter and the row. */
static void filter_row(const png_job *job, int filter, uint8_t *restrict to)
{
    const uint8_t *restrict row = job->row, *restrict above = job->above;
    const uint8_t *left = row - job->pixel_size, *corner = above - job->pixel_size;
    const size_t size = job->row_size;
    *to++ = (uint8_t)filter;
    switch (filter) {
    case FILTER_NONE:
        memcpy(to, row, size);
        break;
    case FILTER_SUB:
        for (size_t i = 0; i < size; i++)
            to[i] = (uint8_t)(row[i] - left[i]);
        break;
    case FILTER_UP:
        for (size_t i = 0; i < size; i++)
            to[i] = (uint8_t)(row[i] - above[i]);
        break;
    case FILTER_AVERAGE:
        for (size_t i = 0; i < size; i++)
            to[i] = (uint8_t)(row[i] - (left[i] + above[i]) / 2);
        break;
    default:
        for (size_t i = 0; i < size; i++)
            to[i] = (uint8_t)(row[i] - nearest(left[i], above[i], corner[i]));
    }
}

/* Returns the sum of a filtered row's bytes as signed numbers without their signs. Where it is small, the row
 * usually becomes small, too. */
static uint32_t sum_of(const uint8_t *filtered, size_t size)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += (uint32_t)abs((int8_t)filtered[FILTER_BYTE + i]);
    return sum;
}

/* Filters the current row in job->filtered, by the best of the filters from first to last. */
static void filter_best(png_job *job, int first, int last)
{
    uint32_t best = UINT32_MAX;
    filter_row(job, first, job->filtered);
    if (first < last)
        best = sum_of(job->filtered, job->row_size);
    for (int filter = first + 1; filter <= last; filter++) {
        filter_row(job, filter, job->tried);
        const uint32_t sum = sum_of(job->tried, job->row_size);
        if (sum < best) {
            uint8_t *tried = job->tried;
            job->tried = job->filtered;
            job->filtered = tried;
            best = sum;
        }
    }
}

/* --- Compression --- */

/* Makes room for compressed bytes in the current chunk. */
static void make_room(png_job *job)
{
    mmd_buffer_reserve(job->out, CHUNK_BYTES);
    job->zip.avail_out = CHUNK_BYTES;
}

/* Compresses bytes to chunks of pixels. */
static void compress_bytes(png_job *job, const uint8_t *bytes, size_t size, int flush)
{
    z_stream *zip = &job->zip;
    mmd_buffer *out = job->out;
    int state = Z_OK;
    zip->next_in = bytes;
    zip->avail_in = (uInt)size;
    while (!out->failed && (zip->avail_in > 0 || (flush == Z_FINISH && state != Z_STREAM_END))) {
        if (zip->avail_out == 0) {
            end_chunk(job);
            begin_chunk(job, "IDAT");
            make_room(job);
            continue;
        }
        zip->next_out = out->data + out->size;
        state = deflate(zip, flush);
        out->size = (size_t)(zip->next_out - out->data);
    }
}

/*
 * How levels compress. Drawn pictures consist of even areas, which become runs of zeros by a filter; zlib
 * finds runs (Z_RLE) in a fraction of the time in which it finds other repetitions, and hardly misses any.
 */
static const struct png_level {
    int zlib, strategy;
    int first, last; /* filters that are tried for each row */
} fast_levels[] = {
    {0, Z_DEFAULT_STRATEGY, FILTER_NONE, FILTER_NONE},
    {1, Z_RLE, FILTER_UP, FILTER_UP},
    {1, Z_RLE, FILTER_PAETH, FILTER_PAETH},
    {1, Z_RLE, FILTER_NONE, FILTER_PAETH},
};

static struct png_level level_of(int level)
{
    level = level == MMD_PNG_USUAL ? 6 : level == MMD_PNG_STORED ? 0 : level;
    if (level < (int)(sizeof fast_levels / sizeof *fast_levels))
        return fast_levels[level];
    return (struct png_level){level, Z_FILTERED, FILTER_NONE, FILTER_PAETH};
}

static voidpf alloc_for_zlib(voidpf arena, uInt count, uInt size)
{
    return mmd_arena_alloc(arena, count, size);
}

/* Keeps the memory until the arena ends. */
static void free_for_zlib(voidpf arena, voidpf memory)
{
    (void)arena, (void)memory;
}

/* Allocates rows, with zeros above the first one. */
static bool alloc_rows(png_job *job)
{
    const size_t size = LEFT_BYTES + FILTER_BYTE + job->row_size;
    uint8_t *rows = mmd_arena_alloc(&job->arena, 4, size);
    if (!rows)
        return false;
    job->row = rows + LEFT_BYTES;
    job->above = rows + size + LEFT_BYTES;
    job->filtered = rows + 2 * size;
    job->tried = rows + 3 * size;
    return true;
}

/* Writes the pixels as a zlib stream, of which zlib itself makes what is between header and checksum. Returns
 * false when out of memory. */
static bool write_pixels(png_job *job)
{
    enum { WINDOW = 15, MEMORY_LEVEL = 8, ARENA_BYTES = 300 << 10 };
    static const uint8_t header[] = {0x78, 0x01}; /* DEFLATE with a window of 32 KiB */
    const struct png_level level = level_of(job->options->level);
    job->zip = (z_stream){.zalloc = alloc_for_zlib, .zfree = free_for_zlib, .opaque = &job->arena};
    if (!mmd_arena_reserve(&job->arena, ARENA_BYTES + 4 * job->row_size) || !alloc_rows(job) ||
        deflateInit2(&job->zip, level.zlib, Z_DEFLATED, -WINDOW, MEMORY_LEVEL, level.strategy) != Z_OK)
        return false;
    begin_chunk(job, "IDAT");
    mmd_write_bytes(job->out, header, sizeof header);
    make_room(job);
    job->adler = libdeflate_adler32(0, NULL, 0);
    for (uint32_t y = 0; y < job->height; y++) {
        make_row(job, y);
        filter_best(job, level.first, level.last);
        job->adler = libdeflate_adler32(job->adler, job->filtered, FILTER_BYTE + job->row_size);
        compress_bytes(job, job->filtered, FILTER_BYTE + job->row_size, Z_NO_FLUSH);
        uint8_t *above = job->above;
        job->above = job->row;
        job->row = above;
        if (job->options->on_row)
            job->options->on_row(job->options->user, y + 1);
    }
    compress_bytes(job, NULL, 0, Z_FINISH);
    write_be32(job->out, job->adler);
    end_chunk(job);
    deflateEnd(&job->zip);
    return true;
}

/* Writes the picture, or leaves the buffer as it was. */
static mmd_status write_png(png_job *job, mmd_error *error)
{
    const mmd_png_options *options = job->options;
    assert(options && job->out && (options->texts || !options->text_count));
    assert(options->level >= MMD_PNG_STORED && options->level <= MMD_PNG_LEVEL_MAX);
    if (job->width == 0 || job->height == 0)
        return mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET, "a PNG cannot be empty");
    for (size_t i = 0; i < options->text_count; i++)
        if (!is_key(options->texts[i].key))
            return mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET,
                                 "\"%.80s\" cannot be the key of a text in a PNG", options->texts[i].key);
    const size_t before = job->out->size;
    job->pixel_size = (options->alpha ? 4 : 3) * job->depth;
    job->row_size = job->width * job->pixel_size;
    write_header(job);
    for (size_t i = 0; i < options->text_count; i++)
        write_text(job, &options->texts[i]);
    const bool written = write_pixels(job);
    begin_chunk(job, "IEND");
    end_chunk(job);
    mmd_arena_finish(&job->arena);
    if (written && !job->out->failed)
        return MMD_OK;
    job->out->size = before;
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET,
                         "the PNG cannot be written: out of memory");
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
                   .out = out};
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
                   .out = out};
    return write_png(&job, error);
}
