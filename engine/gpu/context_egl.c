/*
 * Creates an OpenGL 3.3 core context without a display, through EGL 1.5: with EGL_MESA_platform_surfaceless,
 * else with EGL_EXT_platform_device, else with a pbuffer on the default display.
 */
#include <stdio.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "gpu_internal.h"

struct gpu_context {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface;
};

enum { DEVICES_MAX = 16, REASON_MAX = 160 };

/* Returns whether a space-separated list contains a whole name. */
static bool has_extension(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Writes why a step failed and returns false. */
static bool fail(char reason[REASON_MAX], const char *step)
{
    snprintf(reason, REASON_MAX, "%s (EGL error 0x%04x)", step, (unsigned)eglGetError());
    return false;
}

/* Creates an OpenGL 3.3 core context, with debug messages if they are logged. */
static EGLContext create_core_context(EGLDisplay display, EGLConfig config, bool debug)
{
    const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,
        3,
        EGL_CONTEXT_MINOR_VERSION,
        3,
        EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
        EGL_CONTEXT_OPENGL_DEBUG,
        debug ? EGL_TRUE : EGL_FALSE,
        EGL_NONE,
    };
    return eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
}

/* Creates a context on a display, with a 1 x 1 pbuffer or without any surface, and makes it current. */
static bool open_on(EGLDisplay display, bool pbuffer, bool debug, gpu_context *context,
                    char reason[REASON_MAX])
{
    if (display == EGL_NO_DISPLAY)
        return fail(reason, "no display");
    EGLint major, minor;
    if (!eglInitialize(display, &major, &minor))
        return fail(reason, "eglInitialize failed");
    if (major == 1 && minor < 5)
        return fail(reason, "EGL is older than 1.5");
    if (!pbuffer && !has_extension(eglQueryString(display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context"))
        return fail(reason, "no EGL_KHR_surfaceless_context");
    if (!eglBindAPI(EGL_OPENGL_API))
        return fail(reason, "no OpenGL");
    const EGLint wanted[] = {EGL_SURFACE_TYPE, pbuffer ? EGL_PBUFFER_BIT : 0, EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
        return fail(reason, "no configuration");
    context->display = display;
    context->surface = EGL_NO_SURFACE;
    context->context = create_core_context(display, config, debug);
    if (context->context == EGL_NO_CONTEXT)
        return fail(reason, "no OpenGL 3.3 core context");
    const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    if (pbuffer)
        context->surface = eglCreatePbufferSurface(display, config, size);
    if ((!pbuffer || context->surface != EGL_NO_SURFACE) &&
        eglMakeCurrent(display, context->surface, context->surface, context->context))
        return true;
    fail(reason, "the context cannot be made current");
    if (context->surface != EGL_NO_SURFACE)
        eglDestroySurface(display, context->surface);
    eglDestroyContext(display, context->context);
    return false;
}

/* Opens Mesa's platform that needs neither a display nor a device. */
static bool open_surfaceless(const char *client, bool debug, gpu_context *context, char reason[REASON_MAX])
{
    if (!has_extension(client, "EGL_MESA_platform_surfaceless"))
        return fail(reason, "no EGL_MESA_platform_surfaceless");
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    return open_on(display, false, debug, context, reason);
}

/* Tries all GPUs in the order of the driver. */
static bool open_device(const char *client, bool debug, gpu_context *context, char reason[REASON_MAX])
{
    if (!has_extension(client, "EGL_EXT_platform_device"))
        return fail(reason, "no EGL_EXT_platform_device");
    PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    EGLDeviceEXT devices[DEVICES_MAX];
    EGLint count = 0;
    if (!query || !query(DEVICES_MAX, devices, &count) || count == 0)
        return fail(reason, "no devices");
    for (EGLint i = 0; i < count; i++)
        if (open_on(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL), false, debug, context,
                    reason))
            return true;
    return false;
}

mmd_status gpu_context_create(const mmd_log *log, gpu_context **result, const char **kind, mmd_error *error)
{
    gpu_context *context = mmd_alloc(sizeof *context);
    if (!context)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a context");
    char surfaceless[REASON_MAX] = "", device[REASON_MAX] = "", pbuffer[REASON_MAX] = "";
    const char *client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    bool debug = log && log->level >= MMD_LOG_DEBUG;
    if (open_surfaceless(client, debug, context, surfaceless))
        *kind = "egl surfaceless";
    else if (open_device(client, debug, context, device))
        *kind = "egl device";
    else if (open_on(eglGetDisplay(EGL_DEFAULT_DISPLAY), true, debug, context, pbuffer))
        *kind = "egl pbuffer";
    else {
        mmd_free(context);
        *result = NULL;
        return mmd_error_set(
            error, MMD_ERROR_NO_CONTEXT, "", MMD_NO_OFFSET,
            "no OpenGL 3.3 context without a display (is a driver such as Mesa's installed?): "
            "surfaceless: %s; device: %s; pbuffer: %s",
            surfaceless, device, pbuffer);
    }
    *result = context;
    return MMD_OK;
}

/*
 * The display stays initialised, because all contexts of a process share it and terminating it would destroy
 * the others.
 */
void gpu_context_destroy(gpu_context *context)
{
    if (!context)
        return;
    eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context->surface != EGL_NO_SURFACE)
        eglDestroySurface(context->display, context->surface);
    eglDestroyContext(context->display, context->context);
    mmd_free(context);
}

mmd_gpu_function gpu_context_load(const char *name)
{
    return eglGetProcAddress(name);
}
