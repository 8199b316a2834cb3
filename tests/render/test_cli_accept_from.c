/* `odori check --accept-from`: pictures of a report become baselines, without OpenGL, all or none. */
#include "cli.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Runs `check`, and requires an exit code and a text on stdout or stderr. */
static void check(int code, const char *text, const char *arguments)
{
    cli_result result = cli_run("check %s", arguments);
    if (result.code != code || (text && !strstr(result.out, text) && !strstr(result.err, text)))
        fail_msg("check %s: exit code %d, not %d, or no \"%s\": %s%s", arguments, result.code, code,
                 text ? text : "", result.out, result.err);
    cli_finish(&result);
}

/* Runs `check --accept-from` where OpenGL cannot be opened. */
static void accept_from(int code, const char *text, const char *arguments)
{
    char line[512];
    setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent", 1);
    setenv("LIBGL_DRIVERS_PATH", "/nonexistent", 1);
    snprintf(line, sizeof line, "suite.json --accept-from %s", arguments);
    check(code, text, line);
    unsetenv("__EGL_VENDOR_LIBRARY_FILENAMES");
    unsetenv("LIBGL_DRIVERS_PATH");
}

/* Three scenes whose baselines were drawn without edges, so that all fail, and a report of them. */
static const char suite[] =
    "{\"baselines\":\"base\",\"defaults\":{\"size\":[32,24],\"physics\":false,\"model\":\"odori.pmx\","
    "\"motion\":\"dance.vmd\"},\"scenes\":["
    "{\"name\":\"a\",\"frames\":[0,30]},{\"name\":\"b\"},{\"name\":\"c\",\"frames\":7.5}]}";

/* Makes the suite, its baselines and the report r, and keeps copies to begin anew from. */
static void make_report(void)
{
    static bool is_made;
    if (!is_made) {
        cli_shell("cp odori.vmd dance.vmd");
        cli_write_text("suite.json", suite);
        check(0, "3 accepted", "suite.json --accept --background 102030");
        check(1, "3 failed", "suite.json --report r");
        cli_shell("rm -rf keep && mkdir keep && cp -r base r suite.json odori.pmx dance.vmd *.png keep");
    }
    is_made = true;
    cli_shell("rm -rf base r && cp -r keep/* .");
}

/* Requires that the baselines are what they were, and that nothing hidden is left. */
static void assert_nothing_accepted(void)
{
    cli_shell("diff -r base keep/base >&2");
}

static void twenty_of_twenty_five_are_accepted_without_opengl(void **state)
{
    (void)state;
    cli_shell(
        "rm -rf many && mkdir many && cd many && cp ../*.pmx ../*.png . && cp ../odori.vmd dance.vmd && "
        "for m in 1 2 3 4; do cp odori.pmx m$m.pmx; done");
    cli_write_text(
        "many/suite.json",
        "{\"baselines\":\"base\",\"scenes\":[{\"name\":\"{model}-{camera}\",\"models\":\"*.pmx\",\"motion\":"
        "\"dance.vmd\","
        "\"size\":[24,16],\"physics\":false,\"frames\":[0,15],\"cameras\":[{\"name\":\"1\",\"distance\":40},"
        "{\"name\":\"2\",\"distance\":50},{\"name\":\"3\",\"distance\":60},{\"name\":\"4\",\"distance\":70},"
        "{\"name\":\"5\",\"distance\":80,\"orthographic\":true}]}]}");
    check(0, "25 accepted", "many/suite.json --accept --grid on");
    check(1, "25 scenes: 25 failed", "many/suite.json --report many/r --jobs 2");
    cli_shell("cp -r many/r artefact && rm -rf many/r");

    setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent", 1);
    setenv("LIBGL_DRIVERS_PATH", "/nonexistent", 1);
    check(4, "no OpenGL", "many/suite.json");
    check(0, "20 accepted, 5 not accepted, 0 passed",
          "many/suite.json --accept-from artefact --only '*-[12]' --only '*-3' --only '*-5'");
    unsetenv("__EGL_VENDOR_LIBRARY_FILENAMES");
    unsetenv("LIBGL_DRIVERS_PATH");

    cli_shell("cd many/base/* && test $(ls -A | wc -l) = 25 && for scene in *; do test $(ls -A $scene | wc "
              "-l) = 4; done && "
              "for scene in *-[1235]; do for frame in 0 15; do for kind in png json; do "
              "cmp $scene/$frame.$kind ../../../artefact/pictures/$scene/$frame.$kind; done; done; done");
    check(1, "25 scenes: 20 passed, 5 failed", "many/suite.json --report again");
    check(0, "5 accepted, 20 passed", "many/suite.json --accept-from again");
    check(0, "25 scenes: 25 passed", "many/suite.json --strict");
}

