/* A monotonic clock for measuring durations. */
#ifndef ODORI_CLOCK_H
#define ODORI_CLOCK_H

#include <time.h>

/* Returns the seconds since an arbitrary moment. Only differences have a meaning. */
static inline double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
