/* The command line of odori diff, which compares two pictures, folders of frames or videos. */
#include "internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/paths.h"
#include "base/sandbox.h"
#include "mmd/memory.h"
#include "base/parse.h"
#include "diff.h"
#include "recipe/confine.h"
#include "recipe/draw.h"
#include "scene/options.h"

static bool bad_value(option_error *error, const char *value, const char *expected)
{
    return option_fail(error, EXIT_USAGE, "\"%.100s\" is not %s", value, expected);
}

/* --- Metrics and limits --- */

static bool set_metrics(void *target, const char *value, option_error *error)
{
    diff_options *o = target;
    memset(o->wanted, 0, sizeof o->wanted);
    for (;;) {
        char name[16];
        size_t length = strcspn(value, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), value);
        mmd_metric m = mmd_metric_named(name);
        if (m == MMD_METRIC_COUNT)
            return option_fail(error, EXIT_USAGE, "\"%.*s\" is not max, mean, p99, psnr, ssim, flip or share",
                               (int)(length < 60 ? length : 60), value);
        o->wanted[m] = true;
        if (!value[length])
            return true;
        value += length + 1;
    }
}

/* Sets the limit of a metric: a number from 0 to the largest value of the metric, or a percentage for a
 * share. */
static bool set_limit(diff_options *o, mmd_metric m, const char *value, option_error *error)
{
    double max = mmd_metric_largest(m);
    char number[64];
    double limit;
    const char *given = value;
    size_t length = strlen(value);
    bool percent = m == MMD_METRIC_SHARE && length > 1 && length < sizeof number && value[length - 1] == '%';
    if (percent) {
        memcpy(number, value, length - 1);
        number[length - 1] = '\0';
        value = number;
    }
    if (!parse_real(value, &limit))
        return bad_value(error, given, m == MMD_METRIC_SHARE ? "a share: 0 to 1, or 0% to 100%" : "a number");
    if (percent)
        limit /= 100;
    if (m == MMD_METRIC_SHARE && (limit < 0 || limit > max))
        return bad_value(error, given, "a share: 0 to 1, or 0% to 100%");
    if (limit < 0 || limit > max)
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a number from 0 to %g", value, max);
    o->limits.value[m] = limit;
    return true;
}

static bool set_max_max(void *o, const char *value, option_error *error)
{
    return set_limit(o, MMD_METRIC_MAX, value, error);
}

static bool set_max_mean(void *o, const char *value, option_error *error)
{
    return set_limit(o, MMD_METRIC_MEAN, value, error);
}

static bool set_max_p99(void *o, const char *value, option_error *error)
{
    return set_limit(o, MMD_METRIC_P99, value, error);
}

static bool set_min_psnr(void *o, const char *value, option_error *error)
{
    return set_limit(o, MMD_METRIC_PSNR, value, error);
}

static bool set_min_ssim(void *o, const char *value, option_error *error)
{
    return set_limit(o, MMD_METRIC_SSIM, value, error);
}

static bool set_max_flip(void *o, const char *value, option_error *error)
{
    return set_limit(o, MMD_METRIC_FLIP, value, error);
}

static bool set_max_share(void *o, const char *value, option_error *error)
{
    return set_limit(o, MMD_METRIC_SHARE, value, error);
}

static bool set_threshold(void *target, const char *value, option_error *error)
{
    uint64_t levels;
    if (!parse_whole(value, 0, 255, &levels))
        return bad_value(error, value, "a number of levels from 0 to 255");
    ((diff_options *)target)->compare.threshold = (uint8_t)levels;
    return true;
}

static const option metric_options[] = {
    {0, "metric", "LIST", "metrics to print: max,mean,p99,psnr,ssim,flip,share (all)", set_metrics},
    {0, "threshold", "T", "\"share\" counts pixels that differ by more than T levels (2)", set_threshold},
    {0, "max-max", "N", "limit of the largest difference of a channel, in levels (0 to 255)", set_max_max},
    {0, "max-mean", "N", "limit of the mean difference, in levels", set_max_mean},
    {0, "max-p99", "N", "limit of the 99th percentile of the differences of channels, in levels",
     set_max_p99},
    {0, "min-psnr", "N", "least peak signal-to-noise ratio, in dB", set_min_psnr},
    {0, "min-ssim", "N", "least structural similarity; 1 for equal pictures", set_min_ssim},
    {0, "max-flip", "N", "limit of the mean LDR-FLIP; 0 for equal pictures", set_max_flip},
    {0, "max-share", "N|N%", "limit of the share of pixels over the threshold, 0 to 1 or in percent",
     set_max_share},
};

