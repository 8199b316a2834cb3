/* Self shadow and ground shadow on squares: docs/mmd.md 6.7 and 6.8. */
#include "squares.h"
#include "engine/render/arithmetic.h"

#include <math.h>

/* From above and in front: a shadow falls as far down as back. */
static const float steep_light[3] = {0.0f, -1.0f, 1.0f};

/* The shadow of toon03, whose last row is 9a9a9a: MMD divides it by 256. */
enum { SHADE = 0x99 };

/* Makes a white wall (toon03) and, gap units in front of it, a black board of 2 x 2
 * whose shadow is centred in the image. */
static mmd_model *wall_and_board(float gap)
{
    mmd_model *model = squares(2, 0, 0);
    model->materials[0].flags = MMD_MATERIAL_RECEIVES_SHADOW;
    model->materials[0].shared_toon = true;
    model->materials[0].toon = 2;
    made_square(model, 4, 6, -1.0f, 9.0f + gap, -gap, 2.0f);
    model->materials[1].flags = MMD_MATERIAL_CASTS_SHADOW;
    set_color(&model->materials[1], 0.0f, 0.0f, 0.0f, 1.0f);
    return model;
}

static void set_shadow(mmd_motion *motion, mmd_self_shadow_key *key, uint8_t mode, float distance)
{
    *key = (mmd_self_shadow_key){.value = {mode, distance}};
    *motion = (mmd_motion){.self_shadow_keys = key, .self_shadow_key_count = 1};
}

/* Draws the model in steep light with one self-shadow keyframe. */
static mmd_image shadowed(mmd_model *model, uint8_t mode, float distance, bool on, mmd_pixel_centers centers)
{
    test_scene scene;
    mmd_image image = {0};
    mmd_motion motion;
    mmd_self_shadow_key key;
    mmd_view_options options = mmd_default_view_options();
    options.self_shadow = on;
    options.pixel_centers = centers;
    set_shadow(&motion, &key, mode, distance);
    test_scene_open_made(&scene, model, NULL, 0);
    mmd_stage_set_light_direction(scene.stage, steep_light);
    ASSERT_OK(mmd_stage_add_scene_motion(scene.stage, &motion, error));
    draw(&scene, &options, &image);
    test_scene_close(&scene);
    return image;
}

static void assert_middle(mmd_model *model, uint8_t mode, bool on, int level)
{
    mmd_image image = shadowed(model, mode, 0.01125f, on, MMD_PIXEL_CENTERS_D3D9);
    assert_pixel(&image, SIZE / 2, SIZE / 2, level, level, level, 255);
    assert_pixel(&image, SIZE / 2, 50, 255, 255, 255, 255); /* in the light */
    mmd_image_finish(&image);
}

static void a_board_shadows_the_wall_in_both_modes(void **state)
{
    (void)state;
    mmd_model *model = wall_and_board(2.0f);
    assert_middle(model, 1, true, SHADE);
    assert_middle(model, 2, true, SHADE);
    assert_middle(model, 0, true, 255);
    assert_middle(model, 1, false, 255);
    made_destroy(model);
}

static void materials_say_what_casts_and_what_receives(void **state)
{
    (void)state;
    mmd_model *model = wall_and_board(2.0f);
    model->materials[1].flags = 0;
    assert_middle(model, 1, true, 255);
    model->materials[1].flags = MMD_MATERIAL_CASTS_SHADOW;
    model->materials[0].flags = 0;
    assert_middle(model, 1, true, 255);
    model->materials[0].flags = MMD_MATERIAL_RECEIVES_SHADOW;
    model->materials[1].flags = MMD_MATERIAL_CASTS_SHADOW | MMD_MATERIAL_POINTS;
    assert_middle(model, 1, true, 255); /* points cast no shadow */
    /* as in MMD, nor does alpha 0.98, nor an edge colour of alpha 0 */
    model->materials[1].flags = MMD_MATERIAL_CASTS_SHADOW;
    assert_middle(model, 1, true, SHADE);
    model->materials[1].diffuse[3] = 0.98f;
    assert_middle(model, 1, true, 255);
    model->materials[1].diffuse[3] = 0.99f;
    assert_middle(model, 1, true, SHADE);
    model->materials[1].edge_color[3] = 0.0f;
    assert_middle(model, 1, true, 255);
    made_destroy(model);
}

