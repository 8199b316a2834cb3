/* `odori check --sensitivity`: the smallest changes of a model that a scene notices. */
#include "cli.h"

#include <string.h>

#include "mmd/format.h"

/* Returns the row of a kind of change of a scene, or NULL. */
static const json_t *row_of(const json_t *whole, size_t scene, const char *kind)
{
    const json_t *list =
        json_object_get(json_array_get(json_object_get(whole, "scenes"), scene), "sensitivity");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        if (strcmp(json_string_value(json_object_get(row, "kind")), kind) == 0)
            return row;
    }
    return NULL;
}

static double step_of(const json_t *whole, const char *kind)
{
    const json_t *step = json_object_get(row_of(whole, 0, kind), "step");
    if (!json_is_number(step))
        fail_msg("%s: no step", kind);
    return json_number_value(step);
}

static void write_suite(const char *scenes)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"defaults\":{\"model\":\"model.pmx\",\"motion\":\"odori.vmd\",\"size\":[48,64],\"frames\":20,"
             "\"physics\":false},\"scenes\":[%s]}",
             scenes);
    cli_write_text("suite.json", text);
}

/* Writes odori.pmx as model.pmx, with a material's colour or a bone's place changed by a step. */
static void write_model(const char *material, double levels, const char *bone, double units)
{
    mmd_bytes bytes = cli_read("odori.pmx");
    mmd_buffer out = {0};
    mmd_model *m = NULL;
    assert_int_equal(mmd_pmx_read(bytes.data, bytes.size, &m, NULL), MMD_OK);
    for (uint32_t i = 0; i < m->material_count; i++)
        for (int k = 0; k < 3 && strcmp(m->materials[i].name, material) == 0; k++)
            m->materials[i].diffuse[k] += (float)(m->materials[i].diffuse[k] < 0.5f ? levels : -levels) / 255;
    int32_t index = mmd_model_find_bone(m, bone);
    assert_true(index >= 0 || !*bone);
    if (index >= 0)
        m->bones[index].position[0] += (float)units;
    assert_int_equal(mmd_pmx_write(m, &out, NULL), MMD_OK);
    cli_write("model.pmx", out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_bytes_finish(&bytes);
    mmd_model_destroy(m);
}

/* Runs a check and requires an exit code and a text on stdout. */
static void check(int code, const char *arguments, const char *text)
{
    cli_result result = cli_run("check suite.json %s", arguments);
    if (result.code != code || !strstr(result.out, text))
        fail_msg("check %s: exit code %d, no \"%s\" in: %s%s", arguments, result.code, text, result.out,
                 result.err);
    cli_finish(&result);
}

static void steps_are_those_of_which_files_fail(void **state)
{
    (void)state;
    write_model("", 0, "", 0);
    write_suite("{\"name\":\"loose\",\"tolerance\":{\"mean\":0.5}}");
    json_t *whole = cli_json("check suite.json --sensitivity --json");
    const char *material = json_string_value(json_object_get(row_of(whole, 0, "material"), "item")),
               *bone = json_string_value(json_object_get(row_of(whole, 0, "bone"), "item"));
    const double levels = step_of(whole, "material"), units = step_of(whole, "bone");
    assert_true(levels > 1 && units > 0.001);
    assert_null(row_of(whole, 0, "damping"));
    check(0, "--accept", "1 accepted");
    write_model(material, levels, "", 0);
    check(1, "", "mean is");
    write_model(material, levels / 2, "", 0);
    check(0, "", "1 passed");
    write_model("", 0, bone, units);
    check(1, "", "mean is");
    write_model("", 0, bone, units / 2);
    check(0, "", "1 passed");
    json_decref(whole);
}

static void scenes_that_notice_nothing_are_told(void **state)
{
    (void)state;
    write_model("", 0, "", 0);
    write_suite("{\"name\":\"strict\"},{\"name\":\"corner\",\"mask\":[{\"rect\":[0,0,3,3],\"keep\":true}]}");
    cli_result one = cli_run("check suite.json --sensitivity"),
               two = cli_run("check suite.json --sensitivity --jobs 2");
    assert_int_equal(one.code, 1);
    assert_string_equal(one.out, two.out);
    assert_non_null(strstr(one.out, ": from 1 level\n"));
    assert_non_null(strstr(one.out, "fail  corner: it notices nothing\n"));
    assert_null(strstr(one.out, "damping"));
    assert_null(strstr(one.out, "fail  strict"));
    cli_finish(&one);
    cli_finish(&two);
    write_suite("{\"name\":\"away\",\"exec\":[\"model.visible off\"]}");
    check(1, "--sensitivity", "fail  away: it shows nothing that can be changed");
}

/* The dancer with physics shows something of every kind, and a strict tolerance notices each. Without
 * commands scenes share what they simulated, but not with a changed model. */
static void every_kind_is_tried(void **state)
{
    (void)state;
    cli_write_text("suite.json",
                   "{\"defaults\":{\"model\":\"dancer\",\"camera\":\"dancer\",\"size\":[96,96],\"frames\":20}"
                   ",\"scenes\":["
                   "{\"name\":\"dance\",\"exec\":[\"morph.set 笑い 1\"]},{\"name\":\"shared\"}]}");
    json_t *whole = cli_json("check suite.json --sensitivity --json");
    static const char *const kinds[] = {"texture", "material", "morph", "bone", "weight", "damping"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        assert_non_null(json_object_get(row_of(whole, 0, kinds[i]), "item"));
        assert_true(step_of(whole, kinds[i]) > 0);
    }
    assert_true(json_number_value(json_object_get(row_of(whole, 1, "damping"), "step")) > 0);
    json_decref(whole);
}

static void useless_options_are_refused(void **state)
{
    (void)state;
    cli_expect(2, "--sensitivity compares with no baselines", "check suite.json --sensitivity --accept");
    cli_expect(2, "--sensitivity compares with no baselines", "check suite.json --sensitivity --repeat 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_which_files_fail),
        cmocka_unit_test(scenes_that_notice_nothing_are_told),
        cmocka_unit_test(every_kind_is_tried),
        cmocka_unit_test(useless_options_are_refused),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
