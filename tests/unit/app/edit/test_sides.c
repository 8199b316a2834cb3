/* Tests names of the left and right side, and edits of a whole matrix that are mirrored. */
#include "cli.h"

#include <math.h>

#include "edit/mirror_names.h"

static void names_of_either_side_have_the_others(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"右腕", "左腕"},
        {"右足ＩＫ", "左足ＩＫ"},
        {"スカート_右1", "スカート_左1"},
        {"arm_L", "arm_R"},
        {"arm.l", "arm.r"},
        {"L arm", "R arm"},
        {"腕Ｌ", "腕Ｒ"},
        {"armL", "armR"},
        {"Skirt_L1", "Skirt_R1"},
        {"LeftArm", "RightArm"},
        {"mixamorig:LeftArm", "mixamorig:RightArm"},
        {"arm left", "arm right"},
        {"leftArm", "rightArm"},
        {"J_Bip_L_UpperArm", "J_Bip_R_UpperArm"},
        {"ARM_LEFT", "ARM_RIGHT"},
        {"Ｌｅｆｔ腕", "Ｒｉｇｈｔ腕"},
        {"HandLeft", "HandRight"},
    };
    char out[MIRROR_NAME_MAX];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int k = 0; k < 2; k++) {
            if (!mirror_name_swap(pairs[i][k], out))
                fail_msg("%s is of no side", pairs[i][k]);
            assert_string_equal(out, pairs[i][!k]);
        }
}

static void other_names_have_no_side(void **state)
{
    (void)state;
    static const char *const names[] = {"センター", "頭",    "全ての親", "Lower",    "COL",   "bright",
                                        "leftover", "cleft", "Ribbon",   "ﾈｸﾀｲＩＫ", "Upper", "Roll",
                                        "",         "\xe5",  "\xef\xbc", "BALL"};
    char out[MIRROR_NAME_MAX], name[400];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mirror_name_swap(names[i], out))
            fail_msg("%s became %s", names[i], out);
    memset(name, 'a', sizeof name);
    memcpy(name, "L_", 2);
    name[sizeof name - 1] = '\0';
    assert_false(mirror_name_swap(name, out));
}

static int32_t twin(const char *const *names, uint32_t count, uint32_t bone)
{
    mmd_bone bones[8] = {{0}};
    mmd_model model = {.bones = bones, .bone_count = count};
    for (uint32_t i = 0; i < count; i++)
        bones[i].name = names[i];
    return mirror_name_find_bone(&model, bone);
}

static void bones_find_their_twins(void **state)
{
    (void)state;
    static const char *const names[] = {"センター", "右足IK", "左足ＩＫ", "右目",
                                        "両目",     "arm_L",  "左腕",     "右腕"};
    static const int32_t twins[] = {-1, 2, 1, -1, -1, -1, 7, 6};
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(twin(names, 8, i), twins[i]);
}

/* Runs commands and returns the local matrices of both arms. */
static void arms(const char *commands, double m[2][16])
{
    char lines[1024];
    snprintf(lines, sizeof lines,
             "%sedit.clear\nedit.select /models/#0/bones/右腕\nedit.tell\n"
             "edit.select /models/#0/bones/左腕\nedit.tell\n",
             commands);
    cli_write_text("edit.txt", lines);
    cli_result r = cli_run("dump odori.pmx --physics off --frames 0 --exec edit.txt");
    assert_int_equal(r.code, 0);
    const char *at = r.out;
    for (int k = 0; k < 2; k++) {
        json_error_t error;
        json_t *root = json_loads(at, JSON_DISABLE_EOF_CHECK, &error);
        assert_non_null(root);
        at = strchr(at, '\n') + 1;
        for (size_t i = 0; i < 16; i++)
            m[k][i] = json_number_value(json_array_get(json_object_get(root, "local"), i));
        json_decref(root);
    }
    cli_finish(&r);
}

#define MATRIX "edit.matrix 0 1 0 0 -1 0 0 0 0 0 1 0 -1.5 3 -0.25 1\n"
#define RIGHT  "edit.select /models/#0/bones/右腕\n"

static void a_matrix_is_mirrored(void **state)
{
    (void)state;
    double rest[2][16], m[2][16], back[2][16], again[2][16];
    arms("", rest);
    arms("edit.mirror on\n" RIGHT MATRIX, m);
    static const double wanted[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, -1.5, 3, -0.25, 1};
    for (int k = 0; k < 12; k++) {
        assert_true(fabs(m[0][k] - wanted[k]) < 1e-5);
        assert_true(fabs(m[1][k] - ((k % 4 == 0) != (k / 4 == 0) ? -wanted[k] : wanted[k])) < 1e-5);
    }
    for (int k = 12; k < 15; k++) {
        double way = m[0][k] - rest[0][k], other = m[1][k] - rest[1][k];
        assert_true(fabs(way) > 0.01 && fabs(k == 12 ? way + other : way - other) < 1e-5);
    }
    arms("edit.mirror on\n" RIGHT MATRIX "undo\n", back);
    assert_memory_equal(back, rest, sizeof rest);
    arms("edit.mirror on\n" RIGHT "edit.add /models/#0/bones/左腕\n" MATRIX, again);
    for (int k = 0; k < 16; k++) /* both are selected, so neither is mirrored */
        assert_true(fabs(again[0][k] - wanted[k]) < 1e-5 && fabs(again[1][k] - wanted[k]) < 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_either_side_have_the_others),
        cmocka_unit_test(other_names_have_no_side),
        cmocka_unit_test(bones_find_their_twins),
        cmocka_unit_test(a_matrix_is_mirrored),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
