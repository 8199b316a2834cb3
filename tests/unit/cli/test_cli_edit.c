/* Tests edits of the selection by commands, without a window: the same numbers as commands for bones and
 * models give, one step of undo, mirroring, and refusals with a message. */
#include "cli.h"

#include <math.h>

#include "hair_model.h"
#include "mmd/cursor.h"
#include "mmd/format.h"

static json_t *dump(const char *commands)
{
    cli_write_text("edit.txt", commands);
    return cli_json("dump odori.pmx --motion odori.vmd --physics off --frames 40 --exec edit.txt");
}

/* Compares the frames of two dumps only. */
static void assert_same(const char *commands, const char *others)
{
    json_t *a = dump(commands), *b = dump(others);
    assert_true(json_is_array(json_object_get(a, "frames")));
    if (!json_equal(json_object_get(a, "frames"), json_object_get(b, "frames")))
        fail_msg("not the same:\n%s\nand:\n%s", commands, others);
    json_decref(a);
    json_decref(b);
}

static void assert_others(const char *commands, const char *others)
{
    json_t *a = dump(commands), *b = dump(others);
    assert_false(json_equal(json_object_get(a, "frames"), json_object_get(b, "frames")));
    json_decref(a);
    json_decref(b);
}

static void edits_of_what_is_selected_are_those_of_bones(void **state)
{
    (void)state;
    assert_same("edit.select /models/#0/bones/右腕\nedit.rotate 10 20 30\nedit.translate 0.1 0.2 -0.3\n",
                "bone.rotate 右腕 10 20 30\nbone.translate 右腕 0.1 0.2 -0.3\n");
    assert_others("edit.select /models/#0/bones/右腕\nedit.rotate 10 20 30\n", "");
    assert_same("edit.select /models/#0/bones/右腕\nedit.add /models/#0/bones/頭\nedit.rotate 5 -10 15\n",
                "bone.rotate 右腕 5 -10 15\nbone.rotate 頭 5 -10 15\n");
    assert_same("edit.select /models/#0/bones/右腕\nedit.add /models/#0/bones/頭\n"
                "edit.remove /models/#0/bones/右腕\nedit.rotate 5 -10 15\n",
                "bone.rotate 頭 5 -10 15\n");
    assert_same("edit.select /models/#0/bones/右足首\nedit.translate 0 0.5 0\n",
                "bone.translate 右足ＩＫ 0 0.5 0\n");
}

static void models_are_placed(void **state)
{
    (void)state;
    assert_same("edit.select /models/#0\nedit.translate 1 2 3\nedit.rotate 0 90 0\nedit.scale 2 2 2\n",
                "model.place 1 2 3 0 90 0 2\n");
}

static void one_edit_is_one_step_back(void **state)
{
    (void)state;
    assert_same("edit.select /models/#0/bones/右腕\nedit.add /models/#0/bones/頭\nedit.rotate 1 2 3\nundo\n",
                "");
    assert_same("edit.select /models/#0/bones/右腕\nedit.rotate 1 2 3\nedit.rotate 10 20 30\nundo\n",
                "bone.rotate 右腕 1 2 3\n");
    assert_same("edit.select /models/#0/bones/右腕\nedit.rotate 1 2 3\nundo\nredo\n",
                "bone.rotate 右腕 1 2 3\n");
    assert_same("edit.select /models/#0/bones/右腕\nedit.join on\nedit.rotate 1 2 3\nedit.rotate 10 20 30\n"
                "edit.join off\nundo\n",
                "");
    assert_same("edit.select /models/#0/bones/頭\nedit.join on\nedit.rotate 1 2 3\nbone.rotate 右腕 1 2 3\n"
                "edit.join off\nundo\n",
                "");
}

