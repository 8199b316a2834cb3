/* --actors: positions and dances of the copies, and that the image equals that of several files placed in the
 * same way. */
#include "cli.h"

#include "mmd/format.h"

/* Returns the larger of the figure's width and depth at rest, which is the spacing of the copies. */
static double width_of_figure(void)
{
    mmd_bytes bytes = cli_read("odori.pmx");
    mmd_model *model;
    float low[2] = {1e9f, 1e9f}, high[2] = {-1e9f, -1e9f};
    assert_int_equal(mmd_model_read(bytes.data, bytes.size, &model, NULL), MMD_OK);
    for (uint32_t v = 0; v < model->vertices.count; v++) {
        for (int k = 0; k < 2; k++) {
            float at = model->vertices.position[v][2 * k];
            low[k] = at < low[k] ? at : low[k];
            high[k] = at > high[k] ? at : high[k];
        }
    }
    mmd_model_destroy(model);
    mmd_bytes_finish(&bytes);
    double wide = (double)high[0] - (double)low[0], deep = (double)high[1] - (double)low[1];
    return wide > deep ? wide : deep;
}

/* The rows are one, two, and the first position of another row. Copies in the back are drawn first. */
static void copies_are_as_many_files_put_in_rows(void **state)
{
    (void)state;
    double w = width_of_figure();
    const struct {
        double across, back;
    } places[4] = {{0, 0}, {0.5, 1}, {-0.5, 1}, {0, 2}};
    char lines[1024] = "camera.set -90 0 10 12 -0.3 0 0 30\n";
    cli_write_text("camera.txt", lines);
    for (int i = 1; i < 4; i++) {
        size_t used = strlen(lines);
        snprintf(lines + used, sizeof lines - used,
                 "model.select %d\nmodel.place %.9g 0 %.9g 0 0 0 1\nmodel.order %d\nmodel.delay %d\n", i,
                 places[i].across * w, places[i].back * w, i == 3 ? -2 : -1, 5 * i);
    }
    cli_write_text("places.txt", lines);
    const char *same = "--motion odori.vmd --physics off --frame 40 --size 320x200 --self-shadow on";
    cli_expect(0, NULL, "shot odori.pmx odori.pmx odori.pmx odori.pmx %s --exec places.txt -o files.png",
               same);
    cli_expect(0, NULL, "shot odori.pmx --actors 4 --actors-delay 5 %s --exec camera.txt -o crowd.png", same);
    assert_true(cli_same_pictures("files.png", "crowd.png"));
    cli_expect(0, NULL, "shot odori.pmx %s --exec camera.txt -o one.png", same);
    assert_false(cli_same_pictures("one.png", "crowd.png"));
    cli_expect(0, NULL, "shot odori.pmx --actors 1 %s --exec camera.txt -o still-one.png", same);
    assert_true(cli_same_pictures("one.png", "still-one.png"));
}

/* Options of the first model apply to its copies, relative to its position. */
static void copies_follow_what_is_said_of_the_first(void **state)
{
    (void)state;
    double w = width_of_figure();
    char place[64];
    snprintf(place, sizeof place, "%.9g,0,%.9g", 3 + 0.5 * w, 4 + w);
    /* a camera is set because a crowd has its own */
    const char *same = "--physics off --frame 40 --size 160x120 --exec camera.txt";
    cli_write_text("camera.txt", "camera.set -45 0 10 0 0 0 0 30\n");
    cli_expect(0, NULL,
               "shot odori.pmx --place 3,0,4 --delay 6 --own-motion odori.vmd odori.pmx --place %s --delay 8 "
               "--own-motion odori.vmd %s -o files.png",
               place, same);
    cli_write_text("order.txt", "model.select 1\nmodel.order 0\n");
    cli_expect(0, NULL,
               "shot odori.pmx --place 3,0,4 --delay 6 --own-motion odori.vmd --actors 2 --actors-delay 2 %s "
               "--exec order.txt -o crowd.png",
               same);
    assert_true(cli_same_pictures("files.png", "crowd.png"));
}

static void threads_and_render_change_nothing(void **state)
{
    (void)state;
    const char *same = "odori.pmx --motion odori.vmd --actors 9 --actors-delay 2 --size 160x120";
    cli_expect(0, NULL, "shot %s --frame 12 --threads 1 -o one.png", same);
    cli_expect(0, NULL, "shot %s --frame 12 --threads 4 -o four.png", same);
    assert_true(cli_same_pictures("one.png", "four.png"));
    cli_expect(0, NULL, "render %s --frames 11:12 -o crowd/%%03d.png", same);
    assert_true(cli_same_pictures("one.png", "crowd/012.png"));
}

