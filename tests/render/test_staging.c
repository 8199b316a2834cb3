/* Actors on the stage: position, order, blending, accessories, and smooth shading. */
#include "squares.h"

/* Two models of one square of the same size on one stage. The tests change the staging of the second. */
typedef struct pair {
    test_scene scene;
    mmd_model *first, *second;
    mmd_actor *actor;
    mmd_staging staging;
} pair;

static void open_pair(pair *p)
{
    p->first = squares(1, 0, 0);
    p->second = squares(1, 0, 0);
    set_color(&p->first->materials[0], 1.0f, 0.0f, 0.0f, 1.0f);
    set_color(&p->second->materials[0], 0.0f, 0.0f, 1.0f, 1.0f);
    test_scene_open_made(&p->scene, p->first, NULL, 0);
    ASSERT_OK(mmd_view_add_model(p->scene.view, p->second, p->scene.source, "", error));
    p->actor = mmd_actor_create(p->second);
    assert_non_null(p->actor);
    ASSERT_OK(mmd_stage_add_actor(p->scene.stage, p->actor, error));
    p->staging = mmd_default_staging();
}

static void close_pair(pair *p)
{
    test_scene_close(&p->scene);
    mmd_actor_destroy(p->actor);
    made_destroy(p->first);
    made_destroy(p->second);
}

static mmd_image draw_pair(pair *p, const mmd_view_options *options)
{
    mmd_image image = {0};
    mmd_stage_set_staging(p->scene.stage, 1, &p->staging);
    draw(&p->scene, options, &image);
    return image;
}

static void assert_middle(pair *p, int r, int g, int b)
{
    mmd_view_options options = mmd_default_view_options();
    memset(options.background, 0, 3 * sizeof(float)); /* black */
    mmd_image image = draw_pair(p, &options);
    assert_pixel(&image, SIZE / 2, SIZE / 2, r, g, b, 255);
    mmd_image_finish(&image);
}

static void the_later_one_is_drawn_over_the_earlier(void **state)
{
    (void)state;
    pair p;
    open_pair(&p);
    assert_middle(&p, 0, 0, 255);
    p.staging.draw_order = -1;
    assert_middle(&p, 255, 0, 0);
    p.staging.draw_order = 1;
    assert_middle(&p, 0, 0, 255);
    close_pair(&p);
}

static void an_actor_is_hidden_translucent_or_light(void **state)
{
    (void)state;
    pair p;
    open_pair(&p);
    p.staging.visible = false;
    assert_middle(&p, 255, 0, 0);
    p.staging.visible = true;
    p.staging.opacity = 0.2f;
    assert_middle(&p, 204, 0, 51);
    p.staging.additive = true;
    assert_middle(&p, 255, 0, 51);
    p.staging.opacity = 0.0f;
    assert_middle(&p, 255, 0, 0);
    close_pair(&p);
}

/* The square of 8 units around (0,10) is 48 pixels wide. Scaled by half about the origin it is 24 pixels wide
 * and 30 lower. */
static void an_actor_stands_where_it_is_put(void **state)
{
    (void)state;
    pair p;
    open_pair(&p);
    p.staging.scale = 0.5f;
    mmd_image image = draw_pair(&p, NULL);
    assert_pixel(&image, SIZE / 2, SIZE / 2, 255, 0, 0, 255);
    assert_pixel(&image, SIZE / 2, 54, 0, 0, 255, 255);
    mmd_image_finish(&image);
    p.staging.position[1] = 5.0f; /* its centre is that of the other one */
    image = draw_pair(&p, NULL);
    assert_pixel(&image, SIZE / 2, SIZE / 2, 0, 0, 255, 255);
    assert_pixel(&image, SIZE / 2, 50, 255, 0, 0, 255);
    assert_pixel(&image, 14, SIZE / 2, 255, 0, 0, 255);
    mmd_image_finish(&image);
    close_pair(&p);
}

/* Ry Rx Rz applies z first: after a quarter turn about z and one about x, up points to the left. */
static void turns_come_in_mmd_s_order(void **state)
{
    (void)state;
    pair p;
    float m[16];
    open_pair(&p);
    const float quarter = 1.57079633f;
    p.staging.rotation[0] = p.staging.rotation[2] = quarter;
    p.staging.position[0] = 7.0f;
    p.staging.scale = 2.0f;
    mmd_stage_set_staging(p.scene.stage, 1, &p.staging);
    assert_true(mmd_stage_placement(p.scene.stage, 1, m));
    const float wanted[3][3] = {{0, 0, 2}, {-2, 0, 0}, {0, -2, 0}}; /* where x, y and z point */
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 3; k++)
            assert_float_equal(m[4 * axis + k], wanted[axis][k], 1e-6f);
    assert_float_equal(m[12], 7.0f, 0.0f);
    assert_false(mmd_stage_placement(p.scene.stage, 0, m));
    close_pair(&p);
}

