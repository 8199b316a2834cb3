/* Materials with an alpha cutoff (glTF's OPAQUE and MASK): colours, ids and ground shadows. */
#include "squares.h"

/* Alpha values 255, 0, 160 and 96, row by row from the top. */
static const uint8_t four_alphas[16] = {255, 0, 0, 255, 0, 255, 0, 0, 0, 0, 255, 160, 255, 255, 0, 96};

static mmd_model *masked_square(bool cuts, float cutoff, float alpha)
{
    mmd_model *model = squares(1, 1, 0);
    model->textures[0] = "four.png";
    model->materials[0].texture = 0;
    model->materials[0].diffuse[3] = alpha;
    model->materials[0].flags |= MMD_MATERIAL_TWO_SIDED | MMD_MATERIAL_GROUND_SHADOW;
    model->materials[0].cuts_alpha = cuts;
    model->materials[0].alpha_cutoff = cutoff;
    return model;
}

static mmd_image draw_square(mmd_model *model, mmd_buffer *png)
{
    mmd_memory_file file = small_png("four.png", four_alphas, png);
    mmd_view_options options = mmd_default_view_options();
    options.background[3] = 0.0f;
    mmd_image image = picture_of(model, &file, 1, &options);
    made_destroy(model);
    mmd_buffer_finish(png);
    return image;
}

/* Compares the centres of the texture's four fields. */
static void expect_fields(mmd_image *image, const uint8_t alphas[4])
{
    for (int i = 0; i < 4; i++) {
        const uint8_t *p = pixel(image, i & 1 ? 44 : 20, i & 2 ? 44 : 20);
        if (abs(p[3] - alphas[i]) > 1)
            fail_msg("field %d: alpha %d where %d should be", i, p[3], alphas[i]);
        if (alphas[i] == 255 && memcmp(p, four_alphas + 4 * i, 3) != 0)
            fail_msg("field %d: %d %d %d", i, p[0], p[1], p[2]);
    }
    mmd_image_finish(image);
}

static void pixels_are_there_or_not(void **state)
{
    (void)state;
    mmd_buffer png = {0};
    mmd_image image = draw_square(masked_square(false, 0, 1), &png);
    expect_fields(&image, (const uint8_t[4]){255, 0, 160, 96});
    image = draw_square(masked_square(true, 0, 1), &png);
    expect_fields(&image, (const uint8_t[4]){255, 255, 255, 255});
    image = draw_square(masked_square(true, 0.5f, 1), &png);
    expect_fields(&image, (const uint8_t[4]){255, 0, 255, 0});
    image = draw_square(masked_square(true, 0.7f, 1), &png);
    expect_fields(&image, (const uint8_t[4]){255, 0, 0, 0});
    image = draw_square(masked_square(true, 0.3f, 1), &png);
    expect_fields(&image, (const uint8_t[4]){255, 0, 255, 255});
}

/* Compares which of the four fields the id pass draws. */
static void expect_ids(float cutoff, const bool there[4])
{
    test_scene scene;
    mmd_buffer png = {0};
    mmd_memory_file file = small_png("four.png", four_alphas, &png);
    mmd_model *model = masked_square(true, cutoff, 1);
    static uint32_t ids[SIZE * SIZE][3];
    mmd_view_options options = mmd_default_view_options();
    test_scene_open_made(&scene, model, &file, 1);
    set_camera(scene.stage);
    ASSERT_OK(mmd_view_ids(scene.view, scene.stage, &options, SIZE, SIZE, ids, error));
    for (int i = 0; i < 4; i++) {
        uint32_t material = ids[(i & 2 ? 44 : 20) * SIZE + (i & 1 ? 44 : 20)][1];
        if ((material == 0) != there[i])
            fail_msg("cutoff %g, field %d: material %u", (double)cutoff, i, material);
    }
    test_scene_close(&scene);
    made_destroy(model);
    mmd_buffer_finish(&png);
}

static void ids_have_the_same_holes(void **state)
{
    (void)state;
    expect_ids(0, (const bool[4]){true, true, true, true});
    expect_ids(0.5f, (const bool[4]){true, false, true, false});
    expect_ids(0.7f, (const bool[4]){true, false, false, false});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_there_or_not),
        cmocka_unit_test(ids_have_the_same_holes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