static void what_was_accepted_and_what_not_is_told(void **state)
{
    (void)state;
    make_report();
    accept_from(2, "suite.json has no scene that matches --only d", "r --only a --only d");
    cli_result result = cli_run("check suite.json --accept-from r --only '[ab]' --json");
    json_t *told = json_loads(result.out, 0, NULL);
    assert_int_equal(result.code, 0);
    assert_int_equal(json_array_size(json_object_get(told, "accepted")), 2);
    assert_int_equal(
        json_array_size(json_object_get(json_array_get(json_object_get(told, "accepted"), 0), "frames")), 2);
    assert_int_equal(json_array_size(json_object_get(told, "left")), 1);
    json_decref(told);
    cli_finish(&result);
    accept_from(0, "accepted  c: frame 7.5\n1 accepted, 2 accepted already, 0 passed\n", "r");
    check(0, "3 passed", "suite.json");
}

/* Reports of other inputs, of another suite, or compared with other baselines. */
static void stale_reports_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *change, *reason;
    } cases[] = {
        {"printf x >>dance.vmd",
         "nothing was accepted, 3 scenes are refused: a: dance.vmd has changed since"},
        {"printf x >>odori.pmx", "a: odori.pmx has changed since the report was made"},
        {"cp dress.png hair.png", "a: textures of odori.pmx have changed since the report was made"},
        {"rm hair.png", "a: textures of odori.pmx have changed since the report was made"},
        {"rm dance.vmd", "dance.vmd"},
        {"sed -i 's/\"frames\":7.5/\"frames\":8.5/' suite.json",
         "r/results.json: the report is of another suite (suite.json)"},
        {"cp $(ls base/*/b/0.png) $(ls base/*/c/7.5.png)",
         "c: frame 7.5: its baseline has changed since the report was made"},
        {"rm base/*/c/7.5.png", "c: frame 7.5: its baseline has changed since the report was made"},
        {"sed -i 's/\"inputs\"/\"outputs\"/' r/results.json",
         "a: the report does not say which files it is made of"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_report();
        cli_shell(cases[i].change);
        cli_shell("rm -rf was && cp -r base was");
        accept_from(3, cases[i].reason, "r");
        cli_shell("diff -r base was >&2");
    }
    make_report();
    accept_from(3, "or the options were changed", "r --grid on");
    /* The report lists the options that accepting needs; its page puts them into the command. */
    check(1, "3 failed", "suite.json --strict --grid on --report g");
    cli_shell("tr -d ' \\n' <g/results.json | grep -qF '\"options\":[\"--strict\",\"--grid=on\"]'");
    accept_from(3, "or the options were changed", "g");
    accept_from(0, "3 accepted", "g --strict --grid=on");
    make_report();
    /* Scenes whose files are the same can be accepted. */
    cli_shell("cp $(ls base/*/b/0.png) $(ls base/*/c/7.5.png)");
    accept_from(0, "2 accepted, 1 not accepted, 0 passed", "r --only a --only b");
}

