/* Decoding images built here by hand, damaged images, writing PNG. */
#include "support.h"

#include "folder.h"
#include "mmd/cursor.h"
#include "mmd/image.h"
#include "mmd/source.h"

typedef struct rgba {
    uint8_t r, g, b, a;
} rgba;

static const rgba red = {255, 0, 0, 255}, green = {0, 255, 0, 255}, blue = {0, 0, 255, 255};
static const rgba black = {0, 0, 0, 255}, white = {255, 255, 255, 255};

static void assert_pixel(const mmd_image *image, uint32_t x, uint32_t y, rgba expected)
{
    assert_true(x < image->width && y < image->height);
    const uint8_t *p = image->pixels + 4 * ((size_t)y * image->width + x);
    if (memcmp(p, &expected, 4) != 0)
        fail_msg("pixel %u,%u is %d %d %d %d, not %d %d %d %d", x, y, p[0], p[1], p[2], p[3], expected.r,
                 expected.g, expected.b, expected.a);
}

/* Decodes a valid file and frees it. */
static mmd_image decode(mmd_buffer *file, const char *name, uint32_t width, uint32_t height)
{
    mmd_image image;
    mmd_error error = {0};
    if (mmd_image_decode(file->data, file->size, name, &image, &error) != MMD_OK)
        fail_msg("%s: %s", name, error.message);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    mmd_buffer_finish(file);
    return image;
}

static void assert_refused(mmd_buffer *file, mmd_status expected)
{
    mmd_image image;
    mmd_error error = {0};
    assert_int_equal(mmd_image_decode(file->data, file->size, "a.png", &image, &error), expected);
    assert_int_equal(error.code, expected);
    assert_string_equal(error.file, "a.png");
    assert_true(error.message[0] != '\0');
    assert_null(image.pixels);
    mmd_buffer_finish(file);
}

/* --- BMP --- */

enum { CORE = 12, INFO = 40, V2 = 52, V3 = 56, V4 = 108, V5 = 124 };

typedef struct bmp_spec {
    uint32_t header, bits, compression, colors;
    int32_t width, height;
    uint32_t masks[4];
    size_t behind; /* bytes between the header and the pixels: a palette, masks */
} bmp_spec;

/* Begins a BMP with its headers. The caller appends the rest. */
static mmd_buffer begin_bmp(bmp_spec spec)
{
    mmd_buffer file = {0};
    mmd_write_bytes(&file, "BM\0\0\0\0\0\0\0\0", 10);
    mmd_write_u32(&file, (uint32_t)(14 + spec.header + spec.behind));
    mmd_write_u32(&file, spec.header);
    if (spec.header == CORE) {
        mmd_write_u16(&file, (uint16_t)spec.width);
        mmd_write_u16(&file, (uint16_t)spec.height);
    } else {
        mmd_write_i32(&file, spec.width);
        mmd_write_i32(&file, spec.height);
    }
    mmd_write_u16(&file, 1);
    mmd_write_u16(&file, (uint16_t)spec.bits);
    if (spec.header == CORE)
        return file;
    mmd_write_u32(&file, spec.compression);
    mmd_write_zeros(&file, 12);
    mmd_write_u32(&file, spec.colors);
    mmd_write_u32(&file, 0);
    for (size_t i = 0; i < 4 && INFO + 4 * i < spec.header; i++)
        mmd_write_u32(&file, spec.masks[i]);
    if (file.size < 14 + spec.header)
        mmd_write_zeros(&file, 14 + spec.header - file.size);
    return file;
}

static mmd_buffer make_bmp32(bmp_spec spec, uint32_t first, uint32_t second)
{
    spec.width = 2;
    spec.height = 1;
    spec.bits = 32;
    mmd_buffer file = begin_bmp(spec);
    if (spec.header == INFO && spec.behind)
        for (size_t i = 0; i < spec.behind / 4; i++)
            mmd_write_u32(&file, spec.masks[i]);
    mmd_write_u32(&file, first);
    mmd_write_u32(&file, second);
    return file;
}

static void assert_pair(mmd_buffer file, rgba first, rgba second, bool has_alpha)
{
    mmd_image image = decode(&file, "pair", 2, 1);
    assert_pixel(&image, 0, 0, first);
    assert_pixel(&image, 1, 0, second);
    assert_int_equal(image.has_alpha, has_alpha);
    mmd_image_finish(&image);
}

static void bmp_32_uses_alpha_that_some_pixel_uses(void **state)
{
    (void)state;
    const rgba clear_red = {255, 0, 0, 0}, half_blue = {0, 0, 255, 128};
    static const uint32_t headers[] = {INFO, V3, V4, V5};
    for (size_t i = 0; i < 4; i++) {
        bmp_spec spec = {.header = headers[i]};
        assert_pair(make_bmp32(spec, 0x00FF0000, 0x000000FF), red, blue, false);
        assert_pair(make_bmp32(spec, 0x00FF0000, 0x800000FF), clear_red, half_blue, true);
        assert_pair(make_bmp32(spec, 0xFFFF0000, 0xFF0000FF), red, blue, false);
    }
}

static void bmp_32_follows_its_masks(void **state)
{
    (void)state;
    const rgba clear_red = {255, 0, 0, 0}, half_blue = {0, 0, 255, 128};
    static const uint32_t headers[] = {V3, V4, V5};
    for (size_t i = 0; i < 3; i++) {
        bmp_spec spec = {
            .header = headers[i], .compression = 3, .masks = {0xFF, 0xFF00, 0xFF0000, 0xFF000000}};
        assert_pair(make_bmp32(spec, 0x000000FF, 0x80FF0000), clear_red, half_blue, true);
        assert_pair(make_bmp32(spec, 0x000000FF, 0x00FF0000), red, blue, false);
        spec.masks[3] = 0; /* the header states that there is no alpha */
        assert_pair(make_bmp32(spec, 0x000000FF, 0x80FF0000), red, blue, false);
    }
    /* Masks behind the short header and in the second version's header, neither of which mention alpha. */
    bmp_spec spec = {.header = INFO, .compression = 3, .behind = 12, .masks = {0xFF0000, 0xFF00, 0xFF}};
    assert_pair(make_bmp32(spec, 0x00FF0000, 0x800000FF), clear_red, half_blue, true);
    spec.header = V2;
    spec.behind = 0;
    assert_pair(make_bmp32(spec, 0x00FF0000, 0x800000FF), clear_red, half_blue, true);
    spec = (bmp_spec){
        .header = INFO, .compression = 6, .behind = 16, .masks = {0xFF00, 0xFF0000, 0xFF000000, 0xFF}};
    assert_pair(make_bmp32(spec, 0x0000FF00, 0xFF000080), clear_red, half_blue, true);
    /* Ten bits per channel. */
    spec = (bmp_spec){.header = V3, .compression = 3, .masks = {0x3FF00000, 0xFFC00, 0x3FF, 0xC0000000}};
    assert_pair(make_bmp32(spec, 0xFFF00000, 0x400003FF), red, (rgba){0, 0, 255, 85}, true);
}

