/* Tests the painting kit, and the properties of textures that the dancer's meshes rely on. */
#include "support.h"

#include "mmd/image.h"
#include "paint/textures.h"

#include <math.h>

static void begin(paint_canvas *c, uint32_t size, uint32_t rgb)
{
    paint_canvas_init(c, size, size, rgb);
    paint_view(c, paint_xy(0, 0), paint_xy((float)size, (float)size));
}

static vec4 pixel(const paint_canvas *c, uint32_t x, uint32_t y)
{
    return c->pixels[(size_t)y * c->width + x];
}

/* Returns the area of black on a white canvas, in pixels. */
static float black_area(const paint_canvas *c)
{
    double sum = 0.0;
    for (size_t i = 0; i < (size_t)c->width * c->height; i++)
        sum += 1.0 - (double)c->pixels[i].r;
    return (float)sum;
}

static const paint_brush crisp = {PAINT_NORMAL, 1.0f, 0.0f};

/* --- Painting kit --- */

static void shapes_cover_their_area(void **state)
{
    (void)state;
    const vec2 triangle[] = {{{3.3f, 2.1f}}, {{40.7f, 9.9f}}, {{11.2f, 57.6f}}};
    float triangle_area = 0.5f * ((40.7f - 3.3f) * (57.6f - 2.1f) - (11.2f - 3.3f) * (9.9f - 2.1f));
    paint_canvas c;
    begin(&c, 64, 0xFFFFFF);
    paint_polygon(&c, triangle, 3);
    paint_fill(&c, paint_flat(0), crisp);
    assert_float_equal(black_area(&c), triangle_area, 0.05f);
    paint_canvas_finish(&c);

    begin(&c, 64, 0xFFFFFF);
    paint_ellipse(&c, paint_xy(31.3f, 30.2f), paint_xy(20.0f, 12.0f), 0.4f);
    paint_ellipse(&c, paint_xy(31.3f, 30.2f), paint_xy(-10.0f, 6.0f), 0.4f); /* a hole */
    paint_fill(&c, paint_flat(0), crisp);
    assert_float_equal(black_area(&c), PI * (240.0f - 60.0f), 0.5f);
    assert_float_equal(pixel(&c, 31, 30).r, 1.0f, 0.0f);
    paint_canvas_finish(&c);

    begin(&c, 64, 0xFFFFFF);
    paint_box(&c, paint_xy(4, 4), paint_xy(44, 24), 5.0f);
    paint_fill(&c, paint_flat(0), crisp);
    assert_float_equal(black_area(&c), 800.0f - (4.0f - PI) * 25.0f, 0.2f);
    paint_canvas_finish(&c);
}

static void outlines_beyond_the_canvas_are_cut(void **state)
{
    (void)state;
    paint_canvas c;
    begin(&c, 32, 0xFFFFFF);
    paint_ellipse(&c, paint_xy(0, 0), paint_xy(16, 16), 0);
    paint_ellipse(&c, paint_xy(500, -500), paint_xy(16, 16), 0);
    paint_fill(&c, paint_flat(0), crisp);
    assert_float_equal(black_area(&c), PI * 64.0f, 0.5f);
    paint_canvas_finish(&c);
}

static void a_stroke_has_its_widths(void **state)
{
    (void)state;
    const vec2 line[4] = {{{8, 32}}, {{24, 32}}, {{40, 32}}, {{56, 32}}};
    paint_canvas c;
    begin(&c, 64, 0xFFFFFF);
    paint_stroke(&c, line, (vec3){{0.0f, 8.0f, 0.0f}});
    paint_fill(&c, paint_flat(0), crisp);
    assert_float_equal(black_area(&c), 48.0f * 8.0f * 2.0f / 3.0f, 1.0f); /* area under a parabola */
    assert_float_equal(pixel(&c, 31, 28).r, 0.0f, 0.05f);
    assert_float_equal(pixel(&c, 31, 27).r, 1.0f, 0.05f);
    paint_canvas_finish(&c);
}

