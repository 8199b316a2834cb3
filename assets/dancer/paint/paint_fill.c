/*
 * Filling: the exact area of each pixel that is inside of the path.
 *
 * Every segment adds to the pixels it crosses how much it changes the pixels to its right from outside to
 * inside; the running sum along a row is the coverage (Raph Levien's font-rs). A blur consists of three box
 * blurs, which approximate a Gaussian at a cost that does not depend on its width.
 */
#include "paint.h"

#include "tool.h"

#include <math.h>

enum { BOX_PASSES = 3 };

/* Part of the picture plane, which may extend beyond the picture. */
typedef struct mask {
    int left, top, width, height;
    float *cover; /* rows of width + 2; the last two collect what is to the right */
} mask;

static size_t mask_stride(const mask *m)
{
    return (size_t)m->width + 2;
}

static float *new_floats(size_t count)
{
    float *floats = mmd_alloc(count * sizeof *floats);
    if (!floats)
        tool_die("out of memory");
    for (size_t i = 0; i < count; i++)
        floats[i] = 0.0f;
    return floats;
}

static vec2 pixels_per_unit(const paint_canvas *canvas)
{
    return paint_xy((float)canvas->width / canvas->extent.x, (float)canvas->height / canvas->extent.y);
}

static vec2 to_pixels(const paint_canvas *canvas, vec2 at)
{
    return vec2_mul(vec2_sub(at, canvas->origin), pixels_per_unit(canvas));
}

/* --- coverage --- */

/* Adds a segment within one row, from x0 to x1 (x0 <= x1), that changes coverage by `turn` of a pixel's
 * height. */
static void add_span(float *row, float x0, float x1, float turn)
{
    float floor0 = floorf(x0), ceil1 = ceilf(x1);
    int first = (int)floor0, last = (int)ceil1;
    if (last <= first + 1) {
        float right = turn * (0.5f * (x0 + x1) - floor0);
        row[first] += turn - right;
        row[first + 1] += right;
        return;
    }
    float slope = 1.0f / (x1 - x0), in_first = 1.0f - (x0 - floor0), in_last = x1 - ceil1 + 1.0f;
    float done = 0.5f * slope * in_first * in_first; /* coverage so far */
    float tail = 0.5f * slope * in_last * in_last;
    row[first] += turn * done;
    for (int i = first + 1; i < last - 1; i++) {
        float next = slope * (in_first + (float)(i - first) - 0.5f);
        row[i] += turn * (next - done);
        done = next;
    }
    row[last - 1] += turn * (1.0f - tail - done);
    row[last] += turn * tail;
}

/* Adds a segment that may extend beyond the row: what is left of it counts in the first pixel, what is right
 * nowhere. */
static void add_cut_span(float *row, float width, float x0, float x1, float turn)
{
    float inside0 = clamp(x0, 0.0f, width), inside1 = clamp(x1, 0.0f, width);
    float whole = x1 - x0;
    if (whole <= 0.0f || (inside0 == x0 && inside1 == x1)) {
        add_span(row, inside0, inside1, turn);
        return;
    }
    if (x0 < 0.0f)
        row[0] += turn * (mmd_minf(x1, 0.0f) - x0) / whole;
    add_span(row, inside0, inside1, turn * (inside1 - inside0) / whole);
}

/* Adds a line from a to b, in pixels of the mask. */
static void add_line(mask *m, vec2 a, vec2 b)
{
    float sign = 1.0f;
    if (a.y > b.y) {
        vec2 other = a;
        a = b;
        b = other;
        sign = -1.0f;
    }
    if (a.y == b.y || b.y <= 0.0f || a.y >= (float)m->height)
        return;
    float slope = (b.x - a.x) / (b.y - a.y);
    int first = a.y > 0.0f ? (int)a.y : 0;
    int end = b.y < (float)m->height ? (int)ceilf(b.y) : m->height;
    for (int y = first; y < end; y++) {
        float y0 = mmd_maxf((float)y, a.y), y1 = mmd_minf((float)y + 1.0f, b.y);
        float x0 = a.x + (y0 - a.y) * slope, x1 = a.x + (y1 - a.y) * slope;
        float *row = m->cover + (size_t)y * mask_stride(m);
        add_cut_span(row, (float)m->width, mmd_minf(x0, x1), mmd_maxf(x0, x1), sign * (y1 - y0));
    }
}

