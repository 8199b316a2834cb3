/* Tiled images compared with images drawn at once, and ids of pixels. */
#include "figure_scene.h"
#include "squares.h"

enum { WIDE = 300, HIGH = 220 };

typedef struct difference {
    int pixels, clear; /* differing at all; by more than 2 levels */
} difference;

static difference compare(const mmd_image *a, const mmd_image *b)
{
    difference d = {0};
    assert_true(a->width == b->width && a->height == b->height && a->has_alpha == b->has_alpha);
    for (size_t i = 0; i < (size_t)a->width * a->height; i++) {
        int most = 0;
        for (int k = 0; k < 4; k++) {
            int step = abs(a->pixels[4 * i + k] - b->pixels[4 * i + k]);
            most = step > most ? step : most;
        }
        d.pixels += most > 0;
        d.clear += most > 2;
    }
    return d;
}

/* OpenGL rounds vertex positions and interpolated values depending on the framebuffer, so a few pixels of a
 * thousand may be rounded differently. A seam would be hundreds. */
static void assert_same(const mmd_image *whole, const mmd_image *tiled, const char *what)
{
    difference d = compare(whole, tiled);
    print_message("%s: %d of %u pixels differ, %d of them by more than 2 levels\n", what, d.pixels,
                  whole->width * whole->height, d.clear);
    assert_true(d.pixels <= WIDE * HIGH / 1000 && d.clear <= WIDE * HIGH / 5000);
}

static void tiles_leave_no_seams(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 0};
    figure_scene figure;
    mmd_image whole = {0}, tiled = {0};
    mmd_view_options options = mmd_default_view_options();
    options.self_shadow = options.ground_shadow = true;
    open_figure(&figure);
    mmd_stage_set_frame(figure.scene.stage, 67.5);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char what[64];
        options.samples = i == 1 ? 4 : 0;
        options.background[3] = i == 2 ? 0.0f : 1.0f;
        options.tile = 0;
        ASSERT_OK(
            mmd_view_picture(figure.scene.view, figure.scene.stage, &options, WIDE, HIGH, &whole, error));
        options.tile = 64;
        ASSERT_OK(
            mmd_view_picture(figure.scene.view, figure.scene.stage, &options, WIDE, HIGH, &tiled, error));
        snprintf(what, sizeof what, "%u samples, background's alpha %g", options.samples,
                 (double)options.background[3]);
        assert_same(&whole, &tiled, what);
    }
    mmd_image_finish(&whole);
    mmd_image_finish(&tiled);
    close_figure(&figure);
}

/* Pictures that are begun one ahead are those that are drawn alone, with samples, alpha, tiles and other
 * sizes between. */
static void pictures_that_are_begun_ahead_are_the_same(void **state)
{
    (void)state;
    enum { PICTURES = 6 };
    figure_scene figure;
    mmd_image alone[PICTURES] = {0}, taken = {0};
    mmd_view_options options[PICTURES];
    const uint32_t widths[PICTURES] = {WIDE, WIDE, WIDE, 77, WIDE, WIDE};
    open_figure(&figure);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < PICTURES; i++) {
            options[i] = mmd_default_view_options();
            options[i].samples = i == 1 ? 4 : 0;
            options[i].background[3] = i == 2 ? 0.0f : 1.0f;
            options[i].tile = i == 4 ? 64 : 0;
            mmd_stage_set_frame(figure.scene.stage, 10.0 * i);
            if (pass == 0)
                ASSERT_OK(mmd_view_picture(figure.scene.view, figure.scene.stage, &options[i], widths[i],
                                           HIGH, &alone[i], error));
            else
                ASSERT_OK(mmd_view_picture_begin(figure.scene.view, figure.scene.stage, &options[i],
                                                 widths[i], HIGH, error));
            if (pass == 1 && i > 0) {
                ASSERT_OK(mmd_view_picture_take(figure.scene.view, &taken, error));
                assert_int_equal(compare(&alone[i - 1], &taken).pixels, 0);
            }
        }
    }
    ASSERT_OK(mmd_view_picture_take(figure.scene.view, &taken, error));
    assert_int_equal(compare(&alone[PICTURES - 1], &taken).pixels, 0);
    ASSERT_OK(mmd_view_picture_begin(figure.scene.view, figure.scene.stage, &options[0], WIDE, HIGH, error));
    for (int i = 0; i < PICTURES; i++)
        mmd_image_finish(&alone[i]);
    mmd_image_finish(&taken);
    close_figure(&figure); /* the last picture is never taken */
}

