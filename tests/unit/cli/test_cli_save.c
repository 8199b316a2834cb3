/* To which files edits are saved, and which files are left alone. The list is operated by commands, without a
 * window. */
#include "cli.h"

#include <unistd.h>

#include "mmd/cursor.h"

#define KEY(model)                                                                                           \
    "frame.set 12\nkey.mode on\nedit.select /models/#" model                                                 \
    "/bones/右腕\nedit.rotate 0 0 30\nkey.mode off\n"                                                      \
    "edit.clear\n"

/* Runs commands and quits. Returns stderr. */
static char *run(const char *files, const char *commands)
{
    mmd_buffer all = {0};
    mmd_write_format(&all, "%squit\n", commands);
    cli_write("commands.txt", all.data, all.size);
    mmd_buffer_finish(&all);
    cli_result result = cli_run("play %s --physics off --no-settings --exec commands.txt", files);
    if (result.code != 0)
        fail_msg("%s", result.err);
    free(result.out);
    return result.err;
}

static void assert_saved(const char *files, const char *commands, const char *saved)
{
    char *err = run(files, commands);
    if (!strstr(err, saved))
        fail_msg("no \"%s\" in: %s", saved, err);
    free(err);
}

static void assert_unchanged(const char *name)
{
    if (!cli_same_files(name, "odori.vmd"))
        fail_msg("%s was changed", name);
}

static void fresh(void)
{
    cli_shell("rm -rf a b *.vpd 'own ('* && mkdir a b && cp odori.vmd a/own.vmd && cp odori.vmd b/own.vmd");
}

static void a_motion_goes_back_to_its_file_and_then_without_asking(void **state)
{
    (void)state;
    fresh();
    assert_saved("odori.pmx --motion a/own.vmd", KEY("0") "file.save\nsave.write\n", "saved a/own.vmd");
    assert_false(cli_same_files("a/own.vmd", "odori.vmd"));
    fresh();
    assert_saved("odori.pmx --motion a/own.vmd",
                 KEY("0") "file.save\nsave.name 0 \"b/mine\"\nsave.write\n" KEY(
                     "0") "frame.set 20\nkey.set "
                          "/models/#0/bones/右腕\nfile.save\n",
                 "saved b/mine.vmd");
    assert_unchanged("a/own.vmd");
    char *err = run("odori.pmx --motion a/own.vmd", "file.save\n");
    assert_non_null(strstr(err, "everything is saved"));
    free(err);
}

/* A motion of several dancers, one with a camera, a pose, one that cannot be written to, one of the program.
 */
static void files_that_would_lose_something_are_left_alone(void **state)
{
    (void)state;
    fresh();
    assert_saved("odori.pmx odori.pmx --motion a/own.vmd", KEY("0") "file.save\nsave.write\n",
                 "saved a/own (");
    assert_unchanged("a/own.vmd");
    fresh();
    assert_saved("odori.pmx --own-motion a/own.vmd odori.pmx --own-motion a/own.vmd",
                 KEY("0") KEY("1") "file.save\nsave.write\n", "saved a/own (");
    assert_unchanged("a/own.vmd");
    cli_shell("test $(ls a | wc -l) = 3");
    fresh();
    free(run("odori.pmx --motion a/own.vmd", "frame.set 40\npose.save a/pose.vpd\n"));
    assert_saved("odori.pmx --pose a/pose.vpd", KEY("0") "file.save\nsave.write\n", "saved a/pose (");
    cli_shell("head -c 12 a/pose.vpd | grep -q Vocaloid && grep -q 'Pose Data' a/pose.vpd");
    if (geteuid() != 0) {
        fresh();
        cli_shell("chmod 444 a/own.vmd");
        assert_saved("odori.pmx --motion a/own.vmd", KEY("0") "file.save\nsave.write\n", "saved a/own (");
        assert_unchanged("a/own.vmd");
    }
}

/* Another scene of the same model has a motion of the same name elsewhere. */
static void names_are_remembered_for_their_file_only(void **state)
{
    (void)state;
    fresh();
    cli_shell("'" ODORI_BINARY
              "/odori' shot odori.pmx --motion b/own.vmd --frame 3 --size 32x32 -o other.png");
    assert_saved("odori.pmx --motion a/own.vmd",
                 KEY("0") "file.save\nsave.write\nfile.open other.png\n" KEY(
                     "0") "frame.set 20\nkey.set "
                          "/models/#0/bones/右腕\nfile.save\nsave.write\n",
                 "b/own.vmd");
    assert_false(cli_same_files("b/own.vmd", "odori.vmd"));
}

/* The list belongs to the scene: its models are gone with that. */
static void another_scene_closes_the_list(void **state)
{
    (void)state;
    fresh();
    cli_shell("'" ODORI_BINARY "/odori' shot odori.pmx --frame 3 --size 32x32 -o other.png");
    cli_write_text("commands.txt",
                   "model.select 2\nbone.rotate 頭 0 20 0\nfile.save\nfile.open other.png\nsave.write\n");
    cli_expect(2, "the list of what is saved is closed",
               "play odori.pmx odori.pmx odori.pmx --no-settings --physics off --exec commands.txt");
}

