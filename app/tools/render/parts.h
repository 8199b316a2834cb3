/*
 * Parts of a video, which shards and resumable runs write: consecutive pictures, lossless and without sound. Each
 * file stores which of the pictures it has, and how they were made.
 */
#ifndef ODORI_RENDER_PART_H
#define ODORI_RENDER_PART_H

#include "files/hashes.h"
#include "base/progress.h"
#include "media/video.h"
#include "mmd/source.h"

typedef struct render_part {
    size_t first, count, total; /* pictures: the first one, their number, and that of the whole video */
    double rate, start;         /* pictures per second; time of the first picture of the video in seconds */
    uint32_t width, height, bits;
    bool alpha;
    double offset;       /* of the sound, in seconds */
    digest made;         /* digest of how the pictures were made, without the driver */
    digest gl;           /* digest of the OpenGL driver */
    char sound[600];     /* as given: a file, the name of the bundled music, or "" */
    char path[MMD_FILE_PATH_MAX]; /* of the file */
} render_part;

/* Writes the description that is stored in the file. */
void render_part_write(const render_part *part, char text[1100]);

/* Reads the description in a file. Returns EXIT_DONE, EXIT_INPUT for a file that is not a part, or EXIT_FACILITY
 * without ffprobe. quiet suppresses the message about a file that is not a part. */
int render_part_read(const char *path, bool quiet, render_part *part);

/* Returns whether two parts belong to the same video. */
bool render_part_fits(const render_part *a, const render_part *b);

/* Returns the properties of a video of such pictures, without codec and sound. */
video_kind render_part_kind(const render_part *part);

typedef struct part_list {
    render_part *items;
    size_t count;
} part_list;

/*
 * Writes the pictures from..to - 1 of sorted parts to a video and shows the progress. Each of them has to be in at
 * least one part. Returns an exit code; errors were reported.
 */
int render_parts_join(const part_list *parts, size_t from, size_t to, const char *out,
                      const video_kind *kind);

/* Sorts parts by their first picture. False: not all pictures from..to - 1 are in a part, and *missing is the
 * first of those. */
bool render_parts_sort(part_list *parts, size_t from, size_t to, size_t *missing);

/* Appends a copy of a part. False: out of memory, which was reported. */
bool part_list_add(part_list *list, const render_part *part);
void part_list_finish(part_list *list);

#endif
