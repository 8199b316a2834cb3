/* Tests `odori diff`: exit codes, every option, folders, videos, ids, JSON and the report. */
#include "cli.h"

#include <sys/stat.h>

#include "mmd/difference.h"
#include "mmd/image.h"
#include "pictures.h"

/* --- Pictures in the test's folder --- */

static void path_of(const char *name, char path[1024])
{
    snprintf(path, 1024, "%s/%s", cli_folder(), name);
}

static void put_bytes(const char *name, const void *data, size_t size)
{
    char path[1024];
    path_of(name, path);
    assert_int_equal(mmd_file_write(path, data, size, NULL), MMD_OK);
}

static void put_png(const char *name, const mmd_image *image, bool alpha)
{
    mmd_buffer png = {0};
    assert_int_equal(mmd_png_write(image, &(mmd_png_options){.alpha = alpha}, &png, NULL), MMD_OK);
    put_bytes(name, png.data, png.size);
    mmd_buffer_finish(&png);
}

static void make_folder(const char *name)
{
    char path[1024];
    path_of(name, path);
    mkdir(path, 0777);
}

/* Writes a grey picture with some pixels of another colour. */
static void put_dots(const char *name, uint32_t width, uint32_t height, const uint32_t (*dots)[2],
                     size_t count, color c)
{
    mmd_image image = picture_plain(width, height, (color){100, 100, 100, 255});
    for (size_t i = 0; i < count; i++)
        picture_put(&image, dots[i][0], dots[i][1], c);
    put_png(name, &image, false);
    mmd_image_finish(&image);
}

static void put_discs(const char *name, uint32_t width, uint32_t height, uint64_t seed)
{
    mmd_image image = picture_discs(width, height, seed);
    put_png(name, &image, false);
    mmd_image_finish(&image);
}

static json_t *diff_json(int code, const char *arguments)
{
    json_error_t error;
    cli_result result = cli_run("diff %s --json", arguments);
    if (result.code != code)
        fail_msg("diff %s: %d, not %d: %s", arguments, result.code, code, result.err);
    json_t *root = json_loads(result.out, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("diff %s: %s at line %d of %s", arguments, error.text, error.line, result.out);
    cli_finish(&result);
    return root;
}

static const json_t *first_frame(const json_t *root)
{
    return json_array_get(json_object_get(root, "frames"), 0);
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        fail_msg("no number %s", key);
    return json_number_value(value);
}

static const char *text(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value))
        fail_msg("no text %s", key);
    return json_string_value(value);
}

/* Writes A and B, of whose 200 pixels two differ by 50 and 1 levels. */
static void put_pair(void)
{
    static const uint32_t dots[1][2] = {{3, 4}}, other[1][2] = {{15, 2}};
    mmd_image image = picture_plain(20, 10, (color){100, 100, 100, 255});
    put_png("a.png", &image, false);
    picture_put(&image, dots[0][0], dots[0][1], (color){150, 100, 100, 255});
    picture_put(&image, other[0][0], other[0][1], (color){100, 101, 100, 255});
    put_png("b.png", &image, false);
    mmd_image_finish(&image);
}

/* --- Pictures --- */

static void equal_pictures_exit_0_and_say_so(void **state)
{
    (void)state;
    put_pair();
    cli_result result = cli_run("diff a.png a.png");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.out, "equal\n");
    assert_string_equal(result.err, "");
    cli_finish(&result);
}

static void any_pixel_that_differs_exits_1(void **state)
{
    (void)state;
    static const uint32_t dots[][2] = {{19, 9}};
    put_pair();
    put_dots("c.png", 20, 10, dots, 1, (color){100, 100, 101, 255});
    cli_expect(1, "different: within 1x1 pixels from 19,9", "diff a.png c.png");
    cli_expect(1, "different: within 13x3 pixels from 3,2", "diff a.png b.png");
    cli_expect(1, "0.5 % of the pixels differ by over 2 levels, the largest by 50 levels",
               "diff a.png b.png");
}

static void json_has_what_was_measured(void **state)
{
    (void)state;
    put_pair();
    json_t *root = diff_json(1, "a.png b.png");
    assert_string_equal(text(root, "verdict"), "different");
    assert_int_equal(number(root, "exit"), 1);
    assert_int_equal(strncmp(text(root, "text"), "different: ", 11), 0);
    assert_string_equal(text(root, "a"), "a.png");
    const json_t *frame = first_frame(root);
    assert_int_equal(number(frame, "max"), 50);
    assert_true(fabs(number(frame, "mean") - 51.0 / 600) < 1e-9);
    assert_int_equal(number(frame, "p99"), 0);
    assert_true(fabs(number(frame, "share") - 0.005) < 1e-9);
    assert_int_equal(number(frame, "over"), 1);
    assert_int_equal(number(frame, "pixels"), 200);
    /* The mean square error is 2501 / 600. */
    assert_true(fabs(number(frame, "psnr") - 10 * log10(255 * 255 / (2501.0 / 600))) < 1e-3);
    assert_in_range((int)(1000 * number(frame, "ssim")), 500, 999);
    assert_true(number(frame, "flip") > 0 && number(frame, "flip") < 0.2);
    assert_false(json_is_true(json_object_get(frame, "equal")));
    json_decref(root);
    root = diff_json(0, "a.png a.png");
    assert_string_equal(text(root, "text"), "equal");
    assert_true(json_is_null(json_object_get(first_frame(root), "psnr"))); /* infinite */
    json_decref(root);
}

