/*
 * Plays a sound file on OpenAL's device: a source with a short queue that each
 * pump fills. There is no thread and no clock in here: the caller says what time
 * it is, so that tests can say any.
 */
#ifndef ODORI_PLAYBACK_H
#define ODORI_PLAYBACK_H

#include "audio_stream.h"

/* What the caller wants of the sound. */
typedef struct playback_wish {
    uint64_t turn;   /* a new number starts the sound anew at the position, or stops it */
    bool playing;    /* read when turn changes */
    double position; /* seconds of the sound; it is silent before 0 and behind its end */
    double speed;    /* STRETCH_SLOWEST to STRETCH_FASTEST, at the same pitch; may change within a turn */
    float volume;    /* 0: silent, 1: as it is */
    audio_seam seam; /* where the sound leaps; may change within a turn, for what is not queued yet */
} playback_wish;

/* What the device plays. */
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

/* Creates a source on the output that is open. Takes the file, even where it fails. NULL: out of memory or of
 * sources. */
playback *playback_create(audio_file *file);
void playback_destroy(playback *p); /* NULL is allowed */

/* Destroys the playback and returns its file to the caller; NULL for NULL. */
audio_file *playback_give_back(playback *p);

/* Follows the wish and fills the queue. Has to be called several times while the queue, an eighth of a
 * second, lasts. Allocates nothing. */
void playback_pump(playback *p, const playback_wish *wish);

/* Returns where the sound is at now, in seconds of the caller's clock. */
playback_hearing playback_hear(playback *p, double now);

/* --- The clock between hearings --- */

/*
 * Interpolates where a sound is between hearings: a line through what was
 * heard that bends slowly towards what is heard next. A device reports in steps
 * of its mixing; the line has none. All in seconds; playback_clock_start fills
 * it.
 */
typedef struct playback_clock {
    double position; /* of the sound */
    double time;     /* of the computer's clock, when it was there */
    double rate;     /* seconds of sound a second */
} playback_clock;

void playback_clock_start(playback_clock *c, double position, double time, double rate);

/* Takes in a hearing: at a time, not before the last one, the device was at a position and went on at a rate.
 */
void playback_clock_hear(playback_clock *c, double position, double time, double rate);

/* Returns where the sound is at a time. */
double playback_clock_at(const playback_clock *c, double time);

#endif
