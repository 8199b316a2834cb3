#include "mmd/source.h"

#include <assert.h>
#include <string.h>

const char *mmd_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void mmd_path_folder(const char *path, char *folder, size_t capacity)
{
    assert(folder);
    assert(capacity > 0);
    size_t length = (size_t)(mmd_path_name(path) - path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    const char *from = length ? path : ".";
    length = length ? length : 1;
    length = length < capacity ? length : capacity - 1;
    memcpy(folder, from, length);
    folder[length] = '\0';
}
