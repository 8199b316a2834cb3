/*
 * A thin layer over the OpenGL 3.3 core of a mmd_gpu: buffers, textures, programs and targets.
 *
 * Objects are OpenGL names. 0 means none and is allowed in every destroy function. label is shown in the
 * driver's debug tools.
 */
#ifndef MMD_GPU_OBJECTS_H
#define MMD_GPU_OBJECTS_H

#include "mmd/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A device that can draw without a display. */
typedef struct mmd_gpu_device {
    char name[128], version[128]; /* of its driver: GL_RENDERER, GL_VERSION; "" if it cannot be used */
    char file[64];                /* such as "/dev/dri/card0"; "": none, or unknown */
    char problem[160];            /* why it cannot be used; "": it can */
    bool software;                /* it is the processor */
} mmd_gpu_device;

/* Lists devices in the order in which they are tried, GPUs before software, and returns their number, at most
 * max. Creates a context on each. */
size_t mmd_gpu_list_devices(mmd_gpu_device *devices, size_t max);

/*
 * Creates a context as mmd_gpu_create_headless does, on a chosen device: "software", its number in the list
 * of mmd_gpu_list_devices, or a part of its name or file in any case; NULL: the first that works. Fails also
 * where it is not there, and with WGL, which cannot choose.
 */
mmd_status mmd_gpu_create_on(const char *choice, const mmd_log *log, mmd_gpu **gpu, mmd_error *error);

/* The context of EGL or WGL that is current on a thread, with its surfaces. */
typedef struct mmd_gpu_current {
    void *display, *draw, *read, *context; /* context NULL: none */
} mmd_gpu_current;

/* Returns what is current on this thread, and makes it current again unless it was none. */
mmd_gpu_current mmd_gpu_get_current(void);
void mmd_gpu_set_current(const mmd_gpu_current *current);

/*
 * Makes the context of mmd_gpu_create_headless current on this thread, as another one may be since. Does
 * nothing with a context of the caller. Fails with MMD_ERROR_NO_CONTEXT.
 */
mmd_status mmd_gpu_make_current(mmd_gpu *gpu, mmd_error *error);

/* Mark the beginning and end of a pass for debug tools. They do nothing without GL_KHR_debug. */
void mmd_gpu_push_group(mmd_gpu *gpu, const char *name);
void mmd_gpu_pop_group(mmd_gpu *gpu);

/* Return limits: the width and height of framebuffers, and the texels of buffer textures. */
uint32_t mmd_gpu_largest_target(const mmd_gpu *gpu);
size_t mmd_gpu_largest_buffer_texture(const mmd_gpu *gpu);

/* Checks for an OpenGL error since the last check. Fails with MMD_ERROR_GL and `doing`, a description of the
 * current work. */
mmd_status mmd_gpu_check(mmd_gpu *gpu, const char *doing, mmd_error *error);

/*
 * Begins a call of a program that may have drawn by itself in the context since: forgets what the state was,
 * and discards errors that the program has left, with a warning, so that they are not taken for the
 * library's. Every function that uses the functions below is reached through one that calls this first.
 */
void mmd_gpu_enter(mmd_gpu *gpu);

/* Tells that nobody else draws in the context, which mmd_gpu_create_headless has made: mmd_gpu_enter then
 * does nothing, so that state stays known from one frame to the next. */
void mmd_gpu_set_exclusive(mmd_gpu *gpu);
bool mmd_gpu_is_exclusive(const mmd_gpu *gpu);

/* Sets all state of mmd_gpu_state but bindings and pixel storage to OpenGL's defaults, with a depth test
 * (less or equal), sizes of points that shaders set, and no dithering. */
void mmd_gpu_reset_state(mmd_gpu *gpu);

/*
 * Set state, unless it is known to be like that. No other code sets this state while the library draws.
 * Functions, faces and switches are OpenGL's names; texture units go from 0 to 6.
 */
