/* Tests accessories and stages on the command line, without drawing: reading, messages, rejected files. */
#include "cli.h"

#include <math.h>

#include "mmd/source.h"

/* A square of two faces, 0.1 wide in the file and 1 unit in the scene. */
static const char square_x[] = "xof 0303txt 0032\n"
                               "Mesh {\n 4;\n -0.05;0;0;, 0.05;0;0;, 0.05;0.1;0;, -0.05;0.1;0;;\n"
                               " 2;\n 4;0,1,2,3;, 4;3,2,1,0;;\n}\n";

/* The accessory "fan" of "Fan.X" on bone 頭, in CP932. */
static const char fan_vac[] = "fan\r\n.\\Props\\FAN.X\r\n2.0\r\n1.0,2.0,3.0\r\n0.0,90.0,0.0\r\n\x93\xaa\r\n";

static void write_file(const char *name, const char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    assert_int_equal(mmd_file_write(path, text, strlen(text), NULL), MMD_OK);
}

static int setup(void **state)
{
    char command[1024];
    if (cli_setup(state) != 0)
        return -1;
    snprintf(command, sizeof command, "mkdir -p '%s'/props", cli_folder());
    assert_int_equal(system(command), 0);
    write_file("props/fan.x", square_x);
    write_file("fan.vac", fan_vac);
    write_file("lost.vac", "fan\r\nlost.x\r\n1\r\n0,0,0\r\n0,0,0\r\n\r\n");
    write_file("nose.vac", "fan\r\nprops/fan.x\r\n1\r\n0,0,0\r\n0,0,0\r\nnose\r\n");
    write_file("bow.vpd", "Vocaloid Pose Data file\r\n\r\na.osm;\r\n0;\r\n");
    write_file("torn.x", "xof 0303txt 0032\nMesh { 4;\n 0;0;0;,");
    write_file("torn.vac", "fan\r\ntorn.x\r\n1\r\n0,0,0\r\n0,0,0\r\n\r\n");
    return 0;
}

static void info_tells_what_a_vac_says(void **state)
{
    (void)state;
    json_t *root = cli_json("info --json fan.vac lost.vac props/fan.x");
    json_t *files = json_object_get(root, "files"), *vac = json_array_get(files, 0);
    assert_string_equal(json_string_value(json_object_get(vac, "kind")), "VAC");
    assert_string_equal(json_string_value(json_object_get(vac, "name")), "fan");
    assert_string_equal(json_string_value(json_object_get(vac, "bone")), "頭");
    assert_true(json_is_true(json_object_get(vac, "accessory_found")));
    assert_true(json_number_value(json_object_get(vac, "scale")) == 2);
    assert_true(json_number_value(json_object_get(json_object_get(vac, "position"), "z")) == 3);
    double turn = json_number_value(json_object_get(json_object_get(vac, "rotation_degrees"), "y"));
    assert_true(fabs(turn - 90) < 1e-4);
    assert_true(json_is_false(json_object_get(json_array_get(files, 1), "accessory_found")));
    assert_string_equal(json_string_value(json_object_get(json_array_get(files, 2), "kind")), "X");
    json_decref(root);
    cli_expect(0, "accessory                .\\Props\\FAN.X", "info fan.vac");
}

static void bad_accessories_exit_3_with_one_line(void **state)
{
    (void)state;
    cli_expect(3, "an accessory instead of a motion", "dump odori.pmx --motion props/fan.x --frames 0");
    cli_expect(3, "an accessory instead of a motion", "dump odori.pmx --motion fan.vac --frames 0");
    cli_expect(3, "an accessory instead of a motion", "dump odori.pmx --camera fan.vac --frames 0");
    cli_expect(3, "lost.vac: the accessory \"lost.x\" that it names was not found",
               "dump odori.pmx lost.vac --frames 0");
    cli_expect(3, "torn.x (named by torn.vac)", "dump odori.pmx torn.vac --frames 0");
    cli_expect(3, "torn.x", "dump odori.pmx --stage torn.x --frames 0");
    cli_expect(3, "no.x", "dump odori.pmx --stage no.x --frames 0");
    cli_expect(3, "odori.vmd", "dump odori.pmx --stage odori.vmd --frames 0");
    cli_expect(3, "needs a model", "dump odori.vmd --stage props/fan.x --frames 0");
    cli_expect(2, "only one --stage", "dump odori.pmx --stage a.x --stage b.x --frames 0");
    cli_expect(
        2, "fan.x: --stage-motion only shows and hides accessories, and bow.vpd has no keyframes for that",
        "dump odori.pmx --stage props/fan.x --stage-motion bow.vpd --frames 0");
    cli_expect(2, "fan.x: --own-motion only shows and hides accessories",
               "dump odori.pmx props/fan.x --own-motion bow.vpd --frames 0");
    cli_expect(3, "an accessory instead of a motion",
               "dump odori.pmx --stage odori.pmx --stage-motion props/fan.x --frames 0");
}

