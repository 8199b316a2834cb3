/* VPD poses: MMD's layout, tolerated and refused deviations, numbers, writing, poses as motions. */
#include "sample_motions.h"
#include "support.h"

#include "mmd/text.h"

#include <locale.h>

/* As MMD writes it, except for the line ends of the last block and MikuMikuMoving's morph. Names are in
 * CP932. */
static const char two_bones[] = "Vocaloid Pose Data file\r\n"
                                "\r\n"
                                "miku.osm;\t\t// \x90\x65\x83\x74\x83\x40\x83\x43\x83\x8b\x96\xbc\r\n"
                                "2;\t\t\t\t// \x91\x8d\x83\x7c\r\n"
                                "\r\n"
                                "Bone0{\x83\x5a\x83\x93\x83\x5e\x81\x5b\r\n"
                                "  -0.137500,1.500000,0.000000;\t\t\t\t// trans x,y,z\r\n"
                                "  0.000000,0.600000,0.000000,0.800000;\t\t// Quaternion x,y,z,w\r\n"
                                "}\r\n"
                                "\r\n"
                                "Bone1{\x83\x7b\r\n" /* ボ, whose second byte is a brace */
                                "  1,2,3;\n"
                                "  0,0,0,0;\n"
                                "}\n"
                                "Morph0{\x82\xa0\n"
                                "  0.5;\n"
                                "}\n";

static mmd_status read_text(const char *text, mmd_vpd **vpd, mmd_error *error)
{
    return mmd_vpd_read(text, strlen(text), vpd, error);
}

