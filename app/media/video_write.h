/*
 * Pictures to a video file, with sound or without, through the ffmpeg program:
 * raw RGBA over a pipe, one after the other. The file is written under another
 * name and gets its own when it is whole.
 */
#ifndef ODORI_VIDEO_WRITE_H
#define ODORI_VIDEO_WRITE_H

#include "mmd/image.h"
#include "video_child_internal.h"
#include "video_codec.h"

/* What is heard below the pictures. */
typedef struct video_sound {
    const char *path; /* "": nothing */
    double offset;    /* seconds of the dance at which it begins; may be below 0 */
    double start;     /* seconds of the dance of the first picture */
    double length;    /* of the video, seconds */
} video_sound;

enum { VIDEO_SOUND_ARGUMENTS = 10 };

/*
 * ffmpeg's arguments between those for the pictures (its first input) and
 * those for the file: the sound of each moment to the sample, silence where it
 * has not begun or has ended. list: VIDEO_SOUND_ARGUMENTS of them, number
 * returned; filter: 160 bytes that they refer to.
 */
size_t video_sound_arguments(const video_sound *sound, char filter[160], const char *list[]);

typedef struct video_writer {
    const char *path;
    char temporary[4160]; /* "": none yet */
    child_sink ffmpeg;
    size_t picture_size; /* bytes */
    bool failed;
} video_writer;

/* Whether a file's name ends like that of a video that ffmpeg writes. */
bool video_is_name(const char *path);

/* What is written. */
typedef struct video_kind {
    uint32_t width, height;
    double rate; /* pictures a second */
    const video_codec *codec;
    const video_encoder *encoder; /* of the codec, installed */
    bool alpha;
    uint32_t bits;   /* of a number that comes in: 8 or 16 */
    const char *tag; /* kept in the file as "odori"; NULL: none */
    video_sound sound;
} video_kind;

/* Starts ffmpeg. EXIT_DONE, or the exit code of what it reported; finish it in any case. path must outlive
 * the writer. */
int video_write_open(video_writer *w, const char *path, const video_kind *kind);

/* The next picture: RGBA of the size and the bits that were said. The same results. */
int video_write(video_writer *w, const void *pixels);

/* Waits until the file is whole and puts it in its place; where anything failed there is none. The same
 * results. */
int video_write_finish(video_writer *w);

/* Forgets what was written. */
void video_write_drop(video_writer *w);

#endif
