/* Images of MMD's projects: the view settings of a project draw the same as the equivalent options. */
#include "cli.h"

#include <string.h>

#include "mmd/format.h"
#include "mmd/image.h"
#include "mmd/project.h"
#include "sample_projects.h"

/* A red square of two faces, two units wide. */
static const char square_x[] =
    "xof 0303txt 0032\nMesh {\n 4;\n -0.1;0;0;, 0.1;0;0;, 0.1;0.2;0;, -0.1;0.2;0;;\n"
    " 2;\n 4;0,1,2,3;, 4;3,2,1,0;;\n MeshMaterialList { 1; 2; 0,0;\n"
    "  Material { 0.9;0.1;0.1;1;; 5; 0;0;0;; 0.3;0;0;; TextureFilename { \"lost.png\"; } } }\n}\n";

/* The name is 右手首 in CP932. */
static const char fan_vac[] = "fan\r\nfan.x\r\n2.0\r\n0,0.5,0\r\n0,0,30\r\n\x89\x45\x8e\xe8\x8e\xf1\r\n";

static void write_file(const char *name, const void *data, size_t size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    assert_int_equal(mmd_file_write(path, data, size, NULL), MMD_OK);
}

static void write_commands(const char *text)
{
    write_file("c.txt", text, strlen(text));
}

