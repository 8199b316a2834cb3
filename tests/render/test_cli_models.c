/* model.remove and model.rename: pictures equal those of scenes that never had the model, undo restores them,
 * and pictures made afterwards are drawn again by check. */
#include "cli.h"

#include "hair_model.h"
#include "mmd/format.h"
#include "sample_accessories.h"

static int setup(void **state)
{
    hair_model hair;
    mmd_buffer out = {0};
    if (cli_setup(state))
        return -1;
    hair_model_make(&hair);
    assert_int_equal(mmd_pmx_write(&hair.model, &out, NULL), MMD_OK);
    cli_write("hair.pmx", out.data, out.size);
    mmd_buffer_finish(&out);
    hair_model_finish(&hair);
    cli_write_text("fan.x",
                   "xof 0303txt 0032\nMesh {\n4;\n-2;0;0;, 2;0;0;, 2;3;0;, -2;3;0;;\n2;\n4;0,1,2,3;, "
                   "4;3,2,1,0;;\n}\n");
    cli_write_text("board.x",
                   "xof 0303txt 0032\nMesh {\n4;\n-9;0;3;, 9;0;3;, 9;1;3;, -9;1;3;;\n2;\n4;0,1,2,3;, "
                   "4;3,2,1,0;;\n}\n");
    return 0;
}

#define SAME "--motion odori.vmd --frame 12 --size 96x72 --show bodies"

/* Draws a scene after commands. */
static void draw(const char *files, const char *commands, const char *output)
{
    cli_write_text("commands.txt", commands);
    cli_expect(0, NULL, "shot %s " SAME " --exec commands.txt -o %s", files, output);
}

static void a_removed_model_was_never_there(void **state)
{
    (void)state;
    static const struct {
        const char *with, *remove, *without;
    } scenes[] = {
        {"odori.pmx hair.pmx --place 3,0,0,0,0,0,1", "model.remove 1\n", "odori.pmx"},
        {"odori.pmx hair.pmx --place 3,0,0,0,0,0,1", "model.remove 0\nundo\nredo\n",
         "hair.pmx --place 3,0,0,0,0,0,1"},
        {"hair.pmx odori.pmx hair.pmx --stage board.x", "model.remove 0\nmodel.remove 2\nmodel.remove 3\n",
         "odori.pmx"},
        {"odori.pmx fan.x --hang 頭", "model.remove 0\n", "fan.x"},
        {"odori.pmx hair.pmx --actors 3", "model.remove 1\n", "odori.pmx --actors 3"},
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        char undone[128];
        draw(scenes[i].without, "", "without.png");
        draw(scenes[i].with, scenes[i].remove, "removed.png");
        assert_true(cli_same_pictures("removed.png", "without.png"));
        cli_expect(0, NULL, "check removed.png");
        if (i % 2)
            continue;
        snprintf(undone, sizeof undone, "%sundo\nundo\nundo\n", scenes[i].remove);
        draw(scenes[i].with, "", "with.png");
        draw(scenes[i].with, undone, "undone.png");
        assert_true(cli_same_pictures("undone.png", "with.png"));
        assert_false(cli_same_pictures("with.png", "without.png"));
    }
}

/* Edits of a removed model come back with it; those of others keep their numbers. */
static void edits_come_back(void **state)
{
    (void)state;
    const char *edit = "bone.rotate 頭 0 40 0\nmodel.place 2 0 0 0 0 0 1\nmorph.set 笑い 1\n";
    char line[512];
    draw("odori.pmx hair.pmx", edit, "with.png");
    snprintf(line, sizeof line, "%smodel.remove 0\nmodel.select 1\nmodel.place 0 0 5 0 0 0 1\nundo\nundo\n",
             edit);
    draw("odori.pmx hair.pmx", line, "back.png");
    assert_true(cli_same_pictures("back.png", "with.png"));
    draw("hair.pmx", "model.place 0 0 5 0 0 0 1\n", "alone.png");
    snprintf(line, sizeof line, "%smodel.remove 0\nmodel.select 1\nmodel.place 0 0 5 0 0 0 1\n", edit);
    draw("odori.pmx hair.pmx", line, "moved.png");
    assert_true(cli_same_pictures("moved.png", "alone.png"));
}

static void an_empty_stage_is_drawn(void **state)
{
    (void)state;
    draw("odori.pmx", "model.remove 0\nview.grid on\ncamera.set -50 0 10 0 0 0 0 30\n", "empty.png");
    draw("hair.pmx", "model.remove 0\nview.grid on\ncamera.set -50 0 10 0 0 0 0 30\n", "other.png");
    assert_true(cli_same_pictures("empty.png", "other.png"));
}

static void models_are_found_by_number_and_name(void **state)
{
    (void)state;
    static const struct {
        const char *commands, *why;
    } wrong[] = {
        {"model.remove 2\n", "there is no model 2; there are 2, the first is 0"},
        {"model.remove 0\nmodel.remove 0\n", "model 0 was removed; undo brings it back"},
        {"model.remove 0\nmodel.select 0\n", "model 0 was removed"},
        {"model.remove 0\nmodel.remove 1\nbone.rotate 頭 0 0 0\n", "there is no model"},
        {"model.remove nobody\n", "there is no model \"nobody\""},
        {"model.rename 0 Miku\nmodel.rename 1 Miku\nmodel.remove Miku\n", "2 models are called \"Miku\""},
        {"model.rename 0 \"\"\n", "a name has 1 to 200 bytes"},
        {"model.remove 0\nedit.select /models/#0\n", "there is no \"/models/#0\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cli_write_text("commands.txt", wrong[i].commands);
        cli_expect(2, wrong[i].why, "shot odori.pmx hair.pmx " SAME " --exec commands.txt -o wrong.png");
    }
    draw("odori.pmx hair.pmx", "edit.select /models/#1\nedit.translate 4 0 0\n", "moved.png");
    draw("odori.pmx hair.pmx",
         "model.rename 1 \"Hair / 髪\"\nedit.select \"/models/Hair %2F 髪\"\nedit.translate 4 0 0\n",
         "named.png");
    assert_true(cli_same_pictures("named.png", "moved.png"));
    draw("odori.pmx hair.pmx", "model.rename 1 Hair\nmodel.remove Hair\n", "removed.png");
    draw("odori.pmx", "", "without.png");
    assert_true(cli_same_pictures("removed.png", "without.png"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_removed_model_was_never_there),
        cmocka_unit_test(edits_come_back),
        cmocka_unit_test(an_empty_stage_is_drawn),
        cmocka_unit_test(models_are_found_by_number_and_name),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
