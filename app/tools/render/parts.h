/*
 * Parts of a video: runs of its pictures without loss and without sound, as
 * shards and runs that can be resumed leave them. Each says in its file which
 * pictures it has of how many, and how they were made.
 */
#ifndef ODORI_RENDER_PART_H
#define ODORI_RENDER_PART_H

#include <limits.h>

#include "files/hashes.h"
#include "base/progress.h"
#include "media/video.h"

typedef struct render_part {
    size_t first, count, total; /* pictures of the whole video */
    double rate, start;         /* pictures a second; seconds of the dance of the video's first one */
    uint32_t width, height, bits;
    bool alpha;
    double offset;       /* of the sound */
    digest made;         /* how all of them were made, */
    digest gl;           /* and with which OpenGL */
    char sound[600];     /* as it was given: a file, the bundled music's name, or "" */
    char path[PATH_MAX]; /* of the file */
} render_part;

/* The text that a file keeps. */
void render_part_write(const render_part *part, char text[1100]);

/* Reads what a file keeps. EXIT_DONE; EXIT_INPUT where it is no part, EXIT_FACILITY without ffprobe: told,
 * unless quiet. */
int render_part_read(const char *path, bool quiet, render_part *part);

/* Whether both are of one video. */
bool render_part_fits(const render_part *a, const render_part *b);

/* What a video of such pictures is, but for its codec and its sound. */
video_kind render_part_kind(const render_part *part);

/*
 * Writes the pictures of parts, in any order, to a video; each picture is in
 * one of them at least: from and to say which are wanted. Shows the progress.
 * EXIT_DONE, or the exit code of what it reported.
 */
typedef struct part_list {
    render_part *items;
    size_t count;
} part_list;
int render_parts_join(const part_list *parts, size_t from, size_t to, const char *out,
                      const video_kind *kind);

/* Puts them in order; false, and the first picture that is missing, where not all from..to are there. */
bool render_parts_sort(part_list *parts, size_t from, size_t to, size_t *missing);

/* A copy at the end; false: out of memory, told. */
bool part_list_add(part_list *list, const render_part *part);
void part_list_finish(part_list *list);

#endif
