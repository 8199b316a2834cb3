/*
 * Two threads that share a wish and a hearing (audio_playback.h). The player's
 * asks for a place in the sound with every turn, and reads the dance's time off
 * the line that audio_clock.h draws through the hearings; the other pumps.
 */
#include "audio.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "audio_clock.h"
#include "audio_output.h"
#include "audio_playback.h"
#include "bundled.h"
#include "clock.h"
#include "commands.h"
#include "mmd/memory.h"
#include "parse.h"
#include "plan.h"
#include "stretch.h"

#define FRAMES_A_SECOND 30.0
#define PUMPING         (5 * 1000 * 1000L) /* nanoseconds from one time to the next */
#define PATIENCE        0.3                /* seconds to wait for a sound that was asked for */
#define TOO_FAR         0.25 /* seconds: that far behind or before the sound, it comes to the dance */

typedef enum audio_state { STATE_NONE, STATE_OPENING, STATE_READY, STATE_NO_DEVICE, STATE_LOST } audio_state;

struct odori_audio {
    pthread_t thread;
    bool has_thread, is_begun; /* is_begun: it was tried to have one */
    /* Of both, under the mutex. */
    pthread_mutex_t talk;
    pthread_cond_t asked;
    audio_state state;
    audio_file *file; /* that takes the place of what plays */
    bool is_new;      /* it is meant to, NULL or not */
    audio_wish wish;
    audio_hearing hearing;
    bool ends;
    /* Of the player. */
    bool is_open, is_bundled, told, mute;
    double offset, volume;
    bool alone;    /* it did not come, and the dance went on without it */
    double since;  /* when it was asked for */
    double stands; /* since when the session is not where it is going; 0: it is */
    double led;    /* frame that the session was led to */
    audio_clock clock;
    uint64_t heard; /* the turn that the clock belongs to */
    char path[PATH_MAX];
};

/* --- The thread that pumps --- */

static void set_state(odori_audio *a, audio_state state)
{
    pthread_mutex_lock(&a->talk);
    a->state = state;
    pthread_mutex_unlock(&a->talk);
}

/* The playback of the file that was opened since, if one was. */
static audio_playback *take_file(odori_audio *a, audio_playback *playback)
{
    pthread_mutex_lock(&a->talk);
    bool is_new = a->is_new;
    audio_file *file = a->file;
    a->file = NULL;
    a->is_new = false;
    pthread_mutex_unlock(&a->talk);
    if (!is_new)
        return playback;
    audio_playback_destroy(playback);
    return file ? audio_playback_create(file) : NULL;
}

static void pump_once(odori_audio *a, audio_playback *playback, const audio_wish *wish)
{
    audio_hearing hearing = {.turn = wish->turn};
    if (playback) {
        audio_playback_pump(playback, wish);
        hearing = audio_playback_hear(playback, clock_seconds());
    }
    pthread_mutex_lock(&a->talk);
    a->hearing = hearing;
    pthread_mutex_unlock(&a->talk);
}

/* Waits until it is time to pump again, and takes what is wanted then; false: no more. */
static bool next_wish(odori_audio *a, audio_wish *wish)
{
    bool goes_on;
    if (wish->playing)
        nanosleep(&(struct timespec){.tv_nsec = PUMPING}, NULL);
    pthread_mutex_lock(&a->talk);
    while (!a->ends && !wish->playing && a->wish.turn == wish->turn)
        pthread_cond_wait(&a->asked, &a->talk);
    *wish = a->wish;
    goes_on = !a->ends;
    pthread_mutex_unlock(&a->talk);
    return goes_on;
}

static void pump(odori_audio *a, audio_output *output)
{
    audio_wish wish = {0};
    audio_playback *playback = NULL;
    bool is_there = true;
    while (is_there && next_wish(a, &wish)) {
        playback = take_file(a, playback);
        audio_output_pause(output, false);
        pump_once(a, playback, &wish);
        audio_output_pause(output, !wish.playing || !playback);
        is_there = audio_output_is_there(output);
    }
    audio_playback_destroy(playback);
    set_state(a, is_there ? STATE_READY : STATE_LOST);
}

