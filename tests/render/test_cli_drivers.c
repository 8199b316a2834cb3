/* `odori check` between OpenGL drivers: baselines of other drivers, softpipe, and EGL 1.4. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "mmd/format.h"

/* The drivers, as variables of the environment. The last one draws with vectors of half the length. */
static const struct {
    const char *name, *variables[2], *values[2];
} drivers[] = {
    {"llvmpipe", {NULL, NULL}, {NULL, NULL}},
    {"softpipe", {"GALLIUM_DRIVER", NULL}, {"softpipe", NULL}},
    {"gl41", {"MESA_GL_VERSION_OVERRIDE", "MESA_GLSL_VERSION_OVERRIDE"}, {"4.1", "410"}},
    {"bits128", {"LP_NATIVE_VECTOR_WIDTH", NULL}, {"128", NULL}},
};
enum { DRIVERS = sizeof drivers / sizeof *drivers, LLVMPIPE = 0, SOFTPIPE = 1, GL41 = 2 };

/* Draws with another driver from now on. */
static void use_driver(int chosen)
{
    for (int i = 0; i < DRIVERS; i++)
        for (int k = 0; k < 2 && drivers[i].variables[k]; k++)
            unsetenv(drivers[i].variables[k]);
    for (int k = 0; k < 2 && drivers[chosen].variables[k]; k++)
        setenv(drivers[chosen].variables[k], drivers[chosen].values[k], 1);
}

/* Runs `check`, and requires an exit code and a text on stdout or stderr. */
static void check(int code, const char *text, const char *arguments)
{
    cli_result result = cli_run("check %s", arguments);
    if (result.code != code || (!strstr(result.out, text) && !strstr(result.err, text)))
        fail_msg("check %s: exit code %d, not %d, or no \"%s\": %s%s", arguments, result.code, code, text,
                 result.out, result.err);
    cli_finish(&result);
}

/* Moves the vertex that is farthest in front, or changes the colour of the largest material. */
static void mutate(mmd_model *m, bool moved)
{
    uint32_t front = 0, largest = 0;
    for (uint32_t i = 0; i < m->vertices.count; i++)
        front = m->vertices.position[i][2] < m->vertices.position[front][2] ? i : front;
    for (uint32_t i = 0; i < m->material_count; i++)
        largest = m->materials[i].index_count > m->materials[largest].index_count ? i : largest;
    if (moved)
        m->vertices.position[front][1] += 4;
    else
        m->materials[largest].ambient[1] *= 0.6f;
}

static void write_mutated(const char *name, bool moved)
{
    mmd_bytes bytes = cli_read("odori.pmx");
    mmd_model *model = NULL;
    mmd_buffer out = {0};
    assert_int_equal(mmd_pmx_read(bytes.data, bytes.size, &model, NULL), MMD_OK);
    mutate(model, moved);
    assert_int_equal(mmd_pmx_write(model, &out, NULL), MMD_OK);
    cli_write(name, out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_bytes_finish(&bytes);
    mmd_model_destroy(model);
}

/* Darkens the texture of the dress in a copy of the model's folder. */
static void write_other_texture(void)
{
    cli_shell("mkdir -p t && cp *.png t && cp odori.pmx t/texture.pmx");
    mmd_image dress = cli_picture("t/dress.png");
    mmd_buffer png = {0};
    for (size_t i = 0; i < (size_t)dress.width * dress.height; i++)
        for (int k = 0; k < 3; k++)
            dress.pixels[4 * i + k] = (uint8_t)(dress.pixels[4 * i + k] * 3 / 4);
    assert_int_equal(mmd_png_write(&dress, &(mmd_png_options){.alpha = true, .level = MMD_PNG_FAST}, &png, NULL),
                     MMD_OK);
    cli_write("t/dress.png", png.data, png.size);
    mmd_buffer_finish(&png);
    mmd_image_finish(&dress);
}

/* Writes a suite. The models of the last three scenes are given, which are always those of the same place. */
static void write_suite(const char *name, const char *vertex, const char *colour, const char *texture)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "{\"baselines\":\"b\",\"defaults\":{\"size\":[96,72],\"model\":\"odori.pmx\",\"motion\":"
        "\"odori.vmd\","
        "\"cameras\":[{\"name\":\"c\",\"target\":[0,10,0],\"distance\":45}]},\"scenes\":["
        "{\"name\":\"edges\",\"view\":{\"edge\":true}},"
        "{\"name\":\"toon\",\"view\":{\"edge\":false,\"light_dir\":[-1,-0.3,0.4]}},"
        "{\"name\":\"transparency\",\"frames\":90,\"view\":{\"background\":\"transparent\"}},"
        "{\"name\":\"shadows\",\"frames\":30,\"view\":{\"self_shadow\":true,\"light_dir\":[-0.7,-1,0.4]}},"
        "{\"name\":\"spheres\",\"cameras\":[{\"name\":\"c\",\"target\":[0,13,0],\"distance\":14}]},"
        "{\"name\":\"vertex\",\"model\":\"%s\"},{\"name\":\"colour\",\"model\":\"%s\"},"
        "{\"name\":\"texture\",\"model\":\"%s\"}]}",
        vertex, colour, texture);
    cli_write_text(name, text);
}

