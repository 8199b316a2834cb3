/* Pictures of scenes with weights of motions and with fades: whole and no weights draw what they stand for,
 * and a picture tells how it was made. */
#include "cli.h"
#include "render_support.h"

static const char scene[] = "odori.pmx --motion odori.vmd --physics on --size 120x90";

static void shoot(const char *options, const char *lines, const char *name)
{
    cli_write_text("lines.txt", lines);
    cli_result result = cli_run("shot %s --exec lines.txt -o %s", options, name);
    if (result.code != 0)
        fail_msg("%s", result.err);
    cli_finish(&result);
}

static void whole_and_no_weights_draw_the_same_bytes(void **state)
{
    (void)state;
    char with[256];
    snprintf(with, sizeof with, "%s --frame 40", scene);
    shoot(with, "", "plain.png");
    shoot(with, "motion.weight 0 1\n", "whole.png");
    shoot(with, "motion.weight odori.vmd 0.5\n", "half.png");
    shoot(with, "motion.weight odori 0.5\nmotion.weight odori 1\n", "again.png");
    shoot(with, "motion.weight 0 0\n", "none.png");
    shoot("odori.pmx --physics on --size 120x90 --frame 40", "", "still.png");
    assert_true(cli_same_pictures("plain.png", "whole.png"));
    assert_true(cli_same_pictures("plain.png", "again.png"));
    assert_true(cli_same_pictures("none.png", "still.png"));
    assert_false(cli_same_pictures("plain.png", "half.png"));
    assert_false(cli_same_pictures("none.png", "half.png"));
    cli_expect(0, "", "check half.png");
}

static void weights_belong_to_one_model(void **state)
{
    (void)state;
    static const char both[] =
        "odori.pmx other.pmx --motion odori.vmd --physics off --size 120x90 --frame 40";
    shoot(both, "model.select 1\nmodel.place 6 0 0 0 0 0 1\nmotion.weight 0 0\n", "one.png");
    shoot("odori.pmx --own-motion odori.vmd other.pmx --physics off --size 120x90 --frame 40",
          "model.select 1\nmodel.place 6 0 0 0 0 0 1\n", "other.png");
    assert_true(cli_same_pictures("one.png", "other.png"));
}

/* The fade of a picture: the same dance once more, 200 frames ahead, and a body elsewhere. */
static const char fading[] = "motion.fade-out 1 200 0 30\nbody.start 20 0 12 0 0 0 0 1 3 0 0 0 0 0\n";
#define DANCES "dancer --motion dancer --own-motion dancer --size 120x90 "

static void a_picture_of_a_fade_is_drawn_again(void **state)
{
    (void)state;
    cli_need_dancer();
    shoot(DANCES "--frame 12.5", fading, "fade.png");
    cli_expect(0, "", "check fade.png");
    shoot("dancer --motion dancer --size 120x90 --frame 12.5", "", "dance.png");
    assert_false(cli_same_pictures("fade.png", "dance.png"));
    shoot(DANCES "--frame 12.5", "motion.fade-out 1 200 0 30\n", "at-bones.png");
    assert_false(cli_same_pictures("fade.png", "at-bones.png"));
    /* After the fade only the dance itself is seen, where physics is off. */
    shoot(DANCES "--frame 30 --physics off", "motion.fade-out 1 200 0 30\n", "after.png");
    shoot("dancer --motion dancer --size 120x90 --frame 30 --physics off", "", "dance.png");
    assert_true(cli_same_pictures("after.png", "dance.png"));
}

static void a_fade_renders_as_its_frames_are_drawn(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_write_text("lines.txt", fading);
    cli_expect(0, NULL, "render " DANCES "--exec lines.txt --frames 10:20:10 -o f%%02d.png");
    shoot(DANCES "--frame 20", fading, "f.png");
    assert_true(cli_same_pictures("f20.png", "f.png"));
    assert_false(cli_same_pictures("f10.png", "f.png"));
}

static void wrong_lines_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line, *why;
    } wrong[] = {
        {"motion.weight 1 0.5", "has no motion 1; the first is 0"},
        {"motion.weight 0.5 0.5", "has no motion 0.5"},
        {"motion.weight nobody 0.5", "has no motion of the name \"nobody\""},
        {"motion.weight 0 1.5", "a weight of 1.5 is not between 0 and 1"},
        {"motion.weight 0 -1", "a weight of -1 is not between 0 and 1"},
        {"motion.fade -1", "-1 seconds are not between 0 and 60"},
        {"motion.fade-out 0 0 10 5", "ends at frame 5, before it begins at frame 10"},
        {"motion.fade-out 2 0 0 5", "has no motion 2"},
        {"motion.fade-out 0 0 0 7201", "a fade of 7201 frames is longer than 7200"},
        {"body.start 100000 0 0 0 0 0 0 1 0 0 0 0 0 0", "has no body 100000"},
        {"body.start 0 0 0 0 0 0 0 2 0 0 0 0 0 0", "not a unit quaternion"},
        {"body.start 0 1e9 0 0 0 0 0 1 0 0 0 0 0 0", "out of range"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cli_write_text("lines.txt", wrong[i].line);
        cli_expect(2, wrong[i].why,
                   "shot odori.pmx --motion odori.vmd --physics off --size 8x8 --exec lines.txt -o no.png");
    }
    cli_write_text("lines.txt", "motion.fade-out 0 0 0 5\n");
    cli_expect(
        2, "it moves all models",
        "shot odori.pmx other.pmx --motion odori.vmd --physics off --size 8x8 --exec lines.txt -o no.png");
    cli_write_text("lines.txt", "motion.weight odori 0\n");
    cli_expect(
        2, "has 2 motions of the name \"odori\"",
        "shot odori.pmx --motion odori.vmd --own-motion odori.vmd --physics off --size 8x8 --exec lines.txt "
        "-o no.png");
}

/* Makes another model of the same bytes. */
static int set_up(void **state)
{
    int result = cli_setup(state);
    if (result == 0)
        cli_shell("cp odori.pmx other.pmx");
    return result;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_and_no_weights_draw_the_same_bytes),
        cmocka_unit_test(weights_belong_to_one_model),
        cmocka_unit_test(a_picture_of_a_fade_is_drawn_again),
        cmocka_unit_test(a_fade_renders_as_its_frames_are_drawn),
        cmocka_unit_test(wrong_lines_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
