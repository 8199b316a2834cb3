/* Further examples of docs/formats.md 1 as scenes built by hand: motion, filters, and gravity fields in a
 * world. */
#include "phys_scenes.h"
#include "support.h"

/* Prints a measured value if ODORI_MEASURE is set. */
static void measured(const char *what, float value)
{
    if (getenv("ODORI_MEASURE"))
        print_message("    %-52s %g\n", what, (double)value);
}

static int32_t floating_box(phys_builder *builder)
{
    phys_begin(builder);
    int32_t box = phys_body(builder, MMD_PHYS_DYNAMIC, 0.0f, 0.0f, 0.0f, 1000.0f);
    phys_box(builder, 0.5f, 0.5f, 0.5f);
    builder->bodies[box].gravity_factor = 0.0f;
    return box;
}

/* MotionProperties_01 and 03: x(t) = t, along the axes of the world. */
static void motion_01_and_03_go_a_metre_a_second(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        phys_builder builder;
        int32_t box = floating_box(&builder);
        builder.bodies[box].linear_velocity[axis] = METRES(1.0f);
        mmd_world *world = phys_world(&builder);
        float worst = 0.0f;
        for (int i = 1; i <= 1200; i++) {
            mmd_world_step(world);
            float p[3];
            phys_position(world, box, p);
            worst = fmaxf(worst, fabsf(p[axis] - (float)i / 240.0f));
        }
        measured("MotionProperties_01, largest error in 5 s, m", worst);
        assert_true(worst < 1e-3f);
        mmd_world_destroy(world);
    }
}

/* MotionProperties_02: angle(t) = t. */
static void motion_02_turns_a_radian_a_second(void **state)
{
    (void)state;
    phys_builder builder;
    int32_t box = floating_box(&builder);
    builder.bodies[box].angular_velocity[0] = 1.0f;
    mmd_world *world = phys_world(&builder);
    float worst = 0.0f;
    for (int i = 1; i <= 720; i++) {
        mmd_world_step(world);
        const float *q = mmd_world_transforms(world)[box].rotation;
        float angle = 2.0f * atan2f(fabsf(q[0]), q[3]);
        worst = fmaxf(worst, fabsf(angle - (float)i / 240.0f));
        assert_true(fabsf(q[1]) < 1e-5f && fabsf(q[2]) < 1e-5f);
    }
    measured("MotionProperties_02, largest error in 3 s, rad", worst);
    assert_true(worst < 2e-3f);
    mmd_world_destroy(world);
}

/* Drops two balls with the filters left and right on a floor, and measures their heights after 4 s. */
static void fall(phys_builder *builder, mmd_phys_filter left, mmd_phys_filter right, float heights[2])
{
    static const uint32_t static_system[1] = {1};
    static const char *names[2] = {"DynamicGroup", "StaticGroup"};
    phys_begin(builder);
    builder->filters[0] = left;
    builder->filters[1] = right;
    builder->filters[2] = (mmd_phys_filter){.named = true, .systems = static_system, .system_count = 1};
    builder->scene.filter_count = 3;
    builder->scene.system_names = names;
    builder->scene.system_count = 2;
    for (int i = 0; i < 2; i++) {
        phys_body(builder, MMD_PHYS_DYNAMIC, i ? 5.0f : -5.0f, 5.0f, 0.0f, 1.0f);
        phys_sphere(builder, 1.0f)->filter = i;
    }
    phys_body(builder, MMD_PHYS_STATIC, 0.0f, -0.5f, 0.0f, 0.0f);
    phys_box(builder, 7.5f, 0.5f, 7.5f)->filter = 2;
    mmd_world *world = phys_world(builder);
    phys_run(world, 4.0f);
    for (int i = 0; i < 2; i++) {
        float p[3];
        phys_position(world, i, p);
        heights[i] = p[1];
    }
    mmd_world_destroy(world);
}

static void filters_00_and_01_let_the_right_ball_fall(void **state)
{
    (void)state;
    static const uint32_t systems[2] = {0, 1};
    mmd_phys_filter plain = {.named = true, .systems = systems, .system_count = 1};
    mmd_phys_filter cases[2][2] = {{plain, plain}, {plain, plain}};
    for (int i = 0; i < 2; i++) {
        cases[0][i].has_collide_with = true;
        cases[0][i].collide_with = systems;
        cases[0][i].collide_count = i ? 1 : 2;
        cases[1][i].not_collide_with = systems + i;
        cases[1][i].not_collide_count = 1;
    }
    for (int i = 0; i < 2; i++) {
        phys_builder builder;
        float heights[2];
        fall(&builder, cases[i][0], cases[i][1], heights);
        measured("CollisionFilter, left rests at, m (1)", heights[0]);
        measured("CollisionFilter, right has fallen to, m", heights[1]);
        assert_float_equal(heights[0], 1.0f, 5e-3f);
        assert_true(heights[1] < -50.0f);
    }
}

/* A planet of 1 m with a field of 5 m around it, in a world without gravity: a ball falls onto it from the
 * side. */
static void fields_pull_what_is_inside_of_their_trigger(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    builder.scene.world.gravity[1] = 0.0f;
    phys_body(&builder, MMD_PHYS_STATIC, 2.0f, 3.0f, 0.0f, 0.0f);
    phys_sphere(&builder, 1.0f);
    int32_t trigger = phys_body(&builder, MMD_PHYS_STATIC, 2.0f, 3.0f, 0.0f, 0.0f);
    phys_sphere(&builder, 5.0f)->trigger = true;
    int32_t near = phys_body(&builder, MMD_PHYS_DYNAMIC, 5.0f, 3.0f, 0.0f, 1.0f);
    phys_sphere(&builder, 0.25f);
    int32_t far = phys_body(&builder, MMD_PHYS_DYNAMIC, 9.0f, 3.0f, 0.0f, 1.0f);
    phys_sphere(&builder, 0.25f);
    mmd_phys_gravity field = {
        .kind = MMD_GRAVITY_POINT, .body = trigger, .gravity = METRES(9.81f), .stop = true};
    builder.scene.gravities = &field;
    builder.scene.gravity_count = 1;
    mmd_world *world = phys_world(&builder);
    phys_run(world, 0.5f);
    float p[3], q[3];
    phys_position(world, near, p);
    measured("half a second of a field, fallen, m (1.22625)", 5.0f - p[0]);
    assert_float_equal(5.0f - p[0], 0.5f * 9.81f * 0.25f, 0.05f);
    phys_run(world, 9.5f);
    phys_position(world, near, p);
    phys_position(world, far, q);
    measured("rests at a distance from the centre, m (1.25)", p[0] - 2.0f);
    assert_float_equal(p[0] - 2.0f, 1.25f, 5e-3f);
    assert_float_equal(q[0], 9.0f, 0.0f);
    mmd_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motion_01_and_03_go_a_metre_a_second),
        cmocka_unit_test(motion_02_turns_a_radian_a_second),
        cmocka_unit_test(filters_00_and_01_let_the_right_ball_fall),
        cmocka_unit_test(fields_pull_what_is_inside_of_their_trigger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
