/*
 * Tells which texts Windows would take for paths of servers and devices. Compiled on every system, so that the
 * tests of every system try it.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "mmd/platform.h"

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

/* Returns the path behind "\\?\" or "\\.\", or NULL if it does not begin so. */
static const char *behind_prefix(const char *path)
{
    const bool has_prefix = is_separator(path[0]) && is_separator(path[1]) &&
                            (path[2] == '?' || path[2] == '.') && is_separator(path[3]);
    return has_prefix ? path + 4 : NULL;
}

bool platform_windows_is_remote(const char *path)
{
    const char *rest = behind_prefix(path);
    if (rest && path[2] == '?' && isalpha((unsigned char)rest[0]) && rest[1] == ':' && is_separator(rest[2]))
        return false;
    if (is_separator(path[0]) && path[1] == '?' && path[2] == '?' && is_separator(path[3]))
        return true; /* "\??\UNC\server", the form inside the kernel */
    return is_separator(path[0]) && is_separator(path[1]);
}

/* Finds the names of the server and its share. Returns false if a path does not begin with both. */
static bool find_share(const char *path, const char *names[2], size_t lengths[2])
{
    const char *rest = behind_prefix(path);
    if (!platform_windows_is_remote(path) || (rest && strncasecmp(rest, "UNC", 3) != 0) ||
        (rest && !is_separator(rest[3])))
        return false;
    path = rest ? rest + 4 : path + 2;
    for (int i = 0; i < 2; i++) {
        names[i] = path;
        lengths[i] = strcspn(path, "/\\");
        if (lengths[i] == strspn(path, ".?")) /* "", "..", and "?" of another prefix */
            return false;
        path += lengths[i] + (path[lengths[i]] != '\0');
    }
    return true;
}

bool platform_windows_same_share(const char *a, const char *b)
{
    const char *names[2][2];
    size_t lengths[2][2];
    if (!find_share(a, names[0], lengths[0]) || !find_share(b, names[1], lengths[1]))
        return false;
    for (int i = 0; i < 2; i++)
        if (lengths[0][i] != lengths[1][i] || strncasecmp(names[0][i], names[1][i], lengths[0][i]) != 0)
            return false;
    return true;
}
