/* Tests MMD projects as input: files found, the effect of keys, and messages about missing files. */
#include "cli.h"

#include <math.h>

#include "mmd/format.h"
#include "mmd/project.h"
#include "sample_projects.h"

/* A square of two faces, 0.1 wide in the file and 1 unit in the scene. */
static const char square_x[] = "xof 0303txt 0032\n"
                               "Mesh {\n 4;\n -0.05;0;0;, 0.05;0;0;, 0.05;0.1;0;, -0.05;0.1;0;;\n"
                               " 2;\n 4;0,1,2,3;, 4;3,2,1,0;;\n}\n";

static void write_file(const char *name, const void *data, size_t size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    assert_int_equal(mmd_file_write(path, data, size, NULL), MMD_OK);
}

static void write_commands(const char *text)
{
    write_file("c.txt", text, strlen(text));
}

static mmd_bytes read_file(const char *name)
{
    char path[1024];
    mmd_bytes bytes = {0};
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
    return bytes;
}

static void run(const char *command)
{
    char line[2048];
    snprintf(line, sizeof line, "cd '%s' && %s", cli_folder(), command);
    assert_int_equal(system(line), 0);
}

/* Adds the figure and its dance with a path of another machine. */
static void add_figure(mmd_project *project, const char *path)
{
    mmd_model *model = NULL;
    mmd_motion *motion = NULL;
    mmd_bytes pmx = read_file("odori.pmx"), vmd = read_file("odori.vmd");
    assert_int_equal(mmd_model_read(pmx.data, pmx.size, &model, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &motion, NULL), MMD_OK);
    assert_int_equal(mmd_project_add_model(project, model, motion, path, NULL), MMD_OK);
    mmd_model_destroy(model);
    mmd_motion_destroy(motion);
    mmd_bytes_finish(&pmx);
    mmd_bytes_finish(&vmd);
}

static void add_fan(mmd_project *project, const char *path)
{
    const mmd_project_accessory_key key = {.visibility = 1, .parent = {-1, 0}, .scale = 1};
    assert_int_equal(mmd_project_add_accessory(project, "fan", path, &key, 1, NULL), MMD_OK);
}

static void write_pmm(mmd_project *project, const char *name)
{
    mmd_buffer out = {0};
    write_project(project, &out);
    write_file(name, out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_project_destroy(project);
}

static mmd_project *empty_project(void)
{
    mmd_project *project = mmd_project_create();
    assert_non_null(project);
    return project;
}

static int setup(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    run("mkdir -p UserFile/Project UserFile/Model/Figure && cp -r odori.pmx UserFile/Model/Figure/");
    write_file("UserFile/fan.x", square_x, sizeof square_x - 1);
    return 0;
}

/* Compares the frames of two dumps, whose file names differ. */
static void assert_same_frames(const char *a, const char *b)
{
    cli_result x = cli_run("dump %s", a), y = cli_run("dump %s", b);
    if (x.code != 0 || y.code != 0)
        fail_msg("%s%s", x.err, y.err);
    assert_string_equal(strstr(x.out, "\"frames\""), strstr(y.out, "\"frames\""));
    cli_finish(&x);
    cli_finish(&y);
}

static void a_project_moves_its_model_as_its_motion_does(void **state)
{
    (void)state;
    mmd_project *project = empty_project();
    add_figure(project, "D:\\MMD\\userfile\\MODEL\\figure\\Odori.PMX");
    write_pmm(project, "UserFile/Project/dance.pmm");
    assert_same_frames("UserFile/Project/dance.pmm --frames 0:60:7 --what bones,morphs",
                       "odori.pmx --motion odori.vmd --frames 0:60:7 --what bones,morphs");
    run("cp odori.pmx UserFile/Project/odori.pmx");
    cli_result result = cli_run("dump UserFile/Project/dance.pmm --frames 0");
    assert_non_null(
        strstr(result.out, "/UserFile/Model/Figure/odori.pmx\"")); /* the path that shares more of its end */
    assert_string_equal(result.err, "");
    cli_finish(&result);
    run("rm UserFile/Project/odori.pmx");
}

static void write_pmm_1(mmd_project *project, const char *name)
{
    mmd_buffer out = {0};
    write_project_1(project, &out);
    write_file(name, out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_project_destroy(project);
}

/* Version 1 refers to bones, morphs and IK by their index in the model's file. */
static void a_project_of_version_1_moves_its_models_as_one_of_version_2(void **state)
{
    (void)state;
    for (int version = 1; version <= 2; version++) {
        mmd_project *project = empty_project();
        add_figure(project,
                   "D:\\MMD\\gone\\gone.pmx"); /* its keys have to be skipped although it is missing */
        add_figure(project, "D:\\MMD\\UserFile\\Model\\Figure\\odori.pmx");
        add_fan(project, "UserFile\\fan.x");
        project->models[1].configs[0].ik[0] = 0;
        project->camera_keys[0].distance = -12;
        project->accessories[0].keys[0].parent = (mmd_project_parent){1, 3};
        project->end_1 = 2;
        (version == 1 ? write_pmm_1 : write_pmm)(project, version == 1 ? "one.pmm" : "two.pmm");
    }
    assert_same_frames("one.pmm --frames 0:60:7 --what bones,morphs,camera,light",
                       "two.pmm --frames 0:60:7 --what bones,morphs,camera,light");
    cli_result two = cli_run("info two.pmm --json"), one = cli_run("info one.pmm --json");
    assert_true(two.code == 0 && one.code == 0);
    assert_non_null(strstr(one.out, "\"kind\":\"PMM 1\""));
    const char *models = strstr(one.out, "\"models\":["), *other = strstr(two.out, "\"models\":[");
    for (int i = 0; i < 2; i++) { /* all but the English name, which version 1 lacks */
        static const char *const keys[] = {
            "\"name\":\"", "\"path\":\"",     "\"bones\":",        "\"bone_keys\":",
            "\"morphs\":", "\"morph_keys\":", "\"property_keys\":"};
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            models = strstr(models, keys[k]);
            other = strstr(other, keys[k]);
            assert_non_null(models);
            assert_memory_equal(models, other, strcspn(other, ","));
        }
    }
    cli_finish(&one);
    cli_finish(&two);
    run("head -c 5000 one.pmm >cut.pmm");
    cli_expect(3, "cut.pmm: model 0 at byte 406: the keys that begin here fit no number of bones",
               "dump cut.pmm --frames 0");
}

static void a_model_of_version_1_may_have_changed(void **state)
{
    (void)state;
    mmd_project *project = empty_project();
    add_figure(project, "odori.pmx");
    project->models[0].bone_count--;
    project->models[0].ik_count = 0;
    write_pmm_1(project, "changed.pmm");
    cli_result result = cli_run("dump changed.pmm --frames 0");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(
        result.err,
        "the model is another version than in the project; keyframes of parts that differ are ignored"));
    cli_finish(&result);
}

