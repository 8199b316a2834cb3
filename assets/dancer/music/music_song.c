/*
 * The arrangement. The verse descends from D to its dominant; the chorus is the progression IV V iii vi that
 * is so popular in Japan, played twice, the second time at double speed through a secondary dominant back to
 * D.
 */
#include "music_song.h"

#include <assert.h>

#include "tool.h"

/* The bass, then the notes of the right hand, voiced so that each moves little to the next. */
static const music_chord chord_d = {38, {57, 62, 66, 69}};
static const music_chord chord_d_f = {42, {57, 62, 66, 69}};
static const music_chord chord_a = {33, {57, 61, 64, 69}};
static const music_chord chord_a_c = {37, {57, 61, 64, 69}};
static const music_chord chord_a7 = {33, {55, 57, 61, 64}};
static const music_chord chord_a7sus = {33, {55, 57, 62, 64}};
static const music_chord chord_bm7 = {35, {57, 59, 62, 66}};
static const music_chord chord_fm7 = {42, {57, 61, 64, 66}};
static const music_chord chord_f7_a = {34, {58, 61, 64, 66}};
static const music_chord chord_g = {31, {57, 59, 62, 67}};
static const music_chord chord_em7 = {40, {55, 59, 62, 64}};

static const music_chord *const chords[SCORE_BARS][MUSIC_CHORDS_A_BAR] = {
    {&chord_g, &chord_a},                             /* intro */
    {&chord_bm7, &chord_a7sus}, {&chord_d, &chord_d}, /* verse */
    {&chord_a_c, &chord_a_c},   {&chord_bm7, &chord_bm7},  {&chord_fm7, &chord_fm7},
    {&chord_g, &chord_g},       {&chord_d_f, &chord_d_f},  {&chord_em7, &chord_em7},
    {&chord_a7sus, &chord_a7},  {&chord_g, &chord_g}, /* chorus */
    {&chord_a, &chord_a},       {&chord_fm7, &chord_fm7},  {&chord_bm7, &chord_bm7},
    {&chord_g, &chord_a},       {&chord_f7_a, &chord_bm7}, {&chord_em7, &chord_a7},
    {&chord_d, &chord_d},       {&chord_g, &chord_a}, /* outro */
    {&chord_d, &chord_d},
};

#define FOUR_ON_THE_FLOOR "9...9...9...9..."
#define BACKBEAT          "....8.......8..."

