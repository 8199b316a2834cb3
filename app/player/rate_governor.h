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
typedef struct pace {
    double advanced, spent; /* seconds of the dance, and what it took to get there: of the last seconds */
    bool told;
} pace;

/* How many seconds to go on after so many have passed. */
double pace_step(const pace *p, double passed);

/* It was gone on for so many seconds, and took so many. True: this is too slow, and was not told yet. */
bool pace_note(pace *p, double advanced, double spent);

/* 1: real time; below it, slower. */
double pace_speed(const pace *p);

#endif
