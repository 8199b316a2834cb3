/* Instruments that play chords: a wide pad that holds them, an electric piano that adds rhythm, and a plucked
 * arpeggio. */
#include "music_parts.h"

#include "music_song.h"

#include <math.h>

enum { FILTER_FRAMES = 16 }; /* interval at which a filter is retuned */

static const float step_seconds = (float)MUSIC_STEP_FRAMES / MUSIC_RATE;

/* --- pad: every tone twice, slightly flat in the left ear and sharp in the right --- */

typedef struct pad_voice {
    float phases[MUSIC_CHORD_TONES], hertz[MUSIC_CHORD_TONES];
    music_filter filter;
} pad_voice;

static pad_voice tune_pad(const music_chord *chord, float cents)
{
    pad_voice voice = {0};
    for (int i = 0; i < MUSIC_CHORD_TONES; i++) {
        voice.hertz[i] = music_hertz((float)chord->tones[i] + cents / 100.0f);
        voice.phases[i] = 0.23f * (float)(i + 1);
    }
    return voice;
}

static float next_of_pad(pad_voice *voice)
{
    float sum = 0.0f;
    for (int i = 0; i < MUSIC_CHORD_TONES; i++)
        sum += music_saw(&voice->phases[i], voice->hertz[i]);
    return music_filter_next(&voice->filter, sum / MUSIC_CHORD_TONES).low;
}

static void hold_chord(music_track *track, const music_chord *chord, size_t at, float seconds, float loudness)
{
    static const music_envelope swell = {0.06f, 0.8f, 0.8f, 0.12f};
    pad_voice left = tune_pad(chord, -8.0f), right = tune_pad(chord, 8.0f);
    size_t end = (size_t)(music_envelope_end(&swell, seconds) * MUSIC_RATE);
    for (size_t i = 0; i < end; i++) {
        float t = (float)i / MUSIC_RATE;
        if (i % FILTER_FRAMES == 0) {
            float cut = 900.0f + 3600.0f * loudness + 500.0f * mmd_sinf(MUSIC_TAU * 0.25f * t);
            music_filter_tune(&left.filter, cut, 0.7f);
            music_filter_tune(&right.filter, cut, 0.7f);
        }
        float level = loudness * music_envelope_at(&swell, t, seconds);
        music_put(track, at + i, level * next_of_pad(&left), (music_frame){1.0f, 0.15f});
        music_put(track, at + i, level * next_of_pad(&right), (music_frame){0.15f, 1.0f});
    }
}

/* Returns the rest at the end of a bar in which both piano and bass rest; all others pause there too. */
static int rest_at_end(const music_style *style)
{
    int rest = 0;
    while (rest < MUSIC_STEPS_A_BEAT && music_step(style->piano, MUSIC_STEPS_A_BAR - 1 - rest) == '.' &&
           music_step(style->bass, MUSIC_STEPS_A_BAR - 1 - rest) == '.')
        rest++;
    return rest > 1 ? rest : 0;
}

/* A chord that lasts a whole bar is held for it. */
void music_pad(music_track *track)
{
    const int half = MUSIC_STEPS_A_BAR / MUSIC_CHORDS_A_BAR;
    for (int step = 0, steps; step < MUSIC_STEPS; step += steps) {
        const music_style *style = music_style_of(step / MUSIC_STEPS_A_BAR);
        const music_chord *chord = music_chord_at((float)step / MUSIC_STEPS_A_BEAT);
        bool first = step % MUSIC_STEPS_A_BAR == 0;
        bool stays = first && music_chord_at((float)(step + half) / MUSIC_STEPS_A_BEAT) == chord;
        steps = stays ? MUSIC_STEPS_A_BAR : half;
        int rest = stays || !first ? rest_at_end(style) : 0;
        hold_chord(track, chord, (size_t)step * MUSIC_STEP_FRAMES,
                   (float)(steps - rest) * step_seconds - 0.04f, style->pad);
    }
}

/* --- piano: one sine modulates another, decaying; a short high sine is the hammer --- */

static void strike_key(music_track *track, size_t at, int pitch, float seconds, float loudness)
{
    static const music_envelope hammer = {0.002f, 0.5f, 0.0f, 0.09f};
    float hertz = music_hertz((float)pitch);
    music_frame pan = music_pan(((float)pitch - 62.0f) / 30.0f);
    float carrier = 0.0f, bend = 0.0f, tine = 0.0f;
    size_t end = (size_t)(music_envelope_end(&hammer, seconds) * MUSIC_RATE);
    for (size_t i = 0; i < end; i++) {
        float t = (float)i / MUSIC_RATE;
        float index = loudness * (0.25f + 1.9f * mmd_expf(-t / 0.18f));
        float click = 0.12f * music_sine(&tine, 7.0f * hertz) * mmd_expf(-t / 0.03f);
        float bent = index * music_sine(&bend, hertz);
        float sound = music_bent_sine(&carrier, hertz, bent) + click;
        music_put(track, at + i, loudness * sound * music_envelope_at(&hammer, t, seconds), pan);
    }
}

void music_piano(music_track *track)
{
    for (int i = 0; i < MUSIC_STEPS; i++) {
        const char *row = music_style_of(i / MUSIC_STEPS_A_BAR)->piano;
        int step = i % MUSIC_STEPS_A_BAR;
        float loudness = music_loudness(music_step(row, step));
        if (loudness <= 0.0f)
            continue;
        float seconds = (float)music_step_length(row, step) * step_seconds;
        const music_chord *chord = music_chord_at((float)i / MUSIC_STEPS_A_BEAT);
        for (int tone = 0; tone < MUSIC_CHORD_TONES; tone++)
            strike_key(track, (size_t)i * MUSIC_STEP_FRAMES, chord->tones[tone], seconds, loudness);
    }
}

/* --- pluck: an octave above the chord, alternating left and right --- */

static void pluck_string(music_track *track, size_t at, int pitch, float place)
{
    static const music_envelope finger = {0.002f, 0.16f, 0.0f, 0.12f};
    const float seconds = 0.22f;
    float hertz = music_hertz((float)pitch), low = 0.0f, high = 0.4f;
    music_frame pan = music_pan(place);
    music_filter filter = {0};
    size_t end = (size_t)(music_envelope_end(&finger, seconds) * MUSIC_RATE);
    for (size_t i = 0; i < end; i++) {
        float t = (float)i / MUSIC_RATE;
        if (i % FILTER_FRAMES == 0)
            music_filter_tune(&filter, 600.0f + 5200.0f * mmd_expf(-t / 0.06f), 1.4f);
        float two = 0.5f * (music_saw(&low, hertz) - music_saw(&high, hertz * 1.003f));
        music_put(track, at + i, music_filter_next(&filter, two).low * music_envelope_at(&finger, t, seconds),
                  pan);
    }
}

void music_pluck(music_track *track)
{
    for (int i = 0; i < MUSIC_STEPS; i++) {
        char tone = music_step(music_style_of(i / MUSIC_STEPS_A_BAR)->pluck, i % MUSIC_STEPS_A_BAR);
        if (tone < '0' || tone >= '0' + MUSIC_CHORD_TONES)
            continue;
        const music_chord *chord = music_chord_at((float)i / MUSIC_STEPS_A_BEAT);
        pluck_string(track, (size_t)i * MUSIC_STEP_FRAMES, chord->tones[tone - '0'] + 12,
                     i % 2 ? 0.55f : -0.55f);
    }
}
