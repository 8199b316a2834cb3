/* Tests the bundled music: the file, its sound, and that score, sound and beats agree. */
#include "support.h"

#include "music/music.h"
#include "music/music_parts.h"
#include "music/music_song.h"

enum { HEADER_BYTES = 44, FRAME_BYTES = 4 };

/* The music, generated once for all tests, because that takes a second. */
typedef struct fixture {
    mmd_buffer wav;
    mmd_arena arena;
    music_track track; /* the samples of the file; full scale is 1 */
} fixture;

static uint32_t read_bytes(const uint8_t *data, int count)
{
    uint32_t value = 0;
    for (int i = count; i-- > 0;)
        value = value << 8 | data[i];
    return value;
}

static float sample_at(const fixture *it, size_t index)
{
    return (float)(int16_t)read_bytes(it->wav.data + HEADER_BYTES + 2 * index, 2) / 32768.0f;
}

static int make_fixture(void **state)
{
    fixture *it = calloc(1, sizeof *it);
    if (!it)
        return -1;
    music_make(&it->wav);
    it->track = music_track_make(&it->arena);
    size_t there = it->wav.size > HEADER_BYTES ? (it->wav.size - HEADER_BYTES) / FRAME_BYTES : 0;
    for (size_t i = 0; i < there && i < MUSIC_FRAMES; i++)
        it->track.frames[i] = (music_frame){sample_at(it, 2 * i), sample_at(it, 2 * i + 1)};
    *state = it;
    return it->wav.failed ? -1 : 0;
}

static int free_fixture(void **state)
{
    fixture *it = *state;
    mmd_buffer_finish(&it->wav);
    mmd_arena_finish(&it->arena);
    free(it);
    return 0;
}

static float loudest(const fixture *it, size_t from, size_t to)
{
    float peak = 0.0f;
    for (size_t i = from; i < to; i++)
        peak = fmaxf(peak, fmaxf(fabsf(it->track.frames[i].left), fabsf(it->track.frames[i].right)));
    return peak;
}

/* Returns the mean power of both channels in decibels; 0 is full scale. */
static double power(const music_track *track, size_t from, size_t to)
{
    double sum = 1e-12;
    for (size_t i = from; i < to; i++)
        sum +=
            track->frames[i].left * track->frames[i].left + track->frames[i].right * track->frames[i].right;
    return 10.0 * log10(sum / (2.0 * (double)(to - from)));
}

static size_t bar_frame(int bar)
{
    return (size_t)bar * SCORE_BEATS_A_BAR * MUSIC_BEAT_FRAMES;
}

static void wav_header_describes_the_file(void **state)
{
    const fixture *it = *state;
    const uint8_t *header = it->wav.data;
    assert_int_equal(it->wav.size, HEADER_BYTES + (size_t)MUSIC_FRAMES * FRAME_BYTES);
    assert_memory_equal(header, "RIFF", 4);
    assert_int_equal(read_bytes(header + 4, 4), it->wav.size - 8);
    assert_memory_equal(header + 8, "WAVEfmt ", 8);
    assert_int_equal(read_bytes(header + 16, 4), 16);
    assert_int_equal(read_bytes(header + 20, 2), 1);
    assert_int_equal(read_bytes(header + 22, 2), 2);
    assert_int_equal(read_bytes(header + 24, 4), 48000);
    assert_int_equal(read_bytes(header + 28, 4), 48000 * FRAME_BYTES);
    assert_int_equal(read_bytes(header + 32, 2), FRAME_BYTES);
    assert_int_equal(read_bytes(header + 34, 2), 16);
    assert_memory_equal(header + 36, "data", 4);
    assert_int_equal(read_bytes(header + 40, 4), it->wav.size - HEADER_BYTES);
}

static void music_is_as_long_as_the_score(void **state)
{
    (void)state;
    assert_int_equal(MUSIC_FRAMES, 40 * MUSIC_RATE);
    assert_int_equal(MUSIC_FRAMES * SCORE_FPS, SCORE_FRAMES * MUSIC_RATE);
}

