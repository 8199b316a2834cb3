/* Pictures decoded smaller than they are, and headers read without decoding. Whatever the path, a pixel has
 * to be the mean of the pixels that plain decoding gives. */
#include "support.h"

#include <stdlib.h>
#include <png.h>

#include "mmd/cursor.h"
#include "mmd/image.h"

/* stb_image's reader, which odori used once, as a second opinion. */
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#ifdef __clang__
#pragma clang attribute push(__attribute__((no_sanitize("undefined"))), apply_to = function)
#include <stb/stb_image.h>
#pragma clang attribute pop
#else
#include <stb/stb_image.h>
#endif
#pragma GCC diagnostic pop

/* --- PNGs of every kind --- */

typedef struct png_kind {
    int color, depth;
    bool has_transparency, interlaced;
} png_kind;

static void append(png_structp png, png_bytep data, size_t size)
{
    mmd_write_bytes(png_get_io_ptr(png), data, size);
}

static void flush(png_structp png)
{
    (void)png;
}

/* Sets a palette of all colours that the depth allows, and transparency as a list, a grey or a colour. */
static void set_tables(png_structp png, png_infop info, const png_kind *kind)
{
    png_color colors[256];
    png_byte alphas[100];
    png_color_16 key = {.gray = 1, .red = 1, .green = 1, .blue = 1};
    for (int i = 0; i < 256; i++)
        colors[i] = (png_color){(png_byte)(i * 37), (png_byte)(255 - i), (png_byte)(i * i)};
    for (int i = 0; i < 100; i++)
        alphas[i] = (png_byte)(i * 90);
    int used = kind->depth == 8 ? 256 : 1 << kind->depth;
    if (kind->color == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, colors, used);
    if (kind->has_transparency && kind->color == PNG_COLOR_TYPE_PALETTE)
        png_set_tRNS(png, info, alphas, used < 100 ? used - 1 : 100, NULL);
    else if (kind->has_transparency)
        png_set_tRNS(png, info, NULL, 0, &key);
}

static mmd_buffer make_png(const png_kind *kind, uint32_t width, uint32_t height)
{
    mmd_buffer file = {0};
    uint64_t seed = 5;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &file, append, flush);
    png_set_IHDR(png, info, width, height, kind->depth, kind->color,
                 kind->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    set_tables(png, info, kind);
    png_write_info(png, info);
    size_t bytes = png_get_rowbytes(png, info);
    uint8_t *pixels = malloc(bytes * height);
    assert_non_null(pixels);
    for (size_t i = 0; i < bytes * height; i++) /* small numbers, so that the transparent colour occurs */
        pixels[i] = (uint8_t)(test_random(&seed) % 3 ? test_random(&seed) : i % 2);
    for (int pass = 0, passes = png_set_interlace_handling(png); pass < passes; pass++)
        for (uint32_t y = 0; y < height; y++)
            png_write_row(png, pixels + y * bytes);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    free(pixels);
    return file;
}

/* --- Comparing with plain decoding --- */

static uint8_t mean_of(const mmd_image *image, uint32_t x, uint32_t y, uint32_t side, size_t channel)
{
    uint64_t sum = 0, count = 0;
    for (uint32_t v = y * side; v < (y + 1) * side && v < image->height; v++)
        for (uint32_t u = x * side; u < (x + 1) * side && u < image->width; u++, count++)
            sum += image->pixels[4 * ((size_t)v * image->width + u) + channel];
    return (uint8_t)((sum + count / 2) / count);
}

/* Decodes a file at all sizes. by_rows: whether it has to be read row by row. */
static void check_sizes(const mmd_buffer *file, const char *name, bool by_rows)
{
    mmd_image whole, small;
    mmd_image_info info;
    mmd_error error = {0};
    assert_int_equal(mmd_image_read_info(file->data, file->size, name, &info, &error), MMD_OK);
    assert_int_equal(mmd_image_decode(file->data, file->size, name, &whole, &error), MMD_OK);
    assert_int_equal(mmd_image_verify(file->data, file->size, name, &error), MMD_OK);
    assert_int_equal(info.width, whole.width);
    assert_int_equal(info.height, whole.height);
    assert_int_equal(info.by_rows, by_rows);
    for (uint32_t halvings = 0; halvings < 7; halvings++) {
        const uint32_t side = 1U << halvings;
        bool has_alpha = false;
        assert_int_equal(mmd_image_decode_reduced(file->data, file->size, name, halvings, &small, &error),
                         MMD_OK);
        assert_int_equal(small.width, (whole.width + side - 1) / side);
        assert_int_equal(small.height, (whole.height + side - 1) / side);
        for (uint32_t y = 0; y < small.height; y++)
            for (uint32_t x = 0; x < small.width; x++)
                for (size_t k = 0; k < 4; k++) {
                    uint8_t found = small.pixels[4 * ((size_t)y * small.width + x) + k];
                    has_alpha |= k == 3 && found < 255;
                    if (found != mean_of(&whole, x, y, side, k))
                        fail_msg("%s: 1/%u, pixel %u,%u, channel %zu: %d", name, side, x, y, k, found);
                }
        assert_int_equal(small.has_alpha, has_alpha);
        mmd_image_finish(&small);
    }
    mmd_image_finish(&whole);
}

