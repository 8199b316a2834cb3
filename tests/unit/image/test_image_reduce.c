/* Pictures decoded smaller than they are, and headers read without decoding. Whatever the path, a pixel has
 * to be the mean of the pixels that plain decoding gives. */
#include "support.h"

#include <stdlib.h>
#include <png.h>

#include "mmd/image.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pngs_of_every_kind_are_reduced),
        cmocka_unit_test(other_formats_are_reduced),
        cmocka_unit_test(damaged_pngs_end_with_a_clear_error),
        cmocka_unit_test(pictures_that_take_too_much_are_refused_by_their_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
