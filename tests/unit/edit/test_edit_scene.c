/* Tests edits of what is on a stage: bones through the user's ops, models, camera and light; bones moved by
 * IK and physics; keys; bones with a fixed axis. test_edit_walk.c has long random sequences. */
#include "support.h"

#include <math.h>

#include "engine/edit/edit_internal.h"
#include "mmd/format.h"
#include "mmd/simulation.h"

typedef struct scene {
    mmd_model *model;
    mmd_motion *dance;
    mmd_actor *actor;
    mmd_stage *stage;
    mmd_edit *edit;
    uint64_t blocks;
} scene;

static mmd_bytes load(const char *path)
{
    mmd_bytes bytes = {0};
    mmd_error error;
    if (mmd_file_read(path, &bytes, &error) != MMD_OK)
        fail_msg("%s: %s", path, error.message);
    return bytes;
}

static scene begin(bool physics)
{
    scene s = {.blocks = mmd_heap_blocks_in_use()};
    mmd_error error;
    mmd_bytes pmx = load(ODORI_BINARY "/dancer/dancer.pmx"), vmd = load(ODORI_BINARY "/dancer/dance.vmd");
    assert_int_equal(mmd_pmx_read(pmx.data, pmx.size, &s.model, &error), MMD_OK);
    assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &s.dance, &error), MMD_OK);
    mmd_free(pmx.data);
    mmd_free(vmd.data);
    s.actor = mmd_actor_create(s.model);
    s.stage = mmd_stage_create();
    assert_true(s.actor && s.stage);
    assert_int_equal(mmd_actor_add_motion(s.actor, s.dance, &error), MMD_OK);
    assert_int_equal(mmd_stage_add_actor(s.stage, s.actor, &error), MMD_OK);
    mmd_physics_options options = mmd_default_physics_options();
    options.run_ahead = false;
    assert_int_equal(mmd_stage_set_physics(s.stage, physics ? &options : NULL, &error), MMD_OK);
    mmd_stage_set_frame(s.stage, 100);
    s.edit = mmd_edit_create(s.stage, NULL);
    assert_non_null(s.edit);
    return s;
}

static void end(scene *s)
{
    mmd_edit_destroy(s->edit);
    mmd_stage_destroy(s->stage);
    mmd_actor_destroy(s->actor);
    mmd_motion_destroy(s->dance);
    mmd_model_destroy(s->model);
    assert_int_equal(mmd_heap_blocks_in_use(), s->blocks);
}

static mmd_item bone(const scene *s, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "/models/#0/bones/%s", name);
    mmd_item item = mmd_edit_find(s->edit, path);
    if (!item.kind)
        fail_msg("no bone %s", name);
    return item;
}

static double largest_difference(const double *a, const double *b)
{
    double largest = 0;
    for (int k = 0; k < 16; k++)
        largest = fmax(largest, fabs(a[k] - b[k]));
    return largest;
}

static void world_of(const scene *s, mmd_item item, double m[16])
{
    float world[16];
    mmd_pose_bone_matrix(mmd_actor_pose(s->actor), item.index, world);
    for (int k = 0; k < 16; k++)
        m[k] = (double)world[k];
}

/* Tests every bone at some frames, with IK, append and morphs active, with and without physics. */
static void the_product_of_a_bones_ops_is_what_the_pose_says(void **state)
{
    (void)state;
    for (int physics = 0; physics < 2; physics++) {
        scene s = begin(physics);
        double largest = 0;
        for (int frame = 0; frame <= 600; frame += 120) {
            mmd_stage_set_frame(s.stage, frame);
            for (uint32_t b = 0; b < s.model->bone_count; b++) {
                mmd_item item = {.kind = MMD_ITEM_BONE, .index = b};
                double a[16], w[16];
                mmd_edit_inclusive(s.edit, item, a);
                world_of(&s, item, w);
                largest = fmax(largest, largest_difference(a, w));
            }
        }
        print_message("physics %s: largest difference %g\n", physics ? "on" : "off", largest);
        assert_true(largest < 2e-5);
        end(&s);
    }
}

static void a_bones_exclusive_matrix_is_its_parents_inclusive_one(void **state)
{
    (void)state;
    scene s = begin(false);
    double a[16], b[16];
    mmd_item arm = bone(&s, "右腕"), parent = mmd_edit_parent(s.edit, arm);
    assert_int_equal(parent.kind, MMD_ITEM_BONE);
    mmd_staging staging = mmd_default_staging();
    staging.position[0] = 10;
    staging.rotation[1] = 1;
    staging.scale = 2;
    mmd_stage_set_staging(s.stage, 0, &staging);
    mmd_edit_exclusive(s.edit, arm, a);
    mmd_edit_inclusive(s.edit, parent, b);
    assert_true(largest_difference(a, b) < 1e-4);
    /* The model is twice as large and 10 units to the right. */
    mmd_item model = mmd_edit_find(s.edit, "/models/#0"), root = {.kind = MMD_ITEM_BONE};
    mmd_edit_inclusive(s.edit, model, a);
    mmd_edit_exclusive(s.edit, root, b);
    assert_true(largest_difference(a, b) < 1e-5);
    assert_true(fabs(a[12] - 10) < 1e-6 && fabs(hypot(a[0], a[2]) - 2) < 1e-5);
    end(&s);
}