static void the_command_line_is_over_the_project(void **state)
{
    (void)state;
    mmd_project *project = empty_project();
    add_figure(project, "odori.pmx");
    project->camera_keys[0].distance = -12;
    write_pmm(project, "camera.pmm");
    cli_expect(0, "\"distance\":-12", "dump camera.pmm --frames 0 --what camera");
    write_commands("camera.set -20 0 10 0 0 0 0 30\n");
    cli_expect(0, "\"distance\":-20", "dump camera.pmm --frames 0 --what camera --exec c.txt");
    assert_same_frames("camera.pmm --pose odori.vmd --frames 3 --what bones",
                       "odori.pmx --motion odori.vmd --frames 3 --what bones");
}

static void what_is_not_there_is_said_and_the_rest_is_opened(void **state)
{
    (void)state;
    mmd_project *project = empty_project();
    add_figure(project, "C:\\gone\\gone.pmx");
    add_figure(project, "C:\\x\\odori.pmx");
    add_fan(project, "C:\\gone\\gone.x");
    write_pmm(project, "half.pmm");
    cli_result result = cli_run("dump half.pmm --frames 0");
    assert_int_equal(result.code, 0);
    assert_non_null(
        strstr(result.err, "\"C:\\gone\\gone.pmx\" is neither in its folder nor in the two above"));
    assert_non_null(strstr(result.err, "gone.x"));
    cli_finish(&result);

    project = empty_project();
    add_figure(project, "C:\\gone\\gone.pmx");
    write_pmm(project, "none.pmm");
    result = cli_run("dump none.pmm --frames 0");
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.err, "none of its models was found"));
    cli_finish(&result);
    write_pmm(empty_project(), "empty.pmm");
    cli_expect(3, "the project has no models", "dump empty.pmm --frames 0");
    run("head -c 5000 half.pmm >cut.pmm");
    cli_expect(3, "cut.pmm", "dump cut.pmm --frames 0");
    cli_expect(3, "a project instead of a motion", "dump odori.pmx --motion half.pmm --frames 0");
    cli_expect(3, "a project instead of a model", "dump odori.pmx --stage half.pmm --frames 0");
}