/* Computes the position and depth of a point in the shadow map. */
static void to_map(const float matrix[16], const double p[3], double at[3])
{
    double clip[4];
    for (int k = 0; k < 4; k++)
        clip[k] = (double)matrix[k] * p[0] + (double)matrix[4 + k] * p[1] + (double)matrix[8 + k] * p[2] +
                  (double)matrix[12 + k];
    at[0] = 0.5 + 0.5 * clip[0] / clip[3];
    at[1] = 0.5 - 0.5 * clip[1] / clip[3];
    at[2] = clip[2] / clip[3];
}

/* Returns the level by docs/mmd.md's formula of the pixel right of and below the centre of the wall. The film
 * is gap units towards the light. */
static double expected_level(double gap, int mode)
{
    float view[16], eye[3], matrix[16];
    double wall[3], board[3];
    mmd_camera camera = mmd_default_camera();
    camera.distance = -20.0f;
    mmd_camera_matrices(&camera, 1.0f, view, NULL, eye);
    self_shadow_matrix(view, eye, steep_light, mode, 0.01125f, matrix);
    const double pixel_size = 8.0 / 48.0, step = gap + 0.25 * pixel_size;
    const double p[3] = {0.5 * pixel_size, 10.0 - 0.5 * pixel_size, 0.0};
    to_map(matrix, p, wall);
    to_map(matrix, (const double[3]){p[0], p[1] + step, p[2] - step}, board);
    assert_true(fabs(wall[0] - board[0]) < 1e-6 && fabs(wall[1] - board[1]) < 1e-2);
    double depth = wall[2] - board[2];
    double dark = depth * (mode == 2 ? 8000.0 * wall[1] : 1500.0) - 0.3;
    dark = dark < 0.0 ? 0.0 : dark > 1.0 ? 1.0 : dark;
    return 255.0 - dark * (255.0 - SHADE);
}

/* Makes a wall and a transparent board perpendicular to the light, so that its depth is the same in all
 * texels of the map. */
static mmd_model *wall_and_film(float gap)
{
    mmd_model *model = wall_and_board(gap);
    set_color(&model->materials[1], 0.0f, 0.0f, 0.0f, 1.0f / 255.0f);
    for (uint32_t v = 4; v < 8; v++) {
        float up = v & 2 ? -2.0f : 2.0f;
        model->vertices.position[v][0] = v & 1 ? 3.0f : -3.0f;
        model->vertices.position[v][1] = 10.0f + gap + up;
        model->vertices.position[v][2] = up - gap;
    }
    return model;
}

/* The shadow deepens with the difference in depth. D3D9's pixel centres shift the map by half a pixel (0.03
 * units here), so the test uses GL's. */
static void shadows_deepen_with_the_distance(void **state)
{
    (void)state;
    static const double gaps[2][3] = {{0.1, 0.25, 0.4}, {0.04, 0.08, 0.1}};
    for (int mode = 1; mode <= 2; mode++) {
        for (int i = 0; i < 3; i++) {
            double gap = gaps[mode - 1][i], wanted = expected_level(gap, mode);
            mmd_model *model = wall_and_film((float)gap);
            mmd_image image = shadowed(model, (uint8_t)mode, 0.01125f, true, MMD_PIXEL_CENTERS_GL);
            int level = pixel(&image, SIZE / 2, SIZE / 2)[0];
            print_message("mode %d, %g units: %d, wanted %.1f\n", mode, gap, level, wanted);
            assert_true(fabs(level - wanted) < 4.0);
            mmd_image_finish(&image);
            made_destroy(model);
        }
    }
}

