#include "file_uri.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "mmd/platform.h"

static const char scheme[] = "file:";

/* Returns the value of a hexadecimal digit, or -1. */
static int hex_of(char c)
{
    return c >= '0' && c <= '9'         ? c - '0'
           : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
                                        : -1;
}

bool file_uri_is(const char *text, size_t length)
{
    return length > sizeof scheme - 1 && strncasecmp(text, scheme, sizeof scheme - 1) == 0;
}

bool file_uri_path(const char *uri, size_t length, char path[MMD_FILE_PATH_MAX])
{
    size_t at = sizeof scheme - 1, out = 0;
    if (!file_uri_is(uri, length))
        return false;
    size_t host = 0;
    if (length >= at + 2 && strncmp(uri + at, "//", 2) == 0) {
        at += 2;
        while (at + host < length && uri[at + host] != '/')
            host++;
        at += host;
    }
    if (at == length || uri[at] != '/')
        return false;
    const bool is_here = host == 0 || (host == 9 && strncasecmp(uri + at - host, "localhost", 9) == 0);
    for (; at < length && out + 1 < MMD_FILE_PATH_MAX; at++) {
        int high = uri[at] == '%' && at + 2 < length ? hex_of(uri[at + 1]) : -1;
        int low = high >= 0 ? hex_of(uri[at + 2]) : -1;
        path[out++] = low >= 0 ? (char)(16 * high + low) : uri[at];
        at += low >= 0 ? 2 : 0;
    }
    path[out] = '\0';
    if (at < length || strlen(path) != out)
        return false;
    if (platform_path_root(path + 1) > 1) /* "/C:/models" */
        memmove(path, path + 1, out);
    platform_path_tidy(path); /* "%5C" */
    return !platform_path_is_remote(is_here ? path : "//host", "");
}

bool file_uri_of(const char *path, char uri[FILE_URI_MAX])
{
    static const char plain[] = "-_.!~*'()/:@&=+$,"; /* as GLib writes URIs of files */
    size_t used = (size_t)snprintf(uri, FILE_URI_MAX, *path == '/' ? "file://" : "file:///");
    if (platform_path_root(path) == 0)
        return false;
    for (; *path && used + 4 <= FILE_URI_MAX; path++) {
        const unsigned char c = (unsigned char)*path;
        bool is_plain = c < 0x80 && (isalnum(c) || strchr(plain, c));
        used += (size_t)snprintf(uri + used, 4, is_plain ? "%c" : "%%%02X", c);
    }
    return !*path;
}
