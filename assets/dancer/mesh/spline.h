/* Smooth curves through values. */
#ifndef DANCER_SPLINE_H
#define DANCER_SPLINE_H

/* Evaluates a Catmull-Rom spline through count values, with t from 0 (the first) to 1 (the last). */
float spline_at(const float *values, int count, float t);

#endif
