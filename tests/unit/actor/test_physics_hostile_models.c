/* Tests playback of malformed models: their numbers pass through a file, its reader, the scene and the
 * simulation. Nothing crashes, hangs, or produces a number that is not finite. */
#define _DEFAULT_SOURCE
#include "support.h"

#include <time.h>

#include "hair_model.h"
#include "mmd/format.h"
#include "sim_scene.h"

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void expect_finite(const mmd_transform *list, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 4; k++)
            if (!isfinite(list[i].rotation[k]) || !isfinite(list[i].translation[k]))
                fail_msg("%s: transform %u is no number", what, (unsigned)i);
}

/* Plays frames 0 to behind - 1 and returns how many bodies were reset. */
static uint64_t dance(const mmd_model *model, const mmd_motion *motion, uint32_t behind, const char *what)
{
    mmd_physics_options options = sim_scene_options();
    sim_scene scene;
    double began = seconds();
    sim_scene_make(&scene, 1, model, &motion, &options);
    for (uint32_t f = 0; f < behind; f++) {
        mmd_stage_set_frame(scene.stage, f);
        expect_finite(mmd_stage_bodies(scene.stage, 0), model->body_count, what);
        expect_finite(mmd_pose_world(mmd_actor_pose(scene.actors[0])), model->bone_count, what);
    }
    uint64_t put_back = mmd_stage_physics_report(scene.stage).reset_bodies;
    sim_scene_finish(&scene);
    if (seconds() - began > 30.0)
        fail_msg("%s: %g s", what, seconds() - began);
    return put_back;
}

/* Writes, reads and plays a model; a reader that rejects the file is fine. */
static void dance_read(const mmd_model *model, const mmd_motion *motion, uint32_t behind, const char *what)
{
    mmd_buffer file = {0};
    mmd_model *read = NULL;
    assert_int_equal(mmd_pmx_write(model, &file, NULL), MMD_OK);
    if (mmd_model_read(file.data, file.size, &read, NULL) == MMD_OK) {
        dance(read, motion, behind, what);
        mmd_model_destroy(read);
    }
    mmd_buffer_finish(&file);
}

/* Number of consecutive floats in a body and in a joint. */
enum { BODY_NUMBERS = 14, JOINT_NUMBERS = 24 };
_Static_assert(offsetof(mmd_rigid_body, friction) - offsetof(mmd_rigid_body, size) == 13 * sizeof(float),
               "numbers of a body");
_Static_assert(offsetof(mmd_joint, angular_spring) - offsetof(mmd_joint, position) == 21 * sizeof(float),
               "numbers of a joint");

static void put_number(void *record, size_t first, int number, float value)
{
    memcpy((unsigned char *)record + first + (size_t)number * sizeof value, &value, sizeof value);
}

static const float bad_numbers[] = {NAN,   INFINITY, -INFINITY, 1e30f,  -1e30f,
                                    1e10f, -1.0f,    0.0f,      1e-30f, 1e6f};
enum { BAD_NUMBERS = sizeof bad_numbers / sizeof bad_numbers[0] };

static void bodies_of_any_number(void **state)
{
    (void)state;
    static hair_motion sway;
    hair_motion_make(&sway, 60);
    for (int n = 0; n < BODY_NUMBERS; n++)
        for (int v = 0; v < BAD_NUMBERS; v++)
            for (int b = 0; b < HAIR_BODIES; b++) {
                hair_model hair;
                char what[64];
                hair_model_make(&hair);
                put_number(&hair.bodies[b], offsetof(mmd_rigid_body, size), n, bad_numbers[v]);
                (void)snprintf(what, sizeof what, "number %d of body %d: %g", n, b, (double)bad_numbers[v]);
                dance_read(&hair.model, &sway.motion, 12, what);
                hair_model_finish(&hair);
            }
}

