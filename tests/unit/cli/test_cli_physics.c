/* Tests physics on the command line with the bundled dancer's hair and skirt, without drawing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "mmd/format.h"
#include "mmd/project.h"
#include "mmd/text.h"

/* All output of `dump` in a test, released when the test ends. */
static json_t *said;

static int begin(void **state)
{
    (void)state;
    said = json_array();
    return said ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    json_decref(said);
    return 0;
}

/* Returns the frames of a dump of the bundled dance. */
static json_t *dump(const char *arguments)
{
    char line[512];
    snprintf(line, sizeof line, "dump dancer --motion dancer %s", arguments);
    json_t *root = cli_json(line);
    assert_int_equal(json_array_append_new(said, root), 0);
    return json_object_get(root, "frames");
}

/* Checks that bodies and bones are the same, to the last of nine digits. */
static void assert_same(const json_t *a, const json_t *b)
{
    assert_true(json_equal(json_object_get(a, "bodies"), json_object_get(b, "bodies")));
    assert_true(json_equal(json_object_get(a, "bones"), json_object_get(b, "bones")));
}

static bool same_bodies(const json_t *a, const json_t *b)
{
    return json_equal(json_object_get(a, "bodies"), json_object_get(b, "bodies"));
}

#define BODIES "--what bodies,bones --physics on "

static void a_frame_is_the_same_alone_in_a_row_and_in_any_order(void **state)
{
    (void)state;
    cli_need_dancer();
    const json_t *alone = dump(BODIES "--frames 200"), *row = dump(BODIES "--frames 0:200"),
                 *mixed = dump(BODIES "--frames 200,3,45.5,200,0,45.5");
    assert_same(json_array_get(alone, 0), json_array_get(row, 200));
    assert_same(json_array_get(mixed, 0), json_array_get(row, 200));
    assert_same(json_array_get(mixed, 3), json_array_get(row, 200));
    assert_same(json_array_get(mixed, 1), json_array_get(row, 3));
    assert_same(json_array_get(mixed, 2), json_array_get(mixed, 5));
    assert_same(json_array_get(mixed, 4), json_array_get(row, 0));
}

static void neither_threads_nor_memory_change_a_frame(void **state)
{
    (void)state;
    cli_need_dancer();
    static const char *const ways[] = {"--threads 0", "--threads 1",       "--threads 2",
                                       "--threads 4", "--physics-cache 0", "--physics-cache 1"};
    const json_t *usual = dump(BODIES "--frames 150,20,90.25");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, BODIES "--frames 150,20,90.25 %s", ways[i]);
        const json_t *frames = dump(arguments);
        for (size_t k = 0; k < 3; k++)
            assert_same(json_array_get(frames, k), json_array_get(usual, k));
    }
}

static void every_option_does_something(void **state)
{
    (void)state;
    cli_need_dancer();
    static const char *const options[] = {"--physics off", "--gravity 0,-20,0", "--gravity=50,-98,0",
                                          "--physics-rate 120", "--physics-lever own"};
    const json_t *usual = json_array_get(dump(BODIES "--frames 100"), 0);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, BODIES "--frames 100 %s", options[i]);
        assert_false(same_bodies(json_array_get(dump(arguments), 0), usual));
    }
    assert_same(json_array_get(dump(BODIES "--frames 100 --gravity 0,-98,0 --physics-ground on"), 0), usual);
    assert_same(json_array_get(dump(BODIES "--frames 100 --physics-world own"), 0), usual);
    assert_same(json_array_get(dump(BODIES "--frames 100 --physics-lever stock"), 0), usual);
}