/* Surfaces that face away from the light are dark within the map, and have no toon shading beyond it. */
static void beyond_the_map_there_is_light_without_toon(void **state)
{
    (void)state;
    mmd_model *model = wall_and_board(2.0f);
    model->materials[1].flags = 0;
    for (uint32_t v = 0; v < 4; v++)
        model->vertices.normal[v][2] = 1.0f;
    mmd_image inside = shadowed(model, 1, 0.01125f, true, MMD_PIXEL_CENTERS_D3D9),
              beyond = shadowed(model, 1, 0.5f, true, MMD_PIXEL_CENTERS_D3D9);
    assert_pixel(&inside, SIZE / 2, SIZE / 2, SHADE, SHADE, SHADE, 255);
    assert_pixel(&beyond, SIZE / 2, SIZE / 2, 255, 255, 255, 255);
    mmd_image_finish(&inside);
    mmd_image_finish(&beyond);
    made_destroy(model);
}

/* In MMD transparent parts of a texture throw shadow; where alpha is cut off, they let the light through. */
static void textures_have_holes_only_where_alpha_is_cut_off(void **state)
{
    (void)state;
    mmd_model *model = squares(2, 1, 0);
    mmd_model *boards = wall_and_board(2.0f);
    memcpy(model->materials, boards->materials, 2 * sizeof *model->materials);
    made_square(model, 4, 6, -1.0f, 11.0f, -2.0f, 2.0f);
    model->textures[0] = "hole.png";
    model->materials[1].texture = 0;
    uint8_t clear[16] = {0};
    mmd_buffer png = {0};
    mmd_memory_file file = small_png("hole.png", clear, &png);
    test_scene scene;
    mmd_image image = {0};
    mmd_view_options options = mmd_default_view_options();
    options.self_shadow = true;
    test_scene_open_made(&scene, model, &file, 1);
    mmd_stage_set_light_direction(scene.stage, steep_light);
    for (int cuts = 0; cuts < 2; cuts++) {
        model->materials[1].cuts_alpha = cuts;
        model->materials[1].alpha_cutoff = 0.5f;
        draw(&scene, &options, &image);
        int level = cuts ? 255 : SHADE;
        assert_pixel(&image, SIZE / 2, SIZE / 2, level, level, level, 255);
    }
    mmd_image_finish(&image);
    test_scene_close(&scene);
    mmd_buffer_finish(&png);
    made_destroy(boards);
    made_destroy(model);
}

/* An actor without self shadow neither casts nor receives it and keeps its toon shading. */
static void actors_may_stay_out_of_the_shadow(void **state)
{
    (void)state;
    mmd_model *model = wall_and_board(2.0f);
    test_scene scene;
    mmd_image image = {0};
    mmd_view_options options = mmd_default_view_options();
    options.self_shadow = true;
    test_scene_open_made(&scene, model, NULL, 0);
    mmd_stage_set_light_direction(scene.stage, steep_light);
    for (int on = 0; on < 2; on++) {
        mmd_staging staging = mmd_default_staging();
        staging.self_shadow = on;
        mmd_stage_set_staging(scene.stage, 0, &staging);
        draw(&scene, &options, &image);
        int level = on ? SHADE : 255;
        assert_pixel(&image, SIZE / 2, SIZE / 2, level, level, level, 255);
    }
    mmd_image_finish(&image);
    test_scene_close(&scene);
    made_destroy(model);
}

