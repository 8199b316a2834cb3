/*
 * Compares the solver of contacts and joints, which takes rows by level (row_solver.hpp), with Bullet's own
 * loop, which takes them one by one: two worlds with the same inputs must have the same transforms,
 * velocities and saved states after every step, bit for bit.
 */
#include "engine/physics/backend.h"

#include "dance/dance.h"
#include "dancer.h"
#include "every_joint.h"
#include "made_scene.h"
#include "mmd/exchange.h"
#include "mmd/format.h"
#include "sim_scene.h"
#include "support.h"

/* ------------------------------------------------------------------ two worlds */

typedef struct both {
    mmd_world *by_level, *one_by_one;
    uint64_t steps;
    const char *name;
} both;

static both both_of(const mmd_physscene *scene, const mmd_phys_world *settings, const char *name)
{
    both b = {.name = name};
    assert_int_equal(mmd_world_create(MMD_PHYSICS_BULLET, settings, &scene, 1, &b.by_level, NULL), MMD_OK);
    assert_int_equal(mmd_world_create(MMD_PHYSICS_BULLET, settings, &scene, 1, &b.one_by_one, NULL), MMD_OK);
    b.one_by_one->bullets_loop = true;
    return b;
}

static void step_both(both *b)
{
    mmd_world_step(b->by_level);
    mmd_world_step(b->one_by_one);
    b->steps++;
    for (uint32_t i = 0; i < mmd_world_body_count(b->by_level); i++)
        if (memcmp(&mmd_world_transforms(b->by_level)[i], &mmd_world_transforms(b->one_by_one)[i],
                   sizeof(mmd_transform)) != 0 ||
            memcmp(&mmd_world_velocities(b->by_level)[i], &mmd_world_velocities(b->one_by_one)[i],
                   sizeof(mmd_velocity)) != 0)
            fail_msg("%s, step %u: body %u differs", b->name, (unsigned)b->steps, (unsigned)i);
}

/* Tests whether two states are the same, except for the sign of numbers that are none, which is the
 * compiler's choice: worlds that explode have contacts with such numbers. Numbers in a state are not aligned.
 */
static bool same_state(const uint8_t *a, const uint8_t *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        float x = 0.0f, y = 0.0f;
        if (a[i] == b[i])
            continue;
        if (i >= 3) {
            memcpy(&x, a + i - 3, sizeof x);
            memcpy(&y, b + i - 3, sizeof y);
        }
        if (!isnan(x) || !isnan(y))
            return false;
    }
    return true;
}

/* Compares the saved states, which include contacts with their impulses, and returns in how many groups of
 * rows the first world worked by level. */
static uint64_t finish_both(both *b)
{
    size_t size = mmd_world_state_size(b->by_level);
    assert_int_equal(size, mmd_world_state_size(b->one_by_one));
    uint8_t *states = malloc(2 * size);
    assert_non_null(states);
    mmd_world_save(b->by_level, states);
    mmd_world_save(b->one_by_one, states + size);
    if (!same_state(states, states + size, size))
        fail_msg("%s: the states differ", b->name);
    free(states);
    uint64_t groups = b->by_level->groups_by_level;
    assert_int_equal(b->one_by_one->groups_by_level, 0);
    mmd_world_destroy(b->by_level);
    mmd_world_destroy(b->one_by_one);
    return groups;
}

/* ---------------------------------------------------------------------- models */

