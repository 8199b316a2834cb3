/* Invalid and extreme worlds: no crash, no hang, and only finite results. */
#define _DEFAULT_SOURCE
#include "made_scene.h"
#include "support.h"

#include <time.h>

static const float ball[3] = {0.5f, 0.0f, 0.0f};
static const float cube[3] = {1.0f, 1.0f, 1.0f};
static const float slab[3] = {50.0f, 1.0f, 50.0f};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void assert_all_finite(const mmd_world *world)
{
    for (uint32_t b = 0; b < mmd_world_body_count(world); b++) {
        const mmd_transform *t = &mmd_world_transforms(world)[b];
        const mmd_velocity *v = &mmd_world_velocities(world)[b];
        for (int k = 0; k < 4; k++)
            if (!isfinite(t->rotation[k]) || !isfinite(t->translation[k]) || !isfinite(v->linear[k]) ||
                !isfinite(v->angular[k]))
                fail_msg("body %u is not finite", (unsigned)b);
    }
}

/* Steps in bounded time, and saves and restores the state now and then. */
static void survive(made_scene *made, mmd_world *world, int count)
{
    double start = seconds();
    void *state = malloc(mmd_world_state_size(world));
    for (int i = 0; i < count; i++) {
        mmd_world_step(world);
        assert_all_finite(world);
        if (i % 50 == 49) {
            mmd_world_save(world, state);
            mmd_world_restore(world, state);
        }
    }
    free(state);
    made_destroy(made, world);
    assert_true(seconds() - start < 20.0);
}

static void masses_of_nothing_and_a_million(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made->settings.ground = true;
    static const float masses[5] = {0.0f, 1e6f, 1e-6f, 1.0f, MMD_PHYS_MASS_MOST};
    for (int i = 0; i < 20; i++) {
        made_body(made, MMD_PHYS_DYNAMIC, i % 2 ? MMD_PHYS_BOX : MMD_PHYS_SPHERE, cube, 0.1f * (float)i,
                  1.0f + (float)i, 0.0f, masses[i % 5]);
        if (i)
            made_joint(made, (mmd_phys_joint_kind)(i % 6), i - 1, i, 0.0f, (float)i, 0.0f);
    }
    survive(made, made_world(made), 300);
}

static void sizes_of_nothing(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made->settings.ground = true;
    static const float nothing[3] = {0.0f, 0.0f, 0.0f};
    static const float point[1][3] = {{0.0f, 0.0f, 0.0f}};
    static const uint32_t corner[3] = {0, 0, 0};
    made->meshes[0] = (mmd_phys_mesh){.points = point, .indices = corner};
    made->meshes[1] = (mmd_phys_mesh){.point_count = 1, .points = point, .index_count = 3, .indices = corner};
    made->scene.mesh_count = 2;
    for (int i = 0; i < 28; i++) {
        mmd_phys_body *body =
            made_body(made, i < 14 ? MMD_PHYS_DYNAMIC : MMD_PHYS_STATIC, (mmd_phys_shape_kind)(i % 7),
                      nothing, 0.0f, 0.2f * (float)i, 0.0f, 1.0f);
        made_first_shape(made, body)->mesh =
            i % 7 == MMD_PHYS_HULL || i % 7 == MMD_PHYS_MESH ? i / 7 % 2 : -1;
        body->auto_center = body->auto_mass = i % 2;
    }
    made->bodies[0].shape_count = 0;
    survive(made, made_world(made), 200);
}

/* The largest simulated bodies, of all shapes, on top of each other. */
static void sizes_without_end(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made->settings.ground = true;
    static const float most = MMD_PHYS_LENGTH_MOST, endless[3] = {most, most, most};
    static const float masses[3] = {1.0f, 0.0f, MMD_PHYS_MASS_MOST};
    for (int i = 0; i < 24; i++) {
        mmd_phys_body *body = made_body(made, MMD_PHYS_DYNAMIC, (mmd_phys_shape_kind)(i % 4),
                                        i % 5 == 4 ? cube : endless, 0.0f, (float)i, 0.0f, masses[i % 3]);
        body->auto_mass = i % 7 == 6;
        body->linear_velocity[i % 3] = i % 4 == 3 ? most : 0.0f;
        if (i)
            made_joint(made, (mmd_phys_joint_kind)(i % 6), i - 1, i, 0.0f, (float)i, 0.0f);
    }
    survive(made, made_world(made), 100);
}

