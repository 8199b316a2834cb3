/* Inside the module: which two keys a frame lies between, and curves of many at once. */
#ifndef MMD_MOTION_INTERNAL_H
#define MMD_MOTION_INTERNAL_H

#include "mmd/motion.h"

/* A frame that is not a number is frame 0. */
static inline double motion_frame(double frame)
{
    return frame != frame ? 0.0 : frame;
}

static inline float motion_mix(float a, float b, float u)
{
    return a + (b - a) * u;
}

/* Two keys and the place between them, 0..1. Where only one counts, it is both, and u is 0. */
typedef struct motion_interval {
    uint32_t earlier, later;
    float u;
} motion_interval;

/* False where there are no keys. Keys start with their frame. */
bool motion_find_interval(const void *keys, size_t stride, uint32_t count, double frame,
                          motion_interval *interval);

/* out[i] = mmd_curve_value(curves[i], u[i]), bit for bit, many at once: what makes sampling a frame cheap. */
void motion_curve_values(const mmd_curve *curves, const float *u, float *out, size_t count);

#endif