static void joints_of_any_number(void **state)
{
    (void)state;
    static hair_motion sway;
    hair_motion_make(&sway, 60);
    for (int n = 0; n < JOINT_NUMBERS; n++)
        for (int v = 0; v < BAD_NUMBERS; v++)
            for (uint8_t kind = 0; kind < 6; kind++) {
                hair_model hair;
                char what[64];
                hair_model_make(&hair);
                for (int j = 0; j < HAIR_JOINTS; j++) {
                    hair.joints[j].kind = kind;
                    put_number(&hair.joints[j], offsetof(mmd_joint, position), n, bad_numbers[v]);
                }
                (void)snprintf(what, sizeof what, "number %d, kind %d: %g", n, kind, (double)bad_numbers[v]);
                dance_read(&hair.model, &sway.motion, 12, what);
                hair_model_finish(&hair);
            }
}

/* Replaces all numbers at once by random good and bad ones. */
static void models_of_random_numbers(void **state)
{
    (void)state;
    static hair_motion sway;
    static const float bag[] = {0.0f, 1.0f,  -1.0f, 0.5f,  3.0f,  100.0f,
                                1e6f, -1e6f, 1e-6f, 1e30f, -0.2f, 10.0f};
    uint64_t seed = 5;
    hair_motion_make(&sway, 60);
    for (int round = 0; round < 300; round++) {
        hair_model hair;
        hair_model_make(&hair);
        for (int b = 0; b < HAIR_BODIES; b++)
            for (int n = 0; n < BODY_NUMBERS; n++)
                if (test_random(&seed) % 3 == 0)
                    put_number(&hair.bodies[b], offsetof(mmd_rigid_body, size), n,
                               bag[test_random(&seed) % 12]);
        for (int j = 0; j < HAIR_JOINTS; j++) {
            hair.joints[j].kind = (uint8_t)(test_random(&seed) % 6);
            hair.joints[j].body_a = (int32_t)(test_random(&seed) % HAIR_BODIES);
            hair.joints[j].body_b = (int32_t)(test_random(&seed) % HAIR_BODIES);
            for (int n = 0; n < JOINT_NUMBERS; n++)
                if (test_random(&seed) % 2 == 0)
                    put_number(&hair.joints[j], offsetof(mmd_joint, position), n,
                               bag[test_random(&seed) % 12]);
        }
        char what[64];
        (void)snprintf(what, sizeof what, "round %d", round);
        dance_read(&hair.model, &sway.motion, 20, what);
        hair_model_finish(&hair);
    }
}

/* After a jump of 100 units in one frame the hair follows and is near its head again within a second. */
static void a_leap_of_a_hundred_units(void **state)
{
    (void)state;
    static hair_motion leap;
    hair_model hair;
    hair_model_make(&hair);
    hair_motion_make(&leap, 120);
    hair_motion_teleport(&leap, 60);
    const mmd_motion *motion = &leap.motion;
    mmd_physics_options options = sim_scene_options();
    sim_scene scene;
    sim_scene_make(&scene, 1, &hair.model, &motion, &options);
    for (uint32_t f = 0; f <= 120; f++) {
        mmd_stage_set_frame(scene.stage, f);
        const mmd_transform *bodies = mmd_stage_bodies(scene.stage, 0);
        expect_finite(bodies, HAIR_BODIES, "leap");
        for (int b = BODY_1; b <= BODY_3; b++) {
            double far = 0.0;
            for (int k = 0; k < 3; k++)
                far += pow((double)bodies[b].translation[k] - (double)bodies[BODY_HEAD].translation[k], 2);
            if (sqrt(far) > ((f < 60 || f > 90) ? 9.0 : 30.0))
                fail_msg("frame %u: body %d is %g units away", (unsigned)f, b, sqrt(far));
        }
    }
    sim_scene_finish(&scene);
    hair_model_finish(&hair);
}

static void loops_of_thirty_frames(void **state)
{
    (void)state;
    static hair_motion sway;
    hair_model hair;
    sim_record first[30];
    hair_model_make(&hair);
    hair_motion_make(&sway, 30);
    const mmd_motion *motion = &sway.motion;
    mmd_physics_options options = sim_scene_options();
    sim_scene scene;
    sim_scene_make(&scene, 1, &hair.model, &motion, &options);
    for (int loop = 0; loop < 60; loop++)
        for (int f = 0; f < 30; f++) {
            mmd_stage_set_frame(scene.stage, f);
            sim_record now = sim_scene_record(&scene);
            if (loop == 0) {
                first[f] = now;
                continue;
            }
            sim_record_expect_same(&now, &first[f], "loop", f);
            sim_record_finish(&now);
        }
    assert_int_equal(mmd_stage_physics_report(scene.stage).reset_bodies, 0);
    for (int f = 0; f < 30; f++)
        sim_record_finish(&first[f]);
    sim_scene_finish(&scene);
    hair_model_finish(&hair);
}