static void assert_same_dump(const char *a, const char *b)
{
    cli_result x = cli_run("dump --frames 0,30 %s", a), y = cli_run("dump --frames 0,30 %s", b);
    assert_int_equal(x.code, 0);
    assert_int_equal(y.code, 0);
    assert_string_equal(x.out, y.out);
    cli_finish(&x);
    cli_finish(&y);
}

/* dump shows the model, in whatever order files are given; an accessory only if there is no model. */
static void dump_means_the_one_model(void **state)
{
    (void)state;
    assert_same_dump("odori.pmx --motion odori.vmd", "fan.vac odori.pmx odori.vmd props/fan.x");
    assert_same_dump("odori.pmx --motion odori.vmd", "odori.pmx odori.vmd --stage odori.pmx");
    assert_same_dump("odori.pmx --motion odori.vmd",
                     "odori.pmx --stage odori.pmx --stage-motion odori.vmd --model 1");
    json_t *root = cli_json("dump fan.vac --motion odori.vmd --frames 30 --what bones,vertices");
    json_t *frame = json_array_get(json_object_get(root, "frames"), 0);
    json_t *bones = json_object_get(frame, "bones");
    assert_int_equal(json_array_size(bones), 1);
    assert_string_equal(json_string_value(json_object_get(json_array_get(bones, 0), "name")), "accessory");
    json_decref(root);
    write_file("c.txt", "morph.set 笑い 1\n"); /* the model's morph, though the accessory was named first */
    cli_expect(0, "\"weight\":1", "dump fan.vac odori.pmx --frames 0 --what morphs --exec c.txt");
    cli_expect(2, "one model, not 2", "dump props/fan.x props/fan.x --frames 0");
}

static void assert_warns(const char *text, const char *arguments)
{
    cli_result result = cli_run("dump --frames 0 %s", arguments);
    assert_int_equal(result.code, 0);
    if (*text ? !strstr(result.err, text) : *result.err)
        fail_msg("%s: %s", arguments, result.err);
    cli_finish(&result);
}

static void a_bone_that_is_not_there_is_said(void **state)
{
    (void)state;
    assert_warns("", "fan.vac odori.pmx");
    assert_warns("nose.vac: odori.pmx has no bone \"nose\"; it is placed at the origin", "odori.pmx nose.vac");
    assert_warns("there is no model to attach it to", "nose.vac");
    assert_warns("there is no model to attach it to", "nose.vac --stage odori.pmx");
}

static void commands_about_models_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"model.place 0 0 0 0 0 0\n", "takes 7 arguments"},
        {"model.place 1e7 0 0 0 0 0 1\n", "a million"},
        {"model.attach 0 頭\n", "own bone"},
        {"model.attach 2 頭\n", "no model 2"},
        {"model.attach 1 nose\n", "no bone \"nose\""},
        {"model.opacity 1.5\n", "between 0 and 1"},
        {"model.order 0.5\n", "whole number"},
        {"model.additive maybe\n", "on or off"},
        {"model.shadow 1\n", "on or off"},
        {"view.self-shadow 1\n", "on or off"},
        {"view.ground-shadow 1\n", "on or off"},
        {"view.shading cubic\n", "mmd or smooth"},
        {"camera.perspective no\n", "on or off"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_file("c.txt", bad[i].text);
        cli_expect(2, bad[i].message, "dump odori.pmx fan.vac --frames 0 --exec c.txt -o c.json");
    }
    write_file("c.txt", "help\nmodel.attach 1 \"\"\nmodel.place 1 2 3 4 5 6 7\n");
    cli_result result = cli_run("dump odori.pmx fan.vac --frames 0 --exec c.txt");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "model.place X Y Z RX RY RZ SCALE"));
    assert_non_null(strstr(result.err, "view.ground-shadow on|off"));
    cli_finish(&result);
}

static void an_orthographic_camera_reaches_the_dump(void **state)
{
    (void)state;
    write_file("c.txt", "camera.perspective off\n");
    cli_expect(0, "\"perspective\":false", "dump odori.pmx --frames 0 --what camera --exec c.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(info_tells_what_a_vac_says),
        cmocka_unit_test(bad_accessories_exit_3_with_one_line),
        cmocka_unit_test(dump_means_the_one_model),
        cmocka_unit_test(a_bone_that_is_not_there_is_said),
        cmocka_unit_test(commands_about_models_are_checked),
        cmocka_unit_test(an_orthographic_camera_reaches_the_dump),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
