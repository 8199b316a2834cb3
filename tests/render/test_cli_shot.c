/* The image that the program draws: size, format, reproducibility, and the effect of options and commands. */
#include "cli.h"

#include "scene/bundled.h"
#include "mmd/image.h"
#include "sample_motions.h"

static void shoot(const char *arguments)
{
    cli_expect(0, NULL, "shot odori.pmx --motion odori.vmd %s", arguments);
}

/* In a PNG, byte 25 is the colour type and byte 28 the interlace method. */
static void shot_is_an_rgb_png_of_the_size_asked_for(void **state)
{
    (void)state;
    shoot("--frame 30 --size 320x200 -o a.png");
    mmd_bytes png = cli_read("a.png");
    assert_true(png.size > 1000);
    assert_int_equal(png.data[24], 8);
    assert_int_equal(png.data[25], 2);
    assert_int_equal(png.data[28], 0);
    mmd_bytes_finish(&png);
    mmd_image image = cli_picture("a.png");
    assert_int_equal(image.width, 320);
    assert_int_equal(image.height, 200);
    size_t drawn = 0;
    for (size_t i = 0; i < 320 * 200; i++)
        drawn += image.pixels[4 * i + 1] < 250;
    assert_in_range(drawn, 2000, 30000);
    assert_int_equal(image.pixels[0], 255);
    mmd_image_finish(&image);
}

static void shot_is_1280_by_720_unless_asked_otherwise(void **state)
{
    (void)state;
    shoot("-o default.png");
    mmd_image image = cli_picture("default.png");
    assert_int_equal(image.width, 1280);
    assert_int_equal(image.height, 720);
    mmd_image_finish(&image);
}

static void equal_shots_are_equal_bytes(void **state)
{
    (void)state;
    shoot("--frame 100.25 --size 320x180 -o one.png");
    shoot("--frame=100.25 --size=320x180 --physics on --gravity 0,-98,0 --self-shadow off --threads 2 --seed "
          "5 -otwo.png");
    assert_true(cli_same_files("one.png", "two.png"));
    cli_result piped = cli_run("shot odori.pmx --motion odori.vmd --frame 100.25 --size 320x180 -o -");
    mmd_bytes one = cli_read("one.png");
    assert_int_equal(piped.out_size, one.size);
    assert_memory_equal(piped.out, one.data, one.size);
    mmd_bytes_finish(&one);
    cli_finish(&piped);
    shoot("--frame 101 --size 320x180 -o four.png");
    assert_false(cli_same_files("one.png", "four.png"));
}

static void transparent_background_makes_rgba(void **state)
{
    (void)state;
    shoot("--size 64x64 --background transparent -o t.png");
    mmd_bytes png = cli_read("t.png");
    assert_int_equal(png.data[25], 6);
    mmd_bytes_finish(&png);
    mmd_image image = cli_picture("t.png");
    assert_true(image.has_alpha);
    assert_int_equal(image.pixels[3], 0);
    assert_int_equal(image.pixels[4 * (20 * 64 + 32) + 3], 255); /* her face */
    mmd_image_finish(&image);
}

static void view_options_change_the_picture(void **state)
{
    (void)state;
    static const char *const options[] = {
        "--background 102030",     "--grid on",          "--edge off",         "--msaa 4",
        "--light-color 1,0.5,0.5", "--light-dir 1,-1,1", "--pixel-centers gl", "--mip-maps off"};
    shoot("--size 160x120 -o plain.png");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "--size 160x120 %s -o option.png", options[i]);
        shoot(arguments);
        if (cli_same_pictures("plain.png", "option.png"))
            fail_msg("%s changes nothing", options[i]);
    }
}

static void write_commands(const char *text)
{
    cli_write_text("commands.txt", text);
}