/* The toon factors of a morph apply to the shadow: 9a9a9a * (1, 0.5, 0) + (0, 0, 0.25). */
static void toon_factors_color_the_shadow(void **state)
{
    (void)state;
    mmd_model *model = squares(2, 0, 2);
    mmd_model *other = wall_and_board(2.0f);
    memcpy(model->materials, other->materials, 2 * sizeof *model->materials);
    memcpy(model->vertices.position, other->vertices.position, 8 * sizeof *model->vertices.position);
    mmd_material_offset multiply = {.material = 0, .operation = 0}, add = {.material = 0, .operation = 1};
    mmd_material_rest_values(&model->materials[0], &multiply.values);
    float *numbers[] = {multiply.values.diffuse, multiply.values.specular, multiply.values.ambient};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < (i ? 3 : 4); k++)
            numbers[i][k] = 1.0f; /* a factor of 1 has no effect */
    memcpy(multiply.values.toon_factor, (float[4]){1.0f, 0.5f, 0.0f, 1.0f}, 4 * sizeof(float));
    add.values.toon_factor[2] = 0.25f;
    for (int i = 0; i < 2; i++) {
        model->morphs[i].kind = MMD_MORPH_MATERIAL;
        model->morphs[i].count = 1;
        model->morphs[i].offsets.material = i ? &add : &multiply;
    }
    test_scene scene;
    mmd_image image = {0};
    mmd_view_options options = mmd_default_view_options();
    options.self_shadow = true;
    test_scene_open_made(&scene, model, NULL, 0);
    mmd_stage_set_light_direction(scene.stage, steep_light);
    mmd_actor_set_morph(scene.actor, 0, 1.0f);
    mmd_actor_set_morph(scene.actor, 1, 1.0f);
    draw(&scene, &options, &image);
    assert_pixel(&image, SIZE / 2, SIZE / 2, SHADE, 77, 64, 255);
    assert_pixel(&image, SIZE / 2, 50, 255, 255, 255, 255);
    mmd_image_finish(&image);
    test_scene_close(&scene);
    made_destroy(other);
    made_destroy(model);
}

/* Invalid numbers in files neither hang the program nor cause OpenGL errors. */
static void odd_numbers_of_keys_and_lights_are_survived(void **state)
{
    (void)state;
    static const float odd[] = {NAN, INFINITY, -INFINITY, 0.0f, -1.0f, 3e38f};
    mmd_model *model = wall_and_board(2.0f);
    test_scene scene;
    mmd_image image = {0};
    mmd_view_options options = mmd_default_view_options();
    options.self_shadow = options.ground_shadow = true;
    test_scene_open_made(&scene, model, NULL, 0);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        mmd_motion motion;
        mmd_self_shadow_key key;
        const float light[3] = {odd[i], odd[i], 0.5f};
        set_shadow(&motion, &key, (uint8_t)(i * 50), odd[i]);
        ASSERT_OK(mmd_stage_add_scene_motion(scene.stage, &motion, error));
        mmd_stage_set_light_direction(scene.stage, light);
        draw(&scene, &options, &image);
        key.value.mode = 2;
        draw(&scene, &options, &image);
        key.value = (mmd_self_shadow){1, 0.01f};
        ASSERT_OK(mmd_stage_add_scene_motion(scene.stage, &motion, error));
        draw(&scene, &options, &image);
        /* the stage must not keep a destroyed motion */
        mmd_stage_destroy(scene.stage);
        mmd_actor_destroy(scene.actor);
        test_scene_stage(&scene);
    }
    mmd_image_finish(&image);
    test_scene_close(&scene);
    made_destroy(model);
}

/*
 * Everything is enabled: the first frame allocates what later ones need, and the passes are timed on request.
 */
