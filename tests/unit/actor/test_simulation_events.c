/* Tests events of physics on a stage: switches in motions, models that become visible, bodies out of bounds,
 * edits, placements. */
#include "support.h"

#include "hair_model.h"
#include "sim_scene.h"

/* A stage with one actor of the hair model; tests change its motion before they begin. */
typedef struct scene {
    hair_model hair;
    hair_motion motion;
    sim_scene sim;
    uint32_t reset_count, soft_reset_count, report_count;
    char reason[80];
    double reset_frame;
} scene;

static scene *make(void)
{
    scene *s = mmd_alloc(sizeof *s);
    assert_non_null(s);
    memset(s, 0, sizeof *s);
    hair_model_make(&s->hair);
    hair_motion_make(&s->motion, 600);
    return s;
}

static void record_reset(void *context, const mmd_reset_bodies *what)
{
    scene *s = context;
    assert_int_equal(what->actor, 0);
    for (uint32_t i = 0; i < what->body_count; i++)
        assert_true(what->bodies[i] < HAIR_BODIES && (!i || what->bodies[i] > what->bodies[i - 1]));
    assert_true(what->body_count + what->soft_count > 0);
    s->report_count++;
    s->reset_count += what->body_count;
    s->soft_reset_count += what->soft_count;
    s->reset_frame = what->frame;
    snprintf(s->reason, sizeof s->reason, "%s", what->reason);
}