/* A report may come from anybody. */
static void reports_lead_nowhere_else(void **state)
{
    (void)state;
    static const struct {
        const char *change, *reason;
    } cases[] = {
        {"sed -i 's|pictures/c/7.5.png|../../odori.png|' r/results.json",
         "names ../../odori.png, which is not its own pictures/c/7.5.png"},
        {"sed -i 's|pictures/c/7.5.png|/etc/passwd|' r/results.json",
         "names /etc/passwd, which is not its own"},
        {"sed -i 's|pictures/c/7.5.json|pictures/b/0.json|' r/results.json",
         "which is not its own pictures/c/7.5.json"},
        {"sed -i 's|\"driver\": \"[^\"]*\"|\"driver\": \"../../x\"|' r/results.json",
         "it names no OpenGL driver"},
        {"sed -i 's|\"driver\": \"[^\"]*\"|\"driver\": \"..\"|' r/results.json", "it names no OpenGL driver"},
        {"sed -i 's|\"driver\": \"[^\"]*\"|\"driver\": \"\"|' r/results.json", "it names no OpenGL driver"},
        {"sed -i 's|\"name\": \"c\"|\"name\": \"b\"|' r/results.json",
         "a scene has no name, or that of another one"},
        {"sed -i 's|\"name\": \"c\"|\"name\": \"../c\"|' r/results.json",
         "../c: the suite has no such scene any more"},
        {"sed -i 's|\"frame\": 7.5|\"frame\": 8|' r/results.json",
         "c: the report has other frames than the suite"},
        {"sed -i 's|\"frame\": 7.5|\"frame\": 7|' r/results.json",
         "c: the report has other frames than the suite"},
        {"mv r/pictures/c/7.5.png p.png && ln -s ../../../p.png r/pictures/c/7.5.png",
         "pictures/c/7.5.png is a link or no regular"},
        {"mv r/pictures/c c && ln -s ../../c r/pictures/c",
         "pictures/c/7.5.png is a link or no regular file"},
        {"mv r/results.json q.json && ln -s ../q.json r/results.json",
         "results.json is a link or no regular file"},
        {"rm r/pictures/c/7.5.json", "pictures/c/7.5.json is missing from the report"},
        {"rm r/pictures/c/7.5.png && mkdir r/pictures/c/7.5.png",
         "pictures/c/7.5.png is a link or no regular file"},
        {"truncate -s 400M r/pictures/c/7.5.png", "pictures/c/7.5.png is larger than "},
        {"cp r/pictures/b/0.png r/pictures/c/7.5.png",
         "c: frame 7.5: its picture is not the one that the report was made with"},
        {"cp r/pictures/b/0.json r/pictures/c/7.5.json",
         "the hashes beside its picture are damaged or belong to another one"},
        {"sed -i 3y/0123456789/1234567890/ r/pictures/c/7.5.json",
         "c: frame 7.5: the hashes beside its picture are damaged or belong to another one"},
        {"echo {} >r/pictures/c/7.5.json",
         "the hashes beside its picture are damaged or belong to another one"},
        {"echo '{' >r/results.json", "r/results.json: "},
        {"echo '{}' >r/results.json", "r/results.json: not a report of odori check"},
        {"echo '[]' >r/results.json", "r/results.json: not a report of odori check"},
        {"rm r/results.json", "results.json is missing from the report"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_report();
        cli_shell(cases[i].change);
        accept_from(3, cases[i].reason, "r");
        assert_nothing_accepted();
    }
    accept_from(3, "nowhere: cannot be read", "nowhere");
}

/* Writes the digest that the report has of a file. */
static void digest_of_file(const char *name, char text[33])
{
    mmd_bytes bytes = cli_read(name);
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data, bytes.size));
    for (size_t i = 0; i < sizeof canonical.digest; i++)
        snprintf(text + 2 * i, 3, "%02x", canonical.digest[i]);
    mmd_bytes_finish(&bytes);
}

/* Replaces a picture of the report by another one, also in the results. */
static void forge(const char *with)
{
    char command[1024], was[33], is[33];
    make_report();
    digest_of_file("r/pictures/c/7.5.png", was);
    digest_of_file(with, is);
    snprintf(command, sizeof command,
             "cp %s r/pictures/c/7.5.png && grep -q %s r/results.json && sed -i 's/%s/%s/' r/results.json",
             with, was, was, is);
    cli_shell(command);
}

/* What a stranger calls a picture has to be one, of the size of the scene, and that of its hashes. */
static void pictures_are_looked_at(void **state)
{
    (void)state;
    make_report();
    cli_shell("head -c 300 r/pictures/c/7.5.png >cut.png");
    forge("suite.json");
    accept_from(3, "c: frame 7.5: its picture is damaged, or not of 32x24 pixels", "r");
    forge("cut.png");
    accept_from(3, "c: frame 7.5: its picture is damaged, or not of 32x24 pixels", "r");
    forge("hair.png");
    accept_from(3, "c: frame 7.5: its picture is damaged, or not of 32x24 pixels", "r");
    forge("r/pictures/b/0.png");
    accept_from(3, "the hashes beside its picture are damaged or belong to another one", "r");
    assert_nothing_accepted();
}

static void all_baselines_are_replaced_or_none(void **state)
{
    (void)state;
    make_report();
    cli_shell("rm $(ls base/*/c/7.5.json) && mkdir -p $(ls -d base/*/c)/7.5.json/full && rm -rf was && cp -r "
              "base was");
    accept_from(4, "7.5.json: cannot be replaced: ", "r");
    cli_shell("diff -r base was >&2"); /* the scenes before it came back, and no hidden file is left */
    accept_from(0, "2 accepted", "r --only a --only b");

    /* Links lead from two baselines to one file, which cannot become two. */
    make_report();
    cli_shell("cd base/*/b && ln -sf ../a/0.png 0.png && cd ../../.. && rm -rf was && cp -r base was");
    accept_from(3, "a/0.png: links lead to it from several files that are to be replaced; nothing was", "r");
    cli_shell("diff -r base was >&2");
    accept_from(0, "1 accepted", "r --only b");

    /* Baselines that are new go away, too. */
    make_report();
    cli_shell("rm -rf base");
    check(1, "3 without a baseline", "suite.json --report r");
    cli_shell("d=$(sed -n 's/.*\"driver\": \"\\(.*\\)\",/\\1/p' r/results.json) && mkdir -p "
              "base/$d/c/7.5.json/full");
    accept_from(4, "7.5.json: cannot be replaced: ", "r");
    cli_shell("test \"$(find base -type f)\" = '' && test ! -e base/*/a");
}

