/* Tests actors that play animations, bodies with a constant velocity, and both together with physics. */
#include "made_scene.h"
#include "support.h"

#include "mmd/physics.h"
#include "mmd/simulation.h"
#include "mmd/text.h"

enum { PLATE, BALL, WHEEL, SPOKE, MOON, RIDER, BONES };

/*
 * A plate that an animation moves to and fro, with a ball lying on it and a rider that has a velocity; a
 * wheel with a constant velocity and a spoke as its child; and a moon, child of the spoke, with its own
 * velocity.
 */
typedef struct show {
    made_scene *made;
    mmd_model model;
    mmd_bone bones[BONES];
    mmd_morph morph;
    mmd_animation animations[2];
} show;

static const float places[BONES][3] = {{0, 2, 0},  {0.5f, 5, 0}, {20, 5, 1},
                                       {22, 5, 1}, {23, 6, 1},   {3, 3, 0}};
static const int8_t parents[BONES] = {-1, -1, -1, WHEEL, SPOKE, PLATE};
static const float wheel_speed[3] = {1.5f, 0, -2}, wheel_turn[3] = {0, 1, 2}, wheel_center[3] = {0.5f, 0, 0};
static const float moon_speed[3] = {0, 3, 0}, moon_turn[3] = {0.5f, 0, 0};

/* The plate moves along x and back within two seconds and is turned about y after the first second. The
 * second animation drives the morph and also names bones that do not exist. */
static const float times[] = {0, 1, 2};
static const float moves[] = {0, 0, 0, 4, 0, 0, 0, 0, 0};
static const float turns[] = {0, 0, 0, 1, 0, 0.6f, 0, 0.8f, 0, 0, 0, 1};
static const float weights[] = {0, 1, 0.5f};
static const mmd_animation_channel plate_channels[] = {
    {MMD_ANIMATED_TRANSLATION, MMD_INTERPOLATION_LINEAR, PLATE, 3, times, moves},
    {MMD_ANIMATED_ROTATION, MMD_INTERPOLATION_LINEAR, PLATE, 3, times, turns}};
static const mmd_animation_channel other_channels[] = {
    {MMD_ANIMATED_WEIGHT, MMD_INTERPOLATION_LINEAR, 0, 3, times, weights},
    {MMD_ANIMATED_TRANSLATION, MMD_INTERPOLATION_LINEAR, BONES, 3, times, moves},
    {MMD_ANIMATED_WEIGHT, MMD_INTERPOLATION_LINEAR, -1, 3, times, weights},
    {MMD_ANIMATED_SCALE, MMD_INTERPOLATION_LINEAR, PLATE, 3, times, moves}};

static mmd_phys_body *add_body(show *s, mmd_phys_motion motion, int32_t bone, const float half[3])
{
    const float *at = places[bone];
    mmd_phys_body *body = made_body(s->made, motion, MMD_PHYS_BOX, half, at[0], at[1], at[2],
                                    motion == MMD_PHYS_DYNAMIC ? 1.0f : 0.0f);
    body->bone = bone;
    return body;
}

static void set_speed(mmd_phys_body *body, const float linear[3], const float angular[3])
{
    memcpy(body->linear_velocity, linear, sizeof body->linear_velocity);
    memcpy(body->angular_velocity, angular, sizeof body->angular_velocity);
}

static void make_bodies(show *s)
{
    static const float flat[3] = {6, 0.5f, 6}, small[3] = {0.5f, 0.5f, 0.5f};
    add_body(s, MMD_PHYS_KINEMATIC, PLATE, flat);
    add_body(s, MMD_PHYS_DYNAMIC, BALL, small);
    mmd_phys_body *wheel = add_body(s, MMD_PHYS_KINEMATIC, WHEEL, small);
    set_speed(wheel, wheel_speed, wheel_turn);
    wheel->auto_center = false;
    memcpy(wheel->center, wheel_center, sizeof wheel->center);
    set_speed(add_body(s, MMD_PHYS_KINEMATIC, MOON, small), moon_speed, moon_turn);
    set_speed(add_body(s, MMD_PHYS_KINEMATIC, RIDER, small), moon_speed, moon_turn);
}

