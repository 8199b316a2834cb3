/*
 * Tests that the sound leads the dance: with its thread and OpenAL's wave writer, which plays into a file in
 * real time, and without any device. OpenAL reads its settings once per process, so each test runs in its
 * own.
 */
#include "support.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/message.h"
#include "document/audio.h"
#include "base/clock.h"

enum { RATE = 8000 };

static panel_log messages;

/* --- A dance without a scene --- */

typedef struct dance {
    odori_session session;
    odori_audio *audio;
    double last;     /* time of the last update */
    double backward; /* largest step backwards, in frames */
    double pace;     /* speed that physics allows */
    unsigned alone;  /* pictures that no sound led */
} dance;

static void go_on(dance *d, double seconds, bool plays)
{
    double end = clock_seconds() + seconds;
    while (clock_seconds() < end) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        double now = clock_seconds(), step, before = d->session.frame;
        const audio_moment moment = {.now = now, .pace = d->pace, .plays = plays};
        if (!audio_lead(d->audio, &d->session, &moment, &step)) {
            d->alone++;
            step = now - d->last;
        }
        double gone = plays ? 30 * step : 0;
        d->session.frame += gone;
        d->last = now;
        audio_led(d->audio, &d->session, gone);
        d->backward = fmax(d->backward, before - d->session.frame);
    }
}

static void write_sound(const char *path)
{
    static uint8_t wav[44 + 2 * 20 * RATE] =
        "RIFF\0\0\0\0WAVEfmt \20\0\0\0\1\0\1\0\100\37\0\0\200\76\0\0\2\0\20\0data";
    uint32_t size = sizeof wav - 44;
    for (int i = 0; i < 4; i++) {
        wav[4 + i] = (uint8_t)((size + 36) >> 8 * i);
        wav[40 + i] = (uint8_t)(size >> 8 * i);
    }
    FILE *stream = fopen(path, "wb");
    if (!stream || fwrite(wav, 1, sizeof wav, stream) != sizeof wav)
        exit(2);
    fclose(stream);
}

static dance begin(const char *sound)
{
    char error[256];
    dance d = {.session = {.speed = 1, .playing = true, .arrived = true, .messages = &messages},
               .pace = 1,
               .audio = audio_create()};
    const mmd_log quiet = {.write = NULL};
    panel_log_start(&messages, &quiet);
    d.last = clock_seconds();
    if (!d.audio || audio_open(d.audio, "/nowhere.wav", error) || !audio_open(d.audio, sound, error))
        exit(3);
    return d;
}

/* --- In a process of its own --- */

static void check(bool holds, int line)
{
    if (holds)
        return;
    fprintf(stderr, "line %d: it does not hold\n", line);
    _exit(1);
}

#define CHECK(condition) check(condition, __LINE__)

static void with_a_device(const char *folder)
{
    char path[128];
    snprintf(path, sizeof path, "%s/sound.wav", folder);
    dance d = begin(path);
    go_on(&d, 1, true);
    double started = d.session.frame;
    CHECK(started > 5 && started < 40);
    d.alone = 0;
    go_on(&d, 1, true); /* the sound keeps real time */
    CHECK(d.alone == 0 && fabs(d.session.frame - started - 30) < 4);
    d.session.frame = 300; /* a seek: playback continues from there */
    go_on(&d, 1, true);
    CHECK(d.session.frame > 310 && d.session.frame < 334);
    d.session.frame = 2; /* and back */
    go_on(&d, 0.7, true);
    CHECK(d.session.frame > 5 && d.session.frame < 25);
    double paused = d.session.frame;
    go_on(&d, 0.3, false);
    CHECK(fabs(d.session.frame - paused) <= 0);
    go_on(&d, 0.7, true);
    CHECK(d.session.frame > paused + 5 && d.session.frame < paused + 25);
    d.session.speed = 2;
    go_on(&d, 0.5, true); /* the queue still plays at the old speed for a moment */
    double fast = d.session.frame;
    go_on(&d, 1, true);
    CHECK(fabs(d.session.frame - fast - 60) < 8);
    d.session.speed = 1;
    d.pace = 0.5; /* physics is slow: the sound waits for it */
    go_on(&d, 0.5, true);
    double slow = d.session.frame;
    go_on(&d, 1, true);
    CHECK(fabs(d.session.frame - slow - 15) < 3);
    d.pace = 1;
    audio_set_offset(d.audio, 100); /* silence until the sound begins leads as well */
    go_on(&d, 0.5, true);
    CHECK(d.backward <= 0);
    d.session.frame = 3000 + 30 * 25; /* beyond the end of the sound */
    go_on(&d, 1, true);
    CHECK(d.session.frame > 3750 + 20);
    d.alone = 0;
    audio_shut(d.audio);
    go_on(&d, 0.2, true);
    CHECK(d.alone > 0 && messages.count == 0);
    audio_destroy(d.audio);
}

static void without_a_device(const char *folder)
{
    char path[128];
    snprintf(path, sizeof path, "%s/sound.wav", folder);
    dance d = begin(path);
    go_on(&d, 1, true);
    CHECK(messages.count == 1 && d.session.frame > 25 && d.session.frame < 35);
    CHECK(d.alone > 10);
    audio_destroy(d.audio);
}

static void run_alone(void (*test)(const char *folder), const char *driver)
{
    char folder[] = "/tmp/odori-lead-XXXXXX", path[128], command[128];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/sound.wav", folder);
    write_sound(path);
    snprintf(path, sizeof path, "%s/alsoft.conf", folder);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fprintf(stream, "[general]\ndrivers = %s\n[wave]\nfile = %s/heard.wav\n", driver, folder);
    fclose(stream);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setenv("ALSOFT_CONF", path, 1);
        unsetenv("ALSOFT_DRIVERS");
        test(folder);
        _exit(0);
    }
    int status = -1;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(status, 0);
}

static void the_dance_is_where_the_sound_is(void **state)
{
    (void)state;
    run_alone(with_a_device, "wave");
}

static void without_a_device_it_goes_on_silent_and_says_so_once(void **state)
{
    (void)state;
    run_alone(without_a_device, "null");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dance_is_where_the_sound_is),
        cmocka_unit_test(without_a_device_it_goes_on_silent_and_says_so_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