/* The reader survives indices out of range, NaN, infinities, and devices instead of files. */
static void a_hostile_project_is_opened_as_far_as_it_goes(void **state)
{
    (void)state;
    mmd_project *project = empty_project();
    add_figure(project, "\\..\\..\\.\\odori.pmx");
    add_fan(project, "UserFile\\fan.x");
    add_fan(project, "/dev/zero");
    add_fan(project, "");
    mmd_project_accessory_key *key = &project->accessories[0].keys[0];
    key->parent = (mmd_project_parent){200, -7};
    key->scale = key->position[1] = INFINITY;
    key->rotation[2] = NAN;
    key->visibility = 255;
    project->models[0].edge_width = NAN;
    project->accessories_after_models = INT32_MIN;
    project->frame = -5;
    project->view_width = INT32_MAX;
    project->ground_shadow_brightness = NAN;
    write_pmm(project, "hostile.pmm");
    cli_result result = cli_run("dump hostile.pmm --frames 0,1e9");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "fan.x: the bone that it is attached to does not exist"));
    cli_finish(&result);
}

static void the_sample_project_finds_nothing_here(void **state)
{
    (void)state;
    write_pmm(sample_project(), "sample.pmm");
    cli_result result = cli_run("dump sample.pmm --frames 0");
    assert_int_equal(result.code, 3);
    cli_finish(&result);
}

static void mmd_s_own_project_is_opened(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    cli_expect(0, "\"frame\":30", "dump %s/data/small/ik_multi_bone_from_pmx_vmd.pmm --frames 0,30",
               ODORI_SHARED);
}

/* Runs file.open, which dropping files on the window calls too, and quits before there is a window. */
static void play_opens_files_by_command(void **state)
{
    (void)state;
    mmd_project *project = empty_project();
    add_figure(project, "odori.pmx");
    add_fan(project, "UserFile\\fan.x");
    write_pmm(project, "open.pmm");
    static const struct {
        int code;
        const char *commands, *message;
    } runs[] = {
        {0, "file.open UserFile/fan.x\nmodel.select 1\nmodel.attach 0 頭\nquit\n", NULL},
        {0, "file.open odori.pmx odori.vmd\nmodel.select 1\nmorph.set 笑い 1\nundo\nquit\n", NULL},
        {0, "morph.set 笑い 1\nfile.open open.pmm\nundo\nmodel.select 0\nmorph.set 笑い 1\nquit\n", NULL},
        {0, "file.open odori.vmd open.pmm\nquit\n", NULL}, /* the motion is added last */
        {2, "file.open\n", "takes 1 argument or more, not 0: file.open PATH..."},
        {2, "file.open nothing.pmx\n", "nothing.pmx"},
        {2, "file.open c.txt\n", "c.txt"},
        {2, "file.open odori.pmx\nmodel.select 2\n", "there is no model 2"},
        {2, "file.open open.pmm\nmodel.select 2\n", "there is no model 2"},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        write_commands(runs[i].commands);
        cli_expect(runs[i].code, runs[i].message, "play odori.pmx --exec c.txt");
    }
    write_commands("file.open none.pmm\n");
    cli_result result = cli_run("play odori.pmx --exec c.txt");
    assert_int_equal(result.code, 2);
    assert_non_null(strstr(result.err, "the scene is unchanged"));
    cli_finish(&result);
    cli_expect(2, "only `play` can open files", "dump odori.pmx --frames 0 --exec c.txt");
}

static void the_bundled_dancer_may_be_named(void **state)
{
    (void)state;
    cli_expect(0, "おどり", "info dancer");
    cli_expect(0, "dancer.pmx", "dump dancer --frames 30 --motion dancer --camera dancer");
    run("cp odori.pmx dancer"); /* a file of that name comes first */
    cli_expect(0, "\"model\":\"dancer\"", "dump dancer --frames 0");
    run("rm dancer");
    write_commands("quit\n");
    cli_expect(0, NULL, "play dancer --exec c.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_project_moves_its_model_as_its_motion_does),
        cmocka_unit_test(a_project_of_version_1_moves_its_models_as_one_of_version_2),
        cmocka_unit_test(a_model_of_version_1_may_have_changed),
        cmocka_unit_test(the_command_line_is_over_the_project),
        cmocka_unit_test(what_is_not_there_is_said_and_the_rest_is_opened),
        cmocka_unit_test(a_hostile_project_is_opened_as_far_as_it_goes),
        cmocka_unit_test(the_sample_project_finds_nothing_here),
        cmocka_unit_test(mmd_s_own_project_is_opened),
        cmocka_unit_test(play_opens_files_by_command),
        cmocka_unit_test(the_bundled_dancer_may_be_named),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