static mmd_vpd *read_ok(const void *data, size_t size)
{
    mmd_vpd *vpd = NULL;
    mmd_error error = {0};
    if (mmd_vpd_read(data, size, &vpd, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    assert_non_null(vpd);
    return vpd;
}

static void assert_floats(const float *values, const float *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_true(values[i] == wanted[i]);
}

static void vpd_reads_what_mmd_writes(void **state)
{
    (void)state;
    mmd_vpd *vpd = read_ok(two_bones, sizeof two_bones - 1);
    assert_string_equal(vpd->model, "miku.osm");
    assert_int_equal(vpd->bone_count, 2);
    assert_string_equal(vpd->bones[0].name, "センター");
    assert_floats(vpd->bones[0].translation, (float[3]){-0.1375f, 1.5f, 0}, 3);
    assert_floats(vpd->bones[0].rotation, (float[4]){0, 0.6f, 0, 0.8f}, 4);
    assert_string_equal(vpd->bones[1].name, "ボ");
    assert_int_equal(vpd->morph_count, 1);
    assert_string_equal(vpd->morphs[0].name, "あ");
    assert_true(vpd->morphs[0].weight == 0.5f);
    mmd_vpd_destroy(vpd);
}

static void vpd_layout_is_free(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "Vocaloid Pose Data file\nm;1;Bone{a\n1,2,3;0,0,0,1;}",
        "Vocaloid Pose Data file\n//c\n \tm ;//\n1 ; // 2;\nBone7 {a// b\n1 , 2\t,\n3 ; 0,0,0,1 ;//}\n } ",
        "Vocaloid Pose Data file\r\rm;\r1;\rBone0{ a \t\r+1,2.,.3e1;-0,0e9,.0,1E0;\r}\r",
        "Vocaloid Pose Data file\nm;1;Bone0{a\n1,2,3;0,0,0,1;}Bone1{b\nnonsense}trailing words",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mmd_vpd *vpd = read_ok(texts[i], strlen(texts[i]));
        assert_string_equal(vpd->model, "m");
        assert_int_equal(vpd->bone_count, 1);
        assert_string_equal(vpd->bones[0].name, "a");
        assert_floats(vpd->bones[0].translation, (float[3]){1, 2, 3}, 3);
        assert_floats(vpd->bones[0].rotation, (float[4]){0, 0, 0, 1}, 4);
        assert_int_equal(vpd->morph_count, 0);
        mmd_vpd_destroy(vpd);
    }
}

static void vpd_names_lose_blanks_and_half_characters_at_their_end(void **state)
{
    (void)state;
    static const char text[] =
        "Vocaloid Pose Data file\nm \x93 ;1;Bone0{ \t\x82\xa0 b \x93 \n1,2,3;0,0,0,1;}";
    mmd_vpd *vpd = read_ok(text, sizeof text - 1);
    assert_string_equal(vpd->model, "m");
    assert_string_equal(vpd->bones[0].name, "あ b");
    mmd_vpd_destroy(vpd);
}

static void vpd_ignores_bones_beyond_its_count_and_still_finds_morphs(void **state)
{
    (void)state;
    static const char text[] =
        "Vocaloid Pose Data file\nm;1;Bone0{a\n1,2,3;0,0,0,1;}\n"
        "Bone1{b\n1,2,3;0,0,0,1;}\nMorph0{c\n1;}\nBone2{d\n1,2,3;0,0,0,1;}\nMorph1{e\n2;}";
    mmd_vpd *vpd = read_ok(text, sizeof text - 1);
    assert_int_equal(vpd->bone_count, 1);
    assert_int_equal(vpd->morph_count, 2);
    assert_string_equal(vpd->morphs[1].name, "e");
    assert_true(vpd->morphs[1].weight == 2.0f);
    mmd_vpd_destroy(vpd);
}

static void vpd_errors_name_the_section_the_line_and_the_byte(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        mmd_status status;
        uint64_t offset;
        const char *section, *words;
    } cases[] = {
        {"Vocaloid Motion Data 0002", MMD_ERROR_MAGIC, 0, "header", "Vocaloid Pose Data"},
        {"Vocaloid Pose Data file\n", MMD_ERROR_SYNTAX, 24, "header", "line 2: `;'"},
        {"Vocaloid Pose Data file\nm;\n x;", MMD_ERROR_SYNTAX, 28, "header", "line 3: the number of bones"},
        {"Vocaloid Pose Data file\nm;\n1000000;", MMD_ERROR_COUNT, 35, "header", "1000000"},
        {"Vocaloid Pose Data file\nm;\n99999999999999999999999;", MMD_ERROR_COUNT, 51, "header", "count"},
        {"Vocaloid Pose Data file\nm;\n2;\nBone0{a\n1,2,3;0,0,0,1;}\n//////////////////////////////////////",
         MMD_ERROR_COUNT, 92, "bone 1", "1 bones follow, and the count says 2"},
        {"Vocaloid Pose Data file\nm;\n1;\nBone0{a\n1,2;0,0,0,1;}\n//////////////////////////////////////",
         MMD_ERROR_SYNTAX, 41, "bone 0", "line 5: `,'"},
        {"Vocaloid Pose Data file\nm;\n1;\nBone0{a\n1,nan,0;0,0,0,1;}\n", MMD_ERROR_SYNTAX, 40, "bone 0",
         "line 5: a number"},
        {"Vocaloid Pose Data file\nm;\n1;\nBone0{a\n1,2,3;0,0,0,1;\nBone1{", MMD_ERROR_SYNTAX, 53, "bone 0",
         "line 6: `}'"},
        {"Vocaloid Pose Data file\nm;\n1;\nBoned0{a\n1,2,3;0,0,0,1;}", MMD_ERROR_SYNTAX, 34, "bone 0",
         "line 4: `{'"},
        {"Vocaloid Pose Data file\nm;\n0;\nMorph0{a\nx;}", MMD_ERROR_SYNTAX, 39, "morph 0",
         "line 5: a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mmd_vpd *vpd = (mmd_vpd *)&vpd;
        mmd_error error = {0};
        assert_int_equal(read_text(cases[i].text, &vpd, &error), cases[i].status);
        assert_null(vpd);
        assert_int_equal(error.code, cases[i].status);
        assert_string_equal(error.section, cases[i].section);
        if (!strstr(error.message, cases[i].words))
            fail_msg("%s lacks %s", error.message, cases[i].words);
        assert_int_equal(error.offset, cases[i].offset);
    }
}

static mmd_buffer write_anew(mmd_vpd *vpd, mmd_status wanted)
{
    mmd_buffer out = {0};
    vpd->raw = NULL;
    assert_int_equal(mmd_vpd_write(vpd, &out, NULL), wanted);
    return out;
}

static void vpd_of_a_made_pose_has_these_bytes(void **state)
{
    (void)state;
    static const char wanted[] =
        "Vocaloid Pose Data file\r\n"
        "\r\n"
        "m.osm;\t\t// \x90\x65\x83\x74\x83\x40\x83\x43\x83\x8b\x96\xbc\r\n"
        "1;\t\t\t\t// \x91\x8d\x83\x7c\x81\x5b\x83\x59\x83\x7b\x81\x5b\x83\x93\x90\x94\r\n"
        "\r\n"
        "Bone0{\x83\x7b\r\n"
        "  0.100000001,-1.500000,1234567.880000;\t\t\t\t// trans x,y,z\r\n"
        "  0.000000,-0.000000,0.000000,1.000000;\t\t// Quaternion x,y,z,w\r\n"
        "}\r\n"
        "\r\n"
        "Morph0{\x82\xa0\r\n"
        "  0.000000000100000001;\r\n"
        "}\r\n"
        "\r\n";
    mmd_vpd_bone bone = {
        .name = "ボ", .translation = {0.1f, -1.5f, 1234567.875f}, .rotation = {0, -0.0f, NAN, 1}};
    mmd_vpd_morph morph = {.name = "あ", .weight = 1e-10f};
    mmd_vpd pose = {.model = "m.osm", .bone_count = 1, .bones = &bone, .morph_count = 1, .morphs = &morph};
    mmd_buffer out = write_anew(&pose, MMD_OK);
    assert_int_equal(out.size, sizeof wanted - 1);
    assert_memory_equal(out.data, wanted, out.size);
    mmd_buffer_finish(&out);
}

static void vpd_numbers_survive_writing_and_reading_bit_for_bit(void **state)
{
    (void)state;
    uint64_t seed = 9;
    enum { BONES = 3000 };
    mmd_vpd pose;
    sample_pose(&pose);
    mmd_vpd_bone *bones = mmd_arena_alloc(&pose.arena, BONES, sizeof *bones);
    for (int i = 0; i < BONES; i++) {
        bones[i].name = "b";
        for (int k = 0; k < 4; k++) {
            uint32_t bits;
            float *value = k < 3 ? &bones[i].translation[k] : &bones[i].rotation[0];
            do {
                bits = (uint32_t)test_random(&seed);
                memcpy(value, &bits, sizeof bits);
            } while (!isfinite(*value));
        }
        /* Most poses have numbers of this size. */
        bones[i].rotation[1] = (float)(test_random(&seed) >> 40) / 16777216.0f - 0.5f;
    }
    pose.bones = bones;
    pose.bone_count = BONES;
    mmd_buffer out = write_anew(&pose, MMD_OK);
    mmd_vpd *read = read_ok(out.data, out.size);
    assert_int_equal(read->bone_count, BONES);
    for (int i = 0; i < BONES; i++) {
        assert_memory_equal(read->bones[i].translation, bones[i].translation, sizeof bones[i].translation);
        assert_memory_equal(read->bones[i].rotation, bones[i].rotation, sizeof bones[i].rotation);
    }
    mmd_vpd_destroy(read);
    mmd_buffer_finish(&out);
    sample_pose_finish(&pose);
}

static void vpd_numbers_of_any_length_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        float value;
    } numbers[] = {
        {"0", 0.0f},
        {"-.5", -0.5f},
        {"1e-3", 1e-3f},
        {"3.4028234663852886e38", 3.4028234663852886e38f},
        {"1e99", 0.0f},
        {"1e99999999999999", 0.0f},
        {"-1e-99999999999999", 0.0f},
        {"0e99999999999999", 0.0f},
        {"123456789012345678901234567890e-20", 1234567890.12345678f},
        {"1.4e-45", 1.4e-45f},
        {"0.00000000000000000000000000000000000000000000000000000000000001e62", 1.0f},
        {"0.1000000000000000000000000000000000000000000000000000000000000000", 0.1f},
        {"007.50", 7.5f},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[256];
        snprintf(text, sizeof text, "Vocaloid Pose Data file\nm;0;Morph0{a\n%s;}", numbers[i].text);
        mmd_vpd *vpd = read_ok(text, strlen(text));
        if (vpd->morphs[0].weight != numbers[i].value)
            fail_msg("%s reads as %.9g", numbers[i].text, (double)vpd->morphs[0].weight);
        mmd_vpd_destroy(vpd);
    }
    static const char *const wrong[] = {"", "-", ".", "e5", "+-1", "inf", "0x10", "1e", "1,5"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[256];
        mmd_vpd *vpd;
        snprintf(text, sizeof text, "Vocaloid Pose Data file\nm;0;Morph0{a\n%s;}", wrong[i]);
        assert_int_equal(read_text(text, &vpd, NULL), MMD_ERROR_SYNTAX);
    }
}

