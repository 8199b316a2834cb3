/*
 * Unpacks the pixels of a plain PNG at once. libdeflate takes a third to a tenth of zlib's time, but only for
 * whole streams. Two rows that follow each other are unfiltered together where both have the filter that
 * takes longest. The rows are inflated to the end of the picture's own memory, so that the picture is in
 * memory once.
 */
#include "png_unpack.h"

#include <assert.h>
#include <libdeflate.h>
#include <string.h>

#include "mmd/memory.h"
#include "mmd_arena.h"

enum { CHUNK = 12, ZLIB_HEADER = 2, PIXEL = 4 };

enum { FILTER_NONE, FILTER_SUB, FILTER_UP, FILTER_MEAN, FILTER_PAETH };

/* --- The filters (PNG specification, 9.2): a is the pixel to the left, b the one above, c the one to its
 * left --- */

/* A row: its bytes as they were inflated, its pixels, and those of the row above. Nothing overlaps. */
typedef struct row {
    const uint8_t *from;
    uint8_t *to;
    const uint8_t *above;
    uint32_t width;
} row;

static inline uint32_t load(const uint8_t *pixel)
{
    uint32_t bytes;
    memcpy(&bytes, pixel, sizeof bytes);
    return bytes;
}

static inline void store(uint8_t *to, uint32_t pixel)
{
    memcpy(to, &pixel, sizeof pixel);
}

/* Returns what sets the alpha of a pixel of three channels, whose fourth byte means nothing. */
static inline uint32_t opaque(uint32_t channels)
{
    static const uint8_t alpha[PIXEL] = {0, 0, 0, 255};
    return channels == PIXEL ? 0 : load(alpha);
}

/* Adds each of four bytes, without carrying to the next. */
static inline uint32_t add_bytes(uint32_t x, uint32_t y)
{
    return ((x & 0x7F7F7F7F) + (y & 0x7F7F7F7F)) ^ ((x ^ y) & 0x80808080);
}

/* Returns the mean of each of four bytes, rounded down. */
static inline uint32_t mean_bytes(uint32_t x, uint32_t y)
{
    return (x & y) + (((x ^ y) & 0xFEFEFEFE) >> 1);
}

static inline void unfilter_none(row r, uint32_t channels)
{
    for (size_t x = 0; x < r.width; x++)
        store(r.to + PIXEL * x, load(r.from + channels * x) | opaque(channels));
}

static inline void unfilter_sub(row r, uint32_t channels)
{
    uint32_t a = 0;
    for (size_t x = 0; x < r.width; x++) {
        a = add_bytes(load(r.from + channels * x), a) | opaque(channels);
        store(r.to + PIXEL * x, a);
    }
}

static inline void unfilter_up(row r, uint32_t channels)
{
    for (size_t x = 0; x < r.width; x++) {
        uint32_t b = load(r.above + PIXEL * x);
        store(r.to + PIXEL * x, add_bytes(load(r.from + channels * x), b) | opaque(channels));
    }
}

static inline void unfilter_mean(row r, uint32_t channels)
{
    uint32_t a = 0;
    for (size_t x = 0; x < r.width; x++) {
        uint32_t mean = mean_bytes(a, load(r.above + PIXEL * x));
        a = add_bytes(load(r.from + channels * x), mean) | opaque(channels);
        store(r.to + PIXEL * x, a);
    }
}

/* The channels of two pixels: compilers make vector instructions of arithmetic with these. */
typedef int16_t pair __attribute__((vector_size(16)));
typedef uint8_t pair_bytes __attribute__((vector_size(8)));

static inline pair pair_of(uint32_t first, uint32_t second)
{
    const uint32_t both[2] = {first, second};
    pair_bytes bytes;
    memcpy(&bytes, both, sizeof bytes);
    return __builtin_convertvector(bytes, pair);
}

static inline pair absolute(pair x)
{
    pair sign = x >> 15;
    return (x ^ sign) - sign;
}

/* Returns which of the three neighbours is nearest to a + b - c; of equally near ones the first. */
static inline pair nearest(pair a, pair b, pair c)
{
    const pair from_c = b - c, to_a = absolute(from_c), to_b = absolute(a - c),
               to_c = absolute(from_c + (a - c));
    const pair is_b = to_b < to_a, is_c = to_c < ((is_b & to_b) | (~is_b & to_a));
    return (is_c & c) | (~is_c & ((is_b & b) | (~is_b & a)));
}

/* The second of two rows is so many pixels behind the first. The neighbours above it are known then, and were
 * so for long enough that the processor does not wait for them. */
enum { BEHIND = 2 };

/*
 * Unfilters a row by Paeth's filter, with the next one if that has the same. Pixels of a row can only be
 * computed one after the other; those of the next row do not make it slower. Without a next one, next.width
 * is 0.
 */
static inline void unfilter_paeth(row r, row next, uint32_t channels)
{
    const pair alpha = pair_of(opaque(channels), opaque(channels));
    uint32_t older = 0, last[2] = {0};
    pair a = {0}, c = {0};
    for (size_t x = 0; x < r.width + (next.width ? BEHIND : 0); x++) {
        const bool first = x < r.width, second = next.width && x >= BEHIND;
        const pair b = pair_of(first ? load(r.above + PIXEL * x) : 0, older);
        const pair added = pair_of(first ? load(r.from + channels * x) : 0,
                                   second ? load(next.from + channels * (x - BEHIND)) : 0);
        older = last[0];
        a = ((nearest(a, b, c) + added) & 255) | alpha;
        c = b;
        pair_bytes bytes = __builtin_convertvector(a, pair_bytes);
        memcpy(last, &bytes, sizeof last);
        if (first)
            store(r.to + PIXEL * x, last[0]);
        if (second)
            store(next.to + PIXEL * (x - BEHIND), last[1]);
    }
}

