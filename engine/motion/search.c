/* Keys by frame: binary search, and the two keys that a frame lies between. */
#include <assert.h>

#include "motion_internal.h"

static inline uint32_t frame_at(const void *frames, size_t stride, uint32_t i)
{
    return *(const uint32_t *)(const void *)((const char *)frames + stride * i);
}

int32_t motion_search(const void *frames, size_t stride, uint32_t count, double frame)
{
    /* The answer lies in low - 1 .. high - 1. */
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (frame_at(frames, stride, middle) <= frame)
            low = middle + 1;
        else
            high = middle;
    }
    return (int32_t)low - 1;
}

/* Whether key i is the answer: the last one that is not behind frame. */
static inline bool is_current(const uint32_t *frames, uint32_t count, uint32_t i, double frame)
{
    return i < count && frames[i] <= frame && (i + 1 == count || frames[i + 1] > frame);
}

int32_t mmd_key_search(const uint32_t *frames, uint32_t count, double frame, uint32_t *hint)
{
    assert(frames || count == 0);
    frame = motion_frame(frame);
    if (hint) {
        if (is_current(frames, count, *hint, frame))
            return (int32_t)*hint;
        if (*hint < count && is_current(frames, count, *hint + 1, frame))
            return (int32_t)++ * hint;
    }
    int32_t found = motion_search(frames, sizeof *frames, count, frame);
    if (hint && found >= 0)
        *hint = (uint32_t)found;
    return found;
}

bool motion_find_interval(const void *keys, size_t stride, uint32_t count, double frame,
                          motion_interval *interval)
{
    assert(interval);
    if (count == 0)
        return false;
    frame = motion_frame(frame);
    int32_t found = motion_search(keys, stride, count, frame);
    uint32_t earlier = found < 0 ? 0 : (uint32_t)found;
    *interval = (motion_interval){.earlier = earlier, .later = earlier};
    if (found < 0 || earlier + 1 == count)
        return true;
    double a = frame_at(keys, stride, earlier);
    double b = frame_at(keys, stride, earlier + 1);
    if (frame > a) {
        interval->later = earlier + 1;
        interval->u = (float)((frame - a) / (b - a));
    }
    return true;
}
