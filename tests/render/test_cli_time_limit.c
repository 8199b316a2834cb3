/* Tests --time-limit and the limits of frames: the exit codes, the sentence with the frame that was reached,
 * that nothing incomplete is left, and the message about physics whose single steps are slow. */
#include "cli.h"

#include <time.h>

#include "mmd/format.h"
#include "sample_models.h"
#include "sample_motions.h"

/* A limit of half a second, and the greatest time that a run may then take. The timer that ends a program
 * wherever it is comes a second after the limit; a busy machine takes longer. */
#define LIMIT "--time-limit 0.5"
enum { SECONDS_MOST = 15 };

/* Runs the program and requires that it reaches its time limit soon. */
static void expect_late(int code, const char *file, const char *arguments)
{
    time_t begun = time(NULL);
    cli_result result = cli_run("%s", arguments);
    char sentence[200];
    snprintf(sentence, sizeof sentence, "%sthe time limit of 0.5 s was reached", file);
    if (result.code != code || !strstr(result.err, sentence) ||
        (!strstr(result.err, "at frame ") && !strstr(result.err, "before the first frame")))
        fail_msg("%s: exit code %d, %s", arguments, result.code, result.err);
    assert_true(time(NULL) - begun < SECONDS_MOST);
    cli_finish(&result);
}

static void a_late_subcommand_ends_with_code_3_and_leaves_nothing(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_shell("mkdir -p late");
    expect_late(3, "", "shot dancer --frame 60000 --size 32x32 -o late/a.png " LIMIT);
    expect_late(3, "", "dump dancer --frames 0:60000 -o late/a.json " LIMIT);
    expect_late(3, "", "bake dancer --motion dancer --frames 0:60000 -o late/a.vmd " LIMIT);
    expect_late(3, "", "bench dancer --frames 100000 --size 32x32 " LIMIT);
    cli_shell("test -z \"$(ls -A late)\"");
}

static void a_late_render_keeps_its_whole_pictures(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_shell("mkdir -p frames");
    expect_late(3, "", "render dancer --frames 0:60000 --size 32x32 -o frames/%05d.png " LIMIT);
    cli_shell("! ls -A frames | grep -v '^[0-9]*[.]png$'");
}

static void a_late_video_leaves_nothing(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_need("ffmpeg");
    cli_shell("mkdir -p movie");
    expect_late(3, "", "render dancer --frames 0:60000 --size 32x32 -o movie/a.mp4 " LIMIT);
    cli_shell("test -z \"$(ls -A movie)\"");
}

static void check_gives_each_scene_the_limit(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_write_text("suite.json",
                   "{\"scenes\": [{\"name\": \"far\", \"model\": \"dancer\", \"physics\": {}, "
                   "\"frames\": [60000], \"size\": [32, 32]}, {\"name\": \"near\", \"model\": \"dancer\", "
                   "\"frames\": [0], \"size\": [32, 32]}]}");
    cli_result result = cli_run("check suite.json --accept --json --time-limit 3");
    assert_int_equal(result.code, 1);
    json_t *report = json_loads(result.out, 0, NULL), *scenes = json_object_get(report, "scenes");
    assert_int_equal(json_array_size(scenes), 2);
    const json_t *far = json_array_get(scenes, 0), *near = json_array_get(scenes, 1);
    assert_string_equal(json_string_value(json_object_get(far, "status")), "fail");
    assert_non_null(
        strstr(json_string_value(json_object_get(far, "message")), "the time limit of 3 s was reached"));
    assert_string_not_equal(json_string_value(json_object_get(near, "status")), "fail");
    assert_string_not_equal(json_string_value(json_object_get(near, "status")), "error");
    json_decref(report);
    cli_finish(&result);
}

static void check_of_a_late_picture_is_1(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_expect(0, "", "shot dancer --frame 0 --size 32x32 -o near.png");
    mmd_image image = cli_picture("near.png");
    char *scene = cli_picture_scene("near.png"), later[65536];
    char *frame = strstr(scene, "\"frame\":0");
    assert_non_null(frame);
    snprintf(later, sizeof later, "%.*s\"frame\":60000%s", (int)(frame - scene), scene,
             frame + strlen("\"frame\":0"));
    cli_write_picture("far.png", &image, later);
    expect_late(1, "far.png: ", "check near.png far.png " LIMIT);
    mmd_image_finish(&image);
    free(scene);
}

