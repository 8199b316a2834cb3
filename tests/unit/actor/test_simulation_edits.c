/* Tests edits at a paused frame: hair and bodies follow at once and return when the edit is undone, and the
 * simulation goes on from there without a jump. Also tests scaled actors, whose motion scales with them. */
#include "support.h"

#include "hair_model.h"
#include "sim_scene.h"

typedef struct scene {
    hair_model hair;
    hair_motion motion;
    sim_scene sim;
    uint32_t reset_count;
} scene;

static void count_resets(void *context, const mmd_reset_bodies *what)
{
    ((scene *)context)->reset_count += what->body_count + what->soft_count;
}

static scene *begin(const mmd_physics_options *options, size_t actors)
{
    scene *s = mmd_alloc(sizeof *s);
    mmd_physics_options standard = sim_scene_options();
    assert_non_null(s);
    memset(s, 0, sizeof *s);
    hair_model_make(&s->hair);
    hair_motion_make(&s->motion, 600);
    const mmd_motion *motions[2] = {&s->motion.motion, &s->motion.motion};
    sim_scene_make(&s->sim, actors, &s->hair.model, motions, options ? options : &standard);
    return s;
}

static void end(scene *s)
{
    sim_scene_finish(&s->sim);
    hair_model_finish(&s->hair);
    mmd_free(s);
}

static void play(scene *s, int first, int last)
{
    for (int frame = first; frame <= last; frame++)
        mmd_stage_set_frame(s->sim.stage, frame);
}

static mmd_transform bone(const scene *s, size_t actor, int which)
{
    return mmd_pose_world(mmd_actor_pose(s->sim.actors[actor]))[which];
}

static mmd_transform body(const scene *s, size_t actor, int which)
{
    return mmd_stage_bodies(s->sim.stage, actor)[which];
}

static double distance(const mmd_transform *a, const mmd_transform *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += pow((double)a->translation[k] - (double)b->translation[k], 2);
    return sqrt(sum);
}

/* Returns how much the transform of b relative to a has changed: distance plus a measure of the turn. */
static double shift(const mmd_transform *a, const mmd_transform *b, const mmd_transform *was_a,
                    const mmd_transform *was_b)
{
    mmd_transform back, now, was;
    mmd_transform_inverse(a, &back);
    mmd_transform_multiply(&back, b, &now);
    mmd_transform_inverse(was_a, &back);
    mmd_transform_multiply(&back, was_b, &was);
    double turn = 0;
    for (int k = 0; k < 4; k++)
        turn += (double)now.rotation[k] * (double)was.rotation[k];
    return distance(&now, &was) + fabs(1 - fabs(turn));
}

static const float at_rest[3] = {0, 0, 0}, unturned[4] = {0, 0, 0, 1};
static const float up[3] = {0, 1, 0}, bent[4] = {0, 0, 0.34202014f, 0.93969262f}; /* 40 degrees */

static void edit(scene *s, int which, const float translation[3], const float rotation[4])
{
    mmd_pose_set_user(mmd_actor_pose(s->sim.actors[0]), (uint32_t)which, translation, rotation);
}

static void evaluate_again(scene *s)
{
    mmd_stage_set_frame(s->sim.stage, mmd_stage_frame(s->sim.stage));
}

static void hair_goes_with_a_bone_that_is_moved(void **state)
{
    (void)state;
    static const double frames[] = {100, 100.3};
    for (int i = 0; i < 2; i++) {
        scene *s = begin(NULL, 1);
        play(s, 0, 99);
        mmd_stage_set_frame(s->sim.stage, frames[i]);
        sim_record before = sim_scene_record(&s->sim);
        mmd_physics_report report = mmd_stage_physics_report(s->sim.stage);
        edit(s, HAIR_CENTER, up, unturned);
        evaluate_again(s);
        sim_record moved = sim_scene_record(&s->sim);
        for (size_t k = 0; k < before.count; k++) {
            mmd_transform expected = before.transforms[k];
            expected.translation[1] += k == BODY_BALL ? 0 : 1;
            assert_true(distance(&moved.transforms[k], &expected) < 1e-5);
        }
        edit(s, HAIR_CENTER, at_rest, unturned);
        sim_scene_expect(&s->sim, frames[i], &before, "edited back");
        mmd_physics_report now = mmd_stage_physics_report(s->sim.stage);
        assert_int_equal(now.steps, report.steps);
        assert_int_equal(now.snapshots, report.snapshots);
        sim_record_finish(&before);
        sim_record_finish(&moved);
        end(s);
    }
}