static void shadows_allocate_nothing_and_are_measured(void **state)
{
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_model *model = wall_and_board(2.0f);
    test_scene scene;
    mmd_image image = {0};
    mmd_view_options options = mmd_default_view_options();
    options.self_shadow = options.ground_shadow = true;
    for (int m = 0; m < 2; m++)
        model->materials[m].flags |= MMD_MATERIAL_GROUND_SHADOW;
    test_scene_open_made(&scene, model, NULL, 0);
    draw(&scene, &options, &image);
    uint64_t allocations = mmd_heap_allocations();
    draw(&scene, &options, &image);
    assert_int_equal(mmd_heap_allocations(), allocations);
    mmd_view_statistics quiet = mmd_view_get_statistics(scene.view);
    mmd_view_measure(scene.view, true);
    draw(&scene, &options, &image);
    mmd_view_statistics measured = mmd_view_get_statistics(scene.view);
    for (int pass = 0; pass < MMD_VIEW_PASSES; pass++) {
        /* the pose has not changed since the last frame */
        bool idle = strcmp(mmd_view_pass_name(pass), "skin") == 0;
        assert_true(quiet.pass_us[pass] == 0.0 && (measured.pass_us[pass] > 0.0) == !idle);
    }
    mmd_image_finish(&image);
    test_scene_close(&scene);
    made_destroy(model);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

/* Points the camera down at the ground in front of the squares. */
static void look_down(mmd_stage *stage)
{
    mmd_camera camera = mmd_default_camera();
    camera.distance = -60.0f;
    camera.position[1] = 0.0f;
    camera.rotation[0] = -0.7f;
    mmd_stage_set_camera(stage, &camera);
    mmd_stage_set_frame(stage, 0.0);
}

/* Returns the pixel of a point on the ground. */
static const uint8_t *ground_pixel(const mmd_stage *stage, const mmd_image *image, float x, float z)
{
    float view[16], projection[16], p[4] = {x, 0.0f, z, 1.0f}, seen[4] = {0}, clip[4] = {0};
    mmd_camera_matrices(mmd_stage_camera(stage), 1.0f, view, projection, NULL);
    for (int row = 0; row < 4; row++)
        for (int k = 0; k < 4; k++)
            seen[row] += view[4 * k + row] * p[k];
    for (int row = 0; row < 4; row++)
        for (int k = 0; k < 4; k++)
            clip[row] += projection[4 * k + row] * seen[k];
    int column = (int)((0.5f + 0.5f * clip[0] / clip[3]) * SIZE),
        line = (int)((0.5f - 0.5f * clip[1] / clip[3]) * SIZE);
    assert_true(column >= 0 && column < SIZE && line >= 0 && line < SIZE);
    return pixel(image, column, line);
}

/* Returns the level of a ground point with two squares, one behind the other. MMD's light projects points at
 * height y by -y/2 in x and y/2 in z. */
static int ground_level(mmd_model *model, const mmd_view_options *options, float x, float z)
{
    test_scene scene;
    mmd_image image = {0};
    test_scene_open_made(&scene, model, NULL, 0);
    look_down(scene.stage);
    ASSERT_OK(mmd_view_picture(scene.view, scene.stage, options, SIZE, SIZE, &image, error));
    int level = ground_pixel(scene.stage, &image, x, z)[0];
    mmd_image_finish(&image);
    test_scene_close(&scene);
    return level;
}

static void ground_shadows_lie_where_the_light_puts_them(void **state)
{
    (void)state;
    mmd_model *model = squares(2, 0, 0);
    mmd_view_options options = mmd_default_view_options();
    for (int m = 0; m < 2; m++)
        model->materials[m].flags = MMD_MATERIAL_GROUND_SHADOW;
    assert_int_equal(ground_level(model, &options, -5.0f, 5.5f), 255);
    options.ground_shadow = true;
    assert_int_equal(ground_level(model, &options, -5.0f, 5.5f), 153); /* the light's 0.6 */
    assert_int_equal(ground_level(model, &options, 4.0f, 5.5f), 255);
    assert_int_equal(ground_level(model, &options, -5.0f, 12.0f), 255);
    options.ground_shadow_transparent = true; /* darkened once, though both squares cast a shadow there */
    assert_int_equal(ground_level(model, &options, -5.0f, 5.5f), 189); /* alpha 166/255 */
    model->materials[0].edge_color[3] = model->materials[1].edge_color[3] = 0.5f;
    assert_int_equal(ground_level(model, &options, -5.0f, 5.5f), 222);
    options.ground_shadow_transparent = false;
    assert_int_equal(ground_level(model, &options, -5.0f, 5.5f), 153);
    options.ground_shadow_brightness = 0.5f;
    assert_in_range(ground_level(model, &options, -5.0f, 5.5f), 76, 77);
    made_destroy(model);
}

/* No ground shadow without the flag or, as in MMD, with a transparent edge colour. */
static void materials_say_what_shades_the_ground(void **state)
{
    (void)state;
    mmd_view_options options = mmd_default_view_options();
    options.ground_shadow = true;
    mmd_model *model = squares(1, 0, 0);
    assert_int_equal(ground_level(model, &options, -5.0f, 5.0f), 255);
    model->materials[0].flags = MMD_MATERIAL_GROUND_SHADOW;
    assert_int_equal(ground_level(model, &options, -5.0f, 5.0f), 153);
    model->materials[0].edge_color[3] = 0.0f;
    assert_int_equal(ground_level(model, &options, -5.0f, 5.0f), 255);
    made_destroy(model);
}

/* Shadows lie 0.1 above the ground, so that a floor shows them. One with the flag is all shadow, as in MMD.
 */
static void floors_take_shadows_and_throw_them(void **state)
{
    (void)state;
    mmd_model *model = squares(2, 0, 0);
    model->materials[0].flags = MMD_MATERIAL_GROUND_SHADOW | MMD_MATERIAL_TWO_SIDED;
    model->materials[1].flags = MMD_MATERIAL_TWO_SIDED;
    set_color(&model->materials[1], 0.8f, 0.8f, 0.8f, 1.0f);
    for (uint32_t v = 4; v < 8; v++) {
        model->vertices.position[v][0] = v & 1 ? 15.0f : -15.0f;
        model->vertices.position[v][1] = 0.0f;
        model->vertices.position[v][2] = v & 2 ? 15.0f : -15.0f;
    }
    mmd_view_options options = mmd_default_view_options();
    options.ground_shadow = true;
    assert_int_equal(ground_level(model, &options, -5.0f, 5.0f), 153);
    assert_int_equal(ground_level(model, &options, 6.0f, -5.0f), 204);
    model->materials[1].flags |= MMD_MATERIAL_GROUND_SHADOW;
    assert_int_equal(ground_level(model, &options, 6.0f, -5.0f), 153);
    model->origin = MMD_ORIGIN_X; /* accessories do not need the flag */
    assert_true(ground_level(model, &options, -5.0f, 5.0f) != 153);
    made_destroy(model);
}

/* An error between passes leaves the shadow map open. The end of the frame closes it and counts it. */
static void a_map_left_open_ends_with_its_frame(void **state)
{
    (void)state;
    mmd_gpu *gpu;
    mmd_renderer *renderer;
    ASSERT_OK(mmd_gpu_create_headless(NULL, &gpu, error));
    ASSERT_OK(mmd_renderer_create(gpu, NULL, &renderer, error));
    mmd_render_scene scene = {.light_direction = {-0.5f, -1.0f, 0.5f},
                              .self_shadow = 1,
                              .shadow_distance = 0.01f,
                              .picture_width = 16,
                              .picture_height = 16};
    for (int k = 0; k < 4; k++)
        scene.view[5 * k] = scene.projection[5 * k] = 1.0f;
    mmd_gpu_target target = {0};
    ASSERT_OK(mmd_gpu_target_resize(gpu, &target, 16, 16, 0, error));
    mmd_renderer_measure(renderer, true);
    for (int frame = 0; frame < 3; frame++) {
        mmd_renderer_reset_statistics(renderer);
        mmd_render_begin(renderer, &scene, target.framebuffer, 16, 16);
        ASSERT_OK(mmd_render_shadow_map_begin(renderer, error));
        if (frame == 1)
            mmd_render_shadow_map_end(renderer);
        ASSERT_OK(mmd_render_end(renderer, error));
        assert_true(mmd_renderer_get_statistics(renderer).pass_us[MMD_PASS_SHADOW_MAP] > 0.0);
    }
    mmd_gpu_target_finish(gpu, &target);
    mmd_renderer_destroy(renderer);
    mmd_gpu_destroy(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_left_open_ends_with_its_frame),
        cmocka_unit_test(a_board_shadows_the_wall_in_both_modes),
        cmocka_unit_test(materials_say_what_casts_and_what_receives),
        cmocka_unit_test(shadows_deepen_with_the_distance),
        cmocka_unit_test(beyond_the_map_there_is_light_without_toon),
        cmocka_unit_test(textures_have_holes_only_where_alpha_is_cut_off),
        cmocka_unit_test(actors_may_stay_out_of_the_shadow),
        cmocka_unit_test(toon_factors_color_the_shadow),
        cmocka_unit_test(odd_numbers_of_keys_and_lights_are_survived),
        cmocka_unit_test(shadows_allocate_nothing_and_are_measured),
        cmocka_unit_test(ground_shadows_lie_where_the_light_puts_them),
        cmocka_unit_test(materials_say_what_shades_the_ground),
        cmocka_unit_test(floors_take_shadows_and_throw_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
