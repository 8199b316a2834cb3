/* Shared by the files of this module: the two keys around a frame, and evaluation of many curves at once. */
#ifndef MMD_MOTION_INTERNAL_H
#define MMD_MOTION_INTERNAL_H

#include "mmd/motion.h"

/* Returns the frame, or 0 for NaN. */
static inline double motion_frame(double frame)
{
    return frame != frame ? 0.0 : frame;
}

static inline float motion_mix(float a, float b, float u)
{
    return a + (b - a) * u;
}

/* Two neighbouring keys and the position between them, 0..1. Outside of the keys both are the same one and u
 * is 0. */
typedef struct motion_interval {
    uint32_t earlier, later;
    float u;
} motion_interval;

/* Finds the two keys around a frame. Keys lie stride bytes apart and start with their frame. Returns false if
 * count is 0. */
bool motion_find_interval(const void *keys, size_t stride, uint32_t count, double frame,
                          motion_interval *interval);

/* Computes mmd_curve_value for bones, where MMD has other sums, and a factor that is not quite 1/127
 * (docs/mmd.md choice 2). */
float motion_bone_curve_value(mmd_curve curve, float u);

#endif
