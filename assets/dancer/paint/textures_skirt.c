/*
 * The pleated skirt: waves (seigaiha) that rise from the hem, white and vermilion lines, and the shade of the
 * pleats over all of it. Also the pattern that a morph moves over the skirt: bands of water with lights in
 * them.
 */
#include "textures.h"

#include <math.h>

#include "tool.h"

enum { SCALES = 24, SCALE_PIXELS = 64, RINGS = 4 };

/* --- waves --- */

/* Paints one cell of seigaiha, half a scale's height tall: fans in rows, each row shifted by half a fan and
 * overlapping the row above. Rows are painted from above, so that lower fans cover upper ones. */
static void paint_wave_cell(paint_canvas *cell)
{
    static const uint32_t ring_colors[RINGS] = {0x6C7FCE, COLOR_INDIGO, 0x5467B4, COLOR_INDIGO};
    static const float ring_radii[RINGS] = {0.50f, 0.41f, 0.30f, 0.20f};
    for (int row = -2; row <= 5; row++) {
        for (int column = -1; column <= 1; column++) {
            float x = (float)column + (row % 2 ? 0.5f : 0.0f) + 0.5f, y = 0.25f * (float)row + 0.25f;
            for (int i = 0; i < RINGS; i++) {
                paint_ellipse(cell, paint_xy(x, y), paint_xy(ring_radii[i], ring_radii[i]), 0.0f);
                paint_fill(cell, paint_flat(ring_colors[i]), paint_with(PAINT_NORMAL, 1.0f, 0.0f));
            }
            paint_ellipse(cell, paint_xy(x, y), paint_xy(0.09f, 0.09f), 0.0f);
            paint_fill(cell, paint_flat(0x7E90DA), paint_with(PAINT_NORMAL, 1.0f, 0.0f));
        }
    }
}

/* Returns the v of the waves' upper edge: hills of two lengths, a whole number of them around the waist. */
static float wave_edge(float u)
{
    return 0.50f + 0.045f * mmd_sinf(2.0f * PI * 4.0f * u) + 0.025f * mmd_sinf(2.0f * PI * (9.0f * u + 0.3f));
}

static void wave_outline(paint_canvas *c, float lower)
{
    enum { STEPS = 256 };
    paint_move(c, paint_xy(0, 1.2f));
    for (int i = 0; i <= STEPS; i++) {
        float u = (float)i / STEPS;
        paint_line(c, paint_xy(u, wave_edge(u) + lower));
    }
    paint_line(c, paint_xy(1, 1.2f));
}

static void paint_waves(paint_canvas *c)
{
    /* A scale is as wide as it is high on the body, where the skirt is 14 units around and 4.2 high. */
    const float wide = 1.0f / SCALES, high = wide * 14.0f / 4.2f;
    paint_canvas cell;
    paint_canvas_init(&cell, SCALE_PIXELS, SCALE_PIXELS / 2, COLOR_INDIGO);
    paint_view(&cell, paint_xy(0, 0), paint_xy(1, 0.5f));
    paint_wave_cell(&cell);
    const float opacity[] = {0.30f, 0.35f, 0.55f}, lower[] = {0.0f, 0.13f, 0.26f};
    for (int i = 0; i < 3; i++) {
        wave_outline(c, lower[i]);
        paint_fill(c, paint_pattern(&cell, paint_xy(0, 0), paint_xy(wide, high / 2.0f)),
                   paint_with(PAINT_NORMAL, opacity[i], 0.012f));
    }
    paint_canvas_finish(&cell);
}

/* --- hem --- */

static void paint_line_round(paint_canvas *c, float top, float bottom, uint32_t rgb)
{
    paint_band(c, top, bottom);
    paint_fill(c, paint_flat(rgb), paint_with(PAINT_NORMAL, 1.0f, 0.0f));
}

/* --- pleats --- */

/* Shades knife pleats: deep shade beside each fold and a thin light on its edge, deeper towards the hem. */
static vec4 pleat(vec2 at, vec4 under, const void *user)
{
    (void)user;
    float t = at.x * (float)TEXTURE_PLEATS;
    t -= floorf(t);
    float depth = 0.35f + 0.65f * smoothstep(0.0f, 0.7f, at.y);
    float shade = (1.0f - smoothstep(0.0f, 0.34f, t)) * smoothstep(0.0f, 0.012f, t) * 0.55f * depth;
    float slope = 0.12f * (1.0f - t) * depth;
    float light = smoothstep(0.78f, 0.97f, t) * (1.0f - smoothstep(0.985f, 1.0f, t)) * 0.20f;
    vec4 color = paint_rgb(0x171A4A);
    color.a = clamp(shade + slope, 0.0f, 1.0f);
    under = paint_over(under, color, PAINT_MULTIPLY);
    color = paint_rgb(0xA9B4FF);
    color.a = light;
    return paint_over(under, color, PAINT_SCREEN);
}

