/* Tests drawing into a rectangle of a framebuffer: it equals a picture of that size, and leaves the rest
 * alone. */
#include "figure_scene.h"

enum { WIDE = 200, HIGH = 160, LEFT = 40, BOTTOM = 60, ALL_WIDE = 300, ALL_HIGH = 250 };

/* Returns a pixel of a target's rows, which begin at the bottom; y counts from there. */
static const uint8_t *at(const uint8_t *pixels, uint32_t x, uint32_t y)
{
    return pixels + 4 * ((size_t)y * ALL_WIDE + x);
}

/* Draws the whole target with a red background, and then the figure into the rectangle. Reads the target
 * before and after that. */
static void draw(const figure_scene *figure, const mmd_view_options *options, uint8_t *before, uint8_t *after)
{
    const test_scene *scene = &figure->scene;
    mmd_view_options red = *options;
    mmd_gpu_target target = {0};
    const mmd_view_place place = {.left = LEFT, .bottom = BOTTOM, .width = WIDE, .height = HIGH};
    memcpy(red.background, (const float[4]){1, 0, 0, 1}, sizeof red.background);
    ASSERT_OK(mmd_gpu_target_resize(scene->gpu, &target, ALL_WIDE, ALL_HIGH, 0, error));
    ASSERT_OK(mmd_view_draw(scene->view, scene->stage, &red, target.framebuffer, ALL_WIDE, ALL_HIGH, error));
    mmd_gpu_target_read(scene->gpu, &target, before);
    mmd_view_place here = place;
    here.framebuffer = target.framebuffer;
    ASSERT_OK(mmd_view_draw_in(scene->view, scene->stage, options, &here, error));
    mmd_gpu_target_read(scene->gpu, &target, after);
    mmd_gpu_target_finish(scene->gpu, &target);
}

static void a_rectangle_equals_a_picture_of_its_size(void **state)
{
    (void)state;
    static uint8_t before[4 * ALL_WIDE * ALL_HIGH], after[4 * ALL_WIDE * ALL_HIGH];
    figure_scene figure;
    mmd_image whole = {0};
    mmd_view_options options = mmd_default_view_options();
    options.self_shadow = options.ground_shadow = options.grid = true;
    open_figure(&figure);
    mmd_stage_set_frame(figure.scene.stage, 67.5);
    ASSERT_OK(mmd_view_picture(figure.scene.view, figure.scene.stage, &options, WIDE, HIGH, &whole, error));
    draw(&figure, &options, before, after);
    uint32_t differ = 0, outside = 0, drawn = 0;
    for (uint32_t y = 0; y < ALL_HIGH; y++)
        for (uint32_t x = 0; x < ALL_WIDE; x++) {
            bool is_in = x >= LEFT && x < LEFT + WIDE && y >= BOTTOM && y < BOTTOM + HIGH;
            const uint8_t *pixel = at(after, x, y);
            if (!is_in) {
                outside += memcmp(pixel, at(before, x, y), 4) != 0;
                continue;
            }
            const uint8_t *wanted = whole.pixels + 4 * ((size_t)(BOTTOM + HIGH - 1 - y) * WIDE + x - LEFT);
            differ += memcmp(pixel, wanted, 3) != 0;
            drawn += wanted[0] != 255 || wanted[1] != 255 || wanted[2] != 255;
        }
    print_message("%u pixels drawn, %u of them differ, %u changed outside\n", drawn, differ, outside);
    assert_true(drawn > WIDE * HIGH / 20);
    /* OpenGL may round a few vertices otherwise; lines of the grid may end a pixel outside. */
    assert_true(differ <= WIDE * HIGH / 1000);
    assert_true(outside <= 20);
    mmd_image_finish(&whole);
    close_figure(&figure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rectangle_equals_a_picture_of_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
