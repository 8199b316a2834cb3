/* PNGs of 8-bit RGB and RGBA are unpacked without libpng. They have to give the pixels that libpng gives, and
 * what is wrong with one has to be said as libpng says it. */
#include "support.h"

#include <stdlib.h>
#include <zlib.h>

#include "mmd/cursor.h"
#include "mmd/image.h"
#include "mmd/memory.h"

enum { FILTERS = 5, ANY = FILTERS };

/* How a PNG is made. */
typedef struct recipe {
    uint32_t width, height, channels;
    int filter;      /* of all rows; ANY: another one for each */
    size_t chunk;    /* bytes of pixels in each chunk; 0: all in one */
    bool few_values; /* the pixels compress well */
} recipe;

static void put_be32(mmd_buffer *to, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
                              (uint8_t)value};
    mmd_write_bytes(to, bytes, sizeof bytes);
}

static void put_chunk(mmd_buffer *to, const char *kind, const uint8_t *data, size_t size)
{
    put_be32(to, (uint32_t)size);
    size_t from = to->size;
    mmd_write_bytes(to, kind, 4);
    mmd_write_bytes(to, data, size);
    put_be32(to, (uint32_t)crc32(0, to->data + from, (uInt)(to->size - from)));
}

/* Writes a PNG around rows with their filters, packed already. */
static mmd_buffer wrap(const recipe *r, const uint8_t *packed, size_t size)
{
    mmd_buffer png = {0};
    const uint8_t header[13] = {
        (uint8_t)(r->width >> 24), (uint8_t)(r->width >> 16),  (uint8_t)(r->width >> 8),
        (uint8_t)r->width,         (uint8_t)(r->height >> 24), (uint8_t)(r->height >> 16),
        (uint8_t)(r->height >> 8), (uint8_t)r->height,         8,
        r->channels == 4 ? 6 : 2};
    mmd_write_bytes(&png, "\x89PNG\r\n\x1A\n", 8);
    put_chunk(&png, "IHDR", header, sizeof header);
    for (size_t at = 0; at < size;) {
        size_t part = r->chunk && r->chunk < size - at ? r->chunk : size - at;
        put_chunk(&png, "IDAT", packed + at, part);
        at += part;
    }
    put_chunk(&png, "IEND", NULL, 0);
    return png;
}

/* Makes rows: any bytes are the differences of some picture. */
static mmd_bytes make_rows(const recipe *r)
{
    const size_t row = 1 + (size_t)r->width * r->channels;
    uint64_t seed = r->width * 31 + r->height;
    mmd_bytes rows = {.data = mmd_alloc(row * r->height), .size = row * r->height};
    for (size_t i = 0; i < rows.size; i++)
        rows.data[i] = (uint8_t)(test_random(&seed) % (r->few_values ? 3 : 256));
    for (uint32_t y = 0; y < r->height; y++)
        rows.data[y * row] = (uint8_t)(r->filter == ANY ? (int)(test_random(&seed) % FILTERS) : r->filter);
    return rows;
}

static mmd_buffer make(const recipe *r)
{
    mmd_bytes rows = make_rows(r);
    uLongf size = compressBound((uLong)rows.size);
    uint8_t *packed = mmd_alloc(size);
    assert_int_equal(compress(packed, &size, rows.data, (uLong)rows.size), Z_OK);
    mmd_buffer png = wrap(r, packed, size);
    mmd_free(packed);
    mmd_bytes_finish(&rows);
    return png;
}

/* Compares what decoding gives with what libpng gives. That allocates more blocks, and reads only files that
 * are long for their pictures. */
static void compare(const recipe *r, const mmd_buffer *png, const char *what)
{
    enum { BLOCKS = 3 }; /* the pixels, a row, the chunks joined */
    mmd_image ours, theirs;
    const uint64_t allocations = mmd_heap_allocations();
    assert_int_equal(mmd_image_decode(png->data, png->size, "a.png", &ours, NULL), MMD_OK);
    const bool is_short = !r->chunk || png->size <= (size_t)2 * r->width * r->height;
    if (is_short && r->width > 1 && mmd_heap_allocations() - allocations > BLOCKS)
        fail_msg("%s: libpng has read it", what);
    assert_int_equal(mmd_png_decode_strictly(png->data, png->size, "a.png", 0, &theirs, NULL), MMD_OK);
    const size_t size = 4 * (size_t)theirs.width * theirs.height;
    if (ours.width != theirs.width || ours.height != theirs.height || ours.has_alpha != theirs.has_alpha ||
        memcmp(ours.pixels, theirs.pixels, size) != 0)
        fail_msg("%s: the pixels are not libpng's", what);
    mmd_image_finish(&ours);
    mmd_image_finish(&theirs);
}