static void json_may_go_to_a_file(void **state)
{
    (void)state;
    char path[1024];
    put_pair();
    cli_expect(1, "different", "diff a.png b.png --json=out.json");
    path_of("out.json", path);
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    json_decref(root);
}

static void metrics_can_be_chosen(void **state)
{
    (void)state;
    put_pair();
    json_t *root = diff_json(1, "a.png b.png --metric psnr,max");
    const json_t *frame = first_frame(root);
    assert_non_null(json_object_get(frame, "psnr"));
    assert_non_null(json_object_get(frame, "max"));
    assert_null(json_object_get(frame, "mean"));
    assert_null(json_object_get(frame, "ssim"));
    assert_null(json_object_get(frame, "flip"));
    json_decref(root);
}

/* A limit at the measured value passes, a slightly tighter one fails. */
static void limits_decide_the_exit_code(void **state)
{
    (void)state;
    static const struct {
        const char *metric, *option;
        double tighter;
    } limits[] = {{"max", "--max-max", -1},      {"mean", "--max-mean", -1e-6},
                  {"psnr", "--min-psnr", 1e-6},  {"ssim", "--min-ssim", 1e-6},
                  {"flip", "--max-flip", -1e-6}, {"share", "--max-share", -1e-6}};
    put_pair();
    json_t *root = diff_json(1, "a.png b.png");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        double value = number(first_frame(root), limits[i].metric);
        double slack = limits[i].tighter < 0 ? 1e-8 : -1e-6;
        cli_expect(0, "within the limits", "diff a.png b.png %s %.9g", limits[i].option, value + slack);
        cli_expect(1, "exceeded", "diff a.png b.png %s %.9g", limits[i].option, value + limits[i].tighter);
        cli_expect(1, "exceeded", "diff a.png b.png --metric p99 %s %.9g", limits[i].option,
                   value + limits[i].tighter); /* judged even where it is not told of */
    }
    json_decref(root);
    cli_expect(0, "within)", "diff a.png b.png --max-p99 0");
    cli_expect(0, "within)", "diff a.png b.png --max-share 0.5%%");
    cli_expect(1, "exceeded", "diff a.png b.png --max-share 0.4%%");
    cli_expect(0, NULL, "diff a.png b.png --max-share 0 --threshold 50");
    cli_expect(1, NULL, "diff a.png b.png --max-share 0 --threshold 49");
    cli_expect(1, NULL, "diff a.png b.png --max-mean 10 --max-max 49"); /* every limit must hold */
    cli_expect(0, "equal", "diff a.png a.png --max-max 0 --min-psnr 100 --min-ssim 1");
}

static void other_sizes_are_different_and_laid_upon_each_other(void **state)
{
    (void)state;
    mmd_image whole = picture_discs(64, 48, 3), part = picture_cut(&whole, 7, 5, 50, 40);
    put_png("whole.png", &whole, false);
    put_png("part.png", &part, false);
    mmd_image_finish(&whole);
    mmd_image_finish(&part);
    cli_expect(1, "A is 64x48, B is 50x40; equal where they overlap", "diff whole.png part.png");
    json_t *root = diff_json(1, "whole.png part.png");
    const json_t *shift = json_object_get(first_frame(root), "shift");
    assert_int_equal(json_integer_value(json_array_get(shift, 0)), 7);
    assert_int_equal(json_integer_value(json_array_get(shift, 1)), 5);
    assert_int_equal(number(first_frame(root), "max"), 0);
    json_decref(root);
    cli_expect(0, "shifted by 7, 5", "diff whole.png part.png --max-max 0");
    cli_expect(1, NULL, "diff whole.png part.png --max-max 0 --align none");
    cli_expect(0, NULL, "diff whole.png part.png --max-max 0 --shift 7,5");
    cli_expect(1, NULL, "diff whole.png part.png --max-max 0 --shift 6,5");
    cli_expect(2, "--shift", "diff whole.png part.png --shift 64,0");
}

