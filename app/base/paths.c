#include "paths.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "mmd/platform.h"
#include "mmd/source.h"

bool path_make_subfolder(const char *path)
{
    if (platform_make_folder(path, 0777) || errno == EEXIST)
        return true;
    message("%s: the folder cannot be created: %s", path, strerror(errno));
    return false;
}

bool path_make_folder(const char *path)
{
    char part[MMD_FILE_PATH_MAX];
    const size_t root = platform_path_root(path);
    if (root > 0 && !path[root])
        return true;
    snprintf(part, sizeof part, "%s", path);
    for (char *c = part + (root > 0 ? root : 1);; c++) {
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
    const size_t root = platform_path_root(folder);
    const bool is_root = root > 0 && !folder[root]; /* "//name" would be a server */
    int used = snprintf(text, MMD_FILE_PATH_MAX, "%s%s", folder, is_root ? "" : "/");
    if (used >= MMD_FILE_PATH_MAX)
        return text;
    va_start(arguments, format);
    vsnprintf(text + used, MMD_FILE_PATH_MAX - (size_t)used, format, arguments);
    va_end(arguments);
    return text;
}

/* Returns the length of a path without the slashes at its end, which are not part of its root. */
static size_t trimmed(const char *path, size_t length)
{
    const size_t root = platform_path_root(path);
    while (length > 1 && length > root && path[length - 1] == '/')
        length--;
    return length;
}

/* Cuts the last part off a path, and slashes around it. Of a path of one part, nothing or the root stays.
 * Returns false if nothing could be cut off. */
static bool cut_part(char *path)
{
    const size_t root = platform_path_root(path), before = strlen(path);
    size_t length = trimmed(path, before);
    while (length > root && path[length - 1] != '/')
        length--;
    length = trimmed(path, length);
    path[length] = '\0';
    return length < before;
}

/* Tests whether a path is that of a link. */
static bool is_link(const char *path)
{
    platform_info about;
    return platform_stat_link(path, &about) && about.kind == PLATFORM_LINK;
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
    there[trimmed(there, length)] = '\0';
    while (!platform_path_resolve(*there ? there : ".", resolved)) {
        if (!*there || is_link(there) || !cut_part(there))
            return false;
    }
    return append_parts(resolved, path + strlen(there));
}

bool path_tidy_foreign(char *path, const char *full)
{
    if (!strchr(path, '\\'))
        return false;
    platform_path_tidy(path);
    if (strchr(path, '\\') && platform_exists(full))
        return false;
    for (char *c = path; *c; c++)
        *c = *c == '\\' ? '/' : *c;
    return true;
}

bool path_scope_add(path_scope *scope, const char *folder, mmd_arena *arena)
{
    char resolved[MMD_FILE_PATH_MAX];
    if (!path_resolve(folder, resolved))
        return false;
    const char *kept = mmd_arena_text(arena, resolved, strlen(resolved));
    return kept && text_list_add(&scope->folders, kept);
}

bool path_scope_reaches(const path_scope *scope, const char *path)
{
    for (size_t i = 0; i < scope->folders.count; i++)
        if (!platform_path_is_remote(path, scope->folders.items[i]))
            return true;
    return false;
}

bool path_scope_has(const path_scope *scope, const char *path, char why[PATH_WHY_MAX])
{
    char resolved[MMD_FILE_PATH_MAX];
    if (!path_scope_reaches(scope, path)) {
        snprintf(why, PATH_WHY_MAX,
                 "is on another computer or a device; a suite reads only its own folder or its git "
                 "repository: give %s DIR",
                 scope->option);
        return false;
    }
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
