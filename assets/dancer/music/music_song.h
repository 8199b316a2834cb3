/* The arrangement as tables: chords, what each instrument plays in each bar, and the countermelodies. */
#ifndef DANCER_MUSIC_SONG_H
#define DANCER_MUSIC_SONG_H

#include "music_kit.h"

enum { MUSIC_CHORD_TONES = 4, MUSIC_CHORDS_A_BAR = 2 };

typedef struct music_chord {
    int bass;
    int tones[MUSIC_CHORD_TONES]; /* ascending */
} music_chord;

/*
 * What is played in one bar: one character for each sixteenth note, or NULL if an instrument rests. Drums: 1
 * to 9 is the loudness (toms: h, m, l). Bass: r root, o its octave, f the fifth above, - held. Pluck: a digit
 * is the chord tone. Piano: 1 to 9 is the loudness, - held.
 */
typedef struct music_style {
    const char *kick, *snare, *clap, *hat, *open_hat, *tom, *crash;
    const char *bass, *piano, *pluck;
    float pad; /* level of the long chords, 0 to 1 */
} music_style;

/* A note of an instrument. */
typedef struct music_note {
    float beat, length; /* in beats, from the start of the music */
    int pitch;
} music_note;

/* A melody: the bell's (before and after the song) and the strings' (against the voice in the chorus). */
typedef struct music_tune {
    const music_note *notes;
    size_t count;
} music_tune;
extern const music_tune music_bell_tune, music_string_tune;

/* Returns the chord at a beat. */
const music_chord *music_chord_at(float beat);

/* Tests whether a pitch, in any octave, belongs to a chord. */
bool music_chord_has(const music_chord *chord, int pitch);

const music_style *music_style_of(int bar);

/* Returns what a row of a style plays at a step of its bar; '.' for nothing. */
char music_step(const char *row, int step);

/* Returns the length in steps of what begins at a step: itself and the following '-'. */
int music_step_length(const char *row, int step);

/* Returns the loudness, 0 to 1, of a digit in a row. */
float music_loudness(char step);

/* Tests whether the bass drum plays at a step of the music. */
bool music_kick_at(int step);

#endif
