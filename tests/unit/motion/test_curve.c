/* Bezier curves of keyframes. */
#include "support.h"

#include "engine/motion/motion_internal.h"

static mmd_curve random_curve(uint64_t *seed)
{
    uint64_t bits = test_random(seed);
    mmd_curve curve = {bits & 127, bits >> 8 & 127, bits >> 16 & 127, bits >> 24 & 127};
    /* Some curves are linear, and some have bytes that occur only in damaged files. */
    if (bits >> 32 & 1)
        return curve;
    if (bits >> 33 & 1)
        return (mmd_curve){curve.x1, curve.x1, curve.x2, curve.x2};
    return (mmd_curve){(uint8_t)(bits >> 40), curve.y1, (uint8_t)(bits >> 48), curve.y2};
}

static float random_unit(uint64_t *seed)
{
    return (float)(test_random(seed) >> 40) / 16777216.0f;
}

static void curve_with_control_points_on_the_diagonal_is_the_identity(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 1000; i++) {
        uint8_t a = test_random(&seed) % 128, b = test_random(&seed) % 128;
        float u = random_unit(&seed);
        assert_true(mmd_curve_value((mmd_curve){a, a, b, b}, u) == u);
    }
}

static void curve_keeps_its_ends(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 1000; i++) {
        mmd_curve curve = random_curve(&seed);
        assert_true(mmd_curve_value(curve, 0.0f) == 0.0f);
        assert_true(mmd_curve_value(curve, 1.0f) == 1.0f);
    }
}

/* The distances of MMD 9.32's camera, moving from -30 to -90 in 30 frames. */
static void curve_gives_the_numbers_of_mmd(void **state)
{
    (void)state;
    static const float distances[4] = {-65.6032028f, -76.1849518f, -86.5200729f, -88.9556885f};
    static const float frames[4] = {5, 10, 20, 25};
    for (int i = 0; i < 4; i++) {
        float v = mmd_curve_value((mmd_curve){0, 127, 127, 127}, frames[i] / 30.0f);
        assert_true(-30.0f + -60.0f * v == distances[i]);
    }
    assert_true(mmd_curve_value((mmd_curve){0, 127, 127, 127}, 0.5f) == 0.875f);
}

/* Bones of a made model that MMD 9.31 moved from 0 to 1: some where other sums of the same terms end
 * elsewhere, and some where the bisection hits x exactly. */
static void curve_of_a_bone_is_mmds_to_the_last_bit(void **state)
{
    (void)state;
    static const struct {
        mmd_curve curve;
        float u, v;
    } moves[] = {
        {{10, 0, 127, 100}, 0x1.24924ap-2f, 0x1.a3422ep-3f},
        {{60, 82, 56, 37}, 0x1.a2e8bap-2f, 0x1.bf51b4p-2f},
        {{0, 60, 120, 127}, 0x1.2ce012p-1f, 0x1.8450ecp-1f},
        {{127, 82, 73, 8}, 0x1.db101ap-2f, 0x1.14ff82p-2f},
        {{73, 19, 6, 22}, 0x1.db101ap-2f, 0x1.bd7dbcp-2f},
        {{127, 0, 0, 127}, 0x1.000000p-1f, 0x1.0467dcp-1f},
        {{69, 18, 37, 69}, 0x1.555556p-1f, 0x1.729cf8p-1f},
        {{78, 43, 35, 67}, 0x1.edb6dep-1f, 0x1.f3fc20p-1f},
        {{64, 0, 64, 127}, 0x1.126e98p-4f, 0x1.9c16e8p-8f},
        {{105, 9, 36, 44}, 0x1.ae147ap-3f, 0x1.c502f4p-6f},
        {{120, 57, 42, 13}, 0x1.116874p-2f, 0x1.014aaep-3f},
        {{31, 33, 16, 112}, 0x1.ea2f32p-2f, 0x1.9de4d4p-1f},
        {{0, 127, 0, 127}, 0x1.1a4e66p-1f, 0x1.fd02cap-1f},
        {{109, 82, 119, 118}, 0x1.ee2b16p-1f, 0x1.e5b02ap-1f},
        {{51, 0, 121, 116}, 0x1.116874p-2f, 0x1.ad446ep-4f},
        {{13, 43, 60, 0}, 0x1.a19080p-2f, 0x1.267a42p-2f},
        {{41, 0, 125, 34}, 0x1.e50d7ap-1f, 0x1.5e8530p-1f},
        {{13, 0, 61, 0}, 0x1.99ce0ap-1f, 0x1.4d78b2p-1f},
        {{30, 0, 51, 0}, 0x1.963edap-1f, 0x1.55ff00p-1f},
        {{109, 0, 22, 48}, 0x1.d73eacp-1f, 0x1.dfab74p-1f},
        {{93, 0, 88, 28}, 0x1.99999ap-1f, 0x1.e2e0e0p-2f},
        {{108, 28, 0, 0}, 0x1.126e98p-4f, 0x1.1c386cp-6f},
        {{88, 0, 4, 121}, 0x1.c71c72p-3f, 0x1.af2a9cp-5f},
        {{122, 117, 66, 0}, 0x1.003b94p-1f, 0x1.a1dec4p-2f},
        {{0, 127, 127, 0}, 0x1.e89824p-3f, 0x1.e72768p-2f},
        {{92, 9, 55, 46}, 0x1.eeb2acp-2f, 0x1.6a6f32p-3f},
        {{54, 11, 27, 97}, 0x1.b933eap-1f, 0x1.e65fdcp-1f},
        {{103, 101, 114, 0}, 0x1.5c5d64p-1f, 0x1.a2bc90p-2f},
    };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        float v = motion_bone_curve_value(moves[i].curve, moves[i].u);
        assert_memory_equal(&v, &moves[i].v, sizeof v);
    }
}

static double bezier(double s, double a, double b)
{
    return 3 * (1 - s) * (1 - s) * s * a + 3 * (1 - s) * s * s * b + s * s * s;
}

/* Twelve steps of bisection leave s within 2^-12 of the solution. */
static void curve_is_within_twelve_steps_of_the_true_one(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 20000; i++) {
        mmd_curve c = {test_random(&seed) % 128, test_random(&seed) % 128, test_random(&seed) % 128,
                       test_random(&seed) % 128};
        float u = random_unit(&seed);
        if (mmd_curve_is_linear(c) || u == 0.0f)
            continue;
        double low = 0, high = 1;
        for (int k = 0; k < 60; k++) {
            double s = (low + high) / 2;
            *(bezier(s, c.x1 / 127.0, c.x2 / 127.0) < (double)u ? &low : &high) = s;
        }
        /* The range of y for s within the tolerance. The slope of y is at most 3. */
        double y = bezier(low, c.y1 / 127.0, c.y2 / 127.0), slack = 1.0 / 4096 + 1e-4;
        double error = fabs((double)mmd_curve_value(c, u) - y);
        if (error > 3 * slack)
            fail_msg("curve %d %d %d %d at %.9g: off by %g", c.x1, c.y1, c.x2, c.y2, (double)u, error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curve_with_control_points_on_the_diagonal_is_the_identity),
        cmocka_unit_test(curve_keeps_its_ends),
        cmocka_unit_test(curve_gives_the_numbers_of_mmd),
        cmocka_unit_test(curve_of_a_bone_is_mmds_to_the_last_bit),
        cmocka_unit_test(curve_is_within_twelve_steps_of_the_true_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
