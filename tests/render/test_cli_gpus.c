/* The choice of a GPU: --gpu, `info --gpus`, and which one is taken without. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Draws a picture with these options, and requires a text on stderr unless it is NULL. */
static void draw(int code, const char *text, const char *without, const char *options)
{
    cli_result result =
        cli_run("shot odori.pmx --size 32x24 --log info %s -o %s", options, code ? "none.png" : "out.png");
    if (result.code != code || (text && !strstr(result.err, text)) ||
        (without && strstr(result.err, without)))
        fail_msg("shot %s: exit code %d, not %d, or no \"%s\": %s", options, result.code, code,
                 text ? text : "", result.err);
    cli_finish(&result);
}

static void begin(bool software)
{
    setenv("LD_PRELOAD", ODORI_TWO_GPUS, 1);
    if (software)
        setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    else
        unsetenv("LIBGL_ALWAYS_SOFTWARE");
}

static void end(void)
{
    unsetenv("LD_PRELOAD");
    unsetenv("ODORI_TEST_BROKEN_GPU");
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
}

static void gpus_are_listed_before_software(void **state)
{
    (void)state;
    begin(true);
    json_t *all = cli_json("info --gpus --json"), *gpus = json_object_get(all, "gpus");
    const size_t count = json_array_size(gpus);
    assert_true(count >= 2);
    const json_t *first = json_array_get(gpus, 0), *last = json_array_get(gpus, count - 1);
    assert_string_equal(json_string_value(json_object_get(first, "file")), "/dev/dri/card70");
    assert_true(json_is_false(json_object_get(first, "software")));
    assert_true(json_is_true(json_object_get(last, "software")));
    assert_non_null(strstr(json_string_value(json_object_get(last, "name")), "llvmpipe"));
    json_decref(all);
    setenv("ODORI_TEST_BROKEN_GPU", "1", 1);
    cli_result result = cli_run("info --gpus");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "0  (/dev/dri/card70): cannot be used: "));
    assert_non_null(strstr(result.out, "1  llvmpipe"));
    cli_finish(&result);
    end();
    cli_expect(2, "--gpus takes no files", "info --gpus odori.pmx");
}

static void a_gpu_is_taken_before_the_processor(void **state)
{
    (void)state;
    static const char device[] = "(egl device)", surfaceless[] = "(egl surfaceless)";
    begin(false);
    draw(0, device, surfaceless, "");
    begin(true);
    draw(0, surfaceless, device, "");
    end();
}

static void a_gpu_is_chosen_by_number_name_or_file(void **state)
{
    (void)state;
    static const char *const choices[] = {"0", "1", "LLVMpipe", "card70", "70", "software"};
    draw(0, NULL, NULL, "");
    cli_shell("cp out.png usual.png");
    begin(true);
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        char options[64];
        snprintf(options, sizeof options, "--gpu %s", choices[i]);
        draw(0, "(egl device)", NULL, options);
        assert_true(cli_same_files("out.png", "usual.png"));
    }
    draw(4, "none of 2 devices has the number or name \"2\" (see odori info --gpus)", NULL, "--gpu 2");
    draw(4, "none of 2 devices has the number or name \"radeon\"", NULL, "--gpu radeon");
    setenv("ODORI_TEST_BROKEN_GPU", "1", 1);
    draw(4, "no display", NULL, "--gpu 0");
    end();
    cli_expect(2, "--gpu: the name of a GPU is empty", "shot odori.pmx --gpu= -o none.png");
    cli_expect(4, "radeon", "bench odori.pmx --frames 1 --size 32x24 --gpu radeon");
}

static void software_is_said_where_there_is_a_gpu(void **state)
{
    (void)state;
    static const char warning[] = "although there is a GPU, /dev/dri/card70: no display";
    begin(false);
    setenv("ODORI_TEST_BROKEN_GPU", "1", 1);
    draw(0, warning, NULL, "");
    draw(0, "(egl device)", warning, "--gpu software");
    begin(true);
    draw(0, "(egl surfaceless)", warning, "");
    end();
}

/* The processes that draw for a check have a context each. */
static void a_check_says_it_once(void **state)
{
    (void)state;
    static const char warning[] = "although there is a GPU";
    cli_write_text("suite.json",
                   "{\"defaults\":{\"model\":\"odori.pmx\",\"size\":[32,24]},\"scenes\":[{\"name\":\"a\"},"
                   "{\"name\":\"b\"},{\"name\":\"c\"}]}");
    begin(false);
    setenv("ODORI_TEST_BROKEN_GPU", "1", 1);
    cli_result result = cli_run("check suite.json --jobs 3 --repeat 2 --json");
    const char *first = strstr(result.err, warning);
    assert_int_equal(result.code, 0);
    assert_non_null(first);
    assert_null(strstr(first + 1, warning));
    assert_null(strstr(result.out, warning));
    cli_finish(&result);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gpus_are_listed_before_software),
        cmocka_unit_test(a_gpu_is_taken_before_the_processor),
        cmocka_unit_test(a_gpu_is_chosen_by_number_name_or_file),
        cmocka_unit_test(software_is_said_where_there_is_a_gpu),
        cmocka_unit_test(a_check_says_it_once),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
