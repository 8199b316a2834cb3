/* Judges whether a picture is within the tolerance of its baseline. Equal pictures, the usual case, skip the
 * metrics. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "files/exr.h"
#include "internal.h"
#include "mmd/memory.h"

/* Difference in levels that counts as an edge in a picture without ids: half of that between MMD's outline
 * and skin. */
enum { EDGE_LEVELS = 48 };

/* Difference in levels that counts as an edge within a material, where drivers may differ. */
enum { STEP_LEVELS = 24 };

bool tolerance_parse(tolerance *t, const char *text, option_error *error)
{
    while (*text) {
        char name[32], value[32];
        double number;
        size_t length = strcspn(text, ","), equals = strcspn(text, "=,");
        if (equals >= length || equals >= sizeof name || length - equals > sizeof value)
            return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a list of limits like max=4,share=0.01",
                               text);
        snprintf(name, sizeof name, "%.*s", (int)equals, text);
        snprintf(value, sizeof value, "%.*s", (int)(length - equals - 1), text + equals + 1);
        mmd_metric metric = mmd_metric_named(name);
        bool is_threshold = strcmp(name, "threshold") == 0;
        if (metric == MMD_METRIC_COUNT && !is_threshold)
            return option_fail(error, EXIT_USAGE,
                               "\"%.40s\" is not one of max, mean, p99, share, psnr, ssim, flip, threshold",
                               name);
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
    mmd_mask_finish(&j->mask);
    *j = (judge){0};
}

/* Masks the dark pixels of the picture of m. */
static bool mask_by_picture(mmd_mask *mask, const suite_mask *m, mmd_mask_action action, problem *why)
{
    mmd_image picture = {0};
    mmd_error error = {0};
    bool ok =
        exr_or_picture_read_mask(m->picture.path, &picture, &error) == MMD_OK || problem_from(why, &error);
    if (ok && (picture.width != mask->width || picture.height != mask->height))
        ok = problem_set(why, EXIT_INPUT, "the mask %s has %ux%u pixels, but the picture has %ux%u",
                         m->picture.path, picture.width, picture.height, mask->width, mask->height);
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
    if (mmd_mask_init(&j->mask, baseline->width, baseline->height, NULL) != MMD_OK)
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
        } else if (mmd_mask_edges_or_steps(&j->mask, labels, baseline, EDGE_LEVELS, m->edges, action,
                                           &error) != MMD_OK) {
            return problem_from(why, &error);
        }
    }
    /* Without any pixel to compare, every picture would pass. */
    return memchr(j->mask.pixels, 255, (size_t)baseline->width * baseline->height) ||
           problem_set(why, EXIT_INPUT, "the masks cover the whole picture, so nothing can be compared");
}

/* Lists the limits that a result exceeds in out->why. where: "" or "beyond edges ". */
static void list_exceeded(const mmd_limits *limits, const mmd_compare_result *result, const char *where,
                          judgement *out)
{
    const bool within = mmd_limits_explain(limits, result, where, out->why, sizeof out->why);
    out->passed = out->passed && within;
}

/* Returns how pictures are compared by a tolerance, as far as a mask, which can be NULL, lets. */
static mmd_compare_options options_for(const mmd_image *baseline, const mmd_image *drawn, const tolerance *t,
                                       const uint8_t *mask)
{
    mmd_compare_options options = mmd_default_compare_options();
    options.align = MMD_COMPARE_ALIGN_NONE;
    options.lends = true; /* the pictures stay as long as their regions are asked for */
    /* Without alpha, a transparent background would equal a white one. */
    if (baseline->has_alpha || drawn->has_alpha)
        options.alpha = MMD_COMPARE_ALPHA_ALWAYS;
    options.threshold = (uint8_t)t->threshold;
    options.ssim = mmd_limits_has(&t->limits, MMD_METRIC_SSIM);
    options.flip = mmd_limits_has(&t->limits, MMD_METRIC_FLIP);
    options.mask = mask;
    return options;
}