static void show_make(show *s)
{
    static const char *const names[BONES] = {"plate", "ball", "wheel", "spoke", "moon", "rider"};
    memset(s, 0, sizeof *s);
    s->made = made_scene_create();
    for (int i = 0; i < BONES; i++) {
        s->bones[i] = (mmd_bone){.name = names[i],
                                 .name_en = "",
                                 .parent = parents[i],
                                 .flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE,
                                 .tail_bone = -1,
                                 .append_source = -1,
                                 .ik_target = -1};
        memcpy(s->bones[i].position, places[i], sizeof places[i]);
    }
    make_bodies(s);
    s->morph = (mmd_morph){.name = "あ", .name_en = "", .kind = MMD_MORPH_VERTEX};
    s->model = (mmd_model){.name = "",
                           .name_en = "",
                           .comment = "",
                           .comment_en = "",
                           .bone_count = BONES,
                           .bones = s->bones,
                           .morph_count = 1,
                           .morphs = &s->morph,
                           .physscene = &s->made->scene};
    assert_int_equal(mmd_model_prepare(&s->model, NULL), MMD_OK);
    s->animations[0] =
        (mmd_animation){.name = "", .channel_count = 2, .channels = plate_channels, .seconds = 2};
    s->animations[1] =
        (mmd_animation){.name = "", .channel_count = 4, .channels = other_channels, .seconds = 2.5f};
}

static void show_finish(show *s)
{
    mmd_arena_finish(&s->model.arena);
    made_destroy(s->made, NULL);
}

static mmd_actor *make_actor(show *s)
{
    mmd_actor *actor = mmd_actor_create(&s->model);
    assert_non_null(actor);
    assert_int_equal(mmd_actor_set_animations(actor, s->animations, 2, NULL), MMD_OK);
    return actor;
}

static const mmd_transform *bone_of(mmd_actor *actor, uint32_t bone)
{
    return &mmd_pose_world(mmd_actor_pose(actor))[bone];
}

/* ------------------------------------------------------------ animations */

static void bones_and_morphs_follow_the_seconds_of_a_frame(void **state)
{
    (void)state;
    show s;
    show_make(&s);
    mmd_actor *actor = make_actor(&s);
    assert_float_equal(mmd_actor_last_frame(actor), 75, 0);
    mmd_actor_set_frame(actor, 30);
    assert_float_equal(bone_of(actor, PLATE)->translation[0], 4, 0);
    assert_float_equal(bone_of(actor, PLATE)->translation[1], 2, 0);
    assert_float_equal(bone_of(actor, PLATE)->rotation[1], 0.6, 1e-6);
    assert_float_equal(mmd_pose_weights(mmd_actor_pose(actor))[0], 1, 0);
    mmd_actor_set_frame(actor, 41.25);
    assert_float_equal(bone_of(actor, PLATE)->translation[0], 4 - 4 * 0.375, 1e-6);
    assert_float_equal(mmd_pose_weights(mmd_actor_pose(actor))[0], 1 - 0.5 * 0.375, 1e-6);
    uint64_t allocations = mmd_heap_allocations();
    for (int i = 0; i < 50; i++)
        mmd_actor_set_frame(actor, 7.3 * (i * 7 % 11));
    assert_int_equal(mmd_heap_allocations(), allocations);
    assert_int_equal(mmd_actor_set_animations(actor, NULL, 0, NULL), MMD_OK);
    mmd_actor_set_frame(actor, 30);
    assert_float_equal(bone_of(actor, PLATE)->translation[0], 0, 0);
    assert_float_equal(mmd_actor_last_frame(actor), 0, 0);
    mmd_actor_destroy(actor);
    show_finish(&s);
}

static void later_animations_and_channels_override_each_on_its_own(void **state)
{
    (void)state;
    static const float still[] = {0, 7, 0};
    const mmd_animation_channel channels[] = {
        {MMD_ANIMATED_TRANSLATION, MMD_INTERPOLATION_LINEAR, PLATE, 3, times, moves},
        {MMD_ANIMATED_TRANSLATION, MMD_INTERPOLATION_STEP, PLATE, 1, times, still}};
    show s;
    show_make(&s);
    s.animations[1] = (mmd_animation){.name = "", .channel_count = 2, .channels = channels, .seconds = 1};
    mmd_actor *actor = make_actor(&s);
    mmd_actor_set_frame(actor, 30);
    assert_float_equal(bone_of(actor, PLATE)->translation[0], 0, 0);
    assert_float_equal(bone_of(actor, PLATE)->translation[1], 9, 0);
    assert_float_equal(bone_of(actor, PLATE)->rotation[1], 0.6, 1e-6); /* the first animation's */
    mmd_actor_destroy(actor);
    show_finish(&s);
}