static mmd_command *command(const scene *s, mmd_item item, mmd_edit_hint hint, mmd_component component,
                            double x, double y, double z)
{
    const double v[3] = {x, y, z};
    mmd_transform3d *object = mmd_edit_edit_transform3d(s->edit, item, hint);
    mmd_command *made = object ? mmd_transform3d_command(s->edit, object, component, v) : NULL;
    mmd_transform3d_destroy(object);
    return made;
}

static void expect_user(const scene *s, mmd_item item, const float translation[3], const float rotation[4])
{
    float t[3], r[4];
    mmd_pose_get_user(mmd_actor_pose(s->actor), item.index, t, r);
    assert_memory_equal(t, translation, sizeof t);
    for (int k = 0; k < 4; k++)
        assert_true(fabsf(r[k] - rotation[k]) < 1e-6f);
}

static void edits_of_bones_hit_the_users_ops_and_leave_the_others(void **state)
{
    (void)state;
    scene s = begin(false);
    mmd_item arm = bone(&s, "右腕");
    mmd_op before[MMD_OPS_MAX], after[MMD_OPS_MAX];
    size_t count = mmd_edit_ops(s.edit, arm, before);
    assert_true(mmd_edit_do(s.edit, command(&s, arm, MMD_HINT_ROTATE, MMD_ROTATION, 0, 0, 90)));
    assert_true(mmd_edit_do(s.edit, command(&s, arm, MMD_HINT_TRANSLATE, MMD_TRANSLATION, 1, 2, 3)));
    const float half = sqrtf(0.5f);
    expect_user(&s, arm, (const float[3]){1, 2, 3}, (const float[4]){0, 0, half, half});
    assert_int_equal(mmd_edit_ops(s.edit, arm, after), count);
    for (size_t i = 0; i < count; i++)
        if (strncmp(before[i].name, "user:", 5) != 0)
            assert_memory_equal(&before[i], &after[i], sizeof *before);
    mmd_edit_undo(s.edit);
    mmd_edit_undo(s.edit);
    mmd_edit_ops(s.edit, arm, after);
    for (size_t i = 0; i < count; i++)
        assert_memory_equal(&before[i], &after[i], sizeof *before);
    end(&s);
}

/* The local matrix of a bone, translation and rotation, can be set whole. */
static void a_bone_lands_where_its_matrix_was_set(void **state)
{
    (void)state;
    scene s = begin(false);
    mmd_item arm = bone(&s, "右腕");
    double wanted[16], now[16];
    mmd_edit_local(s.edit, arm, wanted);
    wanted[12] += 0.5;
    wanted[13] -= 0.25;
    const double column[3] = {wanted[0], wanted[1], wanted[2]};
    memcpy(wanted, wanted + 4, 3 * sizeof *wanted); /* rotated by 90 degrees about its z */
    for (int k = 0; k < 3; k++)
        wanted[4 + k] = -column[k];
    mmd_transform3d *object = mmd_edit_transform3d(s.edit, arm);
    assert_true(mmd_edit_do(s.edit, mmd_transform3d_matrix_command(s.edit, object, wanted)));
    mmd_edit_local(s.edit, arm, now);
    assert_true(largest_difference(now, wanted) < 1e-5);
    wanted[0] *= 2; /* bones have no scale */
    assert_false(mmd_edit_do(s.edit, mmd_transform3d_matrix_command(s.edit, object, wanted)));
    assert_true(strlen(mmd_edit_refusal(s.edit)) > 0);
    mmd_transform3d_destroy(object);
    end(&s);
}

static void bones_have_no_scale_and_no_pivots(void **state)
{
    (void)state;
    scene s = begin(false);
    mmd_item arm = bone(&s, "右腕");
    assert_null(mmd_edit_edit_transform3d(s.edit, arm, MMD_HINT_SCALE));
    assert_string_equal(mmd_edit_refusal(s.edit), "右腕 of おどり cannot be scaled: bones have no scale");
    assert_null(mmd_edit_edit_transform3d(s.edit, arm, MMD_HINT_ROTATE_PIVOT));
    assert_null(edit_source_of(arm)->insert);
    assert_false(mmd_edit_write_op(s.edit, arm, "motion:translate", (const double[3]){1, 2, 3}));
    assert_true(mmd_edit_write_op(s.edit, arm, "user:translate", (const double[3]){1, 2, 3}));
    end(&s);
}

static void items_are_described_as_users_know_them(void **state)
{
    (void)state;
    static const mmd_item_texts texts = {
        .items = {[MMD_ITEM_NONE] = "対象", [MMD_ITEM_BONE] = "{model}の{name}"}, .same_name = ""};
    scene s = begin(false);
    char text[128];
    const mmd_item items[] = {bone(&s, "右腕"),
                              {.kind = MMD_ITEM_MORPH},
                              {.kind = MMD_ITEM_SWITCHES},
                              {.kind = MMD_ITEM_CAMERA},
                              {.kind = MMD_ITEM_MODEL, .model = 9}};
    static const char *const starts[] = {"右腕 of おどり", "morph ", "display and IK of おどり", "camera",
                                         "it"};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        size_t length = mmd_edit_describe(s.edit, items[i], NULL, text, sizeof text);
        assert_int_equal(length, strlen(text));
        assert_memory_equal(text, starts[i], strlen(starts[i]));
    }
    mmd_edit_describe(s.edit, items[0], &texts, text, sizeof text);
    assert_string_equal(text, "おどりの右腕");
    mmd_edit_describe(s.edit, items[4], &texts, text, sizeof text);
    assert_string_equal(text, "対象");
    end(&s);
}

