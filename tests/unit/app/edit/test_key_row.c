/* Tests rows of the key sheet: lookup in a motion, and their frames, curves and values. */
#include "edit/key_rest.h"
#include "edit/key_row.h"
#include "long_dance.h"
#include "mmd/keying.h"
#include "support.h"

#include <math.h>

static const uint8_t ARM[15] = {0x89, 0x45, 0x98, 0x72}; /* 右腕 */
static const uint8_t HEAD[15] = {0x93, 0xaa};            /* 頭 */

static mmd_stored_bone_key bone_key(float x, float degrees)
{
    float half = degrees * 0.00872664626f;
    mmd_stored_bone_key key = {.record = MMD_NO_RECORD,
                               .key = {.translation = {x, 0, 0}, .rotation = {0, sinf(half), 0, cosf(half)}}};
    for (int i = 0; i < 4; i++)
        key.key.curve[i] = mmd_default_curve();
    return key;
}

static void set_bone(mmd_motion *motion, const uint8_t name[15], uint32_t frame, float x, float degrees)
{
    mmd_stored_bone_key key = bone_key(x, degrees);
    assert_int_equal(mmd_motion_set_bone_key(motion, name, frame, &key, NULL, NULL), MMD_OK);
}

/* Makes a motion with keys at 10, 20 and 40. */
static mmd_motion *make_motion(void)
{
    mmd_motion *motion;
    assert_int_equal(mmd_motion_copy(NULL, &motion, NULL), MMD_OK);
    set_bone(motion, ARM, 10, 0, 0);
    set_bone(motion, ARM, 20, 5, 90);
    set_bone(motion, ARM, 40, 1, 90);
    return motion;
}

static void keys_are_found_by_frame(void **state)
{
    (void)state;
    mmd_motion *motion = make_motion();
    key_row row = {.kind = KEY_ROW_BONE, .motion = motion};
    key_row_update(&row, ARM);
    assert_int_equal(row.count, 3);
    assert_int_equal(key_row_frame(&row, 2), 40);
    assert_int_equal(key_row_from(&row, 0), 0);
    assert_int_equal(key_row_from(&row, 10), 0);
    assert_int_equal(key_row_from(&row, 11), 1);
    assert_int_equal(key_row_from(&row, 41), 3);
    assert_int_equal(key_row_at(&row, 20), 1);
    assert_int_equal(key_row_at(&row, 21), 3);
    mmd_motion_destroy(motion);
}

static void a_first_key_that_holds_from_frame_0_is_late(void **state)
{
    (void)state;
    mmd_motion *motion = make_motion();
    key_row row = {.kind = KEY_ROW_BONE, .motion = motion};
    key_row_update(&row, ARM);
    assert_false(key_rest_is_late(&row)); /* at rest at frame 10 */
    set_bone(motion, ARM, 5, 1, 0);
    key_row_update(&row, ARM);
    assert_true(key_rest_is_late(&row));
    set_bone(motion, ARM, 0, 0, 0);
    key_row_update(&row, ARM);
    assert_false(key_rest_is_late(&row));
    key_row_update(&row, HEAD); /* without keyframes */
    assert_false(key_rest_is_late(&row));
    const float weights[] = {0.5f, 0};
    const uint32_t frames[] = {184, 200}, early[] = {0, 200};
    row = (key_row){.kind = KEY_ROW_MORPH, .count = 2, .frames = frames, .stride = 4, .weights = weights};
    assert_true(key_rest_is_late(&row));
    row.frames = early;
    assert_false(key_rest_is_late(&row));
    mmd_motion_destroy(motion);
}

