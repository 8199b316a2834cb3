/* Judges whether a picture is within the tolerance of its baseline. Equal pictures, the usual case, skip the
 * metrics. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "files/picture.h"
#include "internal.h"

/* Difference in levels that counts as an edge in a picture without ids: half of that between MMD's outline and
 * skin. */
enum { EDGE_LEVELS = 48 };

/* The order in which messages list the limits. */
static const mmd_metric metric_order[MMD_METRIC_COUNT] = {MMD_METRIC_MAX,   MMD_METRIC_MEAN, MMD_METRIC_P99,
                                                          MMD_METRIC_SHARE, MMD_METRIC_PSNR, MMD_METRIC_SSIM,
                                                          MMD_METRIC_FLIP};

bool tolerance_parse(tolerance *t, const char *text, option_error *error)
{
    while (*text) {
        char name[32], value[32];
        double number;
        size_t length = strcspn(text, ","), equals = strcspn(text, "=,");
        if (equals >= length || equals >= sizeof name || length - equals > sizeof value)
            return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a list of limits like max=4,share=0.01", text);
        snprintf(name, sizeof name, "%.*s", (int)equals, text);
        snprintf(value, sizeof value, "%.*s", (int)(length - equals - 1), text + equals + 1);
        mmd_metric metric = mmd_metric_named(name);
        bool is_threshold = strcmp(name, "threshold") == 0;
        if (metric == MMD_METRIC_COUNT && !is_threshold)
            return option_fail(error, EXIT_USAGE,
                               "\"%.40s\" is not one of max, mean, p99, share, psnr, ssim, flip, threshold", name);
        double largest = is_threshold ? 255 : mmd_metric_largest(metric);
        if (!parse_real(value, &number) || number < 0 || number > largest)
            return option_fail(error, EXIT_USAGE, "%s needs a number from 0 to %g", name, largest);
        *(is_threshold ? &t->threshold : &t->limits.value[metric]) = number;
        text += length + (text[length] == ',');
    }
    return true;
}

bool judge_init(judge *j, const judge_texts *texts, problem *why)
{
    *j = (judge){.texts = *texts, .compare = mmd_compare_create()};
    return j->compare || problem_out_of_memory(why);
}

void judge_finish(judge *j)
{
    mmd_compare_destroy(j->compare);
    mask_finish(&j->mask);
    *j = (judge){0};
}

/* Masks the dark pixels of the picture of m. */
static bool mask_by_picture(mmd_mask *mask, const suite_mask *m, mmd_mask_action action, problem *why)
{
    mmd_image picture = {0};
    mmd_error error = {0};
    bool ok = picture_read_mask(m->picture.path, &picture, &error) == MMD_OK || problem_from(why, &error);
    if (ok && (picture.width != mask->width || picture.height != mask->height))
        ok = problem_set(why, EXIT_INPUT, "the mask %s has %ux%u pixels, but the picture has %ux%u", m->picture.path,
                         picture.width, picture.height, mask->width, mask->height);
    if (ok)
        mmd_mask_picture(mask, &picture, action);
    mmd_image_finish(&picture);
    return ok;
}

/* Combines the masks of a scene for a picture of the size of the baseline. */
static bool make_mask(judge *j, const mmd_image *baseline, const mmd_label_plane *labels,
                      const suite_masks *masks, problem *why)
{
    mmd_error error = {0};
    if (!mask_start(&j->mask, baseline->width, baseline->height))
        return problem_out_of_memory(why);
    for (size_t i = 0; i < masks->count; i++) {
        const suite_mask *m = &masks->items[i];
        mmd_mask_action action = m->keep ? MMD_MASK_KEEP : MMD_MASK_REMOVE;
        if (m->kind == SUITE_MASK_RECTANGLE) {
            mmd_mask_rectangle(&j->mask, m->rectangle[0], m->rectangle[1], (uint32_t)m->rectangle[2],
                               (uint32_t)m->rectangle[3], action);
        } else if (m->kind == SUITE_MASK_PICTURE) {
            if (!mask_by_picture(&j->mask, m, action, why))
                return false;
        } else if (mask_near_edges(&j->mask, labels, baseline, EDGE_LEVELS, m->edges, action, &error) !=
                   MMD_OK) {
            return problem_from(why, &error);
        }
    }
    /* Without any pixel to compare, every picture would pass. */
    return memchr(j->mask.pixels, 255, (size_t)baseline->width * baseline->height) ||
           problem_set(why, EXIT_INPUT, "the masks cover the whole picture, so nothing can be compared");
}

