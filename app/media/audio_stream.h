/*
 * A sound file as one continuous tape. When the dance jumps, from its end to its start or from B to A, the
 * file jumps too, without a gap. Seconds on the tape always increase; shifts convert them to seconds of the
 * file.
 */
#ifndef ODORI_AUDIO_STREAM_H
#define ODORI_AUDIO_STREAM_H

#include <stdbool.h>

#include "audio_file.h"

/* Where the file jumps: at second `end` it continues at second `start`. */
typedef struct audio_seam {
    bool leaps; /* false: never */
    double end, start;
} audio_seam;

/* Shortest loop in seconds. A shorter one is ignored, and the file plays on. */
#define AUDIO_LOOP_SHORTEST 0.1

enum { AUDIO_SHIFTS = 16 }; /* number of remembered jumps: as many as a queue can hold at the highest speed */

/* From this second of the tape on, the file's second is larger by `by`. */
typedef struct audio_shift {
    double from, by;
} audio_shift;

/* The last shifts, oldest first. */
typedef struct audio_shifts {
    audio_shift items[AUDIO_SHIFTS];
    unsigned count;
} audio_shifts;

/* Returns the difference between the file's second and the tape's at a second of the tape. */
double audio_shift_at(const audio_shifts *shifts, double second);

typedef struct audio_loop audio_loop;

/* Creates a tape over a file, which still belongs to the caller. NULL if out of memory. */
audio_loop *audio_loop_create(audio_file *file);
void audio_loop_destroy(audio_loop *l); /* NULL is allowed */

/* Goes to a sample frame (the same of file and tape), and forgets all jumps. */
void audio_loop_restart(audio_loop *l, int64_t frame);

/* Sets the seam for what is read from now on. A seam before the current position is ignored. */
void audio_loop_set_seam(audio_loop *l, const audio_seam *seam);

/* Reads like audio_file_read. A few milliseconds around a seam are crossfaded to avoid clicks. */
void audio_loop_read(audio_loop *l, float *out, size_t count);

const audio_shifts *audio_loop_shifts(const audio_loop *l);

/* --- Changing the speed of a stereo stream at constant pitch; at speed 1 the output equals the input --- */

/* Limits of the speed. */
#define STRETCH_SLOWEST 0.1
#define STRETCH_FASTEST 4.0

/* Callback that fills in the next count input frames, left and right interleaved. Input never ends. */
typedef void stretch_read_fn(void *user, float *out, size_t count);

typedef struct stretch stretch;

/* Creates a stretcher for a rate of 4,000 to 192,000 frames per second. NULL if out of memory. */
stretch *stretch_create(uint32_t rate, stretch_read_fn *read, void *user);
void stretch_destroy(stretch *s); /* NULL is allowed */

/* Restarts so that this input frame comes out next. Returns the frame, slightly earlier, at which the input
 * has to start. */
int64_t stretch_restart(stretch *s, double position);

/* Returns the next count frames at a speed, which may differ in each call. Allocates nothing. */
void stretch_take(stretch *s, float *out, size_t count, double speed);

/* Returns the input frame that comes out next. */
double stretch_position(const stretch *s);

#endif
