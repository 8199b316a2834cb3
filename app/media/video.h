/*
 * Videos through the ffmpeg program: raw RGBA over a pipe, one picture after
 * the other. Reading and writing, and the kinds of video that ffmpeg writes.
 */
#ifndef ODORI_VIDEO_H
#define ODORI_VIDEO_H

#include "mmd/image.h"

/* --- Reading --- */

typedef struct video video;

/* What ffprobe says of the first video stream. */
typedef struct video_info {
    uint32_t width, height;
    double rate;   /* frames a second; 0: not known */
    size_t frames; /* 0: not known */
} video_info;

/* Returns what ffmpeg calls the container that a file begins with (AVI, MP4, Matroska, Ogg, …); NULL: none of
 * a video. Playlists, and whatever else names other files, are none. */
const char *video_container(const uint8_t *data, size_t size);

/* Tells whether the first bytes of a file are those of a video's container (AVI, MP4, Matroska, Ogg, …). */
bool video_is_one(const uint8_t *data, size_t size);

/*
 * Starts ffmpeg on a file: it is told the container, where that is one of the
 * above, and may open files alone. EXIT_DONE, or the exit code of what it reported:
 * EXIT_FACILITY without the programs or memory, EXIT_INPUT for a file they
 * cannot read.
 */
int video_open(const char *path, video **result);
/* Opens it from the picture of a number on; messages call it by name. */
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
 * Open and read it in 8 or 16 bits a number, without a look at the pixels: RGBA, all
 * of it opaque where the video has no alpha. *pixels: as *frame.
 */
int video_open_as(const char *path, uint32_t bits, video **result);
int video_read_pixels(video *v, const void **pixels);

/* Reads the tag that video_kind.tag wrote to a file; "" where there is none or the file is no video. text
 * takes VIDEO_TAG_MAX bytes. EXIT_DONE, or EXIT_FACILITY without ffprobe: reported. */
enum { VIDEO_TAG_MAX = 4096 };
int video_read_tag(const char *path, char text[VIDEO_TAG_MAX]);

/* --- Kinds of video that can be written: which file they go into, which of ffmpeg's encoders make them ---
 */

typedef struct video_codec video_codec;
typedef struct video_encoder video_encoder;

/* Finds a codec by its name; NULL: none. */
const video_codec *video_codec_named(const char *name);

/* Finds the codec that belongs to a file's ending; NULL: no video's name. */
const video_codec *video_codec_of(const char *path);

/* Returns what ffmpeg calls the container of a file's ending; NULL: no video's name. */
const char *video_container_of(const char *path);

/* Checks whether pictures of this kind go into this file: EXIT_DONE, or EXIT_USAGE and a message. */
int video_codec_check(const video_codec *codec, const char *path, bool alpha, uint32_t bits);

/* Asks ffmpeg which of the codec's encoders it has. EXIT_DONE, or EXIT_FACILITY and a message. */
int video_codec_find_encoder(const video_codec *codec, const video_encoder **encoder);

/* Prints what is installed, one codec a line. The same results. */
int video_codec_list(void);

/* --- Writing: the file has another name until it is whole --- */

/* What is heard below the pictures. */
typedef struct video_sound {
    const char *path; /* "": nothing */
    double offset;    /* seconds of the dance at which it begins; may be below 0 */
    double start;     /* seconds of the dance of the first picture */
    double length;    /* of the video, seconds */
} video_sound;

enum { VIDEO_SOUND_ARGUMENTS = 10 };

/*
 * Lists ffmpeg's arguments between those for the pictures (its first input)
 * and those for the file: the sound of each moment to the sample, silence where
 * it has not begun or has ended. list: VIDEO_SOUND_ARGUMENTS of them, number
 * returned; filter: 160 bytes that they refer to.
 */
size_t video_sound_arguments(const video_sound *sound, char filter[160], const char *list[]);

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

typedef struct video_writer video_writer;

/* Starts ffmpeg. EXIT_DONE, or the exit code of what it reported; call video_write_end in any case. path must
 * outlive the writer. */
int video_write_open(video_writer **w, const char *path, const video_kind *kind);

/* Writes the next picture: RGBA of the size and the bits that were said. The same results. */
int video_write(video_writer *w, const void *pixels);

/*
 * Ends the video and frees the writer. result is what became of drawing the
 * pictures: with EXIT_DONE it waits until the file is whole and puts it in its
 * place, and where anything failed there is none; with another exit code what
 * was written is dropped. Returns result, or the exit code of the writer's own
 * failure, which is reported here.
 */
int video_write_end(video_writer *w, int result);

#endif