static void bmp_24_goes_up_or_down_with_padding(void **state)
{
    (void)state;
    static const uint8_t rows[] = {0, 0, 255, 0, 255, 0, 0xEE, 0xEE, 255, 0, 0, 255, 255, 255};
    const bmp_spec specs[] = {{.header = INFO, .bits = 24, .width = 2, .height = 2},
                              {.header = INFO, .bits = 24, .width = 2, .height = -2},
                              {.header = CORE, .bits = 24, .width = 2, .height = 2},
                              {.header = V5, .bits = 24, .width = 2, .height = 2}};
    for (size_t i = 0; i < 4; i++) {
        mmd_buffer file = begin_bmp(specs[i]);
        mmd_write_bytes(&file, rows, sizeof rows); /* the padding of the last row is missing */
        mmd_image image = decode(&file, "a.bmp", 2, 2);
        uint32_t first = specs[i].height < 0 ? 0 : 1;
        assert_pixel(&image, 0, first, red);
        assert_pixel(&image, 1, first, green);
        assert_pixel(&image, 0, 1 - first, blue);
        assert_pixel(&image, 1, 1 - first, white);
        assert_false(image.has_alpha);
        mmd_image_finish(&image);
        file = begin_bmp(specs[i]);
        mmd_write_bytes(&file, rows, sizeof rows - 1);
        assert_refused(&file, MMD_ERROR_TRUNCATED);
    }
}

static const uint8_t palette[] = {0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0};

/* Makes one row of the indices 0, 1, 2, 0 ... of red, green, blue. */
static void check_indexed(uint32_t bits, uint8_t row[4], size_t width)
{
    mmd_buffer file = begin_bmp((bmp_spec){.header = INFO,
                                           .bits = bits,
                                           .colors = 3,
                                           .width = (int32_t)width,
                                           .height = 1,
                                           .behind = sizeof palette});
    mmd_write_bytes(&file, palette, sizeof palette);
    mmd_write_bytes(&file, row, 4);
    mmd_image image = decode(&file, "a.bmp", (uint32_t)width, 1);
    assert_pixel(&image, 0, 0, red);
    assert_pixel(&image, 1, 0, green);
    if (bits > 1) {
        assert_pixel(&image, 2, 0, blue);
        assert_pixel(&image, 3, 0, black); /* the palette has no fourth colour */
    }
    mmd_image_finish(&image);
}

static void bmp_palettes_of_every_depth(void **state)
{
    (void)state;
    check_indexed(1, (uint8_t[4]){0x40}, 2);
    check_indexed(2, (uint8_t[4]){0x1B}, 4);
    check_indexed(4, (uint8_t[4]){0x01, 0x2F}, 4);
    check_indexed(8, (uint8_t[4]){0, 1, 2, 255}, 4);
    /* The old header has three bytes per colour. */
    mmd_buffer file = begin_bmp((bmp_spec){.header = CORE, .bits = 1, .width = 2, .height = 1, .behind = 6});
    mmd_write_bytes(&file, "\xFF\0\0\0\0\xFF\x40\0\0\0", 10);
    mmd_image image = decode(&file, "a.bmp", 2, 1);
    assert_pixel(&image, 0, 0, blue);
    assert_pixel(&image, 1, 0, red);
    mmd_image_finish(&image);
}

static void bmp_16_by_default_and_by_masks(void **state)
{
    (void)state;
    mmd_buffer file = begin_bmp((bmp_spec){.header = INFO, .bits = 16, .width = 2, .height = 1});
    mmd_write_u16(&file, 0xFC00);
    mmd_write_u16(&file, 0x0010);
    assert_pair(file, red, (rgba){0, 0, 132, 255}, false);
    file = begin_bmp((bmp_spec){.header = V3,
                                .bits = 16,
                                .compression = 3,
                                .masks = {0xF800, 0x07E0, 0x001F},
                                .width = 2,
                                .height = 1});
    mmd_write_u16(&file, 0x07E0);
    mmd_write_u16(&file, 0x8000);
    assert_pair(file, green, (rgba){132, 0, 0, 255}, false);
    file = begin_bmp((bmp_spec){.header = V3,
                                .bits = 16,
                                .compression = 3,
                                .masks = {0xF00, 0xF0, 0xF, 0xF000},
                                .width = 2,
                                .height = 1});
    mmd_write_u16(&file, 0x80F0);
    mmd_write_u16(&file, 0x000F);
    assert_pair(file, (rgba){0, 255, 0, 136}, (rgba){0, 0, 255, 0}, true);
}

static mmd_buffer make_rle(uint32_t bits, const char *code, size_t size)
{
    mmd_buffer file = begin_bmp((bmp_spec){.header = INFO,
                                           .bits = bits,
                                           .compression = bits == 8 ? 1 : 2,
                                           .colors = 3,
                                           .width = 4,
                                           .height = 3,
                                           .behind = sizeof palette});
    mmd_write_bytes(&file, palette, sizeof palette);
    mmd_write_bytes(&file, code, size);
    return file;
}

/* Rows from the bottom: green green blue red; a move to (2,1) and blue; the third row by plain indices. */
static void check_rle(mmd_buffer file)
{
    mmd_image image = decode(&file, "a.bmp", 4, 3);
    assert_pixel(&image, 0, 2, green);
    assert_pixel(&image, 1, 2, green);
    assert_pixel(&image, 2, 2, blue);
    assert_pixel(&image, 3, 2, red);
    assert_pixel(&image, 1, 1, red);
    assert_pixel(&image, 2, 1, blue);
    assert_pixel(&image, 0, 0, green);
    assert_pixel(&image, 1, 0, blue);
    assert_pixel(&image, 2, 0, green);
    mmd_image_finish(&image);
}

static void bmp_run_lengths(void **state)
{
    (void)state;
    static const char rle8[] =
        "\x02\x01\x01\x02\x00\x00\x00\x02\x02\x00\x01\x02\x00\x00\x00\x03\x01\x02\x01\x00\x00\x01";
    static const char rle4[] =
        "\x02\x11\x01\x20\x00\x00\x00\x02\x02\x00\x01\x20\x00\x00\x00\x03\x12\x10\x00\x01";
    check_rle(make_rle(8, rle8, sizeof rle8 - 1));
    check_rle(make_rle(4, rle4, sizeof rle4 - 1));
    mmd_buffer file = make_rle(8, rle8, sizeof rle8 - 3);
    assert_refused(&file, MMD_ERROR_TRUNCATED);
    /* Runs and moves beyond the edges draw nothing. */
    file = make_rle(8, "\xFF\x01\x00\x02\xFF\x01\xFF\x02\x00\x02\x00\xFF", 12);
    mmd_image image = decode(&file, "a.bmp", 4, 3);
    assert_pixel(&image, 3, 2, green);
    assert_pixel(&image, 0, 1, red);
    mmd_image_finish(&image);
}

static void bmp_refuses_what_it_cannot_be(void **state)
{
    (void)state;
    mmd_buffer file = begin_bmp((bmp_spec){.header = INFO, .bits = 24, .width = 16385, .height = 1});
    assert_refused(&file, MMD_ERROR_LIMIT);
    file = begin_bmp((bmp_spec){.header = INFO, .bits = 24, .width = 1, .height = INT32_MIN});
    assert_refused(&file, MMD_ERROR_LIMIT);
    file = begin_bmp((bmp_spec){.header = INFO, .bits = 24, .width = -1, .height = 1});
    assert_refused(&file, MMD_ERROR_VALUE);
    file = begin_bmp((bmp_spec){.header = INFO, .bits = 24, .width = 1, .height = 0});
    assert_refused(&file, MMD_ERROR_VALUE);
    file = begin_bmp((bmp_spec){.header = INFO, .bits = 24, .compression = 4, .width = 1, .height = 1});
    assert_refused(&file, MMD_ERROR_UNSUPPORTED); /* embedded JPEG */
    file = begin_bmp((bmp_spec){.header = INFO, .bits = 7, .width = 1, .height = 1});
    assert_refused(&file, MMD_ERROR_UNSUPPORTED);
    file =
        begin_bmp((bmp_spec){.header = INFO, .bits = 8, .compression = 1, .width = 16384, .height = 16384});
    assert_refused(&file, MMD_ERROR_LIMIT); /* a gigabyte from almost no data */
}

