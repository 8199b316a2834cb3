/* Vertices driven by soft bodies: the GPU's positions against the reference, and images with edges, shadows
 * and ids. */
#include "golden.h"
#include "made_model.h"

#include "mmd/pose_parts.h"
#include "mmd/simulation.h"

/* Cloth of two layers, front and back, over a ball; and a floor. */
enum {
    SIDE = 17,
    LAYER = SIDE * SIDE,
    QUADS = (SIDE - 1) * (SIDE - 1),
    CLOTH_VERTICES = 2 * LAYER,
    CLOTH_INDICES = 12 * QUADS,
    FLOOR = CLOTH_VERTICES,
    VERTICES = CLOTH_VERTICES + 4,
    INDICES = CLOTH_INDICES + 6
};

/* Fills in the vertices and triangles of one layer of the cloth. */
static void fill_layer(mmd_model *model, uint32_t layer)
{
    uint32_t first = layer * LAYER;
    uint32_t *indices = model->indices + (size_t)layer * 6 * QUADS;
    for (uint32_t i = 0; i < LAYER; i++) {
        float *position = model->vertices.position[first + i];
        position[0] = 0.5f * (float)(i % SIDE) - 4.0f;
        position[1] = 14.0f;
        position[2] = 0.5f * (float)(i / SIDE) - 4.0f;
        model->vertices.normal[first + i][1] = layer ? -1.0f : 1.0f;
    }
    for (uint32_t i = 0; i < LAYER - SIDE; i++) {
        uint32_t a = first + i, b = a + 1, c = a + SIDE, d = c + 1;
        const uint32_t corners[2][6] = {{a, c, b, b, c, d}, {a, b, c, c, b, d}};
        if (i % SIDE == SIDE - 1)
            continue;
        memcpy(indices, corners[layer], sizeof corners[layer]);
        indices += 6;
    }
}

static void fill_floor(mmd_model *model)
{
    made_square(model, FLOOR, CLOTH_INDICES, -12.0f, -12.0f, 0.0f, 24.0f);
    for (uint32_t v = FLOOR; v < VERTICES; v++) {
        float *p = model->vertices.position[v];
        p[2] = p[1]; /* from upright to level */
        p[1] = 0.0f;
        memcpy(model->vertices.normal[v], (float[3]){0.0f, 1.0f, 0.0f}, 3 * sizeof(float));
    }
}

static void fill_materials(mmd_model *model)
{
    static const float colors[2][3] = {{0.95f, 0.45f, 0.2f}, {0.75f, 0.8f, 0.7f}};
    const uint32_t counts[2] = {CLOTH_INDICES, 6};
    for (uint32_t m = 0; m < 2; m++) {
        mmd_material *material = &model->materials[m];
        material->first_index = m ? CLOTH_INDICES : 0;
        material->index_count = counts[m];
        material->flags = m ? MMD_MATERIAL_TWO_SIDED
                            : MMD_MATERIAL_EDGE | MMD_MATERIAL_GROUND_SHADOW | MMD_MATERIAL_CASTS_SHADOW |
                                  MMD_MATERIAL_RECEIVES_SHADOW;
        for (int k = 0; k < 3; k++) {
            material->diffuse[k] = colors[m][k];
            material->ambient[k] = 0.4f * colors[m][k];
        }
        material->edge_size = 1.0f;
        material->specular_power = 6.0f;
        for (int k = 0; k < 3 && !m; k++)
            material->specular[k] = 0.7f;
        material->shared_toon = true;
        material->toon = m ? 2 : 1;
    }
}

/* Adds a ball as a rigid body and the cloth as a soft body. */
static void add_physics(mmd_model *model, int32_t *pins)
{
    mmd_rigid_body *ball = made_array(model, 1, sizeof *ball);
    mmd_soft_body *soft = made_array(model, 1, sizeof *soft);
    *ball = (mmd_rigid_body){.name = "ball",
                             .name_en = "ball",
                             .mask = 0xffff,
                             .size = {2.0f},
                             .position = {0.0f, 9.0f, 0.0f},
                             .friction = 1.0f};
    *soft = (mmd_soft_body){.name = "cloth",
                            .name_en = "cloth",
                            .group = 1,
                            .mask = 0xffff,
                            .flags = 1,
                            .link_distance = 2,
                            .mass = 1.0f,
                            .margin = 0.15f,
                            .config = {1, 0.02f, 0, 0, 0, 0, 1, 0, 1, 1, 1, 0.7f},
                            .iterations = {0, 6, 0, 4},
                            .material_config = {1, 1, 1},
                            .pin_count = 2,
                            .pins = pins};
    model->body_count = 1;
    model->bodies = ball;
    model->soft_body_count = 1;
    model->soft_bodies = soft;
}

