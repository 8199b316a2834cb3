/* Tests actors and the stage: motions on a model, evaluated in any order of frames. */
#include "support.h"

#include "mmd/actor.h"
#include "mmd/format.h"
#include "mmd/simulation.h"
#include "mmd/text.h"

typedef struct bone_motion {
    mmd_motion motion;
    mmd_bone_track track;
    mmd_bone_key keys[2];
    uint32_t frames[2];
} bone_motion;

/* Makes a motion that moves one bone to x at frame 0 and to x + 10 at frame 10. */
static void make_motion(bone_motion *m, const char *bone, float x)
{
    *m = (bone_motion){.frames = {0, 10}};
    for (int i = 0; i < 2; i++) {
        m->keys[i] = (mmd_bone_key){.translation = {x + 10.0f * (float)i, 0, 0}, .rotation = {0, 0, 0, 1}};
        for (int c = 0; c < 4; c++)
            m->keys[i].curve[c] = (mmd_curve){20, 20, 107, 107};
    }
    mmd_name_key_from_utf8(bone, m->track.name, NULL, NULL);
    m->track.count = 2;
    m->track.frames = m->frames;
    m->track.keys = m->keys;
    m->motion.bone_track_count = 1;
    m->motion.bone_tracks = &m->track;
    m->motion.last_frame = 10;
}

static mmd_model two_bones(mmd_bone bones[2])
{
    static const char *const names[2] = {"センター", "全ての親とても長い名前のボーン"};
    for (int i = 0; i < 2; i++)
        bones[i] = (mmd_bone){.name = names[i],
                              .name_en = "",
                              .parent = -1,
                              .flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE,
                              .tail_bone = -1,
                              .append_source = -1,
                              .ik_target = -1};
    return (mmd_model){
        .name = "", .name_en = "", .comment = "", .comment_en = "", .bone_count = 2, .bones = bones};
}

static float x_of(mmd_actor *actor, uint32_t bone)
{
    return mmd_pose_world(mmd_actor_pose(actor))[bone].translation[0];
}

static void later_motions_override_the_bones_they_key(void **state)
{
    (void)state;
    mmd_bone bones[2];
    mmd_model model = two_bones(bones);
    assert_int_equal(mmd_model_prepare(&model, NULL), MMD_OK);
    bone_motion first, second, other;
    make_motion(&first, "センター", 1);
    make_motion(&second, "センター", 100);
    make_motion(&other, bones[1].name, 7); /* longer than 15 bytes: matched by its first 15 */
    mmd_actor *actor = mmd_actor_create(&model);
    assert_non_null(actor);
    assert_int_equal(mmd_actor_add_motion(actor, &first.motion, NULL), MMD_OK);
    mmd_actor_set_frame(actor, 5);
    assert_float_equal(x_of(actor, 0), 6, 1e-5);
    assert_int_equal(mmd_actor_add_motion(actor, &second.motion, NULL), MMD_OK);
    assert_int_equal(mmd_actor_add_motion(actor, &other.motion, NULL), MMD_OK);
    mmd_actor_set_frame(actor, 5);
    assert_float_equal(x_of(actor, 0), 105, 1e-4);
    assert_float_equal(x_of(actor, 1), 12, 1e-5);
    assert_float_equal(mmd_actor_last_frame(actor), 10, 0);
    mmd_actor_destroy(actor);
    mmd_arena_finish(&model.arena);
}

static void frames_beyond_the_keys_hold(void **state)
{
    (void)state;
    mmd_bone bones[2];
    mmd_model model = two_bones(bones);
    assert_int_equal(mmd_model_prepare(&model, NULL), MMD_OK);
    bone_motion motion;
    make_motion(&motion, "センター", 1);
    mmd_actor *actor = mmd_actor_create(&model);
    assert_int_equal(mmd_actor_add_motion(actor, &motion.motion, NULL), MMD_OK);
    mmd_actor_set_frame(actor, -3);
    assert_float_equal(x_of(actor, 0), 1, 0);
    mmd_actor_set_frame(actor, 1e6);
    assert_float_equal(x_of(actor, 0), 11, 0);
    mmd_actor_set_frame(actor, 2.5);
    assert_float_equal(x_of(actor, 0), 3.5, 1e-5);
    mmd_actor_destroy(actor);
    mmd_arena_finish(&model.arena);
}

/*
 * Model with bones that are evaluated before their parent or append source, and with bodies on those bones.
 */