static void pixels_are_those_of_libpng(void **state)
{
    (void)state;
    static const uint32_t widths[] = {1, 2, 3, 4, 5, 7, 16, 33, 200}, heights[] = {1, 2, 3, 5, 64};
    uint64_t blocks = mmd_heap_blocks_in_use();
    for (size_t i = 0; i < sizeof widths / sizeof *widths * 5 * 2 * (FILTERS + 1) * 2; i++) {
        size_t k = i / 2;
        const recipe r = {.channels = i % 2 ? 4 : 3,
                          .width = widths[k / 5 % 9],
                          .height = heights[k % 5],
                          .filter = (int)(k / 45 % (FILTERS + 1)),
                          .few_values = k / 45 / (FILTERS + 1) % 2,
                          .chunk = k % 3 * 50};
        char what[100];
        snprintf(what, sizeof what, "%u x %u, %u channels, filter %d, chunks of %zu", r.width, r.height,
                 r.channels, r.filter, r.chunk);
        mmd_buffer png = make(&r);
        compare(&r, &png, what);
        mmd_buffer_finish(&png);
    }
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

/* Decodes a PNG that is damaged. Returns whether there is a picture; message: what is wrong otherwise. */
static bool decode(const recipe *r, const uint8_t *rows, size_t size, bool is_whole, char message[256])
{
    uLongf packed_size = compressBound((uLong)size);
    uint8_t *packed = mmd_alloc(packed_size);
    mmd_image image = {0};
    mmd_error error = {0};
    assert_int_equal(compress(packed, &packed_size, rows, (uLong)size), Z_OK);
    mmd_buffer png = wrap(r, packed, is_whole ? packed_size : packed_size / 2);
    mmd_status status = mmd_image_decode(png.data, png.size, "a.png", &image, &error);
    snprintf(message, 256, "%s", error.message);
    mmd_image_finish(&image);
    mmd_buffer_finish(&png);
    mmd_free(packed);
    return status == MMD_OK;
}

static void damage_is_told_as_libpng_tells_it(void **state)
{
    (void)state;
    char message[256];
    const recipe r = {.width = 20, .height = 20, .channels = 4, .filter = ANY};
    mmd_bytes rows = make_rows(&r);
    assert_true(decode(&r, rows.data, rows.size, true, message));
    assert_false(decode(&r, rows.data, rows.size, false, message));
    assert_non_null(strstr(message, "its pixels are not complete"));
    assert_false(decode(&r, rows.data, rows.size - 1, true, message));
    assert_non_null(strstr(message, "Not enough image data"));
    rows.data[19 * (1 + 20 * 4)] = FILTERS;
    assert_false(decode(&r, rows.data, rows.size, true, message));
    assert_non_null(strstr(message, "bad adaptive filter value"));
    mmd_bytes_finish(&rows);
}

/* Other programs show what follows the last row, or a wrong checksum, as a picture without it. */
static void what_others_overlook_is_overlooked(void **state)
{
    (void)state;
    char message[256];
    const recipe more = {.width = 9, .height = 10, .channels = 3, .filter = ANY},
                 r = {9, 8, 3, ANY, 0, false};
    mmd_bytes rows = make_rows(&more);
    assert_true(decode(&r, rows.data, rows.size, true, message));
    mmd_bytes_finish(&rows);
    mmd_buffer png = make(&r);
    mmd_image right, wrong;
    assert_int_equal(mmd_image_decode(png.data, png.size, "a.png", &right, NULL), MMD_OK);
    png.data[png.size - 12 - 4 - 1] ^= 1; /* of the pixels, before the chunk's own and the last chunk */
    assert_int_equal(mmd_image_decode(png.data, png.size, "a.png", &wrong, NULL), MMD_OK);
    assert_memory_equal(right.pixels, wrong.pixels, 4 * 9 * 8);
    mmd_image_finish(&right);
    mmd_image_finish(&wrong);
    mmd_buffer_finish(&png);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_those_of_libpng),
        cmocka_unit_test(damage_is_told_as_libpng_tells_it),
        cmocka_unit_test(what_others_overlook_is_overlooked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