/* --- DDS --- */

enum { ALPHA_PIXELS = 1, ALPHA_ONLY = 2, FOURCC = 4, RGB = 0x40, LUMINANCE = 0x20000 };

typedef struct dds_spec {
    uint32_t width, height, flags;
    const char *code;
    uint32_t bits, masks[4], dxgi;
} dds_spec;

static mmd_buffer make_dds(dds_spec spec, const void *pixels, size_t size)
{
    mmd_buffer file = {0};
    mmd_write_bytes(&file, "DDS ", 4);
    mmd_write_u32(&file, 124);
    mmd_write_u32(&file, 0x1007);
    mmd_write_u32(&file, spec.height);
    mmd_write_u32(&file, spec.width);
    mmd_write_zeros(&file, 56);
    mmd_write_u32(&file, 32);
    mmd_write_u32(&file, spec.flags);
    mmd_write_bytes(&file, spec.code ? spec.code : "\0\0\0", 4);
    mmd_write_u32(&file, spec.bits);
    for (int i = 0; i < 4; i++)
        mmd_write_u32(&file, spec.masks[i]);
    mmd_write_zeros(&file, 20);
    if (spec.dxgi) {
        mmd_write_u32(&file, spec.dxgi);
        mmd_write_zeros(&file, 16);
    }
    mmd_write_bytes(&file, pixels, size);
    return file;
}

/* Red and blue with the indices 0 1 2 3 in every row. Blue first means three colours in DXT1. */
static const uint8_t four_colors[8] = {0x00, 0xF8, 0x1F, 0x00, 0xE4, 0xE4, 0xE4, 0xE4};
static const uint8_t three_colors[8] = {0x1F, 0x00, 0x00, 0xF8, 0xE4, 0xE4, 0xE4, 0xE4};

static void dxt1_has_four_colors_or_three_and_a_hole(void **state)
{
    (void)state;
    const dds_spec spec = {.width = 4, .height = 4, .flags = FOURCC, .code = "DXT1"};
    mmd_buffer file = make_dds(spec, four_colors, 8);
    mmd_image image = decode(&file, "a.dds", 4, 4);
    for (uint32_t y = 0; y < 4; y++) {
        assert_pixel(&image, 0, y, red);
        assert_pixel(&image, 1, y, blue);
        assert_pixel(&image, 2, y, (rgba){170, 0, 85, 255});
        assert_pixel(&image, 3, y, (rgba){85, 0, 170, 255});
    }
    assert_false(image.has_alpha);
    mmd_image_finish(&image);
    file = make_dds(spec, three_colors, 8);
    image = decode(&file, "a.dds", 4, 4);
    assert_pixel(&image, 0, 3, blue);
    assert_pixel(&image, 1, 3, red);
    assert_pixel(&image, 2, 3, (rgba){127, 0, 127, 255});
    assert_pixel(&image, 3, 3, (rgba){0, 0, 0, 0});
    assert_true(image.has_alpha);
    mmd_image_finish(&image);
}

static void dxt3_has_four_bits_of_alpha(void **state)
{
    (void)state;
    uint8_t block[16] = {0x10, 0xF8, 0, 0, 0, 0, 0, 0x70};
    memcpy(block + 8, three_colors, 8);
    mmd_buffer file =
        make_dds((dds_spec){.width = 4, .height = 4, .flags = FOURCC, .code = "DXT3"}, block, 16);
    mmd_image image = decode(&file, "a.dds", 4, 4);
    assert_pixel(&image, 0, 0, (rgba){0, 0, 255, 0});
    assert_pixel(&image, 1, 0, (rgba){255, 0, 0, 17});
    assert_pixel(&image, 2, 0, (rgba){85, 0, 170, 136}); /* DXT5 always has four colours */
    assert_pixel(&image, 3, 0, (rgba){170, 0, 85, 255});
    assert_pixel(&image, 3, 3, (rgba){170, 0, 85, 119});
    mmd_image_finish(&image);
}

static void dxt5_has_eight_or_six_alphas(void **state)
{
    (void)state;
    /* Indices 0, 1, 2, 7 in the first row, three bits each from the lowest: 0 | 1<<3 | 2<<6 | 7<<9. */
    uint8_t block[16] = {255, 0, 0x88, 0x0E};
    const dds_spec spec = {.width = 4, .height = 4, .flags = FOURCC, .code = "DXT5"};
    memcpy(block + 8, four_colors, 8);
    mmd_buffer file = make_dds(spec, block, 16);
    mmd_image image = decode(&file, "a.dds", 4, 4);
    assert_pixel(&image, 0, 0, red);
    assert_pixel(&image, 1, 0, (rgba){0, 0, 255, 0});
    assert_pixel(&image, 2, 0, (rgba){170, 0, 85, 219}); /* 6/7 of 255 */
    assert_pixel(&image, 3, 0, (rgba){85, 0, 170, 36});  /* 1/7 */
    mmd_image_finish(&image);
    block[0] = 0;
    block[1] = 255;
    file = make_dds(spec, block, 16);
    image = decode(&file, "a.dds", 4, 4);
    assert_pixel(&image, 0, 0, (rgba){255, 0, 0, 0});
    assert_pixel(&image, 2, 0, (rgba){170, 0, 85, 51}); /* 1/5 */
    assert_pixel(&image, 3, 0, (rgba){85, 0, 170, 255});
    mmd_image_finish(&image);
}

static void dds_blocks_overhang_the_edges(void **state)
{
    (void)state;
    uint8_t blocks[16];
    memcpy(blocks, four_colors, 8);
    memcpy(blocks + 8, three_colors, 8);
    const dds_spec spec = {.width = 5, .height = 3, .flags = FOURCC, .code = "DXT1"};
    mmd_buffer file = make_dds(spec, blocks, 16);
    mmd_image image = decode(&file, "a.dds", 5, 3);
    assert_pixel(&image, 0, 2, red);
    assert_pixel(&image, 4, 0, blue);
    assert_pixel(&image, 4, 2, blue);
    mmd_image_finish(&image);
    file = make_dds(spec, blocks, 15);
    assert_refused(&file, MMD_ERROR_TRUNCATED);
}

static void dds_of_the_dx10_header(void **state)
{
    (void)state;
    const dds_spec spec = {.width = 2, .height = 1, .flags = FOURCC, .code = "DX10"};
    const uint8_t pixels[8] = {255, 0, 0, 255, 0, 0, 255, 0};
    const struct {
        uint32_t format;
        rgba first, second;
    } cases[] = {
        {28, red, {0, 0, 255, 0}}, {29, red, {0, 0, 255, 0}}, {87, blue, {255, 0, 0, 0}}, {88, blue, red}};
    for (size_t i = 0; i < 4; i++) {
        dds_spec own = spec;
        own.dxgi = cases[i].format;
        assert_pair(make_dds(own, pixels, 8), cases[i].first, cases[i].second, cases[i].second.a == 0);
    }
    dds_spec own = spec;
    own.dxgi = 71; /* BC1 */
    assert_pair(make_dds(own, four_colors, 8), red, blue, false);
    own.dxgi = 98; /* BC7 */
    mmd_buffer file = make_dds(own, pixels, 8);
    assert_refused(&file, MMD_ERROR_UNSUPPORTED);
}