typedef struct late_rig {
    mmd_model model;
    mmd_bone bones[4]; /* a child, its parent; a bone with an append, its append source */
    mmd_rigid_body bodies[2];
    bone_motion motions[3];
    mmd_actor *actor;
} late_rig;

static void make_late_rig(late_rig *rig)
{
    static const char *const names[4] = {"子", "親", "付与", "元"};
    *rig = (late_rig){.model = {.name = "", .name_en = "", .comment = "", .comment_en = ""}};
    rig->model.bone_count = 4;
    rig->model.bones = rig->bones;
    rig->model.body_count = 2;
    rig->model.bodies = rig->bodies;
    for (int i = 0; i < 4; i++)
        rig->bones[i] = (mmd_bone){.name = names[i],
                                   .name_en = "",
                                   .parent = i == 0 ? 1 : -1,
                                   .layer = i % 2,
                                   .flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE,
                                   .tail_bone = -1,
                                   .append_source = -1,
                                   .ik_target = -1};
    rig->bones[2].flags |= MMD_BONE_APPEND_TRANSLATION;
    rig->bones[2].append_source = 3;
    rig->bones[2].append_ratio = 0.5f;
    for (int i = 0; i < 2; i++)
        rig->bodies[i] = (mmd_rigid_body){.name = "", .name_en = "", .bone = 2 * i, .size = {1, 1, 1}};
    assert_int_equal(mmd_model_prepare(&rig->model, NULL), MMD_OK);
    make_motion(&rig->motions[0], names[0], 0);
    make_motion(&rig->motions[1], names[1], 100);
    rig->motions[1].keys[1].translation[0] = 130;
    make_motion(&rig->motions[2], names[3], 0);
    rig->motions[2].keys[1].translation[0] = 70;
    rig->actor = mmd_actor_create(&rig->model);
    assert_non_null(rig->actor);
    for (int i = 0; i < 3; i++)
        assert_int_equal(mmd_actor_add_motion(rig->actor, &rig->motions[i].motion, NULL), MMD_OK);
}

static void finish_late_rig(late_rig *rig)
{
    mmd_actor_destroy(rig->actor);
    mmd_arena_finish(&rig->model.arena);
}

/* Computes by hand the x of the four bones: each motion is linear from frame 0 to 10 and constant outside. */
static void late_places(double frame, double delay, double x[4])
{
    double now = fmin(fmax(frame - delay, 0), 10), before = fmin(fmax(frame - 1 - delay, 0), 10);
    x[0] = now + 100 + 3 * before;
    x[1] = 100 + 3 * now;
    x[2] = 0.5 * 7 * before;
    x[3] = 7 * now;
}

static void what_comes_later_in_the_order_is_a_frame_late(void **state)
{
    (void)state;
    static const double frames[] = {0, 0.25, 1, 1.5, 4, 9.75, 10, 10.5, 11, 13, 2, -5, 1.25};
    late_rig rig;
    make_late_rig(&rig);
    for (int delay = 0; delay <= 3; delay += 3) {
        mmd_actor_set_delay(rig.actor, delay);
        for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
            double x[4];
            late_places(frames[i], delay, x);
            mmd_actor_set_frame(rig.actor, frames[i]);
            for (uint32_t b = 0; b < 4; b++)
                assert_float_equal(x_of(rig.actor, b), x[b], 1e-4);
        }
    }
    finish_late_rig(&rig);
}

/*
 * Bodies that physics moves with their bones lag by the same frame, also for a model on another model's bone.
 */
static void physics_sees_it_a_frame_late_as_well(void **state)
{
    (void)state;
    static const double frames[] = {0, 0.5, 1, 2.5, 4, 9.5, 10, 10.5, 11, 13, 2, 7.5};
    late_rig rigs[2];
    mmd_stage *stage = mmd_stage_create();
    mmd_physics_options options = mmd_default_physics_options();
    options.run_ahead = false;
    assert_non_null(stage);
    for (int i = 0; i < 2; i++) {
        make_late_rig(&rigs[i]);
        assert_int_equal(mmd_stage_add_actor(stage, rigs[i].actor, NULL), MMD_OK);
    }
    assert_int_equal(mmd_stage_set_physics(stage, &options, NULL), MMD_OK);
    for (int hung = 0; hung < 2; hung++) {
        if (hung) {
            /* The second model is placed on the first model's child bone. */
            mmd_staging staging = mmd_default_staging();
            staging.parent = rigs[0].actor;
            staging.parent_bone = 0;
            mmd_stage_set_staging(stage, 1, &staging);
        }
        for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
            double x[4];
            late_places(frames[i], 0, x);
            mmd_stage_set_frame(stage, frames[i]);
            for (size_t a = 0; a < 2; a++)
                for (int body = 0; body < 2; body++)
                    assert_float_equal(mmd_stage_bodies(stage, a)[body].translation[0],
                                       x[2 * body] + (hung && a == 1 ? x[0] : 0), 2e-4);
        }
    }
    mmd_stage_destroy(stage);
    for (int i = 0; i < 2; i++)
        finish_late_rig(&rigs[i]);
}

