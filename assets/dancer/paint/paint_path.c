/* Outlines, flattened into straight segments while they are drawn. */
#include "paint.h"

#include "tool.h"

#include <assert.h>
#include <math.h>

enum {
    CURVE_STEPS = 32, /* error for a quarter circle of 500 pixels: under a fifth of a pixel */
    ELLIPSE_STEPS = 128
};

static void add_segment(paint_canvas *canvas, vec2 from, vec2 to)
{
    *TOOL_PUSH(canvas->path, canvas->path_count, canvas->path_capacity) = (paint_segment){from, to};
}

/* The segment back to the start moves along with the pen, so that every outline is closed at any time. */
void paint_move(paint_canvas *canvas, vec2 to)
{
    canvas->start = canvas->pen = to;
    add_segment(canvas, to, to);
}

void paint_line(paint_canvas *canvas, vec2 to)
{
    assert(canvas->path_count > 0); /* paint_move must come first */
    canvas->path[canvas->path_count - 1] = (paint_segment){canvas->pen, to};
    add_segment(canvas, to, canvas->start);
    canvas->pen = to;
}

static vec2 bezier(const vec2 p[4], float t)
{
    float s = 1.0f - t;
    vec2 near = vec2_add(vec2_scale(p[0], s * s * s), vec2_scale(p[1], 3.0f * s * s * t));
    vec2 far = vec2_add(vec2_scale(p[2], 3.0f * s * t * t), vec2_scale(p[3], t * t * t));
    return vec2_add(near, far);
}

void paint_curve(paint_canvas *canvas, vec2 control, vec2 other_control, vec2 to)
{
    const vec2 curve[4] = {canvas->pen, control, other_control, to};
    for (int i = 1; i <= CURVE_STEPS; i++)
        paint_line(canvas, bezier(curve, (float)i / CURVE_STEPS));
}

void paint_polygon(paint_canvas *canvas, const vec2 *points, size_t count)
{
    assert(count >= 3);
    paint_move(canvas, points[0]);
    for (size_t i = 1; i < count; i++)
        paint_line(canvas, points[i]);
}

void paint_ellipse(paint_canvas *canvas, vec2 centre, vec2 radii, float turn)
{
    vec2 x_axis = paint_xy(mmd_cosf(turn) * radii.x, mmd_sinf(turn) * radii.x);
    vec2 y_axis = paint_xy(-mmd_sinf(turn) * radii.y, mmd_cosf(turn) * radii.y);
    for (int i = 0; i < ELLIPSE_STEPS; i++) {
        float angle = 2.0f * PI * (float)i / ELLIPSE_STEPS;
        vec2 out = vec2_add(vec2_scale(x_axis, mmd_cosf(angle)), vec2_scale(y_axis, mmd_sinf(angle)));
        vec2 at = vec2_add(centre, out);
        if (i == 0)
            paint_move(canvas, at);
        else
            paint_line(canvas, at);
    }
}

/* Draws a rounded corner from the pen towards the next side. */
static void round_corner(paint_canvas *canvas, vec2 corner, vec2 to)
{
    const float circle = 0.5523f; /* best approximation of a quarter circle by a cubic Bézier curve */
    paint_curve(canvas, vec2_lerp(canvas->pen, corner, circle), vec2_lerp(to, corner, circle), to);
}

void paint_box(paint_canvas *canvas, vec2 corner, vec2 opposite, float radius)
{
    float x0 = corner.x, y0 = corner.y, x1 = opposite.x, y1 = opposite.y, r = radius;
    paint_move(canvas, paint_xy(x0 + r, y0));
    paint_line(canvas, paint_xy(x1 - r, y0));
    round_corner(canvas, paint_xy(x1, y0), paint_xy(x1, y0 + r));
    paint_line(canvas, paint_xy(x1, y1 - r));
    round_corner(canvas, paint_xy(x1, y1), paint_xy(x1 - r, y1));
    paint_line(canvas, paint_xy(x0 + r, y1));
    round_corner(canvas, paint_xy(x0, y1), paint_xy(x0, y1 - r));
    paint_line(canvas, paint_xy(x0, y0 + r));
    round_corner(canvas, paint_xy(x0, y0), paint_xy(x0 + r, y0));
}

void paint_band(paint_canvas *canvas, float top, float bottom)
{
    float over = canvas->tile_x ? 0.0f : canvas->extent.x;
    float left = canvas->origin.x - over, right = canvas->origin.x + canvas->extent.x + over;
    paint_box(canvas, paint_xy(left, top), paint_xy(right, bottom), 0.0f);
}

/* Returns the width on a parabola through the three widths. */
static float width_at(vec3 widths, float t)
{
    float a = 2.0f * widths.x - 4.0f * widths.y + 2.0f * widths.z;
    float b = -3.0f * widths.x + 4.0f * widths.y - widths.z;
    return mmd_maxf(a * t * t + b * t + widths.x, 0.0f);
}

void paint_stroke(paint_canvas *canvas, const vec2 curve[4], vec3 widths)
{
    vec2 sides[2][CURVE_STEPS + 1];
    for (int i = 0; i <= CURVE_STEPS; i++) {
        float t = (float)i / CURVE_STEPS;
        vec2 at = bezier(curve, t);
        vec2 way = vec2_sub(bezier(curve, t + 0.01f), bezier(curve, t - 0.01f));
        vec2 across = vec2_scale(vec2_normalize(paint_xy(-way.y, way.x)), width_at(widths, t) / 2.0f);
        sides[0][i] = vec2_add(at, across);
        sides[1][CURVE_STEPS - i] = vec2_sub(at, across);
    }
    paint_polygon(canvas, sides[0], 2 * (CURVE_STEPS + 1));
}