static void begin(scene *s, const mmd_physics_options *options)
{
    mmd_physics_options standard = sim_scene_options();
    const mmd_motion *motion = &s->motion.motion;
    sim_scene_make(&s->sim, 1, &s->hair.model, &motion, options ? options : &standard);
    mmd_stage_on_reset_bodies(s->sim.stage, record_reset, s);
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

static mmd_transform body(scene *s, int which)
{
    return mmd_stage_bodies(s->sim.stage, 0)[which];
}

static mmd_transform bone(scene *s, int which)
{
    return mmd_pose_world(mmd_actor_pose(s->sim.actors[0]))[which];
}

static double distance(const mmd_transform *a, const mmd_transform *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += pow((double)a->translation[k] - (double)b->translation[k], 2);
    return sqrt(sum);
}

/* Returns the distance of a body from where its bone would put it. */
static double distance_from_bone(scene *s, int which, int its_bone)
{
    mmd_transform world = bone(s, its_bone), at = body(s, which), expected = at;
    float offset[3];
    for (int k = 0; k < 3; k++)
        offset[k] = s->hair.bodies[which].position[k] - s->hair.bones[its_bone].position[k];
    mmd_transform_point(&world, offset, expected.translation);
    return distance(&at, &expected);
}

static void bodies_and_bones_go_together(void **state)
{
    (void)state;
    scene *s = make();
    begin(s, NULL);
    play(s, 0, 100);
    for (int frame = 101; frame < 140; frame++) {
        mmd_stage_set_frame(s->sim.stage, frame);
        assert_true(distance_from_bone(s, BODY_HEAD, HAIR_HEAD) < 1e-3); /* follows its bone */
        assert_true(distance_from_bone(s, BODY_1, HAIR_1) < 1e-3);       /* moves its bone */
        assert_true(distance_from_bone(s, BODY_2, HAIR_2) < 1e-3);
        assert_true(distance_from_bone(s, BODY_3, HAIR_3) <
                    0.2); /* is pulled back to its bone, half-way in each step */
    }
    assert_true(mmd_stage_body_simulated(s->sim.stage, 0, BODY_1));
    assert_false(mmd_stage_body_simulated(s->sim.stage, 0, BODY_HEAD));
    end(s);
}

/* A body of mode 2 only turns its bone: the bone stays two units from its parent. */
static void mode_2_keeps_its_bones_place(void **state)
{
    (void)state;
    scene *s = make();
    begin(s, NULL);
    bool turned = false;
    for (int frame = 0; frame < 200; frame++) {
        mmd_stage_set_frame(s->sim.stage, frame);
        mmd_transform parent = bone(s, HAIR_2), own = bone(s, HAIR_3), expected = own;
        const float down[3] = {0, -2, 0};
        mmd_transform_point(&parent, down, expected.translation);
        assert_true(distance(&own, &expected) < 1e-4);
        turned |= fabsf(own.rotation[3] - parent.rotation[3]) > 0.02f;
    }
    assert_true(turned);
    end(s);
}

/* A bone that appends from a simulated bone, or is its child, moves with it. */
static void bones_behind_physics_follow(void **state)
{
    (void)state;
    scene *s = make();
    begin(s, NULL);
    play(s, 0, 60);
    mmd_transform tip = bone(s, HAIR_TIP), last = bone(s, HAIR_3), expected = tip;
    const float down[3] = {0, -2, 0};
    mmd_transform_point(&last, down, expected.translation);
    assert_true(distance(&tip, &expected) < 1e-4);
    mmd_transform head = bone(s, HAIR_HEAD), ribbon = bone(s, HAIR_RIBBON);
    float alike = 0;
    for (int k = 0; k < 4; k++)
        alike += head.rotation[k] * ribbon.rotation[k];
    assert_true(fabsf(alike) < 0.9999f);
    /* The pearl follows the tip of the step before: a little behind, never far away. */
    double most = 0;
    for (int frame = 60; frame < 160; frame++) {
        mmd_stage_set_frame(s->sim.stage, frame);
        most = fmax(most, distance_from_bone(s, BODY_PEARL, HAIR_TIP));
    }
    assert_true(most < 1.5);
    end(s);
}

static void a_switch_holds_and_lets_go(void **state)
{
    (void)state;
    scene *s = make();
    hair_motion_switch(&s->motion, HAIR_1, 0, false);
    hair_motion_switch(&s->motion, HAIR_1, 100, true);
    hair_motion_switch(&s->motion, HAIR_1, 150, false);
    begin(s, NULL);
    play(s, 0, 99);
    assert_true(mmd_stage_body_simulated(s->sim.stage, 0, BODY_1));
    play(s, 100, 149);
    for (int frame = 110; frame < 150; frame++) {
        mmd_stage_set_frame(s->sim.stage, frame);
        assert_false(mmd_stage_body_simulated(s->sim.stage, 0, BODY_1));
        assert_true(mmd_stage_body_simulated(s->sim.stage, 0, BODY_2));
        mmd_transform head = bone(s, HAIR_HEAD), own = bone(s, HAIR_1);
        for (int k = 0; k < 4; k++) /* its key has the identity rotation */
            assert_float_equal(own.rotation[k], head.rotation[k], 1e-5);
        assert_true(distance_from_bone(s, BODY_1, HAIR_1) < 1e-4);
    }
    mmd_transform before = body(s, BODY_1);
    mmd_stage_set_frame(s->sim.stage, 150.5);
    mmd_transform after = body(s, BODY_1);
    assert_true(distance(&before, &after) < 1); /* it goes on from its position, without a reset */
    play(s, 151, 180);
    assert_true(mmd_stage_body_simulated(s->sim.stage, 0, BODY_1));
    sim_record played = sim_scene_record(&s->sim);
    mmd_stage_set_frame(s->sim.stage, 10);
    sim_scene_expect(&s->sim, 180, &played, "sought over switches");
    sim_record_finish(&played);
    end(s);
}

/* A model that becomes visible begins at rest, as at frame 0. */
static void appearing_is_a_reset(void **state)
{
    (void)state;
    scene *s = make();
    hair_motion_show(&s->motion, 0, true);
    hair_motion_show(&s->motion, 100, false);
    hair_motion_show(&s->motion, 150, true);
    begin(s, NULL);
    play(s, 0, 95);
    mmd_transform head = bone(s, HAIR_HEAD), hair = bone(s, HAIR_1);
    assert_true(fabsf(head.rotation[1] - hair.rotation[1]) + fabsf(hair.rotation[2]) > 0.01f);
    play(s, 96, 150);
    for (int b = BODY_1; b <= BODY_3; b++) {
        head = bone(s, HAIR_HEAD), hair = bone(s, HAIR_1 + b - BODY_1);
        for (int k = 0; k < 4; k++)
            assert_float_equal(hair.rotation[k], head.rotation[k], 1e-5);
    }
    play(s, 151, 170);
    head = bone(s, HAIR_HEAD), hair = bone(s, HAIR_3);
    assert_true(fabsf(head.rotation[1] - hair.rotation[1]) + fabsf(hair.rotation[2]) > 0.01f);
    sim_record played = sim_scene_record(&s->sim);
    mmd_stage_set_frame(s->sim.stage, 20);
    sim_scene_expect(&s->sim, 170, &played, "sought over visibility");
    sim_record_finish(&played);
    end(s);
}

static void a_teleport_puts_back_and_tells_once(void **state)
{
    (void)state;
    scene *s = make();
    hair_motion_teleport(&s->motion, 200);
    begin(s, NULL);
    play(s, 0, 190);
    assert_int_equal(s->reset_count, 0);
    play(s, 191, 260);
    assert_true(s->reset_count >= 1 && s->reset_count <= 3); /* each body once, */
    assert_int_equal(s->report_count, 1);                    /* all of one jump in one report */
    assert_true(s->reset_frame > 198 && s->reset_frame < 202);
    mmd_physics_report report = mmd_stage_physics_report(s->sim.stage);
    assert_true(report.reset_bodies >= s->reset_count);
    for (int b = HAIR_1; b <= HAIR_TIP; b++) {
        mmd_transform head = bone(s, HAIR_HEAD), hair = bone(s, b);
        assert_true(distance(&head, &hair) < 10);
    }
    uint32_t reset_count = s->reset_count;
    sim_record played = sim_scene_record(&s->sim);
    mmd_stage_set_frame(s->sim.stage, 150);
    sim_scene_expect(&s->sim, 260, &played, "sought over a teleport");
    assert_int_equal(s->reset_count, reset_count); /* not reported again: there was no reset */
    assert_int_equal(mmd_stage_physics_report(s->sim.stage).reset_bodies, report.reset_bodies);
    play(s, 0, 210);
    assert_int_equal(s->reset_count, 2 * reset_count);
    sim_record_finish(&played);
    end(s);
}

/* Only a speed above 1,000 units a second resets a body: a ball that becomes 98.9 units a second faster in
 * every step is left alone for ten steps, and goes back to its position with the eleventh. */
static void nothing_slower_than_the_guard_is_put_back(void **state)
{
    (void)state;
    for (int size = 1; size <= 2; size++) { /* twice the size, twice the limit */
        scene *s = make();
        for (int b = BODY_1; b <= BODY_3; b++)
            s->hair.bodies[b].mode = 0;
        s->hair.bodies[BODY_BALL].linear_damping = 0;
        mmd_physics_options options = sim_scene_options();
        options.ground = false;
        options.gravity[1] = -98.9f * 60.0f * (float)size;
        begin(s, &options);
        mmd_staging staging = *mmd_stage_staging(s->sim.stage, 0);
        staging.scale = (float)size;
        mmd_stage_set_staging(s->sim.stage, 0, &staging);
        for (int step = 0; step <= 10; step++)
            mmd_stage_set_frame(s->sim.stage, step * 0.5);
        mmd_transform before = body(s, BODY_BALL);
        /* It begins where the centre bone, 1.5 above its rest, carries it. */
        assert_float_equal(before.translation[1], (float)size * (4.0f + 1.5f - 98.9f / 60.0f * 55.0f),
                           0.01f * (float)size);
        assert_int_equal(s->reset_count, 0);
        assert_int_equal(mmd_stage_physics_report(s->sim.stage).reset_bodies, 0);
        mmd_stage_set_frame(s->sim.stage, 5.5);
        mmd_transform after = body(s, BODY_BALL);
        assert_int_equal(s->reset_count, 1);
        assert_string_equal(s->reason, "faster than 1,000 units/s");
        assert_float_equal(after.translation[1], before.translation[1], 1e-3f);
        end(s);
    }
}

/* Running ahead reports a reset when its frame is shown, not before. */
static void running_ahead_tells_in_time(void **state)
{
    (void)state;
    scene *s = make();
    hair_motion_teleport(&s->motion, 200);
    mmd_physics_options options = sim_scene_options();
    options.run_ahead = true;
    begin(s, &options);
    play(s, 0, 198);
    mmd_stage_settle(s->sim.stage);
    assert_int_equal(s->reset_count, 0);
    play(s, 199, 205);
    assert_true(s->reset_count > 0);
    end(s);
}

static void a_gust_pushes(void **state)
{
    (void)state;
    scene *calm = make(), *windy = make();
    begin(calm, NULL);
    begin(windy, NULL);
    mmd_actor_set_morph(windy->sim.actors[0], 0, 1.0f);
    play(calm, 0, 12);
    play(windy, 0, 12);
    mmd_transform a = body(calm, BODY_2), b = body(windy, BODY_2);
    assert_true(b.translation[0] > a.translation[0] + 1.0f);
    play(calm, 13, 20);
    end(windy);
    /* An impulse of zeros stops the body. */
    scene *still = make();
    still->hair.impulse = (mmd_impulse_offset){.body = BODY_BALL};
    begin(still, NULL);
    mmd_actor_set_morph(still->sim.actors[0], 0, 1.0f);
    play(still, 0, 20);
    a = body(still, BODY_BALL), b = body(calm, BODY_BALL);
    assert_true(a.translation[1] > 2.5f);
    assert_true(b.translation[1] < 1.5f);
    end(still);
    end(calm);
}

static void impulses_do_not_depend_on_the_rate(void **state)
{
    (void)state;
    float places[2];
    for (int i = 0; i < 2; i++) {
        scene *s = make();
        s->hair.impulse = (mmd_impulse_offset){.body = BODY_BALL, .velocity = {0.1f, 0.65f, 0}};
        mmd_physics_options options = sim_scene_options();
        options.rate = i ? 240 : 60;
        begin(s, &options);
        mmd_actor_set_morph(s->sim.actors[0], 0, 1.0f);
        play(s, 0, 20);
        places[i] = body(s, BODY_BALL).translation[0];
        end(s);
    }
    assert_true(places[0] > 7.5f);
    assert_float_equal(places[0], places[1], 0.35);
}

static void without_physics_bodies_are_at_bones(void **state)
{
    (void)state;
    scene *s = make();
    begin(s, NULL);
    play(s, 0, 60);
    mmd_transform simulated = bone(s, HAIR_2);
    assert_int_equal(mmd_stage_set_physics(s->sim.stage, NULL, NULL), MMD_OK);
    assert_null(mmd_stage_physics(s->sim.stage));
    assert_null(mmd_stage_physscene(s->sim.stage, 0));
    mmd_stage_set_frame(s->sim.stage, 60);
    mmd_transform head = bone(s, HAIR_HEAD), still = bone(s, HAIR_2);
    assert_true(distance(&simulated, &still) > 0.01);
    for (int k = 0; k < 4; k++)
        assert_float_equal(still.rotation[k], head.rotation[k], 0);
    for (int b = BODY_HEAD; b <= BODY_PEARL; b++)
        assert_true(distance_from_bone(s, b, s->hair.bodies[b].bone) < 1e-4);
    assert_false(mmd_stage_body_simulated(s->sim.stage, 0, BODY_1));
    assert_int_equal(mmd_stage_physics_report(s->sim.stage).steps, 0);
    mmd_stage_set_gravity(s->sim.stage, (const float[3]){0, 1, 0}); /* does nothing */
    mmd_stage_settle(s->sim.stage);
    end(s);
}

static void switching_on_is_a_reset(void **state)
{
    (void)state;
    scene *s = make();
    begin(s, NULL);
    play(s, 0, 90);
    sim_record first = sim_scene_record(&s->sim);
    mmd_physics_options options = *mmd_stage_physics(s->sim.stage);
    assert_int_equal(mmd_stage_set_physics(s->sim.stage, NULL, NULL), MMD_OK);
    mmd_stage_set_frame(s->sim.stage, 90);
    assert_int_equal(mmd_stage_set_physics(s->sim.stage, &options, NULL), MMD_OK);
    sim_scene_expect(&s->sim, 90, &first, "switched on again");
    sim_record_finish(&first);
    end(s);
}

/* Adding an actor restarts the simulation, with that actor in it. */
static void adding_an_actor_resets(void **state)
{
    (void)state;
    scene *s = make();
    begin(s, NULL);
    play(s, 0, 90);
    mmd_actor *other = mmd_actor_create(&s->hair.model);
    assert_int_equal(mmd_stage_add_actor(s->sim.stage, other, NULL), MMD_OK);
    assert_int_equal(mmd_stage_physics_report(s->sim.stage).steps, 0);
    mmd_stage_set_frame(s->sim.stage, 91);
    assert_int_equal(mmd_stage_physics_report(s->sim.stage).steps, 182);
    assert_non_null(mmd_stage_physscene(s->sim.stage, 1));
    /* So does adding a motion. */
    assert_int_equal(mmd_actor_add_motion(other, &s->motion.motion, NULL), MMD_OK);
    mmd_stage_set_frame(s->sim.stage, 92);
    assert_int_equal(mmd_stage_physics_report(s->sim.stage).steps, 182 + 184);
    mmd_stage_destroy(s->sim.stage);
    mmd_actor_destroy(other);
    s->sim.stage = NULL;
    end(s);
}

/* Bends the head by an edit at frame 100 and plays to 160. */
static sim_record bend_on_the_way(bool ahead)
{
    scene *s = make();
    mmd_physics_options options = sim_scene_options();
    options.run_ahead = ahead;
    begin(s, &options);
    play(s, 0, 100);
    static const float none[3] = {0, 0, 0}, bent[4] = {0.38268343f, 0, 0, 0.92387953f};
    mmd_pose_set_user(mmd_actor_pose(s->sim.actors[0]), HAIR_HEAD, none, bent);
    mmd_stage_set_frame(s->sim.stage, 100);
    play(s, 101, 160);
    sim_record record = sim_scene_record(&s->sim);
    /* After going back and forth the frame is as if the head had been bent from the beginning. */
    mmd_stage_set_frame(s->sim.stage, 159);
    mmd_stage_set_frame(s->sim.stage, 160);
    sim_record anew = sim_scene_record(&s->sim);
    assert_false(sim_record_same(&record, &anew));
    scene *fresh = make();
    begin(fresh, &options);
    mmd_pose_set_user(mmd_actor_pose(fresh->sim.actors[0]), HAIR_HEAD, none, bent);
    sim_scene_expect(&fresh->sim, 160, &anew, "edited from the beginning");
    sim_record_finish(&anew);
    end(fresh);
    end(s);
    return record;
}

static void edits_carry_on_and_begin_anew_when_going_back(void **state)
{
    (void)state;
    sim_record plain = bend_on_the_way(false), ahead = bend_on_the_way(true);
    sim_record_expect_same(&ahead, &plain, "edited with and without running ahead", 160);
    sim_record_finish(&plain);
    sim_record_finish(&ahead);
}

static void gravity_turns_without_a_reset(void **state)
{
    (void)state;
    static const float up[3] = {0, 98, 0};
    sim_record records[2];
    for (int ahead = 0; ahead < 2; ahead++) {
        scene *s = make();
        mmd_physics_options options = sim_scene_options();
        options.run_ahead = ahead;
        begin(s, &options);
        play(s, 0, 100);
        mmd_transform before = body(s, BODY_3);
        mmd_stage_set_gravity(s->sim.stage, up);
        mmd_stage_set_frame(s->sim.stage, 101);
        mmd_transform after = body(s, BODY_3);
        assert_true(distance(&before, &after) < 2);
        play(s, 102, 140);
        mmd_transform head = body(s, BODY_HEAD), ball = body(s, BODY_BALL);
        assert_true(body(s, BODY_2).translation[1] > head.translation[1] - 4);
        assert_true(ball.translation[1] > 20);
        records[ahead] = sim_scene_record(&s->sim);
        end(s);
    }
    sim_record_expect_same(&records[1], &records[0], "other gravity with and without running ahead", 140);
    sim_record_finish(&records[0]);
    sim_record_finish(&records[1]);
}

/* Gravity points down, then turns up from frame 100 to 120: it depends on the frame alone. */
static void gravity_keys_are_the_frame_s(void **state)
{
    (void)state;
    static const mmd_gravity_key keys[] = {{.frame = 0, .strength = 98, .direction = {0, -1, 0}},
                                           {.frame = 100, .strength = 98, .direction = {0, -1, 0}},
                                           {.frame = 120, .strength = 49, .direction = {2, 3, 0}}};
    enum { FRAMES = 240 };
    scene *s = make();
    mmd_physics_options options = sim_scene_options();
    float gravity[3];
    begin(s, &options);
    sim_record *plain = sim_scene_play(&s->sim, 100);
    assert_int_equal(mmd_stage_set_gravity_keys(s->sim.stage, keys, 3, NULL), MMD_OK);
    mmd_stage_gravity_at(s->sim.stage, 110, gravity);
    assert_float_equal(gravity[0], 73.5f, 1e-4f); /* half-way between 98 and 49, 0 and 2, -1 and 3 */
    assert_float_equal(gravity[1], 73.5f, 1e-4f);
    mmd_stage_gravity_at(s->sim.stage, 1e6, gravity);
    assert_float_equal(gravity[1], 147.0f, 1e-4f);
    sim_record *played = sim_scene_play(&s->sim, FRAMES);
    for (uint32_t i = 0; i < 100; i += 7)
        sim_record_expect_same(&played[i], &plain[i], "keys that say what options say", i);
    assert_true(body(s, BODY_BALL).translation[1] > 20);

    /* Seeking gives what playing gives, from snapshots too and with a thread that runs ahead. */
    static const uint32_t ways[] = {239, 5, 119, 101, 200, 121, 60, 180};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        sim_scene_expect(&s->sim, ways[i], &played[ways[i]], "gravity keys and seeking");
    options.run_ahead = true;
    assert_int_equal(mmd_stage_set_physics(s->sim.stage, &options, NULL), MMD_OK);
    assert_true(mmd_stage_has_gravity_keys(s->sim.stage));
    for (uint32_t i = 0; i < FRAMES; i++) {
        mmd_stage_set_frame(s->sim.stage, i);
        if (i % 20 == 0)
            sim_scene_expect(&s->sim, i, &played[i], "gravity keys and running ahead");
    }
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        sim_scene_expect(&s->sim, ways[i], &played[ways[i]], "gravity keys, seeking and running ahead");

    /* Setting gravity removes the keys, even if it equals the gravity of the options. */
    mmd_stage_set_gravity(s->sim.stage, options.gravity);
    assert_false(mmd_stage_has_gravity_keys(s->sim.stage));
    assert_int_equal(mmd_stage_set_physics(s->sim.stage, &options, NULL), MMD_OK);
    sim_scene_expect(&s->sim, 99, &plain[99], "without gravity keys");
    mmd_stage_set_frame(s->sim.stage, 200);
    assert_true(body(s, BODY_BALL).translation[1] < 5);
    sim_records_finish(plain, 100);
    sim_records_finish(played, FRAMES);
    end(s);
}

static void the_ground_can_go(void **state)
{
    (void)state;
    scene *s = make();
    begin(s, NULL);
    play(s, 0, 60);
    assert_true(body(s, BODY_BALL).translation[1] > 0.5f);
    mmd_stage_set_ground(s->sim.stage, false);
    play(s, 61, 120);
    assert_true(body(s, BODY_BALL).translation[1] < -5);
    mmd_stage_set_frame(s->sim.stage, 60);
    assert_true(body(s, BODY_BALL).translation[1] < -5);
    end(s);
}

/* Asking for contacts, such as the ball's with the ground, does not change the simulation. */
static void contacts_are_seen(void **state)
{
    (void)state;
    scene *s = make();
    begin(s, NULL);
    play(s, 0, 60);
    sim_record before = sim_scene_record(&s->sim);
    mmd_contact contacts[64];
    size_t count = mmd_stage_contacts(s->sim.stage, 0, contacts, 64);
    bool ball = false;
    for (size_t i = 0; i < count && i < 64; i++) {
        uint32_t other = contacts[i].body_a == BODY_BALL ? contacts[i].body_b : contacts[i].body_a;
        ball |= (contacts[i].body_a == BODY_BALL || contacts[i].body_b == BODY_BALL) && other == MMD_GROUND;
    }
    assert_true(ball);
    sim_scene_expect(&s->sim, 60, &before, "asked for contacts");
    sim_record_finish(&before);
    end(s);
}

/* Bones of an actor that is placed elsewhere move as they do at the origin. */
static void places_on_the_stage_change_nothing_else(void **state)
{
    (void)state;
    scene *at_home = make(), *away = make();
    mmd_physics_options options = sim_scene_options();
    options.ground = false;
    /* Bullet leaves a locked axis free for one step if its error is exactly 0, as after a correction. That
     * would amplify rounding, so the body is not corrected. */
    at_home->hair.bodies[BODY_3].mode = away->hair.bodies[BODY_3].mode = 1;
    begin(at_home, &options);
    begin(away, &options);
    mmd_staging staging = *mmd_stage_staging(away->sim.stage, 0);
    staging.position[0] = 32;
    staging.rotation[1] = 1;
    mmd_stage_set_staging(away->sim.stage, 0, &staging);
    play(at_home, 0, 20);
    play(away, 0, 20);
    for (int b = 0; b < HAIR_BONES; b++) {
        mmd_transform x = bone(at_home, b), y = bone(away, b);
        assert_true(distance(&x, &y) < 1e-3);
    }
    mmd_transform x = body(at_home, BODY_2), y = body(away, BODY_2), place = {.translation = {32}};
    mmd_rotation_yxz(staging.rotation, place.rotation);
    mmd_transform_multiply(&place, &x, &x);
    assert_true(distance(&x, &y) < 1e-3);
    end(at_home);
    end(away);
}

/* Keys set again may lie at the same address: everything cached for the old ones is invalid. */
static void keys_set_again_are_taken(void **state)
{
    (void)state;
    scene *s = make();
    begin(s, NULL);
    mmd_staging_key key = {.frame = 0, .staging = mmd_default_staging()};
    mmd_stage_set_staging_keys(s->sim.stage, 0, &key, 1);
    play(s, 0, 100);
    mmd_stage_set_frame(s->sim.stage, 60);
    float before = body(s, BODY_HEAD).translation[1];
    mmd_stage_set_frame(s->sim.stage, 100);
    key.staging.position[1] = 100;
    mmd_stage_set_staging_keys(s->sim.stage, 0, &key, 1);
    mmd_stage_set_frame(s->sim.stage, 60);
    assert_true(fabsf(body(s, BODY_HEAD).translation[1] - before - 100) < 1e-3f);
    end(s);
}

/* Bodies of an actor that is hidden by hand are held at their bones, also where it has keys of its own. */
static void an_actor_with_keys_is_hidden_and_shown_by_hand(void **state)
{
    (void)state;
    scene *by_hand = make(), *by_key = make();
    begin(by_hand, NULL);
    begin(by_key, NULL);
    mmd_staging_key shown = {.frame = 0, .staging = mmd_default_staging()}, hidden = shown;
    hidden.staging.visible = false;
    mmd_stage_set_staging_keys(by_hand->sim.stage, 0, &shown, 1);
    mmd_stage_set_staging_keys(by_key->sim.stage, 0, &hidden, 1);
    play(by_hand, 0, 40);
    play(by_key, 0, 40);
    mmd_transform x = body(by_hand, BODY_2), y = body(by_key, BODY_2);
    assert_true(distance(&x, &y) > 0.05);
    mmd_stage_set_visible(by_hand->sim.stage, 0, false);
    mmd_stage_set_frame(by_hand->sim.stage, 42);
    mmd_stage_set_frame(by_key->sim.stage, 42);
    x = body(by_hand, BODY_2), y = body(by_key, BODY_2);
    assert_true(distance(&x, &y) < 1e-4);
    mmd_stage_set_visible(by_hand->sim.stage, 0, true);
    play(by_hand, 43, 70);
    play(by_key, 43, 70);
    x = body(by_hand, BODY_2), y = body(by_key, BODY_2);
    assert_true(distance(&x, &y) > 0.05);
    end(by_hand);
    end(by_key);
}

/* An actor placed on another's bone moves with it. */
static void parents_carry_their_children(void **state)
{
    (void)state;
    scene *s = make();
    const mmd_motion *motions[2] = {&s->motion.motion, &s->motion.motion};
    sim_record one = {0};
    for (int variant = 0; variant < 3; variant++) {
        mmd_physics_options options = sim_scene_options();
        options.shared_world = variant == 0;
        options.threads = variant == 2 ? 2 : 0;
        options.ground = false;
        sim_scene_make(&s->sim, 2, &s->hair.model, motions, &options);
        mmd_staging staging = *mmd_stage_staging(s->sim.stage, 0);
        staging.position[1] = -12;
        staging.parent = s->sim.actors[1];
        staging.parent_bone = HAIR_3;
        mmd_stage_set_staging(s->sim.stage, 0, &staging);
        play(s, 0, 30);
        float placement[16];
        assert_true(mmd_stage_placement(s->sim.stage, 0, placement));
        mmd_transform head = body(s, BODY_HEAD);
        mmd_transform world = bone(s, HAIR_HEAD);
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            double at = (double)placement[12 + k] + (double)placement[k] * (double)world.translation[0] +
                        (double)placement[4 + k] * ((double)world.translation[1] + 0.5) +
                        (double)placement[8 + k] * (double)world.translation[2];
            sum += pow(at - (double)head.translation[k], 2);
        }
        assert_true(sqrt(sum) < 1.5); /* one step behind its parent */
        sim_record now = sim_scene_record(&s->sim);
        if (variant == 1)
            one = now;
        else if (variant == 2)
            sim_record_expect_same(&now, &one, "threads", 30);
        if (variant != 1)
            sim_record_finish(&now);
        sim_scene_finish(&s->sim);
    }
    sim_record_finish(&one);
    s->sim = (sim_scene){0};
    end(s);
}

