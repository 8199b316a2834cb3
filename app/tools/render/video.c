/*
 * Draws videos. A normal run encodes pictures as they are drawn. A shard writes a lossless part (parts.h). A
 * resumable run writes lossless parts of a minute of drawing to a folder beside the video, and joins them at
 * the end.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/system.h"
#include "base/clock.h"
#include "mmd/memory.h"
#include "render.h"
#include "parts.h"

#define PART_SECONDS 60.0 /* time of drawing a part, which is lost at most */
enum { FIRST_PART = 8, PART_PICTURES = 900 };

/* --- Properties of the video --- */

static bool is_transparent(const render_job *job)
{
    return job->session->view.background[3] < 1.0f;
}

/* Computes the digests by which parts of the same video are recognised: one of everything that makes the
 * pictures, and one of the driver. False: out of memory, which was reported. */
static bool hash_origin(const render_job *job, render_part *part)
{
    char numbers[200];
    const picture_list *list = &job->pictures;
    char *text = render_origin(job);
    json_t *root = text ? json_loads(text, 0, NULL) : NULL;
    char *gl = root ? json_dumps(json_object_get(root, "gl"), JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    json_object_del(root, "gl");
    char *rest = root ? json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    bool ok = gl && rest;
    if (ok) {
        digest_stream stream = digest_begin();
        snprintf(numbers, sizeof numbers, "%.17g %.17g %.17g %zu", list->first, list->step, list->rate,
                 list->count);
        digest_add_text(&stream, rest);
        digest_add_text(&stream, numbers);
        part->made = digest_end(&stream);
        part->gl = digest_of(gl, strlen(gl));
    }
    free(gl);
    free(rest);
    json_decref(root);
    free(text);
    if (!ok)
        message("out of memory");
    return ok;
}

/* Describes the whole video as a part. The session has to be at its first picture. False: it failed, which
 * was reported. */
static bool describe(const render_job *job, render_part *part)
{
    const render_options *r = job->options;
    const char *own = audio_of_scene(job->session->scene);
    const char *sound = r->recipe.sound.path ? r->recipe.sound.path : *own ? own : job->stage->sound;
    *part = (render_part){.count = job->pictures.count,
                          .total = job->pictures.count,
                          .rate = picture_list_rate(&job->pictures),
                          .start = picture_list_frame(&job->pictures, 0) / 30.0,
                          .width = job->stage->size.width,
                          .height = job->stage->size.height,
                          .bits = r->quality.bits,
                          .alpha = is_transparent(job),
                          .offset = r->recipe.sound.offset};
    snprintf(part->sound, sizeof part->sound, "%.599s", sound);
    return hash_origin(job, part);
}

/* Returns the properties of the finished file, which for a shard is a part. text receives its description. */
static video_kind final_kind(const render_job *job, const render_part *whole, char text[1100])
{
    const render_options *r = job->options;
    video_kind kind = render_part_kind(whole);
    kind.codec = r->video;
    kind.encoder = r->encoder;
    if (r->shard.of) {
        render_part part = *whole;
        part.first = job->from;
        part.count = job->to - job->from;
        render_part_write(&part, text);
        kind.tag = text;
    } else {
        kind.sound = (video_sound){.path = job->stage->sound,
                                   .offset = r->recipe.sound.offset,
                                   .start = whole->start,
                                   .length = (double)whole->total / whole->rate};
    }
    return kind;
}

/* A video that is drawn to. */
typedef struct video_job {
    render_job *job;
    video_writer *writer;
} video_job;

/* Hands a picture to the encoder (picture_queue_def.work). The reason of a failure is known in the end. */
static bool encode(void *user, queued_picture *p)
{
    const video_job *v = user;
    const bool deep = v->job->options->quality.bits == 16;
    return video_write(v->writer, deep ? (const void *)p->canvas.image16.pixels : p->canvas.image.pixels) ==
           EXIT_DONE;
}

static int count(void *user, queued_picture *p)
{
    const video_job *v = user;
    if (p->failed)
        return EXIT_FACILITY;
    render_count(v->job);
    return EXIT_DONE;
}

/* Draws count pictures from the first on to a video, and encodes them meanwhile. Returns an exit code. */
static int draw_video(render_job *job, const char *path, const video_kind *kind, size_t first, size_t end)
{
    video_job v = {.job = job};
    int result = video_write_open(&v.writer, path, kind);
    if (result == EXIT_DONE)
        result = render_begin_queue(
            job, (picture_queue_def){.user = &v, .work = encode, .deliver = count, .in_order = true});
    for (size_t i = first; i < end && result == EXIT_DONE; i++) {
        session_go(job->session, picture_list_frame(&job->pictures, i));
        result = render_draw_picture(job, "", NULL);
    }
    result = render_end_queue(job, result);
    return video_write_end(v.writer, result);
}

/* --- Parts that can be resumed --- */

/* The folder with the parts of a resumable run. */
typedef struct parts_folder {
    char path[3000];
    part_list parts;
    bool *present; /* for each picture: whether it is in a part */
    const render_part *whole;
    const video_encoder *encoder; /* encoder of the parts */
    int lock; /* descriptor of the folder, which belongs to one run at a time; -1 for none */
} parts_folder;

static bool has_ending(const char *name, const char *ending)
{
    size_t length = strlen(name), size = strlen(ending);
    return length > size && strcmp(name + length - size, ending) == 0;
}

/* Adds a file of the folder to the parts, or deletes it when it is of another video. */
static void add_part_file(parts_folder *f, const char *name, size_t *deleted)
{
    render_part part;
    char path[MMD_FILE_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    if (!has_ending(name, ".mkv"))
        return;
    if (render_part_read(path, true, &part) != EXIT_DONE || !render_part_fits(&part, f->whole) ||
        !digest_equal(&part.gl, &f->whole->gl)) {
        ++*deleted;
        platform_remove(path);
    } else if (part_list_add(&f->parts, &part)) {
        for (size_t i = part.first; i < part.first + part.count; i++)
            f->present[i] = true;
    }
}

/* Reads the parts of an interrupted run. Returns an exit code. */
static int read_folder(parts_folder *f)
{
    size_t deleted = 0;
    f->present = mmd_alloc(f->whole->total * sizeof *f->present);
    if (!f->present) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    memset(f->present, 0, f->whole->total * sizeof *f->present);
    if (!path_make_subfolder(f->path))
        return EXIT_FACILITY;
    f->lock = system_lock_folder(f->path);
    if (f->lock < 0 && errno == EWOULDBLOCK) {
        message("%s: another run is drawing these parts; wait until it ends, or choose another output",
                f->path);
        return EXIT_FACILITY;
    }
    output_sweep(f->path);
    platform_folder *folder = platform_folder_open(f->path);
    if (!folder) {
        message("%s: cannot be read: %s", f->path, strerror(errno));
        return EXIT_FACILITY;
    }
    for (const char *name; (name = platform_folder_next(folder));)
        add_part_file(f, name, &deleted);
    platform_folder_close(folder);
    if (deleted)
        message("%s: %zu parts were made with other settings and are drawn again", f->path, deleted);
    return EXIT_DONE;
}

/* Draws count pictures to a part. Returns an exit code. */
static int draw_part(render_job *job, parts_folder *f, size_t first, size_t count)
{
    char text[1100];
    render_part part = *f->whole;
    video_kind kind = render_part_kind(f->whole);
    part.first = first;
    part.count = count;
    snprintf(part.path, sizeof part.path, "%s/%06zu.mkv", f->path, first);
    render_part_write(&part, text);
    kind.codec = video_codec_named("ffv1");
    kind.encoder = f->encoder;
    kind.tag = text;
    int result = draw_video(job, part.path, &kind, first, first + count);
    if (result == EXIT_DONE && !part_list_add(&f->parts, &part))
        result = EXIT_FACILITY;
    return result;
}

/* Returns the number of pictures for the next part, as many as are drawn in PART_SECONDS. */
static size_t part_size(double seconds, size_t pictures)
{
    if (!pictures)
        return FIRST_PART;
    double fit = PART_SECONDS * (double)pictures / (seconds > 1e-3 ? seconds : 1e-3);
    return fit < 1 ? 1 : fit > PART_PICTURES ? PART_PICTURES : (size_t)fit;
}

/* Draws the pictures that are in no part. Returns an exit code. */
static int draw_parts(render_job *job, parts_folder *f)
{
    double seconds = 0;
    size_t drawn = 0, present = 0;
    int result = EXIT_DONE;
    for (size_t i = job->from; i < job->to && result == EXIT_DONE;) {
        if (f->present[i]) {
            progress_skip(&job->bar, 1);
            render_count(job);
            present++;
            i++;
            continue;
        }
        size_t end = i + 1, most = i + part_size(seconds, drawn);
        while (end < job->to && end < most && !f->present[end])
            end++;
        double started = clock_seconds();
        result = draw_part(job, f, i, end - i);
        seconds += clock_seconds() - started;
        drawn += end - i;
        i = end;
    }
    progress_finish(&job->bar);
    if (present && result == EXIT_DONE)
        message("%zu of %zu pictures existed already and were kept", present, job->to - job->from);
    return result;
}

/* Joins the parts to the video and removes them. Returns an exit code. */
static int join_folder(render_job *job, parts_folder *f, const video_kind *kind)
{
    size_t missing;
    if (!render_parts_sort(&f->parts, job->from, job->to, &missing)) {
        message("%s: picture %zu is in none of the parts", f->path, missing);
        return EXIT_FACILITY;
    }
    int result = render_parts_join(&f->parts, job->from, job->to, job->options->output, kind);
    for (size_t i = 0; i < f->parts.count && result == EXIT_DONE; i++)
        platform_remove(f->parts.items[i].path);
    if (result == EXIT_DONE)
        platform_remove_folder(f->path);
    return result;
}

/* Draws the missing parts of a video and joins them. Returns an exit code. */
static int draw_resumable(render_job *job, const render_part *whole, const video_kind *kind)
{
    parts_folder f = {.whole = whole, .lock = -1};
    int length = snprintf(f.path, sizeof f.path, "%s.parts", job->options->output);
    int result = video_codec_find_encoder(video_codec_named("ffv1"), &f.encoder);
    if (result == EXIT_DONE && length >= (int)sizeof f.path) {
        message("%s: the path is too long", job->options->output);
        result = EXIT_FACILITY;
    }
    if (result == EXIT_DONE)
        result = read_folder(&f);
    if (result == EXIT_DONE)
        result = draw_parts(job, &f);
    if (result == EXIT_DONE)
        result = join_folder(job, &f, kind);
    mmd_free(f.present);
    part_list_finish(&f.parts);
    if (f.lock >= 0)
        close(f.lock);
    return result;
}

int render_video(render_job *job)
{
    render_part whole;
    char text[1100];
    const render_options *r = job->options;
    int result = render_make_folder(r->output);
    if (result == EXIT_DONE)
        result = video_codec_check(r->video, r->output, is_transparent(job), r->quality.bits);
    if (result != EXIT_DONE)
        return result;
    session_go(job->session, picture_list_frame(&job->pictures, 0));
    if (!describe(job, &whole))
        return EXIT_FACILITY;
    const video_kind kind = final_kind(job, &whole, text);
    if (r->resume)
        return draw_resumable(job, &whole, &kind);
    result = draw_video(job, r->output, &kind, job->from, job->to);
    progress_finish(&job->bar);
    return result;
}
