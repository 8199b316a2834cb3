/* Differences by part of the model, masks, and heat maps. */
#include "pictures.h"
#include "support.h"

#include "mmd/compare.h"

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

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9f, not %.9f", value, expected);
}

static mmd_compare_result run(const mmd_image *a, const mmd_image *b, const uint8_t *mask)
{
    mmd_compare_options options = mmd_default_compare_options();
    mmd_compare_result result;
    options.mask = mask;
    assert_int_equal(mmd_compare_run(compare, a, b, &options, &result, NULL), MMD_OK);
    return result;
}

/* --- Labels --- */

enum { LABELS_WIDTH = 20, LABELS_HEIGHT = 10 };

/* The left half is model 0, material 3, the right half model 1, material 7. The bone is the row. */
static mmd_label_plane make_labels(uint32_t (*ids)[3])
{
    for (uint32_t y = 0; y < LABELS_HEIGHT; y++)
        for (uint32_t x = 0; x < LABELS_WIDTH; x++) {
            uint32_t *id = ids[y * LABELS_WIDTH + x];
            id[0] = x >= LABELS_WIDTH / 2;
            id[1] = id[0] ? 7 : 3;
            id[2] = y;
        }
    return (mmd_label_plane){LABELS_WIDTH, LABELS_HEIGHT, (const uint32_t(*)[3])ids};
}