static void what_ik_moves_is_moved_by_its_goal(void **state)
{
    (void)state;
    scene s = begin(false);
    mmd_item knee = bone(&s, "右ひざ"), ankle = bone(&s, "右足首"), goal = bone(&s, "右足ＩＫ");
    mmd_transform3d *object = mmd_edit_edit_transform3d(s.edit, ankle, MMD_HINT_TRANSLATE);
    assert_non_null(object);
    assert_true(mmd_item_equal(mmd_transform3d_item(object), goal));
    mmd_transform3d_destroy(object);
    assert_null(mmd_edit_edit_transform3d(s.edit, knee, MMD_HINT_ROTATE));
    assert_string_equal(mmd_edit_refusal(s.edit), "右ひざ of おどり is moved by IK; move 右足ＩＫ instead");
    assert_null(mmd_edit_transform3d(s.edit, knee));
    /* The ankle's rotation belongs to the toe's IK. The toe, at the end of that chain, rotates freely. */
    assert_null(mmd_edit_edit_transform3d(s.edit, ankle, MMD_HINT_ROTATE));
    assert_string_equal(mmd_edit_refusal(s.edit),
                        "右足首 of おどり is moved by IK; move 右つま先ＩＫ instead");
    mmd_item toe = bone(&s, "右つま先");
    assert_true(mmd_edit_do(s.edit, command(&s, toe, MMD_HINT_ROTATE, MMD_ROTATION, 0, 10, 0)));
    /* IK rotates the leg, but does not move it. */
    mmd_item leg = bone(&s, "右足");
    assert_true(mmd_edit_do(s.edit, command(&s, leg, MMD_HINT_TRANSLATE, MMD_TRANSLATION, 0, 0.1, 0)));
    assert_true(mmd_edit_undo(s.edit));
    /* Moving the ankle moves the IK goal, which the ankle follows. */
    double before[16], after[16];
    mmd_edit_inclusive(s.edit, ankle, before);
    assert_true(mmd_edit_do(s.edit, command(&s, ankle, MMD_HINT_TRANSLATE, MMD_TRANSLATION, 0, 0.5, 0)));
    mmd_edit_inclusive(s.edit, ankle, after);
    print_message("the ankle rose by %g\n", after[13] - before[13]);
    assert_true(after[13] - before[13] > 0.4);
    mmd_edit_options options = mmd_default_edit_options();
    options.redirect_ik = false;
    mmd_edit_set_options(s.edit, &options);
    assert_null(mmd_edit_edit_transform3d(s.edit, ankle, MMD_HINT_TRANSLATE));
    end(&s);
}

/* Returns a bone of the dancer's hair that physics moves. */
static mmd_item driven_bone(const scene *s)
{
    const mmd_physscene *physics = mmd_stage_physscene(s->stage, 0);
    for (uint32_t b = 0; b < physics->body_count; b++)
        if (mmd_stage_body_simulated(s->stage, 0, b) && physics->bodies[b].bone >= 0)
            return (mmd_item){.kind = MMD_ITEM_BONE, .index = (uint32_t)physics->bodies[b].bone};
    fail_msg("nothing is simulated");
    return (mmd_item){0};
}

static void what_physics_moves_is_edited_while_time_stands(void **state)
{
    (void)state;
    scene s = begin(true);
    mmd_item hair = driven_bone(&s);
    assert_null(mmd_edit_edit_transform3d(s.edit, hair, MMD_HINT_ROTATE));
    assert_non_null(strstr(mmd_edit_refusal(s.edit), "is moved by physics"));
    assert_null(mmd_edit_transform3d(s.edit, hair));
    mmd_transform3d *read = mmd_edit_read_transform3d(s.edit, hair);
    assert_non_null(read);
    mmd_transform3d_destroy(read);
    mmd_edit_options options = mmd_default_edit_options();
    options.paused = true;
    mmd_edit_set_options(s.edit, &options);
    assert_true(mmd_edit_do(s.edit, command(&s, hair, MMD_HINT_ROTATE, MMD_ROTATION, 0, 0, 20)));
    end(&s);
    s = begin(false);
    mmd_transform3d *object = mmd_edit_edit_transform3d(s.edit, hair, MMD_HINT_ROTATE);
    assert_non_null(object);
    mmd_transform3d_destroy(object);
    end(&s);
}

static void models_are_placed_with_pivots_and_come_back_bit_for_bit(void **state)
{
    (void)state;
    scene s = begin(false);
    mmd_staging staging = mmd_default_staging();
    for (int k = 0; k < 3; k++) {
        staging.position[k] = 0.1f * (float)(k + 1);
        staging.rotation[k] = 0.3f - 0.2f * (float)k;
    }
    staging.scale = 1.1f;
    mmd_stage_set_staging(s.stage, 0, &staging);
    mmd_item model = mmd_edit_find(s.edit, "/models/#0");
    assert_true(mmd_edit_do(s.edit, command(&s, model, MMD_HINT_ROTATE_PIVOT, MMD_ROTATE_PIVOT, 0, 10, 0)));
    assert_true(mmd_edit_do(s.edit, command(&s, model, MMD_HINT_ROTATE, MMD_ROTATION, 0, 0, 77)));
    assert_true(mmd_edit_do(s.edit, command(&s, model, MMD_HINT_SCALE, MMD_SCALE, 3, 3, 3)));
    assert_true(mmd_edit_do(s.edit, command(&s, model, MMD_HINT_TRANSLATE, MMD_TRANSLATION, 5, 6, 7)));
    /* The model's matrix with pivot equals its placement on the stage. */
    float m[16];
    assert_true(mmd_stage_placement(s.stage, 0, m));
    double a[16], b[16];
    mmd_edit_inclusive(s.edit, model, a);
    for (int k = 0; k < 16; k++)
        b[k] = (double)m[k];
    assert_true(largest_difference(a, b) < 1e-5);
    while (mmd_edit_undo(s.edit))
        ;
    const mmd_staging *now = mmd_stage_staging(s.stage, 0);
    assert_memory_equal(now->position, staging.position, sizeof staging.position);
    assert_memory_equal(now->rotation, staging.rotation, sizeof staging.rotation);
    assert_true(now->scale == staging.scale);
    mmd_op ops[MMD_OPS_MAX];
    assert_int_equal(mmd_edit_ops(s.edit, model, ops), 3);
    const mmd_staging_key key = {.frame = 0, .staging = staging};
    mmd_stage_set_staging_keys(s.stage, 0, &key, 1);
    assert_null(mmd_edit_edit_transform3d(s.edit, model, MMD_HINT_TRANSLATE));
    assert_non_null(strstr(mmd_edit_refusal(s.edit), "keyframes of its project"));
    end(&s);
}