static void both_sides_are_alike_where_they_shall_be(void **state)
{
    (void)state;
    assert_same(
        "edit.mirror on\nedit.select /models/#0/bones/右腕\nedit.rotate 10 20 30\nedit.translate 1 2 3\n",
        "bone.rotate 右腕 10 20 30\nbone.rotate 左腕 10 -20 -30\nbone.translate 右腕 1 2 3\n"
        "bone.translate 左腕 -1 2 3\n");
    assert_same("edit.mirror on\nedit.select /models/#0/bones/右腕\nedit.rotate 10 20 30\nundo\n", "");
    assert_same("edit.mirror on\nedit.select /models/#0/bones/右腕\nedit.rotate 10 20 30\nedit.reset\n", "");
    assert_same("edit.mirror on\nedit.select /models/#0/bones/頭\nedit.rotate 10 20 30\n",
                "bone.rotate 頭 10 20 30\n");
    assert_same("toggle edit.mirror\nedit.select /models/#0/bones/頭\nedit.rotate 10 20 30\n",
                "bone.rotate 頭 10 20 30\n");
}

static void what_was_edited_is_nothing_again(void **state)
{
    (void)state;
    assert_same("edit.select /models/#0/bones/右腕\nedit.rotate 10 20 30\nedit.translate 1 2 3\nedit.reset\n",
                "");
    assert_same("edit.select /models/#0/bones/右腕\nedit.rotate 10 20 30\nedit.reset\nundo\n",
                "bone.rotate 右腕 10 20 30\n");
    assert_same("edit.select /models/#0\nedit.translate 1 2 3\nedit.scale 2 2 2\nedit.reset\n", "");
}

/* edit.reset returns camera and light to their motion; undo restores the edit. */
static void camera_and_light_are_the_motions_again(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "", "camera.set -40 1 12 2 0 0 0 40\nlight.color 1 0 0\nlight.direction 1 -1 0\n",
        "camera.set -40 1 12 2 0 0 0 40\nlight.color 1 0 0\nlight.direction 1 -1 0\n"
        "edit.select /camera\nedit.add /light\nedit.reset\n",
        "camera.set -40 1 12 2 0 0 0 40\nlight.color 1 0 0\nlight.direction 1 -1 0\n"
        "edit.select /camera\nedit.add /light\nedit.reset\nundo\n",
        "camera.set -40 1 12 2 0 0 0 40\nlight.color 1 0 0\nlight.direction 1 -1 0\n"
        "edit.select /camera\nedit.add /light\nedit.reset\nundo\nredo\n"};
    json_t *roots[5];
    for (int i = 0; i < 5; i++) {
        cli_write_text("view.txt", commands[i]);
        roots[i] = cli_json("dump odori.pmx --what camera,light --frames 40 --exec view.txt");
    }
#define SAME(a, b) json_equal(json_object_get(roots[a], "frames"), json_object_get(roots[b], "frames"))
    assert_true(SAME(0, 2) && SAME(0, 4) && SAME(1, 3) && !SAME(0, 1));
#undef SAME
    for (int i = 0; i < 5; i++)
        json_decref(roots[i]);
    assert_same("edit.select /camera\ncamera.follow 頭\nedit.reset\n", "");
}

static json_t *dump_dancer(const char *commands)
{
    cli_write_text("edit.txt", commands);
    return cli_json("dump " ODORI_BINARY "/dancer/dancer.pmx --frames 0 --exec edit.txt");
}

static void bodies_are_placed_and_given_back_to_their_file(void **state)
{
    (void)state;
    cli_need_dancer();
    json_t *rest = dump_dancer(""),
           *moved = dump_dancer("edit.select /models/#0/bodies/#0\nedit.translate 1 2 3\n"),
           *back = dump_dancer("edit.select /models/#0/bodies/#0\nedit.translate 1 2 3\nedit.reset\n"),
           *undone = dump_dancer(
               "edit.select /models/#0/bodies/#0\nedit.translate 1 2 3\nedit.reset\nundo\nundo\n");
    const json_t *before = json_object_get(rest, "frames");
    assert_true(json_is_array(before));
    assert_true(json_equal(json_object_get(back, "frames"), before));
    assert_true(json_equal(json_object_get(undone, "frames"), before));
    json_decref(rest);
    json_decref(moved);
    json_decref(back);
    json_decref(undone);
}

