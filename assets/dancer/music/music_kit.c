/*
 * Building blocks of the synthesiser (music_kit.h). The saw uses polynomial BLEP (Välimäki and Huovilainen
 * 2007); the filter is Simper's form of the state variable filter (Cytomic 2013), which can be retuned while
 * it sounds.
 */
#include "music_kit.h"

#include <assert.h>
#include <math.h>

music_frame music_pan(float place)
{
    float angle = (place + 1.0f) * MUSIC_TAU / 8.0f;
    return (music_frame){mmd_cosf(angle), mmd_sinf(angle)};
}

void music_put(music_track *track, size_t at, float value, music_frame pan)
{
    if (at >= MUSIC_FRAMES)
        return;
    track->frames[at].left += value * pan.left;
    track->frames[at].right += value * pan.right;
}

float music_overdrive(float sound)
{
    double grown = mmd_expm1(2.0 * (double)sound);
    return (float)(grown / (grown + 2.0));
}

size_t music_frame_of(float beat)
{
    assert(beat >= 0.0f);
    return (size_t)(beat * MUSIC_BEAT_FRAMES + 0.5f);
}

float music_hertz(float pitch)
{
    return 440.0f * mmd_powf(2.0f, (pitch - 69.0f) / 12.0f);
}

float music_noise_next(music_noise *noise)
{
    noise->state = noise->state * 1664525u + 1013904223u;
    return (float)(noise->state >> 8) / 8388608.0f - 1.0f;
}

static float advance(float *phase, float hertz)
{
    float now = *phase;
    *phase += hertz / MUSIC_RATE;
    if (*phase >= 1.0f)
        *phase -= 1.0f;
    return now;
}

float music_sine(float *phase, float hertz)
{
    return mmd_sinf(MUSIC_TAU * advance(phase, hertz));
}

float music_bent_sine(float *phase, float hertz, float bend)
{
    return mmd_sinf(MUSIC_TAU * advance(phase, hertz) + bend);
}

/* Returns the correction that band-limits a falling step of height 2 at phase 0. */
static float step_correction(float phase, float step)
{
    if (phase < step) {
        float t = phase / step;
        return t + t - t * t - 1.0f;
    }
    if (phase > 1.0f - step) {
        float t = (phase - 1.0f) / step;
        return t * t + t + t + 1.0f;
    }
    return 0.0f;
}

float music_saw(float *phase, float hertz)
{
    float now = advance(phase, hertz);
    return 2.0f * now - 1.0f - step_correction(now, hertz / MUSIC_RATE);
}

void music_filter_tune(music_filter *filter, float hertz, float resonance)
{
    assert(hertz > 0.0f && hertz < MUSIC_RATE / 2 && resonance > 0.0f);
    float g = mmd_tanf(MUSIC_TAU / 2.0f * hertz / MUSIC_RATE);
    filter->damping = 1.0f / resonance;
    filter->a1 = 1.0f / (1.0f + g * (g + filter->damping));
    filter->a2 = g * filter->a1;
    filter->a3 = g * filter->a2;
}

music_bands music_filter_next(music_filter *filter, float input)
{
    float v3 = input - filter->s2;
    float v1 = filter->a1 * filter->s1 + filter->a2 * v3;
    float v2 = filter->s2 + filter->a2 * filter->s1 + filter->a3 * v3;
    filter->s1 = 2.0f * v1 - filter->s1;
    filter->s2 = 2.0f * v2 - filter->s2;
    float band = filter->damping * v1;
    return (music_bands){v2, band, input - band - v2};
}

static float held_level(const music_envelope *envelope, float seconds)
{
    if (seconds < envelope->attack)
        return seconds / envelope->attack;
    float fall = mmd_expf((envelope->attack - seconds) / envelope->decay);
    return envelope->sustain + (1.0f - envelope->sustain) * fall;
}

/* The release is a parabola down to 0, so that a note ends without a click. */
float music_envelope_at(const music_envelope *envelope, float seconds, float length)
{
    if (seconds < length)
        return held_level(envelope, seconds);
    float left = 1.0f - (seconds - length) / envelope->release;
    return left > 0.0f ? held_level(envelope, length) * left * left : 0.0f;
}

float music_envelope_end(const music_envelope *envelope, float length)
{
    return length + envelope->release;
}
