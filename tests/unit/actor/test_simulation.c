/*
 * Tests that physics on a stage is a function of the frame: played, sought, at any display rate, with any
 * number of threads, with and without running ahead, and with any cache size, every body and bone has the
 * same bits.
 */
#include "support.h"

#include <unistd.h>

#include "hair_model.h"
#include "mmd/format.h"
#include "sim_scene.h"

enum { FRAMES = 601 };

/* Sanitizer builds try one of several rooms and rates. */
#ifdef ODORI_TEST_SLOWLY
enum { FIRST = 1, LAST = 1 };
#else
enum { FIRST = 0, LAST = 2 };
#endif

/* A model and a motion to simulate, and what playing them gave. */
typedef struct subject {
    const char *name;
    hair_model *hair;
    hair_motion *sway;
    mmd_model *loaded;
    mmd_motion *loaded_motion;
    const mmd_model *model;
    const mmd_motion *motion;
    sim_record *played; /* FRAMES of them */
} subject;

enum { SUBJECTS_MAX = 4 };
typedef struct subjects {
    size_t count;
    subject list[SUBJECTS_MAX];
} subjects;

static void add_made(subjects *all)
{
    subject *s = &all->list[all->count++];
    s->name = "hair";
    s->hair = mmd_alloc(sizeof *s->hair);
    s->sway = mmd_alloc(sizeof *s->sway);
    assert_true(s->hair && s->sway);
    hair_model_make(s->hair);
    hair_motion_make(s->sway, 900);
    s->model = &s->hair->model;
    s->motion = &s->sway->motion;
}