static void the_cameras_matrix_is_the_views_inverse(void **state)
{
    (void)state;
    scene s = begin(false);
    mmd_item camera = mmd_edit_find(s.edit, "/camera");
    assert_true(mmd_edit_do(s.edit, command(&s, camera, MMD_HINT_ROTATE, MMD_ROTATION, 20, 70, 10)));
    assert_true(mmd_edit_do(s.edit, command(&s, camera, MMD_HINT_TRANSLATE, MMD_TRANSLATION, 1, 12, -3)));
    float view[16];
    double m[16], largest = 0;
    mmd_camera_matrices(mmd_stage_camera(s.stage), 1, view, NULL, NULL);
    mmd_edit_inclusive(s.edit, camera, m);
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += (double)view[4 * k + r] * m[4 * c + k];
            largest = fmax(largest, fabs(sum - (r == c)));
        }
    assert_true(largest < 1e-5);
    mmd_transform3d *object = mmd_edit_edit_transform3d(s.edit, camera, MMD_HINT_ROTATE);
    double v[3];
    assert_true(mmd_transform3d_get(s.edit, object, MMD_ROTATION, v));
    assert_true(fabs(v[0] - 20) < 1e-4 && fabs(v[1] - 70) < 1e-4 && fabs(v[2] - 10) < 1e-4);
    assert_false(mmd_transform3d_get(s.edit, object, MMD_SCALE, v));
    assert_null(mmd_transform3d_command(s.edit, object, MMD_SCALE, v));
    mmd_transform3d_destroy(object);
    /* After undo the motion moves the camera again. */
    assert_non_null(mmd_stage_camera_by_hand(s.stage));
    while (mmd_edit_undo(s.edit))
        ;
    assert_null(mmd_stage_camera_by_hand(s.stage));
    end(&s);
}

/* Items without scale accept a matrix without scale. */
static void camera_and_joints_stand_where_their_matrix_was_set(void **state)
{
    (void)state;
    scene s = begin(false);
    const mmd_item items[2] = {mmd_edit_find(s.edit, "/camera"), {.kind = MMD_ITEM_JOINT}};
    for (int i = 0; i < 2; i++) {
        double wanted[16], now[16];
        mmd_edit_local(s.edit, items[i], wanted);
        wanted[12] += 3;
        for (int k = 0; k < 3; k++) { /* 90 degrees */
            double x = wanted[k];
            wanted[k] = wanted[4 + k];
            wanted[4 + k] = -x;
        }
        mmd_transform3d *object = mmd_edit_transform3d(s.edit, items[i]);
        assert_non_null(object);
        if (!mmd_edit_do(s.edit, mmd_transform3d_matrix_command(s.edit, object, wanted)))
            fail_msg("item %d: %s", i, mmd_edit_refusal(s.edit));
        mmd_edit_local(s.edit, items[i], now);
        assert_true(largest_difference(now, wanted) < 1e-4);
        for (int k = 0; k < 3; k++)
            wanted[k] *= 2;
        assert_false(mmd_edit_do(s.edit, mmd_transform3d_matrix_command(s.edit, object, wanted)));
        mmd_transform3d_destroy(object);
        assert_true(mmd_edit_undo(s.edit));
    }
    assert_null(mmd_stage_camera_by_hand(s.stage));
    end(&s);
}

/* Only nodes accept arbitrary ops, so other items cannot be edited without the common handler. */
static void without_its_handler_nothing_else_is_promised(void **state)
{
    (void)state;
    scene s = begin(false);
    assert_true(mmd_edit_remove_handler(s.edit, "common"));
    static const char *const paths[] = {"/models/#0", "/camera", "/light", "/models/#0/bodies/#0",
                                        "/models/#0/joints/#0"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        mmd_item item = mmd_edit_find(s.edit, paths[i]);
        assert_true(item.kind != MMD_ITEM_NONE);
        assert_null(mmd_edit_transform3d(s.edit, item));
        assert_null(mmd_edit_edit_transform3d(s.edit, item, MMD_HINT_TRANSLATE));
        assert_true(strlen(mmd_edit_refusal(s.edit)) > 0);
    }
    end(&s);
}

