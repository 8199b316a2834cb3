/* The computations of playback positions. */
#include "transport.h"

#include <math.h>
#include <stddef.h>

#include "mmd/elementary.h"

odori_transport transport_default(void)
{
    return (odori_transport){.a = NAN, .b = NAN, .loop = true};
}

/* Returns the start of the repeated range. */
static double start_of(const odori_transport *t)
{
    return isnan(t->a) ? 0 : t->a;
}

/* Returns the frame that lies `behind` frames after the end, counted from the start again. A range shorter
 * than the step is gone through repeatedly. */
static double from_start(double start, double end, double behind)
{
    return end > start ? start + fmod(behind, end - start) : start;
}

transport_seam transport_seam_from(const odori_transport *t, double frame, double last)
{
    double start = start_of(t);
    if (!isnan(t->b) && frame <= t->b && t->b <= last)
        return (transport_seam){.leaps = true, .end = t->b, .start = mmd_min(start, t->b)};
    if (t->loop || !isnan(t->a))
        return (transport_seam){.leaps = true, .end = last, .start = mmd_min(start, last)};
    return (transport_seam){.leaps = false};
}

double transport_next(const odori_transport *t, double frame, double step, double last, bool *ends)
{
    double next = frame + step;
    transport_seam seam = transport_seam_from(t, frame, last);
    *ends = false;
    bool is_b = seam.end == t->b; /* B may equal the end, and the end is then still the end */
    if (seam.leaps && (is_b ? next >= seam.end : next > seam.end))
        return from_start(seam.start, seam.end, next - seam.end);
    *ends = !seam.leaps && next > last;
    return *ends ? last : next;
}

static double frames_a_beat(const odori_transport *t)
{
    return 1800.0 / t->bpm;
}

/* Returns the beat at a frame. The tolerance keeps a frame that was computed from a beat in that beat. */
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
