/* What the program draws: size, format, repeatability, what options and commands do to them. */
#include "cli.h"

#include "mmd/image.h"
#include "sample_motions.h"

static mmd_bytes read_output(const char *name)
{
    char path[1024];
    mmd_bytes bytes = {0};
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
    return bytes;
}

static mmd_image read_picture(const char *name)
{
    mmd_image image = {0};
    mmd_bytes bytes = read_output(name);
    assert_int_equal(mmd_image_decode(bytes.data, bytes.size, name, &image, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    return image;
}

static void shoot(const char *arguments)
{
    cli_expect(0, NULL, "shot odori.pmx --motion odori.vmd %s", arguments);
}

static bool same_files(const char *a, const char *b)
{
    mmd_bytes x = read_output(a), y = read_output(b);
    bool same = x.size == y.size && memcmp(x.data, y.data, x.size) == 0;
    mmd_bytes_finish(&x);
    mmd_bytes_finish(&y);
    return same;
}

/* Pixels alone: pictures tell of the options and commands that made them. */
static bool same_pictures(const char *a, const char *b)
{
    mmd_image x = read_picture(a), y = read_picture(b);
    bool same = x.width == y.width && x.height == y.height &&
                memcmp(x.pixels, y.pixels, (size_t)4 * x.width * x.height) == 0;
    mmd_image_finish(&x);
    mmd_image_finish(&y);
    return same;
}

/* Byte 25 of a PNG is its colour type, 28 whether it is interlaced. */
static void shot_is_an_rgb_png_of_the_size_asked_for(void **state)
{
    (void)state;
    shoot("--frame 30 --size 320x200 -o a.png");
    mmd_bytes png = read_output("a.png");
    assert_true(png.size > 1000);
    assert_int_equal(png.data[24], 8);
    assert_int_equal(png.data[25], 2);
    assert_int_equal(png.data[28], 0);
    mmd_bytes_finish(&png);
    mmd_image image = read_picture("a.png");
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
    mmd_image image = read_picture("default.png");
    assert_int_equal(image.width, 1280);
    assert_int_equal(image.height, 720);
    mmd_image_finish(&image);
}

static void equal_shots_are_equal_bytes(void **state)
{
    (void)state;
    shoot("--frame 100.25 --size 320x180 -o one.png");
    shoot("--frame=100.25 --size=320x180 --physics off --self-shadow off --threads 2 --seed 5 -otwo.png");
    assert_true(same_files("one.png", "two.png"));
    cli_result piped = cli_run("shot odori.pmx --motion odori.vmd --frame 100.25 --size 320x180 -o -");
    mmd_bytes one = read_output("one.png");
    assert_int_equal(piped.out_size, one.size);
    assert_memory_equal(piped.out, one.data, one.size);
    mmd_bytes_finish(&one);
    cli_finish(&piped);
    shoot("--frame 101 --size 320x180 -o four.png");
    assert_false(same_files("one.png", "four.png"));
}

static void transparent_background_makes_rgba(void **state)
{
    (void)state;
    shoot("--size 64x64 --background transparent -o t.png");
    mmd_bytes png = read_output("t.png");
    assert_int_equal(png.data[25], 6);
    mmd_bytes_finish(&png);
    mmd_image image = read_picture("t.png");
    assert_true(image.has_alpha);
    assert_int_equal(image.pixels[3], 0);
    assert_int_equal(image.pixels[4 * (20 * 64 + 32) + 3], 255); /* her face */
    mmd_image_finish(&image);
}

static void view_options_change_the_picture(void **state)
{
    (void)state;
    static const char *const options[] = {
        "--background 102030",     "--grid on",          "--edge off",        "--msaa 4",
        "--light-color 1,0.5,0.5", "--light-dir 1,-1,1", "--pixel-centers gl"};
    shoot("--size 160x120 -o plain.png");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "--size 160x120 %s -o option.png", options[i]);
        shoot(arguments);
        if (same_pictures("plain.png", "option.png"))
            fail_msg("%s changes nothing", options[i]);
    }
}

static void write_commands(const char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/commands.txt", cli_folder());
    assert_int_equal(mmd_file_write(path, text, strlen(text), NULL), MMD_OK);
}

static void commands_do_what_options_do(void **state)
{
    (void)state;
    shoot("--size 160x120 --edge off --grid on --background 404040 -o options.png");
    write_commands("view.edge off\nview.grid on\nview.background 404040\n");
    shoot("--size 160x120 --exec - -o commands.png <commands.txt");
    assert_true(same_pictures("options.png", "commands.png"));
    shoot("--size 160x120 --frame 60 -o frame60.png");
    write_commands("frame.set 60");
    shoot("--size 160x120 --exec commands.txt -o set60.png");
    assert_true(same_pictures("frame60.png", "set60.png"));
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
    assert_true(json_is_null(json_object_get(root, "physics_us")));
    assert_int_equal(json_integer_value(json_object_get(root, "frames")), 5);
    assert_int_equal(json_integer_value(json_object_get(root, "actors")), 3);
    json_decref(root);
}

/* Clips are antialiased: each of their pixels is the mean of four of a picture of twice the size. */
static void assert_antialiased(const char *arguments, const char *clip)
{
    char shot[256];
    snprintf(shot, sizeof shot, "%s -o large.png", arguments);
    shoot(shot);
    mmd_image small = read_picture(clip), large = read_picture("large.png");
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
    mmd_image image = read_picture("odori-clip/00059.png");
    assert_int_equal(image.width, 640);
    assert_int_equal(image.height, 360);
    mmd_image_finish(&image);
    assert_false(same_files("odori-clip/00000.png", "odori-clip/00030.png"));
    assert_antialiased("--size 1280x720", "odori-clip/00000.png");
}

/* One with camera keys. */
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

/* The first picture of what `play ARGUMENTS` draws is that of `shot` with the dancer's files and more. */
static void assert_plays(const char *arguments, const char *more)
{
    static const char dancer[] = ODORI_BINARY "/dancer";
    cli_expect(0, "odori-clip/00000.png", "play --msaa 1 %s", arguments);
    cli_expect(0, NULL, "shot '%s/dancer.pmx' %s --size 640x360 -o same.png", dancer, more);
    mmd_image clip = read_picture("odori-clip/00000.png"), shot = read_picture("same.png");
    assert_memory_equal(clip.pixels, shot.pixels, 640 * 360 * 4);
    mmd_image_finish(&clip);
    mmd_image_finish(&shot);
}

static void play_without_a_model_plays_the_bundled_dancer(void **state)
{
    (void)state;
    assert_plays("", "--motion '" ODORI_BINARY "/dancer/dance.vmd' --camera '" ODORI_BINARY
                     "/dancer/camera.vmd'");
    mmd_bytes last = read_output("odori-clip/00179.png"); /* twelve seconds */
    mmd_bytes_finish(&last);
    assert_plays("--motion odori.vmd", "--motion odori.vmd"); /* not her dance, not its camera */
    write_commands("frame.set 600\n");
    write_sample_motion("camera.vmd");
    assert_plays("--exec commands.txt --camera camera.vmd",
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
        cmocka_unit_test(dump_of_the_gpu_agrees_with_the_cpu),
        cmocka_unit_test(bench_json_has_the_fields_of_the_contract),
        cmocka_unit_test(play_without_a_display_makes_a_clip),
        cmocka_unit_test(play_without_a_model_plays_the_bundled_dancer),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
