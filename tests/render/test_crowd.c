/* Crowds: actors that share a model are skinned and drawn together. The image is identical to that of drawing
 * them one by one, the number of draw calls does not grow with the actors, and frames allocate nothing. */
#include "figure_scene.h"
#include "squares.h"

#include "mmd/memory.h"
#include "mmd/simulation.h"

enum { DANCERS = 9, WIDTH = 200, HEIGHT = 150 };

/* Figures on one stage in rows of three. Those in front nearly hide those behind. */
typedef struct crowd_scene {
    figure_scene figure;
    mmd_actor *more[DANCERS - 1];
} crowd_scene;

static void stand(crowd_scene *c, size_t index)
{
    mmd_staging staging = *mmd_stage_staging(c->figure.scene.stage, index);
    staging.position[0] = 9.0f * (float)(index % 3) - 9.0f;
    staging.position[2] = 8.0f * (float)(index / 3);
    staging.rotation[1] = 0.3f * (float)index;
    mmd_stage_set_staging(c->figure.scene.stage, index, &staging);
}

static void open_crowd(crowd_scene *c)
{
    open_figure(&c->figure);
    test_scene *scene = &c->figure.scene;
    for (int i = 0; i < DANCERS - 1; i++) {
        c->more[i] = mmd_actor_create(scene->model);
        assert_non_null(c->more[i]);
        ASSERT_OK(mmd_actor_add_motion(c->more[i], c->figure.motion, error));
        mmd_actor_set_delay(c->more[i], 7.0 * i);
        ASSERT_OK(mmd_stage_add_actor(scene->stage, c->more[i], error));
    }
    for (size_t i = 1; i < DANCERS; i++)
        stand(c, i);
}

static void close_crowd(crowd_scene *c)
{
    close_figure(&c->figure);
    for (int i = 0; i < DANCERS - 1; i++)
        mmd_actor_destroy(c->more[i]);
}

static void stage(crowd_scene *c, size_t index, float opacity, bool additive, float edge_scale)
{
    mmd_staging staging = *mmd_stage_staging(c->figure.scene.stage, index);
    staging.opacity = opacity;
    staging.additive = additive;
    staging.edge_scale = edge_scale;
    mmd_stage_set_staging(c->figure.scene.stage, index, &staging);
}

/* Draws the stage at its frame in both ways. */
static void assert_both_ways_alike(test_scene *scene, mmd_view_options options)
{
    mmd_image together = {0}, each = {0};
    ASSERT_OK(mmd_view_picture(scene->view, scene->stage, &options, WIDTH, HEIGHT, &together, error));
    options.each_actor = true;
    ASSERT_OK(mmd_view_picture(scene->view, scene->stage, &options, WIDTH, HEIGHT, &each, error));
    size_t differing = 0;
    for (size_t i = 0; i < 4 * (size_t)WIDTH * HEIGHT; i++)
        differing += together.pixels[i] != each.pixels[i];
    assert_int_equal(differing, 0);
    mmd_image_finish(&together);
    mmd_image_finish(&each);
}

static mmd_view_options with_everything(void)
{
    mmd_view_options options = mmd_default_view_options();
    options.self_shadow = options.ground_shadow = options.grid = true;
    options.ground_shadow_brightness = 0.4f;
    return options;
}

static void a_crowd_is_drawn_as_its_actors_one_by_one(void **state)
{
    (void)state;
    crowd_scene c;
    open_crowd(&c);
    for (double frame = 0.0; frame < 100.0; frame += 63.25) {
        mmd_stage_set_frame(c.figure.scene.stage, frame);
        assert_both_ways_alike(&c.figure.scene, mmd_default_view_options());
        assert_both_ways_alike(&c.figure.scene, with_everything());
    }
    mmd_view_options options = with_everything();
    options.samples = 4;
    options.shading = MMD_SHADING_SMOOTH;
    options.sdef = MMD_SDEF_SLERP;
    assert_both_ways_alike(&c.figure.scene, options);
    options.tile = 128;
    assert_both_ways_alike(&c.figure.scene, options);
    options.ground_shadow_transparent = true;
    memset(options.background, 0, sizeof options.background);
    assert_both_ways_alike(&c.figure.scene, options);
    close_crowd(&c);
}