/* --- Alignment --- */

static bool set_align(void *target, const char *value, option_error *error)
{
    static const char *const names[] = {"sizes", "none", "search"};
    diff_options *o = target;
    for (int i = 0; i < 3; i++) {
        if (strcmp(value, names[i]) == 0) {
            o->compare.align = (mmd_compare_align)i;
            return true;
        }
    }
    return bad_value(error, value, "sizes, none or search");
}

/* Reads count whole numbers that are separated by commas, each within the size of a picture. */
static bool parse_integers(const char *text, size_t count, double *values)
{
    float reals[4];
    if (!parse_reals(text, count, reals))
        return false;
    for (size_t i = 0; i < count; i++) {
        values[i] = (double)reals[i];
        if (values[i] != floor(values[i]) || fabs(values[i]) > MMD_IMAGE_SIZE_MAX)
            return false;
    }
    return true;
}

static bool set_shift(void *target, const char *value, option_error *error)
{
    diff_options *o = target;
    double shift[2];
    if (!parse_integers(value, 2, shift))
        return bad_value(error, value, "two whole numbers X,Y");
    o->compare.align = MMD_COMPARE_ALIGN_NONE;
    o->compare.shift_x = (int32_t)shift[0];
    o->compare.shift_y = (int32_t)shift[1];
    return true;
}

static bool set_max_shift(void *target, const char *value, option_error *error)
{
    uint64_t pixels;
    if (!parse_whole(value, 0, MMD_COMPARE_SHIFT_MAX, &pixels))
        return bad_value(error, value, "a number of pixels from 0 to 512");
    ((diff_options *)target)->compare.max_shift = (uint32_t)pixels;
    return true;
}

static bool set_background(void *target, const char *value, option_error *error)
{
    float rgb[3];
    if (!parse_color(value, rgb))
        return bad_value(error, value, "six hexadecimal digits RRGGBB");
    for (int k = 0; k < 3; k++)
        ((diff_options *)target)->compare.background[k] = (uint8_t)(rgb[k] * 255.0f + 0.5f);
    return true;
}

static bool set_alpha(void *target, const char *value, option_error *error)
{
    static const char *const names[] = {"both", "never", "always", "ignore"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(value, names[i]) == 0) {
            ((diff_options *)target)->compare.alpha = (mmd_compare_alpha)i;
            return true;
        }
    }
    return bad_value(error, value, "both, never, always or ignore");
}

static bool set_offset(void *target, const char *value, option_error *error)
{
    double offset;
    if (!parse_real(value, &offset) || offset != floor(offset) || fabs(offset) > 1e9)
        return bad_value(error, value, "a whole number of frames");
    ((diff_options *)target)->offset = (int64_t)offset;
    return true;
}

static bool set_missing(void *target, const char *value, option_error *error)
{
    if (strcmp(value, "fail") != 0 && strcmp(value, "ignore") != 0)
        return bad_value(error, value, "fail or ignore");
    ((diff_options *)target)->missing_is_fine = strcmp(value, "ignore") == 0;
    return true;
}

static const option alignment_options[] = {
    {0, "align", "sizes|none|search",
     "searches for the shift of B: when the sizes differ, never, or always (sizes)", set_align},
    {0, "max-shift", "N", "largest shift that is searched, 0 to 512 pixels (32)", set_max_shift},
    {0, "shift", "X,Y", "sets the shift: the upper left pixel of B lies on pixel X,Y of A", set_shift},
    {0, "background", "RRGGBB", "colour behind transparent pixels (000000)", set_background},
    {0, "alpha", "both|never|always|ignore",
     "compares alpha as a channel: when both pictures have it, never, or always (both). ignore: never, and "
     "colours are taken as they are, not over the background, as for MMD's PNGs",
     set_alpha},
    {0, "frame-offset", "N", "number that is added to the frame numbers of B", set_offset},
    {0, "missing", "fail|ignore", "frames that exist only in A or only in B (fail)", set_missing},
};

