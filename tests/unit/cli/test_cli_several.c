/*
 * Tests several models on the command line, each with its motion, placement and delay; bones with outside
 * parents, by commands and by a project's keys; and the choice of one model. All are compared with the figure
 * alone.
 */
#include "cli.h"

#include <math.h>

#include "mmd/format.h"
#include "mmd/project.h"
#include "sample_projects.h"

enum { BONES_MAX = 512 };

/* World matrices of all bones in a frame. */
typedef struct bones {
    size_t count;
    double world[BONES_MAX][16];
} bones;

/* Returns the bones of a dump's first frame, and the index of the bone called name if name is not NULL. */
static bones dump(const char *arguments, const char *name, size_t *number)
{
    static char line[1024];
    bones b = {0};
    snprintf(line, sizeof line, "dump %s", arguments);
    json_t *root = cli_json(line);
    const json_t *list = json_object_get(json_array_get(json_object_get(root, "frames"), 0), "bones");
    b.count = json_array_size(list);
    assert_in_range(b.count, 1, BONES_MAX);
    for (size_t i = 0; i < b.count; i++) {
        const json_t *bone = json_array_get(list, i), *world = json_object_get(bone, "world");
        for (size_t k = 0; k < 16; k++)
            b.world[i][k] = json_number_value(json_array_get(world, k));
        if (name && strcmp(json_string_value(json_object_get(bone, "name")), name) == 0)
            *number = i;
    }
    json_decref(root);
    return b;
}

static void multiply(const double a[16], const double b[16], double out[16])
{
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            out[4 * c + r] = 0;
            for (int k = 0; k < 4; k++)
                out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
        }
}

static void assert_near(const double a[16], const double b[16], double within)
{
    for (int k = 0; k < 16; k++)
        if (!(fabs(a[k] - b[k]) <= within))
            fail_msg("number %d: %.9g, not %.9g", k, a[k], b[k]);
}

static void assert_same(const bones *a, const bones *b, double within)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        assert_near(a->world[i], b->world[i], within);
}

/* Checks that every bone of held has, relative to the holder's bone, the position that it has alone. */
static void assert_held(const bones *held, const bones *alone, const double holder[16])
{
    assert_int_equal(held->count, alone->count);
    for (size_t i = 0; i < held->count; i++) {
        double expected[16];
        multiply(holder, alone->world[i], expected);
        assert_near(held->world[i], expected, 2e-4);
    }
}

static void each_has_its_own_motion(void **state)
{
    (void)state;
    bones alone = dump("odori.pmx --motion odori.vmd --frames 40", NULL, NULL),
          rest = dump("odori.pmx --frames 40", NULL, NULL),
          first = dump("odori.pmx other.pmx --own-motion odori.vmd --model 0 --frames 40", NULL, NULL),
          second = dump("odori.pmx other.pmx --own-motion odori.vmd --model 1 --frames 40", NULL, NULL);
    assert_same(&first, &rest, 0);
    assert_same(&second, &alone, 0);
    first = dump("odori.pmx --own-motion odori.vmd --delay 30 other.pmx --own-motion odori.vmd --delay -10.5 "
                 "--model 0 --frames 70",
                 NULL, NULL);
    assert_same(&first, &alone, 0);
    second =
        dump("odori.pmx other.pmx --own-motion odori.vmd --delay -10.5 --model 1 --frames 29.5", NULL, NULL);
    assert_same(&second, &alone, 0);
    first = dump("odori.pmx --delay 50 --motion odori.vmd --frames 20", NULL, NULL);
    alone = dump("odori.pmx --motion odori.vmd --frames 0", NULL, NULL);
    assert_same(&first, &alone, 0);
}

