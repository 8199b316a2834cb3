/*
 * The melody: what is sung, when, at which pitch and with which vowel. The music sings it and the dancer's
 * lips follow it.
 *
 * The verse has four phrases of two bars, each a step higher than the last, over a falling bass. The chorus
 * is a hook (three notes against the beat, a run up, a long note), its answer one step lower, the hook again,
 * and a climb to the highest note before it returns to D.
 */
#include "score.h"

#include "tool.h"

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

/* One line for each phrase of the song; the syllables are beside the notes. */
const score_note score_melody[] = {
    /* Morning light: あさの ひかりが */
    {SCORE_AT(2, 0.00f), 0.45f, F4_SHARP, VOWEL_A}, /* a */
    {SCORE_AT(2, 0.50f), 0.45f, F4_SHARP, VOWEL_A}, /* sa */
    {SCORE_AT(2, 1.00f), 1.00f, A4, VOWEL_O},       /* no */
    {SCORE_AT(2, 2.50f), 0.45f, A4, VOWEL_I},       /* hi */
    {SCORE_AT(2, 3.00f), 0.50f, B4, VOWEL_A},       /* ka */
    {SCORE_AT(2, 3.50f), 0.50f, A4, VOWEL_I},       /* ri */
    {SCORE_AT(3, 0.00f), 1.75f, E4, VOWEL_A},       /* ga */

    /* has painted the town: まちを そめたら */
    {SCORE_AT(4, 0.00f), 0.45f, F4_SHARP, VOWEL_A}, /* ma */
    {SCORE_AT(4, 0.50f), 0.45f, F4_SHARP, VOWEL_I}, /* chi */
    {SCORE_AT(4, 1.00f), 1.00f, B4, VOWEL_O},       /* wo */
    {SCORE_AT(4, 2.50f), 0.45f, B4, VOWEL_O},       /* so */
    {SCORE_AT(4, 3.00f), 0.50f, C5_SHARP, VOWEL_E}, /* me */
    {SCORE_AT(4, 3.50f), 0.50f, B4, VOWEL_A},       /* ta */
    {SCORE_AT(5, 0.00f), 1.75f, A4, VOWEL_A},       /* ra */

    /* click your heels: くつを ならして */
    {SCORE_AT(6, 0.00f), 0.45f, B4, VOWEL_U},       /* ku */
    {SCORE_AT(6, 0.50f), 0.45f, B4, VOWEL_U},       /* tsu */
    {SCORE_AT(6, 1.00f), 1.00f, D5, VOWEL_O},       /* wo */
    {SCORE_AT(6, 2.50f), 0.45f, D5, VOWEL_A},       /* na */
    {SCORE_AT(6, 3.00f), 0.50f, C5_SHARP, VOWEL_A}, /* ra */
    {SCORE_AT(6, 3.50f), 0.50f, B4, VOWEL_I},       /* shi */
    {SCORE_AT(7, 0.00f), 1.75f, A4, VOWEL_E},       /* te */

    /* and run, right now: かけだそう いますぐ */
    {SCORE_AT(8, 0.00f), 0.45f, G4, VOWEL_A},       /* ka */
    {SCORE_AT(8, 0.50f), 0.50f, A4, VOWEL_E},       /* ke */
    {SCORE_AT(8, 1.00f), 0.50f, B4, VOWEL_A},       /* da */
    {SCORE_AT(8, 1.50f), 1.25f, D5, VOWEL_O},       /* so-o */
    {SCORE_AT(8, 3.00f), 0.50f, B4, VOWEL_I},       /* i */
    {SCORE_AT(8, 3.50f), 0.50f, C5_SHARP, VOWEL_A}, /* ma */
    {SCORE_AT(9, 0.00f), 2.00f, D5, VOWEL_U},       /* su */
    {SCORE_AT(9, 2.00f), 1.50f, E5, VOWEL_U},       /* gu */

    /* The hook. Dance, let us dance, hey: おどり おどろう ほら */
    {SCORE_AT(10, 0.00f), 0.65f, D5, VOWEL_O},       /* o */
    {SCORE_AT(10, 0.75f), 0.65f, D5, VOWEL_O},       /* do */
    {SCORE_AT(10, 1.50f), 0.75f, B4, VOWEL_I},       /* ri */
    {SCORE_AT(10, 2.50f), 0.45f, D5, VOWEL_O},       /* o */
    {SCORE_AT(10, 3.00f), 0.50f, E5, VOWEL_O},       /* do */
    {SCORE_AT(10, 3.50f), 0.50f, F5_SHARP, VOWEL_O}, /* ro- */
    {SCORE_AT(11, 0.00f), 1.75f, E5, VOWEL_O},       /* -o */
    {SCORE_AT(11, 2.50f), 0.45f, C5_SHARP, VOWEL_O}, /* ho */
    {SCORE_AT(11, 3.00f), 0.75f, A4, VOWEL_A},       /* ra */

    /* carried on the wind, now: かぜに のせて いま */
    {SCORE_AT(12, 0.00f), 0.65f, C5_SHARP, VOWEL_A}, /* ka */
    {SCORE_AT(12, 0.75f), 0.65f, C5_SHARP, VOWEL_E}, /* ze */
    {SCORE_AT(12, 1.50f), 0.75f, A4, VOWEL_I},       /* ni */
    {SCORE_AT(12, 2.50f), 0.45f, C5_SHARP, VOWEL_O}, /* no */
    {SCORE_AT(12, 3.00f), 0.50f, D5, VOWEL_E},       /* se */
    {SCORE_AT(12, 3.50f), 0.50f, E5, VOWEL_E},       /* te- */
    {SCORE_AT(13, 0.00f), 1.75f, D5, VOWEL_E},       /* -e */
    {SCORE_AT(13, 2.50f), 0.45f, B4, VOWEL_I},       /* i */
    {SCORE_AT(13, 3.00f), 0.75f, C5_SHARP, VOWEL_A}, /* ma */

    /* The hook again: おどり おどろう */
    {SCORE_AT(14, 0.00f), 0.65f, D5, VOWEL_O},       /* o */
    {SCORE_AT(14, 0.75f), 0.65f, D5, VOWEL_O},       /* do */
    {SCORE_AT(14, 1.50f), 0.45f, B4, VOWEL_I},       /* ri */
    {SCORE_AT(14, 2.50f), 0.45f, C5_SHARP, VOWEL_O}, /* o */
    {SCORE_AT(14, 3.00f), 0.45f, E5, VOWEL_O},       /* do */
    {SCORE_AT(14, 3.50f), 0.50f, E5, VOWEL_O},       /* ro- */
    {SCORE_AT(15, 0.00f), 1.50f, F5_SHARP, VOWEL_O}, /* -o */

    /* and sing with you, for ever: きみと うたおう ずっと */
    {SCORE_AT(15, 2.00f), 0.45f, D5, VOWEL_I},       /* ki */
    {SCORE_AT(15, 2.50f), 0.50f, E5, VOWEL_I},       /* mi */
    {SCORE_AT(15, 3.00f), 0.75f, F5_SHARP, VOWEL_O}, /* to */
    {SCORE_AT(16, 0.00f), 0.70f, G5, VOWEL_U},       /* u */
    {SCORE_AT(16, 0.75f), 0.70f, F5_SHARP, VOWEL_A}, /* ta */
    {SCORE_AT(16, 1.50f), 1.25f, E5, VOWEL_O},       /* o-o */
    {SCORE_AT(16, 3.00f), 0.45f, B4, VOWEL_U},       /* zu */
    {SCORE_AT(16, 3.50f), 0.30f, C5_SHARP, VOWEL_U}, /* t- */
    {SCORE_AT(17, 0.00f), 3.00f, D5, VOWEL_O},       /* -to */
};

const size_t score_melody_count = TOOL_COUNT(score_melody);
