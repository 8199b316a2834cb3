/* Videos through the ffmpeg program: raw RGBA over a pipe, picture by picture. Reading, writing, and the
 * kinds of video that ffmpeg can write. */
#ifndef ODORI_VIDEO_H
#define ODORI_VIDEO_H

#include "mmd/image.h"

/* --- Reading --- */

typedef struct video video;

/* Properties of the first video stream, from ffprobe. */
typedef struct video_info {
    uint32_t width, height;
    double rate;   /* frames per second; 0 if unknown */
    size_t frames; /* 0 if unknown */
} video_info;

/* Returns ffmpeg's name of the container that a file begins with (AVI, MP4, Matroska, Ogg, …); NULL for
 * anything else. Playlists and other formats that refer to files are not recognised. */
const char *video_container(const uint8_t *data, size_t size);

/* Tests whether the first bytes of a file are those of such a container. */
bool video_is_one(const uint8_t *data, size_t size);

/*
 * Starts ffmpeg on a regular file in a known container (video_container), of which ffmpeg is told the name,
 * and lets it open nothing else. Returns EXIT_DONE, or the exit code of what it printed: EXIT_FACILITY
 * without the programs or memory, EXIT_INPUT for an unreadable file.
 */
int video_open(const char *path, video **result);
/* Opens a video at a picture; messages use the given name. */
int video_open_at(const char *path, const char *name, size_t first, video **result);
void video_close(video *v); /* NULL is allowed; stops ffmpeg if it is still running */

const video_info *video_get_info(const video *v);

/* Reads the next frame. *frame belongs to the video and is valid until the next call; NULL after the last
 * frame. Returns EXIT_DONE, or the exit code of what it printed: EXIT_INPUT if the video is damaged. */
int video_read(video *v, const mmd_image **frame);

/* Open and read a video with 8 or 16 bits per channel, without analysing the pixels: RGBA, opaque if the
 * video has no alpha. *pixels is valid like *frame. */
int video_open_as(const char *path, uint32_t bits, video **result);
int video_read_pixels(video *v, const void **pixels);

/* Reads the tag that video_kind.tag wrote; "" if there is none or the file is no video. text has
 * VIDEO_TAG_MAX bytes. Returns EXIT_DONE, or after a message EXIT_FACILITY without ffprobe, EXIT_INPUT if the
 * file cannot be opened. */
enum { VIDEO_TAG_MAX = 4096 };
int video_read_tag(const char *path, char text[VIDEO_TAG_MAX]);

/* --- Kinds of video that can be written: files, and ffmpeg's encoders for them --- */

typedef struct video_codec video_codec;
typedef struct video_encoder video_encoder;

/* Finds a codec by name; NULL if there is none. */
const video_codec *video_codec_named(const char *name);

/* Finds the codec for a file's extension; NULL if it is not that of a video. */
const video_codec *video_codec_of(const char *path);

/* Returns ffmpeg's name of the container for a file's extension; NULL if it is not that of a video. */
const char *video_container_of(const char *path);

/* Checks whether a file of this kind can hold such pictures. Returns EXIT_DONE, or EXIT_USAGE after a
 * message. */
int video_codec_check(const video_codec *codec, const char *path, bool alpha, uint32_t bits);

/* Asks ffmpeg which of the codec's encoders is installed. Returns EXIT_DONE, or EXIT_FACILITY after a
 * message. */
int video_codec_find_encoder(const video_codec *codec, const video_encoder **encoder);

/* Prints the installed codecs, one per line. Same results. */
int video_codec_list(void);

/* --- Writing: the file has no name until it is complete (base/output.h) --- */

/* The sound of a video. */
typedef struct video_sound {
    const char *path; /* "" for none */
    double offset;    /* seconds of the dance at which the sound begins; may be negative */
    double start;     /* seconds of the dance at the first picture */
    double length;    /* of the video, in seconds */
} video_sound;

/* What to write. */
typedef struct video_kind {
    uint32_t width, height;
    double rate; /* pictures per second */
    const video_codec *codec;
    const video_encoder *encoder; /* encoder of the codec that is installed */
    bool alpha;
    uint32_t bits;   /* bits per channel of the input: 8 or 16 */
    const char *tag; /* stored in the file as "odori"; NULL for none */
    video_sound sound;
} video_kind;

typedef struct video_writer video_writer;

/* Starts ffmpeg. Returns EXIT_DONE, or the exit code of what it printed; call video_write_end in either case.
 * path must outlive the writer; NULL: the video is encoded and kept nowhere, for measurements. */
int video_write_open(video_writer **w, const char *path, const video_kind *kind);

/* Writes the next picture: RGBA of the given size and bits. Same results. */
int video_write(video_writer *w, const void *pixels);

/*
 * Ends the video and frees the writer. result is the outcome of drawing: with EXIT_DONE it waits until the
 * file is complete and renames it, unless something failed; with another exit code the file is discarded.
 * Returns result, or the exit code of the writer's own failure, which it prints.
 */
int video_write_end(video_writer *w, int result);

#endif
