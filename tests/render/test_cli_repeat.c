/*
 * `odori check --repeat`: what is not the same in all rounds. The program repeats everything, so a library
 * shows another world to its later rounds (preload/rounds.c): other files, or bodies that do not fall.
 */
#include "cli.h"

#include <unistd.h>

/* The figure dances; her textures are beside her. */
static const char suite[] = "{\"baselines\":\"base\",\"defaults\":{\"size\":[40,30],\"physics\":false,"
                            "\"model\":\"odori.pmx\",\"motion\":\"odori.vmd\"},\"scenes\":["
                            "{\"name\":\"a\",\"frames\":[0,20]},{\"name\":\"b\",\"frames\":20},"
                            "{\"name\":\"still\",\"motion\":[],\"frames\":0}]}";

/* Lets the rounds from this one on see a file in the place of another; NULL: bodies float. */
static void show_later(const char *round, const char *old, const char *now)
{
    char path[1200] = "";
    if (now)
        snprintf(path, sizeof path, "%s/%s", cli_folder(), now);
    setenv("LD_PRELOAD", ODORI_ROUNDS, 1);
    setenv("ODORI_TEST_ROUND", round, 1);
    setenv("ODORI_TEST_OLD", old ? old : "", 1);
    setenv("ODORI_TEST_NEW", path, 1);
    if (old)
        unsetenv("ODORI_TEST_FLOAT");
    else
        setenv("ODORI_TEST_FLOAT", "1", 1);
}

static void show_the_same(void)
{
    unsetenv("LD_PRELOAD");
}

/* Runs `check`, and requires an exit code and a text on stdout or stderr. */
static void check(int code, const char *text, const char *arguments)
{
    cli_result result = cli_run("check %s", arguments);
    if (result.code != code || (!strstr(result.out, text) && !strstr(result.err, text)))
        fail_msg("check %s: exit code %d, not %d, or no \"%s\" in: %s%s", arguments, result.code, code, text,
                 result.out, result.err);
    cli_finish(&result);
}

/* Makes the suite with its baselines, and files for later rounds. */
static void make(void)
{
    static bool made;
    if (made)
        return;
    made = true;
    cli_write_text("suite.json", suite);
    check(0, "3 accepted", "suite.json --accept");
    cli_shell(
        "ls *.png | grep -v new >pictures; cp \"$(head -1 pictures)\" new.png; tail -c +2 odori.pmx >cut.pmx;"
        "cp \"$(tail -1 pictures)\" other.png; cmp -s new.png other.png && exit 1; rm other.png;"
        "head -1 pictures >first; tail -1 pictures >last");
}

/* Reads the name of a texture from a file with one line. */
static void read_name(const char *file, char name[256])
{
    mmd_bytes bytes = cli_read(file);
    snprintf(name, 256, "%.*s", (int)bytes.size - 1, (const char *)bytes.data);
    mmd_bytes_finish(&bytes);
}

static void what_is_repeatable_passes(void **state)
{
    (void)state;
    make();
    check(0, "3 scenes: 3 passed; 0 not repeatable in 2 rounds", "suite.json --repeat 2");
    check(0, "3 scenes: 3 passed; 0 not repeatable in 4 rounds",
          "suite.json --repeat 4 --jobs 3 --sandbox on");
    /* Baselines are not needed, and differ as ever. */
    check(0, "3 scenes: 3 without a baseline; 0 not repeatable in 2 rounds",
          "suite.json --repeat 2 --baselines none --report none-report --summary none.md");
    cli_shell("grep -q 'failures=\"0\" errors=\"0\" skipped=\"3\"' none-report/junit.xml && "
              "grep -q '<skipped message=\"no baseline\"/>' none-report/junit.xml && "
              "[ $(wc -l <none.md) = 1 ] && ! grep -q pipeline none-report/results.json");
    check(1, "3 scenes: 3 failed; 0 not repeatable in 2 rounds", "suite.json --repeat 2 --grid on");
    check(1, "3 without a baseline\n", "suite.json --baselines none");
}

/* A texture of later rounds is another picture. */
static void the_first_stage_and_its_round_are_named(void **state)
{
    (void)state;
    char last[256];
    make();
    read_name("last", last);
    show_later("2", last, "new.png");
    check(1,
          "fail  a: not repeatable: 2 of 2 frames, first 0: round 2 differs, first step that differs: "
          "textures (",
          "suite.json --repeat 3 --only a");
    show_later("3", last, "new.png");
    check(1, "fail  b: not repeatable: frame 20: round 3 differs, first step that differs: textures (",
          "suite.json --repeat 4");
    show_later("4", last, "new.png");
    check(0, "3 passed; 0 not repeatable in 3 rounds", "suite.json --repeat 3");
    show_the_same();
}

