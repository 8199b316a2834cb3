/*
 * Materials in contact: combination of two, bounces, static and dynamic friction, several shapes of one body.
 */
#include "phys_scenes.h"
#include "support.h"

static const float g = 9.80665f;

/* Prints a measured value if ODORI_MEASURE is set. */
static void measured(const char *what, float value)
{
    if (getenv("ODORI_MEASURE"))
        print_message("    %-52s %g\n", what, (double)value);
}

static int32_t add_material(phys_builder *builder, mmd_phys_material material)
{
    builder->materials[builder->scene.material_count] = material;
    return (int32_t)builder->scene.material_count++;
}

static int32_t bouncing(phys_builder *builder, float restitution, mmd_combine_mode mode)
{
    mmd_phys_material material = mmd_default_phys_material();
    material.restitution = restitution;
    material.restitution_combine = (uint8_t)mode;
    return add_material(builder, material);
}

static int32_t rubbing(phys_builder *builder, float at_rest, float in_motion, mmd_combine_mode mode)
{
    mmd_phys_material material = mmd_default_phys_material();
    material.static_friction = at_rest;
    material.dynamic_friction = in_motion;
    material.friction_combine = (uint8_t)mode;
    return add_material(builder, material);
}

/* Adds a floor of 15 m by 15 m with its top at 0. */
static mmd_phys_shape *add_floor(phys_builder *builder, int32_t material)
{
    phys_body(builder, MMD_PHYS_STATIC, 0.0f, -0.5f, 0.0f, 0.0f);
    mmd_phys_shape *shape = phys_box(builder, 7.5f, 0.5f, 7.5f);
    shape->material = material;
    return shape;
}

/* Adds a ball of 1 m radius at (x, 5, 0), as in Materials_00. */
static int32_t add_ball(phys_builder *builder, float x, int32_t material)
{
    int32_t ball = phys_body(builder, MMD_PHYS_DYNAMIC, x, 5.0f, 0.0f, 1.0f);
    phys_sphere(builder, 1.0f)->material = material;
    return ball;
}

/* Measures the heights in metres of bodies after their first bounce. */
static void apexes(const phys_builder *builder, const int32_t *bodies, float *heights, int count)
{
    mmd_world *world = phys_world(builder);
    phys_run(world, 0.95f); /* falling 4 m takes 0.903 s */
    for (int i = 0; i < count; i++)
        heights[i] = -INFINITY;
    for (int step = 0; step < 240; step++) {
        mmd_world_step(world);
        for (int i = 0; i < count; i++) {
            float p[3];
            phys_position(world, bodies[i], p);
            heights[i] = fmaxf(heights[i], p[1]);
        }
    }
    mmd_world_destroy(world);
}

/* docs/formats.md 1, Materials_00: 2.0 and 5.0. */
static void materials_00_bounces_to_its_heights(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    int32_t balls[2];
    balls[0] = add_ball(&builder, -5.0f, bouncing(&builder, 0.0f, MMD_COMBINE_MAXIMUM));
    balls[1] = add_ball(&builder, 5.0f, bouncing(&builder, 1.0f, MMD_COMBINE_MAXIMUM));
    add_floor(&builder, bouncing(&builder, 0.5f, MMD_COMBINE_UNSPECIFIED));
    float heights[2];
    apexes(&builder, balls, heights, 2);
    measured("Materials_00, left apex, m (2)", heights[0]);
    measured("Materials_00, right apex, m (5)", heights[1]);
    assert_float_equal(heights[0], 2.0f, 0.05f);
    assert_float_equal(heights[1], 5.0f, 0.05f);
}

