/* Cloth: the top with its sleeves, the obi's brocade, the bow's ribbon, the socks. */
#include "textures.h"

#include <math.h>

#include "tool.h"

/* A stripe across the whole width, in the canvas's units. */
typedef struct stripe {
    float top, bottom;
    uint32_t rgb;
} stripe;

static void fill_stripe(paint_canvas *c, float top, float bottom, paint_ink ink, paint_brush brush)
{
    paint_band(c, top, bottom);
    paint_fill(c, ink, brush);
}

static void paint_stripes(paint_canvas *c, const stripe *stripes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fill_stripe(c, stripes[i].top, stripes[i].bottom, paint_flat(stripes[i].rgb),
                    paint_with(PAINT_NORMAL, 1.0f, 0.0f));
}

/* --- top --- */

/* The torso's size, which makes buttons round and widths even: units around it and down it. */
static const float torso_round = 6.5f, torso_high = 3.2f;

/* Soft folds towards the waist and under the bust, both sides of the front; x is 0 in front. */
static const paint_dab torso_shades[] = {
    {{{0.62f, 1.75f}}, {{0.50f, 0.10f}}, -0.15f, 0xE9CFC6, {PAINT_MULTIPLY, 0.55f, 0.09f}},
    {{{0.95f, 2.55f}}, {{0.07f, 0.60f}}, 0.12f, 0xE6CFCB, {PAINT_MULTIPLY, 0.50f, 0.06f}},
    {{{1.55f, 2.30f}}, {{0.09f, 0.80f}}, 0.05f, 0xE0C9CC, {PAINT_MULTIPLY, 0.50f, 0.10f}},
    {{{1.65f, 0.60f}}, {{0.30f, 0.45f}}, 0.00f, 0xE9CFC6, {PAINT_MULTIPLY, 0.40f, 0.14f}},
    {{{2.45f, 2.40f}}, {{0.08f, 0.70f}}, -0.05f, 0xE6CFCB, {PAINT_MULTIPLY, 0.45f, 0.08f}},
};

/* Seams as thin lines, from the trim to the waist. */
static const vec2 torso_seams[][4] = {
    {{{0.28f, 0.24f}}, {{0.28f, 1.0f}}, {{0.26f, 2.2f}}, {{0.22f, 3.3f}}},
    {{{1.08f, 0.24f}}, {{0.98f, 1.0f}}, {{0.74f, 1.7f}}, {{0.62f, 3.3f}}},
    {{{2.20f, 0.24f}}, {{2.26f, 1.2f}}, {{2.40f, 2.2f}}, {{2.52f, 3.3f}}},
};

static void paint_torso_half(paint_canvas *c, float side)
{
    for (size_t i = 0; i < TOOL_COUNT(torso_shades); i++) {
        paint_dab dab = torso_shades[i];
        dab.centre.x *= side;
        dab.turn *= side;
        paint_dabs(c, &dab, 1);
    }
    for (size_t i = 0; i < TOOL_COUNT(torso_seams); i++) {
        vec2 seam[4];
        for (int k = 0; k < 4; k++)
            seam[k] = paint_xy(torso_seams[i][k].x * side, torso_seams[i][k].y);
        paint_stroke(c, seam, (vec3){{0.018f, 0.018f, 0.018f}});
        paint_fill(c, paint_flat(0xD9B9A4), paint_with(PAINT_MULTIPLY, 0.80f, 0.0f));
    }
}

/* Paints a flat cord knot: gold rim, vermilion middle, a highlight. */
static void paint_button(paint_canvas *c, float y)
{
    const paint_dab button[] = {
        {{{0.02f, y + 0.025f}}, {{0.075f, 0.075f}}, 0, 0xB99A86, {PAINT_MULTIPLY, 0.7f, 0.02f}},
        {{{0.0f, y}}, {{0.072f, 0.072f}}, 0, 0xC9963C, {PAINT_NORMAL, 1, 0}},
        {{{0.0f, y}}, {{0.060f, 0.060f}}, 0, COLOR_GOLD, {PAINT_NORMAL, 1, 0}},
        {{{0.0f, y}}, {{0.044f, 0.044f}}, 0, COLOR_VERMILION, {PAINT_NORMAL, 1, 0}},
        {{{-0.015f, y - 0.018f}}, {{0.014f, 0.012f}}, 0, COLOR_WHITE, {PAINT_NORMAL, 0.85f, 0}},
    };
    paint_dabs(c, button, TOOL_COUNT(button));
}