static void a_row_follows_its_track(void **state)
{
    (void)state;
    mmd_motion *motion = make_motion();
    key_row row = {.kind = KEY_ROW_BONE, .motion = motion};
    set_bone(motion, HEAD, 7, 0, 0);
    key_row_update(&row, HEAD);
    assert_int_equal(row.count, 1);
    while (mmd_motion_find_bone(motion, ARM))
        mmd_motion_remove_bone_key(motion, ARM, mmd_motion_find_bone(motion, ARM)->frames[0], NULL);
    key_row_update(&row, HEAD);
    assert_int_equal(row.count, 1);
    assert_int_equal(key_row_frame(&row, 0), 7);
    key_row_update(&row, ARM);
    assert_int_equal(row.count, 0);
    assert_int_equal(key_row_at(&row, 10), 0);
    row.motion = NULL;
    key_row_update(&row, HEAD);
    assert_int_equal(row.count, 0);
    mmd_motion_destroy(motion);
}

static void of_several_at_a_frame_the_last_counts(void **state)
{
    (void)state;
    mmd_motion *motion = make_motion();
    mmd_key_row place = mmd_key_row_of(MMD_KEY_BONE, ARM);
    mmd_stored_key key = {.record = MMD_NO_RECORD, .as.bone = bone_key(9, 0).key};
    assert_int_equal(mmd_motion_add_key(motion, &place, 20, &key, NULL, NULL), MMD_OK);
    key_row row = {.kind = KEY_ROW_BONE, .motion = motion};
    key_row_update(&row, ARM);
    assert_int_equal(key_row_from(&row, 20), 1);
    assert_int_equal(key_row_at(&row, 20), 2);
    double values[3];
    assert_int_equal(key_row_values(&row, MMD_CHANNEL_X, 20, values), 1);
    assert_float_equal(values[0], 9, 1e-6);
    mmd_motion_destroy(motion);
}

static void a_later_dancer_has_later_keys(void **state)
{
    (void)state;
    mmd_motion *motion = make_motion();
    key_row row = {.kind = KEY_ROW_BONE, .motion = motion, .delay = 100};
    double values[3];
    key_row_update(&row, ARM);
    assert_int_equal(key_row_frame(&row, 0), 110);
    assert_int_equal(key_row_at(&row, 120), 1);
    key_row_values(&row, MMD_CHANNEL_X, 115, values);
    assert_float_equal(values[0], 2.5, 1e-5);
    row.delay = -15;
    assert_int_equal(key_row_frame(&row, 0), 0);
    assert_int_equal(key_row_frame(&row, 1), 5);
    mmd_motion_destroy(motion);
}

static void values_are_those_of_the_curves(void **state)
{
    (void)state;
    mmd_motion *motion = make_motion();
    key_row row = {.kind = KEY_ROW_BONE, .motion = motion};
    double values[3];
    mmd_stored_bone_key key = bone_key(5, 90);
    key.key.curve[MMD_CHANNEL_X] = (mmd_curve){64, 0, 64, 127};
    assert_int_equal(mmd_motion_set_bone_key(motion, ARM, 20, &key, NULL, NULL), MMD_OK);
    key_row_update(&row, ARM);
    assert_int_equal(key_row_channels(&row), 4);
    assert_int_equal(key_row_curve(&row, 1, MMD_CHANNEL_X).y2, 127);
    for (int frame = 10; frame <= 20; frame++) {
        float part = mmd_curve_value((mmd_curve){64, 0, 64, 127}, (float)(frame - 10) / 10);
        assert_int_equal(key_row_values(&row, MMD_CHANNEL_X, frame, values), 1);
        assert_float_equal(values[0], 5 * part, 1e-5);
        assert_int_equal(key_row_values(&row, MMD_CHANNEL_ROTATION, frame, values), 3);
        assert_float_equal(values[0], 0, 1e-4);
        assert_float_equal(values[1], 9 * (frame - 10), 1e-3);
    }
    key_row_values(&row, MMD_CHANNEL_X, 0, values); /* before the first key, and after the last */
    assert_float_equal(values[0], 0, 0);
    key_row_values(&row, MMD_CHANNEL_X, 1000, values);
    assert_float_equal(values[0], 1, 0);
    mmd_motion_destroy(motion);
}

