/* Kinds of video that ffmpeg writes: which file they go into, which of its encoders make them, what they
 * keep. */
#ifndef ODORI_VIDEO_CODEC_H
#define ODORI_VIDEO_CODEC_H

#include <stdbool.h>
#include <stdint.h>

enum { VIDEO_ENCODERS_MAX = 3, VIDEO_OPTIONS_MAX = 12 };

/* One of ffmpeg's encoders, and what it is told. */
typedef struct video_encoder {
    const char *name; /* NULL: no more */
    const char *options[VIDEO_OPTIONS_MAX];
} video_encoder;

typedef struct video_codec {
    const char *name, *title, *endings;         /* ".mp4 .mov" */
    const char *formats[2][2];                  /* of pixels, by alpha and 16 bits; NULL: cannot be */
    const char *alpha_options[5];               /* told beside, with alpha; NULL: no more */
    bool halves;                                /* of colours: sizes have to be even */
    bool lossless;                              /* pictures are kept as they are */
    video_encoder encoders[VIDEO_ENCODERS_MAX]; /* the first that is installed */
} video_codec;

/* By name; NULL: none. */
const video_codec *video_codec_named(const char *name);

/* The one that belongs to a file's ending; NULL: no video's name. */
const video_codec *video_codec_of(const char *path);

/* What ffmpeg calls the container of a file's ending; NULL: no video's name. */
const char *video_container_of(const char *path);

/* The encoder of the sound of such files. */
const char *video_sound_codec_of(const char *path);

/* What is wrong with pictures of this kind in this file: EXIT_DONE, or EXIT_USAGE and a message. */
int video_codec_check(const video_codec *codec, const char *path, bool alpha, uint32_t bits);

/* Asks ffmpeg which of the encoders is there. EXIT_DONE, or EXIT_FACILITY and a message. */
int video_codec_find_encoder(const video_codec *codec, const video_encoder **encoder);

/* Prints what is installed, one codec a line. The same results. */
int video_codec_list(void);

#endif
