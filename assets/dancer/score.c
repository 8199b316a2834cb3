/*
 * The melody: what is sung, when, how high and with which vowel. The music
 * sings it and the dancer's lips follow it.
 *
 * The verse is four phrases of two bars, each a step higher than the last,
 * over a falling bass; the chorus is a hook (three notes against the beat, a
 * run up, a long note), its answer one step lower, the hook again, and a climb
 * to the highest note before it comes home to D.
 */
#include "score.h"

/* A beat, counted from 0, of a bar, counted from 0. */
#define AT(bar, beat) ((float)((bar)*SCORE_BEATS_A_BAR) + (beat))

enum {
    E4 = 64,
    F4_SHARP = 66,
    G4 = 67,
    A4 = 69,
    B4 = 71,
    C5_SHARP = 73,
    D5 = 74,
    E5 = 76,
    F5_SHARP = 78,
    G5 = 79
};

/* One line a phrase of the song; the syllables stand beside the notes. */
const score_note score_melody[] = {
    /* Morning light: あさの ひかりが */
    {AT(2, 0.00f), 0.45f, F4_SHARP, VOWEL_A}, /* a */
    {AT(2, 0.50f), 0.45f, F4_SHARP, VOWEL_A}, /* sa */
    {AT(2, 1.00f), 1.00f, A4, VOWEL_O},       /* no */
    {AT(2, 2.50f), 0.45f, A4, VOWEL_I},       /* hi */
    {AT(2, 3.00f), 0.50f, B4, VOWEL_A},       /* ka */
    {AT(2, 3.50f), 0.50f, A4, VOWEL_I},       /* ri */
    {AT(3, 0.00f), 1.75f, E4, VOWEL_A},       /* ga */

    /* has painted the town: まちを そめたら */
    {AT(4, 0.00f), 0.45f, F4_SHARP, VOWEL_A}, /* ma */
    {AT(4, 0.50f), 0.45f, F4_SHARP, VOWEL_I}, /* chi */
    {AT(4, 1.00f), 1.00f, B4, VOWEL_O},       /* wo */
    {AT(4, 2.50f), 0.45f, B4, VOWEL_O},       /* so */
    {AT(4, 3.00f), 0.50f, C5_SHARP, VOWEL_E}, /* me */
    {AT(4, 3.50f), 0.50f, B4, VOWEL_A},       /* ta */
    {AT(5, 0.00f), 1.75f, A4, VOWEL_A},       /* ra */

    /* click your heels: くつを ならして */
    {AT(6, 0.00f), 0.45f, B4, VOWEL_U},       /* ku */
    {AT(6, 0.50f), 0.45f, B4, VOWEL_U},       /* tsu */
    {AT(6, 1.00f), 1.00f, D5, VOWEL_O},       /* wo */
    {AT(6, 2.50f), 0.45f, D5, VOWEL_A},       /* na */
    {AT(6, 3.00f), 0.50f, C5_SHARP, VOWEL_A}, /* ra */
    {AT(6, 3.50f), 0.50f, B4, VOWEL_I},       /* shi */
    {AT(7, 0.00f), 1.75f, A4, VOWEL_E},       /* te */

    /* and run, right now: かけだそう いますぐ */
    {AT(8, 0.00f), 0.45f, G4, VOWEL_A},       /* ka */
    {AT(8, 0.50f), 0.50f, A4, VOWEL_E},       /* ke */
    {AT(8, 1.00f), 0.50f, B4, VOWEL_A},       /* da */
    {AT(8, 1.50f), 1.25f, D5, VOWEL_O},       /* so-o */
    {AT(8, 3.00f), 0.50f, B4, VOWEL_I},       /* i */
    {AT(8, 3.50f), 0.50f, C5_SHARP, VOWEL_A}, /* ma */
    {AT(9, 0.00f), 2.00f, D5, VOWEL_U},       /* su */
    {AT(9, 2.00f), 1.50f, E5, VOWEL_U},       /* gu */

    /* The hook. Dance, let us dance, hey: おどり おどろう ほら */
    {AT(10, 0.00f), 0.65f, D5, VOWEL_O},       /* o */
    {AT(10, 0.75f), 0.65f, D5, VOWEL_O},       /* do */
    {AT(10, 1.50f), 0.75f, B4, VOWEL_I},       /* ri */
    {AT(10, 2.50f), 0.45f, D5, VOWEL_O},       /* o */
    {AT(10, 3.00f), 0.50f, E5, VOWEL_O},       /* do */
    {AT(10, 3.50f), 0.50f, F5_SHARP, VOWEL_O}, /* ro- */
    {AT(11, 0.00f), 1.75f, E5, VOWEL_O},       /* -o */
    {AT(11, 2.50f), 0.45f, C5_SHARP, VOWEL_O}, /* ho */
    {AT(11, 3.00f), 0.75f, A4, VOWEL_A},       /* ra */

    /* carried on the wind, now: かぜに のせて いま */
    {AT(12, 0.00f), 0.65f, C5_SHARP, VOWEL_A}, /* ka */
    {AT(12, 0.75f), 0.65f, C5_SHARP, VOWEL_E}, /* ze */
    {AT(12, 1.50f), 0.75f, A4, VOWEL_I},       /* ni */
    {AT(12, 2.50f), 0.45f, C5_SHARP, VOWEL_O}, /* no */
    {AT(12, 3.00f), 0.50f, D5, VOWEL_E},       /* se */
    {AT(12, 3.50f), 0.50f, E5, VOWEL_E},       /* te- */
    {AT(13, 0.00f), 1.75f, D5, VOWEL_E},       /* -e */
    {AT(13, 2.50f), 0.45f, B4, VOWEL_I},       /* i */
    {AT(13, 3.00f), 0.75f, C5_SHARP, VOWEL_A}, /* ma */

    /* The hook again: おどり おどろう */
    {AT(14, 0.00f), 0.65f, D5, VOWEL_O},       /* o */
    {AT(14, 0.75f), 0.65f, D5, VOWEL_O},       /* do */
    {AT(14, 1.50f), 0.45f, B4, VOWEL_I},       /* ri */
    {AT(14, 2.50f), 0.45f, C5_SHARP, VOWEL_O}, /* o */
    {AT(14, 3.00f), 0.45f, E5, VOWEL_O},       /* do */
    {AT(14, 3.50f), 0.50f, E5, VOWEL_O},       /* ro- */
    {AT(15, 0.00f), 1.50f, F5_SHARP, VOWEL_O}, /* -o */

    /* and sing with you, for ever: きみと うたおう ずっと */
    {AT(15, 2.00f), 0.45f, D5, VOWEL_I},       /* ki */
    {AT(15, 2.50f), 0.50f, E5, VOWEL_I},       /* mi */
    {AT(15, 3.00f), 0.75f, F5_SHARP, VOWEL_O}, /* to */
    {AT(16, 0.00f), 0.70f, G5, VOWEL_U},       /* u */
    {AT(16, 0.75f), 0.70f, F5_SHARP, VOWEL_A}, /* ta */
    {AT(16, 1.50f), 1.25f, E5, VOWEL_O},       /* o-o */
    {AT(16, 3.00f), 0.45f, B4, VOWEL_U},       /* zu */
    {AT(16, 3.50f), 0.30f, C5_SHARP, VOWEL_U}, /* t- */
    {AT(17, 0.00f), 3.00f, D5, VOWEL_O},       /* -to */
};

const size_t score_melody_count = sizeof score_melody / sizeof *score_melody;