static mmd_model *make_cloth(void)
{
    mmd_model *model =
        made_model(&(made_sizes){.vertices = VERTICES, .indices = INDICES, .bones = 1, .materials = 2});
    int32_t *pins = made_array(model, 2, sizeof *pins);
    pins[0] = LAYER - SIDE;
    pins[1] = LAYER - 1;
    fill_layer(model, 0);
    fill_layer(model, 1);
    fill_floor(model);
    fill_materials(model);
    add_physics(model, pins);
    made_finish(model);
    return model;
}

/* Opens the model on a stage with a camera that looks down on it, with or without physics. */
static void open_cloth(test_scene *scene, mmd_model *model, bool physics)
{
    mmd_camera camera = mmd_default_camera();
    test_scene_open_made(scene, model, NULL, 0);
    mmd_physics_options options = mmd_default_physics_options();
    options.run_ahead = false;
    if (physics)
        ASSERT_OK(mmd_stage_set_physics(scene->stage, &options, error));
    camera.distance = -34.0f;
    camera.position[1] = 8.0f;
    camera.rotation[0] = -0.35f;
    camera.rotation[1] = -0.6f;
    mmd_stage_set_camera(scene->stage, &camera);
    mmd_stage_set_frame(scene->stage, 0.0);
}

/* ---------------------------------------------------------------- vertices */

static double largest_difference(const mmd_skinned_vertex *reference, const float (*positions)[3],
                                 const float (*normals)[3])
{
    double worst = 0.0;
    for (uint32_t v = 0; v < VERTICES; v++)
        for (int k = 0; k < 3; k++) {
            worst = fmax(worst, fabs(reference[v].position[k] - (double)positions[v][k]));
            worst = fmax(worst, fabs(reference[v].normal[k] - (double)normals[v][k]));
        }
    return worst;
}

/* Compares the GPU's vertices at a frame with the reference, and returns the largest difference. */
static double compare_frame(test_scene *scene, double frame)
{
    static mmd_skinned_vertex reference[VERTICES];
    static float positions[VERTICES][3], normals[VERTICES][3];
    const mmd_pose *pose = mmd_actor_pose(scene->actor);
    mmd_stage_set_frame(scene->stage, frame);
    mmd_skin_reference(scene->model, mmd_pose_palette(pose), mmd_pose_weights(pose), MMD_SDEF_LINEAR, NULL,
                       reference);
    ASSERT_OK(mmd_soft_skin_reference(scene->stage, 0, reference, error));
    ASSERT_OK(mmd_view_read_stage_vertices(scene->view, scene->stage, 0, MMD_SDEF_LINEAR, positions, normals,
                                           error));
    /* The two layers coincide and face away from each other. */
    for (uint32_t v = 0; v < LAYER; v++)
        for (int k = 0; k < 3; k++) {
            assert_true(positions[v][k] == positions[LAYER + v][k]);
            assert_true(normals[v][k] == -normals[LAYER + v][k]);
        }
    assert_true(positions[FLOOR][1] == 0.0f);
    return largest_difference(reference, (const float(*)[3])positions, (const float(*)[3])normals);
}

static void vertices_are_where_the_reference_has_them(void **state)
{
    (void)state;
    mmd_model *model = make_cloth();
    test_scene scene;
    open_cloth(&scene, model, true);
    for (int frame = 0; frame <= 60; frame += 12)
        assert_true(compare_frame(&scene, frame + 0.25) <= 1e-5);
    test_scene_close(&scene);
    made_destroy(model);
}

/* The actor's position does not affect its vertices. In the image they are in world space. */
static void placed_cloth_is_seen_from_its_place(void **state)
{
    (void)state;
    static float positions[VERTICES][3];
    mmd_model *model = make_cloth();
    mmd_staging staging = mmd_default_staging();
    test_scene scene;
    open_cloth(&scene, model, true);
    staging.position[0] = 3.0f;
    staging.position[2] = -7.0f;
    staging.rotation[1] = 1.0f;
    mmd_stage_set_staging(scene.stage, 0, &staging);
    assert_true(compare_frame(&scene, 20.0) <= 2e-5);
    ASSERT_OK(
        mmd_view_read_stage_vertices(scene.view, scene.stage, 0, MMD_SDEF_LINEAR, positions, NULL, error));
    for (int pin = 0; pin < 2; pin++)
        for (int k = 0; k < 3; k++) {
            int32_t v = model->soft_bodies[0].pins[pin];
            assert_true(fabs((double)positions[v][k] - (double)model->vertices.position[v][k]) < 1e-4);
        }
    test_scene_close(&scene);
    made_destroy(model);
}

static void without_physics_vertices_are_skinned(void **state)
{
    (void)state;
    static float positions[VERTICES][3];
    mmd_model *model = make_cloth();
    test_scene scene;
    open_cloth(&scene, model, true);
    compare_frame(&scene, 30.0); /* the instance had a soft body before */
    ASSERT_OK(mmd_stage_set_physics(scene.stage, NULL, error));
    mmd_stage_set_frame(scene.stage, 30.0);
    ASSERT_OK(
        mmd_view_read_stage_vertices(scene.view, scene.stage, 0, MMD_SDEF_LINEAR, positions, NULL, error));
    assert_memory_equal(positions, model->vertices.position, sizeof positions);
    test_scene_close(&scene);
    made_destroy(model);
}

