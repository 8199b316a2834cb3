/* Samples animation channels. The algorithm is that of glTF 2.0, appendix C (interpolation). */
#include "mmd/animation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"

/* Returns how many numbers a value of the channel has. */
static uint32_t number_count(const mmd_animation_channel *channel)
{
    static const uint8_t count[] = {3, 4, 6, 1};
    return count[channel->animated];
}

/* Returns the last key at or before the time, or 0. hint is only where the search starts. */
static uint32_t find_key(const mmd_animation_channel *channel, double seconds, uint32_t hint)
{
    uint32_t low = 0, high = channel->count;
    if (hint < high && (double)channel->times[hint] <= seconds)
        low = hint;
    if (low + 1 == high || (double)channel->times[low + 1] > seconds)
        return low;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if ((double)channel->times[middle] <= seconds)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Normalises a quaternion; the identity if it is zero or not finite. Computed in double, since tangents of a
 * file may have any size. */
static void normalize(float q[4])
{
    double square = 0;
    for (int i = 0; i < 4; i++)
        square += (double)q[i] * (double)q[i];
    double length = sqrt(square);
    for (int i = 0; i < 4; i++)
        q[i] = length > 0 && isfinite(length) ? (float)((double)q[i] / length) : (float)(i == 3);
}

/* Interpolates along the shorter arc, and linearly between nearly equal keys, whose sine is too small to
 * divide by. */
static void slerp(const float *a, const float *b, float t, float *out)
{
    float cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    float sign = cosine < 0 ? -1.0f : 1.0f, angle = mmd_acosf(mmd_minf(fabsf(cosine), 1));
    float sine = mmd_sinf(angle);
    float wa = sine > 1e-4f ? mmd_sinf((1 - t) * angle) / sine : 1 - t;
    float wb = sine > 1e-4f ? mmd_sinf(t * angle) / sine : t;
    for (int i = 0; i < 4; i++)
        out[i] = wa * a[i] + sign * wb * b[i];
}

/* Evaluates the cubic Hermite spline of glTF between a key and the next, width seconds later. */
static void hermite(const mmd_animation_channel *channel, uint32_t key, float t, float width, float *out)
{
    uint32_t n = number_count(channel);
    const float *a = channel->values + (size_t)key * 3 * n, *b = a + 3 * n;
    float t2 = t * t, t3 = t2 * t;
    for (uint32_t i = 0; i < n; i++)
        out[i] = (2 * t3 - 3 * t2 + 1) * a[n + i] + width * (t3 - 2 * t2 + t) * a[2 * n + i] +
                 (3 * t2 - 2 * t3) * b[n + i] + width * (t3 - t2) * b[i];
}

/* Interpolates between a key and the next, whose time is later, so that width is not 0. */
static void between(const mmd_animation_channel *channel, uint32_t key, double seconds, float *out)
{
    uint32_t n = number_count(channel);
    double begin = (double)channel->times[key], width = (double)channel->times[key + 1] - begin;
    float t = (float)((seconds - begin) / width);
    const float *a = channel->values + (size_t)key * n, *b = a + n;
    if (channel->interpolation == MMD_INTERPOLATION_CUBIC)
        hermite(channel, key, t, (float)width, out);
    else if (channel->animated == MMD_ANIMATED_ROTATION)
        slerp(a, b, t, out);
    else
        for (uint32_t i = 0; i < n; i++)
            out[i] = a[i] + t * (b[i] - a[i]);
}

/* Returns the value of a key, which lies between the two tangents in cubic channels. */
static const float *key_value(const mmd_animation_channel *channel, uint32_t key)
{
    bool cubic = channel->interpolation == MMD_INTERPOLATION_CUBIC;
    return channel->values + ((size_t)key * (cubic ? 3 : 1) + (cubic ? 1 : 0)) * number_count(channel);
}

void mmd_animation_sample(const mmd_animation_channel *channel, double seconds, uint32_t *hint, float *out)
{
    assert(channel && channel->count && channel->times && channel->values && out);
    assert(channel->animated <= MMD_ANIMATED_WEIGHT && channel->interpolation <= MMD_INTERPOLATION_CUBIC);
    uint32_t key = find_key(channel, seconds, hint ? *hint : 0);
    if (hint)
        *hint = key;
    if (channel->interpolation == MMD_INTERPOLATION_STEP || key + 1 == channel->count ||
        !(seconds > (double)channel->times[key])) /* also true for NaN */
        memcpy(out, key_value(channel, key), number_count(channel) * sizeof *out);
    else
        between(channel, key, seconds, out);
    if (channel->animated == MMD_ANIMATED_ROTATION)
        normalize(out);
}