static void the_light_is_given_back_by_undo(void **state)
{
    (void)state;
    scene s = begin(false);
    mmd_item light = mmd_edit_find(s.edit, "/light");
    const mmd_light before = *mmd_stage_light(s.stage);
    assert_true(mmd_edit_do(s.edit, command(&s, light, MMD_HINT_TRANSLATE, MMD_TRANSLATION, 0, -1, 0)));
    assert_true(mmd_stage_light(s.stage)->direction[1] == -1.0f);
    assert_false(mmd_edit_do(s.edit, command(&s, light, MMD_HINT_TRANSLATE, MMD_TRANSLATION, 0, 0, 0)));
    assert_true(mmd_stage_light(s.stage)->direction[1] == -1.0f);
    assert_true(mmd_edit_undo(s.edit));
    assert_memory_equal(mmd_stage_light(s.stage), &before, sizeof before);
    assert_null(mmd_stage_light_direction_by_hand(s.stage));
    end(&s);
}

/* --- Bodies and joints --- */

static mmd_transform body_now(const scene *s, uint32_t body)
{
    return mmd_stage_bodies(s->stage, 0)[body];
}

/* Returns a body that follows its bone. */
static mmd_item kinematic_body(const scene *s)
{
    const mmd_physscene *physics = mmd_stage_physscene(s->stage, 0);
    for (uint32_t b = 0; b < physics->body_count; b++)
        if (physics->bodies[b].motion == MMD_PHYS_KINEMATIC)
            return (mmd_item){.kind = MMD_ITEM_BODY, .index = b};
    fail_msg("no body follows its bone");
    return (mmd_item){0};
}

static void bodies_are_placed_and_the_simulation_begins_with_them_there(void **state)
{
    (void)state;
    scene s = begin(true);
    mmd_item body = kinematic_body(&s);
    char path[256];
    mmd_edit_path(s.edit, body, path, sizeof path);
    assert_true(mmd_item_equal(mmd_edit_find(s.edit, path), body));
    assert_non_null(strstr(path, "/bodies/"));
    mmd_transform before = body_now(&s, body.index);
    double v[3], m[16];
    mmd_transform3d *object = mmd_edit_edit_transform3d(s.edit, body, MMD_HINT_TRANSLATE);
    assert_true(mmd_transform3d_get(s.edit, object, MMD_TRANSLATION, v));
    mmd_transform3d_destroy(object);
    assert_true(
        mmd_edit_do(s.edit, command(&s, body, MMD_HINT_TRANSLATE, MMD_TRANSLATION, v[0], v[1] + 3, v[2])));
    mmd_edit_inclusive(s.edit, body, m);
    assert_true(fabs(m[13] - v[1] - 3) < 1e-6);
    mmd_transform after = body_now(&s, body.index);
    double moved = 0;
    for (int k = 0; k < 3; k++)
        moved += pow((double)after.translation[k] - (double)before.translation[k], 2);
    assert_true(fabs(sqrt(moved) - 3) < 1e-4); /* relative to its bone at this frame */
    assert_true(mmd_edit_do(s.edit, command(&s, body, MMD_HINT_SCALE, MMD_SCALE, 2, 2, 2)));
    assert_true(mmd_edit_undo(s.edit));
    assert_true(mmd_edit_undo(s.edit));
    mmd_edit_inclusive(s.edit, body, m); /* poses the stage again */
    after = body_now(&s, body.index);
    assert_memory_equal(&after, &before, sizeof before);
    mmd_body_transform ignored;
    assert_false(mmd_stage_body_transform(s.stage, 0, body.index, &ignored));
    end(&s);
}

static void joints_stay_where_they_are_when_a_body_is_placed(void **state)
{
    (void)state;
    scene s = begin(true);
    const mmd_physscene *physics = mmd_stage_physscene(s.stage, 0);
    assert_true(physics->joint_count > 0);
    mmd_item joint = {.kind = MMD_ITEM_JOINT};
    int32_t a = physics->joints[0].body_a;
    assert_true(a >= 0);
    mmd_item body = {.kind = MMD_ITEM_BODY, .index = (uint32_t)a};
    double before[16], after[16];
    mmd_edit_inclusive(s.edit, joint, before);
    assert_true(mmd_edit_do(s.edit, command(&s, body, MMD_HINT_TRANSLATE, MMD_TRANSLATION, 1, 2, 3)));
    mmd_edit_inclusive(s.edit, joint, after);
    assert_true(largest_difference(before, after) == 0);
    physics = mmd_stage_physscene(s.stage, 0);
    mmd_transform at;
    mmd_transform_multiply(&physics->bodies[a].rest, &physics->joints[0].frame_a, &at);
    for (int k = 0; k < 3; k++)
        assert_true(fabs((double)at.translation[k] - before[12 + k]) < 1e-4);
    assert_true(mmd_edit_do(s.edit, command(&s, joint, MMD_HINT_TRANSLATE, MMD_TRANSLATION, 4, 5, 6)));
    physics = mmd_stage_physscene(s.stage, 0);
    mmd_transform_multiply(&physics->bodies[a].rest, &physics->joints[0].frame_a, &at);
    assert_true(fabs((double)at.translation[1] - 5) < 1e-4);
    assert_null(command(&s, joint, MMD_HINT_SCALE, MMD_SCALE, 2, 2, 2));
    end(&s);
}

/* --- Keys --- */

static mmd_motion *own_motion(void *context, uint32_t actor, uint32_t bone)
{
    (void)actor;
    (void)bone;
    return context;
}