static const music_style intro = {
    .kick = FOUR_ON_THE_FLOOR,
    .clap = BACKBEAT,
    .hat = "5.3.5.3.5.3.5.3.",
    .bass = "r--.r-o.r--.r-o.",
    .piano = "7-.6-.6-7-.6-.6-",
    .pad = 0.7f,
};
static const music_style intro_fill = {
    .kick = "9...9...9.......",
    .snare = "............5678",
    .clap = "....8.......",
    .hat = "5.3.5.3.5.3.....",
    .tom = "..........h.m.l.",
    .bass = "r--.r-o.r--.f-r.",
    .piano = "7-.6-.6-7---....",
    .pad = 0.8f,
};
static const music_style verse = {
    .kick = "9.......9.......",
    .snare = BACKBEAT,
    .hat = "6.3.5.3.6.3.5.32",
    .bass = "r--...r.r--..of.",
    .piano = "6---........5-..",
    .pluck = "0.1.2.3.2.1.2.3.",
    .pad = 0.55f,
};
static const music_style verse_crash = {
    .kick = "9.......9.......",
    .snare = BACKBEAT,
    .hat = "..3.5.3.6.3.5.32",
    .crash = "7...............",
    .bass = "r--...r.r--..of.",
    .piano = "6---........5-..",
    .pluck = "0.1.2.3.2.1.2.3.",
    .pad = 0.55f,
};
static const music_style verse_fill = {
    .kick = "9.......9.......",
    .snare = "....8.......8.46",
    .hat = "6.3.5.3.6.3.5...",
    .bass = "r--...r.r--.r-f.",
    .piano = "6---......6-6-..",
    .pluck = "0.1.2.3.2.1.3.2.",
    .pad = 0.5f,
};
/* The second half of the verse is faster. */
static const music_style verse_run = {
    .kick = FOUR_ON_THE_FLOOR,
    .snare = BACKBEAT,
    .hat = "6.326.326.326.32",
    .open_hat = "..4...4...4...4.",
    .bass = "r-.rr-o.r-.rr-o.",
    .piano = "6--.....6--..5-.",
    .pluck = "0123212301232123",
    .pad = 0.6f,
};
static const music_style build = {
    .kick = FOUR_ON_THE_FLOOR,
    .snare = "....8.......8.3.",
    .clap = "....6.......6...",
    .hat = "6.426.426.426.42",
    .open_hat = "..5...5...5...5.",
    .bass = "r.r.r.r.r.r.r.rr",
    .piano = "6-5-6-5-6-5-6-5-",
    .pluck = "0123212301232123",
    .pad = 0.75f,
};
/* A roll, and then everybody pauses for half a beat. */
static const music_style stop = {
    .kick = "9...9...........",
    .snare = "3.3.4.4.565678..",
    .hat = "6.4.6.4.........",
    .bass = "r.r.r.r.r-----..",
    .piano = "7-------7-----..",
    .pluck = "01230123012301..",
    .pad = 0.9f,
};
static const music_style chorus = {
    .kick = FOUR_ON_THE_FLOOR,
    .snare = BACKBEAT,
    .clap = "....9.......9...",
    .hat = "6.246.246.246.24",
    .open_hat = "..7...7...7...7.",
    .bass = "r.o.r.o.r.o.r.of",
    .piano = "8-.7-.7-8-.7-.7-",
    .pluck = "0.2.3.2.0.2.3.2.",
    .pad = 1.0f,
};
static const music_style chorus_crash = {
    .kick = FOUR_ON_THE_FLOOR,
    .snare = BACKBEAT,
    .clap = "....9.......9...",
    .hat = "..246.246.246.24",
    .open_hat = "......7...7...7.",
    .crash = "9...............",
    .bass = "r.o.r.o.r.o.r.of",
    .piano = "8-.7-.7-8-.7-.7-",
    .pluck = "0.2.3.2.0.2.3.2.",
    .pad = 1.0f,
};
static const music_style chorus_fill = {
    .kick = FOUR_ON_THE_FLOOR,
    .snare = "....8.......8.67",
    .clap = "....9.......9...",
    .hat = "6.246.246.24....",
    .open_hat = "..7...7...7.....",
    .tom = "..........h.mmll",
    .bass = "r.o.r.o.r.o.rrof",
    .piano = "8-.7-.7-8-.7-.7-",
    .pluck = "0.2.3.2.0.2.3.2.",
    .pad = 1.0f,
};
/* The hook again, a fill, and the last chord. */
static const music_style outro = {
    .kick = "9...9...9...9...",
    .snare = "....8.......8.78",
    .clap = "....9.......9...",
    .hat = "..246.246.24....",
    .open_hat = "......7...7.....",
    .crash = "8...............",
    .tom = "............hmml",
    .bass = "r.o.r.o.r.o.r.rr",
    .piano = "8-.7-.7-8-.7--77",
    .pad = 0.9f,
};
static const music_style last = {
    .kick = "9...............",
    .snare = "7...............",
    .clap = "8...............",
    .crash = "9...............",
    .bass = "r---------------",
    .piano = "9---------------",
    .pad = 1.0f,
};

static const music_style *const styles[SCORE_BARS] = {
    &intro,        &intro_fill, &verse_crash, &verse,        &verse,  &verse_fill, &verse_run,
    &verse_run,    &build,      &stop,        &chorus_crash, &chorus, &chorus,     &chorus_fill,
    &chorus_crash, &chorus,     &chorus,      &chorus_fill,  &outro,  &last,
};

/* The hook, before it is sung, and again at the end. */
static const music_note bell_notes[] = {
    {SCORE_AT(0, 0.00f), 0.75f, 74},  {SCORE_AT(0, 0.75f), 0.75f, 74},  {SCORE_AT(0, 1.50f), 0.50f, 71},
    {SCORE_AT(0, 2.50f), 0.50f, 73},  {SCORE_AT(0, 3.00f), 0.50f, 76},  {SCORE_AT(0, 3.50f), 0.50f, 78},
    {SCORE_AT(1, 0.00f), 1.50f, 78},  {SCORE_AT(1, 1.50f), 0.50f, 74},  {SCORE_AT(1, 2.00f), 0.50f, 76},
    {SCORE_AT(1, 2.50f), 1.50f, 69},

    {SCORE_AT(18, 0.00f), 0.75f, 74}, {SCORE_AT(18, 0.75f), 0.75f, 74}, {SCORE_AT(18, 1.50f), 0.50f, 71},
    {SCORE_AT(18, 2.50f), 0.50f, 73}, {SCORE_AT(18, 3.00f), 0.50f, 76}, {SCORE_AT(18, 3.50f), 0.50f, 78},
    {SCORE_AT(19, 0.00f), 2.00f, 74}, {SCORE_AT(19, 0.00f), 2.00f, 81}, {SCORE_AT(19, 0.00f), 2.00f, 86},
};
const music_tune music_bell_tune = {bell_notes, TOOL_COUNT(bell_notes)};