static mmd_bytes read_file(const char *name)
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
    mmd_bytes bytes = read_file(name);
    assert_int_equal(mmd_image_decode(bytes.data, bytes.size, name, &image, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    return image;
}

static bool same_pictures(const char *a, const char *b)
{
    mmd_image x = read_picture(a), y = read_picture(b);
    bool same = x.width == y.width && x.height == y.height &&
                memcmp(x.pixels, y.pixels, (size_t)4 * x.width * x.height) == 0;
    mmd_image_finish(&x);
    mmd_image_finish(&y);
    return same;
}

static void add_fan(mmd_project *project, int32_t bone)
{
    const mmd_project_accessory_key keys[2] = {
        {.visibility = 1,
         .parent = {0, bone},
         .position = {0, 0.5f, 0},
         .rotation = {0, 0, 0.523598776f},
         .scale = 2},
        {.at.frame = 40, .visibility = 0, .parent = {-1, 0}, .scale = 1}};
    assert_int_equal(mmd_project_add_accessory(project, "fan", "D:\\mmd\\FAN.X", keys, 2, NULL), MMD_OK);
}

/* Makes a project of the figure with a fan in her hand, which disappears at frame 40. */
static mmd_project *make_project(void)
{
    mmd_project *project = mmd_project_create();
    mmd_model *model = NULL;
    mmd_motion *motion = NULL;
    mmd_bytes pmx = read_file("odori.pmx"), vmd = read_file("odori.vmd");
    assert_non_null(project);
    assert_int_equal(mmd_model_read(pmx.data, pmx.size, &model, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &motion, NULL), MMD_OK);
    assert_int_equal(mmd_project_add_model(project, model, motion, "D:\\mmd\\Odori.pmx", NULL), MMD_OK);
    add_fan(project, mmd_model_find_bone(model, "右手首"));
    mmd_model_destroy(model);
    mmd_motion_destroy(motion);
    mmd_bytes_finish(&pmx);
    mmd_bytes_finish(&vmd);
    project->accessories_after_models = 1;
    project->show_axis = project->show_ground_shadow = project->self_shadow_on = 0;
    project->view_width = 160;
    project->view_height = 120;
    project->frame = 12;
    return project;
}

static void write_pmm(mmd_project *project)
{
    mmd_buffer out = {0};
    write_project(project, &out);
    write_file("p.pmm", out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_project_destroy(project);
}

static int setup(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    write_file("fan.x", square_x, sizeof square_x - 1);
    write_file("fan.vac", fan_vac, sizeof fan_vac - 1);
    return 0;
}

static void assert_like(const char *project_options, const char *options)
{
    cli_expect(0, NULL, "shot p.pmm %s -o a.png", project_options);
    cli_expect(0, NULL, "shot %s -o b.png", options);
    if (!same_pictures("a.png", "b.png"))
        fail_msg("p.pmm %s is not %s", project_options, options);
}

#define FIGURE "odori.pmx fan.vac --motion odori.vmd --frame 12 --size 160x120 "

static void a_project_is_drawn_as_what_is_in_it(void **state)
{
    (void)state;
    write_pmm(make_project());
    assert_like("", FIGURE);
    assert_like("--frame 20 --size 80x60", "odori.pmx fan.vac --motion odori.vmd --frame 20 --size 80x60");
    assert_like("--frame 40", "odori.pmx --motion odori.vmd --frame 40 --size 160x120");
}

#define ALONE "odori.pmx --motion odori.vmd --frame 40 --size 160x120 "

static void its_view_counts_where_options_do_not_say_otherwise(void **state)
{
    (void)state;
    mmd_project *project = make_project();
    project->show_axis = project->show_ground_shadow = project->self_shadow_on = 1;
    project->frame = 40; /* without the fan, whose shadow switch is off: it would have no self shadow */
    project->black_background = 1;
    project->models[0].edge_width = 0;
    project->models[0].self_shadow = 1;
    write_pmm(project);
    cli_expect(0, NULL, "shot p.pmm -o all.png");
    assert_like("", ALONE "--grid on --ground-shadow on --self-shadow on --background 000000 --edge off");
    assert_like("--grid off --ground-shadow off --self-shadow off --background 80a0ff",
                ALONE "--background 80a0ff --edge off");
    assert_false(same_pictures("all.png", "a.png"));
    assert_like("--light-dir 1,-1,1 --light-color 1,1,1 --background ffffff --grid off", ALONE
                "--light-dir 1,-1,1 --light-color 1,1,1 --ground-shadow on --self-shadow on --edge off");
}

static void how_models_are_drawn_counts(void **state)
{
    (void)state;
    write_pmm(make_project());
    cli_expect(0, NULL, "shot p.pmm -o plain.png");
    mmd_project *project = make_project();
    project->accessories[0].add_blend = 1;
    write_pmm(project);
    cli_expect(0, NULL, "shot p.pmm --background 204060 -o a.png");
    write_commands("model.select 1\nmodel.additive on\n");
    cli_expect(0, NULL, "shot " FIGURE "--background 204060 --exec c.txt -o b.png");
    assert_true(same_pictures("a.png", "b.png"));
    project = make_project();
    project->accessories[0].keys[0].visibility = 1 + (75 << 1);
    write_pmm(project);
    cli_expect(0, NULL, "shot p.pmm -o a.png"); /* fading in, and gone at frame 40 */
    assert_false(same_pictures("a.png", "plain.png"));
}

/* Between two keyframes of an accessory its placement is interpolated, and so is its opacity. */
static void accessories_move_from_key_to_key(void **state)
{
    (void)state;
    mmd_project *project = make_project();
    mmd_project_accessory_key *keys = project->accessories[0].keys;
    keys[0].scale = 1;
    memset(keys[0].position, 0, sizeof keys[0].position);
    memset(keys[0].rotation, 0, sizeof keys[0].rotation);
    keys[1].visibility = 1 | 50 << 1;
    keys[1].parent = keys[0].parent;
    keys[1].position[0] = 8;
    keys[1].scale = 3;
    write_pmm(project);
    write_commands("model.select 1\nmodel.place 2 0 0 0 0 0 1.5\nmodel.opacity 0.875\n");
    assert_like("--frame 10", "odori.pmx fan.vac --motion odori.vmd --frame 10 --size 160x120 --exec c.txt");
    write_commands("model.select 1\nmodel.place 8 0 0 0 0 0 3\nmodel.opacity 0.5\n");
    assert_like("--frame 70", "odori.pmx fan.vac --motion odori.vmd --frame 70 --size 160x120 --exec c.txt");
    write_commands("model.select 1\nmodel.visible off\n");
    assert_like("--frame 10 --exec c.txt", "odori.pmx --motion odori.vmd --frame 10 --size 160x120");
}

/* An image of a project records the project, and the player opens it again. */
static void a_picture_of_a_project_tells_of_it(void **state)
{
    (void)state;
    write_pmm(make_project());
    cli_expect(0, NULL, "shot p.pmm -o told.png");
    mmd_bytes png = read_file("told.png");
    const char wanted[] = "\"path\":\"p.pmm\"";
    bool told = false;
    for (size_t i = 0; i + sizeof wanted < png.size && !told; i++)
        told = memcmp(png.data + i, wanted, sizeof wanted - 1) == 0;
    assert_true(told);
    mmd_bytes_finish(&png);
    write_commands("model.select 1\nquit\n");
    cli_expect(0, NULL, "play told.png --exec c.txt");
}

static void warnings_name_the_accessory_s_file(void **state)
{
    (void)state;
    cli_result result = cli_run("shot odori.pmx fan.vac --size 16x16 -o a.png");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "fan.x: texture lost.png"));
    cli_finish(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_project_is_drawn_as_what_is_in_it),
        cmocka_unit_test(its_view_counts_where_options_do_not_say_otherwise),
        cmocka_unit_test(how_models_are_drawn_counts),
        cmocka_unit_test(accessories_move_from_key_to_key),
        cmocka_unit_test(a_picture_of_a_project_tells_of_it),
        cmocka_unit_test(warnings_name_the_accessory_s_file),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
