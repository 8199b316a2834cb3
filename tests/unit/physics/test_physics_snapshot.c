/* States of worlds: a restored world continues bit for bit like the saved one, whatever it did before. */
#include "made_scene.h"
#include "support.h"

enum { PLAYED = 600, REBUILD = 120, BRANCH = 360 };

/* --------------------------------------------------- a scene of everything */

static const float ball[3] = {0.5f, 0.0f, 0.0f};
static const float brick[3] = {0.6f, 0.4f, 0.5f};
static const float stick[3] = {0.3f, 1.0f, 0.3f};
static const float slab[3] = {4.0f, 0.5f, 4.0f};
static const float room[3] = {3.0f, 3.0f, 3.0f};

/* Adds chains of five that hang from a kinematic body, with limits and springs, and touch each other. */
static void add_chains(made_scene *made)
{
    made_body(made, MMD_PHYS_KINEMATIC, MMD_PHYS_BOX, slab, 0.0f, 20.0f, 0.0f, 0.0f);
    for (int chain = 0; chain < 6; chain++) {
        int32_t above = 0;
        for (int link = 0; link < 5; link++) {
            int32_t number = (int32_t)made->scene.body_count;
            float x = 0.8f * (float)chain - 2.0f, y = 18.0f - 2.0f * (float)link;
            mmd_phys_body *body =
                made_body(made, MMD_PHYS_DYNAMIC, link % 2 ? MMD_PHYS_BOX : MMD_PHYS_CAPSULE,
                          link % 2 ? brick : stick, x, y, 0.0f, 1.0f / (float)(link + 1));
            body->linear_damping = 0.2f;
            body->angular_damping = 0.5f;
            mmd_phys_joint *joint = made_joint(made, MMD_JOINT_PMX_SPRING, above, number, x, y + 1.0f, 0.0f);
            for (int k = 0; k < 3; k++) {
                joint->pmx.angular_lower[k] = -0.5f;
                joint->pmx.angular_upper[k] = 0.4f;
                joint->pmx.angular_spring[k] = 5.0f * (float)link;
            }
            above = number;
        }
    }
}

/* Adds a heap of bricks on the ground, with a joint of each other kind, and bodies that may sleep. */
static void add_heap(made_scene *made)
{
    static const mmd_phys_joint_kind kinds[5] = {MMD_JOINT_PMX_6DOF, MMD_JOINT_PMX_POINT,
                                                 MMD_JOINT_PMX_CONE_TWIST, MMD_JOINT_PMX_SLIDER,
                                                 MMD_JOINT_PMX_HINGE};
    for (int i = 0; i < 10; i++) {
        int32_t number = (int32_t)made->scene.body_count;
        mmd_phys_body *body =
            made_body(made, i % 3 ? MMD_PHYS_DYNAMIC : MMD_PHYS_DYNAMIC_BONE, MMD_PHYS_BOX, brick,
                      0.3f * (float)i, 1.0f + 0.9f * (float)i, 0.2f * (float)(i % 3), 1.0f);
        body->can_sleep = i > 6;
        body->auto_center = i == 4;
        if (i == 4)
            made_shape(made, MMD_PHYS_SPHERE, ball, 0.5f, 0.5f, 0.0f);
        if (i % 2 == 0)
            continue;
        mmd_phys_joint *joint =
            made_joint(made, kinds[i / 2], number - 1, number, 0.3f * (float)i, 1.0f + 0.9f * (float)i, 0.0f);
        joint->pmx.angular_lower[0] = -0.6f;
        joint->pmx.angular_upper[0] = 0.6f;
        joint->pmx.angular_lower[1] = joint->pmx.angular_lower[2] = 0.5f;
        joint->pmx.linear_spring[0] = joint->pmx.linear_spring[2] = 1.0f;
        joint->pmx.linear_spring[1] = 0.3f;
    }
    made_body(made, MMD_PHYS_STATIC, MMD_PHYS_BOX, room, 0.0f, 3.0f, 0.0f, 0.0f);
    made->shapes[made->scene.shape_count - 1].trigger = true;
}

static made_scene *scene_of_everything(mmd_damping_policy damping, bool exact)
{
    made_scene *made = made_scene_create();
    made->settings.ground = true;
    made->settings.damping = (uint8_t)damping;
    made->settings.exact_restitution = exact;
    add_chains(made);
    add_heap(made);
    return made;
}

/* Sets targets and forces before step k, as a function of k only. */
static void lead(made_scene *made, mmd_world *world, int k)
{
    static mmd_transform targets[MADE_BODIES];
    uint8_t held[MADE_BODIES] = {0};
    for (uint32_t b = 0; b < made->scene.body_count; b++)
        targets[b] = made->bodies[b].rest;
    float t = 0.05f * (float)k;
    targets[0].translation[0] = 5.0f * sinf(t);
    targets[0].translation[1] = 20.0f + cosf(1.7f * t);
    targets[0].rotation[1] = sinf(0.3f * sinf(t));
    targets[0].rotation[3] = cosf(0.3f * sinf(t));
    for (int b = 3; b < 6; b++) {
        held[b] = k / 50 % 3 == 1;
        targets[b].translation[0] += 5.0f * sinf(t);
    }
    mmd_world_set_held(world, held);
    mmd_world_set_targets(world, targets);
    if (k % 77 == 0)
        mmd_world_impulse(
            world, 1,
            &(mmd_impulse){.body = made->scene.body_count > 35 ? 35 : 4, .linear = {3.0f, 9.0f, 1.0f}});
    if (k == 200)
        mmd_world_set_gravity(world, (float[3]){10.0f, -90.0f, 0.0f});
    if (k % 150 == 10)
        mmd_world_correct(world, 1, &(uint32_t){made->scene.body_count > 33 ? 33 : 2},
                          &(const float[4]){0.0f, 4.0f, 0.0f, 0.0f});
}

