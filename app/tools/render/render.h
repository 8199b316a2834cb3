/* Types and functions that the files of `render` share. */
#ifndef ODORI_RENDER_H
#define ODORI_RENDER_H

#include <limits.h>
#include <stdint.h>

#include "document/audio.h"
#include "base/options.h"
#include "base/progress.h"
#include "recipe/provenance.h"
#include "recipe/draw.h"
#include "recipe/picture_queue.h"
#include "recipe/stage.h"
#include "scene/options.h"
#include "media/video.h"

/* --- The pictures: their frames, their names, and their division into parts --- */

/* The values of --frames and --fps. */
typedef struct render_range {
    double first, last, step; /* frames; with --fps, step counts pictures */
    double rate;              /* pictures per second; 0: not given */
    bool given;
} render_range;

/* The pictures to draw. */
typedef struct picture_list {
    double first, step; /* frames, or numbers of pictures when rate is given */
    double rate;        /* pictures per second; 0: not given */
    size_t count;
    bool numbered_by_frame; /* otherwise by the index in the list */
} picture_list;

/* Return the frame of the i-th picture, and the number in its name. */
double picture_list_frame(const picture_list *list, size_t i);
unsigned long long picture_list_number(const picture_list *list, size_t i);

/* Return the pictures per second of a video, and the frames from one picture to the next. */
double picture_list_rate(const picture_list *list);
double picture_list_interval(const picture_list *list);

/* "I/N": the I-th of N parts, each of consecutive pictures. Zeroed: all pictures. */
typedef struct render_shard {
    uint64_t number, of;
} render_shard;

/* A name of files with one number, such as "dir/%05d.png". */
typedef struct name_pattern {
    const char *text;
    size_t before, behind; /* number of characters before the %, and offset of the text after the d */
    unsigned width;
    bool zeros;
} name_pattern;

/* Reads a pattern. text must outlive it. False: it does not have exactly one number. */
bool name_pattern_parse(const char *text, name_pattern *p);

/* Writes the name with a number. */
void name_pattern_make(const name_pattern *p, unsigned long long number, char *name, size_t capacity);

/* Returns whether a name without folders matches the pattern, and stores its number. */
bool name_pattern_number(const name_pattern *p, const char *name, unsigned long long *number);

/* --- Options and the job --- */

typedef struct render_options {
    recipe recipe;
    render_range range;
    draw_quality quality;
    render_shard shard;         /* zeroed: all pictures */
    const char *output, *codec; /* codec NULL: chosen by the extension of output */
    bool resume, join, codecs;
    unsigned planes;          /* --aov: planes to write beside each PNG, or 0 */
    const video_codec *video; /* NULL: PNG files */
    const video_encoder *encoder;
} render_options;

typedef struct render_job {
    const render_options *options;
    recipe_stage *stage;
    odori_session *session; /* of stage */
    picture_list pictures;
    size_t from, to; /* range of pictures of this part */
    odori_screen screen;
    provenance_files files;
    const char *exec; /* commands that ran at the first frame */
    picture_queue *queue;
    progress bar;
    size_t done; /* pictures that were written, or kept */
} render_job;

/* Returns the provenance of the current picture, as stored in PNG files, to be freed with free. NULL: out of
 * memory. */
char *render_origin(const render_job *job);

/* Creates the queue of this job; def has what this job does not say. Returns an exit code; errors were
 * reported. */
int render_begin_queue(render_job *job, picture_queue_def def);

/* Draws the session at its frame (picture_queue_draw). text: as of render_origin, or NULL. Returns an exit
 * code; errors were reported. */
int render_draw_picture(render_job *job, const char *path, char *text);

/* Waits until all pictures are delivered, and ends the queue. result: the exit code so far. Returns that or
 * one of a later failure. */
int render_end_queue(render_job *job, int result);

/* Counts a picture that was written, for the progress bar. */
void render_count(render_job *job);

/* Draws the pictures to a video. Returns an exit code; errors were reported. */
int render_video(render_job *job);

/* Creates the folder of an output if it is missing. Returns EXIT_DONE, or EXIT_FACILITY after reporting the
 * error. */
int render_make_folder(const char *path);

/* Joins parts, in any order, to one folder of PNG files or one video (render --join, parts.c). Returns an
 * exit code; errors were reported. */
int render_join(const render_options *r, const scene_inputs *parts);

#endif
