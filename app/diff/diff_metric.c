/* The metrics of `odori diff` by name: values, words, limits. */
#include <math.h>
#include <stdio.h>

#include "diff_internal.h"

static const metric_info infos[METRIC_COUNT] = {
    [METRIC_MAX] = {"max", "largest difference", false},
    [METRIC_MEAN] = {"mean", "mean difference", false},
    [METRIC_P99] = {"p99", "99th percentile", false},
    [METRIC_PSNR] = {"psnr", "PSNR", true},
    [METRIC_SSIM] = {"ssim", "SSIM", true},
    [METRIC_FLIP] = {"flip", "FLIP, mean", false},
    [METRIC_SHARE] = {"share", "pixels over", false},
};

const metric_info *metric_get(metric m)
{
    return &infos[m];
}

double metric_value(metric m, const mmd_compare_result *result)
{
    const mmd_compare_levels *levels = &result->levels[MMD_COMPARE_CHANNELS];
    switch (m) {
    case METRIC_MAX:
        return levels->largest;
    case METRIC_MEAN:
        return levels->mean;
    case METRIC_P99:
        return levels->percentile_99;
    case METRIC_PSNR:
        return result->psnr_all;
    case METRIC_SSIM:
        return result->ssim_all;
    case METRIC_FLIP:
        return result->flip_mean;
    default:
        return result->share_over;
    }
}

const char *metric_format(metric m, double value, char *text, size_t capacity)
{
    switch (m) {
    case METRIC_MAX:
    case METRIC_P99:
        snprintf(text, capacity, "%.0f level%s", value, value == 1 ? "" : "s");
        break;
    case METRIC_MEAN:
        snprintf(text, capacity, "%.4f levels", value);
        break;
    case METRIC_PSNR:
        if (isfinite(value))
            snprintf(text, capacity, "%.2f dB", value);
        else
            snprintf(text, capacity, "infinite");
        break;
    case METRIC_SHARE:
        snprintf(text, capacity, value > 0 && value < 0.0005 ? "%.4f %%" : "%.2f %%", 100 * value);
        break;
    default:
        snprintf(text, capacity, "%.5f", value);
    }
    return text;
}

bool metric_keeps(const diff_limits *limits, metric m, const mmd_compare_result *result)
{
    double value = metric_value(m, result);
    return !limits->given[m] ||
           (infos[m].high_is_good ? value >= limits->value[m] : value <= limits->value[m]);
}

bool limits_any(const diff_limits *limits)
{
    for (int m = 0; m < METRIC_COUNT; m++)
        if (limits->given[m])
            return true;
    return false;
}

metric_summary findings_summary(const diff_findings *f, metric m)
{
    metric_summary summary = {0};
    double sum = 0;
    size_t finite = 0;
    for (size_t i = 0; i < f->frame_count; i++) {
        double value = metric_value(m, &f->frames[i].result);
        bool worse = infos[m].high_is_good ? value < summary.worst : value > summary.worst;
        if (i == 0 || worse) {
            summary.worst = value;
            summary.frame = i;
        }
        if (isfinite(value)) {
            sum += value;
            finite++;
        }
    }
    summary.mean = finite ? sum / (double)finite : INFINITY;
    return summary;
}