/* Bullet visits every corner of a hull, and first has to find the corners. */
static void many_bodies_of_one_large_hull(void **state)
{
    (void)state;
    enum { POINTS = 100000 };
    made_scene *made = made_scene_create();
    static const float nothing[3] = {0.0f, 0.0f, 0.0f};
    static float points[POINTS][3];
    for (int i = 0; i < POINTS; i++) {
        float y = 1.0f - 2.0f * ((float)i + 0.5f) / (float)POINTS, r = sqrtf(1.0f - y * y),
              turn = 2.4f * (float)i;
        points[i][0] = r * cosf(turn);
        points[i][1] = y;
        points[i][2] = r * sinf(turn);
    }
    made->settings.ground = true;
    made->meshes[0] = (mmd_phys_mesh){.point_count = POINTS, .points = (const float(*)[3])points};
    made->scene.mesh_count = 1;
    for (int i = 0; i < 20; i++) {
        mmd_phys_body *body =
            made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_HULL, nothing, 1.9f * (float)i, 1.0f, 0.0f, 1.0f);
        made_first_shape(made, body)->mesh = 0;
        body->auto_center = body->auto_mass = true;
    }
    mmd_world *world = made_world(made);
    mmd_world_step(world);
    assert_true(fabsf(mmd_world_transforms(world)[3].translation[1] - 1.0f) < 0.05f);
    survive(made, world, 100);
}

static void a_chain_of_a_thousand(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made_body(made, MMD_PHYS_KINEMATIC, MMD_PHYS_SPHERE, ball, 0.0f, 0.0f, 0.0f, 0.0f);
    int32_t filter = made_filter(made, 0, 0);
    for (int i = 1; i <= 1000; i++) {
        made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, (float)i, 0.0f, 0.0f, 1.0f);
        mmd_phys_joint *joint = made_joint(made, MMD_JOINT_PMX_SPRING, i - 1, i, (float)i - 0.5f, 0.0f, 0.0f);
        for (int k = 0; k < 3; k++)
            joint->pmx.angular_lower[k] = 1.0f;
    }
    for (uint32_t s = 0; s < made->scene.shape_count; s++)
        made->shapes[s].filter = filter;
    survive(made, made_world(made), 300);
}

/* A thousand bodies at the same position, all colliding, and as many joints between the same two. */
static void everything_at_one_place(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    for (int i = 0; i < 60; i++)
        made_body(made, MMD_PHYS_DYNAMIC, (mmd_phys_shape_kind)(i % 3), cube, 0.0f, 0.0f, 0.0f, 1.0f);
    for (int i = 0; i < 300; i++) {
        mmd_phys_joint *joint =
            made_joint(made, (mmd_phys_joint_kind)(i % 6), i % 2, 1 - i % 2, 0.0f, 0.0f, 0.0f);
        joint->pmx.linear_lower[0] = (float)(i % 5) - 2.0f;
        joint->pmx.linear_upper[0] = (float)(i % 7) - 3.0f;
    }
    survive(made, made_world(made), 100);
}

static void limits_reversed_and_huge(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made_body(made, MMD_PHYS_STATIC, MMD_PHYS_SPHERE, ball, 0.0f, 0.0f, 0.0f, 0.0f);
    static const float numbers[6] = {0.0f, -1e12f, 1e12f, 100.0f, -0.5f, 3.2f};
    for (int i = 0; i < 36; i++) {
        made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, cube, 3.0f * (float)i, 0.0f, 0.0f, 1.0f);
        mmd_phys_joint *joint = made_joint(made, (mmd_phys_joint_kind)(i % 6), 0, i + 1, 0.0f, 0.0f, 0.0f);
        for (int k = 0; k < 3; k++) {
            joint->pmx.linear_lower[k] = numbers[(i + k) % 6];
            joint->pmx.linear_upper[k] = numbers[(i / 6 + k) % 6];
            joint->pmx.angular_lower[k] = numbers[(i / 6 + 2 * k) % 6];
            joint->pmx.angular_upper[k] = numbers[(i + 2 * k) % 6];
            joint->pmx.linear_spring[k] = numbers[(i + 3 * k) % 6];
            joint->pmx.angular_spring[k] = numbers[(i / 6 + 3 * k) % 6];
        }
    }
    survive(made, made_world(made), 200);
}

static void far_away_and_fast(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made->settings.ground = true;
    static const float places[4] = {1e7f, -1e7f, 2e8f, -4e8f};
    for (int i = 0; i < 24; i++) {
        mmd_phys_body *body = made_body(made, MMD_PHYS_DYNAMIC, (mmd_phys_shape_kind)(i % 4), cube,
                                        places[i % 4], places[(i + i / 4) % 4], 0.1f * (float)i, 1.0f);
        body->linear_velocity[i % 3] = i % 5 == 4 ? MMD_PHYS_LENGTH_MOST : 1e5f;
        body->angular_velocity[i % 3] = i % 7 == 4 ? MMD_PHYS_LENGTH_MOST : 1e4f;
        body->ccd = i % 2;
        if (i)
            made_joint(made, MMD_JOINT_PMX_SPRING, i - 1, i, 1e7f, 0.0f, 0.0f);
    }
    survive(made, made_world(made), 200);
}

/* A kinematic body moves to and fro by a hundred units with a chain on it. Targets that are not finite are
 * ignored. */
