/* An input of `odori diff`: a picture, a folder of frames or a video, read as frames in ascending order. */
#ifndef ODORI_DIFF_FRAMES_H
#define ODORI_DIFF_FRAMES_H

#include "base/message.h"
#include "media/video.h"
#include "mmd/image.h"
#include "mmd/source.h"

typedef enum frames_kind { FRAMES_PICTURE, FRAMES_FOLDER, FRAMES_VIDEO } frames_kind;

typedef struct frames_file {
    char *path;
    int64_t number; /* the last number in its name, or -1 */
} frames_file;

/* Zeroed, it is valid and empty. */
typedef struct frames {
    frames_kind kind;
    const char *path;
    frames_file *files; /* of a picture or a folder */
    size_t file_count;
    video *movie;  /* of a video, otherwise NULL */
    int64_t shift; /* added to the numbers of frames */
    bool by_order; /* frames are numbered by their position */

    /* The current frame, of frames_next. */
    bool ended;
    size_t position;
    int64_t number;
    const mmd_image *image; /* NULL until read */
    mmd_image decoded;
} frames;

/* Opens a path and finds out what it is. frames_finish has to be called in any case. */
bool frames_open(frames *f, const char *path, problem *why);
void frames_finish(frames *f);

/* Finds the first file of a folder of frames; a file is its own. All frames of a folder show the same scene. False:
 * there is none. */
bool frames_find_first(const char *path, char first[MMD_FILE_PATH_MAX]);

/*
 * Chooses how frames of two inputs are paired: by their numbers if both have unique ones, otherwise by order. offset
 * is added to the numbers of B.
 */
void frames_agree(frames *a, frames *b, int64_t offset);

/* Moves to the next frame, at first to the first one. Sets ended after the last one. */
bool frames_next(frames *f, problem *why);

/* Reads the picture of the current frame. f->image points to it until the next frames_next. */
bool frames_load(frames *f, problem *why);

/* Writes the name of the current frame for messages: the path of its file, or that of the video with a number.
 * Returns text. */
const char *frames_name(const frames *f, char *text, size_t capacity);

/* Returns the path of the file of the current frame, or NULL for a video. */
const char *frames_file_path(const frames *f);

/* Returns the number of frames, or 0 when it is unknown. */
size_t frames_count(const frames *f);

#endif
