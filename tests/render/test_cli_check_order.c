/* `odori check`: scenes that simulate the same share it, and no picture, hash or warning depends on what was
 * drawn before it in the same process, on the order of the scenes, or on --jobs. */
#include "cli.h"

#include "mmd/cursor.h"
#include "mmd/format.h"
#include "mmd/text.h"

/* Two motions: in the first the model leaps far away at frame 71 and comes back, which resets its bodies. */
static void write_motion(const char *name, bool leaps, float turn)
{
    uint32_t frames[] = {0, 70, 71, 74, 75, 150};
    mmd_bone_key keys[6];
    mmd_buffer vmd = {0};
    char path[1024];
    bool lossy, cut;
    static const mmd_curve straight = {20, 20, 107, 107};
    for (int i = 0; i < 6; i++)
        keys[i] = (mmd_bone_key){.translation = {0, 0, leaps && (i == 2 || i == 3) ? 2000.0f : 0.0f},
                                 .rotation = {0, sinf((float)(i % 2) * turn), 0, cosf((float)(i % 2) * turn)},
                                 .curve = {straight, straight, straight, straight}};
    mmd_bone_track track = {.count = 6, .frames = frames, .keys = keys};
    mmd_motion motion = {
        .bone_tracks = &track, .bone_track_count = 1, .bone_key_count = 6, .last_frame = 150};
    mmd_name_key_from_utf8("センター", track.name, &lossy, &cut);
    assert_int_equal(mmd_vmd_write(&motion, &vmd, NULL), MMD_OK);
    snprintf(path, sizeof path, "%s/order/%s", cli_folder(), name);
    assert_int_equal(mmd_file_write(path, vmd.data, vmd.size, NULL), MMD_OK);
    mmd_buffer_finish(&vmd);
}

typedef struct named_scene {
    const char *name, *fields;
} named_scene;

static const named_scene scenes[] = {
    {"first", "\"frames\":150"},
    {"other-motion", "\"motion\":\"turn.vmd\",\"frames\":[130,150]"},
    {"late", "\"frames\":[125,149]"},
    {"gravity", "\"physics\":{\"gravity\":[60,-60,0]},\"frames\":125"},
    {"early", "\"frames\":[20,65,72]"},
    {"other-model", "\"model\":\"odori.pmx\",\"frames\":30"},
    {"camera", "\"exec\":[\"camera.orbit 20 0\"],\"frames\":150"},
    {"bone", "\"exec\":[\"bone.rotate 頭 0 0 60\"],\"frames\":150"},
    {"with-stage", "\"stage\":\"dancer.pmx\",\"frames\":125"},
    {"again", "\"frames\":150"},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* Writes a suite of all scenes, forward or backward. */
static void write_suite(const char *name, bool backward)
{
    mmd_buffer text = {0};
    mmd_write_format(&text, "{\"baselines\":\"base\",\"defaults\":{\"size\":[96,72],\"model\":\"dancer.pmx\","
                            "\"motion\":\"leap.vmd\"},\"scenes\":[");
    for (size_t i = 0; i < SCENES; i++) {
        const named_scene *s = &scenes[backward ? SCENES - 1 - i : i];
        mmd_write_format(&text, "%s{\"name\":\"%s\",%s}", i ? "," : "", s->name, s->fields);
    }
    mmd_write_format(&text, "]}");
    mmd_write_bytes(&text, "", 1);
    assert_false(text.failed);
    cli_write_text(name, (const char *)text.data);
    mmd_buffer_finish(&text);
}

static void run(int code, const char *arguments)
{
    cli_result result = cli_run("check %s", arguments);
    if (result.code != code)
        fail_msg("check %s: exit code %d: %s%s", arguments, result.code, result.out, result.err);
    cli_finish(&result);
}

/* Returns the warnings of a scene in a report, as a text. */
static char *warnings_of(const char *report, const char *name)
{
    char path[1024];
    size_t i;
    const json_t *scene;
    char *text = NULL;
    snprintf(path, sizeof path, "%s/%s/results.json", cli_folder(), report);
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    json_array_foreach(json_object_get(root, "scenes"), i,
                       scene) if (strcmp(json_string_value(json_object_get(scene, "name")), name) == 0) text =
        json_dumps(json_object_get(scene, "warnings"), JSON_ENCODE_ANY);
    json_decref(root);
    return text;
}

static void expect_warnings(const char *report, const char *name, const char *expected)
{
    char *text = warnings_of(report, name);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

/* Makes the suites, and the baselines of all scenes, each in a process of its own. */
static int set_up(void **state)
{
    if (cli_setup(state) != 0)
        return 1;
    cli_need_dancer();
    cli_shell("rm -rf order && mkdir order && cp odori.pmx *.png order && cp -r " ODORI_BINARY
              "/dancer/dancer.pmx " ODORI_BINARY "/dancer/tex order");
    write_motion("leap.vmd", true, 0.5f);
    write_motion("turn.vmd", false, 1.0f);
    write_suite("order/forward.json", false);
    write_suite("order/backward.json", true);
    for (size_t i = 0; i < SCENES; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "order/forward.json --accept --only %s", scenes[i].name);
        run(0, arguments);
    }
    return 0;
}

/* A key that misses one of these differences lets the second scene go on from the first one's states. */
static void scenes_that_differ_share_nothing(void **state)
{
    (void)state;
    static const char *const others[] = {"other-motion", "gravity", "bone", "with-stage"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "order/forward.json --only first --only %s", others[i]);
        run(0, arguments);
    }
}

/* Commands that physics depends on count from frame 0 on, as in "shot", which shares nothing. */
static void commands_count_from_the_start(void **state)
{
    (void)state;
    cli_write_text("bone.txt", "bone.rotate 頭 0 0 60\n");
    cli_result shot =
        cli_run("shot order/dancer.pmx --motion order/leap.vmd --physics on --size 96x72 --frame 150 "
                "--exec bone.txt -o bone.png");
    assert_int_equal(shot.code, 0);
    cli_finish(&shot);
    cli_result equal = cli_run("diff bone.png order/base/*/bone/150.png");
    if (equal.code != 0)
        fail_msg("diff: exit code %d: %s%s", equal.code, equal.out, equal.err);
    cli_finish(&equal);
}

static void no_scene_depends_on_those_before(void **state)
{
    (void)state;
    run(0, "order/forward.json --only late --report alone");
    run(0, "order/forward.json --report forward --jobs 1");
    run(0, "order/forward.json --report forward2 --jobs 2");
    cli_shell("diff -r forward forward2 >&2");
    char *alone = warnings_of("alone", "late");
    assert_non_null(alone);
    assert_non_null(strstr(alone, "left behind by a jump of the motion"));
    expect_warnings("forward", "late", alone);
    expect_warnings("forward", "again", alone);
    free(alone);
    run(0, "order/backward.json --accept --baselines order/backward");
    cli_shell("diff -r order/base order/backward >&2");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_that_differ_share_nothing),
        cmocka_unit_test(commands_count_from_the_start),
        cmocka_unit_test(no_scene_depends_on_those_before),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