static void dds_by_masks(void **state)
{
    (void)state;
    const struct {
        dds_spec spec;
        uint8_t pixels[8];
        rgba first, second;
    } cases[] = {
        {{2, 1, RGB, NULL, 16, {0xF800, 0x7E0, 0x1F, 0}, 0}, {0, 0xF8, 0x1F, 0}, red, blue},
        {{2, 1, RGB | ALPHA_PIXELS, NULL, 16, {0x7C00, 0x3E0, 0x1F, 0x8000}, 0},
         {0x00, 0xFC, 0x1F, 0},
         red,
         {0, 0, 255, 0}},
        {{2, 1, RGB | ALPHA_PIXELS, NULL, 16, {0xF00, 0xF0, 0xF, 0xF000}, 0},
         {0xF0, 0x80, 0x0F, 0xF0},
         {0, 255, 0, 136},
         blue},
        {{2, 1, RGB, NULL, 24, {0xFF0000, 0xFF00, 0xFF, 0}, 0}, {0, 0, 255, 255, 0, 0}, red, blue},
        {{2, 1, RGB, NULL, 32, {0xFF0000, 0xFF00, 0xFF, 0}, 0}, {0, 0, 255, 9, 255, 0, 0, 9}, red, blue},
        {{2, 1, RGB | ALPHA_PIXELS, NULL, 32, {0xFF0000, 0xFF00, 0xFF, 0xFF000000}, 0},
         {0, 0, 255, 9, 255, 0, 0, 255},
         {255, 0, 0, 9},
         blue},
        {{2, 1, LUMINANCE, NULL, 8, {0xFF, 0, 0, 0}, 0}, {255, 7}, white, {7, 7, 7, 255}},
        {{2, 1, LUMINANCE | ALPHA_PIXELS, NULL, 16, {0xFF, 0, 0, 0xFF00}, 0},
         {255, 255, 7, 8},
         white,
         {7, 7, 7, 8}},
        {{2, 1, ALPHA_ONLY, NULL, 8, {0, 0, 0, 0xFF}, 0}, {255, 7}, black, {0, 0, 0, 7}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = 2 * (size_t)cases[i].spec.bits / 8;
        bool has_alpha = cases[i].first.a != 255 || cases[i].second.a != 255;
        assert_pair(make_dds(cases[i].spec, cases[i].pixels, size), cases[i].first, cases[i].second,
                    has_alpha);
        mmd_buffer file = make_dds(cases[i].spec, cases[i].pixels, size - 1);
        assert_refused(&file, MMD_ERROR_TRUNCATED);
    }
}

static void dds_refuses_what_it_cannot_be(void **state)
{
    (void)state;
    mmd_buffer file = make_dds((dds_spec){20000, 4, FOURCC, "DXT1", 0, {0}, 0}, four_colors, 8);
    assert_refused(&file, MMD_ERROR_LIMIT);
    file = make_dds((dds_spec){4, 0, FOURCC, "DXT1", 0, {0}, 0}, four_colors, 8);
    assert_refused(&file, MMD_ERROR_VALUE);
    file = make_dds((dds_spec){4, 4, FOURCC, "ATI2", 0, {0}, 0}, four_colors, 8);
    assert_refused(&file, MMD_ERROR_UNSUPPORTED);
    file = make_dds((dds_spec){4, 4, RGB, NULL, 12, {0xF, 0xF0, 0xF00, 0}, 0}, four_colors, 8);
    assert_refused(&file, MMD_ERROR_UNSUPPORTED);
    file = make_dds((dds_spec){16384, 16384, FOURCC, "DXT1", 0, {0}, 0}, four_colors, 8);
    assert_refused(&file, MMD_ERROR_LIMIT);
}

/* --- Formats read by stb_image --- */

static mmd_buffer make_tga(uint8_t kind, uint8_t bits, uint8_t descriptor, const void *pixels, size_t size)
{
    mmd_buffer file = {0};
    mmd_write_bytes(&file, (uint8_t[]){0, 0, kind}, 3);
    mmd_write_zeros(&file, 9);
    mmd_write_u16(&file, 2);
    mmd_write_u16(&file, 2);
    mmd_write_u8(&file, bits);
    mmd_write_u8(&file, descriptor);
    mmd_write_bytes(&file, pixels, size);
    return file;
}

static void check_tga(mmd_buffer file, bool top_down, bool has_alpha)
{
    mmd_image image = decode(&file, "A.TGA", 2, 2);
    uint32_t first = top_down ? 0 : 1;
    assert_pixel(&image, 0, first, has_alpha ? (rgba){255, 0, 0, 0} : red);
    assert_pixel(&image, 1, first, green);
    assert_pixel(&image, 0, 1 - first, blue);
    assert_pixel(&image, 1, 1 - first, white);
    assert_int_equal(image.has_alpha, has_alpha);
    mmd_image_finish(&image);
}

static void tga_of_24_and_32_bits_plain_and_packed(void **state)
{
    (void)state;
    static const uint8_t deep[16] = {0, 0, 255, 0, 0, 255, 0, 255, 255, 0, 0, 255, 255, 255, 255, 255};
    static const uint8_t plain[12] = {0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255};
    static const uint8_t packed[15] = {0x80, 0, 0, 255, 0x01, 0, 255, 0, 255, 0, 0, 0x80, 255, 255, 255};
    check_tga(make_tga(2, 32, 0x28, deep, 16), true, true);
    check_tga(make_tga(2, 32, 0x08, deep, 16), false, true);
    check_tga(make_tga(2, 24, 0x20, plain, 12), true, false);
    check_tga(make_tga(10, 24, 0x20, packed, 15), true, false);
}

static mmd_buffer make_gif(void)
{
    static const uint8_t bytes[] = {'G', 'I',  'F', '8', '9', 'a', 1, 0, 1, 0, 0x80, 0, 0, 255,  0, 0, 0,   0,
                                    0,   0x2C, 0,   0,   0,   0,   1, 0, 1, 0, 0,    2, 2, 0x44, 1, 0, 0x3B};
    mmd_buffer file = {0};
    mmd_write_bytes(&file, bytes, sizeof bytes);
    return file;
}

/* Makes a grey JPEG of 8 x 8 pixels with one code in each of its tables. */
static mmd_buffer make_jpeg(void)
{
    mmd_buffer file = {0};
    mmd_write_bytes(&file, "\xFF\xD8\xFF\xDB\x00\x43\x00", 7);
    for (int i = 0; i < 64; i++)
        mmd_write_u8(&file, 1);
    mmd_write_bytes(&file, "\xFF\xC0\x00\x0B\x08\x00\x08\x00\x08\x01\x01\x11\x00", 13);
    for (uint8_t table = 0; table <= 0x10; table = (uint8_t)(table + 0x10)) {
        mmd_write_bytes(&file, "\xFF\xC4\x00\x14", 4);
        mmd_write_u8(&file, table);
        mmd_write_u8(&file, 1);
        mmd_write_zeros(&file, 16);
    }
    mmd_write_bytes(&file, "\xFF\xDA\x00\x08\x01\x01\x00\x00\x3F\x00\x3F\xFF\xD9", 13);
    return file;
}

static mmd_buffer make_text_file(const char *text, size_t size)
{
    mmd_buffer file = {0};
    mmd_write_bytes(&file, text, size);
    return file;
}

static void gif_jpeg_and_pnm_decode(void **state)
{
    (void)state;
    mmd_buffer file = make_gif();
    mmd_image_info info;
    assert_int_equal(mmd_image_read_info(file.data, file.size, "a.gif", &info, NULL), MMD_OK);
    assert_int_equal(mmd_image_cost(&info), 40); /* each pixel takes ten times as long as a plain one */
    mmd_image image = decode(&file, "a.gif", 1, 1);
    assert_pixel(&image, 0, 0, red);
    mmd_image_finish(&image);
    file = make_jpeg();
    image = decode(&file, "a.jpg", 8, 8);
    assert_pixel(&image, 0, 0, (rgba){128, 128, 128, 255});
    assert_pixel(&image, 7, 7, (rgba){128, 128, 128, 255});
    mmd_image_finish(&image);
    assert_pair(make_text_file("P6\n2 1\n255\n\xFF\0\0\0\0\xFF", 17), red, blue, false);
    file = make_text_file("P5\n2 1\n65535\n\xFF\xFF\0\0", 17);
    assert_refused(&file, MMD_ERROR_UNSUPPORTED);
}

static void other_files_are_no_pictures(void **state)
{
    (void)state;
    mmd_buffer file = make_text_file("Polygon Movie maker", 19);
    assert_refused(&file, MMD_ERROR_MAGIC);
    file = make_text_file("", 0);
    assert_refused(&file, MMD_ERROR_MAGIC);
    file = make_text_file("\x89PNG\r\n\x1a\n", 8);
    assert_refused(&file, MMD_ERROR_TRUNCATED);
    mmd_image image;
    assert_int_equal(mmd_image_decode("x", 1, "a.tga", &image, NULL), MMD_ERROR_VALUE);
    assert_int_equal(mmd_image_decode("x", 1, NULL, &image, NULL), MMD_ERROR_MAGIC);
}

/* --- PNG --- */

static mmd_image make_noise(uint32_t width, uint32_t height)
{
    mmd_image image;
    uint64_t seed = 7;
    assert_int_equal(mmd_image_init(&image, width, height, NULL), MMD_OK);
    for (size_t i = 0; i < (size_t)width * height * 4; i++)
        image.pixels[i] = (uint8_t)test_random(&seed);
    return image;
}

static mmd_buffer write_png(const mmd_image *image, mmd_png_options options)
{
    mmd_buffer file = {0};
    mmd_error error = {0};
    if (mmd_png_write(image, &options, &file, &error) != MMD_OK)
        fail_msg("%s", error.message);
    return file;
}

static void png_round_trip_keeps_every_pixel(void **state)
{
    (void)state;
    mmd_image image = make_noise(37, 23);
    for (int level = MMD_PNG_STORED; level <= MMD_PNG_LEVEL_MAX; level++) {
        mmd_buffer file = write_png(&image, (mmd_png_options){.alpha = true, .level = level});
        mmd_image back = decode(&file, "a.png", 37, 23);
        assert_memory_equal(back.pixels, image.pixels, (size_t)37 * 23 * 4);
        assert_true(back.has_alpha);
        mmd_image_finish(&back);
        file = write_png(&image, (mmd_png_options){.alpha = false, .level = level});
        back = decode(&file, "a.png", 37, 23);
        for (size_t i = 0; i < (size_t)37 * 23 * 4; i++)
            assert_int_equal(back.pixels[i], i % 4 == 3 ? 255 : image.pixels[i]);
        assert_false(back.has_alpha);
        mmd_image_finish(&back);
    }
    mmd_image_finish(&image);
}

static void png_of_several_chunks_keeps_every_pixel(void **state)
{
    (void)state;
    mmd_image image = make_noise(800, 900);
    for (int level = MMD_PNG_STORED; level <= MMD_PNG_LEVEL_MAX; level += 5) {
        mmd_buffer file = write_png(&image, (mmd_png_options){.alpha = true, .level = level});
        mmd_image back = decode(&file, "a.png", 800, 900);
        assert_memory_equal(back.pixels, image.pixels, (size_t)800 * 900 * 4);
        mmd_image_finish(&back);
    }
    mmd_image_finish(&image);
}

/* A figure without shading on an even background, as in drawn pictures: each level but 1, which is for speed,
 * makes it no larger than the level below. */
static void png_levels_compress(void **state)
{
    (void)state;
    mmd_image image;
    size_t sizes[MMD_PNG_LEVEL_MAX + 1];
    assert_int_equal(mmd_image_init(&image, 320, 200, NULL), MMD_OK);
    for (int y = 0; y < 200; y++)
        for (int x = 0; x < 320; x++) {
            int from = (x - 160) * (x - 160) + 2 * (y - 100) * (y - 100);
            memset(image.pixels + 4 * (320 * y + x), from < 9000 ? 200 - from / 100 : 255, 4);
        }
    for (int level = 0; level <= MMD_PNG_LEVEL_MAX; level++) {
        mmd_buffer file = write_png(&image, (mmd_png_options){.level = level ? level : MMD_PNG_STORED});
        sizes[level] = file.size;
        mmd_buffer_finish(&file);
    }
    mmd_buffer usual = write_png(&image, (mmd_png_options){.level = MMD_PNG_USUAL});
    assert_true(sizes[0] > (size_t)320 * 200 * 3);
    assert_true(sizes[1] < sizes[0] / 20);
    for (int level = 3; level <= MMD_PNG_LEVEL_MAX; level++)
        assert_true(sizes[level] <= sizes[2]);
    assert_int_equal(usual.size, sizes[6]);
    mmd_buffer_finish(&usual);
    mmd_image_finish(&image);
}

/* Returns the next chunk from *at on and its length, or NULL at the end. */
static const uint8_t *next_chunk(const mmd_buffer *file, size_t *at, uint32_t *length)
{
    if (*at >= file->size)
        return NULL;
    const uint8_t *p = file->data + *at;
    *length = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    *at += 12 + (size_t)*length;
    return p + 4;
}

static void png_is_eight_bits_without_date_and_always_the_same(void **state)
{
    (void)state;
    mmd_image image = make_noise(40, 30);
    mmd_buffer first = write_png(&image, (mmd_png_options){.alpha = true});
    mmd_buffer second = write_png(&image, (mmd_png_options){.alpha = true});
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    assert_memory_equal(first.data + 8, "\0\0\0\x0dIHDR\0\0\0\x28\0\0\0\x1e\x08\x06\0\0\0", 21);
    size_t at = 8;
    uint32_t length;
    for (const uint8_t *chunk; (chunk = next_chunk(&first, &at, &length));)
        assert_true(memcmp(chunk, "IHDR", 4) == 0 || memcmp(chunk, "IDAT", 4) == 0 ||
                    memcmp(chunk, "IEND", 4) == 0);
    mmd_buffer_finish(&second);
    second = write_png(&image, (mmd_png_options){.alpha = false});
    assert_int_equal(second.data[25], 2);
    mmd_buffer_finish(&first);
    mmd_buffer_finish(&second);
    mmd_image_finish(&image);
}

static bool has_chunk(const mmd_buffer *file, const char *bytes, size_t size)
{
    size_t at = 8;
    uint32_t length;
    for (const uint8_t *chunk; (chunk = next_chunk(file, &at, &length));)
        if (length + 4 == size && memcmp(chunk, bytes, size) == 0)
            return true;
    return false;
}

static void png_carries_texts(void **state)
{
    (void)state;
    mmd_image image = make_noise(2, 2);
    const mmd_image_text texts[] = {
        {"Software", "odori"}, {"Model", "初音ミク"}, {"Broken", "a\xFF"}, {"Empty", ""}};
    mmd_buffer file = write_png(&image, (mmd_png_options){.texts = texts, .text_count = 4});
    assert_true(has_chunk(&file, "tEXtSoftware\0odori", 18));
    assert_true(has_chunk(&file, "iTXtModel\0\0\0\0\0初音ミク", 26));
    assert_true(has_chunk(&file, "iTXtBroken\0\0\0\0\0a\xEF\xBF\xBD", 19));
    assert_true(has_chunk(&file, "tEXtEmpty\0", 10));
    mmd_image_finish(&image);
    image = decode(&file, "a.png", 2, 2);
    mmd_image_finish(&image);
}

static void count_row(void *user, uint32_t rows)
{
    uint32_t *last = user;
    assert_int_equal(rows, *last + 1);
    *last = rows;
}

static void png_tells_of_every_row(void **state)
{
    (void)state;
    uint32_t rows = 0;
    mmd_image image = {0};
    assert_int_equal(mmd_image_init(&image, 3, 17, NULL), MMD_OK);
    mmd_buffer told = write_png(&image, (mmd_png_options){.on_row = count_row, .user = &rows});
    mmd_buffer silent = write_png(&image, (mmd_png_options){0});
    assert_int_equal(rows, 17);
    assert_int_equal(told.size, silent.size);
    assert_memory_equal(told.data, silent.data, told.size);
    mmd_buffer_finish(&told);
    mmd_buffer_finish(&silent);
    mmd_image_finish(&image);
}

static void png_appends_and_a_refused_picture_appends_nothing(void **state)
{
    (void)state;
    mmd_image image = make_noise(2, 2), empty = {0};
    mmd_buffer file = {0};
    mmd_error error = {0};
    const mmd_png_options options = {.alpha = true};
    char eighty[81] = {0};
    memset(eighty, 'k', 80);
    mmd_write_u8(&file, 'x');
    assert_int_equal(mmd_png_write(&empty, &options, &file, &error), MMD_ERROR_VALUE);
    assert_int_equal(error.code, MMD_ERROR_VALUE);
    assert_int_equal(file.size, 1);
    assert_int_equal(mmd_png_write(&image, &options, &file, NULL), MMD_OK);
    assert_memory_equal(file.data, "x\x89PNG", 5);
    const char *const bad_keys[] = {"", " a", "a ", "a  b", "a\nb", "a\x7f", "\x80", eighty};
    size_t before = file.size;
    for (size_t i = 0; i < sizeof bad_keys / sizeof *bad_keys; i++) {
        const mmd_image_text texts[] = {{"good key \xe4", ""}, {bad_keys[i], "text"}};
        const mmd_png_options with_texts = {.texts = texts, .text_count = 2};
        assert_int_equal(mmd_png_write(&image, &with_texts, &file, &error), MMD_ERROR_VALUE);
        assert_int_equal(file.size, before);
    }
    file.failed = true;
    before = file.size;
    assert_int_equal(mmd_png_write(&image, &options, &file, NULL), MMD_ERROR_MEMORY);
    assert_int_equal(file.size, before);
    mmd_buffer_finish(&file);
    mmd_image_finish(&image);
}

static void put_be32(mmd_buffer *file, size_t at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        file->data[at + (size_t)i] = (uint8_t)(value >> (24 - 8 * i));
}

static void png_that_claims_too_much_is_refused_by_its_header(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{16385, 1}, {1, 16385}, {20000, 20000}, {16384, 16384}, {1 << 25, 1}};
    mmd_image image = make_noise(2, 2);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        mmd_buffer file = write_png(&image, (mmd_png_options){.alpha = true});
        put_be32(&file, 16, sizes[i][0]);
        put_be32(&file, 20, sizes[i][1]);
        assert_refused(&file, MMD_ERROR_LIMIT);
    }
    mmd_image_finish(&image);
}