static void a_shift_is_found_when_asked_for(void **state)
{
    (void)state;
    mmd_image large = picture_discs(100, 80, 9);
    mmd_image a = picture_cut(&large, 10, 10, 80, 60), b = picture_cut(&large, 13, 8, 80, 60);
    put_png("here.png", &a, false);
    put_png("there.png", &b, false);
    cli_expect(1, "moved by about -3, 2 pixels", "diff here.png there.png");
    cli_expect(0, "equal", "diff here.png there.png --align search");
    cli_expect(1, NULL, "diff here.png there.png --align search --max-shift 2");
    cli_expect(0, NULL, "diff here.png there.png --shift 3,-2");
    mmd_image_finish(&large);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

static void transparent_pixels_lie_over_the_background(void **state)
{
    (void)state;
    mmd_image clear = picture_plain(8, 8, (color){200, 10, 10, 0}),
              red = picture_plain(8, 8, (color){0, 0, 0, 0});
    mmd_image half = picture_plain(8, 8, (color){0, 0, 0, 128}), pale = picture_plain(8, 8, white),
              shown = picture_plain(8, 8, (color){255, 255, 255, 0});
    put_png("clear.png", &clear, true);
    put_png("red.png", &red, true);
    put_png("half.png", &half, true);
    put_png("white.png", &pale, false);
    cli_expect(0, "equal", "diff clear.png red.png");
    cli_expect(1, NULL, "diff clear.png half.png"); /* differs in alpha only */
    cli_expect(0, NULL, "diff clear.png half.png --alpha never");
    cli_expect(0, NULL, "diff clear.png white.png --background ffffff");
    cli_expect(1, NULL, "diff clear.png white.png --background ffffff --alpha always");
    cli_expect(1, NULL, "diff clear.png white.png");
    /* MMD's PNG: the background's colour where alpha is 0 */
    put_png("mmd.png", &shown, true);
    cli_expect(1, NULL, "diff white.png mmd.png");
    cli_expect(1, NULL, "diff white.png mmd.png --alpha never");
    cli_expect(0, "equal", "diff white.png mmd.png --alpha ignore");
    cli_expect(1, NULL, "diff white.png clear.png --alpha ignore");
    cli_expect(2, "both, never, always or ignore", "diff white.png mmd.png --alpha none");
    mmd_image_finish(&clear);
    mmd_image_finish(&red);
    mmd_image_finish(&half);
    mmd_image_finish(&pale);
    mmd_image_finish(&shown);
}

/* --- Masks --- */

static void rectangles_mask_and_keep(void **state)
{
    (void)state;
    put_pair(); /* differs at 3,4 and 15,2 */
    cli_expect(1, "masks leave", "diff a.png b.png --mask-rect 3,4,1,1");
    cli_expect(0, "equal", "diff a.png b.png --mask-rect 3,4,1,1 --mask-rect 14,1,4,4");
    cli_expect(0, "equal", "diff a.png b.png --keep-rect 0,0,3,10");
    cli_expect(1, NULL, "diff a.png b.png --keep-rect 0,0,3,10 --keep-rect 15,2,1,1");
    cli_expect(0, NULL, "diff a.png b.png --keep-rect 0,0,16,10 --mask-rect -5,-5,9,20 --mask-rect 15,2,9,1");
    json_t *root = diff_json(1, "a.png b.png --keep-rect 0,0,10,10");
    assert_int_equal(number(first_frame(root), "pixels"), 100);
    json_decref(root);
    cli_expect(2, "cover everything", "diff a.png b.png --mask-rect 0,0,20,10");
}

static void a_picture_masks_where_it_is_dark(void **state)
{
    (void)state;
    put_pair();
    mmd_image mask = picture_plain(20, 10, white);
    picture_put(&mask, 3, 4, black);
    picture_put(&mask, 15, 2, (color){255, 255, 255, 0});
    put_png("mask.png", &mask, true);
    cli_expect(0, "equal", "diff a.png b.png --mask mask.png");
    mmd_image_finish(&mask);
    cli_expect(3, "none.png", "diff a.png b.png --mask none.png");
    put_discs("small.png", 8, 8, 1);
    cli_expect(3, "8x8", "diff a.png b.png --mask small.png");
}

static void edges_can_be_masked(void **state)
{
    (void)state;
    mmd_image a = picture_plain(40, 20, white);
    for (uint32_t y = 0; y < 20; y++)
        for (uint32_t x = 0; x < 20; x++)
            picture_put(&a, x, y, black);
    put_png("edge-a.png", &a, false);
    for (uint32_t y = 0; y < 20; y++)
        picture_put(&a, 20, y, (color){128, 128, 128, 255});
    put_png("edge-b.png", &a, false);
    mmd_image_finish(&a);
    cli_expect(1, "at edges only", "diff edge-a.png edge-b.png");
    cli_expect(0, "equal", "diff edge-a.png edge-b.png --mask-edges 1");
}

/* --- By cause --- */

static const char *const materials[] = {"肌", "髪</script>"};
static const mmd_ids_bone bones[] = {{"頭", false}, {"前髪", true}};
static const mmd_ids_model dancer = {"踊り子", materials, 2, bones, 2};

/* Writes ids: the left half skin and head, the right half hair and front hair, the lowest rows empty. */
static void put_ids(const char *name, uint32_t width, uint32_t height)
{
    mmd_buffer png = {0};
    uint32_t(*ids)[3] = malloc((size_t)width * height * sizeof *ids);
    assert_non_null(ids);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            uint32_t part = y + 2 >= height ? 0 : x < width / 2 ? 1 : 2;
            const uint32_t id[3] = {part ? 1 : 0, part, part};
            memcpy(ids[y * width + x], id, sizeof id);
        }
    }
    const mmd_ids_plane plane = {width, height, (const uint32_t(*)[3])ids, &dancer, 1};
    assert_int_equal(mmd_ids_encode(&plane, &png, NULL), MMD_OK);
    put_bytes(name, png.data, png.size);
    mmd_buffer_finish(&png);
    free(ids);
}

