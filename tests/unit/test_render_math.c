/* The arithmetic of MMD's look that needs no OpenGL. */
#include "support.h"

#include "mmd/render.h"

static void edges_are_as_wide_as_mmd_s(void **state)
{
    (void)state;
    const float eye[3] = {0.0f, 10.0f, -45.0f}, origin[3] = {0.0f, 10.0f, 0.0f};
    /* 0.00086 * fov / 30 of the distance (MMD.md 6.6). */
    assert_float_equal(mmd_edge_width(eye, origin, 30.0f), 0.00086f * 45.0f, 1e-4f);
    assert_float_equal(mmd_edge_width(eye, origin, 15.0f), 0.5f * mmd_edge_width(eye, origin, 30.0f), 1e-7f);
}

static uint32_t row_of(int number, int row)
{
    uint8_t rgb[32][3];
    mmd_shared_toon_column(number - 1, rgb);
    return (uint32_t)rgb[row][0] << 16 | (uint32_t)rgb[row][1] << 8 | rgb[row][2];
}

static void shared_toons_have_the_rows_of_mmd_s_files(void **state)
{
    (void)state;
    for (int number = 1; number <= 4; number++)
        assert_int_equal(row_of(number, 15), 0xffffff);
    assert_int_equal(row_of(1, 16), 0xcdcdcd);
    assert_int_equal(row_of(1, 31), 0xcdcdcd);
    assert_int_equal(row_of(2, 16), 0xf5e1e1);
    assert_int_equal(row_of(3, 31), 0x9a9a9a);
    assert_int_equal(row_of(4, 20), 0xf8efeb);
    assert_int_equal(row_of(5, 17), 0xffffff);
    assert_int_equal(row_of(5, 21), 0xfff4f0);
    assert_int_equal(row_of(5, 31), 0xffe7dd);
    assert_int_equal(row_of(6, 0), 0xffed61);
    assert_int_equal(row_of(6, 9), 0xfffad5);
    assert_int_equal(row_of(6, 15), 0xffed61);
    assert_int_equal(row_of(6, 31), 0xc3ac03);
    for (int number = 7; number <= 10; number++)
        for (int row = 0; row < 32; row++)
            assert_int_equal(row_of(number, row), 0xffffff);
}

/* A point at w = 2: half a pixel right and down is 1 / size of its clip coordinates times w. */
static void pixel_centers_move_by_half_a_pixel(void **state)
{
    (void)state;
    float projection[16] = {0.0f}, moved[16];
    projection[0] = projection[5] = projection[10] = 1.0f;
    projection[11] = 1.0f; /* w = z */
    mmd_shift_pixel_centers(projection, 100, 50, moved);
    const float z = 2.0f;
    float x = moved[8] * z, y = moved[9] * z, w = moved[11] * z;
    assert_float_equal(x / w * 50.0f, 0.5f, 1e-6f);  /* pixels right of the middle */
    assert_float_equal(y / w * 25.0f, -0.5f, 1e-6f); /* pixels above the middle */
    mmd_shift_pixel_centers(projection, 100, 50, projection);
    assert_memory_equal(projection, moved, sizeof moved);
}

static void base_colors_saturate(void **state)
{
    (void)state;
    mmd_material_values values = {.diffuse = {0.31f, 2.0f, -1.0f, 1.5f}, .ambient = {0.1f, 0.0f, 0.2f}};
    const float light[3] = {0.6f, 0.6f, 0.6f};
    float rgba[4];
    mmd_material_base_color(&values, light, rgba);
    assert_float_equal(rgba[0], 0.286f, 1e-6f);
    assert_float_equal(rgba[1], 1.0f, 0.0f);
    assert_float_equal(rgba[2], 0.0f, 0.0f);
    assert_float_equal(rgba[3], 1.0f, 0.0f);
    values.diffuse[0] = NAN;
    mmd_material_base_color(&values, light, rgba);
    assert_float_equal(rgba[0], 0.0f, 0.0f);
}

static void unpremultiplying_restores_colors(void **state)
{
    (void)state;
    uint8_t pixels[] = {128, 64, 0, 128, 10, 20, 30, 255, 0, 0, 0, 0, 200, 1, 0, 100};
    const uint8_t wanted[] = {255, 128, 0, 128, 10, 20, 30, 255, 0, 0, 0, 0, 255, 3, 0, 100};
    mmd_unpremultiply(pixels, 4);
    assert_memory_equal(pixels, wanted, sizeof wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_as_wide_as_mmd_s),
        cmocka_unit_test(shared_toons_have_the_rows_of_mmd_s_files),
        cmocka_unit_test(pixel_centers_move_by_half_a_pixel),
        cmocka_unit_test(base_colors_saturate),
        cmocka_unit_test(unpremultiplying_restores_colors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
