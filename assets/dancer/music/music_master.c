/* Mastering: removes inaudible low frequencies, brightens the top, limits peaks at the ceiling with a
 * look-ahead limiter that does not distort waves, and fades out the last chord. */
#include "music_parts.h"

#include "tool.h"

#include <math.h>

enum {
    BLOCK = 64, /* frames between two points of the limiter's gain: 1.3 ms */
    BLOCKS = MUSIC_FRAMES / BLOCK,
    FADE_FRAMES = MUSIC_RATE * 6 / 5
};

static const float ceiling = 0.8912509f; /* -1 dB */
static const float drive = 0.64f;        /* gain into the limiter */
static const float air = 0.5f;           /* share of the band above 2.8 kHz that is added */

/* Attenuates what is below hearing, and amplifies the highs. */
static float shape(music_filter *rumble, music_filter *shine, float sample)
{
    float clean = music_filter_next(rumble, sample).high;
    return drive * (clean + air * music_filter_next(shine, clean).high);
}

static void equalise(music_track *track)
{
    music_filter rumbles[2] = {{0}}, shines[2] = {{0}};
    for (int ear = 0; ear < 2; ear++) {
        music_filter_tune(&rumbles[ear], 24.0f, 0.7f);
        music_filter_tune(&shines[ear], 2800.0f, 0.6f);
    }
    for (size_t i = 0; i < MUSIC_FRAMES; i++) {
        music_frame *it = &track->frames[i];
        it->left = shape(&rumbles[0], &shines[0], it->left);
        it->right = shape(&rumbles[1], &shines[1], it->right);
    }
}

static float peak_of(const music_track *track, size_t from, size_t count)
{
    float peak = 0.0f;
    for (size_t i = from; i < from + count; i++)
        peak = mmd_maxf(peak, mmd_maxf(fabsf(track->frames[i].left), fabsf(track->frames[i].right)));
    return peak;
}

/* Computes gains at the ends of blocks. Both ends of a block are at most what the block needs, so the line
 * between them never lets a peak through; gains also change slowly. */
static void find_gains(const music_track *track, float gains[BLOCKS + 1])
{
    const float fall = 0.06f, rise = 0.012f; /* per block, as a factor */
    gains[0] = gains[BLOCKS] = 1.0f;
    float before = 1.0f;
    for (size_t b = 0; b < BLOCKS; b++) {
        float need = mmd_minf(1.0f, ceiling / mmd_maxf(peak_of(track, b * BLOCK, BLOCK), 1e-9f));
        gains[b] = mmd_minf(before, need);
        before = need;
    }
    gains[BLOCKS] = before;
    for (size_t b = BLOCKS; b-- > 0;)
        gains[b] = mmd_minf(gains[b], gains[b + 1] * (1.0f + fall));
    for (size_t b = 1; b <= BLOCKS; b++)
        gains[b] = mmd_minf(gains[b], gains[b - 1] * (1.0f + rise));
}

static void limit(mmd_arena *arena, music_track *track)
{
    float *gains = tool_alloc(arena, BLOCKS + 1, sizeof *gains);
    find_gains(track, gains);
    for (size_t i = 0; i < MUSIC_FRAMES; i++) {
        float way = (float)(i % BLOCK) / BLOCK;
        float gain = gains[i / BLOCK] + (gains[i / BLOCK + 1] - gains[i / BLOCK]) * way;
        track->frames[i].left *= gain;
        track->frames[i].right *= gain;
    }
}

static void fade_out(music_track *track)
{
    for (size_t i = 0; i < FADE_FRAMES; i++) {
        float level = 0.5f - 0.5f * mmd_cosf(MUSIC_TAU / 2.0f * (float)i / FADE_FRAMES);
        music_frame *it = &track->frames[MUSIC_FRAMES - 1 - i];
        it->left *= level;
        it->right *= level;
    }
}

void music_master(mmd_arena *arena, music_track *track)
{
    equalise(track);
    limit(arena, track);
    fade_out(track);
}