static void music_is_the_same_twice(void **state)
{
    const fixture *it = *state;
    mmd_buffer again = {0};
    music_make(&again);
    assert_int_equal(again.size, it->wav.size);
    assert_true(memcmp(again.data, it->wav.data, again.size) == 0);
    mmd_buffer_finish(&again);
}

static void peaks_stay_one_decibel_below_full_scale(void **state)
{
    const fixture *it = *state;
    double peak = 20.0 * log10(loudest(it, 0, MUSIC_FRAMES));
    print_message("peak %.2f dB\n", peak);
    assert_true(peak <= -0.99 && peak > -1.5);
}

/* A clipped wave would have equal samples at its peak. */
static void no_wave_is_clipped(void **state)
{
    const fixture *it = *state;
    float peak = loudest(it, 0, MUSIC_FRAMES) * 0.9999f;
    for (size_t i = 2; i < MUSIC_FRAMES; i++) {
        const music_frame *at = it->track.frames + i;
        assert_false(fabsf(at[0].left) > peak && fabsf(at[-1].left) > peak && fabsf(at[-2].left) > peak);
        assert_false(fabsf(at[0].right) > peak && fabsf(at[-1].right) > peak && fabsf(at[-2].right) > peak);
    }
}

static void there_is_no_direct_current(void **state)
{
    const fixture *it = *state;
    double left = 0.0, right = 0.0;
    for (size_t i = 0; i < MUSIC_FRAMES; i++) {
        left += it->track.frames[i].left;
        right += it->track.frames[i].right;
    }
    assert_true(fabs(left / MUSIC_FRAMES) < 1e-3 && fabs(right / MUSIC_FRAMES) < 1e-3);
}

static void music_begins_and_ends_in_silence(void **state)
{
    const fixture *it = *state;
    assert_true(loudest(it, 0, 2) < 0.01f);
    assert_true(loudest(it, MUSIC_FRAMES - 480, MUSIC_FRAMES) < 0.002f);
}

static void no_second_inside_is_silent(void **state)
{
    const fixture *it = *state;
    for (size_t from = 0; from + 2 * MUSIC_RATE < MUSIC_FRAMES; from += MUSIC_RATE / 10)
        assert_true(power(&it->track, from, from + MUSIC_RATE) > -30.0);
}

static void loudness_follows_the_form(void **state)
{
    const fixture *it = *state;
    double verse = power(&it->track, bar_frame(SCORE_VERSE), bar_frame(SCORE_VERSE + 4));
    double chorus = power(&it->track, bar_frame(SCORE_CHORUS), bar_frame(SCORE_OUTRO));
    print_message("verse %.1f dB, chorus %.1f dB\n", verse, chorus);
    assert_true(chorus > verse + 1.5);
    assert_true(chorus > -18.0 && chorus < -10.0);
}

/* Returns the loudness of frames above 5 kHz, where drums have their attack and waves are short. */
static double brightness(const fixture *it, music_filter *filter, size_t from, size_t count)
{
    double sum = 0.0;
    for (size_t i = from; i < from + count; i++) {
        float high = music_filter_next(filter, it->track.frames[i].left + it->track.frames[i].right).high;
        sum += high * high;
    }
    return sqrt(sum / (double)count);
}

/* Sums how much louder each slice of 2 ms is than the one before, by its position within a sixteenth note. */
static void onsets_lie_on_the_grid(void **state)
{
    enum { SLICE = 100, SLICES = MUSIC_STEP_FRAMES / SLICE };
    const fixture *it = *state;
    double onsets[SLICES] = {0}, before = 0.0;
    music_filter high = {0};
    music_filter_tune(&high, 5000.0f, 0.7f);
    for (size_t at = 0; at + SLICE <= MUSIC_FRAMES; at += SLICE) {
        double now = brightness(it, &high, at, SLICE);
        onsets[at / SLICE % SLICES] += fmax(0.0, now - before);
        before = now;
    }
    int best = 0;
    double sum = 0.0;
    for (int i = 0; i < SLICES; i++) {
        sum += onsets[i];
        best = onsets[i] > onsets[best] ? i : best;
    }
    print_message("onsets: %.0f ms into a sixteenth note, %.1f times the mean\n",
                  best * 1000.0 * SLICE / MUSIC_RATE, onsets[best] * SLICES / sum);
    assert_true(best <= 1 || best == SLICES - 1);
    assert_true(onsets[best] * SLICES > 4.0 * sum);
}