static void put_pair_with_ids(const char *ids)
{
    mmd_image image = picture_plain(64, 40, (color){100, 120, 140, 255});
    make_folder("ids");
    put_png("ids/a.png", &image, false);
    for (uint32_t y = 8; y < 30; y++)
        for (uint32_t x = 40; x < 60; x++)
            picture_put(&image, x, y, (color){80, 96, 112, 255});
    picture_put(&image, 2, 2, (color){104, 120, 140, 255});
    put_png("ids/b.png", &image, false);
    mmd_image_finish(&image);
    put_ids(ids, 64, 40);
}

static void the_first_line_names_the_material(void **state)
{
    (void)state;
    put_pair_with_ids("ids/a.ids.png");
    cli_result result = cli_run("diff ids/a.png ids/b.png");
    assert_int_equal(result.code, 1);
    char *end = strchr(result.out, '\n');
    assert_non_null(end);
    assert_non_null(strstr(end, "by material"));
    assert_non_null(strstr(end, "踊り子/髪"));
    *end = '\0';
    assert_non_null(strstr(result.out, "100.0 % of the difference is in material 髪</script> of 踊り子"));
    assert_non_null(strstr(result.out, "bone 前髪"));
    assert_non_null(strstr(result.out, "toon difference"));
    assert_non_null(strstr(result.out, "times 0.80, 0.80, 0.80"));
    cli_finish(&result);

    json_t *root = diff_json(1, "ids/a.png ids/b.png");
    const json_t *rows = json_object_get(root, "materials"), *row = json_array_get(rows, 0);
    assert_string_equal(text(row, "material"), materials[1]);
    assert_string_equal(text(row, "model"), "踊り子");
    assert_int_equal(number(row, "over"), 440);
    assert_int_equal(number(row, "sum"), 440 * 28);
    assert_string_equal(text(json_array_get(rows, 1), "material"), "肌");
    assert_true(fabs(number(row, "share") + number(json_array_get(rows, 1), "share") - 1) < 1e-6);
    assert_string_equal(text(json_array_get(json_object_get(root, "bones"), 0), "bone"), "前髪");
    assert_string_equal(text(json_object_get(root, "kind"), "name"), "toon");
    json_decref(root);
}

/* The library says the same as the program. */
static void verdicts_of_the_library_are_those_of_diff(void **state)
{
    (void)state;
    put_pair_with_ids("ids/a.ids.png");
    mmd_verdict_options options = mmd_default_verdict_options();
    mmd_verdict verdict = {0};
    mmd_ids ids;
    mmd_image a = cli_picture("ids/a.png"), b = cli_picture("ids/b.png");
    mmd_compare *compare = mmd_compare_create();
    char path[1024];
    snprintf(path, sizeof path, "%s/ids/a.ids.png", cli_folder());
    assert_int_equal(mmd_ids_read(path, a.width, a.height, &ids, NULL), MMD_OK);
    for (int i = 0; i < 3; i++) {
        static const char *const arguments[] = {"", "--ids none", "--max-mean 9"};
        options.ids = i == 1 ? NULL : &ids;
        if (i == 2)
            options.limits.value[MMD_METRIC_MEAN] = 9;
        assert_int_equal(mmd_compare_judge(compare, &a, &b, &options, &verdict, NULL), MMD_OK);
        cli_result result = cli_run("diff ids/a.png ids/b.png %s", arguments[i]);
        result.out[strcspn(result.out, "\n")] = '\0';
        assert_string_equal(verdict.why, result.out);
        assert_int_equal(verdict.passed, result.code == 0);
        cli_finish(&result);
    }
    mmd_verdict_finish(&verdict);
    mmd_compare_destroy(compare);
    mmd_ids_finish(&ids);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
}