void texture_skirt(paint_canvas *c)
{
    paint_band(c, -0.1f, 1.1f);
    paint_fill(c, paint_linear(paint_xy(0, 0), 0x28316C, paint_xy(0, 1), 0x374590),
               paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    paint_waves(c);
    paint_line_round(c, 0.850f, 1.1f, 0x2A3470);
    paint_line_round(c, 0.862f, 0.880f, COLOR_CREAM);
    paint_line_round(c, 0.900f, 0.965f, COLOR_VERMILION);
    paint_each(c, pleat, NULL);
    paint_band(c, -0.3f, 0.03f); /* the obi's shadow */
    paint_fill(c, paint_flat(0x555078), paint_with(PAINT_MULTIPLY, 0.75f, 0.03f));
}

/* Paints what is seen from below: dark, with a little light at the hem. */
void texture_lining(paint_canvas *c)
{
    paint_band(c, 0.0f, 1.0f);
    paint_fill(c, paint_linear(paint_xy(0, 0), 0x1A1F4C, paint_xy(0, 1), 0x3A3F7C),
               paint_with(PAINT_NORMAL, 1.0f, 0.0f));
}

/* --- the drifting pattern --- */

typedef struct water {
    float v, high, phase; /* v of its centre, its amplitude, and the phase of its hills */
    uint32_t rgb;
} water;

static float water_at(const water *b, float u)
{
    return b->v + b->high * mmd_sinf(2.0f * PI * (u + b->phase)) +
           0.35f * b->high * mmd_sinf(2.0f * PI * (3.0f * u + 2.0f * b->phase));
}

/* Adds a ribbon that follows the water over the whole width. */
static void paint_water(paint_canvas *c, const water *b, float thick, float opacity, float blur)
{
    enum { STEPS = 128 };
    paint_move(c, paint_xy(0, water_at(b, 0) - thick));
    for (int i = 1; i <= STEPS; i++)
        paint_line(c, paint_xy((float)i / STEPS, water_at(b, (float)i / STEPS) - thick));
    for (int i = STEPS; i >= 0; i--)
        paint_line(c, paint_xy((float)i / STEPS, water_at(b, (float)i / STEPS) + thick));
    paint_fill(c, paint_flat(b->rgb), paint_with(PAINT_MULTIPLY, opacity, blur));
}

static void paint_water_lights(paint_canvas *c, const water *b, uint32_t seed)
{
    enum { LIGHTS = 22 };
    for (uint32_t i = 0; i < LIGHTS; i++) {
        float u = ((float)i + 0.6f * paint_random(seed, 3 * i)) / LIGHTS;
        float off = 0.07f * (paint_random(seed, 3 * i + 1) - 0.5f);
        float size = 0.006f + 0.013f * paint_random(seed, 3 * i + 2) * paint_random(seed, 3 * i + 2);
        vec2 at = paint_xy(u, water_at(b, u) + off);
        const paint_dab light[] = {
            {at, {{size * 2.2f, size * 2.2f}}, 0, 0xE8F8FF, {PAINT_NORMAL, 0.7f, size}},
            {at, {{size, size}}, 0, COLOR_WHITE, {PAINT_NORMAL, 1.0f, 0.0015f}},
        };
        paint_dabs(c, light, 2);
    }
}

void texture_pattern(paint_canvas *c)
{
    static const water waters[] = {
        {0.24f, 0.055f, 0.00f, 0x6C94E0},
        {0.47f, 0.045f, 0.37f, 0x9C84DA},
        {0.70f, 0.050f, 0.71f, 0x62ACD4},
    };
    for (uint32_t i = 0; i < TOOL_COUNT(waters); i++) {
        paint_water(c, &waters[i], 0.060f, 0.80f, 0.022f);
        paint_water(c, &waters[i], 0.020f, 0.55f, 0.008f);
        paint_water_lights(c, &waters[i], 41 + i);
    }
}
