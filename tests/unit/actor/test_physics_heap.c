/* Tests the memory of playback with physics: a whole dance allocates nothing after it was set up, and a world
 * that has to grow beyond its buffers releases what it took. */
#include <unistd.h>

#include "made_scene.h"
#include "mmd/format.h"
#include "mmd/simulation.h"
#include "sim_scene.h"
#include "support.h"

/* ------------------------------------------------------------------ dances */

typedef struct dance {
    mmd_model *model;
    mmd_motion *motion;
} dance;

/* Returns false, and reports a skipped part, if a file is missing. */
static bool dance_read(dance *d, const char *model, const char *motion)
{
    mmd_bytes bytes = {0}, moves = {0};
    *d = (dance){.model = NULL};
    if (access(model, R_OK) != 0 || access(motion, R_OK) != 0) {
        test_skip_part("no %s", model);
        return false;
    }
    assert_int_equal(mmd_file_read(model, &bytes, NULL), MMD_OK);
    assert_int_equal(mmd_file_read(motion, &moves, NULL), MMD_OK);
    assert_int_equal(mmd_model_read(bytes.data, bytes.size, &d->model, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(moves.data, moves.size, &d->motion, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    mmd_bytes_finish(&moves);
    return true;
}

/* Plays every frame in order, then seeks back and forth. */
static void play_all(const sim_scene *scene)
{
    int last = (int)mmd_stage_last_frame(scene->stage);
    for (int frame = 0; frame <= last; frame++)
        mmd_stage_set_frame(scene->stage, frame);
    for (int i = 0; i < 5; i++)
        mmd_stage_set_frame(scene->stage, (i * 7 % 5) * last / 5.0);
    mmd_stage_settle(scene->stage);
}

static void expect_no_allocation(const char *model, const char *motion, bool run_ahead)
{
    dance d;
    sim_scene scene;
    if (!dance_read(&d, model, motion))
        return;
    mmd_physics_options options = sim_scene_options();
    options.run_ahead = run_ahead;
    sim_scene_make(&scene, 1, d.model, (const mmd_motion *const *)&d.motion, &options);
    uint64_t before = mmd_heap_allocations();
    play_all(&scene);
    assert_int_equal(mmd_heap_allocations() - before, 0);
    sim_scene_finish(&scene);
    mmd_model_destroy(d.model);
    mmd_motion_destroy(d.motion);
}

static void a_dance_allocates_nothing(void **state)
{
    (void)state;
    char model[1024], motion[1024];
    for (int run_ahead = 0; run_ahead < 2; run_ahead++) {
        expect_no_allocation(ODORI_BINARY "/dancer/dancer.pmx", ODORI_BINARY "/dancer/dance.vmd", run_ahead);
        expect_no_allocation(ODORI_BINARY "/dancer/dancer21.pmx", ODORI_BINARY "/dancer/dance.vmd",
                             run_ahead);
        expect_no_allocation(shared_path("data/models/miku/初音ミク.pmx", model, sizeof model),
                             shared_path("data/motions/kishimen.vmd", motion, sizeof motion), run_ahead);
    }
}

/* ------------------------------------------------- beyond the buffers */

enum { BALLS = 150, STEPS = 30 };

/* Balls inside each other, so that there are as many contacts as pairs. */
static void crowds_grow_and_give_back(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    for (int i = 0; i < BALLS; i++)
        made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, (const float[3]){1.0f}, 0.001f * (float)i, 1.0f,
                  0.0f, 1.0f);
    mmd_world *world = made_world(made);
    size_t size = mmd_world_state_size(world);
    uint8_t *bytes = malloc(size);
    mmd_world_save(world, bytes);
    uint64_t before = mmd_heap_allocations();
    mmd_world_step(world);
    assert_true(mmd_world_contacts(world, NULL, 0) > BALLS);
    for (int step = 1; step < STEPS; step++)
        mmd_world_step(world);
    uint64_t grown = mmd_heap_allocations();
    assert_in_range(grown - before, 1, 16); /* the growth is counted, and it is small */
    mmd_world_restore(world, bytes);
    for (int step = 0; step < STEPS; step++)
        mmd_world_step(world);
    assert_int_equal(mmd_heap_allocations(), grown); /* the second run needs no more memory */
    free(bytes);
    made_destroy(made, world);
}

/* Steps two worlds alternately: memory released by one is not reused by the other. */
static void worlds_keep_apart(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made->settings.ground = true;
    for (int i = 0; i < 40; i++)
        made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, (const float[3]){0.5f, 0.5f, 0.5f},
                  0.9f * (float)(i % 5), 0.5f + 0.9f * (float)(i / 5), 0.0f, 1.0f);
    mmd_world *a = made_world(made), *b = made_world(made);
    for (int step = 0; step < 2 * STEPS; step++) {
        mmd_world_step(a);
        mmd_world_step(b);
        mmd_world_set_ground(step % 2 ? a : b, step % 4 > 1);
    }
    mmd_world_destroy(a);
    for (int step = 0; step < STEPS; step++)
        mmd_world_step(b);
    made_destroy(made, b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dance_allocates_nothing),
        cmocka_unit_test(crowds_grow_and_give_back),
        cmocka_unit_test(worlds_keep_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
