/*
 * How fast a dance is played: in real time as long as its frames can be
 * simulated that fast. A picture that took long to draw is made up for, and
 * steps of physics never left out; where these are too slow themselves, time
 * passes slower, in pictures near each other, instead of in ever larger leaps.
 */
#ifndef ODORI_RATE_GOVERNOR_H
#define ODORI_RATE_GOVERNOR_H

#include <stdbool.h>

/* Zero-initialise. */
typedef struct rate_governor {
    double advanced, spent; /* seconds of the dance, and what it took to get there: of the last seconds */
    bool told;
} rate_governor;

/* Returns how many seconds to go on after so many have passed. */
double rate_governor_step(const rate_governor *p, double passed);

/* Notes that it was gone on for so many seconds, and took so many. True: this is too slow, and was not told
 * yet. */
bool rate_governor_note(rate_governor *p, double advanced, double spent);

/* Returns the rate. 1: real time; below it, slower. */
double rate_governor_speed(const rate_governor *p);

#endif
