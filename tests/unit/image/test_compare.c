/* Comparing images: results computed by hand, NVIDIA's FLIP, ffmpeg's PSNR and SSIM. */
#include "folder.h"
#include "pictures.h"
#include "support.h"

#include "mmd/compare.h"

#include <jansson.h>

/* --- Running --- */

static mmd_compare *compare;

static int make_compare(void **state)
{
    (void)state;
    compare = mmd_compare_create();
    return compare ? 0 : -1;
}

static int free_compare(void **state)
{
    (void)state;
    mmd_compare_destroy(compare);
    mmd_compare_destroy(NULL);
    return mmd_heap_blocks_in_use() == 0 ? 0 : -1;
}

static mmd_compare_result run_with(const mmd_image *a, const mmd_image *b, const mmd_compare_options *options)
{
    mmd_compare_result result;
    mmd_error error = {0};
    if (mmd_compare_run(compare, a, b, options, &result, &error) != MMD_OK)
        fail_msg("%s", error.message);
    return result;
}

static mmd_compare_result run(const mmd_image *a, const mmd_image *b)
{
    mmd_compare_options options = mmd_default_compare_options();
    return run_with(a, b, &options);
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9f, not %.9f", value, expected);
}

/* Requires that all measures report equal images. */
static void assert_equal_pictures(const mmd_compare_result *r)
{
    for (int i = 0; i < MMD_COMPARE_SERIES; i++) {
        assert_int_equal(r->levels[i].largest, 0);
        assert_int_equal(r->levels[i].percentile_99, 0);
        assert_true(r->levels[i].mean == 0);
    }
    assert_int_equal(r->over, 0);
    assert_true(r->share_over == 0 && isinf(r->psnr_all) && isinf(r->psnr[0]));
    assert_near(r->ssim_all, 1, 1e-12);
    assert_near(r->ssim_luma, 1, 1e-12);
    assert_true(r->flip_mean == 0 && r->flip_max == 0 && r->flip_weighted_median == 0);
    assert_true(r->flip_mean_exact == 0);
}

/* Checks that hold for any two images. */
static void assert_sane(const mmd_compare_result *r)
{
    assert_true(r->flip_mean_exact >= 0 && r->flip_mean_exact <= r->flip_max && r->flip_max <= 1);
    assert_true(r->flip_weighted_median >= 0 && r->flip_weighted_median <= r->flip_max);
    assert_true(r->ssim_all >= -1 && r->ssim_all <= 1 && r->ssim_luma >= -1 && r->ssim_luma <= 1);
    assert_true(r->psnr_all >= 0);
    assert_true(r->levels[MMD_COMPARE_PIXELS].mean <= r->levels[MMD_COMPARE_PIXELS].largest);
    assert_true(r->over <= r->pixels);
}

/* --- Levels --- */

