#include "paths.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "message.h"

bool path_make_folder(const char *path)
{
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *c = part + 1;; c++) {
        if (*c && *c != '/')
            continue;
        char kept = *c;
        *c = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            message("%s: cannot be made: %s", part, strerror(errno));
            return false;
        }
        *c = kept;
        if (!kept)
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
