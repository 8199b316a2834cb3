/* Building blocks of all instruments: a stereo track, oscillators without aliasing, a filter, an envelope,
 * and reproducible noise. */
#ifndef DANCER_MUSIC_KIT_H
#define DANCER_MUSIC_KIT_H

#include "score.h"

#include <stdbool.h>
#include <stdint.h>

#include "mmd/elementary.h"

#define MUSIC_TAU 6.28318530718f

enum {
    MUSIC_RATE = 48000,
    MUSIC_BEAT_FRAMES = MUSIC_RATE * 60 / SCORE_TEMPO,
    MUSIC_STEPS_A_BEAT = 4,
    MUSIC_STEPS_A_BAR = MUSIC_STEPS_A_BEAT * SCORE_BEATS_A_BAR,
    MUSIC_STEPS = MUSIC_STEPS_A_BAR * SCORE_BARS,
    MUSIC_STEP_FRAMES = MUSIC_BEAT_FRAMES / MUSIC_STEPS_A_BEAT,
    MUSIC_FRAMES = MUSIC_STEPS * MUSIC_STEP_FRAMES
};

/* One stereo sample. */
typedef struct music_frame {
    float left, right;
} music_frame;

/* The part of one instrument: MUSIC_FRAMES frames. */
typedef struct music_track {
    music_frame *frames;
} music_track;

/* Returns the gains for both ears, for a place from -1 (left) to 1 (right), with constant loudness. */
music_frame music_pan(float place);

/* Adds a sound to a track. What is beyond its end is dropped. */
void music_put(music_track *track, size_t at, float value, music_frame pan);

/* Limits a sound smoothly to -1 to 1, as an overdriven amplifier does: the hyperbolic tangent. */
float music_overdrive(float sound);

/* Returns the first frame of a beat. */
size_t music_frame_of(float beat);

/* Returns the frequency of a MIDI pitch in Hz; fractions are allowed. */
float music_hertz(float pitch);

/* White noise in [-1, 1). Any seed is valid. */
typedef struct music_noise {
    uint32_t state;
} music_noise;
float music_noise_next(music_noise *noise);

/* Oscillators. phase is in [0, 1) and advances by hertz. A bent sine has a phase offset of `bend` radians
 * (frequency modulation if it oscillates); a saw's steps are band-limited. */
float music_sine(float *phase, float hertz);
float music_bent_sine(float *phase, float hertz, float bend);
float music_saw(float *phase, float hertz);

/* A state variable filter with low-pass, band-pass (peak 1) and high-pass outputs. */
typedef struct music_filter {
    float damping, a1, a2, a3; /* coefficients */
    float s1, s2;              /* state */
} music_filter;
typedef struct music_bands {
    float low, band, high;
} music_bands;
void music_filter_tune(music_filter *filter, float hertz, float resonance);
music_bands music_filter_next(music_filter *filter, float input);

/* Times in seconds; sustain is the level that is held while the note lasts. */
typedef struct music_envelope {
    float attack, decay, sustain, release;
} music_envelope;
float music_envelope_at(const music_envelope *envelope, float seconds, float length);

/* Returns the seconds until a note of this length has faded. */
float music_envelope_end(const music_envelope *envelope, float length);

#endif
