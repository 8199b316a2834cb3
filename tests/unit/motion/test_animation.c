/* Animation by keyframes at arbitrary times: sampled values, and how an actor applies them. */
#include "support.h"

#include "mmd/animation.h"

static float sample_one(const mmd_animation_channel *channel, double seconds)
{
    float out[1];
    mmd_animation_sample(channel, seconds, NULL, out);
    return out[0];
}

static void expect_rotation(const mmd_animation_channel *channel, double seconds, double x, double y,
                            double z, double w)
{
    float q[4];
    mmd_animation_sample(channel, seconds, NULL, q);
    assert_float_equal(q[0], x, 1e-6);
    assert_float_equal(q[1], y, 1e-6);
    assert_float_equal(q[2], z, 1e-6);
    assert_float_equal(q[3], w, 1e-6);
}

static const float three_times[] = {0.5f, 1.0f, 3.0f};

/* ------------------------------------------------------------- sampling */

static void steps_hold_until_the_next_key(void **state)
{
    (void)state;
    const float values[] = {4, 5, 6};
    const mmd_animation_channel channel = {.animated = MMD_ANIMATED_WEIGHT,
                                           .interpolation = MMD_INTERPOLATION_STEP,
                                           .count = 3,
                                           .times = three_times,
                                           .values = values};
    assert_float_equal(sample_one(&channel, -7), 4, 0);
    assert_float_equal(sample_one(&channel, 0.5), 4, 0);
    assert_float_equal(sample_one(&channel, nextafter(1.0, 0.0)), 4, 0);
    assert_float_equal(sample_one(&channel, 1.0), 5, 0);
    assert_float_equal(sample_one(&channel, 2.999), 5, 0);
    assert_float_equal(sample_one(&channel, 3.0), 6, 0);
    assert_float_equal(sample_one(&channel, 1e9), 6, 0);
}