/* Replaces the dance by an editable copy and turns keying on. */
static void begin_keying(scene *s)
{
    mmd_motion *copy;
    assert_int_equal(mmd_motion_copy(s->dance, &copy, NULL), MMD_OK);
    assert_int_equal(mmd_actor_replace_motion(s->actor, s->dance, copy, NULL), MMD_OK);
    mmd_stage_set_frame(s->stage, mmd_stage_frame(s->stage));
    mmd_motion_destroy(s->dance);
    s->dance = copy;
    const mmd_edit_keying keying = {.motion = own_motion, .context = copy};
    mmd_edit_set_keying(s->edit, &keying);
}

static mmd_buffer written(const mmd_motion *motion)
{
    mmd_buffer out = {0};
    assert_int_equal(mmd_vmd_write(motion, &out, NULL), MMD_OK);
    return out;
}

static void expect_turn(const scene *s, mmd_item item, double x, double y, double z)
{
    mmd_transform3d *object = mmd_edit_op_transform3d(s->edit, item, "motion:rotate");
    double v[3];
    assert_true(mmd_transform3d_get(s->edit, object, MMD_ROTATION, v));
    assert_true(fabs(v[0] - x) < 1e-4 && fabs(v[1] - y) < 1e-4 && fabs(v[2] - z) < 1e-4);
    mmd_transform3d_destroy(object);
}

/* Keys three frames, saves and reads them; undo restores the bytes of the original file. */
static void while_keying_edits_write_keys_of_the_motion(void **state)
{
    (void)state;
    static const int frames[3] = {97, 203, 5000};
    scene s = begin(false);
    begin_keying(&s);
    mmd_item arm = bone(&s, "右腕");
    const uint8_t *name = s.model->bone_key[arm.index];
    mmd_buffer before = written(s.dance);
    uint32_t keys = s.dance->bone_key_count, last = s.dance->last_frame;
    for (int i = 0; i < 3; i++) {
        mmd_stage_set_frame(s.stage, frames[i]);
        mmd_command *c = command(&s, arm, MMD_HINT_ROTATE, MMD_ROTATION, 0, 0, 0);
        assert_non_null(c);
        for (int k = 1; k <= 10; k++) {
            const double v[3] = {k, 2 * k, i};
            assert_true(mmd_command_set(s.edit, c, v));
        }
        assert_true(mmd_edit_add(s.edit, c));
        expect_turn(&s, arm, 10, 20, i);
        expect_user(&s, arm, (const float[3]){0}, (const float[4]){0, 0, 0, 1});
    }
    assert_int_equal(s.dance->bone_key_count, keys + 3);
    assert_int_equal(s.dance->last_frame, 5000);
    mmd_buffer after = written(s.dance);
    mmd_motion *again;
    assert_int_equal(mmd_vmd_read(after.data, after.size, &again, NULL), MMD_OK);
    for (int i = 0; i < 3; i++) {
        mmd_stored_bone_key a, b;
        assert_true(mmd_motion_get_bone_key(s.dance, name, (uint32_t)frames[i], &a));
        assert_true(mmd_motion_get_bone_key(again, name, (uint32_t)frames[i], &b));
        assert_memory_equal(&a.key, &b.key, offsetof(mmd_bone_key, physics_off));
        assert_true(a.key.physics_off == b.key.physics_off);
    }
    mmd_motion_destroy(again);
    for (int i = 0; i < 3; i++)
        assert_true(mmd_edit_undo(s.edit));
    mmd_buffer undone = written(s.dance);
    assert_int_equal(undone.size, before.size);
    assert_memory_equal(undone.data, before.data, before.size);
    assert_int_equal(s.dance->last_frame, last);
    for (int i = 0; i < 3; i++)
        assert_true(mmd_edit_redo(s.edit));
    mmd_buffer redone = written(s.dance);
    assert_int_equal(redone.size, after.size);
    assert_memory_equal(redone.data, after.data, after.size);
    mmd_buffer_finish(&before);
    mmd_buffer_finish(&after);
    mmd_buffer_finish(&undone);
    mmd_buffer_finish(&redone);
    end(&s);
}

static void a_registered_key_is_motion_times_user(void **state)
{
    (void)state;
    scene s = begin(false);
    mmd_item arm = bone(&s, "右腕");
    assert_null(mmd_edit_key_command(s.edit, arm));
    assert_true(mmd_edit_do(s.edit, command(&s, arm, MMD_HINT_ROTATE, MMD_ROTATION, 0, 30, 0)));
    assert_true(mmd_edit_do(s.edit, command(&s, arm, MMD_HINT_TRANSLATE, MMD_TRANSLATION, 0, 1, 0)));
    double wanted[16], now[16];
    mmd_edit_inclusive(s.edit, arm, wanted);
    begin_keying(&s);
    assert_true(mmd_edit_do(s.edit, mmd_edit_key_command(s.edit, arm)));
    expect_user(&s, arm, (const float[3]){0}, (const float[4]){0, 0, 0, 1});
    mmd_edit_inclusive(s.edit, arm, now);
    assert_true(largest_difference(now, wanted) < 1e-5);
    assert_true(mmd_edit_undo(s.edit));
    mmd_edit_inclusive(s.edit, arm, now);
    assert_true(largest_difference(now, wanted) == 0);
    assert_true(mmd_edit_redo(s.edit));
    assert_true(mmd_edit_do(s.edit, mmd_edit_unkey_command(s.edit, arm)));
    assert_null(mmd_edit_unkey_command(s.edit, arm));
    assert_non_null(strstr(mmd_edit_refusal(s.edit), "no keyframe at frame 100"));
    assert_true(mmd_edit_undo(s.edit));
    mmd_edit_inclusive(s.edit, arm, now);
    assert_true(largest_difference(now, wanted) < 1e-5);
    mmd_stage_set_frame(s.stage, 100.5);
    assert_null(mmd_edit_edit_transform3d(s.edit, arm, MMD_HINT_ROTATE));
    assert_non_null(strstr(mmd_edit_refusal(s.edit), "whole frames"));
    end(&s);
}

