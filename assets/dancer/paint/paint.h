/*
 * A small painting kit for textures.
 *
 * A canvas holds float RGBA with straight alpha, in gamma space, as painters mix colours: the values are
 * those of the file. Lengths are in the painter's own units: paint_view defines what the picture shows, so
 * that a face is painted in the model's units and a skirt in turns around the waist. y points down unless the
 * view flips it.
 *
 * As in PostScript, a path (which may have several outlines) is built first and then consumed by paint_fill:
 *
 *     paint_ellipse(c, paint_xy(0, 0), paint_xy(1, 1), 0);
 *     paint_fill(c, paint_flat(0xE9807A), paint_with(PAINT_NORMAL, 1, 0));
 *
 * A blurred fill is a soft brush: blush, cast shadows and glows are blurred ellipses. On a canvas that tiles,
 * what crosses a border continues at the opposite one.
 */
#ifndef DANCER_PAINT_H
#define DANCER_PAINT_H

#include "mmd/memory.h"
#include "vector.h"

enum { PAINT_STOPS = 6 };

typedef struct paint_segment {
    vec2 from, to;
} paint_segment;

typedef struct paint_canvas {
    uint32_t width, height;
    vec4 *pixels;        /* top row first */
    vec2 origin, extent; /* upper left corner and size of the picture in the painter's units */
    bool tile_x, tile_y; /* the picture repeats without a seam */
    paint_segment *path; /* in the painter's units */
    uint32_t path_count, path_capacity;
    vec2 start, pen; /* start and current point of the current outline */
} paint_canvas;

/* How a fill combines with what is below. */
typedef enum paint_blend { PAINT_NORMAL, PAINT_MULTIPLY, PAINT_SCREEN } paint_blend;

typedef struct paint_brush {
    paint_blend blend;
    float opacity;
    float blur; /* standard deviation in the painter's units; 0 for a crisp, antialiased edge */
} paint_brush;

static inline paint_brush paint_with(paint_blend blend, float opacity, float blur)
{
    return (paint_brush){blend, opacity, blur};
}

/* A colour of a gradient; places ascend from 0 to 1. */
typedef struct paint_stop {
    float place;
    uint32_t rgb;
    float alpha;
} paint_stop;

typedef enum paint_ink_kind { PAINT_LINEAR, PAINT_RADIAL, PAINT_PATTERN } paint_ink_kind;

/* What a fill consists of: a gradient (with a single stop a flat colour), or a repeated picture. */
typedef struct paint_ink {
    paint_ink_kind kind;
    vec2 from,
        to; /* linear: positions of 0 and 1; radial: centre and radii; pattern: corner and size of a cell */
    uint32_t stop_count;
    paint_stop stops[PAINT_STOPS];
    const paint_canvas *pattern;
} paint_ink;

static inline vec2 paint_xy(float x, float y)
{
    return (vec2){{x, y}};
}

/* Returns the colour 0xRRGGBB. */
vec4 paint_rgb(uint32_t rgb);
/* Interpolates from a to b, each channel linearly. */
vec4 paint_mix(vec4 a, vec4 b, float t);

paint_ink paint_flat(uint32_t rgb);
/* Return a gradient of two opaque colours. */
paint_ink paint_linear(vec2 from, uint32_t first, vec2 to, uint32_t last);
/* Returns a gradient of 1 to PAINT_STOPS stops. */
paint_ink paint_gradient(paint_ink_kind kind, vec2 from, vec2 to, const paint_stop *stops, uint32_t count);
/* Returns a pattern that repeats a canvas in cells of the given size. */
paint_ink paint_pattern(const paint_canvas *cell, vec2 corner, vec2 size);
/* Returns an ink's colour at a point. */
vec4 paint_ink_at(const paint_ink *ink, vec2 at);

/* Initialises an opaque canvas of one colour that shows (0, 0) to (1, 1) and does not tile. */
void paint_canvas_init(paint_canvas *canvas, uint32_t width, uint32_t height, uint32_t rgb);
void paint_canvas_finish(paint_canvas *canvas);
/* Sets what the picture shows from now on. */
void paint_view(paint_canvas *canvas, vec2 upper_left, vec2 lower_right);

/* Build outlines, which are closed automatically. */
void paint_move(paint_canvas *canvas, vec2 to);
void paint_line(paint_canvas *canvas, vec2 to);
void paint_curve(paint_canvas *canvas, vec2 control, vec2 other_control, vec2 to);
void paint_polygon(paint_canvas *canvas, const vec2 *points, size_t count);
/* turn is in radians from x to y. With a negative radius the outline runs backwards and cuts a hole. */
void paint_ellipse(paint_canvas *canvas, vec2 centre, vec2 radii, float turn);
void paint_box(paint_canvas *canvas, vec2 corner, vec2 opposite, float radius);
/*
 * Adds a band across the whole width between two heights. Its ends are outside, or meet if the canvas tiles.
 */
void paint_band(paint_canvas *canvas, float top, float bottom);
/* Adds a brush stroke along a cubic Bézier curve, with widths at the start, middle and end. */
void paint_stroke(paint_canvas *canvas, const vec2 curve[4], vec3 widths);

/* Fills the path and clears it. Overlapping outlines count once (except at their edges). */
void paint_fill(paint_canvas *canvas, paint_ink ink, paint_brush brush);

/* A filled ellipse. Most soft pictures are tables of them. */
typedef struct paint_dab {
    vec2 centre, radii;
    float turn;
    uint32_t rgb;
    paint_brush brush;
} paint_dab;
void paint_dabs(paint_canvas *canvas, const paint_dab *dabs, size_t count);

/* Replaces each pixel by a function of its position and colour. */
typedef vec4 paint_shader(vec2 at, vec4 under, const void *user);
void paint_each(paint_canvas *canvas, paint_shader *shader, const void *user);

/* Combines a colour with the one below. */
vec4 paint_over(vec4 under, vec4 over, paint_blend blend);

/* Returns a number from 0 to 1 that depends only on these two. */
float paint_random(uint32_t seed, uint32_t number);
/* Returns smooth noise from 0 to 1 that repeats after `period` in x. */
float paint_noise(float x, uint32_t period, uint32_t seed);

/* Appends the canvas as PNG, with an alpha channel if a pixel needs it. */
void paint_png(const paint_canvas *canvas, mmd_buffer *out);

#endif
