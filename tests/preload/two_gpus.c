/*
 * A machine with a GPU behind its software driver, for tests: LD_PRELOAD this. EGL lists one more device,
 * after those that there are: /dev/dri/card70, which draws as the first of them does, or not at all if
 * ODORI_TEST_BROKEN_GPU is set.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef __eglMustCastToProperFunctionPointerType function;

/* What the new device is named by. */
static char gpu;

/* Returns a function of the driver. */
static function driver(const char *name)
{
    static function (*get)(const char *);
    if (!get) {
        void *found = dlsym(RTLD_NEXT, "eglGetProcAddress");
        if (!found)
            abort();
        memcpy(&get, &found, sizeof found);
    }
    return get(name);
}

static EGLBoolean query_devices(EGLint most, EGLDeviceEXT *devices, EGLint *count)
{
    if (!((PFNEGLQUERYDEVICESEXTPROC)driver("eglQueryDevicesEXT"))(most, devices, count) || *count == most)
        return EGL_FALSE;
    devices[(*count)++] = (EGLDeviceEXT)&gpu;
    return EGL_TRUE;
}

static const char *query_device(EGLDeviceEXT device, EGLint name)
{
    if (device != (EGLDeviceEXT)&gpu)
        return ((PFNEGLQUERYDEVICESTRINGEXTPROC)driver("eglQueryDeviceStringEXT"))(device, name);
    return name == EGL_DRM_DEVICE_FILE_EXT ? "/dev/dri/card70" : "EGL_EXT_device_drm";
}

static EGLDisplay platform_display(EGLenum platform, void *native, const EGLint *attributes)
{
    EGLDeviceEXT first;
    EGLint count;
    if (native == &gpu) {
        if (getenv("ODORI_TEST_BROKEN_GPU") ||
            !((PFNEGLQUERYDEVICESEXTPROC)driver("eglQueryDevicesEXT"))(1, &first, &count))
            return EGL_NO_DISPLAY;
        native = first;
    }
    return ((PFNEGLGETPLATFORMDISPLAYEXTPROC)driver("eglGetPlatformDisplayEXT"))(platform, native,
                                                                                 attributes);
}

function eglGetProcAddress(const char *name)
{
    if (strcmp(name, "eglQueryDevicesEXT") == 0)
        return (function)query_devices;
    if (strcmp(name, "eglQueryDeviceStringEXT") == 0)
        return (function)query_device;
    if (strcmp(name, "eglGetPlatformDisplayEXT") == 0)
        return (function)platform_display;
    return driver(name);
}
