/* Creation and destruction of a mmd_gpu, its limits, and messages of the driver. */
#include <assert.h>
#include <string.h>
#include <time.h>

#include "gpu_internal.h"

/* Passes a message of GL_KHR_debug to the log, but for those about groups and other notifications. */
static void GLAD_API_PTR debug_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                       const GLchar *text, const void *user)
{
    (void)source, (void)id, (void)length;
    const mmd_gpu *gpu = user;
    if (severity == GL_DEBUG_SEVERITY_NOTIFICATION || type == GL_DEBUG_TYPE_PUSH_GROUP ||
        type == GL_DEBUG_TYPE_POP_GROUP)
        return;
    mmd_log_level level = MMD_LOG_DEBUG;
    if (type == GL_DEBUG_TYPE_ERROR)
        level = MMD_LOG_ERROR;
    else if (severity == GL_DEBUG_SEVERITY_HIGH)
        level = MMD_LOG_WARNING;
    mmd_log_message(&gpu->log, level, "OpenGL: %s", text);
}

static const char *driver_text(GLenum name)
{
    const char *text = (const char *)glGetString(name);
    return text ? text : "unknown";
}

/* Reads the driver's names and limits. Fails if the version is below 3.3. */
static mmd_status read_limits(mmd_gpu *gpu, int version, mmd_error *error)
{
    gpu->info.vendor = driver_text(GL_VENDOR);
    gpu->info.renderer = driver_text(GL_RENDERER);
    gpu->info.version = driver_text(GL_VERSION);
    if (version < GLAD_MAKE_VERSION(3, 3))
        return mmd_error_set(error, MMD_ERROR_NO_CONTEXT, "", MMD_NO_OFFSET,
                             "OpenGL 3.3 is needed, but this is %s on %s", gpu->info.version,
                             gpu->info.renderer);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &gpu->info.max_texture_size);
    glGetIntegerv(GL_MAX_SAMPLES, &gpu->info.max_samples);
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, gpu->info.max_viewport);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &gpu->max_renderbuffer);
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &gpu->max_buffer_texels);
    glGetIntegerv(GL_MAX_DRAW_BUFFERS, &gpu->draw_buffers);
    if (gpu->draw_buffers > GPU_DRAW_BUFFERS_MAX)
        gpu->draw_buffers = GPU_DRAW_BUFFERS_MAX;
    return MMD_OK;
}

/* Returns the function that receives the driver's messages, or NULL. */
static void *callback_now(void)
{
    void *callback = NULL;
    if (glGetPointerv)
        glGetPointerv(GL_DEBUG_CALLBACK_FUNCTION, &callback);
    return callback;
}

/* Loads OpenGL's functions in the current context and finishes the creation. After a failure the gpu and its
 * context are destroyed. */