/* What follows the last row is not unpacked. */
static void png_whose_data_unfold_beyond_its_size_ends_there(void **state)
{
    (void)state;
    mmd_image image;
    assert_int_equal(mmd_image_init(&image, 2000, 2000, NULL), MMD_OK);
    mmd_buffer file = write_png(&image, (mmd_png_options){.alpha = true});
    put_be32(&file, 16, 1);
    put_be32(&file, 20, 1);
    mmd_image_finish(&image);
    image = decode(&file, "a.png", 1, 1);
    assert_pixel(&image, 0, 0, (rgba){0, 0, 0, 0});
    mmd_image_finish(&image);
}

static void empty_png_is_large_and_legal(void **state)
{
    (void)state;
    mmd_image image;
    assert_int_equal(mmd_image_init(&image, 4096, 4096, NULL), MMD_OK);
    assert_true(image.has_alpha);
    mmd_buffer file = write_png(&image, (mmd_png_options){.alpha = false, .level = MMD_PNG_FAST});
    mmd_image_finish(&image);
    image = decode(&file, "a.png", 4096, 4096);
    assert_pixel(&image, 4095, 4095, black);
    mmd_image_finish(&image);
    mmd_error error = {0};
    assert_int_equal(mmd_image_init(&image, 16385, 1, &error), MMD_ERROR_LIMIT);
    assert_null(image.pixels);
}

