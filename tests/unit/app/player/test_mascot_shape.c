/* Tests the part of the mascot's picture that takes the mouse. */
#include "support.h"

#include "player/mascot_shape.h"

enum { WIDTH = 37, HEIGHT = 23 }; /* neither is a multiple of MASCOT_SQUARE */

static uint8_t picture[4 * WIDTH * HEIGHT];

/* Returns the alpha of a pixel, counted from the top left; the picture's rows begin at the bottom. */
static uint8_t *alpha(uint32_t x, uint32_t y)
{
    return &picture[4 * ((HEIGHT - 1 - y) * WIDTH + x) + 3];
}

/* Counts the rectangles that contain a pixel. */
static int times(const mascot_shape *shape, uint32_t x, uint32_t y)
{
    int count = 0;
    for (size_t i = 0; i < shape->count; i++) {
        const mascot_rectangle *r = &shape->items[i];
        count += x >= r->x && x < r->x + r->width && y >= r->y && y < r->y + r->height;
    }
    return count;
}

static void nothing_drawn_takes_nothing(void **state)
{
    mascot_shape shape = {0};
    (void)state;
    memset(picture, MASCOT_ALPHA - 1, sizeof picture);
    assert_true(mascot_shape_find(&shape, picture, WIDTH, HEIGHT));
    assert_int_equal(shape.count, 0);
    mascot_shape_finish(&shape);
}

static void a_full_picture_is_one_rectangle(void **state)
{
    mascot_shape shape = {0};
    (void)state;
    memset(picture, 255, sizeof picture);
    assert_true(mascot_shape_find(&shape, picture, WIDTH, HEIGHT));
    assert_int_equal(shape.count, 1);
    const mascot_rectangle *r = &shape.items[0];
    assert_true(r->x == 0 && r->y == 0 && r->width == WIDTH && r->height == HEIGHT);
    mascot_shape_finish(&shape);
}

/* Every drawn pixel is in exactly one rectangle, and so are the others of its square; all others are in none.
 */
static void squares_of_drawn_pixels_are_in_once(void **state)
{
    mascot_shape shape = {0};
    uint32_t random = 1;
    (void)state;
    for (int round = 0; round < 50; round++) {
        memset(picture, 0, sizeof picture);
        for (int i = 0; i < 3 * round; i++) {
            random = random * 1664525u + 1013904223u;
            *alpha((random >> 8) % WIDTH, (random >> 20) % HEIGHT) = MASCOT_ALPHA;
        }
        assert_true(mascot_shape_find(&shape, picture, WIDTH, HEIGHT));
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++) {
                bool drawn = false;
                for (uint32_t k = 0; k < MASCOT_SQUARE * MASCOT_SQUARE; k++) {
                    const uint32_t sx = x / MASCOT_SQUARE * MASCOT_SQUARE + k % MASCOT_SQUARE,
                                   sy = y / MASCOT_SQUARE * MASCOT_SQUARE + k / MASCOT_SQUARE;
                    drawn = drawn || (sx < WIDTH && sy < HEIGHT && *alpha(sx, sy) >= MASCOT_ALPHA);
                }
                assert_int_equal(times(&shape, x, y), drawn);
            }
        for (size_t i = 1; i < shape.count; i++)
            assert_true(shape.items[i - 1].y <= shape.items[i].y); /* X11 is told so */
    }
    mascot_shape_finish(&shape);
}

static void equal_shapes_are_equal(void **state)
{
    mascot_shape a = {0}, b = {0};
    (void)state;
    memset(picture, 0, sizeof picture);
    *alpha(5, 5) = 255;
    assert_true(mascot_shape_find(&a, picture, WIDTH, HEIGHT));
    assert_true(mascot_shape_find(&b, picture, WIDTH, HEIGHT));
    assert_true(mascot_shape_equal(&a, &b));
    *alpha(20, 5) = 255;
    assert_true(mascot_shape_find(&b, picture, WIDTH, HEIGHT));
    assert_false(mascot_shape_equal(&a, &b));
    mascot_shape_finish(&a);
    mascot_shape_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_drawn_takes_nothing),
        cmocka_unit_test(a_full_picture_is_one_rectangle),
        cmocka_unit_test(squares_of_drawn_pixels_are_in_once),
        cmocka_unit_test(equal_shapes_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
