/* Tests that a dance that loops, or repeats from A to B, sounds without a gap: compares what OpenAL's
 * loopback renders sample by sample, and with the frames that the player would show. */
#include "support.h"

#include <sndfile.h>
#include <unistd.h>

#include "media/playback.h"
#include "media/audio_output.h"
#include "media/audio_stream.h"
#include "edit/transport.h"

enum { RATE = 48000, PERIOD = 960, SECONDS = 6, FADE = RATE / 250 };

/* --- Sounds whose samples tell their position --- */

typedef float sound_fn(int frame);

/* A ramp: each value occurs at one position only. */
static float ramp(int frame)
{
    return 0.1f + 0.8f * (float)frame / (SECONDS * RATE);
}

/* A tone that is never silent, with a click at every half second. */
static float tone(int frame)
{
    double second = (double)frame / RATE;
    return frame % (RATE / 2) < 48 ? 0.95f : (float)(0.2 * sin(2 * 3.14159265358979323846 * 441 * second));
}

static void write_sound(const char *path, sound_fn *sound)
{
    SF_INFO info = {.samplerate = RATE, .channels = 2, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    assert_non_null(file);
    static float second[RATE][2]; /* written at once, because each call is a system call */
    for (int i = 0; i < SECONDS * RATE; i++) {
        second[i % RATE][0] = second[i % RATE][1] = sound(i);
        if (i % RATE == RATE - 1)
            sf_writef_float(file, second[0], RATE);
    }
    sf_close(file);
}

/* --- Playing it --- */

typedef struct rig {
    audio_output *output;
    playback *playback;
    playback_request wish;
    playback_clock clock;
    playback_status hearing;
    size_t rendered, capacity; /* samples */
    float *heard;              /* left channel */
} rig;

/* Opens the device and a sound, or skips the test if OpenAL has no loopback. */
static void rig_open(rig *r, sound_fn *sound, double seconds)
{
    char path[] = "/tmp/odori-loop-XXXXXX";
    audio_file *file;
    *r = (rig){.output = audio_output_open_loopback(RATE), .capacity = (size_t)(seconds + 1) * RATE};
    if (!r->output)
        test_skip("this OpenAL has no loopback");
    close(mkstemp(path));
    write_sound(path, sound);
    assert_int_equal(audio_file_open(path, &file, NULL), MMD_OK);
    unlink(path);
    r->playback = playback_create(r->output, file);
    r->heard = calloc(r->capacity, sizeof *r->heard);
    assert_true(r->playback && r->heard);
    r->wish = (playback_request){.turn = 1, .playing = true, .speed = 1, .volume = 1};
}

static void rig_close(rig *r)
{
    playback_destroy(r->playback);
    audio_output_close(r->output);
    free(r->heard);
}

/* Plays one period of the device and updates the player's clock; returns the time. */
static double rig_period(rig *r)
{
    float both[2 * PERIOD];
    playback_pump(r->playback, &r->wish);
    audio_output_render(r->output, both, PERIOD);
    assert_true(r->rendered + PERIOD <= r->capacity);
    for (size_t i = 0; i < PERIOD; i++)
        r->heard[r->rendered + i] = both[2 * i];
    r->rendered += PERIOD;
    double now = (double)r->rendered / RATE;
    r->hearing = playback_hear(r->playback, now);
    assert_true(r->hearing.playing && r->hearing.late == 0);
    if (r->rendered == PERIOD)
        playback_clock_start(&r->clock, r->hearing.position, now, r->hearing.rate);
    else
        playback_clock_hear(&r->clock, r->hearing.position, now, r->hearing.rate);
    return now;
}

static double unrolled(double at, double end, double start)
{
    return at < end ? at : start + fmod(at - end, end - start);
}

/* --- Sample by sample --- */

static size_t first_heard(const rig *r)
{
    size_t n = 0;
    while (n < r->rendered && r->heard[n] <= 0)
        n++;
    return n;
}

typedef struct loop_case {
    double position, end, start;
} loop_case;

static void no_sample_is_put_in_or_left_out_at_a_seam(void **state)
{
    (void)state;
    static const loop_case cases[] = {
        {1, 2.5, 0.5}, {0, 5.9, 0}, {2.4, 2.5, 2.25}, {0.2, 1 / 3.0 + 1, 1 / 7.0}, {3, 3.15, 3.03}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        rig r;
        size_t wrong = 0, fades = 0, silent = 0;
        rig_open(&r, ramp, 20);
        r.wish.position = cases[c].position;
        r.wish.seam = (audio_seam){.leaps = true, .end = cases[c].end, .start = cases[c].start};
        while (rig_period(&r) < 20) {
        }
        for (size_t n = first_heard(&r), i = 0; n < r.rendered; n++, i++) {
            double wanted = unrolled(cases[c].position + (double)i / RATE, cases[c].end, cases[c].start);
            double frame = ((double)r.heard[n] - 0.1) / 0.8 * SECONDS * RATE;
            bool is_fading =
                wanted * RATE < cases[c].start * RATE + FADE + 1 || wanted > cases[c].end - 1.0 / RATE;
            silent += fabsf(r.heard[n]) < 0.05f;
            fades += is_fading;
            wrong += !is_fading && fabs(frame - wanted * RATE) > 1.1; /* seams lie between samples */
        }
        print_message("from %.2f, %.3f leads to %.3f: %zu samples silent, %zu not theirs, %zu in fades\n",
                      cases[c].position, cases[c].end, cases[c].start, silent, wrong, fades);
        assert_int_equal(silent, 0);
        assert_int_equal(wrong, 0);
        assert_true(fades > FADE || cases[c].end - cases[c].start > 5);
        rig_close(&r);
    }
}

/* --- Frames --- */

typedef struct seam_report {
    double largest; /* greatest distance of a click, in frames */
    size_t clicks, silent;
} seam_report;

/* Counts the silent windows of 4 ms. */
static size_t count_silent(const rig *r, size_t from)
{
    size_t count = 0;
    for (; from + FADE <= r->rendered; from += FADE) {
        float loudest = 0;
        for (size_t i = 0; i < FADE; i++)
            loudest = fmaxf(loudest, fabsf(r->heard[from + i]));
        count += loudest < 0.1f;
    }
    return count;
}

/* Compares the frame shown at each click with the frame of its half second. */
static seam_report measure(rig *r, const double *shown, size_t count)
{
    seam_report report = {0};
    for (size_t n = first_heard(r); n < r->rendered; n++) {
        if (r->heard[n] < 0.6f)
            continue;
        double period = (double)n / PERIOD;
        size_t i = (size_t)period;
        if (i + 1 >= count)
            break;
        double leap = shown[i + 1] - shown[i], share = period - (double)i;
        double frame = leap > 0 ? shown[i] + leap * share : share > 0.5 ? shown[i + 1] : shown[i];
        report.largest = fmax(report.largest, fabs(frame - 15 * round(frame / 15)));
        report.clicks++;
        n += RATE / 20;
    }
    report.silent = count_silent(r, first_heard(r));
    return report;
}

static void at_any_speed_it_stays_with_the_frames_across_seams(void **state)
{
    (void)state;
    static const double speeds[] = {0.25, 0.5, 0.8, 1, 1.25, 2, 4};
    enum { PLAYED = 40, END = 110, START = 20 }; /* no click is near the seam */
    for (size_t v = 0; v < sizeof speeds / sizeof *speeds; v++) {
        rig r;
        rig_open(&r, tone, PLAYED);
        size_t count = 0;
        double *shown = calloc(PLAYED * RATE / PERIOD + 2, sizeof *shown), now = 0;
        r.wish.speed = speeds[v];
        r.wish.seam = (audio_seam){.leaps = true, .end = END / 30.0, .start = START / 30.0};
        shown[count++] = 0;
        while (now < PLAYED) {
            now = rig_period(&r);
            shown[count++] = 30 * unrolled(playback_clock_at(&r.clock, now), END / 30.0, START / 30.0);
        }
        seam_report report = measure(&r, shown, count);
        double rounds = PLAYED * speeds[v] / ((END - START) / 30.0);
        print_message("speed %.2f: %.1f rounds, %zu clicks, at most %.3f frames off, %zu silent windows\n",
                      speeds[v], rounds, report.clicks, report.largest, report.silent);
        assert_int_equal(report.silent, 0);
        assert_true(report.largest < fmax(1, 1.5 * speeds[v]));
        /* At other speeds such short clicks may be lost between the pieces that are joined. */
        assert_true((double)report.clicks > (speeds[v] > 1 ? 0.5 : 5.5) * (rounds - 1));
        free(shown);
        rig_close(&r);
    }
}

static void shifts_tell_where_in_the_file_a_second_is(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, ramp, 12);
    r.wish.position = 1;
    while (rig_period(&r) < 1) {
    }
    /* Sets B during playback, before it is queued; then another, then none. */
    r.wish.seam = (audio_seam){.leaps = true, .end = 2.5, .start = 0.5};
    while (rig_period(&r) < 3) {
    }
    assert_float_equal(audio_shift_at(&r.hearing.shifts, 2.4), 0, 0);
    assert_float_equal(audio_shift_at(&r.hearing.shifts, 2.6), -2, 1e-12);
    r.wish.seam = (audio_seam){.leaps = true, .end = 4, .start = 3.75};
    while (rig_period(&r) < 5.3) {
    }
    /* file position 4 is reached in second 6 */
    assert_float_equal(audio_shift_at(&r.hearing.shifts, 6.1), -2.25, 1e-12);
    r.wish.seam.leaps = false;
    double by = audio_shift_at(&r.hearing.shifts, 100);
    while (rig_period(&r) < 7) {
    }
    assert_true(fabs(audio_shift_at(&r.hearing.shifts, 100) - by) <= 0.25);
    rig_close(&r);
}