static void pngs_of_every_kind_are_reduced(void **state)
{
    (void)state;
    static const struct {
        int color, depths[6];
    } kinds[] = {{PNG_COLOR_TYPE_GRAY, {1, 2, 4, 8, 16, 0}},
                 {PNG_COLOR_TYPE_PALETTE, {1, 2, 4, 8, 0, 0}},
                 {PNG_COLOR_TYPE_RGB, {8, 16, 0, 0, 0, 0}},
                 {PNG_COLOR_TYPE_GRAY_ALPHA, {8, 16, 0, 0, 0, 0}},
                 {PNG_COLOR_TYPE_RGB_ALPHA, {8, 16, 0, 0, 0, 0}}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (const int *depth = kinds[i].depths; *depth; depth++)
            for (int form = 0; form < 4; form++) {
                png_kind kind = {kinds[i].color, *depth, form % 2, form / 2};
                if (kind.has_transparency && kind.color & PNG_COLOR_MASK_ALPHA)
                    continue;
                uint64_t blocks = mmd_heap_blocks_in_use();
                mmd_buffer file = make_png(&kind, 37, 21);
                char name[64];
                snprintf(name, sizeof name, "color %d depth %d form %d.png", kind.color, kind.depth, form);
                check_sizes(&file, name, true);
                mmd_buffer_finish(&file);
                assert_int_equal(mmd_heap_blocks_in_use(), blocks);
            }
}

static void other_formats_are_reduced(void **state)
{
    (void)state;
    mmd_buffer tga = {0}, bmp = {0}, pnm = {0};
    uint64_t seed = 3;
    mmd_write_bytes(&tga, "\0\0\2\0\0\0\0\0\0\0\0\0\23\0\13\0\40\10", 18); /* 19 x 11, 32 bits */
    mmd_write_bytes(&bmp, "BM\0\0\0\0\0\0\0\0\66\0\0\0\50\0\0\0\24\0\0\0\13\0\0\0\1\0\30\0", 30);
    while (bmp.size < 54)
        mmd_write_u8(&bmp, 0);
    mmd_write_format(&pnm, "P6\n17 9\n255\n");
    for (int i = 0; i < 19 * 11 * 4; i++)
        mmd_write_u8(&tga, (uint8_t)test_random(&seed));
    for (int i = 0; i < 20 * 11 * 3; i++)
        mmd_write_u8(&bmp, (uint8_t)test_random(&seed));
    for (int i = 0; i < 17 * 9 * 3; i++)
        mmd_write_u8(&pnm, (uint8_t)test_random(&seed));
    check_sizes(&tga, "a.tga", false);
    check_sizes(&bmp, "a.bmp", false);
    check_sizes(&pnm, "a.ppm", false);
    mmd_buffer_finish(&tga);
    mmd_buffer_finish(&bmp);
    mmd_buffer_finish(&pnm);
}

/* --- Odd files --- */

static uint32_t crc_of(const uint8_t *bytes, size_t size)
{
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
    }
    return ~crc;
}

static void put_be32(mmd_buffer *file, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        mmd_write_u8(file, (uint8_t)(value >> shift));
}

static void put_chunk(mmd_buffer *file, const char *kind, const void *bytes, size_t size)
{
    put_be32(file, (uint32_t)size);
    mmd_write_bytes(file, kind, 4);
    mmd_write_bytes(file, bytes, size);
    put_be32(file, crc_of(file->data + file->size - size - 4, size + 4));
}

enum { WIDTH = 37, HEIGHT = 21 };

