/* Draws pictures of a scene: an OpenGL context and a view with every model, PNG files, quality settings, id
 * pictures. */
#ifndef ODORI_DRAW_H
#define ODORI_DRAW_H

#include "edit/session.h"
#include "mmd/ids.h"
#include "mmd/view.h"
#include "scene/options.h"

/* Seconds that the steps of opening a screen took. Textures are decoded during the second and third one, too.
 */
typedef struct screen_times {
    double measure; /* finding the textures and reading their headers */
    double context;
    double view;   /* with its first programs */
    double models; /* uploading them */
} screen_times;

struct screen_models;

typedef struct odori_screen {
    mmd_gpu *gpu;
    mmd_view *view;
    mmd_texture_memory textures; /* of the models in the view */
    screen_times times;
    struct screen_models *models; /* whose textures are read or arrive; NULL: all are in the view */
} odori_screen;

/* Prints an error of drawing. Returns EXIT_FACILITY, because the input files are fine and the GPU is not. */
int draw_failed(const mmd_error *error);

/* Creates a context without a display, in which only this program draws. choice: as mmd_gpu_create_on takes
 * it, whose errors it gives, too. */
mmd_status screen_create_gpu(const char *choice, const mmd_log *log, mmd_gpu **gpu, mmd_error *error);

/* Creates such a context and a view of the scene. Returns false with the reason in error. Call screen_finish
 * in either case. */
bool screen_open_headless(odori_screen *s, const odori_scene *scene, const char *choice, const mmd_log *log,
                          mmd_error *error);

/* Creates a view in the current context, in the same way. */
bool screen_open_current(odori_screen *s, const odori_scene *scene, mmd_gpu_loader loader, const mmd_log *log,
                         mmd_error *error);

/*
 * Open a screen in steps, so that a window can show models before their textures are there. The first
 * function begins to read the textures of all models, on threads, which needs no context. The second one
 * creates a view in the current context. The third one adds the models, and uploads textures that are
 * decoded, until `seconds` have passed (INFINITY: all of them); until screen_is_complete it is called again
 * and again. *changed is set if something has come. scene and its models must exist until then, and nobody
 * else may read with the models' sources. log must outlive the screen. Return false with the reason in error.
 */
bool screen_read(odori_screen *s, const odori_scene *scene, const mmd_log *log, mmd_error *error);
bool screen_open_in_steps(odori_screen *s, mmd_gpu_loader loader, const mmd_log *log, mmd_error *error);
bool screen_arrive(odori_screen *s, double seconds, bool *changed, mmd_error *error);
bool screen_is_complete(const odori_screen *s);

/* Waits for the rest of the textures. */
bool screen_complete(odori_screen *s, mmd_error *error);

/*
 * Adds the models of a scene, and one that is not in it yet (or NULL), to a view. Their textures take up to
 * scene->texture_memory; beyond it they are drawn smaller. Returns false with the reason in error.
 */
bool screen_add_models(mmd_view *view, const odori_scene *scene, bool with_removed,
                       const mmd_view_addition *more, mmd_texture_memory *textures, mmd_error *error);

/* Returns how many threads decode the textures of a scene besides the caller's: as many as its physics may
 * have. */
uint32_t screen_threads(const odori_scene *scene);

/* Returns the limit of a scene's textures. */
mmd_texture_memory screen_texture_memory(const odori_scene *scene);

/* Writes a sentence about textures that are drawn smaller. Returns false if none is. */
bool screen_tell_textures(const mmd_texture_memory *textures, char *sentence, size_t size);

/* Prints the renderer and the kind of context on stderr, unless the log has already reported them. */
void screen_tell_context(const odori_screen *s, const mmd_log *log);

void screen_finish(odori_screen *s);

/* A PNG file to write. */
typedef struct screen_picture {
    uint32_t width, height;
    const char *path;
    int level;                   /* of compression (mmd_png_options) */
    bool bar;                    /* show a progress bar */
    const mmd_image_text *texts; /* text chunks of the PNG */
    size_t text_count;
} screen_picture;

/* Draws the stage and writes a PNG file, with alpha if the background is transparent. image is scratch memory
 * that is reused by later calls. Returns an exit code. */
int screen_write_png(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                     const screen_picture *picture, mmd_image *image);

/* --- Quality --- */

