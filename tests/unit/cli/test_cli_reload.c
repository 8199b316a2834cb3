/* Tests files that change during playback and are read again: edits, undo and unsaved keys are kept. A shell
 * waits until the program has written a file, changes another one, and sends the rest of the commands. */
#include "cli.h"

#include "mmd/cursor.h"
#include "mmd/format.h"

/* Runs `before`, a change of files, `reload` and `after`; returns stdout and sets *err to stderr. */
static char *told(const char *files, const char *before, const char *change, const char *after, char **err)
{
    mmd_buffer first = {0}, rest = {0};
    char line[1024];
    mmd_write_format(&first, "%spose.save mark.vpd\n", before);
    mmd_write_format(&rest, "reload\n%squit\n", after);
    cli_write("first.txt", first.data, first.size);
    cli_write("rest.txt", rest.data, rest.size);
    mmd_buffer_finish(&first);
    mmd_buffer_finish(&rest);
    cli_write_text("change.sh", change);
    snprintf(
        line, sizeof line,
        "rm -f mark.vpd; (n=0; until [ -f mark.vpd ] || [ $n = 100 ]; do sleep 0.05; n=$((n + 1)); done; "
        "sh change.sh; cat rest.txt) | %s/odori play %s --physics off --no-settings --exec first.txt "
        "--exec - >told.json 2>told.err",
        ODORI_BINARY, files);
    cli_shell(line);
    mmd_bytes out = cli_read("told.json"), why = cli_read("told.err");
    char *text = calloc(1, out.size + 1);
    *err = calloc(1, why.size + 1);
    assert_true(text && *err);
    memcpy(text, out.data, out.size);
    memcpy(*err, why.data, why.size);
    mmd_free(out.data);
    mmd_free(why.data);
    return text;
}

static void assert_told(const char *files, const char *before, const char *change, const char *after,
                        const char *other)
{
    char *err, *one = told(files, before, change, after, &err);
    free(err);
    char *two = told(files, "", "", other, &err);
    free(err);
    assert_true(*one != '\0');
    assert_string_equal(one, two);
    free(one);
    free(two);
}