static void bones_and_physics_can_be_masked(void **state)
{
    (void)state;
    put_pair_with_ids("ids/a.ids.png");
    cli_expect(1, "material 肌", "diff ids/a.png ids/b.png --mask-physics");
    cli_expect(1, "material 肌", "diff ids/a.png ids/b.png --mask-bones 前髪");
    cli_expect(0, "equal", "diff ids/a.png ids/b.png --mask-bones 前髪,頭");
    cli_expect(0, "equal", "diff ids/a.png ids/b.png --mask-physics --mask-bones 頭");
    cli_expect(2, "尻", "diff ids/a.png ids/b.png --mask-bones 尻");
    cli_expect(3, "--mask-physics needs the ids", "diff a.png b.png --mask-physics");
    cli_expect(3, "--mask-bones needs the ids", "diff a.png b.png --mask-bones x");
}

static void ids_that_do_not_fit_are_named(void **state)
{
    (void)state;
    put_pair_with_ids("ids/elsewhere.ids.png");
    cli_expect(1, "material 髪", "diff ids/a.png ids/b.png --ids ids/elsewhere.ids.png");
    cli_expect(3, "a.png", "diff ids/a.png ids/b.png --ids a.png");
    cli_expect(3, "none.ids.png", "diff ids/a.png ids/b.png --ids none.ids.png");
    put_ids("ids/a.ids.png", 32, 40);
    cli_result result = cli_run("diff ids/a.png ids/b.png"); /* compared without ids */
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.err, "the ids beside A are ignored: ids/a.ids.png"));
    assert_null(strstr(result.out, "material"));
    cli_finish(&result);
}

/* --- Folders --- */

static void put_frames(const char *folder, const char *format, int first, int count, int changed)
{
    char name[256];
    make_folder(folder);
    for (int i = 0; i < count; i++) {
        int length = snprintf(name, sizeof name, "%s/", folder);
        snprintf(name + length, sizeof name - (size_t)length, format, first + i);
        mmd_image image = picture_discs(48, 32, (uint64_t)(first + i));
        if (first + i == changed)
            for (uint32_t x = 0; x < 10; x++)
                picture_put(&image, x, 5, (color){10, 200, 30, 255});
        put_png(name, &image, false);
        mmd_image_finish(&image);
    }
}

static void folders_are_paired_by_number(void **state)
{
    (void)state;
    put_frames("fa", "%05d.png", 8, 5, -1);
    put_frames("fb", "mmd_v2-%d.png", 8, 5, 11); /* 10 sorts before 8 as text */
    put_bytes("fb/notes.txt", "x", 1);
    cli_expect(0, "equal", "diff fa fa");
    cli_expect(1, "1 of 5 frames differs, frame 11", "diff fa fb");
    json_t *root = diff_json(1, "fa fb");
    assert_int_equal(json_array_size(json_object_get(root, "frames")), 5);
    assert_int_equal(number(root, "worst"), 11);
    const json_t *frame = json_array_get(json_object_get(root, "frames"), 2);
    assert_int_equal(number(frame, "frame"), 10);
    assert_string_equal(text(frame, "b"), "fb/mmd_v2-10.png");
    assert_true(json_is_true(json_object_get(frame, "equal")));
    /* Four of five frames are equal. */
    const json_t *mean = json_object_get(json_object_get(root, "summary"), "mean");
    assert_int_equal(number(mean, "frame"), 11);
    assert_true(number(mean, "worst") > 0);
    assert_true(fabs(number(mean, "mean") - number(mean, "worst") / 5) < 1e-6);
    json_decref(root);
    cli_expect(0, "within the limits", "diff fa fb --max-share 0.02");
    cli_expect(1, "beyond the limits", "diff fa fb --max-share 0.001");
}

static void missing_frames_are_reported(void **state)
{
    (void)state;
    put_frames("ma", "%d.png", 1, 4, -1);
    put_frames("mb", "%d.png", 2, 5, -1);
    cli_expect(1, "missing in B: 1", "diff ma mb");
    cli_expect(1, "missing in A: 5, 6", "diff ma mb");
    cli_expect(1, "3 frames are missing", "diff ma mb --max-max 255");
    cli_expect(0, "equal", "diff ma mb --missing ignore");
    json_t *root = diff_json(1, "ma mb");
    const json_t *missing = json_array_get(json_object_get(root, "missing"), 0);
    assert_string_equal(text(missing, "in"), "b");
    assert_string_equal(text(missing, "other"), "ma/1.png");
    json_decref(root);
    /* The numbers of one folder begin elsewhere. */
    put_frames("mc", "%d.png", 1, 4, -1);
    make_folder("md");
    char command[3000];
    snprintf(command, sizeof command,
             "cd '%s/md' && for i in 1 2 3 4; do cp ../mc/$i.png $((i + 10)).png; done", cli_folder());
    assert_int_equal(system(command), 0);
    cli_expect(1, "8 frames are missing", "diff mc md");
    cli_expect(0, "equal", "diff mc md --frame-offset -10");
}

