/* `odori capture-kit --render`: the images that it draws can be compared with those of MMD by `diff`. */
#include "cli.h"

#include <sys/stat.h>

static void write_suite(const char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/suite.json", cli_folder());
    assert_int_equal(mmd_file_write(path, text, strlen(text), NULL), MMD_OK);
}

static void diff_takes_the_folder_that_mmd_fills(void **state)
{
    (void)state;
    write_suite("{\"scenes\":[{\"name\":\"a\",\"model\":\"odori.pmx\",\"motion\":\"odori.vmd\","
                "\"size\":[160,120],\"frames\":[0,30]}]}");
    cli_expect(0, "1 project with 2 frames", "capture-kit suite.json -o kit --render");
    cli_expect(3, "no pictures", "diff kit/expect/a kit/frames/a");
    /* Numbers with leading zeros match as well. */
    cli_shell("cp kit/expect/a/0.png kit/frames/a/0000.png && cp kit/expect/a/30.png kit/frames/a/0030.png");
    cli_expect(0, "equal", "diff kit/expect/a kit/frames/a");
    cli_shell("cp kit/expect/a/0.png kit/frames/a/0030.png");
    cli_expect(1, "1 of 2 frames", "diff kit/expect/a kit/frames/a");
    /* Making the kit again keeps the captured frames. */
    cli_expect(0, NULL, "capture-kit suite.json -o kit --render");
    cli_expect(1, "1 of 2 frames", "diff kit/expect/a kit/frames/a");
}

static void pictures_are_those_of_shot_and_know_where_they_came_from(void **state)
{
    (void)state;
    cli_expect(0, NULL, "shot odori.pmx --motion odori.vmd --frame 30 --size 160x120 -o shot.png");
    cli_expect(0, "equal", "diff shot.png kit/expect/a/30.png");
    cli_expect(0, NULL, "check kit/expect/a/30.png");
    cli_expect(1, "%", "diff kit/expect/a/30.png kit/expect/a/0.png");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diff_takes_the_folder_that_mmd_fills),
        cmocka_unit_test(pictures_are_those_of_shot_and_know_where_they_came_from),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