/* --- Rows --- */

/* The picture, and in the same memory its rows as they are inflated, each with its filter's byte in front.
 * They are so far behind that a row and the next one can be written before they are overwritten. */
typedef struct rows {
    uint8_t *pixels, *inflated;
    const uint8_t *none; /* a row of zeros, which is above the first one */
    uint32_t width, height;
} rows;

static inline row row_at(const rows *r, uint32_t y, uint32_t channels)
{
    const size_t size = (size_t)PIXEL * r->width;
    uint8_t *to = r->pixels + y * size;
    return (row){.from = r->inflated + y * ((size_t)channels * r->width + 1) + 1,
                 .to = to,
                 .above = y ? to - size : r->none,
                 .width = r->width};
}

/* Unfilters all rows. Returns false if a filter is not known. channels is a constant where this is inlined.
 */
static inline bool unfilter(const rows *r, uint32_t channels)
{
    for (uint32_t y = 0; y < r->height; y++) {
        row at = row_at(r, y, channels), next = {.width = 0};
        switch (at.from[-1]) {
        case FILTER_NONE:
            unfilter_none(at, channels);
            break;
        case FILTER_SUB:
            unfilter_sub(at, channels);
            break;
        case FILTER_UP:
            unfilter_up(at, channels);
            break;
        case FILTER_MEAN:
            unfilter_mean(at, channels);
            break;
        case FILTER_PAETH:
            if (y + 1 < r->height && row_at(r, y + 1, channels).from[-1] == FILTER_PAETH)
                next = row_at(r, ++y, channels);
            unfilter_paeth(at, next, channels);
            break;
        default:
            return false;
        }
    }
    return true;
}

/* --- The stream --- */

static uint32_t be32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Returns the compressed pixels of all chunks. If there are several, they are copied to *copy, which the
 * caller frees. NULL: they are too long, or there is no memory. */
static const uint8_t *join_chunks(const png_plain *p, uint8_t **copy)
{
    const uint8_t *at = p->data + p->first;
    *copy = NULL;
    if (be32(at) == p->packed)
        return at + 8;
    if (!png_joined(p->size, p->width, p->height))
        return NULL;
    *copy = mmd_alloc(p->packed);
    for (size_t done = 0; *copy && done < p->packed; at += CHUNK + (size_t)be32(at)) {
        if (memcmp(at + 4, "IDAT", 4) != 0)
            continue;
        memcpy(*copy + done, at + 8, be32(at));
        done += be32(at);
    }
    return *copy;
}

/* Returns whether a stream begins as zlib's do. */
static bool has_zlib_header(const uint8_t *stream)
{
    enum { DEFLATE = 8, WINDOW_MAX = 7, HAS_DICTIONARY = 0x20 };
    return (stream[0] & 15) == DEFLATE && stream[0] >> 4 <= WINDOW_MAX && !(stream[1] & HAS_DICTIONARY) &&
           (stream[0] << 8 | stream[1]) % 31 == 0;
}

/* Inflates the pixels, if there are exactly `size` bytes of them. */
static bool inflate_all(const png_plain *p, uint8_t *to, size_t size)
{
    uint8_t *copy;
    size_t taken, got = 0;
    const uint8_t *stream = join_chunks(p, &copy);
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    bool done = stream && decompressor && has_zlib_header(stream) &&
                libdeflate_deflate_decompress_ex(decompressor, stream + ZLIB_HEADER, p->packed - ZLIB_HEADER,
                                                 to, size, &taken, &got) == LIBDEFLATE_SUCCESS;
    libdeflate_free_decompressor(decompressor);
    mmd_free(copy);
    return done && got == size;
}

bool png_unpack(const png_plain *p, mmd_image *image)
{
    assert(p && image && p->width && p->height && (p->channels == 3 || p->channels == PIXEL));
    enum { OVER = 1 }; /* the last pixel of three channels is loaded as four bytes, too */
    const size_t size = (size_t)PIXEL * p->width, inflated = ((size_t)p->channels * p->width + 1) * p->height;
    const size_t whole = (size + 1) * p->height + 2 * size;
    if (p->packed <= ZLIB_HEADER || p->packed > whole)
        return false;
    uint8_t *pixels = mmd_alloc(whole + OVER), *none = mmd_alloc_zeroed(size);
    const rows r = {.pixels = pixels,
                    .inflated = pixels ? pixels + (whole - inflated) : NULL,
                    .none = none,
                    .width = p->width,
                    .height = p->height};
    bool done = pixels && none && inflate_all(p, r.inflated, inflated) &&
                (p->channels == PIXEL ? unfilter(&r, PIXEL) : unfilter(&r, 3));
    mmd_free(none);
    if (!done) {
        mmd_free(pixels);
        return false;
    }
    *image = (mmd_image){.width = p->width, .height = p->height, .pixels = pixels};
    return true;
}