/* All that tells of it is the same for any number of processes. */
static void every_report_tells_it(void **state)
{
    (void)state;
    char last[256];
    make();
    read_name("last", last);
    show_later("2", last, "new.png");
    check(1, "3 scenes: 3 failed; 3 not repeatable in 3 rounds",
          "suite.json --repeat 3 --report r --summary r/summary.md");
    cli_shell("cp -r r r1");
    check(1, "3 failed; 3 not repeatable",
          "suite.json --repeat 3 --report r --summary r/summary.md --jobs 3");
    cli_shell("diff -r r r1 >&2");
    cli_shell(
        "grep -q '\"repeat\": 3' r/results.json && grep -q '\"not_repeatable\": 3' r/results.json && "
        "grep -q '\"repeatable\": false' r/results.json && grep -A3 '\"unrepeatable\"' r/results.json | "
        "grep -q '\"stage\": \"textures\"' && ! grep -q pipeline r/results.json");
    cli_shell("grep -q 'failures=\"3\" errors=\"0\" skipped=\"0\"' r/junit.xml && "
              "grep -q 'frame 20: the picture is equal; not repeatable: round 2 differs' r/junit.xml");
    cli_shell("[ $(grep -c '| not repeatable: ' r/summary.md) = 3 ]");
    /* Shards are joined if they were drawn in as many rounds, and what is not repeatable is not accepted. */
    check(1, "", "suite.json --repeat 2 --shard 1/2 --report s1");
    check(1, "", "suite.json --repeat 2 --shard 2/2 --report s2");
    check(1, "3 failed; 3 not repeatable in 2 rounds", "--merge s1 s2 --report s");
    check(1, "", "suite.json --repeat 3 --shard 2/2 --report s2");
    check(3, "another number of rounds", "--merge s1 s2 --report s");
    show_the_same();
    check(1, "it is not repeatable", "suite.json --accept-from r");
}

/* A scene of later rounds cannot be read, and one moves in another way. */
static void other_stages_and_errors_are_told(void **state)
{
    (void)state;
    make();
    show_later("2", "odori.pmx", "cut.pmx");
    check(1, "fail  still: not repeatable: in round 2 it could not be drawn: ",
          "suite.json --repeat 2 --jobs 2");
    show_later("2", "odori.vmd", "empty.vmd");
    cli_shell("head -c 50 odori.vmd >empty.vmd; head -c 24 /dev/zero >>empty.vmd");
    check(1, "fail  b: not repeatable: frame 20: round 2 differs, first step that differs: motion (",
          "suite.json --repeat 2 --only b");
    show_the_same();
}

static void physics_is_repeated_too(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_write_text("dancer.json",
                   "{\"scenes\":[{\"name\":\"d\",\"model\":\"dancer\",\"size\":[40,30],\"frames\":20}]}");
    check(0, "; 0 not repeatable", "dancer.json --repeat 2");
    /* What takes too long in every round is the same in every round. */
    check(1, "1 failed; 0 not repeatable", "dancer.json --repeat 2 --time-limit 0.001");
    show_later("2", NULL, NULL);
    check(1, "frame 20: round 2 differs, first step that differs: physics (", "dancer.json --repeat 2");
    show_the_same();
}

static void wrong_use_is_refused(void **state)
{
    (void)state;
    make();
    check(2, "is not a number of rounds from 2 to 1000", "suite.json --repeat 1");
    check(2, "--repeat needs a suite", "suite.json --repeat 2 --accept");
    check(2, "--repeat needs a suite", "suite.json --repeat 2 --accept-from r");
    check(2, "--repeat needs a suite", "\"$(head -1 pictures)\" --repeat 2");
    check(2, "--repeat needs a suite", "--merge r --report x --repeat 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_repeatable_passes),
        cmocka_unit_test(the_first_stage_and_its_round_are_named),
        cmocka_unit_test(every_report_tells_it),
        cmocka_unit_test(other_stages_and_errors_are_told),
        cmocka_unit_test(physics_is_repeated_too),
        cmocka_unit_test(wrong_use_is_refused),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