/* Plays steps, and at intervals rebuilds the world from its own state, as during playback. */
static void play(made_scene *made, mmd_world *world, int first, int last, void *state)
{
    for (int k = first + 1; k <= last; k++) {
        lead(made, world, k);
        mmd_world_step(world);
        if (k % REBUILD == 0) {
            mmd_world_save(world, state);
            mmd_world_restore(world, state);
        }
    }
}

static void assert_same(made_scene *made, const mmd_world *a, const mmd_world *b)
{
    size_t count = made->scene.body_count, size = mmd_world_state_size(a);
    assert_memory_equal(mmd_world_transforms(a), mmd_world_transforms(b), count * sizeof(mmd_transform));
    assert_memory_equal(mmd_world_velocities(a), mmd_world_velocities(b), count * sizeof(mmd_velocity));
    uint8_t *state_a = malloc(size), *state_b = malloc(size);
    mmd_world_save(a, state_a);
    mmd_world_save(b, state_b);
    assert_memory_equal(state_a, state_b, size);
    free(state_a);
    free(state_b);
}

/*
 * World A plays all steps. World B takes A's state in the middle, after `history` different steps of its own.
 */
static void branch(mmd_damping_policy damping, bool exact, int history)
{
    made_scene *made = scene_of_everything(damping, exact);
    mmd_world *a = made_world(made), *b = made_world(made);
    size_t size = mmd_world_state_size(a);
    assert_int_equal(size, mmd_world_state_size(b));
    uint8_t *scratch = malloc(size), *middle = malloc(size);
    play(made, a, 0, BRANCH, scratch);
    mmd_world_save(a, middle);
    play(made, a, BRANCH, PLAYED, scratch);
    for (int k = 0; k < history; k++) {
        lead(made, b, 3 * k + 17);
        if (k == 40)
            mmd_world_set_ground(b, false);
        mmd_world_step(b);
    }
    mmd_world_restore(b, middle);
    play(made, b, BRANCH, PLAYED, scratch);
    assert_same(made, a, b);
    free(scratch);
    free(middle);
    mmd_world_destroy(b);
    made_destroy(made, a);
}

static void restored_worlds_go_on_alike(void **state)
{
    (void)state;
    for (int history = 0; history <= 250; history += 125) {
        branch(MMD_DAMPING_ADDITIONAL, false, history);
        branch(MMD_DAMPING_PLAIN, true, history);
    }
}

/* Also without rebuilding: equal worlds stay equal, whatever else exists. */
static void equal_worlds_stay_equal(void **state)
{
    (void)state;
    made_scene *made = scene_of_everything(MMD_DAMPING_ADDITIONAL, false);
    mmd_world *a = made_world(made), *b = made_world(made);
    for (int k = 1; k <= 300; k++) {
        lead(made, a, k);
        mmd_world_step(a);
    }
    for (int k = 1; k <= 300; k++) {
        lead(made, b, k);
        mmd_world_step(b);
    }
    assert_same(made, a, b);
    mmd_world_destroy(b);
    made_destroy(made, a);
}

/* Restoring has no visible effect, and saving again gives the same bytes. */
static void states_are_whole(void **state)
{
    (void)state;
    made_scene *made = scene_of_everything(MMD_DAMPING_ADDITIONAL, false);
    mmd_world *a = made_world(made), *b = made_world(made);
    size_t size = mmd_world_state_size(a);
    uint8_t *bytes = malloc(size);
    play(made, a, 0, 170, bytes);
    mmd_world_save(a, bytes);
    mmd_world_restore(b, bytes);
    assert_same(made, a, b);
    mmd_trigger_event events[8]; /* entering events happened before */
    assert_int_equal(mmd_world_trigger_events(b, events, 8), 0);
    free(bytes);
    mmd_world_destroy(b);
    made_destroy(made, a);
}

/* From the first step on, including rebuilds. */
static void steps_allocate_nothing(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made->settings.ground = true;
    add_chains(made);
    mmd_world *world = made_world(made);
    uint8_t *bytes = malloc(mmd_world_state_size(world));
    mmd_contact contacts[64];
    uint64_t before = mmd_heap_allocations();
    play(made, world, 0, 10 * REBUILD, bytes);
    mmd_world_contacts(world, contacts, 64);
    mmd_world_save(world, bytes);
    assert_int_equal(mmd_heap_allocations(), before);
    free(bytes);
    made_destroy(made, world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restored_worlds_go_on_alike),
        cmocka_unit_test(equal_worlds_stay_equal),
        cmocka_unit_test(states_are_whole),
        cmocka_unit_test(steps_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
