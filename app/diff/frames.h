/* What `odori diff` is given: a picture, a folder of frames or a video, read as frames in rising order. */
#ifndef ODORI_DIFF_FRAMES_H
#define ODORI_DIFF_FRAMES_H

#include "base/message.h"
#include "media/video.h"
#include "mmd/image.h"

typedef enum frames_kind { FRAMES_PICTURE, FRAMES_FOLDER, FRAMES_VIDEO } frames_kind;

typedef struct frames_file {
    char *path;
    int64_t number; /* the last one in its name, -1: none */
} frames_file;

/* Zeroed is valid and empty. */
typedef struct frames {
    frames_kind kind;
    const char *path;
    frames_file *files; /* of a picture or folder */
    size_t file_count;
    video *movie;
    int64_t shift; /* added to numbers */
    bool by_order; /* numbers are positions */

    /* The frame that frames_next went to. */
    bool ended;
    size_t position;
    int64_t number;
    const mmd_image *image; /* NULL until read */
    mmd_image decoded;
} frames;

/* Finds out what a path is. Finish it in any case. */
bool frames_open(frames *f, const char *path, problem *why);
void frames_finish(frames *f);

/*
 * Agrees on how the frames of two are told apart: by numbers where both have
 * them, else by order. offset is added to B's.
 */
void frames_agree(frames *a, frames *b, int64_t offset);

/* Goes to the next frame, the first at first; ended is set behind the last one. */
bool frames_next(frames *f, problem *why);

/* Reads the frame's picture into f->image; the frames' own memory, good until frames_next. */
bool frames_load(frames *f, problem *why);

/* Returns the name of the frame for people: a file's path, or the video's with a number. */
const char *frames_name(const frames *f, char *text, size_t capacity);

/* Returns the file of the frame, or NULL for a video. */
const char *frames_file_path(const frames *f);

/* Returns how many there are; 0: not known. */
size_t frames_count(const frames *f);

#endif
