/* Images of several models with their own motions, positions and holders. An equivalent suite draws the same
 * image, and the image records these settings. */
#include "cli.h"
#include "render_support.h"
#include "mmd/format.h"
#include "mmd/keying.h"

static const char scene_options[] =
    "odori.pmx --own-motion odori.vmd --place -6,0,0 other.pmx --own-motion odori.vmd --delay 12 "
    "--place 6,0,0,0,20,0,0.5 third.pmx --hang 右手首 --frame 40 --size 160x120";

static void shoot(const char *options, const char *name)
{
    cli_result result = cli_run("shot %s -o %s", options, name);
    if (result.code != 0)
        fail_msg("%s", result.err);
    cli_finish(&result);
}

static void a_suite_draws_what_options_do(void **state)
{
    (void)state;
    shoot(scene_options, "shot.png");
    cli_write_text(
        "suite.json",
        "{\"scenes\":[{\"name\":\"three\",\"model\":[\"odori.pmx\",\"other.pmx\",\"third.pmx\"],"
        "\"own_motion\":{\"0\":\"odori.vmd\",\"1\":[\"odori.vmd\"]},\"frames\":[40],\"size\":[160,120],"
        "\"exec\":[\"model.select 0\",\"model.place -6 0 0 0 0 0 1\",\"model.select 1\","
        "\"model.delay 12\",\"model.place 6 0 0 0 20 0 0.5\",\"model.select 2\","
        "\"model.parent \\\"\\\" 1 右手首\"]}]}");
    cli_shell("rm -rf baselines");
    cli_result result = cli_run("check suite.json --accept");
    assert_int_equal(result.code, 0);
    cli_finish(&result);
    cli_shell("cp baselines/*/three/40.png suite.png");
    cli_expect(0, "", "diff shot.png suite.png");
    cli_expect(0, "", "check suite.json");
    /* The baseline fails when the motion moves another model. */
    cli_shell("sed -i 's/\"1\":/\"2\":/' suite.json");
    cli_expect(1, "", "check suite.json");
    cli_write_text("suite.json", "{\"scenes\":[{\"name\":\"a\",\"model\":\"odori.pmx\","
                                 "\"own_motion\":{\"first\":\"odori.vmd\"}}]}");
    cli_expect(3, "own_motion.first: expected the number of a model", "check suite.json");
    cli_write_text("suite.json", "{\"scenes\":[{\"name\":\"a\",\"model\":\"odori.pmx\","
                                 "\"own_motion\":{\"1\":\"odori.vmd\"}}]}");
    result = cli_run("check suite.json --accept");
    assert_int_not_equal(result.code, 0);
    assert_non_null(strstr(result.out, "it moves model 1, but there is only 1 (the first is 0)"));
    cli_finish(&result);
}

static void a_picture_tells_whom_a_motion_moves(void **state)
{
    (void)state;
    shoot("odori.pmx other.pmx --own-motion odori.vmd --frame 20 --size 80x60", "one.png");
    shoot("odori.pmx other.pmx --motion odori.vmd --frame 20 --size 80x60", "every.png");
    cli_result result = cli_run("diff one.png every.png");
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.out, "motion moves: model 1 -> every model"));
    cli_finish(&result);
}

/* Writes a camera that looks from left of the centre, so that mirroring changes the image. */
static void write_camera(const char *name)
{
    mmd_motion *motion;
    mmd_buffer vmd = {0};
    const mmd_key_row row = mmd_key_row_of(MMD_KEY_CAMERA, NULL);
    mmd_stored_key key = {.as.camera = {.record = MMD_NO_RECORD, .value = mmd_default_camera()}};
    key.as.camera.value.position[0] = 3;
    key.as.camera.value.rotation[1] = 0.5f;
    ASSERT_OK(mmd_motion_copy(NULL, &motion, error));
    ASSERT_OK(mmd_motion_add_key(motion, &row, 0, &key, NULL, error));
    ASSERT_OK(mmd_vmd_write(motion, &vmd, error));
    cli_write(name, vmd.data, vmd.size);
    mmd_buffer_finish(&vmd);
    mmd_motion_destroy(motion);
}

/* Arguments, a suite and the image itself are opened as the same recipe. In each of them, mirroring the dance
 * also mirrors the camera of a separate file. */
static void a_camera_is_mirrored_whoever_asks_for_it(void **state)
{
    (void)state;
    write_camera("camera.vmd");
    cli_write_text("lines.txt", "play.mirror on\n");
    shoot("odori.pmx --motion odori.vmd --camera camera.vmd --frame 20 --size 80x60", "plain.png");
    shoot("odori.pmx --motion odori.vmd --camera camera.vmd --frame 20 --size 80x60 --exec lines.txt",
          "mirrored.png");
    cli_expect(1, "", "diff plain.png mirrored.png");
    cli_expect(0, "", "check mirrored.png");
    cli_write_text("suite.json",
                   "{\"scenes\":[{\"name\":\"m\",\"model\":\"odori.pmx\",\"motion\":\"odori.vmd\","
                   "\"camera\":\"camera.vmd\",\"frames\":[20],\"size\":[80,60],"
                   "\"exec\":\"play.mirror on\"}]}");
    cli_shell("rm -rf baselines");
    cli_expect(0, "", "check suite.json --accept");
    cli_shell("cp baselines/*/m/20.png suite.png");
    cli_expect(0, "", "diff mirrored.png suite.png");
}

static int setup(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    cli_shell("cp odori.pmx other.pmx && cp odori.pmx third.pmx");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_suite_draws_what_options_do),
        cmocka_unit_test(a_picture_tells_whom_a_motion_moves),
        cmocka_unit_test(a_camera_is_mirrored_whoever_asks_for_it),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