mmd_compare_options judge_options(const judge *j, const mmd_image *baseline, const mmd_image *drawn,
                                  const suite_scene *p)
{
    const mmd_limits *limits = &p->tolerance.limits;
    mmd_compare_options options = mmd_default_compare_options();
    options.align = MMD_COMPARE_ALIGN_NONE;
    options.lends = true; /* the pictures stay as long as their regions are asked for */
    /* Without alpha, a transparent background would equal a white one. */
    if (baseline->has_alpha || drawn->has_alpha)
        options.alpha = MMD_COMPARE_ALPHA_ALWAYS;
    options.threshold = (uint8_t)p->tolerance.threshold;
    options.ssim = mmd_limits_has(limits, MMD_METRIC_SSIM);
    options.flip = mmd_limits_has(limits, MMD_METRIC_FLIP);
    options.mask = p->masks.count ? j->mask.pixels : NULL;
    return options;
}

/* Compares pictures that differ, and lists the exceeded limits in out->why. */
static bool run_compare(judge *j, const mmd_image *baseline, const mmd_image *drawn, const suite_scene *p,
                        judgement *out, problem *why)
{
    const mmd_limits *limits = &p->tolerance.limits;
    const mmd_compare_options options = judge_options(j, baseline, drawn, p);
    mmd_error error = {0};
    if (mmd_compare_run(j->compare, baseline, drawn, &options, &out->result, &error) != MMD_OK)
        return problem_from(why, &error);
    out->compared = true;
    out->threshold = p->tolerance.threshold;
    out->passed = mmd_limits_any(limits) || out->result.levels[MMD_COMPARE_CHANNELS].largest == 0;
    if (!out->passed)
        snprintf(out->why, sizeof out->why, "%s", j->texts.unequal);
    for (size_t i = 0, used = 0; i < MMD_METRIC_COUNT; i++) {
        if (mmd_limits_keep(limits, metric_order[i], &out->result))
            continue;
        out->passed = false;
        used += (size_t)snprintf(
            out->why + used, sizeof out->why - used, "%s%s is %.6g, %s %.6g is allowed", used ? "; " : "",
            mmd_metric_name(metric_order[i]), mmd_metric_value(metric_order[i], &out->result),
            mmd_metric_high_is_good(metric_order[i]) ? "at least" : "at most", limits->value[metric_order[i]]);
    }
    return true;
}

bool judge_pictures(judge *j, const mmd_image *baseline, const mmd_image *drawn,
                    const mmd_label_plane *labels, const suite_scene *p, judgement *out, problem *why)
{
    *out = (judgement){0};
    if (baseline->width != drawn->width || baseline->height != drawn->height) {
        snprintf(out->why, sizeof out->why, "%s has %ux%u pixels, %s %ux%u", j->texts.was, baseline->width,
                 baseline->height, j->texts.now, drawn->width, drawn->height);
        return true;
    }
    /* The mask is made for equal pictures too, so that an error in it is reported at once. */
    if (p->masks.count && !make_mask(j, baseline, labels, &p->masks, why))
        return false;
    size_t size = (size_t)4 * drawn->width * drawn->height;
    out->equal = memcmp(baseline->pixels, drawn->pixels, size) == 0;
    out->passed = out->equal;
    return out->equal || run_compare(j, baseline, drawn, p, out, why);
}

/* Returns a number with six significant digits, or null when it is not finite. */
static json_t *metric(double value)
{
    char text[40];
    if (!isfinite(value))
        return json_null();
    snprintf(text, sizeof text, "%.6g", value);
    return json_real(strtod(text, NULL));
}

json_t *judgement_metrics(const judgement *j)
{
    const mmd_compare_result *r = &j->result;
    if (!j->compared)
        return json_null();
    json_t *o = json_object();
    json_object_set_new(o, "max", json_integer(r->levels[MMD_COMPARE_CHANNELS].largest));
    json_object_set_new(o, "mean", metric(r->levels[MMD_COMPARE_CHANNELS].mean));
    json_object_set_new(o, "p99", json_integer(r->levels[MMD_COMPARE_CHANNELS].percentile_99));
    json_object_set_new(o, "share", metric(r->share_over));
    json_object_set_new(o, "threshold", metric(j->threshold));
    json_object_set_new(o, "pixels", json_integer((json_int_t)r->over));
    json_object_set_new(o, "psnr", metric(r->psnr_all));
    if (r->ssim_all > 0)
        json_object_set_new(o, "ssim", metric(r->ssim_all));
    if (r->flip_mean > 0)
        json_object_set_new(o, "flip", metric(r->flip_mean));
    return o;
}