static void keys_on_a_fixed_axis_are_projected(void **state)
{
    (void)state;
    mmd_bone bones[2];
    mmd_model model = two_bones(bones);
    bones[0].flags |= MMD_BONE_FIXED_AXIS;
    bones[0].fixed_axis[2] = -3.0f;
    assert_int_equal(mmd_model_prepare(&model, NULL), MMD_OK);
    bone_motion motion;
    make_motion(&motion, "センター", 0);
    const float q[4] = {0.6f, 0.0f, 0.48f, 0.64f};
    memcpy(motion.keys[0].rotation, q, sizeof q);
    memcpy(motion.keys[1].rotation, q, sizeof q);
    mmd_actor *actor = mmd_actor_create(&model);
    assert_int_equal(mmd_actor_add_motion(actor, &motion.motion, NULL), MMD_OK);
    mmd_actor_set_frame(actor, 3);
    const float *r = mmd_pose_world(mmd_actor_pose(actor))[0].rotation;
    assert_float_equal(r[0], 0, 1e-6);
    assert_float_equal(r[2], sqrt(0.6 * 0.6 + 0.48 * 0.48), 1e-5);
    assert_float_equal(r[3], 0.64, 1e-6);
    mmd_actor_destroy(actor);
    mmd_arena_finish(&model.arena);
}