static void equal_pictures_differ_in_nothing(void **state)
{
    (void)state;
    mmd_image a = picture_noise(61, 47, 1), b = picture_copy(&a);
    mmd_compare_result r = run(&a, &b);
    assert_equal_pictures(&r);
    assert_int_equal(r.pixels, 61 * 47);
    assert_int_equal(r.width, 61);
    assert_int_equal(r.height, 47);
    assert_int_equal(r.shift_x, 0);
    assert_int_equal(r.shift_y, 0);
    assert_false(r.alpha);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

static void an_offset_shows_in_levels_and_psnr(void **state)
{
    (void)state;
    mmd_image a = picture_plain(30, 20, (color){100, 100, 100, 255}),
              b = picture_plain(30, 20, (color){103, 99, 110, 255});
    mmd_compare_result r = run(&a, &b);
    const uint32_t expected[] = {3, 1, 10};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(r.levels[i].largest, expected[i]);
        assert_int_equal(r.levels[i].percentile_99, expected[i]);
        assert_near(r.levels[i].mean, expected[i], 1e-12);
        assert_near(r.psnr[i], 20 * log10(255.0 / expected[i]), 1e-9);
    }
    assert_int_equal(r.levels[MMD_COMPARE_ALPHA].largest, 0);
    assert_int_equal(r.levels[MMD_COMPARE_CHANNELS].largest, 10);
    assert_near(r.levels[MMD_COMPARE_CHANNELS].mean, 14 / 3.0, 1e-12);
    assert_int_equal(r.levels[MMD_COMPARE_PIXELS].percentile_99, 10);
    assert_near(r.levels[MMD_COMPARE_PIXELS].mean, 10, 1e-12);
    assert_near(r.psnr_all, 10 * log10(255.0 * 255 / ((9 + 1 + 100) / 3.0)), 1e-9);
    assert_near(r.share_over, 1, 0);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

static void the_99th_percentile_forgives_one_in_a_hundred(void **state)
{
    (void)state;
    mmd_image a = picture_plain(10, 10, black), b = picture_plain(10, 10, black);
    picture_put(&b, 3, 4, (color){7, 0, 0, 255});
    mmd_compare_result r = run(&a, &b);
    assert_int_equal(r.levels[MMD_COMPARE_RED].largest, 7);
    assert_int_equal(r.levels[MMD_COMPARE_RED].percentile_99, 0);
    assert_near(r.levels[MMD_COMPARE_RED].mean, 0.07, 1e-12);
    picture_put(&b, 9, 9, (color){5, 0, 0, 255});
    r = run(&a, &b);
    assert_int_equal(r.levels[MMD_COMPARE_RED].percentile_99, 5);
    assert_int_equal(r.levels[MMD_COMPARE_CHANNELS].percentile_99, 0);
    assert_int_equal(r.levels[MMD_COMPARE_PIXELS].percentile_99, 5);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

static void the_threshold_itself_is_not_over_it(void **state)
{
    (void)state;
    mmd_image a = picture_plain(4, 1, black), b = picture_plain(4, 1, black);
    picture_put(&b, 1, 0, (color){0, 12, 0, 255});
    picture_put(&b, 2, 0, (color){0, 1, 13, 255});
    mmd_compare_options options = mmd_default_compare_options();
    options.threshold = 12;
    mmd_compare_result r = run_with(&a, &b, &options);
    assert_int_equal(r.over, 1);
    assert_near(r.share_over, 0.25, 0);
    const uint8_t *difference = mmd_compare_difference(compare), expected[] = {0, 12, 13, 0};
    assert_memory_equal(difference, expected, 4);
    options.threshold = 255;
    assert_int_equal(run_with(&a, &b, &options).over, 0);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

/* --- Alpha --- */

static void alpha_lies_over_the_background(void **state)
{
    (void)state;
    mmd_image a = picture_plain(5, 5, (color){255, 0, 0, 0}),
              b = picture_plain(5, 5, (color){10, 20, 30, 255});
    mmd_compare_options options = mmd_default_compare_options();
    memcpy(options.background, (uint8_t[]){10, 20, 30}, 3);
    mmd_compare_result r = run_with(&a, &b, &options);
    assert_equal_pictures(&r);
    assert_false(r.alpha);
    mmd_image half = picture_plain(5, 5, (color){200, 100, 50, 51});
    r = run_with(&half, &b, &options);
    assert_int_equal(r.levels[MMD_COMPARE_RED].largest, 38); /* (200 - 10) / 5 */
    assert_int_equal(r.levels[MMD_COMPARE_GREEN].largest, 16);
    assert_int_equal(r.levels[MMD_COMPARE_BLUE].largest, 4);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
    mmd_image_finish(&half);
}

static void alpha_is_compared_where_both_have_it(void **state)
{
    (void)state;
    mmd_image a = picture_plain(6, 6, (color){0, 0, 0, 100}), b = picture_plain(6, 6, (color){0, 0, 0, 140});
    mmd_compare_options options = mmd_default_compare_options();
    mmd_compare_result r = run_with(&a, &b, &options);
    assert_true(r.alpha);
    assert_int_equal(r.levels[MMD_COMPARE_ALPHA].largest, 40);
    assert_int_equal(r.levels[MMD_COMPARE_PIXELS].largest, 40);
    assert_near(r.levels[MMD_COMPARE_CHANNELS].mean, 10, 1e-12);
    assert_int_equal(r.over, 36);
    assert_true(isinf(r.psnr_all) && r.flip_mean == 0);
    options.alpha = MMD_COMPARE_ALPHA_NEVER;
    r = run_with(&a, &b, &options);
    assert_equal_pictures(&r);
    mmd_image opaque = picture_plain(6, 6, black);
    /* MMD's PNGs have the background's colour where their alpha is 0. */
    mmd_image shown = picture_plain(6, 6, (color){255, 255, 255, 255});
    mmd_image of_mmd = picture_plain(6, 6, (color){255, 255, 255, 0});
    assert_int_equal(run_with(&shown, &of_mmd, &options).over, 36);
    options.alpha = MMD_COMPARE_ALPHA_IGNORE;
    r = run_with(&shown, &of_mmd, &options);
    assert_equal_pictures(&r);
    assert_false(r.alpha);
    assert_int_equal(run_with(&shown, &b, &options).levels[MMD_COMPARE_RED].largest, 255);
    mmd_image_finish(&shown);
    mmd_image_finish(&of_mmd);
    options.alpha = MMD_COMPARE_ALPHA_ALWAYS;
    assert_int_equal(run_with(&a, &opaque, &options).levels[MMD_COMPARE_ALPHA].largest, 155);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
    mmd_image_finish(&opaque);
}

/* --- Masks in a run --- */

static void ignored_pixels_count_nowhere(void **state)
{
    (void)state;
    enum { SIZE = 64 };
    mmd_image a = picture_noise(SIZE, SIZE, 5), b = picture_copy(&a);
    static uint8_t mask[SIZE * SIZE];
    memset(mask, 255, sizeof mask);
    for (uint32_t y = 20; y < 30; y++)
        for (uint32_t x = 10; x < 40; x++) {
            picture_put(&b, x, y, white);
            mask[y * SIZE + x] = 0;
        }
    mmd_compare_options options = mmd_default_compare_options();
    options.mask = mask;
    options.flip = false;
    mmd_compare_result r = run_with(&a, &b, &options);
    assert_equal_pictures(&r);
    assert_int_equal(r.pixels, SIZE * SIZE - 300);
    assert_null(mmd_compare_flip(compare));
    options.flip = true; /* FLIP also considers the white next to the compared pixels */
    r = run_with(&a, &b, &options);
    const float *flip = mmd_compare_flip(compare);
    assert_true(r.flip_max > 0 && flip[25 * SIZE + 20] == 0 && flip[19 * SIZE + 20] > 0);
    assert_int_equal(mmd_compare_difference(compare)[25 * SIZE + 20], 0);
    memset(mask, 0, sizeof mask);
    r = run_with(&a, &b, &options);
    assert_equal_pictures(&r);
    assert_int_equal(r.pixels, 0);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

static void a_mask_moves_with_the_region(void **state)
{
    (void)state;
    mmd_image a = picture_noise(40, 30, 6), b = picture_cut(&a, 7, 5, 20, 20);
    static uint8_t mask[40 * 30];
    memset(mask, 1, sizeof mask);
    mask[(5 + 3) * 40 + 7 + 2] = 0;
    picture_put(&b, 2, 3, (color){picture_at(&b, 2, 3)[0] ^ 128, 0, 0, 255});
    mmd_compare_options options = mmd_default_compare_options();
    options.mask = mask;
    mmd_compare_result r = run_with(&a, &b, &options);
    assert_int_equal(r.shift_x, 7);
    assert_int_equal(r.shift_y, 5);
    assert_int_equal(r.pixels, 399);
    assert_int_equal(r.levels[MMD_COMPARE_PIXELS].largest, 0);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

/* --- Alignment --- */

/*
 * Cuts two overlapping parts from an image, shifted by x, y, and requires that the alignment finds the shift.
 */
static void assert_found(const mmd_image *whole, uint32_t size, int32_t x, int32_t y)
{
    enum { MARGIN = 40 };
    mmd_image a = picture_cut(whole, MARGIN, MARGIN, size, size);
    mmd_image b = picture_cut(whole, (uint32_t)(MARGIN + x), (uint32_t)(MARGIN + y), size, size);
    mmd_compare_options options = mmd_default_compare_options();
    options.align = MMD_COMPARE_ALIGN_SEARCH;
    options.ssim = options.flip = false;
    mmd_compare_result r = run_with(&a, &b, &options);
    assert_int_equal(r.shift_x, x);
    assert_int_equal(r.shift_y, y);
    assert_int_equal(r.levels[MMD_COMPARE_PIXELS].largest, 0);
    assert_int_equal(r.width, size - (uint32_t)abs(x));
    assert_int_equal(r.height, size - (uint32_t)abs(y));
    assert_int_equal(r.a_x, x > 0 ? x : 0);
    assert_int_equal(r.b_x, x < 0 ? -x : 0);
    assert_int_equal(r.a_y, y > 0 ? y : 0);
    assert_int_equal(r.b_y, y < 0 ? -y : 0);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

static void every_kind_of_shift_is_found(void **state)
{
    (void)state;
    static const int32_t shifts[][2] = {{0, 0}, {1, 0}, {0, -1}, {-3, 2}, {13, 7}, {-32, 32}, {31, -29}};
    mmd_image small = picture_noise(80 + 50, 80 + 50, 8), large = picture_noise(80 + 500, 80 + 500, 9);
    mmd_image picture = picture_discs(80 + 400, 80 + 400, 10);
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        assert_found(&large, 500, shifts[i][0], shifts[i][1]);
        assert_found(&picture, 400, shifts[i][0], shifts[i][1]);
        if (abs(shifts[i][0]) < 25)
            assert_found(&small, 50, shifts[i][0], shifts[i][1]);
    }
    mmd_image_finish(&small);
    mmd_image_finish(&large);
    mmd_image_finish(&picture);
}

static void a_smaller_picture_is_found_within_a_larger_one(void **state)
{
    (void)state;
    mmd_image a = picture_discs(700, 500, 12), b = picture_cut(&a, 411, 203, 150, 170);
    mmd_compare_result r = run(&a, &b);
    assert_int_equal(r.shift_x, 411);
    assert_int_equal(r.shift_y, 203);
    assert_int_equal(r.width, 150);
    assert_int_equal(r.height, 170);
    assert_equal_pictures(&r);
    r = run(&b, &a);
    assert_int_equal(r.shift_x, -411);
    assert_int_equal(r.b_y, 203);
    assert_equal_pictures(&r);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

static void equal_sizes_stay_where_they_are(void **state)
{
    (void)state;
    mmd_image whole = picture_noise(60, 60, 13), a = picture_cut(&whole, 0, 0, 50, 50),
              b = picture_cut(&whole, 4, 3, 50, 50);
    mmd_compare_result r = run(&a, &b);
    assert_int_equal(r.shift_x, 0);
    assert_int_equal(r.width, 50);
    assert_true(r.levels[MMD_COMPARE_PIXELS].largest > 0);
    mmd_image_finish(&whole);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

static void a_given_shift_is_taken_or_refused(void **state)
{
    (void)state;
    mmd_image whole = picture_noise(60, 60, 14), a = picture_cut(&whole, 0, 0, 50, 50),
              b = picture_cut(&whole, 4, 3, 50, 50);
    mmd_compare_options options = mmd_default_compare_options();
    options.align = MMD_COMPARE_ALIGN_NONE;
    options.shift_x = 4;
    options.shift_y = 3;
    mmd_compare_result r = run_with(&a, &b, &options);
    assert_equal_pictures(&r);
    assert_int_equal(r.pixels, 46 * 47);
    options.shift_x = 49;
    assert_int_equal(run_with(&a, &b, &options).width, 1);
    static const int32_t nowhere[][2] = {{50, 0},  {-50, 0},       {0, 50},
                                         {0, -50}, {INT32_MAX, 0}, {0, INT32_MIN}};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        mmd_error error = {0};
        options.shift_x = nowhere[i][0];
        options.shift_y = nowhere[i][1];
        assert_int_equal(mmd_compare_run(compare, &a, &b, &options, &r, &error), MMD_ERROR_VALUE);
        assert_true(error.message[0]);
        assert_null(mmd_compare_difference(compare));
        assert_null(mmd_compare_flip(compare));
    }
    mmd_image_finish(&whole);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

static void the_region_can_be_looked_at(void **state)
{
    (void)state;
    mmd_image a = picture_noise(30, 20, 15), b = picture_cut(&a, 5, 2, 20, 15), picture;
    picture_at(&b, 1, 1)[3] = 0;
    b.has_alpha = true;
    mmd_compare_result r = run(&a, &b);
    assert_int_equal(r.a_x, 5);
    assert_int_equal(mmd_compare_region_a(compare, &picture, NULL), MMD_OK);
    assert_int_equal(picture.width, 20);
    assert_int_equal(picture.height, 15);
    assert_memory_equal(picture_at(&picture, 0, 1), picture_at(&a, 5, 3), 80);
    mmd_image_finish(&picture);
    assert_int_equal(mmd_compare_region_b(compare, &picture, NULL), MMD_OK);
    assert_memory_equal(picture_at(&picture, 1, 1), &black, 4);
    assert_memory_equal(picture_at(&picture, 2, 1), picture_at(&b, 2, 1), 4);
    assert_false(picture.has_alpha);
    mmd_image_finish(&picture);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

/* --- Any size --- */

static void any_size_gives_numbers(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {1, 2}, {2, 1}, {1, 300}, {300, 1}, {3, 3},
                                        {4, 4}, {7, 8}, {8, 7}, {8, 8},   {9, 31},  {33, 12}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        mmd_image a = picture_noise(sizes[i][0], sizes[i][1], i),
                  b = picture_noise(sizes[i][0], sizes[i][1], i + 100);
        mmd_compare_options options = mmd_default_compare_options();
        for (int align = 0; align < 3; align++) {
            options.align = (mmd_compare_align)align;
            mmd_compare_result r = run_with(&a, &b, &options);
            assert_sane(&r);
            assert_true(r.flip_max > 0 && r.pixels > 0);
            r = run_with(&a, &a, &options);
            assert_equal_pictures(&r);
            assert_int_equal(r.pixels, sizes[i][0] * sizes[i][1]);
        }
        mmd_image_finish(&a);
        mmd_image_finish(&b);
    }
}

static void any_two_sizes_meet_somewhere(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {1, 50}, {50, 1}, {5, 200}, {200, 5}, {90, 90}, {16, 16}};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < COUNT; k++) {
            mmd_image a = picture_noise(sizes[i][0], sizes[i][1], i),
                      b = picture_noise(sizes[k][0], sizes[k][1], k);
            mmd_compare_result r = run(&a, &b);
            assert_sane(&r);
            assert_true(r.width > 0 && r.height > 0);
            assert_true(r.a_x + r.width <= a.width && r.a_y + r.height <= a.height);
            assert_true(r.b_x + r.width <= b.width && r.b_y + r.height <= b.height);
            mmd_image_finish(&a);
            mmd_image_finish(&b);
        }
}

static void runs_repeat_to_the_bit_and_leave_the_heap_alone(void **state)
{
    (void)state;
    mmd_image a = picture_noise(120, 90, 20), b = picture_noise(120, 90, 21),
              other = picture_discs(64, 150, 22);
    mmd_compare_result first = run(&a, &b);
    size_t count = 120 * 90;
    float *flip = mmd_alloc(count * sizeof *flip);
    memcpy(flip, mmd_compare_flip(compare), count * sizeof *flip);
    run(&other, &b);
    uint64_t allocations = mmd_heap_allocations();
    run(&other, &b);
    mmd_compare_result again = run(&a, &b);
    assert_int_equal(mmd_heap_allocations(), allocations);
    assert_true(first.flip_mean == again.flip_mean && first.ssim_all == again.ssim_all);
    assert_true(first.psnr_all == again.psnr_all && first.flip_max == again.flip_max);
    assert_true(first.flip_weighted_median == again.flip_weighted_median);
    assert_memory_equal(flip, mmd_compare_flip(compare), count * sizeof *flip);
    mmd_free(flip);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
    mmd_image_finish(&other);
}

/* --- FLIP --- */

static double flip_of_plain(color a, color b)
{
    mmd_image p = picture_plain(40, 30, a), q = picture_plain(40, 30, b);
    mmd_compare_result r = run(&p, &q);
    assert_near(r.flip_mean_exact, r.flip_max, 1e-5);
    assert_near(r.flip_weighted_median, r.flip_max, 1e-5);
    mmd_image_finish(&p);
    mmd_image_finish(&q);
    return r.flip_max;
}

/* Where only colours differ, FLIP is a formula: HyAB to the power of 0.7, mapped by two linear pieces. */
static void flip_of_plain_pictures_is_the_formula(void **state)
{
    (void)state;
    color green = {0, 255, 0, 255}, blue = {0, 0, 255, 255};
    assert_near(flip_of_plain(green, blue), 1, 1e-5);
    assert_near(flip_of_plain(blue, green), 1, 1e-5);
    double largest = 41.2760,
           difference = pow(100, 0.7); /* of green and blue; of black and white: L* alone */
    double expected = 0.95 + 0.05 * (difference - 0.4 * largest) / (0.6 * largest);
    assert_near(flip_of_plain(black, white), expected, 1e-4);
    double gray = 116 * cbrt(pow((119 / 255.0 + 0.055) / 1.055, 2.4)) - 16; /* L* of level 119, about 50 */
    assert_near(flip_of_plain(black, (color){119, 119, 119, 255}),
                fmin(0.95, 0.95 * pow(gray, 0.7) / (0.4 * largest)), 1e-3);
    double light = 116 * cbrt(pow((121 / 255.0 + 0.055) / 1.055, 2.4)) - 16;
    assert_near(flip_of_plain((color){121, 121, 121, 255}, (color){119, 119, 119, 255}),
                0.95 * pow(light - gray, 0.7) / (0.4 * largest), 1e-3);
}

/* Rows and columns use different code, and equal rows are skipped. */
static void flip_of_transposed_pictures_is_transposed(void **state)
{
    (void)state;
    mmd_image a = picture_discs(300, 90, 30), b = picture_copy(&a);
    for (uint32_t x = 0; x < 300; x += 3) {
        picture_put(&b, x, 4, black);
        picture_put(&b, x, 40, white);
        picture_put(&b, 299 - x, 89, (color){200, 30, 90, 255});
    }
    mmd_image a_transposed = picture_transpose(&a), b_transposed = picture_transpose(&b);
    mmd_compare_result upright = run(&a, &b);
    float *flip = mmd_alloc(300 * 90 * sizeof *flip);
    memcpy(flip, mmd_compare_flip(compare), 300 * 90 * sizeof *flip);
    mmd_compare_result lying = run(&a_transposed, &b_transposed);
    const float *other = mmd_compare_flip(compare);
    for (size_t y = 0; y < 90; y++)
        for (size_t x = 0; x < 300; x++)
            assert_near((double)flip[y * 300 + x], (double)other[x * 90 + y], 2e-4);
    assert_true(flip[20 * 300 + 270] == 0 && flip[40 * 300 + 270] > 0);
    assert_near(upright.flip_mean_exact, lying.flip_mean_exact, 1e-5);
    mmd_free(flip);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
    mmd_image_finish(&a_transposed);
    mmd_image_finish(&b_transposed);
}

static void flip_depends_on_the_distance(void **state)
{
    (void)state;
    mmd_image a = picture_plain(80, 80, white), b = picture_plain(80, 80, white);
    for (uint32_t y = 0; y < 80; y++)
        for (uint32_t x = y % 2; x < 80; x += 2)
            picture_put(&b, x, y, (color){200, 200, 200, 255});
    mmd_compare_options options = mmd_default_compare_options();
    double before = 1; /* with distance the checkers blend into a grey, whose difference remains */
    static const float distances[] = {4, 20, 67, 150, 400};
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        options.pixels_per_degree = distances[i];
        mmd_compare_result r = run_with(&a, &b, &options);
        assert_sane(&r);
        assert_true(r.flip_max > 0.4 && r.flip_max < before);
        before = r.flip_max;
    }
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

static mmd_image shared_picture(const char *name)
{
    char path[4096];
    return picture_read(shared_path(name, path, sizeof path));
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void flip_is_what_the_reference_tool_says(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    mmd_bytes file = shared_read("oracle/flip.json");
    json_t *root = json_loadb((const char *)file.data, file.size, 0, NULL), *pair;
    mmd_bytes_finish(&file);
    assert_non_null(root);
    size_t i, pairs = 0;
    json_array_foreach(json_object_get(root, "pairs"), i, pair)
    {
        mmd_image a = shared_picture(json_string_value(json_object_get(pair, "reference")));
        mmd_image b = shared_picture(json_string_value(json_object_get(pair, "test")));
        mmd_compare_result r = run(&a, &b);
        print_message("FLIP %.7f %.7f %.7f, the tool's %.6f %.6f %.6f; exact mean %.7f\n", r.flip_mean,
                      r.flip_weighted_median, r.flip_max, number(pair, "mean"),
                      number(pair, "weighted_median"), number(pair, "max"), r.flip_mean_exact);
        assert_near(r.flip_mean, number(pair, "mean"), 2e-6);
        assert_near(r.flip_weighted_median, number(pair, "weighted_median"), 2e-6);
        assert_near(r.flip_max, number(pair, "max"), 2e-6);
        assert_near(r.flip_mean_exact, r.flip_mean, 1e-3);
        mmd_image_finish(&a);
        mmd_image_finish(&b);
        pairs++;
    }
    assert_true(pairs > 0);
    json_decref(root);
}

/* --- ffmpeg --- */

/* Writes the image as ffmpeg's rawvideo: RGB or luma. */
static void write_raw(const mmd_image *image, bool gray, const char *path)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        const uint8_t *p = image->pixels + 4 * i;
        uint8_t luma = (uint8_t)((299 * p[0] + 587 * p[1] + 114 * p[2] + 500) / 1000);
        assert_int_equal(fwrite(gray ? &luma : p, gray ? 1 : 3, 1, file), 1);
    }
    assert_int_equal(fclose(file), 0);
}

/*
 * Runs an ffmpeg filter and returns what it logs. Returns false if there is no ffmpeg. Disables CPU
 * extensions, because the x86 SSIM of ffmpeg 5.1 adds windows that do not exist if their number in a row
 * leaves the remainder 1 when divided by 4.
 */
static bool run_filter(const mmd_image *a, const mmd_image *b, bool gray, const char *filter, char *text,
                       size_t capacity)
{
    char folder[MMD_FILE_PATH_MAX], path[3][MMD_FILE_PATH_MAX + 16], command[4 * MMD_FILE_PATH_MAX];
    mmd_bytes log = {0};
    test_folder_make(folder);
    for (int i = 0; i < 3; i++)
        snprintf(path[i], sizeof path[i], "%s/%d", folder, i);
    write_raw(a, gray, path[0]);
    write_raw(b, gray, path[1]);
    char input[128];
    snprintf(input, sizeof input, "-f rawvideo -pix_fmt %s -s %ux%u", gray ? "gray" : "rgb24", a->width,
             a->height);
    const char *format = gray ? "gray" : "gbrp";
    snprintf(command, sizeof command,
             "ffmpeg -cpuflags 0 -hide_banner -nostdin %s -i %s %s -i %s "
             "-lavfi \"[0]format=%s[a];[1]format=%s[b];[a][b]%s\" -f null - >%s 2>&1",
             input, path[0], input, path[1], format, format, filter, path[2]);
    int status = system(command);
    assert_int_equal(mmd_file_read(path[2], &log, NULL), MMD_OK);
    snprintf(text, capacity, "%.*s", (int)log.size, (const char *)log.data);
    mmd_bytes_finish(&log);
    test_folder_remove(folder);
    return status == 0;
}

/* Returns the number after a name in ffmpeg's log. */
static double logged(const char *text, const char *section, const char *name)
{
    const char *begin = strstr(text, section);
    if (!begin || !(begin = strstr(begin, name)))
        fail_msg("no %s %s in %s", section, name, text);
    return strtod(begin + strlen(name), NULL);
}

/* Compares PSNR and SSIM with ffmpeg's filters. Skips the test if ffmpeg is missing. */
static void compare_with_ffmpeg(const mmd_image *a, const mmd_image *b)
{
    static char text[1 << 16];
    static const char *const psnr_names[] = {" r:", " g:", " b:"}, *const ssim_names[] = {
                                                                       " R:", " G:", " B:"};
    mmd_compare_result r = run(a, b);
    if (!run_filter(a, b, false, "psnr", text, sizeof text))
        test_skip("ffmpeg does not run");
    for (int i = 0; i < 3; i++)
        assert_near(r.psnr[i], logged(text, "PSNR", psnr_names[i]), 1e-5);
    assert_near(r.psnr_all, logged(text, "PSNR", "average:"), 1e-5);
    assert_true(run_filter(a, b, false, "ssim", text, sizeof text));
    for (int i = 0; i < 3; i++)
        assert_near(r.ssim[i], logged(text, "SSIM", ssim_names[i]), 1e-5);
    assert_near(r.ssim_all, logged(text, "SSIM", "All:"), 1e-5);
    assert_true(run_filter(a, b, true, "ssim", text, sizeof text));
    assert_near(r.ssim_luma, logged(text, "SSIM", "All:"), 1e-5);
}

static void psnr_and_ssim_are_what_ffmpeg_says(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{8, 8}, {64, 64}, {67, 41}, {250, 13}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        mmd_image a = picture_discs(sizes[i][0], sizes[i][1], i),
                  b = picture_discs(sizes[i][0], sizes[i][1], i + 40);
        mmd_image c = picture_noise(sizes[i][0], sizes[i][1], i);
        compare_with_ffmpeg(&a, &b);
        compare_with_ffmpeg(&b, &c);
        mmd_image_finish(&a);
        mmd_image_finish(&b);
        mmd_image_finish(&c);
    }
}

static void frames_of_mmd_compare_as_in_ffmpeg(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    mmd_image a = shared_picture("data/mmd932/mmd-toon-ramp-lit-box.mmd932.png");
    mmd_image b = shared_picture("data/mmd932/mmd-diffuse-lit-box.mmd932.png");
    compare_with_ffmpeg(&a, &b);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

/* Opaque pictures that are lent are not copied, transparent ones are, and the numbers are the same. */
static void lent_pictures_give_the_same_numbers(void **state)
{
    mmd_compare_options options = mmd_default_compare_options();
    mmd_image pictures[2], seen;
    (void)state;
    options.background[0] = 200;
    for (int transparent = 0; transparent < 2; transparent++) {
        mmd_compare_result results[2];
        for (int k = 0; k < 2; k++) {
            assert_int_equal(mmd_image_init(&pictures[k], 40, 30, NULL), MMD_OK);
            for (size_t i = 0; i < (size_t)40 * 30 * 4; i++)
                pictures[k].pixels[i] = i % 4 == 3 ? (transparent ? 90 : 255) : (uint8_t)(i * (k ? 7 : 5));
            pictures[k].has_alpha = transparent;
        }
        options.lends = false;
        results[0] = run_with(&pictures[0], &pictures[1], &options);
        options.lends = true;
        results[1] = run_with(&pictures[0], &pictures[1], &options);
        assert_memory_equal(&results[0], &results[1], sizeof results[0]);
        pictures[0].pixels[0] ^= 255;
        assert_int_equal(mmd_compare_region_a(compare, &seen, NULL), MMD_OK);
        assert_int_equal(seen.pixels[0] == pictures[0].pixels[0], !transparent);
        mmd_image_finish(&seen);
        mmd_image_finish(&pictures[0]);
        mmd_image_finish(&pictures[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_pictures_differ_in_nothing),
        cmocka_unit_test(an_offset_shows_in_levels_and_psnr),
        cmocka_unit_test(the_99th_percentile_forgives_one_in_a_hundred),
        cmocka_unit_test(the_threshold_itself_is_not_over_it),
        cmocka_unit_test(alpha_lies_over_the_background),
        cmocka_unit_test(alpha_is_compared_where_both_have_it),
        cmocka_unit_test(ignored_pixels_count_nowhere),
        cmocka_unit_test(a_mask_moves_with_the_region),
        cmocka_unit_test(every_kind_of_shift_is_found),
        cmocka_unit_test(a_smaller_picture_is_found_within_a_larger_one),
        cmocka_unit_test(equal_sizes_stay_where_they_are),
        cmocka_unit_test(a_given_shift_is_taken_or_refused),
        cmocka_unit_test(the_region_can_be_looked_at),
        cmocka_unit_test(lent_pictures_give_the_same_numbers),
        cmocka_unit_test(any_size_gives_numbers),
        cmocka_unit_test(any_two_sizes_meet_somewhere),
        cmocka_unit_test(runs_repeat_to_the_bit_and_leave_the_heap_alone),
        cmocka_unit_test(flip_of_plain_pictures_is_the_formula),
        cmocka_unit_test(flip_of_transposed_pictures_is_transposed),
        cmocka_unit_test(flip_depends_on_the_distance),
        cmocka_unit_test(flip_is_what_the_reference_tool_says),
        cmocka_unit_test(psnr_and_ssim_are_what_ffmpeg_says),
        cmocka_unit_test(frames_of_mmd_compare_as_in_ffmpeg),
    };
    return cmocka_run_group_tests(tests, make_compare, free_compare);
}
