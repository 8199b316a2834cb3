/* The figure's textures, drawn by formula. */
#include "figure.h"

#include <math.h>

#include "mmd/elementary.h"
#include "mmd/image.h"

const char *const figure_texture_names[FIGURE_TEXTURES] = {"eye.png", "blush.png", "dress.png", "hair.png"};

typedef struct color {
    float r, g, b, a;
} color;

/* Blends a colour over another with an opacity. */
static void cover(color *under, float r, float g, float b, float amount)
{
    under->r += (r - under->r) * amount;
    under->g += (g - under->g) * amount;
    under->b += (b - under->b) * amount;
}

/* Returns how much of a pixel an ellipse covers. soft is the width of its edge. */
static float disc(float x, float y, float cx, float cy, float rx, float ry, float soft)
{
    float dx = (x - cx) / rx, dy = (y - cy) / ry;
    return figure_step(1 + soft, 1 - soft, sqrtf(dx * dx + dy * dy));
}

/* Returns the colour of the eye. u and v range from -1 to 1, v points down. */
static color eye_color(float u, float v)
{
    color c = {1, 0.99f, 0.98f, disc(u, v, 0, 0.02f, 0.97f, 0.96f, 0.05f)};
    float lower = figure_clamp(0.5f + 0.6f * v);
    cover(&c, 0.75f, 0.74f, 0.8f, 0.5f * figure_step(-0.4f, -0.9f, v));
    cover(&c, 0.16f, 0.12f, 0.3f, disc(u, v, 0, 0.03f, 0.74f, 0.86f, 0.05f));
    cover(&c, 0.2f + 0.2f * lower, 0.3f + 0.5f * lower, 0.6f + 0.32f * lower,
          disc(u, v, 0, 0.05f, 0.64f, 0.77f, 0.06f));
    cover(&c, 0.12f, 0.1f, 0.3f, disc(u, v, 0, -0.05f, 0.3f, 0.38f, 0.12f));
    cover(&c, 0.16f, 0.12f, 0.32f,
          0.7f * figure_step(-0.35f, -0.8f, v) * disc(u, v, 0, 0.05f, 0.66f, 0.8f, 0.05f));
    cover(&c, 0.72f, 0.95f, 1, 0.8f * disc(u, v, 0.1f, 0.5f, 0.32f, 0.18f, 0.3f));
    cover(&c, 1, 1, 1, disc(u, v, -0.28f, -0.4f, 0.26f, 0.26f, 0.1f));
    cover(&c, 1, 1, 1, disc(u, v, 0.33f, 0.28f, 0.12f, 0.12f, 0.2f));
    return c;
}

static color blush_color(float u, float v)
{
    float fall = figure_clamp(1 - sqrtf(u * u + v * v));
    return (color){1, 1, 1, 0.55f * fall * fall * (3 - 2 * fall)};
}

/* Returns the colour of the dress: coral, with a white hem and a gold line. */
static color dress_color(float u, float v)
{
    color c = {0.95f, 0.42f, 0.45f, 1};
    (void)u;
    cover(&c, 0.84f, 0.31f, 0.4f, figure_step(0.0f, 0.9f, v));
    cover(&c, 1, 0.97f, 0.95f, figure_step(0.66f, 0.67f, v));
    cover(&c, 0.98f, 0.76f, 0.3f, figure_step(0.74f, 0.75f, v) * figure_step(0.82f, 0.81f, v));
    return c;
}

/* Returns the colour of the hair: darker at the ends, with a highlight around the head. */
static color hair_color(float u, float v)
{
    color c = {0.42f, 0.34f, 0.66f, 1};
    float wave = v + 0.04f * mmd_sinf(12.5f * u) + 0.02f * mmd_sinf(30 * u);
    cover(&c, 0.3f, 0.23f, 0.52f, figure_step(0.0f, 1.0f, v));
    cover(&c, 0.62f, 0.55f, 0.86f,
          0.75f * figure_step(-0.52f, -0.44f, wave) * figure_step(-0.28f, -0.36f, wave));
    return c;
}

static uint8_t byte_of(float value)
{
    return (uint8_t)(255 * figure_clamp(value) + 0.5f);
}

bool figure_make_texture(int texture, mmd_buffer *png)
{
    enum { SIZE = 128 };
    static color (*const colors[FIGURE_TEXTURES])(float, float) = {eye_color, blush_color, dress_color,
                                                                   hair_color};
    mmd_image image = {0};
    mmd_png_options options = {.alpha = texture < 2};
    if (mmd_image_init(&image, SIZE, SIZE, NULL) != MMD_OK)
        return false;
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            color c = colors[texture](2 * ((float)x + 0.5f) / SIZE - 1, 2 * ((float)y + 0.5f) / SIZE - 1);
            uint8_t *pixel = image.pixels + 4 * (y * SIZE + x);
            pixel[0] = byte_of(c.r);
            pixel[1] = byte_of(c.g);
            pixel[2] = byte_of(c.b);
            pixel[3] = byte_of(c.a);
        }
    bool ok = mmd_png_write(&image, &options, png, NULL) == MMD_OK && !png->failed;
    mmd_image_finish(&image);
    return ok;
}
