/*
 * Small pictures of files for lists of files. They come from the desktop's cache (thumbnail_cache.h), or
 * `odori thumbnail` makes them: a process of its own, in the sandbox, nice, with limits of time and memory,
 * because nobody has chosen to open these files. Two threads at most read and wait; they exist only while
 * pictures are awaited. Nobody ever waits for them.
 */
#ifndef ODORI_THUMBNAILS_H
#define ODORI_THUMBNAILS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mmd/image.h"
#include "mmd/source.h"

typedef struct thumbnails thumbnails;

enum { THUMBNAILS_WISHES_MAX = 64 };

/* A picture that is wanted. */
typedef struct thumbnail_wish {
    uint32_t number;              /* the caller's, which identifies it */
    char path[MMD_FILE_PATH_MAX]; /* absolute */
    bool is_made;   /* it is made if the cache has none; otherwise only the cache is looked at */
    bool has_cache; /* the file can be in the cache; not a file of an archive */
} thumbnail_wish;

/* Creates a maker of pictures, which runs this program (`odori`) for them, and kills it after `patience`
 * seconds. `wake` is called from another thread when a picture is there; NULL: it is not. Returns NULL when
 * out of memory. */
thumbnails *thumbnails_create(const char *program, double patience, void (*wake)(void *user), void *user);
void thumbnails_destroy(thumbnails *t); /* does nothing when NULL */

/* What is made is also written to the cache, or not (as at first). */
void thumbnails_store(thumbnails *t, bool stores);

/* Sets which pictures are wanted, in this order and at most THUMBNAILS_WISHES_MAX. Others that are waiting
 * are given up; those that are being made are not. */
void thumbnails_want(thumbnails *t, const thumbnail_wish *wishes, size_t count);

/* Gives up all pictures, also those that are done or being made. */
void thumbnails_clear(thumbnails *t);

/* Takes a picture that is done: its number and, unless there is none of this file, the image, which the
 * caller has to finish. Returns false when none is done. */
bool thumbnails_take(thumbnails *t, uint32_t *number, mmd_image *image);

/* Returns whether pictures are being looked for or made. */
bool thumbnails_are_awaited(const thumbnails *t);

#endif
