/* The face as seen from the front, in model units, and its parts: white of the eye, lashes, blush, mouth.
 * Everything soft ends before the face does, so that the face meets the plain skin without a seam. */
#include "textures.h"

#include "tool.h"

/* --- skin --- */

void texture_skin(paint_canvas *c)
{
    paint_band(c, -1.0f, TEXTURE_SKIN_SHADE);
    paint_fill(c, paint_flat(0xFAD7C9), paint_with(PAINT_NORMAL, 1.0f, 0.02f));
    const float half = 0.5f * TEXTURE_NAIL_SIZE;
    paint_ellipse(c, paint_xy(TEXTURE_NAIL_U + half, TEXTURE_NAIL_V + 0.78f * half),
                  paint_xy(0.80f * half, 0.74f * half), 0.0f);
    paint_fill(c, paint_flat(0xFDC4B9), paint_with(PAINT_NORMAL, 1.0f, 0.005f));
}

/* --- face --- */

/* x is that of the right half; each is painted on both sides. */
static const paint_dab cheeks[] = {
    {{{0.95f, 16.94f}}, {{0.38f, 0.20f}}, -0.10f, 0xFF8E7E, {PAINT_MULTIPLY, 0.32f, 0.12f}},
    {{{0.92f, 16.97f}}, {{0.22f, 0.09f}}, -0.10f, 0xFF7A70, {PAINT_MULTIPLY, 0.22f, 0.07f}},
    /* warm under the lid's fold, and below the eye */
    {{{0.72f, 17.92f}}, {{0.42f, 0.10f}}, 0.05f, 0xF2B3A0, {PAINT_MULTIPLY, 0.42f, 0.06f}},
    {{{0.74f, 16.80f}}, {{0.34f, 0.05f}}, 0.00f, 0xFFCDBB, {PAINT_MULTIPLY, 0.25f, 0.05f}},
};

static const paint_dab middle[] = {
    /* the fringe's shadow */
    {{{0.00f, 18.85f}}, {{1.05f, 0.36f}}, 0, 0xF6C3B2, {PAINT_MULTIPLY, 0.55f, 0.15f}},
    /* nose: its tip, the shade below it, the light on it */
    {{{0.00f, 16.90f}}, {{0.12f, 0.08f}}, 0, 0xFF9F8C, {PAINT_MULTIPLY, 0.35f, 0.05f}},
    {{{0.00f, 16.845f}}, {{0.050f, 0.014f}}, 0, 0xD98674, {PAINT_MULTIPLY, 0.60f, 0.012f}},
    {{{0.02f, 16.955f}}, {{0.026f, 0.034f}}, 0, COLOR_WHITE, {PAINT_SCREEN, 0.70f, 0.012f}},
    {{{0.00f, 17.20f}}, {{0.035f, 0.20f}}, 0, COLOR_WHITE, {PAINT_SCREEN, 0.30f, 0.04f}},
    /* lips: tint, the shade under the lower one, its light */
    {{{0.00f, 16.545f}}, {{0.20f, 0.055f}}, 0, 0xFF8F86, {PAINT_MULTIPLY, 0.42f, 0.035f}},
    {{{0.00f, 16.400f}}, {{0.12f, 0.022f}}, 0, 0xE7A793, {PAINT_MULTIPLY, 0.42f, 0.022f}},
    {{{0.03f, 16.474f}}, {{0.055f, 0.012f}}, 0, COLOR_WHITE, {PAINT_SCREEN, 0.55f, 0.012f}},
    /* chin */
    {{{0.00f, 16.13f}}, {{0.34f, 0.06f}}, 0, 0xF3C0AE, {PAINT_MULTIPLY, 0.30f, 0.05f}},
};

typedef struct stroke {
    vec2 curve[4];
    vec3 widths;
    uint32_t rgb;
    paint_brush brush;
} stroke;

/* The folds of the upper lids. */
static const stroke lid_lines[] = {
    {{{{0.31f, 17.82f}}, {{0.46f, 17.97f}}, {{0.90f, 18.00f}}, {{1.17f, 17.79f}}},
     {{0.000f, 0.026f, 0.004f}},
     0xB9705F,
     {PAINT_MULTIPLY, 0.85f, 0.004f}},
};

static paint_dab mirrored_dab(paint_dab dab)
{
    dab.centre.x = -dab.centre.x;
    dab.turn = -dab.turn;
    return dab;
}

static void paint_stroke_both(paint_canvas *c, const stroke *s)
{
    vec2 other[4];
    for (int i = 0; i < 4; i++)
        other[i] = paint_xy(-s->curve[i].x, s->curve[i].y);
    paint_stroke(c, s->curve, s->widths);
    paint_fill(c, paint_flat(s->rgb), s->brush);
    paint_stroke(c, other, s->widths);
    paint_fill(c, paint_flat(s->rgb), s->brush);
}

void texture_face(paint_canvas *c)
{
    const float half = TEXTURE_FACE_SIZE / 2.0f;
    paint_view(c, paint_xy(-half, TEXTURE_FACE_TOP), paint_xy(half, TEXTURE_FACE_TOP - TEXTURE_FACE_SIZE));
    for (size_t i = 0; i < TOOL_COUNT(cheeks); i++) {
        paint_dab other = mirrored_dab(cheeks[i]);
        paint_dabs(c, &cheeks[i], 1);
        paint_dabs(c, &other, 1);
    }
    paint_dabs(c, middle, TOOL_COUNT(middle));
    for (size_t i = 0; i < TOOL_COUNT(lid_lines); i++)
        paint_stroke_both(c, &lid_lines[i]);
}

