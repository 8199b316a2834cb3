/*
 * Creates an OpenGL 3.3 core context without a display, through EGL: with EGL_MESA_platform_surfaceless, else
 * with EGL_EXT_platform_device, else with a pbuffer on the default display. EGL has to be 1.5, or 1.4 with
 * EGL_KHR_create_context, as of Mesa's softpipe.
 */
#include <assert.h>
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

/* Creates an OpenGL 3.3 core context, with debug messages if they are logged. old: EGL is 1.4, whose
 * extension has the same attributes, but for the last one. */
static EGLContext create_core_context(EGLDisplay display, EGLConfig config, bool old, bool debug)
{
    const EGLint flag = old ? EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR : EGL_TRUE;
    const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,
        3,
        EGL_CONTEXT_MINOR_VERSION,
        3,
        EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
        old ? EGL_CONTEXT_FLAGS_KHR : EGL_CONTEXT_OPENGL_DEBUG,
        debug ? flag : 0,
        EGL_NONE,
    };
    return eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
}

/* Creates a context on a display, without any surface if the display allows that and no pbuffer is wanted,
 * else with a pbuffer of 1 x 1, and makes it current. */
static bool open_on(EGLDisplay display, bool pbuffer, bool debug, gpu_context *context,
                    char reason[REASON_MAX])
{
    if (display == EGL_NO_DISPLAY)
        return fail(reason, "no display");
    EGLint major, minor;
    if (!eglInitialize(display, &major, &minor))
        return fail(reason, "eglInitialize failed");
    const char *extensions = eglQueryString(display, EGL_EXTENSIONS);
    const bool old = major == 1 && minor < 5;
    if (old && (minor < 4 || !has_extension(extensions, "EGL_KHR_create_context")))
        return fail(reason, minor < 4 ? "EGL is older than 1.4" : "EGL 1.4 without EGL_KHR_create_context");
    pbuffer = pbuffer || !has_extension(extensions, "EGL_KHR_surfaceless_context");
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
    context->context = create_core_context(display, config, old, debug);
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

/* Returns a display of a platform. EGL 1.4 has no such function, but an extension. */
static EGLDisplay platform_display(const char *client, EGLenum platform, void *native)
{
    const bool extension = has_extension(client, "EGL_EXT_platform_base");
    PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress(
        extension ? "eglGetPlatformDisplayEXT" : "eglGetPlatformDisplay");
    return get ? get(platform, native, NULL) : EGL_NO_DISPLAY;
}

/* Opens Mesa's platform that needs neither a display nor a device. */
static bool open_surfaceless(const char *client, bool debug, gpu_context *context, char reason[REASON_MAX])
{
    if (!has_extension(client, "EGL_MESA_platform_surfaceless"))
        return fail(reason, "no EGL_MESA_platform_surfaceless");
    EGLDisplay display = platform_display(client, EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY);
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
        if (open_on(platform_display(client, EGL_PLATFORM_DEVICE_EXT, devices[i]), false, debug, context,
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

mmd_gpu_current mmd_gpu_get_current(void)
{
    return (mmd_gpu_current){eglGetCurrentDisplay(), eglGetCurrentSurface(EGL_DRAW),
                             eglGetCurrentSurface(EGL_READ), eglGetCurrentContext()};
}

void mmd_gpu_set_current(const mmd_gpu_current *current)
{
    assert(current);
    if (current->context != EGL_NO_CONTEXT && current->context != eglGetCurrentContext())
        eglMakeCurrent(current->display, current->draw, current->read, current->context);
}

bool gpu_context_make_current(const gpu_context *context)
{
    return eglGetCurrentContext() == context->context ||
           eglMakeCurrent(context->display, context->surface, context->surface, context->context);
}

/*
 * The display stays initialised, because all contexts of a process share it and terminating it would destroy
 * the others.
 */
void gpu_context_destroy(gpu_context *context)
{
    if (!context)
        return;
    if (eglGetCurrentContext() == context->context)
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