/* Makes the files, and the baselines of each driver in a folder of its own: made/softpipe/softpipe-…. */
static void make_all(void)
{
    static bool is_made;
    char arguments[128];
    if (is_made)
        return;
    is_made = true;
    write_mutated("vertex.pmx", true);
    write_mutated("colour.pmx", false);
    write_other_texture();
    write_suite("was.json", "odori.pmx", "odori.pmx", "odori.pmx");
    write_suite("now.json", "vertex.pmx", "colour.pmx", "t/texture.pmx");
    for (int i = 0; i < DRIVERS; i++) {
        use_driver(i);
        snprintf(arguments, sizeof arguments, "was.json --accept --baselines made/%s", drivers[i].name);
        check(0, "8 accepted", arguments);
    }
    use_driver(LLVMPIPE);
}

/* Makes b the baselines of a driver as if they were those of a driver named "other". */
static void place(int driver)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf b && mkdir b && cp -r made/%s/* b/other", drivers[driver].name);
    cli_shell(command);
}

/* Returns the only frame of a scene of a report, which is the index-th. */
static const json_t *frame_of(const json_t *results, size_t index)
{
    const json_t *scene = json_array_get(json_object_get(results, "scenes"), index);
    return json_array_get(json_object_get(scene, "frames"), 0);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Checks now.json against the baselines of another driver: unchanged scenes pass, all others fail by the
 * step. */
static void check_pair(int was, int now)
{
    static const char *const steps[] = {NULL, NULL, NULL, NULL, NULL, "model", "model", "textures"};
    place(was);
    use_driver(now);
    json_t *results = NULL;
    cli_result result = cli_run("check now.json --json");
    results = json_loads(result.out, 0, NULL);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const json_t *frame = frame_of(results, i), *other = json_object_get(frame, "other_driver");
        const char *step = text_of(frame, "stage");
        const bool good = !steps[i] ? strcmp(text_of(frame, "status"), "pass") == 0 &&
                                          json_is_true(json_object_get(other, "same_scene"))
                                    : strcmp(text_of(frame, "status"), "fail") == 0 &&
                                          json_is_false(json_object_get(other, "same_scene")) &&
                                          strcmp(step, steps[i]) == 0;
        if (!good || strcmp(text_of(other, "driver"), "other") != 0)
            fail_msg("baseline of %s, drawn by %s, scene %zu: %s%s", drivers[was].name, drivers[now].name, i,
                     result.out, result.err);
    }
    assert_int_equal(result.code, 1);
    json_decref(results);
    cli_finish(&result);
}

static void scenes_pass_and_changes_fail_between_all_drivers(void **state)
{
    (void)state;
    make_all();
    for (int was = 0; was < DRIVERS; was++)
        for (int now = 0; now < DRIVERS; now++)
            if (was != now)
                check_pair(was, now);
    use_driver(LLVMPIPE);
}

/* The hashes are those of the scene, but the picture is another one, as if drawing itself had been changed.
 */
static void pictures_of_the_same_scene_are_judged(void **state)
{
    (void)state;
    make_all();
    use_driver(SOFTPIPE);
    check(0, "8 accepted", "now.json --accept --baselines changed");
    place(SOFTPIPE);
    use_driver(LLVMPIPE);
    check(0,
          "note  shadows-c: frame 30: same scene, other rasteriser (baseline of other): within the tolerance",
          "was.json --report r");
    cli_shell("grep -q 'note: frame 30: same scene, other rasteriser' r/junit.xml && "
              "grep -q '\"same_scene\": true' r/results.json");
    /* So are pictures that are drawn again, unless the command line says how. */
    check(0, "30.png: same scene, other rasteriser: within the tolerance (", "b/other/shadows-c/30.png");
    check(1, "30.png: different: ", "b/other/shadows-c/30.png --tolerance max=0");
    /* The page of the report says it. */
    cli_need("chromium");
    cli_shell(
        "HOME=$PWD timeout 60 chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage "
        "--user-data-dir=$PWD/browser --virtual-time-budget=20000 --dump-dom file://$PWD/r/index.html "
        ">dom.html "
        "2>browser.log");
    cli_shell(
        "grep -q '<b>same scene, other rasteriser</b> — baseline of other; beyond edges: largest ' dom.html");
    cli_shell("for s in colour texture; do cp changed/*/$s-c/0.png b/other/$s-c; done");
    check(1, "8 scenes: 6 passed, 2 failed", "was.json --report r");
    check(1,
          "fail  colour-c: frame 0: same scene, other rasteriser (baseline of other): beyond edges share is ",
          "was.json --only colour-c");
    cli_shell("grep -q 'message=\"frame 0: same scene, other rasteriser (baseline of other): ' r/junit.xml");
    check(0, "2 accepted, 6 passed", "was.json --accept-from r");
    check(0, "8 scenes: 8 passed", "was.json");
}