static void bass_drum_starts_on_the_beat(void **state)
{
    (void)state;
    mmd_arena arena = {0};
    music_track drums = music_track_make(&arena);
    music_drums(&drums);
    int kicks = 0;
    for (int step = 0; step < MUSIC_STEPS; step++) {
        if (!music_kick_at(step))
            continue;
        size_t at = (size_t)step * MUSIC_STEP_FRAMES;
        assert_int_equal(at % MUSIC_BEAT_FRAMES, 0);
        assert_true(power(&drums, at, at + 480) > -20.0);
        if (at > 0)
            assert_true(power(&drums, at, at + 480) > power(&drums, at - 480, at) + 10.0);
        kicks++;
    }
    assert_true(kicks > SCORE_BARS * 2);
    mmd_arena_finish(&arena);
}

static void every_row_fits_its_bar(void **state)
{
    (void)state;
    for (int bar = 0; bar < SCORE_BARS; bar++) {
        const music_style *style = music_style_of(bar);
        const char *const rows[] = {style->kick, style->snare, style->clap, style->hat,   style->open_hat,
                                    style->tom,  style->crash, style->bass, style->piano, style->pluck};
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            assert_true(!rows[i] || strlen(rows[i]) <= MUSIC_STEPS_A_BAR);
    }
}

static void score_is_in_order_and_sings_one_note_at_a_time(void **state)
{
    (void)state;
    assert_true(score_melody_count > 40);
    for (size_t i = 0; i < score_melody_count; i++) {
        const score_note *note = &score_melody[i];
        assert_true(note->length > 0.0f && note->vowel != VOWEL_NONE);
        assert_true(note->beat >= SCORE_VERSE * SCORE_BEATS_A_BAR);
        assert_true(note->beat + note->length <= SCORE_OUTRO * SCORE_BEATS_A_BAR);
        assert_true(note->pitch >= 60 && note->pitch <= 81);
        if (i > 0)
            assert_true(note[-1].beat + note[-1].length <= note->beat + 1e-4f);
    }
}

static bool is_a_step(int from, int to)
{
    return abs(from - to) <= 2 && from != to;
}

/* On the first and third beat only notes of the chord sound; any other note is a step away from its
 * neighbour. */
static void melody_fits_the_chords(void **state)
{
    (void)state;
    for (size_t i = 0; i < score_melody_count; i++) {
        const score_note *note = &score_melody[i];
        for (float beat = ceilf(note->beat); beat < note->beat + note->length; beat += 1.0f) {
            if (music_chord_has(music_chord_at(beat), note->pitch))
                continue;
            assert_true((int)beat % 2 == 1);
            bool comes = i > 0 && is_a_step(note[-1].pitch, note->pitch);
            bool goes = i + 1 < score_melody_count && is_a_step(note->pitch, note[1].pitch);
            assert_true(comes || goes);
        }
    }
}

static void tunes_fit_the_chords(void **state)
{
    (void)state;
    const music_tune *const tunes[] = {&music_bell_tune, &music_string_tune};
    for (size_t t = 0; t < 2; t++)
        for (size_t i = 0; i < tunes[t]->count; i++) {
            const music_note *note = &tunes[t]->notes[i];
            if (note->length >= 1.0f && (int)note->beat % 2 == 0)
                assert_true(music_chord_has(music_chord_at(note->beat), note->pitch));
        }
}

