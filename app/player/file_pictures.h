/* The small pictures on the page of files (document/file_page.h), as textures. They exist while the page is
 * open. */
#ifndef ODORI_FILE_PICTURES_H
#define ODORI_FILE_PICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "document/file_page.h"
#include "mmd/gpu.h"

enum { FILE_PICTURES_MAX = 256 };

/* The texture of an entry. */
typedef struct file_texture {
    uint32_t entry, texture;
} file_texture;

/* Zero-initialise. */
typedef struct file_pictures {
    file_texture textures[FILE_PICTURES_MAX]; /* oldest first */
    size_t count;
    unsigned of; /* pictures_of of the page */
} file_pictures;

/* Takes over the pictures that have come, and destroys those of a folder that is shown no more. Beyond
 * FILE_PICTURES_MAX the oldest are destroyed. Returns whether a picture has come. page may be NULL. */
bool file_pictures_follow(file_pictures *p, file_page *page, mmd_gpu *gpu);

/* Destroys all textures. */
void file_pictures_finish(file_pictures *p, mmd_gpu *gpu);

#endif
