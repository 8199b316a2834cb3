/* Memory and files for the generator. Failure ends the program. */
#include "tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/platform.h"
#include "mmd/source.h"

_Noreturn void tool_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("odori_dancer: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

void *tool_alloc(mmd_arena *arena, size_t count, size_t size)
{
    void *memory = mmd_arena_alloc(arena, count, size);
    if (!memory)
        tool_die("out of memory");
    return memory;
}

const char *tool_text(mmd_arena *arena, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text)
        tool_die("a text is too long: %s", text);
    char *copy = mmd_arena_text(arena, text, (size_t)length);
    if (!copy)
        tool_die("out of memory");
    return copy;
}

void tool_folder(const char *path)
{
    if (!platform_make_folder(path, 0777) && errno != EEXIST)
        tool_die("%s: %s", path, strerror(errno));
}

void tool_write(const char *directory, const char *name, mmd_buffer *bytes)
{
    if (bytes->failed)
        tool_die("out of memory while making %s", name);
    char path[4096];
    mmd_error error;
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
        tool_die("%s/%s: too long a path", directory, name);
    if (mmd_file_write(path, bytes->data, bytes->size, &error) != MMD_OK)
        tool_die("%s: %s", path, error.message);
    mmd_buffer_finish(bytes);
}

void *tool_grow(void *items, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count == *capacity) {
        *capacity = *capacity ? *capacity * 2 : 64;
        items = mmd_realloc(items, *capacity * size);
        if (!items)
            tool_die("out of memory");
    }
    memset((char *)items + count * size, 0, size);
    return items;
}
