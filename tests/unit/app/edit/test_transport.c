/* Tests how time advances: repeats, ends, beats and speeds; and key bindings. */
#include "document/bindings.h"
#include "support.h"
#include "edit/transport.h"
#include "base/tokenize.h"

#include <math.h>

static double next(const odori_transport *t, double frame, double step, bool *ends)
{
    return transport_next(t, frame, step, 100, ends);
}

static void a_dance_loops_or_ends(void **state)
{
    (void)state;
    bool ends;
    odori_transport t = transport_default();
    assert_float_equal(next(&t, 10, 2, &ends), 12, 0);
    assert_float_equal(next(&t, 99, 1, &ends), 100, 0);
    assert_float_equal(next(&t, 99, 3, &ends), 2, 1e-9);
    assert_false(ends);
    t.loop = false;
    assert_float_equal(next(&t, 99, 1, &ends), 100, 0);
    assert_false(ends);
    assert_float_equal(next(&t, 99, 3, &ends), 100, 0);
    assert_true(ends);
}

static void b_leads_to_a_and_nothing_of_a_step_is_lost(void **state)
{
    (void)state;
    bool ends;
    odori_transport t = transport_default();
    t.a = 20;
    t.b = 30;
    assert_float_equal(next(&t, 5, 4, &ends), 9, 0);      /* it plays from before A */
    assert_float_equal(next(&t, 29, 4, &ends), 23, 1e-9); /* over B by 3 */
    assert_float_equal(next(&t, 29, 1, &ends), 20, 1e-9); /* B itself is A */
    assert_float_equal(next(&t, 29, 24, &ends), 23, 1e-9);
    assert_float_equal(next(&t, 30, 2, &ends), 22, 1e-9); /* B was set here */
    assert_float_equal(next(&t, 40, 4, &ends), 44, 0);    /* after B it plays on */
    t.loop = false;
    assert_float_equal(next(&t, 99, 2, &ends), 21, 1e-9); /* the end jumps to A too */
    assert_false(ends);
    t.a = NAN;
    assert_float_equal(next(&t, 29, 4, &ends), 3, 1e-9);
    t.b = 1000; /* after the end: no B */
    assert_float_equal(next(&t, 99, 4, &ends), 100, 0);
    assert_true(ends);
}

/* During playback at any speed the frame stays between A and B. */
static void repeats_stay_within_their_ends(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int round = 0; round < 200; round++) {
        odori_transport t = transport_default();
        t.a = (double)(test_random(&seed) % 50);
        t.b = t.a + 1 + (double)(test_random(&seed) % 40);
        double frame = t.a;
        for (int i = 0; i < 200; i++) {
            bool ends;
            frame = next(&t, frame, (double)(test_random(&seed) % 1000) / 100, &ends);
            assert_false(ends);
            assert_true(frame >= t.a && frame < t.b);
        }
    }
}

/* A seam tells in advance where time jumps: a step over its end arrives at its start. */
static void seams_are_where_time_leaps(void **state)
{
    (void)state;
    uint64_t seed = 11;
    odori_transport t = transport_default();
    transport_seam seam = transport_seam_from(&t, 10, 100);
    assert_true(seam.leaps && seam.end == 100 && seam.start == 0);
    t.a = 20;
    t.b = 30;
    seam = transport_seam_from(&t, 30, 100);
    assert_true(seam.leaps && seam.end == 30 && seam.start == 20);
    seam = transport_seam_from(&t, 31, 100);
    assert_true(seam.leaps && seam.end == 100 && seam.start == 20);
    t.a = t.b = NAN;
    t.loop = false;
    assert_false(transport_seam_from(&t, 10, 100).leaps);
    for (int round = 0; round < 5000; round++) {
        bool ends, has_a = test_random(&seed) % 2, has_b = test_random(&seed) % 2;
        t.a = has_a ? (double)(test_random(&seed) % 60) : NAN;
        t.b = has_b ? 60.0 + (double)(test_random(&seed) % 60) : NAN;
        t.loop = test_random(&seed) % 2;
        double frame = (double)(test_random(&seed) % 1000) / 10,
               step = 0.1 + (double)(test_random(&seed) % 90) / 10;
        double next = transport_next(&t, frame, step, 100, &ends);
        seam = transport_seam_from(&t, frame, 100);
        bool over = seam.leaps && frame + step > seam.end;
        if (over)
            assert_float_equal(next, seam.start + frame + step - seam.end, 1e-9);
        else if (!ends && frame + step < 100 && frame + step != seam.end)
            assert_float_equal(next, frame + step, 1e-9);
    }
}

static void beats_are_counted_from_the_first(void **state)
{
    (void)state;
    odori_transport t = transport_default();
    t.bpm = 120; /* 15 frames */
    t.first_beat = 10;
    assert_float_equal(transport_beat(&t, 10), 1, 0);
    assert_float_equal(transport_beat(&t, 24.9), 1, 0);
    assert_float_equal(transport_beat(&t, 25), 2, 0);
    assert_float_equal(transport_beat(&t, 0), 0, 0);
    assert_float_equal(transport_beat_frame(&t, 30, 1), 40, 1e-9);
    assert_float_equal(transport_beat_frame(&t, 30, -1), 10, 1e-9);
    t.bpm = 133.7;
    double frame = t.first_beat;
    for (int i = 1; i < 500; i++) { /* rounding does not stop at any beat */
        assert_float_equal(transport_beat(&t, frame), i, 0);
        frame = transport_beat_frame(&t, frame, 1);
    }
}