/* --- Masks --- */

/* Adds a rectangle to mask or to keep. */
static bool add_rectangle(diff_options *o, const char *value, bool keep, option_error *error)
{
    double n[4];
    if (!parse_integers(value, 4, n) || n[2] < 0 || n[3] < 0)
        return bad_value(error, value, "four whole numbers X,Y,W,H");
    diff_rectangle *grown = mmd_realloc(o->rectangles, (o->rectangle_count + 1) * sizeof *grown);
    if (!grown)
        return option_fail(error, EXIT_FACILITY, "out of memory");
    o->rectangles = grown;
    o->rectangles[o->rectangle_count++] =
        (diff_rectangle){(int32_t)n[0], (int32_t)n[1], (uint32_t)n[2], (uint32_t)n[3], keep};
    return true;
}

static bool add_mask_rectangle(void *o, const char *value, option_error *error)
{
    return add_rectangle(o, value, false, error);
}

static bool add_keep_rectangle(void *o, const char *value, option_error *error)
{
    return add_rectangle(o, value, true, error);
}

static bool set_mask(void *target, const char *value, option_error *error)
{
    (void)error;
    ((diff_options *)target)->mask = value;
    return true;
}

static bool set_mask_edges(void *target, const char *value, option_error *error)
{
    uint64_t pixels;
    if (!parse_whole(value, 1, 1000, &pixels))
        return bad_value(error, value, "a number of pixels from 1 to 1000");
    ((diff_options *)target)->mask_edges = (uint32_t)pixels;
    return true;
}

static bool add_mask_materials(void *target, const char *value, option_error *error)
{
    return option_add_text(&((diff_options *)target)->mask_materials, value, error);
}

static bool add_keep_materials(void *target, const char *value, option_error *error)
{
    return option_add_text(&((diff_options *)target)->keep_materials, value, error);
}

static bool add_mask_bones(void *target, const char *value, option_error *error)
{
    return option_add_text(&((diff_options *)target)->mask_bones, value, error);
}

static bool set_mask_physics(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    ((diff_options *)target)->mask_physics = true;
    return true;
}

static bool set_ids(void *target, const char *value, option_error *error)
{
    (void)error;
    ((diff_options *)target)->ids = value;
    return true;
}

static bool set_max_models(void *target, const char *value, option_error *error)
{
    return scene_set_max_models(&((diff_options *)target)->max_models, value, error);
}

static const option mask_options[] = {
    {0, "mask-rect", "X,Y,W,H", "ignores a rectangle of A (may be repeated)", add_mask_rectangle},
    {0, "keep-rect", "X,Y,W,H", "ignores everything outside of this rectangle (may be repeated)",
     add_keep_rectangle},
    {0, "mask", "PICTURE",
     "ignores pixels that are black or transparent in a picture of the size of A, or show nothing in an EXR",
     set_mask},
    {0, "mask-edges", "N",
     "ignores pixels nearer than N to the edge of a material (without ids: to a step in colour)",
     set_mask_edges},
    {0, "mask-materials", "NAME,...", "ignores pixels of these materials (needs ids; may be repeated)",
     add_mask_materials},
    {0, "keep-materials", "NAME,...", "ignores pixels of all other materials (needs ids; may be repeated)",
     add_keep_materials},
    {0, "mask-bones", "NAME,...", "ignores pixels that these bones move (needs ids; may be repeated)",
     add_mask_bones},
    {0, "mask-physics", NULL, "ignores pixels that physics moves (needs ids)", set_mask_physics},
    {0, "ids", "FILE.ids.png|FILE.exr|none",
     "file (for frames: folder) with the model part of each pixel of A (beside A, else drawn again from the "
     "data in A)",
     set_ids},
    {0, "max-models", "N", "the most models of a scene that ids are drawn of (256)", set_max_models},
};

/* --- Output --- */