/* Long notes while the voice moves, runs where it rests. */
static const music_note string_notes[] = {
    {SCORE_AT(10, 0.00f), 4.00f, 83}, {SCORE_AT(11, 0.00f), 2.00f, 85}, {SCORE_AT(11, 2.00f), 0.25f, 88},
    {SCORE_AT(11, 2.25f), 0.25f, 86}, {SCORE_AT(11, 2.50f), 0.25f, 85}, {SCORE_AT(11, 2.75f), 0.25f, 83},
    {SCORE_AT(11, 3.00f), 1.00f, 81},

    {SCORE_AT(12, 0.00f), 4.00f, 81}, {SCORE_AT(13, 0.00f), 2.00f, 83}, {SCORE_AT(13, 2.00f), 0.25f, 78},
    {SCORE_AT(13, 2.25f), 0.25f, 79}, {SCORE_AT(13, 2.50f), 0.25f, 81}, {SCORE_AT(13, 2.75f), 0.25f, 83},
    {SCORE_AT(13, 3.00f), 1.00f, 85},

    {SCORE_AT(14, 0.00f), 2.00f, 86}, {SCORE_AT(14, 2.00f), 2.00f, 85}, {SCORE_AT(15, 0.00f), 2.00f, 82},
    {SCORE_AT(15, 2.00f), 2.00f, 83}, {SCORE_AT(16, 0.00f), 1.00f, 83}, {SCORE_AT(16, 1.00f), 1.00f, 86},
    {SCORE_AT(16, 2.00f), 1.00f, 85}, {SCORE_AT(16, 3.00f), 1.00f, 88},

    {SCORE_AT(17, 0.00f), 2.00f, 90}, {SCORE_AT(17, 2.00f), 0.25f, 81}, {SCORE_AT(17, 2.25f), 0.25f, 83},
    {SCORE_AT(17, 2.50f), 0.25f, 85}, {SCORE_AT(17, 2.75f), 0.25f, 86}, {SCORE_AT(17, 3.00f), 0.50f, 88},
    {SCORE_AT(17, 3.50f), 0.50f, 90},

    {SCORE_AT(18, 0.00f), 2.00f, 91}, {SCORE_AT(18, 2.00f), 2.00f, 88}, {SCORE_AT(19, 0.00f), 2.00f, 90},
};
const music_tune music_string_tune = {string_notes, TOOL_COUNT(string_notes)};

const music_chord *music_chord_at(float beat)
{
    int half = (int)(beat / (SCORE_BEATS_A_BAR / MUSIC_CHORDS_A_BAR));
    assert(half >= 0 && half < SCORE_BARS * MUSIC_CHORDS_A_BAR);
    return chords[half / MUSIC_CHORDS_A_BAR][half % MUSIC_CHORDS_A_BAR];
}

bool music_chord_has(const music_chord *chord, int pitch)
{
    bool has = (pitch - chord->bass) % 12 == 0;
    for (int i = 0; i < MUSIC_CHORD_TONES; i++)
        has |= (pitch - chord->tones[i]) % 12 == 0;
    return has;
}

const music_style *music_style_of(int bar)
{
    assert(bar >= 0 && bar < SCORE_BARS);
    return styles[bar];
}

/* A row may be shorter than its bar; the rest is silent. */
char music_step(const char *row, int step)
{
    if (!row)
        return '.';
    for (int i = 0; i < step; i++)
        if (!row[i])
            return '.';
    return row[step] ? row[step] : '.';
}

int music_step_length(const char *row, int step)
{
    int count = 1;
    while (step + count < MUSIC_STEPS_A_BAR && music_step(row, step + count) == '-')
        count++;
    return count;
}

float music_loudness(char step)
{
    return step >= '1' && step <= '9' ? (float)(step - '0') / 9.0f : 0.0f;
}

bool music_kick_at(int step)
{
    const music_style *style = music_style_of(step / MUSIC_STEPS_A_BAR);
    return music_step(style->kick, step % MUSIC_STEPS_A_BAR) != '.';
}
