/* Compares images of the test figure with reference images under tests/golden (golden.h). */
#include "figure_scene.h"

#include "golden.h"
#include "made_model.h"

static const double frames[] = {0.0, 67.5, 150.0};

static void the_figure_looks_as_it_did(void **state)
{
    (void)state;
    figure_scene figure;
    mmd_view_options options = mmd_default_view_options();
    golden kept;
    char name[64];
    open_figure(&figure);
    bool known = golden_start(&kept, figure.scene.gpu);
    for (size_t i = 0; known && i < sizeof frames / sizeof *frames; i++) {
        mmd_stage_set_frame(figure.scene.stage, frames[i]);
        snprintf(name, sizeof name, "figure-%g", frames[i]);
        golden_check(&kept, &figure.scene, &options, name);
    }
    close_figure(&figure);
}

/* Sets one self-shadow keyframe for the whole motion. */
static void set_shadow_mode(mmd_stage *stage, mmd_motion *motion, mmd_self_shadow_key *key, uint8_t mode)
{
    *key = (mmd_self_shadow_key){.value = {mode, 0.02f}};
    *motion = (mmd_motion){.self_shadow_keys = key, .self_shadow_key_count = 1};
    ASSERT_OK(mmd_stage_add_scene_motion(stage, motion, error));
}

/* Makes a stick of 0.6 x 6 units as an accessory: a box about the origin, along y. */
static mmd_model *make_stick(void)
{
    static const float axes[6][3][3] = {
        /* normal, across, up: across x up = -normal, as seen by the viewer */
        {{0, 0, -1}, {1, 0, 0}, {0, 1, 0}},  {{0, 0, 1}, {-1, 0, 0}, {0, 1, 0}},
        {{-1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
        {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},   {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
    };
    mmd_model *model = made_model(&(made_sizes){.vertices = 24, .indices = 36, .bones = 1, .materials = 1});
    for (uint32_t side = 0; side < 6; side++) {
        made_square(model, 4 * side, 6 * side, -1.0f, -1.0f, -1.0f, 2.0f);
        for (uint32_t v = 4 * side; v < 4 * side + 4; v++) {
            float *p = model->vertices.position[v], x = p[0], y = p[1];
            for (int k = 0; k < 3; k++) {
                float size = k == 1 ? 3.0f : 0.3f;
                p[k] = size * (axes[side][0][k] + x * axes[side][1][k] + y * axes[side][2][k]);
                model->vertices.normal[v][k] = axes[side][0][k];
            }
        }
    }
    model->origin = MMD_ORIGIN_X;
    model->materials[0].index_count = 36;
    model->materials[0].flags =
        MMD_MATERIAL_CASTS_SHADOW | MMD_MATERIAL_RECEIVES_SHADOW | MMD_MATERIAL_GROUND_SHADOW;
    memcpy(model->materials[0].diffuse, (float[4]){0.9f, 0.6f, 0.1f, 1.0f}, 4 * sizeof(float));
    memset(model->materials[0].ambient, 0, 3 * sizeof(float));
    made_finish(model);
    return model;
}

/* The figure with a stick in her hand, and a smaller copy of her beside her. */
typedef struct full_scene {
    figure_scene figure;
    mmd_model *stick;
    mmd_actor *in_hand, *beside;
} full_scene;

static void open_full(full_scene *full)
{
    test_scene *scene = &full->figure.scene;
    open_figure(&full->figure);
    full->stick = make_stick();
    ASSERT_OK(mmd_view_add_model(scene->view, full->stick, scene->source, "", error));
    full->in_hand = mmd_actor_create(full->stick);
    full->beside = mmd_actor_create(scene->model);
    assert_true(full->in_hand && full->beside);
    ASSERT_OK(mmd_actor_add_motion(full->beside, full->figure.motion, error));
    ASSERT_OK(mmd_stage_add_actor(scene->stage, full->in_hand, error));
    ASSERT_OK(mmd_stage_add_actor(scene->stage, full->beside, error));
    mmd_staging staging = mmd_default_staging();
    staging.parent = scene->actor;
    staging.parent_bone = BONE_WRIST;
    staging.rotation[0] = 1.2f;
    mmd_stage_set_staging(scene->stage, 1, &staging);
    staging = mmd_default_staging();
    staging.position[0] = -5.5f, staging.position[2] = 3.0f;
    staging.scale = 0.7f;
    staging.draw_order = -1;
    mmd_stage_set_staging(scene->stage, 2, &staging);
}

static void close_full(full_scene *full)
{
    close_figure(&full->figure);
    mmd_actor_destroy(full->in_hand);
    mmd_actor_destroy(full->beside);
    made_destroy(full->stick);
}

static void shadows_look_as_they_did(void **state)
{
    (void)state;
    full_scene full;
    golden kept;
    char name[64];
    mmd_motion motion;
    mmd_self_shadow_key key;
    open_full(&full);
    test_scene *scene = &full.figure.scene;
    bool known = golden_start(&kept, scene->gpu);
    mmd_view_options options = mmd_default_view_options();
    options.samples = 4;
    options.self_shadow = options.ground_shadow = options.grid = true;
    mmd_camera camera = mmd_default_camera();
    camera.distance = -44.0f;
    camera.rotation[0] = -0.2f;
    camera.rotation[1] = 0.35f;
    mmd_stage_set_camera(scene->stage, &camera);
    for (uint8_t mode = 1; known && mode <= 2; mode++) {
        set_shadow_mode(scene->stage, &motion, &key, mode);
        mmd_stage_set_frame(scene->stage, 67.5);
        snprintf(name, sizeof name, "shadow-mode-%d", mode);
        golden_check(&kept, scene, &options, name);
    }
    close_full(&full);
}

static void other_views_look_as_they_did(void **state)
{
    (void)state;
    full_scene full;
    golden kept;
    open_full(&full);
    test_scene *scene = &full.figure.scene;
    bool known = golden_start(&kept, scene->gpu);
    mmd_view_options options = mmd_default_view_options();
    options.samples = 4;
    mmd_camera camera = mmd_default_camera();
    camera.distance = -34.0f;
    camera.rotation[1] = 0.6f;
    camera.perspective = false;
    mmd_stage_set_camera(scene->stage, &camera);
    mmd_stage_set_frame(scene->stage, 150.0);
    if (known) {
        golden_check(&kept, scene, &options, "orthographic");
        options.shading = MMD_SHADING_SMOOTH;
        memset(options.background, 0, 3 * sizeof(float));
        options.ground_shadow = options.ground_shadow_transparent = true;
        camera.perspective = true;
        camera.distance = -40.0f;
        camera.rotation[0] = -0.35f;
        mmd_stage_set_camera(scene->stage, &camera);
        golden_check(&kept, scene, &options, "smooth-on-black");
    }
    close_full(&full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_figure_looks_as_it_did),
        cmocka_unit_test(shadows_look_as_they_did),
        cmocka_unit_test(other_views_look_as_they_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