static void *run(void *context)
{
    odori_audio *a = context;
    audio_output *output = audio_output_open();
    set_state(a, output ? STATE_READY : STATE_NO_DEVICE);
    if (output)
        pump(a, output);
    audio_output_close(output);
    return NULL;
}

/* --- Beginning and end --- */

odori_audio *audio_create(void)
{
    odori_audio *a = mmd_alloc(sizeof *a);
    if (!a)
        return NULL;
    *a = (odori_audio){.volume = 1, .led = NAN};
    a->wish = (audio_wish){.speed = 1, .volume = 1};
    pthread_mutex_init(&a->talk, NULL);
    pthread_cond_init(&a->asked, NULL);
    return a;
}

void audio_destroy(odori_audio *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->talk);
    a->ends = true;
    pthread_cond_broadcast(&a->asked);
    pthread_mutex_unlock(&a->talk);
    if (a->has_thread)
        pthread_join(a->thread, NULL);
    pthread_cond_destroy(&a->asked);
    pthread_mutex_destroy(&a->talk);
    audio_file_close(a->file);
    mmd_free(a);
}

/* --- What plays --- */

static void hand_over(odori_audio *a, audio_file *file)
{
    pthread_mutex_lock(&a->talk);
    audio_file_close(a->file);
    a->file = file;
    a->is_new = true;
    a->wish.turn++;
    a->wish.playing = false;
    pthread_cond_broadcast(&a->asked);
    pthread_mutex_unlock(&a->talk);
    a->is_open = file != NULL;
    a->is_bundled = false;
    a->led = NAN;
}

bool audio_open(odori_audio *a, const char *path, char *error)
{
    audio_file *file;
    mmd_error why = {0};
    char sentence[512];
    if (audio_file_open(path, &file, &why) != MMD_OK) {
        snprintf(error, COMMAND_ERROR_MAX, "%.250s", mmd_error_sentence(&why, sentence, sizeof sentence));
        return false;
    }
    hand_over(a, file);
    return true;
}

void audio_shut(odori_audio *a)
{
    hand_over(a, NULL);
}

void audio_mark_bundled(odori_audio *a)
{
    a->is_bundled = true;
}

void audio_shut_bundled(odori_audio *a)
{
    if (a && a->is_bundled)
        audio_shut(a);
}

void audio_set_offset(odori_audio *a, double seconds)
{
    assert(fabs(seconds) <= AUDIO_OFFSET_MAX);
    a->offset = seconds;
    a->led = NAN;
}

static void set_loudness(odori_audio *a)
{
    pthread_mutex_lock(&a->talk);
    a->wish.volume = a->mute ? 0 : (float)a->volume;
    pthread_mutex_unlock(&a->talk);
}

void audio_set_volume(odori_audio *a, double volume)
{
    assert(volume >= 0 && volume <= AUDIO_VOLUME_MAX);
    a->volume = volume;
    set_loudness(a);
}

void audio_set_mute(odori_audio *a, bool mute)
{
    a->mute = mute;
    set_loudness(a);
}

/* --- Leading --- */

/* Not before the first picture: opening a device takes a while. */
static void start_thread(odori_audio *a)
{
    if (a->is_begun)
        return;
    setenv("ALSOFT_LOGLEVEL", "0", 0); /* that there is no device is told below, once */
    a->is_begun = true;
    a->state = STATE_OPENING;
    a->has_thread = pthread_create(&a->thread, NULL, run, a) == 0;
    if (!a->has_thread)
        a->state = STATE_NO_DEVICE;
}

/* What is known of the other side; whether that can play at all. */
static bool listen(odori_audio *a, audio_state *state, audio_hearing *hearing)
{
    pthread_mutex_lock(&a->talk);
    *state = a->state;
    *hearing = a->hearing;
    pthread_mutex_unlock(&a->talk);
    bool works = *state == STATE_OPENING || *state == STATE_READY;
    if (!works && !a->told)
        message(*state == STATE_LOST ? "the sound device is gone: it goes on silent"
                                     : "no sound device: it plays silent");
    a->told |= !works;
    return works;
}

