/* `odori check` names what has changed inside of models and motions, in text, results.json and junit.xml. */
#include "cli.h"

#include <string.h>

#include "mmd/format.h"
#include "mutations.h"

/* Runs `check` and requires an exit code and a text on stdout or stderr. */
static void check(int code, const char *text, const char *arguments)
{
    cli_result result = cli_run("check %s", arguments);
    if (result.code != code || (!strstr(result.out, text) && !strstr(result.err, text)))
        fail_msg("check %s: exit code %d, no \"%s\" in: %s%s", arguments, result.code, text, result.out,
                 result.err);
    cli_finish(&result);
}

/* Writes odori.pmx or odori.vmd as suite/model.pmx or suite/motion.vmd, mutated unless what is NULL. */
static void write_input(bool is_motion, const char *what, mutated *m)
{
    mmd_bytes bytes = cli_read(is_motion ? "odori.vmd" : "odori.pmx");
    mmd_buffer out = {0};
    *m = (mutated){0};
    if (is_motion)
        assert_int_equal(mmd_vmd_read(bytes.data, bytes.size, &m->motion, NULL), MMD_OK);
    else
        assert_int_equal(mmd_pmx_read(bytes.data, bytes.size, &m->model, NULL), MMD_OK);
    bool made = !what;
    for (size_t i = 0; i < mutation_count && what; i++)
        if (strcmp(mutations[i].what, what) == 0)
            made = mutations[i].make(m);
    if (what && strcmp(what, "a comment") == 0) {
        m->model->comment = "another";
        made = true;
    }
    assert_true(made);
    assert_int_equal(is_motion ? mmd_vmd_write(m->motion, &out, NULL) : mmd_pmx_write(m->model, &out, NULL),
                     MMD_OK);
    cli_write(is_motion ? "suite/motion.vmd" : "suite/model.pmx", out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_bytes_finish(&bytes);
    mmd_model_destroy(m->model);
    mmd_motion_destroy(m->motion);
}

static void write_suite(const char *tolerance)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "{\"scenes\":[{\"name\":\"s\",\"model\":\"model.pmx\",\"motion\":\"motion.vmd\",\"frames\":[0,20],"
        "\"size\":[160,120]%s}]}",
        tolerance);
    cli_shell("mkdir -p suite");
    cli_write_text("suite/suite.json", text);
}

/* Writes both inputs and accepts their pictures. */
static void accept(const char *options)
{
    char arguments[128];
    mutated m;
    cli_shell("rm -rf suite");
    write_suite("");
    write_input(false, NULL, &m);
    write_input(true, NULL, &m);
    snprintf(arguments, sizeof arguments, "suite/suite.json --accept %s", options);
    check(0, "1 accepted", arguments);
}

static void changes_inside_of_files_are_named(void **state)
{
    (void)state;
    mutated m;
    char command[2048];
    accept("");
    cli_shell("[ ! -e suite/baselines/inputs ]");
    write_input(false, "a colour of a material", &m);
    check(1, m.said[1], "suite/suite.json --report r");
    snprintf(command, sizeof command,
             "grep -F '%s' r/results.json >/dev/null && grep -F '%s' r/junit.xml >/dev/null", m.said[1],
             m.said[1]);
    cli_shell(command);
    write_input(false, "an inverted group of weights", &m);
    check(1, m.said[1], "suite/suite.json");
    write_input(false, NULL, &m);
    write_input(true, "keys of a bone", &m); /* between the frames that are drawn */
    check(0, m.said[1], "suite/suite.json");
}

static void kept_inputs_count_what_has_changed(void **state)
{
    (void)state;
    mutated m;
    check(2, "--keep-inputs needs --accept", "suite/suite.json --keep-inputs");
    accept("--keep-inputs");
    cli_shell("[ $(ls suite/baselines/inputs/*.contents | wc -l) = 2 ]");
    write_input(false, "an inverted group of weights", &m);
    assert_string_not_equal(m.said[0], m.said[1]);
    check(1, m.said[0], "suite/suite.json");
    write_input(false, "a moved morph", &m);
    check(0, m.said[0], "suite/suite.json");
    /* A damaged file is as if there were none. */
    cli_shell("for f in suite/baselines/inputs/*; do echo damaged >$f; done");
    check(0, m.said[1], "suite/suite.json");
    /* That of the motion is written anew, and that is said. */
    check(0, ".contents: the file was damaged, and is written anew",
          "suite/suite.json --accept --keep-inputs");
    cli_shell("[ $(grep -l '^damaged' suite/baselines/inputs/* | wc -l) = 1 ]");

    /* Files that can refer to others are not kept, because their hash does not say what they hold. */
    cli_result result = cli_run("convert odori.pmx other.glb");
    assert_int_equal(result.code, 0);
    cli_finish(&result);
    cli_shell("rm -rf other && mkdir other && mv other.glb other");
    cli_write_text("other/suite.json", "{\"baselines\":\"base\",\"scenes\":[{\"name\":\"s\",\"size\":[16,16],"
                                       "\"physics\":false,\"model\":\"other.glb\"}]}");
    check(0, "1 accepted", "other/suite.json --accept --keep-inputs");
    cli_shell("[ ! -e other/base/inputs ]");
}

static void changes_that_pass_are_told_as_notes(void **state)
{
    (void)state;
    mutated m;
    accept("");
    write_input(false, "a colour of a material", &m);
    write_suite(",\"tolerance\":{\"max\":255}");
    check(0, "note  s: frame ", "suite/suite.json --report r");
    check(0, m.said[1], "suite/suite.json");
    cli_shell("grep -F 'note: frame ' r/junit.xml >/dev/null");
    write_suite("");
    write_input(false, "a comment", &m);
    check(0, "the picture is equal; model model.pmx has changed: ", "suite/suite.json");
    check(0, "model model.pmx: nothing has changed that pictures depend on", "suite/suite.json");
}

/* Baselines of earlier versions have no contents, and those of other files may have any. */
static void pictures_without_contents_stay_readable(void **state)
{
    (void)state;
    mutated m;
    json_t *value;
    size_t index;
    static const char *const texts[] = {NULL, "", "AAAA", "!", "AQ=="};
    accept("");
    write_input(false, "a colour of a material", &m);
    cli_shell("cp suite/baselines/*/s/0.png base.png");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *scene = cli_picture_scene("base.png");
        json_t *root = json_loads(scene, 0, NULL);
        mmd_image image = cli_picture("base.png");
        assert_non_null(json_object_get(json_array_get(json_object_get(root, "models"), 0), "contents"));
        json_array_foreach(json_object_get(root, "models"), index, value)
        {
            json_object_del(value, "contents");
            if (texts[i])
                json_object_set_new(value, "contents", json_string(texts[i]));
        }
        char *changed = json_dumps(root, 0);
        cli_write_picture("old.png", &image, changed);
        cli_shell("cp old.png suite/baselines/*/s/0.png");
        check(1, "model model.pmx has changed: ", "suite/suite.json");
        cli_result result = cli_run("check old.png --folder suite");
        if (result.code != 1 || !strstr(result.err, "model.pmx has changed: "))
            fail_msg("exit code %d: %s%s", result.code, result.out, result.err);
        cli_finish(&result);
        free(changed);
        free(scene);
        json_decref(root);
        mmd_image_finish(&image);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_inside_of_files_are_named),
        cmocka_unit_test(kept_inputs_count_what_has_changed),
        cmocka_unit_test(changes_that_pass_are_told_as_notes),
        cmocka_unit_test(pictures_without_contents_stay_readable),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
