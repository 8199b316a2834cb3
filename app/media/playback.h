/* Plays a sound file on the sound device: a voice with a short queue that each call of playback_pump fills.
 * There is no thread and no clock here: the caller passes the time, so that tests can choose it. */
#ifndef ODORI_PLAYBACK_H
#define ODORI_PLAYBACK_H

#include "audio_output.h"
#include "audio_stream.h"

/* What the caller wants to hear. */
typedef struct playback_request {
    uint64_t turn;   /* a new number restarts the sound at the position, or stops it */
    bool playing;    /* applied when turn changes */
    double position; /* seconds of the sound; silent before 0 and after its end */
    double speed;    /* STRETCH_SLOWEST to STRETCH_FASTEST, at constant pitch; may change any time */
    float volume;    /* 0 is silent, 1 is the original volume */
    audio_seam seam; /* where the sound jumps; may change any time, for what is not queued yet */
} playback_request;

/* What the device plays. */
typedef struct playback_status {
    uint64_t turn; /* turn of the request that is being played */
    bool playing;
    double
        position;  /* audible position in seconds of the sound, as far as known; it does not jump at seams */
    double time;   /* when this was measured */
    double rate;   /* seconds of sound per second */
    unsigned late; /* number of times that the queue ran empty */
    audio_shifts shifts; /* converts positions to seconds of the file, for what is queued */
} playback_status;

typedef struct playback playback;

/* Creates a voice on the open output. Takes ownership of the file, even on failure. Returns NULL if out of
 * memory or voices. */
playback *playback_create(audio_output *output, audio_file *file);
void playback_destroy(playback *p); /* NULL is allowed */

/* Destroys the playback and returns its file to the caller; NULL for NULL. */
audio_file *playback_give_back(playback *p);

/* Follows the request and fills the queue. Must be called several times per queue length, an eighth of a
 * second. Allocates nothing. */
void playback_pump(playback *p, const playback_request *wish);

/* Returns where the sound is now, in seconds of the caller's clock. */
playback_status playback_hear(playback *p, double now);

/* --- The clock between measurements --- */

/*
 * Interpolates the position of a sound between measurements: a line that is slowly adjusted to each new
 * measurement. A device reports positions in steps of its mixer; the line has no steps. All in seconds.
 * playback_clock_start initialises it.
 */
typedef struct playback_clock {
    double position; /* of the sound */
    double time;     /* of the computer's clock at that position */
    double rate;     /* seconds of sound per second */
} playback_clock;

void playback_clock_start(playback_clock *c, double position, double time, double rate);

/*
 * Adds a measurement: at a time, not before the last one, the device was at a position and moved at a rate.
 */
void playback_clock_hear(playback_clock *c, double position, double time, double rate);

/* Returns the position of the sound at a time. */
double playback_clock_at(const playback_clock *c, double time);

#endif
