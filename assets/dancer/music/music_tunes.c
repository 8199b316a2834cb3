/* The two countermelodies: a bell that anticipates the hook, and disco strings. */
#include "music_parts.h"

#include "music_song.h"
#include "tool.h"

#include <math.h>

static const float beat_seconds = (float)MUSIC_BEAT_FRAMES / MUSIC_RATE;

/* A bell is a sine that is modulated by another, inharmonic one. */
static void ring(music_track *track, const music_note *note, float octave, float level, float place)
{
    static const music_envelope clapper = {0.002f, 0.55f, 0.0f, 0.5f};
    float seconds = note->length * beat_seconds, hertz = music_hertz((float)note->pitch + 12.0f * octave);
    float carrier = 0.0f, bend = 0.0f;
    size_t at = music_frame_of(note->beat);
    size_t end = (size_t)(music_envelope_end(&clapper, seconds) * MUSIC_RATE);
    music_frame pan = music_pan(place);
    for (size_t i = 0; i < end; i++) {
        float t = (float)i / MUSIC_RATE;
        float bent = (0.3f + 1.6f * mmd_expf(-t / 0.12f)) * music_sine(&bend, 3.5f * hertz);
        float sound = music_bent_sine(&carrier, hertz, bent);
        music_put(track, at + i, level * sound * music_envelope_at(&clapper, t, seconds), pan);
    }
}

void music_bell(music_track *track)
{
    for (size_t i = 0; i < music_bell_tune.count; i++) {
        ring(track, &music_bell_tune.notes[i], 0.0f, 0.8f, -0.2f);
        ring(track, &music_bell_tune.notes[i], 1.0f, 0.35f, 0.3f);
    }
}

/* A player in the string section: seat and tuning. */
typedef struct desk {
    float cents, octave, level, place, tremble;
} desk;

static void bow(music_track *track, const music_note *note, const desk *player)
{
    static const music_envelope arm = {0.045f, 1.0f, 0.85f, 0.11f};
    float seconds = note->length * beat_seconds - 0.02f, phase = 0.3f;
    float pitch = (float)note->pitch + 12.0f * player->octave + player->cents / 100.0f;
    size_t at = music_frame_of(note->beat), end = (size_t)(music_envelope_end(&arm, seconds) * MUSIC_RATE);
    music_frame pan = music_pan(player->place);
    music_filter wood = {0};
    music_filter_tune(&wood, 4200.0f, 0.7f);
    float hertz = 0.0f;
    for (size_t i = 0; i < end; i++) {
        float t = (float)i / MUSIC_RATE;
        if (i % 32 == 0)
            hertz = music_hertz(pitch + 0.12f * mmd_sinf(MUSIC_TAU * player->tremble * t));
        float sound = music_filter_next(&wood, music_saw(&phase, hertz)).low;
        music_put(track, at + i, player->level * sound * music_envelope_at(&arm, t, seconds), pan);
    }
}

void music_strings(music_track *track)
{
    static const desk desks[] = {
        {-6.0f, 0.0f, 0.55f, -0.6f, 5.1f},
        {6.0f, 0.0f, 0.55f, 0.6f, 5.6f},
        {-3.0f, -1.0f, 0.40f, 0.35f, 4.8f},
        {4.0f, -1.0f, 0.40f, -0.35f, 5.3f},
    };
    for (size_t i = 0; i < music_string_tune.count; i++)
        for (size_t player = 0; player < TOOL_COUNT(desks); player++)
            bow(track, &music_string_tune.notes[i], &desks[player]);
}
