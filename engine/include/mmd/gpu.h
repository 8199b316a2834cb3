/*
 * OpenGL 3.3 core behind descriptions: a context, buffers, textures, programs,
 * targets. A mmd_gpu belongs to the thread whose context is current.
 */
#ifndef MMD_GPU_H
#define MMD_GPU_H

#include "mmd/log.h"
#include "mmd/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mmd_gpu mmd_gpu;

typedef void (*mmd_gpu_function)(void);
typedef mmd_gpu_function (*mmd_gpu_loader)(const char *name);

/*
 * A context of our own without any display, through EGL: surfaceless, else a
 * device, else a pbuffer; it is made current. MMD_ERROR_NO_CONTEXT, MMD_ERROR_GL.
 */
mmd_status mmd_gpu_create_headless(const mmd_log *log, mmd_gpu **result, mmd_error *error);

/* Uses the context that is current (a window's), which the caller owns. Needs GL 3.3 core. */
mmd_status mmd_gpu_create_current(mmd_gpu_loader loader, const mmd_log *log, mmd_gpu **result,
                                  mmd_error *error);

/* Frees it, and the context if it made it. NULL is allowed. */
void mmd_gpu_destroy(mmd_gpu *gpu);

/* Texts of the driver, and how the context was made ("egl surfaceless", "egl device", "egl pbuffer",
 * "window"). */
typedef struct mmd_gpu_info {
    const char *vendor, *renderer, *version, *context;
    int32_t max_texture_size, max_samples, max_viewport[2];
} mmd_gpu_info;
const mmd_gpu_info *mmd_gpu_get_info(const mmd_gpu *gpu);

/* Pretends that textures may be at most this large (but never larger than they can be): to try what a smaller
 * GPU does. */
void mmd_gpu_limit_texture_size(mmd_gpu *gpu, int32_t size);

/*
 * Objects of the GPU are plain numbers, OpenGL's own names; 0 is none, and may
 * be given to every destroy function. label reaches the driver's debug tools.
 */

/* Brackets a pass for debug tools; does nothing where GL_KHR_debug is missing. */
void mmd_gpu_push_group(mmd_gpu *gpu, const char *name);
void mmd_gpu_pop_group(mmd_gpu *gpu);

/* Asks OpenGL whether anything failed since the last check. MMD_ERROR_GL, with what was being done. */
mmd_status mmd_gpu_check(mmd_gpu *gpu, const char *doing, mmd_error *error);

/* Waits until everything has been drawn. */
void mmd_gpu_finish(mmd_gpu *gpu);

typedef struct mmd_gpu_buffer_desc {
    const void *data; /* NULL: not filled */
    size_t size;
    bool indices;     /* an element buffer */
    bool gpu_written; /* a target of transform feedback */
    const char *label;
} mmd_gpu_buffer_desc;
mmd_status mmd_gpu_buffer_create(mmd_gpu *gpu, const mmd_gpu_buffer_desc *desc, uint32_t *buffer,
                                 mmd_error *error);
void mmd_gpu_buffer_destroy(mmd_gpu *gpu, uint32_t buffer);
/* Copies size bytes from offset on; waits for the GPU. */
void mmd_gpu_buffer_read(mmd_gpu *gpu, uint32_t buffer, size_t offset, size_t size, void *data);

typedef enum mmd_gpu_format { MMD_GPU_RGBA8, MMD_GPU_RGBA32F, MMD_GPU_R32F } mmd_gpu_format;

typedef struct mmd_gpu_texture_desc {
    uint32_t width, height;
    mmd_gpu_format format;
    const void *data; /* rows one after the other without gaps, the row for v = 0 first; NULL: not filled */
    bool mipmaps;
    const char *label;
} mmd_gpu_texture_desc;
/* MMD_ERROR_LIMIT if larger than the GPU can have, MMD_ERROR_GL. */
mmd_status mmd_gpu_texture_create(mmd_gpu *gpu, const mmd_gpu_texture_desc *desc, uint32_t *texture,
                                  mmd_error *error);
void mmd_gpu_texture_destroy(mmd_gpu *gpu, uint32_t texture);
/* Replaces the first height rows, whole. */
void mmd_gpu_texture_update(mmd_gpu *gpu, uint32_t texture, mmd_gpu_format format, uint32_t width,
                            uint32_t height, const void *data);

/* A piece of a shader: a file and its text. */
typedef struct mmd_gpu_source {
    const char *name, *text;
} mmd_gpu_source;

/* A stage: its main file, which starts with #version, and files put before the rest of it. */
typedef struct mmd_gpu_stage {
    mmd_gpu_source main;
    const mmd_gpu_source *parts;
    size_t part_count;
} mmd_gpu_stage;

typedef struct mmd_gpu_program_desc {
    mmd_gpu_stage vertex, fragment; /* fragment.main.text NULL: for transform feedback only */
    const char *defines;            /* lines put behind #version; may be NULL */
    const char *const *captured;    /* outputs for transform feedback, interleaved */
    size_t captured_count;
    const char *label;
} mmd_gpu_program_desc;
/* MMD_ERROR_GL; the driver's messages go to the log with file names and lines. */
mmd_status mmd_gpu_program_create(mmd_gpu *gpu, const mmd_gpu_program_desc *desc, uint32_t *program,
                                  mmd_error *error);
void mmd_gpu_program_destroy(mmd_gpu *gpu, uint32_t program);

/* A picture to draw to, with depth and stencil, and the means to read it. Zeroed is valid and empty. */
typedef struct mmd_gpu_target {
    uint32_t framebuffer;            /* to draw to */
    uint32_t color, depth;           /* renderbuffers: RGBA8, depth 24 stencil 8 */
    uint32_t resolve, resolve_color; /* only with samples */
    uint32_t width, height, samples;
    bool deep; /* colours are RGBA16 */
} mmd_gpu_target;
/* Makes it this large; does nothing if it is already. samples are cut to what there can be. MMD_ERROR_LIMIT,
 * MMD_ERROR_GL. */
mmd_status mmd_gpu_target_resize(mmd_gpu *gpu, mmd_gpu_target *target, uint32_t width, uint32_t height,
                                 uint32_t samples, mmd_error *error);
/* The same with 16 bits a colour, 0 to 1 too: all arithmetic of blending is the same, its steps are finer. */
mmd_status mmd_gpu_target_resize_deep(mmd_gpu *gpu, mmd_gpu_target *target, uint32_t width, uint32_t height,
                                      uint32_t samples, mmd_error *error);
void mmd_gpu_target_finish(mmd_gpu *gpu, mmd_gpu_target *target);
/*
 * Copies the colours of a framebuffer (0: the window's) to a target without
 * samples, as one colour a pixel; or back, to all samples of a pixel. Both are
 * of the target's size. MMD_ERROR_GL: the driver copies no such.
 */
mmd_status mmd_gpu_target_keep(mmd_gpu *gpu, const mmd_gpu_target *target, uint32_t framebuffer,
                               mmd_error *error);
mmd_status mmd_gpu_target_show(mmd_gpu *gpu, const mmd_gpu_target *target, uint32_t framebuffer,
                               mmd_error *error);
/* Reads the colours, bottom row first, four bytes a pixel; waits for the GPU. */
void mmd_gpu_target_read(mmd_gpu *gpu, const mmd_gpu_target *target, uint8_t *rgba);
/* The same of a deep one: four numbers of 16 bits a pixel. */
void mmd_gpu_target_read_deep(mmd_gpu *gpu, const mmd_gpu_target *target, uint16_t *rgba);

#ifdef __cplusplus
}
#endif

#endif