static void a_motion_takes_the_bones_and_morphs_that_it_keys(void **state)
{
    (void)state;
    uint32_t frame = 0;
    float weight = 0.25f;
    mmd_bone_key key = {.translation = {0, 0, 9}, .rotation = {0, 0, 0, 1}};
    mmd_bone_track bone = {.count = 1, .frames = &frame, .keys = &key};
    mmd_morph_track morph = {.count = 1, .frames = &frame, .weights = &weight};
    mmd_name_key_from_utf8("plate", bone.name, NULL, NULL);
    mmd_name_key_from_utf8("あ", morph.name, NULL, NULL);
    mmd_motion motion = {.bone_track_count = 1, .bone_tracks = &bone, .last_frame = 60};
    mmd_motion face = {.morph_track_count = 1, .morph_tracks = &morph, .last_frame = 90};
    show s;
    show_make(&s);
    mmd_actor *actor = make_actor(&s);
    assert_int_equal(mmd_actor_add_motion(actor, &motion, NULL), MMD_OK);
    mmd_actor_set_frame(actor, 30);
    assert_float_equal(bone_of(actor, PLATE)->translation[0], 0, 0);
    assert_float_equal(bone_of(actor, PLATE)->translation[2], 9, 0);
    assert_float_equal(bone_of(actor, PLATE)->rotation[3], 1, 0);
    assert_float_equal(mmd_pose_weights(mmd_actor_pose(actor))[0], 1, 0);
    assert_int_equal(mmd_actor_add_motion(actor, &face, NULL), MMD_OK);
    mmd_actor_set_frame(actor, 30);
    assert_float_equal(mmd_pose_weights(mmd_actor_pose(actor))[0], 0.25, 0);
    assert_float_equal(mmd_actor_last_frame(actor), 90, 0);
    mmd_actor_destroy(actor);
    show_finish(&s);
}

/* ---------------------------------------------------------- velocities */

/* Compares with the definition, computed in double: a rotation about a moving centre. */
static void expect_drift(const mmd_transform *actual, const float rest[3], const float center[3],
                         const float linear[3], const float angular[3], double seconds)
{
    double speed = 0, axis[3], from[3], cross[3], along = 0;
    for (int k = 0; k < 3; k++)
        speed += (double)angular[k] * (double)angular[k];
    speed = sqrt(speed);
    for (int k = 0; k < 3; k++) {
        axis[k] = (double)angular[k] / speed;
        from[k] = (double)rest[k] - (double)center[k];
        along += axis[k] * from[k];
    }
    for (int k = 0; k < 3; k++)
        cross[k] = axis[(k + 1) % 3] * from[(k + 2) % 3] - axis[(k + 2) % 3] * from[(k + 1) % 3];
    double angle = speed * seconds, c = cos(angle), sine = sin(angle), sign = 0;
    for (int k = 0; k < 3; k++) {
        double place = (double)center[k] + (double)linear[k] * seconds + c * from[k] + sine * cross[k] +
                       (1 - c) * along * axis[k];
        assert_float_equal(actual->translation[k], place, 2e-4);
        sign += (double)actual->rotation[k] * axis[k] * sin(0.5 * angle);
    }
    sign += (double)actual->rotation[3] * cos(0.5 * angle);
    assert_float_equal(fabs(sign), 1, 1e-5);
}

