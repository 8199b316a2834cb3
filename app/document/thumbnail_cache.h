/*
 * The cache of small pictures of files that all programs of a desktop share, as freedesktop.org's Thumbnail
 * Managing Standard describes it: $XDG_CACHE_HOME/thumbnails/normal/MD5.png, where MD5 is that of the file's
 * URI, and the picture says of which file it is and when that was changed. On Windows it is a folder of
 * odori's own, %LOCALAPPDATA%/odori/thumbnails, with the same files under other names. All functions may be
 * called from any thread.
 */
#ifndef ODORI_THUMBNAIL_CACHE_H
#define ODORI_THUMBNAIL_CACHE_H

#include <stdint.h>

#include "mmd/image.h"
#include "mmd/source.h"

enum { THUMBNAIL_SIZE = 128, THUMBNAIL_NAME_MAX = 40 };

/* Writes the name of the picture of a URI: the MD5 (on Windows XXH3) in 32 hexadecimal digits, and ".png". */
void thumbnail_name(const char *uri, char name[THUMBNAIL_NAME_MAX]);

/* Writes the folder of the cache. Returns false when there is none: no $XDG_CACHE_HOME and no home folder. */
bool thumbnail_cache_find(char folder[MMD_FILE_PATH_MAX]);

typedef enum thumbnail_found {
    THUMBNAIL_MISSING, /* the cache has no picture, or one from before the file's last change */
    THUMBNAIL_FOUND,
    THUMBNAIL_IMPOSSIBLE, /* odori has tried and could not make one of this file */
} thumbnail_found;

/* Reads the picture of a file that was last changed at this time: of 128 pixels or, because some desktops
 * make only these, of 256. */
thumbnail_found thumbnail_cache_read(const char *path, int64_t modified, mmd_image *image);

/* Writes the picture of a file, or that none can be made: an image without pixels. Returns false when it
 * cannot be written. */
bool thumbnail_cache_write(const char *path, int64_t modified, const mmd_image *image);

/* Decodes a PNG with sides of at most `most` pixels. Returns false for anything else. */
bool thumbnail_decode(const void *data, size_t size, uint32_t most, mmd_image *image);

#endif