static void ask(odori_audio *a, bool playing, double position, double speed)
{
    pthread_mutex_lock(&a->talk);
    a->wish.turn++;
    a->wish.playing = playing;
    a->wish.position = position;
    a->wish.speed = speed;
    pthread_cond_broadcast(&a->asked);
    pthread_mutex_unlock(&a->talk);
}

/* The sound comes to where the dance is. */
static void call(odori_audio *a, const odori_session *s, double now, double speed)
{
    ask(a, true, s->frame / FRAMES_A_SECOND - a->offset, speed);
    a->since = now;
    a->led = s->frame;
}

static void rest(odori_audio *a)
{
    if (a->wish.playing)
        ask(a, false, 0, 1);
}

/* The speed of the dance as the stretcher can do it; in steps, or it would change with every picture. */
static double speed_of(const odori_session *s, double pace)
{
    double speed = s->speed * (pace < 1 ? ceil(20 * pace) / 20 : 1);
    return fmin(fmax(speed, STRETCH_SLOWEST), STRETCH_FASTEST);
}

static void set_speed(odori_audio *a, double speed)
{
    pthread_mutex_lock(&a->talk);
    a->wish.speed = speed;
    pthread_mutex_unlock(&a->talk);
}

static void hear(odori_audio *a, const audio_hearing *hearing)
{
    if (a->heard != hearing->turn)
        audio_clock_start(&a->clock, hearing->position, hearing->time, hearing->rate);
    else if (hearing->time > a->clock.time)
        audio_clock_hear(&a->clock, hearing->position, hearing->time, hearing->rate);
    a->heard = hearing->turn;
}

/* A far frame is simulated, which takes several pictures: after a moment the sound rests until it is there.
 */
static bool is_under_way(odori_audio *a, const odori_session *s, const audio_moment *m)
{
    if (s->arrived) {
        a->stands = 0;
        return false;
    }
    if (a->stands <= 0)
        a->stands = m->now;
    if (m->now - a->stands > PATIENCE)
        rest(a);
    return true;
}

/* How far the dance is behind the sound that plays; false: too far, or it does not play yet. */
static bool follow(odori_audio *a, const odori_session *s, const audio_moment *m,
                   const audio_hearing *hearing, double *seconds)
{
    bool plays = hearing->playing && hearing->turn == a->wish.turn;
    *seconds = 0;
    if (!plays) {
        a->alone = m->now - a->since > PATIENCE;
        return !a->alone; /* it begins in a moment: no picture before it */
    }
    hear(a, hearing);
    *seconds = audio_clock_at(&a->clock, m->now) + a->offset - s->frame / FRAMES_A_SECOND;
    bool is_far = a->alone ? *seconds < -TOO_FAR : m->pace < 1 && *seconds > TOO_FAR;
    a->alone = false;
    if (is_far)
        call(a, s, m->now, speed_of(s, m->pace));
    *seconds = fmax(*seconds, 0);
    return !is_far;
}

bool audio_lead(odori_audio *a, const odori_session *s, const audio_moment *m, double *seconds)
{
    audio_state state;
    audio_hearing hearing;
    if (!a || !a->is_open)
        return false;
    start_thread(a);
    if (!listen(a, &state, &hearing))
        return false;
    if (!m->plays)
        rest(a);
    if (!m->plays || is_under_way(a, s, m))
        return false;
    if (state == STATE_OPENING)
        return false; /* it is called to where the dance is by then */
    double speed = speed_of(s, m->pace);
    if (!a->wish.playing || !(s->frame == a->led)) /* NaN too */
        call(a, s, m->now, speed);
    set_speed(a, speed);
    return follow(a, s, m, &hearing, seconds);
}

void audio_led(odori_audio *a, const odori_session *s)
{
    if (a && a->led <= s->frame) /* else it began anew */
        a->led = s->frame;
}
