/* Tests handles of items with axes of their own: a bone with a fixed axis (捩り) has one ring, about that
 * axis; a node of a glTF file is scaled along its axes at rest. */
#include "made_gltf.h"

#include <math.h>

#include "edit/gizmo_edit.h"
#include "edit/gizmo.h"
#include "mmd/format.h"

typedef struct scene {
    mmd_model *dancer;
    mmd_exchange *document; /* exactly one of the two is set */
    mmd_actor *actor;
    mmd_stage *stage;
    mmd_edit *edit;
} scene;

static scene begin(scene s)
{
    s.actor = mmd_actor_create(s.dancer ? s.dancer : s.document->model);
    s.stage = mmd_stage_create();
    assert_true(s.actor && s.stage);
    assert_int_equal(mmd_stage_add_actor(s.stage, s.actor, NULL), MMD_OK);
    mmd_staging staging = mmd_default_staging();
    staging.rotation[1] = 0.7f;
    staging.scale = 1.5f;
    mmd_stage_set_staging(s.stage, 0, &staging);
    mmd_stage_set_frame(s.stage, 0);
    s.edit = mmd_edit_create(s.stage, NULL);
    assert_non_null(s.edit);
    return s;
}

static void end(scene *s)
{
    mmd_edit_destroy(s->edit);
    mmd_stage_destroy(s->stage);
    mmd_actor_destroy(s->actor);
    mmd_model_destroy(s->dancer);
    mmd_exchange_destroy(s->document);
}

static scene with_dancer(void)
{
    scene s = {.dancer = NULL};
    mmd_bytes pmx = {0};
    assert_int_equal(mmd_file_read(ODORI_BINARY "/dancer/dancer.pmx", &pmx, NULL), MMD_OK);
    assert_int_equal(mmd_pmx_read(pmx.data, pmx.size, &s.dancer, NULL), MMD_OK);
    mmd_free(pmx.data);
    return begin(s);
}

static scene with_node(void)
{
    made_gltf file = {.count = 0};
    return begin((scene){
        .document = made_gltf_read(
            &file,
            "\"nodes\":[{\"name\":\"turned\",\"rotation\":[0.18257419,0.36514837,0.54772256,0.73029674]}]")});
}

static gizmo_camera some_camera(void)
{
    const mmd_camera camera = {
        .distance = -45, .position = {0, 12, 0}, .rotation = {0.3f, 0.4f, 0}, .fov = 30, .perspective = true};
    float view[16], projection[16];
    gizmo_camera seen = {.width = 1280, .height = 720};
    mmd_camera_matrices(&camera, 1280.0f / 720.0f, view, projection, NULL);
    for (int k = 0; k < 16; k++) {
        seen.view[k] = (double)view[k];
        seen.projection[k] = (double)projection[k];
    }
    return seen;
}

static void a_fixed_axis_has_one_ring_in_every_space(void **state)
{
    (void)state;
    scene s = with_dancer();
    mmd_item twist = mmd_edit_find(s.edit, "/models/#0/bones/左腕捩");
    const float *fixed = s.dancer->bones[twist.index].fixed_axis;
    gizmo_camera camera = some_camera();
    gizmo_placement place;
    double own[16], axis[3];
    assert_true(gizmo_placement_of(s.edit, twist, &place) && place.is_hinge);
    mmd_edit_inclusive(s.edit, twist, own);
    gizmo_rotate_direction(own, (const double[3]){(double)fixed[0], (double)fixed[1], (double)fixed[2]},
                           axis);
    assert_true(gizmo_normalize(axis));
    for (int space = 0; space < GIZMO_SPACES; space++) {
        gizmo g;
        gizmo_stroke strokes[GIZMO_STROKES_MAX];
        assert_true(gizmo_make(&camera, &place, GIZMO_ROTATE, (gizmo_space)space, 1, &g));
        size_t count = gizmo_strokes(&g, strokes);
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(strokes[i].handle, GIZMO_X);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(g.axes[k] - axis[k]) < 1e-6);
        assert_true(gizmo_make(&camera, &place, GIZMO_TRANSLATE, (gizmo_space)space, 1, &g) && !g.is_hinge);
    }
    end(&s);
}