static void a_whole_bone_is_keyed_where_its_matrix_was_set(void **state)
{
    (void)state;
    scene s = begin(false);
    begin_keying(&s);
    mmd_item arm = bone(&s, "右腕");
    double wanted[16], now[16];
    mmd_edit_local(s.edit, arm, wanted);
    wanted[12] += 0.5;
    mmd_transform3d *object = mmd_edit_transform3d(s.edit, arm);
    assert_non_null(object);
    assert_true(mmd_edit_do(s.edit, mmd_transform3d_matrix_command(s.edit, object, wanted)));
    mmd_edit_local(s.edit, arm, now);
    assert_true(largest_difference(now, wanted) < 1e-5);
    const double v[3] = {5, 6, 7};
    assert_true(mmd_edit_do(s.edit, mmd_transform3d_command(s.edit, object, MMD_ROTATION, v)));
    double got[3];
    assert_true(mmd_transform3d_get(s.edit, object, MMD_ROTATION, got));
    for (int k = 0; k < 3; k++)
        assert_true(fabs(got[k] - v[k]) < 1e-4);
    mmd_transform3d_destroy(object);
    end(&s);
}

/* --- Bones with a fixed axis --- */

static double angle_about(const scene *s, mmd_item item, double *off)
{
    const float *a = s->model->bones[item.index].fixed_axis;
    float t[3], r[4];
    double along = 0, length = 0, square = 0;
    mmd_pose_get_user(mmd_actor_pose(s->actor), item.index, t, r);
    for (int k = 0; k < 3; k++) {
        along += (double)a[k] * (double)r[k];
        length += (double)a[k] * (double)a[k];
        square += (double)r[k] * (double)r[k];
    }
    along /= sqrt(length);
    *off = sqrt(fmax(0, square - along * along));
    return 2 * atan2(along, (double)r[3]) * 180 / 3.14159265358979323846;
}

/* Computes Euler angles of a rotation perpendicular to an axis, which has no part about that axis. */
static void turn_across(const float axis[3], double degrees[3])
{
    const double across[3] = {-(double)axis[1], (double)axis[0], 0};
    double length = hypot(across[0], across[1]), half = 20 * 3.14159265358979323846 / 180;
    const double q[4] = {across[0] / length * sin(half), across[1] / length * sin(half), 0, cos(half)};
    degrees[0] = atan2(2 * q[3] * q[0], 1 - 2 * (q[0] * q[0] + q[1] * q[1]));
    degrees[1] = asin(2 * (q[3] * q[1]));
    degrees[2] = atan2(2 * q[0] * q[1], 1 - 2 * q[1] * q[1]);
    for (int k = 0; k < 3; k++)
        degrees[k] *= 180 / 3.14159265358979323846;
}

/* The rotation is reduced to the axis as MMD does when it registers a key (docs/mmd.md 3.4): its angle stays,
 * and its sign is that about the axis. */
static void a_bone_with_a_fixed_axis_turns_about_it_only(void **state)
{
    (void)state;
    scene s = begin(false);
    mmd_item twist = bone(&s, "左腕捩");
    const float *axis = s.model->bones[twist.index].fixed_axis;
    assert_true(s.model->bones[twist.index].flags & MMD_BONE_FIXED_AXIS);
    double off, sign = axis[0] < 0 ? -1 : 1;
    assert_true(mmd_edit_do(s.edit, command(&s, twist, MMD_HINT_ROTATE, MMD_ROTATION, 40, 0, 0)));
    assert_true(fabs(angle_about(&s, twist, &off) - sign * 40) < 1e-4 && off < 1e-6);
    assert_true(mmd_edit_do(s.edit, command(&s, twist, MMD_HINT_ROTATE, MMD_ROTATION, -25, 0, 0)));
    assert_true(fabs(angle_about(&s, twist, &off) + sign * 25) < 1e-4 && off < 1e-6);
    double across[3];
    turn_across(axis, across);
    mmd_command *c = command(&s, twist, MMD_HINT_ROTATE, MMD_ROTATION, across[0], across[1], across[2]);
    assert_non_null(c);
    assert_false(mmd_edit_do(s.edit, c));
    assert_string_equal(
        mmd_edit_refusal(s.edit),
        "左腕捩 of おどり turns only about its fixed axis, and this rotation has no part about it");
    assert_true(fabs(angle_about(&s, twist, &off) + sign * 25) < 1e-4);
    /* It can be moved freely, and the identity is allowed. */
    assert_true(mmd_edit_do(s.edit, command(&s, twist, MMD_HINT_TRANSLATE, MMD_TRANSLATION, 1, 2, 3)));
    assert_true(mmd_edit_do(s.edit, command(&s, twist, MMD_HINT_ROTATE, MMD_ROTATION, 0, 0, 0)));
    assert_true(fabs(angle_about(&s, twist, &off)) < 1e-9);
    end(&s);
}