/* A ball and a box that bounce finally come to rest. */
static void what_bounced_comes_to_rest(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    int32_t material = bouncing(&builder, 0.5f, MMD_COMBINE_MAXIMUM), bodies[2];
    bodies[0] = add_ball(&builder, -3.0f, material);
    bodies[1] = phys_body(&builder, MMD_PHYS_DYNAMIC, 3.0f, 2.0f, 0.0f, 1.0f);
    phys_box(&builder, 0.5f, 0.5f, 0.5f)->material = material;
    add_floor(&builder, material);
    mmd_world *world = phys_world(&builder);
    phys_run(world, 10.0f);
    float fastest = 0.0f, off = 0.0f, p[3];
    for (int step = 0; step < 480; step++) {
        mmd_world_step(world);
        for (int i = 0; i < 2; i++) {
            fastest = fmaxf(fastest, fabsf(mmd_world_velocities(world)[bodies[i]].linear[1]) * 0.08f);
            phys_position(world, bodies[i], p);
            off = fmaxf(off, fabsf(p[1] - (i ? 0.5f : 1.0f)));
        }
    }
    measured("at rest, fastest, m/s", fastest);
    measured("at rest, off the floor, m", off);
    assert_true(fastest < 0.05f && off < 5e-3f);
    mmd_world_destroy(world);
}

/* Returns the expected combination of two values. The mode with the higher priority applies. */
static float combined(float a, float b, uint8_t mode_a, uint8_t mode_b)
{
    switch (mode_a > mode_b ? mode_a : mode_b) {
    case MMD_COMBINE_MULTIPLY:
        return a * b;
    case MMD_COMBINE_MAXIMUM:
        return fmaxf(a, b);
    case MMD_COMBINE_MINIMUM:
        return fminf(a, b);
    default:
        return 0.5f * (a + b);
    }
}

static void restitution_combines_by_rank(void **state)
{
    (void)state;
    float worst = 0.0f;
    for (uint8_t a = 0; a <= MMD_COMBINE_AVERAGE; a++)
        for (uint8_t b = 0; b <= MMD_COMBINE_AVERAGE; b++) {
            phys_builder builder;
            phys_begin(&builder);
            int32_t ball = add_ball(&builder, 0.0f, bouncing(&builder, 0.9f, a));
            add_floor(&builder, bouncing(&builder, 0.5f, b));
            float height, e = combined(0.9f, 0.5f, a, b);
            apexes(&builder, &ball, &height, 1);
            worst = fmaxf(worst, fabsf(height - (1.0f + 4.0f * e * e)));
            assert_float_equal(height, 1.0f + 4.0f * e * e, 0.05f);
        }
    measured("apexes of all pairs of modes, largest error, m", worst);
}

/* Adds a low box of 1 kg on the floor with a speed along X, and returns it. */
static int32_t add_slider(phys_builder *builder, float z, float speed, int32_t material)
{
    int32_t slider = phys_body(builder, MMD_PHYS_DYNAMIC, -5.0f, 0.1f, z, 1.0f);
    phys_box(builder, 0.3f, 0.1f, 0.3f)->material = material;
    builder->bodies[slider].linear_velocity[0] = METRES(speed);
    return slider;
}

/* Returns the distance in metres that a slider of 3 m/s slides. */
static float slide(const phys_builder *builder, int32_t slider, float seconds)
{
    mmd_world *world = phys_world(builder);
    phys_run(world, seconds);
    float p[3];
    phys_position(world, slider, p);
    mmd_world_destroy(world);
    return p[0] + 5.0f;
}

static void friction_combines_by_rank(void **state)
{
    (void)state;
    float worst = 0.0f;
    for (uint8_t a = 0; a <= MMD_COMBINE_AVERAGE; a++)
        for (uint8_t b = 0; b <= MMD_COMBINE_AVERAGE; b++) {
            phys_builder builder;
            phys_begin(&builder);
            add_floor(&builder, rubbing(&builder, 0.8f, 0.8f, b));
            int32_t slider = add_slider(&builder, 0.0f, 3.0f, rubbing(&builder, 0.3f, 0.3f, a));
            float friction = combined(0.3f, 0.8f, a, b), way = 9.0f / (2.0f * friction * g);
            float slid = slide(&builder, slider, 3.0f);
            worst = fmaxf(worst, fabsf(slid - way) / way);
            assert_float_equal(slid, way, 0.05f * way);
        }
    measured("sliding of all pairs of modes, largest error, share", worst);
}