void mmd_gpu_use_program(mmd_gpu *gpu, uint32_t program);
void mmd_gpu_bind_array(mmd_gpu *gpu, uint32_t array);
void mmd_gpu_bind_texture(mmd_gpu *gpu, uint32_t unit, uint32_t texture, uint32_t sampler);
void mmd_gpu_bind_buffer_texture(mmd_gpu *gpu, uint32_t unit, uint32_t texture);
/* Bind a texture in unit 0, and make that the active one, for changes of its contents. */
void mmd_gpu_edit_texture(mmd_gpu *gpu, uint32_t texture);
void mmd_gpu_edit_buffer_texture(mmd_gpu *gpu, uint32_t texture);
/* Unbinds program, vertex array and samplers, and makes unit 0 the active one. */
void mmd_gpu_leave_bindings(mmd_gpu *gpu);
/* Switches what glEnable does, if it is a part of mmd_gpu_state. */
void mmd_gpu_switch(mmd_gpu *gpu, uint32_t name, bool on);
void mmd_gpu_blend_function(mmd_gpu *gpu, uint32_t from, uint32_t to, uint32_t from_alpha, uint32_t to_alpha);
void mmd_gpu_depth_function(mmd_gpu *gpu, uint32_t function);
void mmd_gpu_write_depth(mmd_gpu *gpu, bool write);
void mmd_gpu_depth_range(mmd_gpu *gpu, double near, double far);
/* Sets what glClear writes: a colour unless it is NULL, the depth, and 0 for stencils. */
void mmd_gpu_clear_values(mmd_gpu *gpu, const float rgba[4], double depth);
/* Sets the test of stencils, with these bits as reference and mask, and what is done where depth passes, too.
 */
void mmd_gpu_stencil(mmd_gpu *gpu, uint32_t function, uint32_t bits, uint32_t pass);
void mmd_gpu_write_stencil(mmd_gpu *gpu, uint32_t bits);
void mmd_gpu_cull(mmd_gpu *gpu, uint32_t face);
void mmd_gpu_front_face(mmd_gpu *gpu, uint32_t order);
void mmd_gpu_viewport(mmd_gpu *gpu, int32_t left, int32_t bottom, int32_t width, int32_t height);
/* Sets the scissor box and switches its test on. */
void mmd_gpu_scissor(mmd_gpu *gpu, int32_t left, int32_t bottom, int32_t width, int32_t height);
void mmd_gpu_polygon_offset(mmd_gpu *gpu, float factor, float units);
/* Lets all colours be written, or nothing in other draw buffers than the first, as for shaders that have one
 * output. */
void mmd_gpu_write_colors(mmd_gpu *gpu);
void mmd_gpu_mask_other_buffers(mmd_gpu *gpu);

/* Returns whether glClipControl exists, so that depth can go from 0 to 1 in clip space. */
bool mmd_gpu_has_clip_control(const mmd_gpu *gpu);

/* Sets whether depth goes from 0 to 1 in clip space, or from -1 to 1 as after mmd_gpu_reset_state. 0 to 1
 * needs mmd_gpu_has_clip_control. */
void mmd_gpu_zero_to_one_depth(mmd_gpu *gpu, bool zero_to_one);

/* Prepare glReadPixels and glTexImage2D: rows without gaps, memory instead of a buffer, values not clamped.
 */
void mmd_gpu_begin_read(mmd_gpu *gpu);
void mmd_gpu_begin_upload(mmd_gpu *gpu);

/* Delete a vertex array; 0 is allowed. */
void mmd_gpu_array_destroy(mmd_gpu *gpu, uint32_t array);

/* What was made in a context since it was created. What was destroyed counts, too. */
typedef struct mmd_gpu_counts {
    uint64_t texture_bytes, buffer_bytes;
    uint32_t programs;
    double program_seconds; /* in which they were compiled and linked */
} mmd_gpu_counts;

mmd_gpu_counts mmd_gpu_get_counts(const mmd_gpu *gpu);