static void without_reaching_it_the_limit_changes_nothing(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_expect(0, "", "shot dancer --frame 5 --size 32x32 -o without.png");
    cli_expect(0, "", "shot dancer --frame 5 --size 32x32 -o with.png --time-limit 500");
    assert_true(cli_same_files("without.png", "with.png"));
}

static void only_positive_seconds_are_taken(void **state)
{
    (void)state;
    cli_expect(2, "--time-limit", "shot dancer --frame 0 -o x.png --time-limit 0");
    cli_expect(2, "--time-limit", "check suite.json --time-limit -1");
    cli_expect(2, "--time-limit", "bench dancer --time-limit soon");
    cli_expect(2, "unknown option", "info dancer --time-limit 1");
}

/* Writes a motion whose last keyframe is at the last frame that a VMD can name. */
static void write_endless_motion(void)
{
    mmd_motion motion;
    mmd_buffer bytes = {0};
    sample_dance(&motion, 1, 2);
    strcpy((char *)motion.bone_tracks[0].name, "\x83\x5a\x83\x93\x83\x5e\x81\x5b"); /* センター */
    motion.last_frame = UINT32_MAX;
    for (uint32_t i = 0; i < motion.bone_track_count; i++)
        motion.bone_tracks[i].frames[motion.bone_tracks[i].count - 1] = UINT32_MAX;
    assert_int_equal(mmd_vmd_write(&motion, &bytes, NULL), MMD_OK);
    cli_write("endless.vmd", bytes.data, bytes.size);
    mmd_buffer_finish(&bytes);
    sample_motion_finish(&motion);
}

static void a_last_frame_beyond_reason_is_refused(void **state)
{
    (void)state;
    cli_need_dancer();
    write_endless_motion();
    cli_expect(2, "4294967295", "bench dancer --motion endless.vmd --size 32x32");
    cli_expect(
        2,
        "the motions end at frame 4294967295, after more than a million pictures: choose fewer with --frames",
        "render dancer --motion endless.vmd --size 32x32 -o x/%%d.png");
    cli_expect(2, "million", "bake dancer --motion endless.vmd -o x.vmd");
    cli_expect(2, "million", "render dancer --motion endless.vmd --physics off --size 32x32 -o x/%%d.png");
    cli_expect(2, "", "shot dancer --motion endless.vmd --frame 4294967295 --size 32x32 -o x.png");
    cli_expect(2, "", "dump dancer --motion endless.vmd --physics on --frames 4294967295");
}

/* Writes a model with many spheres in one place, which collide with each other and hang on each other. */
static void write_pile(uint32_t count)
{
    mmd_model model;
    mmd_buffer bytes = {0};
    sample_chain(&model, 2, 3);
    model.body_count = count;
    model.bodies = mmd_alloc(count * sizeof *model.bodies);
    model.joint_count = count - 1;
    model.joints = mmd_alloc(count * sizeof *model.joints);
    assert_true(model.bodies && model.joints);
    for (uint32_t i = 0; i < count; i++) {
        model.bodies[i] = (mmd_rigid_body){.name = "b",
                                           .name_en = "",
                                           .bone = 1,
                                           .mask = 0xffff,
                                           .size = {1, 1, 1},
                                           .position = {0, 10, 0},
                                           .mass = 1,
                                           .friction = 0.5f,
                                           .mode = i > 0};
        model.joints[i] =
            (mmd_joint){.name = "j", .name_en = "", .body_a = (int32_t)i, .body_b = (int32_t)i + 1};
    }
    assert_int_equal(mmd_pmx_write(&model, &bytes, NULL), MMD_OK);
    cli_write("pile.pmx", bytes.data, bytes.size);
    mmd_buffer_finish(&bytes);
    mmd_free(model.bodies);
    mmd_free(model.joints);
    sample_finish(&model);
}

/* The program is stopped for a second and a half in the midst of its steps, so that a step takes long on any
 * machine. */
