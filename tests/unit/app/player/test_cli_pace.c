/* Tests the speed of playback: real time if possible, slower if the simulation takes longer. */
#include "player/rate_governor.h"
#include "support.h"

/* Plays for some seconds of the clock. A second of the dance takes cost seconds, a picture draw seconds.
 * Returns how far the dance came, in seconds. */
static double play(rate_governor *p, double seconds, double cost, double draw, int *news)
{
    double time = 0, reached = 0, last = 0;
    while (time < seconds) {
        double step = rate_governor_step(p, time - last);
        last = time;
        *news += rate_governor_note(p, step, step * cost);
        reached += step;
        time += step * cost + draw;
    }
    return reached;
}

static void a_quick_dance_is_played_in_real_time(void **state)
{
    (void)state;
    int news = 0;
    rate_governor p = {0};
    assert_float_equal(play(&p, 10, 0.1, 1.0 / 60, &news), 10, 0.1);
    assert_float_equal(rate_governor_speed(&p), 1, 0);
    /* Slow drawing skips pictures, but no time is lost. */
    assert_float_equal(play(&p, 10, 0.1, 0.2, &news), 10, 0.5);
    assert_float_equal(rate_governor_speed(&p), 1, 0);
    assert_int_equal(news, 0);
}

static void slow_physics_is_played_slower_in_small_steps_and_told_once(void **state)
{
    (void)state;
    int news = 0;
    rate_governor p = {0};
    double reached = play(&p, 30, 3.0, 1.0 / 60, &news);
    assert_true(reached > 5 && reached < 10.1); /* a third of the time, less the time for drawing */
    assert_int_equal(news, 1);
    assert_true(rate_governor_speed(&p) > 0.3 && rate_governor_speed(&p) < 0.4);
    assert_true(rate_governor_step(&p, 10) < 0.05);
    /* It recovers, and a second slowdown is not reported. */
    play(&p, 30, 0.1, 1.0 / 60, &news);
    assert_float_equal(rate_governor_speed(&p), 1, 0);
    play(&p, 30, 3.0, 1.0 / 60, &news);
    assert_int_equal(news, 1);
}

static void a_halt_is_no_leap_and_one_slow_moment_no_pace(void **state)
{
    (void)state;
    rate_governor p = {0};
    assert_true(rate_governor_step(&p, 100) <= 0.25);
    int news = 0;
    assert_false(rate_governor_note(&p, 0.01, 5));
    play(&p, 5, 0.1, 1.0 / 60, &news);
    assert_float_equal(rate_governor_speed(&p), 1, 0);
    assert_int_equal(news, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quick_dance_is_played_in_real_time),
        cmocka_unit_test(slow_physics_is_played_slower_in_small_steps_and_told_once),
        cmocka_unit_test(a_halt_is_no_leap_and_one_slow_moment_no_pace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