/* --- Damaged files --- */

/* Decodes any bytes. The result must be an image or a clear error, and no memory may leak. */
static void decode_hostile(const uint8_t *bytes, size_t size, const char *name)
{
    /* The copy has the exact size, so that the sanitizer detects a read beyond its end. */
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_image image;
    mmd_error error = {0};
    mmd_status status = mmd_image_decode(copy, size, name, &image, &error);
    if (status == MMD_OK) {
        assert_in_range(image.width, 1, MMD_IMAGE_SIZE_MAX);
        assert_in_range(image.height, 1, MMD_IMAGE_SIZE_MAX);
        mmd_image_finish(&image);
    } else {
        assert_int_equal(error.code, status);
        assert_true(error.message[0] != '\0');
        assert_null(image.pixels);
    }
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    free(copy);
}

/* Decodes every truncation of a file, and the file with every byte set to each of five values. */
static void torture(mmd_buffer file, const char *name)
{
    static const uint8_t values[] = {0, 1, 127, 128, 255};
    for (size_t size = 0; size < file.size; size++)
        decode_hostile(file.data, size, name);
    for (size_t at = 0; at < file.size; at++) {
        uint8_t kept = file.data[at];
        for (size_t v = 0; v < sizeof values; v++) {
            file.data[at] = values[v];
            decode_hostile(file.data, file.size, name);
        }
        file.data[at] = kept;
    }
    mmd_buffer_finish(&file);
}