static void values_that_are_none_exit_2(void **state)
{
    (void)state;
    static const char *const lines[] = {"--physics maybe",    "--gravity 1,2",        "--gravity 0,-98,x",
                                        "--gravity 0,1e9,0",  "--physics-ground 1",   "--physics-world mine",
                                        "--physics-rate 19",  "--physics-rate 2001",  "--physics-rate 60.5",
                                        "--physics-cache -1", "--physics-cache lots", "--threads many",
                                        "--physics-lever on"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char option[64];
        snprintf(option, sizeof option, "%.*s", (int)strcspn(lines[i], " "), lines[i]);
        cli_expect(2, option, "dump odori.pmx --frames 0 %s", lines[i]);
        cli_expect(2, option, "shot odori.pmx -o a.png %s", lines[i]);
        cli_expect(2, option, "play odori.pmx %s", lines[i]);
    }
}

static void dump_has_all_bodies_whether_physics_is_on_or_off(void **state)
{
    (void)state;
    cli_need_dancer();
    const json_t *off = json_array_get(dump("--what bodies --frames 100"), 0),
                 *on = json_array_get(dump("--what bodies --frames 100 --physics on"), 0);
    const json_t *bodies = json_object_get(off, "bodies");
    assert_true(json_array_size(bodies) > 50);
    assert_int_equal(json_array_size(json_object_get(on, "bodies")), json_array_size(bodies));
    assert_null(json_object_get(off, "bones"));
    size_t moved = 0, followed = 0;
    for (size_t i = 0; i < json_array_size(bodies); i++) {
        const json_t *a = json_array_get(bodies, i), *b = json_array_get(json_object_get(on, "bodies"), i);
        assert_int_equal(json_integer_value(json_object_get(a, "index")), i);
        assert_true(json_is_string(json_object_get(a, "name")) && json_is_string(json_object_get(a, "node")));
        assert_int_equal(json_array_size(json_object_get(a, "world")), 16);
        if (json_equal(a, b))
            followed++;
        else
            moved++;
    }
    assert_true(moved > 20 && followed > 20);
    cli_expect(2, "is not bones, morphs, vertices, camera, light or bodies",
               "dump odori.pmx --frames 0 --what body");
    cli_expect(0, "\"bodies\":[]", "dump odori.pmx --frames 0 --what bodies --physics on");
}

static void commands_switch_and_steer_physics(void **state)
{
    (void)state;
    cli_need_dancer();
    const json_t *off = json_array_get(dump("--what bodies --frames 100"), 0),
                 *on = json_array_get(dump("--what bodies --frames 100 --physics on"), 0),
                 *light =
                     json_array_get(dump("--what bodies --frames 100 --physics on --gravity 0,-20,0"), 0);
    static const struct {
        const char *commands, *option;
        int like; /* 0 off, 1 on, 2 light */
    } ways[] = {
        {"physics on\n", "off", 1},
        {"physics off\n", "on", 0},
        {"frame.set 50\nphysics.reset\n", "on", 1},
        {"physics.gravity 0 -20 0\nphysics on\n", "off", 2},
        {"physics.gravity 0 -20 0\nphysics.reset\n", "off", 0},
        {"bone.rotate 頭 0 30 0\nundo\nphysics.reset\n", "on", 1},
        {"frame.set 20\nphysics.gravity 0 -20 0\nframe.set 0\nphysics.gravity 0 -98 0\nphysics.reset\n", "on",
         1},
        {"physics.ground off\nphysics.ground on\nphysics.reset\n", "on", 1},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char arguments[256];
        cli_write_text("commands.txt", ways[i].commands);
        snprintf(arguments, sizeof arguments, "--what bodies --frames 100 --physics %s --exec commands.txt",
                 ways[i].option);
        const json_t *wanted = ways[i].like == 0 ? off : ways[i].like == 1 ? on : light;
        if (!same_bodies(json_array_get(dump(arguments), 0), wanted))
            fail_msg("not as it should be after: %s", ways[i].commands);
    }
    cli_write_text("commands.txt", "physics maybe\n");
    cli_expect(2, "commands.txt:1: physics: \"maybe\" is not on or off",
               "dump odori.pmx --frames 0 --exec commands.txt");
    cli_write_text("commands.txt", "physics.gravity 0 2e6 0\n");
    cli_expect(2, "commands.txt:1: 2e+06 is out of range: the limit is a million",
               "dump odori.pmx --frames 0 --exec commands.txt");
}