mmd_compare_options judge_options(const judge *j, const mmd_image *baseline, const mmd_image *drawn,
                                  const suite_scene *p)
{
    return options_for(baseline, drawn, &p->tolerance, p->masks.count ? j->mask.pixels : NULL);
}

/* Compares pictures that differ, as far as a mask, which can be NULL, lets. */
static bool compare_masked(judge *j, const mmd_image *baseline, const mmd_image *drawn, const tolerance *t,
                           const uint8_t *mask, mmd_compare_result *result, problem *why)
{
    const mmd_compare_options options = options_for(baseline, drawn, t, mask);
    mmd_error error = {0};
    return mmd_compare_run(j->compare, baseline, drawn, &options, result, &error) == MMD_OK ||
           problem_from(why, &error);
}

/* Compares pictures that differ, and lists the exceeded limits in out->why. */
static bool run_compare(judge *j, const mmd_image *baseline, const mmd_image *drawn, const suite_scene *p,
                        judgement *out, problem *why)
{
    const tolerance *t = &p->tolerance;
    if (!compare_masked(j, baseline, drawn, t, p->masks.count ? j->mask.pixels : NULL, &out->result, why))
        return false;
    out->compared = true;
    out->threshold = t->threshold;
    out->passed = mmd_limits_any(&t->limits) || out->result.levels[MMD_COMPARE_CHANNELS].largest == 0;
    if (!out->passed)
        snprintf(out->why, sizeof out->why, "%s", j->texts.unequal);
    list_exceeded(&t->limits, &out->result, "", out);
    return true;
}

/* Removes what is near edges from the mask: where model or material change, and where a colour steps within
 * them, as at the border of a shadow. */
static bool remove_edges(judge *j, const mmd_image *baseline, const mmd_label_plane *labels,
                         uint32_t distance, problem *why)
{
    mmd_error error = {0};
    return (mmd_mask_edges_or_steps(&j->mask, labels, baseline, 0, distance, MMD_MASK_REMOVE, &error) ==
                MMD_OK &&
            mmd_mask_edges_or_steps(&j->mask, NULL, baseline, STEP_LEVELS, distance, MMD_MASK_REMOVE,
                                    &error) == MMD_OK) ||
           problem_from(why, &error);
}

/* Compares pictures of two drivers that differ: at first without what is near edges, where drivers may
 * differ, then as a whole, by which the report shows the difference. */
static bool run_other(judge *j, const mmd_image *baseline, const mmd_image *drawn,
                      const mmd_label_plane *labels, const suite_scene *p, judgement *out, problem *why)
{
    const other_driver *other = &p->other_driver;
    tolerance beyond = other->tolerance, whole = tolerance_none();
    whole.threshold = other->tolerance.threshold;
    whole.limits.value[MMD_METRIC_FLIP] = other->tolerance.limits.value[MMD_METRIC_FLIP];
    beyond.limits.value[MMD_METRIC_FLIP] = NAN;
    if (!make_mask(j, baseline, labels, &p->masks, why) ||
        !remove_edges(j, baseline, labels, other->edges, why) ||
        !compare_masked(j, baseline, drawn, &beyond, j->mask.pixels, &out->beyond, why) ||
        !make_mask(j, baseline, labels, &p->masks, why) ||
        !compare_masked(j, baseline, drawn, &whole, j->mask.pixels, &out->result, why))
        return false;
    out->compared = out->has_beyond = out->passed = true;
    out->threshold = whole.threshold;
    if (out->beyond.pixels > 0)
        list_exceeded(&beyond.limits, &out->beyond, "beyond edges ", out);
    list_exceeded(&whole.limits, &out->result, "", out);
    return true;
}

/* Returns whether the pictures are to be compared: their sizes are the same, but not all bytes. If not, out
 * has the result. */