static void what_is_meant_is_said(void **state)
{
    (void)state;
    cli_expect(2, "applies to the model given before it, and there is none",
               "dump --own-motion odori.vmd odori.pmx --frames 0");
    cli_expect(2, "is not a placement X,Y,Z", "dump odori.pmx --place 1,2 --frames 0");
    cli_expect(2, "is not a placement X,Y,Z", "dump odori.pmx --place 1,2,1e7 --frames 0");
    cli_expect(2, "is not a number of frames", "dump odori.pmx --delay soon --frames 0");
    cli_expect(2, "--delay applies to one model, but this file has none",
               "dump odori.pmx odori.vmd --delay 3 --frames 0");
    cli_expect(2, "there is no model 2; there are only 2 (the first is 0)",
               "dump odori.pmx other.pmx --model 2 --frames 0");
    cli_expect(2, "dump works with one model, not 2", "dump odori.pmx other.pmx --frames 0");
    cli_expect(2, "has no bone \"nobody\"", "dump odori.pmx other.pmx --hang nobody --model 0 --frames 0");
    cli_expect(2, "there is no model before it", "dump odori.pmx other.pmx --hang 2:右手首 --model 0 --frames 0");
    cli_expect(2, "that model is attached to this one",
               "dump odori.pmx other.pmx --hang 1:右手首 --model 0 --frames 0");
    cli_expect(2, "that model is attached to this one",
               "dump odori.pmx --hang 1:右手首 other.pmx --hang 右手首 --model 0 --frames 0");
    cli_expect(3, "nothing.vmd", "dump odori.pmx --own-motion nothing.vmd --frames 0");
    cli_result result = cli_run("dump odori.pmx --motion odori.vmd other.pmx --motion odori.vmd --model 1 "
                                "--frames 0 -o out.json");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "use --own-motion to move only the model"));
    cli_finish(&result);
}

static void a_command_hangs_one_on_another(void **state)
{
    (void)state;
    size_t wrist = BONES_MAX;
    cli_write_text("whole.txt", "model.parent \"\" 0 右手首\n");
    cli_write_text("again.txt", "model.parent \"\" 0 右手首\nundo\nredo\nundo\n");
    cli_write_text("none.txt", "model.parent \"\" 0 右手首\nmodel.parent \"\" none\n");
    bones holder = dump("odori.pmx --motion odori.vmd --frames 33", "右手首", &wrist),
          alone = dump("odori.pmx --frames 33", NULL, NULL),
          held = dump("odori.pmx --own-motion odori.vmd other.pmx --model 1 --exec whole.txt --frames 33",
                      NULL, NULL);
    assert_int_not_equal(wrist, BONES_MAX);
    assert_held(&held, &alone, holder.world[wrist]);
    held =
        dump("odori.pmx --own-motion odori.vmd other.pmx --model 1 --exec again.txt --frames 33", NULL, NULL);
    assert_same(&held, &alone, 0);
    held =
        dump("odori.pmx --own-motion odori.vmd other.pmx --model 1 --exec none.txt --frames 33", NULL, NULL);
    assert_same(&held, &alone, 0);
}

static void commands_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"model.parent \"\" 1 右手首", "the other model is attached to this one already"},
        {"model.select 1\nmodel.parent nobody 0 右手首", "踊り子 (2nd model) has no bone \"nobody\""},
        {"model.parent \"\" 0 nobody", "踊り子 (1st model) has no bone \"nobody\""},
        {"model.parent \"\" 7 右手首", "there is no model 7"},
        {"model.parent \"\" wrist", "takes `none`, or the number of a model and the name of its bone"},
        {"model.delay 1e9", "the limit is a million"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s\n", lines[i][0]);
        cli_write_text("c.txt", text);
        cli_expect(2, lines[i][1], "dump odori.pmx other.pmx --model 1 --exec c.txt --frames 0");
    }
    cli_write_text("c.txt", "model.parent \"\" 0 右手首\nmodel.select 0\nmodel.parent センター 1 左手首\n");
    cli_expect(2, "c.txt:3: the other model is attached to this one already",
               "dump odori.pmx other.pmx --model 1 --exec c.txt --frames 0");
}

/* ------------------------------------------------------------ projects */

static mmd_model *read_figure(void)
{
    mmd_model *model = NULL;
    mmd_bytes pmx = cli_read("odori.pmx");
    assert_int_equal(mmd_model_read(pmx.data, pmx.size, &model, NULL), MMD_OK);
    mmd_bytes_finish(&pmx);
    return model;
}