static json_t *told(const char *commands)
{
    cli_write_text("edit.txt", commands);
    cli_result result =
        cli_run("dump odori.pmx --motion odori.vmd --physics off --frames 40 --exec edit.txt");
    assert_int_equal(result.code, 0);
    json_error_t error;
    json_t *root = json_loads(result.out, JSON_DISABLE_EOF_CHECK, &error);
    if (!root)
        fail_msg("%s: %s", error.text, result.out);
    cli_finish(&result);
    return root;
}

static void assert_numbers(const json_t *list, const double *numbers, size_t count)
{
    assert_int_equal(json_array_size(list), count);
    for (size_t i = 0; i < count; i++)
        assert_true(fabs(json_number_value(json_array_get(list, i)) - numbers[i]) < 1e-5);
}

static void a_whole_matrix_is_set_and_told(void **state)
{
    (void)state;
    static const double matrix[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.5, 1.5, -2, 1};
    json_t *root =
        told("edit.select /models/#0/bones/右腕\nedit.matrix 0 1 0 0 -1 0 0 0 0 0 1 0 0.5 1.5 -2 1\n"
             "edit.tell\n");
    assert_non_null(strstr(json_string_value(json_object_get(root, "path")), "/bones/右腕"));
    assert_numbers(json_object_get(root, "local"), matrix, 16);
    assert_int_equal(json_array_size(json_object_get(root, "world")), 16);
    json_decref(root);
    root = told("edit.select /models/#0\nedit.translate 4 5 6\nedit.tell\n");
    const json_t *op = json_array_get(json_object_get(root, "ops"), 0);
    assert_string_equal(json_string_value(json_object_get(op, "name")), "translate");
    assert_numbers(json_object_get(op, "value"), (const double[3]){4, 5, 6}, 3);
    json_decref(root);
}

/* Camera angles are those of its file and of `camera.set`; a light has a direction only. */
static void camera_and_light_are_edited(void **state)
{
    (void)state;
    json_t *root = told("edit.select /camera\nedit.rotate 12 150 -8\nedit.translate 1 11 2\nedit.tell\n");
    const json_t *ops = json_object_get(root, "ops");
    assert_string_equal(json_string_value(json_object_get(root, "path")), "/camera");
    assert_numbers(json_object_get(json_array_get(ops, 0), "value"), (const double[3]){1, 11, 2}, 3);
    assert_numbers(json_object_get(json_array_get(ops, 1), "value"), (const double[3]){12, 150, -8}, 3);
    json_decref(root);
    root = told("edit.select /light\nedit.translate 0.25 -1 0.75\nedit.tell\n");
    ops = json_object_get(root, "ops");
    assert_numbers(json_object_get(json_array_get(ops, 0), "value"), (const double[3]){0.25, -1, 0.75}, 3);
    json_decref(root);
}

/* Checks the first model's placement after commands: position, degrees, scale. */
static void assert_place(const char *commands, const double place[7])
{
    char text[1000];
    snprintf(text, sizeof text, "%sedit.select /models/#0\nedit.tell\n", commands);
    json_t *root = told(text);
    const json_t *ops = json_object_get(root, "ops");
    assert_numbers(json_object_get(json_array_get(ops, 0), "value"), place, 3);
    assert_numbers(json_object_get(json_array_get(ops, 1), "value"), place + 3, 3);
    assert_numbers(json_object_get(json_array_get(ops, 2), "value"),
                   (const double[3]){place[6], place[6], place[6]}, 3);
    json_decref(root);
}

