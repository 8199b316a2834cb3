#include "paths.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "mmd/source.h"

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

/* Moves a resolved path up to its folder. */
static void go_up(char resolved[PATH_MAX])
{
    char *slash = strrchr(resolved, '/');
    if (slash)
        slash[slash == resolved] = '\0';
}

bool path_resolve(const char *path, char resolved[PATH_MAX])
{
    char there[PATH_MAX], folder[PATH_MAX];
    struct stat link;
    if (realpath(path, resolved))
        return true;
    if (strlen(path) >= sizeof there)
        return false;
    snprintf(there, sizeof there, "%s", path);
    size_t length = strlen(there);
    while (length > 1 && there[length - 1] == '/')
        there[--length] = '\0';
    if (lstat(there, &link) == 0 && S_ISLNK(link.st_mode))
        return false;
    const char *name = mmd_path_name(there);
    mmd_path_folder(there, folder, sizeof folder);
    if (strcmp(folder, there) == 0 || !path_resolve(folder, resolved))
        return false;
    if (strcmp(name, "..") == 0) {
        go_up(resolved); /* the folder does not exist, so it will be no link */
        return true;
    }
    if (strcmp(name, ".") == 0)
        return true;
    size_t used = strlen(resolved);
    return snprintf(resolved + used, PATH_MAX - used, "%s%s", used && resolved[used - 1] == '/' ? "" : "/",
                    name) < (int)(PATH_MAX - used);
}

bool path_is_inside(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 &&
           (path[length] == '/' || path[length] == '\0' || (length && folder[length - 1] == '/'));
}

bool path_scope_add(path_scope *scope, const char *folder, mmd_arena *arena)
{
    char resolved[PATH_MAX];
    if (!path_resolve(folder, resolved))
        return false;
    const char *kept = mmd_arena_text(arena, resolved, strlen(resolved));
    return kept && text_list_add(&scope->folders, kept);
}

bool path_scope_has(const path_scope *scope, const char *path, char why[PATH_WHY_MAX])
{
    char resolved[PATH_MAX];
    bool known = path_resolve(path, resolved);
    for (size_t i = 0; known && i < scope->folders.count; i++)
        if (path_is_inside(resolved, scope->folders.items[i]))
            return true;
    snprintf(why, PATH_WHY_MAX, "%s%.800s, outside of %.800s; %s allows another folder",
             known ? "leads to " : "may lead ", known ? resolved : "anywhere", scope->folders.items[0],
             scope->option);
    return false;
}

bool path_of_program(char program[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", program, PATH_MAX - 1);
    if (length <= 0)
        return false;
    program[length] = '\0';
    return true;
}