/* An edit changes the simulation, and so does undoing it. */
static void edits_are_felt_and_undone(void **state)
{
    (void)state;
    cli_need_dancer();
    const json_t *plain = json_array_get(dump(BODIES "--frames 60"), 0);
    cli_write_text("commands.txt", "bone.rotate 頭 0 0 40\n");
    const json_t *turned = json_array_get(dump(BODIES "--frames 60 --exec commands.txt"), 0);
    assert_false(same_bodies(turned, plain));
    cli_write_text("commands.txt", "bone.rotate 頭 0 0 40\nundo\n");
    assert_same(json_array_get(dump(BODIES "--frames 60 --exec commands.txt"), 0), plain);
    cli_write_text("commands.txt", "bone.rotate 頭 0 0 40\nundo\nredo\n");
    assert_same(json_array_get(dump(BODIES "--frames 60 --exec commands.txt"), 0), turned);
}

/* Writes a motion in which the dancer's centre jumps 2,000 units in a frame, as only damaged motions do. */
static void write_leap(void)
{
    static const mmd_curve straight = {20, 20, 107, 107};
    uint32_t frames[] = {0, 30, 31};
    mmd_bone_key keys[3];
    mmd_buffer vmd = {0};
    char path[1024];
    bool lossy, cut;
    for (int i = 0; i < 3; i++)
        keys[i] = (mmd_bone_key){.translation = {i == 2 ? 2000.0f : 0.0f},
                                 .rotation = {0, 0, 0, 1},
                                 .curve = {straight, straight, straight, straight}};
    mmd_bone_track track = {.count = 3, .frames = frames, .keys = keys};
    mmd_motion motion = {.bone_tracks = &track, .bone_track_count = 1, .bone_key_count = 3, .last_frame = 31};
    mmd_name_key_from_utf8("センター", track.name, &lossy, &cut);
    assert_int_equal(mmd_vmd_write(&motion, &vmd, NULL), MMD_OK);
    snprintf(path, sizeof path, "%s/leap.vmd", cli_folder());
    assert_int_equal(mmd_file_write(path, vmd.data, vmd.size, NULL), MMD_OK);
    mmd_buffer_finish(&vmd);
}

static size_t count_lines(const char *text, const char *with)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, with)) != NULL; at++)
        count++;
    return count;
}

static void bodies_put_back_are_told_of_once_and_in_one_sentence(void **state)
{
    (void)state;
    cli_need_dancer();
    write_leap();
    cli_result one = cli_run("dump dancer --motion leap.vmd --physics on --frames 40 -o a.json"),
               many = cli_run("dump dancer --motion leap.vmd --physics on --frames 0:40,0:40,35 -o b.json"),
               off = cli_run("dump dancer --motion leap.vmd --frames 0:40 -o c.json"),
               quiet =
                   cli_run("dump dancer --motion leap.vmd --physics on --frames 40 --log error -o d.json");
    assert_true(one.code == 0 && many.code == 0 && off.code == 0 && quiet.code == 0);
    assert_string_equal(one.err, many.err);
    assert_int_equal(count_lines(one.err, "\n"), 1);
    assert_non_null(strstr(one.err, "dancer: frame 30.5: "));
    assert_non_null(strstr(one.err, " bodies left their positions and were reset (前髪1, 前髪2, 左前髪1, "));
    assert_non_null(strstr(one.err, ", …): left behind by a jump of the motion\n"));
    assert_string_equal(off.err, "");
    assert_string_equal(quiet.err, "");
    cli_finish(&one);
    cli_finish(&many);
    cli_finish(&off);
    cli_finish(&quiet);
}