/* Non-finite and huge translations leave all bodies finite and near the head. */
static void hostile_motions_are_survived(void **state)
{
    (void)state;
    static const float wild[] = {1e30f, NAN, INFINITY, -1e9f, 1e5f};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
        scene *s = make();
        for (uint32_t k = 20; k < 24; k++)
            s->motion.keys[0][k].translation[i % 3] = wild[i];
        begin(s, NULL);
        play(s, 0, 160);
        for (int b = 0; b < HAIR_BODIES; b++)
            for (int k = 0; k < 3; k++)
                assert_true(isfinite(body(s, b).translation[k]));
        mmd_transform head = bone(s, HAIR_HEAD), hair = bone(s, HAIR_3);
        assert_true(distance(&head, &hair) < 20);
        end(s);
    }
}

enum { CHAIN = 1000 };

typedef struct long_chain {
    mmd_model model;
    mmd_bone bones[CHAIN];
    mmd_rigid_body bodies[CHAIN];
    mmd_joint joints[CHAIN];
} long_chain;

/* Makes bone, body and joint of one link, with extreme sizes, masses and limits. */
static void make_link(long_chain *c, int i)
{
    float y = 1500.0f - (float)i, limit = i % 5 ? 0.5f : -0.5f;
    c->bones[i] = (mmd_bone){.name = "",
                             .name_en = "",
                             .position = {0, y, 0},
                             .parent = i - 1,
                             .layer = CHAIN - i, /* children are evaluated before their parents */
                             .tail_bone = -1,
                             .append_source = -1,
                             .ik_target = -1};
    c->bodies[i] = (mmd_rigid_body){.name = "",
                                    .name_en = "",
                                    .bone = i,
                                    .group = 1,
                                    .shape = (uint8_t)(i % 3),
                                    .size = {i % 7 ? 0.2f : 0.0f, 0.4f, 0.2f},
                                    .position = {0, y - 0.5f, 0},
                                    .mass = i % 11 == 10   ? 0.0f
                                            : i % 13 == 12 ? 1e6f
                                                           : 0.5f,
                                    .mode = (uint8_t)(i ? 1 + i % 2 : 0)};
    c->joints[i] = (mmd_joint){.name = "",
                               .name_en = "",
                               .body_a = i ? i - 1 : 0,
                               .body_b = i, /* the first joint connects a body with itself */
                               .position = {0, y, 0},
                               .angular_lower = {-limit, 0, 0},
                               .angular_upper = {limit, 0, 0},
                               .angular_spring = {10, 1e6f, 0}};
}

