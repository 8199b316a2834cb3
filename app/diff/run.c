/* The run of `odori diff`: frames paired, compared, added up. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/message.h"
#include "internal.h"
#include "mmd/memory.h"
#include "mmd/source.h"
#include "base/parse.h"
#include "base/progress.h"
#include "report.h"

typedef struct diff_job {
    const diff_options *options;
    frames a, b;
    mmd_compare *compare;
    mmd_image mask_picture;
    mmd_mask mask;
    ids_picture ids;
    bool has_ids; /* of the frame */
    diff_redrawer *redrawer;
    diff_report *report;
    diff_findings found;
    progress bar;
    size_t done, steps; /* of the bar; steps a pair: a large picture takes seconds */
} diff_job;

static int out_of_memory(void)
{
    message("out of memory");
    return EXIT_FACILITY;
}

static void show_step(diff_job *job)
{
    progress_show(&job->bar, ++job->done);
}

/* Of a single pair every part counts. */
static void show_part(diff_job *job)
{
    if (job->steps > 1)
        show_step(job);
}

/* --- Ids and masks --- */

/* Where the ids of A's frame are; false where it can have none. wanted: whether they must be there. */
static bool find_ids(const diff_job *job, char *path, size_t capacity, bool *wanted)
{
    const char *given = job->options->ids, *file = frames_file_path(&job->a);
    char beside[4096];
    *wanted = given != NULL;
    if (!given)
        return file && ids_path_beside(file, path, capacity);
    int size = -1;
    if (job->a.kind == FRAMES_PICTURE)
        size = snprintf(path, capacity, "%s", given);
    else if (!file)
        size = snprintf(path, capacity, "%s/%05d.ids.png", given, (int)job->a.number);
    else if (ids_path_beside(mmd_path_name(file), beside, sizeof beside))
        size = snprintf(path, capacity, "%s/%s", given, beside);
    return size >= 0 && (size_t)size < capacity;
}

/* Ids beside A are a gift: where they do not fit, this is said, and done without. */
static int load_ids(diff_job *job)
{
    const char *given = job->options->ids;
    char path[4096], sentence[1024];
    bool wanted;
    mmd_error error = {0};
    struct stat status;
    ids_finish(&job->ids);
    job->has_ids = false;
    if (given && strcmp(given, "none") == 0)
        return EXIT_DONE;
    if (!find_ids(job, path, sizeof path, &wanted) || (!wanted && stat(path, &status) != 0))
        return EXIT_DONE;
    if (ids_read(path, job->a.image->width, job->a.image->height, &job->ids, &error) == MMD_OK) {
        job->has_ids = job->found.has_ids = true;
        return EXIT_DONE;
    }
    if (wanted || error.code == MMD_ERROR_MEMORY)
        return report(&error);
    message("without ids: %s", mmd_error_sentence(&error, sentence, sizeof sentence));
    return EXIT_DONE;
}

/* Where nobody kept them: only where they are asked for, since drawing takes time. */
static void redraw_ids(diff_job *job)
{
    const char *file = frames_file_path(&job->a);
    if (job->has_ids || job->options->ids || !file)
        return;
    job->has_ids = redrawer_ids(job->redrawer, file, job->a.image->width, job->a.image->height, &job->ids);
    job->found.has_ids = job->found.has_ids || job->has_ids;
}

/* Masks that go by what a pixel shows. */
static bool needs_ids(const diff_options *o)
{
    return o->mask_edges || o->mask_bones.count || o->mask_physics;
}

static int make_mask(diff_job *job, mmd_compare_options *options)
{
    const mmd_image *a = job->a.image;
    if (!mask_wanted(job->options))
        return EXIT_DONE;
    if (!job->mask.pixels || job->mask.width != a->width || job->mask.height != a->height) {
        mmd_free(job->mask.pixels);
        job->mask = (mmd_mask){a->width, a->height, mmd_alloc((size_t)a->width * a->height)};
        if (!job->mask.pixels)
            return out_of_memory();
    }
    options->mask = job->mask.pixels;
    return mask_make(job->options, a, job->options->mask ? &job->mask_picture : NULL,
                     job->has_ids ? &job->ids : NULL, &job->mask);
}

/* --- One pair --- */

static bool is_equal(const diff_frame *frame)
{
    return memcmp(frame->sizes[0], frame->sizes[1], sizeof frame->sizes[0]) == 0 &&
           frame->result.levels[MMD_COMPARE_PIXELS].largest == 0;
}

static bool is_good(const diff_options *options, const diff_frame *frame)
{
    if (!mmd_limits_any(&options->limits))
        return frame->equal;
    for (int m = 0; m < MMD_METRIC_COUNT; m++)
        if (!mmd_limits_keep(&options->limits, (mmd_metric)m, &frame->result))
            return false;
    return true;
}

/* The frame's place in the findings; NULL: out of memory. */
static diff_frame *add_frame(diff_job *job)
{
    diff_findings *found = &job->found;
    char name[4096];
    /* Grows by doubling: a count that is a power of two is full. */
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
    found->frame_count++; /* so that the names are freed in any case */
    return frame->names[0] && frame->names[1] ? frame : NULL;
}

