/* Transitions between parts of the song: rising noise, a reversed cymbal, and a thump at the start of the new
 * part. */
#include "music_parts.h"

#include <math.h>

#include "tool.h"

typedef void sweep_fn(music_track *track, float from, float to, float level);

static void rise(music_track *track, float from, float to, float level)
{
    size_t at = music_frame_of(from), count = music_frame_of(to) - at;
    music_noise left = {101}, right = {202};
    music_filter filters[2] = {{0}};
    for (size_t i = 0; i < count; i++) {
        float way = (float)i / (float)count;
        if (i % 32 == 0)
            for (int ear = 0; ear < 2; ear++)
                music_filter_tune(&filters[ear], 350.0f * mmd_powf(2.0f, 4.6f * way), 1.8f);
        float ending = mmd_minf(1.0f, (float)(count - i) / 400.0f);
        float loudness = level * way * way * ending;
        float one = music_filter_next(&filters[0], music_noise_next(&left)).band;
        float other = music_filter_next(&filters[1], music_noise_next(&right)).band;
        music_put(track, at + i, loudness * one, (music_frame){1.0f, 0.2f});
        music_put(track, at + i, loudness * other, (music_frame){0.2f, 1.0f});
    }
}

static void backwards_cymbal(music_track *track, float from, float to, float level)
{
    size_t at = music_frame_of(from), count = music_frame_of(to) - at;
    music_noise left = {303}, right = {404};
    music_filter filters[2] = {{0}};
    for (int ear = 0; ear < 2; ear++)
        music_filter_tune(&filters[ear], 4000.0f, 0.7f);
    for (size_t i = 0; i < count; i++) {
        float before = (float)(count - i) / MUSIC_RATE;
        float loudness = level * mmd_expf(-before / 0.28f) * mmd_minf(1.0f, before / 0.006f) *
                         mmd_minf(1.0f, (float)i / 2000.0f);
        music_put(track, at + i, loudness * music_filter_next(&filters[0], music_noise_next(&left)).high,
                  (music_frame){1.0f, 0.0f});
        music_put(track, at + i, loudness * music_filter_next(&filters[1], music_noise_next(&right)).high,
                  (music_frame){0.0f, 1.0f});
    }
}

static void thump(music_track *track, float from, float to, float level)
{
    size_t at = music_frame_of(from), count = music_frame_of(to) - at;
    const music_frame middle = music_pan(0.0f);
    float phase = 0.0f;
    for (size_t i = 0; i < count; i++) {
        float t = (float)i / MUSIC_RATE, left = 1.0f - (float)i / (float)count;
        float hertz = 36.0f + 50.0f * mmd_expf(-t / 0.2f);
        music_put(track, at + i, level * left * left * mmd_minf(1.0f, t / 0.004f) * music_sine(&phase, hertz),
                  middle);
    }
}

void music_effects(music_track *track)
{
    static const struct {
        sweep_fn *play;
        float from, to, level;
    } effects[] = {
        {backwards_cymbal, SCORE_AT(1, 1), SCORE_AT(2, 0), 0.35f},
        {backwards_cymbal, SCORE_AT(5, 2), SCORE_AT(6, 0), 0.25f},
        {rise, SCORE_AT(8, 0), SCORE_AT(9, 3.5f), 0.50f},
        {backwards_cymbal, SCORE_AT(9, 1.5f), SCORE_AT(10, 0), 0.45f},
        {thump, SCORE_AT(10, 0), SCORE_AT(10, 3), 0.55f},
        {backwards_cymbal, SCORE_AT(13, 1), SCORE_AT(14, 0), 0.35f},
        {rise, SCORE_AT(16, 0), SCORE_AT(18, 0), 0.22f},
        {backwards_cymbal, SCORE_AT(17, 1), SCORE_AT(18, 0), 0.35f},
        {backwards_cymbal, SCORE_AT(18, 2), SCORE_AT(19, 0), 0.40f},
        {thump, SCORE_AT(19, 0), SCORE_AT(19, 3), 0.50f},
    };
    for (size_t i = 0; i < TOOL_COUNT(effects); i++)
        effects[i].play(track, effects[i].from, effects[i].to, effects[i].level);
}