static void camera_and_morphs_have_values(void **state)
{
    (void)state;
    mmd_motion *motion = make_motion();
    mmd_key_row place = mmd_key_row_of(MMD_KEY_CAMERA, NULL);
    mmd_stored_key key = {.record = MMD_NO_RECORD, .as.camera = {.value = mmd_default_camera()}};
    for (uint32_t frame = 0; frame <= 30; frame += 30) {
        key.as.camera.value.distance = -45 + (float)frame;
        for (int i = 0; i < MMD_CAMERA_CHANNELS; i++)
            key.as.camera.curve[i] = mmd_default_curve();
        assert_int_equal(mmd_motion_set_key(motion, &place, frame, &key, NULL, NULL), MMD_OK);
    }
    double values[3];
    key_row camera = {.kind = KEY_ROW_CAMERA, .motion = motion},
            light = {.kind = KEY_ROW_LIGHT, .motion = motion};
    key_row_update(&camera, NULL);
    assert_int_equal(camera.count, 2);
    assert_int_equal(key_row_frame(&camera, 1), 30);
    assert_int_equal(key_row_channels(&camera), 6);
    assert_int_equal(key_row_curve(&camera, 1, MMD_CAMERA_FOV).x1, 20);
    assert_int_equal(key_row_values(&camera, MMD_CAMERA_DISTANCE, 15, values), 1);
    assert_float_equal(values[0], -30, 1e-4);
    assert_int_equal(key_row_values(&camera, MMD_CAMERA_ROTATION, 15, values), 3);
    key_row_update(&light, NULL);
    assert_int_equal(key_row_values(&light, 0, 0, values), 0);
    assert_int_equal(mmd_motion_set_morph_key(motion, HEAD, 0, MMD_NO_RECORD, 0, NULL, NULL), MMD_OK);
    assert_int_equal(mmd_motion_set_morph_key(motion, HEAD, 10, MMD_NO_RECORD, 1, NULL, NULL), MMD_OK);
    key_row morph = {.kind = KEY_ROW_MORPH, .motion = motion};
    key_row_update(&morph, HEAD);
    assert_int_equal(key_row_channels(&morph), 0);
    assert_int_equal(key_row_values(&morph, 0, 2.5, values), 1);
    assert_float_equal(values[0], 0.25, 1e-6);
    mmd_motion_destroy(motion);
}

/* Self shadow and switches have keys but no curves or values. A delay of the model moves its keys. */
static void rows_of_steps_have_keys_and_no_curves(void **state)
{
    (void)state;
    mmd_motion *motion = make_motion();
    const mmd_key_row shadows = mmd_key_row_of(MMD_KEY_SELF_SHADOW, NULL),
                      properties = mmd_key_row_of(MMD_KEY_PROPERTY, NULL);
    mmd_ik_switch ik = {.name = "leg", .on = 0};
    const mmd_stored_key shadow = {.record = MMD_NO_RECORD, .as.self_shadow.value = {2, 0.05f}},
                         property = {.record = MMD_NO_RECORD,
                                     .as.property = {.visible = 1, .switch_count = 1, .switches = &ik}};
    assert_int_equal(mmd_motion_set_key(motion, &shadows, 7, &shadow, NULL, NULL), MMD_OK);
    assert_int_equal(mmd_motion_set_key(motion, &properties, 9, &property, NULL, NULL), MMD_OK);
    assert_int_equal(mmd_motion_set_key(motion, &properties, 30, &property, NULL, NULL), MMD_OK);
    key_row a = {.kind = KEY_ROW_SHADOW, .motion = motion},
            b = {.kind = KEY_ROW_SWITCHES, .motion = motion, .delay = 100};
    double values[3];
    key_row_update(&a, NULL);
    key_row_update(&b, NULL);
    assert_true(a.count == 1 && key_row_at(&a, 7) == 0 && a.shadows[0].value.mode == 2);
    assert_true(b.count == 2 && key_row_at(&b, 130) == 1 && b.switches[1].switches[0].on == 0);
    assert_true(key_row_channels(&a) == 0 && key_row_channels(&b) == 0);
    assert_true(key_row_values(&a, 0, 8, values) == 0 && key_row_values(&b, 0, 120, values) == 0);
    mmd_motion_destroy(motion);
}

