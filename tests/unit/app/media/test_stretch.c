/* Tests sound at another speed: the pitch stays, nothing clicks, and the duration is exact. */
#include "support.h"

#include "media/audio_stream.h"

enum { RATE = 44100 };

#define TURN (2 * 3.14159265358979323846)

/* The input: a tone of some hertz in the left channel and half as many in the right; at is the next frame. */
typedef struct tone {
    double hertz;
    int64_t at;
} tone;

static float tone_at(const tone *t, int64_t frame, int side)
{
    return (float)(0.5 * sin(TURN * t->hertz / (side + 1) * (double)frame / RATE));
}

static void read_tone(void *user, float *out, size_t count)
{
    tone *t = user;
    for (size_t i = 0; i < count; i++, t->at++)
        for (int side = 0; side < 2; side++)
            out[2 * i + (size_t)side] = tone_at(t, t->at, side);
}

static stretch *begin(tone *t, double hertz)
{
    *t = (tone){.hertz = hertz};
    stretch *s = stretch_create(RATE, read_tone, t);
    assert_non_null(s);
    t->at = stretch_restart(s, 0);
    return s;
}

/* Measures the frequency of a channel between its first and its last rise through 0. */
static double pitch_of(const float *frames, size_t count, size_t side)
{
    double first = -1, last = 0;
    int rises = -1;
    for (size_t i = 1; i < count; i++) {
        double a = (double)frames[2 * (i - 1) + side], b = (double)frames[2 * i + side];
        if (!(a < 0 && b >= 0))
            continue;
        last = (double)(i - 1) + a / (a - b);
        first = first < 0 ? last : first;
        rises++;
    }
    return rises * (double)RATE / (last - first);
}

/* Returns the greatest second difference of the samples, which is 0 for a straight line. */
static double roughest(const float *frames, size_t count)
{
    double most = 0;
    for (size_t i = 2; i < count; i++)
        for (size_t side = 0; side < 2; side++) {
            const float *at = frames + 2 * i + side;
            most = fmax(most, fabs((double)at[0] - 2 * (double)at[-2] + (double)at[-4]));
        }
    return most;
}

static const double speeds[] = {0.1, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.5, 2, 3, 4};
enum { SPEEDS = sizeof speeds / sizeof *speeds, SECONDS = 3 };

static void tones_keep_their_pitch_and_do_not_click(void **state)
{
    (void)state;
    static const double hertz[] = {110, 440, 1000, 3000};
    static float out[2 * SECONDS * RATE];
    double worst = 0, roughness = 0;
    for (size_t h = 0; h < sizeof hertz / sizeof *hertz; h++) {
        double curve = 0.5 * pow(TURN * hertz[h] / RATE, 2);
        for (size_t i = 0; i < SPEEDS; i++) {
            tone t;
            stretch *s = begin(&t, hertz[h]);
            stretch_take(s, out, SECONDS * RATE, speeds[i]);
            for (size_t side = 0; side < 2; side++) {
                double wanted = hertz[h] / (double)(side + 1);
                double off = fabs(pitch_of(out, SECONDS * RATE, side) / wanted - 1);
                worst = fmax(worst, off);
                if (off > 0.01)
                    fail_msg("%g Hz at speed %g: %.2f %% off", wanted, speeds[i], 100 * off);
            }
            double rough = roughest(out, SECONDS * RATE) / curve;
            roughness = fmax(roughness, rough);
            if (rough > 1.5)
                fail_msg("%g Hz at speed %g bends %.2f times as much as the tone", hertz[h], speeds[i],
                         rough);
            stretch_destroy(s);
        }
    }
    print_message("pitch: at most %.4f %% off; bends at most %.3f times as much as the tone\n", 100 * worst,
                  roughness);
}

static void at_speed_1_what_comes_out_is_what_went_in(void **state)
{
    (void)state;
    static float out[2 * RATE];
    tone t;
    stretch *s = begin(&t, 441.7);
    for (size_t done = 0, step = 1; done + step < RATE; done += step, step = step % 700 + 13)
        stretch_take(s, out + 2 * done, step, 1);
    for (int64_t i = 0; i < RATE - 800; i++)
        assert_true(out[2 * i] == tone_at(&t, i, 0) && out[2 * i + 1] == tone_at(&t, i, 1));
    assert_float_equal(stretch_position(s), floor(stretch_position(s)), 0);
    stretch_destroy(s);
}

