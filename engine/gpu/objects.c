/* Creates buffers, textures and targets from descriptions. */
#include <assert.h>
#include <string.h>

#include "gpu_internal.h"

mmd_status mmd_gpu_buffer_create(mmd_gpu *gpu, const mmd_gpu_buffer_desc *desc, uint32_t *buffer,
                                 mmd_error *error)
{
    assert(gpu && desc && buffer);
    /* Also buffers of indices: without a vertex array, which holds it, their own target does not exist. */
    const GLenum target = GL_ARRAY_BUFFER;
    glGenBuffers(1, buffer);
    glBindBuffer(target, *buffer);
    /* Buffers of size 0 are not allowed. */
    glBufferData(target, (GLsizeiptr)(desc->size ? desc->size : 1), desc->size ? desc->data : NULL,
                 desc->gpu_written ? GL_DYNAMIC_COPY : GL_STATIC_DRAW);
    gpu->counts.buffer_bytes += desc->size;
    gpu_label(gpu, GL_BUFFER, *buffer, desc->label);
    mmd_status status = mmd_gpu_check(gpu, "creating a buffer", error);
    if (status != MMD_OK) {
        mmd_gpu_buffer_destroy(gpu, *buffer);
        *buffer = 0;
    }
    return status;
}

void mmd_gpu_buffer_destroy(mmd_gpu *gpu, uint32_t buffer)
{
    (void)gpu;
    glDeleteBuffers(1, &buffer);
}

void mmd_gpu_array_destroy(mmd_gpu *gpu, uint32_t array)
{
    glDeleteVertexArrays(1, &array);
    gpu_forget_bindings(gpu);
}

void mmd_gpu_buffer_read(mmd_gpu *gpu, uint32_t buffer, size_t offset, size_t size, void *data)
{
    (void)gpu;
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, (GLintptr)offset, (GLsizeiptr)size, data);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
}

typedef struct texture_format {
    GLint internal;
    GLenum format, type;
} texture_format;

/* Returns OpenGL's names of a format. */
static texture_format format_of(mmd_gpu_format format)
{
    switch (format) {
    case MMD_GPU_RGBA32F:
        return (texture_format){GL_RGBA32F, GL_RGBA, GL_FLOAT};
    case MMD_GPU_R32F:
        return (texture_format){GL_R32F, GL_RED, GL_FLOAT};
    default:
        return (texture_format){GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE};
    }
}

/* Returns the mean of two pixels of 4 bytes, rounded up. */
static inline uint32_t mean(uint32_t a, uint32_t b)
{
    return (a | b) - ((a ^ b) >> 1 & UINT32_C(0x7f7f7f7f));
}

static inline uint32_t load(const uint8_t *pixel)
{
    uint32_t bytes;
    memcpy(&bytes, pixel, sizeof bytes);
    return bytes;
}

/* Halves a picture in each direction in which it is larger than one pixel, by means of pixels side by side,
 * and then of rows. */
static void halve(const uint8_t *restrict from, uint32_t width, uint32_t height, uint8_t *restrict to)
{
    size_t row = 4 * (size_t)width, below = height > 1 ? row : 0;
    uint32_t columns = width > 1 ? width / 2 : 1, rows = height > 1 ? height / 2 : 1;
    for (uint32_t y = 0; y < rows; y++, from += row + below, to += 4 * (size_t)columns) {
        for (size_t x = 0; width > 1 && x < columns; x++) {
            uint32_t upper = mean(load(from + 8 * x), load(from + 8 * x + 4));
            uint32_t lower = mean(load(from + below + 8 * x), load(from + below + 8 * x + 4));
            uint32_t half = mean(upper, lower);
            memcpy(to + 4 * x, &half, sizeof half);
        }
        if (width == 1) {
            uint32_t half = mean(load(from), load(from + below));
            memcpy(to, &half, sizeof half);
        }
    }
}

static uint32_t half_of(uint32_t side)
{
    return side > 1 ? side / 2 : 1;
}

/* Returns how many bytes the smaller levels take. */
static size_t levels_size(uint32_t width, uint32_t height)
{
    size_t size = 0;
    while (width > 1 || height > 1) {
        width = half_of(width);
        height = half_of(height);
        size += 4 * (size_t)width * height;
    }
    return size;
}