/*
 * Quality of a picture in `shot` and `render`: bits per channel, samples per pixel (--supersample) and
 * moments per picture (--motion-blur). Default values give the same bytes as pictures drawn without these
 * options.
 */
typedef struct draw_quality {
    uint32_t bits;        /* bits per channel: 8 or 16 */
    uint32_t supersample; /* samples along each side of a pixel */
    uint32_t moments;     /* moments of motion blur; 1 for none */
    double shutter; /* shutter angle in degrees: 360 is open during the whole interval between two pictures */
    int level;      /* of the compression of PNG files (mmd_png_options), which changes no pixel */
    bool has_shutter, has_level; /* --shutter, --png-level were given */
} draw_quality;

draw_quality draw_quality_default(void);
option_group group_of_quality(draw_quality *quality);

/* Tests whether all settings of which pixels depend have their default values. */
bool draw_quality_is_plain(const draw_quality *q);

/* Reads the "quality" member of a picture's chunk (provenance.h); plain settings if there is none. interval
 * is that of draw_moment. Returns false if the member is damaged. */
bool draw_quality_read(const char *chunk, draw_quality *q, double *interval);

/* Memory to draw to, reused for each picture. Valid when zeroed. */
typedef struct draw_canvas {
    mmd_picture_sum sum;
    mmd_image image;     /* result with 8 bits per channel */
    mmd_image16 image16; /* result with 16 bits per channel */
} draw_canvas;

void draw_canvas_finish(draw_canvas *canvas);

/* What to draw, and when. */
typedef struct draw_moment {
    odori_screen *screen;
    odori_session
        *session;    /* session at the picture's frame; with motion blur it is left at the last moment */
    double interval; /* frames between two pictures */
    uint32_t width, height;
} draw_moment;

/* Draws to canvas->image, or to canvas->image16 with 16 bits. Returns false with the reason in error. */
bool draw_picture(const draw_quality *q, const draw_moment *at, draw_canvas *canvas, mmd_error *error);

/* Draw in two steps, between which the next picture may be begun (mmd_view_picture_begin): with plain quality
 * the pixels are on the canvas only after the second. Return false with the reason in error. */
bool draw_begin(const draw_quality *q, const draw_moment *at, draw_canvas *canvas, mmd_error *error);
bool draw_end(const draw_quality *q, const odori_screen *screen, draw_canvas *canvas, mmd_error *error);

/* Returns the last picture with 8 bits per channel (the high bytes of 16-bit pictures, as 8-bit readers see
 * them). It belongs to the canvas. Returns NULL if out of memory. */
const mmd_image *draw_canvas_image(const draw_quality *q, draw_canvas *canvas);

/* Appends the picture that was drawn to a canvas to png. alpha: as RGBA. Uses no OpenGL and no other memory,
 * so any thread may call it. Errors of mmd_png_write. */
mmd_status draw_encode_png(const draw_quality *q, const draw_canvas *canvas, bool alpha,
                           const mmd_image_text *texts, size_t text_count, mmd_buffer *png, mmd_error *error);

/* Draws a picture and writes it as PNG. picture also holds the size. Returns an exit code. */
int draw_write_png(const draw_quality *q, const draw_moment *at, const screen_picture *picture,
                   draw_canvas *canvas);

/* --- Ids --- */

/* Draws the ids of the stage at its current frame. Errors of mmd_view_ids and mmd_ids_make. Finish the ids in
 * either case. */
mmd_status draw_ids(mmd_view *view, const odori_scene *scene, const mmd_view_options *options,
                    picture_size size, mmd_ids *ids, mmd_error *error);

/* Draws the ids and writes them to a file. Returns EXIT_DONE, or the exit code of the reported error. */
int draw_write_ids(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                   const screen_picture *picture);

/* --- Planes: depth, normals and ids as OpenEXR (files/exr.h) --- */

/* Sets kinds (EXR_DEPTH | ...) from the names of --aov. */
bool draw_set_planes(unsigned *kinds, const char *value, option_error *error);

/*
 * Draws the planes of the stage at its current frame, and writes them to the EXR file beside the picture,
 * with the picture's first text as the origin. Returns EXIT_DONE, or the exit code of the reported error.
 */
int draw_write_planes(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                      const screen_picture *picture, unsigned kinds);

#endif
