/*
 * The singer. The throat produces a saw, a little breath noise and vibrato; the mouth is four filters at the
 * formants of the vowel. The notes are score_melody's, which also moves the dancer's lips.
 *
 * The choir is the same singer again: slightly late, slightly out of tune, panned, and one of them about a
 * third below.
 */
#include "music_parts.h"

#include "music_song.h"
#include "tool.h"

#include <math.h>

enum { FORMANTS = 4, CONTROL_FRAMES = 32 };

typedef struct mouth {
    float hertz[FORMANTS], level[FORMANTS];
} mouth;

/* Japanese vowels of a young woman. */
static const mouth mouths[] = {
    [VOWEL_NONE] = {{500.0f, 1500.0f, 2800.0f, 4000.0f}, {1.0f, 0.4f, 0.3f, 0.2f}},
    [VOWEL_A] = {{900.0f, 1450.0f, 2900.0f, 4100.0f}, {1.7f, 1.8f, 1.3f, 1.0f}},
    [VOWEL_I] = {{340.0f, 2750.0f, 3500.0f, 4300.0f}, {1.0f, 1.4f, 1.2f, 0.8f}},
    [VOWEL_U] = {{400.0f, 1300.0f, 2700.0f, 4000.0f}, {1.0f, 0.7f, 0.5f, 0.4f}},
    [VOWEL_E] = {{560.0f, 2300.0f, 3000.0f, 4200.0f}, {1.1f, 1.4f, 1.1f, 0.7f}},
    [VOWEL_O] = {{520.0f, 950.0f, 2800.0f, 4000.0f}, {1.0f, 1.1f, 0.6f, 0.5f}},
};

typedef struct singer {
    float cents, late; /* cents; late in seconds */
    float level, place;
    int from_bar;
    bool below; /* sings the chord tone below the melody */
} singer;

typedef struct voice {
    size_t note, sung; /* sung: 1 + index of the note that was started last */
    float age;         /* seconds since it started */
    float pitch, vibrato, phase;
    float loudness, breath;
    mouth mouth;
    music_filter formants[FORMANTS], chest, air;
    music_noise noise;
} voice;

/* Returns the share of the remaining distance to move in one control step, if that distance falls by e in
 * `seconds`. */
static float way(float seconds)
{
    return 1.0f - mmd_expf(-(float)CONTROL_FRAMES / MUSIC_RATE / seconds);
}

static int tone_below(float beat, int pitch)
{
    const music_chord *chord = music_chord_at(beat);
    int below = pitch - 3;
    while (!music_chord_has(chord, below))
        below--;
    return below;
}

static float pitch_of(const score_note *note, const singer *who)
{
    int pitch = who->below ? tone_below(note->beat, note->pitch) : note->pitch;
    return (float)pitch + who->cents / 100.0f;
}

/* A note after a rest is approached from below; a note after a note is tied. */
static void begin_note(voice *it, float pitch)
{
    it->sung = it->note + 1;
    it->age = 0.0f;
    it->breath = 1.0f;
    if (it->loudness < 0.1f) {
        it->pitch = pitch - 0.9f;
        it->mouth = mouths[score_melody[it->note].vowel];
    }
}

static void move_mouth(voice *it, score_vowel vowel, float hertz)
{
    const mouth *to = &mouths[vowel];
    float part = way(0.02f);
    for (int i = 0; i < FORMANTS; i++) {
        it->mouth.hertz[i] += (to->hertz[i] - it->mouth.hertz[i]) * part;
        it->mouth.level[i] += (to->level[i] - it->mouth.level[i]) * part;
        /* Sopranos open the mouth so that the first formant is never below the note. */
        float at = i == 0 ? mmd_maxf(it->mouth.hertz[0], hertz) : it->mouth.hertz[i];
        music_filter_tune(&it->formants[i], at, i < 2 ? 3.5f : 6.0f);
    }
}

/* Updates what changes slowly: pitch, vibrato, vowel, loudness. */
static void control(voice *it, const singer *who, float beat)
{
    while (it->note + 1 < score_melody_count && beat >= score_melody[it->note + 1].beat)
        it->note++;
    const score_note *note = &score_melody[it->note];
    bool sounds = beat >= note->beat && beat < note->beat + note->length;
    float pitch = pitch_of(note, who);
    if (sounds && it->sung != it->note + 1)
        begin_note(it, pitch);
    float wide = mmd_minf(mmd_maxf((it->age - 0.28f) / 0.4f, 0.0f), 1.0f) * 0.28f;
    it->age += (float)CONTROL_FRAMES / MUSIC_RATE;
    /* The consonant: the mouth is half closed for a moment. */
    float open = !sounds ? 0.0f : it->age < 0.022f ? 0.4f : 1.0f;
    it->pitch += (pitch - it->pitch) * way(0.018f);
    it->vibrato = wide * mmd_sinf(MUSIC_TAU * 5.7f * it->age);
    it->loudness += (open - it->loudness) * way(sounds ? 0.008f : 0.05f);
    it->breath *= 1.0f - way(0.03f);
    move_mouth(it, note->vowel, music_hertz(it->pitch));
}

static float next_sample(voice *it)
{
    float air = music_noise_next(&it->noise);
    float cords = music_saw(&it->phase, music_hertz(it->pitch + it->vibrato)) + 0.03f * air;
    float sound = 0.2f * music_filter_next(&it->chest, cords).low;
    /* alternate signs, because neighbouring formants would cancel between their peaks */
    for (int i = 0; i < FORMANTS; i++)
        sound +=
            (i % 2 ? -1.0f : 1.0f) * it->mouth.level[i] * music_filter_next(&it->formants[i], cords).band;
    return sound + 0.25f * it->breath * music_filter_next(&it->air, air).band;
}

static void sing(music_track *track, const singer *who)
{
    const music_frame pan = music_pan(who->place);
    const size_t late = (size_t)(who->late * MUSIC_RATE);
    voice it = {.noise = {(uint32_t)(who->late * 1e6f) + 17}};
    music_filter_tune(&it.chest, 900.0f, 0.7f);
    music_filter_tune(&it.air, 5500.0f, 0.9f);
    float loudness = 0.0f;
    for (size_t i = (size_t)who->from_bar * SCORE_BEATS_A_BAR * MUSIC_BEAT_FRAMES; i < MUSIC_FRAMES; i++) {
        if (i % CONTROL_FRAMES == 0)
            control(&it, who, (float)i / MUSIC_BEAT_FRAMES);
        loudness += (it.loudness - loudness) / CONTROL_FRAMES;
        if (loudness > 1e-5f)
            music_put(track, i + late, 0.5f * who->level * loudness * next_sample(&it), pan);
    }
}

void music_lead(music_track *track)
{
    sing(track, &(singer){.level = 1.0f});
}

void music_choir(music_track *track)
{
    static const singer choir[] = {
        {-9.0f, 0.013f, 0.75f, -0.7f, SCORE_CHORUS, false},
        {8.0f, 0.019f, 0.75f, 0.7f, SCORE_CHORUS, false},
        {-4.0f, 0.009f, 0.80f, 0.4f, SCORE_CHORUS, true},
        {5.0f, 0.016f, 0.80f, -0.4f, SCORE_CHORUS, true},
    };
    for (size_t i = 0; i < TOOL_COUNT(choir); i++)
        sing(track, &choir[i]);
}
