/* Textures of lighting: sphere maps (the picture of a lit ball, as seen from the camera) and toon ramps (from
 * lit above to shade below). */
#include "textures.h"

#include "tool.h"

/* Fits the ball to the picture: radius 1, y down. */
static void view_ball(paint_canvas *c)
{
    paint_view(c, paint_xy(-1, -1), paint_xy(1, 1));
}

/* --- hair: the angel's ring --- */

/*
 * Draws the lower or the upper edge of the ring of light: an arc over the ball, with teeth where locks part.
 */
static void ring_edge(paint_canvas *c, float y, float bend, float teeth, int from, int to)
{
    enum { STEPS = 240 };
    int step = from < to ? 1 : -1;
    for (int i = from; i != to + step; i += step) {
        float x = -1.0f + 2.0f * (float)i / STEPS;
        float tooth =
            teeth * (paint_noise((float)i * 0.17f, 64, 71) + 0.5f * paint_noise((float)i * 0.43f, 128, 72));
        vec2 at = paint_xy(x, y + bend * x * x + tooth);
        if (i == from && from < to)
            paint_move(c, at);
        else
            paint_line(c, at);
    }
}

/* Paints a band that fades towards the sides of the ball and is brighter inside. Its ends fade too, so that
 * nothing is cut off. */
void texture_hair_sphere(paint_canvas *c)
{
    static const struct {
        float upper, lower, teeth, opacity, blur;
        uint32_t rgb;
    } bands[] = {
        {-0.70f, -0.34f, 0.05f, 0.20f, 0.060f, 0x8A4A3C},
        {-0.60f, -0.48f, 0.11f, 0.40f, 0.012f, 0xB08068},
        {-0.56f, -0.53f, 0.07f, 0.36f, 0.010f, 0xC8A890},
    };
    view_ball(c);
    for (size_t i = 0; i < TOOL_COUNT(bands); i++) {
        const paint_stop ends[] = {{0.12f, bands[i].rgb, 0},
                                   {0.36f, bands[i].rgb, 1},
                                   {0.64f, bands[i].rgb, 1},
                                   {0.88f, bands[i].rgb, 0}};
        ring_edge(c, bands[i].upper, 0.30f, -bands[i].teeth * 0.6f, 0, 240);
        ring_edge(c, bands[i].lower, 0.30f, bands[i].teeth, 240, 0);
        paint_fill(c, paint_gradient(PAINT_LINEAR, paint_xy(-1, 0), paint_xy(1, 0), ends, TOOL_COUNT(ends)),
                   paint_with(PAINT_SCREEN, bands[i].opacity, bands[i].blur));
    }
    paint_ellipse(c, paint_xy(0, 0.75f), paint_xy(0.8f, 0.12f), 0.0f); /* light from the floor */
    paint_fill(c, paint_flat(0x3A1C22), paint_with(PAINT_SCREEN, 0.6f, 0.10f));
}

/* --- cloth: a little darker and cooler where it turns away --- */

void texture_cloth_sphere(paint_canvas *c)
{
    static const paint_stop turn[] = {
        {0.00f, 0xFFFFFF, 1}, {0.60f, 0xFFFFFF, 1}, {0.85f, 0xF0EBF6, 1}, {1.00f, 0xD6CEE4, 1}};
    view_ball(c);
    paint_band(c, -1.0f, 1.0f);
    paint_fill(c,
               paint_gradient(PAINT_RADIAL, paint_xy(-0.06f, -0.10f), paint_xy(1.05f, 1.05f), turn,
                              TOOL_COUNT(turn)),
               paint_with(PAINT_NORMAL, 1.0f, 0.0f));
}

/* --- metal: sky above, a bright horizon, ground below, a lamp --- */

void texture_metal_sphere(paint_canvas *c)
{
    static const paint_stop room[] = {{0.00f, 0x3E3220, 1}, {0.30f, 0x120C06, 1}, {0.46f, 0x1C140A, 1},
                                      {0.52f, 0x7A6538, 1}, {0.60f, 0x140A04, 1}, {1.00f, 0x281810, 1}};
    static const paint_dab lamps[] = {
        {{{0.30f, -0.45f}}, {{0.30f, 0.20f}}, 0.5f, 0xD8C090, {PAINT_SCREEN, 0.7f, 0.08f}},
        {{{0.32f, -0.47f}}, {{0.14f, 0.09f}}, 0.5f, 0xFFF4D8, {PAINT_SCREEN, 1.0f, 0.02f}},
        {{{-0.55f, 0.45f}}, {{0.10f, 0.22f}}, 0.6f, 0x806040, {PAINT_SCREEN, 0.7f, 0.05f}},
    };
    view_ball(c);
    paint_band(c, -1.0f, 1.0f);
    paint_fill(c, paint_gradient(PAINT_LINEAR, paint_xy(0, -1), paint_xy(0.25f, 1), room, TOOL_COUNT(room)),
               paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    paint_dabs(c, lamps, TOOL_COUNT(lamps));
}

void texture_gold(paint_canvas *c)
{
    static const paint_stop metal[] = {
        {0.0f, 0xECC873, 1}, {0.4f, 0xDFAE50, 1}, {0.7f, 0xC8903A, 1}, {1.0f, 0xA36E26, 1}};
    paint_band(c, 0.0f, 1.0f);
    paint_fill(c, paint_gradient(PAINT_LINEAR, paint_xy(0, 0), paint_xy(0, 1), metal, TOOL_COUNT(metal)),
               paint_with(PAINT_NORMAL, 1.0f, 0.0f));
}

/* --- toons --- */

/*
 * Paints a toon ramp. MMD looks a toon up at v = 0.5 - 0.5 N.L, so v = 0.5 is where the light grazes. With
 * self shadow on, MMD takes the last row's colour for all shade, so the shade has one colour from the edge
 * down. The edge is soft over a few rows and coloured where light shines through skin.
 */
static void paint_toon(paint_canvas *c, uint32_t edge, uint32_t shade)
{
    const paint_stop ramp[] = {{0.44f, COLOR_WHITE, 1}, {0.50f, edge, 1}, {0.56f, shade, 1}};
    paint_band(c, 0.0f, 1.0f);
    paint_fill(c, paint_gradient(PAINT_LINEAR, paint_xy(0, 0), paint_xy(0, 1), ramp, TOOL_COUNT(ramp)),
               paint_with(PAINT_NORMAL, 1.0f, 0.0f));
}

void texture_toon_skin(paint_canvas *c)
{
    paint_toon(c, 0xFFE2D8, 0xF4D5CD);
}

void texture_toon_cloth(paint_canvas *c)
{
    paint_toon(c, 0xE6DFEE, 0xBDB6D6);
}

void texture_toon_hair(paint_canvas *c)
{
    paint_toon(c, 0xF6D8CE, 0xD9A9A4);
}