static void add_figure(mmd_project *project, const mmd_model *model, const char *motion_name,
                       const char *path)
{
    mmd_motion *motion = NULL;
    if (motion_name) {
        mmd_bytes vmd = cli_read(motion_name);
        assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &motion, NULL), MMD_OK);
        mmd_bytes_finish(&vmd);
    }
    assert_int_equal(mmd_project_add_model(project, model, motion, path, NULL), MMD_OK);
    mmd_motion_destroy(motion);
}

/* Sets keys with an outside parent for the whole model. */
static void set_keys(mmd_project *project, uint32_t model, const uint32_t *frames,
                     const mmd_project_parent *parents, uint32_t count)
{
    mmd_project_model *m = &project->models[model];
    mmd_project_config_key *configs = mmd_arena_alloc(&project->arena, count, sizeof *configs);
    assert_non_null(configs);
    assert_int_equal(m->parent_bones[0], -1);
    for (uint32_t k = 0; k < count; k++) {
        configs[k] = m->configs[0];
        configs[k].at = (mmd_project_key){frames[k], MMD_PROJECT_NO_NUMBER, MMD_NO_RECORD};
        configs[k].parents = mmd_arena_alloc(&project->arena, m->parent_count, sizeof *configs[k].parents);
        assert_non_null(configs[k].parents);
        memcpy(configs[k].parents, m->configs[0].parents, m->parent_count * sizeof *configs[k].parents);
        configs[k].parents[0] = parents[k];
    }
    m->configs = configs;
    m->config_count = count;
}

static void write_pmm(mmd_project *project, const char *name)
{
    mmd_buffer out = {0};
    write_project(project, &out);
    cli_write(name, out.data, out.size);
    mmd_buffer_finish(&out);
}

static void expect_at(double frame, const char *project, const bones *alone, const char *holder)
{
    char line[256];
    size_t at = BONES_MAX;
    bones held;
    snprintf(line, sizeof line, "%s --model 1 --frames %g --physics off", project, frame);
    held = dump(line, NULL, NULL);
    if (!holder) {
        assert_same(&held, alone, 1e-6);
        return;
    }
    snprintf(line, sizeof line, "%s --model 0 --frames %g --physics off", project, frame);
    bones first = dump(line, holder, &at);
    assert_int_not_equal(at, BONES_MAX);
    assert_held(&held, alone, first.world[at]);
}

static void a_projects_keys_hand_it_over(void **state)
{
    (void)state;
    mmd_project *project = mmd_project_create();
    mmd_model *figure = read_figure();
    int32_t right = mmd_model_find_bone(figure, "右手首"), left = mmd_model_find_bone(figure, "左手首");
    bones alone = dump("odori.pmx --frames 0", NULL, NULL);
    assert_non_null(project);
    add_figure(project, figure, "odori.vmd", "C:\\odori.pmx");
    add_figure(project, figure, NULL, "C:\\other.pmx");
    const uint32_t frames[] = {0, 10, 20, 30};
    const mmd_project_parent parents[] = {{-1, -1}, {0, right}, {0, left}, {-1, -1}};
    set_keys(project, 1, frames, parents, 4);
    write_pmm(project, "held.pmm");
    expect_at(9, "held.pmm", &alone, NULL);
    expect_at(10, "held.pmm", &alone, "右手首");
    expect_at(19.5, "held.pmm", &alone, "右手首");
    expect_at(20, "held.pmm", &alone, "左手首");
    expect_at(31, "held.pmm", &alone, NULL);
    cli_write_text("off.txt", "model.parent \"\" none\n");
    cli_write_text("on.txt", "model.parent \"\" none\nundo\n"); /* undo restores all keys */
    bones off = dump("held.pmm --model 1 --frames 15 --physics off --exec off.txt", NULL, NULL),
          on = dump("held.pmm --model 1 --frames 15 --physics off --exec on.txt", NULL, NULL),
          plain = dump("held.pmm --model 1 --frames 15 --physics off", NULL, NULL);
    assert_same(&off, &alone, 1e-6);
    assert_same(&on, &plain, 0);
    cli_result result = cli_run("dump held.pmm --model 1 --frames 0 -o out.json");
    assert_string_equal(result.err, "");
    cli_finish(&result);
    const mmd_project_parent ring[] = {{1, right}}, lost[] = {{0, 30000}};
    set_keys(project, 0, frames, ring, 1);
    write_pmm(project, "ring.pmm");
    expect_at(15, "ring.pmm", &alone, NULL); /* a cycle is broken at its first model */
    result = cli_run("dump ring.pmm --model 1 --frames 0 -o out.json");
    assert_non_null(strstr(result.err, "is attached to this model itself"));
    cli_finish(&result);
    mmd_project_destroy(project);
    project = mmd_project_create();
    add_figure(project, figure, NULL, "C:\\odori.pmx");
    add_figure(project, figure, NULL, "C:\\other.pmx");
    set_keys(project, 1, frames, lost, 1);
    write_pmm(project, "lost.pmm");
    result = cli_run("dump lost.pmm --model 1 --frames 0 -o out.json");
    assert_non_null(strstr(result.err, "the outside parent of the whole model does not exist"));
    assert_int_equal(result.code, 0);
    cli_finish(&result);
    mmd_project_destroy(project);
    mmd_model_destroy(figure);
}