static void hostile_bmp_never_crashes(void **state)
{
    (void)state;
    torture(make_bmp32((bmp_spec){.header = INFO}, 0x00FF0000, 0x800000FF), "a.bmp");
    torture(
        make_bmp32((bmp_spec){.header = V5, .compression = 3, .masks = {0xFF, 0xFF00, 0xFF0000, 0xFF000000}},
                   1, 0x800000FF),
        "a.bmp");
    torture(
        make_rle(8, "\x02\x01\x01\x02\x00\x00\x00\x02\x02\x00\x01\x02\x00\x03\x01\x02\x01\x00\x00\x01", 20),
        "a.bmp");
    torture(make_rle(4, "\x02\x11\x01\x20\x00\x00\x00\x02\x02\x00\x01\x20\x00\x03\x12\x10\x00\x01", 18),
            "a.bmp");
    mmd_buffer file =
        begin_bmp((bmp_spec){.header = INFO, .bits = 4, .width = 3, .height = 2, .colors = 3, .behind = 12});
    mmd_write_bytes(&file, palette, 12);
    mmd_write_bytes(&file, "\x01\x20\0\0\x12\x10\0\0", 8);
    torture(file, "a.bmp");
}

static void hostile_dds_never_crashes(void **state)
{
    (void)state;
    const uint8_t block[16] = {255, 0, 0x88, 0x0E};
    torture(make_dds((dds_spec){4, 4, FOURCC, "DXT5", 0, {0}, 0}, block, 16), "a.dds");
    torture(make_dds((dds_spec){4, 4, FOURCC, "DX10", 0, {0}, 71}, four_colors, 8), "a.dds");
    torture(make_dds((dds_spec){1, 2, RGB | ALPHA_PIXELS, NULL, 32, {0xFF0000, 0xFF00, 0xFF, 0xFF000000}, 0},
                     block, 8),
            "a.dds");
}

static void hostile_tga_gif_and_pnm_never_crash(void **state)
{
    (void)state;
    static const uint8_t packed[15] = {0x80, 0, 0, 255, 0x01, 0, 255, 0, 255, 0, 0, 0x80, 255, 255, 255};
    torture(make_tga(10, 24, 0x20, packed, 15), "a.tga");
    torture(make_tga(2, 16, 0x20, packed, 8), "a.tga");
    torture(make_tga(2, 24, 0x20, packed, 12), "a.tga");
    torture(make_gif(), "a.gif");
    torture(make_text_file("P6\n2 1\n255\n\xFF\0\0\0\0\xFF", 17), "a.ppm");
}

static void hostile_png_and_jpeg_never_crash(void **state)
{
    (void)state;
    mmd_image image = make_noise(5, 4);
    torture(write_png(&image, (mmd_png_options){.alpha = true}), "a.png");
    mmd_image_finish(&image);
    torture(make_jpeg(), "a.jpg");
}

/* Truncates the file at each size beyond its header. The result must be an image, which requires at least
 * `least` bytes, or an error that states where the file ends. */
static void check_cuts(mmd_buffer file, const char *name, size_t header, size_t least)
{
    size_t pictures = 0;
    for (size_t size = header; size < file.size; size++) {
        mmd_image image;
        mmd_error error = {0};
        char text[512];
        if (mmd_image_decode(file.data, size, name, &image, &error) == MMD_OK) {
            assert_true(size >= least);
            mmd_image_finish(&image);
            pictures++;
            continue;
        }
        mmd_error_sentence(&error, text, sizeof text);
        if (error.code != MMD_ERROR_TRUNCATED || !strstr(text, "bytes") || strlen(error.message) < 20)
            fail_msg("%s cut to %zu: %s", name, size, text);
    }
    print_message("%s: %zu of %zu cuts are pictures\n", name, pictures, file.size - header);
    mmd_buffer_finish(&file);
}

static void cut_pictures_say_where_they_end(void **state)
{
    (void)state;
    mmd_image image = make_noise(5, 4);
    mmd_buffer png = write_png(&image, (mmd_png_options){.alpha = true});
    /* The pixels are complete before the end: the last chunk may be missing. */
    check_cuts(png, "a.png", 8, png.size - 16);
    mmd_image_finish(&image);
    mmd_buffer jpeg = make_jpeg();
    check_cuts(jpeg, "a.jpg", 2, jpeg.size - 2);
    check_cuts(make_dds((dds_spec){4, 4, FOURCC, "DXT1", 0, {0}, 0}, four_colors, 8), "a.dds", 4, SIZE_MAX);
    check_cuts(make_gif(), "a.gif", 13, 13);
}

static bool is_picture(const void *data, size_t size, const char *name)
{
    uint64_t budget = 1 << 20;
    return mmd_image_is_picture(data, size, name, &budget);
}

/* Requires that a picture is recognised, and that it is not when it is cut to fewer than `least` bytes. */
static void check_recognised(mmd_buffer file, const char *name, size_t least)
{
    assert_true(is_picture(file.data, file.size, name));
    for (size_t size = 0; size < least; size++)
        if (is_picture(file.data, size, name))
            fail_msg("%s cut to %zu", name, size);
    mmd_buffer_finish(&file);
}

static void pictures_are_told_from_other_files(void **state)
{
    static const char key[] = "-----BEGIN PRIVATE KEY-----\nthe user's own, several lines of it\n";
    static const char *const names[] = {"a.png", "a.jpg", "a.bmp", "a.tga", "a.dds", "a.gif",
                                        "a.psd", "a.sph", "a.pic", "a.ppm", "a"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_false(is_picture(key, sizeof key, names[i]));
        assert_false(is_picture("", 0, names[i]));
    }
    mmd_image image = make_noise(5, 4);
    mmd_buffer png = write_png(&image, (mmd_png_options){.alpha = true});
    mmd_buffer damaged = write_png(&image, (mmd_png_options){.alpha = true});
    memset(damaged.data + 33, '-', damaged.size - 33); /* behind its header */
    assert_false(is_picture(damaged.data, damaged.size, "a.png"));
    put_be32(&png, 16, 1 << 20);
    assert_false(is_picture(png.data, png.size, "a.png"));
    put_be32(&png, 16, 5);
    check_recognised(png, "a.png", png.size - 16);
    mmd_buffer jpeg = make_jpeg();
    check_recognised(jpeg, "a.jpg", jpeg.size - 2);
    check_recognised(make_gif(), "a.gif", 13);
    check_recognised(make_dds((dds_spec){4, 4, FOURCC, "DXT1", 0, {0}, 0}, four_colors, 8), "a.dds", 100);
    mmd_buffer_finish(&damaged);
    mmd_image_finish(&image);
}

/* PNG, JPEG and pictures that are not compressed cost nothing, others as much as decoding them takes. */
static void recognising_a_picture_keeps_to_its_budget(void **state)
{
    (void)state;
    mmd_image image = make_noise(5, 4);
    mmd_buffer files[] = {write_png(&image, (mmd_png_options){.alpha = true}), make_jpeg(),
                          make_dds((dds_spec){4, 4, FOURCC, "DXT1", 0, {0}, 0}, four_colors, 8), make_gif()};
    static const char *const names[] = {"a.png", "a.jpg", "a.dds", "a.gif"};
    for (size_t i = 0; i < 4; i++) {
        mmd_image_info info;
        assert_int_equal(mmd_image_read_info(files[i].data, files[i].size, names[i], &info, NULL), MMD_OK);
        assert_int_equal(info.plain, i == 2);
        uint64_t cost = i < 3 ? 0 : mmd_image_cost(&info), budget = cost + 7;
        assert_true(mmd_image_is_picture(files[i].data, files[i].size, names[i], &budget));
        assert_int_equal(budget, 7);
        budget = cost - (cost > 0);
        assert_int_equal(mmd_image_is_picture(files[i].data, files[i].size, names[i], &budget), cost == 0);
        mmd_buffer_finish(&files[i]);
    }
    mmd_image_finish(&image);
}

