/*
 * Frames of a video through the ffmpeg program: raw RGBA over a pipe, one
 * after the other, nothing on the disk.
 */
#ifndef ODORI_VIDEO_H
#define ODORI_VIDEO_H

#include "mmd/image.h"

typedef struct video video;

/* What ffprobe says of the first video stream. */
typedef struct video_info {
    uint32_t width, height;
    double rate;   /* frames a second; 0: not known */
    size_t frames; /* 0: not known */
} video_info;

/* What ffmpeg calls the container that a file begins with (AVI, MP4, Matroska, Ogg, …); NULL: none of a
 * video. Playlists, and whatever else names other files, are none. */
const char *video_container(const uint8_t *data, size_t size);

/* Whether the first bytes of a file are those of a video's container (AVI, MP4, Matroska, Ogg, …). */
bool video_is_one(const uint8_t *data, size_t size);

/*
 * Starts ffmpeg on a file: it is told the container, where that is one of the
 * above, and may open files alone. EXIT_DONE, or the exit code of what it reported:
 * EXIT_FACILITY without the programs or memory, EXIT_INPUT for a file they
 * cannot read.
 */
int video_open(const char *path, video **result);
/* The same from the picture of a number on; messages call it by name. */
int video_open_at(const char *path, const char *name, size_t first, video **result);
void video_close(video *v); /* NULL is allowed; ends ffmpeg where it is not done */

const video_info *video_get_info(const video *v);

/*
 * Reads the next frame. *frame: the video's own memory, good until the next
 * call; NULL behind the last frame. EXIT_DONE, or the exit code of what it
 * reported: EXIT_INPUT where the video is damaged.
 */
int video_read(video *v, const mmd_image **frame);

/*
 * The same in 8 or 16 bits a number, without a look at the pixels: RGBA, all
 * of it opaque where the video has no alpha. *pixels: as *frame.
 */
int video_open_as(const char *path, uint32_t bits, video **result);
int video_read_pixels(video *v, const void **pixels);

#endif
