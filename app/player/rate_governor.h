/*
 * Chooses the playback speed: real time as long as physics can be simulated that fast. A frame that took long
 * to draw is caught up with, and physics steps are never skipped. If the steps themselves are too slow,
 * playback slows down in small steps instead of jumping further and further.
 */
#ifndef ODORI_RATE_GOVERNOR_H
#define ODORI_RATE_GOVERNOR_H

#include <stdbool.h>

/* Zero-initialise. */
typedef struct rate_governor {
    double advanced; /* seconds of the motion that were simulated lately (decaying sum) */
    double spent;    /* seconds that this took */
    bool reported;   /* slowness was reported once */
} rate_governor;

/* Returns by how many seconds to advance after `passed` seconds of real time. */
double rate_governor_step(const rate_governor *p, double passed);

/* Records that simulating `advanced` seconds of the motion took `spent` seconds. Returns true the first time
 * that this is too slow for real time. */
bool rate_governor_note(rate_governor *p, double advanced, double spent);

/* Returns the playback speed: 1 in real time, less when physics is slow. */
double rate_governor_speed(const rate_governor *p);

#endif
