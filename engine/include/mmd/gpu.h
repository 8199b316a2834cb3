/*
 * OpenGL 3.3 core contexts: one of its own without a display, or the current one of a window. A mmd_gpu may
 * only be used by the thread whose context is current.
 */
#ifndef MMD_GPU_H
#define MMD_GPU_H

#include <stdbool.h>

#include "mmd/log.h"
#include "mmd/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mmd_gpu mmd_gpu;

typedef void (*mmd_gpu_function)(void);
typedef mmd_gpu_function (*mmd_gpu_loader)(const char *name);

/*
 * Creates an offscreen context through EGL (a device that is a GPU, else surfaceless, else a software device,
 * else a pbuffer), on Windows through WGL (a hidden window of this thread), and makes it current. GPUs are
 * left out where LIBGL_ALWAYS_SOFTWARE is 1. Fails with MMD_ERROR_NO_CONTEXT and MMD_ERROR_MEMORY.
 */
mmd_status mmd_gpu_create_headless(const mmd_log *log, mmd_gpu **result, mmd_error *error);

/* Uses the current context, such as a window's, which the caller owns. Needs OpenGL 3.3 core. Messages of the
 * driver go to the log, unless the caller has set a debug callback of its own. Fails with
 * MMD_ERROR_NO_CONTEXT and MMD_ERROR_MEMORY. */
mmd_status mmd_gpu_create_current(mmd_gpu_loader loader, const mmd_log *log, mmd_gpu **result,
                                  mmd_error *error);

/* Frees the object, and the context if mmd_gpu_create_headless created it. NULL is allowed. */
void mmd_gpu_destroy(mmd_gpu *gpu);

/* Strings of the driver, the origin of the context ("egl surfaceless", "egl device", "egl pbuffer",
 * "wgl", "window"), and limits in pixels. */
typedef struct mmd_gpu_info {
    const char *vendor, *renderer, *version, *context;
    int32_t max_texture_size, max_samples, max_viewport[2];
} mmd_gpu_info;
const mmd_gpu_info *mmd_gpu_get_info(const mmd_gpu *gpu);

/* Lowers the texture size limit, to test the behaviour of smaller GPUs. It never exceeds the real limit. */
void mmd_gpu_limit_texture_size(mmd_gpu *gpu, int32_t size);

/*
 * The OpenGL state that this library changes, for a program that draws by itself in the same context.
 *
 * No function of the library depends on state that the program has set: each sets what it needs. While one is
 * called, no transform feedback, conditional rendering or query of samples or primitives may be active. What
 * the library sets stays as it is when a function returns. That is:
 *
 * - bindings: program; vertex array; array, copy read, pixel pack and unpack buffers; uniform and transform
 *   feedback buffer, each with index 0; transform feedback object; both framebuffers; renderbuffer; the
 * active texture unit; in units 0 to 6 the 2D texture, the buffer texture and the sampler;
 * - tests and masks: scissor box; depth function, mask, range, bounds and clamping; stencil functions,
 *   operations and masks; colour masks; values that clear colour, depth and stencil;
 * - blending (functions, equations), logic operation, dithering, GL_FRAMEBUFFER_SRGB;
 * - viewport, culling, front faces, polygon mode and offset, clip control and distances, primitive restart,
 *   provoking vertex, rasterizer discard, smoothing, size and fading of points;
 * - multisampling, sample coverage and mask, alpha to coverage and to one, sample shading;
 * - pixel storage for packing and unpacking, clamping of colours that are read, the hint for derivatives;
 * - current values of the vertex attributes 3 and 7.
 *
 * Of what OpenGL 4 has several of (viewports, scissor boxes, blend functions of draw buffers), all are set to
 * one value, and the first is saved. States that a context does not have are left out.
 */
typedef struct mmd_gpu_state {
    int64_t values[160]; /* private */
} mmd_gpu_state;

/* Reads all of that from the driver, which may wait for its threads but not for drawing, and writes it back.
 * Objects that were deleted in between are not bound again. Allocates nothing. */
void mmd_gpu_save_state(mmd_gpu *gpu, mmd_gpu_state *state);
void mmd_gpu_restore_state(mmd_gpu *gpu, const mmd_gpu_state *state);

#ifdef __cplusplus
}
#endif

#endif
