/*
 * OpenGL 3.3 core contexts: one of its own without a display, or the current one of a window. A mmd_gpu may
 * only be used by the thread whose context is current.
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
 * Creates an offscreen context through EGL (surfaceless, else device, else pbuffer) and makes it current.
 * Fails with MMD_ERROR_NO_CONTEXT and MMD_ERROR_MEMORY.
 */
mmd_status mmd_gpu_create_headless(const mmd_log *log, mmd_gpu **result, mmd_error *error);

/* Uses the current context, such as a window's, which the caller owns. Needs OpenGL 3.3 core. Fails with
 * MMD_ERROR_NO_CONTEXT and MMD_ERROR_MEMORY. */
mmd_status mmd_gpu_create_current(mmd_gpu_loader loader, const mmd_log *log, mmd_gpu **result,
                                  mmd_error *error);

/* Frees the object, and the context if mmd_gpu_create_headless created it. NULL is allowed. */
void mmd_gpu_destroy(mmd_gpu *gpu);

/* Strings of the driver, the origin of the context ("egl surfaceless", "egl device", "egl pbuffer",
 * "window"), and limits in pixels. */
typedef struct mmd_gpu_info {
    const char *vendor, *renderer, *version, *context;
    int32_t max_texture_size, max_samples, max_viewport[2];
} mmd_gpu_info;
const mmd_gpu_info *mmd_gpu_get_info(const mmd_gpu *gpu);

/* Lowers the texture size limit, to test the behaviour of smaller GPUs. It never exceeds the real limit. */
void mmd_gpu_limit_texture_size(mmd_gpu *gpu, int32_t size);

#ifdef __cplusplus
}
#endif

#endif