/* Lets both worlds follow a model's motion (NULL: none). */
static void dance_both(const mmd_model *model, const mmd_motion *motion, uint32_t steps, const char *name)
{
    mmd_error error = {.message = ""};
    mmd_physics_options options = sim_scene_options();
    mmd_stage *stage = mmd_stage_create();
    mmd_actor *actor = mmd_actor_create(model);
    assert_true(stage && actor);
    if (motion)
        assert_int_equal(mmd_actor_add_motion(actor, motion, &error), MMD_OK);
    assert_int_equal(mmd_stage_add_actor(stage, actor, &error), MMD_OK);
    assert_int_equal(mmd_stage_set_physics(stage, &options, &error), MMD_OK);
    mmd_stage_set_frame(stage, 0.0);
    mmd_physscene scene = *mmd_stage_physscene(stage, 0);
    mmd_phys_body *bodies = malloc(scene.body_count * sizeof *bodies);
    assert_non_null(bodies);
    for (uint32_t i = 0; i < scene.body_count; i++) {
        bodies[i] = scene.bodies[i];
        bodies[i].rest = mmd_stage_bodies(stage, 0)[i];
    }
    scene.bodies = bodies;
    mmd_phys_world settings = mmd_default_phys_world();
    both b = both_of(&scene, &settings, name);
    for (uint32_t step = 1; step <= steps; step++) {
        mmd_stage_set_frame(stage, 30.0 * step / settings.rate);
        mmd_world_set_targets(b.by_level, mmd_stage_bodies(stage, 0));
        mmd_world_set_targets(b.one_by_one, mmd_stage_bodies(stage, 0));
        step_both(&b);
    }
    assert_int_equal(finish_both(&b), steps);
    free(bodies);
    mmd_stage_destroy(stage);
    mmd_actor_destroy(actor);
}

static void the_dancer(void **state)
{
    (void)state;
    dancer d;
    mmd_model made, *model;
    mmd_motion *dance;
    mmd_buffer pmx = {0}, vmd = {0};
    dancer_make(&d);
    dancer_model(&d, &made);
    assert_int_equal(mmd_pmx_write(&made, &pmx, NULL), MMD_OK);
    assert_int_equal(mmd_pmx_read(pmx.data, pmx.size, &model, NULL), MMD_OK);
    dance_make(&vmd);
    assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &dance, NULL), MMD_OK);
    dance_both(model, dance, 1200, "dancer");
    mmd_motion_destroy(dance);
    mmd_model_destroy(model);
    mmd_buffer_finish(&pmx);
    mmd_buffer_finish(&vmd);
    dancer_finish(&d);
}

static void every_kind_of_joint(void **state)
{
    (void)state;
    mmd_model model;
    every_joint_make(&model);
    dance_both(&model, NULL, 900, "every joint");
    every_joint_finish(&model);
}

static void models_of_the_wild(void **state)
{
    (void)state;
    static const char *const names[] = {"miku/初音ミク.pmx", "tda/Tda式初音ミク_デフォ服ver.pmx",
                                        "tumi/ミクさん.pmx", "alicia/Alicia_solid.pmx", "ganyu/甘雨.pmx"};
    REQUIRE_SHARED();
    mmd_bytes vmd = shared_read("data/motions/wavefile.vmd");
    mmd_motion *motion;
    assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &motion, NULL), MMD_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        snprintf(path, sizeof path, "data/models/%s", names[i]);
        mmd_bytes pmx = shared_read(path);
        mmd_model *model;
        assert_int_equal(mmd_pmx_read(pmx.data, pmx.size, &model, NULL), MMD_OK);
        dance_both(model, motion, 400, names[i]);
        mmd_model_destroy(model);
        mmd_bytes_finish(&pmx);
    }
    mmd_motion_destroy(motion);
    mmd_bytes_finish(&vmd);
}

/* ------------------------------------------------------------ scenes of files */

