/* Pictures to a video file, through the ffmpeg program: raw RGBA over a pipe, one after the other. */
#ifndef ODORI_VIDEO_WRITE_H
#define ODORI_VIDEO_WRITE_H

#include <sys/types.h>

#include "mmd/image.h"

typedef struct video_writer {
    const char *path;
    pid_t id;
    int pipe; /* -1: closed */
} video_writer;

/* Whether a file's name ends like that of a video that ffmpeg writes. */
bool video_is_name(const char *path);

/* Starts ffmpeg. rate: pictures a second. EXIT_DONE, or the exit code of what it reported; finish it in any
 * case. path must outlive the writer. */
int video_write_open(video_writer *w, const char *path, uint32_t width, uint32_t height, double rate);

/* The next picture, of the size that was said; its alpha is not looked at. The same results. */
int video_write(video_writer *w, const mmd_image *image);

/* Waits until the file is whole. The same results. */
int video_write_finish(video_writer *w);

#endif