static void vpd_numbers_do_not_depend_on_the_locale(void **state)
{
    (void)state;
    static const char *const commas[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof commas / sizeof *commas && !found; i++)
        found = setlocale(LC_ALL, commas[i]);
    if (!found)
        test_skip("no locale with a decimal comma");
    assert_string_equal(localeconv()->decimal_point, ",");
    mmd_vpd pose;
    sample_pose(&pose);
    mmd_buffer there = write_anew(&pose, MMD_OK);
    mmd_vpd *read = read_ok(there.data, there.size);
    setlocale(LC_ALL, "C");
    mmd_buffer here = write_anew(&pose, MMD_OK);
    assert_int_equal(here.size, there.size);
    assert_memory_equal(here.data, there.data, here.size);
    assert_true(read->morphs[1].weight == 0.125f);
    mmd_vpd_destroy(read);
    mmd_buffer_finish(&here);
    mmd_buffer_finish(&there);
    sample_pose_finish(&pose);
}

static void vpd_names_that_cp932_or_the_grammar_lacks_are_reported(void **state)
{
    (void)state;
    static const char *const names[] = {"ñ", "a\nb", "a//b", "\r"};
    static const char *const written[] = {"?", "ab", "a/b", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        mmd_vpd_bone bone = {.name = names[i], .rotation = {0, 0, 0, 1}};
        mmd_vpd pose = {.model = "a;b", .bone_count = 1, .bones = &bone};
        mmd_buffer out = write_anew(&pose, MMD_ERROR_TEXT);
        mmd_vpd *read = read_ok(out.data, out.size);
        assert_string_equal(read->bones[0].name, written[i]);
        assert_string_equal(read->model, "ab");
        mmd_vpd_destroy(read);
        mmd_buffer_finish(&out);
    }
}

