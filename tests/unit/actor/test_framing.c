/* Tests boxes around actors and the cameras that show them. Expected values are computed here. */
#include "support.h"

#include <math.h>

#include "mmd/framing.h"

/* Finds the largest and smallest coordinates in the picture (-1 to 1) of a box's corners. */
static void project(const mmd_box *box, const mmd_camera *camera, double aspect, float low[2], float high[2])
{
    float view[16], projection[16];
    mmd_camera_matrices(camera, (float)aspect, view, projection, NULL);
    low[0] = low[1] = INFINITY;
    high[0] = high[1] = -INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        float p[4] = {0, 0, 0, 1}, eye[4], clip[4];
        for (int k = 0; k < 3; k++)
            p[k] = corner >> k & 1 ? box->high[k] : box->low[k];
        for (int row = 0; row < 4; row++) {
            eye[row] = 0;
            for (int k = 0; k < 4; k++)
                eye[row] += view[4 * k + row] * p[k];
        }
        for (int row = 0; row < 4; row++) {
            clip[row] = 0;
            for (int k = 0; k < 4; k++)
                clip[row] += projection[4 * k + row] * eye[k];
        }
        for (int k = 0; k < 2; k++) {
            low[k] = fminf(low[k], clip[k] / clip[3]);
            high[k] = fmaxf(high[k], clip[k] / clip[3]);
        }
    }
}

/* A box fills its share of the picture's tighter side, centred, and fits into the other one. */
static void the_box_fills_its_share(void **state)
{
    (void)state;
    static const double aspects[] = {0.5, 1, 16.0 / 9};
    const mmd_box boxes[] = {{{-3, 0, -1}, {5, 20, 2}}, {{-40, 1, -3}, {40, 2, 30}}};
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 3; j++)
            for (int turned = 0; turned < 2; turned++) {
                float low[2], high[2];
                mmd_camera camera = mmd_default_camera();
                camera.rotation[0] = turned ? -0.4f : 0;
                camera.rotation[1] = turned ? 1.1f : 0;
                mmd_camera_fit(&boxes[i], aspects[j], 0.8, &camera);
                project(&boxes[i], &camera, aspects[j], low, high);
                const float wide = high[0] - low[0], tall = high[1] - low[1];
                assert_float_equal(fmaxf(wide, tall), 1.6f, 1e-3f);
                assert_true(low[0] > -0.801f && high[0] < 0.801f && low[1] > -0.801f && high[1] < 0.801f);
            }
}

/* Makes a model with a vertex at each end of a bone that starts at x = 1, and one that has no bone. */
static void make_model(mmd_model *model, mmd_bone *bone, float (*positions)[3], int32_t (*bones)[4])
{
    *bone = (mmd_bone){.name = "b",
                       .name_en = "",
                       .position = {1, 0, 0},
                       .parent = -1,
                       .flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE,
                       .tail_bone = -1,
                       .append_source = -1,
                       .ik_target = -1};
    *model = (mmd_model){
        .name = "", .name_en = "", .comment = "", .comment_en = "", .bone_count = 1, .bones = bone};
    model->vertices.count = 3;
    model->vertices.position = positions;
    model->vertices.bone = bones;
    assert_int_equal(mmd_model_prepare(model, NULL), MMD_OK);
}

/* The box of a posed actor follows its bones and its placement; that at rest only the placement. */
static void boxes_follow_bones_and_placements(void **state)
{
    (void)state;
    float positions[3][3] = {{1, 0, 0}, {1, 4, 0}, {0, 0, -2}};
    int32_t bones[3][4] = {{0, -1, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1}};
    const float lifted[3] = {0, 10, 0}, quarter[4] = {0, 0, sqrtf(0.5f), sqrtf(0.5f)};
    mmd_model model;
    mmd_bone bone;
    mmd_box rest = mmd_empty_box(), posed = mmd_empty_box();
    make_model(&model, &bone, positions, bones);
    mmd_stage *stage = mmd_stage_create();
    mmd_actor *actor = mmd_actor_create(&model);
    assert_int_equal(mmd_stage_add_actor(stage, actor, NULL), MMD_OK);
    mmd_staging staging = mmd_default_staging();
    staging.position[0] = 100;
    staging.scale = 2;
    mmd_stage_set_staging(stage, 0, &staging);
    mmd_pose_set_user(mmd_actor_pose(actor), 0, lifted, quarter);
    mmd_stage_set_frame(stage, 0);
    assert_true(mmd_box_is_empty(&rest) && !mmd_box_is_there(&rest));
    assert_true(mmd_stage_add_box(stage, 0, false, &rest));
    assert_true(mmd_stage_add_box(stage, 0, true, &posed));
    const mmd_box at_rest = {{100, 0, -4}, {102, 8, 0}};
    /* The bone is lifted by 10 and turns its second vertex from up to the left. */
    const mmd_box turned = {{94, 0, -4}, {102, 20, 0}};
    for (int k = 0; k < 3; k++) {
        assert_float_equal(rest.low[k], at_rest.low[k], 1e-4f);
        assert_float_equal(rest.high[k], at_rest.high[k], 1e-4f);
        assert_float_equal(posed.low[k], turned.low[k], 1e-4f);
        assert_float_equal(posed.high[k], turned.high[k], 1e-4f);
    }
    assert_float_equal(mmd_box_size(&posed), 20, 1e-4f);
    mmd_stage_destroy(stage);
    mmd_actor_destroy(actor);
    mmd_arena_finish(&model.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_box_fills_its_share),
        cmocka_unit_test(boxes_follow_bones_and_placements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