/* What is odd about a PNG. */
typedef enum oddity {
    NOTHING,
    TWO_PALETTES,
    PALETTE_BEHIND,      /* once more, behind the pixels */
    PALETTE_TOO_SHORT,   /* pixels have colours that it lacks */
    PALETTE_OF_NOTHING,  /* without entries */
    TWO_TRANSPARENCIES,  /* the second one is shorter */
    TRANSPARENCY_BEHIND, /* behind the pixels */
    TRANSPARENCY_LONG,   /* longer than the palette */
    NO_SUCH_GREY,        /* the transparent one */
    EMPTY_PIXELS,        /* chunks without bytes before, between and behind */
    CUT_PIXELS,          /* a chunk for each byte */
    TEXT_BETWEEN,        /* a chunk of text in the midst of the pixels */
    TOO_MANY_PIXELS,     /* bytes behind the last row */
    TOO_FEW_PIXELS,
    NO_PIXELS,
    BARE_PIXELS, /* without zlib's header, as Apple writes them */
    BARE_ALONE,  /* nor its checksum */
    BAD_CHECKSUM,
    BAD_CHECKSUM_OF_TEXT,
    NO_END,
    CUT_END, /* without its checksum */
    TRAILING_BYTES,
    UNKNOWN_CHUNK,
    UNKNOWN_CRITICAL_CHUNK,
    TWO_HEADERS,
    NO_HEADER,
    ODDITIES
} oddity;

/* Appends the pixels of a PNG, the compressed bytes `from`. */
static void put_pixels(mmd_buffer *file, oddity odd, const uint8_t *from, size_t size)
{
    size_t half = size / 2;
    if (odd == EMPTY_PIXELS)
        put_chunk(file, "IDAT", "", 0);
    if (odd == EMPTY_PIXELS || odd == TEXT_BETWEEN) {
        put_chunk(file, "IDAT", from, half);
        put_chunk(file, odd == TEXT_BETWEEN ? "tEXt" : "IDAT", "a\0b", odd == TEXT_BETWEEN ? 3 : 0);
        put_chunk(file, "IDAT", from + half, size - half);
    }
    if (odd == EMPTY_PIXELS)
        put_chunk(file, "IDAT", "", 0);
    for (size_t i = 0; odd == CUT_PIXELS && i < size; i++)
        put_chunk(file, "IDAT", from + i, 1);
    if (odd == BARE_PIXELS || odd == BARE_ALONE)
        put_chunk(file, "IDAT", from + 2, odd == BARE_ALONE ? size - 6 : size - 2);
    else if (odd == TOO_FEW_PIXELS)
        put_chunk(file, "IDAT", from, half);
    else if (odd != EMPTY_PIXELS && odd != TEXT_BETWEEN && odd != CUT_PIXELS && odd != NO_PIXELS)
        put_chunk(file, "IDAT", from, size);
    if (odd == BAD_CHECKSUM)
        file->data[file->size - 1] ^= 1;
}

/* Returns the first chunk of a kind in a PNG; its length is at its start. */
static const uint8_t *find_chunk(const mmd_buffer *file, const char *kind, uint32_t *size)
{
    for (size_t at = 8; at + 12 <= file->size; at += 12 + *size) {
        const uint8_t *chunk = file->data + at;
        *size = (uint32_t)chunk[0] << 24 | (uint32_t)chunk[1] << 16 | (uint32_t)chunk[2] << 8 | chunk[3];
        if (memcmp(chunk + 4, kind, 4) == 0)
            return chunk + 8;
    }
    *size = 0;
    return NULL;
}

