/* Tests the layout of the player's window. */
#include "support.h"

#include <math.h>

#include "ui/layout.h"

static bool overlap(ui_rectangle a, ui_rectangle b)
{
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

static bool is_within(ui_rectangle a, uint32_t width, uint32_t height)
{
    return a.x + a.width <= width && a.y + a.height <= height;
}

static const uint32_t sizes[][2] = {{800, 600}, {1280, 720}, {1920, 1080}, {3840, 2160},
                                    {640, 360}, {1279, 721}, {300, 200},   {100, 90},
                                    {20, 20},   {1, 1},      {4000, 70}};
static const double points[] = {0.5, 1, 1.25, 2, 3};

/* Calls check for each size, scale and choice of parts. */
static void for_each(void (*check)(const panel_settings *settings, const ui_layout *l, uint32_t width,
                                   uint32_t height, double point))
{
    static const double wanted[] = {0, 200, 1000, 4000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < sizeof points / sizeof *points; k++)
            for (int parts = 0; parts < 16; parts++) {
                const panel_settings settings = {.shown = parts & 1,
                                                 .sheet = (parts & 2) != 0,
                                                 .panels_width = wanted[parts / 4],
                                                 .sheet_height = wanted[3 - parts / 4]};
                const ui_layout l = ui_layout_of(&settings, sizes[i][0], sizes[i][1], points[k]);
                check(&settings, &l, sizes[i][0], sizes[i][1], points[k]);
            }
}

static void check_apart(const panel_settings *settings, const ui_layout *l, uint32_t width, uint32_t height,
                        double point)
{
    (void)point;
    assert_true(l->picture.width > 0 && l->picture.height > 0 && l->picture.x == 0 && l->picture.y == 0);
    const ui_rectangle all[] = {l->picture, l->panels, l->sheet, l->bar};
    for (size_t a = 0; a < 4; a++) {
        assert_true(is_within(all[a], width, height));
        for (size_t b = a + 1; b < 4; b++)
            if (!l->bar_is_over || b < 3)
                assert_false(overlap(all[a], all[b]));
    }
    if (l->bar_is_over) {
        assert_true(l->picture.width == width && l->picture.height == height);
        assert_true(l->panels.width == 0 && l->sheet.height == 0);
        return;
    }
    /* Nothing is left over, and what is wanted is there. */
    uint32_t areas = 0;
    for (size_t i = 0; i < 4; i++)
        areas += all[i].width * all[i].height;
    assert_int_equal(areas, width * height);
    assert_int_equal(l->panels.width > 0, settings->shown);
    assert_int_equal(l->sheet.height > 0, settings->sheet);
    assert_int_equal((height - l->picture.height) % 2, 0);
}

static void parts_lie_side_by_side_at_all_sizes(void **state)
{
    (void)state;
    for_each(check_apart);
}

static void check_picture(const panel_settings *settings, const ui_layout *l, uint32_t width, uint32_t height,
                          double point)
{
    (void)settings;
    const double room[2] = {width, height - l->bar.height}, least[2] = {320 * point, 200 * point};
    assert_true(l->picture.width + 1 >= fmin(room[0] / 2, least[0]));
    assert_true(l->picture.height + 2 >= fmin(room[1] / 2, least[1]));
}

static void the_picture_keeps_its_least_size_or_half_of_the_window(void **state)
{
    (void)state;
    for_each(check_picture);
}

static void the_picture_has_the_window_without_panels(void **state)
{
    (void)state;
    const panel_settings none = {0};
    const ui_layout l = ui_layout_of(&none, 1280, 720, 1);
    assert_true(l.bar_is_over && l.picture.width == 1280 && l.picture.height == 720);
    assert_int_equal(l.bar.y, 656);
    assert_int_equal(l.page.height, 656);
}

static void the_first_page_has_the_room_of_the_sheet(void **state)
{
    (void)state;
    const panel_settings first = {.sheet = true, .first = true};
    const ui_layout l = ui_layout_of(&first, 800, 600, 1);
    assert_int_equal(l.sheet.height, 0);
    assert_int_equal(l.picture.height, 600);
}

static void sizes_of_the_user_are_taken_where_there_is_room(void **state)
{
    (void)state;
    const panel_settings wide = {.shown = true, .sheet = true, .panels_width = 500, .sheet_height = 300};
    ui_layout l = ui_layout_of(&wide, 1920, 1080, 1);
    assert_int_equal(l.panels.width, 500);
    assert_int_equal(l.sheet.height, 300);
    l = ui_layout_of(&wide, 3840, 2160, 2);
    assert_int_equal(l.panels.width, 1000);
    assert_int_equal(l.sheet.height, 600);
    l = ui_layout_of(&wide, 800, 600, 1);
    assert_int_equal(l.panels.width, 480); /* 320 points remain for the picture */
    assert_int_equal(l.sheet.width, 800);  /* beside the panels there is no room for curves */
    assert_int_equal(l.panels.height, l.sheet.y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_lie_side_by_side_at_all_sizes),
        cmocka_unit_test(the_picture_keeps_its_least_size_or_half_of_the_window),
        cmocka_unit_test(the_picture_has_the_window_without_panels),
        cmocka_unit_test(the_first_page_has_the_room_of_the_sheet),
        cmocka_unit_test(sizes_of_the_user_are_taken_where_there_is_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