static bool begin_judgement(const judge *j, const mmd_image *baseline, const mmd_image *drawn, judgement *out)
{
    *out = (judgement){0};
    if (baseline->width != drawn->width || baseline->height != drawn->height) {
        snprintf(out->why, sizeof out->why, "%s has %ux%u pixels, %s %ux%u", j->texts.was, baseline->width,
                 baseline->height, j->texts.now, drawn->width, drawn->height);
        return false;
    }
    out->equal = memcmp(baseline->pixels, drawn->pixels, (size_t)4 * drawn->width * drawn->height) == 0;
    out->passed = out->equal;
    return !out->equal;
}

bool judge_pictures(judge *j, const mmd_image *baseline, const mmd_image *drawn,
                    const mmd_label_plane *labels, const suite_scene *p, judgement *out, problem *why)
{
    const bool differs = begin_judgement(j, baseline, drawn, out);
    /* The mask is made for equal pictures too, so that an error in it is reported at once. */
    if ((differs || out->equal) && p->masks.count && !make_mask(j, baseline, labels, &p->masks, why))
        return false;
    return !differs || run_compare(j, baseline, drawn, p, out, why);
}

bool judge_other_driver(judge *j, const mmd_image *baseline, const mmd_image *drawn,
                        const mmd_label_plane *labels, const suite_scene *p, judgement *out, problem *why)
{
    return !begin_judgement(j, baseline, drawn, out) || run_other(j, baseline, drawn, labels, p, out, why);
}

bool judge_drawn(judge *j, const judge_frame_input *f, judgement *out, problem *why)
{
    const suite_masks *masks = &f->scene->masks;
    uint32_t(*ids)[3] = NULL;
    mmd_error error = {0};
    bool wanted = f->other, ok = true;
    for (size_t i = 0; i < masks->count; i++)
        wanted = wanted || masks->items[i].kind == SUITE_MASK_EDGES;
    if (wanted) {
        ids = mmd_alloc((size_t)f->drawn->width * f->drawn->height * sizeof *ids);
        if (!ids)
            ok = problem_out_of_memory(why);
        else if (mmd_view_ids(f->view, f->stage->scene.stage, &f->stage->session.view, f->drawn->width,
                              f->drawn->height, ids, &error) != MMD_OK)
            ok = problem_from(why, &error);
    }
    const mmd_label_plane labels = {
        .width = f->drawn->width, .height = f->drawn->height, .ids = (const uint32_t(*)[3])ids};
    if (ok && f->other)
        ok = judge_other_driver(j, f->baseline, f->drawn, &labels, f->scene, out, why);
    else if (ok)
        ok = judge_pictures(j, f->baseline, f->drawn, wanted ? &labels : NULL, f->scene, out, why);
    mmd_free(ids);
    return ok;
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

static json_t *metrics_of(const mmd_compare_result *r, double threshold)
{
    json_t *o = json_object();
    json_object_set_new(o, "max", json_integer(r->levels[MMD_COMPARE_CHANNELS].largest));
    json_object_set_new(o, "mean", metric(r->levels[MMD_COMPARE_CHANNELS].mean));
    json_object_set_new(o, "p99", json_integer(r->levels[MMD_COMPARE_CHANNELS].percentile_99));
    json_object_set_new(o, "share", metric(r->share_over));
    json_object_set_new(o, "threshold", metric(threshold));
    json_object_set_new(o, "pixels", json_integer((json_int_t)r->over));
    json_object_set_new(o, "psnr", metric(r->psnr_all));
    if (r->ssim_all > 0)
        json_object_set_new(o, "ssim", metric(r->ssim_all));
    if (r->flip_mean > 0)
        json_object_set_new(o, "flip", metric(r->flip_mean));
    return o;
}

json_t *judgement_metrics(const judgement *j)
{
    return j->compared ? metrics_of(&j->result, j->threshold) : json_null();
}

json_t *judgement_metrics_beyond(const judgement *j)
{
    return j->beyond.pixels ? metrics_of(&j->beyond, j->threshold) : json_null();
}