static void a_frame_is_the_same_in_whatever_order(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    mmd_bytes model_bytes = shared_read("data/models/miku/初音ミク.pmx");
    mmd_bytes motion_bytes = shared_read("data/motions/kishimen.vmd");
    mmd_model *model = NULL;
    mmd_motion *motion = NULL;
    assert_int_equal(mmd_model_read(model_bytes.data, model_bytes.size, &model, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(motion_bytes.data, motion_bytes.size, &motion, NULL), MMD_OK);
    mmd_actor *playing = mmd_actor_create(model), *jumping = mmd_actor_create(model);
    assert_int_equal(mmd_actor_add_motion(playing, motion, NULL), MMD_OK);
    assert_int_equal(mmd_actor_add_motion(jumping, motion, NULL), MMD_OK);
    size_t size = model->bone_count * sizeof(mmd_transform);
    uint64_t random = 7;
    for (int i = 0; i <= 300; i++) {
        mmd_actor_set_frame(playing, i * 0.7);
        mmd_actor_set_frame(jumping, (double)(test_random(&random) % 900));
        mmd_actor_set_frame(jumping, i * 0.7);
        assert_memory_equal(mmd_pose_palette(mmd_actor_pose(playing)),
                            mmd_pose_palette(mmd_actor_pose(jumping)), size);
        assert_memory_equal(mmd_pose_world(mmd_actor_pose(playing)), mmd_pose_world(mmd_actor_pose(jumping)),
                            size);
    }
    uint64_t allocations = mmd_heap_allocations();
    mmd_actor_set_frame(playing, 12.0);
    assert_int_equal(mmd_heap_allocations(), allocations);
    mmd_actor_destroy(playing);
    mmd_actor_destroy(jumping);
    mmd_motion_destroy(motion);
    mmd_model_destroy(model);
    mmd_bytes_finish(&model_bytes);
    mmd_bytes_finish(&motion_bytes);
}

static void morphs_set_by_hand_stand_until_given_back(void **state)
{
    (void)state;
    mmd_bone bones[2];
    mmd_morph morph = {.name = "あ", .name_en = "", .kind = MMD_MORPH_VERTEX};
    mmd_model model = two_bones(bones);
    model.morph_count = 1;
    model.morphs = &morph;
    assert_int_equal(mmd_model_prepare(&model, NULL), MMD_OK);
    uint32_t frame = 0;
    float weight = 0.25f;
    mmd_morph_track track = {.count = 1, .frames = &frame, .weights = &weight};
    mmd_name_key_from_utf8("あ", track.name, NULL, NULL);
    mmd_motion motion = {.morph_track_count = 1, .morph_tracks = &track};
    mmd_actor *actor = mmd_actor_create(&model);
    assert_int_equal(mmd_actor_add_motion(actor, &motion, NULL), MMD_OK);
    mmd_actor_set_morph(actor, 0, 0.75f);
    mmd_actor_set_frame(actor, 1);
    assert_float_equal(mmd_pose_weights(mmd_actor_pose(actor))[0], 0.75, 0);
    mmd_actor_set_morph(actor, 0, NAN);
    mmd_actor_set_frame(actor, 1);
    assert_float_equal(mmd_pose_weights(mmd_actor_pose(actor))[0], 0.25, 0);
    mmd_actor_destroy(actor);
    mmd_arena_finish(&model.arena);
}

static void the_stage_takes_camera_and_light_from_motions_or_by_hand(void **state)
{
    (void)state;
    mmd_camera_key camera_key = {.frame = 0, .value = {.distance = -20, .fov = 40, .perspective = true}};
    mmd_light_key light_key = {.frame = 0, .value = {.color = {1, 0.5f, 0}, .direction = {0, -1, 0}}};
    mmd_motion camera = {.camera_key_count = 1, .camera_keys = &camera_key, .last_frame = 90};
    mmd_motion light = {.light_key_count = 1, .light_keys = &light_key};
    mmd_stage *stage = mmd_stage_create();
    assert_non_null(stage);
    assert_float_equal(mmd_stage_camera(stage)->distance, -45, 0);
    assert_int_equal(mmd_stage_add_scene_motion(stage, &camera, NULL), MMD_OK);
    assert_int_equal(mmd_stage_add_scene_motion(stage, &light, NULL), MMD_OK);
    mmd_stage_set_frame(stage, 3);
    assert_float_equal(mmd_stage_camera(stage)->distance, -20, 0);
    assert_float_equal(mmd_stage_light(stage)->color[1], 0.5, 0);
    mmd_camera by_hand = mmd_default_camera();
    by_hand.distance = -7;
    mmd_stage_set_camera(stage, &by_hand);
    mmd_stage_set_frame(stage, 4);
    assert_float_equal(mmd_stage_camera(stage)->distance, -7, 0);
    mmd_stage_set_camera(stage, NULL);
    assert_float_equal(mmd_stage_camera(stage)->distance, -20, 0);
    assert_float_equal(mmd_stage_last_frame(stage), 90, 0);
    mmd_stage_destroy(stage);
}

static void a_light_by_hand_holds_only_the_part_that_was_set(void **state)
{
    (void)state;
    mmd_light_key keys[2] = {{.frame = 0, .value = {.color = {1, 0.5f, 0}, .direction = {0, -1, 0}}},
                             {.frame = 10, .value = {.color = {0, 0.25f, 1}, .direction = {1, 0, 0}}}};
    mmd_motion motion = {.light_key_count = 2, .light_keys = keys, .last_frame = 10};
    mmd_stage *stage = mmd_stage_create();
    assert_non_null(stage);
    const mmd_light *light = mmd_stage_light(stage);
    assert_int_equal(mmd_stage_add_scene_motion(stage, &motion, NULL), MMD_OK);
    mmd_stage_set_frame(stage, 0);
    mmd_stage_set_light_direction(stage, (const float[3]){0, 0, 1});
    mmd_stage_set_frame(stage, 10);
    assert_float_equal(light->direction[2], 1, 0);
    assert_float_equal(light->color[1], 0.25, 0);
    mmd_stage_set_light_color(stage, (const float[3]){1, 1, 1});
    mmd_stage_set_light_direction(stage, NULL);
    assert_float_equal(light->color[1], 1, 0);
    assert_float_equal(light->direction[0], 1, 0);
    mmd_stage_set_frame(stage, 0);
    assert_float_equal(light->color[1], 1, 0);
    assert_float_equal(light->direction[1], -1, 0);
    mmd_stage_set_light_color(stage, NULL);
    assert_float_equal(light->color[1], 0.5, 0);
    mmd_stage_destroy(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_motions_override_the_bones_they_key),
        cmocka_unit_test(frames_beyond_the_keys_hold),
        cmocka_unit_test(what_comes_later_in_the_order_is_a_frame_late),
        cmocka_unit_test(physics_sees_it_a_frame_late_as_well),
        cmocka_unit_test(keys_on_a_fixed_axis_are_projected),
        cmocka_unit_test(a_frame_is_the_same_in_whatever_order),
        cmocka_unit_test(morphs_set_by_hand_stand_until_given_back),
        cmocka_unit_test(the_stage_takes_camera_and_light_from_motions_or_by_hand),
        cmocka_unit_test(a_light_by_hand_holds_only_the_part_that_was_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