static void a_place_is_a_step_back(void **state)
{
    (void)state;
    static const double rest[7] = {0, 0, 0, 0, 0, 0, 1}, first[7] = {1, 2, 3, 10, 20, 30, 2},
                        none[7] = {0, 0, 0, 0, 0, 0, -1};
    assert_place("model.place 1 2 3 10 20 30 2\n", first);
    assert_place("model.place 1 2 3 10 20 30 2\nundo\n", rest);
    assert_place("model.place 1 2 3 10 20 30 2\nundo\nredo\n", first);
    assert_place("model.place 1 2 3 10 20 30 2\nmodel.place 4 5 6 0 90 0 1\nundo\n", first);
    assert_place("edit.join on\nmodel.place 1 0 0 0 0 0 1\nmodel.place 2 0 0 10 0 0 1\nedit.join off\nundo\n",
                 rest);
    assert_place("model.place 0 0 0 0 0 0 -1\n", none); /* not made by an edit, so it has no undo */
}

static void refuses(const char *why, const char *commands)
{
    cli_write_text("edit.txt", commands);
    cli_expect(2, why, "dump odori.pmx --motion odori.vmd --physics off --frames 40 --exec edit.txt");
}

static void what_cannot_be_is_refused_with_a_sentence(void **state)
{
    (void)state;
    refuses("nothing is selected", "edit.rotate 1 2 3\n");
    refuses("nothing is selected", "edit.select /models/#0\nedit.clear\nedit.reset\n");
    refuses("there is no \"/models/#0/bones/nobody\"", "edit.select /models/#0/bones/nobody\n");
    refuses("the stage itself cannot be edited", "edit.select /\n");
    refuses("右ひざ of 踊り子 is moved by IK; move 右足ＩＫ instead",
            "edit.select /models/#0/bones/右ひざ\nedit.rotate 1 2 3\n");
    refuses("moved by IK",
            "edit.select /models/#0/bones/右腕\nedit.add /models/#0/bones/右ひざ\nedit.rotate 1 2 3\n");
    refuses("右腕 of 踊り子 cannot be scaled: bones have no scale",
            "edit.select /models/#0/bones/右腕\nedit.scale 1 2 3\n");
    refuses("cannot produce this matrix",
            "edit.select /models/#0/bones/右腕\nedit.matrix 2 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n");
    refuses("the last row of the matrix is not 0 0 0 1",
            "edit.select /models/#0/bones/右腕\nedit.matrix 1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1\n");
    refuses("takes 16 arguments", "edit.select /models/#0/bones/右腕\nedit.matrix 1 0 0\n");
    refuses("is out of range: the limit is a million",
            "edit.select /models/#0/bones/右腕\nedit.translate 1e7 0 0\n");
    refuses("is not translate, rotate, scale or none", "gizmo.mode turn\n");
    refuses("is not local, parent, world, axes or next", "gizmo.space mine\n");
    refuses("is not own or common", "gizmo.pivot mine\n");
    refuses("is out of range: above 0", "gizmo.snap 0\n");
    refuses("is not a number, on or off", "gizmo.snap much\n");
}

/* Runs commands, then edit.tell, and compares the path that it prints. */
static void assert_selected(const char *path, const char *subcommand, const char *commands)
{
    char text[512], expected[128];
    snprintf(text, sizeof text, "%sedit.tell\n", commands);
    snprintf(expected, sizeof expected, "{\"path\":\"%s\"", path);
    cli_write_text("select.txt", text);
    cli_result result = cli_run("%s --exec select.txt", subcommand);
    if (result.code != 0)
        fail_msg("%s: %s", commands, result.err);
    if (strncmp(result.out, expected, strlen(expected)) != 0)
        fail_msg("%s selects %.80s, not %s", commands, result.out, path);
    cli_finish(&result);
}

