/* Tests trigger events of a stage: a ball falls through a trigger, in any order of frames. */
#include "support.h"

#include "hair_model.h"
#include "phys_scenes.h"
#include "sim_scene.h"

enum { TRIGGER, BALL, EVENTS_MAX = 8 };

typedef struct scene {
    hair_model hair;
    hair_motion motion;
    phys_builder builder;
    sim_scene sim;
    uint32_t count;
    mmd_stage_trigger_event events[EVENTS_MAX];
} scene;

static void record_event(void *context, const mmd_stage_trigger_event *what)
{
    scene *s = context;
    assert_true(s->count < EVENTS_MAX);
    s->events[s->count++] = *what;
}

static scene *make(bool run_ahead)
{
    mmd_physics_options options = sim_scene_options();
    scene *s = mmd_alloc(sizeof *s);
    assert_non_null(s);
    memset(s, 0, sizeof *s);
    hair_model_make(&s->hair);
    hair_motion_make(&s->motion, 600);
    phys_begin(&s->builder);
    phys_body(&s->builder, MMD_PHYS_STATIC, 0, 2, 0, 0);
    phys_box(&s->builder, 0.5f, 0.5f, 0.5f)->trigger = true;
    phys_body(&s->builder, MMD_PHYS_DYNAMIC, 0, 4, 0, 1);
    phys_sphere(&s->builder, 0.25f);
    s->builder.scene.bodies[TRIGGER].bone = s->builder.scene.bodies[BALL].bone = -1;
    s->hair.model.physscene = &s->builder.scene;
    options.run_ahead = run_ahead;
    const mmd_motion *motion = &s->motion.motion;
    sim_scene_make(&s->sim, 1, &s->hair.model, &motion, &options);
    mmd_stage_on_trigger(s->sim.stage, record_event, s);
    return s;
}

static void end(scene *s)
{
    sim_scene_finish(&s->sim);
    s->hair.model.physscene = NULL;
    hair_model_finish(&s->hair);
    mmd_free(s);
}

static void expect_both(const scene *s, uint32_t first)
{
    const mmd_stage_trigger_event *begins = &s->events[first], *ends = begins + 1;
    assert_int_equal(s->count, first + 2);
    assert_true(begins->begins && !ends->begins);
    for (uint32_t i = first; i < first + 2; i++) {
        assert_int_equal(s->events[i].trigger, TRIGGER);
        assert_int_equal(s->events[i].other, BALL);
        assert_int_equal(s->events[i].trigger_actor, 0);
        assert_int_equal(s->events[i].other_actor, 0);
    }
    assert_true(begins->frame > 0 && begins->frame < ends->frame);
}

static void playing_tells_in_time(void **state)
{
    (void)state;
    for (int ahead = 0; ahead < 2; ahead++) {
        scene *s = make(ahead == 1);
        for (int frame = 0; frame <= 90; frame++) {
            uint32_t before = s->count;
            mmd_stage_set_frame(s->sim.stage, frame);
            for (uint32_t i = before; i < s->count; i++)
                assert_true(s->events[i].frame > frame - 1 && s->events[i].frame <= frame);
        }
        expect_both(s, 0);
        end(s);
    }
}

static void seeking_tells_the_same(void **state)
{
    (void)state;
    scene *played = make(false), *sought = make(false);
    for (int frame = 0; frame <= 90; frame++)
        mmd_stage_set_frame(played->sim.stage, frame);
    mmd_stage_set_frame(sought->sim.stage, 90);
    expect_both(sought, 0);
    for (int i = 0; i < 2; i++)
        assert_float_equal(sought->events[i].frame, played->events[i].frame, 0.0);
    mmd_stage_set_frame(sought->sim.stage, 0); /* going back reports them again */
    assert_int_equal(sought->count, 2);
    for (int frame = 1; frame <= 90; frame++)
        mmd_stage_set_frame(sought->sim.stage, frame);
    expect_both(sought, 2);
    end(played);
    end(sought);
}

static void nobody_is_told_who_does_not_ask(void **state)
{
    (void)state;
    scene *s = make(false);
    mmd_stage_on_trigger(s->sim.stage, NULL, NULL);
    mmd_stage_set_frame(s->sim.stage, 90);
    assert_int_equal(s->count, 0);
    end(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(playing_tells_in_time),
        cmocka_unit_test(seeking_tells_the_same),
        cmocka_unit_test(nobody_is_told_who_does_not_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
