/*
 * Pictures of a scene: a context and a view with every model of it, PNG files,
 * how finely they are drawn, and who each pixel belongs to.
 */
#ifndef ODORI_DRAW_H
#define ODORI_DRAW_H

#include "edit/session.h"
#include "mmd/view.h"
#include "scene/options.h"

typedef struct odori_screen {
    mmd_gpu *gpu;
    mmd_view *view;
} odori_screen;

/* Prints why nothing could be drawn: the files are well, this GPU cannot. Returns EXIT_FACILITY. */
int draw_failed(const mmd_error *error);

/* Opens a screen without a display. False: error says why. Finish it in any case. */
bool screen_open_headless(odori_screen *s, const odori_scene *scene, const mmd_log *log, mmd_error *error);

/* Opens one in the context that is current. */
bool screen_open_current(odori_screen *s, const odori_scene *scene, mmd_gpu_loader loader, const mmd_log *log,
                         mmd_error *error);

/* Says on stderr what draws, and through which context; where the log is to tell it, it has already. */
void screen_tell_context(const odori_screen *s, const mmd_log *log);

void screen_finish(odori_screen *s);

/* A picture to write. */
typedef struct screen_picture {
    uint32_t width, height;
    const char *path;
    bool fast;                   /* compressed less: for pictures that are only a step to a video */
    bool bar;                    /* a progress bar of its own */
    const mmd_image_text *texts; /* chunks of the PNG */
    size_t text_count;
    bool halved; /* drawn at twice the size: as smooth as four samples, which cost software GL twice the time
                  */
} screen_picture;

/* Draws the stage and writes the picture as PNG, with alpha where the background is transparent. image is the
 * memory it is drawn to, kept from one call to the next. */
int screen_write_png(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                     const screen_picture *picture, mmd_image *image);

/* --- Quality --- */

/*
 * How finely a picture is drawn, of `shot` and `render` alike: bits a number,
 * samples a pixel (--supersample), moments a picture (--motion-blur). Without
 * any of them a picture is what it always was, byte for byte.
 */
typedef struct draw_quality {
    uint32_t bits;        /* 8 or 16 */
    uint32_t supersample; /* samples a pixel's side */
    uint32_t moments;     /* of motion blur; 1: none */
    double shutter;       /* degrees: how much of the time between two pictures it is open */
    bool has_shutter;     /* which was asked for */
} draw_quality;

draw_quality draw_quality_default(void);
option_group group_of_quality(draw_quality *quality);

/* Whether pictures are drawn as without these options. */
bool draw_quality_is_plain(const draw_quality *q);

/* What a picture's chunk (provenance.h) says of it: plain where that is nothing. interval: of draw_moment.
 * False: it is damaged. */
bool draw_quality_read(const char *chunk, draw_quality *q, double *interval);

/* What they are drawn to: memory that is used again. Zeroed: none. */
typedef struct draw_canvas {
    mmd_picture_sum sum;
    mmd_image image;     /* of 8 bits */
    mmd_image16 image16; /* of 16 */
} draw_canvas;

void draw_canvas_finish(draw_canvas *canvas);

/* A picture to draw. */
typedef struct draw_moment {
    odori_screen *screen;
    odori_session
        *session;    /* at the picture's frame; where there is motion blur it ends at the last moment */
    double interval; /* frames between two pictures */
    uint32_t width, height;
} draw_moment;

/* Draws to canvas->image, or with 16 bits canvas->image16. False: error says why. */
bool draw_picture(const draw_quality *q, const draw_moment *at, draw_canvas *canvas, mmd_error *error);

/* What was drawn, with 8 bits; of 16 the higher ones, as whoever reads such files as 8 has them. The canvas
 * keeps it, and it is the canvas's. NULL: out of memory. */
const mmd_image *draw_canvas_image(const draw_quality *q, draw_canvas *canvas);

/* The same to a PNG file. picture has the size, too. */
int draw_write_png(const draw_quality *q, const draw_moment *at, const screen_picture *picture,
                   draw_canvas *canvas);

/* --- Who each pixel belongs to --- */

/* Appends the PNG of the ids of the stage as it stands: what ids_decode reads. Errors of mmd_view_ids,
 * ids_write.
 */
mmd_status draw_ids_png(mmd_view *view, const odori_scene *scene, const mmd_view_options *options,
                        picture_size size, mmd_buffer *png, mmd_error *error);

/* Draws and writes the ids of the stage as it stands. EXIT_DONE, or the exit code of what it reported. */
int draw_write_ids(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                   const screen_picture *picture);

#endif