static void commands_do_what_options_do(void **state)
{
    (void)state;
    shoot("--size 160x120 --edge off --grid on --background 404040 -o options.png");
    write_commands("view.edge off\nview.grid on\nview.background 404040\n");
    shoot("--size 160x120 --exec - -o commands.png <commands.txt");
    assert_true(cli_same_pictures("options.png", "commands.png"));
    shoot("--size 160x120 --self-shadow on --ground-shadow on --shading smooth -o options.png");
    write_commands("view.self-shadow on\nview.ground-shadow on\nview.shading smooth\n");
    shoot("--size 160x120 --exec commands.txt -o commands.png");
    assert_true(cli_same_pictures("options.png", "commands.png"));
    shoot("--size 160x120 --frame 60 -o frame60.png");
    write_commands("frame.set 60");
    shoot("--size 160x120 --exec commands.txt -o set60.png");
    assert_true(cli_same_pictures("frame60.png", "set60.png"));
}

/* Writes a red square of two faces, two units wide and high, and a .vac that places it at her head, in front
 * of her face. */
static void write_square(const char *vac, const char *place)
{
    char text[256];
    cli_write_text("square.x", "xof 0303txt 0032\n"
                               "Mesh {\n 4;\n -0.1;0;0;, 0.1;0;0;, 0.1;0.2;0;, -0.1;0.2;0;;\n"
                               " 2;\n 4;0,1,2,3;, 4;3,2,1,0;;\n MeshMaterialList {\n 1;\n 2;\n 0,0;\n"
                               "  Material {\n 0.8;0.1;0.1;1;;\n 5;\n 0;0;0;;\n 0.2;0;0;;\n }\n }\n}\n");
    snprintf(text, sizeof text, "square\r\nSQUARE.X\r\n%s\r\n\x93\xaa\r\n", place); /* 頭 */
    cli_write_text(vac, text);
}

static size_t count_red(const char *name)
{
    mmd_image image = cli_picture(name);
    size_t red = 0;
    for (size_t i = 0; i < (size_t)image.width * image.height; i++)
        red += image.pixels[4 * i] > 100 && image.pixels[4 * i + 1] < 40 && image.pixels[4 * i + 2] < 40;
    mmd_image_finish(&image);
    return red;
}

static void accessories_hang_where_their_vac_says(void **state)
{
    (void)state;
    write_square("face.vac", "1.5\r\n0,0,-4\r\n0,10,20");
    shoot("--frame 100 --size 320x240 -o plain.png");
    shoot("--frame 100 --size 320x240 face.vac -o face.png");
    assert_in_range(count_red("face.png"), count_red("plain.png") + 200, 5000);
    write_commands("model.select 1\nmodel.place 0 0 -4 0 10 20 1.5\nmodel.attach 0 頭\n");
    shoot("--frame 100 --size 320x240 square.x --exec commands.txt -o placed.png");
    assert_true(cli_same_pictures("face.png", "placed.png"));
    shoot("--frame 140 --size 320x240 face.vac -o moved.png");
    assert_false(cli_same_pictures("face.png", "moved.png"));
    write_commands("model.select 1\nmodel.opacity 0\n");
    shoot("--frame 100 --size 320x240 face.vac --exec commands.txt -o none.png");
    assert_true(cli_same_pictures("plain.png", "none.png"));
}

static void draw_with(const char *arguments, const char *commands, const char *output)
{
    char all[512];
    write_commands(commands);
    snprintf(all, sizeof all, "--size 320x240 %s --exec commands.txt -o %s", arguments, output);
    shoot(all);
}

/* Half transparent in front of her face: drawn before her, it hides her; drawn after her, she shows through
 * it. */
static void the_first_accessory_is_drawn_before_models_and_others_after(void **state)
{
    (void)state;
    write_square("face.vac", "1.5\r\n0,0,-4\r\n0,0,0");
    draw_with("face.vac", "model.select 1\nmodel.opacity 0.5\n", "first.png");
    draw_with("face.vac", "model.select 1\nmodel.opacity 0.5\nmodel.order -1\n", "before.png");
    draw_with("face.vac", "model.select 1\nmodel.opacity 0.5\nmodel.order 1\n", "after.png");
    draw_with("face.vac --stage square.x",
              "model.select 1\nmodel.opacity 0.5\nmodel.select 2\nmodel.opacity 0\n", "second.png");
    draw_with("face.vac", "model.select 1\nmodel.opacity 0.5\nmodel.order 1\nmodel.additive on\n",
              "added.png");
    assert_true(cli_same_pictures("first.png", "before.png"));
    assert_false(cli_same_pictures("first.png", "after.png"));
    assert_true(cli_same_pictures("second.png", "after.png"));
    assert_false(cli_same_pictures("added.png", "after.png"));
}