/* Adds a subject if both files exist; else reports a skipped part. */
static void add_files(subjects *all, const char *name, const char *model, const char *motion)
{
    mmd_bytes model_bytes = {0}, motion_bytes = {0};
    subject *s = &all->list[all->count];
    if (access(model, R_OK) != 0 || access(motion, R_OK) != 0) {
        test_skip_part("no %s", model);
        return;
    }
    assert_int_equal(mmd_file_read(model, &model_bytes, NULL), MMD_OK);
    assert_int_equal(mmd_file_read(motion, &motion_bytes, NULL), MMD_OK);
    assert_int_equal(mmd_model_read(model_bytes.data, model_bytes.size, &s->loaded, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(motion_bytes.data, motion_bytes.size, &s->loaded_motion, NULL), MMD_OK);
    mmd_bytes_finish(&model_bytes);
    mmd_bytes_finish(&motion_bytes);
    s->name = name;
    s->model = s->loaded;
    s->motion = s->loaded_motion;
    all->count++;
}

static void make_scene(sim_scene *scene, const subject *s, const mmd_physics_options *options)
{
    sim_scene_make(scene, 1, s->model, &s->motion, options);
}

/* Loads all subjects and plays each once from frame 0 to 600. */
static int set_up(void **state)
{
    static const char shared[] = ODORI_SHARED "/data/";
    char model[1024], motion[1024];
    subjects *all = mmd_alloc(sizeof *all);
    assert_non_null(all);
    memset(all, 0, sizeof *all);
    add_made(all);
    /* dancer21 has all that dancer has, and joints and a soft body more. */
    add_files(all, "dancer21", ODORI_BINARY "/dancer/dancer21.pmx", ODORI_BINARY "/dancer/dance.vmd");
    snprintf(model, sizeof model, "%smodels/test_hair_physics.pmx", shared);
    snprintf(motion, sizeof motion, "%smotions/kishimen.vmd", shared);
    add_files(all, "test_hair_physics", model, motion);
    mmd_physics_options options = sim_scene_options();
    for (size_t i = 0; i < all->count; i++) {
        sim_scene scene;
        make_scene(&scene, &all->list[i], &options);
        all->list[i].played = sim_scene_play(&scene, FRAMES);
        sim_scene_finish(&scene);
    }
    *state = all;
    return 0;
}

static int tear_down(void **state)
{
    subjects *all = *state;
    for (size_t i = 0; i < all->count; i++) {
        subject *s = &all->list[i];
        sim_records_finish(s->played, FRAMES);
        mmd_model_destroy(s->loaded);
        mmd_motion_destroy(s->loaded_motion);
        if (s->hair)
            hair_model_finish(s->hair);
        mmd_free(s->hair);
        mmd_free(s->sway);
    }
    mmd_free(all);
    return 0;
}

static void something_moves(void **state)
{
    const subjects *all = *state;
    for (size_t i = 0; i < all->count; i++) {
        const subject *s = &all->list[i];
        assert_false(sim_record_same(&s->played[0], &s->played[300]));
        for (size_t t = 0; t < s->played[600].count; t++)
            for (int k = 0; k < 3; k++)
                assert_true(fabsf(s->played[600].transforms[t].translation[k]) < 200);
    }
}

static void sought_is_played(void **state)
{
    const subjects *all = *state;
    mmd_physics_options options = sim_scene_options();
    for (size_t i = 0; i < all->count; i++) {
        const subject *s = &all->list[i];
        sim_scene scene;
        make_scene(&scene, s, &options);
        sim_scene_expect(&scene, 600, &s->played[600], "sought");
        sim_scene_expect(&scene, 599, &s->played[599], "one back");
        sim_scene_expect(&scene, 0, &s->played[0], "back to the beginning");
        sim_scene_expect(&scene, 1, &s->played[1], "and on");
        sim_scene_finish(&scene);
    }
}

static void any_list_of_frames_gives_the_same(void **state)
{
    const subjects *all = *state;
    mmd_physics_options options = sim_scene_options();
    uint64_t random = 5;
    for (size_t i = 0; i < all->count; i++) {
        const subject *s = &all->list[i];
        sim_scene scene;
        make_scene(&scene, s, &options);
        for (int k = 0; k < 40; k++) {
            uint32_t frame = (uint32_t)(test_random(&random) % FRAMES);
            sim_scene_expect(&scene, frame, &s->played[frame], "any order");
        }
        sim_scene_finish(&scene);
    }
}

static void any_display_rate_gives_the_same(void **state)
{
    const subjects *all = *state;
    mmd_physics_options options = sim_scene_options();
    static const int rates[] = {24, 60, 144};
    for (size_t i = 0; i < all->count; i++) {
        const subject *s = &all->list[i];
        for (size_t r = FIRST; r <= LAST; r++) {
            sim_scene scene;
            make_scene(&scene, s, &options);
            for (int k = 0; k <= 20 * rates[r]; k++) {
                double frame = (double)k * 30.0 / rates[r];
                if (frame == floor(frame))
                    sim_scene_expect(&scene, frame, &s->played[(int)frame], "another rate");
                else
                    mmd_stage_set_frame(scene.stage, frame);
            }
            sim_scene_finish(&scene);
        }
    }
}

static void running_ahead_changes_nothing(void **state)
{
    const subjects *all = *state;
    mmd_physics_options options = sim_scene_options();
    options.run_ahead = true;
    uint64_t random = 77;
    for (size_t i = 0; i < all->count; i++) {
        const subject *s = &all->list[i];
        sim_scene scene;
        make_scene(&scene, s, &options);
        for (uint32_t frame = 0; frame < FRAMES; frame++)
            sim_scene_expect(&scene, frame, &s->played[frame], "running ahead");
        for (int k = 0; k < 40; k++) { /* short jumps after the long one */
            uint32_t frame = (uint32_t)(test_random(&random) % (FRAMES - 2));
            for (uint32_t next = 0; next < 3; next++)
                sim_scene_expect(&scene, frame + next, &s->played[frame + next], "ahead, in any order");
        }
        sim_scene_finish(&scene);
    }
}

static void room_for_snapshots_changes_nothing(void **state)
{
    const subjects *all = *state;
    static const size_t rooms[] = {0, 20000, 1 << 20};
    uint64_t random = 3;
    for (size_t i = 0; i < all->count; i++) {
        const subject *s = &all->list[i];
        for (size_t r = FIRST; r <= LAST; r++) {
            mmd_physics_options options = sim_scene_options();
            options.cache_bytes = rooms[r];
            sim_scene scene;
            make_scene(&scene, s, &options);
            sim_scene_expect(&scene, 600, &s->played[600], "with other room");
            for (int k = 0; k < 4; k++) {
                uint32_t frame = (uint32_t)(test_random(&random) % FRAMES);
                sim_scene_expect(&scene, frame, &s->played[frame], "with other room");
            }
            mmd_physics_report report = mmd_stage_physics_report(scene.stage);
            assert_true(report.snapshot_bytes <= rooms[r]);
            sim_scene_finish(&scene);
        }
    }
}

static void seeking_is_bounded_by_snapshots(void **state)
{
    const subjects *all = *state;
    mmd_physics_options options = sim_scene_options();
    sim_scene scene;
    make_scene(&scene, &all->list[0], &options);
    mmd_stage_set_frame(scene.stage, 600);
    mmd_physics_report before = mmd_stage_physics_report(scene.stage);
    assert_int_equal(before.steps, 1200);
    assert_int_equal(before.snapshots, 10);
    mmd_stage_set_frame(scene.stage, 335);
    mmd_stage_set_frame(scene.stage, 580);
    mmd_physics_report after = mmd_stage_physics_report(scene.stage);
    assert_true(after.steps - before.steps < 240);
    assert_int_equal(after.steps - before.steps, after.replayed);
    sim_scene_finish(&scene);
}

/* A stage that takes what another one simulated computes less, and the same; after a change it hands on
 * nothing. */
static void states_go_on_to_another_stage(void **state)
{
    const subjects *all = *state;
    mmd_physics_options options = sim_scene_options();
    options.run_ahead = false;
    for (size_t i = 0; i < all->count; i++) {
        const subject *s = &all->list[i];
        mmd_simulated *states = mmd_simulated_create();
        const double known[] = {0, 300, 300, 600, 0};
        const uint32_t last[] = {310, 290, 600, 40, 600};
        assert_non_null(states);
        for (size_t k = 0; k < sizeof last / sizeof *last; k++) {
            sim_scene scene;
            make_scene(&scene, s, &options);
            mmd_stage_set_frame(scene.stage, 0);
            assert_true(fabs(mmd_stage_take_simulated(scene.stage, states) - known[k]) < 1e-9);
            sim_scene_expect(&scene, last[k], &s->played[last[k]], "taken");
            if (k == 1)
                assert_true(mmd_stage_physics_report(scene.stage).steps < 120);
            if (k == 3)
                mmd_stage_set_gravity(scene.stage, (float[3]){0, -9, 0});
            mmd_stage_return_simulated(scene.stage, states);
            sim_scene_finish(&scene);
        }
        mmd_simulated_destroy(states);
    }
}

/* Replaying frames neither thins out nor drops their snapshots. */
static void replaying_costs_no_snapshots(void **state)
{
    const subjects *all = *state;
    mmd_physics_options options = sim_scene_options();
    sim_scene scene;
    make_scene(&scene, &all->list[0], &options);
    mmd_stage_set_frame(scene.stage, 240);
    mmd_physics_report report = mmd_stage_physics_report(scene.stage);
    assert_int_equal(report.snapshots, 4);
    options.cache_bytes = report.snapshot_bytes + 4 * sizeof(int64_t);
    sim_scene_finish(&scene);
    make_scene(&scene, &all->list[0], &options);
    for (int loop = 0; loop < 3; loop++) {
        for (int frame = 0; frame <= 240; frame++)
            mmd_stage_set_frame(scene.stage, frame);
        assert_int_equal(mmd_stage_physics_report(scene.stage).snapshots, 4);
    }
    sim_scene_finish(&scene);
}

/* A motion added after physics was switched on gets snapshots over its whole length. */
static void a_later_motion_has_its_snapshots(void **state)
{
    const subjects *all = *state;
    mmd_physics_options options = sim_scene_options();
    mmd_motion motion = *all->list[0].motion;
    motion.last_frame = 3600;
    sim_scene scene;
    make_scene(&scene, &all->list[0], &options);
    mmd_stage_set_frame(scene.stage, 10);
    assert_int_equal(mmd_actor_add_motion(scene.actors[0], &motion, NULL), MMD_OK);
    mmd_stage_set_frame(scene.stage, 3600);
    assert_int_equal(mmd_stage_physics_report(scene.stage).snapshots, 60);
    sim_scene_finish(&scene);
}

static void a_loop_repeats_itself(void **state)
{
    const subjects *all = *state;
    mmd_physics_options options = sim_scene_options();
    options.run_ahead = true;
    for (size_t i = 0; i < all->count; i++) {
        const subject *s = &all->list[i];
        sim_scene scene;
        make_scene(&scene, s, &options);
        for (int loop = 0; loop < 5; loop++)
            for (uint32_t frame = 0; frame < 30; frame++)
                sim_scene_expect(&scene, frame, &s->played[frame], "looped");
        sim_scene_finish(&scene);
    }
}

static void bodies_between_steps_lie_between_them(void **state)
{
    const subjects *all = *state;
    const subject *s = &all->list[0];
    mmd_physics_options options = sim_scene_options();
    sim_scene scene;
    make_scene(&scene, s, &options);
    mmd_transform at[3];
    for (int k = 0; k < 3; k++) {
        mmd_stage_set_frame(scene.stage, 100 + 0.25 * k);
        at[k] = mmd_stage_bodies(scene.stage, 0)[BODY_2];
    }
    for (int k = 0; k < 3; k++)
        assert_float_equal(at[1].translation[k], (at[0].translation[k] + at[2].translation[k]) / 2, 1e-5);
    sim_scene_finish(&scene);
}

/* Three actors with a world each, on 0 to 4 threads. */
static void threads_change_nothing(void **state)
{
    const subjects *all = *state;
    const subject *s = &all->list[0];
    const mmd_motion *motions[3] = {s->motion, s->motion, s->motion};
    sim_record one = {0};
    for (uint32_t threads = 0; threads <= 4; threads++) {
        for (int ahead = 0; ahead < 2; ahead++) {
            mmd_physics_options options = sim_scene_options();
            options.shared_world = false;
            options.threads = threads;
            options.run_ahead = ahead;
            sim_scene scene;
            sim_scene_make(&scene, 3, s->model, motions, &options);
            for (int frame = 0; frame < 200; frame++)
                mmd_stage_set_frame(scene.stage, frame);
            sim_record now = sim_scene_record(&scene);
            if (!one.count)
                one = now;
            else {
                sim_record_expect_same(&now, &one, "threads", 199);
                sim_record_finish(&now);
            }
            sim_scene_finish(&scene);
        }
    }
    /* Each actor moves as it does alone. */
    assert_memory_equal(one.transforms, s->played[199].transforms,
                        s->played[199].count * sizeof *one.transforms);
    sim_record_finish(&one);
}

static void all_memory_comes_back(void **state)
{
    const subjects *all = *state;
    uint64_t before = mmd_heap_blocks_in_use();
    mmd_physics_options options = sim_scene_options();
    options.run_ahead = true;
    sim_scene scene;
    make_scene(&scene, &all->list[0], &options);
    mmd_stage_set_frame(scene.stage, 50);
    mmd_stage_set_frame(scene.stage, 51);
    sim_scene_finish(&scene);
    assert_int_equal(mmd_heap_blocks_in_use(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(something_moves),
        cmocka_unit_test(sought_is_played),
        cmocka_unit_test(any_list_of_frames_gives_the_same),
        cmocka_unit_test(any_display_rate_gives_the_same),
        cmocka_unit_test(running_ahead_changes_nothing),
        cmocka_unit_test(room_for_snapshots_changes_nothing),
        cmocka_unit_test(seeking_is_bounded_by_snapshots),
        cmocka_unit_test(states_go_on_to_another_stage),
        cmocka_unit_test(replaying_costs_no_snapshots),
        cmocka_unit_test(a_later_motion_has_its_snapshots),
        cmocka_unit_test(a_loop_repeats_itself),
        cmocka_unit_test(bodies_between_steps_lie_between_them),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(all_memory_comes_back),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