static void the_tolerance_is_the_suite_s(void **state)
{
    (void)state;
    make_all();
    place(SOFTPIPE);
    cli_shell("sed 's/\"defaults\":{/&\"other_driver\":{\"edges\":0,\"share\":0},/' was.json >strict.json && "
              "sed 's/\"defaults\":{/&\"other_driver\":{\"flip\":0.000001},/' was.json >flip.json && "
              "sed 's/\"defaults\":{/&\"other_driver\":false,/' was.json >off.json");
    check(1, "beyond edges share is", "strict.json");
    check(1, "(baseline of other): flip is", "flip.json");
    check(1, "8 without a baseline", "off.json");
    cli_write_text("bad.json", "{\"defaults\":{\"other_driver\":{\"edges\":65}},\"scenes\":[]}");
    check(3, "defaults.other_driver.edges: expected a number from 0 to 64", "bad.json");
    cli_write_text("bad.json", "{\"defaults\":{\"other_driver\":1},\"scenes\":[]}");
    check(3, "expected true, false, or an object with limits", "bad.json");
}

/* Writes the picture of a baseline again, as one of a driver of another vendor. */
static void change_vendor(const char *name)
{
    mmd_image picture = cli_picture(name);
    char *scene = cli_picture_scene(name), *vendor = strstr(scene, "\"vendor\":\"");
    assert_non_null(vendor);
    vendor[strlen("\"vendor\":\"")] = 'Z';
    cli_write_picture(name, &picture, scene);
    free(scene);
    mmd_image_finish(&picture);
}

static void the_nearest_driver_is_taken(void **state)
{
    (void)state;
    make_all();
    cli_shell("rm -rf b && mkdir b && cp -r made/softpipe/* b/aaa && cp -r b/aaa b/llvmpipe-4 && cp -r b/aaa "
              "b/llv");
    check(0, "(baseline of llvmpipe-4)", "was.json --only edges-c");
    change_vendor("b/llvmpipe-4/edges-c/0.png");
    check(0, "(baseline of llv)", "was.json --only edges-c");
    change_vendor("b/aaa/edges-c/0.png");
    cli_shell("rm b/llv/edges-c/0.json");
    check(0, "(baseline of llvmpipe-4)", "was.json --only edges-c"); /* of any vendor */
    cli_shell("rm -r b/aaa b/llv && echo damaged >b/llvmpipe-4/edges-c/0.json");
    check(1, "whether it is the scene of its baseline is unknown", "was.json --only edges-c");
    /* A link out of the suite's folders is as if there were nothing. */
    cli_shell("rm -rf b away && mkdir b away away/suite && cp -r made/softpipe/* away/other && "
              "cp -r was.json *.pmx *.png odori.vmd t away/suite && mkdir away/suite/b && "
              "ln -s ../../other away/suite/b/other && mkdir away/suite/.git");
    check(1, "1 without a baseline", "away/suite/was.json --only edges-c");
    /* The driver's own baseline comes first. */
    cli_shell("rm -rf b && cp -r made/llvmpipe b && cp -r made/softpipe/* b/other");
    cli_result result = cli_run("check was.json");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.out, "8 scenes: 8 passed\n");
    cli_finish(&result);
}

/* Requires that llvmpipe draws the same pictures with EGL 1.4, without the extensions in a list. */
static void assert_old_egl_draws(const char *without)
{
    setenv("LD_PRELOAD", ODORI_OLD_EGL, 1);
    setenv("ODORI_TEST_NO_EGL", without, 1);
    cli_result result = cli_run("check was.json --only edges-c --log debug --baselines made/llvmpipe");
    unsetenv("LD_PRELOAD");
    unsetenv("ODORI_TEST_NO_EGL");
    if (result.code != 0 || strcmp(result.out, "1 scene: 1 passed\n") != 0)
        fail_msg("EGL 1.4 without %s: %s%s", without, result.out, result.err);
    cli_finish(&result);
}

static void egl_1_4_is_enough(void **state)
{
    (void)state;
    make_all();
    use_driver(LLVMPIPE);
    assert_old_egl_draws("EGL_KHR_no_config_context");
    assert_old_egl_draws("EGL_KHR_surfaceless_context");
    assert_old_egl_draws("EGL_MESA_platform_surfaceless");
    setenv("EGL_PLATFORM", "surfaceless", 1);
    assert_old_egl_draws("EGL_MESA_platform_surfaceless EGL_EXT_platform_device EGL_EXT_platform_base "
                         "EGL_KHR_surfaceless_context");
    setenv("LD_PRELOAD", ODORI_OLD_EGL, 1);
    setenv("ODORI_TEST_NO_EGL", "EGL_KHR_create_context", 1);
    check(4, "EGL 1.4 without EGL_KHR_create_context", "was.json");
    unsetenv("LD_PRELOAD");
    unsetenv("ODORI_TEST_NO_EGL");
    unsetenv("EGL_PLATFORM");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_pass_and_changes_fail_between_all_drivers),
        cmocka_unit_test(pictures_of_the_same_scene_are_judged),
        cmocka_unit_test(the_tolerance_is_the_suite_s),
        cmocka_unit_test(the_nearest_driver_is_taken),
        cmocka_unit_test(egl_1_4_is_enough),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