/* A drag that passes over a refused rotation ends at the last valid one, and so does redo. */
static void what_a_drag_was_refused_is_not_done_again(void **state)
{
    (void)state;
    scene s = begin(false);
    mmd_item twist = bone(&s, "左腕捩");
    double across[3], off, sign = s.model->bones[twist.index].fixed_axis[0] < 0 ? -1 : 1;
    turn_across(s.model->bones[twist.index].fixed_axis, across);
    mmd_command *c = command(&s, twist, MMD_HINT_ROTATE, MMD_ROTATION, 40, 0, 0);
    assert_non_null(c);
    assert_true(mmd_command_set(s.edit, c, NULL));
    assert_false(mmd_command_set(s.edit, c, across));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_FIXED_AXIS);
    assert_true(fabs(angle_about(&s, twist, &off) - sign * 40) < 1e-4 && off < 1e-6);
    assert_true(mmd_edit_add(s.edit, c));
    assert_true(mmd_edit_undo(s.edit));
    assert_true(fabs(angle_about(&s, twist, &off)) < 1e-9 && off < 1e-9);
    assert_true(mmd_edit_redo(s.edit));
    assert_true(fabs(angle_about(&s, twist, &off) - sign * 40) < 1e-4 && off < 1e-6);
    end(&s);
}

static void a_whole_bone_with_a_fixed_axis_is_held_to_it(void **state)
{
    (void)state;
    scene s = begin(false);
    mmd_item twist = bone(&s, "左腕捩");
    double m[16], before[16], off;
    mmd_edit_local(s.edit, twist, before);
    memcpy(m, before, sizeof m);
    const double c = cos(0.5), sn = sin(0.5); /* rotated about its X */
    for (int k = 0; k < 3; k++) {
        m[4 + k] = before[4 + k] * c + before[8 + k] * sn;
        m[8 + k] = before[8 + k] * c - before[4 + k] * sn;
    }
    m[13] += 2;
    mmd_transform3d *object = mmd_edit_transform3d(s.edit, twist);
    assert_true(mmd_edit_do(s.edit, mmd_transform3d_matrix_command(s.edit, object, m)));
    mmd_transform3d_destroy(object);
    assert_true(fabs(fabs(angle_about(&s, twist, &off)) - 0.5 * 180 / 3.14159265358979323846) < 1e-3);
    assert_true(off < 1e-6);
    mmd_edit_local(s.edit, twist, before);
    for (int k = 12; k < 15; k++)
        assert_true(fabs(before[k] - m[k]) < 1e-5);
    end(&s);
}

/* The key holds the rotation that the motion plays. */
static void keys_of_a_fixed_axis_are_held_to_it(void **state)
{
    (void)state;
    scene s = begin(false);
    begin_keying(&s);
    mmd_item twist = bone(&s, "左腕捩");
    assert_true(mmd_edit_do(s.edit, command(&s, twist, MMD_HINT_ROTATE, MMD_ROTATION, 30, 20, 10)));
    mmd_stored_bone_key key;
    assert_true(mmd_motion_get_bone_key(s.dance, s.model->bone_key[twist.index], 100, &key));
    mmd_op ops[MMD_OPS_MAX];
    size_t count = mmd_edit_ops(s.edit, twist, ops);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; !strcmp(ops[i].name, "motion:rotate") && k < 4; k++)
            assert_true(fabs(ops[i].value[k] - (double)key.key.rotation[k]) < 1e-6);
    const float *axis = s.model->bones[twist.index].fixed_axis;
    double across[3], turn[3], largest = 0;
    for (int k = 0; k < 3; k++)
        turn[k] = (double)key.key.rotation[k];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        across[k] = (double)axis[i] * turn[j] - (double)axis[j] * turn[i];
        largest = fmax(largest, fabs(across[k]));
    }
    assert_true(largest < 1e-6);
    assert_true(mmd_edit_undo(s.edit));
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_product_of_a_bones_ops_is_what_the_pose_says),
        cmocka_unit_test(a_bones_exclusive_matrix_is_its_parents_inclusive_one),
        cmocka_unit_test(edits_of_bones_hit_the_users_ops_and_leave_the_others),
        cmocka_unit_test(a_bone_lands_where_its_matrix_was_set),
        cmocka_unit_test(bones_have_no_scale_and_no_pivots),
        cmocka_unit_test(items_are_described_as_users_know_them),
        cmocka_unit_test(what_ik_moves_is_moved_by_its_goal),
        cmocka_unit_test(what_physics_moves_is_edited_while_time_stands),
        cmocka_unit_test(models_are_placed_with_pivots_and_come_back_bit_for_bit),
        cmocka_unit_test(the_cameras_matrix_is_the_views_inverse),
        cmocka_unit_test(camera_and_joints_stand_where_their_matrix_was_set),
        cmocka_unit_test(without_its_handler_nothing_else_is_promised),
        cmocka_unit_test(the_light_is_given_back_by_undo),
        cmocka_unit_test(bodies_are_placed_and_the_simulation_begins_with_them_there),
        cmocka_unit_test(joints_stay_where_they_are_when_a_body_is_placed),
        cmocka_unit_test(while_keying_edits_write_keys_of_the_motion),
        cmocka_unit_test(a_registered_key_is_motion_times_user),
        cmocka_unit_test(a_whole_bone_is_keyed_where_its_matrix_was_set),
        cmocka_unit_test(a_bone_with_a_fixed_axis_turns_about_it_only),
        cmocka_unit_test(what_a_drag_was_refused_is_not_done_again),
        cmocka_unit_test(a_whole_bone_with_a_fixed_axis_is_held_to_it),
        cmocka_unit_test(keys_of_a_fixed_axis_are_held_to_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
