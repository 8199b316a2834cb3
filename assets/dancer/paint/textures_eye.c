/*
 * The iris, in units of its radius. Layers from the back to the front: depth (dark above, light below),
 * streaks towards the pupil, the pupil, light that gathers below, the shadow of the lid, the rim, and
 * highlights.
 */
#include "textures.h"

#include <math.h>

#include "tool.h"

enum { STREAKS = 72 };

static const paint_stop depth[] = {
    {0.00f, 0x0F4468, 1}, {0.26f, 0x15759B, 1}, {0.52f, 0x1FA3B5, 1},
    {0.76f, 0x52D2D2, 1}, {1.00f, 0xA8F6E4, 1},
};

/* Light from below and a little violet at the sides, under the streaks. */
static const paint_dab glow[] = {
    {{{0.00f, 0.62f}}, {{0.66f, 0.36f}}, 0, 0x7FF5DC, {PAINT_SCREEN, 0.50f, 0.13f}},
    {{{-0.80f, -0.05f}}, {{0.22f, 0.50f}}, 0.2f, 0x7A6BE0, {PAINT_SCREEN, 0.30f, 0.12f}},
    {{{0.80f, -0.05f}}, {{0.22f, 0.50f}}, -0.2f, 0x3FA0F0, {PAINT_SCREEN, 0.30f, 0.12f}},
    {{{0.00f, 0.00f}}, {{0.50f, 0.58f}}, 0, 0x1A6C90, {PAINT_MULTIPLY, 0.70f, 0.09f}},
};

static const paint_dab lights[] = {
    /* glows under the crisp highlights */
    {{{0.36f, -0.40f}}, {{0.32f, 0.28f}}, 0.5f, 0x9FE8FF, {PAINT_SCREEN, 0.55f, 0.10f}},
    {{{-0.42f, 0.50f}}, {{0.18f, 0.18f}}, 0, 0xC8FFF4, {PAINT_SCREEN, 0.55f, 0.07f}},
    /* the window, the lamp behind it, and the light from the floor */
    {{{0.36f, -0.42f}}, {{0.225f, 0.270f}}, 0.5f, COLOR_WHITE, {PAINT_NORMAL, 1.0f, 0.004f}},
    {{{0.10f, -0.14f}}, {{0.060f, 0.070f}}, 0.5f, COLOR_WHITE, {PAINT_NORMAL, 0.85f, 0.004f}},
    {{{-0.42f, 0.48f}}, {{0.120f, 0.105f}}, 0.6f, COLOR_WHITE, {PAINT_NORMAL, 0.95f, 0.005f}},
    {{{-0.24f, 0.66f}}, {{0.050f, 0.044f}}, 0.3f, COLOR_WHITE, {PAINT_NORMAL, 0.80f, 0.005f}},
};

static vec2 polar(float radius, float angle)
{
    return paint_xy(radius * mmd_cosf(angle), radius * mmd_sinf(angle));
}

static void disc(paint_canvas *c, float x, float y, float rx, float ry)
{
    paint_ellipse(c, paint_xy(x, y), paint_xy(rx, ry), 0.0f);
}

/* Paints streaks: every other one is dark; light ones reach further in. */
static void paint_streaks(paint_canvas *c)
{
    for (uint32_t i = 0; i < STREAKS; i++) {
        bool light = i % 2 == 0;
        float angle = 2.0f * PI * ((float)i + paint_random(1, i)) / STREAKS;
        float inner = (light ? 0.42f : 0.62f) + 0.22f * paint_random(2, i), outer = 0.97f;
        float width = (light ? 0.045f : 0.055f) * (0.5f + paint_random(3, i));
        const vec2 way[4] = {polar(outer, angle), polar(lerp(outer, inner, 0.33f), angle),
                             polar(lerp(outer, inner, 0.66f), angle), polar(inner, angle)};
        paint_stroke(c, way, (vec3){{width, width * 0.7f, 0.0f}});
        float lower = 0.5f + 0.5f * mmd_sinf(angle);
        if (light)
            paint_fill(c, paint_flat(0x9CF6EC), paint_with(PAINT_SCREEN, 0.08f + 0.26f * lower, 0.004f));
        else
            paint_fill(c, paint_flat(0x1C7FA0), paint_with(PAINT_MULTIPLY, 0.30f, 0.006f));
    }
}

