/* File URIs (RFC 8089), as file managers, the clipboard and the desktop's file chooser name files. */
#ifndef ODORI_FILE_URI_H
#define ODORI_FILE_URI_H

#include <stdbool.h>
#include <stddef.h>

#include "mmd/source.h"

/* Returns whether a text begins as a file URI. */
bool file_uri_is(const char *text, size_t length);

/*
 * Writes the absolute path that a file URI names, with its %-escapes decoded. Returns false for anything
 * else: another scheme, no absolute path, a NUL in the name, or a path that is too long. The name of a host
 * is skipped, but on Windows, where it is a server, such a URI is refused (platform_path_is_remote).
 */
bool file_uri_path(const char *uri, size_t length, char path[MMD_FILE_PATH_MAX]);

enum { FILE_URI_MAX = 3 * MMD_FILE_PATH_MAX + 8 };

/* Writes the URI of an absolute path, with the same characters escaped as file managers do, because the cache
 * of thumbnails is named after it. Returns false for a relative path and one that is too long. */
bool file_uri_of(const char *path, char uri[FILE_URI_MAX]);

#endif
