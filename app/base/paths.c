#include "paths.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"

bool path_make_subfolder(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    message("%s: the folder cannot be created: %s", path, strerror(errno));
    return false;
}

bool path_make_folder(const char *path)
{
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *c = part + 1;; c++) {
        if (*c && *c != '/')
            continue;
        char separator = *c;
        *c = '\0';
        if (!path_make_subfolder(part))
            return false;
        *c = separator;
        if (!separator)
            return true;
    }
}

char *path_join(char *text, const char *folder, const char *format, ...)
{
    va_list arguments;
    int used = snprintf(text, PATH_MAX, "%s/", folder);
    if (used >= PATH_MAX)
        return text;
    va_start(arguments, format);
    vsnprintf(text + used, PATH_MAX - (size_t)used, format, arguments);
    va_end(arguments);
    return text;
}

bool path_of_program(char program[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", program, PATH_MAX - 1);
    if (length <= 0)
        return false;
    program[length] = '\0';
    return true;
}
