/*
 * Creates an OpenGL 3.3 core context without a display, through EGL: on a GPU that EGL_EXT_platform_device
 * lists, else with EGL_MESA_platform_surfaceless, else on a software device, else with a pbuffer on the
 * default display. EGL has to be 1.5, or 1.4 with EGL_KHR_create_context, as of Mesa's softpipe.
 */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "gpu_internal.h"

struct gpu_context {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface;
    bool software; /* the display's device is the processor, as far as EGL tells */
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

/*
 * Destroys a context and its surface. The display stays initialised, because all contexts of a process share
 * it and terminating it would destroy the others.
 */
static void gpu_context_finish(const gpu_context *context)
{
    if (eglGetCurrentContext() == context->context)
        eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context->surface != EGL_NO_SURFACE)
        eglDestroySurface(context->display, context->surface);
    eglDestroyContext(context->display, context->context);
}

/* Returns whether the device of a display is the processor. */
static bool is_software(EGLDisplay display)
{
    PFNEGLQUERYDISPLAYATTRIBEXTPROC query =
        (PFNEGLQUERYDISPLAYATTRIBEXTPROC)eglGetProcAddress("eglQueryDisplayAttribEXT");
    PFNEGLQUERYDEVICESTRINGEXTPROC text =
        (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
    EGLAttrib device = 0;
    return query && text && query(display, EGL_DEVICE_EXT, &device) && device &&
           has_extension(text((EGLDeviceEXT)device, EGL_EXTENSIONS), "EGL_MESA_device_software");
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
    context->software = is_software(display);
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

/* ---------------------------------------------------------------- devices */

/* A device of EGL, and the file that it is on Linux, or "". */
typedef struct gpu_device {
    EGLDeviceEXT device;
    const char *file;
    bool software; /* the processor */
} gpu_device;

/* Describes a device. Without the extension that tells so, it is taken for a GPU. */
static gpu_device describe(EGLDeviceEXT device)
{
    PFNEGLQUERYDEVICESTRINGEXTPROC query =
        (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
    const char *extensions = query ? query(device, EGL_EXTENSIONS) : NULL;
    const char *file =
        has_extension(extensions, "EGL_EXT_device_drm") ? query(device, EGL_DRM_DEVICE_FILE_EXT) : NULL;
    return (gpu_device){.device = device,
                        .file = file ? file : "",
                        .software = has_extension(extensions, "EGL_MESA_device_software")};
}

/* Lists all devices, GPUs before software, else in the order of the driver. Returns their number. */
static int list_devices(const char *client, gpu_device found[DEVICES_MAX])
{
    PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    EGLDeviceEXT devices[DEVICES_MAX];
    EGLint all = 0;
    int count = 0;
    if (!has_extension(client, "EGL_EXT_platform_device") || !query || !query(DEVICES_MAX, devices, &all))
        return 0;
    for (int software = 0; software < 2; software++)
        for (EGLint i = 0; i < all; i++) {
            const gpu_device device = describe(devices[i]);
            if (device.software == (software == 1))
                found[count++] = device;
        }
    return count;
}

static bool open_device(const char *client, const gpu_device *device, bool debug, gpu_context *context,
                        char reason[REASON_MAX])
{
    return open_on(platform_display(client, EGL_PLATFORM_DEVICE_EXT, device->device), false, debug, context,
                   reason);
}

/* Returns a string of OpenGL in the current context. */
static const char *gl_string(GLenum name)
{
    PFNGLGETSTRINGPROC get = (PFNGLGETSTRINGPROC)eglGetProcAddress("glGetString");
    const char *text = get ? (const char *)get(name) : NULL;
    return text ? text : "unknown";
}

/* Tests whether a name contains a text, in letters of any case. */
static bool contains(const char *name, const char *text)
{
    for (; *name; name++) {
        size_t i = 0;
        while (text[i] && tolower((unsigned char)name[i]) == tolower((unsigned char)text[i]))
            i++;
        if (!text[i])
            return true;
    }
    return false;
}

/* Opens the first device that a choice means: "software", a number in the list, or a part of the driver's
 * name or the file's, such as "4090". Sets *kind if it is no device. */
static bool open_chosen(const char *client, const char *choice, bool debug, gpu_context *context,
                        const char **kind, char reason[REASON_MAX])
{
    gpu_device devices[DEVICES_MAX];
    const int count = list_devices(client, devices);
    const bool software = strcmp(choice, "software") == 0;
    char *end;
    const unsigned long number = strtoul(choice, &end, 10);
    const bool numbered = isdigit((unsigned char)*choice) && !*end && number < DEVICES_MAX;
    *reason = '\0';
    for (int i = 0; i < count; i++) {
        if (software ? !devices[i].software : numbered && number != (unsigned long)i)
            continue;
        if (!open_device(client, &devices[i], debug, context, reason))
            continue;
        if (software || numbered || contains(gl_string(GL_RENDERER), choice) ||
            contains(devices[i].file, choice))
            return true;
        gpu_context_finish(context);
        *reason = '\0';
    }
    if (!*reason)
        snprintf(reason, REASON_MAX,
                 "none of %d devices has the number or name \"%.60s\" (see odori info --gpus)", count, choice);
    if (!software || !open_surfaceless(client, debug, context, reason))
        return false;
    *kind = "egl surfaceless";
    if (context->software)
        return true;
    gpu_context_finish(context);
    snprintf(reason, REASON_MAX, "there is no software driver");
    return false;
}

/* Opens the GPUs in their order, or the software devices. */
static bool open_devices(const char *client, bool software, bool debug, gpu_context *context,
                         char reason[REASON_MAX])
{
    gpu_device devices[DEVICES_MAX];
    const int count = list_devices(client, devices);
    snprintf(reason, REASON_MAX, "no devices");
    for (int i = 0; i < count; i++)
        if (devices[i].software == software && open_device(client, &devices[i], debug, context, reason))
            return true;
    return false;
}

/* Returns whether Mesa's variable asks for drawing with the processor. EGL ignores it on devices. */
static bool wants_software(void)
{
    const char *value = getenv("LIBGL_ALWAYS_SOFTWARE");
    return value && (strcmp(value, "1") == 0 || strcmp(value, "true") == 0 || strcmp(value, "yes") == 0);
}

/* Warns about a context of the processor on a machine that has a GPU. */
static void tell_software(const mmd_log *log, const char *client, const char *reason)
{
    gpu_device devices[DEVICES_MAX];
    if (log && !wants_software() && list_devices(client, devices) > 0 && !devices[0].software)
        mmd_log_message(log, MMD_LOG_WARNING,
                        "OpenGL draws with the processor (%s), although there is a GPU%s%s: %s",
                        gl_string(GL_RENDERER), *devices[0].file ? ", " : "", devices[0].file, reason);
}

mmd_status gpu_context_create(const char *choice, const mmd_log *log, gpu_context **result, const char **kind,
                              mmd_error *error)
{
    gpu_context *context = mmd_alloc(sizeof *context);
    if (!context)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a context");
    char device[REASON_MAX] = "", surfaceless[REASON_MAX] = "", software[REASON_MAX] = "",
         pbuffer[REASON_MAX] = "";
    const char *client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    bool debug = log && log->level >= MMD_LOG_DEBUG;
    *kind = "egl device";
    if (choice) {
        if (!open_chosen(client, choice, debug, context, kind, device)) {
            mmd_free(context);
            return mmd_error_set(error, MMD_ERROR_NO_CONTEXT, "", MMD_NO_OFFSET,
                                 "no OpenGL on the GPU that was chosen: %s", device);
        }
        *result = context;
        return MMD_OK;
    }
    if (wants_software() || !open_devices(client, false, debug, context, device)) {
        if (open_surfaceless(client, debug, context, surfaceless))
            *kind = "egl surfaceless";
        else if (!open_devices(client, true, debug, context, software)) {
            *kind = "egl pbuffer";
            if (!open_on(eglGetDisplay(EGL_DEFAULT_DISPLAY), true, debug, context, pbuffer)) {
                mmd_free(context);
                return mmd_error_set(
                    error, MMD_ERROR_NO_CONTEXT, "", MMD_NO_OFFSET,
                    "no OpenGL without a display. Device: %s. Surfaceless: %s. Software: %s. "
                    "Pbuffer: %s",
                    device, surfaceless, software, pbuffer);
            }
        }
        if (context->software)
            tell_software(log, client, device);
    }
    *result = context;
    return MMD_OK;
}

size_t mmd_gpu_list_devices(mmd_gpu_device *devices, size_t max)
{
    assert(devices || !max);
    gpu_device found[DEVICES_MAX];
    const mmd_gpu_current before = mmd_gpu_get_current();
    const char *client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const int count = list_devices(client, found);
    size_t listed = 0;
    for (int i = 0; i < count && listed < max; i++) {
        mmd_gpu_device *device = &devices[listed++];
        gpu_context context;
        *device = (mmd_gpu_device){.software = found[i].software};
        snprintf(device->file, sizeof device->file, "%s", found[i].file);
        if (!open_device(client, &found[i], false, &context, device->problem))
            continue;
        device->problem[0] = '\0';
        snprintf(device->name, sizeof device->name, "%s", gl_string(GL_RENDERER));
        snprintf(device->version, sizeof device->version, "%s", gl_string(GL_VERSION));
        gpu_context_finish(&context);
    }
    mmd_gpu_set_current(&before);
    return listed;
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

void gpu_context_destroy(gpu_context *context)
{
    if (!context)
        return;
    gpu_context_finish(context);
    mmd_free(context);
}

mmd_gpu_function gpu_context_load(const char *name)
{
    return eglGetProcAddress(name);
}
