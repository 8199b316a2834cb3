/* Tests odori bake: rejected usage, the file written, and that playing it gives the same pose. */
#include "cli.h"

#include "mmd/format.h"

static mmd_motion *read_motion(const char *name)
{
    char path[1024];
    mmd_bytes bytes = {0};
    mmd_motion *motion;
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(bytes.data, bytes.size, &motion, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    return motion;
}

static double number(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void bad_usage_is_2_with_one_line(void **state)
{
    (void)state;
    cli_expect(2, "no model", "bake --motion odori.vmd -o a.vmd");
    cli_expect(2, "no motion", "bake odori.pmx -o a.vmd");
    cli_expect(2, "-o", "bake odori.pmx --motion odori.vmd");
    static const char *const bad[] = {
        "--frames 5",     "--frames 5:1",    "--frames -1:2",    "--frames a:b",
        "--reduce 0",     "--reduce -1",     "--reduce x",       "--reduce-angle 0 --reduce 1",
        "--curves round", "--physics maybe", "--reduce-angle 5", "--what bones",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cli_expect(2, "--help", "bake odori.pmx --motion odori.vmd -o a.vmd %s", bad[i]);
    cli_expect(2, "a million", "bake odori.pmx --motion odori.vmd -o a.vmd --frames 5:1000005");
    cli_expect(2, "stdout", "bake odori.pmx --motion odori.vmd -o - --json");
    cli_expect(2, "one model", "bake odori.pmx odori.pmx --motion odori.vmd -o a.vmd");
    cli_expect(3, "missing.vmd", "bake odori.pmx --motion missing.vmd -o a.vmd");
    cli_expect(4, "nowhere", "bake odori.pmx --motion odori.vmd --physics off --frames 0:1 -o nowhere/a.vmd");
}

static void help_is_0(void **state)
{
    (void)state;
    cli_result result = cli_run("bake --help");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "--reduce-angle"));
    cli_finish(&result);
}

static void every_bone_comes_back_exactly(void **state)
{
    (void)state;
    static const char *const physics[] = {"on", "off"};
    for (int i = 0; i < 2; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments,
                 "bake odori.pmx --motion odori.vmd --frames 0:60 --physics %s -o a.vmd --json", physics[i]);
        json_t *report = cli_json(arguments), *largest = json_object_get(report, "largest");
        assert_true(number(largest, "position") <= 1e-5);
        assert_true(number(largest, "rotation") <= 1e-5);
        assert_int_equal(json_array_size(json_object_get(report, "inexact")), 0);
        assert_int_equal((int)number(report, "last_frame"), 60);
        mmd_motion *motion = read_motion("a.vmd");
        assert_int_equal(motion->bone_track_count, (int)number(report, "bones"));
        assert_int_equal(motion->last_frame, 60);
        assert_int_equal(motion->property_key_count, 1);
        assert_true(motion->property_keys[0].switch_count >= 4); /* legs and toes */
        assert_int_equal(motion->camera_key_count, 0);
        mmd_motion_destroy(motion);
        json_decref(report);
    }
}

/* Any program sees the same: the dump of the baked motion equals that of the original. */
static void dumps_of_both_motions_are_equal(void **state)
{
    (void)state;
    cli_result made = cli_run("bake odori.pmx --motion odori.vmd --physics off -o a.vmd");
    assert_int_equal(made.code, 0);
    cli_finish(&made);
    json_t *dumps[2] = {cli_json("dump odori.pmx --motion odori.vmd --frames 0,30,77 --what bones,morphs"),
                        cli_json("dump odori.pmx --motion a.vmd --frames 0,30,77 --what bones,morphs")};
    for (size_t f = 0; f < 3; f++) {
        json_t *frames[2], *bones[2];
        for (int i = 0; i < 2; i++) {
            frames[i] = json_array_get(json_object_get(dumps[i], "frames"), f);
            bones[i] = json_object_get(frames[i], "bones");
        }
        assert_true(json_equal(json_object_get(frames[0], "morphs"), json_object_get(frames[1], "morphs")));
        assert_true(json_array_size(bones[0]) > 10);
        for (size_t b = 0; b < json_array_size(bones[0]); b++)
            for (size_t k = 0; k < 16; k++) {
                double value[2];
                for (int i = 0; i < 2; i++)
                    value[i] = json_number_value(
                        json_array_get(json_object_get(json_array_get(bones[i], b), "world"), k));
                assert_true(fabs(value[0] - value[1]) <= 1e-5);
            }
    }
    json_decref(dumps[0]);
    json_decref(dumps[1]);
}

