/* The ankle boots: cream leather, vermilion cuff, tongue and sole, laces in front. */
#include "textures.h"

#include "tool.h"

enum { EYELETS = 5 };

/* The boot's size in the units of the shaft: x is 0 in the middle of the front, 3.6 is once around; y points
 * down, the height is 2.4. */
static const float boot_round = 3.6f, boot_high = 2.4f;

static void stripe(paint_canvas *c, float top, float bottom, uint32_t rgb, paint_brush brush)
{
    paint_band(c, top, bottom);
    paint_fill(c, paint_flat(rgb), brush);
}

/* Paints small dashes beside a seam. */
static void paint_stitches(paint_canvas *c, float y)
{
    enum { STITCHES = 72 };
    for (int i = 0; i < STITCHES; i++) {
        float x = boot_round * (((float)i + 0.5f) / STITCHES - 0.5f);
        paint_box(c, paint_xy(x - 0.014f, y - 0.006f), paint_xy(x + 0.014f, y + 0.006f), 0.005f);
    }
    paint_fill(c, paint_flat(0xC79A76), paint_with(PAINT_NORMAL, 0.9f, 0.0f));
}

/* Paints shade at the bend of the ankle, at the heel and along the sole. */
static void paint_leather(paint_canvas *c)
{
    static const paint_dab shades[] = {
        {{{0.00f, 1.42f}}, {{0.50f, 0.06f}}, 0, 0xDFC3B2, {PAINT_MULTIPLY, 0.6f, 0.06f}},
        {{{0.55f, 1.30f}}, {{0.30f, 0.05f}}, -0.5f, 0xE2C9BA, {PAINT_MULTIPLY, 0.6f, 0.05f}},
        {{{-0.55f, 1.30f}}, {{0.30f, 0.05f}}, 0.5f, 0xE2C9BA, {PAINT_MULTIPLY, 0.6f, 0.05f}},
        {{{1.80f, 1.60f}}, {{0.35f, 0.50f}}, 0, 0xE6CFC2, {PAINT_MULTIPLY, 0.6f, 0.12f}},
    };
    stripe(c, -1.0f, 3.0f, COLOR_CREAM, paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    paint_dabs(c, shades, TOOL_COUNT(shades));
    stripe(c, 2.02f, 2.4f, 0xDDBFAF, paint_with(PAINT_MULTIPLY, 0.6f, 0.07f));
}

/* Paints folds where the leather bends over the ankle, on both sides of the laces. */
static void paint_folds(paint_canvas *c)
{
    static const vec2 folds[][4] = {
        {{{0.40f, 1.06f}}, {{0.60f, 1.12f}}, {{0.85f, 1.11f}}, {{1.10f, 1.01f}}},
        {{{0.38f, 1.22f}}, {{0.60f, 1.27f}}, {{0.95f, 1.24f}}, {{1.30f, 1.10f}}},
    };
    for (size_t i = 0; i < TOOL_COUNT(folds); i++)
        for (int side = -1; side <= 1; side += 2) {
            vec2 way[4];
            for (int k = 0; k < 4; k++)
                way[k] = paint_xy((float)side * folds[i][k].x, folds[i][k].y);
            paint_stroke(c, way, (vec3){{0.002f, 0.020f, 0.002f}});
            paint_fill(c, paint_flat(0xCDAE9E), paint_with(PAINT_MULTIPLY, 0.70f, 0.005f));
        }
}

static void paint_sole(paint_canvas *c)
{
    stripe(c, 2.150f, 3.0f, 0xC6402F, paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    stripe(c, 2.172f, 2.300f, COLOR_VERMILION, paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    stripe(c, 2.184f, 2.204f, 0xF58A6C, paint_with(PAINT_NORMAL, 0.8f, 0.0f));
    stripe(c, 2.300f, 3.0f, 0x7E2B28, paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    paint_stitches(c, 2.105f);
}

static void paint_cuff(paint_canvas *c)
{
    stripe(c, 0.20f, 0.30f, 0xD9BBAA, paint_with(PAINT_MULTIPLY, 0.7f, 0.03f));
    stripe(c, -1.0f, 0.22f, COLOR_VERMILION, paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    stripe(c, 0.195f, 0.22f, 0xB93F30, paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    stripe(c, 0.035f, 0.065f, COLOR_GOLD, paint_with(PAINT_NORMAL, 1.0f, 0.0f));
}

/* Returns the distance of an eyelet from the middle, and its height. */
static vec2 eyelet(int row, float side)
{
    return paint_xy(side * (0.20f + 0.012f * (float)row), 0.36f + 0.21f * (float)row);
}

static void paint_lace(paint_canvas *c, vec2 from, vec2 to)
{
    const vec2 way[4] = {from, vec2_lerp(from, to, 0.33f), vec2_lerp(from, to, 0.67f), to};
    paint_stroke(c, way, (vec3){{0.062f, 0.062f, 0.062f}});
    paint_fill(c, paint_flat(0x9C2F28), paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    paint_stroke(c, way, (vec3){{0.044f, 0.044f, 0.044f}});
    paint_fill(c, paint_flat(COLOR_VERMILION), paint_with(PAINT_NORMAL, 1.0f, 0.0f));
}

/* Paints the tongue between the two edges, crossed laces and gold eyelets. */
static void paint_laces(paint_canvas *c)
{
    paint_box(c, paint_xy(-0.30f, 0.10f), paint_xy(0.30f, 1.40f), 0.14f);
    paint_fill(c, paint_flat(0xC9A58F), paint_with(PAINT_MULTIPLY, 0.55f, 0.015f));
    paint_box(c, paint_xy(-0.17f, 0.10f), paint_xy(0.17f, 1.33f), 0.10f);
    paint_fill(c, paint_flat(0xF1DCC9), paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    for (int row = EYELETS - 2; row >= 0; row--) {
        paint_lace(c, eyelet(row, -1.0f), eyelet(row + 1, 1.0f));
        paint_lace(c, eyelet(row, 1.0f), eyelet(row + 1, -1.0f));
    }
    for (int row = 0; row < EYELETS; row++) {
        for (int side = -1; side <= 1; side += 2) {
            const vec2 at = eyelet(row, (float)side);
            const paint_dab ring[] = {
                {at, {{0.044f, 0.044f}}, 0, 0xA87A30, {PAINT_NORMAL, 1, 0}},
                {at, {{0.036f, 0.036f}}, 0, 0xF2D184, {PAINT_NORMAL, 1, 0}},
                {at, {{0.017f, 0.017f}}, 0, 0x6E2A26, {PAINT_NORMAL, 1, 0}},
            };
            paint_dabs(c, ring, TOOL_COUNT(ring));
        }
    }
}

void texture_boot(paint_canvas *c)
{
    paint_view(c, paint_xy(-boot_round / 2.0f, 0), paint_xy(boot_round / 2.0f, boot_high));
    paint_leather(c);
    paint_folds(c);
    paint_laces(c);
    paint_cuff(c);
    paint_sole(c);
}