/* The material that most of the frame's difference is in; UINT32_MAX where there is no such one. */
static mmd_status find_foremost(const diff_job *job, uint32_t *id, mmd_error *error)
{
    const mmd_label_plane labels = {job->ids.width, job->ids.height, (const uint32_t(*)[3])job->ids.ids};
    mmd_label_share share = {0};
    size_t count;
    mmd_status status =
        mmd_compare_by_label(job->compare, &labels, MMD_LABEL_MATERIAL, &share, 1, &count, error);
    *id = share.share >= 0.5 ? share.ids[1] : UINT32_MAX;
    return status;
}

static mmd_status find_nature(diff_job *job, const diff_frame *frame, mmd_error *error)
{
    diff_findings *found = &job->found;
    nature_input input = {.compare = job->compare,
                          .result = &frame->result,
                          .a = job->a.image,
                          .ids = job->has_ids ? &job->ids : NULL,
                          .material = UINT32_MAX};
    mmd_status status = MMD_OK;
    if (job->has_ids)
        status = find_foremost(job, &input.material, error);
    if (status == MMD_OK)
        status = nature_find(&input, &found->nature, error);
    found->has_nature = status == MMD_OK;
    found->nature_row = SIZE_MAX;
    if (input.material != UINT32_MAX && status == MMD_OK)
        found->nature_row = cause_find(&found->materials, &job->ids, MMD_LABEL_MATERIAL, input.material);
    return status;
}

/* Any difference is worse than none, then the larger mean. */
static bool is_worse(const diff_frame *frame, const diff_frame *than)
{
    if (frame->equal != than->equal)
        return !frame->equal;
    return frame->result.levels[MMD_COMPARE_CHANNELS].mean > than->result.levels[MMD_COMPARE_CHANNELS].mean;
}

static mmd_status take_causes(diff_job *job, diff_frame *frame, mmd_error *error)
{
    diff_findings *found = &job->found;
    size_t index = (size_t)(frame - found->frames);
    mmd_status status = MMD_OK;
    if (job->has_ids)
        status = cause_add(&found->materials, job->compare, &job->ids, MMD_LABEL_MATERIAL, error);
    if (job->has_ids && status == MMD_OK)
        status = cause_add(&found->bones, job->compare, &job->ids, MMD_LABEL_BONE, error);
    bool worst = index == 0 || is_worse(frame, &found->frames[found->worst]);
    if (worst)
        found->worst = index;
    if (status == MMD_OK && worst && frame->result.levels[MMD_COMPARE_PIXELS].largest)
        status = find_nature(job, frame, error);
    if (status == MMD_OK && job->report) {
        const report_frame shown = {.compare = job->compare,
                                    .frame = frame,
                                    .ids = job->has_ids ? &job->ids : NULL,
                                    .materials = &found->materials,
                                    .bones = &found->bones,
                                    .mask = mask_wanted(job->options) ? &job->mask : NULL};
        status = report_add(job->report, &shown, error);
    }
    return status;
}

static int compare_pair(diff_job *job)
{
    mmd_error error = {0};
    mmd_compare_options options = job->options->compare;
    int result = frames_load(&job->a);
    show_part(job);
    if (result == EXIT_DONE)
        result = frames_load(&job->b);
    show_part(job);
    if (result == EXIT_DONE)
        result = load_ids(job);
    if (result == EXIT_DONE && needs_ids(job->options))
        redraw_ids(job);
    if (result == EXIT_DONE)
        result = make_mask(job, &options);
    if (result != EXIT_DONE)
        return result;
    diff_frame *frame = add_frame(job);
    if (!frame)
        return out_of_memory();
    mmd_status status =
        mmd_compare_run(job->compare, job->a.image, job->b.image, &options, &frame->result, &error);
    show_part(job);
    if (status == MMD_ERROR_VALUE) {
        message("--shift: B does not lie on A there");
        return EXIT_USAGE;
    }
    if (status == MMD_OK) {
        frame->equal = is_equal(frame);
        frame->good = is_good(job->options, frame);
        job->found.pixels += frame->result.pixels;
        if (frame->result.levels[MMD_COMPARE_PIXELS].largest)
            redraw_ids(job);
        status = take_causes(job, frame, &error);
    }
    return status == MMD_OK ? EXIT_DONE : report(&error);
}

/* --- All pairs --- */

static int add_missing(diff_job *job, const frames *there, int missing)
{
    diff_findings *found = &job->found;
    char name[4096];
    diff_missing *grown = mmd_realloc(found->missing, (found->missing_count + 1) * sizeof *grown);
    if (!grown)
        return out_of_memory();
    found->missing = grown;
    char *copy = copy_text(frames_name(there, name, sizeof name));
    if (!copy)
        return out_of_memory();
    found->missing[found->missing_count++] = (diff_missing){there->number, copy, missing};
    return EXIT_DONE;
}