static void names_without_numbers_are_paired_in_order(void **state)
{
    (void)state;
    make_folder("na");
    make_folder("nb");
    put_discs("na/a.png", 20, 20, 1);
    put_discs("na/b.png", 20, 20, 2);
    put_discs("nb/x.png", 20, 20, 1);
    put_discs("nb/y.png", 20, 20, 3);
    cli_expect(1, "1 of 2 frames differs, frame 1", "diff na nb");
}

static void ids_beside_frames_are_no_frames(void **state)
{
    (void)state;
    put_pair_with_ids("ids/a.ids.png");
    make_folder("sa");
    make_folder("sb");
    char command[3000];
    snprintf(command, sizeof command,
             "cd '%s' && for i in 1 2; do cp ids/a.png sa/$i.png; cp ids/a.ids.png sa/$i.ids.png; "
             "cp ids/b.png sb/$i.png; done",
             cli_folder());
    assert_int_equal(system(command), 0);
    json_t *root = diff_json(1, "sa sb");
    assert_int_equal(json_array_size(json_object_get(root, "frames")), 2);
    assert_int_equal(number(json_array_get(json_object_get(root, "materials"), 0), "over"), 880);
    assert_non_null(strstr(text(root, "text"), "material 髪"));
    json_decref(root);
}

/* --- Videos --- */

static void make_video(const char *from, const char *to)
{
    char command[4096];
    snprintf(command, sizeof command, "cd '%s' && ffmpeg -v error -y -framerate 30 -start_number 0 -i %s %s",
             cli_folder(), from, to);
    assert_int_equal(system(command), 0);
}

static void videos_are_compared_frame_by_frame(void **state)
{
    (void)state;
    cli_need("ffmpeg");
    put_frames("va", "%d.png", 0, 12, -1);
    put_frames("vb", "%d.png", 0, 12, 7);
    make_video("va/%d.png", "-c:v rawvideo -pix_fmt bgr24 a.avi");
    make_video("vb/%d.png", "-c:v ffv1 -pix_fmt bgr0 b.mkv");
    cli_expect(0, "equal", "diff a.avi a.avi");
    cli_expect(1, "1 of 12 frames differs, frame 7", "diff a.avi b.mkv");
    cli_expect(0, "equal", "diff va a.avi");
    cli_expect(1, "differs, frame 7", "diff b.mkv va");
    /* Where several frames differ, the first has a line of its own. */
    put_frames("vc", "%d.png", 0, 12, 9);
    mmd_image dark = picture_discs(48, 32, 11);
    for (uint32_t y = 0; y < 32; y++)
        for (uint32_t x = 0; x < 48; x++)
            picture_put(&dark, x, y, (color){0, 0, 0, 255});
    put_png("vc/11.png", &dark, false);
    mmd_image_finish(&dark);
    make_video("vc/%d.png", "-c:v ffv1 -pix_fmt bgr0 c.mkv");
    cli_expect(1, "2 of 12 frames differ, most in frame 11, first in frame 9", "diff a.avi c.mkv");
    cli_expect(1, "frame 9 is the first that differs: within 10x1 pixels from 0,5", "diff a.avi c.mkv");
    cli_expect(1, "first beyond the limits in frame 11", "diff a.avi c.mkv --max-share 50%%");
    cli_expect(1, "frame 11 is the first that exceeds the limits", "diff a.avi c.mkv --max-share 50%%");
    json_t *root = diff_json(1, "a.avi c.mkv");
    assert_int_equal(number(json_object_get(root, "first"), "frame"), 9);
    assert_non_null(strstr(text(json_object_get(root, "first"), "text"), "first that differs"));
    json_decref(root);
    put_frames("v1", "%d.png", 0, 11, -1);
    cli_expect(1, "missing in B: 11", "diff a.avi v1");
    cli_expect(2, "a.avi is a video and a.png is a picture", "diff a.avi a.png");
    /* A lossy one is near. */
    make_video("va/%d.png", "-c:v mpeg4 -q:v 2 lossy.mp4");
    cli_expect(0, "within the limits", "diff va lossy.mp4 --min-psnr 20");
}