/* One dimension is tiled, the other is not, and the last tile is smaller. */
static void one_side_alone_can_be_tiled(void **state)
{
    (void)state;
    static const uint32_t sizes[3][2] = {{200, 50}, {50, 200}, {61, 1}};
    mmd_model *model = squares(2, 0, 0);
    test_scene scene;
    mmd_image whole = {0}, tiled = {0};
    mmd_view_options options = mmd_default_view_options();
    set_color(&model->materials[0], 0.2f, 0.4f, 0.6f, 0.5f);
    test_scene_open_made(&scene, model, NULL, 0);
    set_camera(scene.stage);
    for (int i = 0; i < 3; i++) {
        options.tile = 0;
        ASSERT_OK(
            mmd_view_picture(scene.view, scene.stage, &options, sizes[i][0], sizes[i][1], &whole, error));
        options.tile = 60;
        ASSERT_OK(
            mmd_view_picture(scene.view, scene.stage, &options, sizes[i][0], sizes[i][1], &tiled, error));
        assert_int_equal(compare(&whole, &tiled).pixels, 0);
    }
    mmd_image_finish(&whole);
    mmd_image_finish(&tiled);
    test_scene_close(&scene);
    made_destroy(model);
}

/* Points of 20 pixels whose centres are in other tiles. */
static void points_reach_into_the_next_tile(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 0, 0);
    model->materials[0].flags = MMD_MATERIAL_POINTS;
    model->materials[0].edge_size = 20.0f;
    set_color(&model->materials[0], 0.0f, 0.0f, 0.0f, 1.0f);
    mmd_view_options options = mmd_default_view_options();
    mmd_image whole = picture_of(model, NULL, 0, &options);
    options.tile = 7;
    mmd_image tiled = picture_of(model, NULL, 0, &options);
    difference d = compare(&whole, &tiled);
    assert_int_equal(d.pixels, 0);
    assert_pixel(&whole, 10, 10, 0, 0, 0, 255);
    mmd_image_finish(&whole);
    mmd_image_finish(&tiled);
    made_destroy(model);
}

/* PMX 2.1's points cover the same area in a supersampled image as in a plain one. */
static void points_keep_their_size(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 0, 0);
    model->materials[0].flags = MMD_MATERIAL_POINTS;
    model->materials[0].edge_size = 6.0f;
    set_color(&model->materials[0], 0.0f, 0.0f, 0.0f, 1.0f);
    test_scene scene;
    test_scene_open_made(&scene, model, NULL, 0);
    mmd_view_options options = mmd_default_view_options();
    for (uint32_t times = 1; times <= 3; times++) {
        mmd_image image = {0};
        mmd_picture_sum sum = {0};
        size_t dark = 0;
        set_camera(scene.stage);
        ASSERT_OK(mmd_picture_sum_begin(&sum, SIZE, SIZE, false, error));
        ASSERT_OK(mmd_view_picture_add(scene.view, scene.stage, &options, times, &sum, error));
        ASSERT_OK(mmd_picture_sum_image(&sum, true, &image, error));
        for (int i = 0; i < SIZE * SIZE; i++)
            dark += 255u - image.pixels[4 * i];
        assert_in_range(dark, 4 * 36 * 250, 4 * 36 * 260);
        mmd_image_finish(&image);
        mmd_picture_sum_finish(&sum);
    }
    test_scene_close(&scene);
    made_destroy(model);
}

static void assert_id(const uint32_t *id, uint32_t model, uint32_t material, uint32_t bone)
{
    if (id[0] != model || id[1] != material || id[2] != bone)
        fail_msg("ids are %u, %u, %u, wanted %u, %u, %u", id[0], id[1], id[2], model, material, bone);
}