static bool set_json(void *target, const char *value, option_error *error)
{
    (void)error;
    ((diff_options *)target)->json = value ? value : "-";
    return true;
}

static bool set_report(void *target, const char *value, option_error *error)
{
    (void)error;
    ((diff_options *)target)->report = value;
    return true;
}

static const option output_options[] = {
    {0, "json", "[FILE]", "prints JSON instead of text; --json=FILE writes JSON to a file besides the text",
     set_json},
    {0, "report", "DIR", "writes DIR/index.html, which shows the differences", set_report},
};

static bool add_path(void *target, const char *value, option_error *error)
{
    diff_options *o = target;
    if (o->path_count == 2)
        return option_fail(error, EXIT_USAGE, "only two inputs can be compared, A and B");
    o->paths[o->path_count++] = value;
    return true;
}

/* Keeps the files that are compared, and those of the scene that ids are drawn of; gives up all others. */
static void enter_sandbox(const diff_options *o, const common_options *common)
{
    const text_list nowhere_else = {0};
    char first[MMD_FILE_PATH_MAX], page[MMD_FILE_PATH_MAX];
    confine_begin(common, true);
    for (size_t i = 0; i < o->path_count; i++)
        confine_file(o->paths[i]);
    if (frames_find_first(o->paths[0], first))
        confine_picture(first, &nowhere_else);
    if (o->mask)
        sandbox_read(o->mask);
    if (o->ids && strcmp(o->ids, "none") != 0)
        sandbox_read(o->ids);
    if (o->json)
        sandbox_write(o->json);
    if (o->report) {
        sandbox_create_subfolder(o->report);
        sandbox_write(path_join(page, o->report, "index.html"));
    }
    confine_enter(common);
}

#define TABLE(name) name, sizeof name / sizeof *name

int diff_main(int argc, char **argv)
{
    diff_options options = {.compare = mmd_default_compare_options(), .limits = mmd_default_limits()};
    common_options common = default_common_options();
    for (int m = 0; m < MMD_METRIC_COUNT; m++)
        options.wanted[m] = true;
    const option_group groups[] = {
        {"metrics; the exit code is 1 when a limit is exceeded", TABLE(metric_options), &options},
        {"alignment", TABLE(alignment_options), &options},
        {"masks", TABLE(mask_options), &options},
        {"output", TABLE(output_options), &options},
        group_of_gpu(&common),
        group_of_sandbox(&common),
        group_of_all(&common),
    };
    const command_line line = {
        .name = "diff",
        .usage = "A B [options]",
        .summary =
            "Compares two pictures, two folders of frames or two videos (or a folder and a video). A is the "
            "reference.\nIf A was drawn by odori with --ids, diff also names the materials and bones that "
            "differ.",
        .notes =
            "Exit code 0: equal, or within all limits. 1: different, or a frame is missing. Without limits, "
            "any pixel\nor size that differs gives 1. Frames are paired by the last number in their names, "
            "or "
            "in order when a\nname has no number. Videos are read with ffmpeg.",
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = add_path,
        .positional_target = &options,
    };
    int result = options_parse(&line, argc, argv);
    if (result == OPTIONS_PARSED && options.path_count < 2) {
        result = options_usage(&line, "two pictures, folders or videos are needed");
    } else if (result == OPTIONS_PARSED) {
        warn_exec_has_no_effect(&common, line.name);
        const mmd_log log = stderr_log(MMD_LOG_INFO);
        problem why = {0};
        bool different;
        options.gpu = common.gpu;
        enter_sandbox(&options, &common);
        options.compare.ssim =
            options.wanted[MMD_METRIC_SSIM] || mmd_limits_has(&options.limits, MMD_METRIC_SSIM);
        options.compare.flip =
            options.wanted[MMD_METRIC_FLIP] || mmd_limits_has(&options.limits, MMD_METRIC_FLIP);
        if (!diff_run(&options, &log, &different, &why))
            result = problem_report(&why);
        else
            result = different ? EXIT_NO : EXIT_DONE;
    }
    mmd_free(options.rectangles);
    text_list_finish(&options.mask_bones);
    text_list_finish(&options.mask_materials);
    text_list_finish(&options.keep_materials);
    common_options_finish(&common);
    return result;
}
