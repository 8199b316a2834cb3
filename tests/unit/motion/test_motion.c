/* Keyframes by frame, tracks by name, IK switches. */
#include "sample_motions.h"
#include "support.h"

#include "mmd/text.h"

/* The definition, implemented literally. */
static int32_t plain_search(const uint32_t *frames, uint32_t count, double frame)
{
    int32_t found = -1;
    for (uint32_t i = 0; i < count; i++)
        if (frames[i] <= frame)
            found = (int32_t)i;
    return found;
}

static uint32_t random_frames(uint32_t *frames, uint32_t most, uint64_t *seed)
{
    uint32_t count = (uint32_t)(test_random(seed) % (most + 1)), frame = (uint32_t)(test_random(seed) % 5);
    for (uint32_t i = 0; i < count; i++) {
        frames[i] = frame;
        frame += (uint32_t)(test_random(seed) % 4); /* sometimes the same frame again */
    }
    return count;
}

static void key_search_finds_the_last_key_that_is_not_later(void **state)
{
    (void)state;
    uint64_t seed = 1;
    uint32_t frames[40];
    for (int round = 0; round < 2000; round++) {
        uint32_t count = random_frames(frames, 40, &seed);
        for (int i = 0; i < 20; i++) {
            double frame = (double)(test_random(&seed) % 500) / 4.0 - 2.0;
            assert_int_equal(mmd_key_search(frames, count, frame, NULL), plain_search(frames, count, frame));
        }
    }
}

static void key_search_gives_the_same_with_any_hint(void **state)
{
    (void)state;
    uint64_t seed = 2;
    uint32_t frames[40];
    for (int round = 0; round < 2000; round++) {
        uint32_t count = random_frames(frames, 40, &seed), hint = (uint32_t)(test_random(&seed) % 50);
        if (round % 16 == 0)
            hint = UINT32_MAX - (uint32_t)(round % 3);
        for (int i = 0; i < 20; i++) {
            double frame = round % 2 ? (double)i * 0.75 : (double)(test_random(&seed) % 500) / 4.0 - 2.0;
            int32_t found = mmd_key_search(frames, count, frame, &hint);
            assert_int_equal(found, plain_search(frames, count, frame));
            assert_true(found < 0 || hint == (uint32_t)found);
        }
    }
}

static void key_search_takes_any_real_frame(void **state)
{
    (void)state;
    const uint32_t frames[3] = {0, 7, UINT32_MAX};
    assert_int_equal(mmd_key_search(frames, 3, NAN, NULL), 0);
    assert_int_equal(mmd_key_search(frames, 3, -0.0, NULL), 0);
    assert_int_equal(mmd_key_search(frames, 3, -1e-300, NULL), -1);
    assert_int_equal(mmd_key_search(frames, 3, -INFINITY, NULL), -1);
    assert_int_equal(mmd_key_search(frames, 3, 6.999999, NULL), 0);
    assert_int_equal(mmd_key_search(frames, 3, 4294967294.9, NULL), 1);
    assert_int_equal(mmd_key_search(frames, 3, INFINITY, NULL), 2);
    assert_int_equal(mmd_key_search(NULL, 0, 1.0, NULL), -1);
}

static void tracks_are_found_by_all_fifteen_bytes(void **state)
{
    (void)state;
    mmd_motion motion;
    sample_motion(&motion);
    uint8_t name[15];
    mmd_name_key_from_utf8("左腕", name, NULL, NULL);
    assert_ptr_equal(mmd_motion_find_bone(&motion, name), &motion.bone_tracks[1]);
    assert_null(mmd_motion_find_morph(&motion, name));
    name[14] = 1;
    assert_null(mmd_motion_find_bone(&motion, name));
    mmd_name_key_from_utf8("あ", name, NULL, NULL);
    assert_ptr_equal(mmd_motion_find_morph(&motion, name), &motion.morph_tracks[1]);
    sample_motion_finish(&motion);
}

static bool ik_on(const mmd_motion *motion, const char *bone, double frame)
{
    uint8_t name[15];
    mmd_name_key_from_utf8(bone, name, NULL, NULL);
    return mmd_motion_ik_on(motion, name, frame);
}

static void without_property_keys_all_is_visible_and_on(void **state)
{
    (void)state;
    mmd_motion motion = {0};
    assert_true(mmd_motion_visible(&motion, 5.0));
    assert_true(ik_on(&motion, "左足ＩＫ", 5.0));
}

static void switches_step_and_hold_what_a_later_key_does_not_name(void **state)
{
    (void)state;
    mmd_ik_switch first[2] = {{"a", 0}, {"b", 0}}, second[1] = {{"a", 1}};
    mmd_property_key keys[2] = {{.frame = 10, .visible = 0, .switch_count = 2, .switches = first},
                                {.frame = 20, .visible = 2, .switch_count = 1, .switches = second}};
    mmd_motion motion = {.property_keys = keys, .property_key_count = 2};
    assert_true(mmd_motion_visible(&motion, 9.99) && ik_on(&motion, "a", 9.99));
    assert_false(mmd_motion_visible(&motion, 10) || ik_on(&motion, "a", 10) || ik_on(&motion, "b", 19.9));
    assert_true(mmd_motion_visible(&motion, 20) && ik_on(&motion, "a", 20));
    assert_false(ik_on(&motion, "b", 1000));
    assert_true(ik_on(&motion, "c", 1000));
}

static void ik_names_compare_by_fifteen_bytes_up_to_their_nul(void **state)
{
    (void)state;
    mmd_ik_switch switches[2] = {{"0123456789abcdeFGHI", 0}, {"leg\0garbage", 0}};
    mmd_property_key key = {.visible = 1, .switch_count = 2, .switches = switches};
    mmd_motion motion = {.property_keys = &key, .property_key_count = 1};
    assert_false(ik_on(&motion, "0123456789abcdeXYZ", 0));
    assert_true(ik_on(&motion, "0123456789abcd", 0));
    assert_false(ik_on(&motion, "leg", 0));
}

static void destroying_nothing_is_allowed(void **state)
{
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_motion_destroy(NULL);
    mmd_vpd_destroy(NULL);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(key_search_finds_the_last_key_that_is_not_later),
        cmocka_unit_test(key_search_gives_the_same_with_any_hint),
        cmocka_unit_test(key_search_takes_any_real_frame),
        cmocka_unit_test(tracks_are_found_by_all_fifteen_bytes),
        cmocka_unit_test(without_property_keys_all_is_visible_and_on),
        cmocka_unit_test(switches_step_and_hold_what_a_later_key_does_not_name),
        cmocka_unit_test(ik_names_compare_by_fifteen_bytes_up_to_their_nul),
        cmocka_unit_test(destroying_nothing_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
