/* Images averaged from many samples (supersampling, motion blur, 16 bits), compared with averages computed
 * here. */
#include "figure_scene.h"

enum { WIDE = 96, HIGH = 72 };

static void draw(figure_scene *figure, const mmd_view_options *options, uint32_t times, mmd_image *image)
{
    ASSERT_OK(mmd_view_picture(figure->scene.view, figure->scene.stage, options, times * WIDE, times * HIGH,
                               image, error));
}

static void add(figure_scene *figure, const mmd_view_options *options, uint32_t times, mmd_picture_sum *sum)
{
    ASSERT_OK(mmd_view_picture_add(figure->scene.view, figure->scene.stage, options, times, sum, error));
}

static void begin(mmd_picture_sum *sum, bool deep)
{
    ASSERT_OK(mmd_picture_sum_begin(sum, WIDE, HIGH, deep, error));
}

static mmd_view_options options_of(bool transparent, mmd_pixel_centers centers)
{
    mmd_view_options options = mmd_default_view_options();
    options.self_shadow = options.ground_shadow = true;
    options.pixel_centers = centers;
    if (transparent)
        memset(options.background, 0, sizeof options.background);
    return options;
}

static void assert_equal_images(const mmd_image *a, const mmd_image *b)
{
    assert_true(a->width == b->width && a->height == b->height && a->has_alpha == b->has_alpha);
    assert_memory_equal(a->pixels, b->pixels, (size_t)4 * a->width * a->height);
}

/* The sum's memory still contains an earlier, larger sum. */
static void one_sample_is_the_picture_itself(void **state)
{
    (void)state;
    figure_scene figure;
    mmd_image plain = {0}, average = {0};
    mmd_picture_sum sum = {0};
    open_figure(&figure);
    ASSERT_OK(mmd_picture_sum_begin(&sum, 2 * WIDE, HIGH, true, error));
    for (int transparent = 0; transparent < 2; transparent++) {
        mmd_view_options options = options_of(transparent, MMD_PIXEL_CENTERS_D3D9);
        begin(&sum, false);
        draw(&figure, &options, 1, &plain);
        add(&figure, &options, 1, &sum);
        ASSERT_OK(mmd_picture_sum_image(&sum, !transparent, &average, error));
        assert_equal_images(&plain, &average);
    }
    mmd_picture_sum_finish(&sum);
    mmd_image_finish(&plain);
    mmd_image_finish(&average);
    close_figure(&figure);
}

/* Returns channel k of the average of times x times pixels over an opaque background. */
static unsigned average_of(const mmd_image *large, uint32_t times, uint32_t x, uint32_t y, int k)
{
    unsigned sum = 0, count = times * times;
    for (uint32_t v = 0; v < times; v++)
        for (uint32_t u = 0; u < times; u++)
            sum += large->pixels[4 * ((size_t)(y * times + v) * large->width + x * times + u) + (size_t)k];
    return (sum + count / 2) / count;
}

/* Uses OpenGL's pixel centres, since MMD's shift the samples to keep the image in its position. */
static void supersampling_is_the_average_of_a_larger_picture(void **state)
{
    (void)state;
    figure_scene figure;
    mmd_image large = {0}, average = {0};
    mmd_picture_sum sum = {0};
    mmd_view_options options = options_of(false, MMD_PIXEL_CENTERS_GL);
    open_figure(&figure);
    for (uint32_t times = 2; times <= MMD_SUPERSAMPLE_MAX; times += 3) {
        begin(&sum, false);
        draw(&figure, &options, times, &large);
        add(&figure, &options, times, &sum);
        assert_int_equal(sum.samples, times * times);
        ASSERT_OK(mmd_picture_sum_image(&sum, true, &average, error));
        for (uint32_t y = 0; y < HIGH; y++)
            for (uint32_t x = 0; x < WIDE; x++)
                for (int k = 0; k < 3; k++)
                    assert_int_equal(average.pixels[4 * ((size_t)y * WIDE + x) + (size_t)k],
                                     average_of(&large, times, x, y, k));
    }
    mmd_picture_sum_finish(&sum);
    mmd_image_finish(&large);
    mmd_image_finish(&average);
    close_figure(&figure);
}

