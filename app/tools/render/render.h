/* What the files of `render` share: what was asked for, and what is being drawn. */
#ifndef ODORI_RENDER_JOB_H
#define ODORI_RENDER_JOB_H

#include <limits.h>

#include "document/audio.h"
#include "base/progress.h"
#include "recipe/provenance.h"
#include "list.h"
#include "recipe/render_quality.h"
#include "recipe/screen.h"
#include "scene/setup.h"
#include "media/video.h"

typedef struct render_options {
    render_range range;
    render_quality quality;
    render_shard shard; /* of 0: all of it */
    picture_size size;
    bool has_size;
    const char *output, *codec; /* codec NULL: the output's ending says it */
    bool resume, join, codecs;
    audio_options sound;
    char sound_path[PATH_MAX]; /* "": none */
    const video_codec *video;  /* NULL: PNG files */
    const video_encoder *encoder;
    int argc; /* as given: pictures tell how they were made */
    char **argv;
} render_options;

typedef struct render_job {
    const render_options *options;
    const scene_options *wanted;
    odori_session *session;
    picture_list pictures;
    size_t from, to; /* of them: this part's */
    odori_screen screen;
    provenance_files files;
    plan_settings settings;
    const char *exec;
    render_canvas canvas;
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

/* The two kinds of output. The same results. */
int render_pngs(render_job *job);
int render_video(render_job *job);

/* Whether the folder of an output is there, or could be made: EXIT_DONE, or EXIT_FACILITY and a message. */
int render_make_folder(const char *output);

/* render --join: parts, in any order, to one folder of PNG files or one video. The same results. */
int render_join(const render_options *r, const text_list *parts);

#endif