static double likeness(const music_track *track, size_t from, size_t count, size_t lag)
{
    double sum = 0.0, one = 1e-12, other = 1e-12;
    for (size_t i = from; i < from + count; i++) {
        double a = track->frames[i].left, b = track->frames[i + lag].left;
        sum += a * b;
        one += a * a;
        other += b * b;
    }
    return sum / sqrt(one * other);
}

/* Returns the pitch error in cents, from the period within three semitones at which the wave correlates best
 * with itself. */
static double cents_off(const music_track *lead, const score_note *note)
{
    double right = MUSIC_RATE / (double)music_hertz((float)note->pitch), best = -1.0;
    size_t from = music_frame_of(note->beat) + MUSIC_RATE / 12, at = 0;
    size_t count = music_frame_of(note->beat + note->length) - from - 256;
    for (size_t lag = (size_t)(right * 0.84); lag < (size_t)(right * 1.19); lag++) {
        double alike = likeness(lead, from, count, lag);
        if (alike > best) {
            best = alike;
            at = lag;
        }
    }
    double a = likeness(lead, from, count, at - 1), c = likeness(lead, from, count, at + 1);
    double period = (double)at + (a - c) / (2.0 * (a - 2.0 * best + c));
    assert_true(best > 0.8);
    return 1200.0 * log2(right / period);
}

static void singer_sings_the_score(void **state)
{
    (void)state;
    mmd_arena arena = {0};
    music_track lead = music_track_make(&arena);
    music_lead(&lead);
    double worst = 0.0;
    for (size_t i = 0; i < score_melody_count; i++)
        worst = fmax(worst, fabs(cents_off(&lead, &score_melody[i])));
    print_message("worst note %.1f cents off\n", worst);
    assert_true(worst < 15.0);
    for (size_t i = 1; i < score_melody_count; i++) { /* and is silent during rests */
        size_t rest = music_frame_of(score_melody[i - 1].beat + score_melody[i - 1].length) + MUSIC_RATE / 5;
        size_t next = music_frame_of(score_melody[i].beat);
        if (rest < next)
            assert_true(power(&lead, rest, next) < -50.0);
    }
    mmd_arena_finish(&arena);
}

static void overdrive_is_the_hyperbolic_tangent(void **state)
{
    (void)state;
    for (int i = -4000; i <= 4000; i++) {
        float sound = (float)i / 1000.0f;
        assert_true(fabs((double)music_overdrive(sound) - tanh((double)sound)) < 6e-8);
    }
}

static void working_memory_is_given_back(void **state)
{
    (void)state;
    uint64_t before = mmd_heap_blocks_in_use();
    mmd_arena arena = {0};
    music_track track = music_track_make(&arena);
    music_master(&arena, &track);
    assert_true(power(&track, 0, MUSIC_FRAMES) < -100.0); /* silence remains silence */
    mmd_arena_finish(&arena);
    assert_int_equal(mmd_heap_blocks_in_use(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wav_header_describes_the_file),
        cmocka_unit_test(music_is_as_long_as_the_score),
        cmocka_unit_test(music_is_the_same_twice),
        cmocka_unit_test(peaks_stay_one_decibel_below_full_scale),
        cmocka_unit_test(no_wave_is_clipped),
        cmocka_unit_test(there_is_no_direct_current),
        cmocka_unit_test(music_begins_and_ends_in_silence),
        cmocka_unit_test(no_second_inside_is_silent),
        cmocka_unit_test(loudness_follows_the_form),
        cmocka_unit_test(onsets_lie_on_the_grid),
        cmocka_unit_test(bass_drum_starts_on_the_beat),
        cmocka_unit_test(every_row_fits_its_bar),
        cmocka_unit_test(score_is_in_order_and_sings_one_note_at_a_time),
        cmocka_unit_test(melody_fits_the_chords),
        cmocka_unit_test(tunes_fit_the_chords),
        cmocka_unit_test(singer_sings_the_score),
        cmocka_unit_test(overdrive_is_the_hyperbolic_tangent),
        cmocka_unit_test(working_memory_is_given_back),
    };
    return cmocka_run_group_tests(tests, make_fixture, free_fixture);
}
