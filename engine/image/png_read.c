/*
 * Reads PNG row by row with libpng. libpng refuses files with a second palette, with other chunks between
 * those of the pixels and the like, which other programs show. So this file follows the chunks, and gives
 * libpng one header, palette and transparency, and all pixels. Checksums are not compared, and what follows
 * the last row is not unpacked. Whole pictures of the usual kind do not need libpng (png_unpack.c).
 */
#include "decode.h"
#include "mmd/memory.h"

#include <assert.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "png_calls.h"
#include "png_unpack.h"

enum { SIGNATURE = 8, CHUNK = 12, HEADER = 13, COLORS = 256, START_MAX = 1200 };

static const uint8_t signature[SIGNATURE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

/* --- Chunks --- */

/* What the chunks say. */
typedef struct png_chunks {
    const uint8_t *header; /* HEADER bytes; NULL: none yet */
    uint32_t width, height;
    uint8_t depth, color;
    bool interlaced;
    bool is_bare;                /* the pixels have no zlib header (Apple's CgBI) */
    uint8_t palette[COLORS][4];  /* RGBA */
    uint32_t last_count, colors; /* of the last palette, and of the largest */
    bool has_alphas;             /* of the palette */
    const uint8_t *key;          /* the transparent colour, 2 bytes for each channel; NULL: none */
    size_t pixels_at;            /* offset of the first chunk of pixels */
    size_t pixels;               /* bytes of pixels, compressed */
} png_chunks;

static uint32_t be32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool is_kind(const uint8_t *chunk, const char *kind)
{
    return memcmp(chunk + 4, kind, 4) == 0;
}

/* Returns the number of channels as stored: a palette's indices are one. */
static uint32_t channels_of(const png_chunks *c)
{
    return c->color == PNG_COLOR_TYPE_PALETTE ? 1 : (c->color & 2 ? 3 : 1) + (c->color & 4 ? 1 : 0);
}

/* Takes a header. Returns what is wrong with it, or NULL, like the next functions. */
static const char *take_header(png_chunks *c, const uint8_t *from, uint32_t length)
{
    if (c->header)
        return "it has two headers";
    if (length != HEADER)
        return "its header has a wrong length";
    *c = (png_chunks){.header = from,
                      .width = be32(from),
                      .height = be32(from + 4),
                      .depth = from[8],
                      .color = from[9],
                      .interlaced = from[12] == 1,
                      .is_bare = c->is_bare};
    bool known =
        c->color <= 6 && c->color != 1 && c->color != 5 && c->depth && (c->depth & (c->depth - 1)) == 0;
    bool fits = c->color == PNG_COLOR_TYPE_GRAY      ? c->depth <= 16
                : c->color == PNG_COLOR_TYPE_PALETTE ? c->depth <= 8
                                                     : c->depth == 8 || c->depth == 16;
    if (!known || !fits)
        return "its kind of colours is not known";
    return from[10] || from[11] || from[12] > 1 ? "its method of compression is not known" : NULL;
}

static const char *take_palette(png_chunks *c, const uint8_t *from, uint32_t length)
{
    if (length > 3 * COLORS || length % 3)
        return "its palette has a wrong length";
    c->last_count = length / 3;
    c->colors = c->colors > c->last_count ? c->colors : c->last_count;
    for (uint32_t i = 0; i < c->last_count; i++, from += 3) {
        memcpy(c->palette[i], from, 3);
        c->palette[i][3] = 255;
    }
    return NULL;
}

static const char *take_transparency(png_chunks *c, const uint8_t *from, uint32_t length)
{
    bool indexed = c->color == PNG_COLOR_TYPE_PALETTE;
    if (c->pixels)
        return "its transparency is behind its pixels";
    if (indexed ? length > c->last_count : c->color & 4 || length != 2 * channels_of(c))
        return "its transparency has a wrong length";
    for (uint32_t i = 0; indexed && i < length; i++)
        c->palette[i][3] = from[i];
    c->has_alphas = c->has_alphas || indexed;
    c->key = indexed ? NULL : from;
    return NULL;
}

/* Takes a chunk that is in the file as a whole. */
static const char *take_chunk(png_chunks *c, const uint8_t *chunk, uint32_t length, size_t at)
{
    const uint8_t *from = chunk + 8;
    if (is_kind(chunk, "CgBI")) {
        c->is_bare = true;
        return NULL;
    }
    if (is_kind(chunk, "IHDR"))
        return take_header(c, from, length);
    if (!c->header)
        return "it does not begin with a header";
    if (is_kind(chunk, "PLTE"))
        return take_palette(c, from, length);
    if (is_kind(chunk, "tRNS"))
        return take_transparency(c, from, length);
    if (is_kind(chunk, "IDAT")) {
        if (c->color == PNG_COLOR_TYPE_PALETTE && !c->last_count)
            return "it has no palette";
        c->pixels_at = c->pixels ? c->pixels_at : at;
        c->pixels += length;
        return NULL;
    }
    return chunk[4] & 0x20 ? NULL : "it has a chunk that is not known";
}

/* Follows the chunks to the last one, or only to the header. */
static mmd_status follow(const uint8_t *data, size_t size, bool to_header, png_chunks *c, mmd_error *error)
{
    const char *wrong = size >= SIGNATURE && memcmp(data, signature, SIGNATURE) == 0
                            ? NULL
                            : "its first eight bytes are not those of a PNG";
    size_t at = SIGNATURE;
    bool ends = wrong != NULL;
    *c = (png_chunks){0};
    while (!ends) {
        bool is_there = size - at >= 8, is_last = is_there && is_kind(data + at, "IEND");
        uint32_t length = is_there ? be32(data + at) : 0;
        ends = is_last || !is_there || size - at < CHUNK || length > size - at - CHUNK;
        wrong = !ends                               ? take_chunk(c, data + at, length, at)
                : is_last && c->header && c->pixels ? NULL
                                                    : "its pixels are missing";
        if (wrong || (to_header && c->header))
            break;
        at += CHUNK + (size_t)length;
    }
    return wrong ? mmd_image_fail_broken(data, size, wrong, error) : MMD_OK;
}

mmd_status mmd_image_info_png(const uint8_t *data, size_t size, mmd_image_info *info, mmd_error *error)
{
    assert(info);
    assert(data || size == 0);
    /* Rows of up to 8 bytes a pixel; libpng and zlib. png_unpack takes less. */
    enum { EACH = 24, STATE = 128 << 10 };
    png_chunks c;
    mmd_status status = follow(data, size, true, &c, error);
    if (status == MMD_OK)
        status = mmd_image_check_claim(c.width, c.height, size, error);
    if (status == MMD_OK)
        *info = (mmd_image_info){.width = c.width,
                                 .height = c.height,
                                 .by_rows = true,
                                 .interlaced = c.interlaced,
                                 .working = STATE + (uint64_t)EACH * c.width,
                                 .joining = png_joined(size, c.width, c.height),
                                 .unpacking = (uint64_t)(c.interlaced ? 12 : 4) * c.width * c.height};
    return status;
}

/* --- What libpng reads --- */

/* The state of reading. It is in the caller's frame, so it survives a longjmp. */
typedef struct png_job {
    const uint8_t *data;
    size_t size, at, end;     /* of the file; bytes of the chunk that is being read */
    uint8_t start[START_MAX]; /* the file that libpng reads, up to the pixels */
    size_t start_size, start_at;
    bool has_tail;            /* start holds what follows the pixels */
    const png_chunks *chunks; /* NULL: libpng reads the file as it is */
    mmd_image_row *row_done;
    void *user;
    uint8_t *row;
    png_reason reason;
} png_job;

/* Appends a chunk; its checksum is not compared. */
static void put_chunk(png_job *job, const char *kind, const uint8_t *from, size_t size)
{
    const uint8_t head[8] = {0,
                             0,
                             (uint8_t)(size >> 8),
                             (uint8_t)size,
                             (uint8_t)kind[0],
                             (uint8_t)kind[1],
                             (uint8_t)kind[2],
                             (uint8_t)kind[3]};
    assert(job->start_size + CHUNK + size <= START_MAX);
    memcpy(job->start + job->start_size, head, sizeof head);
    memcpy(job->start + job->start_size + 8, from, size);
    job->start_size += CHUNK + size;
}

/* Returns whether a grey value can be one of the file's: with fewer than 8 bits a larger one is none. */
static bool is_possible(const png_chunks *c)
{
    return c->depth >= 8 || c->key[1] < 1 << c->depth;
}

/* Makes the file that libpng reads, up to the pixels. */
static void make_start(png_job *job, const png_chunks *c)
{
    uint8_t colors[3 * COLORS], alphas[COLORS];
    memcpy(job->start, signature, SIGNATURE);
    job->start_size = SIGNATURE;
    put_chunk(job, "IHDR", c->header, HEADER);
    if (c->color == PNG_COLOR_TYPE_PALETTE) {
        uint32_t count = c->colors < 1U << c->depth ? c->colors : 1U << c->depth;
        for (uint32_t i = 0; i < count; i++) {
            memcpy(colors + 3 * (size_t)i, c->palette[i], 3);
            alphas[i] = c->palette[i][3];
        }
        put_chunk(job, "PLTE", colors, 3 * (size_t)count);
        if (c->has_alphas)
            put_chunk(job, "tRNS", alphas, count);
    } else if (c->key && is_possible(c)) {
        put_chunk(job, "tRNS", c->key, 2 * (size_t)channels_of(c));
    }
    if (c->is_bare)
        put_chunk(job, "IDAT", (const uint8_t *)"\x78\x01", 2);
    job->at = job->end = c->pixels_at;
}

/* Moves on to the next chunk of pixels. Returns false if there is none. */
static bool next_pixels(png_job *job)
{
    while (job->size - job->end >= CHUNK && !is_kind(job->data + job->end, "IEND")) {
        job->at = job->end;
        job->end += CHUNK + (size_t)be32(job->data + job->at);
        if (is_kind(job->data + job->at, "IDAT"))
            return true;
    }
    return false;
}

/* Lets libpng read a checksum of the pixels, which need not be there: Apple's has none, and it is not
 * compared. Returns false if it was read before. */
static bool add_tail(png_job *job)
{
    if (job->has_tail)
        return false;
    job->has_tail = true;
    job->start_size = job->start_at = 0;
    put_chunk(job, "IDAT", (const uint8_t *)"\0\0\0", 4);
    job->at = job->end;
    return true;
}

static void read_bytes(png_structp png, png_bytep to, size_t size)
{
    png_job *job = png_get_io_ptr(png);
    while (size) {
        bool in_start = job->start_at < job->start_size;
        size_t left = in_start ? job->start_size - job->start_at : job->end - job->at;
        if (!left && (!job->chunks || !(next_pixels(job) || add_tail(job))))
            png_error(png, "its pixels are not complete");
        if (!left)
            continue;
        size_t part = left < size ? left : size;
        memcpy(to, in_start ? job->start + job->start_at : job->data + job->at, part);
        *(in_start ? &job->start_at : &job->at) += part;
        to += part;
        size -= part;
    }
}

/* Asks for rows of 8-bit RGBA without gamma. as_is: damage is not overlooked. */
static void ask_for_rgba(png_structp png, bool as_is)
{
    if (!as_is) {
        png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
        png_set_option(png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
        png_set_option(png, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
    }
    png_set_user_limits(png, MMD_IMAGE_SIZE_MAX, MMD_IMAGE_SIZE_MAX);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
}

/* Reads the rows of one of the seven passes of an interlaced picture, or of one that is not. */
static void read_pass(png_structp png, const png_job *job, uint32_t width, uint32_t height, int pass)
{
    bool whole = pass < 0;
    uint32_t columns = whole ? width : PNG_PASS_COLS(width, pass);
    uint32_t rows = whole ? height : PNG_PASS_ROWS(height, pass);
    for (uint32_t row = 0; columns && row < rows; row++) {
        png_read_row(png, job->row, NULL);
        if (whole)
            job->row_done(job->user, (mmd_image_row_place){0, row, 1}, job->row, columns);
        else
            job->row_done(job->user,
                          (mmd_image_row_place){PNG_PASS_START_COL(pass), PNG_ROW_FROM_PASS_ROW(row, pass),
                                                1U << PNG_PASS_COL_SHIFT(pass)},
                          job->row, columns);
    }
}

/* Reads all rows. libpng may leave this function by longjmp, so no local variable is used after that. */
static bool read_rows(png_structp png, png_infop info, const png_job *job)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    ask_for_rgba(png, !job->chunks);
    png_set_read_fn(png, (png_voidp)(uintptr_t)job, read_bytes);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_read_update_info(png, info);
    const uint32_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    bool interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
    if (png_get_rowbytes(png, info) != 4 * (size_t)width)
        png_error(png, "its rows have an unknown form");
    for (int pass = interlaced ? 0 : -1; pass < (interlaced ? 7 : 0); pass++)
        read_pass(png, job, width, height, pass);
    if (!job->chunks)
        png_read_end(png, info);
    return true;
}

/* Reads what the job says. c has the size of the picture. */
static mmd_status read_job(png_job *job, const png_chunks *c, mmd_error *error)
{
    job->row = mmd_alloc(4 * (size_t)c->width);
    png_structp png =
        job->row ? png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &job->reason, on_png_error, on_png_warning,
                                            &job->reason, alloc_for_png, free_for_png)
                 : NULL;
    png_infop info = png ? png_create_info_struct(png) : NULL;
    const bool has_state = info != NULL; /* which png_destroy_read_struct sets to NULL */
    bool done = has_state && read_rows(png, info, job);
    png_destroy_read_struct(&png, &info, NULL);
    mmd_free(job->row);
    if (done)
        return MMD_OK;
    if (!has_state || job->reason.lacks_memory)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory to read a picture");
    return mmd_image_fail_broken(job->data, job->size, job->reason.text, error);
}

mmd_status mmd_image_read_png(const uint8_t *data, size_t size, bool as_is, mmd_image_row *row_done,
                              void *user, mmd_error *error)
{
    assert(row_done);
    assert(data || size == 0);
    png_chunks c;
    mmd_status status = follow(data, size, false, &c, error);
    if (status != MMD_OK)
        return status;
    png_job job = {.data = data, .size = size, .end = size, .row_done = row_done, .user = user};
    if (!as_is) {
        make_start(&job, &c);
        job.chunks = &c;
    }
    return read_job(&job, &c, error);
}

/* --- The whole picture --- */

/* Copies a row to its place in the picture. */
static void put_row(void *user, mmd_image_row_place place, const uint8_t *row, uint32_t count)
{
    const mmd_image *image = user;
    uint8_t *to = image->pixels + 4 * ((size_t)place.y * image->width + place.x);
    if (place.step == 1)
        memcpy(to, row, 4 * (size_t)count);
    for (uint32_t i = 0; place.step > 1 && i < count; i++, row += 4, to += 4 * (size_t)place.step)
        memcpy(to, row, 4);
}

/* Unpacks a picture of the usual kind without libpng, which takes three to six times as long. Returns false
 * if it is of another kind, or damaged. */
static bool unpack_plain(const uint8_t *data, size_t size, mmd_image *image)
{
    png_chunks c;
    if (follow(data, size, false, &c, NULL) != MMD_OK || c.depth != 8 || c.interlaced || c.is_bare || c.key ||
        (c.color != PNG_COLOR_TYPE_RGB && c.color != PNG_COLOR_TYPE_RGB_ALPHA))
        return false;
    const png_plain plain = {.data = data,
                             .size = size,
                             .first = c.pixels_at,
                             .packed = c.pixels,
                             .width = c.width,
                             .height = c.height,
                             .channels = channels_of(&c)};
    return png_unpack(&plain, image);
}

mmd_status mmd_image_decode_png(const uint8_t *data, size_t size, bool as_is, mmd_image *image,
                                mmd_error *error)
{
    assert(image);
    mmd_image_info info;
    mmd_status status = mmd_image_info_png(data, size, &info, error);
    if (status == MMD_OK && !as_is && unpack_plain(data, size, image))
        return MMD_OK;
    if (status == MMD_OK)
        status = mmd_image_init(image, info.width, info.height, error);
    return status == MMD_OK ? mmd_image_read_png(data, size, as_is, put_row, image, error) : status;
}