/* Returns whether something is visible and nothing is cut off at the image's border. */
static bool is_seen_whole(const char *path)
{
    mmd_image image = cli_picture(path);
    size_t inside = 0, border = 0;
    for (uint32_t y = 0; y < image.height; y++) {
        for (uint32_t x = 0; x < image.width; x++) {
            bool is_border = x == 0 || y == 0 || x + 1 == image.width || y + 1 == image.height;
            bool is_drawn = image.pixels[4 * ((size_t)y * image.width + x)] != 255;
            inside += is_drawn && !is_border;
            border += is_drawn && is_border;
        }
    }
    mmd_image_finish(&image);
    return inside > 100 && border == 0;
}

/* Without a camera, the camera is chosen to fit the crowd. The image records it. */
static void a_crowd_is_seen_whole(void **state)
{
    (void)state;
    const char *same = "--physics off --background ffffff --ground-shadow off";
    cli_expect(0, NULL, "shot odori.pmx --actors 30 --size 160x120 %s -o wide.png", same);
    assert_true(is_seen_whole("wide.png"));
    cli_expect(0, NULL, "shot odori.pmx --actors 30 --size 90x160 %s -o high.png", same);
    assert_true(is_seen_whole("high.png"));
    cli_expect(0, NULL, "check high.png");
}

static void fit_has_all_models_in_the_picture(void **state)
{
    (void)state;
    const char *same = "--physics off --frame 20 --motion odori.vmd --size 160x120";
    cli_expect(0, NULL, "shot odori.pmx --place 300,-20,40 odori.pmx --place 330,0,0 %s -o away.png", same);
    assert_false(is_seen_whole("away.png"));
    for (int turned = 0; turned < 2; turned++) {
        cli_write_text("fit.txt", turned ? "camera.view top\ncamera.fit\n" : "camera.fit\n");
        cli_expect(0, NULL,
                   "shot odori.pmx --place 300,-20,40 odori.pmx --place 330,0,0 %s --exec fit.txt -o fit.png",
                   same);
        assert_true(is_seen_whole("fit.png"));
        cli_expect(0, NULL, "check fit.png");
    }
}

static void bad_numbers_are_told(void **state)
{
    (void)state;
    cli_expect(2, "is not a number of actors from 1 to 1000", "shot odori.pmx --actors 0 -o x.png");
    cli_expect(2, "is not a number of actors from 1 to 1000", "render odori.pmx --actors 1001 -o x/%%d.png");
    cli_expect(2, "is not a number of actors from 1 to 1000", "bench odori.pmx --actors many");
    cli_expect(2, "is not a number of frames", "shot odori.pmx --actors 4 --actors-delay nan -o x.png");
}

static void bench_tells_what_one_of_them_costs(void **state)
{
    (void)state;
    json_t *bench = cli_json("bench odori.pmx --motion odori.vmd --actors 5 --frames 4 --size 64x64 --json");
    static const char *const keys[] = {"per_actor_sample_us",   "per_actor_pose_us",   "per_actor_physics_us",
                                       "per_actor_evaluate_us", "per_actor_upload_us", "per_actor_frame_ms",
                                       "per_actor_frame_cpu_ms"};
    assert_int_equal(json_integer_value(json_object_get(bench, "actors")), 5);
    assert_int_equal(json_number_value(json_object_get(bench, "heap_allocs_per_frame")), 0);
    assert_true(json_number_value(json_object_get(bench, "draw_calls")) > 0);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_true(json_is_number(json_object_get(bench, keys[i])));
    assert_float_equal(json_number_value(json_object_get(bench, "per_actor_frame_ms")) * 5,
                       json_number_value(json_object_get(bench, "frame_ms")), 1e-4);
    json_decref(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_as_many_files_put_in_rows),
        cmocka_unit_test(copies_follow_what_is_said_of_the_first),
        cmocka_unit_test(threads_and_render_change_nothing),
        cmocka_unit_test(a_crowd_is_seen_whole),
        cmocka_unit_test(fit_has_all_models_in_the_picture),
        cmocka_unit_test(bad_numbers_are_told),
        cmocka_unit_test(bench_tells_what_one_of_them_costs),
    };
    return cmocka_run_group_tests_name("crowds by the program", tests, cli_setup, NULL);
}
