/*
 * A small painting kit: what a painter of textures needs and no more.
 *
 * A canvas holds float RGBA, straight (not premultiplied), in gamma space:
 * the numbers are those of the file, as painters mix them. Lengths are in the
 * painter's own units: paint_view says what the picture shows, so that a face
 * is painted in the model's units and a skirt in turns round the waist. y runs
 * down the picture unless the view turns it over.
 *
 * As in PostScript a path is built first (several outlines may be in it), then
 * used up by paint_fill:
 *
 *     paint_ellipse(c, paint_xy(0, 0), paint_xy(1, 1), 0);
 *     paint_fill(c, paint_flat(0xE9807A), paint_with(PAINT_NORMAL, 1, 0));
 *
 * A blurred fill is a soft brush: blush, cast shadows and glows are blurred
 * ellipses. Where a canvas tiles, what runs over a border comes back at the
 * other side.
 */
#ifndef DANCER_PAINT_H
#define DANCER_PAINT_H

#include "mmd/cursor.h"

#include <cglm/struct.h>

enum { PAINT_STOPS = 6 };

typedef struct paint_segment {
    vec2s from, to;
} paint_segment;

typedef struct paint_canvas {
    uint32_t width, height;
    vec4s *pixels;        /* top row first */
    vec2s origin, extent; /* the picture's upper left corner and its size in the painter's units */
    bool tile_x, tile_y;  /* the picture repeats without a seam */
    paint_segment *path;  /* in the painter's units */
    uint32_t path_count, path_capacity;
    vec2s start, pen; /* of the outline being drawn */
} paint_canvas;

/* How a fill meets what is there already. */
typedef enum paint_blend { PAINT_NORMAL, PAINT_MULTIPLY, PAINT_SCREEN } paint_blend;

typedef struct paint_brush {
    paint_blend blend;
    float opacity;
    float blur; /* standard deviation in the painter's units; 0: a crisp, antialiased edge */
} paint_brush;

static inline paint_brush paint_with(paint_blend blend, float opacity, float blur)
{
    return (paint_brush){blend, opacity, blur};
}

/* A colour on the way of a gradient; places rise from 0 to 1. */
typedef struct paint_stop {
    float place;
    uint32_t rgb;
    float alpha;
} paint_stop;

typedef enum paint_ink_kind { PAINT_LINEAR, PAINT_RADIAL, PAINT_PATTERN } paint_ink_kind;

/* What a fill is made of: a gradient (of one stop: a flat colour), or a repeated picture. */
typedef struct paint_ink {
    paint_ink_kind kind;
    vec2s from,
        to; /* linear: where 0 and 1 lie; radial: centre and radii; pattern: a corner and a cell's size */
    uint32_t stop_count;
    paint_stop stops[PAINT_STOPS];
    const paint_canvas *pattern;
} paint_ink;

static inline vec2s paint_xy(float x, float y)
{
    return (vec2s){{x, y}};
}

/* 0xRRGGBB as a colour. */
vec4s paint_rgb(uint32_t rgb);
/* From a to b, each channel alike. */
vec4s paint_mix(vec4s a, vec4s b, float t);

paint_ink paint_flat(uint32_t rgb);
/* Two colours, opaque. */
paint_ink paint_linear(vec2s from, uint32_t first, vec2s to, uint32_t last);
/* Any gradient of 1 to PAINT_STOPS stops. */
paint_ink paint_gradient(paint_ink_kind kind, vec2s from, vec2s to, const paint_stop *stops, uint32_t count);
/* The other canvas over and over, one cell of the given size beside the next. */
paint_ink paint_pattern(const paint_canvas *cell, vec2s corner, vec2s size);
/* An ink's colour at a point. */
vec4s paint_ink_at(const paint_ink *ink, vec2s at);

/* An opaque canvas of one colour that shows (0, 0) to (1, 1) and does not tile. */
void paint_canvas_init(paint_canvas *canvas, uint32_t width, uint32_t height, uint32_t rgb);
void paint_canvas_finish(paint_canvas *canvas);
/* What the picture shows from now on. */
void paint_view(paint_canvas *canvas, vec2s upper_left, vec2s lower_right);

/* Outlines; each closes itself. */
void paint_move(paint_canvas *canvas, vec2s to);
void paint_line(paint_canvas *canvas, vec2s to);
void paint_curve(paint_canvas *canvas, vec2s control, vec2s other_control, vec2s to);
void paint_polygon(paint_canvas *canvas, const vec2s *points, size_t count);
/* turn in radians from x to y. With a negative radius it runs the other way: a hole in what is around it. */
void paint_ellipse(paint_canvas *canvas, vec2s centre, vec2s radii, float turn);
void paint_box(paint_canvas *canvas, vec2s corner, vec2s opposite, float radius);
/* Across the whole width, from y to y: its ends lie outside, or meet where the canvas tiles. */
void paint_band(paint_canvas *canvas, float top, float bottom);
/* A brush stroke along a cubic Bezier, with its width at the start, in the middle and at the end. */
void paint_stroke(paint_canvas *canvas, const vec2s curve[4], vec3s widths);

/* Fills the path and forgets it. Outlines that overlap count once (but for the edges of both). */
void paint_fill(paint_canvas *canvas, paint_ink ink, paint_brush brush);

/* One touch of the brush: a filled ellipse. Most of a soft picture is a table of these. */
typedef struct paint_dab {
    vec2s centre, radii;
    float turn;
    uint32_t rgb;
    paint_brush brush;
} paint_dab;
void paint_dabs(paint_canvas *canvas, const paint_dab *dabs, size_t count);

/* Gives each pixel what the function makes of its place and colour. */
typedef vec4s paint_shader(vec2s at, vec4s under, const void *user);
void paint_each(paint_canvas *canvas, paint_shader *shader, const void *user);

/* One colour over another. */
vec4s paint_over(vec4s under, vec4s over, paint_blend blend);

/* A number of 0 to 1 that depends on nothing but these two. */
float paint_random(uint32_t seed, uint32_t number);
/* Smooth noise of 0 to 1 with `period` random values in x = 0..period, which then repeats. */
float paint_noise(float x, uint32_t period, uint32_t seed);

/* Appends the canvas as PNG; with an alpha channel where a pixel needs it. */
void paint_png(const paint_canvas *canvas, mmd_buffer *out);

#endif