/* The stage is the same figure at rest, visible where the dancer is not. */
static void a_stage_is_drawn_first_and_stands_still(void **state)
{
    (void)state;
    write_commands("model.select 1\nmodel.opacity 0\n");
    cli_expect(0, NULL, "shot odori.pmx --size 320x240 -o rest.png");
    cli_expect(0, NULL,
               "shot odori.pmx --stage odori.pmx --motion odori.vmd --frame 100 --size 320x240 -o both.png");
    write_commands("model.select 0\nmodel.opacity 0\n");
    cli_expect(0, NULL,
               "shot odori.pmx --stage odori.pmx --motion odori.vmd --frame 100 --size 320x240 --exec "
               "commands.txt -o stage.png");
    assert_true(cli_same_pictures("rest.png", "stage.png"));
    assert_false(cli_same_pictures("rest.png", "both.png"));
}

static void accessories_throw_shadows_where_asked_to(void **state)
{
    (void)state;
    write_square("face.vac", "1.5\r\n0,0,-4\r\n0,0,0");
    draw_with("face.vac --ground-shadow on", "", "none.png");
    draw_with("face.vac --ground-shadow on", "model.select 1\nmodel.shadow on\n", "thrown.png");
    assert_false(cli_same_pictures("none.png", "thrown.png"));
    draw_with("face.vac --self-shadow on", "", "on.png");
    draw_with("face.vac --self-shadow on", "model.select 1\nmodel.shadow off\n", "off.png");
    assert_false(cli_same_pictures("on.png", "off.png"));
}

static void pictures_of_accessories_are_drawn_again(void **state)
{
    (void)state;
    write_square("face.vac", "1.5\r\n0,0,-4\r\n0,0,0");
    draw_with("face.vac --stage square.x --frame 100 --self-shadow on",
              "model.select 2\nmodel.place 0 0 -3 0 0 0 1\nmodel.select 1\nmodel.additive on\n", "known.png");
    cli_expect(0, "equal", "check known.png");
}

static json_t *dumped_vertices(const char *skin, json_t **root)
{
    cli_result result =
        cli_run("dump odori.pmx --motion odori.vmd --frames 77 --what vertices --skin %s", skin);
    assert_int_equal(result.code, 0);
    *root = json_loads(result.out, 0, NULL);
    assert_non_null(*root);
    cli_finish(&result);
    return json_object_get(json_array_get(json_object_get(*root, "frames"), 0), "vertices");
}

static void dump_of_the_gpu_agrees_with_the_cpu(void **state)
{
    (void)state;
    json_t *cpu_root, *gpu_root;
    json_t *cpu = dumped_vertices("cpu", &cpu_root), *gpu = dumped_vertices("gpu", &gpu_root);
    static const char *const keys[] = {"positions", "normals"};
    for (int k = 0; k < 2; k++) {
        json_t *a = json_object_get(cpu, keys[k]), *b = json_object_get(gpu, keys[k]);
        assert_true(json_array_size(a) > 0);
        assert_int_equal(json_array_size(a), json_array_size(b));
        for (size_t i = 0; i < json_array_size(a); i++)
            assert_true(fabs(json_number_value(json_array_get(a, i)) -
                             json_number_value(json_array_get(b, i))) < 1e-3);
    }
    json_decref(cpu_root);
    json_decref(gpu_root);
}

static void bench_json_has_the_fields_of_the_contract(void **state)
{
    (void)state;
    static const char *const fields[] = {
        "load_ms",   "motion_load_ms", "sample_us",      "pose_us",     "physics_us",
        "upload_us", "frame_ms",       "first_frame_ms", "peak_rss_mb", "heap_allocs_per_frame",
        "frames",    "gl_renderer",    "actors"};
    json_t *root = cli_json("bench odori.pmx --motion odori.vmd --frames 5 --size 64x36 --actors 3 --json");
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        assert_non_null(json_object_get(root, fields[i]));
    assert_true(json_is_number(json_object_get(root, "physics_us")));
    assert_int_equal(json_integer_value(json_object_get(root, "frames")), 5);
    assert_int_equal(json_integer_value(json_object_get(root, "actors")), 3);
    json_t *passes = json_object_get(root, "passes");
    assert_true(json_number_value(json_object_get(passes, "object")) > 0);
    assert_true(json_number_value(json_object_get(passes, "shadow map")) == 0);
    json_decref(root);
}

