/* Suites and pictures that were made on Windows, whose paths have backslashes: on every system they lead to
 * the same files, unless a file there has such a name. */
#include "cli.h"

#include "mmd/cursor.h"

static void expect(int code, const char *text, const char *arguments)
{
    cli_result result = cli_run("%s", arguments);
    if (result.code != code || (text && !strstr(result.out, text) && !strstr(result.err, text)))
        fail_msg("%s: exit code %d: %s%s", arguments, result.code, result.out, result.err);
    cli_finish(&result);
}

static void suites_lead_to_the_same_files(void **state)
{
    (void)state;
    static const char *const paths[] = {"models/odori.pmx", "models\\\\odori.pmx",
                                        ".\\\\models\\\\odori.pmx"};
    cli_shell("mkdir -p models && cp odori.pmx *.png models/");
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "{\"defaults\":{\"size\":[48,36],\"physics\":false},\"scenes\":[{\"name\":\"a\",\"model\":"
                 "\"%s\"}]}",
                 paths[i]);
        cli_write_text("suite.json", text);
        expect(0, i == 0 ? "1 accepted" : "1 passed",
               i == 0 ? "check suite.json --accept" : "check suite.json");
    }
    /* The path in the report is that of the file. */
    expect(0, "\"./models/odori.pmx\"", "check suite.json --json");
}

static void a_file_with_such_a_name_comes_first(void **state)
{
    (void)state;
    cli_shell(
        "mkdir -p own/x && cp odori.pmx *.png own/ && cp odori.pmx 'own/x\\odori.pmx' && : >own/x/odori.pmx");
    cli_write_text("own/suite.json",
                   "{\"defaults\":{\"size\":[48,36],\"physics\":false},\"scenes\":[{\"name\":\"a\","
                   "\"model\":\"x\\\\odori.pmx\"}]}");
    expect(0, "1 accepted", "check own/suite.json --accept");
    cli_shell("rm 'own/x\\odori.pmx'");
    expect(3, "x/odori.pmx", "check own/suite.json"); /* which is empty */
}

static void missing_files_are_named(void **state)
{
    (void)state;
    cli_write_text("none.json", "{\"scenes\":[{\"name\":\"a\",\"model\":\"none\\\\a.pmx\"}]}");
    expect(3, "none/a.pmx", "check none.json");
    cli_write_text("out.json", "{\"scenes\":[{\"name\":\"a\",\"model\":\"..\\\\..\\\\..\\\\..\\\\..\\\\.."
                               "\\\\..\\\\..\\\\a.pmx\"}]}");
    expect(3, "outside of", "check out.json");
}

/* Replaces all of a text by another one in a picture's scene. */
static void rename_in(const char *from, const char *to, const char *was, const char *is)
{
    char *scene = cli_picture_scene(from), *at = strstr(scene, was);
    mmd_image image = cli_picture(from);
    assert_non_null(at);
    mmd_buffer changed = {0};
    for (char *rest = scene; *rest;) {
        bool here = strncmp(rest, was, strlen(was)) == 0;
        mmd_write_bytes(&changed, here ? is : rest, here ? strlen(is) : 1);
        rest += here ? strlen(was) : 1;
    }
    mmd_write_u8(&changed, 0);
    assert_false(changed.failed);
    cli_write_picture(to, &image, (const char *)changed.data);
    mmd_buffer_finish(&changed);
    mmd_image_finish(&image);
    free(scene);
}

static void pictures_of_windows_are_drawn_again(void **state)
{
    (void)state;
    cli_shell("mkdir -p models && cp odori.pmx *.png models/");
    expect(0, NULL, "shot models/odori.pmx --frame 0 --size 48x36 --physics off -o shot.png");
    rename_in("shot.png", "beside.png", "models/odori.pmx", "models\\\\odori.pmx");
    expect(0, "beside.png: equal", "check beside.png");
    rename_in("shot.png", "far.png", "models/odori.pmx", "C:\\\\miku\\\\models\\\\odori.pmx");
    expect(0, "far.png: equal", "check far.png --folder .");
    cli_shell("mkdir -p empty && mv far.png empty/");
    expect(3, NULL, "check empty/far.png");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suites_lead_to_the_same_files),
        cmocka_unit_test(a_file_with_such_a_name_comes_first),
        cmocka_unit_test(missing_files_are_named),
        cmocka_unit_test(pictures_of_windows_are_drawn_again),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