/* Adds the path, displaced by (x, y) pixels. */
static void add_path(mask *m, const paint_canvas *canvas, float x, float y)
{
    vec2 move = paint_xy(x - (float)m->left, y - (float)m->top);
    for (uint32_t i = 0; i < canvas->path_count; i++)
        add_line(m, vec2_add(to_pixels(canvas, canvas->path[i].from), move),
                 vec2_add(to_pixels(canvas, canvas->path[i].to), move));
}

static void sum_rows(mask *m)
{
    for (int y = 0; y < m->height; y++) {
        float *row = m->cover + (size_t)y * mask_stride(m), sum = 0.0f;
        for (int x = 0; x < m->width; x++) {
            sum += row[x];
            float cover = mmd_minf(fabsf(sum), 1.0f);
            row[x] = cover < 1e-4f ? 0.0f : cover; /* drop rounding errors of the sum */
        }
    }
}

/* --- blur --- */

/* Blurs count values that are `stride` apart with a box: a window of whole values plus a fraction at either
 * end. */
static void box_line(float *values, float *copy, int count, size_t stride, float half)
{
    int whole = (int)half;
    float part = half - (float)whole, scale = 1.0f / (2.0f * half + 1.0f);
    for (int i = 0; i < count; i++)
        copy[i] = values[(size_t)i * stride];
    double sum = 0.0;
    for (int i = 0; i < whole && i < count; i++)
        sum += (double)copy[i];
    for (int i = 0; i < count; i++) {
        int enter = i + whole, leave = i - whole - 1;
        sum += enter < count ? (double)copy[enter] : 0.0;
        sum -= leave >= 0 ? (double)copy[leave] : 0.0;
        float ends = (leave >= 0 ? copy[leave] : 0.0f) + (enter + 1 < count ? copy[enter + 1] : 0.0f);
        values[(size_t)i * stride] = ((float)sum + part * ends) * scale;
    }
}

/*
 * Returns half the width of a box, minus half a pixel, so that three boxes give a Gaussian of this deviation.
 */
static float box_half(float deviation)
{
    return 0.5f * (sqrtf(12.0f * deviation * deviation / (float)BOX_PASSES + 1.0f) - 1.0f);
}

static void blur_mask(mask *m, vec2 deviation)
{
    int longest = m->width > m->height ? m->width : m->height;
    float *copy = new_floats((size_t)longest);
    for (int pass = 0; pass < BOX_PASSES; pass++) {
        for (int y = 0; y < m->height; y++)
            box_line(m->cover + (size_t)y * mask_stride(m), copy, m->width, 1, box_half(deviation.x));
        for (int x = 0; x < m->width; x++)
            box_line(m->cover + x, copy, m->height, mask_stride(m), box_half(deviation.y));
    }
    mmd_free(copy);
}

/* --- the mask of a path --- */

typedef struct bounds {
    vec2 low, high;
} bounds;

/* Returns the bounds of the path in pixels. */
static bounds path_bounds(const paint_canvas *canvas)
{
    bounds b = {{{INFINITY, INFINITY}}, {{-INFINITY, -INFINITY}}};
    for (uint32_t i = 0; i < canvas->path_count; i++) {
        vec2 at = to_pixels(canvas, canvas->path[i].from);
        b.low = vec2_min(b.low, at);
        b.high = vec2_max(b.high, at);
    }
    return b;
}

/* Computes which range of 0..size a path from low to high affects, with pad on both sides. If the path
 * crosses the border of a tiling axis, the whole range is used. */
