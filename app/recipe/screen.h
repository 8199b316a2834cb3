/* The GPU side of a scene: a context, a view, every model of the scene in it. */
#ifndef ODORI_SCREEN_H
#define ODORI_SCREEN_H

#include "mmd/view.h"
#include "scene/scene.h"

typedef struct odori_screen {
    mmd_gpu *gpu;
    mmd_view *view;
} odori_screen;

/* A screen without a display; EXIT_DONE, or the exit code of what it reported. Finish it in any case. */
int screen_open_headless(odori_screen *s, const odori_scene *scene, const mmd_log *log);

/* A screen in the context that is current. */
int screen_open_current(odori_screen *s, const odori_scene *scene, mmd_gpu_loader loader, const mmd_log *log);

/* Says on stderr what draws, and through which context; where the log is to tell it, it has already. */
void screen_tell_context(const odori_screen *s, const mmd_log *log);

void screen_finish(odori_screen *s);

/* A picture to write. */
typedef struct screen_picture {
    uint32_t width, height;
    const char *path;
    bool fast;   /* compressed less: for pictures that are only a step to a video */
    bool bar;    /* a progress bar of its own */
    const mmd_image_text *texts; /* chunks of the PNG */
    size_t text_count;
    bool halved; /* drawn at twice the size: as smooth as four samples, which cost software GL twice the time
                  */
} screen_picture;

/* Draws the stage and writes the picture as PNG, with alpha where the background is transparent. image is the
 * memory it is drawn to, kept from one call to the next. */
int screen_write_png(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                     const screen_picture *picture, mmd_image *image);

#endif