/*
 * Uploads the smaller levels of the bound texture, RGBA8 with powers of two as sides. levels has room for
 * all; the largest of them is there if pixels is NULL, otherwise it is made of these.
 *
 * They are made here, so that they are the same with every driver. llvmpipe would also compile code for them
 * in each process, which it does not keep, and which takes a quarter of the time of a small picture of a
 * textured model. Its filter rounds the mean of two pixels up, as the levels made here do
 * (tests/render/test_levels.c).
 */
static void upload_levels(const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t *levels)
{
    for (GLint level = 1; width > 1 || height > 1; level++) {
        if (pixels)
            halve(pixels, width, height, levels);
        width = half_of(width);
        height = half_of(height);
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, (GLsizei)width, (GLsizei)height, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, levels);
        pixels = levels;
        levels += 4 * (size_t)width * height;
    }
}

/* Uploads the first level in pieces that stay in the processor's cache until the next level is made of them.
 * levels NULL: makes none. Returns false if out of memory. */
static bool upload_rows(const mmd_gpu_texture_desc *desc, uint8_t *levels)
{
    enum { PIECE = 1 << 20 };
    const size_t row = 4 * (size_t)desc->width, half_row = 4 * (size_t)half_of(desc->width);
    uint32_t count = desc->height;
    while (count > 2 && count * row > PIECE)
        count /= 2;
    uint8_t *piece = mmd_alloc(count * row);
    for (uint32_t y = 0; piece && y < desc->height; y += count) {
        desc->rows(desc->rows_user, y, count, piece);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, (GLint)y, (GLsizei)desc->width, (GLsizei)count, GL_RGBA,
                        GL_UNSIGNED_BYTE, piece);
        if (levels && (desc->width > 1 || desc->height > 1))
            halve(piece, desc->width, count, levels + y / 2 * half_row);
    }
    mmd_free(piece);
    return piece != NULL;
}

mmd_status mmd_gpu_texture_create(mmd_gpu *gpu, const mmd_gpu_texture_desc *desc, uint32_t *texture,
                                  mmd_error *error)
{
    const bool powers_of_two = !(desc->width & (desc->width - 1)) && !(desc->height & (desc->height - 1));
    assert(gpu && desc && texture && desc->width && desc->height);
    assert(!desc->rows || (powers_of_two && desc->format == MMD_GPU_RGBA8 && !desc->data));
    *texture = 0;
    uint32_t limit = (uint32_t)gpu->info.max_texture_size;
    if (desc->width > limit || desc->height > limit)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET,
                             "%s needs a texture of %u x %u, but this GPU allows at most %u x %u",
                             desc->label, desc->width, desc->height, limit, limit);
    texture_format format = format_of(desc->format);
    glGenTextures(1, texture);
    mmd_gpu_edit_texture(gpu, *texture);
    mmd_gpu_begin_upload(gpu);
    /* Mesa allocates all levels at once if the filter asks for them; else it allocates and copies again. */
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                    desc->mipmaps ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER,
                    desc->format == MMD_GPU_RGBA8 ? GL_LINEAR : GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, format.internal, (GLsizei)desc->width, (GLsizei)desc->height, 0,
                 format.format, format.type, desc->data);
    const size_t pixel = desc->format == MMD_GPU_RGBA32F ? 16 : 4;
    gpu->counts.texture_bytes += pixel * desc->width * desc->height;
    uint8_t *levels = NULL;
    bool lacks_memory = false;
    if (!desc->mipmaps)
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    else if (powers_of_two && (desc->data || desc->rows) && desc->format == MMD_GPU_RGBA8)
        lacks_memory = !(levels = mmd_alloc(levels_size(desc->width, desc->height)));
    if (desc->rows && !lacks_memory)
        lacks_memory = !upload_rows(desc, levels);
    if (levels)
        upload_levels(desc->data, desc->width, desc->height, levels);
    else if (desc->mipmaps)
        glGenerateMipmap(GL_TEXTURE_2D);
    if (desc->mipmaps)
        gpu->counts.texture_bytes += levels_size(desc->width, desc->height);
    mmd_free(levels);
    gpu_label(gpu, GL_TEXTURE, *texture, desc->label);
    mmd_status status = mmd_gpu_check(gpu, "creating a texture", error);
    if (status == MMD_OK && lacks_memory)
        status =
            mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory to upload %s", desc->label);
    if (status != MMD_OK) {
        mmd_gpu_texture_destroy(gpu, *texture);
        *texture = 0;
    }
    return status;
}

void mmd_gpu_texture_destroy(mmd_gpu *gpu, uint32_t texture)
{
    glDeleteTextures(1, &texture);
    gpu_forget_bindings(gpu);
}