/* Computes the centroid of the dark pixels. */
static void find_middle(const mmd_image *image, double middle[2])
{
    double sum = 0;
    middle[0] = middle[1] = 0;
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++) {
            double dark = 255 - image->pixels[4 * ((size_t)y * image->width + x) + 1];
            sum += dark;
            middle[0] += dark * x;
            middle[1] += dark * y;
        }
    }
    assert_true(sum > 0);
    middle[0] /= sum;
    middle[1] /= sum;
}

/*
 * MMD's pixel centres lie half a pixel right of and below OpenGL's, whatever the number of samples per pixel.
 */
static void supersampling_keeps_the_centers(void **state)
{
    (void)state;
    figure_scene figure;
    mmd_image average = {0};
    mmd_picture_sum sum = {0};
    open_figure(&figure);
    for (uint32_t times = 4; times <= 8; times += 4) {
        double middles[2][2];
        for (int centers = 0; centers < 2; centers++) {
            mmd_view_options options =
                options_of(false, centers ? MMD_PIXEL_CENTERS_D3D9 : MMD_PIXEL_CENTERS_GL);
            options.self_shadow = false; /* the shadow map also depends on the pixel centres */
            begin(&sum, false);
            add(&figure, &options, times, &sum);
            ASSERT_OK(mmd_picture_sum_image(&sum, true, &average, error));
            find_middle(&average, middles[centers]);
        }
        for (int k = 0; k < 2; k++) {
            double moved = middles[1][k] - middles[0][k];
            print_message("%u x %u samples: %.3f pixels\n", times, times, moved);
            assert_true(fabs(moved - 0.5) < 0.03);
        }
    }
    mmd_picture_sum_finish(&sum);
    mmd_image_finish(&average);
    close_figure(&figure);
}

static double darkness(const mmd_image *image)
{
    double sum = 0;
    for (size_t i = 0; i < (size_t)4 * image->width * image->height; i++)
        sum += 255 - image->pixels[i];
    return sum;
}

/* A line is one pixel wide, whatever the number of samples per pixel. */
static void lines_keep_their_weight(void **state)
{
    (void)state;
    figure_scene figure;
    mmd_image image = {0};
    mmd_picture_sum sum = {0};
    double dark[3];
    mmd_view_options options = mmd_default_view_options();
    options.grid = true;
    open_figure(&figure);
    mmd_staging staging = *mmd_stage_staging(figure.scene.stage, 0);
    staging.visible = false;
    mmd_stage_set_staging(figure.scene.stage, 0, &staging);
    for (uint32_t i = 0; i < 3; i++) {
        begin(&sum, false);
        add(&figure, &options, 1u << i, &sum);
        ASSERT_OK(mmd_picture_sum_image(&sum, true, &image, error));
        dark[i] = darkness(&image);
        assert_true(fabs(dark[i] / dark[0] - 1) < 0.15);
    }
    print_message("weights %.3f and %.3f\n", dark[1] / dark[0], dark[2] / dark[0]);
    mmd_picture_sum_finish(&sum);
    mmd_image_finish(&image);
    close_figure(&figure);
}

