/*
 * Playback positions: where time continues after a frame, with A-B repeat, the end of the dance, count-in and
 * beats. It uses neither clocks nor scenes. Frames are 1/30 s.
 */
#ifndef ODORI_TRANSPORT_H
#define ODORI_TRANSPORT_H

#include <stdbool.h>

/* Range of playback speeds; 1 is normal. */
#define TRANSPORT_SLOWEST 0.1
#define TRANSPORT_FASTEST 4.0

#define TRANSPORT_COUNT_MAX 60.0 /* seconds */
#define TRANSPORT_BPM_MAX   1000.0

typedef struct odori_transport {
    double a, b;       /* ends of the repeated range; NaN: not set. If both are set, a < b */
    bool loop;         /* the dance starts again at its end */
    double count_in;   /* seconds of waiting after `play`; 0: none */
    double count_left; /* seconds of it that are left */
    double bpm;        /* beats per minute; 0: not known */
    double first_beat; /* frame of the first beat */
} odori_transport;

/* Returns the defaults: looping, without a repeat, count-in or tempo. */
odori_transport transport_default(void);

/* A jump of time: from frame `end` it continues at frame `start`, which is not after it. */
typedef struct transport_seam {
    bool leaps; /* false: there is no jump */
    double end, start;
} transport_seam;

/* Finds the next jump after a frame in a dance that ends at last (above 0). */
transport_seam transport_seam_from(const odori_transport *t, double frame, double last);

/*
 * Returns the frame a step (0 or more) after another one in a dance that ends at last (above 0). Reaching B
 * leads to A, with the rest of the step added. After B playback goes on to the end. With A alone the repeat
 * reaches to the end, with B alone it begins at the start. *ends: the dance is over, at last.
 */
double transport_next(const odori_transport *t, double frame, double step, double last, bool *ends);

/* Returns the number of the beat at a frame; the first is 1, earlier ones are 0 and below. bpm must be
 * above 0. */
double transport_beat(const odori_transport *t, double frame);

/* Returns the frame at which the beat begins that is so many beats after (or before) the beat of a frame. */
double transport_beat_frame(const odori_transport *t, double frame, double beats);

/* Returns the next speed above or below one, from a list of usual speeds. */
double transport_speed_step(double speed, bool faster);

#endif
