/*
 * A sound file on OpenAL's device: a source with a short queue, filled whenever
 * it is pumped. Nothing in here looks at a clock or has a thread: whoever pumps
 * says what time it is, and tests say any.
 */
#ifndef ODORI_AUDIO_PLAYBACK_H
#define ODORI_AUDIO_PLAYBACK_H

#include "audio_stream.h"

/* What is wanted of the sound. */
typedef struct audio_wish {
    uint64_t turn;   /* another number than before: starts anew at the position, or stops */
    bool playing;    /* counts with a new turn */
    double position; /* seconds of the sound; it is silent before 0 and behind its end */
    double speed;    /* STRETCH_SLOWEST to STRETCH_FASTEST, at the same pitch; may change within a turn */
    float volume;    /* 0: silent, 1: as it is */
    audio_seam seam; /* where the sound leaps; may change within a turn, for what is not queued yet */
} audio_wish;

/* What became of it. */
typedef struct audio_hearing {
    uint64_t turn; /* of the wish that is followed */
    bool playing;
    double position; /* seconds of the sound that leave the loudspeaker, as far as is known; where it leaps
                        they go on as if it did not */
    double time;     /* when that was */
    double rate;     /* seconds of sound a second */
    unsigned late;   /* times that the queue ran empty */
    audio_shifts shifts; /* from positions to seconds of the sound, as far as it is queued */
} audio_hearing;

typedef struct audio_playback audio_playback;

/* For the output that is open. Takes the file, even where it fails. NULL: out of memory, or of sources. */
audio_playback *audio_playback_create(audio_file *file);
void audio_playback_destroy(audio_playback *p); /* NULL is allowed */

/* The same, but for the file, which is the caller's. NULL: of NULL. */
audio_file *audio_playback_give_back(audio_playback *p);

/* Follows the wish and fills the queue. Has to be called several times while the queue, an eighth of a
 * second, lasts. Allocates nothing. */
void audio_playback_pump(audio_playback *p, const audio_wish *wish);

/* Where the sound is. now: seconds of the caller's clock. */
audio_hearing audio_playback_hear(audio_playback *p, double now);

#endif
