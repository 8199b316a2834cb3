/* Canvas, colours, inks and noise. */
#include "paint.h"

#include "mmd/image.h"
#include "tool.h"

#include <assert.h>
#include <math.h>

vec4 paint_rgb(uint32_t rgb)
{
    return (vec4){{(float)(rgb >> 16 & 255) / 255.0f, (float)(rgb >> 8 & 255) / 255.0f,
                   (float)(rgb & 255) / 255.0f, 1.0f}};
}

vec4 paint_mix(vec4 a, vec4 b, float t)
{
    return vec4_add(vec4_scale(a, 1.0f - t), vec4_scale(b, t));
}

/* --- inks --- */

paint_ink paint_gradient(paint_ink_kind kind, vec2 from, vec2 to, const paint_stop *stops, uint32_t count)
{
    assert(count >= 1 && count <= PAINT_STOPS);
    paint_ink ink = {.kind = kind, .from = from, .to = to, .stop_count = count};
    for (uint32_t i = 0; i < count; i++)
        ink.stops[i] = stops[i];
    return ink;
}

paint_ink paint_flat(uint32_t rgb)
{
    return paint_gradient(PAINT_LINEAR, paint_xy(0, 0), paint_xy(1, 0), &(paint_stop){0, rgb, 1}, 1);
}

paint_ink paint_linear(vec2 from, uint32_t first, vec2 to, uint32_t last)
{
    return paint_gradient(PAINT_LINEAR, from, to, (const paint_stop[]){{0, first, 1}, {1, last, 1}}, 2);
}

paint_ink paint_pattern(const paint_canvas *cell, vec2 corner, vec2 size)
{
    return (paint_ink){.kind = PAINT_PATTERN, .from = corner, .to = size, .pattern = cell};
}

static float gradient_place(const paint_ink *ink, vec2 at)
{
    vec2 d = vec2_sub(at, ink->from);
    if (ink->kind == PAINT_RADIAL)
        return vec2_length(paint_xy(d.x / ink->to.x, d.y / ink->to.y));
    vec2 way = vec2_sub(ink->to, ink->from);
    return vec2_dot(d, way) / vec2_dot(way, way);
}

static vec4 stop_color(paint_stop stop)
{
    vec4 color = paint_rgb(stop.rgb);
    color.a = stop.alpha;
    return color;
}

static vec4 gradient_at(const paint_ink *ink, vec2 at)
{
    const paint_stop *stops = ink->stops;
    uint32_t last = ink->stop_count - 1;
    if (last == 0)
        return stop_color(stops[0]);
    float place = gradient_place(ink, at);
    uint32_t i = 0;
    while (i + 1 < last && place > stops[i + 1].place)
        i++;
    float t = (place - stops[i].place) / (stops[i + 1].place - stops[i].place);
    return paint_mix(stop_color(stops[i]), stop_color(stops[i + 1]), clamp(t, 0.0f, 1.0f));
}

static uint32_t wrap(float x, uint32_t size)
{
    int n = (int)x % (int)size;
    return (uint32_t)(n < 0 ? n + (int)size : n);
}

/* Returns the repeated picture's colour, filtered bilinearly. */
static vec4 pattern_at(const paint_ink *ink, vec2 at)
{
    const paint_canvas *cell = ink->pattern;
    float x = (at.x - ink->from.x) / ink->to.x * (float)cell->width - 0.5f;
    float y = (at.y - ink->from.y) / ink->to.y * (float)cell->height - 0.5f;
    float fx = floorf(x), fy = floorf(y);
    const vec4 *row = cell->pixels + (size_t)wrap(fy, cell->height) * cell->width;
    const vec4 *next = cell->pixels + (size_t)wrap(fy + 1.0f, cell->height) * cell->width;
    uint32_t left = wrap(fx, cell->width), right = wrap(fx + 1.0f, cell->width);
    vec4 upper = paint_mix(row[left], row[right], x - fx);
    vec4 lower = paint_mix(next[left], next[right], x - fx);
    return paint_mix(upper, lower, y - fy);
}

vec4 paint_ink_at(const paint_ink *ink, vec2 at)
{
    return ink->kind == PAINT_PATTERN ? pattern_at(ink, at) : gradient_at(ink, at);
}

/* --- canvas --- */

