/* E. Catmull, R. Rom, "A class of local interpolating splines" (1974). */
#include "spline.h"

#include <assert.h>

#include "mmd/elementary.h"

/* Extrapolates linearly beyond the ends. */
float spline_at(const float *values, int count, float t)
{
    assert(count >= 2);
    float at = mmd_minf(mmd_maxf(t, 0), 1) * (float)(count - 1);
    int i = (int)at < count - 1 ? (int)at : count - 2;
    float x = at - (float)i;
    float b = values[i], c = values[i + 1];
    float a = i > 0 ? values[i - 1] : 2 * b - c, d = i + 2 < count ? values[i + 2] : 2 * c - b;
    return b + 0.5f * x * (c - a + x * (2 * a - 5 * b + 4 * c - d + x * (3 * (b - c) + d - a)));
}