static void speeds_are_stepped_to_both_ends(void **state)
{
    (void)state;
    double speed = 1;
    for (int i = 0; i < 20; i++)
        speed = transport_speed_step(speed, true);
    assert_float_equal(speed, TRANSPORT_FASTEST, 0);
    for (int i = 0; i < 20; i++)
        speed = transport_speed_step(speed, false);
    assert_float_equal(speed, TRANSPORT_SLOWEST, 0);
    assert_float_equal(transport_speed_step(0.8, true), 0.9, 0);
    assert_float_equal(transport_speed_step(0.8, false), 0.75, 0);
}

static void keys_have_commands_and_can_have_others(void **state)
{
    (void)state;
    key_bindings k;
    char why[128] = "";
    bindings_init(&k);
    assert_string_equal(bindings_find(&k, 0, "space")->command, "play.toggle");
    assert_string_equal(bindings_find(&k, KEY_CONTROL, "Z")->command, "undo");
    assert_null(bindings_find(&k, KEY_ALT, "Z"));
    assert_null(bindings_find(&k, 0, "nonsense"));
    static const char text[] =
        "# mine\r\nshift+ctrl+f5  frame.set 30\r\n\n  z play.toggle  \nq none\nL frame.step 1";
    assert_int_equal(bindings_read(&k, text, sizeof text - 1, why, sizeof why), 0);
    assert_string_equal(bindings_find(&k, KEY_CONTROL | KEY_SHIFT, "F5")->command, "frame.set 30");
    assert_string_equal(bindings_find(&k, 0, "Z")->command, "play.toggle");
    assert_string_equal(bindings_find(&k, 0, "L")->command, "frame.step 1");
    assert_true(bindings_find(&k, 0, "L")->repeats);
    assert_null(bindings_find(&k, 0, "Q"));
}

static void wrong_lines_of_keys_are_told_and_left_out(void **state)
{
    (void)state;
    key_bindings k;
    char why[128] = "", line[600];
    bindings_init(&k);
    static const char text[] = "F2 play\nHyper+Z play\nF3\nF4 pause\n";
    assert_int_equal(bindings_read(&k, text, sizeof text - 1, why, sizeof why), 2);
    assert_non_null(strstr(why, "Hyper+Z"));
    assert_string_equal(bindings_find(&k, 0, "F2")->command, "play");
    assert_string_equal(bindings_find(&k, 0, "F4")->command, "pause");
    assert_null(bindings_find(&k, 0, "F3"));
    memset(line, 'x', sizeof line);
    assert_int_equal(bindings_read(&k, line, sizeof line, why, sizeof why), 1);
    uint64_t seed = 3;
    for (int round = 0; round < 2000; round++) { /* any bytes */
        for (size_t i = 0; i < sizeof line; i++)
            line[i] = (char)(test_random(&seed) % 3 ? "\n +#\tCtrl+aF1"[test_random(&seed) % 13]
                                                    : (int)test_random(&seed));
        bindings_read(&k, line, test_random(&seed) % sizeof line, why, sizeof why);
        assert_true(k.count <= BINDINGS_MAX);
    }
}

static void the_list_of_keys_names_every_key(void **state)
{
    (void)state;
    key_bindings k;
    binding_row rows[BINDINGS_MAX];
    char text[8192];
    bindings_init(&k);
    size_t length = bindings_text(&k, text, sizeof text), count = bindings_list(&k, rows);
    assert_true(length < 6144); /* size of the buffer that --help uses */
    for (size_t i = 0; i < k.count; i++)
        assert_non_null(strstr(text, k.entries[i].key));
    assert_true(count > 30 && count < k.count);
    assert_string_equal(rows[0].keys, "Space, P");
    assert_string_equal(rows[0].help, "Play or pause");
    k.count = BINDINGS_MAX; /* more keys than a row has room for */
    for (size_t i = 0; i < k.count; i++)
        k.entries[i] = k.entries[0];
    assert_int_equal(bindings_list(&k, rows), 1);
    assert_true(strlen(rows[0].keys) < sizeof rows[0].keys &&
                strlen(rows[0].keys) + 7 >= sizeof rows[0].keys - 1);
}

static void words_are_cut_at_blanks_outside_quotes(void **state)
{
    (void)state;
    char storage[64], *words[3];
    size_t count;
    static const char line[] = " a\t\"b \\\"c\\\\\" d\"e f\" # g";
    assert_int_equal(tokenize(line, sizeof line - 1, storage, words, 3, &count), TOKENIZE_DONE);
    assert_int_equal(count, 3);
    assert_string_equal(words[0], "a");
    assert_string_equal(words[1], "b \"c\\");
    assert_string_equal(words[2], "de f");
    assert_int_equal(tokenize(line, sizeof line - 1, storage, words, 2, &count), TOKENIZE_TOO_MANY);
    assert_int_equal(tokenize("\"a", 2, storage, words, 2, &count), TOKENIZE_OPEN_QUOTE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dance_loops_or_ends),
        cmocka_unit_test(b_leads_to_a_and_nothing_of_a_step_is_lost),
        cmocka_unit_test(repeats_stay_within_their_ends),
        cmocka_unit_test(seams_are_where_time_leaps),
        cmocka_unit_test(beats_are_counted_from_the_first),
        cmocka_unit_test(speeds_are_stepped_to_both_ends),
        cmocka_unit_test(keys_have_commands_and_can_have_others),
        cmocka_unit_test(wrong_lines_of_keys_are_told_and_left_out),
        cmocka_unit_test(the_list_of_keys_names_every_key),
        cmocka_unit_test(words_are_cut_at_blanks_outside_quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