static void differences_are_ranked_by_label(void **state)
{
    (void)state;
    static uint32_t ids[LABELS_WIDTH * LABELS_HEIGHT][3];
    mmd_label_plane labels = make_labels(ids);
    mmd_image a = picture_plain(LABELS_WIDTH, LABELS_HEIGHT, black), b = picture_copy(&a);
    picture_put(&b, 15, 4, (color){90, 0, 0, 255});
    picture_put(&b, 16, 4, (color){0, 2, 0, 255});
    picture_put(&b, 2, 4, (color){0, 0, 8, 255});
    run(&a, &b, NULL);
    mmd_label_share rows[32];
    size_t count = 0;
    assert_int_equal(mmd_compare_by_label(compare, &labels, MMD_LABEL_MATERIAL, rows, 32, &count, NULL),
                     MMD_OK);
    assert_int_equal(count, 2);
    assert_int_equal(rows[0].ids[1], 7);
    assert_int_equal(rows[0].ids[0], 0); /* not requested */
    assert_int_equal(rows[0].sum, 92);
    assert_int_equal(rows[0].pixels, 100);
    assert_int_equal(rows[0].over, 1);
    assert_int_equal(rows[0].largest, 90);
    assert_near(rows[0].share, 0.92, 1e-12);
    assert_int_equal(rows[1].ids[1], 3);
    assert_near(rows[1].share, 0.08, 1e-12);
    assert_int_equal(
        mmd_compare_by_label(compare, &labels, MMD_LABEL_MODEL | MMD_LABEL_BONE, rows, 1, &count, NULL),
        MMD_OK);
    assert_int_equal(count, 20);
    assert_int_equal(rows[0].ids[0], 1);
    assert_int_equal(rows[0].ids[2], 4);
    assert_int_equal(mmd_compare_by_label(compare, &labels, MMD_LABEL_BONE, NULL, 0, &count, NULL), MMD_OK);
    assert_int_equal(count, 10);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

static void labels_follow_region_and_mask(void **state)
{
    (void)state;
    static uint32_t ids[LABELS_WIDTH * LABELS_HEIGHT][3];
    static uint8_t mask[LABELS_WIDTH * LABELS_HEIGHT];
    mmd_label_plane labels = make_labels(ids);
    memset(mask, 1, sizeof mask);
    mask[3 * LABELS_WIDTH + 12] = 0;
    mmd_image a = picture_noise(LABELS_WIDTH, LABELS_HEIGHT, 3), b = picture_cut(&a, 9, 2, 8, 6);
    mmd_compare_result r = run(&a, &b, mask);
    assert_int_equal(r.shift_x, 9);
    mmd_label_share rows[2];
    size_t count = 0;
    assert_int_equal(mmd_compare_by_label(compare, &labels, MMD_LABEL_MODEL, rows, 2, &count, NULL), MMD_OK);
    assert_int_equal(count, 2); /* no difference: the larger one first */
    assert_int_equal(rows[0].ids[0], 1);
    assert_int_equal(rows[0].pixels, 7 * 6 - 1);
    assert_int_equal(rows[1].pixels, 6);
    assert_true(rows[0].share == 0);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

static void thousands_of_labels_are_kept_apart(void **state)
{
    (void)state;
    enum { SIZE = 100 };
    static uint32_t ids[SIZE * SIZE][3];
    static mmd_label_share rows[SIZE * SIZE];
    mmd_image a = picture_noise(SIZE, SIZE, 50), b = picture_noise(SIZE, SIZE, 51);
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        memcpy(ids[i], (uint32_t[]){i % 7, i / 2, UINT32_MAX - i % 3}, sizeof ids[i]);
    mmd_compare_result r = run(&a, &b, NULL);
    mmd_label_plane labels = {SIZE, SIZE, (const uint32_t(*)[3])ids};
    size_t count = 0;
    assert_int_equal(mmd_compare_by_label(compare, &labels, 7, rows, SIZE * SIZE, &count, NULL), MMD_OK);
    assert_int_equal(count, SIZE * SIZE);
    double share = 0;
    for (size_t i = 0; i < count; i++) {
        share += rows[i].share;
        assert_true(i == 0 || rows[i].sum <= rows[i - 1].sum);
    }
    assert_near(share, 1, 1e-9);
    assert_near((double)rows[0].sum, r.levels[MMD_COMPARE_PIXELS].largest, 0);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

/* --- Masks --- */

static mmd_mask all_of(uint8_t *pixels, uint32_t width, uint32_t height)
{
    memset(pixels, 255, (size_t)width * height);
    return (mmd_mask){width, height, pixels};
}

/* Compares the mask's rows: '#' is a pixel that is compared. */
static void assert_mask(const mmd_mask *mask, const char *expected)
{
    for (size_t i = 0; i < (size_t)mask->width * mask->height; i++)
        if ((mask->pixels[i] != 0) != (expected[i] == '#'))
            fail_msg("pixel %zu,%zu", i % mask->width, i / mask->width);
}

static void rectangles_are_kept_or_removed(void **state)
{
    (void)state;
    uint8_t pixels[4 * 3];
    mmd_mask mask = all_of(pixels, 4, 3);
    mmd_mask_rectangle(&mask, 1, 0, 2, 2, MMD_MASK_REMOVE);
    assert_mask(&mask, "#..#"
                       "#..#"
                       "####");
    mmd_mask_rectangle(&mask, -5, 1, UINT32_MAX, 1, MMD_MASK_KEEP);
    assert_mask(&mask, "...."
                       "#..#"
                       "....");
}

static void dark_pixels_of_a_picture_are_named(void **state)
{
    (void)state;
    uint8_t pixels[4];
    mmd_mask mask = all_of(pixels, 4, 1);
    mmd_image image = picture_plain(4, 1, white);
    picture_put(&image, 0, 0, black);
    picture_put(&image, 1, 0, (color){255, 255, 255, 10});
    picture_put(&image, 2, 0, (color){0, 128, 0, 255});
    mmd_mask_picture(&mask, &image, MMD_MASK_REMOVE);
    assert_mask(&mask, "..##");
    mmd_image_finish(&image);
}

static void what_is_white_in_both_is_named(void **state)
{
    (void)state;
    uint8_t pixels[4];
    mmd_mask mask = all_of(pixels, 4, 1);
    mmd_image a = picture_plain(4, 1, white), b = picture_plain(4, 1, white);
    picture_put(&a, 1, 0, black);
    picture_put(&b, 2, 0, (color){255, 255, 254, 255});
    picture_put(&b, 3, 0, (color){255, 255, 255, 7});
    mmd_mask_color(&mask, &a, &b, (uint8_t[]){255, 255, 255}, MMD_MASK_REMOVE);
    assert_mask(&mask, ".##.");
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

static void labels_make_masks(void **state)
{
    (void)state;
    static uint32_t ids[LABELS_WIDTH * LABELS_HEIGHT][3];
    static uint8_t pixels[LABELS_WIDTH * LABELS_HEIGHT];
    mmd_label_plane labels = make_labels(ids);
    mmd_mask mask = all_of(pixels, LABELS_WIDTH, LABELS_HEIGHT);
    mmd_mask_labels(&mask, &labels, MMD_LABEL_BONE, (uint32_t[]){0, 2, 5, 9}, 4, MMD_MASK_REMOVE);
    mmd_mask_labels(&mask, &labels, MMD_LABEL_MATERIAL, (uint32_t[]){7}, 1, MMD_MASK_KEEP);
    for (uint32_t y = 0; y < LABELS_HEIGHT; y++)
        for (uint32_t x = 0; x < LABELS_WIDTH; x++) {
            bool counts = x >= 10 && y != 0 && y != 2 && y != 5 && y != 9;
            assert_int_equal(pixels[y * LABELS_WIDTH + x] != 0, counts);
        }
    mmd_mask_labels(&mask, &labels, MMD_LABEL_MODEL, NULL, 0, MMD_MASK_REMOVE);
    assert_int_equal(pixels[LABELS_WIDTH + 15], 255);
}

static void pixels_near_geometric_edges_are_named(void **state)
{
    (void)state;
    static uint32_t ids[LABELS_WIDTH * LABELS_HEIGHT][3];
    static uint8_t pixels[LABELS_WIDTH * LABELS_HEIGHT];
    mmd_label_plane labels = make_labels(ids);
    static const uint32_t distances[] = {0, 1, 2, 5, 100, UINT32_MAX};
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        mmd_mask mask = all_of(pixels, LABELS_WIDTH, LABELS_HEIGHT);
        assert_int_equal(mmd_mask_edges(&mask, &labels, MMD_LABEL_MODEL | MMD_LABEL_MATERIAL, distances[i],
                                        MMD_MASK_REMOVE, NULL),
                         MMD_OK);
        for (uint32_t x = 0; x < LABELS_WIDTH; x++) {
            uint32_t steps = x < 10 ? 9 - x : x - 10; /* to the nearer of the two columns at the edge */
            assert_int_equal(pixels[4 * LABELS_WIDTH + x] == 0, steps < distances[i]);
        }
    }
}

static void pixels_near_steps_are_named_in_a_square(void **state)
{
    (void)state;
    uint8_t pixels[7 * 5];
    mmd_mask mask = all_of(pixels, 7, 5);
    mmd_image image = picture_plain(7, 5, black);
    picture_put(&image, 3, 2, (color){13, 0, 0, 255});
    picture_put(&image, 0, 0, (color){0, 12, 0, 255}); /* a step of 12 levels is not over 12 */
    assert_int_equal(mmd_mask_steps(&mask, &image, 12, 1, MMD_MASK_REMOVE, NULL), MMD_OK);
    assert_mask(&mask, "#######"
                       "###.###"
                       "##...##"
                       "###.###"
                       "#######");
    assert_int_equal(mmd_mask_steps(&mask, &image, 12, 2, MMD_MASK_REMOVE, NULL), MMD_OK);
    assert_mask(&mask, "##...##"
                       "#.....#"
                       "#.....#"
                       "#.....#"
                       "##...##");
    mask = all_of(pixels, 7, 5);
    assert_int_equal(mmd_mask_steps(&mask, &image, 12, 1, MMD_MASK_KEEP, NULL), MMD_OK);
    assert_mask(&mask, "......."
                       "...#..."
                       "..###.."
                       "...#..."
                       ".......");
    mmd_image_finish(&image);
}

/* --- Heat maps --- */

/* Computes the colour of a value: that of level 1 at this scale. */
static void heat_color(float value, uint8_t rgb[3])
{
    mmd_image picture;
    const uint8_t plane[1] = {1};
    assert_int_equal(mmd_heat_from_levels(plane, 1, 1, value, &picture, NULL), MMD_OK);
    memcpy(rgb, picture.pixels, 3);
    mmd_image_finish(&picture);
}

static void heat_runs_from_black_to_pale_yellow(void **state)
{
    (void)state;
    uint8_t rgb[3];
    double before = -1;
    for (int i = 0; i <= 1000; i++) {
        heat_color((float)i / 1000, rgb);
        double luma = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
        assert_true(luma >= before - 0.8); /* tolerance for rounding to levels */
        before = luma > before ? luma : before;
    }
    assert_memory_equal(rgb, ((uint8_t[]){252, 253, 191}), 3);
    heat_color(2, rgb);
    assert_memory_equal(rgb, ((uint8_t[]){252, 253, 191}), 3);
    static const float lowest[] = {0, -1, -INFINITY, NAN};
    for (int i = 0; i < 4; i++) {
        heat_color(lowest[i], rgb);
        assert_memory_equal(rgb, ((uint8_t[]){0, 0, 4}), 3);
    }
    heat_color(128 / 255.0f, rgb); /* matplotlib has 183, 55, 121 there */
    assert_true(abs(rgb[0] - 183) <= 2 && abs(rgb[1] - 55) <= 2 && abs(rgb[2] - 121) <= 2);
}

static void heat_maps_are_pictures_of_planes(void **state)
{
    (void)state;
    mmd_image levels;
    const uint8_t plane[6] = {0, 1, 2, 4, 8, 255};
    assert_int_equal(mmd_heat_from_levels(plane, 3, 2, 1 / 8.0f, &levels, NULL), MMD_OK);
    for (uint32_t i = 0; i < 6; i++) {
        uint8_t rgb[3];
        heat_color(plane[i] / 8.0f, rgb);
        assert_memory_equal(picture_at(&levels, i % 3, i / 3), rgb, 3);
    }
    assert_int_equal(levels.width, 3);
    assert_int_equal(levels.height, 2);
    assert_false(levels.has_alpha);
    assert_int_equal(picture_at(&levels, 0, 0)[3], 255);
    assert_memory_equal(picture_at(&levels, 1, 1), picture_at(&levels, 2, 1), 4);
    mmd_image_finish(&levels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_ranked_by_label),
        cmocka_unit_test(labels_follow_region_and_mask),
        cmocka_unit_test(thousands_of_labels_are_kept_apart),
        cmocka_unit_test(rectangles_are_kept_or_removed),
        cmocka_unit_test(dark_pixels_of_a_picture_are_named),
        cmocka_unit_test(what_is_white_in_both_is_named),
        cmocka_unit_test(labels_make_masks),
        cmocka_unit_test(pixels_near_geometric_edges_are_named),
        cmocka_unit_test(pixels_near_steps_are_named_in_a_square),
        cmocka_unit_test(heat_runs_from_black_to_pale_yellow),
        cmocka_unit_test(heat_maps_are_pictures_of_planes),
    };
    return cmocka_run_group_tests(tests, make_compare, free_compare);
}
