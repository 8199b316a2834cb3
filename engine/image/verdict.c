/* Describes and judges the difference of two pictures (difference.h). */
#include "mmd/difference.h"
#include "mmd/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAMED_CAUSES_MAX = 3 };

/* --- Sentences --- */

/* A text that is cut at its capacity. */
typedef struct line {
    char *text;
    size_t size, capacity;
} line;

/* Appends to a line. */
#if defined(__GNUC__)
__attribute__((format(__printf__, 2, 3)))
#endif
static void
add(line *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(l->text + l->size, l->capacity - l->size, format, arguments);
    va_end(arguments);
    l->size = size < 0 || l->size + (size_t)size >= l->capacity ? l->capacity - 1 : l->size + (size_t)size;
}

const char *mmd_share_text(double share, char text[32])
{
    int digits = share >= 0.001 || share <= 0 ? 1 : share >= 0.0001 ? 2 : 4;
    snprintf(text, 32, "%.*f %%", digits, 100 * share);
    return text;
}

/* Appends the materials with most of the difference, and the bone if one has more than half of it. */
static void add_materials(line *l, const mmd_causes *materials, const mmd_causes *bones)
{
    char share[32];
    bool one_model = true, named = true; /* named: the model is named with the material */
    for (size_t i = 0; i < materials->count; i++)
        one_model = one_model && materials->rows[i].model_index == 0;
    double listed = 0;
    for (size_t i = 0; i < materials->count && i < NAMED_CAUSES_MAX && listed < 0.9; i++) {
        const mmd_cause *row = &materials->rows[materials->order[i]];
        if (row->sum == 0)
            break;
        add(l, i ? ", %s " : "%s of the difference is ",
            mmd_share_text(mmd_causes_share(materials, row), share));
        if (row->outside)
            add(l, "outside of all models");
        else
            add(l, named ? "in material %s of %s" : "in %s", row->part, row->model);
        named = named && (row->outside || !one_model);
        listed += mmd_causes_share(materials, row);
    }
    const mmd_cause *bone = bones->count ? &bones->rows[bones->order[0]] : NULL;
    if (bone && !bone->outside && mmd_causes_share(bones, bone) >= 0.5)
        add(l, " (bone %s: %s)", bone->part, mmd_share_text(mmd_causes_share(bones, bone), share));
}

const char *mmd_difference_sentence(const mmd_difference_facts *facts, char *text, size_t capacity)
{
    assert(facts && text && capacity > 0);
    const mmd_compare_result *r = facts->result;
    const uint32_t *a = facts->a_size, *b = facts->b_size, largest = r->levels[MMD_COMPARE_PIXELS].largest;
    line l = {.text = text, .capacity = capacity};
    char share[32];
    *text = '\0';
    if (a[0] != b[0] || a[1] != b[1])
        add(&l, "A is %ux%u, B is %ux%u; ", a[0], a[1], b[0], b[1]);
    if (largest == 0) {
        add(&l, "equal where they overlap");
        return text;
    }
    if (facts->materials && facts->materials->sum > 0)
        add_materials(&l, facts->materials, facts->bones);
    else
        add(&l, "within %ux%u pixels from %u,%u", facts->box[2], facts->box[3], facts->box[0], facts->box[1]);
    add(&l, ":");
    if (*facts->clause)
        add(&l, " %s;", facts->clause);
    add(&l, " %s of the pixels differ by over %u level%s, the largest by %u level%s",
        mmd_share_text(r->share_over, share), facts->threshold, facts->threshold == 1 ? "" : "s", largest,
        largest == 1 ? "" : "s");
    return text;
}

/* --- Verdicts --- */

void mmd_verdict_finish(mmd_verdict *verdict)
{
    assert(verdict);
    mmd_causes_finish(&verdict->models);
    mmd_causes_finish(&verdict->materials);
    mmd_causes_finish(&verdict->bones);
    *verdict = (mmd_verdict){0};
}

mmd_verdict_options mmd_default_verdict_options(void)
{
    return (mmd_verdict_options){.compare = mmd_default_compare_options(), .limits = mmd_default_limits()};
}

/* Fills in the table by one part. */
static mmd_status find_causes(const mmd_compare *compare, const mmd_ids *ids, unsigned part,
                              mmd_causes *causes, mmd_error *error)
{
    mmd_status status = mmd_causes_add(causes, compare, ids, part, error);
    return status == MMD_OK ? mmd_causes_sort(causes, error) : status;
}

