/* The bass: a saw and a sine an octave apart, through a filter that opens when a string is struck. */
#include "music_parts.h"

#include "music_song.h"

#include <math.h>

static void play_note(music_track *track, size_t at, int pitch, float seconds)
{
    static const music_envelope loudness = {0.004f, 0.25f, 0.65f, 0.05f};
    const music_frame middle = music_pan(0.0f);
    float saw_phase = 0.5f, sine_phase = 0.0f, hertz = music_hertz((float)pitch);
    music_filter filter = {0};
    size_t end = (size_t)(music_envelope_end(&loudness, seconds) * MUSIC_RATE);
    for (size_t i = 0; i < end; i++) {
        float t = (float)i / MUSIC_RATE;
        if (i % 16 == 0)
            music_filter_tune(&filter, 260.0f + 3.0f * hertz + 1700.0f * mmd_expf(-t / 0.07f), 1.1f);
        float bright = music_filter_next(&filter, music_saw(&saw_phase, hertz)).low;
        float sound = 0.75f * bright + 0.55f * music_sine(&sine_phase, hertz);
        music_put(track, at + i, music_overdrive(1.2f * sound) * music_envelope_at(&loudness, t, seconds),
                  middle);
    }
}

/* Returns how many semitones above the root a step of the row plays, or -1. */
static int interval_of(char step)
{
    switch (step) {
    case 'r':
        return 0;
    case 'f':
        return 7;
    case 'o':
        return 12;
    default:
        return -1;
    }
}

void music_bass(music_track *track)
{
    const float step_seconds = (float)MUSIC_STEP_FRAMES / MUSIC_RATE;
    for (int i = 0; i < MUSIC_STEPS; i++) {
        const char *row = music_style_of(i / MUSIC_STEPS_A_BAR)->bass;
        int step = i % MUSIC_STEPS_A_BAR, interval = interval_of(music_step(row, step));
        if (interval < 0)
            continue;
        int root = music_chord_at((float)i / MUSIC_STEPS_A_BEAT)->bass;
        float seconds = ((float)music_step_length(row, step) - 0.15f) * step_seconds;
        play_note(track, (size_t)i * MUSIC_STEP_FRAMES, root + interval, seconds);
    }
}