/* --- eyes --- */

/* Paints the white of the eye: the shadow of the lid above, some red in the corners, light below. */
void texture_white(paint_canvas *c)
{
    static const paint_dab corners[] = {
        {{{-0.05f, 0.60f}}, {{0.16f, 0.25f}}, 0, 0xFFD2C8, {PAINT_MULTIPLY, 0.55f, 0.07f}},
        {{{1.05f, 0.60f}}, {{0.16f, 0.25f}}, 0, 0xFFD2C8, {PAINT_MULTIPLY, 0.55f, 0.07f}},
    };
    paint_band(c, -0.5f, 0.28f);
    paint_fill(c, paint_flat(0xBDB6D6), paint_with(PAINT_MULTIPLY, 0.90f, 0.08f));
    paint_band(c, -0.5f, 0.15f);
    paint_fill(c, paint_flat(0xBFAFC8), paint_with(PAINT_MULTIPLY, 0.75f, 0.035f));
    paint_band(c, 0.90f, 1.5f);
    paint_fill(c, paint_flat(0xEEE2EC), paint_with(PAINT_MULTIPLY, 0.60f, 0.06f));
    paint_dabs(c, corners, TOOL_COUNT(corners));
}

/* Paints the lashes: nearly black at the lid, reddish at the tips, where light shines through, warm at both
 * ends. */
void texture_lash(paint_canvas *c)
{
    static const paint_stop tips[] = {{0.0f, 0x34161F, 1}, {0.45f, 0x4A2530, 1}, {1.0f, 0x8C3F42, 1}};
    static const paint_stop ends[] = {
        {0.0f, 0xB4524C, 0.85f}, {0.25f, 0xB4524C, 0}, {0.72f, 0xB4524C, 0}, {1.0f, 0xC25B52, 0.9f}};
    paint_band(c, 0.0f, 1.0f);
    paint_fill(c, paint_gradient(PAINT_LINEAR, paint_xy(0, 0), paint_xy(0, 1), tips, TOOL_COUNT(tips)),
               paint_with(PAINT_NORMAL, 1.0f, 0.0f));
    paint_band(c, 0.0f, 1.0f);
    paint_fill(c, paint_gradient(PAINT_LINEAR, paint_xy(0, 0), paint_xy(1, 0), ends, TOOL_COUNT(ends)),
               paint_with(PAINT_NORMAL, 1.0f, 0.0f));
}

static vec4 clear(vec2 at, vec4 under, const void *user)
{
    (void)at;
    (void)user;
    under.a = 0.0f;
    return under;
}

/* Paints a soft cheek with the slanted lines of comics. */
void texture_blush(paint_canvas *c)
{
    enum { LINES = 5 };
    paint_each(c, clear, NULL);
    paint_ellipse(c, paint_xy(0.5f, 0.5f), paint_xy(0.26f, 0.24f), 0.0f);
    paint_fill(c, paint_flat(0xFF7C72), paint_with(PAINT_NORMAL, 0.62f, 0.08f));
    for (int i = 0; i < LINES; i++) {
        float x = 0.28f + 0.11f * (float)i, low = i % 2 ? 0.68f : 0.60f;
        const vec2 line[4] = {
            {{x + 0.05f, 0.37f}}, {{x + 0.03f, 0.46f}}, {{x + 0.01f, 0.54f}}, {{x - 0.03f, low}}};
        paint_stroke(c, line, (vec3){{0.010f, 0.024f, 0.004f}});
        paint_fill(c, paint_flat(0xE8524F), paint_with(PAINT_NORMAL, 0.80f, 0.004f));
    }
}

/* --- mouth --- */

static void paint_mouth_band(paint_canvas *c, float top, float bottom, uint32_t first, uint32_t last)
{
    paint_band(c, top, bottom);
    paint_fill(c, paint_linear(paint_xy(0, top), first, paint_xy(0, bottom), last),
               paint_with(PAINT_NORMAL, 1.0f, 0.0f));
}

void texture_mouth(paint_canvas *c)
{
    static const paint_dab tongue[] = {
        {{{0.5f, 0.78f}}, {{0.03f, 0.16f}}, 0, 0xD8626A, {PAINT_MULTIPLY, 0.45f, 0.03f}},
        {{{0.34f, 0.76f}}, {{0.09f, 0.06f}}, 0.2f, COLOR_WHITE, {PAINT_SCREEN, 0.30f, 0.03f}},
        {{{0.66f, 0.76f}}, {{0.06f, 0.04f}}, -0.2f, COLOR_WHITE, {PAINT_SCREEN, 0.20f, 0.03f}},
    };
    paint_mouth_band(c, -0.1f, TEXTURE_TEETH_END, 0xFFFFFF, 0xF4ECF0);
    paint_mouth_band(c, TEXTURE_TEETH_END, TEXTURE_TONGUE_START, 0x94383E, 0x4E1522);
    paint_mouth_band(c, TEXTURE_TONGUE_START, 1.1f, 0xDE6E74, 0xF29A94);
    paint_dabs(c, tongue, TOOL_COUNT(tongue));
}
