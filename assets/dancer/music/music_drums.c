/* The drums. A drum is a sine with falling pitch, a cymbal is filtered noise with a few inharmonic tones,
 * clapping is noise in three bursts. */
#include "music_parts.h"

#include "music_song.h"
#include "tool.h"

#include <math.h>

typedef void drum_fn(music_track *track, size_t at, float loudness);

/* Returns 0 at 0, then 1 falling by e every `decay` seconds; the first millisecond is a ramp that avoids a
 * click. */
static float strike(float seconds, float decay)
{
    float ramp = seconds < 0.001f ? seconds / 0.001f : 1.0f;
    return ramp * mmd_expf(-seconds / decay);
}

/* Fades out a tail that would end with a click if it were cut off. */
static float tail(float seconds, float end)
{
    float left = (end - seconds) / 0.03f;
    return left < 1.0f ? left : 1.0f;
}

static void kick(music_track *track, size_t at, float loudness)
{
    const float end = 0.34f;
    const music_frame middle = music_pan(0.0f);
    float phase = 0.0f;
    for (size_t i = 0; i < (size_t)(end * MUSIC_RATE); i++) {
        float t = (float)i / MUSIC_RATE;
        float hertz = 48.0f + 120.0f * mmd_expf(-t / 0.028f) + 700.0f * mmd_expf(-t / 0.0025f);
        float body = music_sine(&phase, hertz) * strike(t, 0.13f) * tail(t, end);
        music_put(track, at + i, 1.15f * loudness * music_overdrive(1.6f * body), middle);
    }
}

static void snare(music_track *track, size_t at, float loudness)
{
    const float end = 0.26f;
    const music_frame place = music_pan(0.05f);
    music_noise noise = {(uint32_t)at + 7};
    music_filter rattle = {0};
    music_filter_tune(&rattle, 3400.0f, 0.6f);
    float low = 0.0f, high = 0.0f;
    for (size_t i = 0; i < (size_t)(end * MUSIC_RATE); i++) {
        float t = (float)i / MUSIC_RATE;
        music_bands wires = music_filter_next(&rattle, music_noise_next(&noise));
        float skin = music_sine(&low, 185.0f + 90.0f * mmd_expf(-t / 0.012f)) * strike(t, 0.055f) +
                     0.5f * music_sine(&high, 331.0f) * strike(t, 0.035f);
        float hiss = (0.8f * wires.band + 0.5f * wires.high) * strike(t, 0.06f + 0.03f * loudness);
        music_put(track, at + i, 0.75f * loudness * (0.8f * skin + hiss) * tail(t, end), place);
    }
}

/* Several pairs of hands never meet at exactly the same time. */
static float clap_bursts(float seconds)
{
    static const float starts[] = {0.0f, 0.010f, 0.021f};
    float level = 0.0f;
    for (int i = 0; i < 3; i++)
        if (seconds >= starts[i])
            level = mmd_maxf(level, strike(seconds - starts[i], i < 2 ? 0.005f : 0.07f));
    return level;
}

static void clap(music_track *track, size_t at, float loudness)
{
    const float end = 0.3f;
    music_noise left = {(uint32_t)at + 31}, right = {(uint32_t)at + 57};
    music_filter palm_left = {0}, palm_right = {0};
    music_filter_tune(&palm_left, 1350.0f, 1.6f);
    music_filter_tune(&palm_right, 1500.0f, 1.6f);
    for (size_t i = 0; i < (size_t)(end * MUSIC_RATE); i++) {
        float t = (float)i / MUSIC_RATE;
        float level = 1.3f * loudness * clap_bursts(t) * tail(t, end);
        float one = music_filter_next(&palm_left, music_noise_next(&left)).band;
        float other = music_filter_next(&palm_right, music_noise_next(&right)).band;
        music_put(track, at + i, level * one, (music_frame){0.8f, 0.3f});
        music_put(track, at + i, level * other, (music_frame){0.3f, 0.8f});
    }
}