static void a_blur_keeps_the_area_and_spreads_it(void **state)
{
    (void)state;
    paint_canvas c;
    begin(&c, 64, 0xFFFFFF);
    paint_box(&c, paint_xy(28, 28), paint_xy(36, 36), 0.0f);
    paint_fill(&c, paint_flat(0), paint_with(PAINT_NORMAL, 1.0f, 4.0f));
    assert_float_equal(black_area(&c), 64.0f, 0.5f);
    double spread = 0.0;
    for (uint32_t x = 0; x < 64; x++)
        for (uint32_t y = 0; y < 64; y++)
            spread += (double)(1.0f - pixel(&c, x, y).r) * ((double)x - 31.5) * ((double)x - 31.5) / 64.0;
    /* The variance of the square, (8 * 8 - 1) / 12, plus that of the blur, which box filters approximate. */
    assert_float_equal((float)spread, 63.0f / 12.0f + 16.0f, 0.8f);
    assert_float_equal(pixel(&c, 0, 0).r, 1.0f, 0.0f); /* the blur is limited */
    paint_canvas_finish(&c);
}

static void blends_are_the_painters(void **state)
{
    (void)state;
    vec4 under = {{0.5f, 0.5f, 0.5f, 1.0f}}, over = {{0.8f, 0.2f, 0.0f, 1.0f}};
    assert_float_equal(paint_over(under, over, PAINT_NORMAL).r, 0.8f, 1e-6f);
    assert_float_equal(paint_over(under, over, PAINT_MULTIPLY).r, 0.4f, 1e-6f);
    assert_float_equal(paint_over(under, over, PAINT_SCREEN).g, 0.6f, 1e-6f);
    over.a = 0.5f;
    assert_float_equal(paint_over(under, over, PAINT_MULTIPLY).r, 0.45f, 1e-6f);
    /* On a transparent canvas every blend gives the colour itself. */
    under.a = 0.0f;
    vec4 alone = paint_over(under, over, PAINT_MULTIPLY);
    assert_float_equal(alone.r, 0.8f, 1e-6f);
    assert_float_equal(alone.a, 0.5f, 1e-6f);
}

static void gradients_run_through_their_stops(void **state)
{
    (void)state;
    const paint_stop stops[] = {{0.0f, 0x000000, 1}, {0.5f, 0xFF0000, 1}, {1.0f, 0xFFFFFF, 0}};
    paint_ink ink = paint_gradient(PAINT_LINEAR, paint_xy(2, 0), paint_xy(6, 0), stops, 3);
    assert_float_equal(paint_ink_at(&ink, paint_xy(1, 9)).r, 0.0f, 1e-6f);
    assert_float_equal(paint_ink_at(&ink, paint_xy(3, 9)).r, 0.5f, 1e-6f);
    assert_float_equal(paint_ink_at(&ink, paint_xy(5, 9)).g, 0.5f, 1e-6f);
    assert_float_equal(paint_ink_at(&ink, paint_xy(5, 9)).a, 0.5f, 1e-6f);
    assert_float_equal(paint_ink_at(&ink, paint_xy(9, 9)).a, 0.0f, 1e-6f);
    ink = paint_gradient(PAINT_RADIAL, paint_xy(2, 2), paint_xy(4, 2), stops, 3);
    assert_float_equal(paint_ink_at(&ink, paint_xy(2, 3)).r, 1.0f, 1e-6f);
    assert_float_equal(paint_ink_at(&ink, paint_xy(4, 2)).g, 0.0f, 1e-6f);
}

