/*
 * EGL 1.4 in the place of the installed one, for tests: LD_PRELOAD this. It says that it is 1.4, has no
 * function and no attribute of 1.5, and leaves out the extensions whose names are in ODORI_TEST_NO_EGL,
 * separated by spaces.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <EGL/egl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stores the function that this library hides in a pointer to it. */
static void find(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    memcpy(function, &found, sizeof found);
}

/* Returns whether a name is in a list that is separated by spaces. */
static int is_in(const char *list, const char *name, size_t length)
{
    for (const char *at = list; at && (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return 1;
    return 0;
}

EGLBoolean eglInitialize(EGLDisplay display, EGLint *major, EGLint *minor)
{
    EGLBoolean (*real)(EGLDisplay, EGLint *, EGLint *);
    find("eglInitialize", &real);
    const EGLBoolean ok = real(display, major, minor);
    if (ok && minor)
        *minor = 4;
    return ok;
}

const char *eglQueryString(EGLDisplay display, EGLint name)
{
    static char lists[2][16384]; /* of clients and of displays */
    const char *(*real)(EGLDisplay, EGLint);
    find("eglQueryString", &real);
    const char *text = real(display, name), *without = getenv("ODORI_TEST_NO_EGL");
    char *list = lists[display != EGL_NO_DISPLAY], word[256];
    size_t used = 0;
    if (!text || name != EGL_EXTENSIONS)
        return name == EGL_VERSION ? "1.4" : text;
    for (int length = 0; sscanf(text, " %255s%n", word, &length) == 1; text += length)
        if (!is_in(without, word, strlen(word)) && used + strlen(word) + 2 < sizeof lists[0])
            used += (size_t)sprintf(list + used, "%s ", word);
    list[used] = '\0';
    return list;
}

__eglMustCastToProperFunctionPointerType eglGetProcAddress(const char *name)
{
    __eglMustCastToProperFunctionPointerType (*real)(const char *);
    find("eglGetProcAddress", &real);
    return strcmp(name, "eglGetPlatformDisplay") == 0 ? NULL : real(name);
}

EGLDisplay eglGetPlatformDisplay(EGLenum platform, void *native, const EGLAttrib *attributes)
{
    (void)platform, (void)native, (void)attributes;
    abort(); /* 1.4 does not have it: the program would not start */
}

EGLContext eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext share, const EGLint *attributes)
{
    EGLContext (*real)(EGLDisplay, EGLConfig, EGLContext, const EGLint *);
    find("eglCreateContext", &real);
    for (const EGLint *at = attributes; at && *at != EGL_NONE; at += 2)
        if (*at == EGL_CONTEXT_OPENGL_DEBUG)
            return EGL_NO_CONTEXT;
    return real(display, config, share, attributes);
}