static void hair_keeps_its_shape_when_a_head_is_turned(void **state)
{
    (void)state;
    scene *s = begin(NULL, 1);
    play(s, 0, 300);
    sim_record before = sim_scene_record(&s->sim);
    const mmd_transform *was = before.transforms + HAIR_BODIES;
    edit(s, HAIR_HEAD, at_rest, bent);
    evaluate_again(s);
    mmd_transform head = bone(s, 0, HAIR_HEAD);
    assert_true(shift(&head, &head, &was[HAIR_HEAD], &was[HAIR_HEAD]) < 1e-6);
    for (int b = HAIR_1; b <= HAIR_TIP; b++) {
        mmd_transform hair = bone(s, 0, b);
        assert_true(distance(&hair, &was[b]) > 0.1);
        assert_true(shift(&head, &hair, &was[HAIR_HEAD], &was[b]) < 1e-4);
    }
    for (int b = BODY_HEAD; b <= BODY_PEARL; b++) {
        mmd_transform now = body(s, 0, b);
        assert_true(shift(&head, &now, &was[HAIR_HEAD], &before.transforms[b]) < 1e-4);
    }
    sim_record_finish(&before);
    end(s);
}

/* Returns the greatest distance that a body moves within one frame, playing from first to last. */
static double fastest(scene *s, int first, int last, int which)
{
    double most = 0;
    for (int frame = first; frame <= last; frame++) {
        mmd_transform before = body(s, 0, which);
        mmd_stage_set_frame(s->sim.stage, frame);
        mmd_transform now = body(s, 0, which);
        most = fmax(most, distance(&before, &now));
    }
    return most;
}

static void simulation_goes_on_without_a_leap(void **state)
{
    (void)state;
    scene *plain = begin(NULL, 1), *s = begin(NULL, 1);
    static const float far[3] = {0, 40, 0};
    mmd_stage_on_reset_bodies(s->sim.stage, count_resets, s);
    edit(plain, HAIR_CENTER, at_rest, bent); /* from the beginning */
    play(plain, 0, 100);
    play(s, 0, 100);
    for (int i = 0; i < 3; i++) { /* as while dragging */
        edit(s, HAIR_CENTER, far, bent);
        evaluate_again(s);
        edit(s, HAIR_CENTER, at_rest, bent);
        evaluate_again(s);
    }
    double usual = fastest(plain, 101, 110, BODY_3);
    assert_true(fastest(s, 101, 103, BODY_3) < usual); /* afterwards it falls to its new rest position */
    assert_int_equal(s->reset_count, 0);
    assert_int_equal(mmd_stage_physics_report(s->sim.stage).reset_bodies, 0);
    end(plain);
    end(s);
}

/* A model that is placed elsewhere goes on as if it had always been there. */
static void a_place_changes_nothing_else(void **state)
{
    (void)state;
    mmd_physics_options options = sim_scene_options();
    options.ground = false;
    scene *plain = begin(&options, 1), *s = begin(&options, 1);
    play(plain, 0, 100);
    play(s, 0, 100);
    mmd_staging staging = *mmd_stage_staging(s->sim.stage, 0);
    staging.position[0] = 8;
    mmd_stage_set_staging(s->sim.stage, 0, &staging);
    evaluate_again(s);
    for (int frame = 100; frame <= 104; frame++) {
        mmd_stage_set_frame(plain->sim.stage, frame);
        mmd_stage_set_frame(s->sim.stage, frame);
        for (int b = 0; b < HAIR_BODIES; b++) {
            mmd_transform expected = body(plain, 0, b), now = body(s, 0, b);
            expected.translation[0] += 8;
            assert_true(distance(&now, &expected) < (frame == 100 ? 1e-5 : 0.05));
        }
        for (int b = 0; b < HAIR_BONES; b++) {
            mmd_transform expected = bone(plain, 0, b), now = bone(s, 0, b);
            assert_true(distance(&now, &expected) < (frame == 100 ? 1e-5 : 0.05));
        }
    }
    end(plain);
    end(s);
}

