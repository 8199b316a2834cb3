/* Suites whose scenes are multiplied by cameras, and whose scenes are MMD projects: what is drawn, and under
 * which names. */
#include "cli.h"
#include "sample_projects.h"

#include "mmd/format.h"

static void expect(int code, const char *text, const char *arguments)
{
    cli_result result = cli_run("check %s", arguments);
    if (result.code != code || (text && !strstr(result.out, text) && !strstr(result.err, text)))
        fail_msg("check %s: exit code %d: %s%s", arguments, result.code, result.out, result.err);
    cli_finish(&result);
}

/* Writes a suite of small scenes with these fields. */
static void write_suite(const char *name, const char *scenes)
{
    char text[4096];
    snprintf(text, sizeof text, "{\"defaults\":{\"size\":[48,36],\"physics\":false},\"scenes\":[%s]}",
             scenes);
    cli_write_text(name, text);
}

/* Requires the pictures of these scenes, whose names are separated by spaces, and no others. */
static void assert_scenes(const char *folder, const char *names)
{
    char command[2048];
    snprintf(command, sizeof command,
             "test \"$(ls %s/baselines/* | LC_ALL=C sort | tr '\\n' ' ')\" = '%s ' || { ls %s/baselines/* "
             ">&2; false; }",
             folder, names, folder);
    cli_shell(command);
}

/* Requires that the pictures of frame 0 of two scenes are equal, or that they differ. */
static void assert_pictures(const char *folder, const char *a, const char *b, bool equal)
{
    char command[2048];
    snprintf(command, sizeof command,
             "rm -f a.png b.png; cp %s/baselines/*/'%s'/0.png a.png; cp %s/baselines/*/'%s'/0.png b.png",
             folder, a, folder, b);
    cli_shell(command);
    if (cli_same_pictures("a.png", "b.png") != equal)
        fail_msg("%s and %s are %sequal", a, b, equal ? "not " : "");
}

/* Writes a camera motion of one keyframe, with its light. */
static void write_camera(const char *name, const mmd_camera *camera)
{
    mmd_camera_key key = {.record = MMD_NO_RECORD, .value = *camera};
    mmd_motion motion = {.camera_keys = &key, .camera_key_count = 1};
    mmd_buffer vmd = {0};
    assert_int_equal(mmd_vmd_write(&motion, &vmd, NULL), MMD_OK);
    cli_write(name, vmd.data, vmd.size);
    mmd_buffer_finish(&vmd);
}

static void make_folder(const char *folder)
{
    char command[1024], name[256];
    mmd_camera camera = mmd_default_camera();
    snprintf(command, sizeof command,
             "rm -rf %s && mkdir -p %s/cams && cp odori.pmx *.png %s && cp odori.vmd %s/one.vmd && cp "
             "odori.vmd %s/two.vmd",
             folder, folder, folder, folder, folder);
    cli_shell("rm -f a.png b.png");
    cli_shell(command);
    camera.distance = -25;
    snprintf(name, sizeof name, "%s/cams/near.vmd", folder);
    write_camera(name, &camera);
    camera.distance = -60;
    snprintf(name, sizeof name, "%s/cams/far.vmd", folder);
    write_camera(name, &camera);
}

static void every_camera_is_combined_with_every_model_and_motion(void **state)
{
    (void)state;
    make_folder("product");
    write_suite(
        "product/suite.json",
        "{\"name\":\"{camera}-of-{motion}\",\"model\":\"odori.pmx\",\"motions\":[\"one.vmd\",\"two.vmd\"],"
        "\"cameras\":[\"cams/*.vmd\",{\"name\":\"side.1\",\"distance\":40,\"angle\":[0,-90,0]}]},"
        "{\"name\":\"b\",\"models\":\"*.pmx\",\"cameras\":\"cams/near.vmd\"},"
        "{\"name\":\"c-{camera}-{camera_folder}\",\"model\":\"odori.pmx\",\"camera\":\"cams/near.vmd\"}");
    expect(0, "8 scenes: 8 accepted", "product/suite.json --accept");
    assert_scenes("product",
                  "b-odori-near c-near-cams far-of-one far-of-two near-of-one near-of-two side.1-of-one "
                  "side.1-of-two");
    assert_pictures("product", "near-of-one", "far-of-one", false);
    assert_pictures("product", "side.1-of-one", "far-of-one", false);
    assert_pictures("product", "near-of-one", "near-of-two", true); /* the motions are the same */
    assert_pictures("product", "b-odori-near", "c-near-cams", true);
    expect(0, "8 passed", "product/suite.json");
}