static void reduction_keeps_its_word_with_fewer_keys(void **state)
{
    (void)state;
    static const char common[] = "bake odori.pmx --motion odori.vmd --physics off -o a.vmd --json";
    json_t *every = cli_json(common);
    double keys = number(every, "bone_keys");
    json_decref(every);
    static const struct {
        const char *options;
        double place, turn;
    } cases[] = {
        {"--reduce 0.05", 0.05, 0.05},
        {"--reduce 0.05 --curves linear", 0.05, 0.05},
        {"--reduce 0.2 --reduce-angle 1", 0.2, 0.0174533},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "%s %s", common, cases[i].options);
        json_t *report = cli_json(arguments), *largest = json_object_get(report, "largest");
        assert_true(number(largest, "position") <= cases[i].place + 2e-5);
        assert_true(number(largest, "rotation") <= cases[i].turn + 2e-5);
        assert_true(number(report, "bone_keys") < 0.8 * keys);
        json_decref(report);
    }
}

static void what_hands_set_is_baked(void **state)
{
    (void)state;
    char path[1024];
    static const char commands[] = "morph.set 笑い 0.5\n";
    snprintf(path, sizeof path, "%s/commands.txt", cli_folder());
    assert_int_equal(mmd_file_write(path, commands, sizeof commands - 1, NULL), MMD_OK);
    json_t *report = cli_json("bake odori.pmx --motion odori.vmd --frames 0:5 --physics off -o a.vmd --json "
                              "--exec commands.txt");
    json_decref(report);
    mmd_motion *motion = read_motion("a.vmd");
    bool found = false;
    for (uint32_t i = 0; i < motion->morph_track_count; i++)
        found |= motion->morph_tracks[i].count == 1 && motion->morph_tracks[i].weights[0] == 0.5f;
    assert_true(found);
    mmd_motion_destroy(motion);
}

/* With physics on, edits made before the first frame apply from the beginning of the simulation. */
static void physics_begins_with_what_hands_set(void **state)
{
    (void)state;
    char path[1024];
    static const char commands[] = "bone.rotate 頭 0 40 20\nphysics.gravity 10 -50 0\n";
    snprintf(path, sizeof path, "%s/commands.txt", cli_folder());
    assert_int_equal(mmd_file_write(path, commands, sizeof commands - 1, NULL), MMD_OK);
    json_t *report = cli_json("bake odori.pmx --motion odori.vmd --frames 0:40 -o a.vmd --json "
                              "--exec commands.txt");
    assert_true(number(json_object_get(report, "largest"), "position") <= 1e-5);
    assert_true(json_is_true(json_object_get(report, "physics")));
    json_decref(report);
    static const char off[] = "physics off\n";
    assert_int_equal(mmd_file_write(path, off, sizeof off - 1, NULL), MMD_OK);
    report = cli_json("bake odori.pmx --motion odori.vmd --frames 0:4 -o a.vmd --json --exec commands.txt");
    assert_true(json_is_false(json_object_get(report, "physics")));
    json_decref(report);
}

static void the_same_bytes_every_time(void **state)
{
    (void)state;
    cli_result one = cli_run("bake odori.pmx --motion odori.vmd --frames 0:90 --reduce 0.05 -o -"),
               two = cli_run("bake odori.pmx --motion odori.vmd --frames 0:90 --reduce 0.05 -o -");
    assert_int_equal(one.code, 0);
    assert_int_equal(one.out_size, two.out_size);
    assert_true(one.out_size > 1000);
    assert_memory_equal(one.out, two.out, one.out_size);
    cli_finish(&one);
    cli_finish(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_usage_is_2_with_one_line),
        cmocka_unit_test(help_is_0),
        cmocka_unit_test(every_bone_comes_back_exactly),
        cmocka_unit_test(dumps_of_both_motions_are_equal),
        cmocka_unit_test(reduction_keeps_its_word_with_fewer_keys),
        cmocka_unit_test(what_hands_set_is_baked),
        cmocka_unit_test(physics_begins_with_what_hands_set),
        cmocka_unit_test(the_same_bytes_every_time),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
