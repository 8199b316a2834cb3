/*
 * The score that music and dance share, so that they stay in step. A change of tempo or melody here changes
 * both.
 *
 * At 120 beats per minute a beat has 15 frames at MMD's 30 frames per second.
 */
#ifndef DANCER_SCORE_H
#define DANCER_SCORE_H

#include <stddef.h>

enum {
    SCORE_FPS = 30,
    SCORE_TEMPO = 120, /* beats per minute */
    SCORE_BEAT_FRAMES = SCORE_FPS * 60 / SCORE_TEMPO,
    SCORE_BEATS_A_BAR = 4,
    SCORE_BAR_FRAMES = SCORE_BEAT_FRAMES * SCORE_BEATS_A_BAR,
    SCORE_BARS = 20,
    SCORE_FRAMES = SCORE_BARS * SCORE_BAR_FRAMES, /* 1,200: forty seconds */

    /* First bar of each part. */
    SCORE_INTRO = 0,
    SCORE_VERSE = 2,
    SCORE_CHORUS = 10,
    SCORE_OUTRO = 18
};

/* Converts a bar and a beat in it, both counted from 0, to beats from the start of the music. */
#define SCORE_AT(bar, beat) ((float)((bar)*SCORE_BEATS_A_BAR) + (beat))

/* Vowel that the singer's mouth forms. */
typedef enum score_vowel { VOWEL_NONE, VOWEL_A, VOWEL_I, VOWEL_U, VOWEL_E, VOWEL_O } score_vowel;

/* One sung note. */
typedef struct score_note {
    float beat;   /* from the start of the music */
    float length; /* beats */
    int pitch;    /* MIDI number, 69 is 440 Hz */
    score_vowel vowel;
} score_note;

extern const score_note score_melody[];
extern const size_t score_melody_count;

#endif