static long_chain *make_chain(void)
{
    long_chain *c = mmd_alloc(sizeof *c);
    assert_non_null(c);
    memset(c, 0, sizeof *c);
    for (int i = 0; i < CHAIN; i++)
        make_link(c, i);
    c->model = (mmd_model){.name = "",
                           .name_en = "",
                           .comment = "",
                           .comment_en = "",
                           .bone_count = CHAIN,
                           .bones = c->bones,
                           .body_count = CHAIN,
                           .bodies = c->bodies,
                           .joint_count = CHAIN,
                           .joints = c->joints};
    assert_int_equal(mmd_model_prepare(&c->model, NULL), MMD_OK);
    return c;
}

static void a_chain_of_a_thousand_bodies_is_survived(void **state)
{
    (void)state;
    long_chain *c = make_chain();
    mmd_physics_options options = sim_scene_options();
    mmd_motion still = {.last_frame = 0};
    const mmd_motion *motion = &still;
    sim_scene sim;
    sim_scene_make(&sim, 1, &c->model, &motion, &options);
    for (int frame = 0; frame < 60; frame++)
        mmd_stage_set_frame(sim.stage, frame);
    for (int i = 0; i < CHAIN; i++)
        for (int k = 0; k < 3; k++)
            assert_true(fabsf(mmd_stage_bodies(sim.stage, 0)[i].translation[k]) < 1e4f);
    sim_record played = sim_scene_record(&sim);
    mmd_stage_set_frame(sim.stage, 7);
    sim_scene_expect(&sim, 59, &played, "a long chain");
    sim_record_finish(&played);
    sim_scene_finish(&sim);
    mmd_arena_finish(&c->model.arena);
    mmd_free(c);
}

