/* Metrics of comparisons by name, and their limits. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mmd/compare.h"

static const struct {
    const char *name;
    bool high_is_good;
    double largest;
} metrics[MMD_METRIC_COUNT] = {
    [MMD_METRIC_MAX] = {"max", false, 255},   [MMD_METRIC_MEAN] = {"mean", false, 255},
    [MMD_METRIC_P99] = {"p99", false, 255},   [MMD_METRIC_PSNR] = {"psnr", true, 1000},
    [MMD_METRIC_SSIM] = {"ssim", true, 1},    [MMD_METRIC_FLIP] = {"flip", false, 1},
    [MMD_METRIC_SHARE] = {"share", false, 1},
};

const char *mmd_metric_name(mmd_metric metric)
{
    assert((unsigned)metric < MMD_METRIC_COUNT);
    return metrics[metric].name;
}

mmd_metric mmd_metric_named(const char *name)
{
    mmd_metric metric = 0;
    while (metric < MMD_METRIC_COUNT && strcmp(metrics[metric].name, name) != 0)
        metric++;
    return metric;
}

bool mmd_metric_high_is_good(mmd_metric metric)
{
    assert((unsigned)metric < MMD_METRIC_COUNT);
    return metrics[metric].high_is_good;
}

double mmd_metric_largest(mmd_metric metric)
{
    assert((unsigned)metric < MMD_METRIC_COUNT);
    return metrics[metric].largest;
}

double mmd_metric_value(mmd_metric metric, const mmd_compare_result *result)
{
    assert(result);
    assert((unsigned)metric < MMD_METRIC_COUNT);
    const mmd_compare_levels *levels = &result->levels[MMD_COMPARE_CHANNELS];
    switch (metric) {
    case MMD_METRIC_MAX:
        return levels->largest;
    case MMD_METRIC_MEAN:
        return levels->mean;
    case MMD_METRIC_P99:
        return levels->percentile_99;
    case MMD_METRIC_PSNR:
        return result->psnr_all;
    case MMD_METRIC_SSIM:
        return result->ssim_all;
    case MMD_METRIC_FLIP:
        return result->flip_mean;
    default:
        return result->share_over;
    }
}

mmd_limits mmd_default_limits(void)
{
    mmd_limits limits;
    for (int m = 0; m < MMD_METRIC_COUNT; m++)
        limits.value[m] = (double)NAN;
    return limits;
}

bool mmd_limits_has(const mmd_limits *limits, mmd_metric metric)
{
    assert(limits);
    assert((unsigned)metric < MMD_METRIC_COUNT);
    return !isnan(limits->value[metric]);
}

bool mmd_limits_any(const mmd_limits *limits)
{
    assert(limits);
    for (int m = 0; m < MMD_METRIC_COUNT; m++)
        if (mmd_limits_has(limits, (mmd_metric)m))
            return true;
    return false;
}

bool mmd_limits_keep(const mmd_limits *limits, mmd_metric metric, const mmd_compare_result *result)
{
    assert(limits);
    assert((unsigned)metric < MMD_METRIC_COUNT);
    double value = mmd_metric_value(metric, result), limit = limits->value[metric];
    return isnan(limit) || (metrics[metric].high_is_good ? value >= limit : value <= limit);
}

bool mmd_limits_explain(const mmd_limits *limits, const mmd_compare_result *result, const char *where,
                        char *text, size_t capacity)
{
    static const mmd_metric order[MMD_METRIC_COUNT] = {MMD_METRIC_MAX,   MMD_METRIC_MEAN, MMD_METRIC_P99,
                                                       MMD_METRIC_SHARE, MMD_METRIC_PSNR, MMD_METRIC_SSIM,
                                                       MMD_METRIC_FLIP};
    assert(limits && result && where && text);
    size_t used = strlen(text);
    bool within = true;
    for (size_t i = 0; i < MMD_METRIC_COUNT; i++) {
        if (mmd_limits_keep(limits, order[i], result))
            continue;
        within = false;
        if (used < capacity)
            used += (size_t)snprintf(
                text + used, capacity - used, "%s%s%s is %.6g, %s %.6g is allowed", used ? "; " : "", where,
                mmd_metric_name(order[i]), mmd_metric_value(order[i], result),
                mmd_metric_high_is_good(order[i]) ? "at least" : "at most", limits->value[order[i]]);
    }
    return within;
}
