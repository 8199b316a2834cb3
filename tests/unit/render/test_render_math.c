/* The parts of MMD's rendering arithmetic that need no OpenGL. */
#include "support.h"

#include <math.h>

#include "engine/render/arithmetic.h"

static void edges_are_as_wide_as_mmd_s(void **state)
{
    (void)state;
    const float eye[3] = {0.0f, 10.0f, -45.0f}, origin[3] = {0.0f, 10.0f, 0.0f};
    /* Shares of the distance, as MMD 9.31 gives them (docs/mmd.md 6.6). */
    static const float widths[][2] = {{10, 0.000315f}, {20, 0.000585f}, {30, 0.000855f}, {45, 0.00126f},
                                      {60, 0.001665f}, {90, 0.002475f}, {120, 0.003285f}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        assert_float_equal(mmd_edge_width(eye, origin, widths[i][0]), 45.0f * widths[i][1], 1e-6f);
}

static uint32_t row_of(int number, int row)
{
    uint8_t rgb[32][3];
    shared_toon_column(number - 1, rgb);
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

/* For a point at w = 2, moving half a pixel right and down adds 1 / size times w to its clip coordinates. */
static void pixel_centers_move_by_half_a_pixel(void **state)
{
    (void)state;
    float projection[16] = {0.0f}, moved[16];
    projection[0] = projection[5] = projection[10] = 1.0f;
    projection[11] = 1.0f; /* w = z */
    mmd_shift_pixel_centers(projection, 100, 50, moved);
    const float z = 2.0f;
    float x = moved[8] * z, y = moved[9] * z, w = moved[11] * z;
    assert_float_equal(x / w * 50.0f, 0.5f, 1e-6f);  /* pixels right of the centre */
    assert_float_equal(y / w * 25.0f, -0.5f, 1e-6f); /* pixels above the centre */
    mmd_shift_pixel_centers(projection, 100, 50, projection);
    assert_memory_equal(projection, moved, sizeof moved);
}

static void base_colors_saturate(void **state)
{
    (void)state;
    mmd_material_values values = {.diffuse = {0.31f, 2.0f, -1.0f, 1.5f}, .ambient = {0.1f, 0.0f, 0.2f}};
    const float light[3] = {0.6f, 0.6f, 0.6f};
    float rgba[4];
    material_base_color(&values, light, rgba);
    assert_float_equal(rgba[0], 0.286f, 1e-6f);
    assert_float_equal(rgba[1], 1.0f, 0.0f);
    assert_float_equal(rgba[2], 0.0f, 0.0f);
    assert_float_equal(rgba[3], 1.0f, 0.0f);
    values.diffuse[0] = NAN;
    material_base_color(&values, light, rgba);
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

/* Computes the clip coordinates of a world position. */
static void transform(const float m[16], const float p[3], double out[4])
{
    for (int row = 0; row < 4; row++)
        out[row] = (double)m[row] * (double)p[0] + (double)m[4 + row] * (double)p[1] +
                   (double)m[8 + row] * (double)p[2] + (double)m[12 + row];
}

/* A camera at the origin of the world that looks along +Z. */
static const float straight_view[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/* The light points straight down, perpendicular to the view, so its axes are right, ahead and down. The rows
 * are those of docs/mmd.md 6.7 for d = 0.01, 50 units above the camera. */
static void self_shadow_maps_are_warped_as_nanoem_s(void **state)
{
    (void)state;
    const float eye[3] = {0, 0, 0}, down[3] = {0, -1, 0}, p[3] = {3.0f, -20.0f, 10.0f};
    const double wanted[2][4] = {
        {2 * 0.01 * 3, 2 * 0.01 * 10 - 1, 0.5 * 0.01 * 10 + 0.15 * 0.01 * 70, 0.01 * 10 + 1},
        {3 * 0.01 * 3, 3 * 0.01 * 10 - 1, 1.5 * 0.01 * 10 + 0.15 * 0.01 * 70, 3 * 0.01 * 10 + 1},
    };
    for (int mode = 1; mode <= 2; mode++) {
        float m[16];
        double clip[4];
        self_shadow_matrix(straight_view, eye, down, mode, 0.01f, m);
        transform(m, p, clip);
        for (int k = 0; k < 4; k++)
            assert_float_equal(clip[k], wanted[mode - 1][k], 1e-6);
    }
}

/* If the light is parallel to the view, the map is not warped in either mode, and points along the light have
 * the same position in it. */
static void a_light_along_the_view_has_a_straight_map(void **state)
{
    (void)state;
    const float eye[3] = {0, 0, 0}, p[3] = {3.0f, 4.0f, 10.0f};
    for (int mode = 1; mode <= 2; mode++) {
        for (float z = -1.0f; z <= 1.0f; z += 2.0f) {
            const float along[3] = {0, 0, z};
            float m[16];
            double clip[4];
            self_shadow_matrix(straight_view, eye, along, mode, 0.01f, m);
            transform(m, p, clip);
            assert_float_equal(hypot(clip[0], clip[1]), 0.05, 1e-6);
            assert_float_equal(clip[2], 0.15 * 0.01 * (50.0 + (double)z * 10.0), 1e-6);
            assert_float_equal(clip[3], 1.0, 1e-6);
        }
    }
}

/* Makes a light direction at an angle to the view, with the length of MMD's. */
static void light_at(double degrees, float direction[3])
{
    double angle = degrees * 3.14159265358979 / 180.0;
    direction[0] = 0.0f;
    direction[1] = (float)(-1.2247 * sin(angle));
    direction[2] = (float)(1.2247 * cos(angle));
}

/*
 * The projection changes continuously as the light rotates, also between its cases at cosines of 0.8 and 0.9.
 */
static void self_shadow_maps_change_over_smoothly(void **state)
{
    (void)state;
    const float eye[3] = {1, 12, -40}, p[3] = {3.0f, 4.0f, 10.0f};
    for (int mode = 1; mode <= 2; mode++) {
        double last[4] = {0};
        for (double degrees = 20.0; degrees <= 45.0; degrees += 0.01) {
            float light[3], m[16];
            double clip[4];
            light_at(degrees, light);
            self_shadow_matrix(straight_view, eye, light, mode, 0.01125f, m);
            transform(m, p, clip);
            for (int k = 0; k < 4 && degrees > 20.0; k++)
                assert_float_equal(clip[k], last[k], 2e-3);
            memcpy(last, clip, sizeof last);
        }
    }
}

static void ground_shadows_fall_along_the_light(void **state)
{
    (void)state;
    const float light[3] = {-0.5f, -1.0f, 0.5f}, level[3] = {1.0f, 0.0f, 0.0f}, up[3] = {-0.5f, 1.0f, 0.5f};
    const float p[3] = {1.0f, 10.0f, 2.0f};
    const double wanted[4] = {-4.0, 0.1, 7.0, 1.0};
    float m[16];
    double out[4];
    assert_true(ground_shadow_matrix(light, m));
    transform(m, p, out);
    for (int k = 0; k < 4; k++)
        assert_float_equal(out[k], wanted[k], 1e-6);
    assert_false(ground_shadow_matrix(up, m));
    assert_false(ground_shadow_matrix(level, m));
    transform(m, p, out);
    assert_float_equal(out[1], 10.0, 0.0);
}

/* A pixel of the image is the same pixel in a window, relative to the window's position. */
static void windows_show_their_part_of_the_picture(void **state)
{
    (void)state;
    const picture_window window = {1000, 600, 300, -20, 250, 100};
    float projection[16] = {0.0f}, part[16];
    projection[0] = 1.5f, projection[5] = 2.5f, projection[10] = projection[11] = 1.0f;
    window_projection(projection, &window, part);
    const float p[3] = {-0.2f, 1.7f, 3.0f};
    double whole[4], inside[4];
    transform(projection, p, whole);
    transform(part, p, inside);
    double x = (whole[0] / whole[3] + 1.0) * 500.0, y = (1.0 - whole[1] / whole[3]) * 300.0;
    assert_float_equal((inside[0] / inside[3] + 1.0) * 125.0, x - 300.0, 1e-4);
    assert_float_equal((1.0 - inside[1] / inside[3]) * 50.0, y + 20.0, 1e-4);
    assert_float_equal(inside[2], whole[2], 0.0);
    assert_float_equal(inside[3], whole[3], 0.0);
}

static void accessories_are_darker_where_no_light_is(void **state)
{
    (void)state;
    const mmd_material_values values = {.diffuse = {0.5f, 1.0f, 0.0f, 0.25f}, .ambient = {0.2f, 0.9f, 0.1f}};
    const float light[3] = {0.6f, 0.6f, 0.2f};
    float rgba[4];
    accessory_dark_color(&values, light, rgba);
    assert_float_equal(rgba[0], 0.35f, 1e-6f);
    assert_float_equal(rgba[1], 1.2f, 1e-6f); /* not saturated: the light is added before that */
    assert_float_equal(rgba[2], 0.1f, 1e-6f);
    assert_float_equal(rgba[3], 0.25f, 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_as_wide_as_mmd_s),
        cmocka_unit_test(shared_toons_have_the_rows_of_mmd_s_files),
        cmocka_unit_test(pixel_centers_move_by_half_a_pixel),
        cmocka_unit_test(base_colors_saturate),
        cmocka_unit_test(unpremultiplying_restores_colors),
        cmocka_unit_test(self_shadow_maps_are_warped_as_nanoem_s),
        cmocka_unit_test(a_light_along_the_view_has_a_straight_map),
        cmocka_unit_test(self_shadow_maps_change_over_smoothly),
        cmocka_unit_test(ground_shadows_fall_along_the_light),
        cmocka_unit_test(windows_show_their_part_of_the_picture),
        cmocka_unit_test(accessories_are_darker_where_no_light_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