static void frames_counted_from_1_are_the_videos_in_order(void **state)
{
    (void)state;
    cli_need("ffmpeg");
    put_frames("wa", "%d.png", 0, 5, -1);
    make_video("wa/%d.png", "-c:v ffv1 -pix_fmt bgr0 w.mkv");
    char command[3000];
    snprintf(command, sizeof command,
             "cd '%s' && mkdir -p w1 && for i in 0 1 2 3 4; do cp wa/$i.png w1/$((i + 1)).png; done",
             cli_folder());
    assert_int_equal(system(command), 0);
    cli_expect(0, "equal", "diff w1 w.mkv");
}

static void damaged_videos_exit_3(void **state)
{
    (void)state;
    cli_need("ffmpeg");
    static const char junk[] = "RIFF\x10\0\0\0AVI LIST junk and no more";
    put_bytes("junk.avi", junk, sizeof junk - 1);
    cli_expect(3, "junk.avi", "diff junk.avi junk.avi");
}

/* The first command gives cli_expect's program its argument; the second runs odori without a PATH. */
static void without_ffmpeg_videos_exit_4(void **state)
{
    (void)state;
    put_bytes("v.avi", "RIFF\x10\0\0\0AVI LIST", 16);
    cli_expect(4, "ffprobe cannot be run",
               "--version >.version; PATH=/nonexistent '%s/odori' diff v.avi v.avi", ODORI_BINARY);
}

/* --- Usage and bad input --- */

static void bad_usage_exits_2(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "a.png",
        "a.png b.png c.png",
        "a.png b.png --metric",
        "a.png b.png --metric best",
        "a.png b.png --metric max,,mean",
        "a.png b.png --threshold 256",
        "a.png b.png --max-max x",
        "a.png b.png --max-max -1",
        "a.png b.png --max-mean 256",
        "a.png b.png --min-ssim 1.5",
        "a.png b.png --max-share 2",
        "a.png b.png --max-share 200%",
        "a.png b.png --max-share %",
        "a.png b.png --align left",
        "a.png b.png --shift 1",
        "a.png b.png --shift 1.5,2",
        "a.png b.png --max-shift 513",
        "a.png b.png --background white",
        "a.png b.png --alpha yes",
        "a.png b.png --mask-rect 1,2,3",
        "a.png b.png --mask-rect 1,2,-3,4",
        "a.png b.png --mask-edges 0",
        "a.png b.png --frame-offset 1.5",
        "a.png b.png --missing yes",
        "a.png b.png --tolerance 3",
    };
    put_pair();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cli_expect(2, "--help", "diff %s", bad[i]);
    cli_expect(2, "\"200%\" is not a share: 0 to 1, or 0% to 100%", "diff a.png b.png --max-share 200%%");
    cli_expect(2, "\"2\" is not a share", "diff a.png b.png --max-share 2");
    make_folder("empty");
    put_frames("fa", "%05d.png", 8, 5, -1);
    cli_expect(2, "fa is a folder", "diff a.png fa");
    cli_expect(0, "usage: odori diff A B", "diff --help");
}

static void unreadable_pictures_exit_3(void **state)
{
    (void)state;
    put_pair();
    put_bytes("bad.png", "\x89PNG\r\n\x1a\n\0\0", 10);
    put_bytes("bad.txt", "no picture", 10);
    make_folder("empty");
    cli_expect(3, "bad.png", "diff a.png bad.png");
    cli_expect(3, "the file ends in the middle of the picture: 10 bytes of at least 20",
               "diff a.png bad.png");
    cli_expect(3, "bad.png", "diff bad.png a.png");
    cli_expect(3, "bad.txt", "diff a.png bad.txt");
    cli_expect(3, "missing.png", "diff missing.png a.png");
    cli_expect(3, "no pictures", "diff empty empty");
    make_folder("broken");
    put_bytes("broken/00008.png", "x", 1);
    put_frames("fa", "%05d.png", 8, 5, -1);
    cli_expect(3, "broken/00008.png", "diff fa broken");
}

static void outputs_that_cannot_be_written_exit_4(void **state)
{
    (void)state;
    put_pair();
    put_bytes("file", "x", 1);
    cli_expect(4, "nowhere/x.json", "diff a.png b.png --json=nowhere/x.json");
    cli_expect(4, "nowhere/deep", "diff a.png b.png --report nowhere/deep");
    cli_expect(4, "file", "diff a.png b.png --report file");
}

/* --- The report --- */

