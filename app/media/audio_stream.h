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

/* Where the file leaps: at second end of the file it goes on at second start. */
typedef struct audio_seam {
    bool leaps; /* false: nowhere */
    double end, start;
} audio_seam;

/* Shortest loop in seconds; a shorter one plays on as if there were no seam. */
#define AUDIO_LOOP_SHORTEST 0.1

enum { AUDIO_SHIFTS = 16 }; /* leaps remembered: as many as a queue holds at the highest speed */

/* From this second of the tape on, the file's second is `by` more. */
typedef struct audio_shift {
    double from, by;
} audio_shift;

/* The last ones, the oldest first. */
typedef struct audio_shifts {
    audio_shift items[AUDIO_SHIFTS];
    unsigned count;
} audio_shifts;

/* Returns by how much the file's second is ahead of the tape's at a second of the tape. */
double audio_shift_at(const audio_shifts *shifts, double second);

typedef struct audio_loop audio_loop;

/* Creates a tape over a file, which stays the caller's. NULL: out of memory. */
audio_loop *audio_loop_create(audio_file *file);
void audio_loop_destroy(audio_loop *l); /* NULL is allowed */

/* Goes to a sample frame, the same of file and tape, and forgets all leaps. */
void audio_loop_restart(audio_loop *l, int64_t frame);

/* Sets the seam for what is read from now on; a seam that lies behind that is ignored. */
void audio_loop_set_seam(audio_loop *l, const audio_seam *seam);

/* Reads like audio_file_read. A few milliseconds at a seam are crossfaded, so that it does not click. */
void audio_loop_read(audio_loop *l, float *out, size_t count);

const audio_shifts *audio_loop_shifts(const audio_loop *l);

/* --- A stream of stereo sound, faster or slower at the same pitch. At speed 1 what comes out is what goes
 * in. --- */

/* Limits of the speed. */
#define STRETCH_SLOWEST 0.1
#define STRETCH_FASTEST 4.0

/* Callback that fills count frames (left and right in turn) with the next input; there is always more. */
typedef void stretch_read_fn(void *user, float *out, size_t count);

typedef struct stretch stretch;

/* Creates a stretch for a rate of 4,000 to 192,000 frames a second. NULL: out of memory. */
stretch *stretch_create(uint32_t rate, stretch_read_fn *read, void *user);
void stretch_destroy(stretch *s); /* NULL is allowed */

/* Restarts so that this input frame comes out next. Returns the frame, a little before it, where the caller's
 * input has to start. */
int64_t stretch_restart(stretch *s, double position);

/* Takes the next count frames at a speed, which may differ each time. Allocates nothing. */
void stretch_take(stretch *s, float *out, size_t count, double speed);

/* Returns which input frame comes out next. */
double stretch_position(const stretch *s);

#endif