/* Moving a shape on a tiling canvas moves the picture round, whatever the shape. */
static void tiling_has_no_border(void **state)
{
    (void)state;
    static const float blurs[] = {0.0f, 3.0f};
    for (size_t i = 0; i < 2; i++) {
        paint_canvas a, b;
        begin(&a, 32, 0xFFFFFF);
        begin(&b, 32, 0xFFFFFF);
        a.tile_x = a.tile_y = b.tile_x = b.tile_y = true;
        paint_ellipse(&a, paint_xy(16, 16), paint_xy(9, 5), 0.3f);
        paint_fill(&a, paint_flat(0), paint_with(PAINT_NORMAL, 1.0f, blurs[i]));
        paint_ellipse(&b, paint_xy(32, 0), paint_xy(9, 5), 0.3f);
        paint_fill(&b, paint_flat(0), paint_with(PAINT_NORMAL, 1.0f, blurs[i]));
        for (uint32_t y = 0; y < 32; y++)
            for (uint32_t x = 0; x < 32; x++)
                assert_float_equal(pixel(&a, x, y).r, pixel(&b, (x + 16) % 32, (y + 16) % 32).r, 1e-4f);
        paint_canvas_finish(&a);
        paint_canvas_finish(&b);
    }
}

/* A band across a tiling canvas is uniform, including its antialiased edges. */
static void a_band_is_even_all_round(void **state)
{
    (void)state;
    for (int tile = 0; tile < 2; tile++) {
        paint_canvas c;
        begin(&c, 32, 0xFFFFFF);
        c.tile_x = tile == 1;
        paint_band(&c, 8.3f, 12.6f);
        paint_fill(&c, paint_flat(0), paint_with(PAINT_NORMAL, 1.0f, 1.5f));
        paint_band(&c, 20.3f, 24.6f);
        paint_fill(&c, paint_flat(0), crisp);
        for (uint32_t y = 0; y < 32; y++)
            for (uint32_t x = 1; x < 32; x++)
                assert_float_equal(pixel(&c, x, y).r, pixel(&c, 0, y).r, 1e-4f);
        assert_float_equal(pixel(&c, 0, 20).r, 0.3f, 1e-4f);
        paint_canvas_finish(&c);
    }
}

static void a_pattern_repeats_its_cell(void **state)
{
    (void)state;
    paint_canvas cell, c;
    begin(&cell, 4, 0xFFFFFF);
    cell.pixels[6] = paint_rgb(0x204060);
    begin(&c, 16, 0xFFFFFF);
    paint_band(&c, 0.0f, 16.0f);
    paint_fill(&c, paint_pattern(&cell, paint_xy(0, 0), paint_xy(4, 4)), crisp);
    for (uint32_t y = 0; y < 16; y++)
        for (uint32_t x = 0; x < 16; x++)
            assert_float_equal(pixel(&c, x, y).g, pixel(&cell, x % 4, y % 4).g, 1e-6f);
    paint_canvas_finish(&cell);
    paint_canvas_finish(&c);
}

static void noise_repeats_and_stays_in_range(void **state)
{
    (void)state;
    for (int i = 0; i < 400; i++) {
        float x = (float)i * 0.13f, n = paint_noise(x, 8, 5);
        assert_true(n >= 0.0f && n <= 1.0f);
        assert_float_equal(n, paint_noise(x + 8.0f, 8, 5), 1e-4f);
    }
}

/* --- Textures --- */

static bool power_of_two(uint32_t n)
{
    return n && (n & (n - 1)) == 0;
}

static float difference(vec4 a, vec4 b)
{
    float largest = 0.0f;
    for (int i = 0; i < 4; i++)
        largest = fmaxf(largest, fabsf(a.raw[i] - b.raw[i]));
    return largest;
}

/* Returns the mean difference between a column and the next one; the last is compared with the first. */
static float step_x(const paint_canvas *c, uint32_t x)
{
    float sum = 0.0f;
    for (uint32_t y = 0; y < c->height; y++)
        sum += difference(pixel(c, x, y), pixel(c, (x + 1) % c->width, y));
    return sum / (float)c->height;
}

static float step_y(const paint_canvas *c, uint32_t y)
{
    float sum = 0.0f;
    for (uint32_t x = 0; x < c->width; x++)
        sum += difference(pixel(c, x, y), pixel(c, x, (y + 1) % c->height));
    return sum / (float)c->width;
}

