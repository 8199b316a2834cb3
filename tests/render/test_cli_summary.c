/* `odori check --summary` and `--times`: the table of pictures that did not pass, and the seconds of scenes.
 */
#include "cli.h"

#include "mmd/cursor.h"

static void check(int code, const char *arguments)
{
    cli_result result = cli_run("check %s", arguments);
    if (result.code != code)
        fail_msg("check %s: exit code %d, not %d: %s%s", arguments, result.code, code, result.out,
                 result.err);
    cli_finish(&result);
}

/* Reads a text file. The caller frees it. */
static char *read_text(const char *name)
{
    mmd_bytes bytes = cli_read(name);
    char *text = test_malloc(bytes.size + 1);
    memcpy(text, bytes.data, bytes.size);
    text[bytes.size] = '\0';
    assert_int_equal(strlen(text), bytes.size);
    mmd_bytes_finish(&bytes);
    return text;
}

/* Requires texts in this order, which end with NULL. */
static void assert_order(const char *text, const char *const *parts)
{
    const char *at = text;
    for (; *parts; parts++) {
        const char *found = strstr(at, *parts);
        if (!found)
            fail_msg("no \"%s\" after \"%.80s\" in: %s", *parts, at, text);
        at = found + strlen(*parts);
    }
}

/* Scenes of which one passes, one differs in one frame, one more, one has no baseline, and one cannot be
 * drawn. */
static const char suite[] =
    "{\"baselines\":\"base\",\"defaults\":{\"size\":[32,24],\"physics\":false,\"model\":\"odori.pmx\"},"
    "\"scenes\":["
    "{\"name\":\"passes\"},{\"name\":\"a|b_c<d>\",\"frames\":[0,30],\"motion\":\"odori.vmd\"},"
    "{\"name\":\"worse\",\"view\":{\"background\":\"000000\"}},{\"name\":\"fresh one\"},"
    "{\"name\":\"broken\",\"motion\":\"suite.json\"}]}";

static void rows_are_worst_first_with_causes_and_links(void **state)
{
    (void)state;
    cli_write_text("suite.json", suite);
    check(3, "suite.json --accept --edge on");
    cli_shell("rm -r base/*/fresh* && sed -i 's/000000/ffffff/' suite.json && cp $(ls "
              "base/*/'a_b_c_d_'/30.png) $(ls base/*/'a_b_c_d_'/0.png)");
    check(3, "suite.json --edge on --report out/report --summary out/s.md");
    char *text = read_text("out/s.md");
    static const char *const parts[] = {
        "**suite.json**: 5 scenes: 1 passed, 2 failed, 1 without a baseline, 1 could not be drawn\n",
        "\n| picture | difference | |\n|---|---|---|\n| broken | ",
        "suite.json",
        " | |\n| fresh one, frame 0 | no baseline | ![before, after, "
        "difference](report/thumbs/fresh%20one.png) [after](report/pictures/fresh%20one/0.png) |\n",
        "| worse, frame 0 | it is not equal to its baseline \\(largest 255, mean ",
        "; first step that differs: settings; view.background: 000000 -\\> ffffff | ![before, after, "
        "difference](report/thumbs/worse.png) "
        "[before](report/pictures/worse/0.baseline.png) [after](report/pictures/worse/0.png) "
        "[difference](report/pictures/worse/0.heat.png) |\n",
        "| a\\|b\\_c&lt;d\\>, frame 0 | it is not equal",
        "[before](report/pictures/a_b_c_d_/0.baseline.png)",
        NULL};
    assert_order(text, parts);
    assert_null(strstr(text, "passes"));
    assert_null(strstr(text, "frame 30"));
    test_free(text);

    /* The same bytes for any number of processes, and links from elsewhere. */
    check(3, "suite.json --edge on --report out/report --summary out/t.md --jobs 3 --sandbox on");
    assert_true(cli_same_files("out/s.md", "out/t.md"));
    check(3, "suite.json --edge on --report out/report --summary out/report/in.md");
    cli_shell("grep -q '(./thumbs/worse.png)' out/report/in.md");
    cli_shell("mkdir -p else/where");
    check(3, "suite.json --edge on --report out/report --summary else/where/s.md");
    cli_shell("grep -q '(../../out/report/thumbs/worse.png)' else/where/s.md");
    check(3, "suite.json --edge on --summary none.md");
    cli_shell("grep -q '| worse, frame 0 |' none.md && ! grep -q '](' none.md");
    check(0, "suite.json --edge on --only passes --summary none.md");
    text = read_text("none.md");
    assert_string_equal(text, "**suite.json**: 1 scene: 1 passed\n");
    test_free(text);
}

/* Joins a made report of many failing pictures, which is not drawn. */
static void a_long_table_ends_before_64_kib(void **state)
{
    (void)state;
    enum { FRAMES = 3000 };
    mmd_buffer json = {0};
    mmd_write_format(&json, "{\"format\":1,\"odori\":\"1\",\"suite\":\"s\",\"suite_hash\":\"x\",\"total\":1,"
                            "\"driver\":\"d\",\"scenes\":["
                            "{\"name\":\"a\",\"folder\":\"a\",\"place\":0,\"status\":\"fail\",\"frames\":[");
    for (int i = 0; i < FRAMES; i++)
        mmd_write_format(&json,
                         "%s{\"frame\":%d,\"status\":\"fail\",\"why\":\"***%s\",\"metrics\":{\"mean\":%d}}",
                         i ? "," : "", i, i == FRAMES - 1 ? "the worst" : "", i);
    mmd_write_format(&json, "]}]}");
    cli_shell("mkdir -p made");
    cli_write("made/results.json", json.data, json.size);
    mmd_buffer_finish(&json);
    check(1, "--merge made --report joined --summary joined.md");
    char *text = read_text("joined.md");
    const char *more = strstr(text, " more pictures did not pass.\n");
    size_t rows = 0;
    assert_in_range(strlen(text), 60 << 10, 64 << 10);
    assert_non_null(more);
    while (more[-1] != '\n')
        more--;
    for (const char *at = text; (at = strstr(at, "\n| a, frame ")) != NULL; at++)
        rows++;
    assert_int_equal(rows + (size_t)atoi(more), FRAMES);
    assert_non_null(strstr(text, "|---|---|---|\n| a, frame 2999 | \\*\\*\\*the worst"));
    test_free(text);
}

static void times_are_written_where_they_are_asked_for(void **state)
{
    (void)state;
    cli_write_text("suite.json", suite);
    check(1, "suite.json --only passes --only worse --baselines none --report t --times");
    cli_shell("test $(grep -c 'testcase.* time=\"[0-9]*[.][0-9][0-9][0-9]\"' t/junit.xml) = 2 && grep -q "
              "'\"seconds\": 0*[0-9.]' t/results.json");
    check(1, "suite.json --only passes --only worse --baselines none --report u");
    cli_shell("! grep -q 'time=' u/junit.xml && ! grep -q seconds u/results.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_worst_first_with_causes_and_links),
        cmocka_unit_test(a_long_table_ends_before_64_kib),
        cmocka_unit_test(times_are_written_where_they_are_asked_for),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
