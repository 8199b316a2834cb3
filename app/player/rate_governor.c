/* Measures the simulation speed with two sums that decay over seconds of the motion, so that one slow moment
 * does not change the playback speed. */
#include "rate_governor.h"

#include <math.h>

#include "mmd/elementary.h"

/* Longest step in seconds. After a pause of the program (a moved window, a suspended machine) playback goes
 * on from where it was. */
#define STEP_MAX 0.25

/* Longest step in seconds while simulating is slower than real time, so that motion stays smooth. */
#define STEP_SLOW (1.0 / 30.0)

#define TIME_CONSTANT 2.0 /* of the decay, in seconds of the motion */

/* Limit of the measured cost of a step, as a multiple of its length. A moment in which the whole machine
 * stops must not count as slow physics. */
#define SLOWEST 20.0

/* Share of the time that simulating may take; the rest is for drawing. */
#define LOAD_MAX 0.9

/* Returns whether simulating takes too long, once half of the time constant has been measured. */
static bool is_slow(const rate_governor *p)
{
    return p->advanced >= TIME_CONSTANT / 2 && p->spent > LOAD_MAX * p->advanced;
}

double rate_governor_step(const rate_governor *p, double passed)
{
    return mmd_min(passed, is_slow(p) ? STEP_SLOW : STEP_MAX);
}

bool rate_governor_note(rate_governor *p, double advanced, double spent)
{
    double decay = mmd_exp(-advanced / TIME_CONSTANT);
    p->advanced = decay * p->advanced + advanced;
    p->spent = decay * p->spent + mmd_min(spent, SLOWEST * advanced);
    bool news = is_slow(p) && !p->reported;
    p->reported |= news;
    return news;
}

double rate_governor_speed(const rate_governor *p)
{
    return is_slow(p) ? mmd_min(1, p->advanced / p->spent) : 1;
}
