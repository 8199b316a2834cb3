/* Tests plug-ins loaded at run time: how they restrict edits, and files that are no plug-ins. */
#include "cli.h"

#include <math.h>

#include "mmd/cursor.h"
#include "mmd/memory.h"

#define ONLY_Y     ODORI_BINARY "/tests/only_y.so"
#define BOTH_SIDES ODORI_BINARY "/tests/both_sides.so"

/* Returns the world matrix of a bone after commands. */
static void bone_after(const char *commands, const char *options, const char *bone, double m[16])
{
    char line[1024];
    cli_write_text("edits.txt", commands);
    snprintf(line, sizeof line, "dump dancer --frames 30 --what bones --exec edits.txt %s", options);
    json_t *root = cli_json(line);
    json_t *bones = json_object_get(json_array_get(json_object_get(root, "frames"), 0), "bones"),
           *found = NULL;
    for (size_t i = 0; i < json_array_size(bones) && !found; i++)
        if (!strcmp(json_string_value(json_object_get(json_array_get(bones, i), "name")), bone))
            found = json_object_get(json_array_get(bones, i), "world");
    assert_non_null(found);
    for (size_t k = 0; k < 16; k++)
        m[k] = json_number_value(json_array_get(found, k));
    json_decref(root);
}

static bool same(const double a[16], const double b[16])
{
    double largest = 0;
    for (int k = 0; k < 16; k++)
        largest = fmax(largest, fabs(a[k] - b[k]));
    return largest < 1e-5;
}

static void a_plugin_lets_one_bone_turn_about_y_alone(void **state)
{
    (void)state;
    cli_need_dancer();
    double free_turn[16], y_turn[16], plugged[16];
    bone_after("bone.rotate 右腕 10 20 30\n", "", "右腕", free_turn);
    bone_after("bone.rotate 右腕 0 20 0\n", "", "右腕", y_turn);
    assert_false(same(free_turn, y_turn));
    static const char select[] = "edit.select /models/#0/bones/右腕\nedit.rotate 10 20 30\n";
    bone_after(select, "", "右腕", plugged);
    assert_true(same(plugged, free_turn));
    bone_after(select, "--plugin " ONLY_Y, "右腕", plugged);
    assert_true(same(plugged, y_turn));
    /* The other arm is not restricted. */
    bone_after("bone.rotate 左腕 10 20 30\n", "", "左腕", free_turn);
    bone_after("edit.select /models/#0/bones/左腕\nedit.rotate 10 20 30\n", "--plugin " ONLY_Y, "左腕",
               plugged);
    assert_true(same(plugged, free_turn));
}

static void what_a_plugin_refuses_says_why(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_write_text("edits.txt", "edit.select /models/#0/bones/右腕\nedit.translate 1 2 3\n");
    cli_expect(2, "only_y lets it turn about Y", "dump dancer --frames 0 --exec edits.txt --plugin " ONLY_Y);
    cli_expect(0, NULL, "dump dancer --frames 0 --exec edits.txt -o edited.json");
}

static void undo_takes_back_what_went_through_a_plugin(void **state)
{
    (void)state;
    cli_need_dancer();
    double before[16], after[16];
    bone_after("", "", "右腕", before);
    bone_after("edit.select /models/#0/bones/右腕\nedit.rotate 10 20 30\nundo\n", "--plugin " ONLY_Y, "右腕",
               after);
    assert_true(same(before, after));
}

/* Returns the weight of 笑い after commands. */
static double smile_after(const char *commands)
{
    cli_write_text("edits.txt", commands);
    json_t *root = cli_json("dump dancer --frames 30 --what morphs --exec edits.txt --plugin " BOTH_SIDES);
    json_t *morphs = json_object_get(json_array_get(json_object_get(root, "frames"), 0), "morphs");
    double weight = NAN;
    for (size_t i = 0; i < json_array_size(morphs); i++)
        if (!strcmp(json_string_value(json_object_get(json_array_get(morphs, i), "name")), "笑い"))
            weight = json_number_value(json_object_get(json_array_get(morphs, i), "weight"));
    json_decref(root);
    return weight;
}

static void a_plugin_edits_other_bones_and_morphs_as_one_step(void **state)
{
    (void)state;
    cli_need_dancer();
    static const char turn[] = "edit.select /models/#0/bones/右腕\nedit.rotate 10 20 30\n";
    static const char *const ends[] = {"", "undo\n", "undo\nredo\n"};
    double now[16], wanted[16];
    for (int i = 0; i < 3; i++) {
        char commands[256];
        bool is_turned = i != 1;
        snprintf(commands, sizeof commands, "%s%s", turn, ends[i]);
        bone_after(commands, "--plugin " BOTH_SIDES, "左腕", now);
        bone_after(is_turned ? "bone.rotate 左腕 10 -20 -30\n" : "", "", "左腕", wanted);
        assert_true(same(now, wanted));
        bone_after(commands, "--plugin " BOTH_SIDES, "右腕", now);
        bone_after(is_turned ? "bone.rotate 右腕 10 20 30\n" : "", "", "右腕", wanted);
        assert_true(same(now, wanted));
        double smile = smile_after(commands); /* by some 36 of 90 degrees; else as no motion says */
        assert_true(is_turned ? smile > 0.3 && smile < 0.5 : smile == 0);
    }
    bone_after("", "", "左腕", wanted);
    bone_after(turn, "--plugin " BOTH_SIDES, "左腕", now);
    assert_false(same(now, wanted));
}