/* Bytes that are not a chunk; a chunk that only newer readers know; pixels with an invalid filter. */
static void damaged_png_always_has_a_reason(void **state)
{
    (void)state;
    mmd_image image = make_noise(5, 4);
    mmd_buffer file = write_png(&image, (mmd_png_options){.alpha = true});
    uint64_t seed = 3;
    for (int i = 0; i < 3000; i++) {
        size_t at = 8 + test_random(&seed) % (file.size - 8);
        uint8_t kept = file.data[at];
        mmd_image damaged;
        mmd_error error = {0};
        file.data[at] = (uint8_t)test_random(&seed);
        if (mmd_image_decode(file.data, file.size, "a.png", &damaged, &error) == MMD_OK)
            mmd_image_finish(&damaged);
        else if (strlen(error.message) < 20 || error.message[strlen(error.message) - 1] == ' ')
            fail_msg("byte %zu: `%s'", at, error.message);
        file.data[at] = kept;
    }
    mmd_image_finish(&image);
    mmd_buffer_finish(&file);
}

static void equal_cut_files_give_equal_pictures(void **state)
{
    (void)state;
    static const uint8_t pixels[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    mmd_buffer file = make_tga(2, 32, 0x28, pixels, 9);
    mmd_image first, second;
    mmd_status status = mmd_image_decode(file.data, file.size, "a.tga", &first, NULL);
    uint8_t *dirt = mmd_alloc(64);
    memset(dirt, 0xAA, 64);
    mmd_free(dirt);
    assert_int_equal(mmd_image_decode(file.data, file.size, "a.tga", &second, NULL), status);
    if (status == MMD_OK)
        assert_memory_equal(first.pixels, second.pixels, 16);
    mmd_image_finish(&first);
    mmd_image_finish(&second);
    mmd_buffer_finish(&file);
}

/* --- The shared images --- */

static void decode_shared(const char *name, void *user)
{
    mmd_bytes bytes = shared_read(name);
    mmd_image image;
    mmd_error error = {0};
    if (mmd_image_decode(bytes.data, bytes.size, name, &image, &error) != MMD_OK)
        fail_msg("%s: %s", name, error.message);
    *(size_t *)user += image.has_alpha;
    mmd_image_finish(&image);
    mmd_bytes_finish(&bytes);
}

static void all_shared_pictures_decode(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    static const char *const endings[] = {".bmp", ".png", ".tga", ".sph", ".spa"};
    size_t count = 0, with_alpha = 0;
    for (size_t i = 0; i < 5; i++)
        count += shared_each(endings[i], decode_shared, &with_alpha);
    print_message("%zu pictures, %zu of them with alpha\n", count, with_alpha);
    assert_true(count >= 60);
    assert_true(with_alpha > 0);
}

static void pictures_are_written_to_files_and_read(void **state)
{
    (void)state;
    char folder[MMD_FILE_PATH_MAX], path[MMD_FILE_PATH_MAX + 16];
    mmd_image image, read = {0};
    mmd_error error = {0};
    uint8_t header[26];
    size_t size;
    test_folder_make(folder);
    snprintf(path, sizeof path, "%s/a.png", folder);
    assert_int_equal(mmd_image_init(&image, 3, 2, NULL), MMD_OK);
    for (uint8_t i = 0; i < 24; i++)
        image.pixels[i] = i;
    for (int alpha = 1; alpha >= 0; alpha--) {
        for (size_t i = 0; i < 6 && !alpha; i++)
            image.pixels[4 * i + 3] = 255;
        image.has_alpha = alpha;
        assert_int_equal(mmd_image_write(path, &image, NULL), MMD_OK);
        assert_int_equal(mmd_file_read_head(path, header, sizeof header, &size, NULL), MMD_OK);
        assert_int_equal(header[25], alpha ? 6 : 2); /* RGBA, RGB */
        assert_int_equal(mmd_image_read(path, &read, NULL), MMD_OK);
        assert_true(read.width == 3 && read.height == 2 && read.has_alpha == alpha);
        assert_memory_equal(read.pixels, image.pixels, 24);
    }
    /* A failure leaves nothing of the picture before, and names the file. */
    assert_int_equal(mmd_file_write(path, "text", 4, NULL), MMD_OK);
    assert_int_equal(mmd_image_read(path, &read, &error), MMD_ERROR_MAGIC);
    assert_string_equal(error.file, path);
    assert_null(read.pixels);
    test_folder_remove(folder);
    assert_int_equal(mmd_image_read(path, &read, &error), MMD_ERROR_NOT_FOUND);
    assert_int_equal(mmd_image_write("/nowhere/x.png", &image, &error), MMD_ERROR_IO);
    assert_string_equal(error.file, "/nowhere/x.png");
    mmd_image_finish(&read);
    mmd_image_finish(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bmp_32_uses_alpha_that_some_pixel_uses),
        cmocka_unit_test(bmp_32_follows_its_masks),
        cmocka_unit_test(bmp_24_goes_up_or_down_with_padding),
        cmocka_unit_test(bmp_palettes_of_every_depth),
        cmocka_unit_test(bmp_16_by_default_and_by_masks),
        cmocka_unit_test(bmp_run_lengths),
        cmocka_unit_test(bmp_refuses_what_it_cannot_be),
        cmocka_unit_test(dxt1_has_four_colors_or_three_and_a_hole),
        cmocka_unit_test(dxt3_has_four_bits_of_alpha),
        cmocka_unit_test(dxt5_has_eight_or_six_alphas),
        cmocka_unit_test(dds_blocks_overhang_the_edges),
        cmocka_unit_test(dds_of_the_dx10_header),
        cmocka_unit_test(dds_by_masks),
        cmocka_unit_test(dds_refuses_what_it_cannot_be),
        cmocka_unit_test(tga_of_24_and_32_bits_plain_and_packed),
        cmocka_unit_test(gif_jpeg_and_pnm_decode),
        cmocka_unit_test(other_files_are_no_pictures),
        cmocka_unit_test(png_round_trip_keeps_every_pixel),
        cmocka_unit_test(png_of_several_chunks_keeps_every_pixel),
        cmocka_unit_test(png_levels_compress),
        cmocka_unit_test(pictures_are_written_to_files_and_read),
        cmocka_unit_test(png_is_eight_bits_without_date_and_always_the_same),
        cmocka_unit_test(png_carries_texts),
        cmocka_unit_test(png_tells_of_every_row),
        cmocka_unit_test(png_appends_and_a_refused_picture_appends_nothing),
        cmocka_unit_test(png_that_claims_too_much_is_refused_by_its_header),
        cmocka_unit_test(png_whose_data_unfold_beyond_its_size_ends_there),
        cmocka_unit_test(empty_png_is_large_and_legal),
        cmocka_unit_test(hostile_bmp_never_crashes),
        cmocka_unit_test(hostile_dds_never_crashes),
        cmocka_unit_test(hostile_tga_gif_and_pnm_never_crash),
        cmocka_unit_test(hostile_png_and_jpeg_never_crash),
        cmocka_unit_test(cut_pictures_say_where_they_end),
        cmocka_unit_test(pictures_are_told_from_other_files),
        cmocka_unit_test(recognising_a_picture_keeps_to_its_budget),
        cmocka_unit_test(damaged_png_always_has_a_reason),
        cmocka_unit_test(equal_cut_files_give_equal_pictures),
        cmocka_unit_test(all_shared_pictures_decode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