/* The project of a kit shows what the suite's scene shows. */
static void a_kits_project_says_the_same(void **state)
{
    (void)state;
    cli_write_text("suite.json",
                   "{\"scenes\":[{\"name\":\"hand\",\"model\":[\"other.pmx\",\"odori.pmx\"],"
                   "\"own_motion\":{\"1\":\"odori.vmd\"},\"frames\":[20,50],\"exec\":[\"model.select 0\","
                   "\"model.parent \\\"\\\" 1 右手首\",\"model.select 1\",\"model.delay 12\"]}]}");
    cli_shell("rm -rf kit");
    cli_result result = cli_run("capture-kit suite.json --copy -o kit");
    if (result.code == 4) {
        cli_finish(&result);
        test_skip("nothing draws here");
    }
    assert_int_equal(result.code, 0);
    cli_finish(&result);
    cli_write_text("c.txt", "model.select 0\nmodel.parent \"\" 1 右手首\nmodel.select 1\nmodel.delay 12\n");
    for (int model = 0; model < 2; model++) {
        char line[256];
        snprintf(line, sizeof line, "kit/*.pmm --frames 50 --model %d --physics off", model);
        bones kit = dump(line, NULL, NULL);
        snprintf(line, sizeof line,
                 "other.pmx odori.pmx --own-motion odori.vmd --frames 50 --model %d --exec c.txt", model);
        bones suite = dump(line, NULL, NULL);
        assert_same(&kit, &suite, 1e-4);
    }
}

static void what_hangs_is_baked(void **state)
{
    (void)state;
    cli_write_text("whole.txt", "model.select 1\nmodel.parent \"\" 0 右手首\n");
    cli_result result = cli_run("bake odori.pmx --own-motion odori.vmd other.pmx --model 1 --exec whole.txt "
                                "--frames 0:40 --physics off -o held.vmd");
    if (result.code != 0)
        fail_msg("%s", result.err);
    cli_finish(&result);
    bones baked = dump("other.pmx --motion held.vmd --frames 33", NULL, NULL),
          held = dump("odori.pmx --own-motion odori.vmd other.pmx --model 1 --exec whole.txt --frames 33",
                      NULL, NULL);
    assert_same(&baked, &held, 1e-3);
}

static int setup(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    cli_shell("cp odori.pmx other.pmx");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_has_its_own_motion),
        cmocka_unit_test(what_is_meant_is_said),
        cmocka_unit_test(a_command_hangs_one_on_another),
        cmocka_unit_test(commands_that_cannot_be_are_refused),
        cmocka_unit_test(a_projects_keys_hand_it_over),
        cmocka_unit_test(a_kits_project_says_the_same),
        cmocka_unit_test(what_hangs_is_baked),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