/* Seeking to a frame gives the same as playing to it, also between steps. */
static void seeking_equals_playing(void **state)
{
    (void)state;
    static float played[LAYER][4];
    mmd_model *model = make_cloth();
    test_scene scene;
    open_cloth(&scene, model, true);
    for (int frame = 0; frame <= 75; frame++)
        mmd_stage_set_frame(scene.stage, frame);
    mmd_stage_set_frame(scene.stage, 75.3);
    memcpy(played, mmd_stage_soft_positions(scene.stage, 0, 0), sizeof played);
    mmd_stage_set_frame(scene.stage, 200.0);
    mmd_stage_set_frame(scene.stage, 75.3); /* backwards, from a snapshot */
    assert_memory_equal(mmd_stage_soft_positions(scene.stage, 0, 0), played, sizeof played);
    test_scene_close(&scene);
    open_cloth(&scene, model, true);
    mmd_stage_set_frame(scene.stage, 75.3);
    assert_memory_equal(mmd_stage_soft_positions(scene.stage, 0, 0), played, sizeof played);
    test_scene_close(&scene);
    made_destroy(model);
}

/* Unchanged data is not uploaded again, and moving data allocates nothing. */
static void frames_upload_nodes_and_allocate_nothing(void **state)
{
    (void)state;
    mmd_model *model = make_cloth();
    mmd_view_options options = mmd_default_view_options();
    mmd_image image = {0};
    test_scene scene;
    open_cloth(&scene, model, true);
    for (int frame = 1; frame < 4; frame++) {
        mmd_stage_set_frame(scene.stage, frame);
        ASSERT_OK(mmd_view_picture(scene.view, scene.stage, &options, 64, 64, &image, error));
    }
    assert_true(mmd_view_get_statistics(scene.view).upload_bytes == 2 * 16 * LAYER);
    uint64_t allocations = mmd_heap_allocations();
    ASSERT_OK(mmd_view_picture(scene.view, scene.stage, &options, 64, 64, &image, error));
    assert_true(mmd_view_get_statistics(scene.view).upload_bytes == 0);
    assert_true(mmd_heap_allocations() == allocations);
    mmd_image_finish(&image);
    test_scene_close(&scene);
    made_destroy(model);
}

/* ---------------------------------------------------------------- images */

static void cloth_over_a_ball_looks_as_it_did(void **state)
{
    (void)state;
    mmd_model *model = make_cloth();
    mmd_view_options options = mmd_default_view_options();
    golden kept;
    test_scene scene;
    open_cloth(&scene, model, true);
    options.ground_shadow = true;
    options.samples = 4;
    mmd_stage_set_frame(scene.stage, 90.0);
    if (golden_start(&kept, scene.gpu))
        golden_check(&kept, &scene, &options, "soft-cloth");
    test_scene_close(&scene);
    made_destroy(model);
}

/* Ids follow the cloth: they are found where it fell, and no longer where it rested. */
static void ids_are_of_the_cloth_that_fell(void **state)
{
    (void)state;
    static uint32_t before[GOLDEN_WIDTH * GOLDEN_HEIGHT][3], after[GOLDEN_WIDTH * GOLDEN_HEIGHT][3];
    mmd_model *model = make_cloth();
    mmd_view_options options = mmd_default_view_options();
    test_scene scene;
    open_cloth(&scene, model, true);
    ASSERT_OK(mmd_view_ids(scene.view, scene.stage, &options, GOLDEN_WIDTH, GOLDEN_HEIGHT, before, error));
    mmd_stage_set_frame(scene.stage, 90.0);
    ASSERT_OK(mmd_view_ids(scene.view, scene.stage, &options, GOLDEN_WIDTH, GOLDEN_HEIGHT, after, error));
    size_t came = 0, went = 0;
    for (size_t i = 0; i < GOLDEN_WIDTH * GOLDEN_HEIGHT; i++) {
        bool was = before[i][0] == 0 && before[i][1] == 0, is = after[i][0] == 0 && after[i][1] == 0;
        came += is && !was;
        went += was && !is;
    }
    print_message("cloth came to %zu pixels and left %zu\n", came, went);
    assert_true(came > 1000 && went > 200);
    test_scene_close(&scene);
    made_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_are_where_the_reference_has_them),
        cmocka_unit_test(placed_cloth_is_seen_from_its_place),
        cmocka_unit_test(without_physics_vertices_are_skinned),
        cmocka_unit_test(seeking_equals_playing),
        cmocka_unit_test(frames_upload_nodes_and_allocate_nothing),
        cmocka_unit_test(cloth_over_a_ball_looks_as_it_did),
        cmocka_unit_test(ids_are_of_the_cloth_that_fell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