void paint_canvas_init(paint_canvas *canvas, uint32_t width, uint32_t height, uint32_t rgb)
{
    *canvas = (paint_canvas){.width = width, .height = height, .extent = paint_xy(1, 1)};
    size_t count = (size_t)width * height;
    canvas->pixels = mmd_alloc(count * sizeof *canvas->pixels);
    if (!canvas->pixels)
        tool_die("out of memory");
    vec4 color = paint_rgb(rgb);
    for (size_t i = 0; i < count; i++)
        canvas->pixels[i] = color;
}

void paint_canvas_finish(paint_canvas *canvas)
{
    mmd_free(canvas->pixels);
    mmd_free(canvas->path);
    *canvas = (paint_canvas){0};
}

void paint_view(paint_canvas *canvas, vec2 upper_left, vec2 lower_right)
{
    canvas->origin = upper_left;
    canvas->extent = vec2_sub(lower_right, upper_left);
}

static float blend_channel(float under, float over, paint_blend blend)
{
    switch (blend) {
    case PAINT_MULTIPLY:
        return under * over;
    case PAINT_SCREEN:
        return under + over - under * over;
    case PAINT_NORMAL:
        break;
    }
    return over;
}

/* W3C compositing: the blend where both are, otherwise the one that is there. */
vec4 paint_over(vec4 under, vec4 over, paint_blend blend)
{
    float alpha = over.a + under.a * (1.0f - over.a);
    if (alpha <= 0.0f)
        return under;
    float both = over.a * under.a / alpha, only_over = over.a * (1.0f - under.a) / alpha;
    float only_under = under.a * (1.0f - over.a) / alpha;
    vec4 result = {{0, 0, 0, alpha}};
    for (int i = 0; i < 3; i++)
        result.raw[i] = both * blend_channel(under.raw[i], over.raw[i], blend) + only_over * over.raw[i] +
                        only_under * under.raw[i];
    return result;
}

void paint_each(paint_canvas *canvas, paint_shader *shader, const void *user)
{
    for (uint32_t y = 0; y < canvas->height; y++) {
        for (uint32_t x = 0; x < canvas->width; x++) {
            size_t i = (size_t)y * canvas->width + x;
            vec2 part =
                paint_xy(((float)x + 0.5f) / (float)canvas->width, ((float)y + 0.5f) / (float)canvas->height);
            vec2 at = vec2_add(canvas->origin, vec2_mul(part, canvas->extent));
            canvas->pixels[i] = shader(at, canvas->pixels[i], user);
        }
    }
}

/* --- noise --- */

/* Wang's integer hash. */
static uint32_t hash(uint32_t n)
{
    n = (n ^ 61u) ^ (n >> 16);
    n *= 9u;
    n ^= n >> 4;
    n *= 0x27d4eb2du;
    return n ^ (n >> 15);
}

float paint_random(uint32_t seed, uint32_t number)
{
    return (float)(hash(hash(seed) + number) >> 8) / 16777216.0f;
}

float paint_noise(float x, uint32_t period, uint32_t seed)
{
    float cell = floorf(x), t = x - cell;
    float a = paint_random(seed, wrap(cell, period)), b = paint_random(seed, wrap(cell + 1.0f, period));
    return lerp(a, b, t * t * (3.0f - 2.0f * t));
}

/* --- file --- */

static uint8_t byte_of(float value)
{
    return (uint8_t)(clamp(value, 0.0f, 1.0f) * 255.0f + 0.5f);
}

void paint_png(const paint_canvas *canvas, mmd_buffer *out)
{
    mmd_image image;
    mmd_error error = {0};
    if (mmd_image_init(&image, canvas->width, canvas->height, &error) != MMD_OK)
        tool_die("%s", error.message);
    for (size_t i = 0; i < (size_t)canvas->width * canvas->height; i++) {
        for (size_t k = 0; k < 4; k++)
            image.pixels[i * 4 + k] = byte_of(canvas->pixels[i].raw[k]);
        image.has_alpha |= image.pixels[i * 4 + 3] != 255;
    }
    if (mmd_png_write(&image, &(mmd_png_options){.alpha = image.has_alpha}, out, &error) != MMD_OK)
        tool_die("%s", error.message);
    mmd_image_finish(&image);
}