static void paint_pupil(paint_canvas *c)
{
    disc(c, 0.0f, 0.0f, 0.36f, 0.45f);
    paint_fill(c, paint_flat(0x0C4468), paint_with(PAINT_NORMAL, 0.85f, 0.010f));
    disc(c, 0.0f, -0.01f, 0.27f, 0.36f);
    paint_fill(c, paint_linear(paint_xy(0, -0.35f), 0x04101F, paint_xy(0, 0.4f), 0x0B3A5E),
               paint_with(PAINT_NORMAL, 1.0f, 0.006f));
    disc(c, 0.0f, 0.23f, 0.17f, 0.10f); /* translucent */
    paint_fill(c, paint_flat(0x2E9FB8), paint_with(PAINT_SCREEN, 0.45f, 0.05f));
}

/* Paints the crescent that is left at the bottom of the rim when a disc moves up; its upper edge is crisp. */
static void paint_crescent(paint_canvas *c)
{
    disc(c, 0.0f, 0.02f, 0.84f, 0.86f);
    disc(c, 0.0f, -0.16f, -0.90f, 0.84f);
    paint_fill(c,
               paint_gradient(
                   PAINT_LINEAR, paint_xy(-0.8f, 0), paint_xy(0.8f, 0),
                   (const paint_stop[]){{0.1f, 0xD8FFF2, 0}, {0.5f, 0xE4FFF0, 1}, {0.9f, 0xD8FFF2, 0}}, 3),
               paint_with(PAINT_SCREEN, 0.75f, 0.015f));
}

/* Paints the shadow of the upper lid: a crisp edge within a soft one. */
static void paint_lid_shadow(paint_canvas *c)
{
    static const struct {
        float edge, blur, opacity;
        uint32_t rgb;
    } shadows[] = {{-0.20f, 0.16f, 0.52f, 0x4A6CAE}, {-0.42f, 0.012f, 0.52f, 0x3F5A9C}};
    for (size_t i = 0; i < TOOL_COUNT(shadows); i++) {
        float y = shadows[i].edge;
        paint_move(c, paint_xy(-1.3f, -1.5f));
        paint_line(c, paint_xy(-1.3f, y + 0.45f));
        paint_curve(c, paint_xy(-0.6f, y - 0.12f), paint_xy(0.6f, y - 0.12f), paint_xy(1.3f, y + 0.45f));
        paint_line(c, paint_xy(1.3f, -1.5f));
        paint_fill(c, paint_flat(shadows[i].rgb),
                   paint_with(PAINT_MULTIPLY, shadows[i].opacity, shadows[i].blur));
    }
}

/* Paints a soft ring inside and a crisp one outside, both heavier above. */
static void paint_rim(paint_canvas *c)
{
    disc(c, 0.0f, 0.0f, 1.6f, 1.6f);
    disc(c, 0.0f, 0.06f, -0.88f, 0.89f);
    paint_fill(c, paint_flat(0x1B6C92), paint_with(PAINT_MULTIPLY, 0.75f, 0.04f));
    disc(c, 0.0f, 0.0f, 1.6f, 1.6f);
    disc(c, 0.0f, 0.015f, -0.925f, 0.94f);
    paint_fill(c, paint_linear(paint_xy(0, -0.9f), 0x050F22, paint_xy(0, 1), 0x0E4462),
               paint_with(PAINT_NORMAL, 1.0f, 0.008f));
}

void texture_eye(paint_canvas *c)
{
    const float half = 0.5f / TEXTURE_IRIS_RADIUS;
    paint_view(c, paint_xy(-half, -half), paint_xy(half, half));
    disc(c, 0.0f, 0.0f, 1.6f, 1.6f);
    paint_fill(c, paint_gradient(PAINT_LINEAR, paint_xy(0, -1), paint_xy(0, 1), depth, TOOL_COUNT(depth)),
               paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    paint_dabs(c, glow, TOOL_COUNT(glow));
    paint_streaks(c);
    paint_pupil(c);
    paint_crescent(c);
    paint_lid_shadow(c);
    paint_rim(c);
    paint_dabs(c, lights, TOOL_COUNT(lights));
}
