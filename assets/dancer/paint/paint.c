/* Canvas, colours, inks and noise. */
#include "paint.h"

#include "mmd/image.h"
#include "tool.h"

#include <assert.h>
#include <math.h>

vec4s paint_rgb(uint32_t rgb)
{
    return (vec4s){{(float)(rgb >> 16 & 255) / 255.0f, (float)(rgb >> 8 & 255) / 255.0f,
                    (float)(rgb & 255) / 255.0f, 1.0f}};
}

vec4s paint_mix(vec4s a, vec4s b, float t)
{
    return glms_vec4_add(glms_vec4_scale(a, 1.0f - t), glms_vec4_scale(b, t));
}

/* --- inks --- */

paint_ink paint_gradient(paint_ink_kind kind, vec2s from, vec2s to, const paint_stop *stops, uint32_t count)
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

paint_ink paint_linear(vec2s from, uint32_t first, vec2s to, uint32_t last)
{
    return paint_gradient(PAINT_LINEAR, from, to, (const paint_stop[]){{0, first, 1}, {1, last, 1}}, 2);
}

paint_ink paint_pattern(const paint_canvas *cell, vec2s corner, vec2s size)
{
    return (paint_ink){.kind = PAINT_PATTERN, .from = corner, .to = size, .pattern = cell};
}

static float gradient_place(const paint_ink *ink, vec2s at)
{
    vec2s d = glms_vec2_sub(at, ink->from);
    if (ink->kind == PAINT_RADIAL)
        return glms_vec2_norm(paint_xy(d.x / ink->to.x, d.y / ink->to.y));
    vec2s way = glms_vec2_sub(ink->to, ink->from);
    return glms_vec2_dot(d, way) / glms_vec2_norm2(way);
}

static vec4s stop_color(paint_stop stop)
{
    vec4s color = paint_rgb(stop.rgb);
    color.a = stop.alpha;
    return color;
}

static vec4s gradient_at(const paint_ink *ink, vec2s at)
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
    return paint_mix(stop_color(stops[i]), stop_color(stops[i + 1]), glm_clamp(t, 0.0f, 1.0f));
}

static uint32_t wrap(float x, uint32_t size)
{
    int n = (int)x % (int)size;
    return (uint32_t)(n < 0 ? n + (int)size : n);
}

/* Returns the repeated picture's colour, filtered bilinearly. */
static vec4s pattern_at(const paint_ink *ink, vec2s at)
{
    const paint_canvas *cell = ink->pattern;
    float x = (at.x - ink->from.x) / ink->to.x * (float)cell->width - 0.5f;
    float y = (at.y - ink->from.y) / ink->to.y * (float)cell->height - 0.5f;
    float fx = floorf(x), fy = floorf(y);
    const vec4s *row = cell->pixels + (size_t)wrap(fy, cell->height) * cell->width;
    const vec4s *next = cell->pixels + (size_t)wrap(fy + 1.0f, cell->height) * cell->width;
    uint32_t left = wrap(fx, cell->width), right = wrap(fx + 1.0f, cell->width);
    vec4s upper = paint_mix(row[left], row[right], x - fx);
    vec4s lower = paint_mix(next[left], next[right], x - fx);
    return paint_mix(upper, lower, y - fy);
}

vec4s paint_ink_at(const paint_ink *ink, vec2s at)
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
    vec4s color = paint_rgb(rgb);
    for (size_t i = 0; i < count; i++)
        canvas->pixels[i] = color;
}

void paint_canvas_finish(paint_canvas *canvas)
{
    mmd_free(canvas->pixels);
    mmd_free(canvas->path);
    *canvas = (paint_canvas){0};
}

void paint_view(paint_canvas *canvas, vec2s upper_left, vec2s lower_right)
{
    canvas->origin = upper_left;
    canvas->extent = glms_vec2_sub(lower_right, upper_left);
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
vec4s paint_over(vec4s under, vec4s over, paint_blend blend)
{
    float alpha = over.a + under.a * (1.0f - over.a);
    if (alpha <= 0.0f)
        return under;
    float both = over.a * under.a / alpha, only_over = over.a * (1.0f - under.a) / alpha;
    float only_under = under.a * (1.0f - over.a) / alpha;
    vec4s result = {{0, 0, 0, alpha}};
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
            vec2s part =
                paint_xy(((float)x + 0.5f) / (float)canvas->width, ((float)y + 0.5f) / (float)canvas->height);
            vec2s at = glms_vec2_add(canvas->origin, glms_vec2_mul(part, canvas->extent));
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
    return glm_lerp(a, b, t * t * (3.0f - 2.0f * t));
}

/* --- file --- */

static uint8_t byte_of(float value)
{
    return (uint8_t)(glm_clamp(value, 0.0f, 1.0f) * 255.0f + 0.5f);
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
