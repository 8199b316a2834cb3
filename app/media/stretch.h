/*
 * A stream of stereo sound, faster or slower at the same pitch. At speed 1 what
 * comes out is what goes in.
 */
#ifndef ODORI_STRETCH_H
#define ODORI_STRETCH_H

#include <stddef.h>
#include <stdint.h>

/* As fast and as slow as it goes. */
#define STRETCH_SLOWEST 0.1
#define STRETCH_FASTEST 4.0

/* Fills count frames (left and right in turn) with what comes next; there is always more. */
typedef void stretch_read_fn(void *user, float *out, size_t count);

typedef struct stretch stretch;

/* For so many frames a second, from 4,000 to 192,000. NULL: out of memory. */
stretch *stretch_create(uint32_t rate, stretch_read_fn *read, void *user);
void stretch_destroy(stretch *s); /* NULL is allowed */

/* Forgets everything: what comes out next is this frame. Returned is the frame, a little before it, from
 * which on it will read. */
int64_t stretch_restart(stretch *s, double position);

/* The next count frames, at a speed that may be another every time. Allocates nothing. */
void stretch_take(stretch *s, float *out, size_t count, double speed);

/* Which frame of what goes in the next one that comes out is. */
double stretch_position(const stretch *s);

#endif
