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
    char part[MMD_FILE_PATH_MAX];
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
    int used = snprintf(text, MMD_FILE_PATH_MAX, "%s/", folder);
    if (used >= MMD_FILE_PATH_MAX)
        return text;
    va_start(arguments, format);
    vsnprintf(text + used, MMD_FILE_PATH_MAX - (size_t)used, format, arguments);
    va_end(arguments);
    return text;
}

/* Cuts the last part off a path, and slashes around it. Of a path of one part, nothing or the first slash
 * stays. */
static void cut_part(char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    while (length > 1 && path[length - 1] == '/')
        length--;
    path[length] = '\0';
}

/* Tests whether a path is that of a link. */
static bool is_link(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && S_ISLNK(about.st_mode);
}

/* Appends parts that do not exist to a resolved path. Returns false if it becomes too long, or if one of them
 * is "..": whoever makes the missing folders could then follow a link behind it. */
static bool append_parts(char resolved[MMD_FILE_PATH_MAX], const char *parts)
{
    size_t length;
    for (; *parts; parts += length + (parts[length] == '/')) {
        length = strcspn(parts, "/");
        size_t used = strlen(resolved);
        if (length == 2 && strncmp(parts, "..", 2) == 0)
            return false;
        if (length == 0 || (length == 1 && *parts == '.'))
            continue;
        if (snprintf(resolved + used, MMD_FILE_PATH_MAX - used, "%s%.*s",
                     resolved[used - 1] == '/' ? "" : "/", (int)length,
                     parts) >= (int)(MMD_FILE_PATH_MAX - used))
            return false;
    }
    return true;
}

bool path_resolve(const char *path, char resolved[MMD_FILE_PATH_MAX])
{
    char there[MMD_FILE_PATH_MAX];
    size_t length = strlen(path);
    if (length >= sizeof there)
        return false;
    memcpy(there, path, length + 1);
    while (length > 1 && there[length - 1] == '/')
        there[--length] = '\0';
    while (!realpath(*there ? there : ".", resolved)) {
        if (!*there || is_link(there))
            return false;
        cut_part(there);
    }
    return append_parts(resolved, path + strlen(there));
}

bool path_scope_add(path_scope *scope, const char *folder, mmd_arena *arena)
{
    char resolved[MMD_FILE_PATH_MAX];
    if (!path_resolve(folder, resolved))
        return false;
    const char *kept = mmd_arena_text(arena, resolved, strlen(resolved));
    return kept && text_list_add(&scope->folders, kept);
}

bool path_scope_has(const path_scope *scope, const char *path, char why[PATH_WHY_MAX])
{
    char resolved[MMD_FILE_PATH_MAX];
    bool known = path_resolve(path, resolved);
    for (size_t i = 0; known && i < scope->folders.count; i++)
        if (mmd_path_is_inside(resolved, scope->folders.items[i]))
            return true;
    snprintf(
        why, PATH_WHY_MAX,
        "%s%.800s, outside of %.800s; a suite reads only its own folder or its git repository: give %s DIR",
        known ? "leads to " : "may lead ", known ? resolved : "anywhere", scope->folders.items[0],
        scope->option);
    return false;
}