static mmd_stage *make_stage(mmd_actor *const *actors, size_t count, bool physics, bool shared, bool ahead)
{
    mmd_error error = {0};
    mmd_stage *stage = mmd_stage_create();
    assert_non_null(stage);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(mmd_stage_add_actor(stage, actors[i], NULL), MMD_OK);
    mmd_physics_options options = mmd_default_physics_options();
    options.shared_world = shared;
    options.run_ahead = ahead;
    if (mmd_stage_set_physics(stage, physics ? &options : NULL, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    return stage;
}

static void kinematic_bodies_keep_their_velocity_by_formula(void **state)
{
    (void)state;
    show s;
    show_make(&s);
    mmd_actor *actor = make_actor(&s);
    mmd_stage *stage = make_stage(&actor, 1, true, true, false);
    static const double frames[] = {0, 30, 7, 299.5, 0.25, 90, 600};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        double seconds = frames[i] / 30.0;
        mmd_stage_set_frame(stage, frames[i]);
        const mmd_transform *bodies = mmd_stage_bodies(stage, 0);
        float center[3];
        for (int k = 0; k < 3; k++)
            center[k] = places[WHEEL][k] + wheel_center[k];
        expect_drift(bone_of(actor, WHEEL), places[WHEEL], center, wheel_speed, wheel_turn, seconds);
        expect_drift(bone_of(actor, SPOKE), places[SPOKE], center, wheel_speed, wheel_turn, seconds);
        expect_drift(bone_of(actor, MOON), places[MOON], places[MOON], moon_speed, moon_turn, seconds);
        /* true at a simulation step; between steps bodies are interpolated */
        if (floor(frames[i] * 2) == frames[i] * 2) {
            expect_drift(&bodies[2], places[WHEEL], center, wheel_speed, wheel_turn, seconds);
            expect_drift(&bodies[3], places[MOON], places[MOON], moon_speed, moon_turn, seconds);
        }
    }
    mmd_stage_set_frame(stage, 60);
    for (int k = 0; k < 3; k++) /* its parent is animated, so its velocity has no effect */
        assert_float_equal(bone_of(actor, RIDER)->translation[k], places[RIDER][k], 1e-5);
    mmd_stage_destroy(stage);
    mmd_actor_destroy(actor);
    show_finish(&s);
}

static void nothing_drifts_without_physics_or_before_frame_0(void **state)
{
    (void)state;
    show s;
    show_make(&s);
    mmd_actor *actor = make_actor(&s);
    mmd_stage *stage = make_stage(&actor, 1, false, true, false);
    mmd_stage_set_frame(stage, 60);
    assert_memory_equal(bone_of(actor, WHEEL)->translation, places[WHEEL], sizeof places[WHEEL]);
    mmd_physics_options options = mmd_default_physics_options();
    assert_int_equal(mmd_stage_set_physics(stage, &options, NULL), MMD_OK);
    mmd_stage_set_frame(stage, -20);
    assert_memory_equal(bone_of(actor, WHEEL)->translation, places[WHEEL], sizeof places[WHEEL]);
    mmd_stage_set_frame(stage, 60);
    assert_float_equal(bone_of(actor, MOON)->translation[1], places[MOON][1] + 6, 1e-4);
    assert_int_equal(mmd_stage_set_physics(stage, NULL, NULL), MMD_OK);
    mmd_stage_set_frame(stage, 60);
    assert_memory_equal(bone_of(actor, WHEEL)->translation, places[WHEEL], sizeof places[WHEEL]);
    mmd_stage_destroy(stage);
    mmd_actor_destroy(actor);
    show_finish(&s);
}

/* -------------------------------------------------------- with physics */

enum { PLAYED = 90 };

typedef struct frame_record {
    mmd_transform bodies[2][5], bones[2][BONES];
} frame_record;

static void record_frame(mmd_stage *stage, double frame, frame_record *record)
{
    mmd_stage_set_frame(stage, frame);
    for (size_t i = 0; i < 2; i++) {
        memcpy(record->bodies[i], mmd_stage_bodies(stage, i), sizeof record->bodies[i]);
        memcpy(record->bones[i], bone_of(mmd_stage_actor(stage, i), 0), sizeof record->bones[i]);
    }
}

static void a_frame_is_the_same_in_whatever_order_on_all_threads(void **state)
{
    (void)state;
    static frame_record played[PLAYED], now;
    show s;
    show_make(&s);
    mmd_actor *actors[4];
    for (int i = 0; i < 4; i++)
        actors[i] = make_actor(&s);
    mmd_stage *playing = make_stage(actors, 2, true, false, true);
    for (int i = 0; i < PLAYED; i++)
        record_frame(playing, i, &played[i]);
    assert_true(played[30].bodies[0][1].translation[1] > 2.5f); /* the ball lies on the plate, */
    assert_true(fabsf(played[30].bodies[0][1].translation[0] - places[BALL][0]) >
                0.2f); /* which has moved it along */
    mmd_stage *jumping = make_stage(actors + 2, 2, true, false, false);
    uint64_t random = 3;
    for (int i = 0; i < 60; i++) {
        int at = (int)(test_random(&random) % PLAYED);
        record_frame(jumping, at, &now);
        assert_memory_equal(&now, &played[at], sizeof now);
        record_frame(playing, at, &now);
        assert_memory_equal(&now, &played[at], sizeof now);
    }
    mmd_stage_destroy(playing);
    mmd_stage_destroy(jumping);
    for (int i = 0; i < 4; i++)
        mmd_actor_destroy(actors[i]);
    show_finish(&s);
}

/* Animations set while physics is on apply from the first frame. */
static void physics_takes_animations_that_come_later(void **state)
{
    (void)state;
    static frame_record before, after;
    show s;
    show_make(&s);
    mmd_actor *actors[4];
    for (int i = 0; i < 4; i++)
        actors[i] = make_actor(&s);
    mmd_stage *first = make_stage(actors, 2, true, true, true);
    record_frame(first, 50, &before);
    for (int i = 2; i < 4; i++)
        assert_int_equal(mmd_actor_set_animations(actors[i], NULL, 0, NULL), MMD_OK);
    mmd_stage *second = make_stage(actors + 2, 2, true, true, true);
    record_frame(second, 49, &after);
    record_frame(second, 50, &after);
    assert_memory_not_equal(&before, &after, sizeof before);
    for (int i = 2; i < 4; i++)
        assert_int_equal(mmd_actor_set_animations(actors[i], s.animations, 2, NULL), MMD_OK);
    record_frame(second, 50, &after);
    assert_memory_equal(&before, &after, sizeof before);
    assert_float_equal(mmd_stage_last_frame(second), 75, 0);
    mmd_stage_destroy(first);
    mmd_stage_destroy(second);
    for (int i = 0; i < 4; i++)
        mmd_actor_destroy(actors[i]);
    show_finish(&s);
}

/* The linear velocity of a file belongs to the centre of mass, so a turning body has another one at its
 * origin. */
static void velocities_of_files_are_of_the_centre_of_mass(void **state)
{
    (void)state;
    mmd_phys_body body = {.motion = MMD_PHYS_DYNAMIC,
                          .rest = {{0, 0, 0, 1}, {5, 6, 7, 0}},
                          .center = {2, 0, 0},
                          .linear_velocity = {1, 0, 0},
                          .angular_velocity = {0, 0, 3}};
    mmd_velocity velocity;
    mmd_phys_start_velocity(&body, &velocity);
    assert_float_equal(velocity.linear[0], 1, 1e-6f);
    assert_float_equal(velocity.linear[1], -6, 1e-6f);
    assert_float_equal(velocity.angular[2], 3, 0);
    body.auto_center = true; /* the centre is then the origin */
    mmd_phys_start_velocity(&body, &velocity);
    assert_float_equal(velocity.linear[1], 0, 0);
}

/* A body that misses the floor of an imported scene is not reset, however fast it falls. */
static void what_falls_past_everything_falls_on(void **state)
{
    (void)state;
    const float g = 98; /* the default gravity of a stage */
    show s;
    show_make(&s);
    s.made->scene.world.exact_restitution = true;
    s.made->scene.bodies[0].disabled = true; /* the plate */
    mmd_actor *actor = make_actor(&s);
    mmd_stage *stage = make_stage(&actor, 1, true, true, false);
    mmd_stage_set_ground(stage, false);
    mmd_stage_set_frame(stage, 450);
    float fallen = places[BALL][1] - mmd_stage_bodies(stage, 0)[1].translation[1];
    assert_float_equal(fallen, g * 112.5f, 2 * g);
    assert_int_equal(mmd_stage_physics_report(stage).reset_bodies, 0);
    mmd_stage_destroy(stage);
    mmd_actor_destroy(actor);
    show_finish(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bones_and_morphs_follow_the_seconds_of_a_frame),
        cmocka_unit_test(later_animations_and_channels_override_each_on_its_own),
        cmocka_unit_test(a_motion_takes_the_bones_and_morphs_that_it_keys),
        cmocka_unit_test(kinematic_bodies_keep_their_velocity_by_formula),
        cmocka_unit_test(nothing_drifts_without_physics_or_before_frame_0),
        cmocka_unit_test(a_frame_is_the_same_in_whatever_order_on_all_threads),
        cmocka_unit_test(physics_takes_animations_that_come_later),
        cmocka_unit_test(velocities_of_files_are_of_the_centre_of_mass),
        cmocka_unit_test(what_falls_past_everything_falls_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