static mmd_status start(mmd_gpu *gpu, mmd_gpu_loader loader, mmd_gpu **result, mmd_error *error)
{
    int version = gladLoadGL(loader);
    mmd_status status =
        version ? read_limits(gpu, version, error)
                : mmd_error_set(error, MMD_ERROR_NO_CONTEXT, "", MMD_NO_OFFSET,
                                "no OpenGL context is current on this thread, or its functions cannot be "
                                "loaded");
    if (status != MMD_OK) {
        mmd_gpu_destroy(gpu);
        return status;
    }
    gpu->debug = GLAD_GL_KHR_debug && glDebugMessageCallback && glPushDebugGroup && glObjectLabel;
    if (gpu->debug && !callback_now()) {
        glDebugMessageCallback(debug_message, gpu);
        gpu->has_callback = true;
        /* A message then comes before the call that it is about returns, on the same thread. */
        gpu->synchronous = gpu->log.level >= MMD_LOG_DEBUG && !glIsEnabled(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        if (gpu->synchronous)
            glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    }
    mmd_log_message(&gpu->log, MMD_LOG_INFO, "OpenGL %s on %s (%s)", gpu->info.version, gpu->info.renderer,
                    gpu->info.context);
    *result = gpu;
    return MMD_OK;
}

/* Allocates a mmd_gpu with a copy of the log. */
static mmd_gpu *create(const mmd_log *log, mmd_error *error)
{
    mmd_gpu *gpu = mmd_alloc(sizeof *gpu);
    if (!gpu) {
        mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a GPU");
        return NULL;
    }
    memset(gpu, 0, sizeof *gpu);
    if (log)
        gpu->log = *log;
    return gpu;
}

mmd_status mmd_gpu_create_headless(const mmd_log *log, mmd_gpu **result, mmd_error *error)
{
    return mmd_gpu_create_on(NULL, log, result, error);
}

mmd_status mmd_gpu_create_on(const char *choice, const mmd_log *log, mmd_gpu **result, mmd_error *error)
{
    assert(result);
    *result = NULL;
    mmd_gpu *gpu = create(log, error);
    if (!gpu)
        return MMD_ERROR_MEMORY;
    mmd_status status = gpu_context_create(choice, log, &gpu->context, &gpu->info.context, error);
    if (status != MMD_OK) {
        mmd_free(gpu);
        return status;
    }
    return start(gpu, gpu_context_load, result, error);
}

mmd_status mmd_gpu_create_current(mmd_gpu_loader loader, const mmd_log *log, mmd_gpu **result,
                                  mmd_error *error)
{
    assert(loader && result);
    *result = NULL;
    mmd_gpu *gpu = create(log, error);
    if (!gpu)
        return MMD_ERROR_MEMORY;
    gpu->info.context = "window";
    return start(gpu, loader, result, error);
}

void mmd_gpu_destroy(mmd_gpu *gpu)
{
    if (!gpu)
        return;
    /* The program that owns the context may have set one of its own since. */
    if (gpu->has_callback && (!glGetPointerv || callback_now() == (void *)(uintptr_t)debug_message)) {
        glDebugMessageCallback(NULL, NULL);
        if (gpu->synchronous)
            glDisable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    }
    gpu_context_destroy(gpu->context);
    mmd_free(gpu);
}

mmd_status mmd_gpu_make_current(mmd_gpu *gpu, mmd_error *error)
{
    assert(gpu);
    if (!gpu->context || gpu_context_make_current(gpu->context))
        return MMD_OK;
    return mmd_error_set(error, MMD_ERROR_NO_CONTEXT, "", MMD_NO_OFFSET,
                         "the OpenGL context cannot be made current on this thread");
}

double gpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

mmd_gpu_counts mmd_gpu_get_counts(const mmd_gpu *gpu)
{
    assert(gpu);
    return gpu->counts;
}

const mmd_gpu_info *mmd_gpu_get_info(const mmd_gpu *gpu)
{
    assert(gpu);
    return &gpu->info;
}

uint32_t mmd_gpu_largest_target(const mmd_gpu *gpu)
{
    assert(gpu);
    int32_t most = gpu->max_renderbuffer;
    for (int i = 0; i < 2; i++)
        if (gpu->info.max_viewport[i] < most)
            most = gpu->info.max_viewport[i];
    return (uint32_t)most;
}

size_t mmd_gpu_largest_buffer_texture(const mmd_gpu *gpu)
{
    assert(gpu);
    return (size_t)gpu->max_buffer_texels;
}

void mmd_gpu_limit_texture_size(mmd_gpu *gpu, int32_t size)
{
    assert(gpu && size > 0);
    if (size < gpu->info.max_texture_size)
        gpu->info.max_texture_size = size;
}

void mmd_gpu_push_group(mmd_gpu *gpu, const char *name)
{
    assert(gpu);
    if (gpu->debug)
        glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, name);
}

void mmd_gpu_pop_group(mmd_gpu *gpu)
{
    assert(gpu);
    if (gpu->debug)
        glPopDebugGroup();
}

void gpu_label(const mmd_gpu *gpu, GLenum kind, GLuint object, const char *label)
{
    assert(gpu);
    if (gpu->debug && label)
        glObjectLabel(kind, object, -1, label);
}

/* Returns an OpenGL error in words that follow "OpenGL reports". */
static const char *error_text(GLenum code)
{
    switch (code) {
    case GL_INVALID_ENUM:
        return "an invalid name";
    case GL_INVALID_VALUE:
        return "an invalid value";
    case GL_INVALID_OPERATION:
        return "an invalid operation";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
        return "an incomplete framebuffer";
    case GL_OUT_OF_MEMORY:
        return "no memory";
    default:
        return "an unknown error";
    }
}

mmd_status mmd_gpu_check(mmd_gpu *gpu, const char *doing, mmd_error *error)
{
    (void)gpu;
    GLenum first = glGetError();
    if (first == GL_NO_ERROR)
        return MMD_OK;
    /* A lost context may report errors forever. */
    for (int i = 0; i < 32 && glGetError() != GL_NO_ERROR; i++)
        ;
    return mmd_error_set(error, MMD_ERROR_GL, "", MMD_NO_OFFSET, "OpenGL reports %s while %s",
                         error_text(first), doing);
}

void mmd_gpu_finish(mmd_gpu *gpu)
{
    (void)gpu;
    glFinish();
}