/* Writes the figure with the names of two bones exchanged. */
static void write_exchanged(const char *name, const char *bone, const char *other)
{
    mmd_bytes file = cli_read("odori.pmx");
    mmd_buffer out = {0};
    mmd_model *model;
    assert_int_equal(mmd_pmx_read(file.data, file.size, &model, NULL), MMD_OK);
    for (uint32_t i = 0; i < model->bone_count; i++) {
        mmd_bone *b = &model->bones[i];
        bool is_one = strcmp(b->name, bone) == 0, is_other = strcmp(b->name, other) == 0;
        b->name = is_one ? other : is_other ? bone : b->name;
    }
    assert_int_equal(mmd_pmx_write(model, &out, NULL), MMD_OK);
    cli_write(name, out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_model_destroy(model);
    mmd_free(file.data);
}

#define ARM   "/models/#0/bones/右腕"
#define ELBOW "/models/#0/bones/右ひじ"
#define TELL                                                                                                 \
    "edit.select " ARM "\nedit.add /models/#0/bones/頭\nedit.add /models/#0\nedit.add /camera\n"            \
    "edit.add /light\nedit.tell\nedit.clear\n"

/* Edits of every kind of item, each one step. */
static const char edits[] =
    "edit.select " ARM "\nedit.rotate 10 20 30\nedit.translate 0.1 0.2 0.3\nedit.select /models/#0\n"
    "edit.translate 1 2 3\nedit.select /camera\nedit.translate 0 12 1\nedit.select /light\n"
    "edit.translate 0.5 -1 0.5\n"
    "morph.set あ 0.5\nbone.rotate 頭 5 0 0\n";

static void edits_hold_when_files_are_read_again(void **state)
{
    (void)state;
    char expected[4096];
    snprintf(expected, sizeof expected, "%s" TELL, edits);
    assert_told("odori.pmx --motion odori.vmd", edits, "", TELL, expected);
}

static void bodies_and_joints_stay_where_they_were_put(void **state)
{
    (void)state;
    cli_need_dancer();
    const char *place = "edit.select /models/#0/bodies/#0\nedit.translate 0 1 0\nedit.scale 2 1 1\n"
                        "edit.select /models/#0/joints/#0\nedit.rotate 0 10 0\nedit.clear\n",
               *tell = "edit.select /models/#0/bodies/#0\nedit.add /models/#0/joints/#0\nedit.tell\n";
    const char *dancer = ODORI_BINARY "/dancer/dancer.pmx";
    char some[512];
    snprintf(some, sizeof some, "%s%s", place, tell);
    assert_told(dancer, place, "", tell, some);
    snprintf(some, sizeof some, "undo\nundo\nundo\n%s", tell);
    assert_told(dancer, place, "", some, tell);
}

/* The bundled dance has no camera; the dancer's camera file, which does, is read again too. */
static void her_camera_stays_hers(void **state)
{
    (void)state;
    cli_need_dancer();
    const char *tell = "frame.set 700\nedit.select /camera\nedit.tell\n";
    char *err, *one = told("dancer --motion dancer --camera dancer", "", "", tell, &err);
    free(err);
    char *two =
        told("dancer --motion dancer --camera " ODORI_BINARY "/dancer/camera.vmd", "", "", tell, &err);
    free(err);
    char *none = told("dancer --motion dancer", "", "", tell, &err);
    free(err);
    assert_string_equal(one, two);
    assert_string_not_equal(one, none);
    free(one);
    free(two);
    free(none);
}

/* If a model's file has become a motion, reload fails, because the scene would have no model. */
static void a_model_is_not_read_again_as_a_motion(void **state)
{
    (void)state;
    cli_write_text("first.txt", "pose.save mark.vpd\n");
    cli_shell(
        "cp odori.pmx turned.pmx; rm -f mark.vpd; (n=0; until [ -f mark.vpd ] || [ $n = 100 ]; do "
        "sleep 0.05; n=$((n + 1)); done; cp odori.vmd turned.pmx; printf 'reload\\nquit\\n') | " ODORI_BINARY
        "/odori play turned.pmx --physics off --no-settings --exec first.txt --exec - "
        "2>told.err; test $? = 2 && grep -q 'turned.pmx.*instead of a model' told.err");
}

static void undo_and_redo_go_on(void **state)
{
    (void)state;
    char all[4096], some[4096];
    snprintf(all, sizeof all, "%s" TELL, edits);
    snprintf(some, sizeof some, "%sundo\nundo\nundo\nundo\n" TELL, edits);
    assert_told("odori.pmx --motion odori.vmd", edits, "", "undo\nundo\nundo\nundo\n" TELL, some);
    assert_told("odori.pmx --motion odori.vmd", edits, "",
                "undo\nundo\nundo\nundo\nundo\nundo\nundo\nundo\n" TELL, TELL);
    snprintf(some, sizeof some, "%sundo\nundo\nundo\nundo\n", edits);
    assert_told("odori.pmx --motion odori.vmd", some, "", "redo\nredo\nredo\nredo\n" TELL, all);
}

static void what_is_selected_stays_selected(void **state)
{
    (void)state;
    assert_told("odori.pmx", "edit.select " ARM "\nedit.add /camera\n", "", "edit.tell\n",
                "edit.select " ARM "\nedit.add /camera\nedit.tell\n");
}

/* In the other file each of the two bones has the other's index. */
static void items_are_known_by_their_names(void **state)
{
    (void)state;
    char *err;
    write_exchanged("exchanged.pmx", "右腕", "頭");
    cli_shell("cp odori.pmx turned.pmx");
    char *one = told("turned.pmx", "edit.select " ARM "\nedit.rotate 10 20 30\n",
                     "cp exchanged.pmx turned.pmx", "edit.tell\nundo\nedit.tell\n", &err);
    assert_null(strstr(err, "forgotten"));
    free(err);
    char *other = told("exchanged.pmx", "", "",
                       "edit.select " ARM "\nedit.rotate 10 20 30\nedit.tell\nundo\nedit.tell\n", &err);
    free(err);
    assert_string_equal(one, other);
    free(one);
    free(other);
}

static void steps_of_what_is_gone_are_forgotten_in_one_line(void **state)
{
    (void)state;
    char *err;
    write_exchanged("renamed.pmx", "右ひじ", "右ナシ");
    cli_shell("cp odori.pmx turned.pmx");
    char *one =
        told("turned.pmx",
             "edit.select " ARM "\nedit.rotate 10 20 30\nedit.select " ELBOW
             "\nedit.rotate 1 2 3\nedit.rotate 4 5 6\nedit.add " ARM "\nedit.rotate 7 8 9\n",
             "cp renamed.pmx turned.pmx", "edit.tell\nundo\nedit.tell\nundo\nedit.tell\nundo\n", &err);
    assert_non_null(strstr(err, "3 edits are lost"));
    assert_null(strstr(strstr(err, "are lost") + 1, "are lost"));
    free(err);
    char *other = told("renamed.pmx", "", "",
                       "edit.select " ARM "\nedit.rotate 10 20 30\nedit.rotate 7 8 9\n"
                       "edit.tell\nundo\nedit.tell\nundo\nedit.tell\nundo\n",
                       &err);
    free(err);
    assert_string_equal(one, other);
    free(one);
    free(other);
}

static void keys_that_nobody_saved_stay(void **state)
{
    (void)state;
    char *err;
    const char *keys = "key.mode on\nedit.select " ARM "\nframe.set 11\nedit.rotate 10 20 30\nframe.set 23\n"
                       "edit.rotate 0 0 45\n";
    cli_shell("cp odori.vmd turned.vmd");
    char *one = told("odori.pmx --motion turned.vmd", keys, "",
                     "motion.save same.vmd\nundo\nundo\n"
                     "motion.save undone.vmd\nredo\nredo\nmotion.save redone.vmd\n",
                     &err);
    assert_null(strstr(err, "turned.vmd has changed"));
    free(err);
    free(one);
    char line[1024];
    snprintf(line, sizeof line, "%smotion.save wanted.vmd\n", keys);
    one = told("odori.pmx --motion odori.vmd", line, "", "", &err);
    free(err);
    free(one);
    cli_shell("cmp same.vmd wanted.vmd && cmp redone.vmd wanted.vmd && cmp undone.vmd odori.vmd");
    one = told("odori.pmx --motion turned.vmd", keys, "cp wanted.vmd turned.vmd",
               "motion.save kept.vmd\nundo\n"
               "undo\nmotion.save old.vmd\n",
               &err);
    assert_non_null(strstr(err, "turned.vmd has changed"));
    cli_shell("cmp kept.vmd wanted.vmd && cmp old.vmd odori.vmd");
    free(err);
    free(one);
}

/* A motion without unsaved edits is replaced by the new file. */
static void a_motion_without_edits_is_the_new_file(void **state)
{
    (void)state;
    char *err;
    cli_shell("cp odori.vmd turned.vmd");
    char *one = told("odori.pmx --motion turned.vmd", "frame.set 10\n", "cp wanted.vmd turned.vmd",
                     "motion.save new.vmd\n", &err);
    assert_null(strstr(err, "has changed"));
    cli_shell("cmp new.vmd wanted.vmd");
    free(err);
    free(one);
}

static void what_bones_hang_on_goes_along(void **state)
{
    (void)state;
    const char *hang = "model.select 0\nmodel.parent 右手首 1 頭\n",
               *tell = "edit.select " ARM "\n"
                       "edit.add /models/#0/bones/右手首\nedit.tell\n";
    char some[512];
    snprintf(some, sizeof some, "%s%s", hang, tell);
    assert_told("odori.pmx odori.pmx", hang, "", tell, some);
    snprintf(some, sizeof some, "undo\n%s", tell);
    assert_told("odori.pmx odori.pmx", hang, "", some, tell);
}

/* Reads files again and compares what is told before and after that. Returns it. */
static char *told_alike(const char *files, const char *edited, const char *tell)
{
    mmd_buffer before = {0};
    mmd_write_bytes(&before, edited, strlen(edited));
    mmd_write_bytes(&before, tell, strlen(tell) + 1);
    char *err, *all = told(files, (const char *)before.data, "", tell, &err);
    size_t half = strlen(all) / 2;
    assert_true(half > 0 && strlen(all) == 2 * half);
    assert_memory_equal(all, all + half, half);
    mmd_buffer_finish(&before);
    free(err);
    all[half] = '\0';
    return all;
}

#define HUNG "edit.select /models/#1/bones/頭\nedit.tell\nedit.clear\n"

/* An option of the command line attached the whole model; that is no step of undo. */
static void what_an_option_hangs_up_stays_there(void **state)
{
    (void)state;
    char *hung = told_alike("odori.pmx odori.pmx --hang 右手首", "", HUNG);
    char *plain = told_alike("odori.pmx odori.pmx", "", HUNG);
    assert_string_not_equal(hung, plain);
    free(hung);
    free(plain);
}

/* More steps than undo keeps follow the edits, which hold nevertheless. */
static void what_is_by_hand_holds_where_undo_has_forgotten_it(void **state)
{
    (void)state;
    mmd_buffer lines = {0};
    mmd_write_format(&lines, "model.select 1\nmorph.set あ 0.5\nmodel.parent 頭 0 右手首\n");
    for (int i = 0; i < 1001; i++)
        mmd_write_format(&lines, "bone.rotate 右腕 %d 0 0\n", i % 90);
    mmd_write_u8(&lines, 0);
    cli_shell("rm -f told.vpd");
    char *edited = told_alike("odori.pmx odori.pmx", (const char *)lines.data, HUNG "pose.save told.vpd\n");
    char *plain = told_alike("odori.pmx odori.pmx", "", HUNG);
    assert_string_not_equal(edited, plain);
    cli_shell("grep -a -A1 '^Morph' told.vpd | grep -q '^ *0\\.50*;'");
    mmd_buffer_finish(&lines);
    free(edited);
    free(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_hold_when_files_are_read_again),
        cmocka_unit_test(bodies_and_joints_stay_where_they_were_put),
        cmocka_unit_test(her_camera_stays_hers),
        cmocka_unit_test(a_model_is_not_read_again_as_a_motion),
        cmocka_unit_test(undo_and_redo_go_on),
        cmocka_unit_test(what_is_selected_stays_selected),
        cmocka_unit_test(items_are_known_by_their_names),
        cmocka_unit_test(steps_of_what_is_gone_are_forgotten_in_one_line),
        cmocka_unit_test(keys_that_nobody_saved_stay),
        cmocka_unit_test(a_motion_without_edits_is_the_new_file),
        cmocka_unit_test(what_bones_hang_on_goes_along),
        cmocka_unit_test(what_an_option_hangs_up_stays_there),
        cmocka_unit_test(what_is_by_hand_holds_where_undo_has_forgotten_it),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