/* Counts the keyframes in a column one by one. */
static uint32_t count_plainly(const key_row *row, double from, double to)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < row->count; i++)
        count += key_row_frame(row, i) >= from && key_row_frame(row, i) < to;
    return count;
}

static void keys_are_counted_by_columns(void **state)
{
    (void)state;
    enum { COLUMNS = 64 };
    static const double starts[] = {-30, 0, 17.5, 3000, 80000}, widths[] = {0.1, 1, 3, 7.3, 150, 2000};
    mmd_motion motion;
    mmd_model model = {.bone_count = 1};
    uint8_t names[1][15];
    memcpy(names[0], ARM, sizeof ARM);
    model.bone_key = names;
    long_dance_make(&motion, &model, 36000, 5000);
    key_row row = {.kind = KEY_ROW_BONE, .motion = &motion};
    for (int delay = 0; delay <= 25; delay += 25)
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
            for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
                uint32_t counts[COLUMNS] = {[5] = 1000};
                row.delay = delay;
                key_row_update(&row, ARM);
                assert_int_equal(row.count, 4000);
                key_row_count(&row, starts[i], widths[k], counts, COLUMNS);
                for (uint32_t c = 0; c < COLUMNS; c++)
                    assert_int_equal(
                        counts[c] - (c == 5 ? 1000 : 0),
                        count_plainly(&row, starts[i] + c * widths[k], starts[i] + (c + 1) * widths[k]));
            }
    row.count = 0;
    uint32_t none[2] = {0};
    key_row_count(&row, 0, 1, none, 2);
    assert_int_equal(none[0] + none[1], 0);
    mmd_arena_finish(&motion.arena);
}

static void paths_are_those_of_items(void **state)
{
    (void)state;
    char path[KEY_PATH_MAX];
    const key_row bone = {.kind = KEY_ROW_BONE, .model = 2, .index = 31};
    key_row_path(&bone, path);
    assert_string_equal(path, "/models/#2/bones/#31");
    const key_row morph = {.kind = KEY_ROW_MORPH, .index = 4294967295u, .model = 4294967295u};
    key_row_path(&morph, path);
    assert_string_equal(path, "/models/#4294967295/morphs/#4294967295");
    const key_row camera = {.kind = KEY_ROW_CAMERA};
    key_row_path(&camera, path);
    assert_string_equal(path, "/camera");
    const key_row light = {.kind = KEY_ROW_LIGHT};
    key_row_path(&light, path);
    assert_string_equal(path, "/light");
    const key_row shadow = {.kind = KEY_ROW_SHADOW};
    key_row_path(&shadow, path);
    assert_string_equal(path, "/shadow");
    const key_row switches = {.kind = KEY_ROW_SWITCHES, .model = 3};
    key_row_path(&switches, path);
    assert_string_equal(path, "/models/#3/switches");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_found_by_frame),
        cmocka_unit_test(a_row_follows_its_track),
        cmocka_unit_test(a_first_key_that_holds_from_frame_0_is_late),
        cmocka_unit_test(of_several_at_a_frame_the_last_counts),
        cmocka_unit_test(a_later_dancer_has_later_keys),
        cmocka_unit_test(values_are_those_of_the_curves),
        cmocka_unit_test(camera_and_morphs_have_values),
        cmocka_unit_test(rows_of_steps_have_keys_and_no_curves),
        cmocka_unit_test(keys_are_counted_by_columns),
        cmocka_unit_test(paths_are_those_of_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