/* Finds the kind and the causes of a difference. */
static mmd_status explain(const mmd_compare *compare, const mmd_image *a, const mmd_ids *ids,
                          mmd_verdict *verdict, mmd_error *error)
{
    mmd_status status = mmd_difference_find(compare, a, ids, &verdict->difference, error);
    if (status == MMD_OK && ids)
        status = find_causes(compare, ids, MMD_LABEL_MODEL, &verdict->models, error);
    if (status == MMD_OK && ids)
        status = find_causes(compare, ids, MMD_LABEL_MATERIAL, &verdict->materials, error);
    if (status == MMD_OK && ids)
        status = find_causes(compare, ids, MMD_LABEL_BONE, &verdict->bones, error);
    return status;
}

/* Writes the sentence of a verdict. */
static void write_why(const mmd_image *a, const mmd_image *b, const mmd_verdict_options *options,
                      mmd_verdict *verdict)
{
    char clause[256], sentence[MMD_VERDICT_TEXT_MAX], whole[MMD_VERDICT_TEXT_MAX + 32];
    if (verdict->equal) {
        snprintf(verdict->why, sizeof verdict->why, "equal");
        return;
    }
    const mmd_difference_facts facts = {
        .a_size = {a->width, a->height},
        .b_size = {b->width, b->height},
        .result = &verdict->result,
        .threshold = options->compare.threshold,
        .box = verdict->difference.box,
        .materials = options->ids ? &verdict->materials : NULL,
        .bones = options->ids ? &verdict->bones : NULL,
        .clause = mmd_difference_clause(&verdict->difference, clause, sizeof clause),
    };
    snprintf(whole, sizeof whole, "%s: %s", verdict->passed ? "within the limits" : "different",
             mmd_difference_sentence(&facts, sentence, sizeof sentence));
    mmd_text_clean(whole, true, verdict->why, sizeof verdict->why);
}

/* Returns whether all metrics that limits are on are computed. */
static mmd_status check_limits(const mmd_verdict_options *options, mmd_error *error)
{
    const bool left_out[MMD_METRIC_COUNT] = {
        [MMD_METRIC_SSIM] = !options->compare.ssim, [MMD_METRIC_FLIP] = !options->compare.flip};
    for (int m = 0; m < MMD_METRIC_COUNT; m++)
        if (left_out[m] && mmd_limits_has(&options->limits, (mmd_metric)m))
            return mmd_error_set(error, MMD_ERROR_VALUE, "limits", MMD_NO_OFFSET,
                                 "a limit on %s, which is not computed", mmd_metric_name((mmd_metric)m));
    return MMD_OK;
}

mmd_status mmd_compare_judge(mmd_compare *compare, const mmd_image *a, const mmd_image *b,
                             const mmd_verdict_options *options, mmd_verdict *verdict, mmd_error *error)
{
    assert(compare && a && b && options && verdict);
    mmd_verdict_finish(verdict);
    mmd_status status = check_limits(options, error);
    if (status == MMD_OK)
        status = mmd_compare_run(compare, a, b, &options->compare, &verdict->result, error);
    if (status == MMD_OK && verdict->result.pixels == 0)
        status = mmd_error_set(error, MMD_ERROR_VALUE, "mask", MMD_NO_OFFSET,
                               "the mask ignores all pixels, so nothing can be compared");
    verdict->difference.material = UINT32_MAX;
    if (status == MMD_OK && verdict->result.levels[MMD_COMPARE_PIXELS].largest > 0)
        status = explain(compare, a, options->ids, verdict, error);
    if (status != MMD_OK) {
        mmd_verdict_finish(verdict);
        return status;
    }
    verdict->equal = a->width == b->width && a->height == b->height &&
                     verdict->result.levels[MMD_COMPARE_PIXELS].largest == 0;
    const bool within = mmd_limits_explain(&options->limits, &verdict->result, "", verdict->exceeded,
                                           sizeof verdict->exceeded);
    verdict->passed = verdict->equal || (within && mmd_limits_any(&options->limits));
    write_why(a, b, options, verdict);
    return MMD_OK;
}

mmd_status mmd_compare_pictures(const mmd_image *a, const mmd_image *b, const mmd_limits *limits,
                                mmd_verdict *verdict, mmd_error *error)
{
    mmd_verdict_options options = mmd_default_verdict_options();
    options.compare.lends = true;
    if (limits)
        options.limits = *limits;
    mmd_compare *compare = mmd_compare_create();
    if (!compare) {
        mmd_verdict_finish(verdict);
        return mmd_error_memory(error);
    }
    mmd_status status = mmd_compare_judge(compare, a, b, &options, verdict, error);
    mmd_compare_destroy(compare);
    return status;
}