/* Up close, most figures are outside the image, but their shadows may be inside. */
static void who_is_not_seen_is_not_missed(void **state)
{
    (void)state;
    crowd_scene c;
    mmd_camera camera = mmd_default_camera();
    open_crowd(&c);
    mmd_stage_set_frame(c.figure.scene.stage, 20.0);
    for (int i = 0; i < 12; i++) {
        camera.distance = -3.0f - 3.0f * (float)(i % 4);
        camera.position[0] = 7.0f * (float)(i % 3) - 7.0f;
        camera.position[1] = 3.0f * (float)(i % 5);
        camera.rotation[1] = 0.5f * (float)i;
        camera.perspective = i % 6 != 5;
        mmd_stage_set_camera(c.figure.scene.stage, &camera);
        assert_both_ways_alike(&c.figure.scene, mmd_default_view_options());
        assert_both_ways_alike(&c.figure.scene, with_everything());
    }
    close_crowd(&c);
}

static void actors_of_a_crowd_differ_in_how_they_are_drawn(void **state)
{
    (void)state;
    crowd_scene c;
    open_crowd(&c);
    stage(&c, 1, 0.5f, false, 1.0f);
    stage(&c, 2, 1.0f, true, 1.0f);
    stage(&c, 4, 0.8f, false, 0.0f);
    stage(&c, 5, 1.0f, false, 4.0f);
    mmd_actor_hide_material(c.more[5], 0, true);
    mmd_stage_set_frame(c.figure.scene.stage, 40.0);
    assert_both_ways_alike(&c.figure.scene, mmd_default_view_options());
    assert_both_ways_alike(&c.figure.scene, with_everything());
    close_crowd(&c);
}

static void draw_ids(test_scene *scene, bool each, uint32_t (*ids)[3])
{
    mmd_view_options options = mmd_default_view_options();
    options.each_actor = each;
    ASSERT_OK(mmd_view_ids(scene->view, scene->stage, &options, WIDTH, HEIGHT, ids, error));
}

/* Adding and removing actors and drawing ids in between does not change the image. */
static void a_crowd_changes_from_frame_to_frame(void **state)
{
    (void)state;
    crowd_scene c;
    open_crowd(&c);
    mmd_stage *stage_ = c.figure.scene.stage;
    size_t count = (size_t)WIDTH * HEIGHT;
    uint32_t(*ids)[3] = calloc(2 * count, sizeof *ids);
    mmd_view_options options = mmd_default_view_options();
    assert_non_null(ids);
    for (size_t i = 0; i < DANCERS; i++) {
        mmd_staging staging = *mmd_stage_staging(stage_, i);
        staging.visible = i % 3 != 1;
        staging.draw_order = (int32_t)(i * 5 % DANCERS);
        mmd_stage_set_staging(stage_, i, &staging);
        mmd_stage_set_frame(stage_, 11.0 * (double)i);
        assert_both_ways_alike(&c.figure.scene, options);
        draw_ids(&c.figure.scene, false, ids);
        draw_ids(&c.figure.scene, true, ids + count);
        assert_memory_equal(ids, ids + count, count * sizeof *ids);
        assert_both_ways_alike(&c.figure.scene, options);
    }
    free(ids);
    close_crowd(&c);
}

/* ---------------------------------------------------------------- squares */

enum { SQUARES = 12 };

/* Actors of one model with two squares, one behind the other. Each actor is a bit farther right and back. */
typedef struct square_crowd {
    test_scene scene;
    mmd_model *model;
    mmd_actor *more[SQUARES - 1];
} square_crowd;

static void open_squares(square_crowd *c, float alpha, float step, float depth)
{
    c->model = squares(2, 0, 0);
    set_color(&c->model->materials[0], 1.0f, 0.3f, 0.0f, alpha);
    set_color(&c->model->materials[1], 0.0f, 0.4f, 1.0f, 1.0f);
    test_scene_open_made(&c->scene, c->model, NULL, 0);
    for (int i = 0; i < SQUARES - 1; i++) {
        c->more[i] = mmd_actor_create(c->model);
        assert_non_null(c->more[i]);
        ASSERT_OK(mmd_stage_add_actor(c->scene.stage, c->more[i], error));
        mmd_staging staging = mmd_default_staging();
        staging.position[0] = step * (float)(i + 1);
        staging.position[2] = i % 2 ? 2.0f * depth : -depth * (float)i;
        mmd_stage_set_staging(c->scene.stage, (size_t)i + 1, &staging);
    }
    mmd_stage_set_frame(c->scene.stage, 0.0);
}