static void its_ring_turns_it_about_the_axis(void **state)
{
    (void)state;
    scene s = with_dancer();
    mmd_item twist = mmd_edit_find(s.edit, "/models/#0/bones/左腕捩");
    const float *fixed = s.dancer->bones[twist.index].fixed_axis;
    const gizmo_request wish = {.mode = GIZMO_ROTATE, .space = GIZMO_WORLD};
    gizmo_hold hold;
    assert_true(gizmo_hold_begin(&hold, s.edit, &twist, 1, &wish));
    for (int i = 1; i <= 10; i++)
        assert_true(
            gizmo_hold_change(&hold, &(gizmo_change){.mode = GIZMO_ROTATE, .amount = {0.2 * i, 0, 0}}));
    assert_true(gizmo_hold_end(&hold, true, false));
    float t[3], r[4];
    double length = 0;
    mmd_pose_get_user(mmd_actor_pose(s.actor), twist.index, t, r);
    for (int k = 0; k < 3; k++)
        length += (double)fixed[k] * (double)fixed[k];
    for (int k = 0; k < 3; k++)
        assert_true(fabs((double)r[k] - (double)fixed[k] / sqrt(length) * sin(1.0)) < 1e-5);
    assert_true(fabs((double)r[3] - cos(1.0)) < 1e-5);
    end(&s);
}

/* Whatever the scale, the handles are perpendicular and along the node's axes. */
static void a_nodes_handles_stand_in_its_own_axes(void **state)
{
    (void)state;
    scene s = with_node();
    const mmd_item node = {.kind = MMD_ITEM_BONE};
    const gizmo_request wish = {.mode = GIZMO_SCALE, .space = GIZMO_LOCAL};
    double before[9], after[9];
    gizmo_placement place;
    gizmo_hold hold;
    float size[3];
    assert_true(gizmo_placement_of(s.edit, node, &place));
    gizmo_axes(&place, GIZMO_SCALE, GIZMO_LOCAL, before);
    assert_true(gizmo_hold_begin(&hold, s.edit, &node, 1, &wish));
    assert_true(gizmo_hold_change(&hold, &(gizmo_change){.mode = GIZMO_SCALE, .amount = {3, 1, 0.5}}));
    assert_true(gizmo_hold_end(&hold, true, false));
    mmd_pose_get_user_scale(mmd_actor_pose(s.actor), 0, size);
    assert_true(size[0] == 3 && size[1] == 1 && size[2] == 0.5f);
    assert_true(gizmo_placement_of(s.edit, node, &place));
    gizmo_axes(&place, GIZMO_SCALE, GIZMO_LOCAL, after);
    for (int k = 0; k < 9; k++)
        assert_true(fabs(before[k] - after[k]) < 1e-5);
    /* The scale by 3 applies along the first axis. */
    double along[3], own[16];
    mmd_edit_inclusive(s.edit, node, own);
    mmd_edit_exclusive(s.edit, node, place.parent);
    const mmd_transform turn = {
        .rotation = {s.document->model->node_rotations[0][0], s.document->model->node_rotations[0][1],
                     s.document->model->node_rotations[0][2], s.document->model->node_rotations[0][3]}};
    float m[16];
    mmd_transform_matrix(&turn, m);
    gizmo_rotate_direction(own, (const double[3]){(double)m[0], (double)m[1], (double)m[2]}, along);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(along[k] - after[k] * 3 * 1.5) < 1e-4);
    assert_true(mmd_edit_undo(s.edit));
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fixed_axis_has_one_ring_in_every_space),
        cmocka_unit_test(its_ring_turns_it_about_the_axis),
        cmocka_unit_test(a_nodes_handles_stand_in_its_own_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