static void names_are_cut_between_characters(void **state)
{
    (void)state;
    fresh();
    cli_shell("cp odori.vmd \"a/$(printf '踊%.0s' $(seq 40)).vmd\"");
    char *err = run("odori.pmx odori.pmx --motion a/踊*.vmd", KEY("0") "file.save\nsave.write\n");
    assert_non_null(strstr(err, "saved a/踊踊踊"));
    free(err);
    cli_shell("ls a | iconv -f UTF-8 -t UTF-8 >/dev/null");
}

/* --- What was not saved the last time --- */

#define KEPT ".state/odori/recovered/2026 own.vmd"

/* Puts a motion where what was not saved is kept, with a note about where it comes from unless `is_known` is
 * false. */
static void keep(bool is_known)
{
    char note[3 * MMD_FILE_PATH_MAX];
    fresh();
    cli_shell("rm -rf .state && mkdir -p .state/odori/recovered && cp odori.vmd '" KEPT "'");
    snprintf(note, sizeof note, "model \"%s/odori.pmx\" file \"%s/a/own.vmd\"", cli_folder(), cli_folder());
    if (is_known)
        cli_write_text(".state/odori/recovered/.2026 own.vmd.of", note);
}

static void assert_kept(void)
{
    assert_unchanged(KEPT);
    cli_shell("test $(ls .state/odori/recovered | wc -l) = 1");
}

static void recovered_motions_are_saved_beside_the_file_that_was_edited(void **state)
{
    char wanted[MMD_FILE_PATH_MAX + 32];
    (void)state;
    keep(true);
    snprintf(wanted, sizeof wanted, "saved %s/a/own (", cli_folder());
    assert_saved("odori.pmx --motion '" KEPT "'", KEY("0") "file.save\nsave.write\n", wanted);
    assert_kept();
    assert_unchanged("a/own.vmd");
    /* Also as it is, because it is nowhere else; once. */
    keep(true);
    assert_saved("odori.pmx --motion '" KEPT "'", "file.save\nsave.write\n", wanted);
    assert_saved("odori.pmx --motion '" KEPT "'", "file.save\nsave.write\nfile.save\n",
                 "everything is saved");
    assert_kept();
    /* What comes from nobody knows where, and names that are typed. */
    keep(false);
    assert_saved("odori.pmx --motion '" KEPT "'", KEY("0") "file.save\nsave.write\n", "saved ./odori");
    assert_kept();
    cli_write_text("commands.txt", KEY("0") "file.save\nsave.name 0 .state/odori/recovered/mine\n");
    cli_expect(2, "choose another one",
               "play odori.pmx --motion a/own.vmd --no-settings --exec commands.txt");
    assert_kept();
}

/* Opens the kept motion in a scene and saves what then moves the first model, without and with a note. */
static void open_kept(const char *files, const char *lines, const char *saved, bool is_known)
{
    char commands[256];
    keep(is_known);
    snprintf(commands, sizeof commands, "%sfile.open \"" KEPT "\"\nmotion.save %s\n", lines, saved);
    free(run(files, commands));
}

static void recovered_motions_move_their_own_model(void **state)
{
    (void)state;
    cli_need_dancer();
    open_kept("odori.pmx", "", "own.vmd", false);
    /* The bundled dancer gives way to the model, and her dance too. */
    open_kept("", "", "first.vmd", true);
    assert_true(cli_same_files("first.vmd", "own.vmd"));
    open_kept("", "", "bundled.vmd", false);
    assert_false(cli_same_files("bundled.vmd", "own.vmd"));
    /* Of two models the one of this file, whichever is selected. */
    open_kept("odori.pmx odori.pmx", "model.remove 0\nmodel.select 1\n", "second.vmd", true);
    assert_true(cli_same_files("second.vmd", "own.vmd"));
    keep(true);
    cli_shell("cp odori.pmx other.pmx");
    cli_write_text("commands.txt",
                   "model.select 0\nfile.open \"" KEPT "\"\nmodel.select 0\nmotion.save none.vmd\n");
    cli_expect(2, "there is nothing to save",
               "play other.pmx odori.pmx --physics off --no-settings --exec commands.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motion_goes_back_to_its_file_and_then_without_asking),
        cmocka_unit_test(files_that_would_lose_something_are_left_alone),
        cmocka_unit_test(names_are_remembered_for_their_file_only),
        cmocka_unit_test(another_scene_closes_the_list),
        cmocka_unit_test(names_are_cut_between_characters),
        cmocka_unit_test(recovered_motions_are_saved_beside_the_file_that_was_edited),
        cmocka_unit_test(recovered_motions_move_their_own_model),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
