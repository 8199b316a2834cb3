/* Tests poses and physics of many actors on several threads: the results are those of one thread, bit for
 * bit, and each actor's are those that it has alone. No frame allocates memory. */
#include "hair_model.h"
#include "support.h"

#include "mmd/memory.h"
#include "mmd/simulation.h"

enum { ACTORS = 10, FRAMES = 90 };

typedef struct crowd {
    hair_model *hair;
    hair_motion *sway;
    mmd_stage *stage;
    mmd_actor *actors[ACTORS];
    size_t count;
} crowd;

static void make(crowd *c, size_t count, uint32_t threads, bool physics)
{
    mmd_error error = {0};
    *c = (crowd){.hair = mmd_alloc(sizeof *c->hair), .sway = mmd_alloc(sizeof *c->sway), .count = count};
    assert_true(c->hair && c->sway);
    hair_model_make(c->hair);
    hair_motion_make(c->sway, 900);
    c->stage = mmd_stage_create();
    assert_non_null(c->stage);
    mmd_stage_set_threads(c->stage, threads ? threads - 1 : 0);
    for (size_t i = 0; i < count; i++) {
        c->actors[i] = mmd_actor_create(&c->hair->model);
        assert_non_null(c->actors[i]);
        assert_int_equal(mmd_actor_add_motion(c->actors[i], &c->sway->motion, &error), MMD_OK);
        mmd_actor_set_delay(c->actors[i], 3.0 * (double)i);
        assert_int_equal(mmd_stage_add_actor(c->stage, c->actors[i], &error), MMD_OK);
    }
    if (!physics)
        return;
    mmd_physics_options options = mmd_default_physics_options();
    options.shared_world = false;
    options.threads = threads;
    options.run_ahead = threads > 1;
    assert_int_equal(mmd_stage_set_physics(c->stage, &options, &error), MMD_OK);
}

static void finish(crowd *c)
{
    mmd_stage_destroy(c->stage);
    for (size_t i = 0; i < c->count; i++)
        mmd_actor_destroy(c->actors[i]);
    hair_model_finish(c->hair);
    mmd_free(c->hair);
    mmd_free(c->sway);
}

static void play(crowd *c)
{
    for (int frame = 0; frame < FRAMES; frame++)
        mmd_stage_set_frame(c->stage, frame);
    mmd_stage_settle(c->stage);
}

static void read_bones(const crowd *c, size_t actor, mmd_transform bones[HAIR_BONES])
{
    memcpy(bones, mmd_pose_world(mmd_actor_pose(c->actors[actor])), HAIR_BONES * sizeof *bones);
}

static void assert_threads_change_nothing(bool physics)
{
    static mmd_transform one[ACTORS][HAIR_BONES];
    const uint32_t threads[] = {0, 1, 2, 4};
    for (int i = 0; i < 4; i++) {
        crowd c;
        make(&c, ACTORS, threads[i], physics);
        play(&c);
        for (size_t a = 0; a < ACTORS; a++) {
            mmd_transform bones[HAIR_BONES];
            read_bones(&c, a, bones);
            if (i == 0)
                memcpy(one[a], bones, sizeof bones);
            assert_memory_equal(bones, one[a], sizeof bones);
        }
        finish(&c);
    }
    crowd alone;
    make(&alone, 1, 1, physics);
    for (size_t a = 0; a < ACTORS; a += 3) {
        mmd_transform bones[HAIR_BONES];
        mmd_actor_set_delay(alone.actors[0], 3.0 * (double)a);
        play(&alone);
        read_bones(&alone, 0, bones);
        assert_memory_equal(bones, one[a], sizeof bones);
    }
    finish(&alone);
}

static void poses_do_not_depend_on_threads(void **state)
{
    (void)state;
    assert_threads_change_nothing(false);
}

static void physics_does_not_depend_on_threads(void **state)
{
    (void)state;
    assert_threads_change_nothing(true);
}

static void frames_allocate_nothing(void **state)
{
    (void)state;
    crowd c;
    make(&c, ACTORS, 4, true);
    play(&c);
    uint64_t before = mmd_heap_allocations();
    play(&c);
    assert_int_equal(mmd_heap_allocations() - before, 0);
    finish(&c);
}

static void threads_can_be_changed_at_any_time(void **state)
{
    (void)state;
    crowd c;
    mmd_transform before[HAIR_BONES], now[HAIR_BONES];
    make(&c, ACTORS, 0, false);
    mmd_stage_set_frame(c.stage, 50);
    read_bones(&c, 7, before);
    for (uint32_t threads = 0; threads < 4; threads++) {
        mmd_stage_set_threads(c.stage, threads);
        mmd_stage_set_frame(c.stage, 20);
        mmd_stage_set_frame(c.stage, 50);
        read_bones(&c, 7, now);
        assert_memory_equal(now, before, sizeof now);
    }
    finish(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_do_not_depend_on_threads),
        cmocka_unit_test(physics_does_not_depend_on_threads),
        cmocka_unit_test(frames_allocate_nothing),
        cmocka_unit_test(threads_can_be_changed_at_any_time),
    };
    return cmocka_run_group_tests_name("crowd threads", tests, NULL, NULL);
}
