/*
 * A GPU of small limits in the place of the installed one, for tests: LD_PRELOAD this. Two variables hold the
 * limits: ODORI_TEST_TEXTURES, the largest width and height of textures, and ODORI_TEST_TEXELS, the most
 * texels of buffer textures. OpenGL 3.3 guarantees 1,024 and 65,536. As there, larger textures are an error,
 * and texels beyond the limit are 0.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <EGL/egl.h>
#include <GL/glcorearb.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef __eglMustCastToProperFunctionPointerType function;

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
    function result = get(name);
    if (!result)
        abort();
    return result;
}

/* Returns a limit from the environment, or what the driver allows if that is less or nothing is set. */
static GLint limit(const char *variable, GLenum name)
{
    const char *text = getenv(variable);
    const int wanted = text ? atoi(text) : 0;
    GLint own = 0;
    ((PFNGLGETINTEGERVPROC)driver("glGetIntegerv"))(name, &own);
    return wanted > 0 && wanted < own ? wanted : own;
}

static void APIENTRY get_integer(GLenum name, GLint *values)
{
    if (name == GL_MAX_TEXTURE_SIZE)
        *values = limit("ODORI_TEST_TEXTURES", name);
    else if (name == GL_MAX_TEXTURE_BUFFER_SIZE)
        *values = limit("ODORI_TEST_TEXELS", name);
    else
        ((PFNGLGETINTEGERVPROC)driver("glGetIntegerv"))(name, values);
}

static void APIENTRY texture_image(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height,
                                   GLint border, GLenum format, GLenum type, const void *pixels)
{
    const GLint most = limit("ODORI_TEST_TEXTURES", GL_MAX_TEXTURE_SIZE);
    if (width > most || height > most)
        level = -1; /* the driver reports GL_INVALID_VALUE */
    ((PFNGLTEXIMAGE2DPROC)driver("glTexImage2D"))(target, level, internal, width, height, border, format,
                                                  type, pixels);
}

/* Attaches as much of a buffer as may be read. The program's only format is GL_RGBA32F. */
static void APIENTRY texture_buffer(GLenum target, GLenum internal, GLuint buffer)
{
    const GLsizeiptr most = (GLsizeiptr)limit("ODORI_TEST_TEXELS", GL_MAX_TEXTURE_BUFFER_SIZE) * 16;
    GLint size = 0;
    if (internal != GL_RGBA32F)
        abort();
    ((PFNGLBINDBUFFERPROC)driver("glBindBuffer"))(GL_COPY_READ_BUFFER, buffer);
    ((PFNGLGETBUFFERPARAMETERIVPROC)driver("glGetBufferParameteriv"))(GL_COPY_READ_BUFFER, GL_BUFFER_SIZE,
                                                                      &size);
    ((PFNGLBINDBUFFERPROC)driver("glBindBuffer"))(GL_COPY_READ_BUFFER, 0);
    if (size > most)
        ((PFNGLTEXBUFFERRANGEPROC)driver("glTexBufferRange"))(target, internal, buffer, 0, most);
    else
        ((PFNGLTEXBUFFERPROC)driver("glTexBuffer"))(target, internal, buffer);
}

function eglGetProcAddress(const char *name)
{
    if (strcmp(name, "glGetIntegerv") == 0)
        return (function)get_integer;
    if (strcmp(name, "glTexImage2D") == 0)
        return (function)texture_image;
    if (strcmp(name, "glTexBuffer") == 0)
        return (function)texture_buffer;
    void *found = dlsym(RTLD_NEXT, "eglGetProcAddress");
    function (*real)(const char *);
    memcpy(&real, &found, sizeof found);
    return real(name);
}