static void files_that_are_no_plugins_are_refused(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_write_text("text.so", "no library\n");
    cli_expect(3, "text.so", "dump dancer --frames 0 --plugin text.so");
    cli_expect(3, "missing.so", "dump dancer --frames 0 --plugin missing.so");
    cli_expect(3, ".", "dump dancer --frames 0 --plugin .");
    cli_expect(3, "only_y", "dump dancer --frames 0 --plugin " ONLY_Y " --plugin " ONLY_Y);
    cli_expect(2, "--plugin", "dump dancer --frames 0 --plugin");
}

#define SELECT "edit.select /models/#0/bones/右腕\n"
#define LOAD   "plugin.load " ONLY_Y "\n"

static void assert_same(const char *commands, const char *as)
{
    double now[16], then[16];
    bone_after(commands, "", "右腕", now);
    bone_after(as, "", "右腕", then);
    assert_true(same(now, then));
}

static void plugins_come_and_go_while_the_program_runs(void **state)
{
    (void)state;
    cli_need_dancer();
    assert_same(LOAD SELECT "edit.rotate 10 20 30\n", "bone.rotate 右腕 0 20 0\n");
    assert_same(SELECT LOAD "plugin.unload only_y\nedit.rotate 10 20 30\n", "bone.rotate 右腕 10 20 30\n");
    assert_same(LOAD "plugin.unload only_y\n" LOAD SELECT "edit.rotate 10 20 30\n",
                "bone.rotate 右腕 0 20 0\n");
}

/* Commands through the plug-in are in the history, which keeps its code loaded. */
static void what_an_unloaded_plugin_did_is_undone_and_done_again(void **state)
{
    (void)state;
    cli_need_dancer();
    static const char free_and_plugged[] =
        SELECT "edit.rotate 10 20 30\n" LOAD "edit.rotate 0 40 0\nplugin.unload only_y\n";
    char commands[512];
    snprintf(commands, sizeof commands, "%sundo\n", free_and_plugged);
    assert_same(commands, "bone.rotate 右腕 10 20 30\n");
    snprintf(commands, sizeof commands, "%sundo\nundo\n", free_and_plugged);
    assert_same(commands, "");
    snprintf(commands, sizeof commands, "%sundo\nundo\nredo\nredo\n", free_and_plugged);
    assert_same(commands, "bone.rotate 右腕 0 40 0\n");
}

/* However often a plug-in is loaded and unloaded, its library is in memory once. */
static void a_plugin_is_loaded_a_thousand_times(void **state)
{
    (void)state;
    cli_need_dancer();
    mmd_buffer lines = {0};
    for (int i = 0; i < 1000; i++)
        mmd_write_format(&lines, LOAD "plugin.unload only_y\n");
    mmd_write_format(&lines, LOAD SELECT "edit.rotate 10 20 30\n");
    mmd_write_u8(&lines, 0);
    assert_same((const char *)lines.data, "bone.rotate 右腕 0 20 0\n");
    mmd_buffer_finish(&lines);
}

static void refuses(const char *commands, const char *why)
{
    cli_write_text("refused.txt", commands);
    cli_expect(2, why, "dump dancer --frames 0 --exec refused.txt");
}

static void commands_for_plugins_say_what_is_wrong(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_write_text("text.so", "no library\n");
    refuses("plugin.load text.so\n", "text.so");
    refuses("plugin.load missing.so\n", "missing.so: no such file");
    refuses("plugin.load .\n", "it is a folder, not a file");
    refuses("plugin.load " ODORI_BINARY "/tests/other_version.so\n", "made for version ");
    refuses(LOAD LOAD, "plug-in only_y is loaded already");
    refuses("plugin.unload only_y\n", "there is no plug-in \"only_y\"");
    refuses(LOAD "plugin.unload only_y\nplugin.unload only_y\n", "there is no plug-in");
    refuses("plugin.load\n", "plugin.load takes 1 argument");
    cli_expect(3, "made for version ",
               "dump dancer --frames 0 --plugin " ODORI_BINARY "/tests/other_version.so");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plugin_lets_one_bone_turn_about_y_alone),
        cmocka_unit_test(what_a_plugin_refuses_says_why),
        cmocka_unit_test(undo_takes_back_what_went_through_a_plugin),
        cmocka_unit_test(a_plugin_edits_other_bones_and_morphs_as_one_step),
        cmocka_unit_test(files_that_are_no_plugins_are_refused),
        cmocka_unit_test(plugins_come_and_go_while_the_program_runs),
        cmocka_unit_test(what_an_unloaded_plugin_did_is_undone_and_done_again),
        cmocka_unit_test(a_plugin_is_loaded_a_thousand_times),
        cmocka_unit_test(commands_for_plugins_say_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