static void seams_that_are_behind_or_too_near_are_none(void **state)
{
    (void)state;
    static const audio_seam none[] = {{true, 0.9, 0.1}, {true, 3, 2.95}, {true, 2, 3},
                                      {true, 2, 2},     {true, NAN, 0},  {false, 2, 1}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        rig r;
        rig_open(&r, ramp, 4);
        r.wish.position = 1;
        r.wish.seam = none[i];
        while (rig_period(&r) < 3.5) {
        }
        assert_int_equal(r.hearing.shifts.count, 1);
        assert_float_equal(r.hearing.position, 4.5, 0.1);
        rig_close(&r);
    }
}

static void looping_allocates_nothing(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, ramp, 10);
    r.wish.seam = (audio_seam){.leaps = true, .end = 0.5, .start = 0.25};
    rig_period(&r);
    uint64_t allocations = mmd_heap_allocations();
    while (rig_period(&r) < 9)
        r.wish.speed = r.rendered % (RATE * 2) < RATE ? 1 : 0.7;
    assert_true(mmd_heap_allocations() == allocations);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_sample_is_put_in_or_left_out_at_a_seam),
        cmocka_unit_test(at_any_speed_it_stays_with_the_frames_across_seams),
        cmocka_unit_test(shifts_tell_where_in_the_file_a_second_is),
        cmocka_unit_test(seams_that_are_behind_or_too_near_are_none),
        cmocka_unit_test(looping_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
