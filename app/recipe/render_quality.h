/*
 * How finely a picture is drawn, of `shot` and `render` alike: bits a number,
 * samples a pixel (--supersample), moments a picture (--motion-blur). Without
 * any of them a picture is what it always was, byte for byte.
 */
#ifndef ODORI_RENDER_QUALITY_H
#define ODORI_RENDER_QUALITY_H

#include "mmd/view.h"
#include "base/options.h"
#include "screen.h"
#include "edit/session.h"

typedef struct render_quality {
    uint32_t bits;        /* 8 or 16 */
    uint32_t supersample; /* samples a pixel's side */
    uint32_t moments;     /* of motion blur; 1: none */
    double shutter;       /* degrees: how much of the time between two pictures it is open */
    bool has_shutter;     /* which was asked for */
} render_quality;

render_quality render_quality_default(void);
option_group group_of_quality(render_quality *quality);

/* Whether pictures are drawn as without these options. */
bool render_quality_is_plain(const render_quality *q);

/* What a picture's chunk (provenance.h) says of it: plain where that is nothing. interval: of render_moment.
 * False: it is damaged. */
bool render_quality_read(const char *chunk, render_quality *q, double *interval);

/* What they are drawn to: memory that is used again. Zeroed: none. */
typedef struct render_canvas {
    mmd_picture_sum sum;
    mmd_image image;     /* of 8 bits */
    mmd_image16 image16; /* of 16 */
} render_canvas;

void render_canvas_finish(render_canvas *canvas);

/* A picture to draw. */
typedef struct render_moment {
    odori_screen *screen;
    odori_session
        *session;    /* at the picture's frame; where there is motion blur it ends at the last moment */
    double interval; /* frames between two pictures */
    uint32_t width, height;
} render_moment;

/* Draws to canvas->image, or with 16 bits canvas->image16. EXIT_DONE, or the exit code of what it reported.
 */
int render_quality_draw(const render_quality *q, const render_moment *at, render_canvas *canvas);

/* What was drawn, with 8 bits; of 16 the higher ones, as whoever reads such files as 8 has them. The canvas
 * keeps it, and it is the canvas's. NULL: out of memory. */
const mmd_image *render_canvas_image(const render_quality *q, render_canvas *canvas);

/* The same to a PNG file. picture has the size, too. */
int render_quality_write_png(const render_quality *q, const render_moment *at, const screen_picture *picture,
                             render_canvas *canvas);

/*
 * The frame at which the shutter that opens at `frame` closes, at most length
 * frames later: before the camera's next cut, where it would be open over one.
 */
double render_shutter_closes(const odori_session *s, double frame, double length);

#endif