/* A few samples are rounded differently, as in all tiled images (test_tiles). */
static void tiles_of_samples_leave_no_seams(void **state)
{
    (void)state;
    figure_scene figure;
    mmd_image whole = {0}, tiled = {0};
    mmd_picture_sum sum = {0};
    open_figure(&figure);
    for (int transparent = 0; transparent < 2; transparent++) {
        size_t other = 0;
        mmd_view_options options = options_of(transparent, MMD_PIXEL_CENTERS_D3D9);
        begin(&sum, false);
        add(&figure, &options, 5, &sum);
        ASSERT_OK(mmd_picture_sum_image(&sum, !transparent, &whole, error));
        options.tile = 67; /* not a multiple of the samples, so that some pixels have samples in two tiles */
        begin(&sum, false);
        add(&figure, &options, 5, &sum);
        ASSERT_OK(mmd_picture_sum_image(&sum, !transparent, &tiled, error));
        for (size_t i = 0; i < (size_t)4 * WIDE * HIGH; i++)
            other += abs(whole.pixels[i] - tiled.pixels[i]) > 2;
        print_message("%zu numbers differ\n", other);
        assert_true(other < 4 * WIDE * HIGH / 1000);
    }
    mmd_picture_sum_finish(&sum);
    mmd_image_finish(&whole);
    mmd_image_finish(&tiled);
    close_figure(&figure);
}

static void moments_are_averaged_and_rounded_once(void **state)
{
    (void)state;
    figure_scene figure;
    mmd_image images[2] = {{0}, {0}}, average = {0};
    mmd_picture_sum sum = {0};
    mmd_view_options options = options_of(false, MMD_PIXEL_CENTERS_D3D9);
    open_figure(&figure);
    begin(&sum, false);
    for (int i = 0; i < 2; i++) {
        mmd_stage_set_frame(figure.scene.stage, 60 + 9 * i);
        draw(&figure, &options, 1, &images[i]);
        add(&figure, &options, 1, &sum);
    }
    ASSERT_OK(mmd_picture_sum_image(&sum, true, &average, error));
    size_t moved = 0;
    for (size_t i = 0; i < (size_t)4 * WIDE * HIGH; i++) {
        moved += images[0].pixels[i] != images[1].pixels[i];
        assert_int_equal(average.pixels[i], (images[0].pixels[i] + images[1].pixels[i] + 1) / 2);
    }
    assert_true(moved > 500);
    mmd_picture_sum_finish(&sum);
    mmd_image_finish(&images[0]);
    mmd_image_finish(&images[1]);
    mmd_image_finish(&average);
    close_figure(&figure);
}

/* 16 bits have finer values. Rounded to 8 bits, they equal the 8-bit image where nothing was blended. After
 * much blending a few values differ by one, because the 8-bit image was rounded more often. */
static void sixteen_bits_round_to_the_eight(void **state)
{
    (void)state;
    figure_scene figure;
    mmd_image plain = {0};
    mmd_image16 deep = {0};
    mmd_picture_sum sum = {0};
    open_figure(&figure);
    for (int transparent = 0; transparent < 2; transparent++) {
        size_t finer = 0, other = 0, numbers = (size_t)4 * WIDE * HIGH;
        mmd_view_options options = options_of(transparent, MMD_PIXEL_CENTERS_D3D9);
        draw(&figure, &options, 1, &plain);
        begin(&sum, true);
        add(&figure, &options, 1, &sum);
        ASSERT_OK(mmd_picture_sum_image16(&sum, !transparent, &deep, error));
        for (size_t i = 0; i < numbers; i++) {
            finer += deep.pixels[i] % 257 != 0;
            int step = abs((deep.pixels[i] * 255 + 32767) / 65535 - plain.pixels[i]);
            /* 8-bit colours with a small alpha are imprecise */
            bool thin = transparent && plain.pixels[i | 3] < 64;
            assert_true(step <= 1 || thin);
            other += step > 0;
        }
        print_message("%zu of %zu numbers are finer than 8 bits, %zu round otherwise\n", finer, numbers,
                      other);
        assert_true(finer > numbers / 50 && other < numbers / 100);
    }
    mmd_picture_sum_finish(&sum);
    mmd_image_finish(&plain);
    mmd_image16_finish(&deep);
    close_figure(&figure);
}

/* Both blending and averaging use gamma space, as in MMD, so transparent images can be composited over any
 * background. */