static void bench_measures_every_pass(void **state)
{
    (void)state;
    static const char *const names[] = {"skin", "shadow map", "object", "edge", "ground shadow"};
    json_t *root = cli_json("bench odori.pmx --motion odori.vmd --frames 3 --size 64x36 --self-shadow on "
                            "--ground-shadow on --json");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!(json_number_value(json_object_get(json_object_get(root, "passes"), names[i])) > 0))
            fail_msg("%s takes no time", names[i]);
    json_decref(root);
    cli_expect(0, "shadow map",
               "bench odori.pmx --motion odori.vmd --frames 3 --size 64x36 --self-shadow on");
}

static void bench_startup_divides_the_first_frame(void **state)
{
    (void)state;
    static const char *const stages[] = {"open_ms", "find_textures_ms", "context_ms",
                                         "view_ms", "models_ms",        "draw_ms"};
    json_t *root = cli_json("bench odori.pmx --motion odori.vmd --size 64x36 --startup --json");
    const double whole = json_number_value(json_object_get(root, "first_frame_ms"));
    double sum = 0;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        const double part = json_number_value(json_object_get(json_object_get(root, "startup"), stages[i]));
        assert_true(part > 0);
        sum += part;
    }
    assert_true(sum <= whole);
    assert_null(json_object_get(root, "pose_us"));
    json_decref(root);
}

static void bench_render_measures_stages_and_files(void **state)
{
    (void)state;
    static const char *const stages[] = {"evaluate_us", "origin_us",     "draw_us",        "read_us",
                                         "compress_us", "write_us",      "png_picture_ms", "png_cpu_ms",
                                         "png_bytes",   "png_per_second"};
    json_t *root = cli_json("bench odori.pmx --motion odori.vmd --frames 3 --size 64x36 --render --json");
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (!(json_number_value(json_object_get(root, stages[i])) > 0))
            fail_msg("%s is not measured", stages[i]);
    assert_int_equal(json_integer_value(json_object_get(root, "frames")), 3);
    assert_int_equal(json_integer_value(json_object_get(root, "width")), 64);
    assert_true(json_number_value(json_object_get(root, "png_bytes")) < 4 * 64 * 36 + 4096);
    json_decref(root);
    cli_expect(2, "--startup and --render cannot be combined", "bench odori.pmx --startup --render");
}

/* Clips are antialiased: each pixel is the mean of four pixels of an image of twice the size. */
static void assert_antialiased(const char *arguments, const char *clip)
{
    char shot[256];
    snprintf(shot, sizeof shot, "%s -o large.png", arguments);
    shoot(shot);
    mmd_image small = cli_picture(clip), large = cli_picture("large.png");
    for (size_t i = 0; i < (size_t)4 * small.width * small.height; i++) {
        size_t x = i / 4 % small.width, y = i / 4 / small.width;
        const uint8_t *four = large.pixels + 4 * (2 * y * large.width + 2 * x) + i % 4,
                      *lower = four + 4 * large.width;
        assert_int_equal(small.pixels[i], (four[0] + four[4] + lower[0] + lower[4] + 2) / 4);
    }
    mmd_image_finish(&small);
    mmd_image_finish(&large);
}

static void play_without_a_display_makes_a_clip(void **state)
{
    (void)state;
    cli_expect(0, "odori-clip/00059.png", "play odori.pmx --motion odori.vmd");
    mmd_image image = cli_picture("odori-clip/00059.png");
    assert_int_equal(image.width, 640);
    assert_int_equal(image.height, 360);
    mmd_image_finish(&image);
    assert_false(cli_same_files("odori-clip/00000.png", "odori-clip/00030.png"));
    assert_antialiased("--size 1280x720", "odori-clip/00000.png");
}