static void paint_torso(paint_canvas *c)
{
    static const stripe trim[] = {
        {-1.0f, 0.150f, COLOR_VERMILION},
        {0.150f, 0.175f, 0xB93F30},
        {0.215f, 0.240f, COLOR_GOLD},
    };
    enum { BUTTONS = 5 };
    const float half = torso_round / 2.0f, whole = torso_high / TEXTURE_TOP_SLEEVE;
    paint_view(c, paint_xy(-half, 0), paint_xy(half, whole));
    paint_torso_half(c, 1.0f);
    paint_torso_half(c, -1.0f);
    fill_stripe(c, torso_high - 0.25f, torso_high + 0.3f, paint_flat(0xD9BCB8),
                paint_with(PAINT_MULTIPLY, 0.6f, 0.15f));
    paint_stripes(c, trim, TOOL_COUNT(trim));
    for (int i = 0; i < BUTTONS; i++)
        paint_button(c, 0.55f + 0.50f * (float)i);
}

/* Paints gathers that fan out from the shoulder and from the cuff, and the vermilion cuff. */
static void paint_sleeve(paint_canvas *c)
{
    enum { GATHERS = 28 };
    static const stripe cuff[] = {
        {0.0f, 0.06f, 0xF3E2D2},
        {0.80f, 0.825f, COLOR_GOLD},
        {0.85f, 1.5f, COLOR_VERMILION},
    };
    /* As a share of the sleeve's length: 0 at the shoulder, 1 at the edge of the cuff. */
    const float above = TEXTURE_TOP_SLEEVE / (1.0f - TEXTURE_TOP_SLEEVE);
    paint_view(c, paint_xy(0, -above), paint_xy(1, 1));
    fill_stripe(c, 0.0f, 2.0f, paint_linear(paint_xy(0, 0), 0xFFF9EE, paint_xy(0, 1), 0xFBEBDC),
                paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    for (uint32_t i = 0; i < GATHERS; i++) {
        float u = ((float)i + 0.7f * paint_random(31, i)) / GATHERS;
        bool up = i % 2 == 0;
        float from = up ? 0.0f : 0.84f,
              to = up ? 0.30f + 0.3f * paint_random(32, i) : 0.50f - 0.2f * paint_random(32, i);
        const vec2 fold[4] = {
            {{u, from}}, {{u, lerp(from, to, 0.3f)}}, {{u, lerp(from, to, 0.7f)}}, {{u, to}}};
        paint_stroke(c, fold, (vec3){{0.014f, 0.010f, 0.0f}});
        paint_fill(c, paint_flat(0xE2C5BC), paint_with(PAINT_MULTIPLY, 0.7f, 0.004f));
    }
    paint_stripes(c, cuff, TOOL_COUNT(cuff));
}

void texture_top(paint_canvas *c)
{
    paint_torso(c);
    paint_sleeve(c);
}

/* --- obi --- */

/* Paints one cell of shippo (seven treasures), circles of thread that overlap by a quarter. A cell holds one
 * circle. */
static void paint_treasure_cell(paint_canvas *cell)
{
    static const vec2 centres[] = {{{0.5f, 0.5f}}, {{0.0f, 0.0f}}};
    cell->tile_x = cell->tile_y = true;
    for (size_t i = 0; i < TOOL_COUNT(centres); i++) {
        paint_ellipse(cell, centres[i], paint_xy(0.5f, 0.5f), 0.0f);
        paint_ellipse(cell, centres[i], paint_xy(-0.455f, 0.455f), 0.0f);
    }
    paint_fill(cell, paint_flat(0xE3A04E), paint_with(PAINT_NORMAL, 0.9f, 0.0f));
    for (size_t i = 0; i < TOOL_COUNT(centres); i++) {
        for (int k = 0; k < 4; k++) {
            float angle = PI / 4.0f + PI / 2.0f * (float)k;
            vec2 way = paint_xy(0.13f * mmd_cosf(angle), 0.13f * mmd_sinf(angle));
            paint_ellipse(cell, vec2_add(centres[i], way), paint_xy(0.10f, 0.055f), angle);
        }
        paint_fill(cell, paint_flat(0xF0C878), paint_with(PAINT_NORMAL, 0.95f, 0.0f));
    }
}

/* Shades the weave: light in the middle of its height, where it bulges; threads across. */
static vec4 weave(vec2 at, vec4 under, const void *user)
{
    const float high = *(const float *)user;
    float v = at.y / high, round = 1.0f - 4.0f * (v - 0.45f) * (v - 0.45f);
    vec4 light = paint_rgb(0xFFB49A), shade = paint_rgb(0x8E2A30);
    light.a = 0.12f * clamp(round, 0.0f, 1.0f);
    shade.a = 0.45f * smoothstep(0.35f, 1.1f, fabsf(v - 0.45f) * 2.0f) +
              0.05f * paint_noise(at.y * 90.0f, 1024, 51);
    return paint_over(paint_over(under, light, PAINT_SCREEN), shade, PAINT_MULTIPLY);
}

static void paint_cord(paint_canvas *c, float y, float thick, float length)
{
    enum { TURNS = 80 };
    fill_stripe(c, y - thick, y + thick * 1.5f, paint_flat(0x7A2028),
                paint_with(PAINT_MULTIPLY, 0.6f, thick * 0.4f));
    fill_stripe(c, y - thick, y + thick,
                paint_gradient(PAINT_LINEAR, paint_xy(0, y - thick), paint_xy(0, y + thick),
                               (const paint_stop[]){{0, 0xE8D9C4, 1}, {0.35f, 0xFFFBF0, 1}, {1, 0xC2A893, 1}},
                               3),
                paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    for (int i = 0; i < TURNS; i++) {
        float x = length * (float)i / TURNS, slant = length / TURNS;
        const vec2 twist[4] = {{{x, y + thick}},
                               {{x + slant * 0.2f, y + thick * 0.3f}},
                               {{x + slant * 0.8f, y - thick * 0.3f}},
                               {{x + slant, y - thick}}};
        paint_stroke(c, twist, (vec3){{0.008f, 0.016f, 0.008f}});
        paint_fill(c, paint_flat(i % 4 ? 0xBFA38C : COLOR_INDIGO), paint_with(PAINT_NORMAL, 0.9f, 0.0f));
    }
}

void texture_obi(paint_canvas *c)
{
    enum { TREASURES = 16, CELL_WIDTH = 64, CELL_HEIGHT = 146 }; /* size of a cell in pixels of the picture */
    const float length = 6.4f, high = 1.4f, cell_size = length / TREASURES;
    const stripe edges[] = {
        {-1.0f, 0.055f, 0xB63A2E},
        {0.055f, 0.105f, COLOR_GOLD},
        {0.105f, 0.165f, 0xC6402F},
        {high - 0.165f, high - 0.105f, 0xC6402F},
        {high - 0.105f, high - 0.055f, COLOR_GOLD},
        {high - 0.055f, 9.0f, 0xB63A2E},
    };
    paint_canvas cell;
    paint_canvas_init(&cell, CELL_WIDTH, CELL_HEIGHT, COLOR_VERMILION);
    paint_treasure_cell(&cell);
    paint_view(c, paint_xy(0, 0), paint_xy(length, high));
    fill_stripe(c, -1.0f, 3.0f,
                paint_pattern(&cell, paint_xy(0, high / 2.0f), paint_xy(cell_size, cell_size)),
                paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    paint_canvas_finish(&cell);
    paint_stripes(c, edges, TOOL_COUNT(edges));
    paint_each(c, weave, &high);
    paint_cord(c, high / 2.0f, 0.085f, length);
}

/* --- bow --- */

/* Paints folds that run out of the knot and fade. */
static void paint_bow_folds(paint_canvas *c)
{
    enum { FOLDS = 9 };
    for (uint32_t i = 0; i < FOLDS; i++) {
        float u = ((float)i + 0.3f + 0.4f * paint_random(61, i)) / FOLDS,
              to = 0.25f + 0.45f * paint_random(62, i);
        float end = 0.5f + (u - 0.5f) * 1.1f;
        const vec2 fold[4] = {{{u, -0.05f}}, {{u, to * 0.4f}}, {{end, to * 0.7f}}, {{end, to}}};
        paint_stroke(c, fold, (vec3){{0.060f, 0.030f, 0.0f}});
        paint_fill(c, paint_flat(0xB04444), paint_with(PAINT_MULTIPLY, 0.55f, 0.010f));
        const vec2 light[4] = {
            {{u + 0.05f, -0.05f}}, {{u + 0.05f, to * 0.4f}}, {{end + 0.04f, to * 0.6f}}, {{end + 0.04f, to}}};
        paint_stroke(c, light, (vec3){{0.030f, 0.018f, 0.0f}});
        paint_fill(c, paint_flat(0xFF9C80), paint_with(PAINT_SCREEN, 0.28f, 0.010f));
    }
}

void texture_bow(paint_canvas *c)
{
    static const paint_stop length[] = {
        {0.0f, 0xA8342F, 1},        {0.16f, 0xD54B38, 1}, {0.5f, 0xE95F45, 1},
        {0.8f, COLOR_VERMILION, 1}, {1.0f, 0xCB4535, 1},
    };
    static const float edges[] = {0.055f, 0.945f};
    fill_stripe(c, -1.0f, 2.0f,
                paint_gradient(PAINT_LINEAR, paint_xy(0, 0), paint_xy(0, 1), length, TOOL_COUNT(length)),
                paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    paint_bow_folds(c);
    for (size_t i = 0; i < TOOL_COUNT(edges); i++) {
        paint_box(c, paint_xy(edges[i] - 0.022f, -0.1f), paint_xy(edges[i] + 0.022f, 1.1f), 0.0f);
        paint_fill(c, paint_linear(paint_xy(0, 0), 0xC08A3E, paint_xy(0, 0.4f), COLOR_GOLD),
                   paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    }
}

/* --- sock --- */

void texture_sock(paint_canvas *c)
{
    enum { RIBS = 32 };
    static const stripe band[] = {
        {-1.0f, 0.035f, COLOR_CREAM},
        {0.035f, 0.050f, 0xC94A36},
        {0.050f, 0.085f, COLOR_VERMILION},
        {0.085f, 0.120f, COLOR_CREAM},
    };
    fill_stripe(c, -1.0f, 2.0f, paint_linear(paint_xy(0, 0), 0x35428A, paint_xy(0, 1), 0x29346C),
                paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    paint_stripes(c, band, TOOL_COUNT(band));
    for (int i = 0; i < RIBS; i++) {
        float u = ((float)i + 0.5f) / RIBS;
        paint_box(c, paint_xy(u - 0.004f, -0.1f), paint_xy(u + 0.004f, 1.1f), 0.0f);
        paint_fill(c, paint_flat(0x8088B0), paint_with(PAINT_MULTIPLY, 0.22f, 0.0015f));
    }
    fill_stripe(c, 0.120f, 0.150f, paint_flat(0x1A2050), paint_with(PAINT_MULTIPLY, 0.6f, 0.015f));
    fill_stripe(c, 0.105f, 0.120f, paint_flat(0xD8C8B8), paint_with(PAINT_MULTIPLY, 0.6f, 0.005f));
}