/* A dynamic friction of 0.3 stops it after 1.53 m, whatever the static friction. */
static void what_slides_feels_the_friction_of_motion(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    int32_t material = rubbing(&builder, 0.9f, 0.3f, MMD_COMBINE_MAXIMUM);
    add_floor(&builder, material);
    int32_t slider = add_slider(&builder, 0.0f, 3.0f, material);
    float slid = slide(&builder, slider, 3.0f);
    measured("friction 0.9 and 0.3, slid, m (1.5296)", slid);
    assert_float_equal(slid, 9.0f / (2.0f * 0.3f * g), 0.05f);
}

/* Gravity is rotated instead of the floor: a slope whose tangent is 0.45. */
static void what_rests_stays_and_what_moves_goes_on(void **state)
{
    (void)state;
    const float tangent = 0.45f, cosine = 1.0f / sqrtf(1.0f + tangent * tangent), sine = tangent * cosine;
    phys_builder builder;
    phys_begin(&builder);
    builder.scene.world.gravity[0] = METRES(g) * sine;
    builder.scene.world.gravity[1] = METRES(-g) * cosine;
    int32_t material = rubbing(&builder, 0.6f, 0.3f, MMD_COMBINE_MAXIMUM);
    add_floor(&builder, material);
    int32_t resting = add_slider(&builder, -2.0f, 0.0f, material);
    int32_t pushed = add_slider(&builder, 2.0f, 0.5f, material);
    mmd_world *world = phys_world(&builder);
    phys_run(world, 2.0f);
    float rest[3], moved[3];
    phys_position(world, resting, rest);
    phys_position(world, pushed, moved);
    mmd_world_destroy(world);
    float way = 0.5f * 2.0f + 0.5f * g * (sine - 0.3f * cosine) * 4.0f;
    measured("on the slope, what rested, m (0)", rest[0] + 5.0f);
    measured("what was pushed went, m", moved[0] + 5.0f);
    measured("and should have gone, m", way);
    assert_float_equal(rest[0], -5.0f, 5e-3f);
    assert_float_equal(moved[0] + 5.0f, way, 0.05f * way);
}

/* On the same slope, bodies that start slightly above it stick where they land. */
static void what_lands_on_a_slope_sticks(void **state)
{
    (void)state;
    const float tangent = 0.45f, cosine = 1.0f / sqrtf(1.0f + tangent * tangent), sine = tangent * cosine;
    static const float gaps[] = {0.0f, 1e-4f, 1e-3f, 5e-3f}; /* metres */
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
        phys_builder builder;
        phys_begin(&builder);
        builder.scene.world.gravity[0] = METRES(g) * sine;
        builder.scene.world.gravity[1] = METRES(-g) * cosine;
        int32_t material = rubbing(&builder, 0.9f, 0.1f, MMD_COMBINE_MAXIMUM);
        add_floor(&builder, material);
        int32_t put = add_slider(&builder, 0.0f, 0.0f, material);
        builder.bodies[put].rest.translation[1] += METRES(gaps[i]);
        mmd_world *world = phys_world(&builder);
        float before[3], after[3];
        phys_position(world, put, before);
        phys_run(world, 2.0f);
        phys_position(world, put, after);
        mmd_world_destroy(world);
        measured("put above a slope, slid, m (0)", after[0] - before[0]);
        assert_float_equal(after[0], before[0], 0.02f);
    }
}