/* Builds a PNG of a kind that is odd. */
static mmd_buffer make_odd(const png_kind *kind, oddity odd)
{
    mmd_buffer sound = make_png(kind, WIDTH, HEIGHT), file = {0};
    uint32_t header_size, palette_size, clear_size, pixels_size;
    const uint8_t *header = find_chunk(&sound, "IHDR", &header_size);
    const uint8_t *palette = find_chunk(&sound, "PLTE", &palette_size);
    const uint8_t *clear = find_chunk(&sound, "tRNS", &clear_size);
    const uint8_t *pixels = find_chunk(&sound, "IDAT", &pixels_size);
    static const uint8_t reds[6] = {255, 0, 0, 128, 0, 0}, greys[6] = {0, 200};
    mmd_write_bytes(&file, sound.data, 8);
    if (odd == BARE_PIXELS || odd == BARE_ALONE)
        put_chunk(&file, "CgBI", "\x50\0\x20\6", 4);
    for (int i = odd == NO_HEADER; i < 1 + (odd == TWO_HEADERS); i++)
        put_chunk(&file, "IHDR", header, header_size);
    if (odd == UNKNOWN_CHUNK || odd == UNKNOWN_CRITICAL_CHUNK)
        put_chunk(&file, odd == UNKNOWN_CHUNK ? "odDy" : "ODDY", "?", 1);
    if (odd == BAD_CHECKSUM_OF_TEXT) {
        put_chunk(&file, "tEXt", "a\0b", 3);
        file.data[file.size - 1] ^= 1;
    }
    if (palette)
        put_chunk(&file, "PLTE", palette,
                  odd == PALETTE_TOO_SHORT    ? 6
                  : odd == PALETTE_OF_NOTHING ? 0
                                              : palette_size);
    if (palette && odd == TWO_PALETTES)
        put_chunk(&file, "PLTE", reds, sizeof reds);
    if (clear && odd != TRANSPARENCY_BEHIND && odd != PALETTE_TOO_SHORT && odd != PALETTE_OF_NOTHING)
        put_chunk(&file, "tRNS", odd == NO_SUCH_GREY && !palette ? greys : clear,
                  odd == TRANSPARENCY_LONG ? clear_size + 200 : clear_size);
    if (palette && clear && odd == TWO_TRANSPARENCIES)
        put_chunk(&file, "tRNS", greys, 2);
    put_pixels(&file, odd, pixels, pixels_size);
    if (palette && odd == PALETTE_BEHIND)
        put_chunk(&file, "PLTE", reds, sizeof reds);
    if (clear && odd == TRANSPARENCY_BEHIND)
        put_chunk(&file, "tRNS", clear, clear_size);
    if (odd != NO_END)
        put_chunk(&file, "IEND", "", 0);
    file.size -= odd == CUT_END ? 4 : 0;
    for (size_t i = 0; odd == TRAILING_BYTES && i < 100; i++)
        mmd_write_u8(&file, (uint8_t)i);
    if (odd == TOO_MANY_PIXELS) /* fewer rows than there are */
        file.data[8 + 8 + 7] = HEIGHT - 8;
    mmd_buffer_finish(&sound);
    return file;
}

/* Requires that a file is refused at every size. */
static void check_refused(const uint8_t *data, size_t size, const char *name)
{
    for (uint32_t halvings = 0; halvings < 16; halvings++) {
        mmd_image image;
        mmd_error error = {0};
        if (mmd_image_decode_reduced(data, size, name, halvings, &image, &error) == MMD_OK)
            fail_msg("%s: is read at 1/%u only", name, 1U << halvings);
        assert_true(error.message[0] != '\0');
        assert_int_not_equal(error.code, MMD_ERROR_MEMORY);
    }
    assert_int_not_equal(mmd_image_verify(data, size, name, NULL), MMD_OK);
}

/* Requires that a file is read alike at every size, or at none. Returns whether it is read. */
static bool check_alike(const mmd_buffer *file, const char *name)
{
    mmd_image image;
    uint64_t blocks = mmd_heap_blocks_in_use();
    bool is_read = mmd_image_decode(file->data, file->size, name, &image, NULL) == MMD_OK;
    if (is_read) {
        mmd_image_info info;
        assert_int_equal(mmd_image_read_info(file->data, file->size, name, &info, NULL), MMD_OK);
        check_sizes(file, name, info.by_rows);
    } else {
        check_refused(file->data, file->size, name);
    }
    mmd_image_finish(&image);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    return is_read;
}

/* Requires that stb_image reads a PNG alike. */
static void check_stb(const mmd_buffer *file, const char *name, bool is_read)
{
    mmd_image image;
    int width, height, channels;
    uint8_t *pixels = stbi_load_from_memory(file->data, (int)file->size, &width, &height, &channels, 4);
    if (!pixels != !is_read)
        fail_msg("%s: stb_image says %s", name, pixels ? "that it is sound" : stbi_failure_reason());
    if (!is_read)
        return;
    assert_int_equal(mmd_image_decode(file->data, file->size, name, &image, NULL), MMD_OK);
    assert_int_equal(width, image.width);
    assert_int_equal(height, image.height);
    assert_memory_equal(pixels, image.pixels, 4 * (size_t)width * (size_t)height);
    mmd_image_finish(&image);
    free(pixels);
}