/* Checks that the difference across the border is no larger than the largest one inside. */
static void assert_no_seam(const texture *t, const paint_canvas *c)
{
    float inside = 0.0f;
    for (uint32_t x = 0; x + 1 < c->width; x++)
        inside = fmaxf(inside, step_x(c, x));
    if (t->tile_x && step_x(c, c->width - 1) > inside + 1e-4f)
        fail_msg("%s: a seam of %g between its sides, %g inside", t->name, (double)step_x(c, c->width - 1),
                 (double)inside);
    inside = 0.0f;
    for (uint32_t y = 0; y + 1 < c->height; y++)
        inside = fmaxf(inside, step_y(c, y));
    if (t->tile_y && step_y(c, c->height - 1) > inside + 1e-4f)
        fail_msg("%s: a seam between top and bottom", t->name);
}

/* Checks that the file contains what was painted, rounded to 8 bits. */
static void assert_decodes(const texture *t, const paint_canvas *c, const mmd_buffer *png)
{
    mmd_image image;
    mmd_error error = {0};
    if (mmd_image_decode(png->data, png->size, t->name, &image, &error) != MMD_OK)
        fail_msg("%s: %s", t->name, error.message);
    assert_int_equal(image.width, t->width);
    assert_int_equal(image.height, t->height);
    for (size_t i = 0; i < (size_t)t->width * t->height; i++)
        for (size_t k = 0; k < 4; k++) {
            float painted = clamp(c->pixels[i].raw[k], 0.0f, 1.0f) * 255.0f;
            if (fabsf((float)image.pixels[4 * i + k] - painted) > 0.51f)
                fail_msg("%s: byte %zu of pixel %zu", t->name, k, i);
        }
    mmd_image_finish(&image);
}

static void every_texture_keeps_its_promises(void **state)
{
    (void)state;
    for (size_t i = 0; i < texture_count; i++) {
        const texture *t = &texture_table[i];
        assert_true(power_of_two(t->width) && power_of_two(t->height));
        assert_true(strncmp(t->name, "tex/", 4) == 0);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(t->name, texture_table[k].name);
        paint_canvas c, again;
        mmd_buffer png = {0}, other = {0};
        texture_make(t, &c);
        texture_make(t, &again);
        paint_png(&c, &png);
        paint_png(&again, &other);
        assert_int_equal(png.size, other.size);
        assert_memory_equal(png.data, other.data, png.size);
        assert_decodes(t, &c, &png);
        assert_no_seam(t, &c);
        paint_canvas_finish(&c);
        paint_canvas_finish(&again);
        mmd_buffer_finish(&png);
        mmd_buffer_finish(&other);
    }
}

static void make_named(const char *name, paint_canvas *c)
{
    for (size_t i = 0; i < texture_count; i++)
        if (strcmp(texture_table[i].name, name) == 0) {
            texture_make(&texture_table[i], c);
            return;
        }
    fail_msg("no texture %s", name);
}

/* The face's mesh borders on plain skin, so its texture ends in plain skin. */
static void the_face_ends_in_plain_skin(void **state)
{
    (void)state;
    paint_canvas c;
    make_named("tex/face.png", &c);
    vec4 skin = paint_rgb(COLOR_SKIN);
    for (uint32_t py = 0; py < c.height; py++)
        for (uint32_t px = 0; px < c.width; px++) {
            float x = (((float)px + 0.5f) / (float)c.width - 0.5f) * TEXTURE_FACE_SIZE;
            float y = TEXTURE_FACE_TOP - ((float)py + 0.5f) / (float)c.height * TEXTURE_FACE_SIZE;
            bool outside = fabsf(x) > 1.7f || y < 15.85f || y > 19.7f;
            if (outside && difference(pixel(&c, px, py), skin) > 0.0f)
                fail_msg("painted at x %g y %g", (double)x, (double)y);
        }
    paint_canvas_finish(&c);
}

/*
 * A morph may shrink the iris a little: the texture around it is the rim's colour, not skin or a highlight.
 */
