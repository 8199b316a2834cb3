/*
 * Bodies beside those of MMD 9.31: positions of bones that it computed for models made for this purpose,
 * after some of its steps of 1/60 s (docs/mmd.md 5). None of these cases is chaotic, so that all agree to
 * rounding.
 */
#include <math.h>
#include <string.h>

#include "made_scene.h"
#include "support.h"

#include "mmd/model.h"

typedef struct mmd_place {
    int steps;
    float position[3];
} mmd_place;

/* Steps to the places that MMD computed, and compares a point of a body. */
static void expect_places(mmd_world *world, uint32_t body, const float point[3], const mmd_place *places,
                          size_t count, double limit)
{
    int done = 0;
    for (size_t i = 0; i < count; i++) {
        for (; done < places[i].steps; done++)
            mmd_world_step(world);
        float at[3];
        mmd_transform_point(&mmd_world_transforms(world)[body], point, at);
        for (int k = 0; k < 3; k++)
            if (!(fabs((double)at[k] - (double)places[i].position[k]) <= limit))
                fail_msg("after %d steps %g, %g, %g; MMD has %g, %g, %g", done, (double)at[0], (double)at[1],
                         (double)at[2], (double)places[i].position[0], (double)places[i].position[1],
                         (double)places[i].position[2]);
    }
}

/* Three capsules hang on a kinematic body that is turned by a quarter: they start level, and swing down. */
static void a_chain_swings_down(void **state)
{
    (void)state;
    enum { LINKS = 3 };
    mmd_rigid_body bodies[1 + LINKS] = {
        {.name = "", .name_en = "", .bone = 0, .size = {0.3f, 0.3f, 0.3f}, .position = {0, 60, 0}}};
    mmd_joint joints[LINKS];
    memset(joints, 0, sizeof joints);
    for (int i = 0; i < LINKS; i++) {
        bodies[1 + i] = (mmd_rigid_body){.name = "",
                                         .name_en = "",
                                         .bone = -1,
                                         .shape = 2,
                                         .size = {0.3f, 1.0f, 0},
                                         .position = {0, 59.25f - 1.5f * (float)i, 0},
                                         .mass = 1,
                                         .linear_damping = 0.5f,
                                         .angular_damping = 0.9f,
                                         .friction = 0.5f,
                                         .mode = 1};
        joints[i].name = joints[i].name_en = "";
        joints[i].body_a = i;
        joints[i].body_b = i + 1;
        joints[i].position[1] = 60.0f - 1.5f * (float)i;
        for (int k = 0; k < 3; k++) {
            joints[i].angular_lower[k] = -0.6f;
            joints[i].angular_upper[k] = 0.6f;
            joints[i].angular_spring[k] = 20.0f;
        }
    }
    const mmd_model model = {
        .name = "m", .body_count = 1 + LINKS, .bodies = bodies, .joint_count = LINKS, .joints = joints};
    mmd_physscene scene;
    mmd_phys_world settings = mmd_default_phys_world();
    mmd_world *world;
    assert_int_equal(mmd_model_physscene(&model, &scene, NULL), MMD_OK);
    const mmd_physscene *only = &scene;
    assert_int_equal(mmd_world_create(MMD_PHYSICS_BULLET, &settings, &only, 1, &world, NULL), MMD_OK);
    const float quarter = sqrtf(0.5f);
    const uint32_t all[1 + LINKS] = {0, 1, 2, 3};
    mmd_transform places[1 + LINKS];
    for (int i = 0; i <= LINKS; i++)
        places[i] = (mmd_transform){.rotation = {0, 0, quarter, quarter},
                                    .translation = {i ? 4.25f + 1.5f * (float)i : 5.0f, 63, 2}};
    mmd_world_place(world, 1 + LINKS, all, places, NULL);
    mmd_world_set_targets(world, places);
    static const mmd_place last[] = {{2, {8.0000f, 62.9196f, 2.0000f}},
                                     {10, {7.5735f, 61.4436f, 2.0000f}},
                                     {20, {6.2033f, 60.4579f, 2.0000f}},
                                     {40, {6.7885f, 60.7251f, 2.0000f}},
                                     {80, {6.7073f, 60.6833f, 2.0000f}}};
    expect_places(world, LINKS, (const float[3]){0, 0.75f, 0}, last, sizeof last / sizeof *last, 1e-3);
    mmd_world_destroy(world);
    mmd_physscene_destroy(&scene);
}

/* Drops a body on the ground and compares its centre. */
static void drop(const mmd_rigid_body *body, const mmd_place *places, size_t count, double limit)
{
    mmd_rigid_body own = *body;
    own.name = own.name_en = "";
    own.bone = -1;
    own.mode = 1;
    const mmd_model model = {.name = "m", .body_count = 1, .bodies = &own};
    mmd_physscene scene;
    mmd_phys_world settings = mmd_default_phys_world();
    mmd_world *world;
    assert_int_equal(mmd_model_physscene(&model, &scene, NULL), MMD_OK);
    const mmd_physscene *only = &scene;
    assert_int_equal(mmd_world_create(MMD_PHYSICS_BULLET, &settings, &only, 1, &world, NULL), MMD_OK);
    expect_places(world, 0, (const float[3]){0, 0, 0}, places, count, limit);
    mmd_world_destroy(world);
    mmd_physscene_destroy(&scene);
}

static void bodies_meet_the_ground(void **state)
{
    (void)state;
    const mmd_rigid_body usual = {
        .mask = 0xffff, .size = {0.5f, 0.5f, 0.5f}, .position = {0, 3, 0}, .mass = 1, .friction = 0.5f};
    mmd_rigid_body body = usual;
    body.position[1] = 5;
    body.restitution = 0.8f; /* the ground's is 0.88 */
    drop(&body, (const mmd_place[]){{20, {0, 1.1080f, 0}}, {60, {0, 2.4646f, 0}}, {100, {0, 1.3319f, 0}}}, 3,
         1e-3);
    body = usual;
    body.size[0] = 0; /* collides like a point */
    drop(&body, (const mmd_place[]){{20, {0, -0.0874f, 0}}, {30, {0, -0.0094f, 0}}}, 2, 1e-3);
    body = usual;
    body.shape = 1; /* a box has one contact in a step and falls over */
    body.size[1] = 0.4f;
    body.size[2] = 0.7f;
    drop(&body, (const mmd_place[]){{20, {0.1001f, -0.0976f, 0.2516f}}, {60, {0.5604f, 0.1945f, 0.9750f}}}, 2,
         1e-3);
    body = usual;
    body.shape = 2; /* where a capsule meets the ground depends on the box around it */
    body.size[0] = 0.4f;
    body.size[1] = 1.2f;
    body.position[1] = 4;
    memcpy(body.rotation, (const float[3]){0.3f, 0.2f, 1.0f}, sizeof body.rotation);
    drop(&body, (const mmd_place[]){{20, {-0.3644f, 0.3266f, -0.0129f}}, {60, {-0.8080f, 0.3993f, -0.1878f}}},
         2, 1e-3);
    body = usual;
    body.mask = 0x7fff; /* the ground is in group 15 */
    drop(&body, (const mmd_place[]){{20, {0, -2.7167f, 0}}, {60, {0, -46.8167f, 0}}}, 2, 1e-3);
    body.mask = 0x8000;
    body.group = 15; /* and meets its own group */
    drop(&body, (const mmd_place[]){{20, {0, 0.4061f, 0}}, {60, {0, 0.5f, 0}}}, 2, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_swings_down),
        cmocka_unit_test(bodies_meet_the_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
