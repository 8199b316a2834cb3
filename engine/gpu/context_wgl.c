/*
 * Creates an OpenGL 3.3 core context of a window that is never shown. Windows has no other way: the first
 * context of its own OpenGL 1.1 gives the function that creates one of the driver (WGL_ARB_create_context).
 * A window belongs to the thread that made it, which alone can destroy it, and which destroys it when it
 * ends.
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

#include "gpu_internal.h"

struct gpu_context {
    HWND window;
    HDC device;
    HGLRC context;
};

enum { REASON_MAX = 160 };

/* Of WGL_ARB_create_context and WGL_ARB_create_context_profile. */
enum {
    CONTEXT_MAJOR_VERSION = 0x2091,
    CONTEXT_MINOR_VERSION = 0x2092,
    CONTEXT_FLAGS = 0x2094,
    CONTEXT_DEBUG_BIT = 1,
    CONTEXT_PROFILE_MASK = 0x9126,
    CONTEXT_CORE_PROFILE_BIT = 1
};
typedef HGLRC(WINAPI *create_context)(HDC device, HGLRC share, const int *attributes);

static const wchar_t window_class[] = L"odori offscreen";
static pthread_once_t registered = PTHREAD_ONCE_INIT;

static void register_class(void)
{
    const WNDCLASSW about = {.style = CS_OWNDC,
                             .lpfnWndProc = DefWindowProcW,
                             .hInstance = GetModuleHandleW(NULL),
                             .lpszClassName = window_class};
    RegisterClassW(&about);
}

/* Writes why a step failed and returns false. */
static bool fail(char reason[REASON_MAX], const char *step)
{
    snprintf(reason, REASON_MAX, "%s (error %lu)", step, (unsigned long)GetLastError());
    return false;
}

/* Converts the address of a function, which has another type for the compiler. */
static mmd_gpu_function find_function(const char *name)
{
    PROC found = wglGetProcAddress(name);
    mmd_gpu_function function;
    /* Some drivers return small numbers for what they do not have; OpenGL 1.1 is in the library itself. */
    if ((uintptr_t)found <= 3 || (intptr_t)found == -1)
        found = (PROC)GetProcAddress(GetModuleHandleW(L"opengl32.dll"), name);
    static_assert(sizeof found == sizeof function, "pointers to functions have one size");
    memcpy(&function, &found, sizeof function);
    return function;
}

/* Creates the window and gives it a pixel format. Nothing is drawn into it, so any format serves. */
static bool open_window(gpu_context *context, char reason[REASON_MAX])
{
    const PIXELFORMATDESCRIPTOR wanted = {.nSize = sizeof wanted,
                                          .nVersion = 1,
                                          .dwFlags =
                                              PFD_DRAW_TO_WINDOW | PFD_SUPPORT_OPENGL | PFD_DOUBLEBUFFER,
                                          .iPixelType = PFD_TYPE_RGBA,
                                          .cColorBits = 24};
    pthread_once(&registered, register_class);
    context->window =
        CreateWindowExW(0, window_class, L"", WS_POPUP, 0, 0, 1, 1, NULL, NULL, GetModuleHandleW(NULL), NULL);
    if (!context->window)
        return fail(reason, "no hidden window");
    context->device = GetDC(context->window);
    int format = context->device ? ChoosePixelFormat(context->device, &wanted) : 0;
    if (format == 0 || !SetPixelFormat(context->device, format, &wanted))
        return fail(reason, "no pixel format");
    return true;
}