static void round_the_iris_is_rim(void **state)
{
    (void)state;
    paint_canvas c;
    make_named("tex/eye.png", &c);
    for (uint32_t i = 0; i < c.width; i++) {
        assert_true(pixel(&c, i, 0).r < 0.1f && pixel(&c, i, c.height - 1).r < 0.1f);
        assert_true(pixel(&c, 0, i).g < 0.35f && pixel(&c, c.width - 1, i).g < 0.35f);
    }
    paint_canvas_finish(&c);
}

/* With self shadow MMD uses the last row for all that is in shade. */
static void toons_are_white_above_and_one_shade_below(void **state)
{
    (void)state;
    static const char *const names[] = {"tex/toon_skin.png", "tex/toon_cloth.png", "tex/toon_hair.png"};
    for (size_t i = 0; i < 3; i++) {
        paint_canvas c;
        make_named(names[i], &c);
        assert_float_equal(difference(pixel(&c, 0, 0), paint_rgb(COLOR_WHITE)), 0.0f, 1e-6f);
        assert_float_equal(difference(pixel(&c, 0, 13), paint_rgb(COLOR_WHITE)), 0.0f, 1e-6f);
        assert_float_equal(difference(pixel(&c, 0, 18), pixel(&c, 0, 31)), 0.0f, 1e-6f);
        assert_true(pixel(&c, 0, 31).g < 0.85f);
        paint_canvas_finish(&c);
    }
}

/* Surfaces without the pattern have an additional UV 1 of 0, which must not tint them. */
static void the_pattern_is_white_at_its_corner(void **state)
{
    (void)state;
    paint_canvas c;
    make_named("tex/pattern.png", &c);
    assert_float_equal(difference(pixel(&c, 0, 0), paint_rgb(COLOR_WHITE)), 0.0f, 1e-6f);
    assert_float_equal(difference(pixel(&c, 511, 511), paint_rgb(COLOR_WHITE)), 0.0f, 1e-6f);
    paint_canvas_finish(&c);
}

/* A sphere texture that is added must be black wherever the hair does not shine. */
static void the_hair_sphere_adds_only_its_ring(void **state)
{
    (void)state;
    paint_canvas c;
    make_named("tex/hair_sphere.png", &c);
    for (uint32_t x = 0; x < 256; x++)
        assert_float_equal(pixel(&c, x, 140).r + pixel(&c, x, 0).r, 0.0f, 1e-3f);
    assert_true(pixel(&c, 128, 60).r > 0.3f);
    paint_canvas_finish(&c);
}

static void nothing_is_left_in_memory(void **state)
{
    (void)state;
    uint64_t before = mmd_heap_blocks_in_use();
    paint_canvas c;
    make_named("tex/obi.png", &c);
    paint_canvas_finish(&c);
    assert_int_equal(mmd_heap_blocks_in_use(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_cover_their_area),
        cmocka_unit_test(outlines_beyond_the_canvas_are_cut),
        cmocka_unit_test(a_stroke_has_its_widths),
        cmocka_unit_test(a_blur_keeps_the_area_and_spreads_it),
        cmocka_unit_test(blends_are_the_painters),
        cmocka_unit_test(gradients_run_through_their_stops),
        cmocka_unit_test(tiling_has_no_border),
        cmocka_unit_test(a_band_is_even_all_round),
        cmocka_unit_test(a_pattern_repeats_its_cell),
        cmocka_unit_test(noise_repeats_and_stays_in_range),
        cmocka_unit_test(every_texture_keeps_its_promises),
        cmocka_unit_test(the_face_ends_in_plain_skin),
        cmocka_unit_test(round_the_iris_is_rim),
        cmocka_unit_test(toons_are_white_above_and_one_shade_below),
        cmocka_unit_test(the_pattern_is_white_at_its_corner),
        cmocka_unit_test(the_hair_sphere_adds_only_its_ring),
        cmocka_unit_test(nothing_is_left_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
