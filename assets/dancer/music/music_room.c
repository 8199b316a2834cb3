/* Reverb: a network of eight delays that feed each other (Jot and Chaigne 1991, with a Householder matrix),
 * and an echo in dotted eighths. */
#include "music_parts.h"

#include "tool.h"

#include <math.h>

enum {
    LINES = 8,
    LONGEST_LINE = 4096,
    PREDELAY = MUSIC_RATE / 50, /* the first wall is 3 m away */
    ECHO_FRAMES = MUSIC_STEP_FRAMES * 3
};

typedef struct line {
    float *samples;
    size_t length, at;
    float gain, damped; /* high tones decay faster */
} line;

/* Creates the delays. Lengths are primes, so that echoes do not coincide. The gain makes each fall by 60 dB
 * in `seconds`. */
static void make_lines(mmd_arena *arena, line lines[LINES], float seconds)
{
    static const size_t lengths[LINES] = {1423, 1627, 1873, 2129, 2411, 2699, 3049, 3413};
    for (int i = 0; i < LINES; i++) {
        lines[i] = (line){.samples = tool_alloc(arena, LONGEST_LINE, sizeof(float)), .length = lengths[i]};
        lines[i].gain = mmd_powf(10.0f, -3.0f * (float)lengths[i] / (seconds * MUSIC_RATE));
    }
}

static music_frame next_of_room(line lines[LINES], music_frame input)
{
    float sum = 0.0f;
    music_frame out = {0};
    for (int i = 0; i < LINES; i++) {
        line *it = &lines[i];
        it->damped += 0.55f * (it->samples[it->at] - it->damped);
        sum += it->damped;
        *(i % 2 ? &out.right : &out.left) += (i % 4 < 2 ? 1.0f : -1.0f) * it->damped;
    }
    for (int i = 0; i < LINES; i++) {
        line *it = &lines[i];
        float back = it->gain * (it->damped - sum * (2.0f / LINES));
        it->samples[it->at] = back + (i % 2 ? input.right : input.left);
        it->at = it->at + 1 < it->length ? it->at + 1 : 0;
    }
    return out;
}

void music_reverb(mmd_arena *arena, const music_track *dry, music_track *wet)
{
    line lines[LINES];
    make_lines(arena, lines, 1.5f);
    music_filter left = {0}, right = {0}; /* removes frequencies below the voice */
    music_filter_tune(&left, 220.0f, 0.7f);
    music_filter_tune(&right, 220.0f, 0.7f);
    for (size_t i = PREDELAY; i < MUSIC_FRAMES; i++) {
        music_frame in = dry->frames[i - PREDELAY];
        in.left = music_filter_next(&left, in.left).high;
        in.right = music_filter_next(&right, in.right).high;
        music_frame out = next_of_room(lines, in);
        wet->frames[i].left += 0.35f * out.left;
        wet->frames[i].right += 0.35f * out.right;
    }
}

/*
 * Runs backwards, so that what is read has not been written yet; each echo of an echo has a round of its own.
 */
void music_echo(music_track *track)
{
    static const float levels[] = {1.0f, 0.45f, 0.2f};
    for (size_t i = MUSIC_FRAMES; i-- > 0;) {
        music_frame out = {0};
        for (size_t round = 0; round < TOOL_COUNT(levels); round++) {
            size_t back = (round + 1) * ECHO_FRAMES;
            if (back > i)
                break;
            music_frame in = track->frames[i - back];
            float sound = 0.5f * levels[round] * (in.left + in.right);
            out.left += sound * (round % 2 ? 0.25f : 1.0f);
            out.right += sound * (round % 2 ? 1.0f : 0.25f);
        }
        track->frames[i] = out;
    }
}