static void slow_steps_are_told_with_their_counts(void **state)
{
    (void)state;
    static const char *const parts[] = {"have 20000 rigid bodies, 19999 joints and ", "one step took ",
                                        "the time limit of 6 s was reached"};
    write_pile(20000);
    cli_shell("'" ODORI_BINARY
              "/odori' dump pile.pmx --physics on --frames 0:300 --time-limit 6 -o x.json 2>slow & "
              "child=$!; for i in 1 2; do sleep 1; kill -STOP $child; sleep 1.5; kill -CONT $child; done; "
              "wait $child; test $? -eq 3; printf '\\0' >>slow");
    mmd_bytes said = cli_read("slow");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr((const char *)said.data, parts[i]))
            fail_msg("no \"%s\" in: %s", parts[i], (const char *)said.data);
    mmd_bytes_finish(&said);
}

/* Writes a square of cloth with so many nodes along a side. */
static void write_cloth(const char *name, uint32_t side)
{
    mmd_model model;
    mmd_buffer bytes = {0};
    uint32_t quads = (side - 1) * (side - 1), used = 0, *indices = mmd_alloc(6 * quads * sizeof *indices);
    mmd_soft_body cloth = {.name = "cloth",
                           .name_en = "",
                           .mask = 0xffff,
                           .mass = 1,
                           .margin = 0.1f,
                           .iterations = {1, 1, 1, 1},
                           .material_config = {0.5f, 0.5f, 0.5f}};
    assert_non_null(indices);
    sample_chain(&model, 2, side * side);
    for (uint32_t i = 0; i < side * side; i++) {
        model.vertices.position[i][0] = 0.1f * (float)(i % side);
        model.vertices.position[i][1] = 10;
        model.vertices.position[i][2] = 0.1f * (float)(i / side);
    }
    for (uint32_t q = 0; q < quads; q++) {
        const uint32_t at = q / (side - 1) * side + q % (side - 1),
                       corners[6] = {at, at + 1, at + side, at + 1, at + side + 1, at + side};
        for (int k = 0; k < 6; k++)
            indices[used++] = corners[k];
    }
    model.version = 2.1f;
    model.indices = indices;
    model.index_count = used;
    model.materials[0].index_count = used;
    model.soft_bodies = &cloth;
    model.soft_body_count = 1;
    assert_int_equal(mmd_pmx_write(&model, &bytes, NULL), MMD_OK);
    cli_write(name, bytes.data, bytes.size);
    mmd_buffer_finish(&bytes);
    mmd_free(indices);
    sample_finish(&model);
}

/* A world that takes seconds to build is told before. */
static void the_building_of_large_soft_bodies_is_told(void **state)
{
    (void)state;
    const char *said =
        "the physics of large.pmx have soft bodies of about 19321 nodes, which take seconds to "
        "prepare; use --physics off to show it at once";
    write_cloth("small.pmx", 20);
    write_cloth("large.pmx", 140);
    cli_result small = cli_run("dump small.pmx --physics on --frames 0 -o x.json"),
               large = cli_run("dump large.pmx --physics on --frames 0 -o x.json"),
               off = cli_run("dump large.pmx --physics off --frames 0 -o x.json");
    assert_int_equal(small.code + large.code + off.code, 0);
    assert_null(strstr(small.err, "prepare"));
    assert_null(strstr(off.err, "prepare"));
    if (!strstr(large.err, said))
        fail_msg("%s", large.err);
    cli_finish(&small);
    cli_finish(&large);
    cli_finish(&off);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_subcommand_ends_with_code_3_and_leaves_nothing),
        cmocka_unit_test(a_late_render_keeps_its_whole_pictures),
        cmocka_unit_test(a_late_video_leaves_nothing),
        cmocka_unit_test(check_gives_each_scene_the_limit),
        cmocka_unit_test(check_of_a_late_picture_is_1),
        cmocka_unit_test(without_reaching_it_the_limit_changes_nothing),
        cmocka_unit_test(only_positive_seconds_are_taken),
        cmocka_unit_test(a_last_frame_beyond_reason_is_refused),
        cmocka_unit_test(slow_steps_are_told_with_their_counts),
        cmocka_unit_test(the_building_of_large_soft_bodies_is_told),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