/* The accessory is attached to the other's bone, which the user moves two units down and rotates. */
static void an_accessory_goes_with_the_bone_it_is_fixed_to(void **state)
{
    (void)state;
    pair p;
    open_pair(&p);
    p.staging.parent = p.scene.actor;
    p.staging.parent_bone = 0;
    p.staging.position[2] = -1.0f;
    const float down[3] = {0.0f, -2.0f, 0.0f}, none[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    mmd_pose_set_user(mmd_actor_pose(p.scene.actor), 0, down, none);
    mmd_image image = draw_pair(&p, NULL);
    /* Both moved down, and the second is in front. */
    assert_pixel(&image, SIZE / 2, 12, 255, 255, 255, 255);
    assert_pixel(&image, SIZE / 2, SIZE / 2, 0, 0, 255, 255);
    assert_pixel(&image, SIZE / 2, 62, 0, 0, 255, 255);
    mmd_image_finish(&image);
    float m[16];
    assert_true(mmd_stage_placement(p.scene.stage, 1, m));
    assert_float_equal(m[13], -2.0f, 0.0f);
    assert_float_equal(m[14], -1.0f, 0.0f);
    close_pair(&p);
}

/* The colour is diffuse * (0.6 - 0.3) + ambient, plus diffuse * N.L in the light (docs/mmd.md 6.10). */
static void accessories_are_shaded_by_the_light(void **state)
{
    (void)state;
    for (int away = 0; away < 2; away++) {
        mmd_model *model = squares(1, 0, 0);
        model->origin = MMD_ORIGIN_X;
        for (int k = 0; k < 3; k++) {
            model->materials[0].diffuse[k] = 0.5f;
            model->materials[0].ambient[k] = 0.2f;
        }
        for (uint32_t v = 0; v < 4; v++)
            model->vertices.normal[v][2] = away ? 1.0f : -1.0f;
        for (int smooth = 0; smooth < 2; smooth++) {
            mmd_view_options options = mmd_default_view_options();
            options.shading = smooth ? MMD_SHADING_SMOOTH : MMD_SHADING_MMD;
            mmd_image image = picture_of(model, NULL, 0, &options);
            int level = away ? 89 : 141; /* 0.35, plus 0.5 * 0.5 / 1.2247 */
            assert_pixel(&image, SIZE / 2, SIZE / 2, level, level, level, 255);
            mmd_image_finish(&image);
        }
        made_destroy(model);
    }
}

/* Normals diverge by 60 degrees to each side. At the vertices the light is half, so a quarter down the toon
 * (toon06); a pixel in the middle faces the light. */
static void smooth_shading_lights_pixels(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 0, 0);
    model->materials[0].shared_toon = true;
    model->materials[0].toon = 5;
    for (uint32_t v = 0; v < 4; v++) {
        model->vertices.normal[v][0] = v & 1 ? 0.8660254f : -0.8660254f;
        model->vertices.normal[v][2] = -0.5f;
    }
    for (int smooth = 0; smooth < 2; smooth++) {
        test_scene scene;
        mmd_image image = {0};
        mmd_view_options options = mmd_default_view_options();
        options.shading = smooth ? MMD_SHADING_SMOOTH : MMD_SHADING_MMD;
        test_scene_open_made(&scene, model, NULL, 0);
        mmd_stage_set_light_direction(scene.stage, (const float[3]){0.0f, 0.0f, 1.0f});
        draw(&scene, &options, &image);
        assert_pixel(&image, SIZE / 2, SIZE / 2, 255, smooth ? 237 : 241, smooth ? 97 : 126, 255);
        mmd_image_finish(&image);
        test_scene_close(&scene);
    }
    made_destroy(model);
}

/*
 * Additional UV 1 selects the sub-texture's position, and a morph moves it. Vertex colours come from it too.
 */
static void additional_uvs_place_sub_textures_and_color_vertices(void **state)
{
    (void)state;
    mmd_model *model = squares(1, 1, 1);
    model->textures[0] = "four.png";
    model->materials[0].sphere = 0;
    model->materials[0].sphere_mode = MMD_SPHERE_SUB_TEXTURE;
    mmd_uv_offset offsets[4];
    for (uint32_t v = 0; v < 4; v++) {
        model->vertices.additional_uv[0][v][0] = model->vertices.additional_uv[0][v][1] = 0.25f;
        offsets[v] = (mmd_uv_offset){.vertex = (int32_t)v, .offset = {0.5f, 0.0f, 0.0f, 0.0f}};
    }
    model->morphs[0].kind = MMD_MORPH_ADDITIONAL_UV1;
    model->morphs[0].count = 4;
    model->morphs[0].offsets.uv = offsets;
    mmd_buffer png = {0};
    mmd_memory_file file = small_png("four.png", four_colors, &png);
    test_scene scene;
    mmd_image image = {0};
    test_scene_open_made(&scene, model, &file, 1);
    draw(&scene, NULL, &image);
    assert_pixel(&image, SIZE / 2, SIZE / 2, 255, 0, 0, 255);
    mmd_actor_set_morph(scene.actor, 0, 1.0f);
    draw(&scene, NULL, &image);
    assert_pixel(&image, SIZE / 2, SIZE / 2, 0, 255, 0, 255);
    model->materials[0].flags = MMD_MATERIAL_VERTEX_COLOR;
    for (uint32_t v = 0; v < 4; v++)
        memcpy(model->vertices.additional_uv[0][v], (float[4]){0.25f, 0.2f, 1.0f, 1.0f}, 4 * sizeof(float));
    test_scene_close(&scene);
    image = (mmd_image_finish(&image), picture_of(model, &file, 1, NULL));
    assert_pixel(&image, SIZE / 2, SIZE / 2, 64, 0, 0, 255); /* a quarter of the texture's red */
    mmd_image_finish(&image);
    mmd_buffer_finish(&png);
    made_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_later_one_is_drawn_over_the_earlier),
        cmocka_unit_test(an_actor_is_hidden_translucent_or_light),
        cmocka_unit_test(an_actor_stands_where_it_is_put),
        cmocka_unit_test(turns_come_in_mmd_s_order),
        cmocka_unit_test(an_accessory_goes_with_the_bone_it_is_fixed_to),
        cmocka_unit_test(accessories_are_shaded_by_the_light),
        cmocka_unit_test(smooth_shading_lights_pixels),
        cmocka_unit_test(additional_uvs_place_sub_textures_and_color_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
