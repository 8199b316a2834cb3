/* Tests the room of the bundled dance, and the camera that shows it. */
#include "support.h"

#include "mmd/simulation.h"
#include "recipe/stage.h"
#include "scene/dance_box.h"
#include "scene/physics.h"

typedef struct opened {
    recipe wanted;
    recipe_stage stage;
} opened;

static void open_dance(opened *o)
{
    const mmd_log log = {0};
    mmd_error error = {0};
    recipe_init(&o->wanted, true);
    const recipe_opening how = {.subcommand = "test", .log = &log};
    assert_int_equal(recipe_open(&o->stage, &o->wanted, &how, &error), MMD_OK);
}

static void close_dance(opened *o)
{
    recipe_close(&o->stage);
    recipe_finish(&o->wanted);
}

/* Adds the vertices of the dancer at the stage's frame to the borders of what was seen. */
static void add_seen(const odori_scene *s, mmd_skinned_vertex *vertices, dance_box *seen)
{
    const mmd_model *model = s->models[0].model;
    mmd_pose_skin(model, mmd_actor_pose(s->models[0].actor), MMD_SDEF_LINEAR, NULL, vertices);
    for (uint32_t i = 0; i < model->vertices.count; i++) {
        const double *p = vertices[i].position;
        seen->left = fmin(seen->left, p[0]);
        seen->right = fmax(seen->right, p[0]);
        seen->bottom = fmin(seen->bottom, p[1]);
        seen->top = fmax(seen->top, p[1]);
    }
}

/* At other frames than those that were looked at, she is inside; and there is not much more room than she
 * needs. */
static void the_box_holds_the_dance(void **state)
{
    opened o;
    dance_box box;
    mmd_error error = {0};
    (void)state;
    open_dance(&o);
    odori_scene *s = &o.stage.scene;
    mmd_skinned_vertex *vertices = mmd_alloc(s->models[0].model->vertices.count * sizeof *vertices);
    assert_non_null(vertices);
    assert_int_equal(dance_box_find(s, &box, &error), MMD_OK);
    assert_int_equal(physics_switch(s, NULL, &error), MMD_OK);
    dance_box seen = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    const double last = mmd_stage_last_frame(s->stage), height = box.top - box.bottom;
    for (double frame = 0; frame <= last; frame += last / 48.3) {
        mmd_stage_set_frame(s->stage, frame);
        add_seen(s, vertices, &seen);
        if (frame == 0)
            assert_true(fabs(seen.bottom - box.bottom) < 0.01 * height); /* she stands on the lower edge */
    }
    assert_true(seen.left > box.left && seen.right < box.right && seen.top < box.top);
    assert_true(seen.bottom > box.bottom - 0.03 * height);
    assert_true(seen.right - seen.left > 0.7 * (box.right - box.left));
    assert_true(seen.top - seen.bottom > 0.9 * height);
    mmd_free(vertices);
    close_dance(&o);
}

/* Physics is as if nobody had looked. */
static void looking_changes_nothing(void **state)
{
    enum { FRAME = 12 };
    opened plain, looked;
    dance_box box;
    mmd_error error = {0};
    (void)state;
    open_dance(&plain);
    open_dance(&looked);
    assert_int_equal(dance_box_find(&looked.stage.scene, &box, &error), MMD_OK);
    assert_non_null(mmd_stage_physics(looked.stage.scene.stage));
    mmd_stage_set_frame(plain.stage.scene.stage, FRAME);
    mmd_stage_set_frame(looked.stage.scene.stage, FRAME);
    const mmd_model *model = plain.stage.scene.models[0].model;
    assert_memory_equal(mmd_pose_world(mmd_actor_pose(plain.stage.scene.models[0].actor)),
                        mmd_pose_world(mmd_actor_pose(looked.stage.scene.models[0].actor)),
                        model->bone_count * sizeof(mmd_transform));
    close_dance(&plain);
    close_dance(&looked);
}

/* Projects a point of the plane z = 0. */
static void project(const mmd_camera *camera, double aspect, double x, double y, double at[2])
{
    float view[16], projection[16];
    mmd_camera_matrices(camera, (float)aspect, view, projection, NULL);
    const double p[2] = {x, y};
    for (int k = 0; k < 2; k++) {
        const double seen = (double)view[k] * p[0] + (double)view[4 + k] * p[1] + (double)view[12 + k];
        at[k] = (double)projection[5 * k] * seen;
    }
}

/* The floor is at the lower border, the box in the middle, and the larger of its sides fills the picture. */
static void the_camera_shows_the_box(void **state)
{
    static const double aspects[] = {0.4, 0.7, 1, 1.5, 3};
    const dance_box box = {-3, 9, -0.5, 17.5};
    (void)state;
    for (size_t i = 0; i < sizeof aspects / sizeof *aspects; i++) {
        const mmd_camera camera = dance_box_camera(&box, aspects[i]);
        double low[2], high[2];
        assert_false(camera.perspective);
        project(&camera, aspects[i], box.left, box.bottom, low);
        project(&camera, aspects[i], box.right, box.top, high);
        assert_float_equal(low[1], -1, 1e-5);
        assert_float_equal(low[0], -high[0], 1e-5);
        assert_true(high[0] < 1 + 1e-5 && high[1] < 1 + 1e-5);
        assert_true(high[0] > 1 - 1e-5 || high[1] > 1 - 1e-5);
    }
    assert_float_equal(dance_box_aspect(&box), 12.0 / 18.0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_box_holds_the_dance),
        cmocka_unit_test(looking_changes_nothing),
        cmocka_unit_test(the_camera_shows_the_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