/* A floor of two halves in one body, with a ball on each. */
static void shapes_of_one_body_have_their_own_materials(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    int32_t balls[2];
    balls[0] = add_ball(&builder, -5.0f, bouncing(&builder, 1.0f, MMD_COMBINE_MINIMUM));
    balls[1] = add_ball(&builder, 5.0f, 0);
    mmd_phys_shape *left = add_floor(&builder, bouncing(&builder, 0.5f, MMD_COMBINE_UNSPECIFIED));
    mmd_phys_shape *right = phys_box(&builder, 3.75f, 0.5f, 7.5f);
    left->size[0] = METRES(3.75f);
    left->frame.translation[0] = METRES(-3.75f);
    right->frame.translation[0] = METRES(3.75f);
    right->material = bouncing(&builder, 0.8f, MMD_COMBINE_UNSPECIFIED);
    float heights[2];
    apexes(&builder, balls, heights, 2);
    measured("on the left half, m (2)", heights[0]);
    measured("on the right half, m (3.56)", heights[1]);
    assert_float_equal(heights[0], 2.0f, 0.05f);
    assert_float_equal(heights[1], 1.0f + 4.0f * 0.64f, 0.05f);
}

/* Triangles have the material of their mesh. */
static void meshes_have_their_material(void **state)
{
    (void)state;
    static const float points[4][3] = {
        {-100.0f, 0.0f, -100.0f}, {-100.0f, 0.0f, 100.0f}, {100.0f, 0.0f, 100.0f}, {100.0f, 0.0f, -100.0f}};
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    mmd_phys_mesh mesh = {.point_count = 4, .points = points, .index_count = 6, .indices = indices};
    phys_builder builder;
    phys_begin(&builder);
    builder.scene.meshes = &mesh;
    builder.scene.mesh_count = 1;
    int32_t ball = add_ball(&builder, 1.0f, bouncing(&builder, 0.1f, MMD_COMBINE_UNSPECIFIED));
    phys_body(&builder, MMD_PHYS_STATIC, 0.0f, 0.0f, 0.0f, 0.0f);
    mmd_phys_shape *shape = phys_box(&builder, 0.0f, 0.0f, 0.0f);
    shape->kind = MMD_PHYS_MESH;
    shape->mesh = 0;
    shape->material = bouncing(&builder, 0.7f, MMD_COMBINE_MAXIMUM);
    float height;
    apexes(&builder, &ball, &height, 1);
    measured("on triangles, m (2.96)", height);
    assert_float_equal(height, 1.0f + 4.0f * 0.49f, 0.05f);
}

/* Two PMX bodies multiply their values, as Bullet does by default. So does a PMX body with one of another
 * kind. */
static void products_are_bullets_own(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    add_floor(&builder, rubbing(&builder, 0.5f, 0.5f, MMD_COMBINE_MULTIPLY));
    int32_t plain = add_slider(&builder, -2.0f, 3.0f, rubbing(&builder, 0.6f, 0.6f, MMD_COMBINE_MULTIPLY));
    int32_t other = add_slider(&builder, 2.0f, 3.0f, rubbing(&builder, 0.6f, 0.6f, MMD_COMBINE_UNSPECIFIED));
    builder.materials[0].restitution_combine = builder.materials[1].restitution_combine =
        MMD_COMBINE_MULTIPLY;
    float way = 9.0f / (2.0f * 0.3f * g);
    assert_float_equal(slide(&builder, plain, 3.0f), way, 0.05f * way);
    assert_float_equal(slide(&builder, other, 3.0f), way, 0.05f * way);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(materials_00_bounces_to_its_heights),
        cmocka_unit_test(what_bounced_comes_to_rest),
        cmocka_unit_test(restitution_combines_by_rank),
        cmocka_unit_test(friction_combines_by_rank),
        cmocka_unit_test(what_slides_feels_the_friction_of_motion),
        cmocka_unit_test(what_rests_stays_and_what_moves_goes_on),
        cmocka_unit_test(what_lands_on_a_slope_sticks),
        cmocka_unit_test(shapes_of_one_body_have_their_own_materials),
        cmocka_unit_test(meshes_have_their_material),
        cmocka_unit_test(products_are_bullets_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
