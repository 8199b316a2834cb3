#include "transport.h"

#include <math.h>
#include <stddef.h>

odori_transport transport_default(void)
{
    return (odori_transport){.a = NAN, .b = NAN, .loop = true};
}

/* Returns where what is repeated begins. */
static double start_of(const odori_transport *t)
{
    return isnan(t->a) ? 0 : t->a;
}

/* Returns the frame so far behind the end, counted on from the start; a part as short as a step is gone
 * through again. */
static double from_start(double start, double end, double behind)
{
    return end > start ? start + fmod(behind, end - start) : start;
}

transport_seam transport_seam_from(const odori_transport *t, double frame, double last)
{
    double start = start_of(t);
    if (!isnan(t->b) && frame <= t->b && t->b <= last)
        return (transport_seam){.leaps = true, .end = t->b, .start = fmin(start, t->b)};
    if (t->loop || !isnan(t->a))
        return (transport_seam){.leaps = true, .end = last, .start = fmin(start, last)};
    return (transport_seam){.leaps = false};
}

double transport_next(const odori_transport *t, double frame, double step, double last, bool *ends)
{
    double next = frame + step;
    transport_seam seam = transport_seam_from(t, frame, last);
    *ends = false;
    bool is_b = seam.end == t->b; /* which is A already; the end is still the end */
    if (seam.leaps && (is_b ? next >= seam.end : next > seam.end))
        return from_start(seam.start, seam.end, next - seam.end);
    *ends = !seam.leaps && next > last;
    return *ends ? last : next;
}

static double frames_a_beat(const odori_transport *t)
{
    return 1800.0 / t->bpm;
}

/* Returns the beat of a frame. A frame that was made of a beat belongs to it, whatever rounding says. */
double transport_beat(const odori_transport *t, double frame)
{
    return floor((frame - t->first_beat) / frames_a_beat(t) + 1e-6) + 1;
}

double transport_beat_frame(const odori_transport *t, double frame, double beats)
{
    return t->first_beat + (transport_beat(t, frame) - 1 + beats) * frames_a_beat(t);
}

static const double speeds[] = {0.1, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4};

double transport_speed_step(double speed, bool faster)
{
    enum { COUNT = sizeof speeds / sizeof *speeds };
    for (size_t i = 0; i < COUNT; i++) {
        size_t at = faster ? i : COUNT - 1 - i;
        if (faster ? speeds[at] > speed + 1e-9 : speeds[at] < speed - 1e-9)
            return speeds[at];
    }
    return speed;
}
