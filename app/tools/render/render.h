/* What the files of `render` share. */
#ifndef ODORI_RENDER_H
#define ODORI_RENDER_H

#include <limits.h>
#include <stdint.h>

#include "document/audio.h"
#include "base/options.h"
#include "base/progress.h"
#include "recipe/provenance.h"
#include "recipe/draw.h"
#include "recipe/stage.h"
#include "scene/options.h"
#include "media/video.h"

/* --- Which pictures there are, what they are called, and which of them are a part's --- */

/* What --frames and --fps say. */
typedef struct render_range {
    double first, last, step; /* frames; of --fps, step counts pictures */
    double rate;              /* pictures a second; 0: not given */
    bool given;
} render_range;

typedef struct picture_list {
    double first, step; /* frames; where rate is given, numbers of pictures */
    double rate;        /* 0: not given */
    size_t count;
    bool numbered_by_frame; /* else each by its place in the list */
} picture_list;

double picture_list_frame(const picture_list *list, size_t i);
unsigned long long picture_list_number(const picture_list *list, size_t i);

/* Pictures a second of a video, and frames from one to the next. */
double picture_list_rate(const picture_list *list);
double picture_list_interval(const picture_list *list);

/* "I/N": the I-th of N parts, each a run of neighbours. Zeroed: all of it. */
typedef struct render_shard {
    uint64_t number, of;
} render_shard;

/* "dir/%05d.png": its one place for a number. */
typedef struct name_pattern {
    const char *text;
    size_t before, behind; /* characters before the %, and from where it goes on */
    unsigned width;
    bool zeros;
} name_pattern;

/* text must outlive the pattern. */
bool name_pattern_parse(const char *text, name_pattern *p);
void name_pattern_make(const name_pattern *p, unsigned long long number, char *name, size_t capacity);

/* Whether a name without folders is one of the pattern's, and of which number. */
bool name_pattern_number(const name_pattern *p, const char *name, unsigned long long *number);

/* --- What was asked for, and what is being drawn --- */

typedef struct render_options {
    recipe recipe;
    render_range range;
    draw_quality quality;
    render_shard shard;         /* of 0: all of it */
    const char *output, *codec; /* codec NULL: the output's ending says it */
    bool resume, join, codecs;
    const video_codec *video; /* NULL: PNG files */
    const video_encoder *encoder;
} render_options;

typedef struct render_job {
    const render_options *options;
    recipe_stage *stage;
    odori_session *session; /* of it */
    picture_list pictures;
    size_t from, to; /* of them: this part's */
    odori_screen screen;
    provenance_files files;
    const char *exec;
    draw_canvas canvas;
    progress bar;
} render_job;

/* How the picture of the session's frame is made, as a PNG file says it; freed with free. NULL: out of
 * memory. */
char *render_origin(const render_job *job);

/* Goes to the i-th picture of the list and draws it to the job's canvas. EXIT_DONE, or the exit code of what
 * it reported. */
int render_draw_picture(render_job *job, size_t i);

/* What was drawn, as video_write takes it. */
const void *render_pixels(const render_job *job);

/* Draws the pictures to a video. EXIT_DONE, or the exit code of what it reported. */
int render_video(render_job *job);

/* Whether the folder of an output is there, or could be made: EXIT_DONE, or EXIT_FACILITY and a message. */
int render_make_folder(const char *output);

/* render --join: parts, in any order, to one folder of PNG files or one video. EXIT_DONE, or the exit code of
 * what it reported: parts.c. */
int render_join(const render_options *r, const scene_inputs *parts);

#endif
