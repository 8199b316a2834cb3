/*
 * Where time goes on from a frame: A-B repeat, the end of the dance, counting
 * in, beats. Apart from clocks and scenes. Frames are 1/30 s.
 */
#ifndef ODORI_TRANSPORT_H
#define ODORI_TRANSPORT_H

#include <stdbool.h>

/* Speeds that a dance may be played at: seconds of it in a second. */
#define TRANSPORT_SLOWEST 0.1
#define TRANSPORT_FASTEST 4.0

#define TRANSPORT_COUNT_MAX 60.0 /* seconds */
#define TRANSPORT_BPM_MAX   1000.0

typedef struct odori_transport {
    double a, b;       /* what is repeated; NaN: not set. Both set: a < b */
    bool loop;         /* at its end the dance begins again */
    double count_in;   /* seconds from `play` until time passes; 0: at once */
    double count_left; /* of these, still to come */
    double bpm;        /* beats a minute; 0: not told */
    double first_beat; /* frame */
} odori_transport;

/* Initialises: loops; nothing is repeated, counted or told. */
odori_transport transport_default(void);

/* Where time leaps: at frame `end` it goes on at frame `start`, which is not behind it. */
typedef struct transport_seam {
    bool leaps; /* false: nowhere */
    double end, start;
} transport_seam;

/* Finds the next seam ahead of a frame in a dance that ends at last (above 0). */
transport_seam transport_seam_from(const odori_transport *t, double frame, double last);

/*
 * Returns the frame a step (0 or more) after another one in a dance that ends at
 * last (above 0). Reaching B leads to A, the rest of the step included; behind B
 * it plays on to the end. With A alone the repeat goes to the end, with B alone
 * from the start. *ends: the dance is over, at last.
 */
double transport_next(const odori_transport *t, double frame, double step, double last, bool *ends);

/* Returns the number of the beat at a frame, the first is 1, before it 0 and less; needs a bpm above 0. */
double transport_beat(const odori_transport *t, double frame);

/* Returns the frame at which so many beats after a frame's own (or before it) begin. */
double transport_beat_frame(const odori_transport *t, double frame, double beats);

/* Returns the next speed above or below one, of those that have a name on a player's dial. */
double transport_speed_step(double speed, bool faster);

#endif