/* Two materials side by side on two bones, and the same model again, behind and larger. */
static void ids_say_whose_a_pixel_is(void **state)
{
    (void)state;
    mmd_model *model = made_model(&(made_sizes){.vertices = 8, .indices = 12, .bones = 2, .materials = 2});
    for (uint32_t i = 0; i < 2; i++) {
        made_square(model, 4 * i, 6 * i, i ? 0.0f : -4.0f, 8.0f, 0.0f, 4.0f);
        model->materials[i].first_index = 6 * i;
        model->materials[i].index_count = 6;
        for (uint32_t v = 4 * i; v < 4 * i + 4; v++)
            model->vertices.bone[v][0] = (int32_t)i;
    }
    made_finish(model);
    test_scene scene;
    test_scene_open_made(&scene, model, NULL, 0);
    mmd_actor *second = mmd_actor_create(model);
    assert_non_null(second);
    ASSERT_OK(mmd_stage_add_actor(scene.stage, second, error));
    mmd_staging staging = mmd_default_staging();
    staging.position[1] = 4.0f;
    mmd_stage_set_staging(scene.stage, 1, &staging);
    set_camera(scene.stage);
    uint32_t ids[SIZE * SIZE][3];
    mmd_view_options options = mmd_default_view_options();
    for (uint32_t tile = 0; tile < 40; tile += 20) {
        options.tile = tile;
        ASSERT_OK(mmd_view_ids(scene.view, scene.stage, &options, SIZE, SIZE, ids, error));
        assert_id(ids[SIZE * 32 + 20], 0, 0, 0);
        assert_id(ids[SIZE * 32 + 44], 0, 1, 1);
        assert_id(ids[SIZE * 10 + 20], 1, 0, 0);
        assert_id(ids[SIZE * 10 + 44], 1, 1, 1);
        assert_id(ids[SIZE * 60 + 32], MMD_VIEW_NO_ID, MMD_VIEW_NO_ID, MMD_VIEW_NO_ID);
    }
    test_scene_close(&scene);
    mmd_actor_destroy(second);
    made_destroy(model);
}

/* Every pixel that is not white has an owner, and no other pixel has. */
static void ids_are_where_the_picture_is(void **state)
{
    (void)state;
    figure_scene figure;
    mmd_image image = {0};
    mmd_view_options options = mmd_default_view_options();
    options.background[3] = 0.0f;
    uint32_t(*ids)[3] = malloc(sizeof(uint32_t[3]) * WIDE * HIGH);
    assert_non_null(ids);
    open_figure(&figure);
    mmd_stage_set_frame(figure.scene.stage, 30.0);
    ASSERT_OK(mmd_view_picture(figure.scene.view, figure.scene.stage, &options, WIDE, HIGH, &image, error));
    ASSERT_OK(mmd_view_ids(figure.scene.view, figure.scene.stage, &options, WIDE, HIGH, ids, error));
    int drawn = 0, wrong = 0;
    for (int i = 0; i < WIDE * HIGH; i++) {
        bool owned = ids[i][0] != MMD_VIEW_NO_ID;
        drawn += owned;
        wrong += owned != (image.pixels[4 * i + 3] > 0);
        if (owned)
            assert_true(ids[i][0] == 0 && ids[i][1] < figure.scene.model->material_count &&
                        ids[i][2] < figure.scene.model->bone_count);
    }
    print_message("%d pixels are hers, %d otherwise in the picture\n", drawn, wrong);
    assert_true(drawn > 1000 && wrong == 0);
    free(ids);
    mmd_image_finish(&image);
    close_figure(&figure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_leave_no_seams),
        cmocka_unit_test(pictures_that_are_begun_ahead_are_the_same),
        cmocka_unit_test(one_side_alone_can_be_tiled),
        cmocka_unit_test(points_reach_into_the_next_tile),
        cmocka_unit_test(points_keep_their_size),
        cmocka_unit_test(ids_say_whose_a_pixel_is),
        cmocka_unit_test(ids_are_where_the_picture_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
