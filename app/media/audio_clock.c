/* A first-order loop: of what the line is wrong by, a part is mended that grows with the time since the last
 * hearing. What is too far off was no jitter: the sound stopped or was late, and the line starts anew. */
#include "audio_clock.h"

#include <math.h>

#define MENDING 0.4  /* seconds that it takes to mend most of an error */
#define FAR     0.12 /* seconds: three steps of a slow device */

void audio_clock_start(audio_clock *c, double position, double time, double rate)
{
    *c = (audio_clock){position, time, rate};
}

double audio_clock_at(const audio_clock *c, double time)
{
    return c->position + (time - c->time) * c->rate;
}

void audio_clock_hear(audio_clock *c, double position, double time, double rate)
{
    double line = audio_clock_at(c, time), error = position - line;
    double share = fmin((time - c->time) / MENDING, 1);
    if (fabs(error) > FAR * fmax(rate, 1))
        share = 1;
    audio_clock_start(c, line + error * share, time, rate);
}
