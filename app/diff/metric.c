/* Metrics as `odori diff` tells them: titles, values with units, and over all frames. */
#include <math.h>
#include <stdio.h>

#include "internal.h"

const char *metric_title(mmd_metric m)
{
    static const char *const titles[MMD_METRIC_COUNT] = {
        [MMD_METRIC_MAX] = "largest difference",
        [MMD_METRIC_MEAN] = "mean difference",
        [MMD_METRIC_P99] = "99th percentile",
        [MMD_METRIC_PSNR] = "PSNR",
        [MMD_METRIC_SSIM] = "SSIM",
        [MMD_METRIC_FLIP] = "FLIP, mean",
        [MMD_METRIC_SHARE] = "pixels over",
    };
    return titles[m];
}

const char *metric_format(mmd_metric m, double value, char *text, size_t capacity)
{
    switch (m) {
    case MMD_METRIC_MAX:
    case MMD_METRIC_P99:
        snprintf(text, capacity, "%.0f level%s", value, value == 1 ? "" : "s");
        break;
    case MMD_METRIC_MEAN:
        snprintf(text, capacity, "%.4f levels", value);
        break;
    case MMD_METRIC_PSNR:
        if (isfinite(value))
            snprintf(text, capacity, "%.2f dB", value);
        else
            snprintf(text, capacity, "infinite");
        break;
    case MMD_METRIC_SHARE:
        snprintf(text, capacity, value > 0 && value < 0.0005 ? "%.4f %%" : "%.2f %%", 100 * value);
        break;
    default:
        snprintf(text, capacity, "%.5f", value);
    }
    return text;
}

metric_summary findings_summary(const diff_findings *f, mmd_metric m)
{
    metric_summary summary = {0};
    double sum = 0;
    size_t finite = 0;
    for (size_t i = 0; i < f->frame_count; i++) {
        double value = mmd_metric_value(m, &f->frames[i].result);
        bool worse = mmd_metric_high_is_good(m) ? value < summary.worst : value > summary.worst;
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
