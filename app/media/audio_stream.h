/*
 * A sound file as one long tape without seams: where the dance leaps, from its
 * end to its start or from B to A, so does the file, and what is read goes on
 * without a gap. Seconds on the tape never leap; shifts say where in the file
 * they are.
 */
#ifndef ODORI_AUDIO_LOOP_H
#define ODORI_AUDIO_LOOP_H

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

#endif