/* Writes the sample motion, which has camera keyframes. */
static void write_sample_motion(const char *name)
{
    char path[1024];
    mmd_motion motion;
    mmd_buffer file = {0};
    sample_motion(&motion);
    assert_int_equal(mmd_vmd_write(&motion, &file, NULL), MMD_OK);
    sample_motion_finish(&motion);
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    assert_int_equal(mmd_file_write(path, file.data, file.size, NULL), MMD_OK);
    mmd_buffer_finish(&file);
}

/*
 * Requires that `play ARGUMENTS` draws the same first image as `shot` with the dancer's files and more, on
 * the player's pale background with a ground shadow. play prints how long its clip is, and is stopped before
 * the clip is complete.
 */
static void assert_plays(const char *arguments, int seconds, const char *more)
{
    static const char dancer[] = ODORI_BINARY "/dancer";
    char line[2048];
    snprintf(line, sizeof line,
             "rm -rf odori-clip; env -u DISPLAY -u WAYLAND_DISPLAY XDG_CONFIG_HOME=\"$PWD/.config\" "
             "XDG_STATE_HOME=\"$PWD/.state\" '%s/odori' play --msaa 1 %s 2>told & id=$!; "
             "while [ ! -e odori-clip/00001.png ] && kill -0 $id; do sleep 0.05; done; "
             "kill $id; wait $id; grep -q 'rendering a clip of %d seconds' told",
             ODORI_BINARY, arguments, seconds);
    cli_shell(line);
    cli_expect(0, NULL,
               "shot '%s/dancer.pmx' %s --background e0e8f5 --ground-shadow on --size 640x360 -o same.png",
               dancer, more);
    mmd_image clip = cli_picture("odori-clip/00000.png"), shot = cli_picture("same.png");
    assert_memory_equal(clip.pixels, shot.pixels, 640 * 360 * 4);
    mmd_image_finish(&clip);
    mmd_image_finish(&shot);
}

static void play_without_a_model_plays_the_bundled_dancer(void **state)
{
    (void)state;
    char more[2048];
    snprintf(more, sizeof more, "--frame %d --motion '%s/dancer/dance.vmd' --camera '%s/dancer/camera.vmd'",
             BUNDLED_CLIP_FRAME, ODORI_BINARY, ODORI_BINARY);
    assert_plays("", 12, more);
    assert_plays("--motion odori.vmd", 4, "--motion odori.vmd"); /* neither her dance nor its camera */
    write_commands("frame.set 600\n");
    write_sample_motion("camera.vmd");
    assert_plays("--exec commands.txt --camera camera.vmd --audio none", 4,
                 "--motion '" ODORI_BINARY "/dancer/dance.vmd' --camera camera.vmd --frame 600");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shot_is_an_rgb_png_of_the_size_asked_for),
        cmocka_unit_test(shot_is_1280_by_720_unless_asked_otherwise),
        cmocka_unit_test(equal_shots_are_equal_bytes),
        cmocka_unit_test(transparent_background_makes_rgba),
        cmocka_unit_test(view_options_change_the_picture),
        cmocka_unit_test(commands_do_what_options_do),
        cmocka_unit_test(accessories_hang_where_their_vac_says),
        cmocka_unit_test(the_first_accessory_is_drawn_before_models_and_others_after),
        cmocka_unit_test(a_stage_is_drawn_first_and_stands_still),
        cmocka_unit_test(accessories_throw_shadows_where_asked_to),
        cmocka_unit_test(pictures_of_accessories_are_drawn_again),
        cmocka_unit_test(dump_of_the_gpu_agrees_with_the_cpu),
        cmocka_unit_test(bench_json_has_the_fields_of_the_contract),
        cmocka_unit_test(bench_measures_every_pass),
        cmocka_unit_test(bench_startup_divides_the_first_frame),
        cmocka_unit_test(bench_render_measures_stages_and_files),
        cmocka_unit_test(play_without_a_display_makes_a_clip),
        cmocka_unit_test(play_without_a_model_plays_the_bundled_dancer),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