static void vpd_as_a_motion_has_one_key_for_each_name(void **state)
{
    (void)state;
    mmd_vpd *vpd = read_ok(two_bones, sizeof two_bones - 1);
    mmd_motion *motion = mmd_vpd_to_motion(vpd);
    uint8_t name[15];
    assert_non_null(motion);
    assert_string_equal((const char *)motion->model_name, "miku");
    assert_int_equal(motion->bone_track_count, 2);
    mmd_name_key_from_utf8("センター", name, NULL, NULL);
    const mmd_bone_track *track = mmd_motion_find_bone(motion, name);
    assert_true(track && track->count == 1 && track->frames[0] == 0);
    assert_floats(track->keys[0].translation, (float[3]){-0.1375f, 1.5f, 0}, 3);
    assert_true(fabsf(track->keys[0].rotation[1] - 0.6f) < 1e-6f && !track->keys[0].physics_off);
    assert_true(mmd_curve_is_linear(track->keys[0].curve[3]));
    mmd_name_key_from_utf8("ボ", name, NULL, NULL);
    track = mmd_motion_find_bone(motion, name);
    assert_floats(track->keys[0].rotation, (float[4]){0, 0, 0, 1}, 4); /* all zeros in the file */
    mmd_name_key_from_utf8("あ", name, NULL, NULL);
    assert_true(mmd_motion_find_morph(motion, name)->weights[0] == 0.5f);
    assert_int_equal(motion->last_frame, 0);
    mmd_motion_destroy(motion);
    mmd_vpd_destroy(vpd);
}