static void led_by_leaps(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made_body(made, MMD_PHYS_KINEMATIC, MMD_PHYS_SPHERE, ball, 0.0f, 0.0f, 0.0f, 0.0f);
    for (int i = 1; i < 10; i++) {
        made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, -(float)i, 0.0f, 1.0f);
        made_joint(made, MMD_JOINT_PMX_SPRING, i - 1, i, 0.0f, 0.5f - (float)i, 0.0f);
    }
    mmd_world *world = made_world(made);
    mmd_transform targets[10];
    for (int i = 0; i < 200; i++) {
        for (int b = 0; b < 10; b++)
            targets[b] = made->bodies[b].rest;
        targets[0].translation[0] = i % 20 == 0 ? 100.0f : i % 33 == 0 ? NAN : 0.0f;
        targets[0].translation[1] = i % 35 == 0 ? INFINITY : i % 70 == 1 ? 1e30f : 0.0f;
        mmd_world_set_targets(world, targets);
        mmd_world_step(world);
        assert_all_finite(world);
    }
    survive(made, world, 200);
}

static void impulses_without_end(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made->settings.ground = true;
    static const float numbers[5] = {NAN, INFINITY, -INFINITY, 3e38f, 1e20f};
    for (int i = 0; i < 10; i++) {
        made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, cube, 0.0f, 1.0f + 2.0f * (float)i, 0.0f, 1.0f);
        if (i)
            made_joint(made, MMD_JOINT_PMX_POINT, i - 1, i, 0.0f, 2.0f * (float)i, 0.0f);
    }
    mmd_world *world = made_world(made);
    for (int i = 0; i < 100; i++) {
        mmd_impulse impulse = {.body = (uint32_t)(i % 10),
                               .local = i % 2,
                               .linear = {numbers[i % 5]},
                               .angular = {0.0f, numbers[i / 2 % 5]}};
        mmd_world_impulse(world, 1, &impulse);
        mmd_world_step(world);
        assert_all_finite(world);
    }
    survive(made, world, 200);
}

/* A body that was frozen can be used again: it is placed, and falls. */
static void what_was_lost_can_be_placed(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, cube, 0.0f, 0.0f, 0.0f, 1.0f);
    mmd_world *world = made_world(made);
    mmd_world_impulse(world, 1, &(mmd_impulse){.linear = {3e38f, 3e38f, 3e38f}});
    for (int i = 0; i < 10; i++)
        mmd_world_step(world);
    assert_all_finite(world);
    mmd_world_place(world, 1, &(uint32_t){0}, &made->bodies[0].rest, NULL);
    for (int i = 0; i < 60; i++)
        mmd_world_step(world);
    assert_true(fabsf(mmd_world_transforms(world)[0].translation[1] + 49.8f) < 0.1f);
    made_destroy(made, world);
}

static void nothing_at_all(void **state)
{
    (void)state;
    mmd_phys_world settings = mmd_default_phys_world();
    for (int backend = MMD_PHYSICS_NULL; backend <= MMD_PHYSICS_BULLET; backend++) {
        mmd_world *world;
        uint8_t bytes[4096];
        assert_int_equal(mmd_world_create((mmd_physics_backend)backend, &settings, NULL, 0, &world, NULL),
                         MMD_OK);
        mmd_world_step(world);
        assert_true(mmd_world_state_size(world) < sizeof bytes);
        mmd_world_save(world, bytes);
        mmd_world_restore(world, bytes);
        mmd_world_set_ground(world, false);
        mmd_world_step(world);
        assert_int_equal(mmd_world_contacts(world, NULL, 0), 0);
        mmd_world_destroy(world);
    }
    mmd_world_destroy(NULL);
}

/* A body with hundreds of shapes, and a kinematic body that moves through them. */
static void many_shapes(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made->settings.ground = true;
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 3.0f, 0.0f, 1.0f)->auto_center = true;
    for (int i = 0; i < 300; i++)
        made_shape(made, (mmd_phys_shape_kind)(i % 4), cube, (float)(i % 17), (float)(i % 5),
                   (float)(i / 17));
    made_body(made, MMD_PHYS_STATIC, MMD_PHYS_BOX, slab, 0.0f, -2.0f, 0.0f, 0.0f);
    survive(made, made_world(made), 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_of_nothing_and_a_million),
        cmocka_unit_test(sizes_of_nothing),
        cmocka_unit_test(sizes_without_end),
        cmocka_unit_test(many_bodies_of_one_large_hull),
        cmocka_unit_test(a_chain_of_a_thousand),
        cmocka_unit_test(everything_at_one_place),
        cmocka_unit_test(limits_reversed_and_huge),
        cmocka_unit_test(far_away_and_fast),
        cmocka_unit_test(led_by_leaps),
        cmocka_unit_test(impulses_without_end),
        cmocka_unit_test(what_was_lost_can_be_placed),
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(many_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
