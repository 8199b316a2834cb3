/* Tests the rotations of the dancer's generator against each other and against known angles. */
#include "support.h"

#include "vector.h"

static const vec3 vectors[] = {
    {{1, 0, 0}}, {{0, 0.6f, -0.8f}}, {{-0.36f, 0.48f, 0.8f}}, {{0.28f, -0.96f, 0}}};

enum { VECTORS = sizeof vectors / sizeof *vectors };

static void assert_near(vec3 a, vec3 b)
{
    assert_true(vec3_distance(a, b) < 1e-6f);
}

static void a_quarter_about_z_turns_x_to_y(void **state)
{
    (void)state;
    assert_near(quat_rotate(quat_about(PI / 2, (vec3){{0, 0, 5}}), (vec3){{1, 0, 0}}), (vec3){{0, 1, 0}});
    assert_near(vec3_rotate((vec3){{2, 0, 3}}, PI / 2, (vec3){{0, 0, 5}}), (vec3){{0, 2, 3}});
}

static void quaternions_rotate_as_the_formula_of_rodrigues(void **state)
{
    (void)state;
    for (int i = 0; i < VECTORS; i++)
        for (int k = 0; k < VECTORS; k++) {
            quat q = quat_about(0.7f * (float)(i + 1), vectors[i]);
            vec3 turned = vec3_rotate(vectors[k], 0.7f * (float)(i + 1), vectors[i]);
            assert_near(quat_rotate(q, vectors[k]), turned);
            assert_near(quat_rotate(quat_inverse(q), turned), vectors[k]);
        }
}

static void a_product_applies_the_second_factor_first(void **state)
{
    (void)state;
    quat a = quat_about(1.1f, vectors[1]), b = quat_about(-0.4f, vectors[2]);
    for (int k = 0; k < VECTORS; k++)
        assert_near(quat_rotate(quat_mul(a, b), vectors[k]), quat_rotate(a, quat_rotate(b, vectors[k])));
}

static void a_rotation_between_vectors_is_the_shortest(void **state)
{
    (void)state;
    for (int i = 0; i < VECTORS; i++)
        for (int k = 0; k < VECTORS; k++) {
            quat q = quat_between(vectors[i], vectors[k]);
            assert_near(quat_rotate(q, vectors[i]), vectors[k]);
            assert_true(fabsf(vec3_dot((vec3){{q.x, q.y, q.z}}, vectors[i])) < 1e-6f); /* a right angle */
        }
}

static void interpolation_turns_evenly_by_the_shorter_arc(void **state)
{
    (void)state;
    const vec3 axis = vectors[2], v = vectors[1];
    quat a = quat_about(0.3f, axis), b = quat_about(1.5f, axis), opposite = vec4_scale(b, -1);
    for (int i = -1; i <= 5; i++) { /* also beyond both ends */
        float t = (float)i / 4;
        vec3 expected = vec3_rotate(v, lerp(0.3f, 1.5f, t), axis);
        assert_near(quat_rotate(quat_slerp(a, b, t), v), expected);
        assert_near(quat_rotate(quat_slerp(a, opposite, t), v), expected);
    }
    quat near = quat_normalize((quat){{a.x + 8e-4f, a.y, a.z, a.w}});
    assert_near(quat_rotate(quat_slerp(a, near, 1), v), quat_rotate(near, v));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quarter_about_z_turns_x_to_y),
        cmocka_unit_test(quaternions_rotate_as_the_formula_of_rodrigues),
        cmocka_unit_test(a_product_applies_the_second_factor_first),
        cmocka_unit_test(a_rotation_between_vectors_is_the_shortest),
        cmocka_unit_test(interpolation_turns_evenly_by_the_shorter_arc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
