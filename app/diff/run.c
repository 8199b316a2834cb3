/* Runs `odori diff`: pairs frames, compares them and adds up the findings. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/progress.h"
#include "files/exr.h"
#include "internal.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "report.h"

/* A run of diff with everything that it needs. */
typedef struct diff_job {
    const diff_options *options;
    const mmd_log *log;
    frames a, b;
    mmd_compare *compare;
    mmd_image mask_picture;
    mmd_mask mask;
    mmd_ids ids;
    bool has_ids; /* whether ids holds those of the current frame */
    diff_redrawer *redrawer;
    diff_report *report;
    diff_findings found;
    progress bar;
    size_t done, steps; /* of the bar; steps: per pair, since a large picture takes seconds */
} diff_job;

static void show_step(diff_job *job)
{
    progress_show(&job->bar, ++job->done);
}

/* Advances the bar after a part of a pair. In sequences the bar only advances with each pair. */
static void show_part(diff_job *job)
{
    if (job->steps > 1)
        show_step(job);
}

/* --- Ids --- */

/* Writes the path of the ids of the current frame of A, given by --ids or beside A, as a picture or as EXR.
 * False: there is no such path. */
static bool name_ids(const diff_job *job, bool as_exr, char *path, size_t capacity)
{
    const char *given = job->options->ids, *file = frames_file_path(&job->a);
    char beside[4096];
    if (!given)
        return file && (as_exr ? exr_path_beside : mmd_ids_path_beside)(file, path, capacity);
    int size = -1;
    if (job->a.kind == FRAMES_PICTURE)
        size = snprintf(path, capacity, "%s", given);
    else if (!file)
        size = snprintf(path, capacity, "%s/%05d.%s", given, (int)job->a.number, as_exr ? "exr" : "ids.png");
    else if ((as_exr ? exr_path_beside : mmd_ids_path_beside)(mmd_path_name(file), beside, sizeof beside))
        size = snprintf(path, capacity, "%s/%s", given, beside);
    return size >= 0 && (size_t)size < capacity;
}

/* Writes the path of the ids likewise: that of the EXR if it exists and the picture of ids does not. */
static bool find_ids(const diff_job *job, char *path, size_t capacity)
{
    char exr[4096];
    bool found = name_ids(job, false, path, capacity);
    if ((!found || !platform_exists(path)) && name_ids(job, true, exr, sizeof exr) &&
        strlen(exr) < capacity && platform_exists(exr)) {
        memcpy(path, exr, strlen(exr) + 1);
        found = true;
    }
    return found;
}

static bool is_exr_name(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".exr") == 0;
}

/* Reads the ids of the current frame of A. Ids beside A that do not fit are reported and ignored. */
static bool load_ids(diff_job *job, problem *why)
{
    const char *given = job->options->ids;
    char path[4096], sentence[1024];
    mmd_error error = {0};
    mmd_ids_finish(&job->ids);
    job->has_ids = false;
    if ((given && strcmp(given, "none") == 0) || !find_ids(job, path, sizeof path) ||
        (!given && !platform_exists(path)))
        return true;
    if (exr_or_png_read_ids(path, job->a.image->width, job->a.image->height, &job->ids, &error) == MMD_OK)
        job->has_ids = job->found.has_ids = true;
    else if (given || error.code == MMD_ERROR_MEMORY)
        return problem_from(why, &error);
    else if (error.code != MMD_ERROR_MAGIC || !is_exr_name(path)) /* an EXR beside A may be of anything */
        mmd_log_message(job->log, MMD_LOG_INFO, "the ids beside A are ignored: %s",
                        mmd_error_sentence(&error, sentence, sizeof sentence));
    return true;
}

/* Draws missing ids. This takes time, so it is only done when they are needed. */
static void redraw_ids(diff_job *job)
{
    const char *file = frames_file_path(&job->a);
    if (job->has_ids || job->options->ids || !file)
        return;
    job->has_ids = redrawer_ids(job->redrawer, file, job->a.image->width, job->a.image->height, &job->ids);
    job->found.has_ids = job->found.has_ids || job->has_ids;
}

/* --- Comparing a pair --- */

