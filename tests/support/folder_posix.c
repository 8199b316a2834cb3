#include "folder.h"

#include <unistd.h>

bool test_link(const char *target, const char *path)
{
    return symlink(target, path) == 0;
}

bool test_file_stretch(const char *path, uint64_t size)
{
    return truncate(path, (off_t)size) == 0;
}