/* With the null backend only kinematic bodies move, and no frame allocates. */
static void null_backend_stands_still(void **state)
{
    (void)state;
    scene *s = make();
    mmd_physics_options options = sim_scene_options();
    options.backend = MMD_PHYSICS_NULL;
    options.run_ahead = true;
    begin(s, &options);
    play(s, 0, 60);
    uint64_t allocations = mmd_heap_allocations();
    play(s, 61, 400);
    play(s, 3, 80);
    assert_int_equal(mmd_heap_allocations(), allocations);
    assert_true(distance_from_bone(s, BODY_HEAD, HAIR_HEAD) < 1e-4);
    end(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_and_bones_go_together),
        cmocka_unit_test(mode_2_keeps_its_bones_place),
        cmocka_unit_test(bones_behind_physics_follow),
        cmocka_unit_test(a_switch_holds_and_lets_go),
        cmocka_unit_test(appearing_is_a_reset),
        cmocka_unit_test(a_teleport_puts_back_and_tells_once),
        cmocka_unit_test(nothing_slower_than_the_guard_is_put_back),
        cmocka_unit_test(running_ahead_tells_in_time),
        cmocka_unit_test(a_gust_pushes),
        cmocka_unit_test(impulses_do_not_depend_on_the_rate),
        cmocka_unit_test(without_physics_bodies_are_at_bones),
        cmocka_unit_test(switching_on_is_a_reset),
        cmocka_unit_test(adding_an_actor_resets),
        cmocka_unit_test(edits_carry_on_and_begin_anew_when_going_back),
        cmocka_unit_test(gravity_turns_without_a_reset),
        cmocka_unit_test(gravity_keys_are_the_frame_s),
        cmocka_unit_test(the_ground_can_go),
        cmocka_unit_test(contacts_are_seen),
        cmocka_unit_test(places_on_the_stage_change_nothing_else),
        cmocka_unit_test(keys_set_again_are_taken),
        cmocka_unit_test(an_actor_with_keys_is_hidden_and_shown_by_hand),
        cmocka_unit_test(parents_carry_their_children),
        cmocka_unit_test(hostile_motions_are_survived),
        cmocka_unit_test(a_chain_of_a_thousand_bodies_is_survived),
        cmocka_unit_test(null_backend_stands_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