/* Creates a context of the driver, with debug messages if they are logged, and makes it current. */
static bool create_core_context(gpu_context *context, bool debug, char reason[REASON_MAX])
{
    const int attributes[] = {CONTEXT_MAJOR_VERSION,
                              3,
                              CONTEXT_MINOR_VERSION,
                              3,
                              CONTEXT_PROFILE_MASK,
                              CONTEXT_CORE_PROFILE_BIT,
                              CONTEXT_FLAGS,
                              debug ? CONTEXT_DEBUG_BIT : 0,
                              0};
    HGLRC first = wglCreateContext(context->device);
    if (!first || !wglMakeCurrent(context->device, first)) {
        fail(reason, "no OpenGL");
        if (first)
            wglDeleteContext(first);
        return false;
    }
    mmd_gpu_function found = find_function("wglCreateContextAttribsARB");
    create_context create;
    memcpy(&create, &found, sizeof create);
    context->context = create ? create(context->device, NULL, attributes) : NULL;
    if (!context->context)
        fail(reason, create ? "the driver has no OpenGL 3.3" : "only Microsoft's OpenGL 1.1 is installed");
    else if (!wglMakeCurrent(context->device, context->context))
        fail(reason, "the context cannot be made current");
    wglDeleteContext(first);
    return wglGetCurrentContext() == context->context && context->context;
}

mmd_status gpu_context_create(const char *choice, const mmd_log *log, gpu_context **result, const char **kind,
                              mmd_error *error)
{
    char reason[REASON_MAX] = "";
    if (choice)
        return mmd_error_set(error, MMD_ERROR_NO_CONTEXT, "", MMD_NO_OFFSET,
                             "a program cannot choose the GPU on Windows: choose it for odori.exe in the "
                             "system's settings, under Display, Graphics");
    const mmd_gpu_current before = mmd_gpu_get_current();
    gpu_context *context = mmd_alloc(sizeof *context);
    *result = NULL;
    if (!context)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a context");
    *context = (gpu_context){NULL, NULL, NULL};
    if (open_window(context, reason) &&
        create_core_context(context, log && log->level >= MMD_LOG_DEBUG, reason)) {
        *kind = "wgl";
        *result = context;
        return MMD_OK;
    }
    gpu_context_destroy(context);
    mmd_gpu_set_current(&before);
    return mmd_error_set(error, MMD_ERROR_NO_CONTEXT, "", MMD_NO_OFFSET,
                         "no OpenGL 3.3 context (is the graphics card's driver installed?): %s", reason);
}

/* Returns a string of OpenGL in the current context. */
static const char *gl_string(GLenum name)
{
    const mmd_gpu_function found = find_function("glGetString");
    PFNGLGETSTRINGPROC get;
    memcpy(&get, &found, sizeof get);
    const char *text = get ? (const char *)get(name) : NULL;
    return text ? text : "unknown";
}

/* Lists the one that Windows has chosen. */
size_t mmd_gpu_list_devices(mmd_gpu_device *devices, size_t max)
{
    gpu_context *context;
    const char *kind;
    mmd_error error;
    assert(devices || !max);
    if (!max)
        return 0;
    const mmd_gpu_current before = mmd_gpu_get_current();
    *devices = (mmd_gpu_device){.software = false};
    if (gpu_context_create(NULL, NULL, &context, &kind, &error) == MMD_OK) {
        snprintf(devices->name, sizeof devices->name, "%s", gl_string(GL_RENDERER));
        snprintf(devices->version, sizeof devices->version, "%s", gl_string(GL_VERSION));
        gpu_context_destroy(context);
    } else {
        snprintf(devices->problem, sizeof devices->problem, "%.150s", error.message);
    }
    mmd_gpu_set_current(&before);
    return 1;
}

mmd_gpu_current mmd_gpu_get_current(void)
{
    HDC device = wglGetCurrentDC();
    return (mmd_gpu_current){NULL, device, device, wglGetCurrentContext()};
}

void mmd_gpu_set_current(const mmd_gpu_current *current)
{
    assert(current);
    if (current->context && current->context != wglGetCurrentContext())
        wglMakeCurrent(current->draw, current->context);
}

bool gpu_context_make_current(const gpu_context *context)
{
    return wglGetCurrentContext() == context->context || wglMakeCurrent(context->device, context->context);
}

void gpu_context_destroy(gpu_context *context)
{
    if (!context)
        return;
    if (context->context && wglGetCurrentContext() == context->context)
        wglMakeCurrent(NULL, NULL);
    if (context->context)
        wglDeleteContext(context->context);
    if (context->device)
        ReleaseDC(context->window, context->device);
    if (context->window)
        DestroyWindow(context->window);
    mmd_free(context);
}

mmd_gpu_function gpu_context_load(const char *name)
{
    return find_function(name);
}