static void it_takes_exactly_as_long_as_the_speed_says(void **state)
{
    (void)state;
    static float out[2 * RATE];
    for (size_t i = 0; i < SPEEDS; i++) {
        tone t;
        stretch *s = begin(&t, 300);
        double start = 12345;
        t.at = stretch_restart(s, start);
        for (int second = 0; second < 60; second++)
            stretch_take(s, out, RATE, speeds[i]);
        assert_float_equal(stretch_position(s), start + 60.0 * RATE * speeds[i], 1e-3);
        /* The input was read to this position, and not far beyond. */
        assert_true((double)t.at - stretch_position(s) > -3.0 * RATE / 50);
        assert_true((double)t.at - stretch_position(s) < 6.0 * RATE / 50);
        stretch_destroy(s);
    }
}

/* Reads a click at every tenth of a second. */
static void read_clicks(void *user, float *out, size_t count)
{
    int64_t *at = user;
    for (size_t i = 0; i < count; i++, (*at)++)
        out[2 * i] = out[2 * i + 1] = *at >= 0 && *at % (RATE / 10) < 20 ? 0.8f : 0;
}

static void what_is_heard_is_where_it_says_it_is(void **state)
{
    (void)state;
    static float out[2 * 6 * RATE];
    double worst = 0;
    for (size_t i = 0; i < SPEEDS; i++) {
        int64_t at;
        stretch *s = stretch_create(RATE, read_clicks, &at);
        at = stretch_restart(s, 0);
        stretch_take(s, out, 6 * RATE, speeds[i]);
        int heard = 0;
        for (size_t n = 0; n < 6 * RATE; n++) {
            if (out[2 * n] < 0.5f)
                continue;
            double place = (double)n * speeds[i] * 10 / RATE; /* tenths of a second */
            worst = fmax(worst, fabs(place - round(place)) / 10 / fmax(1, speeds[i]));
            n += RATE / 100;
            heard++;
        }
        assert_true(heard > 0);
        stretch_destroy(s);
    }
    print_message("clicks: at most %.1f ms from where they belong\n", 1000 * worst);
    assert_true(worst < 0.025);
}

static void a_speed_that_changes_does_not_click(void **state)
{
    (void)state;
    static float out[2 * 8 * RATE];
    tone t;
    uint64_t seed = 5;
    stretch *s = begin(&t, 500);
    double expected = 0;
    for (size_t done = 0; done + 1000 <= 8 * RATE; done += 1000) {
        double speed = speeds[test_random(&seed) % SPEEDS], before = stretch_position(s);
        stretch_take(s, out + 2 * done, 1000, speed);
        expected = stretch_position(s) - before;
        assert_true(expected > 0);
    }
    assert_true(roughest(out, 8 * RATE - 1000) < 1.5 * 0.5 * pow(TURN * 500 / RATE, 2));
    stretch_destroy(s);
}

static void silence_and_every_rate_go_through(void **state)
{
    (void)state;
    static const uint32_t rates[] = {4000, 8000, 11025, 22050, 48000, 96000, 192000};
    static float out[2 * 20000];
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        tone t = {0};
        stretch *s = stretch_create(rates[i], read_tone, &t);
        t.at = stretch_restart(s, 1e6 + 0.5);
        for (size_t k = 0; k < 2 * SPEEDS; k++)
            stretch_take(s, out, 20000, speeds[7 * k % SPEEDS]);
        for (size_t k = 0; k < 40000; k++)
            assert_true(out[k] >= 0 && out[k] <= 0);
        stretch_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tones_keep_their_pitch_and_do_not_click),
        cmocka_unit_test(at_speed_1_what_comes_out_is_what_went_in),
        cmocka_unit_test(it_takes_exactly_as_long_as_the_speed_says),
        cmocka_unit_test(what_is_heard_is_where_it_says_it_is),
        cmocka_unit_test(a_speed_that_changes_does_not_click),
        cmocka_unit_test(silence_and_every_rate_go_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