/* The same cameras from objects, from motions and from commands. */
static void cameras_that_stand_still_are_where_they_say(void **state)
{
    (void)state;
    make_folder("still");
    mmd_camera camera = {.distance = -40,
                         .position = {1, 9, 2},
                         .rotation = {-0.34906585f, 0.52359878f, 0.17453293f},
                         .fov = 40,
                         .perspective = true};
    write_camera("still/cams/turned.vmd", &camera);
    camera = (mmd_camera){.distance = -40, .fov = 30, .perspective = false};
    write_camera("still/cams/parallel.vmd", &camera);
    write_suite(
        "still/suite.json",
        "{\"name\":\"{camera}\",\"model\":\"odori.pmx\",\"cameras\":["
        "{\"name\":\"a\",\"distance\":40,\"target\":[1,9,2],\"angle\":[-20,30,10],\"fov\":40},"
        "{\"name\":\"b\",\"distance\":40},{\"name\":\"c\",\"distance\":40,\"orthographic\":true},"
        "{\"name\":\"d\",\"distance\":40,\"angle\":[0,180,0]},\"cams/turned.vmd\",\"cams/parallel.vmd\"]},"
        "{\"name\":\"set\",\"model\":\"odori.pmx\",\"exec\":\"camera.set -40 0 0 0 0 0 0 30\"},"
        "{\"name\":\"view\",\"model\":\"odori.pmx\",\"exec\":[\"camera.set -40 0 0 0 0 0 0 "
        "30\",\"camera.view back\"]},"
        "{\"name\":\"more\",\"model\":\"odori.pmx\",\"cameras\":[{\"name\":\"b\",\"distance\":40}],\"exec\":"
        "\"camera.view back\"},"
        /* a camera overrides that of the defaults and of motions */
        "{\"name\":\"over\",\"model\":\"odori.pmx\",\"motion\":\"cams/"
        "near.vmd\",\"cameras\":[{\"name\":\"b\",\"distance\":40}]}");
    expect(0, "10 scenes: 10 accepted", "still/suite.json --accept");
    assert_pictures("still", "a", "turned", true);
    assert_pictures("still", "b", "set", true);
    assert_pictures("still", "c", "parallel", true);
    assert_pictures("still", "b", "c", false);
    assert_pictures("still", "d", "view", true);
    assert_pictures("still", "more-b", "view", true);
    assert_pictures("still", "over-b", "set", true);
    expect(0, "equal", "still/baselines/*/a/0.png"); /* pictures know such a camera */
    write_suite("still/bad.json",
                "{\"name\":\"x\",\"model\":\"odori.pmx\",\"exec\":[\"camera.orbit 1 0\",\"nonsense\"],"
                "\"cameras\":[{\"name\":\"y\",\"distance\":1,\"orthographic\":true}]}");
    expect(3, "error  x-y: exec, line 2: unknown command \"nonsense\"", "still/bad.json");
}

/* Writes a project of the figure and her dance. file: how it names the model. */
static void write_figure_project(const char *name, const char *file, float distance)
{
    mmd_project *project = mmd_project_create();
    mmd_model *model = NULL;
    mmd_motion *motion = NULL;
    mmd_bytes pmx = cli_read("odori.pmx"), vmd = cli_read("odori.vmd");
    mmd_buffer out = {0};
    assert_non_null(project);
    assert_int_equal(mmd_model_read(pmx.data, pmx.size, &model, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &motion, NULL), MMD_OK);
    assert_int_equal(mmd_project_add_model(project, model, motion, file, NULL), MMD_OK);
    project->camera_keys[0].distance = distance;
    write_project(project, &out);
    cli_write(name, out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_project_destroy(project);
    mmd_model_destroy(model);
    mmd_motion_destroy(motion);
    mmd_bytes_finish(&pmx);
    mmd_bytes_finish(&vmd);
}

static void projects_are_scenes(void **state)
{
    (void)state;
    make_folder("projects");
    write_figure_project("projects/p.pmm", "C:\\MMD\\odori.pmx", -30);
    write_figure_project("projects/q.pmm", "C:\\MMD\\odori.pmx", -80);
    write_suite("projects/suite.json", "{\"name\":\"{model}\",\"models\":\"*.pmm\",\"frames\":[0,30]},"
                                       "{\"name\":\"seen\",\"models\":\"*.pmm\",\"cameras\":[{\"name\":"
                                       "\"front\",\"distance\":40},\"cams/near.vmd\"]}");
    expect(0, "6 scenes: 6 accepted", "projects/suite.json --accept");
    assert_scenes("projects", "p q seen-p-front seen-p-near seen-q-front seen-q-near");
    assert_pictures("projects", "p", "q", false);
    assert_pictures("projects", "seen-p-front", "seen-q-front", true);
    assert_pictures("projects", "seen-p-near", "seen-q-near", true);
    assert_pictures("projects", "seen-p-front", "seen-p-near", false);
    expect(0, "6 passed", "projects/suite.json");
}

/* A project finds files in its folder and the two above, but those of a suite only where the suite may. */
static void projects_reach_no_further_than_the_suite(void **state)
{
    (void)state;
    cli_shell("rm -rf reach && mkdir -p reach/suite/in reach/suite/.git && cp odori.pmx *.png reach");
    write_figure_project("reach/suite/in/p.pmm", "C:\\MMD\\odori.pmx", -30);
    write_suite("reach/suite/suite.json", "{\"name\":\"p\",\"model\":\"in/p.pmm\"}");
    expect(3, "odori.pmx\" leads to ", "reach/suite/suite.json --accept");
    expect(0, "1 scene: 1 accepted\n", "reach/suite/suite.json --accept --root reach");
    cli_shell("ln -s ../../odori.pmx reach/suite/in/odori.pmx");
    expect(3, "odori.pmx\" leads to ", "reach/suite/suite.json");
    write_suite("reach/suite/suite.json", "{\"name\":\"p\",\"model\":\"../p.pmm\"}");
    expect(3, "../p.pmm leads to ", "reach/suite/suite.json");
    cli_shell("cp odori.pmx *.png reach/suite && cp odori.vmd reach/camera.vmd && ln -s ../camera.vmd "
              "reach/suite/link.vmd");
    write_suite("reach/suite/suite.json",
                "{\"name\":\"p\",\"model\":\"odori.pmx\",\"cameras\":[\"link.vmd\"]}");
    expect(3, "link.vmd leads to ", "reach/suite/suite.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_camera_is_combined_with_every_model_and_motion),
        cmocka_unit_test(cameras_that_stand_still_are_where_they_say),
        cmocka_unit_test(projects_are_scenes),
        cmocka_unit_test(projects_reach_no_further_than_the_suite),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
