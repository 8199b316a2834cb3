/*
 * Where a sound is, between the moments at which the device tells: a line
 * through what was heard, which bends slowly towards what is heard next. A
 * device tells in steps of its mixing; the line has none.
 */
#ifndef ODORI_AUDIO_CLOCK_H
#define ODORI_AUDIO_CLOCK_H

/* Seconds all of them. audio_clock_start fills it. */
typedef struct audio_clock {
    double position; /* of the sound */
    double time;     /* of the computer's clock, when it was there */
    double rate;     /* seconds of sound a second */
} audio_clock;

void audio_clock_start(audio_clock *c, double position, double time, double rate);

/* At a time, not before the last one, the device was heard at a position and went on at a rate. */
void audio_clock_hear(audio_clock *c, double position, double time, double rate);

/* Where the sound is at a time. */
double audio_clock_at(const audio_clock *c, double time);

#endif