/* Adds the pair to the findings. NULL: out of memory. */
static diff_frame *add_frame(diff_job *job)
{
    diff_findings *found = &job->found;
    char name[4096];
    /* The capacity doubles whenever the count is a power of two. */
    if ((found->frame_count & (found->frame_count - 1)) == 0) {
        size_t capacity = found->frame_count ? 2 * found->frame_count : 1;
        diff_frame *grown = mmd_realloc(found->frames, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        found->frames = grown;
    }
    diff_frame *frame = &found->frames[found->frame_count];
    *frame = (diff_frame){
        .number = job->a.number,
        .names = {copy_text(frames_name(&job->a, name, sizeof name)), NULL},
        .sizes = {{job->a.image->width, job->a.image->height}, {job->b.image->width, job->b.image->height}},
    };
    frame->names[1] = copy_text(frames_name(&job->b, name, sizeof name));
    found->frame_count++; /* counted first, so that the names are freed in any case */
    return frame->names[0] && frame->names[1] ? frame : NULL;
}

/* Compares the current frames of A and B, and adds the result to the findings. */
static bool compare_pair(diff_job *job, problem *why)
{
    const diff_options *o = job->options;
    mmd_compare_options options = o->compare;
    options.lends = true;
    mmd_error error = {0};
    bool ok = frames_load(&job->a, why);
    show_part(job);
    ok = ok && frames_load(&job->b, why);
    show_part(job);
    if (!ok || !load_ids(job, why))
        return false;
    if (o->mask_edges || mask_needs_ids(o)) /* these masks need ids */
        redraw_ids(job);
    if (mask_wanted(o)) {
        if (!mask_make(o, job->a.image, o->mask ? &job->mask_picture : NULL, job->has_ids ? &job->ids : NULL,
                       &job->mask, why))
            return false;
        options.mask = job->mask.pixels;
    }

    diff_frame *frame = add_frame(job);
    if (!frame)
        return problem_out_of_memory(why);
    mmd_status status =
        mmd_compare_run(job->compare, job->a.image, job->b.image, &options, &frame->result, &error);
    show_part(job);
    if (status == MMD_ERROR_VALUE)
        return problem_set(why, EXIT_USAGE, "--shift: with this shift A and B do not overlap");
    if (status == MMD_OK) {
        findings_judge(&job->found, frame);
        if (frame->result.levels[MMD_COMPARE_PIXELS].largest)
            redraw_ids(job);
        const report_frame compared = {.compare = job->compare,
                                       .frame = frame,
                                       .a = job->a.image,
                                       .ids = job->has_ids ? &job->ids : NULL,
                                       .materials = &job->found.materials,
                                       .bones = &job->found.bones,
                                       .mask = mask_wanted(o) ? &job->mask : NULL};
        status = findings_add_causes(&job->found, &compared, job->report, &error);
    }
    return status == MMD_OK || problem_from(why, &error);
}

/* --- Comparing all pairs --- */

/* Records a frame that only one input has. missing: 0 when A lacks it, 1 when B lacks it. */
static bool add_missing(diff_job *job, const frames *there, int missing, problem *why)
{
    diff_findings *found = &job->found;
    char name[4096];
    diff_missing *grown = mmd_realloc(found->missing, (found->missing_count + 1) * sizeof *grown);
    if (!grown)
        return problem_out_of_memory(why);
    found->missing = grown;
    char *copy = copy_text(frames_name(there, name, sizeof name));
    if (!copy)
        return problem_out_of_memory(why);
    found->missing[found->missing_count++] = (diff_missing){there->number, copy, missing};
    return true;
}

/* Opens A and B, and creates everything that comparing needs. */
static bool prepare(diff_job *job, problem *why)
{
    static const char *const names[] = {"a picture", "a folder", "a video"};
    const diff_options *o = job->options;
    frames *const both[] = {&job->a, &job->b};
    mmd_error error = {0};
    job->compare = mmd_compare_create();
    job->redrawer = redrawer_create(job->options->max_models, job->options->gpu, job->log);
    if (o->report)
        job->report = report_create();
    if (!job->compare || !job->redrawer || (o->report && !job->report))
        return problem_out_of_memory(why);
    if (o->mask && exr_or_picture_read_mask(o->mask, &job->mask_picture, &error) != MMD_OK)
        return problem_from(why, &error);
    for (int i = 0; i < 2; i++)
        if (!frames_open(both[i], o->paths[i], why))
            return false;
    if ((job->a.kind == FRAMES_PICTURE) != (job->b.kind == FRAMES_PICTURE))
        return problem_set(why, EXIT_USAGE, "%s is %s and %s is %s: these cannot be compared", job->a.path,
                           names[job->a.kind], job->b.path, names[job->b.kind]);
    job->found.sequence = job->a.kind != FRAMES_PICTURE;
    for (int i = 0; i < 2; i++)
        if (both[i]->kind == FRAMES_VIDEO)
            job->found.rates[i] = video_get_info(both[i]->movie)->rate;
    return true;
}

/* Steps through the frames of both. Each step is a pair, or a frame that only one of them has. */
static bool compare_all(diff_job *job, problem *why)
{
    frames *a = &job->a, *b = &job->b;
    size_t a_count = frames_count(a), b_count = frames_count(b);
    frames_agree(a, b, job->options->offset);
    job->steps = job->found.sequence ? 1 : 4;
    job->bar = progress_start(job->steps * (a_count > b_count ? a_count : b_count));
    bool ok = frames_next(a, why) && frames_next(b, why);
    while (ok && !(a->ended && b->ended)) {
        bool only_a = b->ended || (!a->ended && a->number < b->number);
        bool only_b = !only_a && (a->ended || b->number < a->number);
        ok = only_a   ? add_missing(job, a, 1, why)
             : only_b ? add_missing(job, b, 0, why)
                      : compare_pair(job, why);
        ok = ok && (only_b || frames_next(a, why)) && (only_a || frames_next(b, why));
        show_step(job);
    }
    progress_finish(&job->bar);
    /* Without any compared pixel, the metrics would look like equality. */
    if (ok && job->found.frame_count && !job->found.pixels)
        return problem_set(why, EXIT_USAGE, "the masks cover everything, so nothing can be compared");
    return ok;
}

/* Completes the findings and writes the output. */
static bool write_output(diff_job *job, problem *why)
{
    const diff_options *o = job->options;
    diff_findings *found = &job->found;
    /* Only frames that are files have a provenance, those of videos do not. */
    if (found->frame_count && !found->frames[found->worst].equal) {
        const diff_frame *worst = &found->frames[found->worst];
        made_compare(worst->names[0], worst->names[1], &found->materials, &found->bones, &found->made);
        if (found->has_nature)
            nature_tell(&found->nature, &found->made);
    }
    if (found->first.found && found->sequence) {
        diff_first *first = &found->first;
        const diff_frame *frame = &found->frames[first->frame];
        made_compare(frame->names[0], frame->names[1], &first->materials, &first->bones, &first->made);
        nature_tell(&first->nature, &first->made);
    }
    if (!findings_conclude(found))
        return problem_out_of_memory(why);
    if (o->report && !report_write(job->report, found, o->report, why))
        return false;
    if (o->json && !findings_write_json(found, o->json))
        return problem_set(why, EXIT_FACILITY, "%s", "");
    if (o->json && strcmp(o->json, "-") == 0)
        return true;
    findings_print(found);
    return (fflush(stdout) == 0 && !ferror(stdout)) ||
           problem_set(why, EXIT_FACILITY, "stdout: cannot be written");
}

bool diff_run(const diff_options *options, const mmd_log *log, bool *different, problem *why)
{
    diff_job job = {.options = options, .log = log, .found = {.options = options, .nature_row = SIZE_MAX}};
    bool ok = prepare(&job, why) && compare_all(&job, why) && write_output(&job, why);
    *different = job.found.verdict == DIFF_DIFFERENT;
    findings_finish(&job.found);
    mmd_ids_finish(&job.ids);
    mmd_mask_finish(&job.mask);
    mmd_image_finish(&job.mask_picture);
    report_destroy(job.report);
    mmd_compare_destroy(job.compare);
    redrawer_destroy(job.redrawer);
    frames_finish(&job.a);
    frames_finish(&job.b);
    return ok;
}