/* What libpng alone refuses is read as stb_image reads it; colours that a palette lacks are black. */
static void odd_pngs_are_read_alike_at_every_size(void **state)
{
    (void)state;
    static const png_kind kinds[] = {
        {PNG_COLOR_TYPE_GRAY, 4, true, false},      {PNG_COLOR_TYPE_GRAY, 1, false, true},
        {PNG_COLOR_TYPE_PALETTE, 4, true, false},   {PNG_COLOR_TYPE_PALETTE, 8, true, true},
        {PNG_COLOR_TYPE_RGB, 8, true, false},       {PNG_COLOR_TYPE_RGB, 16, true, true},
        {PNG_COLOR_TYPE_RGB_ALPHA, 8, false, false}};
    size_t strict = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (oddity odd = NOTHING; odd < ODDITIES; odd++) {
            char name[64];
            mmd_image image;
            mmd_buffer file = make_odd(&kinds[k], odd);
            bool indexed = kinds[k].color == PNG_COLOR_TYPE_PALETTE;
            snprintf(name, sizeof name, "kind %zu oddity %d.png", k, odd);
            bool is_read = check_alike(&file, name);
            if (odd == BARE_ALONE) /* stb_image refuses some */
                assert_true(is_read);
            else if (!indexed || odd != PALETTE_TOO_SHORT) /* stb_image's colours are undefined */
                check_stb(&file, name, is_read);
            if (mmd_png_decode_strictly(file.data, file.size, name, 0, &image, NULL) == MMD_OK) {
                assert_true(is_read && odd != TEXT_BETWEEN && odd != BAD_CHECKSUM && odd != BARE_PIXELS &&
                            odd != BARE_ALONE && !(indexed && odd == TWO_PALETTES));
                strict++;
            } else if (odd == NOTHING || odd == TRAILING_BYTES) {
                fail_msg("%s is refused", name);
            }
            mmd_image_finish(&image);
            mmd_buffer_finish(&file);
        }
    assert_in_range(strict, 50, 110);
}

/* The seeds of the fuzzer: every format and kind of it, whole and cut. */
static void seeds_are_read_alike_at_every_size(void **state)
{
    (void)state;
    static const char *const seeds[] = {"cmyk.jpg",         "ycck.jpg",
                                        "grey.jpg",         "color.jpg",
                                        "rgb.jpg",          "progressive.jpg",
                                        "rgb-16.psd",       "rgba-rle.psd",
                                        "mixed.pic",        "plain.gif",
                                        "interlaced.gif",   "grey.pgm",
                                        "color.ppm",        "map-rle.tga",
                                        "rgba-rle.tga",     "rgb-16.tga",
                                        "bits-1.bmp",       "rle-8.bmp",
                                        "dxt5.dds",         "grey-1.png",
                                        "rgb-16-clear.png", "palette-8-interlaced.png"};
    size_t whole = 0;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        char path[512];
        mmd_bytes bytes;
        snprintf(path, sizeof path, ODORI_SOURCE "/tests/fuzz/corpus/image/%s", seeds[i]);
        assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
        mmd_buffer file = {0};
        mmd_write_bytes(&file, bytes.data, bytes.size);
        whole += check_alike(&file, seeds[i]);
        for (size_t part = 1; part < 16; part++) {
            file.size = bytes.size * part / 16;
            check_alike(&file, seeds[i]);
        }
        file.size = bytes.size - 1;
        check_alike(&file, seeds[i]);
        mmd_buffer_finish(&file);
        mmd_bytes_finish(&bytes);
    }
    assert_int_equal(whole, sizeof seeds / sizeof *seeds - 1); /* progressive.jpg is damaged */
}

/* --- Damaged files --- */

static void damaged_pngs_end_with_a_clear_error(void **state)
{
    (void)state;
    const png_kind kind = {PNG_COLOR_TYPE_RGB, 8, false, false};
    mmd_buffer file = make_png(&kind, 40, 30);
    uint64_t blocks = mmd_heap_blocks_in_use();
    for (size_t size = 0; size < file.size - 12; size += 7) {
        mmd_image image;
        mmd_error error = {0};
        uint8_t *copy = malloc(size ? size : 1); /* of the exact size, for the sanitizer */
        memcpy(copy, file.data, size);
        assert_int_not_equal(mmd_image_decode_reduced(copy, size, "a.png", 2, &image, &error), MMD_OK);
        assert_null(image.pixels);
        assert_true(error.message[0] != '\0');
        assert_string_equal(error.file, "a.png");
        free(copy);
    }
    for (size_t at = 0; at < file.size; at++) {
        mmd_image image;
        mmd_error error = {0};
        file.data[at] ^= 0x5A;
        if (mmd_image_decode_reduced(file.data, file.size, "a.png", 1, &image, &error) == MMD_OK)
            mmd_image_finish(&image);
        else
            assert_true(error.message[0] != '\0');
        file.data[at] ^= 0x5A;
        assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    }
    mmd_buffer_finish(&file);
}