/* Writes a model with hair that physics moves, all bones of which can be edited. */
static void write_hair(void)
{
    hair_model hair;
    mmd_buffer pmx = {0};
    hair_model_make(&hair);
    hair.model.name = "髪";
    for (int b = 0; b < HAIR_BONES; b++)
        hair.bones[b].flags |= MMD_BONE_VISIBLE | MMD_BONE_OPERABLE;
    assert_int_equal(mmd_pmx_write(&hair.model, &pmx, NULL), MMD_OK);
    cli_write("hair.pmx", pmx.data, pmx.size);
    hair_model_finish(&hair);
    mmd_buffer_finish(&pmx);
}

static void what_moves_something_is_selected(void **state)
{
    (void)state;
    static const char alone[] = "dump odori.pmx --physics off --frames 0",
                      simulated[] = "dump hair.pmx --physics on --frames 0",
                      two[] = "shot odori.pmx odori.pmx --physics off --size 8x8 -o two.png";
    assert_selected("/models/踊り子/bones/右足ＩＫ", alone,
                    "edit.select /models/#0/bones/右ひざ\nedit.controller\n");
    assert_selected("/models/踊り子/bones/右足ＩＫ", alone,
                    "edit.select /models/#0/bones/頭\nedit.add /models/#0/bones/右足首\nedit.controller\n");
    write_hair();
    assert_selected("/models/髪/bones/頭", simulated, "edit.select /models/#0/bones/髪2\nedit.controller\n");
    assert_selected("/models/踊り子/bones/右手首", two,
                    "model.select 1\nmodel.attach 0 右手首\nedit.select /models/#1\nedit.controller\n");
    assert_selected("/models/踊り子/bones/右手首", two,
                    "model.select 1\nmodel.parent 頭 0 右手首\nedit.select /models/#1/bones/頭\n"
                    "edit.controller\n");
    refuses("nothing else moves 頭 of 踊り子", "edit.select /models/#0/bones/頭\nedit.controller\n");
    refuses("nothing else moves camera", "edit.select /camera\nedit.controller\n");
    refuses("nothing is selected", "edit.controller\n");
}

static void what_is_above_something_is_selected(void **state)
{
    (void)state;
    static const char alone[] = "dump odori.pmx --physics off --frames 0";
    assert_selected("/models/踊り子/bones/上半身", alone, "edit.select /models/#0/bones/上半身2\nedit.up\n");
    write_hair();
    assert_selected("/models/髪", "dump hair.pmx --frames 0", "edit.select /models/#0/bodies/#0\nedit.up\n");
    refuses("nothing is above 踊り子", "edit.select /models/#0\nedit.up\n");
    refuses("nothing is above light", "edit.select /light\nedit.up\n");
    refuses("nothing is selected", "edit.up\n");
}

/* Modes of the gizmo are accepted without a window and change no pose. */
static void what_handles_do_changes_no_pose(void **state)
{
    (void)state;
    assert_same("gizmo.mode rotate\ngizmo.space world\ngizmo.snap 0.5 10\ngizmo.snap off\ngizmo.snap on\n"
                "gizmo.mode none\ngizmo.space next\ngizmo.pivot common\n",
                "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_of_what_is_selected_are_those_of_bones),
        cmocka_unit_test(models_are_placed),
        cmocka_unit_test(a_place_is_a_step_back),
        cmocka_unit_test(one_edit_is_one_step_back),
        cmocka_unit_test(both_sides_are_alike_where_they_shall_be),
        cmocka_unit_test(what_was_edited_is_nothing_again),
        cmocka_unit_test(camera_and_light_are_the_motions_again),
        cmocka_unit_test(bodies_are_placed_and_given_back_to_their_file),
        cmocka_unit_test(a_whole_matrix_is_set_and_told),
        cmocka_unit_test(camera_and_light_are_edited),
        cmocka_unit_test(what_cannot_be_is_refused_with_a_sentence),
        cmocka_unit_test(what_moves_something_is_selected),
        cmocka_unit_test(what_is_above_something_is_selected),
        cmocka_unit_test(what_handles_do_changes_no_pose),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