void mmd_gpu_texture_update(mmd_gpu *gpu, uint32_t texture, mmd_gpu_format format, uint32_t width,
                            uint32_t height, const void *data)
{
    assert(gpu);
    texture_format to = format_of(format);
    mmd_gpu_edit_texture(gpu, texture);
    mmd_gpu_begin_upload(gpu);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (GLsizei)width, (GLsizei)height, to.format, to.type, data);
}

/* Creates a renderbuffer of the target's size; samples 0: without multisampling. */
static GLuint renderbuffer(GLenum format, const mmd_gpu_target *target, uint32_t samples)
{
    GLuint name;
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    if (samples)
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, (GLsizei)samples, format, (GLsizei)target->width,
                                         (GLsizei)target->height);
    else
        glRenderbufferStorage(GL_RENDERBUFFER, format, (GLsizei)target->width, (GLsizei)target->height);
    return name;
}

/* Creates a framebuffer and leaves it bound. depth 0: none. */
static GLuint framebuffer(GLuint color, GLuint depth)
{
    GLuint name;
    glGenFramebuffers(1, &name);
    glBindFramebuffer(GL_FRAMEBUFFER, name);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    if (depth)
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
    return name;
}

/* Checks a target's size against the limits of viewports and renderbuffers. */
static mmd_status check_target_size(const mmd_gpu *gpu, uint32_t width, uint32_t height, mmd_error *error)
{
    int64_t most[2] = {gpu->info.max_viewport[0], gpu->info.max_viewport[1]};
    for (int i = 0; i < 2; i++)
        if (most[i] > gpu->max_renderbuffer)
            most[i] = gpu->max_renderbuffer;
    if (width >= 1 && height >= 1 && width <= most[0] && height <= most[1])
        return MMD_OK;
    return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET,
                         "the picture is %u x %u, but this GPU draws only from 1 x 1 to %d x %d", width,
                         height, (int)most[0], (int)most[1]);
}

/* The requested properties of a target. */
typedef struct target_kind {
    uint32_t width, height, samples;
    bool deep;
} target_kind;

/* Creates the target again if any property differs. With multisampling, a second framebuffer without it is
 * needed to read the colours. */
static mmd_status resize_target(mmd_gpu *gpu, mmd_gpu_target *target, const target_kind *kind,
                                mmd_error *error)
{
    assert(gpu && target);
    uint32_t width = kind->width, height = kind->height, samples = kind->samples;
    GLenum colors = kind->deep ? GL_RGBA16 : GL_RGBA8;
    if (samples > (uint32_t)gpu->info.max_samples)
        samples = (uint32_t)gpu->info.max_samples;
    /* One sample per pixel is the same as no multisampling. */
    if (samples <= 1)
        samples = 0;
    if (target->framebuffer && target->width == width && target->height == height &&
        target->samples == samples && target->deep == kind->deep)
        return MMD_OK;
    mmd_status status = check_target_size(gpu, width, height, error);
    if (status != MMD_OK)
        return status;
    mmd_gpu_target_finish(gpu, target);
    target->width = width, target->height = height, target->samples = samples;
    target->deep = kind->deep;
    target->color = renderbuffer(colors, target, samples);
    target->depth = renderbuffer(GL_DEPTH24_STENCIL8, target, samples);
    target->framebuffer = framebuffer(target->color, target->depth);
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    if (samples) {
        target->resolve_color = renderbuffer(colors, target, 0);
        target->resolve = framebuffer(target->resolve_color, 0);
        complete = complete && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    }
    status = mmd_gpu_check(gpu, "creating a picture to draw to", error);
    if (status == MMD_OK && !complete)
        status = mmd_error_set(error, MMD_ERROR_GL, "", MMD_NO_OFFSET,
                               "OpenGL cannot draw to pictures of %u x %u with %u samples", width, height,
                               samples);
    if (status != MMD_OK)
        mmd_gpu_target_finish(gpu, target);
    return status;
}

mmd_status mmd_gpu_target_resize(mmd_gpu *gpu, mmd_gpu_target *target, uint32_t width, uint32_t height,
                                 uint32_t samples, mmd_error *error)
{
    assert(gpu && target);
    return resize_target(gpu, target, &(target_kind){width, height, samples, false}, error);
}