/* Returns the JSON that the page embeds. */
static json_t *report_data(const char *name, mmd_bytes *page)
{
    static const char begin[] = "<script type=\"application/json\" id=\"data\">";
    char path[1024];
    json_error_t error;
    path_of(name, path);
    assert_int_equal(mmd_file_read(path, page, NULL), MMD_OK);
    page->data[page->size - 1] = '\0';
    const char *from = strstr((const char *)page->data, begin);
    assert_non_null(from);
    from += strlen(begin);
    const char *end = strstr(from, "</script>");
    assert_non_null(end);
    json_t *root = json_loadb(from, (size_t)(end - from), JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("%s at %d", error.text, error.position);
    return root;
}

static void the_report_is_one_file_with_everything(void **state)
{
    (void)state;
    put_pair_with_ids("ids/a.ids.png");
    cli_expect(1, "different", "diff ids/a.png ids/b.png --report page");
    mmd_bytes page = {0};
    json_t *root = report_data("page/index.html", &page);
    /* A name from a file cannot end the script, and the page loads nothing from elsewhere. */
    assert_null(strstr((const char *)page.data, "髪</script>"));
    assert_null(strstr((const char *)page.data, "http:"));
    assert_null(strstr((const char *)page.data, "https:"));
    assert_non_null(strstr((const char *)page.data, "content=\"default-src 'none';"));
    assert_null(strstr((const char *)page.data, "'self'"));
    assert_null(strstr((const char *)page.data, "{{"));
    const json_t *kept = json_array_get(json_object_get(root, "kept"), 0);
    static const char *const keys[] = {"a", "b", "planes", "materials", "bones"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_int_equal(strncmp(text(kept, keys[i]), "data:image/png;base64,iVBORw0KGgo", 33), 0);
    const json_t *row = json_array_get(json_object_get(json_object_get(root, "findings"), "materials"), 0);
    assert_string_equal(text(row, "material"), materials[1]);
    json_decref(root);
    mmd_bytes_finish(&page);
    cli_expect(0, "equal", "diff ids/a.png ids/a.png --report page"); /* equal pictures have a report too */
}

static void reports_of_long_sequences_stay_bounded(void **state)
{
    (void)state;
    make_folder("long");
    make_folder("long2");
    for (int i = 0; i < 120; i++) {
        char name[64];
        const uint32_t dot[][2] = {{2, 2}};
        snprintf(name, sizeof name, "long/%d.png", i);
        put_dots(name, 16, 16, dot, 1, black);
        snprintf(name, sizeof name, "long2/%d.png", i);
        put_dots(name, 16, 16, dot, 1, (color){(uint8_t)(i == 77 ? 255 : i), 0, 0, 255});
    }
    cli_expect(1, "119 of 120 frames differ, most in frame 77", "diff long long2 --report page2");
    mmd_bytes page = {0};
    json_t *root = report_data("page2/index.html", &page);
    const json_t *kept = json_object_get(root, "kept");
    assert_in_range(json_array_size(kept), 16, 32);
    bool has_worst = false;
    for (size_t i = 0; i < json_array_size(kept); i++)
        has_worst = has_worst || number(json_array_get(kept, i), "index") == 77;
    assert_true(has_worst);
    assert_int_equal(number(root, "every"), 8);
    assert_int_equal(json_array_size(json_object_get(json_object_get(root, "findings"), "frames")), 120);
    json_decref(root);
    mmd_bytes_finish(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_pictures_exit_0_and_say_so),
        cmocka_unit_test(any_pixel_that_differs_exits_1),
        cmocka_unit_test(json_has_what_was_measured),
        cmocka_unit_test(json_may_go_to_a_file),
        cmocka_unit_test(metrics_can_be_chosen),
        cmocka_unit_test(limits_decide_the_exit_code),
        cmocka_unit_test(other_sizes_are_different_and_laid_upon_each_other),
        cmocka_unit_test(a_shift_is_found_when_asked_for),
        cmocka_unit_test(transparent_pixels_lie_over_the_background),
        cmocka_unit_test(rectangles_mask_and_keep),
        cmocka_unit_test(a_picture_masks_where_it_is_dark),
        cmocka_unit_test(edges_can_be_masked),
        cmocka_unit_test(the_first_line_names_the_material),
        cmocka_unit_test(verdicts_of_the_library_are_those_of_diff),
        cmocka_unit_test(bones_and_physics_can_be_masked),
        cmocka_unit_test(ids_that_do_not_fit_are_named),
        cmocka_unit_test(folders_are_paired_by_number),
        cmocka_unit_test(missing_frames_are_reported),
        cmocka_unit_test(names_without_numbers_are_paired_in_order),
        cmocka_unit_test(ids_beside_frames_are_no_frames),
        cmocka_unit_test(videos_are_compared_frame_by_frame),
        cmocka_unit_test(frames_counted_from_1_are_the_videos_in_order),
        cmocka_unit_test(damaged_videos_exit_3),
        cmocka_unit_test(without_ffmpeg_videos_exit_4),
        cmocka_unit_test(bad_usage_exits_2),
        cmocka_unit_test(unreadable_pictures_exit_3),
        cmocka_unit_test(outputs_that_cannot_be_written_exit_4),
        cmocka_unit_test(the_report_is_one_file_with_everything),
        cmocka_unit_test(reports_of_long_sequences_stay_bounded),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