/* Waits until the GPU has finished. */
void mmd_gpu_finish(mmd_gpu *gpu);

typedef struct mmd_gpu_buffer_desc {
    const void *data; /* NULL: uninitialised */
    size_t size;
    bool gpu_written; /* a target of transform feedback */
    const char *label;
} mmd_gpu_buffer_desc;
/* Creates a buffer. Fails with MMD_ERROR_GL. */
mmd_status mmd_gpu_buffer_create(mmd_gpu *gpu, const mmd_gpu_buffer_desc *desc, uint32_t *buffer,
                                 mmd_error *error);
void mmd_gpu_buffer_destroy(mmd_gpu *gpu, uint32_t buffer);
/* Copies size bytes from an offset in the buffer to data. Waits for the GPU. */
void mmd_gpu_buffer_read(mmd_gpu *gpu, uint32_t buffer, size_t offset, size_t size, void *data);

typedef enum mmd_gpu_format { MMD_GPU_RGBA8, MMD_GPU_RGBA32F, MMD_GPU_R32F } mmd_gpu_format;

/* Writes tightly packed rows of a texture, RGBA with 8 bits each. Called for the first rows first. */
typedef void mmd_gpu_rows(void *user, uint32_t first, uint32_t count, uint8_t *to);

typedef struct mmd_gpu_texture_desc {
    uint32_t width, height;
    mmd_gpu_format format;
    const void *data;   /* tightly packed rows, the row for v = 0 first; NULL: uninitialised, or made by: */
    mmd_gpu_rows *rows; /* of RGBA8 whose sides are powers of two; NULL: none */
    void *rows_user;    /* its argument */
    bool mipmaps;
    const char *label;
} mmd_gpu_texture_desc;

/*
 * Creates a texture. Fails with MMD_ERROR_LIMIT if it is larger than the GPU allows, with MMD_ERROR_MEMORY
 * and with MMD_ERROR_GL.
 */
mmd_status mmd_gpu_texture_create(mmd_gpu *gpu, const mmd_gpu_texture_desc *desc, uint32_t *texture,
                                  mmd_error *error);
void mmd_gpu_texture_destroy(mmd_gpu *gpu, uint32_t texture);
/* Replaces the first height rows of a texture of the given width and format. */
void mmd_gpu_texture_update(mmd_gpu *gpu, uint32_t texture, mmd_gpu_format format, uint32_t width,
                            uint32_t height, const void *data);

/* A shader source file: its name for messages and its text. */
typedef struct mmd_gpu_source {
    const char *name, *text;
} mmd_gpu_source;

/* A shader stage: the main file, which starts with #version, and files inserted after that line. */
typedef struct mmd_gpu_shader_stage {
    mmd_gpu_source main;
    const mmd_gpu_source *parts;
    size_t part_count;
} mmd_gpu_shader_stage;

typedef struct mmd_gpu_program_desc {
    mmd_gpu_shader_stage vertex;
    mmd_gpu_shader_stage geometry; /* main.text NULL: none */
    mmd_gpu_shader_stage fragment; /* main.text NULL: a program for transform feedback only */
    const char *defines;           /* lines inserted after #version; may be NULL */
    const char *const *captured;   /* names of interleaved transform feedback outputs */
    size_t captured_count;
    const char *label;
} mmd_gpu_program_desc;
/*
 * Compiles and links a program. Fails with MMD_ERROR_GL; the driver's messages go to the log with file names
 * and lines. To let a driver work on several programs at once, begin all before the first one is finished:
 * mmd_gpu_program_begin asks the driver for nothing and returns 0 if there is no program, and
 * mmd_gpu_program_finish waits, and fails likewise, with *program destroyed and 0. Both take the same desc.
 */
uint32_t mmd_gpu_program_begin(mmd_gpu *gpu, const mmd_gpu_program_desc *desc);
mmd_status mmd_gpu_program_finish(mmd_gpu *gpu, const mmd_gpu_program_desc *desc, uint32_t *program,
                                  mmd_error *error);