/* One step along both: a pair, or a frame that the other does not have. */
static int step(diff_job *job)
{
    frames *a = &job->a, *b = &job->b;
    bool only_a = b->ended || (!a->ended && a->number < b->number);
    bool only_b = !only_a && (a->ended || b->number < a->number);
    int result;
    if (only_a)
        result = add_missing(job, a, 1);
    else if (only_b)
        result = add_missing(job, b, 0);
    else
        result = compare_pair(job);
    if (result == EXIT_DONE && !only_b)
        result = frames_next(a);
    if (result == EXIT_DONE && !only_a)
        result = frames_next(b);
    return result;
}

static int compare_all(diff_job *job)
{
    size_t a = frames_count(&job->a), b = frames_count(&job->b);
    frames_agree(&job->a, &job->b, job->options->offset);
    job->steps = job->found.sequence ? 1 : 4;
    job->bar = progress_start(job->steps * (a > b ? a : b));
    int result = frames_next(&job->a);
    if (result == EXIT_DONE)
        result = frames_next(&job->b);
    while (result == EXIT_DONE && !(job->a.ended && job->b.ended)) {
        result = step(job);
        show_step(job);
    }
    progress_finish(&job->bar);
    return result;
}

static int check_kinds(const diff_job *job)
{
    static const char *const names[] = {"a picture", "a folder", "a video"};
    const frames *a = &job->a, *b = &job->b;
    if ((a->kind == FRAMES_PICTURE) == (b->kind == FRAMES_PICTURE))
        return EXIT_DONE;
    message("%s is %s, %s is %s: they cannot be held against each other", a->path, names[a->kind], b->path,
            names[b->kind]);
    return EXIT_USAGE;
}

static int prepare(diff_job *job)
{
    const diff_options *o = job->options;
    int result = EXIT_DONE;
    job->compare = mmd_compare_create();
    job->redrawer = redrawer_create();
    if (!job->compare || !job->redrawer)
        return out_of_memory();
    if (o->report && !(job->report = report_create()))
        return out_of_memory();
    if (o->mask)
        result = picture_load(o->mask, &job->mask_picture);
    if (result == EXIT_DONE)
        result = frames_open(&job->a, o->paths[0]);
    if (result == EXIT_DONE)
        result = frames_open(&job->b, o->paths[1]);
    if (result == EXIT_DONE)
        result = check_kinds(job);
    return result;
}

static void note_sequence(diff_job *job)
{
    const frames *const both[] = {&job->a, &job->b};
    job->found.sequence = job->a.kind != FRAMES_PICTURE;
    for (int i = 0; i < 2; i++)
        if (both[i]->kind == FRAMES_VIDEO)
            job->found.rates[i] = video_get_info(both[i]->movie)->rate;
}

/* Numbers over nothing would read as agreement. */
static int check_anything(const diff_job *job)
{
    if (job->found.frame_count == 0 || job->found.pixels)
        return EXIT_DONE;
    message("the masks leave no pixel to compare");
    return EXIT_USAGE;
}

/* What the worst frame's pictures say of themselves; a video's frames, which are no files, say nothing. */
static void ask_pictures(diff_findings *found)
{
    if (found->frame_count == 0 || found->frames[found->worst].equal)
        return;
    const diff_frame *worst = &found->frames[found->worst];
    made_compare(worst->names[0], worst->names[1], &found->made);
    if (found->has_nature)
        nature_tell(&found->nature, &found->made);
}

static int tell(diff_job *job)
{
    const diff_options *o = job->options;
    int result = EXIT_DONE;
    ask_pictures(&job->found);
    if (!findings_conclude(&job->found))
        return out_of_memory();
    if (o->report)
        result = report_write(job->report, &job->found, o->report);
    if (result == EXIT_DONE && o->json && !findings_write_json(&job->found, o->json))
        result = EXIT_FACILITY;
    if (result == EXIT_DONE && (!o->json || strcmp(o->json, "-") != 0)) {
        findings_print(&job->found);
        if (fflush(stdout) != 0 || ferror(stdout)) {
            message("stdout: cannot be written");
            result = EXIT_FACILITY;
        }
    }
    return result == EXIT_DONE ? job->found.exit_code : result;
}

static void finish(diff_job *job)
{
    findings_finish(&job->found);
    ids_finish(&job->ids);
    mmd_free(job->mask.pixels);
    mmd_image_finish(&job->mask_picture);
    report_destroy(job->report);
    mmd_compare_destroy(job->compare);
    redrawer_destroy(job->redrawer);
    frames_finish(&job->a);
    frames_finish(&job->b);
}

int diff_run(const diff_options *options)
{
    diff_job job = {.options = options, .found = {.options = options, .nature_row = SIZE_MAX}};
    int result = prepare(&job);
    if (result == EXIT_DONE) {
        note_sequence(&job);
        result = compare_all(&job);
    }
    if (result == EXIT_DONE)
        result = check_anything(&job);
    if (result == EXIT_DONE)
        result = tell(&job);
    finish(&job);
    return result;
}
