/* The mixer: a table of parts with their level, how far the bass drum ducks them, and how much goes to reverb
 * and echo. */
#include "music_parts.h"

#include "music_song.h"
#include "tool.h"

#include <math.h>

typedef struct channel {
    void (*play)(music_track *track);
    float level, duck, room, echo;
} channel;

static const channel desk[] = {
    {music_drums, 0.60f, 0.00f, 0.06f, 0.00f}, {music_bass, 0.38f, 0.45f, 0.00f, 0.00f},
    {music_pad, 0.42f, 0.60f, 0.25f, 0.00f},   {music_piano, 0.135f, 0.25f, 0.20f, 0.00f},
    {music_pluck, 0.23f, 0.20f, 0.25f, 0.40f}, {music_strings, 0.23f, 0.30f, 0.40f, 0.00f},
    {music_bell, 0.22f, 0.00f, 0.35f, 0.30f},  {music_lead, 0.85f, 0.00f, 0.22f, 0.16f},
    {music_choir, 0.24f, 0.10f, 0.35f, 0.00f}, {music_effects, 0.45f, 0.00f, 0.30f, 0.00f},
};

music_track music_track_make(mmd_arena *arena)
{
    return (music_track){tool_alloc(arena, MUSIC_FRAMES, sizeof(music_frame))};
}

static void silence(music_track *track)
{
    for (size_t i = 0; i < MUSIC_FRAMES; i++)
        track->frames[i] = (music_frame){0};
}

/* Returns the ducking at a time after the bass drum: quickly down, slowly back. */
static float push(float seconds)
{
    const float down = 0.004f, back = 0.11f;
    return seconds < down ? seconds / down : mmd_expf((down - seconds) / back);
}

static void make_ducking(float *pushes)
{
    size_t since = MUSIC_RATE;
    for (size_t i = 0; i < MUSIC_FRAMES; i++, since++) {
        if (i % MUSIC_STEP_FRAMES == 0 && music_kick_at((int)(i / MUSIC_STEP_FRAMES)))
            since = 0;
        pushes[i] = push((float)since / MUSIC_RATE);
    }
}

static void add(music_track *to, size_t at, music_frame sound, float level)
{
    to->frames[at].left += sound.left * level;
    to->frames[at].right += sound.right * level;
}

music_track music_mix(mmd_arena *arena)
{
    music_track mix = music_track_make(arena), part = music_track_make(arena);
    music_track room = music_track_make(arena), echo = music_track_make(arena);
    float *pushes = tool_alloc(arena, MUSIC_FRAMES, sizeof *pushes);
    make_ducking(pushes);
    for (size_t c = 0; c < TOOL_COUNT(desk); c++) {
        const channel *it = &desk[c];
        silence(&part);
        it->play(&part);
        for (size_t i = 0; i < MUSIC_FRAMES; i++) {
            float level = it->level * (1.0f - it->duck * pushes[i]);
            add(&mix, i, part.frames[i], level);
            add(&room, i, part.frames[i], level * it->room);
            add(&echo, i, part.frames[i], level * it->echo);
        }
    }
    music_echo(&echo);
    for (size_t i = 0; i < MUSIC_FRAMES; i++) {
        add(&mix, i, echo.frames[i], 1.0f);
        add(&room, i, echo.frames[i], 0.3f);
    }
    music_reverb(arena, &room, &mix);
    return mix;
}
