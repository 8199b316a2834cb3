/* What the files of this module share. */
#ifndef MMD_GPU_INTERNAL_H
#define MMD_GPU_INTERNAL_H

#include <glad/gl.h>

#include "mmd/gpu.h"
#include "mmd/memory.h"

typedef struct gpu_context gpu_context;

struct mmd_gpu {
    mmd_log log;
    mmd_gpu_info info;
    gpu_context *context; /* NULL: the caller's */
    bool debug;           /* GL_KHR_debug is there */
    int32_t max_renderbuffer;
};

/*
 * A context without a display, made current. kind gets its name. Fails with
 * MMD_ERROR_NO_CONTEXT and, in error, why each way was refused.
 */
mmd_status gpu_context_create(const mmd_log *log, gpu_context **context, const char **kind, mmd_error *error);
void gpu_context_destroy(gpu_context *context);
mmd_gpu_function gpu_context_load(const char *name);

void gpu_label(const mmd_gpu *gpu, GLenum kind, GLuint object, const char *label);

#endif