static mmd_project *read_project(const char *name)
{
    mmd_bytes bytes = cli_read(name);
    mmd_project *p = NULL;
    assert_int_equal(mmd_pmm_read(bytes.data, bytes.size, &p, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    return p;
}

static void suites_say_how_physics_is(void **state)
{
    (void)state;
    cli_write_text("suite.json",
                   "{\"defaults\":{\"model\":\"odori.pmx\",\"physics\":{\"ground\":false}},\"scenes\":["
                   "{\"name\":\"a\",\"physics\":false},"
                   "{\"name\":\"b\",\"physics\":{\"gravity\":[0,-49,0],\"rate\":120,\"world\":\"own\"}},"
                   "{\"name\":\"c\",\"physics\":true}]}");
    cli_expect(0, "3 projects", "capture-kit suite.json -o kit");
    mmd_project *a = read_project("kit/01-a.pmm"), *b = read_project("kit/02-b.pmm"),
                *c = read_project("kit/03-c.pmm");
    assert_int_equal(a->physics_mode, MMD_PROJECT_PHYSICS_OFF);
    assert_int_equal(b->physics_mode, MMD_PROJECT_PHYSICS_ALWAYS);
    assert_int_equal(b->physics_ground, 0);
    assert_float_equal(b->gravity_keys[0].acceleration, 4.9f, 1e-6);
    assert_float_equal(b->gravity_keys[0].direction[1], -1, 0);
    assert_float_equal(c->gravity_keys[0].acceleration, 9.8f, 1e-6);
    mmd_project_destroy(a);
    mmd_project_destroy(b);
    mmd_project_destroy(c);
    cli_write_text("bad.json",
                   "{\"scenes\":[{\"name\":\"a\",\"model\":\"odori.pmx\",\"physics\":{\"wind\":1}}]}");
    cli_expect(
        3, "scenes[0].physics.wind: unknown field; the fields here are gravity, ground, world, rate, lever",
        "check bad.json");
    cli_write_text("bad.json",
                   "{\"scenes\":[{\"name\":\"a\",\"model\":\"odori.pmx\",\"physics\":\"maybe\"}]}");
    cli_expect(3, "scenes[0].physics: expected true, false, or an object", "check bad.json");
    cli_expect(0, "\"physics\":\"off\"", "dump odori.pmx --frames 0 --what bodies");
    cli_expect(0, "\"physics\":\"on\"", "dump odori.pmx --frames 0 --what bodies --physics on");
    cli_write_text("bad.json",
                   "{\"scenes\":[{\"name\":\"a\",\"model\":\"odori.pmx\",\"view\":{\"physics\":true}}]}");
    cli_expect(3, "scenes[0].view.physics: physics settings belong in", "check bad.json");
}

static void projects_say_how_physics_is_where_nobody_else_does(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_write_text("suite.json", "{\"scenes\":[{\"name\":\"a\",\"model\":\"dancer\",\"motion\":\"dancer\","
                                 "\"physics\":{\"gravity\":[0,-20,0]}}]}");
    cli_expect(0, "1 project", "capture-kit suite.json -o light --copy");
    json_t *own = cli_json("dump light/01-a.pmm --physics on --what bodies --frames 60"),
           *light = cli_json("dump light/01-a.pmm --physics on --what bodies --frames 60 --gravity 0,-20,0"),
           *heavy = cli_json("dump light/01-a.pmm --physics on --what bodies --frames 60 --gravity 0,-98,0");
    const json_t *a = json_array_get(json_object_get(own, "frames"), 0),
                 *b = json_array_get(json_object_get(light, "frames"), 0),
                 *c = json_array_get(json_object_get(heavy, "frames"), 0);
    assert_true(same_bodies(a, b));
    assert_false(same_bodies(a, c));
    json_decref(own);
    json_decref(light);
    json_decref(heavy);
}

static void info_says_what_is_known_of_physics(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_expect(0, "physics, position of their bone", "info dancer");
    json_t *root = cli_json("info dancer --json");
    const json_t *file = json_array_get(json_object_get(root, "files"), 0),
                 *problems = json_object_get(file, "physics_problems");
    static const char *const keys[] = {"bodies", "joints", "sizeless", "massless"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_true(json_is_integer(json_object_get(problems, keys[i])));
    assert_int_equal(json_integer_value(json_object_get(problems, "bodies")), 0);
    assert_true(json_is_object(json_object_get(file, "soft_body_kinds")));
    json_decref(root);
}

/* Physics is limited to a day of motion. Scenes without bodies or physics have no limit. */
static void frames_that_nobody_can_wait_for_exit_2(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_expect(2, "a day of motion", "dump dancer --frames 0,1e9 --what bones --physics on -o a.json");
    cli_expect(2, "a day of motion", "shot dancer --frame 1e9 -o a.png");
    cli_expect(2, "a day of motion", "render dancer --frames 0:100000000:100000000 -o a/%%05d.png");
    cli_expect(0, "", "dump dancer --frames 1e9 --what bones --physics off -o a.json");
    cli_expect(0, "", "dump odori.pmx --frames 1e9 --what bones --physics on -o a.json");
}

/* Returns the world matrix of a body in a frame of a dump, with its position in metres. */
static void place_in(const json_t *frames, size_t frame, const char *name, double world[16])
{
    size_t i;
    const json_t *body, *found = NULL;
    json_array_foreach(json_object_get(json_array_get(frames, frame), "bodies"), i, body)
    {
        if (!strcmp(json_string_value(json_object_get(body, "name")), name))
            found = body;
    }
    assert_non_null(found);
    for (i = 0; i < 16; i++)
        world[i] = json_number_value(json_array_get(json_object_get(found, "world"), i));
}

static double turned_since(const double a[16], const double b[16])
{
    double trace = 0;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            trace += a[4 * c + k] * b[4 * c + k];
    return acos(fmax(-1, fmin(1, (trace - 1) / 2)));
}

/* A mass of 0 is infinite: gravity, contacts and joints do not change the body's velocities. It pushes others
 * and passes through static bodies. An inertia of 0 keeps only the rotation constant. */
static const char infinite_khr[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1,2,3,4,5,6]}],"
    "\"extensionsUsed\":"
    "[\"KHR_physics_rigid_bodies\",\"KHR_implicit_shapes\"],\"extensions\":{\"KHR_implicit_shapes\":{"
    "\"shapes\":[{\"type\":\"box\"},{\"type\":\"sphere\",\"sphere\":{\"radius\":0.5}},{\"type\":\"plane\","
    "\"plane\":{}}]},\"KHR_physics_rigid_bodies\":{\"physicsJoints\":[{\"limits\":[{\"linearAxes\":[0,1,2],"
    "\"min\":0,\"max\":0}]}]}},\"nodes\":["
    "{\"name\":\"floor\",\"extensions\":{\"KHR_physics_rigid_bodies\":{\"collider\":{\"geometry\":{\"shape\":"
    "2}}}}},"
    "{\"name\":\"pusher\",\"translation\":[0,2,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{"
    "\"mass\":0,\"linearVelocity\":[1,0,0],\"angularVelocity\":[0.25,0,0]},\"collider\":{\"geometry\":{"
    "\"shape\":0"
    "}}}}},"
    "{\"name\":\"ball\",\"translation\":[2,2,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{"
    "\"mass\":5000,\"gravityFactor\":0},\"collider\":{\"geometry\":{\"shape\":1}}}}},"
    "{\"name\":\"sinker\",\"translation\":[0,3,9],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{"
    "\"mass\":0,\"inertiaDiagonal\":[0,0,0],\"linearVelocity\":[0,-1,0],\"angularVelocity\":[0,0.1,0.2]},"
    "\"collider\":{\"geometry\":{\"shape\":1}}}}},"
    "{\"name\":\"riser\",\"translation\":[0,-2,9],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{"
    "\"mass\":0,\"linearVelocity\":[0,1,0]},\"collider\":{\"geometry\":{\"shape\":1}}}}},"
    "{\"name\":\"top\",\"translation\":[0,5,-9],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{"
    "\"mass\":1,\"inertiaDiagonal\":[0,0,0],\"gravityFactor\":0,\"angularVelocity\":[0.1,0.2,0.3]},"
    "\"joint\":{\"connectedNode\":6,\"joint\":0}}}},"
    "{\"name\":\"carrier\",\"translation\":[0,5,-9],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":"
    "{"
    "\"mass\":0,\"linearVelocity\":[0,0,-0.5]}}}}]}";

static const char infinite_omi[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"extensionsUsed\":["
    "\"OMI_physics_body\",\"OMI_physics_shape\"],\"extensions\":{\"OMI_physics_shape\":{\"shapes\":[{"
    "\"type\":"
    "\"box\",\"box\":{\"size\":[1,1,1]}}]}},\"nodes\":[{\"name\":\"drifter\",\"extensions\":{\"OMI_physics_"
    "body\":{"
    "\"motion\":{\"type\":\"dynamic\",\"mass\":0,\"inertiaDiagonal\":[0,0,0],\"linearVelocity\":[0,0.5,0],"
    "\"angularVelocity\":[0,0.2,0]},\"collider\":{\"shape\":0}}}}]}";

static void a_mass_of_0_goes_on_as_it_began(void **state)
{
    static const struct {
        const char *file, *name;
        double velocity[3], spin;
    } cases[] = {{"infinite_khr.gltf", "pusher", {1, 0, 0}, 0.25},
                 {"infinite_khr.gltf", "sinker", {0, -1, 0}, 0.223607},
                 {"infinite_khr.gltf", "riser", {0, 1, 0}, 0},
                 {"infinite_khr.gltf", "top", {0, 0, -0.5}, 0.374166},
                 {"infinite_khr.gltf", "carrier", {0, 0, -0.5}, 0},
                 {"infinite_omi.gltf", "drifter", {0, 0.5, 0}, 0.2}};
    (void)state;
    cli_write_text("infinite_khr.gltf", infinite_khr);
    cli_write_text("infinite_omi.gltf", infinite_omi);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[256];
        double was[16], is[16], ball[16];
        snprintf(line, sizeof line, "dump %s --physics on --frames 0,150 --what bodies --space file",
                 cases[i].file);
        json_t *root = cli_json(line);
        const json_t *frames = json_object_get(root, "frames");
        place_in(frames, 0, cases[i].name, was);
        place_in(frames, 1, cases[i].name, is);
        for (int k = 0; k < 3; k++)
            assert_float_equal((float)is[12 + k], (float)(was[12 + k] + 5 * cases[i].velocity[k]), 2e-3f);
        assert_float_equal((float)turned_since(was, is), (float)(5 * cases[i].spin), 5e-3f);
        if (i == 0) {
            place_in(frames, 1, "ball", ball); /* the heavy ball is pushed ahead */
            assert_true(ball[12] > is[12] + 0.99);
        }
        json_decref(root);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_frame_is_the_same_alone_in_a_row_and_in_any_order, begin, end),
        cmocka_unit_test_setup_teardown(neither_threads_nor_memory_change_a_frame, begin, end),
        cmocka_unit_test_setup_teardown(every_option_does_something, begin, end),
        cmocka_unit_test_setup_teardown(values_that_are_none_exit_2, begin, end),
        cmocka_unit_test_setup_teardown(dump_has_all_bodies_whether_physics_is_on_or_off, begin, end),
        cmocka_unit_test_setup_teardown(commands_switch_and_steer_physics, begin, end),
        cmocka_unit_test_setup_teardown(edits_are_felt_and_undone, begin, end),
        cmocka_unit_test_setup_teardown(bodies_put_back_are_told_of_once_and_in_one_sentence, begin, end),
        cmocka_unit_test_setup_teardown(suites_say_how_physics_is, begin, end),
        cmocka_unit_test_setup_teardown(projects_say_how_physics_is_where_nobody_else_does, begin, end),
        cmocka_unit_test_setup_teardown(frames_that_nobody_can_wait_for_exit_2, begin, end),
        cmocka_unit_test(a_mass_of_0_goes_on_as_it_began),
        cmocka_unit_test_setup_teardown(info_says_what_is_known_of_physics, begin, end),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