/* A child on a hair bone follows when an edit moves that hair. */
static void children_go_with_their_parents(void **state)
{
    (void)state;
    mmd_physics_options options = sim_scene_options();
    options.ground = false;
    scene *s = begin(&options, 2);
    mmd_staging staging = *mmd_stage_staging(s->sim.stage, 0);
    staging.parent = s->sim.actors[1];
    staging.parent_bone = HAIR_3;
    mmd_stage_set_staging(s->sim.stage, 0, &staging);
    play(s, 0, 60);
    mmd_transform before[HAIR_BODIES];
    for (int b = 0; b < HAIR_BODIES; b++)
        before[b] = body(s, 0, b);
    mmd_pose_set_user(mmd_actor_pose(s->sim.actors[1]), HAIR_CENTER, up, unturned);
    evaluate_again(s);
    for (int b = 0; b < HAIR_BODIES; b++) {
        mmd_transform now = body(s, 0, b);
        before[b].translation[1] += 1;
        assert_true(distance(&now, &before[b]) < 1e-4);
    }
    end(s);
}

/* An edit between two played frames gives the same whether its frame was evaluated again or not. */
static void it_does_not_matter_whether_it_was_looked_at(void **state)
{
    (void)state;
    sim_record records[2];
    for (int looked = 0; looked < 2; looked++) {
        scene *s = begin(NULL, 1);
        play(s, 0, 100);
        edit(s, HAIR_HEAD, at_rest, bent);
        if (looked)
            evaluate_again(s);
        play(s, 101, 130);
        records[looked] = sim_scene_record(&s->sim);
        end(s);
    }
    sim_record_expect_same(&records[1], &records[0], "looked at", 130);
    sim_record_finish(&records[0]);
    sim_record_finish(&records[1]);
}

/* ------------------------------------------------------ beyond the motion */

static void count_calls(void *context, double frame, double goal)
{
    assert_true(frame <= goal);
    ++*(uint32_t *)context;
}

/* Everything comes to rest once the motion has ended: steps that repeat are skipped, with the same result. */
static void far_frames_are_reached(void **state)
{
    (void)state;
    mmd_physics_options options = sim_scene_options();
    options.backend = MMD_PHYSICS_NULL; /* Bullet's bodies tremble in their last bits for a long time */
    scene *s = begin(&options, 1), *seeks = begin(&options, 1);
    uint32_t calls = 0;
    mmd_stage_on_simulating(s->sim.stage, count_calls, &calls);
    int repeats = 0;
    for (int frame = 0; frame < 60000 && !repeats; frame += 60) {
        mmd_stage_set_frame(s->sim.stage, frame);
        repeats = mmd_stage_physics_report(s->sim.stage).repeats ? frame : 0;
    }
    print_message("repeats itself from frame %d on\n", repeats);
    assert_true(repeats > 600 && calls > 10);
    static const double beyond[] = {1, 59, 61.5, 1000, 7777.25};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        mmd_stage_set_frame(s->sim.stage, repeats + beyond[i]); /* skips repeated steps */
        sim_record record = sim_scene_record(&s->sim);
        for (int frame = (int)mmd_stage_frame(seeks->sim.stage); frame < repeats + beyond[i]; frame++)
            mmd_stage_set_frame(seeks->sim.stage, frame); /* step by step */
        sim_scene_expect(&seeks->sim, repeats + beyond[i], &record, "left out");
        sim_record_finish(&record);
    }
    uint64_t steps = mmd_stage_physics_report(s->sim.stage).steps;
    mmd_stage_set_frame(s->sim.stage, 1e9);
    assert_true(mmd_stage_physics_report(s->sim.stage).steps < steps + 100000);
    end(s);
    end(seeks);
}

/* ---------------------------------------------------------------- sizes */