static void vpd_naming_a_bone_twice_poses_it_as_the_last_says(void **state)
{
    (void)state;
    static const char text[] =
        "Vocaloid Pose Data file\nm;2;Bone0{a\n1,2,3;0,0,0,1;}Bone1{a\n4,5,6;0,0,0,1;}";
    mmd_vpd *vpd = read_ok(text, sizeof text - 1);
    mmd_motion *motion = mmd_vpd_to_motion(vpd);
    assert_non_null(motion);
    assert_int_equal(motion->bone_track_count, 1);
    const mmd_bone_track *track = &motion->bone_tracks[0];
    int32_t key = mmd_key_search(track->frames, track->count, 0.0, NULL);
    assert_floats(track->keys[key].translation, (float[3]){4, 5, 6}, 3);
    mmd_motion_destroy(motion);
    mmd_vpd_destroy(vpd);
}

static void round_trip(const char *name, void *user)
{
    mmd_bytes bytes = shared_read(name);
    mmd_vpd *vpd = read_ok(bytes.data, bytes.size);
    mmd_buffer out = {0};
    assert_int_equal(mmd_vpd_write(vpd, &out, NULL), MMD_OK);
    assert_int_equal(out.size, bytes.size);
    assert_memory_equal(out.data, bytes.data, bytes.size);
    mmd_buffer_finish(&out);
    /* Formatted anew, it has the same contents. */
    out = write_anew(vpd, MMD_OK);
    mmd_vpd *again = read_ok(out.data, out.size);
    assert_true(vpd->bone_count > 0 && again->bone_count == vpd->bone_count);
    for (uint32_t i = 0; i < vpd->bone_count; i++) {
        assert_string_equal(vpd->bones[i].name, again->bones[i].name);
        assert_memory_equal(vpd->bones[i].rotation, again->bones[i].rotation,
                            sizeof again->bones[i].rotation);
    }
    ++*(size_t *)user;
    mmd_vpd_destroy(again);
    mmd_buffer_finish(&out);
    mmd_vpd_destroy(vpd);
    mmd_bytes_finish(&bytes);
}

static void vpd_round_trips_of_shared_files_are_byte_identical(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    size_t same = 0, files = shared_each(".vpd", round_trip, &same);
    print_message("%zu .vpd files, %zu byte-identical\n", files, same);
    assert_true(files > 0);
    assert_int_equal(same, files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vpd_reads_what_mmd_writes),
        cmocka_unit_test(vpd_layout_is_free),
        cmocka_unit_test(vpd_names_lose_blanks_and_half_characters_at_their_end),
        cmocka_unit_test(vpd_ignores_bones_beyond_its_count_and_still_finds_morphs),
        cmocka_unit_test(vpd_errors_name_the_section_the_line_and_the_byte),
        cmocka_unit_test(vpd_of_a_made_pose_has_these_bytes),
        cmocka_unit_test(vpd_numbers_survive_writing_and_reading_bit_for_bit),
        cmocka_unit_test(vpd_numbers_of_any_length_are_read),
        cmocka_unit_test(vpd_numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(vpd_names_that_cp932_or_the_grammar_lacks_are_reported),
        cmocka_unit_test(vpd_as_a_motion_has_one_key_for_each_name),
        cmocka_unit_test(vpd_naming_a_bone_twice_poses_it_as_the_last_says),
        cmocka_unit_test(vpd_round_trips_of_shared_files_are_byte_identical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
