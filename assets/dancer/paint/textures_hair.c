/*
 * Hair, from root to tip: coral that becomes apricot, with strands of light and shade along it and a shadow
 * at the roots. u tiles. The ring of light is part of the sphere map, not of this texture, so that it stays
 * where the light is.
 */
#include "textures.h"

#include "tool.h"

enum { LOCKS = 22, STRANDS = 90, HAIRS = 150 };

static const paint_stop length[] = {
    {0.00f, 0xDC7270, 1}, {0.12f, 0xE87E78, 1}, {0.40f, 0xEE8C83, 1},
    {0.72f, 0xF4A791, 1}, {1.00f, 0xFAC5A9, 1},
};

/* Common properties of a set of strokes. */
typedef struct strand_kind {
    uint32_t count, seed;
    float width; /* the greatest */
    float shortest, longest;
    uint32_t rgb;
    paint_brush brush;
} strand_kind;

/* Wide locks are soft, single hairs fine. Light and shade of each kind balance, so that the average colour
 * stays that of the gradient. */
static const strand_kind kinds[] = {
    {LOCKS, 11, 0.050f, 0.5f, 1.1f, 0xEE9A94, {PAINT_MULTIPLY, 0.26f, 0.006f}},
    {LOCKS, 12, 0.046f, 0.5f, 1.1f, 0xFFD9B8, {PAINT_SCREEN, 0.10f, 0.006f}},
    {STRANDS, 13, 0.012f, 0.2f, 0.8f, 0xE08882, {PAINT_MULTIPLY, 0.20f, 0.001f}},
    {STRANDS, 14, 0.010f, 0.2f, 0.8f, 0xFFE2C4, {PAINT_SCREEN, 0.13f, 0.001f}},
    {HAIRS, 15, 0.0030f, 0.1f, 0.6f, 0xC9706F, {PAINT_MULTIPLY, 0.20f, 0.0f}},
    {HAIRS, 16, 0.0026f, 0.1f, 0.6f, 0xFFE9D2, {PAINT_SCREEN, 0.20f, 0.0f}},
};

/* Paints the strands. Strand i of n lies near u = i/n, swings a little and tapers at both ends. */
static void paint_strands(paint_canvas *c, const strand_kind *kind)
{
    for (uint32_t i = 0; i < kind->count; i++) {
        float u = ((float)i + paint_random(kind->seed, 4 * i)) / (float)kind->count;
        float long_ = lerp(kind->shortest, kind->longest, paint_random(kind->seed, 4 * i + 1));
        float top = -0.15f + (1.3f - long_) * paint_random(kind->seed, 4 * i + 2);
        float swing = 0.02f * (paint_random(kind->seed, 4 * i + 3) - 0.5f);
        const vec2 way[4] = {{{u, top}},
                             {{u + swing, top + long_ * 0.33f}},
                             {{u - swing, top + long_ * 0.66f}},
                             {{u, top + long_}}};
        paint_stroke(c, way, (vec3){{0.0f, kind->width, 0.0f}});
        paint_fill(c, paint_flat(kind->rgb), kind->brush);
    }
}

/* Paints a crisp, toothed edge of shade at the roots, as in cel painting. */
static void paint_roots(paint_canvas *c)
{
    enum { TEETH = 40 };
    paint_move(c, paint_xy(0, -0.1f));
    paint_line(c, paint_xy(0, 0.02f));
    for (int i = 0; i < TEETH; i++) {
        float u0 = (float)i / TEETH, u1 = (float)(i + 1) / TEETH, middle = (u0 + u1) / 2.0f;
        float low = 0.05f + 0.08f * paint_random(21, (uint32_t)i);
        paint_curve(c, paint_xy(lerp(u0, middle, 0.5f), 0.03f), paint_xy(lerp(u0, middle, 0.9f), low),
                    paint_xy(middle, low));
        paint_curve(c, paint_xy(lerp(middle, u1, 0.1f), low), paint_xy(lerp(middle, u1, 0.5f), 0.03f),
                    paint_xy(u1, 0.02f));
    }
    paint_line(c, paint_xy(1, -0.1f));
    paint_fill(c, paint_flat(0xD98A92), paint_with(PAINT_MULTIPLY, 0.30f, 0.003f));
}

void texture_hair(paint_canvas *c)
{
    paint_band(c, 0.0f, 1.0f);
    paint_fill(c, paint_gradient(PAINT_LINEAR, paint_xy(0, 0), paint_xy(0, 1), length, TOOL_COUNT(length)),
               paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    for (size_t i = 0; i < TOOL_COUNT(kinds); i++)
        paint_strands(c, &kinds[i]);
    paint_roots(c);
}
