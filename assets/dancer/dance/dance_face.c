/* The face: blinks, moods that change with the parts of the music, accents, and lips that follow the score's
 * melody. */
#include "dance_body.h"

#include <string.h>

#include "tool.h"

/* A morph that rises, stays from one beat to another, and fades. Those of one morph are in order. */
typedef struct mood {
    const char *morph;
    float from, to, weight;
    int attack, release; /* in frames */
} mood;

static const mood moods[] = {
    {"真面目", SCORE_AT(0, 0), SCORE_AT(0, 2.8f), 0.5f, 1, 6},
    {"真面目", SCORE_AT(6, 0), SCORE_AT(7, 3), 0.4f, 5, 8},
    {"真面目", SCORE_AT(8, 0), SCORE_AT(9, 3), 0.75f, 6, 6},
    {"にこり", SCORE_AT(0, 3), SCORE_AT(5, 3), 0.55f, 4, 10},
    {"にこり", SCORE_AT(9, 3.8f), SCORE_AT(19, 4), 0.8f, 5, 0},
    {"上", SCORE_AT(1, 1), SCORE_AT(1, 3), 0.6f, 8, 8},
    {"上", SCORE_AT(3, 0.6f), SCORE_AT(3, 2.6f), 0.6f, 8, 8},
    {"上", SCORE_AT(5, 0.5f), SCORE_AT(5, 3), 0.5f, 6, 8},
    {"上", SCORE_AT(10, 0), SCORE_AT(10, 2), 0.5f, 3, 8},
    {"上", SCORE_AT(14, 0), SCORE_AT(14, 2), 0.5f, 3, 8},
    {"上", SCORE_AT(18, 0), SCORE_AT(18, 2), 0.5f, 3, 8},
    {"下", SCORE_AT(8, 0), SCORE_AT(9, 2), 0.4f, 6, 8},
    {"困る", SCORE_AT(12, 2.5f), SCORE_AT(13, 1), 0.35f, 10, 12},
    {"困る", SCORE_AT(15, 3), SCORE_AT(16, 1), 0.45f, 8, 10},
    {"困る", SCORE_AT(16, 3), SCORE_AT(17, 0), 0.3f, 6, 8},
    {"笑い", SCORE_AT(1, 3.4f), SCORE_AT(2, 0), 1.0f, 3, 4},
    {"笑い", SCORE_AT(3, 2.8f), SCORE_AT(3, 3.7f), 1.0f, 3, 4},
    {"笑い", SCORE_AT(7, 1), SCORE_AT(7, 1.8f), 1.0f, 3, 4},
    {"笑い", SCORE_AT(11, 0), SCORE_AT(11, 1.8f), 1.0f, 4, 5},
    {"笑い", SCORE_AT(13, 0.2f), SCORE_AT(13, 1.6f), 1.0f, 5, 5},
    {"笑い", SCORE_AT(15, 0.2f), SCORE_AT(15, 1.7f), 1.0f, 4, 4},
    {"笑い", SCORE_AT(17, 0.6f), SCORE_AT(17, 2.6f), 1.0f, 5, 5},
    {"笑い", SCORE_AT(18, 2.9f), SCORE_AT(18, 3.6f), 1.0f, 4, 5},
    {"ウィンク", SCORE_AT(13, 3), SCORE_AT(13, 3.8f), 1.0f, 2, 4},
    {"ウィンク", SCORE_AT(19, 0.1f), SCORE_AT(19, 2), 1.0f, 2, 4},
    {"にやり", SCORE_AT(0, 3), SCORE_AT(1, 3), 0.5f, 4, 6},
    {"にやり", SCORE_AT(5, 1.9f), SCORE_AT(5, 3.8f), 0.6f, 6, 6},
    {"にやり", SCORE_AT(7, 1.8f), SCORE_AT(7, 3.8f), 0.6f, 6, 6},
    {"にやり", SCORE_AT(13, 3.75f), SCORE_AT(14, 0), 0.5f, 3, 3},
    {"にやり", SCORE_AT(18, 0), SCORE_AT(19, 4), 0.7f, 4, 0},
};

