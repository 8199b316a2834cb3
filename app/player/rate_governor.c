/* Sums that fade over two seconds of the dance: one slow moment is no pace. */
#include "rate_governor.h"

#include <math.h>

/* After a halt (a moved window, a sleeping machine) time goes on, it does not leap. */
#define STEP_MAX 0.25

/* Where simulating takes longer than the dance, a picture is drawn as often as this. */
#define STEP_SLOW (1.0 / 30.0)

#define MEMORY 2.0 /* seconds */

/* No step counts as slower than so many times the dance: a moment's halt of the whole machine is no pace. */
#define SLOWEST 20.0

/* A little is left for drawing. */
#define SHARE 0.9

static bool is_slow(const rate_governor *p)
{
    return p->advanced >= MEMORY / 2 && p->spent > SHARE * p->advanced;
}

double rate_governor_step(const rate_governor *p, double passed)
{
    return fmin(passed, is_slow(p) ? STEP_SLOW : STEP_MAX);
}

bool rate_governor_note(rate_governor *p, double advanced, double spent)
{
    double kept = exp(-advanced / MEMORY);
    p->advanced = kept * p->advanced + advanced;
    p->spent = kept * p->spent + fmin(spent, SLOWEST * advanced);
    bool news = is_slow(p) && !p->told;
    p->told |= news;
    return news;
}

double rate_governor_speed(const rate_governor *p)
{
    return is_slow(p) ? fmin(1, p->advanced / p->spent) : 1;
}
