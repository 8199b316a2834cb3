/* Shared by the files of this module. */
#ifndef MMD_GPU_INTERNAL_H
#define MMD_GPU_INTERNAL_H

#include <glad/gl.h>

#include "mmd/gpu_objects.h"
#include "mmd/memory.h"

typedef struct gpu_context gpu_context;

enum { GPU_DRAW_BUFFERS_MAX = 8, GPU_UNITS = 7 /* texture units that are used */, GPU_CACHE_SLOTS = 48 };

/* OpenGL state that is known, because it was set (cache.c). */
typedef struct gpu_cache {
    uint64_t known; /* bits, by slot */
    double values[GPU_CACHE_SLOTS][4];
    uint64_t switches_known, on; /* bits, by gpu_switch_bit */
} gpu_cache;

struct mmd_gpu {
    mmd_log log;
    mmd_gpu_info info;
    gpu_context *context; /* NULL: the caller's context */
    bool debug;           /* GL_KHR_debug is available */
    bool has_callback;    /* its messages go to debug_message of gpu.c */
    mmd_gpu_counts counts;
    bool synchronous;     /* GL_DEBUG_OUTPUT_SYNCHRONOUS was switched on */
    int32_t max_renderbuffer, max_buffer_texels;
    int32_t draw_buffers; /* GL_MAX_DRAW_BUFFERS, at most GPU_DRAW_BUFFERS_MAX */
    bool exclusive;       /* no other program draws in the context (mmd_gpu_set_exclusive) */
    gpu_cache cache;
};

/* Forget what is known of the state, or of bindings, as after the deletion of an object. */
void gpu_forget_state(mmd_gpu *gpu);
void gpu_forget_bindings(mmd_gpu *gpu);

/* Returns a number below 64 for what glEnable switches, or -1. */
int gpu_switch_bit(GLenum name);
/* Sets all switches but GL_BLEND to what drawing expects. */
void gpu_reset_switches(mmd_gpu *gpu);
/* Set pixel storage to rows without gaps, in this machine's order of bytes. */
void gpu_set_packing(void);
void gpu_set_unpacking(void);

/*
 * Creates a context without a display, makes it current and sets *kind to its name. choice is as for
 * mmd_gpu_create_on, or NULL. Fails with MMD_ERROR_NO_CONTEXT; the error explains why each way failed.
 */
mmd_status gpu_context_create(const char *choice, const mmd_log *log, gpu_context **context,
                              const char **kind, mmd_error *error);

/* Makes a context current on this thread unless it is. Returns false if the driver does not allow that, as
 * when it is current on another thread. */
bool gpu_context_make_current(const gpu_context *context);

/* Destroys a context (NULL is allowed). Another one that is current stays so. */
void gpu_context_destroy(gpu_context *context);
mmd_gpu_function gpu_context_load(const char *name);

/* Returns a time in seconds, for measurements only. */
double gpu_seconds(void);

/* Names an object for debug tools. kind is OpenGL's, such as GL_BUFFER. */
void gpu_label(const mmd_gpu *gpu, GLenum kind, GLuint object, const char *label);

#endif