/*
 * Beats at which she blinks: irregular, often where the head turns, and none where a smile closes the eyes.
 */
static const float blinks[] = {1.2f,  2.9f,  3.15f, 7.0f,  9.6f,  12.4f, 15.9f, 17.9f, 19.8f,
                               23.9f, 26.2f, 29.9f, 30.2f, 34.4f, 38.9f, 41.8f, 43.7f, 47.9f,
                               50.3f, 57.1f, 58.8f, 62.8f, 65.1f, 67.4f, 71.2f, 73.6f, 78.6f};

static void add_moods(dance_book *book)
{
    for (size_t i = 0; i < TOOL_COUNT(moods); i++) {
        const mood *m = &moods[i];
        dance_morph *morph = dance_morph_of(book, m->morph);
        int from = dance_frame(m->from), to = dance_frame(m->to);
        dance_weight(morph, from - m->attack, morph->count ? morph->keys[morph->count - 1].weight : 0);
        dance_weight(morph, from, m->weight);
        dance_weight(morph, to, m->weight);
        if (to < SCORE_FRAMES)
            dance_weight(morph, to + m->release, 0);
    }
}

/* Tests whether a mood closes the eyes in any of these frames. */
static bool eyes_are_shut(int from, int to)
{
    static const char *const shutting[] = {"笑い", "ウィンク"};
    for (size_t i = 0; i < TOOL_COUNT(moods); i++)
        for (size_t k = 0; k < TOOL_COUNT(shutting); k++)
            if (strcmp(moods[i].morph, shutting[k]) == 0 &&
                to > dance_frame(moods[i].from) - moods[i].attack &&
                from < dance_frame(moods[i].to) + moods[i].release)
                return true;
    return false;
}

/* The eyes close in two frames and open in three. */
static void add_blinks(dance_book *book)
{
    dance_morph *morph = dance_morph_of(book, "まばたき");
    dance_weight(morph, 0, 0);
    for (size_t i = 0; i < TOOL_COUNT(blinks); i++) {
        int frame = dance_frame(blinks[i]);
        if (eyes_are_shut(frame - 2, frame + 4))
            continue;
        dance_weight(morph, frame - 2, 0);
        dance_weight(morph, frame, 1);
        dance_weight(morph, frame + 1, 1);
        dance_weight(morph, frame + 4, 0);
    }
}

/* Writes one vowel's track: up in two frames, slightly less while the note is held, closing at its end. */
static void sing_vowel(dance_book *book, score_vowel vowel, const char *name, float opening)
{
    dance_morph *morph = dance_morph_of(book, name);
    dance_weight(morph, 0, 0);
    for (size_t i = 0; i < score_melody_count; i++) {
        const score_note *note = &score_melody[i];
        if (note->vowel != vowel)
            continue;
        int from = dance_frame(note->beat), to = dance_frame(note->beat + note->length);
        float before = morph->keys[morph->count - 1].weight;
        bool joined = morph->keys[morph->count - 1].frame >= from - 2;
        dance_weight(morph, from - 2, joined ? before * 0.5f : 0);
        dance_weight(morph, from + 1, opening);
        if (to - from > 9)
            dance_weight(morph, to - 3, opening * 0.75f);
        dance_weight(morph, to - 1 > from + 1 ? to - 1 : from + 2, opening * 0.6f);
        dance_weight(morph, to + 1, 0);
    }
}

void dance_face(dance_book *book)
{
    add_blinks(book);
    sing_vowel(book, VOWEL_A, "あ", 0.85f);
    sing_vowel(book, VOWEL_I, "い", 0.8f);
    sing_vowel(book, VOWEL_U, "う", 0.85f);
    sing_vowel(book, VOWEL_E, "え", 0.75f);
    sing_vowel(book, VOWEL_O, "お", 0.85f);
    add_moods(book);
}