/* Runs a scene of tests/scenes and returns the number of groups that were solved by level. */
static uint64_t run_file(const char *name, uint32_t steps)
{
    char path[1024];
    mmd_bytes bytes;
    mmd_exchange *document;
    snprintf(path, sizeof path, "%s/tests/scenes/%s", ODORI_SOURCE, name);
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
    assert_int_equal(mmd_exchange_read(bytes.data, bytes.size, NULL, "", &document, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    both b = both_of(document->physscene, &document->physscene->world, name);
    for (uint32_t i = 0; i < steps; i++)
        step_both(&b);
    uint64_t groups = finish_both(&b);
    mmd_exchange_destroy(document);
    return groups;
}

/* Joints of limits and drives solve themselves, which only Bullet's loop does. */
static void joints_that_solve_themselves(void **state)
{
    (void)state;
    assert_int_equal(run_file("robot.gltf", 600), 0);
    assert_int_equal(run_file("water_wheel.gltf", 300), 0);
}

/* --------------------------------------------------------------- random worlds */

static uint32_t random_state;

static uint32_t below(uint32_t end)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state % end;
}

static float between(float low, float high)
{
    return low + (high - low) * (float)below(10001) / 10000.0f;
}

static void random_vector(float low, float high, float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = between(low, high);
}

static void random_rotation(float out[4])
{
    float length = 0.0f;
    for (int k = 0; k < 4; k++) {
        out[k] = between(-1.0f, 1.0f);
        length += out[k] * out[k];
    }
    length = sqrtf(length);
    for (int k = 0; k < 4; k++)
        out[k] = length > 0.01f ? out[k] / length : k == 3;
}

static mmd_phys_motion random_motion(void)
{
    static const mmd_phys_motion motions[8] = {MMD_PHYS_DYNAMIC,   MMD_PHYS_DYNAMIC, MMD_PHYS_DYNAMIC,
                                               MMD_PHYS_DYNAMIC,   MMD_PHYS_DYNAMIC, MMD_PHYS_DYNAMIC_BONE,
                                               MMD_PHYS_KINEMATIC, MMD_PHYS_STATIC};
    return motions[below(8)];
}

static void add_random_body(made_scene *made, bool may_sleep)
{
    static const mmd_phys_shape_kind kinds[3] = {MMD_PHYS_SPHERE, MMD_PHYS_BOX, MMD_PHYS_CAPSULE};
    static const float masses[8] = {0.001f, 0.05f, 0.3f, 1.0f, 1.0f, 2.0f, 50.0f, 1000.0f};
    float size[3], at[3];
    mmd_phys_motion motion = random_motion();
    mmd_phys_shape_kind kind = kinds[below(3)];
    random_vector(0.2f, 0.9f, size);
    random_vector(-3.0f, 3.0f, at);
    mmd_phys_body *body = made_body(made, motion, kind, size, at[0], at[1] + 4.0f, at[2], masses[below(8)]);
    random_rotation(body->rest.rotation);
    body->linear_damping = between(0.0f, 0.9f);
    body->angular_damping = between(0.0f, 0.9f);
    body->can_sleep = may_sleep && below(2);
    if (below(6) == 0)
        random_vector(-0.3f, 0.3f, body->center);
    if (below(10) == 0)
        body->mass = 0.0f;
    made_first_shape(made, body)->material = (int32_t)below(made->scene.material_count);
}

static void random_limits(float most, float lower[3], float upper[3])
{
    for (int k = 0; k < 3; k++) {
        uint32_t kind = below(4);
        lower[k] = kind ? -between(0.0f, most) : 0.0f;
        upper[k] = kind ? between(0.0f, most) : 0.0f;
        if (kind == 3)
            lower[k] = 1.0f, upper[k] = -1.0f; /* free */
    }
}

/* Adds a joint between two bodies; chains make many of them, with levels as long as the chain. */
static void add_random_joint(made_scene *made, int32_t a, int32_t b)
{
    const float *p = made->bodies[a].rest.translation;
    mmd_phys_joint *joint =
        made_joint(made, (mmd_phys_joint_kind)below(6), a, b, p[0] + between(-1.0f, 1.0f), p[1], p[2]);
    joint->collide = below(2);
    random_limits(0.5f, joint->pmx.linear_lower, joint->pmx.linear_upper);
    random_limits(1.5f, joint->pmx.angular_lower, joint->pmx.angular_upper);
    for (int k = 0; k < 3; k++) {
        joint->pmx.linear_spring[k] = below(2) ? between(0.0f, 200.0f) : 0.0f;
        joint->pmx.angular_spring[k] = below(2) ? between(0.0f, 50.0f) : 0.0f;
    }
}

static made_scene *random_scene(uint32_t number)
{
    static const uint32_t iterations[5] = {1, 3, 10, 10, 40};
    made_scene *made = made_scene_create();
    random_state = 2463534242u + 7919u * number;
    made->settings.ground = number % 3 != 0;
    made->settings.exact_restitution = number % 5 == 4;
    made->settings.damping = (uint8_t)(number % 2 ? MMD_DAMPING_ADDITIONAL : MMD_DAMPING_PLAIN);
    made->settings.joint_lever = (uint8_t)(number % 7 == 6 ? MMD_LEVER_STOCK : MMD_LEVER_OWN);
    made->settings.iterations = iterations[below(5)];
    for (made->scene.material_count = 1; made->scene.material_count < 4; made->scene.material_count++) {
        mmd_phys_material *material = &made->materials[made->scene.material_count];
        *material = made->materials[0];
        material->static_friction = between(0.0f, 1.5f);
        material->dynamic_friction = number % 4 ? material->static_friction : between(0.0f, 1.0f);
        material->restitution = below(2) ? between(0.0f, 1.0f) : 0.0f;
    }
    uint32_t count = 2 + below(60), before = 0;
    for (uint32_t i = 0; i < count; i++)
        add_random_body(made, number % 3 == 1);
    for (uint32_t i = 1; i < count; i++) {
        uint32_t other = below(3) ? before : below(i); /* a chain, or a tree */
        if (below(4))
            add_random_joint(made, (int32_t)other, (int32_t)i);
        before = i;
    }
    for (uint32_t i = below(count); i > 0; i--) { /* loops */
        uint32_t a = below(count), b = below(count);
        if (a != b)
            add_random_joint(made, (int32_t)a, (int32_t)b);
    }
    return made;
}

/* Moves driven bodies, and now and then holds or releases bodies, pushes one, or moves one by hand. */
static void disturb(const made_scene *made, both *b, uint32_t step)
{
    mmd_world *const worlds[2] = {b->by_level, b->one_by_one};
    static mmd_transform targets[MADE_BODIES];
    static uint8_t held[MADE_BODIES];
    uint32_t count = made->scene.body_count, one = below(count);
    for (uint32_t i = 0; i < count; i++) {
        targets[i] = mmd_world_transforms(b->by_level)[i];
        targets[i].translation[0] += between(-0.1f, 0.1f);
        targets[i].translation[1] += between(-0.1f, 0.1f);
        if (step == 0)
            held[i] = false;
        if (step % 20 == 19 && below(6) == 0)
            held[i] = !held[i];
    }
    mmd_impulse impulse = {.body = one, .linear = {between(-5.0f, 5.0f), between(0.0f, 9.0f), 0.0f}};
    for (int w = 0; w < 2; w++) {
        mmd_world_set_held(worlds[w], held);
        mmd_world_set_targets(worlds[w], targets);
        if (step % 37 == 36)
            mmd_world_impulse(worlds[w], 1, &impulse);
        if (step % 61 == 60)
            mmd_world_place(worlds[w], 1, &one, &made->bodies[one].rest, NULL);
        if (step == 150)
            mmd_world_set_gravity(worlds[w], (float[3]){20.0f, -60.0f, 5.0f});
    }
}

static void random_worlds(void **state)
{
    (void)state;
    enum { WORLDS = 60, STEPS = 240 };
    uint64_t groups = 0;
    for (uint32_t number = 0; number < WORLDS; number++) {
        char name[32];
        snprintf(name, sizeof name, "world %u", (unsigned)number);
        made_scene *made = random_scene(number);
        mmd_error error = {.message = ""};
        if (mmd_physscene_check(&made->scene, &error) != MMD_OK)
            fail_msg("%s: %s: %s", name, error.section, error.message);
        both b = both_of(&made->scene, &made->settings, name);
        for (uint32_t step = 0; step < STEPS; step++) {
            disturb(made, &b, step);
            step_both(&b);
        }
        groups += finish_both(&b);
        made_destroy(made, NULL);
    }
    assert_in_range(groups, WORLDS * STEPS / 2, UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dancer),         cmocka_unit_test(every_kind_of_joint),
        cmocka_unit_test(models_of_the_wild), cmocka_unit_test(joints_that_solve_themselves),
        cmocka_unit_test(random_worlds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
