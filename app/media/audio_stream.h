/*
 * A sound file as one long tape without seams: where the dance leaps, from its
 * end to its start or from B to A, so does the file, and what is read goes on
 * without a gap. Seconds on the tape never leap; shifts say where in the file
 * they are.
 */
#ifndef ODORI_AUDIO_STREAM_H
#define ODORI_AUDIO_STREAM_H

#include <stdbool.h>

#include "audio_file.h"

/* Where the file leaps: what would come at end is what is at start, in its seconds. */
typedef struct audio_seam {
    bool leaps; /* false: nowhere */
    double end, start;
} audio_seam;

/* As short as what is between two leaps may be; what is shorter plays on, as if there was no seam. */
#define AUDIO_LOOP_SHORTEST 0.1

enum { AUDIO_SHIFTS = 16 }; /* leaps that are remembered: those of a queue at the highest speed */

/* From this second of the tape on, the file's is `by` more. */
typedef struct audio_shift {
    double from, by;
} audio_shift;

/* The last ones, the oldest first. */
typedef struct audio_shifts {
    audio_shift items[AUDIO_SHIFTS];
    unsigned count;
} audio_shifts;

/* What the file's second is ahead of the tape's at one of the tape. */
double audio_shift_at(const audio_shifts *shifts, double second);

typedef struct audio_loop audio_loop;

/* Does not own the file. NULL: out of memory. */
audio_loop *audio_loop_create(audio_file *file);
void audio_loop_destroy(audio_loop *l); /* NULL is allowed */

/* What is read next is this sample frame, of file and tape, and nothing has leapt. */
void audio_loop_restart(audio_loop *l, int64_t frame);

/* The seam that counts from what is read next on; one that is behind that counts as none. */
void audio_loop_set_seam(audio_loop *l, const audio_seam *seam);

/* As audio_file_read; also a few thousandths of a second of a seam are a crossfade, so that it does not
 * click. */
void audio_loop_read(audio_loop *l, float *out, size_t count);

const audio_shifts *audio_loop_shifts(const audio_loop *l);

/* --- A stream of stereo sound, faster or slower at the same pitch. At speed 1 what comes out is what goes
 * in. --- */

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