static void resize(scene *s, size_t actor, float size)
{
    mmd_staging staging = *mmd_stage_staging(s->sim.stage, actor);
    staging.scale = size;
    mmd_stage_set_staging(s->sim.stage, actor, &staging);
}

/* With gravity scaled too, an actor of twice the size moves twice as far at all times. Sizes that are not
 * powers of two round differently, which Bullet's locked axes amplify. */
static void sizes_move_alike(void **state)
{
    (void)state;
    static const float sizes[] = {2, 0.5f, 8};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        mmd_physics_options options = sim_scene_options();
        options.ground = false;
        scene *plain = begin(&options, 1);
        options.gravity[1] *= sizes[i];
        scene *s = begin(&options, 1);
        resize(s, 0, sizes[i]);
        double most = 0;
        for (int frame = 0; frame <= 60; frame++) {
            mmd_stage_set_frame(plain->sim.stage, frame);
            mmd_stage_set_frame(s->sim.stage, frame);
            for (int b = 0; b < HAIR_BONES; b++) {
                mmd_transform x = bone(plain, 0, b), y = bone(s, 0, b);
                most = fmax(most, distance(&x, &y));
            }
            for (int b = 0; b < HAIR_BODIES; b++) {
                mmd_transform x = body(plain, 0, b), y = body(s, 0, b);
                for (int k = 0; k < 3; k++)
                    x.translation[k] *= sizes[i];
                most = fmax(most, distance(&x, &y) / (double)sizes[i]);
            }
        }
        print_message("size %g: at most %.4f units apart\n", (double)sizes[i], most);
        assert_true(most < 0.05);
        end(plain);
        end(s);
    }
}

/* Bodies of other actors collide at their scaled position and size. */
static void sizes_meet_in_one_world(void **state)
{
    (void)state;
    scene *s = begin(NULL, 2);
    resize(s, 0, 2);
    play(s, 0, 60);
    const mmd_physscene *large = mmd_stage_physscene(s->sim.stage, 0),
                        *small = mmd_stage_physscene(s->sim.stage, 1);
    assert_true(large->shapes[0].size[0] == 2 * small->shapes[0].size[0]);
    mmd_transform ball = body(s, 0, BODY_BALL), other = body(s, 1, BODY_BALL);
    assert_true(fabsf(ball.translation[1] - 2) < 0.1f); /* lies on the ground */
    assert_true(fabsf(other.translation[1] - 1) < 0.1f);
    assert_true(fabsf(ball.translation[0] - 12) < 0.5f);
    end(s);
}

/* Another size is drawn at once; the next frame simulates from the beginning. */
static void a_size_by_hand_begins_anew(void **state)
{
    (void)state;
    scene *s = begin(NULL, 1), *fresh = begin(NULL, 1);
    play(s, 0, 50);
    mmd_transform hair = bone(s, 0, HAIR_3);
    resize(s, 0, 2);
    evaluate_again(s);
    mmd_transform now = bone(s, 0, HAIR_3), at = body(s, 0, BODY_3);
    assert_true(distance(&hair, &now) < 1e-5);
    assert_true(fabsf(at.translation[1] - 2 * now.translation[1]) < 3);
    resize(fresh, 0, 2);
    mmd_stage_set_frame(fresh->sim.stage, 51);
    sim_record expected = sim_scene_record(&fresh->sim);
    sim_scene_expect(&s->sim, 51, &expected, "another size");
    sim_record_finish(&expected);
    end(s);
    end(fresh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hair_goes_with_a_bone_that_is_moved),
        cmocka_unit_test(hair_keeps_its_shape_when_a_head_is_turned),
        cmocka_unit_test(simulation_goes_on_without_a_leap),
        cmocka_unit_test(a_place_changes_nothing_else),
        cmocka_unit_test(children_go_with_their_parents),
        cmocka_unit_test(it_does_not_matter_whether_it_was_looked_at),
        cmocka_unit_test(far_frames_are_reached),
        cmocka_unit_test(sizes_move_alike),
        cmocka_unit_test(sizes_meet_in_one_world),
        cmocka_unit_test(a_size_by_hand_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
