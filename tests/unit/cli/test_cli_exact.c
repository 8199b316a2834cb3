/* Tests the commands that reproduce edits exactly, as pictures saved by F12 contain them: whole keys, and
 * placements as quaternions. */
#include "cli.h"

#include <math.h>

#include "mmd/format.h"
#include "mmd/keying.h"
#include "mmd/text.h"

#define CURVES_4 "0102030405060708090a0b0c0d0e0f7f"
#define CURVES_6 CURVES_4 "1011121314151617"

static mmd_motion *saved(const char *commands)
{
    mmd_motion *motion = NULL;
    cli_write_text("exact.txt", commands);
    cli_expect(0, NULL, "dump odori.pmx --motion odori.vmd --frames 0 --exec exact.txt -o dump.json");
    mmd_bytes bytes = cli_read("saved.vmd");
    assert_int_equal(mmd_vmd_read(bytes.data, bytes.size, &motion, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    return motion;
}

static mmd_key_row bone_row(const char *name)
{
    uint8_t key[MMD_NAME_KEY_SIZE];
    mmd_name_key_from_utf8(name, key, NULL, NULL);
    return mmd_key_row_of(MMD_KEY_BONE, key);
}

static void a_whole_key_of_a_bone_is_set_to_the_bit(void **state)
{
    (void)state;
    mmd_stored_key key;
    mmd_motion *motion = saved("key.put.bone 右腕 77 0.1 -2.5 3e-7 0.5 -0.5 0.5 0.5 " CURVES_4 " off\n"
                               "motion.save saved.vmd\n");
    const mmd_key_row row = bone_row("右腕");
    assert_true(mmd_motion_get_key(motion, &row, 77, &key));
    const float place[3] = {0.1f, -2.5f, 3e-7f}, turn[4] = {0.5f, -0.5f, 0.5f, 0.5f};
    assert_memory_equal(key.as.bone.translation, place, sizeof place);
    assert_memory_equal(key.as.bone.rotation, turn, sizeof turn);
    assert_int_equal(key.as.bone.curve[0].x1, 1);
    assert_int_equal(key.as.bone.curve[1].y1, 6);
    assert_int_equal(key.as.bone.curve[3].y2, 127);
    mmd_motion_destroy(motion);
}

static void keys_go_and_undo_brings_them_back(void **state)
{
    (void)state;
    const mmd_key_row row = bone_row("右腕");
    mmd_motion *motion = saved("key.put.bone 右腕 77 0 0 0 0 0 0 1 " CURVES_4 " on\nkey.drop.bone 右腕 77\n"
                               "motion.save saved.vmd\n");
    mmd_stored_key key;
    assert_false(mmd_motion_get_key(motion, &row, 77, &key));
    mmd_motion_destroy(motion);
    motion = saved("key.put.bone 右腕 77 0 0 0 0 0 0 1 " CURVES_4 " on\nkey.drop.bone 右腕 77\nundo\n"
                   "motion.save saved.vmd\n");
    assert_true(mmd_motion_get_key(motion, &row, 77, &key));
    mmd_motion_destroy(motion);
    motion = saved("key.put.bone 右腕 77 0 0 0 0 0 0 1 " CURVES_4 " on\nundo\nmotion.save saved.vmd\n");
    assert_false(mmd_motion_get_key(motion, &row, 77, &key));
    mmd_motion_destroy(motion);
}

static void camera_and_light_have_such_keys_too(void **state)
{
    (void)state;
    mmd_stored_key key;
    mmd_motion *motion = saved("key.put.camera 12 -33 1 2 3 0.1 0.2 0.3 45 " CURVES_6 " off\n"
                               "key.put.light 12 0.1 0.2 0.3 -1 -2 -3\ncamera.save saved.vmd\n");
    mmd_key_row row = mmd_key_row_of(MMD_KEY_CAMERA, NULL);
    assert_true(mmd_motion_get_key(motion, &row, 12, &key));
    assert_float_equal(key.as.camera.value.distance, -33, 0);
    assert_float_equal(key.as.camera.value.rotation[1], 0.2f, 0);
    assert_false(key.as.camera.value.perspective);
    assert_int_equal(key.as.camera.curve[5].y2, 0x17);
    row = mmd_key_row_of(MMD_KEY_LIGHT, NULL);
    assert_true(mmd_motion_get_key(motion, &row, 12, &key));
    assert_float_equal(key.as.light.value.color[2], 0.3f, 0);
    assert_float_equal(key.as.light.value.direction[1], -2, 0);
    mmd_motion_destroy(motion);
}

/* "ＩＫ" and one other switch as the file's field has them, off and on. */
#define SWITCH_IK                                                                                            \
    "8268826a"                                                                                               \
    "00000000000000000000000000000000"                                                                       \
    "00"
#define SWITCH_7                                                                                             \
    "6c65677320616e6420736f206f6e000000000000"                                                               \
    "07"

static void self_shadow_and_switches_have_such_keys_too(void **state)
{
    (void)state;
    mmd_stored_key key;
    mmd_motion *motion = saved("key.put.shadow 12 2 0.0125\ncamera.save saved.vmd\n");
    mmd_key_row row = mmd_key_row_of(MMD_KEY_SELF_SHADOW, NULL);
    assert_true(mmd_motion_get_key(motion, &row, 12, &key));
    assert_true(key.as.self_shadow.value.mode == 2 && key.as.self_shadow.value.distance == 0.0125f);
    mmd_motion_destroy(motion);
    motion =
        saved("key.put.switches 33 1\nkey.put.switches 34 0 " SWITCH_IK "\nkey.more.switches 34 " SWITCH_7
              "\nkey.put.switches 35 1\nkey.drop.switches 35\nmotion.save saved.vmd\n");
    row = mmd_key_row_of(MMD_KEY_PROPERTY, NULL);
    assert_true(mmd_motion_get_key(motion, &row, 33, &key));
    assert_true(key.as.property.visible == 1 && key.as.property.switch_count == 0);
    assert_true(mmd_motion_get_key(motion, &row, 34, &key));
    assert_true(key.as.property.visible == 0 && key.as.property.switch_count == 2);
    assert_memory_equal(key.as.property.switches[0].name, "\x82\x68\x82\x6a\0", 5);
    assert_int_equal(key.as.property.switches[0].on, 0);
    assert_string_equal((const char *)key.as.property.switches[1].name, "legs and so on");
    assert_int_equal(key.as.property.switches[1].on, 7);
    assert_false(mmd_motion_get_key(motion, &row, 35, &key));
    mmd_motion_destroy(motion);
}

static void refuses(const char *line, const char *why)
{
    cli_write_text("refused.txt", line);
    cli_expect(2, why, "dump odori.pmx --motion odori.vmd --frames 0 --exec refused.txt");
}

static void what_is_no_key_is_refused(void **state)
{
    (void)state;
    refuses("key.put.bone nobody 1 0 0 0 0 0 0 1 " CURVES_4 " on\n", "no bone \"nobody\"");
    refuses("key.put.bone 右腕 1.5 0 0 0 0 0 0 1 " CURVES_4 " on\n", "is not the frame of a keyframe");
    refuses("key.put.bone 右腕 -1 0 0 0 0 0 0 1 " CURVES_4 " on\n", "is not the frame of a keyframe");
    refuses("key.put.bone 右腕 1 0 0 0 0 0 0 1e9 " CURVES_4 " on\n", "quaternion");
    refuses("key.put.bone 右腕 1 0 0 0 0 0 0 1 " CURVES_6 " on\n", "4 curves");
    refuses("key.put.bone 右腕 1 0 0 0 0 0 0 1 80"
            "02030405060708090a0b0c0d0e0f7f on\n",
            "4 curves");
    refuses("key.put.bone 右腕 1 0 0 0 0 0 0 1 zz on\n", "4 curves");
    refuses("key.put.morph nothing 1 1\n", "no morph");
    refuses("key.put.camera 1 2 3 4 5 6 7 8 9 " CURVES_4 " on\n", "6 curves");
    refuses("key.drop.bone 右腕 99999\n", "右腕 of 踊り子 has no keyframe at frame 99999");
    refuses("key.drop.light 3\n", "");
    refuses("key.put.shadow 3 4 0\n", "not 0 (off), 1 or 2");
    refuses("key.put.switches 3 256\n", "not 0 or 1");
    refuses("key.put.switches 3 1e9\n", "not 0 or 1");
    refuses("model.mirror on\nkey.put.morph あ 3 1\n", "keyframes cannot be set while mirrored");
    refuses("key.put.switches 3 1 8268\n", "up to 20 switches");
    refuses("key.put.switches 3 1 x" SWITCH_7 "\n", "up to 20 switches");
    refuses("key.more.switches 3 " SWITCH_7 "\n", "display and IK of 踊り子 has no keyframe at frame 3");
    refuses("key.drop.switches 3\n", "display and IK of 踊り子 has no keyframe at frame 3");
}

static void places_are_exact_and_undone(void **state)
{
    (void)state;
    refuses("bone.place \"#9999\" 0 0 0 0 0 0 1\n", "no bone \"#9999\"");
    refuses("bone.place 右腕 0 0 0 0 0 0 2\n", "quaternion of length 1");
    refuses("body.place 9999 0 0 0 0 0 0 1 1 1 1\n", "no body 9999");
    refuses("joint.place 0.5 0 0 0 0 0 0 1\n", "no joint 0.5");
    cli_write_text("exact.txt",
                   "bone.place 右腕 0.5 0 0 0.5 0.5 -0.5 0.5\nedit.select /models/#0/bones/右腕\n"
                   "edit.tell\nundo\nedit.tell\n");
    cli_result r = cli_run("dump odori.pmx --frames 0 --exec exact.txt -o dump.json");
    assert_int_equal(r.code, 0);
    const char *first = strstr(r.out, "\"user:rotate\""),
               *second = first ? strstr(first + 1, "\"user:rotate\"") : NULL;
    assert_non_null(second);
    assert_non_null(strstr(first, "[0.5,0.5,-0.5,0.5]"));
    assert_true(strstr(first, "[0.5,0.5,-0.5,0.5]") < second);
    assert_null(strstr(second, "[0.5,0.5,-0.5,0.5]"));
    cli_finish(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_key_of_a_bone_is_set_to_the_bit),
        cmocka_unit_test(keys_go_and_undo_brings_them_back),
        cmocka_unit_test(camera_and_light_have_such_keys_too),
        cmocka_unit_test(self_shadow_and_switches_have_such_keys_too),
        cmocka_unit_test(what_is_no_key_is_refused),
        cmocka_unit_test(places_are_exact_and_undone),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