static void lines_meet_their_keys_and_hold_outside(void **state)
{
    (void)state;
    const float values[] = {1, 10, -2, 3, 20, -4, 7, 0, 8};
    const mmd_animation_channel channel = {.animated = MMD_ANIMATED_TRANSLATION,
                                           .interpolation = MMD_INTERPOLATION_LINEAR,
                                           .count = 3,
                                           .times = three_times,
                                           .values = values};
    const struct {
        double seconds;
        float expected[3];
    } cases[] = {{-1, {1, 10, -2}}, {0.5, {1, 10, -2}}, {0.75, {2, 15, -3}},
                 {1, {3, 20, -4}},  {1.5, {4, 15, -1}}, {2, {5, 10, 2}},
                 {3, {7, 0, 8}},    {99, {7, 0, 8}},    {(double)NAN, {1, 10, -2}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float out[3];
        mmd_animation_sample(&channel, cases[i].seconds, NULL, out);
        for (int k = 0; k < 3; k++)
            assert_float_equal(out[k], cases[i].expected[k], 1e-6);
    }
}

/* A cubic polynomial is reproduced exactly if the tangents are its derivatives. */
static void cubic_keys_give_back_the_cubic_they_lie_on(void **state)
{
    (void)state;
    float values[9];
    for (int i = 0; i < 3; i++) {
        float t = three_times[i];
        float value = 2 + t - 3 * t * t + 0.5f * t * t * t, slope = 1 - 6 * t + 1.5f * t * t;
        values[3 * i] = values[3 * i + 2] = slope;
        values[3 * i + 1] = value;
    }
    const mmd_animation_channel channel = {.animated = MMD_ANIMATED_WEIGHT,
                                           .interpolation = MMD_INTERPOLATION_CUBIC,
                                           .count = 3,
                                           .times = three_times,
                                           .values = values};
    for (int i = 0; i <= 100; i++) {
        double t = 0.5 + 0.025 * i;
        assert_float_equal(sample_one(&channel, t), 2 + t - 3 * t * t + 0.5 * t * t * t, 2e-5);
    }
    assert_float_equal(sample_one(&channel, 0), values[1], 0);
    assert_float_equal(sample_one(&channel, 4), values[7], 0);
}

/* The in-tangent applies before a keyframe, the out-tangent after it. */
static void tangents_count_on_their_own_side(void **state)
{
    (void)state;
    const float times[] = {0, 2, 4};
    const float values[] = {100, 0, 0, 3, 0, -5, 0, 0, 100}; /* in, value, out */
    const mmd_animation_channel channel = {.animated = MMD_ANIMATED_WEIGHT,
                                           .interpolation = MMD_INTERPOLATION_CUBIC,
                                           .count = 3,
                                           .times = times,
                                           .values = values};
    for (int i = 0; i <= 20; i++) {
        double u = 0.05 * i;
        assert_float_equal(sample_one(&channel, 2 * u), 2 * 3 * (u * u * u - u * u), 1e-6);
        assert_float_equal(sample_one(&channel, 2 + 2 * u), 2 * -5 * (u * u * u - 2 * u * u + u), 1e-6);
    }
}

static void rotations_take_the_shorter_way_whatever_their_sign(void **state)
{
    (void)state;
    const double s = sin(0.25 * 0.5), c = cos(0.25 * 0.5); /* a rotation by 1 radian, a quarter of it */
    const float times[] = {0, 1};
    float values[8] = {0, 0, 0, 1, 0, (float)sin(0.5), 0, (float)cos(0.5)};
    mmd_animation_channel channel = {.animated = MMD_ANIMATED_ROTATION,
                                     .interpolation = MMD_INTERPOLATION_LINEAR,
                                     .count = 2,
                                     .times = times,
                                     .values = values};
    expect_rotation(&channel, 0.25, 0, s, 0, c);
    for (int k = 4; k < 8; k++)
        values[k] = -values[k];
    expect_rotation(&channel, 0.25, 0, s, 0, c);
    expect_rotation(&channel, 1, 0, -sin(0.5), 0, -cos(0.5));
    channel.interpolation = MMD_INTERPOLATION_STEP;
    expect_rotation(&channel, 0.25, 0, 0, 0, 1);
}

static void rotations_have_unit_length_whatever_the_keys(void **state)
{
    (void)state;
    const float times[] = {0, 1};
    const float values[][8] = {{0, 0, 0, 1, 0, 0, 0, -1},        {0, 0, 0, 1, 1e-5f, 0, 0, 1},
                               {0, 0, 0, 1, 1, 0, 0, 0},         {0, 0, 3, 4, 0, 0, 0, 0},
                               {0, 0, 0, 0, 0, 0, 0, 0},         {1e38f, 1e38f, 0, 0, -1e38f, 1e38f, 0, 1},
                               {NAN, 0, 0, 1, 0, 0, INFINITY, 1}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const mmd_animation_channel channel = {.animated = MMD_ANIMATED_ROTATION,
                                               .interpolation = MMD_INTERPOLATION_LINEAR,
                                               .count = 2,
                                               .times = times,
                                               .values = values[i]};
        for (int k = -1; k <= 9; k++) {
            float q[4];
            mmd_animation_sample(&channel, 0.125 * k, NULL, q);
            assert_float_equal(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-5);
        }
    }
}

/* Tangents of glTF's quaternions have any length, so the result is normalised. */
static void cubic_rotations_are_made_turns_again(void **state)
{
    (void)state;
    const float times[] = {0, 1};
    const float values[24] = {0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, /* in, value, out */
                              0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    const mmd_animation_channel channel = {.animated = MMD_ANIMATED_ROTATION,
                                           .interpolation = MMD_INTERPOLATION_CUBIC,
                                           .count = 2,
                                           .times = times,
                                           .values = values};
    const double x = 3 * 0.125, length = sqrt(x * x + 0.5);
    expect_rotation(&channel, 0.5, x / length, 0.5 / length, 0, 0.5 / length);
    expect_rotation(&channel, 0, 0, 0, 0, 1);
    expect_rotation(&channel, 1, 0, 1, 0, 0);
}

static void one_key_holds_for_ever(void **state)
{
    (void)state;
    const float time = 2, values[] = {9, 5, 8};
    mmd_animation_channel channel = {
        .animated = MMD_ANIMATED_WEIGHT, .count = 1, .times = &time, .values = values};
    for (int kind = MMD_INTERPOLATION_STEP; kind <= MMD_INTERPOLATION_CUBIC; kind++)
        for (int t = 0; t <= 4; t++) {
            channel.interpolation = (uint8_t)kind;
            assert_float_equal(sample_one(&channel, t), kind == MMD_INTERPOLATION_CUBIC ? 5 : 9, 0);
        }
}

static void of_keys_with_one_time_the_last_one_counts(void **state)
{
    (void)state;
    const float times[] = {0, 1, 1, 1, 2}, values[] = {0, 10, 20, 30, 40};
    const mmd_animation_channel channel = {.animated = MMD_ANIMATED_WEIGHT,
                                           .interpolation = MMD_INTERPOLATION_LINEAR,
                                           .count = 5,
                                           .times = times,
                                           .values = values};
    assert_float_equal(sample_one(&channel, 0.5), 5, 1e-6);
    assert_float_equal(sample_one(&channel, 1), 30, 0);
    assert_float_equal(sample_one(&channel, 1.5), 35, 1e-5);
}

static void hints_never_change_the_answer(void **state)
{
    (void)state;
    enum { COUNT = 50 };
    float times[COUNT], values[3 * COUNT];
    uint64_t random = 11;
    for (int i = 0; i < COUNT; i++)
        times[i] = (i ? times[i - 1] : 0) + (float)(test_random(&random) % 4) * 0.125f;
    for (int i = 0; i < 3 * COUNT; i++)
        values[i] = (float)(test_random(&random) % 1000) * 0.01f;
    mmd_animation_channel channel = {
        .animated = MMD_ANIMATED_WEIGHT, .count = COUNT, .times = times, .values = values};
    for (int i = 0; i < 30000; i++) {
        channel.interpolation = (uint8_t)(i % 3);
        double at = (double)(test_random(&random) % 3000) * 0.01 - 2.0;
        uint32_t hint = (uint32_t)(test_random(&random) % (COUNT + 3));
        if (hint == COUNT + 2)
            hint = UINT32_MAX;
        float with[1];
        mmd_animation_sample(&channel, at, &hint, with);
        float without = sample_one(&channel, at);
        assert_memory_equal(with, &without, sizeof without);
        assert_true(hint < COUNT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_hold_until_the_next_key),
        cmocka_unit_test(lines_meet_their_keys_and_hold_outside),
        cmocka_unit_test(cubic_keys_give_back_the_cubic_they_lie_on),
        cmocka_unit_test(tangents_count_on_their_own_side),
        cmocka_unit_test(rotations_take_the_shorter_way_whatever_their_sign),
        cmocka_unit_test(rotations_have_unit_length_whatever_the_keys),
        cmocka_unit_test(cubic_rotations_are_made_turns_again),
        cmocka_unit_test(one_key_holds_for_ever),
        cmocka_unit_test(of_keys_with_one_time_the_last_one_counts),
        cmocka_unit_test(hints_never_change_the_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