static void baselines_are_filed_under_the_driver_of_the_report(void **state)
{
    (void)state;
    make_report();
    cli_shell("mv base/* base/gpu-4-6 && sed -i 's|\"driver\": \"[^\"]*\"|\"driver\": \"gpu-4-6\"|' "
              "r/results.json");
    accept_from(0, "accepted  a: frames 0, 30\n", "r --sandbox on");
    cli_shell("cmp base/gpu-4-6/a/30.png r/pictures/a/30.png && test $(ls base | wc -l) = 1");
    accept_from(0, "0 accepted, 3 accepted already, 0 passed", "r");

    /* A folder of its own for baselines, and the sandbox. */
    make_report();
    cli_shell("mv base elsewhere-base && rm -rf elsewhere && mv elsewhere-base elsewhere");
    accept_from(0, "3 accepted", "r --baselines elsewhere --sandbox on");
    check(0, "3 passed", "suite.json --baselines elsewhere");

    /* A report that is nowhere near the suite. */
    make_report();
    cli_shell(
        "rm -rf box && mkdir -p box/in/er/.git && cp -r base suite.json dance.vmd odori.pmx *.png box/in/er");
    check(0, "3 accepted", "box/in/er/suite.json --accept-from r --sandbox on");
}

/* Scenes without a picture are told, and a strict suite accepts no warnings. */
static void scenes_without_pictures_stay(void **state)
{
    (void)state;
    make_report();
    cli_write_text(
        "suite.json",
        "{\"baselines\":\"base\",\"defaults\":{\"size\":[32,24],\"model\":\"odori.pmx\"},\"scenes\":["
        "{\"name\":\"a\"},{\"name\":\"broken\",\"motion\":\"suite.json\"},"
        "{\"name\":\"warns\",\"motion\":\"odd.vmd\"}]}");
    cli_shell("cp odori.vmd odd.vmd && truncate -s -1 odd.vmd && rm -rf base");
    check(3, NULL, "suite.json --report r");
    accept_from(1, "not accepted  broken: it could not be drawn: ", "r");
    check(3, "3 scenes: 2 passed, 1 could not be drawn; 1 warning", "suite.json");
    cli_shell("rm -rf base");
    check(3, NULL, "suite.json --report r --strict");
    accept_from(1, "not accepted  warns: it has warnings, and the suite is strict", "r --strict");
    accept_from(0, "0 accepted, 1 accepted already, 2 not accepted, 0 passed", "r --strict --only a");
}

/* Reports of shards and joined ones can be accepted like others. */
static void joined_reports_are_accepted(void **state)
{
    (void)state;
    make_report();
    check(1, NULL, "suite.json --shard 1/2 --report s1");
    check(1, NULL, "suite.json --shard 2/2 --report s2");
    check(1, NULL, "--merge s1 s2 --report s");
    accept_from(2, "s1 has no scene that matches --only c", "s1 --only c");
    accept_from(0, "1 accepted, 0 passed", "s1");
    accept_from(0, "2 accepted, 1 accepted already, 0 passed", "s");
    check(0, "3 passed", "suite.json");
}

static void bad_usage_exits_2(void **state)
{
    (void)state;
    make_report();
    static const char *const others[] = {"--accept", "--report", "--merge", "--shard"};
    static const char *const lines[] = {"r --accept", "r --report x", "r --merge", "r --shard 1/2"};
    for (size_t i = 0; i < 4; i++) {
        char reason[128];
        snprintf(reason, sizeof reason, "so it does not go with %s", others[i]);
        accept_from(2, reason, lines[i]);
    }
    check(2, "--accept-from needs a suite", "r/pictures/b/0.png --accept-from r");
    accept_from(2, "--accept-from", "''");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twenty_of_twenty_five_are_accepted_without_opengl),
        cmocka_unit_test(what_was_accepted_and_what_not_is_told),
        cmocka_unit_test(stale_reports_are_refused),
        cmocka_unit_test(reports_lead_nowhere_else),
        cmocka_unit_test(pictures_are_looked_at),
        cmocka_unit_test(all_baselines_are_replaced_or_none),
        cmocka_unit_test(baselines_are_filed_under_the_driver_of_the_report),
        cmocka_unit_test(scenes_without_pictures_stay),
        cmocka_unit_test(joined_reports_are_accepted),
        cmocka_unit_test(bad_usage_exits_2),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
