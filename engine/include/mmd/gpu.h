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
mmd_status mmd_gpu_create_current(mmd_gpu_loader loader, const mmd_log *log, mmd_gpu **result, mmd_error *error);

/* Frees it, and the context if it made it. NULL is allowed. */
void mmd_gpu_destroy(mmd_gpu *gpu);

/* Texts of the driver, and how the context was made ("egl surfaceless", "egl device", "egl pbuffer", "window"). */
typedef struct mmd_gpu_info {
    const char *vendor, *renderer, *version, *context;
    int32_t max_texture_size, max_samples, max_viewport[2];
} mmd_gpu_info;
const mmd_gpu_info *mmd_gpu_get_info(const mmd_gpu *gpu);

#ifdef __cplusplus
}
#endif

#endif