/* Brass: no two of these tones are in harmony. */
static float metal(float phases[4])
{
    static const float hertz[4] = {3187.0f, 4211.0f, 5432.0f, 7121.0f};
    float sum = 0.0f;
    for (int i = 0; i < 4; i++)
        sum += music_saw(&phases[i], hertz[i]);
    return sum / 4.0f;
}

typedef struct cymbal {
    float cut, decay, end, level, place;
} cymbal;

static void strike_cymbal(const cymbal *what, music_track *track, size_t at, float loudness)
{
    music_noise noise = {(uint32_t)at * 3 + 11};
    music_filter thin = {0}, soft = {0};
    music_filter_tune(&thin, what->cut, 0.8f);
    music_filter_tune(&soft, 10500.0f, 0.6f);
    music_frame pan = music_pan(what->place);
    float phases[4] = {0};
    for (size_t i = 0; i < (size_t)(what->end * MUSIC_RATE); i++) {
        float t = (float)i / MUSIC_RATE;
        float sound = music_noise_next(&noise) + 0.35f * metal(phases);
        float level = what->level * loudness * strike(t, what->decay) * tail(t, what->end);
        float bright = music_filter_next(&thin, sound).high;
        music_put(track, at + i, 1.3f * level * music_filter_next(&soft, bright).low, pan);
    }
}

static void hat(music_track *track, size_t at, float loudness)
{
    static const cymbal closed = {8200.0f, 0.022f, 0.12f, 0.62f, 0.25f};
    strike_cymbal(&closed, track, at, loudness);
}

static void open_hat(music_track *track, size_t at, float loudness)
{
    static const cymbal open = {7000.0f, 0.11f, 0.24f, 0.52f, 0.25f};
    strike_cymbal(&open, track, at, loudness);
}

static void crash(music_track *track, size_t at, float loudness)
{
    static const cymbal left = {3600.0f, 0.55f, 2.2f, 0.30f, -0.6f},
                        right = {4400.0f, 0.48f, 2.0f, 0.26f, 0.6f};
    strike_cymbal(&left, track, at, loudness);
    strike_cymbal(&right, track, at, loudness);
}

static void strike_tom(music_track *track, size_t at, float hertz, float place)
{
    const float end = 0.4f;
    const music_frame pan = music_pan(place);
    music_noise noise = {(uint32_t)at + 5};
    float phase = 0.0f;
    for (size_t i = 0; i < (size_t)(end * MUSIC_RATE); i++) {
        float t = (float)i / MUSIC_RATE;
        float skin = music_sine(&phase, hertz * (1.0f + 0.5f * mmd_expf(-t / 0.03f))) * strike(t, 0.12f);
        float stick = 0.2f * music_noise_next(&noise) * strike(t, 0.008f);
        music_put(track, at + i, 0.8f * (skin + stick) * tail(t, end), pan);
    }
}

static void tom(music_track *track, size_t at, char which)
{
    if (which == 'h')
        strike_tom(track, at, 175.0f, -0.45f);
    else if (which == 'm')
        strike_tom(track, at, 130.0f, 0.0f);
    else if (which == 'l')
        strike_tom(track, at, 95.0f, 0.45f);
}

static void play_step(music_track *track, const music_style *style, int step, size_t at)
{
    const struct {
        const char *row;
        drum_fn *play;
    } kit[] = {{style->kick, kick}, {style->snare, snare},       {style->clap, clap},
               {style->hat, hat},   {style->open_hat, open_hat}, {style->crash, crash}};
    for (size_t i = 0; i < TOOL_COUNT(kit); i++) {
        float loudness = music_loudness(music_step(kit[i].row, step));
        if (loudness > 0.0f)
            kit[i].play(track, at, loudness);
    }
    tom(track, at, music_step(style->tom, step));
}

void music_drums(music_track *track)
{
    for (int i = 0; i < MUSIC_STEPS; i++)
        play_step(track, music_style_of(i / MUSIC_STEPS_A_BAR), i % MUSIC_STEPS_A_BAR,
                  (size_t)i * MUSIC_STEP_FRAMES);
}
