/*
 * A sound file on OpenAL's device: a source with a short queue, filled whenever
 * it is pumped. Nothing in here looks at a clock or has a thread: whoever pumps
 * says what time it is, and tests say any.
 */
#ifndef ODORI_PLAYBACK_H
#define ODORI_PLAYBACK_H

#include "audio_stream.h"

/* What is wanted of the sound. */
typedef struct playback_wish {
    uint64_t turn;   /* another number than before: starts anew at the position, or stops */
    bool playing;    /* counts with a new turn */
    double position; /* seconds of the sound; it is silent before 0 and behind its end */
    double speed;    /* STRETCH_SLOWEST to STRETCH_FASTEST, at the same pitch; may change within a turn */
    float volume;    /* 0: silent, 1: as it is */
    audio_seam seam; /* where the sound leaps; may change within a turn, for what is not queued yet */
} playback_wish;

/* What became of it. */
typedef struct playback_hearing {
    uint64_t turn; /* of the wish that is followed */
    bool playing;
    double position; /* seconds of the sound that leave the loudspeaker, as far as is known; where it leaps
                        they go on as if it did not */
    double time;     /* when that was */
    double rate;     /* seconds of sound a second */
    unsigned late;   /* times that the queue ran empty */
    audio_shifts shifts; /* from positions to seconds of the sound, as far as it is queued */
} playback_hearing;

typedef struct playback playback;

/* For the output that is open. Takes the file, even where it fails. NULL: out of memory, or of sources. */
playback *playback_create(audio_file *file);
void playback_destroy(playback *p); /* NULL is allowed */

/* The same, but for the file, which is the caller's. NULL: of NULL. */
audio_file *playback_give_back(playback *p);

/* Follows the wish and fills the queue. Has to be called several times while the queue, an eighth of a
 * second, lasts. Allocates nothing. */
void playback_pump(playback *p, const playback_wish *wish);

/* Where the sound is. now: seconds of the caller's clock. */
playback_hearing playback_hear(playback *p, double now);

/* --- The clock between hearings --- */

/*
 * Where a sound is, between the moments at which the device tells: a line
 * through what was heard, which bends slowly towards what is heard next. A
 * device tells in steps of its mixing; the line has none. Seconds all of them;
 * playback_clock_start fills it.
 */
typedef struct playback_clock {
    double position; /* of the sound */
    double time;     /* of the computer's clock, when it was there */
    double rate;     /* seconds of sound a second */
} playback_clock;

void playback_clock_start(playback_clock *c, double position, double time, double rate);

/* Takes in that at a time, not before the last one, the device was heard at a position and went on at a rate.
 */
void playback_clock_hear(playback_clock *c, double position, double time, double rate);

/* Returns where the sound is at a time. */
double playback_clock_at(const playback_clock *c, double time);

#endif