static void visible_range(float low, float high, int size, int pad, bool tile, int *start, int *length)
{
    if (tile && (low < (float)pad || high > (float)(size - pad))) {
        low = -INFINITY;
        high = INFINITY;
    }
    float first = mmd_maxf(floorf(low) - (float)pad, (float)-pad);
    float end = mmd_minf(ceilf(high) + (float)pad, (float)(size + pad));
    *start = (int)first;
    *length = end > first ? (int)(end - first) : 0;
}

/* Computes the coverage of the path, tiled and blurred. */
static mask make_mask(const paint_canvas *canvas, float blur)
{
    vec2 scale = pixels_per_unit(canvas);
    vec2 deviation = paint_xy(fabsf(scale.x) * blur, fabsf(scale.y) * blur);
    int pad_x = blur > 0.0f ? (int)(3.0f * deviation.x) + BOX_PASSES : 0;
    int pad_y = blur > 0.0f ? (int)(3.0f * deviation.y) + BOX_PASSES : 0;
    bounds b = path_bounds(canvas);
    mask m = {0};
    visible_range(b.low.x, b.high.x, (int)canvas->width, pad_x, canvas->tile_x, &m.left, &m.width);
    visible_range(b.low.y, b.high.y, (int)canvas->height, pad_y, canvas->tile_y, &m.top, &m.height);
    m.cover = new_floats(mask_stride(&m) * (size_t)m.height);
    for (int y = -canvas->tile_y; y <= canvas->tile_y; y++)
        for (int x = -canvas->tile_x; x <= canvas->tile_x; x++)
            add_path(&m, canvas, (float)(x * (int)canvas->width), (float)(y * (int)canvas->height));
    sum_rows(&m);
    if (blur > 0.0f)
        blur_mask(&m, deviation);
    return m;
}

/* Returns the mask's value at a pixel of the picture. */
static float mask_at(const mask *m, int x, int y)
{
    x -= m->left;
    y -= m->top;
    if (x < 0 || y < 0 || x >= m->width || y >= m->height)
        return 0.0f;
    return m->cover[(size_t)y * mask_stride(m) + (size_t)x];
}

static void fill_row(paint_canvas *canvas, const mask *m, int y, const paint_ink *ink, paint_brush brush)
{
    int left = m->left > 0 ? m->left : 0, right = m->left + m->width;
    if (right > (int)canvas->width)
        right = (int)canvas->width;
    vec2 step = paint_xy(canvas->extent.x / (float)canvas->width, canvas->extent.y / (float)canvas->height);
    for (int x = left; x < right; x++) {
        size_t i = (size_t)y * canvas->width + (size_t)x;
        float cover = mask_at(m, x, y) * brush.opacity;
        if (cover <= 0.0f)
            continue;
        vec2 at = paint_xy(canvas->origin.x + ((float)x + 0.5f) * step.x,
                           canvas->origin.y + ((float)y + 0.5f) * step.y);
        vec4 color = paint_ink_at(ink, at);
        color.a *= cover;
        canvas->pixels[i] = paint_over(canvas->pixels[i], color, brush.blend);
    }
}

void paint_fill(paint_canvas *canvas, paint_ink ink, paint_brush brush)
{
    if (canvas->path_count == 0)
        return;
    mask m = make_mask(canvas, brush.blur);
    for (int y = m.top; y < m.top + m.height; y++)
        if (y >= 0 && y < (int)canvas->height)
            fill_row(canvas, &m, y, &ink, brush);
    mmd_free(m.cover);
    canvas->path_count = 0;
}

void paint_dabs(paint_canvas *canvas, const paint_dab *dabs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        paint_ellipse(canvas, dabs[i].centre, dabs[i].radii, dabs[i].turn);
        paint_fill(canvas, paint_flat(dabs[i].rgb), dabs[i].brush);
    }
}