/* Plays the hair model with count other bodies, body i made by make. */
static void dance_with_many(uint32_t count, void (*make)(uint32_t i, mmd_rigid_body *body, mmd_joint *joint),
                            uint32_t frames, const char *what)
{
    static hair_motion sway;
    hair_model hair;
    hair_model_make(&hair);
    hair_motion_make(&sway, 60);
    hair.model.bodies = mmd_alloc(count * sizeof *hair.model.bodies);
    hair.model.joints = mmd_alloc(count * sizeof *hair.model.joints);
    assert_true(hair.model.bodies && hair.model.joints);
    hair.model.body_count = hair.model.joint_count = count;
    hair.model.morph_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        hair.model.bodies[i] = hair.bodies[i ? BODY_1 : BODY_HEAD];
        hair.model.joints[i] = hair.joints[0];
        hair.model.joints[i].body_a = (int32_t)(i ? i - 1 : 0);
        hair.model.joints[i].body_b = (int32_t)i;
        make(i, &hair.model.bodies[i], &hair.model.joints[i]);
    }
    dance_read(&hair.model, &sway.motion, frames, what);
    mmd_free(hair.model.bodies);
    mmd_free(hair.model.joints);
    hair_model_finish(&hair);
}

static void hang_below(uint32_t i, mmd_rigid_body *body, mmd_joint *joint)
{
    body->position[1] = joint->position[1] = 15.0f - 1.0f * (float)i;
    body->mask = 0;
}

static void a_chain_of_a_thousand(void **state)
{
    (void)state;
    dance_with_many(1000, hang_below, 60, "chain");
}

static void joined_with_itself(uint32_t i, mmd_rigid_body *body, mmd_joint *joint)
{
    body->position[0] = 2.0f * (float)i;
    body->mass = i % 3 == 0 ? 0.0f : i % 3 == 1 ? 1e6f : 1e-6f;
    body->size[0] = i % 2 ? 0.0f : 1.0f;
    joint->body_a = joint->body_b;
    joint->kind = (uint8_t)(i % 6);
}

static void joints_of_a_body_with_itself(void **state)
{
    (void)state;
    dance_with_many(60, joined_with_itself, 60, "itself");
}

static void all_at_one_place(uint32_t i, mmd_rigid_body *body, mmd_joint *joint)
{
    body->group = 1;
    body->mask = 0xffff;
    body->bone = i ? -1 : HAIR_HEAD;
    joint->body_a = joint->body_b;
}

static void ten_thousand_at_one_place(void **state)
{
    (void)state;
    dance_with_many(10000, all_at_one_place, 3, "one place");
}

static void in_a_heap(uint32_t i, mmd_rigid_body *body, mmd_joint *joint)
{
    all_at_one_place(i, body, joint);
    body->position[0] = 1.0f * (float)(i % 22);
    body->position[1] = 1.0f * (float)(i / 22 % 22);
    body->position[2] = 1.0f * (float)(i / 484);
}

static void ten_thousand_in_a_heap(void **state)
{
    (void)state;
    dance_with_many(10000, in_a_heap, 3, "heap");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_of_any_number),         cmocka_unit_test(joints_of_any_number),
        cmocka_unit_test(models_of_random_numbers),     cmocka_unit_test(a_leap_of_a_hundred_units),
        cmocka_unit_test(loops_of_thirty_frames),       cmocka_unit_test(a_chain_of_a_thousand),
        cmocka_unit_test(joints_of_a_body_with_itself), cmocka_unit_test(ten_thousand_in_a_heap),
        cmocka_unit_test(ten_thousand_at_one_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