/* A header that claims a picture which would take 3.2 GiB. */
static void pictures_that_take_too_much_are_refused_by_their_header(void **state)
{
    (void)state;
    enum { SIZE = 600000 };
    static const uint8_t start[] = {0xFF, 0xD8, 0xFF, 0xC2, 0, 17,   8, 64, 0,    64, 0,
                                    3,    1,    0x11, 0,    2, 0x11, 0, 3,  0x11, 0};
    uint8_t *jpeg = calloc(SIZE, 1);
    assert_non_null(jpeg);
    memcpy(jpeg, start, sizeof start);
    mmd_image_info info;
    mmd_image image;
    mmd_error error = {0};
    assert_int_equal(mmd_image_read_info(jpeg, SIZE, "a.jpg", &info, &error), MMD_OK);
    assert_int_equal(info.width, 16384);
    assert_int_equal(info.working, UINT64_C(9)
                                       << 28); /* a coefficient of two bytes and a byte for each of three */
    assert_int_equal(mmd_image_memory(&info, 0), SIZE + (UINT64_C(13) << 28));
    assert_int_equal(mmd_image_verify(jpeg, SIZE, "a.jpg", &error), MMD_ERROR_LIMIT);
    assert_int_equal(mmd_image_decode(jpeg, SIZE, "a.jpg", &image, &error), MMD_ERROR_LIMIT);
    assert_null(image.pixels);
    assert_string_equal(error.file, "a.jpg");
    free(jpeg);
}

static void a_large_plain_bmp_is_verified_by_its_length(void **state)
{
    (void)state;
    mmd_buffer bmp = {0};
    mmd_write_bytes(&bmp, "BM\0\0\0\0\0\0\0\0\66\0\0\0\50\0\0\0\0\77\0\0\0\77\0\0\1\0\1\0",
                    30); /* 16128 x 16128 */
    mmd_buffer_reserve(&bmp, 33 << 20);
    memset(bmp.data + bmp.size, 0, 33 << 20);
    bmp.size += 33 << 20; /* one bit for each pixel */
    mmd_image_info info;
    assert_int_equal(mmd_image_read_info(bmp.data, bmp.size, "a.bmp", &info, NULL), MMD_OK);
    assert_int_equal(info.width, 16128);
    assert_int_equal(mmd_image_verify(bmp.data, bmp.size, "a.bmp", NULL), MMD_OK);
    assert_int_equal(mmd_image_verify(bmp.data, bmp.size - (3 << 20), "a.bmp", NULL), MMD_ERROR_TRUNCATED);
    mmd_buffer_finish(&bmp);
}

static void a_large_plain_tga_is_verified_by_its_length(void **state)
{
    enum { SIDE = 8448, HEADER = 18, BYTES = HEADER + SIDE * SIDE };
    uint8_t *tga = calloc(BYTES, 1);
    (void)state;
    assert_non_null(tga);
    tga[2] = 3;
    tga[13] = tga[15] = SIDE >> 8;
    tga[16] = 8;
    assert_int_equal(mmd_image_verify(tga, BYTES, "a.tga", NULL), MMD_OK);
    tga[2] = 11; /* in runs, of which any bytes are */
    assert_int_equal(mmd_image_verify(tga, BYTES / 400, "a.tga", NULL), MMD_OK);
    free(tga);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pngs_of_every_kind_are_reduced),
        cmocka_unit_test(other_formats_are_reduced),
        cmocka_unit_test(odd_pngs_are_read_alike_at_every_size),
        cmocka_unit_test(seeds_are_read_alike_at_every_size),
        cmocka_unit_test(damaged_pngs_end_with_a_clear_error),
        cmocka_unit_test(pictures_that_take_too_much_are_refused_by_their_header),
        cmocka_unit_test(a_large_plain_bmp_is_verified_by_its_length),
        cmocka_unit_test(a_large_plain_tga_is_verified_by_its_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