mmd_status mmd_gpu_target_resize_deep(mmd_gpu *gpu, mmd_gpu_target *target, uint32_t width, uint32_t height,
                                      uint32_t samples, mmd_error *error)
{
    assert(gpu && target);
    return resize_target(gpu, target, &(target_kind){width, height, samples, true}, error);
}

void mmd_gpu_target_finish(mmd_gpu *gpu, mmd_gpu_target *target)
{
    assert(target);
    (void)gpu;
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteFramebuffers(1, &target->resolve);
    glDeleteRenderbuffers(1, &target->color);
    glDeleteRenderbuffers(1, &target->depth);
    glDeleteRenderbuffers(1, &target->resolve_color);
    memset(target, 0, sizeof *target);
}

/* Copies all colours between two framebuffers of the target's size. Leaves `to` bound for reading. */
static mmd_status copy_colors(mmd_gpu *gpu, const mmd_gpu_target *target, GLuint from, GLuint to,
                              mmd_error *error)
{
    assert(gpu && target->framebuffer && !target->samples);
    GLint width = (GLint)target->width, height = (GLint)target->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, to);
    return mmd_gpu_check(gpu, "copying a picture", error);
}

mmd_status mmd_gpu_target_copy_from(mmd_gpu *gpu, const mmd_gpu_target *target, uint32_t framebuffer,
                                    mmd_error *error)
{
    assert(target);
    mmd_status status = copy_colors(gpu, target, framebuffer, target->framebuffer, error);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    return status;
}

mmd_status mmd_gpu_target_copy_to(mmd_gpu *gpu, const mmd_gpu_target *target, uint32_t framebuffer,
                                  mmd_error *error)
{
    assert(target);
    return copy_colors(gpu, target, target->framebuffer, framebuffer, error);
}

/* Reads the colours, resolved to one sample first. */
static void read_colors(mmd_gpu *gpu, const mmd_gpu_target *target, GLenum type, GLuint buffer, void *pixels)
{
    GLint width = (GLint)target->width, height = (GLint)target->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    if (target->samples) {
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->resolve);
        glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, target->resolve);
    }
    mmd_gpu_begin_read(gpu);
    if (buffer)
        glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    glReadPixels(0, 0, width, height, GL_RGBA, type, pixels);
    if (buffer)
        glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

void mmd_gpu_target_read(mmd_gpu *gpu, const mmd_gpu_target *target, uint8_t *rgba)
{
    assert(target);
    read_colors(gpu, target, GL_UNSIGNED_BYTE, 0, rgba);
}

void mmd_gpu_target_read_deep(mmd_gpu *gpu, const mmd_gpu_target *target, uint16_t *rgba)
{
    assert(target->deep);
    read_colors(gpu, target, GL_UNSIGNED_SHORT, 0, rgba);
}

mmd_status mmd_gpu_target_read_begin(mmd_gpu *gpu, const mmd_gpu_target *target, mmd_gpu_readback *readback,
                                     mmd_error *error)
{
    assert(gpu && target && !target->deep && readback);
    const size_t size = (size_t)4 * target->width * target->height;
    if (readback->size != size) {
        mmd_gpu_readback_finish(gpu, readback);
        glGenBuffers(1, &readback->buffer);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, readback->buffer);
        glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)size, NULL, GL_STREAM_READ);
        readback->size = size;
    }
    read_colors(gpu, target, GL_UNSIGNED_BYTE, readback->buffer, NULL);
    glFlush(); /* or the driver may begin only when somebody waits */
    mmd_status status = mmd_gpu_check(gpu, "beginning to read a picture", error);
    if (status != MMD_OK)
        mmd_gpu_readback_finish(gpu, readback); /* its buffer may have no memory */
    return status;
}

const uint8_t *mmd_gpu_readback_map(mmd_gpu *gpu, const mmd_gpu_readback *readback)
{
    assert(gpu && readback->buffer);
    (void)gpu;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, readback->buffer);
    const uint8_t *colors =
        glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, (GLsizeiptr)readback->size, GL_MAP_READ_BIT);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return colors;
}

bool mmd_gpu_readback_unmap(mmd_gpu *gpu, const mmd_gpu_readback *readback)
{
    assert(gpu && readback->buffer);
    (void)gpu;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, readback->buffer);
    const bool kept = glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return kept;
}

void mmd_gpu_readback_finish(mmd_gpu *gpu, mmd_gpu_readback *readback)
{
    assert(gpu && readback);
    (void)gpu;
    glDeleteBuffers(1, &readback->buffer);
    *readback = (mmd_gpu_readback){0};
}