static void transparent_averages_composite_to_the_opaque(void **state)
{
    (void)state;
    figure_scene figure;
    mmd_image opaque = {0};
    mmd_image16 clear = {0};
    mmd_picture_sum sum = {0};
    open_figure(&figure);
    mmd_view_options over = options_of(true, MMD_PIXEL_CENTERS_D3D9);
    begin(&sum, true);
    add(&figure, &over, 4, &sum);
    ASSERT_OK(mmd_picture_sum_image16(&sum, false, &clear, error));
    over.background[0] = over.background[1] = over.background[2] = 0.4f;
    over.background[3] = 1.0f;
    begin(&sum, true);
    add(&figure, &over, 4, &sum);
    ASSERT_OK(mmd_picture_sum_image(&sum, true, &opaque, error));
    for (size_t i = 0; i < (size_t)WIDE * HIGH; i++) {
        double alpha = clear.pixels[4 * i + 3] / 65535.0;
        for (size_t k = 0; k < 3; k++) {
            double laid = 255 * (alpha * clear.pixels[4 * i + k] / 65535.0 + (1 - alpha) * 0.4);
            assert_true(fabs(laid - opaque.pixels[4 * i + k]) < 1.01);
        }
    }
    mmd_picture_sum_finish(&sum);
    mmd_image_finish(&opaque);
    mmd_image16_finish(&clear);
    close_figure(&figure);
}

/* The last alpha value of a 16-bit image is stored in the file with its high byte first. */
static void png_has_sixteen_bits(void **state)
{
    (void)state;
    mmd_image16 image = {0};
    mmd_image read = {0};
    mmd_buffer out = {0};
    const mmd_image_text text = {"key", "value"};
    mmd_png_options options = {.alpha = true, .texts = &text, .text_count = 1};
    ASSERT_OK(mmd_image16_init(&image, 3, 2, error));
    for (int i = 0; i < 24; i++)
        image.pixels[i] = (uint16_t)(i * 2731 + 1);
    for (int alpha = 1; alpha >= 0; alpha--) {
        options.alpha = alpha;
        out.size = 0;
        ASSERT_OK(mmd_png_write16(&image, &options, &out, error));
        assert_int_equal(out.data[24], 16);
        assert_int_equal(out.data[25], alpha ? 6 : 2);
        ASSERT_OK(mmd_image_decode(out.data, out.size, "x.png", &read, error));
        for (size_t i = 0; i < 24; i++)
            if (i % 4 != 3 || alpha)
                assert_int_equal(read.pixels[i], image.pixels[i] >> 8);
        mmd_image_finish(&read);
    }
    mmd_image16 none = {0};
    assert_int_equal(mmd_png_write16(&none, &options, &out, NULL), MMD_ERROR_VALUE);
    assert_int_equal(mmd_image16_init(&none, 16385, 1, NULL), MMD_ERROR_LIMIT);
    mmd_image16_finish(&image);
    mmd_buffer_finish(&out);
}

static void sums_of_impossible_sizes_are_refused(void **state)
{
    (void)state;
    mmd_picture_sum sum = {0};
    assert_int_equal(mmd_picture_sum_begin(&sum, 0, 5, false, NULL), MMD_ERROR_LIMIT);
    assert_int_equal(mmd_picture_sum_begin(&sum, 5, 16385, false, NULL), MMD_ERROR_LIMIT);
    mmd_picture_sum_finish(&sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_sample_is_the_picture_itself),
        cmocka_unit_test(supersampling_is_the_average_of_a_larger_picture),
        cmocka_unit_test(supersampling_keeps_the_centers),
        cmocka_unit_test(lines_keep_their_weight),
        cmocka_unit_test(tiles_of_samples_leave_no_seams),
        cmocka_unit_test(moments_are_averaged_and_rounded_once),
        cmocka_unit_test(sixteen_bits_round_to_the_eight),
        cmocka_unit_test(transparent_averages_composite_to_the_opaque),
        cmocka_unit_test(png_has_sixteen_bits),
        cmocka_unit_test(sums_of_impossible_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