static void close_squares(square_crowd *c)
{
    test_scene_close(&c->scene);
    for (int i = 0; i < SQUARES - 1; i++)
        mmd_actor_destroy(c->more[i]);
    made_destroy(c->model);
}

static uint32_t count_draw_calls(square_crowd *c, bool each)
{
    mmd_view_options options = mmd_default_view_options();
    mmd_image image = {0};
    options.each_actor = each;
    ASSERT_OK(mmd_view_picture(c->scene.view, c->scene.stage, &options, WIDTH, HEIGHT, &image, error));
    mmd_image_finish(&image);
    return mmd_view_get_statistics(c->scene.view).draw_calls;
}

/* Skinning takes one draw call, and each of the two materials one. */
static void opaque_actors_take_as_many_draw_calls_as_materials(void **state)
{
    (void)state;
    square_crowd c;
    open_squares(&c, 1.0f, 1.0f, 2.0f);
    assert_both_ways_alike(&c.scene, mmd_default_view_options());
    mmd_stage_set_frame(c.scene.stage, 0.0);
    assert_int_equal(count_draw_calls(&c, true), 2 * SQUARES);
    assert_int_equal(count_draw_calls(&c, false), 2);
    close_squares(&c);
}

static void nothing_is_drawn_of_who_is_behind_the_eye(void **state)
{
    (void)state;
    square_crowd c;
    mmd_camera camera = mmd_default_camera();
    camera.rotation[1] = 3.14159265f;
    camera.position[2] = -200.0f;
    open_squares(&c, 1.0f, 1.0f, 2.0f);
    mmd_stage_set_camera(c.scene.stage, &camera);
    assert_int_equal(count_draw_calls(&c, false), 0);
    assert_both_ways_alike(&c.scene, mmd_default_view_options());
    close_squares(&c);
}

/* Translucent actors that overlap keep their order; those that do not are drawn in one call. */
static void translucent_actors_keep_their_order_where_they_overlap(void **state)
{
    (void)state;
    square_crowd c;
    open_squares(&c, 0.5f, 1.0f, 2.0f);
    assert_both_ways_alike(&c.scene, mmd_default_view_options());
    assert_int_equal(count_draw_calls(&c, false), 2 * SQUARES);
    close_squares(&c);
    open_squares(&c, 0.5f, 40.0f, 0.0f);
    assert_both_ways_alike(&c.scene, mmd_default_view_options());
    assert_int_equal(count_draw_calls(&c, false), 2);
    close_squares(&c);
}

static void frames_of_crowds_allocate_nothing(void **state)
{
    (void)state;
    crowd_scene c;
    open_crowd(&c);
    test_scene *scene = &c.figure.scene;
    mmd_view_options options = with_everything();
    mmd_gpu_target target = {0};
    ASSERT_OK(mmd_gpu_target_resize(scene->gpu, &target, WIDTH, HEIGHT, 0, error));
    uint64_t before = 0;
    for (int i = 0; i < 12; i++) {
        if (i == 2)
            before = mmd_heap_allocations();
        mmd_stage_set_frame(scene->stage, 9.0 * i);
        ASSERT_OK(
            mmd_view_draw(scene->view, scene->stage, &options, target.framebuffer, WIDTH, HEIGHT, error));
    }
    assert_int_equal(mmd_heap_allocations() - before, 0);
    mmd_gpu_target_finish(scene->gpu, &target);
    close_crowd(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowd_is_drawn_as_its_actors_one_by_one),
        cmocka_unit_test(who_is_not_seen_is_not_missed),
        cmocka_unit_test(actors_of_a_crowd_differ_in_how_they_are_drawn),
        cmocka_unit_test(a_crowd_changes_from_frame_to_frame),
        cmocka_unit_test(opaque_actors_take_as_many_draw_calls_as_materials),
        cmocka_unit_test(nothing_is_drawn_of_who_is_behind_the_eye),
        cmocka_unit_test(translucent_actors_keep_their_order_where_they_overlap),
        cmocka_unit_test(frames_of_crowds_allocate_nothing),
    };
    return cmocka_run_group_tests_name("crowd", tests, NULL, NULL);
}