mmd_status mmd_gpu_program_create(mmd_gpu *gpu, const mmd_gpu_program_desc *desc, uint32_t *program,
                                  mmd_error *error);
void mmd_gpu_program_destroy(mmd_gpu *gpu, uint32_t program);

/* A framebuffer with colour, depth and stencil that can be drawn to and read. Zeroed is valid and empty. */
typedef struct mmd_gpu_target {
    uint32_t framebuffer;            /* framebuffer to draw to */
    uint32_t color, depth;           /* renderbuffers: RGBA8 (RGBA16 if deep), depth 24 stencil 8 */
    uint32_t resolve, resolve_color; /* only with multisampling */
    uint32_t width, height, samples;
    bool deep; /* 16 bits per colour channel */
} mmd_gpu_target;
/* Resizes the target, or does nothing if it has this size. samples is limited to what the GPU allows. Fails
 * with MMD_ERROR_LIMIT and MMD_ERROR_GL. */
mmd_status mmd_gpu_target_resize(mmd_gpu *gpu, mmd_gpu_target *target, uint32_t width, uint32_t height,
                                 uint32_t samples, mmd_error *error);
/* Resizes the target likewise with 16 bits per colour channel, for a finer quantisation of blending. The
 * range stays 0 to 1. */
mmd_status mmd_gpu_target_resize_deep(mmd_gpu *gpu, mmd_gpu_target *target, uint32_t width, uint32_t height,
                                      uint32_t samples, mmd_error *error);
void mmd_gpu_target_finish(mmd_gpu *gpu, mmd_gpu_target *target);
/*
 * mmd_gpu_target_copy_from copies the colours of a framebuffer (0: the window's) to a target without
 * multisampling, resolved to one colour per pixel. mmd_gpu_target_copy_to copies them back, to all samples of
 * a pixel. Both have the target's size. Fail with MMD_ERROR_GL if the driver cannot copy between the two
 * formats.
 */
mmd_status mmd_gpu_target_copy_from(mmd_gpu *gpu, const mmd_gpu_target *target, uint32_t framebuffer,
                                    mmd_error *error);
mmd_status mmd_gpu_target_copy_to(mmd_gpu *gpu, const mmd_gpu_target *target, uint32_t framebuffer,
                                  mmd_error *error);
/* Reads the colours, bottom row first, four bytes per pixel. Waits for the GPU. */
void mmd_gpu_target_read(mmd_gpu *gpu, const mmd_gpu_target *target, uint8_t *rgba);
/* Reads the colours of a deep target likewise, four 16-bit numbers per pixel. */
void mmd_gpu_target_read_deep(mmd_gpu *gpu, const mmd_gpu_target *target, uint16_t *rgba);

/* Colours on their way from a target to memory. Zeroed is valid and empty. */
typedef struct mmd_gpu_readback {
    uint32_t buffer; /* pixel buffer object */
    size_t size;     /* bytes */
} mmd_gpu_readback;
/* Begins to read the colours of a target that is not deep, without waiting. The target may be drawn to at
 * once. Fails with MMD_ERROR_GL. */
mmd_status mmd_gpu_target_read_begin(mmd_gpu *gpu, const mmd_gpu_target *target, mmd_gpu_readback *readback,
                                     mmd_error *error);
/* Waits for the colours, as of mmd_gpu_target_read, and returns them until mmd_gpu_readback_unmap. Returns
 * NULL if the driver cannot give them. */
const uint8_t *mmd_gpu_readback_map(mmd_gpu *gpu, const mmd_gpu_readback *readback);
/* Ends the use of the colours. Returns false if the driver lost them meanwhile. */
bool mmd_gpu_readback_unmap(mmd_gpu *gpu, const mmd_gpu_readback *readback);
void mmd_gpu_readback_finish(mmd_gpu *gpu, mmd_gpu_readback *readback);

#ifdef __cplusplus
}
#endif

#endif
