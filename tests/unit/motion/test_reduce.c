/* Keyframe reduction: the error limit of every sample, and the saving. */
#include "support.h"

#include "mmd/reduce.h"

enum { SAMPLES = 300 };

typedef struct reduction {
    mmd_transform samples[SAMPLES];
    uint32_t places[SAMPLES];
    mmd_bone_key keys[SAMPLES];
    uint32_t count;
} reduction;

static void turn_about(const double axis[3], double angle, float q[4])
{
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (int k = 0; k < 3; k++)
        q[k] = (float)(axis[k] / length * sin(angle / 2.0));
    q[3] = (float)cos(angle / 2.0);
}

/* Fills in a swing of several speeds, as in dances. */
static void fill_swing(reduction *r)
{
    for (int i = 0; i < SAMPLES; i++) {
        double t = i / 30.0, axis[3] = {1.0, 0.3 * sin(t), 0.2};
        r->samples[i] = (mmd_transform){
            .translation = {(float)sin(t * 2.0), (float)(t * 0.5), (float)(cos(t * 5.0) * 0.3)}};
        turn_about(axis, 1.5 * sin(t * 3.0), r->samples[i].rotation);
    }
}

static double random_part(uint64_t *state)
{
    return (double)(test_random(state) >> 11) / 9007199254740992.0 * 2.0 - 1.0;
}

static void fill_noise(reduction *r, uint64_t seed)
{
    for (int i = 0; i < SAMPLES; i++) {
        double axis[3] = {random_part(&seed), random_part(&seed), 1.0};
        r->samples[i] = (mmd_transform){.translation = {(float)random_part(&seed), 0.0f, 3.0f}};
        turn_about(axis, 7.0 * random_part(&seed), r->samples[i].rotation);
    }
}

static double distance(const float a[3], const float b[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    return sqrt(sum);
}

/* Reduces, and compares every sample with the keyframes. */
static void reduce(reduction *r, float translation, float rotation, bool curves, const float *shares)
{
    mmd_reduce_limits limits = {translation, rotation, shares, curves};
    r->count = mmd_reduce_keys(r->samples, SAMPLES, &limits, r->places, r->keys);
    assert_true(r->count >= 2 && r->places[0] == 0 && r->places[r->count - 1] == SAMPLES - 1);
    for (uint32_t k = 1; k < r->count; k++) {
        uint32_t first = r->places[k - 1], last = r->places[k];
        assert_true(first < last);
        for (uint32_t i = first; i <= last; i++) {
            mmd_transform said;
            float u = (float)((double)(i - first) / (double)(last - first));
            mmd_bone_key_between(&r->keys[k - 1], &r->keys[k], u, &said);
            double share = shares && i > first && i < last ? (double)shares[i] : 1.0;
            assert_true(distance(said.translation, r->samples[i].translation) <= (double)translation + 1e-6);
            assert_true((double)mmd_rotation_angle(said.rotation, r->samples[i].rotation) <=
                        (double)rotation * share + 1e-6);
        }
    }
}

static void every_sample_keeps_the_limits(void **state)
{
    (void)state;
    static const float limits[] = {1.0f, 0.1f, 0.01f, 0.001f};
    static reduction r;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (int curves = 0; curves < 2; curves++) {
            fill_swing(&r);
            reduce(&r, limits[i], limits[i] / 5.0f, curves, NULL);
            fill_noise(&r, i + 1);
            reduce(&r, limits[i], limits[i], curves, NULL);
        }
}

static void smooth_motion_takes_few_keys_and_fewer_with_curves(void **state)
{
    (void)state;
    static reduction r;
    fill_swing(&r);
    reduce(&r, 0.01f, 0.01f, false, NULL);
    uint32_t lines = r.count;
    reduce(&r, 0.01f, 0.01f, true, NULL);
    print_message("%d samples: %u keys with lines, %u with curves\n", SAMPLES, lines, r.count);
    assert_true(lines < SAMPLES / 2);
    assert_true(r.count < lines * 3 / 4);
}

static void a_line_and_a_stillness_take_two_keys(void **state)
{
    (void)state;
    static reduction r;
    for (int i = 0; i < SAMPLES; i++) {
        double axis[3] = {0.0, 1.0, 0.0};
        r.samples[i] = (mmd_transform){.translation = {(float)i, (float)-i * 2.0f, 5.0f}};
        turn_about(axis, i * 0.01, r.samples[i].rotation);
    }
    reduce(&r, 1e-3f, 1e-4f, false, NULL);
    assert_int_equal(r.count, 2);
    for (int i = 1; i < SAMPLES; i++)
        r.samples[i] = r.samples[0];
    reduce(&r, 0.0f, 0.0f, true, NULL);
    assert_int_equal(r.count, 2);
}

static void no_room_means_every_sample(void **state)
{
    (void)state;
    static reduction r;
    fill_noise(&r, 7);
    reduce(&r, 0.0f, 0.0f, true, NULL);
    assert_int_equal(r.count, SAMPLES);
    for (uint32_t i = 0; i < r.count; i++)
        assert_memory_equal(r.keys[i].rotation, r.samples[i].rotation, sizeof r.keys[i].rotation);
}

static void a_share_of_the_limit_holds_where_it_is_asked_for(void **state)
{
    (void)state;
    static reduction r;
    float shares[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        shares[i] = i > 100 && i < 130 ? 0.05f : 1.0f;
    fill_swing(&r);
    reduce(&r, 0.1f, 0.1f, true, NULL);
    uint32_t freely = r.count;
    reduce(&r, 0.1f, 0.1f, true, shares);
    assert_true(r.count > freely);
}

static void one_sample_is_one_key(void **state)
{
    (void)state;
    mmd_transform sample = {.rotation = {0.0f, 0.6f, 0.0f, 0.8f}, .translation = {1.0f, 2.0f, 3.0f}};
    mmd_reduce_limits limits = {.translation = 0.1f, .rotation = 0.1f};
    uint32_t place;
    mmd_bone_key key;
    assert_int_equal(mmd_reduce_keys(&sample, 1, &limits, &place, &key), 1);
    assert_int_equal(place, 0);
    assert_memory_equal(key.translation, sample.translation, sizeof key.translation);
    assert_true(mmd_curve_is_linear(key.curve[0]) && mmd_curve_is_linear(key.curve[3]));
}

static void angles_are_exact_when_small_and_blind_to_the_sign(void **state)
{
    (void)state;
    double axis[3] = {1.0, 2.0, -1.0};
    static const double angles[] = {1e-6, 1e-3, 1.0, 3.1};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        float a[4], b[4];
        turn_about(axis, 0.0, a);
        turn_about(axis, angles[i], b);
        assert_true(fabs((double)mmd_rotation_angle(a, b) - angles[i]) <= 1e-6 * angles[i] + 1e-9);
        for (int k = 0; k < 4; k++)
            b[k] = -b[k];
        assert_true(fabs((double)mmd_rotation_angle(a, b) - angles[i]) <= 1e-6 * angles[i] + 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_keeps_the_limits),
        cmocka_unit_test(smooth_motion_takes_few_keys_and_fewer_with_curves),
        cmocka_unit_test(a_line_and_a_stillness_take_two_keys),
        cmocka_unit_test(no_room_means_every_sample),
        cmocka_unit_test(a_share_of_the_limit_holds_where_it_is_asked_for),
        cmocka_unit_test(one_sample_is_one_key),
        cmocka_unit_test(angles_are_exact_when_small_and_blind_to_the_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
